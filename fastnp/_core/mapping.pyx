"""x[key] and x[key] = value.

The keys of inner loops come first: an integer, a tuple of integers, a slice. All others are parsed once (key.pyx) and
are either basic (a view) or fancy (fancy.pyx).
"""
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from fastnp._core.assign cimport ORDER_C, ORDER_K, assign_value, copy_array, join_autograd, pack, pack_element
from fastnp._core.aten cimport index_direct, is_direct
from fastnp._core.dtype cimport BOOL, FLOAT64, INT8, INT16, INT32, INT64, ITEMSIZES, UINT8, UINT16
from fastnp._core.fancy cimport put_fancy, take_fancy
from fastnp._core.fancy_torch cimport general_view
from fastnp._core.few_indices cimport put_few, take_few
from fastnp._core.key cimport ANY_FANCY, INTEGER, SCALAR_ARRAY, Key, Walk, parse_key, walk_key, wrap_index
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    GetItemSlot,
    Header,
    SetItemSlot,
    check_writeable,
    dtype_of,
    from_tensor,
    alias,
    ndarray,
    new_view,
    nothing_listens_to_scalars,
    plain_view,
    set_mapping_slots,
    tensor_of,
    thread_is_plain,
    wrapped,
)
from fastnp._core.numpy_scalars cimport dtype_of_scalar, held_scalar, value_of, value_of_scalar
from fastnp._core.sequences cimport of_sequence
from fastnp._core.single_calls cimport copy_single, is_single, pick
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.views cimport Layout, fill_layout, is_plain, strided_view

ctypedef object (*Iterate)(object)

cdef extern from *:
    """
    static getiterfunc* fastnp_type_iterate(PyTypeObject* type) { return &type->tp_iter; }
    """
    Iterate* type_iterate "fastnp_type_iterate"(PyTypeObject*)

cdef extern from "integers.h" namespace "fastnp":
    int64_t as_int64(object, int* overflow)

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    bint PyLong_CheckExact(object)
    bint PyTuple_CheckExact(object)
    object PySequence_GetItem(object, Py_ssize_t)
    bint PySlice_Check(object)
    bint PyFloat_CheckExact(object)
    double PyFloat_AS_DOUBLE(object)
    int PySlice_Unpack(object slice, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t* step) except -1
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t step) noexcept

cdef tuple NEW_AXIS = (None,)


cdef inline bint read_index(object key, int64_t* index) except -1:
    """Whether a key is an integer, Python's or one that came out of an array, and which."""
    cdef int overflow = 0
    if PyLong_CheckExact(key):
        index[0] = as_int64(key, &overflow)
        if overflow:
            raise IndexError(f"cannot fit '{type(key).__name__}' into an index-sized integer")
        return True
    if PySlice_Check(key):
        return False
    if type(key) is ndarray:
        return is_integer_scalar(key) and read_scalar_index(
            (<ndarray>key).header.dtype(), (<ndarray>key).header.origin(), index)
    return is_integer_scalar(key) and read_scalar_index(dtype_of_scalar(key), value_of_scalar(key), index)


cdef inline bint is_integer_scalar(object member) noexcept:
    """Whether a key or a part of one is a scalar, ours or NumPy's, that is an integer of 64 bits with a sign."""
    if type(member) is ndarray:
        return (<ndarray>member).scalar_ and (<ndarray>member).header.holds_value() and (
            INT8 <= (<ndarray>member).header.dtype() <= INT64)
    return INT8 <= dtype_of_scalar(member) <= INT64


cdef inline bint read_scalar_index(int dtype, const char* value, int64_t* index) noexcept:
    if dtype == INT64:
        index[0] = (<const int64_t*>value)[0]
    elif dtype == INT32:
        index[0] = (<const int32_t*>value)[0]
    elif dtype == UINT8:
        index[0] = (<const uint8_t*>value)[0]
    elif dtype == INT8:
        index[0] = (<const int8_t*>value)[0]
    elif dtype == INT16:
        index[0] = (<const int16_t*>value)[0]
    elif dtype == UINT16:
        index[0] = (<const uint16_t*>value)[0]
    else:
        index[0] = (<const uint32_t*>value)[0]
    return True


cdef inline int64_t step_along(ndarray array, Header* impl, int axis, int64_t index) except? -1:
    """Return how far an integer index goes along an axis, in elements from its lowest address."""
    cdef int64_t size = impl.sizes()[axis]
    cdef int64_t given = index
    if index < 0:
        index += size
    if index < 0 or index >= size:
        return wrap_index(given, axis, size)
    if array.flipped >> axis & 1:
        index = size - 1 - index
    return index * impl.strides()[axis]


