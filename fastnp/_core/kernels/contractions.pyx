"""einsum of one or two plain arrays, as sums, products of matrices and products of vectors.

NumPy's einsum adds up one product after the other, where these have BLAS: results agree to rounding. What is here reads
arrays in C order whose labels stand in the order that such a loop needs; pairwise.pyx takes all others.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, intptr_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT8, ITEMSIZES, UINT64
from fastnp._core.engine cimport MAX_OPERANDS
from fastnp._core.gufunc cimport is_large_product, multiply_matrices
from fastnp._core.kernels.pairwise cimport (
    Subscripts,
    Term,
    are_labels_apart,
    axis_of,
    common_dtype,
    contract,
    elements_summed_up,
    parse,
)
from fastnp._core.kernels.shape cimport permute
from fastnp._core.loops cimport LoopTable, Resolution, table_of
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    new_scalar,
    thread_is_plain,
    transposed,
)

import numpy

cdef extern from "integer_products.h" namespace "fastnp" nogil:
    bint multiply_integers(int dtype, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns)
    bint multiply_small_matrices(
        int dtype, const void* matrices, const void* vectors, void* out, int64_t stack, int64_t rows, int64_t columns)

cdef LoopTable MATMUL = table_of(numpy.matmul)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef LoopTable ADD = table_of(numpy.add)

cdef enum:
    MAXLABELS = 12   # of an operand that is common

# What `optimize` may name.
cdef frozenset PATHS = frozenset(["greedy", "optimal"])

ctypedef float complex floatcomplex
ctypedef double complex doublecomplex

# Up to this many elements a sum is a loop here; NumPy's adds several at a time.
cdef int64_t FEW = 1000

# From this many multiplications on other threads may run meanwhile.
cdef int64_t RELEASE_FROM = 100000

# From as many small matrices on their products are no calls of the loop.
cdef int64_t SEVERAL = 4

# From as many columns on an outer product is a call of the loop to each row.
cdef int64_t WIDE = 16

cdef bint has(const Term* term, int label) noexcept nogil:
    return term.labels >> label & 1


cdef object run(LoopTable table, ndarray a, ndarray b, ndarray result, intptr_t* dims, intptr_t* steps):
    """Call a loop of products, which warns of nothing here, as einsum does not."""
    cdef int dtype = dtype_of(a)
    cdef Resolution* entry = table.find(dtype, dtype)
    cdef char* args[3]
    cdef bint matrices
    if entry.state != 1 or entry.types[2] != dtype:
        return NotImplemented
    args[0], args[1], args[2] = data_of(a), data_of(b), data_of(result)
    if a.header.numel() * b.header.numel() < RELEASE_FROM:
        call_loop(entry, table is MATMUL, dtype, args, dims, steps)
    else:
        matrices = table is MATMUL
        with nogil:
            call_loop(entry, matrices, dtype, args, dims, steps)
    return result


cdef int call_loop(Resolution* entry, bint matrices, int dtype, char** args, const intptr_t* dims,
                   const intptr_t* steps) except -1 nogil:
    if matrices:
        return multiply_matrices(entry, dtype, args, dims, steps)
    entry.loop.function(args, dims, steps, entry.loop.data)
    return 0


cdef bint run_small(ndarray a, ndarray b, ndarray result, int64_t stack, int64_t rows, int64_t columns) noexcept:
    """Multiply each of a stack of small matrices by its own vector; False for others."""
    cdef const void* matrices = data_of(a)
    cdef const void* vectors = data_of(b)
    cdef void* out = data_of(result)
    cdef int dtype = dtype_of(a)
    cdef bint done
    with nogil:
        done = multiply_small_matrices(dtype, matrices, vectors, out, stack, rows, columns)
    return done


cdef bint run_integers(ndarray a, ndarray b, ndarray result, int64_t rows, int64_t columns) noexcept:
    """Multiply the rows of a matrix by a vector; False for dtypes other than integers."""
    cdef int dtype = dtype_of(a)
    cdef const char* left = data_of(a)
    cdef const char* right = data_of(b)
    cdef char* into = data_of(result)
    if not INT8 <= dtype <= UINT64:
        return False
    with nogil:
        multiply_integers(dtype, left, right, into, rows, columns)
    return True


cdef bint run_outer(ndarray a, ndarray b, ndarray result, int64_t rows, int64_t columns) except -1:
    """Multiply each number by a whole vector, as `multiply` does; False where it has no such loop.

    NumPy adds each product to a zero: none of its zeros is negative.
    """
    cdef int dtype = dtype_of(a)
    cdef bint added = dtype > UINT64
    cdef Resolution* entry = MULTIPLY.find(dtype, dtype)
    cdef Resolution* sums = ADD.find(dtype, dtype)
    cdef char* zeroed[3]
    cdef double zero = 0
    cdef int64_t item = ITEMSIZES[dtype], _row
    cdef char* args[3]
    cdef intptr_t dims = columns
    cdef intptr_t[3] steps
    if entry.state != 1 or entry.types[2] != dtype or sums.state != 1 or sums.types[2] != dtype:
        return False
    args[0], args[1], args[2] = data_of(a), data_of(b), data_of(result)
    zeroed[0] = <char*>&zero
    steps = [0, item, item]
    with nogil:
        for _row in range(rows):
            entry.loop.function(args, &dims, steps, entry.loop.data)
            if added:
                zeroed[1] = zeroed[2] = args[2]
                sums.loop.function(zeroed, &dims, steps, sums.loop.data)
            args[0] += item
            args[2] += columns * item
    return True


ctypedef fused number:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    float
    double
    floatcomplex
    doublecomplex


cdef void add_up(number* data, number* into, int ndim, const int64_t* shape, const int64_t* steps) noexcept nogil:
    """Add each element of an array in C order to its sum; `steps` is how far the sums of an axis lie apart."""
    cdef int64_t index, size = 1
    cdef int axis
    cdef number total
    if ndim == 1:
        if steps[0] == 0:
            total = into[0]
            for index in range(shape[0]):
                total = <number>(total + data[index])
            into[0] = total
        else:
            for index in range(shape[0]):
                into[index * steps[0]] = <number>(into[index * steps[0]] + data[index])
        return
    for axis in range(1, ndim):
        size *= shape[axis]
    for index in range(shape[0]):
        add_up(data + index * size, into + index * steps[0], ndim - 1, shape + 1, steps + 1)


cdef object turned(ndarray array, const Subscripts* found):
    """Return a view with the axes in the order of the result's labels, of which none is missing."""
    cdef int[MAXLABELS] axes
    cdef int place
    for place in range(found.result.ndim):
        axes[place] = axis_of(&found.terms[0], found.result.label[place])
        if axes[place] < 0:
            return NotImplemented
    return permute(array, axes)


