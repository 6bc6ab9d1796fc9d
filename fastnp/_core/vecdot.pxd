"""vecdot of plain arrays: products of their vectors, of which the first of each pair is conjugated."""
from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

cdef ndarray plain_vecdot(LoopTable table, ndarray a, ndarray b, bint exact, str name=*)
cdef tuple along_last_axis(tuple inputs, dict options)
cdef int report_named(unsigned flags, LoopTable table, str name) except -1
