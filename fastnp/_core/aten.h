// ATen's operators as torch's Python functions call them, without these around.
//
// What the functions add is the reading of arguments, the question for hooks, and a torch.Tensor object around each
// result: 200 to 300 of 700 ns. All that lies below (gradients, transforms, dispatch modes, tracing) sees the same call.
#pragma once
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
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
#include <Python.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dtype.h"
#include "plain.h"

namespace fastnp {

// Other threads run Python meanwhile where the work may be long: of many elements, on other devices, in Python.
class Released {
 public:
  explicit Released(const at::Tensor& tensor) : state_(is_short(tensor) ? nullptr : PyEval_SaveThread()) {}
  ~Released() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  // Giving the interpreter away and taking it back costs as much as a loop over some 500 elements.
  static constexpr int64_t kShort = 4096;
  static bool is_short(const at::Tensor& tensor) { return has_host_memory(tensor) && tensor.numel() < kShort; }

  PyThreadState* state_;
};

// --- elementwise ------------------------------------------------------------------------------------------------------

inline bool is_tensor(const c10::Argument& argument) { return argument.type()->kind() == c10::TypeKind::TensorType; }

// An operator of one or two tensors that writes its result into another.
class WritingOperator {
 public:
  static std::optional<WritingOperator> find(const std::string& name) {
    for (const char* overload : {"out", "Tensor_out"}) {
      const auto handle = c10::Dispatcher::singleton().findSchema({"aten::" + name, overload});
      if (!handle) continue;
      const auto& arguments = handle->schema().arguments();
      const auto count = arguments.size();
      if (count == 2) return WritingOperator(handle->typed<at::Tensor&(const at::Tensor&, at::Tensor&)>());
      if (count > 2 && !is_tensor(arguments[1])) continue;
      if (count == 4 && arguments[2].name() == "alpha")
        return WritingOperator(
            handle->typed<at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&)>());
      if (count == 3)
        return WritingOperator(handle->typed<at::Tensor&(const at::Tensor&, const at::Tensor&, at::Tensor&)>());
    }
    return std::nullopt;
  }
  void operator()(const at::Tensor* operands, at::Tensor& out) const {
    const Released released(out);
    if (const auto* unary = std::get_if<Unary>(&handle_))
      unary->call(operands[0], out);
    else if (const auto* scaled = std::get_if<Scaled>(&handle_))
      scaled->call(operands[0], operands[1], 1, out);
    else
      std::get<Binary>(handle_).call(operands[0], operands[1], out);
  }

 private:
  using Unary = c10::TypedOperatorHandle<at::Tensor&(const at::Tensor&, at::Tensor&)>;
  using Binary = c10::TypedOperatorHandle<at::Tensor&(const at::Tensor&, const at::Tensor&, at::Tensor&)>;
  using Scaled = c10::TypedOperatorHandle<at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&)>;
  explicit WritingOperator(std::variant<Unary, Binary, Scaled> handle) : handle_(handle) {}
  std::variant<Unary, Binary, Scaled> handle_;
};

inline std::vector<WritingOperator> writing_operators;

inline int find_writing_operator(const char* name) {
  const auto found = WritingOperator::find(name);
  if (!found) return -1;
  writing_operators.push_back(*found);
  return static_cast<int>(writing_operators.size()) - 1;
}
inline void call_writing_operator(int number, const at::Tensor* operands, const at::Tensor& out) {
  at::Tensor into = out;
  writing_operators[number](operands, into);
}

// An operator of one or two tensors, of which a caller says nothing else.
class Operator {
 public:
  // The operator behind a function of torch's; nothing where its schema is of another kind.
  static std::optional<Operator> find(const std::string& name, size_t tensors) {
    for (const char* overload : {"Tensor", "", "Tensor_Tensor"}) {
      const auto handle = c10::Dispatcher::singleton().findSchema({"aten::" + name, overload});
      if (!handle) continue;
      auto found = of(*handle, tensors);
      if (!found) continue;
      const auto numbered = c10::Dispatcher::singleton().findSchema({"aten::" + name, "Scalar"});
      if (tensors == 2 && numbered && numbered->schema().arguments().size() == 2 &&
          is_tensor(numbered->schema().arguments()[0]))
        found->numbered_ = numbered->typed<at::Tensor(const at::Tensor&, const at::Scalar&)>();
      found->writing_ = find_writing_operator(name.c_str());
      return found;
    }
    return std::nullopt;
  }

