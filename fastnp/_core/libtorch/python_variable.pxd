# torch/csrc/autograd/python_variable.h
from cpython.object cimport PyObject

from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error


cdef extern from "<torch/csrc/autograd/python_variable.h>":
    PyObject* THPVariableClass
    PyObject* ParameterClass
    object THPVariable_Wrap(const Tensor&) except +translate_torch_error
    const Tensor& THPVariable_Unpack(object)
    bint THPVariable_Check(object) except +translate_torch_error
    bint THPVariable_CheckExact(object)
