"""Indexing by integer and boolean arrays: NumPy's fancy indexing.

Both paths bring the axes that are picked from to the front, so that a result is [index dimensions, other dimensions],
and then move the index dimensions to where NumPy has them.
"""
from libc.stdint cimport int64_t, uint8_t

from fastnp._core.assign cimport (
    ORDER_C,
    as_value,
    assign,
    astype,
    copy_array,
    pack_element,
)
from fastnp._core.dtype cimport BOOL, INT64, ITEMSIZES
from fastnp._core.fancy_torch cimport check_mask_values, put_general, take_general
from fastnp._core.key cimport FANCY, MASK, TRUTH, Key, Walk, walk_key
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_zeros,
    shape_tuple,
    plain_view,
)
from fastnp._core.views cimport Layout, fill_layout, is_plain, restrided, same_memory

cdef extern from "gather.h" namespace "fastnp" nogil:
    cppclass Picked:
        char* data
        int naxes
        int64_t count
        const int64_t** indices
        int64_t* sizes
        int64_t* strides
        int out_of_bounds(int64_t* bad)
    cppclass Subspace:
        int64_t size
        void set(int, const int64_t*, const int64_t*)
    bint take_picked(int itemsize, const Picked&, const Subspace&, char* values)
    void put_picked(int itemsize, const Picked&, const Subspace&, const char* values, bint repeated)
    void put_rows(int itemsize, const Picked&, int64_t rows, int64_t step, const char* values, int64_t row, int64_t column)
cdef extern from "truths.h" namespace "fastnp" nogil:
    int64_t count_true(const uint8_t* mask, int64_t n)
    void true_coordinates(const uint8_t* mask, int ndim, const int64_t* shape, int64_t** out, int64_t count)
    void take_true(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count)
    void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, int64_t count)

cdef extern from "parallel.h" namespace "fastnp" nogil:
    # Elements from which a loop lets other threads run Python.
    enum: RELEASE_FROM "fastnp::kReleaseFrom"

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)


cdef bint all_plain(ndarray array, list arrays) noexcept:
    cdef ndarray index
    if not is_plain(array):
        return False
    for index in arrays:
        if not index.header.is_plain():
            return False
    return True


cdef inline char* memory_at(ndarray array, int64_t offset) noexcept:
    """Return the address of an element by its offset from the lowest one."""
    return array.header.origin() + offset * ITEMSIZES[dtype_of(array)]


cdef bint is_whole_mask(ndarray array, Key* key, list arrays) noexcept:
    """Whether the key is one mask of the array's shape."""
    return (key.kinds == MASK or key.kinds == TRUTH) and key.count == 1 and (
        (<ndarray>arrays[0]).header.dim() == array.header.dim()
    )


# --- index arrays -----------------------------------------------------------------------------------------------------

cdef int add_nonzero(ndarray mask, list indices) except -1:
    """Append the coordinates of the true elements: one index array to an axis of the mask."""
    cdef ndarray packed = mask if is_c_contiguous(mask) else copy_array(mask, ORDER_C)
    cdef const uint8_t* data = <const uint8_t*>data_of(packed)
    cdef int64_t shape[64]
    cdef int64_t* out[64]
    cdef int axis, ndim = fill_shape(packed, shape)
    cdef int64_t size = packed.header.checked_numel()
    cdef int64_t count = count_true(data, size)
    cdef ndarray coordinates
    for axis in range(ndim):
        coordinates = new_array(INT64, 1, &count)
        out[axis] = <int64_t*>data_of(coordinates)
        indices.append(coordinates)
    if size >= RELEASE_FROM:
        with nogil:
            true_coordinates(data, ndim, shape, out, count)
    elif count:
        true_coordinates(data, ndim, shape, out, count)
    return 0


cdef list as_indices(Key* key, list arrays):
    """Return one int64 array to each picked axis, in the order of the key."""
    cdef list indices = []
    cdef int number
    cdef int64_t count
    for number in range(key.count):
        if key.parts[number].kind == FANCY:
            indices.append(astype(arrays[key.parts[number].position], INT64, ORDER_C, False))
        elif key.parts[number].kind == MASK:
            add_nonzero(arrays[key.parts[number].position], indices)
        elif key.parts[number].kind == TRUTH:
            count = key.parts[number].start
            indices.append(new_zeros(INT64, 1, &count))
    return indices


