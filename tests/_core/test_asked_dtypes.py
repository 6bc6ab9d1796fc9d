"""Ufuncs that are told the dtype of their loop, and logical ones of Python's numbers: without NumPy's own call."""

import itertools

import numpy
import pytest

import fastnp
from tests._oracle import agree
from tests._tables import DTYPES

RNG = numpy.random.default_rng(30)
UNARY = ["negative", "sqrt", "floor", "absolute", "logical_not", "invert", "exp", "isnan", "sign", "conjugate"]
BINARY = ["add", "divide", "floor_divide", "maximum", "power", "less", "logical_and", "hypot", "bitwise_or", "ldexp"]
ASKED = ["f8", "f4", "f2", "i8", "u1", "c16", "?", float, "O", "nonsense"]


def values(dtype, shape=(2, 3)):
    """Numbers of a dtype between -1 and 5."""
    return (RNG.random(shape) * 6 - (numpy.dtype(dtype).kind in "ifc")).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    for asked in ASKED:
        agree(lambda xp, x, asked=asked: getattr(xp, name)(x, dtype=asked), values(dtype),
              tolerance="rounded", warns=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    for asked, other in itertools.product(ASKED, ["f8", "i4", "?", dtype]):
        agree(lambda xp, x, y, asked=asked: getattr(xp, name)(x, y, dtype=asked), values(dtype), values(other, 3),
              tolerance="rounded", warns=True)
    for asked, number in itertools.product(ASKED, [2, 2.5, True, 1j, 300]):
        agree(lambda xp, x, asked=asked, number=number: getattr(xp, name)(x, number, dtype=asked), values(dtype),
              tolerance="rounded", warns=True)
        agree(lambda xp, x, asked=asked, number=number: getattr(xp, name)(number, x, dtype=asked), values(dtype),
              tolerance="rounded", warns=True)


@pytest.mark.parametrize("asked", ["i8", "i4", "u1", "u4", "u8", "?", "f4", "f2", float])
@pytest.mark.parametrize("dtype", DTYPES)
def test_any_cast(dtype, asked):
    """What does not fit is NumPy's to say, with its warning; the rest is computed here."""
    bounds = [0.5, 3, -1, numpy.nan, numpy.inf, 3e9, -3e9, 2.0**63, 1e300]
    fitting, all_kinds = values(dtype), [value for value in bounds if numpy.dtype(dtype).kind in "fc"] or values(dtype)
    with numpy.errstate(all="ignore"):
        all_kinds = numpy.array(all_kinds).astype(dtype)
    for name, number in itertools.product(["add", "floor_divide", "maximum", "logical_xor"], [1, 2.5, 3e9]):
        for x in (fitting, all_kinds, numpy.resize(all_kinds, 700)):
            agree(lambda xp, x, name=name, number=number: getattr(xp, name)(x, number, dtype=asked, casting="unsafe"),
                  x, warns=True)
            agree(lambda xp, x, y, name=name: getattr(xp, name)(x, y, dtype=asked, casting="unsafe"),
                  x, numpy.resize(fitting, x.shape), warns=True)


@pytest.mark.parametrize("asked", ["f8", "f4", "i8"])
def test_into_an_array_and_where(asked):
    def body(xp, x, y, kind):
        out = xp.zeros(x.shape, kind)
        result = xp.add(x, y, out=out, where=x > 2, dtype=asked)
        return out, result is out

    for dtype, kind in itertools.product(["f8", "f4", "i4", "u1"], ["f8", "f4", "i8"]):
        agree(body, values(dtype), values(dtype), kind)


@pytest.mark.parametrize("dtype, size, path", [("i8", 3, "quick"), ("u1", 3, "quick"), ("i8", 600, "iteration engine")])
def test_explain_names_the_path(dtype, size, path):
    """Few elements are cast and computed at once, more by the engine."""
    array = fastnp.arange(size, dtype="i8").astype(dtype)
    told = str(fastnp.explain(lambda: fastnp.add(array, array, dtype="f8")))
    assert path in told
    assert "add for float64, float64, float64" in told


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logical_functions_of_numbers(name, dtype):
    for number in (0, 1, 300, -2, 0.0, 2.5, float("nan"), 0j, 1j, True, False, 2**70):
        agree(lambda xp, x, number=number: getattr(xp, name)(x, number), values(dtype))
        agree(lambda xp, x, number=number: getattr(xp, name)(number, x), values(dtype))
        agree(lambda xp, x, number=number: getattr(xp, name)(x[0, 0], number), values(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_become_truths(dtype):
    for number in (0, 3, 0.0, 2.5, float("nan"), 0j, 2j, 2**70):
        agree(lambda xp, number=number: xp.full(3, number, dtype="?"))

    def set_all(xp, x, number):
        x[:] = number
        return x

    for number in (0, 3, 2.5, float("nan"), 2**70):
        agree(set_all, values("?"), number)
        agree(lambda xp, x, number=number: xp.where(x, number, x), values("?"))
