"""NumPy's promotion for bodies on torch: the tables of the ufuncs are compiled, these few questions are not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy
import torch

from fastnp._core.dtype import to_numpy_dtype, to_torch_dtype


@functools.cache
def promoted_dtype(*dtypes: torch.dtype) -> torch.dtype:
    """Return NumPy's result dtype of the dtypes."""
    return to_torch_dtype(numpy.result_type(*(to_numpy_dtype(dtype) for dtype in dtypes)))


def promoted(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Return the tensors cast to their common dtype, which torch and NumPy do not choose alike (int64 with float32)."""
    dtypes = [tensor.dtype for tensor in tensors]
    if dtypes.count(dtypes[0]) == len(dtypes):
        return tensors
    dtype = promoted_dtype(*dtypes)
    return tuple([tensor.to(dtype) for tensor in tensors])


#: What torch has no kernels for sums of products of.
WITHOUT_PRODUCTS = (torch.bool, torch.uint16, torch.uint32, torch.uint64)


def by_products(function: Callable[..., torch.Tensor], *tensors: torch.Tensor) -> torch.Tensor:
    """Return what a function of sums and products makes of tensors of one dtype, in that dtype.

    Where torch has no kernel for it, 64-bit integers stand in, which wrap around alike; of truths one is enough.
    """
    dtype = tensors[0].dtype
    if dtype not in WITHOUT_PRODUCTS:
        return function(*tensors).to(dtype)
    result = function(*(tensor.to(torch.int64) for tensor in tensors))
    return result != 0 if dtype is torch.bool else result.to(dtype)


def inexact(tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor, integers and booleans as float64."""
    return tensor if tensor.is_floating_point() or tensor.is_complex() else tensor.to(torch.float64)


def inexact_pair(first: torch.Tensor, second: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Return two tensors cast to their common dtype, float64 where that is exact."""
    first, second = promoted(first, second)
    return inexact(first), inexact(second)


def significant(values: torch.Tensor, rcond: Any) -> torch.Tensor:
    """Return which singular values count in a least-squares solution, by LAPACK's rule.

    Those above a share of the greatest: where it is none, being negative or one and more, the precision of the dtype.
    """
    share = float(rcond)
    if not 0 <= share < 1:
        share = torch.finfo(values.dtype).eps
    return values > share * values.amax() if values.numel() else values > 0


def canonical_axes(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """Return axes as a tuple of numbers from 0 on; None means all. NumPy's errors."""
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    return numpy.lib.array_utils.normalize_axis_tuple(axis, ndim)
