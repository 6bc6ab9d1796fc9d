"""Loops of our own over few columns, over repeated operands and under masks: NumPy's answer, to the last bit."""

import numpy
import pytest
import torch

import fastnp
from tests._core.test_large import RNG, check_same, values_of

SHAPES = [(37, 1), (400, 2), (300, 3), (300, 4), (127, 4), (128, 4), (100, 7), (100, 8), (90, 9), (80, 15), (80, 16),
          (64, 17), (50, 31), (40, 32), (30, 63), (30, 64), (20, 5, 3), (40, 2, 2), (150_000, 2), (9000, 20)]


@pytest.fixture(params=[1, 2])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", "?BbhIilLefdFD")
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reductions_of_few_columns(shape, dtype, threads):
    values = values_of(dtype, numpy.prod(shape)).reshape(shape)
    values[values == 0] = 0  # of two zeros either may be the extremum
    for name in ("sum", "prod", "max", "min", "mean", "any", "all"):
        for axis in (0, -1):
            for keepdims in (False, True):
                options = {"axis": axis, "keepdims": keepdims}
                check_same(lambda np, a, n=name, o=options: getattr(np, n)(a, **o), values, warns=False)
            check_same(lambda np, a, n=name, o=options: getattr(np, n)(a[::-1], **o), values, warns=False)


def test_sums_of_few_columns_that_are_zeros_or_overflow():
    for values in (numpy.full((200, 4), -0.0), numpy.full((200, 4), 1e308), numpy.full((200, 9), -0.0)):
        for axis in (0, 1):
            check_same(lambda np, a, x=axis: a.sum(axis=x), values)
            check_same(lambda np, a, x=axis: a.prod(axis=x), values)


@pytest.mark.parametrize("dtype", "?BhilfdD")
@pytest.mark.parametrize("shape", [(4096, 1), (2048, 2), (500, 15), (500, 16), (500, 17), (3, 2000), (40, 30, 5),
                                   (2, 300, 300), (21_000, 3), (22_000, 3), (300_000, 3)], ids=str)
def test_positions_of_extrema(shape, dtype, threads):
    values = values_of(dtype, numpy.prod(shape)).reshape(shape)
    for name in ("argmax", "argmin"):
        for axis in range(len(shape)):
            check_same(lambda np, a, n=name, x=axis: getattr(np, n)(a, axis=x), values)
            check_same(lambda np, a, n=name, x=axis: getattr(np, n)(a.T, axis=x), values)
            check_same(lambda np, a, n=name, x=axis: getattr(np, n)(a, axis=x, keepdims=True), values)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin", "power", "arctan2"])
@pytest.mark.parametrize("size", [3, 15, 16, 31, 512, 513, 5000])
def test_repeated_operands(name, dtype, size):
    values = values_of(dtype, size)
    for number in (1.5, -2.0, 0.0, -0.0, numpy.nan, numpy.inf):
        number = numpy.dtype(dtype).type(number)
        near = name in ("power", "arctan2")  # NumPy's own loops differ in the last bit there
        for turned in (False, True):
            ours, theirs = fastnp.array(values), values
            with numpy.errstate(all="ignore"):
                theirs = getattr(numpy, name)(*(number, theirs) if turned else (theirs, number))
                ours = getattr(fastnp, name)(*(number, ours) if turned else (ours, number))
            if near:
                numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-5 if dtype == "f" else 1e-14)
            else:
                numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
                # Which of two zeros fmin and fmax give depends in NumPy on where they lie in the array.
                signed = theirs != 0 if name in ("fmin", "fmax") else slice(None)
                ours, theirs = numpy.asarray(ours)[signed], theirs[signed]
                numpy.testing.assert_array_equal(numpy.signbit(ours), numpy.signbit(theirs))


@pytest.mark.parametrize("dtype", "ilfd")
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_truths_of_two_numbers(name, dtype):
    values = values_of(dtype, 1000)
    values[::3] = 0
    for start, step in ((0, 1), (1, 1), (0, 2), (993, 1)):
        check_same(lambda np, a, s=slice(start, None, step): getattr(np, name)(a[s], a[::-1][s]), values)
    check_same(lambda np, a: getattr(np, name)(a, 0), values)