cdef object summed(ndarray array, const Subscripts* found):
    """Sum one operand over the labels that the result has not."""
    cdef int64_t[MAXLABELS] shape
    cdef int64_t[MAXLABELS] steps
    cdef int64_t step = 1
    cdef int place, kept = found.result.ndim, ndim = found.terms[0].ndim, dtype = dtype_of(array)
    cdef const int64_t* sizes = array.header.sizes()
    cdef ndarray result
    if kept == ndim:
        return turned(array, found)
    if array.header.numel() > FEW:
        return NotImplemented
    for place in range(ndim - 1, -1, -1):
        steps[place] = 0
        if has(&found.result, found.terms[0].label[place]):
            kept -= 1
            if kept < 0 or found.result.label[kept] != found.terms[0].label[place]:
                return NotImplemented
            steps[place], shape[kept] = step, sizes[place]
            step *= sizes[place]
    if kept != 0:
        return NotImplemented
    kept = found.result.ndim
    result = new_scalar(dtype) if kept == 0 else new_array(dtype, kept, shape)
    memset(data_of(result), 0, step * ITEMSIZES[dtype])
    if dtype == FLOAT64:
        add_up[double](<double*>data_of(array), <double*>data_of(result), ndim, sizes, steps)
    elif dtype == FLOAT32:
        add_up[float](<float*>data_of(array), <float*>data_of(result), ndim, sizes, steps)
    elif dtype == COMPLEX128:
        add_up[doublecomplex](<doublecomplex*>data_of(array), <doublecomplex*>data_of(result), ndim, sizes, steps)
    elif dtype == COMPLEX64:
        add_up[floatcomplex](<floatcomplex*>data_of(array), <floatcomplex*>data_of(result), ndim, sizes, steps)
    # Sums of signed and unsigned integers have the same bits.
    elif ITEMSIZES[dtype] == 8:
        add_up[uint64_t](<uint64_t*>data_of(array), <uint64_t*>data_of(result), ndim, sizes, steps)
    elif ITEMSIZES[dtype] == 4:
        add_up[uint32_t](<uint32_t*>data_of(array), <uint32_t*>data_of(result), ndim, sizes, steps)
    elif ITEMSIZES[dtype] == 2:
        add_up[uint16_t](<uint16_t*>data_of(array), <uint16_t*>data_of(result), ndim, sizes, steps)
    else:
        add_up[uint8_t](<uint8_t*>data_of(array), <uint8_t*>data_of(result), ndim, sizes, steps)
    return result


