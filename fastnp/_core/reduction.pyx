"""Reductions and accumulations of plain arrays by NumPy's loops."""
cimport numpy as cnp
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t, intptr_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.copies cimport check_complex
from fastnp._core.dtype cimport BOOL, COMPLEX64, ITEMSIZES, numpy_dtype
from fastnp._core.engine cimport (
    RELEASE_FROM,
    Loop,
    Operand,
    ReductionCall,
    Status,
    clear_float_flags,
    may_split,
    raised_float_flags,
    reduce_in_parts,
    run_loop,
)
from fastnp._core.loops cimport (
    LoopTable,
    Reduction,
    fill_operand,
    new_result,
    raise_pending,
    report_float_flags,
    same_kind,
)
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
)

import operator

import numpy

cnp.import_array()

cdef extern from "narrow.h" namespace "fastnp" nogil:
    const int64_t WIDE "fastnp::kWide"
    const int64_t NARROW_FROM "fastnp::kNarrowFrom"
    ctypedef void (*NarrowReduction)(const void* data, void* out, int64_t lines, int64_t columns, bint along_lines) except +
    NarrowReduction find_narrow_reduction(const char* ufunc, int operand, int result, int64_t columns)

cdef object NOTHING = numpy._NoValue


cdef bint to_axes(object axis, int ndim, uint64_t* axes) except -1:
    cdef int64_t one
    cdef uint64_t bit
    axes[0] = 0
    if axis is None:
        axes[0] = (<uint64_t>1 << ndim) - 1 if ndim < 64 else ~<uint64_t>0
        return True
    if PyLong_CheckExact(axis):
        axis = (axis,)
    elif isinstance(axis, bool):
        return False
    elif type(axis) is not tuple:
        try:
            axis = (operator.index(axis),)
        except TypeError:
            return False
    for item in axis:
        if not PyLong_CheckExact(item):
            return False
        one = item
        if one < 0:
            one += ndim
        if not 0 <= one < ndim:
            return False
        bit = <uint64_t>1 << one
        if axes[0] & bit:
            return False
        axes[0] |= bit
    return True


cdef inline bint drops_parts(ndarray array, int dtype) noexcept:
    """Whether a cast leaves imaginary parts out, of which NumPy warns."""
    return BOOL < dtype < COMPLEX64 and dtype_of(array) >= COMPLEX64


cdef ndarray reduce_plain(LoopTable table, ndarray array, uint64_t axes, bint keepdims, int dtype, ndarray out, ndarray where,
                          object initial):
    cdef Reduction* entry = table.find_reduction(dtype_of(array), dtype)
    cdef Header* impl = &array.header
    cdef ReductionCall call
    cdef Operand operand, out_operand, mask
    cdef int64_t strides[MAXDIMS]
    cdef char value[16]
    cdef const char* start = NULL
    cdef ndarray result
    cdef unsigned flags
    cdef bint drops
    if entry.state != 1 or (axes & (axes - 1) and not table.reorderable):
        return None
    drops = drops_parts(array, entry.types[1])
    if drops and (out is not None or impl.numel() == 0):
        return None
    if initial is NOTHING:
        if entry.has_identity:
            start = entry.identity
    elif initial is not None:
        if not store_initial(value, entry.types[0], initial):
            return None
        start = value
    if start is NULL and where is not None:
        return None
    if out is None and where is None and impl.dim() == 1 and axes == 1 and not keepdims and (
            entry.types[0] == entry.types[1] == dtype_of(array)):
        return reduce_line(entry, array, impl, start)
    if out is None and where is None and initial is NOTHING and entry.types[0] == entry.types[1] and (
            impl.numel() >= NARROW_FROM and is_c_contiguous(array) and not drops):
        result = reduce_narrow(table, entry, array, axes, keepdims)
        if result is not None:
            return result
    fill_operand(&operand, array)
    if out is not None:
        if not out.writeable_ or dtype_of(out) > 13 or not same_kind(entry.types[0], dtype_of(out)):
            return None
        fill_operand(&out_operand, out)
    if where is not None:
        if dtype_of(where) != 0:
            return None
        fill_operand(&mask, where)
    if call.prepare(&operand, &out_operand if out is not None else NULL, &mask if where is not None else NULL, axes, keepdims,
                    entry.types[0], entry.types[1]) != Status.kOk:
        return None
    if start is NULL and not has_first_elements(impl, axes):
        return None
    if out is not None:
        result = out
        out.header.bump_version()
    else:
        if drops:
            check_complex(entry.types[1], dtype_of(array))
        call.result_strides(strides)
        result = new_result(entry.types[0], call.out_ndim, call.out_shape, strides)
        call.bind(data_of(result), strides)
    call.splits = not entry.raises
    clear_float_flags(entry.software)
    flags = call.run(entry.loop, start, entry.software)
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, "reduce")
    return result


