"""What creation reads: shapes, orders and devices, nested lists."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray, thread_is_plain

# Read a shape; -1 where it is not an int or a tuple or list of ints.
cdef int fill_sizes(object shape, int64_t* sizes) except -2
# Whether a device is the memory of the host, where all is made in a plain thread.
cdef bint is_host(object device) except -1
# The array of a nested list of numbers, in a dtype or its own; NotImplemented where NumPy has to say what it is.
cdef object parsed(object items, object dtype)
# The array of a sequence or a number, in an order where it has axes; likewise.
cdef object of_numbers(object given, object dtype, int order)
# A view of a plain array in C or Fortran's order with so many axes, the first ones of length one.
cdef ndarray with_axes_in_front(ndarray array, int ndmin, bint fortran)


cdef inline bint is_common(object order, object device, object like) except -1:
    """Whether a new array is wanted in C order, in host memory, of no other type; nothing listens."""
    return (device is None or is_host(device)) and like is None and (
        order is None or type(order) is str and order == "C") and thread_is_plain()
