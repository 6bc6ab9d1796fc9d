"""Both sides of each switch give the same answer: plain and general operands, small and large, contiguous and not."""

import contextlib
import itertools

import numpy
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from tests._oracle import Cells, Layout, compare, under_test
from tests._tables import (
    BINARY_UFUNCS,
    DTYPES,
    ELEMENTWISE_UFUNCS,
    FEW_DTYPES,
    FLOATS,
    GUFUNCS,
    SIGNED,
    UNARY_UFUNCS,
    WEAK_SCALARS,
    edges,
    filled,
    moderate,
)

# Around the sizes where a kernel may change: one vector, unrolled blocks, pairwise blocks, the pool, ATen's own grain.
SIZES = (
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    9,
    15,
    16,
    17,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    129,
    255,
    256,
    257,
    1000,
    1023,
    1024,
    1025,
    4097,
    32769,
    70001,
)
REDUCTIONS = ("all", "any", "argmax", "argmin", "cumprod", "cumsum", "max", "mean", "min", "prod", "std", "sum", "var")
# What torch computes otherwise than NumPy at the limits of a dtype: the kinds of dtype in which some value differs.
DIFFERS_AT_EDGES = {
    "arccos": "c",  # the sign of an imaginary zero
    "divide": "c",  # the last digits of one part
    "divmod": "f",  # NaN where the quotient overflows
    "fmod": "f",  # NaN where the quotient overflows
    "log1p": "cf",  # zero for subnormal numbers, NaN for complex infinities beside NaN
    "logaddexp": "i",  # the last digit of subnormal numbers
    "remainder": "f",  # NaN where the quotient overflows
}
INT64, UINT64, FLOAT32 = map(numpy.dtype, ("i8", "u8", "f4"))
NUMERIC_UFUNCS = tuple(name for name in ELEMENTWISE_UFUNCS if name != "isnat")


class PassingDispatchMode(TorchDispatchMode):
    """Let every operation through, which alone makes no thread plain."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class PassingFunctionMode(TorchFunctionMode):
    """Let every function through."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


MODES = {"dispatch": PassingDispatchMode, "function": PassingFunctionMode}


def call(xp, name, *arguments, **keywords):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments, **keywords)


def under_a_mode(xp, mode, name, *arguments, **keywords):
    """Return the result of the function `name`, called where no operand counts as plain."""
    with contextlib.nullcontext() if xp is numpy else MODES[mode]():
        return getattr(xp, name)(*arguments, **keywords)


def tracked(xp, name, *arguments, **keywords):
    """Return the result of the function `name` for operands that record gradients, if they can."""
    return getattr(xp, name)(*(require_gradients(xp, argument) for argument in arguments), **keywords)


def require_gradients(xp, argument):
    """Return `argument` recording gradients if it is an inexact array of ours."""
    if xp is numpy or not isinstance(argument, xp.ndarray):
        return argument
    if not (argument.tensor.is_floating_point() or argument.tensor.is_complex()):
        return argument
    return xp.asarray(argument.tensor.clone().requires_grad_())


def outer_pairs(left, right):
    """Return two arrays in which each element of one meets each of the other; of long ones every third counts."""
    left, right = (values[::3] if len(values) > 30 else values for values in (left, right))
    return numpy.repeat(left, len(right)), numpy.tile(right, len(left))


def suited(name, dtype, shape=(6,)):
    """Return operands for which `name` stays defined."""
    values = filled(shape, dtype)
    if name == "reciprocal":  # NumPy: the reciprocal of an integer zero is what the processor makes of it
        values[values == 0] = 1
    return abs(values).astype(dtype) if name in ("power", "left_shift", "right_shift", "ldexp") else values


