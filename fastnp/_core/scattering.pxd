"""ufunc.at of plain arrays of one dimension."""
from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

# Do table.ufunc.at(array, indices, value) where the arguments are common; False, nothing done, where they are not. The
# caller knows that nothing listens.
cdef bint at_plain(LoopTable table, ndarray array, ndarray indices, object given) except -1
