"""Sets of the elements of plain arrays: unique elements, membership, union, intersection and difference.

Each body declines, by NotImplemented, what is not common: other spellings, half precision and complex numbers, and, where
it matters which of equal elements stays, NaNs and zeros with a sign.
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool

from fastnp._core.assign cimport ORDER_C, astype, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, ITEMSIZES, UINT64, numpy_dtype
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, is_plain_array
from fastnp._core.kernels.shape cimport flatten
from fastnp._core.loops cimport LoopTable, Resolution, table_of
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, is_c_contiguous, ndarray, new_array

import numpy

cnp.import_array()

cdef extern from "lanes.h" namespace "fastnp":
    ctypedef struct Functions "PyArray_ArrFuncs":
        pass
    Functions* functions_of(object dtype)

# Each lets go of the GIL for more than a few elements.
cdef extern from "sets.h" namespace "fastnp":
    struct Groups:
        int64_t* index
        int64_t* inverse
        int64_t* counts
    int64_t distinct(int dtype, const void* values, int64_t count, bint equal_nan, void* into, int64_t* counts, Functions*)
    int64_t group(int dtype, const void* values, int64_t count, void* into, const Groups&, uint64_t* scratch, Functions*)
    int64_t group_rows(int dtype, const void* rows, int64_t count, int64_t width, void* into, const Groups&,
                       uint64_t* scratch, Functions*)
    bint has_odd_elements(int dtype, const void* values, int64_t count)
    int64_t merge(int dtype, bint shared, const void* first, int64_t count, const void* second, int64_t other_count,
                  void* into, int64_t* places, int64_t* other_places)
    int64_t keep_absent(int dtype, void* values, int64_t count, const void* others, int64_t other_count)
    bint find_members(int dtype, const void* values, int64_t count, const void* members, int64_t member_count, bint invert,
                      cbool* found)
    int64_t keep_chosen(int dtype, void* values, int64_t count, const cbool* chosen)

# Its promotion is that of any two arrays: the dtype that holds either.
cdef LoopTable MAXIMUM = table_of(numpy.maximum)
cdef enum:
    FEW_MEMBERS = 64


cdef bint has_sets(int dtype) noexcept:
    """Whether sets of a dtype are computed here."""
    return dtype <= FLOAT64 and dtype != FLOAT16


cdef ndarray flat_of(PyObject* slot):
    """Return an array of one dimension or more, with its elements in C order; None for all else."""
    cdef ndarray array
    if not is_plain_array(slot):
        return None
    array = <ndarray><object>slot
    if array.header.dim() == 0 or not has_sets(dtype_of(array)):
        return None
    return array if is_c_contiguous(array) else copy_array(array, ORDER_C)


cdef bint are_doubles(ndarray array) noexcept:
    """Whether doubles hold the elements, in C order, exactly: they do those of all dtypes but the longest integers."""
    cdef const int64_t* numbers = <const int64_t*>data_of(array)
    cdef int64_t i, count = array.header.numel()
    cdef uint64_t limit = <uint64_t>1 << 53, most = 0
    if dtype_of(array) == INT64:
        for i in range(count):
            most |= <uint64_t>numbers[i] + limit > 2 * limit
    elif dtype_of(array) == UINT64:
        for i in range(count):
            most |= <uint64_t>numbers[i] > limit
    return most == 0


cdef tuple flat_pair(PyObject* first, PyObject* second):
    """Return two arrays in their common dtype and in C order; None for what is not common."""
    return pair_of(flat_of(first), flat_of(second))


cdef tuple pair_of(ndarray one, ndarray other):
    cdef Resolution* entry
    if one is None or other is None:
        return None
    if dtype_of(one) != dtype_of(other):
        entry = MAXIMUM.find(dtype_of(one), dtype_of(other))
        if entry.state != 1 or not has_sets(entry.types[2]):
            return None
        # NumPy: each is a set before both are one dtype, which would make integers equal that are not.
        if entry.types[2] == FLOAT64 and not (are_doubles(one) and are_doubles(other)):
            return None
        one, other = astype(one, entry.types[2], ORDER_C, False), astype(other, entry.types[2], ORDER_C, False)
    return one, other


cdef ndarray members_of(int dtype, ndarray members):
    """Return few integers as elements of a narrower dtype, without those that are none; None where that is not the case.

    So it is they that are cast, not what is looked through.
    """
    cdef ndarray narrow, back, whole, kept
    cdef int wide = dtype_of(members)
    cdef int64_t place, item, count = 0
    if not BOOL < wide <= UINT64 or members.header.numel() > FEW_MEMBERS or not are_doubles(members):
        return None
    if dtype != FLOAT32 and not (dtype <= UINT64 and ITEMSIZES[dtype] < ITEMSIZES[wide]):
        return None
    narrow = astype(members, dtype, ORDER_C, False)
    back, whole = astype(narrow, INT64, ORDER_C, False), astype(members, INT64, ORDER_C, False)
    kept = new_line(dtype, members.header.numel())
    item = ITEMSIZES[dtype]
    for place in range(members.header.numel()):
        if (<int64_t*>data_of(back))[place] == (<int64_t*>data_of(whole))[place]:
            memcpy(data_of(kept) + count * item, data_of(narrow) + place * item, item)
            count += 1
    return beginning_of(kept, count)


cdef ndarray new_line(int dtype, int64_t count):
    return new_array(dtype, 1, &count)


cdef ndarray beginning_of(ndarray found, int64_t count):
    """Return the first elements of a line, or rows of a table, that nobody else has: itself, or a copy."""
    cdef int64_t shape[MAXDIMS]
    cdef int ndim = fill_shape(found, shape)
    cdef ndarray beginning
    if shape[0] == count:
        return found
    shape[0] = count
    beginning = new_array(dtype_of(found), ndim, shape)
    memcpy(data_of(beginning), data_of(found), beginning.header.numel() * ITEMSIZES[dtype_of(found)])
    return beginning


cdef tuple distinct_of(ndarray array, bint equal_nan, bint counted):
    """Return the unique elements of an array in order, and how many there are of each, or None."""
    cdef int dtype = dtype_of(array)
    cdef int64_t count = array.header.numel()
    cdef ndarray found = new_line(dtype, count), counts = new_line(INT64, count) if counted else None
    count = distinct(
        dtype, data_of(array), count, equal_nan, data_of(found), <int64_t*>data_of(counts) if counted else NULL,
        functions_of(numpy_dtype(dtype)),
    )
    if count < 0:
        raise MemoryError
    return beginning_of(found, count), beginning_of(counts, count) if counted else None


cdef tuple grouped(ndarray array, bint by_rows, bint index, bint inverse, bint counts):
    """Return the unique elements of an array in order, or its unique rows, and those of their first places, the elements'
    groups and the counts that are asked for; None where equal elements may differ."""
    cdef Groups groups
    cdef int64_t shape[MAXDIMS]
    cdef int ndim = fill_shape(array, shape), dtype = dtype_of(array)
    cdef int64_t count = shape[0] if by_rows else array.header.numel()
    cdef ndarray found = new_array(dtype, 2, shape) if by_rows else new_line(dtype, count)
    cdef ndarray scratch = new_line(UINT64, count), places = None, numbers = None, sizes = None
    cdef Functions* functions = functions_of(numpy_dtype(UINT64))
    groups.index = groups.inverse = groups.counts = NULL
    if index:
        places = new_line(INT64, count)
        groups.index = <int64_t*>data_of(places)
    if inverse:
        numbers = new_array(INT64, 1 if by_rows else ndim, shape)
        groups.inverse = <int64_t*>data_of(numbers)
    if counts:
        sizes = new_line(INT64, count)
        groups.counts = <int64_t*>data_of(sizes)
    if by_rows:
        count = group_rows(
            dtype, data_of(array), count, shape[1], data_of(found), groups, <uint64_t*>data_of(scratch), functions
        )
    else:
        count = group(dtype, data_of(array), count, data_of(found), groups, <uint64_t*>data_of(scratch), functions)
    if count == -2:
        return None
    if count < 0:
        raise MemoryError
    return (
        beginning_of(found, count), beginning_of(places, count) if index else None, numbers,
        beginning_of(sizes, count) if counts else None,
    )


def unique_rows(ndarray rows not None, bint index, bint inverse, bint counts):
    """Return the unique rows of a table in order, and what is asked of their first places, groups and counts.

    Returns
    -------
    tuple of (ndarray or None) or None
        None for what is not common, as by the bodies.
    """
    if not is_plain_array(<PyObject*>rows) or not has_sets(dtype_of(rows)) or rows.header.dim() != 2:
        return None
    if not is_c_contiguous(rows) or rows.header.numel() == 0:
        return None
    return grouped(rows, True, index, inverse, counts)


cdef object unique(PyObject** slots):
    """unique(ar, return_index, return_inverse, return_counts, axis, equal_nan, sorted)."""
    cdef int place
    cdef ndarray array = flat_of(slots[0])
    if array is None:
        return NotImplemented
    for place in (1, 2, 3, 5):
        if type(<object>slots[place]) is not bool:
            return NotImplemented
    if slots[4] != <PyObject*>None and (array.header.dim() != 1 or axis_of(slots[4], 1) == NO_AXIS):
        return NotImplemented
    index, inverse, counts = <object>slots[1] is True, <object>slots[2] is True, <object>slots[3] is True
    if not index and not inverse:
        values, sizes = distinct_of(array, <object>slots[5] is True, counts)
        return (values, sizes) if counts else values
    results = grouped(array, False, index, inverse, counts)
    return NotImplemented if results is None else tuple([result for result in results if result is not None])


cdef ndarray membership(ndarray values, ndarray members, bint invert):
    """Return which elements are among others of the same dtype."""
    cdef int64_t shape[MAXDIMS]
    cdef ndarray found = new_array(BOOL, fill_shape(values, shape), shape)
    if not find_members(
        dtype_of(values), data_of(values), values.header.numel(), data_of(members), members.header.numel(), invert,
        <cbool*>data_of(found),
    ):
        raise MemoryError
    return found


cdef object isin(PyObject** slots):
    """isin(element, test_elements, assume_unique, invert, kind)."""
    cdef tuple pair
    cdef ndarray values, members, narrow
    if slots[4] != <PyObject*>None or type(<object>slots[3]) is not bool:
        return NotImplemented
    values, members = flat_of(slots[0]), flat_of(slots[1])
    if values is not None and members is not None:
        narrow = members_of(dtype_of(values), members)
        if narrow is not None:
            return membership(values, narrow, <object>slots[3] is True)
    pair = pair_of(values, members)
    return NotImplemented if pair is None else membership(pair[0], pair[1], <object>slots[3] is True)


cdef object setdiff1d(PyObject** slots):
    """setdiff1d(ar1, ar2, assume_unique)."""
    cdef tuple pair = flat_pair(slots[0], slots[1])
    cdef ndarray values, left, others
    if pair is None or type(<object>slots[2]) is not bool or dtype_of(pair[0]) != dtype_of(<ndarray><object>slots[0]):
        return NotImplemented
    if <object>slots[2] is True:
        values = flatten(pair[0], ORDER_C)
    else:
        values, others = distinct_of(pair[0], True, False)[0], pair[1]
        if others.header.numel() <= values.header.numel():
            others = distinct_of(others, True, False)[0]
            return beginning_of(values, keep_absent(
                dtype_of(values), data_of(values), values.header.numel(), data_of(others), others.header.numel()))
    left = membership(values, pair[1], True)
    return beginning_of(
        values, keep_chosen(dtype_of(values), data_of(values), values.header.numel(), <const cbool*>data_of(left))
    )


cdef object union1d(PyObject** slots):
    """union1d(ar1, ar2)."""
    cdef tuple pair = flat_pair(slots[0], slots[1])
    cdef ndarray one, other, both
    cdef int64_t bytes
    if pair is None:
        return NotImplemented
    one, other = pair
    both = new_line(dtype_of(one), one.header.numel() + other.header.numel())
    bytes = one.header.numel() * ITEMSIZES[dtype_of(one)]
    memcpy(data_of(both), data_of(one), bytes)
    memcpy(data_of(both) + bytes, data_of(other), other.header.numel() * ITEMSIZES[dtype_of(one)])
    return distinct_of(both, True, False)[0]


cdef bint is_odd(ndarray array) noexcept:
    """Whether some elements are NaNs, of which no two are equal to NumPy here, or zeros with a sign."""
    return has_odd_elements(dtype_of(array), data_of(array), array.header.numel())


cdef ndarray merged(ndarray one, ndarray other, bint shared):
    """Return what two sorted lines without repeats share, or what only one of them has."""
    cdef int64_t count = one.header.numel(), other_count = other.header.numel()
    cdef ndarray found = new_line(dtype_of(one), min(count, other_count) if shared else count + other_count)
    return beginning_of(
        found,
        merge(dtype_of(one), shared, data_of(one), count, data_of(other), other_count, data_of(found), NULL, NULL),
    )


cdef object intersect1d(PyObject** slots):
    """intersect1d(ar1, ar2, assume_unique, return_indices)."""
    cdef tuple pair
    if <object>slots[2] is not False or type(<object>slots[3]) is not bool:
        return NotImplemented
    pair = flat_pair(slots[0], slots[1])
    if pair is None or is_odd(pair[0]) or is_odd(pair[1]):
        return NotImplemented
    if <object>slots[3] is True:
        return intersection_with_places(pair[0], pair[1])
    return merged(distinct_of(pair[0], True, False)[0], distinct_of(pair[1], True, False)[0], True)


cdef tuple intersection_with_places(ndarray one, ndarray other):
    """Return what two arrays share, and the first places of it in both."""
    cdef ndarray values, places, other_values, other_places, found, at, other_at
    cdef int64_t count
    values, places, _, _ = grouped(one, False, True, False, False)
    other_values, other_places, _, _ = grouped(other, False, True, False, False)
    count = min(values.header.numel(), other_values.header.numel())
    found, at, other_at = new_line(dtype_of(values), count), new_line(INT64, count), new_line(INT64, count)
    count = merge(
        dtype_of(values), True, data_of(values), values.header.numel(), data_of(other_values), other_values.header.numel(),
        data_of(found), <int64_t*>data_of(at), <int64_t*>data_of(other_at),
    )
    return (
        beginning_of(found, count), places_at(places, beginning_of(at, count)),
        places_at(other_places, beginning_of(other_at, count)),
    )


cdef ndarray places_at(ndarray places, ndarray numbers):
    """Put in the place of each number the place that has it."""
    cdef int64_t* values = <int64_t*>data_of(numbers)
    cdef const int64_t* numbered = <const int64_t*>data_of(places)
    cdef int64_t i
    for i in range(numbers.header.numel()):
        values[i] = numbered[values[i]]
    return numbers


cdef object setxor1d(PyObject** slots):
    """setxor1d(ar1, ar2, assume_unique)."""
    cdef tuple pair
    if <object>slots[2] is not False:
        return NotImplemented
    pair = flat_pair(slots[0], slots[1])
    if pair is None or is_odd(pair[0]) or is_odd(pair[1]):
        return NotImplemented
    return merged(distinct_of(pair[0], True, False)[0], distinct_of(pair[1], True, False)[0], False)


#: Name of the function to its body.
BODIES = {
    "intersect1d": new_compiled_body(intersect1d),
    "isin": new_compiled_body(isin),
    "setdiff1d": new_compiled_body(setdiff1d),
    "setxor1d": new_compiled_body(setxor1d),
    "union1d": new_compiled_body(union1d),
    "unique": new_compiled_body(unique),
}
