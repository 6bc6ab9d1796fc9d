"""Histograms: how many elements lie between edges.

https://numpy.org/doc/2.4/reference/routines.statistics.html#histograms
"""

from __future__ import annotations

import math
import operator

import numpy
import torch

from fastnp._core.borrowed import as_ours, as_theirs
from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.detached import without_gradient
from fastnp._core.dtype import to_numpy_dtype
from fastnp._core.kernels.lines import BODIES as LINES
from fastnp._core.kernels.lines import count_between
from fastnp._core.kernels.searching import BODIES as SEARCHING
from fastnp._core.ndarray import ndarray
from fastnp._core.stored_dtypes import orderable
from fastnp._declare import Chapter, with_dispatch
from fastnp._promotion import WITHOUT_PRODUCTS, inexact, promoted, promoted_dtype
from fastnp._routines.creation import array, linspace, zeros
from fastnp._routines.data_types import result_type
from fastnp._routines.indexing import PLACES
from fastnp._routines.shape import concatenate
from fastnp._routines.sorting import count_nonzero, sort
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, NDArrayLike, Relevant

declare = Chapter("fastnp")

isfinite, isnan, minimum = (UFUNCS[name] for name in ("isfinite", "isnan", "minimum"))
range_ = range  # parameters are named so


def edges_of(a: torch.Tensor, bins, range, weights) -> torch.Tensor:
    """Return the edges of the bins."""
    if isinstance(bins, str):
        # NumPy: an estimator reads all values to choose the width. That is its own, on host memory alone.
        return to_tensor(as_ours(numpy.histogram_bin_edges(as_theirs(a), bins, range, as_theirs(weights))))
    if not isinstance(bins, (int, numpy.integer)) and getattr(bins, "ndim", 1) > 0:
        edges = to_tensor(bins).to(a.device)
        if edges.ndim != 1:
            raise ValueError("`bins` must be 1d, when an array")
        if bool((edges[:-1] > edges[1:]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    count = operator.index(bins)
    if count < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is not None:
        low, high = (float(limit) for limit in range)
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    else:
        a = inexact(a) if a.dtype in WITHOUT_PRODUCTS else a
        least, most = (UFUNCS[name].reduce for name in ("minimum", "maximum"))  # torch: none of complex numbers
        low, high = (0.0, 1.0) if a.numel() == 0 else (least(a).item(), most(a).item())
    if not (numpy.isfinite(low) and numpy.isfinite(high)):
        raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    # As NumPy's, in the precision of the values: torch's own range rounds elsewhere.
    dtype = inexact(a).dtype
    if hasattr(range, "dtype"):
        dtype = promoted_dtype(dtype, inexact(to_tensor(range)).dtype)
    # On the host: a device rounds products and sums in one step, and a value on an edge falls on its other side.
    kind = to_numpy_dtype(dtype)
    if range is None or hasattr(range, "dtype"):
        low, high = (numpy.asarray(limit, kind if kind.kind in "fc" else numpy.float64) for limit in (low, high))
    return torch.from_numpy(numpy.linspace(low, high, count + 1)).to(a.device, dtype)


def bin_of(values: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
    """Return the bin of each value, the last one closed; -1 or the number of bins outside of them."""
    values, edges = promoted(values, edges)
    if values.is_complex():
        index = UFUNCS["less_equal"](edges, values[:, None]).sum(1) - 1
        return torch.where(values == edges[-1], len(edges) - 2, index)
    index = torch.searchsorted(edges, values.contiguous(), right=True) - 1
    return torch.where(values == edges[-1], len(edges) - 2, index)


def totals(index: torch.Tensor, weights, bins: int) -> torch.Tensor:
    """Return how many values, or which weight, each bin has."""
    kept = (index >= 0) & (index < bins)
    if weights is None:
        return torch.bincount(index[kept], minlength=bins)
    total = torch.zeros(bins, dtype=weights.dtype, device=index.device)
    return total.index_add(0, index[kept], weights.reshape(-1)[kept])


def limits_of(a, range):
    """Return the outer edges of bins of equal width, as Python numbers or as scalars of the array's dtype."""
    if range is None:
        low, high = (a.min(), a.max()) if a.size else (0, 1)
        if not (isfinite(low) and isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    else:
        low, high = range
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


#: Integers below this are doubles, and limits below it floats.
EXACT = 2**53


def plain_edges(a, bins, range):
    """Return the edges of bins of equal width and the first, the last and what lies between; None to decline."""
    if type(bins) is not int or bins < 1 or a.dtype.kind not in "fiu" or a.dtype.char == "e":
        return None
    if range is not None and not (
        type(range) in (tuple, list) and len(range) == 2
        and all(type(limit) in (int, float) and (a.dtype.char == "d" or abs(limit) < EXACT) and math.isfinite(limit)
                for limit in range)
    ):
        return None
    low, high = limits_of(a, range)
    if a.dtype.char == "f":
        edges = linspace(low, high, bins + 1, dtype=a.dtype)
    else:
        edges = linspace(float(low), float(high), bins + 1)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError("Too many bins for data range.")
    is_whole = range is None and a.dtype.kind != "f" and a.size and low.dtype == a.dtype
    width = float(int(high) - int(low)) if is_whole else high - low
    return edges, low, high, width


def plain_histogram_bin_edges(a, bins=10, range=None, weights=None):
    found = plain_edges(a.ravel(), bins, range) if weights is None else None
    return NotImplemented if found is None else found[0]


@declare(host=True, composed=plain_histogram_bin_edges)
def histogram_bin_edges(a: NDArrayLike, bins: Relevant = 10, range=None, weights: ArrayLike = None):
    if weights is not None and weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    plain = without_gradient(a) if weights is None and isinstance(bins, int) else a
    if plain is not a:
        # No gradient goes through edges that lie at one distance.
        return histogram_bin_edges(plain, bins, range)
    return edges_of(a.tensor.reshape(-1), bins, range, weights)


#: How many elements NumPy counts at once, and what of.
BLOCK = 65536


#: Fewer elements are sorted, and the edges searched for among them; of more, each is searched for among the edges.
FEW = 500


def below_edges(a, edges):
    """Return how many elements lie below each edge, those on the last one with them."""
    if a.size < FEW:
        ordered = sort(a)
        return concatenate((ordered.searchsorted(edges[:-1], "left"), ordered.searchsorted(edges[-1:], "right")))
    below = bincount(edges.searchsorted(a, "right"), None, edges.size + 1)[:-1].cumsum()
    below[-1] += count_nonzero(a.astype(result_type(a, edges), copy=False) == edges[-1])
    return below


def plain_histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None and (a.size > BLOCK or weights.shape != a.shape or weights.dtype.kind not in "biuf"):
        return NotImplemented
    a = a.ravel()
    if type(bins) is str and weights is None:
        # An estimator reads all values to choose the width: NumPy's, for which the number of bins is what counts.
        bins = numpy.histogram_bin_edges(a.__array__(), bins, range).size - 1
    if type(bins) is int:
        found = plain_edges(a, bins, range)
        if found is None:
            return NotImplemented
        counts, edges = count_between(a, *found) if weights is None else None, found[0]
        if counts is None:
            if a.size > BLOCK:
                return NotImplemented
            counts = counted_between(a, bins, found, range is not None, weights)
    else:
        edges = to_array(bins) if type(bins) in (list, tuple) else bins
        if weights is not None or type(edges) is not ndarray or edges.ndim != 1 or not edges.size or (
                a.dtype.kind not in "fiu" or edges.dtype.kind not in "fiu"):
            return NotImplemented
        if not (edges[:-1] <= edges[1:]).all():
            if isnan(edges).any():
                return NotImplemented
            raise ValueError("`bins` must increase monotonically, when an array")
        below = below_edges(a, edges)
        counts = below[1:] - below[:-1]
    if density:
        widths = array(edges[1:] - edges[:-1], float)
        return counts / widths / counts.sum(), edges
    return counts, edges


def counted_between(a, bins, found, outside, weights):
    """Return how many elements, or which weight, each bin of equal width has."""
    edges, low, high, width = found
    total = PLACES if weights is None else weights.dtype
    result = zeros(bins, total)
    weights = None if weights is None else weights.ravel()
    for start in range_(0, a.size, BLOCK):
        part = a[start:start + BLOCK]
        weight = None if weights is None else weights[start:start + BLOCK]
        if outside:
            kept = (part >= low) & (part <= high)
            if not kept.all():
                part, weight = part[kept], None if weight is None else weight[kept]
        part = part.astype(edges.dtype, copy=False)
        places = minimum(((part - low) / width * bins).astype(int), bins - 1)
        # Rounding may put what is next to an edge into the neighbouring bin.
        places = places - (part < edges[places])
        places = places + ((part >= edges[places + 1]) & (places != bins - 1))
        counts = bincount(places, weight, bins)
        if a.size <= BLOCK and counts.dtype == total:
            return counts
        result += counts.astype(total)
    return result


@declare(host=True, composed=plain_histogram)
def histogram(a: NDArrayLike, bins: Relevant = 10, range=None, density=None, weights: ArrayLike = None):
    if weights is not None and weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    plain = without_gradient(a) if weights is None and isinstance(bins, int) else a
    if plain is not a:
        # No gradient goes through counts, nor through edges that lie at one distance.
        return histogram(plain, bins, range, density)
    flat, a = a.ravel(), a.tensor.reshape(-1)
    edges = edges_of(a, bins, range, weights)
    if not len(edges):
        return torch.zeros(0, dtype=torch.int64, device=a.device), edges
    if a.is_complex() and type(bins) is int and bins == len(edges) - 1:
        # NumPy: the real part of the way from the first edge to the last says which bin, within one.
        low, high = limits_of(flat, range)
        found = (as_ours(edges), low, high, high - low)
        weights = None if weights is None else as_ours(weights)
        counts = to_tensor(counted_between(flat, bins, found, range is not None, weights))
    else:
        counts = totals(bin_of(a, edges), weights, len(edges) - 1)
    return (counts.to(torch.float64) / counts.sum() / edges.diff() if density else counts), edges


def plain_edges_of(column, bins, range):
    """Return the edges of the bins of one of several columns; None to decline."""
    if type(bins) is not int:
        edges = to_array(bins) if type(bins) in (list, tuple) else bins
        valid = type(edges) is ndarray and edges.ndim == 1 and edges.size > 1 and edges.dtype.kind in "fiu"
        return edges if valid and (edges[:-1] <= edges[1:]).all() else None
    if bins < 1 or range is not None and not (
            type(range) in (tuple, list) and len(range) == 2 and all(type(limit) in (int, float) for limit in range)):
        return None
    low, high = limits_of(column, range)
    return linspace(low, high, bins + 1)


def plain_counts(columns, bins, range, density, weights):
    """Return the histogram of points, whose coordinates are a column each, and the edges; None to decline."""
    if any(column.dtype.kind not in "fiu" or column.ndim != 1 for column in columns) or weights is not None and (
            type(weights) is not ndarray or weights.shape != columns[0].shape or weights.dtype.kind not in "biuf"):
        return None
    bins = [bins] * len(columns) if type(bins) is int else bins
    ranges = [None] * len(columns) if range is None else range
    if not (type(bins) in (tuple, list) and type(ranges) in (tuple, list) and len(bins) == len(ranges) == len(columns)):
        return None
    edges = [plain_edges_of(*each) for each in zip(columns, bins, ranges, strict=True)]
    if any(found is None for found in edges):
        return None
    index = 0
    for column, found in zip(columns, edges, strict=True):
        # The number of edges at or below; what is on the last one belongs to its bin.
        index = index * (found.size + 1) + found.searchsorted(column, "right") - (column == found[-1])
    shape = [found.size + 1 for found in edges]
    counts = bincount(index, weights, math.prod(shape)).reshape(shape).astype(float)
    counts = counts[(slice(1, -1),) * len(edges)]  # NumPy: a view, without the elements outside
    if density:
        total = counts.sum()
        for axis, found in enumerate(edges):
            widths = found[1:] - found[:-1]
            counts = counts / widths.reshape([-1 if dim == axis else 1 for dim in range_(len(edges))])
        counts = counts / total
    return counts, edges


def plain_histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if type(sample) is not ndarray or sample.ndim != 2 or not sample.shape[1]:
        return NotImplemented
    found = plain_counts(list(sample.T), bins, range, density, weights)
    return NotImplemented if found is None else found


@declare(host=with_dispatch(numpy.histogramdd), composed=plain_histogramdd)
def histogramdd(sample: Relevant, bins: Relevant = 10, range=None, density=None, weights: ArrayLike = None):
    if hasattr(sample, "ndim"):
        sample = to_tensor(sample) if sample.ndim == 2 else torch.atleast_2d(to_tensor(sample)).mT
    else:
        columns = [torch.atleast_1d(to_tensor(column)) for column in sample]
        sample = torch.stack(columns, -1) if columns else to_tensor(zeros((0, 1)))
    if not sample.shape[1]:
        raise ValueError("object of too small depth for desired array")
    dimensions = sample.shape[1]
    if isinstance(bins, (int, numpy.integer)) or getattr(bins, "ndim", 1) == 0:
        bins = dimensions * [bins]
    if len(bins) != dimensions:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = (None,) * dimensions if range is None else range
    edges = [
        edges_of(column if limits is None or column.is_complex() else column.to(torch.float64), number, limits, weights)
        for column, number, limits in zip(sample.unbind(1), bins, ranges, strict=True)
    ]
    index = torch.zeros(len(sample), dtype=torch.int64, device=sample.device)
    inside = torch.ones_like(index, dtype=torch.bool)
    for column, edge in zip(sample.unbind(1), edges, strict=True):
        place = bin_of(column, edge)
        inside &= (place >= 0) & (place < len(edge) - 1)
        index = index * (len(edge) - 1) + place
    shape = [len(edge) - 1 for edge in edges]
    counts = totals(torch.where(inside, index, -1), weights, int(numpy.prod(shape))).reshape(shape).to(torch.float64)
    if density:
        for axis, edge in enumerate(edges):
            counts = counts / edge.diff().reshape([-1 if dim == axis else 1 for dim, _ in enumerate(edges)])
        counts = counts / totals(torch.where(inside, index, -1), weights, int(numpy.prod(shape))).sum()
    return counts, edges


def plain_histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if x.shape != y.shape:
        return NotImplemented
    dtype = result_type(x, y)
    if type(bins) is ndarray and bins.ndim == 1 and bins.size > 2:
        bins = [bins, bins]
    found = plain_counts([x.astype(dtype, copy=False), y.astype(dtype, copy=False)], bins, range, density, weights)
    return NotImplemented if found is None else (found[0], *found[1])


@declare(host=True, composed=plain_histogram2d)
def histogram2d(x: ArrayLike, y: ArrayLike, bins: Relevant = 10, range=None, density=None, weights: ArrayLike = None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if not isinstance(bins, (int, numpy.integer)) and getattr(bins, "ndim", 1) and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd(torch.stack(promoted(x, y), -1), bins, range, density, weights)
    return to_tensor(counts), to_tensor(edges[0]), to_tensor(edges[1])


@declare(compiled=LINES["bincount"], host=True)
def bincount(x: ArrayLike, /, weights: ArrayLike = None, minlength=0):
    if x.dtype in WITHOUT_PRODUCTS or not x.numel():
        x = x.to(torch.int64)  # NumPy: of an empty list, too
    weights = weights if x.numel() else None
    if weights is not None and weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    minlength = operator.index(minlength)
    try:
        return torch.bincount(x, None if weights is None else weights.to(torch.float64), minlength)
    except RuntimeError as error:
        if x.dim() == 1 and minlength >= 0 and bool((x < 0).any()):
            raise ValueError("'list' argument must have no negative elements") from error
        raise


@declare(compiled=SEARCHING["digitize"], host=True, discrete=True)
def digitize(x: ArrayLike, bins: ArrayLike, right=False):
    x, bins = promoted(x, bins)
    if bins.ndim != 1:
        raise ValueError("object of too small depth for desired array")
    if not bins.is_floating_point():
        x, bins = orderable(x), orderable(bins)
    if bool((bins[1:] >= bins[:-1]).all()):
        return torch.searchsorted(bins, x.contiguous(), right=not right)
    if bool((bins[1:] <= bins[:-1]).all()):
        return len(bins) - torch.searchsorted(bins.flip(0), x.contiguous(), right=not right)
    raise ValueError("bins must be monotonically increasing or decreasing")
