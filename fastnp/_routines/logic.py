"""Truth values, comparison of whole arrays, and what kind of array or number something is.

https://numpy.org/doc/2.4/reference/routines.logic.html
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy
import torch

from fastnp._core.host import memory_of
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._promotion import promoted
from fastnp._routines.sorting import as_operands
from fastnp._typing import ArrayLike, NDArrayLike, OperandLike

declare = Chapter("fastnp")


def near(a, b, rtol, atol, equal_nan):
    """Return which elements of two operands are equal within tolerances that are relative to the second."""
    a, b = as_operands(a, b)
    numpy.broadcast_shapes(a.shape, b.shape)
    if not (b.is_floating_point() or b.is_complex()):
        b = b.to(torch.float64)
        a = a.to(torch.float64)
    close = (a - b).abs() <= atol + rtol * b.abs()
    result = (close & torch.isfinite(b)) | (a == b)
    return result | (torch.isnan(a) & torch.isnan(b)) if equal_nan else result


@declare(host=True)
def isclose(a: OperandLike, b: OperandLike, rtol: OperandLike = 1e-05, atol: OperandLike = 1e-08, equal_nan=False):
    return near(a, b, rtol, atol, equal_nan)


@declare(host=True)
def allclose(a: OperandLike, b: OperandLike, rtol: OperandLike = 1e-05, atol: OperandLike = 1e-08, equal_nan=False):
    return bool(near(a, b, rtol, atol, equal_nan).all())


def same_elements(a, b, equal_nan):
    """Return whether all elements are equal, NaNs to each other where that is asked for."""
    a, b = promoted(a, b)
    same = a == b
    if equal_nan and (a.is_floating_point() or a.is_complex()):
        same |= torch.isnan(a) & torch.isnan(b)
    return bool(same.all())


@declare(host=True)
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan=False):
    return a1.shape == a2.shape and same_elements(a1, a2, equal_nan)


@declare(host=True)
def array_equiv(a1: ArrayLike, a2: ArrayLike):
    try:
        numpy.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return same_elements(a1, a2, False)


@declare(host=True)
def iscomplex(x: ArrayLike):
    return x.imag != 0 if x.is_complex() else torch.zeros(x.shape, dtype=torch.bool, device=x.device)


@declare(host=True)
def isreal(x: ArrayLike):
    return x.imag == 0 if x.is_complex() else torch.ones(x.shape, dtype=torch.bool, device=x.device)


@declare(host=True)
def iscomplexobj(x: ArrayLike):
    return x.is_complex()


@declare(host=True)
def isrealobj(x: ArrayLike):
    return not x.is_complex()


@declare()
def isscalar(element):
    return element.is_scalar if isinstance(element, ndarray) else numpy.isscalar(element)


@declare(host=True)
def isfortran(a: NDArrayLike):
    return a.flags.fnc


def stand_in(array):
    """Return a NumPy array at the address of an array's elements, which nobody reads: they may be on a device."""
    tensor = memory_of(array)
    return numpy.asarray(SimpleNamespace(__array_interface__={
        "version": 3,
        "typestr": f"|V{tensor.itemsize}",
        "shape": tuple(tensor.shape),
        "strides": tuple(stride * tensor.itemsize for stride in tensor.stride()),
        "data": (tensor.data_ptr(), True),
    }))


@declare(host=True)
def may_share_memory(a: NDArrayLike, b: NDArrayLike, /, max_work=0):
    return numpy.may_share_memory(stand_in(a), stand_in(b), max_work)


@declare(host=True)
def shares_memory(a: NDArrayLike, b: NDArrayLike, /, max_work=-1):
    return numpy.shares_memory(stand_in(a), stand_in(b), max_work)
