"""Reductions that skip NaN.

https://numpy.org/doc/2.4/reference/routines.statistics.html
"""

from __future__ import annotations

import math

import torch

from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes, inexact
from fastnp._routines.quantiles import restored
from fastnp._routines.reductions import argmax, argmin
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, NoValue, OutArray

declare = Chapter("fastnp")


def counted(a: torch.Tensor, where=NoValue) -> torch.Tensor:
    """Return which elements take part: those that are no NaN, where `where` is true."""
    present = ~torch.isnan(a)
    return present if where is NoValue else present & where


def given(value, default):
    """Return a value, or the default where none was given."""
    return default if value is NoValue else value


def total(name, values, axis, dtype, keepdims, initial):
    """Return the sum or product of values, in NumPy's dtype for it."""
    return UFUNCS[name].reduce(values, axis, dtype, keepdims=given(keepdims, False), initial=initial)


@declare(host=True)
def nansum(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: ArrayLike = NoValue):
    return total("add", torch.where(counted(a, where), a, 0), axis, dtype, keepdims, initial)


@declare(host=True)
def nanprod(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
            where: ArrayLike = NoValue):
    return total("multiply", torch.where(counted(a, where), a, 1), axis, dtype, keepdims, initial)


def extreme(name, a, axis, keepdims, initial, where):
    """Return the least or greatest of the elements that take part; NaN where there is none."""
    return UFUNCS[name].reduce(a, axis, keepdims=given(keepdims, False), initial=initial, where=given(where, True))


@declare(host=True)
def nanmin(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: ArrayLike = NoValue):
    return extreme("fmin", a, axis, keepdims, initial, where)


@declare(host=True)
def nanmax(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue,
           where: ArrayLike = NoValue):
    return extreme("fmax", a, axis, keepdims, initial, where)


def position(a, axis, keepdims, empty, search):
    """Return where the least or greatest element is."""
    if a.is_floating_point() or a.is_complex():
        missing = torch.isnan(a)
        if bool(missing.all(*(() if axis is None else (axis,))).any()):
            raise ValueError("All-NaN slice encountered")
        a = torch.where(missing, empty, a)
    return search(a, axis, keepdims=given(keepdims, False))


@declare(host=True)
def nanargmin(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue):
    return position(a, axis, keepdims, math.inf, argmin)


@declare(host=True)
def nanargmax(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue):
    return position(a, axis, keepdims, -math.inf, argmax)


@declare(host=True)
def nancumsum(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None):
    a, axis = (a.reshape(-1), 0) if axis is None else (a, axis)
    return UFUNCS["add"].accumulate(torch.where(counted(a), a, 0), axis, dtype)


@declare(host=True)
def nancumprod(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None):
    a, axis = (a.reshape(-1), 0) if axis is None else (a, axis)
    return UFUNCS["multiply"].accumulate(torch.where(counted(a), a, 1), axis, dtype)


@declare(host=True)
def nanmean(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, keepdims=NoValue, *,
            where: ArrayLike = NoValue):
    axes = canonical_axes(axis, a.ndim)
    present = counted(a, where)
    values = torch.where(present, inexact(a).to(dtype or inexact(a).dtype), 0)
    return restored(values.sum(axes) / present.sum(axes), axes, keepdims)


def variance(a, axis, dtype, ddof, keepdims, where, mean, correction):
    """Return the variance of the elements that take part."""
    if correction is not NoValue:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    axes = canonical_axes(axis, a.ndim)
    present = counted(a, where)
    values = torch.where(present, inexact(a).to(dtype or inexact(a).dtype), 0)
    count = present.sum(axes, keepdim=True)
    if mean is NoValue:
        mean = values.sum(axes, keepdim=True) / count
    spread = torch.where(present, values - mean, 0)
    spread = (spread * spread.conj()).real if spread.is_complex() else spread.square()
    result = spread.sum(axes) / (count.reshape(spread.sum(axes).shape) - ddof)
    return restored(torch.where(count.reshape(result.shape) > ddof, result, math.nan), axes, keepdims)


@declare(host=True)
def nanvar(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
           where: ArrayLike = NoValue, mean: ArrayLike = NoValue, correction=NoValue):
    return variance(a, axis, dtype, ddof, keepdims, where, mean, correction)


@declare(host=True)
def nanstd(a: ArrayLike, axis=None, dtype: DTypeLike = None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
           where: ArrayLike = NoValue, mean: ArrayLike = NoValue, correction=NoValue):
    return variance(a, axis, dtype, ddof, keepdims, where, mean, correction).sqrt()
