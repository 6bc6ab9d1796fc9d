// Functions of one dimension: counts of small integers, and values between sample points, as NumPy computes them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "searching.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

// Return the largest of integers, or -1 where one is negative or there are none.
inline __attribute__((always_inline)) int64_t find_largest_natural(const int64_t* values, int64_t count) {
  int64_t low = 0, high = -1;
  for (int64_t i = 0; i < count; ++i) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  return low < 0 ? -1 : high;
}
#ifdef FASTNP_X86
FASTNP_AVX2 inline int64_t find_largest_natural_widely(const int64_t* values, int64_t count) {
  return find_largest_natural(values, count);
}
#endif
inline int64_t largest_natural(const int64_t* values, int64_t count) {
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) return find_largest_natural_widely(values, count);
#endif
  return find_largest_natural(values, count);
}

inline bool is_increasing(const double* values, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    if (!(values[i - 1] <= values[i])) return false;
  return count > 0 && values[0] == values[0];
}

// The number of the last sample point that is not above x, found from the one before; x is not below the first.
inline int64_t find_segment(const double* points, int64_t count, double x, int64_t guess) {
  const bool behind = points[guess] <= x;
  if (behind && (guess + 1 == count || x < points[guess + 1])) return guess;
  if (behind && (guess + 2 == count || x < points[guess + 2])) return guess + 1;
  int64_t low = behind ? guess : 0, high = behind ? count : guess;
  // Without branches: which way a search goes cannot be foretold.
  while (high - low > 1) {
    const int64_t middle = low + ((high - low) >> 1);
    const bool above = points[middle] <= x;
    low = above ? middle : low;
    high = above ? high : middle;
  }
  return low;
}

// The value at x, between sample point k, the last one not above it, and the next. A slope is computed where it is needed:
// the quotient is the same one.
inline double value_after(double x, int64_t k, const double* points, const double* values, int64_t size) {
  if (k == size - 1 || points[k] == x) return values[k];
  const double slope = (values[k + 1] - values[k]) / (points[k + 1] - points[k]);
  double value = slope * (x - points[k]) + values[k];
  if (value != value) {
    value = slope * (x - points[k + 1]) + values[k + 1];
    if (value != value && values[k] == values[k + 1]) value = values[k];
  }
  return value;
}

// The same for kKeys numbers in no order, whose places have been found: nothing branches on where they are, and nothing waits
// for memory one after the other. There are two sample points at least.
inline void interpolate_side_by_side(const double* xs, const int64_t* places, const double* points, const double* values,
                                     int64_t size, double left, double right, double* out) {
  int64_t ks[kKeys];
  for (int i = 0; i < kKeys; ++i) {
    ks[i] = std::min(std::max(places[i] - 1, int64_t{0}), size - 2);
    __builtin_prefetch(points + ks[i]);
    __builtin_prefetch(values + ks[i]);
  }
  bool found = true;
  double results[kKeys];
  for (int i = 0; i < kKeys; ++i) {
    const double x = xs[i], *const point = points + ks[i], *const value = values + ks[i];
    const double between = (value[1] - value[0]) / (point[1] - point[0]) * (x - point[0]) + value[0];
    found &= between == between;
    double result = x == point[0] ? value[0] : between;
    result = x >= point[1] ? value[1] : result;  // the last one: others are followed by what is above x
    result = x < points[0] ? left : result;
    results[i] = x > points[size - 1] ? right : result;
  }
  for (int i = 0; i < kKeys; ++i) {
    const double x = xs[i];
    if (found)
      out[i] = results[i];
    else
      out[i] = x != x ? x : x < points[0] ? left : x > points[size - 1] ? right : value_after(x, places[i] - 1, points, values, size);
  }
}

// Sample points increase.
inline void interpolate(const double* xs, int64_t count, const double* points, const double* values, int64_t size,
                        double left, double right, double* out) {
  if (size == 1) {  // NumPy: the one value is NaN's as well
    for (int64_t i = 0; i < count; ++i) out[i] = xs[i] < points[0] ? left : xs[i] > points[0] ? right : values[0];
    return;
  }
  int64_t k = 0, places[kKeys];
  bool in_order = true;
  for (int64_t begin = 0; begin < count; begin += kKeys) {
    const double* const block = xs + begin;
    const int64_t length = std::min<int64_t>(kKeys, count - begin);
    int near = 0;
    // Where numbers come in no order, their segments are searched for side by side. (NaN is before all: its place is zero.)
    if (!in_order && length == kKeys) {
      search_side_by_side<double, true>(points, size, block, places);
      interpolate_side_by_side(block, places, points, values, size, left, right, out + begin);
      for (int i = 1; i < kKeys; ++i) near += places[i] == places[i - 1] || places[i] == places[i - 1] + 1;
      in_order = near > kKeys / 2;
      k = places[kKeys - 1] > 0 ? places[kKeys - 1] - 1 : 0;
      continue;
    }
    for (int64_t i = 0; i < length; ++i) {
      const double x = block[i];
      const int64_t before = k;
      if (x != x) {
        out[begin + i] = x;
      } else if (x < points[0]) {
        out[begin + i] = left;
      } else if (x > points[size - 1]) {
        out[begin + i] = right;
      } else {
        k = find_segment(points, size, x, k);
        out[begin + i] = value_after(x, k, points, values, size);
      }
      near += k == before || k == before + 1;
    }
    in_order = near > kKeys / 2;
  }
}

