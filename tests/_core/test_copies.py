"""Copies, casts and joins of any layout, products of integers: on both sides of where a loop of our own begins."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same
from tests._tables import drawn

RNG = numpy.random.default_rng(29)
DTYPES = ["?", "i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "F", "D"]


def values(dtype, shape):
    return drawn(RNG, dtype, shape, low=-100 if numpy.dtype(dtype).kind == "i" else 0)


# --- casts of turned arrays -------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source, target", [pair for pair in itertools.product(DTYPES, repeat=2) if pair[0] != pair[1]])
def test_casts_into_another_order(source, target):
    for shape in ((7, 9), (8, 8), (9, 70), (300, 65), (3, 20, 40), (1, 30)):
        given = values(source, shape)
        array = fastnp.asarray(given)
        for view in (lambda x: x, lambda x: x.T, lambda x: x[::-1], lambda x: x[..., ::2]):
            for order in "CFK":
                same(view(array).astype(target, order=order), view(given).astype(target, order=order))
        into, wanted = fastnp.zeros(shape[::-1], target), numpy.zeros(shape[::-1], target)
        into[...], wanted[...] = array.T, given.T
        same(into, wanted)


@pytest.mark.parametrize("source, target", [("D", "F"), ("d", "F"), ("d", "i4"), ("d", "f2")])
@pytest.mark.parametrize("size", [20, 40])
def test_turned_casts_warn_as_others_do(source, target, size):
    given = values(source, (size, size))
    given[3, 5], given[7, 2] = numpy.nan, 1e300
    found = []
    for array in (fastnp.asarray(given), given):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            array.T.astype(target, order="C")
        found.append(sorted(str(warning.message) for warning in seen))
    assert found[0] == found[1] != []


@pytest.mark.parametrize("source", ["f4", "f8"])
@pytest.mark.parametrize("target", ["i8", "u8", "i4", "u1"])
def test_whole_parts_of_numbers_of_any_size(source, target):
    """Below 2 ** 51 by vectors, above and where there is none one by one, with NumPy's warning."""
    limits = [0.5, 1.9999999, 2.0**31, 2.0**51 - 0.5, 2.0**51, 2.0**52 + 1, 2.0**53, 2.0**62, 2.0**63, numpy.inf]
    for size in (3, 31, 32, 33, 1000):
        ordinary = RNG.normal(size=size) * 10.0 ** RNG.integers(-5, 14, size)
        large = RNG.choice([*limits, numpy.nan], size) * RNG.choice([-1, 1], size)
        odd = numpy.where(RNG.random(size) < 0.2, large, ordinary)
        for given in (ordinary.astype(source), odd.astype(source)):
            found = []
            for array in (fastnp.asarray(given), given):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    found.append((array.astype(target), [str(warning.message) for warning in seen]))
            same(found[0][0], found[1][0])
            assert found[0][1] == found[1][1]


