"""Sums in NumPy's pairwise order, to the last bit and the last warning: a tree whose leaves have up to 128 elements."""

import numpy
import pytest

from .test_large import check_area, check_same

RNG = numpy.random.default_rng(5)


def normal(size, dtype):
    return RNG.standard_normal(size).astype(dtype)


@pytest.mark.parametrize("dtype", "fd")
def test_leaves_of_every_length(dtype):
    """A sum is a tree of sums of up to 128 elements, added in blocks of eight: each number of them, each rest."""
    values = normal(70_000, dtype)
    minus_zeros = numpy.full(300, -0.0, dtype)
    for size in (*range(300), *range(1000, 1040), 2040, 4090, 9999, 10_003, 69_993):
        check_same(lambda np, a: np.sum(a), values[:size])
        check_same(lambda np, a: a[1:].sum(), values[:size])
        if size < 300:
            check_same(lambda np, a: np.add.reduce(a), minus_zeros[:size])
            check_same(lambda np, a, n=size: a[: 3 * n].reshape(3, n).sum(axis=1), values)
            check_area(lambda np, a: np.trapezoid(a), values[:size])
            check_same(lambda np, a: np.nansum(a), numpy.where(values[:size] > 1, numpy.nan, values[:size]))
            check_same(lambda np, a, n=size: np.linalg.norm(a[: 3 * n].reshape(3, n), axis=1), values)
    for size in (10, 130, 1000):
        check_same(lambda np, a, n=size: np.var(a[: 5 * n].reshape(5, n), axis=1), values)


@pytest.mark.parametrize("dtype", "fd")
def test_many_leaves(dtype):
    """Leaves as deep as one another are summed eight at a time: any number of blocks, at any depth, and mixed ones."""
    values = normal(300_000, dtype)
    for blocks in range(9, 18):
        for depth in (2, 3, 4, 6, 8):
            for size in ((8 * blocks << depth) + more for more in (-9, -8, -1, 0, 1, 8, 15)):
                check_same(lambda np, a: np.sum(a), values[:size])
                check_same(lambda np, a: np.sum(a[1:]), values[:size])
    for size in numpy.random.default_rng(5).integers(1000, 300_000, 60):
        check_same(lambda np, a: np.sum(a), values[:size])
        check_area(lambda np, a: np.trapezoid(a), values[:size])
        check_same(lambda np, a: np.var(a), values[:size])
        check_same(lambda np, a: np.sum(a), numpy.full(size, -0.0, dtype))
    many = normal(3_300_000, dtype)
    for size in (1_000_000, 1 << 20, (1 << 20) + 13, (1 << 21) - 8, (1 << 21) + 8, 3_299_999):
        check_same(lambda np, a: np.sum(a), many[:size])
        check_same(lambda np, a: np.sum(a[1:]), many[:size])
    for size in (999, 1100, 3000, 70_000):
        check_same(lambda np, a, n=size: a[: 4 * n].reshape(4, n).sum(axis=1), values)


@pytest.mark.parametrize("dtype", "fdFD")
def test_leaves_of_lines(dtype):
    """Lines that divide into leaves of one depth are summed in one loop, wherever each begins."""
    real = normal(120_000, dtype.lower())
    values = real.view(dtype)
    for depth in (2, 3, 4, 6):
        for blocks in (8, 9, 12, 15, 16, 17):
            for more in (-8, -1, 0, 1, 7):
                size = max((8 * blocks << depth) // (1 if dtype in "fd" else 2) + more, 1)
                rows = values[: 5 * size].reshape(5, size)
                check_same(lambda np, a: a.sum(axis=1), rows)
                check_same(lambda np, a: a[:, 3:-2].sum(axis=1, keepdims=True), rows)
                check_same(lambda np, a: a[::-2].sum(axis=-1), rows)
                check_same(lambda np, a: np.add.reduce(a, axis=1, out=np.ones((5, 2), a.dtype)[:, 0]), rows)
                check_same(lambda np, a: np.sum(a, axis=1, initial=2), rows)
    for size in (*range(3, 70), 129, 135, 257, 270, 500, 511, 513, 540, 1000, 1030, 1060, 2062, 2100):
        check_same(lambda np, a: a.sum(axis=1), values[: 19 * size].reshape(19, size))
        check_same(lambda np, a: a[:, 1:-1].sum(axis=1), values[: 19 * size].reshape(19, size))
    zero = complex(-0.0, -0.0) if dtype in "FD" else -0.0
    for size in (270, 530, 1000, 1030, 1060, 4300):
        for lines in (4, 9):
            check_same(lambda np, a: a.sum(axis=1), numpy.full((lines, size), zero, dtype))


@pytest.mark.parametrize("dtype", "fd")
def test_sums_on_the_way_overflow_where_numpys_do(dtype):
    for size in (8, 16, 40, 128, 300, 1030, 1060, 2150, 3000, 4300, 8600):
        for seed in range(20):
            values = numpy.random.default_rng(seed).uniform(-1, 1, size).astype(dtype) * numpy.finfo(dtype).max
            check_same(lambda np, a: np.sum(a), values / (1 + seed))
            check_same(lambda np, a: np.sum(a[:-1]), values / (1 + seed))
            if size >= 1030:
                check_same(lambda np, a, n=size // 8: a[: 8 * n].reshape(8, n).sum(axis=1), values / (1 + seed))
    for size in (1030, 1100, 2150, 8604):
        values, most = numpy.zeros(size, dtype), numpy.finfo(dtype).max
        for place in range(size - 250, size - 8, 7):
            values[[place, size - size % 8 - 1, size - 1]] = most, most, -most
            check_same(lambda np, a: np.sum(a), values)
            values[place] = 0


@pytest.mark.parametrize("dtype", ["i8", "u8", "i4", "?"])
def test_integers_of_every_length(dtype):
    values = RNG.integers(-(2**62), 2**62, 140_000).astype(dtype)
    for size in (*range(100), 255, 256, 257, 9999, 139_999):
        check_same(lambda np, a: a.sum(), values[:size])
        check_same(lambda np, a: a[1:].sum(initial=7), values[:size])
        check_same(lambda np, a: np.add.reduce(a[::-1]), values[:size])


@pytest.mark.parametrize("dtype", ["i8", "u8", "i4", "?"])
def test_lines_of_integers(dtype):
    values, total = RNG.integers(-(2**62), 2**62, 40_000).astype(dtype), "u8" if dtype == "u8" else "i8"
    for size in (*range(1, 40), 63, 64, 65, 1000):
        rows = values[: 11 * size].reshape(11, size)
        check_same(lambda np, a: a.sum(axis=1), rows)
        check_same(lambda np, a: a[::-2].sum(axis=1, keepdims=True), rows)
        check_same(lambda np, a: a[:, ::-1].sum(axis=1), rows)
        check_same(lambda np, a: a.T.sum(axis=1), rows)
        check_same(lambda np, a: np.add.reduce(a, axis=1, out=np.ones((11, 2), total)[:, 0]), rows)
        check_same(lambda np, a: np.sum(a, axis=1, initial=3), rows)
