"""The array's arithmetic, comparison and bitwise operators, by its ufuncs.

Small arrays and Python numbers, to which nothing listens, are computed at once. Every other call asks whoever may override
it, who is told the operator (`ndarray.__add__`), and goes on to the ufunc's own computation. A large operand that is a
temporary takes the result: `a + b + c` needs one block of memory, not two.
"""
from cpython.bool cimport PyBool_Check
from cpython.complex cimport PyComplex_CheckExact
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport Py_EQ, Py_NE, PyObject
from libc.stdint cimport int64_t
from libc.string cimport memset

from fastnp._core.dtype cimport BOOL, COMPLEX64, FLOAT16, FLOAT64, INT64, NUM_NUMPY_DTYPES, WEAK_INT
from fastnp._core.ndarray cimport (
    CompareSlot,
    Header,
    OP_ADD,
    OP_DIVMOD,
    OP_FLOOR_DIVIDE,
    OP_MATMUL,
    OP_MULTIPLY,
    OP_NEGATIVE,
    OP_POWER,
    OP_REMAINDER,
    dtype_of,
    is_c_contiguous,
    ndarray,
    new_array,
    nothing_listens_to_scalars,
    set_operator_slots,
    thread_is_plain,
    truth_scalar,
)
from fastnp._core.direct_calls cimport straight
from fastnp._core.loops cimport Resolution, is_plain, is_safe, name_scalars, same_kind
from fastnp._core.numpy_scalars cimport dtype_of_scalar, held_scalar, value_of, value_of_scalar
from fastnp._core.operands cimport call_numpy
from fastnp._core.overrides cimport (
    Containers,
    clear,
    declined,
    defers_to,
    heir_of,
    is_more_than_elements,
    listens,
    look_at,
    not_overridden,
    resolve,
    type_attribute,
)
from fastnp._core.scalars cimport quick_scalar_unary, quick_scalars
from fastnp._core.sequences cimport stands_for_array, with_arrays
from fastnp._core.temporaries cimport Callers, into_temporary, learning, may_be_temporary
from fastnp._core.torch_tensor cimport is_tensor
from fastnp._core.ufunc cimport ufunc
from fastnp._core.ufunc_call cimport compute_ufunc
from fastnp._core.ufunc_quick cimport (
    compute_binary,
    quick_binary,
    quick_binary_of_heirs,
    mixed_into,
    quick_into,
    quick_unary,
    quick_unary_of_heir,
)
from fastnp._core.gufunc cimport compute_gufunc

import operator

import numpy

cdef extern from "integers.h" namespace "fastnp":
    int64_t as_int64(object, int* overflow)

cdef extern from "scalars.h" namespace "fastnp" nogil:
    bint compares[T](int comparison, T a, T b)
    int compares_alike(int dtype, int comparison, const char* a, const char* b)
    int compares_with_integer "fastnp::compares_with"(int dtype, int comparison, const char* value, int64_t number)
    int compares_with_real "fastnp::compares_with"(int dtype, int comparison, const char* value, double number)

# Python's operators that complex numbers have, by number.
cdef tuple PYTHONS = (operator.add, operator.sub, operator.mul, operator.truediv, None, None, operator.pow) + (None,) * 11
# In the order of `Operator` in ndarray.pxd, and of Python's comparison numbers.
cdef PyObject* ARITHMETIC[18]
cdef PyObject* COMPARISONS[6]
# The operators' numbers in scalars.h, -1 where scalars are the loop's.
cdef int SCALAR_OPERATIONS[18]
cdef int SCALAR_POWER = 17
# Every integer below it is a double.
cdef int64_t EXACT = <int64_t>1 << 53
cdef list NAMES = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "matmul", "bitwise_and", "bitwise_or",
    "bitwise_xor", "left_shift", "right_shift", "divmod", "negative", "positive", "absolute", "invert",
]
cdef list METHOD_NAMES = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift", "divmod",
    "neg", "pos", "abs", "invert",
]
cdef list COMPARISON_NAMES = ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"]
cdef tuple COMPARISON_METHODS = ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")
# What the other operand is asked when an array declines: a < b is b > a.
cdef tuple SWAPPED_COMPARISONS = ("__gt__", "__ge__", "__eq__", "__ne__", "__lt__", "__le__")
# The functions that hooks are told, by the number of the operator.
cdef list FORWARD = [vars(ndarray)[f"__{name}__"] for name in METHOD_NAMES]
cdef list REFLECTED = [vars(ndarray)[f"__r{name}__"] for name in METHOD_NAMES[:14]]
cdef list INPLACE = [vars(ndarray).get(f"__i{name}__") for name in METHOD_NAMES[:13]]
cdef list METHOD_REFLECTED = [f"__r{name}__" for name in METHOD_NAMES[:14]]
cdef list COMPARING = [vars(ndarray)[name] for name in COMPARISON_METHODS]
cdef ufunc square, sqrt, reciprocal
cdef object NOT_OVERRIDDEN = not_overridden()


