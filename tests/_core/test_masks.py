"""Boolean indexing and the places of true elements, on both sides of every size at which another loop takes over."""

import itertools

import numpy
import pytest

import fastnp
from tests._oracle import Cells

# 64 elements are looked at together from 128 on, and longer masks than 2,048 elements leave the stack.
SIZES = [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 2047, 2048, 2049, 2112, 5000, 70_001]
SHARES = [0.0, 0.02, 0.5, 0.97, 1.0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", SHARES)
def test_places(size, share):
    rng = numpy.random.default_rng(size)
    mask = rng.random(size) < share
    with Cells() as cells:
        for name in ("nonzero", "flatnonzero", "argwhere", "count_nonzero", "where"):
            cells.same(name, lambda xp, mask, name=name: getattr(xp, name)(mask), mask)
            cells.same(f"{name} in steps", lambda xp, mask, name=name: getattr(xp, name)(mask[::2]), mask)
            cells.same(f"{name} from the second on", lambda xp, mask, name=name: getattr(xp, name)(mask[1:]), mask)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "f4", "i8", "f8", "c8", "c16"])
def test_elements(size, dtype):
    rng = numpy.random.default_rng(size)
    even = size // 2 * 2
    values = rng.integers(-99, 99, size).astype(dtype)
    calls = {
        "a[m]": lambda xp, a, m: a[m],
        "a[1:][m[1:]]": lambda xp, a, m: a[1:][m[1:]],
        "compress": lambda xp, a, m: xp.compress(m, a),
        "compress, axis": lambda xp, a, m: xp.compress(m, a, axis=0),
        "compress of less": lambda xp, a, m: xp.compress(m[:-1], a),
        "extract": lambda xp, a, m: xp.extract(m, a),
        "extract of two axes": lambda xp, a, m: xp.extract(m[:even].reshape(2, -1), a[:even].reshape(2, -1)),
        "method": lambda xp, a, m: a.compress(m),
    }
    with Cells() as cells:
        for share in SHARES:
            mask = rng.random(size) < share
            for name, call in calls.items():
                cells.same(f"{name} {share}", call, values, mask)


def test_truths_of_any_byte():
    """A mask made of other memory may hold more than ones."""
    bytes_ = numpy.random.default_rng(1).integers(0, 3, 5000).astype("u1")
    with Cells() as cells:
        cells.same("nonzero", lambda xp, b: xp.nonzero(b.view("?")), bytes_)
        cells.same("a[m]", lambda xp, b: xp.arange(5000.0)[b.view("?")], bytes_)


def test_nothing_is_written_behind_the_result():
    for size in (128, 2049, 5000):
        mask = fastnp.ones(size, bool)
        kept = [mask.nonzero()[0] for _ in range(50)] + [fastnp.arange(size)[mask] for _ in range(50)]
        assert all((places == fastnp.arange(size)).all() for places in kept)


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize("size", [1, 5, 511, 512, 513, 3000])
def test_where_of_what_lies_apart(size, dtype):
    """Masks and values with any step are brought together by blocks of 512."""
    rng = numpy.random.default_rng(size)
    values, others = ((rng.random(3 * size + 5) * 90).astype(dtype) for _ in range(2))
    mask = rng.random(3 * size + 5) < 0.5
    steps = [slice(0, size), slice(0, 2 * size, 2), slice(3 * size - 1, 2 * size - 1, -1), slice(3, 3 * size + 3, 3), 0]
    with Cells() as cells:
        for which, one, other in itertools.product(steps[:-1], steps, steps):
            cells.same(
                f"{which} {one} {other}",
                lambda xp, m, a, b, w=which, i=one, j=other: xp.where(m[w], a[i], b[j]), mask, values, others)


def runs(rng, size):
    """Return masks whose truths are alike for shorter and longer than the blocks that are looked at together."""
    for length in (1, 100, 512, 1500):
        yield numpy.repeat(rng.random(size // length + 1) < 0.5, length)[:size]
    for truth in (False, True):
        alike = numpy.full(size, truth)
        yield alike
        for place in (0, 511, 512, 1023, size - 1):
            alike = alike.copy()
            alike[min(place, size - 1)] = not truth
            yield alike


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "f8", "c16"])
def test_where_of_runs(dtype):
    rng = numpy.random.default_rng(3)
    with Cells() as cells:
        for size in (511, 512, 513, 1024, 5000):
            first, second = rng.integers(-99, 99, (2, size)).astype(dtype)
            for number, mask in enumerate(runs(rng, size)):
                cells.same(f"{size} {number}", lambda xp, m, a, b: xp.where(m, a, b), mask, first, second)
                cells.same(f"{size} {number}, one", lambda xp, m, a, b: xp.where(m, a[0], b), mask, first, second)
            # Whatever byte a truth is.
            odd = rng.integers(0, 3, size, "u1").repeat(600)[:size].view(bool)
            cells.same(f"{size} odd", lambda xp, m, a, b: xp.where(m, a, b), odd, first, second)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "f4", "i8", "f8", "c8", "c16"])
def test_assignment(size, dtype):
    """One value, as many as there are places, and for `place` and `putmask` fewer or more; nothing else is written."""
    rng = numpy.random.default_rng(size)
    given = rng.integers(-99, 99, size).astype(dtype)
    values = rng.integers(-99, 99, size + 3).astype(dtype)

    def changed(name, array, mask, value):
        def body(xp, array, mask, value):
            if name == "setitem":
                array[mask] = value
            else:
                getattr(xp, name)(array, mask, value)
            return array

        return body, array, mask, value

    with Cells() as cells:
        for share in SHARES:
            mask = rng.random(size) < share
            count = numpy.count_nonzero(mask)
            for label, value in {"one": values[:1], "scalar": values[0], "many": values[:count]}.items():
                body, *arguments = changed("setitem", given.copy(), mask, value)
                cells.same(f"setitem {label} {share}", body, *arguments)
            for name, number in itertools.product(("place", "putmask"), (0, 1, 2, 3, 7, count, size, size + 3)):
                body, *arguments = changed(name, given.copy(), mask, values[:number])
                cells.same(f"{name} {number} {share}", body, *arguments)
