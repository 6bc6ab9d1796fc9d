"""Shapes, axes and views: what NumPy's array manipulation does without computing.

Views of plain arrays are stride arithmetic; those of others are views of torch, whose flipped axes the header keeps.
Where an argument is wrong, NumPy says so about a stand-in of the same shape.
"""
cimport numpy as cnp
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.assign cimport ORDER_A, ORDER_C, ORDER_F, ORDER_K, copy_array
from fastnp._core.aten cimport TORCH_MOVEDIM, TORCH_PERMUTE, TORCH_TRANSPOSE, is_direct, reorder_direct, reshape_direct
from fastnp._core.dtype cimport ITEMSIZES, dtype_index, numpy_dtype, torch_dtype
from fastnp._core.interchange cimport from_numpy, to_numpy
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    base_of_views,
    dtype_of,
    fill_shape,
    from_tensor,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_view,
    plain_view_as,
    shape_tuple,
    tensor_of,
    to_torch,
    transposed,
    wrapped,
)
from fastnp._core.single_calls cimport diagonal_single, is_single, line_single
from fastnp._core.torch_tensor cimport unwrap
from fastnp._core.views cimport Layout, fill_layout, is_plain, room_before, strided_view

import operator

import numpy
import torch
from numpy.exceptions import AxisError

cdef object MOVEDIM = torch.movedim
cdef object PERMUTE = torch.permute
cdef object RESHAPE = torch.reshape
cdef object TRANSPOSE = torch.transpose

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)

