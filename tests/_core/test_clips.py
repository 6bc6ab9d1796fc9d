"""Numbers clipped between two arrays, or two numbers: NumPy's answer, to the last bit and the sign of a zero."""

import math
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import Cells
from tests._tables import DTYPES, drawn

RNG = numpy.random.default_rng(53)
SIZES = [1, 3, 4, 7, 8, 33, 1000, 5000]


def same(ours, theirs):
    ours = numpy.asarray(ours)
    assert ours.dtype == theirs.dtype
    numpy.testing.assert_array_equal(ours, theirs)
    if theirs.dtype.kind == "f":
        numbers = theirs == theirs
        numpy.testing.assert_array_equal(numpy.signbit(ours[numbers]), numpy.signbit(theirs[numbers]))


def three(dtype, size):
    """Return numbers and two bounds, with NaNs, infinities and zeros of either sign."""
    low = -20 if numpy.dtype(dtype).kind in "if" else 0
    values, least, most = drawn(RNG, dtype, size, low), drawn(RNG, dtype, size), drawn(RNG, dtype, size, 20)
    if numpy.dtype(dtype).kind == "f":
        values[::5] = least[::7] = most[::9] = numpy.nan
        values[1::11], values[2::13], least[2::13] = numpy.inf, -0.0, 0.0
        values[3::17], most[3::17], least[3::17] = 0.0, -0.0, -1.0
    return values, least, most


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("size", SIZES)
def test_between_arrays(size, dtype):
    theirs = three(dtype, size)
    ours = [fastnp.array(each) for each in theirs]
    one = slice(size // 2, size // 2 + 1)
    whole = slice(None)
    keys = [(whole, whole, whole), (whole, one, whole), (whole, whole, one), (whole, one, one),
            (slice(None, None, 2),) * 3, (slice(None, None, -1), whole, whole)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for key in keys:
            same(fastnp.clip(*(x[k] for x, k in zip(ours, key, strict=True))),
                 numpy.clip(*(x[k] for x, k in zip(theirs, key, strict=True))))
        for place in range(3):
            into, wanted = [x.copy() for x in ours], [x.copy() for x in theirs]
            same(fastnp.clip(*into, out=into[place]), numpy.clip(*wanted, out=wanted[place]))
        twice, both = fastnp.concatenate([ours[0], ours[0]]), numpy.concatenate([theirs[0], theirs[0]])
        fastnp.clip(twice[:size], *ours[1:], out=twice[1 : size + 1])
        numpy.clip(both[:size], *theirs[1:], out=both[1 : size + 1])
        same(twice, both)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("low, high", [(10.0, 50.0), (50.0, 10.0), (numpy.nan, 50.0), (10.0, numpy.nan), (0.0, -0.0),
                                       (-0.0, 0.0), (0.0, 5.0), (-5.0, -0.0), (-numpy.inf, numpy.inf)])
def test_between_numbers(low, high, size, dtype):
    values = three(dtype, size)[0]
    array = fastnp.array(values)
    for key in (slice(None), slice(None, None, 2), slice(None, None, -1)):
        same(fastnp.clip(array[key], low, high), numpy.clip(values[key], low, high))
    same(fastnp.clip(array, low, high, out=array), numpy.clip(values, low, high, out=values))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [0, 3, 1 << 17, (1 << 17) + 1])
def test_between_numbers_of_any_kind(size, dtype):
    """Numbers of Python's of a higher kind than the array's give their kind's dtype."""
    values = drawn(RNG, dtype, size)
    bounds = [(0, 1), (0.2, 0.8), (0, 2.5), (-1.5, 3), (5, 2), (0, 300), (-(2**40), 2**70), (math.nan, 1), (1, 2j),
              (None, None)]
    with Cells(warns=True) as cells:
        for low, high in bounds:
            cells.same(f"{low} {high}", lambda xp, x, low=low, high=high: x.clip(low, high), values)
            cells.same(f"function {low} {high}", lambda xp, x, low=low, high=high: xp.clip(x, low, high), values)
            for out in (dtype, "f8"):
                into = numpy.zeros(size, out)
                cells.same(
                    f"into {out} {low} {high}", lambda xp, x, into, low=low, high=high: xp.clip(x, low, high, out=into),
                    values, into)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f4", "c8"])
def test_between_a_number_and_an_array(dtype):
    """The arrays' dtypes say what a number is: with float32 among them it is that."""
    values = drawn(RNG, dtype, 5)
    with Cells() as cells:
        for other in DTYPES:
            for number in (0, 2, 0.2, 9.5):
                bound = drawn(RNG, other, 5)
                cells.same(f"{number} {other}", lambda xp, x, b, n=number: xp.clip(x, n, b), values, bound)
                cells.same(f"{other} {number}", lambda xp, x, b, n=number: x.clip(b, n), values, bound)
                cells.same(f"{other} of no axes", lambda xp, x, b, n=number: x.clip(n, b[0]), values, bound)
