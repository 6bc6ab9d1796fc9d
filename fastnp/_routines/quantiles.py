"""Order statistics: median, percentiles, quantiles and ranges.

https://numpy.org/doc/2.4/reference/routines.statistics.html#order-statistics
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
import torch

from fastnp._core.converters import to_tensor
from fastnp._core.ndarray import ndarray
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes, inexact, promoted_dtype
from fastnp._routines.shape import moveaxis
from fastnp._routines.sorting import sorting_order, where
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")

isnan = UFUNCS["isnan"]


def lanes(a: torch.Tensor, axis) -> tuple[torch.Tensor, tuple[int, ...]]:
    """Return the tensor with the reduced axes as its last one, and these axes."""
    axes = canonical_axes(axis, a.ndim)
    kept = [dim for dim in range(a.ndim) if dim not in axes]
    return a.permute((*kept, *axes)).reshape(
        [*(a.shape[dim] for dim in kept), math.prod(a.shape[dim] for dim in axes)]), axes


def restored(result: torch.Tensor, axes: tuple[int, ...], keepdims) -> torch.Tensor:
    """Return a reduced tensor with the reduced axes as ones of length 1, where they are kept."""
    if keepdims is True or (keepdims is not NoValue and keepdims):
        for axis in sorted(axes):
            result = result.unsqueeze(axis)
    return result


def plotting_position(alpha: float, beta: float) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """Return the continuous method of Hyndman and Fan with the parameters `alpha` and `beta`."""

    def position(n: torch.Tensor, q: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        index = n * q + (alpha + q * (1 - alpha - beta)) - 1
        return index.floor(), index - index.floor()

    return position


def linear(n, q):
    index = (n - 1) * q
    return index.floor(), index - index.floor()


def midpoint(n, q):
    index = (n - 1) * q
    return index.floor(), torch.where(index == index.floor(), 0.0, 0.5)


def inverted_cdf(n, q):
    index = (n * q).ceil() - 1
    return index.clamp(min=0), torch.zeros_like(index)


def averaged_inverted_cdf(n, q):
    index = n * q - 1
    return index.floor(), torch.where(index == index.floor(), 0.5, 1.0)


def closest_observation(n, q):
    index = n * q - 1.5
    floor = index.floor()
    return floor, torch.where((index == floor) & (floor % 2 == 1), 0.0, 1.0)


#: A method -> (lower index, weight of the next one) of the sorted elements, from their number and the quantile.
METHODS = {
    "averaged_inverted_cdf": averaged_inverted_cdf,
    "closest_observation": closest_observation,
    "hazen": plotting_position(0.5, 0.5),
    "higher": lambda n, q: (((n - 1) * q).ceil(), torch.zeros_like(n * q)),
    "interpolated_inverted_cdf": plotting_position(0, 1),
    "inverted_cdf": inverted_cdf,
    "linear": linear,
    "lower": lambda n, q: (((n - 1) * q).floor(), torch.zeros_like(n * q)),
    "median_unbiased": plotting_position(1 / 3, 1 / 3),
    "midpoint": midpoint,
    "nearest": lambda n, q: (((n - 1) * q).round(), torch.zeros_like(n * q)),
    "normal_unbiased": plotting_position(3 / 8, 3 / 8),
    "weibull": plotting_position(0, 0),
}


#: Methods that pick an element, and so keep the dtype.
PICKING = ("higher", "inverted_cdf", "lower", "nearest")


def fractions(q, device: torch.device, whole: int = 1) -> torch.Tensor:
    """Return quantiles as fractions on a device; ValueError outside of [0, 1]."""
    values = q if isinstance(q, (torch.Tensor, ndarray)) else numpy.asarray(q)
    if values.dtype.is_complex if isinstance(values, torch.Tensor) else values.dtype.kind == "c":
        raise TypeError("ufunc 'floor' not supported for the input types")
    if values.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if values.ndim > 1 and 0 in values.shape:
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    values = values / whole
    if not bool(((values >= 0) & (values <= 1)).all()):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return torch.as_tensor(values.tensor if isinstance(values, ndarray) else values, dtype=torch.float64, device=device)


def expanded_weights(weights: torch.Tensor, a: torch.Tensor, axis) -> torch.Tensor:
    """Return weights of the shape of the elements."""
    if weights.shape == a.shape:
        return weights
    axes = canonical_axes(axis, a.ndim)
    if weights.ndim != len(axes):
        raise TypeError("Axis must be specified when shapes of array and weights differ.")
    return weights.reshape([a.shape[dim] if dim in axes else 1 for dim in range(a.ndim)]).expand(a.shape)


def weighted_position(weights: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the places in sorted lanes where their sums of weights reach the quantiles."""
    cdf = weights.cumsum(-1)
    cdf = cdf / cdf[..., -1:]
    cdf = torch.where(cdf == 0, -1, cdf)  # elements of weight 0 at the start are never the minimum
    wanted = q.expand(*cdf.shape[:-1], q.numel()).contiguous()
    return torch.searchsorted(cdf.contiguous(), wanted).clamp(max=weights.shape[-1] - 1)


