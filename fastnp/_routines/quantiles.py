"""Order statistics: median, percentiles, quantiles and ranges.

https://numpy.org/doc/2.4/reference/routines.statistics.html#order-statistics
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
import torch

from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.kernels.medians import BODIES as MEDIANS
from fastnp._core.kernels.medians import selected
from fastnp._core.ndarray import ndarray
from fastnp._core.results import as_result
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes
from fastnp._routines.creation import array, full
from fastnp._routines.functional import plain_apply_along_axis
from fastnp._routines.indexing import take, take_along_axis
from fastnp._routines.shape import broadcast_to, concatenate, expand_dims, moveaxis
from fastnp._routines.sorting import nonzero, sort, sorting_order, where
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")

ceil, floor, isnan, maximum, minimum, rint, subtract = (
    UFUNCS[name] for name in ("ceil", "floor", "isnan", "maximum", "minimum", "rint", "subtract")
)
FLOAT64 = numpy.dtype(float)


def lanes(a, axis):
    """Return an array with the reduced axes as its last one, and these axes."""
    if axis is None:
        return a.reshape(-1), tuple(range(a.ndim))
    axes = canonical_axes(axis, a.ndim)
    if len(axes) == 1:
        return a if axes[0] == a.ndim - 1 else moveaxis(a, axes[0], -1), axes
    kept = [dim for dim in range(a.ndim) if dim not in axes]
    shape = [a.shape[dim] for dim in kept]
    return a.transpose(*kept, *axes).reshape([*shape, math.prod(a.shape[dim] for dim in axes)]), axes


def check_lanes(a, axis):
    """Raise NumPy's error of no elements along no axes."""
    if type(axis) is tuple and not axis and a.size == 0:
        raise ValueError("cannot reshape array of size 0 into shape (0,newaxis)")


def are_kept(keepdims) -> bool:
    """Tell whether reduced axes stay, as ones of length 1."""
    return keepdims is True or (keepdims is not NoValue and bool(keepdims))


def restored(result: torch.Tensor, axes: tuple[int, ...], keepdims) -> torch.Tensor:
    """Return a reduced tensor with the reduced axes as ones of length 1, where they are kept."""
    if are_kept(keepdims):
        for axis in sorted(axes):
            result = result.unsqueeze(axis)
    return result


# The methods of quantiles: from how many elements there are, a number or an array, and the quantile, likewise.


def plotting_position(alpha: float, beta: float) -> Callable[..., tuple]:
    """Return the continuous method of Hyndman and Fan with the parameters `alpha` and `beta`."""

    def position(n, q):
        index = n * q + (alpha + q * (1 - alpha - beta)) - 1
        below = floor(index)
        return below, index - below

    return position


def linear(n, q):
    index = (n - 1) * q
    below = floor(index)
    return below, index - below


def midpoint(n, q):
    index = (n - 1) * q
    below = floor(index)
    return below, where(index == below, 0.0, 0.5)


def averaged_inverted_cdf(n, q):
    index = n * q - 1
    below = floor(index)
    return below, where(index == below, 0.5, 1.0)


def closest_observation(n, q):
    index = n * q - 1.5
    below = floor(index)
    return below, where((index == below) & (below % 2 == 1), 0.0, 1.0)


#: A method -> (lower index, weight of the next one) among the sorted elements; no weight where it picks an element.
METHODS = {
    "averaged_inverted_cdf": averaged_inverted_cdf,
    "closest_observation": closest_observation,
    "hazen": plotting_position(0.5, 0.5),
    "higher": lambda n, q: (ceil((n - 1) * q), None),
    "interpolated_inverted_cdf": plotting_position(0, 1),
    "inverted_cdf": lambda n, q: (ceil(n * q) - 1, None),
    "linear": linear,
    "lower": lambda n, q: (floor((n - 1) * q), None),
    "median_unbiased": plotting_position(1 / 3, 1 / 3),
    "midpoint": midpoint,
    "nearest": lambda n, q: (rint((n - 1) * q), None),
    "normal_unbiased": plotting_position(3 / 8, 3 / 8),
    "weibull": plotting_position(0, 0),
}


