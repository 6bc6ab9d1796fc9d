// A small array as a ufunc's loop takes it: where it begins, and how far its elements are apart.
#pragma once
#include "header.h"

namespace fastnp {

struct Line {
  char* data;
  intptr_t step;
};

// Of an array that is not in one piece: one axis, in either direction. No data where it is not that.
[[gnu::noinline]] inline Line line_of_axis(const Header& header, bool flipped) {
  if (header.dim() != 1) return {nullptr, 0};
  const intptr_t step = header.strides()[0] * ITEMSIZES[header.dtype()];
  if (!flipped) return {header.origin(), step};
  return {header.origin() + (header.numel() - (header.numel() > 0)) * step, -step};
}

// Whether an array is plain, of a dtype of NumPy's and of fewer elements than `small` has for that, one step apart.
[[gnu::always_inline]] inline bool line_of(const Header& header, bool flipped, const int64_t* small, int* dtype, char** data,
                                           intptr_t* step) {
  *dtype = header.dtype();
  if (*dtype < 0 || *dtype >= NUM_NUMPY_DTYPES || !header.is_plain() || header.numel() >= small[*dtype]) return false;
  const bool in_order = !flipped && header.is_contiguous();
  // By value: an address that is given away would keep all of this in memory.
  const Line line = in_order ? Line{header.origin(), ITEMSIZES[*dtype]} : line_of_axis(header, flipped);
  *data = line.data;
  *step = line.step;
  return line.data != nullptr;
}

}  // namespace fastnp