@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("name", ["deg2rad", "rad2deg", "degrees", "radians"])
def test_angles(name, dtype):
    values = values_of(dtype, 1003)
    check_same(lambda np, a: getattr(np, name)(a), values)
    check_same(lambda np, a: getattr(np, name)(a[::-2]), values)


def put(array, mask, values):
    changed = array.copy()
    changed[mask] = values
    return changed


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("size", [7, 8, 9, 1000, 40_003])
def test_under_a_mask(size, share, threads):
    values, mask = values_of("d", size), RNG.random(size) < share
    mask.view("u1")[::3] *= 7  # a truth need not be one
    for step in (1, 2):
        check_same(lambda np, a, m, s=step: np.add(a[::s], 1, out=a[::s].copy(), where=m[::s]), values, mask)
    check_same(lambda np, a, m: np.add.reduce(a, where=m), values, mask, warns=False)
    for dtype in ("?", "i2", "f4", "f8", "c16"):
        given = numpy.arange(size).astype(dtype)
        check_same(lambda np, a, m: put(a, m, 1), given, mask)
        check_same(lambda np, a, m: put(a, m, a[m][::-1]), given, mask)


@pytest.mark.parametrize("name", ["power", "log", "sqrt"])
@pytest.mark.parametrize("size", [511, 512, 5000])
def test_flags_are_reported_once(name, size):
    values = -RNG.random(size)
    if name == "power":
        check_same(lambda np, a: np.power(a, 0.5), values)
        check_same(lambda np, a: np.power(a, a), values)
    else:
        check_same(lambda np, a: getattr(np, name)(a), values)


@pytest.mark.parametrize("order", ["C", "F", None])
@pytest.mark.parametrize("shape", [5, (3, 4), (2, 3, 4), (0, 3), ()], ids=str)
def test_new_arrays_in_both_orders(shape, order):
    for name, arguments in (("zeros", ()), ("ones", ("i4",)), ("full", (7,)), ("empty", ())):
        ours, theirs = (getattr(np, name)(shape, *arguments, order=order) for np in (fastnp, numpy))
        assert ours.shape == theirs.shape
        assert ours.strides == theirs.strides or theirs.size == 0
        assert name == "empty" or numpy.asarray(ours).tobytes() == theirs.tobytes()
        assert ours.flags.f_contiguous == theirs.flags.f_contiguous
        assert ours.base is None


@pytest.mark.parametrize("reps", [(2, 2), (3, 1), (1, 3), (2, 1, 2), 3, (2,)], ids=str)
@pytest.mark.parametrize("shape", [(3,), (4, 5), (2, 3, 4), (0, 3), (1, 1)], ids=str)
def test_tiles(shape, reps):
    values = values_of("i", numpy.prod(shape)).reshape(shape)
    check_same(lambda np, a: np.tile(a, reps), values)
    check_same(lambda np, a: np.tile(a.T, reps), values)


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
@pytest.mark.parametrize("arguments", [(3,), (4, 1), (4, -2), (3, 0, 5), (5, 1, 2), (3, 9), (3, -9), (0,), (1, 0, 0),
                                       (2, -1, 7)], ids=str)
def test_positions_of_triangles(name, arguments):
    for part in (0, 1):
        check_same(lambda np, p=part: getattr(np, name)(*arguments)[p])


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("size", [511, 512, 513, 3000])
@pytest.mark.parametrize("start", [0.0, -0.0, numpy.inf, 2.0])
def test_products_that_come_to_nothing_or_to_infinity(start, size, dtype):
    values = RNG.uniform(-9, 9, size).astype(dtype)
    check_same(lambda np, a: np.prod(a, initial=start), values)
    for special in (0.0, -0.0, numpy.inf, numpy.nan):
        for place in (0, size // 2, size - 1):
            changed = values.copy()
            changed[place] = special
            check_same(lambda np, a: np.prod(a, initial=start), changed)
    check_same(lambda np, a: np.prod(a, axis=1), numpy.resize(values / 9, (3, size)))


@pytest.mark.parametrize("name", ["floor_divide", "fmod", "hypot", "logaddexp", "remainder"])
@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("rows", [40, 41])
def test_torch_broadcasts_as_numpy_does(name, dtype, rows):
    """From 4,096 elements of the result on torch computes these."""
    whole = RNG.uniform(1, 9, (rows, 100)).astype(dtype)
    for other in (whole[0], whole[:, :1].copy(), whole[0, 0], whole[:1], whole[:, :1].T.copy().T):
        for operands in ((whole, other), (other, whole), (whole[:, :1].copy(), whole[0])):
            ours = getattr(fastnp, name)(*map(fastnp.array, operands))
            theirs = getattr(numpy, name)(*operands)
            assert ours.dtype == theirs.dtype
            assert ours.strides == theirs.strides
            numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-5 if dtype == "f" else 1e-13)


