"""Products of vectors and matrices: dot, inner, vdot, by the inner loop of `matmul`, or torch's function.

Each body declines, by NotImplemented, what is not that.
"""
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int64_t, intptr_t
from libc.string cimport memcmp

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, is_stretched, new_like
from fastnp._core.aten cimport call_binary, operator_of
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body
from fastnp._core.dtype cimport (
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT64,
    ITEMSIZES,
    default_float,
    default_int,
)
from fastnp._core.engine cimport RELEASE_FROM, clear_float_flags, raised_float_flags
from fastnp._core.gufunc cimport compute_gufunc, is_large_product, plain_product, product_at_once, takes_product
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of, is_plain_array
from fastnp._core.kernels.shape cimport permute, ravel, reshape
from fastnp._core.kernels.summed_products cimport summed_products
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, is_plain, report_float_flags, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    Header,
    data_of,
    dtype_of,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    new_zeros,
    thread_is_plain,
    transposed,
)
from fastnp._core.operands cimport call_numpy
from fastnp._core.ufunc_call cimport goes_into
from fastnp._core.ufunc_torch cimport fill_operand, is_general, new_general
from fastnp._core.vecdot cimport plain_vecdot

import numpy
import torch

cdef extern from "Python.h":
    PyObject* PySequence_Fast_GET_ITEM(object, Py_ssize_t)

cdef extern from "crosses.h" namespace "fastnp" nogil:
    bint cross_vectors(int dtype, const char* a, bint a_repeated, const char* b, bint b_repeated, char* out, int64_t count)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef LoopTable MATMUL = table_of(numpy.matmul)
cdef LoopTable ADD = table_of(numpy.add)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef LoopTable VECDOT = table_of(numpy.vecdot)
cdef enum:
    FEW = 1 << 15  # elements that are multiplied with the interpreter held
    BLOCK = 2048   # of them are multiplied, then added to zeros

cdef int CROSS = operator_of(torch.linalg.cross, 2)


cdef object product(PyObject** slots, str name):
    """Return the product of slots (a, b), whatever follows them; warnings call it `name`, and "" gives none."""
    cdef ndarray result
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    if is_general(<object>slots[0], <object>slots[1]):
        if (<ndarray>slots[0]).header.dim() > 2 or (<ndarray>slots[1]).header.dim() > 2:
            return NotImplemented
        by_torch = product_at_once(MATMUL, <object>slots[0], <object>slots[1])
        return NotImplemented if by_torch is None else by_torch
    if dtype_of(<ndarray>slots[0]) == FLOAT16 or is_large_product(MATMUL, (<object>slots[0], <object>slots[1])):
        return NotImplemented
    result = plain_product(MATMUL, <ndarray>slots[0], <ndarray>slots[1], True, name)
    return NotImplemented if result is None else result


cdef bint are_vectors(PyObject** slots) noexcept:
    return type(<object>slots[0]) is ndarray and type(<object>slots[1]) is ndarray and (
        (<ndarray>slots[0]).header.dim() == 1 and (<ndarray>slots[1]).header.dim() == 1)


cdef object dot(PyObject** slots):
    """dot(a, b, out)."""
    if slots[2] == <PyObject*>None:
        return product_of_dot(slots)
    # NumPy: only an array in C order will do, and one of no axes comes back as a scalar.
    if not takes_product(<object>slots[2]) or not is_c_contiguous(<ndarray>slots[2]) or not (<ndarray>slots[2]).header.dim():
        return NotImplemented
    result = product_of_dot(slots)
    if type(result) is not ndarray or not goes_into(<ndarray>slots[2], result):
        return NotImplemented
    return <object>slots[2]


cdef object matmul(PyObject** slots):
    """linalg.matmul(x1, x2)."""
    return product(slots, None)


