// A small array as a ufunc's loop takes it: where it begins, how far its elements are apart, and in which order they are.
#pragma once
#include "header.h"
#include "parallel.h"

namespace fastnp {

// Which elements lie side by side. One axis has C's order, whatever its step.
enum LineOrder : int { NO_LINE, C_LINE, FORTRAN_LINE };

struct Line {
  char* data;
  intptr_t step;
};

// Of an array that is not in one piece in C's order, but for axes of one element: one in Fortran's, or one axis, in either
// direction. No data where it is not that, or so long that it may be better to bring its elements together first.
[[gnu::noinline]] inline Line line_of_axis(const Header& header, uint64_t flipped, int* order) {
  const intptr_t item = ITEMSIZES[header.dtype()];
  if (header.numel() >= kReleaseFrom) return {nullptr, 0};
  if (header.dim() == 1) {
    const intptr_t step = header.strides()[0] * item;
    *order = C_LINE;
    if (!flipped) return {header.origin(), step};
    return {header.origin() + (header.numel() - (header.numel() > 0)) * step, -step};
  }
  const bool forwards = !flipped || !header.runs_backwards(flipped), in_c = forwards && header.is_contiguous();
  *order = in_c ? C_LINE : FORTRAN_LINE;
  return {in_c || (forwards && header.is_fortran_contiguous()) ? header.origin() : nullptr, item};
}

// The order of an array that is plain, of a dtype of NumPy's and of fewer elements than `small` has for that, one step apart.
[[gnu::always_inline]] inline int line_of(const Header& header, uint64_t flipped, const int64_t* small, int* dtype, char** data,
                                           intptr_t* step) {
  *dtype = header.dtype();
  if (*dtype < 0 || *dtype >= NUM_NUMPY_DTYPES || !header.is_plain() || header.numel() >= small[*dtype]) return NO_LINE;
  if (!flipped && header.is_contiguous()) {
    *data = header.origin();
    *step = ITEMSIZES[*dtype];
    return C_LINE;
  }
  int order;
  const Line line = line_of_axis(header, flipped, &order);
  *data = line.data;
  *step = line.step;
  return line.data == nullptr ? NO_LINE : order;
}

// Whether what `line_of` says of one, data aside, holds for the other as well: one layout of one dtype, and no tensor.
[[gnu::always_inline]] inline bool lie_alike(const Header& first, bool first_flipped, const Header& second,
                                             bool second_flipped) {
  if (first_flipped || second_flipped || first.has_tensor() || second.has_tensor()) return false;
  const int ndim = first.dim();
  if (first.dtype() != second.dtype() || ndim != second.dim()) return false;
  const int64_t* const extents = first.sizes();
  const int64_t* const others = second.sizes();
  for (int i = 0; i < 2 * ndim; ++i)  // the strides come after the sizes
    if (extents[i] != others[i]) return false;
  return true;
}

}  // namespace fastnp
