"""Plain arrays into plain arrays, with casts and what is said of them; copies.h does what has no short way."""
from cpython.exc cimport PyErr_WarnEx
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memmove

from fastnp._core.dtype cimport BOOL, COMPLEX64, COMPLEX128, FLOAT16, FLOAT64, ITEMSIZES, NUM_NUMPY_DTYPES, UINT8, UINT16
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, copy_block, copy_operand, raised_float_flags
from fastnp._core.loops cimport report_float_flags
from fastnp._core.ndarray cimport data_of, dtype_of, fill_shape, fill_strides, is_c_contiguous, ndarray
from fastnp._core.views cimport same_memory

from numpy.exceptions import ComplexWarning

cdef extern from "moves.h" namespace "fastnp" nogil:
    void move_matrix(int64_t item, char* into, int64_t into_row, int64_t into_step, const char* source, int64_t row, int64_t step,
                     int64_t rows, int64_t columns)

cdef extern from *:
    """
    // Out of line: among other code the compiler packs the items through memory, which takes twice as long.
    __attribute__((noinline)) static void pack_words(char* into, const char* from, int64_t step, int64_t n) {
        fastnp::pack_steps<uint64_t>(into, from, step, n);
    }
    """
    void pack_words(char* into, const char* source, int64_t step, int64_t n) nogil

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided "fastnp::casts::Strided")(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef enum:
    LONG_LINE = 32
    FEW = 512  # elements that are copied without a look at the best order


# --- casts ------------------------------------------------------------------------------------------------------------

cdef inline bint is_complex(int dtype) noexcept:
    return dtype == COMPLEX64 or dtype == COMPLEX128


cdef inline bint may_raise_flags(int destination, int source) noexcept:
    """Whether a cast can be invalid or overflow: from floating dtypes to all but wider ones."""
    if source < FLOAT16 or source >= NUM_NUMPY_DTYPES or destination == source:
        return destination == FLOAT16 and source < FLOAT16
    return destination < FLOAT16 or ITEMSIZES[destination] < ITEMSIZES[source] or is_complex(source) or (
        destination == COMPLEX64 and source == FLOAT64)


cdef inline bint begin_cast(int destination, int source) noexcept:
    """Clear the flags that a cast may raise; whether there are any."""
    if not may_raise_flags(destination, source):
        return False
    clear_float_flags(destination == FLOAT16 or source == FLOAT16)
    return True


cdef inline int end_cast(int destination, int source) except -1:
    """Report the flags that a cast has raised as the error state asks for."""
    cdef unsigned raised = raised_float_flags(destination == FLOAT16 or source == FLOAT16)
    return report_float_flags(raised, "cast") if raised else 0


cdef int check_complex(int destination, int source) except -1:
    if is_complex(source) and not is_complex(destination) and destination != BOOL:
        PyErr_WarnEx(ComplexWarning, "Casting complex values to real discards the imaginary part", 1)
    return 0


cdef int cast_block(char* into, int dtype, const char* data, int source_dtype, int64_t size) except -1:
    check_complex(dtype, source_dtype)
    cdef bint watched = begin_cast(dtype, source_dtype)
    find_cast(dtype, source_dtype)(into, ITEMSIZES[dtype], data, ITEMSIZES[source_dtype], size)
    if watched:
        end_cast(dtype, source_dtype)
    return 0


cdef bint pack_lines(const Operand* into, const Operand* values) noexcept:
    """Copy long lines of words that lie apart to where they lie side by side; False where that is not so."""
    cdef int last = into.ndim - 1
    cdef int64_t row, rows = 1, step
    if not 0 <= last <= 1 or values.ndim != into.ndim or ITEMSIZES[into.type] != 8 or into.strides[last] != 8:
        return False
    step = values.strides[last]
    # Copies of what is repeated, reversed or every second have vectors, turned ones go in blocks.
    if step == 0 or -8 <= step <= 16 or into.shape[last] < LONG_LINE or values.shape[last] != into.shape[last]:
        return False
    if last == 1:
        rows = into.shape[0]
        if rows >= 8 and values.strides[0] == 8 or values.shape[0] != rows:
            return False
    for row in range(rows):
        pack_words(into.data + row * into.strides[0] * last, values.data + row * values.strides[0] * last, step, into.shape[last])
    return True


cdef int copy_cast(Operand* destination, Operand* source, int64_t size) except -1:
    cdef bint watched
    check_complex(destination.type, source.type)
    if destination.type == source.type and destination.type >= NUM_NUMPY_DTYPES:
        # Bits are copied: any dtype of that width does.
        destination.type = source.type = UINT8 if ITEMSIZES[source.type] == 1 else UINT16
    if destination.type == source.type and size < RELEASE_FROM and pack_lines(destination, source):
        return 0
    watched = begin_cast(destination.type, source.type)
    if size >= RELEASE_FROM:
        with nogil:
            copy_operand(destination[0], source[0])
    else:
        copy_operand(destination[0], source[0])
    if watched:
        end_cast(destination.type, source.type)
    return 0


# --- blocks and few elements ------------------------------------------------------------------------------------------

cdef inline bint is_same_block(ndarray a, ndarray b) noexcept:
    """Whether the elements of two arrays of one size lie in one piece each, in the same order."""
    return a.header.numel() == b.header.numel() and (
        is_c_contiguous(a) and is_c_contiguous(b))


cdef int copy_bytes(char* into, const char* data, int64_t bytes) except -1:
    if bytes >= RELEASE_FROM * 8:
        with nogil:
            copy_block(into, data, bytes)
    else:
        memmove(into, data, bytes)
    return 0


cdef bint copy_same_block(ndarray destination, ndarray source) except -1:
    cdef int dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef int64_t size = destination.header.numel()
    if not is_same_block(destination, source):
        return False
    if dtype == source_dtype:
        copy_bytes(data_of(destination), data_of(source), size * ITEMSIZES[dtype])
    elif size < RELEASE_FROM and not same_memory(destination, source):
        cast_block(data_of(destination), dtype, data_of(source), source_dtype, size)
    else:
        return False
    return True


cdef inline void copy_few(char* into, const int64_t* into_steps, const char* data, const int64_t* steps,
                          const int64_t* shape, int itemsize) noexcept:
    """Copy a matrix; steps are in bytes."""
    cdef int64_t row
    if into_steps[1] == itemsize and steps[1] == itemsize and shape[1] * itemsize >= LONG_LINE * 8:
        for row in range(shape[0]):
            memcpy(into + row * into_steps[0], data + row * steps[0], shape[1] * itemsize)
    else:
        move_matrix(itemsize, into, into_steps[0], into_steps[1], data, steps[0], steps[1], shape[0], shape[1])


cdef int cast_few(char* into, const int64_t* into_steps, int dtype, const char* data, const int64_t* steps, int source_dtype,
                  const int64_t* shape) except -1:
    """Cast a matrix, by its longer lines; steps are in bytes."""
    cdef Strided cast = find_cast(dtype, source_dtype)
    cdef int line = shape[1] >= shape[0]
    cdef int64_t row
    check_complex(dtype, source_dtype)
    cdef bint watched = begin_cast(dtype, source_dtype)
    for row in range(shape[1 - line]):
        cast(into + row * into_steps[1 - line], into_steps[line], data + row * steps[1 - line], steps[line], shape[line])
    if watched:
        end_cast(dtype, source_dtype)
    return 0


cdef int fill_matrix(ndarray array, int ndim, int64_t* shape, int64_t* steps) noexcept:
    """Describe an array of `ndim` dimensions, not more than two, as a matrix."""
    shape[0] = shape[1] = 1
    steps[0] = steps[1] = 0
    fill_shape(array, shape + 2 - ndim)
    return fill_strides(array, steps + 2 - ndim)


cdef bint assign_few(ndarray destination, ndarray source) except -1:
    cdef int64_t shape[2]
    cdef int64_t steps[2]
    cdef int64_t given[2]
    cdef int64_t given_steps[2]
    cdef int64_t beside[2]
    cdef char between[FEW * 16]
    cdef int axis, ndim = destination.header.dim(), source_ndim = source.header.dim()
    cdef int dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef int itemsize = ITEMSIZES[dtype]
    if ndim > 2 or source_ndim > ndim or destination.header.numel() > FEW:
        return False
    if ndim == 1 and source_ndim == 1 and copy_same_block(destination, source):
        return True
    fill_matrix(destination, ndim, shape, steps)
    fill_matrix(source, source_ndim, given, given_steps)
    for axis in range(2):
        if given[axis] != shape[axis]:
            if given[axis] != 1:
                return False
            given_steps[axis] = 0
    if dtype != source_dtype:
        if same_memory(destination, source):
            return False
        cast_few(data_of(destination), steps, dtype, data_of(source), given_steps, source_dtype, shape)
    elif same_memory(destination, source):
        # NumPy: what is read is what was there before the write.
        beside[0], beside[1] = shape[1] * itemsize, itemsize
        copy_few(between, beside, data_of(source), given_steps, shape, itemsize)
        copy_few(data_of(destination), steps, between, beside, shape, itemsize)
    else:
        copy_few(data_of(destination), steps, data_of(source), given_steps, shape, itemsize)
    return True
