"""The compiled bodies of the array manipulation chapter: bound slots to shape.pyx and back."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport (
    LETTER_C,
    LETTER_F,
    ORDER_C,
    ORDER_F,
    ORDER_K,
    assign_value,
    astype,
    copy_array,
    to_order,
)
from fastnp._core.converters cimport as_array
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body, new_quick_body_alone
from fastnp._core.dtype cimport ITEMSIZES, NUM_NUMPY_DTYPES, dtype_index, numpy_dtype
from fastnp._core.interchange cimport from_numpy, is_numpys
from fastnp._core.kernels cimport shape as kernels
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of, is_plain_array
from fastnp._core.kernels.existing_data cimport of_numbers, with_axes_in_front
from fastnp._core.kernels.quick_shape cimport (
    MANY,
    quick_astype,
    quick_broadcast_to,
    quick_conj,
    quick_copy,
    quick_copy_method,
    quick_deep_copy,
    quick_diagonal,
    quick_expand_dims,
    quick_flatten,
    quick_matrix_transpose,
    quick_moveaxis,
    quick_ndim_of,
    quick_ravel,
    quick_reshape_method,
    quick_reshape_to,
    quick_rollaxis,
    quick_shallow_copy,
    quick_shape_of,
    quick_size_of,
    quick_squeeze,
    quick_swapaxes,
    quick_transpose,
    quick_transpose_method,
    quick_view,
)
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    check_writeable,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    plain_view,
    set_tensor,
    shape_tuple,
    tensor_of,
    thread_is_plain,
)
from fastnp._core.libtorch.Tensor cimport TensorImpl
from fastnp._core.views cimport Layout, fill_layout, is_plain

import warnings

import numpy

cdef extern from "Python.h":
    PyObject* PyList_GET_ITEM(object, Py_ssize_t)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef int64_t FEW = <int64_t>1 << 24  # elements of views whose sizes need no second look

cdef object ALL = slice(None)
cdef object ORDER = "C"
cdef str UNSAFE = "unsafe"


cdef int copy_argument(object copy) except -2:
    if isinstance(copy, str):
        raise ValueError("strings are not allowed for 'copy' keyword. Use True/False/None instead.")
    return -1 if copy is None else 1 if copy else 0


cdef int order_argument(object order) except -1:
    return ORDER_C if order is None or (type(order) is str and order == "C") else to_order(order)


cdef object reshape_to(ndarray array, object spelling, object order, object copy):
    cdef int64_t shape[64]
    cdef int ndim
    cdef ndarray view
    if spelling is None:
        return kernels.view_as(array, None, None)
    if order is ORDER and copy is None:
        view = kernels.reshaped_by_torch(array, spelling)
        if view is not None:
            return view
    ndim = kernels.parse_shape(spelling, shape)
    return kernels.reshape(array, ndim, shape, order_argument(order), copy_argument(copy))


cdef ndarray quick_reshape(PyObject** slots, object spelling):
    """Return the view of an array in C order under a shape that fits it; None where more has to be looked at."""
    cdef int64_t shape[MANY]
    cdef int64_t strides[MANY]
    cdef int64_t count = 1
    cdef int axis, overflow = 0, ndim = 1
    cdef ndarray array
    if type(<object>slots[0]) is not ndarray or slots[2] != <PyObject*>ORDER or slots[3] != <PyObject*>None:
        return None
    array = <ndarray>slots[0]
    if array.flipped or not array.header.is_contiguous() or not is_plain(array):
        return None
    if type(spelling) is tuple:
        ndim = <int>len(<tuple>spelling)
    elif type(spelling) is not int:
        return None
    if ndim > MANY:
        return None
    for axis in range(ndim - 1, -1, -1):
        size = (<tuple>spelling)[axis] if type(spelling) is tuple else spelling
        if type(size) is not int:
            return None
        shape[axis] = PyLong_AsLongLongAndOverflow(size, &overflow)
        if overflow or not 0 < shape[axis] <= array.header.numel():
            return None
        strides[axis] = count
        count *= shape[axis]
        if count > array.header.numel():
            return None
    return plain_view(array, ndim, shape, strides, 0, 0) if count == array.header.numel() else None


# --- bodies -----------------------------------------------------------------------------------------------------------

cdef object reshape(PyObject** slots):
    quick = quick_reshape(slots, <object>slots[1])
    if quick is not None:
        return quick
    return reshape_to(as_array(<object>slots[0]), <object>slots[1], <object>slots[2], <object>slots[3])


cdef object reshape_method(PyObject** slots):
    shape = <tuple>slots[1]
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    if len(shape) == 1:
        shape = shape[0]
    quick = quick_reshape(slots, shape)
    if quick is not None:
        return quick
    return reshape_to(<ndarray>slots[0], shape, <object>slots[2], <object>slots[3])


cdef object ravel(PyObject** slots):
    cdef int64_t size, step = 1
    if type(<object>slots[0]) is ndarray and slots[1] == <PyObject*>ORDER and not (<ndarray>slots[0]).flipped and (
            (<ndarray>slots[0]).header.is_contiguous() and is_plain(<ndarray>slots[0])):
        size = (<ndarray>slots[0]).header.numel()
        return plain_view(<ndarray>slots[0], 1, &size, &step, 0, 0)
    return kernels.ravel(as_array(<object>slots[0]), order_argument(<object>slots[1]))


cdef object flatten(PyObject** slots):
    return kernels.flatten(<ndarray>slots[0], order_argument(<object>slots[1]))


cdef object transpose(PyObject** slots):
    return kernels.transpose(as_array(<object>slots[0]), <object>slots[1])


cdef object transpose_method(PyObject** slots):
    axes = <tuple>slots[1]
    if len(axes) == 0:
        axes = None
    elif len(axes) == 1:
        axes = axes[0]
    return kernels.transpose(<ndarray>slots[0], axes)


cdef object matrix_transpose(PyObject** slots):
    array = as_array(<object>slots[0])
    if array.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {array.ndim}")
    return kernels.swapaxes(array, -1, -2)


cdef object swapaxes(PyObject** slots):
    return kernels.swapaxes(as_array(<object>slots[0]), <object>slots[1], <object>slots[2])


cdef object moveaxis(PyObject** slots):
    return kernels.moveaxis(as_array(<object>slots[0]), <object>slots[1], <object>slots[2])


cdef object squeeze(PyObject** slots):
    axis = <object>slots[1]
    if axis is not None and type(axis) is not tuple and (type(axis) is bool or not hasattr(axis, "__index__")):
        raise TypeError("an integer is required for the axis")
    return kernels.squeeze(as_array(<object>slots[0]), axis)


cdef object expand_dims(PyObject** slots):
    return kernels.expand_dims(as_array(<object>slots[0]), <object>slots[1])


cdef object broadcast_to(PyObject** slots):
    cdef int64_t shape[64]
    cdef ndarray array = as_array(<object>slots[0])
    cdef int ndim = kernels.parse_shape(<object>slots[1], shape)
    cdef ndarray view = kernels.broadcast_to(array, ndim, shape)
    return view if <object>slots[2] or type(view) is ndarray else as_type(view, ndarray, None)


cdef object broadcast_arrays(PyObject** slots):
    """broadcast_arrays(*args, subok) of arrays of which one is not plain: NumPy's are writeable, with a warning."""
    cdef int64_t shape[64]
    cdef int64_t size
    cdef int axis, place, ndim = 0
    cdef bint plain = True, alike = True
    cdef ndarray array
    if type(<object>slots[0]) is not tuple:
        return NotImplemented
    for value in <tuple>slots[0]:
        if type(value) is not ndarray:
            return NotImplemented
        plain = plain and is_plain(<ndarray>value)
        ndim = max(ndim, <int>(<ndarray>value).header.dim())
    if plain:
        return NotImplemented
    for axis in range(ndim):
        shape[axis] = 1
    for value in <tuple>slots[0]:
        array = <ndarray>value
        for axis in range(<int>array.header.dim()):
            place = ndim - <int>array.header.dim() + axis
            size = array.header.sizes()[axis]
            if size != 1 and shape[place] != 1 and size != shape[place]:
                return NotImplemented
            alike = alike and (size == shape[place] or value is (<tuple>slots[0])[0])
            shape[place] = size if size != 1 else shape[place]
        alike = alike and array.header.dim() == ndim
    if alike:
        return <object>slots[0]
    return tuple([kernels.broadcast_to(<ndarray>value, ndim, shape) for value in <tuple>slots[0]])


