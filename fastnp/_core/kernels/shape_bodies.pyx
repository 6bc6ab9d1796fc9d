"""The compiled bodies of the array manipulation chapter: bound slots to shape.pyx and back."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_C, assign_value, astype, copy_array, to_order
from fastnp._core.converters cimport as_array
from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body
from fastnp._core.dtype cimport BOOL, COMPLEX64, FLOAT16, ITEMSIZES, NUM_NUMPY_DTYPES, dtype_index, numpy_dtype
from fastnp._core.engine cimport clear_float_flags, raised_float_flags
from fastnp._core.kernels cimport shape as kernels
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of
from fastnp._core.ndarray cimport (
    as_type,
    check_writeable,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    ndarray,
    new_array,
    plain_view,
    set_tensor,
    shape_tuple,
    tensor_of,
    transposed,
)
from fastnp._core.libtorch.Tensor cimport TensorImpl
from fastnp._core.views cimport Layout, fill_layout, is_plain

import warnings

import numpy


cdef enum:
    MANY = 8      # dimensions
    SMALL = 8192  # bytes that are copied without a look at anything else

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided)(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef extern from *:
    """
    static inline PyObject** PyTuple_ITEMS(PyObject* tuple) { return &PyTuple_GET_ITEM(tuple, 0); }
    """
    PyObject** PyTuple_ITEMS(object)

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1

cdef object ORDER = "C"
cdef str UNSAFE = "unsafe"


cdef int copy_argument(object copy) except -2:
    return -1 if copy is None else 1 if copy else 0


cdef int order_argument(object order) except -1:
    return ORDER_C if order == "C" else to_order(order)


cdef object reshape_to(ndarray array, object spelling, object order, object copy):
    cdef int64_t shape[64]
    cdef int ndim
    if spelling is None:
        return kernels.view_as(array, None, None)
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


# --- views of arrays in the plainest of calls: no keyword, nothing listens ------------------------------------------------

cdef inline ndarray plain_self(PyObject* argument):
    """Return the argument as an array that is one of the class itself to which nothing listens; None for all else."""
    if type(<object>argument) is ndarray and is_plain(<ndarray><object>argument):
        return <ndarray><object>argument
    return None


cdef inline bint in_one_piece(ndarray array) noexcept:
    return not array.flipped and array.header.is_contiguous()


cdef object quick_ravel(PyObject* const* args, Py_ssize_t count):
    """a.ravel(), ravel(a)."""
    cdef int64_t size, step = 1
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    if array is None or not in_one_piece(array):
        return NotImplemented
    size = array.header.numel()
    return plain_view(array, 1, &size, &step, 0, 0)


cdef object reshaped(ndarray array, PyObject* const* sizes, Py_ssize_t count):
    """Return the view of an array in one piece under a shape, one size of which may be -1; NotImplemented for all else."""
    cdef int64_t shape[MANY]
    cdef int64_t strides[MANY]
    cdef int64_t step = 1, known = 1, total = array.header.numel()
    cdef int axis, unknown = -1, overflow = 0
    if count > MANY or total == 0 or not in_one_piece(array):
        return NotImplemented
    for axis in range(<int>count):
        if type(<object>sizes[axis]) is not int:
            return NotImplemented
        shape[axis] = PyLong_AsLongLongAndOverflow(<object>sizes[axis], &overflow)
        if overflow or shape[axis] == 0 or shape[axis] > total:
            return NotImplemented
        if shape[axis] < 0:
            if unknown >= 0:
                return NotImplemented
            unknown = axis
        else:
            known *= shape[axis]
            if known > total:
                return NotImplemented
    if unknown >= 0:
        if total % known:
            return NotImplemented
        shape[unknown] = total // known
    elif known != total:
        return NotImplemented
    for axis in range(<int>count - 1, -1, -1):
        strides[axis] = step
        step *= shape[axis]
    return plain_view(array, <int>count, shape, strides, 0, 0)


cdef object quick_reshape_to(PyObject* const* args, Py_ssize_t count):
    """reshape(a, shape)."""
    cdef ndarray array = plain_self(args[0]) if count == 2 else None
    if array is None:
        return NotImplemented
    if type(<object>args[1]) is tuple:
        return reshaped(array, PyTuple_ITEMS(<object>args[1]), len(<tuple><object>args[1]))
    return reshaped(array, args + 1, 1)


cdef object quick_reshape_method(PyObject* const* args, Py_ssize_t count):
    """a.reshape(shape), a.reshape(*shape)."""
    cdef ndarray array
    if count == 2:
        return quick_reshape_to(args, count)
    array = plain_self(args[0]) if count > 2 else None
    return NotImplemented if array is None else reshaped(array, args + 1, count - 1)


cdef object permuted(ndarray array, PyObject* const* axes, Py_ssize_t count):
    """Return the view with its axes in another order; NotImplemented where that is not one int to each of them."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int place, axis, ndim = array.header.dim()
    cdef uint64_t flipped = 0, seen = 0
    if count != ndim or ndim > MANY:
        return NotImplemented
    for place in range(ndim):
        axis = axis_of(axes[place], ndim)
        if axis == NO_AXIS or seen >> axis & 1:
            return NotImplemented
        seen |= <uint64_t>1 << axis
        sizes[place], strides[place] = array.header.sizes()[axis], array.header.strides()[axis]
        flipped |= (array.flipped >> axis & 1) << place
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_transpose(PyObject* const* args, Py_ssize_t count):
    """transpose(a), transpose(a, axes), a.transpose(), a.transpose(axes)."""
    cdef ndarray array = plain_self(args[0])
    if array is None:
        return NotImplemented
    if count == 1:
        return transposed(array)
    if count == 2 and type(<object>args[1]) is tuple:
        return permuted(array, PyTuple_ITEMS(<object>args[1]), len(<tuple><object>args[1]))
    return NotImplemented


