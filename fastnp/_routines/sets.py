"""Sets: unique elements, membership, union and difference.

https://numpy.org/doc/2.4/reference/routines.set.html
"""

from __future__ import annotations

import torch
from numpy.lib._arraysetops_impl import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.stored_dtypes import orderable
from fastnp._declare import Chapter
from fastnp._promotion import promoted
from fastnp._routines.creation import empty
from fastnp._routines.sorting import sorted_along, sorting_order
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike

declare = Chapter("fastnp")

isnan, not_equal = UFUNCS["isnan"], UFUNCS["not_equal"]


def boundaries(values, equal_nan):
    """Return where a sorted tensor's elements differ from the one before."""
    first = torch.ones(min(values.shape[0], 1), dtype=torch.bool, device=values.device)
    differs = values[1:] != values[:-1]
    if equal_nan and (values.is_floating_point() or values.is_complex()):
        differs &= ~(torch.isnan(values[1:]) & torch.isnan(values[:-1]))
    return torch.cat((first, differs))


def distinct(values, equal_nan=True):
    """Return the unique elements of a flat tensor, their first places, each element's group, and the counts."""
    order = sorting_order(values, 0)
    arranged = values[order]
    starts = boundaries(arranged, equal_nan)
    groups = torch.empty_like(order)
    groups[order] = torch.cumsum(starts, 0) - 1
    places = torch.nonzero(starts).reshape(-1)
    ends = torch.cat((places[1:], torch.full((min(len(places), 1),), len(values), device=values.device)))
    return arranged[starts], order[starts], groups, ends - places


#: Up to so many elements, sorting is quicker than NumPy's table of hashes.
SORTED = 1024


def plain_unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
                 sorted=True):
    if return_index or return_inverse or return_counts or axis is not None or ar.size > SORTED or not ar.size or (
            type(equal_nan) is not bool):
        return NotImplemented
    ar = ar.flatten()
    # Which of two zeros stays, and how many NaNs, is NumPy's to say.
    if ar.dtype.kind not in "biu" and (ar.dtype.kind != "f" or (isnan(ar) | (ar == 0)).any()):
        return NotImplemented
    ar.sort()
    first = empty(ar.size, bool)
    first[0] = True
    not_equal(ar[1:], ar[:-1], first[1:])
    return ar[first]


@declare(host=True, composed=plain_unique)
def unique(
    ar: ArrayLike,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    if axis is None:
        values, index, inverse, counts = distinct(ar.reshape(-1), equal_nan)
        inverse = inverse.reshape(ar.shape)
    else:
        axis = normalize_axis_index(axis, ar.dim())
        rows = ar.movedim(axis, 0)
        values, inverse, counts = torch.unique(rows, dim=0, return_inverse=True, return_counts=True)
        positions = torch.arange(len(inverse) - 1, -1, -1, device=ar.device)
        index = torch.empty_like(counts).scatter_(0, inverse.flip(0), positions)
        values = values.movedim(0, axis)
    results = (values, *(part for part, wanted in (
        (index, return_index), (inverse, return_inverse), (counts, return_counts)) if wanted))
    return results if len(results) > 1 else values


@declare(host=True)
def unique_all(x: ArrayLike):
    values, index, inverse, counts = distinct(x.reshape(-1), False)
    return UniqueAllResult(values, index, inverse.reshape(x.shape), counts)


@declare(host=True)
def unique_counts(x: ArrayLike):
    values, _, _, counts = distinct(x.reshape(-1), False)
    return UniqueCountsResult(values, counts)


@declare(host=True)
def unique_inverse(x: ArrayLike):
    values, _, inverse, _ = distinct(x.reshape(-1), False)
    return UniqueInverseResult(values, inverse.reshape(x.shape))


@declare(host=True)
def unique_values(x: ArrayLike):
    return distinct(x.reshape(-1), False)[0]


def members(element, test_elements):
    """Return which elements are among others."""
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


@declare(host=True, composed=plain_isin)
def isin(element: ArrayLike, test_elements: ArrayLike, assume_unique=False, invert=False, *, kind=None):
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    found = members(element, test_elements)
    return ~found if invert else found


@declare(host=True)
def union1d(ar1: ArrayLike, ar2: ArrayLike):
    return distinct(torch.cat(promoted(ar1.reshape(-1), ar2.reshape(-1))))[0]


@declare(host=True)
def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique=False, return_indices=False):
    first, second = promoted(ar1.reshape(-1), ar2.reshape(-1))
    if assume_unique:
        # NumPy: equal neighbours of both, sorted together, are common, wherever they come from.
        both = torch.cat((first, second))
        order = sorting_order(both, 0)
        arranged = both[order]
        common = torch.nonzero(arranged[1:] == arranged[:-1]).reshape(-1)
        if not return_indices:
            return arranged[common]
        return arranged[common], order[common], order[common + 1] - len(first)
    values, places, _, _ = distinct(first)
    others, other_places, _, _ = distinct(second)
    common = members(values, others)
    if not return_indices:
        return values[common]
    return values[common], places[common], other_places[members(others, values)]


@declare(host=True)
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique=False):
    values = ar1.reshape(-1) if assume_unique else distinct(ar1.reshape(-1))[0]
    return values[~members(values, ar2)]


@declare(host=True)
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique=False):
    first, second = promoted(ar1.reshape(-1), ar2.reshape(-1))
    if not assume_unique:
        first, second = distinct(first)[0], distinct(second)[0]
    return sorted_along(torch.cat((first[~members(first, second)], second[~members(second, first)])), 0)
