"""Searches side by side, values between points, counts of bins and of small integers: what NumPy finds."""

import itertools

import numpy
import pytest

import fastnp
from tests._oracle import Cells
from tests._oracle import same_bits as same

RNG = numpy.random.default_rng(11)
LONG_AND_SHORT = [(3,), (100,), (2049,), (5000,), (50, 60), (3000, 1), (1, 3000), (20, 30, 10), (0, 5), (7, 2000)]
COUNTS = (0, 1, 15, 16, 17, 31, 33, 500)


def sorted_values(dtype, size):
    """Return values in order, many of them twice, NaNs at the end where there are any."""
    values = numpy.sort((RNG.random(size) * 40).astype(dtype))
    if values.dtype.kind == "f" and size > 20:
        values[-2:] = numpy.nan
    return values


@pytest.mark.parametrize("of_keys", ["?", "u1", "i8", "u8", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "u8", "c16"])
def test_searchsorted_of_few_keys_of_another_dtype(dtype, of_keys):
    """Of many values, only those that the keys are compared with are cast."""
    with Cells() as cells:
        for size, count, side in itertools.product((300, 1023, 1024, 70_000), (1, 4, 40), ("left", "right")):
            values, keys = sorted_values(dtype, size), (RNG.random(count) * 50).astype(of_keys)
            cells.same(f"{size} {count} {side}", lambda xp, a, v, s=side: xp.searchsorted(a, v, s), values, keys)
            backwards = values[::-1].copy()
            cells.same(
                f"{size} backwards {side}", lambda xp, a, v, s=side: xp.searchsorted(a[::-2], v, s), backwards, keys)
            cells.same(f"{size} number {side}", lambda xp, a, s=side: xp.searchsorted(a, 17.5, s), values)
            cells.same(f"{size} integer {side}", lambda xp, a, s=side: xp.searchsorted(a, 17, s), values)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "u8", "c16"])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 100, 1000])
def test_searchsorted(dtype, size):
    values = sorted_values(dtype, size)
    with Cells() as cells:
        for count in COUNTS:
            keys = (RNG.random(count) * 50 - (5 if dtype[0] in "fc" else 0)).astype(dtype)
            if dtype[0] == "f" and count > 20:
                keys[[3, 20]] = numpy.nan, numpy.inf
            for side in ("left", "right"):
                for name, a, v in (
                    ("line", values, keys), ("steps", values[::2], keys), ("backwards", values, keys[::-1]),
                    ("in order", values, numpy.sort(keys)),
                ):
                    label = f"{count} {side} {name}"
                    cells.same(label, lambda xp, a, v, side=side: xp.searchsorted(a, v, side), a, v)


@pytest.mark.parametrize("of_keys", ["i8", "f4", "u1"])
@pytest.mark.parametrize("dtype", ["f8", "f2", "i4", "u1", "c16"])
def test_searchsorted_by_a_sorter(dtype, of_keys):
    """Few keys are compared with values where they lie, many with values brought into their order."""
    with Cells() as cells:
        for size, count, side in itertools.product((0, 1, 40, 2000), (0, 1, 3, 500), ("left", "right")):
            values, keys = RNG.permutation(sorted_values(dtype, size)), (RNG.random(count) * 50).astype(of_keys)

            def call(xp, a, v, order, side=side):
                return xp.searchsorted(a, v, side, order)

            order = numpy.argsort(values, kind="stable")
            cells.same(f"{size} {count} {side}", call, values, keys, order)
            cells.same(f"{size} {count} {side} matrix", call, values, keys.reshape(1, -1), order)
            cells.same(f"{size} {count} {side} backwards", call, values[::-1], keys, size - 1 - order)
            cells.same(f"{size} {count} {side} narrow", call, values, keys, order.astype("i2"))
            cells.same(f"{size} {count} {side} apart", call, values, keys, numpy.repeat(order, 2)[::2])
            cells.same(f"{size} {side} number", lambda xp, a, o, s=side: a.searchsorted(17.5, s, o), values, order)
            for wrong in (order - size - 1, order + size, order[1:], order.astype(float), order.reshape(1, -1)):
                cells.same(f"{size} {count} {side} wrong", call, values, keys, wrong)


