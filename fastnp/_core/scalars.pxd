"""Scalars computed with as NumPy's own are."""
from fastnp._core.ndarray cimport ndarray

# The result of an operation of scalars.h on two scalars, not both Python's; None where that is a loop's.
cdef object quick_scalars(int operation, object a, object b, bint by_operator)
cdef object quick_scalar_unary(int operation, ndarray a)
