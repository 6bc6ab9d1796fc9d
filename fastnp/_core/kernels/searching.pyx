"""Elements of plain arrays that are not zero: how many, and where; and the places of values in sorted ones.

Each body declines, by NotImplemented, what is not common: other spellings, no dimensions, errors.
"""
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, ITEMSIZES
from fastnp._core.fancy cimport add_nonzero
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.kernels.shape cimport ravel
from fastnp._core.loops cimport LoopTable, Resolution, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    plain_view,
)
from fastnp._core.reduction cimport reduce_plain, to_axes

import numpy

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        int64_t length, step, count
        int ndim
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)

cdef extern from "searching.h" namespace "fastnp" nogil:
    int64_t count_nonzero_of "fastnp::count_nonzero"(int dtype, const Lanes&, char* data)
    void join_lines(Lanes* lanes)
    int64_t count_in_lines(int64_t (*count_line)(int, const void*, int64_t) noexcept, int dtype, const Lanes&, char* data)
    int last_long_axis(int ndim, const int64_t* shape)
    int64_t find_nonzero(int dtype, const Lanes&, char* data, int64_t* numbers)
    void find_coordinates(int dtype, const Lanes&, char* data, int ndim, const int64_t* shape, int64_t* out, int64_t step,
                          int64_t axis_step)
    void write_coordinates(const int64_t* numbers, int64_t count, int ndim, const int64_t* shape, int64_t* out,
                           int64_t step, int64_t axis_step)
    void search_sorted(int dtype, bint right, const char* sorted, int64_t step, int64_t size, const char* keys,
                       int64_t key_step, int64_t count, int64_t* places)

    bint is_increasing(int dtype, const char* data, int64_t step, int64_t count)

cdef extern from "taking.h" namespace "fastnp" nogil:
    bint all_from_front(const int64_t* numbers, int64_t count, int64_t size)

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided "fastnp::casts::Strided")(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int dst, int src)

cdef extern from "passes.h" namespace "fastnp" nogil:
    int64_t count_contiguous(int dtype, const void* data, int64_t count) noexcept

cdef enum:
    RELEASE_LONG = 65536  # counting fewer elements keeps the GIL
    FEW = 2048           # elements whose numbers fit on the stack; more are counted first
    LONG = 16            # elements of lines in one piece that are counted a line at a time
    SCATTERED = 256      # elements that are counted where they are, wherever that is
    MANY = 65536         # elements of which a copy in one piece is counted sooner than they are where they lie
    RELEASE_FROM = 4096  # searching for fewer values keeps the GIL

cdef object NOTHING = numpy._NoValue
cdef LoopTable ADD = table_of(numpy.add)
# Its promotion is that of any two arrays: the dtype that holds either.
cdef LoopTable MAXIMUM = table_of(numpy.maximum)


# --- what is not zero -------------------------------------------------------------------------------------------------

cdef bint fill_lanes(PyObject* slot, Lanes* lanes, int64_t* shape) noexcept:
    """Describe an array of one or more dimensions, in C order; False for others."""
    cdef int64_t strides[MAXDIMS]
    cdef ndarray array
    cdef int ndim
    if not is_plain_array(slot):
        return False
    array = <ndarray><object>slot
    ndim = array.header.dim()
    if ndim == 0:
        return False
    fill_shape(array, shape)
    fill_strides(array, strides)
    lanes.set(last_long_axis(ndim, shape), ndim, shape, strides, strides)
    return True


cdef inline bint is_block(ndarray array) noexcept:
    """Whether the elements lie in one piece, forwards or backwards."""
    return array.header.is_contiguous() or array.header.is_fortran_contiguous()