// The same, by several threads where that pays.
inline void interpolate_in_parts(const double* xs, int64_t count, const double* points, const double* values, int64_t size,
                                 double left, double right, double* out) {
  constexpr int64_t as_elements = 16;  // a value takes as long as a simple loop over so many
  const auto part = [=](int64_t begin, int64_t end) {
    interpolate(xs + begin, end - begin, points, values, size, left, right, out + begin);
  };
  if (may_split(count * as_elements)) split(count, kKeys, as_elements, part);
  else part(0, count);
}

// Count natural numbers below `size`.
inline void count_naturals(const int64_t* values, int64_t count, int64_t* counts) {
  for (int64_t i = 0; i < count; ++i) ++counts[values[i]];
}

inline constexpr int64_t kFewNaturals = 512;

// Count numbers below kFewNaturals, in one pass; false as soon as others are found among them.
inline bool count_few_naturals(const int64_t* values, int64_t count, int64_t* counts) {
  // One that comes again at once waits for its count to be stored: it finds another table. The last place is for all others.
  constexpr int kTables = 4;
  int64_t tables[kTables][kFewNaturals + 1] = {}, i = 0;
  const auto place = [](int64_t value) {
    return std::min(static_cast<uint64_t>(value), static_cast<uint64_t>(kFewNaturals));
  };
  for (int64_t begin = 0; begin < count; begin += kFewNaturals) {
    const int64_t end = std::min(begin + kFewNaturals, count);
    for (; i + kTables <= end; i += kTables)
      for (int table = 0; table < kTables; ++table) ++tables[table][place(values[i + table])];
    for (; i < end; ++i) ++tables[0][place(values[i])];
    for (int table = 0; table < kTables; ++table)
      if (tables[table][kFewNaturals] != 0) return false;
  }
  for (int64_t value = 0; value < kFewNaturals; ++value)
    counts[value] = tables[0][value] + tables[1][value] + tables[2][value] + tables[3][value];
  return true;
}

inline constexpr int64_t kBytes = 256, kManyBytes = 4096;

// Count how often each byte comes.
inline void count_each_byte(const uint8_t* values, int64_t count, int64_t* counts) {
  constexpr int kTables = 4;
  int64_t tables[kTables][kBytes] = {}, i = 0;
  for (uint64_t word; i + 8 <= count; i += 8) {
    std::memcpy(&word, values + i, 8);
    for (int place = 0; place < 8; ++place) ++tables[place % kTables][word >> (8 * place) & 255];
  }
  for (; i < count; ++i) ++tables[0][values[i]];
  for (int64_t value = 0; value < kBytes; ++value)
    counts[value] = tables[0][value] + tables[1][value] + tables[2][value] + tables[3][value];
}

// The bins of some values, but for what rounding has put next to an edge; and whether a value lies within them.
template <class T, class Element>
inline __attribute__((always_inline)) void fill_bins(const Element* values, int64_t count, int32_t bins, T low, T high, T width, int32_t* places,
                              int32_t* inside) {
  const T times = static_cast<T>(bins);
  for (int64_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(values[i]);
    const bool is_inside = (value >= low) & (value <= high);
    const int32_t place = static_cast<int32_t>((is_inside ? value - low : T(0)) / width * times);
    places[i] = place < bins ? place : bins - 1;
    inside[i] = is_inside;
  }
}
#ifdef FASTNP_X86
// The same by vectors: of doubles four, of floats eight.
FASTNP_AVX2 inline void store_bins(__m256d place, __m256d is_inside, int32_t last, int32_t* places, int32_t* inside) {
  const __m128i whole = _mm_min_epi32(_mm256_cvttpd_epi32(place), _mm_set1_epi32(last));
  const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  const __m256i truths = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(is_inside), even);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(places), whole);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(inside), _mm_srli_epi32(_mm256_castsi256_si128(truths), 31));
}
FASTNP_AVX2 inline void store_bins(__m256 place, __m256 is_inside, int32_t last, int32_t* places, int32_t* inside) {
  const __m256i whole = _mm256_min_epi32(_mm256_cvttps_epi32(place), _mm256_set1_epi32(last));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(places), whole);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(inside), _mm256_srli_epi32(_mm256_castps_si256(is_inside), 31));
}
template <class T, class Element>
FASTNP_AVX2 void fill_bins_wide(const Element* values, int64_t count, int32_t bins, T low, T high, T width, int32_t* places,
                                int32_t* inside) {
  constexpr int64_t step = 32 / sizeof(T);
  const auto least = repeat_vector(low), most = repeat_vector(high), whole = repeat_vector(width);
  const auto times = repeat_vector(static_cast<T>(bins));
  int64_t i = 0;
  for (; i + step <= count; i += step) {
    const auto value = [&]() FASTNP_AVX2 {
      if constexpr (std::is_same_v<T, float>) return load_vector(values + i);
      else return load_doubles(values + i);
    }();
    const auto is_inside = both(compare<_CMP_GE_OQ>(value, least), compare<_CMP_LE_OQ>(value, most));
    const auto place = multiply(divide(both(is_inside, subtract(value, least)), whole), times);
    store_bins(place, is_inside, bins - 1, places + i, inside + i);
  }
  fill_bins<T, Element>(values + i, count - i, bins, low, high, width, places + i, inside + i);
}
#endif

