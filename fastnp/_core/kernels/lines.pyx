"""Functions of plain arrays of one dimension: bincount, interp, histograms, convolve, correlate, polyval.

Each body declines, by NotImplemented, what is not common: other spellings, other dtypes, errors.
"""
cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.object cimport PyObject
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_C, astype
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, FLOAT32, FLOAT64, INT64, UINT8, UINT64
from fastnp._core.host cimport take_over
from fastnp._core.interchange cimport to_numpy
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.kernels.shape cimport flip
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    new_zeros,
)
from fastnp._core.sequences cimport of_sequence

cnp.import_array()

cdef extern from "lines.h" namespace "fastnp" nogil:
    int64_t largest_natural(const int64_t* values, int64_t count)
    bint is_increasing(const double* values, int64_t count)
    void interpolate_in_parts(const double* xs, int64_t count, const double* points, const double* values,
                              int64_t size, double left, double right, double* out)
    enum: kFewNaturals
    enum: kBytes
    void count_each_byte(const uint8_t* values, int64_t count, int64_t* counts)
    bint count_few_naturals(const int64_t* values, int64_t count, int64_t* counts)
    void count_naturals(const int64_t* values, int64_t count, int64_t* counts)
    bint count_in_bins(int dtype, const void* values, int64_t count, const void* edges, int64_t bins, double low,
                       double high, double width, int64_t* counts)

cdef extern from "sliding_products.h" namespace "fastnp" nogil:
    bint has_sliding_products(int dtype)
    void write_sliding_products(int dtype, const void* a, int64_t n, const void* taps, int64_t count, int64_t before,
                                int64_t after, void* out)

cdef extern from "passes.h" namespace "fastnp" nogil:
    int64_t count_contiguous(int dtype, const void* data, int64_t count)
    unsigned evaluate_polynomial(const double* coefficients, int64_t terms, const double* x, double* out, int64_t count)

cdef extern from "<numpy/arrayobject.h>":
    object PyArray_Correlate(object, object, int mode)
    object PyArray_Correlate2(object, object, int mode)

cdef enum:
    MANY = 4096          # sample points whose order is looked at for any number of values
    WORTH = 64           # how many of more are looked at for each value: its search takes longer
    COUNTED_FROM = 4096  # integers that are counted at once, as small ones, before they are looked over
    RELEASE_FROM = 8192  # fewer elements keep the GIL


cdef ndarray line_of(PyObject* slot, int dtype):
    """Return an array of one dimension in one piece, cast to a dtype; None for all else."""
    cdef ndarray array
    if not is_plain_array(slot):
        return None
    array = <ndarray><object>slot
    if array.header.dim() != 1:
        return None
    return array if dtype_of(array) == dtype and is_c_contiguous(array) else astype(array, dtype, ORDER_C, False)


cdef inline bint casts_to_double(PyObject* slot) noexcept:
    return type(<object>slot) is ndarray and dtype_of(<ndarray><object>slot) <= FLOAT64


# --- bincount ---------------------------------------------------------------------------------------------------------

cdef ndarray as_counted(const int64_t* counts, int64_t size, int64_t least):
    """Return counts up to the largest number that came, `least` of them at least."""
    cdef ndarray result
    while counts[size - 1] == 0:
        size -= 1
    least = max(size, least)
    result = new_zeros(INT64, 1, &least)
    memcpy(data_of(result), counts, size * sizeof(int64_t))
    return result


cdef ndarray counts_of_few(const int64_t* numbers, int64_t count, int64_t least):
    """Count small numbers; None where others are among them."""
    cdef int64_t few[kFewNaturals]
    cdef bint counted
    if count >= RELEASE_FROM:
        with nogil:
            counted = count_few_naturals(numbers, count, few)
    else:
        counted = count_few_naturals(numbers, count, few)
    return as_counted(few, kFewNaturals, least) if counted else None