  // Whether there is an overload for a number on the right, and its call.
  bool takes_number() const { return numbered_.has_value(); }
  at::Tensor operator()(const at::Tensor& a, const at::Scalar& b) const {
    const Released released(a);
    return numbered_->call(a, b);
  }

  // The number of the operator that writes into a tensor, or -1.
  int writing() const { return writing_; }

  at::Tensor operator()(const at::Tensor& a) const {
    const Released released(a);
    if (const auto* unary = std::get_if<Unary>(&handle_)) return unary->call(a);
    return std::get<Copy>(handle_).call(a, std::nullopt);
  }

  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b) const {
    const Released released(a.dim() < b.dim() ? b : a);
    if (const auto* binary = std::get_if<Binary>(&handle_)) return binary->call(a, b);
    if (const auto* along = std::get_if<Along>(&handle_)) return along->call(a, b, -1);
    return std::get<Scaled>(handle_).call(a, b, 1);
  }

 private:
  using Unary = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&)>;
  using Copy = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, std::optional<at::MemoryFormat>)>;
  using Binary = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, const at::Tensor&)>;
  using Scaled = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)>;
  using Numbered = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, const at::Scalar&)>;
  using Along = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, const at::Tensor&, int64_t)>;
  using Handle = std::variant<Unary, Copy, Binary, Scaled, Along>;

  explicit Operator(Handle handle) : handle_(handle) {}

  static std::optional<Operator> of(const c10::OperatorHandle& handle, size_t tensors) {
    const auto& arguments = handle.schema().arguments();
    const auto& results = handle.schema().returns();
    if (results.size() != 1 || !is_tensor(results[0]) || arguments.size() < tensors) return std::nullopt;
    for (size_t place = 0; place < tensors; ++place) {
      if (!is_tensor(arguments[place]) || arguments[place].kwarg_only()) return std::nullopt;
    }
    const std::string more = arguments.size() == tensors + 1 ? arguments[tensors].name() : "";
    if (arguments.size() == tensors) {
      return tensors == 1 ? Operator(handle.typed<at::Tensor(const at::Tensor&)>())
                          : Operator(handle.typed<at::Tensor(const at::Tensor&, const at::Tensor&)>());
    }
    if (tensors == 1 && more == "memory_format")
      return Operator(handle.typed<at::Tensor(const at::Tensor&, std::optional<at::MemoryFormat>)>());
    if (tensors == 2 && more == "alpha")
      return Operator(handle.typed<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)>());
    if (tensors == 2 && more == "dim" && is_last_axis(arguments[2]))
      return Operator(handle.typed<at::Tensor(const at::Tensor&, const at::Tensor&, int64_t)>());
    return std::nullopt;
  }
  static bool is_last_axis(const c10::Argument& argument) {
    return argument.type()->kind() == c10::TypeKind::IntType && argument.kwarg_only() &&
           argument.default_value().has_value() && argument.default_value()->toInt() == -1;
  }

  Handle handle_;
  std::optional<Numbered> numbered_;
  int writing_ = -1;
};

// Those that were found, by number; they stay for ever.
inline std::vector<Operator> operators;

inline int find_operator(const char* name, size_t tensors) {
  const auto found = Operator::find(name, tensors);
  if (!found) return -1;
  operators.push_back(*found);
  return static_cast<int>(operators.size()) - 1;
}

inline at::Tensor call_operator(int number, const at::Tensor& a) { return operators[number](a); }
inline at::Tensor call_operator(int number, const at::Tensor& a, const at::Tensor& b) { return operators[number](a, b); }

inline at::Tensor call_operator(int number, const at::Tensor& a, const at::Scalar& b) { return operators[number](a, b); }
inline bool operator_takes_number(int number) { return operators[number].takes_number(); }
inline int writing_counterpart(int number) { return operators[number].writing(); }

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
