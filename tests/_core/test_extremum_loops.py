"""Extrema of lines: any length and any place in memory, with and without what is no number."""

import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same

RNG = numpy.random.default_rng(11)
SIZES = (1, 2, 15, 16, 17, 18, 31, 32, 33, 34, 47, 63, 64, 65, 100, 129, 4095, 4096, 4097, 4111, 4112, 4113, 4160, 8191,
         8193, 8230, 12_400, 30_001)
CALLS = (lambda np, a: a.max(), lambda np, a: a.min(), lambda np, a: np.maximum.reduce(a, initial=a[0]),
         lambda np, a: np.ptp(a))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "i4", "u1", "i2", "u8"])
def test_any_length_from_any_place(dtype):
    values = (RNG.standard_normal(40_000) * 100).astype("i1").astype(dtype)
    if dtype[0] == "f":
        values += RNG.random(40_000).astype(dtype)
    ours = fastnp.array(values)
    for size in SIZES:
        for start in (0, 1, 3, 8, 13):
            part = slice(start, start + size)
            for call in CALLS:
                same(call(fastnp, ours[part]), call(numpy, values[part]))
            same(ours[part][::-1].max(), values[part][::-1].max())


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_what_is_no_number_wherever_it_is(dtype):
    values = RNG.standard_normal(40_000).astype(dtype)
    for size in SIZES:
        for start in (0, 1, 6):
            edges = {0, 1, 7, 8, size // 2, 4088, 4095, 4096, 4100, 8192, 8200, size - 9, size - 2, size - 1}
            for place in sorted(edge for edge in edges if 0 <= edge < size):
                there = values[start : start + size].copy()
                there[place] = numpy.nan
                room = fastnp.empty(start + size, dtype)
                room[start:] = there
                with warnings.catch_warnings(action="error"):
                    for call in CALLS:
                        same(call(fastnp, room[start:]), call(numpy, there))
                    two = fastnp.stack([room[start:], fastnp.array(values[:size])])
                    same(two.max(axis=1), numpy.stack([there, values[:size]]).max(axis=1))
                assert numpy.isnan(room[start:].min())


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_infinities_and_zeros(dtype):
    for size in (16, 40, 5000):
        for number in (numpy.inf, -numpy.inf, 0.0, numpy.finfo(dtype).max, numpy.finfo(dtype).smallest_subnormal):
            values = numpy.full(size, number, dtype)
            for call in CALLS[:3]:
                same(call(fastnp, fastnp.array(values)), call(numpy, values))
            values[size // 3] = -number
            for call in CALLS[:3]:
                assert call(fastnp, fastnp.array(values)) == call(numpy, values)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u1"])
def test_by_two_threads(dtype, two_threads):
    values = (RNG.random(700_001) * 200).astype(dtype)
    for start in (0, 1, 5):
        for call in CALLS:
            same(call(fastnp, fastnp.array(values)[start:]), call(numpy, values[start:]))
    if dtype[0] == "f":
        values[650_000] = numpy.nan
        assert numpy.isnan(fastnp.array(values).max())
        assert numpy.isnan(fastnp.array(values).min())


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "i4", "u1"])
def test_what_no_cache_holds(dtype):
    """Beyond half of any third cache, in one line and in rows: the extremum and what is no number wherever they lie."""
    size = (25 << 20) // numpy.dtype(dtype).itemsize + 77
    values = (RNG.random(size) * 100 + 20).astype(dtype)
    ours = fastnp.array(values)
    places = [0, 5, size // 3, size // 2, size - 700, size - 40, size - 2]
    for place in places:
        for number in (1, 200) if dtype[0] != "f" else (1, 200, numpy.nan):
            old = values[place].copy()
            values[place] = ours[place] = number
            with warnings.catch_warnings(action="error"):
                for start in (0, 1):
                    same(ours[start:].max(), values[start:].max())
                    same(ours[start:].min(), values[start:].min())
                for width in (40, 4_001, 300_000):
                    rows = slice(0, size // width * width)
                    for axis in (0, 1) if width > 40 else (1,):
                        same(ours[rows].reshape(-1, width).max(axis), values[rows].reshape(-1, width).max(axis))
            values[place] = ours[place] = old
