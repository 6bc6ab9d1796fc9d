"""Views, writes through them and their death: 10,000 random steps beside NumPy (rows 27, 28, 79 to 81)."""

import itertools
import random

import numpy
import pytest

import fastnp
from tests._oracle import Layout, Raised, agree, host, layout_of, run
from tests._tables import DTYPES, filled

STEPS = 200
PROGRAMS = 50
LIVE = 7


def slice_text(rng, size):
    """Spell one slice of an axis of this size, the step of either sign."""
    step = rng.choice(["", "", "2", "-1", "-1", "-2", "3"])
    bound = [""] * 3 + [str(k) for k in range(-size - 1, size + 2)]
    return f"{rng.choice(bound)}:{rng.choice(bound)}:{step}"


def index_text(rng, x):
    """Spell a basic index that keeps at least one axis."""
    items = [slice_text(rng, size) for size in x.shape]
    if x.ndim > 1 and rng.random() < 0.25:
        axis = rng.randrange(x.ndim)
        if x.shape[axis]:
            items[axis] = str(rng.randrange(-x.shape[axis], x.shape[axis]))
    if rng.random() < 0.1:
        items.insert(rng.randrange(len(items) + 1), "None")
    if rng.random() < 0.2:
        items = [*items[: rng.randrange(len(items) + 1)], "..."]
    return ", ".join(items)


def factors(rng, size):
    """Split a number of elements into the sizes of a shape."""
    shape = []
    for divisor in (2, 3, 4, 5):
        if size and size % divisor == 0 and rng.random() < 0.6:
            shape.append(divisor)
            size //= divisor
    shape.append(size)
    rng.shuffle(shape)
    return tuple(shape)


def creation(rng, name):
    shape = rng.choice([(6,), (12,), (4, 6), (2, 3, 4), (3, 1, 5), (0, 3), (5, 4), (1,)])
    size = int(numpy.prod(shape))
    dtype = rng.choice(["f8", "f8", "i8", "f4", "i2", "c16", "?"])
    order = rng.choice("CF")
    return f"{name} = np.array(np.arange({size}).reshape({shape}), dtype='{dtype}', order='{order}')"


def view(rng, name, source, x):
    """Spell a statement that makes a view (or, where NumPy copies, a copy) of one array."""
    kind = rng.randrange(13)
    if kind < 5:
        return f"{name} = {source}[{index_text(rng, x)}]"
    if kind == 5:
        return f"{name} = {source}.T"
    if kind == 6:
        axis = rng.choice([None, *range(x.ndim)])
        return f"{name} = np.flip({source}, {axis})"
    if kind == 7:
        return f"{name} = {source}.reshape({factors(rng, x.size)})"
    if kind == 8:
        return f"{name} = {source}.swapaxes({rng.randrange(x.ndim)}, {rng.randrange(x.ndim)})"
    if kind == 9:
        return f"{name} = {source}.{rng.choice(['ravel()', 'view()', 'squeeze()', 'copy()', 'real', 'imag', 'mT'])}"
    if kind == 10:
        return f"{name} = np.broadcast_to({source}, {(2, *x.shape)})"
    if kind == 11:
        return f"{name} = {source}.diagonal()" if x.ndim > 1 else f"{name} = {source}[::-1]"
    return f"{name} = {source}.view('{rng.choice(['i1', 'u1', 'f8', 'i4', 'c8'])}')"


def write(rng, name, x, other, y):
    """Spell a statement that changes one array, from a constant, from itself or from another array."""
    kind = rng.randrange(12)
    if kind == 0:
        return f"{name}[{index_text(rng, x)}] = {rng.randrange(100)}"
    if kind == 1:
        return f"{name}[...] = {other}"
    if kind == 2:
        return f"{name}[::-1] = {name}"
    if kind == 3:
        return f"{name} {rng.choice(['+=', '-=', '*='])} {rng.randrange(1, 4)}"
    if kind == 4:
        return f"{name} += {other}"
    if kind == 5:
        return f"np.add({name}, {rng.randrange(9)}, out={name}, casting='unsafe')"
    if kind == 6:
        return f"np.multiply({other}, 2, out={name}, casting='unsafe')"
    if kind == 7:
        return f"np.subtract({name}[::-1], 1, out={name}, casting='unsafe')"
    if kind == 8:
        return f"{name}.fill({rng.randrange(50)})"
    if kind == 9:
        return f"{name}.flat[{rng.randrange(max(x.size, 1))}] = {rng.randrange(50)}"
    if kind == 10:
        return f"{name}.setflags(write={rng.choice(['False', 'True'])})"
    return f"{name}[{name} > {rng.randrange(20)}] = {rng.randrange(9)}"


