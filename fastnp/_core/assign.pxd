"""Values into arrays: with broadcasting and casts, and into new arrays."""
from fastnp._core.ndarray cimport ndarray

# The letters of NumPy's order=, as iteration.h numbers them.
cdef enum Order:
    ORDER_C, ORDER_F, ORDER_A, ORDER_K

# The letters themselves, which are one object each wherever they are written.
cdef str LETTER_C, LETTER_F, LETTER_K

# destination[...] = source. The caller has checked that the destination is writeable.
cdef int assign(ndarray destination, ndarray source) except -1
# destination[...] = value, for anything NumPy takes; what is no array is packed as the destination's dtype.
cdef int assign_value(ndarray destination, object value) except -1
# The array that `value` is when it is assigned to elements of `destination`.
cdef ndarray as_value(ndarray destination, object value)
# An operand on NumPy's array, which torch's modes see as a new constant.
cdef ndarray constant(object array)
# Write a Python or NumPy scalar at an address of host memory; NumPy's errors where it does not fit.
cdef int pack(char* data, int dtype, object value) except -1
# Write element (0, ..., 0) of a plain array at an address.
cdef int pack_element(char* data, int dtype, ndarray source) except -1
cdef int to_order(object order) except -1
cdef ndarray new_like(ndarray prototype, int dtype, int order)
cdef ndarray copy_array(ndarray array, int order)
# Whether an array lies in an order.
cdef bint has_order(ndarray array, int order) noexcept
# Whether an axis is one element that is met again and again: a copy of it lies otherwise, and NumPy's results do not.
cdef bint is_stretched(ndarray array) noexcept
cdef ndarray astype(ndarray array, int dtype, int order, bint copy)
# Where the gradients of a value go: a plain view becomes a view of its base for autograd as well.
cdef int join_autograd(ndarray destination) except -1
