"""ufunc.at of plain arrays along their first axis."""
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t, uint16_t, uint64_t

from fastnp._core.assign cimport ORDER_C, astype
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT64,
    NUM_NUMPY_DTYPES,
    UINT64,
)
from fastnp._core.engine cimport Loop, clear_float_flags, raised_float_flags
from fastnp._core.loops cimport LoopTable, Resolution, raise_pending, report_float_flags, store_weak
from fastnp._core.ndarray cimport data_of, dtype_of, fill_strides, is_c_contiguous, ndarray, new_array, plain_view
from fastnp._core.views cimport same_memory

cdef extern from "taking.h" namespace "fastnp" nogil:
    bint are_in_bounds(const int64_t* given, int64_t count, int64_t size)

cdef extern from "scatter.h" namespace "fastnp" nogil:
    ctypedef void (*Scatter)(char* data, int64_t step, int64_t size, const int64_t* indices, int64_t count,
                             const char* values, int64_t value_step)
    Scatter find_scatter(const char* ufunc, int dtype)
    void scatter_by_loop(const Loop&, char* data, int64_t step, int64_t size, const int64_t* indices, int64_t count,
                         const char* values, int64_t value_step)

cdef double MODERATE = 1e30
cdef uint64_t EXACT = <uint64_t>1 << 52  # numbers of which doubles hold the sum of two
cdef frozenset KEPT = frozenset(("add", "subtract", "multiply", "maximum", "minimum"))

cdef extern from "dtype.h" namespace "fastnp" nogil:
    double half_to_double(uint16_t bits)

cdef enum:
    FEW = 256             # elements for which NumPy's loop is called one by one
    RELEASE_FROM = 20000  # fewer elements keep the GIL


cdef bint is_kept(LoopTable table, int dtype, object number) except -1:
    """Whether a function of an array's dtype alone ends as NumPy's, for which numbers of Python's have their own dtype."""
    cdef int kind = FLOAT64 if PyFloat_CheckExact(number) else INT64
    cdef char half[2]
    if dtype == FLOAT64 or dtype == COMPLEX128 or dtype == kind:
        return True
    if table.name not in KEPT:
        return False
    # Integers of 64 bits end, cut off, as narrower ones go round; what 53 bits round to, 24 bits then round to alike.
    if dtype == FLOAT32:
        return -MODERATE < number < MODERATE and <double><float>number == number
    if dtype == BOOL:
        return kind == INT64 and 0 <= number <= 1
    # What 24 bits round to, 11 bits then round to as the exact result.
    if dtype == FLOAT16:
        return -MODERATE < number < MODERATE and store_weak(half, FLOAT16, number) and (
            half_to_double((<uint16_t*>half)[0]) == number)
    return INT8 <= dtype < INT64 and kind == INT64


cdef bint is_counted(LoopTable table, ndarray array, const int64_t* indices, int64_t count, object number) except -1:
    """Whether numbers without a sign are added up that NumPy's doubles hold, where the number's own dtype is another."""
    cdef int64_t size = array.header.numel(), step, place
    cdef uint64_t most = 0
    cdef const char* data = data_of(array)
    if count == 0:
        return True
    if table.name != "add" or not PyLong_CheckExact(number) or not 0 <= number <= EXACT // count:
        return False
    fill_strides(array, &step)
    for place in range(count):
        most |= (<const uint64_t*>(data + (indices[place] + (size if indices[place] < 0 else 0)) * step))[0]
    return most < EXACT


cdef bint at_rows(LoopTable table, ndarray array, ndarray indices, object given) except -1:
    """Do at_plain for few rows of a packed array, and a number: for the elements of each."""
    cdef int64_t size = array.header.sizes()[0], count = indices.header.numel(), row, place, one, total, step = 1
    cdef const int64_t* numbers = <const int64_t*>data_of(indices)
    cdef int64_t* places
    cdef ndarray expanded, line
    if not is_c_contiguous(array) or array.header.numel() == 0 or dtype_of(indices) != INT64 or indices.header.dim() != 1 or (
            not indices.header.is_plain() or not is_c_contiguous(indices) or not array.writeable_
            or not PyFloat_CheckExact(given) and not PyLong_CheckExact(given)):
        return False
    row = array.header.numel() // size
    total = row * count
    if total > RELEASE_FROM or not are_in_bounds(numbers, count, size):
        return False
    expanded = new_array(INT64, 1, &total)
    places = <int64_t*>data_of(expanded)
    for place in range(count):
        one = (numbers[place] + (size if numbers[place] < 0 else 0)) * row
        for total in range(row):
            places[place * row + total] = one + total
    total = array.header.numel()
    line = plain_view(array, 1, &total, &step, 0, 0)
    if not at_plain(table, line, expanded, given):
        return False
    array.header.bump_version()
    return True


cdef bint at_plain(LoopTable table, ndarray array, ndarray indices, object given) except -1:
    cdef char item[16]
    cdef int64_t step = 0, value_step = 0, size, count
    cdef int dtype = dtype_of(array)
    cdef const int64_t* numbers
    cdef const char* values = item
    cdef char* data
    cdef Resolution* entry
    cdef Scatter scatter
    cdef ndarray value = None
    cdef unsigned flags
    cdef bint kept = True
    if array.header.dim() > 1 and array.header.is_plain():
        return at_rows(table, array, indices, given)
    if not array.writeable_ or array.header.dim() != 1 or indices.header.dim() != 1 or dtype >= NUM_NUMPY_DTYPES:
        return False
    if not array.header.is_plain() or not indices.header.is_plain() or not BOOL < dtype_of(indices) <= INT64:
        return False
    if table.nin != 2 or table.nout != 1 or table.numpy_ufunc.signature is not None:
        return False
    entry = table.find(dtype, dtype)
    if entry.state != 1 or entry.types[0] != dtype or entry.types[1] != dtype or entry.types[2] != dtype or entry.raises:
        return False
    size, count = array.header.numel(), indices.header.numel()
    scatter = find_scatter(table.name.encode(), dtype)
    if scatter is NULL and count > FEW:
        return False
    if type(given) is ndarray:
        value = <ndarray>given
        if dtype_of(value) != dtype or not value.header.is_plain() or value.header.dim() > 1 or same_memory(value, array):
            return False
        if value.header.numel() != 1 and value.header.numel() != count:
            return False
        if value.header.dim() == 1 and value.header.numel() != 1:
            fill_strides(value, &value_step)
        values = data_of(value)
    elif PyFloat_CheckExact(given) or PyLong_CheckExact(given):
        kept = is_kept(table, dtype, given)
        if not kept and dtype != UINT64 or not store_weak(item, dtype, given):
            return False
    else:
        return False
    if dtype_of(indices) != INT64 or not is_c_contiguous(indices):
        indices = astype(indices, INT64, ORDER_C, False)
    elif same_memory(indices, array):
        return False
    numbers = <const int64_t*>data_of(indices)
    if not are_in_bounds(numbers, count, size) or not kept and not is_counted(table, array, numbers, count, given):
        return False
    fill_strides(array, &step)
    data = data_of(array)
    clear_float_flags(entry.software)
    if scatter is NULL:
        scatter_by_loop(entry.loop, data, step, size, numbers, count, values, value_step)
    elif count >= RELEASE_FROM:
        with nogil:
            scatter(data, step, size, numbers, count, values, value_step)
    else:
        scatter(data, step, size, numbers, count, values, value_step)
    flags = raised_float_flags(entry.software)
    array.header.bump_version()
    raise_pending()
    if flags:
        report_float_flags(flags, "at")
    return True
