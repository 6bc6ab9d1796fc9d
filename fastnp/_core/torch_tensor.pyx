"""torch.Tensor objects: their tensor, and the object of a tensor."""
from fastnp._core.libtorch.python_variable cimport (
    THPVariable_Check,
    THPVariable_CheckExact,
    THPVariable_Unpack,
    THPVariable_Wrap,
)


cdef bint is_exact_tensor(object candidate) noexcept:
    return THPVariable_CheckExact(candidate)


cdef bint is_tensor(object candidate) except -1:
    return THPVariable_Check(candidate)


cdef Tensor unwrap(object tensor) except *:
    return THPVariable_Unpack(tensor)


cdef object wrap(const Tensor& tensor):
    return THPVariable_Wrap(tensor)
