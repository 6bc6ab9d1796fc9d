"""Means, variances and standard deviations: the bodies of the statistics among the reductions.

Plain arrays are computed in NumPy's own steps (`numpy/_core/_methods.py`): a sum, a division by the count in double, and
the rounding to the result's dtype; all others by torch.
"""
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.math cimport fabs, sqrt, sqrtf
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.converters cimport as_array
from fastnp._core.assign cimport ORDER_K, astype
from fastnp._core.aten cimport TORCH_MEAN, cast_direct, is_direct, moment_direct, reduce_direct
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT64,
    NUM_NUMPY_DTYPES,
    dtype_index,
    torch_dtype,
)
from fastnp._core.engine cimport RELEASE_FROM, clear_float_flags, raised_float_flags
from fastnp._core.kernels.reductions cimport as_line, general_array, given, in_place_of, is_default
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, is_plain, report_float_flags, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    plain_view_as,
    tensor_of,
    thread_is_plain,
    to_tensor,
    to_torch,
)
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.reduction cimport reduce_plain, to_axes
from fastnp._core.reduction_torch cimport fill_axes
from fastnp._core.torch_tensor cimport wrap
from fastnp._core.ufunc_call cimport compute_ufunc
from fastnp._core.ufunc_methods cimport written
from fastnp._core.ufunc_torch cimport cast, check_out, has_kernels, new_from_torch, new_general, write_out

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_tuple

cdef extern from *:
    """
    static bool fastnp_symbolic_sizes(const at::Tensor& tensor) {
      return tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
    }
    """
    bint symbolic_sizes "fastnp_symbolic_sizes"(const Tensor&)

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Cast)(char*, int64_t, const char*, int64_t, int64_t)
    Cast find_cast(int dst, int src)

cdef extern from "passes.h" namespace "fastnp" nogil:
    bint sum_squared_deviations(int dtype, const void* data, const void* means, void* sums, int64_t rows, int64_t columns,
                                bint over_rows, unsigned* flags)
    unsigned square_lengths[T](void* data, int64_t count)

# The largest number that float16 holds as a finite one.
cdef double LARGEST_HALF = 65504

cdef enum:
    FEW = 8192  # elements that are cast as a whole: NumPy casts and sums as many at a time

cdef object NOTHING = numpy._NoValue
cdef object MEAN = torch.mean
cdef object STD = torch.std
cdef object VAR = torch.var

cdef LoopTable ADD = table_of(numpy.add)
cdef LoopTable SUBTRACT = table_of(numpy.subtract)
cdef LoopTable SQUARE = table_of(numpy.square)


cdef int64_t reduced_count(ndarray array, uint64_t axes) noexcept:
    cdef int axis
    cdef int64_t count = 1
    for axis in range(<int>array.header.dim()):
        if axes >> axis & 1:
            count *= array.header.sizes()[axis]
    return count


cdef inline bint is_complex(int dtype) noexcept:
    return dtype == COMPLEX64 or dtype == COMPLEX128


cdef void divide_all(ndarray array, double divisor, bint root) noexcept:
    """Divide every element of a new array in place, and take the root; of complex numbers no root is taken.

    NumPy: an integer count makes the division one in double precision, and of complex numbers one by their reciprocal.
    """
    cdef int64_t i, count = array.header.numel()
    cdef double* doubles = <double*>data_of(array)
    cdef float* floats = <float*>doubles
    cdef double real, imaginary, scale = 1.0 / divisor
    cdef int dtype = dtype_of(array)
    if dtype == FLOAT64:
        for i in range(count):
            doubles[i] = doubles[i] / divisor
            if root:
                doubles[i] = sqrt(doubles[i])
    elif dtype == FLOAT32:
        for i in range(count):
            floats[i] = <float>(floats[i] / divisor)
            if root:
                floats[i] = sqrtf(floats[i])
    elif dtype == COMPLEX128:
        for i in range(0, 2 * count, 2):
            real, imaginary = doubles[i], doubles[i + 1]
            doubles[i] = (real + imaginary * 0.0) * scale
            doubles[i + 1] = (imaginary - real * 0.0) * scale
    elif dtype == COMPLEX64:
        for i in range(0, 2 * count, 2):
            real, imaginary = floats[i], floats[i + 1]
            floats[i] = <float>((real + imaginary * 0.0) * scale)
            floats[i + 1] = <float>((imaginary - real * 0.0) * scale)
    else:
        divide_halves(data_of(array), count, divisor, root)


