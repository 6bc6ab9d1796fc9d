"""The array's arithmetic, comparison and bitwise operators, by its ufuncs."""
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject

from fastnp._core.ndarray cimport (
    OP_ADD,
    OP_DIVMOD,
    OP_MULTIPLY,
    OP_POWER,
    dtype_of,
    ndarray,
    set_operator_slots,
)
from fastnp._core.loops cimport WEAK_INT, Resolution, same_kind
from fastnp._core.operands cimport call_numpy
from fastnp._core.overrides cimport defers_to
from fastnp._core.torch_tensor cimport is_tensor
from fastnp._core.ufunc cimport call_binary, call_unary, quick_into, ufunc
from fastnp._core.ufunc_call cimport call_ufunc
from fastnp._core.gufunc cimport call_gufunc

import operator

import numpy

# In the order of `Operator` in ndarray.pxd, and of Python's comparison numbers.
cdef PyObject* ARITHMETIC[18]
cdef PyObject* COMPARISONS[6]
cdef list NAMES = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "matmul", "bitwise_and", "bitwise_or",
    "bitwise_xor", "left_shift", "right_shift", "divmod", "negative", "positive", "absolute", "invert",
]
cdef list COMPARISON_NAMES = ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"]
cdef ufunc square, sqrt, reciprocal


cdef inline bint is_known(object value) noexcept:
    return type(value) is ndarray or PyFloat_CheckExact(value) or PyLong_CheckExact(value)


cdef inline bint stands_for_scalar(object value) noexcept:
    return isinstance(value, ndarray) and (<ndarray>value).scalar_


cdef bint is_left_to_python(int number, object a, object b) except -1:
    """Whether NumPy's scalars leave an operation to the other operand.

    Repetition of a sequence, text to which they are added, `@` without an array.
    """
    if number == OP_ADD:
        return stands_for_scalar(b) and isinstance(a, (str, bytes, bytearray))
    if number == OP_MULTIPLY:
        return (stands_for_scalar(a) and isinstance(b, (list, tuple, str, bytes, bytearray))) or (
            stands_for_scalar(b) and isinstance(a, (list, tuple, str, bytes, bytearray)))
    if stands_for_scalar(a):
        return stands_for_scalar(b) or not (isinstance(b, (ndarray, numpy.ndarray)) or is_tensor(b))
    return stands_for_scalar(b) and not (isinstance(a, (ndarray, numpy.ndarray)) or is_tensor(a))


cdef object binary(int number, object a, object b):
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    if (function.core or (number == OP_MULTIPLY or number == OP_ADD) and not (is_known(a) and is_known(b))) and (
            is_left_to_python(number, a, b)):
        return NotImplemented
    if not is_known(b) and isinstance(a, ndarray) and defers_to(b):
        return NotImplemented
    if number == OP_POWER and isinstance(a, ndarray):
        quick = quick_power(<ndarray>a, b)
        if quick is not None:
            return quick
    if function.core:
        return call_gufunc(function, function.table, (a, b), None, None)
    if number == OP_DIVMOD:
        return call_ufunc(function, function.table, (a, b), None, True, None)
    return call_binary(function, a, b)


cdef object quick_power(ndarray a, object exponent):
    """Return what NumPy computes in the stead of a power: a square, a square root, a reciprocal; or None."""
    if PyLong_CheckExact(exponent):
        if exponent == 2:
            return call_unary(square, a)
        if exponent == -1 and dtype_of(a) >= 9:
            return call_unary(reciprocal, a)
    elif PyFloat_CheckExact(exponent) and exponent == 0.5 and dtype_of(a) >= 9:
        return call_unary(sqrt, a)
    return None


cdef object inplace(int number, ndarray array, object other):
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    if array.scalar_:
        return binary(number, array, other)
    if not is_known(other) and defers_to(other):
        return NotImplemented
    if function.core:
        if array.tensor_.dim() == 0 or numpy.ndim(other) < 2:
            raise ValueError(
                "inplace matrix multiplication requires the first operand to have at least one and the second at least "
                "two dimensions."
            )
        return call_gufunc(function, function.table, (array, other), (array,), None)
    if number == OP_POWER:
        if PyLong_CheckExact(other) and other == 2:
            return call_ufunc(square, square.table, (array,), (array,), True, None)
        if PyLong_CheckExact(other) and other == -1 and dtype_of(array) >= 9:
            return call_ufunc(reciprocal, reciprocal.table, (array,), (array,), True, None)
        if PyFloat_CheckExact(other) and other == 0.5 and dtype_of(array) >= 9:
            return call_ufunc(sqrt, sqrt.table, (array,), (array,), True, None)
        if 1 <= dtype_of(array) <= 8 and may_write_power(function, array, other):
            # An exponent below zero is an error that the loop finds halfway: let it be found before anything is written.
            call_binary(function, array, other)
    if type(array) is ndarray and quick_into(function, array, other, array):
        return array
    return call_ufunc(function, function.table, (array, other), (array,), True, None)


cdef bint may_write_power(ufunc function, ndarray array, object other) except -1:
    """Whether NumPy's casting rule lets the power into the array: it comes before the loop's own error."""
    cdef Resolution* entry
    cdef int dtype = dtype_of(<ndarray>other) if isinstance(other, ndarray) else WEAK_INT
    if dtype >= 9 and dtype != WEAK_INT:
        return False
    entry = function.table.find(dtype_of(array), dtype)
    return entry.state == 1 and same_kind(entry.types[2], dtype_of(array))


cdef object unary(int number, ndarray array):
    return call_unary(<ufunc>ARITHMETIC[number], array)


cdef object compare(int comparison, object a, object b):
    if not is_known(b):
        if defers_to(b):
            return NotImplemented
        if not isinstance(b, (ndarray, numpy.ndarray, numpy.generic, bool, complex, list, tuple)) and not is_tensor(b) and (
                not hasattr(type(b), "__array__") and not hasattr(type(b), "__torch_function__")):
            # None, a string, any other object: NumPy compares element by element, or says why it cannot.
            return call_numpy(PYTHON_COMPARISONS[comparison], (a, b), {})
    return call_binary(<ufunc>COMPARISONS[comparison], a, b)


cdef tuple PYTHON_COMPARISONS = (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)


def set_operators(dict ufuncs not None):
    """Give the operators their ufuncs, by name."""
    global square, sqrt, reciprocal
    cdef int number
    for number, name in enumerate(NAMES):
        ARITHMETIC[number] = <PyObject*>(<ufunc?>ufuncs[name])
    for number, name in enumerate(COMPARISON_NAMES):
        COMPARISONS[number] = <PyObject*>(<ufunc?>ufuncs[name])
    square, sqrt, reciprocal = ufuncs["square"], ufuncs["sqrt"], ufuncs["reciprocal"]
    set_operator_slots(binary, inplace, unary, compare)