cdef int broadcast_shape(list arrays, int64_t* shape) except -1:
    """Fill the shape of index arrays broadcast together; return its length."""
    cdef int64_t other[64]
    cdef int ndim = 0, other_ndim, axis, place
    cdef ndarray array
    for array in arrays:
        if array.header.dim() > ndim:
            ndim = <int>array.header.dim()
    for axis in range(ndim):
        shape[axis] = 1
    for array in arrays:
        other_ndim = fill_shape(array, other)
        for axis in range(other_ndim):
            place = ndim - other_ndim + axis
            if other[axis] == 1 or other[axis] == shape[place]:
                continue
            if shape[place] != 1:
                shapes = " ".join([str(shape_tuple(array)).replace(" ", "") for array in arrays])
                raise IndexError("shape mismatch: indexing arrays could not be broadcast together with shapes "
                                 f"{shapes} ")
            shape[place] = other[axis]
    return ndim


cdef int fill_picked(ndarray array, Walk* walk, list indices, int ndim, const int64_t* shape, Picked* picked) except -1:
    """Describe what the indices pick; they are broadcast, and kept alive by the list."""
    cdef Layout layout
    cdef ndarray index, whole
    cdef int axis, dimension
    cdef int64_t itemsize = ITEMSIZES[dtype_of(array)]
    picked.data = memory_at(array, walk.rest.offset)
    picked.naxes = walk.picked.ndim
    picked.count = 1
    for axis in range(ndim):
        picked.count *= shape[axis]
    for axis in range(walk.picked.ndim):
        index = indices[axis]
        fill_layout(index, &layout)
        matches = layout.ndim == ndim
        for dimension in range(ndim if matches else 0):
            if layout.shape[dimension] != shape[dimension]:
                matches = False
        if not matches:
            whole = new_array(INT64, ndim, shape)
            assign(whole, index)
            index = whole
        elif same_memory(index, array):
            index = copy_array(index, ORDER_C)
        elif not is_c_contiguous(index):
            index = copy_array(index, ORDER_C)
        indices[axis] = index
        picked.indices[axis] = <const int64_t*>data_of(index)
        picked.sizes[axis] = walk.picked.shape[axis]
        picked.strides[axis] = walk.picked.strides[axis] * itemsize
    return 0


cdef int check_bounds(Walk* walk, Picked* picked) except -1:
    cdef int64_t bad = 0
    cdef int axis = picked.out_of_bounds(&bad)
    if axis >= 0:
        raise IndexError(f"index {bad} is out of bounds for axis {walk.axes[axis]} with size {picked.sizes[axis]}")
    return 0


cdef int fill_subspace(ndarray array, Walk* walk, Subspace* subspace) except -1:
    cdef int64_t strides[64]
    cdef int axis
    for axis in range(walk.rest.ndim):
        strides[axis] = walk.rest.strides[axis] * ITEMSIZES[dtype_of(array)]
    subspace.set(walk.rest.ndim, walk.rest.shape, strides)
    return 0


cdef int result_shape(Walk* walk, int ndim, const int64_t* shape, int64_t* packed) except -1:
    """Fill [index dimensions, other dimensions]; return how many there are."""
    cdef int axis
    if ndim + walk.rest.ndim > MAXDIMS:
        raise IndexError(f"number of dimensions must be within [0, {MAXDIMS}], indexing result would have "
                         f"{ndim + walk.rest.ndim}")
    for axis in range(ndim):
        packed[axis] = shape[axis]
    for axis in range(walk.rest.ndim):
        packed[ndim + axis] = walk.rest.shape[axis]
    return ndim + walk.rest.ndim


cdef ndarray move_to_place(ndarray packed, int ndim, Walk* walk):
    """Return an array of its own: [index dimensions, other dimensions by stride] as NumPy orders dimensions."""
    cdef Layout source, layout
    cdef int axis, origin
    fill_layout(packed, &source)
    layout.ndim = source.ndim
    layout.offset = source.offset
    for axis in range(source.ndim):
        if axis < walk.place:
            origin = ndim + walk.by_stride[axis]
        elif axis < walk.place + ndim:
            origin = axis - walk.place
        else:
            origin = ndim + walk.by_stride[axis - ndim]
        layout.shape[axis] = source.shape[origin]
        layout.strides[axis] = source.strides[origin]
    return restrided(packed, &layout)