@pytest.mark.parametrize("mode", MODES)
class TestModes:
    @pytest.mark.parametrize("name", UNARY_UFUNCS)
    def test_unary_ufunc_over_dtypes(self, name, mode):
        with Cells(tolerance="rounded") as cells:
            for dtype in DTYPES:
                cells.same(dtype, under_a_mode, mode, name, suited(name, dtype))
            for scalar in (True, 2, 0.5):
                cells.same(scalar, under_a_mode, mode, name, scalar)

    @pytest.mark.parametrize("name", BINARY_UFUNCS)
    def test_binary_ufunc_over_dtype_pairs(self, name, mode):
        with Cells(tolerance="rounded") as cells:
            for left, right in itertools.product(DTYPES, DTYPES if mode == "dispatch" else FEW_DTYPES):
                pair = suited(name, left), suited(name, right)[::-1].copy()
                cells.same(f"{left} {right}", under_a_mode, mode, name, *pair)
            for dtype, scalar in itertools.product(DTYPES, (True, 2, 1.5, 300 if name != "ldexp" else 3)):
                cells.same(f"{dtype} {scalar!r}", under_a_mode, mode, name, suited(name, dtype), scalar)

    @pytest.mark.parametrize("name", REDUCTIONS)
    def test_reductions(self, name, mode):
        with Cells(tolerance="sum") as cells:
            for dtype, shape, axis in itertools.product(DTYPES, ((5,), (2, 3), (2, 3, 4), (), (0, 3)), (None, 0, -1)):
                cells.same(f"{dtype} {shape} {axis}", under_a_mode, mode, name, filled(shape, dtype), axis=axis)
            for axis in ((0, 1), (), (0, 2)) if not name.startswith("cum") else ():
                cells.same(axis, under_a_mode, mode, name, filled((2, 3, 4)), axis=axis)

    @pytest.mark.parametrize("name", GUFUNCS)
    def test_gufuncs(self, name, mode):
        shapes = {
            "matmul": ((2, 3), (3, 2)),
            "matvec": ((2, 3), (3,)),
            "vecdot": ((2, 3), (3,)),
            "vecmat": ((3,), (3, 2)),
        }[name]
        with Cells(tolerance="sum") as cells:
            for dtype in DTYPES:
                cells.same(dtype, under_a_mode, mode, name, *(filled(shape, dtype) for shape in shapes))

    def test_keywords_of_ufuncs(self, mode):
        x, y = filled((3, 4)), filled((3, 4))[::-1].copy()
        with Cells(tolerance="rounded") as cells:
            for name in ("add", "divide", "less", "arctan2", "maximum"):
                out = numpy.zeros((3, 4), "?" if name == "less" else "f8")
                cells.same(f"{name} out", under_a_mode, mode, name, x, y, out=out)
                cells.same(f"{name} where", under_a_mode, mode, name, x, y, out=out, where=x > 0)
                cells.same(f"{name} dtype", under_a_mode, mode, name, x, y, dtype=bool if name == "less" else "f4")
                cells.same(f"{name} broadcast", under_a_mode, mode, name, x[0], y[:, :1])
                cells.same(f"{name} flipped", under_a_mode, mode, name, Layout(x, (slice(None, None, -1),)), y)

    def test_integers_to_negative_powers(self, mode):
        with Cells() as cells:
            for dtype, exponents in itertools.product(SIGNED, (-1, [-1], [2, -3, 1])):
                cells.same(f"{dtype} {exponents}", under_a_mode, mode, "power", moderate(dtype, 3), exponents)
                cells.same(f"{dtype} {exponents} typed", under_a_mode, mode, "power", moderate(dtype, 3),
                           numpy.array(exponents, dtype))

    def test_arrays_made_under_a_mode(self, mode):
        with Cells(tolerance="rounded") as cells:
            for name, arguments in {
                "zeros": ((2, 3),),
                "ones": (3,),
                "full": (3, 2.5),
                "arange": (5,),
                "linspace": (0, 1, 5),
                "eye": (3,),
                "array": ([[1, 2], [3, 4.5]],),
                "asarray": (3,),
            }.items():
                cells.same(name, under_a_mode, mode, name, *arguments)

    def test_shape_functions(self, mode):
        x = filled((2, 3, 4))
        rows = {
            "reshape": (x, (4, 6)),
            "transpose": (x,),
            "ravel": (x,),
            "moveaxis": (x, 0, 2),
            "concatenate": ([x, x], 1),
            "stack": ([x, x],),
            "flip": (x, 1),
            "roll": (x, 5),
            "tile": (x, 2),
            "repeat": (x, 2, 0),
            "broadcast_to": (x, (2, 2, 3, 4)),
            "squeeze": (x[:1],),
            "split": (x, 2),
            "expand_dims": (x, 0),
            "where": (x > 0, x, 0),
            "copy": (x,),
            "swapaxes": (x, 0, 2),
            "diagonal": (x,),
        }
        with Cells() as cells:
            for name, arguments in rows.items():
                cells.same(name, under_a_mode, mode, name, *arguments, layout=False)

    def test_errors_are_the_same(self, mode):
        x = filled((3,))
        with Cells() as cells:
            cells.same("shapes", under_a_mode, mode, "add", x, filled((4,)))
            cells.same("loop", under_a_mode, mode, "bitwise_and", x, x)
            cells.same("bool minus bool", under_a_mode, mode, "subtract", x > 0, x > 0)
            cells.same("out", under_a_mode, mode, "add", x, x, out=numpy.zeros(3, int))
            cells.same("axis", under_a_mode, mode, "sum", x, axis=3)
            cells.same("reshape", under_a_mode, mode, "reshape", x, (2, 2))
            cells.same("integer", under_a_mode, mode, "add", filled((3,), "u1"), 300)
            cells.same("negative power", under_a_mode, mode, "power", filled((3,), "i4"), -1)


