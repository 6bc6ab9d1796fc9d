"""Creation of plain arrays from existing data: numbers, nested lists, ranges, buffers, iterators, other arrays.

Each body declines, by NotImplemented, whatever is not common: NumPy then computes it for plain threads, torch's
factories for the others.
"""
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport LETTER_C, LETTER_F, LETTER_K, ORDER_C, ORDER_F, ORDER_K, astype, copy_array, has_order
from fastnp._core.dispatcher cimport QuickBody, new_compiled_body, new_quick_body, new_quick_body_alone
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT64,
    INT8,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT64,
    default_float,
    default_int,
    dtype_index,
    is_in_range,
    known_dtype,
)
from fastnp._core.flat cimport flatiter
from fastnp._core.host cimport take_over
from fastnp._core.interchange cimport from_numpy, is_numpys
from fastnp._core.kernels.arguments cimport integer_of
from fastnp._core.kernels.creation cimport is_host, is_letter
from fastnp._core.kernels.shape cimport flatten, ravel
from fastnp._core.loops cimport store_weak
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    is_c_contiguous,
    ndarray,
    new_array,
    over_memory,
    plain_view,
    thread_is_plain,
)
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.sequences cimport MANY, listed, of_sequence

from itertools import chain, islice

import numpy

cdef extern from "Python.h":
    bint PyIter_Check(object)
    bint PyObject_CheckBuffer(object)
    object PyMemoryView_FromObject(object)

cdef extern from *:
    """
    // Whether an exporter has to be told when its memory is no longer used.
    static inline bool has_release(PyObject* exporter) {
        return Py_TYPE(exporter)->tp_as_buffer->bf_releasebuffer != nullptr;
    }
    """
    bint has_release(object)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef enum:
    FEW = 64  # items of an iterator that are looked at together

cdef object ZERO = 0

# Integers of this size are exact in floating point, their quotients as well.
cdef int64_t EXACT = <int64_t>1 << 31


cdef bint fits(ndarray integers, int dtype) noexcept:
    """Whether an array of 64-bit integers, new and in one piece, can be of another integer dtype."""
    cdef int64_t index, lowest = 0, highest = 0, one
    cdef int64_t* data = <int64_t*>data_of(integers)
    for index in range(integers.header.numel()):
        one = data[index]
        lowest = min(lowest, one)
        highest = max(highest, one)
    return is_in_range(dtype, lowest) and is_in_range(dtype, highest)


cdef bint are_moderate(ndarray floats, int dtype) noexcept:
    """Whether the numbers of a new array, which may have been Python's ints, are cut to what an integer dtype holds."""
    cdef int64_t index
    cdef double* data = <double*>data_of(floats)
    for index in range(floats.header.numel()):
        if not -EXACT < data[index] < EXACT or not is_in_range(dtype, <int64_t>data[index]):
            return False
    return True


cdef object parsed(object items, object dtype):
    """Return the array of a nested list of numbers; NotImplemented where NumPy has to say what it is."""
    cdef int natural, wanted = -1 if dtype is None else dtype_index(dtype)
    cdef ndarray array
    if default_float() != FLOAT64 or default_int() != INT64 or wanted >= NUM_NUMPY_DTYPES:
        return NotImplemented
    array = of_sequence(items, FLOAT16 <= wanted <= FLOAT64)
    if array is None:
        return NotImplemented
    natural = dtype_of(array)
    if wanted < 0 or wanted == natural:
        return array
    if natural == COMPLEX128 and wanted != COMPLEX64 or natural == INT64 and (
            wanted == COMPLEX64 or INT8 <= wanted <= UINT64 and not fits(array, wanted)):
        return NotImplemented
    if natural == FLOAT64 and INT8 <= wanted <= UINT64 and not are_moderate(array, wanted):
        return NotImplemented
    return astype(array, wanted, ORDER_C, True)


cdef object of_range(object numbers, object dtype):
    """Return a range as an array; NotImplemented where its numbers are none of the dtype, or have more than 64 bits."""
    cdef int64_t start, step, last, place, count
    cdef int64_t* into
    cdef int wanted = INT64 if dtype is None else dtype_index(dtype)
    cdef ndarray array
    if not numbers or wanted >= NUM_NUMPY_DTYPES or wanted == BOOL or default_int() != INT64:
        items = listed(numbers, MANY)
        return parsed(items, dtype) if type(items) is list else NotImplemented
    first, end, by = numbers[0], numbers[-1], numbers.step
    if not integer_of(<PyObject*>first, &start) or not integer_of(<PyObject*>end, &last) or (
            not integer_of(<PyObject*>by, &step)):
        return NotImplemented
    if wanted < FLOAT16 and not (is_in_range(wanted, start) and is_in_range(wanted, last)):
        return NotImplemented
    count = len(numbers)
    array = new_array(INT64, 1, &count)
    into = <int64_t*>data_of(array)
    with nogil:
        for place in range(count):
            into[place] = start + place * step
    return array if wanted == INT64 else astype(array, wanted, ORDER_K, False)


