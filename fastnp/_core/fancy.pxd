"""Indexing by integer and boolean arrays: NumPy's fancy indexing."""
from fastnp._core.key cimport Key
from fastnp._core.ndarray cimport ndarray

cdef object take_fancy(ndarray array, Key* key, list arrays)
cdef int put_fancy(ndarray array, Key* key, list arrays, object value) except -1
# Append where a mask is true: an array of places for each axis.
cdef int add_nonzero(ndarray mask, list indices) except -1
# array[mask] of memory in C order, an element of the mask for each of the array.
cdef ndarray take_whole_mask(ndarray array, ndarray mask)
