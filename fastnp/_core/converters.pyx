"""Anything array-like to an array, and one conversion per annotation.

Precedence: ndarray, torch.Tensor, numpy.ndarray, Python and NumPy scalars, sequences, then what the object offers:
`__array__`, DLPack, `__cuda_array_interface__`, the buffer protocol (the last by NumPy's own `asarray`).
"""
cimport numpy as cnp
from libc.stdint cimport int64_t, uint8_t
from libcpp.vector cimport vector

from fastnp._core.aten cimport is_direct, join_direct
from fastnp._core.dtype cimport (
    BOOL,
    FLOAT64,
    INT64,
    default_complex,
    default_float,
    default_int,
    dtype_index,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.interchange cimport from_numpy
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    from_tensor,
    ndarray,
    new_array,
    shape_tuple,
    to_tensor as forward_tensor,
    to_torch,
    wrapped,
)
from fastnp._core.placement cimport host_data_stays, is_placed, placed
from fastnp._core.sequences cimport holds_tensors, of_sequence
from fastnp._core.torch_tensor cimport is_exact_tensor, is_tensor, unwrap

import operator

import numpy
import torch

cnp.import_array()

cdef object NO_VALUE = numpy._NoValue


cdef ndarray as_array(object value):
    cdef ndarray array
    kind = type(value)
    if kind is ndarray:
        return value
    if isinstance(value, ndarray):
        return value
    if is_exact_tensor(value):
        return from_tensor(unwrap(value))
    if kind is float or kind is int or kind is bool or kind is complex:
        return from_python_scalar(value)
    if isinstance(value, (list, tuple)):
        return from_sequence(value)
    if isinstance(value, cnp.ndarray):
        return on_default_device(from_numpy(value))
    if is_tensor(value):
        return from_tensor(unwrap(value))
    if isinstance(value, numpy.generic):
        array = from_numpy(numpy.asarray(value))
        array.base_ = None
        return on_default_device(array)
    return from_foreign(value)


cdef ndarray as_array_of(object value, int dtype):
    cdef ndarray array
    if dtype >= 0 and not is_array(value) and not (isinstance(value, (list, tuple)) and holds_tensors(value)):
        # NumPy has checks of its own for values that the dtype cannot hold.
        return on_default_device(owned(numpy.array(value, numpy_dtype(dtype))))
    array = as_array(value)
    if dtype < 0 or dtype_of(array) == dtype:
        return array
    return from_tensor(unwrap(to_torch(array).to(torch_dtype(dtype))))


cdef ndarray on_default_device(ndarray array):
    """Return host data where the arrays are that it came with, or as torch's modes and default device want it."""
    cdef ndarray moved
    if host_data_stays():
        return array
    if is_placed():
        moved = from_tensor(placed(forward_tensor(array)))
    else:
        moved = from_tensor(unwrap(torch.asarray(wrapped(array), device=torch.get_default_device())))
    # torch has no axes that run backwards, and no memory that may not be written.
    moved.flipped = array.flipped
    moved.writeable_ = array.writeable_ or not moved.header.has_host_memory()
    return moved


cdef ndarray from_python_scalar(object value):
    cdef ndarray array
    kind = type(value)
    if kind is float:
        dtype = default_float()
    elif kind is bool:
        dtype = BOOL
    elif kind is complex:
        dtype = default_complex()
    else:
        dtype = default_int()
        if not -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
            return on_default_device(owned(numpy.asarray(value)))
    if not host_data_stays():
        if is_placed():
            return on_default_device(owned(numpy.asarray(value, numpy_dtype(dtype))))
        return from_tensor(unwrap(torch.tensor(value, dtype=torch_dtype(dtype))))
    if dtype == FLOAT64:
        array = new_array(FLOAT64, 0, NULL)
        (<double*>data_of(array))[0] = value
    elif dtype == INT64:
        array = new_array(INT64, 0, NULL)
        (<int64_t*>data_of(array))[0] = value
    elif dtype == BOOL:
        array = new_array(BOOL, 0, NULL)
        (<uint8_t*>data_of(array))[0] = value
    else:
        array = owned(numpy.asarray(value, numpy_dtype(dtype)))
    return array


cdef ndarray owned(object array):
    """Return an array on memory that NumPy has just allocated for us."""
    cdef ndarray result = from_numpy(array)
    result.base_ = None
    return result


