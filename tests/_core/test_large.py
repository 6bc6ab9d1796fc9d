"""Long loops: of our own, for wider vectors, and split over threads. The answer is NumPy's, to the last bit."""

import itertools
import subprocess
import sys
import warnings

import numpy
import pytest

import fastnp

RNG = numpy.random.default_rng(11)
SPECIAL = [0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 1e-320, -1e-320, 65504.0, 6e-8, 1e300, 1e-300]
DTYPES = "?bBhHiIlLefdFD"


def values_of(dtype, size):
    """Return values of a dtype, some of them special."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "b":
        return RNG.random(size) < 0.5
    if dtype.kind in "iu":
        info = numpy.iinfo(dtype)
        return RNG.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
    values = RNG.uniform(-9, 9, size)
    if size:
        values[RNG.integers(0, size, size // 7)] = RNG.choice(SPECIAL, size // 7)
    with numpy.errstate(all="ignore"):
        return (values + 1j * values[::-1]).astype(dtype) if dtype.kind == "c" else values.astype(dtype)


def called(function, *arguments):
    """Return what a call gives and the warnings it makes."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = function(*arguments)
    return result, [str(warning.message) for warning in seen]


def check_same(function, *arrays, warns=True):
    """Compare bits, dtype, shape, strides and warnings of a function of the module and arrays, with NumPy's."""
    theirs, their_warnings = called(function, numpy, *[numpy.array(array) for array in arrays])
    ours, our_warnings = called(function, fastnp, *[fastnp.array(array) for array in arrays])
    ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert ours.strides == theirs.strides or theirs.size == 0
    is_nan = theirs != theirs
    numpy.testing.assert_array_equal(ours, theirs)
    assert ours[~is_nan].tobytes() == theirs[~is_nan].tobytes()
    if warns:
        assert our_warnings == their_warnings


def check_area(function, array):
    """The same of an area, of which a long one is the sum of the values but for half of the outermost: to rounding."""
    if array.size < 1 << 16:
        return check_same(function, array)
    (ours, our_warnings), (theirs, their_warnings) = (called(function, np, np.array(array)) for np in (fastnp, numpy))
    assert our_warnings == their_warnings
    assert numpy.asarray(ours).dtype == theirs.dtype
    with numpy.errstate(all="ignore"):
        rounding = 4 * numpy.finfo(theirs.dtype).eps * float(function(numpy, abs(array).astype("f8")))
    numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=abs(rounding))
    return None


# --- loops of our own -------------------------------------------------------------------------------------------------

LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100, 1000]


@pytest.mark.parametrize("size", LENGTHS)
@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["sign", "reciprocal"])
def test_unary_loops(name, dtype, size):
    values = values_of(dtype, 2 * size)
    check_same(lambda np, a: getattr(np, name)(a), values)
    check_same(lambda np, a: getattr(np, name)(a[::2]), values)
    check_same(lambda np, a: getattr(np, name)(a[::-1]), values)
    check_same(lambda np, a: getattr(np, name)(a, out=a), values)
    check_same(lambda np, a: getattr(np, name)(a[1:], out=a[:-1]), values)
    check_same(lambda np, a: getattr(np, name)(a[:-1], out=a[1:]), values)


@pytest.mark.parametrize("size", [1 << 15, (1 << 15) + 259, 100_000])
@pytest.mark.parametrize(
    "name", ["logical_and", "logical_or", "bitwise_and", "bitwise_or", "multiply", "add", "maximum", "minimum"]
)
def test_truths_of_long_lines(name, size):
    """Bytes that are no truths count as such; a result may be one of its operands, or lie across it."""
    a, b = (RNG.integers(0, 3, size + 1).astype("u1") for _ in range(2))
    check_same(lambda np, a, b: getattr(np, name)(a.view(bool), b.view(bool)), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a.view(bool), b.view(bool), out=a.view(bool)), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a.view(bool)[1:], b.view(bool)[1:], out=a.view(bool)[:-1]), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a.view(bool)[:-1], b.view(bool)[1:], out=b.view(bool)[:-1]), a, b)


