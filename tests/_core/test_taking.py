"""Elements chosen, copied by a mask, repeated and packed by compiled bodies, or by NumPy: its results always."""

import numpy
import pytest

import fastnp
from tests._oracle import Cells

RNG = numpy.random.default_rng(3)
DTYPES = [numpy.dtype(letter) for letter in "?bBhHiIlLefdFD"]
SHAPES = [(0,), (1,), (3,), (31,), (33,), (500,), (4, 5), (2, 3, 4), ()]


def values_of(dtype, shape):
    numbers = RNG.integers(0, 2 if dtype.kind == "b" else 100, shape)
    return numpy.asarray(numbers + (1j if dtype.kind == "c" else 0)).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_copyto_by_a_mask(dtype, shape):
    def call(xp, into, source, mask, layout=lambda a: a):
        into = into.copy()
        xp.copyto(layout(into), layout(source), where=layout(mask))
        return into

    into, source, mask = values_of(dtype, shape), values_of(dtype, shape), RNG.random(shape) < 0.5
    with Cells() as cells:
        cells.same("whole", call, into, source, mask)
        cells.same("one value", call, into, source.reshape(-1)[:1].reshape(()) if source.size else source, mask)
        for other in DTYPES:
            cells.same(f"from {other}", call, into, values_of(other, shape), mask)
        cells.same("one line", call, into, source[..., :1] if shape else source, mask)
        cells.same("by numbers", call, into, source, mask.astype(int))
        cells.same("by one truth", call, into, source, mask.reshape(-1)[:1])
        if shape:
            cells.same("backwards", lambda xp, *given: call(xp, *given, layout=lambda a: a[::-1]), into, source, mask)
            cells.same("halves", lambda xp, *given: call(xp, *given, layout=lambda a: a[..., ::2]), into, source, mask)


@pytest.mark.parametrize("count", [63, 64, 65, 200, 1000])
def test_copyto_by_masks_that_are_seldom_true(count):
    """Where no truth of many side by side holds, nothing is written, and before and behind them all the rest is."""
    def call(xp, into, source, mask):
        xp.copyto(into, source, where=mask)
        xp.putmask(source, ~mask, into)
        return into, source

    masks = [numpy.arange(count) % 100 == place for place in range(100)]
    masks += [~mask for mask in masks] + [numpy.zeros(count, bool), numpy.ones(count, bool)]
    with Cells() as cells:
        for dtype in DTYPES:
            into, source = values_of(dtype, count), values_of(dtype, count)
            for mask in masks[::7]:
                cells.same(f"{dtype}", call, into.copy(), source.copy(), mask)
                cells.same(f"{dtype} one value", call, into.copy(), source[:1].reshape(()).copy(), mask)
                cells.same(f"{dtype} rows", call, *(a.copy().reshape(1, -1) for a in (into, source, mask)))


@pytest.mark.parametrize("shape", [(3, 7, 1), (2, 300, 3), (2, 20_000, 1)], ids=str)
def test_take_in_several_turns(shape):
    """Numbers that all count from the front are read as they are given, others are brought into bounds first."""
    with Cells() as cells:
        for dtype in ("?", "i2", "f4", "f8", "c16"):
            values = values_of(numpy.dtype(dtype), shape)
            front = RNG.integers(0, shape[1], shape[1])
            for name, numbers in {
                "front": front, "end": front - shape[1], "both": numpy.where(front % 2, front, -1 - front),
                "last below": numpy.append(front, -1), "last above": numpy.append(front, shape[1]),
                "far": front * 99, "far below": numpy.append(front, -99 * shape[1]),
            }.items():
                for mode in ("raise", "wrap", "clip"):
                    cells.same(f"{dtype} {name} {mode}", lambda xp, a, i, m=mode: a.take(i, 1, mode=m), values, numbers)