cdef object count_nonzero(PyObject** slots):
    """count_nonzero(a, axis, keepdims)."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int dtype
    cdef int64_t count
    cdef uint64_t axes
    cdef const void* data
    cdef ndarray array, block, result
    cdef bint in_lines
    if slots[1] != <PyObject*>None:
        if not is_plain_array(slots[0]) or type(<object>slots[2]) is not bool:
            return NotImplemented
        if not to_axes(<object>slots[1], (<ndarray><object>slots[0]).header.dim(), &axes):
            return NotImplemented
        array = astype(<ndarray><object>slots[0], BOOL, ORDER_K, False)
        result = reduce_plain(ADD, array, axes, <object>slots[2], INT64, None, None, NOTHING)
        return NotImplemented if result is None else result
    if <object>slots[2] is not False or not is_plain_array(slots[0]):
        return NotImplemented
    array = <ndarray><object>slots[0]
    dtype = dtype_of(array)
    in_lines = array.header.dim() > 1 and not is_block(array) and fill_lanes(slots[0], &lanes, shape)
    if in_lines:
        join_lines(&lanes)
    if in_lines and lanes.length >= LONG and abs(lanes.step) == ITEMSIZES[dtype]:
        data = data_of(array)
        if array.header.numel() >= RELEASE_LONG:
            with nogil:
                count = count_in_lines(count_contiguous, dtype, lanes, <char*>data)
        else:
            count = count_in_lines(count_contiguous, dtype, lanes, <char*>data)
        result = new_scalar(INT64)
        (<int64_t*>result.header.origin())[0] = count
        return result
    block = array
    if SCATTERED < array.header.numel() <= MANY and not is_block(array):
        block = ravel(array, ORDER_K)
    if array.header.dim() > 0 and is_block(block):
        count, dtype, data = block.header.numel(), dtype_of(block), block.header.origin()
        if count >= RELEASE_LONG:
            with nogil:
                count = count_contiguous(dtype, data, count)
        else:
            count = count_contiguous(dtype, data, count)
        if count >= 0:
            result = new_scalar(INT64)
            (<int64_t*>result.header.origin())[0] = count
            return result
    if array.header.numel() > FEW or not fill_lanes(slots[0], &lanes, shape):
        return NotImplemented
    result = new_scalar(INT64)
    (<int64_t*>result.header.origin())[0] = count_nonzero_of(dtype_of(array), lanes, data_of(array))
    return result


cdef ndarray places_of_many(ndarray array, const Lanes& lanes, int ndim, const int64_t* shape, bint by_axis):
    """Return the coordinates of the elements that are not zero, together for each of them, or along each axis."""
    cdef int64_t sizes[2]
    cdef int64_t count
    cdef int dtype = dtype_of(array)
    cdef bint packed = is_c_contiguous(array)
    cdef char* data = data_of(array)
    cdef int64_t* into
    cdef ndarray whole
    with nogil:
        count = count_contiguous(dtype, data, lanes.length * lanes.count) if packed else -1
        if count < 0:
            count = count_nonzero_of(dtype, lanes, data)
    sizes[0] = ndim if by_axis else count
    sizes[1] = count if by_axis else ndim
    whole = new_array(INT64, 1 if ndim == 1 and not by_axis else 2, sizes)
    into = <int64_t*>data_of(whole)
    if count == 0:
        return whole
    with nogil:
        find_coordinates(dtype, lanes, data, ndim, shape, into, 1 if by_axis else ndim, count if by_axis else 1)
    return whole


cdef ndarray places_in_long_mask(PyObject* slot):
    """Return where a mask of one axis, of more than a few elements, is true; None for other arrays."""
    cdef list places
    if not is_plain_array(slot) or dtype_of(<ndarray>slot) != BOOL or (<ndarray>slot).header.dim() != 1:
        return None
    if (<ndarray>slot).header.numel() <= FEW:
        return None
    places = []
    add_nonzero(<ndarray>slot if is_c_contiguous(<ndarray>slot) else copy_array(<ndarray>slot, ORDER_C), places)
    return places[0]


cdef object nonzero(PyObject** slots):
    """nonzero(a), as a function and as a method."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t numbers[FEW]
    cdef int64_t sizes[2]
    cdef int64_t step
    cdef int axis, ndim
    cdef ndarray array, whole
    whole = places_in_long_mask(slots[0])
    if whole is not None:
        return (whole,)
    if not fill_lanes(slots[0], &lanes, shape):
        return NotImplemented
    array = <ndarray><object>slots[0]
    ndim = array.header.dim()
    sizes[1] = step = ndim
    # NumPy: the coordinates of an element stand together, those along an axis are a view.
    if array.header.numel() > FEW:
        whole = places_of_many(array, lanes, ndim, shape, False)
        sizes[0] = whole.header.sizes()[0]
    else:
        sizes[0] = find_nonzero(dtype_of(array), lanes, data_of(array), numbers)
        whole = new_array(INT64, 1 if ndim == 1 else 2, sizes)
        write_coordinates(numbers, sizes[0], ndim, shape, <int64_t*>data_of(whole), ndim, 1)
    if ndim == 1:
        return (whole,)
    return tuple([plain_view(whole, 1, sizes, &step, axis, 0) for axis in range(ndim)])