def statement(rng, names):
    """Spell the next step from what is alive on NumPy's side."""
    live = [name for name, value in names.items() if isinstance(value, numpy.ndarray)]
    free = next(f"v{k}" for k in range(LIVE + 1) if f"v{k}" not in live)
    if len(live) < 2:
        return creation(rng, free)
    if len(live) == LIVE:
        return f"del {rng.choice(live)}"
    draw, source, other = rng.random(), rng.choice(live), rng.choice(live)
    if draw < 0.06:
        return creation(rng, free)
    if draw < 0.10:
        return f"del {source}"
    x = names[source]
    if x.ndim and draw < 0.60:
        return view(rng, free, source, x)
    if x.ndim:
        return write(rng, source, x, other, names[other])
    return f"del {source}"


def execute(source, names):
    """Run one statement; the type of what it raises, or None."""
    end, _ = run(lambda xp: exec(source, names), names["np"])
    return end.kind if isinstance(end, Raised) else None


def differences(expected, actual):
    """Say in what the live arrays of the two sides differ; an empty list if in nothing."""
    found = []
    live = [name for name, value in expected.items() if isinstance(value, numpy.ndarray)]
    for name in live:
        x, y = expected[name], actual[name]
        seen = host(y)
        if (x.dtype, x.shape) != (y.dtype, y.shape) or (x.dtype, x.shape) != (seen.dtype, seen.shape):
            found.append(f"{name}: {x.dtype}{x.shape}, ours {y.dtype}{y.shape}, exported {seen.dtype}{seen.shape}")
        elif x.tobytes() != seen.tobytes():
            found.append(f"{name}: {x!r}, ours {seen!r}")
        if layout_of(x) != layout_of(y):
            found.append(f"{name}: (C, F, strides) {layout_of(x)}, ours {layout_of(y)}")
        if x.flags.writeable != y.flags.writeable:
            found.append(f"{name}: writeable {x.flags.writeable}, ours {y.flags.writeable}")
        if (x.base is None) != (y.base is None):
            found.append(f"{name}: base is {type(x.base)}, ours {type(y.base)}")
    for k, name in enumerate(live):
        for other in live[:k]:
            shared = numpy.may_share_memory(expected[name], expected[other])
            if shared != fastnp.may_share_memory(actual[name], actual[other]):
                found.append(f"{name}, {other}: memory shared: {shared}")
    return found


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_program_over_views_equals_numpy(seed):
    """Rows 79 to 81: after each step all live arrays, their flags, strides, base and sharing are NumPy's."""
    rng = random.Random(seed)
    expected, actual, program = {"np": numpy}, {"np": fastnp}, []
    for _ in range(STEPS):
        source = statement(rng, expected)
        program.append(source)
        want, got = execute(source, expected), execute(source, actual)
        found = [] if want is got else [f"got {got}, NumPy {want}"]
        found += differences(expected, actual)
        assert not found, "\n".join([*found, *program])


def test_row_outlives_its_parent():
    """Row 28, seed 001: `r = x[0]; del x`, the row can still be read, and the storage has one owner."""
    x = fastnp.arange(12.0).reshape(3, 4)
    storage = x.tensor.untyped_storage().data_ptr()
    row = x[1]
    del x
    assert row.tolist() == [4.0, 5.0, 6.0, 7.0]
    assert row.tensor.untyped_storage().data_ptr() == storage


def test_simple_tensor_of_seed_001():
    """Seed 001: `r = rand(3, 4)[0] + rand(3, 4)`, the names of the timeline deleted one by one."""
    _t1 = fastnp.asarray(numpy.arange(12.0).reshape(3, 4))
    _t2 = _t1.__getitem__(0)
    del _t1
    _t3 = fastnp.asarray(numpy.ones((3, 4)))
    r = _t2.__add__(_t3)
    del _t2
    del _t3
    assert r.tolist() == (numpy.arange(12.0).reshape(3, 4)[0] + numpy.ones((3, 4))).tolist()


def test_view_writes_both_ways():
    """Row 27: a write through the view is seen by the parent, and the other way round."""
    x = fastnp.arange(10)
    y = x[2:8]
    y[0] = 99
    x[3] = 77
    assert (x[2], y[1]) == (99, 77)
    assert y.base is x
    assert fastnp.shares_memory(x, y)


def test_negative_step_is_a_writable_view():
    """Row 79: `y = x[::-1]; y[0] = 9` changes the last element of x."""
    x = fastnp.arange(5)
    y = x[::-1]
    y[0] = 9
    assert x.tolist() == [0, 1, 2, 3, 9]
    assert y.flags.writeable
    assert y.base is x
    assert y.strides == (-8,)


