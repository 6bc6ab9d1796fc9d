"""Array manipulation.

https://numpy.org/doc/2.4/reference/routines.array-manipulation.html
"""

from __future__ import annotations

import itertools
import math
import operator

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from fastnp._core.converters import to_tensor
from fastnp._core.dtype import numpy_dtype_of, to_torch_dtype
from fastnp._core.kernels.joining import BODIES as JOINING
from fastnp._core.kernels.questions import BODIES as QUESTIONS
from fastnp._core.kernels.shape_bodies import BODIES
from fastnp._core.kernels.splitting import BODIES as SPLITTING
from fastnp._core.kernels.taking import BODIES as TAKING
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._routines.creation import array as as_new
from fastnp._routines.creation import empty, empty_like, ones
from fastnp._typing import ArrayLike, ArrayLikes, DTypeLike, NDArrayLike, NDArrayLikes, OutArray, Relevant

declare = Chapter("fastnp")


def axes_of(axis, ndim):
    """Return an axis or a tuple of axes as canonical numbers."""
    return normalize_axis_tuple(range(ndim) if axis is None else axis, ndim)


@declare(compiled=BODIES["reshape"])
def reshape(a: NDArrayLike, /, shape, order="C", *, copy=None): ...


@declare(compiled=BODIES["ravel"], method=True)
def ravel(a: NDArrayLike, order="C"): ...


@declare(compiled=BODIES["transpose"])
def transpose(a: NDArrayLike, axes=None): ...


@declare(compiled=BODIES["transpose"])
def permute_dims(a: NDArrayLike, axes=None): ...


@declare(compiled=BODIES["matrix_transpose"])
def matrix_transpose(x: NDArrayLike, /): ...


@declare(compiled=BODIES["swapaxes"], method=True)
def swapaxes(a: NDArrayLike, axis1, axis2): ...


@declare(compiled=BODIES["moveaxis"])
def moveaxis(a: NDArrayLike, source, destination): ...


@declare(compiled=BODIES["rollaxis"], host=True, views=True, scalars=False)
def rollaxis(a: NDArrayLike, axis, start=0):
    ndim = a.ndim
    axis = axis if type(axis) is int and 0 <= axis < ndim else normalize_axis_index(axis, ndim)
    start = start + ndim if start < 0 else start
    if not 0 <= start <= ndim:
        raise numpy.exceptions.AxisError(start, ndim + 1, "start")
    return moveaxis(a, axis, start - 1 if axis < start else start)


@declare(compiled=BODIES["squeeze"], method=True)
def squeeze(a: NDArrayLike, axis=None): ...


@declare(compiled=BODIES["expand_dims"])
def expand_dims(a: NDArrayLike, axis): ...


@declare(compiled=QUESTIONS["atleast_1d"], host=True, composed=True, scalars=False)
def atleast_1d(*arys: NDArrayLikes):
    if len(arys) == 1:
        return arys[0] if arys[0].ndim else arys[0].reshape(1)
    return tuple([array if array.ndim else array.reshape(1) for array in arys])


@declare(compiled=QUESTIONS["atleast_2d"], host=True, composed=True, scalars=False)
def atleast_2d(*arys: NDArrayLikes):
    if len(arys) == 1:
        (array,) = arys
        return array[None] if array.ndim == 1 else at_least_2d(array)
    return tuple(map(at_least_2d, arys))


def at_least_2d(array):
    """Return an array with two axes at least."""
    ndim = array.ndim
    return array if ndim > 1 else array[None] if ndim else array.reshape(1, 1)


def at_least_3d(array):
    """Return an array with three axes at least, as `dstack` wants them."""
    if array.ndim == 0:
        return array.reshape(1, 1, 1)
    return array[None, :, None] if array.ndim == 1 else array[:, :, None] if array.ndim == 2 else array


@declare(compiled=QUESTIONS["atleast_3d"], host=True, composed=True, scalars=False)
def atleast_3d(*arys: NDArrayLikes):
    return at_least_3d(arys[0]) if len(arys) == 1 else tuple(map(at_least_3d, arys))


