"""NumPy's promotion for bodies on torch: the tables of the ufuncs are compiled, these few questions are not."""

from __future__ import annotations

import functools
import math
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
        try:
            return function(*tensors).to(dtype)
        except NotImplementedError:  # torch: on CUDA none of integers
            if len(tensors) != 2 or dtype.is_floating_point or dtype.is_complex:
                raise
            return by_limbs(function, *tensors).to(dtype)
    result = by_products(function, *(tensor.to(torch.int64) for tensor in tensors))
    return result != 0 if dtype is torch.bool else result.to(dtype)


#: So many products are written out to be summed, 32 MB of them: two kernels, where limbs take forty.
FEW_PRODUCTS = 1 << 22


def by_limbs(function: Callable[..., torch.Tensor], a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return sums of products of integers, modulo 2**64, by such of float64 that are exact.

    Parameters
    ----------
    function : callable
        Linear in each of two tensors.
    a, b : torch.Tensor
        Of one integer dtype. Each is split into limbs of so few bits that no sum of products leaves 53 bits.
    """
    if function is torch.matmul and a.dim() > 1 < b.dim() and (
            a.numel() * b.shape[-1] * math.prod(b.shape[:-2]) <= FEW_PRODUCTS):
        return (a.unsqueeze(-1) * b.unsqueeze(-3)).sum(-2)
    size = 8 * a.dtype.itemsize
    # Of a sum of all pairs (`i,j->`) there are more products than elements.
    sums = function(*(torch.empty(tensor.shape, dtype=torch.float64, device="meta") for tensor in (a, b))).numel()
    terms = max(a.numel(), b.numel(), a.numel() * b.numel() // max(sums, 1), 1)
    width = min(size, (52 - terms.bit_length()) // 2)
    if width < 1:
        raise OverflowError(f"sums of {terms} integer products are not exact on {a.device}: compute them on the host")
    parts = [limbs(tensor.to(torch.int64), size, width) for tensor in (a, b)]
    products = [
        function(first, second).to(torch.int64) << (i + j) * width
        for i, first in enumerate(parts[0]) for j, second in enumerate(parts[1]) if (i + j) * width < 64
    ]
    return functools.reduce(torch.add, products)


def limbs(tensor: torch.Tensor, size: int, width: int) -> list[torch.Tensor]:
    """Return integers of `size` bits as float64 of `width` bits each, the lowest first; the last has the sign."""
    count = -(-size // width)
    low = [(tensor >> k * width) & (1 << width) - 1 for k in range(count - 1)]
    return [part.to(torch.float64) for part in (*low, tensor >> (count - 1) * width)]


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