@pytest.mark.parametrize("source", ["i8", "u8"])
@pytest.mark.parametrize("target", ["f4", "f8", "F", "D"])
def test_integers_that_no_float_holds(source, target):
    """Rounded once, by vectors up to 2 ** 53."""
    limits = [2**k + d for k in (24, 25, 31, 52, 53, 54, 62) for d in (-1, 0, 1)] + [2**63 - 1, 3 * 2**61 + 2**37]
    if source == "u8":
        limits += [2**63 + 2**39, 2**63 + 2**39 + 1, 2**64 - 1]
    limits = numpy.array(limits, source)
    for size in (3, 31, 32, 33, 1000):
        given = RNG.choice(limits, size)
        if source == "i8":
            given *= RNG.choice([-1, 1], size)
        ordinary = RNG.integers(0, 2**50, size).astype(source)
        for each in (given, ordinary, numpy.where(RNG.random(size) < 0.1, given, ordinary)):
            same(fastnp.asarray(each).astype(target), each.astype(target))


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source", ["F", "D"])
@pytest.mark.parametrize("target", DTYPES)
def test_parts_of_complex_numbers(source, target):
    for size in (1, 31, 32, 33, 255, 256, 257, 1000):
        given = numpy.where(RNG.random(size) < 0.3, 0, RNG.integers(0, 100, size)).astype(source)
        given.imag = numpy.where(RNG.random(size) < 0.5, 0, RNG.random(size))
        for each in (given, given[::2], given[::-1]):
            same(fastnp.asarray(each).astype(target), each.astype(target))
        given[size // 2] = complex(0, numpy.nan)
        same(fastnp.asarray(given).astype("?"), given.astype("?"))


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source, target", list(itertools.product(DTYPES, repeat=2)))
def test_casts_of_few_elements(source, target):
    """Up to 512 elements of two dimensions are cast without a look at the best order."""
    for shape in ((3,), (511,), (513,), (2, 3), (3, 2), (16, 32), (16, 33), (1, 4), (4, 1), (0, 3), (2, 2, 2)):
        given, into = values(source, shape), values(target, shape)
        rows = [(lambda x: x, ...), (lambda x: x[::-1], ...), (lambda x: x[..., ::-1], ...),
                (lambda x: x[..., :1], ...), (lambda x: x[:1], ...),
                (lambda x: x[..., ::2], (..., slice(None, None, 2))), (lambda x: x[-1:], slice(None, None, -1))]
        if len(shape) > 1 and shape[0] > 0:
            rows += [(lambda x: x[0], ...), (lambda x: x[1:], slice(None, -1))]
        if len(shape) > 1 and len(set(shape)) == 1:
            rows.append((lambda x: x.T, ...))
        for view, key in rows:
            ours, theirs = fastnp.asarray(into.copy()), into.copy()
            ours[key], theirs[key] = view(fastnp.asarray(given)), view(given)
            same(ours, theirs)


def test_few_elements_of_the_same_memory_in_two_dtypes():
    given = numpy.arange(1, 13, dtype="i4")
    for key, other in ((slice(0, 6), slice(6, 12)), (slice(0, 6), slice(2, 8)), (slice(2, 8), slice(0, 6))):
        ours, theirs = fastnp.asarray(given.copy()), given.copy()
        for array in (ours, theirs):
            array[key].view("f4")[...] = array[other]
        same(ours, theirs)


WARNED = [("d", "i4"), ("d", "f4"), ("f4", "u1"), ("d", "f2"), ("D", "F"), ("D", "f4")]


@pytest.mark.parametrize("source, target", WARNED)
def test_casts_of_few_elements_warn_as_others_do(source, target):
    for odd in (numpy.nan, 1e300 if source in "dD" else 1e30, 1.0):
        given = values(source, 4)
        given[1] = odd
        found = []
        for np in (fastnp, numpy):
            into, row = np.zeros(4, target), np.asarray(given.copy())
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                into[...] = row
                into[::-1] = row
                into[1:3] = row[:2]
            found.append((into, [str(warning.message) for warning in seen]))
        same(found[0][0], found[1][0])
        assert found[0][1] == found[1][1]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 3, 100, 511, 512, 600])
def test_items_at_indices(dtype, size):
    given, places = values(dtype, 100), RNG.integers(-100, 100, size)
    for view in (lambda x: x, lambda x: x[::-1], lambda x: x[::2]):
        array, index = view(fastnp.asarray(given.copy())), places if view(given).size == 100 else places // 2
        theirs = view(given.copy())
        same(array[fastnp.asarray(index)], theirs[index])
        new = values(dtype, size)
        array[fastnp.asarray(index)] = fastnp.asarray(new)
        theirs[index] = new
        same(array, theirs)
        array[fastnp.asarray(index)], theirs[index] = 1, 1
        same(array, theirs)


@pytest.mark.parametrize("target", ["f8", "f4", "i4"])
def test_turned_parts_shorter_than_a_square(two_threads, target):
    """Threads share an axis whose parts are shorter than what one square of a turned copy needs."""
    given = RNG.random((70, 30_000)) * 100
    same(fastnp.asarray(given).T.astype(target, order="C"), given.T.astype(target, order="C"))


# --- every second element ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 31, 32, 33, 47, 48, 49, 63, 64, 65, 66, 1000])
def test_every_second_element(dtype, size):
    given = values(dtype, 2 * size + 1)
    for start, stop in ((0, 2 * size), (1, 2 * size), (0, 2 * size - 1), (1, 2 * size + 1)):
        same(fastnp.asarray(given)[start:stop:2].copy(), given[start:stop:2].copy())
    ours, theirs = fastnp.array(given), given.copy()
    ours[:size], theirs[:size] = ours[: 2 * size : 2], theirs[: 2 * size : 2]
    same(ours, theirs)


# --- joins ------------------------------------------------------------------------------------------------------------

LAYOUTS = {
    "C": lambda x: x,
    "F": numpy.asfortranarray,
    "apart": lambda x: numpy.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[..., ::-1],
    "upside down": lambda x: x[::-1],
    "one row": lambda x: numpy.broadcast_to(x[:1], x.shape),
}