#: Methods that pick an element, and so keep the dtype.
PICKING = ("higher", "inverted_cdf", "lower", "nearest")


def fractions(q, whole: int = 1):
    """Return quantiles as fractions, a Python number as one; ValueError outside of [0, 1]."""
    if type(q) is float or type(q) is int:
        value = q / whole
        valid = 0 <= value <= 1
    else:
        value = q if isinstance(q, ndarray) else to_array(q)
        if value.dtype.kind == "c":
            raise TypeError("ufunc 'floor' not supported for the input types")
        if value.ndim > 2:
            raise ValueError("q must be a scalar or 1d")
        if value.ndim > 1 and 0 in value.shape:
            raise ValueError("zero-size array to reduction operation minimum which has no identity")
        value = value.astype(numpy.float64, copy=False) / whole
        valid = bool(((value >= 0) & (value <= 1)).all())
    if not valid:
        raise ValueError("Quantiles must be in the range [0, 1]")
    return value


def expanded_weights(weights, a, axis):
    """Return weights of the shape of the elements."""
    if weights.shape == a.shape:
        return weights
    axes = canonical_axes(axis, a.ndim)
    if weights.ndim != len(axes):
        raise TypeError("Axis must be specified when shapes of array and weights differ.")
    return broadcast_to(weights.reshape([a.shape[dim] if dim in axes else 1 for dim in range(a.ndim)]), a.shape)


