"""Indexing through torch: of arrays that carry a gradient, or that lie elsewhere. See fancy.pyx."""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp

from fastnp._core.assign cimport join_autograd
from fastnp._core.aten cimport is_direct
from fastnp._core.copies cimport check_complex
from fastnp._core.dtype cimport BFLOAT16, INT64, UINT16, UINT32, UINT64, torch_dtype
from fastnp._core.key cimport FANCY, MASK, TRUTH, Key, Walk, walk_key
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.ndarray cimport dtype_of, from_tensor, ndarray, new_view, tensor_of, thread_is_plain, to_torch, wrapped
from fastnp._core.placement cimport same_device
from fastnp._core.torch_tensor cimport unwrap, values_are_known
from fastnp._core.views cimport Layout, as_movable, as_moved

import numpy
import torch

cdef extern from "aten.h" namespace "fastnp":
    bint has_values(const Tensor&)
    void find_extremes(const Tensor&, int64_t*, int64_t*) except +translate_torch_error
    Tensor take_along_first(const Tensor&, const Tensor&) except +translate_torch_error
    void put_along_first(const Tensor&, const Tensor&, const Tensor&) except +translate_torch_error


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


def extremes(index):
    """Return the least and the greatest of indices by one kernel and one wait; None where there are none to be seen."""
    cdef int64_t low = 0, high = 0
    if not index.numel() or not values_are_known(index):
        return None
    find_extremes(unwrap(index.to(torch.int64)), &low, &high)
    return low, high


cdef int check_on_device(Walk* walk, list indices) except -1:
    """Raise IndexError before a kernel would: on CUDA it would poison the context, on the host have written a part."""
    cdef int axis = 0
    for index in indices:
        if index.dtype is torch.bool:
            axis += index.dim()
            continue
        size = walk.picked.shape[axis]
        found = extremes(index)
        if found is not None:
            low, high = found
            if low < -size or high >= size:
                outside = (index < -size) | (index >= size)
                raise IndexError(f"index {index[outside][0].item()} is out of bounds for axis {walk.axes[axis]} with "
                                 f"size {size}")
        axis += 1
    return 0


cdef int index_dims(list indices) except -1:
    return max([1 if index.dtype is torch.bool else index.dim() for index in indices])


cdef bint is_simple(ndarray array, Key* key, list arrays) except -1:
    """Whether a key is one array of int64 on the array's device, all of which torch can be given as they are."""
    cdef ndarray index
    cdef const Tensor* tensor
    if key.count != 1 or key.parts[0].kind != FANCY or array.flipped or not thread_is_plain():
        return False
    index = arrays[key.parts[0].position]
    tensor = tensor_of(array)
    return tensor.dim() > 0 and dtype_of(index) == INT64 and not index.flipped and index.header.numel() > 0 and (
        dtype_of(array) <= BFLOAT16 and dtype_of(array) not in (UINT16, UINT32, UINT64)) and (
        is_direct(tensor[0]) and has_values(tensor[0]) and has_values(tensor_of(index)[0])
        and same_device(tensor[0], tensor_of(index)[0]))


cdef bint fits_simple(ndarray array, Key* key, list arrays, ndarray value) except -1:
    """Whether torch can be given values for such a key: one, or as many as are picked of a line, and of its dtype."""
    cdef const Tensor* values = tensor_of(value)
    if dtype_of(value) != dtype_of(array) or value.flipped or not is_simple(array, key, arrays) or not is_direct(values[0]):
        return False
    if values.dim() == 0:
        return True  # of the host as well
    index = tensor_of(arrays[key.parts[0].position])
    return tensor_of(array).dim() == 1 and values.dim() == index.dim() and same_device(values[0], index[0]) and (
        memcmp(values.sizes().data(), index.sizes().data(), values.dim() * sizeof(int64_t)) == 0)


cdef int check_extremes(ndarray array, ndarray index) except -1:
    """Raise IndexError where an index lies outside of the first axis."""
    cdef int64_t low = 0, high = 0, size = tensor_of(array).sizes()[0]
    find_extremes(tensor_of(index)[0], &low, &high)
    if low < -size or high >= size:
        raise IndexError(f"index {low if low < -size else high} is out of bounds for axis 0 with size {size}")
    return 0


cdef ndarray take_general(ndarray array, Key* key, list arrays):
    cdef Layout layout
    cdef Walk walk
    cdef list torch_key = []
    cdef int ndim, axis
    if is_simple(array, key, arrays):
        index = arrays[key.parts[0].position]
        check_extremes(array, index)
        return from_tensor(take_along_first(tensor_of(array)[0], tensor_of(index)[0]))
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
    cdef list torch_key = []
    cdef int axis
    check_complex(dtype_of(array), dtype_of(value))
    if not value.header.is_plain():
        join_autograd(array)
    if fits_simple(array, key, arrays, value):
        index = arrays[key.parts[0].position]
        check_extremes(array, index)
        put_along_first(tensor_of(array)[0], tensor_of(index)[0], tensor_of(value)[0])
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
