"""The bits of NumPy's streams."""
from numpy.random.bit_generator cimport BitGenerator

from libc.stdint cimport int64_t

# From this many numbers on other threads may run while they are drawn.
cdef enum:
    RELEASE_FROM = 2000

# The bit generator of a stream, or None where it is not one of NumPy's.
cdef BitGenerator bits_of(object stream)
# Read a Python number or an array of one double; False where it is something else.
cdef bint to_double(object value, double* number) except -1
