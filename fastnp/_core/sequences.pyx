"""Nested lists and tuples of numbers to arrays.

One walk finds the shape and the kinds of the numbers, a second one writes them. Neither runs anybody's code.
"""
cimport numpy as cnp
from cpython.complex cimport PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from fastnp._core.dtype cimport BOOL, COMPLEX128, FLOAT64, INT64, ITEMSIZES, NUM_NUMPY_DTYPES, default_float, default_int
from fastnp._core.engine cimport Operand, copy_operand
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    thread_is_plain,
)
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.torch_tensor cimport is_tensor

import numpy

cnp.import_array()

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)
    PyObject** PySequence_Fast_ITEMS(object)
    Py_ssize_t PySequence_Fast_GET_SIZE(object)

cdef object NUMPY_FLOAT64 = numpy.float64
cdef object NUMPY_INT64 = numpy.int64

# What the numbers are, as bits; none of them: something that NumPy has to look at.
cdef enum Found:
    BOOLS = 1
    INTS = 2
    FLOATS = 4
    COMPLEXES = 8
    NOTHING = 16  # a sequence of length zero


cdef inline int kind_of(object value) noexcept:
    kind = type(value)
    if kind is float or kind is NUMPY_FLOAT64:
        return FLOATS
    if kind is int or kind is NUMPY_INT64:
        return INTS
    if kind is bool:
        return BOOLS
    if kind is complex:
        return COMPLEXES
    if kind is ndarray and (<ndarray>value).header.holds_value():
        return kind_of_scalar((<ndarray>value).header.dtype())
    return 0


cdef inline int kind_of_scalar(int dtype) noexcept:
    if dtype == FLOAT64:
        return FLOATS
    if dtype == INT64:
        return INTS
    if dtype == BOOL:
        return BOOLS
    return COMPLEXES if dtype == COMPLEX128 else 0


cdef int kinds_of(object items, int axis, int ndim, const int64_t* sizes) noexcept:
    """Return the kinds of all numbers in a sequence; 0 where there is another thing, or a sequence of another length."""
    cdef PyObject** member = PySequence_Fast_ITEMS(items)
    cdef Py_ssize_t index, count = PySequence_Fast_GET_SIZE(items)
    cdef int kinds = 0, kind
    if count != sizes[axis]:
        return 0
    if count == 0:
        return NOTHING
    for index in range(count):
        value = <object>member[index]
        if axis + 1 == ndim:
            kind = kind_of(value)
        else:
            kind = kinds_of(value, axis + 1, ndim, sizes) if is_sequence(value) else 0
        if kind == 0:
            return 0
        kinds |= kind
    return kinds


cdef bint read_integer(object value, int64_t* number) noexcept:
    """Read an int, a bool or an integer scalar; False where it does not fit."""
    cdef int overflow = 0
    if type(value) is ndarray:
        number[0] = ((<int64_t*>(<ndarray>value).header.origin())[0] if (<ndarray>value).header.dtype() == INT64
                     else (<uint8_t*>(<ndarray>value).header.origin())[0])
    elif type(value) is NUMPY_INT64:
        cnp.PyArray_ScalarAsCtype(value, number)
    elif type(value) is bool:
        number[0] = value is True
    else:
        number[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow


cdef bint read_parts(object value, double* parts) noexcept:
    """Read any number as a complex one; False where an int does not fit into 64 bits."""
    cdef int64_t integer
    parts[1] = 0
    if PyFloat_CheckExact(value) or type(value) is NUMPY_FLOAT64:
        parts[0] = PyFloat_AS_DOUBLE(value)
    elif PyComplex_CheckExact(value):
        parts[0], parts[1] = PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value)
    elif type(value) is ndarray and (<ndarray>value).header.dtype() == FLOAT64:
        parts[0] = (<double*>(<ndarray>value).header.origin())[0]
    elif type(value) is ndarray and (<ndarray>value).header.dtype() == COMPLEX128:
        memcpy(parts, (<ndarray>value).header.origin(), 16)
    else:
        if not read_integer(value, &integer):
            return False
        parts[0] = <double>integer
    return True


cdef char* write_row(object items, int dtype, char* data) noexcept:
    """Write numbers side by side and return where they end; NULL where an int does not fit into 64 bits."""
    cdef PyObject** member = PySequence_Fast_ITEMS(items)
    cdef Py_ssize_t index
    cdef int64_t integer
    cdef double parts[2]
    for index in range(PySequence_Fast_GET_SIZE(items)):
        value = <object>member[index]
        if dtype == FLOAT64 and PyFloat_CheckExact(value):
            (<double*>data)[0] = PyFloat_AS_DOUBLE(value)
        elif dtype == INT64 or dtype == BOOL:
            if not read_integer(value, &integer):
                return NULL
            if dtype == BOOL:
                data[0] = <char>integer
            else:
                (<int64_t*>data)[0] = integer
        else:
            if not read_parts(value, parts):
                return NULL
            memcpy(data, parts, ITEMSIZES[dtype])
        data += ITEMSIZES[dtype]
    return data


