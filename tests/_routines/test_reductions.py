"""Reductions as functions and as methods: every keyword over dtypes, shapes, axes and layouts."""

import itertools

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._oracle import Cells, Layout, agree, same_as_numpy
from tests._tables import DTYPES, FEW_DTYPES, SHAPES, edges, filled, moderate

ARITHMETIC = ("mean", "prod", "std", "sum", "var")
EXTREMA = ("amax", "amin", "max", "min", "ptp")
LOGICAL = ("all", "any")
POSITIONS = ("argmax", "argmin")
CUMULATIVE = ("cumprod", "cumsum", "cumulative_prod", "cumulative_sum")
REDUCTIONS = (*ARITHMETIC, *EXTREMA, *LOGICAL)
METHODS = ("all", "any", "argmax", "argmin", "cumprod", "cumsum", "max", "mean", "min", "prod", "std", "sum", "var")
AXES = (None, 0, 1, -1, -2, (0,), (0, 1), (1, 0), (-1, 0), (), 2, -4, (0, 0), (0, 7))
ODD_AXES = (1.0, "a", [0], [0, 1], numpy.int64(1), numpy.array(1), True, (0, "a"), (1.5,), slice(0, 1))


def call(xp, name, *arguments, **keywords):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments, **keywords)


def method(xp, name, array, *arguments, **keywords):
    """Return the result of the method `name`."""
    return getattr(array, name)(*arguments, **keywords)


def into(xp, name, array, out, **keywords):
    """Return the result and whether it is `out`."""
    result = getattr(xp, name)(array, out=out, **keywords)
    return result, result is out


@pytest.mark.parametrize("name", [*REDUCTIONS, *POSITIONS, "cumprod", "cumsum"])
class TestEveryReduction:
    def test_over_dtypes_shapes_and_axes(self, name):
        with Cells(tolerance="sum" if name in ARITHMETIC else "exact") as cells:
            for dtype, shape, axis in itertools.product(DTYPES, SHAPES, (None, 0, -1)):
                cells.same(f"{dtype} {shape} {axis}", call, name, filled(shape, dtype), axis=axis)

    def test_every_axis(self, name):
        with Cells() as cells:
            for axis, shape in itertools.product(AXES, ((3, 4), (2, 3, 4), (5,), ())):
                cells.same(f"{axis} {shape}", call, name, filled(shape), axis=axis)
                cells.same(f"positional {axis} {shape}", call, name, filled(shape), axis)
                cells.same(f"keepdims {axis} {shape}", call, name, filled(shape), axis=axis, keepdims=True)
            for axis in ODD_AXES:
                cells.same(repr(axis), call, name, filled((3, 4)), axis=axis)

    def test_of_lists_and_scalars(self, name):
        with Cells() as cells:
            for values in (
                [3, 1, 2],
                [[1.5, 2.5], [0.5, 1]],
                3,
                2.5,
                True,
                [],
                [[]],
                (1, 2),
                1j,
                [True, False],
                [[1], [2, 3]],
            ):
                cells.same(values, call, name, values)
                cells.same(f"{values} axis 0", call, name, values, axis=0)

    def test_of_layouts(self, name):
        values = filled((4, 6, 5), "i8")
        layouts = {
            "fortran": numpy.asfortranarray(values),
            "flipped": Layout(values, (slice(None, None, -1), slice(None), slice(None, None, -1))),
            "strided": Layout(values, (slice(None, None, 2), slice(1, None, 3))),
            "permuted": Layout(values, (), (1, 2, 0)),
            "inserted": Layout(values, (None, slice(None, None, -2))),
        }
        with Cells(tolerance="sum" if name in ARITHMETIC else "exact") as cells:
            for (label, x), axis in itertools.product(layouts.items(), (None, 0, 1, 2, (0, 1), (2, 0))):
                cells.same(f"{label} {axis}", call, name, x, axis=axis)

    def test_of_edge_values(self, name):
        with Cells(tolerance="sum" if name in ARITHMETIC else "exact") as cells:
            for dtype in DTYPES:
                values = edges(dtype)
                cells.same(dtype, call, name, values)
                cells.same(f"reversed {dtype}", call, name, values[::-1].copy())
                cells.same(f"0-d {dtype}", call, name, numpy.array(values[1]))
                if dtype.kind in "fc":
                    cells.same(f"finite {dtype}", call, name, values[numpy.isfinite(values)])

    def test_into_out(self, name):
        x = filled((3, 4))
        with Cells() as cells:
            for dtype, axis in itertools.product(DTYPES, (None, 0, 1)):
                shape = numpy.asarray(getattr(numpy, name)(x, axis=axis)).shape
                cells.same(f"{dtype} {axis}", into, name, x, numpy.ones(shape, dtype), axis=axis)
                cells.same(f"bool {dtype} {axis}", into, name, x > 0, numpy.ones(shape, dtype), axis=axis)
            cells.same("wrong shape", into, name, x, numpy.ones(7), axis=0)
            cells.same("wrong ndim", into, name, x, numpy.ones((1, 4)), axis=0)
            cells.same("list", into, name, x, [0.0] * 4, axis=0)

    def test_unknown_keyword_and_missing_argument(self, name):
        with Cells() as cells:
            cells.same("unknown", call, name, filled((3,)), nonsense=1)
            cells.same("missing", call, name)
            cells.same("by name", call, name, a=filled((3,)))


