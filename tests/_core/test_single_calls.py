"""Calls that are one operator of ATen where arrays carry gradients: both sides of each switch, NumPy beside them."""

import numpy
import pytest
import torch

import fastnp as np
from tests._oracle import Cells, under_test
from tests._paths import through_torch

DTYPES = ("?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")
LAYOUTS = {
    "whole": lambda a: a,
    "turned": lambda a: a.T,
    "stepped": lambda a: a[::2],
    "backwards": lambda a: a[::-1],
    "empty": lambda a: a[:0],
}


def filled(dtype):
    """Return a matrix of few values, some of them equal, with a NaN where there are such."""
    values = (numpy.arange(20).reshape(4, 5) * 7 % 11).astype(dtype)
    if values.dtype.kind in "fc":
        values[1, 2] = numpy.nan
    return values


def carrying(value):
    """Return an array that carries a gradient, where its dtype can."""
    if value.dtype.kind not in "fc":
        return value
    return np.asarray(value.tensor.clone().requires_grad_())


def bare(result):
    """Return results without gradients."""
    if isinstance(result, (tuple, list)):
        return type(result)(map(bare, result))
    if isinstance(result, np.ndarray) and result.tensor.requires_grad:
        plain = np.asarray(result.tensor.detach())
        return plain[()] if result.ndim == 0 and np.isscalar(result) else plain
    return result


def through_gradients(body):
    """Return the body run on an array that carries a gradient."""

    def run(xp, array, *rest):
        if xp is not under_test or xp is numpy:
            return body(xp, array, *rest)
        return bare(body(xp, carrying(array), *rest))

    return run


def calls():
    """Return the calls by name: functions of a module, an array and two index arrays of the same module."""
    return {
        "a[i]": lambda xp, a, i, m: a[i],
        "a[-i]": lambda xp, a, i, m: a[-i],
        "a[i2]": lambda xp, a, i, m: a[i[:4].reshape(2, 2)],
        "a[:, i]": lambda xp, a, i, m: a[:, i],
        "a[..., i]": lambda xp, a, i, m: a[..., i],
        "a[i, :]": lambda xp, a, i, m: a[i, :],
        "a[list]": lambda xp, a, i, m: a[[0, -1]],
        "a[no list]": lambda xp, a, i, m: a[[]],
        "a[m]": lambda xp, a, i, m: a[m],
        "a[m, :]": lambda xp, a, i, m: a[m, :],
        "a[short]": lambda xp, a, i, m: a[i.astype("i2")],
        "a[a == a]": lambda xp, a, i, m: a[a == a],
        "a[()]": lambda xp, a, i, m: a[()],
        "a[0, 0][()]": lambda xp, a, i, m: a[0, 0][()],
        "far": lambda xp, a, i, m: a[i + 99],
        "take": lambda xp, a, i, m: xp.take(a, i),
        "take axis": lambda xp, a, i, m: a.take(-i, axis=1),
        "take matrix": lambda xp, a, i, m: xp.take(a, i[:4].reshape(2, 2), axis=0),
        "take number": lambda xp, a, i, m: xp.take(a, 1),
        "take number axis": lambda xp, a, i, m: xp.take(a, -1, axis=-1),
        "take wrapped": lambda xp, a, i, m: xp.take(a, i + 7, axis=1, mode="wrap"),
        "take far": lambda xp, a, i, m: xp.take(a, i + 99),
        "along": lambda xp, a, i, m: xp.take_along_axis(a, xp.argsort(a, 1), 1),
        "along flat": lambda xp, a, i, m: xp.take_along_axis(a, i, None),
        "sort": lambda xp, a, i, m: xp.sort(a),
        "sort axis": lambda xp, a, i, m: xp.sort(a, axis=0, kind="stable"),
        "sort flat": lambda xp, a, i, m: xp.sort(a, None),
        "repeat": lambda xp, a, i, m: xp.repeat(a, 2),
        "repeat axis": lambda xp, a, i, m: a.repeat(3, axis=1),
        "repeat none": lambda xp, a, i, m: xp.repeat(a, 0, axis=0),
        "repeat wrong": lambda xp, a, i, m: xp.repeat(a, -1),
        "tril": lambda xp, a, i, m: xp.tril(a, 1),
        "triu": lambda xp, a, i, m: xp.triu(a, k=-1),
        "diag": lambda xp, a, i, m: xp.diag(a, 1),
        "diag line": lambda xp, a, i, m: xp.diag(a[..., 0], -1),
        "diagonal": lambda xp, a, i, m: a.diagonal(-1),
        "flatten": lambda xp, a, i, m: a.flatten(),
        "flatten F": lambda xp, a, i, m: a.flatten("F"),
        "copy": lambda xp, a, i, m: a.copy(),
        "copy K": lambda xp, a, i, m: xp.copy(a, "K"),
        "astype f4": lambda xp, a, i, m: a.astype("f4") if a.dtype.kind != "c" else a.astype("c8"),
        "astype f8": lambda xp, a, i, m: a.astype("f8") if a.dtype.kind != "c" else a.astype("c16"),
        "full_like": lambda xp, a, i, m: xp.full_like(a, 3),
        "full_like float": lambda xp, a, i, m: xp.full_like(a, 2.5),
        "full_like dtype": lambda xp, a, i, m: xp.full_like(a, 2, dtype="i4"),
        "zeros_like": lambda xp, a, i, m: xp.zeros_like(a),
        "ones_like": lambda xp, a, i, m: xp.ones_like(a),
    }


