"""Scalars beside complex numbers, None and truths: values, types and warnings of NumPy's (rows 67, 68)."""

import itertools
import math

import numpy
import pytest

from tests._oracle import Cells, agree
from tests._tables import DTYPES

NUMBERS = [0, 1, 2, 3, 100, -1, -3, 0.5, -0.0, math.nan, math.inf, 1e300, 1e-310, -2.5]
OF_COMPLEX = [0j, 1j, 3 + 0j, -2.5 + 0j, complex(math.nan, 0), complex(1, math.nan), complex(math.inf, 0)]


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if numpy.dtype(dtype) != "f8"])
def test_comparisons_with_complex_numbers_and_with_none(dtype):
    """Warnings of NaN as NumPy's; Python compares its complex numbers with float64 scalars, which are its floats."""
    with Cells(warns=True) as cells:
        for number, other, symbol in itertools.product(
                [*NUMBERS, *OF_COMPLEX], [*OF_COMPLEX, None], ["==", "!=", "<", "<=", ">", ">="]):
            with numpy.errstate(all="ignore"):
                array = numpy.array([number])
                array = (array if numpy.dtype(dtype).kind == "c" else array.real).astype(dtype)
            for order in (f"x {symbol} y", f"y {symbol} x"):
                cells.same(
                    f"{number} {other} {order}", lambda xp, a, e=order, y=other: eval(e, {"x": a[0], "y": y}), array
                )


@pytest.mark.parametrize("name", ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"])
def test_truths_with_an_integer(name):
    """Zero and one are truths themselves, and compared as such; other integers are not."""
    rng = numpy.random.default_rng(4)
    with Cells() as cells:
        for size, integer in itertools.product((1, 3, 40, 1000, 30000), (0, 1, 2, -1, 300, 2**40, True, 0.5)):
            truths = rng.random(size) > 0.5
            for given in (truths, truths[::-1], truths[::2]):

                def body(xp, a, integer=integer):
                    out = xp.zeros(a.shape, bool)
                    function = getattr(xp, name)
                    return [function(a, integer), function(integer, a), function(a, integer, out=out), out]

                cells.same(f"{size} {integer}", body, given)


@pytest.mark.parametrize("name", ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"])
def test_two_integers_of_any_size(name):
    """NumPy compares them as objects."""
    integers = [0, 1, -3, True, 2**62, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30]
    with Cells(warns=True) as cells:
        for first, second in itertools.product(integers, integers):
            cells.same(f"{first} {second}", lambda xp, a=first, b=second: getattr(xp, name)(a, b))


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_of_truths(dtype):
    """NumPy: a truth on the left is raised by the ufunc, in the dtype of the exponent."""
    with Cells(warns=True) as cells:
        for number, base in itertools.product(NUMBERS, [True, False, numpy.True_, numpy.False_]):
            with numpy.errstate(all="ignore"):
                array = numpy.array([number]).astype(dtype)
            cells.same(f"{base} {number}", lambda xp, a, base=base: base ** a[0], array)
            cells.same(f"ours {base} {number}", lambda xp, a, base=base: xp.asarray([base])[0] ** a[0], array)


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_and_none(dtype, shape):
    array = numpy.ones(shape, dtype)
    for expression in ("a == None", "a != None", "None == a", "a.T == None", "a[..., ::-1] != None"):
        agree(lambda xp, a, expression=expression: eval(expression), array)
    agree(lambda xp, a: a < None, array)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_integers_with_real_numbers(dtype):
    """Compared as integers: with the one next to the number, below 2 ** 53 and within the dtype."""
    ends = (0, 1) if dtype == "?" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
    integers = [0, 1, 2, 40, 41, -1, -40, *ends, ends[1] - 1, 2**62, -(2**53) - 1, *range(2**53 - 1, 2**53 + 3)]
    few = numpy.array([integer for integer in integers if ends[0] <= integer <= ends[1]], dtype)
    numbers = [0.0, -0.0, 0.5, 1.0, 1.5, 40.0, 40.5, -0.5, -1.0, -1.5, -40.5, 255.0, 255.5, 256.0, -128.5, -129.0]
    numbers += [2.0**53 - 1, 2.0**53 - 0.5, 2.0**53, -(2.0**53), 2.0**53 + 2, 9e18, 2.0**64, 1e300, math.inf, math.nan]
    with Cells(warns=True) as cells:
        for array, number in itertools.product((few, numpy.resize(few, 30_000)), numbers):
            kinds = [number, numpy.array(number), numpy.float64(number)]
            kinds += [numpy.float32(number)] if abs(number) < 1e30 else []
            for other, name in itertools.product(
                    kinds, ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal")):
                cells.same(f"{name} {other!r}", lambda xp, a, b, n=name: getattr(xp, n)(a, b), array, other)
                cells.same(f"{other!r} {name}", lambda xp, a, b, n=name: getattr(xp, n)(b, a), array, other)