cdef inline int64_t element_offset(ndarray array, Header* impl, object key) except? -1:
    """Return the offset of the element that an integer, or one for each axis, names; -2 for other keys."""
    cdef int64_t ndim = impl.dim()
    cdef int64_t offset
    cdef int64_t indices[64]
    cdef int axis
    if PyTuple_CheckExact(key):
        if len(<tuple>key) != ndim:
            return -2
        for axis in range(<int>ndim):
            if not read_index((<tuple>key)[axis], &indices[axis]):
                return -2
        offset = 0
        for axis in range(<int>ndim):
            offset += step_along(array, impl, axis, indices[axis])
        return offset
    if ndim == 1 and read_index(key, indices):
        return step_along(array, impl, 0, indices[0])
    return -2


cdef inline ndarray scalar_at(Header* impl, int dtype, int64_t offset):
    return scalar_of(dtype, impl.origin() + offset * ITEMSIZES[dtype])


cdef ndarray first_axis_view(ndarray array, Header* impl, object key):
    """Return x[start:stop:step], x[...], or x[i] of two or more axes; None for other keys."""
    cdef int64_t sizes[64]
    cdef int64_t strides[64]
    cdef int ndim = <int>impl.dim()
    cdef const int64_t* shape = impl.sizes()
    cdef const int64_t* steps = impl.strides()
    cdef int64_t offset = 0
    cdef uint64_t flipped = array.flipped
    cdef Py_ssize_t start, stop, step, count
    cdef int64_t index
    cdef int axis
    if key is Ellipsis:
        return plain_view(array, ndim, shape, steps, offset, flipped)
    if PySlice_Check(key):
        PySlice_Unpack(key, &start, &stop, &step)
        count = PySlice_AdjustIndices(shape[0], &start, &stop, step)
        for axis in range(ndim):
            sizes[axis] = shape[axis]
            strides[axis] = steps[axis]
        sizes[0] = count
        strides[0] = steps[0] * (step if step > 0 else -step)
        if step < 0:
            flipped ^= 1
        if count > 0:
            # The lowest address that the slice touches.
            if array.flipped & 1:
                start = shape[0] - 1 - start
            if flipped & 1:
                offset += start * steps[0] - (count - 1) * strides[0]
            else:
                offset += start * steps[0]
        return plain_view(array, ndim, sizes, strides, offset, flipped)
    return row_view(array, impl, index) if read_index(key, &index) else None


cdef inline ndarray row_view(ndarray array, Header* impl, int64_t index):
    """Return x[i] of two or more axes."""
    return plain_view(array, <int>impl.dim() - 1, impl.sizes() + 1, impl.strides() + 1,
                      step_along(array, impl, 0, index), array.flipped >> 1)


cdef ndarray view_of_parts(ndarray array, Header* impl, tuple key):
    """Return the view that integers, slices, None and Ellipsis name; None for other keys, and for what is wrong."""
    cdef int64_t sizes[64]
    cdef int64_t strides[64]
    cdef int64_t offset = 0, index, size, step_of_axis
    cdef uint64_t flipped = 0
    cdef Py_ssize_t start, stop, step, count
    cdef int axis = 0, made = 0, number, _whole, ndim = <int>impl.dim(), used = 0, parts = <int>len(key)
    cdef bint backwards, expanded = False
    if parts > 16:
        return None
    for number in range(parts):
        member = key[number]
        if member is Ellipsis:
            if expanded:
                return None
            expanded = True
        elif member is not None:
            if not PySlice_Check(member) and not PyLong_CheckExact(member) and not is_integer_scalar(member):
                return None
            used += 1
    if used > ndim or ndim > 32:
        return None
    for number in range(parts):
        member = key[number]
        if PySlice_Check(member):
            size, step_of_axis, backwards = impl.sizes()[axis], impl.strides()[axis], array.flipped >> axis & 1
            PySlice_Unpack(member, &start, &stop, &step)
            count = PySlice_AdjustIndices(size, &start, &stop, step)
            sizes[made] = count
            strides[made] = step_of_axis * (step if step > 0 else -step)
            if count > 0:
                # The lowest address that the slice touches.
                if backwards:
                    start = size - 1 - start
                offset += start * step_of_axis
                if backwards != (step < 0):
                    offset -= (count - 1) * strides[made]
            flipped |= <uint64_t>(backwards != (step < 0)) << made
            made += 1
            axis += 1
        elif member is None:
            sizes[made], strides[made] = 1, 0
            made += 1
        elif member is Ellipsis:
            for _whole in range(ndim - used):
                sizes[made], strides[made] = impl.sizes()[axis], impl.strides()[axis]
                flipped |= (array.flipped >> axis & 1) << made
                made += 1
                axis += 1
        elif read_index(member, &index):
            offset += step_along(array, impl, axis, index)
            axis += 1
        else:
            return None
    while axis < ndim:
        sizes[made], strides[made] = impl.sizes()[axis], impl.strides()[axis]
        flipped |= (array.flipped >> axis & 1) << made
        made += 1
        axis += 1
    if made == 0 and not expanded:
        return None
    return plain_view(array, made, sizes, strides, offset, flipped)


