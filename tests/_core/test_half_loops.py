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


EVERY = numpy.arange(1 << 16, dtype="u2").view("f2")
ODD = numpy.array([0x0000, 0x8000, 0x0001, 0x8001, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00,
                   0xfe03, 0xffff, 0x5640], "u2").view("f2")


def same_with_payloads(ours, theirs):
    """Compare bits, those of NaNs too, which say which operand a result is."""
    same(ours.view("u2") if ours.dtype == "f2" else ours, theirs.view("u2") if theirs.dtype == "f2" else theirs)


@pytest.mark.parametrize("name", ["negative", "sign", "isnan", "isinf", "isfinite", "signbit", "logical_not",
                                  "reciprocal"])
def test_every_number(name):
    """The bits are NumPy's for each of the 65536 numbers, and no flag is raised that NumPy does not raise."""
    ours, function, theirs = fastnp.array(EVERY), getattr(fastnp, name), getattr(numpy, name)
    check_same(lambda np, a: getattr(np, name)(a), EVERY)
    if name == "reciprocal":
        return
    with numpy.errstate(all="raise"), fastnp.errstate(all="raise"):
        same_with_payloads(function(ours), theirs(EVERY))
        for size in (1, 7, 15, 16, 17, 33, 1000):
            same_with_payloads(function(ours[31700:][:size]), theirs(EVERY[31700:][:size]))
            same_with_payloads(function(ours[::-3][:size]), theirs(EVERY[::-3][:size]))
    if name in ("negative", "sign"):
        into, there = ours.copy(), EVERY.copy()
        same_with_payloads(function(into, out=into), theirs(there, out=there))
        same_with_payloads(function(into[1:], out=into[:-1]), theirs(there[1:], out=there[:-1]))


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor"])
def test_every_number_beside_odd_ones(name):
    ours, odd, function, theirs = fastnp.array(EVERY), fastnp.array(ODD), getattr(fastnp, name), getattr(numpy, name)
    with numpy.errstate(all="raise"), fastnp.errstate(all="raise"):
        for k in range(len(ODD)):
            same_with_payloads(function(ours, odd[k : k + 1]), theirs(EVERY, ODD[k : k + 1]))
            same_with_payloads(function(odd[k : k + 1], ours), theirs(ODD[k : k + 1], EVERY))
            same_with_payloads(function(ours[:100], ODD[k]), theirs(EVERY[:100], ODD[k]))
            same_with_payloads(function(odd, odd[k]), theirs(ODD, ODD[k]))
        shuffled = RNG.permutation(EVERY)
        for size in (1, 8, 15, 17, 100, 3000, 65536):
            other = fastnp.array(shuffled[:size])
            same_with_payloads(function(ours[-size:], other), theirs(EVERY[-size:], shuffled[:size]))
            same_with_payloads(function(ours[:size][::-1], other), theirs(EVERY[:size][::-1], shuffled[:size]))
        pairs = numpy.stack(numpy.meshgrid(ODD, ODD)).reshape(2, -1)
        same_with_payloads(function(*fastnp.array(pairs)), theirs(*pairs))


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_extrema(name):
    """Of lines of any length, with NaNs and zeros of either sign anywhere."""
    function, theirs = getattr(fastnp, name), getattr(numpy, name)
    for size in (*range(1, 40), 63, 64, 65, 1000, 9000):
        for values in (HALVES[:size], -abs(HALVES[:size]), abs(HALVES[:size])):
            for odd in (None, *ODD):
                values = values.copy()
                if odd is not None:
                    values[RNG.integers(size)] = odd
                ours = fastnp.array(values)
                same(function.reduce(ours), theirs.reduce(values))
                same(function.reduce(ours[::-1]), theirs.reduce(values[::-1]))
                same(function.reduce(ours, initial=0), theirs.reduce(values, initial=numpy.float16(0)))
    table = HALVES[:6000].reshape(20, 300).copy()
    table[3, 7], table[5], table[:, 9] = numpy.nan, 0, -0.0
    for axis in (0, 1, None):
        for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1, ::2], lambda a: a[:, 10:]):
            same(function.reduce(view(fastnp.array(table)), axis=axis), theirs.reduce(view(table), axis=axis))
    zeros = numpy.array([-0.0, 0.0] * 30, "f2")
    same_with_payloads(function.reduce(fastnp.array(zeros), keepdims=True), theirs.reduce(zeros, keepdims=True))
    into, there = fastnp.array(HALVES[:200]), HALVES[:200].copy()
    same(function(into[1:], into[:-1], out=into[1:]), theirs(there[1:], there[:-1], out=there[1:]))


def test_clip():
    ours = fastnp.array(EVERY)
    for low in ODD:
        for high in ODD:
            same_with_payloads(fastnp.clip(ours, low, high), numpy.clip(EVERY, low, high))
    same(ours[::-1].clip(0.5, 20), EVERY[::-1].clip(0.5, 20))
    same(ours.clip(fastnp.array(EVERY[::-1].copy()), 20), EVERY.clip(EVERY[::-1], 20))
    same(fastnp.clip(ours, -2, 2, out=ours), numpy.clip(EVERY, -2, 2))


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


def test_counted_and_equal():
    """Zeros of either sign are equal and do not count, NaNs count."""
    ours = fastnp.array(EVERY)
    for size in (1, 16, 63, 1000, 65536):
        for first in (0, 31700, 65536 - size):
            part, there = ours[first : first + size], EVERY[first : first + size]
            assert fastnp.count_nonzero(part) == numpy.count_nonzero(there)
            changed = numpy.nextafter(there, numpy.float16(0))
            for other in (there, there.copy(), numpy.where(there == 0, -there, there), changed, there[::-1]):
                for nans in (False, True):
                    expected = numpy.array_equal(there, other, equal_nan=nans)
                    assert fastnp.array_equal(part, fastnp.array(other), equal_nan=nans) is expected
    check_same(lambda np, a: np.count_nonzero(a.reshape(256, 256)[:, ::3], axis=1), EVERY)