def weighted_position(weights: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the places in sorted lanes where their sums of weights reach the quantiles."""
    cdf = weights.cumsum(-1)
    cdf = cdf / cdf[..., -1:]
    cdf = torch.where(cdf == 0, -1, cdf)  # elements of weight 0 at the start are never the minimum
    wanted = q.expand(*cdf.shape[:-1], q.numel()).contiguous()
    return torch.searchsorted(cdf.contiguous(), wanted).clamp(max=weights.shape[-1] - 1)


def weighted_quantiles(a, q, weights, skip_nan):
    """Return quantiles of lanes by the inverse of the weighted distribution, the quantiles along the last axis."""
    a, q, weights = a.tensor, to_tensor(q).to(a.tensor.device), weights.tensor
    nan = torch.isnan(a) if a.is_floating_point() else torch.zeros_like(a, dtype=torch.bool)
    order = sorting_order(a, a.ndim - 1)
    ordered = by_bits(torch.gather, a, -1, order)
    if skip_nan:
        weights = torch.where(nan, 0, weights)
    result = by_bits(torch.gather, ordered, -1, weighted_position(torch.gather(weights, -1, order), q.reshape(-1)))
    if a.is_floating_point():
        unknown = nan.all(-1, keepdim=True) if skip_nan else nan.any(-1, keepdim=True)
        result = torch.where(unknown, torch.nan, result)
    return to_array(result)


def is_integral(q) -> bool:
    """Tell whether quantiles are integers, 0 and 1."""
    return isinstance(q, int) or getattr(getattr(q, "dtype", None), "kind", "") in tuple("biu")


def real(a, method: str, q=None):
    """Return numbers that can be interpolated, which complex ones and truth values cannot; NumPy's errors."""
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if a.dtype.kind == "b" and method not in PICKING and not (method == "linear" and is_integral(q)):
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    return a


def interpolated(ordered, count, q, method):
    """Return quantiles of sorted lanes, the first `count` elements of each; those of an array along the last axis."""
    lower, weight = METHODS[method](count, q)
    if type(q) is float and type(count) is int:
        # Nothing but numbers says which elements these are.
        place, last = int(lower), count - 1
        below = ordered[..., max(min(place, last), 0)]
        if weight is None:
            return below
        above = ordered[..., max(min(place + 1, last), 0)]
        return torch.lerp(below.tensor, above.tensor, float(weight))
    lower, last = lower.astype(numpy.int64), maximum(count - 1, 0)
    taken = take if type(count) is int else take_along_axis
    below = taken(ordered, minimum(maximum(lower, 0), last), -1)
    if weight is None:
        return below
    above = taken(ordered, minimum(maximum(lower + 1, 0), last), -1)
    below = below.tensor
    return torch.lerp(below, above.tensor, to_tensor(weight).to(below.device, below.dtype))


def quantiles_of(a, q, axis, method, keepdims, skip_nan, weights=None, whole=1):
    """Return quantiles of the elements along axes, the axes of `q` first; weights are for the inverted CDF alone."""
    if method not in METHODS and not (skip_nan and a.size == 0):
        raise ValueError(f"{method!r} is not a valid method. Use one of: {sorted(METHODS)}")
    if not skip_nan:
        check_lanes(a, axis)
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if method == "linear" and whole == 1 and is_integral(q):
        method = "lower"  # NumPy: the least or the greatest is taken, as it is
    # NumPy: a number takes the precision of the elements, an array of quantiles has its own.
    precise = None if type(q) in (int, float) or method in PICKING else to_array(q).dtype
    q = fractions(q, whole)
    if weights is not None:
        weights, _ = lanes(expanded_weights(weights, a, axis).astype(numpy.float64), axis)
    kind, given = a.dtype.kind, a.dtype
    a, axes = lanes(a if method in PICKING or kind not in "biu" else a.astype(numpy.float64), axis)
    if precise is not None:
        a = a.astype(numpy.result_type(a.dtype, precise if precise.kind == "f" else numpy.float64), copy=False)
    size = a.shape[-1]
    shape = getattr(q, "shape", ())
    if size == 0 and skip_nan:
        dtype = numpy.float64 if kind in "biu" else given
        shape = ()  # NumPy: the mean of nothing, once
        result = full(a.shape[:-1], math.nan, dtype, device=a.tensor.device)
    elif weights is not None:
        result = shaped(weighted_quantiles(a, q, weights, skip_nan), shape)
    else:
        ordered = sort(a, -1)
        count = size - isnan(ordered).sum(-1, keepdims=True) if skip_nan and kind not in "biu" else size
        single = type(q) is float and type(count) is int
        result = to_array(interpolated(ordered, count, q if type(q) is float else q.reshape(-1), method))
        # Where NaNs are skipped, lanes of nothing else have one at any place.
        if not skip_nan and kind not in "biu":
            last = ordered[..., -1 if single else slice(-1, None)]
            result = where(isnan(last), last, result)
        result = result if single else shaped(result, shape)
    if are_kept(keepdims):
        result = expand_dims(result, tuple([axis + len(shape) for axis in axes]))
    return as_result(result)


def shaped(result, shape):
    """Return quantiles that lie along the last axis with the axes of what asked for them in front."""
    if not shape:
        return result[..., 0]
    result = moveaxis(result, -1, 0)
    return result if len(shape) == 1 else result.reshape((*shape, *result.shape[1:]))


#: Lines from which elements are looked for here; in shorter ones NumPy's partition says which of two zeros is where.
LONG = 768


def in_order(a, places, axis):
    """Return the elements at some places of sorted lines.

    Returns
    -------
    ndarray, dict of int to int, ndarray
        The elements, the places along the first axis; where each place is among them; and which lines have a NaN.
    """
    places = sorted(set(places))
    size = a.size if axis is None else a.shape[axis]
    found = selected(a, places, axis) if size >= LONG else None
    if found is None:
        a = a.flatten() if axis is None else moveaxis(a.copy(), axis, 0) if axis else a.copy()
        a.partition(sorted({0, *places, size - 1}), 0)
        found = a[places], isnan(a[-1])
    return found[0], {place: number for number, place in enumerate(places)}, found[1]


def with_missing(result, missing):
    """Return quantiles with NaN for the lines that have one."""
    if not missing.any():
        return result
    return result + math.nan if result.ndim == 0 else where(missing, math.nan, result)


def plain_quantile_of(a, q, axis, out, overwrite_input, method, keepdims, weights):
    """Return the quantile of one Python float by linear interpolation, in the order of NumPy's operations."""
    if (
        type(q) is not float or not 0 <= q <= 1 or out is not None or overwrite_input or method != "linear" or keepdims
        or weights is not None or a.dtype.kind not in "fiu" or not (axis is None or type(axis) is int)
    ):
        return NotImplemented
    last = (a.size if axis is None else a.shape[axis]) - 1
    if last < 0 or a.ndim == 0:
        return NotImplemented
    place = last * q
    previous, following = (last, last) if place >= last else (math.floor(place), math.floor(place) + 1)
    found, at, missing = in_order(a, [previous, following], axis)
    low, high, share = found[at[previous]], found[at[following]], place - (-1 if place >= last else previous)
    step = high - low
    return with_missing(high - step * (1 - share) if share >= 0.5 else low + step * share, missing)


def plain_quantiles_of(a, q, axis, out, overwrite_input, method, keepdims, weights):
    """Return the quantiles of several Python floats as `plain_quantile_of` does those of one."""
    if (
        not q or not all(0 <= share <= 1 for share in q) or out is not None or overwrite_input or method != "linear"
        or keepdims or weights is not None or a.dtype.kind not in "fiu" or not (axis is None or type(axis) is int)
    ):
        return NotImplemented
    last = (a.size if axis is None else a.shape[axis]) - 1
    if last < 0 or a.ndim == 0:
        return NotImplemented
    places = [last * share for share in q]
    previous = [last if place >= last else math.floor(place) for place in places]
    following = [min(place + 1, last) for place in previous]
    found, at, missing = in_order(a, previous + following, axis)
    low, high = found[[at[place] for place in previous]], found[[at[place] for place in following]]
    # NumPy: the greatest is the element at -1, and so its share is counted from there.
    share = array([place - (-1 if place >= last else before) for place, before in zip(places, previous, strict=True)])
    share = share.reshape(-1, *(1,) * (low.ndim - 1))
    step = high - low
    result = low + step * share
    subtract(high, step * (1 - share), result, where=share >= 0.5)
    return with_missing(result, missing)


#: More quantiles at once are NumPy's to compute.
SEVERAL = 1000


def several(q):
    """Return quantiles in a list, a tuple or a line, unless they are many, as Python numbers; None for all else."""
    if type(q) is ndarray and q.ndim == 1 and q.dtype == FLOAT64 and q.size <= SEVERAL:
        return q.tolist()
    is_list = type(q) in (list, tuple) and len(q) <= SEVERAL and all(type(share) in (int, float) for share in q)
    return list(q) if is_list else None


def plain_quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    shares = several(q)
    if shares is not None:
        return plain_quantiles_of(a, shares, axis, out, overwrite_input, method, keepdims, weights)
    return plain_quantile_of(a, q, axis, out, overwrite_input, method, keepdims, weights)


@declare(host=True, composed=plain_quantile)
def quantile(
    a: NDArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: NDArrayLike = None,
):
    return quantiles_of(real(a, method, q), q, axis, method, keepdims, False, weights)


def plain_percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
                     weights=None):
    shares = several(q)
    if shares is not None:
        shares = [share / 100 for share in shares]
        return plain_quantiles_of(a, shares, axis, out, overwrite_input, method, keepdims, weights)
    if type(q) not in (int, float):
        return NotImplemented
    return plain_quantile_of(a, q / 100, axis, out, overwrite_input, method, keepdims, weights)


