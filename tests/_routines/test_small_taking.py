"""Taking, writing, repeating and counting on plain arrays: dtypes, layouts, modes, numbers of every kind."""

import itertools

import numpy

from tests._oracle import Cells, Layout, Raised
from tests._routines.test_small_sorting import by_method, dims, layouts, named, random
from tests._tables import DTYPES, filled

RNG = numpy.random.default_rng(12)
MODES = ("raise", "wrap", "clip", "Raise", None)
NUMBERS = (
    numpy.array([0, 2, -1, 0]),
    numpy.array([[1, 0], [-2, 1]], "i4"),
    numpy.array([1, 2], "u1"),
    numpy.array([True, False]),
    numpy.array([1], "u8"),
    numpy.array([1.0]),
    numpy.array([], "i8"),
    numpy.array(1),
    numpy.array([9, -9, 1]),
    Layout(numpy.arange(6) % 3, (slice(None, None, -2),)),
    0,
    -1,
    9,
    True,
    [0, 1],
    1.0,
    None,
    2**70,
)


def changed(name, **keywords):
    """Return a body that calls a function that writes into its first argument, and gives that back."""

    def body(xp, array, *rest):
        try:
            result = getattr(xp, name)(array, *rest, **keywords)
        except Exception as error:  # noqa: BLE001 - what is left of the array counts as well
            return Raised.by(error), array
        return result, array

    return body


class TestTake:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    for axis in (None, *range(-dims(array), dims(array))):
                        numbers = numpy.array([[0, 0, -1]])
                        cells.same(f"{dtype} {array} {axis}", named("take", axis=axis), array, numbers)
                        cells.same(f"one {dtype} {array} {axis}", named("take", axis=axis), array, 0)
                    cells.same(f".take {dtype} {array}", by_method("take"), array, numpy.array([0]))

    def test_numbers_and_modes(self):
        with Cells() as cells:
            for numbers, mode, axis in itertools.product(NUMBERS, MODES, (None, 0, 1, -1, 2, 1.0)):
                cells.same(f"{numbers} {mode} {axis}", named("take", axis=axis, mode=mode), filled((3, 4)), numbers)
            for mode in MODES:
                cells.same(f"empty {mode}", named("take", mode=mode), numpy.zeros(0), numpy.array([0]))
                cells.same(f"none of empty {mode}", named("take", mode=mode), numpy.zeros(0), numpy.zeros(0, "i8"))
                cells.same(
                    f"empty axis {mode}", named("take", axis=0, mode=mode), numpy.zeros((0, 3)), numpy.array([0])
                )

    def test_out(self):
        def into(xp, array, numbers, out, **keywords):
            result = xp.take(array, numbers, out=out, **keywords)
            return result is out, out

        with Cells() as cells:
            for dtype in ("f8", "f4", "i8"):
                cells.same(dtype, into, filled((5,)), numpy.array([1, 3]), numpy.zeros(2, dtype))

    def test_more_than_at_once(self):
        with Cells() as cells:
            for dtype, size in itertools.product(("u1", "f2", "i4", "f8", "c16"), (511, 512, 513, 20000)):
                numbers = RNG.integers(-40, 40, size)
                cells.same(f"{dtype} {size}", named("take"), random(40, dtype), numbers)
                cells.same(f"{dtype} {size} 0", named("take", axis=0), random((40, 3), dtype), numbers)
                cells.same(f"{dtype} {size} 1", named("take", axis=1), random((3, 40), dtype), numbers)
                numbers[-1] = 40
                cells.same(f"{dtype} {size} outside", named("take"), random(40, dtype), numbers)


