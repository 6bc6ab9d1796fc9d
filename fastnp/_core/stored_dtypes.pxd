"""Dtypes that torch stores and has few kernels for: unsigned integers of 16, 32 and 64 bits, and float8."""

# The signed torch.dtype as wide as each of them.
cdef dict SIGNED
# The torch.dtypes of 8-bit floating numbers.
cdef frozenset FLOAT8
# `function`, a ufunc's torch function, of tensors of which one at least is of such a dtype. Results of 16 and 32 bits
# are left wider.
cdef object apply_to_unsigned(object function, str name, list tensors)