cdef inline bint is_known(object value) noexcept:
    return type(value) is ndarray or PyFloat_CheckExact(value) or PyLong_CheckExact(value)


cdef inline bint is_held(object value) noexcept:
    """Whether an operand is an array proper that holds its own value, as a scalar does."""
    return type(value) is ndarray and (<ndarray>value).header.holds_value()


cdef inline bint is_number(object value) noexcept:
    return PyFloat_CheckExact(value) or PyLong_CheckExact(value) or PyBool_Check(value) or PyComplex_CheckExact(value) or (
        dtype_of_scalar(value) >= 0)


cdef inline bint are_held(object a, object b) noexcept:
    """Whether of two operands one is held, and the other as well, or a number of Python's or NumPy's."""
    if is_held(a):
        return is_held(b) or is_number(b)
    return is_held(b) and is_number(a)


cdef object MATRIX = numpy.matrix


cdef inline bint is_matrix(object value) noexcept:
    """Whether an operand is NumPy's matrix: it multiplies what is an ndarray alone, and has no power on the right."""
    return isinstance(value, MATRIX)


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


cdef object ask(object function, tuple operands, ufunc counterpart, str method, str reflected):
    """Ask whoever may override an operator.

    Where all decline, the operation is left to Python if the other operand has a method of its own for it.
    """
    cdef Containers seen
    clear(&seen)
    for operand in operands:
        look_at(operand, &seen)
    if not listens(&seen):
        return NOT_OVERRIDDEN
    result = resolve(function, &seen, operands, {}, counterpart, method)
    if result is NotImplemented and not (reflected is not None and reflects(operands[1], reflected)):
        raise declined(function, &seen)
    return result


cdef bint reflects(object other, str name) noexcept:
    """Whether an operand that is no array has its own method for an operation with the operands swapped."""
    cdef PyObject* own = type_attribute(type(other), name)
    return not isinstance(other, ndarray) and own is not NULL and own != type_attribute(object, name)


# Who calls us when the interpreter executes an operator: with an array on the left, and only on the right.
cdef Callers interpreter[18][2]


cdef object reusing(int number, object a, object b):
    """Return the result in the memory of an operand that is a temporary; None where there is no such operand."""
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    cdef object stead = None
    if number == OP_POWER and not learning:
        stead = instead_of_power(<ndarray>a, b) if isinstance(a, ndarray) else None
        if stead is None:
            return None
        function = <ufunc>stead
    if function.core or function.nout_ != 1:
        return None
    return into_temporary(&interpreter[number][not isinstance(a, ndarray)], function.table, <PyObject*>a, <PyObject*>b)


cdef bint are_named_scalars(object a, object b) noexcept:
    """Whether NumPy's scalars would compute this by themselves, not as arrays: no truth, and one dtype holds the other's."""
    cdef int first = dtype_of(<ndarray>a) if isinstance(a, ndarray) else dtype_of_scalar(a)
    cdef int second = dtype_of(<ndarray>b) if isinstance(b, ndarray) else dtype_of_scalar(b)
    if (isinstance(a, ndarray) and not (<ndarray>a).scalar_) or (isinstance(b, ndarray) and not (<ndarray>b).scalar_) or (
            (first if first >= 0 else second) == BOOL) or (
            first < COMPLEX64 and second < COMPLEX64 and (PyComplex_CheckExact(a) or PyComplex_CheckExact(b))) or (
            first < FLOAT16 and second < FLOAT16 and (PyFloat_CheckExact(a) or PyFloat_CheckExact(b))):
        return False
    return first < 0 or second < 0 or is_safe(first, second) or is_safe(second, first)


