"""Nested lists and tuples of numbers to arrays."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray
from fastnp._core.numpy_scalars cimport dtype_of_scalar


cdef inline bint is_sequence(object value) noexcept:
    return type(value) is list or type(value) is tuple


cdef inline bint stands_for_array(object value) noexcept:
    return type(value) is not ndarray and (is_sequence(value) or dtype_of_scalar(value) >= 0)


# Refuse a sequence that is nested deeper than an array can be: within itself as well, once or several times.
cdef int check_depth(int depth) except -1
# The array of a list or tuple of numbers, arrays or such sequences, with NumPy's dtype for it; None where NumPy has to
# say what it is. The thread must be plain and torch's default dtypes those of NumPy.
cdef ndarray of_sequence(object items, bint as_floats)
# Whether a nested sequence has tensors or arrays in it (plain: others than plain ones), whose gradients and devices NumPy
# would not keep. ValueError where it is nested deeper than an array can be, within itself as well.
cdef bint holds_tensors(object sequence, bint plain=?, int depth=?) except -1
cdef enum:
    MANY = 1 << 20  # numbers of a range that become a list first

# A range of `most` numbers or fewer as a list; anything else as it is.
cdef object listed(object items, int64_t most)
# Operands with lists and tuples of numbers, and NumPy's scalars, as arrays; None where somebody else is to see them as they are.
cdef list with_arrays(object operands)
