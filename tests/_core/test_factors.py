"""Products of many numbers in lanes: NumPy's value and flags where a product on the way leaves the normal numbers."""

import itertools

import numpy
import pytest

import fastnp as np

LANES, BLOCK = 32, 512
"""How many products of doubles run side by side, and how many numbers a block of them has."""


def outcome(call):
    """Return the value of a call, or the text of the error that its flags make with all of them raised."""
    with numpy.errstate(all="raise"), np.errstate(all="raise"):
        try:
            return float(call()).hex()
        except FloatingPointError as error:
            return str(error)


def check(values):
    """Compare a product's flags and its value, which powers of two have exactly, with NumPy's."""
    assert outcome(lambda: np.prod(np.asarray(values))) == outcome(lambda: numpy.prod(values))
    with numpy.errstate(all="ignore"), np.errstate(all="ignore"):
        ours, theirs = np.prod(np.asarray(values)), numpy.prod(values)
    numpy.testing.assert_equal(float(ours), float(theirs))
    assert numpy.signbit(float(ours)) == numpy.signbit(theirs) or numpy.isnan(theirs)


@pytest.mark.parametrize("exponent", [*range(-20, 21), -1000, -500, -100, 100, 500, 1000, -1074, 1023])
@pytest.mark.parametrize("first, second", [(0, LANES), (3, 3 + 7 * LANES), (479, 511), (0, BLOCK), (5, 6)])
@pytest.mark.parametrize("size", [BLOCK - 1, 2 * BLOCK, 4 * BLOCK + 7])
def test_a_number_far_from_one_and_its_inverse(exponent, first, second, size):
    values = numpy.ones(size)
    values[first % size] = 2.0**exponent
    with numpy.errstate(all="ignore"):
        values[second % size] *= numpy.float64(2.0) ** -exponent
    check(values)


@pytest.mark.parametrize("odd", [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 5e-324, -1e-310, 1e308, -1e-300])
@pytest.mark.parametrize("place", [0, 40, BLOCK - 1, BLOCK, 3 * BLOCK + 1])
def test_one_odd_number(odd, place):
    values = numpy.ones(4 * BLOCK)
    values[place] = odd
    check(values)
    values[7] = -2.0
    check(values)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("seed", range(12))
def test_powers_of_two_at_random(dtype, seed):
    random = numpy.random.default_rng(seed)
    for spread, size in itertools.product((1, 2, 4, 30, 100 if dtype == "f4" else 500), (1024, 2048, 5000)):
        exponents = random.integers(-spread, spread + 1, size)
        values = numpy.ldexp(random.choice([-1.0, 1.0], size), exponents).astype(dtype)
        check(values)
        check(numpy.ldexp(numpy.ones(size), numpy.tile([spread, -spread], size // 2)).astype(dtype))


@pytest.mark.parametrize("step", [1.0 + 2**-7, 0.999, 1.9, 0.53, 0.5, 1.05])
def test_numbers_near_one(step):
    values = numpy.where(numpy.arange(8 * BLOCK) % 2, step, 1 / step)
    numpy.testing.assert_allclose(float(np.prod(np.asarray(values))), float(numpy.prod(values)), rtol=1e-12)


FAR = 2_800_000
"""Numbers of doubles that are more than half of a cache of 40 MB, which are read in four streams."""


@pytest.mark.parametrize("odd", [0.0, -0.0, numpy.inf, numpy.nan, 5e-324, 1e-310, 1e300, -2.0, 2.0**20, 2.0**-700])
@pytest.mark.parametrize("place", [0, 16_383, 16_384, 1_000_000, FAR - 1])
@pytest.mark.parametrize("more", [0, 5])
def test_one_odd_number_from_memory(odd, place, more):
    values = numpy.ones(FAR)
    values[place] = odd
    if more:
        values[more::70_001] *= -1.0
        values[place // 2] *= 2.0**-30
    check(values)


@pytest.mark.parametrize("seed", range(3))
def test_powers_of_two_from_memory(seed):
    random = numpy.random.default_rng(seed)
    for dtype, spread in (("f8", 1), ("f8", 40), ("f4", 1)):
        exponents = random.integers(-spread, spread + 1, 2 * FAR if dtype == "f4" else FAR)
        exponents[1::2] = -exponents[::2]
        check(numpy.ldexp(random.choice([-1.0, 1.0], len(exponents)), exponents).astype(dtype))
