"""Reductions that skip NaN.

https://numpy.org/doc/2.4/reference/routines.statistics.html
"""

from __future__ import annotations

import math
import warnings

import numpy
import torch

from fastnp._core.converters import to_tensor
from fastnp._core.dtype import to_numpy_dtype
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes, inexact
from fastnp._routines.indexing import copyto
from fastnp._routines.quantiles import restored
from fastnp._routines.reductions import argmax, argmin, cumprod, cumsum, mean, prod, sum_, var
from fastnp._routines.sorting import where
from fastnp._routines.sorting import where as chosen
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")

divide, isnan, multiply, sqrt, subtract = (UFUNCS[name] for name in ("divide", "isnan", "multiply", "sqrt", "subtract"))


def counted(a: torch.Tensor, where=NoValue) -> torch.Tensor:
    """Return which elements take part: those that are no NaN, where `where` is true."""
    present = ~torch.isnan(a)
    if where is NoValue:
        return present
    if torch.broadcast_shapes(a.shape, where.shape) != a.shape:
        raise ValueError(f"non-broadcastable operand with shape {tuple(a.shape)} doesn't match the broadcast shape")
    return present & where


def check_mask(a, mask):
    """Raise ValueError where a mask has more elements than the array whose elements take part or do not."""
    if numpy.broadcast_shapes(a.shape, mask.shape) != a.shape:
        raise ValueError(f"non-broadcastable operand with shape {a.shape} doesn't match the broadcast shape")


def with_value(a, value, taking_part=NoValue):
    """Return an array with a value in the place of NaNs and of what takes no part."""
    if taking_part is NoValue:
        return where(isnan(a), value, a) if a.dtype.kind in "fc" else a
    check_mask(a, taking_part)
    return where(taking_part & ~isnan(a), a, value)


def given(value, default):
    """Return a value, or the default where none was given."""
    return default if value is NoValue else value


def summed(values, axes, keepdim=False):
    """Return sums along axes; along none of them, which torch takes for all, the values."""
    if axes:
        return values.sum(axes, keepdim=keepdim)
    return values.to(torch.int64) if values.dtype is torch.bool else values


def without_nan(a, value):
    """Return an array with a value in the place of NaNs, contiguous as NumPy's copy is, and where they were or None."""
    if a.dtype.kind not in "fc":
        return a, None
    missing = isnan(a)
    if missing.any():
        return where(missing, value, a), missing
    return a if a.flags.forc else a.copy("K"), missing


