// The transform of one line of complex numbers by ATen, past torch's Python function: of 10,000 that is 2 % of the time.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/fft_fft.h>
#include <ATen/ops/fft_ifft.h>

namespace fastnp {

// `norm` is torch's word, or null for the one that it takes by itself.
inline at::Tensor transform_of(const at::Tensor& line, bool backward, const char* norm) {
  const std::optional<std::string_view> asked = norm == nullptr ? std::nullopt : std::optional<std::string_view>(norm);
  return backward ? at::fft_ifft(line, std::nullopt, -1, asked) : at::fft_fft(line, std::nullopt, -1, asked);
}

}  // namespace fastnp
