"""vecdot of plain arrays, by NumPy's inner loop, which reads vectors as they lie."""
from libc.stdint cimport int8_t, int64_t, intptr_t
from libc.string cimport memset

from fastnp._core.assign cimport ORDER_K, astype
from fastnp._core.dtype cimport ITEMSIZES, NUM_NUMPY_DTYPES
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, raised_float_flags
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, is_plain, new_result, report_float_flags
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
)
from fastnp._core.views cimport Layout, fill_layout, strided_view

cdef extern from "einsum.h" namespace "fastnp" nogil:
    void strides_of_result(int count, const Operand* operands, const int8_t (*maps)[64], int labels, const int64_t* sizes,
                           int kept, int type, int64_t* strides)

cdef int64_t SHORT = 16384  # elements of arrays of other layouts; NumPy's own call of more costs little beside them


cdef int report_named(unsigned flags, LoopTable table, str name) except -1:
    """Tell of flags under a name, the table's if it is None; not at all if it is empty."""
    return 0 if name == "" else report_float_flags(flags, table.name if name is None else name)


cdef tuple along_last_axis(tuple inputs, dict options):
    """Return plain arrays as views whose last axis is the one that is asked for; None for all else."""
    cdef Layout layout
    cdef int64_t size, stride
    cdef int place
    cdef list views = []
    axis = options.get("axis")
    if len(options) != 1 or type(axis) is not int:
        return None
    for operand in inputs:
        if type(operand) is not ndarray or not is_plain(<ndarray>operand):
            return None
        fill_layout(<ndarray>operand, &layout)
        if layout.ndim == 0 or not -layout.ndim <= axis < layout.ndim:
            return None
        place = axis % layout.ndim
        size, stride = layout.shape[place], layout.strides[place]
        for place in range(place, layout.ndim - 1):
            layout.shape[place], layout.strides[place] = layout.shape[place + 1], layout.strides[place + 1]
        layout.shape[layout.ndim - 1], layout.strides[layout.ndim - 1] = size, stride
        views.append(strided_view(<ndarray>operand, &layout))
    return tuple(views)


cdef bint stretch(ndarray array, Layout* layout, int ndim, const int64_t* sizes) except -1:
    """Fill in how an array's vectors are met again where another's are more; False where the axes do not fit."""
    cdef int axis, missing
    fill_layout(array, layout)
    missing = ndim - layout.ndim
    for axis in range(ndim - 1, -1, -1):
        if axis >= missing and layout.shape[axis - missing] == sizes[axis]:
            layout.strides[axis] = layout.strides[axis - missing]
        elif axis < missing or layout.shape[axis - missing] == 1 and axis < ndim - 1:
            layout.strides[axis] = 0
        else:
            return False
    for axis in range(ndim):
        layout.shape[axis] = sizes[axis]
    layout.ndim = ndim
    return True


cdef ndarray vecdot_of_stretched(LoopTable table, ndarray a, ndarray b, str name):
    """Return vecdot of plain arrays of two shapes, None where they do not fit, or are long."""
    cdef Layout first, second
    cdef int64_t[MAXDIMS] sizes
    cdef int64_t size, count = 1
    cdef int axis, ndim = max(a.header.dim(), b.header.dim())
    for axis in range(1, ndim + 1):
        size = a.header.sizes()[a.header.dim() - axis] if axis <= a.header.dim() else 1
        if size == 1 and axis > 1 and axis <= b.header.dim():
            size = b.header.sizes()[b.header.dim() - axis]
        sizes[ndim - axis] = size
        count *= size
        if not 0 < count <= SHORT:
            return None
    if not stretch(a, &first, ndim, sizes) or not stretch(b, &second, ndim, sizes):
        return None
    return plain_vecdot(table, strided_view(a, &first), strided_view(b, &second), False, name)


