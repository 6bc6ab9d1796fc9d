"""Calls of the generalized ufuncs: matmul, vecdot, matvec, vecmat."""
from libc.stdint cimport intptr_t

from fastnp._core.loops cimport LoopTable, Resolution
from fastnp._core.ndarray cimport ndarray

# `call_gufunc` asks for overrides first; `compute_gufunc` is for callers who have.
cdef object call_gufunc(object function, LoopTable table, tuple inputs, tuple outs, dict options)
cdef object compute_gufunc(LoopTable table, tuple inputs, tuple outs, dict options)
# `exact`: every product in the order of NumPy's BLAS, the smallest too.
cdef ndarray plain_product(LoopTable table, ndarray a, ndarray b, bint exact, str name=*)
cdef bint is_large_product(LoopTable table, tuple inputs) except -1
# Whether `out` can be given a product as it is.
cdef bint takes_product(object out) noexcept
# A product of vectors and matrices of one dtype by one call of torch; None where there is more to it.
cdef object product_at_once(LoopTable table, object a, object b)
# Multiply stacks of matrices by NumPy's inner loop, integers by our own where it is worth it.
cdef int multiply_matrices(Resolution* entry, int dtype, char** args, const intptr_t* dims,
                           const intptr_t* steps) except -1 nogil
