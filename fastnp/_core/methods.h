// Methods as those of built-in types are: a call makes no tuple and no dict.
#pragma once
#include <Python.h>

namespace fastnp {

using FastCall = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

inline PyObject* new_method(PyTypeObject* type, const char* name, FastCall function, const char* doc) {
  auto* const method = new PyMethodDef{name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                                       METH_FASTCALL | METH_KEYWORDS, doc};  // the descriptor points to it for ever
  return PyDescr_NewMethod(type, method);
}

}  // namespace fastnp
