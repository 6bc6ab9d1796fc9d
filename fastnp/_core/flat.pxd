"""Elements by their number in C order."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray

# Where element number `index` lies.
cdef char* element_at(ndarray array, int64_t index) noexcept


cdef class flatiter:
    #: The array.
    cdef readonly ndarray base
    #: Number of the next element.
    cdef readonly int64_t index
    # Where the last element was that was given, of memory that starts so, how many more its line has, a step apart; the
    # number of the one after it.
    cdef char* start
    cdef char* place
    cdef int64_t step, left, expected
    cdef char* begin_line(self) noexcept