def is_integral(q) -> bool:
    """Tell whether quantiles are integers, 0 and 1."""
    return isinstance(q, int) or getattr(getattr(q, "dtype", None), "kind", "") in tuple("biu")


def real(a: torch.Tensor, method: str, q=None) -> torch.Tensor:
    """Return numbers that can be interpolated, which complex ones and truth values cannot; NumPy's errors."""
    if a.is_complex():
        raise TypeError("a must be an array of real numbers")
    if a.dtype is torch.bool and method not in PICKING and not (method == "linear" and is_integral(q)):
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    return a


def quantiles_of(a, q, axis, method, keepdims, skip_nan, weights=None, whole=1, empty_is_nan=False) -> torch.Tensor:
    """Return quantiles of the elements along axes, the axes of `q` first; weights are for the inverted CDF alone."""
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {sorted(METHODS)}")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if method == "linear" and whole == 1 and is_integral(q):
        method = "lower"  # NumPy: the least or the greatest is taken, as it is
    # NumPy: a number takes the precision of the elements, an array of quantiles has its own.
    precise = None if type(q) in (int, float) or method in PICKING else to_tensor(q).dtype
    q = fractions(q, a.device, whole)
    if weights is not None:
        weights, _ = lanes(expanded_weights(weights, a, axis).to(torch.float64), axis)
    a, axes = lanes(a if method in PICKING else inexact(a), axis)
    if precise is not None:
        a = a.to(promoted_dtype(a.dtype, precise if precise.is_floating_point else torch.float64))
    if a.shape[-1] == 0 and (skip_nan or empty_is_nan):
        dtype = inexact(a).dtype
        result = torch.full([*q.shape, *a.shape[:-1]], torch.nan, dtype=dtype, device=a.device)
        return restored(result, tuple(axis + q.ndim for axis in axes), keepdims)
    nan = torch.isnan(a) if a.is_floating_point() or a.is_complex() else torch.zeros_like(a, dtype=torch.bool)
    order = sorting_order(a, a.ndim - 1)
    ordered = by_bits(torch.gather, a, -1, order)
    if weights is not None:
        weights = torch.where(nan, 0, weights) if skip_nan else weights
        result = by_bits(torch.gather, ordered, -1, weighted_position(torch.gather(weights, -1, order), q.reshape(-1)))
    else:
        count = (~nan).sum(-1, keepdim=True) if skip_nan else torch.full_like(order[..., :1], a.shape[-1])
        lower, weight = METHODS[method](count, q.reshape(-1))
        last = (count - 1).clamp(min=0)
        below, above = (
            by_bits(torch.gather, ordered, -1, place.clamp(min=0).minimum(last))
            for place in (lower.long(), lower.long() + 1)
        )
        result = below if method in PICKING else torch.lerp(below, above, weight.to(below.dtype))
    if a.is_floating_point() or a.is_complex():
        unknown = nan.all(-1, keepdim=True) if skip_nan else nan.any(-1, keepdim=True)
        result = torch.where(unknown, torch.nan, result)
    result = result.movedim(-1, 0).reshape([*q.shape, *result.shape[:-1]])
    return restored(result, tuple(axis + q.ndim for axis in axes), keepdims)


