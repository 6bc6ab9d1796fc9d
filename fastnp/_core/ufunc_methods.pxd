"""The methods of ufuncs."""
from fastnp._core.loops cimport LoopTable

cdef object reduce(
    object function, LoopTable table, object array, object axis, object dtype, object out, object keepdims, object initial,
    object where
)
cdef object accumulate(object function, LoopTable table, object array, object axis, object dtype, object out)
cdef object reduceat(object function, LoopTable table, object array, object indices, object axis, object dtype, object out)
cdef object outer(object function, LoopTable table, tuple args, dict kwargs)
cdef object at(object function, LoopTable table, object a, object indices, tuple values)
