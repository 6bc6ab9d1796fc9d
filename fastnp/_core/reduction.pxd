"""Reductions and accumulations of plain arrays by NumPy's loops."""
from libc.stdint cimport uint64_t

from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

# `axes` is a set of axes; `dtype` a dense index or -1. None where the call is one for NumPy itself (an error, or no such
# loop): nothing has been written then.
cdef ndarray reduce_plain(LoopTable table, ndarray array, uint64_t axes, bint keepdims, int dtype, ndarray out, ndarray where,
                          object initial)
cdef ndarray accumulate_plain(LoopTable table, ndarray array, int axis, int dtype, ndarray out)
# Axes as NumPy takes them (None: all, an integer, a tuple) to a set; False where they are to be refused.
cdef bint to_axes(object axis, int ndim, uint64_t* axes) except -1