@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
@pytest.mark.parametrize("shape", [(5,), (4, 6), (1, 6), (4, 1), (3, 4, 5), (0, 3), (200, 150)])
def test_joined_layouts(first, second, shape):
    for left, right in (("f8", "f8"), ("f4", "i2"), ("?", "D"), ("u8", "i8")):
        a, b = LAYOUTS[first](values(left, shape)), LAYOUTS[second](values(right, shape))
        ours = [fastnp.asarray(a), fastnp.asarray(b)]
        for axis in range(len(shape)):
            same(fastnp.concatenate(ours, axis), numpy.concatenate([a, b], axis))
            same(fastnp.concatenate((ours[0], ours[1], ours[0]), axis), numpy.concatenate((a, b, a), axis))
        for axis in range(len(shape) + 1):
            same(fastnp.stack(ours, axis), numpy.stack([a, b], axis))
        for name in ("vstack", "hstack", "dstack", "column_stack"):
            same(getattr(fastnp, name)(ours), getattr(numpy, name)([a, b]))


@pytest.mark.parametrize("join", ["concatenate", "stack", "vstack", "hstack"])
def test_what_does_not_join(join):
    for shapes in (((3, 4), (4, 3)), ((3,), (3, 1)), ((), ()), ((2, 3), (2, 3, 1))):
        arrays = [numpy.ones(shape, dtype) for shape, dtype in zip(shapes, "fd", strict=True)]
        try:
            theirs = getattr(numpy, join)(arrays)
        except ValueError:
            with pytest.raises(ValueError, match=r"dimension|same shape"):
                getattr(fastnp, join)([fastnp.asarray(array) for array in arrays])
        else:
            same(getattr(fastnp, join)([fastnp.asarray(array) for array in arrays]), theirs)


def test_three_dtypes_joined():
    arrays = [values(dtype, 9) for dtype in ("i1", "u2", "f2")]
    same(fastnp.concatenate([fastnp.asarray(array) for array in arrays]), numpy.concatenate(arrays))


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("widths", [0, 1, 2, 3, 4, 9, (0, 2), (3, 0), (3, 4), ((1, 2), (0, 4))])
def test_padded_by_its_own_elements(mode, widths):
    for given in (values("f8", (4, 4)), values("i4", (4, 5)).T, values("D", 4), values("u1", 20_000)):
        if type(widths) is tuple and type(widths[0]) is tuple and given.ndim == 1:
            continue
        same(fastnp.pad(fastnp.asarray(given), widths, mode), numpy.pad(given, widths, mode))


# --- bytes, truths, products ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 3, 31, 64, 25_000])
def test_bytes_in_the_other_order(dtype, size):
    given = values(dtype, size)
    same(fastnp.asarray(given).byteswap(), given.byteswap())
    same(fastnp.asarray(given)[::-1].byteswap(), given[::-1].byteswap())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 15, 16, 17, 100, 1000])
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor", "maximum", "minimum", "fmax", "fmin"])
def test_one_operand_repeated(name, dtype, size):
    given = values(dtype, size)
    given[: size // 2] = 0
    for one in (given[:1], given[-1:], numpy.array(0).astype(dtype)):
        for a, b in ((given, one), (one, given), (given[::-1], one)):
            same(getattr(fastnp, name)(fastnp.asarray(a), fastnp.asarray(b)), getattr(numpy, name)(a, b))
    # What is written over is read before.
    out, wanted = fastnp.array(given), given.copy()
    getattr(fastnp, name)(out, out[-1:], out=out, casting="unsafe")
    getattr(numpy, name)(wanted, wanted[-1:], out=wanted, casting="unsafe")
    same(out, wanted)


PRODUCTS = [
    (3, 5, 7), (16, 16, 16), (15, 16, 17), (1, 600, 9),
    (40, 3, 50), (40, 4, 50), (33, 35, 37), (5, 200, 8), (2, 33, 5000),
]
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("rows, inner, columns", PRODUCTS)
def test_products_of_integers(dtype, rows, inner, columns):
    """Modulo their width, whatever the layout."""
    low, high = numpy.iinfo(dtype).min, numpy.iinfo(dtype).max
    a = RNG.integers(low, high, (rows, inner), dtype, endpoint=True)
    b = RNG.integers(low, high, (inner, columns), dtype, endpoint=True)
    for left, right in itertools.product(LAYOUTS.values(), repeat=2):
        x, y = left(a), right(b)
        same(fastnp.asarray(x) @ fastnp.asarray(y), x @ y)
    same(fastnp.dot(fastnp.asarray(a), fastnp.asarray(b)), numpy.dot(a, b))
    same(fastnp.einsum("ij,kj->ik", fastnp.asarray(a), fastnp.array(b.T)), numpy.einsum("ij,kj->ik", a, b.T.copy()))
    stack, other = numpy.stack((a, a[::-1])), numpy.stack((b, b[:, ::-1]))
    same(fastnp.asarray(stack) @ fastnp.asarray(other), stack @ other)


def test_products_of_integers_by_threads(two_threads):
    a, b = RNG.integers(-(2**62), 2**62, (131, 77)), RNG.integers(-(2**62), 2**62, (77, 90))
    same(fastnp.asarray(a) @ fastnp.asarray(b), a @ b)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "D"])