# Broadcasting.


@declare(compiled=BODIES["broadcast_to"])
def broadcast_to(array: NDArrayLike, shape, subok=False): ...


@declare(compiled=BODIES["broadcast_arrays"], host=True, scalars=False)
def broadcast_arrays(*args: ArrayLikes, subok=False):
    return tuple(torch.broadcast_tensors(*args))


@declare()
def broadcast_shapes(*args):
    return numpy.broadcast_shapes(*args)


# Joining.


def joined(tensors, dtype=None, casting="same_kind"):
    """Return tensors of one dtype: that which NumPy promotes them to, or the one given, if the cast is allowed."""
    if not tensors:
        raise ValueError("need at least one array to concatenate")
    if dtype is None and len({tensor.dtype for tensor in tensors}) == 1:
        return tensors
    dtypes = [numpy_dtype_of(tensor.dtype) for tensor in tensors]
    common = to_torch_dtype(numpy.result_type(*dtypes)) if dtype is None else dtype
    if dtype is not None:
        target = numpy_dtype_of(dtype)
        for source in dtypes:
            if not numpy.can_cast(source, target, casting):
                raise TypeError(f"Cannot cast array data from {source!r} to {target!r} by the rule {casting!r}")
    return [tensor.to(common) for tensor in tensors]


def concatenated(tensors, axis, dtype, casting):
    """Return tensors joined along an existing axis; NumPy's errors where they do not match."""
    if axis is None:
        tensors, axis = [tensor.reshape(-1) for tensor in tensors], 0
    tensors = joined(tensors, dtype, casting)
    ndim = tensors[0].dim()
    if ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normalize_axis_index(axis, ndim)
    for number, tensor in enumerate(tensors):
        if tensor.dim() != ndim:
            raise ValueError(
                f"all the input arrays must have same number of dimensions, but the array at index 0 has {ndim} "
                f"dimension(s) and the array at index {number} has {tensor.dim()} dimension(s)"
            )
        if any(a != b for k, (a, b) in enumerate(zip(tensor.shape, tensors[0].shape, strict=True)) if k != axis):
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    return torch.cat(tensors, axis)


@declare(compiled=JOINING["concatenate"], host=True, scalars=False)
def concatenate(arrays: ArrayLikes, /, axis=0, out: OutArray = None, *, dtype: DTypeLike = None, casting="same_kind"):
    return concatenated(arrays, axis, dtype, casting)


@declare(compiled=JOINING["concatenate"], host=True, scalars=False)
def concat(arrays: ArrayLikes, /, axis=0, out: OutArray = None, *, dtype: DTypeLike = None, casting="same_kind"):
    return concatenated(arrays, axis, dtype, casting)


@declare(compiled=JOINING["stack"], host=True, scalars=False)
def stack(arrays: ArrayLikes, axis=0, out: OutArray = None, *, dtype: DTypeLike = None, casting="same_kind"):
    if not arrays:
        raise ValueError("need at least one array to stack")
    if len({tuple(tensor.shape) for tensor in arrays}) > 1:
        raise ValueError("all input arrays must have the same shape")
    return torch.stack(joined(arrays, dtype, casting), normalize_axis_index(axis, arrays[0].dim() + 1))


@declare(compiled=JOINING["vstack"], host=True, scalars=False)
def vstack(tup: ArrayLikes, *, dtype: DTypeLike = None, casting="same_kind"):
    return concatenated([x.reshape(1, -1) if x.dim() < 2 else x for x in tup], 0, dtype, casting)


@declare(compiled=JOINING["hstack"], host=True, scalars=False)
def hstack(tup: ArrayLikes, *, dtype: DTypeLike = None, casting="same_kind"):
    tensors = [x.reshape(1) if x.dim() == 0 else x for x in tup]
    return concatenated(tensors, 0 if tensors and tensors[0].dim() == 1 else 1, dtype, casting)


