"""x[i] and x[mask], and assignment to them, of few elements: with the interpreter held, and nothing set up.

Each function declines what is not common, errors among it: the general way (fancy.pyx) says what is wrong.
"""
from cpython.bool cimport PyBool_Check
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcmp, memset

from fastnp._core.assign cimport pack
from fastnp._core.dtype cimport BOOL, INT64, ITEMSIZES
from fastnp._core.ndarray cimport Header, data_of, fill_strides, ndarray, new_array
from fastnp._core.numpy_scalars cimport value_of

cdef extern from "Python.h":
    bint PyLong_CheckExact(object)
    bint PyFloat_CheckExact(object)

cdef extern from "gather.h" namespace "fastnp" nogil:
    void take_at(int itemsize, const char* data, const int64_t* offsets, int64_t count, char* into)
    void put_at(int itemsize, char* data, const int64_t* offsets, int64_t count, const char* source, int64_t step)
cdef extern from "truths.h" namespace "fastnp" nogil:
    int64_t count_true(const uint8_t* mask, int64_t n)
    void take_true(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count)
    void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, int64_t count)


cdef enum:
    FEW = 512
    FEW_AXES = 8


cdef object take_few(ndarray array, ndarray index):
    if are_line_and_indices(array, index):
        taken = take_line(array, index)
        if taken is not None:
            return taken
    return take_mask(array, index)


cdef bint put_few(ndarray array, ndarray index, object value) except -1:
    if are_line_and_indices(array, index):
        return put_line(array, index, value)
    return put_mask(array, index, value)


cdef bint are_line_and_indices(ndarray array, ndarray index) noexcept:
    """Whether x[i] is of one dimension each, i integers, few enough to hold the interpreter."""
    cdef Header* header = &index.header
    return (array.header.dim() == 1 and header.dim() == 1 and header.dtype() == INT64 and header.is_plain()
            and header.numel() < FEW)


cdef bint fill_offsets(ndarray array, ndarray index, int64_t* offsets) noexcept:
    """Fill where the elements lie, in bytes; False where one is out of bounds."""
    cdef const int64_t* given = <const int64_t*>data_of(index)
    cdef int64_t size = array.header.sizes()[0], step, advance, place, one
    fill_strides(array, &step)
    fill_strides(index, &advance)
    advance //= 8  # its items are of 64 bits
    for place in range(index.header.numel()):
        one = given[place * advance]
        if one < 0:
            one += size
        if one < 0 or one >= size:
            return False
        offsets[place] = one * step
    return True


cdef object take_line(ndarray array, ndarray index):
    """Return x[i]; None where the general way has to say what is wrong."""
    cdef int64_t offsets[FEW]
    cdef int64_t count = index.header.numel()
    cdef int dtype = array.header.dtype()
    cdef ndarray result
    if not fill_offsets(array, index, offsets):
        return None
    result = new_array(dtype, 1, &count)
    take_at(ITEMSIZES[dtype], data_of(array), offsets, count, result.header.origin())
    return result


cdef struct Values:
    char item[16]        # a number's
    const char* source
    int64_t step         # 0: one value for all


cdef bint is_number(object value) noexcept:
    return PyFloat_CheckExact(value) or PyLong_CheckExact(value) or PyBool_Check(value)


cdef bint describe(ndarray array, object value, int64_t count, Values* values) noexcept:
    """Say where values of the array's dtype lie: a number's, once it is packed, or as many as there are places."""
    cdef int dtype = array.header.dtype(), itemsize = ITEMSIZES[dtype]
    cdef const char* lowest = array.header.origin()
    cdef int64_t span = itemsize
    cdef int axis
    cdef ndarray given
    values.step = 0
    values.source = value_of(value, dtype)
    if is_number(value):
        values.source = values.item
    if values.source is not NULL:
        return True
    if type(value) is not ndarray:
        return False
    given = <ndarray>value
    if given.header.dim() != 1 or given.header.dtype() != dtype or given.header.numel() != count or given.flipped or (
            not given.header.is_plain() or not given.header.is_contiguous()):
        return False
    values.source, values.step = given.header.origin(), itemsize
    for axis in range(array.header.dim()):
        span += (array.header.sizes()[axis] - 1) * array.header.strides()[axis] * itemsize
    return not overlap(values.source, count * itemsize, lowest, span)


cdef bint overlap(const char* first, int64_t bytes, const char* second, int64_t other_bytes) noexcept:
    return first < second + other_bytes and second < first + bytes


cdef bint put_line(ndarray array, ndarray index, object value) except -1:
    """Do x[i] = value for a number, or for as many values of the same dtype; False where that is the general way's."""
    cdef int64_t offsets[FEW]
    cdef int64_t count = index.header.numel()
    cdef int dtype = array.header.dtype()
    cdef Values values
    if not describe(array, value, count, &values) or not fill_offsets(array, index, offsets):
        return False
    if is_number(value):
        pack(values.item, dtype, value)  # NumPy: the key's errors come before the value's
    put_at(ITEMSIZES[dtype], data_of(array), offsets, count, values.source, values.step)
    array.header.bump_version()
    return True


