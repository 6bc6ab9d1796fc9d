"""Arrays joined and chosen from: concatenate, stack and their relatives, where.

Plain arrays are copied here, others go to one call of torch. Each body declines, by NotImplemented, what is not common:
other dtypes, other layouts, errors.
"""
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

from fastnp._core.assign cimport ORDER_K, astype, is_stretched
from fastnp._core.aten cimport join_direct, where_direct, where_number_direct
from fastnp._core.converters cimport as_array
from fastnp._core.direct_calls cimport chosen_directly, joined_directly, tensors_joined_directly
from fastnp._core.dispatcher cimport Body, new_quick_body
from fastnp._core.dtype cimport (
    BOOL,
    FLOAT16,
    FLOAT64,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    default_float,
    default_int,
    dtype_index,
)
from fastnp._core.engine cimport (
    RELEASE_FROM,
    ElementwiseCall,
    Loop,
    LoopFunction,
    Operand,
    Order,
    Status,
    copy_block,
    interleave_items,
)
from fastnp._core.kernels.joined_copies cimport joined_by_copies
from fastnp._core.kernels.searching cimport nonzero
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, new_result, store_weak, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_array,
    nothing_listens_to_scalars,
    plain_view,
    thread_is_plain,
)
from fastnp._core.sequences cimport is_sequence, with_arrays
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.ufunc_torch cimport (
    as_loop_operand,
    as_operand,
    cast_operand,
    fill_operand as fill_tensor,
    has_elementwise_kernels,
    has_kernels,
    is_general,
)

import numpy
import torch

cdef extern from "Python.h":
    PyObject** PySequence_Fast_ITEMS(object)

cdef extern from "where.h" namespace "fastnp" nogil:
    LoopFunction find_where(int64_t itemsize)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()
    bint subclass_hooks_disabled()

cdef enum:
    MANY = 64

cdef object ZERO = 0
cdef object CAT = torch.cat
cdef object STACK = torch.stack
cdef object WHERE = torch.where

# Arrays of one dtype are joined by any rule of casting, but NumPy says which words are rules.
cdef str SAME_KIND = "same_kind"


cdef inline bint is_same_kind(PyObject* casting) except -1:
    return casting == <PyObject*>SAME_KIND or type(<object>casting) is str and <object>casting == SAME_KIND

# Its promotion is that of `where`: the dtype that holds either.
cdef LoopTable MAXIMUM = table_of(numpy.maximum)


# --- joining ----------------------------------------------------------------------------------------------------------

cdef struct Pieces:
    int count, dtype, ndim
    const char* data[MANY]
    int64_t shape[MANY][MAXDIMS]


cdef bint gather(object arrays, Pieces* pieces) noexcept:
    """Describe arrays in C order of one dtype and number of dimensions; False where they are not that."""
    cdef int number
    cdef ndarray array
    kind = type(arrays)
    if kind is not list and kind is not tuple or not 0 < len(arrays) <= MANY:
        return False
    pieces.count = <int>len(arrays)
    for number in range(pieces.count):
        member = (<list>arrays)[number] if kind is list else (<tuple>arrays)[number]
        if type(member) is not ndarray:
            return False
        array = <ndarray>member
        if not array.header.is_plain() or not is_c_contiguous(array):
            return False
        if number == 0:
            pieces.dtype, pieces.ndim = dtype_of(array), array.header.dim()
        elif dtype_of(array) != pieces.dtype or array.header.dim() != pieces.ndim:
            return False
        fill_shape(array, pieces.shape[number])
        pieces.data[number] = data_of(array)
    return thread_is_plain()


cdef bint same_but_for(Pieces* pieces, int axis) noexcept:
    """Whether all shapes agree, but for one axis (none: -1)."""
    cdef int number, place
    for number in range(1, pieces.count):
        for place in range(pieces.ndim):
            if place != axis and pieces.shape[number][place] != pieces.shape[0][place]:
                return False
    return True


