"""Flags, and the promise that nothing writes to a read-only array (row 80)."""

import numpy
import pytest

import fastnp
from tests._oracle import Raised, run, same_as_numpy
from tests._tables import filled

NAMES = [
    "C_CONTIGUOUS",
    "F_CONTIGUOUS",
    "OWNDATA",
    "WRITEABLE",
    "ALIGNED",
    "WRITEBACKIFCOPY",
    "FORC",
    "FNC",
    "BEHAVED",
    "CARRAY",
    "FARRAY",
    "C",
    "F",
    "O",
    "W",
    "A",
    "X",
    "B",
    "CA",
    "FA",
    "CONTIGUOUS",
    "FORTRAN",
]
ATTRIBUTES = [
    "c_contiguous",
    "f_contiguous",
    "owndata",
    "writeable",
    "aligned",
    "writebackifcopy",
    "forc",
    "fnc",
    "behaved",
    "carray",
    "farray",
    "num",
]


@same_as_numpy
def test_flags_by_name_and_by_attribute(xp):
    x = xp.arange(24.0).reshape(2, 3, 4)
    views = x.T, x[::-1], x[:, 1], x[:, :, ::2], x[:1, :1], x[:0], xp.broadcast_to(x, (2, 2, 3, 4))
    parts = x, *views, xp.array(3.0)
    return [
        [[part.flags[name] for name in NAMES], [getattr(part.flags, name) for name in ATTRIBUTES]] for part in parts
    ]


@same_as_numpy
def test_flags_have_no_other_names(xp):
    return xp.zeros(3).flags["NONSENSE"]


@same_as_numpy
def test_flags_print_as_numpy(xp):
    x = xp.arange(6).reshape(2, 3)
    return repr(x.flags), str(x.T.flags), repr(xp.broadcast_to(x, (2, 2, 3)).flags)


@same_as_numpy
def test_flags_compare(xp):
    x = xp.arange(6).reshape(2, 3)
    return x.flags == x.copy().flags, x.flags == x.T.flags, x.flags != x.T.flags


@same_as_numpy
def test_writeable_can_be_cleared_and_set_by_the_owner(xp):
    x = xp.arange(4)
    x.flags.writeable = False
    before = x.flags.writeable, x[1:].flags.writeable
    x.setflags(write=True)
    x[0] = 9
    x.flags["WRITEABLE"] = False
    return before, x, x.flags["W"]


@same_as_numpy
def test_view_of_read_only_cannot_be_made_writeable(xp):
    x = xp.arange(4)
    x.setflags(write=False)
    x[1:].setflags(write=True)


@same_as_numpy
def test_view_taken_before_stays_writeable(xp):
    x = xp.arange(4)
    y = x[1:]
    x.flags.writeable = False
    y[0] = 7
    return x, y.flags.writeable


@same_as_numpy
def test_view_may_be_set_back_while_its_owner_is_writeable(xp):
    x = xp.arange(4)
    y = x[1:]
    y.flags.writeable = False
    y.setflags(write=True)
    y += 1
    return x


@same_as_numpy
def test_views_inherit_read_only(xp):
    x = xp.arange(12.0).reshape(3, 4)
    x.flags.writeable = False
    views = (
        x[0:1],
        x.T,
        x[::-1],
        x.reshape(4, 3),
        x.ravel(),
        x.view("i8"),
        x.real,
        x.swapaxes(0, 1),
        x[0, ...],
        x.diagonal(),
        x[None],
    )
    copies = x.copy(), x + 0, x[[0]], x.flatten(), x.astype("f4"), xp.array(x)
    return [part.flags.writeable for part in (*views, *copies)]


@same_as_numpy
def test_read_only_results_of_functions(xp):
    """Row 80: broadcast_to and diagonal give read-only views."""
    x = xp.arange(9.0).reshape(3, 3)
    broadcast = xp.broadcast_to(x, (2, 3, 3))
    return (
        broadcast.flags.writeable,
        xp.diagonal(x).flags.writeable,
        x.imag.flags.writeable,
        broadcast[0].flags.writeable,
    )


