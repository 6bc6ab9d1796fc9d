// Another shape for an array's own header: `a.shape = (2, 3)`.
#pragma once

#include "header.h"

namespace fastnp {

// Reshape memory in C order by a tuple of sizes, or one size; false, and nothing is done, where that takes a closer look.
inline bool reshape_in_place(Header& header, PyObject* shape) {
  constexpr int64_t kMaxDims = 64;
  if (header.has_tensor() || header.holds_value() || !header.is_contiguous()) return false;
  const int64_t ndim = PyTuple_CheckExact(shape) ? PyTuple_GET_SIZE(shape) : 1;
  int64_t sizes[kMaxDims], count = 1;
  if (ndim > kMaxDims) return false;
  for (int64_t axis = 0; axis < ndim; ++axis) {
    PyObject* const size = PyTuple_CheckExact(shape) ? PyTuple_GET_ITEM(shape, axis) : shape;
    int overflow = 0;
    if (!PyLong_CheckExact(size)) return false;
    sizes[axis] = PyLong_AsLongLongAndOverflow(size, &overflow);
    if (overflow != 0 || sizes[axis] <= 0 || __builtin_mul_overflow(count, sizes[axis], &count)) return false;
  }
  if (count != header.numel()) return false;
  header.set_c_layout(header.dtype(), static_cast<int>(ndim), sizes);
  return true;
}

}  // namespace fastnp
