"""What NumPy does in several passes over memory, in one: rounding, repair of NaNs, areas, triangles, equality as a whole,
and within tolerances.

Values are NumPy's to the last bit. Each body declines, by NotImplemented, what is not common: elements that do not lie in
one piece, other dtypes, and whatever raises a floating-point flag, of which NumPy's own operations then tell.
"""
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.math cimport isfinite
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_A, ORDER_C, ORDER_K, copy_array, is_stretched
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, INT8, ITEMSIZES, UINT64
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array, same_shape
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
)

from fastnp._core.single_calls cimport triangle_single

import numpy

cdef extern from "passes.h" namespace "fastnp" nogil:
    int SUMMED_WITHOUT_NAN "fastnp::WITHOUT_NAN"
    unsigned sum_last_axes(int what, int dtype, const void* data, void* sums, int64_t rows, int64_t columns)
    bint average_by_weights(int dtype, const void* data, const void* weights, int64_t count, void* average)
    bint sum_trapezoids(int dtype, const char* data, int64_t count, double distance, char* total)
    unsigned round_to(int dtype, const void* data, void* out, int64_t count, double scale, bint decimals)
    void repair(int dtype, const void* data, void* out, int64_t count, double nan, double above, double below)
    void write_progression(double* out, int64_t count, int64_t start, double step, double first)
    bint are_equal(int dtype, const void* first, const void* second, int64_t count, bint nan_equal)

cdef extern from "nearness.h" namespace "fastnp" nogil:
    unsigned write_near(int dtype, const void* first, const void* second, bint is_number, double rtol, double atol,
                        bint nan_equal, unsigned char* out, int64_t count)
    bint are_near(int dtype, const void* first, const void* second, bint is_number, double rtol, double atol, bint nan_equal,
                  int64_t count, unsigned* flags)

cdef extern from "triangles.h" namespace "fastnp" nogil:
    void copy_triangles(char* out, const char* data, int64_t step, int64_t matrices, int64_t rows, int64_t columns, int64_t item,
                        int64_t k, bint lower)

cdef enum:
    RELEASE_FROM = 20000  # fewer elements keep the GIL
    MOST_DECIMALS = 308   # greater powers of ten are infinite

cdef object LARGEST_EXACT = 2**53

cdef object NO_VALUE = numpy._NoValue
cdef double LARGEST = numpy.finfo(numpy.float64).max
cdef double LARGEST_SINGLE = numpy.finfo(numpy.float32).max


cdef ndarray whole(PyObject* slot):
    """Return an array of one or more dimensions whose elements lie in one piece in C order; None for all else."""
    cdef ndarray array
    if not is_plain_array(slot):
        return None
    array = <ndarray><object>slot
    return array if array.header.dim() > 0 and is_c_contiguous(array) else None


cdef ndarray whole_floats(PyObject* slot):
    """The same, of float32 or float64."""
    cdef ndarray array = whole(slot)
    return array if array is not None and dtype_of(array) in (FLOAT32, FLOAT64) else None


cdef object rounded(PyObject** slots):
    """round(a, decimals, out)."""
    cdef ndarray array, result
    cdef int64_t decimals, count
    cdef double scale = 1.0
    cdef unsigned flags
    cdef int dtype
    cdef const void* data
    cdef void* out
    if not is_plain_array(slots[0]) or slots[2] != <PyObject*>None or not integer_of(slots[1], &decimals):
        return NotImplemented
    array = <ndarray><object>slots[0]
    count, dtype = array.header.numel(), dtype_of(array)
    if INT8 <= dtype <= UINT64 and decimals >= 0:
        if array.header.dim() > 0:
            return copy_array(array, ORDER_K)
        result = new_scalar(dtype)
        memcpy(result.header.origin(), data_of(array), ITEMSIZES[dtype])
        return result
    if dtype != FLOAT32 and dtype != FLOAT64 or not -MOST_DECIMALS <= decimals <= MOST_DECIMALS:
        return NotImplemented
    if decimals == 0 and count >= RELEASE_FROM:
        return NotImplemented  # `rint` alone, which may write past the cache
    # NumPy: one factor after the other, which rounds from the 23rd on.
    for _ in range(abs(decimals)):
        scale *= 10.0
    data = data_of(array)
    if array.header.dim() == 0:
        result = new_scalar(dtype)
    elif is_c_contiguous(array):
        result = new_array(dtype, <int>array.header.dim(), array.header.sizes())
    else:
        # A copy lies in one piece. NumPy: `rint` alone keeps the order, else it is C or Fortran's.
        result = copy_array(array, ORDER_K if decimals == 0 and not is_stretched(array) else ORDER_A)
        data = result.header.origin()
    out = result.header.origin()
    if count >= RELEASE_FROM:
        with nogil:
            flags = round_to(dtype, data, out, count, scale, decimals > 0)
    else:
        flags = round_to(dtype, data, out, count, scale, decimals > 0)
    return NotImplemented if flags else result


