"""Few elements at indices, or where a mask is true."""
from fastnp._core.ndarray cimport ndarray

# x[index] of an array of the class itself; None where that is the general way's.
cdef object take_few(ndarray array, ndarray index)
# x[index] = value of a writeable array; False where that is the general way's.
cdef bint put_few(ndarray array, ndarray index, object value) except -1
