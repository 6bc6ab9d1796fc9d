"""median and nanmedian of short lines, which are sorted on the stack, and of longer and more ones, which are not."""

import itertools
import math

import numpy
import pytest

import fastnp
from fastnp._core.kernels.medians import selected
from fastnp._routines.quantiles import plain_median, plain_percentile
from tests._oracle import Cells, Layout
from tests._tables import DTYPES

from .test_sets import lines as lines_of

RNG = numpy.random.default_rng(71)
LENGTHS = [0, 1, 2, 3, 15, 16, 17, 18, 127, 128, 129, 511, 512, 513, 2000, 2001]
NAMES = ["median", "nanmedian"]


def call(xp, name, *arguments, **keywords):
    return getattr(xp, name)(*arguments, **keywords)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_lines(name, dtype):
    with Cells(warns=True) as cells:
        for length, some in itertools.product(LENGTHS, (False, True)):
            line = (RNG.random(length) * 100).astype(dtype)
            if some and line.dtype.kind in "fc":
                line[length // 3:: 5] = math.nan
            cells.same(f"{length} {some}", call, name, line)
            cells.same(f"{length} {some} along", call, name, line, axis=-1)
            cells.same(f"{length} {some} in steps", call, name, Layout(line, (slice(None, None, -2),)))
            cells.same(f"{length} {some} kept", call, name, line, keepdims=True)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?"])
@pytest.mark.parametrize("name", NAMES)
def test_many_lines(name, dtype):
    with Cells(warns=True) as cells:
        for count, length in itertools.product((1, 2, 16, 17, 60), (1, 2, 128, 129, 300)):
            lines = (RNG.random((count, length)) * 100).astype(dtype)
            if lines.dtype.kind == "f":
                lines[::7, ::3] = math.nan
            for axis in (None, 0, 1, -1, (0, 1), 2):
                cells.same(f"{count} {length} {axis}", call, name, lines, axis=axis)
                cells.same(f"{count} {length} {axis} turned", call, name, Layout(lines, axes=(1, 0)), axis=axis)
        stack = (RNG.random((3, 4, 5)) * 100).astype(dtype)
        for axis in (None, 0, 1, 2, (0, 2)):
            cells.same(f"stack {axis}", call, name, stack, axis=axis)
            turned = Layout(stack, (slice(None, None, -1),), (2, 0, 1))
            cells.same(f"stack {axis} turned", call, name, turned, axis=axis)


@pytest.mark.parametrize("name", NAMES)
def test_what_numpy_warns_of(name):
    lines = [
        [math.inf, -math.inf], [math.inf, math.inf, 1], [math.inf, math.inf], [1e308, 1.7e308], [math.nan],
        [math.nan] * 3, [math.nan, 1], [-0.0, -0.0], [-0.0], [0.0, -0.0, -0.0],
    ]
    with Cells(warns=True) as cells:
        for line, dtype in itertools.product(lines, ("f8", "f4")):
            with numpy.errstate(over="ignore"):
                given = numpy.array(line).astype(dtype)
            cells.same(f"{line} {dtype}", call, name, given)
        cells.same("beside others", call, name, numpy.array([[1, 2], [math.nan, math.nan]]), axis=1)
        cells.same("integers of 64 bits", call, name, numpy.array([2**63, 2**64 - 1], "u8"))
        cells.same("left as it is", lambda xp, x: (call(xp, name, x), x), numpy.array([3.0, 1.0, 2.0]))
        for arguments in ({"axis": 1}, {"axis": "a"}, {"out": numpy.zeros(())}, {"overwrite_input": True}):
            cells.same(arguments, call, name, numpy.array([3.0, 1.0, 2.0]), **arguments)


#: Calls that look for elements at places: one, next to each other, few, more than are looked for one by one.
LOOKS = {
    "median": lambda xp, a, axis: xp.median(a, axis),
    "nanmedian": lambda xp, a, axis: xp.nanmedian(a, axis),
    "ends": lambda xp, a, axis: xp.percentile(a, [0, 100], axis),
    "one": lambda xp, a, axis: xp.percentile(a, 30, axis),
    "greatest": lambda xp, a, axis: xp.quantile(a, 1.0, axis),
    "few": lambda xp, a, axis: xp.quantile(a, [0.001, 0.25, 0.5], axis),
    "many": lambda xp, a, axis: xp.quantile(a, [share / 40 for share in range(41)], axis),
}


@pytest.mark.parametrize("size", [767, 768, 4095, 4096, 30000])
@pytest.mark.parametrize("dtype", "?bBhHiIlLfd")
def test_long_lines(dtype, size):
    """Sorted, or looked for between two elements of a sample; zeros lose their signs, which NumPy's order says."""
    with Cells() as cells:
        for name, line in lines_of(numpy.dtype(dtype), size):
            for look, call in LOOKS.items():
                cells.same(f"{name} {look}", lambda xp, a, call=call: call(xp, a, None) + 0.0, line)
                cells.same(f"{name} {look} in steps", lambda xp, a, call=call: call(xp, a[::-2], 0) + 0.0, line)
        # The sample is of other elements than the rest: what it tells is wrong.
        line = (RNG.random(size) * 100).astype(dtype)
        line[:: max(size // max(min(8192, size // 16), 1), 1)] = 1
        for look, call in LOOKS.items():
            cells.same(f"another sample {look}", lambda xp, a, call=call: call(xp, a, None) + 0.0, line)


@pytest.mark.parametrize("dtype", "bBhHiIlLfd")
def test_tables_of_long_lines(dtype):
    table = (RNG.random((9, 5000)) * 100).astype(dtype)
    with Cells() as cells:
        for look, call in LOOKS.items():
            for shape, axis in itertools.product(((9, 5000), (5000, 9)), (0, 1, -1)):
                given = table.reshape(shape)
                for axes in ((0, 1), (1, 0)):
                    cells.same(f"{look} {shape} {axis} {axes}", call, Layout(given, axes=axes), axis)
            cells.same(f"{look} stack", lambda xp, a, call=call: call(xp, a.reshape(3, 1000, 15), 1), table)
            if dtype in "fd":
                table[3, 7] = table[4] = math.nan
                for axis in (0, 1):
                    cells.same(f"{look} NaN {axis}", lambda xp, a, call=call, axis=axis: call(xp, a, axis), table)


def test_places_that_do_not_ascend_are_refused():
    array = fastnp.arange(10.0)
    for places in ([3, 3], [4, 2], [-1], [10]):
        with pytest.raises(ValueError, match="have to ascend below 10"):
            selected(array, places, None)
    assert selected(array, [], None) is None


@pytest.mark.parametrize("dtype", "fd")
def test_a_nan_in_a_long_line_is_found_here(dtype):
    """No body leaves it to NumPy, which would sort the line."""
    array = fastnp.array(RNG.random(5000).astype(dtype))
    array[3] = math.nan
    table = array.reshape(2, 2500)
    numbers = [
        plain_median(array), plain_percentile(array, 30), plain_percentile(array, [20, 60]),
        plain_median(table, 1)[0], plain_percentile(table, 30, 1)[0], plain_percentile(table, [20, 60], 1)[:, 0],
    ]
    assert all(numpy.isnan(number).all() for number in numbers)
    assert not numpy.isnan(plain_percentile(table, [20, 60], 1)[:, 1]).any()
