"""Arrays and NumPy's arrays on the same memory."""
from fastnp._core.ndarray cimport ndarray

cdef object to_numpy(ndarray array)
cdef ndarray from_numpy(object array)
# Whether a value is a NumPy array proper of a dtype that arrays have here.
cdef bint is_numpys(object value) except -1
# NumPy's array of the elements of an array on any device, where somebody asks for them: to print or save.
cpdef object on_host(ndarray array)
# What NumPy gets in the place of a foreign object: the object, or where it has `__array__` a reader of that.
cdef object readable(object value)
# What NumPy says to an `__array__` that gives no array of its own.
cdef str NOT_NUMPYS
# An uninitialised array; the shape's members are Python integers.
cdef ndarray empty(tuple shape, int dtype, bint fortran)