cdef object binary(int number, object a, object b):
    if are_held(a, b):
        if PyComplex_CheckExact(a) and PYTHONS[number] is not None and stands_for_scalar(b) and (
                dtype_of(<ndarray>b) == FLOAT64):
            # NumPy's float64 is a float of Python's, which its complex numbers compute with by themselves.
            return PYTHONS[number](a, float(b))
        if SCALAR_OPERATIONS[number] >= 0:
            result = quick_scalars(SCALAR_OPERATIONS[number], a, b, True)
            if result is not None:
                return result
        elif number == OP_DIVMOD:
            result = quick_scalars(SCALAR_OPERATIONS[<int>OP_FLOOR_DIVIDE], a, b, True)
            rest = quick_scalars(SCALAR_OPERATIONS[<int>OP_REMAINDER], a, b, True) if result is not None else None
            if rest is not None:
                return result, rest
        if number != OP_MATMUL and are_named_scalars(a, b):
            name_scalars(True)
            try:
                return binary_of_any(number, a, b)
            finally:
                name_scalars(False)
    return binary_of_any(number, a, b)


cdef object binary_of_any(int number, object a, object b):
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    cdef object stead = None
    if may_be_temporary(<PyObject*>a) or may_be_temporary(<PyObject*>b) or learning:
        result = reusing(number, a, b)
        if result is not None:
            return result
    if number == OP_POWER and isinstance(a, ndarray):
        stead = instead_of_power(<ndarray>a, b)
    if stead is not None:
        result = quick_unary((<ufunc>stead).table, a) if type(a) is ndarray else None
        if result is not None:
            return result
    elif not function.core and number != OP_DIVMOD:
        result = quick_binary(function.table, a, b) if type(a) is ndarray or type(b) is ndarray else None
        if result is None and not (type(a) is ndarray and type(b) is ndarray):
            result = quick_binary_of_heirs(function.table, a, b)
        if result is None:
            result = straight(function.table, a, b)
        if result is not None:
            return result
    if (function.core or (number == OP_MULTIPLY or number == OP_ADD) and not (is_known(a) and is_known(b))) and (
            is_left_to_python(number, a, b)):
        return NotImplemented
    if stands_for_array(a) or stands_for_array(b):
        arrays = with_arrays((a, b))
        if arrays is not None:
            return binary(number, arrays[0], arrays[1])
    if isinstance(a, ndarray):
        if not is_known(b) and (defers_to(b) or is_more_than_elements(b) and not (number == OP_POWER and is_matrix(b))):
            return NotImplemented
        result = ask(FORWARD[number], (a, b), function, "__call__", METHOD_REFLECTED[number])
    else:
        if number == OP_MULTIPLY and is_matrix(a):
            return a * numpy.asarray(b)
        result = ask(REFLECTED[number], (b, a), function, "reflected", None)
    if result is not NOT_OVERRIDDEN:
        return result
    if stead is not None:
        return unary_by(<ufunc>stead, a)
    if function.core:
        return compute_gufunc(function.table, (a, b), None, None)
    if number == OP_DIVMOD:
        return compute_ufunc(function.table, (a, b), None, True, None)
    return compute_binary(function.table, a, b)


cdef object unary_by(ufunc function, object a):
    """Compute a ufunc of one operand; overrides have been asked."""
    result = quick_unary(function.table, a)
    if result is None:
        result = quick_unary_of_heir(function.table, a)
    return compute_ufunc(function.table, (a,), None, True, None) if result is None else result


cdef object instead_of_power(ndarray a, object exponent):
    """Return what NumPy computes in the stead of an array's power: the square, the square root, the reciprocal; or None."""
    if a.scalar_:
        return None
    if PyLong_CheckExact(exponent):
        if exponent == 2:
            return square
        if exponent == -1 and dtype_of(a) >= 9:
            return reciprocal
    elif PyFloat_CheckExact(exponent) and exponent == 0.5 and dtype_of(a) >= 9:
        return sqrt
    return None