cdef ndarray counts_of_bytes(ndarray values, int64_t least):
    """Count the bytes of an array in one piece."""
    cdef int64_t counts[kBytes]
    cdef int64_t count = values.header.numel()
    cdef const uint8_t* data = <const uint8_t*>data_of(values)
    if dtype_of(values) == BOOL:
        # Of truths, whatever a byte holds.
        counts[1] = count_contiguous(BOOL, data, count)
        counts[0] = count - counts[1]
        return as_counted(counts, 2, least)
    if count >= RELEASE_FROM:
        with nogil:
            count_each_byte(data, count, counts)
    else:
        count_each_byte(data, count, counts)
    return as_counted(counts, kBytes, least)


cdef object bincount(PyObject** slots):
    """bincount(x, weights, minlength)."""
    cdef int64_t least, size, place, count
    cdef ndarray values, weights, result
    cdef const int64_t* numbers
    cdef int64_t* counts
    cdef double* sums
    cdef const double* weighted
    if not integer_of(slots[2], &least) or least < 0 or type(<object>slots[0]) is not ndarray:
        return NotImplemented
    if not BOOL <= dtype_of(<ndarray><object>slots[0]) <= INT64:
        return NotImplemented
    values = <ndarray>slots[0]
    if (dtype_of(values) == UINT8 or dtype_of(values) == BOOL) and values.header.numel() >= COUNTED_FROM and (
            slots[1] == <PyObject*>None and values.header.dim() == 1 and is_plain_array(slots[0]) and is_c_contiguous(values)):
        return counts_of_bytes(values, least)
    values = line_of(slots[0], INT64)
    if values is None:
        return NotImplemented
    count = values.header.numel()
    weights = None
    if slots[1] != <PyObject*>None:
        if not casts_to_double(slots[1]) or dtype_of(<ndarray><object>slots[1]) == UINT64:
            return NotImplemented
        weights = line_of(slots[1], FLOAT64)
        if weights is None or weights.header.numel() != count or count == 0:
            return NotImplemented
    numbers = <const int64_t*>data_of(values)
    if weights is None and count >= COUNTED_FROM:
        result = counts_of_few(numbers, count, least)
        if result is not None:
            return result
    size = largest_natural(numbers, count) + 1
    if size == 0 and count:
        return NotImplemented
    size = max(size, least)
    result = new_zeros(INT64 if weights is None else FLOAT64, 1, &size)
    if weights is None:
        counts = <int64_t*>data_of(result)
        if count >= RELEASE_FROM:
            with nogil:
                count_naturals(numbers, count, counts)
        else:
            count_naturals(numbers, count, counts)
    else:
        sums, weighted = <double*>data_of(result), <const double*>data_of(weights)
        for place in range(count):
            sums[numbers[place]] += weighted[place]
    return result


# --- interp -----------------------------------------------------------------------------------------------------------

cdef bint number_of(PyObject* slot, double* number) noexcept:
    cdef int64_t integer
    if PyFloat_CheckExact(<object>slot):
        number[0] = PyFloat_AS_DOUBLE(<object>slot)
        return True
    if integer_of(slot, &integer):
        number[0] = <double>integer
        return True
    return False


