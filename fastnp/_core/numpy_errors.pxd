"""NumPy's exception for a call that torch has refused."""

# Raise what `theirs`, NumPy's function, raises for the same call on arrays of the same dtypes and shapes; return where it
# raises nothing, or cannot be asked. To be called where torch's own error is being handled.
cdef int raise_as_numpy(object theirs, tuple args, dict kwargs) except -1
