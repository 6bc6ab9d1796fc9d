// Index arrays as ATen takes them, and what is known of their elements.
#pragma once
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/permute.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/intrusive_ptr.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "aten.h"
#include "placement.h"

namespace fastnp {

struct Extremes {
  int64_t low, high;
};

// The extremes of index arrays of another device that were looked at, until torch counts that one is written to.
//
// To look is to wait for the device (20 us); a program that takes by the same indices again need not. What is written
// behind torch's back (by another library that shares the memory) is not seen: a kernel's own check then ends the use of
// the device, as it does for torch.
class SeenExtremes {
 public:
  static SeenExtremes& of_this_thread() {
    thread_local SeenExtremes seen;
    return seen;
  }

  const Extremes* find(const at::Tensor& index) const {
    for (const Seen& seen : seen_)
      if (seen.impl == index.unsafeGetTensorImpl() && seen.alive.use_count() != 0 && seen.memory == index.const_data_ptr() &&
          seen.count == index.numel() && seen.version == index._version())
        return &seen.extremes;
    return nullptr;
  }

  // `version` is that of before they were looked at: another thread may have written since.
  void keep(const at::Tensor& index, int64_t version, Extremes extremes) {
    seen_[next_++ % seen_.size()] = Seen{index.unsafeGetTensorImpl(), Alive(index.getIntrusivePtr()),
                                         index.const_data_ptr(), index.numel(), version, extremes};
  }

 private:
  using Alive = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Seen {
    const c10::TensorImpl* impl = nullptr;
    Alive alive{c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>()};
    const void* memory = nullptr;
    int64_t count = 0, version = 0;
    Extremes extremes{};
  };
  std::array<Seen, 16> seen_;
  size_t next_ = 0;
};

// The least and the greatest of indices (int64, one or more) by one kernel and one wait.
inline Extremes find_extremes(const at::Tensor& index) {
  if (has_host_memory(index) && index.is_contiguous() && !index.is_neg()) {
    const Released released(index);
    const int64_t* first = index.const_data_ptr<int64_t>();
    const auto [low, high] = std::minmax_element(first, first + index.numel());
    return {*low, *high};
  }
  const bool is_counted = !index.is_cpu() && !index.is_inference();
  if (is_counted)
    if (const Extremes* seen = SeenExtremes::of_this_thread().find(index)) return *seen;
  const int64_t version = is_counted ? index._version() : 0;
  Extremes extremes;
  {
    const Released released(index);
    at::Tensor found = at::empty({2}, index.options());
    at::Tensor least = found.select(0, 0), greatest = found.select(0, 1);
    at::aminmax_out(least, greatest, index);
    found = found.cpu();
    extremes = {found.const_data_ptr<int64_t>()[0], found.const_data_ptr<int64_t>()[1]};
  }
  if (is_counted) SeenExtremes::of_this_thread().keep(index, version, extremes);
  return extremes;
}

// What index arrays pick. Where the last, `is_line`, has one dimension and counts from the start, torch has an operator for it.
inline at::Tensor pick(const at::Tensor& tensor, const c10::List<std::optional<at::Tensor>>& indices, bool is_line) {
  if (is_line) {
    const int64_t axis = static_cast<int64_t>(indices.size()) - 1;
    const std::optional<at::Tensor> index = indices.get(axis);
    if (same_device(tensor, *index)) return at::index_select(tensor, axis, *index);
  }
  return at::index(tensor, indices);
}

// What an index array picks along an axis, in C order.
inline at::Tensor take_along(const at::Tensor& tensor, int64_t axis, const at::Tensor& index, bool is_line) {
  const Released released(tensor);
  c10::List<std::optional<at::Tensor>> indices;
  for (int64_t place = 0; place < axis; ++place) indices.push_back(std::nullopt);
  indices.push_back(index);
  return pick(tensor, indices, is_line);
}

// A key of index arrays or of one mask, and of axes that stay whole.
class IndexList {
 public:
  void push_whole(int count) {
    for (int place = 0; place < count; ++place) whole_.push_back(axis_++);
  }
  void push_index(const at::Tensor& index, int axes) {
    is_parted_ = is_parted_ || (!picked_.empty() && picked_.back() != axis_ - 1);
    for (int place = 0; place < axes; ++place) picked_.push_back(axis_++);
    indices_.push_back(index);
  }
  // The one index array has one dimension and counts from the start.
  void set_line() { is_line_ = true; }

  // NumPy: what is picked lies in memory as the index arrays do, then as the whole axes did.
  at::Tensor take(const at::Tensor& tensor) const {
    const Released released(tensor);
    std::vector<int64_t> whole = whole_;
    std::stable_sort(whole.begin(), whole.end(),
                     [&tensor](int64_t a, int64_t b) { return tensor.stride(a) > tensor.stride(b); });
    const at::Tensor taken = pick(picked_first(tensor, whole), indices_, is_line_);
    const int64_t picked = taken.dim() - static_cast<int64_t>(whole.size());
    std::vector<int64_t> order;
    const auto push_picked = [&] {
      for (int64_t axis = 0; axis < picked; ++axis) order.push_back(axis);
    };
    if (is_parted_) push_picked();
    for (const int64_t axis : whole_) {
      if (!is_parted_ && order.size() == static_cast<size_t>(picked_[0])) push_picked();
      order.push_back(picked + (std::find(whole.begin(), whole.end(), axis) - whole.begin()));
    }
    if (static_cast<int64_t>(order.size()) < taken.dim()) push_picked();
    return std::is_sorted(order.begin(), order.end()) ? taken : taken.permute(order);
  }

  void put(const at::Tensor& tensor, const at::Tensor& values) const {
    const Released released(tensor);
    at::Tensor view = picked_first(tensor, whole_);
    at::index_put_(view, indices_, values);
  }

 private:
  at::Tensor picked_first(const at::Tensor& tensor, const std::vector<int64_t>& whole) const {
    std::vector<int64_t> order = picked_;
    order.insert(order.end(), whole.begin(), whole.end());
    return std::is_sorted(order.begin(), order.end()) ? tensor : tensor.permute(order);
  }

  c10::List<std::optional<at::Tensor>> indices_;
  std::vector<int64_t> picked_, whole_;
  int64_t axis_ = 0;
  bool is_parted_ = false, is_line_ = false;
};

}  // namespace fastnp