cdef int fill_integers(PyObject* slot, int64_t* integers) noexcept:
    """Fill in a tuple or list of integers and return its length; -1 for all else."""
    cdef Py_ssize_t place, count
    if type(<object>slot) is tuple:
        count = len(<tuple>slot)
    elif type(<object>slot) is list:
        count = len(<list>slot)
    else:
        return -1
    if count > MAXDIMS:
        return -1
    for place in range(count):
        if not integer_of(PyTuple_GET_ITEM(<object>slot, place) if type(<object>slot) is tuple
                          else PyList_GET_ITEM(<object>slot, place), &integers[place]):
            return -1
    return <int>count


cdef object as_strided(PyObject** slots):
    """as_strided(x, shape, strides, subok, writeable)."""
    cdef int64_t shape[64]
    cdef int64_t strides[64]
    cdef int64_t step, count = 1
    cdef int axis, ndim
    cdef ndarray array
    if type(<object>slots[0]) is not ndarray or type(<object>slots[3]) is not bool or type(<object>slots[4]) is not bool:
        return NotImplemented
    array = <ndarray><object>slots[0]
    if array.scalar_:
        return NotImplemented
    ndim = fill_shape(array, shape) if slots[1] == <PyObject*>None else fill_integers(slots[1], shape)
    step = ITEMSIZES[dtype_of(array)]
    for axis in range(ndim - 1, -1, -1):
        if not 0 <= shape[axis] < FEW or count >= FEW:
            return NotImplemented
        strides[axis] = step * count
        count *= shape[axis]
    if slots[2] != <PyObject*>None:
        if fill_integers(slots[2], strides) != ndim:
            return NotImplemented
        for axis in range(ndim):
            if strides[axis] % step:
                return NotImplemented
    elif ndim < 0:
        return NotImplemented
    elif not is_c_contiguous(array):
        # NumPy: without strides they are those of the array, in C order alone where it is.
        if ndim != <int>array.header.dim():
            raise ValueError("mismatch in length of strides and shape")
        fill_strides(array, strides)
    return kernels.as_strided(array, ndim, shape, strides, <object>slots[4] is True)