cdef object interp(PyObject** slots):
    """interp(x, xp, fp, left, right, period)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t size, count = 1
    cdef int ndim = 0
    cdef double left, right, number
    cdef ndarray xs, points, values, result
    cdef const double* given = &number
    cdef const double* point
    cdef const double* value
    cdef double* into
    if slots[5] != <PyObject*>None or not casts_to_double(slots[1]) or not casts_to_double(slots[2]):
        return NotImplemented
    points, values = line_of(slots[1], FLOAT64), line_of(slots[2], FLOAT64)
    if points is None or values is None:
        return NotImplemented
    size = points.header.numel()
    if size == 0 or values.header.numel() != size:
        return NotImplemented
    point, value = <const double*>data_of(points), <const double*>data_of(values)
    left, right = value[0], value[size - 1]
    if slots[3] != <PyObject*>None and not number_of(slots[3], &left) or (
            slots[4] != <PyObject*>None and not number_of(slots[4], &right)):
        return NotImplemented
    if not number_of(slots[0], &number):
        if not is_plain_array(slots[0]) or not casts_to_double(slots[0]):
            return NotImplemented
        xs = <ndarray><object>slots[0]
        if dtype_of(xs) != FLOAT64 or not is_c_contiguous(xs):
            xs = astype(xs, FLOAT64, ORDER_C, False)
        ndim, count, given = fill_shape(xs, shape), xs.header.numel(), <const double*>data_of(xs)
    # NumPy's search goes its own way where the points are in no order; of many they are looked at where it costs little.
    if (size <= MANY or size <= count * WORTH) and not is_increasing(point, size):
        return NotImplemented
    result = new_scalar(FLOAT64) if ndim == 0 else new_array(FLOAT64, ndim, shape)
    into = <double*>data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            interpolate_in_parts(given, count, point, value, size, left, right, into)
    else:
        interpolate_in_parts(given, count, point, value, size, left, right, into)
    return result


# --- histograms of equal bins -----------------------------------------------------------------------------------------

def count_between(ndarray a not None, ndarray edges not None, double low, double high, double width):
    """
    Count the elements in bins of equal width, as NumPy's histogram does; None for what has no loop.

    Parameters
    ----------
    a : ndarray
        A plain array; elements below `low` and above `high` are left out, and so are NaNs.
    edges : ndarray
        The edges of the bins, of the dtype of `a` or of float64; the last bin is closed.
    low, high, width : float
        The first edge, the last one, and what lies between them.

    Returns
    -------
    ndarray of int64, or None
    """
    cdef int64_t bins
    cdef int64_t* counts
    cdef const void* values
    cdef const void* limits
    cdef int dtype
    cdef int64_t count
    cdef bint counted
    cdef ndarray result
    if not a.header.is_plain() or not edges.header.is_plain() or edges.header.dim() != 1 or not (
            is_c_contiguous(a) and is_c_contiguous(edges)):
        return None
    dtype, count, bins = dtype_of(a), a.header.numel(), edges.header.numel() - 1
    if bins < 1 or not 0 < width < INFINITY or dtype_of(edges) != (FLOAT32 if dtype == FLOAT32 else FLOAT64):
        return None
    result = new_zeros(INT64, 1, &bins)
    values, limits, counts = data_of(a), data_of(edges), <int64_t*>data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            counted = count_in_bins(dtype, values, count, limits, bins, low, high, width, counts)
    else:
        counted = count_in_bins(dtype, values, count, limits, bins, low, high, width, counts)
    return result if counted else None


# --- convolve and correlate -------------------------------------------------------------------------------------------

cdef int mode_of(PyObject* slot) noexcept:
    """Return the number of a mode; -1 for what is none of NumPy's words."""
    if type(<object>slot) is not str:
        return -1
    return 0 if <str><object>slot == "valid" else 1 if <str><object>slot == "same" else 2 if <str><object>slot == "full" else -1


cdef bint are_lines(PyObject* first, PyObject* second) noexcept:
    """Whether both arguments are plain arrays of one dimension with elements."""
    return is_plain_array(first) and is_plain_array(second) and (
        (<ndarray><object>first).header.dim() == 1 and (<ndarray><object>second).header.dim() == 1 and (
            (<ndarray><object>first).header.numel() > 0 and (<ndarray><object>second).header.numel() > 0))


