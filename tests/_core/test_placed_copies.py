"""Copies shifted round their axes, amid other elements, side by side: NumPy's answer and layout."""

import itertools

import numpy
import pytest
import torch

import fastnp
from tests._oracle import same_bits as same
from tests._tables import drawn

RNG = numpy.random.default_rng(43)
DTYPES = ["?", "u1", "i2", "f4", "f8", "D"]
SHAPES = [(1,), (7,), (3, 4), (2, 3, 4), (5, 1, 6), (0, 3), (40, 500), (300, 250)]
SHIFTS = [0, 1, -1, 5, -13, 10**6, -(2**40)]
VIEWS = [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[..., ::2]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shifts_along_axes(shape, dtype):
    given = drawn(RNG, dtype, shape)
    array = fastnp.array(given)
    axes = list(range(-len(shape), len(shape)))
    pairs = [((0, -1), (2, -1)), ((0, 0), (1, 1)), ((0, -1), 2)] if len(shape) > 1 else [((0,), (3,))]
    for view in VIEWS:
        for shift in SHIFTS:
            same(fastnp.roll(view(array), shift), numpy.roll(view(given), shift))
            for axis in axes:
                same(fastnp.roll(view(array), shift, axis), numpy.roll(view(given), shift, axis))
        for which, shifts in pairs:
            same(fastnp.roll(view(array), shifts, which), numpy.roll(view(given), shifts, which))
        for name, axis in itertools.product(("fftshift", "ifftshift"), (None, 0, -1, (0,), (0, -1))):
            same(getattr(fastnp.fft, name)(view(array), axis), getattr(numpy.fft, name)(view(given), axis))


def test_the_copy_is_one():
    array = fastnp.arange(5.0)
    for shifted in (fastnp.roll(array, 0), fastnp.roll(array, 5, 0), fastnp.fft.fftshift(array[:1])):
        shifted[0] = 7.0
        assert array[0] == 0.0


@pytest.mark.parametrize("shift, axis", [(2, None), (2, 0), (-1, 1), ((1, 2), (0, 1)), ((1, 2), (0, 0)), (0, 0)])
def test_gradients_come_back_to_where_they_were(shift, axis):
    array = fastnp.asarray(torch.arange(12.0).reshape(3, 4).requires_grad_())
    weights = numpy.arange(12.0).reshape(3, 4)
    (fastnp.roll(array, shift, axis) * weights).sum().tensor.backward()
    back = tuple(-s for s in shift) if isinstance(shift, tuple) else -shift
    numpy.testing.assert_array_equal(array.tensor.grad.numpy(), numpy.roll(weights, back, axis))


@pytest.mark.parametrize("axis", [2, -3, (0, 2), 1.5, "x"])
def test_axes_that_are_none(axis):
    with pytest.raises((numpy.exceptions.AxisError, TypeError)) as theirs:
        numpy.roll(numpy.ones((2, 3)), 1, axis)
    with pytest.raises(theirs.type):
        fastnp.roll(fastnp.ones((2, 3)), 1, axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (0, 3), (5000,), (70, 80), (6, 30, 40)], ids=str)
def test_arrays_amid_one_value(shape, dtype):
    given = drawn(RNG, dtype, shape)
    array = fastnp.array(given)
    widths = [1, (2, 3), ((0, 2), *[(1, 0)] * (len(shape) - 1)), ((0, 0),) * len(shape)]
    for view, width in itertools.product(VIEWS, widths):
        same(fastnp.pad(view(array), width), numpy.pad(view(given), width))
        same(fastnp.pad(view(array), width, constant_values=1), numpy.pad(view(given), width, constant_values=1))


def test_values_that_do_not_fit_pad_nothing():
    with pytest.raises(OverflowError):
        fastnp.pad(fastnp.ones(3, "i1"), 1, constant_values=300)
    for width in (2**50, 2**41):
        with pytest.raises(MemoryError):
            fastnp.pad(fastnp.ones(3), width)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("counts", [2, (2,), (2, 2), (3, 1), (1, 3), (2, 1, 3), (2, 3, 4), (2, 2, 1, 1)], ids=str)
