"""Unsigned integers of 16, 32 and 64 bits on torch, which stores them and has few kernels for them."""

# The signed torch.dtype as wide as each of them.
cdef dict SIGNED
# `function`, a ufunc's torch function, of tensors of which one at least is of such a dtype. Results of 16 and 32 bits
# are left wider.
cdef object apply_to_unsigned(object function, str name, list tensors)
