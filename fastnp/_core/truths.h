// Elements of packed memory where a packed mask is true: how many, their places, memory to values (take) and values to
// memory (put). By AVX-512 64 truths are looked at together.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "moves.h"
#include "parallel.h"
#include "vector.h"

namespace fastnp {

// From so many elements of a mask on, 64 of them are looked at together.
inline constexpr int64_t kManyTruths = 128;

// Counts in bytes, and adds those up before they overflow.
[[gnu::always_inline]] inline int64_t count_true_bytes(const uint8_t* mask, int64_t n) {
  int64_t count = 0;
  while (n > 0) {
    const int64_t chunk = std::min<int64_t>(n, 32 * 255);
    uint8_t lanes[32] = {0};
    int64_t i = 0;
    for (; i + 32 <= chunk; i += 32)
      for (int k = 0; k < 32; ++k) lanes[k] = static_cast<uint8_t>(lanes[k] + (mask[i + k] != 0));
    for (int k = 0; k < 32; ++k) count += lanes[k];
    for (; i < chunk; ++i) count += mask[i] != 0;
    mask += chunk;
    n -= chunk;
  }
  return count;
}
#ifdef FASTNP_X86
FASTNP_AVX2 inline int64_t count_true_avx2(const uint8_t* mask, int64_t n) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i total = zero;
  int64_t i = 0, blocks = n / 128;
  while (blocks > 0) {
    // Each lane counts at most 255 true elements.
    const int64_t turn = std::min<int64_t>(blocks, 63);
    __m256i lanes = zero;
    for (int64_t k = 0; k < turn; ++k, i += 128) {
      const __m256i* const at = reinterpret_cast<const __m256i*>(mask + i);
      const __m256i first = _mm256_add_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(at), zero),
                                            _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 1), zero));
      const __m256i second = _mm256_add_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(at + 2), zero),
                                             _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 3), zero));
      lanes = _mm256_sub_epi8(lanes, _mm256_add_epi8(first, second));
    }
    total = _mm256_add_epi64(total, _mm256_sad_epu8(lanes, zero));
    blocks -= turn;
  }
  int64_t zeros[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(zeros), total);
  return i - (zeros[0] + zeros[1] + zeros[2] + zeros[3]) + count_true_bytes(mask + i, n - i);
}
#endif

inline int64_t count_true_part(const uint8_t* mask, int64_t n) {
#ifdef FASTNP_X86
  if (n >= 128 && has_avx2()) return count_true_avx2(mask, n);
#endif
  return count_true_bytes(mask, n);
}

inline int64_t count_true(const uint8_t* mask, int64_t n) {
  if (!may_split(n / 8)) return count_true_part(mask, n);
  std::atomic<int64_t> count{0};
  split(n, kSplitStep, 1, [&](int64_t begin, int64_t end) { count += count_true_part(mask + begin, end - begin); });
  return count;
}

inline constexpr uint64_t kAllTrue = 0x0101010101010101;

// Call eight(i, truths) for each eight elements of which some are true, in order, and one(i) for the true ones of the last few.
// As many that are not are passed over eight or 64 at a time.
template <typename Eight, typename One>
inline void for_each_true(const uint8_t* mask, int64_t n, Eight&& eight, One&& one) {
  int64_t i = 0;
  while (i + 64 <= n) {
    uint64_t words[8], any = 0;
    std::memcpy(words, mask + i, 64);
    for (const uint64_t word : words) any |= word;
    if (any == 0) {
      i += 64;
      continue;
    }
    for (const uint64_t word : words) {
      if (word != 0) eight(i, word);
      i += 8;
    }
  }
  for (; i < n; ++i)
    if (mask[i]) one(i);
}

// Where an item is written: at its place, or aside where its truth is false. Nothing is guessed, as a branch would: wrong guesses
// cost five times what the writes do.
template <typename T>
inline T* place_or(T* aside, T* place, uint8_t truth) {
  uintptr_t elsewhere = uintptr_t{truth != 0} - 1;
  asm("" : "+r"(elsewhere));  // GCC makes a branch of what it knows to be 0 or all ones
  const uintptr_t at = reinterpret_cast<uintptr_t>(place), other = reinterpret_cast<uintptr_t>(aside);
  return reinterpret_cast<T*>(at ^ ((at ^ other) & elsewhere));
}

#ifdef FASTNP_X86
// The places of the set bits of each byte, one after another.
struct SetBits {
  uint8_t places[256][8];
  constexpr SetBits() : places{} {
    for (int byte = 0; byte < 256; ++byte)
      for (int bit = 0, found = 0; bit < 8; ++bit)
        if (byte >> bit & 1) places[byte][found++] = static_cast<uint8_t>(bit);
  }
};
inline constexpr SetBits kSetBits;

