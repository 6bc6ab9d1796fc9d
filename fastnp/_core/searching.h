// Elements that are not zero, and the places of values in sorted ones, over strided memory of every dtype of NumPy.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "dtype.h"
#include "lanes.h"
#include "parallel.h"
#include "vectors_of_32.h"

namespace fastnp {

struct HalfBits {
  uint16_t bits;
};

template <class T>
inline bool is_nonzero(T value) { return value != T(0); }
template <class T>
inline bool is_nonzero(std::complex<T> value) { return (value.real() != 0) | (value.imag() != 0); }
inline bool is_nonzero(HalfBits value) { return (value.bits & 0x7fff) != 0; }

// Call visit(As<T>{}) for the type of a dtype; integers of one width look alike to it.
template <class Visit>
inline auto with_bits_of(int dtype, Visit&& visit) {
  switch (dtype) {
    case BOOL: case INT8: case UINT8: return visit(As<uint8_t>{});
    case INT16: case UINT16: return visit(As<uint16_t>{});
    case INT32: case UINT32: return visit(As<uint32_t>{});
    case INT64: case UINT64: return visit(As<uint64_t>{});
    case FLOAT16: return visit(As<HalfBits>{});
    case FLOAT32: return visit(As<float>{});
    case FLOAT64: return visit(As<double>{});
    case COMPLEX64: return visit(As<std::complex<float>>{});
    default: return visit(As<std::complex<double>>{});
  }
}

template <class T>
inline T load_as(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

// The lines go along the last axis, so that elements come in C order.
inline int64_t count_nonzero(int dtype, const Lanes& lanes, char* data) {
  return with_bits_of(dtype, [&](auto as) {
    using T = typename decltype(as)::type;
    int64_t found = 0;
    lanes.for_each(data, data, [&](char* line, char*) {
      if (lanes.step == sizeof(T))
        for (int64_t i = 0; i < lanes.length; ++i) found += is_nonzero(load_as<T>(line + i * sizeof(T)));
      else
        for (int64_t i = 0; i < lanes.length; ++i) found += is_nonzero(load_as<T>(line + i * lanes.step));
      return true;
    });
    return found;
  });
}

// Lines that follow one another at once are one, where nobody asks which of them an element is in.
inline void join_lines(Lanes* lanes) {
  while (lanes->ndim > 0 && lanes->count > 0 && lanes->steps[lanes->ndim - 1] == lanes->length * lanes->step) {
    const int64_t lines = lanes->shape[--lanes->ndim];
    lanes->length *= lines;
    lanes->count /= lines;
  }
}

// How many elements are not zero, of lines that lie in one piece, forwards or backwards: each by a function for such.
inline int64_t count_in_lines(int64_t (*count_line)(int, const void*, int64_t), int dtype, const Lanes& lanes, char* data) {
  const int64_t lowest = lanes.step < 0 ? (lanes.length - 1) * lanes.step : 0;
  int64_t found = 0;
  lanes.for_each(data, data, [&](char* line, char*) {
    found += count_line(dtype, line + lowest, lanes.length);
    return true;
  });
  return found;
}

#ifdef FASTNP_X86
// Which of four elements side by side are not zero, as bits.
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, double) {
  return bits_of(compare<_CMP_NEQ_UQ>(load_vector(reinterpret_cast<const double*>(a)), repeat_vector(0.0)));
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, float) {
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmpneq_ps(_mm_loadu_ps(reinterpret_cast<const float*>(a)), _mm_setzero_ps())));
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, uint64_t) {
  return 15 ^ bits_of(_mm256_castsi256_pd(_mm256_cmpeq_epi64(load_bytes(a), _mm256_setzero_si256())));
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, uint32_t) {
  const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
  return 15 ^ static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(x, _mm_setzero_si128()))));
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, uint8_t) {
  const __m128i x = _mm_cvtepu8_epi32(_mm_loadu_si32(a));
  return 15 ^ static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(x, _mm_setzero_si128()))));
}

// One bit for each two of eight: whether either is set.
inline unsigned either_of_two(unsigned bits) {
  bits = (bits | bits >> 1) & 0x55;
  bits = (bits | bits >> 1) & 0x33;
  return (bits | bits >> 2) & 0x0f;
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, std::complex<float>) {
  const __m256 x = load_vector(reinterpret_cast<const float*>(a));
  return either_of_two(static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_NEQ_UQ))));
}
FASTNP_AVX2 inline unsigned nonzero_of_four(const char* a, std::complex<double>) {
  return either_of_two(nonzero_of_four(a, double{}) | nonzero_of_four(a + 32, double{}) << 4);
}

