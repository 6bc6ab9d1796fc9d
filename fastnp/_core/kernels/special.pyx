"""Functions of one array that are one operator of ATen's where it is not plain: angle, i0, sinc."""
from cpython.object cimport PyObject

from fastnp._core.aten cimport call_unary, operator_of
from fastnp._core.dispatcher cimport new_quick_body_alone
from fastnp._core.dtype cimport FLOAT32, FLOAT64
from fastnp._core.ndarray cimport dtype_of, ndarray, tensor_of
from fastnp._core.single_calls cimport is_single
from fastnp._core.ufunc_torch cimport new_general

import torch

cdef int ANGLE = operator_of(torch.angle, 1)
cdef int I0 = operator_of(torch.i0, 1)
cdef int SINC = operator_of(torch.sinc, 1)


cdef object by_operator(int operator, PyObject* const* args, Py_ssize_t count):
    """Compute for an array of real floating point that is not plain; NotImplemented for any other, or with options."""
    cdef ndarray array
    if count != 1 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>args[0]
    if (dtype_of(array) != FLOAT32 and dtype_of(array) != FLOAT64) or not is_single(array):
        return NotImplemented
    return new_general(call_unary(operator, tensor_of(array)[0]), -1)


cdef object angle(PyObject* const* args, Py_ssize_t count):
    return by_operator(ANGLE, args, count)


cdef object i0(PyObject* const* args, Py_ssize_t count):
    return by_operator(I0, args, count)


cdef object sinc(PyObject* const* args, Py_ssize_t count):
    return by_operator(SINC, args, count)


#: Name of the function to its body.
BODIES = {
    "angle": new_quick_body_alone(angle),
    "i0": new_quick_body_alone(i0),
    "sinc": new_quick_body_alone(sinc),
}
