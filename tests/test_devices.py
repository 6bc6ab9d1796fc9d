"""Arrays on another device: host data beside them follows, results stay there, wrong input changes nothing."""

import numpy
import pytest
import torch

import fastnp as np
from fastnp._promotion import by_limbs
from tests import other_device
from tests._oracle import host

DEVICE = other_device.name()


def there(values, dtype=None):
    return np.array(values, dtype, device=DEVICE)


def is_there(array):
    return array.tensor.device.type == DEVICE


# Of arrays a = [1.5, 2.5, 3.5] and i = [2, 0, 1].
FOLLOWING = {
    "number": lambda xp, a, i: a + 1,
    "list": lambda xp, a, i: a + [1, 2, 3],
    "list on the left": lambda xp, a, i: [1, 2, 3] - a,
    "nested list": lambda xp, a, i: xp.maximum(a, [[1, 2, 3], [4, 5, 6]]),
    "NumPy's array": lambda xp, a, i: a * numpy.array([1.0, 2.0, 3.0]),
    "NumPy's scalar": lambda xp, a, i: numpy.float64(2) * a,
    "comparison": lambda xp, a, i: a < [2, 2, 2],
    "where=": lambda xp, a, i: xp.add(a, a, out=a.copy(), where=[True, False, True]),
    "reduce where=": lambda xp, a, i: xp.sum(a, where=[True, False, True]),
    "outer": lambda xp, a, i: xp.multiply.outer(a, [1, 2]),
    "matmul": lambda xp, a, i: a @ [1.0, 2.0, 3.0],
    "concatenate": lambda xp, a, i: xp.concatenate([a, [9.0]]),
    "append": lambda xp, a, i: xp.append(a, 4),
    "where": lambda xp, a, i: xp.where([True, False, True], a, 0),
    "take": lambda xp, a, i: xp.take(a, [0, 2]),
    "take from a list": lambda xp, a, i: xp.take([10, 20, 30], i),
    "index": lambda xp, a, i: a[[2, 0]],
    "index of NumPy's": lambda xp, a, i: a[numpy.array([2, 0])],
    "mask": lambda xp, a, i: a[[True, False, True]],
    "average": lambda xp, a, i: xp.average(a, weights=[1, 2, 3]),
    "interp": lambda xp, a, i: xp.interp(a, [1, 2, 3], [10, 20, 30]),
    "searchsorted": lambda xp, a, i: xp.searchsorted(a, [2.0, 3.0]),
    "digitize": lambda xp, a, i: xp.digitize(a, [1, 2, 3]),
    "isin": lambda xp, a, i: xp.isin(i, [0, 1]),
    "polyval": lambda xp, a, i: xp.polyval([1, 0, 2], a),
    "histogram": lambda xp, a, i: xp.histogram(a, [1, 2, 3, 4])[0],
    "insert": lambda xp, a, i: xp.insert(a, 1, [7, 8]),
    "clip": lambda xp, a, i: xp.clip(a, [2, 2, 2], 3),
    "stack": lambda xp, a, i: xp.stack([a, [1, 2, 3]]),
    "array of arrays": lambda xp, a, i: xp.array([a, a]),
    "einsum": lambda xp, a, i: xp.einsum("i,i", a, [1.0, 2.0, 3.0]),
    "lexsort": lambda xp, a, i: xp.lexsort((i, [0, 0, 1])),
}


@pytest.mark.parametrize("name", FOLLOWING)
def test_host_data_follows_an_array(name):
    a, i = [1.5, 2.5, 3.5], [2, 0, 1]
    got = FOLLOWING[name](np, there(a), there(i))
    want = FOLLOWING[name](numpy, numpy.array(a), numpy.array(i))
    assert is_there(got)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    numpy.testing.assert_allclose(host(got), want)


def test_host_data_stays_where_it_is_after_the_call():
    there([1.0]) + [2.0]
    with pytest.raises(TypeError):
        there([1.0, 2.0]) + np.ones(2)
    assert np.asarray([1.0]).tensor.is_cpu