// For each set of four, where those of it that are chosen go: to the front, in halves of eight bytes; and how many they are.
struct FourToFront {
  alignas(32) int32_t halves[16][8];
  int8_t count[16];
};
inline constexpr FourToFront kFourToFront = [] {
  FourToFront table = {};
  for (int set = 0; set < 16; ++set)
    for (int k = 0; k < 4; ++k)
      if (set >> k & 1) {
        const int place = table.count[set]++;
        table.halves[set][2 * place] = 2 * k;
        table.halves[set][2 * place + 1] = 2 * k + 1;
      }
  return table;
}();

// Write which elements of a line are not zero, numbered from FIRST on, as long as there are four; return how many elements were
// looked at, and add to *found. Four are written at a time, which there is room for.
template <class T>
FASTNP_AVX2 inline int64_t find_fours(const char* line, int64_t length, int64_t first, int64_t* numbers, int64_t* found) {
  __m256i four = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 1, 2, 3));
  int64_t* into = numbers + *found;
  int64_t i = 0;
  for (; i + 4 <= length; i += 4) {
    const unsigned set = nonzero_of_four(line + i * sizeof(T), T{});
    const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(kFourToFront.halves[set]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(into), _mm256_permutevar8x32_epi32(four, order));
    into += kFourToFront.count[set];
    four = _mm256_add_epi64(four, _mm256_set1_epi64x(4));
  }
  *found = into - numbers;
  return i;
}

template <class T>
inline constexpr bool kFoundByFours = sizeof(T) != 2;
#endif

// Write which elements of a line are not zero, numbered from FIRST on; return how many. There is room for all.
template <class T>
int64_t find_in_line(const char* line, int64_t step, int64_t length, int64_t first, int64_t* numbers) {
  int64_t found = 0, i = 0;
#ifdef FASTNP_X86
  if constexpr (kFoundByFours<T>)
    if (step == sizeof(T) && has_avx2()) i = find_fours<T>(line, length, first, numbers, &found);
#endif
  for (; i < length; ++i) {
    numbers[found] = first + i;
    found += is_nonzero(load_as<T>(line + i * step));
  }
  return found;
}

// The same of all elements, numbered in C order.
inline int64_t find_nonzero(int dtype, const Lanes& lanes, char* data, int64_t* numbers) {
  return with_bits_of(dtype, [&](auto as) {
    int64_t found = 0, number = 0;
    lanes.for_each(data, data, [&](char* line, char*) {
      found += find_in_line<typename decltype(as)::type>(line, lanes.step, lanes.length, number, numbers + found);
      number += lanes.length;
      return true;
    });
    return found;
  });
}

// The last axis along which there is more than one element, or the first one: lines along it are in C order as well.
inline int last_long_axis(int ndim, const int64_t* shape) {
  int axis = ndim - 1;
  while (axis > 0 && shape[axis] == 1) --axis;
  return axis;
}

// Write the coordinates of the elements that are not zero, in C order: `step` apart for one axis, `axis_step` between axes. The
// lines are those of the last long axis.
inline void find_coordinates(int dtype, const Lanes& lanes, char* data, int ndim, const int64_t* shape, int64_t* out,
                             int64_t step, int64_t axis_step) {
  with_bits_of(dtype, [&](auto as) {
    using T = typename decltype(as)::type;
    constexpr int64_t kBlock = 1024;
    int64_t places[64] = {0}, columns[kBlock];
    const int along = last_long_axis(ndim, shape);
    lanes.for_each(data, data, [&](char* line, char*) {
      for (int64_t begin = 0; begin < lanes.length; begin += kBlock) {
        const int64_t length = std::min(kBlock, lanes.length - begin);
        const int64_t found = find_in_line<T>(line + begin * lanes.step, lanes.step, length, begin, columns);
        for (int axis = 0; axis < ndim; ++axis)
          for (int64_t k = 0; axis != along && k < found; ++k) out[k * step + axis * axis_step] = places[axis];
        int64_t* const last = out + along * axis_step;
        if (step == 1)
          std::copy(columns, columns + found, last);
        else
          for (int64_t k = 0; k < found; ++k) last[k * step] = columns[k];
        out += found * step;
      }
      for (int axis = along - 1; axis >= 0 && ++places[axis] == shape[axis]; --axis) places[axis] = 0;
      return true;
    });
    return 0;
  });
}

