// Inner loops of running sums, products and extrema: NumPy's own read each partial result back from memory.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "complex_number.h"
#include "dtype.h"
#include "float_flags.h"
#include "iteration.h"
#include "vector.h"

namespace fastnp {

struct RunningAdd {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct RunningMultiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
// NumPy: the first NaN stays, and raises no flag; of two zeros it is the later one. (Vectors that a compiler makes of this may
// raise one.)
struct RunningMaximum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) return a > b ? a : b;
    else return std::isgreater(a, b) || std::isnan(a) ? a : b;
  }
};
struct RunningMinimum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) return a < b ? a : b;
    else return std::isless(a, b) || std::isnan(a) ? a : b;
  }
};

// Of truths, whatever bytes stand for them.
struct RunningOr {
  template <class T>
  static T apply(T a, T b) { return (a | b) != 0; }
};
struct RunningAnd {
  template <class T>
  static T apply(T a, T b) { return (a != 0) & (b != 0); }
};

template <class Operation, class T>
void forget_flags() {
  constexpr bool is_extremum = std::is_same_v<Operation, RunningMaximum> || std::is_same_v<Operation, RunningMinimum>;
  if constexpr (is_extremum && std::is_floating_point_v<T>) clear_float_flags(false);
}

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
    return forget_flags<Operation, T>();
  }
  for (intptr_t i = 0; i < count; ++i, first += steps[0], second += steps[1], out += steps[2])
    *reinterpret_cast<T*>(out) =
        Operation::template apply<T>(*reinterpret_cast<const T*>(first), *reinterpret_cast<const T*>(second));
  forget_flags<Operation, T>();
}

// Four lines at once: a step of one does not wait for those of the others.
template <class Operation, class T>
void run_four(char* out, intptr_t out_line, intptr_t out_step, const char* in, intptr_t in_line, intptr_t in_step,
              int64_t count) {
  T totals[4];
  for (int k = 0; k < 4; ++k) totals[k] = *reinterpret_cast<const T*>(in + k * in_line);
  for (int64_t i = 0;;) {
    for (int k = 0; k < 4; ++k) *reinterpret_cast<T*>(out + k * out_line) = totals[k];
    if (++i == count) return forget_flags<Operation, T>();
    in += in_step;
    out += out_step;
    for (int k = 0; k < 4; ++k)
      totals[k] = Operation::template apply<T>(totals[k], *reinterpret_cast<const T*>(in + k * in_line));
  }
}

// The loops to accumulate a ufunc with: of a line and of four; null where NumPy's is as good.
struct RunningLoops {
  LoopFunction along = nullptr;
  void (*four)(char* out, intptr_t out_line, intptr_t out_step, const char* in, intptr_t in_line, intptr_t in_step,
               int64_t count) = nullptr;
};

template <class Operation, class T>
RunningLoops running_loops() { return {run_on<Operation, T>, run_four<Operation, T>}; }

template <class Operation>
RunningLoops running_of(int dtype) {
  return dtype == FLOAT64   ? running_loops<Operation, double>()
         : dtype == FLOAT32 ? running_loops<Operation, float>()
                            : RunningLoops{};
}

template <class Operation>
RunningLoops running_extrema(int dtype) {
  return of_number<RunningLoops>(dtype, [](auto as) { return running_loops<Operation, typename decltype(as)::type>(); });
}

#ifdef FASTNP_X86
// Sums of integers side by side, four in a vector: only the sum of each four waits for the ones before.
FASTNP_AVX2 inline void run_integer_sums(char** args, const intptr_t* dimensions, const intptr_t* steps, void*) {
  const intptr_t count = dimensions[0];
  if (count < 8 || steps[0] != 8 || steps[1] != 8 || steps[2] != 8 || args[2] != args[0] + 8)
    return run_on<RunningAdd, uint64_t>(args, dimensions, steps, nullptr);
  const __m256i none = _mm256_setzero_si256();
  __m256i before = _mm256_set1_epi64x(*reinterpret_cast<const int64_t*>(args[0]));
  intptr_t i = 0;
  for (; i + 4 <= count; i += 4) {
    __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(args[1] + 8 * i));
    x = _mm256_add_epi64(x, _mm256_blend_epi32(_mm256_permute4x64_epi64(x, 0x90), none, 0x03));
    x = _mm256_add_epi64(x, _mm256_permute2x128_si256(x, x, 0x08));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(args[2] + 8 * i), _mm256_add_epi64(x, before));
    before = _mm256_add_epi64(before, _mm256_permute4x64_epi64(x, 0xff));
  }
  if (i == count) return;
  char* rest[] = {args[0] + 8 * i, args[1] + 8 * i, args[2] + 8 * i};
  const intptr_t left = count - i;
  run_on<RunningAdd, uint64_t>(rest, &left, steps, nullptr);
}
#endif

// Integers wrap, as those without a sign do.
template <class Operation>
RunningLoops running_of_numbers(int dtype) {
  return dtype == INT64 || dtype == UINT64   ? running_loops<Operation, uint64_t>()
         : dtype == INT32 || dtype == UINT32 ? running_loops<Operation, uint32_t>()
                                             : running_of<Operation>(dtype);
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

inline RunningLoops find_running(const char* ufunc, int dtype, int64_t length) {
#ifdef FASTNP_X86
  // A line for itself: four at once, with a step between them, take longer.
  if (!std::strcmp(ufunc, "add") && (dtype == INT64 || dtype == UINT64) && has_avx2()) return {run_integer_sums};
#endif
  if (!std::strcmp(ufunc, "add"))
    return dtype == COMPLEX128  ? RunningLoops{run_complex_sums<double>}
           : dtype == COMPLEX64 ? RunningLoops{run_complex_sums<float>}
                                : running_of_numbers<RunningAdd>(dtype);
  // NumPy: the one product of two complex numbers is a vector's, rounded otherwise than those of more.
  if (!std::strcmp(ufunc, "multiply") && dtype >= COMPLEX64)
    return length < 3           ? RunningLoops{}
           : dtype == COMPLEX64 ? running_loops<RunningMultiply, Parts<float>>()
                                : running_loops<RunningMultiply, Parts<double>>();
  if (!std::strcmp(ufunc, "multiply")) return running_of_numbers<RunningMultiply>(dtype);
  if (!std::strcmp(ufunc, "maximum") && dtype == BOOL) return running_loops<RunningOr, uint8_t>();
  if (!std::strcmp(ufunc, "minimum") && dtype == BOOL) return running_loops<RunningAnd, uint8_t>();
  if (!std::strcmp(ufunc, "maximum")) return running_extrema<RunningMaximum>(dtype);
  if (!std::strcmp(ufunc, "minimum")) return running_extrema<RunningMinimum>(dtype);
  return {};
}

// Whether a ufunc's own loop gives the same to the last bit whether it computes on vectors or on one number after the other.
// Not where it multiplies and adds at once on vectors, or comes close only.
inline bool agrees_on_vectors(const char* ufunc, int dtype) {
  const auto is = [ufunc](const char* name) { return std::strcmp(ufunc, name) == 0; };
  return dtype < FLOAT16 || is("add") || is("subtract") ||
         ((is("multiply") || is("maximum") || is("minimum")) && dtype < COMPLEX64);
}

}  // namespace fastnp
