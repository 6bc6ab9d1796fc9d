"""Operands that lie in memory in another order than C's: turned, reversed, cut, repeated, and each with each other."""

import itertools
import operator
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_bits as same
from tests._tables import drawn

RNG = numpy.random.default_rng(59)
# On both sides of what is copied as it comes, packed, computed in one loop, and moved line by line.
SHAPES = [(3, 3), (1, 4), (4, 1), (2, 3, 4), (5, 1, 3), (2, 3, 2, 5), (40, 30), (3, 1000), (1000, 3), (30, 130),
          (9, 50, 40), (70, 90), (6, 63), (7, 300, 64)]
DTYPES = ["?", "i4", "i8", "f4", "f8", "D"]


def values(dtype, shape):
    return drawn(RNG, dtype, shape, low=1)


def layouts(dtype, shape):
    """Return arrays of a shape by how they lie, each as a base in C order and the view of it."""
    wide, tall = (*shape[:-1], 2 * shape[-1]), (2 * shape[0], *shape[1:])
    longer = (*shape[:-1], shape[-1] + 1)
    found = {
        "C": (shape, lambda x: x),
        "Fortran": (shape[::-1], lambda x: x.T),
        "every second": (wide, lambda x: x[..., ::2]),
        "all but the first": (longer, lambda x: x[..., 1:]),
        "every second row": (tall, lambda x: x[::2]),
        "rows reversed": (shape, lambda x: x[::-1]),
        "reversed": (shape, lambda x: x[..., ::-1]),
        "all reversed": (shape, lambda x: x[tuple([slice(None, None, -1)] * len(shape))]),
        "Fortran reversed": (shape[::-1], lambda x: x.T[..., ::-1]),
        "row": (shape[1:], lambda x: x),
        "element": ((1,), lambda x: x),
    }
    if len(shape) > 2:
        found["axes swapped"] = ((shape[1], shape[0], *shape[2:]), lambda x: x.swapaxes(0, 1))
        found["last axis first"] = ((*shape[1:], shape[0]), lambda x: x.transpose(-1, *range(len(shape) - 1)))
    return {name: (values(dtype, base), view) for name, (base, view) in found.items()}


