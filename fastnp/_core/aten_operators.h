// ATen's operators of one or two tensors, found by name.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <Python.h>
#include <dlfcn.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

// --- entries ----------------------------------------------------------------------------------------------------------

// Parameters as they stand in the name of `at::_ops::OPERATOR::call` in torch's library.
template <class Signature>
inline constexpr const char* PARAMETERS = nullptr;
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&)> = "RKNS_6TensorE";
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&, std::optional<at::MemoryFormat>)> =
    "RKNS_6TensorESt8optionalIN3c1012MemoryFormatEE";
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&, const at::Tensor&)> = "RKNS_6TensorES4_";
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&, const at::Tensor&, int64_t)> = "RKNS_6TensorES4_l";
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&, const at::Scalar&)> = "RKNS_6TensorERKN3c106ScalarE";
template <>
inline constexpr const char* PARAMETERS<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)> =
    "RKNS_6TensorES4_RKN3c106ScalarE";
template <>
inline constexpr const char* PARAMETERS<at::Tensor&(const at::Tensor&, at::Tensor&)> = "RKNS_6TensorERS2_";
template <>
inline constexpr const char* PARAMETERS<at::Tensor&(const at::Tensor&, const at::Tensor&, at::Tensor&)> =
    "RKNS_6TensorES4_RS2_";
template <>
inline constexpr const char* PARAMETERS<at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&)> =
    "RKNS_6TensorES4_RKN3c106ScalarERS2_";

// How many entries were looked for, and how many torch's library has.
struct EntryCounts {
  int asked = 0, found = 0;
};
inline EntryCounts entry_counts;

inline void* find_entry(const c10::OperatorHandle& handle, const char* parameters) {
  // By its name: to ask whose a function's address is reads all symbols of the library, for some milliseconds.
#ifdef __APPLE__
  constexpr const char* name_of_library = "libtorch_cpu.dylib";
#else
  constexpr const char* name_of_library = "libtorch_cpu.so";
#endif
  static void* const library = dlopen(name_of_library, RTLD_LAZY | RTLD_NOLOAD);
  std::string name = handle.operator_name().name.substr(std::string("aten::").size());
  if (!handle.operator_name().overload_name.empty()) name += "_" + handle.operator_name().overload_name;
  const std::string symbol = "_ZN2at4_ops" + std::to_string(name.size()) + name + "4callE" + parameters;
  void* const found = library == nullptr ? nullptr : dlsym(library, symbol.c_str());
  ++entry_counts.asked;
  entry_counts.found += found != nullptr;
  return found;
}

// An overload of an operator, called by torch's own function for it: its code, and what it leads to, is what torch's own
// calls leave in the caches, where a handle's call is compiled in here (an addition under a dispatch mode touches 35 lines
// less). The handle's call takes the place of a function that is not there.
template <class Signature>
class Entry;
template <class Result, class... Parameters>
class Entry<Result(Parameters...)> {
 public:
  explicit Entry(const c10::OperatorHandle& handle)
      : handle_(handle.typed<Result(Parameters...)>()),
        function_(reinterpret_cast<Function>(find_entry(handle, PARAMETERS<Result(Parameters...)>))) {}
  Result operator()(Parameters... values) const {
    return function_ != nullptr ? function_(std::forward<Parameters>(values)...)
                                : by_handle(std::forward<Parameters>(values)...);
  }

 private:
  using Function = Result (*)(Parameters...);
  [[gnu::noinline, gnu::cold]] Result by_handle(Parameters... values) const {
    return handle_.call(std::forward<Parameters>(values)...);
  }
  c10::TypedOperatorHandle<Result(Parameters...)> handle_;
  Function function_;
};

