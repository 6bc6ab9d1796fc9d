"""median and nanmedian of short lines of plain arrays. Each body declines, by NotImplemented, what is not that.

https://numpy.org/doc/2.4/reference/generated/numpy.median.html
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_C, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport FLOAT16, FLOAT32, FLOAT64, ITEMSIZES
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, is_plain_array
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
)

import numpy

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        int64_t length, count
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)

cdef extern from "medians.h" namespace "fastnp" nogil:
    int64_t kLongestMedian
    bint find_medians(int dtype, bint skips_nan, const Lanes&, char* data, char* medians)

cdef object NO_VALUE = numpy._NoValue
cdef enum:
    SEVERAL = 16  # lines
    SHORT = 128   # numbers

cdef int64_t RELEASE_FROM = 5000  # elements


cdef object medians_of(ndarray array, PyObject* axis, bint skips_nan):
    cdef Lanes lanes
    cdef int64_t[MAXDIMS] shape, strides, kept
    cdef int place, along, count = 0, ndim = array.header.dim(), dtype = dtype_of(array)
    cdef char* data
    cdef char* medians
    cdef bint found
    cdef ndarray result
    if dtype > FLOAT64 or dtype == FLOAT16 or ndim == 0:
        return NotImplemented
    if axis == <PyObject*>None:
        if array.header.numel() > kLongestMedian:
            return NotImplemented
        if ndim > 1 and not is_c_contiguous(array):
            array = copy_array(array, ORDER_C)
        fill_shape(array, shape)
        fill_strides(array, strides)
        if ndim > 1:
            shape[0], strides[0], ndim = array.header.numel(), ITEMSIZES[dtype], 1
        along = 0
    else:
        along = axis_of(axis, ndim)
        if along == NO_AXIS or ndim > 2 and not is_c_contiguous(array):
            return NotImplemented  # the order of the other axes is kept
        fill_shape(array, shape)
        fill_strides(array, strides)
    if not 0 < shape[along] <= kLongestMedian:
        return NotImplemented
    lanes.set(along, ndim, shape, strides, strides)
    if lanes.count > SEVERAL and lanes.length > SHORT:
        return NotImplemented  # NumPy's partition is as quick, once it has begun
    for place in range(ndim):
        if place != along:
            kept[count] = shape[place]
            count += 1
    # NumPy: the mean of integers is a double.
    result_dtype = FLOAT32 if dtype == FLOAT32 else FLOAT64
    result = new_scalar(result_dtype) if count == 0 else new_array(result_dtype, count, kept)
    data, medians = data_of(array), data_of(result)
    if lanes.length * lanes.count < RELEASE_FROM:
        found = find_medians(dtype, skips_nan, lanes, data, medians)
    else:
        with nogil:
            found = find_medians(dtype, skips_nan, lanes, data, medians)
    return result if found else NotImplemented


cdef object median(PyObject** slots):
    """median(a, axis, out, overwrite_input, keepdims)."""
    if not is_plain_array(slots[0]) or slots[2] != <PyObject*>None or <object>slots[3] is not False or (
            <object>slots[4] is not False):
        return NotImplemented
    return medians_of(<ndarray>slots[0], slots[1], False)


cdef object nanmedian(PyObject** slots):
    """nanmedian(a, axis, out, overwrite_input, keepdims)."""
    if not is_plain_array(slots[0]) or slots[2] != <PyObject*>None or <object>slots[3] is not False or (
            slots[4] != <PyObject*>NO_VALUE):
        return NotImplemented
    return medians_of(<ndarray>slots[0], slots[1], True)


#: Name of the function to its body.
BODIES = {
    "median": new_compiled_body(median),
    "nanmedian": new_compiled_body(nanmedian),
}
