"""choose: each element from the one of several choices that its number says.

The choices are arrays, lists and numbers, which promote together and are broadcast with the numbers. The body declines, by
NotImplemented, what is not common: other spellings, no dimensions, errors.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_C, assign, astype
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport INT64, ITEMSIZES, NUM_NUMPY_DTYPES, WEAK_FLOAT, WEAK_INT
from fastnp._core.kernels.arguments cimport has_shape, is_plain_array
from fastnp._core.kernels.taking cimport Bounds, bounds_of
from fastnp._core.loops cimport store_weak
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, ndarray, new_array, new_scalar
from fastnp._core.promotion cimport promoted_kinds
from fastnp._core.sequences cimport is_sequence, of_sequence, with_arrays

cdef extern from "operand.h" namespace "fastnp" nogil:
    bint broadcast_into(int* ndim, int64_t* shape, int other_ndim, const int64_t* other)
    int64_t count_elements(int ndim, const int64_t* shape)

cdef extern from "taking.h" namespace "fastnp" nogil:
    bint choose_elements(const int64_t* given, int64_t count, const char** begins, const int64_t* steps, int64_t choice_count,
                         Bounds bounds, int64_t itemsize, char* chosen)

cdef enum:
    CHOICES = 63          # as many as NumPy takes
    RELEASE_FROM = 65536  # choosing fewer bytes keeps the GIL


# The shape that all have together.
cdef struct Extent:
    int ndim
    int64_t shape[MAXDIMS]


cdef bint extend(Extent* extent, ndarray array) noexcept:
    """Broadcast with one array more; False where it does not fit."""
    cdef int64_t shape[MAXDIMS]
    cdef int ndim = fill_shape(array, shape)
    return broadcast_into(&extent.ndim, extent.shape, ndim, shape)


cdef ndarray spread(ndarray array, int dtype, Extent* extent):
    """Return an array over the whole shape, packed and of a dtype: itself where it is that."""
    cdef ndarray whole
    if has_shape(array, extent.ndim, extent.shape):
        return astype(array, dtype, ORDER_C, False)
    whole = new_array(dtype, extent.ndim, extent.shape)
    assign(whole, array)
    return whole


cdef ndarray one_value(object choice, int dtype):
    """Return a number, or an array of one element, as a value of a dtype; None where it does not fit."""
    cdef ndarray value = new_scalar(dtype)
    if type(choice) is ndarray:
        assign(value, <ndarray>choice)
        return value
    return value if store_weak(data_of(value), dtype, choice) else None


cdef int promoted(list choices) except -2:
    """Return the index of the choices' common dtype, numbers of Python's being weak; -1 where NumPy has to say it."""
    cdef int kind, common = -1
    cdef bint alike = True
    cdef list kinds = []
    for choice in choices:
        kind = dtype_of(<ndarray>choice) if type(choice) is ndarray else WEAK_FLOAT if type(choice) is float else WEAK_INT
        alike = alike and common in (-1, kind)
        common = kind
        kinds.append(kind)
    if not alike or common >= WEAK_INT:
        common = promoted_kinds(tuple(kinds))
    return common if common < NUM_NUMPY_DTYPES else -1


cdef object chosen(object numbers, object given, object out, PyObject* mode):
    cdef const char* begins[CHOICES]
    cdef int64_t steps[CHOICES]
    cdef const int64_t* places
    cdef char* into
    cdef Extent extent
    cdef Bounds bounds
    cdef int dtype, place = 0
    cdef int64_t count
    cdef bint done
    cdef ndarray index, choice, result
    cdef list choices, alive = []
    if not bounds_of(mode, &bounds) or out is not None and not (
            is_plain_array(<PyObject*>out) and (<ndarray>out).writeable_):
        return NotImplemented
    if is_sequence(numbers):
        numbers = of_sequence(numbers, False)
    if not is_plain_array(<PyObject*>numbers) or dtype_of(<ndarray>numbers) > INT64:
        return NotImplemented
    # NumPy: the rows of an array are the choices.
    if not is_sequence(given) and not is_plain_array(<PyObject*>given) or is_plain_array(<PyObject*>given) and (
            (<ndarray>given).header.dim() == 0):
        return NotImplemented
    if not 0 < len(given) <= CHOICES:
        return NotImplemented
    choices = with_arrays(given)
    if choices is None:
        return NotImplemented
    dtype = promoted(choices)
    extent.ndim = fill_shape(<ndarray>numbers, extent.shape)
    for item in choices:
        if type(item) is ndarray and not extend(&extent, <ndarray>item):
            return NotImplemented
    count = count_elements(extent.ndim, extent.shape)
    if dtype < 0 or extent.ndim == 0 or count <= 0 or out is not None and (
            dtype_of(<ndarray>out) != dtype or not has_shape(<ndarray>out, extent.ndim, extent.shape)):
        return NotImplemented
    index = spread(<ndarray>numbers, INT64, &extent)
    for item in choices:
        if type(item) is ndarray and (<ndarray>item).header.numel() > 1:
            choice, steps[place] = spread(<ndarray>item, dtype, &extent), ITEMSIZES[dtype]
        else:
            choice, steps[place] = one_value(item, dtype), 0
        if choice is None:
            return NotImplemented
        alive.append(choice)
        begins[place] = data_of(choice)
        place += 1
    result = new_array(dtype, extent.ndim, extent.shape)
    places, into = <const int64_t*>data_of(index), data_of(result)
    if count * ITEMSIZES[dtype] >= RELEASE_FROM:
        with nogil:
            done = choose_elements(places, count, begins, steps, place, bounds, ITEMSIZES[dtype], into)
    else:
        done = choose_elements(places, count, begins, steps, place, bounds, ITEMSIZES[dtype], into)
    if not done or out is None:
        return result if done else NotImplemented
    assign(<ndarray>out, result)
    return out


cdef object choose(PyObject** slots):
    """choose(a, choices, out, mode)."""
    return chosen(<object>slots[0], <object>slots[1], <object>slots[2], slots[3])


cdef object choose_method(PyObject** slots):
    """a.choose(*choices, out, mode), the choices one by one or in one sequence."""
    choices = <object>slots[1]
    return chosen(<object>slots[0], choices[0] if len(choices) == 1 else choices, <object>slots[2], slots[3])


#: Name of the function, or of the method where `_method` follows, to its body.
BODIES = {"choose": new_compiled_body(choose), "choose_method": new_compiled_body(choose_method)}