@declare(host=True, composed=plain_percentile)
def percentile(
    a: NDArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=False, *,
    weights: NDArrayLike = None,
):
    return quantiles_of(real(a, method), q, axis, method, keepdims, False, weights, 100)


def without_nans(line):
    """Return the numbers of a line that are no NaN: those at its end in the places of NaNs, as NumPy moves them."""
    missing = isnan(line)
    if not missing.any():
        return line
    (places,) = nonzero(missing)
    kept, line = line.size - places.size, line.copy()
    moved = line[kept:][~missing[kept:]]
    line[places[:moved.size]] = moved
    return line[:kept]


def plain_nanquantiles(of_numbers, a, q, axis, out, overwrite_input, method, keepdims, weights):
    """Return quantiles of the numbers that are no NaN, line by line; `of_numbers` computes those of a line."""
    if out is not None or overwrite_input or keepdims is not NoValue or weights is not None or a.size == 0 or (
            a.ndim == 0 or type(axis) is not int and axis is not None):
        return NotImplemented

    def of_line(line):
        line = without_nans(line)
        result = of_numbers(line, q, None, None, False, method) if line.size else NotImplemented
        if result is NotImplemented:
            raise ValueError("quantiles that are NumPy's to compute")
        return result

    if axis is None or a.ndim == 1 and axis in (0, -1):
        return of_line(a.ravel())
    result = plain_apply_along_axis(of_line, axis, a)
    return result if result.ndim < a.ndim else moveaxis(result, axis, 0)


