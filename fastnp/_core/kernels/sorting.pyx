"""Plain arrays sorted by NumPy's own functions of their dtype, line by line.

Each body declines, by NotImplemented, what is not common: other spellings, no dimensions, errors.
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy

from fastnp._core.assign cimport ORDER_C, ORDER_K, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport INT64, ITEMSIZES, UINT64, numpy_dtype
from fastnp._core.interchange cimport from_numpy, to_numpy
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of, is_plain_array
from fastnp._core.kernels.shape cimport flatten
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, fill_strides, is_c_contiguous, ndarray, new_array
from fastnp._core.single_calls cimport sort_single

cnp.import_array()

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        int64_t length, count
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)
    ctypedef struct Functions "PyArray_ArrFuncs":
        pass
    Functions* functions_of(object dtype)

cdef extern from "sorting.h" namespace "fastnp" nogil:
    bint can_sort(object dtype, int kind, bint positions)
    bint sort_lanes(int dtype, Functions*, int kind, const Lanes&, char* data, int itemsize)
    bint argsort_lanes(
        int dtype, Functions*, Functions* wide, int kind, const Lanes&, char* data, char* positions, int itemsize
    )
    bint sort_places_by(int dtype, Functions*, Functions* wide, char* data, int64_t* places, int64_t count)

cdef extern from "<numpy/arrayobject.h>":
    ctypedef enum SelectKind "NPY_SELECTKIND":
        INTROSELECT "NPY_INTROSELECT"
    int PyArray_Partition(cnp.ndarray, cnp.ndarray, int axis, SelectKind) except -1
    object PyArray_ArgPartition(cnp.ndarray, cnp.ndarray, int axis, SelectKind)

# Sorting fewer elements keeps the GIL.
cdef enum:
    RELEASE_FROM = 4096
    KEPT_FROM = 16384  # positions of NumPy's that are copied take longer than its memory costs to keep
    STABLE = 2
    MANY_KEYS = 64  # of an array that is taken for a sequence of them

# The kinds of sorting as NumPy numbers them; a heap's, which orders equal elements in a way of its own, is left to NumPy.
cdef dict KINDS = {None: 0, "quicksort": 0, "mergesort": 2, "stable": 2}


cdef int sort_kind(PyObject** slots) except -2:
    """Return the number of the kind that (kind, order, stable) ask for; -1 for other spellings."""
    kind, stable = <object>slots[0], <object>slots[2]
    if slots[1] != <PyObject*>None or (kind is not None and (type(kind) is not str or stable is not None)):
        return -1
    if stable is None:
        return KINDS.get(kind, -1)
    return 2 if stable is True else 0 if stable is False else -1


cdef int sort_along(ndarray array, int axis, int kind) except -1:
    """Sort an array in place; MemoryError where there is no room for a line of it."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int itemsize = ITEMSIZES[dtype_of(array)], ndim = fill_shape(array, shape)
    cdef int dtype = dtype_of(array)
    cdef Functions* functions = functions_of(numpy_dtype(dtype_of(array)))
    cdef char* data = data_of(array)
    cdef bint done
    fill_strides(array, strides)
    lanes.set(axis, ndim, shape, strides, strides)
    if lanes.length * lanes.count >= RELEASE_FROM:
        with nogil:
            done = sort_lanes(dtype, functions, kind, lanes, data, itemsize)
    else:
        done = sort_lanes(dtype, functions, kind, lanes, data, itemsize)
    if not done:
        raise MemoryError
    return 0


cdef object sort(PyObject** slots):
    """sort(a, axis, kind, order, stable)."""
    cdef ndarray array
    cdef int axis = 0, kind = sort_kind(slots + 2)
    if kind < 0:
        return NotImplemented
    if not is_plain_array(slots[0]):
        return sort_general(slots)
    array = <ndarray><object>slots[0]
    if array.header.dim() == 0 or not can_sort(numpy_dtype(dtype_of(array)), kind, False):
        return NotImplemented
    if slots[1] == <PyObject*>None:
        array = flatten(array, ORDER_C)
    else:
        axis = axis_of(slots[1], array.header.dim())
        if axis == NO_AXIS:
            return NotImplemented
        array = copy_array(array, ORDER_K)
    sort_along(array, axis, kind)
    return array