cdef object flatnonzero(PyObject** slots):
    """flatnonzero(a)."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t numbers[FEW]
    cdef int64_t count
    cdef ndarray array, places
    places = places_in_long_mask(slots[0])
    if places is not None:
        return places
    if not fill_lanes(slots[0], &lanes, shape):
        return NotImplemented
    array = <ndarray><object>slots[0]
    if array.header.numel() > FEW:
        if not is_c_contiguous(array):
            return NotImplemented
        # One line, whatever the shape.
        count = lanes.length = array.header.numel()
        lanes.step, lanes.count = ITEMSIZES[dtype_of(array)], 1
        lanes.ndim = 0
        return places_of_many(array, lanes, 1, &count, False)
    count = find_nonzero(dtype_of(array), lanes, data_of(array), numbers)
    places = new_array(INT64, 1, &count)
    write_coordinates(numbers, count, 1, shape, <int64_t*>data_of(places), 1, 0)
    return places


cdef object argwhere(PyObject** slots):
    """argwhere(a)."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t numbers[FEW]
    cdef int64_t sizes[2]
    cdef int64_t strides[2]
    cdef ndarray array, whole
    whole = places_in_long_mask(slots[0])
    if whole is not None:
        sizes[0], sizes[1] = whole.header.sizes()[0], 1
        strides[0], strides[1] = 1, sizes[0]
        return plain_view(whole, 2, sizes, strides, 0, 0)
    if not fill_lanes(slots[0], &lanes, shape):
        return NotImplemented
    array = <ndarray><object>slots[0]
    sizes[0] = array.header.dim()
    # NumPy: a transposed view of the coordinates by axis.
    if array.header.numel() > FEW:
        whole = places_of_many(array, lanes, <int>sizes[0], shape, True)
        sizes[1] = whole.header.sizes()[1]
    else:
        sizes[1] = find_nonzero(dtype_of(array), lanes, data_of(array), numbers)
        whole = new_array(INT64, 2, sizes)
        write_coordinates(numbers, sizes[1], <int>sizes[0], shape, <int64_t*>data_of(whole), 1, sizes[1])
    sizes[0], sizes[1] = sizes[1], sizes[0]
    strides[0], strides[1] = 1, sizes[0]
    return plain_view(whole, 2, sizes, strides, 0, 0)


# --- places in sorted values ------------------------------------------------------------------------------------------

cdef enum:
    PROBES = 8  # of so many bits less keys than values, the values they are compared with are cast, and no others


cdef bint search(Strided cast, int dtype, bint right, const char* data, int64_t step, int64_t size, const int64_t* order,
                 const char* keys, int64_t key_step, int64_t count, int64_t* places) noexcept nogil:
    """Find keys of a dtype among values that are sorted, or are in an order, each of which is cast to it first where `cast`
    says how; False where the order names a value that is not there."""
    cdef char[16] value
    cdef const char* at
    cdef int64_t key, low, high, middle, place, behind
    if cast is NULL and order is NULL:
        search_sorted(dtype, right, data, step, size, keys, key_step, count, places)
        return True
    for key in range(count):
        low, high = 0, size
        while low < high:
            middle = low + (high - low) // 2
            place = middle if order is NULL else order[middle]
            if not 0 <= place < size:
                return False
            at = data + place * step
            if cast is not NULL:
                cast(value, 0, at, 0, 1)
                at = value
            search_sorted(dtype, right, at, 0, 1, keys + key * key_step, 0, 1, &behind)
            if behind:
                low = middle + 1
            else:
                high = middle
        places[key] = low
    return True