cdef int canonical(object axis, int ndim) noexcept:
    """Return an axis counted from the front; -1 where it is none."""
    cdef int overflow = 0
    cdef int64_t given
    if not PyLong_CheckExact(axis):
        return -1
    given = PyLong_AsLongLongAndOverflow(axis, &overflow)
    if overflow or not -ndim <= given < ndim:
        return -1
    return <int>(given + ndim if given < 0 else given)


cdef ndarray interleaved(Pieces* pieces, int split, int ndim, const int64_t* shape):
    """Return the array that has a run of each piece in turn: what follows the axes before `split`."""
    cdef ndarray result = new_array(pieces.dtype, ndim, shape)
    cdef char* into = data_of(result)
    cdef int64_t runs[MANY]
    cdef int64_t outer = 1, total = 0
    cdef int number, axis
    for axis in range(split):
        outer *= pieces.shape[0][axis]
    for number in range(pieces.count):
        runs[number] = ITEMSIZES[pieces.dtype]
        for axis in range(split, pieces.ndim):
            runs[number] *= pieces.shape[number][axis]
        total += runs[number]
    if outer * total >= RELEASE_FROM * 8:
        with nogil:
            copy_runs(into, pieces, runs, outer, ITEMSIZES[pieces.dtype])
    else:
        copy_runs(into, pieces, runs, outer, ITEMSIZES[pieces.dtype])
    return result


cdef int copy_runs(char* into, Pieces* pieces, const int64_t* runs, int64_t outer, int64_t item) except -1 nogil:
    cdef int64_t turn
    cdef int number
    cdef bint single = True
    for number in range(pieces.count):
        single = single and runs[number] == item
    if single and outer > 1:
        interleave_items(item, into, pieces.data, pieces.count, outer)
        return 0
    if outer == 1:
        for number in range(pieces.count):
            copy_block(into, pieces.data[number], runs[number])
            into += runs[number]
        return 0
    for turn in range(outer):
        for number in range(pieces.count):
            memcpy(into, pieces.data[number] + turn * runs[number], runs[number])
            into += runs[number]
    return 0


cdef object joined_many(object arrays, object along, bint stacked):
    """Join more arrays than Pieces describes, along an axis that they have, or stack them along a new one."""
    cdef vector[const char*] data
    cdef vector[int64_t] runs
    cdef int64_t shape[MAXDIMS + 1]
    cdef const int64_t* sizes
    cdef int64_t outer = 1, total = 0, run, turn
    cdef size_t number
    cdef int axis, place, ndim, dtype
    cdef ndarray array, result
    cdef char* into
    cdef tuple members
    if type(arrays) is not list and type(arrays) is not tuple or len(arrays) <= MANY or not thread_is_plain():
        return NotImplemented
    members = tuple(arrays)
    if type(members[0]) is not ndarray:
        return NotImplemented
    array = <ndarray>members[0]
    dtype, ndim = dtype_of(array), array.header.dim()
    axis = canonical(along, ndim + stacked)
    if axis < 0 or ndim == MAXDIMS:
        return NotImplemented
    fill_shape(array, shape)
    for place in range(axis):
        outer *= shape[place]
    for member in members:
        if type(member) is not ndarray:
            return NotImplemented
        array = <ndarray>member
        if dtype_of(array) != dtype or array.header.dim() != ndim or not array.header.is_plain() or not is_c_contiguous(array):
            return NotImplemented
        sizes = array.header.sizes()
        run = ITEMSIZES[dtype]
        for place in range(ndim):
            if sizes[place] != shape[place] and (stacked or place != axis):
                return NotImplemented
            if place >= axis:
                run *= sizes[place]
        data.push_back(data_of(array))
        runs.push_back(run)
        total += run
    if stacked:
        for place in range(ndim, axis, -1):
            shape[place] = shape[place - 1]
        shape[axis] = <int64_t>data.size()
    else:
        shape[axis] = 0
        for member in members:
            shape[axis] += (<ndarray>member).header.sizes()[axis]
    result = new_array(dtype, ndim + stacked, shape)
    into = data_of(result)
    with nogil:
        for turn in range(outer):
            for number in range(data.size()):
                memcpy(into, data[number] + turn * runs[number], runs[number])
                into += runs[number]
    return result


