"""Copies shifted round their axes: NumPy's answer and layout, whatever the array, the axes and the shifts."""

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
