"""Operands whose lines are short, or one after the other the same: on both sides of where they are moved together."""

import itertools
import operator

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same
from tests._tables import drawn

RNG = numpy.random.default_rng(37)
DTYPES = ["?", "u1", "i2", "f2", "i4", "f4", "i8", "f8", "F", "D"]
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
# Innermost axes on both sides of 8, 16, 32 and 64 items, outer ones on both sides of what a buffer holds.
SHAPES = [(5, 3), (700, 2), (1100, 3), (400, 4), (90, 7), (90, 8), (90, 9), (60, 31), (60, 32), (40, 33), (40, 63),
          (40, 64), (3, 500), (22, 22, 22), (50, 6, 3), (6, 50, 3), (3, 4, 5, 6)]


def values(dtype, shape):
    return drawn(RNG, dtype, shape)


def broadcasts(shape):
    """Return keys that leave one or more axes of an array of a shape with one element."""
    return [tuple(slice(1) if axis in kept else slice(None) for axis in range(len(shape)))
            for count in (1, 2) for kept in itertools.combinations(range(len(shape)), count)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_broadcasts_over_short_lines(dtype, shape):
    given, into = values(dtype, shape), numpy.zeros(shape, "f8")
    array, ours = fastnp.array(given), fastnp.zeros(shape, "f8")
    for key in broadcasts(shape):
        # Products of single complex numbers are rounded otherwise at the end of a line than within.
        for call in (operator.add, operator.sub if dtype == "F" else operator.mul, operator.lt):
            same(call(array, array[key]), call(given, given[key]))
            same(call(array[key], array[..., ::-1]), call(given[key], given[..., ::-1]))
        other = "F" if dtype in "FD" else "f4"
        same(array + array[key].astype(other), given + given[key].astype(other))
        if numpy.can_cast(dtype, "f8"):
            numpy.add(given, given[key], out=into, dtype="f8")
            fastnp.add(array, array[key], out=ours, dtype="f8")
            same(ours, into)


@pytest.mark.parametrize("shape", SHAPES)
def test_results_into_short_lines_that_lie_apart(shape):
    given = values("f8", shape)
    array, mask = fastnp.array(given), given > 25
    key = (..., slice(None, None, 2))
    for other in broadcasts(shape):
        into = numpy.zeros((*shape[:-1], 2 * shape[-1]))
        ours = fastnp.zeros(into.shape)
        numpy.subtract(given, given[other], out=into[key])
        fastnp.subtract(array, array[other], out=ours[key])
        same(ours, into)
        numpy.add(given, given[other], out=into[key], where=mask)
        fastnp.add(array, array[other], out=ours[key], where=fastnp.array(mask))
        same(ours, into)
        into[key] *= given[other]
        ours[key] *= array[other]
        same(ours, into)
        for call in ("add", "maximum"):
            wanted = getattr(numpy, call).reduce(given * given[other], axis=-1)
            same(getattr(fastnp, call).reduce(array * array[other], axis=-1), wanted)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 22, 31, 33, 48, 200])
