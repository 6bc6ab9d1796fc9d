"""Creation of plain arrays from a shape or a value: empty, zeros, ones, full, and their likes.

Each body declines, by NotImplemented, whatever is not common: NumPy then computes it for plain threads, torch's
factories for the others.
"""
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport LETTER_C, LETTER_K, assign, new_like, to_order
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    BOOL,
    FLOAT64,
    INT8,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT64,
    default_float,
    default_int,
    dtype_index,
    is_in_range,
)
from fastnp._core.engine cimport RELEASE_FROM
from fastnp._core.kernels.arguments cimport is_plain_array
from fastnp._core.loops cimport store_weak
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_array,
    new_zeros,
    thread_is_plain,
    to_torch,
)
from fastnp._core.numpy_scalars cimport value_of
from fastnp._core.torch_tensor cimport unwrap
from fastnp._core.single_calls cimport EMPTY_LIKE, ONES_LIKE, ZEROS_LIKE, filled_single, like_single
from fastnp._core.ufunc_torch cimport has_kernels, is_general

import torch

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)
    PyObject** PySequence_Fast_ITEMS(object)
    Py_ssize_t PySequence_Fast_GET_SIZE(object)

cdef extern from "moves.h" namespace "fastnp" nogil:
    void fill_items(int64_t item, char* data, const char* value, int64_t count)

cdef extern from "fills.h" namespace "fastnp" nogil:
    void fill_block(int64_t item, char* data, const char* value, int64_t count) except +

cdef double MODERATE = 1e15


cdef bint read_size(object size, int64_t* length) except -1:
    """Whether a size is an int of 64 bits, or a scalar of int64, and which."""
    cdef int overflow = 0
    cdef const char* value
    if type(size) is int:
        length[0] = PyLong_AsLongLongAndOverflow(size, &overflow)
        return not overflow
    value = value_of(size, INT64)
    if value is not NULL:
        memcpy(length, value, 8)
    return value is not NULL


cdef int fill_sizes(object shape, int64_t* sizes) except -2:
    """Read a shape; -1 where it is not an int or a tuple or list of ints."""
    cdef Py_ssize_t axis, ndim
    kind = type(shape)
    if kind is not tuple and kind is not list:
        return 1 if read_size(shape, sizes) else -1
    ndim = PySequence_Fast_GET_SIZE(shape)
    if ndim > MAXDIMS:
        return -1
    for axis in range(ndim):
        if not read_size(<object>PySequence_Fast_ITEMS(shape)[axis], sizes + axis):
            return -1
    return <int>ndim


cdef object HOST = torch.device("cpu")
cdef type Device = torch.device


cdef bint is_host(object device) except -1:
    """Whether a device is the memory of the host, where all is made in a plain thread."""
    return device is None or type(device) is str and device == "cpu" or type(device) is Device and device == HOST


cdef inline bint is_plain_call(object order, object device, object like) except -1:
    """The same, in either order of axes."""
    return is_common(order, device, like) or (type(order) is str and order == "F" and is_common(None, device, like))


cdef inline object in_order(object made, PyObject* order):
    """Return a new array, whose elements are all alike, with its first axis innermost where `order` says so."""
    return made if order == <PyObject*>LETTER_C else reordered(made, <object>order)


cdef object reordered(object made, object order):
    cdef ndarray array
    cdef int64_t[MAXDIMS] sizes, steps
    cdef int64_t step = 1
    cdef int axis, ndim
    if made is NotImplemented or order is None or order == "C":
        return made
    array = <ndarray>made
    ndim = array.header.dim()
    for axis in range(ndim):
        sizes[axis], steps[axis] = array.header.sizes()[axis], step
        step *= max(sizes[axis], 1)
    if ndim > 1:
        array.header.set_layout(dtype_of(array), ndim, sizes, steps)
    return array


cdef int fill(ndarray array, const char* item) except -1:
    """Write one item everywhere."""
    cdef int64_t count = array.header.numel(), size = ITEMSIZES[dtype_of(array)]
    cdef char* data = data_of(array)
    if count < RELEASE_FROM:
        fill_items(size, data, item, count)
    else:
        with nogil:
            fill_block(size, data, item, count)
    return 0


cdef object empty_body(PyObject** slots):
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim
    if not is_plain_call(<object>slots[2], <object>slots[3], <object>slots[4]):
        return NotImplemented
    ndim = fill_sizes(<object>slots[0], sizes)
    return NotImplemented if ndim < 0 else in_order(new_array(dtype_index(<object>slots[1]), ndim, sizes), slots[2])


