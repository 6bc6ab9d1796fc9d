"""Elements by their number in C order."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray

# Where element number `index` lies.
cdef char* element_at(ndarray array, int64_t index) noexcept
