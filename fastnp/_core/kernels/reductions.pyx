"""Sums, products, extrema, truth, positions of extrema: the bodies of the reductions chapter (moments: moments.pyx)."""
cimport numpy as cnp
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.converters cimport as_array
from fastnp._core.assign cimport ORDER_C, ORDER_K, assign, astype, copy_array, is_stretched
from fastnp._core.dispatcher cimport new_quick_body
from fastnp._core.dtype cimport BOOL, INT64, ITEMSIZES, dtype_index, numpy_dtype
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of
from fastnp._core.kernels.shape cimport flatten
from fastnp._core.loops cimport LoopTable, Reduction, is_plain, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    Header,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    plain_view,
    new_array,
    new_scalar,
    thread_is_plain,
    to_torch,
)
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.overrides cimport mode_listens
from fastnp._core.reduction cimport accumulate_plain, reduce_plain, to_axes
from fastnp._core.reduction_torch cimport (
    accumulated_at_once,
    position_at_once,
    positions_of_extrema,
    reduced_at_once,
    reduced_directly,
)
from fastnp._core.ufunc_methods cimport accumulate_array, reduce_array, written
from fastnp._core.ufunc_torch cimport check_out, is_general, new_from_torch, write_out

import operator

import numpy
from numpy.lib.array_utils import normalize_axis_index

cnp.import_array()

cdef extern from *:
    """
    // Position of the extremum of contiguous elements, by the function of NumPy's dtype.
    static npy_intp fastnp_arg_extremum(PyObject* dtype, const char* data, npy_intp count, int smallest) {
      PyArray_ArrFuncs* functions = PyDataType_GetArrFuncs((PyArray_Descr*)dtype);
      npy_intp position = 0;
      (smallest ? functions->argmin : functions->argmax)((void*)data, count, &position, NULL);
      return position;
    }
    """
    int64_t arg_extremum "fastnp_arg_extremum"(object dtype, const char* data, int64_t count, bint smallest)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        int64_t length, count
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)
    ctypedef struct Functions "PyArray_ArrFuncs":
        pass
    Functions* functions_of(object dtype)
    bint arg_extremum_lanes(Functions*, bint smallest, const Lanes&, char* data, int64_t* positions, int itemsize)

cdef extern from "extrema.h" namespace "fastnp" nogil:
    bint find_positions(int dtype, bint smallest, const void* data, int64_t outer, int64_t length, int64_t inner,
                        int64_t* positions) except +

# Lines that do not lie in one piece are copied one by one where the elements are not more than these.
cdef enum:
    FEW = 65536
    RELEASE_FROM = 4096
    SHORT = 16  # lines that are shorter are looked at here

cdef object NOTHING = numpy._NoValue

cdef LoopTable ADD = table_of(numpy.add)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef LoopTable MAXIMUM = table_of(numpy.maximum)
cdef LoopTable MINIMUM = table_of(numpy.minimum)
cdef LoopTable LOGICAL_AND = table_of(numpy.logical_and)
cdef LoopTable LOGICAL_OR = table_of(numpy.logical_or)


cdef bint is_default(PyObject* slot) noexcept:
    return slot == <PyObject*>None or slot == <PyObject*>NOTHING


cdef inline bint is_quick(PyObject* slot) noexcept:
    """Whether an argument is an array that NumPy's loops read in place."""
    return type(<object>slot) is ndarray and is_plain(<ndarray><object>slot) and dtype_of(<ndarray><object>slot) < 14 and (
        thread_is_plain())


cdef object given(PyObject* slot, object default):
    return default if slot == <PyObject*>NOTHING else <object>slot


cdef ndarray as_line(ndarray array):
    cdef int64_t one = 1
    return plain_view(array, 1, &one, &one, 0, 0)


