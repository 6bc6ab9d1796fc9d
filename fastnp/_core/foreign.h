// A tensor on memory that a Python object owns.
#pragma once
#include <ATen/core/Tensor.h>
#include <Python.h>
#include <c10/core/CPUAllocator.h>

#include "dtype.h"

namespace fastnp {

inline void release_owner(void* owner) {
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(static_cast<PyObject*>(owner));
  PyGILState_Release(state);
}

// `data` is the lowest address of `bytes` bytes; strides are in elements and not negative.
inline at::Tensor tensor_over(PyObject* owner, void* data, int64_t bytes, int dtype, c10::IntArrayRef sizes,
                              c10::IntArrayRef strides) {
  Py_INCREF(owner);
  auto storage = c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), bytes, at::DataPtr(data, owner, &release_owner, c10::Device(c10::kCPU)),
      nullptr, false);
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(std::move(storage)),
                                                         c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                         c10::scalarTypeToTypeMeta(SCALAR_TYPES[dtype]));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return tensor;
}

}  // namespace fastnp
