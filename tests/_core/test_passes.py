"""What is computed in one pass, by wider vectors or past the cache: NumPy's values to the last bit, its warnings."""

import itertools
import operator
import warnings

import numpy
import pytest
import torch

import fastnp

from .test_large import DTYPES, check_area, check_same, values_of

RNG = numpy.random.default_rng(5)
LENGTHS = (1, 2, 7, 8, 9, 100, 128, 129, 1000, 70_000)


def normal(size, dtype="d"):
    return RNG.standard_normal(size).astype(dtype)


# --- sums of what is computed of elements -----------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("size", LENGTHS)
def test_areas(size, dtype):
    values = normal(size, dtype)
    for distance in (1.0, 0.3, -2.5):
        check_area(lambda np, a, dx=distance: np.trapezoid(a, dx=dx), values)
    check_area(lambda np, a: np.trapezoid(a), values)
    check_area(lambda np, a: np.trapezoid(a[::2]), values)
    check_area(lambda np, a: np.trapezoid(a.astype("d" if dtype == "f" else "f")), values)
    check_area(lambda np, a: np.trapezoid(a, axis=0), values)
    check_area(lambda np, a: np.trapezoid(a, dx=1e300), values)
    check_area(lambda np, a: np.trapezoid(a * (1e308 if dtype == "d" else 1e38)), values)
    for close_to_zero in (5e-324, 1e-300, 3e-281, 3e-280) if dtype == "d" else (1e-45, 1e-38, 3e-29, 3e-28):
        check_area(lambda np, a, by=close_to_zero: np.trapezoid(np.rint(a * 4) * by), values)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("size", LENGTHS)
def test_sums_without_nan(size, dtype):
    values = normal(size, dtype)
    missing = values.copy()
    missing[RNG.random(size) < 0.3] = numpy.nan
    for given in (values, missing, numpy.full(size, numpy.nan, dtype), numpy.full(size, numpy.inf, dtype)):
        check_same(lambda np, a: np.nansum(a), given)
        check_same(lambda np, a: np.nansum(a[::-1]), given)
        check_same(lambda np, a: np.nansum(a.reshape(1, -1), axis=-1), given)
        check_same(lambda np, a: np.nansum(np.stack((a, a, a)), axis=1), given)
        check_same(lambda np, a: np.nansum(np.stack((a, a, a)), axis=0), given)
        check_same(lambda np, a: np.nansum(np.stack((a, a, a))), given)
        check_same(lambda np, a: np.nansum(np.stack((a, a, a)), axis=1, keepdims=True), given)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("size", [*LENGTHS, 300_000])
