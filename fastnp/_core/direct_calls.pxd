"""Calls that are one operator of ATen's, of arrays of one dtype that nothing has a hook for, in few steps."""
from fastnp._core.loops cimport LoopTable

# A call of a ufunc without options for arrays, instances that leave calls to the array, and Python numbers, where something
# is not plain and nothing listens that could override the call; None for all else.
cdef object straight(LoopTable table, object a, object b)
# where(condition, x, y), and a join of a list or tuple of arrays of the class itself, one or more, along an axis that is
# counted from the front; where something is not plain. None where there is more to it, NotImplemented where NumPy has an error.
cdef object chosen_directly(object condition, object x, object y)
cdef object joined_directly(bint stacked, object arrays, int axis)
# A join of a list or tuple of torch.Tensors, one or more, whose class is not asked (any more), to a torch.Tensor.
cdef object tensors_joined_directly(bint stacked, object items, int axis)
