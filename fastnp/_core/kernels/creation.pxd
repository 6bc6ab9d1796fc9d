"""What creation reads: shapes, orders and devices, nested lists."""
from libc.stdint cimport int64_t

# Read a shape; -1 where it is not an int or a tuple or list of ints.
cdef int fill_sizes(object shape, int64_t* sizes) except -2
# Whether a new array is wanted in C order, in host memory, of no other type; nothing listens.
cdef bint is_common(object order, object device, object like) except -1
# The array of a nested list of numbers, in a dtype or its own; NotImplemented where NumPy has to say what it is.
cdef object parsed(object items, object dtype)
