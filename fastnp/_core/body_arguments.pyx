"""Arguments of a call as its compiled or composed body gets them: arrays in the place of what stands for one."""
from cpython.object cimport PyObject

from fastnp._core.converters cimport ARRAY, ARRAYS, MIXED, OPERAND, OUT, TENSORS, as_array
from fastnp._core.dtype cimport NUM_NUMPY_DTYPES, index_of_numpy
from fastnp._core.ndarray cimport MAXDIMS, as_type, check_writeable, dtype_of, from_tensor, ndarray, tensor_is_plain
from fastnp._core.torch_tensor cimport is_tensor, unwrap

import numpy

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)

cdef object NO_VALUE = numpy._NoValue


cdef object with_tensors_as_arrays(object values):
    """Return a list or tuple with arrays in the place of its plain torch.Tensors; None where it has none."""
    cdef list arrays = None
    cdef Py_ssize_t index = 0
    cdef ndarray array
    if type(values) is not list and type(values) is not tuple:
        return None
    for value in values:
        if is_tensor(value):
            array = from_tensor(unwrap(value))
            if not array.header.is_plain():
                return None
            if arrays is None:
                arrays = list(values)
            arrays[index] = array
        index += 1
    return arrays if arrays is None or type(values) is list else tuple(arrays)


cdef object plain_argument(unsigned char conversion, object value):
    """Return an argument as a composed body gets it; NotImplemented where it is no plain array, nor becomes one."""
    cdef ndarray array
    kind = type(value)
    if kind is ndarray:
        if not (<ndarray>value).header.is_plain() or dtype_of(value) >= NUM_NUMPY_DTYPES:
            return NotImplemented
        if conversion == OUT:
            check_writeable(value, "output array")
        return value
    if conversion == OUT:
        return NotImplemented
    if kind is float or kind is int or kind is bool or kind is complex:
        return value if conversion == OPERAND or conversion == MIXED else as_array(value)
    if kind is numpy.ndarray or isinstance(value, numpy.generic):
        return as_array(value) if index_of_numpy(value.dtype) >= 0 else NotImplemented
    if is_tensor(value):
        array = from_tensor(unwrap(value))
        return array if array.header.is_plain() and dtype_of(array) < NUM_NUMPY_DTYPES else NotImplemented
    if (kind is not list and kind is not tuple) or not is_plain(value):
        return NotImplemented
    if conversion == TENSORS or conversion == ARRAYS or conversion == MIXED:
        if kind is tuple and are_arrays(value):
            return value
        items = []
        for item in value:
            item = plain_argument(MIXED if conversion == MIXED else ARRAY, item)
            if item is NotImplemented:
                return NotImplemented
            items.append(item)
        return tuple(items) if conversion == MIXED and kind is tuple else items
    try:
        return as_array(value)
    except (TypeError, ValueError):
        return NotImplemented  # ragged, or of objects


cdef bint are_arrays(tuple values) noexcept:
    """Whether all are arrays proper."""
    cdef Py_ssize_t index
    for index in range(len(values)):
        if type(<object>PyTuple_GET_ITEM(values, index)) is not ndarray:
            return False
    return True


cdef bint is_plain(object value, int depth=0) except -1:
    """Whether a composed body may get an argument of any kind: each array and Tensor in it is plain."""
    kind = type(value)
    if kind is ndarray:
        return (<ndarray>value).header.is_plain() and dtype_of(value) < NUM_NUMPY_DTYPES
    if kind is int or kind is float or value is None or kind is bool or kind is complex or kind is str or kind is slice:
        return True
    if kind is list or kind is tuple:
        if depth == MAXDIMS:
            return False
        for item in value:
            if not is_plain(item, depth + 1):
                return False
        return True
    if is_tensor(value):
        return tensor_is_plain(unwrap(value)) and dtype_of(from_tensor(unwrap(value))) < NUM_NUMPY_DTYPES
    return value is NO_VALUE or kind is numpy.ndarray or isinstance(value, numpy.generic)


cdef object array_argument(unsigned char conversion, object value):
    """Return an argument with arrays of the class itself in it; NotImplemented where one has no dtype of NumPy's."""
    cdef ndarray array
    kind = type(value)
    if kind is ndarray and conversion != TENSORS and conversion != ARRAYS:
        return value if dtype_of(value) < NUM_NUMPY_DTYPES else NotImplemented
    if conversion == OPERAND or conversion == MIXED:
        if kind is float or kind is int or kind is bool or kind is complex or value is None:
            return value
    if conversion == TENSORS or conversion == ARRAYS or (conversion == MIXED and (kind is list or kind is tuple)):
        items = []
        for item in value:
            item = array_argument(MIXED if conversion == MIXED else ARRAY, item)
            if item is NotImplemented:
                return NotImplemented
            items.append(item)
        return tuple(items) if conversion == MIXED and kind is tuple else items
    if conversion == MIXED and not (isinstance(value, (ndarray, numpy.ndarray, numpy.generic)) or is_tensor(value)):
        return value
    array = as_array(value)
    if dtype_of(array) >= NUM_NUMPY_DTYPES:
        return NotImplemented
    return array if type(array) is ndarray else as_type(array, ndarray, None)