CHANGES = {
    "a += b": lambda xp, a: a.__iadd__(a),
    "a *= 2": lambda xp, a: a.__imul__(2),
    "a -= list": lambda xp, a: a.__isub__([1, 2, 3]),
    "a **= 2": lambda xp, a: a.__ipow__(2),
    "a %= 2": lambda xp, a: a.__imod__(2),
    "out": lambda xp, a: xp.add(a, 1, out=a),
    "out by position": lambda xp, a: xp.negative(a, a),
    "over itself": lambda xp, a: xp.add(a[1:], a[:-1], out=a[1:]),
    "out backwards": lambda xp, a: xp.exp(a, out=a[::-1]),
    "clip out": lambda xp, a: xp.clip(a, 1, 3, out=a),
    "sum out": lambda xp, a: xp.sum(a[None], axis=0, out=a),
    "sign out": lambda xp, a: xp.sign(a, out=a),
    "fill": lambda xp, a: a.fill(7),
    "number": lambda xp, a: a.__setitem__(slice(1, None), 0.5),
    "one": lambda xp, a: a.__setitem__(1, 0.5),
    "list": lambda xp, a: a.__setitem__(slice(1, None), [8, 9]),
    "index": lambda xp, a: a.__setitem__([2, 0], [8, 9]),
    "index, a number": lambda xp, a: a.__setitem__([2, 0], 8),
    "mask": lambda xp, a: a.__setitem__(a > 2, 0),
    "copyto": lambda xp, a: xp.copyto(a, [7, 8, 9]),
    "put": lambda xp, a: xp.put(a, [0, 2], [7, 8]),
    "add.at": lambda xp, a: xp.add.at(a, [0, 0, 2], 1.0),
    "shuffled": lambda xp, a: xp.random.default_rng(3).shuffle(a),
    "shuffled as before": lambda xp, a: xp.random.RandomState(3).shuffle(a),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_in_place(name):
    ours, theirs = there([1.5, 2.5, 3.5]), numpy.array([1.5, 2.5, 3.5])
    before = ours.tensor.data_ptr()
    CHANGES[name](np, ours)
    CHANGES[name](numpy, theirs)
    assert ours.tensor.data_ptr() == before
    numpy.testing.assert_allclose(host(ours), theirs)


WRONG = {
    "index": (lambda a: a[np.array([0, 3], device=DEVICE)], IndexError),
    "negative index": (lambda a: a[np.array([0, -4], device=DEVICE)], IndexError),
    "index of a list": (lambda a: a[[5]], IndexError),
    "assignment": (lambda a: a.__setitem__(np.array([0, 3], device=DEVICE), 1.0), IndexError),
    "assignment of values": (lambda a: a.__setitem__(there([0, 3]), there([1.0, 2.0])), IndexError),
    "take": (lambda a: np.take(a, there([0, 3])), IndexError),
    "extract": (lambda a: np.extract([False, False, False, True], a), IndexError),
    "cast": (lambda a: there([1, 2, 3]).__iadd__(0.5), TypeError),
    "shape": (lambda a: a + there([1.0, 2.0]), ValueError),
    "shape of out": (lambda a: np.add(a, a, out=there([0.0, 0.0])), ValueError),
    "array of the host": (lambda a: a + np.ones(3), TypeError),
    "tensor of the host": (lambda a: np.maximum(a, torch.ones(3)), TypeError),
    "NumPy alone": (lambda a: np.apply_along_axis(numpy.asarray, 0, a), TypeError),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_raises_and_changes_nothing(name):
    call, error = WRONG[name]
    a = there([1.5, 2.5, 3.5])
    with pytest.raises(error):
        call(a)
    numpy.testing.assert_array_equal(host(a), [1.5, 2.5, 3.5])


@pytest.fixture
def copies_to_the_host():
    np.set_transfer("allow")
    yield
    np.set_transfer("refuse")


@pytest.mark.usefixtures("copies_to_the_host")
def test_what_numpy_would_write_to_a_copy_is_an_error():
    a = there([3.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        numpy.asarray(a)[0] = 7


@pytest.mark.parametrize("shape", [(7,), (7, 3), (2, 7, 2)])
def test_streams_shuffle_as_numpy_does(shape):
    values = numpy.arange(numpy.prod(shape)).reshape(shape)
    axis = shape.index(7)
    got = np.random.default_rng(3).permutation(there(values), axis=axis)
    assert is_there(got)
    numpy.testing.assert_array_equal(host(got), numpy.random.default_rng(3).permutation(values, axis=axis))
    np.random.seed(3)
    numpy.testing.assert_array_equal(
        host(np.random.permutation(there(values))), numpy.random.RandomState(3).permutation(values))


def test_arrays_are_saved_from_a_device(tmp_path):
    a = there([[1.5, 2.5], [3.5, 4.5]]).T
    np.savez(tmp_path / "a.npz", a=a, b=[a, a])
    np.savetxt(tmp_path / "a.txt", a)
    a.tofile(tmp_path / "a.bin")
    saved = numpy.load(tmp_path / "a.npz")
    numpy.testing.assert_array_equal(saved["a"], host(a))
    numpy.testing.assert_array_equal(saved["b"], [host(a)] * 2)
    numpy.testing.assert_array_equal(numpy.loadtxt(tmp_path / "a.txt"), host(a))
    assert (tmp_path / "a.bin").read_bytes() == a.tobytes() == host(a).tobytes()


def test_numbers_are_read_and_arrays_are_not():
    a = there([1.5, 2.5])
    assert np.random.default_rng(1).normal(a[0]) == numpy.random.default_rng(1).normal(1.5)
    with pytest.raises(TypeError, match="is not copied to the host by itself"):
        np.random.default_rng(1).normal(a)


def test_gradients_pass():
    x = torch.ones(3, device=DEVICE, requires_grad=True)
    a = np.asarray(x)
    np.sum(np.sin(a * [1.0, 2.0, 3.0]) + a[[0, 0, 1]]).tensor.backward()
    expected = numpy.array([1, 2, 3]) * numpy.cos([1.0, 2.0, 3.0]) + [2, 1, 0]
    numpy.testing.assert_allclose(x.grad.cpu().numpy(), expected, rtol=1e-6)


def test_a_default_device_is_where_arrays_are_made():
    with torch.device(DEVICE):
        drawn = np.random.default_rng(1).random(3)
        made = np.zeros(3), np.arange(4), np.array([1, 2]), np.linspace(0, 1, 5), np.eye(2), drawn
    assert all(is_there(array) for array in made)
    numpy.testing.assert_array_equal(host(drawn), numpy.random.default_rng(1).random(3))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8"])
def test_products_of_integers_by_limbs(dtype, rng):
    info = numpy.iinfo(dtype)
    a, b = (rng.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in ((7, 90), (90, 5)))
    operands = torch.from_numpy(a), torch.from_numpy(b)
    limbs = by_limbs(lambda x, y: x @ y, *operands)
    numpy.testing.assert_array_equal(limbs.numpy().astype(dtype), a @ b)
    numpy.testing.assert_array_equal(by_limbs(torch.matmul, *operands).numpy().astype(dtype), a @ b)  # few are summed


def test_long_products_of_integers_by_limbs(rng):
    a, b = (rng.integers(-2**63, 2**63 - 1, 300_000, endpoint=True) for _ in range(2))
    assert by_limbs(torch.dot, torch.from_numpy(a), torch.from_numpy(b)).item() == a @ b


def test_sums_of_all_pairs_by_limbs(rng):
    # More products than elements: 9,000,000 in one sum of 3,000 and 3,000.
    a, b = (rng.integers(-2**63, 2**63 - 1, 3000, endpoint=True) for _ in range(2))
    total = by_limbs(lambda x, y: torch.einsum("i,j->", x, y), torch.from_numpy(a), torch.from_numpy(b))
    assert total.item() == numpy.einsum("i,j->", a, b)


def test_products_of_integers_there(rng):
    a, b = (rng.integers(-2**63, 2**63 - 1, (6, 6), endpoint=True) for _ in range(2))
    numpy.testing.assert_array_equal(host(there(a) @ there(b)), a @ b)
    numpy.testing.assert_array_equal(host(np.dot(there(a), there(b))), a @ b)
    numpy.testing.assert_array_equal(host(np.tensordot(there(a), there(b), 2)), numpy.tensordot(a, b, 2))


def drawn_key(rng, shape):
    """Return a key of index arrays, masks, slices, integers and an ellipsis, some out of bounds."""
    key, axis, picked = [], 0, rng.choice(["3", "2 2", "", "1"]).split()
    while axis < len(shape):
        kind = rng.choice(["whole", "index", "index", "mask", "integer", "ellipsis"])
        if kind == "whole":
            key.append(slice(None))
        elif kind == "index":
            key.append(rng.integers(-shape[axis], shape[axis] + (rng.random() < 0.03), tuple(map(int, picked))))
        elif kind == "mask":
            key.append(rng.random(shape[axis : axis + rng.integers(1, 3)]) < 0.5)
            axis += key[-1].ndim - 1
        elif kind == "integer":
            key.append(int(rng.integers(shape[axis])))
        elif not any(part is Ellipsis for part in key):
            key.append(Ellipsis)
            axis += rng.integers(0, len(shape) - axis) - 1
        axis += 1
        if rng.random() < 0.2:
            break
    return tuple(key)


def outcome(call):
    try:
        return call()
    except (IndexError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("seed", range(200))
def test_keys_pick_and_put_as_numpy_does(seed):
    rng = numpy.random.default_rng(seed)
    shape = tuple(rng.integers(2, 5, rng.integers(1, 5)))
    a = rng.integers(0, 100, shape).astype(rng.choice(["f8", "i8", "f4", "?", "c16"]))
    ours = there(a)
    if rng.random() < 0.4:
        a, ours = a.T, ours.T
    key = drawn_key(rng, a.shape)
    moved = tuple(there(part) if isinstance(part, numpy.ndarray) else part for part in key)
    for given in (moved, moved, key):  # the second time what is known of the indices is asked
        want, got = outcome(lambda: a[key]), outcome(lambda: ours[given])  # noqa: B023
        if isinstance(want, type):
            assert got is want
            continue
        assert is_there(got)
        assert got.dtype == want.dtype
        assert got.strides == want.strides or not want.size
        numpy.testing.assert_array_equal(host(got), want)
    # What is picked is one value wherever an index comes twice.
    for value, there_value in ((numpy.ones((), a.dtype), there(numpy.ones((), a.dtype))), (a[key], ours[moved])) if (
            not isinstance(want, type)) else ((1, 1),):
        written, changed = np.zeros_like(ours), numpy.zeros_like(a)
        want = outcome(lambda: changed.__setitem__(key, value))  # noqa: B023
        assert outcome(lambda: written.__setitem__(moved, there_value)) is want  # noqa: B023
        numpy.testing.assert_array_equal(host(written), changed)


WRITES = {
    "a number": lambda index: index.__setitem__(1, 9),
    "in place": lambda index: index.__iadd__(7),
    "fill": lambda index: index.fill(9),
    "out": lambda index: np.add(index, 7, out=index),
    "a view": lambda index: index[1:].fill(-9),
    "torch": lambda index: index.tensor.mul_(50),
    "a view of torch's": lambda index: index.tensor[1:].fill_(9),
}


@pytest.mark.parametrize("name", WRITES)
def test_indices_that_were_looked_at_are_looked_at_again_once_written(name):
    a, index = there([1.5, 2.5, 3.5]), there([2, 1, 0])
    for _ in range(2):
        numpy.testing.assert_array_equal(host(a[index]), [3.5, 2.5, 1.5])
    with pytest.raises(IndexError):
        there([1.5, 2.5])[index]
    WRITES[name](index)
    for use in (
        lambda: a[index], lambda: a.__setitem__(index, 0), lambda: np.take(a, index), lambda: np.add.at(a, index, 1),
    ):
        with pytest.raises(IndexError):
            use()
    numpy.testing.assert_array_equal(host(a), [1.5, 2.5, 3.5])


def test_indices_at_the_address_of_earlier_ones_are_looked_at(rng):
    a = there(numpy.arange(5.0))
    for _ in range(100):
        given = rng.integers(0, 7, 4)
        want = outcome(lambda: numpy.arange(5.0)[given])  # noqa: B023
        got = outcome(lambda: a[there(given)])  # noqa: B023
        assert got is want if isinstance(want, type) else (host(got) == want).all()


def test_what_falls_on_one_element_is_added_up(rng):
    for shape, index_shape in (((5,), (8,)), ((5, 3), (8,)), ((5,), (2, 4)), ((5, 3), (2, 2))):
        a, index = rng.integers(0, 9, shape).astype(float), rng.integers(-5, 5, index_shape)
        b, ours = rng.integers(0, 9, index_shape + shape[1:]).astype(float), there(a)
        for function in ("add", "subtract"):
            getattr(np, function).at(ours, there(index), there(b))
            getattr(numpy, function).at(a, index, b)
            numpy.testing.assert_array_equal(host(ours), a)


def test_a_write_of_a_view_to_itself_changes_nothing():
    a = there([1.5, 2.5, 3.5])
    a[1:] += there([1.0, 1.0])
    a[:2] = a[:2]
    a[::-1][:2] = a[:2][::-1]
    b = numpy.array([1.5, 3.5, 4.5])
    b[::-1][:2] = b[:2][::-1]
    numpy.testing.assert_array_equal(host(a), b)