class TestCompress:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    for axis in (None, *range(-dims(array), dims(array))):
                        for condition in (numpy.array([True]), numpy.array([1, 0, 2]), numpy.array([False] * 3)):
                            compress = lambda xp, a, c, axis=axis: xp.compress(c, a, axis)  # noqa: E731
                            cells.same(f"{dtype} {array} {axis} {condition}", compress, array, condition)
                    cells.same(f".compress {dtype} {array}", by_method("compress"), array, numpy.array([True]))

    def test_conditions(self):
        with Cells() as cells:
            for condition in (
                numpy.ones(9, bool),
                numpy.zeros(0, bool),
                numpy.ones((2, 2), bool),
                numpy.array(True),
                [True, False],
                RNG.integers(0, 2, 3000),
                numpy.array([0.0, numpy.nan, -0.0]),
            ):
                for array in (filled((3, 4)), filled((3000,)), 2.0):
                    cells.same(f"{condition} {array}", lambda xp, c, a: xp.compress(c, a), condition, array)
                    cells.same(f"{condition} {array} 0", lambda xp, c, a: xp.compress(c, a, 0), condition, array)
                    cells.same(f"extract {condition} {array}", lambda xp, c, a: xp.extract(c, a), condition, array)
            mask = Layout(RNG.integers(0, 2, (4, 3)), (), (1, 0))
            cells.same("extract", lambda xp, c, a: xp.extract(c, a), mask, filled((3, 4)))


class TestPut:
    def test_values_and_numbers(self):
        values = (5, 5.5, True, numpy.array([7.0, 8.0]), numpy.array([7]), numpy.zeros(0), [1, 2, 3], 1j, 300)
        with Cells() as cells:
            for dtype, value, mode in itertools.product(("f8", "i8", "u1", "?", "c16"), values, MODES):
                for numbers in (numpy.array([0, 5, -1]), numpy.array([9, -30]), 2, 99, numpy.array([1.0]), [1, 2]):
                    put = changed("put", mode=mode)
                    cells.same(f"{dtype} {value} {mode} {numbers}", put, filled((3, 4), dtype), numbers, value)
            cells.same("method", by_method("put"), filled((3, 4)), numpy.array([1, 2]), 3.0)

    def test_layouts_and_overlap(self):
        with Cells() as cells:
            cells.same("transposed", changed("put"), Layout(filled((3, 4)), (), (1, 0)), numpy.array([1, 5]), 2.0)
            cells.same("empty", changed("put"), numpy.zeros(0), numpy.array([0]), 2.0)
            cells.same("0-d", changed("put"), numpy.array(1.0), numpy.array([0]), 2.0)

            def itself(xp, array):
                xp.put(array, array, array[::-1])
                return array

            cells.same("itself", itself, numpy.array([2, 1, 0, 1]))


class TestCopyto:
    def test_kinds_of_source(self):
        sources = (
            3,
            3.5,
            True,
            2j,
            numpy.float32(1.5),
            [1, 2, 3],
            numpy.array(2.0),
            filled((3,), "i4"),
            filled((2, 3)),
            filled((4,)),
            filled((1,), "f4"),
            numpy.zeros(0),
            300,
            -1,
            "a",
            None,
        )
        with Cells() as cells:
            for dtype, source in itertools.product(DTYPES, sources):
                cells.same(f"{dtype} {source}", changed("copyto"), filled((3,), dtype), source)
            for casting in ("no", "safe", "same_kind", "unsafe", "none"):
                cells.same(casting, changed("copyto", casting=casting), filled((3,), "i8"), filled((3,), "f8"))
            cells.same("where", changed("copyto", where=numpy.array([True, False, True])), filled((3,)), 9.0)
            cells.same("nowhere", changed("copyto", where=False), filled((3,)), 9.0)

    def test_layouts(self):
        def overlapping(xp, array):
            xp.copyto(array[1:], array[:-1])
            xp.copyto(array[::-1], array)
            return array

        with Cells() as cells:
            for target in (Layout(filled((3, 4)), (), (1, 0)), Layout(filled((8, 3)), (slice(None, None, -2),))):
                cells.same(f"{target}", changed("copyto"), target, filled((4, 3)))
            cells.same("overlapping", overlapping, filled((7,)))
            cells.same("read-only", changed("copyto"), 3.0, filled((3,)))


