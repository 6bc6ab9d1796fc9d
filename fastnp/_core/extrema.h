// Positions of extrema in packed memory along an axis that a call of NumPy's for each line would be too much for: lines
// that are short, and lines that lie side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dtype.h"
#include "parallel.h"
#include "vector.h"

namespace fastnp {

// Longer lines are NumPy's to look at, with vectors, and so few that the processor remembers how their comparisons end.
inline constexpr int64_t kShortLine = 16, kManyItems = 65536, kLongColumn = 256;

// Whether `a` takes the place of `best`, which came before. NumPy: the first NaN is the extremum.
template <bool SMALLEST, class T>
[[gnu::always_inline]] inline bool exceeds(T a, T best) {
  if constexpr (std::is_floating_point_v<T>)
    return !(SMALLEST ? a >= best : a <= best) & (best == best);
  else
    return SMALLEST ? a < best : a > best;
}

// One of two, without a branch.
template <class T>
inline T chosen(bool first, T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint8_t>>;
  Bits one, other;
  std::memcpy(&one, &a, sizeof(T));
  std::memcpy(&other, &b, sizeof(T));
  const Bits mask = -static_cast<Bits>(first), bits = (one & mask) | (other & ~mask);
  std::memcpy(&a, &bits, sizeof(T));
  return a;
}

template <bool SMALLEST, class T>
void extrema_of_short_lines(const T* in, int64_t lines, int64_t length, int64_t* positions) {
  for (int64_t line = 0; line < lines; ++line, in += length) {
    T best = in[0];
    int64_t position = 0;
    for (int64_t k = 1; k < length; ++k) {
      // By masks: a branch could not be foreseen.
      const bool better = exceeds<SMALLEST>(in[k], best);
      best = chosen(better, in[k], best);
      position = chosen(better, k, position);
    }
    positions[line] = position;
  }
}

// Of columns [begin, end), row by row. A place has the width of an item, so that both are chosen by one mask.
template <bool SMALLEST, class T, class Place>
[[gnu::always_inline]] inline void extrema_of_columns(const T* in, int64_t rows, int64_t columns, int64_t begin, int64_t end,
                                                      int64_t* positions) {
  constexpr int64_t kBlock = 256;
  T best[kBlock];
  Place places[kBlock];
  for (; begin < end; begin += kBlock) {
    const int64_t width = std::min(kBlock, end - begin);
    for (int64_t k = 0; k < width; ++k) {
      best[k] = in[begin + k];
      places[k] = 0;
    }
    for (int64_t row = 1; row < rows; ++row) {
      const T* const line = in + row * columns + begin;
      for (int64_t k = 0; k < width; ++k) {
        const T value = line[k];
        const bool better = exceeds<SMALLEST>(value, best[k]);
        best[k] = better ? value : best[k];
        places[k] = better ? static_cast<Place>(row) : places[k];
      }
    }
    for (int64_t k = 0; k < width; ++k) positions[begin + k] = places[k];
  }
}
#ifdef FASTNP_X86
template <bool SMALLEST, class T, class Place>
FASTNP_AVX2 void extrema_of_columns_avx2(const T* in, int64_t rows, int64_t columns, int64_t begin, int64_t end,
                                         int64_t* positions) {
  extrema_of_columns<SMALLEST, T, Place>(in, rows, columns, begin, end, positions);
}
template <bool SMALLEST, class T, class Place>
FASTNP_AVX512 void extrema_of_columns_avx512(const T* in, int64_t rows, int64_t columns, int64_t begin, int64_t end,
                                             int64_t* positions) {
  extrema_of_columns<SMALLEST, T, Place>(in, rows, columns, begin, end, positions);
}
#endif

template <bool SMALLEST, class T, class Place>
void find_extrema(const void* data, int64_t outer, int64_t length, int64_t inner, int64_t* positions) {
  const T* const in = static_cast<const T*>(data);
  if (inner == 1) {
    const auto part = [=](int64_t begin, int64_t end) {
      extrema_of_short_lines<SMALLEST>(in + begin * length, end - begin, length, positions + begin);
    };
    return may_split(outer * length) ? split(outer, kSplitStep, length, part) : part(0, outer);
  }
  for (int64_t turn = 0; turn < outer; ++turn) {
    const T* const matrix = in + turn * length * inner;
    const auto part = [=](int64_t begin, int64_t end) {
#ifdef FASTNP_X86
      if (has_avx512())
        return extrema_of_columns_avx512<SMALLEST, T, Place>(matrix, length, inner, begin, end, positions + turn * inner);
      if (has_avx2())
        return extrema_of_columns_avx2<SMALLEST, T, Place>(matrix, length, inner, begin, end, positions + turn * inner);
#endif
      extrema_of_columns<SMALLEST, T, Place>(matrix, length, inner, begin, end, positions + turn * inner);
    };
    may_split(length * inner) ? split(inner, 512, length, part) : part(0, inner);
  }
}

template <bool SMALLEST>
bool find_extrema_of(int dtype, const void* data, int64_t outer, int64_t length, int64_t inner, int64_t* positions) {
  if (length >= int64_t{1} << 31) return false;
  switch (dtype) {
    case FLOAT64: find_extrema<SMALLEST, double, int64_t>(data, outer, length, inner, positions); return true;
    case FLOAT32: find_extrema<SMALLEST, float, int32_t>(data, outer, length, inner, positions); return true;
    case INT64: find_extrema<SMALLEST, int64_t, int64_t>(data, outer, length, inner, positions); return true;
    case INT32: find_extrema<SMALLEST, int32_t, int32_t>(data, outer, length, inner, positions); return true;
    case UINT8: case BOOL:
      if (inner != 1) return false;
      find_extrema<SMALLEST, uint8_t, int32_t>(data, outer, length, inner, positions);
      return true;
    default: return false;
  }
}

// Write the position of the extremum along the middle axis of packed memory of (outer, length, inner) items; false for dtypes
// and shapes that are NumPy's.
inline bool find_positions(int dtype, bool smallest, const void* data, int64_t outer, int64_t length, int64_t inner,
                           int64_t* positions) {
  if (inner == 1 && (length >= kShortLine || outer * length < kManyItems)) return false;
  // Rows that fill no vector: lines brought into pieces are NumPy's to look at.
  if (inner > 1 && inner < 8 && length >= kLongColumn) return false;
  return smallest ? find_extrema_of<true>(dtype, data, outer, length, inner, positions)
                  : find_extrema_of<false>(dtype, data, outer, length, inner, positions);
}

}  // namespace fastnp