cdef ndarray plain_vecdot(LoopTable table, ndarray a, ndarray b, bint exact, str name=None):
    """Return vecdot of two plain arrays, None where it is NumPy's; `exact` where it is `vdot`."""
    cdef int dtype = dtype_of(a), ndim = a.header.dim(), axis
    cdef Resolution* entry
    cdef int64_t n, rows
    cdef int64_t[1] left
    cdef int64_t[1] right
    cdef intptr_t item
    cdef intptr_t[2] dims
    cdef intptr_t[5] steps
    cdef char* args[3]
    cdef unsigned flags
    cdef ndarray result
    if ndim == 0 or b.header.dim() == 0 or dtype >= NUM_NUMPY_DTYPES or dtype_of(b) >= NUM_NUMPY_DTYPES or not (
            is_plain(a) and is_plain(b)) or a.header.numel() == 0:
        return None
    if dtype != dtype_of(b):
        entry = table.find(dtype, dtype_of(b))
        if entry.state != 1 or entry.types[0] != entry.types[1] or a.header.numel() >= RELEASE_FROM:
            return None
        return plain_vecdot(
            table, astype(a, entry.types[0], ORDER_K, False), astype(b, entry.types[0], ORDER_K, False), exact, name)
    if ndim != b.header.dim():
        return vecdot_of_stretched(table, a, b, name)
    for axis in range(ndim):
        if a.header.sizes()[axis] != b.header.sizes()[axis]:
            return vecdot_of_stretched(table, a, b, name)
    entry = table.find(dtype, dtype)
    if entry.state != 1 or a.header.numel() >= RELEASE_FROM:
        return None
    if ndim > 1 and not (is_c_contiguous(a) and is_c_contiguous(b)):
        return vecdot_of_lines(table, entry, a, b, name) if a.header.numel() <= SHORT else None
    n, item = a.header.sizes()[ndim - 1], ITEMSIZES[dtype]
    rows = a.header.numel() // n
    if ndim == 1:
        fill_strides(a, left)
        fill_strides(b, right)
        result = new_scalar(entry.types[2])
    else:
        left[0] = right[0] = item
        result = new_array(entry.types[2], ndim - 1, a.header.sizes())
    dims = [rows, n]
    if n == 1 and not exact:
        left[0] = right[0] = 0  # NumPy: a gufunc's axis of length one has no step, and BLAS does not take that
    steps = [n * item, n * item, ITEMSIZES[entry.types[2]], left[0], right[0]]
    args[0], args[1], args[2] = data_of(a), data_of(b), data_of(result)
    clear_float_flags(True)
    entry.loop.function(args, dims, steps, entry.loop.data)
    flags = raised_float_flags(True)
    if flags:
        report_named(flags, table, name)
    return result


cdef ndarray vecdot_of_lines(LoopTable table, Resolution* entry, ndarray a, ndarray b, str name):
    """Return vecdot of arrays of more axes that lie otherwise than in C order."""
    cdef ndarray result = memory_for_vectors(entry.types[2], a, b)
    cdef int64_t[MAXDIMS] left, right, into, index
    cdef int axis = 0, last = a.header.dim() - 1, rows = last - 1
    cdef const int64_t* sizes = a.header.sizes()
    cdef intptr_t[2] dims
    cdef intptr_t[5] steps
    cdef char* args[3]
    cdef char* first = data_of(a)
    cdef char* second = data_of(b)
    cdef char* out = data_of(result)
    cdef unsigned flags
    fill_strides(a, left)
    fill_strides(b, right)
    fill_strides(result, into)
    if sizes[last] == 1:
        left[last] = right[last] = 0  # as above
    memset(index, 0, sizeof(index))
    clear_float_flags(True)
    while axis >= 0:
        dims = [sizes[rows], sizes[last]]
        steps = [left[rows], right[rows], into[rows], left[last], right[last]]
        args[0], args[1], args[2] = first, second, out  # the loop moves what it is given
        entry.loop.function(args, dims, steps, entry.loop.data)
        axis = rows - 1
        while axis >= 0:
            index[axis] += 1
            first, second, out = first + left[axis], second + right[axis], out + into[axis]
            if index[axis] < sizes[axis]:
                break
            first -= sizes[axis] * left[axis]
            second -= sizes[axis] * right[axis]
            out -= sizes[axis] * into[axis]
            index[axis] = 0
            axis -= 1
    flags = raised_float_flags(True)
    if flags:
        report_named(flags, table, name)
    return result


cdef ndarray memory_for_vectors(int dtype, ndarray a, ndarray b):
    """Return memory for the results of the vectors in the last axis: NumPy's iterator meets the others by their strides."""
    cdef Operand operands[2]
    cdef int8_t axes[2][MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int axis, i, ndim = a.header.dim() - 1
    cdef bint in_order = True
    fill_operand(&operands[0], a)
    fill_operand(&operands[1], b)
    for i in range(2):
        for axis in range(ndim):
            axes[i][axis] = <int8_t>axis
            in_order = in_order and (axis == 0 or abs(operands[i].strides[axis]) <= abs(operands[i].strides[axis - 1]))
    if in_order:
        return new_array(dtype, ndim, a.header.sizes())
    strides_of_result(2, operands, axes, ndim, a.header.sizes(), ndim, dtype, strides)
    return new_result(dtype, ndim, a.header.sizes(), strides)
