"""A ufunc call by torch: gradients, transforms, modes, other devices, bfloat16 and float8."""
from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport ndarray

cdef list resolve(LoopTable table, tuple inputs, dict options)
cdef object cast(object tensor, object dtype)
cdef int check_devices(list tensors) except -1
cdef object call_torch(
    LoopTable table, tuple inputs, tuple outs, object where, dict options, bint as_tensors, object template
)
# Write a tensor to an array given as `out`, after NumPy's checks.
cdef int check_out(LoopTable table, ndarray out, object tensor, str casting) except -1
cdef object write_out(object out, object tensor)
cdef object new_from_torch(object tensor, bint as_tensors, object template)
# Apply a ufunc's torch function to tensors of its loop's dtypes, by way of another dtype where torch has no kernel. The
# result may be of a wider dtype.
cdef object apply(object function, str name, list tensors)