def plain_nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=NoValue, *,
                      weights=None):
    return plain_nanquantiles(plain_quantile, a, q, axis, out, overwrite_input, method, keepdims, weights)


def plain_nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=NoValue, *,
                        weights=None):
    return plain_nanquantiles(plain_percentile, a, q, axis, out, overwrite_input, method, keepdims, weights)


@declare(host=True, composed=plain_nanquantile)
def nanquantile(
    a: NDArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: NDArrayLike = None,
):
    return quantiles_of(real(a, method, q), q, axis, method, keepdims, True, weights)


@declare(host=True, composed=plain_nanpercentile)
def nanpercentile(
    a: NDArrayLike, q: Relevant, axis=None, out: OutArray = None, overwrite_input=False, method="linear",
    keepdims=NoValue, *,
    weights: NDArrayLike = None,
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
    # One place among integers is found by NumPy's vectors, in 0.15 to 0.8 of the time.
    by_partition = size < LONG or (size % 2 and a.dtype.kind in "iu" and a.dtype.itemsize > 1)
    found = None if by_partition else selected(a, places, axis)
    if found is not None:
        return with_missing(found[0].mean(0), found[1])
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


@declare(compiled=MEDIANS["median"], host=True, composed=plain_median)
def median(a: NDArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=False):
    check_lanes(a, axis)
    kind = a.dtype.kind
    a, axes = lanes(a, axis)
    half, odd = divmod(a.shape[-1], 2)
    if a.shape[-1] == 0:
        result = a.mean(-1)
    else:
        ordered = sort(a, -1)
        if odd and kind not in "biu":
            result = ordered[..., half]
        else:
            result = ordered[..., half - 1 + odd:half + 1].mean(-1)
        if kind not in "biu":
            last = ordered[..., -1]
            result = where(isnan(last), last, result)
    if are_kept(keepdims):
        result = expand_dims(result, axes)
    return as_result(result)


#: Lines shorter than this are sorted at once in NumPy.
SHORT = 600


def plain_nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=NoValue):
    if out is not None or overwrite_input or keepdims is not NoValue or a.size == 0 or a.ndim == 0:
        return NotImplemented
    if axis is None or a.ndim == 1 and axis in (0, -1):
        line = without_nans(a.ravel())
        return plain_median(line) if line.size else NotImplemented
    if type(axis) is not int or a.dtype.char not in "fd" or a.shape[axis] >= SHORT:
        return NotImplemented
    if a.ndim > 2 and not a.flags.c_contiguous:
        return NotImplemented
    missing = isnan(a)
    counts = a.shape[axis] - missing.sum(axis, keepdims=True)
    if not counts.all():
        return NotImplemented
    above = counts // 2
    # Of an odd number of them, the middle one is both.
    middle = concatenate((above - (counts % 2 == 0), above), axis)
    return take_along_axis(sort(a, axis), middle, axis).sum(axis) / 2.0


@declare(compiled=MEDIANS["nanmedian"], host=True, composed=plain_nanmedian)
def nanmedian(a: NDArrayLike, axis=None, out: OutArray = None, overwrite_input=False, keepdims=NoValue):
    return quantiles_of(a, 0.5, axis, "linear", keepdims, True)


def plain_ptp(a, axis=None, out=None, keepdims=NoValue):
    if out is not None:
        return NotImplemented
    if keepdims is NoValue:
        return subtract(a.max(axis), a.min(axis))  # not by the operator: integer scalars say that they overflow
    return subtract(a.max(axis, keepdims=keepdims), a.min(axis, keepdims=keepdims))


@declare(host=True, composed=plain_ptp)
def ptp(a: NDArrayLike, axis=None, out: OutArray = None, keepdims=NoValue):
    return plain_ptp(a, axis, None, keepdims)
