"""What the bodies of reductions ask of their arguments."""
from cpython.object cimport PyObject

from fastnp._core.ndarray cimport ndarray

# Whether an argument is not given, or None.
cdef bint is_default(PyObject* slot) noexcept
# An argument, or `default` where it is not given.
cdef object given(PyObject* slot, object default)
# The first of at most two arguments where torch has to compute on it and nobody overrides the call; or None.
cdef ndarray general_array(PyObject* const* args, Py_ssize_t count)
# The one element of an array of no dimension along an axis.
cdef ndarray as_line(ndarray array)
# A result, or the array that is to take it with the result in it; None where NumPy has to say how it fits.
cdef ndarray in_place_of(ndarray result, PyObject* out)
