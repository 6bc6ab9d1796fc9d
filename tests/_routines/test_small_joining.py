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