class TestKeywords:
    @pytest.mark.parametrize("name", [*ARITHMETIC, "cumprod", "cumsum"])
    def test_dtype(self, name):
        with Cells(tolerance="sum") as cells:
            for dtype, target in itertools.product(FEW_DTYPES, (*DTYPES, float, int, "f4", None)):
                cells.same(f"{dtype} as {target}", call, name, abs(filled((3, 4), dtype)), axis=0, dtype=target)
            cells.same("nonsense", call, name, filled((3,)), dtype="nonsense")

    @pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "amax", "amin"])
    def test_initial(self, name):
        with Cells() as cells:
            for dtype, initial in itertools.product(FEW_DTYPES, (0, 1, 3, -2, 2.5, 1e10, True, 1j, numpy.int8(4))):
                cells.same(f"{dtype} {initial!r}", call, name, filled((3, 4), dtype), initial=initial)
                cells.same(f"{dtype} {initial!r} axis", call, name, filled((3, 4), dtype), axis=1, initial=initial)
                cells.same(
                    f"{dtype} {initial!r} empty", call, name, numpy.zeros((0, 4), dtype), axis=0, initial=initial
                )

    @pytest.mark.parametrize("name", [*ARITHMETIC, *LOGICAL, "max", "min"])
    def test_where(self, name):
        x = filled((3, 4))
        masks = (x > 0, (x > 0)[0], (x > 0)[:, :1], True, False, [True, False, True, True], x, 1)
        keywords = {"initial": 1} if name in ("max", "min", "prod", "sum") else {}
        with Cells(tolerance="sum") as cells:
            for (number, mask), axis, keepdims in itertools.product(
                enumerate(masks), (None, 0, 1, (0, 1)), (False, True)
            ):
                label = f"{number} {axis} {keepdims}"
                cells.same(label, call, name, x, axis=axis, where=mask, keepdims=keepdims, **keywords)
                cells.same(f"{label} int", call, name, x.astype("i4"), axis=axis, where=mask, keepdims=keepdims)

    @pytest.mark.parametrize("name", ["mean", "std", "var"])
    def test_moments(self, name):
        with Cells(tolerance="sum", warns=True) as cells:
            for dtype in DTYPES:
                x = filled((4, 5), dtype)
                cells.same(f"float16 does not overflow {dtype}", call, name, numpy.full(3000, 100, dtype).clip(max=101))
                cells.same(f"empty {dtype}", call, name, x[:0])
                cells.same(f"empty axis {dtype}", call, name, x[:0], axis=0)
                if name != "mean":
                    for ddof, axis in itertools.product((0, 1, 2, 4, 5, 1.5), (None, 0, 1)):
                        cells.same(f"ddof {ddof} {axis} {dtype}", call, name, x, ddof=ddof, axis=axis)
                    cells.same(f"correction {dtype}", call, name, x, correction=1)
                    cells.same(f"both {dtype}", call, name, x, correction=1, ddof=1)
                    mean = x.mean(axis=0, keepdims=True)
                    cells.same(f"mean {dtype}", call, name, x, axis=0, mean=mean)

    @pytest.mark.parametrize("name", POSITIONS)
    def test_first_position_and_nan(self, name):
        rows = [
            [1, 3, 3, 1],
            [0, 0, 0, 0],
            [numpy.nan, 1, numpy.nan, 2],
            [1, numpy.inf, -numpy.inf, numpy.inf],
            [-0.0, 0, -0.0, 0],
        ]
        with Cells() as cells:
            for dtype in ("f2", "f4", "f8", "c8", "c16"):
                for row in rows:
                    cells.same(f"{dtype} {row}", call, name, numpy.array(row, dtype))
                for axis, keepdims in itertools.product((None, 0, 1, -1, 2), (False, True)):
                    cells.same(f"{dtype} {axis}", call, name, numpy.array(rows, dtype), axis=axis, keepdims=keepdims)
            for size in (1, 15, 16, 17, 1000):
                for dtype in DTYPES:
                    cells.same(f"{dtype} {size}", call, name, moderate(dtype, size))
            cells.same("empty", call, name, numpy.zeros(0))
            cells.same("empty axis", call, name, numpy.zeros((0, 3)), axis=0)
            cells.same("empty other axis", call, name, numpy.zeros((0, 3)), axis=1)

    @pytest.mark.parametrize("name", CUMULATIVE)
    def test_cumulative(self, name):
        with Cells(tolerance="sum") as cells:
            for dtype, shape, axis in itertools.product(DTYPES, ((5,), (2, 3), (0,), (2, 3, 4), ()), (None, 0, -1, 1)):
                cells.same(f"{dtype} {shape} {axis}", call, name, filled(shape, dtype), axis=axis)
            if name.startswith("cumulative"):
                for shape, initial in itertools.product(((5,), (2, 3)), (True, False)):
                    cells.same(f"{shape} {initial}", call, name, filled(shape), axis=0, include_initial=initial)
                    cells.same(f"{shape} no axis", call, name, filled(shape), include_initial=initial)

    @pytest.mark.parametrize("name", ["max", "min", "ptp", "all", "argmax", "mean", "sum"])
    def test_empty(self, name):
        with Cells(warns=True) as cells:
            for shape, axis in itertools.product(((0,), (0, 3), (3, 0), (2, 0, 3)), (None, 0, 1, -1, (0, 1), ())):
                cells.same(f"{shape} {axis}", call, name, numpy.zeros(shape), axis=axis)
                cells.same(f"{shape} {axis} int", call, name, numpy.zeros(shape, "i4"), axis=axis)


