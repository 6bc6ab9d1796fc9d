"""float16 in vectors: sums in NumPy's order, comparisons; and bytes shifted by one number. NumPy is the oracle."""

import operator

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same

from .test_large import check_same

RNG = numpy.random.default_rng(23)
HALVES = RNG.standard_normal(9000).astype("f2")
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def test_sums_of_every_length():
    for size in (*range(300), 1000, 1023, 1024, 1025, 4099, 8999):
        for call in (lambda np, a: a.sum(), lambda np, a: a[1:].sum(), lambda np, a: a[::-1].sum(),
                     lambda np, a: a[::2].sum(), lambda np, a: np.add.reduce(a, initial=a.dtype.type(3)),
                     lambda np, a: np.mean(a)):
            check_same(call, HALVES[:size])
        check_same(lambda np, a: a.sum(), numpy.full(size, -0.0, "f2"))


@pytest.mark.parametrize("shape", [(3, 5), (30, 300), (300, 30), (1000, 9), (8, 1000), (4, 5, 6), (20, 30, 15)])
def test_sums_along_axes(shape):
    values = HALVES[: numpy.prod(shape)].reshape(shape)
    for axis in (None, *range(-1, len(shape)), (0, -1)):
        check_same(lambda np, a, axis=axis: a.sum(axis=axis), values)
        check_same(lambda np, a, axis=axis: a.T.sum(axis=axis), values)
        check_same(lambda np, a, axis=axis: a[::-1].sum(axis=axis, keepdims=True), values)
    check_same(lambda np, a: np.add.reduce(a, axis=0, out=np.ones(shape[1:], "f2")), values)


@pytest.mark.parametrize("odd", [60000.0, -60000.0, numpy.inf, -numpy.inf, numpy.nan, 6e-8, -6e-8])
def test_sums_that_leave_the_range(odd):
    for size in (1, 2, 7, 8, 9, 40, 129, 1000):
        for count in (1, 2, size):
            values = numpy.ones(size, "f2")
            values[:count] = odd
            check_same(lambda np, a: a.sum(), values)
            check_same(lambda np, a: np.stack([a, a]).sum(axis=0), values)
    check_same(lambda np, a: a.sum(), numpy.full(100, odd, "f2") * numpy.resize(numpy.array([1, -1], "f2"), 100))


@pytest.mark.parametrize("call", COMPARISONS)
def test_comparisons(call):
    values = HALVES[:2000].copy()
    values[::7], values[3::50], values[5::50], values[6::40] = numpy.nan, numpy.inf, -numpy.inf, -0.0
    others = numpy.where(RNG.random(2000) < 0.3, values, RNG.permutation(values))
    a, b = fastnp.array(values), fastnp.array(others)
    with numpy.errstate(all="raise"), fastnp.errstate(all="raise"):
        for size in (*range(1, 35), 63, 64, 65, 1000, 2000):
            same(call(a[:size], b[:size]), call(values[:size], others[:size]))
            same(call(a[1:size], b[: size - 1]), call(values[1:size], others[: size - 1]))
            same(call(a[:size], b[:1]), call(values[:size], others[:1]))
            same(call(a[:1], b[:size]), call(values[:1], others[:size]))
            same(call(a[:size][::-1], b[:size]), call(values[:size][::-1], others[:size]))
            for number in (0, 0.5, numpy.float16(numpy.nan), numpy.inf):
                same(call(a[:size], number), call(values[:size], number))
    table, rows = values.reshape(40, 50), others[:50]
    same(call(a.reshape(40, 50), b[:50]), call(table, rows))
    same(call(a.reshape(40, 50).T, b[:40]), call(table.T, others[:40]))


@pytest.mark.parametrize("call", COMPARISONS)
def test_comparisons_written_over_an_operand(call):
    name = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
            "ge": "greater_equal"}[call.__name__]
    for first, last in ((0, 64), (32, 96), (64, 128)):
        theirs, ours = HALVES[:64].copy(), fastnp.array(HALVES[:64])
        getattr(numpy, name)(theirs, HALVES[1:65], out=theirs.view("?")[first:last])
        getattr(fastnp, name)(ours, fastnp.array(HALVES[1:65]), out=ours.view("?")[first:last])
        same(ours.view("u2"), theirs.view("u2"))


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "i8"])
def test_shifts_by_one_number(dtype):
    limits = numpy.iinfo(dtype)
    values = RNG.integers(limits.min, limits.max, 3000, dtype=dtype, endpoint=True)
    ours = fastnp.array(values)
    for size in (1, 15, 16, 17, 31, 33, 100, 3000):
        for count in (0, 1, 5, 7, 8, 9, 63, 100):
            for call in (operator.lshift, operator.rshift):
                same(call(ours[:size], count), call(values[:size], count))
                same(call(count, ours[:size] & 7), call(count, values[:size] & 7))
                same(call(ours[:size][::2], count), call(values[:size][::2], count))
        with numpy.errstate(all="ignore"):
            same(ours[:size] << ours[:1], values[:size] << values[:1])
            same(ours[:size] >> ours[:size], values[:size] >> values[:size])
    if limits.min < 0:
        same(ours << fastnp.array(-1, dtype), values << numpy.array(-1, dtype))
        same(ours >> fastnp.array(-1, dtype), values >> numpy.array(-1, dtype))
    into, there = fastnp.array(values), values.copy()
    into <<= 3
    there <<= 3
    same(into, there)
    fastnp.left_shift(into[1:], 2, out=into[:-1])
    numpy.left_shift(there[1:], 2, out=there[:-1])
    same(into, there)