def test_large_searches_are_divided_among_threads():
    values, keys = numpy.sort(RNG.random(5000)), RNG.random(100_001)
    keys[50_000] = numpy.nan
    numpy.testing.assert_array_equal(
        fastnp.searchsorted(fastnp.asarray(values), fastnp.asarray(keys)), numpy.searchsorted(values, keys))
    heights = RNG.random(5000)
    numpy.testing.assert_array_equal(
        fastnp.interp(*map(fastnp.asarray, (keys, values, heights))), numpy.interp(keys, values, heights))


@pytest.mark.parametrize("size", [1, 2, 3, 20, 1000, 5000])
def test_interp(size):
    points, heights = numpy.sort(RNG.random(size)), RNG.random(size)
    twice = numpy.repeat(points, 2)[:size]
    steep = heights.copy()
    steep[size // 2] = numpy.inf
    with Cells() as cells:
        for count in COUNTS:
            x = RNG.random(count) * 1.4 - 0.2
            x[:size] = points[:count]
            odd = x.copy()
            odd[::5] = numpy.nan
            orders = {"any": x, "in order": numpy.sort(x), "shuffled": RNG.permutation(x), "odd": odd}
            for name, given in orders.items():
                for xp_, fp_ in ((points, heights), (twice, heights), (points, steep), (points, -0.0 * heights)):
                    label = f"{count} {name}"
                    cells.same(label, lambda xp, *args: xp.interp(*args), given, xp_, fp_)
                    cells.same(label, lambda xp, *args: xp.interp(*args, left=-1, right=7.5), given, xp_, fp_)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "i2"])
def test_histograms(dtype):
    with Cells() as cells:
        for count in (0, 1, 3, 255, 257, 1000, 70_000):
            values = (RNG.random(count) * 200 - (0 if dtype == "u1" else 40)).astype(dtype)
            for bins in (1, 3, 10, 100, 2000):
                label = f"{count} {bins}"
                cells.same(label, lambda xp, a, bins=bins: xp.histogram(a, bins)[0], values)
                cells.same(label, lambda xp, a, bins=bins: xp.histogram(a, bins, (0.0, 120.0))[0], values)
                cells.same(label, lambda xp, a, bins=bins: xp.histogram(a[::-2], bins, (-3, 4))[0], values)
                for limits in ((0, 1), (0.1, 3), (5, 5), (2**53, 2**60), (-(2**53), 0.7), (3, 1)):
                    cells.same(f"{label} {limits}", lambda xp, a, b=bins, r=limits: xp.histogram(a, b, r), values)
        if dtype == "f8":
            odd = RNG.random(300)
            odd[::7] = numpy.nan
            odd[::11] = -numpy.inf
            cells.same("odd", lambda xp, a: xp.histogram(a, 7, (0.25, 0.75)), odd)
            edges = numpy.linspace(0, 1, 11)
            near = numpy.concatenate([edges, numpy.nextafter(edges, 2), numpy.nextafter(edges, -2)])
            cells.same("edges", lambda xp, a: xp.histogram(a, 10, (0, 1))[0], near)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "u8"])
def test_histograms_between_edges(dtype):
    """Elements among few are sorted; of many each is searched for: the last edge belongs to its bin, NaN to none."""
    edges = [
        [0, 1, 2, 50, 120], [0.0, 0.25, 7.5, 7.5, 90], [3], [5, 5], [], [-numpy.inf, 4, numpy.inf], [2, 1], [-3, 250],
        numpy.array([0.5, 20], "f4"), numpy.array([0, 255], "u1"), numpy.array([-1, 2**62]), [0, numpy.nan],
        [True, False], numpy.linspace(0, 100, 300), [[1, 2]], numpy.array([1 + 2j, 3]),
    ]
    with Cells() as cells:
        for count in (0, 1, 7, 499, 500, 5000, 70_000):
            values = (RNG.random(count) * 120).astype(dtype)
            values[::3] = values[::3].round()
            for number, bins in enumerate(edges):
                label = f"{count} {number}"
                cells.same(label, lambda xp, a, bins=bins: xp.histogram(a, xp.asarray(bins)), values)
                cells.same(f"{label} given", lambda xp, a, bins=bins: xp.histogram(a[::-2], bins), values)
                cells.same(f"{label} density", lambda xp, a, bins=bins: xp.histogram(a, bins, density=True)[0], values)
            if values.dtype.kind == "f":
                values[::5], values[1::7] = numpy.nan, numpy.inf
                for number, bins in enumerate(edges):
                    cells.same(f"{count} {number} odd", lambda xp, a, bins=bins: xp.histogram(a, bins), values)


