"""Array manipulation.

https://numpy.org/doc/2.4/reference/routines.array-manipulation.html
"""

from __future__ import annotations

import itertools
import math

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from fastnp._core.converters import to_tensor
from fastnp._core.dtype import numpy_dtype_of, to_torch_dtype
from fastnp._core.kernels.joining import BODIES as JOINING
from fastnp._core.kernels.placed_copies import BODIES as PLACED_COPIES
from fastnp._core.kernels.questions import BODIES as QUESTIONS
from fastnp._core.kernels.shape_bodies import BODIES
from fastnp._core.kernels.splitting import BODIES as SPLITTING
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
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


def plain_broadcast_arrays(*args, subok=False):
    if type(subok) is not bool:
        return NotImplemented
    shapes = [array.shape for array in args]
    if shapes.count(shapes[0]) == len(shapes):
        return args
    shape = common_shape(shapes)
    return NotImplemented if shape is None else tuple([writeable_view(array, shape) for array in args])


def writeable_view(array, shape):
    """Return an array broadcast to a shape, itself where it has that; it may be written to if the array may."""
    if array.shape == shape:
        return array
    view = broadcast_to(array, shape)
    if array.flags.writeable:
        view.flags.writeable = True
    return view


@declare(compiled=BODIES["broadcast_arrays"], host=True, composed=plain_broadcast_arrays, scalars=False)
def broadcast_arrays(*args: ArrayLikes, subok=False):
    return tuple(torch.broadcast_tensors(*args))


#: Dimensions and elements up to which nobody has to ask whether there are too many.
FEW_DIMENSIONS, MANY_ELEMENTS = 32, 2**31


def common_shape(shapes):
    """Return what shapes, moderate ones of Python's integers, broadcast to; None where NumPy looks closer."""
    common: list[int] = []
    for shape in shapes:
        sizes = (shape,) if type(shape) is int else shape
        place = len(common) - len(sizes)
        if place < 0:
            common[:0] = (1,) * -place
            place = 0
        for size in sizes:
            if type(size) is not int or size < 0:
                return None
            if size != 1 and size != common[place]:
                if common[place] != 1:
                    return None
                common[place] = size
            place += 1
    return tuple(common) if len(common) <= FEW_DIMENSIONS and math.prod(common) <= MANY_ELEMENTS else None


def plain_broadcast_shapes(*args):
    shape = common_shape(args)
    return NotImplemented if shape is None else shape


@declare(host=True, composed=plain_broadcast_shapes)
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


# Rearranging.


@declare(compiled=BODIES["flip"])
def flip(m: NDArrayLike, axis=None): ...


@declare(compiled=BODIES["fliplr"])
def fliplr(m: NDArrayLike): ...


@declare(compiled=BODIES["flipud"])
def flipud(m: NDArrayLike): ...


@declare(compiled=PLACED_COPIES["roll"], host=True, scalars=False)
def roll(a: ArrayLike, shift, axis=None):
    if type(shift) is int and axis is None:  # the flattened elements
        return by_bits(torch.roll, a, shift if abs(shift) < 2**62 else shift % (a.numel() or 1))
    if type(shift) is int and type(axis) is int:
        return by_bits(torch.roll, a, shift % (a.shape[axis] or 1), normalize_axis_index(axis, a.dim()))
    shift = to_tensor(shift)
    if shift.ndim > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    shift = numpy.vectorize(int, [int])(shift.real.cpu().numpy() if shift.is_complex() else shift.cpu().numpy())
    if axis is None:
        return by_bits(torch.roll, a, int(shift.sum()) % (a.numel() or 1))
    shifts, axes = numpy.broadcast_arrays(shift, normalize_axis_tuple(axis, a.dim(), allow_duplicate=True))
    return by_bits(torch.roll, a, tuple(shifts.tolist()), tuple(axes.tolist())) if shifts.size else a.clone()


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
