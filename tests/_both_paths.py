"""Both paths of a declared function against NumPy: the kernel of plain arrays, and the body on torch.

A table gives, by function, the calls to make: tuples of arguments, a dict at the end being keywords.
"""

import warnings

import numpy
import pytest
import torch

from tests._oracle import agree, each, under_test

RNG = numpy.random.default_rng(20)
SQUARE = RNG.normal(size=(4, 4))
POSITIVE = SQUARE @ SQUARE.T + numpy.eye(4)
COMPLEX = SQUARE + 1j * RNG.normal(size=(4, 4))
VECTOR = RNG.normal(size=7)
WIDE = RNG.normal(size=(3, 5))
CUBE = RNG.normal(size=(2, 3, 4))
WITH_NAN = WIDE.copy()
WITH_NAN[0, 1] = numpy.nan
WITH_NAN[2] = numpy.nan


def member(module, path):
    """Return what a dotted path names in a module."""
    for part in path.split("."):
        module = getattr(module, part)
    return module


def split(call):
    """Return positional and keyword arguments of a call."""
    return (call[:-1], call[-1]) if call and isinstance(call[-1], dict) else (call, {})


def rows(table):
    """Return the calls of a table as parameters of a test."""
    return [
        pytest.param(name, call, id=f"{name}-{index}") for name, calls in sorted(table.items())
        for index, call in enumerate(calls)
    ]


def plain_path(name, call, **how):
    """Fail unless a call on plain arrays ends as it does in NumPy."""
    args, keywords = split(call)
    agree(lambda xp, *args, **keywords: member(xp, name)(*args, **keywords), *args, **keywords, **how)


def tracked(value, leaves):
    """Return `value` with its inexact arrays as tensors that require a gradient, and the others as tensors."""
    def tensor_of(leaf):
        if not isinstance(leaf, numpy.ndarray):
            return leaf
        tensor = torch.from_numpy(leaf.copy())
        if leaf.dtype.kind in "fc":
            leaves.append(tensor.requires_grad_())
        return tensor

    return each(value, tensor_of)


def flattened(value):
    """Return the arrays and scalars in a result."""
    if isinstance(value, list | tuple):
        return [part for item in value for part in flattened(item)]
    if isinstance(value, under_test.ndarray):
        value = value.tensor
    return [value]


def torch_path(name, call, tolerance=1e-9, differentiable=True):
    """Fail unless a call on tensors with gradients gives NumPy's values, dtypes and shapes, and a gradient."""
    args, keywords = split(call)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = flattened(member(numpy, name)(*args, **keywords))
    leaves = []
    got = flattened(member(under_test, name)(*tracked(tuple(args), leaves), **tracked(keywords, leaves)))
    assert len(got) == len(want)
    for ours, theirs in zip(got, want, strict=True):
        values = ours.detach().resolve_conj().resolve_neg().numpy() if isinstance(ours, torch.Tensor) else ours
        assert numpy.shape(values) == numpy.shape(theirs)
        assert numpy.asarray(values).dtype == numpy.asarray(theirs).dtype
        numpy.testing.assert_allclose(values, theirs, rtol=tolerance, atol=tolerance)
    with_gradient = [ours for ours in got if isinstance(ours, torch.Tensor) and ours.requires_grad]
    assert bool(with_gradient) == differentiable
    if with_gradient:
        torch.autograd.grad(sum(ours.abs().nansum() for ours in with_gradient), leaves, allow_unused=True)
