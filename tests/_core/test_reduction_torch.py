"""Methods of ufuncs, extrema and sorting where torch computes them: every dtype, against NumPy."""

import itertools

import numpy
import pytest

from tests._core.test_paths import under_a_mode
from tests._oracle import Cells
from tests._paths import through_torch
from tests._tables import DTYPES, GUFUNCS, REDUCIBLE_UFUNCS, edges, filled, moderate

FOLDED = tuple(name for name in REDUCIBLE_UFUNCS if name not in GUFUNCS)
# NumPy: the vector loops of these read what they have not yet written, so that folds of a contiguous line are wrong.
FOLDS_LINES_WRONGLY = ("arctan2", "ldexp", "power")
ORDERED = ("argmax", "argmin", "fmax", "fmin", "max", "maximum", "min", "minimum", "nanmax", "nanmin", "ptp")
SORTED = ("argsort", "sort", "sort_complex", "unique")


def by_method(xp, name, method, *arguments, **keywords):
    """Return what a method of a ufunc returns."""
    return getattr(getattr(xp, name), method)(*arguments, **keywords)


def changed_by(xp, name, target, *arguments):
    """Return an array after `ufunc.at`."""
    getattr(xp, name).at(target, *arguments)
    return target


def lines(name):
    """Return the axes along which lines are contiguous, where NumPy folds these rightly."""
    return () if name in FOLDS_LINES_WRONGLY else (1, -1)


def operand(name, shape, dtype):
    """Return values that a fold of the ufunc keeps defined."""
    values = filled(shape, dtype)
    if name in ("power", "float_power", "left_shift", "right_shift", "ldexp"):
        return (abs(values) % 3).astype(dtype) if values.dtype.kind in "iu" else abs(values).astype(dtype)
    return values


@pytest.mark.parametrize("name", FOLDED)
class TestFolds:
    def test_reduce(self, name):
        with Cells(tolerance="sum", layout=False) as cells:
            for dtype, axis in itertools.product(DTYPES, (0, *lines(name), (0, 1), None, ())):
                values = operand(name, (3, 4), dtype)
                cells.same(f"{dtype} {axis}", through_torch(by_method), name, "reduce", values, axis)
            for dtype in DTYPES:
                empty = numpy.zeros((0, 3), dtype)
                cells.same(f"{dtype} empty", through_torch(by_method), name, "reduce", empty)
                cells.same(f"{dtype} no element", through_torch(by_method), name, "reduce", empty, 1)

    def test_reduce_with_initial_and_where(self, name):
        def reduced(xp, values, keywords):
            return getattr(xp, name).reduce(values, **keywords)

        mask = numpy.array([[True, False, True, True], [False] * 4, [True] * 4])
        with Cells(tolerance="sum", layout=False) as cells:
            for dtype, axis in itertools.product(DTYPES, (0, *lines(name))):
                values = operand(name, (3, 4), dtype)
                for keywords in ({"initial": 1}, {"initial": 1, "where": mask}, {"where": mask}, {"initial": None},
                                 {"keepdims": True}):
                    cells.same(f"{dtype} {axis} {keywords}", through_torch(reduced), values, {"axis": axis, **keywords})
                cells.same(f"{dtype} empty", through_torch(reduced), values[:0], {"axis": axis, "initial": 1})

    def test_accumulate(self, name):
        with Cells(tolerance="sum", layout=False) as cells:
            for dtype, axis in itertools.product(DTYPES, (0, -1, (1,), (0, 1), None, 5)):
                values = operand(name, (3, 4), dtype)
                cells.same(f"{dtype} {axis}", through_torch(by_method), name, "accumulate", values, axis)

    def test_reduceat(self, name):
        with Cells(tolerance="sum", layout=False) as cells:
            for dtype, axis in itertools.product(DTYPES, (0, *lines(name), None, (0, 1))):
                values = operand(name, (3, 4), dtype)
                cells.same(f"{dtype} {axis}", through_torch(by_method), name, "reduceat", values, [0, 2, 1], axis)

    def test_outer(self, name):
        with Cells(tolerance="rounded", layout=False) as cells:
            for dtype in DTYPES:
                values = operand(name, (3,), dtype)
                cells.same(dtype, through_torch(by_method), name, "outer", values, operand(name, (2,), dtype))


