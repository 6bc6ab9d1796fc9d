"""Arrays joined that are of several dtypes, or not in one piece: few elements here, more by NumPy."""

import itertools

import numpy
import pytest

from tests._oracle import Layout, agree
from tests._tables import DTYPES

RNG = numpy.random.default_rng(31)
JOINS = ["concatenate", "stack", "vstack", "hstack", "column_stack", "dstack"]
SIZES = [0, 1, 3, 300]  # two of the last are more than the few


def values(dtype, shape):
    """Numbers of a dtype."""
    return (RNG.random(shape) * 5).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", JOINS)
def test_several_dtypes(name, dtype):
    for other, size in itertools.product(DTYPES, SIZES):
        agree(lambda xp, x, y: getattr(xp, name)([x, y]), values(dtype, size), values(other, size))
    several = [values(kind, 3) for kind in (dtype, "i2", "u2", "f4")]
    agree(lambda xp, *arrays: getattr(xp, name)(arrays), *several)
    agree(lambda xp, x: getattr(xp, name)((x, [1, 2, 3])), values(dtype, 3))
    agree(lambda xp, x: getattr(xp, name)((x, 1)), values(dtype, 3))
    agree(lambda xp, x: xp.append(x, 1), values(dtype, 3))
    agree(lambda xp, x: xp.append(x, 1.5), values(dtype, 3))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["concatenate", "stack", "vstack", "hstack"])
def test_asked_dtype(name, dtype):
    for asked, size in itertools.product([*DTYPES, float, int, "O", "nonsense"], SIZES):
        agree(lambda xp, x, y, asked=asked: getattr(xp, name)([x, y], dtype=asked),
              values(dtype, size), values("i2", size))
    for asked in ("f8", "f4", "c8", "i8"):
        agree(lambda xp, x, asked=asked: getattr(xp, name)((x, [1, 2, 3]), dtype=asked), values(dtype, 3))
        agree(lambda xp, x, asked=asked: getattr(xp, name)((x, 1), dtype=asked), values(dtype, 3))
        agree(lambda xp, x, y, asked=asked: getattr(xp, name)((x, y), dtype=asked),
              Layout(values(dtype, (3, 4)), (slice(None, None, -1),), (1, 0)), values("f4", (4, 3)))
        for casting in ("no", "safe", "unsafe", "nonsense"):
            agree(lambda xp, x, asked=asked, casting=casting: getattr(xp, name)([x, x], dtype=asked, casting=casting),
                  values(dtype, 3))


def test_what_overflows_in_an_asked_dtype():
    large, huge = numpy.array([1.0, 1e300]), numpy.array([1.0, 7e4], "f4")
    for name in ("concatenate", "stack", "vstack", "hstack"):
        for asked, array in (("f4", large), ("f2", huge), ("f2", large), ("c8", large)):
            agree(lambda xp, x, name=name, asked=asked: getattr(xp, name)([x, x[:2]], dtype=asked), array, warns=True)


@pytest.mark.parametrize("dtype", ["f8", "i8", "?", "c16", "f4"])
@pytest.mark.parametrize("name", JOINS)
def test_steps(name, dtype):
    for size, cut in itertools.product(SIZES, [slice(None, None, 2), slice(None, None, -1), slice(None, None, -3)]):
        line = Layout(values(dtype, size), (cut,))
        agree(lambda xp, x, y: getattr(xp, name)([x, y]), line, line)
        agree(lambda xp, x, y: getattr(xp, name)((x, y)), line, Layout(values("f4", size), (cut,)))


@pytest.mark.parametrize("name", JOINS)
def test_matrices_in_other_orders(name):
    for first, second in itertools.product([None, (1, 0)], repeat=2):
        for dtype in ("f8", "i4"):
            x, y = Layout(values("f8", (3, 3)), axes=first), Layout(values(dtype, (3, 3)), axes=second)
            agree(lambda xp, x, y: getattr(xp, name)([x, y]), x, y)


@pytest.mark.parametrize("name", JOINS)
def test_what_does_not_fit(name):
    agree(lambda xp, x, y: getattr(xp, name)([x, y]), values("f8", 3), values("i8", 4))
    agree(lambda xp, x, y: getattr(xp, name)([x, y]), values("f8", 3), values("i8", (2, 3)))
    agree(lambda xp, x, y: getattr(xp, name)([x, y]), values("f8", ()), values("i8", ()))
    agree(lambda xp: getattr(xp, name)([]))
    agree(lambda xp, x: getattr(xp, name)([x, None]), values("f8", 3))
    agree(lambda xp, x: getattr(xp, name)([x, "a"]), values("f8", 3))


@pytest.mark.parametrize("name", [*JOINS, "array"])
def test_numbers_and_sequences_among_arrays(name):
    line, square = values("f8", 3), values("f8", (3, 3))
    members = [
        ([0], line), (line, [0]), ([0.5], line), ([1j], line), ([True], line), ((0,), line, [1]), (0, line),
        (line, 0.5), ([], line), (square, line), (line, square), (square, [1, 2, 3]), ([[1, 2, 3]], square),
        (square, square[0].sum()), (square, line, [0]), ([1, 2], [3, 4]), (line.astype("f4"), [1]),
        (line.astype("f4"), 1), ("a", line), ([line, line], [line, line]), ([line, line], [line]), ([line], square),
        ([[line], [line]], [[line], [line]]), (Layout(line, (slice(None, None, -1),)), square),
        (Layout(square, axes=(1, 0)), line), (line[:2], square), ([line], 0), (square[:0], line),
        (numpy.float32(2), line), (numpy.array(2), line), ([None], line),
    ]
    for given in members:
        agree(lambda xp, given: getattr(xp, name)(given), given)
        agree(lambda xp, given: getattr(xp, name)(list(given)), given)


def test_arrays_that_nest_themselves():
    def nested(xp, line):
        head = [line]
        head.append(head)
        return xp.array([[line], head])

    agree(nested, values("f8", 3))
