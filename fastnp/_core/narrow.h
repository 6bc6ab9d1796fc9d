// Reductions of matrices with few columns: along their lines, or over them. NumPy calls a loop for each line, which takes
// longer than the line; here one loop goes over both axes, in NumPy's order.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "complex_number.h"
#include "dtype.h"
#include "extrema.h"
#include "float_flags.h"
#include "parallel.h"
#include "vector.h"

namespace fastnp {

inline constexpr int64_t kNarrow = 16;          // columns, and one more, each number of which has loops of its own
inline constexpr int64_t kWide = 64;            // and of integers, by one loop
inline constexpr int64_t kNarrowFrom = 512;     // elements

struct NarrowAdd {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct NarrowMultiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
struct NarrowOr {
  template <class T>
  static T apply(T a, T b) { return a | b; }
};
struct NarrowAnd {
  template <class T>
  static T apply(T a, T b) { return a & b; }
};
// NumPy: the first NaN stays. Without branches, which the processor could not foresee.
template <bool GREATEST>
struct NarrowExtremum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) return (GREATEST ? a >= b : a <= b) ? a : b;
    else return chosen((GREATEST ? std::isgreaterequal(a, b) : std::islessequal(a, b)) | (a != a), a, b);
  }
#ifdef FASTNP_X86
  static double apply(double a, double b) {
    const __m128d x = _mm_set_sd(a), y = _mm_set_sd(b);
    const __m128d first = _mm_or_pd(GREATEST ? _mm_cmpge_sd(x, y) : _mm_cmple_sd(x, y), _mm_cmpunord_sd(x, x));
    return _mm_cvtsd_f64(_mm_or_pd(_mm_and_pd(first, x), _mm_andnot_pd(first, y)));
  }
  static float apply(float a, float b) {
    const __m128 x = _mm_set_ss(a), y = _mm_set_ss(b);
    const __m128 first = _mm_or_ps(GREATEST ? _mm_cmpge_ss(x, y) : _mm_cmple_ss(x, y), _mm_cmpunord_ss(x, x));
    return _mm_cvtss_f32(_mm_or_ps(_mm_and_ps(first, x), _mm_andnot_ps(first, y)));
  }
#endif
};

// What a line comes to. Sums of eight and more floats, as of the parts of complex numbers, are in the order of NumPy's
// pairwise ones.
template <class Operation, class T, int N, class In>
inline T reduce_line_of(const In* a) {
  T total;
  if constexpr (N >= 4 && std::is_class_v<T>) {
    T lanes[4] = {a[0], a[1], a[2], a[3]};
    for (int k = 4; k < N / 4 * 4; ++k) lanes[k % 4] = lanes[k % 4] + a[k];
    total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    for (int k = N / 4 * 4; k < N; ++k) total = total + a[k];
  } else if constexpr (N >= 8 && std::is_same_v<Operation, NarrowAdd> && std::is_floating_point_v<T>) {
    total = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
    for (int k = 8; k < N; ++k) total += a[k];
  } else {
    total = static_cast<T>(a[0]);
    for (int k = 1; k < N; ++k) total = Operation::apply(total, static_cast<T>(a[k]));
  }
  // NumPy: a sum begins with 0, so that none is -0.
  if constexpr (std::is_same_v<Operation, NarrowAdd>) return T(0) + total;
  else return total;
}

template <class Operation, class T, int N, class In>
void reduce_lines(const In* in, T* out, int64_t lines) {
  for (int64_t line = 0; line < lines; ++line) out[line] = reduce_line_of<Operation, T, N>(in + line * N);
}

template <class Operation, class T, int N, class In>
void reduce_columns(const In* in, T* out, int64_t lines) {
  T totals[N];
  for (int k = 0; k < N; ++k) totals[k] = static_cast<T>(in[k]);
  for (int64_t line = 1; line < lines; ++line)
    for (int k = 0; k < N; ++k) totals[k] = Operation::apply(totals[k], static_cast<T>(in[line * N + k]));
  for (int k = 0; k < N; ++k) out[k] = std::is_same_v<Operation, NarrowAdd> ? T(0) + totals[k] : totals[k];
}

// The same for any number of columns below kWide, of integers, which may be taken in any order.
template <class Operation, class T, class In>
[[gnu::always_inline]] inline void reduce_wide(const In* in, T* out, int64_t lines, int64_t columns, bool along_lines) {
  if (along_lines) {
    for (int64_t line = 0; line < lines; ++line, in += columns) {
      T total = static_cast<T>(in[0]);
      for (int64_t k = 1; k < columns; ++k) total = Operation::apply(total, static_cast<T>(in[k]));
      out[line] = total;
    }
    return;
  }
  T totals[kWide];
  for (int64_t k = 0; k < columns; ++k) totals[k] = static_cast<T>(in[k]);
  for (int64_t line = 1; line < lines; ++line)
    for (int64_t k = 0; k < columns; ++k) totals[k] = Operation::apply(totals[k], static_cast<T>(in[line * columns + k]));
  for (int64_t k = 0; k < columns; ++k) out[k] = totals[k];
}
#ifdef FASTNP_X86
template <class Operation, class T, class In>
FASTNP_AVX2 void reduce_wide_avx2(const In* in, T* out, int64_t lines, int64_t columns, bool along_lines) {
  reduce_wide<Operation>(in, out, lines, columns, along_lines);
}
#endif

