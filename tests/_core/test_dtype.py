"""Dtypes: NumPy's own in every spelling; the casts between all of them; those that torch adds and those it lacks."""

import itertools
import sys

import ml_dtypes
import numpy
import pytest

from tests._oracle import Cells, Layout, same_as_numpy, under_test
from tests._tables import DTYPES, INTEGERS, edges, filled, moderate

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")

CLASSES = (
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "complex128",
    "complex64",
    "complexfloating",
    "csingle",
    "double",
    "flexible",
    "float16",
    "float32",
    "float64",
    "floating",
    "generic",
    "half",
    "inexact",
    "int16",
    "int32",
    "int64",
    "int8",
    "int_",
    "intc",
    "integer",
    "intp",
    "long",
    "longlong",
    "number",
    "short",
    "signedinteger",
    "single",
    "ubyte",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unsignedinteger",
    "ushort",
)

TORCH_ONLY = tuple(
    numpy.dtype(getattr(ml_dtypes, name))
    for name in ("bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz")
)

NOT_OURS = {
    "object": "O",
    "str": "U5",
    "str by type": str,
    "bytes": "S5",
    "datetime64": "M8[s]",
    "timedelta64": "m8[s]",
    "longdouble": numpy.longdouble,
    "clongdouble": numpy.clongdouble,
    "structured": [("a", "i4"), ("b", "f8")],
    "void": "V8",
    "StringDType": numpy.dtypes.StringDType(),
}


def spellings():
    """Return every way we know to name a dtype, each with a label."""
    native = "<" if sys.byteorder == "little" else ">"
    found = {f"Python {kind.__name__}": kind for kind in (bool, int, float, complex)}
    found["None"] = None
    for dtype in DTYPES:
        found |= {
            f"{dtype} dtype": dtype,
            f"{dtype} type": dtype.type,
            f"{dtype} name": dtype.name,
            f"{dtype} char": dtype.char,
            f"{dtype} str": dtype.str,
            f"{dtype} class": type(dtype),
            f"{dtype} code": f"{dtype.kind}{dtype.itemsize}",
            f"{dtype} native": f"{native}{dtype.kind}{dtype.itemsize}",
            f"{dtype} equals": f"={dtype.char}",
            f"{dtype} bar": f"|{dtype.char}",
            f"{dtype} number": dtype.num,
            f"{dtype} abstract": dtype.type.__mro__[1],
        }
    for name in CLASSES:
        found[f"numpy.{name}"] = getattr(numpy, name)
        found[f"{name!r}"] = name
    return found


def test_at_least_two_hundred_spellings_give_the_dtype_of_numpy():
    with Cells() as cells:
        for label, spelling in spellings().items():
            cells.same(f"zeros {label}", lambda xp, d: xp.zeros(3, dtype=d), spelling)
            cells.same(f"array {label}", lambda xp, d: xp.array([0, 1], dtype=d), spelling)
            cells.same(f"astype {label}", lambda xp, d: xp.ones(2, "i2").astype(d), spelling)
            cells.same(f"sum {label}", lambda xp, d: xp.ones(2, "i2").sum(dtype=d), spelling)
    assert len(spellings()) > 200


def test_scalar_types_are_the_objects_of_numpy():
    with Cells() as cells:
        for name in CLASSES:
            cells.require(
                name, getattr(under_test, name, None) is getattr(numpy, name), getattr(under_test, name, None)
            )
    assert under_test.dtype is numpy.dtype
    assert under_test.finfo is numpy.finfo
    assert under_test.iinfo is numpy.iinfo


def test_an_array_has_a_dtype_of_numpy():
    for dtype in DTYPES:
        x = under_test.zeros(3, dtype)
        assert type(x.dtype) is type(dtype)
        assert x.dtype == dtype
        assert x.dtype.type is dtype.type
        assert x.itemsize == dtype.itemsize
        assert x.nbytes == 3 * dtype.itemsize


def test_bad_dtypes_raise_the_error_of_numpy():
    with Cells() as cells:
        for bad in (
            "nonsense",
            "",
            "f3",
            "i16",
            3.5,
            -1,
            999,
            object(),
            (3,),
            [],
            {},
            "f8,",
            "float33",
            b"\xff",
            "f 8",
            ["f4"],
        ):
            cells.same(f"zeros {bad!r}", lambda xp, d: xp.zeros(3, dtype=d), bad)
            cells.same(f"astype {bad!r}", lambda xp, d: xp.ones(3).astype(d), bad)


