"""Arrays that carry a gradient as plain ones over the same memory."""
from fastnp._core.ndarray cimport ndarray

# A plain array over the memory of one that carries a gradient, which it keeps; None where that is not all there is to it.
cdef ndarray detached(ndarray array)