template <class T, class In>
using NarrowLoop = void (*)(const In* in, T* out, int64_t lines);

template <class Operation, class T, class In, int... N>
inline NarrowLoop<T, In> narrow_loop(bool along_lines, int64_t columns, std::integer_sequence<int, N...>) {
  static constexpr NarrowLoop<T, In> along[] = {reduce_lines<Operation, T, N + 1, In>...};
  static constexpr NarrowLoop<T, In> over[] = {reduce_columns<Operation, T, N + 1, In>...};
  return (along_lines ? along : over)[columns - 1];
}

template <class Operation, class T, class In>
void reduce_narrow(const void* in, void* out, int64_t lines, int64_t columns, bool along_lines) {
  const In* const from = static_cast<const In*>(in);
  T* const into = static_cast<T*>(out);
  const auto reduce = [=](const In* some, T* results, int64_t count) {
    if (columns < kNarrow)
      return narrow_loop<Operation, T, In>(along_lines, columns, std::make_integer_sequence<int, kNarrow - 1>())(some, results, count);
    if constexpr (std::is_integral_v<T>) {
#ifdef FASTNP_X86
      if (has_avx2()) return reduce_wide_avx2<Operation>(some, results, count, columns, along_lines);
#endif
      reduce_wide<Operation>(some, results, count, columns, along_lines);
    }
  };
  if (along_lines && may_split(lines * columns))
    split(lines, kSplitStep, columns,
          [=](int64_t begin, int64_t end) { reduce(from + begin * columns, into + begin, end - begin); });
  else
    reduce(from, into, lines);
  // NumPy: extrema raise no flag. (Vectors that a compiler makes of these may.)
  if constexpr (std::is_same_v<Operation, NarrowExtremum<true>> || std::is_same_v<Operation, NarrowExtremum<false>>)
    clear_float_flags(false);
}

using NarrowReduction = void (*)(const void* in, void* out, int64_t lines, int64_t columns, bool along_lines);

// Of integers, which arithmetic makes as wide as the platform's and lets go round.
template <class Operation>
NarrowReduction narrow_arithmetic(int operand) {
  switch (operand) {
    case BOOL: case UINT8: return reduce_narrow<Operation, uint64_t, uint8_t>;
    case INT32: return reduce_narrow<Operation, uint64_t, int32_t>;
    case INT64: case UINT64: return reduce_narrow<Operation, uint64_t, uint64_t>;
    case FLOAT32: return reduce_narrow<Operation, float, float>;
    case FLOAT64: return reduce_narrow<Operation, double, double>;
    default: return nullptr;
  }
}
inline NarrowReduction narrow_sum(int operand) {
  if (operand == COMPLEX64) return reduce_narrow<NarrowAdd, Parts<float>, Parts<float>>;
  if (operand == COMPLEX128) return reduce_narrow<NarrowAdd, Parts<double>, Parts<double>>;
  return narrow_arithmetic<NarrowAdd>(operand);
}

template <bool GREATEST>
NarrowReduction narrow_extremum(int operand) {
  using Operation = NarrowExtremum<GREATEST>;
  switch (operand) {
    case BOOL: case UINT8: return reduce_narrow<Operation, uint8_t, uint8_t>;
    case INT32: return reduce_narrow<Operation, int32_t, int32_t>;
    case INT64: return reduce_narrow<Operation, int64_t, int64_t>;
    case FLOAT32: return reduce_narrow<Operation, float, float>;
    case FLOAT64: return reduce_narrow<Operation, double, double>;
    default: return nullptr;
  }
}

// The loop for a ufunc's reduction of a packed matrix of a dtype to the ufunc's own dtype for it; null where there is none.
inline NarrowReduction find_narrow_reduction(const char* ufunc, int operand, int result, int64_t columns) {
  const bool is_float = operand >= FLOAT16;
  if (columns >= (is_float ? kNarrow : kWide)) return nullptr;
  if (is_float ? result == operand : result == INT64 || result == UINT64) {
    if (!std::strcmp(ufunc, "add")) return narrow_sum(operand);
    if (!std::strcmp(ufunc, "multiply")) return narrow_arithmetic<NarrowMultiply>(operand);
  }
  if (result != operand) return nullptr;
  if (!std::strcmp(ufunc, "maximum")) return narrow_extremum<true>(operand);
  if (!std::strcmp(ufunc, "minimum")) return narrow_extremum<false>(operand);
  if (operand != BOOL) return nullptr;
  if (!std::strcmp(ufunc, "logical_or")) return reduce_narrow<NarrowOr, uint8_t, uint8_t>;
  if (!std::strcmp(ufunc, "logical_and")) return reduce_narrow<NarrowAnd, uint8_t, uint8_t>;
  return nullptr;
}

}  // namespace fastnp
