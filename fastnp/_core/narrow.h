// Reductions of matrices with few columns: along their lines, or over them. NumPy calls a loop for each line, which takes
// longer than the line; here one loop goes over both axes, in NumPy's order.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "dtype.h"
#include "extrema.h"
#include "float_flags.h"
#include "parallel.h"

namespace fastnp {

inline constexpr int64_t kNarrow = 16;          // columns, and one more
inline constexpr int64_t kNarrowFrom = 512;     // elements

struct NarrowAdd {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct NarrowMultiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
// NumPy: the first NaN stays. Without branches, which the processor could not foresee.
struct NarrowMaximum {
  template <class T>
  static T apply(T a, T b) { return chosen(std::isgreaterequal(a, b) | (a != a), a, b); }
  static int64_t apply(int64_t a, int64_t b) { return a >= b ? a : b; }
};
struct NarrowMinimum {
  template <class T>
  static T apply(T a, T b) {
    return chosen(std::islessequal(a, b) | (a != a), a, b);
  }
  static int64_t apply(int64_t a, int64_t b) { return a <= b ? a : b; }
};

// What a line comes to. Sums of eight and more floats are in the order of NumPy's pairwise ones.
template <class Operation, class T, int N>
inline T reduce_line_of(const T* a) {
  T total;
  if constexpr (N >= 8 && std::is_same_v<Operation, NarrowAdd> && std::is_floating_point_v<T>) {
    total = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
    for (int k = 8; k < N; ++k) total += a[k];
  } else {
    total = a[0];
    for (int k = 1; k < N; ++k) total = Operation::apply(total, a[k]);
  }
  // NumPy: a sum begins with 0, so that none is -0.
  if constexpr (std::is_same_v<Operation, NarrowAdd>) return T(0) + total;
  else return total;
}

template <class Operation, class T, int N>
void reduce_lines(const T* in, T* out, int64_t lines) {
  for (int64_t line = 0; line < lines; ++line) out[line] = reduce_line_of<Operation, T, N>(in + line * N);
}

template <class Operation, class T, int N>
void reduce_columns(const T* in, T* out, int64_t lines) {
  T totals[N];
  for (int k = 0; k < N; ++k) totals[k] = in[k];
  for (int64_t line = 1; line < lines; ++line)
    for (int k = 0; k < N; ++k) totals[k] = Operation::apply(totals[k], in[line * N + k]);
  for (int k = 0; k < N; ++k) out[k] = std::is_same_v<Operation, NarrowAdd> ? T(0) + totals[k] : totals[k];
}

template <class T>
using NarrowLoop = void (*)(const T* in, T* out, int64_t lines);

template <class Operation, class T, int... N>
inline NarrowLoop<T> narrow_loop(bool along_lines, int64_t columns, std::integer_sequence<int, N...>) {
  static constexpr NarrowLoop<T> along[] = {reduce_lines<Operation, T, N + 1>...};
  static constexpr NarrowLoop<T> over[] = {reduce_columns<Operation, T, N + 1>...};
  return (along_lines ? along : over)[columns - 1];
}

template <class Operation, class T>
void reduce_narrow(const void* in, void* out, int64_t lines, int64_t columns, bool along_lines) {
  const T* const from = static_cast<const T*>(in);
  T* const into = static_cast<T*>(out);
  const NarrowLoop<T> loop = narrow_loop<Operation, T>(along_lines, columns, std::make_integer_sequence<int, kNarrow - 1>());
  if (along_lines && may_split(lines * columns))
    split(lines, kSplitStep, columns,
          [=](int64_t begin, int64_t end) { loop(from + begin * columns, into + begin, end - begin); });
  else
    loop(from, into, lines);
  // NumPy: extrema raise no flag. (Vectors that a compiler makes of these may.)
  if constexpr (std::is_same_v<Operation, NarrowMaximum> || std::is_same_v<Operation, NarrowMinimum>) clear_float_flags(false);
}

using NarrowReduction = void (*)(const void* in, void* out, int64_t lines, int64_t columns, bool along_lines);

template <class Operation>
NarrowReduction narrow_reduction_of(int dtype) {
  switch (dtype) {
    // Arithmetic of integers goes round; extrema are of numbers with a sign.
    case INT64: return std::is_same_v<Operation, NarrowAdd> || std::is_same_v<Operation, NarrowMultiply>
                           ? reduce_narrow<Operation, uint64_t> : reduce_narrow<Operation, int64_t>;
    case FLOAT32: return reduce_narrow<Operation, float>;
    case FLOAT64: return reduce_narrow<Operation, double>;
    default: return nullptr;
  }
}

// The loop for a ufunc's reduction of a packed matrix, by its name and the only dtype; null where there is none.
inline NarrowReduction find_narrow_reduction(const char* ufunc, int dtype) {
  if (!std::strcmp(ufunc, "add")) return narrow_reduction_of<NarrowAdd>(dtype);
  if (!std::strcmp(ufunc, "multiply")) return narrow_reduction_of<NarrowMultiply>(dtype);
  if (!std::strcmp(ufunc, "maximum")) return narrow_reduction_of<NarrowMaximum>(dtype);
  if (!std::strcmp(ufunc, "minimum")) return narrow_reduction_of<NarrowMinimum>(dtype);
  return nullptr;
}

}  // namespace fastnp
