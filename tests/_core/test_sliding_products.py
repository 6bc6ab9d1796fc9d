"""convolve and correlate of real lines, on both sides of what the vectors take."""

import itertools

import numpy
import pytest

import fastnp
from tests._oracle import host

NAMES = ("convolve", "correlate")
MODES = ("valid", "same", "full")
LENGTHS = [
    *((n, taps) for n in (1, 2, 15, 16, 17, 31, 40, 100) for taps in (1, 2, 3, 7, 8, 16, 24)),
    *((600, taps) for taps in (63, 64, 65, 95, 96, 97, 127, 128, 129, 255, 256, 257, 520, 590, 600)),
]  # fmt: skip


def both(name, a, v, mode):
    with numpy.errstate(all="ignore"):
        found = getattr(fastnp, name)(fastnp.array(a), fastnp.array(v), mode)
        return found, getattr(numpy, name)(a, v, mode)


@pytest.mark.parametrize("dtypes", ["dd", "ff", "df", "id", "d?", "eh", "fi", "ed", "ll", "ii", "ee", "??", "Dd", "fF"])
@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers(name, dtypes, rng):
    """Their sums are exact, in any order."""
    for (n, taps), mode in itertools.product(LENGTHS, MODES):
        a, v = rng.integers(0, 4, n).astype(dtypes[0]), rng.integers(0, 4, taps).astype(dtypes[1])
        if dtypes[0] != "?":
            a[: n // 2] *= -1
        found, wanted = both(name, a, v, mode)
        assert found.dtype == wanted.dtype
        assert numpy.array_equal(host(found), wanted), (n, taps, mode)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("name", NAMES)
def test_integers_modulo_their_width(name, dtype, rng):
    limits = numpy.iinfo(dtype)
    for (n, taps), mode in itertools.product([*LENGTHS, (3000, 40), (9000, 2), (2, 9000)], MODES):
        a, v = (rng.integers(limits.min, limits.max, size, dtype, endpoint=True) for size in (n, taps))
        for first, second in ((a, v), (a[::-1], v[::2])):
            found, wanted = both(name, first, second, mode)
            assert found.dtype == wanted.dtype
            assert numpy.array_equal(host(found), wanted), (n, taps, mode)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", NAMES)
def test_any_numbers(name, dtype, rng):
    for (n, taps), mode in itertools.product([*LENGTHS, (20000, 3000)], MODES):
        a, v = rng.normal(size=n).astype(dtype), rng.normal(size=taps).astype(dtype)
        found, wanted = both(name, a, v, mode)
        exact, sizes = (
            getattr(numpy, name)(*pair, mode) for pair in ((a.astype("g"), v.astype("g")), (abs(a), abs(v)))
        )
        assert found.dtype == wanted.dtype
        # As near as NumPy's, which BLAS sums, and no worse than a few units of the sum of sizes.
        limit = (8 + taps**0.5 / 8) * numpy.finfo(dtype).eps * sizes
        assert (abs(host(found) - exact) <= limit).all(), (n, taps, mode)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", NAMES)
def test_bits_of_few_taps(name, dtype, rng):
    for n, taps in itertools.product((11, 30, 47, 100), range(1, 12)):
        found, wanted = both(name, rng.normal(size=n).astype(dtype), rng.normal(size=taps).astype(dtype), "valid")
        assert host(found).tobytes() == wanted.tobytes(), (n, taps)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_that_are_none_have_no_share_elsewhere(name, dtype, rng):
    for value, place in itertools.product((numpy.inf, -numpy.inf, numpy.nan), (0, 5, 39, 78, 79)):
        a, v = rng.integers(1, 4, 80).astype(dtype), rng.integers(-3, 0, 9).astype(dtype)
        a[place] = value
        for mode in MODES:
            for pair in ((a, v), (v, a)):
                found, wanted = both(name, *pair, mode)
                assert numpy.array_equal(host(found), wanted, equal_nan=True), (value, place, mode)
        v[place % 9] = 0
        found, wanted = both(name, a, v, "full")
        assert numpy.array_equal(host(found), wanted, equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_layouts(name, rng):
    a, v = rng.integers(0, 9, (200, 2)).astype("f8"), rng.integers(0, 9, 60).astype("f8")
    mine, other = fastnp.array(a), fastnp.array(v)
    for first, second in itertools.product(
        (numpy.s_[:, 0], numpy.s_[::-1, 1], numpy.s_[::2, 0], numpy.s_[20:, 0]),
        (numpy.s_[::3], numpy.s_[::-1], numpy.s_[7:]),
    ):
        for mode in MODES:
            wanted = getattr(numpy, name)(a[first], v[second], mode)
            assert numpy.array_equal(host(getattr(fastnp, name)(mine[first], other[second], mode)), wanted)
