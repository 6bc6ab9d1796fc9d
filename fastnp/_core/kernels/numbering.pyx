"""Numbers of elements, and the coordinates that they stand for.

Each body declines, by NotImplemented, what is not common: other orders than C's, other integers than int64, errors.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport LETTER_C
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport INT64
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    plain_view,
    thread_is_plain,
)

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)

cdef extern from "searching.h" namespace "fastnp" nogil:
    void write_coordinates(const int64_t* numbers, int64_t count, int ndim, const int64_t* shape, int64_t* out,
                           int64_t step, int64_t axis_step)

cdef str RAISE = "raise"


cdef int sizes_of(PyObject* slot, int64_t* sizes, int64_t* total) noexcept:
    """Read a tuple of sizes above zero, whose product is one of 63 bits; return how many, 0 for all else."""
    cdef Py_ssize_t axis, ndim
    if type(<object>slot) is not tuple or not 0 < len(<tuple><object>slot) < MAXDIMS:
        return 0
    ndim = len(<tuple><object>slot)
    total[0] = 1
    for axis in range(ndim):
        if not integer_of(PyTuple_GET_ITEM(<object>slot, axis), sizes + axis):
            return 0
        if not 0 < sizes[axis] <= (<int64_t>1 << 62) // total[0]:
            return 0
        total[0] *= sizes[axis]
    return <int>ndim


def triangle(int64_t rows, int64_t columns, int64_t first, bint upper):
    """Return the rows and the columns of the elements of a triangle of a matrix.

    Of row i these are the columns up to `first + i`, or from there on.
    """
    cdef int64_t row, column, start, end, count = 0
    cdef int64_t* row_of
    cdef int64_t* column_of
    cdef ndarray in_rows, in_columns
    for row in range(rows):
        end = min(max(first + row, 0), columns)
        count += columns - end if upper else end
    in_rows, in_columns = new_array(INT64, 1, &count), new_array(INT64, 1, &count)
    row_of, column_of = <int64_t*>data_of(in_rows), <int64_t*>data_of(in_columns)
    with nogil:
        for row in range(rows):
            end = min(max(first + row, 0), columns)
            start = end if upper else 0
            end = columns if upper else end
            for column in range(start, end):
                row_of[0], column_of[0] = row, column
                row_of += 1
                column_of += 1
    return in_rows, in_columns


cdef ndarray numbers_in_order(PyObject* slot):
    """Return an array of int64 of one dimension or more in C order; None for all else."""
    cdef ndarray numbers
    if not is_plain_array(slot):
        return None
    numbers = <ndarray><object>slot
    if dtype_of(numbers) != INT64 or numbers.header.dim() == 0 or not is_c_contiguous(numbers):
        return None
    return numbers


cdef bint read_number(PyObject* slot, int64_t* number) noexcept:
    """Whether an argument is one number, Python's or a scalar of int64, and which."""
    cdef ndarray scalar
    if type(<object>slot) is not ndarray:
        return integer_of(slot, number)
    scalar = <ndarray><object>slot
    if not scalar.scalar_ or not scalar.header.holds_value() or dtype_of(scalar) != INT64:
        return False
    number[0] = (<int64_t*>data_of(scalar))[0]
    return True


cdef object unravel_number(PyObject** slots):
    """unravel_index(indices, shape, order) of one number, in C order."""
    cdef int64_t number, size, total = 1
    cdef int axis, ndim
    cdef ndarray coordinate
    cdef tuple shape
    if not read_number(slots[0], &number):
        return NotImplemented
    if type(<object>slots[1]) is not tuple or slots[2] != <PyObject*>LETTER_C or not thread_is_plain() or number < 0:
        return NotImplemented
    shape = <tuple><object>slots[1]
    ndim = <int>len(shape)
    coordinates = [None] * ndim
    for axis in range(ndim - 1, -1, -1):
        if not integer_of(PyTuple_GET_ITEM(shape, axis), &size) or not 0 < size <= (<int64_t>1 << 62) // total:
            return NotImplemented
        total *= size
        coordinate = new_scalar(INT64)
        (<int64_t*>data_of(coordinate))[0] = number % size
        number //= size
        coordinates[axis] = coordinate
    return tuple(coordinates) if number == 0 else NotImplemented


