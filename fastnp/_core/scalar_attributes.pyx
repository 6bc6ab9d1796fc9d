"""Attributes that NumPy's scalars of some dtypes have, and arrays do not: `s.is_integer()`, `k.bit_count()`."""
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.object cimport PyObject, PyTypeObject

from libc.math cimport floor, isfinite
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.dtype cimport BOOL, COMPLEX64, FLOAT16, FLOAT64, UINT64
from fastnp._core.ndarray cimport ndarray, read_item

cdef extern from "type_slots.h" namespace "fastnp":
    int make_vectorcall(PyTypeObject*, Py_ssize_t, bint) except -1

cdef extern from "Python.h":
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)

cdef extern from *:
    int number_of_ones "__builtin_popcountll"(uint64_t) nogil

# The attribute of a scalar that holds its value; NotImplemented where NumPy's scalar of the dtype has none.
ctypedef object (*Compute)(ndarray scalar)


cdef object is_integer(ndarray scalar):
    cdef int dtype = scalar.header.value_dtype()
    cdef double value
    if BOOL < dtype < FLOAT16:
        return True
    if not is_floating(dtype):
        return NotImplemented
    if dtype == FLOAT64:
        value = (<const double*>scalar.header.value())[0]
    else:
        value = PyFloat_AS_DOUBLE(read_item(scalar.header.value(), dtype))
    return True if isfinite(value) and floor(value) == value else False


cdef object as_integer_ratio(ndarray scalar):
    cdef int dtype = scalar.header.value_dtype()
    return read_item(scalar.header.value(), dtype).as_integer_ratio() if is_floating(dtype) else NotImplemented


cdef object in_hexadecimal(ndarray scalar):
    cdef int dtype = scalar.header.value_dtype()
    # NumPy: of the scalars only float64 is a float of Python's.
    return read_item(scalar.header.value(), dtype).hex() if dtype == FLOAT64 else NotImplemented


cdef object bit_count(ndarray scalar):
    """Count the ones of the absolute value."""
    cdef int dtype = scalar.header.value_dtype()
    cdef int64_t value
    if not BOOL < dtype < FLOAT16:
        return NotImplemented
    if dtype == UINT64:
        return number_of_ones((<const uint64_t*>scalar.header.value())[0])
    value = read_item(scalar.header.value(), dtype)
    return number_of_ones(-<uint64_t>value if value < 0 else <uint64_t>value)


cdef object numerator(ndarray scalar):
    return scalar if BOOL < scalar.header.value_dtype() < FLOAT16 else NotImplemented


cdef object denominator(ndarray scalar):
    return 1 if BOOL < scalar.header.value_dtype() < FLOAT16 else NotImplemented


cdef inline bint is_floating(int dtype) noexcept:
    return FLOAT16 <= dtype < COMPLEX64


cdef Compute computed(str name) except? NULL:
    """Return what computes an attribute of this name; NULL where NumPy does."""
    if name == "is_integer":
        return is_integer
    if name == "as_integer_ratio":
        return as_integer_ratio
    if name == "hex":
        return in_hexadecimal
    if name == "bit_count":
        return bit_count
    if name == "numerator":
        return numerator
    if name == "denominator":
        return denominator
    return NULL


cdef class scalar_property:
    """An attribute of scalars that is a value.

    Parameters
    ----------
    name : str
        Its name.
    general : callable
        `general(instance, owner, name)`: NumPy's attribute of the same value, of any array; AttributeError where NumPy has
        none.
    """

    cdef void* vectorcall
    cdef Compute compute
    cdef readonly str name
    cdef object general

    def __init__(self, str name not None, general):
        self.vectorcall = <void*>call
        self.compute = computed(name)
        self.name = name
        self.general = general

    def __get__(self, instance, owner):
        result = compute_held(self, instance)
        return self.general(instance, owner, self.name) if result is NotImplemented else result


cdef class scalar_method(scalar_property):
    """An attribute of scalars that is called: at once where it is called as a method."""

    def __get__(self, instance, owner):
        return self.general(instance, owner, self.name)


cdef inline object compute_held(scalar_property self, object instance):
    """Compute the attribute of a scalar that holds its value; NotImplemented for anything else."""
    if self.compute is NULL or type(instance) is not ndarray:
        return NotImplemented
    if not (<ndarray>instance).scalar_ or not (<ndarray>instance).header.holds_value():
        return NotImplemented
    return self.compute(<ndarray>instance)


cdef object call(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames):
    cdef scalar_property self = <scalar_property>callable
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    if count == 0 or not isinstance(<object>args[0], ndarray):
        raise TypeError(f"{self.name}() is a method of scalars: call it on one")
    if count == 1 and kwnames is NULL:
        result = compute_held(self, <object>args[0])
        if result is not NotImplemented:
            return result
    bound = self.general(<object>args[0], type(<object>args[0]), self.name)
    return PyObject_Vectorcall(bound, args + 1, <size_t>(count - 1), kwnames)


cdef int install() except -1:
    cdef scalar_method instance = scalar_method.__new__(scalar_method)
    make_vectorcall(<PyTypeObject*>scalar_method, <char*>&instance.vectorcall - <char*><PyObject*>instance, True)
    return 0


install()