cdef object diagonal(PyObject** slots):
    return kernels.diagonal(as_array(<object>slots[0]), <object>slots[1], <object>slots[2], <object>slots[3])


cdef object flip(PyObject** slots):
    array = as_array(<object>slots[0])
    axis = <object>slots[1]
    if isinstance(axis, (ndarray, numpy.ndarray)) and axis.ndim:
        axis = tuple(axis)
    flipped = kernels.flip(array, axis)
    # NumPy: indexed by an empty tuple, a 0-d array gives a scalar.
    return flipped if flipped.header.dim() else flipped[()]


cdef object flipud(PyObject** slots):
    array = as_array(<object>slots[0])
    if array.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return kernels.flip(array, 0)


cdef object fliplr(PyObject** slots):
    array = as_array(<object>slots[0])
    if array.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return kernels.flip(array, 1)


cdef object rollaxis(PyObject** slots):
    """rollaxis(a, axis, start)."""
    cdef ndarray array
    cdef int64_t start
    cdef int axis, ndim
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>slots[0]
    ndim = <int>array.header.dim()
    axis = axis_of(slots[1], ndim)
    if axis == NO_AXIS or not integer_of(slots[2], &start) or not -ndim <= start <= ndim:
        return NotImplemented
    start += ndim if start < 0 else 0
    return kernels.moveaxis(array, axis, start - (axis < start))


cdef object rot90(PyObject** slots):
    """rot90(m, k, axes)."""
    cdef ndarray array
    cdef int64_t quarters
    cdef int first, second, ndim
    if type(<object>slots[0]) is not ndarray or not integer_of(slots[1], &quarters) or (
            type(<object>slots[2]) is not tuple or len(<tuple>slots[2]) != 2):
        return NotImplemented
    array = <ndarray><object>slots[0]
    ndim = <int>array.header.dim()
    first = axis_of(PyTuple_GET_ITEM(<tuple>slots[2], 0), ndim)
    second = axis_of(PyTuple_GET_ITEM(<tuple>slots[2], 1), ndim)
    if first == NO_AXIS or second == NO_AXIS or first == second:
        return NotImplemented
    quarters &= 3
    if quarters == 0:
        return array[ALL]
    if quarters == 2:
        return kernels.flip(array, (first, second))
    if quarters == 1:
        return kernels.swapaxes(kernels.flip(array, second), first, second)
    return kernels.flip(kernels.swapaxes(array, first, second), second)


cdef object shape_of(PyObject** slots):
    """shape(a)."""
    return shape_tuple(<ndarray><object>slots[0]) if isinstance(<object>slots[0], ndarray) else NotImplemented


cdef object ndim_of(PyObject** slots):
    """ndim(a)."""
    return (<ndarray><object>slots[0]).header.dim() if isinstance(<object>slots[0], ndarray) else NotImplemented


cdef object size_of(PyObject** slots):
    """size(a, axis)."""
    if slots[1] != <PyObject*>None or not isinstance(<object>slots[0], ndarray):
        return NotImplemented
    return (<ndarray><object>slots[0]).header.checked_numel()


