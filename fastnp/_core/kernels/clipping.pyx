"""Values of arrays limited, by NumPy's inner loop of `clip` or by torch.

Each body declines, by NotImplemented, what is not common: a bound or an `out` of another dtype.
"""
from cpython.dict cimport PyDict_Size
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_K, astype, is_stretched
from fastnp._core.aten cimport clamp_direct, is_direct
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX64,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT64,
    NUM_NUMPY_DTYPES,
    UINT64,
    default_float,
    default_int,
    is_in_range,
)
from fastnp._core.engine cimport (
    ElementwiseCall,
    Loop,
    LoopFunction,
    Operand,
    Order,
    Status,
    clear_float_flags,
    find_loop,
)
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, new_result, report_float_flags, store_weak, table_of
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, from_tensor, ndarray, thread_is_plain, to_tensor
from fastnp._core.torch_tensor cimport unwrap, wrap
from fastnp._core.ufunc_call cimport compute_ufunc, goes_into
from fastnp._core.ufunc_torch cimport has_kernels

import numpy
import torch

cdef extern from "clips.h" namespace "fastnp" nogil:
    LoopFunction find_clip_loop(int dtype)

cdef object NUMPY_CLIP = numpy._core.umath.clip
cdef object NO_VALUE = numpy._NoValue
cdef LoopTable MAXIMUM = table_of(numpy.maximum)
cdef LoopTable MINIMUM = table_of(numpy.minimum)
cdef LoopTable POSITIVE = table_of(numpy.positive)
cdef int64_t LARGE = <int64_t>1 << 62

cdef enum:
    FEW = 1 << 17  # elements that are cast all at once, and stay in the cache


cdef bint is_below(object bound, int dtype) noexcept:
    """Whether a bound is no array, or one of a lower kind than a default dtype."""
    return type(bound) is not ndarray or dtype_of(<ndarray>bound) <= (UINT64 if dtype == FLOAT64 else BOOL)


cdef ndarray bound_of(ndarray array, int dtype):
    """Return a bound in the array's dtype, few elements of one that goes into it; None for others."""
    cdef Resolution* entry
    if not array.header.is_plain() or dtype_of(array) >= NUM_NUMPY_DTYPES:
        return None
    if dtype_of(array) == dtype:
        return array
    entry = MAXIMUM.find(dtype, dtype_of(array))
    return astype(array, dtype, ORDER_K, True) if entry.state == 1 and entry.types[2] == dtype and (
        array.header.numel() <= FEW) else None


cdef bint fill_bound(object value, int dtype, Operand* operand, char* weak) except -1:
    """Describe a bound that is of the array's dtype or promotes weakly to it; False for others."""
    if type(value) is ndarray:
        fill_operand(operand, <ndarray>value)
        return True
    if not PyLong_CheckExact(value) and not (PyFloat_CheckExact(value) and dtype >= FLOAT16):
        return False
    operand.data, operand.type, operand.ndim = weak, dtype, 0
    return store_weak(weak, dtype, value)


cdef bint is_number_of(int dtype, object value) except -1:
    """Whether a bound is a Python number of the dtype, and not NaN."""
    cdef char item[16]
    if PyFloat_CheckExact(value):
        return dtype >= FLOAT32 and value == value and store_weak(item, dtype, value)
    return PyLong_CheckExact(value) and store_weak(item, dtype, value)


cdef object limited_by_torch(ndarray array, object low, object high):
    """Return values limited by Python numbers, by one call of torch."""
    cdef int dtype = dtype_of(array)
    cdef ndarray result
    cdef Tensor tensor
    if not INT8 <= dtype < COMPLEX64 or dtype == FLOAT16 or not has_kernels(dtype) or not (
            is_number_of(dtype, low) and is_number_of(dtype, high)):
        return NotImplemented
    tensor = to_tensor(array)
    if not is_direct(tensor) or not clamp_direct(tensor, low, high, &tensor):
        tensor = unwrap(torch.clamp(wrap(tensor), low, high))
    result = from_tensor(tensor)
    if result.header.dim() == 0:
        result.scalar_, result.writeable_ = True, False
    return result


