"""Arrays joined whatever their layouts: each is copied, and cast, to its place."""
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport ITEMSIZES, NUM_NUMPY_DTYPES
from fastnp._core.engine cimport RELEASE_FROM, Operand, copy_operand
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, new_result, table_of
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, ndarray

import numpy

# Its promotion is that of joining: the dtype that holds either.
cdef LoopTable MAXIMUM = table_of(numpy.maximum)


cdef enum Layout:
    IN_C_ORDER, IN_F_ORDER, IN_ANOTHER


cdef Layout layout_of_joined(object members, int ndim) noexcept:
    """Return the order of the axes that NumPy gives to what it joins: C order wins where arrays disagree."""
    cdef int i, j
    cdef const int64_t* sizes
    cdef const int64_t* steps
    cdef bint keeps, turns, all_keep = True, all_turn = True
    for i in range(ndim):
        for j in range(i + 1, ndim):
            keeps = turns = False
            for member in members:
                sizes, steps = (<ndarray>member).header.sizes(), (<ndarray>member).header.strides()
                if sizes[i] == 1 or sizes[j] == 1:
                    continue
                if steps[i] >= steps[j]:
                    keeps = True
                else:
                    turns = True
            all_keep = all_keep and (keeps or not turns)
            all_turn = all_turn and turns and not keeps
    return IN_C_ORDER if all_keep else IN_F_ORDER if all_turn else IN_ANOTHER


cdef int dtype_of_joined(object members) except -2:
    """Return the dtype that holds plain arrays of one or two dtypes; -1 where there is more to it."""
    cdef int first = -1, second = -1, dtype
    cdef Resolution* entry
    for member in members:
        if type(member) is not ndarray or not (<ndarray>member).header.is_plain():
            return -1
        dtype = dtype_of(<ndarray>member)
        if dtype >= NUM_NUMPY_DTYPES:
            return -1
        if first < 0:
            first = dtype
        elif dtype != first and second < 0:
            second = dtype
        elif dtype != first and dtype != second:
            return -1
    if second < 0:
        return first
    entry = MAXIMUM.find(first, second)
    return entry.types[2] if entry.state == 1 else -1


cdef int axis_inside(Layout layout, bint stacked, int axis, int total, int number) noexcept:
    """Return which axis of the result has so many others inside it in memory."""
    if layout == IN_C_ORDER:
        return total - 1 - number
    if not stacked:
        return number
    # NumPy: the new axis of what lies in Fortran's order is the innermost, but where it is the first, which is the outermost.
    if axis == 0:
        return number + 1 if number < total - 1 else 0
    return axis if number == 0 else number - (number <= axis)


cdef object joined_by_copies(tuple arrays, bint stacked, int axis):
    """Join plain arrays of other layouts, or of two dtypes, each copied to its place."""
    cdef Operand into, piece
    cdef int64_t shape[MAXDIMS + 1]
    cdef int64_t steps[MAXDIMS + 1]
    cdef const int64_t* sizes
    cdef int64_t step, offset = 0
    cdef int place, number, ndim, dtype, total
    cdef Layout layout
    cdef ndarray result
    dtype = dtype_of_joined(arrays)
    if dtype < 0:
        return NotImplemented
    ndim = (<ndarray>arrays[0]).header.dim()
    for place in range(ndim):
        shape[place + (stacked and place >= axis)] = (<ndarray>arrays[0]).header.sizes()[place]
    total = ndim + stacked
    shape[axis] = 0
    for member in arrays:
        if (<ndarray>member).header.dim() != ndim:
            return NotImplemented
        sizes = (<ndarray>member).header.sizes()
        for place in range(ndim):
            if (stacked or place != axis) and sizes[place] != shape[place + (stacked and place >= axis)]:
                return NotImplemented
        shape[axis] += 1 if stacked else sizes[axis]
    layout = layout_of_joined(arrays, ndim)
    if layout == IN_ANOTHER:
        return NotImplemented
    step = ITEMSIZES[dtype]
    for number in range(total):
        place = axis_inside(layout, stacked, axis, total, number)
        steps[place] = step
        step *= shape[place]
    result = new_result(dtype, total, shape, steps)
    into.type, into.ndim = dtype, ndim
    for place in range(ndim):
        into.strides[place] = steps[place + (stacked and place >= axis)]
    for member in arrays:
        fill_operand(&piece, <ndarray>member)
        for place in range(ndim):
            into.shape[place] = piece.shape[place]
        into.data = data_of(result) + offset
        offset += steps[axis] * (1 if stacked else piece.shape[axis])
        if (<ndarray>member).header.numel() < RELEASE_FROM:
            copy_operand(into, piece)
        else:
            with nogil:
                copy_operand(into, piece)
    return result
