"""Averages, correlations and histograms.

https://numpy.org/doc/2.4/reference/routines.statistics.html
"""

from __future__ import annotations

import math
import operator

import torch

from fastnp._core.borrowed import as_ours
from fastnp._core.kernels.lines import BODIES as LINES
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._declare import Chapter
from fastnp._promotion import (
    by_products,
    canonical_axes,
    inexact,
    inexact_pair,
    promoted,
    promoted_dtype,
)
from fastnp._routines.clipping import clip
from fastnp._routines.creation import array, full
from fastnp._routines.data_types import result_type
from fastnp._routines.products import dot
from fastnp._routines.quantiles import restored
from fastnp._routines.shape import concatenate
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, NDArrayLike, NoValue, NumPyDTypeLike

declare = Chapter("fastnp")

isfinite, isnan, minimum, rint, sqrt, true_divide = (
    UFUNCS[name] for name in ("isfinite", "isnan", "minimum", "rint", "sqrt", "divide")
)
range_ = range  # parameters are named so


def plain_average(a, axis=None, weights=None, returned=False, *, keepdims=NoValue):
    if a.ndim == 0 and axis is not None:
        return NotImplemented
    if weights is None:
        mean = a.mean(axis, keepdims=keepdims is not NoValue and keepdims)
        total = mean.dtype.type(a.size / mean.size)
    else:
        if weights.shape != a.shape:
            if type(axis) is not int or weights.shape != a.shape[axis:][:1]:
                return NotImplemented
            weights = weights.reshape([-1 if dim == axis % a.ndim else 1 for dim in range(a.ndim)])
        dtype = a.dtype
        if dtype != weights.dtype or dtype.kind in "biu":
            dtype = result_type(dtype, weights.dtype, *(["f8"] if dtype.kind in "biu" else []))
        options = {} if keepdims is NoValue else {"keepdims": keepdims}
        total = weights.sum(axis, dtype, **options)
        if (total == 0.0).any():
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        if a.dtype != dtype:
            a = a.astype(dtype)
        mean = (a * weights.astype(dtype, copy=False)).sum(axis, **options) / total
    if not returned:
        return mean
    if total.shape != mean.shape:
        total = full(mean.shape, total)
    return mean, as_ours(total)


@declare(compiled=PASSES["average"], host=True, composed=plain_average)
def average(a: NDArrayLike, axis=None, weights: ArrayLike = None, returned=False, *, keepdims=NoValue):
    if weights is None and not returned and a.size and (axis is None or type(axis) is int and a.ndim):
        return a.mean(axis) if keepdims is NoValue else a.mean(axis, keepdims=keepdims)
    return averaged(a.tensor, axis, weights, returned, keepdims)


