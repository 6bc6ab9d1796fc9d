"""Elements of plain arrays taken, written and repeated by their numbers: take, compress, extract, put, repeat.

Each body declines, by NotImplemented, what is not common: other spellings, no dimensions, errors.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_C, assign, assign_value, astype, copy_array, pack
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.engine cimport ElementwiseCall, Loop, LoopFunction, Operand, Order, Status, may_overlap_itself
from fastnp._core.dtype cimport (
    BOOL, COMPLEX128, COMPLEX64, FLOAT32, FLOAT64, INT8, INT64, ITEMSIZES, NUM_NUMPY_DTYPES, UINT64, is_in_range,
)
from fastnp._core.fancy cimport take_whole_mask
from fastnp._core.fancy_torch cimport take_direct
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of, is_plain_array, same_shape
from fastnp._core.loops cimport fill_operand, is_safe, same_kind, store_weak
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
    thread_is_plain,
)
from fastnp._core.sequences cimport is_sequence, of_sequence
from fastnp._core.single_calls cimport gather_numbers, repeat_single, take_numbers
from fastnp._core.views cimport same_memory

cdef extern from "Python.h":
    Py_ssize_t PySequence_Fast_GET_SIZE(object)
    PyObject* PySequence_Fast_GET_ITEM(object, Py_ssize_t)

cdef extern from "where.h" namespace "fastnp" nogil:
    LoopFunction find_where(int64_t itemsize)

cdef extern from "truths.h" namespace "fastnp" nogil:
    int64_t count_true(const uint8_t* mask, int64_t n)
    void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, int64_t count)

cdef extern from "lanes.h" namespace "fastnp" nogil:
    cppclass Lanes:
        void set(int axis, int ndim, const int64_t* shape, const int64_t* strides, const int64_t* other)

cdef extern from "searching.h" namespace "fastnp" nogil:
    int64_t find_nonzero(int dtype, const Lanes&, char* data, int64_t* numbers)

cdef extern from "taking.h" namespace "fastnp" nogil:
    bint take_blocks(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* given, int64_t count,
                     Bounds bounds, char* taken) except +
    bint split_at(int axis, int ndim, const int64_t* shape, const int64_t* other, int64_t* outer, int64_t* inner)
    bint take_along(const char* memory, int64_t outer, int64_t size, int64_t inner, int64_t itemsize, const int64_t* given,
                    int64_t count, char* taken)
    void put_elements(char* memory, int64_t size, int64_t itemsize, const int64_t* given, int64_t count, Bounds bounds,
                      const char* values, int64_t value_count)
    bint are_in_bounds(const int64_t* given, int64_t count, int64_t size)
    void write_where(const char* mask, const char* values, int64_t step, int64_t count, int64_t itemsize, char* into)
    void repeat_blocks(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* counts, int64_t step,
                       char* repeated, const char* end)

cdef enum:
    FEW = 2048             # numbers of elements that fit on the stack; NumPy's kernels are faster for more
    RELEASE_FROM = 65536   # moving fewer bytes keeps the GIL


# The default of `casting`: an interned string, as a call's own "same_kind" is.
cdef str SAME_KIND = "same_kind", SAFE = "safe", UNSAFE = "unsafe"


cdef bint bounds_of(PyObject* slot, Bounds* bounds) noexcept:
    """Whether a `mode` is one of NumPy's words, and which."""
    if type(<object>slot) is not str:
        return False
    if <str><object>slot == "raise":
        bounds[0] = Bounds.kRaise
    elif <str><object>slot == "wrap":
        bounds[0] = Bounds.kWrap
    elif <str><object>slot == "clip":
        bounds[0] = Bounds.kClip
    else:
        return False
    return True


