"""Attributes that NumPy's scalars of some dtypes have and arrays do not; copies by the standard module."""

import copy
import math

import numpy
import pytest

import fastnp
from tests._oracle import agree, same_as_numpy

from .test_scalars import ALL, REAL, VALUES, scalar


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy(warns=True)
def test_attributes_that_only_scalars_have(xp, dtype):
    """The names of NumPy's scalar types, each with its value: missing where NumPy's scalar of the dtype lacks it."""
    x, array = scalar(xp, dtype), xp.array(VALUES[dtype], dtype=dtype)
    names = ("as_integer_ratio", "bit_count", "denominator", "hex", "is_integer", "numerator")
    values = []
    for name in (*names, "conj", "conjugate", "imag", "real"):
        for owner in (x, array):
            value = getattr(owner, name, "missing")
            value = value() if callable(value) else value
            values.append((name, value, getattr(value, "flags", None) is not None and value.flags.writeable))
    return values


@same_as_numpy
def test_fromhex_of_a_scalar(xp):
    return scalar(xp, "f8").fromhex("0x1.8p+1")


@pytest.mark.parametrize("name", ["is_integer", "as_integer_ratio", "hex", "bit_count", "numerator", "denominator"])
@pytest.mark.parametrize("dtype", REAL)
def test_attributes_of_scalars_at_the_edges(dtype, name):
    """Through the call that makes no bound method, and through the attribute: both NumPy's answer or error."""
    kind = numpy.dtype(dtype).kind
    if kind == "f":
        values = [0.0, -0.0, 0.5, -3.0, 2.0**11, math.inf, -math.inf, math.nan, float(numpy.finfo(dtype).max)]
    else:
        values = [False, True] if kind == "b" else [numpy.iinfo(dtype).min, numpy.iinfo(dtype).max, 0, 1, 7]
    called = {
        "is_integer": lambda x: x.is_integer(),
        "as_integer_ratio": lambda x: x.as_integer_ratio(),
        "hex": lambda x: x.hex(),
        "bit_count": lambda x: x.bit_count(),
        "numerator": lambda x: x.numerator,
        "denominator": lambda x: x.denominator,
    }[name]

    def attribute(x):
        value = getattr(x, name)
        return value() if callable(value) else value

    for index in range(len(values)):
        for way in (attribute, called):
            agree(lambda xp: way(xp.array(values, dtype=dtype)[index]))  # noqa: B023


@pytest.mark.parametrize(
    "call",
    [
        lambda xp: scalar(xp, "f8").is_integer(1),
        lambda xp: scalar(xp, "i8").bit_count(x=1),
        lambda xp: xp.arange(3).bit_count(),
        lambda xp: xp.arange(3.0).is_integer,
        lambda xp: type(xp.arange(3)).numerator,
        lambda xp: scalar(xp, "?").is_integer(),
        lambda xp: scalar(xp, "c16").hex(),
        lambda xp: xp.array(3.0).is_integer(),
    ],
)
def test_wrong_uses_of_attributes_of_scalars(call):
    agree(call)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_by_the_standard_module(copied, dtype):
    """A scalar's copy is a scalar, an array's has its layout, and neither has the memory of what was copied."""
    array = fastnp.array([VALUES[dtype]] * 2, dtype=dtype)
    for x in (array, array[0] if array.ndim == 1 else array[0, 0], array[::-1], array.T, fastnp.array(VALUES[dtype])):
        y, theirs = copied(x), copied(numpy.asarray(x)) if not x.is_scalar else numpy.asarray(x)
        assert y.is_scalar == x.is_scalar
        assert y.dtype == x.dtype
        assert x.is_scalar or y.strides == theirs.strides
        numpy.testing.assert_array_equal(numpy.asarray(y), numpy.asarray(x))
        assert not fastnp.shares_memory(x, y)