@pytest.mark.parametrize("name", NUMERIC_UFUNCS)
def test_ufuncs_at_the_limits_of_dtypes(name):
    pairs = [(dtype, dtype) for dtype in DTYPES] + [(INT64, UINT64), (UINT64, INT64), (UINT64, FLOAT32)]
    differing = set()
    with Cells(tolerance="rounded") as cells:
        for left, right in pairs if getattr(numpy, name).nin == 2 else [(dtype, None) for dtype in DTYPES]:
            operands = outer_pairs(edges(left), edges(right)) if right is not None else (edges(left),)
            if left.kind not in DIFFERS_AT_EDGES.get(name, ""):
                cells.same(f"{left} {right}", under_a_mode, "dispatch", name, *operands)
            elif compare(under_a_mode, "dispatch", name, *operands, tolerance="rounded"):
                differing.add(left.kind)
        cells.require("stale", differing == set(DIFFERS_AT_EDGES.get(name, "")), f"only {differing} differ")


class TestGradients:
    @pytest.mark.parametrize("name", NUMERIC_UFUNCS)
    def test_ufuncs(self, name):
        nin = getattr(numpy, name).nin
        with Cells(tolerance="rounded") as cells:
            for dtype in (*FLOATS, numpy.dtype("c16")):
                cells.same(dtype, tracked, name, *[suited(name, dtype) for _ in range(nin)])
                if nin == 2:
                    for scalar in (2, 1.5):
                        cells.same(f"{dtype} {scalar}", tracked, name, suited(name, dtype), scalar)

    @pytest.mark.parametrize("name", REDUCTIONS)
    def test_reductions(self, name):
        with Cells(tolerance="sum") as cells:
            for dtype, shape, axis in itertools.product(FLOATS, ((5,), (2, 3), ()), (None, 0, -1)):
                cells.same(f"{dtype} {shape} {axis}", tracked, name, filled(shape, dtype), axis=axis)

    @pytest.mark.parametrize("name", GUFUNCS)
    def test_gufuncs(self, name):
        shapes = {
            "matmul": ((2, 3), (3, 2)),
            "matvec": ((2, 3), (3,)),
            "vecdot": ((2, 3), (3,)),
            "vecmat": ((3,), (3, 2)),
        }[name]
        with Cells(tolerance="sum") as cells:
            for dtype in ("f4", "f8", "c16"):
                cells.same(dtype, tracked, name, *(filled(shape, dtype) for shape in shapes))


