"""A callable of NumPy's, given views of arrays and giving arrays back."""


cdef class borrowed:
    cdef void* vectorcall
    cdef readonly object __wrapped__
    cdef bint deep
    cdef dict __dict__


cdef class borrowed_method(borrowed):
    pass