cdef object product_of_dot(PyObject** slots):
    cdef PyObject* pieces[2]
    cdef ndarray result
    if is_number(slots[0]) or is_number(slots[1]):
        return product_with_number(slots)
    if is_plain_array(slots[0]) and is_plain_array(slots[1]) and (
            (<ndarray>slots[0]).header.dim() > 2 or (<ndarray>slots[1]).header.dim() > 2):
        result = product_of_lines(<ndarray>slots[0], <ndarray>slots[1])
        return NotImplemented if result is None else result
    if are_plain_halves(slots):
        if are_vectors(slots):
            return product_with_conjugate(slots, "dot")
        # NumPy: no BLAS, the products of a line one after the other.
        result = product_of_lines(astype(<ndarray>slots[0], FLOAT16, ORDER_C, False), <ndarray>slots[1])
        return NotImplemented if result is None else result
    if is_complex_column(<object>slots[0], <object>slots[1]):
        return call_numpy(numpy.dot, (<object>slots[0], <object>slots[1]), {})
    if are_vectors(slots) and is_plain_array(slots[0]) and is_plain_array(slots[1]) and (
            dtype_of(<ndarray>slots[0]) >= COMPLEX64 and (<ndarray>slots[0]).header.numel() >= BLOCK):
        # The loop of matmul takes three times as long of those that lie apart or backwards.
        left, right = in_one_piece(<ndarray>slots[0]), in_one_piece(<ndarray>slots[1])
        pieces[0], pieces[1] = <PyObject*>left, <PyObject*>right
        return product(pieces, "dot")
    return product(slots, "dot")


cdef ndarray in_one_piece(ndarray array):
    return astype(array, dtype_of(array), ORDER_C, False)


cdef bint are_plain_halves(PyObject** slots) noexcept:
    return is_plain_array(slots[0]) and is_plain_array(slots[1]) and (
        dtype_of(<ndarray>slots[0]) == FLOAT16 and dtype_of(<ndarray>slots[1]) == FLOAT16)


cdef bint is_number(PyObject* slot) noexcept:
    """Whether an operand is no array, or one of no axes."""
    return type(<object>slot) is not ndarray or (<ndarray>slot).header.dim() == 0


cdef object product_with_number(PyObject** slots):
    if is_number(slots[1]) and is_plain_array(slots[0]):
        return multiple_of(<ndarray>slots[0], factor_of(slots[1]))
    if is_number(slots[0]) and is_plain_array(slots[1]):
        return multiple_of(<ndarray>slots[1], factor_of(slots[0]))
    return NotImplemented


cdef ndarray factor_of(PyObject* slot):
    """Return one of Python's numbers, or a plain array of no axes, as an array; None for all else."""
    cdef ndarray number
    if type(<object>slot) is not ndarray and (default_float() != FLOAT64 or default_int() != INT64):
        return None
    if PyFloat_CheckExact(<object>slot):
        number = new_scalar(FLOAT64)
        (<double*>data_of(number))[0] = PyFloat_AS_DOUBLE(<object>slot)
        return number
    if PyLong_CheckExact(<object>slot):
        number = new_scalar(INT64)
        return number if integer_of(slot, <int64_t*>data_of(number)) else None
    return <ndarray>slot if is_plain_array(slot) and (<ndarray>slot).header.dim() == 0 else None


cdef object multiple_of(ndarray array, ndarray number):
    """Return `dot` of few numbers in C order and of a real one; NotImplemented for others."""
    cdef Resolution* entry
    cdef Resolution* sums
    cdef int dtype, order = ORDER_C
    cdef intptr_t done, block, count = array.header.numel()
    cdef double[2] zero = [0, 0]
    cdef char* args[3]
    cdef intptr_t[3] steps
    cdef unsigned flags
    cdef bint by_blas = array.header.dim() <= 2 and count > 1
    cdef ndarray result
    if number is None or array.header.dim() == 0 or count > FEW:
        return NotImplemented
    entry = MULTIPLY.find(dtype_of(array), dtype_of(number))
    dtype = entry.types[2]
    if entry.state != 1 or dtype_of(number) > FLOAT64 or not INT8 <= dtype <= COMPLEX128 or dtype == FLOAT16 or (
            entry.types[0] != dtype or entry.types[1] != dtype):
        return NotImplemented
    # NumPy: multiples lie as the array does, but for those that BLAS computes.
    if not (by_blas and dtype >= FLOAT32) and not is_c_contiguous(array):
        if is_stretched(array):
            return NotImplemented
        order = ORDER_K
    if by_blas and dtype >= FLOAT32 and not number:
        return new_zeros(dtype, array.header.dim(), array.header.sizes())  # NumPy: whatever the array has
    if dtype >= COMPLEX64 and number != number:
        return NotImplemented
    number = astype(number, dtype, ORDER_C, False)
    array = astype(array, dtype, order, order == ORDER_K)
    result = new_like(array, dtype, order)
    steps[0], steps[1], steps[2] = ITEMSIZES[dtype], 0, ITEMSIZES[dtype]
    sums = ADD.find(dtype, dtype)
    clear_float_flags(True)
    for done in range(0, count, BLOCK):
        block = min(BLOCK, count - done)
        args[2] = data_of(result) + done * ITEMSIZES[dtype]
        args[0], args[1] = data_of(array) + done * ITEMSIZES[dtype], data_of(number)
        entry.loop.function(args, &block, steps, entry.loop.data)
        if by_blas and dtype >= FLOAT32:
            # NumPy: BLAS adds the multiple to zeros, so that none is -0.
            args[0], args[1] = args[2], <char*>zero
            sums.loop.function(args, &block, steps, sums.loop.data)
    flags = raised_float_flags(True)
    if flags:
        report_float_flags(flags, "dot" if by_blas else "multiply")
    return result