WRITES = [
    "x[0] = 1",
    "x[...] = 1",
    "x[::-1] = 1",
    "x[[0, 1]] = 1",
    "x[x > 1] = 1",
    "x[0, 0] = 1",
    "x += 1",
    "x -= 1",
    "x *= 2",
    "x /= 2",
    "x //= 2",
    "x %= 2",
    "x **= 2",
    "x @= np.eye(3)",
    "x.fill(0)",
    "x.sort()",
    "x.partition(1)",
    "x.put([0], 1)",
    "x.flat[0] = 1",
    "x.flat[[1, 2]] = 1",
    "x.flat = 1",
    "x.real = 1",
    "x.byteswap(inplace=True)",
    "x.itemset(0) if hasattr(x, 'itemset') else x.fill(1)",
    "np.copyto(x, 1)",
    "np.put(x, [0], 1)",
    "np.place(x, x > 0, 1)",
    "np.putmask(x, x > 0, 1)",
    "np.put_along_axis(x, np.array([[0]]), 1, axis=1)",
    "np.fill_diagonal(x, 1)",
    "np.add(x, 1, out=x)",
    "np.add(1, 1, x)",
    "np.add(x, 1, out=(x,))",
    "np.exp(x, out=x)",
    "np.divmod(x, 2, out=(x, None))",
    "np.add.at(x, [0], 1)",
    "np.negative.at(x, [0])",
    "np.add.reduce(np.ones((2, 3, 3)), out=x)",
    "np.add.accumulate(x, out=x)",
    "np.add.reduceat(x, [0, 1, 2], out=x)",
    "np.matmul(x, x, out=x)",
    "np.dot(x, np.eye(3), out=x)",
    "np.sum(np.ones((2, 3, 3)), axis=0, out=x)",
    "np.mean(np.ones((2, 3, 3)), axis=0, out=x)",
    "np.max(np.ones((2, 3, 3)), axis=0, out=x)",
    "np.cumsum(x, axis=0, out=x)",
    "np.clip(x, 0, 1, out=x)",
    "np.round(x, out=x)",
    "np.take(x, [0, 1, 2], axis=0, out=x)",
    "np.concatenate([x[:1], x[1:]], out=x)",
    "np.stack([x[0], x[1], x[2]], out=x)",
    "np.einsum('ij,jk', x, x, out=x)",
    "memoryview(x)[0, 0] = 1.0",
]


@pytest.mark.parametrize("kind", ["cleared", "view", "flipped", "broadcast"])
@pytest.mark.parametrize("line", WRITES)
def test_write_to_read_only_is_refused(line, kind):
    """Row 80: through every way to write there is; the values stay."""
    values = (filled((3, 3)) * 8 + 40).astype("f8")
    makers = {
        "cleared": lambda xp: xp.array(values),
        "view": lambda xp: frozen(xp.array(values))[:],
        "flipped": lambda xp: frozen(xp.array(values))[::-1, ::-1],
        "broadcast": lambda xp: xp.broadcast_to(xp.array(values[0]), (3, 3)),
    }

    def body(xp):
        x = makers[kind](xp)
        if kind == "cleared":
            frozen(x)
        kept.append(x)
        exec(line, {"np": xp, "x": x})

    def frozen(x):
        x.flags.writeable = False
        return x

    kept = []
    (want, _), (got, _) = run(body, numpy), run(body, fastnp)
    # NumPy's concatenate and stack write to a read-only out; ours refuse as everything else does.
    expected = want.kind if isinstance(want, Raised) else ValueError
    assert isinstance(got, Raised), f"written; NumPy {want}"
    assert got.kind is expected, f"got {got}, NumPy {want}"
    assert kept[-1].tolist() == makers[kind](numpy).tolist()


@same_as_numpy
def test_flags_object_follows_its_array(xp):
    x = xp.zeros(3)
    flags = x.flags
    x.flags.writeable = False
    return flags.writeable


@pytest.mark.parametrize("name", ["writeable", "aligned"])
def test_flags_of_nothing_set_nothing(name):
    kind = type(fastnp.ones(3).flags)
    with pytest.raises(ValueError, match="Cannot set flags on array scalars"):
        setattr(kind.__new__(kind), name, True)
