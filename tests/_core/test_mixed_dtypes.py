"""Ufuncs of operands that have other dtypes than their loop: cast on the stack, as a whole, or a buffer at a time."""

import numpy
import pytest

from tests._oracle import Cells

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "F", "D")
# Where an operand is cast: 128 elements fit on the stack, 2048 are cast as a whole.
COUNTS = (1, 2, 3, 127, 128, 129, 2048, 2049)
NAMES = ("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "maximum", "less", "equal",
         "logical_and", "bitwise_or", "left_shift", "copysign", "ldexp", "float_power", "gcd", "arctan2", "nextafter")
UNARY = ("sqrt", "sin", "exp", "log", "floor", "isnan", "logical_not", "negative", "absolute", "cbrt", "signbit",
         "reciprocal")
LAYOUTS = {
    "in order": lambda a: a, "backwards": lambda a: a[::-1], "every second": lambda a: a[::2],
    "matrix": lambda a: a.reshape(1, -1), "turned": lambda a: a[: len(a) // 2 * 2].reshape(2, -1).T,
    "stretched": lambda a: a.reshape(-1, 1)[:, :1].T.repeat(2, 0),
}


def numbers(dtype, count):
    """Return numbers below six, so that few powers overflow."""
    return (numpy.arange(count) * 7 % 6).astype(dtype)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", DTYPES)
def test_two_dtypes(name, first):
    with Cells(warns="text", tolerance="sum") as cells:
        for second in DTYPES:
            for count in COUNTS:
                a, b = numbers(first, count), numbers(second, count)[::-1].copy()
                for layout, view in LAYOUTS.items():
                    if count in (3, 128, 2049) or layout == "in order":
                        cells.same(f"{second} {count} {layout}",
                                   lambda xp, a, b, view=view: getattr(xp, name)(view(a), view(b)), a, b)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", DTYPES)
def test_a_number_of_another_dtype(name, first):
    with Cells(warns="text", tolerance="sum") as cells:
        for number in (True, 3, -1, 300, 2**40, 2.5, 1e300, 1j, *(numpy.dtype(dtype).type(2) for dtype in DTYPES)):
            for count in (1, 3, 128, 129, 2049):
                a = numbers(first, count)
                cells.same(f"{number!r} {count}", lambda xp, a, x=number: getattr(xp, name)(a, x), a)
                cells.same(f"{count} {number!r}", lambda xp, a, x=number: getattr(xp, name)(x, a), a)


@pytest.mark.parametrize("name", UNARY)
def test_one_operand_of_another_dtype(name):
    with Cells(warns="text", tolerance="sum") as cells:
        for dtype in DTYPES:
            for count in COUNTS:
                for layout, view in LAYOUTS.items():
                    cells.same(f"{dtype} {count} {layout}", lambda xp, a, view=view: getattr(xp, name)(view(a)),
                               numbers(dtype, count))


@pytest.mark.parametrize("operator", ["__iadd__", "__imul__", "__isub__", "__itruediv__", "__ior__", "__ipow__"])
def test_into_an_array_of_another_dtype(operator):
    """What fits is computed in place; all else is an error that changes nothing, whatever shares the memory."""
    def body(xp, a, b):
        getattr(a, operator)(b)
        getattr(a[::-1], operator)(b)
        getattr(a, operator)(a.view(xp.uint8)[: len(a)])
        return a

    def other(xp, a, b):
        out = xp.zeros(len(a))
        xp.add(a, b, out)
        return out, xp.multiply(b, a, out=out[::-1])

    with Cells(warns="text", tolerance="sum") as cells:
        for first in DTYPES:
            for second in DTYPES:
                for count in (3, 128, 129, 2049):
                    a, b = numbers(first, count), numbers(second, count)
                    cells.same(f"{first} {second} {count}", body, a, b)
                    cells.same(f"{first} {second} {count} out", other, a, b)
