"""Views and shifted copies by the compiled bodies: alike for plain arrays and for those that carry a gradient."""

import itertools
import warnings

import numpy
import pytest
import torch

from tests._oracle import under_test

if under_test is numpy:
    pytest.skip("NumPy's arrays carry no gradients", allow_module_level=True)

MEMORY = numpy.arange(120.0)
SHAPES = ((6,), (4, 6), (2, 3, 4), (0,), (0, 3), (1, 1, 1), ())
LAYOUTS = {
    "in C order": lambda x: x, "backwards": lambda x: x[::-1] if x.ndim else x, "transposed": lambda x: x.T,
    "every other": lambda x: x[..., ::2] if x.ndim else x,
}
AXES = (-3, -1, 0, 1, 2, 5)
SECTIONS = (1, 2, 3, 0, -1, 2.0, numpy.int64(2), True, [1], [1, 3], (3, 1), [-1], [0, 99], [], [1.5])
CALLS = {
    "array_split": list(itertools.product(SECTIONS, AXES)),
    "split": list(itertools.product(SECTIONS, AXES)),
    "hsplit": [(section,) for section in SECTIONS],
    "vsplit": [(section,) for section in SECTIONS],
    "dsplit": [(section,) for section in SECTIONS],
    "rollaxis": list(itertools.product(AXES, (-3, -1, 0, 1, 2, 3, 9))),
    "rot90": [(k, axes) for k in range(-2, 6) for axes in ((0, 1), (1, 0), [0, 1], (-1, 0), (0, 0), (0, 2), (0, 9))],
    "roll": list(itertools.product((0, 1, -1, 7, 2**61, -2**70, (1, 2)), (None, 0, -1, 1, 9))),
    "fft.fftshift": [(), (0,), ((0, 1),)],
    "fft.ifftshift": [(), (0,), ((0, 1),)],
    "lib.stride_tricks.as_strided": [
        (shape, strides, False, writeable) for writeable in (True, False)
        for shape in (None, (2,), (2, 2), [2, 3], (0, 3), (), (-1,), 2)
        for strides in (None, (8,), (8, 8), [16, 8], (0, 0), (), (8, 8, 8), (-8,), (-32, -8))
    ],
    "lib.stride_tricks.sliding_window_view": [
        (window, axis) for window in (1, 2, 7, 0, -1, (2,), (2, 2), [2, 3], numpy.int64(2), "a")
        for axis in (None, 0, -1, (0, 1), (1, 0), (0, 0), 5)
    ],
}


def arrays(shape, layout):
    """Return NumPy's array, a plain one and one with a gradient, in the middle of like memory."""
    count = int(numpy.prod(shape))

    def middle(memory):
        return LAYOUTS[layout](memory[48:48 + count].reshape(shape))

    tracked = under_test.asarray(torch.tensor(MEMORY, requires_grad=True))
    return middle(MEMORY), middle(under_test.array(MEMORY)), middle(tracked)


def described(module, name, array, args):
    """Return the shapes, strides and values of what a call gives, or the type of its error."""
    function = module
    for part in name.split("."):
        function = getattr(function, part)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = function(array, *args)
        except Exception as error:  # noqa: BLE001 - the type is what is compared
            return type(error)
    results = results if isinstance(results, list) else [results]
    return [
        (part.shape, part.strides if part.size else None,
         (part.tensor.detach() if isinstance(part, under_test.ndarray) else part).tolist())
        for part in results
    ]