// Write the places of the true elements of a mask from its beginning on, eight at a time while there is room for as many:
// `looked` is how many elements were looked at, the result how many are true. There are not more than `count`.
FASTNP_AVX2 inline int64_t true_places_avx2(const uint8_t* mask, int64_t n, int64_t* out, int64_t count, int64_t* looked) {
  int64_t found = 0, i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask + i));
    uint32_t bits = ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
    if (found + 32 > count && bits != 0) break;
    for (int64_t k = i; bits != 0; bits >>= 8, k += 8) {
      const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kSetBits.places[bits & 255]));
      const __m256i start = _mm256_set1_epi64x(k);
      int64_t* const into = out + found;
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(into), _mm256_add_epi64(start, _mm256_cvtepu8_epi64(places)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + 4),
                          _mm256_add_epi64(start, _mm256_cvtepu8_epi64(_mm_srli_si128(places, 4))));
      found += __builtin_popcount(bits & 255);
    }
  }
  *looked = i;
  return found;
}

// Which of 64 elements are true, a bit for each.
FASTNP_AVX512 inline uint64_t true_bits(const uint8_t* mask) {
  const __m512i bytes = _mm512_loadu_si512(mask);
  return _mm512_test_epi8_mask(bytes, bytes);
}

// Write the places of the true elements of a mask whose length is a multiple of 64; return how many. There are not more
// than `count`, or another thread writes into the mask meanwhile.
FASTNP_AVX512 inline int64_t true_places_avx512(const uint8_t* mask, int64_t n, int64_t* out, int64_t count) {
  int64_t found = 0;
  for (int64_t i = 0; i < n; i += 64) {
    uint64_t bits = true_bits(mask + i);
    for (int64_t k = i; bits != 0; bits >>= 8, k += 8) {
      const int64_t here = std::min<int64_t>(__builtin_popcount(bits & 255), count - found);
      const __m512i places = _mm512_add_epi64(_mm512_set1_epi64(k), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
      _mm512_mask_storeu_epi64(out + found, (1 << here) - 1, _mm512_maskz_compress_epi64(bits & 255, places));
      found += here;
    }
  }
  return found;
}

// The same of the elements themselves, of four bytes or eight.
template <typename T>
FASTNP_AVX512 inline int64_t take_true_avx512(const uint8_t* mask, const T* memory, int64_t n, T* values, int64_t count) {
  constexpr int width = 64 / sizeof(T);
  int64_t found = 0;
  for (int64_t i = 0; i < n; i += 64) {
    uint64_t bits = true_bits(mask + i);
    for (const T* from = memory + i; bits != 0; bits = width == 8 ? bits >> 8 : bits >> 16, from += width) {
      const uint32_t some = bits & ((1u << width) - 1);
      const int64_t here = std::min<int64_t>(__builtin_popcount(some), count - found);
      const __m512i items = _mm512_loadu_si512(from);
      if constexpr (sizeof(T) == 8)
        _mm512_mask_storeu_epi64(values + found, (1 << here) - 1, _mm512_maskz_compress_epi64(some, items));
      else
        _mm512_mask_storeu_epi32(values + found, (1 << here) - 1, _mm512_maskz_compress_epi32(some, items));
      found += here;
    }
  }
  return found;
}
#endif

// Write the places of the true elements of a packed mask, of which there are `count`.
inline void true_places(const uint8_t* mask, int64_t n, int64_t* out, int64_t count) {
  int64_t i = 0, found = 0;
#ifdef FASTNP_X86
  if (n >= kManyTruths && has_avx512()) {
    i = n - n % 64;
    found = true_places_avx512(mask, i, out, count);
  } else if (n >= kManyTruths && has_avx2()) {
    found = true_places_avx2(mask, n, out, count, &i);
  }
#endif
  for (; i < n && found < count; ++i) {
    out[found] = i;
    found += mask[i] != 0;
  }
}

// The coordinates of the true elements of a packed mask: out[axis][0 .. count). Without branches: what is written past the
// last hit is undone by the next, and nothing is looked at past the last one of all.
inline void true_coordinates(const uint8_t* mask, int ndim, const int64_t* shape, int64_t* const* out, int64_t count) {
  if (ndim == 1) return true_places(mask, shape[0], out[0], count);
  int64_t last = 1, found = 0, at[64] = {0};
  for (int axis = 0; axis < ndim; ++axis) last *= shape[axis];
  for (--last; last >= 0 && !mask[last]; --last) {
  }
  if (last < 0 || ndim == 0) return;
  const int64_t line = shape[ndim - 1];
  int64_t* const __restrict places = out[ndim - 1];
  for (int64_t start = 0; start <= last; start += line) {
    const int64_t before = found, end = std::min(line, last - start + 1);
    const uint8_t* const truth = mask + start;
    for (int64_t i = 0; i < end;) {
      uint64_t word = 1;
      if (i + 8 <= end) std::memcpy(&word, truth + i, 8);
      if (word == 0) {
        i += 8;
        continue;
      }
      for (const int64_t stop = std::min(i + 8, end); i < stop; ++i) {
        places[found] = i;
        found += truth[i] != 0;
      }
    }
    for (int axis = ndim - 2; axis >= 0; --axis) std::fill(out[axis] + before, out[axis] + found, at[axis]);
    for (int axis = ndim - 2; axis >= 0 && ++at[axis] == shape[axis]; --axis) at[axis] = 0;
  }
}

// Without branches where eight more values are to come, unless all of them do: a write past the last hit is undone by the next.
template <typename T>
void take_true(const uint8_t* mask, const T* memory, int64_t n, T* values, int64_t count) {
  for (int64_t i = 0, found = 0; found < count;) {
    if (i + 8 <= n) {
      uint64_t word;
      std::memcpy(&word, mask + i, 8);
      if (word == 0) {
        i += 8;
        continue;
      }
      if (found + 8 <= count) {
        if (word == kAllTrue) {
          std::memcpy(values + found, memory + i, 8 * sizeof(T));
          found += 8;
          i += 8;
          continue;
        }
        for (int k = 0; k < 8; ++k, ++i) {
          values[found] = memory[i];
          found += mask[i] != 0;
        }
        continue;
      }
    }
    values[found] = memory[i];
    found += mask[i] != 0;
    ++i;
  }
}

// One value for each truth. No more than there are are read, should another thread change the mask meanwhile.
template <typename T>
void put_each(const uint8_t* mask, T* memory, int64_t n, const T* values, int64_t count) {
  const T* const end = values + count;
  T aside;
  const auto one = [&](int64_t i) {
    if (values < end) memory[i] = *values++;
  };
  const auto eight = [&](int64_t i, uint64_t truths) {
    if (end - values < 8) {
      for (int64_t k = i; k < i + 8; ++k)
        if (mask[k]) one(k);
    } else if (truths == kAllTrue) {
      std::memcpy(memory + i, values, 8 * sizeof(T));
      values += 8;
    } else {
      for (int64_t k = i; k < i + 8; ++k) {
        *place_or(&aside, memory + k, mask[k]) = *values;
        values += mask[k] != 0;
      }
    }
  };
  for_each_true(mask, n, eight, one);
}
// The same, or one value for all.
template <typename T>
void put_true(const uint8_t* mask, T* memory, int64_t n, const T* values, int64_t count) {
  if (count != 1) return put_each(mask, memory, n, values, count);
  const T value = *values;
  T aside;
  const auto one = [&](int64_t i) { memory[i] = value; };
  const auto eight = [&](int64_t i, uint64_t truths) {
    if (truths == kAllTrue) {
      std::fill(memory + i, memory + i + 8, value);
    } else {
      for (int64_t k = i; k < i + 8; ++k) *place_or(&aside, memory + k, mask[k]) = value;
    }
  };
  for_each_true(mask, n, eight, one);
}

#ifdef FASTNP_X86
// The next `bits` of a mask as lanes of items of so many bytes: of 16, each bit is that of two lanes.
template <typename T>
inline uint64_t lanes_of_bits(uint64_t bits) {
  if constexpr (sizeof(T) < 16) return sizeof(T) == 1 ? bits : bits & ((uint64_t{1} << (64 / sizeof(T))) - 1);
  constexpr uint8_t twice[16] = {0, 3, 12, 15, 48, 51, 60, 63, 192, 195, 204, 207, 240, 243, 252, 255};
  return twice[bits & 15];
}
template <typename T>
FASTNP_AVX512 inline void store_lanes(T* into, uint64_t lanes, __m512i items) {
  if constexpr (sizeof(T) == 1) _mm512_mask_storeu_epi8(into, lanes, items);
  else if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(into, lanes, items);
  else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(into, lanes, items);
  else _mm512_mask_storeu_epi64(into, lanes, items);
}
template <typename T>
FASTNP_AVX512 inline __m512i repeat_item(T item) {
  if constexpr (sizeof(T) == 1) return _mm512_set1_epi8(item);
  else if constexpr (sizeof(T) == 2) return _mm512_set1_epi16(item);
  else if constexpr (sizeof(T) == 4) return _mm512_set1_epi32(item);
  else if constexpr (sizeof(T) == 8) return _mm512_set1_epi64(item);
  else return _mm512_broadcast_i32x4(std::bit_cast<__m128i>(item));
}

// One value where a mask is true, whose length is a multiple of 64: nothing else is written.
template <typename T>
FASTNP_AVX512 inline void fill_true_avx512(const uint8_t* mask, T* memory, int64_t n, T value) {
  constexpr int width = 64 / sizeof(T);
  const __m512i items = repeat_item(value);
  for (int64_t i = 0; i < n; i += 64) {
    uint64_t bits = true_bits(mask + i);
    if (bits == 0) continue;
    for (int k = 0; k < 64; k += width, bits = width == 64 ? 0 : bits >> width)
      store_lanes(memory + i + k, lanes_of_bits<T>(bits), items);
  }
}
// The same of the next values, of four bytes or more; how many these were.
template <typename T>
FASTNP_AVX512 inline int64_t put_true_avx512(const uint8_t* mask, T* memory, int64_t n, const T* values, int64_t given) {
  constexpr int width = 64 / sizeof(T);
  const char* from = reinterpret_cast<const char*>(values);
  const char* const end = reinterpret_cast<const char*>(values + given);
  for (int64_t i = 0; i < n; i += 64) {
    uint64_t bits = true_bits(mask + i);
    for (T* into = memory + i; bits != 0; bits >>= width, into += width) {
      const uint32_t lanes = lanes_of_bits<T>(bits), count = __builtin_popcount(lanes), next = (1u << count) - 1;
      if (from + count * (sizeof(T) == 4 ? 4 : 8) > end) return given;
      if constexpr (sizeof(T) == 4) store_lanes(into, lanes, _mm512_maskz_expand_epi32(lanes, _mm512_maskz_loadu_epi32(next, from)));
      else store_lanes(into, lanes, _mm512_maskz_expand_epi64(lanes, _mm512_maskz_loadu_epi64(next, from)));
      from += count * (sizeof(T) == 4 ? 4 : 8);
    }
  }
  return reinterpret_cast<const T*>(from) - values;
}
#endif

#ifdef FASTNP_X86
template <typename T>
void take_true_of_many(const uint8_t* mask, const T* memory, int64_t n, T* values, int64_t count) {
  const int64_t whole = n - n % 64, found = take_true_avx512(mask, memory, whole, values, count);
  take_true(mask + whole, memory + whole, n - whole, values + found, count - found);
}
#endif

// Whether it was done: items of four bytes or eight, by AVX-512. Out of line, so that few are taken as quickly as can be.
[[gnu::noinline]] inline bool take_true_together(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values,
                                                 int64_t count) {
#ifdef FASTNP_X86
  if ((itemsize == 4 || itemsize == 8) && has_avx512()) {
    const auto take = [=]<typename T>(T) {
      take_true_of_many(mask, reinterpret_cast<const T*>(memory), n, reinterpret_cast<T*>(values), count);
    };
    itemsize == 4 ? take(uint32_t()) : take(uint64_t());
    return true;
  }
#endif
  return false;
}

inline void take_true(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  if (n >= kManyTruths && take_true_together(itemsize, mask, memory, n, values, count)) return;
  with_item(itemsize, [=]<typename T>(T) {
    take_true(mask, reinterpret_cast<const T*>(memory), n, reinterpret_cast<T*>(values), count);
  });
}

// Whether it was done: one value, or values of four bytes or more, by AVX-512.
[[gnu::noinline]] inline bool put_true_together(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values,
                                                int64_t count) {
#ifdef FASTNP_X86
  if (!has_avx512() || (count != 1 && itemsize < 4)) return false;
  const int64_t whole = n - n % 64;
  const auto put = [=](auto unit) {
    using T = decltype(unit);
    T* const into = reinterpret_cast<T*>(memory);
    const T* const from = reinterpret_cast<const T*>(values);
    if (count == 1) {
      fill_true_avx512(mask, into, whole, *from);
      put_true(mask + whole, into + whole, n - whole, from, count);
    } else if constexpr (sizeof(T) >= 4) {
      const int64_t put = put_true_avx512(mask, into, whole, from, count);
      put_each(mask + whole, into + whole, n - whole, from + put, count - put);
    }
  };
  with_item(itemsize, put);
  return true;
#else
  return false;
#endif
}

inline void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, int64_t count) {
  if (n >= kManyTruths && put_true_together(itemsize, mask, memory, n, values, count)) return;
  with_item(itemsize, [=]<typename T>(T) {
    put_true(mask, reinterpret_cast<T*>(memory), n, reinterpret_cast<const T*>(values), count);
  });
}

}  // namespace fastnp
