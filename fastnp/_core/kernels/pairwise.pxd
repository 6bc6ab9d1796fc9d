"""einsum of any plain arrays, two operands at a time."""
from fastnp._core.ndarray cimport ndarray

# The result, or NotImplemented where NumPy has to say it; nothing has been written then.
cdef object contract(tuple operands)
