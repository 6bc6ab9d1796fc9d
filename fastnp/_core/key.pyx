"""The key of x[key], parsed once, by NumPy's rules (`prepare_index` in its mapping.c)."""
cimport numpy as cnp
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_C, astype, constant
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport BOOL, INT8, INT64, UINT64, index_of_numpy, numpy_dtype
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, from_tensor, ndarray, read_item, thread_is_plain
from fastnp._core.sequences cimport MANY, listed, of_sequence
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.views cimport Layout

import operator

import numpy

cnp.import_array()

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)

cdef extern from "Python.h":
    int PySlice_Unpack(object slice, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t* step) except -1
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t step) noexcept
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1
    bint PySlice_Check(object)
    bint PyLong_CheckExact(object)

cdef str INVALID_KEY = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
    "indices"
)


cdef int64_t wrap_index(int64_t index, int axis, int64_t size) except -1:
    cdef int64_t wrapped = index + size if index < 0 else index
    if wrapped < 0 or wrapped >= size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    return wrapped


cdef ndarray as_index_array(object value):
    """Return the array that an index is which is no integer; IndexError where it is none."""
    cdef cnp.ndarray array
    if isinstance(value, cnp.ndarray):
        if index_of_numpy((<cnp.ndarray>value).dtype) < 0 and (<cnp.ndarray>value).dtype.isnative:
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        return constant(value)
    value = listed(value, MANY)
    if isinstance(value, (list, tuple)):
        if type(value) is list and thread_is_plain():
            parsed = of_sequence(value, False)
            if parsed is not None and (dtype_of(parsed) == INT64 or dtype_of(parsed) == BOOL):
                return parsed
            if parsed is not None and parsed.header.numel() == 0:
                # NumPy: a list without elements is one of integers.
                return astype(parsed, INT64, ORDER_C, True)
        for member in value:
            if isinstance(member, ndarray) or is_tensor(member):
                return as_array(value)
    elif not isinstance(value, (str, bytes, float, complex)):
        try:
            return as_array(value)
        except TypeError as error:
            raise IndexError(INVALID_KEY) from error
    array = numpy.asarray(value)
    if array.size == 0:
        array = array.astype(numpy_dtype(INT64))
    if array.dtype.kind not in "biu":
        raise IndexError(INVALID_KEY)
    return constant(array)


cdef list add_array(Key* key, Part* part, object value, list arrays):
    """Take an index that is no exact int, slice, None or Ellipsis."""
    cdef ndarray array
    cdef int dtype
    cdef bint given = True
    cdef int64_t index
    if isinstance(value, ndarray):
        array = value
    elif is_tensor(value):
        array = from_tensor(unwrap(value))
    else:
        given = isinstance(value, cnp.ndarray)
        if not given and not isinstance(value, (bool, numpy.bool, list, tuple, str)):
            try:
                index = operator.index(value)
            except (TypeError, OverflowError):
                pass
            else:
                part.kind = INTEGER
                part.start = index
                key.kinds |= INTEGER
                return arrays
        array = as_index_array(value)
    dtype = dtype_of(array)
    if dtype == BOOL:
        if array.header.dim() == 0:
            part.kind = TRUTH
            part.start = 1 if array else 0
        else:
            part.kind = MASK
    elif INT8 <= dtype <= UINT64:
        if array.header.dim() == 0 and array.header.has_host_memory():
            part.kind = INTEGER
            part.start = read_item(data_of(array), dtype)
            key.kinds |= INTEGER if array.scalar_ else INTEGER | SCALAR_ARRAY
            return arrays
        part.kind = FANCY
    elif given:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    else:
        raise IndexError(INVALID_KEY)
    key.kinds |= part.kind
    if arrays is None:
        arrays = []
    part.position = <int>len(arrays)
    arrays.append(array)
    return arrays


cdef list parse_key(ndarray array, object key, Key* parsed):
    cdef int ndim = <int>array.header.dim()
    cdef int number, used = 0, ellipsis = -1, count = 1, overflow
    cdef bint several = isinstance(key, tuple)
    cdef list arrays = None
    cdef Part* part
    cdef Py_ssize_t start, stop, step
    if several:
        count = <int>len(<tuple>key)
        if count > MANY_PARTS:
            raise IndexError("too many indices for array")
    parsed.kinds = 0
    for number in range(count):
        member = (<tuple>key)[number] if several else key
        part = &parsed.parts[number]
        if PyLong_CheckExact(member):
            part.start = PyLong_AsLongLongAndOverflow(member, &overflow)
            if overflow:
                raise IndexError(INVALID_KEY)
            part.kind = INTEGER
            parsed.kinds |= INTEGER
            used += 1
        elif PySlice_Check(member):
            PySlice_Unpack(member, &start, &stop, &step)
            part.start, part.stop, part.step = start, stop, step
            part.kind = SLICE
            parsed.kinds |= SLICE
            used += 1
        elif member is None:
            part.kind = NEWAXIS
            parsed.kinds |= NEWAXIS
        elif member is Ellipsis:
            if ellipsis >= 0:
                raise IndexError("an index can only have a single ellipsis ('...')")
            ellipsis = number
            part.kind = ELLIPSIS
            part.start = 0
            parsed.kinds |= ELLIPSIS
        else:
            arrays = add_array(parsed, part, member, arrays)
            if part.kind == MASK:
                used += <int>(<ndarray>arrays[part.position]).header.dim()
            elif part.kind != TRUTH:
                used += 1
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    if used < ndim:
        if ellipsis < 0:
            ellipsis = count
            parsed.parts[ellipsis].kind = ELLIPSIS
            parsed.kinds |= ELLIPSIS
            count += 1
        parsed.parts[ellipsis].start = ndim - used
    parsed.count = count
    return arrays