@pytest.mark.parametrize("threads", [1, 2], indirect=True)
@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("shape", [(3, 22_000), (1, 65_535), (1, 65_536), (1, 299_999), (1, 300_001), (63, 5000),
                                   (64, 5000), (6600, 10), (9000, 8), (40_000, 3), (600, 128), (600, 129)], ids=str)
def test_products_with_vectors_of_every_shape(shape, dtype, threads):
    """Sums in another order than NumPy's: equal to rounding, whatever the number of threads."""
    matrix, vector, other = (RNG.standard_normal(size).astype(dtype) for size in (shape, shape[1], shape[0]))
    near = {"rtol": 1e-3, "atol": 1e-2} if dtype == "f" else {"rtol": 1e-9, "atol": 1e-9}
    for call in (lambda np, m, v, w: m @ v, lambda np, m, v, w: w @ m, lambda np, m, v, w: m.T @ w,
                 lambda np, m, v, w: np.dot(m[0], v), lambda np, m, v, w: np.linalg.norm(m),
                 lambda np, m, v, w: np.linalg.norm(m, axis=0),
                 lambda np, m, v, w: np.linalg.norm(m, axis=1, keepdims=True),
                 lambda np, m, v, w: m[:, :9].T @ m[:, :9]):
        ours = call(fastnp, *map(fastnp.array, (matrix, vector, other)))
        theirs = call(numpy, matrix, vector, other)
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        numpy.testing.assert_allclose(numpy.asarray(ours), theirs, **near)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin", "arctan2"])
@pytest.mark.parametrize("rows", [5, 15, 16, 17, 511, 513, 3000])
def test_operands_that_lie_apart(name, dtype, rows):
    table = values_of(dtype, rows * 3).reshape(rows, 3)
    line = values_of(dtype, rows)
    table[table == 0] = line[line == 0] = 0  # of two zeros either may be the extremum
    for call in (
        lambda np, t, a: getattr(np, name)(t[:, 0], t[:, 1]), lambda np, t, a: getattr(np, name)(t[:, 2], a),
        lambda np, t, a: getattr(np, name)(a, t[::-1, 1]), lambda np, t, a: getattr(np, name)(t[:, 0], t[0, 1]),
        lambda np, t, a: getattr(np, name)(t[2, 0], t[::-1, 1]), lambda np, t, a: getattr(np, name)(t, t[:, :1]),
        lambda np, t, a: getattr(np, name)(t[:, 0], a, out=a),
        lambda np, t, a: getattr(np, name)(t[:, 0], a, out=t[:, 0]),
        lambda np, t, a: getattr(np, name)(t.reshape(-1)[:2 * len(a):2], a, out=t.reshape(-1)[1:1 + len(a)]),
    ):
        if name != "arctan2":
            check_same(call, table, line, warns=False)
            continue
        # NumPy's own loops differ in the last bit there.
        ours, theirs = call(fastnp, *map(fastnp.array, (table, line))), call(numpy, table.copy(), line.copy())
        numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-5 if dtype == "f" else 1e-14)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("size", [7, 8, 9, 40, 3000])
def test_extrema_into_their_operand(name, dtype, size):
    values = values_of(dtype, size)
    for start, stop in ((0, 0), (1, 0), (0, 1), (5, 0)):
        ours, theirs = fastnp.array(values), values.copy()
        with numpy.errstate(all="raise"), fastnp.errstate(all="raise"):
            for xp, array in ((numpy, theirs), (fastnp, ours)):
                read, written = array[start:size - stop], array[stop:size - start]
                getattr(xp, name)(read, array[size // 2], out=written)
        numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
