"""Calls that are common but for one argument, of every dtype: what answers them is not what answers the common ones."""

import itertools

import numpy
import pytest

from tests._oracle import Cells
from tests._tables import DTYPES

RNG = numpy.random.default_rng(83)
CALLS = {
    "argmax keepdims": lambda xp, a: (
        a.argmax(keepdims=True), a.T.argmin(keepdims=True), xp.argmax(a[0, 0], keepdims=True)),
    "dot with zero": lambda xp, a: (xp.dot(a, 0), xp.dot(0.0, a), xp.dot(a[0], -0.0)),
    "var dtype": lambda xp, a: (a.var(dtype=float), a.std(dtype=float), a.var(dtype=xp.float64, axis=1)),
    "var single": lambda xp, a: a.var(dtype="f4"),
    "likes of other orders": lambda xp, a: (
        xp.zeros_like(a.T), xp.ones_like(a.T), xp.zeros_like(a[:, ::2]), xp.zeros_like(a.T, order="A")),
    "likes in another dtype": lambda xp, a: (
        xp.ones_like(a.transpose(1, 2, 0), dtype="f4"), xp.zeros_like(a.T, dtype="?")),
    "full of arrays": lambda xp, a: (xp.full_like(a, a[0]), xp.full_like(a[0], xp.arange(5)), xp.full_like(a.T, 3)),
    "full of what does not fit": lambda xp, a: xp.full_like(a, xp.arange(3)),
    "clip between other dtypes": lambda xp, a: (xp.clip(a, xp.arange(5), a + 1), a.clip(xp.arange(5), 3)),
    "clip between two dtypes": lambda xp, a: xp.clip(a, xp.arange(5, dtype="u1"), xp.arange(5.0)),
    "atleast": lambda xp, a: (xp.atleast_1d(a, a[0]), xp.atleast_2d(a, a[0], a[0, 0]), xp.atleast_3d(a[0], a)),
    "take a tuple": lambda xp, a: (xp.take(a, (0, 1)), xp.take(a, (0, 1), axis=1), xp.take(a, (0, (1, 2)))),
    "take no integer": lambda xp, a: xp.take(a, (0.5,)),
    "take out of bounds": lambda xp, a: xp.take(a[0, 0], (0, 9)),
    "isreal": lambda xp, a: (
        xp.isreal(a), xp.iscomplex(a.T), xp.isreal(3), xp.isreal(float("nan")), xp.isreal(a[0, 0, 0])),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_dtype(name):
    with Cells(tolerance="sum") as cells:
        for dtype in DTYPES:
            cells.same(dtype, CALLS[name], (RNG.random((3, 4, 5)) * 10).astype(dtype))


def test_ranges_between_scalars():
    starts = [1, 2.5, numpy.float64(1), numpy.int64(2), numpy.float32(1), numpy.int8(2), numpy.array(1.0)]
    stops = [4, 7.5, numpy.float64(4), numpy.int64(5), numpy.float32(6), numpy.array(5)]

    def ranges(xp, start, stop):
        start, stop = (xp.asarray(x)[()] if isinstance(x, numpy.generic) else x for x in (start, stop))
        return xp.arange(start, stop), xp.arange(stop), xp.arange(start, stop, start)

    with Cells() as cells:
        for start, stop in itertools.product(starts, stops):
            cells.same(f"{start!r} {stop!r}", ranges, start, stop)
