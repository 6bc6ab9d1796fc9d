// Strided memory as nested lists of Python numbers.
#pragma once
#include "element.h"

namespace fastnp {

template <class Make>
inline PyObject* list_of(const char* data, int64_t count, int64_t step, Make&& make) {
  PyObject* const list = PyList_New(count);
  if (list == nullptr) return nullptr;
  for (int64_t i = 0; i < count; ++i, data += step) {
    PyObject* const item = make(data);
    if (item == nullptr) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SET_ITEM(list, i, item);
  }
  return list;
}

inline PyObject* nested_list(const char* data, int dtype, int ndim, const int64_t* shape, const int64_t* strides) {
  if (ndim == 0) return read_item(data, dtype);
  if (ndim > 1)
    return list_of(data, shape[0], strides[0],
                   [=](const char* row) { return nested_list(row, dtype, ndim - 1, shape + 1, strides + 1); });
  switch (dtype) {
    case FLOAT64:
      return list_of(data, shape[0], strides[0], [](const char* at) { return PyFloat_FromDouble(load<double>(at)); });
    case INT64:
      return list_of(data, shape[0], strides[0], [](const char* at) { return PyLong_FromLongLong(load<int64_t>(at)); });
    default:
      return list_of(data, shape[0], strides[0], [=](const char* at) { return read_item(at, dtype); });
  }
}

}  // namespace fastnp
