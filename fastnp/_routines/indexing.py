"""Indexing: taking, putting, choosing, diagonals, index arithmetic.

https://numpy.org/doc/2.4/reference/routines.indexing.html
"""

from __future__ import annotations

import math
import operator

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.dtype import numpy_dtype_of
from fastnp._core.fancy_torch import least_in_bounds
from fastnp._core.kernels.choosing import BODIES as CHOOSING
from fastnp._core.kernels.diagonals import BODIES as DIAGONALS
from fastnp._core.kernels.numbering import BODIES as NUMBERING
from fastnp._core.kernels.numbering import triangle
from fastnp._core.kernels.shape_bodies import BODIES
from fastnp._core.kernels.taking import BODIES as TAKING
from fastnp._core.ndarray import ndarray
from fastnp._core.results import as_result
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter, declare_method
from fastnp._routines.creation import arange, check_order, full, ones
from fastnp._routines.data_types import result_type
from fastnp._routines.matrices import diagonal_of, lower
from fastnp._routines.shape import broadcast_shapes, broadcast_to, stack
from fastnp._routines.sorting import holding, lines_along, nonzero, where
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, ArrayLikes, Mixed, NDArrayLike, NDArrayLikes, OutArray, Relevant

declare = Chapter("fastnp")


#: The modes by the numbers that C programs know them by.
CLIP_MODES = ("clip", "wrap", "raise")


def clip_mode(mode):
    """Return the name of a mode, which may be spelled by its number or as None."""
    if mode is None or isinstance(mode, str):
        mode = "raise" if mode is None else mode
        if mode not in CLIP_MODES:
            raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
        return mode
    if isinstance(mode, bool):
        raise TypeError("clipmode not understood")
    number = operator.index(mode)
    if not 0 <= number < len(CLIP_MODES):
        raise ValueError("integer clipmode must be RAISE, WRAP, or CLIP from 'numpy._core.multiarray'")
    return CLIP_MODES[number]


def in_bounds(index, size, mode):
    """Return indices as non-negative ones, by NumPy's `mode`; checked before a device is asked to use them."""
    if (index.is_floating_point() or index.is_complex()) and index.numel():
        kind = numpy_dtype_of(index.dtype)
        raise TypeError(f"Cannot cast array data from {kind!r} to dtype('int64') according to the rule 'safe'")
    index = index.to(torch.int64)
    if not index.is_cpu and clip_mode(mode) == "raise" and (least := least_in_bounds(index, 0, size)) is not None:
        return index if least >= 0 else torch.where(index < 0, index + size, index)
    # As an array: what is plain, as indices are beside arrays that carry gradients, has no need of torch here.
    return within(to_array(index), size, clip_mode(mode)).tensor


def within(index, size, mode):
    """Return an array of int64 as indices of a size, from 0 on, by the name of NumPy's `mode`."""
    if mode == "clip":
        return UFUNCS["minimum"](UFUNCS["maximum"](index, 0), max(size - 1, 0))
    if mode == "wrap":
        return UFUNCS["remainder"](index, size)
    wrong = (index >= size) | (index < -size)
    if wrong.any():
        raise IndexError(f"index {int(index[wrong][0])} is out of bounds for axis 0 with size {size}")
    return where(index < 0, index + size, index)


@declare(compiled=TAKING["take"], host=True, method=True, scalars=True)
def take(a: ArrayLike, indices: Relevant, axis=None, out: OutArray = None, mode="raise"):
    a, axis = lines_along(a, axis)
    # NumPy: a list of indices is cast to integers, whatever it is of.
    indices = castable_indices(indices, "same_kind")
    if indices.numel() and a.shape[axis] == 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    index = in_bounds(indices.to(a.device, torch.int64), a.shape[axis], mode)
    taken = by_bits(torch.index_select, a, axis, index.reshape(-1))
    return taken.reshape((*a.shape[:axis], *index.shape, *a.shape[axis + 1 :]))


def castable_indices(indices, casting="safe"):
    """Return indices as a tensor of int64; TypeError where they are an array that must not be cast to that."""
    given = to_tensor(indices)
    kind = numpy_dtype_of(given.dtype)
    if hasattr(indices, "dtype") and not numpy.can_cast(kind, numpy.int64, casting):
        raise TypeError(f"Cannot cast array data from {kind!r} to dtype('int64') according to the rule '{casting}'")
    return given.to(torch.int64)


