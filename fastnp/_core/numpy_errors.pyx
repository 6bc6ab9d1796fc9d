"""NumPy's exception for a call that torch has refused.

Torch names other types of exception, and other reasons. NumPy is asked what it makes of the same call: on copies of
small arrays of the host, on zeros in the place of others.
"""
from fastnp._core.dtype cimport NUM_NUMPY_DTYPES, dtype_index, numpy_dtype
from fastnp._core.interchange cimport to_numpy
from fastnp._core.ndarray cimport dtype_of, ndarray
from fastnp._core.operands cimport as_header
from fastnp._core.torch_tensor cimport is_tensor

import warnings

import numpy
import torch

# Elements of one operand up to which NumPy may be asked.
cdef long LARGEST = 2**20
# What NumPy's functions raise for arguments that are wrong.
cdef tuple ERRORS = (ArithmeticError, IndexError, MemoryError, TypeError, ValueError)
cdef object UNKNOWN = object()


cdef int raise_as_numpy(object theirs, tuple args, dict kwargs) except -1:
    stand_ins = [stand_in(value) for value in args]
    options = {name: stand_in(value) for name, value in kwargs.items() if name != "device"}
    if theirs is None or any([value is UNKNOWN for value in (*stand_ins, *options.values())]):
        return 0
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            theirs(*stand_ins, **options)
        except ERRORS as error:
            raise error.with_traceback(None) from None
    return 0


cdef object stand_in(object value):
    """Return what NumPy may be called with in the place of an argument; UNKNOWN where that is nothing of NumPy's."""
    cdef ndarray array
    if isinstance(value, (ndarray, numpy.ndarray)) or is_tensor(value):
        array = as_header(value)
        if array.header.checked_numel() > LARGEST:
            return UNKNOWN
        if array.header.is_plain() and dtype_of(array) < NUM_NUMPY_DTYPES:
            result = to_numpy(array).copy("K")
        else:
            result = numpy.zeros(array.shape, numpy_dtype(dtype_of(array)))
        result.flags.writeable = array.writeable_
        return result
    if type(value) in (list, tuple):
        items = [stand_in(item) for item in value]
        return UNKNOWN if any([item is UNKNOWN for item in items]) else type(value)(items)
    if isinstance(value, torch.dtype):
        return numpy_dtype(dtype_index(value))
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, slice, type, numpy.dtype, numpy.generic)):
        return value
    return value if value is numpy._NoValue or value is Ellipsis else UNKNOWN
