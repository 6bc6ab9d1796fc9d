"""Ranges of numbers: arange, linspace.

Each body declines, by NotImplemented, whatever is not common, as those of `creation.pyx` do.
"""
from cpython.long cimport PyLong_AsLongLong
from cpython.object cimport PyObject
from libc.math cimport ceil, fabs, isfinite
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_C, astype
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    NUM_NUMPY_DTYPES,
    UINT64,
    default_float,
    default_int,
    dtype_index,
    is_in_range,
)
from fastnp._core.kernels.creation cimport is_common
from fastnp._core.ndarray cimport data_of, dtype_of, item, ndarray, new_array

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)

cdef extern from "passes.h" namespace "fastnp" nogil:
    void write_progression(double* out, int64_t count, int64_t start, double step, double first)
    void write_progression(float* out, int64_t count, int64_t start, double step, double first)
    void write_integers(int dtype, void* out, int64_t count, int64_t first, int64_t step)

# Integers of this size and their quotients are exact in the floating arithmetic that counts the elements of a range.
cdef int64_t EXACT = <int64_t>1 << 31
# Integers below this one are exact in single precision, sums of two of them in every integer dtype of 32 bits.
cdef double SURE = 1 << 23
cdef double SURE_HALF = 1 << 11
# What is below it, and the sum of two such, a float holds.
cdef double LARGE_SINGLE = 1e38


cdef bint is_exact_int(object value) except -1:
    """Whether a value is an int whose quotients by others of its kind can be counted in double precision."""
    cdef int overflow = 0
    cdef int64_t integer
    if type(value) is not int:
        return False
    integer = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow and -EXACT < integer < EXACT


cdef bint is_number(object value) except -1:
    return type(value) is float or is_exact_int(value)


cdef object as_number(object value):
    """Return a scalar of the default dtypes as a number of Python's, anything else as it is."""
    cdef ndarray scalar
    if type(value) is not ndarray:
        return value
    scalar = <ndarray>value
    if scalar.scalar_ and scalar.header.holds_value() and (dtype_of(scalar) == INT64 or dtype_of(scalar) == FLOAT64):
        return item(scalar)
    return scalar


cdef object between_scalars(PyObject** slots):
    """Return the range between scalars as that between numbers; NotImplemented where none is a scalar."""
    cdef PyObject* values[7]
    start, stop, step = as_number(<object>slots[0]), as_number(<object>slots[1]), as_number(<object>slots[2])
    if start is <object>slots[0] and stop is <object>slots[1] and step is <object>slots[2]:
        return NotImplemented
    memcpy(values, slots, sizeof(values))
    values[0], values[1], values[2] = <PyObject*>start, <PyObject*>stop, <PyObject*>step
    return arange_body(values)


cdef void write_singles(float* out, int count, float first, float second) noexcept nogil:
    """Write a range in single precision: the first two elements as they are, the others by what these differ by."""
    cdef float delta = second - first
    cdef int place
    for place in range(count):
        out[place] = first + <float>place * delta
    if count > 0:
        out[0] = first  # -0 too
    if count > 1:
        out[1] = second