cdef ndarray numbers_of(PyObject* slot):
    """Return an array of numbers as int64 in C order; None for all else."""
    cdef ndarray numbers
    cdef int64_t count, place
    if type(<object>slot) is list or type(<object>slot) is tuple:
        # Ints, which have to be few, so that to read them is not to compute.
        count = PySequence_Fast_GET_SIZE(<object>slot)
        if not 0 < count <= 64 or not thread_is_plain():
            return None
        numbers = new_array(INT64, 1, &count)
        for place in range(count):
            if not integer_of(PySequence_Fast_GET_ITEM(<object>slot, place), <int64_t*>data_of(numbers) + place):
                return None
        return numbers
    if not is_plain_array(slot) or dtype_of(<ndarray><object>slot) > INT64:
        return None
    numbers = <ndarray><object>slot
    if dtype_of(numbers) == INT64 and is_c_contiguous(numbers):
        return numbers
    return astype(numbers, INT64, ORDER_C, False)


# --- taking -----------------------------------------------------------------------------------------------------------

# An array in one piece, cut along an axis.
cdef struct Cut:
    int ndim, axis
    int64_t shape[MAXDIMS]
    int64_t outer, size, bytes


cdef ndarray cut_along(PyObject* slot, PyObject* axis, Cut* cut):
    """Describe an array cut along an axis, None being that of its elements; return it in C order, or None."""
    cdef ndarray array
    cdef int place
    if not is_plain_array(slot):
        return None
    array = <ndarray><object>slot
    cut.ndim = fill_shape(array, cut.shape)
    if cut.ndim == 0:
        return None
    if axis == <PyObject*>None:
        cut.shape[0] = array.header.numel()
        cut.ndim, cut.axis = 1, 0
    else:
        cut.axis = axis_of(axis, cut.ndim)
        if cut.axis == NO_AXIS:
            return None
    cut.outer, cut.size, cut.bytes = 1, cut.shape[cut.axis], ITEMSIZES[dtype_of(array)]
    for place in range(cut.axis):
        cut.outer *= cut.shape[place]
    for place in range(cut.axis + 1, cut.ndim):
        cut.bytes *= cut.shape[place]
    return array if is_c_contiguous(array) else copy_array(array, ORDER_C)


cdef object taken(ndarray array, Cut* cut, const int64_t* numbers, int ndim, const int64_t* shape, Bounds bounds):
    """Return the blocks with these numbers, which are of this shape; NotImplemented where one is out of bounds."""
    cdef int64_t whole[MAXDIMS]
    cdef int64_t count = 1, outer = cut.outer, size = cut.size, bytes = cut.bytes
    cdef int place, length = cut.ndim - 1 + ndim
    cdef ndarray result
    cdef const char* memory = data_of(array)
    cdef char* into
    cdef bint inside
    if length > MAXDIMS:
        return NotImplemented
    for place in range(cut.axis):
        whole[place] = cut.shape[place]
    for place in range(ndim):
        whole[cut.axis + place] = shape[place]
        count *= shape[place]
    for place in range(cut.axis + 1, cut.ndim):
        whole[place - 1 + ndim] = cut.shape[place]
    if count and not size:
        return NotImplemented
    result = new_scalar(dtype_of(array)) if length == 0 else new_array(dtype_of(array), length, whole)
    into = data_of(result)
    if outer * count * bytes >= RELEASE_FROM:
        with nogil:
            inside = take_blocks(memory, outer, size, bytes, numbers, count, bounds, into)
    else:
        inside = take_blocks(memory, outer, size, bytes, numbers, count, bounds, into)
    return result if inside else NotImplemented


cdef int general_axis(ndarray array, PyObject* slot) noexcept:
    """Return the axis of an array that is not plain, -1 for that of its elements."""
    return -1 if slot == <PyObject*>None else axis_of(slot, array.header.dim())


cdef object take_general(PyObject** slots, const int64_t* number, ndarray numbers):
    """Take from what is not plain by one call of torch, at a number or an array of them."""
    cdef int64_t shape[MAXDIMS]
    cdef int axis, ndim
    cdef ndarray array, result = None
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>slots[0]
    axis = general_axis(array, slots[2])
    if axis == NO_AXIS:
        return NotImplemented
    if numbers is None:
        result = take_numbers(array, axis, number, 0, shape)
    else:
        ndim = fill_shape(numbers, shape)
        result = take_numbers(array, axis, <const int64_t*>data_of(numbers), ndim, shape)
    return from_torch(result)