@declare(host=True, composed=True, scalars=False)
def dstack(tup: NDArrayLikes):
    return concatenate([at_least_3d(x) for x in tup], 2)


@declare(host=True, composed=True, scalars=False)
def column_stack(tup: NDArrayLikes):
    return concatenate([x if x.ndim > 1 else x[:, None] if x.ndim else x.reshape(1, 1) for x in tup], 1)


@declare(host=True, composed=True, scalars=False)
def append(arr: NDArrayLike, values: NDArrayLike, axis=None):
    if axis is None:
        return concatenate((arr.ravel(), values.ravel()))
    return concatenate((arr, values), axis)


# Splitting.


def parts(array, indices_or_sections, axis, equal):
    """Return views of the parts of an array along an axis."""
    size = array.shape[axis]
    if hasattr(indices_or_sections, "__len__") and getattr(indices_or_sections, "ndim", 1):
        ends = itertools.pairwise([0, *indices_or_sections, size])
    else:
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(size, sections)
        if equal and (extra or size % indices_or_sections):
            raise ValueError("array split does not result in an equal division")
        if extra:
            ends = itertools.pairwise(
                itertools.accumulate([each + 1] * extra + [each] * (sections - extra), initial=0)
            )
        else:
            ends = [(start, start + each) for start in range(0, size, each)] if each else [(0, 0)] * sections
    axis = axis if axis >= 0 else axis + array.ndim
    if axis == 0:
        return [array[start:stop] for start, stop in ends]
    whole = (slice(None),) * axis
    return [array[(*whole, slice(start, stop))] for start, stop in ends]


@declare(compiled=SPLITTING["split"], host=True, composed=True, views=True, scalars=False)
def split(ary: NDArrayLike, indices_or_sections: Relevant, axis=0):
    return parts(ary, indices_or_sections, axis, True)


@declare(compiled=SPLITTING["array_split"], host=True, composed=True, views=True, scalars=False)
def array_split(ary: NDArrayLike, indices_or_sections: Relevant, axis=0):
    return parts(ary, indices_or_sections, axis, False)


@declare(compiled=SPLITTING["hsplit"], host=True, composed=True, views=True, scalars=False)
def hsplit(ary: NDArrayLike, indices_or_sections: Relevant):
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return parts(ary, indices_or_sections, 1 if ary.ndim > 1 else 0, True)


@declare(compiled=SPLITTING["vsplit"], host=True, composed=True, views=True, scalars=False)
def vsplit(ary: NDArrayLike, indices_or_sections: Relevant):
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return parts(ary, indices_or_sections, 0, True)


@declare(compiled=SPLITTING["dsplit"], host=True, composed=True, views=True, scalars=False)
def dsplit(ary: NDArrayLike, indices_or_sections: Relevant):
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return parts(ary, indices_or_sections, 2, True)


@declare(host=True, composed=True, views=True, scalars=False)
def unstack(x: NDArrayLike, /, *, axis=0):
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))


# Tiling, adding and removing elements, rearranging.


def plain_tile(A, reps):
    if A.ndim == 1 and type(reps) is int and 1 < reps <= 16:
        return concatenate((A,) * reps)
    counts = tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    if not all(type(count) is int and count > 0 for count in counts):
        return NotImplemented
    ndim = max(A.ndim, len(counts))
    sizes = (1,) * (ndim - A.ndim) + A.shape
    counts = (1,) * (ndim - len(counts)) + counts
    if A.size == 0 or all(count == 1 for count in counts):
        return NotImplemented
    # Along one axis after the other, as NumPy does: long blocks are copied in one piece.
    shape, block = [count * size for count, size in zip(counts, sizes, strict=True)], A.size
    for count, size in zip(counts, sizes, strict=True):
        if count != 1:
            A = A.reshape(-1, block).repeat(count, 0)
        block //= size
    return A.reshape(shape)


@declare(host=True, composed=plain_tile, scalars=False)
def tile(A: ArrayLike, reps: Relevant):
    return A.repeat(repeats_of(A, reps))