cdef object quick_transpose_method(PyObject* const* args, Py_ssize_t count):
    """a.transpose(*axes) besides."""
    cdef ndarray array
    if count < 3:
        return quick_transpose(args, count)
    array = plain_self(args[0])
    return NotImplemented if array is None else permuted(array, args + 1, count - 1)


cdef object quick_squeeze(PyObject* const* args, Py_ssize_t count):
    """a.squeeze(), squeeze(a), and along one axis."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef const int64_t* shape
    cdef int axis, chosen = NO_AXIS, ndim, kept = 0
    cdef uint64_t flipped = 0
    cdef ndarray array
    if type(<object>args[0]) is not ndarray or count > 2 or not (<ndarray><object>args[0]).header.is_plain():
        return NotImplemented
    array = <ndarray><object>args[0]
    ndim = array.header.dim()
    if ndim > MANY or ndim == 0 or function_mode_enabled():
        return NotImplemented
    shape = array.header.sizes()
    if count == 2:
        chosen = axis_of(args[1], ndim)
        if chosen == NO_AXIS or shape[chosen] != 1:
            return NotImplemented
    for axis in range(ndim):
        if axis != chosen if count == 2 else shape[axis] != 1:
            sizes[kept] = shape[axis]
            strides[kept] = array.header.strides()[axis]
            flipped |= (array.flipped >> axis & 1) << kept
            kept += 1
    # NumPy: the array itself where there is nothing to squeeze.
    if kept == ndim:
        return array
    return plain_view(array, kept, sizes, strides, 0, flipped) if is_plain(array) else NotImplemented


cdef object quick_view(PyObject* const* args, Py_ssize_t count):
    """a.view()."""
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    if array is None:
        return NotImplemented
    return plain_view(array, array.header.dim(), array.header.sizes(), array.header.strides(), 0, array.flipped)


cdef object quick_flatten(PyObject* const* args, Py_ssize_t count):
    """a.flatten() of an array in one piece."""
    cdef ndarray copied, array = plain_self(args[0]) if count == 1 else None
    cdef int64_t size
    if array is None or array.scalar_ or not in_one_piece(array):
        return NotImplemented
    size = array.header.numel()
    if size * ITEMSIZES[dtype_of(array)] > SMALL:
        return NotImplemented
    copied = new_array(dtype_of(array), 1, &size)
    memcpy(copied.header.origin(), array.header.origin(), size * ITEMSIZES[dtype_of(array)])
    return copied


cdef object quick_conj(PyObject* const* args, Py_ssize_t count):
    """a.conj() of real numbers: the array itself, as in NumPy."""
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    return NotImplemented if array is None or dtype_of(array) >= COMPLEX64 or array.scalar_ else array


cdef object conj(PyObject** slots):
    """conj(self, out)."""
    return NotImplemented


cdef object quick_swapaxes(PyObject* const* args, Py_ssize_t count):
    """a.swapaxes(i, j), swapaxes(a, i, j)."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int axis, origin, first, second, ndim
    cdef uint64_t flipped = 0
    cdef ndarray array = plain_self(args[0]) if count == 3 else None
    if array is None:
        return NotImplemented
    ndim = array.header.dim()
    first, second = axis_of(args[1], ndim), axis_of(args[2], ndim)
    if ndim > MANY or first == NO_AXIS or second == NO_AXIS:
        return NotImplemented
    for axis in range(ndim):
        origin = second if axis == first else first if axis == second else axis
        sizes[axis] = array.header.sizes()[origin]
        strides[axis] = array.header.strides()[origin]
        flipped |= (array.flipped >> origin & 1) << axis
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_diagonal(PyObject* const* args, Py_ssize_t count):
    """a.diagonal(), diagonal(a, k) of two dimensions that run forwards."""
    cdef int64_t distance = 0, rows, columns, length, step
    cdef ndarray view, array = plain_self(args[0]) if count <= 2 else None
    if array is None or array.flipped or array.header.dim() != 2 or count == 2 and not integer_of(args[1], &distance):
        return NotImplemented
    rows, columns = array.header.sizes()[0], array.header.sizes()[1]
    if not -rows < distance < columns:
        return NotImplemented
    step = array.header.strides()[0] + array.header.strides()[1]
    if distance >= 0:
        length = min(rows, columns - distance)
        view = plain_view(array, 1, &length, &step, distance * array.header.strides()[1], 0)
    else:
        length = min(rows + distance, columns)
        view = plain_view(array, 1, &length, &step, -distance * array.header.strides()[0], 0)
    view.writeable_ = False
    return view