cdef void divide_halves(char* data, int64_t count, double divisor, bint root) noexcept:
    """The same for float16."""
    cdef double wide
    cdef float single
    cdef int64_t _item
    for _item in range(count):
        find_cast(FLOAT64, FLOAT16)(<char*>&wide, 0, data, 0, 1)
        wide = wide / divisor
        find_cast(FLOAT16, FLOAT64)(data, 0, <const char*>&wide, 0, 1)
        if root:
            find_cast(FLOAT32, FLOAT16)(<char*>&single, 0, data, 0, 1)
            single = sqrtf(single)
            find_cast(FLOAT16, FLOAT32)(data, 0, <const char*>&single, 0, 1)
        data += 2


cdef int mean_dtype(ndarray array, PyObject* asked) except -2:
    """Return the dtype a mean is summed in; -1 where NumPy has to say it."""
    cdef int wanted, dtype = dtype_of(array)
    if is_default(asked):
        return FLOAT64 if dtype < FLOAT16 else FLOAT32 if dtype == FLOAT16 else dtype
    wanted = dtype_index(<object>asked)
    if wanted != FLOAT32 and wanted != FLOAT64 and not (is_complex(wanted) and wanted < NUM_NUMPY_DTYPES) or (
            is_complex(dtype) and not is_complex(wanted)):
        return -1
    return wanted


cdef ndarray mean_plain(ndarray array, uint64_t axes, bint keepdims, int dtype):
    """Return the mean, summed in a dtype; None where NumPy's general rules are needed."""
    cdef int64_t count = reduced_count(array, axes)
    cdef unsigned flags
    cdef ndarray result
    if dtype < 0 or count == 0:
        return None
    result = reduce_plain(ADD, array, axes, keepdims, dtype, None, None, NOTHING)
    if result is None:
        return None
    if is_complex(dtype):
        clear_float_flags(True)
    divide_all(result, <double>count, False)
    if is_complex(dtype):
        # NumPy: the parts are multiplied by zero as well, which warns of numbers that are not finite.
        flags = raised_float_flags(True)
        if flags:
            # NumPy: a complex64 by a count is no matter of its scalars alone.
            report_float_flags(flags, "scalar divide" if result.header.dim() == 0 and dtype == COMPLEX128 else "divide")
    return result


cdef ndarray mean_of_halves(ndarray array, uint64_t axes, bint keepdims):
    """Return the mean of float16 in float16: summed in float32, rounded at the end; None where it is not finite."""
    cdef ndarray halves, result = reduce_plain(ADD, array, axes, keepdims, FLOAT32, None, None, NOTHING)
    cdef int64_t count = reduced_count(array, axes)
    cdef double mean
    if result is None or count == 0:
        return None
    if result.header.dim() > 0:
        divide_all(result, <double>count, False)
        return astype(result, FLOAT16, ORDER_K, True)
    mean = (<float*>data_of(result))[0] / <double>count
    if not fabs(mean) <= LARGEST_HALF:
        return None
    halves = new_scalar(FLOAT16)
    find_cast(FLOAT16, FLOAT64)(data_of(halves), 0, <const char*>&mean, 0, 1)
    return halves


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


cdef ndarray mask_of(object where, ndarray array):
    """Return a mask that lies as the array does, in one piece; None for others, and for what is not summed in its dtype."""
    cdef ndarray mask
    cdef int axis
    if type(where) is not ndarray or dtype_of(array) == FLOAT16 or dtype_of(array) > FLOAT64 or not is_c_contiguous(array):
        return None
    mask = <ndarray>where
    if not is_plain(mask) or dtype_of(mask) != BOOL or not is_c_contiguous(mask) or array.header.numel() == 0:
        return None
    if mask.header.dim() != array.header.dim() or array.header.dim() == 0:
        return None
    for axis in range(<int>array.header.dim()):
        if mask.header.sizes()[axis] != array.header.sizes()[axis]:
            return None
    return mask