// Write the coordinates along each axis of elements numbered in C order: `step` apart for one axis, `axis_step` between axes.
inline void write_coordinates(const int64_t* numbers, int64_t count, int ndim, const int64_t* shape, int64_t* out,
                              int64_t step, int64_t axis_step) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = numbers[i];
    for (int axis = ndim - 1; axis > 0; --axis) {
      out[i * step + axis * axis_step] = number % shape[axis];
      number /= shape[axis];
    }
    out[i * step] = number;
  }
}

// --- places in sorted values ------------------------------------------------------------------------------------------

// NumPy's order: NaNs after all numbers, complex numbers by their real parts first.
template <class T>
inline bool comes_before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a < b || (b != b && a == a);
  else return a < b;
}
inline bool comes_before(HalfBits a, HalfBits b) {
  return comes_before(static_cast<float>(half_to_double(a.bits)), static_cast<float>(half_to_double(b.bits)));
}
template <class T>
inline bool comes_before(std::complex<T> a, std::complex<T> b) {
  const T ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
  if (ar < br) return ai == ai || bi != bi;
  if (ar > br) return bi != bi && ai == ai;
  if (ar == br || (ar != ar && br != br)) return comes_before(ai, bi);
  return br != br;
}

// Whether the place of a key that is no NaN is behind a value: one comparison, so that a search needs no branches.
template <class T, bool RIGHT>
inline bool is_behind(T key, T value) {
  if constexpr (std::is_floating_point_v<T>) return RIGHT ? value <= key : value < key;
  else return RIGHT ? !comes_before(key, value) : comes_before(value, key);
}

// As many keys are searched for side by side: a step waits for the memory of its own key alone.
inline constexpr int kKeys = 16;

// The places of kKeys keys, none of them NaN, in sorted values in one piece, of which there is one at least.
template <class T, bool RIGHT>
void search_side_by_side(const T* sorted, int64_t size, const T* keys, int64_t* places) {
  const T* at[kKeys];
  for (int k = 0; k < kKeys; ++k) at[k] = sorted;
  for (int64_t length = size; length > 1; length -= length >> 1) {
    const int64_t half = length >> 1;
    for (int k = 0; k < kKeys; ++k) at[k] += half & -static_cast<int64_t>(is_behind<T, RIGHT>(keys[k], at[k][half - 1]));
  }
  for (int k = 0; k < kKeys; ++k) places[k] = at[k] - sorted + is_behind<T, RIGHT>(keys[k], *at[k]);
}

// The same of few values: how many of them are before each key, all keys at once.
inline constexpr int64_t kFewSorted = 32;
template <class T, bool RIGHT>
[[gnu::always_inline]] inline void count_before_each(const T* sorted, int64_t size, const T* keys, int64_t* places) {
  using Count = std::conditional_t<sizeof(T) == 8, int64_t, std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
  Count counts[kKeys] = {};
  for (int64_t i = 0; i < size; ++i)
    for (int k = 0; k < kKeys; ++k) counts[k] += is_behind<T, RIGHT>(keys[k], sorted[i]);
  for (int k = 0; k < kKeys; ++k) places[k] = counts[k];
}
#ifdef FASTNP_X86
template <class T, bool RIGHT>
FASTNP_AVX512 void count_before_each_avx512(const T* sorted, int64_t size, const T* keys, int64_t* places) {
  count_before_each<T, RIGHT>(sorted, size, keys, places);
}
#endif
template <class T, bool RIGHT>
inline auto search_of(int64_t size) {
#ifdef FASTNP_X86
  if (size <= kFewSorted && has_avx512()) return count_before_each_avx512<T, RIGHT>;
#endif
  return search_side_by_side<T, RIGHT>;
}