@pytest.mark.parametrize("name", ["add", "bitwise_or", "divide", "maximum", "multiply", "subtract"])
def test_at(name):
    with Cells(tolerance="rounded", layout=False) as cells:
        for dtype in DTYPES:
            values = filled((5,), dtype)
            for given in (True, 2, 1.5, numpy.array([1, 2, 3], dtype), numpy.array([1, 2, 3])):
                cells.same(f"{dtype} {given!r}", through_torch(changed_by), name, values, [0, 0, 3], given)
            cells.same(f"{dtype} mask", through_torch(changed_by), name, values, values != 0, values[1])


@pytest.mark.parametrize("name", ORDERED)
def test_extrema_at_the_limits(name):
    with Cells(layout=False) as cells:
        for dtype in DTYPES:
            values = edges(dtype)
            # Equal zeros of two signs: which of them comes out is the processor's choice, in NumPy as well.
            values = values[(values != 0) | ~numpy.signbit(values.real)] if dtype.kind in "fc" else values
            finite = values[numpy.isfinite(values)] if dtype.kind in "fc" else values
            pair = numpy.stack([finite, finite[::-1]])
            if name in ("fmax", "fmin", "maximum", "minimum"):
                for given in (values, finite):
                    left, right = numpy.repeat(given, len(given)), numpy.tile(given, len(given))
                    cells.same(f"{dtype}", through_torch(by_call), name, left, right)
                    cells.same(f"{dtype} reduce", through_torch(by_method), name, "reduce", given)
                    cells.same(f"{dtype} accumulate", through_torch(by_method), name, "accumulate", given)
            else:
                cells.same(f"{dtype}", through_torch(by_call), name, values)
                for axis in (0, 1, None, *([(0, 1)] if not name.startswith("arg") else [])):
                    cells.same(f"{dtype} {axis}", through_torch(by_call), name, pair, axis)


def by_call(xp, name, *arguments):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments)


@pytest.mark.parametrize("name", SORTED)
def test_sorting_at_the_limits(name):
    with Cells(layout=False) as cells:
        for dtype in DTYPES:
            values = numpy.unique(edges(dtype)) if name == "argsort" else edges(dtype)
            if dtype.kind in "fc":  # the order of equal zeros is no one's promise
                values = values[~(numpy.signbit(values.real) & (values.real == 0))]
                values = values[~(numpy.signbit(values.imag) & (values.imag == 0))]
                if name == "unique":  # nor which NaN stands for all
                    values = values[~numpy.isnan(values)]
            order = numpy.random.default_rng(1).permutation(len(values))
            cells.same(dtype, through_torch(by_call), name, values[order])


@pytest.mark.parametrize("name", ["cumprod", "cumsum"])
def test_cumulative_axes(name):
    with Cells(tolerance="sum", layout=False) as cells:
        for dtype, axis in itertools.product(DTYPES, (None, 0, 1, -1, 2, (0,), (0, 1), 1.0)):
            cells.same(f"{dtype} {axis}", under_a_mode, "dispatch", name, filled((2, 3), dtype), axis)
        for axis in (None, 0, (0,), 1):
            cells.same(f"0-d {axis}", under_a_mode, "dispatch", name, moderate("f8", 1)[0], axis)


WRITES_TO_ITSELF = {
    "row to all": lambda xp, x: x.__setitem__(Ellipsis, x[0]),
    "shifted": lambda xp, x: x.__setitem__(slice(1, None), x[:-1]),
    "reversed": lambda xp, x: x.__setitem__(slice(None, None, -1), x),
    "copyto": lambda xp, x: xp.copyto(x, x[1]),
    "add.at": lambda xp, x: xp.add.at(x, [0, 0], x[1]),
}


@pytest.mark.parametrize("name", WRITES_TO_ITSELF)
def test_writes_of_an_array_to_itself(name):
    def written(xp, values):
        WRITES_TO_ITSELF[name](xp, values)
        return values

    with Cells(layout=False) as cells:
        for dtype in DTYPES:
            cells.same(dtype, through_torch(written), filled((3, 4), dtype))
