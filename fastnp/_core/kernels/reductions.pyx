"""Sums, products, extrema, truth, positions of extrema, means and variances: the bodies of the reductions chapter."""
cimport numpy as cnp
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.math cimport sqrt, sqrtf
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.assign cimport ORDER_C
from fastnp._core.aten cimport TORCH_MEAN, cast_direct, is_direct, moment_direct, reduce_direct
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body
from fastnp._core.dtype cimport COMPLEX128, FLOAT16, FLOAT64, INT64, ITEMSIZES, dtype_index, numpy_dtype, torch_dtype
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of
from fastnp._core.kernels.shape cimport flatten
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, is_plain, table_of
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
    tensor_of,
    thread_is_plain,
    to_tensor,
    to_torch,
)
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.overrides cimport mode_listens
from fastnp._core.reduction cimport accumulate_plain, reduce_plain, to_axes
from fastnp._core.reduction_torch cimport accumulated_at_once, fill_axes, position_at_once, positions_of_extrema, reduced_at_once
from fastnp._core.torch_tensor cimport wrap
from fastnp._core.ufunc_call cimport compute_ufunc
from fastnp._core.ufunc_methods cimport accumulate_array, array_of, reduce_array, written
from fastnp._core.ufunc_torch cimport cast, check_out, has_kernels, is_general, new_from_torch, new_general, write_out

import operator

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

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

cdef extern from *:
    """
    static bool fastnp_symbolic_sizes(const at::Tensor& tensor) {
      return tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
    }
    """
    bint symbolic_sizes "fastnp_symbolic_sizes"(const Tensor&)

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

cdef extern from "passes.h" namespace "fastnp" nogil:
    bint sum_squared_deviations(int dtype, const void* data, const void* means, void* sums, int64_t rows, int64_t columns,
                                bint over_rows, unsigned* flags)

# Lines that do not lie in one piece are copied one by one where the elements are not more than these.
cdef enum:
    FEW = 65536
    RELEASE_FROM = 4096

cdef object NOTHING = numpy._NoValue
cdef object MEAN = torch.mean
cdef object STD = torch.std
cdef object VAR = torch.var


cdef LoopTable ADD = table_of(numpy.add)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef LoopTable MAXIMUM = table_of(numpy.maximum)
cdef LoopTable MINIMUM = table_of(numpy.minimum)
cdef LoopTable LOGICAL_AND = table_of(numpy.logical_and)
cdef LoopTable LOGICAL_OR = table_of(numpy.logical_or)
cdef LoopTable SUBTRACT = table_of(numpy.subtract)
cdef LoopTable SQUARE = table_of(numpy.square)


cdef inline bint is_default(PyObject* slot) noexcept:
    return slot == <PyObject*>None or slot == <PyObject*>NOTHING


cdef inline bint is_quick(PyObject* slot) noexcept:
    """Whether an argument is an array that NumPy's loops read in place."""
    return type(<object>slot) is ndarray and is_plain(<ndarray><object>slot) and dtype_of(<ndarray><object>slot) < 14 and (
        thread_is_plain())


cdef inline object given(PyObject* slot, object default):
    return default if slot == <PyObject*>NOTHING else <object>slot


