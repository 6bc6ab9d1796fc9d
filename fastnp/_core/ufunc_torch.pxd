"""A ufunc call by torch: gradients, transforms, modes, other devices, bfloat16 and float8."""
from fastnp._core.libtorch.Tensor cimport Tensor
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
# A tensor, or an array that is new, as the result of a call.
cdef object new_from_torch(object result, bint as_tensors, object template)
# A tensor as an array of this dtype (negative: of its own), which stands for a scalar if it has no dimensions.
cdef ndarray new_general(const Tensor& tensor, int dtype)
# Apply a ufunc's torch function to tensors of its loop's dtypes, by way of another dtype where torch has no kernel. The
# result may be of a wider dtype.
cdef object apply(LoopTable table, list tensors)
# The torch function of the dtype that the first operand is cast to.
cdef object kernel_of(LoopTable table, object tensor)
# Give a table its torch functions: one, or a dict of them by the letters of NumPy's kinds of dtype.
cdef int set_kernels(LoopTable table, object rows) except -1

cdef enum:
    # What operands are: bits of a set.
    ARRAY_SEEN = 1
    TENSOR_SEEN = 2
    SUBCLASS_SEEN = 4

cdef enum:
    # Which operand may be a Python number: bits of LoopTable.takes_numbers.
    FIRST = 1
    SECOND = 2

# The torch.Tensor of an operand, or a Python number, and its kind as LoopTable.find takes it; None for anything else.
cdef object as_operand(object value, int* kind, int* seen)
# An operand as a tensor of the loop's dtype, or as a number that is as good; None where it does not fit.
cdef object as_loop_operand(object operand, int kind, int dtype, bint takes_number, object beside)
# The same without the object around a tensor; False for what torch's functions have to read.
cdef bint fill_operand(object value, Tensor* tensor, int* kind, int* seen) except -1
cdef bint cast_operand(object value, Tensor* tensor, int kind, int dtype, bint takes_number) except -1
# Whether torch computes in a dtype as NumPy does, any call; and those that go element by element.
cdef bint has_kernels(int dtype) noexcept
cdef bint has_elementwise_kernels(int dtype) noexcept
# A tensor as the result of a call, of this dtype.
cdef object as_dtype(object tensor, int dtype, bint as_tensors, object template)
# Whether torch may have to compute: something listens, or an operand is not plain. (None: there is no second.)
cdef bint is_general(object a, object b) noexcept
# A call without options by one call of torch (and a cast where promotion asks for one), overrides having been asked; None
# where there is more to it.
cdef object call_general(LoopTable table, object a, object b)
# The same into an array that is given; None where there is more to it than one call of torch.
cdef object into_out(LoopTable table, object a, object b, ndarray out)