def test_copies_of_short_lines(dtype, length):
    given = values(dtype, (37, 6, 2 * length))
    array = fastnp.array(given)
    second = slice(None, None, 2)
    keys = [(..., slice(length)), (..., second), (second, second, second), (..., slice(None, length - 1 or None, -1)),
            (slice(None, None, -1), slice(4), slice(length)), (slice(None), 3, slice(length)),
            (slice(None), 3, slice(None, None, 3)), (slice(None), 2, 0), (3, slice(None), 1)]
    for key in keys:
        same(array[key].copy(), given[key].copy())
        wider = "D" if dtype in "FD" else "f8"
        same(array[key].astype(wider), given[key].astype(wider))
        into, ours = numpy.zeros_like(given), fastnp.zeros_like(array)
        into[key], ours[key] = given[key], array[key]
        same(ours, into)
        into[key], ours[key] = given[key][..., :1], array[key][..., :1]
        same(ours, into)
    for axes in itertools.permutations(range(3)):
        same(array[..., :length].transpose(axes).copy(), given[..., :length].transpose(axes).copy())


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_extrema_of_integers(name, dtype):
    limits = numpy.iinfo(dtype)
    ours, theirs = getattr(fastnp, name), getattr(numpy, name)
    for size in (1, 7, 8, 31, 32, 33, 63, 65, 100, 1000):
        first = RNG.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
        second = RNG.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
        a, b = fastnp.array(first), fastnp.array(second)
        same(ours(a, b), theirs(first, second))
        same(ours(a, b[:1]), theirs(first, second[:1]))
        same(ours(a[-1:], b), theirs(first[-1:], second))
        same(ours(a, b[::-1]), theirs(first, second[::-1]))
        same(ours(a, 5), theirs(first, 5))
        same(ours(a[:1], b[:1]), theirs(first[:1], second[:1]))
        for left, right, out in ((slice(None), slice(None), slice(None)), (slice(-1), slice(1, None), slice(1, None)),
                                 (slice(1, None), slice(-1), slice(-1)), (slice(None), slice(1), slice(None)),
                                 (slice(None), slice(-1, None), slice(None))):
            there, here = first.copy(), fastnp.array(first)
            theirs(there[left], second[right] if right == left else there[right], out=there[out])
            ours(here[left], b[right] if right == left else here[right], out=here[out])
            same(here, there)
    matrix = RNG.integers(limits.min, limits.max, (100, 100), dtype=dtype, endpoint=True)
    array = fastnp.array(matrix)
    for key in ((slice(1),), (slice(None), slice(1)), (slice(None, None, -1),), (slice(None), slice(None, None, -1))):
        same(ours(array, array[key]), theirs(matrix, matrix[key]))


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f4", "f8", "D"])
@pytest.mark.parametrize("shape", [(40, 30), (22, 22, 22), (30, 7, 3), (5, 30, 50), (4, 30, 1, 6)])
def test_indices_before_short_lines(dtype, shape):
    given = values(dtype, shape)
    array = fastnp.array(given)
    index = RNG.integers(-shape[1], shape[1], 70)
    ours = fastnp.array(index)
    same(array[:, ours], given[:, index])
    same(array[::2, ours], given[::2, index])
    same(array[::-1, ours][..., ::-1], given[::-1, index][..., ::-1])
    same(array[..., ::-1][:, ours], given[..., ::-1][:, index])
    new, taken = values(dtype, given[:, index].shape), numpy.unique(index % shape[1], return_index=True)[1]
    there, here = given.copy(), array.copy()
    there[:, index[taken]], here[:, ours[fastnp.array(taken)]] = new[:, taken], fastnp.array(new[:, taken])
    same(here, there)
    first = (0,) * len(shape)
    there[::2, index], here[::2, ours] = given[first], array[first]
    same(here, there)


# --- creation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_full_of_arrays(dtype):
    given = values(dtype, (4, 30))
    array = fastnp.array(given)
    for key in ((), (1,), (slice(None), slice(3)), (2, 3), (slice(1), slice(None)), (2, slice(None, None, -1))):
        for shape in ((4, 30), (5, 4, 30), (4, 3), (30,)):
            for target in (None, "f8", "D", "i4"):
                results = []
                for module, value in ((fastnp, array), (numpy, given)):
                    try:
                        with numpy.errstate(all="ignore"):
                            results.append(module.full(shape, value[key], target))
                    except (ValueError, numpy.exceptions.ComplexWarning) as error:
                        results.append((type(error), str(error)))
                if isinstance(results[1], tuple):
                    assert results[0] == results[1]
                else:
                    same(*results)
    same(fastnp.full((3, 30), array[0], order="F"), numpy.full((3, 30), given[0], order="F"))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("target", [None, "f4", "D"])
def test_array_in_an_order(order, target):
    given = values("f8", (9, 70))
    array = fastnp.array(given)
    for view in (lambda x: x, lambda x: x.T, lambda x: x[:, ::2], lambda x: x[3], lambda x: x[::-1]):
        same(fastnp.array(view(array), target, order=order), numpy.array(view(given), target, order=order))


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_indices_of_triangles(name):
    for n, m, k in itertools.product((1, 2, 5, 60), (None, 1, 3, 70), (-100, -3, -1, 0, 1, 4, 100)):
        ours, theirs = getattr(fastnp, name)(n, k, m), getattr(numpy, name)(n, k, m)
        for here, there in zip(ours, theirs, strict=True):
            same(here, there)