cdef ndarray counts_of(ndarray mask, uint64_t axes, bint keepdims, double ddof):
    """Return how many elements a mask lets in; None where those are not more than `ddof`, which NumPy warns of."""
    cdef ndarray counts = reduce_plain(ADD, mask, axes, keepdims, INT64, None, None, NOTHING)
    cdef int64_t i
    if counts is None:
        return None
    for i in range(counts.header.numel()):
        if not (<const int64_t*>data_of(counts))[i] - ddof > 0:
            return None
    return counts


cdef ndarray divide_by_counts(ndarray sums, ndarray counts, double ddof, bint root):
    """Divide sums in place by counts, less some."""
    cdef int64_t i
    cdef const int64_t* numbers = <const int64_t*>data_of(counts)
    cdef double* doubles = <double*>data_of(sums)
    cdef float* floats = <float*>doubles
    for i in range(sums.header.numel()):
        if dtype_of(sums) == FLOAT64:
            doubles[i] = doubles[i] / (numbers[i] - ddof)
            doubles[i] = sqrt(doubles[i]) if root else doubles[i]
        else:
            floats[i] = <float>(floats[i] / (numbers[i] - ddof))
            floats[i] = sqrtf(floats[i]) if root else floats[i]
    return sums


cdef ndarray masked_mean(ndarray array, ndarray mask, uint64_t axes, bint keepdims, int dtype):
    """Return the mean of the elements that a mask lets in; None where NumPy has to say more."""
    cdef ndarray result, counts
    if dtype != FLOAT64 and dtype != FLOAT32:
        return None
    counts = counts_of(mask, axes, keepdims, 0)
    if counts is None:
        return None
    result = reduce_plain(ADD, array, axes, keepdims, dtype, None, mask, NOTHING)
    return None if result is None else divide_by_counts(result, counts, 0, False)


cdef ndarray fitting_mean(PyObject* mean_slot, ndarray array, uint64_t axes, int dtype):
    """Return the mean that a call gives where it is one as we would compute, along axes that are kept; None for all else."""
    cdef ndarray mean
    cdef int axis
    if type(<object>mean_slot) is not ndarray:
        return None
    mean = <ndarray><object>mean_slot
    if not is_plain(mean) or dtype_of(mean) != dtype or mean.header.dim() != array.header.dim():
        return None
    for axis in range(array.header.dim()):
        if mean.header.sizes()[axis] != (1 if axes >> axis & 1 else array.header.sizes()[axis]):
            return None
    return mean


cdef ndarray variance_plain(
    ndarray array, ndarray mask, PyObject* mean_slot, uint64_t axes, bint keepdims, double ddof, bint root
):
    """Return the variance of all elements, or of those that a mask lets in; None where NumPy has to say more."""
    cdef int dtype = FLOAT64 if dtype_of(array) < FLOAT16 else dtype_of(array)
    cdef double divisor = reduced_count(array, axes) - ddof
    cdef ndarray mean, deviations, counts = None, result = None
    if mask is None and not divisor > 0:
        return None
    if mask is not None:
        counts = counts_of(mask, axes, keepdims, ddof)
        if counts is None:
            return None
    if mean_slot != <PyObject*>NOTHING:
        mean = fitting_mean(mean_slot, array, axes, dtype)
    else:
        mean = mean_plain(array, axes, True, dtype) if mask is None else masked_mean(array, mask, axes, True, dtype)
    if mean is None:
        return None
    if mask is None and dtype_of(array) != BOOL and (dtype == FLOAT64 or dtype == FLOAT32):
        result = variance_in_one_pass(array, mean, axes, keepdims, dtype)
    if result is None:
        deviations = compute_ufunc(SUBTRACT, (array, mean), None, True, None)
        deviations = squared_lengths(deviations) if is_complex(dtype) else (
            compute_ufunc(SQUARE, (deviations,), (deviations,), True, None))
        result = reduce_plain(ADD, deviations, axes, keepdims, dtype_of(deviations), None, mask, NOTHING)
    if result is None:
        return None
    if mask is not None:
        return divide_by_counts(result, counts, ddof, root)
    divide_all(result, divisor, root)
    return result


