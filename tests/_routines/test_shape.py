"""Shape manipulation: reshape, transpose, join, split, repeat, flip, pad; what is a view and what is not."""

import itertools

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._oracle import Cells, Layout, agree, same_as_numpy
from tests._tables import DTYPES, FEW_DTYPES, SHAPES, filled

ORDERS = ("C", "F", "A", "K")
VIEWS = {
    "c": filled((2, 3, 4)),
    "fortran": numpy.asfortranarray(filled((2, 3, 4))),
    "permuted": Layout(filled((2, 3, 4)), (), (1, 2, 0)),
    "strided": Layout(filled((2, 6, 4)), (slice(None), slice(None, None, 2))),
    "flipped": Layout(filled((2, 3, 4)), (slice(None, None, -1), slice(None), slice(None, None, -1))),
    "flipped and strided": Layout(
        filled((2, 6, 8)), (slice(None), slice(None, None, -2), slice(None, None, 2)), (2, 0, 1)
    ),
    "row": filled((1, 24)),
    "empty": filled((2, 0, 4)),
    "0-d": numpy.array(2.5),
    "1-d": filled((24,)),
    "1-d flipped": Layout(filled((24,)), (slice(None, None, -1),)),
}
AXIS_PAIRS = ((0, 1), (1, 0), (0, -1), (-2, 2), (0, 0), (1, 1), (3, 0), (0, 5), (-4, 1), (1.0, 0), ("a", 0))


def call(xp, name, *arguments, **keywords):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments, **keywords)


def viewed(xp, name, array, *arguments, **keywords):
    """Return the result of a function of one array, and whether it shares memory with that array."""
    result = getattr(xp, name)(array, *arguments, **keywords)
    parts = result if isinstance(result, list | tuple) else [result]
    return result, [xp.shares_memory(part, array) for part in parts], [part.flags.writeable for part in parts]


def method(xp, name, array, *arguments, **keywords):
    """Return the result of the method `name`, and whether it shares memory with the array."""
    result = getattr(array, name)(*arguments, **keywords)
    return result, xp.shares_memory(result, array)


class TestReshape:
    SHAPES = (
        (24,),
        (4, 6),
        (2, -1),
        (-1,),
        -1,
        24,
        (1, 24),
        (2, 3, 4),
        (6, 4, 1),
        (1, -1, 1),
        (),
        (0,),
        (5, 5),
        (-1, -1),
        (-2, 12),
        (0, -1),
        (7, -1),
        (2.0, 12),
        "a",
        None,
        (3, 8),
        (2, 0, 3),
        (8, 3),
        (12, 2),
        [4, -1],
        (1, 1, 1),
        numpy.array([6, 4]),
        (2**32, 2**32),
        (-1, 0),
    )

    def test_over_layouts_shapes_and_orders(self):
        with Cells() as cells:
            for (label, array), shape, order in itertools.product(VIEWS.items(), self.SHAPES, ORDERS):
                cells.same(f"{label} {shape} {order}", viewed, "reshape", array, shape, order=order)
                cells.same(f"method {label} {shape} {order}", method, "reshape", array, shape, order=order)

    def test_copy_and_calling_conventions(self):
        with Cells() as cells:
            for (label, array), copy, shape, order in itertools.product(
                VIEWS.items(), (True, False, None), ((24,), (4, 6), -1), "CF"
            ):
                cells.same(f"{label} {copy} {shape} {order}", viewed, "reshape", array, shape, order=order, copy=copy)
                cells.same(
                    f"method {label} {copy} {shape} {order}", method, "reshape", array, shape, order=order, copy=copy
                )
            x = filled((2, 3, 4))
            for arguments in ((4, 6), (4, -1), ((4, 6),), ([4, 6],), (), (24, 1, 1), ("C",), (4, 6, "F"), (4.0, 6)):
                cells.same(f"method {arguments}", method, "reshape", x, *arguments)
            cells.same("shape by name", call, "reshape", x, shape=(4, 6))
            cells.same("no shape", call, "reshape", x)
            cells.same("order nonsense", call, "reshape", x, 24, order="Z")
            cells.same("list", call, "reshape", [[1, 2], [3, 4]], 4)

    @same_as_numpy
    def test_setting_the_shape(xp):
        x = xp.arange(24.0)
        x.shape = (4, -1)
        y = x.T
        for bad in ((5, 5), (-1, -1)):
            with pytest.raises(ValueError, match=r"reshape|unknown dimension"):
                x.shape = bad
        return x, y, x.shape

    def test_ravel_and_flatten(self):
        with Cells() as cells:
            for (label, array), order in itertools.product(VIEWS.items(), ORDERS):
                cells.same(f"ravel {label} {order}", viewed, "ravel", array, order=order)
                for name in ("ravel", "flatten"):
                    cells.same(f"method {name} {label} {order}", method, name, array, order)
            cells.same("list", call, "ravel", [[1, 2], [3, 4]], "F")
            cells.same("order nonsense", call, "ravel", filled((2, 3)), "Z")

    def test_squeeze_and_expand_dims(self):
        with Cells() as cells:
            for shape, axis in itertools.product(
                ((1, 3, 1), (3,), (), (1, 1), (2, 1, 0), (1,)),
                (None, 0, 1, 2, -1, -2, (0,), (0, 2), (0, 0), (), (0, -1), 5, 1.0),
            ):
                x = filled(shape)
                cells.same(f"squeeze {shape} {axis}", viewed, "squeeze", x, axis)
                cells.same(f"squeeze method {shape} {axis}", method, "squeeze", x, axis=axis)
                cells.same(f"expand_dims {shape} {axis}", viewed, "expand_dims", x, axis)
            cells.same("flipped", viewed, "squeeze", Layout(filled((1, 4)), (slice(None), slice(None, None, -1))))
            cells.same("flipped expand_dims", viewed, "expand_dims", VIEWS["flipped"], (0, 2))

    @pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
    def test_atleast(self, name):
        with Cells() as cells:
            for shape in SHAPES:
                cells.same(shape, viewed, name, filled(shape))
            cells.same("none", call, name)
            cells.same("scalar", call, name, 3)
            cells.same("several", call, name, 3, [1, 2], filled((2, 3, 4)))