cdef inline int add_axis(Layout* layout, int64_t size, int64_t stride) except -1:
    if layout.ndim == MAXDIMS:
        raise IndexError(f"number of dimensions must be within [0, {MAXDIMS}], indexing result would have more")
    layout.shape[layout.ndim] = size
    layout.strides[layout.ndim] = stride
    layout.ndim += 1
    return 0


cdef int add_slice(Part* part, int64_t size, int64_t stride, Layout* rest, list torch_key) except -1:
    """Take a slice of an axis; for torch in terms of the axis as its tensor has it, steps positive."""
    cdef Py_ssize_t start = part.start, stop = part.stop
    cdef int64_t count = PySlice_AdjustIndices(size, &start, &stop, part.step)
    cdef int64_t first, last
    add_axis(rest, count, stride * part.step)
    if count > 0:
        rest.offset += start * stride
    if torch_key is None:
        return 0
    if count == 0:
        torch_key.append(slice(0, 0))
        return 0
    first, last = start, start + (count - 1) * part.step
    if stride < 0:
        first, last = size - 1 - first, size - 1 - last
    torch_key.append(slice(min(first, last), max(first, last) + 1, abs(part.step)))
    return 0


cdef int walk_key(Layout* layout, Key* key, list arrays, Walk* walk, list torch_key) except -1:
    cdef bint fancy = (key.kinds & ANY_FANCY) != 0
    cdef bint running = False, ended = False
    cdef Layout* rest = &walk.rest
    cdef Layout* picked = &walk.picked
    cdef Part* part
    cdef int number, axis = 0
    cdef int64_t index
    rest.ndim = picked.ndim = 0
    rest.offset = layout.offset
    walk.place = 0
    walk.outgoing = 0
    # NumPy looks at the masks' shapes before anything else.
    if key.kinds & MASK:
        check_masks(layout, key, arrays)
    for number in range(key.count):
        part = &key.parts[number]
        if fancy:
            # Index arrays that stand together keep their place; else their dimensions come first.
            if part.kind & (ANY_FANCY | INTEGER):
                if not running and not ended:
                    walk.place = rest.ndim
                elif ended:
                    walk.place = 0
                running = True
            elif running:
                ended = True
        if part.kind == INTEGER:
            index = wrap_index(part.start, axis, layout.shape[axis])
            rest.offset += index * layout.strides[axis]
            if torch_key is not None:
                torch_key.append(layout.shape[axis] - 1 - index if layout.strides[axis] < 0 else index)
            axis += 1
        elif part.kind == SLICE:
            walk.order[walk.outgoing] = rest.ndim
            walk.outgoing += 1
            add_slice(part, layout.shape[axis], layout.strides[axis], rest, torch_key)
            axis += 1
        elif part.kind == ELLIPSIS:
            for _ in range(part.start):
                walk.order[walk.outgoing] = rest.ndim
                walk.outgoing += 1
                add_axis(rest, layout.shape[axis], layout.strides[axis])
                axis += 1
                if torch_key is not None:
                    torch_key.append(slice(None))
        elif part.kind == NEWAXIS:
            walk.order[walk.outgoing] = rest.ndim
            walk.outgoing += 1
            add_axis(rest, 1, 0)
            if torch_key is not None:
                torch_key.append(None)
        elif part.kind == TRUTH:
            walk.axes[picked.ndim] = -1
            walk.order[walk.outgoing] = -1 - picked.ndim
            walk.outgoing += 1
            add_axis(picked, 1, 0)
            if torch_key is not None:
                torch_key.append(None)
        else:
            for _ in range(<int>(<ndarray>arrays[part.position]).header.dim() if part.kind == MASK else 1):
                walk.axes[picked.ndim] = axis
                walk.order[walk.outgoing] = -1 - picked.ndim
                walk.outgoing += 1
                add_axis(picked, layout.shape[axis], layout.strides[axis])
                axis += 1
                if torch_key is not None:
                    torch_key.append(slice(None))
    return 0


cdef int check_masks(Layout* layout, Key* key, list arrays) except -1:
    cdef int number, axis = 0, dimension
    cdef Part* part
    cdef ndarray mask
    for number in range(key.count):
        part = &key.parts[number]
        if part.kind == MASK:
            mask = arrays[part.position]
            for dimension in range(<int>mask.header.dim()):
                # NumPy: an axis of a mask that has no elements selects nothing, and is not compared.
                if mask.header.sizes()[dimension] not in (0, layout.shape[axis]):
                    raise IndexError(
                        f"boolean index did not match indexed array along axis {axis}; size of axis is "
                        f"{layout.shape[axis]} but size of corresponding boolean axis is "
                        f"{mask.header.sizes()[dimension]}"
                    )
                axis += 1
        elif part.kind & (INTEGER | SLICE | FANCY):
            axis += 1
        elif part.kind == ELLIPSIS:
            axis += part.start
    return 0