def test_averages_by_weights(size, dtype):
    """What sums to zero raises, what overflows warns, on both sides of the one pass."""
    values, weights = normal(size, dtype), abs(normal(size, dtype))
    huge, spoiled, infinite = (weights.copy() for _ in range(3))
    huge[size // 2] = numpy.finfo(dtype).max
    spoiled[size // 2] = numpy.nan
    infinite[-1] = numpy.inf
    for given in (weights, -weights, huge, spoiled, infinite, values):
        check_same(lambda np, a, w: np.average(a, weights=w), values, given)
        check_same(lambda np, a, w: np.average(a, weights=w), given, weights)
        check_same(lambda np, a, w: np.average(a[::-1], weights=w), values, given)
        check_same(lambda np, a, w: np.average(a, None, w, True), values, given)
        check_same(lambda np, a, w: np.average(a, weights=w, keepdims=True), values, given)
        check_same(lambda np, a, w: np.average(a.reshape(-1, 1), weights=w.reshape(-1, 1)), values, given)
        check_same(lambda np, a, w: np.average(a, weights=w.astype("f" if dtype == "d" else "d")), values, given)
    for np in (numpy, fastnp):
        a, w = np.array(values), np.array(weights)
        with pytest.raises(ZeroDivisionError, match="sum to zero"):
            np.average(a, weights=w * 0)
        with pytest.raises(TypeError, match="shapes"):
            np.average(a, weights=w[1:])


@pytest.mark.parametrize("dtype", "BilfdeFDh?")
@pytest.mark.parametrize("shape", [(7,), (300,), (1, 9), (9, 1), (40, 30), (3, 4, 50), (2, 1, 130)])
def test_variances(shape, dtype):
    values = values_of(dtype, int(numpy.prod(shape))).reshape(shape)
    if dtype in "fdeFD":
        values = numpy.nan_to_num(values.real, nan=1, posinf=2, neginf=3).clip(-50, 50).astype(dtype)
    for axis in (None, *range(len(shape)), (0, -1), -1):
        if axis == (0, -1) and len(shape) == 1:
            continue
        for keepdims in (False, True):
            check_same(lambda np, a, axis=axis, keep=keepdims: a.var(axis=axis, keepdims=keep), values)
            check_same(lambda np, a, axis=axis, keep=keepdims: np.std(a, axis=axis, keepdims=keep, ddof=0.5), values)
        check_same(lambda np, a, axis=axis: np.std(a[..., ::-1], axis=axis), values)
        if 1 not in shape:
            check_same(lambda np, a, axis=axis: np.var(a.T, axis=axis if axis != (0, -1) else None), values)


def test_variances_that_overflow():
    for values in ([1e200, -1e200, 3.0] * 40, [numpy.inf, 1.0] * 30, [numpy.nan] * 9):
        values = numpy.array(values)
        check_same(lambda np, a: np.var(a), values)
        check_same(lambda np, a: np.std(a.reshape(3, -1), axis=0), values)
        check_same(lambda np, a: np.std(a.reshape(3, -1), axis=1), values)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("shape", [(7,), (1, 9), (9, 1), (200, 1), (200, 1, 1), (40, 30), (3, 4, 50), (5, 200)])
def test_norms_of_lines(shape, dtype):
    values = normal(shape, dtype)
    for axis in range(-len(shape), len(shape)):
        for keepdims in (False, True):
            check_same(lambda np, a, axis=axis, keep=keepdims: np.linalg.norm(a, axis=axis, keepdims=keep), values)
    check_same(lambda np, a: np.linalg.norm(a.T, axis=-1), values)
    for order in (1, 2):
        check_same(lambda np, a, order=order: np.linalg.vector_norm(a[::-1] * (1 + 2j), ord=order), values)
    # Of numbers whose cubes are exact: others NumPy's vectors of 64 bytes round to a last place beside the nearest.
    check_same(lambda np, a: np.linalg.vector_norm(a[::-1] * (3 + 4j), ord=3), numpy.rint(values * 4) / 4)


# --- element by element -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "fde")
@pytest.mark.parametrize("decimals", [-30, -3, -1, 0, 1, 2, 5, 22, 23, 300])
def test_rounding(dtype, decimals):
    ties = numpy.array([0.5, 1.5, 2.5, 0.05, 0.15], dtype)
    values = numpy.concatenate((values_of(dtype, 500), normal(500, dtype), ties))
    check_same(lambda np, a: np.round(a, decimals), values)
    check_same(lambda np, a: a.round(decimals), values[7:].reshape(2, -1))
    check_same(lambda np, a: a[::2].round(decimals), values)
    check_same(lambda np, a: np.around(a.reshape(5, -1).T, decimals), values)


@pytest.mark.parametrize("dtype", "fd")
def test_repair(dtype):
    values = values_of(dtype, 600)
    for given in ({}, {"nan": 3}, {"nan": numpy.inf}, {"posinf": -numpy.inf}, {"neginf": 1.5, "posinf": numpy.nan},
                  {"nan": 1e300}, {"posinf": 10**400 % 10**12}, {"copy": False}):
        check_same(lambda np, a, given=given: np.nan_to_num(a, **given), values)
        check_same(lambda np, a, given=given: np.nan_to_num(a.reshape(3, -1).T, **given), values)
    check_same(lambda np, a: np.nan_to_num(a[:0]), values)


def test_progressions():
    for arguments in (
        (0.0, 1000, 1.0), (5, -3.0, -0.1), (0.1, 70.0, 0.3), (-1e9, 1e9, 1e6), (3, 40), (-5, 5), (10, 0, -3), (7,),
    ):
        check_same(lambda np, given=arguments: np.arange(*given))
        for dtype in "fdil":
            check_same(lambda np, given=arguments, dtype=dtype: np.arange(*given, dtype=dtype))
    for count in (1, 2, 3, 10, 101, 70_001):
        check_same(lambda np, n=count: np.linspace(-1.0, 3.0, n))
        check_same(lambda np, n=count: np.linspace(2.0, 2.0, n, endpoint=False))
        for distance in (1.0, 0.1, -0.3, 7):
            check_same(lambda np, n=count, d=distance: np.fft.fftfreq(n, d))
            check_same(lambda np, n=count, d=distance: np.fft.rfftfreq(n, d))


@pytest.mark.parametrize("dtype", DTYPES)
def test_full_of_every_dtype(dtype):
    for size, value in itertools.product((1, 31, 32, 1000), (1, True, 100)):
        check_same(lambda np, n=size, v=value: np.full(n, v, dtype=dtype))
        check_same(lambda np, n=size, v=value: np.full((n, 2), v, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_triangles(dtype):
    single = (1, 1), (5, 5), (3, 9), (9, 3), (0, 3), (3, 0), (4,), (90, 2)
    for shape in (*single, (2, 4, 5), (300, 3, 3), (40, 70, 1), (5, 40, 30)):
        values = values_of(dtype, int(numpy.prod(shape))).reshape(shape)
        for k in (-20, -4, -1, 0, 1, 3, 20):
            check_same(lambda np, a, k=k: np.triu(a, k), values)
            check_same(lambda np, a, k=k: np.tril(a, k), values)
        check_same(lambda np, a: np.triu(a.T), values)


# --- questions about all ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", DTYPES)
def test_equality_as_a_whole(dtype):
    for size in (0, 1, 31, 2048, 2049, 5000):
        values = values_of(dtype, size)
        if dtype in "efdFD":
            values = numpy.nan_to_num(values)
        for place in (None, 0, size // 2, size - 1):
            other = values.copy()
            if place is not None and size:
                other[place] = not other[place] if dtype == "?" else other[place] + 1 if abs(other[place]) < 100 else 0
            for equal_nan in (False, True):
                check_same(lambda np, a, b, n=equal_nan: np.array_equal(a, b, equal_nan=n), values, other)
    check_same(lambda np, a: np.array_equal(a, a[:-1]), values)
    check_same(lambda np, a: np.array_equal(a.reshape(2, -1).T, a.reshape(2, -1).T), values)
    check_same(lambda np, a: np.array_equal(a, a.astype("D")), values)
    assert fastnp.array_equal(fastnp.array(values), fastnp.array(values)) is True


def test_equality_of_special_values():
    values = numpy.array([0.0, numpy.nan, numpy.inf] * 20)
    for other in (values, -values, values[::-1].copy(), values.view("q"), values.astype("f")):
        for equal_nan in (False, True):
            check_same(lambda np, a, b, n=equal_nan: np.array_equal(a, b, n), values, other)
            check_same(lambda np, a, b, n=equal_nan: np.array_equal(a + 0j, b + 0j, n), values, other)
    odd = RNG.integers(0, 256, 300).astype("u1").view(bool)
    check_same(lambda np, a: np.array_equal(a, a.astype("u1").astype(bool)), odd)


@pytest.mark.parametrize("dtype", DTYPES)
def test_counts(dtype):
    for size in (0, 1, 31, 33, 255 * 32 + 40, 70_000):
        values = values_of(dtype, size)
        values[RNG.random(size) < 0.4] = 0
        check_same(lambda np, a: np.count_nonzero(a), values)
        check_same(lambda np, a: np.count_nonzero(a[::2]), values)
        check_same(lambda np, a: np.count_nonzero(a.reshape(1, -1)), values)


# --- sorting by counting ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "?bBhHiIlLqQ")
def test_sorting_few_values(dtype):
    kind = numpy.dtype(dtype)
    low, high = (0, 1) if dtype == "?" else (numpy.iinfo(kind).min, numpy.iinfo(kind).max)
    for size in (1, 1023, 1024, 3000):
        for least, greatest in ((low, min(low + 90, high)), (max(high - 90, low), high), (0, 1), (low, high)):
            draw = RNG.integers(least, greatest, size, dtype="i8" if dtype == "?" else kind, endpoint=True).astype(kind)
            check_same(lambda np, a: np.sort(a), draw)
            check_same(lambda np, a: np.sort(a, kind="stable"), draw)
            check_same(lambda np, a: np.sort(np.stack((a, a[::-1])), axis=1), draw)
            check_same(lambda np, a: np.sort(np.stack((a, a[::-1])), axis=0), draw)
            check_same(lambda np, a: np.unique(a), draw)


# --- loops and moves --------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["logical_and", "logical_or", "multiply", "add", "bitwise_and", "maximum", "minimum"])
def test_truths_and_one_truth(name):
    odd = RNG.integers(0, 3, 200).astype("u1").view(bool)
    for size, one in itertools.product((1, 7, 8, 100), (0, 1, 2)):
        check_same(lambda np, a, n=size, k=one: getattr(np, name)(a[:n], a[k]), odd)
        check_same(lambda np, a, n=size, k=one: getattr(np, name)(a[k], a[:n]), odd)
        check_same(lambda np, a, n=size: getattr(np, name)(a[:n, None], a[None, :40]), odd)
        check_same(lambda np, a, n=size, k=one: getattr(np, name)(a[:n], a[k], out=a[:n]), odd)
        check_same(lambda np, a, n=size, k=one: getattr(np, name)(a[:n], a[k], out=a[1:n + 1]), odd)
        check_same(lambda np, a, n=size, k=one: getattr(np, name)(a[1:n + 1], a[k], out=a[:n]), odd)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_not_true(dtype):
    values = values_of(dtype, 300)
    values[::3] = 0
    check_same(lambda np, a: np.logical_not(a), values)
    check_same(lambda np, a: np.logical_not(a[::2]), values)
    check_same(lambda np, a: np.logical_not(a, out=np.zeros(300, "f")), values)


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_quotients_of_integers(dtype):
    for size in (1, 7, 8, 33, 300):
        a, b = values_of(dtype, 2 * size), values_of(dtype, 2 * size)
        check_same(lambda np, a, b: a / b, a, b)
        check_same(lambda np, a, b: a / b[0], a, b)
        check_same(lambda np, a, b: a[0] / b, a, b)
        check_same(lambda np, a, b: a[::2] / b[::2], a, b)
        check_same(lambda np, a, b: a / np.maximum(b, 1), a, b)
        check_same(lambda np, a, b: np.divide(a, 3, out=np.zeros(a.shape)), a, b)


@pytest.mark.parametrize("dtype", "Bilbq")
def test_quotients_of_integers_of_any_layout(dtype):
    a, b = values_of(dtype, 600), values_of(dtype, 600)
    for divisor in (2, -3, 0, 2.5, 300, 2**40, 2**70, True):
        check_same(lambda np, a, d=divisor: a / d, a)
        check_same(lambda np, a, d=divisor: d / a, a)
    check_same(lambda np, a, b: a.reshape(20, 30) / b.reshape(20, 30)[:1], a, b)
    check_same(lambda np, a, b: a.reshape(20, 30).T / b.reshape(30, 20), a, b)
    check_same(lambda np, a, b: np.divide(a[::-1], b[::3].repeat(3), out=np.ones(1200)[::2]), a, b)
    check_same(lambda np, a, b: np.divide(a, b, out=np.ones(600), where=b > 2), a, b)
    check_same(lambda np, a, b: np.divide(a, b, dtype="d"), a, b)
    check_same(lambda np, a, b: np.divide(a, b, dtype="f"), a, b)
    check_same(lambda np, a, b: np.divide(a, b, out=np.ones(600, "f")), a, b)
    check_same(lambda np, a, b: np.divide.outer(a[:9], b[:9]), a, b)
    for np in (numpy, fastnp):
        with pytest.raises(TypeError, match="Cannot cast ufunc 'divide' output from dtype\\('float64'\\)"):
            np.divide(np.asarray(a), np.asarray(b), out=np.ones(600, "i"))


def test_quotients_of_integers_in_their_own_memory():
    values = numpy.arange(1, 401)
    for start, stop, step in ((0, 400, 1), (1, 400, 1), (0, 200, 1), (399, None, -1)):
        def divide(np, a, start=start, stop=stop, step=step):
            read, written = a[start:stop:step], a.view("d")[:len(range(400)[start:stop:step])]
            np.divide(read, 3, out=written)
            return a.view("d").copy()
        check_same(divide, values)
    large = numpy.array([2**53 + 1, -(2**63), 2**63 - 1, 2**62 + 1, 0, -1], "l").repeat(3)
    check_same(lambda np, a: a / a[::-1], large)
    check_same(lambda np, a: a / (2**53 + 1), large)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_quotients_of_integers_where_torch_computes(dtype):
    """torch divides integers to float32: what is promoted is not what the loop reads."""
    given = torch.arange(1, 9, dtype=dtype)
    for divide in (lambda a: a / a, lambda a: a / 3, lambda a: 3 / a, lambda a: fastnp.true_divide(a, a[::-1])):
        assert divide(fastnp.asarray(given.to("meta"))).dtype == numpy.dtype("f8")
        rows = torch.func.vmap(lambda row, divide=divide: divide(fastnp.asarray(row)).tensor)(given[None])
        numpy.testing.assert_array_equal(rows[0], divide(fastnp.asarray(given)), strict=True)


@pytest.mark.parametrize("dtype", "FD")
def test_complex_sums(dtype):
    for size in (0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 66, 100, 129, 1000, 5000):
        values = (normal(size) + 1j * normal(size)).astype(dtype)
        check_same(lambda np, a: a.sum(), values)
        check_same(lambda np, a: a.sum(initial=2j), values)
        check_same(lambda np, a: np.stack((a, a)).sum(axis=1), values)
        check_same(lambda np, a: np.stack((a, a)).sum(axis=0), values)
        check_same(lambda np, a: a[::-1].mean(), values)
        check_same(lambda np, a: np.cumsum(a), values)
        check_same(lambda np, a: np.cumsum(np.stack((a, a)), axis=0), values)
        check_same(lambda np, a: np.add.accumulate(a[::-1]), values)


@pytest.mark.parametrize("name", ["floor", "ceil", "rint", "sqrt", "square"])
def test_functions_of_every_float16(name):
    every = numpy.arange(65536, dtype=numpy.uint16).view(numpy.float16)
    check_same(lambda np, a: getattr(np, name)(a), every)
    for size in (1, 7, 8, 9, 33):
        check_same(lambda np, a, n=size: getattr(np, name)(a[100:100 + n]), every)
        check_same(lambda np, a, n=size: getattr(np, name)(a[100:100 + n], out=a[101:101 + n]), every)


def test_casts_to_float16_round_once():
    halves = numpy.arange(0x7C00, dtype=numpy.uint16).view(numpy.float16).astype("d")
    ties = (halves[1:] + halves[:-1]) / 2
    nearly = numpy.nextafter(ties, 0), numpy.nextafter(ties, 1e9), ties * (1 + 2.0**-30)
    exact = numpy.concatenate((halves, ties, *nearly))
    special = [65519.999, 65520.0, 65520.0001, 1e-8, 2.0**-25, 1e300, 1e-300, numpy.inf]
    exact = numpy.concatenate((exact, -exact, special))
    check_same(lambda np, a: a.astype("e"), exact)
    check_same(lambda np, a: a.astype("f").astype("e"), exact)


@pytest.mark.parametrize("dtype", DTYPES)
def test_turned_round(dtype):
    for size in (1, 31, 32, 33, 65, 300):
        values = values_of(dtype, 3 * size)
        check_same(lambda np, a: a[::-1].copy(), values)
        check_same(lambda np, a: a.reshape(3, -1)[:, ::-1].copy(), values)
        check_same(lambda np, a: np.flip(a.reshape(3, -1)).copy(), values)

        def turned(np, a, n=size):
            a[:n] = a[n:][:n][::-1]
            a[n:] = a[:-n][::-1]
            return a

        check_same(turned, values)


@pytest.mark.parametrize("size", [0, 1, 3, 1023, 1024, 1025, 70_000])
def test_polynomials(size):
    values = normal(size) * 3
    for terms in ([], [1.5], [1, 2, 3], [True, False], [1j, 2], numpy.arange(5), numpy.arange(3.0)[::-1],
                  numpy.arange(3, dtype="f4"), numpy.array([numpy.nan, 1.0])):  # fmt: skip
        check_same(lambda np, a, p=terms: np.polyval(np.array(p) if isinstance(p, numpy.ndarray) else p, a), values)
    check_same(lambda np, a: np.polyval([1.0, 2.0], a[::-1]), values)
    check_same(lambda np, a: np.polyval([1.0, 2.0], a.reshape(1, -1)), values)
    check_same(lambda np, a: np.polyval([1.0, 2.0], a.astype("f4")), values)
    # Of what overflows and of what is no number, NumPy's operations warn one by one.
    check_same(lambda np, a: np.polyval([1e308, 1e308, 1.0], a * 1e300), values)
    check_same(lambda np, a: np.polyval([1.0, 2.0], a / 0.0), values)


# --- powers of integers -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "bBhHiIlLqQ")
@pytest.mark.parametrize("size", [1, 15, 16, 17, 255, 256, 257, 270, 1000])
def test_powers_of_integers(size, dtype):
    """By the bits of the exponents, modulo the width: side by side, apart, one repeated, into an operand."""
    information = numpy.iinfo(dtype)
    bases = RNG.integers(information.min, information.max, size, dtype, endpoint=True)
    few = RNG.integers(0, 7, size).astype(dtype)
    many = RNG.integers(0, information.max, size, dtype, endpoint=True)
    for exponents in (few, many, numpy.zeros(size, dtype)):
        for call in (
            lambda np, a, b: np.power(a, b), lambda np, a, b: a ** b, lambda np, a, b: np.power(a[::-1], b[::-1]),
            lambda np, a, b: np.power(a[::2], b[: len(a[::2])]), lambda np, a, b: np.power(a, b[0]),
            lambda np, a, b: np.power(a[0], b), lambda np, a, b: np.power(a, b, out=a),
            lambda np, a, b: np.power(a, b, out=b), lambda np, a, b: np.power(a[1:], b[1:], out=a[:-1]),
            lambda np, a, b: np.power(a[:-1], b[:-1], out=a[1:]), lambda np, a, b: np.power(a, 3),
            lambda np, a, b: np.power(a, b, where=b != 0, out=np.zeros_like(a)),
            lambda np, a, b: np.power.outer(a[:20], b[:20]), lambda np, a, b: np.power.accumulate(a[:30] * 0 + 1),
        ):
            check_same(call, bases, exponents)


@pytest.mark.parametrize("dtype", "bhil")
@pytest.mark.parametrize("place", [0, 17, 256, 299])
def test_integers_have_no_powers_below_zero(place, dtype):
    bases, exponents = numpy.full(300, 2, dtype), numpy.ones(300, dtype)
    exponents[place] = -1
    for np in (numpy, fastnp):
        a, b = np.asarray(bases.copy()), np.asarray(exponents)
        for call in (np.power, operator.pow, operator.ipow):
            with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
                call(a, b)
    assert (numpy.asarray(a) == 2).all()


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("size", [1, 3, 4, 7, 8, 9, 16, 100, 1001])
def test_numbers_with_signs_of_others(size, dtype):
    values = [0.0, -0.0, 1.5, -2.5, numpy.inf, -numpy.inf, numpy.nan, -numpy.nan]
    a, b = (RNG.choice(values, size).astype(dtype) for _ in "ab")
    for call in (
        lambda np, a, b: np.copysign(a, b), lambda np, a, b: np.copysign(a, b[0]),
        lambda np, a, b: np.copysign(a[0], b),
        lambda np, a, b: np.copysign(a[::-1], b), lambda np, a, b: np.copysign(a, b, out=a),
        lambda np, a, b: np.copysign(a, b, out=b), lambda np, a, b: np.copysign(a[1:], b[1:], out=a[:-1]),
        lambda np, a, b: np.copysign(a, a[-1:], out=a), lambda np, a, b: np.signbit(np.copysign(a, -1)),
    ):
        check_same(call, a, b)


# --- past the cache ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "fdlLD")
@pytest.mark.parametrize("more", [0, 1, 9, 8 * 64 + 4, 50_001])
def test_sums_from_memory(dtype, more):
    """More than half of a third cache of 64 MiB: quarters of a line side by side, whose trees may differ."""
    size = (33 << 20) // numpy.dtype(dtype).itemsize + more
    values = numpy.resize(normal(100_003, "d") * 1e6, size).astype(dtype)
    for call in (
        lambda np, a: a.sum(), lambda np, a: np.add.reduce(a[3:]), lambda np, a: a[::-1].sum(), lambda np, a: a.mean(),
    ):
        check_same(call, values)
    if dtype == "d":
        for call in (
            lambda np, a: np.var(a), lambda np, a: np.nansum(a),
        ):
            check_same(call, values)
        for distance in (1.0, 0.3):
            check_area(lambda np, a, dx=distance: np.trapezoid(a, dx=dx), values)


@pytest.mark.parametrize("dtype", "fdlD")
@pytest.mark.parametrize("columns", [1, 7, 8, 100, 127, 128, 129, 136, 1000, 3162, 70_001])
def test_sums_of_lines_from_memory(dtype, columns):
    """Four lines side by side, and what is left of a number that four does not divide; lines apart and backwards."""
    lines = (33 << 20) // numpy.dtype(dtype).itemsize // columns + 3
    values = numpy.resize(normal(100_003, "d") * 1e6, (lines, columns)).astype(dtype)
    for call in (
        lambda np, a: a.sum(axis=1), lambda np, a: a.sum(axis=1, keepdims=True),
        lambda np, a: np.add.reduce(a, axis=-1),
        lambda np, a: a[:, 1:].sum(axis=1), lambda np, a: a[:, ::-1].sum(axis=1), lambda np, a: a[::-1].sum(axis=1),
        lambda np, a: a.mean(axis=1), lambda np, a: a.T.sum(axis=0), lambda np, a: a.sum(axis=1, initial=3),
        lambda np, a: np.sum(a, axis=1, out=np.zeros((2, lines), dtype)[::-1].T[:, 0]),
        lambda np, a: np.sum(a, axis=1, where=a > 0), lambda np, a: np.sum(a.reshape(-1, 1, columns), axis=(1, 2)),
    ):
        check_same(call, values)


@pytest.mark.usefixtures("two_threads")
def test_passes_in_two_threads():
    size = 400_000
    values = normal(size)
    values[::1000] = numpy.nan
    clean = numpy.nan_to_num(values)
    for given in (values, clean):
        check_same(lambda np, a: np.nansum(a), given)
        check_same(lambda np, a: np.nan_to_num(a), given)
        check_same(lambda np, a: np.round(a, 2), given)
        check_same(lambda np, a: np.triu(a.reshape(400, 1000)), given)
        check_same(lambda np, a: np.count_nonzero(a > 0), given)
    check_area(lambda np, a: np.trapezoid(a), clean)
    check_same(lambda np, a: np.std(a), clean)
    check_same(lambda np, a: np.std(a.reshape(400, 1000), axis=0), clean)
    check_same(lambda np, a: np.std(a.reshape(400, 1000), axis=1), clean)
    check_same(lambda np, a: np.linalg.norm(a.reshape(400, 1000), axis=1), clean)
    check_same(lambda np: np.arange(0.0, 400_000, 0.7))
    check_same(lambda np, a: a + a, numpy.resize(clean, 2_000_000))


# --- torch in the stead of NumPy --------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("size", [65_535, 65_536, 300_000])
def test_products_with_a_vector(dtype, size):
    """Sums of another order: equal to rounding."""
    values = (normal(size) + 1j * normal(size)).astype(dtype) if dtype in "FD" else normal(size, dtype)
    columns = 64
    matrix, vector = values[:size // columns * columns].reshape(-1, columns), values[:columns]
    near = {"rtol": 1e-3 if dtype in "fF" else 1e-9, "atol": 1e-2 if dtype in "fF" else 1e-8}
    for call in (lambda np, v, m, r: v @ v, lambda np, v, m, r: np.dot(v, v[::-1]), lambda np, v, m, r: m @ r,
                 lambda np, v, m, r: r @ m.T, lambda np, v, m, r: m.T @ m[:, 0], lambda np, v, m, r: np.vdot(v, v),
                 lambda np, v, m, r: np.linalg.norm(v), lambda np, v, m, r: np.linalg.norm(m.T)):
        theirs = call(numpy, values, matrix, vector)
        ours = call(fastnp, *map(fastnp.array, (values, matrix, vector)))
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        numpy.testing.assert_allclose(numpy.asarray(ours), theirs, **near)


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_products_of_integers(dtype):
    values = values_of(dtype, 70 * 70)
    check_same(lambda np, a: np.dot(a, a[::-1].copy()), values)
    check_same(lambda np, a: a.reshape(70, 70) @ a[:70], values)
    check_same(lambda np, a: a[:70] @ a.reshape(70, 70), values)
    check_same(lambda np, a: a.reshape(70, 70).T @ a[:70], values)
    check_same(lambda np, a: np.dot(a[:4000], a[:4000]), values)


@pytest.mark.parametrize("dtype", "FD")
def test_negative_complex_numbers(dtype):
    values = values_of(dtype, 300)
    check_same(lambda np, a: -a, values)
    check_same(lambda np, a: -a[::2], values)
    check_same(lambda np, a: np.negative(a, out=a), values)
    check_same(lambda np, a: np.negative(a[1:], out=a[:-1]), values)
    check_same(lambda np, a: np.count_nonzero(np.where(a.real > 0, a, 0)), values)


@pytest.mark.parametrize("size", [4095, 4096, 5000])
@pytest.mark.parametrize("name", ["remainder", "floor_divide", "fmod", "logaddexp"])
def test_numbers_as_second_operands(name, size):
    values = RNG.uniform(-50, 50, size)
    for number in (2, -3, 0.7, 1e300, 0, numpy.inf):
        if name == "logaddexp" and number == 0.7:
            number = values[::-1].copy()
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            theirs = getattr(numpy, name)(values, number)
        expected = [str(warning.message) for warning in seen]
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            second = fastnp.array(number) if isinstance(number, numpy.ndarray) else number
            ours = getattr(fastnp, name)(fastnp.array(values), second)
        numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-14)
        assert [str(warning.message) for warning in seen] == expected