// Keys often come in order: the place of the one before bounds the next one's.
template <class T, bool RIGHT>
void search_in_turn(const char* sorted, int64_t step, int64_t size, const char* keys, int64_t key_step, int64_t count,
                    int64_t* places) {
  int64_t low = 0, high = size;
  if (count == 0) return;
  T last = load_as<T>(keys);
  for (int64_t i = 0; i < count; ++i) {
    const T key = load_as<T>(keys + i * key_step);
    if (RIGHT ? !comes_before(key, last) : comes_before(last, key)) {
      high = size;
    } else {
      low = 0;
      high = high < size ? high + 1 : size;
    }
    last = key;
    if constexpr (std::is_floating_point_v<T>) {
      while (key != key && low < high) {
        const int64_t middle = low + ((high - low) >> 1);
        const T value = load_as<T>(sorted + middle * step);
        if (RIGHT || value == value) low = middle + 1;
        else high = middle;
      }
    }
    while (low < high) {
      const int64_t middle = low + ((high - low) >> 1);
      const bool behind = is_behind<T, RIGHT>(key, load_as<T>(sorted + middle * step));
      low = behind ? middle + 1 : low;
      high = behind ? high : middle;
    }
    places[i] = low;
  }
}

template <class T, bool RIGHT>
void search_sorted(const char* sorted, int64_t step, int64_t size, const char* keys, int64_t key_step, int64_t count,
                   int64_t* places) {
  int64_t i = 0;
  if constexpr (std::is_arithmetic_v<T>) {
    const auto search = search_of<T, RIGHT>(size);
    const bool packed = key_step == sizeof(T);
    for (T apart[kKeys]; size > 0 && step == sizeof(T) && i + kKeys <= count; i += kKeys) {
      const T* block = apart;
      if (packed) block = reinterpret_cast<const T*>(keys) + i;
      else
        for (int k = 0; k < kKeys; ++k) apart[k] = load_as<T>(keys + (i + k) * key_step);
      int missing = 0;
      for (int k = 0; k < kKeys; ++k) missing |= block[k] != block[k];
      if (!missing) search(reinterpret_cast<const T*>(sorted), size, block, places + i);
      else search_in_turn<T, RIGHT>(sorted, step, size, keys + i * key_step, key_step, kKeys, places + i);
    }
  }
  search_in_turn<T, RIGHT>(sorted, step, size, keys + i * key_step, key_step, count - i, places + i);
}

template <class T>
void search_side(bool right, const char* sorted, int64_t step, int64_t size, const char* keys, int64_t key_step,
                 int64_t count, int64_t* places) {
  (right ? search_sorted<T, true> : search_sorted<T, false>)(sorted, step, size, keys, key_step, count, places);
}

// Call visit(As<T>{}) for the type of a dtype that has an order.
template <class Visit>
inline auto with_type_of(int dtype, Visit&& visit) {
  switch (dtype) {
    case BOOL: case UINT8: return visit(As<uint8_t>{});
    case INT8: return visit(As<int8_t>{});
    case INT16: return visit(As<int16_t>{});
    case UINT16: return visit(As<uint16_t>{});
    case INT32: return visit(As<int32_t>{});
    case UINT32: return visit(As<uint32_t>{});
    case INT64: return visit(As<int64_t>{});
    case UINT64: return visit(As<uint64_t>{});
    case FLOAT16: return visit(As<HalfBits>{});
    case FLOAT32: return visit(As<float>{});
    case FLOAT64: return visit(As<double>{});
    case COMPLEX64: return visit(As<std::complex<float>>{});
    default: return visit(As<std::complex<double>>{});
  }
}

inline void search_sorted(int dtype, bool right, const char* sorted, int64_t step, int64_t size, const char* keys,
                          int64_t key_step, int64_t count, int64_t* places) {
  constexpr int64_t as_elements = 16;  // a search takes as long as a simple loop over so many
  with_type_of(dtype, [&](auto as) {
    const auto part = [&](int64_t begin, int64_t end) {
      search_side<typename decltype(as)::type>(
          right, sorted, step, size, keys + begin * key_step, key_step, end - begin, places + begin);
    };
    if (may_split(count * as_elements)) split(count, kKeys, as_elements, part);
    else part(0, count);
  });
}

// Whether no value is less than the one before it, and there are two that differ; no NaNs.
inline bool is_increasing(int dtype, const char* data, int64_t step, int64_t count) {
  return with_type_of(dtype, [&](auto as) {
    using T = typename decltype(as)::type;
    bool differ = false;
    for (int64_t i = 1; i < count; ++i) {
      const T before = load_as<T>(data + (i - 1) * step), value = load_as<T>(data + i * step);
      if (comes_before(value, before)) return false;
      if constexpr (std::is_floating_point_v<T>)
        if (value != value) return false;
      differ = differ || comes_before(before, value);
    }
    return differ;
  });
}

}  // namespace fastnp