cdef ndarray basic_view(ndarray array, Key* key):
    cdef Layout layout
    cdef Walk walk
    if not is_plain(array):
        return general_view(array, key)
    fill_layout(array, &layout)
    walk_key(&layout, key, None, &walk, None)
    return strided_view(array, &walk.rest)


cdef ndarray as_scalar(ndarray element):
    """Return a 0-d view as what NumPy makes a scalar of: storage of its own, differentiable where the array is."""
    cdef ndarray scalar
    if is_plain(element):
        scalar = copy_array(element, ORDER_C)
    else:
        scalar = from_tensor(
            copy_single(tensor_of(element)[0]) if is_single(element) else unwrap(wrapped(element).clone()))
    scalar.scalar_ = True
    scalar.writeable_ = False
    return scalar


# --- lists, and the keys of inner loops ----------------------------------------------------------------------------------

cdef object as_index(object key):
    """Return a list of integers or truths as an array; None for any other."""
    cdef ndarray index = of_sequence(key, False)
    return index if index is not None and (index.header.dtype() == INT64 or index.header.dtype() == BOOL) else None


cdef inline bint is_quick_key(object key, int64_t ndim) noexcept:
    """Whether a key is an int of Python's, or two of them, and as many as there are dimensions."""
    if PyLong_CheckExact(key):
        return ndim == 1
    return ndim == 2 and PyTuple_CheckExact(key) and len(<tuple>key) == 2 and (
        PyLong_CheckExact(<object>PyTuple_GET_ITEM(key, 0)) and PyLong_CheckExact(<object>PyTuple_GET_ITEM(key, 1)))


cdef inline int64_t quick_offset(ndarray array, Header* impl, object key) except? -1:
    """Return the offset of the element that a quick key names, in elements; -2 where an int is too large."""
    cdef int64_t index, second
    cdef int overflow = 0, second_overflow = 0
    if PyLong_CheckExact(key):
        index = as_int64(key, &overflow)
        return -2 if overflow else step_along(array, impl, 0, index)
    index = as_int64(<object>PyTuple_GET_ITEM(key, 0), &overflow)
    second = as_int64(<object>PyTuple_GET_ITEM(key, 1), &second_overflow)
    if overflow or second_overflow:
        return -2
    return step_along(array, impl, 0, index) + step_along(array, impl, 1, second)


cdef object getitem(ndarray array, object key):
    cdef Header* impl = &array.header
    cdef int64_t offset
    if is_quick_key(key, impl.dim()) and impl.is_plain() and nothing_listens_to_scalars():
        offset = quick_offset(array, impl, key)
        if offset >= 0:
            return scalar_at(impl, impl.dtype(), offset)
    return getitem_of_any(array, key)


cdef object getitem_by_kind(ndarray array, object key):
    cdef Header* impl = &array.header
    cdef int64_t offset
    cdef ndarray view
    if array.header.is_plain() and nothing_listens_to_scalars() and not array.scalar_:
        offset = element_offset(array, impl, key)
        if offset >= 0:
            return scalar_at(impl, array.header.dtype(), offset)
        if not thread_is_plain():
            return getitem_by_parts(array, key)
        if type(key) is list:
            index = as_index(key)
            return getitem_by_parts(array, key) if index is None else getitem(array, index)
        if type(key) is ndarray and type(array) is ndarray:
            taken = take_few(array, <ndarray>key)
            if taken is not None:
                return taken
        if PyTuple_CheckExact(key) or key is None:
            view = view_of_parts(array, impl, NEW_AXIS if key is None else <tuple>key)
            if view is not None:
                return view
        if key is Ellipsis or (impl.dim() > 0 and not PyTuple_CheckExact(key)):
            view = first_axis_view(array, impl, key)
            if view is not None:
                return view
    return getitem_by_parts(array, key)


