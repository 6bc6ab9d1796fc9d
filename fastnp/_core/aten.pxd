"""ATen's operators as torch's Python functions call them, without these around."""
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error

cdef extern from "aten.h" namespace "fastnp":
    cppclass Scalar "c10::Scalar":
        Scalar()
        Scalar(double)
        Scalar(int64_t)
    cppclass Thrown "std::exception_ptr":
        pass
    # Calls of operators by their numbers and of functions below, with tensors of arrays. False where one throws: `rethrow`
    # raises it.
    bint call_kept(int operator, const Tensor& a, const Tensor* b, Tensor& into, Thrown& thrown) noexcept
    bint call_kept(int operator, const Tensor& a, const Scalar& b, Tensor& into, Thrown& thrown) noexcept
    bint reduce_kept(int reduction, const Tensor&, bint all_axes, int64_t axis, int dtype, Tensor& into, Thrown& thrown) noexcept
    bint join_kept(bint stacked, const vector[Tensor]&, int64_t axis, Tensor& into, Thrown& thrown) noexcept
    bint where_kept(const Tensor& condition, const Tensor& x, const Tensor& y, Tensor& into, Thrown& thrown) noexcept
    void rethrow(const Thrown& thrown) except +translate_torch_error
    bint operator_takes_number(int operator)

# A Python number as torch's functions take it; False where it is none that they take.
cdef bint fill_scalar(object value, Scalar* into) except -1

# Whether torch's Python functions would do no more with a tensor than call the operator: nothing has a hook.
cdef bint is_direct(const Tensor&) except -1

# The number of the operator of one or two tensors behind a function of torch's; -1 where it is more than that.
cdef int operator_of(object function, int tensors) except -2
cdef Tensor call_unary(int operator, const Tensor& a) except *
cdef Tensor call_binary(int operator, const Tensor& a, const Tensor& b) except *
# With a Python number on the right, where torch has an overload for it; False where it has not, or not for this number.
cdef bint call_with_number(int operator, const Tensor& a, object b, Tensor* into) except -1
# Into a tensor; False where torch has no such overload.
cdef bint call_into(int operator, const Tensor* operands, const Tensor& out) except -1
# The number of the operator of one or two tensors that writes into another, by ATen's name; and its call.
cdef int writing_operator(str name) except -1
cdef int write_direct(int operator, const Tensor* operands, const Tensor& out) except -1
# Make a Python number a tensor as torch's functions do; False where it is none that they take.
cdef bint fill_number(object value, Tensor* into) except -1
cdef Tensor cast_direct(const Tensor&, int dtype) except *
cdef Tensor where_direct(const Tensor& condition, const Tensor& x, const Tensor& y) except *
# With a Python number as the first of the two, or the second; False where it is none that torch's functions take.
cdef bint where_number_direct(const Tensor& condition, const Tensor&, object number, bint first, Tensor* into) except -1
# Between bounds that are Python numbers; False where one is none that torch's functions take.
cdef bint clamp_direct(const Tensor&, object low, object high, Tensor* into) except -1

# The order of these is that of aten.h.
cdef enum Reduction:
    TORCH_ALL, TORCH_AMAX, TORCH_AMIN, TORCH_ANY, TORCH_ARGMAX, TORCH_ARGMIN, TORCH_CUMPROD, TORCH_CUMSUM, TORCH_MEAN
    TORCH_PROD, TORCH_SUM

# Reduce over the axes, over all of them if `count` is negative; torch chooses the dtype of a negative one.
cdef Tensor reduce_direct(
    int reduction, const Tensor&, const int64_t* axes, int count, bint keepdim, int dtype
) except *
cdef Tensor moment_direct(bint root, const Tensor&, const int64_t* axes, int count, bint keepdim, int64_t correction) except *

cdef Tensor join_direct(bint stacked, const vector[Tensor]&, int64_t axis) except *

cdef enum Reordering:
    TORCH_MOVEDIM, TORCH_PERMUTE, TORCH_T, TORCH_TRANSPOSE

cdef Tensor reshape_direct(const Tensor&, const int64_t* shape, int count) except *
cdef Tensor reorder_direct(int reordering, const Tensor&, const int64_t* axes, int count) except *
# With as many shifts as axes; with one, of the flattened elements, where there are no axes.
cdef Tensor roll_direct(const Tensor&, const int64_t* shifts, const int64_t* axes, int count) except *
# The view that integers, slices, None and Ellipsis make; False where torch's functions have to say what it is.
cdef bint index_direct(const Tensor&, object key, Tensor* into) except -1