class TestTranspose:
    def test_transpose(self):
        axes = (
            None,
            (0, 1, 2),
            (2, 0, 1),
            (-1, 0, 1),
            (0, 1),
            (0, 0, 1),
            (0, 1, 3),
            (1, 0),
            (0,),
            (),
            [2, 1, 0],
            0,
            (0.0, 1, 2),
            "a",
        )
        with Cells() as cells:
            for (label, array), item in itertools.product(VIEWS.items(), axes):
                cells.same(f"{label} {item}", viewed, "transpose", array, item)
                cells.same(f"permute_dims {label} {item}", call, "permute_dims", array, item)
                cells.same(f"method {label} {item}", method, "transpose", array, item)
            for arguments in ((), (2, 0, 1), (-1, 0, 1), (0, 1), (None,), (0, 1, 1), (1, "a", 2)):
                cells.same(f"method {arguments}", method, "transpose", VIEWS["c"], *arguments)
            cells.same("list", call, "transpose", [[1, 2], [3, 4]])

    def test_attributes(self):
        with Cells() as cells:
            for label, array in VIEWS.items():
                for name in ("T", "mT", "real", "flat"):
                    cells.same(f"{label} {name}", lambda xp, x, n: xp.asarray(getattr(x, n)), array, name)
            cells.same("matrix_transpose", call, "matrix_transpose", VIEWS["flipped"])
            cells.same("matrix_transpose of one axis", call, "matrix_transpose", filled((3,)))

    @pytest.mark.parametrize("name", ["moveaxis", "rollaxis", "swapaxes"])
    def test_axis_pairs(self, name):
        with Cells() as cells:
            for (label, array), pair in itertools.product(VIEWS.items(), AXIS_PAIRS):
                cells.same(f"{label} {pair}", viewed, name, array, *pair)
                if name == "swapaxes":
                    cells.same(f"method {label} {pair}", method, name, array, *pair)
            if name == "moveaxis":
                for pair in (
                    ((0, 1), (1, 2)),
                    ([0, 1], [-1, -2]),
                    ((0, 1), (0,)),
                    ((0, 0), (1, 2)),
                    ((0, 1), (1, 1)),
                    ((), ()),
                ):
                    cells.same(pair, viewed, name, VIEWS["c"], *pair)
            if name == "rollaxis":
                for axis in (0, 1, -1):
                    cells.same(f"rollaxis {axis}", viewed, name, VIEWS["c"], axis)