def test_base_collapses_to_the_owner():
    """Row 81: the base of a view of a view is the array that owns the memory."""
    x = fastnp.arange(24)
    assert x.base is None
    y = x.reshape(4, 6)[::2].T[1:]
    assert y.base is x
    assert x[::-1][::-1].base is x


def test_in_place_operator_on_overlapping_views():
    """Row 78: `x[1:] += x[:-1]` reads the old values, as NumPy does."""
    for xp_steps in (
        "x[1:] += x[:-1]",
        "x[:-1] += x[1:]",
        "x[::-1] -= x",
        "x += x[::-1]",
        "x[:] = x[::-1]",
        "x[2:] = x[:-2]",
    ):
        wanted, got = {"x": numpy.arange(20.0)}, {"x": fastnp.arange(20.0)}
        exec(xp_steps, wanted)
        exec(xp_steps, got)
        assert got["x"].tolist() == wanted["x"].tolist(), xp_steps


@pytest.mark.parametrize("dtype", DTYPES)
def test_view_as_another_dtype(dtype):
    layouts = [
        Layout(filled((2, 4), dtype)),
        Layout(filled((4,), dtype)),
        Layout(filled((4, 4), dtype), (slice(None, None, 2),)),
        Layout(filled((4, 4), dtype), (slice(None, None, -1),)),
        Layout(filled((4, 4), dtype), (slice(None), slice(None, None, -1))),
        Layout(filled((4, 4), dtype), (slice(None), slice(None, None, 2))),
        Layout(filled((2, 4), dtype), axes=(1, 0)),
        Layout(filled((3, 1), dtype)),
        Layout(filled((0, 4), dtype)),
        Layout(filled((48,), dtype), (slice(16, None),)),
        Layout(filled((36,), dtype), (slice(2, 34),)),
        Layout(filled((4, 48), dtype), (slice(None, None, -1), slice(16, 32))),
        Layout(filled((4, 48), dtype), (slice(None, None, 2), slice(32, None))),
        Layout(filled((2, 3, 16), dtype), axes=(1, 0, 2)),
        Layout(filled((), dtype)),
    ]
    for layout in layouts:
        for other in ("u1", "i2", "f4", "i8", "c16", "?"):
            agree(lambda xp, x, other=other: x.view(other), layout)


@pytest.mark.parametrize("first", [0, 16, 32])
@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
def test_a_view_as_larger_elements_writes_through(dtype, first):
    def body(xp, x):
        part = x[::-1, first : first + 16]
        view = part.view("c16")
        view[0, 0] = 1 + 2j
        return x, view, view.base is x, view.flags.owndata, view[:, 1:].view(dtype), view.tolist()

    agree(body, filled((3, 48), dtype))


def test_a_view_as_larger_elements_is_torchs_to_compute_with():
    x = fastnp.arange(24, dtype="i4").reshape(2, 12)
    view = x[:, 2:10].view("i8")
    assert (view.tensor + 1).tolist() == (view + 1).tolist()
    assert view.tensor.data_ptr() == x.tensor.data_ptr() + 8


@pytest.mark.parametrize("shape", [(4, 4, 3), (3, 5, 2), (1, 4, 1), (4, 0, 2), (2, 3, 2, 2)])
def test_diagonals_and_matrices_turned_of_more_axes(shape):
    for steps in itertools.product((1, -1), repeat=3):
        for axes in (tuple(range(len(shape))), tuple(range(len(shape)))[::-1]):
            for offset in range(-5, 6):

                def body(xp, x, offset=offset):
                    found = x.diagonal(offset)
                    return (found, found.base is x, found.flags.writeable, xp.diagonal(x, offset, 1, 2), x.mT,
                            x.mT.base is x)

                agree(body, Layout(filled(shape, "f8"), tuple(slice(None, None, step) for step in steps), axes=axes))


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (1, 4), (4, 1), (0, 3)])
def test_diagonals_of_axes_that_run_either_way(shape):
    for down, right, axes in itertools.product((1, -1, 2, -2), (1, -1, 2, -2), ((0, 1), (1, 0))):
        for offset in range(-6, 7):

            def body(xp, x, offset=offset):
                found = x.diagonal(offset)
                return found, found.base is x, found.flags.writeable, xp.diagonal(x, offset)

            layout = Layout(filled(shape, "f8"), (slice(None, None, down), slice(None, None, right)), axes=axes)
            agree(body, layout)


@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_a_view_as_smaller_elements_writes_through(dtype):
    def body(xp, x):
        view = x[::-1].view("u1")
        view[0] = 7
        return x, view.base is x, view.flags.owndata

    agree(body, filled((3, 4), dtype))
