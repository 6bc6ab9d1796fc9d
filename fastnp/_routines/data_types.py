"""Questions about dtypes: an array, on whichever device, stands for its dtype.

https://numpy.org/doc/2.4/reference/routines.dtype.html
"""

from __future__ import annotations

import sys

import numpy
import torch

from fastnp._core import promotion
from fastnp._core.dtype import to_numpy_dtype, to_torch_dtype
from fastnp._core.kernels.shape_bodies import BODIES
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter, declare_method
from fastnp._typing import ArrayLike, DTypeLike, Mixed, Relevant

declare = Chapter("fastnp")

# Of dtypes and Python objects alone.
declare.borrow("isdtype", "issubdtype", "mintypecode", "typename")


def dtype_spelled(value):
    """Return what NumPy takes for `value`: an array or a torch.dtype is its numpy.dtype."""
    if isinstance(value, torch.Tensor):
        return to_numpy_dtype(value.dtype)
    if isinstance(value, ndarray):
        return value.dtype
    return to_numpy_dtype(value) if isinstance(value, torch.dtype) else value


def only_dtype(value):
    """Return what NumPy takes for a dtype; TypeError for an array."""
    if isinstance(value, torch.Tensor | ndarray):
        raise TypeError("Cannot construct a dtype from an array")
    return dtype_spelled(value)


@declare(compiled=promotion.min_scalar_type_body)
def min_scalar_type(a: Relevant, /): ...


@declare(compiled=promotion.result_type_body)
def result_type(*arrays_and_dtypes: Mixed):
    return numpy.result_type(*map(dtype_spelled, arrays_and_dtypes))


@declare(compiled=promotion.can_cast_body)
def can_cast(from_: Relevant, to, casting="safe"):
    return numpy.can_cast(dtype_spelled(from_), only_dtype(to), casting)


@declare(compiled=promotion.promote_types_body)
def promote_types(type1, type2, /):
    return numpy.promote_types(only_dtype(type1), only_dtype(type2))


@declare(compiled=promotion.common_type_body)
def common_type(*arrays: Mixed):
    return numpy.common_type(
        *(numpy.empty(0, dtype_spelled(array)) if isinstance(array, torch.Tensor) else array for array in arrays)
    )


@declare(compiled=BODIES["astype"], host=True)
def astype(x: ArrayLike, dtype: DTypeLike, /, *, copy=True, device=None):
    if device is not None and torch.device(device) != x.device:
        return x.to(device, dtype)
    # NumPy: no dtype is the default one.
    return x.to(to_torch_dtype(float) if dtype is None else dtype, copy=bool(copy))


@declare_method()
def __array_namespace__(self, /, *, api_version=None):
    """Return the module that has the array API of this array."""
    if api_version is not None and api_version not in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f'Version "{api_version}" of the Array API Standard is not supported.')
    return sys.modules["fastnp"]