cdef object joined(Pieces* pieces, int axis):
    """Return the pieces joined along an axis they have."""
    cdef int64_t shape[MAXDIMS]
    cdef int number, place
    if axis < 0 or not same_but_for(pieces, axis):
        return NotImplemented
    for place in range(pieces.ndim):
        shape[place] = pieces.shape[0][place]
    for number in range(1, pieces.count):
        shape[axis] += pieces.shape[number][axis]
    return interleaved(pieces, axis, pieces.ndim, shape)


cdef enum Join:
    JOINED, STACKED, VERTICALLY, HORIZONTALLY

# So many axes what is joined has at least.
cdef int[4] LEAST_AXES = [0, 0, 2, 1]


cdef object with_axes(object arrays, int least):
    """Return a list or tuple as plain arrays of so many axes or more, its numbers and sequences too; or as it is."""
    cdef int64_t sizes[2]
    cdef int64_t strides[2]
    cdef Py_ssize_t place
    cdef ndarray array
    cdef list members = with_arrays(arrays) if is_sequence(arrays) else None
    if members is None:
        return arrays
    for place in range(len(members)):
        array = as_array(members[place])
        if not array.header.is_plain():
            return arrays
        if array.header.dim() < least:
            # NumPy: new axes come before the one there is.
            sizes[0], strides[0] = 1, array.header.numel()
            sizes[least - 1] = array.header.numel()
            strides[least - 1] = array.header.strides()[0] if array.header.dim() else 1
            array = plain_view(array, least, sizes, strides, 0, array.flipped << (least - 1) if array.header.dim() else 0)
        members[place] = array
    return members


cdef int place_of(Join way, object along, int ndim, bint* stacked) except -2:
    """Return the axis of a join counted from the front, and whether it is a new one; -1 where NumPy has to say it."""
    stacked[0] = way == STACKED or way == VERTICALLY and ndim == 1
    return 0 if way == VERTICALLY else min(ndim - 1, 1) if way == HORIZONTALLY else canonical(along, ndim + stacked[0])


cdef object joined_at_once(Join way, object arrays, object along):
    """Join arrays of the class itself, not all plain, or tensors by one call of ATen's operator; None for all else."""
    cdef PyObject* first = PySequence_Fast_ITEMS(arrays)[0]
    cdef bint stacked = False, ours = type(<object>first) is ndarray
    cdef int ndim = (<ndarray>first).header.dim() if ours else <int>unwrap(<object>first).dim()
    cdef int axis = place_of(way, along, ndim, &stacked)
    if axis < 0 or ndim == 0 and way != STACKED:
        return None
    return joined_directly(stacked, arrays, axis) if ours else tensors_joined_directly(stacked, arrays, axis)


cdef object joined_otherwise(Join way, object arrays, object along, object asked=None):
    """Join what is not plain by torch; plain arrays of other layouts, of two dtypes, or beside numbers and sequences here.

    `asked` is the dtype that the result is to have; None where that is the one that holds them all.
    """
    cdef int dtype = -1
    result = NotImplemented
    if asked is not None:
        try:
            dtype = dtype_index(asked)
        except (TypeError, ValueError):
            return NotImplemented  # NumPy: what is wrong with the arrays comes first
    if dtype >= NUM_NUMPY_DTYPES:
        return NotImplemented
    if asked is None and (type(arrays) is list or type(arrays) is tuple):
        for value in arrays:
            if is_general(value, None):
                result = joined_by_torch(way, arrays, along)
                break
    if result is NotImplemented:
        result = joined_in_any_layout(way, arrays, along, dtype)
    if result is NotImplemented and is_sequence(arrays):
        result = joined_in_any_layout(way, with_axes(arrays, LEAST_AXES[<int>way]), along, dtype)
    return result


