"""Creation: from values, from shapes, from ranges, from other arrays; dtype, order, ndmin, copy, like, device."""

import itertools
import math

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests._oracle import Cells, Layout, agree, same_as_numpy, under_test
from tests._tables import DTYPES, FEW_DTYPES, SHAPES, filled

FILLERS = ("empty", "ones", "zeros")
LIKES = ("empty_like", "ones_like", "zeros_like")
CONVERTERS = ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite", "copy")
ORDERS = ("C", "F", "A", "K")
VIEWS = {
    "c": filled((2, 3, 4)),
    "fortran": numpy.asfortranarray(filled((2, 3, 4))),
    "permuted": Layout(filled((2, 3, 4)), (), (1, 2, 0)),
    "strided": Layout(filled((2, 6, 4)), (slice(None), slice(None, None, 2))),
    "flipped": Layout(filled((2, 3, 4)), (slice(None, None, -1), slice(None), slice(None, None, -1))),
    "empty": filled((2, 0, 4)),
    "0-d": numpy.array(2.5),
}


def call(xp, name, *arguments, **keywords):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments, **keywords)


def shape_of(xp, name, *arguments, **keywords):
    """Return all but the values of the result, for arrays that are not initialised."""
    result = getattr(xp, name)(*arguments, **keywords)
    strides = result.strides if result.size else None
    return result.shape, result.dtype, strides, result.flags.c_contiguous, result.flags.f_contiguous


def body_for(name):
    """Return the body that fits: `empty` has no values to compare."""
    return shape_of if name.startswith("empty") else call


