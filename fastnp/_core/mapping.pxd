"""x[key] and x[key] = value."""
from libc.string cimport memcpy

from fastnp._core.dtype cimport BOOL, ITEMSIZES
from fastnp._core.ndarray cimport ndarray, new_scalar, truth_scalar

cdef object getitem(ndarray array, object key)
cdef int setitem(ndarray array, object key, object value) except -1


cdef inline void copy_item(char* into, const char* data, int itemsize) noexcept:
    if itemsize == 8:
        memcpy(into, data, 8)
    elif itemsize == 4:
        memcpy(into, data, 4)
    else:
        memcpy(into, data, itemsize)


cdef inline ndarray scalar_of(int dtype, const char* place):
    """Return the element there as what NumPy makes a scalar of."""
    cdef ndarray scalar
    if dtype == BOOL:
        return truth_scalar(place[0] != 0)
    scalar = new_scalar(dtype)
    copy_item(scalar.header.origin(), place, ITEMSIZES[dtype])
    return scalar