def test_arrays_side_by_side(counts, dtype):
    for shape in ((4,), (3, 5), (700,), (30, 700), (20, 6, 90), (9, 1, 600)):
        given = drawn(RNG, dtype, shape)
        for view in VIEWS:
            same(fastnp.tile(view(fastnp.array(given)), counts), numpy.tile(view(given), counts))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_neighbours_of_numbers(dtype):
    info = numpy.finfo(dtype)
    odd = [0, -0.0, numpy.inf, -numpy.inf, numpy.nan, info.max, info.min, info.tiny, -info.tiny, info.tiny / 2]
    given = numpy.concatenate([drawn(RNG, dtype, 1000) - 20, odd]).astype(dtype)
    ends = numpy.array([0, -0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan, info.max], dtype)
    towards = [*ends, given[::-1].copy(), given + 1]

    def outcome(xp, values, other):
        with xp.errstate(all="call", call=lambda kind, flag: said.append(kind)):
            said = []
            found = xp.nextafter(xp.array(values), xp.array(other))
        return numpy.asarray(found), sorted(said)

    for other in towards:
        for values in (given, given[:7], given[:1000]):
            part = other if other.ndim == 0 else other[: len(values)]
            (ours, our_flags), (theirs, their_flags) = outcome(fastnp, values, part), outcome(numpy, values, part)
            same(ours, theirs)
            assert our_flags == their_flags


@pytest.mark.parametrize("shape", [(7,), (3, 4), (4, 3, 5), (2, 3, 4, 2), (5, 1, 6), (0, 3), (60, 70)], ids=str)
def test_stacks_in_any_order(shape):
    """Where the new axis lies in memory is NumPy's: of Fortran's order it is the innermost, or else the outermost."""
    turns = [lambda a: a, lambda a: a.T, lambda a: a.swapaxes(0, -1), lambda a: a[..., ::-1], lambda a: a[::2].T]
    for first, second, other in itertools.product(turns, turns, ("f8", "i2")):
        one, two = drawn(RNG, "f8", shape), drawn(RNG, other, shape)
        given, arrays = (first(one), second(two)), (first(fastnp.array(one)), second(fastnp.array(two)))
        if given[0].shape != given[1].shape:
            continue
        for axis in range(-1, len(shape) + 1):
            same(fastnp.stack(arrays, axis), numpy.stack(given, axis))
        for name in ("vstack", "hstack", "concatenate"):
            same(getattr(fastnp, name)(arrays), getattr(numpy, name)(given))


@pytest.mark.parametrize("shape", [(400, 3), (13, 400), (400, 13), (5, 31, 7), (3, 3), (1, 40), (900, 32)], ids=str)
def test_casts_of_short_lines(shape):
    """Lines that are brought side by side to be cast: read from views, written to them, computed with."""
    views = [lambda a: a, lambda a: a.T, lambda a: a[..., ::2], lambda a: a[:, ::-1], lambda a: a[::-1, 1:]]
    for dtype, into in itertools.product(["?", "u1", "i4", "f2", "f4", "f8"], ["u1", "i8", "f2", "f4", "f8", "F"]):
        given = drawn(RNG, dtype, shape)
        array = fastnp.array(given)
        for view in views:
            ours, theirs = view(array), view(given)
            same(ours.astype(into), theirs.astype(into))
            if numpy.can_cast(dtype, into, "same_kind"):
                same(fastnp.add(ours, ours, dtype=into), numpy.add(theirs, theirs, dtype=into))
            for place in views:
                written, wanted = fastnp.zeros(shape, into), numpy.zeros(shape, into)
                if place(wanted).shape == theirs.shape:
                    place(written)[...], place(wanted)[...] = ours, theirs
                    same(written, wanted)
