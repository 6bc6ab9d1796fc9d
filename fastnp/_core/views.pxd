"""Views as NumPy describes them: signed strides and the place of element (0, ..., 0)."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport MAXDIMS, ndarray

# An array's layout in elements. Strides are negative along axes that run backwards; offset is that of element
# (0, ..., 0) from the start of the storage.
cdef struct Layout:
    int ndim
    int64_t shape[MAXDIMS]
    int64_t strides[MAXDIMS]
    int64_t offset

cdef bint is_plain(ndarray array) noexcept
cdef bint same_memory(ndarray a, ndarray b) noexcept
cdef void fill_layout(ndarray array, Layout* layout) noexcept
# The one place that turns signed strides into a view of a plain array: flipped bits and torch's offset are derived.
cdef ndarray strided_view(ndarray parent, Layout* layout)
# The same without a parent: an array of its own whose axes are in another order than its memory's.
cdef int64_t room_before(ndarray array) noexcept
cdef ndarray restrided(ndarray array, Layout* layout)
# The axes of a mask of flipped axes, for torch.flip.
cdef list flipped_axes(ndarray array)
# A torch.Tensor whose elements torch can move: it cannot flip or index unsigned integers and float8, but their bits.
cdef object as_movable(object tensor)
# What was moved, in the dtype that it had.
cdef object as_moved(object tensor, object dtype)