def repeated(values, count):
    """Return a flat tensor of values, repeated or cut to a number of elements."""
    values = values.reshape(-1)
    return values.repeat(-(-count // max(values.numel(), 1)))[:count]


def put_flat(array, index, values, mode):
    """Write values at places of the flattened array."""
    index = in_bounds(castable_indices(index).to(array.tensor.device), array.size, mode).reshape(-1)
    values = to_tensor(values)
    if index.numel() and values.numel():
        flat = array.flatten()
        flat[index] = to_array(repeated(values, index.numel()))
        array[...] = flat.reshape(array.shape)


def wrapped_indices(indices, size):
    """Return indices wrapped to a size; None where NumPy looks closer. It adds the size until they fit: 2**62 times."""
    if isinstance(indices, numpy.ndarray):
        indices = to_array(indices)
    if type(indices) is not ndarray or size == 0 or indices.dtype.kind not in "iu":
        return None
    return UFUNCS["remainder"](indices, size)


def plain_put(a, ind, v, mode="raise"):
    index = wrapped_indices(ind, a.size) if mode == "wrap" and type(a) is ndarray else None
    return NotImplemented if index is None else put(a, index, v)


@declare(compiled=TAKING["put"], host=True, writes=True, composed=plain_put)
def put(a: NDArrayLike, ind: Relevant, v: Relevant, mode="raise"):
    put_flat(a, ind, v, mode)


@declare_method(compiled=TAKING["put"], host=True, writes=True, composed=plain_put)
def put_(self: NDArrayLike, indices, values, mode="raise"):
    """Set elements of the flattened array."""
    put_flat(self, indices, values, mode)


#: What NumPy's places are of.
PLACES = numpy.dtype(numpy.intp)


#: Python's numbers, which promote weakly.
NUMBERS = (int, float, complex)


def with_numbers(choices):
    """Return choices as arrays, but for Python's numbers."""
    return [choice if type(choice) in NUMBERS else to_array(choice) for choice in choices]


def plain_choose(a, choices, out=None, mode="raise"):
    index = wrapped_indices(a, len(choices)) if mode == "wrap" else None
    return NotImplemented if index is None else choose(index, choices, out)


def plain_choose_method(self, *choices, out=None, mode="raise"):
    return plain_choose(self, choices[0] if len(choices) == 1 else choices, out, mode)


@declare(compiled=CHOOSING["choose"], host=True, composed=plain_choose)
def choose(a: Relevant, choices: Mixed, out: OutArray = None, mode="raise"):
    return chosen(a, choices, mode)


@declare_method(compiled=CHOOSING["choose_method"], host=True, composed=plain_choose_method)
def choose_(self: NDArrayLike, *choices: Relevant, out: OutArray = None, mode="raise"):
    """Return elements of the choices, the array being the index of each: one sequence of choices, or several."""
    return chosen(self, choices[0] if len(choices) == 1 else choices, mode)


def chosen(a, choices, mode):
    """Return for each index the element of that choice."""
    index = to_array(castable_indices(a if isinstance(a, (list, tuple)) and not a else to_array(a)))
    mode = clip_mode(mode)
    if mode != "raise":
        index = within(index, len(choices), mode)
    elif ((index < 0) | (index >= len(choices))).any():
        raise ValueError("invalid entry in choice array")
    choices = with_numbers(choices)
    dtype = result_type(*choices)
    choices = [to_array(choice).astype(dtype) for choice in choices]
    shape = index.shape
    if any(choice.shape != shape for choice in choices):
        shape = numpy.broadcast_shapes(shape, *[choice.shape for choice in choices])
    options = stack([choice if choice.shape == shape else broadcast_to(choice, shape) for choice in choices])
    index = index if index.shape == shape else broadcast_to(index, shape)
    return to_array(by_bits(torch.gather, options.tensor, 0, index.tensor[None])[0])


@declare(compiled=TAKING["compress"], host=True)
def compress(condition: ArrayLike, a: ArrayLike, axis=None, out: OutArray = None):
    return compressed(condition, a, axis)


@declare_method(compiled=TAKING["compress_method"], host=True)
def compress_(self: ArrayLike, condition: ArrayLike, axis=None, out: OutArray = None):
    """Return slices of the array along an axis where a condition holds."""
    return compressed(condition, self, axis)


def compressed(condition, tensor, axis):
    """Return slices along an axis where a condition holds."""
    if condition.dim() != 1:
        raise ValueError("condition must be a 1-d array")
    tensor, axis = lines_along(tensor, axis)
    kept = torch.nonzero(holding(condition)).reshape(-1)
    if condition.numel() > tensor.shape[axis]:
        kept = in_bounds(kept, tensor.shape[axis], "raise")
    return by_bits(torch.index_select, tensor, axis, kept)


def castable(values, dtype):
    """Return what is to be written as a tensor; TypeError where it is an array of a dtype that does not fit."""
    given = getattr(values, "dtype", dtype)
    if isinstance(given, numpy.dtype) and not numpy.can_cast(given, dtype, "safe"):
        raise TypeError(f"Cannot cast array data from {given!r} to {dtype!r} according to the rule 'safe'")
    return to_tensor(values)


def masked(array, mask):
    """Return a mask as a tensor of the array's shape and device; ValueError where it has another size."""
    mask = to_tensor(mask).to(array.tensor.device)
    if mask.numel() != array.size:
        raise ValueError("putmask: mask and data must be the same size")
    return mask.reshape(array.shape) != 0


@declare(compiled=TAKING["place"], host=True, writes=True)
def place(arr: NDArrayLike, mask: Relevant, vals: Relevant):
    where = masked(arr, mask)
    count = int(where.sum())
    values = castable(vals, arr.dtype)
    if count and not values.numel():
        raise ValueError("Cannot insert from an empty array!")
    if count:
        arr[to_array(where)] = to_array(repeated(values, count))


@declare(compiled=TAKING["putmask"], host=True, writes=True)
def putmask(a: NDArrayLike, /, mask: Relevant, values: Relevant):
    where = masked(a, mask)
    values = castable(values, a.dtype)
    if values.numel():
        a[to_array(where)] = to_array(repeated(values, a.size).reshape(a.shape)[where])


@declare(compiled=TAKING["copyto"], host=True, writes=True)
def copyto(dst: NDArrayLike, src: Relevant, casting="same_kind", where: Relevant = True):
    source = src if isinstance(src, (bool, int, float, complex)) else to_array(src)
    # NEP 50: a Python number is of the array's dtype where that has its kind of number.
    kind = source.dtype if isinstance(source, ndarray) else numpy.result_type(dst.dtype, source)
    if not numpy.can_cast(kind, dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {kind!r} to {dst.dtype!r} according to the rule {casting!r}")
    if where is True:
        dst[...] = source
        return
    mask = to_array(where)
    if mask.dtype != bool:
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    mask = mask.tensor.to(dst.tensor.device).expand(dst.shape)
    if isinstance(source, ndarray) and source.ndim:
        source = to_array(source.tensor.expand(dst.shape)[mask])
    dst[to_array(mask)] = source


def along_axis(tensor, index, axis):
    """Return a tensor, indices along an axis of it, and the axis: broadcast to each other elsewhere."""
    if axis is None:
        if index.dim() != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        tensor, axis = tensor.reshape(-1), 0
    axis = normalize_axis_index(axis, tensor.dim())
    if index.dim() != tensor.dim():
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    if index.is_floating_point() or index.is_complex() or index.dtype == torch.bool:
        raise IndexError("`indices` must be an integer array")
    index = in_bounds(index.to(tensor.device), tensor.shape[axis], "raise")
    shape = list(numpy.broadcast_shapes(
        (*tensor.shape[:axis], 1, *tensor.shape[axis + 1 :]), (*index.shape[:axis], 1, *index.shape[axis + 1 :])
    ))
    tensor = tensor.expand(*shape[:axis], tensor.shape[axis], *shape[axis + 1 :])
    return tensor, index.expand(*shape[:axis], index.shape[axis], *shape[axis + 1 :]), axis


def index_along(arr, indices, axis):
    """Return the key that pairs indices along an axis with all places of the others; None where NumPy looks closer."""
    ndim = arr.ndim
    if type(axis) is not int or not -ndim <= axis < ndim or indices.ndim != ndim or indices.dtype.kind not in "iu":
        return None
    axis = axis + ndim if axis < 0 else axis
    if ndim == 1:
        return (indices,)
    if not indices.flags.c_contiguous:
        return None  # the result is laid out as they are
    key = [arange(size).reshape((-1,) + (1,) * (ndim - 1 - dim)) for dim, size in enumerate(arr.shape)]
    key[axis] = indices
    return tuple(key)


def plain_take_along_axis(arr, indices, axis=-1):
    key = index_along(arr, indices, axis)
    return NotImplemented if key is None else arr[key]


@declare(compiled=TAKING["take_along_axis"], host=True, composed=plain_take_along_axis)
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis=-1):
    tensor, index, axis = along_axis(arr, indices, axis)
    return by_bits(torch.gather, tensor, axis, index)


def plain_put_along_axis(arr, indices, values, axis):
    key = index_along(arr, indices, axis)
    if key is None:
        return NotImplemented
    arr[key] = values
    return None


@declare(compiled=TAKING["along_axis"], host=True, composed=plain_put_along_axis, writes=True)
def put_along_axis(arr: NDArrayLike, indices: ArrayLike, values: Relevant, axis):
    flat = arr.reshape(-1) if axis is None else arr
    _, index, axis = along_axis(flat.tensor, indices, axis)
    grid = [
        torch.arange(size, device=index.device).reshape((-1,) + (1,) * (index.dim() - 1 - k))
        for k, size in enumerate(index.shape)
    ]
    grid[axis] = index
    flat[tuple(to_array(part) for part in grid)] = values


def plain_select(condlist, choicelist, default=0):
    if type(default) not in NUMBERS or len(condlist) != len(choicelist):
        return NotImplemented
    choicelist = with_numbers(choicelist)
    if any(condition.dtype.kind != "b" for condition in condlist):
        return NotImplemented
    shapes = [part.shape for part in (*condlist, *choicelist) if type(part) not in NUMBERS]
    shape = shapes[0] if shapes.count(shapes[0]) == len(shapes) else broadcast_shapes(*shapes)
    result = full(shape, default, result_type(*choicelist, default))
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        copyto(result, choice, where=condition)
    return result


@declare(host=True, composed=plain_select)
def select(condlist: NDArrayLikes, choicelist: Mixed, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    for number, condition in enumerate(condlist):
        if condition.dtype.kind != "b":
            raise TypeError(f"invalid entry {number} in condlist: should be boolean ndarray")
    result = default if type(default) in NUMBERS else to_array(default)
    choicelist = with_numbers(choicelist)
    dtype = result_type(*choicelist, result)
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = where(condition, to_array(choice).astype(dtype, copy=False), result)
    return as_result(result)


@declare(compiled=BODIES["diagonal"], method=True)
def diagonal(a: NDArrayLike, offset=0, axis1=0, axis2=1): ...


def plain_fill_diagonal(a, val, wrap=False):
    """Write over a view of the elements in a line, at equal distances."""
    shape = a.shape
    if not a.flags.c_contiguous:
        return NotImplemented
    if len(shape) == 2:
        columns = shape[1]
        places = a.reshape(-1)[:None if wrap else columns * columns:columns + 1]
    elif len(shape) > 2 and len(set(shape)) == 1:
        places = a.reshape(-1)[::sum([shape[0] ** k for k in range(len(shape))])]
    else:
        return NotImplemented
    if type(val) not in (float, int, bool) and (
            type(val) is not ndarray or val.shape != places.shape or val.base is not None or val.dtype.kind == "c"):
        return NotImplemented
    places[...] = val
    return None


@declare(compiled=DIAGONALS["fill_diagonal"], host=True, writes=True, composed=plain_fill_diagonal)
def fill_diagonal(a: NDArrayLike, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    step = a.shape[1] + 1 if a.ndim == 2 else 1 + sum(math.prod(a.shape[:k]) for k in range(1, a.ndim))
    end = a.shape[1] ** 2 if a.ndim == 2 and not wrap else None
    a.flat[slice(None, end, step)] = val


# Index arithmetic: the results lie on torch's default device.


def arange_of(size):
    """Return 0 ... size - 1 on the default device."""
    return to_tensor(arange(size))


def plain_diag_indices(n, ndim=2):
    return (arange(n),) * ndim


@declare(host=True, composed=plain_diag_indices)
def diag_indices(n, ndim=2):
    return (arange_of(n),) * ndim


def plain_diag_indices_from(arr):
    return NotImplemented if arr.ndim < 2 or len(set(arr.shape)) > 1 else (arange(arr.shape[0]),) * arr.ndim


@declare(host=True, composed=plain_diag_indices_from)
def diag_indices_from(arr: ArrayLike):
    if arr.dim() < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (torch.arange(arr.shape[0], device=arr.device),) * arr.dim()


#: The farthest diagonal that can be named in NumPy, about.
MOST = 2**62
#: Of larger matrices NumPy says that there is no memory.
MOST_ELEMENTS = 2**40


def plain_tril_indices(n, k=0, m=None):
    m = n if m is None else m
    if not type(n) is type(k) is type(m) is int or n <= 0 or m <= 0 or abs(k) > MOST:
        return NotImplemented
    first = max(-n, min(k, m)) + 1
    return triangle(n, m, first, False) if n * m <= MOST_ELEMENTS else NotImplemented


def plain_triu_indices(n, k=0, m=None):
    m = n if m is None else m
    if not type(n) is type(k) is type(m) is int or n <= 0 or m <= 0 or abs(k) > MOST:
        return NotImplemented
    first = max(-n, min(k, m))
    return triangle(n, m, first, True) if n * m <= MOST_ELEMENTS else NotImplemented


@declare(host=True, composed=plain_tril_indices)
def tril_indices(n, k=0, m=None):
    return tuple(torch.nonzero(lower(n, n if m is None else m, k), as_tuple=True))


@declare(host=True, composed=plain_triu_indices)
def triu_indices(n, k=0, m=None):
    return tuple(torch.nonzero(~lower(n, n if m is None else m, k - 1), as_tuple=True))


def triangle_indices(part, matrix, k):
    """Return the indices of a triangle of a matrix."""
    if matrix.dim() != 2:
        raise ValueError("input array must be 2-d")
    k = diagonal_of(k - 1, *matrix.shape) + 1 if part is torch.triu else diagonal_of(k, *matrix.shape)
    return tuple(torch.nonzero(part(torch.ones(matrix.shape, device=matrix.device), k), as_tuple=True))


def plain_tril_indices_from(arr, k=0):
    return plain_tril_indices(arr.shape[0], k, arr.shape[1]) if arr.ndim == 2 else NotImplemented


def plain_triu_indices_from(arr, k=0):
    return plain_triu_indices(arr.shape[0], k, arr.shape[1]) if arr.ndim == 2 else NotImplemented


@declare(host=True, composed=plain_tril_indices_from)
def tril_indices_from(arr: ArrayLike, k=0):
    return triangle_indices(torch.tril, arr, k)


@declare(host=True, composed=plain_triu_indices_from)
def triu_indices_from(arr: ArrayLike, k=0):
    return triangle_indices(torch.triu, arr, k)


def plain_mask_indices(n, mask_func, k=0):
    return nonzero(mask_func(ones((n, n), int), k) != 0)


@declare(composed=plain_mask_indices)
def mask_indices(n, mask_func, k=0):
    chosen = to_tensor(mask_func(ones((n, n), int), k))
    return tuple(torch.nonzero(chosen != 0, as_tuple=True))


@declare(compiled=NUMBERING["unravel_index"], host=True)
def unravel_index(indices: ArrayLike, shape, order="C"):
    sizes = tuple(map(operator.index, shape if isinstance(shape, (tuple, list)) else (shape,)))
    count = math.prod(sizes)
    if indices.is_floating_point() or indices.is_complex():
        raise TypeError("only int indices permitted")
    indices = indices.to(torch.int64)
    if ((indices < 0) | (indices >= count)).any():
        raise ValueError(f"index is out of bounds for array with size {count}")
    parts = []
    rest = indices.to(torch.int64)
    order = check_order(order)
    for size in reversed(sizes) if order == "C" else sizes:
        parts.append(rest.remainder(size))
        rest = rest.div(size, rounding_mode="floor")
    return tuple(reversed(parts)) if order == "C" else tuple(parts)


@declare(compiled=NUMBERING["ravel_multi_index"], host=True)
def ravel_multi_index(multi_index: ArrayLikes, dims, mode="raise", order="C"):
    modes = [clip_mode(how) for how in (mode if isinstance(mode, (tuple, list)) else (mode,) * len(dims))]
    result, step, order = 0, 1, check_order(order)
    pairs = list(zip(multi_index, dims, modes, strict=True))
    for index, size, how in reversed(pairs) if order == "C" else pairs:
        if how == "raise" and ((index < 0) | (index >= size)).any():
            raise ValueError("invalid entry in coordinates array")
        result = result + in_bounds(index, size, how) * step
        step *= size
    return result


@declare(host=True, composed=True)
def ix_(*args: Relevant):
    results = []
    for axis, given in enumerate(args):
        index = to_array(given)
        if index.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if index.size == 0 and not isinstance(given, (ndarray, numpy.ndarray, torch.Tensor)):
            index = index.astype(int)  # NumPy: of a list of nothing, no index is of floating point
        if index.dtype.kind == "b":
            index = nonzero(index)[0]
        results.append(index.reshape((1,) * axis + (-1,) + (1,) * (len(args) - 1 - axis)))
    return tuple(results)
