// One place that says when a call may skip ATen's dispatcher.
//
// A tensor is plain when its dispatch keys are exactly those of a dense CPU tensor and it takes no part in autograd; a
// thread is plain when nothing listens between a call and its kernel: no dispatch mode, transform, autocast, inference
// mode, torch function mode or profiler. Everything else takes the general path.
#pragma once
#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <c10/core/SafePyObject.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <memory>
#include <vector>

namespace fastnp {

constexpr c10::DispatchKeySet PLAIN_KEYS({c10::DispatchKey::CPU, c10::DispatchKey::AutogradCPU,
                                          c10::DispatchKey::ADInplaceOrView, c10::DispatchKey::AutocastCPU});

inline bool tensor_is_plain(const at::Tensor& tensor) noexcept {
  const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  return impl->key_set() == PLAIN_KEYS &&
         (const_cast<c10::TensorImpl*>(impl)->autograd_meta() == nullptr || !impl->requires_grad());
}

// Whether the elements can be read at an address: a dense CPU tensor that is no wrapper, fake or lazily conjugated one.
inline bool has_host_memory(const at::Tensor& tensor) noexcept {
  const auto keys = tensor.unsafeGetTensorImpl()->key_set();
  return (keys | PLAIN_KEYS) == PLAIN_KEYS && keys.has(c10::DispatchKey::CPU);
}

// Thread-local storage of another library costs 10 to 20 instructions of a call that may have 200. What torch keeps of a
// thread stays where it is, so that each thread keeps the addresses, side by side.
struct ThreadState {
  const c10::impl::PODLocalDispatchKeySet* keys;
  const at::impl::PythonTorchFunctionTLS* modes;
  int place;  // of host data: placement.h
};

inline ThreadState& thread_state() noexcept {
  thread_local ThreadState state = {nullptr, nullptr, 0};
  ThreadState* found = &state;
  asm("" : "+r"(found));  // or the compiler asks for the address anew before each use
  if (__builtin_expect(found->keys == nullptr, false))
    *found = {&c10::impl::raw_local_dispatch_key_set, &at::impl::PythonTorchFunctionTLS::get_state(), 0};
  return *found;
}

// An explicit instantiation may name the private members that the question for function modes is about.
template <auto Modes, auto State>
struct ReadFunctionModes {
  friend const std::vector<std::shared_ptr<c10::SafePyObject>>& modes_of(const at::impl::PythonTorchFunctionTLS& of) noexcept {
    return of.*Modes;
  }
  friend at::impl::TorchFunctionDisabledState state_of(const at::impl::PythonTorchFunctionTLS& of) noexcept {
    return of.*State;
  }
};
template struct ReadFunctionModes<&at::impl::PythonTorchFunctionTLS::stack_,
                                  &at::impl::PythonTorchFunctionTLS::disabled_state_>;
const std::vector<std::shared_ptr<c10::SafePyObject>>& modes_of(const at::impl::PythonTorchFunctionTLS&) noexcept;
at::impl::TorchFunctionDisabledState state_of(const at::impl::PythonTorchFunctionTLS&) noexcept;

inline const at::impl::PythonTorchFunctionTLS& function_modes() noexcept { return *thread_state().modes; }

inline bool are_enabled(const at::impl::PythonTorchFunctionTLS& modes) noexcept {
  return !modes_of(modes).empty() && state_of(modes) != at::impl::TorchFunctionDisabledState::ALL_DISABLED;
}

inline bool function_mode_enabled() noexcept { return are_enabled(function_modes()); }

inline bool subclass_hooks_disabled() noexcept {
  return state_of(function_modes()) != at::impl::TorchFunctionDisabledState::ENABLED;
}

// ATen's own question before each operator. at::hasCallbacks() answers the same, but locks a mutex to do so.
inline bool profiler_listens() noexcept {
  return at::getStepCallbacksUnlessEmpty(at::RecordScope::FUNCTION).has_value();
}

// Whether nothing listens that would want to see a scalar made, read or computed with. A profiler records operators of
// torch, and these are none.
inline bool nothing_listens_to_scalars() noexcept {
  const ThreadState& state = thread_state();
  return (state.keys->included_ | state.keys->excluded_) == 0 && !are_enabled(*state.modes);
}

inline bool thread_is_plain() noexcept { return nothing_listens_to_scalars() && !profiler_listens(); }

// Whether host data becomes plain arrays: the thread is plain, and no call sends such data to another device.
inline bool host_data_stays() noexcept {
  const ThreadState& state = thread_state();
  return (state.keys->included_ | state.keys->excluded_) == 0 && state.place == 0 && !are_enabled(*state.modes) &&
         !profiler_listens();
}

}  // namespace fastnp
