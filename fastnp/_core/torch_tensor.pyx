"""torch.Tensor objects: their tensor, and the object of a tensor."""
from cpython.object cimport PyObject_TypeCheck, PyTypeObject

from fastnp._core.libtorch.python_variable cimport (
    THPVariable_CheckExact,
    THPVariable_Unpack,
    THPVariable_Wrap,
    THPVariableClass,
)


cdef bint is_exact_tensor(object candidate) noexcept:
    return THPVariable_CheckExact(candidate)


cdef bint is_tensor(object candidate) noexcept:
    # Not isinstance: torch's metaclass answers it in Python.
    return PyObject_TypeCheck(candidate, <PyTypeObject*>THPVariableClass)


cdef Tensor unwrap(object tensor) except *:
    return THPVariable_Unpack(tensor)


cdef object wrap(const Tensor& tensor):
    return THPVariable_Wrap(tensor)
