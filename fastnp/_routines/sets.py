"""Sets: unique elements, membership, union and difference.

https://numpy.org/doc/2.4/reference/routines.set.html
"""

from __future__ import annotations

import torch
from numpy.lib._arraysetops_impl import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import asarray as to_array
from fastnp._core.kernels.sets import BODIES
from fastnp._core.kernels.sets import unique_rows as unique_plain_rows
from fastnp._core.stored_dtypes import orderable
from fastnp._declare import Chapter
from fastnp._promotion import promoted
from fastnp._routines.creation import ascontiguousarray, empty_like, ones
from fastnp._routines.data_types import result_type
from fastnp._routines.mathematics import diff
from fastnp._routines.reductions import cumsum
from fastnp._routines.shape import concatenate, moveaxis
from fastnp._routines.sorting import argsort, nonzero, sort, sorted_along
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, NDArrayLike

declare = Chapter("fastnp")

isnan, not_equal = UFUNCS["isnan"], UFUNCS["not_equal"]


def starts_of(values, equal_nan):
    """Return where sorted elements differ from the one before."""
    after, before = values[1:], values[:-1]
    differs = after != before
    if equal_nan and values.dtype.kind not in "biu":
        differs = differs & ~(isnan(after) & isnan(before))
    # The first one always does; a truth on the device of the values.
    return concatenate((isnan(values[:1]) | True, differs))


#: What torch finds the unique ones of, as NumPy does: nothing is unequal to itself.
BY_TORCH = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def distinct(values, equal_nan=True):
    """Return the unique elements of a flat array, sorted."""
    tensor = values.tensor
    if not tensor.is_cpu and tensor.dtype in BY_TORCH:
        return to_array(torch.unique(tensor))
    arranged = sort(values)
    return arranged[starts_of(arranged, equal_nan)]


class Groups:
    """The equal elements of a flat array: which they are, and each element's group."""

    def __init__(self, values, equal_nan=True):
        self.order = argsort(values, kind="stable")
        arranged = values[self.order]
        self.starts = starts_of(arranged, equal_nan)
        self.values = arranged[self.starts]

    @property
    def index(self):
        """The first place of each unique element."""
        return self.order[self.starts]

    @property
    def inverse(self):
        """The group of each element."""
        groups = empty_like(self.order)
        groups[self.order] = cumsum(self.starts) - 1
        return groups

    @property
    def counts(self):
        """How many elements each group has."""
        (places,) = nonzero(self.starts)
        # The last group ends where the elements do.
        return diff(places, append=self.order.size)


#: Complex numbers that are quicker sorted than put into NumPy's table, however often one comes.
SORTED = 4096


def unique_complex(line):
    if line.size > SORTED:
        return NotImplemented
    # NumPy: of equal numbers the first, whatever the signs of their zeros; of NaNs, as its table has them.
    arranged = sort(line, kind="stable")
    if arranged.size == 0 or isnan(arranged[-1]):
        return NotImplemented
    starts = ones(arranged.size, bool)
    not_equal(arranged[1:], arranged[:-1], starts[1:])
    return arranged[starts]


def plain_unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
                 sorted=True):
    asked = return_index or return_inverse or return_counts
    if axis is None and not asked and ar.dtype.kind == "c" and sorted is True:
        return unique_complex(ar.reshape(-1))
    if type(axis) is not int or ar.ndim < 2 or not -ar.ndim <= axis < ar.ndim:
        return NotImplemented
    moved = moveaxis(ar, axis, 0)
    rows = ascontiguousarray(moved.reshape(moved.shape[0], -1)) if moved.size else moved
    found = unique_plain_rows(rows, bool(return_index), bool(return_inverse), bool(return_counts))
    if found is None:
        return NotImplemented
    parts, *others = found
    parts = moveaxis(parts.reshape(-1, *moved.shape[1:]), 0, axis)
    results = (parts, *(other for other in others if other is not None))
    return results if len(results) > 1 else parts