def test_copyto_of_what_overlaps_and_of_what_may_not_be_written():
    def onto_itself(xp, a):
        xp.copyto(a[1:], a[:-1], where=a[1:] > 3)
        return a

    def by_itself(xp, a):
        xp.copyto(a, xp.asarray(True), where=a)
        return a

    def kept(xp, a):
        a.flags.writeable = False
        xp.copyto(a, a + 1, where=a > 3)

    with Cells() as cells:
        cells.same("onto itself", onto_itself, numpy.arange(50.0))
        cells.same("by itself", by_itself, RNG.random(50) < 0.5)
        cells.same("read-only", kept, numpy.arange(50.0))
        cells.same("another shape", lambda xp, a: xp.copyto(a, a, where=a[:3] > 2), numpy.arange(50.0))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_choose(dtype, shape):
    index = RNG.integers(0, 3, shape)
    choices = [values_of(dtype, shape) for _ in range(3)]
    with Cells() as cells:
        for number in (1, 2, 3):
            for mode in ("raise", "wrap", "clip"):
                cells.same(f"{number} {mode}", lambda xp, i, *given, k=mode: xp.choose(i, given, mode=k), index,
                           *choices[:number])
        cells.same("a list", lambda xp, i, *given: xp.choose(i, list(given)), index, *choices)
        cells.same("below", lambda xp, i, *given: xp.choose(i - 1, given), index, *choices)
        cells.same("numbers", lambda xp, i, *given: xp.choose(i, (*given, 5, 2.5)), index, *choices)
        cells.same("one wide", lambda xp, i, a, b, c: xp.choose(i, (a, b[..., None], c)), index, *choices)
        cells.same("two dtypes", lambda xp, i, a, b, c: xp.choose(i, (a, b.astype(complex), c)), index, *choices)
        cells.same("small index", lambda xp, i, *given: xp.choose(i.astype("i1"), given), index, *choices)
        cells.same("many", lambda xp, i, *given: xp.choose(i, given * 20), index, *choices)
        cells.same("out", lambda xp, i, *given: xp.choose(i, given, out=xp.empty_like(given[0])), index, *choices)
        if shape:
            cells.same("backwards", lambda xp, i, *given: xp.choose(i[::-1], given), index, *choices)


REPS = [1, 2, 0, -1, (2,), (1, 1), (2, 3), [3, 1, 2], (1, 0), (), (2.0,), True, numpy.int64(2), numpy.array([2, 2]),
        (1,) * 5, (2, 1, 1, 3)]


@pytest.mark.parametrize("shape", [*SHAPES, (3, 0), (1, 1)], ids=str)
def test_tile(shape):
    with Cells() as cells:
        for dtype in DTYPES:
            array = values_of(dtype, shape)
            for reps in REPS if dtype == "d" else REPS[:8]:
                cells.same(f"{dtype} {reps}", lambda xp, a, k=reps: xp.tile(a, k), array, layout=True)
                cells.same(f"{dtype} {reps} turned", lambda xp, a, k=reps: xp.tile(a.T, k), array, layout=True)
        for reps in (10**18, (2**40, 2**40)) if array.size else ():
            cells.same(f"{reps}", lambda xp, a, k=reps: xp.tile(a, k), array)


LINES = [(7,), (8,), (9,), (64,), (65,), (3, 9), (2, 40), (5, 64), (70_000,)]