def repeats_of(tensor, reps):
    """Return one count to an axis, as `torch.Tensor.repeat` wants them: not fewer than the tensor has axes."""
    counts = reps if type(reps) is int else to_tensor(reps).tolist()
    counts = tuple(map(operator.index, counts if isinstance(counts, list) else (counts,)))
    return (1,) * (tensor.dim() - len(counts)) + tuple(map(int, counts))


@declare(compiled=TAKING["repeat"], host=True, scalars=False, method=True)
def repeat(a: ArrayLike, repeats, axis=None):
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = normalize_axis_index(axis, a.dim())
    if type(repeats) is int:
        return torch.repeat_interleave(a, repeats if a.shape[axis] else 0, axis)
    counts = to_tensor(repeats).to(a.device)
    if (counts.is_floating_point() or counts.is_complex()) and hasattr(repeats, "dtype"):
        raise TypeError("repeats cannot be cast to dtype('int64') according to the rule 'safe'")
    if counts.dim() > 1:
        raise ValueError("object too deep for desired array")
    if counts.numel() != 1 and counts.numel() != a.shape[axis]:
        raise ValueError(f"operands could not be broadcast together with shape ({a.shape[axis]},) ({counts.numel()},)")
    return torch.repeat_interleave(a, counts if counts.numel() > 1 else int(counts) if a.shape[axis] else 0, axis)


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
        arr, axis = arr.ravel(), 0
    axis = axis + arr.ndim if axis < 0 else axis
    if type(axis) is not int or not 0 <= axis < arr.ndim or arr.flags.fnc:
        return NotImplemented
    size = arr.shape[axis]
    obj = obj[0] if type(obj) is list and len(obj) == 1 else obj
    if type(obj) is int:
        if not -size <= obj < size:
            return NotImplemented
        obj = obj + size if obj < 0 else obj
        if arr.ndim == 1:
            return concatenate((arr[:obj], arr[obj + 1:]))
        before, _, after = parts_along(arr, axis, 0, obj, obj + 1)
        return in_c_order(concatenate((before, after), axis))
    if type(obj) is not list or not obj or not all(type(place) is int and -size <= place < size for place in obj):
        return NotImplemented
    kept = ones(size, bool, device=arr.device)
    kept[obj] = False
    return arr[(*(slice(None),) * axis, kept)]


def plain_insert(arr, obj, values, axis=None):
    if axis is None:
        arr, axis = arr.ravel(), 0
    if axis < 0:
        axis += arr.ndim
    if not 0 <= axis < arr.ndim or arr.flags.fnc or type(obj) is not int:
        return NotImplemented
    if not -arr.shape[axis] <= obj <= arr.shape[axis]:
        return NotImplemented
    obj = obj + arr.shape[axis] if obj < 0 else obj
    values = as_new(values, dtype=arr.dtype, copy=None, ndmin=arr.ndim)
    if axis:
        values = moveaxis(values, 0, axis)
    before, after = parts_along(arr, axis, 0, obj)
    whole = (slice(None),) * axis
    count = values.shape[axis]
    merged = empty([*arr.shape[:axis], arr.shape[axis] + count, *arr.shape[axis + 1:]], arr.dtype)
    merged[(*whole, slice(None, obj))] = before
    merged[(*whole, slice(obj, obj + count))] = values
    merged[(*whole, slice(obj + count, None))] = after
    return merged


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


@declare(host=True, scalars=False)
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


@declare(compiled=BODIES["flip"])
def flip(m: NDArrayLike, axis=None): ...


@declare(compiled=BODIES["fliplr"])
def fliplr(m: NDArrayLike): ...


@declare(compiled=BODIES["flipud"])
def flipud(m: NDArrayLike): ...


FEW = 65536  # elements above which NumPy's assignments are as quick


