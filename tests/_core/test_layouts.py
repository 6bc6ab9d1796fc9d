"""Operands that lie otherwise in memory than the loop goes: turned, reversed, apart; on both sides of each switch."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import Cells
from tests._tables import drawn

RNG = numpy.random.default_rng(11)
DTYPES = ["?", "u1", "i2", "f2", "i4", "f4", "i8", "f8", "F", "D"]
# Below and above the size from which operands are brought side by side, with lines shorter than it takes, and odd ends.
SHAPES = [(7, 9), (63, 64), (64, 64), (100, 131), (31, 500), (500, 31), (33, 700), (700, 33), (5, 40, 61),
          (40, 5, 61), (300, 301)]  # fmt: skip


def values(dtype, shape):
    return drawn(RNG, dtype, shape, low=1, scale=1)


def same(ours, theirs):
    ours = numpy.asarray(ours)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert ours.strides == theirs.strides or theirs.size <= 1
    assert ours.tobytes() == theirs.tobytes()


def turned(array):
    """The transposed array, whose shape is that of a fresh one."""
    return numpy.ascontiguousarray(array.T).T


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows, columns", [*itertools.product((1, 7, 8, 16, 33, 70), repeat=2), (300, 1000)])
def test_turned_copies(dtype, rows, columns):
    given = values(dtype, (rows, columns))
    array = fastnp.asarray(given)
    same(array.T.copy(), given.T.copy())
    same(array[::-1].T.copy(), given[::-1].T.copy())
    ours, theirs = fastnp.zeros((columns, rows), dtype), numpy.zeros((columns, rows), dtype)
    ours[...], theirs[...] = array.T, given.T
    same(ours, theirs)
    ours, theirs = fastnp.zeros((columns, rows), dtype), numpy.zeros((columns, rows), dtype)
    ours.T[...], theirs.T[...] = array, given
    same(ours, theirs)
    stack = values(dtype, (3, rows, columns))
    for axes in itertools.permutations(range(3)):
        same(fastnp.asarray(stack).transpose(axes).copy(), stack.transpose(axes).copy())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_elementwise_over_layouts(dtype, shape):
    first, second = values(dtype, shape), values(dtype, shape)
    ways = {
        "turned": turned,
        "reversed": lambda x: x[..., ::-1],
        "upside down": lambda x: x[::-1],
        "both": lambda x: turned(x)[..., ::-1],
        "apart": lambda x: numpy.repeat(x, 2, axis=-1)[..., ::2],
        "as it is": lambda x: x,
    }
    names = ["logical_and", "equal", "maximum"] + (["add", "multiply", "less"] if dtype != "?" else ["logical_xor"])
    for name, (left, right) in itertools.product(names, itertools.product(ways, repeat=2)):
        a, b = ways[left](first), ways[right](second)
        ours, theirs = getattr(fastnp, name)(fastnp.asarray(a), fastnp.asarray(b)), getattr(numpy, name)(a, b)
        if name == "multiply" and dtype in "FD":
            # NumPy's loop rounds otherwise where it has operands side by side.
            numpy.testing.assert_allclose(numpy.asarray(ours), theirs, 1e-5 if dtype == "F" else 1e-13)
        else:
            same(ours, theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(257, 2100), (2100, 257), (70, 9001)])
def test_columns_that_lie_across_more_than_the_nearer_caches(dtype, shape):
    first, second = values(dtype, shape), values(dtype, shape)
    same(fastnp.asarray(first) + fastnp.asarray(turned(second)), first + turned(second))
    same(fastnp.asarray(first) + fastnp.asarray(turned(second))[::-1], first + turned(second)[::-1])
    wider = "D" if numpy.dtype(dtype).kind == "c" else "f8"
    same(fastnp.asarray(turned(first)).astype(wider), turned(first).astype(wider))
    ours, theirs = fastnp.zeros(shape, "D"), numpy.zeros(shape, "D")
    ours[...], theirs[...] = fastnp.asarray(turned(first)), turned(first)
    same(ours, theirs)


@pytest.mark.parametrize("name", ["power", "exp", "sqrt", "floor_divide", "arctan2", "isfinite", "where"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_functions_over_layouts(name, dtype, shape):
    a, b, mask = turned(values(dtype, shape)), values(dtype, shape), turned(RNG.random(shape) < 0.5)
    given = (mask, a, b) if name == "where" else (a, b)[: getattr(numpy, name).nin]
    theirs = getattr(numpy, name)(*given)
    ours = numpy.asarray(getattr(fastnp, name)(*map(fastnp.asarray, given)))
    assert ours.strides == theirs.strides or theirs.size <= 1
    if theirs.dtype == bool:
        assert ours.tobytes() == theirs.tobytes()
    else:
        # NumPy: exp of float32 lies up to three units from the value.
        numpy.testing.assert_array_max_ulp(ours, theirs, 3)


@pytest.mark.parametrize("dtype", ["u1", "i4", "f8", "D"])
@pytest.mark.parametrize("shape", SHAPES)
def test_turned_results(dtype, shape):
    first, second = values(dtype, shape), values(dtype, shape)
    mask = RNG.random(shape) < 0.5
    found = []
    for module in (fastnp, numpy):
        a, b, m = (module.asarray(x.copy()) for x in (first, second, mask))
        out = module.zeros(shape[::-1], dtype).T
        module.add(a, b, out=out)
        module.multiply(a, b, out=out, where=m)
        into = module.asarray(turned(first).copy(order="K"))
        into += b
        into -= into[::-1]
        found += [out, into]
    same(found[0], found[2])
    same(found[1], found[3])


@pytest.mark.parametrize("size", [50, 64, 65, 100])
def test_a_matrix_combined_with_its_own_transpose(size):
    for dtype in ("u1", "i4", "f8"):
        ours, theirs = fastnp.asarray(values(dtype, (size, size))), None
        theirs = numpy.asarray(ours).copy()
        ours += ours.T
        theirs += theirs.T
        same(ours, theirs)
        fastnp.multiply(ours.T, 3, out=ours)
        numpy.multiply(theirs.T, 3, out=theirs)
        same(ours, theirs)


# --- casts ------------------------------------------------------------------------------------------------------------

SPECIAL = [0.0, -0.0, 1.5, -2.25, 65504.0, 65520.0, 1e30, 6e-8, 1e-9, numpy.inf, -numpy.inf, numpy.nan]


def cast(array, dtype):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = array.astype(dtype)
    return numpy.asarray(result), sorted(str(warning.message) for warning in seen)


@pytest.mark.parametrize("size", [1, 31, 32, 33, 255, 256, 257, 1000])
@pytest.mark.parametrize("source", ["?", "u1", "i4", "i8", "f2", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("target", ["f2", "f4", "f8", "i4", "F", "D"])
def test_casts_side_by_side_and_apart(source, target, size):
    given = values(source, 2 * size)
    if numpy.dtype(source).kind in "fc" and numpy.dtype(target).kind in "fc":
        with numpy.errstate(all="ignore"):
            given[: len(SPECIAL)] = numpy.array(SPECIAL, "f8").astype(given.real.dtype)[: 2 * size]
    for view in (slice(size), slice(None, None, 2), slice(None, None, -1)):
        theirs, their_warnings = cast(given[view], target)
        ours, our_warnings = cast(fastnp.asarray(given)[view], target)
        assert our_warnings == their_warnings
        # The sign of a NaN is the processor's.
        assert ours.dtype == theirs.dtype
        numpy.testing.assert_array_equal(ours, theirs)
        ours_negative, theirs_negative = (numpy.signbit(array.real) & (array == array) for array in (ours, theirs))
        numpy.testing.assert_array_equal(ours_negative, theirs_negative)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("value", [1, True, 2.0, 1.5])
@pytest.mark.parametrize("view", [slice(None), slice(None, None, 2), slice(None, None, -3), (slice(None), slice(3, 4))])
def test_one_value_of_another_dtype_goes_everywhere(dtype, value, view):
    shape = (50, 60) if isinstance(view, tuple) else 3000
    ours, theirs = fastnp.zeros(shape, dtype), numpy.zeros(shape, dtype)
    ours[view] = value
    theirs[view] = value
    same(ours, theirs)
    ours[view] = fastnp.full((1,), 3, "i8")
    theirs[view] = numpy.full((1,), 3, "i8")
    same(ours, theirs)


# --- taken, counted, repeated, joined ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", [slice(None), slice(None, None, -1), slice(None, None, 3)])
def test_taken_by_index(dtype, view):
    given = values(dtype, 3000)[view]
    array = fastnp.asarray(given)
    for low in (0, -len(given)):
        index = RNG.integers(low, len(given), 2000)
        same(array[index], given[index])
        same(array[fastnp.asarray(index)], given[index])
    for bad in (len(given), -len(given) - 1):
        index[1777] = bad
        with pytest.raises(IndexError):
            array[index]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("shape", [0, 1, 7, 8, 9, 1000, (3, 0), (1, 9), (40, 33), (4, 5, 17)])
def test_places_of_true_elements(shape, share):
    mask = RNG.random(shape) < share
    given = values("f8", shape)
    for ours, theirs in ((mask, mask), (mask[::-1], mask[::-1])):
        index = fastnp.asarray(ours)
        for found, wanted in zip(fastnp.nonzero(index), numpy.nonzero(theirs), strict=True):
            same(found, wanted)
        same(fastnp.asarray(given)[::-1][index], given[::-1][theirs])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("times", [0, 1, 2, 3, 4, 15, 16, 17, 300])
def test_repeated(dtype, times):
    given = values(dtype, (4, 5, 7))
    for axis in (None, 0, 1, 2):
        same(fastnp.repeat(fastnp.asarray(given), times, axis), numpy.repeat(given, times, axis))
    counts = RNG.integers(0, 20, 7)
    same(fastnp.repeat(fastnp.asarray(given), counts, 2), numpy.repeat(given, counts, 2))


@pytest.mark.parametrize("count", [63, 64, 65, 200])
def test_many_pieces_joined(count):
    for dtype in ("?", "i4", "D"):
        pieces = [values(dtype, (3, 4)) for _ in range(count)]
        lines = [values(dtype, length) for length in RNG.integers(0, 5, count)]
        arrays = [fastnp.asarray(piece) for piece in pieces]
        for axis in (0, 1, -1):
            same(fastnp.concatenate(arrays, axis), numpy.concatenate(pieces, axis))
        for axis in (0, 1, 2, -1):
            same(fastnp.stack(tuple(arrays), axis), numpy.stack(pieces, axis))
        same(fastnp.concatenate([fastnp.asarray(line) for line in lines]), numpy.concatenate(lines))
    same(fastnp.concatenate([*arrays, fastnp.ones((1, 4))]), numpy.concatenate([*pieces, numpy.ones((1, 4))]))
    same(fastnp.stack([fastnp.asarray(7)] * count), numpy.stack([numpy.asarray(7)] * count))
    for bad in ([*arrays, fastnp.ones((3, 5), "D")], [*arrays, fastnp.ones(3, "D")]):
        with pytest.raises(ValueError, match=r"must match|dimension"):
            fastnp.concatenate(bad)
        with pytest.raises(ValueError, match="same shape"):
            fastnp.stack(bad)
    with pytest.raises(numpy.exceptions.AxisError):
        fastnp.concatenate(arrays, 2)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("shape", [(3, 5), (40, 50), (15, 16), (16, 15), (1, 2000)])
def test_einsum_without_blas(dtype, shape):
    """Integers wrap as NumPy's do; an outer product is one product to each element."""
    a, b = (RNG.integers(-9, 100, shape).astype(dtype) for _ in range(2))
    row, column = b[0].copy(), b[:, 0].copy()
    cases = [("i,j->ij", column, row), ("ij,kl->ijkl", a[:3, :4].copy(), b[:2].copy())]
    cases += [("ij,j->i", a, row), ("ij,ij->i", a, b), ("ij,ij->", a, b), ("i,i->", row, row), ("ij,ij", a, b)]
    for text, *given in cases:
        ours = numpy.asarray(fastnp.einsum(text, *map(fastnp.asarray, given)))
        theirs = numpy.asarray(numpy.einsum(text, *given))
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        if dtype in ("f4", "f8") and text not in ("i,j->ij", "ij,kl->ijkl"):
            numpy.testing.assert_allclose(ours, theirs, 1e-5)
        else:
            assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "f4", "f8", "c16"])
