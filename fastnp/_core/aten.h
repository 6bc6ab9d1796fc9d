// ATen's operators as torch's Python functions call them, without these around.
//
// What the functions add is the reading of arguments, the question for hooks, and a torch.Tensor object around each
// result: 200 to 300 of 700 ns. All that lies below (gradients, transforms, dispatch modes, tracing) sees the same call.
#pragma once
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/all.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argmin.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/select.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/std.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/t.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/var.h>
#include <ATen/ops/where.h>

#include <optional>
#include <vector>

#include "aten_operators.h"
#include "dtype.h"

namespace fastnp {

// --- elementwise ------------------------------------------------------------------------------------------------------

// A Python number as torch's functions take it: its dtype counts for less than that of a tensor.
inline at::Scalar complex_scalar(double real, double imag) { return c10::complex<double>(real, imag); }
inline at::Tensor number_tensor(const at::Scalar& value) { return at::native::wrapped_scalar_tensor(value); }

inline at::Tensor cast_tensor(const at::Tensor& tensor, int dtype) {
  const Released released(tensor);
  return tensor.to(SCALAR_TYPES[dtype]);
}

inline at::Tensor where_tensor(const at::Tensor& condition, const at::Tensor& x, const at::Tensor& y) {
  const Released released(condition);
  return at::where(condition, x, y);
}

inline bool where_kept(const at::Tensor& condition, const at::Tensor& x, const at::Tensor& y, at::Tensor& into,
                       std::exception_ptr& thrown) noexcept {
  return succeeds(into, thrown, [&, mask = condition, first = x, second = y] { return where_tensor(mask, first, second); });
}

// With a number in one place.
inline at::Tensor where_tensor(const at::Tensor& condition, const at::Tensor& tensor, const at::Scalar& number, bool first) {
  const Released released(condition);
  return first ? at::where(condition, number, tensor) : at::where(condition, tensor, number);
}

inline at::Tensor clamp_tensor(const at::Tensor& tensor, const at::Scalar& low, const at::Scalar& high) {
  const Released released(tensor);
  return at::clamp(tensor, low, high);
}

// --- reductions -------------------------------------------------------------------------------------------------------

// The order is that of aten.pxd.
enum class Reduction { ALL, AMAX, AMIN, ANY, ARGMAX, ARGMIN, CUMPROD, CUMSUM, MEAN, PROD, SUM };

// Where no dtype is told (it is negative), torch chooses it.
inline at::Tensor reduce_tensor(int reduction, const at::Tensor& tensor, bool all_axes, at::IntArrayRef axes, bool keepdim,
                                int dtype) {
  const Released released(tensor);
  const auto type = dtype < 0 ? std::nullopt : std::make_optional(SCALAR_TYPES[dtype]);
  switch (static_cast<Reduction>(reduction)) {
    case Reduction::ALL:
      return all_axes ? at::all(tensor) : axes.size() == 1 ? at::all(tensor, axes[0], keepdim) : at::all(tensor, axes, keepdim);
    case Reduction::ANY:
      return all_axes ? at::any(tensor) : axes.size() == 1 ? at::any(tensor, axes[0], keepdim) : at::any(tensor, axes, keepdim);
    case Reduction::AMAX:
      return at::amax(tensor, axes, keepdim);
    case Reduction::AMIN:
      return at::amin(tensor, axes, keepdim);
    case Reduction::ARGMAX:
      return at::argmax(tensor, all_axes ? std::nullopt : std::make_optional(axes[0]), keepdim);
    case Reduction::ARGMIN:
      return at::argmin(tensor, all_axes ? std::nullopt : std::make_optional(axes[0]), keepdim);
    case Reduction::CUMPROD:
      return at::cumprod(tensor, axes[0], type);
    case Reduction::CUMSUM:
      return at::cumsum(tensor, axes[0], type);
    case Reduction::MEAN:
      return all_axes ? at::mean(tensor, type) : at::mean(tensor, axes, keepdim, type);
    case Reduction::PROD:
      return all_axes ? at::prod(tensor, type) : at::prod(tensor, axes[0], keepdim, type);
    case Reduction::SUM:
      return all_axes ? at::sum(tensor, type) : at::sum(tensor, axes, keepdim, type);
  }
  TORCH_INTERNAL_ASSERT(false);
}

inline bool reduce_kept(int reduction, const at::Tensor& tensor, bool all_axes, int64_t axis, int dtype, at::Tensor& into,
                        std::exception_ptr& thrown) noexcept {
  return succeeds(into, thrown, [&, kept = tensor] {
    return reduce_tensor(reduction, kept, all_axes, at::IntArrayRef(&axis, all_axes ? 0 : 1), false, dtype);
  });
}

// Variances and standard deviations.
inline at::Tensor moment_of_tensor(bool root, const at::Tensor& tensor, bool all_axes, at::IntArrayRef axes, bool keepdim,
                                   int64_t correction) {
  const Released released(tensor);
  const auto dims = all_axes ? at::OptionalIntArrayRef() : at::OptionalIntArrayRef(axes);
  return root ? at::std(tensor, dims, at::Scalar(correction), keepdim) : at::var(tensor, dims, at::Scalar(correction), keepdim);
}

// --- joins and views --------------------------------------------------------------------------------------------------

inline at::Tensor join_tensors(bool stacked, const std::vector<at::Tensor>& tensors, int64_t axis) {
  const Released released(tensors[0]);
  return stacked ? at::stack(tensors, axis) : at::cat(tensors, axis);
}

inline bool join_kept(bool stacked, const std::vector<at::Tensor>& tensors, int64_t axis, at::Tensor& into,
                      std::exception_ptr& thrown) noexcept {
  return succeeds(into, thrown, [&] { return join_tensors(stacked, tensors, axis); });
}

inline at::Tensor reshape_tensor(const at::Tensor& tensor, at::IntArrayRef shape) {
  const Released released(tensor);
  return at::reshape(tensor, shape);
}

// A view under another order of the axes, as the function of torch's makes it that takes them so.
enum class Reordering { MOVEDIM, PERMUTE, T, TRANSPOSE };

inline at::Tensor reorder_tensor(int reordering, const at::Tensor& tensor, at::IntArrayRef axes) {
  switch (static_cast<Reordering>(reordering)) {
    case Reordering::MOVEDIM:
      return at::movedim(tensor, axes[0], axes[1]);
    case Reordering::PERMUTE:
      return at::permute(tensor, axes);
    case Reordering::T:
      return at::t(tensor);
    case Reordering::TRANSPOSE:
      return at::transpose(tensor, axes[0], axes[1]);
  }
  TORCH_INTERNAL_ASSERT(false);
}

inline at::Tensor roll_tensor(const at::Tensor& tensor, at::IntArrayRef shifts, at::IntArrayRef axes) {
  const Released released(tensor);
  return at::roll(tensor, shifts, axes);
}

inline bool is_symbolic(const at::Tensor& tensor) { return tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides(); }
inline at::Tensor select_part(const at::Tensor& tensor, int64_t axis, int64_t index) { return at::select(tensor, axis, index); }
inline at::Tensor slice_part(const at::Tensor& tensor, int64_t axis, int64_t start, int64_t stop, int64_t step) {
  return at::slice(tensor, axis, start, stop, step);
}
inline at::Tensor unsqueeze_part(const at::Tensor& tensor, int64_t axis) { return at::unsqueeze(tensor, axis); }

// --- values -----------------------------------------------------------------------------------------------------------

// Whether torch knows the elements: of a dense tensor that is no wrapper, traced, or on the device without memory.
inline bool has_values(const at::Tensor& tensor) {
  return !tensor.unsafeGetTensorImpl()->is_python_dispatch() && !is_symbolic(tensor) && !tensor.is_meta() &&
         tensor.layout() == at::kStrided;
}

inline void copy_direct(const at::Tensor& into, const at::Tensor& values) {
  const Released released(into);
  into.copy_(values);
}

// Whether two tensors are one view of one storage, and neither has a gradient.
inline bool is_same_view(const at::Tensor& a, const at::Tensor& b) {
  return has_values(a) && has_values(b) && a.is_alias_of(b) && a.storage_offset() == b.storage_offset() &&
         a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
         a.is_conj() == b.is_conj() && a.is_neg() == b.is_neg() && !a.requires_grad() && !b.requires_grad();
}

}  // namespace fastnp