cdef bint fill_number(PyObject* slot, int dtype, double default, double* number) except -1:
    """Read a replacement, None for the default; False where it is no number that the dtype holds."""
    if slot == <PyObject*>None:
        number[0] = default
        return True
    if not PyFloat_CheckExact(<object>slot) and not (PyLong_CheckExact(<object>slot) and -1 << 53 < <object>slot < 1 << 53):
        return False
    number[0] = <object>slot
    return dtype == FLOAT64 or not isfinite(number[0]) or -LARGEST_SINGLE <= number[0] <= LARGEST_SINGLE


cdef object nan_to_num(PyObject** slots):
    """nan_to_num(x, copy, nan, posinf, neginf)."""
    cdef ndarray array = whole(slots[0]), result
    cdef double nan, above, below, largest
    cdef int64_t count
    cdef int dtype
    cdef const void* data
    cdef void* out
    if <object>slots[1] is not True or slots[2] == <PyObject*>None:
        return NotImplemented
    if array is None or not FLOAT32 <= dtype_of(array) <= COMPLEX128:
        if is_plain_array(slots[0]):
            array = <ndarray><object>slots[0]
            if dtype_of(array) < FLOAT16 and array.header.dim() > 0:
                return copy_array(array, ORDER_K)
        return NotImplemented
    dtype, count = dtype_of(array), array.header.numel()
    result = new_array(dtype, <int>array.header.dim(), array.header.sizes())
    if dtype >= COMPLEX64:
        # Each part for itself.
        dtype, count = FLOAT64 if dtype == COMPLEX128 else FLOAT32, 2 * count
    largest = LARGEST if dtype == FLOAT64 else LARGEST_SINGLE
    if not fill_number(slots[2], dtype, 0.0, &nan) or not fill_number(slots[3], dtype, largest, &above) or (
            not fill_number(slots[4], dtype, -largest, &below)):
        return NotImplemented
    data, out = data_of(array), data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            repair(dtype, data, out, count, nan, above, below)
    else:
        repair(dtype, data, out, count, nan, above, below)
    return result


cdef object trapezoid(PyObject** slots):
    """trapezoid(y, x, dx, axis)."""
    cdef ndarray array = whole(slots[0]), result
    cdef int64_t axis, count
    cdef double distance
    cdef int dtype
    cdef bint declined
    cdef const char* data
    cdef char* total
    if array is None or array.header.dim() != 1 or array.header.numel() < 2 or not FLOAT32 <= dtype_of(array) <= COMPLEX128:
        return NotImplemented
    if slots[1] != <PyObject*>None or not integer_of(slots[3], &axis) or not -1 <= axis <= 0 or (
            not PyFloat_CheckExact(<object>slots[2])):
        return NotImplemented
    result = new_scalar(dtype_of(array))
    distance, count, dtype = <object>slots[2], array.header.numel(), dtype_of(array)
    data, total = data_of(array), data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            declined = sum_trapezoids(dtype, data, count, distance, total)
    else:
        declined = sum_trapezoids(dtype, data, count, distance, total)
    return NotImplemented if declined else result


cdef object nansum(PyObject** slots):
    """nansum(a, axis, dtype, out, keepdims, initial, where)."""
    cdef ndarray array = whole_floats(slots[0]), result
    cdef int64_t rows = 1, columns, axis
    cdef int dtype, ndim
    cdef unsigned flags
    cdef const void* data
    cdef void* sums
    if array is None or slots[2] != <PyObject*>None or slots[3] != <PyObject*>None or slots[4] != <PyObject*>NO_VALUE or (
            slots[5] != <PyObject*>NO_VALUE or slots[6] != <PyObject*>NO_VALUE):
        return NotImplemented
    ndim, dtype, columns = <int>array.header.dim(), dtype_of(array), array.header.numel()
    if slots[1] != <PyObject*>None:
        if not integer_of(slots[1], &axis) or axis != ndim - 1 and axis != -1 or columns == 0:
            return NotImplemented
        columns = array.header.sizes()[ndim - 1]
        rows = array.header.numel() // columns
    result = new_scalar(dtype) if slots[1] == <PyObject*>None or ndim == 1 else new_array(
        dtype, ndim - 1, array.header.sizes())
    data, sums = data_of(array), data_of(result)
    if array.header.numel() >= RELEASE_FROM:
        with nogil:
            flags = sum_last_axes(SUMMED_WITHOUT_NAN, dtype, data, sums, rows, columns)
    else:
        flags = sum_last_axes(SUMMED_WITHOUT_NAN, dtype, data, sums, rows, columns)
    return NotImplemented if flags else result