@pytest.mark.parametrize("shape", [*SHAPES, *LINES], ids=str)
def test_bits(shape):
    with Cells() as cells:
        for dtype in (numpy.dtype(letter) for letter in "?bBil"):
            array = values_of(dtype, shape) if dtype.kind == "b" else RNG.integers(0, 3, shape).astype(dtype)
            for order in ("big", "little"):
                for axis in (None, -1, 0, 1):
                    def call(xp, a, axis=axis, order=order):
                        return xp.packbits(a, axis, order)

                    cells.same(f"{dtype} {order} {axis}", call, array)
                    cells.same(f"{dtype} {order} {axis} turned", call, array.T)
        given = RNG.integers(0, 256, shape).astype("u1")
        for order in ("big", "little", "none", None):
            for axis in (None, -1, 0, 1):
                for count in (None, 5, -3) if given.size else (None,):  # NumPy: of none, five that nobody has written
                    def call(xp, a, axis=axis, count=count, order=order):
                        return xp.unpackbits(a, axis, count, order)

                    cells.same(f"{order} {axis} {count}", call, given)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_places_of_extrema_in_columns(dtype):
    with Cells() as cells:
        for shape in ((100, 100), (300, 70), (70, 300), (500, 9), (90, 2, 40)):
            array = values_of(dtype, shape)
            if dtype.kind in "fc":
                array[RNG.random(shape) < 0.001] = numpy.nan
            for axis in range(len(shape)):
                cells.same(f"{shape} {axis}", lambda xp, a, k=axis: xp.argmax(a, k), array)
                cells.same(f"{shape} {axis}", lambda xp, a, k=axis: xp.argmin(a, k), array)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_ufuncs_at_places(dtype):
    def call(xp, a, i, b, name, cut):
        a = a.copy()
        getattr(xp, name).at(a[cut], i, b)
        return a

    with Cells() as cells:
        for size in (5, 40, 3000):
            array, other, places = values_of(dtype, size), values_of(dtype, size), RNG.integers(-size, size, size)
            for name in ("add", "subtract", "multiply", "maximum", "minimum"):
                for b in (other, other[:1], other[0]):
                    cells.same(f"{name} {size}", call, array, places, b, name, slice(None))
                cells.same(f"{name} {size} far", call, array, places + size, other, name, slice(None))
                half = places[: size // 2] // 4
                cells.same(f"{name} {size} halves", call, array, half, other[: size // 2], name, slice(None, None, 2))


def test_places_of_sums():
    with Cells() as cells:
        for dtype in DTYPES:
            array = values_of(dtype, 400)
            for places in map(numpy.array, (range(0, 400, 7), [5, 3, 399, 0], [0, 400], [-1])):
                for name in ("add", "multiply", "maximum", "logical_or"):
                    def call(xp, a, i, name=name):
                        return getattr(xp, name).reduceat(a, i)

                    cells.same(f"{dtype} {name}", call, array, places)
                    cells.same(f"{dtype} {name} backwards", lambda xp, a, i, f=call: f(xp, a[::-1], i), array, places)


def test_a_mask_shows_in_the_version_of_a_tensor():
    array = fastnp.zeros(4)
    before = array.tensor._version
    fastnp.copyto(array, fastnp.ones(4), where=fastnp.array([True, False, True, False]))
    assert array.tolist() == [1, 0, 1, 0]
    assert array.tensor._version > before


@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (4, 3), (2, 3, 2), ()], ids=str)
def test_numbers_and_coordinates(shape):
    sizes = (5, 7, 3)
    numbers = RNG.integers(0, 105, shape)
    coordinates = tuple(RNG.integers(0, size, shape) for size in sizes)
    with Cells() as cells:
        for dtype in "lbBiLd":
            cells.same(dtype, lambda xp, i: xp.unravel_index(i, sizes), numbers.astype(dtype), layout=True)
            cells.same(dtype, lambda xp, *i: xp.ravel_multi_index(i, sizes), *(i.astype(dtype) for i in coordinates))
        for given in (sizes, list(sizes), (5, 21), (105,), 105, (), (5, 7, 2), (-5, 7, 3), (2**40, 2**40), (5.0, 7, 3)):
            for order in ("C", "F", "K"):
                cells.same(f"{given} {order}", lambda xp, i, k=given, o=order: xp.unravel_index(i, k, o), numbers)
                for mode in ("raise", "wrap", "clip"):
                    def call(xp, *i, given=given, mode=mode, order=order):
                        return xp.ravel_multi_index(i, given, mode, order)

                    cells.same(f"{given} {mode} {order}", call, *coordinates)
        cells.same("turned", lambda xp, i: xp.unravel_index(i.T, sizes), numbers, layout=True)
        cells.same("turned", lambda xp, *i: xp.ravel_multi_index([a.T for a in i], sizes), *coordinates, layout=True)
        cells.same("turned", lambda xp, *i: xp.ravel_multi_index((i[0].T, i[1].T, i[2].T), sizes), *coordinates)
        cells.same("below", lambda xp, i: xp.unravel_index(i - 1, sizes), numbers)
        cells.same("below", lambda xp, *i: xp.ravel_multi_index((*i[:2], i[2] - 1), sizes), *coordinates)
        cells.same("one number", lambda xp, *i: xp.ravel_multi_index((*i[:2], 1), sizes), *coordinates)
        for numbers in ((0, 0, 0), (1, 2, 3), (-1, 0, 0), (0, 0, 99), (1.0, 0, 0), (True, 0, 0), (0, 0), (2**70, 0, 0)):
            cells.same(numbers, lambda xp, numbers: xp.ravel_multi_index(numbers, sizes), numbers)
        cells.same("scalars", lambda xp, *i: xp.ravel_multi_index(tuple(k.ravel()[1] for k in i), sizes), *coordinates)
        cells.same("an array", lambda xp, *i: xp.ravel_multi_index(xp.stack(i), sizes), *coordinates)
        cells.same("two", lambda xp, *i: xp.ravel_multi_index(i[:2], sizes), *coordinates)