cdef object zeros_body(PyObject** slots):
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim
    if not is_plain_call(<object>slots[2], <object>slots[3], <object>slots[4]):
        return NotImplemented
    ndim = fill_sizes(<object>slots[0], sizes)
    return NotImplemented if ndim < 0 else in_order(new_zeros(dtype_index(<object>slots[1]), ndim, sizes), slots[2])


cdef object ones_body(PyObject** slots):
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim, dtype
    if not is_plain_call(<object>slots[2], <object>slots[3], <object>slots[4]):
        return NotImplemented
    ndim = fill_sizes(<object>slots[0], sizes)
    dtype = dtype_index(<object>slots[1])
    return NotImplemented if ndim < 0 else in_order(filled(dtype, ndim, sizes, 1), slots[2])


cdef object full_body(PyObject** slots):
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim, dtype
    if not is_plain_call(<object>slots[3], <object>slots[4], <object>slots[5]):
        return NotImplemented
    value = <object>slots[1]
    if type(value) is ndarray and is_letter(slots[3], LETTER_C):
        ndim = fill_sizes(<object>slots[0], sizes)
        dtype = dtype_of(<ndarray>value) if slots[2] == <PyObject*>None else dtype_index(<object>slots[2])
        return full_of_array(dtype, ndim, sizes, <ndarray>value)
    if <object>slots[2] is not None:
        dtype = dtype_index(<object>slots[2])
    elif type(value) is float:
        dtype = default_float()
    elif type(value) is int:
        dtype = default_int()
    elif type(value) is bool:
        dtype = BOOL
    else:
        return NotImplemented
    ndim = fill_sizes(<object>slots[0], sizes)
    return NotImplemented if ndim < 0 else in_order(filled(dtype, ndim, sizes, value), slots[3])


cdef object full_of_array(int dtype, int ndim, const int64_t* sizes, ndarray value):
    """Return a new array in C order, all of a plain array broadcast into it."""
    if ndim < 0 or not value.header.is_plain() or dtype >= NUM_NUMPY_DTYPES or dtype_of(value) >= NUM_NUMPY_DTYPES:
        return NotImplemented
    cdef ndarray result = new_array(dtype, ndim, sizes)
    if value.header.dim() == 0 and dtype_of(value) == dtype:
        fill(result, data_of(value))
    else:
        assign(result, value)
    return result


cdef object filled(int dtype, int ndim, const int64_t* sizes, object value):
    """Return an array full of a Python number; NotImplemented where the pair of types is not a common one."""
    cdef ndarray array
    cdef char item[16]
    cdef int overflow = 0
    cdef int64_t integer = 0
    kind = type(value)
    if kind is int:
        integer = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            return NotImplemented
    elif kind is bool:
        integer = value is True
    elif kind is not float:
        return NotImplemented
    if dtype == FLOAT64:
        (<double*>item)[0] = PyFloat_AS_DOUBLE(value) if kind is float else <double>integer
    elif dtype == INT64 and kind is not float:
        (<int64_t*>item)[0] = integer
    elif dtype == BOOL and kind is not float:
        item[0] = integer != 0
    elif kind is float and INT8 <= dtype <= UINT64:
        # NumPy: cut off towards zero; what is out of range is its own.
        if not -MODERATE < PyFloat_AS_DOUBLE(value) < MODERATE:
            return NotImplemented
        integer = <int64_t>PyFloat_AS_DOUBLE(value)
        if not is_in_range(dtype, integer) or not store_weak(item, dtype, integer):
            return NotImplemented
    elif dtype >= NUM_NUMPY_DTYPES or not store_weak(item, dtype, value):
        return NotImplemented
    array = new_array(dtype, ndim, sizes)
    fill(array, item)
    return array


# --- like another array -----------------------------------------------------------------------------------------------

cdef inline int shape_like(
        PyObject** slots, int order, int shape, int device, int64_t* asked, const int64_t** sizes) except -2:
    """Say the shape, the array's or what is asked for, that is wanted in C order; -1 where more than that is."""
    cdef ndarray array
    if type(<object>slots[0]) is not ndarray or type(<object>slots[order + 1]) is not bool:
        return -1
    array = <ndarray>slots[0]
    if not is_host(<object>slots[device]) or not is_letter(slots[order], LETTER_K) or not thread_is_plain():
        return -1
    if not array.header.is_plain() or array.header.dim() != 1 and not is_c_contiguous(array):
        return -1
    if slots[shape] == <PyObject*>None:
        sizes[0] = array.header.sizes()
        return array.header.dim()
    sizes[0] = asked
    return fill_sizes(<object>slots[shape], asked)