cdef char* write(object items, int axis, int ndim, int dtype, char* data) noexcept:
    cdef Py_ssize_t index
    if axis + 1 == ndim:
        return write_row(items, dtype, data)
    for index in range(PySequence_Fast_GET_SIZE(items)):
        data = write(<object>PySequence_Fast_ITEMS(items)[index], axis + 1, ndim, dtype, data)
        if data is NULL:
            break
    return data


cdef int check_depth(int depth) except -1:
    if depth >= MAXDIMS:
        raise ValueError("setting an array element with a sequence. The requested array would exceed the maximum number of "
                         f"dimension of {MAXDIMS}.")
    return 0


cdef bint holds_tensors(object sequence, bint plain=False, int depth=0) except -1:
    check_depth(depth)
    for item in sequence:
        if is_tensor(item) or isinstance(item, ndarray) and not (plain and (<ndarray>item).header.is_plain()):
            return True
        if isinstance(item, (list, tuple)) and holds_tensors(item, plain, depth + 1):
            return True
    return False


cdef ndarray of_sequence(object items, bint as_floats):
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim = 0, kinds, dtype
    cdef ndarray array
    head = items
    while is_sequence(head):
        if ndim == MAXDIMS:
            return None
        sizes[ndim] = PySequence_Fast_GET_SIZE(head)
        ndim += 1
        if sizes[ndim - 1] == 0:
            break
        head = <object>PySequence_Fast_ITEMS(head)[0]
    kinds = kinds_of(items, 0, ndim, sizes)
    if kinds == 0:
        return of_nested(items, ndim) if ndim > 0 and type(head) is ndarray else None
    if kinds & COMPLEXES:
        dtype = COMPLEX128
    elif as_floats or kinds & (FLOATS | NOTHING):
        dtype = FLOAT64
    else:
        dtype = INT64 if kinds & INTS else BOOL
    if as_floats and dtype != FLOAT64:
        return None
    array = new_array(dtype, ndim, sizes)
    return array if write(items, 0, ndim, dtype, data_of(array)) is not NULL else None


cdef ndarray of_nested(object items, int depth):
    """Return sequences of plain arrays, nested to a depth, as an array; None where they are not alike."""
    cdef list rows
    if not is_sequence(items) or PySequence_Fast_GET_SIZE(items) == 0:
        return None
    if depth > 1:
        rows = []
        for item in items:
            row = of_nested(item, depth - 1)
            if row is None:
                return None
            rows.append(row)
        items = rows
    head = <object>PySequence_Fast_ITEMS(items)[0]
    return of_arrays(items, <ndarray>head) if type(head) is ndarray else None


cdef ndarray of_arrays(object items, ndarray first):
    """Return plain arrays of one dtype and shape as the rows of a new one; None where they are not that."""
    cdef Operand into, row
    cdef Py_ssize_t index, count = PySequence_Fast_GET_SIZE(items)
    cdef int axis, dtype = dtype_of(first), ndim = first.header.dim()
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t bytes = ITEMSIZES[dtype]
    cdef ndarray array, member
    if ndim + 1 > MAXDIMS or dtype >= NUM_NUMPY_DTYPES:
        return None
    sizes[0] = count
    fill_shape(first, sizes + 1)
    for index in range(count):
        if type(<object>PySequence_Fast_ITEMS(items)[index]) is not ndarray:
            return None
        member = <ndarray>PySequence_Fast_ITEMS(items)[index]
        if not member.header.is_plain() or dtype_of(member) != dtype or member.header.dim() != ndim:
            return None
        for axis in range(ndim):
            if member.header.sizes()[axis] != sizes[axis + 1]:
                return None
    array = new_array(dtype, ndim + 1, sizes)
    for axis in range(ndim):
        bytes *= sizes[axis + 1]
    for index in range(count if bytes else 0):
        member = <ndarray>PySequence_Fast_ITEMS(items)[index]
        if is_c_contiguous(member):
            memcpy(data_of(array) + index * bytes, data_of(member), bytes)
            continue
        into.data, row.data = data_of(array) + index * bytes, data_of(member)
        into.type = row.type = dtype
        into.ndim = row.ndim = ndim
        fill_shape(member, into.shape)
        fill_shape(member, row.shape)
        fill_strides(member, row.strides)
        for axis in range(ndim):
            into.strides[axis] = array.header.strides()[axis + 1] * ITEMSIZES[dtype]
        copy_operand(into, row)
    return array


cdef object listed(object items, int64_t most):
    return list(items) if type(items) is range and len(items[:most + 1]) <= most else items


cdef list with_arrays(object operands):
    cdef list arrays = []
    if not thread_is_plain() or default_float() != FLOAT64 or default_int() != INT64:
        return None
    for operand in operands:
        if type(operand) is ndarray and not (<ndarray>operand).header.is_plain():
            return None  # what is beside it may have to follow it to its device
        if is_sequence(operand):
            operand = of_sequence(operand, False)
        elif type(operand) is not ndarray and not PyFloat_CheckExact(operand) and not PyLong_CheckExact(operand):
            operand = held_scalar(operand)
        if operand is None:
            return None
        arrays.append(operand)
    return arrays
