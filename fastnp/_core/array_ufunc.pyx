"""NEP 13: what NumPy's ufuncs ask of an array, as they do for every operation with one of NumPy's scalars on the left."""
from cpython.object cimport PyObject, PyTypeObject

from fastnp._core.borrowed import as_theirs
from fastnp._core.ndarray cimport ndarray
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.ufunc cimport ufunc
from fastnp._core.ufunc_quick cimport quick_binary

import numpy

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)

cdef extern from "methods.h" namespace "fastnp":
    ctypedef PyObject* (*FastCall "fastnp::FastCall")(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)
    object new_method(PyTypeObject*, const char* name, FastCall, const char* doc)

cdef object numpy_ufunc = numpy.ufunc
cdef dict counterparts = {}
cdef object call_otherwise


cdef inline bint is_plain(PyObject* operand) noexcept:
    """Whether an operand is no instance of a subclass of the array, which may have an answer of its own."""
    return type(<object>operand) is ndarray or not isinstance(<object>operand, ndarray)


cdef bint are_plain_types(tuple operands) noexcept:
    for operand in operands:
        if not is_plain(<PyObject*>operand):
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


cdef object answer(object self, PyObject* const* args, Py_ssize_t count, PyObject* names):
    """Answer `__array_ufunc__(self, called, method, *inputs, **kwargs)`."""
    cdef Py_ssize_t i
    cdef tuple inputs
    cdef dict kwargs
    if count < 2:
        raise TypeError("__array_ufunc__ takes a ufunc and the name of its method before the operands")
    called, method = <object>args[0], <object>args[1]
    if (names is NULL or len(<tuple>names) == 0) and type(method) is str and method == "__call__":
        ours = counterparts.get(called)
        if count == 4 and type(ours) is ufunc and is_binary(<ufunc>ours) and is_plain(args[2]) and is_plain(args[3]):
            result = quick_binary((<ufunc>ours).table, as_operand(<object>args[2]), as_operand(<object>args[3]))
            if result is not None:
                return result
        inputs = tuple_of(args + 2, count - 2)
        if are_plain_types(inputs):
            if ours is not None:
                return ours(*inputs)
            if is_of_objects(called):
                return called(*[as_theirs(value) for value in inputs])
        return call_otherwise(self, called, method, *inputs)
    kwargs = {} if names is NULL else {(<tuple>names)[i]: <object>args[count + i] for i in range(len(<tuple>names))}
    return call_otherwise(self, called, method, *tuple_of(args + 2, count - 2), **kwargs)


#: NEP 13: NumPy's ufuncs on arrays are ours; those that we do not have, NumPy computes. A subclass that overrides this gets
#: our ufuncs, and calls this by `super()` with its instances made plain arrays.
array_ufunc = new_method(
    <PyTypeObject*>ndarray, "__array_ufunc__", <FastCall>answer,
    "__array_ufunc__($self, ufunc, method, /, *inputs, **kwargs)\n--\n\nCompute one of NumPy's ufuncs (NEP 13).")


def set_array_ufunc(dict ufuncs not None, otherwise):
    """Say which of our ufuncs stands for which of NumPy's, and who answers every call that is more than operands."""
    global counterparts, call_otherwise
    counterparts, call_otherwise = ufuncs, otherwise
