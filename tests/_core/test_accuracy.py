"""Elementary functions that are our own: within one unit of the value, which longer numbers tell."""

import os

import numpy
import pytest
import torch
from numpy._core._multiarray_umath import __cpu_features__

import fastnp

KEEPS_NUMPYS = __cpu_features__.get("X86_V4", False) and os.environ.get("ATEN_CPU_CAPABILITY") is None
pytestmark = [
    pytest.mark.skipif(numpy.finfo(numpy.longdouble).nmant < 63, reason="the longest numbers are doubles"),
    pytest.mark.skipif(KEEPS_NUMPYS or not __cpu_features__.get("AVX2", False), reason="the loops are NumPy's here"),
]

# How far the doubles lie from the value at most, in units of the last place; the floats, rounded once, lie nearer.
FURTHEST = {"arctan": 0.87, "arctan2": 0.87, "arctanh": 0.8, "cosh": 1.1, "exp": 0.52, "exp2": 0.52, "expm1": 0.85,
            "log": 0.51, "log10": 0.51, "log1p": 0.67, "log2": 0.51, "sinh": 1.15, "tanh": 1.01}
FURTHEST_FLOATS = {"arctan2": 0.92, "exp2": 0.85}  # SLEEF's, of small numbers or all
MOST = {"float64": {"arctanh": 1, "cosh": 700, "exp": 708, "exp2": 1000, "expm1": 700, "sinh": 700},
        "float32": {"arctanh": 1, "cosh": 87, "exp": 87, "exp2": 120, "expm1": 87, "sinh": 87}}
DTYPES = ("float64", "float32")


def numbers_for(name, count, dtype, seed=0):
    """Return numbers of the usual sizes, of all sizes, near zero and near one, which the function is defined for."""
    generator = numpy.random.default_rng(seed)
    sizes = 290 if dtype == "float64" else 30
    most = MOST[dtype].get(name, 10.0 ** 30)
    parts = [generator.uniform(-4, 4, count), generator.uniform(-most, most, count) if most < 1e30 else [],
             generator.uniform(-0.03, 0.03, count), 1 + generator.uniform(-0.03, 0.03, count),
             10 ** generator.uniform(-sizes, numpy.log10(most), count) * generator.choice([-1, 1], count)]
    numbers = numpy.concatenate(parts).astype(dtype)
    if name in ("log", "log2", "log10"):
        return numpy.abs(numbers)
    if name == "arctanh":
        return numbers[numpy.abs(numbers) < 1]
    if name == "log1p":
        return numbers[numbers > -1]
    return numbers


def operands_for(name, count, dtype, seed=0):
    """Return what the function is given."""
    first = numbers_for(name, count, dtype, seed)
    return (first, numpy.random.default_rng(seed + 1).permutation(first)) if name == "arctan2" else (first,)


def distance(found, exact):
    """Return how far numbers lie from those that longer ones hold, in units of the last place."""
    place = numpy.spacing(numpy.abs(exact.astype(found.dtype)))
    return float((numpy.abs(found.astype(exact.dtype) - exact) / place).max())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FURTHEST)
def test_no_further_from_the_value_than_said(name, dtype):
    operands = operands_for(name, 40_000, dtype)
    longer = numpy.longdouble if dtype == "float64" else numpy.float64
    exact = getattr(numpy, name)(*(each.astype(longer) for each in operands))
    found = numpy.asarray(getattr(fastnp, name)(*map(fastnp.asarray, operands)))
    assert found.dtype == dtype
    assert distance(found, exact) <= (FURTHEST[name] if dtype == "float64" else FURTHEST_FLOATS.get(name, 0.51))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FURTHEST)
def test_within_one_place_of_torchs(name, dtype):
    """What a gradient or a mode sends to torch differs by one place at most."""
    operands = operands_for(name, 20_000, dtype, seed=3)
    torchs = getattr(torch, name)(*map(torch.from_numpy, operands)).numpy()
    found = numpy.asarray(getattr(fastnp, name)(*map(fastnp.asarray, operands)))
    assert (numpy.abs(found - torchs) <= numpy.spacing(numpy.abs(torchs))).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FURTHEST)
