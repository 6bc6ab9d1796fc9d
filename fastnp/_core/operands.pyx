"""The operands of a ufunc call: what each one is, and the way to NumPy and back on the same memory."""
cimport numpy as cnp

from fastnp._core.dtype cimport (
    NUM_NUMPY_DTYPES,
    index_of_numpy,
    index_of_type_number,
)
from fastnp._core.engine cimport Operand
from fastnp._core.interchange cimport from_numpy, to_numpy
from fastnp._core.loops cimport fill_operand
from fastnp._core.ndarray cimport dtype_of, from_tensor, ndarray
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.sequences cimport check_depth
from fastnp._core.torch_tensor cimport is_exact_tensor, is_tensor, unwrap

import numpy

import torch

cnp.import_array()

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint subclass_hooks_disabled()

cdef object DISABLED_HOOK = torch._C._disabled_torch_function_impl


cdef OperandKind classify(object candidate, Operand* operand, int* kind, list alive, int* arrays, int* tensors) except *:
    cdef ndarray array
    if type(candidate) is not ndarray:
        kind[0] = kind_of_number(candidate)
        if kind[0] >= 0:
            return IS_WEAK
    if type(candidate) is ndarray:
        array = <ndarray>candidate
        arrays[0] += 1
    elif is_exact_tensor(candidate) or (is_tensor(candidate) and (
            subclass_hooks_disabled() or type(candidate).__torch_function__ is DISABLED_HOOK)):
        # FakeTensor and DTensor are tensors like others: what they do they do below the dispatcher. So are those whose
        # hook has had the call.
        array = from_tensor(unwrap(candidate))
        tensors[0] += 1
        alive.append(array)
    elif type(candidate) is numpy.ndarray:
        if fill_from_numpy(operand, candidate):
            arrays[0] += 1
            kind[0] = operand.type
            return IS_PLAIN
        if index_of_numpy((<cnp.ndarray>candidate).descr) < 0:
            return IS_FOREIGN
        arrays[0] += 1
        array = from_numpy(candidate)
        alive.append(array)
    else:
        array = held_scalar(candidate)
        if array is None:
            if not isinstance(candidate, numpy.generic) or index_of_numpy(candidate.dtype) < 0:
                return IS_FOREIGN
            array = from_numpy(numpy.asarray(candidate))
        arrays[0] += not isinstance(candidate, bool)
        alive.append(array)
    kind[0] = dtype_of(array)
    if not array.header.is_plain() or kind[0] >= NUM_NUMPY_DTYPES:
        return IS_GENERAL
    fill_operand(operand, array)
    return IS_PLAIN


cdef bint fill_from_numpy(Operand* operand, cnp.ndarray array):
    """Describe a NumPy array that the loops can read in place; False where they cannot."""
    cdef int axis
    operand.type = index_of_type_number(cnp.PyArray_TYPE(array))
    if operand.type < 0 or not cnp.PyArray_ISBEHAVED_RO(array):
        return False
    operand.data = <char*>cnp.PyArray_DATA(array)
    operand.ndim = cnp.PyArray_NDIM(array)
    for axis in range(operand.ndim):
        operand.shape[axis] = cnp.PyArray_DIM(array, axis)
        operand.strides[axis] = cnp.PyArray_STRIDE(array, axis)
    return True


cdef ndarray as_header(object candidate):
    """Return the array that an operand or an output stands for, on its own memory."""
    if isinstance(candidate, ndarray):
        return <ndarray>candidate
    if is_tensor(candidate):
        return from_tensor(unwrap(candidate))
    return from_numpy(candidate if isinstance(candidate, numpy.ndarray) else numpy.asarray(candidate))


# --- by NumPy ---------------------------------------------------------------------------------------------------------

cdef object to_numpy_deep(object value, int depth=0):
    cdef ndarray array
    if isinstance(value, ndarray):
        array = <ndarray>value
        return to_numpy(array)[()] if array.scalar_ else to_numpy(array)
    if is_tensor(value):
        return to_numpy(from_tensor(unwrap(value)))
    if type(value) is tuple or type(value) is list:
        check_depth(depth)
        items = [to_numpy_deep(item, depth + 1) for item in value]
        return tuple(items) if type(value) is tuple else items
    return value


cdef object from_numpy_deep(object value):
    cdef ndarray array
    if isinstance(value, numpy.ndarray):
        array = from_numpy(value)
        array.base_ = None
        return array
    if isinstance(value, numpy.generic):
        array = from_numpy(numpy.array(value))
        array.base_ = None
        array.writeable_ = False
        array.scalar_ = True
        return array
    if type(value) is tuple:
        return tuple([from_numpy_deep(item) for item in value])
    return value


cdef object call_numpy(object function, tuple args, dict kwargs):
    cdef dict originals = {}
    arguments = []
    for value in args:
        view = to_numpy_deep(value)
        arguments.append(view)
        note(originals, view, value)
    options = {}
    for name, value in kwargs.items():
        view = to_numpy_deep(value)
        options[name] = view
        note(originals, view, value)
    result = function(*arguments, **options)
    if type(result) is tuple:
        return tuple([originals[id(item)] if id(item) in originals else from_numpy_deep(item) for item in result])
    return originals[id(result)] if id(result) in originals else from_numpy_deep(result)


cdef int note(dict originals, object view, object value) except -1:
    if type(value) is tuple:
        for one, original in zip(view, value):
            note(originals, one, original)
    elif isinstance(view, numpy.ndarray):
        originals[id(view)] = value
    return 0
