"""Plain arrays into plain arrays of NumPy's dtypes, or of one dtype, with casts and what is said of them."""
from libc.stdint cimport int64_t

from fastnp._core.engine cimport Operand
from fastnp._core.ndarray cimport ndarray

# Warn as NumPy does before complex values become real ones.
cdef int check_complex(int destination, int source) except -1
# Cast elements side by side.
cdef int cast_block(char* into, int dtype, const char* data, int source_dtype, int64_t size) except -1
# Copy between operands that do not overlap, `size` elements.
cdef int copy_cast(Operand* destination, Operand* source, int64_t size) except -1
# Copy between operands of one dtype and shape that do not overlap, moved round each axis by a shift below its length.
cdef int copy_rolled(Operand* destination, Operand* source, const int64_t* shifts, int64_t size) except -1
# Copy elements that lie in one piece each, in the same order; False where they do not, and of casts that take a while or
# read what they write.
cdef bint copy_same_block(ndarray destination, ndarray source) except -1
# Copy few elements of few dimensions and fitting shapes; False where that is not the case.
cdef bint assign_few(ndarray destination, ndarray source) except -1
# Copy a matrix of items; steps are in bytes.
cdef void copy_few(char* into, const int64_t* into_steps, const char* data, const int64_t* steps, const int64_t* shape,
                   int itemsize) noexcept