def of_both(base, view):
    return view(fastnp.array(base)), view(base.copy())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_with_each(dtype, shape):
    first, second = layouts(dtype, shape), layouts(dtype, shape)
    for (one, a), (other, b) in itertools.product(first.items(), second.items()):
        (ours, theirs), (more, their_more) = of_both(*a), of_both(*b)
        for call in (operator.add, operator.lt) + ((operator.truediv,) if dtype in "i4i8f4f8" else ()):
            try:
                same(call(ours, more), call(theirs, their_more))
            except AssertionError as error:
                raise AssertionError(f"{call.__name__} of {one} and {other}") from error


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_one_at_a_time(dtype, shape):
    for base, view in layouts(dtype, shape).values():
        ours, theirs = of_both(base, view)
        for name in ("absolute", "isfinite", "sqrt", "logical_not", "square", "conjugate"):
            same(getattr(fastnp, name)(ours), getattr(numpy, name)(theirs))
        same(ours + 1, theirs + 1)
        same(ours == theirs.flat[0], theirs == theirs.flat[0])
        for target in ("f8", "i4", "?", "D"):
            if numpy.dtype(dtype).kind != "c" or target in "?D":
                same(ours.astype(target), theirs.astype(target))
        same(ours.copy(), theirs.copy())
        same(fastnp.cumsum(ours), numpy.cumsum(theirs))
        assert fastnp.count_nonzero(ours) == numpy.count_nonzero(theirs)
        assert fastnp.argmax(ours) == numpy.argmax(theirs)
        same(fastnp.argmin(ours, axis=0), numpy.argmin(theirs, axis=0))
        same(fastnp.argmax(ours, axis=-1), numpy.argmax(theirs, axis=-1))
        if theirs.ndim > 1:
            same(fastnp.count_nonzero(ours, axis=(0, 1)), numpy.asarray(numpy.count_nonzero(theirs, axis=(0, 1))))
        middle = theirs.size // 2
        assert fastnp.partition(ours, middle, axis=None)[middle] == numpy.partition(theirs, middle, axis=None)[middle]
        assert numpy.isclose(fastnp.linalg.norm(ours), numpy.linalg.norm(theirs), rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_results_go_into_any(dtype, shape):
    first, second = layouts(dtype, shape), layouts(dtype, shape)
    for (one, a), (other, b) in itertools.product(first.items(), second.items()):
        if one in ("row", "element"):
            continue
        (ours, theirs), (more, their_more) = of_both(*a), of_both(*b)
        fastnp.add(ours, more, out=ours)
        numpy.add(theirs, their_more, out=theirs)
        assert numpy.array_equal(numpy.asarray(ours), theirs), f"add of {one} and {other}"
        ours[...] = more
        theirs[...] = their_more
        assert numpy.array_equal(numpy.asarray(ours), theirs), f"{one} = {other}"
        target = "f4" if dtype != "f4" else "i8"
        if dtype != "D":
            ours[...] = more.astype(target)
            theirs[...] = their_more.astype(target)
            assert numpy.array_equal(numpy.asarray(ours), theirs), f"{one} = {other} of another dtype"


@pytest.mark.parametrize("shape", [(9,), (600,), (3, 3), (30, 40), (4, 5, 6), (20, 30, 40)])
@pytest.mark.parametrize("dtype", ["?", "i4", "f8", "D"])
def test_memory_that_is_read_and_written(dtype, shape):
    base = values(dtype, shape)
    forwards, backwards = slice(1, None), slice(None, -1)
    keys = [((forwards,), (backwards,)), ((backwards,), (forwards,)), ((slice(None, None, -1),), (slice(None),)),
            ((...,), (...,)), ((..., forwards), (..., backwards)), ((..., slice(None, None, -1)), (...,)),
            ((forwards,), (forwards,))]
    for into, source in keys:
        ours, theirs = fastnp.array(base), base.copy()
        ours[into] = ours[source]
        theirs[into] = theirs[source]
        same(ours, theirs)
        ours[into] += ours[source]
        theirs[into] += theirs[source]
        same(ours, theirs)
    if len(shape) == 2 and shape[0] == shape[1]:
        ours, theirs = fastnp.array(base), base.copy()
        ours[...] = ours.T
        theirs[...] = theirs.T
        same(ours, theirs)


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe", "never", None, 3])
@pytest.mark.parametrize("pair", [("f8", "f8"), ("f4", "f8"), ("f8", "f4"), ("i8", "f8"), ("i8", "D"), ("?", "i8")])
@pytest.mark.parametrize("masked", [False, True])
def test_copyto_by_each_rule(casting, pair, masked):
    into, source, mask = values(pair[0], (3, 4)), values(pair[1], (3, 4)), RNG.random((3, 4)) < 0.5

    def outcomes(xp):
        array, given = xp.array(into), xp.array(source)
        for number in (given, given[0], 1, 2.5, True):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", numpy.exceptions.ComplexWarning)
                    xp.copyto(array, number, casting=casting, where=xp.array(mask) if masked else True)
            except TypeError:
                yield TypeError
            except ValueError:
                yield ValueError
            yield numpy.asarray(array).tobytes()

    assert list(outcomes(fastnp)) == list(outcomes(numpy))


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("name", ["all", "any", "sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", ["?", "i4", "i8", "f4", "f8"])
def test_reductions_into_arrays(name, dtype):
    given = values(dtype, (4, 5))

    def outcomes(xp, target, axis):
        out = xp.zeros(() if axis in (None, (0, 1)) else (given.shape[1 - axis],), target)
        try:
            assert getattr(xp, name)(xp.array(given), axis=axis, out=out) is out
        except TypeError:
            yield TypeError
        yield numpy.asarray(out).tobytes()

    for target, axis in itertools.product(("?", "i4", "i8", "f4", "f8", "D"), (0, 1, (0, 1), None)):
        assert list(outcomes(fastnp, target, axis)) == list(outcomes(numpy, target, axis)), (target, axis)


def test_results_of_turned_operands_stand_for_their_class():
    class Kept(fastnp.ndarray):
        pass

    base = numpy.arange(12.0).reshape(3, 4)
    ours = fastnp.array(base).T.view(Kept)
    assert type(ours + ours) is Kept
    same(ours + ours, base.T + base.T)
    same(-ours, -base.T)


def test_flags_of_turned_operands():
    turned = fastnp.array([[1.0, 0.0], [2.0, 3.0]]).T
    with fastnp.errstate(divide="raise"), pytest.raises(FloatingPointError):
        turned / (turned * 0)
    with fastnp.errstate(divide="raise"), pytest.raises(FloatingPointError):
        1 / turned


# --- masks, orders, bytes ---------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (4, 1), (2, 3, 4), (40, 30), (70, 90)])
def test_masks_choose_among_arrays_of_any_layout(dtype, shape):
    sources, masks = layouts(dtype, shape), layouts("?", shape)
    for (one, a), (other, m) in itertools.product(sources.items(), masks.items()):
        if one in ("row", "element"):
            continue
        (ours, theirs), (mask, their_mask) = of_both(*a), of_both(*m)
        for _, b in itertools.islice(sources.items(), 0, None, 3):
            values, their_values = of_both(*b)
            fastnp.copyto(ours, values, where=mask)
            numpy.copyto(theirs, their_values, where=their_mask)
            assert numpy.array_equal(ours, theirs), f"copyto {one} {other}"
            same(fastnp.where(ours, values, mask), numpy.where(theirs, their_values, their_mask))
        fastnp.copyto(ours[1:], ours[:-1], where=mask[:1])
        numpy.copyto(theirs[1:], theirs[:-1], where=their_mask[:1])
        if mask.shape == ours.shape:
            fastnp.putmask(ours, mask, ours[::-1])
            numpy.putmask(theirs, their_mask, theirs[::-1])
        assert numpy.array_equal(ours, theirs), f"{one} {other}"


def test_a_mask_over_elements_that_are_one():
    for xp in (fastnp, numpy):
        row = xp.zeros(3)
        table = xp.lib.stride_tricks.as_strided(row, (4, 3), (0, 8))
        xp.copyto(table, 1.0, where=xp.array([[True], [False], [False], [False]]))
        assert row.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("dtype", [*DTYPES, "f2"])
@pytest.mark.parametrize("shape", SHAPES[:9])
def test_orders_and_bytes(dtype, shape):
    for base, view in layouts(dtype, shape).values():
        ours, theirs = of_both(base, view)
        assert ours.tobytes() == theirs.tobytes()
        same(ours.imag, theirs.imag)
        for order in "CFKA":
            same(fastnp.asarray(ours, order=order), numpy.asarray(theirs, order=order))
            kept = fastnp.asarray(ours, order=order) is ours
            assert kept == (numpy.asarray(theirs, order=order) is theirs)
            if dtype != "D":
                same(fastnp.asarray(ours, "f4", order), numpy.asarray(theirs, "f4", order))
        if theirs.ndim == 2:
            keys, their_keys = (ours[:, 0], ours[:, -1]), (theirs[:, 0], theirs[:, -1])
            same(fastnp.lexsort(keys), numpy.lexsort(their_keys))


# --- running results --------------------------------------------------------------------------------------------------

RUNNING = ("add", "multiply", "subtract", "maximum", "minimum", "fmax", "logical_and", "bitwise_xor", "divide")


def accumulated(xp, name, array, axis, dtype=None, out=None):
    """Return what a ufunc accumulates, or the class of what it raises."""
    try:
        with xp.errstate(all="ignore"):
            return getattr(xp, name).accumulate(array, axis, dtype, out)
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_accumulations(dtype, shape):
    for how, (base, view) in layouts(dtype, shape).items():
        ours, theirs = of_both(base, view)
        for name, axis in itertools.product(RUNNING, range(-1, theirs.ndim)):
            if theirs.size > 5000 and name in ("fmax", "logical_and", "bitwise_xor", "divide"):
                continue
            expected = accumulated(numpy, name, theirs, axis)
            found = accumulated(fastnp, name, ours, axis)
            if isinstance(expected, type):
                assert found is expected, f"{name} of {how} along {axis}"
            else:
                same(found, expected)


def test_accumulations_of_numbers_of_all_kinds():
    """Zeros of both signs, NaN and infinities: to the last bit, and with NumPy's flags."""
    with numpy.errstate(all="ignore"):
        table = RNG.choice([0.0, -0.0, 1.5, -2.0, numpy.nan, numpy.inf, -numpy.inf, 1e308, 5e-324], (60, 70))
    for dtype, axis in itertools.product(("f8", "f4", "f2", "D"), (0, 1)):
        with numpy.errstate(all="ignore"):
            theirs = table.astype(dtype)
        for name in ("add", "multiply", "maximum", "minimum"):
            results = []
            for xp in (fastnp, numpy):
                seen = set()
                with xp.errstate(all="call", call=lambda kind, flags, seen=seen: seen.add(kind)):
                    results.append((numpy.asarray(getattr(xp, name).accumulate(xp.array(theirs), axis)), seen))
            (ours, our_flags), (expected, flags) = results
            numpy.testing.assert_array_equal(ours, expected)
            known = ~numpy.isnan(expected)
            assert ours[known].tobytes() == expected[known].tobytes(), (dtype, name, axis)
            assert our_flags == flags, (dtype, name, axis)


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", "u4", "i8", "u8"])
def test_accumulations_wrap(dtype):
    info = numpy.iinfo(dtype)
    table = RNG.integers(info.min, info.max, (50, 40), dtype, endpoint=True)
    for name, axis in itertools.product(("add", "multiply", "maximum"), (0, 1)):
        same(getattr(fastnp, name).accumulate(fastnp.array(table), axis, dtype),
             getattr(numpy, name).accumulate(table, axis, dtype))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_accumulations_into_what_is_read(dtype, axis):
    base = values(dtype, (40, 50))
    keys = [(..., ...), (numpy.s_[1:], numpy.s_[:-1]), (numpy.s_[:-1], numpy.s_[1:]),
            (numpy.s_[:, 1:], numpy.s_[:, :-1]), (numpy.s_[::-1], ...)]
    for into, source in keys:
        ours, theirs = fastnp.array(base), base.copy()
        accumulated(fastnp, "add", ours[source], axis, dtype, ours[into])
        accumulated(numpy, "add", theirs[source], axis, dtype, theirs[into])
        same(ours, theirs)
    for target in ("f4", "f8", "D"):
        ours, theirs = fastnp.zeros((50, 40), target).T, numpy.zeros((50, 40), target).T
        found = accumulated(fastnp, "add", fastnp.array(base), axis, None, ours)
        assert (found is ours) == (accumulated(numpy, "add", base, axis, None, theirs) is theirs)
        same(ours, theirs)


@pytest.mark.parametrize("shape", [(1000, 700), (700, 1000), (100, 70, 60), (3, 400_000), (400_000, 3), (900_000,)])
@pytest.mark.parametrize("dtype", ["i8", "f8"])
def test_accumulations_in_two_threads(two_threads, dtype, shape):
    theirs = values(dtype, shape)
    for axis in range(len(shape)):
        same(fastnp.cumsum(fastnp.array(theirs), axis), numpy.cumsum(theirs, axis))
        same(fastnp.cumsum(fastnp.array(theirs).T, axis), numpy.cumsum(theirs.T, axis))
