"""Recycled memory: what anyone can still see is never given to another array (rows 28, 34, 46; D2)."""

import copy
import gc
import pickle
import random

import numpy
import pytest
import torch

import fastnp

SIZES = [(), (1,), (2,), (3,), (4,), (8,), (2, 2), (3, 3), (0,), (16,), (5, 7), (100,), (1000,), (3, 1, 2)]
DTYPES = ["f8", "f8", "f4", "i8", "i4", "u1", "?", "c16", "f2"]

# Ways to keep an eye on a result after its array is gone. Each gives an object that numpy.asarray can read.
EXPORTS = {
    "array": lambda x: x,
    "tensor": lambda x: x.tensor,
    "tensor view": lambda x: x.tensor[None],
    "detached": lambda x: x.tensor.detach(),
    "numpy": numpy.asarray,
    "numpy view": lambda x: numpy.asarray(x)[None][..., :],
    "memoryview": memoryview,
    "dlpack": torch.from_dlpack,
    "numpy dlpack": numpy.from_dlpack,
    "view": lambda x: x[...],
    "reshaped": lambda x: x.reshape(-1),
    "flipped twice": lambda x: x.reshape(-1)[::-1][::-1],
    "flipped": lambda x: x.reshape(-1)[::-1],
    "transposed": lambda x: x.T,
    "wrapped": lambda x: fastnp.asarray(x.tensor),
    "wrapped twice": lambda x: fastnp.asarray(fastnp.asarray(x.tensor[None]).tensor),
    "numpy again": lambda x: fastnp.asarray(numpy.asarray(x)),
    "base of a view": lambda x: x[...].base,
    "ctypes": lambda x: x.ctypes._arr if hasattr(x.ctypes, "_arr") else x,
    "flat": lambda x: x.flat.base,
    "row": lambda x: x.reshape(1, -1)[0],
    "real": lambda x: x.real,
    "data": lambda x: x.data,
    "storage": lambda x: torch.as_tensor(x.tensor.untyped_storage(), dtype=torch.uint8) if x.size else x.tensor,
    "subclass": lambda x: x.view(Sub),
    "container": lambda x: [x][0],
    "broadcast": lambda x: fastnp.broadcast_to(x, (2, *x.shape)),
    "pickle": lambda x: pickle.loads(pickle.dumps(x, 5)),
    "copy": copy.copy,
}

# Ways to make a result that may come from the pool.
MAKERS = [
    lambda shape, dtype, k: fastnp.full(shape, k, dtype=dtype),
    lambda shape, dtype, k: fastnp.zeros(shape, dtype=dtype) + fastnp.array(k, dtype=dtype),
    lambda shape, dtype, k: fastnp.add(fastnp.full(shape, k, dtype=dtype), 0),
    lambda shape, dtype, k: fastnp.full(shape, k, dtype="f8").astype(dtype),
    lambda shape, dtype, k: fastnp.full((2, *shape), k, dtype=dtype)[1],
    lambda shape, dtype, k: fastnp.full(shape, k, dtype=dtype).copy(),
    lambda shape, dtype, k: fastnp.stack([fastnp.full(shape, k, dtype=dtype)] * 2)[0],
    lambda shape, dtype, k: fastnp.full((3, *shape), k, dtype=dtype).max(axis=0),
    lambda shape, dtype, k: fastnp.array(numpy.full(shape, k, dtype=dtype)),
]


class Sub(fastnp.ndarray):
    """A subclass, whose header is not recycled like a plain one."""


def churn(rng):
    """Make and drop results of many sizes, so that whatever was freed is used again."""
    for shape in rng.sample(SIZES, 4):
        x = fastnp.full(shape, 77.0)
        y = x + 1
        z = (y * x)[...]
        del x, y
        z.sum()
        fastnp.zeros(shape, dtype="i8") + 99


def contents(kept):
    return numpy.asarray(kept).tobytes()