def test_a_number_has_one_result(name, dtype):
    """Alone, in a row of any length, beside odd ones, as every second one, and in place."""
    operands = [each[:: len(each) // 400] for each in operands_for(name, 4000, dtype, seed=5)]
    operands = [each[:min(map(len, operands))] for each in operands]
    function, count = getattr(fastnp, name), len(operands[0])
    whole = numpy.asarray(function(*map(fastnp.asarray, operands)))
    for i in range(0, count, 7):
        assert float(function(*(fastnp.asarray(each[i]) for each in operands))) == whole[i]
    for length in (1, 2, 3, 4, 5, 8, 9, 31, 130):
        found = function(*(fastnp.asarray(each[:length]) for each in operands))
        numpy.testing.assert_array_equal(numpy.asarray(found), whole[:length])
    odd_numbers = (numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.0, -1.0, -2.0, 1e38, 1e308)
    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
        for odd in (*odd_numbers, numpy.finfo(dtype).tiny / 8):
            beside = [each.copy() for each in operands]
            for each in beside:
                each[5::11] = odd
            found = numpy.asarray(function(*map(fastnp.asarray, beside)))
            kept = numpy.ones(count, bool)
            kept[5::11] = False
            numpy.testing.assert_array_equal(found[kept], whole[kept])
            theirs = getattr(numpy, name)(*(each[5::11] for each in beside))
            numpy.testing.assert_allclose(found[5::11], theirs, rtol=4 * numpy.finfo(dtype).eps)
            numbers = ~numpy.isnan(theirs)
            numpy.testing.assert_array_equal(numpy.signbit(found[5::11][numbers]), numpy.signbit(theirs[numbers]))
    spread = [fastnp.asarray(numpy.repeat(each, 2))[::2] for each in operands]
    numpy.testing.assert_array_equal(numpy.asarray(function(*spread)), whole)
    given = [fastnp.asarray(each.copy()) for each in operands]
    assert function(*given, out=given[0]) is given[0]
    numpy.testing.assert_array_equal(numpy.asarray(given[0]), whole)


@pytest.mark.parametrize("dtype, least, most, tens", [("float64", -1022, 1024, 23), ("float32", -126, 128, 11)])
def test_whole_powers_have_whole_logarithms(dtype, least, most, tens):
    powers = numpy.arange(least, most)
    found = numpy.asarray(fastnp.log2(fastnp.asarray(numpy.ldexp(1.0, powers).astype(dtype))))
    numpy.testing.assert_array_equal(found, powers)
    powers_of_ten = numpy.array([float(f"1e{power}") for power in range(tens)], dtype)
    numpy.testing.assert_array_equal(numpy.asarray(fastnp.log10(fastnp.asarray(powers_of_ten))), numpy.arange(tens))
    back = numpy.asarray(fastnp.exp2(fastnp.asarray(powers.astype(dtype))))
    numpy.testing.assert_array_equal(back, numpy.ldexp(1.0, powers).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["expm1", "log1p", "tanh", "sinh", "arctan", "arctanh"])
def test_odd_functions_keep_zeros_and_signs(name, dtype):
    numbers = numbers_for(name, 3000, dtype, seed=9)
    numbers[::5] = 0.0
    numbers[1::5] = -0.0
    found = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(numbers)))
    numpy.testing.assert_array_equal(numpy.signbit(found), numpy.signbit(numbers))
    assert not found[::5].any()
    assert not found[1::5].any()


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_quarter_of_the_circle(dtype):
    """Zeros of both signs, steep and flat, ahead and behind: the angles are NumPy's."""
    with numpy.errstate(over="ignore", under="ignore"):
        sizes = numpy.array([0.0, 1, 2.5, 1e-130, 1e130, 1e-200, 1e200, 1e-13, 1e13, 1e-20, 1e30, numpy.inf, numpy.nan])
        values = numpy.concatenate((sizes, -sizes)).astype(dtype)
    y, x = (each.ravel().copy() for each in numpy.meshgrid(values, values))
    with numpy.errstate(under="ignore"):
        theirs = numpy.arctan2(y, x)
    for repeats in (1, 3, 100):
        with fastnp.errstate(under="ignore"):
            found = fastnp.arctan2(fastnp.asarray(numpy.tile(y, repeats)), fastnp.asarray(numpy.tile(x, repeats)))
        found, wanted = numpy.asarray(found), numpy.tile(theirs, repeats)
        numpy.testing.assert_allclose(found, wanted, rtol=1.2 * numpy.finfo(dtype).eps)
        numpy.testing.assert_array_equal(numpy.signbit(found[found == found]), numpy.signbit(wanted[found == found]))
        straight = numpy.tile((y == 0) | (x == 0), repeats)
        numpy.testing.assert_array_equal(found[straight], wanted[straight])
