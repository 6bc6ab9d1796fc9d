"""What compiled bodies ask of bound slots: the common spellings are read here, all others are declined."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport NUM_NUMPY_DTYPES
from fastnp._core.ndarray cimport ndarray, thread_is_plain

cdef extern from "Python.h":
    bint PyLong_CheckExact(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow)

cdef enum:
    NO_AXIS = -100  # an axis that is no integer, or out of bounds


cdef inline bint is_plain_array(PyObject* slot) noexcept:
    """Whether an argument is an array of the class itself that NumPy's loops read in place. Nothing listens."""
    return type(<object>slot) is ndarray and (<ndarray><object>slot).header.is_plain() and (
        (<ndarray><object>slot).header.dtype() < NUM_NUMPY_DTYPES) and thread_is_plain()


cdef inline int axis_of(PyObject* slot, int ndim) noexcept:
    """Return an axis counted from the front; NO_AXIS for None and all that needs a closer look."""
    cdef int overflow = 0
    cdef int64_t axis
    if not PyLong_CheckExact(<object>slot):
        return NO_AXIS
    axis = PyLong_AsLongLongAndOverflow(<object>slot, &overflow)
    if overflow or not -ndim <= axis < ndim:
        return NO_AXIS
    return <int>(axis + ndim if axis < 0 else axis)


cdef inline bint integer_of(PyObject* slot, int64_t* integer) noexcept:
    """Whether an argument is a Python int of 64 bits, and which."""
    cdef int overflow = 0
    if not PyLong_CheckExact(<object>slot):
        return False
    integer[0] = PyLong_AsLongLongAndOverflow(<object>slot, &overflow)
    return not overflow


cdef inline bint has_shape(ndarray array, int ndim, const int64_t* shape) noexcept:
    cdef int axis
    if array.header.dim() != ndim:
        return False
    for axis in range(ndim):
        if array.header.sizes()[axis] != shape[axis]:
            return False
    return True


cdef inline bint same_shape(ndarray one, ndarray other) noexcept:
    return has_shape(one, <int>other.header.dim(), other.header.sizes())
