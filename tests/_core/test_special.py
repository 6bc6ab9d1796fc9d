"""i0 and sinc: NumPy's bits, of few elements a block at a time and of more by NumPy's own functions."""

import math

import numpy
import pytest

from tests._oracle import Cells, Layout
from tests._tables import DTYPES

RNG = numpy.random.default_rng(72)
SIZES = [0, 1, 2, 127, 128, 129, 300, 20_000, 70_000]


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind != "c"])
@pytest.mark.parametrize("name", ["i0", "sinc"])
def test_numbers(name, dtype):
    with Cells(warns=True, tolerance="rounded") as cells:
        for size in SIZES:
            for most in (1, 8, 30, 120):
                numbers = ((RNG.random(size) * 2 - 1) * most).astype(dtype)
                cells.same(f"{size} up to {most}", lambda xp, x: getattr(xp, name)(x), numbers)
        square = (RNG.random((6, 7)) * 20).astype(dtype)
        for layout in (square, Layout(square, axes=(1, 0)), Layout(square, (slice(None), slice(None, None, -2)))):
            cells.same(f"{layout}", lambda xp, x: getattr(xp, name)(x), layout)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", ["i0", "sinc"])
def test_ends(name, dtype):
    ends = [0.0, -0.0, 8.0, numpy.nextafter(8, 9), -8.0, 1e-320, 5e-324, 0.5, 1.0, -1.0, 700.0]
    with Cells(warns=True, tolerance="rounded") as cells:
        cells.same("all", lambda xp, x: getattr(xp, name)(x), numpy.array(ends).astype(dtype))
        for number in (*ends, 710.0, 1e30, math.inf, -math.inf, math.nan):
            cells.same(number, lambda xp, x: getattr(xp, name)(x), numpy.array([number]).astype(dtype))
            cells.same(f"{number} alone", lambda xp, x: getattr(xp, name)(x), number)
            cells.same(f"{number} of no axes", lambda xp, x: getattr(xp, name)(x), numpy.array(number))