cdef object arange_body(PyObject** slots):
    # start_or_stop, stop, step, dtype, device, like, start
    cdef double first, last, step, delta, sure
    cdef int64_t count
    cdef ndarray array
    cdef int wanted = -1
    if <object>slots[6] is not None or not is_common(None, <object>slots[4], <object>slots[5]):
        return NotImplemented
    if slots[3] != <PyObject*>None:
        wanted = dtype_index(<object>slots[3])
        if not INT8 <= wanted < NUM_NUMPY_DTYPES:
            return NotImplemented
    start_value, stop_value, step_value = <object>slots[0], <object>slots[1], <object>slots[2]
    if stop_value is None:
        start_value, stop_value = 0, start_value
    if not (is_number(start_value) and is_number(stop_value) and is_number(step_value)) or (
            default_float() != FLOAT64 or default_int() != INT64):
        return between_scalars(slots)
    first, last, step = start_value, stop_value, step_value
    if not (isfinite(first) and isfinite(last) and isfinite(step)) or step == 0 or (last - first) / step > EXACT:
        return NotImplemented
    if (last - first) / step == 0 and last != first:
        return NotImplemented
    count = <int64_t>ceil((last - first) / step) if (last - first) / step > 0 else 0
    if type(start_value) is int and type(stop_value) is int and type(step_value) is int:
        if wanted < 0 or wanted == INT64:
            array = new_array(INT64, 1, &count)
            write_integers(INT64, data_of(array), count, <int64_t>first, <int64_t>step)
            return array
        # Integers that any of these dtypes holds as they are.
        sure = SURE_HALF if wanted == FLOAT16 else SURE
        if not (-sure < first < sure and -sure < last < sure and -sure < step < sure):
            return NotImplemented
        if INT8 <= wanted <= UINT64:
            # NumPy refuses elements that the dtype does not hold.
            if count and not (is_in_range(wanted, <int64_t>first) and is_in_range(
                    wanted, <int64_t>first + (count - 1) * <int64_t>step)):
                return NotImplemented
            array = new_array(INT32 if wanted == INT32 else INT64, 1, &count)
            write_integers(INT32 if wanted == INT32 else INT64, data_of(array), count, <int64_t>first, <int64_t>step)
            return array if wanted == INT32 else astype(array, wanted, ORDER_C, True)
        if wanted == FLOAT32:
            array = new_array(FLOAT32, 1, &count)
            write_progression(<float*>data_of(array), count, 0, step, first)
            return array
        array = new_array(FLOAT64, 1, &count)
        write_progression(<double*>data_of(array), count, 0, step, first)
        return array if wanted == FLOAT64 else astype(array, wanted, ORDER_C, True)
    if wanted == FLOAT32 and fabs(first) < LARGE_SINGLE and fabs(last) < LARGE_SINGLE and fabs(step) < LARGE_SINGLE:
        array = new_array(FLOAT32, 1, &count)
        write_singles(<float*>data_of(array), <int>count, <float>first, <float>(first + step))
        return array
    if wanted >= 0 and wanted != FLOAT64:
        return NotImplemented
    array = new_array(FLOAT64, 1, &count)
    # NumPy: the step is what the first two elements differ by, rounded as they are.
    delta = (first + step) - first
    write_progression(<double*>data_of(array), count, 0, delta, first)
    if count > 0:
        (<double*>data_of(array))[0] = first  # -0 too
    if count > 1:
        (<double*>data_of(array))[1] = first + step
    return array


cdef object linspace_body(PyObject** slots):
    # start, stop, num, endpoint, retstep, dtype, axis, device
    cdef double first, last, step, delta, divisor
    cdef int64_t count, index
    cdef ndarray array
    cdef double* data
    if <object>slots[5] is not None or <object>slots[4] is not False or not is_common(None, <object>slots[7], None):
        return NotImplemented
    start_value, stop_value = <object>slots[0], <object>slots[1]
    if not (is_number(start_value) and is_number(stop_value)) or default_float() != FLOAT64 or (
            type(<object>slots[2]) is not int or type(<object>slots[3]) is not bool or <object>slots[6] != 0):
        return NotImplemented
    if not is_exact_int(<object>slots[2]):
        return NotImplemented
    count = PyLong_AsLongLong(<object>slots[2])
    if count < 0:
        return NotImplemented
    first, last = start_value, stop_value
    divisor, delta = <double>(count - 1 if <object>slots[3] is True else count), last - first
    array = new_array(FLOAT64, 1, &count)
    data = <double*>data_of(array)
    if divisor > 0:
        step = delta / divisor
        if step != 0:
            write_progression(data, count, 0, step, first)
        else:
            for index in range(count):
                data[index] = (index / divisor) * delta + first
    else:
        for index in range(count):
            data[index] = index * delta + first
    if <object>slots[3] is True and count > 1:
        data[count - 1] = last
    return array


#: Name of the function to its body.
BODIES = {
    "arange": new_compiled_body(arange_body),
    "linspace": new_compiled_body(linspace_body),
}