cdef object take_by_torch(PyObject** slots):
    """Take at an array of indices that is not plain."""
    cdef ndarray array
    cdef int axis
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>slots[0]
    axis = general_axis(array, slots[2])
    return NotImplemented if axis == NO_AXIS else from_torch(take_direct(array, axis, <ndarray><object>slots[1]))


cdef object from_torch(ndarray taken):
    if taken is None:
        return NotImplemented
    if taken.header.dim() == 0:
        taken.scalar_ = True
        taken.writeable_ = False
    return taken


cdef object take(PyObject** slots):
    """take(a, indices, axis, out, mode), as a function and as a method."""
    cdef Cut cut
    cdef Bounds bounds
    cdef int64_t shape[MAXDIMS]
    cdef int64_t number
    cdef ndarray array, numbers = None
    if slots[3] != <PyObject*>None or not bounds_of(slots[4], &bounds):
        return NotImplemented
    if not integer_of(slots[1], &number):
        numbers = numbers_of(slots[1])
        if numbers is None:
            return take_by_torch(slots) if bounds == Bounds.kRaise else NotImplemented
    array = cut_along(slots[0], slots[2], &cut)
    if array is None:
        return take_general(slots, &number, numbers) if bounds == Bounds.kRaise else NotImplemented
    if numbers is None:
        return taken(array, &cut, &number, 0, NULL, bounds)
    return taken(array, &cut, <const int64_t*>data_of(numbers), fill_shape(numbers, shape), shape, bounds)


cdef int64_t true_numbers(PyObject* slot, int64_t* numbers) noexcept:
    """Fill in which elements of a condition hold, in C order; return how many, or -1 where it is not common."""
    cdef Lanes lanes
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int ndim
    cdef ndarray condition
    if not is_plain_array(slot):
        return -1
    condition = <ndarray><object>slot
    ndim = fill_shape(condition, shape)
    if ndim == 0 or condition.header.numel() > FEW:
        return -1
    fill_strides(condition, strides)
    lanes.set(ndim - 1, ndim, shape, strides, strides)
    return find_nonzero(dtype_of(condition), lanes, data_of(condition), numbers)


cdef bint is_long_mask_of(ndarray mask, ndarray array, bint flat) noexcept:
    """Whether there is a truth for each element, of more than a few."""
    return dtype_of(mask) == BOOL and mask.header.numel() > FEW and mask.header.numel() == array.header.numel() and (
        flat or array.header.dim() == 1)


cdef object compressed(PyObject* condition, PyObject* given, PyObject* axis, int ndim):
    """Return the blocks along an axis for which a condition of so many dimensions (0: any) holds."""
    cdef Cut cut
    cdef int64_t numbers[FEW]
    cdef int64_t count
    cdef ndarray array
    if type(<object>condition) is not ndarray or (ndim and (<ndarray><object>condition).header.dim() != ndim):
        return NotImplemented
    if is_plain_array(condition) and is_plain_array(given) and is_long_mask_of(
            <ndarray>condition, <ndarray>given, axis == <PyObject*>None):
        return take_whole_mask(<ndarray>given, <ndarray>condition)
    array = cut_along(given, axis, &cut)
    if array is None:
        return NotImplemented
    count = true_numbers(condition, numbers)
    return NotImplemented if count < 0 else taken(array, &cut, numbers, 1, &count, Bounds.kRaise)


cdef object compress(PyObject** slots):
    """compress(condition, a, axis, out)."""
    return NotImplemented if slots[3] != <PyObject*>None else compressed(slots[0], slots[1], slots[2], 1)


cdef object compress_method(PyObject** slots):
    """compress(self, condition, axis, out)."""
    return NotImplemented if slots[3] != <PyObject*>None else compressed(slots[1], slots[0], slots[2], 1)


cdef object extract(PyObject** slots):
    """extract(condition, arr)."""
    return compressed(slots[0], slots[1], <PyObject*>None, 0)


# --- writing ----------------------------------------------------------------------------------------------------------

cdef bint has_dtype(object value, int dtype) noexcept:
    """Whether an array is of a dtype, or a number of Python's fits into it as it is."""
    kind = type(value)
    if kind is ndarray:
        return dtype_of(<ndarray>value) == dtype
    return kind is float and dtype == FLOAT64 or kind is bool and dtype == BOOL or kind is int and (
        dtype == INT64 or dtype == FLOAT64)


