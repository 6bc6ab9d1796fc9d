"""Arrays and NumPy's arrays on the same memory."""
from fastnp._core.ndarray cimport ndarray

cdef object to_numpy(ndarray array)
cdef ndarray from_numpy(object array)
# An uninitialised array; the shape's members are Python integers.
cdef ndarray empty(tuple shape, int dtype, bint fortran)
