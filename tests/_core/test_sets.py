"""Sets of the elements of plain arrays, whichever way they are found: NumPy's results to the last bit."""

import itertools
import threading

import numpy
import pytest

import fastnp
from tests._oracle import Cells

RNG = numpy.random.default_rng(7)
DTYPES = [numpy.dtype(letter) for letter in "?bBhHiIlLfdeFD"]
SIZES = (0, 1, 2, 9, 31, 33, 256, 257, 1500, 5000)
FLAGS = list(itertools.product((False, True), repeat=3))


@pytest.fixture(autouse=True)
def same_draws():
    """Give each test the same draws, whichever tests run before it."""
    RNG.bit_generator.state = numpy.random.default_rng(7).bit_generator.state


def limits(dtype):
    return (0, 1) if dtype.kind == "b" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)


def lines(dtype, size):
    """Return lines whose sets are found in each of the ways: in tables of integers, in tables of hashes, by sorting."""
    if dtype.kind in "biu":
        low, high = limits(dtype)
        everything = RNG.integers(low, high, size, dtype=dtype, endpoint=True)
        yield "any", everything
        yield "few", RNG.choice(everything[:20], size) if size else everything
        near = RNG.integers(0, min(high, size // 2 + 1), size, endpoint=True).astype(dtype)
        yield "near to each other", near
        yield "at both ends", numpy.where(near % 2 == 0, dtype.type(low), dtype.type(high)).astype(dtype)
        yield "in order", numpy.sort(everything)
        # All but two begin alike.
        far = near.copy()
        far[size // 3:size // 3 + 1], far[size // 2:size // 2 + 1] = high, low
        yield "two far away", far
        yield "next to the least", (near.astype(dtype) + dtype.type(low)).astype(dtype)
        return
    normal = RNG.normal(size=size)
    if dtype.kind == "c":
        normal = normal + 1j * RNG.normal(size=size)
    yield "any", normal.astype(dtype)
    yield "few", numpy.round(normal, 1).astype(dtype)
    yield "in order", numpy.sort(normal).astype(dtype)
    yield "zeros of both signs", numpy.where(RNG.random(size) < 0.5, numpy.round(normal * 2), -0.0).astype(dtype)
    strange = RNG.choice(numpy.array([0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan, -numpy.nan, 2.5]), size)
    yield "NaNs", strange.astype(dtype)
    yield "all NaN", numpy.full(size, numpy.nan, dtype)
    if dtype == "d":
        # Their first bits are the same, and so are many of them; one is so far away that the last bits do not count.
        close = 1 + RNG.integers(0, max(size // 2, 1), size) * numpy.finfo(dtype).eps
        close[size // 2:size // 2 + 1] = -1e300
        yield "close together", close


def bits(value):
    """Return results with the bits of floating-point numbers in their places, so that signs of zeros and NaNs count."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    value = numpy.asarray(value)
    return (value.dtype.str, value.view(f"V{value.itemsize}").tolist() if value.size else value.shape)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unique(dtype, size):
    with Cells() as cells:
        for name, line in lines(dtype, size):
            for index, inverse, counts in FLAGS:
                for equal_nan in (True, False):
                    def call(xp, a, flags=(index, inverse, counts), equal_nan=equal_nan):
                        return xp.unique(a, *flags, equal_nan=equal_nan)

                    cells.same(f"{name} {index:d}{inverse:d}{counts:d} {equal_nan}", call, line)
                    said = bits(call(fastnp, fastnp.array(line))), bits(call(numpy, line))
                    cells.require(f"bits of {name} {index:d}{inverse:d}{counts:d} {equal_nan}", said[0] == said[1])
        if size:
            for axis in (0, -1):
                cells.same("axis", lambda xp, a, axis=axis: xp.unique(a, axis=axis), line)
                cells.same("axes", lambda xp, a, axis=axis: xp.unique(a, True, True, True, axis), line)
            cells.same("backwards", lambda xp, a: xp.unique(a[::-1], True, True, True), line)
            cells.same("table", lambda xp, a: xp.unique(a.reshape(-1, 1), True, True, True), line)
            cells.same("tables", lambda xp, a: xp.unique(xp.stack((a, a)).T, return_inverse=True), line)


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_functions_of_the_array_api(dtype, name):
    with Cells() as cells:
        for size in (0, 3, 300):
            for said, line in lines(dtype, size):
                cells.same(f"{said} {size}", lambda xp, a: getattr(xp, name)(a), line)
                cells.same(f"{said} {size}", lambda xp, a: type(getattr(xp, name)(a)).__name__, line)
                cells.same(f"{said} {size}", lambda xp, a: xp.sort(xp.unique_values(a)), line)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_membership(dtype, size):
    with Cells() as cells:
        for name, line in lines(dtype, size):
            others = [other for _, other in lines(dtype, 40)]
            for count in (0, 1, 3, 4, 5, 40):
                for other in (line[:count], others[0][:count], others[-1][:count]):
                    for invert in (False, True):
                        def call(xp, a, b, invert=invert):
                            return xp.isin(a, b, invert=invert)

                        cells.same(f"{name} in {count} {invert}", call, line, other)
            cells.same(name, lambda xp, a, b: xp.isin(a.reshape(1, -1)[:, ::-1], b), line, others[1])
            cells.same(name, lambda xp, a, b: xp.isin(a, b, kind="sort"), line, others[1])
            cells.same(name, lambda xp, a, b: xp.isin(a, b, kind="table"), line, others[1])
            cells.same(name, lambda xp, a: xp.isin(a, [0, 1, 2.5, numpy.nan]), line)


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if numpy.dtype(dtype).kind != "c"], ids=str)
def test_members_of_another_dtype(dtype):
    """Few integers are cast to what is looked through, where they fit it; more of them, or floats, are not."""
    rng = numpy.random.default_rng(3)
    numbers = rng.integers(-3, 300, 130).astype(dtype)
    if numbers.dtype.kind == "f":
        numbers[:4] = [numpy.nan, -0.0, 2048, 2.5]
    with Cells() as cells:
        for other in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
            for count in (0, 1, 2, 3, 4, 5, 64, 65):
                members = rng.integers(-400, 70000, count).astype(other)
                members[:2] = numbers[7:7 + 2].astype("i4")[:count].astype(other)
                for invert in (False, True):
                    def call(xp, a, b, invert=invert):
                        return [xp.isin(a, b, invert=invert), xp.isin(a[::-1], b.tolist(), invert=invert)]

                    cells.same(f"{count} of {other}, {invert}", call, numbers, members)


@pytest.mark.parametrize("shape", [(7, 3), (1, 4), (300, 2), (40, 1), (3, 4, 5), (5, 0), (0, 3), (2000, 3)])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_parts_along_an_axis(dtype, shape):
    with Cells() as cells:
        for name, line in lines(dtype, int(numpy.prod(shape))):
            if len(line):
                line[len(line) // 2:] = line[:len(line) - len(line) // 2]  # so that parts are equal
            table = line.reshape(shape)
            for axis in range(-1, len(shape)):
                for flags in FLAGS if len(line) < 500 else FLAGS[::7]:
                    def call(xp, a, flags=flags, axis=axis):
                        return xp.unique(a, *flags, axis)

                    cells.same(f"{name} {axis} {flags}", call, table, layout=True)
            cells.same(name, lambda xp, a: xp.unique(a.T, axis=0), table, layout=True)
            cells.same(name, lambda xp, a: xp.unique(a[::-1], axis=0, return_inverse=True), table)


PAIRS = ["intersect1d", "setdiff1d", "setxor1d", "union1d"]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pairs_of_sets(dtype, name):
    with Cells() as cells:
        for size, other_size in ((0, 0), (0, 5), (5, 0), (9, 7), (300, 20), (20, 300), (2000, 1500)):
            # Both have the same draws, so that they share elements.
            both = list(zip(lines(dtype, size), lines(dtype, other_size), strict=True))
            for (said, a), (_, b) in both:
                b[: min(size, other_size) // 2] = a[: min(size, other_size) // 2]
                label = f"{said} {size} {other_size}"
                cells.same(label, lambda xp, a, b: getattr(xp, name)(a, b), a, b)
                cells.same(label, lambda xp, a, b: getattr(xp, name)(xp.stack((a, a)), b[::-1]), a, b)
                if name != "union1d":
                    a, b = numpy.unique(a), numpy.unique(b)
                    cells.same(f"{label} unique", lambda xp, a, b: getattr(xp, name)(a[::-1], b, True), a, b)
                if name == "intersect1d":
                    for unique in (False, True):
                        cells.same(f"{label} places", lambda xp, a, b, k=unique: xp.intersect1d(a, b, k, True), a, b)


@pytest.mark.parametrize("name", [*PAIRS, "isin"])
def test_two_dtypes(name):
    with Cells() as cells:
        for first, second in itertools.product(DTYPES, repeat=2):
            for size in (5, 400):
                a, b = (next(lines(dtype, size))[1] for dtype in (first, second))
                with numpy.errstate(all="ignore"):
                    b[:3] = a[:3].real.astype(second)
                cells.same(f"{first} {second} {size}", lambda xp, a, b: getattr(xp, name)(a, b), a, b)


def test_numbers_of_more_bits_than_a_double_has():
    first = numpy.array([2**63 - 1, 2**53 + 1, 5, 2**53], numpy.int64)
    with Cells() as cells:
        for second in (first.astype(numpy.uint64), first.astype(float), numpy.array([2**64 - 1, 5], numpy.uint64)):
            for name in (*PAIRS, "isin"):
                for a, b in ((first, second), (second, first)):
                    cells.same(name, lambda xp, a, b, name=name: getattr(xp, name)(a, b), a, b)


def test_arguments_stay_as_they_are():
    line = fastnp.array([3.0, 1, 2, 3])
    for call in (fastnp.unique, lambda a: fastnp.setdiff1d(a, a[:1], True), lambda a: fastnp.union1d(a, a),
                 lambda a: fastnp.unique(a, return_counts=True)):
        call(line)
        assert line.tolist() == [3, 1, 2, 3]
    results = fastnp.setdiff1d(line, [7.0], True)
    results[0] = 9
    assert line.tolist() == [3, 1, 2, 3]


def test_threads_find_sets_of_their_own():
    draws = [numpy.random.default_rng(seed).integers(0, 10**12, 60_000) for seed in range(4)]
    found = [None] * len(draws)

    def find(number):
        for _ in range(5):
            found[number] = fastnp.unique(fastnp.array(draws[number]), True, True, True)

    threads = [threading.Thread(target=find, args=(number,)) for number in range(len(draws))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for draw, results in zip(draws, found, strict=True):
        for ours, theirs in zip(results, numpy.unique(draw, True, True, True), strict=True):
            assert numpy.array_equal(ours, theirs)


@pytest.mark.parametrize("letter", "iIlLfd")
def test_unique_of_a_few_vectors(letter):
    """Those that stay are put together in vectors, up to the last whole one."""
    for size in range(1, 70):
        for most in (1, 3, size, 9 * size):
            line = RNG.integers(0, most, size, endpoint=True).astype(letter)
            if letter in "fd" and most == size:
                line[RNG.random(size) < 0.4] = numpy.nan
            for equal_nan in (True, False):
                found = fastnp.unique(fastnp.array(line), equal_nan=equal_nan)
                assert bits(found) == bits(numpy.unique(line, equal_nan=equal_nan)), line


@pytest.mark.parametrize("differ", [600, 625, 640, 1250, 5000])
def test_unique_of_about_as_many_as_a_table_takes(differ):
    line = RNG.random(differ)[RNG.integers(0, differ, 10000)]
    tiled = numpy.tile(line[:differ], 10000 // differ + 1)[:10000]
    for array in (line, tiled, line.astype("f4")):
        for flags in FLAGS:
            assert bits(fastnp.unique(fastnp.array(array), *flags)) == bits(numpy.unique(array, *flags))
