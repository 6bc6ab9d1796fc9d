// The array's operators, indexing and attributes, each behind one question: does a hook or a mode listen?
//
// The functions of the type's slots and getters stay what they were; `hook_slot` and `hook_attributes` put a guard before
// them, in the type and in its descriptors, so that `x[0]`, `type(x).__getitem__(x, 0)` and the slots that a subclass
// inherits are the same call. The guard of an array proper costs a comparison of pointers and the question for modes.
// Arithmetic and comparisons are not here: fastnp._core.operators asks for both operands.
#pragma once
#include <Python.h>

#include <type_traits>

#include "plain.h"

namespace fastnp {

// Returns what overrides `function(*args)`; `not_overridden`, where nothing does; null with an error set.
using Answer = PyObject* (*)(PyObject* function, PyObject* const* args, Py_ssize_t count);

inline PyTypeObject* hooked_type = nullptr;
inline Answer answer = nullptr;
inline PyObject* not_overridden = nullptr;

// Where torch keeps the modes of a thread; null until the thread's first guarded call. A guard has a nanosecond or two,
// which is what the address of a thread's variable costs in a library that is loaded late. One pointer is little enough
// to be in the part whose place is known from the beginning.
[[gnu::tls_model("initial-exec")]] static thread_local const at::impl::PythonTorchFunctionTLS* modes_of_thread = nullptr;

inline bool may_listen(PyObject* self) noexcept {
  const at::impl::PythonTorchFunctionTLS* const modes = modes_of_thread;
  return Py_TYPE(self) != hooked_type || modes == nullptr || are_enabled(*modes);
}

// What a hook or a mode answers; `not_overridden` where none does.
inline PyObject* ask(PyObject* function, PyObject* const* args, Py_ssize_t count) {
  modes_of_thread = &function_modes();
  return answer(function, args, count);
}

// The slots whose result is no object, and what they return of what a hook returned; nonsense is an error.
enum class Slot { GETITEM, LEN, CONTAINS, ITER, HASH, BOOL, INT, FLOAT, INDEX };

template <Slot>
PyObject* slot_result(PyObject* answered, PyObject*) { return answered; }

template <Slot>
int slot_result(PyObject* answered, int) {
  if (PyBool_Check(answered)) return answered == Py_True;
  PyErr_Format(PyExc_TypeError, "a hook answers bool() and `in` with a bool, not with %.200s", Py_TYPE(answered)->tp_name);
  return -1;
}

template <Slot slot>
Py_ssize_t slot_result(PyObject* answered, Py_ssize_t) {
  const Py_ssize_t number = PyNumber_AsSsize_t(answered, PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred()) return -1;
  if (slot == Slot::LEN && number < 0) {
    PyErr_SetString(PyExc_ValueError, "a hook answers len() with a number that is not negative");
    return -1;
  }
  return number == -1 ? -2 : number;  // -1 marks an error: Python's own hash(-1) is -2
}

template <Slot slot, class Result, class... Args>
struct Guard {
  static inline Result (*original)(PyObject*, Args...) = nullptr;
  static inline PyObject* function = nullptr;

  static constexpr Result failure = std::is_pointer_v<Result> ? Result() : Result(-1);

  static Result call(PyObject* self, Args... args) {
    return may_listen(self) ? call_hooked(self, args...) : original(self, args...);
  }