@pytest.mark.parametrize("stack", [3, 4, 50])
@pytest.mark.parametrize("rows, columns", [(2, 3), (4, 4), (16, 16), (17, 16), (16, 17)])
def test_einsum_of_small_matrices(dtype, rows, columns, stack):
    a, b = values(dtype, (stack, rows, columns)), values(dtype, (stack, columns))
    ours = numpy.asarray(fastnp.einsum("nij,nj->ni", fastnp.asarray(a), fastnp.asarray(b)))
    theirs = numpy.einsum("nij,nj->ni", a, b)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    numpy.testing.assert_allclose(ours, theirs, 1e-5 if dtype == "f4" else 1e-13)


# --- fills, sorted lines, means ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [0, 1, 31, 33, 19_999, 20_001])
def test_fills(dtype, size):
    same(fastnp.ones(size, dtype), numpy.ones(size, dtype))
    same(fastnp.full(size, 7, dtype), numpy.full(size, 7, dtype))


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "i8", "D"])
def test_fills_that_no_cache_holds(two_threads, dtype):
    size = (10 << 20) // numpy.dtype(dtype).itemsize + 7
    for array in (fastnp.full(size, 5, dtype), fastnp.full((3, size // 2), 5, dtype)):
        assert (numpy.asarray(array) == numpy.asarray(5).astype(dtype)).all()


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i4", "i8", "u8"])
@pytest.mark.parametrize("size", [1023, 1024, 5000])
def test_sorted_lines_are_sorted(dtype, size):
    given = numpy.sort(values(dtype, size))
    for line in (given, given[::-1].copy(), numpy.roll(given, 1), numpy.full(size, given[-1])):
        for kind in ("quicksort", "stable"):
            same(fastnp.sort(fastnp.asarray(line), kind=kind), numpy.sort(line, kind=kind))


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("shape", [(1,), (3,), (1000,), (7, 9), (3, 4, 5)])
def test_means_of_complex_numbers(dtype, shape):
    given = values(dtype, shape)
    array = fastnp.asarray(given)
    for axis in (None, 0, -1):
        for keepdims in (False, True):
            same(fastnp.mean(array, axis, keepdims=keepdims), numpy.asarray(numpy.mean(given, axis, keepdims=keepdims)))
    given[0] = complex(numpy.inf, numpy.nan)
    found = []
    for module, values_given in ((fastnp, fastnp.array(given)), (numpy, given)):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            found.append((numpy.asarray(module.mean(values_given)), sorted(str(warning.message) for warning in seen)))
    numpy.testing.assert_array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


@pytest.mark.parametrize("columns", [2, 4, 7, 8, 9])
@pytest.mark.parametrize("rows", [255, 256, 1000])
def test_positions_of_extrema_in_narrow_matrices(rows, columns):
    for dtype in ("i4", "f4", "i8", "f8"):
        given = values(dtype, (rows, columns)).round()
        for name in ("argmax", "argmin"):
            same(getattr(fastnp, name)(fastnp.asarray(given), axis=0), getattr(numpy, name)(given, axis=0))


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "D"])
def test_copies_and_fills_past_the_cache(dtype):
    """From 3 MiB on, or 10 with a larger third cache, at any place in a line of the cache."""
    item = numpy.dtype(dtype).itemsize
    count = (11 << 20) // item
    given = RNG.integers(0, 100, count + 9).astype(dtype)
    array = fastnp.asarray(given)
    for start, stop in ((0, count), (1, count - 3), (3, count // 2), (5, count // 2 + count // 4)):
        same(array[start:stop].copy(), given[start:stop])
        into, wanted = fastnp.zeros(count + 9, dtype), numpy.zeros(count + 9, dtype)
        into[start + 2:stop + 2] = array[start:stop]
        wanted[start + 2:stop + 2] = given[start:stop]
        same(into, wanted)
        into[start:stop], wanted[start:stop] = 7, 7
        same(into, wanted)
    same(fastnp.full(count, 3, dtype), numpy.full(count, 3, dtype))
    same(fastnp.concatenate((array, array[3:])), numpy.concatenate((given, given[3:])))


@pytest.mark.parametrize("rows, columns", [(1200, 1208), (1203, 1216), (1206, 1203), (2, 800_000), (800_001, 8)])
def test_turned_copies_past_the_cache(two_threads, rows, columns):
    """From 6 MiB on, or 10, where rows begin with a line of the cache; and elsewhere."""
    given = RNG.random((columns, rows))
    array = fastnp.asarray(given)
    same(array.T.copy(), given.T.copy())
    into, wanted = fastnp.zeros((rows, columns)), numpy.zeros((rows, columns))
    into[:, 8:] = array.T[:, :-8] if columns > 8 else 0
    wanted[:, 8:] = given.T[:, :-8] if columns > 8 else 0
    same(into, wanted)
    into[1:] = array.T[:-1]
    wanted[1:] = given.T[:-1]
    same(into, wanted)
    same(fastnp.ascontiguousarray(array.T.view(fastnp.int64)), numpy.ascontiguousarray(given.T.view(numpy.int64)))


ALL = slice(None)


@pytest.mark.parametrize("target, source", [
    ((ALL, 0), (ALL, 1)), ((ALL, slice(0, 2)), (ALL, slice(2, 4))), ((ALL, slice(0, 2)), (ALL, slice(1, 3))),
    ((ALL, slice(0, 8, 2)), (ALL, slice(1, 8, 2))), ((ALL, slice(0, 8, 2)), (ALL, slice(None, None, -2))),
    ((slice(0, 6, 2), 0), (slice(1, 6, 2), 0)), ((ALL, slice(0, 3)), (slice(None, None, -1), slice(3, 6))),
    ((slice(1, None), 0), (slice(None, -1), 0)), ((slice(1, None), slice(1, 4)), (slice(None, -1), slice(3, 6))),
    ((0, slice(1, None)), (0, slice(None, -1))),
], ids=str)
@pytest.mark.parametrize("dtype", ["u1", "f8", "D"])
def test_pieces_that_lie_between_others(target, source, dtype):
    """Columns copied, added and accumulated within one matrix, some of which are read and written."""
    for rows in (6, 200):
        theirs = numpy.arange(rows * 8).reshape(rows, 8).astype(dtype)
        if isinstance(target[0], slice) and target[0].stop == 6:
            theirs = theirs[:6].copy()
        ours = fastnp.array(theirs)
        for array in (ours, theirs):
            array[target] = array[source]
            array[target] += array[source]
            array[source] *= 2
            xp = fastnp if array is ours else numpy
            xp.add(array[target], array[source], out=array[target])
        numpy.testing.assert_array_equal(ours, theirs)
        both, wanted = (ours[target], ours[source]), (theirs[target], theirs[source])
        assert fastnp.may_share_memory(*both) == numpy.may_share_memory(*wanted)
        assert fastnp.shares_memory(*both) == numpy.shares_memory(*wanted)


# --- places that a processor takes for one another --------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["u1", "i2", "f8", "D"])
def test_lines_written_close_behind_where_they_are_read_modulo_a_page(dtype):
    """Lines of 2,048 bytes and more, from addresses that differ by a few bytes, whole pages aside."""
    item = numpy.dtype(dtype).itemsize
    for bytes_ in (2032, 2048, 2064, 4096, 4112, 9000 // item * item):
        given = values(dtype, (5, bytes_ // item))
        array = fastnp.asarray(given)
        for shift in (1, 2, 3, 5, 40, -1):
            same(fastnp.roll(array, shift, 1), numpy.roll(given, shift, 1))
            same(fastnp.roll(array[0], shift), numpy.roll(given[0], shift))
            into, wanted = fastnp.zeros(given.shape, dtype), numpy.zeros(given.shape, dtype)
            here, there = (slice(shift, None), slice(-shift)) if shift > 0 else (slice(shift), slice(-shift, None))
            into[:, here], wanted[:, here] = array[:, there], given[:, there]
            same(into, wanted)