cdef object view_method(PyObject** slots):
    return kernels.view_as(<ndarray>slots[0], <object>slots[1], <object>slots[2])


cdef object copy(PyObject** slots):
    bool(<object>slots[2])  # as what is no truth says
    return copy_array(as_array(<object>slots[0]), to_order(<object>slots[1]))


cdef object copy_method(PyObject** slots):
    cdef ndarray array = <ndarray>slots[0]
    cdef ndarray copied = copy_array(array, to_order(<object>slots[1]))
    # NumPy: a scalar's copy is a scalar.
    if array.scalar_:
        copied.scalar_, copied.writeable_ = True, False
    return copied


cdef object astype_method(PyObject** slots):
    """astype(self, dtype, order, casting, subok, copy)."""
    cdef ndarray array = <ndarray>slots[0]
    cdef int dtype = dtype_index(<object>slots[1])
    cdef ndarray result
    if <object>slots[3] is not UNSAFE and <object>slots[3] != UNSAFE and not numpy.can_cast(
            numpy_dtype(dtype_of(array)), numpy_dtype(dtype), <object>slots[3]):
        raise TypeError(
            f"Cannot cast array data from {numpy_dtype(dtype_of(array))!r} to {numpy_dtype(dtype)!r} according to the "
            f"rule '{<object>slots[3]}'"
        )
    result = astype(array, dtype, to_order(<object>slots[2]), bool(<object>slots[5]))
    if result is not array and array.scalar_:
        result.scalar_, result.writeable_ = True, False
    return result


cdef object astype_function(PyObject** slots):
    """astype(x, dtype, copy, device)."""
    cdef ndarray array
    if not is_plain_array(slots[0]) or slots[1] == <PyObject*>None or slots[3] != <PyObject*>None or (
            type(<object>slots[2]) is not bool):
        return NotImplemented
    array = <ndarray><object>slots[0]
    return NotImplemented if array.scalar_ else astype(array, dtype_index(<object>slots[1]), ORDER_K, <object>slots[2] is True)


cdef object fill_method(PyObject** slots):
    cdef ndarray array = <ndarray>slots[0]
    if array.scalar_:
        array = copy_array(array, ORDER_K)  # NumPy: a copy of the value is filled, and nobody sees it
    check_writeable(array, "assignment destination")
    value = <object>slots[1]
    if (type(value) is list or type(value) is tuple) and dtype_of(array) < NUM_NUMPY_DTYPES:
        # NumPy: an element is set, to which a list is what its dtype makes of it, not a row of values.
        filled = numpy.empty((), numpy_dtype(dtype_of(array)))
        filled.fill(value)
        value = filled.item()
    assign_value(array, value)
    return None


cdef object contiguous_body(PyObject** slots, bint fortran):
    """ascontiguousarray(a, dtype, like), asfortranarray(a, dtype, like)."""
    cdef ndarray array
    cdef int dtype
    if slots[2] != <PyObject*>None:
        return NotImplemented
    if type(<object>slots[0]) is ndarray:
        array = <ndarray>slots[0]
        dtype = dtype_of(array) if slots[1] == <PyObject*>None else dtype_index(<object>slots[1])
        if array.header.is_plain() and not array.scalar_ and array.header.dim() > 0 and (
                dtype == dtype_of(array) or max(dtype, dtype_of(array)) < NUM_NUMPY_DTYPES):
            if dtype == dtype_of(array) and (is_f_contiguous(array) if fortran else is_c_contiguous(array)):
                return array
            if thread_is_plain():
                return astype(array, dtype, ORDER_F if fortran else ORDER_C, True)
    elif thread_is_plain() and not is_numpys(<object>slots[0]):  # whose memory is shared
        result = of_numbers(<object>slots[0], <object>slots[1], ORDER_F if fortran else ORDER_C)
        if result is NotImplemented or (<ndarray>result).header.dim():
            return result
        return with_axes_in_front(<ndarray>result, 1, fortran)
    return NotImplemented


cdef object ascontiguousarray_body(PyObject** slots):
    return contiguous_body(slots, False)


cdef object quick_contiguous(PyObject* const* args, Py_ssize_t count, bint fortran):
    """ascontiguousarray(a), asfortranarray(a) of an array that is, or of a line or matrix that is not."""
    cdef PyObject* copied[2]
    cdef ndarray array
    if count != 1 or function_mode_enabled():
        return NotImplemented
    if type(<object>args[0]) is ndarray:
        array = <ndarray><object>args[0]
    elif is_numpys(<object>args[0]) and thread_is_plain():
        array = from_numpy(<object>args[0])
    else:
        return NotImplemented
    if not array.header.is_plain() or array.header.dim() == 0:
        return NotImplemented
    if is_f_contiguous(array) if fortran else is_c_contiguous(array):
        return array
    copied[0], copied[1] = <PyObject*>array, <PyObject*>(LETTER_F if fortran else LETTER_C)
    return quick_copy_method(copied, 2)


