"""Tiling, and adding and removing elements.

https://numpy.org/doc/2.4/reference/routines.array-manipulation.html#adding-and-removing-elements
"""

from __future__ import annotations

import itertools
import math
import operator

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import to_tensor
from fastnp._core.kernels.placed_copies import BODIES as PLACED_COPIES
from fastnp._core.kernels.taking import BODIES as TAKING
from fastnp._core.ndarray import ndarray
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._routines.creation import arange, empty, ones
from fastnp._routines.creation import array as as_new
from fastnp._routines.indexing import PLACES
from fastnp._routines.shape import axes_of, broadcast_to, concatenate, moveaxis
from fastnp._routines.sorting import argsort, lines_along, where
from fastnp._typing import ArrayLike, NDArrayLike, Relevant

declare = Chapter("fastnp")


def plain_tile(A, reps):
    if A.ndim == 1 and type(reps) is int and 1 < reps <= 16:
        return concatenate((A,) * reps)
    if type(reps) is int and reps == 1 and A.ndim:
        return A.copy("K")
    counts = tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    if not all(type(count) is int and count > 0 for count in counts):
        return NotImplemented
    ndim = max(A.ndim, len(counts))
    if all(count == 1 for count in counts):
        return A.copy("K") if ndim == A.ndim else A[(None,) * (ndim - A.ndim)].copy("K")
    sizes = (1,) * (ndim - A.ndim) + A.shape
    counts = (1,) * (ndim - len(counts)) + counts
    if A.size == 0:
        return NotImplemented
    # Along one axis after the other, as NumPy does: long blocks are copied in one piece.
    shape, block = [count * size for count, size in zip(counts, sizes, strict=True)], A.size
    for count, size in zip(counts, sizes, strict=True):
        if count != 1:
            A = A.reshape(-1, block).repeat(count, 0)
        block //= size
    return A.reshape(shape)


@declare(compiled=PLACED_COPIES["tile"], host=True, composed=plain_tile, general=True, scalars=False)
def tile(A: ArrayLike, reps: Relevant):
    return A.repeat(repeats_of(A, reps))


def repeats_of(tensor, reps):
    """Return one count to an axis, as `torch.Tensor.repeat` wants them: not fewer than the tensor has axes."""
    counts = reps if type(reps) is int else to_tensor(reps).tolist()
    counts = tuple(map(operator.index, counts if isinstance(counts, list) else (counts,)))
    return (1,) * (tensor.dim() - len(counts)) + tuple(map(int, counts))


@declare(compiled=TAKING["repeat"], host=True, scalars=False, method=True)
def repeat(a: ArrayLike, repeats, axis=None):
    a, axis = lines_along(a, axis)
    if type(repeats) is int:
        return by_bits(torch.repeat_interleave, a, repeats if a.shape[axis] else 0, axis)
    counts = to_tensor(repeats).to(a.device)
    if (counts.is_floating_point() or counts.is_complex()) and hasattr(repeats, "dtype"):
        raise TypeError("repeats cannot be cast to dtype('int64') according to the rule 'safe'")
    if counts.dim() > 1:
        raise ValueError("object too deep for desired array")
    if counts.numel() != 1 and counts.numel() != a.shape[axis]:
        raise ValueError(f"operands could not be broadcast together with shape ({a.shape[axis]},) ({counts.numel()},)")
    counts = counts if counts.numel() > 1 else int(counts) if a.shape[axis] else 0
    return by_bits(torch.repeat_interleave, a, counts, axis)


def in_line(array):
    """Return the elements of an array along one axis, in C order: itself where they are."""
    return array if array.ndim == 1 else array.ravel()


@declare(host=True, composed=True, scalars=False)
def append(arr: NDArrayLike, values: NDArrayLike, axis=None):
    if axis is None:
        return concatenate((in_line(arr), in_line(values)))
    return concatenate((arr, values), axis)


def positions(obj, size, device):
    """Return the positions that an int, slice, mask or list of ints selects, as a tensor of non-negative ints."""
    if isinstance(obj, slice):
        return torch.arange(*obj.indices(size), device=device)
    index = to_tensor(obj).to(device)
    if index.dtype == torch.bool:
        if index.numel() != size:
            raise ValueError(f"boolean array argument obj must be one dimensional and match the axis length of {size}")
        return index.reshape(-1).nonzero().reshape(-1)
    if (index.is_floating_point() or index.is_complex()) and (index.numel() or not isinstance(obj, (list, tuple))):
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    index = index.reshape(-1).to(torch.int64)
    wrong = (index < -size) | (index >= size)
    if wrong.any():
        raise IndexError(f"index {int(index[wrong][0])} is out of bounds for axis 0 with size {size}")
    return torch.where(index < 0, index + size, index)