cdef object sort_general(PyObject** slots):
    """Sort what is not plain by one call of torch."""
    cdef int axis
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    axis = -1 if slots[1] == <PyObject*>None else axis_of(slots[1], (<ndarray><object>slots[0]).header.dim())
    result = None if axis == NO_AXIS else sort_single(<ndarray><object>slots[0], axis)
    return NotImplemented if result is None else result


cdef object sort_method(PyObject** slots):
    """sort(self, axis, kind, order, stable), in place."""
    cdef ndarray array
    cdef int axis, kind = sort_kind(slots + 2)
    if kind < 0 or not is_plain_array(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    axis = axis_of(slots[1], array.header.dim())
    if axis == NO_AXIS or not array.writeable_ or not can_sort(numpy_dtype(dtype_of(array)), kind, False):
        return NotImplemented
    sort_along(array, axis, kind)
    array.header.bump_version()
    return None


cdef object argsort(PyObject** slots):
    """argsort(a, axis, kind, order, stable), as a function and as a method."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int64_t positions_strides[MAXDIMS]
    cdef ndarray array, positions
    cdef int dtype, itemsize, ndim, axis = 0, kind = sort_kind(slots + 2)
    cdef Functions* functions
    cdef Functions* wide = functions_of(numpy_dtype(UINT64))
    cdef char* data
    cdef char* into
    cdef bint done
    if kind < 0 or not is_plain_array(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    if array.header.dim() == 0 or not can_sort(numpy_dtype(dtype_of(array)), kind, True):
        return NotImplemented
    if slots[1] == <PyObject*>None:
        if array.header.dim() > 1:
            array = flatten(array, ORDER_C)
    else:
        axis = axis_of(slots[1], array.header.dim())
        if axis == NO_AXIS:
            return NotImplemented
    ndim = fill_shape(array, shape)
    fill_strides(array, strides)
    positions = new_array(INT64, ndim, shape)
    fill_strides(positions, positions_strides)
    lanes.set(axis, ndim, shape, strides, positions_strides)
    dtype = dtype_of(array)
    functions, itemsize = functions_of(numpy_dtype(dtype)), ITEMSIZES[dtype]
    data, into = data_of(array), data_of(positions)
    if lanes.length * lanes.count >= RELEASE_FROM:
        with nogil:
            done = argsort_lanes(dtype, functions, wide, kind, lanes, data, into, itemsize)
    else:
        done = argsort_lanes(dtype, functions, wide, kind, lanes, data, into, itemsize)
    if not done:
        raise MemoryError
    return positions


cdef object lexsort(PyObject** slots):
    """lexsort(keys, axis) along the last axis."""
    cdef ndarray key, order
    cdef int64_t size, place, line, lines
    cdef int64_t* positions
    cdef int ndim
    keys = <object>slots[0]
    if type(keys) is ndarray and 1 < (<ndarray>keys).header.dim() and (<ndarray>keys).header.sizes()[0] <= MANY_KEYS:
        keys = list(keys)
    if type(keys) is not tuple and type(keys) is not list or not len(keys):
        return NotImplemented
    if not is_plain_array(<PyObject*>keys[0]):
        return NotImplemented
    ndim = (<ndarray>keys[0]).header.dim()
    if ndim == 0 or not integer_of(slots[1], &place) or place != -1 and place != ndim - 1:
        return NotImplemented
    for member in keys:
        if not is_plain_array(<PyObject*>member) or (<ndarray>member).header.dim() != ndim:
            return NotImplemented
        if memcmp((<ndarray>member).header.sizes(), (<ndarray>keys[0]).header.sizes(), ndim * sizeof(int64_t)) != 0:
            return NotImplemented
        if not can_sort(numpy_dtype(dtype_of(<ndarray>member)), STABLE, True):
            return NotImplemented
    size = (<ndarray>keys[0]).header.sizes()[ndim - 1]
    order = new_array(INT64, ndim, (<ndarray>keys[0]).header.sizes())
    positions = <int64_t*>data_of(order)
    lines = order.header.numel() // size if size else 0
    for line in range(lines):
        for place in range(size):
            positions[line * size + place] = place
    for key in keys:
        if not sort_by_key(key if is_c_contiguous(key) else copy_array(key, ORDER_C), positions, lines, size):
            raise MemoryError
    return order


cdef bint sort_by_key(ndarray key, int64_t* places, int64_t lines, int64_t count):
    """Sort the places of each line stably by its elements at them; whether there was memory for it."""
    cdef int dtype = dtype_of(key)
    cdef Functions* functions = functions_of(numpy_dtype(dtype))
    cdef Functions* wide = functions_of(numpy_dtype(UINT64))
    cdef char* data = data_of(key)
    cdef int64_t line, bytes = count * ITEMSIZES[dtype]
    cdef bint done = True
    if lines * count < RELEASE_FROM:
        for line in range(lines):
            done = done and sort_places_by(dtype, functions, wide, data + line * bytes, places + line * count, count)
        return done
    with nogil:
        for line in range(lines):
            done = done and sort_places_by(dtype, functions, wide, data + line * bytes, places + line * count, count)
    return done


# --- partitions, by NumPy's functions of arrays -----------------------------------------------------------------------

# The places of a partition: those of a quantile, or the few of a median.
cdef struct Places:
    cnp.npy_intp count
    int64_t at[8]


cdef bint find_places(object kth, Places* places) except -1:
    """Read an integer or a short list of them."""
    places.count = 1
    if integer_of(<PyObject*>kth, places.at):
        return True
    if (type(kth) is not list and type(kth) is not tuple) or not 0 < len(kth) <= 8:
        return False
    places.count = 0
    for place in kth:
        if not integer_of(<PyObject*>place, &places.at[places.count]):
            return False
        places.count += 1
    return True


cdef bint is_common(PyObject** slots, Places* places) except -1:
    """Whether (a, kth, axis, kind, order) is a common call but for the axis; its places are written."""
    return slots[4] == <PyObject*>None and is_plain_array(slots[0]) and find_places(<object>slots[1], places) and (
        type(<object>slots[3]) is str and <str><object>slots[3] == "introselect")


cdef int partition_axis(PyObject** slots, Places* places) except? NO_AXIS:
    """Return the axis of (a, kth, axis, kind, order), and the places; NO_AXIS for what is not common."""
    return axis_of(slots[2], (<ndarray><object>slots[0]).header.dim()) if is_common(slots, places) else NO_AXIS


cdef cnp.ndarray as_vector(Places* places):
    """Return NumPy's array over the places, which have to outlive it."""
    return cnp.PyArray_SimpleNewFromData(1, &places.count, cnp.NPY_INT64, places.at)


cdef object partition(PyObject** slots):
    """partition(a, kth, axis, kind, order)."""
    cdef Places places
    cdef int axis = 0
    cdef ndarray result
    if slots[2] == <PyObject*>None:
        if not is_common(slots, &places):
            return NotImplemented
        result = flatten(<ndarray><object>slots[0], ORDER_C)
    else:
        axis = partition_axis(slots, &places)
        if axis == NO_AXIS:
            return NotImplemented
        result = copy_array(<ndarray><object>slots[0], ORDER_K)
    PyArray_Partition(to_numpy(result), as_vector(&places), axis, INTROSELECT)
    return result


cdef object partition_method(PyObject** slots):
    """partition(self, kth, axis, kind, order), in place."""
    cdef Places places
    cdef int axis = partition_axis(slots, &places)
    if axis == NO_AXIS or not (<ndarray><object>slots[0]).writeable_:
        return NotImplemented
    PyArray_Partition(to_numpy(<ndarray><object>slots[0]), as_vector(&places), axis, INTROSELECT)
    (<ndarray><object>slots[0]).header.bump_version()
    return None


cdef object argpartition(PyObject** slots):
    """argpartition(a, kth, axis, kind, order), as a function and as a method."""
    cdef Places places
    cdef int64_t shape[MAXDIMS]
    cdef int axis = partition_axis(slots, &places)
    cdef cnp.ndarray found
    cdef ndarray result
    if axis == NO_AXIS:
        return NotImplemented
    found = PyArray_ArgPartition(to_numpy(<ndarray><object>slots[0]), as_vector(&places), axis, INTROSELECT)
    if cnp.PyArray_SIZE(found) >= KEPT_FROM:
        result = from_numpy(found)
        result.base_ = None
        return result
    result = new_array(INT64, fill_shape(<ndarray><object>slots[0], shape), shape)
    memcpy(data_of(result), cnp.PyArray_DATA(found), cnp.PyArray_NBYTES(found))
    return result


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {
    "argpartition": new_compiled_body(argpartition),
    "argsort": new_compiled_body(argsort),
    "lexsort": new_compiled_body(lexsort),
    "partition": new_compiled_body(partition),
    "partition_method": new_compiled_body(partition_method),
    "sort": new_compiled_body(sort),
    "sort_method": new_compiled_body(sort_method),
}
