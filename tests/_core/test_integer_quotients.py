"""Floored quotients of integers and what they leave, whether they are computed as doubles or by NumPy's loop."""

import warnings

import numpy
import pytest

import fastnp
from tests._oracle import host

DTYPES = ("int32", "int64", "uint32", "uint64", "int16", "uint8")
SIZES = (1, 7, 8, 9, 15, 16, 17, 40, 255, 256, 257, 265, 600)
DIVISORS = (1, 2, 3, 7, 10, 64, 127, -2, -3, -7, -128)
NAMES = ("floor_divide", "remainder")


def same(found, wanted):
    return found.dtype == wanted.dtype and numpy.array_equal(host(found), wanted)


@pytest.fixture(autouse=True)
def silent():
    """Nobody listens to flags, unless a test does."""
    with numpy.errstate(all="ignore"):
        yield


def drawn(rng, dtype, size, most):
    limits = numpy.iinfo(dtype)
    return rng.integers(max(limits.min, -most), min(limits.max, most), size, dtype, endpoint=True)


def both(a, b, label=None):
    mine = [fastnp.array(x) if isinstance(x, numpy.ndarray) else x for x in (a, b)]
    for name in NAMES:
        assert same(getattr(fastnp, name)(*mine), getattr(numpy, name)(a, b)), (name, label)


@pytest.mark.parametrize("most", [20, 2**31, 2**50 + 20, 2**52, 2**63 - 1])
@pytest.mark.parametrize("dtype", DTYPES)
def test_lines_and_numbers(dtype, most, rng):
    for size in SIZES:
        a, b = drawn(rng, dtype, size, most), drawn(rng, dtype, size, 50)
        both(a, b)
        both(b, a)
        for divisor in DIVISORS:
            if numpy.iinfo(dtype).min <= divisor:
                both(a, divisor, divisor)
                both(divisor, b, divisor)


@pytest.mark.parametrize("limit", [2**50, 2**51, 2**53, 2**62])
def test_next_to_multiples(limit, rng):
    """Where a rounded quotient is nearest to the next whole number, on both sides of the largest computed so."""
    for _ in range(40):
        by = int(rng.integers(1, 2 ** int(rng.integers(2, 50)))) * int(rng.choice([1, -1]))
        multiples = [limit // by * by + k * by + more for k in range(-3, 3) for more in (-1, 0, 1)]
        a = numpy.array(multiples + [-n for n in multiples], "int64")
        both(a, by, by)
        both(a, numpy.full(len(a), by), by)
        both(a[:8], numpy.full(8, by), by)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [9, 40, 300])
def test_numbers_that_numpy_divides_in_each_place(dtype, size, rng):
    limits = numpy.iinfo(dtype)
    line, divisors = drawn(rng, dtype, size, 100), drawn(rng, dtype, size, 9)
    divisors[divisors == 0] = 1
    for place in (0, 7, 8, size // 2, size - 1):
        for value in (limits.min, limits.max, limits.min + 1, limits.max // 2):
            a = line.copy()
            a[place] = value
            both(a, divisors, (place, value))
            both(a, 3, (place, value))
            both(line, numpy.where(a == 0, 1, a), (place, value))
        for divisor in {0, limits.min and -1}:
            b = divisors.copy()
            b[place] = divisor
            both(line, b, (place, divisor))
            a = line.copy()
            a[place] = limits.min
            both(a, b, (place, divisor))


def warned(function, *operands):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = host(function(*operands)).tolist()
    return found, sorted(str(one.message) for one in caught)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_warnings_are_numpys(dtype, rng):
    least = numpy.iinfo(dtype).min
    for size in (5, 40, 300):
        line = drawn(rng, dtype, size, 90)
        some = numpy.where(line == 0, 1, line).astype(dtype)
        with_least, with_zero = line.copy(), some.copy()
        with_least[size // 2], with_zero[size // 2] = least, 0
        for name in NAMES:
            for operands in (
                (line, some),
                (line, with_zero),
                (line, 0),
                (7, with_zero),
                (with_least, 3),
                (with_least, some),
            ):
                mine = [fastnp.array(x) if isinstance(x, numpy.ndarray) else x for x in operands]
                with numpy.errstate(all="warn"):
                    wanted = warned(getattr(numpy, name), *operands)
                with fastnp.errstate(all="warn"):
                    assert warned(getattr(fastnp, name), *mine) == wanted, (name, operands)
            if least:
                ones = numpy.full(size, -1, dtype)
                with numpy.errstate(all="warn"):
                    wanted = [warned(getattr(numpy, name), with_least, by) for by in (ones, -1)]
                with fastnp.errstate(all="warn"):
                    mine = fastnp.array(with_least)
                    assert [warned(getattr(fastnp, name), mine, by) for by in (fastnp.array(ones), -1)] == wanted


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_layouts_and_places(dtype, rng):
    for begin in (0, 1, 8, 30):
        a = drawn(rng, dtype, (4, 300), 1000)
        b = drawn(rng, dtype, (4, 300), 20)
        mine, other = fastnp.array(a), fastnp.array(b)
        for view in (numpy.s_[:, :200], numpy.s_[:, ::2], numpy.s_[::-1, ::-1], numpy.s_[:, 3], numpy.s_[1, ::-3]):
            assert same(mine[view] % other[view], a[view] % b[view])
            assert same(mine[view] // 7, a[view] // 7)
            assert same(mine[view] % b[0, 0], a[view] % b[0, 0])
        for xp, numbers, divisors in ((numpy, a[0], b[0]), (fastnp, mine[0], other[0])):
            xp.remainder(numbers[10:210], 13, out=numbers[begin : begin + 200])
            xp.floor_divide(numbers[20:220], divisors[20:220], out=divisors[begin : begin + 200])
            numbers %= divisors
            divisors[60] = 5
            xp.remainder(numbers[:200], divisors[60:61], out=divisors[:200])
        assert same(mine, a), begin
        assert same(other, b), begin
