"""NEP 13: what NumPy's ufuncs ask of an array, as they do for every operation with one of NumPy's scalars on the left."""
from fastnp._core.borrowed import as_theirs
from fastnp._core.ndarray cimport ndarray
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.ufunc cimport ufunc
from fastnp._core.ufunc_quick cimport quick_binary

import numpy

cdef object numpy_ufunc = numpy.ufunc
cdef dict counterparts = {}
cdef object call_otherwise


cdef bint are_plain_types(tuple operands) noexcept:
    """Whether no operand is an instance of a subclass of the array, which may have an answer of its own."""
    for operand in operands:
        if type(operand) is not ndarray and isinstance(operand, ndarray):
            return False
    return True


cdef inline object as_operand(object value):
    """Return NumPy's scalar, or array without axes, as a scalar of ours."""
    scalar = None if type(value) is ndarray else held_scalar(value)
    return value if scalar is None else scalar


cdef inline bint is_binary(ufunc function) noexcept:
    return function.nin_ == 2 and function.nout_ == 1 and not function.core


cdef bint is_of_objects(object called) except -1:
    """Whether a ufunc is a Python function of objects (`frompyfunc`), in which nothing is computed by NumPy."""
    if type(called) is not numpy_ufunc or called.ntypes != 1:
        return False
    inputs, outputs = (<str>called.types[0]).split("->")
    return not inputs.strip("O") and not outputs.strip("O")


def array_ufunc(self, called, method, *inputs, **kwargs):
    """NEP 13: NumPy's ufuncs on arrays are ours; those that we do not have, NumPy computes.

    A subclass that overrides this gets our ufuncs, and calls this by `super()` with its instances made plain arrays.
    """
    if not kwargs and method == "__call__" and are_plain_types(inputs):
        ours = counterparts.get(called)
        if type(ours) is ufunc and is_binary(<ufunc>ours) and len(inputs) == 2:
            result = quick_binary((<ufunc>ours).table, as_operand(inputs[0]), as_operand(inputs[1]))
            if result is not None:
                return result
        if ours is not None:
            return ours(*inputs)
        if is_of_objects(called):
            return called(*[as_theirs(value) for value in inputs])
    return call_otherwise(self, called, method, *inputs, **kwargs)


def set_array_ufunc(dict ufuncs not None, otherwise):
    """Say which of our ufuncs stands for which of NumPy's, and who answers every call that is more than operands."""
    global counterparts, call_otherwise
    counterparts, call_otherwise = ufuncs, otherwise