cdef bint fit(ndarray values, int dtype) noexcept:
    """Whether the numbers of a list, which are integers or truths then, go into an array without an error or a warning."""
    cdef int64_t place
    if dtype_of(values) != INT64 or not INT8 <= dtype <= UINT64:
        return dtype_of(values) == BOOL or dtype_of(values) == INT64 and dtype in (BOOL, FLOAT32, COMPLEX64)
    for place in range(values.header.numel()):
        if not is_in_range(dtype, (<const int64_t*>data_of(values))[place]):
            return False
    return True


cdef ndarray values_for(ndarray array, PyObject* slot):
    """Return values to write, in C order and of the array's dtype; None for those that are another's to read."""
    cdef int dtype = dtype_of(array)
    cdef ndarray values
    value = <object>slot
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        values = new_scalar(dtype)
        pack(values.header.origin(), dtype, value)
        return values
    if kind is ndarray:
        values = <ndarray>value if is_plain_array(slot) else None
    else:
        values = of_sequence(value, False) if is_sequence(value) else None
        if values is not None and dtype not in (dtype_of(values), FLOAT64, COMPLEX128) and not fit(values, dtype):
            return None
    if values is None or values.header.numel() == 0 or same_memory(values, array):
        return None
    if dtype_of(values) == dtype and is_c_contiguous(values):
        return values
    # What is complex warns where it loses its imaginary part.
    return astype(values, dtype, ORDER_C, False) if dtype_of(values) < COMPLEX64 or dtype_of(values) == dtype else None


cdef object put(PyObject** slots):
    """put(a, ind, v, mode), as a function and as a method."""
    cdef Bounds bounds
    cdef int64_t number, count = 1
    cdef const int64_t* given = &number
    cdef ndarray array, numbers, values
    if not is_plain_array(slots[0]) or not bounds_of(slots[3], &bounds):
        return NotImplemented
    array = <ndarray><object>slots[0]
    if not array.writeable_ or not is_c_contiguous(array) or array.header.dim() == 0 or array.header.numel() == 0:
        return NotImplemented
    if not integer_of(slots[1], &number):
        numbers = numbers_of(slots[1])
        if numbers is None or same_memory(numbers, array):
            return NotImplemented
        given, count = <const int64_t*>data_of(numbers), numbers.header.numel()
    values = values_for(array, slots[2])
    if values is None or bounds == Bounds.kRaise and not are_in_bounds(given, count, array.header.numel()):
        return NotImplemented
    put_elements(data_of(array), array.header.numel(), ITEMSIZES[dtype_of(array)], given, count, bounds, data_of(values),
                 values.header.numel())
    array.header.bump_version()
    return None


cdef ndarray number_of_dtype(object number, int dtype):
    """Return one of Python's numbers as `array(number, dtype)` has it; None where that is to be said by NumPy."""
    cdef ndarray element
    if type(number) is not int and (type(number) is not float or dtype < FLOAT32) or dtype >= NUM_NUMPY_DTYPES:
        return None
    element = new_scalar(dtype)
    if dtype == BOOL:
        data_of(element)[0] = number != 0
        return element
    return element if store_weak(data_of(element), dtype, number) else None