cdef object joined_in_any_layout(Join way, object arrays, object along, int dtype):
    """Join plain arrays of other layouts or of two dtypes, or as a dtype that is asked for, if it is not -1."""
    cdef int axis, ndim
    cdef bint stacked = False
    if type(arrays) is not list and type(arrays) is not tuple or len(arrays) == 0 or type(arrays[0]) is not ndarray or (
            not thread_is_plain()):
        return NotImplemented
    ndim = (<ndarray>arrays[0]).header.dim()
    axis = place_of(way, along, ndim, &stacked)
    if axis < 0 or ndim == 0 or ndim == MAXDIMS:
        return NotImplemented
    return joined_by_copies(tuple(arrays), stacked, axis, dtype)


cdef list tensors_of(object arrays, int* ndim):
    """Return the tensors of arrays of one dtype and number of dimensions; None for all else."""
    cdef Py_ssize_t place, count
    cdef PyObject** items
    cdef int kind, dims, first_kind = 0, seen = 0
    cdef list tensors = []
    items, count = PySequence_Fast_ITEMS(arrays), len(arrays)
    for place in range(count):
        value = <object>items[place]
        tensor = as_operand(value, &kind, &seen)
        if tensor is None or not has_kernels(kind):
            return None
        dims = (<ndarray>value).header.dim() if isinstance(value, ndarray) else <int>unwrap(tensor).dim()
        if place == 0:
            first_kind, ndim[0] = kind, dims
        elif kind != first_kind or dims != ndim[0]:
            return None
        tensors.append(tensor)
    return tensors


cdef bint fill_tensors(object arrays, int* ndim, vector[Tensor]* tensors) except -1:
    """Fill the tensors that are joined, as `tensors_of` finds them; False for what torch's functions have to read."""
    cdef int kind, first_kind = 0, seen = 0
    cdef Tensor tensor
    for value in arrays:
        if not fill_tensor(value, &tensor, &kind, &seen) or not has_kernels(kind):
            return False
        if tensors.size() == 0:
            first_kind, ndim[0] = kind, <int>tensor.dim()
        elif kind != first_kind or tensor.dim() != ndim[0]:
            return False
        tensors.push_back(tensor)
    return True


cdef object joined_by_torch(Join way, object arrays, object axis):
    """Join a list or tuple of arrays, not all plain, by one call of torch; NotImplemented where NumPy has more to say."""
    cdef vector[Tensor] tensors
    cdef int ndim = 0, place
    cdef bint stacked = False, direct = fill_tensors(arrays, &ndim, &tensors)
    cdef list objects = None if direct else tensors_of(arrays, &ndim)
    if not direct and objects is None or ndim == 0 and (way == VERTICALLY or way == HORIZONTALLY):
        return NotImplemented
    place = place_of(way, axis, ndim, &stacked)
    if place < 0:
        return NotImplemented
    try:
        if direct:
            return from_tensor(join_direct(stacked, tensors, place))
        return from_tensor(unwrap((STACK if stacked else CAT)(objects, place)))
    except (IndexError, RuntimeError):  # NumPy has errors of its own
        return NotImplemented


cdef object concatenate(PyObject** slots):
    """concatenate(arrays, axis, out, dtype, casting)."""
    cdef Pieces pieces
    if slots[2] != <PyObject*>None or not is_same_kind(slots[4]):
        return NotImplemented
    if slots[3] != <PyObject*>None:
        return joined_otherwise(JOINED, <object>slots[0], <object>slots[1], <object>slots[3])
    if not gather(<object>slots[0], &pieces):
        many = joined_many(<object>slots[0], <object>slots[1], False)
        if many is not NotImplemented:
            return many
        return joined_otherwise(JOINED, <object>slots[0], <object>slots[1])
    return joined(&pieces, canonical(<object>slots[1], pieces.ndim))


