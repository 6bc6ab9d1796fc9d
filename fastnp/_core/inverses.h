// Inverses by torch's LAPACK.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/linalg_inv_ex.h>

#include "interpreter.h"

namespace fastnp {

// The inverses of a stack of matrices, computed of their transposes: ATen reads and writes a matrix by columns. An undefined
// tensor where one of them is singular.
inline at::Tensor inverses_of(const at::Tensor& matrices) {
  const InterpreterRelease release(true);
  const auto [inverses, info] = at::linalg_inv_ex(matrices.mT());
  const int* const singular = info.const_data_ptr<int>();
  for (int64_t i = 0; i < info.numel(); ++i)
    if (singular[i] != 0) return at::Tensor();
  return inverses.mT();
}

}  // namespace fastnp