cdef object limited(object values, object low, object high, object out):
    cdef ElementwiseCall call
    cdef Operand operands[4]
    cdef Operand* pointers[4]
    cdef int types[4]
    cdef char weak[2][16]
    cdef int64_t strides[MAXDIMS]
    cdef int dtype, place
    cdef unsigned flags
    cdef Loop loop, own
    cdef ndarray result
    if type(values) is not ndarray:
        return NotImplemented
    if not (<ndarray>values).header.is_plain() or not thread_is_plain():
        found = limited_by_torch(<ndarray>values, low, high)
        if out is None or found is NotImplemented:
            return found
        return out if type(out) is ndarray and goes_into(<ndarray>out, found) else NotImplemented
    dtype = dtype_of(<ndarray>values)
    if low is None or high is None:
        return limited_once(<ndarray>values, dtype, low, high, out)
    if dtype <= UINT64 and (PyFloat_CheckExact(low) or PyFloat_CheckExact(high)) or dtype == BOOL and (
            PyLong_CheckExact(low) or PyLong_CheckExact(high)):
        if (<ndarray>values).header.numel() > FEW or is_stretched(<ndarray>values):
            return NotImplemented  # a buffer at a time is cast
        if default_float() != FLOAT64 or default_int() != INT64:
            return NotImplemented
        # NumPy: a number of Python's of a higher kind than all arrays is of its kind's default dtype.
        dtype = FLOAT64 if PyFloat_CheckExact(low) or PyFloat_CheckExact(high) else INT64
        if not is_below(low, dtype) or not is_below(high, dtype):
            return NotImplemented
        values = astype(<ndarray>values, dtype, ORDER_K, True)
    if dtype == BOOL or dtype >= NUM_NUMPY_DTYPES:
        return NotImplemented
    if type(low) is ndarray:
        low = bound_of(<ndarray>low, dtype)
    if type(high) is ndarray:
        high = bound_of(<ndarray>high, dtype)
    if low is None or high is None:
        return NotImplemented
    if not fill_bound(low, dtype, &operands[1], weak[0]) or not fill_bound(high, dtype, &operands[2], weak[1]):
        return NotImplemented
    fill_operand(&operands[0], <ndarray>values)
    if out is not None:
        if type(out) is not ndarray:
            return NotImplemented
        result = <ndarray>out
        if not result.header.is_plain() or not result.writeable_ or dtype_of(result) != dtype:
            return NotImplemented
        fill_operand(&operands[3], result)
    for place in range(4):
        types[place] = dtype
        pointers[place] = &operands[place] if place < 3 or out is not None else NULL
    if not find_loop(NUMPY_CLIP, types, &loop) or call.prepare(
            3, 1, pointers, NULL, types, Order.kKeep) != Status.kOk:
        return NotImplemented
    if out is None:
        call.result_strides(0, strides)
        result = new_result(dtype, call.ndim, call.shape, strides)
        call.bind(0, data_of(result), strides)
    else:
        result.header.bump_version()
    call.splits = True
    if dtype == FLOAT16:
        clear_float_flags(True)  # a number of Python's that is NaN raises one where it becomes a half
    own.function, own.data = find_clip_loop(dtype), &loop
    flags = call.run(loop if own.function is NULL else own, True)
    if flags:
        report_float_flags(flags, "clip")
    return result


cdef object limited_once(ndarray values, int dtype, object low, object high, object out):
    """Return values limited by one bound, NumPy's `maximum` or `minimum`, or by none: its `positive`."""
    cdef LoopTable table = MINIMUM if low is None else MAXIMUM
    bound = high if low is None else low
    if bound is None and (out is None or type(out) is ndarray):
        return compute_ufunc(POSITIVE, (values,), None if out is None else (out,), True, None)
    if not (PyFloat_CheckExact(bound) or PyLong_CheckExact(bound) or type(bound) is ndarray) or (
            out is not None and type(out) is not ndarray):
        return NotImplemented
    if INT8 <= dtype <= UINT64 and PyLong_CheckExact(bound) and not is_limit(bound, dtype, low is None):
        return NotImplemented
    return compute_ufunc(table, (values, bound), None if out is None else (out,), True, None)


cdef bint is_limit(object bound, int dtype, bint above) noexcept:
    """Whether Python's int lies within a dtype's range, and is not its end."""
    cdef int overflow = 0
    cdef int64_t integer = PyLong_AsLongLongAndOverflow(bound, &overflow)
    return not overflow and -LARGE < integer < LARGE and is_in_range(dtype, integer) and (
        is_in_range(dtype, integer + 1 if above else integer - 1))


cdef inline bint has_no_keywords(PyObject* kwargs) except -1:
    return kwargs == <PyObject*>None or PyDict_Size(<object>kwargs) == 0


cdef object clip(PyObject** slots):
    """clip(a, a_min, a_max, out, min, max, kwargs)."""
    if slots[4] != <PyObject*>NO_VALUE or slots[5] != <PyObject*>NO_VALUE or (
            not has_no_keywords(slots[6])):
        return NotImplemented
    return limited(<object>slots[0], <object>slots[1], <object>slots[2], <object>slots[3])


cdef object clip_method(PyObject** slots):
    """clip(self, min, max, out, kwargs)."""
    if not has_no_keywords(slots[4]):
        return NotImplemented
    return limited(<object>slots[0], <object>slots[1], <object>slots[2], <object>slots[3])


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {
    "clip": new_compiled_body(clip),
    "clip_method": new_compiled_body(clip_method),
}
