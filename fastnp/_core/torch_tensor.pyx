"""torch.Tensor objects: their tensor, and the object of a tensor."""
from cpython.object cimport PyObject, PyObject_TypeCheck, PyTypeObject

from fastnp._core.libtorch.python_variable cimport (
    ParameterClass,
    THPVariable_CheckExact,
    THPVariable_Unpack,
    THPVariable_Wrap,
    THPVariableClass,
)

import torch

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint subclass_hooks_disabled()

cdef extern from *:
    """
    // The object around a tensor, null where there is none yet.
    static PyObject* fastnp_object_of(const at::Tensor& tensor) {
      return tensor.unsafeGetTensorImpl()->pyobj_slot()->load_pyobj();
    }
    """
    PyObject* object_of "fastnp_object_of"(const Tensor&) noexcept

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject*, object)

cdef str HOOK = "__torch_function__"
cdef object DISABLED_HOOK = torch._C._disabled_torch_function_impl
cdef object is_transformed = torch._C._functorch.is_functorch_wrapped_tensor
cdef object dispatch_mode = torch._C._get_dispatch_mode
cdef object DISPATCH_MODES = torch._C._TorchDispatchModeKey


cdef bint is_exact_tensor(object candidate) noexcept:
    return THPVariable_CheckExact(candidate)


cdef bint asks_no_class(const Tensor& tensor) noexcept:
    cdef PyObject* known = object_of(tensor)
    if known is NULL or known.ob_type == <PyTypeObject*>THPVariableClass or known.ob_type == <PyTypeObject*>ParameterClass:
        return True
    return subclass_hooks_disabled() or _PyType_Lookup(known.ob_type, HOOK) == <PyObject*>DISABLED_HOOK


cdef bint is_tensor(object candidate) noexcept:
    # Not isinstance: torch's metaclass answers it in Python.
    return PyObject_TypeCheck(candidate, <PyTypeObject*>THPVariableClass)


cdef Tensor unwrap(object tensor) except *:
    if not PyObject_TypeCheck(tensor, <PyTypeObject*>THPVariableClass):
        raise TypeError(f"expected a torch.Tensor, not {type(tensor).__module__}.{type(tensor).__qualname__}")
    return THPVariable_Unpack(tensor)


cdef object wrap(const Tensor& tensor):
    return THPVariable_Wrap(tensor)


cdef bint values_are_known(object tensor) except -1:
    return type(tensor) is torch.Tensor and tensor.device.type != "meta" and not is_transformed(tensor) and (
        dispatch_mode(DISPATCH_MODES.FAKE) is None and dispatch_mode(DISPATCH_MODES.PROXY) is None
    )
