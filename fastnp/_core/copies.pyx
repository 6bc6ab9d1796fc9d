"""Plain arrays into plain arrays, with casts and what is said of them; copies.h does what has no short way."""
from cpython.exc cimport PyErr_WarnEx
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memmove, memset

from fastnp._core.dtype cimport BOOL, COMPLEX64, COMPLEX128, FLOAT16, FLOAT64, ITEMSIZES, NUM_NUMPY_DTYPES, UINT8, UINT16
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, copy_block, copy_operand, raised_float_flags
from fastnp._core.loops cimport report_float_flags
from fastnp._core.ndarray cimport data_of, dtype_of, fill_shape, fill_strides, is_c_contiguous, is_f_contiguous, ndarray
from fastnp._core.views cimport same_memory

from numpy.exceptions import ComplexWarning

cdef extern from "moves.h" namespace "fastnp" nogil:
    void move_strided(int64_t item, char* into, int64_t into_step, const char* source, int64_t step, int64_t n)
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

cdef extern from "copies.h" namespace "fastnp" nogil:
    void roll_operand "fastnp::copy_rolled"(Operand&, Operand&, const int64_t* shifts) except +

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided "fastnp::casts::Strided")(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef enum:
    LONG_LINE = 32
    SHORT_LINE = 14
    FEW = 512  # elements that are copied without a look at the best order
    MANY = 16384  # the same where their lines are long
    BLOCK = 512  # elements of short lines that are cast together
    FEW_AXES = 8


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


cdef int copy_rolled(Operand* destination, Operand* source, const int64_t* shifts, int64_t size) except -1:
    if size >= RELEASE_FROM:
        with nogil:
            roll_operand(destination[0], source[0], shifts)
    else:
        roll_operand(destination[0], source[0], shifts)
    return 0


# --- blocks and few elements ------------------------------------------------------------------------------------------

cdef inline bint is_same_block(ndarray a, ndarray b) noexcept:
    """Whether the elements of two arrays of one size lie in one piece each, in the same order."""
    return a.header.numel() == b.header.numel() and (
        is_c_contiguous(a) and is_c_contiguous(b) or is_f_contiguous(a) and is_f_contiguous(b))


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


cdef void copy_few(char* into, const int64_t* into_steps, const char* data, const int64_t* steps,
                   const int64_t* shape, int itemsize) noexcept:
    cdef int64_t row
    cdef bint packed = into_steps[1] == itemsize and steps[1] == itemsize
    if packed and shape[1] * itemsize >= LONG_LINE * 8:
        for row in range(shape[0]):
            memcpy(into + row * into_steps[0], data + row * steps[0], shape[1] * itemsize)
    elif not packed and (shape[1] >= LONG_LINE or shape[0] == 1):
        for row in range(shape[0]):
            move_strided(itemsize, into + row * into_steps[0], into_steps[1], data + row * steps[0], steps[1], shape[1])
    else:
        move_matrix(itemsize, into, into_steps[0], into_steps[1], data, steps[0], steps[1], shape[0], shape[1])


cdef void cast_few(char* into, const int64_t* into_steps, int dtype, const char* data, const int64_t* steps,
                   int source_dtype, const int64_t* shape) noexcept:
    """Cast a matrix: by its lines, or short ones together; steps are in bytes."""
    cdef Strided cast = find_cast(dtype, source_dtype)
    cdef int line = shape[0] > LONG_LINE or shape[1] >= shape[0]
    cdef int64_t row
    cdef bint halves = dtype == FLOAT16 or source_dtype == FLOAT16
    cdef bint gains = halves or dtype == BOOL or ITEMSIZES[source_dtype] == 1
    # Few lines are cast sooner where they lie, but for halves, which go eight at a time.
    if shape[1] < (LONG_LINE if gains else SHORT_LINE) and (
            shape[0] > LONG_LINE or halves and shape[0] * shape[1] > LONG_LINE):
        cast_short_lines(into, into_steps, dtype, data, steps, source_dtype, shape)
        return
    for row in range(shape[1 - line]):
        cast(into + row * into_steps[1 - line], into_steps[line], data + row * steps[1 - line], steps[line], shape[line])


cdef void cast_short_lines(char* into, const int64_t* into_steps, int dtype, const char* data, const int64_t* steps,
                           int source_dtype, const int64_t* shape) noexcept:
    """Cast a matrix of lines that are not worth a call each: so many as fill a block are brought side by side."""
    cdef Strided cast = find_cast(dtype, source_dtype)
    cdef char[16 * BLOCK] read, written
    cdef int64_t row, rows, columns = shape[1], at_once = BLOCK // columns
    cdef int item = ITEMSIZES[dtype], source_item = ITEMSIZES[source_dtype]
    cdef bint is_packed = into_steps[1] == item and into_steps[0] == columns * item
    cdef const char* values
    cdef char* place
    for row in range(0, shape[0], at_once):
        rows = min(at_once, shape[0] - row)
        values, place = data + row * steps[0], into + row * into_steps[0]
        if steps[1] != source_item or steps[0] != columns * source_item:
            move_matrix(source_item, read, columns * source_item, source_item, values, steps[0], steps[1], rows, columns)
            values = read
        cast(place if is_packed else written, item, values, source_item, rows * columns)
        if not is_packed:
            move_matrix(item, place, into_steps[0], into_steps[1], written, columns * item, item, rows, columns)


cdef inline void swap_last(int64_t* values, int ndim) noexcept:
    values[ndim - 2], values[ndim - 1] = values[ndim - 1], values[ndim - 2]


cdef inline bint is_in_order(const int64_t* steps) noexcept:
    """Whether a matrix is met in the order of its memory, line by line."""
    return abs(steps[1]) <= abs(steps[0]) or steps[0] == 0


cdef bint fill_steps(ndarray destination, ndarray source, int ndim, int64_t* shape, int64_t* into, char** place, int64_t* steps,
                     const char** data) noexcept:
    """Describe a copy as one of `ndim` dimensions, two or more; False where the shapes do not broadcast.

    It is written forwards. The last two axes are swapped where all lies in the other order.
    """
    cdef int64_t given[FEW_AXES]
    cdef int axis, missing = ndim - <int>destination.header.dim(), source_missing = ndim - <int>source.header.dim()
    for axis in range(ndim):
        shape[axis] = given[axis] = 1
        into[axis] = steps[axis] = 0
    fill_shape(destination, shape + missing)
    fill_strides(destination, into + missing)
    fill_shape(source, given + source_missing)
    fill_strides(source, steps + source_missing)
    for axis in range(ndim):
        if given[axis] != shape[axis]:
            if given[axis] != 1:
                return False
            steps[axis] = 0
        if into[axis] < 0:
            place[0] += into[axis] * (shape[axis] - 1)
            data[0] += steps[axis] * (shape[axis] - 1)
            into[axis], steps[axis] = -into[axis], -steps[axis]
    if not is_in_order(into + ndim - 2) and (steps[ndim - 1] == 0 or not is_in_order(steps + ndim - 2)):
        swap_last(shape, ndim)
        swap_last(into, ndim)
        swap_last(steps, ndim)
    return True


cdef int coalesce(int64_t* shape, int64_t* into, int64_t* steps, int ndim) noexcept:
    """Join axes that follow each other, the last ones first; return the first that is left, of two at least."""
    cdef int axis, kept = ndim - 1
    for axis in range(ndim - 2, -1, -1):
        if shape[axis] == 1:
            continue
        if shape[kept] != 1 and into[axis] == into[kept] * shape[kept] and steps[axis] == steps[kept] * shape[kept]:
            shape[kept] *= shape[axis]
            continue
        if shape[kept] != 1:
            kept -= 1
        shape[kept], into[kept], steps[kept] = shape[axis], into[axis], steps[axis]
    if kept == ndim - 1:
        kept -= 1
        shape[kept] = 1
        into[kept] = steps[kept] = 0
    return kept


cdef bint is_self(const int64_t* shape, const int64_t* into, const char* place, const int64_t* steps, const char* data,
                  int ndim) noexcept:
    """Whether elements are copied onto themselves, as `x[1:] += y` has it in the end."""
    cdef int axis
    for axis in range(ndim):
        if into[axis] != steps[axis] and shape[axis] != 1:
            return False
    return place == data


cdef bint next_matrix(const int64_t* shape, int64_t* index, int outer, const int64_t* into_steps, char** into,
                      const int64_t* steps, const char** data) noexcept:
    """Go on by one along the first `outer` axes; False after the last."""
    cdef int axis
    for axis in range(outer - 1, -1, -1):
        index[axis] += 1
        into[0] += into_steps[axis]
        data[0] += steps[axis]
        if index[axis] < shape[axis]:
            return True
        into[0] -= into_steps[axis] * shape[axis]
        data[0] -= steps[axis] * shape[axis]
        index[axis] = 0
    return False


cdef void copy_matrices(char* into, const int64_t* into_steps, int dtype, const char* data, const int64_t* steps,
                        int source_dtype, const int64_t* shape, int ndim) noexcept:
    """Copy or cast matrix by matrix; steps are in bytes."""
    cdef int64_t index[FEW_AXES]
    cdef int outer = ndim - 2
    memset(index, 0, outer * sizeof(int64_t))
    while True:
        if dtype == source_dtype:
            copy_few(into, into_steps + outer, data, steps + outer, shape + outer, ITEMSIZES[dtype])
        else:
            cast_few(into, into_steps + outer, dtype, data, steps + outer, source_dtype, shape + outer)
        if outer == 0 or not next_matrix(shape, index, outer, into_steps, &into, steps, &data):
            return


cdef bint has_long_lines(const int64_t* shape, const int64_t* into, const int64_t* steps, int ndim, bint casts) noexcept:
    """Whether elements are copied well as they come, without a look at the best order of the axes."""
    cdef int64_t rows = shape[ndim - 2], columns = shape[ndim - 1]
    if max(rows, columns) < LONG_LINE or ndim > 2 and rows * columns < FEW:
        return False
    if casts and min(rows, columns) <= 8:
        return True
    return is_in_order(into + ndim - 2) and (casts or is_in_order(steps + ndim - 2))


cdef bint copy_line(ndarray destination, ndarray source) noexcept:
    """Copy few elements of one dtype and one axis that lie apart; False where that is not so."""
    cdef int64_t into, step, size = destination.header.numel()
    cdef int dtype = dtype_of(destination)
    if dtype != dtype_of(source) or source.header.numel() != size or size > FEW or same_memory(destination, source):
        return False
    fill_strides(destination, &into)
    fill_strides(source, &step)
    move_strided(ITEMSIZES[dtype], data_of(destination), into, data_of(source), step, size)
    return True


cdef bint assign_few(ndarray destination, ndarray source) except -1:
    cdef int64_t[FEW_AXES] all_shape, all_into, all_steps, beside
    cdef int64_t* shape = all_shape
    cdef int64_t* into = all_into
    cdef int64_t* steps = all_steps
    cdef char between[FEW * 16]
    cdef char* place = data_of(destination)
    cdef const char* data = data_of(source)
    cdef int axis, first, ndim = destination.header.dim(), source_ndim = source.header.dim()
    cdef int dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef int64_t step = ITEMSIZES[dtype], size = destination.header.numel()
    cdef bint casts = dtype != source_dtype, alias, watched
    if source_ndim > ndim or ndim > FEW_AXES or size > MANY or size == 0:
        return False
    if ndim == 1 and source_ndim == 1 and (copy_same_block(destination, source) or copy_line(destination, source)):
        return True
    ndim = max(ndim, 2)
    alias = same_memory(destination, source)
    if alias and (casts or size > FEW) or not fill_steps(destination, source, ndim, shape, into, &place, steps, &data):
        return False
    first = coalesce(shape, into, steps, ndim)
    ndim, shape, into, steps = ndim - first, shape + first, into + first, steps + first
    if size > FEW and not has_long_lines(shape, into, steps, ndim, casts):
        return False
    if alias:
        if is_self(shape, into, place, steps, data, ndim):
            return True
        # NumPy: what is read is what was there before the write.
        for axis in range(ndim - 1, -1, -1):
            beside[axis] = step
            step *= shape[axis]
        copy_matrices(between, beside, dtype, data, steps, dtype, shape, ndim)
        copy_matrices(place, into, dtype, between, beside, dtype, shape, ndim)
        return True
    check_complex(dtype, source_dtype)
    watched = begin_cast(dtype, source_dtype)
    copy_matrices(place, into, dtype, data, steps, source_dtype, shape, ndim)
    if watched:
        end_cast(dtype, source_dtype)
    return True