cdef int64_t few_of_mask(ndarray array, ndarray mask) noexcept:
    """Return how many elements a mask in one piece has, as the array has; -1 where that is the general way's."""
    cdef Header* header = &mask.header
    cdef int64_t size
    cdef int axis, ndim = header.dim()
    if header.dtype() != BOOL or ndim != array.header.dim() or ndim == 0 or array.flipped or mask.flipped:
        return -1
    if not header.is_plain() or not header.is_contiguous() or not array.header.is_contiguous():
        return -1
    for axis in range(ndim):
        if header.sizes()[axis] != array.header.sizes()[axis]:
            return -1
    size = header.numel()
    return size if size < FEW else -1


cdef int64_t offsets_of_true(ndarray array, ndarray mask, int64_t* offsets) noexcept:
    """Fill where the elements lie, in bytes, for which a mask of the array's shape is true, whatever both lie like; return how
    many, or -1 where that is the general way's."""
    cdef int64_t[FEW_AXES] strides, steps, index
    cdef const int64_t* sizes = array.header.sizes()
    cdef const char* truths
    cdef int axis, ndim = array.header.dim()
    cdef int64_t _number, place = 0, count = 0, size = array.header.numel()
    if not mask.header.is_plain() or mask.header.dtype() != BOOL or mask.header.dim() != ndim or not 0 < ndim <= FEW_AXES or (
            not 0 < size < FEW or memcmp(mask.header.sizes(), sizes, ndim * sizeof(int64_t)) != 0):
        return -1
    fill_strides(array, strides)
    fill_strides(mask, steps)
    truths = data_of(mask)
    memset(index, 0, sizeof(index))
    for _number in range(size):
        offsets[count] = place
        count += truths[0] != 0
        axis = ndim - 1
        while axis >= 0:
            place += strides[axis]
            truths += steps[axis]
            index[axis] += 1
            if index[axis] < sizes[axis]:
                break
            place -= strides[axis] * sizes[axis]
            truths -= steps[axis] * sizes[axis]
            index[axis] = 0
            axis -= 1
    return count


cdef ndarray take_mask_apart(ndarray array, ndarray mask):
    """Return x[mask] of what does not lie in one piece."""
    cdef int64_t offsets[FEW]
    cdef int64_t count = offsets_of_true(array, mask, offsets)
    cdef int dtype = array.header.dtype()
    cdef ndarray result
    if count < 0:
        return None
    result = new_array(dtype, 1, &count)
    take_at(ITEMSIZES[dtype], data_of(array), offsets, count, result.header.origin())
    return result


cdef ndarray take_mask(ndarray array, ndarray mask):
    """Return x[mask]; None where that is the general way's."""
    cdef int64_t count, size = few_of_mask(array, mask)
    cdef int dtype = array.header.dtype()
    cdef ndarray result
    if size < 0:
        return take_mask_apart(array, mask)
    count = count_true(<const uint8_t*>mask.header.origin(), size)
    result = new_array(dtype, 1, &count)
    take_true(
        ITEMSIZES[dtype], <const uint8_t*>mask.header.origin(), array.header.origin(), size, result.header.origin(), count)
    return result


cdef bint put_mask_apart(ndarray array, ndarray mask, object value) except -1:
    """Do x[mask] = value where it does not lie in one piece."""
    cdef int64_t offsets[FEW]
    cdef int64_t count = offsets_of_true(array, mask, offsets)
    cdef int dtype = array.header.dtype()
    cdef Values values
    if count < 0 or not describe(array, value, count, &values):
        return False
    if is_number(value):
        pack(values.item, dtype, value)
    put_at(ITEMSIZES[dtype], data_of(array), offsets, count, values.source, values.step)
    array.header.bump_version()
    return True


cdef bint put_mask(ndarray array, ndarray mask, object value) except -1:
    """Do x[mask] = value as put_line does."""
    cdef int64_t size = few_of_mask(array, mask)
    cdef int dtype = array.header.dtype(), itemsize = ITEMSIZES[dtype]
    cdef Values values
    if size < 0:
        return put_mask_apart(array, mask, value)
    if overlap(mask.header.origin(), size, array.header.origin(), size * itemsize):
        return False
    cdef int64_t count = count_true(<const uint8_t*>mask.header.origin(), size)
    if not describe(array, value, count, &values):
        return False
    if is_number(value):
        pack(values.item, dtype, value)
    put_true(itemsize, <const uint8_t*>mask.header.origin(), array.header.origin(), size, values.source,
             1 if values.step == 0 else count)
    array.header.bump_version()
    return True