@pytest.mark.parametrize("name", ["logical_not", "invert"])
@pytest.mark.parametrize("size", [*range(0, 300, 7), 31, 32, 127, 128, 129, 70_001])
def test_opposites_of_truths(name, size):
    """Bytes that are no truths count as such; the result may lie before its operand, or across it."""
    a = RNG.integers(0, 3, size + 1).astype("u1")
    check_same(lambda np, a: getattr(np, name)(a.view(bool)[1:]), a)
    check_same(lambda np, a: getattr(np, name)(a.view(bool)[::-1]), a)
    check_same(lambda np, a: getattr(np, name)(a.view(bool), out=a.view(bool)), a)
    check_same(lambda np, a: getattr(np, name)(a.view(bool)[1:], out=a.view(bool)[:-1]), a)
    check_same(lambda np, a: getattr(np, name)(a.view(bool)[:-1], out=a.view(bool)[1:]), a)


@pytest.mark.parametrize("dtype", "fdlD")
def test_more_than_the_third_cache_holds(dtype):
    """What is asked for ahead, a few lines together, is what is written: ends that are no whole lines are as well."""
    size = (1 << 26) // 3 // numpy.dtype(dtype).itemsize + 7
    a, b = (numpy.tile(values_of(dtype, count), size // count + 1)[:size] for count in (5003, 4999))
    check_same(lambda np, a, b: np.add(a[1:], b[:-1]), a, b)
    check_same(lambda np, a: np.multiply(a, a.dtype.type(3)), a)
    check_same(lambda np, a: np.subtract(a.dtype.type(3), a), a)
    check_same(lambda np, a: np.square(a[1:]), a)
    if dtype in "fd":
        low, high = a.dtype.type(-2), a.dtype.type(3)
        a[a == 0] = 0  # of two zeros it may be either
        check_same(lambda np, a: np.clip(a[1:], low, high), a)
        check_same(lambda np, a: np.clip(a, low, high, out=a), a)
        check_same(lambda np, a: np.clip(a[:-1], low, high, out=np.empty_like(a)[1:]), a)


@pytest.mark.parametrize("size", [*LENGTHS, 5000])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_arithmetic_of_float16(name, size):
    a, b = values_of("e", 2 * size), values_of("e", 2 * size)
    check_same(lambda np, a, b: getattr(np, name)(a, b), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a[::2], b[1::2]), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a, 3.0), a, b)
    check_same(lambda np, a, b: getattr(np, name)(3.0, b), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a, b, out=b), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a[1:], b[1:], out=a[:-1]), a, b)
    check_same(lambda np, a, b: getattr(np, name)(a[:-1], b[1:], out=a[1:]), a, b)


def test_every_float16():
    every = numpy.arange(65536, dtype=numpy.uint16).view(numpy.float16)
    for other in (1.0, 0.0, -0.0, 3.0, 65504.0, 6e-8, numpy.inf, numpy.nan):
        other = numpy.full(65536, other, numpy.float16)
        for name in ("add", "subtract", "multiply", "divide"):
            check_same(lambda np, a, b, name=name: getattr(np, name)(a, b), every, other)


@pytest.mark.parametrize("dtype", "fd")
def test_sums_are_numpys_to_the_last_bit(dtype):
    values = RNG.uniform(-1, 1, 70_000).astype(dtype) * 10.0 ** RNG.integers(-3, 3, 70_000).astype(dtype)
    theirs, ours = values, fastnp.array(values)
    for size in (*range(530), 1000, 1023, 1024, 1025, 2040, 4095, 4097, 8191, 8193, 10_000, 65_537):
        for start in (0, 1):
            want = theirs[start:start + size].sum()
            got = ours[start:start + size].sum()
            assert numpy.asarray(got).tobytes() == want.tobytes(), size
    assert float(ours[::-1].sum()) == float(theirs[::-1].sum())
    assert float(ours[::3].sum()) == float(theirs[::3].sum())


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("shape", [(3, 7), (100, 100), (7, 300), (300, 7), (2, 3, 200), (1, 1000), (1000, 1)])
def test_sums_along_axes(dtype, shape):
    values = RNG.uniform(-1, 1, shape).astype(dtype)
    for axis in (*range(len(shape)), None):
        check_same(lambda np, a, axis=axis: a.sum(axis=axis), values)
        check_same(lambda np, a, axis=axis: a.sum(axis=axis, keepdims=True), values)
        check_same(lambda np, a, axis=axis: a.sum(axis=axis, initial=2.5), values)
        check_same(lambda np, a, axis=axis: a[:, ::-1].sum(axis=axis), values)
        check_same(lambda np, a, axis=axis: a.T.sum(axis=axis), values)
        check_same(lambda np, a, axis=axis: a.mean(axis=axis), values)