@declare(compiled=BODIES["unique"], host=True, composed=plain_unique)
def unique(
    ar: NDArrayLike,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    if axis is None and not (return_index or return_inverse or return_counts):
        return distinct(ar.reshape(-1), equal_nan)
    if axis is None and not return_index and not ar.tensor.is_cpu and ar.tensor.dtype in BY_TORCH:
        found = torch.unique(ar.tensor, return_inverse=bool(return_inverse), return_counts=bool(return_counts))
        return tuple(map(to_array, found))
    if axis is None:
        groups = Groups(ar.reshape(-1), equal_nan)
        results = [groups.values]
        if return_index:
            results.append(groups.index)
        if return_inverse:
            results.append(groups.inverse.reshape(ar.shape))
        if return_counts:
            results.append(groups.counts)
        return tuple(results)
    results = unique_rows(ar.tensor, normalize_axis_index(axis, ar.ndim))
    wanted = [part for part, asked in zip(
        results, (True, return_index, return_inverse, return_counts), strict=True) if asked]
    return tuple(wanted) if len(wanted) > 1 else wanted[0]


def unique_rows(tensor, axis):
    """Return the unique parts of a tensor along an axis, their first places, each part's group, and the counts."""
    rows = tensor.movedim(axis, 0)
    # torch: no order of complex numbers; NumPy's is that of their parts.
    parts = torch.view_as_real(rows.resolve_conj()) if rows.is_complex() else rows
    values, inverse, counts = torch.unique(parts, dim=0, return_inverse=True, return_counts=True)
    values = torch.view_as_complex(values.contiguous()) if rows.is_complex() else values
    positions = torch.arange(len(inverse) - 1, -1, -1, device=tensor.device)
    index = torch.empty_like(counts).scatter_(0, inverse.flip(0), positions)
    return values.movedim(0, axis), index, inverse, counts


def plain_unique_all(x):
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@declare(host=True, composed=plain_unique_all)
def unique_all(x: NDArrayLike):
    groups = Groups(x.reshape(-1), False)
    return UniqueAllResult(groups.values, groups.index, groups.inverse.reshape(x.shape), groups.counts)


def plain_unique_counts(x):
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@declare(host=True, composed=plain_unique_counts)
def unique_counts(x: NDArrayLike):
    groups = Groups(x.reshape(-1), False)
    return UniqueCountsResult(groups.values, groups.counts)


def plain_unique_inverse(x):
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@declare(host=True, composed=plain_unique_inverse)
def unique_inverse(x: NDArrayLike):
    groups = Groups(x.reshape(-1), False)
    return UniqueInverseResult(groups.values, groups.inverse.reshape(x.shape))


def plain_unique_values(x):
    return unique(x, equal_nan=False)


@declare(host=True, composed=plain_unique_values)
def unique_values(x: NDArrayLike):
    return distinct(x.reshape(-1), False)


def members(element, test_elements):
    """Return which elements of a tensor are among others."""
    element, test_elements = promoted(element, test_elements.reshape(-1))
    if test_elements.numel() == 0:
        return torch.zeros(element.shape, dtype=torch.bool, device=element.device)
    arranged = sorted_along(test_elements, 0)
    if element.is_complex():
        return (element.unsqueeze(-1) == arranged).any(-1)
    places = torch.searchsorted(orderable(arranged), orderable(element).contiguous()).clamp_(max=len(arranged) - 1)
    return arranged[places] == element


#: Up to so many comparisons, all at once are quicker than sorting, and up to so many values to compare with.
COMPARISONS, VALUES = 4096, 16


def plain_isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    if kind is not None or test_elements.size > VALUES or element.size * test_elements.size > COMPARISONS:
        return NotImplemented
    column, row = element.ravel()[:, None], test_elements.ravel()
    found = (column != row).all(-1) if invert else (column == row).any(-1)
    return found.reshape(element.shape)


@declare(compiled=BODIES["isin"], host=True, composed=plain_isin, general=True, discrete=True)
def isin(element: ArrayLike, test_elements: ArrayLike, assume_unique=False, invert=False, *, kind=None):
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    found = members(element, test_elements)
    return ~found if invert else found


def flat_pair(first, second):
    """Return two arrays as flat ones of their common dtype."""
    dtype = result_type(first, second)
    return first.reshape(-1).astype(dtype, copy=False), second.reshape(-1).astype(dtype, copy=False)


@declare(compiled=BODIES["union1d"], host=True)
def union1d(ar1: NDArrayLike, ar2: NDArrayLike):
    return distinct(concatenate((ar1.reshape(-1), ar2.reshape(-1))))


@declare(compiled=BODIES["intersect1d"], host=True)
def intersect1d(ar1: NDArrayLike, ar2: NDArrayLike, assume_unique=False, return_indices=False):
    first, second = flat_pair(ar1, ar2)
    if assume_unique:
        # NumPy: equal neighbours of both, sorted together, are common, wherever they come from.
        both = concatenate((first, second))
        order = argsort(both, kind="stable")
        arranged = both[order]
        (common,) = nonzero(arranged[1:] == arranged[:-1])
        if not return_indices:
            return arranged[common]
        return arranged[common], order[common], order[common + 1] - first.size
    if not return_indices:
        first, second = distinct(first), distinct(second)
        return first[isin(first, second)]
    groups, others = Groups(first), Groups(second)
    common = isin(groups.values, others.values)
    return groups.values[common], groups.index[common], others.index[isin(others.values, groups.values)]


@declare(compiled=BODIES["setdiff1d"], host=True)
def setdiff1d(ar1: NDArrayLike, ar2: NDArrayLike, assume_unique=False):
    values = ar1.reshape(-1)
    values = values if assume_unique else distinct(values)
    return values[isin(values, ar2, invert=True)]


@declare(compiled=BODIES["setxor1d"], host=True)
def setxor1d(ar1: NDArrayLike, ar2: NDArrayLike, assume_unique=False):
    first, second = flat_pair(ar1, ar2)
    if not assume_unique:
        first, second = distinct(first), distinct(second)
    return sort(concatenate((first[isin(first, second, invert=True)], second[isin(second, first, invert=True)])))
