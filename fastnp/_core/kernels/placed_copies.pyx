"""Copies of arrays placed otherwise: shifted round their axes (roll, fftshift, ifftshift), amid other elements (pad), side by
side (tile).
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memset

from fastnp._core.assign cimport ORDER_C, ORDER_K, copy_array, new_like, pack
from fastnp._core.aten cimport is_direct, roll_direct
from fastnp._core.copies cimport copy_rolled
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.engine cimport RELEASE_FROM, Operand
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of, is_plain_array
from fastnp._core.loops cimport fill_operand
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
    tensor_of,
)
from fastnp._core.ufunc_torch cimport has_kernels

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)

cdef extern from "copies.h" namespace "fastnp" nogil:
    cppclass FramedCopy:
        int64_t[MAXDIMS] sizes, steps, before
        Operand src
        const char* value
        void join_last_axes()
        void copy(char* into, const char* source, int axis)
    bint tile_lines(char* into, const char* source, int ndim, const int64_t* sizes, const int64_t* counts, int64_t item)

cdef extern from "taking.h" namespace "fastnp" nogil:
    void repeat_blocks(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* counts, int64_t step,
                       char* repeated, const char* end)

cdef int64_t MANY = <int64_t>1 << 40  # more elements than there is memory for
cdef object ONE = 1
cdef int64_t MOST = <int64_t>1 << 56  # as many shifts as there are axes add up to 64 bits


# --- shifted round axes -----------------------------------------------------------------------------------------------

cdef int64_t wrapped(int64_t shift, int64_t size) noexcept:
    """Return the shift below the length of an axis that does the same."""
    shift = shift % size if size > 0 else 0
    return shift + size if shift < 0 else shift


cdef ndarray rolled(ndarray array, int64_t* shifts):
    """Return a copy of a plain array, shifted along each axis."""
    cdef Operand into, source
    cdef int axis
    cdef ndarray result = new_like(array, dtype_of(array), ORDER_K)
    fill_operand(&into, result)
    fill_operand(&source, array)
    for axis in range(source.ndim):
        shifts[axis] = wrapped(shifts[axis], source.shape[axis])
    copy_rolled(&into, &source, shifts, array.header.numel())
    return result


cdef ndarray rolled_flat(ndarray array, int64_t shift):
    """Return a copy of a plain array whose elements are shifted as if they were of one axis."""
    cdef Operand into, source
    cdef int64_t size = array.header.numel()
    cdef ndarray result = new_like(array, dtype_of(array), ORDER_C)
    if not is_c_contiguous(array):
        array = copy_array(array, ORDER_C)
    fill_operand(&into, result)
    fill_operand(&source, array)
    into.ndim = source.ndim = 1
    into.shape[0] = source.shape[0] = size
    into.strides[0] = source.strides[0] = ITEMSIZES[dtype_of(array)]
    shift = wrapped(shift, size)
    copy_rolled(&into, &source, &shift, size)
    return result


cdef object rolled_by_torch(ndarray array, const int64_t* shifts):
    """Return a copy of an array that is not plain, shifted along each axis; NotImplemented where hooks have to see that."""
    cdef int64_t counts[MAXDIMS]
    cdef int64_t axes[MAXDIMS]
    cdef int axis, found = 0
    if not is_direct(tensor_of(array)[0]) or not has_kernels(dtype_of(array)):
        return NotImplemented
    for axis in range(array.header.dim()):
        if shifts[axis]:
            counts[found], axes[found] = shifts[axis], axis
            found += 1
    if found == 0:
        counts[0] = axes[0] = 0
        found = 1
    return from_tensor(roll_direct(tensor_of(array)[0], counts, axes, found))


cdef bint is_general(PyObject* slot) noexcept:
    """Whether an argument is an array of the class itself that ATen moves the elements of."""
    return type(<object>slot) is ndarray and not (<ndarray><object>slot).header.is_plain() and (
        not (<ndarray><object>slot).flipped)


cdef bint add_shifts(PyObject* shift, PyObject* axes, int ndim, int64_t* shifts) noexcept:
    """Add the shifts of a call along each axis; False for what needs a closer look."""
    cdef int64_t by = 0
    cdef Py_ssize_t place, count
    cdef int axis
    cdef bint many = type(<object>shift) is tuple
    if not many and not (integer_of(shift, &by) and -MOST < by < MOST):
        return False
    memset(shifts, 0, ndim * sizeof(int64_t))
    if type(<object>axes) is not tuple:
        axis = axis_of(axes, ndim)
        if axis == NO_AXIS or many:
            return False
        shifts[axis] = by
        return True
    count = len(<tuple>axes)
    if count > MAXDIMS or many and len(<tuple>shift) != count:
        return False
    for place in range(count):
        axis = axis_of(PyTuple_GET_ITEM(<object>axes, place), ndim)
        if axis == NO_AXIS:
            return False
        if many and not (integer_of(PyTuple_GET_ITEM(<object>shift, place), &by) and -MOST < by < MOST):
            return False
        shifts[axis] += by
    return True


cdef object roll(PyObject** slots):
    """roll(a, shift, axis)."""
    cdef int64_t shifts[MAXDIMS]
    cdef int64_t shift
    cdef bint plain = is_plain_array(slots[0])
    cdef ndarray array
    if not plain and not is_general(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    if slots[2] == <PyObject*>None:
        if not integer_of(slots[1], &shift) or not -MOST < shift < MOST:
            return NotImplemented
        if plain:
            return rolled_flat(array, shift)
        if not is_direct(tensor_of(array)[0]) or not has_kernels(dtype_of(array)):
            return NotImplemented
        return from_tensor(roll_direct(tensor_of(array)[0], &shift, NULL, 0))
    if not add_shifts(slots[1], slots[2], <int>array.header.dim(), shifts):
        return NotImplemented
    return rolled(array, shifts) if plain else rolled_by_torch(array, shifts)


cdef object shifted_by_half(PyObject** slots, int sign):
    """Return a copy of an array, shifted along axes by half of each."""
    cdef int64_t shifts[MAXDIMS]
    cdef int64_t half
    cdef int axis, ndim
    cdef bint plain = is_plain_array(slots[0])
    cdef ndarray array
    if not plain and not is_general(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    ndim = <int>array.header.dim()
    if ndim == 0:
        return NotImplemented
    if slots[1] == <PyObject*>None:
        for axis in range(ndim):
            shifts[axis] = 1
    elif not add_shifts(<PyObject*>ONE, slots[1], ndim, shifts):
        return NotImplemented
    for axis in range(ndim):
        half = array.header.sizes()[axis] // 2
        shifts[axis] *= half if sign > 0 else -half
    return rolled(array, shifts) if plain else rolled_by_torch(array, shifts)


cdef object fftshift(PyObject** slots):
    """fftshift(x, axes)."""
    return shifted_by_half(slots, 1)


cdef object ifftshift(PyObject** slots):
    """ifftshift(x, axes)."""
    return shifted_by_half(slots, -1)


# --- amid other elements ----------------------------------------------------------------------------------------------

def framed(ndarray array not None, widths, value):
    """Return a plain array in the middle of one in C order, as many elements of a value before and after it as is said.

    NotImplemented for more elements than there is memory for.
    """
    cdef FramedCopy call
    cdef char number[16]
    cdef int64_t total = 1
    cdef int axis, ndim = array.header.dim()
    cdef char* into
    cdef ndarray result
    for axis, (before, after) in enumerate(widths):
        if before > MANY or after > MANY:
            return NotImplemented
        call.before[axis] = before
        call.sizes[axis] = array.header.sizes()[axis] + <int64_t>before + <int64_t>after
        if call.sizes[axis] and total > MANY // call.sizes[axis]:
            return NotImplemented
        total *= call.sizes[axis]
    pack(number, dtype_of(array), value)
    result = new_array(dtype_of(array), ndim, call.sizes)
    if total == 0:
        return result  # whose strides say of no place that there is an element
    fill_operand(&call.src, array)
    fill_strides(result, call.steps)
    call.value, into = number, data_of(result)
    call.join_last_axes()
    if total >= RELEASE_FROM:
        with nogil:
            call.copy(into, call.src.data, 0)
    else:
        call.copy(into, call.src.data, 0)
    return result


# --- side by side -----------------------------------------------------------------------------------------------------

cdef int counts_of(object reps, int64_t* counts) except -1:
    """Read a count above zero, or a list of them; return how many, 0 for all else."""
    cdef int number = 0
    if integer_of(<PyObject*>reps, counts):
        return counts[0] > 0
    if (type(reps) is not tuple and type(reps) is not list) or len(reps) > MAXDIMS:
        return 0
    for count in reps:
        if not integer_of(<PyObject*>count, counts + number) or counts[number] <= 0:
            return 0
        number += 1
    return number


cdef object tile(PyObject** slots):
    """tile(A, reps)."""
    cdef int64_t given[MAXDIMS]
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t counts[MAXDIMS]
    cdef int64_t shape[MAXDIMS]
    cdef int64_t total, block, item
    cdef int number = counts_of(<object>slots[1], given), ndim, axis, last = -1, turns = 0
    cdef ndarray array, repeated
    cdef char* into
    cdef const char* memory
    cdef bint done
    if number == 0 or not is_plain_array(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    ndim, total = fill_shape(array, sizes), array.header.numel()
    block, item = total, ITEMSIZES[dtype_of(array)]
    if total == 0 or ndim == 0:
        return NotImplemented
    for axis in range(max(ndim, number)):
        # Both lists end at the last axis.
        shape[axis] = sizes[axis + ndim - max(ndim, number)] if axis >= number - ndim else 1
        counts[axis] = given[axis + number - max(ndim, number)] if axis >= ndim - number else 1
        if counts[axis] > MANY // total:
            return NotImplemented
        total *= counts[axis]
        if counts[axis] != 1:
            last = axis
            turns += 1
    if last < 0:
        return NotImplemented
    ndim = max(ndim, number)
    if not is_c_contiguous(array):
        array = copy_array(array, ORDER_C)
    for axis in range(ndim):
        sizes[axis] = shape[axis]
        shape[axis] *= counts[axis]
    if turns > 1 and total >= RELEASE_FROM:
        repeated = new_array(dtype_of(array), ndim, shape)
        into, memory = data_of(repeated), data_of(array)
        with nogil:
            done = tile_lines(into, memory, ndim, sizes, counts, item)
        if done:
            return repeated
    # Along one axis after the other, as NumPy does: long blocks are copied in one piece.
    for axis in range(last + 1):
        if counts[axis] != 1:
            total = array.header.numel()
            if axis == last:
                repeated = new_array(dtype_of(array), ndim, shape)
            else:
                given[0] = total * counts[axis]
                repeated = new_array(dtype_of(array), 1, given)
            repeat_in_one_turn(data_of(array), total // block, block * item, &counts[axis], data_of(repeated))
            array = repeated
        block //= sizes[axis]
    return array


cdef void repeat_in_one_turn(
    const char* memory, int64_t blocks, int64_t bytes, const int64_t* count, char* repeated
) noexcept:
    """Write each block a number of times."""
    cdef int64_t written = blocks * bytes * count[0]
    if written < 8 * RELEASE_FROM:
        repeat_blocks(memory, 1, blocks, bytes, count, 0, repeated, repeated + written)
        return
    with nogil:
        repeat_blocks(memory, 1, blocks, bytes, count, 0, repeated, repeated + written)


BODIES = {
    "fftshift": new_compiled_body(fftshift),
    "ifftshift": new_compiled_body(ifftshift),
    "roll": new_compiled_body(roll),
    "tile": new_compiled_body(tile),
}