def test_sums_of_zeros_and_special_values():
    infinite = [numpy.inf, -numpy.inf] * 30
    for values in ([-0.0] * 3, [-0.0] * 20, [0.0, -0.0], [], [numpy.nan, 1.0], infinite, [1e308] * 300):
        check_same(lambda np, a: np.sum(a), numpy.array(values))
        check_same(lambda np, a: np.add.reduce(a, initial=-0.0), numpy.array(values))


# --- casts ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("source, target", list(itertools.product(DTYPES, DTYPES)))
def test_casts(source, target):
    for size in (1, 31, 32, 33, 70, 1000):
        values = values_of(source, 2 * size)
        # What NumPy makes of a number that does not fit depends on its vector width; it warns all the same.
        if numpy.dtype(source).kind in "fc" and numpy.dtype(target).kind in "iu":
            values = numpy.nan_to_num(values.real, nan=1, posinf=2, neginf=3).clip(0, 100).astype(source)
        with numpy.errstate(all="ignore"):
            check_same(lambda np, a: a.astype(target), values)
            check_same(lambda np, a: a[::2].astype(target), values)


@pytest.mark.parametrize("source", "fd")
def test_casts_out_of_range(source):
    values = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 1e19, -1e19, 9.3e18, 2.5, -2.5] * 9, source)
    check_same(lambda np, a: a.astype(np.int64), values)


def test_truths_that_are_not_one():
    odd = RNG.integers(0, 256, 300).astype(numpy.uint8)
    for target in "dfli?":
        check_same(lambda np, a, target=target: a.view(bool).astype(target), odd)
    assert int(fastnp.count_nonzero(fastnp.array(odd).view(bool))) == numpy.count_nonzero(odd)


# --- indices ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", "?hifdD")
@pytest.mark.parametrize("size", [1, 2, 511, 512, 513, 3000])
def test_take_and_put(dtype, size):
    values, other = values_of(dtype, size), values_of(dtype, 1500)
    index = RNG.integers(-size, size, 1500)
    for picked in (index, numpy.abs(index) % size, index[::-1], index.reshape(3, 500), index.astype("i4")):
        check_same(lambda np, a, i: a[i], values, picked)
        check_same(lambda np, a, i: a[::-1][i], values, picked)
        check_same(lambda np, a, i: np.stack((a, a), -1)[:, 0][i], values, picked)

        def put(np, a, i, v):
            a[i] = v.reshape(i.shape)
            return a

        def put_one(np, a, i, v):
            a[i] = v[0]
            return a

        check_same(put, values, picked, other)
        check_same(put_one, values, picked, other)


