// Inner loops of running sums, products and extrema: NumPy's own read each partial result back from memory.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "dtype.h"
#include "iteration.h"

namespace fastnp {

struct RunningAdd {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct RunningMultiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
// NumPy: the first NaN stays, and raises no flag.
struct RunningMaximum {
  template <class T>
  static T apply(T a, T b) { return std::isgreaterequal(a, b) || std::isnan(a) ? a : b; }
};
struct RunningMinimum {
  template <class T>
  static T apply(T a, T b) { return std::islessequal(a, b) || std::isnan(a) ? a : b; }
};

// out = first op second, where `first` may be `out` one step before: then the last result is still at hand.
template <class Operation, class T>
void run_on(char** args, const intptr_t* dimensions, const intptr_t* steps, void*) {
  const char *first = args[0], *second = args[1];
  char* out = args[2];
  const intptr_t count = dimensions[0];
  if (out == first + steps[0] && steps[0] == steps[2] && count > 0) {
    T total = *reinterpret_cast<const T*>(first);
    for (intptr_t i = 0; i < count; ++i, second += steps[1], out += steps[2]) {
      total = Operation::template apply<T>(total, *reinterpret_cast<const T*>(second));
      *reinterpret_cast<T*>(out) = total;
    }
    return;
  }
  for (intptr_t i = 0; i < count; ++i, first += steps[0], second += steps[1], out += steps[2])
    *reinterpret_cast<T*>(out) =
        Operation::template apply<T>(*reinterpret_cast<const T*>(first), *reinterpret_cast<const T*>(second));
}

template <class Operation>
LoopFunction running_of(int dtype) {
  return dtype == FLOAT64 ? run_on<Operation, double> : dtype == FLOAT32 ? run_on<Operation, float> : nullptr;
}

// Sums of complex numbers: two chains that do not wait for each other.
template <class T>
void run_complex_sums(char** args, const intptr_t* dimensions, const intptr_t* steps, void*) {
  const char *first = args[0], *second = args[1];
  char* out = args[2];
  const intptr_t count = dimensions[0];
  if (count == 0) return;
  const bool running = out == first + steps[0] && steps[0] == steps[2];
  T real = reinterpret_cast<const T*>(first)[0], imaginary = reinterpret_cast<const T*>(first)[1];
  for (intptr_t i = 0; i < count; ++i, first += steps[0], second += steps[1], out += steps[2]) {
    if (!running) {
      real = reinterpret_cast<const T*>(first)[0];
      imaginary = reinterpret_cast<const T*>(first)[1];
    }
    real += reinterpret_cast<const T*>(second)[0];
    imaginary += reinterpret_cast<const T*>(second)[1];
    reinterpret_cast<T*>(out)[0] = real;
    reinterpret_cast<T*>(out)[1] = imaginary;
  }
}

// The loop to accumulate a ufunc with, by its name; null where NumPy's is as good.
inline LoopFunction find_running(const char* ufunc, int dtype) {
  if (!std::strcmp(ufunc, "add"))
    return dtype == COMPLEX128  ? run_complex_sums<double>
           : dtype == COMPLEX64 ? run_complex_sums<float>
                                : running_of<RunningAdd>(dtype);
  if (!std::strcmp(ufunc, "multiply")) return running_of<RunningMultiply>(dtype);
  if (!std::strcmp(ufunc, "maximum")) return running_of<RunningMaximum>(dtype);
  if (!std::strcmp(ufunc, "minimum")) return running_of<RunningMinimum>(dtype);
  return nullptr;
}

}  // namespace fastnp
