"""NumPy's own scalars as operands: what a program's constants often are, `np.float32(0.5)` or `np.uint64(1)`."""
from fastnp._core.ndarray cimport ndarray

cdef extern from "numpy_scalars.h" namespace "fastnp" nogil:
    const char* value_of_scalar(object scalar)

# The index of the dtype of a NumPy scalar; -1 for any other object, and for a scalar of another dtype.
cdef int dtype_of_scalar(object value) noexcept


cdef inline const char* value_of(object scalar, int dtype) noexcept:
    """Return where a scalar of a dtype, ours or NumPy's, has its value; NULL for all else."""
    if type(scalar) is ndarray:
        return (<ndarray>scalar).header.value() if (<ndarray>scalar).header.holds_value() and (
            (<ndarray>scalar).header.dtype() == dtype) else NULL
    return value_of_scalar(scalar) if dtype_of_scalar(scalar) == dtype else NULL


# The scalar of ours that a NumPy scalar, a 0-d array of NumPy's, or a truth of Python's stands for; None for all else.
cdef ndarray held_scalar(object value)