cdef ndarray reduce_narrow(LoopTable table, Reduction* entry, ndarray array, uint64_t axes, bint keepdims):
    """Reduce the first or the last axis of packed memory that is a matrix of few columns; None where it is not that."""
    cdef Header* impl = &array.header
    cdef int ndim = impl.dim(), axis = 0, place, kept = 0
    cdef int64_t shape[MAXDIMS]
    cdef int64_t lines, columns
    cdef bint along_lines
    cdef unsigned flags
    cdef ndarray result
    cdef NarrowReduction loop
    cdef const void* data
    cdef void* into
    if ndim < 2:
        return None
    along_lines = axes == <uint64_t>1 << (ndim - 1)
    if not along_lines and axes != 1:
        return None
    columns = impl.sizes()[ndim - 1] if along_lines else impl.numel() // impl.sizes()[0]
    # NumPy: what stays has two elements at least, else it is one line.
    if not 2 <= columns < WIDE:
        return None
    loop = find_narrow_reduction(table.name.encode(), dtype_of(array), entry.types[0], columns)
    if loop is NULL:
        return None
    axis = ndim - 1 if along_lines else 0
    for place in range(ndim):
        if place == axis and not keepdims:
            continue
        shape[kept] = 1 if place == axis else impl.sizes()[place]
        kept += 1
    lines = impl.numel() // columns
    result = new_array(entry.types[0], kept, shape)
    data, into = data_of(array), data_of(result)
    clear_float_flags(False)
    if lines * columns >= RELEASE_FROM:
        with nogil:
            loop(data, into, lines, columns, along_lines)
            flags = raised_float_flags(False)
    else:
        loop(data, into, lines, columns, along_lines)
        flags = raised_float_flags(False)
    if flags:
        report_float_flags(flags, "reduce")
    return result


cdef bint has_first_elements(Header* impl, uint64_t axes) noexcept:
    """Whether no reduced axis is empty."""
    cdef int axis
    for axis in range(<int>impl.dim()):
        if axes >> axis & 1 and impl.sizes()[axis] == 0:
            return False
    return True


cdef enum:
    LONG = 2048  # to run twice over so many elements costs more than to clear flags that may not be up


cdef ndarray reduce_line(Reduction* entry, ndarray array, Header* impl, const char* start):
    """Reduce one axis to a scalar by one call of the loop."""
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    cdef intptr_t count = impl.numel()
    cdef int itemsize = ITEMSIZES[entry.types[1]]
    cdef char* target
    cdef char* source
    cdef unsigned flags
    cdef bint first_pass = True
    if start is NULL and count == 0:
        return None
    result = new_scalar(entry.types[0])
    target = result.header.origin()
    source = data_of(array)
    strides[0] = strides[2] = 0
    strides[1] = impl.strides()[0] * itemsize if count else itemsize
    if array.flipped:
        strides[1] = -strides[1]
    if count >= LONG:
        clear_float_flags(True)
        first_pass = False
    while True:
        data[0] = data[2] = target
        data[1] = source
        if start is NULL:
            memcpy(target, source, itemsize)
            data[1] = source + strides[1]
            count = impl.numel() - 1
        else:
            memcpy(target, start, ITEMSIZES[entry.types[0]])
        if entry.order_free and may_split(count):
            flags = reduce_in_parts(entry.loop, target, data[1], count, strides[1], itemsize, entry.software)
        else:
            flags = run_loop(entry.loop, data, &count, strides, entry.software) if count > 0 else 0
        if not flags or not first_pass:
            break
        # Run again, to tell the loop's own flags from those that were there.
        clear_float_flags(True)
        first_pass = False
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, "reduce")
    return result