def averaged(a, axis, weights, returned, keepdims):
    """Return the average of a tensor, and where it is wanted the sum of the weights."""
    axes = canonical_axes(axis, a.ndim)
    if weights is None:
        mean = inexact(a).mean(axes) if axes else inexact(a)
        if not mean.numel():
            raise ZeroDivisionError("division by zero")  # NumPy: how many elements each mean is of
        if not returned:
            return restored(mean, axes, keepdims)
        total = torch.full_like(mean, a.numel() / max(mean.numel(), 1))
        return restored(mean, axes, keepdims), restored(total, axes, keepdims)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if weights.shape != tuple(a.shape[dim] for dim in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axes)), key=lambda position: axes[position])
        weights = weights.permute(order).reshape([a.shape[dim] if dim in axes else 1 for dim in range(a.ndim)])
    a, weights = inexact_pair(a, weights)
    total = weights.expand(a.shape).sum(axes)
    if not bool(total.all()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return tuple_if(
        returned, restored((a * weights).sum(axes) / total, axes, keepdims), restored(total, axes, keepdims)
    )


def tuple_if(returned: bool, mean: torch.Tensor, total: torch.Tensor):
    """Return the mean, with the sum of the weights where it is wanted."""
    return (mean, total.expand(mean.shape)) if returned else mean


# --- correlations -----------------------------------------------------------------------------------------------------


def plain_cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    if m.ndim > 2 or (y is not None and y.ndim > 2) or fweights is not None and aweights is not None:
        return NotImplemented
    if ddof is not None and ddof != int(ddof):
        return NotImplemented
    if dtype is None:
        dtype = result_type(m.dtype, float) if y is None else result_type(m.dtype, y.dtype, float)
    # What is joined is a copy already.
    x = array(m, dtype, copy=True if y is None else None, ndmin=2)
    if not rowvar and m.ndim != 1:
        x = x.T
    if x.shape[0] == 0:
        return NotImplemented
    if y is not None:
        y = array(y, dtype, copy=None, ndmin=2)
        x = concatenate((x, y.T if not rowvar and y.shape[0] != 1 else y))
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    weights, weighted = fweights if aweights is None else aweights, x
    if weights is None:
        mean, freedom = x.mean(1), x.shape[1] - ddof
    else:
        weights = usual_weights(weights, x.shape[1], aweights is None)
        if weights is None:
            return NotImplemented
        mean, total = plain_average(x, 1, weights, True)
        freedom = total = total[0]
        if ddof:
            freedom = total - ddof * ((weights * weights).sum() / total if aweights is not None else 1)
    if not freedom > 0:
        return NotImplemented
    x -= mean[:, None]
    if weights is not None:
        weighted = x * weights
    products = dot(x, weighted.T.conj())
    products *= true_divide(1, freedom)
    return products.squeeze()


def usual_weights(weights, count, whole):
    """Return weights of observations as doubles; None where NumPy looks closer."""
    if weights.shape != (count,) or weights.dtype.kind not in "biuf":
        return None
    weights = weights.astype(float, copy=False)
    return None if (weights < 0).any() or whole and (weights != rint(weights)).any() else weights


@declare(host=True, composed=plain_cov)
def cov(m: ArrayLike, y: ArrayLike = None, rowvar=True, bias=False, ddof=None, fweights: ArrayLike = None,
        aweights: ArrayLike = None, *, dtype: DTypeLike = None):
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is not None and y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        dtypes = (m.dtype, torch.float64) if y is None else (m.dtype, y.dtype, torch.float64)
        dtype = promoted_dtype(*dtypes)
    x = variables(m, rowvar, dtype)
    if y is not None:
        x = torch.cat([x, variables(y, rowvar, dtype)])
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    weights = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            check_weights(name, given, x.shape[1])
    if fweights is not None:
        if bool((fweights != fweights.round()).any()) if fweights.is_floating_point() else fweights.is_complex():
            raise TypeError("fweights must be integer")
        weights = fweights.to(torch.float64)
    if aweights is not None:
        weights = aweights.to(torch.float64) if weights is None else weights * aweights
    if weights is None:
        mean, count = x.mean(1, keepdim=True), x.shape[1] - ddof
        centred = weighted = x - mean
    else:
        total = weights.sum()
        mean = (x * weights).sum(1, keepdim=True) / total
        count = total - ddof if aweights is None else total - ddof * (weights * aweights).sum() / total
        centred = x - mean
        weighted = centred * weights
    # NumPy: without a degree of freedom the quotient is infinite, not negative.
    if isinstance(count, (int, float)):
        share = 1 / count if count > 0 else math.inf
    else:
        share = 1 / count.clamp(min=0)
    return (centred @ weighted.mH * share).to(dtype).squeeze()


def check_weights(name: str, weights: torch.Tensor, count: int) -> None:
    """Refuse weights that are not one for each observation, or negative."""
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.ndim == 0:
        raise IndexError("tuple index out of range")
    if weights.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if not weights.is_complex() and bool((weights < 0).any()):
        raise ValueError(f"{name} cannot be negative")


def variables(m: torch.Tensor, rowvar: bool, dtype: torch.dtype) -> torch.Tensor:
    """Return observations as a matrix with one variable in each row."""
    m = torch.atleast_2d(m).to(dtype)
    return m.mT if not rowvar and m.shape[0] != 1 else m


def plain_corrcoef(x, y=None, rowvar=True, *, dtype=None):
    products = plain_cov(x, y, rowvar, dtype=dtype)
    if products is NotImplemented or products.ndim == 0:
        return products if products is NotImplemented else products / products
    deviations = sqrt(products.diagonal().real)
    products /= deviations[:, None]
    products /= deviations[None, :]
    for part in (products.real, products.imag) if products.dtype.kind == "c" else (products,):
        clip(part, -1, 1, part)
    return products


@declare(host=True, composed=plain_corrcoef)
def corrcoef(x: NDArrayLike, y: NDArrayLike = None, rowvar=True, *, dtype: NumPyDTypeLike = None):
    products = cov(x, y, rowvar, dtype=dtype)
    if products.ndim == 0:
        return products / products
    deviations = sqrt(products.diagonal().real)
    ratios = products / deviations[:, None] / deviations
    if ratios.dtype.kind == "c":
        return torch.complex(clip(ratios.real, -1, 1).tensor, clip(ratios.imag, -1, 1).tensor)
    return clip(ratios, -1, 1)


#: The modes by the numbers that NumPy's C functions know them by.
SIDES = ("valid", "same", "full")


def padded_windows(a: torch.Tensor, width: int, mode) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the windows of `width` elements that a convolution in `mode` looks at, and what of them there is."""
    if isinstance(mode, bool):
        raise TypeError("convolve/correlate mode not understood")
    if not isinstance(mode, str):
        number = operator.index(mode)
        if not 0 <= number < len(SIDES):
            raise ValueError("integer mode must be 0, 1 or 2")
        mode = SIDES[number]
    sides = {"valid": (0, 0), "same": (width // 2, (width - 1) // 2), "full": (width - 1, width - 1)}
    if mode not in sides:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    windows = torch.nn.functional.pad(a, sides[mode]).unfold(0, width, 1)
    return windows, torch.nn.functional.pad(torch.ones_like(a, dtype=torch.bool), sides[mode]).unfold(0, width, 1)


def overlaps(a: torch.Tensor, v: torch.Tensor, mode: str) -> torch.Tensor:
    """Return the sums of products of what overlaps when `v` is moved along `a`; infinities have no share elsewhere."""
    windows, present = padded_windows(a, len(v), mode)
    return torch.where(present, windows * v, 0).sum(-1)


@declare(compiled=LINES["correlate"], host=True)
def correlate(a: ArrayLike, v: ArrayLike, mode="valid"):
    if a.ndim == 0 or v.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    a, v = promoted(a, v)
    if not len(a):
        raise ValueError("first array argument cannot be empty")
    if not len(v):
        raise ValueError("second array argument cannot be empty")
    if len(a) < len(v):
        return by_products(lambda a, v: overlaps(v.conj(), a, mode).flip(0), a, v)
    return by_products(lambda a, v: overlaps(a, v.conj(), mode), a, v)


@declare(compiled=LINES["convolve"], host=True)
def convolve(a: ArrayLike, v: ArrayLike, mode="full"):
    a, v = promoted(torch.atleast_1d(a), torch.atleast_1d(v))
    if len(v) > len(a):
        a, v = v, a
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    return by_products(lambda a, v: overlaps(a, v.flip(0), mode), a, v)