cdef ndarray sums_of_overlaps(ndarray a, ndarray v, int mode):
    """Return the sums of products when one line is moved along another as long or longer; None of other dtypes."""
    cdef int first = dtype_of(a), second = dtype_of(v)
    cdef int dtype = first if first == second else FLOAT64
    cdef int64_t n = a.header.numel(), count = v.header.numel()
    cdef int64_t before = 0 if mode == 0 else count // 2 if mode == 1 else count - 1
    cdef int64_t after = 0 if mode == 0 else count - 1 if mode == 2 else count - 1 - before
    cdef int64_t length = n - count + 1 + before + after
    cdef ndarray result
    if first != second and max(first, second) != FLOAT64:
        return None
    if count > n or not has_sliding_products(dtype):
        return None
    a, v = line_of(<PyObject*>a, dtype), line_of(<PyObject*>v, dtype)
    result = new_array(dtype, 1, &length)
    cdef const void* numbers = data_of(a)
    cdef const void* taps = data_of(v)
    cdef void* sums = data_of(result)
    if n * count >= RELEASE_FROM:
        with nogil:
            write_sliding_products(dtype, numbers, n, taps, count, before, after, sums)
    else:
        write_sliding_products(dtype, numbers, n, taps, count, before, after, sums)
    return result


cdef object convolve(PyObject** slots):
    """convolve(a, v, mode)."""
    cdef int mode = mode_of(slots[2])
    cdef ndarray first, second, result
    if mode < 0 or not are_lines(slots[0], slots[1]):
        return NotImplemented
    first, second = <ndarray><object>slots[0], <ndarray><object>slots[1]
    if second.header.numel() > first.header.numel():
        first, second = second, first
    second = flip(second, 0)
    result = sums_of_overlaps(first, second, mode)
    return take_over(PyArray_Correlate(to_numpy(first), to_numpy(second), mode)) if result is None else result


cdef object correlate(PyObject** slots):
    """correlate(a, v, mode)."""
    cdef int mode = mode_of(slots[2])
    cdef ndarray first, second, result
    if mode < 0 or not are_lines(slots[0], slots[1]):
        return NotImplemented
    first, second = <ndarray><object>slots[0], <ndarray><object>slots[1]
    result = sums_of_overlaps(first, second, mode)
    return take_over(PyArray_Correlate2(to_numpy(first), to_numpy(second), mode)) if result is None else result


# --- polynomials ------------------------------------------------------------------------------------------------------

cdef object polyval(PyObject** slots):
    """polyval(p, x)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t terms, count
    cdef unsigned flags
    cdef ndarray coefficients, xs, result
    cdef const double* highest
    cdef const double* given
    cdef double* into
    if not is_plain_array(slots[1]):
        return NotImplemented
    xs = <ndarray><object>slots[1]
    if dtype_of(xs) != FLOAT64 or xs.header.dim() == 0 or xs.header.numel() == 0 or not is_c_contiguous(xs):
        return NotImplemented
    held = of_sequence(<object>slots[0], False) if type(<object>slots[0]) is list else <object>slots[0]
    if held is None or not casts_to_double(<PyObject*>held):
        return NotImplemented
    coefficients = line_of(<PyObject*>held, FLOAT64)
    if coefficients is None or coefficients.header.numel() == 0:
        return NotImplemented
    result = new_array(FLOAT64, fill_shape(xs, shape), shape)
    terms, count = coefficients.header.numel(), xs.header.numel()
    highest, given, into = <const double*>data_of(coefficients), <const double*>data_of(xs), <double*>data_of(result)
    if count >= RELEASE_FROM:
        with nogil:
            flags = evaluate_polynomial(highest, terms, given, into, count)
    else:
        flags = evaluate_polynomial(highest, terms, given, into, count)
    # Where there is something to warn of, NumPy's operations tell which of them it was.
    return NotImplemented if flags else result


#: Name of the function to its body.
BODIES = {
    "bincount": new_compiled_body(bincount),
    "convolve": new_compiled_body(convolve),
    "correlate": new_compiled_body(correlate),
    "interp": new_compiled_body(interp),
    "polyval": new_compiled_body(polyval),
}