# By its address, as the one below, so that the compiler leaves it out of the short way.
cdef GetItemSlot getitem_of_any = getitem_by_kind


cdef inline bint is_torchs(object part, bint* element) noexcept:
    """Whether torch reads a part of a key as NumPy does: an integer, a slice that runs forwards, None, an Ellipsis."""
    if PyLong_CheckExact(part):
        return True
    element[0] = False
    if not PySlice_Check(part):
        return part is None or part is Ellipsis
    return is_bound((<slice>part).start) and is_bound((<slice>part).stop) and (
        (<slice>part).step is None or PyLong_CheckExact((<slice>part).step) and (<slice>part).step > 0)


cdef inline bint is_bound(object value) noexcept:
    return value is None or PyLong_CheckExact(value)


cdef object view_by_torch(ndarray array, object key):
    """Return the view, or a scalar of its own, that torch makes of a key; None for keys that are not torch's, or wrong."""
    cdef bint element = True
    cdef int ellipses = 0
    cdef Tensor view
    if PyTuple_CheckExact(key):
        for part in <tuple>key:
            if not is_torchs(part, &element):
                return None
            ellipses += part is Ellipsis
        if not <tuple>key:
            view = tensor_of(array)[0]
            return as_scalar(from_tensor(view)) if view.dim() == 0 else new_view(array, view, 0)
        if ellipses > 1:
            return None
    elif not is_torchs(key, &element):
        return None
    if is_direct(tensor_of(array)[0]) and index_direct(tensor_of(array)[0], key, &view):
        return as_scalar(from_tensor(view)) if element and view.dim() == 0 else new_view(array, view, 0)
    try:
        part = wrapped(array)[key]
    except (IndexError, ValueError):  # NumPy says it in other words
        return None
    if element and unwrap(part).dim() == 0:
        return as_scalar(from_tensor(unwrap(part)))
    return new_view(array, unwrap(part), 0)


cdef object getitem_by_parts(ndarray array, object key):
    cdef Key parsed
    cdef list arrays
    cdef ndarray view
    if array.scalar_:
        return scalar_getitem(array, key)
    if not array.flipped and not is_plain(array):
        result = view_by_torch(array, key)
        if result is None:
            result = pick(array, as_index(key) if type(key) is list else key)
        if result is not None:
            return result
    arrays = parse_key(array, key, &parsed)
    if parsed.kinds & ANY_FANCY:
        return take_fancy(array, &parsed, arrays)
    view = basic_view(array, &parsed)
    if parsed.kinds & ~SCALAR_ARRAY == INTEGER or parsed.count == 0:
        return as_scalar(view)
    if parsed.kinds & SCALAR_ARRAY:
        view = copy_array(view, ORDER_K)
    return view


cdef object scalar_getitem(ndarray scalar, object key):
    """Index as NumPy's scalars are: they hold no memory to look into, so that views are of a copy."""
    cdef Key parsed
    cdef ndarray array
    if isinstance(key, tuple) and not <tuple>key:
        return scalar
    array = alias(scalar)
    try:
        parse_key(array, key, &parsed)
    except IndexError:
        raise IndexError("invalid index to scalar variable.") from None
    return getitem_by_parts(copy_array(array, ORDER_C), key)


cdef int put_element(ndarray array, Header* impl, int64_t offset, object value) except -1:
    cdef int dtype = array.header.dtype()
    cdef char* data = impl.origin() + offset * ITEMSIZES[dtype]
    cdef bint real = dtype == FLOAT64 and PyFloat_CheckExact(value)
    cdef const char* source = NULL
    if not real:
        source = value_of(value, dtype)
    if real:
        (<double*>data)[0] = PyFloat_AS_DOUBLE(value)
    elif source is not NULL:
        copy_item(data, source, ITEMSIZES[dtype])
    elif isinstance(value, ndarray) and (<ndarray>value).header.dim() == 0:
        pack_element(data, dtype, value)
    else:
        pack(data, dtype, value)
    impl.bump_version()
    return 0


cdef inline bint is_host_value(object value) noexcept:
    """Whether a value's elements can be read here; others take part in autograd or live elsewhere."""
    return not isinstance(value, ndarray) or (<ndarray>value).header.is_plain()


