"""Questions about dtypes that NumPy answers once."""

# What kinds of operand promote to together: the index of a dtype, -1 where NumPy has to be asked with the values.
cdef int promoted_kinds(tuple kinds) except -2