@pytest.mark.parametrize("seed", range(12))
def test_nothing_visible_is_recycled(seed):
    """D2: keep, export, view, wrap and drop results at random; what is kept never changes."""
    rng = random.Random(seed)
    kept = []
    for _ in range(250):
        shape, dtype, k = rng.choice(SIZES), rng.choice(DTYPES), rng.randrange(1, 2)
        k = rng.randrange(1, 60) if dtype != "?" else True
        x = rng.choice(MAKERS)(shape, dtype, k)
        name = rng.choice(list(EXPORTS))
        seen = EXPORTS[name](x)
        kept.append((name, dtype, shape, seen, contents(seen)))
        del x, seen
        churn(rng)
        if len(kept) > 40:
            kept.pop(rng.randrange(len(kept)))
        if rng.random() < 0.02:
            gc.collect()
        name, dtype, shape, seen, before = rng.choice(kept)
        assert contents(seen) == before, f"{name} of {dtype}{shape} was overwritten"
    for name, dtype, shape, seen, before in kept:
        assert contents(seen) == before, f"{name} of {dtype}{shape} was overwritten"


@pytest.mark.parametrize("export", EXPORTS)
@pytest.mark.parametrize("shape", SIZES, ids=str)
def test_export_survives_its_array(export, shape):
    """D2: one of each, the array dropped at once."""
    x = fastnp.full(shape, 3.0) + 1
    want = contents(EXPORTS[export](x))
    seen = EXPORTS[export](x)
    del x
    others = [fastnp.full(shape, 8.0) + 1 for _ in range(50)]
    assert contents(seen) == want
    del seen
    others += [fastnp.full(shape, 9.0) * 2 for _ in range(50)]
    assert all(float(y.sum()) in (9.0 * y.size, 18.0 * y.size) for y in others)


def test_write_through_an_export_reaches_no_other_array():
    """D2: a tensor kept from a dropped array is its own memory."""
    t = (fastnp.zeros(3) + 1).tensor
    others = [fastnp.zeros(3) + 2 for _ in range(20)]
    t.fill_(55)
    assert all(x.tolist() == [2.0, 2.0, 2.0] for x in others)
    assert t.tolist() == [55.0] * 3


def test_results_kept_while_operands_go():
    """A result is never its operand's memory, and a chain drops only its temporaries."""
    for size in (3, 100, 100_000):
        a, b = fastnp.full(size, 1.0), fastnp.full(size, 2.0)
        results = [a + b, a * b, -a, a + b + a + b, (a + b) * (a - b), fastnp.exp(a - a)]
        del a, b
        churn(random.Random(1))
        assert [float(r[-1]) for r in results] == [3.0, 2.0, -1.0, 6.0, -3.0, 1.0]


def test_tensor_is_one_object_or_shares_memory():
    """Row 43: two wrappers of one array are of the same memory."""
    x = fastnp.zeros(3)
    assert x.tensor.data_ptr() == x.tensor.data_ptr()
    x.tensor[0] = 4
    assert x[0] == 4


def test_gradient_graph_keeps_its_operands():
    """D2 and row 110: what autograd saved is not recycled when the array goes."""
    t = torch.full((3,), 2.0, dtype=torch.float64, requires_grad=True)
    y = fastnp.asarray(t) * (fastnp.full(3, 5.0) + 1)
    for _ in range(100):
        fastnp.full(3, 9.0) + 1
    y.sum().tensor.backward()
    assert t.grad.tolist() == [6.0, 6.0, 6.0]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16", "?"])
def test_memory_is_aligned(dtype):
    """Row 34: 64 bytes, over 10,000 sizes in all."""
    for size in range(1, 1700):
        assert fastnp.empty(size, dtype=dtype).__array_interface__["data"][0] % 64 == 0


def test_zeros_of_recycled_memory_are_zero():
    for shape in SIZES:
        for dtype in DTYPES:
            x = fastnp.full(shape, 7).astype(dtype)
            del x
            y = fastnp.zeros(shape, dtype=dtype)
            assert not numpy.asarray(y).any()
            del y
            assert not numpy.asarray(fastnp.zeros_like(fastnp.full(shape, 1, dtype=dtype))).any()


def test_recycled_header_has_no_memory_of_its_past():
    """Flags, base and shape of a new array are its own."""
    for _ in range(50):
        x = fastnp.arange(4.0) + 0
        x.flags.writeable = False
        x.shape = (2, 2)
        view = x[::-1]
        del x, view
        y = fastnp.arange(4.0) + 0
        assert y.flags.writeable
        assert y.base is None
        assert y.shape == (4,)
        assert y.strides == (8,)
        assert repr(y) == repr(numpy.arange(4.0))
        del y