cdef ndarray product_of_lines(ndarray a, ndarray b):
    """Return `dot` of plain arrays of more axes: the last of the first with the last but one of the second, line by line.

    None for what is not of one dtype that is real, or where a line is not a step further than the one before.
    """
    cdef int dtype = dtype_of(a), first = a.header.dim(), second = b.header.dim(), axis, ndim = 0
    cdef int64_t rows = 1, columns = 1, n, row
    cdef int64_t shape[MAXDIMS]
    cdef int64_t right[MAXDIMS]
    cdef intptr_t item
    cdef intptr_t[2] dims
    cdef intptr_t[5] steps
    cdef char* args[3]
    cdef char* left = data_of(a)
    cdef char* right_data
    cdef char* into
    cdef unsigned flags
    cdef Resolution* entry
    cdef ndarray result
    if first == 0 or second == 0 or second > 2 or dtype > FLOAT64 or dtype_of(b) > FLOAT64:
        return None
    if dtype != dtype_of(b):
        entry = VECDOT.find(dtype, dtype_of(b))
        if entry.state != 1 or entry.types[0] != entry.types[1] or entry.types[0] > FLOAT64:
            return None
        return product_of_lines(astype(a, entry.types[0], ORDER_C, False), astype(b, entry.types[0], ORDER_C, False))
    n = a.header.sizes()[first - 1]
    if b.header.sizes()[second - 2 if second > 1 else 0] != n or n == 0 or not is_c_contiguous(a):
        return None
    for axis in range(first - 1):
        shape[ndim] = a.header.sizes()[axis]
        rows *= shape[ndim]
        ndim += 1
    if second > 1:
        columns = shape[ndim] = b.header.sizes()[1]
        ndim += 1
    entry = VECDOT.find(dtype, dtype)
    if entry.state != 1 or rows * columns == 0:
        return None
    result = new_array(dtype, ndim, shape)
    fill_strides(b, right)
    item = ITEMSIZES[dtype]
    dims = [columns, n]
    steps = [0, right[1] if second > 1 else 0, item, item, right[0]]
    if second == 1:
        # All lines by one call.
        dims[0], steps[0], rows = rows, n * item, 1
    into, right_data = data_of(result), data_of(b)
    with nogil:
        clear_float_flags(True)
        for row in range(rows):
            # The loop moves what it is given.
            args[0], args[1], args[2] = left + row * n * item, right_data, into + row * columns * item
            entry.loop.function(args, dims, steps, entry.loop.data)
        flags = raised_float_flags(True)
    if flags:
        report_float_flags(flags, "dot")
    return result


cdef bint is_complex_column(object a, object b):
    """Whether plain arrays are a column and a row, one of them complex, which NumPy's `dot` gives to BLAS.

    -1 * 0 is -0 there; the loop of matmul adds that to 0.
    """
    if type(a) is not ndarray or type(b) is not ndarray or not thread_is_plain():
        return False
    return (<ndarray>a).header.dim() == 2 and (<ndarray>b).header.dim() == 2 and (<ndarray>a).header.sizes()[1] == 1 and (
        (<ndarray>b).header.sizes()[0] == 1 and is_plain(<ndarray>a) and is_plain(<ndarray>b)
        and dtype_of(<ndarray>a) <= COMPLEX128 and dtype_of(<ndarray>b) <= COMPLEX128
        and (dtype_of(<ndarray>a) >= COMPLEX64 or dtype_of(<ndarray>b) >= COMPLEX64))


cdef object inner(PyObject** slots):
    """inner(a, b)."""
    if is_number(slots[0]) or is_number(slots[1]):
        return product_with_number(slots)
    if not are_vectors(slots):
        return product_with_rows(slots)
    return product_with_conjugate(slots, "dot") if are_plain_halves(slots) else product(slots, "dot")


