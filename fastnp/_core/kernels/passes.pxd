"""What other bodies compute in one pass."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray

# An array of float32 or float64 rounded to decimals, not to 0; NotImplemented where its elements are not in one piece in C
# order, or a step raises a flag.
cdef object round_elements(ndarray array, int64_t decimals)