cdef bint fill_order(list arrays, int* order) noexcept:
    """Fill the order of dimensions in which the memory of all index arrays lies; False where that is C order, or not one."""
    cdef Layout layout
    cdef int64_t shape[64]
    cdef int number, axis, place, ndim = 0
    cdef bint turned = False
    for number in range(len(arrays)):
        turned = turned or (<ndarray>arrays[number]).header.dim() > 1 and not is_c_contiguous(<ndarray>arrays[number])
    if not turned:
        return False
    for number in range(len(arrays)):
        if dtype_of(<ndarray>arrays[number]) == BOOL:
            return False
        fill_layout(<ndarray>arrays[number], &layout)
        if layout.ndim == 0:
            continue
        if layout.ndim == 1 or ndim != 0 and layout.ndim != ndim:
            return False
        for axis in range(layout.ndim):
            if layout.strides[axis] < 0 or layout.shape[axis] < 1 or ndim != 0 and layout.shape[axis] != shape[axis]:
                return False
            if layout.shape[axis] == 1:
                layout.strides[axis] = 0  # nobody sees it
        if ndim == 0:
            ndim = layout.ndim
            for axis in range(ndim):
                shape[axis] = layout.shape[axis]
                place = axis
                while place > 0 and layout.strides[order[place - 1]] < layout.strides[axis]:
                    order[place] = order[place - 1]
                    place -= 1
                order[place] = axis
        for axis in range(1, ndim):
            if layout.strides[order[axis - 1]] < layout.strides[order[axis]]:
                return False
    return turned


cdef ndarray in_order(ndarray index, const int* order):
    """Return a view of an index array with its dimensions in an order; of no dimensions itself."""
    cdef Layout source, layout
    cdef int axis
    fill_layout(index, &source)
    for axis in range(source.ndim):
        layout.shape[axis], layout.strides[axis] = source.shape[order[axis]], source.strides[order[axis]]
    return plain_view(index, source.ndim, layout.shape, layout.strides, 0, 0) if source.ndim else index


cdef ndarray back_in_order(ndarray result, const int* order):
    """Return an array of its own with its dimensions back from an order."""
    cdef Layout source, layout
    cdef int axis
    fill_layout(result, &source)
    layout.ndim, layout.offset = source.ndim, source.offset
    for axis in range(source.ndim):
        layout.shape[order[axis]], layout.strides[order[axis]] = source.shape[axis], source.strides[axis]
    return restrided(result, &layout)


cdef bint sort_rest(Walk* walk) noexcept:
    """Put the axes that are not picked from in the order of their strides, as NumPy lays results out.

    Whether that or the place of the index dimensions makes the result another order than its memory.
    """
    cdef Layout sorted_rest
    cdef int position[64]
    cdef int axis, place, scan, ndim = walk.rest.ndim
    cdef bint moved = walk.place > 0
    for axis in range(ndim):
        place = axis
        for scan in range(axis - 1, -1, -1):
            # An axis of one element has no say in the order.
            if walk.rest.shape[axis] == 1 or walk.rest.shape[position[scan]] == 1:
                continue
            if abs(walk.rest.strides[position[scan]]) >= abs(walk.rest.strides[axis]):
                break
            place = scan
        if place != axis:
            moved = True
            for scan in range(axis, place, -1):
                position[scan] = position[scan - 1]
        position[place] = axis
    for axis in range(ndim):
        walk.by_stride[position[axis]] = axis
        sorted_rest.shape[axis] = walk.rest.shape[position[axis]]
        sorted_rest.strides[axis] = walk.rest.strides[position[axis]]
    if moved:
        for axis in range(ndim):
            walk.rest.shape[axis] = sorted_rest.shape[axis]
            walk.rest.strides[axis] = sorted_rest.strides[axis]
    return moved


# --- take -------------------------------------------------------------------------------------------------------------

cdef ndarray take_whole_mask(ndarray array, ndarray mask):
    """Return array[mask] for a mask of the array's shape; what does not lie in one piece is brought together first."""
    cdef ndarray packed = mask if is_c_contiguous(mask) else copy_array(mask, ORDER_C)
    cdef const uint8_t* truth = <const uint8_t*>data_of(packed)
    cdef int64_t size = packed.header.checked_numel()
    cdef int64_t count = count_true(truth, size)
    if count > 0 and not is_c_contiguous(array):
        array = copy_array(array, ORDER_C)
    cdef int itemsize = ITEMSIZES[dtype_of(array)]
    cdef ndarray result = new_array(dtype_of(array), 1, &count)
    cdef char* values = data_of(result)
    cdef char* memory = data_of(array)
    if size >= RELEASE_FROM:
        with nogil:
            take_true(itemsize, truth, memory, size, values, count)
    else:
        take_true(itemsize, truth, memory, size, values, count)
    return result