@pytest.mark.parametrize("name", sorted(CALLS))
@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_both_paths_end_as_numpys(name, layout):
    answered = 0
    for shape in SHAPES:
        theirs, plain, tracked = arrays(shape, layout)
        if name.startswith("fft") and not shape:
            continue  # NumPy fails on no axes at all
        for args in CALLS[name]:
            if name.endswith("as_strided") and not theirs.size:
                continue  # where no element is, no memory is agreed on
            want = described(numpy, name, theirs, args)
            answered += isinstance(want, list)
            assert described(under_test, name, plain, args) == want, (shape, args)
            got = described(under_test, name, tracked, args)
            if name == "lib.stride_tricks.sliding_window_view" and isinstance(want, list) and (
                    isinstance(got, list)):
                # torch's own view has strides of its own along axes of length 1.
                want, got = ([(shape, values) for shape, _, values in parts] for parts in (want, got))
            if name in ("roll", "fft.fftshift", "fft.ifftshift") and isinstance(want, list):
                want, got = ([(shape, values) for shape, _, values in parts] for parts in (want, got))  # copies
            assert got == want, ("with a gradient", shape, args)
    assert answered > 0


def test_more_parts_than_are_counted_out():
    theirs, plain, tracked = arrays((6,), "in C order")
    want = described(numpy, "array_split", theirs, (66000,))
    assert described(under_test, "array_split", plain, (66000,)) == want
    assert len(under_test.array_split(tracked, 66000)) == 66000


@pytest.mark.parametrize("name", ["array_split", "rollaxis", "rot90", "fft.fftshift", "lib.stride_tricks.as_strided"])
def test_a_gradient_comes_back(name):
    leaf = torch.arange(24.0, dtype=torch.float64, requires_grad=True)
    array = under_test.asarray(leaf).reshape(4, 6)
    args = {"array_split": (2,), "rollaxis": (1,), "lib.stride_tricks.as_strided": ((4, 6), (48, 8))}.get(name, ())
    function = under_test
    for part in name.split("."):
        function = getattr(function, part)
    results = function(array, *args)
    for part in results if isinstance(results, list) else [results]:
        (part * 2.0).sum().tensor.backward()
    assert leaf.grad.tolist() == [2.0] * 24


@pytest.mark.parametrize(
    "first, second", list(itertools.product(((3,), (1,), (2, 3), (2, 1), (), (0,), (3, 1, 1)), repeat=2)))
def test_arrays_of_which_one_carries_a_gradient_broadcast_as_numpys(first, second):
    theirs = [numpy.full(shape, 1.5) for shape in (first, second)]
    for tracked in ((True, False), (False, True), (True, True)):
        ours = [
            under_test.asarray(torch.tensor(array, requires_grad=True)) if tracks else under_test.array(array)
            for array, tracks in zip(theirs, tracked, strict=True)
        ]
        try:
            want = [part.shape for part in numpy.broadcast_arrays(*theirs)]
        except ValueError:
            with pytest.raises(ValueError, match="broadcast"):
                under_test.broadcast_arrays(*ours)
            continue
        parts = under_test.broadcast_arrays(*ours)
        assert [part.shape for part in parts] == want
        assert all((part.tensor == 1.5).all() for part in parts)


@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize("first, second", list(itertools.product(((3,), (2, 3), (1, 3), (4, 2, 3)), repeat=2)))
def test_cross_products_with_gradients(first, second, axis):
    rng = numpy.random.default_rng(3)
    if axis == 0:
        first, second = first[::-1], second[::-1]
    theirs = [rng.normal(size=shape) for shape in (first, second)]
    ours = [under_test.asarray(torch.tensor(array, requires_grad=True)) for array in theirs]
    for module in ("", "linalg"):
        want, got = (
            described(getattr(xp, module) if module else xp, "cross", arrays[0], (arrays[1],))
            if axis == -1 else crossed(getattr(xp, module) if module else xp, *arrays)
            for xp, arrays in ((numpy, theirs), (under_test, ours))
        )
        if isinstance(want, type):
            assert got is want
            continue
        for (shape, _, values), (other, _, found) in zip(want, got, strict=True):
            assert shape == other
            numpy.testing.assert_allclose(found, values, rtol=1e-14, atol=1e-14)


def crossed(module, first, second):
    """Return the cross product along the first axis of each, as `described` has it, or the type of its error."""
    try:
        result = module.cross(first, second, axis=0)
    except ValueError as error:
        return type(error)
    return [(result.shape, None, (result.tensor.detach() if hasattr(result, "tensor") else result).tolist())]