cdef inline bint are_arrays(object items) noexcept:
    """Whether a list or tuple holds arrays of the class itself alone."""
    cdef Py_ssize_t place
    if type(items) is tuple:
        for place in range(len(<tuple>items)):
            if type((<tuple>items)[place]) is not ndarray:
                return False
        return len(<tuple>items) > 0
    if type(items) is not list:
        return False
    for place in range(len(<list>items)):
        if type((<list>items)[place]) is not ndarray:
            return False
    return len(<list>items) > 0


cdef inline bint begins_with_tensor(object items) noexcept:
    return (type(items) is tuple or type(items) is list) and len(items) > 0 and is_tensor(
        <object>PySequence_Fast_ITEMS(items)[0])


cdef object quick_join(Join way, Body body, PyObject* const* args, Py_ssize_t count, Py_ssize_t most):
    """Call a body whose parameters are arrays, an axis if `most` is two, and others that are not given."""
    cdef PyObject* slots[5]
    cdef bint ours = are_arrays(<object>args[0])
    if count > most or not ours and not (begins_with_tensor(<object>args[0]) and subclass_hooks_disabled()) or (
            function_mode_enabled()):
        return NotImplemented
    slots[0] = args[0]
    slots[1] = args[1] if count == 2 else <PyObject*>ZERO if most == 2 else <PyObject*>None
    if not ours or not (<ndarray>PySequence_Fast_ITEMS(<object>args[0])[0]).header.is_plain() or (
            not nothing_listens_to_scalars()):
        result = joined_at_once(way, <object>args[0], <object>slots[1])
        if result is not None or not ours:
            return NotImplemented if result is None else result
    slots[2] = <PyObject*>None if most == 2 else <PyObject*>SAME_KIND
    slots[3], slots[4] = <PyObject*>None, <PyObject*>SAME_KIND
    return body(slots)


cdef object quick_concatenate(PyObject* const* args, Py_ssize_t count):
    return quick_join(JOINED, concatenate, args, count, 2)


cdef object quick_stack(PyObject* const* args, Py_ssize_t count):
    return quick_join(STACKED, stack, args, count, 2)


cdef object quick_vstack(PyObject* const* args, Py_ssize_t count):
    return quick_join(VERTICALLY, vstack, args, count, 1)


cdef object quick_hstack(PyObject* const* args, Py_ssize_t count):
    return quick_join(HORIZONTALLY, hstack, args, count, 1)


cdef object quick_where(PyObject* const* args, Py_ssize_t count):
    cdef int place
    if count != 3 or function_mode_enabled() or type(<object>args[0]) is not ndarray:
        return NotImplemented
    for place in range(1, 3):
        value = <object>args[place]
        if type(value) is not ndarray and not PyFloat_CheckExact(value) and not PyLong_CheckExact(value):
            return NotImplemented
    return where(<PyObject**>args)


cdef object stack(PyObject** slots):
    """stack(arrays, axis, out, dtype, casting)."""
    cdef Pieces pieces
    cdef int64_t shape[MAXDIMS + 1]
    cdef int axis, place
    if slots[2] != <PyObject*>None or not is_same_kind(slots[4]):
        return NotImplemented
    if slots[3] != <PyObject*>None:
        return joined_otherwise(STACKED, <object>slots[0], <object>slots[1], <object>slots[3])
    if not gather(<object>slots[0], &pieces):
        many = joined_many(<object>slots[0], <object>slots[1], True)
        if many is not NotImplemented:
            return many
        return joined_otherwise(STACKED, <object>slots[0], <object>slots[1])
    axis = canonical(<object>slots[1], pieces.ndim + 1)
    if axis < 0 or pieces.ndim == MAXDIMS or not same_but_for(&pieces, -1):
        return NotImplemented
    for place in range(pieces.ndim):
        shape[place + (place >= axis)] = pieces.shape[0][place]
    shape[axis] = pieces.count
    return interleaved(&pieces, axis, pieces.ndim + 1, shape)


