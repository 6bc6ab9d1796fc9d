"""Arrays joined whatever their layouts: each is copied, and cast, to its place."""
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport ITEMSIZES, NUM_NUMPY_DTYPES
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, copy_operand, raised_float_flags
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, new_result, report_float_flags, same_kind, table_of
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, ndarray

import numpy

# Its promotion is that of joining: the dtype that holds either.
cdef LoopTable MAXIMUM = table_of(numpy.maximum)


cdef void sort_axes(tuple members, bint stacked, int axis, int total, int* order) noexcept:
    """Fill in the result's axes, the outermost first: by NumPy's stable sort, in which C order wins where arrays disagree.

    `axis` is one of no array if they are stacked.
    """
    cdef int sorted_before, place, before, one, other
    cdef bint ambiguous, swaps
    cdef const int64_t* sizes
    cdef const int64_t* steps
    for sorted_before in range(total):
        place = sorted_before
        for before in range(sorted_before - 1, -1, -1):
            if stacked and (sorted_before == axis or order[before] == axis):
                continue
            one = sorted_before - (stacked and sorted_before > axis)
            other = order[before] - (stacked and order[before] > axis)
            ambiguous, swaps = True, False
            for member in members:
                sizes, steps = (<ndarray>member).header.sizes(), (<ndarray>member).header.strides()
                if sizes[one] == 1 or sizes[other] == 1:
                    continue
                if steps[one] <= steps[other]:
                    swaps = False
                elif ambiguous:
                    swaps = True
                ambiguous = False
            if ambiguous:
                continue
            if not swaps:
                break
            place = before
        for before in range(sorted_before, place, -1):
            order[before] = order[before - 1]
        order[place] = sorted_before


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


cdef bint may_all_be(object members, int dtype) noexcept:
    """Whether members are plain arrays that NumPy casts to a dtype by its usual rule."""
    for member in members:
        if type(member) is not ndarray or not (<ndarray>member).header.is_plain() or (
                dtype_of(<ndarray>member) >= NUM_NUMPY_DTYPES or not same_kind(dtype_of(<ndarray>member), dtype)):
            return False
    return True


cdef object joined_by_copies(tuple arrays, bint stacked, int axis, int dtype):
    """Join plain arrays of other layouts, of two dtypes, or as another one, each copied to its place."""
    cdef Operand into, piece
    cdef int64_t shape[MAXDIMS + 1]
    cdef int64_t steps[MAXDIMS + 1]
    cdef int order[MAXDIMS + 1]
    cdef const int64_t* sizes
    cdef int64_t step, offset = 0
    cdef int place, number, ndim, total
    cdef bint asked = dtype >= 0
    cdef unsigned flags
    cdef ndarray result
    if asked and not may_all_be(arrays, dtype):
        return NotImplemented
    if not asked:
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
    sort_axes(arrays, stacked, axis, total, order)
    step = ITEMSIZES[dtype]
    for number in range(total - 1, -1, -1):
        steps[order[number]] = step
        step *= shape[order[number]]
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
        if asked:
            clear_float_flags(True)
        if (<ndarray>member).header.numel() < RELEASE_FROM:
            copy_operand(into, piece)
        else:
            with nogil:
                copy_operand(into, piece)
        flags = raised_float_flags(True) if asked else 0
        if flags:
            report_float_flags(flags, "cast")
    return result