cdef object product_with_rows(PyObject** slots):
    """Return `inner` of plain matrices, or of one and a vector: a product with the second one transposed."""
    cdef PyObject* factors[2]
    cdef ndarray rows
    cdef int first, second
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]):
        return NotImplemented
    first, second = (<ndarray>slots[0]).header.dim(), (<ndarray>slots[1]).header.dim()
    if first > 2 or second > 2:
        return product_of_lines_with_lines(<ndarray>slots[0], <ndarray>slots[1])
    rows = transposed(<ndarray>slots[1]) if second == 2 else <ndarray>slots[1]
    # NumPy: the error of shapes that differ is its own.
    if (<ndarray>slots[0]).header.sizes()[first - 1] != rows.header.sizes()[0]:
        return NotImplemented
    factors[0], factors[1] = slots[0], <PyObject*>rows
    return product_of_dot(factors)


cdef object product_of_lines_with_lines(ndarray a, ndarray b):
    """Return `inner` of arrays of more axes: each but the last one taken together, as rows of two matrices."""
    cdef PyObject* matrices[2]
    cdef int64_t shape[2 * MAXDIMS]
    cdef int64_t sizes[2]
    cdef int axis, first = a.header.dim() - 1, second = b.header.dim() - 1
    if a.header.sizes()[first] != b.header.sizes()[second] or a.header.sizes()[first] == 0 or first + second > MAXDIMS:
        return NotImplemented
    for axis in range(first):
        shape[axis] = a.header.sizes()[axis]
    for axis in range(second):
        shape[first + axis] = b.header.sizes()[axis]
    sizes[1] = a.header.sizes()[first]
    sizes[0] = a.header.numel() // sizes[1]
    left = reshape(a, 2, sizes, ORDER_C, -1)
    sizes[0] = b.header.numel() // sizes[1]
    right = reshape(b, 2, sizes, ORDER_C, -1)
    matrices[0], matrices[1] = <PyObject*>left, <PyObject*>right
    result = product_with_rows(matrices)
    return result if type(result) is not ndarray else reshape(<ndarray>result, first + second, shape, ORDER_C, -1)


cdef object vdot(PyObject** slots):
    """vdot(a, b)."""
    return product_with_conjugate(slots, "") if are_vectors(slots) else product_of_elements(slots)


cdef bint are_summed_as_they_lie(ndarray a, ndarray b) noexcept:
    """Whether elements stand in the same places of two arrays of one dtype that are not both in C order: those BLAS has."""
    cdef int dtype = dtype_of(a), ndim = a.header.dim()
    return dtype == dtype_of(b) and INT8 <= dtype <= COMPLEX128 and dtype != FLOAT16 and ndim == b.header.dim() and (
        memcmp(a.header.sizes(), b.header.sizes(), ndim * sizeof(int64_t)) == 0 and a.header.numel() > 0
        and not (is_c_contiguous(a) and is_c_contiguous(b)))


cdef object product_of_elements(PyObject** slots):
    """Return `vdot` of plain arrays of more axes: of their elements in C order."""
    cdef PyObject* lines[2]
    cdef int8_t[MAXDIMS] axes
    cdef int axis
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]):
        return NotImplemented
    if not (<ndarray><object>slots[0]).header.dim() or not (<ndarray><object>slots[1]).header.dim():
        return NotImplemented
    if are_summed_as_they_lie(<ndarray><object>slots[0], <ndarray><object>slots[1]):
        for axis in range((<ndarray><object>slots[0]).header.dim()):
            axes[axis] = <int8_t>axis
        return summed_products(<ndarray><object>slots[0], axes, <ndarray><object>slots[1], axes, axis + 1, 0, True, True)
    first, second = ravel(<ndarray><object>slots[0], ORDER_C), ravel(<ndarray><object>slots[1], ORDER_C)
    lines[0], lines[1] = <PyObject*>first, <PyObject*>second
    return product_with_conjugate(lines, "")


cdef object quick_dot(PyObject* const* args, Py_ssize_t count):
    return product_of_dot(<PyObject**>args) if count == 2 and not function_mode_enabled() else NotImplemented