INDEX, MASK = numpy.array([2, 0, 1, 1, 3]), numpy.array([True, False, True, True])
WAYS = {"gradient": through_gradients, "device": through_torch}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", WAYS)
def test_single_calls_are_numpys(way, layout):
    with Cells(layout=False, tolerance="rounded") as cells:
        for dtype in DTYPES:
            values = filled(dtype)
            mask = numpy.resize(MASK, LAYOUTS[layout](values).shape[0])
            for name, call in calls().items():
                body = WAYS[way](lambda xp, a, i, m, call=call: call(xp, LAYOUTS[layout](a), i, m))
                cells.same(f"{name} {dtype}", body, values, INDEX, mask)


WITHOUT = ("far", "take far", "repeat wrong", "full", "zeros", "ones", "a[a")
DIFFERENTIABLE = [name for name in calls() if not name.startswith(WITHOUT)]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_go_through_single_calls(name):
    call = calls()[name]
    index, mask = np.asarray(INDEX), np.asarray(MASK)
    tensor = torch.rand((4, 5), dtype=torch.float64).requires_grad_()
    if "astype f4" in name:
        call(np, np.asarray(tensor), index, mask).tensor.sum().backward()
        assert torch.equal(tensor.grad, torch.ones_like(tensor))
        return
    assert torch.autograd.gradcheck(lambda tensor: call(np, np.asarray(tensor), index, mask).tensor, tensor)


def test_class_with_a_hook_sees_what_is_picked():
    class Seen(torch.Tensor):
        names = []  # noqa: RUF012 - the class's record

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.names.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    array = np.asarray(torch.rand(3, dtype=torch.float64).requires_grad_().as_subclass(Seen))
    for call in (lambda: np.sort(array), lambda: np.repeat(array, 2), lambda: np.argsort(array), array.copy):
        Seen.names.clear()
        call()
        assert Seen.names


def test_result_without_gradient_of_an_array_with_one_is_the_plain_one():
    values = numpy.array([[3.0, numpy.nan, 1.0], [1.0, -0.0, 2.0]])
    array = np.asarray(torch.tensor(values).requires_grad_())
    calls_of = {
        "argsort": lambda xp, a: xp.argsort(a), "argsort method": lambda xp, a: a[::-1].argsort(0),
        "argmax": lambda xp, a: xp.argmax(a, axis=1), "any": lambda xp, a: a.any(),
        "nonzero": lambda xp, a: xp.nonzero(a),
        "isclose": lambda xp, a: xp.isclose(a, a.T[0, 0]), "allclose": lambda xp, a: xp.allclose(a, a, equal_nan=True),
        "array_equal": lambda xp, a: xp.array_equal(a, a), "isin": lambda xp, a: xp.isin(a, [1.0, 2.0]),
        "count_nonzero": lambda xp, a: xp.count_nonzero(a, axis=0), "nanargmin": lambda xp, a: xp.nanargmin(a),
        "searchsorted": lambda xp, a: xp.searchsorted(a[1], a[0]), "histogram": lambda xp, a: xp.histogram(a[1], 2),
        "isreal": lambda xp, a: xp.isreal(a), "digitize": lambda xp, a: xp.digitize(a[1], [0.0, 1.5]),
    }
    with Cells() as cells:
        for name, call in calls_of.items():
            theirs, ours = call(numpy, values), call(np, array)
            for want, got in zip(*(x if isinstance(x, tuple) else (x,) for x in (theirs, ours)), strict=True):
                cells.require(name, numpy.array_equal(numpy.asarray(got), want), f"{got} {want}")
                cells.require(name, not (isinstance(got, np.ndarray) and got.tensor.requires_grad), "has a gradient")


def test_out_of_a_function_without_gradient_is_written():
    array, out = np.asarray(torch.tensor([1.0, 3.0, 2.0], requires_grad=True)), np.zeros(3, int)
    assert np.argsort(array[None], axis=1).tolist() == [[0, 2, 1]]
    assert np.argmax(array[None], axis=0, out=out) is out
