// The one map from C++ exceptions to Python's.
#pragma once
#include <Python.h>

#include <cstring>
#include <exception>
#include <new>

#include <torch/csrc/Export.h>

namespace torch {
TORCH_PYTHON_API void translate_exception_to_python(const std::exception_ptr&);  // torch/csrc/Exceptions.h
}

namespace fastnp {

// Called inside a catch block, with the GIL held.
inline void translate_torch_error() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return;
  } catch (const std::exception& error) {
    // c10's allocators report an exhausted host as a plain error.
    if (std::strstr(error.what(), "can't allocate memory")) {
      PyErr_SetString(PyExc_MemoryError, error.what());
      return;
    }
  }
  torch::translate_exception_to_python(std::current_exception());
}

}  // namespace fastnp
