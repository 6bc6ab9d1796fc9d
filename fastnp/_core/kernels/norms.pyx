"""Norms of plain arrays, and what follows from singular values: rank, condition, pseudo-inverse, powers of matrices.

Each is composed, in the order of NumPy's operations, of what arrays do themselves. A body declines, by NotImplemented,
what is not common.
"""
from cpython.object cimport PyObject
from libc.math cimport INFINITY, fmax, isnan
from libc.stdint cimport int64_t, intptr_t

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport COMPLEX128, FLOAT16, FLOAT32, FLOAT64, INT64, ITEMSIZES, NUM_NUMPY_DTYPES
from fastnp._core.gufunc cimport plain_product
from fastnp._core.kernels.matrices cimport (
    inverse,
    is_complex_dtype,
    is_number,
    is_single,
    matrix_of,
    side,
    singular,
    singular_values,
)
from fastnp._core.kernels.shape cimport ravel
from fastnp._core.engine cimport Loop, clear_float_flags, raised_float_flags
from fastnp._core.loops cimport LoopTable, Resolution, report_float_flags, table_of
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    new_scalar,
    new_zeros,
    thread_is_plain,
)

import numpy

cdef extern from "passes.h" namespace "fastnp" nogil:
    int SQUARES "fastnp::SQUARES"
    bint sum_squared_deviations(int dtype, const void* data, const void* means, void* sums, int64_t rows, int64_t columns,
                                bint over_rows, unsigned* flags)
    void take_roots(int dtype, void* numbers, int64_t count)
    unsigned sum_last_axes(int what, int dtype, const void* data, void* sums, int64_t rows, int64_t columns)

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided "fastnp::casts::Strided")(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef LoopTable MATMUL = table_of(numpy.matmul)
cdef LoopTable CONJUGATE = table_of(numpy.conjugate)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef enum:
    AT_ONCE = 512
cdef object NO_VALUE = numpy._NoValue
# Elements from which a product of vectors is not NumPy's.
cdef int64_t LARGE = 65536
cdef double EPSILON = numpy.finfo(numpy.float64).eps


# --- norms ------------------------------------------------------------------------------------------------------------

cdef ndarray array_of(PyObject* slot, bint halves=False):
    """Return the array of a slot as one of inexact numbers, as norms take it; None where it is not a plain one, or of halves."""
    cdef ndarray array
    cdef int dtype
    if type(<object>slot) is not ndarray or not thread_is_plain():
        return None
    array = <ndarray>slot
    dtype = dtype_of(array)
    if not array.header.is_plain() or dtype >= NUM_NUMPY_DTYPES or dtype == FLOAT16 and not halves or (
            array.header.dim() == 0 or array.header.numel() == 0):
        return None
    return astype(array, FLOAT64, ORDER_K, False) if dtype < FLOAT16 else array


cdef ndarray roots_of(ndarray array):
    """Take the square root of each element of a new array, in place."""
    take_roots(dtype_of(array), data_of(array), array.header.numel())
    return array


cdef ndarray dot_of_itself(char* data, int dtype, int64_t count, int64_t stride):
    """Return the product of a vector with itself, by the loop that `dot` calls."""
    cdef Resolution* entry = MATMUL.find(dtype, dtype)
    cdef ndarray result = new_scalar(dtype)
    cdef intptr_t item = ITEMSIZES[dtype]
    cdef intptr_t[4] dims
    cdef intptr_t[9] steps
    cdef char* args[3]
    cdef unsigned flags
    dims = [1, 1, count, 1]
    steps = [0, 0, 0, count * stride, stride, stride, item, item, item]
    args[0], args[1], args[2] = data, data, data_of(result)
    clear_float_flags(dtype == FLOAT16)
    entry.loop.function(args, dims, steps, entry.loop.data)
    flags = raised_float_flags(dtype == FLOAT16)
    if flags:
        report_float_flags(flags, "dot")
    return result


cdef ndarray frobenius(ndarray array):
    """Return the root of the sum of all squares."""
    cdef int dtype = dtype_of(array)
    cdef int64_t item = ITEMSIZES[dtype]
    cdef ndarray first, second
    if not is_c_contiguous(array) and not is_f_contiguous(array):
        array = ravel(array, ORDER_K)
    if not is_complex_dtype(dtype) and dtype != FLOAT16 and array.header.numel() >= LARGE and is_c_contiguous(array):
        # By the product of vectors, which waits for no thread of NumPy's BLAS.
        vector = array.reshape(-1)
        return roots_of(plain_product(MATMUL, vector, vector, True, "dot"))
    if dtype == FLOAT16:
        first = dot_of_itself(data_of(array), dtype, array.header.numel(), item)
        second = roots_of(astype(first, FLOAT32, ORDER_K, True))
        find_cast(FLOAT16, FLOAT32)(data_of(first), item, data_of(second), item, 1)
        return first
    if not is_complex_dtype(dtype):
        return roots_of(dot_of_itself(data_of(array), dtype, array.header.numel(), item))
    dtype = FLOAT64 if dtype == COMPLEX128 else FLOAT32
    first = dot_of_itself(data_of(array), dtype, array.header.numel(), item)
    second = dot_of_itself(data_of(array) + item // 2, dtype, array.header.numel(), item)
    return roots_of(first + second)


cdef void square_complex(const Loop* conjugate, const Loop* product, char* data, char* into, int64_t count, int dtype,
                         int real) noexcept nogil:
    """Write the real parts of numbers by their conjugates, some at a time, so that these stay in the cache."""
    cdef double[2 * AT_ONCE] conjugates, products
    cdef intptr_t item = ITEMSIZES[dtype], part = ITEMSIZES[real], some
    cdef intptr_t[3] steps
    cdef char* args[3]
    cdef int64_t done = 0
    steps = [item, item, item]
    while done < count:
        some = min(AT_ONCE, count - done)
        args[0], args[1] = data + done * item, <char*>conjugates
        conjugate.function(args, &some, steps, conjugate.data)
        args[0], args[1], args[2] = <char*>conjugates, data + done * item, <char*>products
        product.function(args, &some, steps, product.data)
        find_cast(real, real)(into + done * part, part, <const char*>products, item, some)
        done += some


cdef ndarray squares_of_complex(ndarray array):
    cdef int dtype = dtype_of(array), real = FLOAT64 if dtype == COMPLEX128 else FLOAT32
    cdef Resolution* conjugate = CONJUGATE.find(dtype, 0)
    cdef Resolution* product = MULTIPLY.find(dtype, dtype)
    cdef ndarray result
    cdef char* data = data_of(array)
    cdef char* into
    cdef int64_t count = array.header.numel()
    cdef unsigned flags
    if not is_c_contiguous(array) and is_f_contiguous(array):
        return squares_of_complex(array.T).T
    # Elsewhere the loops round otherwise.
    if not is_c_contiguous(array) or conjugate.state != 1 or product.state != 1:
        return (array.conj() * array).real
    result = new_array(real, array.header.dim(), array.header.sizes())
    into = data_of(result)
    with nogil:
        clear_float_flags(False)
        square_complex(&conjugate.loop, &product.loop, data, into, count, dtype, real)
        flags = raised_float_flags(False)
    if flags:
        report_float_flags(flags, "multiply")
    return result


cdef object squares(ndarray array):
    return squares_of_complex(array) if is_complex_dtype(dtype_of(array)) else array * array


cdef unsigned sum_squares(int dtype, const void* data, const void* zeros, void* sums, int64_t rows,
                          int64_t columns) noexcept nogil:
    cdef unsigned flags = 0
    if zeros is NULL:
        return sum_last_axes(SQUARES, dtype, data, sums, rows, columns)
    sum_squared_deviations(dtype, data, zeros, sums, rows, columns, True, &flags)
    return flags


cdef ndarray squares_of_lines(ndarray array, object axis, bint keepdims):
    """Return the sums of squares along the last axis, or the first; None where it has to be in steps."""
    cdef int ndim = array.header.dim(), dtype = dtype_of(array), kept = 0, place, gone = 0
    cdef int64_t columns, rows
    cdef int64_t[64] sizes
    cdef unsigned flags = 0
    cdef bint one_line
    cdef ndarray result, means = None
    cdef const void* data
    cdef const void* zeros = NULL
    cdef void* sums
    if dtype not in (FLOAT32, FLOAT64) or not is_c_contiguous(array):
        return None
    if axis in (-1, ndim - 1):
        gone = ndim - 1
    elif axis not in (0, -ndim):
        return None
    for place in range(ndim):
        if place != gone or keepdims:
            sizes[kept] = 1 if place == gone else array.header.sizes()[place]
            kept += 1
    columns = array.header.sizes()[ndim - 1] if gone else array.header.numel() // array.header.sizes()[0]
    one_line = ndim == 1 or gone == 0 and columns == 1
    if one_line:
        columns = array.header.numel()
    rows = array.header.numel() // columns
    result = new_scalar(dtype) if kept == 0 else new_array(dtype, kept, sizes)
    data, sums = data_of(array), data_of(result)
    if gone == 0 and not one_line:
        # The squared deviations from nothing.
        means = new_zeros(dtype, 1, &columns)
        zeros = data_of(means)
    if array.header.numel() >= 20000:
        with nogil:
            flags = sum_squares(dtype, data, zeros, sums, rows, columns)
    else:
        flags = sum_squares(dtype, data, zeros, sums, rows, columns)
    return None if flags else result


cdef object along(ndarray array, object order, object axis, bint keepdims):
    """Return the norms of the vectors along an axis; NotImplemented for orders that are not common."""
    if order is None or order == 2:
        result = squares_of_lines(array, axis, keepdims)
        return roots_of((squares(array)).sum(axis, None, None, keepdims) if result is None else result)
    if order == 1:
        return abs(array).sum(axis, None, None, keepdims)
    if order == INFINITY:
        return abs(array).max(axis, None, keepdims, 0)
    if order == -INFINITY:
        return abs(array).min(axis, None, keepdims)
    if order == 0:
        return (array != 0).astype(array.real.dtype).sum(axis, None, None, keepdims)
    if is_single(dtype_of(array)):
        return NotImplemented
    total = (abs(array) ** order).sum(axis, None, None, keepdims)
    return total ** (1.0 / order)


cdef object across(ndarray array, object order, int row, int column, bint keepdims):
    """Return the norms of the matrices in two axes."""
    cdef int ndim = array.header.dim()
    if order is None or order == "fro" or order == "f":
        return roots_of(squares(array).sum((row, column), None, None, keepdims))
    if type(order) is str and order != "nuc":
        return NotImplemented
    if order == "nuc" or order == 2 or order == -2:
        if row != ndim - 2 or column != ndim - 1 or (ndim > 2 and not is_c_contiguous(array)):
            return NotImplemented
        values = singular_values(array)
        if values is None:
            return NotImplemented
        if order == "nuc":
            result = values.sum(-1, None, None, False, 0)
        else:
            result = values.max(-1, None, False, 0) if order == 2 else values.min(-1)
    elif order == 1 or order == -1:
        result = abs(array).sum(row, None, None, False)
        column -= column > row
        result = result.max(column, None, False, 0) if order == 1 else result.min(column)
        column += column >= row
    elif order == INFINITY or order == -INFINITY:
        result = abs(array).sum(column, None, None, False)
        row -= row > column
        result = result.max(row, None, False, 0) if order == INFINITY else result.min(row)
        row += row >= column
    else:
        return NotImplemented
    if keepdims:
        shape = list(array.shape)
        shape[row] = shape[column] = 1
        result = result.reshape(shape)
    return result


cdef bint is_order(object order) except -1:
    """Whether an order is spelled as it commonly is."""
    return order is None or type(order) is int or type(order) is float and not isnan(order) or type(order) is str


cdef int axis_in(object value, int ndim) except -2:
    """Return an axis counted from the first, or -1."""
    if type(value) is not int or not -ndim <= value < ndim:
        return -1
    return value if value >= 0 else value + ndim


cdef object norm(PyObject** slots):
    """norm(x, ord, axis, keepdims)."""
    cdef ndarray array = array_of(slots[0], True)
    cdef int ndim, row, column
    order, axis, keepdims = <object>slots[1], <object>slots[2], <object>slots[3]
    if array is None or type(keepdims) is not bool or not is_order(order):
        return NotImplemented
    ndim = array.header.dim()
    if axis is None:
        if order is None or ndim == 2 and (order == "fro" or order == "f") or ndim == 1 and order == 2:
            result = frobenius(array)
            return result.reshape([1] * ndim) if keepdims else result
        if ndim > 2:
            return NotImplemented
        axis = tuple(range(ndim))
    if dtype_of(array) == FLOAT16:
        return NotImplemented
    if type(axis) is tuple and len(axis) == 1:
        axis = axis[0]
    if type(axis) is int:
        if axis_in(axis, ndim) < 0 or type(order) is str:
            return NotImplemented
        return along(array, order, axis, keepdims)
    if type(axis) is not tuple or len(axis) != 2:
        return NotImplemented
    row, column = axis_in(axis[0], ndim), axis_in(axis[1], ndim)
    if row < 0 or column < 0 or row == column:
        return NotImplemented
    return across(array, order, row, column, keepdims)


cdef object matrix_norm(PyObject** slots):
    """matrix_norm(x, keepdims, ord)."""
    cdef ndarray array = array_of(slots[0])
    cdef int ndim
    order, keepdims = <object>slots[2], <object>slots[1]
    if array is None or type(keepdims) is not bool or not is_order(order) or array.header.dim() < 2:
        return NotImplemented
    ndim = array.header.dim()
    return across(array, order, ndim - 2, ndim - 1, keepdims)


cdef object vector_norm(PyObject** slots):
    """vector_norm(x, axis, keepdims, ord)."""
    cdef ndarray array = array_of(slots[0])
    axis, keepdims, order = <object>slots[1], <object>slots[2], <object>slots[3]
    if array is None or type(keepdims) is not bool or not is_order(order) or type(order) is str:
        return NotImplemented
    if axis is None:
        ndim = array.header.dim()
        # NumPy: the elements in their order, whatever that of their memory.
        array = array if is_c_contiguous(array) else copy_array(array, ORDER_C)
        result = along(array if ndim == 1 else array.reshape(-1), order, 0, False)
        return result.reshape([1] * ndim) if keepdims and result is not NotImplemented else result
    return NotImplemented if axis_in(axis, array.header.dim()) < 0 else along(array, order, axis, keepdims)


# --- what follows from singular values --------------------------------------------------------------------------------

cdef object cond(PyObject** slots):
    """cond(x, p)."""
    cdef ndarray array = matrix_of(slots[0], False), values, result
    cdef const double* value
    cdef double ratio
    cdef int64_t last
    p = <object>slots[1]
    if array is None or array.header.dim() != 2 or is_single(dtype_of(array)) or not (
            p is None or type(p) is int and (p == 2 or p == -2)):
        return NotImplemented
    values = singular_values(array)
    if values is None:
        return NotImplemented
    value, last = <const double*>data_of(values), values.header.numel() - 1
    ratio = value[last] / value[0] if p == -2 else value[0] / value[last]
    if isnan(ratio) and not (array != array).any():
        ratio = INFINITY
    result = new_scalar(FLOAT64)
    (<double*>data_of(result))[0] = ratio
    return result


cdef double largest(ndarray values) noexcept:
    """Return the largest of some numbers, NaN if one of them is."""
    cdef const double* value = <const double*>data_of(values)
    cdef double found = value[0]
    cdef int64_t index
    for index in range(values.header.numel()):
        if isnan(value[index]):
            return value[index]
        found = fmax(found, value[index])
    return found


cdef object matrix_rank(PyObject** slots):
    """matrix_rank(A, tol, hermitian, rtol)."""
    cdef ndarray array = matrix_of(slots[0], False), values, result
    cdef double limit
    cdef int64_t index, rank = 0
    tol, rtol = <object>slots[1], <object>slots[3]
    if array is None or array.header.dim() != 2 or is_single(dtype_of(array)) or <object>slots[2] is not False:
        return NotImplemented
    if tol is not None and (rtol is not None or type(tol) is not float) or rtol is not None and type(rtol) is not float:
        return NotImplemented
    values = singular_values(array)
    if values is None:
        return NotImplemented
    if tol is not None:
        limit = tol
    else:
        limit = max(side(array, 1), side(array, 2)) * EPSILON if rtol is None else rtol
        limit *= fmax(largest(values), 0)
    for index in range(values.header.numel()):
        rank += (<double*>data_of(values))[index] > limit
    result = new_scalar(INT64)
    (<int64_t*>data_of(result))[0] = rank
    return result


cdef object pinv(PyObject** slots):
    """pinv(a, rcond, hermitian, rtol)."""
    cdef ndarray array = matrix_of(slots[0], False), values
    cdef double limit = 1e-15
    cdef double* value
    cdef int64_t index
    rcond, rtol = <object>slots[1], <object>slots[3]
    if array is None or array.header.dim() != 2 or is_single(dtype_of(array)) or <object>slots[2] is not False:
        return NotImplemented
    if rcond is not None:
        if type(rcond) is not float or rtol is not NO_VALUE:
            return NotImplemented
        limit = rcond
    elif rtol is None:
        if dtype_of(array) < FLOAT16:
            return NotImplemented
        limit = max(side(array, 1), side(array, 2)) * EPSILON
    elif rtol is not NO_VALUE:
        if type(rtol) is not float:
            return NotImplemented
        limit = rtol
    factors = singular(array.conj() if is_complex_dtype(dtype_of(array)) else array, False)
    if factors is None:
        return NotImplemented
    u, values, vt = factors
    limit *= largest(values)
    value = <double*>data_of(values)
    for index in range(values.header.numel()):
        value[index] = 1 / value[index] if value[index] > limit else 0
    return times(vt.T, values.reshape(-1, 1) * u.T)


cdef object times(ndarray a, ndarray b):
    """Return a product with NumPy's bits: operators compute tiny ones themselves."""
    cdef ndarray product = plain_product(MATMUL, a, b, True) if a.header.dim() == 2 and dtype_of(a) != FLOAT16 else None
    return a @ b if product is None else product


cdef object matrix_power(PyObject** slots):
    """matrix_power(a, n)."""
    cdef ndarray array
    cdef object exponent = <object>slots[1]
    if type(<object>slots[0]) is not ndarray or type(exponent) is not int or not thread_is_plain():
        return NotImplemented
    array = <ndarray>slots[0]
    if array.header.dim() < 2 or not array.header.is_plain() or not is_number(dtype_of(array)) or (
            side(array, 1) != side(array, 2) or array.header.numel() == 0):
        return NotImplemented
    # NumPy: to the first power it is the very array.
    if exponent == 0 or exponent == 1:
        return NotImplemented
    base = array
    if exponent < 0:
        base = inverse(slots)
        if base is NotImplemented:
            return base
        exponent = -exponent
    if exponent == 3:
        return times(times(base, base), base)
    result = square = None
    while exponent > 0:
        square = base if square is None else times(square, square)
        if exponent & 1:
            result = square if result is None else times(result, square)
        exponent >>= 1
    return result


#: Name of the function to its body.
BODIES = {
    "cond": new_compiled_body(cond),
    "matrix_norm": new_compiled_body(matrix_norm),
    "matrix_power": new_compiled_body(matrix_power),
    "matrix_rank": new_compiled_body(matrix_rank),
    "norm": new_compiled_body(norm),
    "pinv": new_compiled_body(pinv),
    "vector_norm": new_compiled_body(vector_norm),
}