cdef ndarray as_truths(ndarray array, uint64_t axes):
    """Return the truths of numbers that are asked for them along some axes: their loop has vectors."""
    cdef uint64_t all_axes = (<uint64_t>1 << array.header.dim()) - 1
    if dtype_of(array) != BOOL and axes != all_axes and RELEASE_FROM // 8 <= array.header.numel() <= FEW and (
            not is_stretched(array)):
        return astype(array, BOOL, ORDER_K, False)
    return array


cdef object reduce_slots(LoopTable table, PyObject** slots, int dtype, int out, int keepdims, int initial, int where):
    """Reduce by bound slots: the array and the axis first, the others at these positions (-1: no such parameter)."""
    cdef uint64_t axes = 0
    cdef object result
    cdef ndarray array, target = None
    cdef bint returns = is_default(slots[out])
    if not returns and is_quick(slots[out]):
        target = <ndarray><object>slots[out]
    if isinstance(<object>slots[0], ndarray) and (returns or target is not None) and is_default(
            slots[where]) and (initial < 0 or slots[initial] == <PyObject*>NOTHING):
        array = <ndarray><object>slots[0]
        if is_quick(slots[0]):
            if (dtype < 0 or is_default(slots[dtype])) and (
                    slots[keepdims] == <PyObject*>NOTHING or <object>slots[keepdims] is False) and (
                    array.header.dim() > 0) and to_axes(<object>slots[1], <int>array.header.dim(), &axes) and (
                    target is None or dtype_of(target) == table.find_reduction(dtype_of(array), -1).types[0]):
                # (An `out` of another dtype takes part in the choice of the loop.)
                if array.header.dim() > 1 and (table is LOGICAL_AND or table is LOGICAL_OR):
                    array = as_truths(array, axes)
                result = reduce_plain(table, array, axes, False, -1, target, None, NOTHING)
                if result is not None:
                    return result
        elif returns and is_general(array, None):
            result = reduced_at_once(
                table, array, <object>slots[1], None if dtype < 0 else <object>slots[dtype], given(slots[keepdims], False))
            if result is not None:
                return new_from_torch(result, False, None)
    if type(<object>slots[out]) is tuple:  # NumPy: the ufunc's method takes one, the function does not
        raise TypeError("return arrays must be of ArrayType")
    return reduce_array(
        table, as_array(<object>slots[0]), <object>slots[1], None if dtype < 0 else <object>slots[dtype], <object>slots[out],
        given(slots[keepdims], False), NOTHING if initial < 0 else <object>slots[initial], given(slots[where], True), False,
        None)


# --- a, and an axis, by position --------------------------------------------------------------------------------------

cdef object quick_reduction(LoopTable table, PyObject* const* args, Py_ssize_t count):
    """Reduce an array of the class itself, plain or not; what takes more than one loop, or one call of torch, is declined."""
    cdef uint64_t axes = 0
    cdef ndarray array
    cdef object axis, result
    if count > 2 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>args[0]
    axis = None if count == 1 else <object>args[1]
    if is_quick(args[0]):
        if array.header.dim() == 0 and axis is None:
            array = as_line(array)
        if array.header.dim() == 0 or not to_axes(axis, array.header.dim(), &axes):
            return NotImplemented
        if array.header.dim() > 1 and (table is LOGICAL_AND or table is LOGICAL_OR):
            array = as_truths(array, axes)
        result = reduce_plain(table, array, axes, False, -1, None, None, NOTHING)
        return NotImplemented if result is None else result
    # (What is plain and not quick is of a dtype that no loop of NumPy's reads.)
    result = reduced_directly(table, array, args[1] if count == 2 else NULL)
    if result is not None:
        return result
    if not is_general(array, None) or (function_mode_enabled() and mode_listens()):
        return NotImplemented
    result = reduced_at_once(table, array, axis, None, False)
    return NotImplemented if result is None else new_from_torch(result, False, None)


