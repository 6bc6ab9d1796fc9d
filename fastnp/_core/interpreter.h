// Letting go of the interpreter.
#pragma once
#include <Python.h>

namespace fastnp {

// Lets go of the interpreter while it lives, where that is wanted: for more elements than the two steps are worth.
class InterpreterRelease {
 public:
  explicit InterpreterRelease(bool wanted) : state_(wanted ? PyEval_SaveThread() : nullptr) {}
  ~InterpreterRelease() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }
  InterpreterRelease(const InterpreterRelease&) = delete;
  InterpreterRelease& operator=(const InterpreterRelease&) = delete;

 private:
  PyThreadState* const state_;
};

}  // namespace fastnp
