"""NumPy's exception for a call that torch has refused, or that has an argument no body expects."""
from cpython.object cimport PyObject

from fastnp._core.normalization cimport Plan

# Functions whose results NumPy assigns to `out`: broadcast, and of any dtype.
cdef frozenset ASSIGNS

# Raise what `theirs`, NumPy's function, raises for the same call on arrays of the same dtypes and shapes; return where it
# raises nothing, or cannot be asked. To be called where torch's own error is being handled.
cdef int raise_as_numpy(object theirs, tuple args, dict kwargs) except -1

# Whether NumPy's function asks its first argument for what only arrays have.
cdef bint asks_of_arrays(Plan plan) except -1

# An argument as bodies and torch want it: Python's own truth or integer for what stands for one.
cdef object expected(Plan plan, int slot, object value)

# Whether a slot holds what bodies do not expect there: a text for `keepdims`, a list or a truth for `axis`.
cdef bint unusual(Plan plan, PyObject** slots) except -1