cdef object unravel_index(PyObject** slots):
    """unravel_index(indices, shape, order)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int64_t total, place
    cdef int64_t outside = 0
    cdef int ndim, count, axis
    cdef const int64_t* given
    cdef ndarray numbers = numbers_in_order(slots[0]), whole
    if numbers is None:
        return unravel_number(slots)
    ndim, count = fill_shape(numbers, shape), sizes_of(slots[1], sizes, &total)
    if count == 0 or ndim + 1 > MAXDIMS or slots[2] != <PyObject*>LETTER_C:
        return NotImplemented
    given = <const int64_t*>data_of(numbers)
    for place in range(numbers.header.numel()):
        outside += not 0 <= given[place] < total
    if outside:
        return NotImplemented
    # NumPy: the coordinates of an element stand together, those along an axis are a view.
    shape[ndim] = count
    whole = new_array(INT64, ndim + 1, shape)
    write_coordinates(given, numbers.header.numel(), count, sizes, <int64_t*>data_of(whole), count, 1)
    strides[ndim - 1] = count
    for axis in range(ndim - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return tuple([plain_view(whole, ndim, shape, strides, axis, 0) for axis in range(count)])


cdef object number_of(tuple coordinates, const int64_t* sizes):
    """Return the number of the element at coordinates that are single numbers; NotImplemented for all else."""
    cdef int64_t coordinate, number = 0
    cdef Py_ssize_t axis
    cdef ndarray result
    for axis in range(len(coordinates)):
        if not read_number(PyTuple_GET_ITEM(coordinates, axis), &coordinate) or not 0 <= coordinate < sizes[axis]:
            return NotImplemented
        number = number * sizes[axis] + coordinate
    result = new_scalar(INT64)
    (<int64_t*>data_of(result))[0] = number
    return result


cdef object ravel_multi_index(PyObject** slots):
    """ravel_multi_index(multi_index, dims, mode, order)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t total, place, size, count
    cdef int64_t outside = 0
    cdef int axis, axes = sizes_of(slots[1], sizes, &total), ndim, other
    cdef const int64_t* given
    cdef int64_t* into
    cdef ndarray numbers, first, result = None
    if axes == 0 or slots[2] != <PyObject*>RAISE or slots[3] != <PyObject*>LETTER_C:
        return NotImplemented
    coordinates = <object>slots[0]
    if type(coordinates) is not tuple or len(coordinates) != axes:
        return NotImplemented
    first = numbers_in_order(<PyObject*>coordinates[0])
    if first is None:
        return number_of(<tuple>coordinates, sizes) if thread_is_plain() else NotImplemented
    ndim, count = fill_shape(first, shape), first.header.numel()
    result = new_array(INT64, ndim, shape)
    into = <int64_t*>data_of(result)
    for axis in range(axes):
        numbers = numbers_in_order(<PyObject*>coordinates[axis])
        if numbers is None or numbers.header.dim() != ndim:
            return NotImplemented
        for other in range(ndim):
            if numbers.header.sizes()[other] != shape[other]:
                return NotImplemented
        given, size = <const int64_t*>data_of(numbers), sizes[axis]
        for place in range(count):
            outside += not 0 <= given[place] < size
            into[place] = given[place] if axis == 0 else into[place] * size + given[place]
    return NotImplemented if outside else result


#: Name of the function to its body.
BODIES = {
    "ravel_multi_index": new_compiled_body(ravel_multi_index),
    "unravel_index": new_compiled_body(unravel_index),
}