@pytest.mark.parametrize("shape", [(3, 5), (40, 50), (2, 5000), (5000, 2), (4, 5, 20), (20, 17, 18), (0, 4, 9)])
def test_einsum_adds_up_products_of_rows(dtype, shape):
    """Of operands in C order, in Fortran's, backwards, with gaps, and two of these; of whole numbers, which any order
    adds up to the same."""
    a, b = ((RNG.integers(-9, 9, shape) * (1 + 1j if dtype == "c16" else 1)).astype(dtype) for _ in range(2))
    texts = ["ij,ij->j", "ij,ij->i", "ji,ji->i", "...i,...i", "i...,i..."] if a.ndim == 2 else [
        "ijk,ijk->jk", "ijk,ijk->k", "ijk,ijk->kj", "ijk,ijk->ij", "...i,...i", "i...,i...", "ijk,ikj->k", "ijk,ijk->j"]
    turns = [lambda x: x, lambda x: x.T, lambda x: x.swapaxes(0, -1).copy().swapaxes(0, -1),
             lambda x: x[::-1].copy()[::-1], lambda x: x.repeat(2, -1)[..., ::2],
             lambda x: x[..., ::-1].repeat(2, 0)[::2, ..., ::-1]]
    with Cells(layout=a.size > 0) as cells:
        for first, second in itertools.product(turns, turns):
            cells.same("vdot", lambda xp, x, y, *how: xp.vdot(how[0](x), how[1](y)), a, b, first, second)
        for text, first, second in itertools.product(texts, turns, turns):
            cells.same(text, lambda xp, x, y, *how: xp.einsum(how[0], how[1](x), how[2](y)), a, b, text, first, second)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_transposed_assignments_begin_anywhere(dtype):
    """Wherever in a line of the cache the rows begin, and whatever is left over of the tiles that are moved at once."""
    values = (RNG.random((200, 150)) * 99).astype(dtype)
    for rows, columns in ((8, 8), (31, 33), (32, 64), (65, 17), (150, 140), (9, 200)):
        for offset in range(3):
            theirs, ours = numpy.zeros((rows, columns + 5), dtype), fastnp.zeros((rows, columns + 5), dtype)
            theirs[:, offset:offset + columns] = values[:columns, :rows].T
            ours[:, offset:offset + columns] = fastnp.asarray(values)[:columns, :rows].T
            same(ours, theirs)


