"""Questions about dtypes that NumPy answers once: what two promote to, and whether one can be cast to another.

Each cell of the tables is asked of NumPy the first time it occurs. What is no dtype of ours is declined: NumPy then
answers the call itself.
"""
cimport numpy as cnp
from cpython.complex cimport PyComplex_CheckExact
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject

from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body
from fastnp._core.dtype cimport (
    NUM_DTYPES,
    NUM_KINDS,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    index_of,
    index_of_numpy,
    numpy_dtype,
)
from fastnp._core.ndarray cimport dtype_of, from_tensor, ndarray, wrapped
from fastnp._core.sequences cimport holds_tensors, is_sequence
from fastnp._core.torch_tensor cimport is_tensor, unwrap

import numpy

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef tuple WEAK_VALUES = (0, 0.0, 0j)
# NumPy: unsigned where there is no sign to keep.
cdef tuple INTEGER_RANGES = tuple([
    (numpy.dtype(code), int(numpy.iinfo(code).min), int(numpy.iinfo(code).max)) for code in "BHIQbhil"
])
cdef tuple CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")

# A dtype's index and one, 0 where NumPy has not been asked, -1 where it has to be asked with the values.
cdef signed char PROMOTED[NUM_KINDS][NUM_KINDS]
# 1 or -1 for yes or no, 0 where NumPy has not been asked.
cdef signed char CASTABLE[5][NUM_DTYPES][NUM_DTYPES]
# The same of three and more: promotion is not associative, so that they have to be asked for together.
cdef dict PROMOTED_TOGETHER = {}
# numpy.dtype indices by what has spelled them: classes and strings, which are few.
cdef dict SPELLED = {}


cdef int kind_of(object value, bint weak) except -2:
    """Return the index of the dtype that an argument stands for, or of a Python scalar's kind; -1 for anything else."""
    if isinstance(value, cnp.dtype):
        return max(index_of_numpy(value), -1)
    if isinstance(value, ndarray):
        return dtype_of(<ndarray>value)
    if PyLong_CheckExact(value):
        return WEAK_INT if weak else -1
    if PyFloat_CheckExact(value):
        return WEAK_FLOAT if weak else -1
    if PyComplex_CheckExact(value):
        return WEAK_COMPLEX if weak else -1
    if isinstance(value, (type, str)):
        found = SPELLED.get(value)
        if found is None:
            found = SPELLED[value] = spelled(value)
        return found
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return max(index_of_numpy(value.dtype), -1)
    if is_tensor(value):
        return index_of(unwrap(value).scalar_type())
    return -1


cdef int spelled(object value) except -2:
    try:
        return max(index_of_numpy(numpy.dtype(value)), -1)
    except TypeError:  # NumPy says so in its own words when the call is made
        return -1


cdef object promoted(int first, int second):
    cdef signed char* cell = &PROMOTED[first][second]
    if cell[0] == 0:
        cell[0] = ask((first, second)) + 1 or -1
    return NotImplemented if cell[0] < 0 else numpy_dtype(cell[0] - 1)


cdef int ask(tuple kinds) except -2:
    stand_ins = [numpy_dtype(kind) if kind < NUM_DTYPES else WEAK_VALUES[kind - WEAK_INT] for kind in kinds]
    try:
        return max(index_of_numpy(numpy.result_type(*stand_ins)), -1)
    except TypeError:  # as above
        return -1


cdef object call_result_type(PyObject** slots):
    arguments = <tuple>slots[0]
    cdef int first, second
    if len(arguments) > 2:
        return promoted_together(arguments)
    if not arguments:
        return NotImplemented
    first = kind_of(arguments[0], True)
    second = first if len(arguments) == 1 else kind_of(arguments[1], True)
    return NotImplemented if first < 0 or second < 0 else promoted(first, second)


cdef object promoted_together(tuple arguments):
    cdef int kind
    kinds = []
    for value in arguments:
        kind = kind_of(value, True)
        if kind < 0:
            return NotImplemented
        kinds.append(kind)
    kind = promoted_kinds(tuple(kinds))
    return NotImplemented if kind < 0 else numpy_dtype(kind)


cdef int promoted_kinds(tuple kinds) except -2:
    found = PROMOTED_TOGETHER.get(kinds)
    if found is None:
        found = PROMOTED_TOGETHER[kinds] = ask(kinds)
    return found


cdef inline bint is_array(object value) except -1:
    # NumPy: no dtype is made of an array where a dtype is asked for.
    kind = type(value)
    return kind is not type and kind is not str and not isinstance(value, cnp.dtype) and (
        isinstance(value, (ndarray, cnp.ndarray)) or is_tensor(value))


cdef object call_promote_types(PyObject** slots):
    cdef int first, second
    if is_array(<object>slots[0]) or is_array(<object>slots[1]):
        return NotImplemented
    first, second = kind_of(<object>slots[0], False), kind_of(<object>slots[1], False)
    return NotImplemented if first < 0 or second < 0 else promoted(first, second)


cdef object quick_promote_types(PyObject* const* args, Py_ssize_t count):
    return call_promote_types(<PyObject**>args) if count == 2 and not function_mode_enabled() else NotImplemented


cdef object call_can_cast(PyObject** slots):
    cdef int first = kind_of(<object>slots[0], False), second = kind_of(<object>slots[1], False), rule
    cdef signed char* cell
    casting = <object>slots[2]
    if first < 0 or second < 0 or is_array(<object>slots[1]) or type(casting) is not str or casting not in CASTINGS:
        return NotImplemented
    rule = CASTINGS.index(casting)
    cell = &CASTABLE[rule][first][second]
    if cell[0] == 0:
        cell[0] = 1 if numpy.can_cast(numpy_dtype(first), numpy_dtype(second), casting) else -1
    return cell[0] > 0


cdef object call_common_type(PyObject** slots):
    """The inexact type of arrays: integers count as float64, and one complex array makes it complex."""
    cdef int kind, widest = -1
    cdef bint is_complex = False
    for array in <tuple>slots[0]:
        if not isinstance(array, (ndarray, numpy.ndarray)):
            return NotImplemented
        kind = kind_of(array, False)
        if kind < 1 or kind > 13:
            return NotImplemented
        is_complex = is_complex or kind > 11
        widest = max(widest, 11 if kind < 9 else kind - 2 if kind > 11 else kind)
    # NumPy: there is no complex type as narrow as float16.
    if widest < 0 or (is_complex and widest == 9):
        return NotImplemented
    return numpy_dtype(widest + 2 if is_complex else widest).type


cdef object call_min_scalar_type(PyObject** slots):
    """The dtype of an array; of a scalar the smallest that holds its value."""
    value = <object>slots[0]
    cdef ndarray array
    if isinstance(value, ndarray) or is_tensor(value):
        array = <ndarray>value if isinstance(value, ndarray) else from_tensor(unwrap(value))
        if array.header.dim() > 0:
            return numpy_dtype(dtype_of(array))
        return numpy.min_scalar_type(numpy.array(wrapped(array).item(), numpy_dtype(dtype_of(array))))
    if PyLong_CheckExact(value):
        for dtype, low, high in INTEGER_RANGES:
            if low <= value <= high:
                return dtype
    if is_sequence(value):
        holds_tensors(value)  # refuses what is within itself, which NumPy looks into for ever
    return numpy.min_scalar_type(value)


can_cast_body = new_compiled_body(call_can_cast)
common_type_body = new_compiled_body(call_common_type)
min_scalar_type_body = new_compiled_body(call_min_scalar_type)
promote_types_body = new_quick_body(quick_promote_types, call_promote_types)
result_type_body = new_compiled_body(call_result_type)