cdef object quick_expand_dims(PyObject* const* args, Py_ssize_t count):
    """expand_dims(a, axis)."""
    cdef int64_t sizes[MANY + 1]
    cdef int64_t strides[MANY + 1]
    cdef int axis, place, origin = 0, ndim
    cdef uint64_t flipped = 0
    cdef ndarray array = plain_self(args[0]) if count == 2 else None
    if array is None:
        return NotImplemented
    ndim = array.header.dim() + 1
    axis = axis_of(args[1], ndim)
    if axis == NO_AXIS or ndim > MANY:
        return NotImplemented
    for place in range(ndim):
        if place == axis:
            sizes[place], strides[place] = 1, 0
        else:
            sizes[place], strides[place] = array.header.sizes()[origin], array.header.strides()[origin]
            flipped |= (array.flipped >> origin & 1) << place
            origin += 1
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_copy(PyObject* const* args, Py_ssize_t count):
    """a.copy(), copy(a) of an array in one piece."""
    cdef ndarray copied, array = plain_self(args[0]) if count == 1 else None
    cdef int64_t bytes
    if array is None or array.scalar_ or not in_one_piece(array):
        return NotImplemented
    bytes = array.header.numel() * ITEMSIZES[dtype_of(array)]
    if bytes > SMALL:
        return NotImplemented
    copied = new_array(dtype_of(array), array.header.dim(), array.header.sizes())
    memcpy(copied.header.origin(), array.header.origin(), bytes)
    return copied


cdef object quick_copy_method(PyObject* const* args, Py_ssize_t count):
    """a.copy(), of transposed matrices as well: in C order."""
    cdef ndarray copied, array
    cdef int64_t rows, columns, row, column, itemsize
    cdef int64_t strides[2]
    cdef const char* data
    cdef char* into
    copied_at_once = quick_copy(args, count)
    if copied_at_once is not NotImplemented or count != 1:
        return copied_at_once
    array = plain_self(args[0])
    if array is None or array.header.dim() != 2 or array.header.numel() * ITEMSIZES[dtype_of(array)] > SMALL:
        return NotImplemented
    itemsize = ITEMSIZES[dtype_of(array)]
    rows, columns = array.header.sizes()[0], array.header.sizes()[1]
    fill_strides(array, strides)
    copied = new_array(dtype_of(array), 2, array.header.sizes())
    data, into = data_of(array), copied.header.origin()
    if itemsize == 8:
        for row in range(rows):
            for column in range(columns):
                (<int64_t*>into)[0] = (<int64_t*>(data + row * strides[0] + column * strides[1]))[0]
                into += 8
    else:
        for row in range(rows):
            for column in range(columns):
                memcpy(into, data + row * strides[0] + column * strides[1], itemsize)
                into += itemsize
    return copied


cdef object quick_astype(PyObject* const* args, Py_ssize_t count):
    """a.astype(dtype) of an array in one piece."""
    cdef ndarray result, array = plain_self(args[0]) if count == 2 else None
    cdef int source, dtype
    if array is None or array.scalar_ or not in_one_piece(array) or array.header.numel() * 16 > SMALL:
        return NotImplemented
    dtype = dtype_index(<object>args[1])
    source = dtype_of(array)
    if dtype >= NUM_NUMPY_DTYPES or source >= NUM_NUMPY_DTYPES or may_warn(dtype, source):
        return NotImplemented
    result = new_array(dtype, array.header.dim(), array.header.sizes())
    clear_float_flags(False)
    find_cast(dtype, source)(
        result.header.origin(), ITEMSIZES[dtype], array.header.origin(), ITEMSIZES[source], array.header.numel())
    # What is invalid or overflows is reported by the general way, in NumPy's words.
    return NotImplemented if raised_float_flags(False) else result


