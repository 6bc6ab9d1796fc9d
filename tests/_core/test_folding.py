"""Rows folded into one, lines reduced many at once, running extrema: NumPy's answer, to the last bit."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same
from tests._tables import drawn

RNG = numpy.random.default_rng(41)
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "F", "D"]
# Rows on both sides of four and eight that are folded at once, lines on both sides of eight, of a leaf and of what is
# multiplied in lanes.
SHAPES = [(1, 40), (5, 7), (9, 33), (21, 21, 21), (3, 1, 9), (9, 17, 3), (2, 33, 5, 4), (17, 127), (17, 128), (17, 129),
          (9, 1500), (40, 1000), (6, 5, 300)]
VIEWS = [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[..., ::2]]


def values(dtype, shape):
    """Return an array with some NaNs where it can have them, and no zeros: of two, either may be the extremum."""
    found = drawn(RNG, dtype, shape)
    found[found == 0] = 1
    if numpy.dtype(dtype).kind == "f":
        found.reshape(-1)[::37] = numpy.nan
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@numpy.errstate(all="ignore")
def test_reductions_of_any_axes(shape, dtype):
    given = values(dtype, shape)
    array = fastnp.array(given)
    sets = [axes for count in range(1, len(shape) + 1) for axes in itertools.combinations(range(len(shape)), count)]
    for view, axes in itertools.product(VIEWS, sets):
        for name in ("sum", "prod", "max", "min"):
            if name == "prod" and array.size >= 1024 and array.dtype.kind == "c":  # many are multiplied in lanes
                numpy.testing.assert_allclose(fastnp.prod(view(array), axis=axes), numpy.prod(view(given), axis=axes),
                                              1e-3 if dtype == "F" else 1e-10)
                continue
            same(getattr(fastnp, name)(view(array), axis=axes, keepdims=True),
                 getattr(numpy, name)(view(given), axis=axes, keepdims=True))
        same(fastnp.add.reduce(view(array), axis=axes, initial=3), numpy.add.reduce(view(given), axis=axes, initial=3))
        truths = abs(view(given)) > 1
        same(fastnp.sum(view(array), axis=axes, where=fastnp.array(truths)),
             numpy.sum(view(given), axis=axes, where=truths))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
def test_results_are_written_where_they_are_wanted(dtype):
    given = values(dtype, (30, 20, 10))
    for axis, name in itertools.product(range(3), ("sum", "prod", "max")):
        shape = numpy.delete((30, 20, 10), axis)
        ours, theirs = fastnp.zeros((*shape, 2), dtype), numpy.zeros((*shape, 2), dtype)
        with numpy.errstate(all="ignore"):
            getattr(fastnp, name)(fastnp.array(given), axis=axis, out=ours[..., 1])
            getattr(numpy, name)(given, axis=axis, out=theirs[..., 1])
        same(ours, theirs)


@pytest.mark.parametrize("dtype", DTYPES[:-2])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_running_extrema(name, dtype):
    given = values(dtype, (50, 37))
    array = fastnp.array(given)
    for axis, view in itertools.product((0, 1), VIEWS):
        same(getattr(fastnp, name).accumulate(view(array), axis=axis),
             getattr(numpy, name).accumulate(view(given), axis=axis))
    same(getattr(fastnp, name).accumulate(array[:, 3]), getattr(numpy, name).accumulate(given[:, 3]))


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_running_truths_of_any_bytes(name):
    given = RNG.integers(0, 3, (50, 7)).astype("u1").view("?")
    for axis in (0, 1):
        same(getattr(fastnp, name).accumulate(fastnp.asarray(given), axis=axis),
             getattr(numpy, name).accumulate(given, axis=axis))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", [(100, 2), (300, 4), (5, 7), (9, 40), (40, 9), (8, 8, 8), (100, 1000)], ids=str)
def test_extrema_of_what_is_no_number_raise_no_flag(shape, dtype):
    array = fastnp.array(values(dtype, shape))
    with warnings.catch_warnings(), fastnp.errstate(all="raise"):
        warnings.simplefilter("error")
        for axis, function in itertools.product(range(len(shape)), (fastnp.maximum, fastnp.minimum)):
            function.reduce(array, axis=axis)
            function.accumulate(array, axis=axis)
