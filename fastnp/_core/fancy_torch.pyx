"""Indexing through torch: of arrays that carry a gradient, or that lie elsewhere. See fancy.pyx."""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp

from fastnp._core.assign cimport join_autograd
from fastnp._core.aten cimport is_direct, reshape_direct
from fastnp._core.copies cimport check_complex
from fastnp._core.dtype cimport BFLOAT16, BOOL, INT64, UINT16, UINT32, UINT64, torch_dtype
from fastnp._core.key cimport ELLIPSIS, FANCY, MASK, SLICE, TRUTH, Key, Part, Walk, walk_key
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.ndarray cimport dtype_of, from_tensor, ndarray, new_view, tensor_of, thread_is_plain, to_torch, wrapped
from fastnp._core.placement cimport same_device
from fastnp._core.torch_tensor cimport unwrap, values_are_known, wrap
from fastnp._core.views cimport Layout, as_movable, as_moved

import numpy
import torch

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from "aten.h" namespace "fastnp":
    bint has_values(const Tensor&)

cdef extern from "fancy_torch.h" namespace "fastnp":
    struct Extremes:
        int64_t low, high
    Extremes find_extremes(const Tensor&) except +translate_torch_error
    Tensor take_along(const Tensor&, int64_t axis, const Tensor& index, bint is_line) except +translate_torch_error
    cppclass IndexList:
        void push_whole(int count) except +
        void push_index(const Tensor&, int axes) except +
        void set_line()
        Tensor take(const Tensor&) except +translate_torch_error
        void put(const Tensor&, const Tensor&) except +translate_torch_error


cdef int check_mask_values(int64_t given, int ndim, int64_t count) except -1:
    if ndim > 1:
        raise TypeError("NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has "
                        f"{ndim} dimensions")
    if ndim == 1 and given != 1 and given != count:
        raise ValueError(f"NumPy boolean array indexing assignment cannot assign {given} input values to the {count} "
                         "output values where the mask is true")
    return 0


cdef int general_layout(ndarray array, Layout* layout) except -1:
    """Fill the shape as torch's Python sees it, and strides that say which axes run backwards."""
    cdef int axis = 0
    layout.offset = 0
    for size in wrapped(array).shape:
        layout.shape[axis] = int(size)
        layout.strides[axis] = -1 if array.flipped >> axis & 1 else 1
        axis += 1
    layout.ndim = axis
    return 0


cdef uint64_t flipped_of(Layout* layout) noexcept:
    cdef uint64_t flipped = 0
    cdef int axis
    for axis in range(layout.ndim):
        flipped |= <uint64_t>(layout.strides[axis] < 0) << axis
    return flipped


cdef ndarray general_view(ndarray array, Key* key):
    cdef Layout layout
    cdef Walk walk
    cdef list torch_key = []
    general_layout(array, &layout)
    walk_key(&layout, key, None, &walk, torch_key)
    return new_view(array, unwrap(wrapped(array)[tuple(torch_key)]), flipped_of(&walk.rest))


cdef object picked_first(ndarray array, Walk* walk, list torch_key):
    """Return torch's view of what the basic parts leave, the picked axes first."""
    cdef int number
    view = wrapped(array)[tuple(torch_key)]
    axes = [number for number in range(walk.outgoing) if walk.order[number] < 0]
    axes += [number for number in range(walk.outgoing) if walk.order[number] >= 0]
    return view.permute(axes)


cdef list torch_indices(Key* key, list arrays, object device):
    """Return the index tensors for torch, masks as they are."""
    cdef int number
    cdef list indices = []
    for number in range(key.count):
        if key.parts[number].kind & (FANCY | MASK):
            index = to_torch(arrays[key.parts[number].position])
            if key.parts[number].kind == FANCY:
                index = index.to(torch.int64)
            indices.append(index.to(device))
        elif key.parts[number].kind == TRUTH:
            indices.append(torch.zeros(key.parts[number].start, dtype=torch.int64, device=device))
    return indices


cdef list expand_masks(list indices):
    cdef list expanded = []
    for index in indices:
        if index.dtype is torch.bool:
            expanded += index.nonzero(as_tuple=True)
        else:
            expanded.append(index)
    return expanded


def least_in_bounds(index, axis, size):
    """Return the least of indices of an axis, None where there are none to be seen; IndexError where one lies outside."""
    if not index.numel() or not values_are_known(index):
        return None
    index = index.to(torch.int64)
    return check_extremes(unwrap(index), axis, size)


cdef int64_t check_extremes(const Tensor& index, int axis, int64_t size) except? -1:
    """Return the least index; IndexError, which names the first that lies outside, as NumPy's does."""
    cdef Extremes found = find_extremes(index)
    if found.low < -size or found.high >= size:
        indices = wrap(index)
        outside = (indices < -size) | (indices >= size)
        raise IndexError(f"index {indices[outside][0].item()} is out of bounds for axis {axis} with size {size}")
    return found.low


