"""Functions of one array: i0 and sinc of plain ones, in NumPy's order of operations; angle, too, of others, by ATen's."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, new_like
from fastnp._core.aten cimport call_unary, operator_of
from fastnp._core.dispatcher cimport new_quick_body_alone
from fastnp._core.dtype cimport FLOAT16, FLOAT32, FLOAT64
from fastnp._core.engine cimport RELEASE_FROM, Loop, clear_float_flags, raised_float_flags
from fastnp._core.kernels.arguments cimport is_plain_array
from fastnp._core.loops cimport LoopTable, Resolution, table_of
from fastnp._core.ndarray cimport data_of, dtype_of, is_c_contiguous, ndarray, tensor_of
from fastnp._core.single_calls cimport is_single
from fastnp._core.ufunc_torch cimport new_general

import numpy
import torch
from numpy.lib._function_base_impl import _i0A as I0_NEAR
from numpy.lib._function_base_impl import _i0B as I0_FAR

cdef extern from "special.h" namespace "fastnp" nogil:
    cppclass BesselWeights[T]:
        T near[30]
        T far[25]
    bint has_special()
    void compute_i0[T](const Loop&, const BesselWeights[T]&, const void* numbers, void* out, int64_t count)
    void compute_sinc[T](const Loop&, const void* numbers, void* out, int64_t count)

cdef LoopTable EXP = table_of(numpy.exp)
cdef LoopTable SIN = table_of(numpy.sin)
cdef BesselWeights[double] DOUBLES
cdef BesselWeights[float] FLOATS
for _place, _weight in enumerate(I0_NEAR):
    DOUBLES.near[_place] = FLOATS.near[_place] = _weight
for _place, _weight in enumerate(I0_FAR):
    DOUBLES.far[_place] = FLOATS.far[_place] = _weight

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


cdef object plain(LoopTable table, PyObject* const* args, Py_ssize_t count):
    """Compute i0, by the exponential, or sinc, by the sine, of a plain array; NotImplemented where there is more to it."""
    cdef ndarray array, result
    cdef Resolution* entry
    cdef const void* numbers
    cdef void* out
    cdef int64_t size
    cdef bint is_i0 = table is EXP
    if count != 1 or not is_plain_array(args[0]) or dtype_of(<ndarray>args[0]) > FLOAT64 or (
            dtype_of(<ndarray>args[0]) == FLOAT16 or not has_special()):
        return NotImplemented
    array = <ndarray>args[0]
    size = array.header.numel()
    if array.header.dim() == 0 or array.header.dim() > 1 and not is_c_contiguous(array) or size >= RELEASE_FROM:
        return NotImplemented
    array = astype(array, dtype_of(array) if dtype_of(array) >= FLOAT32 else FLOAT64, ORDER_C, False)
    result = new_like(array, dtype_of(array), ORDER_K)
    entry = table.find(dtype_of(array), dtype_of(array))
    numbers, out = data_of(array), data_of(result)
    clear_float_flags(True)
    if dtype_of(array) == FLOAT64:
        if is_i0:
            compute_i0[double](entry.loop, DOUBLES, numbers, out, size)
        else:
            compute_sinc[double](entry.loop, numbers, out, size)
    elif is_i0:
        compute_i0[float](entry.loop, FLOATS, numbers, out, size)
    else:
        compute_sinc[float](entry.loop, numbers, out, size)
    # What overflows or is invalid is reported by the general way, in NumPy's words.
    return NotImplemented if raised_float_flags(True) else result


cdef object i0(PyObject* const* args, Py_ssize_t count):
    result = plain(EXP, args, count)
    return by_operator(I0, args, count) if result is NotImplemented else result


cdef object sinc(PyObject* const* args, Py_ssize_t count):
    result = plain(SIN, args, count)
    return by_operator(SINC, args, count) if result is NotImplemented else result


#: Name of the function to its body.
BODIES = {
    "angle": new_quick_body_alone(angle),
    "i0": new_quick_body_alone(i0),
    "sinc": new_quick_body_alone(sinc),
}