cdef object masked(PyObject** slots, bint in_turn):
    """Write values where a mask is true: one after the other (in turn), or those of the same numbers."""
    cdef ndarray array, mask, given, element
    if not is_plain_array(slots[0]) or not is_plain_array(slots[1]):
        return NotImplemented
    array, mask = <ndarray><object>slots[0], <ndarray><object>slots[1]
    if not array.writeable_:
        return NotImplemented
    if not in_turn and dtype_of(mask) == BOOL and same_shape(mask, array) and is_plain_array(slots[2]) and (
            dtype_of(<ndarray>slots[2]) == dtype_of(array) and same_shape(<ndarray>slots[2], array)):
        return copied_where(array, slots[2], slots[1])
    if not in_turn and dtype_of(mask) == BOOL and same_shape(mask, array) and not same_memory(mask, array):
        element = number_of_dtype(<object>slots[2], dtype_of(array))
        if element is not None:
            return copied_where(array, <PyObject*>element, slots[1])
    if not is_c_contiguous(array):
        return NotImplemented if same_memory(mask, array) or array.header.numel() > FEW else masked_apart(array, slots, in_turn)
    if dtype_of(mask) != BOOL or not is_c_contiguous(mask) or mask.header.numel() != array.header.numel():
        return NotImplemented
    if same_memory(mask, array) or not is_sequence(<object>slots[2]) and not has_dtype(<object>slots[2], dtype_of(array)):
        return NotImplemented  # NumPy: cast where that is safe; put casts always
    given = values_for(array, slots[2])
    if given is None:
        return NotImplemented
    if given.header.numel() == 1 and same_shape(mask, array):
        element = new_scalar(dtype_of(array))
        memcpy(data_of(element), data_of(given), ITEMSIZES[dtype_of(array)])
        return copied_where(array, <PyObject*>element, slots[1])
    if in_turn:
        return put_in_turn(array, mask, given)
    put_where(array, mask, repeated(given, array.header.numel()), False)
    return None


cdef ndarray repeated(ndarray given, int64_t wanted):
    """Return so many of some values, again from the first on where there are fewer; as they are where there are enough."""
    cdef int64_t count = given.header.numel(), itemsize = ITEMSIZES[dtype_of(given)]
    cdef ndarray result
    cdef char* values
    if count >= wanted:
        return given
    result = new_array(dtype_of(given), 1, &wanted)
    values = data_of(result)
    memcpy(values, data_of(given), count * itemsize)
    while count < wanted:
        memcpy(values + count * itemsize, values, min(count, wanted - count) * itemsize)
        count = min(2 * count, wanted)
    return result


cdef object put_in_turn(ndarray array, ndarray mask, ndarray given):
    """Write values of the array's dtype where a mask is true, one after the other, and again from the first on."""
    cdef const uint8_t* truth = <const uint8_t*>data_of(mask)
    cdef int itemsize = ITEMSIZES[dtype_of(array)]
    cdef int64_t size = array.header.numel()
    cdef bint one = given.header.numel() == 1
    cdef char* into = data_of(array)
    cdef const char* values
    if not one:
        given = repeated(given, count_true(truth, size))
    values = data_of(given)
    if size >= RELEASE_FROM:
        with nogil:
            put_true(itemsize, truth, into, size, values, given.header.numel())
    else:
        put_true(itemsize, truth, into, size, values, given.header.numel())
    array.header.bump_version()
    return None


cdef int put_where(ndarray array, ndarray mask, ndarray values, bint one) except -1:
    """Write one value or those of the same places where a mask is true; all in C order and apart."""
    cdef const char* truth = data_of(mask)
    cdef const char* source = data_of(values)
    cdef char* into = data_of(array)
    cdef int64_t size = array.header.numel(), itemsize = ITEMSIZES[dtype_of(array)]
    if size * itemsize >= RELEASE_FROM:
        with nogil:
            write_where(truth, source, not one, size, itemsize, into)
    else:
        write_where(truth, source, not one, size, itemsize, into)
    array.header.bump_version()
    return 0


cdef object masked_apart(ndarray array, PyObject** slots, bint in_turn):
    """Do masked for few elements that do not lie in C order: in a copy, which is written back."""
    cdef PyObject* packed[3]
    cdef ndarray beside = copy_array(array, ORDER_C)
    packed[0], packed[1], packed[2] = <PyObject*>beside, slots[1], slots[2]
    result = masked(packed, in_turn)
    if result is None:
        assign(array, beside)
    return result


cdef ndarray taken_along(ndarray array, ndarray numbers, int axis):
    """Take along an axis by numbers of the array's other sizes; None for other layouts, and where one is out of bounds."""
    cdef int64_t outer = 1, inner = 1
    cdef int64_t[64] shape, sizes
    cdef int ndim = fill_shape(numbers, shape)
    fill_shape(array, sizes)
    if dtype_of(numbers) != INT64 or not is_c_contiguous(numbers) or not is_c_contiguous(array) or not split_at(
            axis, ndim, shape, sizes, &outer, &inner):
        return None
    result = new_array(dtype_of(array), ndim, shape)
    return result if take_along(data_of(array), outer, sizes[axis], inner, ITEMSIZES[dtype_of(array)],
                                <const int64_t*>data_of(numbers), shape[axis], data_of(result)) else None