def test_bincount():
    with Cells() as cells:
        for count in (0, 3, 4095, 4096, 5000, 20_000):
            for most in (1, 10, 511, 512, 513, 600, 30_000):
                values = RNG.integers(0, most, count)
                rare = values % 100
                if count:
                    rare[-1] = most
                for given in (values, rare, values.astype("i4"), values.astype("u1"), values % 2 == 0):
                    cells.same(f"{count} {most}", lambda xp, a: xp.bincount(a), given)
                    cells.same(f"{count} {most}", lambda xp, a: xp.bincount(a, minlength=700), given)
        truths = RNG.integers(0, 3, 5000).astype("u1")
        cells.same("truths of any bytes", lambda xp, a: xp.bincount(a.view("?")), truths)
        negative = RNG.integers(0, 9, 5000)
        negative[4000] = -1
        cells.same("negative", lambda xp, a: xp.bincount(a), negative)


def test_places_of_what_is_distinct_and_of_what_is_not():
    """Few in the order that NumPy's unstable sort leaves; from 768 on equal ones keep theirs, as in a stable sort."""
    count = 3000
    floats, integers = RNG.random(count), RNG.integers(-(2**62), 2**62, count)
    one_twice = floats.copy()
    one_twice[2000] = one_twice[17]
    odd = floats.copy()
    odd[[5, 900, 901]], odd[[7, 2000]] = numpy.nan, (0.0, -0.0)
    lines = {
        "floats": floats, "integers": integers, "one twice": one_twice, "odd": odd, "decimals": floats.round(2),
        "long decimals": floats.round(9), "single": floats.astype("f4").astype("f8"), "f4": floats.astype("f4"),
        "few": integers % 50, "negative": -floats, "wide": floats * 10.0 ** RNG.integers(-300, 300, count),
        "unsigned": integers.view("u8"), "in order": numpy.sort(floats), "backwards": numpy.sort(floats)[::-1].copy(),
    }

    def places(xp, a, axis=-1):
        return xp.argsort(a, axis, kind="stable" if xp is numpy and a.shape[axis] >= 768 else None)

    with Cells() as cells:
        for name, line in lines.items():
            for size in (100, 767, 768, count):
                cells.same(f"{name} {size}", lambda xp, a, size=size: places(xp, a[:size]), line)
            for width in (2, 3, 4, 5, 6, 8, 10):
                table = line.reshape(-1, width)
                for axis in (0, 1):
                    cells.same(f"{name} {width} {axis}", lambda xp, a, axis=axis: places(xp, a[:99], axis), table)
                    cells.same(f"sorted {name} {width} {axis}", lambda xp, a, axis=axis: xp.sort(a[:99], axis), table)
            cells.same(f"{name} steps", lambda xp, a: places(xp, a[::2]), line)
            cells.same(f"{name} rows", lambda xp, a: places(xp, a.reshape(2, -1), 1), line)
            cells.same(f"{name} columns", lambda xp, a: places(xp, a.reshape(-1, 2), 0), line)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("share", [0, 0.01, 0.5, 1])
@pytest.mark.parametrize("shape", LONG_AND_SHORT, ids=str)
def test_elements_that_are_not_zero(shape, share, dtype):
    given = ((RNG.random(shape) < share) * RNG.integers(1, 100, shape)).astype(dtype)
    if dtype in "efdFD" and given.size:
        given.reshape(-1)[[0, given.size // 2]] = numpy.nan, -0.0
    array = fastnp.array(given)
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[..., ::2]):
        ours, theirs = view(array), view(given)
        for found, wanted in zip(fastnp.nonzero(ours), numpy.nonzero(theirs), strict=True):
            same(found, wanted)
        same(fastnp.argwhere(ours), numpy.argwhere(theirs))
        same(fastnp.flatnonzero(ours), numpy.flatnonzero(theirs))
        assert fastnp.count_nonzero(view(array)) == numpy.count_nonzero(view(given))