cdef object average(PyObject** slots):
    """average(a, axis, weights, returned, keepdims), of all elements."""
    cdef ndarray array = whole_floats(slots[0]), weights = whole_floats(slots[2]), result
    cdef int64_t count
    cdef int dtype
    cdef bint declined
    cdef const void* data
    cdef const void* factors
    cdef void* mean
    if array is None or weights is None or slots[1] != <PyObject*>None or slots[4] != <PyObject*>NO_VALUE or (
            <object>slots[3] is not False or dtype_of(array) != dtype_of(weights) or not same_shape(array, weights)):
        return NotImplemented
    result = new_scalar(dtype_of(array))
    count, dtype = array.header.numel(), dtype_of(array)
    data, factors, mean = data_of(array), data_of(weights), data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            declined = average_by_weights(dtype, data, factors, count, mean)
    else:
        declined = average_by_weights(dtype, data, factors, count, mean)
    return NotImplemented if declined else result


cdef ndarray with_rows(PyObject* slot):
    """Return a plain matrix whose rows lie in one piece each: itself, or a copy; None for what is no such matrix."""
    cdef int64_t[2] strides
    cdef ndarray array = <ndarray>slot
    if not is_plain_array(slot) or array.header.dim() != 2:
        return None
    fill_strides(array, strides)
    return array if strides[1] == ITEMSIZES[dtype_of(array)] else copy_array(array, ORDER_C)


cdef object triangle(PyObject** slots, bint lower):
    """tril(m, k), triu(m, k)."""
    cdef ndarray array = whole(slots[0]), result
    cdef int64_t k, rows, columns, matrices, step
    cdef int64_t[2] strides
    cdef int ndim, item
    cdef char* data
    cdef char* out
    if not integer_of(slots[1], &k) or not -1 << 40 < k < 1 << 40:
        return NotImplemented
    if array is None and type(<object>slots[0]) is ndarray:
        result = triangle_single(<ndarray><object>slots[0], lower, k)
        if result is not None:
            return result
        array = with_rows(slots[0])
    if array is None or array.header.dim() < 2:
        return NotImplemented
    ndim, item = <int>array.header.dim(), ITEMSIZES[dtype_of(array)]
    rows, columns = array.header.sizes()[ndim - 2], array.header.sizes()[ndim - 1]
    result = new_array(dtype_of(array), ndim, array.header.sizes())
    if array.header.numel() == 0:
        return result
    matrices = array.header.numel() // (rows * columns)
    step = columns * item
    if not is_c_contiguous(array):
        fill_strides(array, strides)
        step = strides[0]
    data, out = data_of(array), data_of(result)
    if array.header.numel() >= RELEASE_FROM:
        with nogil:
            copy_triangles(out, data, step, matrices, rows, columns, item, k, lower)
    else:
        copy_triangles(out, data, step, matrices, rows, columns, item, k, lower)
    return result


cdef object tril(PyObject** slots):
    return triangle(slots, True)


cdef object triu(PyObject** slots):
    return triangle(slots, False)


cdef object array_equal(PyObject** slots):
    """array_equal(a1, a2, equal_nan)."""
    cdef ndarray first, second
    cdef int dtype
    cdef int64_t count
    cdef bint same, nan_equal = <object>slots[2] is True
    cdef const void* one
    cdef const void* other
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]) or not nan_equal and <object>slots[2] is not False:
        return NotImplemented
    first, second = <ndarray><object>slots[0], <ndarray><object>slots[1]
    if not same_shape(first, second):
        return False
    dtype = dtype_of(first)
    if dtype_of(second) != dtype or nan_equal and dtype >= COMPLEX64 or (
            not is_c_contiguous(first) or not is_c_contiguous(second)):
        return NotImplemented
    count, one, other = first.header.numel(), data_of(first), data_of(second)
    if count >= RELEASE_FROM:
        with nogil:
            same = are_equal(dtype, one, other, count, nan_equal)
    else:
        same = are_equal(dtype, one, other, count, nan_equal)
    return same


