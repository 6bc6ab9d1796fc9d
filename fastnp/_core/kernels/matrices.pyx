"""Linear algebra of plain matrices and stacks of them, by the inner loops of NumPy's own generalized ufuncs.

NumPy keeps these ufuncs, which call LAPACK, in a private module, `numpy.linalg._umath_linalg`: where a NumPy has none of a
name there, and for whatever is not common, a body declines by NotImplemented, and NumPy's function computes the call.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, intptr_t, uint64_t
from libc.string cimport memcpy, memset

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    index_of,
)
from fastnp._core.engine cimport INVALID, Loop, clear_float_flags, find_loop, raised_float_flags
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport raise_pending, report_float_flags
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    tensor_of,
    thread_is_plain,
    to_torch,
)
from fastnp._core.torch_tensor cimport is_tensor, unwrap

cdef extern from "blas.h" namespace "fastnp" nogil:
    bint mkl_is_quick()
    bint mkl_inverts_quickly()
    bint mkl_finds_eigenvalues_quickly()

cdef extern from "inverses.h" namespace "fastnp":
    Tensor inverses_of(const Tensor&) except +translate_torch_error

import numpy
import numpy.linalg
import torch
from numpy.linalg import LinAlgError
from numpy.linalg._linalg import EighResult, EigResult, QRResult, SlogdetResult, SVDResult

cdef enum Which:
    DET, SLOGDET, INV, CHOLESKY_LO, CHOLESKY_UP, EIG, EIGVALS, EIGH_LO, EIGH_UP, EIGVALSH_LO, EIGVALSH_UP
    SVD, SVD_FULL, SVD_SMALL, SOLVE, SOLVE_ONE, QR_RAW, QR_REDUCED, QR_COMPLETE, LSTSQ
    COUNT

# In that order: the ufunc, the number of core dimensions of each operand, the dtypes of its loops for real and complex
# numbers, and what it means that a loop raises the flag of invalid values.
cdef tuple ROWS = (
    ("det", "20", "dd", "DD", None),
    ("slogdet", "200", "ddd", "DDd", None),
    ("inv", "22", "dd", "DD", "Singular matrix"),
    ("cholesky_lo", "22", "dd", "DD", "Matrix is not positive definite"),
    ("cholesky_up", "22", "dd", "DD", "Matrix is not positive definite"),
    ("eig", "212", "dDD", "DDD", "Eigenvalues did not converge"),
    ("eigvals", "21", "dD", "DD", "Eigenvalues did not converge"),
    ("eigh_lo", "212", "ddd", "DdD", "Eigenvalues did not converge"),
    ("eigh_up", "212", "ddd", "DdD", "Eigenvalues did not converge"),
    ("eigvalsh_lo", "21", "dd", "Dd", "Eigenvalues did not converge"),
    ("eigvalsh_up", "21", "dd", "Dd", "Eigenvalues did not converge"),
    ("svd", "21", "dd", "Dd", "SVD did not converge"),
    ("svd_f", "2212", "dddd", "DDdD", "SVD did not converge"),
    ("svd_s", "2212", "dddd", "DDdD", "SVD did not converge"),
    ("solve", "222", "ddd", "DDD", "Singular matrix"),
    ("solve1", "211", "ddd", "DDD", "Singular matrix"),
    ("qr_r_raw", "21", "dd", "DD", "Incorrect argument found while performing QR factorization"),
    ("qr_reduced", "212", "ddd", "DDD", "Incorrect argument found while performing QR factorization"),
    ("qr_complete", "212", "ddd", "DDD", "Incorrect argument found while performing QR factorization"),
    ("lstsq", "2202101", "dddddid", "DDdDdid", "SVD did not converge in Linear Least Squares"),
)
cdef dict LETTERS = {"i": INT32, "d": FLOAT64, "D": COMPLEX128}

cdef struct Lapack:
    bint found
    Loop loop
    int count       # of operands
    int types[7]
    int core[7]     # dimensions

cdef Lapack[COUNT][2] LAPACK
cdef object SOURCE = getattr(numpy.linalg, "_umath_linalg", None)
cdef double EPSILON = numpy.finfo(numpy.float64).eps
cdef object new_tuple = tuple.__new__

# From this many elements on other threads may run meanwhile.
cdef int64_t RELEASE_FROM = 400


cdef int find_loops() except -1:
    cdef int which, is_complex, operand
    cdef Lapack* entry
    for which in range(COUNT):
        name, core, real, of_complex, _message = ROWS[which]
        ufunc = getattr(SOURCE, name, None)
        for is_complex in range(2):
            entry = &LAPACK[which][is_complex]
            entry.count = <int>len(core)
            for operand in range(entry.count):
                entry.core[operand] = int(core[operand])
                entry.types[operand] = LETTERS[(of_complex if is_complex else real)[operand]]
            entry.found = isinstance(ufunc, numpy.ufunc) and ufunc.nin + ufunc.nout == entry.count and find_loop(
                ufunc, entry.types, &entry.loop)
    return 0


find_loops()


def available():
    """Return whether this NumPy has all the loops that linear algebra is computed by."""
    cdef int which, is_complex
    for which in range(COUNT):
        for is_complex in range(2):
            if not has_loop(which, is_complex):
                return False
    return True


cdef inline bint has_loop(int which, bint is_complex) noexcept:
    return LAPACK[which][is_complex].found


# --- calls ------------------------------------------------------------------------------------------------------------

cdef void run(const Lapack* entry, int outer, const int64_t* sizes, char** args, int64_t[7][MAXDIMS] strides,
              intptr_t* dims, intptr_t* steps) noexcept nogil:
    """Call a loop for all matrices of a stack; `steps` has the strides of the core dimensions."""
    cdef int64_t[MAXDIMS] places
    cdef char* moved[7]
    cdef int axis, operand, last = outer - 1
    dims[0] = sizes[last] if outer else 1
    for operand in range(entry.count):
        steps[operand] = strides[operand][last] if outer else 0
    for axis in range(outer):
        places[axis] = 0
    while True:
        # These loops move the addresses that they are given.
        memcpy(moved, args, entry.count * sizeof(char*))
        entry.loop.function(moved, dims, steps, entry.loop.data)
        axis = last - 1
        while axis >= 0:
            places[axis] += 1
            for operand in range(entry.count):
                args[operand] += strides[operand][axis]
            if places[axis] < sizes[axis]:
                break
            for operand in range(entry.count):
                args[operand] -= strides[operand][axis] * sizes[axis]
            places[axis] = 0
            axis -= 1
        if axis < 0:
            return


cdef int compute(int which, bint is_complex, tuple operands, intptr_t m, intptr_t n, intptr_t p, intptr_t q=0) except -1:
    """Call a loop on arrays that have the same outer dimensions, inputs first; the rest are its core dimensions."""
    cdef const Lapack* entry = &LAPACK[which][is_complex]
    cdef char* args[7]
    cdef int64_t[7][MAXDIMS] strides
    cdef int64_t[MAXDIMS] sizes
    cdef intptr_t[5] dims
    cdef intptr_t[21] steps
    cdef int operand, axis, outer = (<ndarray>operands[0]).header.dim() - 2, filled = entry.count
    cdef unsigned flags
    cdef int64_t elements = (<ndarray>operands[0]).header.numel()
    cdef ndarray array
    fill_shape(<ndarray>operands[0], sizes)
    dims = [1, m, n, p, q]
    for operand in range(entry.count):
        array = <ndarray>operands[operand]
        args[operand] = data_of(array)
        fill_strides(array, strides[operand])
        for axis in range(entry.core[operand]):
            steps[filled] = strides[operand][outer + axis]
            filled += 1
    if elements < RELEASE_FROM:
        clear_float_flags(True)
        run(entry, outer, sizes, args, strides, dims, steps)
        flags = raised_float_flags(True)
    else:
        with nogil:
            clear_float_flags(True)
            run(entry, outer, sizes, args, strides, dims, steps)
            flags = raised_float_flags(True)
    raise_pending()
    if flags:
        message = ROWS[which][4]
        if message is None:
            report_float_flags(flags, ROWS[which][0])
        elif flags & <unsigned>INVALID:
            raise LinAlgError(message)
    return 0


cdef ndarray matrix_of(PyObject* slot, bint square):
    """Return the array of a slot as a plain stack of matrices that has elements; None where it is not one."""
    cdef ndarray array
    cdef const int64_t* sizes
    cdef int ndim
    if type(<object>slot) is not ndarray or not thread_is_plain():
        return None
    array = <ndarray>slot
    ndim = array.header.dim()
    if ndim < 2 or not array.header.is_plain() or not is_number(dtype_of(array)) or array.header.numel() == 0:
        return None
    if ndim > 2 and not is_c_contiguous(array):
        return None
    sizes = array.header.sizes()
    return None if square and sizes[ndim - 1] != sizes[ndim - 2] else array


cdef bint is_number(int dtype) noexcept:
    # NumPy: linear algebra has no float16.
    return dtype < NUM_NUMPY_DTYPES and dtype != FLOAT16


cdef bint is_single(int dtype) noexcept:
    return dtype == FLOAT32 or dtype == COMPLEX64


cdef bint is_complex_dtype(int dtype) noexcept:
    return dtype == COMPLEX64 or dtype == COMPLEX128


cdef int64_t side(ndarray array, int from_last) noexcept:
    return array.header.sizes()[array.header.dim() - from_last]


cdef ndarray widened(ndarray array, bint is_complex):
    """Return an array in double precision, as NumPy computes all of linear algebra."""
    cdef int dtype = COMPLEX128 if is_complex else FLOAT64
    return array if dtype_of(array) == dtype else astype(array, dtype, ORDER_K, False)


cdef ndarray narrowed(ndarray array, bint single):
    """Return a result in the precision of the arguments."""
    cdef ndarray result
    cdef int dtype
    if not single:
        return array
    dtype = COMPLEX64 if dtype_of(array) == COMPLEX128 else FLOAT32
    result = astype(array, dtype, ORDER_K, False)
    result.scalar_, result.writeable_ = array.scalar_, array.writeable_
    return result


cdef ndarray new_result(ndarray prototype, int dtype, int core, int64_t first, int64_t second):
    """Return a new array: the outer dimensions of a stack, then up to two core dimensions."""
    cdef int64_t[MAXDIMS] shape
    cdef int outer = fill_shape(prototype, shape) - 2
    if outer + core == 0:
        return new_scalar(dtype)
    shape[outer], shape[outer + 1] = first, second
    return new_array(dtype, outer + core, shape)


cdef object unary(PyObject** slots, int which):
    """Call a loop that makes of square matrices as many numbers, vectors or matrices, or a function of torch."""
    cdef ndarray given = matrix_of(slots[0], True), result = None
    cdef bint is_complex
    cdef const Lapack* entry
    cdef int64_t n
    if given is None:
        return NotImplemented
    if (which == INV or which == DET) and (
            is_better_in_torch(given, which == INV and mkl_inverts_quickly()) if given.header.dim() == 2
            else is_stack_for_torch(given, which)):
        if which == INV:
            result = inverted(given)
        else:
            found = by_torch(torch.linalg.det, given)
            result = None if found is None else <ndarray>found[0]
        if result is not None:
            return narrowed(result, is_single(dtype_of(given)))
    is_complex = is_complex_dtype(dtype_of(given))
    entry = &LAPACK[which][is_complex]
    if not entry.found:
        return NotImplemented
    n = side(given, 1)
    result = new_result(given, entry.types[1], entry.core[1], n, n)
    compute(which, is_complex, (widened(given, is_complex), result), n, 0, 0)
    return narrowed(result, is_single(dtype_of(given)))


cdef tuple binary(ndarray given, int which):
    """The same of two results."""
    cdef bint is_complex = is_complex_dtype(dtype_of(given)), single = is_single(dtype_of(given))
    cdef const Lapack* entry = &LAPACK[which][is_complex]
    cdef int64_t n = side(given, 1)
    cdef ndarray first, second
    if not entry.found:
        return None
    first = new_result(given, entry.types[1], entry.core[1], n, n)
    second = new_result(given, entry.types[2], entry.core[2], n, n)
    compute(which, is_complex, (widened(given, is_complex), first, second), n, 0, 0)
    return narrowed(first, single), narrowed(second, single)


cdef int triangle(PyObject* slot) except -2:
    """Read which triangle is meant: 0 the lower, 1 the upper; -1 where it is spelled as neither."""
    cdef object spelling = <object>slot
    if type(spelling) is not str:
        return -1
    return 0 if spelling == "L" or spelling == "l" else 1 if spelling == "U" or spelling == "u" else -1


# --- by torch ---------------------------------------------------------------------------------------------------------

# From this many rows and columns on torch decomposes a matrix, on processors that MKL is made for: as fast where the machine
# is idle, and many times faster where it is not, since the threads of NumPy's LAPACK wait for each other. Singular vectors
# come out with the same signs. So would not eigenvectors, nor eigenvalues in the same order: these are NumPy's at all sizes.
# `of_real` where it is a call that MKL computes quickly on this one, of real numbers.
cdef int64_t LARGE = 64


cdef bint is_better_in_torch(ndarray given, bint of_real=False) noexcept:
    cdef bint quick = mkl_is_quick() or of_real and not is_complex_dtype(dtype_of(given))
    return quick and given.header.dim() == 2 and (
        side(given, 1) >= LARGE and side(given, 2) >= LARGE and not is_single(dtype_of(given)))


# Stacks of so many elements take MKL half of the time or less that NumPy's LAPACK takes for one matrix after the other; whose
# determinants, as long as the matrices are small.
cdef int64_t MANY_INVERTED = 2048, MANY_DETERMINANTS = 8192, SMALL_SIDE = 16


cdef bint is_stack_for_torch(ndarray given, int which) noexcept:
    cdef int64_t elements = given.header.numel(), n = side(given, 1)
    return elements >= MANY_INVERTED if which == INV else which == DET and elements >= MANY_DETERMINANTS and n <= SMALL_SIDE


def eigenvalues_turned(tensor, triangle):
    """Return the eigenvalues, computed of the transpose: ATen reads a matrix by columns."""
    return torch.linalg.eigvalsh(tensor.mT, UPLO="L" if triangle == "U" else "U")


cdef tuple by_torch(object function, ndarray given, object option=None):
    """Return what a function of torch makes of a matrix.

    None where it does not converge, or is not finite: NumPy may, and says what it is.
    """
    cdef object tensor = to_torch(widened(given, is_complex_dtype(dtype_of(given))))
    try:
        results = function(tensor) if option is None else function(tensor, option)
    except torch.linalg.LinAlgError:
        return None
    if is_tensor(results):
        results = (results,)
    arrays = tuple([astype(from_tensor(unwrap(result)), index_of(unwrap(result).scalar_type()), ORDER_C, False)
                    for result in results])
    for array in arrays:
        if not all_finite(<ndarray>array):
            return None
    return arrays


cdef ndarray inverted(ndarray given):
    """Return the inverses that torch computes of a stack, or None as above."""
    cdef ndarray wide = widened(given, is_complex_dtype(dtype_of(given))), result
    cdef Tensor inverses = inverses_of(tensor_of(wide)[0])
    if not inverses.defined():
        return None
    result = astype(from_tensor(inverses), index_of(inverses.scalar_type()), ORDER_C, False)
    return result if all_finite(result) else None


# --- functions --------------------------------------------------------------------------------------------------------

cdef object det(PyObject** slots):
    """det(a)."""
    return unary(slots, DET)


cdef object slogdet(PyObject** slots):
    """slogdet(a)."""
    cdef ndarray given = matrix_of(slots[0], True)
    results = None if given is None else binary(given, SLOGDET)
    return NotImplemented if results is None else new_tuple(SlogdetResult, results)


cdef object inverse(PyObject** slots):
    """inv(a)."""
    return unary(slots, INV)


cdef object cholesky(PyObject** slots):
    """cholesky(a, upper)."""
    if type(<object>slots[1]) is not bool:
        return NotImplemented
    return unary(slots, CHOLESKY_UP if <object>slots[1] is True else CHOLESKY_LO)


cdef object eigvalsh(PyObject** slots):
    """eigvalsh(a, UPLO)."""
    cdef int upper = triangle(slots[1])
    cdef ndarray given
    if upper < 0:
        return NotImplemented
    given = matrix_of(slots[0], True)
    if given is not None and is_better_in_torch(given, mkl_finds_eigenvalues_quickly()):
        found = by_torch(eigenvalues_turned, given, "U" if upper else "L")
        if found is not None:
            return found[0]
    return unary(slots, EIGVALSH_UP if upper else EIGVALSH_LO)


cdef object eigh(PyObject** slots):
    """eigh(a, UPLO)."""
    cdef int upper = triangle(slots[1])
    cdef ndarray given = matrix_of(slots[0], True)
    results = None if given is None or upper < 0 else binary(given, EIGH_UP if upper else EIGH_LO)
    return NotImplemented if results is None else new_tuple(EighResult, results)


cdef bint all_finite(ndarray array) noexcept:
    """Whether a C-contiguous array in double precision has no infinity and no NaN."""
    cdef const uint64_t* bits = <const uint64_t*>data_of(array)
    cdef uint64_t above = 0, exponent = <uint64_t>0x7ff << 52
    cdef int64_t index
    # An exponent of ones only, and one more, reaches the bit of the sign. No exit: the compiler takes several at once.
    for index in range(array.header.numel() * (2 if dtype_of(array) == COMPLEX128 else 1)):
        above |= (bits[index] & exponent) + (<uint64_t>1 << 52)
    return above >> 63 == 0


cdef bint is_real(ndarray array) noexcept:
    """Whether the imaginary parts of a new complex array are all zero."""
    cdef const double* part = <const double*>data_of(array)
    cdef int64_t index
    for index in range(array.header.numel()):
        if part[2 * index + 1] != 0:
            return False
    return True


cdef object eigen(PyObject** slots, bint vectors):
    cdef ndarray given = matrix_of(slots[0], True), wide, values, columns = None
    cdef bint is_complex, single
    cdef int which = EIG if vectors else EIGVALS
    cdef int64_t n
    if given is None:
        return NotImplemented
    is_complex, single, n = is_complex_dtype(dtype_of(given)), is_single(dtype_of(given)), side(given, 1)
    wide = widened(given, is_complex)
    if not is_c_contiguous(wide):
        wide = copy_array(wide, ORDER_C)
    if not has_loop(which, is_complex) or not all_finite(wide):
        return NotImplemented
    values = new_result(given, COMPLEX128, 1, n, n)
    if vectors:
        columns = new_result(given, COMPLEX128, 2, n, n)
        compute(which, is_complex, (wide, values, columns), n, 0, 0)
    else:
        compute(which, is_complex, (wide, values), n, 0, 0)
    if not is_complex and is_real(values):
        values = values.real
        columns = columns.real if vectors else None
    if not vectors:
        return narrowed(values, single)
    return new_tuple(EigResult, (narrowed(values, single), narrowed(columns, single)))


cdef object eig(PyObject** slots):
    """eig(a)."""
    return eigen(slots, True)


cdef object eigvals(PyObject** slots):
    """eigvals(a)."""
    return eigen(slots, False)


cdef ndarray singular_values(ndarray given):
    """Return the singular values of matrices, or None."""
    cdef bint is_complex = is_complex_dtype(dtype_of(given))
    cdef int64_t m = side(given, 2), n = side(given, 1)
    cdef ndarray values
    if is_better_in_torch(given):
        found = by_torch(torch.linalg.svdvals, given)
        if found is not None:
            return found[0]
    if not has_loop(SVD, is_complex):
        return None
    values = new_result(given, FLOAT64, 1, min(m, n), 0)
    compute(SVD, is_complex, (widened(given, is_complex), values), m, n, min(m, n))
    return narrowed(values, is_single(dtype_of(given)))


cdef tuple singular(ndarray given, bint full):
    """Return the three factors of matrices, or None."""
    cdef bint is_complex = is_complex_dtype(dtype_of(given)), single = is_single(dtype_of(given))
    cdef int which = SVD_FULL if full else SVD_SMALL
    cdef int dtype = COMPLEX128 if is_complex else FLOAT64
    cdef int64_t m = side(given, 2), n = side(given, 1)
    cdef int64_t p = min(m, n)
    cdef ndarray u, s, vh
    if is_better_in_torch(given):
        found = by_torch(torch.linalg.svd, given, full)
        if found is not None:
            return found
    if not has_loop(which, is_complex):
        return None
    u = new_result(given, dtype, 2, m, m if full else p)
    s = new_result(given, FLOAT64, 1, p, 0)
    vh = new_result(given, dtype, 2, n if full else p, n)
    compute(which, is_complex, (widened(given, is_complex), u, s, vh), m, n, p)
    return narrowed(u, single), narrowed(s, single), narrowed(vh, single)


cdef object svd(PyObject** slots):
    """svd(a, full_matrices, compute_uv, hermitian)."""
    cdef ndarray given = matrix_of(slots[0], False)
    full, vectors = <object>slots[1], <object>slots[2]
    if given is None or <object>slots[3] is not False or type(full) is not bool or type(vectors) is not bool:
        return NotImplemented
    if vectors:
        results = singular(given, full)
        return NotImplemented if results is None else new_tuple(SVDResult, results)
    values = singular_values(given)
    return NotImplemented if values is None else values


cdef object svdvals(PyObject** slots):
    """svdvals(x)."""
    cdef ndarray given = matrix_of(slots[0], False)
    values = None if given is None else singular_values(given)
    return NotImplemented if values is None else values


cdef object solve(PyObject** slots):
    """solve(a, b)."""
    cdef ndarray a = matrix_of(slots[0], True), b, result
    cdef int which = SOLVE, axis, ndim
    cdef int64_t n, columns = 1
    cdef bint is_complex, single
    if a is None or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    b, ndim, n = <ndarray>slots[1], a.header.dim(), side(a, 1)
    if not b.header.is_plain() or not is_number(dtype_of(b)) or b.header.numel() == 0:
        return NotImplemented
    if b.header.dim() == 1 and ndim == 2:
        which = SOLVE_ONE
        if b.header.sizes()[0] != n:
            return NotImplemented
    elif b.header.dim() == ndim and (ndim == 2 or is_c_contiguous(b)):
        columns = side(b, 1)
        for axis in range(ndim - 1):
            if b.header.sizes()[axis] != a.header.sizes()[axis]:
                return NotImplemented
    else:
        return NotImplemented
    is_complex = is_complex_dtype(dtype_of(a)) or is_complex_dtype(dtype_of(b))
    single = is_single(dtype_of(a)) and is_single(dtype_of(b))
    if is_better_in_torch(a, columns >= LARGE and not is_complex and mkl_inverts_quickly()) and not is_single(dtype_of(b)):
        found = by_torch(torch.linalg.solve, a if is_complex == is_complex_dtype(dtype_of(a)) else widened(a, True),
                         to_torch(widened(b, is_complex)))
        if found is not None:
            return found[0]
    if not has_loop(which, is_complex):
        return NotImplemented
    result = new_result(a, COMPLEX128 if is_complex else FLOAT64, 1 if which == SOLVE_ONE else 2, n, columns)
    compute(which, is_complex, (widened(a, is_complex), widened(b, is_complex), result), n, columns, 0)
    return narrowed(result, single)


cdef bint runs_along_rows(ndarray array) noexcept:
    """Whether an array in C order, or a matrix, has its rows one after the other: NumPy keeps another order of the axes."""
    cdef const int64_t* strides = array.header.strides()
    return is_c_contiguous(array) or not array.flipped and array.header.dim() == 2 and strides[0] >= strides[1] > 0


cdef object qr(PyObject** slots):
    """qr(a, mode)."""
    cdef ndarray given = matrix_of(slots[0], False), packed, tau, q
    cdef bint is_complex, single, complete
    cdef int64_t m, n, k
    cdef int dtype, which
    mode = <object>slots[1]
    if given is None or type(mode) is not str or mode not in ("reduced", "complete", "r") or not runs_along_rows(given):
        return NotImplemented
    is_complex, single = is_complex_dtype(dtype_of(given)), is_single(dtype_of(given))
    m, n = side(given, 2), side(given, 1)
    k, dtype = min(m, n), COMPLEX128 if is_complex else FLOAT64
    complete = mode == "complete" and m > n
    which = QR_COMPLETE if complete else QR_REDUCED
    if not has_loop(QR_RAW, is_complex) or not has_loop(which, is_complex):
        return NotImplemented
    # The loop writes the factors over its input.
    packed = astype(given, dtype, ORDER_C, True)
    tau = new_result(given, dtype, 1, k, 0)
    compute(QR_RAW, is_complex, (packed, tau), m, n, k)
    if mode == "r":
        return narrowed(upper_part(packed, k), single)
    q = new_result(given, dtype, 2, m, m if complete else k)
    compute(which, is_complex, (packed, tau, q), m, n, k)
    return new_tuple(QRResult, (narrowed(q, single), narrowed(upper_part(packed, m if complete else k), single)))


cdef ndarray upper_part(ndarray packed, int64_t rows):
    """Return the first rows of matrices without what is below the diagonal."""
    cdef int64_t m = side(packed, 2), n = side(packed, 1), itemsize = ITEMSIZES[dtype_of(packed)]
    cdef ndarray result = new_result(packed, dtype_of(packed), 2, rows, n)
    cdef int64_t matrix, row, below
    cdef char* source
    cdef char* target = data_of(result)
    for matrix in range(packed.header.numel() // (m * n)):
        source = data_of(packed) + matrix * m * n * itemsize
        for row in range(rows):
            below = min(row, n)
            memset(target, 0, below * itemsize)
            memcpy(target + below * itemsize, source + below * itemsize, (n - below) * itemsize)
            source += n * itemsize
            target += n * itemsize
    return result


cdef object lstsq(PyObject** slots):
    """lstsq(a, b, rcond)."""
    cdef ndarray a = matrix_of(slots[0], False), b, limit, x, residuals, rank, values
    cdef bint is_complex, single
    cdef int64_t m, n, columns = 1, none = 0
    cdef int64_t[2] shape
    cdef int dtype
    rcond = <object>slots[2]
    if a is None or a.header.dim() != 2 or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    b, m, n = <ndarray>slots[1], side(a, 2), side(a, 1)
    if not b.header.is_plain() or not is_number(dtype_of(b)) or b.header.numel() == 0 or b.header.sizes()[0] != m:
        return NotImplemented
    if not 1 <= b.header.dim() <= 2 or rcond is not None and type(rcond) is not float:
        return NotImplemented
    is_complex = is_complex_dtype(dtype_of(a)) or is_complex_dtype(dtype_of(b))
    single, dtype = is_single(dtype_of(a)) and is_single(dtype_of(b)), COMPLEX128 if is_complex else FLOAT64
    if not has_loop(LSTSQ, is_complex):
        return NotImplemented
    b = widened(b, is_complex)
    limit, rank = new_scalar(FLOAT64), new_scalar(INT32)
    (<double*>data_of(limit))[0] = EPSILON * max(m, n) if rcond is None else rcond
    if b.header.dim() == 1:
        b = b.reshape(m, 1)
    columns = b.header.sizes()[1]
    shape[0], shape[1] = n, columns
    x, residuals = new_array(dtype, 2, shape), new_array(FLOAT64, 1, &columns)
    shape[0] = min(m, n)
    values = new_array(FLOAT64, 1, shape)
    compute(LSTSQ, is_complex, (widened(a, is_complex), b, limit, x, residuals, rank, values), m, n, columns, min(m, n))
    if (<int32_t*>data_of(rank))[0] != n or m <= n:
        residuals = new_array(FLOAT64, 1, &none)
    if (<ndarray>slots[1]).header.dim() == 1:
        x = x.reshape(n).copy()
    return narrowed(x, single), narrowed(residuals, single), rank, narrowed(values, single)


#: Name of the function to its body.
BODIES = {
    "cholesky": new_compiled_body(cholesky),
    "det": new_compiled_body(det),
    "eig": new_compiled_body(eig),
    "eigh": new_compiled_body(eigh),
    "eigvals": new_compiled_body(eigvals),
    "eigvalsh": new_compiled_body(eigvalsh),
    "inv": new_compiled_body(inverse),
    "lstsq": new_compiled_body(lstsq),
    "qr": new_compiled_body(qr),
    "slogdet": new_compiled_body(slogdet),
    "solve": new_compiled_body(solve),
    "svd": new_compiled_body(svd),
    "svdvals": new_compiled_body(svdvals),
}
