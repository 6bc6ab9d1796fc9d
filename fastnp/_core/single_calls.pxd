"""Calls that are one operator of ATen's where an array is not plain: nothing has a hook, and torch has the kernel."""
from libc.stdint cimport int64_t

from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport ndarray

# Whether an array is of those: not plain, its axes forwards, no class with a hook; of a dtype that torch computes with.
cdef bint is_single(ndarray array) except -1

# x[index] for an array of integers or truths that is plain, beside Ellipsis and slices of all; None for other keys, and
# where NumPy has to say what is wrong.
cdef object pick(ndarray array, object key)
# Elements along an axis (-1: of the flattened array) at numbers that are in bounds; None where they are not.
cdef ndarray take_numbers(ndarray array, int axis, const int64_t* numbers, int ndim, const int64_t* shape)
cdef ndarray gather_numbers(ndarray array, int axis, ndarray numbers)
cdef ndarray sort_single(ndarray array, int axis)
cdef ndarray repeat_single(ndarray array, int64_t count, int axis)
cdef ndarray triangle_single(ndarray array, bint lower, int64_t offset)
# A matrix of zeros with a line as one of its diagonals, and the view of a diagonal.
cdef ndarray matrix_single(ndarray array, int64_t offset)
cdef Tensor diagonal_single(const Tensor&, int64_t offset, int first, int second) except *
# A copy of the same elements in the same order in memory, in C order of the shape of a line, or in another dtype.
cdef Tensor copy_single(const Tensor&) except *
cdef Tensor line_single(const Tensor&) except *
cdef Tensor cast_single(const Tensor&, int dtype) except *

# The order is that of single_calls.h.
cdef enum Likeness:
    EMPTY_LIKE, ONES_LIKE, ZEROS_LIKE

cdef ndarray like_single(int likeness, ndarray array)
# Filled with a Python number; None where that is not one that torch and NumPy take alike.
cdef ndarray filled_single(ndarray array, object value)