cdef object product_with_conjugate(PyObject** slots, str name):
    """Return the product of two vectors, the first conjugated."""
    cdef ndarray result
    if dtype_of(<ndarray>slots[0]) < COMPLEX64 and not are_plain_halves(slots):
        return product(slots, name)
    result = plain_vecdot(VECDOT, <ndarray>slots[0], <ndarray>slots[1], True, name) if thread_is_plain() else None
    return NotImplemented if result is None else result


cdef object quick_vdot(PyObject* const* args, Py_ssize_t count):
    if count != 2 or function_mode_enabled() or not are_vectors(<PyObject**>args):
        return NotImplemented
    return product_with_conjugate(<PyObject**>args, "")  # NumPy: vdot warns of nothing


cdef object quick_product_of_vectors(PyObject* const* args, Py_ssize_t count):
    if count != 2 or function_mode_enabled() or not are_vectors(<PyObject**>args) or dtype_of(<ndarray>args[0]) >= COMPLEX64:
        return NotImplemented
    return product(<PyObject**>args, "dot")


cdef bint of_last_axis(PyObject* slot) noexcept:
    cdef int64_t axis
    return integer_of(slot, &axis) and axis == -1


cdef object cross_of_general(PyObject** slots):
    """Return the cross product of slots (a, b) where one is not plain: vectors of three elements along the last axis."""
    cdef Header* first
    cdef Header* second
    cdef Tensor left, right
    cdef int ndim, kind = 0, seen = 0
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray or (
            not is_general(<object>slots[0], <object>slots[1])):
        return NotImplemented
    first, second = &(<ndarray><object>slots[0]).header, &(<ndarray><object>slots[1]).header
    ndim = <int>first.dim()
    if first.dtype() != second.dtype() or not FLOAT16 <= first.dtype() <= COMPLEX128 or ndim == 0 or ndim != second.dim() or (
            first.sizes()[ndim - 1] != 3 or second.sizes()[ndim - 1] != 3):
        return NotImplemented
    if not fill_operand(<object>slots[0], &left, &kind, &seen) or not fill_operand(<object>slots[1], &right, &kind, &seen):
        return NotImplemented
    return new_general(call_binary(CROSS, left, right), kind)


cdef object cross_of_plain(PyObject** slots):
    """Return the cross product of slots (a, b), plain and packed: as many vectors of three elements, or one and many."""
    cdef ndarray first, second, result
    cdef int dtype, left, right
    cdef int64_t count
    cdef bint done
    cdef char* a
    cdef char* b
    cdef char* into
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]):
        return NotImplemented
    first, second = <ndarray><object>slots[0], <ndarray><object>slots[1]
    dtype, left, right = dtype_of(first), first.header.dim(), second.header.dim()
    if dtype != dtype_of(second) or left == 0 or right == 0 or not is_c_contiguous(first) or not is_c_contiguous(second) or (
            first.header.sizes()[left - 1] != 3 or second.header.sizes()[right - 1] != 3):
        return NotImplemented
    if left != right and left != 1 and right != 1 or left == right and (
            memcmp(first.header.sizes(), second.header.sizes(), left * sizeof(int64_t)) != 0):
        return NotImplemented
    result = new_array(dtype, max(left, right), (first if left >= right else second).header.sizes())
    count = result.header.numel() // 3
    a, b, into = data_of(first), data_of(second), data_of(result)
    clear_float_flags(False)
    if count < RELEASE_FROM:
        done = cross_vectors(dtype, a, left < right, b, right < left, into, count)
    else:
        with nogil:
            done = cross_vectors(dtype, a, left < right, b, right < left, into, count)
    # What was raised is reported by the operations that raise it.
    return result if done and raised_float_flags(False) == 0 else NotImplemented


cdef object cross(PyObject** slots):
    """cross(a, b, axisa, axisb, axisc, axis)."""
    if not of_last_axis(slots[2]) or not of_last_axis(slots[3]) or not of_last_axis(slots[4]) or (
            slots[5] != <PyObject*>None and not of_last_axis(slots[5])):
        return NotImplemented
    result = cross_of_plain(slots)
    return cross_of_general(slots) if result is NotImplemented else result


cdef object cross_of_vectors(PyObject** slots):
    """linalg.cross(x1, x2, axis)."""
    if not of_last_axis(slots[2]):
        return NotImplemented
    result = cross_of_plain(slots)
    return cross_of_general(slots) if result is NotImplemented else result


