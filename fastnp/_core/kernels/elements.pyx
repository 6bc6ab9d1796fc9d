"""Elements of plain arrays as Python numbers: `item`, `tolist`, and the text of one."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.complex cimport PyComplex_CheckExact, PyComplex_FromDoubles
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.copies cimport copy_cast
from fastnp._core.dispatcher cimport new_quick_body, new_quick_body_alone
from fastnp._core.dtype cimport FLOAT16, ITEMSIZES, NUM_NUMPY_DTYPES
from fastnp._core.engine cimport Operand, c_strides
from fastnp._core.interchange cimport to_numpy
from fastnp._core.flat cimport element_at
from fastnp._core.loops cimport fill_operand
from fastnp._core.ndarray cimport (
    MAXDIMS,
    Header,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    ndarray,
    read_item,
    thread_is_plain,
)

cdef extern from "Python.h":
    object PyObject_Format(object, object)
    bint PyLong_CheckExact(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1

cdef extern from "lists.h" namespace "fastnp":
    object nested_list(const char* data, int dtype, int ndim, const int64_t* shape, const int64_t* strides)


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


cdef object quick_item(PyObject* const* args, Py_ssize_t count):
    """a.item(), a.item(i), a.item(i, j): an index to each dimension."""
    cdef ndarray array
    cdef Header* header
    cdef int64_t index, offset = 0
    cdef int axis, overflow = 0
    if type(<object>args[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>args[0]
    header = &array.header
    if not header.is_plain() or not thread_is_plain():
        return NotImplemented
    if count == 1:
        return read_item(data_of(array), header.dtype()) if header.numel() == 1 else NotImplemented
    if count == 2 and header.dim() > 1 and PyLong_CheckExact(<object>args[1]):
        index = PyLong_AsLongLongAndOverflow(<object>args[1], &overflow)
        if overflow or not wrapped_into(&index, header.numel()):
            return NotImplemented
        return read_item(element_at(array, index), header.dtype())
    if header.dim() != count - 1:
        return NotImplemented
    for axis in range(<int>count - 1):
        if not PyLong_CheckExact(<object>args[axis + 1]):
            return NotImplemented
        index = PyLong_AsLongLongAndOverflow(<object>args[axis + 1], &overflow)
        if overflow or not wrapped_into(&index, header.sizes()[axis]):
            return NotImplemented
        if array.flipped >> axis & 1:
            index = header.sizes()[axis] - 1 - index
        offset += index * header.strides()[axis]
    return read_item(header.origin() + offset * ITEMSIZES[header.dtype()], header.dtype())


cdef object listed(ndarray array):
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int ndim
    if not array.header.is_plain() or not thread_is_plain():
        return NotImplemented
    ndim = fill_shape(array, shape)
    fill_strides(array, strides)
    return nested_list(data_of(array), dtype_of(array), ndim, shape, strides)


cdef object quick_tolist(PyObject* const* args, Py_ssize_t count):
    return listed(<ndarray><object>args[0]) if count == 1 and type(<object>args[0]) is ndarray else NotImplemented


cdef object tolist(PyObject** slots):
    """tolist(self)."""
    return listed(<ndarray>slots[0])


cdef object quick_tobytes(PyObject* const* args, Py_ssize_t count):
    """a.tobytes(): as they lie where that is in one piece, else as a copy does."""
    cdef ndarray array
    if count != 1 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>args[0]
    if not array.header.is_plain() or not thread_is_plain():
        return NotImplemented
    if array.flipped or not array.header.is_contiguous():
        return bytes_in_c_order(array)
    return PyBytes_FromStringAndSize(array.header.origin(), array.header.numel() * ITEMSIZES[array.header.dtype()])


cdef object bytes_in_c_order(ndarray array):
    """Copy a plain array's elements in C order into a bytes object, which nobody else has yet."""
    cdef Operand into, values
    cdef int64_t size = array.header.numel()
    cdef bytes content
    fill_operand(&values, array)
    content = PyBytes_FromStringAndSize(NULL, size * ITEMSIZES[values.type])
    into = values
    into.data = PyBytes_AS_STRING(content)
    c_strides(into.ndim, into.shape, ITEMSIZES[into.type], into.strides)
    if size:
        copy_cast(&into, &values, size)
    return content


cdef object quick_array(PyObject* const* args, Py_ssize_t count):
    """a.__array__() of an array of the class itself."""
    cdef ndarray array
    if count != 1 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    array = <ndarray><object>args[0]
    if not array.header.is_plain() or dtype_of(array) >= NUM_NUMPY_DTYPES or not thread_is_plain():
        return NotImplemented
    return to_numpy(array)


cdef object quick_format(PyObject* const* args, Py_ssize_t count):
    """format(scalar, specification): as the Python number that it is."""
    cdef Header* header
    if count != 2 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    header = &(<ndarray><object>args[0]).header
    if not header.holds_value() or header.dtype() == FLOAT16 or header.dtype() >= NUM_NUMPY_DTYPES:
        return NotImplemented
    return PyObject_Format(read_item(header.origin(), header.dtype()), <object>args[1])


cdef object quick_complex(PyObject* const* args, Py_ssize_t count):
    """complex(a) of a scalar or an array of no dimension."""
    cdef Header* header
    if count != 1 or type(<object>args[0]) is not ndarray:
        return NotImplemented
    header = &(<ndarray><object>args[0]).header
    if not header.holds_value() and (header.dim() or not header.is_plain() or not thread_is_plain()):
        return NotImplemented
    value = read_item(header.origin(), header.dtype())
    return value if PyComplex_CheckExact(value) else PyComplex_FromDoubles(value, 0)


#: Name of the method to its body; each declines what is an error, or not plain.
BODIES = {
    "array_method": new_quick_body_alone(quick_array),
    "complex_method": new_quick_body_alone(quick_complex),
    "format_method": new_quick_body_alone(quick_format),
    "item": new_quick_body(quick_item, item),
    "tobytes": new_quick_body_alone(quick_tobytes),
    "tolist": new_quick_body(quick_tolist, tolist),
}
