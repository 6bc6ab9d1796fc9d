"""What a body has made, as the caller will see it."""
from fastnp._core.ndarray cimport ndarray

# The array that takes the result, or None; TypeError for what is no array.
cdef object out_array(object out)
# Write the result of a function of that name into `out`, and return the object that was given.
cdef object write_out(str name, object out, object result)
# With each tensor in it as an array, each array as a tensor, as one of the class ndarray itself, as an instance, as a view
# that has its parent's base and writeable flag.
cdef object as_arrays(object result, bint makes_scalars)
cdef object as_tensors(object result)
cdef object as_base(object result)
cdef object as_instances(object result, object template)
cdef object as_views(object result, ndarray parent)
