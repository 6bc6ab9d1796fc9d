// Operators of ATen's that make the whole of a call of ours where an array is not plain.
#pragma once
#include <ATen/ops/diag.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/zeros_like.h>

#include "aten.h"

namespace fastnp {

// Whether no dispatch mode and no transform is between a call and its kernel. (A function mode may be on.)
inline bool nothing_dispatches() noexcept {
  return (thread_state().keys->included_ | thread_state().keys->excluded_) == 0;
}

// Elements at the places of an array of integers, or where a mask holds, along axes from one on.
inline at::Tensor pick_elements(const at::Tensor& tensor, const at::Tensor& index, int64_t axis) {
  const Released released(tensor);
  if (axis == 0) return at::index(tensor, {index});
  const at::Tensor picked = at::index(at::movedim(tensor, axis, 0), {index});
  const int64_t ndim = index.scalar_type() == at::kBool ? 1 : index.dim();
  std::vector<int64_t> from(ndim), to(ndim);
  for (int64_t place = 0; place < ndim; ++place) {
    from[place] = place;
    to[place] = axis + place;
  }
  return at::movedim(picked, from, to);
}

inline at::Tensor select_elements(const at::Tensor& tensor, const at::Tensor& index, int64_t axis) {
  const Released released(tensor);
  return at::index_select(tensor, axis, index);
}

inline at::Tensor gather_elements(const at::Tensor& tensor, const at::Tensor& index, int64_t axis) {
  const Released released(tensor);
  return at::gather(tensor, axis, index);
}

inline at::Tensor copied_part(const at::Tensor& tensor, int64_t axis, int64_t place) {
  return at::select(tensor, axis, place).clone();
}

inline at::Tensor copied(const at::Tensor& tensor) {
  const Released released(tensor);
  return tensor.clone(at::MemoryFormat::Contiguous);
}

// The elements in a line of their own.
inline at::Tensor copied_line(const at::Tensor& tensor) {
  const Released released(tensor);
  const at::Tensor line = at::reshape(tensor, -1);
  return has_host_memory(tensor) && !line.is_alias_of(tensor) ? line : line.clone();
}

inline at::Tensor sort_elements(const at::Tensor& tensor, int64_t axis) {
  const Released released(tensor);
  return std::get<0>(at::sort(tensor, /*stable=*/true, axis, /*descending=*/false));
}

inline at::Tensor repeat_elements(const at::Tensor& tensor, int64_t count, int64_t axis) {
  const Released released(tensor);
  return at::repeat_interleave(tensor, count, axis);
}

inline at::Tensor diagonal_matrix(const at::Tensor& tensor, int64_t offset) { return at::diag(tensor, offset); }
inline at::Tensor diagonal_view(const at::Tensor& tensor, int64_t offset, int64_t first, int64_t second) {
  return at::diagonal(tensor, offset, first, second);
}

inline at::Tensor triangle_of(const at::Tensor& tensor, bool lower, int64_t offset) {
  const Released released(tensor);
  return lower ? at::tril(tensor, offset) : at::triu(tensor, offset);
}

// The order is that of single_calls.pxd.
enum class Likeness { EMPTY, ONES, ZEROS };

inline at::Tensor tensor_like(int likeness, const at::Tensor& tensor) {
  switch (static_cast<Likeness>(likeness)) {
    case Likeness::EMPTY:
      return at::empty_like(tensor);
    case Likeness::ONES:
      return at::ones_like(tensor);
    case Likeness::ZEROS:
      return at::zeros_like(tensor);
  }
  TORCH_INTERNAL_ASSERT(false);
}

inline at::Tensor filled_like(const at::Tensor& tensor, const at::Scalar& value) { return at::full_like(tensor, value); }

}  // namespace fastnp