@pytest.mark.parametrize("name", NUMERIC_UFUNCS)
class TestSizesAndLayouts:
    def test_sizes(self, name):
        nin = getattr(numpy, name).nin
        with Cells(tolerance="sum" if "logaddexp" in name else "rounded") as cells:
            for dtype, size in itertools.product(("f8", "f4", "i4"), SIZES):
                operands = [suited(name, dtype, (size,)), suited(name, dtype, (size,))[::-1].copy()][:nin]
                cells.same(f"{dtype} {size}", call, name, *operands)
                if nin == 2 and size:
                    cells.same(f"{dtype} {size} scalar", call, name, operands[0], 2)
                    cells.same(f"{dtype} {size} 0-d", call, name, numpy.array(operands[0][1 % size]), operands[1])

    def test_contiguous_strided_flipped(self, name):
        nin = getattr(numpy, name).nin
        with Cells(tolerance="sum" if "logaddexp" in name else "rounded") as cells:
            for dtype, size in itertools.product(("f8", "f4", "i8", "c8"), (1, 5, 33, 1000, 33000)):
                values = suited(name, dtype, (2 * size,))
                views = {
                    "strided": Layout(values, (slice(None, None, 2),)),
                    "flipped": Layout(values[:size], (slice(None, None, -1),)),
                    "offset": Layout(values, (slice(1, 1 + size),)),
                    "flipped and strided": Layout(values, (slice(None, None, -2),)),
                }
                for label, view in views.items():
                    cells.same(f"{dtype} {size} {label}", call, name, *[view] * nin)
                    if nin == 2:
                        cells.same(f"{dtype} {size} {label} left", call, name, view, values[:size])
                        cells.same(f"{dtype} {size} {label} right", call, name, values[:size], view)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_over_sizes_and_layouts(name):
    with Cells(tolerance="sum") as cells:
        for dtype, size in itertools.product(("f8", "f4", "i4", "?"), SIZES[1:]):
            x = moderate(dtype, size)
            cells.same(f"{dtype} {size}", call, name, x)
            cells.same(f"{dtype} {size} flipped", call, name, Layout(x, (slice(None, None, -1),)))
            cells.same(f"{dtype} {size} strided", call, name, Layout(x, (slice(None, None, 3),)))
            for axis in (0, 1):
                cells.same(f"{dtype} {size} rows {axis}", call, name, numpy.stack([x, x[::-1]]), axis=axis)
                cells.same(f"{dtype} {size} columns {axis}", call, name, numpy.stack([x, x[::-1]], 1), axis=axis)


@pytest.mark.parametrize("name", GUFUNCS)
def test_gufuncs_over_sizes(name):
    with Cells(tolerance="sum") as cells:
        for n, dtype in itertools.product((1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 65), ("f8", "f4", "c16", "i8")):
            square, vector = filled((n, n), dtype), filled((n,), dtype)
            operands = {
                "matmul": (square, square),
                "matvec": (square, vector),
                "vecdot": (vector, vector),
                "vecmat": (vector, square),
            }[name]
            cells.same(f"{n} {dtype}", call, name, *operands)
            cells.same(f"{n} {dtype} stacked", call, name, *(numpy.stack([x] * 3) for x in operands))


@pytest.mark.skipif(under_test is numpy, reason="numpy: it has one kind of operand")
def test_weak_scalars_promote_alike_on_both_paths():
    scalars = [scalar for scalar in WEAK_SCALARS if type(scalar) is not complex or abs(scalar) < 10]
    with Cells() as cells:
        for dtype, scalar, name in itertools.product(DTYPES, scalars, ("add", "multiply", "less", "maximum", "divide")):
            cells.same(
                f"{name} {dtype} {scalar!r}",
                under_a_mode,
                "dispatch",
                name,
                moderate(dtype, 3),
                scalar,
                tolerance="rounded",
            )


@pytest.mark.skipif(under_test is numpy, reason="numpy: it records no gradients")
def test_a_tracked_result_is_tracked_and_a_plain_one_is_not():
    x = under_test.asarray(torch.ones(3, requires_grad=True))
    assert (x * 2).tensor.requires_grad
    assert under_test.sum(x).tensor.requires_grad
    assert x[1:].tensor.requires_grad
    assert x[::-1].sum().tensor.requires_grad
    assert not under_test.ones(3).tensor.requires_grad
    assert not (x > 0).tensor.requires_grad