cdef object reduce_slots(LoopTable table, PyObject** slots, int dtype, int out, int keepdims, int initial, int where):
    """Reduce by bound slots: the array and the axis first, the others at these positions (-1: no such parameter)."""
    cdef uint64_t axes = 0
    cdef object result
    cdef ndarray array
    if isinstance(<object>slots[0], ndarray) and is_default(slots[out]) and is_default(slots[where]) and (
            initial < 0 or slots[initial] == <PyObject*>NOTHING):
        array = <ndarray><object>slots[0]
        if is_quick(slots[0]):
            if (dtype < 0 or is_default(slots[dtype])) and (
                    slots[keepdims] == <PyObject*>NOTHING or <object>slots[keepdims] is False) and (
                    array.header.dim() > 0) and to_axes(<object>slots[1], <int>array.header.dim(), &axes):
                result = reduce_plain(table, array, axes, False, -1, None, None, NOTHING)
                if result is not None:
                    return result
        elif is_general(array, None):
            result = reduced_at_once(
                table, array, <object>slots[1], None if dtype < 0 else <object>slots[dtype], given(slots[keepdims], False))
            if result is not None:
                return new_from_torch(result, False, None)
    if type(<object>slots[out]) is tuple:  # NumPy: the ufunc's method takes one, the function does not
        raise TypeError("return arrays must be of ArrayType")
    return reduce_array(
        table, array_of(<object>slots[0]), <object>slots[1], None if dtype < 0 else <object>slots[dtype], <object>slots[out],
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
        if array.header.dim() == 0 or not to_axes(axis, array.header.dim(), &axes):
            return NotImplemented
        result = reduce_plain(table, array, axes, False, -1, None, None, NOTHING)
        return NotImplemented if result is None else result
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


cdef inline ndarray general_array(PyObject* const* args, Py_ssize_t count):
    """Return the first of at most two arguments where torch has to compute on it and nobody overrides the call; or None."""
    if count > 2 or type(<object>args[0]) is not ndarray or not is_general(<object>args[0], None) or (
            function_mode_enabled() and mode_listens()):
        return None
    return <ndarray><object>args[0]


cdef object quick_mean(PyObject* const* args, Py_ssize_t count):
    cdef ndarray array = general_array(args, count)
    result = None if array is None else moment_at_once(array, None if count == 1 else <object>args[1], False, 0, None)
    return NotImplemented if result is None else new_from_torch(result, False, None)


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

cdef object accumulate_slots(LoopTable table, object numpy_function, PyObject** slots):
    cdef ndarray array, result
    cdef int64_t size, step = 1
    axis = <object>slots[1]
    if is_quick(slots[0]) and is_default(slots[2]) and is_default(slots[3]):
        array = <ndarray><object>slots[0]
        if axis is None and array.header.dim() > 1 and is_c_contiguous(array):
            size = array.header.numel()
            array = plain_view(array, 1, &size, &step, 0, 0)
        if axis is None and array.header.dim() == 1:
            axis = 0
        if type(axis) is int and array.header.dim() > 0:
            result = accumulate_plain(table, array, axis, -1, None)
            if result is not None:
                return result
    array = array_of(<object>slots[0])
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
    cdef char* data = data_of(array)
    cdef int64_t* positions
    cdef int64_t outer = 1, inner = 1
    cdef bint done, packed = is_c_contiguous(array) and array.header.numel() >= RELEASE_FROM
    cdef ndarray result
    fill_strides(array, strides)
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
    if lanes.length * lanes.count < RELEASE_FROM and not packed:
        return result if arg_extremum_lanes(functions, smallest, lanes, data, positions, itemsize) else None
    with nogil:
        done = packed and find_positions(dtype, smallest, data, outer, lanes.length, inner, positions)
        if not done and (strides[axis] == itemsize or lanes.length * lanes.count <= FEW):
            done = arg_extremum_lanes(functions, smallest, lanes, data, positions, itemsize)
    return result if done else None


cdef object position_slots(bint smallest, PyObject** slots):
    cdef ndarray array, result
    cdef Header* impl
    cdef int place
    cdef object axis = <object>slots[1]
    keepdims = given(slots[3], False)
    if is_quick(slots[0]) and is_default(slots[2]) and keepdims is False:
        array = <ndarray><object>slots[0]
        impl = &array.header
        if not array.flipped and impl.is_contiguous() and impl.numel() > 0 and (
                axis is None or (impl.dim() == 1 and type(axis) is int and -1 <= axis <= 0)):
            result = new_scalar(7)
            (<int64_t*>data_of(result))[0] = arg_extremum(
                numpy_dtype(dtype_of(array)), data_of(array), impl.numel(), smallest)
            return result
    if is_quick(slots[0]) and is_default(slots[2]) and type(keepdims) is bool:
        array = <ndarray><object>slots[0]
        place = axis_of(slots[1], array.header.dim())
        result = None
        if place != NO_AXIS:
            result = positions_along(array, place, keepdims, smallest)
        elif axis is None and keepdims is False and array.header.dim() > 0:
            result = positions_along(flatten(array, ORDER_C), 0, False, smallest)
        if result is not None:
            return result
    array = array_of(<object>slots[0])
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


# --- mean, var, std ---------------------------------------------------------------------------------------------------

cdef int64_t reduced_count(ndarray array, uint64_t axes) noexcept:
    cdef int axis
    cdef int64_t count = 1
    for axis in range(<int>array.header.dim()):
        if axes >> axis & 1:
            count *= array.header.sizes()[axis]
    return count


cdef void divide_all(ndarray array, double divisor, bint root) noexcept:
    """Divide every element in place, and take the root; float32 in double, as NumPy does with an integer count."""
    cdef int64_t i, count = array.header.numel()
    cdef double* doubles = <double*>data_of(array)
    cdef float* floats = <float*>doubles
    if dtype_of(array) == 11:
        for i in range(count):
            doubles[i] = doubles[i] / divisor
            if root:
                doubles[i] = sqrt(doubles[i])
    else:
        for i in range(count):
            floats[i] = <float>(floats[i] / divisor)
            if root:
                floats[i] = sqrtf(floats[i])


cdef int mean_dtype(ndarray array) noexcept:
    """The dtype a mean is computed in, where that is float32 or float64; else -1."""
    cdef int dtype = dtype_of(array)
    return 11 if dtype < 9 else dtype if dtype in (10, 11) else -1


cdef ndarray mean_plain(ndarray array, uint64_t axes, bint keepdims):
    """Return the mean; None where NumPy's general rules are needed."""
    cdef int dtype = mean_dtype(array)
    cdef int64_t count = reduced_count(array, axes)
    cdef ndarray result  # of complex numbers a quotient as NumPy's is
    if count == 0 or dtype < 0 and dtype_of(array) != COMPLEX128:
        return None
    result = reduce_plain(ADD, array, axes, keepdims, COMPLEX128 if dtype < 0 else dtype, None, None, NOTHING)
    if result is not None and dtype < 0:
        result = <ndarray>(result / <double>count)
    elif result is not None:
        divide_all(result, <double>count, False)
    return result


cdef ndarray variance_in_one_pass(ndarray array, ndarray mean, uint64_t axes, bint keepdims, int dtype):
    """Return the sums of squared deviations over the last axes, or over the first ones; None where it has to be in steps."""
    cdef int ndim = <int>array.header.dim(), axis, reduced = 0, kept_ndim = 0, source = dtype_of(array)
    cdef int64_t rows = 1, columns = 1
    cdef int64_t kept[MAXDIMS]
    cdef bint over_rows, done
    cdef unsigned flags = 0
    cdef ndarray result
    cdef const void* data
    cdef const void* means
    cdef void* sums
    if not is_c_contiguous(array) or not is_c_contiguous(mean) or array.header.numel() == 0:
        return None
    over_rows = not axes >> (ndim - 1) & 1
    for axis in range(ndim):
        if axes >> axis & 1:
            reduced += 1
        if not axes >> axis & 1 or keepdims:
            kept[kept_ndim] = 1 if axes >> axis & 1 else array.header.sizes()[axis]
            kept_ndim += 1
    # The axes that go must lie together at one end.
    for axis in range(ndim):
        if (axes >> axis & 1) != (axis < reduced if over_rows else axis >= ndim - reduced):
            return None
        if axis < (reduced if over_rows else ndim - reduced):
            rows *= array.header.sizes()[axis]
        else:
            columns *= array.header.sizes()[axis]
    # NumPy adds up one after the other where one column stays, but in pairs where nothing else does.
    if over_rows and columns == 1 or not over_rows and columns == 1:
        return None
    result = new_scalar(dtype) if kept_ndim == 0 else new_array(dtype, kept_ndim, kept)
    data, means, sums = data_of(array), data_of(mean), data_of(result)
    if array.header.numel() >= 20000:
        with nogil:
            done = sum_squared_deviations(source, data, means, sums, rows, columns, over_rows, &flags)
    else:
        done = sum_squared_deviations(source, data, means, sums, rows, columns, over_rows, &flags)
    return result if done and not flags else None


cdef ndarray variance_plain(ndarray array, uint64_t axes, bint keepdims, double ddof, bint root):
    cdef int dtype = mean_dtype(array)
    cdef double divisor = reduced_count(array, axes) - ddof
    cdef ndarray mean, deviations, result
    mean = None if dtype < 0 or dtype_of(array) == 0 or not divisor > 0 else mean_plain(array, axes, True)
    if mean is None:
        return None
    result = variance_in_one_pass(array, mean, axes, keepdims, dtype)
    if result is not None:
        divide_all(result, divisor, root)
        return result
    deviations = compute_ufunc(SUBTRACT, (array, mean), None, True, None)
    compute_ufunc(SQUARE, (deviations,), (deviations,), True, None)
    result = reduce_plain(ADD, deviations, axes, keepdims, dtype, None, None, NOTHING)
    if result is not None:
        divide_all(result, divisor, root)
    return result


# a, axis, dtype, out, keepdims, where
cdef object call_mean(PyObject** slots):
    cdef uint64_t axes = 0
    cdef ndarray array = array_of(<object>slots[0]), result
    keepdims = given(slots[4], False)
    where = given(slots[5], True)
    if thread_is_plain() and is_plain(array) and dtype_of(array) < 14:
        if is_default(slots[2]) and is_default(slots[3]) and where is True and type(keepdims) is bool and (
                array.header.dim() > 0 and to_axes(<object>slots[1], <int>array.header.dim(), &axes)):
            result = mean_plain(array, axes, keepdims)
            if result is not None:
                return result
        written(<object>slots[3])
        return call_numpy(numpy.mean, (array,), {"axis": <object>slots[1], "dtype": <object>slots[2], "out": <object>slots[3],
                                                 "keepdims": keepdims, "where": where})
    return moment_by_torch(array, <object>slots[1], <object>slots[2], <object>slots[3], keepdims, where, 0, None)


# a, axis, dtype, out, ddof, keepdims, where, mean, correction
cdef object moment_slots(PyObject** slots, object numpy_function, bint root, bint takes_correction):
    cdef uint64_t axes = 0
    cdef ndarray array = array_of(<object>slots[0]), result
    ddof = <object>slots[4]
    keepdims = given(slots[5], False)
    where = given(slots[6], True)
    if takes_correction and slots[8] != <PyObject*>NOTHING:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = <object>slots[8]
    if thread_is_plain() and is_plain(array) and dtype_of(array) < 14:
        if is_default(slots[2]) and is_default(slots[3]) and where is True and type(keepdims) is bool and (
                slots[7] == <PyObject*>NOTHING and type(ddof) in (int, float) and array.header.dim() > 0) and to_axes(
                    <object>slots[1], <int>array.header.dim(), &axes):
            result = variance_plain(array, axes, keepdims, ddof, root)
            if result is not None:
                return result
        written(<object>slots[3])
        return call_numpy(numpy_function, (array,), {
            "axis": <object>slots[1], "dtype": <object>slots[2], "out": <object>slots[3], "ddof": ddof, "keepdims": keepdims,
            "where": where, "mean": <object>slots[7]})
    mean = None if slots[7] == <PyObject*>NOTHING else to_torch(array_of(<object>slots[7]))
    if type(ddof) is not int and type(ddof) is not float:
        ddof = to_torch(array_of(ddof)).to(torch.float64)
    return moment_by_torch(array, <object>slots[1], <object>slots[2], <object>slots[3], keepdims, where, 2 if root else 1,
                           (ddof, mean))


cdef object call_var(PyObject** slots):
    return moment_slots(slots, numpy.var, False, True)


cdef object call_std(PyObject** slots):
    return moment_slots(slots, numpy.std, True, True)


# NumPy: the methods do not take `correction`.
cdef object call_var_method(PyObject** slots):
    return moment_slots(slots, numpy.var, False, False)


cdef object call_std_method(PyObject** slots):
    return moment_slots(slots, numpy.std, True, False)


cdef object moment_at_once(ndarray array, object axis, bint keepdims, int moment, object options):
    """Return a moment by one call of torch, integers being cast before; None where there is more to it."""
    cdef int64_t positions[MAXDIMS]
    cdef uint64_t axes = 0
    cdef int count, dtype = dtype_of(array), ndim = array.header.dim()
    cdef Tensor tensor
    if not has_kernels(dtype) or dtype == FLOAT16:
        return None
    # NumPy: no axis is none, not all.
    if axis is not None and not (PyLong_CheckExact(axis) or type(axis) is tuple and len(<tuple>axis) > 0):
        return None
    if not to_axes(axis, ndim, &axes):
        return None
    if keepdims and axis is None:
        axis = tuple(range(ndim))
    axis = None if ndim == 0 else axis
    keepdims = keepdims and ndim > 0
    ddof, given_mean = (0, None) if moment == 0 else options
    if moment > 0 and (given_mean is not None or type(ddof) is not int or has_symbolic_sizes(array)
                       or reduced_count(array, axes) <= ddof):
        return None
    tensor = to_tensor(array)
    if not is_direct(tensor):
        found = wrap(tensor).to(torch.float64) if dtype < FLOAT16 else wrap(tensor)
        if moment > 0:
            return (STD if moment == 2 else VAR)(found, axis, correction=ddof, keepdim=keepdims)
        return MEAN(found) if axis is None else MEAN(found, axis, keepdims)
    if dtype < FLOAT16:
        tensor = cast_direct(tensor, FLOAT64)
    count = fill_axes(axis, positions)
    if moment > 0:
        return new_general(moment_direct(moment == 2, tensor, positions, count, keepdims, ddof), -1)
    return new_general(reduce_direct(TORCH_MEAN, tensor, positions, count, keepdims, -1), -1)


cdef inline bint has_symbolic_sizes(ndarray array) except -1:
    return symbolic_sizes(tensor_of(array)[0])


cdef object moment_by_torch(
    ndarray array, object axis, object dtype, object out, object keepdims, object where, int moment, object options
):
    """Return the mean (moment 0), variance (1) or standard deviation (2) by torch."""
    if out is None and dtype is None and where is True and type(keepdims) is bool:
        at_once = moment_at_once(array, axis, keepdims, moment, options)
        if at_once is not None:
            return new_from_torch(at_once, False, None)
    tensor = to_torch(array)
    if not tensor.dtype.is_floating_point and not tensor.is_complex():
        tensor = tensor.to(torch.float64)
    wanted = torch_dtype(dtype_index(dtype)) if dtype is not None else tensor.dtype
    # NumPy: means of float16 are computed in float32.
    narrow = wanted.is_floating_point and wanted.itemsize < 4
    exact = tensor
    tensor = cast(tensor, torch.float32 if narrow else wanted)
    axes = tuple(range(tensor.dim()) if axis is None else normalize_axis_tuple(axis, tensor.dim()))
    if where is True:
        count = 1
        for one in axes:
            count = count * tensor.shape[one]
    else:
        mask = to_torch(array_of(where)).expand(tensor.shape)
        tensor = torch.where(mask, tensor, 0)
        count = torch.sum(mask, axes, keepdim=True) if axes else mask.to(torch.int64)
        exact = torch.where(mask, exact, 0)
    total = torch.sum(tensor, axes, keepdim=True) if axes else tensor
    # NumPy: the dtype is that of both sums, and what they are rounded to; deviations are those of the elements.
    mean = cast(total / count, torch.float32 if narrow else wanted)
    result = mean
    if moment:
        ddof, given_mean = options
        if given_mean is not None:
            mean = given_mean
        if mean.dtype is torch.bool:
            mean = mean.to(exact.dtype)
        deviations = (exact if dtype is not None else tensor) - mean
        if where is not True:
            deviations = torch.where(mask, deviations, 0)
        squares = (deviations * deviations.conj()).real if deviations.is_complex() else deviations * deviations
        if dtype is not None:
            squares = cast(squares, torch.float32 if narrow else wanted)
        result = torch.sum(squares, axes, keepdim=True) if axes else squares
        divisor = count - ddof
        divisor = torch.clamp(divisor, min=0) if isinstance(divisor, torch.Tensor) else max(divisor, 0)
        result = (result / divisor).to(result.dtype)
        if moment == 2:
            if result.numel() != 1 and not wanted.is_floating_point and not wanted.is_complex:
                raise TypeError(f"Cannot cast ufunc 'sqrt' output to {dtype!r} with casting rule 'same_kind'")
            result = torch.sqrt(result)
    if narrow or dtype is not None:
        result = cast(result, wanted)
    if not keepdims:
        result = result.reshape([size for one, size in enumerate(tensor.shape) if one not in axes])
    if out is not None:
        if not isinstance(out, (ndarray, numpy.ndarray, torch.Tensor)):
            raise TypeError("return arrays must be of ArrayType")
        check_out(ADD, as_header(out), result, "unsafe")
        return write_out(out, result)
    return new_from_torch(result, False, None)


all_body = new_quick_body(quick_all, call_all)
any_body = new_quick_body(quick_any, call_any)
argmax_body = new_quick_body(quick_argmax, call_argmax)
argmin_body = new_quick_body(quick_argmin, call_argmin)
cumprod_body = new_quick_body(quick_cumprod, call_cumprod)
cumsum_body = new_quick_body(quick_cumsum, call_cumsum)
max_body = new_quick_body(quick_max, call_max)
mean_body = new_quick_body(quick_mean, call_mean)
min_body = new_quick_body(quick_min, call_min)
prod_body = new_quick_body(quick_prod, call_prod)
std_method_body = new_compiled_body(call_std_method)
std_body = new_compiled_body(call_std)
sum_body = new_quick_body(quick_sum, call_sum)
var_method_body = new_compiled_body(call_var_method)
var_body = new_compiled_body(call_var)