cdef ndarray from_sequence(object sequence):
    """Return a new array of a nested sequence. Arrays inside keep their device and gradient."""
    if host_data_stays() and default_float() == FLOAT64 and default_int() == INT64 and (
            type(sequence) is list or type(sequence) is tuple):
        parsed = of_sequence(sequence, False)
        if parsed is not None:
            return parsed
    if holds_tensors(sequence):
        return stack_sequence(sequence)
    array = numpy.array(sequence)
    if array.dtype.kind == "f" and default_float() != FLOAT64 and array.dtype == numpy.float64:
        array = array.astype(numpy_dtype(default_float()))
    elif array.dtype.kind == "c" and array.dtype == numpy.complex128:
        array = array.astype(numpy_dtype(default_complex()), copy=False)
    return on_default_device(owned(array))


cdef ndarray stack_sequence(object sequence):
    cdef vector[Tensor] tensors
    cdef list items = [as_array(item) for item in sequence]
    cdef ndarray array = items[0]
    cdef tuple shape = shape_tuple(array)
    cdef int dtype = dtype_of(array)
    cdef bint direct = True, same = True
    for array in items:
        if shape_tuple(array) != shape:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                f"dimensions. The detected shape was ({len(items)},) + inhomogeneous part."
            )
        same = same and dtype_of(array) == dtype
        tensors.push_back(forward_tensor(array))
        direct = direct and is_direct(tensors.back())
    if not same:
        dtype = dtype_index(numpy.result_type(*[item.dtype for item in items]))
    elif direct:
        return from_tensor(join_direct(True, tensors, 0))
    objects = [to_torch(item) if dtype_of(item) == dtype else to_torch(item).to(torch_dtype(dtype)) for item in items]
    return from_tensor(unwrap(torch.stack(objects)))


cdef ndarray from_foreign(object value):
    if not hasattr(value, "__array__") and not hasattr(value, "__array_interface__"):
        if hasattr(value, "__cuda_array_interface__"):
            return from_tensor(unwrap(torch.as_tensor(value, device="cuda")))
        if hasattr(value, "__dlpack__"):
            return from_tensor(unwrap(torch.from_dlpack(value)))
    if hasattr(type(value), "__array__"):
        given = value.__array__()
        if isinstance(given, ndarray):
            return given
        value = given
    array = numpy.asarray(value)
    if array.dtype.kind == "O":
        # numpy.asarray takes any object; we say which of them cannot be numbers.
        dtype_index(array.dtype)
    return on_default_device(from_numpy(array))


cdef object convert(int conversion, object value, str function, str parameter):
    if conversion == ANY or conversion == NUMPY_ONLY or conversion == RELEVANT or conversion == LIKE:
        return value
    if conversion == OPERAND:
        kind = type(value)
        if kind is float or kind is int or kind is bool or kind is complex or value is None:
            return value
        conversion = TENSOR
    if value is None or value is NO_VALUE:
        if conversion == TENSOR or conversion == ARRAY:
            raise TypeError(f"{function}(): argument {parameter!r} must be array-like, not {value!r}")
        return value
    if conversion == TENSOR:
        if is_exact_tensor(value):
            return value
        return to_torch(as_array(value))
    if conversion == ARRAY:
        return as_array(value)
    if conversion == TENSORS:
        return [to_torch(as_array(item)) for item in items_of(value, function, parameter)]
    if conversion == MIXED:
        if is_array(value):
            return to_torch(as_array(value))
        if not isinstance(value, (list, tuple)):
            return value
        return [to_torch(as_array(item)) if is_array(item) else item for item in value]
    if conversion == ARRAYS:
        return [as_array(item) for item in items_of(value, function, parameter)]
    if conversion == TORCH_DTYPE:
        return torch_dtype(dtype_index(value))
    if conversion == NUMPY_DTYPE:
        return numpy_dtype(dtype_index(value))
    if conversion == INDEX:
        return operator.index(value)
    return value


cdef bint is_array(object value) except -1:
    """Whether an object is an array or scalar of ours, torch's or NumPy's."""
    return isinstance(value, (ndarray, numpy.ndarray, numpy.generic)) or is_tensor(value)


cdef object items_of(object value, str function, str parameter):
    """Return what to iterate over for a sequence of array-likes."""
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{function}(): argument {parameter!r} must be a sequence of arrays") from None


def asarray(value, dtype=None):
    """Return `as_array_of(value, dtype)`, for the Python floors."""
    return as_array_of(value, -1 if dtype is None else dtype_index(dtype))


def to_tensor(value):
    """Return the torch.Tensor of anything array-like, for the Python floors."""
    return convert(TENSOR, value, "to_tensor", "value")
