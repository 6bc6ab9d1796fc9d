"""x[i] and x[mask], and what is put there: few elements by themselves, from 512 on by the general way."""

import numpy
import pytest

import fastnp
from tests._oracle import Cells, Layout
from tests._tables import DTYPES

SIZES = [0, 1, 2, 3, 8, 511, 512, 513, 3000]
SHARES = [0.0, 0.3, 1.0]


def numbers(size, dtype):
    return numpy.random.default_rng(size).integers(0, 9, size).astype(dtype)


def put(xp, a, key, value):
    a = a.copy()
    a[key] = value
    return a


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_masks(size, dtype):
    rng = numpy.random.default_rng(size)
    with Cells() as cells:
        for share in SHARES:
            mask, values = rng.random(size) < share, numbers(size, dtype)
            count = numpy.count_nonzero(mask)
            cells.same(f"take {share}", lambda xp, a, m: a[m], values, mask)
            for value in (1, True, 0, -1, 300, 1.5, float("nan"), 2j, None, "1"):
                cells.same(f"put {value} {share}", lambda xp, a, m, value=value: put(xp, a, m, value), values, mask)
            for many in (0, 1, count, count + 1):
                for other in (dtype, "f8", "i4"):
                    cells.same(f"put {many} of {other} {share}", put, values, mask, numbers(many, other))
            cells.same(f"put a scalar {share}", lambda xp, a, m: put(xp, a, m, xp.float64(3)), values, mask)
            cells.same(f"put an element {share}", lambda xp, a, m: put(xp, a, m, a[:1].sum()), values, mask)
            cells.same(f"put a list {share}", lambda xp, a, m, n=count: put(xp, a, m, [1] * n), values, mask)


@pytest.mark.parametrize("dtype", ["f8", "i8", "u1", "c16"])
def test_other_layouts(dtype):
    square = numbers(36, dtype).reshape(6, 6)
    backwards = (slice(None, None, -1),)
    large = square > 4
    masks = [numpy.eye(6, dtype=bool), large, Layout(large, axes=(1, 0)), Layout(large, backwards)]
    arrays = [square, Layout(square, axes=(1, 0)), Layout(square, backwards), Layout(numbers(12, dtype), backwards)]
    with Cells() as cells:
        for array in arrays:
            for mask in [*masks, square[0] > 4, square[:5] > 4]:
                cells.same("take", lambda xp, a, m: a[m], array, mask)
                cells.same("put", lambda xp, a, m: put(xp, a, m, 7), array, mask)


def test_what_is_written_is_read_first():
    def shifted(xp, a):
        a[a > 3] = a[1:][a[1:] > 3] if (a > 3).sum() == (a[1:] > 3).sum() else 9
        return a

    def by_itself(xp, m):
        m[m] = False
        return m

    def by_its_neighbours(xp, m):
        m[:-1][m[1:]] = True
        return m

    def from_within(xp, a):
        a[xp.arange(4)] = a[2:6]
        return a

    with Cells() as cells:
        for size in (8, 600, 3000):
            values = numbers(size, "i8")
            cells.same(f"shifted {size}", lambda xp, a: shifted(xp, a.copy()), values)
            cells.same(f"by itself {size}", lambda xp, a: by_itself(xp, a > 4), values)
            cells.same(f"by its neighbours {size}", lambda xp, a: by_its_neighbours(xp, a > 4), values)
            cells.same(f"from within {size}", lambda xp, a: from_within(xp, a.copy()), values)


def test_mask_over_values_from_within():
    """NumPy reads what it has just written there; ours are the values from before, as with indices."""
    values, mask = fastnp.array([2, 8, 1, 2, 1, 2, 5, 7]), numpy.array([0, 1, 0, 0, 0, 0, 1, 1], bool)
    values[fastnp.array(mask)] = values[:3]
    assert values.tolist() == [2, 2, 1, 2, 1, 2, 8, 1]


def test_what_cannot_be_written():
    def refused(xp, a, m):
        a = a.copy()
        a.flags.writeable = False
        a[m] = 1

    with Cells() as cells:
        cells.same("read-only", refused, numbers(4, "f8"), numpy.array([True, False, True, False]))
        cells.same("a mask that is too long", lambda xp, a, m: put(xp, a, m, 1), numbers(4, "f8"), numpy.ones(5, bool))
        cells.same("out of bounds", lambda xp, a, i: put(xp, a, i, 1), numbers(4, "f8"), numpy.array([0, 4]))