cdef object like_by_torch(object function, int likeness, PyObject** slots, int order, int shape, int device):
    """Return an array like one that is not plain, of its own dtype and shape, by one call of torch."""
    cdef ndarray array, result
    if type(<object>slots[0]) is not ndarray or slots[shape] != <PyObject*>None or slots[device] != <PyObject*>None or (
            not is_letter(slots[order], LETTER_K) or slots[order - 1] != <PyObject*>None):
        return NotImplemented
    array = <ndarray>slots[0]
    if not is_general(array, None) or not has_kernels(dtype_of(array)) or array.flipped or not is_c_contiguous(array):
        return NotImplemented
    if order == 3:
        result = filled_single(array, <object>slots[1])
        return NotImplemented if result is None else result
    result = like_single(likeness, array)
    return from_tensor(unwrap(function(to_torch(array)))) if result is None else result


cdef int dtype_like(PyObject* slot, ndarray array) except -1:
    """Return the dtype that is asked for, or the array's."""
    return dtype_of(array) if slot == <PyObject*>None else dtype_index(<object>slot)


cdef ndarray like_turned(PyObject** slots, int first):
    """Return an uninitialised array like one that is not in C order, or in an order asked for; None for what is not plain.

    From `first` on, the slots are dtype, order, subok, shape and device."""
    cdef ndarray array
    cdef int dtype
    if not is_plain_array(slots[0]) or slots[first + 3] != <PyObject*>None or (
            not is_host(<object>slots[first + 4]) or type(<object>slots[first + 2]) is not bool):
        return None
    array, dtype = <ndarray>slots[0], dtype_like(slots[first], <ndarray>slots[0])
    return None if dtype >= NUM_NUMPY_DTYPES else new_like(array, dtype, to_order(<object>slots[first + 1]))


cdef inline object like_other(PyObject** slots, int likeness):
    """Return an array like another that is empty, or of zeros or ones, as the likeness says."""
    cdef char[16] one
    cdef int64_t asked[MAXDIMS]
    cdef const int64_t* sizes = NULL
    cdef ndarray turned
    cdef int dtype, ndim = shape_like(slots, 2, 4, 5, asked, &sizes)
    if ndim < 0:
        turned = like_turned(slots, 1)
        if turned is not None:
            if likeness != EMPTY_LIKE:
                store_weak(one, dtype_of(turned), 1 if likeness == ONES_LIKE else 0)
                fill(turned, one)
            return turned
        function = torch.empty_like if likeness == EMPTY_LIKE else (
            torch.zeros_like if likeness == ZEROS_LIKE else torch.ones_like)
        return like_by_torch(function, likeness, slots, 2, 4, 5)
    dtype = dtype_like(slots[1], <ndarray>slots[0])
    if likeness == EMPTY_LIKE:
        return new_array(dtype, ndim, sizes)
    return new_zeros(dtype, ndim, sizes) if likeness == ZEROS_LIKE else filled(dtype, ndim, sizes, 1)


cdef object empty_like_body(PyObject** slots):
    return like_other(slots, EMPTY_LIKE)


cdef object zeros_like_body(PyObject** slots):
    return like_other(slots, ZEROS_LIKE)


cdef object ones_like_body(PyObject** slots):
    return like_other(slots, ONES_LIKE)


cdef object full_like_body(PyObject** slots):
    cdef int64_t asked[MAXDIMS]
    cdef const int64_t* sizes = NULL
    cdef int ndim = shape_like(slots, 3, 5, 6, asked, &sizes)
    cdef ndarray turned = like_turned(slots, 2) if ndim < 0 else None
    if ndim < 0 and turned is None:
        return like_by_torch(None, ZEROS_LIKE, slots, 3, 5, 6)
    if turned is not None:
        if is_plain_array(slots[1]):
            assign(turned, <ndarray>slots[1])
            return turned
        # One element first: whether the value fits is the same question.
        ndim = 0
    if is_plain_array(slots[1]):
        result = full_of_array(dtype_like(slots[2], <ndarray>slots[0]), ndim, sizes, <ndarray>slots[1])
    else:
        result = filled(dtype_like(slots[2], <ndarray>slots[0]), ndim, sizes, <object>slots[1])
    if turned is None or result is NotImplemented:
        return result
    fill(turned, (<ndarray>result).header.origin())
    return turned


#: Name of the function to its body.
BODIES = {
    "empty": new_compiled_body(empty_body),
    "empty_like": new_compiled_body(empty_like_body),
    "full": new_compiled_body(full_body),
    "full_like": new_compiled_body(full_like_body),
    "ones": new_compiled_body(ones_body),
    "ones_like": new_compiled_body(ones_like_body),
    "zeros": new_compiled_body(zeros_body),
    "zeros_like": new_compiled_body(zeros_like_body),
}