cdef int summed_axes(object spelling, int ndim, int* axes) noexcept:
    """Write the axes that a product sums over; their number, or -1 where that takes a closer look."""
    cdef int index, before, count = 1
    if type(spelling) is not list and type(spelling) is not tuple:
        axes[0] = axis_of(<PyObject*>spelling, ndim)
        return -1 if axes[0] == NO_AXIS else 1
    count = <int>len(spelling)
    if count > ndim:
        return -1
    for index in range(count):
        axes[index] = axis_of(PySequence_Fast_GET_ITEM(spelling, index), ndim)
        if axes[index] == NO_AXIS:
            return -1
        for before in range(index):
            if axes[before] == axes[index]:
                return -1
    return count


cdef int kept_axes(int ndim, const int* summed, int count, int* kept) noexcept:
    """Write the axes that a product keeps; their number."""
    cdef int axis, index, found = 0
    for axis in range(ndim):
        for index in range(count):
            if summed[index] == axis:
                break
        else:
            kept[found] = axis
            found += 1
    return found


cdef ndarray as_matrix(ndarray array, const int* rows, int of_rows, const int* columns, int of_columns):
    """Return an array as a matrix: some axes, in their order, are its rows, the others its columns."""
    cdef int order[MAXDIMS]
    cdef int64_t sizes[2]
    cdef int index
    cdef bint sorted_already = True
    sizes[0] = sizes[1] = 1
    for index in range(of_rows):
        order[index] = rows[index]
        sizes[0] *= array.header.sizes()[rows[index]]
    for index in range(of_columns):
        order[of_rows + index] = columns[index]
        sizes[1] *= array.header.sizes()[columns[index]]
    for index in range(of_rows + of_columns):
        sorted_already = sorted_already and order[index] == index
    if not sorted_already:
        array = permute(array, order)
    return array if of_rows == of_columns == 1 else reshape(array, 2, sizes, ORDER_C, -1)


cdef object tensordot(PyObject** slots):
    """tensordot(a, b, axes): the product of two matrices, whatever the arrays are."""
    cdef int first[MAXDIMS]
    cdef int second[MAXDIMS]
    cdef int rows[MAXDIMS]
    cdef int columns[MAXDIMS]
    cdef int64_t shape[MAXDIMS]
    cdef PyObject* matrices[2]
    cdef ndarray a, b
    cdef int index, of_rows, of_columns, count
    cdef int64_t number
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    a, b = <ndarray><object>slots[0], <ndarray><object>slots[1]
    if integer_of(slots[2], &number):
        if not 0 <= number <= min(a.header.dim(), b.header.dim()):
            return NotImplemented
        count = <int>number
        for index in range(count):
            first[index], second[index] = <int>a.header.dim() - count + index, index
    else:
        axes = <object>slots[2]
        if (type(axes) is not list and type(axes) is not tuple) or len(axes) != 2:
            return NotImplemented
        count = summed_axes(axes[0], <int>a.header.dim(), first)
        if count < 0 or summed_axes(axes[1], <int>b.header.dim(), second) != count:
            return NotImplemented
    for index in range(count):
        if a.header.sizes()[first[index]] != b.header.sizes()[second[index]]:
            return NotImplemented
    of_rows = kept_axes(<int>a.header.dim(), first, count, rows)
    of_columns = kept_axes(<int>b.header.dim(), second, count, columns)
    if of_rows + of_columns > MAXDIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is currently {MAXDIMS}, found {of_rows + of_columns}")
    for index in range(of_rows):
        shape[index] = a.header.sizes()[rows[index]]
    for index in range(of_columns):
        shape[of_rows + index] = b.header.sizes()[columns[index]]
    left, right = as_matrix(a, rows, of_rows, first, count), as_matrix(b, second, count, columns, of_columns)
    matrices[0], matrices[1] = <PyObject*>left, <PyObject*>right
    result = product_of_dot(matrices)
    if result is NotImplemented:
        result = compute_gufunc(MATMUL, (left, right), None, None)
    return result if of_rows == of_columns == 1 else reshape(<ndarray?>result, of_rows + of_columns, shape, ORDER_C, -1)


#: Name of the function to its body.
BODIES = {
    "cross": new_compiled_body(cross),
    "cross_of_vectors": new_compiled_body(cross_of_vectors),
    "dot": new_quick_body(quick_dot, dot),
    "inner": new_quick_body(quick_product_of_vectors, inner),
    "matmul": new_compiled_body(matmul),
    "tensordot": new_compiled_body(tensordot),
    "vdot": new_quick_body(quick_vdot, vdot),
}
