"""Elements of plain arrays as Python numbers: `item` and `tolist`."""
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int64_t

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, fill_strides, ndarray, read_item, thread_is_plain

cdef extern from "Python.h":
    bint PyLong_CheckExact(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1


cdef object item(PyObject** slots):
    """item(self, *args)."""
    cdef ndarray array = <ndarray>slots[0]
    cdef tuple key = <tuple>slots[1]
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int64_t index, offset = 0
    cdef int axis, ndim, overflow = 0
    if not array.header.is_plain() or not thread_is_plain():
        return NotImplemented
    if not key:
        return read_item(data_of(array), dtype_of(array)) if array.header.numel() == 1 else NotImplemented
    ndim = fill_shape(array, shape)
    fill_strides(array, strides)
    if type(key[0]) is tuple and len(key) == 1:
        key = <tuple>key[0]
    if len(key) == 1 and ndim > 1:
        if not PyLong_CheckExact(key[0]):
            return NotImplemented
        index = PyLong_AsLongLongAndOverflow(key[0], &overflow)
        if overflow or not wrapped_into(&index, array.header.numel()):
            return NotImplemented
        for axis in range(ndim - 1, -1, -1):
            offset += index % shape[axis] * strides[axis]
            index //= shape[axis]
        return read_item(data_of(array) + offset, dtype_of(array))
    if len(key) != ndim:
        return NotImplemented
    for axis in range(ndim):
        if not PyLong_CheckExact(key[axis]):
            return NotImplemented
        index = PyLong_AsLongLongAndOverflow(key[axis], &overflow)
        if overflow or not wrapped_into(&index, shape[axis]):
            return NotImplemented
        offset += index * strides[axis]
    return read_item(data_of(array) + offset, dtype_of(array))


cdef inline bint wrapped_into(int64_t* index, int64_t size) noexcept:
    """Count an index from the end where it is negative; False where it is out of bounds."""
    if index[0] < 0:
        index[0] += size
    return 0 <= index[0] < size


cdef object nested(const char* data, int dtype, int ndim, const int64_t* shape, const int64_t* strides):
    cdef int64_t index
    cdef list row
    if ndim == 0:
        return read_item(data, dtype)
    row = PyList_New(shape[0])
    for index in range(shape[0]):
        element = nested(data + index * strides[0], dtype, ndim - 1, shape + 1, strides + 1)
        Py_INCREF(element)
        PyList_SET_ITEM(row, index, element)
    return row


cdef object tolist(PyObject** slots):
    """tolist(self)."""
    cdef ndarray array = <ndarray>slots[0]
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    if not array.header.is_plain() or not thread_is_plain():
        return NotImplemented
    fill_shape(array, shape)
    return nested(data_of(array), dtype_of(array), fill_strides(array, strides), shape, strides)


#: Name of the method to its body; each declines what is an error, or not plain.
BODIES = {
    "item": new_compiled_body(item),
    "tolist": new_compiled_body(tolist),
}