class TestArray:
    VALUES = (
        [],
        [[]],
        [[], []],
        [1, 2],
        [1, 2.5],
        [True, 2],
        [1, 2j],
        [[1, 2], [3, 4]],
        (1, (2)),
        [(1, 2), [3, 4]],
        3,
        2.5,
        True,
        1j,
        [2**40],
        [2**63],
        [-(2**63)],
        [2**63, -1],
        [2**63, 1.5],
        [numpy.float32(1), 2],
        [numpy.int8(1), numpy.uint8(2)],
        [numpy.float16(1), 1j],
        range(5),
        [range(3), range(3)],
        numpy.float32(3),
        numpy.array(3),
        [[[[1]]]],
        [1.0, numpy.array(2)],
        [numpy.arange(3), numpy.arange(3)],
        [numpy.arange(3), [1, 2, 3.5]],
        bytearray(b"abc"),
        memoryview(b"abc"),
        [float("nan"), float("inf")],
        [numpy.bool_(True), False],
        [[True], [2]],
        [[1, 2], [3, 4.5]],
    )

    @pytest.mark.parametrize("name", CONVERTERS)
    def test_of_values(self, name):
        with Cells() as cells:
            for number, values in enumerate(self.VALUES):
                cells.same(f"{number}: {values!r}", call, name, values)
                if name != "copy":
                    for dtype in FEW_DTYPES:
                        cells.same(f"{number}: {values!r} {dtype}", call, name, values, dtype=dtype)

    @pytest.mark.parametrize("name", CONVERTERS)
    def test_ragged_lists_and_other_errors(self, name):
        values = (
            [[1, 2], [3]],
            [1, [2, 3]],
            [[1], 2],
            [[], [1]],
            [[[1]], [1]],
            [[1, 2], [3, 4, 5]],
            [numpy.zeros(2), numpy.zeros(3)],
        )
        with Cells() as cells:
            for value in values:
                cells.same(value, call, name, value)
            cells.same("nothing", call, name)
            cells.same("unknown keyword", call, name, [1], nonsense=1)
            cells.same("dtype twice", call, name, [1], "f4", dtype="f4")
            cells.same("order nonsense", call, name, [1], order="Q")

    def test_keywords(self):
        with Cells() as cells:
            for (label, source), order, ndmin in itertools.product(VIEWS.items(), ORDERS, (0, 1, 3, 5)):
                cells.same(f"{label} {order} {ndmin}", call, "array", source, order=order, ndmin=ndmin)
                cells.same(f"{label} {order} {ndmin} cast", call, "array", source, "f4", order=order, ndmin=ndmin)
                cells.same(f"{label} {order} {ndmin} list", call, "array", [[1, 2], [3, 4]], order=order, ndmin=ndmin)
            for ndmin in (-1, 65, 2.5, "a", None):
                cells.same(f"ndmin {ndmin}", call, "array", [1], ndmin=ndmin)
            cells.same("ndmax", call, "array", [[1, 2], [3, 4]], ndmax=1)
            cells.same("subok", call, "array", [1], subok=True)
            cells.same("positional order", call, "array", [1], None)

    @pytest.mark.parametrize("copy", [True, False, None])
    def test_copy(self, copy):
        def convert(xp, name, source, **keywords):
            result = getattr(xp, name)(source, copy=copy, **keywords)
            return result, result is source, xp.shares_memory(result, source)

        with Cells() as cells:
            for (label, source), name in itertools.product(VIEWS.items(), ("array", "asarray", "asanyarray")):
                for dtype, order in itertools.product((None, "f8", "f4"), (None, *ORDERS)):
                    cells.same(f"{name} {label} {dtype} {order}", convert, name, source, dtype=dtype, order=order)
            for values in ([1, 2], 3, (1.5,)):
                cells.same(f"{values}", call, "array", values, copy=copy)
                cells.same(f"asarray {values}", call, "asarray", values, copy=copy)

    @pytest.mark.parametrize("name", ["asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "array", "copy"])
    def test_which_conversions_share_memory(self, name):
        def convert(xp, source, *arguments):
            result = getattr(xp, name)(source, *arguments)
            return result, result is source, xp.shares_memory(result, source)

        with Cells() as cells:
            for label, source in VIEWS.items():
                cells.same(label, convert, source)
                cells.same(f"method {label}", lambda xp, x: [x.copy(order) for order in ORDERS], source)
                if name != "copy":
                    cells.same(f"{label} f4", convert, source, "f4")
                    cells.same(f"{label} f8", convert, source, "f8")

    @same_as_numpy
    def test_arrays_in_lists_are_stacked(xp):
        x = xp.arange(3.0)
        return xp.array([x, x + 1]), xp.array([x[0], x[1], 3]), xp.array([[x, x], [x, x]]), xp.array((x[0], 2))

    @same_as_numpy
    def test_objects_that_convert_themselves(xp):
        class Converts:
            def __array__(self, dtype=None, copy=None):
                return numpy.arange(3.0)

        class Interface:
            __array_interface__ = numpy.arange(4.0).__array_interface__ | {"data": b"\0" * 32}

        class Sequence:
            def __len__(self):
                return 3

            def __getitem__(self, index):
                return [5, 6, 7][index]

        return xp.array(Converts()), xp.asarray(Converts(), "f4"), xp.asarray(Interface()), xp.array(Sequence())


class TestFill:
    BAD_SHAPES = (
        -1,
        (2, -3),
        1.5,
        "a",
        (1.0,),
        None,
        [[2]],
        (2, "a"),
        numpy.array([2, 3]),
        [2, 3],
        numpy.int8(3),
        True,
        (numpy.int64(2),),
        2**63,
        (2**40, 2**40),
        (2**62, 0),
        65 * (1,),
        64 * (1,),
        numpy.array(3),
        numpy.int64(3),
        (numpy.int64(2), 3),
        [numpy.int32(2), numpy.int64(-1)],
        numpy.uint64(3),
        numpy.float64(3),
    )

    @pytest.mark.parametrize("name", FILLERS)
    def test_over_dtypes_shapes_and_orders(self, name):
        body = body_for(name)
        with Cells() as cells:
            for shape, dtype, order in itertools.product((*SHAPES, 3, 0, [2, 3]), (*DTYPES, None, int), ("C", "F")):
                cells.same(f"{shape} {dtype} {order}", body, name, shape, dtype, order)
                cells.same(f"{shape} {dtype} {order} named", body, name, shape=shape, dtype=dtype, order=order)

    @pytest.mark.parametrize("name", [*FILLERS, "full"])
    def test_bad_shapes(self, name):
        with Cells() as cells:
            for number, shape in enumerate(self.BAD_SHAPES):
                arguments = (shape, 1.5) if name == "full" else (shape,)
                cells.same(f"{number}: {str(shape)[:40]}", body_for(name), name, *arguments)
            rest = [1] if name == "full" else []
            cells.same("a scalar", lambda xp: getattr(xp, name)(xp.arange(5)[3], *rest).shape)
            cells.same("scalars", lambda xp: getattr(xp, name)((xp.arange(5)[3], 2), *rest).shape)
            for keyword in (
                {"order": "A"},
                {"order": "K"},
                {"order": "Z"},
                {"device": "cpu"},
                {"nonsense": 1},
                {"like": None},
            ):
                cells.same(keyword, body_for(name), name, 3, *([1] if name == "full" else []), **keyword)

    def test_full(self):
        with Cells() as cells:
            for value, dtype in itertools.product(
                (0, 3, -2.5, 2.5, 1e18, True, 1j, numpy.float32(2), numpy.int8(1), float("nan"), 2**40), (None, *DTYPES)
            ):
                if value == 2.5 or not (isinstance(value, complex | float) and dtype is not None and dtype.kind == "u"):
                    cells.same(f"{value!r} {dtype}", call, "full", (2, 3), value, dtype)
            cells.same("row", call, "full", (2, 3), [1, 2, 3])
            cells.same("array", call, "full", (2, 3), numpy.array([[1.5], [2.5]]), "f4", "F")
            cells.same("does not broadcast", call, "full", (2, 3), [1, 2])
            cells.same("by name", call, "full", shape=3, fill_value=2, dtype="i2", order="F")
            cells.same("no value", call, "full", 3)

    @pytest.mark.parametrize("name", [*LIKES, "full_like"])
    def test_likes(self, name):
        body, value = body_for(name), [7] if name == "full_like" else []
        with Cells() as cells:
            for (label, source), dtype, order in itertools.product(VIEWS.items(), (None, "f4", "i8"), ORDERS):
                cells.same(f"{label} {dtype} {order}", body, name, source, *value, dtype=dtype, order=order)
                cells.same(
                    f"{label} {dtype} {order} shape", body, name, source, *value, dtype=dtype, order=order, shape=(4, 2)
                )
                cells.same(f"{label} {order} same ndim", body, name, source, *value, order=order, shape=(5, 2, 3))
            for dtype in DTYPES:
                cells.same(dtype, body, name, filled((2, 3), dtype), *value)
            for source in ([1, 2], 3, 2.5, [[True]], []):
                cells.same(source, body, name, source, *value)
            cells.same("shape integer", body, name, filled((2, 3)), *value, shape=4)
            cells.same("shape negative", body, name, filled((2, 3)), *value, shape=-4)
            cells.same("device", body, name, filled((2, 3)), *value, device="cpu")
            cells.same("order nonsense", body, name, filled((2, 3)), *value, order="Z")

    @same_as_numpy
    def test_zeros_of_two_calls_are_apart(xp):
        x = xp.zeros(3)
        y = xp.zeros(3)
        x += 1
        del x
        return y, xp.zeros(3)

    def test_huge_requests_raise_and_the_process_lives(self):
        with Cells() as cells:
            for name, shape in itertools.product(
                (*FILLERS, "full"), (2**50, (2**30, 2**30), 2**62, 2**63, (2**32, 2**32))
            ):
                arguments = (shape, 1.5) if name == "full" else (shape,)
                cells.same(f"{name} {shape}", call, name, *arguments)


class TestRanges:
    ARANGES = (
        (5,),
        (0,),
        (-3,),
        (2, 7),
        (7, 2),
        (2, 9, 3),
        (9, 2, -3),
        (250, 260, 3),
        (120, 132, 7),
        (-1, 3),
        (0, 1, 0.1),
        (1, 0, -0.25),
        (5.0,),
        (0.5, 3),
        (2, 7, 2.5),
        (0, 10, 3.0),
        (True,),
        (3, 3),
        (1j,),
        (0, 1, 0),
        (0, 1, 0.0),
        (float("nan"),),
        (float("inf"),),
        ("a",),
        (None,),
        (1, None),
        (0, 2**40, 2**38),
        (numpy.int8(5),),
        (numpy.float32(1), numpy.float32(2), numpy.float32(0.1)),
        (0, 5, numpy.uint8(2)),
        (-(2**63), -(2**63) + 3),
        (2**63 - 3, 2**63 - 1),
        (2**63,),
        (0.0, 1e-3, 1e-4),
        (10, 0, -1),
        (1, 2, 3, "f8", 5),
        (0, 1e300),
        (2**62,),
    )

    def test_arange(self):
        with Cells() as cells:
            for arguments in self.ARANGES:
                cells.same(arguments, call, "arange", *arguments)
                for dtype in ("f4", "f8", "i4", "u1", "c16", "f2", "?", "i8", "i1", "u2", "u4", "u8"):
                    far = any(isinstance(a, float) and not abs(a) < 100 for a in arguments)
                    if not (far and dtype in ("u1", "i4", "i1", "u2", "u4", "u8")):
                        cells.same(f"{arguments} {dtype}", call, "arange", *arguments, dtype=dtype)
            cells.same("stop", call, "arange", stop=4)
            cells.same("start and stop", call, "arange", start=1, stop=4)
            cells.same("step", call, "arange", 4, step=2)
            cells.same("nothing", call, "arange")
            cells.same("start", call, "arange", start=3)
            cells.same("0-d arrays", call, "arange", numpy.array(2), numpy.array(6.5))
            cells.same("array", call, "arange", numpy.array([2, 3]))

    def test_linspace(self):
        starts = (
            (0, 1),
            (1, 0),
            (2, 2),
            (-1.5, 3),
            (0, 1j),
            (1e-30, 1e30),
            (numpy.float32(0), numpy.float32(1)),
            (0, 10**18),
            (float("nan"), 1),
        )
        with Cells() as cells:
            for (start, stop), num, endpoint in itertools.product(starts, (0, 1, 2, 3, 7, 50, 101), (True, False)):
                label = f"{start} {stop} {num} {endpoint}"
                cells.same(label, call, "linspace", start, stop, num, endpoint)
                cells.same(f"{label} step", call, "linspace", start, stop, num=num, endpoint=endpoint, retstep=True)
                for dtype in ("f4", "i4", "c16"):
                    if stop == stop and abs(stop) < 100:
                        cells.same(f"{label} {dtype}", call, "linspace", start, stop, num, endpoint, dtype=dtype)
            pair = numpy.array([0.0, 1, 2]), numpy.array([[1.0], [5]])
            for axis in (0, 1, 2, -1, 3):
                cells.same(f"arrays {axis}", call, "linspace", *pair, num=4, axis=axis)
                cells.same(f"arrays {axis} step", call, "linspace", *pair, num=4, axis=axis, retstep=True)
            for num in (-1, 2.5, "a", None, numpy.int8(4), 3.0):
                cells.same(f"num {num!r}", call, "linspace", 0, 1, num)
            cells.same("default", call, "linspace", 2, 3)

    @pytest.mark.parametrize("name", ["geomspace", "logspace"])
    def test_spaces(self, name):
        starts = (
            (1, 1000),
            (1000, 1),
            (2, 3),
            (-1, -100),
            (0.5, 2.5),
            (1j, 8j),
            (1, 256.0),
            (0, 3),
            (numpy.float32(1), 8),
        )
        with Cells(tolerance="rounded") as cells:
            for (start, stop), num, endpoint in itertools.product(starts, (0, 1, 2, 4, 50), (True, False)):
                if name == "logspace" and abs(stop) >= 256:
                    start, stop = start / 100, stop / 100
                label = f"{start} {stop} {num} {endpoint}"
                cells.same(label, call, name, start, stop, num, endpoint)
                cells.same(f"{label} f4", call, name, start, stop, num=num, endpoint=endpoint, dtype="f4")
                if name == "logspace":
                    cells.same(f"{label} base", call, name, start, stop, num, base=2.0)
            cells.same("arrays", call, name, numpy.array([1.0, 2]), numpy.array([3.0, 4]), num=3, axis=-1)
            cells.same("negative num", call, name, 1, 2, -3)

    @given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(0, 40), st.booleans())
    def test_linspace_is_bit_exact(self, start, stop, num, endpoint):
        agree(call, "linspace", start, stop, num, endpoint)

    @given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3), st.floats(-50, 50).filter(lambda step: abs(step) > 0.5))
    def test_arange_is_bit_exact(self, start, stop, step):
        agree(call, "arange", start, stop, step)