cdef object of_number(object value, object dtype):
    """Return the 0-d array of a float, an int or a scalar of NumPy's; NotImplemented for all else."""
    cdef int natural = FLOAT64 if type(value) is float else INT64
    cdef int wanted
    cdef ndarray array
    if type(value) is not float and type(value) is not int:
        array = held_scalar(value)
        return NotImplemented if array is None else in_dtype(array_of_scalar(array), <PyObject*>dtype)
    if default_float() != FLOAT64 or default_int() != INT64:
        return NotImplemented
    wanted = natural if dtype is None else dtype_index(dtype)
    if wanted >= NUM_NUMPY_DTYPES or natural == FLOAT64 and wanted < FLOAT16:
        return NotImplemented
    array = new_array(wanted, 0, NULL)
    return array if store_weak(data_of(array), wanted, value) else NotImplemented


cdef object cast_to(ndarray array, int dtype, int order):
    """Return a copy of an array in a dtype and an order; NotImplemented where the dtype is none of NumPy's."""
    return NotImplemented if max(dtype, dtype_of(array)) >= NUM_NUMPY_DTYPES else astype(array, dtype, order, True)


cdef object in_dtype(ndarray array, PyObject* dtype):
    """Return an array that nobody else has in the dtype that is asked for, if one is."""
    if dtype == <PyObject*>None or dtype_index(<object>dtype) == dtype_of(array):
        return array
    return cast_to(array, dtype_index(<object>dtype), ORDER_K)