@pytest.mark.skipif(under_test is numpy, reason="numpy: it has these dtypes")
@pytest.mark.parametrize("label", NOT_OURS)
def test_a_dtype_that_is_not_ours_is_named_by_a_type_error(label):
    spelling = NOT_OURS[label]
    name = numpy.dtype(spelling).name
    makers = {
        "zeros": lambda: under_test.zeros(3, spelling),
        "array": lambda: under_test.array([1, 2], dtype=spelling),
        "asarray": lambda: under_test.asarray(numpy.zeros(2, spelling)),
        "astype": lambda: under_test.ones(3).astype(spelling),
        "arange": lambda: under_test.arange(3).view(spelling),
    }
    for maker, make in makers.items():
        if maker == "arange" and numpy.dtype(spelling).itemsize != 8:
            continue
        with pytest.raises(TypeError) as caught:
            make()
        assert "NumPy" in str(caught.value), maker
        words = (name, str(numpy.dtype(spelling)), numpy.dtype(spelling).kind)
        assert any(word in str(caught.value) for word in words), maker


@pytest.mark.skipif(under_test is numpy, reason="numpy: it has these dtypes")
def test_values_that_would_need_such_a_dtype_raise_a_type_error():
    for values in (
        ["a", "b"],
        [None],
        "text",
        [object()],
        [b"x"],
        {"a": 1},
        [numpy.datetime64("2026-01-01")],
        [10**30],
    ):
        with pytest.raises(TypeError, match="NumPy"):
            under_test.array(values)


@pytest.mark.skipif(under_test is numpy, reason="numpy: it swaps bytes")
def test_arrays_of_the_other_byte_order_become_native():
    for dtype in DTYPES:
        swapped = filled((2, 3), dtype).astype(dtype.newbyteorder())
        x = under_test.array(swapped)
        assert x.dtype == dtype
        assert x.tolist() == swapped.tolist()


def defined(values, target):
    """Return the `values` whose conversion to `target` C leaves no freedom: from floats, those that fit."""
    if values.dtype.kind not in "fc" or target.kind not in "iu":
        return values
    info = numpy.iinfo(target)
    real = values.real.astype("f8")
    return values[
        numpy.isfinite(real) & (real > max(info.min - 1, -(2.0**63))) & (real < min(float(info.max), 2.0**63))
    ]


class TestCasts:
    def test_every_pair_at_edge_values(self):
        with Cells() as cells:
            for source, target in itertools.product(DTYPES, DTYPES):
                values = defined(edges(source), target)
                cells.same(f"{source} -> {target}", lambda xp, x, t: x.astype(t), values, target)
                cells.same(f"{source} -> {target} 0-d", lambda xp, x, t: x.astype(t), numpy.array(values[2]), target)

    def test_every_pair_at_many_values_and_layouts(self, rng):
        with Cells() as cells:
            for source, target in itertools.product(DTYPES, DTYPES):
                drawn = rng.integers(-(2**62), 2**62, 4 * 6 * 5) >> rng.integers(0, 62, 4 * 6 * 5)
                values = drawn.astype(source) if source.kind in "biu" else moderate(source, 120) * 5
                if target.kind in "u":
                    values = abs(values).astype(source)
                values = values.reshape(4, 6, 5)
                cells.same(f"{source} -> {target}", lambda xp, x, t: x.astype(t), values, target)
                view = Layout(values, (slice(None, None, -2), slice(None), slice(1, None, 2)), (2, 0, 1))
                cells.same(f"{source} -> {target} view", lambda xp, x, t: x.astype(t), view, target)
                cells.same(f"{source} -> {target} assign", self.assign, values, target)

    @staticmethod
    def assign(xp, values, target):
        """Return an array of `target` after an assignment that casts."""
        x = xp.zeros(values.shape, target)
        x[...] = values
        x[0, ::2] = values[1, ::-2]
        return x

    def test_casting_keyword(self):
        with Cells() as cells:
            for source, target, casting in itertools.product(DTYPES, DTYPES, CASTINGS):
                x = abs(moderate(source, 4)).astype(source)
                cells.same(
                    f"{source} -> {target} {casting}", lambda xp, a, t, c: a.astype(t, casting=c), x, target, casting
                )
            cells.same("nonsense", lambda xp, a: a.astype("f8", casting="nonsense"), filled((3,)))

    def test_order_and_copy_keywords(self):
        x = filled((2, 3, 4))
        layouts = {
            "c": x,
            "fortran": numpy.asfortranarray(x),
            "view": Layout(x, (slice(None), slice(None, None, 2)), (2, 0, 1)),
        }

        def cast(xp, array, target, order, copy):
            result = array.astype(target, order=order, copy=copy)
            return result, result is array, xp.shares_memory(result, array)

        with Cells() as cells:
            for (label, array), target, order, copy in itertools.product(
                layouts.items(), ("f8", "f4"), "CFAK", (True, False)
            ):
                cells.same(f"{label} {target} {order} {copy}", cast, array, target, order, copy)

    def test_complex_to_real_warns(self):
        with Cells(warns=True) as cells:
            for target in DTYPES:
                cells.same(target, lambda xp, x, t: x.astype(t), abs(filled((3,))).astype("c16"), target)

    def test_invalid_and_overflowing_casts_warn(self):
        with Cells(warns=True) as cells:
            for target in DTYPES:
                finite = numpy.array([1e30, 70000.0, 1.0])
                if target not in INTEGERS:
                    cells.same(f"overflow {target}", lambda xp, x, t: x.astype(t), finite, target)
            cells.same("array", lambda xp: xp.array([1e30], "f2"))

    @same_as_numpy
    def test_numpy_scalars_and_python_scalars_cast_on_creation(xp):
        return [xp.array(value, dtype) for value in (True, 3, 2.5) for dtype in ("?", "i1", "u8", "f2", "f4", "c8")]

    def test_python_integers_out_of_range_overflow(self):
        with Cells() as cells:
            for dtype, value in itertools.product(INTEGERS, (300, -1, 2**31, 2**63, -(2**63) - 1, 2**64)):
                cells.same(f"array {dtype} {value}", lambda xp, d, v: xp.array(v, d), dtype, value)
                cells.same(f"array of list {dtype} {value}", lambda xp, d, v: xp.array([v], d), dtype, value)
                cells.same(f"full {dtype} {value}", lambda xp, d, v: xp.full(3, v, d), dtype, value)
                cells.same(f"setitem {dtype} {value}", self.set_first, dtype, value)

    @staticmethod
    def set_first(xp, dtype, value):
        """Return an array after its first item is set."""
        x = xp.zeros(3, dtype)
        x[0] = value
        return x


