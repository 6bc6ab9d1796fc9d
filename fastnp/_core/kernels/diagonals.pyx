"""Matrices and their diagonals: eye, identity, diag, fill_diagonal. Each body declines, by NotImplemented, what is not common.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport LETTER_F, assign_value, pack
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, ITEMSIZES, NUM_NUMPY_DTYPES, dtype_index
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.kernels.creation cimport is_common, is_letter
from fastnp._core.kernels.shape cimport diagonal
from fastnp._core.ndarray cimport data_of, dtype_of, fill_strides, ndarray, new_zeros
from fastnp._core.single_calls cimport matrix_single

cdef extern from "moves.h" namespace "fastnp" nogil:
    void move_strided(int64_t item, char* into, int64_t into_step, const char* source, int64_t step, int64_t n)

# The squares of lengths below this are integers of 64 bits.
cdef int64_t EXACT = <int64_t>1 << 31


cdef bint put_ones(ndarray matrix, int64_t distance) except -1:
    """Write ones along a diagonal of a matrix of zeros in C order."""
    cdef char one[16]
    cdef int64_t rows = matrix.header.sizes()[0], columns = matrix.header.sizes()[1]
    cdef int64_t above = max(distance, 0), before = max(-distance, 0), length = min(rows - before, columns - above)
    cdef int itemsize = ITEMSIZES[dtype_of(matrix)]
    pack(one, dtype_of(matrix), True if dtype_of(matrix) == BOOL else 1)
    if length > 0:
        move_strided(itemsize, data_of(matrix) + (before * columns + above) * itemsize, (columns + 1) * itemsize, one, 0, length)
    return True


cdef object eye_body(PyObject** slots):
    """eye(N, M, k, dtype, order, device, like)."""
    cdef int64_t[2] sizes, turned, steps
    cdef int64_t distance
    cdef int dtype
    cdef ndarray matrix
    cdef bint fortran = is_letter(slots[4], LETTER_F)
    if not is_common(None if fortran else <object>slots[4], <object>slots[5], <object>slots[6]) or (
            not integer_of(slots[0], &sizes[0])):
        return NotImplemented
    sizes[1] = sizes[0]
    if slots[1] != <PyObject*>None and not integer_of(slots[1], &sizes[1]) or not integer_of(slots[2], &distance):
        return NotImplemented
    dtype = dtype_index(<object>slots[3])
    if not (0 <= sizes[0] < EXACT and 0 <= sizes[1] < EXACT) or dtype >= NUM_NUMPY_DTYPES:
        return NotImplemented
    if not fortran:
        return ones_along(dtype, sizes, distance)
    turned, steps = [sizes[1], sizes[0]], [1, max(sizes[0], 1)]
    matrix = ones_along(dtype, turned, -distance)
    matrix.header.set_layout(dtype, 2, sizes, steps)
    return matrix


cdef ndarray ones_along(int dtype, const int64_t* sizes, int64_t distance):
    """Return a matrix in C order with ones along a diagonal, at a distance from the first."""
    cdef ndarray matrix = new_zeros(dtype, 2, sizes)
    if -sizes[0] < distance < sizes[1]:
        put_ones(matrix, distance)
    return matrix


cdef object identity_body(PyObject** slots):
    """identity(n, dtype, like)."""
    cdef int64_t sizes[2]
    cdef int dtype
    cdef ndarray matrix
    if not is_common(None, None, <object>slots[2]) or not integer_of(slots[0], &sizes[0]) or not 0 <= sizes[0] < EXACT:
        return NotImplemented
    sizes[1] = sizes[0]
    dtype = dtype_index(<object>slots[1])
    if dtype >= NUM_NUMPY_DTYPES:
        return NotImplemented
    matrix = new_zeros(dtype, 2, sizes)
    put_ones(matrix, 0)
    return matrix


cdef object diag_body(PyObject** slots):
    """diag(v, k)."""
    cdef int64_t sizes[2]
    cdef int64_t step = 0, distance, length, start
    cdef int itemsize
    cdef ndarray array, matrix
    if type(<object>slots[0]) is not ndarray or not integer_of(slots[1], &distance) or not -EXACT < distance < EXACT:
        return NotImplemented
    array = <ndarray><object>slots[0]
    if not is_plain_array(slots[0]):
        if array.header.dim() == 2:
            return diagonal(array, <object>slots[1], 0, 1)
        matrix = matrix_single(array, distance) if array.header.dim() == 1 else None
        return NotImplemented if matrix is None else matrix
    if array.header.dim() == 2:
        return diagonal(array, <object>slots[1], 0, 1)
    if array.header.dim() != 1 or array.header.numel() >= EXACT:
        return NotImplemented
    length = array.header.numel()
    sizes[0] = sizes[1] = length + (distance if distance > 0 else -distance)
    matrix = new_zeros(dtype_of(array), 2, sizes)
    itemsize = ITEMSIZES[dtype_of(array)]
    start = distance if distance > 0 else -distance * sizes[1]
    fill_strides(array, &step)
    move_strided(itemsize, data_of(matrix) + start * itemsize, (sizes[1] + 1) * itemsize, data_of(array), step, length)
    return matrix


cdef object fill_diagonal_body(PyObject** slots):
    """fill_diagonal(a, val, wrap) of a matrix, with a number."""
    cdef ndarray array, places
    kind = type(<object>slots[1])
    if not is_plain_array(slots[0]) or kind is not float and kind is not int and kind is not bool or (
            <object>slots[2] is not False):
        return NotImplemented
    array = <ndarray><object>slots[0]
    if array.header.dim() != 2 or not array.writeable_:
        return NotImplemented
    places = diagonal(array, 0, 0, 1)
    places.writeable_ = True
    assign_value(places, <object>slots[1])
    array.header.bump_version()
    return None


BODIES = {
    "diag": new_compiled_body(diag_body),
    "eye": new_compiled_body(eye_body),
    "fill_diagonal": new_compiled_body(fill_diagonal_body),
    "identity": new_compiled_body(identity_body),
}
