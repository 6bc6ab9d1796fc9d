"""What is asked about an array, without a look at its elements: whether it is a scalar, real, shares memory."""
cimport numpy as cnp
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memset

from fastnp._core.assign cimport ORDER_A, ORDER_C, new_like
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body, new_quick_body_alone
from fastnp._core.dtype cimport BOOL, COMPLEX64
from fastnp._core.engine cimport RELEASE_FROM, Operand, extents_overlap, may_overlap
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.loops cimport fill_operand
from fastnp._core.ndarray cimport dtype_of, is_c_contiguous, is_f_contiguous, ndarray, plain_view

cnp.import_array()

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()


cdef object isscalar(PyObject** slots):
    """isscalar(element): also for NumPy's own, strings and whatever is registered as a number."""
    kind = type(<object>slots[0])
    if kind is float or kind is int or kind is bool or kind is complex or kind is str or kind is bytes:
        return True
    if isinstance(<object>slots[0], ndarray):
        return bool((<ndarray><object>slots[0]).scalar_)
    return False if kind is list or kind is tuple or kind is dict or kind is cnp.ndarray else NotImplemented


cdef object quick_isscalar(PyObject* const* args, Py_ssize_t count):
    return isscalar(<PyObject**>args) if count == 1 and not function_mode_enabled() else NotImplemented


cdef object isfortran(PyObject** slots):
    """isfortran(a): in Fortran order and not in C order."""
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    return is_f_contiguous(<ndarray><object>slots[0]) and not is_c_contiguous(<ndarray><object>slots[0])


cdef object quick_isfortran(PyObject* const* args, Py_ssize_t count):
    return isfortran(<PyObject**>args) if count == 1 and not function_mode_enabled() else NotImplemented


cdef object all_alike(PyObject** slots, int order, bint answer):
    """Return one answer for each element of real numbers; few, so that nobody waits for it."""
    cdef ndarray result
    if not is_plain_array(slots[0]) or dtype_of(<ndarray><object>slots[0]) >= COMPLEX64:
        return NotImplemented
    if (<ndarray><object>slots[0]).header.dim() == 0 or (<ndarray><object>slots[0]).header.numel() >= RELEASE_FROM:
        return NotImplemented
    result = new_like(<ndarray><object>slots[0], BOOL, order)
    memset(result.header.origin(), answer, result.header.numel())
    return result


cdef object iscomplex(PyObject** slots):
    """iscomplex(x) of real numbers."""
    return all_alike(slots, ORDER_C, False)


cdef object isreal(PyObject** slots):
    """isreal(x) of real numbers; of one of Python's that is an answer of Python's."""
    if PyFloat_CheckExact(<object>slots[0]) or PyLong_CheckExact(<object>slots[0]):
        return True
    return all_alike(slots, ORDER_A, True)


cdef object with_axes(PyObject* argument, int least):
    """Return an array with so many axes at least, itself where it has them; NotImplemented for what needs a closer look."""
    cdef int64_t[3] sizes, strides
    cdef ndarray array
    cdef int place, axis, ndim
    if type(<object>argument) is not ndarray:
        return NotImplemented
    array = <ndarray><object>argument
    ndim = array.header.dim()
    if ndim >= least:
        return array
    if ndim == 0 or not is_plain_array(argument):
        return NotImplemented
    # NumPy: a matrix gets its third axis behind its own, a vector one before, and of three one behind as well.
    place = 1 if ndim == 1 else 0
    for axis in range(least):
        sizes[axis], strides[axis] = 1, 0
    for axis in range(ndim):
        sizes[place + axis], strides[place + axis] = array.header.sizes()[axis], array.header.strides()[axis]
    return plain_view(array, least, sizes, strides, 0, array.flipped << place)


cdef object quick_atleast(PyObject* const* args, Py_ssize_t count, int least):
    """One array with so many axes, or several in a tuple."""
    cdef Py_ssize_t place
    cdef list arrays
    if count == 0 or function_mode_enabled():
        return NotImplemented
    if count == 1:
        return with_axes(args[0], least)
    arrays = []
    for place in range(count):
        array = with_axes(args[place], least)
        if array is NotImplemented:
            return NotImplemented
        arrays.append(array)
    return tuple(arrays)


cdef object quick_atleast_1d(PyObject* const* args, Py_ssize_t count):
    return quick_atleast(args, count, 1)


cdef object quick_atleast_2d(PyObject* const* args, Py_ssize_t count):
    return quick_atleast(args, count, 2)


cdef object quick_atleast_3d(PyObject* const* args, Py_ssize_t count):
    return quick_atleast(args, count, 3)


cdef object iterable(PyObject** slots):
    """iterable(y)."""
    value = <object>slots[0]
    kind = type(value)
    if kind is list or kind is tuple or kind is dict or kind is str:
        return True
    if kind is ndarray:
        return (<ndarray>value).header.dim() > 0
    return False if kind is float or kind is int or kind is bool or value is None else NotImplemented


cdef object share(PyObject** slots, bint bounds_suffice):
    """Whether two plain arrays share memory; NotImplemented where their elements have to be found out one by one."""
    cdef int64_t max_work
    cdef Operand first, second
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]) or not integer_of(slots[2], &max_work):
        return NotImplemented
    if max_work != (0 if bounds_suffice else -1):
        return NotImplemented
    if (<ndarray><object>slots[0]).scalar_ or (<ndarray><object>slots[1]).scalar_:
        return False  # a scalar has its value, and no memory
    fill_operand(&first, <ndarray><object>slots[0])
    fill_operand(&second, <ndarray><object>slots[1])
    if bounds_suffice:
        return extents_overlap(first, second)
    if not may_overlap(first, second):
        return False
    if is_c_contiguous(<ndarray><object>slots[0]) and is_c_contiguous(<ndarray><object>slots[1]):
        return True
    return NotImplemented


cdef object may_share_memory(PyObject** slots):
    """may_share_memory(a, b, max_work)."""
    return share(slots, True)


cdef object shares_memory(PyObject** slots):
    """shares_memory(a, b, max_work)."""
    return share(slots, False)


BODIES = {
    "atleast_1d": new_quick_body_alone(quick_atleast_1d),
    "atleast_2d": new_quick_body_alone(quick_atleast_2d),
    "atleast_3d": new_quick_body_alone(quick_atleast_3d),
    "iscomplex": new_compiled_body(iscomplex),
    "isreal": new_compiled_body(isreal),
    "iterable": new_compiled_body(iterable),
    "isfortran": new_quick_body(quick_isfortran, isfortran),
    "isscalar": new_quick_body(quick_isscalar, isscalar),
    "may_share_memory": new_compiled_body(may_share_memory),
    "shares_memory": new_compiled_body(shares_memory),
}
