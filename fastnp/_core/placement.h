// Where host data of a call goes: numbers, lists and NumPy's arrays beside arrays on another device follow them there.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <c10/core/Device.h>

#include "plain.h"

namespace fastnp {

// A device as one integer; 0, the host, leaves host data where it is.
inline int& place_of_host_data() noexcept { return thread_state().place; }

inline bool same_device(const at::Tensor& a, const at::Tensor& b) { return a.device() == b.device(); }

inline bool is_placed() noexcept { return place_of_host_data() != 0; }

inline at::Tensor placed(const at::Tensor& tensor) {
  const int place = place_of_host_data();
  const c10::Device device(static_cast<c10::DeviceType>(place >> 8), static_cast<c10::DeviceIndex>((place & 255) - 1));
  // A kernel that writes a number does not wait, as a copy of the host's memory does.
  if (tensor.dim() == 0 && tensor.scalar_type() != at::kUInt64 && has_host_memory(tensor))
    return at::full({}, tensor.item(), tensor.options().device(device));
  return tensor.to(device);
}

// Host data follows a tensor while this lives.
class Placement {
 public:
  Placement() noexcept = default;
  ~Placement() {
    if (follows_) place_of_host_data() = before_;
  }
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  void follow(const at::Tensor& tensor) {
    const c10::Device device = tensor.device();
    if (!follows_) before_ = place_of_host_data();
    follows_ = true;
    place_of_host_data() = device.is_cpu() ? 0 : static_cast<int>(device.type()) << 8 | (device.index() + 1);
  }

 private:
  bool follows_ = false;
  int before_ = 0;
};

}  // namespace fastnp