# --- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(40, 40), (50, 60), (300, 300), (14, 14, 14)])
def test_counts_of_arrays_that_lie_apart(dtype, shape):
    given = values(dtype, shape) * (RNG.random(shape) < 0.5)
    given = given.astype(dtype)
    array = fastnp.array(given)
    views = [lambda x: x.T, lambda x: x[::-1], lambda x: x[..., ::2], lambda x: x[..., :9], lambda x: x[:, 1]]
    views += [lambda x: x[::2], lambda x: x[::2, :9], lambda x: x[:0], lambda x: x[:, :0], lambda x: x[..., :0]]
    for view in views:
        assert fastnp.count_nonzero(view(array)) == numpy.count_nonzero(view(given))
    there, here = numpy.broadcast_to(given[0], shape), fastnp.broadcast_to(array[0], shape)
    assert fastnp.count_nonzero(here) == numpy.count_nonzero(there)


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9])
@pytest.mark.parametrize("lines", [100, 3000])
def test_positions_in_short_lines(dtype, length, lines):
    given = values(dtype, (lines, length))
    if given.dtype.kind == "f":
        given[RNG.random(given.shape) < 0.1] = numpy.nan
        given[::7] = 3
    array = fastnp.array(given)
    same(array.argmax(1), given.argmax(1))
    same(array.argmin(-1), given.argmin(-1))


def test_what_is_no_complex_number():
    for dtype in DTYPES:
        given = values(dtype, 9)
        array = fastnp.array(given)
        same(fastnp.real_if_close(array), numpy.real_if_close(given))
        assert fastnp.real_if_close(array) is array or given.dtype.kind == "c"
    for dtype in ("?", "u1", "i4"):
        given = values(dtype, (30, 4))
        array = fastnp.array(given)
        same(fastnp.nan_to_num(array), numpy.nan_to_num(given))
        same(fastnp.nan_to_num(array.T), numpy.nan_to_num(given.T))
        assert not fastnp.shares_memory(fastnp.nan_to_num(array), array)
        assert fastnp.nan_to_num(array, copy=False) is array


@pytest.mark.parametrize("dtype", [*INTEGERS, "f4", "f8", "F", "D"])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 15, 16, 17])
@pytest.mark.parametrize("stack", [3, 4, 500])
def test_stacks_of_short_products(dtype, length, stack):
    first, second = values(dtype, (stack, length)), values(dtype, (stack, length))
    ours = numpy.asarray(fastnp.einsum("ni,ni->n", fastnp.array(first), fastnp.array(second)))
    theirs = numpy.einsum("ni,ni->n", first, second)
    assert ours.dtype == theirs.dtype
    if first.dtype.kind in "iu":
        assert ours.tobytes() == theirs.tobytes()
    numpy.testing.assert_allclose(ours, theirs, rtol=2e-6 if dtype in ("f4", "F") else 1e-14)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1,), (1, 1), (1, 3), (3, 1), (1, 8, 2), (8, 1, 2), (4, 2, 1), (1, 0, 2), (1, 300, 3)])
def test_axes_of_one_element_read_backwards(dtype, shape):
    """Nothing lies the other way round, though NumPy's strides are negative."""
    given = values(dtype, shape)
    array, into = fastnp.array(given), numpy.zeros(shape, "D")
    for axes in range(1, 2 ** len(shape)):
        key = tuple(slice(None, None, -1 if axes >> axis & 1 else 1) for axis in range(len(shape)))
        backwards, theirs = array[key], given[key]
        assert backwards.strides == theirs.strides or not given.size
        for call in (
            lambda np, a: a + a, lambda np, a: np.maximum(a, a), lambda np, a: a < a, lambda np, a: a * 2,
            lambda np, a: 2 - (a + 1), lambda np, a: np.sqrt(abs(a)), lambda np, a: np.logical_not(a),
            lambda np, a: np.argsort(a, axis=0), lambda np, a: np.sort(a, kind="stable"), lambda np, a: np.argwhere(a),
            lambda np, a: np.stack(np.nonzero(a)), lambda np, a: np.argsort(a, kind="stable"),
            lambda np, a: a.copy("F"), lambda np, a: a.copy("K"), lambda np, a: a.T.copy("F"),
        ):
            same(call(fastnp, backwards), call(numpy, theirs))
        ours = fastnp.zeros(shape, "D")
        fastnp.add(backwards, 1, out=ours[key])
        numpy.add(theirs, 1, out=into[key])
        same(ours, into)