cdef object inplace(int number, ndarray array, object other):
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    if array.scalar_:
        result = binary(number, array, other)
        # The interpreter lets a sequence repeat itself where `*` says so, not `*=`.
        return operator.mul(array, other) if result is NotImplemented and number == OP_MULTIPLY else result
    if not function.core and number != OP_POWER and (type(array) is ndarray or heir_of(array, other) is not NULL) and (
            quick_into(function.table, array, other, array) or mixed_into(function.table, array, other, array)):
        return array
    if dtype_of_scalar(other) >= 0:
        return inplace(number, array, held_scalar(other))
    if not is_known(other) and defers_to(other):
        return NotImplemented
    result = ask(INPLACE[number], (array, other), function, "in place", METHOD_REFLECTED[number])
    if result is not NOT_OVERRIDDEN:
        return result
    if function.core:
        if array.header.dim() == 0 or numpy.ndim(other) < 2:
            raise ValueError(
                "inplace matrix multiplication requires the first operand to have at least one and the second at least "
                "two dimensions."
            )
        return compute_gufunc(function.table, (array, other), (array,), None)
    if number == OP_POWER:
        stead = instead_of_power(array, other)
        if stead is not None:
            return compute_ufunc((<ufunc>stead).table, (array,), (array,), True, None)
        if 1 <= dtype_of(array) <= 8 and may_write_power(function, array, other):
            # An exponent below zero is an error that the loop finds halfway: let it be found before anything is written.
            compute_binary(function.table, array, other)
    return compute_ufunc(function.table, (array, other), (array,), True, None)


cdef bint may_write_power(ufunc function, ndarray array, object other) except -1:
    """Whether NumPy's casting rule lets the power into the array: it comes before the loop's own error."""
    cdef Resolution* entry
    cdef int dtype = dtype_of(<ndarray>other) if isinstance(other, ndarray) else WEAK_INT
    if dtype >= 9 and dtype != WEAK_INT:
        return False
    entry = function.table.find(dtype_of(array), dtype)
    return entry.state == 1 and same_kind(entry.types[2], dtype_of(array))


cdef object unary(int number, ndarray array):
    cdef ufunc function = <ufunc>ARITHMETIC[number]
    if is_held(array):
        result = quick_scalar_unary(number - OP_NEGATIVE, array)
        if result is not None:
            return result
    if may_be_temporary(<PyObject*>array) or learning:
        result = reusing(number, array, None)
        if result is not None:
            return result
    result = quick_unary(function.table, array)
    if result is None:
        result = quick_unary_of_heir(function.table, array)
    if result is None:
        result = straight(function.table, array, None)
    if result is not None:
        return result
    result = ask(FORWARD[number], (array,), function, "__call__", None)
    return unary_by(function, array) if result is NOT_OVERRIDDEN else result


cdef inline bint read_double(object value, double* number) noexcept:
    """Whether an operand is a scalar of float64, ours or NumPy's, or a number of Python's that is one; and which."""
    cdef int overflow = 0
    cdef int64_t integer
    if PyFloat_CheckExact(value):
        number[0] = PyFloat_AS_DOUBLE(value)
        return True
    if PyLong_CheckExact(value):
        integer = as_int64(value, &overflow)
        number[0] = <double>integer
        return not overflow and -EXACT < integer < EXACT
    if PyBool_Check(value):
        number[0] = value is True
        return True
    if is_held(value) and (<ndarray>value).header.value_dtype() == FLOAT64:
        number[0] = (<const double*>(<ndarray>value).header.value())[0]
        return True
    if dtype_of_scalar(value) == FLOAT64:
        number[0] = (<const double*>value_of_scalar(value))[0]
        return True
    return False


cdef inline bint read_integer(object value, int64_t* number) noexcept:
    """Whether an operand is a scalar of int64, ours or NumPy's, or Python's int or bool; and which."""
    cdef int overflow = 0
    if PyLong_CheckExact(value):
        number[0] = as_int64(value, &overflow)
        return not overflow
    if PyBool_Check(value):
        number[0] = value is True
        return True
    if is_held(value) and (<ndarray>value).header.value_dtype() == INT64:
        number[0] = (<const int64_t*>(<ndarray>value).header.value())[0]
        return True
    if dtype_of_scalar(value) == INT64:
        number[0] = (<const int64_t*>value_of_scalar(value))[0]
        return True
    return False


cdef inline int compare_held(int comparison, Header* scalar, object b) except -2:
    """Whether a scalar compares so with one of its dtype or with a number; -1 where more than that has to be asked."""
    cdef int overflow = 0
    cdef int64_t integer
    cdef const char* other
    if not nothing_listens_to_scalars():
        return -1
    if PyLong_CheckExact(b):
        integer = as_int64(b, &overflow)
        return -1 if overflow else compares_with_integer(scalar.value_dtype(), comparison, scalar.value(), integer)
    if PyFloat_CheckExact(b):
        return compares_with_real(scalar.value_dtype(), comparison, scalar.value(), PyFloat_AS_DOUBLE(b))
    other = value_of(b, scalar.value_dtype())
    return -1 if other is NULL else compares_alike(scalar.value_dtype(), comparison, scalar.value(), other)


