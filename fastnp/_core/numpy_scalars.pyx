"""NumPy's own scalars as operands.

A dtype's name called is NumPy's scalar type, so that programs compute with its instances: they are read where they lie,
and take part in a call as scalars of ours, whose promotion is the same. On the left of an operator they leave it to an array
of ours, as Python's numbers do.
"""
cimport numpy as cnp
from cpython.bool cimport PyBool_Check
from cpython.object cimport PyTypeObject
from libc.string cimport memcpy

from fastnp._core.dtype cimport BOOL, ITEMSIZES, NUM_NUMPY_DTYPES, index_of_type_number, numpy_dtype
from fastnp._core.ndarray cimport ndarray, new_scalar

cnp.import_array()

cdef extern from "numpy_scalars.h" namespace "fastnp" nogil:
    cppclass ScalarTypes:
        void add(object scalar_type, int dtype)
        int dtype_of(object value)

cdef extern from "deferring_scalars.h" namespace "fastnp":
    void let_scalars_defer "fastnp::let_scalars_defer<fastnp::NUM_NUMPY_DTYPES>"(
        object scalar_type, int dtype, PyTypeObject* array) noexcept

cdef ScalarTypes TYPES
for _dtype in range(NUM_NUMPY_DTYPES):
    TYPES.add(numpy_dtype(_dtype).type, _dtype)
    let_scalars_defer(numpy_dtype(_dtype).type, _dtype, <PyTypeObject*>ndarray)


cdef int dtype_of_scalar(object value) noexcept:
    return TYPES.dtype_of(value)


cdef ndarray held_scalar(object value):
    cdef int dtype = dtype_of_scalar(value)
    cdef ndarray scalar
    cdef const char* data
    cdef char truth
    if dtype >= 0:
        data = value_of_scalar(value)
    elif PyBool_Check(value):
        dtype, truth, data = BOOL, value is True, &truth
    elif type(value) is cnp.ndarray and cnp.PyArray_NDIM(value) == 0 and cnp.PyArray_ISBEHAVED_RO(value):
        dtype, data = index_of_type_number(cnp.PyArray_TYPE(value)), <const char*>cnp.PyArray_DATA(value)
        if dtype < 0:
            return None
    else:
        return None
    scalar = new_scalar(dtype)
    memcpy(scalar.header.origin(), data, ITEMSIZES[dtype])
    return scalar
