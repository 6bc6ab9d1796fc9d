// What Cython cannot say of a type: its constructor, vectorcall, and entries of its dict.
#pragma once
#include <Python.h>

namespace fastnp {

// A bare header has no tensor yet: only code that gives it one at once may make it. `cls(...)` and `cls.__new__(cls, ...)`
// go to a constructor that upper floors provide.
using Construct = PyObject* (*)(PyTypeObject*, PyObject*, PyObject*);
inline newfunc bare_header = nullptr;

inline PyObject* new_bare_header(PyTypeObject* cls) {
  PyObject* const nothing = PyTuple_New(0);
  if (nothing == nullptr) return nullptr;
  PyObject* const header = bare_header(cls, nothing, nullptr);
  Py_DECREF(nothing);
  return header;
}

inline void set_constructor(PyTypeObject* type, const char* name, Construct construct) {
  bare_header = type->tp_new;
  type->tp_new = construct;
  type->tp_vectorcall = nullptr;  // Cython's own would make a bare header
  type->tp_name = name;
  PyType_Modified(type);
}

inline int set_type_attribute(PyTypeObject* type, PyObject* name, PyObject* value) {
  const int status = PyDict_SetItem(type->tp_dict, name, value);
  PyType_Modified(type);
  return status;
}

inline bool has_weak_references(PyObject* dead) noexcept {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(dead) + Py_TYPE(dead)->tp_weaklistoffset) != nullptr;
}

inline void clear_weak_references(PyObject* dead) {
  if (has_weak_references(dead)) PyObject_ClearWeakRefs(dead);
}

inline PyObject* call_wrapped(PyObject* self, PyObject* args, void* wrapped, PyObject* kwargs) {
  return reinterpret_cast<ternaryfunc>(wrapped)(self, args, kwargs);
}

// Instances keep a vectorcallfunc at `offset`; with METHOD_DESCRIPTOR a call through an attribute makes no bound method.
inline int make_vectorcall(PyTypeObject* type, Py_ssize_t offset, bool method_descriptor) {
  type->tp_vectorcall_offset = offset;
  type->tp_call = PyVectorcall_Call;
  type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  if (method_descriptor) type->tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR;
  // Programs that pass the method itself on find it in the class.
  static wrapperbase base{};
  base.name = "__call__";
  base.wrapper = reinterpret_cast<wrapperfunc>(reinterpret_cast<void (*)()>(call_wrapped));
  base.doc = "__call__($self, /, *args, **kwargs)\n--\n\nCall self as a function.";  // with its signature
  base.flags = PyWrapperFlag_KEYWORDS;
  PyObject* const descriptor = PyDescr_NewWrapper(type, &base, reinterpret_cast<void*>(PyVectorcall_Call));
  if (descriptor == nullptr) return -1;
  const int status = PyDict_SetItemString(type->tp_dict, base.name, descriptor);
  Py_DECREF(descriptor);
  PyType_Modified(type);
  return status;
}

}  // namespace fastnp
