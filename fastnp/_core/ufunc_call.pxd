"""One call of an elementwise ufunc, from its arguments to its result."""
from fastnp._core.loops cimport LoopTable

# `outs` is a tuple of nout members (or None); `options` are the keywords other than out and where (or None).
cdef object call_ufunc(object function, LoopTable table, tuple inputs, tuple outs, object where, dict options)
# The arguments of the call as an override gets them.
cdef object ask_overrides(object function, tuple inputs, tuple outs, object where, dict options)
cdef tuple replaced(LoopTable table, tuple inputs, int index)
cdef object in_container(object result, tuple outs, bint as_tensors, object template)