cdef int check_on_device(Walk* walk, list indices) except -1:
    """Raise IndexError before a kernel would: on CUDA it would poison the context, on the host have written a part."""
    cdef int axis = 0
    for index in indices:
        if index.dtype is torch.bool:
            axis += index.dim()
            continue
        least_in_bounds(index, walk.axes[axis], walk.picked.shape[axis])
        axis += 1
    return 0


cdef int index_dims(list indices) except -1:
    return max([1 if index.dtype is torch.bool else index.dim() for index in indices])


cdef bint is_direct_index(ndarray index, const Tensor& tensor, int dtype) except -1:
    """Whether torch can be given an index array of this dtype as it is, and its elements can be looked at."""
    return dtype_of(index) == dtype and not index.flipped and index.header.numel() > 0 and (
        has_values(tensor_of(index)[0]) and (tensor_of(index).is_cpu() or same_device(tensor, tensor_of(index)[0])))


cdef bint same_shape(const Tensor* a, const Tensor* b) noexcept:
    return a.dim() == b.dim() and memcmp(a.sizes().data(), b.sizes().data(), a.dim() * sizeof(int64_t)) == 0


cdef bint takes_index_list(ndarray array) except -1:
    """Whether torch can be given an array to index as it is."""
    cdef const Tensor* tensor = tensor_of(array)
    return tensor.dim() > 0 and not array.flipped and thread_is_plain() and is_direct(tensor[0]) and (
        has_values(tensor[0]) and dtype_of(array) <= BFLOAT16 and dtype_of(array) not in (UINT16, UINT32, UINT64))


cdef bint fill_index_list(ndarray array, Key* key, list arrays, IndexList* indices) except -1:
    """Fill in a key of index arrays and whole axes that torch can be given as they are; False where it is another key.

    IndexError where an index is out of bounds.
    """
    cdef ndarray index
    cdef Part* part
    cdef const Tensor* tensor = tensor_of(array)
    cdef const Tensor* first = NULL
    cdef int number, axis = 0, dim = <int>tensor.dim()
    if not takes_index_list(array):
        return False
    for number in range(key.count):
        part = &key.parts[number]
        if part.kind == SLICE and part.start == 0 and part.stop == PY_SSIZE_T_MAX and part.step == 1:
            indices.push_whole(1)
            axis += 1
        elif part.kind == ELLIPSIS and part.start > 0:
            indices.push_whole(<int>part.start)
            axis += <int>part.start
        elif part.kind == FANCY and axis < dim and is_direct_index(arrays[part.position], tensor[0], INT64):
            index = arrays[part.position]
            if first is not NULL and not same_shape(first, tensor_of(index)):
                return False
            first = tensor_of(index)
            indices.push_index(first[0], 1)
            axis += 1
        elif part.kind == MASK and key.kinds & (FANCY | TRUTH) == 0 and first is NULL and (
                is_direct_index(arrays[part.position], tensor[0], BOOL)):
            first = tensor_of(arrays[part.position])
            if axis + first.dim() > dim or memcmp(
                    first.sizes().data(), tensor.sizes().data() + axis, first.dim() * sizeof(int64_t)):
                return False
            indices.push_index(first[0], <int>first.dim())
            axis += <int>first.dim()
        else:
            return False
    if axis > dim:
        return False
    axis = 0
    for number in range(key.count):
        part = &key.parts[number]
        if part.kind == FANCY and check_extremes(tensor_of(arrays[part.position])[0], axis, tensor.sizes()[axis]) >= 0 and (
                len(arrays) == 1 and first.dim() == 1):
            indices.set_line()
        axis += <int>part.start if part.kind == ELLIPSIS else 1
    return True


cdef ndarray take_direct(ndarray array, int axis, ndarray index):
    """Return what an index array picks along an axis, of the flattened array if it is -1; None where more has to be seen."""
    cdef const Tensor* tensor = tensor_of(array)
    cdef int64_t flat = -1
    cdef bint is_line
    if not takes_index_list(array) or not is_direct_index(index, tensor[0], INT64):
        return None
    is_line = check_extremes(tensor_of(index)[0], max(axis, 0), tensor.numel() if axis < 0 else tensor.sizes()[axis]) >= 0 and (
        tensor_of(index).dim() == 1)
    if axis >= 0 or tensor.dim() == 1:
        return from_tensor(take_along(tensor[0], max(axis, 0), tensor_of(index)[0], is_line))
    return from_tensor(take_along(reshape_direct(tensor[0], &flat, 1), 0, tensor_of(index)[0], is_line))


