"""What creation reads: shapes, orders and devices."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport thread_is_plain

# Read a shape; -1 where it is not an int or a tuple or list of ints.
cdef int fill_sizes(object shape, int64_t* sizes) except -2
# Whether a device is the memory of the host, where all is made in a plain thread.
cdef bint is_host(object device) except -1


cdef inline bint is_common(object order, object device, object like) except -1:
    """Whether a new array is wanted in C order, in host memory, of no other type; nothing listens."""
    return (device is None or is_host(device)) and like is None and (
        order is None or type(order) is str and order == "C") and thread_is_plain()


cdef inline bint is_letter(PyObject* order, str letter) except -1:
    """Whether an order is the one that a letter names."""
    return order == <PyObject*>letter or type(<object>order) is str and <object>order == letter
