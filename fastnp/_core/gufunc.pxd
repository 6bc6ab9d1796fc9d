"""Calls of the generalized ufuncs: matmul, vecdot, matvec, vecmat."""
from fastnp._core.loops cimport LoopTable

cdef object call_gufunc(object function, LoopTable table, tuple inputs, tuple outs, dict options)
