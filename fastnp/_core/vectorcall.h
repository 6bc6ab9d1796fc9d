// Vectorcall glue: arguments as the tuple and dict that a `__torch_function__` gets, and other tuples made in C.
#pragma once
#include <Python.h>

#include <cstdint>

namespace fastnp {

inline PyObject* tuple_of(PyObject* const* items, Py_ssize_t count) {
  PyObject* const tuple = PyTuple_New(count);
  if (tuple == nullptr) return nullptr;
  for (Py_ssize_t index = 0; index < count; ++index) {
    Py_INCREF(items[index]);
    PyTuple_SET_ITEM(tuple, index, items[index]);
  }
  return tuple;
}

inline PyObject* dict_of(PyObject* const* values, PyObject* names) {
  PyObject* const dict = PyDict_New();
  if (dict == nullptr || names == nullptr) return dict;
  for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(names); ++index) {
    if (PyDict_SetItem(dict, PyTuple_GET_ITEM(names, index), values[index]) < 0) {
      Py_DECREF(dict);
      return nullptr;
    }
  }
  return dict;
}

inline PyObject* tuple_of_integers(const int64_t* values, Py_ssize_t count) {
  PyObject* const tuple = PyTuple_New(count);
  if (tuple == nullptr) return nullptr;
  for (Py_ssize_t index = 0; index < count; ++index) {
    PyObject* const integer = PyLong_FromLongLong(values[index]);
    if (integer == nullptr) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SET_ITEM(tuple, index, integer);
  }
  return tuple;
}

// The types of a tuple's items.
inline PyObject* types_of(PyObject* items) {
  const Py_ssize_t count = PyTuple_GET_SIZE(items);
  PyObject* const types = PyTuple_New(count);
  if (types == nullptr) return nullptr;
  for (Py_ssize_t index = 0; index < count; ++index) {
    PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(PyTuple_GET_ITEM(items, index)));
    Py_INCREF(type);
    PyTuple_SET_ITEM(types, index, type);
  }
  return types;
}

// A class method called without a bound method in between.
inline PyObject* call_class_method(PyObject* method, PyObject* type, PyObject* function, PyObject* types, PyObject* args,
                                   PyObject* kwargs) {
  PyObject* const callable = reinterpret_cast<PyObject**>(method + 1)[0];  // classmethod.cm_callable
  PyObject* values[] = {type, function, types, args, kwargs};
  return PyObject_Vectorcall(callable, values, 5, nullptr);
}

}  // namespace fastnp
