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


@pytest.mark.parametrize("dtype", ["f8", "i4", "u1", "c16"])
def test_columns_are_put_row_by_row(dtype):
    def columns(xp, a, index, value):
        a = a[...]
        a[:, index] = value
        return a

    with Cells() as cells:
        for rows, width, count in ((3, 4, 5), (1, 7, 3), (40, 600, 700), (0, 4, 2), (4, 4, 0)):
            whole, index = numbers(rows * width, dtype).reshape(rows, width), numbers(count, "i8") % width - width // 2
            values = numbers(rows * count, dtype).reshape(rows, count) + numpy.ones((), dtype)
            backwards = slice(None, None, -1)
            for array in (whole, Layout(whole, (backwards, backwards)), Layout(whole.T.copy(), axes=(1, 0))):
                for value in (values, Layout(values.T.copy(), axes=(1, 0)), Layout(values, (slice(None), backwards))):
                    cells.same(f"{rows} {width} {count} {array}", columns, array, index, value)
                cells.same("others", columns, array, index, values[:1])
                cells.same("of another dtype", columns, array, index, values.astype("c8" if dtype == "c16" else "f4"))
                cells.same("too many", columns, array, index, numpy.zeros((rows, count + 1), dtype))
                cells.same("out of bounds", columns, array, index + width, values)
        square = numbers(36, dtype).reshape(6, 6)
        cells.same("onto itself", lambda xp, a: columns(xp, a.copy(), xp.array([1, 2, 3]), a[:, :3]), square)

    def onto_neighbours(xp, a):
        a[:, [1, 2, 3]] = a[:, :3]
        return a

    with Cells() as cells:
        cells.same("onto neighbours", lambda xp, a: onto_neighbours(xp, a.copy()), square)