cdef inline bint may_warn(int dtype, int source) noexcept:
    """Whether a cast drops the imaginary part, or may raise flags outside of the processor's own register."""
    return source >= COMPLEX64 and dtype < COMPLEX64 and dtype != BOOL or dtype == FLOAT16 or source == FLOAT16


cdef object quick_shape_of(PyObject* const* args, Py_ssize_t count):
    """shape(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return shape_tuple(<ndarray><object>args[0])
    return NotImplemented


cdef object quick_ndim_of(PyObject* const* args, Py_ssize_t count):
    """ndim(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return (<ndarray><object>args[0]).header.dim()
    return NotImplemented


cdef object quick_size_of(PyObject* const* args, Py_ssize_t count):
    """size(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return (<ndarray><object>args[0]).header.checked_numel()
    return NotImplemented


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
    return kernels.squeeze(as_array(<object>slots[0]), <object>slots[1])


cdef object expand_dims(PyObject** slots):
    return kernels.expand_dims(as_array(<object>slots[0]), <object>slots[1])


cdef object broadcast_to(PyObject** slots):
    cdef int64_t shape[64]
    cdef ndarray array = as_array(<object>slots[0])
    cdef int ndim = kernels.parse_shape(<object>slots[1], shape)
    cdef ndarray view = kernels.broadcast_to(array, ndim, shape)
    return view if <object>slots[2] or type(view) is ndarray else as_type(view, ndarray, None)


cdef object diagonal(PyObject** slots):
    return kernels.diagonal(as_array(<object>slots[0]), <object>slots[1], <object>slots[2], <object>slots[3])


cdef object flip(PyObject** slots):
    array = as_array(<object>slots[0])
    flipped = kernels.flip(array, <object>slots[1])
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


cdef object real(PyObject** slots):
    return kernels.real(as_array(<object>slots[0]))


cdef object imag(PyObject** slots):
    return kernels.imag(as_array(<object>slots[0]))


cdef object view_method(PyObject** slots):
    return kernels.view_as(<ndarray>slots[0], <object>slots[1], <object>slots[2])


cdef object copy(PyObject** slots):
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


cdef object left_to_torch(PyObject** slots):
    return NotImplemented


cdef object fill_method(PyObject** slots):
    cdef ndarray array = <ndarray>slots[0]
    check_writeable(array, "assignment destination")
    assign_value(array, <object>slots[1])
    return None


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


def real_part(ndarray array not None):
    """Return the real parts: a view for complex arrays, else the array; of a scalar a scalar."""
    return part_of(array, kernels.real(array))


def imaginary_part(ndarray array not None):
    """Return the imaginary parts: a view for complex arrays, else read-only zeros; of a scalar a scalar."""
    return part_of(array, kernels.imag(array))


cdef ndarray part_of(ndarray array, ndarray part):
    if array.scalar_ and part is not array:
        part.scalar_, part.writeable_, part.base_ = True, False, None
    return part


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {
    "astype": new_quick_body(quick_astype, left_to_torch),
    "astype_method": new_quick_body(quick_astype, astype_method),
    "broadcast_to": new_compiled_body(broadcast_to),
    "conj_method": new_quick_body(quick_conj, conj),
    "copy": new_quick_body(quick_copy, copy),
    "copy_method": new_quick_body(quick_copy_method, copy_method),
    "diagonal": new_quick_body(quick_diagonal, diagonal),
    "expand_dims": new_quick_body(quick_expand_dims, expand_dims),
    "fill_method": new_compiled_body(fill_method),
    "flatten_method": new_quick_body(quick_flatten, flatten),
    "flip": new_compiled_body(flip),
    "fliplr": new_compiled_body(fliplr),
    "flipud": new_compiled_body(flipud),
    "imag": new_compiled_body(imag),
    "matrix_transpose": new_compiled_body(matrix_transpose),
    "moveaxis": new_compiled_body(moveaxis),
    "ndim": new_quick_body(quick_ndim_of, ndim_of),
    "ravel": new_quick_body(quick_ravel, ravel),
    "real": new_compiled_body(real),
    "reshape": new_quick_body(quick_reshape_to, reshape),
    "reshape_method": new_quick_body(quick_reshape_method, reshape_method),
    "shape": new_quick_body(quick_shape_of, shape_of),
    "size": new_quick_body(quick_size_of, size_of),
    "squeeze": new_quick_body(quick_squeeze, squeeze),
    "swapaxes": new_quick_body(quick_swapaxes, swapaxes),
    "transpose": new_quick_body(quick_transpose, transpose),
    "transpose_method": new_quick_body(quick_transpose_method, transpose_method),
    "view_method": new_quick_body(quick_view, view_method),
}
