"""The operands of a ufunc call: what each one is, and the way to NumPy and back on the same memory."""
from cpython.complex cimport PyComplex_CheckExact
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport WEAK_COMPLEX, WEAK_FLOAT, WEAK_INT
from fastnp._core.engine cimport Operand
from fastnp._core.ndarray cimport ndarray

cdef enum OperandKind:
    IS_PLAIN      # `Operand` is filled in: memory of this process, no gradient, a dtype of NumPy's
    IS_WEAK       # a Python int, float or complex
    IS_GENERAL    # an array that goes by torch
    IS_FOREIGN    # of a type that may override the call, or that is to be made an array


cdef inline int kind_of_number(object value) noexcept:
    """Return the kind of a Python number, whose dtype is that of what it is beside; -1 of anything else."""
    if PyFloat_CheckExact(value):
        return WEAK_FLOAT
    return WEAK_INT if PyLong_CheckExact(value) else WEAK_COMPLEX if PyComplex_CheckExact(value) else -1


# Look at one operand once. `alive` receives what has to outlive the call; `weight` counts arrays and torch tensors.
cdef OperandKind classify(object candidate, Operand* operand, int* kind, list alive, int* arrays, int* tensors) except *
cdef ndarray as_header(object candidate)

cdef object to_numpy_deep(object value, int depth=?)
cdef object from_numpy_deep(object value)
# The same call made by NumPy on views of the operands' memory; the objects given as `out` are returned themselves.
cdef object call_numpy(object function, tuple args, dict kwargs)