class TestMethods:
    @pytest.mark.parametrize("name", METHODS)
    def test_methods_do_what_the_functions_do(self, name):
        with Cells(tolerance="sum" if name in ARITHMETIC else "exact") as cells:
            for dtype, axis in itertools.product(DTYPES, (None, 0, 1, -1, 2)):
                x = filled((3, 4), dtype)
                cells.same(f"{dtype} {axis}", method, name, x, axis)
                cells.same(f"{dtype} {axis} keyword", method, name, x, axis=axis)
                cells.same(
                    f"{dtype} {axis} strided",
                    method,
                    name,
                    Layout(x, (slice(None, None, -1), slice(None, None, 2))),
                    axis,
                )
            x = filled((3, 4))
            cells.same("unknown", method, name, x, nonsense=1)
            cells.same("0-d", method, name, numpy.array(3.5))
            cells.same("keepdims", method, name, x, keepdims=True)

    def test_keywords_reach_the_reduction(self):
        x = filled((3, 4), "i4")
        with Cells(tolerance="sum") as cells:
            for name in ("sum", "prod"):
                cells.same(name, method, name, x, axis=0, dtype="f4", keepdims=True, initial=2, where=x > 0)
                cells.same(f"{name} positional", method, name, x, 0, "f8", None, True)
            for name in ("max", "min"):
                cells.same(name, method, name, x, axis=1, keepdims=True, initial=2, where=x > 0)
            for name in ("mean", "std", "var"):
                cells.same(name, method, name, x, axis=0, dtype="f4", keepdims=True, where=x > -4)
            for name in ("std", "var"):
                cells.same(f"{name} ddof", method, name, x, ddof=1, axis=1)
            for name in ("all", "any"):
                cells.same(name, method, name, x, axis=0, keepdims=True, where=x > 0)
            for name in ("argmax", "argmin"):
                cells.same(name, method, name, x, axis=0, keepdims=True, out=numpy.zeros((1, 4), "i8"))
            for name in ("cumsum", "cumprod"):
                cells.same(name, method, name, x, 0, "f4", numpy.zeros((3, 4), "f4"))

    @same_as_numpy
    def test_results_are_not_views_and_own_their_value(xp):
        x = xp.arange(6.0).reshape(2, 3)
        total = x.sum()
        top = x.max(axis=0)
        whole = x.sum(axis=())
        x[...] = -1
        return total, top, whole


