"""NumPy's own function as the kernel of a call on plain CPU arrays."""
from cpython.object cimport PyObject

# The result of `theirs` on zero-copy views of the arguments, with its arrays as ours; NotImplemented, before anything
# is computed, where an argument is no plain CPU array or the default dtypes are not NumPy's. `out` is the object that
# comes back as it is, `written` the positional argument whose elements change (-1: none).
cdef object call_host(
    object theirs, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject* out, int written
)
# What NumPy returned, as ours: new memory is taken over, a view of our memory becomes a view of the array it is of.
cdef object take_over(object value)