cdef object vstack(PyObject** slots):
    """vstack(tup, dtype, casting)."""
    cdef Pieces pieces
    cdef int number
    if not is_same_kind(slots[2]):
        return NotImplemented
    if slots[1] != <PyObject*>None or not gather(<object>slots[0], &pieces):
        return joined_otherwise(VERTICALLY, <object>slots[0], None, <object>slots[1])
    if pieces.ndim == 0:
        return NotImplemented
    if pieces.ndim == 1:
        pieces.ndim = 2
        for number in range(pieces.count):
            pieces.shape[number][1] = pieces.shape[number][0]
            pieces.shape[number][0] = 1
    return joined(&pieces, 0)


cdef object hstack(PyObject** slots):
    """hstack(tup, dtype, casting)."""
    cdef Pieces pieces
    if not is_same_kind(slots[2]):
        return NotImplemented
    if slots[1] != <PyObject*>None or not gather(<object>slots[0], &pieces):
        return joined_otherwise(HORIZONTALLY, <object>slots[0], None, <object>slots[1])
    if pieces.ndim == 0:
        return NotImplemented
    return joined(&pieces, 0 if pieces.ndim == 1 else 1)


# --- where ------------------------------------------------------------------------------------------------------------

cdef int choice_kind(object value) noexcept:
    """Return the kind of a value to choose, as LoopTable.find takes it; -1 for what is not plain."""
    cdef int dtype
    if type(value) is ndarray:
        dtype = dtype_of(<ndarray>value)
        return dtype if (<ndarray>value).header.is_plain() and dtype < NUM_NUMPY_DTYPES else -1
    if PyFloat_CheckExact(value):
        return WEAK_FLOAT
    return WEAK_INT if PyLong_CheckExact(value) else -1


cdef bint fill_choice(object value, int dtype, Operand* operand, char* weak) except -1:
    if type(value) is ndarray:
        fill_operand(operand, <ndarray>value)
        return True
    operand.data, operand.type, operand.ndim = weak, dtype, 0
    return store_weak(weak, dtype, value)


cdef object chosen_at_once(object condition, object x, object y):
    """Return what `chosen_by_torch` does by ATen's operator; None for what torch's functions have to read."""
    cdef char item[16]
    cdef int kind, first_kind, second_kind, ignored = 0, seen = 0
    cdef bint first_is_number
    cdef Tensor mask, first, second
    cdef Tensor* tensor
    cdef Resolution* entry
    if not fill_tensor(condition, &mask, &kind, &ignored) or kind != BOOL or (
            not fill_tensor(x, &first, &first_kind, &seen)) or not fill_tensor(y, &second, &second_kind, &seen):
        return None
    if not seen or not (0 <= first_kind <= WEAK_COMPLEX and 0 <= second_kind <= WEAK_COMPLEX):
        return None
    entry = MAXIMUM.find(first_kind, second_kind)
    if entry.state < 1 or not has_elementwise_kernels(entry.types[2]):
        return None
    try:
        if (first_kind >= WEAK_INT or second_kind >= WEAK_INT) and entry.types[2] != FLOAT16:
            first_is_number = first_kind >= WEAK_INT
            number = x if first_is_number else y
            tensor = &second if first_is_number else &first
            kind = second_kind if first_is_number else first_kind
            if not store_weak(item, entry.types[2], number) or not cast_operand(
                    None, tensor, kind, entry.types[2], False) or not where_number_direct(
                    mask, tensor[0], number, first_is_number, &mask):
                return None
            return from_tensor(mask)
        if not cast_operand(x, &first, first_kind, entry.types[2], False) or (
                not cast_operand(y, &second, second_kind, entry.types[2], False)):
            return None
        return from_tensor(where_direct(mask, first, second))
    except RuntimeError:  # of shapes: NumPy has another error
        return NotImplemented