cdef ndarray squared_lengths(ndarray array):
    """Return the squares of complex numbers' lengths, in the place of their real parts: how they lie decides sums."""
    cdef int64_t steps[MAXDIMS]
    cdef int axis, ndim = array.header.dim(), dtype = FLOAT32 if dtype_of(array) == COMPLEX64 else FLOAT64
    cdef int64_t itemsize = 4 if dtype == FLOAT32 else 8, count = array.header.numel()
    cdef void* data = data_of(array)
    cdef unsigned flags
    cdef ndarray real, imaginary
    for axis in range(ndim):
        steps[axis] = array.header.strides()[axis] * 2
    real = plain_view_as(array, dtype, ndim, array.header.sizes(), steps, array.header.origin(), array.flipped)
    if is_c_contiguous(array):
        if count < RELEASE_FROM:
            flags = square_lengths[float](data, count) if dtype == FLOAT32 else square_lengths[double](data, count)
        else:
            with nogil:
                flags = square_lengths[float](data, count) if dtype == FLOAT32 else square_lengths[double](data, count)
        if flags:
            report_float_flags(flags, "square")
        return real
    imaginary = plain_view_as(
        array, dtype, ndim, array.header.sizes(), steps, array.header.origin() + itemsize, array.flipped)
    compute_ufunc(SQUARE, (real,), (real,), True, None)
    compute_ufunc(SQUARE, (imaginary,), (imaginary,), True, None)
    return compute_ufunc(ADD, (real, imaginary), (real,), True, None)


cdef bint takes(PyObject* out, int dtype) noexcept:
    """Whether an array that is to take the result, where there is one, has its dtype."""
    return is_default(out) or type(<object>out) is ndarray and dtype_of(<ndarray><object>out) == dtype


cdef ndarray along_axes(ndarray array, object axis, object keepdims, object where, uint64_t* axes):
    """Return a plain array, as one element along an axis where it has none, and the axes to reduce; None for NumPy's."""
    if where is not True or type(keepdims) is not bool:
        return None
    if array.header.dim() == 0:
        if axis is not None or keepdims:
            return None
        array = as_line(array)
    return array if to_axes(axis, <int>array.header.dim(), axes) else None


# a, axis, dtype, out, keepdims, where
cdef object call_mean(PyObject** slots):
    cdef uint64_t axes = 0
    cdef int dtype
    cdef ndarray array = as_array(<object>slots[0]), line, mask, result = None
    keepdims = given(slots[4], False)
    where = given(slots[5], True)
    if thread_is_plain() and is_plain(array) and dtype_of(array) < NUM_NUMPY_DTYPES:
        line = along_axes(array, <object>slots[1], keepdims, where, &axes)
        if line is not None:
            dtype = mean_dtype(array, slots[2])
            if dtype_of(array) == FLOAT16 and is_default(slots[2]):
                # NumPy: an array that takes the result takes the sum, rounded, before.
                result = mean_of_halves(line, axes, keepdims) if is_default(slots[3]) else None
            elif takes(slots[3], dtype):
                result = mean_plain(line, axes, keepdims, dtype)
        elif type(keepdims) is bool:
            mask = mask_of(where, array)
            dtype = -1 if mask is None else mean_dtype(array, slots[2])
            if dtype >= 0 and takes(slots[3], dtype) and to_axes(<object>slots[1], <int>array.header.dim(), &axes):
                result = masked_mean(array, mask, axes, keepdims, dtype)
        finished = None if result is None else in_place_of(result, slots[3])
        if finished is not None:
            return finished
        written(<object>slots[3])
        return call_numpy(numpy.mean, (array,), {"axis": <object>slots[1], "dtype": <object>slots[2], "out": <object>slots[3],
                                                 "keepdims": keepdims, "where": where})
    return moment_by_torch(array, <object>slots[1], <object>slots[2], <object>slots[3], keepdims, where, 0, None)


