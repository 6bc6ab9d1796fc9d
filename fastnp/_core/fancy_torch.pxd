"""Indexing through torch."""
from libc.stdint cimport int64_t

from fastnp._core.key cimport Key
from fastnp._core.ndarray cimport ndarray

# Refuse values that a mask with so many true elements does not take.
cdef int check_mask_values(int64_t given, int ndim, int64_t count) except -1
# The general path of basic keys: torch's view, its flipped axes those of the key.
cdef ndarray general_view(ndarray array, Key* key)
cdef ndarray take_general(ndarray array, Key* key, list arrays)
cdef int put_general(ndarray array, Key* key, list arrays, ndarray value, bint whole_mask) except -1
# What an array of indices picks along an axis, -1 being that of all elements; None where it takes more than one call of torch.
cdef ndarray take_direct(ndarray array, int axis, ndarray index)
