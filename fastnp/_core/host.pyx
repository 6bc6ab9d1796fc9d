"""NumPy's own function as the kernel of a call on plain CPU arrays.

No call here is a fallback: a function that has a host kernel has a body on torch as well, for everything that is not
plain. Arguments go as views on the same memory; what comes back is wrapped once, and a view of an argument's memory
keeps that array as its base.
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.dtype cimport (
    FLOAT64,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    default_float,
    default_int,
    dtype_index,
    index_of_numpy,
    index_of_type_number,
    numpy_dtype,
)
from fastnp._core.interchange cimport NOT_NUMPYS, from_numpy, readable, to_numpy
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    from_tensor,
    ndarray,
    new_array,
    new_scalar,
    plain_view_as,
    set_tensor,
    set_text_slot,
    tensor_is_plain,
    tensor_of,
    thread_is_plain,
    wrapped,
)
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.normalization cimport MAXSLOTS
from fastnp._core.sequences cimport check_depth
from fastnp._core.torch_tensor cimport is_tensor, unwrap

import numpy
import torch

cnp.import_array()

cdef extern from "Python.h":
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)
    Py_ssize_t Py_REFCNT(object)

cdef extern from *:
    """
    static size_t fastnp_owners(const at::Tensor& tensor) { return tensor.use_count(); }
    """
    size_t owners "fastnp_owners"(const Tensor&)

cdef extern from *:
    """
    static PyObject* fastnp_scalar(void* data, PyObject* dtype) {
      return PyArray_Scalar(data, (PyArray_Descr*)dtype, NULL);
    }
    """
    object numpy_scalar "fastnp_scalar"(void* data, object dtype)

# Up to this size a copy into recycled memory is cheaper than an owner for NumPy's.
cdef int64_t SMALL = 1024

cdef object TORCH_DTYPE = torch.dtype
cdef object TORCH_DEVICE = torch.device


cdef object METHOD = type(numpy.ndarray.copy)


cdef object call_host(
    object theirs, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject* out, int written
):
    try:
        return call_with(theirs, args, nargs, kwnames, out, written, False)
    except ValueError as error:
        if str(error) != NOT_NUMPYS:
            raise
    # The `__array__` of a foreign object gave an array of ours: NumPy gets it as its own.
    return call_with(theirs, args, nargs, kwnames, out, written, True)


cdef object call_with(object theirs, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject* out,
                      int written, bint reading):
    cdef PyObject* values[MAXSLOTS]
    cdef Py_ssize_t index, count = nargs, converted = 0
    cdef list given = []
    if kwnames is not NULL:
        count += PyTuple_GET_SIZE(kwnames)
    if count > MAXSLOTS or not thread_is_plain() or default_float() != FLOAT64 or default_int() != INT64:
        return NotImplemented
    try:
        for index in range(count):
            value = host_argument(<object>args[index], given, reading)
            if value is NotImplemented:
                return NotImplemented
            Py_INCREF(value)
            values[index] = <PyObject*>value
            converted += 1
        if nargs and type(theirs) is METHOD and isinstance(<object>values[0], numpy.generic):
            # NumPy's scalars have their own method of the name.
            theirs = getattr(numpy.generic, theirs.__name__)
        result = PyObject_Vectorcall(theirs, values, nargs, kwnames)
        if written >= 0 and written < nargs:
            mark_written(<object>args[written])
        if result is None or <PyObject*>result == out:
            return result
        if type(result) is cnp.ndarray:
            for index in range(count):
                if <PyObject*>result == values[index]:
                    return argument_again(<object>args[index], result)
            return take_back(result, given)
        for index in range(count):
            if values[index] != args[index]:
                given.append(<object>values[index])
                given.append(<object>args[index])
        return take_back(result, given)
    finally:
        for index in range(converted):
            Py_DECREF(<object>values[index])


cdef object argument_again(object argument, object value):
    """Return an argument that came back from NumPy: `out`, or one that needed no copy."""
    if argument is value:
        return from_numpy(value)
    mark_written(argument)
    return argument


cdef object host_argument(object value, list given, bint reading, int depth=0):
    """Return an argument as NumPy gets it; NotImplemented where it is not plain. What is made for it is in `given`.

    `reading` puts a reader in the place of each foreign object that has `__array__`.
    """
    cdef ndarray array
    kind = type(value)
    if kind is ndarray or isinstance(value, ndarray):
        array = value
    elif value is None or kind is int or kind is float or kind is str or kind is bool:
        return value
    elif kind is cnp.ndarray:
        return value
    elif kind is list or kind is tuple:
        return host_sequence(value, given, reading, depth)
    elif kind is TORCH_DTYPE:
        return numpy.dtype(str(value).removeprefix("torch."))
    elif kind is TORCH_DEVICE:
        return NotImplemented
    elif is_tensor(value):
        if not tensor_is_plain(unwrap(value)):
            return NotImplemented
        array = from_tensor(unwrap(value))
    else:
        return readable(value) if reading else value
    if not array.header.is_plain() or dtype_of(array) >= NUM_NUMPY_DTYPES:
        return NotImplemented
    if array.scalar_:
        return numpy_scalar(data_of(array), numpy_dtype(dtype_of(array)))
    return to_numpy(array)


cdef object host_sequence(object sequence, list given, bint reading, int depth):
    cdef list changed = None
    cdef Py_ssize_t index = 0
    check_depth(depth)
    for item in sequence:
        kind = type(item)
        if kind is not float and kind is not int:
            theirs = host_argument(item, given, reading, depth + 1)
            if theirs is NotImplemented:
                return NotImplemented
            if theirs is not item:
                if changed is None:
                    changed = list(sequence)
                changed[index] = theirs
                given.append(theirs)
                given.append(item)
        index += 1
    if changed is None:
        return sequence
    return changed if type(sequence) is list else tuple(changed)


cdef int mark_written(object value) except -1:
    """Count a write in the tensor's version, as ATen's in-place operations do."""
    if isinstance(value, ndarray):
        (<ndarray>value).header.bump_version()
    elif is_tensor(value):
        unwrap(value).unsafeGetTensorImpl().bump_version()
    return 0


cdef object take_back(object value, list given):
    """Return what NumPy returned, as ours; an argument that came back is itself again."""
    cdef Py_ssize_t index
    kind = type(value)
    if kind is bool or kind is int or value is None:
        return value
    if kind is cnp.ndarray:
        for index in range(0, len(given), 2):
            if given[index] is value:
                return argument_again(given[index + 1], value)
        return take_over(value)
    if kind is tuple:
        return tuple([take_back(item, given) for item in value])
    if kind is list:
        return [take_back(item, given) for item in value]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*[take_back(item, given) for item in value])
    return take_over(value)


cdef object take_over(object value):
    cdef ndarray array
    cdef int dtype
    cdef PyObject* base
    if type(value) is cnp.ndarray:
        if cnp.PyArray_BASE(value) is NULL and Py_REFCNT(value) == 1 and cnp.PyArray_NBYTES(value) <= SMALL:
            array = copied(value)
            if array is not None:
                return array
        dtype = index_of_numpy((<cnp.ndarray>value).dtype)
        if dtype < 0 and not ((<cnp.ndarray>value).dtype.kind in "biufc" and dtype != -1 and is_swapped(value)):
            dtype_index(value.dtype)
        base = cnp.PyArray_BASE(value)
        if base is NULL and Py_REFCNT(value) > 1:
            return from_numpy(value)
        if base is NULL:
            array = from_numpy(value)
            array.base_ = None
            return array
        owner = <object>base
        while type(owner) is cnp.ndarray and cnp.PyArray_BASE(owner) is not NULL:
            owner = <object>cnp.PyArray_BASE(owner)
        if isinstance(owner, ndarray):
            if dtype == dtype_of(owner):
                return view_of(owner, value)
            owner = owner if (<ndarray>owner).base_ is None else (<ndarray>owner).base_
        array = from_numpy(value)
        array.base_ = owner
        return array
    if isinstance(value, numpy.generic):
        dtype = dtype_index(value.dtype)
        array = new_scalar(dtype)
        if dtype < NUM_NUMPY_DTYPES:
            cnp.PyArray_ScalarAsCtype(value, data_of(array))
        else:
            memcpy(data_of(array), cnp.PyArray_DATA(numpy.asarray(value)), ITEMSIZES[dtype])
        return array
    return value


cdef ndarray copied(cnp.ndarray value):
    """Return a copy of a small array in C order; None where it is not that."""
    cdef int64_t shape[MAXDIMS]
    cdef int axis
    cdef ndarray array
    cdef int dtype = index_of_type_number(cnp.PyArray_TYPE(value))
    if dtype < 0 or not cnp.PyArray_ISNOTSWAPPED(value) or not in_c_order(value):
        return None
    for axis in range(value.ndim):
        shape[axis] = value.shape[axis]
    array = new_array(dtype, value.ndim, shape)
    memcpy(data_of(array), cnp.PyArray_DATA(value), cnp.PyArray_NBYTES(value))
    return array


cdef bint in_c_order(cnp.ndarray array) noexcept:
    """Whether the strides are those of a new array, along axes of length one as well."""
    cdef int axis
    cdef int64_t expected = cnp.PyArray_ITEMSIZE(array)
    for axis in range(array.ndim - 1, -1, -1):
        if array.strides[axis] != expected:
            return False
        expected *= array.shape[axis]
    return True


cdef bint is_swapped(object value) except -1:
    """Whether a dtype that arrays hold is in the other byte order, which `from_numpy` turns."""
    return not value.dtype.isnative and index_of_numpy(value.dtype.newbyteorder("=")) >= 0


cdef ndarray view_of(ndarray parent, object value):
    """Return a view of our array with the layout of a NumPy array on its memory."""
    cdef cnp.ndarray theirs = value
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int64_t itemsize = ITEMSIZES[dtype_of(parent)]
    cdef char* data = <char*>cnp.PyArray_DATA(theirs)
    cdef uint64_t flipped = 0
    cdef int axis
    cdef ndarray view
    for axis in range(theirs.ndim):
        shape[axis] = theirs.shape[axis]
        strides[axis] = theirs.strides[axis]
        if strides[axis] < 0:
            if shape[axis] > 1:
                flipped |= <uint64_t>1 << axis
                data += (shape[axis] - 1) * strides[axis]
            strides[axis] = -strides[axis]
        strides[axis] //= itemsize
    view = plain_view_as(parent, dtype_of(parent), theirs.ndim, shape, strides, data, flipped)
    view.writeable_ = cnp.PyArray_ISWRITEABLE(theirs)
    return view


def scalar_value(ndarray array not None):
    """Return NumPy's scalar of the value that an array holds in itself; None of any other array."""
    if not array.header.holds_value() or not array.scalar_ or dtype_of(array) >= NUM_NUMPY_DTYPES:
        return None
    return numpy_scalar(data_of(array), numpy_dtype(dtype_of(array)))