class TestRepeat:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    for axis in (None, *range(-dims(array), dims(array))):
                        for repeats in (0, 1, 3, numpy.array([2])):
                            cells.same(f"{dtype} {array} {axis} {repeats}", named("repeat", axis=axis), array, repeats)
                    cells.same(f".repeat {dtype} {array}", by_method("repeat"), array, 2)

    def test_counts(self):
        counts = (
            numpy.array([1, 0, 2]),
            numpy.array([1, 2], "u1"),
            numpy.array([1, -1, 0]),
            -1,
            1.5,
            [1, 2, 0],
            True,
            numpy.array([True, False, True]),
            numpy.array([1, 1, 1], "u8"),
            numpy.array([[1, 1, 1]]),
            numpy.array(2),
            numpy.array([1.0, 1, 1]),
            2**60,
            2**70,
            None,
            numpy.zeros(0, "i8"),
        )
        with Cells() as cells:
            for repeats, axis in itertools.product(counts, (None, 0, 1, 5)):
                if repeats == 2**60 if isinstance(repeats, int) else False:
                    continue  # NumPy overflows
                cells.same(f"{repeats} {axis}", named("repeat", axis=axis), filled((3, 2)), repeats)
            cells.same("none of none", named("repeat"), numpy.zeros(0), numpy.zeros(0, "i8"))
            cells.same("many", named("repeat"), filled((5000,)), numpy.arange(5000) % 4)

    def test_few_of_each_up_to_the_last(self):
        """Four are written at once while there is room: what stands behind must be right in the end."""
        rng = numpy.random.default_rng(8)
        with Cells() as cells:
            for dtype, shape in itertools.product(("?", "i2", "f4", "f8", "D"), ((1,), (3,), (50,), (9, 4), (4, 9, 2))):
                array = filled(shape, dtype)
                for axis, most in itertools.product(range(array.ndim), (1, 2, 5, 9, 20)):
                    counts = rng.integers(0, most + 1, shape[axis])
                    cells.same(f"{dtype} {shape} {axis}", named("repeat", axis=axis), array, counts)


class TestBincount:
    def test_values_weights_and_lengths(self):
        values = (
            numpy.array([0, 3, 1, 3]),
            numpy.array([2, 2], "u1"),
            numpy.array([True, False]),
            numpy.zeros(0, "i8"),
            numpy.array([-1, 2]),
            numpy.array([1.0]),
            numpy.array([1], "u8"),
            numpy.ones((2, 2), int),
            [1, 2],
            3,
            Layout(numpy.arange(8), (slice(None, None, -3),)),
            RNG.integers(0, 9, 5000),
        )
        weights = (
            None,
            numpy.array([0.5, 1.5, 2.5, 3.5]),
            numpy.array([1, 2]),
            numpy.array([1j, 2]),
            numpy.zeros(0),
            Layout(numpy.arange(6.0), (slice(None, None, 2),)),
        )
        with Cells() as cells:
            for value, weight, least in itertools.product(values, weights, (0, 3, 20, -1, 1.5, None)):
                cells.same(f"{value} {weight} {least}", lambda xp, v, w, n: xp.bincount(v, w, n), value, weight, least)


