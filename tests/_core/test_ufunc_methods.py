"""`reduce`, `accumulate`, `reduceat`, `outer` and `at` of every ufunc, and the axes of generalised ufuncs."""

import itertools

import numpy
import pytest

from tests._oracle import Cells, Layout, agree, same_as_numpy, under_test
from tests._tables import (
    BINARY_UFUNCS,
    DISTINCT_UFUNCS,
    DTYPES,
    FEW_DTYPES,
    GUFUNCS,
    REDUCIBLE_UFUNCS,
    filled,
)

AXES = (None, 0, 1, -1, (0, 1), (1, 0), (), (0, -1), 2, 5, -4, (0, 0), 1.0, "a")
GUFUNC_SHAPES = {
    "matmul": [
        ((2, 3), (3, 4)),
        ((3,), (3,)),
        ((3,), (3, 4)),
        ((2, 3), (3,)),
        ((5, 2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)),
        ((4, 1, 2, 3), (5, 3, 2)),
        ((0, 3), (3, 2)),
        ((2, 0), (0, 3)),
        ((2, 3), (2, 3)),
        ((), (3,)),
        ((3, 2), ()),
        ((2, 2, 3), (3, 3, 2)),
        ((1, 1), (1, 1)),
        ((5, 0, 3), (3, 2)),
    ],
    "vecdot": [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 1, 3), (4, 3)),
        ((2, 0), (2, 0)),
        ((0, 3), (3,)),
        ((3,), (4,)),
        ((), (3,)),
    ],
    "matvec": [((2, 3), (3,)), ((4, 2, 3), (3,)), ((2, 3), (5, 3)), ((2, 0), (0,)), ((3,), (3,)), ((2, 3), (2,)),
               ((4, 2, 3), (4, 3)), ((5, 1, 2, 3), (4, 3)), ((0, 2, 3), (3,)), ((4, 2, 3), (5, 3))],
    "vecmat": [((3,), (3, 2)), ((5, 3), (3, 2)), ((3,), (4, 3, 2)), ((0,), (0, 2)), ((3,), (3,)), ((2,), (3, 2)),
               ((4, 3), (4, 3, 2)), ((4, 3), (5, 1, 3, 2)), ((3,), (0, 3, 2)), ((5, 3), (4, 3, 2))],
}


def method(xp, name, which, *operands, **keywords):
    """Return what a method of the ufunc `name` returns."""
    return getattr(getattr(xp, name), which)(*operands, **keywords)


def suited(name, dtype, shape):
    """Return operands whose reduction by `name` stays defined."""
    values = filled(shape, dtype)
    return abs(values).astype(dtype) if name in ("power", "left_shift", "right_shift", "ldexp") else values


