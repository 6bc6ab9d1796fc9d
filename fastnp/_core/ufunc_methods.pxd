"""The methods of ufuncs."""
from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

cdef object reduce(
    object function, LoopTable table, object array, object axis, object dtype, object out, object keepdims, object initial,
    object where
)
cdef object accumulate(object function, LoopTable table, object array, object axis, object dtype, object out)
cdef object reduceat(object function, LoopTable table, object array, object indices, object axis, object dtype, object out)
cdef object outer(object function, LoopTable table, tuple args, dict kwargs)
cdef object at(object function, LoopTable table, object a, object indices, tuple values)

# What the methods do once overrides have been asked.
cdef object reduce_array(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, object where,
    bint as_tensors, object template
)
cdef object accumulate_array(
    LoopTable table, ndarray source, object axis, object dtype, object out, bint as_tensors, object template
)
# Count a write to `out`, which NumPy is about to make.
cdef int written(object out) except -1
