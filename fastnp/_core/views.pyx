"""Views as NumPy describes them: signed strides and the place of element (0, ..., 0)."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.ndarray cimport MAXDIMS, dtype_of, header_of, ndarray, plain_view, tensor_of, thread_is_plain

import torch

cdef dict BITS = {
    torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64,
    torch.float8_e5m2: torch.uint8, torch.float8_e4m3fn: torch.uint8,
    torch.float8_e5m2fnuz: torch.uint8, torch.float8_e4m3fnuz: torch.uint8,
}


cdef bint is_plain(ndarray array) noexcept:
    return array.header.is_plain() and thread_is_plain()


cdef bint same_memory(ndarray a, ndarray b) noexcept:
    """Whether two arrays may have bytes in common; of arrays elsewhere than in this process, whether they share storage."""
    if not a.header.has_host_memory() or not b.header.has_host_memory():
        return tensor_of(a).unsafeGetTensorImpl().unsafe_storage().data() == (
            tensor_of(b).unsafeGetTensorImpl().unsafe_storage().data())
    return a.header.origin() < end_of(b) and b.header.origin() < end_of(a)


cdef char* end_of(ndarray array) noexcept:
    """Return the address after an array's highest element."""
    cdef int64_t last = 0
    cdef int axis
    for axis in range(array.header.dim()):
        if array.header.sizes()[axis] == 0:
            return array.header.origin()
        last += (array.header.sizes()[axis] - 1) * array.header.strides()[axis]
    return array.header.origin() + (last + 1) * ITEMSIZES[dtype_of(array)]


cdef void fill_layout(ndarray array, Layout* layout) noexcept:
    cdef const int64_t* sizes = array.header.sizes()
    cdef const int64_t* strides = array.header.strides()
    cdef uint64_t flipped = array.flipped
    cdef int axis
    layout.ndim = array.header.dim()
    layout.offset = 0
    for axis in range(layout.ndim):
        layout.shape[axis] = sizes[axis]
        layout.strides[axis] = strides[axis]
        if flipped >> axis & 1:
            if sizes[axis] > 1:
                layout.offset += (sizes[axis] - 1) * strides[axis]
            layout.strides[axis] = -strides[axis]


cdef ndarray strided_view(ndarray parent, Layout* layout):
    cdef int64_t strides[MAXDIMS]
    cdef int64_t offset = layout.offset
    cdef uint64_t flipped = 0
    cdef int axis
    for axis in range(layout.ndim):
        strides[axis] = layout.strides[axis]
        if strides[axis] < 0:
            # NumPy keeps the sign of the stride of an axis that has one element or none.
            flipped |= <uint64_t>1 << axis
            if layout.shape[axis] > 1:
                offset += (layout.shape[axis] - 1) * strides[axis]
            strides[axis] = -strides[axis]
    return plain_view(parent, layout.ndim, layout.shape, strides, offset, flipped)


cdef int64_t room_before(ndarray array) noexcept:
    """Return how many elements of its memory lie before an array's lowest."""
    cdef PyObject* owner = array.header.memory_owner(<PyObject*>array)
    if array.header.has_tensor():
        return array.header.storage_offset()
    return (array.header.origin() - header_of(owner).origin()) // ITEMSIZES[dtype_of(array)]


cdef ndarray restrided(ndarray array, Layout* layout):
    array.header.set_layout(dtype_of(array), layout.ndim, layout.shape, layout.strides)
    return array


cdef list flipped_axes(ndarray array):
    cdef int axis
    return [axis for axis in range(<int>array.header.dim()) if array.flipped >> axis & 1]


cdef object as_movable(object tensor):
    bits = BITS.get(tensor.dtype)
    return tensor if bits is None else tensor.view(bits)


cdef object as_moved(object tensor, object dtype):
    # Viewing as a dtype ends the graph, even as the same one.
    return tensor if tensor.dtype is dtype else tensor.view(dtype)