cdef bint fits_as_it_is(ndarray array, Key* key, list arrays, ndarray value) except -1:
    """Whether torch can be given the value: of the array's dtype, and one element, or the shape that a first index picks."""
    cdef const Tensor* tensor = tensor_of(array)
    cdef const Tensor* values = tensor_of(value)
    cdef const Tensor* index
    cdef int64_t rest = tensor.dim() - 1
    if dtype_of(value) != dtype_of(array) or value.flipped or not is_direct(values[0]):
        return False
    if values.dim() == 0:
        return True  # of the host as well
    if key.kinds & ~ELLIPSIS != FANCY or key.parts[0].kind != FANCY or key.count > 2 or (
            key.count == 2 and key.parts[1].kind != ELLIPSIS) or not same_device(values[0], tensor[0]):
        return False
    index = tensor_of(arrays[key.parts[0].position])
    return values.dim() == index.dim() + rest and (
        memcmp(values.sizes().data(), index.sizes().data(), index.dim() * sizeof(int64_t)) == 0) and (
        memcmp(values.sizes().data() + index.dim(), tensor.sizes().data() + 1, rest * sizeof(int64_t)) == 0)


cdef ndarray take_general(ndarray array, Key* key, list arrays):
    cdef Layout layout
    cdef Walk walk
    cdef IndexList direct
    cdef list torch_key = []
    cdef int ndim, axis
    if fill_index_list(array, key, arrays, &direct):
        return from_tensor(direct.take(tensor_of(array)[0]))
    general_layout(array, &layout)
    walk_key(&layout, key, arrays, &walk, torch_key)
    view = picked_first(array, &walk, torch_key)
    backwards = [axis for axis in range(walk.picked.ndim) if walk.picked.strides[axis] < 0]
    backwards += [walk.picked.ndim + axis for axis in range(walk.rest.ndim) if walk.rest.strides[axis] < 0]
    view = as_movable(view)
    if backwards:
        view = view.flip(backwards)
    indices = torch_indices(key, arrays, view.device)
    check_on_device(&walk, indices)
    ndim = index_dims(indices)
    result = as_moved(torch.ops.aten.index.Tensor(view, indices), torch_dtype(dtype_of(array)))
    if walk.place > 0 and ndim > 0:
        result = result.movedim(tuple(range(ndim)), tuple(range(walk.place, walk.place + ndim)))
    return from_tensor(unwrap(result))


cdef int put_general(ndarray array, Key* key, list arrays, ndarray value, bint whole_mask) except -1:
    cdef Layout layout
    cdef Walk walk
    cdef IndexList direct
    cdef list torch_key = []
    cdef int axis
    check_complex(dtype_of(array), dtype_of(value))
    if not value.header.is_plain():
        join_autograd(array)
    if fits_as_it_is(array, key, arrays, value) and fill_index_list(array, key, arrays, &direct):
        direct.put(tensor_of(array)[0], tensor_of(value)[0])
        return 0
    general_layout(array, &layout)
    walk_key(&layout, key, arrays, &walk, torch_key)
    view = picked_first(array, &walk, torch_key)
    indices = torch_indices(key, arrays, view.device)
    check_on_device(&walk, indices)
    values = to_torch(value).to(dtype=torch_dtype(dtype_of(array)))
    if values.dim() > 0:
        values = values.to(view.device)  # a number may stay: torch reads it
    backwards = flipped_of(&walk.picked)
    if values.dim() > 0 or backwards:
        indices = expand_masks(indices)
    if values.dim() > 0:
        values = general_values(&walk, indices, values, whole_mask)
    if backwards:
        # Counted from the end, an index finds its place from the start.
        indices = [-1 - index if backwards >> axis & 1 else index for axis, index in enumerate(indices)]
    torch.ops.aten.index_put_(as_movable(view), indices, as_movable(values))
    return 0


cdef tuple broadcast(list shapes):
    """Return the shape that others broadcast to. torch takes 400 us for it, which only sizes of a tracer are worth."""
    if len(shapes) == 1:
        return shapes[0]
    are_ints = all([type(size) is int for shape in shapes for size in shape])
    return tuple((numpy if are_ints else torch).broadcast_shapes(*shapes))


cdef object general_values(Walk* walk, list indices, object values, bint whole_mask):
    """Return the values as [index dimensions, other dimensions], backwards where the axes run so."""
    cdef int axis, ndim, place
    try:
        picked = broadcast([tuple(index.shape) for index in indices])
    except (RuntimeError, ValueError) as error:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together") from error
    rest = tuple([walk.rest.shape[axis] for axis in range(walk.rest.ndim)])
    ndim, place = <int>len(picked), walk.place
    if whole_mask:
        check_mask_values(values.numel(), values.dim(), picked[0])
    shape = rest[:place] + picked + rest[place:]
    while values.dim() > len(shape) and values.shape[0] == 1:
        values = values[0]
    try:
        values = values.broadcast_to(shape)
    except RuntimeError:
        given = str(tuple(values.shape)).replace(" ", "")
        raise ValueError(f"shape mismatch: value array of shape {given} could not be broadcast to indexing result of "
                         f"shape {str(shape).replace(' ', '')}") from None
    if place > 0 and ndim > 0:
        values = values.movedim(tuple(range(place, place + ndim)), tuple(range(ndim)))
    backwards = [ndim + axis for axis in range(walk.rest.ndim) if walk.rest.strides[axis] < 0]
    return as_movable(values).flip(backwards) if backwards else values