  // Apart, so that a call which nothing hooks needs no frame.
  [[gnu::noinline, gnu::cold]] static Result call_hooked(PyObject* self, Args... args) {
    PyObject* const arguments[] = {self, args...};
    PyObject* const answered = ask(function, arguments, 1 + sizeof...(Args));
    if (answered == nullptr) return failure;
    if (answered != not_overridden) {
      const Result result = slot_result<slot>(answered, failure);
      if constexpr (!std::is_pointer_v<Result>) Py_DECREF(answered);
      return result;
    }
    Py_DECREF(answered);
    return original(self, args...);
  }
};

inline PyObject* descriptor_of(PyTypeObject* type, const char* name) { return PyDict_GetItemString(type->tp_dict, name); }

// Have a descriptor of the type, and with it every subclass, call `wrapped`. Where Cython has made a plain method of an
// operator, it becomes a slot's wrapper like that of `model`: a subclass inherits only a wrapper's slot.
inline int set_wrapped(PyTypeObject* type, PyTypeObject* model, const char* name, void* wrapped) {
  PyObject* const known = descriptor_of(type, name);
  if (known != nullptr && Py_IS_TYPE(known, &PyWrapperDescr_Type)) {
    reinterpret_cast<PyWrapperDescrObject*>(known)->d_wrapped = wrapped;
    return 0;
  }
  PyObject* const theirs = descriptor_of(model, name);
  if (theirs == nullptr || !Py_IS_TYPE(theirs, &PyWrapperDescr_Type)) {
    PyErr_Format(PyExc_SystemError, "%s has no slot wrapper %s", model->tp_name, name);
    return -1;
  }
  PyObject* const ours =
      PyDescr_NewWrapper(type, reinterpret_cast<PyWrapperDescrObject*>(theirs)->d_base, wrapped);
  if (ours == nullptr) return -1;
  const int status = PyDict_SetItemString(type->tp_dict, name, ours);
  Py_DECREF(ours);
  return status;
}

// Give the operators that Cython has made plain methods of a slot's wrapper.
inline int wrap_operators(PyTypeObject* type, PyTypeObject* model) {
  const PyNumberMethods* const number = type->tp_as_number;
  const struct {
    const char* name;
    binaryfunc slot;
  } operators[] = {
      {"__add__", number->nb_add},           {"__sub__", number->nb_subtract},
      {"__mul__", number->nb_multiply},      {"__mod__", number->nb_remainder},
      {"__divmod__", number->nb_divmod},     {"__lshift__", number->nb_lshift},
      {"__rshift__", number->nb_rshift},     {"__and__", number->nb_and},
      {"__xor__", number->nb_xor},           {"__or__", number->nb_or},
      {"__floordiv__", number->nb_floor_divide}, {"__truediv__", number->nb_true_divide},
      {"__matmul__", number->nb_matrix_multiply},
  };
  for (const auto& [name, slot] : operators) {
    if (set_wrapped(type, model, name, reinterpret_cast<void*>(slot)) < 0) return -1;
  }
  return 0;
}

// Put a guard before one slot, and return the descriptor that hooks will see as the function (borrowed).
template <Slot slot, class Result, class... Args>
PyObject* hook_slot(PyTypeObject* type, PyTypeObject* model, const char* name, Result (*&function)(PyObject*, Args...)) {
  using Hooked = Guard<slot, Result, Args...>;
  Hooked::original = function;
  function = &Hooked::call;
  if (set_wrapped(type, model, name, reinterpret_cast<void*>(&Hooked::call)) < 0) return nullptr;
  return Hooked::function = descriptor_of(type, name);
}

// x[key] = value and del x[key] share a slot. The value may override as well, if it is more than a number or a list.
struct ItemGuard {
  static inline objobjargproc original = nullptr;
  static inline PyObject* set = nullptr;
  static inline PyObject* remove = nullptr;

  static bool may_override(PyObject* value) noexcept {
    const PyTypeObject* const type = value == nullptr ? hooked_type : Py_TYPE(value);
    return type != hooked_type && type != &PyFloat_Type && type != &PyLong_Type && type != &PyBool_Type &&
           type != &PyList_Type && type != &PyTuple_Type && type != &PyComplex_Type;
  }

  static int call(PyObject* self, PyObject* key, PyObject* value) {
    return may_listen(self) || may_override(value) ? call_hooked(self, key, value) : original(self, key, value);
  }

  [[gnu::noinline, gnu::cold]] static int call_hooked(PyObject* self, PyObject* key, PyObject* value) {
    PyObject* const arguments[] = {self, key, value};
    PyObject* const answered = ask(value == nullptr ? remove : set, arguments, value == nullptr ? 2 : 3);
    if (answered != not_overridden) {
      Py_XDECREF(answered);
      return answered == nullptr ? -1 : 0;
    }
    Py_DECREF(answered);
    return original(self, key, value);
  }
};

// A getter and setter behind guards. It lives as long as the type: for ever.
struct AttributeGuard {
  PyGetSetDef original;
  PyObject* get_function;
  PyObject* set_function;

