// Operands that nobody can use again: their memory may take the result, as NumPy's "temporary elision" has it.
//
// That the reference count is one is not enough: code in C may own an operand, give it to PyNumber_Add, and go on using it.
// An operand is a temporary when its one reference is on the interpreter's stack, and the instruction that called us is
// about to drop it. Between that instruction and us lie other return addresses than between C code and us; `learn` finds
// them out once by having the interpreter execute each operator.
#pragma once
#include <Python.h>
#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>

#include "type_slots.h"

namespace fastnp {

class Callers {
 public:
  // With `learn`, remember the addresses from our caller up to the interpreter's loop: none where that cannot be told. Else
  // return whether they are those. Both in one place, whose own address is the same then.
  bool walk(bool learn) noexcept {
    if (learn) count_ = 0;
    Walk walk{this, -1, false};
    _Unwind_Backtrace(learn ? &record : &compare, &walk);
    if (learn && !walk.done) count_ = 0;
    return walk.done && !learn;
  }

 private:
  static constexpr int DEPTH = 12;
  struct Walk {
    Callers* callers;
    int frame;
    bool done;
  };

  static _Unwind_Reason_Code record(_Unwind_Context* context, void* data) noexcept {
    auto* const walk = static_cast<Walk*>(data);
    if (++walk->frame == 0) return _URC_NO_REASON;
    Callers* const callers = walk->callers;
    if (callers->count_ == DEPTH) return _URC_END_OF_STACK;
    callers->addresses_[callers->count_++] = _Unwind_GetIP(context);
    // By where the function begins: `dladdr` would read all names of the library.
    static const auto interpreter = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault"));
    walk->done = interpreter != 0 && _Unwind_GetRegionStart(context) == interpreter;
    return walk->done ? _URC_END_OF_STACK : _URC_NO_REASON;
  }

  static _Unwind_Reason_Code compare(_Unwind_Context* context, void* data) noexcept {
    auto* const walk = static_cast<Walk*>(data);
    if (++walk->frame == 0) return _URC_NO_REASON;
    Callers* const callers = walk->callers;
    if (walk->frame > callers->count_ || callers->addresses_[walk->frame - 1] != _Unwind_GetIP(context)) return _URC_END_OF_STACK;
    walk->done = walk->frame == callers->count_;
    return walk->done ? _URC_END_OF_STACK : _URC_NO_REASON;
  }

  int count_ = 0;
  uintptr_t addresses_[DEPTH] = {};
};

// From 3.14 on a local variable may be on the stack without a reference of its own, and the interpreter says itself what a
// temporary is.
inline bool is_temporary(PyObject* operand, Callers& callers, bool learning) noexcept {
  if (!learning && (Py_REFCNT(operand) != 1 || has_weak_references(operand))) return false;
#if PY_VERSION_HEX >= 0x030E0000
  return !learning && PyUnstable_Object_IsUniqueReferencedTemporary(operand);
#else
  return callers.walk(learning);
#endif
}

}  // namespace fastnp
