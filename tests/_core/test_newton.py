"""Quotients, reciprocals and roots to the last bit, whether the divider computes them or Newton's steps."""

import contextlib
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import host

RNG = numpy.random.default_rng(17)
SIZES = (1, 3, 8, 15, 16, 24, 31, 32, 33, 47, 48, 49, 71, 72, 73, 500)
SPECIAL = (
    0.0,
    -0.0,
    numpy.inf,
    -numpy.inf,
    numpy.nan,
    5e-324,
    -1e-310,
    1e308,
    2.0**450,
    2.0**-451,
    2.0**700,
    2.0**-701,
)
BITS = 53


def from_bits(bits):
    return numpy.asarray(bits, numpy.uint64).view(float)


def any_bits(size):
    """Return numbers of all sizes whose fractions are random, or end or begin with long runs of ones or zeros."""
    bits = RNG.integers(0, 2**64, size, numpy.uint64)
    kinds = RNG.integers(0, 6, size)
    for kind, ones in (
        (1, 0x000FFFFFFFFF0000),
        (2, 0x000FFFFF80000000),
        (3, 0x000FFFFFFFFFFFF8),
        (4, 0x00000000FFFFFFFF),
    ):
        bits[kinds == kind] |= numpy.uint64(ones)
        bits[(kinds == kind) & (bits >> 63 == 0)] &= ~numpy.uint64(ones)
    return from_bits(bits)


def usual(size):
    """Return the same of sizes between 1/2 and 4."""
    bits = any_bits(size).view(numpy.uint64) & numpy.uint64(0x800FFFFFFFFFFFFF)
    return from_bits(bits | (RNG.integers(1022, 1025, size).astype(numpy.uint64) << numpy.uint64(52)))


def hard_quotients(count):
    """Return dividends and divisors whose quotients lie as near to halfway between two numbers as any do.

    Of whole numbers a and b of 53 bits, 2 ** 53 * a is one more or less than an odd multiple of b.
    """
    found = []
    while len(found) < count:
        kind = RNG.integers(0, 3)
        b = (
            int(RNG.integers(2**52, 2**53))
            if kind == 0
            else 2**53 - int(RNG.integers(1, 2 ** (8 if kind == 1 else 34)))
        )
        b |= 1
        for rest in (1, -1):
            a = rest * pow(2**BITS, -1, b) % b + b
            if a < 2**53 and (a * 2**BITS - rest) // b % 2:
                found.append((float(a), float(b)))
    return [numpy.array(line) for line in zip(*found, strict=True)]


def roots_modulo(square, bits):
    """Return the odd numbers below 2 ** bits whose square is such modulo 2 ** bits."""
    found = {n for n in range(1, 8, 2) if (n * n - square) % 8 == 0}
    for k in range(4, bits + 1):
        found = {n + more for n in found for more in (0, 2 ** (k - 1)) if ((n + more) ** 2 - square) % 2**k == 0}
    return found


def hard_roots():
    """Return the numbers in 1 to 4 whose root is within some 2 ** -101 of a number halfway between two others."""
    found = []
    for rest in range(-99, 100, 2):
        for middle in roots_modulo(rest, 54):
            square = middle * middle - rest
            if middle >= 2**53 and square % 2 ** (55 if square >= 2**107 else 54) == 0:
                found.append(square / 2**106)
    return numpy.array(found)


def same(found, wanted):
    return host(found).tobytes() == numpy.asarray(wanted).tobytes()


@pytest.fixture(autouse=True)
def silent():
    """Nobody listens to flags, unless a test does."""
    with numpy.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("draw", [any_bits, usual])
def test_any_numbers(draw):
    for _ in range(20):
        a, b = draw(20000), draw(20000)
        mine, other = fastnp.array(a), fastnp.array(b)
        assert same(mine / other, a / b)
        assert same(fastnp.reciprocal(mine), numpy.reciprocal(a))
        assert same(1 / mine, 1 / a)
        assert same(fastnp.sqrt(abs(mine)), numpy.sqrt(abs(a)))
        for number in b[:20].tolist():
            assert same(mine / number, a / number), number
            assert same(number / mine, number / a), number


def test_quotients_nearest_to_halfway():
    a, b = hard_quotients(6000)
    for scale in (1.0, 2.0**-300, 2.0**300):
        assert same(fastnp.array(a * scale) / fastnp.array(b), a * scale / b)
    for number, divisor in zip(a[:300].tolist(), b[:300].tolist(), strict=True):
        line = numpy.full(40, number)
        assert same(fastnp.array(line) / divisor, line / divisor)
        line = numpy.full(40, divisor)
        assert same(number / fastnp.array(line), number / line)


def test_roots_nearest_to_halfway():
    hard = hard_roots()
    assert len(hard) > 30
    assert {1 + 2.0**-52, 4 - 2.0**-51} < set(hard.tolist())
    for power in (0, 1, -1, 100, -100, 349, -350, 350, -351, 500, -500):
        # Each of them in each place of two vectors, and among ones.
        for line in (numpy.repeat(hard, 16), numpy.stack((hard, numpy.ones(len(hard))), -1).ravel()):
            scaled = line * 4.0**power
            assert same(fastnp.sqrt(fastnp.array(scaled)), numpy.sqrt(scaled))


@pytest.mark.parametrize("size", SIZES)
def test_special_numbers_in_each_place(size):
    line = usual(size)
    for value in SPECIAL:
        for place in range(min(size, 73)):
            a = line.copy()
            a[place] = value
            mine = fastnp.array(a)
            assert same(fastnp.sqrt(mine), numpy.sqrt(a))
            assert same(mine / 3.0, a / 3.0)
            assert same(mine / fastnp.array(line), a / line)
            assert same(fastnp.array(line) / mine, line / a)
            assert same(1 / mine, 1 / a)
    for value in SPECIAL:
        assert same(fastnp.array(line) / value, line / value)
        assert same(value / fastnp.array(line), value / line)