cdef ndarray take_plain(ndarray array, Key* key, list arrays):
    cdef Layout layout
    cdef Walk walk
    cdef Picked picked
    cdef Subspace subspace
    cdef int64_t shape[64]
    cdef int64_t packed_shape[128]
    cdef int ndim, itemsize = ITEMSIZES[dtype_of(array)]
    cdef int order[64]
    cdef bint moved, inside, turned
    cdef ndarray result
    cdef char* values
    fill_layout(array, &layout)
    walk_key(&layout, key, arrays, &walk, None)
    if is_whole_mask(array, key, arrays):
        return take_whole_mask(array, arrays[0])
    # NumPy: where nothing but the picked elements is taken, they lie as the indices do.
    turned = walk.rest.ndim == 0 and fill_order(arrays, order)
    if turned:
        arrays = [in_order(index, order) for index in arrays]
    indices = as_indices(key, arrays)
    ndim = broadcast_shape(indices, shape)
    moved = sort_rest(&walk)
    fill_picked(array, &walk, indices, ndim, shape, &picked)
    fill_subspace(array, &walk, &subspace)
    result = new_array(dtype_of(array), result_shape(&walk, ndim, shape, packed_shape), packed_shape)
    values = data_of(result)
    if picked.count * subspace.size >= RELEASE_FROM:
        with nogil:
            inside = take_picked(itemsize, picked, subspace, values)
    else:
        inside = take_picked(itemsize, picked, subspace, values)
    if not inside:
        check_bounds(&walk, &picked)
    if turned:
        result = back_in_order(result, order)
    elif moved:
        result = move_to_place(result, ndim, &walk)
    return result


cdef object take_fancy(ndarray array, Key* key, list arrays):
    cdef ndarray result
    if all_plain(array, arrays):
        result = take_plain(array, key, arrays)
    else:
        result = take_general(array, key, arrays)
    return result if type(array) is ndarray else as_type(result, type(array), array)


# --- put --------------------------------------------------------------------------------------------------------------

cdef ndarray broadcast_values(ndarray array, ndarray value, Walk* walk, bint moved, int ndim, const int64_t* shape):
    """Return the values packed as [index dimensions, other dimensions], in the array's dtype."""
    cdef int64_t packed_shape[128]
    cdef int length = result_shape(walk, ndim, shape, packed_shape)
    cdef ndarray packed = new_array(dtype_of(array), length, packed_shape)
    cdef ndarray placed = packed
    if moved:
        placed = move_to_place(packed, ndim, walk)
    try:
        assign(placed, value)
    except ValueError as error:
        if not str(error).startswith("could not broadcast"):
            raise
        raise ValueError(f"shape mismatch: value array of shape {shape_text(value)} could not be broadcast to indexing "
                         f"result of shape {shape_text(placed)}") from None
    return packed


cdef str shape_text(ndarray array):
    return str(shape_tuple(array)).replace(" ", "")


cdef bint fits_as_it_is(ndarray array, ndarray value, Walk* walk, bint moved, int ndim, const int64_t* shape) except -1:
    cdef int64_t packed_shape[128]
    cdef int64_t value_shape[64]
    cdef int axis, length = result_shape(walk, ndim, shape, packed_shape)
    if dtype_of(value) != dtype_of(array) or moved or same_memory(array, value) or value.header.dim() != length:
        return False
    if not is_c_contiguous(value) or not value.header.is_plain():
        return False
    fill_shape(value, value_shape)
    for axis in range(length):
        if value_shape[axis] != packed_shape[axis]:
            return False
    return True


cdef int put_whole_mask(ndarray array, ndarray mask, ndarray value) except -1:
    """array[mask] = value, in C-contiguous memory."""
    cdef ndarray packed = mask
    cdef const uint8_t* truth
    cdef int64_t size, count
    cdef char item[16]
    cdef char* memory = data_of(array)
    cdef char* values = item
    cdef int itemsize = ITEMSIZES[dtype_of(array)]
    cdef bint repeated = value.header.checked_numel() == 1
    if not is_c_contiguous(mask) or same_memory(mask, array):
        packed = copy_array(mask, ORDER_C)
    truth = <const uint8_t*>data_of(packed)
    size = packed.header.checked_numel()
    count = count_true(truth, size)
    check_mask_values(value.header.checked_numel(), <int>value.header.dim(), count)
    if repeated:
        pack_element(item, dtype_of(array), value)
    else:
        if dtype_of(value) != dtype_of(array) or not is_c_contiguous(value) or same_memory(array, value):
            value = astype(value, dtype_of(array), ORDER_C, True)
        values = data_of(value)
    if count == 0:
        return 0
    if size >= RELEASE_FROM:
        with nogil:
            put_true(itemsize, truth, memory, size, values, 1 if repeated else count)
    else:
        put_true(itemsize, truth, memory, size, values, 1 if repeated else count)
    array.header.bump_version()
    return 0