class TestInterp:
    POINTS = numpy.array([0.0, 1.0, 2.5, 2.5, 4.0])
    VALUES = numpy.array([1.0, -2.0, numpy.inf, 3.0, 3.0])

    def test_where_and_between_what(self):
        xs = (
            1.5,
            2,
            -1.0,
            9.0,
            numpy.nan,
            numpy.array([0.5, 2.5, 4.0, -numpy.inf, numpy.inf, numpy.nan]),
            numpy.array(1.0),
            RNG.uniform(-1, 5, (3, 4)),
            Layout(RNG.uniform(-1, 5, (4, 3)), (), (1, 0)),
            numpy.array([1, 2]),
            [0.5, 1.5],
            numpy.zeros(0),
            numpy.array([1j]),
            True,
        )
        with Cells() as cells:
            for x, left, right in itertools.product(xs, (None, -7, 1.5), (None, 9.0, 2j)):
                cells.same(f"{x} {left} {right}", named("interp", left=left, right=right), x, self.POINTS, self.VALUES)

    def test_points(self):
        x = RNG.uniform(-1, 5, 40)
        for_points = (
            self.POINTS,
            self.POINTS[::-1].copy(),
            numpy.array([1.0]),
            numpy.zeros(0),
            numpy.arange(5),
            numpy.ones(5),
            numpy.array([0, 1, numpy.nan, 2, 3]),
            numpy.ones((1, 5)),
            self.POINTS[:4],
            [0.0, 1, 2, 3, 4],
        )
        values = (
            self.VALUES,
            numpy.arange(5),
            numpy.arange(5) * 1j,
            numpy.array([2.0]),
            numpy.zeros(0),
            numpy.ones(5, "f4"),
        )
        with Cells() as cells:
            for points, value in itertools.product(for_points, values):
                cells.same(f"{points} {value}", named("interp"), x, points, value)
            cells.same("period", named("interp", period=3), x, self.POINTS, self.VALUES)
            many = numpy.sort(RNG.uniform(0, 9, 5000))
            cells.same("many points", named("interp"), x, many, many**2)
            cells.same("many", named("interp"), RNG.uniform(0, 9, 9000), many[:4000], many[:4000] ** 2)


class TestConvolve:
    def test_dtypes_modes_and_lengths(self):
        with Cells(tolerance="exact") as cells:
            for name, dtype, other, mode in itertools.product(
                ("convolve", "correlate"), DTYPES, ("f8", "i2", "c16"), ("valid", "same", "full")
            ):
                for lengths in ((5, 3), (3, 5), (1, 1), (20, 14)):
                    a, v = filled((lengths[0],), dtype), filled((lengths[1],), other)
                    cells.same(f"{name} {dtype} {other} {mode} {lengths}", named(name, mode), a, v)

    def test_spellings(self):
        with Cells() as cells:
            for name, mode in itertools.product(("convolve", "correlate"), ("v", "full", 1, None, "none")):
                cells.same(f"{name} {mode}", named(name, mode), filled((5,)), filled((3,)))
            for name, other in itertools.product(
                ("convolve", "correlate"), (2.0, [1, 2], numpy.zeros(0), numpy.ones((2, 2)))
            ):
                cells.same(f"{name} {other}", named(name), filled((5,)), other)
                cells.same(
                    f"{name} backwards {other}", named(name), Layout(filled((9,)), (slice(None, None, -2),)), other
                )


class TestDigitize:
    def test_bins_and_values(self):
        ordered = numpy.array([0.0, 1.0, 2.5, 4.0])
        bins = (
            ordered,
            ordered[::-1].copy(),
            Layout(ordered, (slice(None, None, -1),)),
            numpy.ones(3),
            numpy.array([1, 3, 2]),
            numpy.array([1.0]),
            numpy.zeros(0),
            numpy.arange(3),
            numpy.array([0, 1, numpy.nan]),
            ordered.astype("f2"),
            ordered * 1j,
            numpy.ones((2, 2)),
            [1, 2],
        )
        values = (
            numpy.array([0.5, 1.0, 9.0, numpy.nan]),
            1.0,
            2,
            numpy.array([1, 2]),
            [[0.5]],
            numpy.array([1j]),
            numpy.array(1),
        )
        with Cells() as cells:
            for value, edge, right in itertools.product(values, bins, (False, True)):
                cells.same(f"{value} {edge} {right}", named("digitize", right=right), value, edge)