class TestMatrices:
    def test_eye_identity_and_tri(self):
        with Cells() as cells:
            for n, m, k in itertools.product((0, 1, 3, 4), (None, 0, 2, 5), (-5, -1, 0, 1, 3)):
                for dtype in ("f8", "i4", "?", "c8"):
                    cells.same(f"eye {n} {m} {k} {dtype}", call, "eye", n, m, k, dtype)
                    cells.same(f"tri {n} {m} {k} {dtype}", call, "tri", n, m, k, dtype)
                cells.same(f"eye F {n} {m} {k}", call, "eye", n, M=m, k=k, order="F")
                cells.same(f"identity {n}", call, "identity", n)
                cells.same(f"identity {n} i2", call, "identity", n, dtype="i2")
            for bad in (-1, 2.5, "a", None):
                for name in ("eye", "identity", "tri"):
                    cells.same(f"{name} {bad}", call, name, bad)

    @pytest.mark.parametrize("name", ["tril", "triu"])
    def test_triangles(self, name):
        with Cells() as cells:
            for shape, k, dtype in itertools.product(
                ((3,), (3, 3), (2, 4), (4, 2), (2, 3, 3), (0, 3), ()), (-4, -1, 0, 1, 2), FEW_DTYPES
            ):
                cells.same(f"{shape} {k} {dtype}", call, name, filled(shape, dtype), k)
            cells.same("list", call, name, [[1, 2], [3, 4]], k=1)
            cells.same("transposed", call, name, Layout(filled((2, 3)), (), (1, 0)))

    @pytest.mark.parametrize("name", ["diag", "diagflat", "diagonal", "trace"])
    def test_diagonals(self, name):
        with Cells() as cells:
            for shape, k, dtype in itertools.product(
                ((3,), (3, 3), (2, 4), (4, 2), (2, 3, 3), (0,), (0, 3), ()), (-4, -1, 0, 1, 2), ("f8", "i2", "?")
            ):
                cells.same(f"{shape} {k} {dtype}", call, name, filled(shape, dtype), k)
            cells.same("list", call, name, [[1, 2], [3, 4]])
            cells.same("flipped", call, name, Layout(filled((3, 4)), (slice(None, None, -1),)))
            cells.same("bad k", call, name, filled((3, 3)), "a")

    def test_vander(self):
        with Cells() as cells:
            for dtype, n, increasing in itertools.product(FEW_DTYPES, (None, 0, 1, 3, 5), (False, True)):
                cells.same(f"{dtype} {n} {increasing}", call, "vander", filled((4,), dtype), n, increasing)
            cells.same("matrix", call, "vander", filled((2, 2)))
            cells.same("list", call, "vander", [1, 2, 3])

    def test_fromfunction_and_meshgrid(self):
        x, y, z = [1, 2, 3], numpy.array([4.0, 5]), numpy.arange(4)
        with Cells() as cells:
            for dtype in (float, int, "f4"):
                cells.same(f"fromfunction {dtype}", call, "fromfunction", lambda i, j: i * 3 + j, (2, 3), dtype=dtype)
            cells.same("fromfunction of a constant", call, "fromfunction", lambda i: 7, (3,))
            cells.same("fromfunction keyword", call, "fromfunction", lambda i, n: i * n, (3,), n=4)
            for indexing, sparse, copy in itertools.product(("xy", "ij", "zz"), (False, True), (False, True)):
                for arrays in ([], [x], [x, y], [x, y, z], [3, y], [numpy.array([[1, 2], [3, 4]]), y]):
                    label = f"meshgrid {len(arrays)} {indexing} {sparse} {copy}"
                    cells.same(label, call, "meshgrid", *arrays, indexing=indexing, sparse=sparse, copy=copy)
            cells.same("unknown keyword", call, "meshgrid", x, y, nonsense=1)
            cells.same("indices", call, "indices", (2, 3))
            cells.same("indices sparse", call, "indices", (2, 3), "f4", True)


