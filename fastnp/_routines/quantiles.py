"""Order statistics: median, percentiles, quantiles and ranges.

https://numpy.org/doc/2.4/reference/routines.statistics.html#order-statistics
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes, inexact
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")


def lanes(a: torch.Tensor, axis) -> tuple[torch.Tensor, tuple[int, ...]]:
    """Return the tensor with the reduced axes as its last one, and these axes."""
    axes = canonical_axes(axis, a.ndim)
    kept = [dim for dim in range(a.ndim) if dim not in axes]
    return a.permute(*kept, *axes).reshape([*(a.shape[dim] for dim in kept), -1]), axes


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


def quantiles_of(a: torch.Tensor, q, axis, method: str, keepdims, skip_nan: bool) -> torch.Tensor:
    """Return quantiles of the elements along axes; the axes of `q` come first."""
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {sorted(METHODS)}")
    a, axes = lanes(a if method in ("lower", "higher", "nearest", "inverted_cdf") else inexact(a), axis)
    q = torch.as_tensor(q, dtype=torch.float64, device=a.device)
    if not bool(((q >= 0) & (q <= 1)).all()):
        raise ValueError("Quantiles must be in the range [0, 1]")
    ordered = torch.sort(a, -1).values
    nan = torch.isnan(a) if a.is_floating_point() else torch.zeros_like(a, dtype=torch.bool)
    count = a.shape[-1] - nan.sum(-1) if skip_nan else torch.full(a.shape[:-1], a.shape[-1], device=a.device)
    lower, weight = METHODS[method](count, q.reshape([*q.shape, *(1,) * count.ndim]))
    last = (count - 1).clamp(min=0)
    first = lower.long().clamp(min=0).minimum(last)
    second = (lower.long() + 1).clamp(min=0).minimum(last)
    below, above = (
        torch.take_along_dim(ordered.expand(*q.shape, *ordered.shape), index.unsqueeze(-1), -1).squeeze(-1)
        for index in (first, second)
    )
    result = below if method in ("lower", "higher", "nearest", "inverted_cdf") else torch.lerp(
        below, above, weight.to(below.dtype)
    )
    if a.is_floating_point():
        unknown = count == 0 if skip_nan else nan.any(-1)
        result = torch.where(unknown, torch.nan, result)
    return restored(result, tuple(axis + q.ndim for axis in axes), keepdims)


def weighted_quantiles(a: torch.Tensor, q, axis, weights: torch.Tensor, method, keepdims, skip_nan) -> torch.Tensor:
    """Return quantiles of weighted elements along axes: NumPy has weights for the inverted CDF alone."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if weights.shape != a.shape:
        axes = canonical_axes(axis, a.ndim)
        if weights.ndim != len(axes):
            raise TypeError("Axis must be specified when shapes of array and weights differ.")
        shape = [a.shape[dim] if dim in axes else 1 for dim in range(a.ndim)]
        weights = weights.reshape(shape).expand(a.shape)
    a, axes = lanes(a, axis)
    weights, _ = lanes(weights.to(torch.float64), axes if axis is not None else None)
    if skip_nan:
        weights = torch.where(torch.isnan(a), 0, weights)
    q = torch.as_tensor(q, dtype=torch.float64, device=a.device)
    ordered, order = torch.sort(a, -1)
    cdf = torch.take_along_dim(weights, order, -1).cumsum(-1)
    cdf = cdf / cdf[..., -1:]
    cdf = torch.where(cdf == 0, -1, cdf)  # elements of weight 0 at the start are never the minimum
    wanted = q.reshape(-1).expand(*cdf.shape[:-1], q.numel()).contiguous()
    index = torch.searchsorted(cdf.contiguous(), wanted).clamp(max=a.shape[-1] - 1)
    result = torch.take_along_dim(ordered, index, -1)
    if a.is_floating_point() and not skip_nan:
        result = torch.where(torch.isnan(a).any(-1, keepdim=True), torch.nan, result)
    result = result.movedim(-1, 0).reshape([*q.shape, *result.shape[:-1]])
    return restored(result, tuple(axis + q.ndim for axis in axes), keepdims)


def any_quantiles(a, q, axis, method, keepdims, weights, skip_nan):
    """Return quantiles, weighted or not."""
    if weights is None:
        return quantiles_of(a, q, axis, method, keepdims, skip_nan)
    return weighted_quantiles(a, q, axis, weights, method, keepdims, skip_nan)


def fraction(q):
    """Return percents as fractions."""
    return torch.as_tensor(q, dtype=torch.float64) / 100


@declare(host=True)
def quantile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: ArrayLike = None,
):
    return any_quantiles(a, q, axis, method, keepdims, weights, False)


@declare(host=True)
def percentile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: ArrayLike = None,
):
    return any_quantiles(a, fraction(q), axis, method, keepdims, weights, False)


@declare(host=True)
def nanquantile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: ArrayLike = None,
):
    return any_quantiles(a, q, axis, method, keepdims, weights, True)


@declare(host=True)
def nanpercentile(
    a: ArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: ArrayLike = None,
):
    return any_quantiles(a, fraction(q), axis, method, keepdims, weights, True)


@declare(host=True)
def median(a: ArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=False):
    return quantiles_of(a, 0.5, axis, "linear", keepdims, False)


@declare(host=True)
def nanmedian(a: ArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=NoValue):
    return quantiles_of(a, 0.5, axis, "linear", keepdims, True)


@declare(host=True)
def ptp(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue):
    least, greatest = (UFUNCS[name].reduce(a, axis, keepdims=keepdims is not NoValue and keepdims)
                       for name in ("minimum", "maximum"))
    return UFUNCS["subtract"](greatest, least)
