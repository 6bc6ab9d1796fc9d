// Where NumPy's scalars have their value (numpy/arrayscalars.h), and which dtype it is of.
#pragma once
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <cstddef>
#include <cstdint>

namespace fastnp {

static_assert(offsetof(PyBoolScalarObject, obval) == sizeof(PyObject), "a scalar's value follows its head");
static_assert(offsetof(PyCDoubleScalarObject, obval) == sizeof(PyObject), "a scalar's value follows its head");

inline const char* value_of_scalar(PyObject* scalar) noexcept {
  return reinterpret_cast<const char*>(scalar) + sizeof(PyObject);
}

// The scalar types by their address, which a question hits or misses with one or two comparisons.
class ScalarTypes {
 public:
  void add(PyObject* scalar_type, int dtype) noexcept {
    auto* const type = reinterpret_cast<PyTypeObject*>(scalar_type);
    size_t place = first_place(type);
    while (types_[place] != nullptr) place = (place + 1) % SIZE;
    types_[place] = type;
    dtypes_[place] = static_cast<int8_t>(dtype);
  }
  // -1 for any other object, instances of subclasses included.
  int dtype_of(PyObject* value) const noexcept {
    PyTypeObject* const type = Py_TYPE(value);
    for (size_t place = first_place(type); types_[place] != nullptr; place = (place + 1) % SIZE)
      if (types_[place] == type) return dtypes_[place];
    return -1;
  }

 private:
  static constexpr size_t SIZE = 64;
  static size_t first_place(PyTypeObject* type) noexcept {
    const auto address = reinterpret_cast<uintptr_t>(type);
    return (address >> 4 ^ address >> 10) % SIZE;
  }
  PyTypeObject* types_[SIZE] = {};
  int8_t dtypes_[SIZE] = {};
};

}  // namespace fastnp