cdef bint tolerance_of(PyObject* slot, double* tolerance) noexcept:
    """Read a tolerance that is a Python float; False where NumPy would tell of it, or float32 might not hold it."""
    if not PyFloat_CheckExact(<object>slot):
        return False
    tolerance[0] = PyFloat_AS_DOUBLE(<object>slot)
    return tolerance[0] == 0.0 or 1e-30 <= tolerance[0] <= 1e30


cdef object near(PyObject** slots, bint wants_all):
    """isclose, allclose(a, b, rtol, atol, equal_nan) of floats: two arrays of a shape, or one of float64 and a Python number."""
    cdef ndarray first = whole_floats(slots[0]), second = whole_floats(slots[1]), result
    cdef double rtol, atol, number = 0.0
    cdef int dtype
    cdef unsigned flags
    cdef int64_t count
    cdef bint all_near = True, nan_equal = <object>slots[4] is True
    cdef const void* one
    cdef const void* other = &number
    cdef unsigned char* out
    if first is None or not nan_equal and <object>slots[4] is not False:
        return NotImplemented
    if not tolerance_of(slots[2], &rtol) or not tolerance_of(slots[3], &atol):
        return NotImplemented
    dtype, count = dtype_of(first), first.header.numel()
    if second is not None:
        if dtype_of(second) != dtype or not same_shape(first, second):
            return NotImplemented
        other = data_of(second)
    elif dtype != FLOAT64:
        return NotImplemented
    elif PyFloat_CheckExact(<object>slots[1]):
        number = PyFloat_AS_DOUBLE(<object>slots[1])
    elif PyLong_CheckExact(<object>slots[1]) and -LARGEST_EXACT <= <object>slots[1] <= LARGEST_EXACT:
        number = <object>slots[1]
    else:
        return NotImplemented
    one = data_of(first)
    if wants_all:
        if count >= RELEASE_FROM:
            with nogil:
                all_near = are_near(dtype, one, other, second is None, rtol, atol, nan_equal, count, &flags)
        else:
            all_near = are_near(dtype, one, other, second is None, rtol, atol, nan_equal, count, &flags)
        return NotImplemented if flags else all_near
    result = new_array(BOOL, <int>first.header.dim(), first.header.sizes())
    out = <unsigned char*>data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            flags = write_near(dtype, one, other, second is None, rtol, atol, nan_equal, out, count)
    else:
        flags = write_near(dtype, one, other, second is None, rtol, atol, nan_equal, out, count)
    return NotImplemented if flags else result


cdef object isclose(PyObject** slots):
    return near(slots, False)


cdef object allclose(PyObject** slots):
    return near(slots, True)


cdef object frequencies(PyObject** slots, bint real):
    """fftfreq(n, d, device), rfftfreq(n, d, device)."""
    cdef ndarray result
    cdef int64_t count, half, size
    cdef double distance, step
    cdef double* out
    if not integer_of(slots[0], &count) or not 0 < count < 1 << 31 or slots[2] != <PyObject*>None:
        return NotImplemented
    if not PyFloat_CheckExact(<object>slots[1]):
        return NotImplemented
    distance = <object>slots[1]
    if not isfinite(distance) or count * distance == 0.0:
        return NotImplemented
    step = 1.0 / (count * distance)
    half = count // 2 + 1 if real else (count - 1) // 2 + 1
    size = half if real else count
    result = new_array(FLOAT64, 1, &size)
    out = <double*>data_of(result)
    # What -0.0 is added to stays what it is.
    if count >= RELEASE_FROM:
        with nogil:
            write_progression(out, half, 0, step, -0.0)
            write_progression(out + half, size - half, half - size, step, -0.0)
    else:
        write_progression(out, half, 0, step, -0.0)
        write_progression(out + half, size - half, half - size, step, -0.0)
    return result


cdef object fftfreq(PyObject** slots):
    return frequencies(slots, False)


cdef object rfftfreq(PyObject** slots):
    return frequencies(slots, True)


#: Name of the function to its body.
BODIES = {
    "allclose": new_compiled_body(allclose),
    "array_equal": new_compiled_body(array_equal),
    "average": new_compiled_body(average),
    "fftfreq": new_compiled_body(fftfreq),
    "isclose": new_compiled_body(isclose),
    "nan_to_num": new_compiled_body(nan_to_num),
    "nansum": new_compiled_body(nansum),
    "rfftfreq": new_compiled_body(rfftfreq),
    "round": new_compiled_body(rounded),
    "trapezoid": new_compiled_body(trapezoid),
    "tril": new_compiled_body(tril),
    "triu": new_compiled_body(triu),
}