cdef object compare(int comparison, object a, object b):
    """Compare an array with something else."""
    cdef double real
    cdef int64_t integer
    cdef int truth
    cdef Header* scalar = &(<ndarray>a).header
    if is_held(a):
        if scalar.value_dtype() == FLOAT64:
            if read_double(b, &real) and nothing_listens_to_scalars():
                return truth_scalar(compares(comparison, (<const double*>scalar.value())[0], real))
        elif scalar.value_dtype() == INT64 and read_integer(b, &integer) and nothing_listens_to_scalars():
            return truth_scalar(compares(comparison, (<const int64_t*>scalar.value())[0], integer))
        else:
            truth = compare_held(comparison, scalar, b)
            if truth >= 0:
                return truth_scalar(truth)
    return compare_any(comparison, a, b)


cdef object compared_with_none(ndarray array, bint unequal):
    """Return what is equal to None, nothing, or what is not; None where that takes a closer look."""
    cdef ndarray truths
    if not is_plain(array) or dtype_of(array) >= NUM_NUMPY_DTYPES or not thread_is_plain() or not is_c_contiguous(array):
        return None
    if array.scalar_:
        return bool(unequal)  # NumPy: a truth of Python's, not one of its own
    if array.header.dim() == 0:
        return truth_scalar(unequal)
    truths = new_array(BOOL, array.header.dim(), array.header.sizes())
    memset(truths.header.origin(), unequal, truths.header.numel())
    return truths


cdef object compare_by_kind(int comparison, object a, object b):
    cdef ufunc function
    if b is None and type(a) is ndarray and (comparison == Py_EQ or comparison == Py_NE):
        result = compared_with_none(<ndarray>a, comparison == Py_NE)
        if result is not None:
            return result
    function = <ufunc>COMPARISONS[comparison]
    if are_held(a, b):
        result = quick_scalars(function.table.scalar_operation, a, b, True)
        if result is not None:
            return result
    result = quick_binary(function.table, a, b)
    if result is None:
        result = quick_binary_of_heirs(function.table, a, b)
    if result is None:
        result = straight(function.table, a, b)
    if result is not None:
        return result
    if stands_for_array(b):
        arrays = with_arrays((a, b))
        if arrays is not None:
            return compare(comparison, arrays[0], arrays[1])
    if not is_known(b) and (defers_to(b) or is_more_than_elements(b)):
        return NotImplemented
    result = ask(COMPARING[comparison], (a, b), function, "__call__", SWAPPED_COMPARISONS[comparison])
    if result is not NOT_OVERRIDDEN:
        return result
    if not is_known(b) and not isinstance(
            b, (ndarray, numpy.ndarray, numpy.generic, bool, complex, list, tuple)) and not is_tensor(b) and (
            not hasattr(type(b), "__array__") and not hasattr(type(b), "__torch_function__")):
        # None, a string, any other object: NumPy compares element by element, or says why it cannot.
        return call_numpy(PYTHON_COMPARISONS[comparison], (a, b), {})
    return compute_binary(function.table, a, b)


# By its address, so that the compiler leaves it out of the short way.
cdef CompareSlot compare_any = compare_by_kind
cdef tuple PYTHON_COMPARISONS = (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)


def operator_functions():
    """Return what hooks see as functions for arithmetic and comparisons."""
    return [function for function in (*FORWARD, *REFLECTED, *INPLACE, *COMPARING) if function is not None]


def set_operators(dict ufuncs not None):
    """Give the operators their ufuncs, by name."""
    global square, sqrt, reciprocal
    cdef int number
    for number, name in enumerate(NAMES):
        ARITHMETIC[number] = <PyObject*>(<ufunc?>ufuncs[name])
        SCALAR_OPERATIONS[number] = SCALAR_POWER if number == OP_POWER else (<ufunc>ufuncs[name]).table.scalar_operation
    for number, name in enumerate(COMPARISON_NAMES):
        COMPARISONS[number] = <PyObject*>(<ufunc?>ufuncs[name])
    square, sqrt, reciprocal = ufuncs["square"], ufuncs["sqrt"], ufuncs["reciprocal"]
    set_operator_slots(binary, inplace, unary, compare)