  static PyObject* get(PyObject* self, void* closure) {
    auto* const attribute = static_cast<AttributeGuard*>(closure);
    return may_listen(self) ? attribute->get_hooked(self) : attribute->original.get(self, attribute->original.closure);
  }

  [[gnu::noinline, gnu::cold]] PyObject* get_hooked(PyObject* self) const {
    PyObject* const answered = ask(get_function, &self, 1);
    if (answered != not_overridden) return answered;
    Py_DECREF(answered);
    return original.get(self, original.closure);
  }

  static int set(PyObject* self, PyObject* value, void* closure) {
    auto* const attribute = static_cast<AttributeGuard*>(closure);
    if (value != nullptr && may_listen(self)) {
      PyObject* const arguments[] = {self, value};
      PyObject* const answered = ask(attribute->set_function, arguments, 2);
      if (answered != not_overridden) {
        Py_XDECREF(answered);
        return answered == nullptr ? -1 : 0;
      }
      Py_DECREF(answered);
    }
    return attribute->original.set(self, value, attribute->original.closure);
  }
};

// Put guards before all getters and setters of the type, and append what hooks will see as functions to a list.
inline int hook_attributes(PyTypeObject* type, PyObject* functions) {
  for (PyGetSetDef* definition = type->tp_getset; definition != nullptr && definition->name != nullptr; ++definition) {
    PyObject* const descriptor = descriptor_of(type, definition->name);
    auto* const guard = new AttributeGuard{*definition, nullptr, nullptr};
    guard->get_function = PyObject_GetAttrString(descriptor, "__get__");
    if (guard->get_function == nullptr || PyList_Append(functions, guard->get_function) < 0) return -1;
    if (definition->set != nullptr) {
      guard->set_function = PyObject_GetAttrString(descriptor, "__set__");
      if (guard->set_function == nullptr || PyList_Append(functions, guard->set_function) < 0) return -1;
      definition->set = &AttributeGuard::set;
    }
    definition->get = &AttributeGuard::get;
    definition->closure = guard;
  }
  return 0;
}

// Put guards before the slots that are no arithmetic, and append what hooks will see as functions to a list.
inline int hook_slots(PyTypeObject* type, PyTypeObject* model, PyObject* functions) {
  PyNumberMethods* const number = type->tp_as_number;
  PyMappingMethods* const mapping = type->tp_as_mapping;
  PySequenceMethods* const sequence = type->tp_as_sequence;
  ItemGuard::original = mapping->mp_ass_subscript;
  mapping->mp_ass_subscript = &ItemGuard::call;
  for (const char* name : {"__setitem__", "__delitem__"}) {
    if (set_wrapped(type, model, name, reinterpret_cast<void*>(&ItemGuard::call)) < 0) return -1;
  }
  ItemGuard::set = descriptor_of(type, "__setitem__");
  ItemGuard::remove = descriptor_of(type, "__delitem__");
  PyObject* const hooked[] = {
      hook_slot<Slot::GETITEM>(type, model, "__getitem__", mapping->mp_subscript),
      ItemGuard::set,
      ItemGuard::remove,
      hook_slot<Slot::LEN>(type, model, "__len__", mapping->mp_length),
      hook_slot<Slot::CONTAINS>(type, model, "__contains__", sequence->sq_contains),
      hook_slot<Slot::ITER>(type, model, "__iter__", type->tp_iter),
      hook_slot<Slot::HASH>(type, model, "__hash__", type->tp_hash),
      hook_slot<Slot::BOOL>(type, model, "__bool__", number->nb_bool),
      hook_slot<Slot::INT>(type, model, "__int__", number->nb_int),
      hook_slot<Slot::FLOAT>(type, model, "__float__", number->nb_float),
      hook_slot<Slot::INDEX>(type, model, "__index__", number->nb_index),
  };
  sequence->sq_length = mapping->mp_length;
  for (PyObject* const function : hooked) {
    if (function == nullptr || PyList_Append(functions, function) < 0) return -1;
  }
  return 0;
}

}  // namespace fastnp