cdef int setitem(ndarray array, object key, object value) except -1:
    cdef Header* impl = &array.header
    cdef int64_t offset
    cdef int dtype = impl.dtype()
    cdef bint real = PyFloat_CheckExact(value)
    cdef const char* source = NULL
    if not real:
        source = value_of(value, dtype)
    if is_quick_key(key, impl.dim()) and (dtype == FLOAT64 if real else source is not NULL) and (
            array.writeable_ and impl.is_plain() and nothing_listens_to_scalars()):
        offset = quick_offset(array, impl, key)
        if offset >= 0:
            if real:
                (<double*>impl.origin())[offset] = PyFloat_AS_DOUBLE(value)
            else:
                copy_item(impl.origin() + offset * ITEMSIZES[dtype], source, ITEMSIZES[dtype])
            impl.bump_version()
            return 0
    return setitem_of_any(array, key, value)


cdef int setitem_by_kind(ndarray array, object key, object value) except -1:
    cdef Header* impl = &array.header
    cdef int64_t offset
    cdef ndarray view
    if not array.writeable_:
        check_writeable(array, "assignment destination")
    if not PyFloat_CheckExact(value) and is_tensor(value):
        value = from_tensor(unwrap(value))
    if array.header.is_plain() and nothing_listens_to_scalars() and is_host_value(value):
        offset = element_offset(array, impl, key)
        if offset >= 0:
            return put_element(array, impl, offset, value)
        if type(key) is list and thread_is_plain():
            index = as_index(key)
            return setitem_by_parts(array, key, value) if index is None else setitem(array, index, value)
        if type(key) is ndarray and thread_is_plain() and put_few(array, <ndarray>key, value):
            return 0
        if PyTuple_CheckExact(key) and type(array) is ndarray and thread_is_plain():
            view = view_of_parts(array, impl, <tuple>key)
            if view is not None:
                return assign_value(view, value)
    return setitem_by_parts(array, key, value)


cdef SetItemSlot setitem_of_any = setitem_by_kind


cdef int setitem_by_parts(ndarray array, object key, object value) except -1:
    cdef Key parsed
    cdef Header* impl = &array.header
    cdef list arrays
    cdef ndarray view
    arrays = parse_key(array, key, &parsed)
    if parsed.kinds & ANY_FANCY:
        # NumPy: at indices a scalar of its own is cast as an array is, where an element takes only what fits.
        return put_fancy(array, &parsed, arrays, held_scalar(value) if dtype_of_scalar(value) >= 0 else value)
    view = array
    if parsed.kinds & ~SCALAR_ARRAY == INTEGER:
        if is_plain(array) and is_host_value(value):
            view = basic_view(array, &parsed)
            offset = (view.header.origin() - impl.origin()) // ITEMSIZES[dtype_of(array)]
            return put_element(array, impl, offset, value)
        if isinstance(value, ndarray) and (<ndarray>value).header.dim() > 0:
            raise ValueError("setting an array element with a sequence.")
    if not is_host_value(value):
        # Only a view that autograd made carries the gradient back to the array.
        join_autograd(array)
        view = general_view(array, &parsed)
    elif key is not Ellipsis:
        view = basic_view(array, &parsed)
    if type(view) is not ndarray:
        view = bare(view)
    return assign_value(view, value)


cdef ndarray bare(ndarray view):
    """Return the view without its subclass."""
    cdef ndarray array = alias(view)
    array.flipped = view.flipped
    array.base_ = view.base_
    return array


# --- iteration --------------------------------------------------------------------------------------------------------

cdef class array_iterator:
    """The elements, or the views along the first axis, of an array of the class itself."""
    cdef ndarray array
    cdef int64_t index

    def __iter__(self):
        return self

    def __next__(self):
        cdef Header* header = &self.array.header
        cdef int64_t index = self.index
        if index >= header.sizes()[0]:
            raise StopIteration
        self.index += 1
        if header.is_plain() and nothing_listens_to_scalars():
            if header.dim() == 1:
                return scalar_at(header, header.dtype(), step_along(self.array, header, 0, index))
            if thread_is_plain():
                return row_view(self.array, header, index)
        return PySequence_GetItem(self.array, index)


cdef Iterate iterate_sequence = type_iterate(<PyTypeObject*>ndarray)[0]


cdef object iterate(object array):
    # A subclass may have indexing of its own, which iteration then goes by.
    cdef array_iterator iterator
    if type(array) is not ndarray or (<ndarray>array).header.dim() == 0:
        return iterate_sequence(array)
    iterator = array_iterator.__new__(array_iterator)
    iterator.array = <ndarray>array
    return iterator


type_iterate(<PyTypeObject*>ndarray)[0] = iterate
set_mapping_slots(getitem, setitem)
