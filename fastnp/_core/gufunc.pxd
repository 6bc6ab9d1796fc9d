"""Calls of the generalized ufuncs: matmul, vecdot, matvec, vecmat."""
from fastnp._core.loops cimport LoopTable

# `call_gufunc` asks for overrides first; `compute_gufunc` is for callers who have.
cdef object call_gufunc(object function, LoopTable table, tuple inputs, tuple outs, dict options)
cdef object compute_gufunc(LoopTable table, tuple inputs, tuple outs, dict options)