class TestBuffers:
    def test_frombuffer(self):
        data = bytes(range(48))
        with Cells() as cells:
            for dtype in ("u1", "i2", "f4", "f8", "c16", "?", "c8"):
                cells.same(dtype, call, "frombuffer", data, dtype)
                cells.same(f"{dtype} offset", call, "frombuffer", data, dtype, offset=16)
                cells.same(f"{dtype} count", call, "frombuffer", data, dtype=dtype, count=2)
                cells.same(f"{dtype} both", call, "frombuffer", data, dtype, 1, 8)
            for keywords in (
                {"count": 100},
                {"offset": 100},
                {"offset": -1},
                {"count": 0},
                {"offset": 3},
                {"dtype": "nonsense"},
            ):
                cells.same(keywords, call, "frombuffer", data, **keywords)
            for source in (b"", "text", 3, [1, 2], None, bytearray(8), memoryview(bytes(16)), numpy.arange(3.0)):
                cells.same(f"{source!r}", call, "frombuffer", source)

    @same_as_numpy
    def test_frombuffer_shares_memory_and_the_right_to_write(xp):
        data = bytearray(b"\1\0\0\0\2\0\0\0")
        x = xp.frombuffer(data, "i4")
        x[0] = 7
        return x, bytes(data), x.flags.writeable, xp.frombuffer(bytes(data), "i4").flags.writeable

    @same_as_numpy
    def test_frombuffer_of_immutable_bytes_refuses_writes(xp):
        xp.frombuffer(bytes(8), "i4")[0] = 1

    def test_fromiter_of_lists_and_tuples(self):
        with Cells() as cells:
            for dtype in ("i8", "f8", "D", "?", "u1", float, int):
                for items in ((), (1, 0, 3), [1, 0, 3], (1.5, 2), (True, False), ((1, 2), (3, 4)), (None,), ("a",)):
                    for count in (-1, 0, 1, len(items), len(items) + 1):
                        cells.same(f"{items} {count}", lambda xp, *args: xp.fromiter(*args), items, dtype, count)

    def test_fromiter_and_fromstring(self):
        with Cells() as cells:
            for dtype in ("f8", "i4", "?", "c8"):
                cells.same(f"fromiter {dtype}", lambda xp, d: xp.fromiter(iter([1, 0, 3]), d), dtype)
                cells.same(
                    f"fromiter count {dtype}", lambda xp, d: xp.fromiter((i for i in range(9)), d, count=4), dtype
                )
                cells.same(f"fromstring {dtype}", lambda xp, d: xp.fromstring("1 0 3", dtype=d, sep=" "), dtype)
            cells.same("fromiter short", lambda xp: xp.fromiter(iter([1]), "f8", count=4))
            cells.same("fromiter empty", lambda xp: xp.fromiter([], "f8"))