cdef object chosen_by_torch(object condition, object x, object y):
    """Return where(condition, x, y) by one call of torch, and a cast where promotion asks for one."""
    cdef int kind, first_kind, second_kind, ignored = 0, seen = 0
    cdef Resolution* entry
    cdef object first, second, kept
    result = chosen_directly(condition, x, y)
    if result is not None:
        return result
    if not is_general(x, y) and not is_general(condition, None):
        return NotImplemented
    result = chosen_at_once(condition, x, y)
    if result is not None:
        return result
    condition = as_operand(condition, &kind, &ignored)
    if condition is None or kind != BOOL:
        return NotImplemented
    kept = first = as_operand(x, &first_kind, &seen)
    second = as_operand(y, &second_kind, &seen)
    if first is None or second is None or not seen or not (
            0 <= first_kind <= WEAK_COMPLEX and 0 <= second_kind <= WEAK_COMPLEX):
        return NotImplemented
    entry = MAXIMUM.find(first_kind, second_kind)
    if entry.state < 1 or not has_elementwise_kernels(entry.types[2]):
        return NotImplemented
    first = as_loop_operand(first, first_kind, entry.types[2], True, second)
    second = as_loop_operand(second, second_kind, entry.types[2], True, kept)
    if first is None or second is None:
        return NotImplemented
    try:
        return from_tensor(unwrap(WHERE(condition, first, second)))
    except RuntimeError:  # of shapes: NumPy has another error
        return NotImplemented


cdef object where(PyObject** slots):
    """where(condition, x, y)."""
    cdef ElementwiseCall call
    cdef Operand operands[3]
    cdef Operand* pointers[4]
    cdef int types[4]
    cdef char weak[2][16]
    cdef int64_t strides[MAXDIMS]
    cdef int first, second, place, dtype
    cdef Resolution* entry
    cdef Loop loop
    cdef ndarray condition, result
    if slots[1] == <PyObject*>None and slots[2] == <PyObject*>None:
        return nonzero(slots) if type(<object>slots[0]) is ndarray and thread_is_plain() else NotImplemented
    if type(<object>slots[0]) is not ndarray or not thread_is_plain() or dtype_of(<ndarray>slots[0]) >= NUM_NUMPY_DTYPES or not (
            (<ndarray>slots[0]).header.is_plain()):
        return chosen_by_torch(<object>slots[0], <object>slots[1], <object>slots[2])
    first, second = choice_kind(<object>slots[1]), choice_kind(<object>slots[2])
    if first < 0 or second < 0:
        return chosen_by_torch(<object>slots[0], <object>slots[1], <object>slots[2])
    if first >= WEAK_INT and second >= WEAK_INT:
        # Python's numbers alone have the dtypes of arrays made of them.
        if default_float() != FLOAT64 or default_int() != INT64:
            return NotImplemented
        dtype = INT64 if first == WEAK_INT and second == WEAK_INT else FLOAT64
    else:
        entry = MAXIMUM.find(first, second)
        if entry.state != 1:
            return NotImplemented
        dtype = entry.types[2]
    types[0], types[1], types[2], types[3] = BOOL, dtype, dtype, dtype
    condition = <ndarray>slots[0]
    if dtype_of(condition) != BOOL and not is_stretched(condition):
        condition = astype(condition, BOOL, ORDER_K, True)
    fill_operand(&operands[0], condition)
    if not fill_choice(<object>slots[1], types[3], &operands[1], weak[0]) or not fill_choice(
            <object>slots[2], types[3], &operands[2], weak[1]):
        return NotImplemented
    for place in range(3):
        pointers[place] = &operands[place]
    pointers[3] = NULL
    if call.prepare(3, 1, pointers, NULL, types, Order.kKeep) != Status.kOk:
        return NotImplemented
    call.result_strides(0, strides)
    result = new_result(types[3], call.ndim, call.shape, strides)
    call.bind(0, data_of(result), strides)
    loop.function = find_where(ITEMSIZES[types[3]])
    loop.data = NULL
    call.splits = True
    call.run(loop, False)
    return result


#: Name of the function to its body.
BODIES = {
    "concatenate": new_quick_body(quick_concatenate, concatenate),
    "hstack": new_quick_body(quick_hstack, hstack),
    "stack": new_quick_body(quick_stack, stack),
    "vstack": new_quick_body(quick_vstack, vstack),
    "where": new_quick_body(quick_where, where),
}
