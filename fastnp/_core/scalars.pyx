"""Scalars computed with as NumPy's own are: two numbers, no loop and no array (scalars.h)."""
from cpython.bool cimport PyBool_Check
from cpython.complex cimport PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsUnsignedLongLong, PyLong_CheckExact
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.dtype cimport BOOL, NUM_NUMPY_DTYPES, WEAK_COMPLEX, WEAK_FLOAT, WEAK_INT
from fastnp._core.engine cimport OVERFLOW
from fastnp._core.loops cimport report_float_flags
from fastnp._core.ndarray cimport ndarray, new_scalar, nothing_listens_to_scalars, truth_scalar
from fastnp._core.numpy_scalars cimport dtype_of_scalar, value_of_scalar

cdef extern from "integers.h" namespace "fastnp":
    int64_t as_int64(object, int* overflow)

cdef extern from "scalars.h" namespace "fastnp" nogil:
    cppclass ScalarOperand:
        int kind
        const char* data
        int64_t own
        double own_real, own_imaginary
    int MULTIPLY "fastnp::ScalarOperation::MULTIPLY"
    int OVERFLOWED, WEAK_UNSIGNED
    bint is_complex(int kind)
    int compute_scalars(int operation, const ScalarOperand&, const ScalarOperand&, char* out)
    int compute_scalar(int operation, int dtype, const char* data, char* out)

cdef object MOST_UNSIGNED = 2**64 - 1


# NumPy: operators of integer scalars say that they overflow, ufuncs do not, nor does a bool on the left.
# By the operation's number in scalars.h.
cdef tuple OVERFLOWING = ("scalar add", "scalar subtract", "scalar multiply")


cdef bint read_unsigned(object value, ScalarOperand* operand) except -1:
    if value > MOST_UNSIGNED:
        return False
    operand.kind = WEAK_UNSIGNED
    operand.own = <int64_t>PyLong_AsUnsignedLongLong(value)
    return True


cdef inline bint read_scalar(object value, ScalarOperand* operand) except -1:
    """Read what may be an operand of scalar arithmetic: a scalar, ours or NumPy's, or a number of Python's."""
    cdef int overflow = 0
    if isinstance(value, ndarray):
        if not (<ndarray>value).header.holds_value():
            return False
        operand.kind = (<ndarray>value).header.value_dtype()
        operand.data = (<ndarray>value).header.value()
        # The numbers above are those of Python's int and float.
        return operand.kind < NUM_NUMPY_DTYPES
    operand.data = <const char*>&operand.own
    if PyFloat_CheckExact(value):
        operand.kind = WEAK_FLOAT
        operand.own_real = PyFloat_AS_DOUBLE(value)
        return True
    if PyLong_CheckExact(value):
        operand.kind = WEAK_INT
        operand.own = as_int64(value, &overflow)
        return not overflow or overflow > 0 and read_unsigned(value, operand)
    if PyBool_Check(value):
        operand.kind = BOOL
        operand.own = value is True
        return True
    if PyComplex_CheckExact(value):
        operand.kind = WEAK_COMPLEX
        operand.own_real, operand.own_imaginary = PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value)
        return True
    operand.kind = dtype_of_scalar(value)
    operand.data = value_of_scalar(value)
    return operand.kind >= 0


cdef object quick_scalars(int operation, object a, object b, bint by_operator):
    """Return the result of two scalars, not both Python's; None where that is a loop's."""
    cdef ScalarOperand first, second
    cdef char value[16]
    cdef int dtype
    cdef ndarray result
    if not read_scalar(a, &first) or not read_scalar(b, &second) or not nothing_listens_to_scalars():
        return None
    if operation == MULTIPLY and not by_operator and (is_complex(first.kind) or is_complex(second.kind)):
        return None  # the loop's products are rounded once
    dtype = compute_scalars(operation, first, second, value)
    if dtype <= OVERFLOWED:
        dtype = OVERFLOWED - dtype
        if by_operator and (first.kind != BOOL or not isinstance(a, ndarray)):
            report_float_flags(OVERFLOW, OVERFLOWING[operation])
    if dtype < 0:
        return None
    if dtype == BOOL:
        return truth_scalar(value[0] != 0)
    result = new_scalar(dtype)
    memcpy(result.header.origin(), value, 16)
    return result


cdef object quick_scalar_unary(int operation, ndarray a):
    cdef char value[16]
    cdef int dtype
    cdef ndarray result
    if not nothing_listens_to_scalars():
        return None
    dtype = compute_scalar(operation, a.header.value_dtype(), a.header.value(), value)
    if dtype <= OVERFLOWED:
        dtype = OVERFLOWED - dtype
        report_float_flags(OVERFLOW, "scalar absolute" if operation else "scalar negative")
    if dtype < 0:
        return None
    result = new_scalar(dtype)
    memcpy(result.header.origin(), value, 16)
    return result


def as_scalar(ndarray array not None):
    """Return a fresh 0-d array as one that stands for a NumPy scalar."""
    array.scalar_ = True
    array.writeable_ = False
    array.base_ = None
    return array
