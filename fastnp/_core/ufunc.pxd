"""The ufunc object."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

ctypedef object (*vectorcallfunc)(object, PyObject* const*, size_t, PyObject*)

cdef class ufunc:
    cdef vectorcallfunc vectorcall
    cdef LoopTable table
    cdef int nin_, nout_
    cdef int64_t small[14]       # elements below which a call is one loop of NumPy's, by dtype
    cdef bint core               # a generalized ufunc
    cdef object numpy_function
    cdef dict __dict__

# The result for small plain operands (arrays proper and numbers, Python's or NumPy's; for the second pair also instances of
# a subclass that has nothing to say to it), to which nothing listens; None where a call is not that.
cdef object quick_binary(ufunc self, object a, object b)
cdef object quick_unary(ufunc self, object a)
cdef object quick_binary_of_heirs(ufunc self, object a, object b)
cdef object quick_unary_of_heir(ufunc self, object a)
# The same of a call with `dtype=`, of arrays proper alone.
cdef object quick_typed(ufunc self, PyObject* const* args, int count, object asked)
# Compute; overrides have been asked.
cdef object compute_binary(ufunc self, object a, object b)
cdef bint quick_into(ufunc self, ndarray a, object other, ndarray out) except -1
# The arguments of a call: positional ones, and keywords already in a dict (or None).
cdef object call_bound(ufunc self, tuple args, dict kwargs)
