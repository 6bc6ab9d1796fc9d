"""Shapes as creation reads them."""
from libc.stdint cimport int64_t

# Read a shape; -1 where it is not an int or a tuple or list of ints.
cdef int fill_sizes(object shape, int64_t* sizes) except -2