cdef object quick_ascontiguousarray(PyObject* const* args, Py_ssize_t count):
    return quick_contiguous(args, count, False)


cdef object quick_asfortranarray(PyObject* const* args, Py_ssize_t count):
    return quick_contiguous(args, count, True)


cdef object asfortranarray_body(PyObject** slots):
    return contiguous_body(slots, True)


def set_strides(ndarray array not None, value):
    """Change the steps between elements in place, within the memory that the array's elements are in."""
    cdef int64_t shape[64]
    cdef int64_t strides[64]
    cdef int axis, ndim = fill_shape(array, shape)
    cdef int64_t first, last, itemsize = ITEMSIZES[dtype_of(array)]
    cdef TensorImpl* memory
    cdef ndarray view
    warnings.warn(
        "Setting the strides on a NumPy array has been deprecated in NumPy 2.4.\n"
        "As an alternative, you can create a new view using np.lib.stride_tricks.as_strided.",
        DeprecationWarning, stacklevel=2)
    if kernels.parse_shape(value, strides) != ndim:
        raise ValueError(f"strides must be  same length as shape ({ndim})")
    first = last = first_byte(array)
    for axis in range(ndim):
        if strides[axis] < 0:
            first += (shape[axis] - 1) * strides[axis]
        else:
            last += (shape[axis] - 1) * strides[axis]
    memory = tensor_of(array).unsafeGetTensorImpl()
    if memory.numel() and (first < 0 or last + itemsize > memory.unsafe_storage().nbytes()):
        raise ValueError("strides is not compatible with available memory")
    view = kernels.as_strided(array, ndim, shape, strides, True)
    set_tensor(array, tensor_of(view)[0])
    array.flipped = view.flipped


cdef int64_t first_byte(ndarray array) except -1:
    """Return where element (0, ..., 0) is in the storage."""
    cdef Layout layout
    fill_layout(array, &layout)
    return (tensor_of(array).storage_offset() + layout.offset) * ITEMSIZES[dtype_of(array)]


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {
    "ascontiguousarray": new_quick_body(quick_ascontiguousarray, ascontiguousarray_body),
    "as_strided": new_compiled_body(as_strided),
    "asfortranarray": new_quick_body(quick_asfortranarray, asfortranarray_body),
    "astype": new_quick_body(quick_astype, astype_function),
    "astype_method": new_quick_body(quick_astype, astype_method),
    "broadcast_arrays": new_compiled_body(broadcast_arrays),
    "broadcast_to": new_quick_body(quick_broadcast_to, broadcast_to),
    "conj_method": new_quick_body_alone(quick_conj),
    "copy": new_quick_body(quick_copy, copy),
    "copy_method": new_quick_body(quick_copy_method, copy_method),
    "deep_copy": new_quick_body_alone(quick_deep_copy),
    "diagonal": new_quick_body(quick_diagonal, diagonal),
    "expand_dims": new_quick_body(quick_expand_dims, expand_dims),
    "fill_method": new_compiled_body(fill_method),
    "flatten_method": new_quick_body(quick_flatten, flatten),
    "flip": new_compiled_body(flip),
    "fliplr": new_compiled_body(fliplr),
    "flipud": new_compiled_body(flipud),
    "matrix_transpose": new_quick_body(quick_matrix_transpose, matrix_transpose),
    "moveaxis": new_quick_body(quick_moveaxis, moveaxis),
    "ndim": new_quick_body(quick_ndim_of, ndim_of),
    "ravel": new_quick_body(quick_ravel, ravel),
    "reshape": new_quick_body(quick_reshape_to, reshape),
    "reshape_method": new_quick_body(quick_reshape_method, reshape_method),
    "rollaxis": new_quick_body(quick_rollaxis, rollaxis),
    "rot90": new_compiled_body(rot90),
    "shallow_copy": new_quick_body_alone(quick_shallow_copy),
    "shape": new_quick_body(quick_shape_of, shape_of),
    "size": new_quick_body(quick_size_of, size_of),
    "squeeze": new_quick_body(quick_squeeze, squeeze),
    "swapaxes": new_quick_body(quick_swapaxes, swapaxes),
    "transpose": new_quick_body(quick_transpose, transpose),
    "transpose_method": new_quick_body(quick_transpose_method, transpose_method),
    "view_method": new_quick_body(quick_view, view_method),
}