def parts_along(arr, axis, *cuts):
    """Return the parts of an array between cuts along an axis, the last one to its end."""
    whole = (slice(None),) * axis
    return [arr[(*whole, slice(start, stop))] for start, stop in itertools.pairwise((*cuts, None))]


def plain_delete(arr, obj, axis=None):
    if axis is None:
        arr, axis = in_line(arr), 0
    axis = axis + arr.ndim if axis < 0 else axis
    if type(axis) is not int or not 0 <= axis < arr.ndim:
        return NotImplemented
    if arr.flags.fnc:  # NumPy: so is the result
        kept = plain_delete(arr.T, obj, arr.ndim - 1 - axis)
        return NotImplemented if kept is NotImplemented else kept.T
    size = arr.shape[axis]
    if type(obj) is slice:
        start, stop, step = obj.indices(size)
        if step == 1 and start < stop:
            return without_part(arr, axis, start, stop)
        return without_slice(arr, axis, range(start, stop, step))
    are_places = type(obj) is ndarray and obj.dtype.kind in "iu" and obj.ndim == 1
    if (are_places or type(obj) is list) and len(obj) == 1:
        obj = obj.tolist()[0] if are_places else obj[0]
    if type(obj) is int:
        if not -size <= obj < size:
            return NotImplemented
        obj = obj + size if obj < 0 else obj
        if arr.ndim == 1:
            return concatenate((arr[:obj], arr[obj + 1:]))
        before, _, after = parts_along(arr, axis, 0, obj, obj + 1)
        return in_c_order(concatenate((before, after), axis))
    if not are_places and not (type(obj) is list and all(type(place) is int for place in obj)) or not len(obj):
        return NotImplemented
    kept = ones(size, bool, device=arr.device)
    kept[obj] = False
    return arr[(*(slice(None),) * axis, kept)]


def without_part(arr, axis, start, stop):
    """Return an array without what lies between two places of an axis."""
    if arr.ndim == 1:
        return concatenate((arr[:start], arr[stop:]))
    whole = (slice(None),) * axis
    return in_c_order(concatenate((arr[(*whole, slice(start))], arr[(*whole, slice(stop, None))]), axis))


def without_slice(arr, axis, places):
    """Return an array without the places of an axis that a slice takes, if there are any."""
    if not places:
        return arr.copy()
    places = places if places.step > 0 else places[::-1]
    if places.step == 1:
        return without_part(arr, axis, places[0], places[-1] + 1)
    kept = ones(arr.shape[axis], bool, device=arr.device)
    kept[places[0]:places[-1] + 1:places.step] = False
    return in_c_order(arr[(*(slice(None),) * axis, kept)])


def plain_insert(arr, obj, values, axis=None):
    if axis is None:
        arr, axis = in_line(arr), 0
    if axis < 0:
        axis += arr.ndim
    if not 0 <= axis < arr.ndim or arr.flags.fnc:
        return NotImplemented
    if type(obj) in (list, ndarray):
        return with_inserted(arr, as_new(obj), values, axis)
    if type(obj) is not int:
        return NotImplemented
    if not -arr.shape[axis] <= obj <= arr.shape[axis]:
        return NotImplemented
    obj = obj + arr.shape[axis] if obj < 0 else obj
    values = as_new(values, dtype=arr.dtype, copy=None, ndmin=arr.ndim)
    if axis:
        values = moveaxis(values, 0, axis)
    before, after = parts_along(arr, axis, 0, obj)
    values = broadcast_to(values, [*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1:]])
    return in_c_order(concatenate((before, values, after), axis))


def with_inserted(arr, places, values, axis):
    """Return an array with values inserted at several places along an axis."""
    if places.ndim != 1 or places.size < 2 or places.dtype != PLACES:
        return NotImplemented
    shape = list(arr.shape)
    places = where(places < 0, places + shape[axis], places)
    order = argsort(places, kind="stable")
    places[order] += arange(places.size)
    shape[axis] += places.size
    kept = ones(shape[axis], bool)
    kept[places] = False
    result, whole = empty(shape, arr.dtype), (slice(None),) * axis
    result[(*whole, places)] = values
    result[(*whole, kept)] = arr
    return result