@st.composite
def reduction_calls(draw):
    """Draw a reduction, an operand with a random layout, and keywords that NumPy may or may not accept."""
    name = draw(st.sampled_from([*REDUCTIONS, *POSITIONS, "cumsum", "cumprod"]))
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=4)))
    dtype = draw(st.sampled_from(DTYPES))
    steps = tuple(slice(None, None, draw(st.sampled_from([1, 1, -1, 2, -3]))) for _ in shape)
    operand = Layout(filled(shape, dtype), steps, tuple(draw(st.permutations(range(len(shape))))))
    axis = st.integers(-len(shape) - 1, len(shape))
    keywords = {"axis": draw(st.one_of(st.none(), axis, st.lists(axis, max_size=3).map(tuple)))}
    if name not in ("cumsum", "cumprod"):
        keywords["keepdims"] = draw(st.booleans())
    if name in (*ARITHMETIC, "cumsum", "cumprod") and draw(st.booleans()):
        keywords["dtype"] = draw(st.sampled_from(["f4", "f8", "c16"]))
    if name in ("sum", "prod", "max", "min") and draw(st.booleans()):
        keywords["initial"] = draw(st.integers(0, 3))
        keywords["where"] = draw(st.booleans())
    return name, operand, keywords


@given(reduction_calls())
def test_any_reduction_of_any_view(case):
    name, operand, keywords = case
    agree(call, name, operand, **keywords, tolerance="sum")


@given(
    st.lists(st.floats(width=32, allow_subnormal=False), min_size=1, max_size=40),
    st.sampled_from([*EXTREMA[:-1], *POSITIONS]),
)
def test_extrema_of_any_floats(values, name):
    agree(call, name, numpy.array(values, "f4"))


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40),
    st.sampled_from(["sum", "prod", "any", "cumsum", "cumprod"]),
)
def test_integers_wrap_around_as_numpy(values, name):
    agree(call, name, numpy.array(values, "i8"))
    agree(call, name, numpy.array(values, "i8").view("u8"))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "u1", "?", "c8"])
@pytest.mark.parametrize(
    "name", [*ARITHMETIC, *EXTREMA[:-1], *CUMULATIVE, "nansum", "nanprod", "nancumsum", "nanmean", "trace", "average"]
)
def test_casts_of_complex_numbers_warn(name, dtype):
    """NumPy says that it leaves the imaginary part out, by `dtype` as by `out`, and not where a truth is asked for."""
    values = numpy.array([[1 + 2j, 3], [0.5, -1j]])
    with Cells(warns=True, layout=False) as cells:
        for array in (values, values.astype("c8"), values[0], values[:, ::-1]):
            for given in ({"dtype": dtype}, {"out": numpy.zeros(array.shape if "cum" in name else (), dtype)}):
                cells.same(f"{given}", call, name, array, **given)


@pytest.mark.parametrize("dtype", ["f4", "i4", "?"])
@pytest.mark.parametrize("which", ["reduce", "accumulate", "reduceat", "outer", "__call__"])
def test_ufuncs_that_cast_complex_numbers_warn(which, dtype):
    values = numpy.array([1 + 2j, 3, 0.5])
    rest = {"reduceat": ([0, 1],), "outer": (values,), "__call__": (values,)}.get(which, ())
    asked = [{"dtype": dtype}]
    if which in ("outer", "__call__"):
        asked += [{"dtype": dtype, "casting": casting} for casting in ("unsafe", "same_kind")]
    with Cells(warns=True) as cells:
        for name, given in itertools.product(("add", "multiply", "maximum", "logical_or"), asked):
            cells.same(f"{name} {given}", of_ufunc, name, which, values, *rest, **given)


def of_ufunc(xp, name, which, *arguments, **keywords):
    """Return the result of a method of the ufunc `name`."""
    return getattr(getattr(xp, name), which)(*arguments, **keywords)
