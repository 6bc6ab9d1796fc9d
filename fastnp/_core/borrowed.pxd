"""A callable of NumPy's, given views of arrays and giving arrays back."""
from fastnp._core.dispatcher cimport Body
from fastnp._core.normalization cimport Plan


cdef class borrowed:
    cdef void* vectorcall
    cdef readonly object __wrapped__
    cdef bint deep, saves
    cdef Plan plan            # of the arguments after the instance
    cdef Body compiled        # asked first on a plain thread, and may decline with NotImplemented; or NULL
    cdef object elsewhere     # what is asked first where an argument is an array on another device, and may decline; or None
    cdef object owner         # the instance that a function is a method of, for its compiled body; or None
    cdef dict __dict__


cdef class borrowed_method(borrowed):
    pass