def is_plain(value):
    """Whether a value is an array of our own class in the host's memory, with nothing of torch's to take part in."""
    return type(value) is ndarray and (<ndarray>value).header.is_plain()


def device_of(ndarray array not None):
    """Return the name of the device that the elements are on."""
    return "cpu" if array.header.has_host_memory() else str(wrapped(array).device)


cdef object general_text = None


def set_general_text(text):
    """Say how arrays print that are not plain: `text(array, is_repr)`."""
    global general_text
    general_text = text


cdef object text_of(ndarray array, bint is_repr):
    """Return NumPy's repr or str of the same values."""
    value = scalar_value(array)
    if value is None:
        if type(array) is not ndarray or array.scalar_ or not array.header.is_plain() or dtype_of(array) >= NUM_NUMPY_DTYPES:
            return general_text(array, is_repr)
        value = to_numpy(array)
    return repr(value) if is_repr else str(value)


set_text_slot(text_of)


def from_host(value):
    """Return what a NumPy function returned, as ours (see `take_over`), for the Python floors."""
    return take_back(value, [])


def is_shared(ndarray array not None):
    """Whether something else has a part in the array's memory: a view, a tensor, an exported buffer."""
    if array.header.has_views() or not array.header.has_tensor():
        return array.header.has_views()
    # The tensor and its Python object keep each other; the array, and the name here, are one owner more of each.
    tensor = wrapped(array)
    return owners(tensor_of(array)[0]) > 2 or Py_REFCNT(tensor) > 2 or (
        tensor_of(array).unsafeGetTensorImpl().unsafe_storage().use_count() > 1)


def adopt(ndarray array not None, ndarray other not None):
    """Give an array the memory, shape and layout of another: how `resize` changes an array in place."""
    set_tensor(array, tensor_of(other)[0])
    array.flipped = other.flipped


def memory_of(ndarray array not None):
    """Return the tensor whose elements are the array's, an axis that runs backwards running forwards there."""
    return wrapped(array)