cdef int asked_dtype(PyObject* asked) except -2:
    """Return the dtype that is asked for; -1 for what is none, which NumPy says after it has looked at the other arguments."""
    try:
        return dtype_index(<object>asked)
    except (TypeError, ValueError):
        return -1


cdef bint is_own_dtype(ndarray array, PyObject* asked) except -1:
    """Whether no dtype is asked for a variance, or the one that it has anyhow."""
    cdef int dtype = FLOAT64 if dtype_of(array) < FLOAT16 else dtype_of(array)
    return is_default(asked) or (dtype == FLOAT64 or dtype == FLOAT32) and asked_dtype(asked) == dtype


cdef bint is_wider(ndarray array, PyObject* asked) except -1:
    """Whether a variance of few halves or floats is asked for as one of doubles: of what they are as these."""
    return (dtype_of(array) == FLOAT16 or dtype_of(array) == FLOAT32) and array.header.numel() <= FEW and (
        asked_dtype(asked) == FLOAT64)


# a, axis, dtype, out, ddof, keepdims, where, mean, correction
cdef object moment_slots(PyObject** slots, object numpy_function, bint root, bint takes_correction):
    cdef uint64_t axes = 0
    cdef ndarray given_array = as_array(<object>slots[0]), array = given_array, line, mask, result = None
    ddof = <object>slots[4]
    keepdims = given(slots[5], False)
    where = given(slots[6], True)
    if takes_correction and slots[8] != <PyObject*>NOTHING:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = <object>slots[8]
    if thread_is_plain() and is_plain(array) and dtype_of(array) < NUM_NUMPY_DTYPES:
        if not is_default(slots[2]) and is_wider(array, slots[2]):
            array = astype(array, FLOAT64, ORDER_K, False)
        line = along_axes(array, <object>slots[1], keepdims, where, &axes)
        if type(ddof) in (int, float) and is_own_dtype(array, slots[2]):
            mask = mask_of(where, array) if line is None and type(keepdims) is bool else None
            if line is not None:
                result = variance_plain(line, None, slots[7], axes, keepdims, ddof, root)
            elif mask is not None and to_axes(<object>slots[1], <int>array.header.dim(), &axes):
                result = variance_plain(array, mask, slots[7], axes, keepdims, ddof, root)
        finished = None if result is None else in_place_of(result, slots[3])
        if finished is not None:
            return finished
        written(<object>slots[3])
        return call_numpy(numpy_function, (given_array,), {
            "axis": <object>slots[1], "dtype": <object>slots[2], "out": <object>slots[3], "ddof": ddof, "keepdims": keepdims,
            "where": where, "mean": <object>slots[7]})
    mean = None if slots[7] == <PyObject*>NOTHING else to_torch(as_array(<object>slots[7]))
    if type(ddof) is not int and type(ddof) is not float:
        ddof = to_torch(as_array(ddof)).to(torch.float64)
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
                       or reduced_count(array, axes) <= max(<int64_t>ddof, 0)):
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
    if moment and dtype is not None and tensor.dtype is torch.bool and dtype_index(dtype) == BOOL:
        numpy.subtract(numpy.True_, numpy.True_)  # raises: truths have no difference
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
        mask = to_torch(as_array(where)).expand(tensor.shape)
        tensor = torch.where(mask, tensor, 0)
        count = torch.sum(mask, axes, keepdim=True) if axes else mask.to(torch.int64)
        exact = torch.where(mask, exact, 0)
    total = torch.sum(tensor, axes, keepdim=True, dtype=tensor.dtype) if axes else tensor
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
        result = torch.sum(squares, axes, keepdim=True, dtype=squares.dtype) if axes else squares
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


cdef object quick_mean(PyObject* const* args, Py_ssize_t count):
    cdef ndarray array = general_array(args, count)
    result = None if array is None else moment_at_once(array, None if count == 1 else <object>args[1], False, 0, None)
    return NotImplemented if result is None else new_from_torch(result, False, None)


mean_body = new_quick_body(quick_mean, call_mean)
std_method_body = new_compiled_body(call_std_method)
std_body = new_compiled_body(call_std)
var_method_body = new_compiled_body(call_var_method)
var_body = new_compiled_body(call_var)
