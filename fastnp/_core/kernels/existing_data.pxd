"""Arrays of nested lists and numbers."""
from fastnp._core.ndarray cimport ndarray

# The array of a sequence or a number, in an order where it has axes; NotImplemented where NumPy has to say what it is.
cdef object of_numbers(object given, object dtype, int order)
# A view of a plain array in C or Fortran's order with so many axes, the first ones of length one.
cdef ndarray with_axes_in_front(ndarray array, int ndmin, bint fortran)