cdef object product(ndarray a, ndarray b, const Subscripts* found):
    """Return a product of two operands: labels of both and of the result, then those of the first alone, of the second."""
    cdef int both = 0, inner = 0, left = 0, right = 0, place, other, result_count = found.result.ndim
    cdef int64_t rows = 1, columns = 1, between = 1, item = ITEMSIZES[dtype_of(a)], stack = 1
    cdef const int64_t* first = a.header.sizes()
    cdef const int64_t* second = b.header.sizes()
    cdef int64_t[MAXLABELS] shape
    cdef intptr_t[4] dims
    cdef intptr_t[9] steps
    cdef ndarray result
    cdef bint turned
    # The first operand: labels of all three, labels of its own, labels that are summed.
    for place in range(found.terms[0].ndim):
        other = axis_of(&found.terms[1], found.terms[0].label[place])
        if other >= 0 and first[place] != second[other]:
            return NotImplemented
        if not has(&found.result, found.terms[0].label[place]):
            if other < 0:
                return NotImplemented
            between *= first[place]
            inner += 1
        elif inner:
            return NotImplemented
        elif other >= 0:
            if left or other != place:
                return NotImplemented
            stack *= first[place]
            both += 1
        else:
            rows *= first[place]
            left += 1
    right = found.terms[1].ndim - both - inner
    if result_count != both + left + right:
        return NotImplemented
    for place in range(both + left):
        if found.result.label[place] != found.terms[0].label[place]:
            return NotImplemented
        shape[place] = first[place]
    # The second: the same of all three, then what is summed before its own labels or after them.
    turned = right > 0 and inner > 0 and has(&found.result, found.terms[1].label[both])
    for place in range(both, found.terms[1].ndim):
        other = place - both - (right if turned else 0)
        if 0 <= other < inner:
            if found.terms[1].label[place] != found.terms[0].label[both + left + other]:
                return NotImplemented
        else:
            other = place - both - (0 if turned else inner)
            if found.result.label[both + left + other] != found.terms[1].label[place]:
                return NotImplemented
            columns *= second[place]
            shape[both + left + other] = second[place]
    # (BLAS has no product of complex vectors that adds nothing up.)
    if inner == 0 and (both or dtype_of(a) >= COMPLEX64 and columns >= WIDE):
        return NotImplemented
    result = new_scalar(dtype_of(a)) if result_count == 0 else new_array(dtype_of(a), result_count, shape)
    if inner == 0 and columns >= WIDE and run_outer(a, b, result, rows, columns):
        return result
    if right == 0 and both == 0 and rows * between >= FEW and run_integers(a, b, result, rows, between):
        return result
    if right == 0 and both and left and stack >= SEVERAL and run_small(a, b, result, stack, rows, between):
        return result
    dims = [stack, rows, between, columns]
    steps = [rows * between * item, between * columns * item, rows * columns * item,
             between * item, item, item if turned else columns * item, between * item if turned else item,
             columns * item, item]
    return run(MATMUL, a, b, result, dims, steps)