cdef object take_along_axis(PyObject** slots):
    """take_along_axis(arr, indices, axis)."""
    cdef ndarray array, numbers
    cdef int axis
    along_axis(slots)
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray:
        return NotImplemented
    array, numbers = <ndarray><object>slots[0], <ndarray><object>slots[1]
    axis = axis_of(slots[2], array.header.dim())
    if axis == NO_AXIS or numbers.header.dim() != array.header.dim():
        return NotImplemented
    result = gather_numbers(array, axis, numbers) if not is_plain_array(slots[0]) else (
        taken_along(array, numbers, axis) if is_plain_array(slots[1]) else None)
    return NotImplemented if result is None else result


cdef object along_axis(PyObject** slots):
    """take_along_axis and put_along_axis: NumPy asks what it gets for its axes, which lists and numbers have none of."""
    cdef int slot
    for slot in range(2):
        value = <object>slots[slot]
        if isinstance(value, (list, tuple, int, float, complex)):
            raise AttributeError(f"{type(value).__name__!r} object has no attribute 'ndim'")
    return NotImplemented


cdef object putmask(PyObject** slots):
    """putmask(a, mask, values)."""
    return masked(slots, False)


cdef object place(PyObject** slots):
    """place(arr, mask, vals)."""
    return masked(slots, True)


cdef bint allows(object casting, int source, int destination) noexcept:
    """Whether a casting rule lets a dtype into another; False for what is no rule as well."""
    if casting is SAME_KIND or type(casting) is not str:
        return casting is SAME_KIND and same_kind(source, destination)
    if casting == UNSAFE:
        return True
    if casting == SAFE:
        return is_safe(source, destination)
    return casting == SAME_KIND and same_kind(source, destination)


cdef inline bint is_exact(object number, int dtype) noexcept:
    """Whether a number of Python's is one of a dtype, by its type alone."""
    return type(number) is float and dtype == FLOAT64 or type(number) is int and (dtype == INT64 or dtype == FLOAT64) or (
        type(number) is bool)


cdef bint is_weak(object number, int dtype, object casting) except -1:
    """Whether a number of Python's goes over into a dtype by the default rule, without a warning."""
    cdef char item[16]
    return casting is SAME_KIND and (type(number) is int or type(number) is float) and (
        dtype < NUM_NUMPY_DTYPES and dtype != BOOL and store_weak(item, dtype, number))


cdef object copyto(PyObject** slots):
    """copyto(dst, src, casting, where)."""
    cdef ndarray array, element
    cdef object source = <object>slots[1], casting = <object>slots[2]
    if not is_plain_array(slots[0]) or not (<ndarray><object>slots[0]).writeable_:
        return NotImplemented
    array = <ndarray><object>slots[0]
    if type(source) is ndarray:
        if not is_plain_array(slots[1]) or not allows(casting, dtype_of(<ndarray>source), dtype_of(array)):
            return NotImplemented
    elif not is_exact(source, dtype_of(array)) and not is_weak(source, dtype_of(array), casting) or (
            not allows(casting, dtype_of(array), dtype_of(array))):
        return NotImplemented
    if <object>slots[3] is True:
        assign_value(array, source)
        return None
    if type(source) is ndarray:
        return copied_where(array, slots[1], slots[3])
    element = new_scalar(dtype_of(array))
    assign_value(element, source)
    return copied_where(array, <PyObject*>element, slots[3])


cdef object copied_where(ndarray array, PyObject* source, PyObject* where):
    """Copy where a mask is true, the source having the dtype already."""
    cdef ndarray mask, values
    if not is_plain_array(where) or not is_plain_array(source):
        return NotImplemented
    mask, values = <ndarray><object>where, <ndarray><object>source
    if dtype_of(mask) != BOOL or dtype_of(values) != dtype_of(array):
        return NotImplemented
    if not (is_c_contiguous(array) and is_c_contiguous(mask) and is_c_contiguous(values)) or not same_shape(mask, array) or (
            same_memory(mask, array) or same_memory(values, array)
            or values.header.dim() > 0 and not same_shape(values, array)):
        return chosen_into(array, values, mask)
    put_where(array, mask, values, values.header.dim() == 0)
    return None