@pytest.mark.parametrize("dtype", "hfdD")
@pytest.mark.parametrize("megabytes", [2, 13])
def test_taken_within_the_cache_and_past_it(dtype, megabytes):
    """From 3 to 10 MiB on, as the processor's third cache has it, what is taken is written past it."""
    values = values_of(dtype, (megabytes << 20) // numpy.dtype(dtype).itemsize - 3)
    index = RNG.integers(-values.size, values.size, values.size + 5)
    check_same(lambda np, a, i: a[i], values, index)
    check_same(lambda np, a, i: a[::-1][i], values, index)
    check_same(lambda np, a, i: a[i[7:]], values, index)
    check_same(lambda np, a, i: np.take(a, i), values, index)
    for mode in ("wrap", "clip"):
        check_same(lambda np, a, i: np.take(a, i * 3, mode=mode), values, index)  # noqa: B023
    index[-1] = values.size
    ours = fastnp.array(values)
    for taken in (lambda i: ours[i], lambda i: fastnp.take(ours, i)):
        with pytest.raises(IndexError, match="out of bounds"):
            taken(fastnp.array(index))


def test_taken_past_the_cache_to_a_place_that_is_not_aligned():
    values, index = values_of("D", 900_000), RNG.integers(-900_000, 900_000, 900_000)
    memory = numpy.zeros(16 * values.size + 64, "u1")
    start = -memory.ctypes.data % 16 + 8
    out = memory[start : start + 16 * values.size].view("D")
    fastnp.take(fastnp.array(values), fastnp.array(index), out=fastnp.asarray(out))
    assert out.tobytes() == numpy.take(values, index).tobytes()
    assert not memory[:start].any()
    assert not memory[start + 16 * values.size :].any()


@pytest.mark.parametrize("dtype", "?hfdD")
@pytest.mark.parametrize("shape", [(700,), (30, 40), (5, 6, 7), (3, 0, 4), (1500, 1200)], ids=str)
def test_taken_along_an_axis(shape, dtype):
    """The widest are more than the cache keeps."""
    values = values_of(dtype, int(numpy.prod(shape))).reshape(shape)
    for axis, size in enumerate(shape):
        for count in sorted({size, size // 2, 2}) if size and values.size < 10_000 else [size]:
            taken = *shape[:axis], count, *shape[axis + 1 :]
            index = RNG.integers(-size, size, taken) if size else numpy.zeros(taken, int)
            for numbers in (index, index.astype("i4"), index[..., ::-1]):
                check_same(lambda np, a, i, k=axis: np.take_along_axis(a, i, axis=k), values, numbers)
                check_same(lambda np, a, i, k=axis: np.take_along_axis(a[::-1], i, k), values, numbers)
            check_same(lambda np, a, i, k=axis: np.take_along_axis(a, i, k), values, index[:1])
            if index.size:
                index.reshape(-1)[-1] = size
                with pytest.raises(IndexError, match="out of bounds"):
                    fastnp.take_along_axis(fastnp.array(values), fastnp.array(index), axis)


@pytest.mark.parametrize("bad", [600, -601, 2**63 - 1, -(2**63), 2**62, -(2**62)])
@pytest.mark.parametrize("place", [0, 511, 512, 1499])
def test_indices_out_of_bounds(bad, place):
    index = RNG.integers(-600, 600, 1500)
    index[place] = bad
    values = RNG.random(600)
    ours = fastnp.array(values)
    with pytest.raises(IndexError, match=f"index {bad} is out of bounds for axis 0 with size 600"):
        ours[fastnp.array(index)]
    with pytest.raises(IndexError, match=f"index {bad} is out of bounds for axis 0 with size 600"):
        ours[fastnp.array(index)] = 1.0
    numpy.testing.assert_array_equal(numpy.asarray(ours), values)


def test_indices_into_nothing():
    with pytest.raises(IndexError):
        fastnp.zeros(0)[fastnp.array([0])]
    check_same(lambda np, a, i: a[i], numpy.zeros(0), numpy.zeros(0, int))


# --- moves ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", DTYPES)
def test_copies_of_other_orders(dtype):
    values = values_of(dtype, 40 * 33)
    for shape in ((40, 33), (33, 40), (8, 165), (3, 40, 11), (20, 11, 6), (1, 1320), (1320, 1)):
        for axes in itertools.permutations(range(len(shape))):
            check_same(lambda np, a, axes=axes, shape=shape: a.reshape(shape).transpose(axes).copy(), values)
            check_same(lambda np, a, axes=axes, shape=shape: a.reshape(shape).transpose(axes).ravel(), values)
        check_same(lambda np, a, shape=shape: a.reshape(shape)[::-1].T.copy(), values)
        check_same(lambda np, a, shape=shape: a.reshape(shape)[..., ::-1].T.copy(), values)
        check_same(lambda np, a, shape=shape: np.asfortranarray(a.reshape(shape)), values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_stacks_along_the_last_axis(dtype):
    for count, size in itertools.product((1, 2, 3, 5), (0, 1, 7, 255, 256, 257, 1000)):
        pieces = [values_of(dtype, size) for _ in range(count)]
        check_same(lambda np, *pieces: np.stack(pieces, axis=-1), *pieces)
        check_same(lambda np, *pieces: np.stack([piece.reshape(-1, 1) for piece in pieces], axis=1), *pieces)
        check_same(lambda np, *pieces: np.concatenate([piece.reshape(-1, 1) for piece in pieces], axis=1), *pieces)


@pytest.mark.parametrize("dtype", DTYPES)
def test_where_fills_and_steps(dtype):
    for size in (1, 31, 32, 33, 1000):
        truth, a, b = RNG.random(2 * size) < 0.5, values_of(dtype, 2 * size), values_of(dtype, 2 * size)
        check_same(lambda np, t, a, b: np.where(t, a, b), truth, a, b)
        check_same(lambda np, t, a, b: np.where(t[::2], a[1::2], b[::2]), truth, a, b)
        check_same(lambda np, t, a, b: np.where(t, a[0], b), truth, a, b)
        check_same(lambda np, t, a, b: np.where(t, a, b[0]), truth, a, b)
        check_same(lambda np, t, a, b: np.where(t.view(np.uint8) * 3, a, b), truth, a, b)

        def filled(np, t, a, b):
            a[1:] = b[0]
            a[::3] = b[-1]
            b.reshape(2, -1)[:, 0] = a[0]
            b.fill(a[0])
            return np.concatenate((a, b))

        check_same(filled, truth, a, b)


def test_clip_into_an_array():
    for dtype in "bBhilfd":
        values = values_of(dtype, 300)
        check_same(lambda np, a: np.clip(a, 1, 5, out=a), values)
        check_same(lambda np, a: a.clip(1, 5, out=a[::-1]), values)
        check_same(lambda np, a: np.clip(a[1:], 1, 5, a[:-1]), values)
        check_same(lambda np, a: np.clip(a, 1, 5, out=np.zeros(300)), values)
        check_same(lambda np, a: np.clip(a[:100], 1, 5, out=np.zeros((3, 100), a.dtype)), values)
    out = fastnp.zeros(300, "f")
    assert fastnp.clip(fastnp.ones(300, "f"), 0, 1, out=out) is out
    with pytest.raises(TypeError):
        fastnp.clip(fastnp.ones(3), 0.5, 1.5, out=fastnp.zeros(3, int))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        fastnp.clip(fastnp.ones(300, "f"), 0, 1, out=out)


@pytest.mark.parametrize("shape", [(3, 31), (3, 32), (40, 100), (100, 40), (5, 6, 40)])
def test_rows_and_columns(shape):
    values = RNG.random(shape)
    for other in (values[..., :1], values[:1], values[-1], values.T[..., :1].T, values[..., 0].reshape(*shape[:-1], 1)):
        for name in ("multiply", "less", "subtract", "copysign"):
            check_same(lambda np, a, b, name=name: getattr(np, name)(a, b), values, other)
            check_same(lambda np, a, b, name=name: getattr(np, name)(b, a[::-1]), values, other)
        check_same(lambda np, a, b: np.add(a, b, out=a), values, other)
        check_same(lambda np, a, b: np.add(a, b.astype("f"), where=a > 0.5, out=np.zeros(a.shape)), values, other)


# --- threads ----------------------------------------------------------------------------------------------------------

def overwritten(np, a, b):
    a[1:] += a[:-1]
    a[:-1] -= b[1:]
    a[5:] = a[:-5]
    a[:-5] = a[5:].copy()
    return a


def fancy(np, a, b):
    index = np.argsort(b)
    a[index] = b
    return a[index[::-1]]


SPLIT = {
    "add": lambda np, a, b: a + b,
    "add_row": lambda np, a, b: a[:a.size // 500 * 500].reshape(-1, 500) + b[:500],
    "add_column": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1) * b[:600].reshape(-1, 1),
    "any": lambda np, a, b: np.array([(a > 8.9999).any(), (a < 99).all(), (a == b).any()]),
    "astype": lambda np, a, b: a.astype("f4"),
    "bool": lambda np, a, b: (a > 0).astype("f8"),
    "cast": lambda np, a, b: a.astype("i4") + b,
    "clip": lambda np, a, b: np.clip(a, -1, 1),
    "complex": lambda np, a, b: np.abs(a + 1j * b),
    "copy": lambda np, a, b: a.copy(),
    "count": lambda np, a, b: np.count_nonzero(a > b),
    "fancy": fancy,
    "fill": lambda np, a, b: np.full(a.shape, 2.5),
    "float32": lambda np, a, b: a.astype("f4").sum(),
    "float16": lambda np, a, b: a.astype("e") * b.astype("e"),
    "integers": lambda np, a, b: (a * 1e6).astype(int).sum(),
    "joined": lambda np, a, b: np.concatenate((a, b)),
    "less": lambda np, a, b: a < b,
    "max": lambda np, a, b: np.array([a.max(), b.min(), a[::-1].max(), a[::2].min()]),
    "max_axis": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1).max(axis=0),
    "max_rows": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1).max(axis=1),
    "mean": lambda np, a, b: a.mean(),
    "nan": lambda np, a, b: np.where(a > 8, np.nan, a).max(),
    "overwritten": overwritten,
    "power": lambda np, a, b: (a * 3).astype(int) ** 2,
    "sign": lambda np, a, b: np.sign(a),
    "sqrt": lambda np, a, b: np.sqrt(np.abs(a.astype("f4"))),
    "square": lambda np, a, b: np.square(a, out=b),
    "step": lambda np, a, b: a[::-1] + b[::-1],
    "sum": lambda np, a, b: a.sum(),
    "sum_axis_0": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1).sum(axis=0),
    "sum_axis_1": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1).sum(axis=1),
    "sum_long_rows": lambda np, a, b: a[:299_000].reshape(2, -1).sum(axis=1),
    "sum_where": lambda np, a, b: a.sum(where=b > 0),
    "transposed": lambda np, a, b: a[:a.size // 600 * 600].reshape(600, -1).T.copy(),
    "where": lambda np, a, b: np.where(a > b, a, b),
    "where_out": lambda np, a, b: np.add(a, b, out=np.zeros(a.shape), where=a > b),
}


@pytest.mark.parametrize("size", [299_999, 300_000, 601_003])
@pytest.mark.parametrize("name", list(SPLIT))
def test_two_threads_find_the_same(name, size, two_threads):
    check_same(SPLIT[name], RNG.uniform(-9, 9, size), RNG.uniform(-9, 9, size))


@pytest.mark.parametrize("place", [0, 299_999, 399_999])
def test_flags_of_helping_threads_are_reported(place, two_threads):
    values = numpy.ones(400_000)
    values[place] = 0.0
    check_same(lambda np, a: 1.0 / a, values)
    check_same(lambda np, a: np.log(a), values)
    check_same(lambda np, a: np.divide(a[:, None], a[:, None]), values)
    values[place] = 1e300
    check_same(lambda np, a: a * 1e300, values)
    check_same(lambda np, a: np.exp(a), values)
    check_same(lambda np, a: a.astype("f4"), values)
    check_same(lambda np, a: a.astype("i8"), values)
    with fastnp.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
        fastnp.array(values) * 1e300
    values[:] = 1e308
    check_same(lambda np, a: a.sum(), values)
    check_same(lambda np, a: a.reshape(4, -1).sum(axis=1), values)


def test_no_flag_stays_up(two_threads):
    """What helpers raised in one call is not reported by the next."""
    zeros = fastnp.zeros(400_000)
    with numpy.errstate(all="ignore"):
        1.0 / zeros
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zeros + 1.0
        fastnp.ones(3) * 2.0
        zeros.astype("f4")


def test_negative_powers_of_integers_are_refused(two_threads):
    base = fastnp.ones(400_000, int)
    with pytest.raises(ValueError, match="negative integer powers"):
        base ** (base * -1)


def test_a_forked_child_computes():
    """The threads of torch's pool do not live on in a child: it must not wait for them."""
    program = """
import multiprocessing, os, torch
import fastnp as np
torch.set_num_threads(2)
a = np.ones(400_000)
def work(_):
    return float((np.hypot(a, a) + a * 2).sum()), torch.get_num_threads()
if __name__ == "__main__":
    here = work(0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        there = pool.map_async(work, [1]).get(60)[0]
    assert here[0] == there[0] and here[1] == 2 and there[1] == 1
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
