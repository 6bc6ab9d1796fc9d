"""Decompositions that other chapters build on."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray

# The array of a slot as a plain stack of matrices that has elements; None where it is not one.
cdef ndarray matrix_of(PyObject* slot, bint square)
# The length of a dimension, counted from the last, which is 1.
cdef int64_t side(ndarray array, int from_last) noexcept
cdef bint is_number(int dtype) noexcept
cdef bint is_single(int dtype) noexcept
cdef bint is_complex_dtype(int dtype) noexcept
# The singular values of matrices, and all three factors; None where NumPy has no such loop.
cdef ndarray singular_values(ndarray given)
cdef tuple singular(ndarray given, bint full)
cdef object inverse(PyObject** slots)