// --- operators --------------------------------------------------------------------------------------------------------

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
      if (count == 2) return WritingOperator(Unary(*handle));
      if (count > 2 && !is_tensor(arguments[1])) continue;
      if (count == 4 && arguments[2].name() == "alpha") return WritingOperator(Scaled(*handle));
      if (count == 3) return WritingOperator(Binary(*handle));
    }
    return std::nullopt;
  }
  void operator()(const at::Tensor* operands, at::Tensor& out) const {
    const Released released(out);
    if (const auto* unary = std::get_if<Unary>(&handle_))
      (*unary)(operands[0], out);
    else if (const auto* scaled = std::get_if<Scaled>(&handle_))
      (*scaled)(operands[0], operands[1], 1, out);
    else
      std::get<Binary>(handle_)(operands[0], operands[1], out);
  }

 private:
  using Unary = Entry<at::Tensor&(const at::Tensor&, at::Tensor&)>;
  using Binary = Entry<at::Tensor&(const at::Tensor&, const at::Tensor&, at::Tensor&)>;
  using Scaled = Entry<at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&)>;
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
        found->numbered_ = Numbered(*numbered);
      found->writing_ = find_writing_operator(name.c_str());
      return found;
    }
    return std::nullopt;
  }

  // Whether there is an overload for a number on the right, and its call.
  bool takes_number() const { return numbered_.has_value(); }
  at::Tensor operator()(const at::Tensor& a, const at::Scalar& b) const {
    const Released released(a);
    return (*numbered_)(a, b);
  }

  // The number of the operator that writes into a tensor, or -1.
  int writing() const { return writing_; }

  at::Tensor operator()(const at::Tensor& a) const {
    const Released released(a);
    if (const auto* unary = std::get_if<Unary>(&handle_)) return (*unary)(a);
    return std::get<Copy>(handle_)(a, std::nullopt);
  }

  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b) const {
    const Released released(a.dim() < b.dim() ? b : a);
    if (const auto* binary = std::get_if<Binary>(&handle_)) return (*binary)(a, b);
    if (const auto* along = std::get_if<Along>(&handle_)) return (*along)(a, b, -1);
    return std::get<Scaled>(handle_)(a, b, 1);
  }

 private:
  using Unary = Entry<at::Tensor(const at::Tensor&)>;
  using Copy = Entry<at::Tensor(const at::Tensor&, std::optional<at::MemoryFormat>)>;
  using Binary = Entry<at::Tensor(const at::Tensor&, const at::Tensor&)>;
  using Scaled = Entry<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)>;
  using Numbered = Entry<at::Tensor(const at::Tensor&, const at::Scalar&)>;
  using Along = Entry<at::Tensor(const at::Tensor&, const at::Tensor&, int64_t)>;
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
    if (arguments.size() == tensors)
      return tensors == 1 ? Operator(Unary(handle)) : Operator(Binary(handle));
    if (tensors == 1 && more == "memory_format") return Operator(Copy(handle));
    if (tensors == 2 && more == "alpha") return Operator(Scaled(handle));
    if (tensors == 2 && more == "dim" && is_last_axis(arguments[2])) return Operator(Along(handle));
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

// --- calls that keep what is thrown -----------------------------------------------------------------------------------

// Where a call throws, this is false and the caller has what was thrown: a `try` of Python's costs thirty instructions in
// each call that throws nothing.
template <class Call>
inline bool succeeds(at::Tensor& into, std::exception_ptr& thrown, Call call) noexcept {
  try {
    into = call();
    return true;
  } catch (...) {
    thrown = std::current_exception();
    return false;
  }
}
inline void rethrow(const std::exception_ptr& thrown) { std::rethrow_exception(thrown); }

// Tensors are kept while an operator runs, which may give their arrays others.
inline bool call_kept(int number, const at::Tensor& a, const at::Tensor* b, at::Tensor& into, std::exception_ptr& thrown) noexcept {
  return succeeds(into, thrown, [&] {
    const at::Tensor first = a, second = b != nullptr ? *b : at::Tensor();
    return b != nullptr ? operators[number](first, second) : operators[number](first);
  });
}
inline bool call_kept(int number, const at::Tensor& a, const at::Scalar& b, at::Tensor& into, std::exception_ptr& thrown) noexcept {
  return succeeds(into, thrown, [&, first = a] { return operators[number](first, b); });
}

inline bool operator_takes_number(int number) { return operators[number].takes_number(); }
inline int writing_counterpart(int number) { return operators[number].writing(); }

}  // namespace fastnp
