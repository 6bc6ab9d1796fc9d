"""Truth values, comparison of whole arrays, and what kind of array or number something is.

https://numpy.org/doc/2.4/reference/routines.logic.html
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy
import torch

from fastnp._core.host import memory_of
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._core.kernels.questions import BODIES as QUESTIONS
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._promotion import promoted
from fastnp._routines.creation import empty, ones_like, zeros
from fastnp._routines.data_types import result_type
from fastnp._routines.sorting import as_operands
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, NDArrayLike, OperandLike

declare = Chapter("fastnp")

absolute, isfinite, isnan = (UFUNCS[name] for name in ("absolute", "isfinite", "isnan"))


def near(a, b, rtol, atol, equal_nan):
    """Return which elements of two operands are equal within tolerances that are relative to the second."""
    a, b = as_operands(*(float(x) if type(x) is int and not -2**63 <= x < 2**64 else x for x in (a, b)))
    if not (b.is_floating_point() or b.is_complex()):
        b = b.to(torch.float64)
        a = a.to(torch.float64)
    # Of complex numbers, which torch does not compare, the real parts say which is less.
    size = b.abs()
    close = UFUNCS["less_equal"]((a - b).abs(), atol + rtol * size)
    # NaN is not less than infinity, and the size of a finite complex number may be infinite.
    finite = torch.isfinite(b) if b.is_complex() else size < torch.inf
    result = (close & finite) | (a == b)
    return result | (torch.isnan(a) & torch.isnan(b)) if equal_nan else result


#: Elements that comparisons of two large arrays look at before they go on: what is made for them stays in the cache.
BLOCK = 32768
#: Up to so many, one look is quicker.
FEW = 2048


def in_blocks(a, b, first=BLOCK):
    """Return pairs of parts of two arrays of one shape, in order, the parts growing up to a block."""
    a, b, start, size = a.reshape(-1), b.reshape(-1), 0, first
    while start < a.size:
        yield a[start:start + size], b[start:start + size]
        start, size = start + size, min(8 * size, BLOCK)


def are_large(a, b):
    """Return whether two operands are arrays of one shape, of many elements in C order."""
    return (isinstance(a, ndarray) and isinstance(b, ndarray) and a.size > FEW and a.shape == b.shape
            and a.flags.c_contiguous and b.flags.c_contiguous)


def near_arrays(a, b, rtol, atol, equal_nan):
    """Return the same of arrays; one operand may be a Python number, whose bound is one as well."""
    if rtol >= 0 and atol >= 0 and (isfinite(a) & isfinite(b)).all():
        # What is equal is near then, and nothing is invalid.
        return absolute(a - b) <= atol + rtol * abs(b)
    with numpy.errstate(invalid="ignore"):
        close = (absolute(a - b) <= atol + rtol * abs(b)) & isfinite(b) | (a == b)
        if equal_nan:
            close |= isnan(a) & isnan(b)
    return close


def near_blocks(a, b, rtol, atol, equal_nan):
    """Return the same of two large arrays, a block at a time, or None where a block has something to warn of."""
    result = empty(a.shape, bool)
    try:
        with numpy.errstate(all="raise"):
            for (x, y), (near_ones, _) in zip(in_blocks(a, b), in_blocks(result, result), strict=True):
                near_ones[...] = near_arrays(x, y, rtol, atol, equal_nan)
    except FloatingPointError:
        return None
    return result


def tolerances_are_usual(rtol, atol):
    """Return whether both are finite Python floats: NumPy warns of others."""
    return type(rtol) is type(atol) is float and math.isfinite(rtol) and math.isfinite(atol)


def inexact_operand(b):
    """Return an operand as floating point, which the absolute value of the least integer needs."""
    if not isinstance(b, ndarray):
        return float(b) if isinstance(b, int) else b
    return b if b.dtype.kind in "fc" else b.astype(result_type(b.dtype, 1.0))


def plain_isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if not tolerances_are_usual(rtol, atol) or type(equal_nan) is not bool or not (
            isinstance(a, ndarray) or isinstance(b, ndarray)):
        return NotImplemented
    result = near_blocks(a, inexact_operand(b), rtol, atol, equal_nan) if are_large(a, b) and a.size > BLOCK else None
    return near_arrays(a, inexact_operand(b), rtol, atol, equal_nan) if result is None else result


@declare(compiled=PASSES["isclose"], host=True, composed=plain_isclose, discrete=True)
def isclose(a: OperandLike, b: OperandLike, rtol: OperandLike = 1e-05, atol: OperandLike = 1e-08, equal_nan=False):
    return near(a, b, rtol, atol, equal_nan)


def plain_allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if not tolerances_are_usual(rtol, atol) or type(equal_nan) is not bool or not (
            isinstance(a, ndarray) or isinstance(b, ndarray)):
        return NotImplemented
    if are_large(a, b):
        return all(near_arrays(x, inexact_operand(y), rtol, atol, equal_nan).all() for x, y in in_blocks(a, b))
    return bool(near_arrays(a, inexact_operand(b), rtol, atol, equal_nan).all())


@declare(compiled=PASSES["allclose"], host=True, composed=plain_allclose, discrete=True)
def allclose(a: OperandLike, b: OperandLike, rtol: OperandLike = 1e-05, atol: OperandLike = 1e-08, equal_nan=False):
    return bool(near(a, b, rtol, atol, equal_nan).all())


def same_elements(a, b, equal_nan):
    """Return whether all elements are equal, NaNs to each other where that is asked for."""
    a, b = promoted(a, b)
    same = a == b
    if equal_nan and (a.is_floating_point() or a.is_complex()):
        same |= torch.isnan(a) & torch.isnan(b)
    return bool(same.all())


def plain_array_equal(a1, a2, equal_nan=False):
    if a1.shape != a2.shape:
        return False
    if a1.size > FEW and are_large(a1, a2):
        return all(plain_array_equal(x, y, equal_nan) for x, y in in_blocks(a1, a2, FEW))
    same = a1 == a2
    if equal_nan and (a1.dtype.kind in "fc" or a2.dtype.kind in "fc"):
        same |= isnan(a1) & isnan(a2)
    return bool(same.all())


@declare(compiled=PASSES["array_equal"], host=True, composed=plain_array_equal, discrete=True)
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan=False):
    return a1.shape == a2.shape and same_elements(a1, a2, equal_nan)


@declare(host=True, composed=True, discrete=True)
def array_equiv(a1: NDArrayLike, a2: NDArrayLike):
    try:
        return bool((a1 == a2).all())
    except ValueError:
        return False


C_ORDER = torch.contiguous_format


def plain_iscomplex(x):
    return x.imag != 0 if x.dtype.kind == "c" else zeros(x.shape, bool)[()]


@declare(compiled=QUESTIONS["iscomplex"], host=True, composed=plain_iscomplex, discrete=True)
def iscomplex(x: ArrayLike):
    return x.imag != 0 if x.is_complex() else torch.zeros_like(x, dtype=torch.bool, memory_format=C_ORDER)


def plain_isreal(x):
    return x.imag == 0 if x.ndim == 0 or x.dtype.kind == "c" else ones_like(x, bool, "A")


@declare(compiled=QUESTIONS["isreal"], host=True, composed=plain_isreal, discrete=True)
def isreal(x: OperandLike):
    if not isinstance(x, torch.Tensor):
        return x.imag == 0  # NumPy: of a number of Python's that is an answer of Python's
    return x.imag == 0 if x.is_complex() else torch.ones_like(x, dtype=torch.bool, memory_format=C_ORDER)


@declare(host=True, composed=True)
def iscomplexobj(x: NDArrayLike):
    return x.dtype.kind == "c"


@declare(host=True, composed=True)
def isrealobj(x: NDArrayLike):
    return x.dtype.kind != "c"


@declare(compiled=QUESTIONS["isscalar"])
def isscalar(element):
    return element.is_scalar if isinstance(element, ndarray) else numpy.isscalar(element)


@declare(compiled=QUESTIONS["iterable"])
def iterable(y):
    return numpy.iterable(y)


@declare(compiled=QUESTIONS["isfortran"], host=True)
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


@declare(compiled=QUESTIONS["may_share_memory"], host=True)
def may_share_memory(a: NDArrayLike, b: NDArrayLike, /, max_work=0):
    return numpy.may_share_memory(stand_in(a), stand_in(b), max_work)


@declare(compiled=QUESTIONS["shares_memory"], host=True)
def shares_memory(a: NDArrayLike, b: NDArrayLike, /, max_work=-1):
    return numpy.shares_memory(stand_in(a), stand_in(b), max_work)
