"""Shapes, axes and views: what NumPy's array manipulation does without computing."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray

# `order` is one of assign.pxd's; `copy` is -1 where a copy is made only when it has to be, else 0 or 1.
cdef ndarray reshape(ndarray array, int ndim, const int64_t* shape, int order, int copy)
# The same of an array that is not plain, in C order; None where the shape is no tuple of ints, or does not fit.
cdef ndarray reshaped_by_torch(ndarray array, object shape)
cdef ndarray ravel(ndarray array, int order)
cdef ndarray flatten(ndarray array, int order)
# axes[i] is the array's axis that the i-th of the result is.
cdef ndarray permute(ndarray array, const int* axes)
cdef ndarray transpose(ndarray array, object axes)
cdef ndarray swapaxes(ndarray array, object axis1, object axis2)
cdef ndarray moveaxis(ndarray array, object source, object destination)
cdef ndarray squeeze(ndarray array, object axis)
cdef ndarray expand_dims(ndarray array, object axis)
cdef ndarray broadcast_to(ndarray array, int ndim, const int64_t* shape)
cdef ndarray diagonal(ndarray array, object offset, object axis1, object axis2)
cdef ndarray flip(ndarray array, object axis)
cdef ndarray as_strided(ndarray array, int ndim, const int64_t* shape, const int64_t* strides, bint writeable)
cdef ndarray view_as(ndarray array, object dtype, object cls)
# Shapes and axes as callers spell them.
cdef int parse_shape(object spelling, int64_t* shape) except -1
cdef int to_axis(object axis, int ndim) except -1
