"""One call of an elementwise ufunc, from its arguments to its result."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.engine cimport Operand
from fastnp._core.loops cimport LoopTable, Resolution
from fastnp._core.ndarray cimport ndarray

# `outs` is a tuple of nout members (or None); `options` are the keywords other than out and where (or None).
# `call_ufunc` asks for overrides first; `compute_ufunc` is for callers who have.
cdef object call_ufunc(object function, LoopTable table, tuple inputs, tuple outs, object where, dict options)
cdef object compute_ufunc(LoopTable table, tuple inputs, tuple outs, object where, dict options)
cdef object ask_overrides(object function, tuple inputs, tuple outs, object where, dict options)
cdef tuple replaced(LoopTable table, tuple inputs, int index)
cdef object in_container(object result, tuple outs, bint as_tensors, object template)
# The loop of a call with no options but `dtype` and a rule for casts; NULL where NumPy has to read them.
cdef Resolution* entry_of(LoopTable table, int* kinds, dict options) except? NULL
# Compute with one of NumPy's loops; None where the call is one for NumPy itself.
cdef object run_plain(LoopTable table, Resolution* entry, tuple inputs, Operand* operands, int* kinds, tuple outs,
                      Operand* mask, dict options)
# The number of elements from which torch computes a ufunc on plain arrays of a dtype; -1 where it never does.
cdef int64_t torch_from(str name, int dtype)
# Write a result into an array of its dtype and shape that may be written; False where it is of another.
cdef bint goes_into(ndarray out, object result) except -1
# Whether no output is given.
cdef bint all_none(tuple outs) except -1
# Take out of the options those that say what is the default; False where others are none that a call takes.
cdef bint reduce_options(dict options, bint core) except -1
# Whether the options of a call of one result say no more than where it is written to, if that (into `out`).
cdef bint says_out_alone(PyObject* const* args, Py_ssize_t nin, Py_ssize_t count, tuple names, PyObject** out) except -1
# Whether a rule for casts allows all that a call of arrays does without one; results may be written to arrays that are given.
cdef bint allows_loops(object casting, bint writes) noexcept
# Warn of a mask without an output.
cdef int warn_of_where() except -1
# Make a 0-d result an ordinary array: `out=...` asks for that.
cdef int keep_array(object result) except -1
