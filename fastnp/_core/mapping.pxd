"""x[key] and x[key] = value."""
from fastnp._core.ndarray cimport ndarray

cdef object getitem(ndarray array, object key)
cdef int setitem(ndarray array, object key, object value) except -1