cdef object chosen_into(ndarray array, ndarray values, ndarray mask):
    """Write what a mask chooses among values and what is there, all elements anew; of any layout, or spread over the array."""
    cdef ElementwiseCall call
    cdef Operand operands[3]
    cdef Operand* pointers[4]
    cdef int types[4]
    cdef Loop loop
    cdef int place
    if mask.header.dim() > array.header.dim() or values.header.dim() > array.header.dim():
        return NotImplemented
    fill_operand(&operands[0], mask)
    fill_operand(&operands[1], values)
    fill_operand(&operands[2], array)
    if may_overlap_itself(operands[2]):
        return NotImplemented
    types[0] = BOOL
    for place in range(3):
        pointers[place] = &operands[place]
        types[place + 1] = dtype_of(array)
    pointers[3] = &operands[2]
    if call.prepare(3, 1, pointers, NULL, types, Order.kKeep) != Status.kOk:
        return NotImplemented
    loop.function = find_where(ITEMSIZES[dtype_of(array)])
    loop.data = NULL
    call.splits = True
    call.run(loop, False)
    array.header.bump_version()
    return None


# --- repeating --------------------------------------------------------------------------------------------------------

cdef inline bint is_bool(PyObject* slot) noexcept:
    return type(<object>slot) is ndarray and dtype_of(<ndarray><object>slot) == BOOL


cdef object repeat(PyObject** slots):
    """repeat(a, repeats, axis), as a function and as a method."""
    cdef Cut cut
    cdef int64_t number, total = 0, place, step = 0, bytes
    cdef const int64_t* counts = &number
    cdef const char* memory
    cdef char* into
    cdef ndarray array, numbers = None, result
    if not integer_of(slots[1], &number):
        numbers = numbers_of(slots[1])
        if numbers is None or numbers.header.dim() != 1 or is_bool(slots[1]):
            return NotImplemented
    array = cut_along(slots[0], slots[2], &cut)
    if array is None and numbers is None and type(<object>slots[0]) is ndarray:
        place = general_axis(<ndarray><object>slots[0], slots[2])
        result = None if place == NO_AXIS else repeat_single(<ndarray><object>slots[0], number, <int>place)
        return NotImplemented if result is None else result
    if array is None:
        return NotImplemented
    if numbers is not None:
        counts = <const int64_t*>data_of(numbers)
        step = 0 if numbers.header.numel() == 1 else 1
        if step and numbers.header.numel() != cut.size:
            return NotImplemented
    for place in range(cut.size if step else 1):
        if counts[place] < 0 or counts[place] > <int64_t>1 << 40:
            return NotImplemented
        total += counts[place]
    if not step:
        if cut.size and total > (<int64_t>1 << 40) // cut.size:
            return NotImplemented
        total *= cut.size
    cut.shape[cut.axis] = total
    result = new_array(dtype_of(array), cut.ndim, cut.shape)
    memory, into = data_of(array), data_of(result)
    bytes = cut.outer * total * cut.bytes
    if bytes >= RELEASE_FROM:
        with nogil:
            repeat_blocks(memory, cut.outer, cut.size, cut.bytes, counts, step, into, into + bytes)
    else:
        repeat_blocks(memory, cut.outer, cut.size, cut.bytes, counts, step, into, into + bytes)
    return result


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {
    "compress": new_compiled_body(compress),
    "compress_method": new_compiled_body(compress_method),
    "copyto": new_compiled_body(copyto),
    "extract": new_compiled_body(extract),
    "place": new_compiled_body(place),
    "along_axis": new_compiled_body(along_axis),
    "put": new_compiled_body(put),
    "putmask": new_compiled_body(putmask),
    "repeat": new_compiled_body(repeat),
    "take": new_compiled_body(take),
    "take_along_axis": new_compiled_body(take_along_axis),
}