class TestPositionsOfExtrema:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype, name in itertools.product(DTYPES, ("argmax", "argmin")):
                for array in layouts(dtype):
                    for axis, keepdims in itertools.product((None, *range(-dims(array), dims(array))), (False, True)):
                        label = f"{name} {dtype} {array} {axis} {keepdims}"
                        cells.same(label, named(name, axis=axis, keepdims=keepdims), array)
                    cells.same(f".{name} {dtype} {array}", by_method(name), array)

    def test_lengths_at_which_the_way_changes(self):
        with Cells() as cells:
            for shape in ((255, 257), (257, 256), (3, 30000)):
                values = RNG.permutation(shape[0] * shape[1]).reshape(shape)
                for axis in (0, 1, None):
                    cells.same(f"{shape} {axis}", named("argmax", axis=axis), values)
                    cells.same(f"{shape} {axis} transposed", named("argmax", axis=axis), Layout(values, (), (1, 0)))


class TestAt:
    NAMES = (
        "add",
        "subtract",
        "multiply",
        "maximum",
        "minimum",
        "divide",
        "power",
        "floor_divide",
        "logical_or",
        "hypot",
        "bitwise_xor",
        "arctan2",
        "left_shift",
        "matmul",
        "negative",
    )

    @staticmethod
    def body(xp, name, array, numbers, *values):
        try:
            result = getattr(xp, name).at(array, numbers, *values)
        except Exception as error:  # noqa: BLE001 - what is left of the array counts as well
            return Raised.by(error), array
        return result, array

    def test_ufuncs_and_dtypes(self):
        numbers = numpy.array([0, 2, 2, -1, 0])
        with Cells() as cells:
            for name, dtype in itertools.product(self.NAMES, DTYPES):
                array, values = filled((6,), dtype), filled((5,), dtype)
                for given in (values, values[:1], values[0], 2, 2.5, True, 300, [1, 2, 3, 4, 5], values[:3]):
                    cells.same(f"{name} {dtype} {given}", self.body, name, array, numbers, given)

    def test_numbers(self):
        with Cells() as cells:
            for numbers in NUMBERS:
                cells.same(f"{numbers}", self.body, "add", filled((3,)), numbers, 1.0)
                cells.same(f"2-d {numbers}", self.body, "add", filled((3, 4)), numbers, 1.0)

    def test_layouts_and_sizes(self):
        with Cells() as cells:
            for array in (Layout(filled((9,)), (slice(None, None, -2),)), Layout(filled((4, 5)), (slice(None), 2))):
                cells.same(f"{array}", self.body, "add", array, numpy.array([0, 1, 1]), filled((3,)))
                values = Layout(filled((9,)), (slice(None, None, -3),))
                cells.same(f"values {array}", self.body, "maximum", array, numpy.array([0, 1, 1]), values)
            for name, size in itertools.product(("add", "hypot"), (255, 256, 257, 25000)):
                cells.same(
                    f"{name} {size}", self.body, name, filled((40,)), RNG.integers(-40, 40, size), filled((size,))
                )

            def itself(xp, array):
                xp.add.at(array, array, array)
                xp.add.at(array, xp.array([0, 1]), array[1:3])
                return array

            cells.same("itself", itself, numpy.array([2, 1, 0, 1]))
            cells.same(
                "read-only", lambda xp, a: xp.add.at(xp.broadcast_to(a, (2, 3))[0], xp.array([0]), 1.0), filled((3,))
            )

    def test_warnings(self):
        with Cells(warns=True) as cells:
            for name, values in (
                ("add", [1e308, 1e308]),
                ("subtract", [numpy.inf, numpy.inf]),
                ("divide", [0.0, 0.0]),
                ("maximum", [numpy.nan, 1.0]),
                ("multiply", [1e300, 1e300]),
            ):
                cells.same(name, self.body, name, numpy.array([1e308, 3.0]), numpy.array([0, 0]), numpy.array(values))


def test_what_a_shape_is():
    with Cells() as cells:
        for name, value in itertools.product(
            ("shape", "ndim", "size"), (filled((3, 4)), numpy.array(1.0), 2.5, [[1, 2]], "a")
        ):
            cells.same(f"{name} {value}", named(name), value)
        cells.same("along an axis", named("size", 1), filled((3, 4)))
        cells.same("along none", named("size", 5), filled((3, 4)))