class TestBroadcast:
    TARGETS = (
        (2, 3, 4),
        (5, 2, 3, 4),
        (3, 4),
        4,
        (4,),
        (),
        (2, 3, 0),
        (1, 1, 24),
        (3, 24),
        (-1,),
        (2, 0, 4),
        (7, 2, 0, 4),
        "a",
        (2, 2.0),
        None,
    )

    def test_broadcast_to(self):
        with Cells() as cells:
            for (label, array), shape in itertools.product(VIEWS.items(), self.TARGETS):
                cells.same(f"{label} {shape}", viewed, "broadcast_to", array, shape)
            cells.same("list", call, "broadcast_to", [1, 2], (3, 2))
            cells.same("scalar", call, "broadcast_to", 7, (2, 2))

    def test_broadcast_arrays_and_shapes(self):
        with Cells() as cells:
            for shapes in itertools.product(SHAPES, SHAPES):
                cells.same(shapes, call, "broadcast_shapes", *shapes)
                cells.same(f"arrays {shapes}", call, "broadcast_arrays", *map(filled, shapes))
            cells.same("three", call, "broadcast_shapes", (1, 3), (4, 1), (5, 1, 1))
            cells.same("integers", call, "broadcast_shapes", 3, 1, (2, 1))
            cells.same("nothing", call, "broadcast_shapes")
            cells.same("negative", call, "broadcast_shapes", (-1,), (3,))
            cells.same("no arrays", call, "broadcast_arrays")

    @same_as_numpy
    def test_a_broadcast_array_is_read_only(xp):
        xp.broadcast_to(xp.arange(3), (2, 3))[0, 0] = 1


class TestJoin:
    @pytest.mark.parametrize("name", ["concatenate", "concat"])
    def test_concatenate(self, name):
        x, y, z = filled((2, 3)), filled((4, 3), "f4"), filled((2, 1), "i8")
        lists = {
            "two": [x, y],
            "one": [x],
            "none": [],
            "sides": [x, z],
            "tuple": (x, x, x),
            "lists": [[1, 2], [3.5]],
            "0-d": [1, 2],
            "empty": [filled((0, 3)), x],
            "ndim": [x, filled((3,))],
            "array": filled((2, 3, 4)),
            "flipped": [Layout(x, (slice(None, None, -1),)), x],
            "fortran": [numpy.asfortranarray(x)] * 2,
            "mixed": [x, numpy.asfortranarray(x)],
            "permuted": [Layout(filled((2, 3, 4)), (), (1, 2, 0))] * 2,
        }
        with Cells() as cells:
            for (label, arrays), axis in itertools.product(lists.items(), (0, 1, -1, 2, -3, None, 1.0, "a")):
                cells.same(f"{label} {axis}", call, name, arrays, axis=axis)
                cells.same(f"{label} {axis} dtype", call, name, arrays, axis, dtype="f4")
            for left, right in itertools.product(DTYPES, DTYPES):
                pair = filled((3,), left), filled((2,), right)
                cells.same(f"{left} {right}", call, name, pair)
                cells.same(f"{left} as {right}", call, name, [pair[0], pair[0]], dtype=right)
                cells.same(f"{left} out {right}", call, name, [pair[0], pair[0]], out=numpy.zeros(6, right))
            for casting in ("no", "safe", "same_kind", "unsafe"):
                cells.same(casting, call, name, [x, y], dtype="i4", casting=casting)
            cells.same("out and dtype", call, name, [x, y], out=numpy.zeros((6, 3)), dtype="f4")
            cells.same("out of wrong shape", call, name, [x, y], out=numpy.zeros((5, 3)))
            cells.same("no argument", call, name)
            cells.same("not a sequence", call, name, 3)
            cells.same("weak scalars do not stay weak", call, name, [filled((2,), "f4"), [1.5]])

    @same_as_numpy
    def test_concatenate_into_its_own_operand(xp):
        x = xp.arange(6.0)
        xp.concatenate([x[3:], x[:3]], out=x)
        return x

    @pytest.mark.parametrize("name", ["stack", "vstack", "hstack", "dstack", "column_stack", "block"])
    def test_stacks(self, name):
        with Cells() as cells:
            for shape, dtype in itertools.product(SHAPES, FEW_DTYPES):
                arrays = [filled(shape, dtype)] * 3
                cells.same(f"{shape} {dtype}", call, name, arrays)
                cells.same(f"{shape} {dtype} mixed", call, name, [arrays[0], filled(shape)])
                if name == "stack":
                    for axis in (1, -1, 2, -3, 7):
                        cells.same(f"{shape} {dtype} {axis}", call, name, arrays, axis=axis)
            for arrays in (
                [],
                [1, 2],
                [[1, 2], [3, 4.5]],
                [[1, 2], [3]],
                [filled((2, 3)), filled((3, 2))],
                (filled((2,)), filled((3,))),
            ):
                cells.same(f"{arrays}", call, name, arrays)
            if name in ("stack", "vstack", "hstack"):
                for dtype, casting in itertools.product(("f4", "i4"), ("same_kind", "unsafe")):
                    cells.same(f"{dtype} {casting}", call, name, [filled((3,))] * 2, dtype=dtype, casting=casting)
            if name == "stack":
                cells.same("out", call, name, [filled((3,))] * 2, out=numpy.zeros((2, 3), "f4"))

    def test_block_of_nested_lists_and_append(self):
        a, b = filled((2, 2)), filled((2, 1))
        with Cells() as cells:
            cells.same("block", call, "block", [[a, b], [b.T, [[5.0]]]])
            cells.same("block ragged", call, "block", [[a], b])
            for axis in (None, 0, 1, -1, 2):
                cells.same(f"append {axis}", call, "append", a, a, axis=axis)
                cells.same(f"append mismatch {axis}", call, "append", a, b, axis=axis)
            cells.same("append scalar", call, "append", [1, 2], 3.5)
            cells.same("unstack", call, "unstack", filled((3, 2)), axis=1)