VIEWS = {
    "in order": lambda x: x, "of one": lambda x: x[:, None][::2], "turned": lambda x: x.T,
    "backwards": lambda x: x[::-1], "every second": lambda x: x[..., ::2],
    "every second row": lambda x: x[::2], "columns backwards": lambda x: x[..., ::-1],
    "swapped": lambda x: x.swapaxes(0, -2),
}


def changed(array, *changes):
    """Return what changes leave of copies of an array that lie as it does, and what they raise."""
    found = []
    for change in changes:
        given = array.copy("K")
        try:
            change(given)
        except (IndexError, OverflowError, TypeError) as error:
            found.append(type(error).__name__)
        found.append(given)
    return found


def x_of(array):
    """Return as many numbers, of another order."""
    return array.ravel()[::-1].reshape(array.shape)


CALLS = {
    "reduceat": lambda xp, a: [xp.add.reduceat(a, [0, 2, 1], axis) for axis in range(-a.ndim, a.ndim)],
    "extrema": lambda xp, a: [xp.maximum.reduceat(a, xp.array([1, 1]), axis) for axis in range(a.ndim)],
    "triangles": lambda xp, a: [function(a, k) for function in (xp.tril, xp.triu) for k in (-70, -1, 0, 2, 70)],
    "isin": lambda xp, a: [xp.isin(a, [1, 2]), xp.isin(a, a.ravel()[:3], invert=True), xp.setdiff1d(a, [1, 2])],
    "logaddexp": lambda xp, a: [xp.logaddexp(a, a), xp.logaddexp2(a, a), xp.logaddexp(a, a + 0)],
    "sum": lambda xp, a: [a.sum(axis, dtype) for axis in (None, 0, -1) for dtype in ("f8", "i8", "c16")],
    "nonzero": lambda xp, a: [xp.nonzero(a), xp.flatnonzero(a), xp.nonzero(a > 3), xp.count_nonzero(a)],
    "copies": lambda xp, a: [a.copy("F"), a.copy(), a.ravel("F"), a.ravel(), xp.asfortranarray(a)],
    "casts": lambda xp, a: [a.astype(dtype) for dtype in DTYPES],
    "einsum": lambda xp, a: [xp.einsum("...->...", a), xp.einsum("i...->...i", a)],
    "append": lambda xp, a: [xp.append(a, a), xp.insert(a, 1, 0), xp.delete(a, 2), xp.resize(a, (3, 5))],
    "masks": lambda xp, a: [a[a > 3], a[xp.asfortranarray(a > 3)], a[(a > 3)[::-1]], *changed(
        a, lambda x: x.__setitem__(x > 3, 2), lambda x: x.__setitem__(x > 3, x[x > 3][::-1].copy()))],
    "at": lambda xp, a: changed(a, *(lambda x, f=f, i=i: f.at(x, xp.array(i), 1) for f in (xp.maximum, xp.logical_or)
                                     for i in ([0, -1, 1, 1], [[0, 1]], [len(a)]))) if a.dtype != "?" else [],
    "choose": lambda xp, a: [xp.choose((a > 3).astype(int), (a, a[::-1])), xp.choose((a > 3) * 1, [a, a], mode="clip")],
    "putmask": lambda xp, a: changed(a, *(
        lambda x, v=v: xp.putmask(x, x > 3, v) for v in (1, -1, 2.5, 300, True, 1e39, 10**30, x_of(a)))),
    "lines": lambda xp, a: changed(a, lambda x: x.reshape(-1).__setitem__(0, 2), lambda x: x.ravel().__setitem__(1, 2)),
    "lexsort": lambda xp, a: [xp.lexsort((a, a[..., ::-1])), xp.lexsort([a, a], a.ndim - 1), xp.lexsort((a, a), 0)],
    "narrow sums": lambda xp, a: [a.sum(axis, a.dtype) for axis in (0, -1) if a.dtype.kind in "iu"],
    "products": lambda xp, a: [
        function(a % 2 // 1, a % 2 // 1)
        for function in (xp.vdot, lambda x, y: xp.inner(x.ravel()[:9], y.ravel()[:9]),
                         lambda x, y: xp.dot(x, y.swapaxes(-1, -2)[..., :5]))],
    "positive": lambda xp, a: xp.array_equal(a, a) or +a,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_calls_of_views(dtype, call):
    """Short lines and long ones, few elements and so many that another way is taken."""
    with Cells(layout=True, warns=True) as cells:
        for shape in [(6, 6), (40, 25), (400, 26), (100, 100), (5, 7, 6), (21, 20, 25)]:
            given = values(dtype, shape)
            for name, view in VIEWS.items():
                cells.same(f"{shape} {name}", lambda xp, a, view=view: CALLS[call](xp, view(a)), given)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_integers_that_doubles_may_not_hold_are_no_members(more):
    """2**53 + 1 is 2**53 as a double: NumPy makes either operand a set before both are of one dtype."""
    with Cells() as cells:
        for dtype, sign in [("i8", 1), ("i8", -1), ("u8", 1)]:
            numbers = numpy.array([sign * (2**53 + more), 3, 3], dtype)
            near = numpy.array([sign * 2.0**53, 3.0, 0.5, sign * (2.0**53 + 2)])
            for name in ("isin", "intersect1d", "union1d", "setdiff1d", "setxor1d"):
                cells.same(f"{dtype} {name}", lambda xp, x, y, name=name: getattr(xp, name)(x, y), numbers, near)
                cells.same(f"{name} {dtype}", lambda xp, x, y, name=name: getattr(xp, name)(x, y), near, numbers)


def test_what_is_joined_and_reduced_by_slices_lies_as_numpys_does():
    """The axes in any order, those of two arrays in two orders, and axes of one element, which have none."""
    with Cells() as cells:
        for shape in [(2, 3), (3, 1, 4), (2, 3, 4), (2, 3, 1, 4)]:
            other = numpy.asfortranarray(numpy.arange(numpy.prod(shape), dtype="f4").reshape(shape))
            for axes in itertools.permutations(range(len(shape))):
                turned = [shape[axis] for axis in axes]
                given = numpy.arange(numpy.prod(shape)).reshape(turned).transpose(numpy.argsort(axes))
                for axis in range(-len(shape), len(shape)):
                    cells.same(f"{shape} {axes} {axis}", lambda xp, a, b, axis=axis, last=shape[axis] - 1: [
                        xp.concatenate((a, a), axis), xp.concatenate((b, a), axis), xp.stack((a, b, a), axis),
                        xp.stack((a, a), axis), xp.add.reduceat(a, [0, last], axis)], given, other)
                cells.same(f"{shape} {axes}", lambda xp, a, b: [
                    xp.dstack((a, a)), xp.hstack((a, b)), xp.vstack((b, a)), xp.column_stack((a, a))], given, other)


# --- products of what lies otherwise ----------------------------------------------------------------------------------

WAYS = {
    "as it is": lambda x: x,
    "turned": lambda x: x.T,
    "backwards": lambda x: x[::-1],
    "every second": lambda x: x[:, ::2],
    "axes exchanged": lambda x: x.swapaxes(0, 1),
    "ends exchanged": lambda x: x.swapaxes(0, -1)[..., ::-1],
}


@pytest.mark.parametrize("dtype", [*DTYPES, "u8"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", [(4, 6), (2, 4, 5), (4, 1, 5), (3, 4, 2, 5), (3, 4, 1)])
def test_vectors_in_any_axis(dtype, way, shape):
    """`vecdot` reads vectors as they lie, and its results lie as NumPy's iterator has them."""
    given = WAYS[way](values(dtype, shape))
    other = numpy.ascontiguousarray(given[::-1])
    for axis in range(-len(shape), len(shape)):
        for left, right in ((given, given), (given, other)):
            with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
                theirs = numpy.asarray(numpy.vecdot(left, right, axis=axis))
                ours = numpy.asarray(fastnp.vecdot(fastnp.asarray(left), fastnp.asarray(right), axis=axis))
            assert ours.dtype == theirs.dtype
            assert ours.shape == theirs.shape
            assert ours.strides == theirs.strides or theirs.size <= 1
            numpy.testing.assert_allclose(ours, theirs, 1e-2 if dtype == "f2" else 1e-5)


@pytest.mark.parametrize("dtype", [*DTYPES, "u8"])
@pytest.mark.parametrize("number", [2, 0, 1.5, numpy.nan])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", [(4, 6), (2, 4, 5)])
def test_multiples_by_dot(dtype, number, way, shape):
    given = WAYS[way](values(dtype, shape))
    for calls in (lambda np, x: np.dot(x, number), lambda np, x: np.dot(number, x), lambda np, x: np.inner(x, number)):
        same(calls(fastnp, fastnp.asarray(given)), calls(numpy, given))


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("size", [100, 2047, 2048, 5000])
def test_products_of_complex_lines(dtype, size):
    given = values(dtype, 2 * size)
    for left, right in itertools.product((slice(size), slice(None, None, 2), slice(None, None, -2)), repeat=2):
        ours, theirs = fastnp.asarray(given), given
        numpy.testing.assert_allclose(fastnp.dot(ours[left], ours[right]), numpy.dot(theirs[left], theirs[right]), 1e-3)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "true_divide"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "D"])
@pytest.mark.parametrize("size", [3, 40, 3000])
def test_divided_by_nothing(name, dtype, size):
    """A divisor that is zero everywhere is NumPy's loop: what it gives, and what it warns of."""
    if dtype == "D" and name != "true_divide":
        pytest.skip("NumPy has no such loop")
    given = values(dtype, size)
    given[::3] = 0
    if size > 3:
        given[1::5] = numpy.nan
    found = []
    for np, array in ((fastnp, fastnp.asarray(given)), (numpy, given)):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            results = [getattr(np, name)(array, zero) for zero in (0, 0.0, -0.0)]
        found.append(([numpy.asarray(one) for one in results], [str(one.message) for one in seen]))
    assert found[0][1] == found[1][1]
    for ours, theirs in zip(found[0][0], found[1][0], strict=True):
        numpy.testing.assert_array_equal(ours, theirs)
        is_number = theirs == theirs
        numpy.testing.assert_array_equal(numpy.signbit(ours.real)[is_number], numpy.signbit(theirs.real)[is_number])
