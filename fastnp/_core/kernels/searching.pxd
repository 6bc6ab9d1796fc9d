"""Elements of plain arrays that are not zero."""
from cpython.object cimport PyObject

# nonzero(a) of bound slots; NotImplemented for what is not common.
cdef object nonzero(PyObject** slots)