class TestSplit:
    @pytest.mark.parametrize("name", ["array_split", "dsplit", "hsplit", "split", "vsplit"])
    def test_sections_and_indices(self, name):
        sections = (1, 2, 3, 4, 5, 0, -1, [1], [1, 3], [3, 1], [0, 10], [-1], [], (2,), numpy.array([1, 2]), 2.0, "a")
        with Cells() as cells:
            for shape, section in itertools.product(((6,), (4, 6), (2, 4, 6), (0, 4), ()), sections):
                cells.same(f"{shape} {section}", viewed, name, filled(shape), section)
                if name in ("split", "array_split"):
                    for axis in (1, -1, 3):
                        cells.same(f"{shape} {section} {axis}", viewed, name, filled(shape), section, axis)
            cells.same("flipped", viewed, name, Layout(filled((4, 4, 4)), (slice(None, None, -1),)), 2)
            cells.same("list", call, name, [[[1, 2], [3, 4]]] * 2, 2)


class TestRepeat:
    def test_tile(self):
        with Cells() as cells:
            for shape, reps in itertools.product(
                SHAPES, (0, 1, 2, (2,), (2, 3), (1, 1, 2), (2, 0), (), -1, [2, 2], numpy.array([2, 1]), 2.0)
            ):
                cells.same(f"{shape} {reps}", call, "tile", filled(shape, "i4"), reps)
            cells.same("list", call, "tile", [1, 2], 2)

    def test_repeat(self):
        with Cells() as cells:
            for shape, repeats, axis in itertools.product(
                ((3,), (2, 3), (0, 3), ()),
                (0, 1, 3, -1, [2], [1, 0, 2], [1, 2], [1, -1, 2], 2.0, [1.0, 2.0, 1.0], (2, 2), True),
                (None, 0, 1, -1, 2),
            ):
                cells.same(f"{shape} {repeats} {axis}", call, "repeat", filled(shape), repeats, axis)
                cells.same(
                    f"method {shape} {repeats} {axis}", lambda xp, x, *a: x.repeat(*a), filled(shape), repeats, axis
                )
            for dtype in DTYPES:
                cells.same(dtype, call, "repeat", filled((3,), dtype), [1, 2, 3])

    def test_resize(self):
        with Cells() as cells:
            for shape, target in itertools.product(SHAPES, (0, 3, (2, 5), (), (0, 2), (-1,), (3, -1), 2.0, [4])):
                cells.same(f"{shape} {target}", call, "resize", filled(shape), target)