@pytest.mark.parametrize("size", SIZES)
def test_layouts(size):
    a, b = usual(3 * size), usual(3 * size)
    mine, other = fastnp.array(a), fastnp.array(b)
    for view in (
        slice(None, size),
        slice(1, size + 1),
        slice(None, None, 3),
        slice(None, None, -3),
        slice(size, None, 2),
    ):
        for function, *operands in (
            (numpy.sqrt, a),
            (numpy.reciprocal, a),
            (numpy.divide, a, b),
            (numpy.divide, a, 7.0),
        ):
            given = [operand[view] if operand is a or operand is b else operand for operand in operands]
            mines = [{id(a): mine, id(b): other}.get(id(x), x) for x in operands]
            mines = [x[view] if isinstance(x, fastnp.ndarray) else x for x in mines]
            assert same(getattr(fastnp, function.__name__)(*mines), function(*given))


@pytest.mark.parametrize("size", [7, 40, 500])
def test_in_place_and_over_an_operand(size):
    for begin in (0, 1, 8, 9, 24):
        for step in (1, 2):
            for function, *more in ((numpy.sqrt,), (numpy.reciprocal,), (numpy.divide, 3.0), (numpy.divide, "other")):
                a = abs(usual(3 * size + 30))
                mine = fastnp.array(a)
                for xp, array in ((numpy, a), (fastnp, mine)):
                    source, place = array[step * 4 : step * (4 + size) : step], array[begin : begin + size]
                    operands = [array[3 : 3 + size] if x == "other" else x for x in more]
                    getattr(xp, function.__name__)(source, *operands, out=place)
                    array /= 3.0
                    array[::2] /= array[::2]
                assert same(mine, a), (begin, step, function)


def outcome(function, *operands):
    """Return the bytes that come back, or what is raised, and the warnings' texts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = None
        with contextlib.suppress(FloatingPointError):
            found = host(function(*operands)).tobytes()
    return found, [str(one.message) for one in caught]


@pytest.mark.parametrize("how", ["raise", "warn"])
def test_flags_are_numpys(how):
    line = usual(72)
    for value in (1.0, *SPECIAL):
        for place in (0, 7, 8, 15, 16, 23, 70, 71):
            a = abs(line)
            a[place] = value
            for name, *operands in (
                ("sqrt", a),
                ("sqrt", -a),
                ("reciprocal", a),
                ("divide", a, line),
                ("divide", line, a),
                *(("divide", a, number) for number in (1e-300, 1e300, 0.0)),
                *(("divide", number, a) for number in (1e300, 0.0, 1.0)),
            ):
                mine = [fastnp.array(x) if isinstance(x, numpy.ndarray) else x for x in operands]
                with numpy.errstate(all=how):
                    wanted = outcome(getattr(numpy, name), *operands)
                with fastnp.errstate(all=how):
                    found = outcome(getattr(fastnp, name), *mine)
                assert found == wanted, (name, value, place)


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_quotients_of_integers(dtype):
    limits = numpy.iinfo(dtype)
    for size in SIZES:
        a = RNG.integers(limits.min, limits.max, size, dtype, endpoint=True)
        b = RNG.integers(max(limits.min, -9), 9, size, dtype, endpoint=True)
        mine, other = fastnp.array(a), fastnp.array(b)
        assert same(mine / other, a / b)
        assert same(other / mine, b / a)
        for number in (1, 3, 10, 127, 0):
            assert same(mine / number, a / number)
            assert same(number / other, number / b)
        assert same(mine[::-1] / other[::1], a[::-1] / b)
        assert same(mine[::2] / 7, a[::2] / 7)


def test_roots_of_floats():
    for size in SIZES:
        a = usual(size).astype("f4")
        a[:: max(size // 3, 1)] = RNG.choice(SPECIAL, len(a[:: max(size // 3, 1)])).astype("f4")
        assert same(fastnp.sqrt(fastnp.array(a)), numpy.sqrt(a))
        assert same(fastnp.sqrt(fastnp.array(a)[::-1]), numpy.sqrt(a[::-1]))


def test_roots_of_all_floats():
    """Every fraction, of even and odd exponents, and each computed by a step at one of two places."""
    one, four = numpy.array([1.0, 4.0], "f4").view("u4")
    for begin in range(int(one), int(four), 2**20):
        radicands = numpy.arange(begin, begin + 2**20, dtype="u4").view("f4")
        for skipped in (0, 16):
            assert same(fastnp.sqrt(fastnp.array(radicands[skipped:])), numpy.sqrt(radicands[skipped:]))


@pytest.mark.parametrize("how", ["ignore", "raise", "warn"])
def test_special_floats_in_each_place(how):
    line = (RNG.random(96) + 0.5).astype("f4")
    powers = [numpy.float32(2.0**power) for power in (-149, -126, -91, -90, -89, 89, 90, 91, 127)]
    for value in (-1.0, *powers, *(numpy.float32(x) for x in SPECIAL)):
        for place in (0, 15, 16, 31, 32, 47, 48, 79, 80, 95):
            a = line.copy()
            a[place] = value
            with numpy.errstate(all=how):
                wanted = outcome(numpy.sqrt, a)
            with fastnp.errstate(all=how):
                assert outcome(fastnp.sqrt, fastnp.array(a)) == wanted, (value, place)
