"""A ufunc of small plain operands of one dtype: one loop, without a list or a dict."""
from cpython.object cimport PyObject

from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

# Say up to how many elements a call is small.
cdef int set_small(LoopTable table) except -1
# The result for small plain operands (arrays proper and numbers, Python's or NumPy's; for the second pair also instances of
# a subclass that has nothing to say to it), to which nothing listens; None where a call is not that.
cdef object quick_binary(LoopTable table, object a, object b)
cdef object quick_unary(LoopTable table, object a)
cdef object quick_binary_of_heirs(LoopTable table, object a, object b)
cdef object quick_unary_of_heir(LoopTable table, object a)
# The same of a call with `dtype=`, of arrays proper alone.
cdef object quick_typed(LoopTable table, PyObject* const* args, int count, object asked)
# The same into an array of the operands' shape, and of no dimension; False where a call is not that.
cdef bint quick_into(LoopTable table, ndarray a, object other, ndarray out) except -1
cdef bint mixed_into(LoopTable table, ndarray a, object other, ndarray out) except -1
cdef bint element_into(LoopTable table, ndarray a, object b, ndarray out) except -1
# Compute, quickly if that is possible; overrides have been asked.
cdef object compute_binary(LoopTable table, object a, object b)