FLOATS = (
    [1.5, -2.7], [1, 2.5], [True, 2.5], [math.nan, 1], [math.inf], [300.7, 1], [2**53 + 1, 1.0], [2.0**31 - 0.5],
    [-128.9], [127.9], [128.2], [255.5], [256.0], [1e300], [[1.5, 2], [3, 4]], (0.9, -0.9), [numpy.float32(1.7), 2],
)


@pytest.mark.parametrize("name", ["array", "asarray", "ascontiguousarray", "asfortranarray"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_lists_of_floats_in_any_dtype(dtype, name):
    """Fractions are cut; what an integer dtype does not hold wraps around or is refused, as NumPy does."""
    with Cells(warns=True) as cells:
        for numbers in FLOATS:
            cells.same(str(numbers), lambda xp, numbers=numbers: getattr(xp, name)(numbers, dtype=dtype))
            cells.same(f"scalar {numbers}", lambda xp, numbers=numbers: getattr(xp, name)(
                xp.asarray(numpy.ravel(numbers))[0], dtype=dtype))


def broken():
    yield 1.0
    raise KeyError("broken")


@pytest.mark.parametrize("dtype", [float, int, bool, complex, numpy.float32, "f4", numpy.dtype("i2")], ids=str)
def test_iterators(dtype):
    """Few items are looked at together, many are NumPy's to read; errors on the way are the iterator's."""
    makers = {
        "generator": lambda: (x / 2 for x in range(5)), "range": lambda: range(-2, 5), "none": lambda: iter(()),
        **{str(count): lambda count=count: iter(range(count)) for count in (63, 64, 65, 300)},
        "nested": lambda: iter([[1, 2], [3, 4]]), "text": lambda: iter("ab"), "huge": lambda: iter([2**70]),
        "nan": lambda: iter([math.nan, 1]), "map": lambda: map(float, "123"), "broken": broken, "tuple": lambda: (1, 2),
        "arrays": lambda: iter(numpy.ones(3)), "complex": lambda: iter([1j]), "set": lambda: {1}, "number": lambda: 3,
    }
    with Cells(warns=True) as cells:
        for name, make in makers.items():
            cells.same(name, lambda xp, make=make: xp.fromiter(make(), dtype))


class TestLikeAndDevice:
    @pytest.mark.parametrize(
        "name", [*FILLERS, "full", "array", "asarray", "arange", "eye", "identity", "tri", "ascontiguousarray"]
    )
    def test_like_an_array_of_ours(self, name):
        arguments = {"full": (3, 2.5), "array": ([1, 2],), "asarray": ([1, 2],), "ascontiguousarray": ([1, 2],)}.get(
            name, (3,)
        )
        agree(lambda xp: body_for(name)(xp, name, *arguments, like=xp.zeros(2)))

    @pytest.mark.parametrize("name", [*FILLERS, "arange", "linspace", "eye", "full", "asarray"])
    def test_device_cpu_is_accepted_and_nonsense_is_not(self, name):
        arguments = {"full": (3, 2.5), "asarray": ([1, 2],), "linspace": (0, 1, 3)}.get(name, (3,))
        agree(body_for(name), name, *arguments, device="cpu")
        with pytest.raises((ValueError, RuntimeError)):
            getattr(under_test, name)(*arguments, device="nonsense")

    @pytest.mark.skipif(under_test is numpy, reason="numpy: it has one device")
    @pytest.mark.parametrize("host", ["cpu", torch.device("cpu")], ids=["name", "device"])
    @pytest.mark.parametrize(
        "name", [*FILLERS, *LIKES, "arange", "linspace", "eye", "full", "full_like", "array", "asarray"]
    )
    def test_memory_of_the_host_can_be_asked_for(self, name, host):
        like = under_test.ones((2, 3), "f4")
        arguments = {
            "full": (3, 2.5), "full_like": (like, 2.5), "array": ([1, 2],), "asarray": ([1, 2],), "linspace": (0, 1, 3),
        }.get(name, (like,) if name in LIKES else (3,))
        want, made = call(under_test, name, *arguments), call(under_test, name, *arguments, device=host)
        assert (made.shape, made.dtype, made.strides) == (want.shape, want.dtype, want.strides)
        assert name.startswith("empty") or (made == want).all()
        with torch.device("meta"):
            assert call(under_test, name, *arguments, device=host).tensor.device.type == "cpu"
        if name in ("asarray", "array"):
            assert call(under_test, name, like, device=host).tensor.device.type == "cpu"
            assert call(under_test, name, under_test.asarray(torch.ones(2, device="meta")).tensor).device == "meta"

    @pytest.mark.skipif(under_test is numpy, reason="numpy: it has one device")
    @pytest.mark.parametrize("name", [*FILLERS, "arange", "linspace", "eye", "full", "asarray"])
    def test_device_meta(self, name):
        arguments = {"full": (3, 2.5), "asarray": ([1, 2],), "linspace": (0, 1, 3)}.get(name, (3,))
        want = getattr(numpy, name)(*arguments)
        x = getattr(under_test, name)(*arguments, device="meta")
        assert x.tensor.device == torch.device("meta")
        assert (x.shape, x.dtype) == (want.shape, want.dtype)


@pytest.mark.parametrize("name", LIKES)
@same_as_numpy
def test_what_is_made_like_a_scalar_is_an_array(xp, name):
    made = getattr(xp, name)(xp.ones(3, "f4")[1])
    made[...] = 4
    return made, made.flags.writeable, made.shape
