"""The methods of ufuncs by torch: gradients, transforms, modes, other devices, bfloat16 and float8."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

cdef object reduce_by_torch(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, ndarray mask,
    bint as_tensors, object template
)
# Fill axes as one call of torch takes them (None, an int, a tuple); their number, or -1 for all.
cdef int fill_axes(object axes, int64_t* positions) except -2
# The reduction of all elements, or along axes, by one call of torch; None where there is more to it. The first is shorter,
# for what is not plain: over all (NULL, None) or one axis.
cdef object reduced_directly(LoopTable table, ndarray source, PyObject* axis)
cdef object reduced_at_once(LoopTable table, ndarray source, object axis, object dtype, object keepdims)
cdef object accumulated_at_once(LoopTable table, ndarray source, object axis, object dtype)
# The positions of extrema, likewise.
cdef object position_at_once(ndarray array, object axis, bint keepdims, bint smallest)
cdef object accumulate_by_torch(
    LoopTable table, ndarray source, object axis, object dtype, object out, bint as_tensors, object template
)
cdef object reduceat_by_torch(
    object function, LoopTable table, ndarray source, object indices, object axis, object dtype, object out,
    bint as_tensors, object template
)
cdef object at_by_torch(object function, LoopTable table, ndarray target, object indices, tuple values)
# Positions along one axis of the extrema of a tensor, complex numbers included; of several equal ones the first.
cdef object positions_of_extrema(object tensor, int dim, bint smallest, bint skips_nan)