class TestFlipRollRotate:
    def test_flips(self):
        with Cells() as cells:
            for label, array in VIEWS.items():
                for axis in (None, 0, 1, -1, (0, 1), (0, -1), (), (0, 0), 5, 1.0):
                    cells.same(f"flip {label} {axis}", viewed, "flip", array, axis)
                for name in ("fliplr", "flipud"):
                    cells.same(f"{name} {label}", viewed, name, array)
                for k, axes in itertools.product(
                    (-1, 0, 1, 2, 3, 4, 7), ((0, 1), (1, 0), (1, 2), (-1, 0), (0, 0), (0, 5), (0,))
                ):
                    cells.same(f"rot90 {label} {k} {axes}", viewed, "rot90", array, k, axes)

    def test_roll(self):
        with Cells() as cells:
            for (label, array), shift, axis in itertools.product(
                VIEWS.items(), (0, 1, -1, 5, 100, (1, 2), (1, 1), 2.0), (None, 0, 1, -1, (0, 1), (0, 0), 7)
            ):
                cells.same(f"{label} {shift} {axis}", call, "roll", array, shift, axis)


class TestInsertDeletePadTrim:
    INDICES = (
        0,
        1,
        -1,
        3,
        4,
        -4,
        9,
        [0],
        [0, 2],
        [0, 0],
        [2, 0],
        [],
        slice(0, 2),
        slice(None, None, 2),
        slice(None, None, -1),
        [True, False, True],
        [-1, 1],
        1.5,
        "a",
        numpy.array(1),
        [[0], [1]],
    )

    def test_insert(self):
        with Cells() as cells:
            for (number, index), axis in itertools.product(enumerate(self.INDICES), (None, 0, 1, -1, 2)):
                for values in (7, [7], [7, 8], 1.5, [[7, 8, 9]]):
                    cells.same(f"{number} {axis} {values}", call, "insert", filled((3, 3), "i4"), index, values, axis)
            cells.same("1-d", call, "insert", [1, 2, 3], 1, 9.5)

    def test_delete(self):
        with Cells() as cells:
            for (number, index), axis in itertools.product(enumerate(self.INDICES), (None, 0, 1, -1, 2)):
                cells.same(f"{number} {axis}", call, "delete", filled((3, 3)), index, axis)
            cells.same("fortran", call, "delete", numpy.asfortranarray(filled((3, 3))), 1, 0)

    def test_pad(self):
        modes = (
            "constant",
            "edge",
            "linear_ramp",
            "maximum",
            "mean",
            "median",
            "minimum",
            "reflect",
            "symmetric",
            "wrap",
            "empty",
        )
        with Cells(tolerance="rounded") as cells:
            for mode, width, dtype in itertools.product(
                modes[:-1], (0, 1, (1, 2), ((1, 0), (0, 2)), 5, {0: 1}, {-1: (0, 2)}), ("f8", "i4")
            ):
                cells.same(f"{mode} {width} {dtype}", call, "pad", filled((3, 4), dtype), width, mode=mode)
            for keywords in (
                {"constant_values": 3},
                {"constant_values": (1, 2)},
                {"constant_values": ((1, 2), (3, 4))},
                {"mode": "reflect", "reflect_type": "odd"},
                {"mode": "maximum", "stat_length": 2},
                {"mode": "linear_ramp", "end_values": (5, -4)},
                {"mode": "nonsense"},
                {"mode": "edge", "end_values": 3},
            ):
                cells.same(keywords, call, "pad", filled((3, 4)), 2, **keywords)
            for width in (-1, (1, 2, 3), 1.5, "a", ((1, 2),)):
                cells.same(f"width {width}", call, "pad", filled((3, 4)), width)
            cells.same("empty", call, "pad", numpy.zeros((0, 3)), 1)
            cells.same("list", call, "pad", [1, 2], 1)

    def test_trim_zeros(self):
        with Cells() as cells:
            for values, trim in itertools.product(
                ([0, 0, 1, 0, 2, 0], [0, 0], [], [1, 2], [0.0, 1.5, 0.0]), ("fb", "f", "b", "FB", "x")
            ):
                cells.same(f"{values} {trim}", call, "trim_zeros", numpy.array(values), trim)
            cells.same("matrix", call, "trim_zeros", numpy.array([[0, 0, 0], [0, 1, 0]]))
            cells.same("axis", call, "trim_zeros", numpy.array([[0, 0, 0], [0, 1, 0]]), axis=1)

    def test_unique(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for keywords in (
                    {},
                    {"return_index": True},
                    {"return_inverse": True},
                    {"return_counts": True},
                    {"return_index": True, "return_inverse": True, "return_counts": True},
                ):
                    cells.same(f"{dtype} {keywords}", call, "unique", filled((4, 6), dtype), **keywords)
                    for axis in (0, 1, 2):
                        cells.same(
                            f"{dtype} {keywords} {axis}",
                            call,
                            "unique",
                            filled((4, 2), dtype).repeat(2, 0),
                            axis=axis,
                            **keywords,
                        )
            nan = numpy.array([numpy.nan, 1, numpy.nan, 2, 1])
            cells.same("nan", call, "unique", nan)
            cells.same("nan apart", call, "unique", nan, equal_nan=False)
            cells.same("list", call, "unique", [3, 1, 1])
            cells.same("empty", call, "unique", numpy.zeros(0), return_inverse=True)


class TestWritesThroughViews:
    @same_as_numpy
    def test_every_view_writes_into_its_base(xp):
        x = xp.zeros((4, 6))
        x.T[0] = 1
        x.reshape(-1)[7] = 2
        x[::-1, ::-1].reshape(4, 6, 1)[0, 0] = 3
        xp.flip(x, 0)[1] += 10
        xp.moveaxis(x, 0, 1)[2] -= 5
        xp.rot90(x)[0, 0] = 99
        xp.split(x, 2)[1][0, 1] = 77
        x.ravel()[3] = 55
        xp.expand_dims(x, 0)[0, 3, 3] = 44
        xp.atleast_3d(x)[1, 4] = 33
        x.swapaxes(0, 1)[::-1][0, ::-1][:2] = 22
        return x

    @same_as_numpy
    def test_flipping_twice_is_the_same_memory(xp):
        x = xp.arange(6.0).reshape(2, 3)
        y = x[::-1, ::-1][::-1, ::-1]
        y[0, 0] = 9
        return x, y, y.flags.c_contiguous, xp.shares_memory(x, y)


@st.composite
def views(draw):
    """Draw a random view of one to four axes."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    steps = tuple(slice(None, None, draw(st.sampled_from([1, 1, -1, 2, -2]))) for _ in shape)
    return Layout(
        filled(shape, draw(st.sampled_from(["f8", "u1", "c8"]))), steps, tuple(draw(st.permutations(range(len(shape)))))
    )


@given(views(), st.data())
def test_any_reshape_of_any_view(view, data):
    array = view.build(numpy)
    factors = [n for n in range(1, array.size + 1) if array.size % n == 0]
    first = data.draw(st.sampled_from(factors))
    order = data.draw(st.sampled_from("CFA"))
    agree(viewed, "reshape", view, (first, -1), order=order)
    agree(viewed, "reshape", view, (-1, 1, first), order=order)
    agree(viewed, "ravel", view, order=data.draw(st.sampled_from(ORDERS)))


@given(views(), st.data())
def test_any_chain_of_views(view, data):
    def chain(xp, array, steps):
        for step in steps:
            axis = step % array.ndim
            array = (
                array.T
                if step % 5 == 0
                else xp.flip(array, axis)
                if step % 5 == 1
                else xp.moveaxis(array, axis, 0)
                if step % 5 == 2
                else xp.expand_dims(array, axis)
                if step % 5 == 3 and array.ndim < 6
                else array[::2]
            )
        array[...] = array + 1
        return array

    agree(chain, view, data.draw(st.lists(st.integers(0, 20), max_size=8)))


@given(st.lists(views(), min_size=1, max_size=3), st.integers(-2, 2))
def test_any_concatenation_and_stack(arrays, axis):
    agree(call, "concatenate", arrays, axis=axis)
    agree(call, "stack", arrays[:1] * 3, axis=axis)
    agree(call, "hstack", arrays)


@pytest.mark.parametrize("writeable", [True, False])
def test_broadcast_arrays_may_be_written_to_where_what_was_given_may(writeable):
    def body(xp):
        a = xp.arange(3.0)
        a.flags.writeable = writeable
        views = xp.broadcast_arrays(a, xp.zeros((2, 1)), xp.zeros((2, 3)))
        return [view.strides for view in views], [view.flags.writeable for view in views]

    agree(body)


def test_broadcast_arrays_of_one_shape_are_themselves():
    def body(xp):
        a, b = xp.arange(3.0), xp.zeros(3)
        first, second = xp.broadcast_arrays(a, b)
        return first is a, second is b

    agree(body)
