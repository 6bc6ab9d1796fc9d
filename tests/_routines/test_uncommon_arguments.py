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
    "atleast of rows": lambda xp, a: (
        xp.atleast_1d(a[0, 0], a), xp.atleast_2d(a[0, 0], a[0], a[0, 0, ::-1]), xp.atleast_2d(a[0, 0], a[0, 0, 0]),
        xp.atleast_3d(a[0, 0], a[0].T, a, a[0, ::-1]), [x.base is a for x in xp.atleast_3d(a[0], a[1, 0])]),
    "orders of likes": lambda xp, a: (
        xp.zeros_like(a, order="F"), xp.ones_like(a.T, order="C"), xp.full_like(a, 3, "f4", "F"),
        xp.empty_like(a, order="F").strides, xp.zeros_like(a[0, 0], order="F"), xp.zeros_like(a.T, order="A")),
    "copies asked for": lambda xp, a: (
        xp.asarray(a, copy=True), xp.asarray(a.T, copy=True), xp.asarray(a, "f4", "F", copy=True),
        xp.asarray(a, copy=True).base is None, xp.asarray(a, copy=False) is a, xp.asarray(a.T, order="F", copy=False)),
    "copies that are not wanted": lambda xp, a: xp.asarray(a[..., ::2], order="C", copy=False),
    "products of two dtypes": lambda xp, a: (
        xp.matvec(a, xp.arange(5)), xp.vecmat(a[0, :, 0], xp.ones((3, 2), "f4")), xp.vecmat(xp.arange(4), a),
        xp.vecdot(a, xp.arange(5.0)), xp.vdot(a[0, 0], xp.arange(5, dtype="f4")), xp.vdot(xp.arange(5) + 1j, a[0, 0]),
        xp.vdot(a[0, 0, :1], xp.ones(1, "f4"))),
    "products with lists": lambda xp, a: (
        a @ [1, 2, 3, 4, 5], [1.5, 2, 3] @ a[:, 0], xp.matmul(a[0], [[1], [2], [3], [4], [5]]),
        xp.vecdot([1, 2j, 3, 4, 5], a), xp.matvec(a, (1, 2, 3, 4, 5)), xp.vecmat([True, False, True, True], a)),
    "products with lists that do not fit": lambda xp, a: a @ [1, 2, 3],
    "diagonals filled": lambda xp, a: [
        (xp.fill_diagonal(m, value), m) for m in (a[0].copy(), a[0].T.copy(), a[0].copy("F"), a[0, ::-1].copy())
        for value in (1, 0, True)],
    "diagonals of views filled": lambda xp, a: (
        xp.fill_diagonal(a[0], 1), xp.fill_diagonal(a[1].T, 1), xp.fill_diagonal(a[2, :, ::-1], 0), a),
    "diagonals filled with what does not fit": lambda xp, a: xp.fill_diagonal(
        a[0], 2.0**70 if a.dtype.kind in "fc" else 300),
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


def test_ranges_in_single_precision():
    with Cells() as cells:
        for start, step, count in itertools.product((0.1, -0.0, 7, -3e30), (0.1, -1.3, 2e28, 1), (0, 1, 2, 700)):
            cells.same(f"{start} {step} {count}", lambda xp, *ends: xp.arange(*ends, dtype="f4"),
                       start, start + step * count, step)