def in_c_order(array):
    """Return an array in C order."""
    return array if array.flags.c_contiguous else array.copy()


def parts_around(tensor, axis, place):
    """Return what lies before a place along an axis, and what lies behind it."""
    size = tensor.shape[axis]
    if not -size <= place <= size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    place = place + size if place < 0 else place
    return tensor.narrow(axis, 0, place), tensor.narrow(axis, place, size - place)


@declare(host=True, composed=plain_delete, general=True, scalars=False)
def delete(arr: ArrayLike, obj: Relevant, axis=None):
    arr, axis = (arr.reshape(-1), 0) if axis is None else (arr, axis)
    axis = normalize_axis_index(axis, arr.dim())
    kept = torch.ones(arr.shape[axis], dtype=torch.bool, device=arr.device)
    kept[positions(obj, arr.shape[axis], arr.device)] = False
    return by_bits(torch.index_select, arr, axis, kept.nonzero().reshape(-1))


@declare(host=True, composed=plain_insert, scalars=False)
def insert(arr: ArrayLike, obj: Relevant, values: Relevant, axis=None):
    arr, axis = (arr.reshape(-1), 0) if axis is None else (arr, axis)
    axis = normalize_axis_index(axis, arr.dim())
    size = arr.shape[axis]
    values = as_new(values, arr.dtype, copy=None).tensor.to(arr.device)
    if type(obj) is int:
        before, after = parts_around(arr, axis, obj)
        # NumPy: the first axis of several values goes to the axis that they are inserted along.
        values = values.reshape((1,) * (arr.dim() - values.dim()) + values.shape).movedim(0, axis)
        shape = list(arr.shape)
        shape[axis] = values.shape[axis]
        return torch.cat((before, values.expand(shape), after), axis)
    dims = 1 if isinstance(obj, slice) else to_tensor(obj).dim()
    if dims > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if dims and not isinstance(obj, slice) and to_tensor(obj).dtype == torch.bool:
        obj = to_tensor(obj).nonzero().reshape(-1)
    places = positions(obj, size + (0 if isinstance(obj, slice) else 1), arr.device)
    if not isinstance(obj, slice):  # a negative place counts from the end of what there is
        places = torch.where(to_tensor(obj).to(arr.device).reshape(-1) < 0, places - 1, places)
    if dims == 0:
        if 1 < arr.dim() == values.dim() and values.shape[0] != 1:
            values = values.movedim(0, axis)
        places = places.expand(values.shape[axis] if values.dim() == arr.dim() else 1)
    shape = list(arr.shape)
    shape[axis] = places.numel()
    values = values.expand(shape)
    order = torch.argsort(places, stable=True)
    keys = torch.cat((places[order] * 2, torch.arange(size, device=arr.device) * 2 + 1))
    merged = torch.cat((by_bits(torch.index_select, values, axis, order), arr), axis)
    return by_bits(torch.index_select, merged, axis, torch.argsort(keys, stable=True))


def plain_resize(a, new_shape):
    shape = (new_shape,) if type(new_shape) is int else new_shape
    if type(shape) is not tuple or not all(type(size) is int and size > 0 for size in shape) or a.size == 0:
        return NotImplemented
    count, flat = math.prod(shape), in_line(a)
    return concatenate((flat,) * -(-count // a.size))[:count].reshape(shape)


@declare(host=True, composed=plain_resize, general=True, scalars=False)
def resize(a: ArrayLike, new_shape):
    shape = (new_shape,) if isinstance(new_shape, (int, numpy.integer)) else tuple(map(operator.index, new_shape))
    if any(size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    count, flat = math.prod(shape), a.reshape(-1)
    if flat.numel() == 0:
        return torch.zeros(shape, dtype=a.dtype, device=a.device)
    return flat.repeat(-(-count // flat.numel()))[:count].reshape(shape)


@declare(host=True, scalars=False)
def trim_zeros(filt: ArrayLike, trim="fb", axis=None):
    letters = trim.lower()
    if letters not in ("fb", "bf", "f", "b", ""):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    for k in axes_of(axis, filt.dim()):
        used = (filt != 0).movedim(k, 0).flatten(1).any(1) if filt.dim() > 1 else filt != 0
        used = used.nonzero().reshape(-1)
        start = int(used[0]) if "f" in letters and used.numel() else 0
        stop = int(used[-1]) + 1 if "b" in letters and used.numel() else filt.shape[k] if used.numel() else 0
        filt = filt.narrow(k, start, stop - start)
    return filt