cdef object quick_sum(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(ADD, args, count)


cdef object quick_prod(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(MULTIPLY, args, count)


cdef object quick_max(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(MAXIMUM, args, count)


cdef object quick_min(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(MINIMUM, args, count)


cdef object quick_all(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(LOGICAL_AND, args, count)


cdef object quick_any(PyObject* const* args, Py_ssize_t count):
    return quick_reduction(LOGICAL_OR, args, count)


cdef ndarray in_place_of(ndarray result, PyObject* out):
    cdef ndarray into
    cdef int axis
    if is_default(out):
        return result
    if not is_quick(out):
        return None
    into = <ndarray><object>out
    if not into.writeable_ or dtype_of(into) != dtype_of(result) or into.header.dim() != result.header.dim():
        return None
    for axis in range(<int>into.header.dim()):
        if into.header.sizes()[axis] != result.header.sizes()[axis]:
            return None
    assign(into, result)
    return into


cdef ndarray general_array(PyObject* const* args, Py_ssize_t count):
    if count > 2 or type(<object>args[0]) is not ndarray or not is_general(<object>args[0], None) or (
            function_mode_enabled() and mode_listens()):
        return None
    return <ndarray><object>args[0]


cdef object quick_accumulation(LoopTable table, PyObject* const* args, Py_ssize_t count):
    cdef ndarray array = general_array(args, count)
    if array is None:
        return NotImplemented
    axis = <object>args[1] if count == 2 else 0 if array.header.dim() == 1 else None
    result = accumulated_at_once(table, array, axis, None)
    return NotImplemented if result is None else new_from_torch(result, False, None)


cdef object quick_cumsum(PyObject* const* args, Py_ssize_t count):
    return quick_accumulation(ADD, args, count)


cdef object quick_cumprod(PyObject* const* args, Py_ssize_t count):
    return quick_accumulation(MULTIPLY, args, count)


cdef object quick_position(bint smallest, PyObject* const* args, Py_ssize_t count):
    cdef ndarray array = general_array(args, count)
    result = None
    if array is not None:
        result = position_at_once(array, None if count == 1 else <object>args[1], False, smallest)
    return NotImplemented if result is None else new_from_torch(result, False, None)


cdef object quick_argmax(PyObject* const* args, Py_ssize_t count):
    return quick_position(False, args, count)


cdef object quick_argmin(PyObject* const* args, Py_ssize_t count):
    return quick_position(True, args, count)


# --- bound slots ------------------------------------------------------------------------------------------------------

# a, axis, dtype, out, keepdims, initial, where
cdef object call_sum(PyObject** slots):
    return reduce_slots(ADD, slots, 2, 3, 4, 5, 6)


cdef object call_prod(PyObject** slots):
    return reduce_slots(MULTIPLY, slots, 2, 3, 4, 5, 6)


# a, axis, out, keepdims, initial, where
cdef object call_max(PyObject** slots):
    return reduce_slots(MAXIMUM, slots, -1, 2, 3, 4, 5)


cdef object call_min(PyObject** slots):
    return reduce_slots(MINIMUM, slots, -1, 2, 3, 4, 5)


# a, axis, out, keepdims, where
cdef object call_all(PyObject** slots):
    return reduce_slots(LOGICAL_AND, slots, -1, 2, 3, -1, 4)


cdef object call_any(PyObject** slots):
    return reduce_slots(LOGICAL_OR, slots, -1, 2, 3, -1, 4)


# --- cumsum, cumprod: a, axis, dtype, out -----------------------------------------------------------------------------

cdef ndarray accumulated_into(LoopTable table, ndarray array, int axis, int dtype, ndarray out):
    """Write what accumulates into an array of its dtype; None for one of another, where NumPy has rules of its own."""
    cdef Reduction* entry = table.find_reduction(dtype_of(array), dtype)
    return accumulate_plain(table, array, axis, dtype, out) if entry.state == 1 and entry.types[0] == dtype_of(out) else None


cdef object accumulate_slots(LoopTable table, object numpy_function, PyObject** slots):
    cdef ndarray array, source = as_array(<object>slots[0]), result = None
    cdef int dtype
    cdef int64_t size, step = 1
    axis = along = <object>slots[1]
    if is_quick(<PyObject*>source):
        array = source
        dtype = -1 if is_default(slots[2]) else dtype_index(<object>slots[2])
        if axis is None and array.header.dim() == 0:
            array = as_line(array)
        if axis is None and array.header.dim() > 1:
            if is_c_contiguous(array):
                size = array.header.numel()
                array = plain_view(array, 1, &size, &step, 0, 0)
            else:
                array = flatten(array, ORDER_C)
        if axis is None and array.header.dim() == 1:
            along = 0
        if type(along) is int and array.header.dim() > 0 and dtype < 14:
            if is_default(slots[3]):
                result = accumulate_plain(table, array, along, dtype, None)
            elif is_quick(slots[3]):
                result = accumulated_into(table, array, along, dtype, <ndarray><object>slots[3])
            if result is not None:
                return result
    array = source
    if is_plain(array) and thread_is_plain() and dtype_of(array) < 14:
        written(<object>slots[3])
        return call_numpy(numpy_function, (array,), {"axis": axis, "dtype": <object>slots[2], "out": <object>slots[3]})
    if axis is None and array.header.dim() == 1:
        axis = 0
    if axis is None or array.header.dim() == 0:
        # NumPy: a 0-d operand is an array of one element here.
        axis = 0 if axis is None else normalize_axis_index(operator.index(axis), 1)
        array = as_header(to_torch(array).reshape(-1))
    axis = operator.index(axis)
    return accumulate_array(table, array, axis, <object>slots[2], <object>slots[3], False, None)


cdef object call_cumsum(PyObject** slots):
    return accumulate_slots(ADD, numpy.cumsum, slots)


cdef object call_cumprod(PyObject** slots):
    return accumulate_slots(MULTIPLY, numpy.cumprod, slots)


# --- argmax, argmin: a, axis, out, keepdims ---------------------------------------------------------------------------

cdef ndarray positions_along(ndarray array, int axis, bint keepdims, bint smallest):
    """Return the positions of the extrema along an axis that has elements; None where NumPy's way is as good."""
    cdef Lanes lanes
    cdef int64_t[MAXDIMS] shape, strides, kept
    cdef int dtype = dtype_of(array), itemsize = ITEMSIZES[dtype], place, count = 0, ndim = fill_shape(array, shape)
    cdef Functions* functions = functions_of(numpy_dtype(dtype))
    cdef char* data
    cdef int64_t* positions
    cdef int64_t outer = 1, inner = 1
    cdef bint done, packed
    cdef ndarray result
    fill_strides(array, strides)
    if strides[axis] != itemsize and RELEASE_FROM <= array.header.numel() <= FEW and not is_c_contiguous(array):
        array = copy_array(array, ORDER_C)
        fill_strides(array, strides)
    data, packed = data_of(array), is_c_contiguous(array) and array.header.numel() >= RELEASE_FROM
    if shape[axis] == 0 or (strides[axis] != itemsize and array.header.numel() > FEW and not packed):
        return None
    lanes.set(axis, ndim, shape, strides, strides)
    for place in range(ndim):
        outer *= shape[place] if place < axis else 1
        inner *= shape[place] if place > axis else 1
        if place != axis or keepdims:
            kept[count] = 1 if place == axis else shape[place]
            count += 1
    result = new_scalar(INT64) if count == 0 else new_array(INT64, count, kept)
    positions = <int64_t*>data_of(result)
    if lanes.length * lanes.count < 4 * RELEASE_FROM and (not packed or shape[axis] >= SHORT and inner == 1):
        return result if arg_extremum_lanes(functions, smallest, lanes, data, positions, itemsize) else None
    with nogil:
        done = packed and find_positions(dtype, smallest, data, outer, lanes.length, inner, positions)
        if not done and (strides[axis] == itemsize or lanes.length * lanes.count <= FEW):
            done = arg_extremum_lanes(functions, smallest, lanes, data, positions, itemsize)
    return result if done else None


cdef object position_slots(bint smallest, PyObject** slots):
    cdef ndarray array = as_array(<object>slots[0]), result
    cdef Header* impl
    cdef int64_t[MAXDIMS] shape
    cdef int place
    cdef bint quick = is_quick(<PyObject*>array)
    cdef object axis = <object>slots[1]
    keepdims = given(slots[3], False)
    if quick and is_default(slots[2]) and keepdims is False:
        impl = &array.header
        if not array.flipped and impl.is_contiguous() and impl.numel() > 0 and (
                axis is None or (impl.dim() == 1 and type(axis) is int and -1 <= axis <= 0)):
            result = new_scalar(7)
            (<int64_t*>data_of(result))[0] = arg_extremum(
                numpy_dtype(dtype_of(array)), data_of(array), impl.numel(), smallest)
            return result
    if quick and type(keepdims) is bool:
        place = axis_of(slots[1], array.header.dim())
        result = None
        if place != NO_AXIS:
            result = positions_along(array, place, keepdims, smallest)
        elif axis is None and keepdims is False and array.header.dim() > 0:
            if array.header.dim() > 1 or array.header.numel() > FEW:
                array = flatten(array, ORDER_C)
            result = positions_along(array, 0, False, smallest)
        elif axis is None and array.header.dim() > 0:
            # All axes stay, of one element each.
            result = positions_along(flatten(array, ORDER_C), 0, True, smallest)
            if result is not None:
                for place in range(array.header.dim()):
                    shape[place] = 1
                result = plain_view(result, array.header.dim(), shape, shape, 0, 0) if array.header.dim() > 1 else result
        if result is not None:
            result = in_place_of(result, slots[2])
        if result is not None:
            return result
    out = None if is_default(slots[2]) else <object>slots[2]
    if thread_is_plain() and is_plain(array) and dtype_of(array) < 14:
        written(out)
        return call_numpy(numpy.argmin if smallest else numpy.argmax, (array,), {"axis": axis, "out": out, "keepdims": keepdims})
    if out is None and type(keepdims) is bool:
        at_once = position_at_once(array, axis, keepdims, smallest)
        if at_once is not None:
            return new_from_torch(at_once, False, None)
    tensor = to_torch(array)
    if out is not None and not numpy.can_cast(as_header(out).dtype, numpy.intp):
        raise TypeError(f"Cannot cast array data from {as_header(out).dtype!r} to {numpy.dtype(numpy.intp)!r} according to "
                        "the rule 'safe'")
    if axis is not None:
        axis = normalize_axis_index(operator.index(axis), tensor.dim() or 1)
    if tensor.numel() == 0 and (axis is None or tensor.shape[axis] == 0):
        raise ValueError(f"attempt to get {'argmin' if smallest else 'argmax'} of an empty sequence")
    if axis is None or tensor.dim() == 0:
        found = positions_of_extrema(tensor.reshape(-1), 0, smallest, False)
    else:
        found = positions_of_extrema(tensor, axis, smallest, False)
        found = found.unsqueeze(axis) if keepdims else found
    if keepdims and axis is None:
        found = found.reshape((1,) * tensor.dim())
    if out is not None:
        check_out(MINIMUM if smallest else MAXIMUM, as_header(out), found, "same_kind")
        return write_out(out, found)
    return new_from_torch(found, False, None)


cdef object call_argmax(PyObject** slots):
    return position_slots(False, slots)


cdef object call_argmin(PyObject** slots):
    return position_slots(True, slots)


all_body = new_quick_body(quick_all, call_all)
any_body = new_quick_body(quick_any, call_any)
argmax_body = new_quick_body(quick_argmax, call_argmax)
argmin_body = new_quick_body(quick_argmin, call_argmin)
cumprod_body = new_quick_body(quick_cumprod, call_cumprod)
cumsum_body = new_quick_body(quick_cumsum, call_cumsum)
max_body = new_quick_body(quick_max, call_max)
min_body = new_quick_body(quick_min, call_min)
prod_body = new_quick_body(quick_prod, call_prod)
sum_body = new_quick_body(quick_sum, call_sum)