cdef bint goes_row_by_row(ndarray array, ndarray value, Walk* walk, list indices, int ndim, const int64_t* shape) noexcept:
    """Whether `x[:, i] = value` is of a matrix, a line of indices, and a matrix of as many columns that lies elsewhere."""
    return len(indices) == 1 and ndim == 1 and walk.rest.ndim == 1 and value.header.dim() == 2 and (
        dtype_of(value) == dtype_of(array) and not same_memory(array, value)
        and value.header.sizes()[0] == walk.rest.shape[0] and value.header.sizes()[1] == shape[0])


cdef int put_row_by_row(ndarray array, ndarray value, Walk* walk, list indices, const int64_t* shape) except -1:
    cdef Picked picked
    cdef int64_t[2] steps
    cdef int64_t rows = walk.rest.shape[0], step
    cdef int itemsize = ITEMSIZES[dtype_of(array)]
    cdef const char* values = data_of(value)
    fill_picked(array, walk, indices, 1, shape, &picked)
    check_bounds(walk, &picked)
    fill_strides(value, steps)
    step = walk.rest.strides[0] * itemsize
    if picked.count * rows >= RELEASE_FROM:
        with nogil:
            put_rows(itemsize, picked, rows, step, values, steps[0], steps[1])
    else:
        put_rows(itemsize, picked, rows, step, values, steps[0], steps[1])
    array.header.bump_version()
    return 0


cdef int put_plain(ndarray array, Key* key, list arrays, ndarray value) except -1:
    cdef Layout layout
    cdef Walk walk
    cdef Picked picked
    cdef Subspace subspace
    cdef int64_t shape[64]
    cdef int ndim, itemsize = ITEMSIZES[dtype_of(array)]
    cdef bint moved, repeated = value.header.checked_numel() == 1 and value.header.dim() == 0
    cdef char item[16]
    cdef char* values = item
    fill_layout(array, &layout)
    walk_key(&layout, key, arrays, &walk, None)
    if is_whole_mask(array, key, arrays) and is_c_contiguous(array):
        return put_whole_mask(array, arrays[0], value)
    indices = as_indices(key, arrays)
    ndim = broadcast_shape(indices, shape)
    if is_whole_mask(array, key, arrays):
        check_mask_values(value.header.checked_numel(), <int>value.header.dim(), shape[0])
    moved = sort_rest(&walk)
    # NumPy: the values' shape is looked at before the indices' bounds.
    if moved and goes_row_by_row(array, value, &walk, indices, ndim, shape):
        return put_row_by_row(array, value, &walk, indices, shape)
    if repeated:
        pack_element(item, dtype_of(array), value)
    else:
        if not fits_as_it_is(array, value, &walk, moved, ndim, shape):
            value = broadcast_values(array, value, &walk, moved, ndim, shape)
        values = data_of(value)
    fill_picked(array, &walk, indices, ndim, shape, &picked)
    check_bounds(&walk, &picked)
    fill_subspace(array, &walk, &subspace)
    if picked.count * subspace.size >= RELEASE_FROM:
        with nogil:
            put_picked(itemsize, picked, subspace, values, repeated)
    else:
        put_picked(itemsize, picked, subspace, values, repeated)
    array.header.bump_version()
    return 0


cdef int put_fancy(ndarray array, Key* key, list arrays, object given) except -1:
    cdef ndarray value
    cdef Layout layout
    cdef Walk walk
    if not isinstance(given, ndarray) and is_plain(array):
        # NumPy: what is wrong with the key is said before what is wrong with the value.
        fill_layout(array, &layout)
        walk_key(&layout, key, arrays, &walk, None)
    value = as_value(array, given)
    if all_plain(array, arrays) and value.header.is_plain():
        return put_plain(array, key, arrays, value)
    return put_general(array, key, arrays, value, is_whole_mask(array, key, arrays))
