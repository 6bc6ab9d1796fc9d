"""The array's arithmetic, comparison and bitwise operators, by its ufuncs."""
from fastnp._core.ndarray cimport ndarray

# The ufunc of one operand that computes a power: the square, the square root, the reciprocal; or None.
cdef object instead_of_power(ndarray a, object exponent)