def plain_nansum(a, axis=None, dtype=None, out=None, keepdims=NoValue, initial=NoValue, where=NoValue):
    return sum_(without_nan(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@declare(compiled=PASSES["nansum"], host=True, composed=plain_nansum)
def nansum(a: NDArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: NDArrayLike = NoValue):
    if dtype is None and keepdims is initial is where is NoValue and a.dtype.char in "fd" and (
            axis is None or type(axis) is int and -a.ndim <= axis < a.ndim):
        return torch.nansum(a.tensor) if axis is None else torch.nansum(a.tensor, axis)
    return sum_(with_value(a, 0, where), axis, dtype, None, keepdims, initial)


def plain_nanprod(a, axis=None, dtype=None, out=None, keepdims=NoValue, initial=NoValue, where=NoValue):
    return prod(without_nan(a, 1)[0], axis, dtype, out, keepdims, initial, where)


@declare(host=True, composed=plain_nanprod)
def nanprod(a: NDArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
            where: NDArrayLike = NoValue):
    return prod(with_value(a, 1, where), axis, dtype, None, keepdims, initial)


def extreme(name, a, axis, keepdims, initial, where):
    """Return the least or greatest of the elements that take part; NaN where there is none."""
    if keepdims is NoValue and initial is NoValue and where is NoValue:
        return UFUNCS[name].reduce(a, axis)
    return UFUNCS[name].reduce(a, axis, keepdims=given(keepdims, False), initial=initial, where=given(where, True))


def plain_extreme(function, a, axis, out, keepdims, initial, where):
    """Return the least or greatest of the elements that are no NaN; a warning where there is none."""
    if a.ndim == 0 or initial is not NoValue or where is not NoValue:
        return NotImplemented
    result = function.reduce(a, axis, None, out, keepdims is not NoValue and keepdims)
    if isnan(result).any():
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
    return result


def plain_nanmin(a, axis=None, out=None, keepdims=NoValue, initial=NoValue, where=NoValue):
    return plain_extreme(UFUNCS["fmin"], a, axis, out, keepdims, initial, where)


@declare(host=True, composed=plain_nanmin)
def nanmin(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: Relevant = NoValue):
    return extreme("fmin", a, axis, keepdims, initial, where)


def plain_nanmax(a, axis=None, out=None, keepdims=NoValue, initial=NoValue, where=NoValue):
    return plain_extreme(UFUNCS["fmax"], a, axis, out, keepdims, initial, where)


@declare(host=True, composed=plain_nanmax)
def nanmax(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: Relevant = NoValue):
    return extreme("fmax", a, axis, keepdims, initial, where)


def position(a, axis, keepdims, empty, search):
    """Return where the least or greatest element is."""
    if a.is_floating_point() or a.is_complex():
        missing = torch.isnan(a)
        if bool(missing.all(*(() if axis is None else (axis,))).any()):
            raise ValueError("All-NaN slice encountered")
        a = torch.where(missing, empty, a)
    return search(a, axis, keepdims=given(keepdims, False))


def plain_position(a, axis, out, keepdims, empty, search):
    """Return where the least or greatest element is, NaNs aside."""
    a, missing = without_nan(a, empty)
    if missing is not None and missing.all(axis).any():
        raise ValueError("All-NaN slice encountered")
    return search(a, axis, out, keepdims=keepdims)


def plain_nanargmin(a, axis=None, out=None, *, keepdims=NoValue):
    return plain_position(a, axis, out, keepdims, math.inf, argmin)


@declare(host=True, composed=plain_nanargmin, discrete=True)
def nanargmin(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue):
    return position(a, axis, keepdims, math.inf, argmin)


def plain_nanargmax(a, axis=None, out=None, *, keepdims=NoValue):
    return plain_position(a, axis, out, keepdims, -math.inf, argmax)


@declare(host=True, composed=plain_nanargmax, discrete=True)
def nanargmax(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue):
    return position(a, axis, keepdims, -math.inf, argmax)


def plain_nancumsum(a, axis=None, dtype=None, out=None):
    return cumsum(without_nan(a, 0)[0], axis, dtype, out)


@declare(host=True, composed=plain_nancumsum)
def nancumsum(a: NDArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None):
    return cumsum(with_value(a, 0), axis, dtype)


def plain_nancumprod(a, axis=None, dtype=None, out=None):
    return cumprod(without_nan(a, 1)[0], axis, dtype, out)


@declare(host=True, composed=plain_nancumprod)
def nancumprod(a: NDArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None):
    return cumprod(with_value(a, 1), axis, dtype)


def by_count(total, count):
    """Return totals divided by counts, in the dtype of the totals; they are the caller's own."""
    with numpy.errstate(invalid="ignore", divide="ignore"):
        if total.ndim == 0:
            return (total / count).astype(total.dtype)[()]
        return divide(total, count, total, casting="unsafe")


def plain_nanmean(a, axis=None, dtype=None, out=None, keepdims=NoValue, *, where=NoValue):
    if a.ndim == 0 and where is not NoValue:
        return NotImplemented  # NumPy: an axis is one too many where the mask is a truth, not where it is an array
    if a.dtype.kind not in "fc":
        return mean(a, axis, dtype, out, keepdims, where=where)
    if dtype is not None or out is not None:
        return NotImplemented
    values, missing = without_nan(a, 0)
    total = sum_(values, axis, None, None, keepdims, where=where)
    if where is NoValue and values.size and not missing.any() and a.dtype.char == "d":
        return total / (values.size // total.size)
    count = sum_(~missing, axis, int, None, keepdims, where=where)
    result = by_count(total, count)
    if (count == 0).any():
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    return result


@declare(host=True, composed=plain_nanmean)
def nanmean(a: NDArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, *,
            where: NDArrayLike = NoValue):
    dtype = None if dtype is None else to_numpy_dtype(dtype)
    if a.dtype.kind not in "fc":
        return mean(a, axis, dtype, None, given(keepdims, False), where=where)
    if dtype is not None and dtype.kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    present = ~isnan(a)
    if where is not NoValue:
        check_mask(a, where)
        present = present & where
    total = chosen(present, a if dtype is None else a.astype(dtype), 0).sum(axis, keepdims=given(keepdims, False))
    count = present.sum(axis, keepdims=given(keepdims, False))
    return total / count.astype(total.dtype)


def variance(a, axis, dtype, ddof, keepdims, where, mean, correction):
    """Return the variance of the elements that take part."""
    if correction is not NoValue:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        if getattr(correction, "size", 1) != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous.")
        ddof = correction
    if type(ddof) not in (int, float):
        ddof = to_tensor(ddof)
        ddof = ddof if ddof.is_complex() else ddof.to(torch.float64)
    axes = canonical_axes(axis, a.ndim)
    present = counted(a, where)
    if a.dtype is dtype is torch.bool:
        numpy.subtract(numpy.True_, numpy.True_)  # raises: truths have no difference
    if dtype is not None and a.dtype.is_floating_point and not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError("If a is inexact, then dtype must be inexact")
    values = torch.where(present, inexact(a).to(dtype or inexact(a).dtype), 0)
    count = summed(present, axes, True)
    if mean is NoValue:
        mean = summed(values, axes, True) / count
    else:
        # NumPy: the differences are written over the values.
        mean = mean.to(values.dtype) if values.is_complex() or not mean.is_complex() else mean.real
    spread = torch.where(present, values - mean, 0)
    spread = (spread * spread.conj()).real if spread.is_complex() else spread.square()
    result = summed(spread, axes)
    freedom = count.reshape(result.shape) - ddof
    quotient = result / freedom
    if freedom.is_complex():
        freedom, quotient = freedom.real, quotient.real
    quotient = torch.where(freedom > 0, quotient.to(result.dtype), math.nan)
    is_asked = dtype is not None and not dtype.is_floating_point
    return restored(quotient.to(dtype) if is_asked else quotient, axes, keepdims)


def few_enough(ddof, a, axis):
    """Return whether there are elements, and along an axis more than `ddof`; False for axes that are not common."""
    if type(axis) is int and -a.ndim <= axis < a.ndim:
        return a.size > 0 and a.shape[axis] > ddof
    return axis is None and a.size > max(ddof, 0)


def plain_variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction):
    """Return the variance of the elements that are no NaN, in the order of NumPy's operations."""
    usual = dtype is None and out is None and where is NoValue and mean is NoValue and correction is NoValue
    if not usual or a.ndim == 0 or type(ddof) not in (int, float):
        return NotImplemented
    if a.dtype.kind not in "fc":
        return var(a, axis, None, None, ddof, keepdims)
    values, missing = without_nan(a, 0)
    if a.dtype.char == "d" and few_enough(ddof, a, axis) and not missing.any():
        return var(values, axis, None, None, ddof, keepdims)
    count = (~missing).sum(axis, keepdims=True)
    values = subtract(values, by_count(values.sum(axis, keepdims=True), count))
    copyto(values, 0, where=missing)
    squares = multiply(values, values.conj()).real if values.dtype.kind == "c" else multiply(values, values, values)
    total = squares.sum(axis, keepdims=given(keepdims, False))
    freedom = (count if total.ndim == count.ndim else count.squeeze(axis)) - ddof
    result, bad = by_count(total, freedom), freedom <= 0
    if not bad.any():
        return result
    warnings.warn("Degrees of freedom <= 0 for slice.", RuntimeWarning, stacklevel=3)
    if result.ndim == 0:
        return result * math.nan
    copyto(result, math.nan, where=bad)
    return result


def plain_nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NoValue, *, where=NoValue, mean=NoValue,
                 correction=NoValue):
    return plain_variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@declare(host=True, composed=plain_nanvar)
def nanvar(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
           where: ArrayLike = NoValue, mean: ArrayLike = NoValue, correction=NoValue):
    return variance(a, axis, dtype, ddof, keepdims, where, mean, correction)


def plain_nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NoValue, *, where=NoValue, mean=NoValue,
                 correction=NoValue):
    result = plain_variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction)
    return result if result is NotImplemented else sqrt(result)


@declare(host=True, composed=plain_nanstd)
def nanstd(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
           where: ArrayLike = NoValue, mean: ArrayLike = NoValue, correction=NoValue):
    squares = variance(a, axis, dtype, ddof, keepdims, where, mean, correction)
    return squares.sqrt().to(squares.dtype)