// The bin of a value, given one that rounding may have put next to an edge.
template <class T>
inline __attribute__((always_inline)) int32_t place_in_bins(T value, const T* edges, int32_t bins, int32_t place) {
  place -= value < edges[place];
  place = place < 0 ? 0 : place;
  return place + ((value >= edges[place + 1]) & (place != bins - 1));
}

// Count what lies in each of `bins` bins of equal width, the last one closed, as NumPy's histogram does. What lies outside
// of the first and the last edge is left out. Many values are counted in several tables: one count waits for the one before.
template <class T, class Element>
void count_in_bins(const Element* values, int64_t count, const T* edges, int32_t bins, T low, T high, T width, int64_t* counts) {
  constexpr int64_t kBlock = 256, kFewBins = 1024;
  constexpr int kTables = 4;
  int32_t places[kBlock], inside[kBlock], kept[kBlock];
  int64_t few[kTables * kFewBins];
  const int64_t apart = bins <= kFewBins && count >= 2 * kTables * bins ? bins : 0;
  int64_t* const tables = apart ? few : counts;
  std::fill_n(few, kTables * apart, 0);
  auto fill = fill_bins<T, Element>;
#ifdef FASTNP_X86
  if (has_avx2()) fill = fill_bins_wide<T, Element>;
#endif
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t length = std::min(kBlock, count - begin);
    fill(values + begin, length, bins, low, high, width, places, inside);
    int64_t number = 0;
    for (int64_t i = 0; i < length; ++i) {
      kept[number] = static_cast<int32_t>(i);
      number += inside[i];
    }
    for (int64_t i = 0; i < number; ++i) {
      const int32_t place = place_in_bins(static_cast<T>(values[begin + kept[i]]), edges, bins, places[kept[i]]);
      ++tables[i % kTables * apart + place];
    }
  }
  for (int64_t place = 0; place < apart; ++place)
    for (int table = 0; table < kTables; ++table) counts[place] += few[table * apart + place];
}

// Of many bytes each value is put into its bin once.
inline void count_bytes_in_bins(const uint8_t* values, int64_t count, const double* edges, int32_t bins, double low, double high,
                                double width, int64_t* counts) {
  int64_t times[kBytes];
  count_each_byte(values, count, times);
  for (int64_t value = 0; value < kBytes; ++value) {
    const auto byte = static_cast<uint8_t>(value);
    int32_t place, is_inside;
    fill_bins<double, uint8_t>(&byte, 1, bins, low, high, width, &place, &is_inside);
    if (is_inside) counts[place_in_bins(static_cast<double>(byte), edges, bins, place)] += times[value];
  }
}

// The same for values of a dtype whose edges are float32 where they are, else float64; false where there is no loop.
inline bool count_in_bins(int dtype, const void* values, int64_t count, const void* edges, int64_t bins, double low,
                          double high, double width, int64_t* counts) {
  const auto of = [&](auto element, auto edge) {
    using Element = decltype(element);
    using T = decltype(edge);
    count_in_bins<T, Element>(static_cast<const Element*>(values), count, static_cast<const T*>(edges),
                              static_cast<int32_t>(bins), static_cast<T>(low), static_cast<T>(high), static_cast<T>(width), counts);
    return true;
  };
  if (bins >= std::numeric_limits<int32_t>::max()) return false;
  switch (dtype) {
    case FLOAT64: return of(double{}, double{});
    case FLOAT32: return of(float{}, float{});
    case INT64: return of(int64_t{}, double{});
    case INT32: return of(int32_t{}, double{});
    case UINT8:
      if (count < kManyBytes) return of(uint8_t{}, double{});
      count_bytes_in_bins(static_cast<const uint8_t*>(values), count, static_cast<const double*>(edges),
                          static_cast<int32_t>(bins), low, high, width, counts);
      return true;
    default: return false;
  }
}

}  // namespace fastnp