class TestMasks:
    @staticmethod
    def body(xp, name, array, *rest):
        try:
            result = getattr(xp, name)(array, *rest)
        except Exception as error:  # noqa: BLE001 - what is left of the array counts as well
            return Raised.by(error), array
        return result, array

    def test_putmask_and_place(self):
        mask = numpy.arange(12).reshape(3, 4) % 3 == 0
        values = (
            7,
            2.5,
            True,
            numpy.array([1.0, 2.0]),
            numpy.arange(12.0),
            numpy.array(3.0),
            numpy.zeros(0),
            [1, 2],
            1j,
            300,
        )
        masks = (
            mask,
            mask.ravel(),
            mask & False,
            mask[:2],
            mask.astype(int),
            Layout(mask, (), (1, 0)),
            True,
            mask.tolist(),
        )
        with Cells() as cells:
            for name, dtype in itertools.product(("putmask", "place"), DTYPES):
                for where, value in itertools.product(masks, values):
                    label = f"{name} {dtype} {where} {value}"
                    cells.same(label, self.body, name, filled((3, 4), dtype), where, value)
                    if isinstance(value, numpy.ndarray):
                        cells.same(f"cast {label}", self.body, name, filled((3, 4), dtype), where, value.astype(dtype))
            for name in ("putmask", "place"):
                transposed = Layout(filled((4, 3)), (), (1, 0))
                cells.same(f"{name} transposed", self.body, name, transposed, mask, 2.0)
                cells.same(f"{name} many", self.body, name, filled((5000,)), numpy.arange(5000) % 2 == 0, filled((7,)))

            def itself(xp, name, array):
                getattr(xp, name)(array, array > 1, array[::-1])
                getattr(xp, name)(array > 1, array > 1, array > 2)
                return array

            cells.same("putmask itself", itself, "putmask", filled((7,)))
            cells.same("place itself", itself, "place", filled((7,)))

    def test_where_of_a_condition(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    cells.same(f"{dtype} {array}", named("where"), array)
            cells.same("0-d", named("where"), numpy.array(True))
            cells.same("many", named("where"), numpy.arange(5000) % 3)


class TestNumbersOfElements:
    def test_unravel_index(self):
        def of_argmax(xp, array):
            return xp.unravel_index(xp.argmax(array), array.shape)

        numbers = (0, 5, 23, 24, -1, 1.0, True, numpy.array([1, 2]), [3, 4], 2**70, numpy.int32(3))
        shapes = ((2, 3, 4), (24,), 24, (), (0, 3), [4, 6], (2, -3), (2.0, 3), (2**40, 2**40))
        with Cells() as cells:
            for number, shape, order in itertools.product(numbers, shapes, ("C", "F", "K")):
                cells.same(f"{number} {shape} {order}", named("unravel_index", shape, order), number)
            for array in (filled((3, 4)), filled((5,)), numpy.array(1.0)):
                cells.same(f"argmax {array}", of_argmax, array)

    def test_lexsort(self):
        with Cells() as cells:
            for dtype, other in itertools.product(DTYPES, ("i8", "f4")):
                for size in (0, 1, 7, 40, 5000):
                    keys = (random(size, dtype), random(size, other))
                    for axis in (-1, 0, 1):
                        cells.same(
                            f"{dtype} {other} {size} {axis}", lambda xp, *k: xp.lexsort(k[:-1], k[-1]), *keys, axis
                        )
            stepped = Layout(random(14, "i8"), (slice(None, None, -2),))
            for keys in (
                (stepped, random(7, "f8")),
                [random(7, "f8")],
                (),
                (random(7, "f8"), random(6, "f8")),
                ([2, 1], [1, 2]),
                (random((3, 4), "f8"),),
                random((3, 4), "f8"),
                (2.0, 1.0),
            ):
                cells.same(f"{keys}", lambda xp, k: xp.lexsort(k), keys)