def plain_quantile_of(a, q, axis, out, overwrite_input, method, keepdims, weights):
    """Return the quantile of one Python float by linear interpolation, in the order of NumPy's operations."""
    if (
        type(q) is not float or not 0 <= q <= 1 or out is not None or overwrite_input or method != "linear" or keepdims
        or weights is not None or a.dtype.kind not in "fiu" or not (axis is None or type(axis) is int)
    ):
        return NotImplemented
    a = a.flatten() if axis is None else moveaxis(a.copy(), axis, 0) if axis else a.copy()
    size = a.shape[0]
    if size == 0:
        return NotImplemented
    place = (size - 1) * q
    previous, following = (-1, -1) if place >= size - 1 else (math.floor(place), math.floor(place) + 1)
    a.partition(sorted({0, size - 1, previous % size, following % size}), 0)
    low, high, share = a[previous], a[following], place - previous
    step = high - low
    result = high - step * (1 - share) if share >= 0.5 else low + step * share
    if a.dtype.kind == "f":
        missing = isnan(a[-1])
        if missing.any():
            result = a[-1] if result.ndim == 0 else where(missing, a[-1], result)
    return result


def plain_quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return plain_quantile_of(a, q, axis, out, overwrite_input, method, keepdims, weights)


@declare(host=True, composed=plain_quantile)
def quantile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: ArrayLike = None,
):
    return quantiles_of(real(a, method, q), q, axis, method, keepdims, False, weights)


def plain_percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
                     weights=None):
    if type(q) not in (int, float):
        return NotImplemented
    return plain_quantile_of(a, q / 100, axis, out, overwrite_input, method, keepdims, weights)


@declare(host=True, composed=plain_percentile)
def percentile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: ArrayLike = None,
):
    return quantiles_of(real(a, method), q, axis, method, keepdims, False, weights, 100)


@declare(host=True)
def nanquantile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: ArrayLike = None,
):
    return quantiles_of(real(a, method, q), q, axis, method, keepdims, True, weights)


@declare(host=True)
def nanpercentile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: ArrayLike = None,
):
    return quantiles_of(real(a, method), q, axis, method, keepdims, True, weights, 100)


def plain_median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if out is not None or overwrite_input or keepdims or not (axis is None or type(axis) is int):
        return NotImplemented
    size = a.size if axis is None else a.shape[axis]
    if size == 0 or a.ndim == 0:
        return NotImplemented
    half = size // 2
    places = [half] if size % 2 else [half - 1, half]
    if a.dtype.kind in "fc":
        places.append(-1)
    ordered, axis = (a.flatten(), 0) if axis is None else (a.copy("K"), axis)
    ordered.partition(places, axis)
    whole = (slice(None),) * (axis % ordered.ndim)
    result = ordered[(*whole, slice(half if size % 2 else half - 1, half + 1))].mean(axis)
    if a.dtype.kind in "fc":
        last = ordered[(*whole, -1)]
        missing = isnan(last)
        if missing.any():
            result = last if result.ndim == 0 else where(missing, last, result)
    return result


@declare(host=True, composed=plain_median)
def median(a: ArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=False):
    return quantiles_of(a, 0.5, axis, "linear", keepdims, False, empty_is_nan=True)


@declare(host=True)
def nanmedian(a: ArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=NoValue):
    return quantiles_of(a, 0.5, axis, "linear", keepdims, True)


def plain_ptp(a, axis=None, out=None, keepdims=NoValue):
    if out is not None:
        return NotImplemented
    keepdims = keepdims is not NoValue and keepdims
    return a.max(axis, keepdims=keepdims) - a.min(axis, keepdims=keepdims)


@declare(host=True, composed=plain_ptp)
def ptp(a: NDArrayLike, axis=None, out: OutArray = None, keepdims=NoValue):
    return plain_ptp(a, axis, None, keepdims)
