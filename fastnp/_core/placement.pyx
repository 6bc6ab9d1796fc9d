"""Where host data of a call goes: numbers, lists and NumPy's arrays beside arrays on another device follow them there."""
from cpython.object cimport PyObject

from fastnp._core.ndarray cimport ndarray, tensor_of
from fastnp._core.overrides cimport Containers, clear, look_at
from fastnp._core.torch_tensor cimport unwrap

cdef extern from *:
    """
    static PyObject** fastnp_items_of(PyObject* tuple) { return ((PyTupleObject*)tuple)->ob_item; }
    """
    PyObject** items_of "fastnp_items_of"(tuple)


cdef int follow_array(Placement* placement, PyObject* array) except -1:
    if isinstance(<object>array, ndarray):
        placement.follow(tensor_of(<ndarray>array)[0])
    else:
        placement.follow(unwrap(<object>array))
    return 0


cdef bint follow_any(Placement* placement, tuple values) except -1:
    return follow_each(placement, items_of(values), len(values))


cdef bint follow_each(Placement* placement, PyObject* const* values, Py_ssize_t count) except -1:
    cdef Containers seen
    cdef Py_ssize_t index
    clear(&seen)
    for index in range(count):
        look_at(<object>values[index], &seen)
    if seen.elsewhere is NULL:
        return False
    follow_array(placement, seen.elsewhere)
    return True