@pytest.mark.skipif(under_test is numpy, reason="numpy: arithmetic of ml_dtypes is its own")
class TestDtypesOfTorch:
    @pytest.mark.parametrize("dtype", TORCH_ONLY, ids=str)
    def test_creation_and_casts(self, dtype):
        values = numpy.array([0.0, 1.0, -1.5, 0.25, 2.0, 3.0, 1.0625, -0.5])
        x = under_test.array(values, dtype=dtype)
        assert x.dtype == dtype
        assert x.itemsize == dtype.itemsize
        for target in ("f4", "f8", "f2", "i4", "?"):
            assert x.astype(target).tolist() == values.astype(dtype).astype(target).tolist(), target
        assert (
            under_test.asarray(values.astype(dtype)).astype("f8").tolist() == values.astype(dtype).astype("f8").tolist()
        )
        assert under_test.zeros(3, dtype).astype("f4").tolist() == [0, 0, 0]
        assert under_test.full((2,), 1.5, dtype).astype("f4").tolist() == [1.5, 1.5]
        assert under_test.ones(2, dtype=dtype).dtype == dtype
        assert numpy.asarray(x).dtype == dtype
        assert numpy.asarray(x).tobytes() == values.astype(dtype).tobytes()

    @pytest.mark.parametrize("source", DTYPES, ids=str)
    def test_casts_to_bfloat16(self, source):
        values = moderate(source, 20)
        if source.kind == "c":
            values = values.real
        got = under_test.array(values).astype(TORCH_ONLY[0])
        assert numpy.asarray(got).tobytes() == values.astype(TORCH_ONLY[0]).tobytes()

    def test_arithmetic_of_bfloat16_stays_bfloat16(self):
        bfloat16 = TORCH_ONLY[0]
        values = numpy.array([1.0, 2.0, -3.5, 100.0], bfloat16)
        x = under_test.asarray(values)
        for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
            got = getattr(under_test, name)(x, x[::-1])
            want = getattr(numpy, name)(values, values[::-1])
            assert got.dtype == bfloat16, name
            assert numpy.asarray(got).tobytes() == want.tobytes(), name
        for name in ("negative", "absolute", "sqrt", "exp", "square"):
            assert getattr(under_test, name)(abs(x)).dtype == bfloat16, name
        assert (x + 1).dtype == bfloat16
        assert (2.5 * x).dtype == (2.5 * values).dtype
        assert (x < 0).tolist() == [False, False, True, False]
        assert x.sum().dtype == bfloat16
        assert float(x.max()) == 100.0

    def test_items_of_bfloat16(self):
        x = under_test.zeros(3, TORCH_ONLY[0])
        x[1] = 1.5
        x[2:] = 2
        assert x.tolist() == [0, 1.5, 2]
        assert float(x[1]) == 1.5
        assert x.copy().reshape(3, 1).astype("f4").tolist() == [[0], [1.5], [2]]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_byte_order_that_is_named_and_native(dtype):
    named = dtype.newbyteorder("<" if sys.byteorder == "little" else ">")
    array = under_test.asarray(numpy.ones(3, named))
    assert array.dtype == dtype
    assert under_test.zeros(2, named).dtype == dtype