cdef void turn(Term* term) noexcept:
    """Say the labels of what lies in Fortran's order from the last one on: then it lies in C order."""
    cdef int place, last = term.ndim - 1
    for place in range(term.ndim // 2):
        term.label[place], term.label[last - place] = term.label[last - place], term.label[place]


cdef bint is_packed(object operand, const Term* term) noexcept:
    """Whether a plain array lies in C order and has elements, and its labels are not repeated."""
    cdef ndarray array = <ndarray>operand
    return 0 < term.ndim <= MAXLABELS and is_c_contiguous(array) and array.header.numel() > 0 and are_labels_apart(term)


cdef object einsum(PyObject** slots):
    """einsum(*operands, out, optimize, **kwargs)."""
    cdef tuple operands = <tuple>slots[0]
    cdef Subscripts found
    cdef int dtype
    # NumPy: with `optimize` the result lies as the last product's does; here as without.
    if slots[1] != <PyObject*>None or <dict>slots[3] or not thread_is_plain() or (
            type(<object>slots[2]) is not bool and not (type(<object>slots[2]) is str and <object>slots[2] in PATHS)):
        return NotImplemented
    if not 1 < len(operands) <= MAX_OPERANDS or type(operands[0]) is not str:
        return NotImplemented
    dtype = common_dtype(operands)
    if dtype < 0 and not (len(operands) == 2 and type(operands[1]) is ndarray and (<ndarray>operands[1]).header.is_plain()):
        return NotImplemented
    if not parse(<str>operands[0], operands, &found):
        return NotImplemented
    # Of any dtype what sums nothing is a view.
    if dtype < 0:
        return contract(operands, &found, dtype) if found.result.labels == found.terms[0].labels else NotImplemented
    result = at_once(operands, &found)
    return contract(operands, &found, dtype) if result is NotImplemented else result


cdef object at_once(tuple operands, const Subscripts* found):
    """Compute what is one loop or one product of arrays as they lie."""
    cdef ndarray a, b, summed_up
    cdef Subscripts otherwise
    if found.count > 2:
        return NotImplemented
    a, b = <ndarray>operands[1], <ndarray>operands[found.count]
    if found.count == 2 and found.terms[0].ndim > 1 and dtype_of(a) == dtype_of(b) and a.header.numel() > 0:
        summed_up = elements_summed_up(a, &found.terms[0], b, &found.terms[1], &found.result, False)
        if summed_up is not None:
            return summed_up
    if found.count == 2 and found.result.ndim == 1 and is_f_contiguous(a) and is_f_contiguous(b) and not is_c_contiguous(a):
        # Of one axis the layout is no question.
        otherwise = found[0]
        turn(&otherwise.terms[0])
        turn(&otherwise.terms[1])
        turn(&otherwise.result)
        return at_once((None, transposed(a), transposed(b)), &otherwise)
    if not is_packed(a, &found.terms[0]):
        return NotImplemented
    if found.count == 1:
        return summed(a, found)
    if dtype_of(a) != dtype_of(b) or not is_packed(b, &found.terms[1]):
        return NotImplemented
    return large(a, b, found) if is_large_product(MATMUL, (a, b)) else product(a, b, found)


cdef object large(ndarray a, ndarray b, const Subscripts* found):
    """Multiply matrices by the operator, where it leaves them to torch."""
    cdef int row = found.terms[0].label[0], summed_over = found.terms[0].label[1], column = found.terms[1].label[1]
    if found.terms[1].label[0] != summed_over or found.result.ndim != 2 or found.result.label[0] != row or (
            found.result.label[1] != column or row == column or a.header.sizes()[1] != b.header.sizes()[0]):
        return product(a, b, found)
    return a @ b


#: Name of the function to its body.
BODIES = {"einsum": new_compiled_body(einsum)}
