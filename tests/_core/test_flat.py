"""a.flat: parts of it read and written, of arrays in one piece and of others."""

import itertools
import math

import numpy
import pytest

import fastnp
from tests._oracle import Cells, Layout
from tests._tables import DTYPES

LAST = numpy.array([2, 5, -1])
KEYS = [
    slice(None), slice(1, 5), slice(None, None, 4), slice(None, None, -1), slice(7, 2, -2), slice(3, 3),
    slice(-3, None), slice(None, 99), Ellipsis, (), 0, -1, 11, 12, -13, [0, 3, 3], [True, False], LAST,
    numpy.array([[0, 1], [2, 3]]), numpy.arange(12) % 3 == 0, numpy.array([99]), 1.5, "a", None,
    (slice(None), slice(None)),
]
LINE = numpy.arange(12.0)
VALUES = [1, True, 2.5, -1, 300, float("nan"), 3j, [1, 2], numpy.arange(3), [], None]


def arrays(dtype):
    whole = numpy.arange(12).reshape(3, 4).astype(dtype)
    yield from (whole, whole.reshape(2, 3, 2), whole.ravel(), numpy.zeros((3, 0), dtype))
    yield Layout(whole, axes=(1, 0))
    yield Layout(whole, (slice(None, None, -1),))
    yield Layout(whole, (slice(None), slice(None, None, 2)))
    yield Layout(numpy.arange(24).astype(dtype), (slice(None, None, -2),))
    yield Layout(numpy.arange(36).astype(dtype), (slice(1, None, 3),))


def written(xp, a, key, value):
    a = a[...]
    a.flat[key] = value
    return a


@pytest.mark.parametrize("dtype", DTYPES)
def test_parts(dtype):
    with Cells() as cells:
        for array in arrays(dtype):
            for key in KEYS:
                cells.same(f"read {key}", lambda xp, a, key: a.flat[key], array, key)
                for value in VALUES:
                    cells.same(f"write {value} at {key}", written, array, key, value)


@pytest.mark.parametrize("dtype", ["f8", "i4", "?"])
def test_values_of_as_many_elements(dtype):
    def assigned(xp, a, v, key):
        a.flat[key] = v
        return a

    with Cells() as cells:
        for array in arrays(dtype):
            for key, count in ((slice(None), 12), (slice(1, 5), 4), (slice(None, None, -3), 4)):
                for other in (dtype, "f4"):
                    for size in (0, 1, count - 1, count, count + 1):
                        values = numpy.arange(size).astype(other)
                        cells.same(f"{key} {size} {other}", assigned, array, values, key)


def test_values_that_are_written_meanwhile():
    def onto_itself(xp, a, first, second):
        a.flat[first] = a[second]
        return a

    with Cells() as cells:
        parts = [slice(1, None), slice(None, -1), slice(None, None, -1), slice(None)]
        for first, second in itertools.permutations(parts, 2):
            cells.same(f"{first} {second}", lambda xp, a, f=first, s=second: onto_itself(xp, a.copy(), f, s), LINE)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8", "?", "f4", "c8"])
def test_single_values_that_do_not_fit(dtype):
    def outcome(xp, value):
        array = xp.array([1, 0]).astype(dtype)
        try:
            array.flat[0] = value
        except ValueError as error:  # its words are compared, and that nothing has been written
            return str(error), repr(array.tolist())
        return repr(array.tolist())

    for value in (math.nan, math.inf, -math.inf, 1e300, 2**64, 2**100, -(2**63), 1.5, -1):
        with numpy.errstate(all="ignore"):
            assert outcome(fastnp, value) == outcome(numpy, value), value


def test_copies_are_copies():
    def changed(xp, a):
        part = a.flat[2:8]
        part[:] = -1
        return a, part

    def refused(xp, a):
        a.flags.writeable = False
        a.flat[1:3] = 0

    with Cells() as cells:
        cells.same("copy", lambda xp, a: changed(xp, a.copy()), numpy.arange(12.0).reshape(3, 4))
        cells.same("read-only", lambda xp, a: refused(xp, a.copy()), numpy.arange(12.0).reshape(3, 4))