class TestReduce:
    @pytest.mark.parametrize("name", REDUCIBLE_UFUNCS)
    def test_over_dtypes_shapes_and_axes(self, name):
        with Cells() as cells:
            for dtype, shape, axis in itertools.product(
                FEW_DTYPES, ((5,), (2, 3), (2, 3, 4), ()), (None, 0, -1, (0, 1), ())
            ):
                x = suited(name, dtype, shape)
                cells.same(f"{dtype} {shape} {axis}", method, name, "reduce", x, axis=axis)
                cells.same(f"{dtype} {shape} {axis} keepdims", method, name, "reduce", x, axis=axis, keepdims=True)

    @pytest.mark.parametrize("name", REDUCIBLE_UFUNCS)
    def test_empty(self, name):
        with Cells() as cells:
            for dtype, shape, axis in itertools.product(
                FEW_DTYPES, ((0,), (0, 3), (3, 0), (2, 0, 3)), (None, 0, 1, ())
            ):
                x = numpy.zeros(shape, dtype)
                cells.same(f"{dtype} {shape} {axis}", method, name, "reduce", x, axis=axis)
                cells.same(f"{dtype} {shape} {axis} initial", method, name, "reduce", x, axis=axis, initial=1)

    @pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_or", "bitwise_and", "subtract", "hypot"])
    def test_keywords(self, name):
        dtype = "i4" if name == "bitwise_and" else "f8"
        x = filled((3, 4), dtype)
        mask = x > 0
        with Cells() as cells:
            for axis in AXES:
                cells.same(f"axis {axis}", method, name, "reduce", x, axis=axis)
                cells.same(f"where {axis}", method, name, "reduce", x, axis=axis, where=mask)
                cells.same(f"initial {axis}", method, name, "reduce", x, axis=axis, initial=2)
                cells.same(f"both {axis}", method, name, "reduce", x, axis=axis, initial=2, where=mask)
            for initial in (0, 3, -1, 2.5, 1j, True, None, "a", numpy.float32(3)):
                cells.same(f"initial {initial!r}", method, name, "reduce", x, initial=initial)
            for where in (True, False, mask[0], mask[:, :1], [True, False, True, True], 1, numpy.ones((2, 3, 4), bool)):
                cells.same(f"where {where}", method, name, "reduce", x, axis=0, where=where, initial=1)
                cells.same(f"where {where} without initial", method, name, "reduce", x, axis=0, where=where)
            cells.same("positional", method, name, "reduce", x, 1, None, None, True, 1)
            cells.same("too many", method, name, "reduce", x, 1, None, None, True, 1, True, 3)
            cells.same("array by name", lambda xp, a: getattr(xp, name).reduce(array=a), x)
            cells.same("list", method, name, "reduce", x.tolist())
            cells.same("nothing", method, name, "reduce")
            cells.same("unknown", method, name, "reduce", x, nonsense=3)

    @pytest.mark.parametrize(
        "name", ["add", "multiply", "minimum", "logical_and", "bitwise_or", "logaddexp", "fmax", "equal"]
    )
    def test_dtype_and_out(self, name):
        def into(xp, operand, out, axis, **keywords):
            result = getattr(xp, name).reduce(operand, axis=axis, out=out, **keywords)
            return result, result is out

        with Cells() as cells:
            for dtype, target in itertools.product(DTYPES, DTYPES):
                x = abs(filled((3, 4), dtype)).astype(dtype)
                cells.same(f"{dtype} as {target}", method, name, "reduce", x, dtype=target)
                cells.same(f"{dtype} into {target}", into, x, numpy.ones(4, target), 0)
            x = filled((3, 4), "i4")
            cells.same("out and dtype", into, x, numpy.ones(4, "f8"), 0, dtype="f4")
            cells.same("out keepdims", into, x, numpy.ones((1, 4), "i8"), 0, keepdims=True)
            cells.same("out of wrong shape", into, x, numpy.ones(3, "i8"), 0)
            cells.same("out of wrong ndim", into, x, numpy.ones((1, 4), "i8"), 0)
            cells.same("out 0-d", into, x, numpy.ones((), "i8"), None)
            cells.same("out in a tuple", lambda xp, a, o: xp.add.reduce(a, out=(o,)), x, numpy.zeros(4, "i8"))
            cells.same("out a tuple of two", lambda xp, a, o: xp.add.reduce(a, out=(o, o)), x, numpy.zeros(4, "i8"))

    def test_integers_of_every_width_accumulate_as_numpy(self):
        with Cells() as cells:
            for name, dtype in itertools.product(("add", "multiply", "maximum", "logical_or", "bitwise_xor"), DTYPES):
                cells.same(f"{name} {dtype}", method, name, "reduce", numpy.full(40, 100, dtype).clip(max=101))

    @pytest.mark.parametrize("size", [1, 7, 8, 9, 127, 128, 129, 1000, 4096, 10007])
    @pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
    def test_sums_are_as_precise_as_pairwise(self, size, dtype, rng):
        values = rng.standard_normal(size).astype(dtype)
        with Cells(tolerance="sum") as cells:
            cells.same("whole", method, "add", "reduce", values)
            square = values[: size // 7 * 7].reshape(7, -1)
            for axis in (0, 1, None):
                cells.same(f"axis {axis}", method, "add", "reduce", square, axis=axis)
                cells.same(f"transposed axis {axis}", method, "add", "reduce", Layout(square, (), (1, 0)), axis=axis)

    def test_layouts(self):
        values = filled((4, 6, 5), "i8")
        layouts = {
            "fortran": numpy.asfortranarray(values),
            "flipped": Layout(values, (slice(None, None, -1), slice(None), slice(None, None, -1))),
            "strided": Layout(values, (slice(None, None, 2), slice(1, None, 3))),
            "permuted": Layout(values, (), (1, 2, 0)),
            "inserted": Layout(values, (None, slice(None, None, -2))),
        }
        with Cells() as cells:
            for (label, x), name in itertools.product(layouts.items(), ("add", "subtract", "maximum", "bitwise_or")):
                for axis in (0, 1, 2, -1):
                    cells.same(f"{name} {label} {axis}", method, name, "reduce", x, axis=axis)
                if name != "subtract":
                    for axis in (None, (0, 1), (0, 2), (2, 1)):
                        cells.same(f"{name} {label} {axis}", method, name, "reduce", x, axis=axis)

    def test_out_overlaps_the_operand(self):
        def overlap(xp, x):
            xp.add.reduce(x, axis=0, out=x[1])
            return x

        agree(overlap, filled((3, 4)))


class TestAccumulate:
    @pytest.mark.parametrize("name", REDUCIBLE_UFUNCS)
    def test_over_dtypes_shapes_and_axes(self, name):
        with Cells() as cells:
            for dtype, shape, axis in itertools.product(
                FEW_DTYPES, ((5,), (2, 3), (0,), (0, 3), (2, 3, 4), ()), (0, -1, 1)
            ):
                x = suited(name, dtype, shape)
                cells.same(f"{dtype} {shape} {axis}", method, name, "accumulate", x, axis=axis)

    @pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_and", "subtract"])
    def test_keywords(self, name):
        x = filled((3, 4), "i4")
        with Cells() as cells:
            for axis in (0, 1, -2, 2, -3, None, (0,), (0, 1), 1.0):
                cells.same(f"axis {axis}", method, name, "accumulate", x, axis=axis)
            for dtype in DTYPES:
                cells.same(f"as {dtype}", method, name, "accumulate", abs(x), dtype=dtype)
                cells.same(f"of {dtype}", method, name, "accumulate", abs(x).astype(dtype))
                cells.same(f"into {dtype}", method, name, "accumulate", abs(x), out=numpy.ones((3, 4), dtype))
            cells.same("positional", method, name, "accumulate", x, 1, "f8")
            cells.same("out in a tuple", method, name, "accumulate", x, out=(numpy.ones((3, 4)),))
            cells.same("out of wrong shape", method, name, "accumulate", x, out=numpy.ones((4, 3)))
            cells.same("keepdims", method, name, "accumulate", x, keepdims=True)
            cells.same("fortran", method, name, "accumulate", numpy.asfortranarray(x), axis=1)
            cells.same("flipped", method, name, "accumulate", Layout(x, (slice(None, None, -1), slice(None, None, 2))))

    def test_in_place(self):
        def in_place(xp, x):
            xp.add.accumulate(x, out=x)
            xp.multiply.accumulate(x, axis=1, out=x)
            return x

        agree(in_place, filled((3, 4), "i8"))


class TestReduceat:
    @pytest.mark.parametrize("name", REDUCIBLE_UFUNCS)
    def test_over_dtypes_and_indices(self, name):
        indices = ([0], [0, 2], [2, 0, 3], [4, 4, 1], [0, 1, 2, 3, 4, 5], [5, 0])
        with Cells() as cells:
            for dtype, index in itertools.product(FEW_DTYPES, indices):
                cells.same(f"{dtype} {index}", method, name, "reduceat", suited(name, dtype, (6,)), index)
                cells.same(
                    f"{dtype} {index} axis 1", method, name, "reduceat", suited(name, dtype, (2, 6)), index, axis=1
                )

    def test_keywords_and_errors(self):
        x = filled((6, 3), "i4")
        with Cells() as cells:
            for index in ([], [6], [-1], [[0, 1]], 2, [1.0], [True], "a", numpy.array([0, 3], "u1"), (0, 2), None):
                cells.same(f"index {index}", method, "add", "reduceat", x, index)
            for axis in (0, 1, -1, 2, None, (0,)):
                cells.same(f"axis {axis}", method, "add", "reduceat", x, [0, 1], axis=axis)
            for dtype in DTYPES:
                cells.same(f"as {dtype}", method, "add", "reduceat", x, [0, 2], dtype=dtype)
                cells.same(f"into {dtype}", method, "add", "reduceat", abs(x), [0, 2], out=numpy.ones((2, 3), dtype))
            cells.same("positional", method, "add", "reduceat", x, [0, 1], 1, "f8")
            cells.same("empty operand", method, "add", "reduceat", numpy.zeros((0, 3)), [0])
            cells.same("0-d operand", method, "add", "reduceat", numpy.array(3), [0])


class TestOuter:
    @pytest.mark.parametrize("name", BINARY_UFUNCS)
    def test_over_shapes_and_dtypes(self, name):
        shapes = ((3,), (2, 3), (), (0,))
        with Cells() as cells:
            for left, right, dtype in itertools.product(shapes, shapes, ("f8", "i4", "u1")):
                pair = suited(name, dtype, left), suited(name, dtype, right)
                cells.same(f"{dtype} {left} {right}", method, name, "outer", *pair)

    def test_keywords_and_errors(self):
        x, y = filled((2,), "f4"), filled((3,), "i8")
        with Cells() as cells:
            cells.same("dtype", method, "add", "outer", x, y, dtype="f8")
            cells.same("dtype that narrows", method, "add", "outer", x, y, dtype="f4", casting="unsafe")
            cells.same("out", method, "add", "outer", x, y, out=numpy.zeros((2, 3)))
            cells.same("out of wrong shape", method, "add", "outer", x, y, out=numpy.zeros((3, 2)))
            cells.same("where", method, "add", "outer", x, y, out=numpy.zeros((2, 3)), where=[True, False, True])
            cells.same("lists", method, "add", "outer", [1, 2], [1.5])
            cells.same("scalars", method, "add", "outer", 1, 2)
            cells.same("weak scalar", method, "add", "outer", x, 2)
            cells.same("one operand", method, "add", "outer", x)
            cells.same("unary", method, "sin", "outer", x, y)
            cells.same("two results", method, "divmod", "outer", x, y)


class TestAt:
    @staticmethod
    def at(xp, name, values, *arguments):
        """Return the array after `at`."""
        result = getattr(xp, name).at(values, *arguments)
        return values, result

    @pytest.mark.parametrize("name", DISTINCT_UFUNCS)
    def test_every_ufunc_over_dtypes(self, name):
        with Cells() as cells:
            for dtype in FEW_DTYPES:
                values = suited(name, dtype, (6,))
                operands = [values[1:5]] if getattr(numpy, name).nin == 2 else []
                cells.same(dtype, self.at, name, values, [0, 2, 2, 5], *operands)
                for number in (2, -1, 300, 0.1, 1.5, 2**40, 1e300, True):
                    cells.same(f"{dtype} {number}", self.at, name, values, [1, 1, 1], *[number for _ in operands])

    def test_indices(self):
        x = filled((4, 5), "i8")
        indices = {
            "repeated": [0, 0, 1, 0],
            "slice": slice(1, 3),
            "integer": 2,
            "negative": [-1, -1, 0],
            "pair": ([0, 1, 0], [2, 2, 2]),
            "mask": x > 0,
            "mixed": (slice(None), [1, 1, 2]),
            "ellipsis": ...,
            "none": None,
            "nested": [[0, 1], [1, 0]],
            "out of bounds": [4],
            "empty": numpy.zeros(0, int),
            "float": [1.0],
            "array": numpy.array([3, 3], "u1"),
            "too many": (0, 0, 0),
            "reversed": slice(None, None, -1),
        }
        with Cells() as cells:
            for label, index in indices.items():
                cells.same(f"add {label}", self.at, "add", x, index, 1)
                cells.same(f"maximum {label}", self.at, "maximum", x, index, 3)
                cells.same(f"negative {label}", self.at, "negative", x, index)
            cells.same("values broadcast", self.at, "add", x, [0, 0], numpy.arange(5))
            cells.same("values do not broadcast", self.at, "add", x, [0, 0], numpy.arange(4))
            cells.same("float into int", self.at, "add", x, [0], 1.5)
            cells.same("missing operand", self.at, "add", x, [0])
            cells.same("operand too many", self.at, "negative", x, [0], 1)
            cells.same("two results", self.at, "modf", x, [0])
            cells.same("not an array", lambda xp: xp.add.at([1, 2], [0], 1))

    @same_as_numpy
    def test_at_writes_through_views_and_refuses_read_only_arrays(xp):
        x = xp.arange(12.0).reshape(3, 4)
        xp.add.at(x[::-1, ::2], ([0, 0, 1], [1, 1, 0]), 100)
        kept = x.copy()
        x.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            xp.add.at(x, [0], 1)
        return kept, x


class TestGufuncs:
    @pytest.mark.parametrize("name", GUFUNCS)
    def test_over_shapes_and_dtypes(self, name):
        with Cells(tolerance="sum") as cells:
            for (left, right), dtype in itertools.product(
                GUFUNC_SHAPES[name], ("f8", "f4", "i8", "u2", "?", "c16", "f2")
            ):
                cells.same(f"{dtype} {left} {right}", call, name, filled(left, dtype), filled(right, dtype))

    @pytest.mark.parametrize("name", GUFUNCS)
    def test_two_dtypes(self, name):
        with Cells(tolerance="sum") as cells:
            for (left, right), one, other in itertools.product(GUFUNC_SHAPES[name][:2], FEW_DTYPES, FEW_DTYPES):
                cells.same(f"{one} {other} {left} {right}", call, name, filled(left, one), filled(right, other))

    @pytest.mark.parametrize("name", GUFUNCS)
    def test_layouts(self, name):
        left, right = {
            "matmul": ((4, 6), (6, 5)),
            "vecdot": ((4, 6), (4, 6)),
            "matvec": ((4, 6), (6,)),
            "vecmat": ((6,), (6, 5)),
        }[name]
        with Cells(tolerance="sum") as cells:
            for dtype in ("f8", "i4", "c8"):
                x, y = filled(left, dtype), filled(right, dtype)
                layouts = [
                    [
                        v,
                        numpy.asfortranarray(v),
                        Layout(v.T.copy(), (), range(v.ndim)[::-1]),
                        Layout(v[::-1].copy(), (slice(None, None, -1),)),
                    ]
                    for v in (x, y)
                ]
                for (i, a), (j, b) in itertools.product(*map(enumerate, layouts)):
                    cells.same(f"{dtype} {i} {j}", call, name, a, b)
                    cells.same(f"{dtype} {i} {j} strided", call, name, Layout(numpy.stack([x, x], -1), (..., 0)), b)
                stacks = [Layout(filled((3, *v.shape), dtype), (slice(None, None, -1),) * (v.ndim + 1)) for v in (x, y)]
                cells.same(f"{dtype} stacks that run backwards", call, name, *stacks)

    def test_axes(self):
        x, y = filled((2, 3, 4)), filled((2, 3, 4))[::-1].copy()
        axes = [
            [(-2, -1), (-1, -2), (-2, -1)],
            [(0, 2), (2, 0), (0, 1)],
            [(1, 2), (2, 1), (0, 1)],
            [(1, 2), (2, 1), (-1, -2)],
            [(0, 1), (1, 0)],
            [(0, 1), (1, 0), (1, 0)],
            [(0, 0), (1, 0), (0, 1)],
            [(0, 5), (1, 0), (0, 1)],
            [0, 1, 2],
            [],
            3,
            [(0, 1, 2), (1, 0), (0, 1)],
            ((1, 2), (2, 1), (0, 1)),
            [(1, 2), (2, 1), (0, 3)],
        ]
        with Cells(tolerance="sum") as cells:
            for item in axes:
                cells.same(f"matmul {item}", call, "matmul", x, y, axes=item)
            for item in ([0, 0], [-1, -1], [0, 1], [0, 0, 0], [(0,), (0,), ()], [2, 2, ()], [5, 0], [0], [None, 0]):
                cells.same(f"vecdot {item}", call, "vecdot", x, y, axes=item)
            for item in ([(0, 1), 0, 0], [(1, 2), 2, -1], [(1, 2), 2], [(1, 2), -1, 0], [(1, 2), (2,), (1,)]):
                cells.same(f"matvec {item}", call, "matvec", x, y, axes=item)
            for item in ([0, (0, 1), 0], [1, (1, 2), -1], [1, (1, 2)], [2, (-1, 0), 0]):
                cells.same(f"vecmat {item}", call, "vecmat", x, y, axes=item)

    def test_axis_and_keepdims(self):
        x = filled((2, 3, 4), "c16")
        with Cells(tolerance="sum") as cells:
            for axis, keepdims in itertools.product((0, 1, -1, 3, None, (0,), 1.0), (False, True)):
                cells.same(f"{axis} {keepdims}", call, "vecdot", x, x[::-1].copy(), axis=axis, keepdims=keepdims)
            cells.same("axes and keepdims", call, "vecdot", x, x, axes=[0, 0, 0], keepdims=True)
            cells.same("axis and axes", call, "vecdot", x, x, axes=[0, 0], axis=0)
            for name in ("matmul", "matvec", "vecmat"):
                cells.same(f"{name} axis", call, name, x, x, axis=0)
                cells.same(f"{name} keepdims", call, name, x, x, keepdims=True)

    @pytest.mark.parametrize("name", GUFUNCS)
    def test_out_dtype_order_casting_where(self, name):
        left, right = GUFUNC_SHAPES[name][0]
        result = getattr(numpy, name)(filled(left), filled(right)).shape
        with Cells(tolerance="sum") as cells:
            for dtype, target in itertools.product(FEW_DTYPES, FEW_DTYPES):
                x, y = abs(filled(left, dtype)).astype(dtype), abs(filled(right, dtype)).astype(dtype)
                cells.same(f"{dtype} into {target}", call, name, x, y, out=numpy.ones(result, target))
                cells.same(f"{dtype} as {target}", call, name, x, y, dtype=target)
                cells.same(f"{dtype} unsafe {target}", call, name, x, y, dtype=target, casting="unsafe")
            x, y = filled(left), filled(right)
            for order in "CFAK":
                cells.same(order, call, name, x, y, order=order)
                cells.same(
                    f"{order} fortran", call, name, numpy.asfortranarray(x), numpy.asfortranarray(y), order=order
                )
            cells.same("out positional", call, name, x, y, numpy.ones(result))
            cells.same("out of wrong shape", call, name, x, y, numpy.ones((7, 7)))
            cells.same("out broadcast", call, name, x, y, numpy.ones((2, *result)))
            cells.same("where", call, name, x, y, where=True)
            cells.same("weak scalar", call, name, x, 2)
            cells.same("one operand", call, name, x)
            cells.same("lists", call, name, x.tolist(), y.tolist())
            for which in ("reduce", "accumulate", "outer"):
                cells.same(which, method, name, which, x)
            cells.same("reduceat", method, name, "reduceat", x, [0])

    def test_matmul_out_overlaps_an_operand(self):
        def overlap(xp, x, y):
            xp.matmul(x, y, out=x)
            xp.matmul(x.T, y, out=y)
            return x, y

        agree(overlap, filled((3, 3)), filled((3, 3))[::-1].copy(), tolerance="sum")

    def test_vecdot_conjugates_the_first_operand(self):
        x = filled((4,), "c16")
        agree(call, "vecdot", x, x * 1j, tolerance="sum")
        agree(call, "vecmat", x, filled((4, 2), "c16"), tolerance="sum")


def call(xp, name, *operands, **keywords):
    """Return the result of the ufunc `name`."""
    return getattr(xp, name)(*operands, **keywords)


def test_methods_refuse_ufuncs_of_another_arity():
    with Cells() as cells:
        for name, which in itertools.product(DISTINCT_UFUNCS, ("reduce", "accumulate")):
            if getattr(numpy, name).nin != 2 or getattr(numpy, name).nout != 1:
                cells.same(f"{name}.{which}", method, name, which, filled((2, 3)))


def test_methods_are_those_of_the_class():
    with Cells() as cells:
        for which in ("reduce", "accumulate", "reduceat", "outer", "at"):
            cells.same(
                which,
                lambda xp, w: getattr(xp.ufunc, w)(
                    xp.add, xp.arange(4), *{"outer": [3], "at": [[0], 1], "reduceat": [[0]]}.get(w, [])
                ),
                which,
            )
    assert isinstance(under_test.add, under_test.ufunc)


def test_outer_of_arrays_that_run_backwards():
    def body(xp, a, b):
        return [xp.add.outer(a[::-1], b), xp.subtract.outer(a, b[::-1]), xp.multiply.outer(a[::-1], b[::-1, ::-1])]

    agree(body, numpy.arange(3.0), numpy.arange(6.0).reshape(2, 3))