def plain_roll(a, shift, axis=None):
    if a.size > FEW:
        return NotImplemented
    if axis is None:
        if type(shift) is not int:
            return NotImplemented
        if a.ndim == 1:
            shift %= a.size or 1
            return concatenate((a[-shift:], a[:-shift])) if shift else a.copy()
        return rolled(a.ravel(), [(0, shift)]).reshape(a.shape)
    axes = (axis,) if isinstance(axis, int) else axis
    shifts = (shift,) * len(axes) if isinstance(shift, int) else shift
    if type(axes) not in (tuple, list) or type(shifts) not in (tuple, list):
        return NotImplemented
    if len(axes) > 1 and len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(axes) == 1 and len(shifts) > 1:
        axes = axes * len(shifts)
    total: dict[int, int] = {}
    for number, count in zip(axes, shifts, strict=True):
        number = number + a.ndim if number < 0 else number
        if type(count) is not int or not 0 <= number < a.ndim:
            return NotImplemented
        total[number] = total.get(number, 0) + count
    return rolled(a, total.items())


def rolled(a, shifts):
    """Return a copy of an array, shifted along axes, each named once, by their counts."""
    if a.ndim == 1:
        count = sum([count for _, count in shifts]) % (a.size or 1)
        return concatenate((a[-count:], a[:-count])) if count else a.copy()
    pieces = [((), ())]
    ndim = 0
    for axis, count in sorted(shifts):
        count %= a.shape[axis] or 1
        between = (slice(None),) * (axis - ndim)
        ndim = axis + 1
        cuts = (
            ((slice(None, -count), slice(count, None)), (slice(-count, None), slice(None, count)))
            if count else ((slice(None), slice(None)),)
        )
        pieces = [
            ((*source, *between, cut), (*target, *between, place)) for source, target in pieces for cut, place in cuts
        ]
    result = empty_like(a)
    for source, target in pieces:
        result[target] = a[source]
    return result


@declare(compiled=BODIES["roll"], host=True, composed=plain_roll, scalars=False)
def roll(a: ArrayLike, shift, axis=None):
    if type(shift) is int and axis is None:  # the flattened elements
        return torch.roll(a, shift if abs(shift) < 2**62 else shift % (a.numel() or 1))
    if type(shift) is int and type(axis) is int:
        return torch.roll(a, dims=normalize_axis_index(axis, a.dim()), shifts=shift % (a.shape[axis] or 1))
    shift = to_tensor(shift)
    if shift.ndim > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    shift = numpy.vectorize(int, [int])(shift.real.cpu().numpy() if shift.is_complex() else shift.cpu().numpy())
    if axis is None:
        return torch.roll(a, int(shift.sum()) % (a.numel() or 1))
    shifts, axes = numpy.broadcast_arrays(shift, normalize_axis_tuple(axis, a.dim(), allow_duplicate=True))
    return torch.roll(a, tuple(shifts.tolist()), tuple(axes.tolist())) if shifts.size else a.clone()


@declare(compiled=BODIES["rot90"], host=True, composed=True, scalars=False)
def rot90(m: NDArrayLike, k=1, axes=(0, 1)):
    first, second = axes
    if first == second or abs(first - second) == m.ndim:
        raise ValueError("Axes must be different.")
    if not (-m.ndim <= first < m.ndim and -m.ndim <= second < m.ndim):
        raise ValueError(f"Axes={(first, second)} out of range for array of ndim={m.ndim}.")
    k %= 4
    if k == 0:
        return m[:]
    if k == 2:
        return flip(m, (first, second))
    return swapaxes(flip(m, second), first, second) if k == 1 else flip(swapaxes(m, first, second), second)


@declare(compiled=BODIES["shape"], host=True)
def shape(a: NDArrayLike):
    return a.shape


@declare(compiled=BODIES["ndim"], host=True)
def ndim(a: NDArrayLike):
    return a.ndim


@declare(compiled=BODIES["size"], host=True)
def size(a: NDArrayLike, axis=None):
    return a.size if axis is None else math.prod(a.shape[axis] for axis in axes_of(axis, a.ndim))
