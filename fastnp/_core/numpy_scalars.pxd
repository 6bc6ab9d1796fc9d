"""NumPy's own scalars as operands: what a program's constants often are, `np.float32(0.5)` or `np.uint64(1)`."""
from fastnp._core.ndarray cimport ndarray

cdef extern from "numpy_scalars.h" namespace "fastnp" nogil:
    const char* value_of_scalar(object scalar)

# The index of the dtype of a NumPy scalar; -1 for any other object, and for a scalar of another dtype.
cdef int dtype_of_scalar(object value) noexcept
# The scalar of ours that a NumPy scalar, a 0-d array of NumPy's, or a truth of Python's stands for; None for all else.
cdef ndarray held_scalar(object value)