cdef object frombuffer_body(PyObject** slots):
    """frombuffer(buffer, dtype, count, offset, like): of aligned memory that holds as many elements as are asked for."""
    cdef ndarray array
    cdef int64_t count, offset, item, step = 1
    cdef int dtype
    cdef Py_buffer memory
    source = <object>slots[0]
    if slots[4] != <PyObject*>None or isinstance(source, ndarray) or not PyObject_CheckBuffer(source) or not thread_is_plain():
        return NotImplemented
    if not integer_of(slots[2], &count) or not integer_of(slots[3], &offset) or offset < 0:
        return NotImplemented
    dtype = FLOAT64 if slots[1] == <PyObject*>None else dtype_index(<object>slots[1])
    if dtype >= NUM_NUMPY_DTYPES or default_float() != FLOAT64:
        return NotImplemented
    if has_release(source):
        source = PyMemoryView_FromObject(source)  # it keeps the buffer exported
    PyObject_GetBuffer(source, &memory, PyBUF_SIMPLE)
    # What was exported stays so: by the view, or as long as the object lives.
    PyBuffer_Release(&memory)
    item = ITEMSIZES[dtype]
    if memory.len <= offset or (count < 0 and (memory.len - offset) % item) or (
            count == 0 or count > (memory.len - offset) // item):
        return NotImplemented
    if (<size_t>memory.buf + offset) % min(item, sizeof(double)):
        return NotImplemented
    if count < 0:
        count = (memory.len - offset) // item
    array = over_memory(source, <char*>memory.buf + offset, dtype, 1, &count, &step)
    array.base_ = source
    array.writeable_ = not memory.readonly
    return array


def with_base(ndarray array not None, base):
    """Return an array on the memory of a buffer as a view of what the buffer is of."""
    array.base_ = base.base if type(base) is ndarray and type(base.base) is ndarray else base
    return array


cdef object rest_of(flatiter iterator, int dtype):
    """Return the elements that an iterator of ours has not given yet, if they have a dtype, and let it be at its end."""
    cdef ndarray array = iterator.base
    cdef int64_t first = iterator.index
    if not array.header.is_plain() or dtype_of(array) != dtype or array.scalar_:
        return NotImplemented
    iterator.index = max(first, array.header.numel())
    return flatten(array, ORDER_C) if first == 0 else copy_array(ravel(array, ORDER_C)[first:], ORDER_C)


cdef object fromiter_body(PyObject** slots):
    """fromiter(iter, dtype, count, like): all of a list, a tuple, a range or an iterator of numbers."""
    cdef bint is_list = type(<object>slots[0]) is list or type(<object>slots[0]) is tuple
    if slots[3] != <PyObject*>None or type(<object>slots[2]) is not int or not thread_is_plain():
        return NotImplemented
    if <object>slots[2] != -1 and not (is_list and <object>slots[2] == len(<object>slots[0])):
        return NotImplemented
    if type(<object>slots[0]) is range:
        array = of_range(<object>slots[0], <object>slots[1])
        if array is not NotImplemented:
            return array
    if type(<object>slots[0]) is flatiter:
        array = rest_of(<flatiter><object>slots[0], dtype_index(<object>slots[1]))
        if array is not NotImplemented:
            return array
    if is_list:
        items = <object>slots[0] if type(<object>slots[0]) is list else list(<object>slots[0])
    elif (PyIter_Check(<object>slots[0]) or type(<object>slots[0]) is range) and type(<object>slots[1]) is type:
        rest = iter(<object>slots[0])
        items = list(islice(rest, FEW))
    else:
        return NotImplemented
    array = parsed(items, <object>slots[1]) if is_list or len(items) < FEW else NotImplemented
    if array is not NotImplemented and (<ndarray>array).header.dim() == 1:
        return array
    return NotImplemented if is_list else take_over(numpy.fromiter(chain(items, rest), <object>slots[1]))


cdef object array_body(PyObject** slots):
    # object, dtype, copy, order, subok, ndmin, ndmax, like, device
    cdef int64_t ndmin = 0
    cdef object result
    if <object>slots[5] is not ZERO and not (integer_of(slots[5], &ndmin) and 0 <= ndmin <= MAXDIMS):
        return NotImplemented
    result = new_array_of(slots)
    if result is NotImplemented or (<ndarray>result).header.dim() >= ndmin:
        return result
    if not is_letter(slots[3], LETTER_F) and not is_c_contiguous(<ndarray>result):
        return NotImplemented
    return with_axes_in_front(<ndarray>result, <int>ndmin, is_letter(slots[3], LETTER_F))


cdef ndarray with_axes_in_front(ndarray array, int ndmin, bint fortran):
    """Return a view of a plain array in C or Fortran's order with so many axes, the first ones of length one."""
    cdef int64_t[MAXDIMS] sizes, strides
    cdef int axis, missing = ndmin - array.header.dim()
    for axis in range(missing, ndmin):
        sizes[axis], strides[axis] = array.header.sizes()[axis - missing], array.header.strides()[axis - missing]
    for axis in range(missing):
        # As long a step as all of what comes before takes: in C's order, of what follows.
        sizes[axis], strides[axis] = 1, sizes[missing] * strides[missing] if ndmin > missing and not fortran else 1
    return plain_view(array, ndmin, sizes, strides, 0, 0)


cdef int order_of(PyObject* order) except -2:
    """Return the order of a letter; -1 for what is none."""
    return ORDER_K if order == <PyObject*>None or is_letter(order, LETTER_K) else (
        ORDER_C if is_letter(order, LETTER_C) else ORDER_F if is_letter(order, LETTER_F) else -1)


cdef object as_it_is(object given, PyObject* dtype, int order):
    """Return a plain array that needs no copy; NotImplemented for all else."""
    cdef ndarray source
    if type(given) is not ndarray or (<ndarray>given).scalar_ or not (<ndarray>given).header.is_plain():
        return NotImplemented
    source = <ndarray>given
    return source if has_order(source, order) and (
        dtype == <PyObject*>None or dtype_index(<object>dtype) == dtype_of(source)) else NotImplemented


cdef object new_array_of(PyObject** slots):
    """Return an array of the slots that `array_body` has, whatever `ndmin` is; NotImplemented for what is not common."""
    cdef int order = order_of(slots[3])
    if <object>slots[7] is not None or not is_host(<object>slots[8]) or order < 0 or <object>slots[6] is not ZERO or (
            not thread_is_plain()):
        return NotImplemented
    cdef ndarray source
    cdef object given = <object>slots[0]
    if <object>slots[2] is False:
        return as_it_is(given, slots[1], order)
    if <object>slots[2] is not True and <object>slots[2] is not None:
        return NotImplemented
    if is_numpys(given):
        given = from_numpy(given)
    if type(given) is not ndarray:
        return of_numbers(given, <object>slots[1], order)
    source = <ndarray>given
    if source.scalar_ and source.header.holds_value():
        return in_dtype(array_of_scalar(source), slots[1])
    if source.scalar_ or not source.header.is_plain():
        return NotImplemented
    return in_asked_order(source, slots[1], order) if <object>slots[2] is None else copied(source, slots[1], order)


cdef object copied(ndarray source, PyObject* dtype, int order):
    """Return a copy of a plain array in an order, and in a dtype where one is asked for."""
    return copy_array(source, order) if dtype == <PyObject*>None else cast_to(source, dtype_index(<object>dtype), order)


cdef object of_numbers(object given, object dtype, int order):
    """Return the new array of a sequence or a number; NotImplemented where NumPy has to say what it is."""
    kind = type(given)
    if kind is range:
        return of_range(given, dtype)
    if kind is not list and kind is not tuple:
        return of_number(given, dtype)
    result = parsed(given, dtype)
    return result if order != ORDER_F or result is NotImplemented else in_asked_order(<ndarray>result, <PyObject*>None, order)


cdef object asarray_body(PyObject** slots):
    # a, dtype, order, device, copy, like
    cdef ndarray array
    cdef object given = <object>slots[0]
    cdef int order = order_of(slots[2])
    if <object>slots[5] is not None or not is_host(<object>slots[3]) or order < 0:
        return NotImplemented
    if <object>slots[4] is False:
        return as_it_is(given, slots[1], order) if thread_is_plain() else NotImplemented
    if <object>slots[4] is True and type(given) is ndarray:
        array = <ndarray>given
        if array.scalar_ or not array.header.is_plain() or not thread_is_plain():
            return NotImplemented
        return copied(array, slots[1], order)
    if <object>slots[4] is not None:
        return NotImplemented
    if type(given) is ndarray:
        array = <ndarray>given
        if slots[3] == <PyObject*>None and slots[2] == <PyObject*>None and not array.scalar_ and (
                <object>slots[1] is None or dtype_index(<object>slots[1]) == dtype_of(array)):
            return array
        if not array.header.is_plain() or not thread_is_plain():
            return NotImplemented
        if array.scalar_:
            return in_dtype(array_of_scalar(array), slots[1]) if array.header.holds_value() else NotImplemented
        return in_asked_order(array, slots[1], order)
    if not thread_is_plain():
        return NotImplemented
    if is_numpys(given):
        return in_asked_order(from_numpy(given), slots[1], order)
    return of_numbers(given, <object>slots[1], order)


cdef object in_asked_order(ndarray array, PyObject* asked, int order):
    """Return a plain array, or a copy where it has another dtype or order than asked for."""
    cdef int dtype = dtype_of(array) if asked == <PyObject*>None else dtype_index(<object>asked)
    return array if dtype == dtype_of(array) and has_order(array, order) else cast_to(array, dtype, order)


cdef ndarray array_of_scalar(ndarray scalar):
    """Return a new array of the value that a scalar holds."""
    cdef ndarray array = new_array(scalar.header.value_dtype(), 0, NULL)
    memcpy(array.header.origin(), scalar.header.value(), ITEMSIZES[scalar.header.value_dtype()])
    return array


cdef object as_asked(PyObject* const* args, Py_ssize_t count):
    """Return an array that has the dtype and order that are asked for already."""
    cdef ndarray array
    if count > 3 or type(<object>args[0]) is not ndarray or function_mode_enabled():
        return NotImplemented
    array = <ndarray><object>args[0]
    if array.scalar_ or args[1] != <PyObject*>None and known_dtype(<object>args[1]) != dtype_of(array):
        return NotImplemented
    if count == 3 and (order_of(args[2]) < 0 or not has_order(array, order_of(args[2]))):
        return NotImplemented
    return array


# By its address, so that the compiler leaves it out of the short way.
cdef QuickBody with_more = as_asked


cdef object quick_asarray(PyObject* const* args, Py_ssize_t count):
    """asarray(a), asanyarray(a) of an array, NumPy's among them; with a dtype and order, if it has these."""
    if count != 1:
        return with_more(args, count)
    if function_mode_enabled():
        return NotImplemented
    if type(<object>args[0]) is not ndarray:
        return from_numpy(<object>args[0]) if is_numpys(<object>args[0]) and thread_is_plain() else NotImplemented
    if not (<ndarray><object>args[0]).scalar_:
        return <object>args[0]
    if (<ndarray><object>args[0]).header.holds_value() and thread_is_plain():
        return array_of_scalar(<ndarray><object>args[0])
    return NotImplemented


cdef object quick_require(PyObject* const* args, Py_ssize_t count):
    """require(a) and require(a, dtype)."""
    return quick_asarray(args, count) if count < 3 else NotImplemented


#: Name of the function to its body.
BODIES = {
    "array": new_compiled_body(array_body),
    "asarray": new_quick_body(quick_asarray, asarray_body),
    "require": new_quick_body_alone(quick_require),
    "frombuffer": new_compiled_body(frombuffer_body),
    "fromiter": new_compiled_body(fromiter_body),
}
