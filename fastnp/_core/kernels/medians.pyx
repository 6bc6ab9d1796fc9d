"""Elements at places of sorted lines, and median and nanmedian of short lines, of plain arrays.

Each body declines, by NotImplemented, what is not that.

https://numpy.org/doc/2.4/reference/generated/numpy.median.html
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from fastnp._core.assign cimport ORDER_C, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, ITEMSIZES, UINT64, numpy_dtype
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, is_plain_array
from fastnp._core.kernels.shape cimport flatten
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

cnp.import_array()

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        int64_t length, count
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)
    ctypedef struct Functions "PyArray_ArrFuncs":
        pass
    Functions* functions_of(object dtype)

cdef extern from "selection.h" namespace "fastnp" nogil:
    bint select_lanes(
        int dtype, Functions*, const Lanes&, char* data, const int64_t* places, int64_t count, char* into, cbool* have_nan,
        int itemsize
    )

cdef extern from "medians.h" namespace "fastnp" nogil:
    int64_t kLongestMedian
    bint find_medians(int dtype, bint skips_nan, const Lanes&, char* data, char* medians)

cdef object NO_VALUE = numpy._NoValue
cdef enum:
    SEVERAL = 16  # lines
    SHORT = 128   # numbers
    SORTED = 16   # numbers that are sorted at once

cdef int64_t RELEASE_FROM = 5000  # elements


def selected(ndarray array not None, list places not None, axis):
    """Return the elements at some places of each line, were it sorted.

    Parameters
    ----------
    array : ndarray
        Numbers, with at least one in each line.
    places : list of int
        In ascending order, each once, from zero on.
    axis : int or None
        The axis of the lines; None for all elements in one.

    Returns
    -------
    (ndarray, ndarray) or None
        Of shape ``(len(places), *others)``, and which lines have a NaN, these in C order. None for what is not common.
    """
    cdef Lanes lanes
    cdef int64_t[MAXDIMS] shape, strides, kept, into
    cdef int64_t* at
    cdef int place, along = 0, ndim = array.header.dim(), dtype = dtype_of(array)
    cdef int64_t i, count = len(places)
    cdef Functions* functions
    cdef char* data
    cdef char* elements
    cdef cbool* have_nan
    cdef bint done
    cdef ndarray wanted, result, missing
    if not is_plain_array(<PyObject*>array) or dtype > FLOAT64 or dtype == FLOAT16 or count == 0 or ndim == 0:
        return None
    if axis is None:
        if ndim > 1:
            array, ndim = flatten(array, ORDER_C), 1
    else:
        along = axis_of(<PyObject*>axis, ndim)
        if along == NO_AXIS or ndim > 2 and not is_c_contiguous(array):
            return None  # the order of the other axes is kept
    fill_shape(array, shape)
    fill_strides(array, strides)
    wanted = new_array(INT64, 1, &count)
    at = <int64_t*>data_of(wanted)
    for i in range(count):
        at[i] = places[i]
        if not (at[i - 1] if i else -1) < at[i] < shape[along]:
            raise ValueError(f"places have to ascend below {shape[along]}, not {places}")
    kept[0] = count
    for place in range(ndim):
        if place != along:
            kept[place + (place < along)] = shape[place]
    result = new_array(dtype, ndim, kept)
    fill_strides(result, kept)
    into[along] = kept[0]
    for place in range(ndim):
        if place != along:
            into[place] = kept[place + (place < along)]
    lanes.set(along, ndim, shape, strides, into)
    fill_shape(result, kept)
    missing = new_array(BOOL, ndim - 1, kept + 1)
    functions, data, elements = functions_of(numpy_dtype(dtype)), data_of(array), data_of(result)
    have_nan = <cbool*>data_of(missing)
    if lanes.length * lanes.count < RELEASE_FROM:
        done = select_lanes(dtype, functions, lanes, data, at, count, elements, have_nan, ITEMSIZES[dtype])
    else:
        with nogil:
            done = select_lanes(dtype, functions, lanes, data, at, count, elements, have_nan, ITEMSIZES[dtype])
    if not done:
        raise MemoryError
    return result, missing


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
    # NumPy's partition is as quick, once it has begun; about one place among integers it is quicker, by its vectors.
    if lanes.count > SEVERAL and (lanes.length > SHORT or (lanes.length > SORTED and lanes.length % 2 and (
            BOOL < dtype <= UINT64 and ITEMSIZES[dtype] > 1))):
        return NotImplemented
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
