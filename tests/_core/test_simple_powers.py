"""Powers by one exponent of which a product or a root makes the power: how near they are, and what flags they raise."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same

RNG = numpy.random.default_rng(47)
SPECIAL = [0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 5e-324, -1e-320, 1e-310, 2.3e-308, 1e-300, 1e-150,
           -1e-110, 1e-108, -1e-103, 3e-103, 1e-45, 1e-38, 1e13, 1e102, 1e103, -1e200, 1e308]
EXPONENTS = [3, -0.5, 2, -1, 0.5, 3.0]


def numbers(dtype):
    limit = 30 if dtype == "f4" else 600
    drawn = RNG.uniform(-2, 2, 10_000), numpy.exp(RNG.uniform(-limit, limit, 10_000))
    with numpy.errstate(over="ignore"):
        return numpy.concatenate([SPECIAL, *drawn]).astype(dtype)


@pytest.mark.skipif(numpy.finfo(numpy.longdouble).nmant < 63, reason="nothing here is more exact than float64")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("exponent", EXPONENTS)
@numpy.errstate(all="ignore")
def test_powers_lie_next_to_the_value(exponent, dtype):
    given = numbers(dtype)
    exact = given.astype(numpy.longdouble) ** numpy.longdouble(exponent)
    ours, theirs = numpy.asarray(fastnp.array(given) ** exponent), given**exponent
    assert ours.dtype == theirs.dtype
    normal = numpy.isfinite(theirs) & (abs(theirs) >= numpy.finfo(dtype).tiny)
    units = abs(ours[normal] - exact[normal]) / numpy.spacing(abs(theirs[normal]))
    assert units.max() < 0.51
    numpy.testing.assert_array_equal(ours[~numpy.isfinite(theirs)], theirs[~numpy.isfinite(theirs)])
    numpy.testing.assert_array_equal(numpy.signbit(ours[theirs == 0]), numpy.signbit(theirs[theirs == 0]))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("exponent", [3, -0.5])
@numpy.errstate(all="ignore")
def test_powers_do_not_depend_on_place_or_size(exponent, dtype):
    array = fastnp.array(numbers(dtype))
    whole = numpy.asarray(array**exponent)
    for key in (slice(0, 1), slice(3), slice(2, 9), slice(None, None, 3), slice(None, None, -1)):
        same(array[key] ** exponent, (whole[key]).copy())
    into = array.copy()
    into **= exponent
    same(into, whole)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_flags_are_those_of_the_power(exponent, dtype):
    def said(xp, number, size):
        array = xp.full(size, 1.5, dtype=dtype)
        array[-1] = number
        with warnings.catch_warnings(record=True) as caught, xp.errstate(all="warn"):
            warnings.simplefilter("always")
            xp.power(array, exponent)
        return sorted(str(warning.message) for warning in caught)

    with numpy.errstate(over="ignore", under="ignore"):
        given = numpy.unique(numpy.array(SPECIAL).astype(dtype))
    for number, size in itertools.product(given, (1, 5, 16)):
        if abs(number) >= numpy.finfo(dtype).tiny or number == 0 or number != number:
            assert said(fastnp, number, size) == said(numpy, number, size), (number, size)


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("exponent", [2, 3, 2.0, 3j, 1, 4, -1, 0.5])
@numpy.errstate(all="ignore")
def test_complex_powers_are_numpys(exponent, dtype):
    given = (RNG.standard_normal(1003) + 1j * RNG.standard_normal(1003)).astype(dtype)
    given[::7] = 0
    given[1:7] = [complex(numpy.inf, 1), complex(numpy.nan, 0), -0.0, complex(-0.0, -0.0), complex(0, numpy.inf), 1j]
    array = fastnp.array(given)
    for key in (slice(None), slice(0, 1), slice(3, 8), slice(None, None, 2)):
        same(fastnp.power(array[key], exponent), numpy.power(given[key], exponent))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_integers_by_one_exponent(dtype):
    given = RNG.integers(0 if dtype[0] == "u" else -100, 100, 1003).astype(dtype)
    array = fastnp.array(given)
    for exponent in (0, 1, 2, 3, 4, 5, 7, 13, 64):
        for key in (slice(None), slice(20), slice(None, None, 3), slice(None, None, -1)):
            same(array[key] ** exponent, given[key] ** exponent)
        same(array ** fastnp.full(1003, exponent, dtype), given ** numpy.full(1003, exponent, dtype))
    if dtype[0] == "i":
        with pytest.raises(ValueError, match="negative integer powers"):
            array ** fastnp.array(-1, dtype)