cdef extern from "Python.h":
    bint PyLong_CheckExact(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1


# --- arguments --------------------------------------------------------------------------------------------------------

cdef int64_t to_size(object size) except? -1:
    """Return an integer of a shape; NumPy takes no bool for one."""
    cdef int overflow = 0
    cdef int64_t exact
    if PyLong_CheckExact(size):
        exact = PyLong_AsLongLongAndOverflow(size, &overflow)
        if overflow:
            raise ValueError("Maximum allowed dimension exceeded")
        return exact
    if type(size) is bool:
        raise TypeError("an integer is required")
    return operator.index(size)


cdef int parse_shape(object spelling, int64_t* shape) except -1:
    """Fill a shape given as an integer or a sequence of them; return its length."""
    cdef int count = 0
    if PyLong_CheckExact(spelling):
        shape[0] = to_size(spelling)
        return 1
    if not isinstance(spelling, (tuple, list)):
        try:
            shape[0] = to_size(spelling)
        except TypeError:
            spelling = tuple(spelling)
        else:
            return 1
    if len(spelling) > MAXDIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is currently {MAXDIMS}, found {len(spelling)}")
    for size in spelling:
        shape[count] = to_size(size)
        count += 1
    return count


cdef int to_axis(object axis, int ndim) except -1:
    cdef int64_t index = operator.index(axis)
    if index < -ndim or index >= ndim:
        raise AxisError(index, ndim)
    return <int>(index + ndim if index < 0 else index)


cdef uint64_t to_axes(object axes, int ndim, str twice="repeated axis") except? 0xFFFFFFFF:
    """Return the set of axes that an integer or a tuple names; ValueError where one comes twice."""
    cdef uint64_t chosen = 0
    cdef int place
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        place = to_axis(axis, ndim)
        if chosen >> place & 1:
            raise ValueError(twice)
        chosen |= <uint64_t>1 << place
    return chosen


cdef object stand_in(ndarray array):
    """Return NumPy's array of the same shape, in no memory to speak of, on which NumPy raises what it would."""
    return numpy.broadcast_to(numpy.False_, shape_tuple(array))


# --- axes -------------------------------------------------------------------------------------------------------------

cdef ndarray permute(ndarray array, const int* axes):
    cdef Layout source, layout
    cdef int64_t order[MAXDIMS]
    cdef uint64_t flipped = 0
    cdef int axis, ndim = <int>array.header.dim()
    if not is_plain(array):
        for axis in range(ndim):
            flipped |= (array.flipped >> axes[axis] & 1) << axis
        if is_direct(tensor_of(array)[0]):
            for axis in range(ndim):
                order[axis] = axes[axis]
            return new_view(array, reorder_direct(TORCH_PERMUTE, tensor_of(array)[0], order, ndim), flipped)
        given = tuple([axes[axis] for axis in range(ndim)])
        return new_view(array, unwrap(PERMUTE(wrapped(array), given)), flipped)
    fill_layout(array, &source)
    layout.ndim = ndim
    layout.offset = source.offset
    for axis in range(ndim):
        layout.shape[axis] = source.shape[axes[axis]]
        layout.strides[axis] = source.strides[axes[axis]]
    return strided_view(array, &layout)


cdef ndarray transpose(ndarray array, object axes):
    cdef int order[64]
    cdef int64_t given[64]
    cdef uint64_t seen = 0
    cdef int place, ndim = <int>array.header.dim()
    if axes is None:
        return transposed(array)
    if parse_shape(axes, given) != ndim:
        raise ValueError("axes don't match array")
    for place in range(ndim):
        order[place] = to_axis(given[place], ndim)
        if seen >> order[place] & 1:
            raise ValueError("repeated axis in transpose")
        seen |= <uint64_t>1 << order[place]
    return permute(array, order)


cdef ndarray reordered(ndarray array, object function, int reordering, int first, int second):
    """Return the view that a function of torch's makes of two axes."""
    cdef int64_t axes[2]
    if not is_direct(tensor_of(array)[0]):
        return new_view(array, unwrap(function(wrapped(array), first, second)), 0)
    axes[0], axes[1] = first, second
    return new_view(array, reorder_direct(reordering, tensor_of(array)[0], axes, 2), 0)


cdef ndarray swapaxes(ndarray array, object axis1, object axis2):
    cdef int order[64]
    cdef int axis, ndim = <int>array.header.dim()
    cdef object given = operator.index(axis1), other = operator.index(axis2)
    cdef int first = to_named_axis(given, ndim, "axis1")
    cdef int second = to_named_axis(other, ndim, "axis2")
    if not is_plain(array) and not array.flipped:
        return reordered(array, TRANSPOSE, TORCH_TRANSPOSE, first, second)
    for axis in range(ndim):
        order[axis] = axis
    order[first], order[second] = second, first
    return permute(array, order)


cdef int to_named_axis(object axis, int ndim, str name) except -1:
    """Return a canonical axis; the error names the argument."""
    cdef int64_t index = operator.index(axis)
    if index < -ndim or index >= ndim:
        raise AxisError(index, ndim, name)
    return <int>(index + ndim if index < 0 else index)


cdef list named_axes(object axes, int ndim, str name):
    if PyLong_CheckExact(axes):
        return [to_named_axis(axes, ndim, name)]
    given = (  # one after the other: there may be no end
        (axes,) if isinstance(axes, int) or not hasattr(axes, "__iter__") or getattr(axes, "ndim", 1) == 0 else axes)
    cdef list result = [to_named_axis(axis, ndim, name) for axis in given]
    if len(set(result)) != len(result):
        raise ValueError(f"repeated axis in `{name}` argument")
    return result


cdef ndarray moveaxis(ndarray array, object source, object destination):
    cdef int order[64]
    cdef int axis, ndim = <int>array.header.dim()
    cdef list origins = named_axes(source, ndim, "source")
    cdef list places = named_axes(destination, ndim, "destination")
    if len(origins) != len(places):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    if not is_plain(array) and len(origins) == 1 and not array.flipped:
        return reordered(array, MOVEDIM, TORCH_MOVEDIM, <int>origins[0], <int>places[0])
    axes = [axis for axis in range(ndim) if axis not in origins]
    for place, origin in sorted(zip(places, origins)):
        axes.insert(place, origin)
    for axis in range(ndim):
        order[axis] = axes[axis]
    return permute(array, order)


cdef ndarray keep_axes(ndarray array, uint64_t kept):
    """Return the view without the axes of length 1 that are not kept; the array itself where all are, as NumPy."""
    cdef Layout layout
    cdef uint64_t flipped = 0
    cdef int axis, ndim = 0
    for axis in range(<int>array.header.dim()):
        if not kept >> axis & 1:
            break
    else:
        return array
    if not is_plain(array):
        dropped = []
        for axis in range(<int>array.header.dim()):
            if kept >> axis & 1:
                flipped |= (array.flipped >> axis & 1) << ndim
                ndim += 1
            else:
                dropped.append(axis)
        return new_view(array, unwrap(wrapped(array).squeeze(tuple(dropped))), flipped)
    fill_layout(array, &layout)
    for axis in range(layout.ndim):
        if kept >> axis & 1:
            layout.shape[ndim] = layout.shape[axis]
            layout.strides[ndim] = layout.strides[axis]
            ndim += 1
    layout.ndim = ndim
    return strided_view(array, &layout)


cdef ndarray squeeze(ndarray array, object axis):
    cdef int64_t shape[64]
    cdef uint64_t chosen, kept = 0
    cdef int place, ndim = fill_shape(array, shape)
    if axis is None:
        for place in range(ndim):
            kept |= <uint64_t>(shape[place] != 1) << place
        # NumPy: the array itself where there is nothing to squeeze.
        return array if ndim > 0 and kept == (~<uint64_t>0 >> (64 - ndim)) else keep_axes(array, kept)
    if ndim == 0 and not isinstance(axis, tuple) and operator.index(axis) in (0, -1):
        return keep_axes(array, 0)
    chosen = to_axes(axis, ndim, "duplicate value in 'axis'")
    for place in range(ndim):
        if chosen >> place & 1 and shape[place] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        kept |= <uint64_t>(not chosen >> place & 1) << place
    return keep_axes(array, kept)


cdef ndarray expand_dims(ndarray array, object axis):
    cdef Layout source, layout
    cdef uint64_t chosen, flipped = 0
    cdef int place, origin = 0, ndim = <int>array.header.dim()
    cdef bint plain = is_plain(array)
    ndim += <int>len(axis) if isinstance(axis, (tuple, list)) else 1
    if ndim > MAXDIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is currently {MAXDIMS}, found {ndim}")
    chosen = to_axes(axis, ndim)
    if not plain:
        tensor = wrapped(array)
        for place in range(ndim):
            if chosen >> place & 1:
                tensor = tensor.unsqueeze(place)
            else:
                flipped |= (array.flipped >> origin & 1) << place
                origin += 1
        return new_view(array, unwrap(tensor), flipped)
    fill_layout(array, &source)
    layout.ndim = ndim
    layout.offset = source.offset
    for place in range(ndim):
        if chosen >> place & 1:
            layout.shape[place], layout.strides[place] = 1, 0
        else:
            layout.shape[place], layout.strides[place] = source.shape[origin], source.strides[origin]
            origin += 1
    return strided_view(array, &layout)


cdef ndarray flip(ndarray array, object axis):
    cdef Layout layout
    cdef int place, ndim = <int>array.header.dim()
    cdef uint64_t chosen = (<uint64_t>0 - 1) if axis is None else to_axes(axis, ndim)
    if not is_plain(array):
        return new_view(array, tensor_of(array)[0], array.flipped ^ (chosen & ((<uint64_t>1 << ndim) - 1)))
    fill_layout(array, &layout)
    for place in range(ndim):
        if chosen >> place & 1:
            if layout.shape[place] > 0:
                layout.offset += (layout.shape[place] - 1) * layout.strides[place]
            layout.strides[place] = -layout.strides[place]
    return strided_view(array, &layout)


cdef ndarray diagonal(ndarray array, object offset, object axis1, object axis2):
    cdef Layout source, layout
    cdef int ndim = <int>array.header.dim()
    cdef int first, second, axis
    cdef int64_t distance = operator.index(offset), length
    cdef ndarray view
    if ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = to_named_axis(axis1, ndim, "axis1"), to_named_axis(axis2, ndim, "axis2")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    if not is_plain(array):
        view = new_view(array, diagonal_single(tensor_of(array)[0], distance, first, second) if is_single(array)
                        else unwrap(to_torch(array).diagonal(distance, first, second)), 0)
        view.writeable_ = False
        return view
    fill_layout(array, &source)
    layout.ndim = 0
    layout.offset = source.offset
    for axis in range(ndim):
        if axis != first and axis != second:
            layout.shape[layout.ndim] = source.shape[axis]
            layout.strides[layout.ndim] = source.strides[axis]
            layout.ndim += 1
    if distance >= 0:
        length = min(source.shape[first], source.shape[second] - distance)
        if length > 0:
            layout.offset += distance * source.strides[second]
    else:
        length = min(source.shape[first] + distance, source.shape[second])
        if length > 0:
            layout.offset -= distance * source.strides[first]
    layout.shape[layout.ndim] = max(length, 0)
    layout.strides[layout.ndim] = source.strides[first] + source.strides[second]
    layout.ndim += 1
    view = strided_view(array, &layout)
    view.writeable_ = False
    return view


cdef ndarray broadcast_to(ndarray array, int ndim, const int64_t* shape):
    cdef Layout source, layout
    cdef int axis, shift
    cdef ndarray view
    cdef double bytes = ITEMSIZES[dtype_of(array)]
    source.ndim = fill_shape(array, source.shape)
    shift = ndim - source.ndim
    cdef bint fits = shift >= 0
    for axis in range(ndim):
        if shape[axis] < 0 or (fits and axis >= shift and source.shape[axis - shift] not in (1, shape[axis])):
            fits = False
        bytes *= shape[axis]
    if not fits or bytes >= 2.0**63:
        numpy.broadcast_to(stand_in(array), tuple([shape[axis] for axis in range(ndim)]))
        raise ValueError("cannot broadcast")
    if not is_plain(array):
        tensor = wrapped(array).expand([shape[axis] for axis in range(ndim)])
        view = new_view(array, unwrap(tensor), array.flipped << shift)
    else:
        fill_layout(array, &source)
        layout.ndim, layout.offset = ndim, source.offset
        for axis in range(ndim):
            layout.shape[axis] = shape[axis]
            if axis < shift or source.shape[axis - shift] != shape[axis]:
                layout.strides[axis] = 0
            else:
                layout.strides[axis] = source.strides[axis - shift]
        view = strided_view(array, &layout)
    view.writeable_ = False
    return view


# --- reshape ----------------------------------------------------------------------------------------------------------

cdef bint fill_reshaped(Layout* source, Layout* target, bint fortran) noexcept:
    """Fill the strides of a reshape without a copy, as NumPy's `_attempt_nocopy_reshape`; False where it takes one."""
    cdef int64_t sizes[64]
    cdef int64_t strides[64]
    cdef int count = 0, axis, first = 0, last = 1, place = 0, end = 1
    cdef int64_t have, want, step
    for axis in range(source.ndim):
        if source.shape[axis] != 1:
            sizes[count] = source.shape[axis]
            strides[count] = source.strides[axis]
            count += 1
    target.offset = source.offset
    while place < target.ndim and first < count:
        want = target.shape[place]
        have = sizes[first]
        while want != have:
            if want < have:
                want *= target.shape[end]
                end += 1
            else:
                have *= sizes[last]
                last += 1
        for axis in range(first, last - 1):
            if fortran:
                if strides[axis + 1] != sizes[axis] * strides[axis]:
                    return False
            elif strides[axis] != sizes[axis + 1] * strides[axis + 1]:
                return False
        if fortran:
            target.strides[place] = strides[first]
            for axis in range(place + 1, end):
                target.strides[axis] = target.strides[axis - 1] * target.shape[axis - 1]
        else:
            target.strides[end - 1] = strides[last - 1]
            for axis in range(end - 1, place, -1):
                target.strides[axis - 1] = target.strides[axis] * target.shape[axis]
        place, first = end, last
        end += 1
        last += 1
    step = target.strides[place - 1] if place >= 1 else 1
    if fortran and place >= 1:
        step *= target.shape[place - 1]
    for axis in range(place, target.ndim):
        target.strides[axis] = step
    return True


cdef void fill_contiguous(Layout* layout, bint fortran) noexcept:
    cdef int64_t step = 1
    cdef int place, axis
    for place in range(layout.ndim):
        axis = place if fortran else layout.ndim - 1 - place
        layout.strides[axis] = step
        if layout.shape[axis] > 0:
            step *= layout.shape[axis]


cdef int resolve_shape(ndarray array, int ndim, const int64_t* shape, Layout* layout) except -1:
    """Fill the target's shape, its unknown dimension worked out; NumPy's ValueError where the sizes differ."""
    cdef int64_t size = array.header.checked_numel(), known = 1
    cdef int axis, unknown = -1
    cdef bint fits = True
    layout.ndim = ndim
    for axis in range(ndim):
        layout.shape[axis] = shape[axis]
        if shape[axis] < 0:
            fits = fits and unknown < 0
            unknown = axis
        else:
            fits = fits and not (shape[axis] != 0 and known > (<int64_t>1 << 62) // shape[axis])
            known *= shape[axis] if fits else 1
    if fits and unknown >= 0:
        fits = known != 0 and size % known == 0
        layout.shape[unknown] = size // known if fits else 0
    elif fits:
        fits = known == size
    if not fits:
        stand_in(array).reshape(tuple([shape[axis] for axis in range(ndim)]))
        raise ValueError(f"cannot reshape array of size {size}")
    return 0


cdef ndarray reshape(ndarray array, int ndim, const int64_t* shape, int order, int copy):
    cdef Layout source, layout
    cdef bint fortran = order == ORDER_F
    cdef int64_t size = array.header.checked_numel()
    resolve_shape(array, ndim, shape, &layout)
    if order == ORDER_K:
        raise ValueError("order 'K' is not permitted for reshaping")
    if order == ORDER_A:
        fortran = is_f_contiguous(array) and not is_c_contiguous(array)
    if not is_plain(array):
        return reshape_general(array, &layout, fortran, copy)
    fill_layout(array, &source)
    if copy != 1 and (size == 0 or (is_f_contiguous(array) if fortran else is_c_contiguous(array))):
        layout.offset = source.offset
        fill_contiguous(&layout, fortran)
        return strided_view(array, &layout)
    if copy == 1 or not fill_reshaped(&source, &layout, fortran):
        if copy == 0:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
        array = copy_array(array, ORDER_F if fortran else ORDER_C)
        layout.offset = 0
        fill_contiguous(&layout, fortran)
    return strided_view(array, &layout)


cdef ndarray reshape_general(ndarray array, Layout* layout, bint fortran, int copy):
    cdef int axis
    cdef ndarray view
    sizes = [layout.shape[axis] for axis in range(layout.ndim)]
    tensor = to_torch(array).clone() if copy == 1 else to_torch(array)
    if not fortran:
        result = tensor.reshape(sizes)
    else:
        backwards = tensor.permute(tuple(range(tensor.dim() - 1, -1, -1)))
        result = backwards.reshape(sizes[::-1]).permute(tuple(range(layout.ndim - 1, -1, -1)))
    if copy == 1 or array.flipped or not shares_storage(unwrap(result), tensor_of(array)[0]):
        if copy == 0:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
        view = from_tensor(unwrap(result))
        return view if type(array) is ndarray else as_type(view, type(array), array)
    return new_view(array, unwrap(result), 0)


cdef bint shares_storage(const Tensor& a, const Tensor& b):
    """Whether two tensors are on one storage, as far as wrapped ones tell."""
    if not has_host_memory(a) or not has_host_memory(b):
        return True
    return a.unsafeGetTensorImpl().unsafe_storage().data() == b.unsafeGetTensorImpl().unsafe_storage().data()


cdef ndarray reshaped_by_torch(ndarray array, object shape):
    """Return an array that is not plain under a shape as torch takes it; None where NumPy has more to say."""
    cdef int64_t sizes[MAXDIMS]
    cdef int count = 1
    if array.flipped or is_plain(array):
        return None
    if type(shape) is tuple:
        for size in <tuple>shape:
            if not PyLong_CheckExact(size):
                return None
        count = <int>len(<tuple>shape)
    elif not PyLong_CheckExact(shape):
        return None
    try:
        if count <= MAXDIMS and is_direct(tensor_of(array)[0]):
            parse_shape(shape, sizes)
            return as_reshaped(array, reshape_direct(tensor_of(array)[0], sizes, count))
        result = RESHAPE(wrapped(array), shape if type(shape) is tuple else (shape,))
    except RuntimeError:  # the sizes differ: NumPy's error is another
        return None
    return as_reshaped(array, unwrap(result))


cdef ndarray as_reshaped(ndarray array, const Tensor& tensor):
    """Return what a reshape gave as a view, or as an array of its own where it is a copy."""
    cdef ndarray view
    if shares_storage(tensor, tensor_of(array)[0]):
        return new_view(array, tensor, 0)
    view = from_tensor(tensor)
    return view if type(array) is ndarray else as_type(view, type(array), array)


cdef ndarray ravel(ndarray array, int order):
    cdef int64_t size = -1
    cdef bint fortran = order == ORDER_F
    cdef ndarray flat
    if order == ORDER_C and not array.flipped and not is_plain(array):
        flat = reshaped_by_torch(array, -1)
        if flat is not None:
            return flat
    if order == ORDER_A:
        fortran = is_f_contiguous(array) and not is_c_contiguous(array)
    if is_f_contiguous(array) if fortran else is_c_contiguous(array):
        return reshape(array, 1, &size, ORDER_F if fortran else ORDER_C, -1)
    if order == ORDER_K:
        array = sorted_axes(array)
        if is_c_contiguous(array):
            return reshape(array, 1, &size, ORDER_C, -1)
    return flatten(array, ORDER_F if fortran else ORDER_C)


cdef ndarray sorted_axes(ndarray array):
    """Return the view whose axes are in the order of their strides, the largest first."""
    cdef Layout layout
    cdef int order[64]
    cdef int axis, place, scan
    fill_layout(array, &layout)
    for axis in range(layout.ndim):
        place = axis
        for scan in range(axis - 1, -1, -1):
            # Axes that do not move in memory have no say in the order.
            if layout.strides[axis] == 0 or layout.strides[order[scan]] == 0:
                continue
            if abs(layout.strides[order[scan]]) >= abs(layout.strides[axis]):
                break
            place = scan
        for scan in range(axis, place, -1):
            order[scan] = order[scan - 1]
        order[place] = axis
    return permute(array, order)


cdef ndarray flatten(ndarray array, int order):
    cdef int64_t size
    cdef ndarray copied
    if order == ORDER_C and is_single(array):
        return from_tensor(line_single(tensor_of(array)[0]))
    if order == ORDER_C and not array.flipped and not is_plain(array):
        line = RESHAPE(wrapped(array), (-1,))
        copied = from_tensor(unwrap(line.clone() if shares_storage(unwrap(line), tensor_of(array)[0]) else line))
        return copied if type(array) is ndarray else as_type(copied, type(array), array)
    size = array.header.checked_numel()
    if order == ORDER_K:
        array, order = sorted_axes(array), ORDER_C
    if order == ORDER_A:
        order = ORDER_F if is_f_contiguous(array) and not is_c_contiguous(array) else ORDER_C
    copied = reshape(array, 1, &size, order, 1)
    copied.base_ = None
    return copied


# --- strides and dtypes -----------------------------------------------------------------------------------------------

cdef ndarray as_strided(ndarray array, int ndim, const int64_t* shape, const int64_t* strides, bint writeable):
    cdef Layout source, layout
    cdef int axis, itemsize = ITEMSIZES[dtype_of(array)]
    cdef int64_t lowest
    cdef uint64_t flipped = 0
    cdef ndarray view
    fill_layout(array, &source)
    layout.ndim = ndim
    lowest = layout.offset = source.offset
    for axis in range(ndim):
        if strides[axis] % itemsize:
            raise ValueError(f"strides must be multiples of the itemsize {itemsize}")
        layout.shape[axis] = shape[axis]
        layout.strides[axis] = strides[axis] // itemsize
        if layout.strides[axis] < 0 and shape[axis] > 1:
            lowest += (shape[axis] - 1) * layout.strides[axis]
    if is_plain(array) and lowest + room_before(array) < 0:
        raise ValueError("as_strided reaches before the start of the memory")
    if is_plain(array):
        view = strided_view(array, &layout)
    else:
        for axis in range(ndim):
            flipped |= <uint64_t>(layout.strides[axis] < 0) << axis
        view = new_view(array, unwrap(wrapped(array).as_strided(
            [shape[axis] for axis in range(ndim)], [abs(layout.strides[axis]) for axis in range(ndim)],
            tensor_of(array).storage_offset() + lowest)), flipped)
    if not writeable:
        view.writeable_ = False
    return view


cdef ndarray view_as(ndarray array, object dtype, object cls):
    cdef int into, itemsize = ITEMSIZES[dtype_of(array)], ndim = <int>array.header.dim()
    cdef ndarray view = array
    if isinstance(dtype, type) and issubclass(dtype, ndarray):
        if cls is not None:
            raise ValueError("Cannot specify output type twice.")
        dtype, cls = None, dtype
    if cls is not None and not (isinstance(cls, type) and issubclass(cls, ndarray)):
        raise ValueError("Type must be a sub-type of ndarray type")
    into = dtype_of(array) if dtype is None else dtype_index(dtype)
    if is_plain(array):
        if ITEMSIZES[into] != itemsize:
            return view_of_other_size(array, into, cls)
        view = plain_view_as(
            array, into, ndim, array.header.sizes(), array.header.strides(), array.header.origin(), array.flipped)
    elif dtype is None:
        view = new_view(array, unwrap(wrapped(array)[...]), array.flipped)
    else:
        if ITEMSIZES[into] != itemsize and ndim and array.flipped >> (ndim - 1) & 1:
            view = new_view(array, unwrap(to_torch(array).view(torch_dtype(into))), 0)
        else:
            view = new_view(array, unwrap(wrapped(array).view(torch_dtype(into))), array.flipped)
    return view if cls is None or cls is type(view) else as_type(view, cls, array)


cdef ndarray view_of_other_size(ndarray array, int dtype, object cls):
    """Return a view whose elements have another size; NumPy says where the last axis does not fit."""
    cdef cnp.ndarray theirs
    cdef ndarray view = view_in_piece(array, dtype)
    if view is not None:
        return view if cls is None or cls is type(view) else as_type(view, cls, array)
    theirs = to_numpy(array).view(numpy_dtype(dtype))
    view = from_numpy(theirs)
    view.base_ = base_of_views(array)
    cls = type(array) if cls is None else cls
    return view if cls is ndarray else as_type(view, cls, array)


cdef ndarray view_in_piece(ndarray array, int dtype):
    """Return a view of smaller or larger elements, along a last axis in one piece; None for any other."""
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int axis, last = <int>array.header.dim() - 1
    cdef int itemsize = ITEMSIZES[dtype_of(array)]
    cdef int parts = max(1, itemsize // ITEMSIZES[dtype]), together = max(1, ITEMSIZES[dtype] // itemsize)
    if last < 0 or array.header.strides()[last] != 1 or array.flipped >> last & 1:
        return None
    # torch counts offsets in whole elements.
    if together > 1 and (array.header.sizes()[last] == 0 or array.header.sizes()[last] % together or (
            room_before(array) % together or <size_t>array.header.origin() % min(ITEMSIZES[dtype], 8))):
        return None
    for axis in range(last):
        if array.header.strides()[axis] % together:
            return None
        sizes[axis], strides[axis] = array.header.sizes()[axis], array.header.strides()[axis] * parts // together
    sizes[last], strides[last] = array.header.sizes()[last] * parts // together, 1
    return plain_view_as(array, dtype, last + 1, sizes, strides, array.header.origin(), array.flipped)