cdef bint store_initial(char* destination, int dtype, object initial) except -1:
    """Write `initial` as an element of the loop's dtype; False where NumPy has to say what becomes of it."""
    cdef cnp.ndarray value
    if type(initial) not in (int, float, bool):
        return False
    if type(initial) is float and dtype < 9:
        return False
    try:
        value = numpy.array(initial, numpy_dtype(dtype))
    except (OverflowError, TypeError, ValueError):  # NumPy raises it again, from the call itself
        return False
    memcpy(destination, cnp.PyArray_DATA(value), ITEMSIZES[dtype])
    return True


cdef extern from "accumulation.h" namespace "fastnp" nogil:
    cppclass AccumulateCall:
        bint splits
        Status prepare(const Operand* operand, const Operand* out, int axis, int type)
        void result_strides(int64_t* strides)
        void bind(char* data, const int64_t* strides)
        unsigned run(const char* ufunc, const Loop&, bint software) except +
    unsigned accumulate_line(const char* ufunc, const Loop&, int type, char* into, const char* source, intptr_t step,
                             int64_t count, bint software) except +


cdef ndarray accumulate_new(LoopTable table, Reduction* entry, ndarray array):
    """Accumulate a line of the loop's dtype."""
    cdef ndarray result = new_array(entry.types[0], 1, array.header.sizes())
    cdef int64_t step
    cdef unsigned flags
    fill_strides(array, &step)
    clear_float_flags(entry.software)
    flags = accumulate_line(table.name.encode(), entry.loop, entry.types[0], data_of(result), data_of(array), step,
                            array.header.numel(), entry.software)
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, "accumulate")
    return result


cdef ndarray accumulate_plain(LoopTable table, ndarray array, int axis, int dtype, ndarray out):
    cdef Reduction* entry = table.find_reduction(dtype_of(array), dtype)
    cdef Header* impl = &array.header
    cdef AccumulateCall call
    cdef Operand operand, out_operand
    cdef int64_t strides[MAXDIMS]
    cdef ndarray result
    cdef unsigned flags
    cdef int ndim = <int>impl.dim()
    if entry.state != 1 or entry.types[0] != entry.types[1] or not -ndim <= axis < ndim or (
            drops_parts(array, entry.types[1])):
        return None
    if ndim == 1 and out is None and entry.types[0] == dtype_of(array) and impl.numel() > 0:
        return accumulate_new(table, entry, array)
    if axis < 0:
        axis += ndim
    fill_operand(&operand, array)
    if out is not None:
        if not out.writeable_ or dtype_of(out) > 13 or not same_kind(entry.types[0], dtype_of(out)):
            return None
        fill_operand(&out_operand, out)
    if call.prepare(&operand, &out_operand if out is not None else NULL, axis, entry.types[0]) != Status.kOk:
        return None
    if out is not None:
        result = out
        out.header.bump_version()
    else:
        call.result_strides(strides)
        result = new_result(entry.types[0], ndim, operand.shape, strides)
        call.bind(data_of(result), strides)
    call.splits = not entry.raises
    clear_float_flags(entry.software)
    flags = call.run(table.name.encode(), entry.loop, entry.software)
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, "accumulate")
    return result
