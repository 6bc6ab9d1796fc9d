"""The ufunc object."""
from cpython.object cimport PyObject

from fastnp._core.loops cimport LoopTable

ctypedef object (*vectorcallfunc)(object, PyObject* const*, size_t, PyObject*)

cdef class ufunc:
    cdef vectorcallfunc vectorcall
    cdef LoopTable table
    cdef int nin_, nout_
    cdef bint core               # a generalized ufunc
    cdef object numpy_function
    cdef dict __dict__

# The arguments of a call: positional ones, and keywords already in a dict (or None).
cdef object call_bound(ufunc self, tuple args, dict kwargs)