def filled_with(size):
    """Let blocks of one size wait, as many as the limit allows; return what waits then."""
    fastnp.clear_memory()
    blocks = [fastnp.empty(size) for _ in range(5)]
    del blocks
    return fastnp.memory_counts()


@pytest.mark.parametrize("singles", range(4))
def test_views_that_take_their_owners_with_them(singles):
    """A dying view and its owner each leave a header behind, of which only so many are kept."""
    arrays = [fastnp.arange(3)[1:] for _ in range(600)] + [fastnp.arange(3) for _ in range(singles)]
    del arrays
    arrays = [fastnp.arange(3)[1:] + number for number in range(1000)]
    assert [int(array[1]) for array in arrays] == list(range(2, 1002))


def test_blocks_that_nobody_asks_for_make_room():
    """What waits is of the sizes that are in use, not of those that once were."""
    before = filled_with(8_000_000)
    assert before["cached_bytes"] > before["limit"] - 8 * 8_000_000
    for _ in range(3):
        fastnp.empty(200_000)
    after = fastnp.memory_counts()
    assert 0 < after["cached_bytes"] < before["cached_bytes"]
    assert after["cached_blocks"] == before["cached_blocks"]
    fastnp.clear_memory()


def test_blocks_that_tensors_gave_back_make_room():
    """A storage may die in any thread: its block waits in a list of its own, and is no less in the way."""
    fastnp.clear_memory()
    arrays = [fastnp.empty(1_000_000) for _ in range(fastnp.memory_counts()["limit"] // 8_000_000 + 1)]
    tensors = [x.tensor for x in arrays]
    del arrays, tensors
    before = fastnp.memory_counts()
    assert before["cached_bytes"] > before["limit"] - 9 * 1_000_000
    for _ in range(3):
        kept = [fastnp.empty(200_000) for _ in range(50)]
        del kept
    assert fastnp.memory_counts()["cached_blocks"] >= 50
    fastnp.clear_memory()


def test_large_blocks_begin_apart():
    """Where a huge page is taken, at one of several distances from its start; all of a block can be written."""
    fastnp.clear_memory()
    arrays = [fastnp.full(1_000_000, float(number)) for number in range(9)]
    begins = [x.__array_interface__["data"][0] % (1 << 21) for x in arrays]
    assert len(set(begins[:8])) == 8
    assert all((x == number).all() for number, x in enumerate(arrays))
    del arrays
    assert fastnp.memory_counts()["cached_blocks"] >= 9
    fastnp.clear_memory()


def test_blocks_that_are_in_use_do_not_make_room():
    """Sizes that take turns and do not fit together: the one that waits goes on waiting."""
    fastnp.clear_memory()
    large = fastnp.memory_counts()["limit"] * 3 // 4 // 8
    waiting = []
    for _ in range(4):
        fastnp.empty(large)
        fastnp.empty(large // 2)
        waiting.append(fastnp.memory_counts()["cached_bytes"])
    assert len(set(waiting)) == 1
    fastnp.clear_memory()


@pytest.mark.parametrize("size", [1_000_000, 100_000_000 // 8])
def test_zeros_where_a_large_block_waits(size):
    """The block that waits, or one that is up to twice as large, is cleared; above 32 MiB fresh pages are taken."""
    for waiting in (size, size * 3 // 2):
        fastnp.clear_memory()
        x = fastnp.full(waiting, 7.0)
        place = x.__array_interface__["data"][0]
        del x
        y = fastnp.zeros(size)
        assert (y.__array_interface__["data"][0] == place) == (size <= 1 << 22)
        assert not numpy.asarray(y).any()
        del y
        fastnp.clear_memory()


def test_larger_blocks_that_wait_are_used():
    """A large array takes a block of up to twice its size and gives it back as what it is."""
    fastnp.clear_memory()
    x = fastnp.full(300_000, 7.0)
    place = x.__array_interface__["data"][0]
    before = x.nbytes
    del x
    y = fastnp.full(200_000, 1.0)
    assert y.__array_interface__["data"][0] == place
    assert float(y.tensor.sum()) == 200_000
    waiting = fastnp.memory_counts()["cached_bytes"]
    del y
    assert fastnp.memory_counts()["cached_bytes"] - waiting >= before
    x = fastnp.full(300_000, 3.0)
    assert x.__array_interface__["data"][0] == place
    z = fastnp.full(100_000, 1.0)
    assert z.__array_interface__["data"][0] != place
    fastnp.clear_memory()