cdef object places_of(ndarray array, const int64_t* order, PyObject* key, bint right):
    """Return where keys go into an array of one dimension; NotImplemented for what is no array and no number, and for an
    order that names an element that is not there."""
    cdef ndarray keys = None, places
    cdef Resolution* entry
    cdef int64_t shape[MAXDIMS]
    cdef int64_t step = 0, key_step = 0, size, count, integer = 0
    cdef int ndim, common = dtype_of(array), key_dtype
    cdef double number
    cdef const char* data
    cdef const char* key_data
    cdef int64_t* into
    cdef Strided cast
    cdef bint found
    if is_plain_array(key):
        keys = <ndarray><object>key
        key_dtype = dtype_of(keys)
    elif PyFloat_CheckExact(<object>key):
        number = PyFloat_AS_DOUBLE(<object>key)
        key_data, key_dtype = <const char*>&number, FLOAT64
    elif integer_of(key, &integer):
        key_data, key_dtype = <const char*>&integer, INT64
    else:
        return NotImplemented
    if key_dtype != common:
        # NumPy: Python numbers are of their own dtype here.
        entry = MAXIMUM.find(common, key_dtype)
        if entry.state != 1:
            return NotImplemented
        common = entry.types[2]
    elif common == FLOAT16 and keys is not None and keys.header.numel() >= array.header.numel() >> 4:
        common = FLOAT32  # holds them all, and is compared at once
    size = array.header.sizes()[0]
    fill_strides(array, &step)
    data = data_of(array)
    if common != dtype_of(array) and (1 if keys is None else keys.header.numel()) > size >> PROBES:
        array = astype(array, common, ORDER_C, False)
        step, data = ITEMSIZES[common], data_of(array)
    cast = NULL
    if common != dtype_of(array):
        cast = find_cast(common, dtype_of(array))
    if keys is not None:
        keys = astype(keys, common, ORDER_C, False)
    elif key_dtype != common:
        if common != FLOAT64:
            return NotImplemented
        number = <double>integer
        key_data = <const char*>&number
    if keys is None:
        places = new_scalar(INT64)
        found = search(cast, common, right, data, step, size, order, key_data, 0, 1, <int64_t*>places.header.origin())
        return places if found else NotImplemented
    ndim = fill_shape(keys, shape)
    if ndim == 1:
        fill_strides(keys, &key_step)
    else:
        if not is_c_contiguous(keys):
            keys = astype(keys, common, ORDER_C, True)
        key_step = ITEMSIZES[common]
    key_data = data_of(keys)
    count = keys.header.numel()
    places = new_scalar(INT64) if ndim == 0 else new_array(INT64, ndim, shape)
    into = <int64_t*>data_of(places)
    if count >= RELEASE_FROM:
        with nogil:
            found = search(cast, common, right, data, step, size, order, key_data, key_step, count, into)
    else:
        found = search(cast, common, right, data, step, size, order, key_data, key_step, count, into)
    return places if found else NotImplemented


cdef object searchsorted(PyObject** slots):
    """searchsorted(a, v, side, sorter), as a function and as a method."""
    cdef const int64_t* order = NULL
    cdef ndarray array, sorter
    side = <object>slots[2]
    if type(side) is not str or not is_line(slots[0]) or <str>side != "left" and <str>side != "right":
        return NotImplemented
    array = <ndarray><object>slots[0]
    if slots[3] != <PyObject*>None:
        if not is_line(slots[3]):
            return NotImplemented
        sorter = <ndarray><object>slots[3]
        if dtype_of(sorter) != INT64 or not is_c_contiguous(sorter) or sorter.header.numel() != array.header.numel():
            return NotImplemented
        order = <const int64_t*>data_of(sorter)
        if is_plain_array(slots[1]) and (<ndarray>slots[1]).header.numel() > array.header.numel() >> PROBES:
            # So many keys are searched for sooner among values that lie in order.
            if not all_from_front(order, sorter.header.numel(), array.header.numel()):
                return NotImplemented
            array = array.take(sorter)
            order = NULL
    return places_of(array, order, slots[1], <str>side == "right")


cdef inline bint is_line(PyObject* slot) noexcept:
    return is_plain_array(slot) and (<ndarray><object>slot).header.dim() == 1


cdef object digitize(PyObject** slots):
    """digitize(x, bins, right)."""
    cdef int64_t step = 0
    cdef ndarray bins
    if not is_line(slots[1]) or type(<object>slots[2]) is not bool:
        return NotImplemented
    bins = <ndarray><object>slots[1]
    if dtype_of(bins) > FLOAT64 or dtype_of(bins) == FLOAT16:
        return NotImplemented
    if type(<object>slots[0]) is ndarray and dtype_of(<ndarray><object>slots[0]) > FLOAT64:
        return NotImplemented
    fill_strides(bins, &step)
    # NumPy: the other way round where bins decrease.
    if not is_increasing(dtype_of(bins), data_of(bins), step, bins.header.numel()):
        return NotImplemented
    return places_of(bins, NULL, slots[0], <object>slots[2] is False)


#: Name of the function to its body.
BODIES = {
    "argwhere": new_compiled_body(argwhere),
    "count_nonzero": new_compiled_body(count_nonzero),
    "digitize": new_compiled_body(digitize),
    "flatnonzero": new_compiled_body(flatnonzero),
    "nonzero": new_compiled_body(nonzero),
    "searchsorted": new_compiled_body(searchsorted),
}
