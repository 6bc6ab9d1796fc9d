// Elements picked by index arrays and masks: memory to values (take) and values to memory (put).
//
// Indices are checked as a whole before anything moves. Values are packed: one block of the subspace for each index, in
// C order. Writes run in the order of the indices, so that the last of duplicates stays.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "moves.h"
#include "parallel.h"
#include "past_cache.h"
#include "vector.h"

namespace fastnp {

// Lines of elements that lie at least kFar bytes apart are moved kTogether elements at a time, where it is this many bytes.
inline constexpr int64_t kFar = 256, kTogether = 32, kBeyondCaches = 1 << 25;

// From so many elements of a mask on, 64 of them are looked at together.
inline constexpr int64_t kManyTruths = 128;

// Index arrays of one shape, each int64 and packed, one to an axis of the memory. Strides are in bytes.
struct Picked {
  char* data;
  int naxes;
  int64_t count;
  const int64_t* indices[64];
  int64_t sizes[64];
  int64_t strides[64];

  // Return the axis whose indices leave its bounds, or -1; `bad` is the first such index.
  int out_of_bounds(int64_t* bad) const {
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis];
      const int64_t size = sizes[axis];
      if (are_inside(index, count, size)) continue;
      for (int64_t i = 0; i < count; ++i) {
        if (index[i] >= -size && index[i] < size) continue;
        *bad = index[i];
        return axis;
      }
    }
    return -1;
  }

  // Whether all indices lie within [-size, size), by the sign bits of sums, which vectorise.
  static bool are_inside(const int64_t* index, int64_t n, int64_t size) {
#ifdef FASTNP_X86
    if (n >= kVectorFrom && has_avx2()) return are_inside_avx2(index, n, size);
#endif
    return are_inside_by_signs(index, n, size);
  }
#ifdef FASTNP_X86
  FASTNP_AVX2 static bool are_inside_avx2(const int64_t* index, int64_t n, int64_t size) {
    return are_inside_by_signs(index, n, size);
  }
#endif
  [[gnu::always_inline]] static bool are_inside_by_signs(const int64_t* index, int64_t n, int64_t size) {
    // The sums cannot overflow but where an index is far out of bounds, and then the other one, or the sign, tells.
    uint64_t above = 0, below = 0;
    const uint64_t last = static_cast<uint64_t>(size - 1), span = static_cast<uint64_t>(size);
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t place = static_cast<uint64_t>(index[i]);
      above |= ~place & (last - place);
      below |= place & (place + span);
    }
    return static_cast<int64_t>(above | below) >= 0;
  }

  // Fill `out` with offsets in bytes; false where an index leaves its axis.
  bool checked_offsets(int64_t start, int64_t n, int64_t* out) const {
    int64_t outside = 0;
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis] + start;
      const int64_t size = sizes[axis], stride = strides[axis];
      for (int64_t i = 0; i < n; ++i) {
        const int64_t place = index[i] + (index[i] < 0 ? size : 0);
        outside |= place | (size - 1 - place);
        out[i] = (axis == 0 ? 0 : out[i]) + place * stride;
      }
    }
    return outside >= 0;
  }

  void offsets(int64_t start, int64_t n, int64_t* out) const {
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis] + start;
      const int64_t size = sizes[axis], stride = strides[axis];
      if (axis == 0)
        for (int64_t i = 0; i < n; ++i) out[i] = (index[i] + (index[i] < 0 ? size : 0)) * stride;
      else
        for (int64_t i = 0; i < n; ++i) out[i] += (index[i] + (index[i] < 0 ? size : 0)) * stride;
    }
  }
};

// The axes that no index touches, coalesced; strides in bytes.
struct Subspace {
  int ndim = 0;
  int64_t size = 1;
  int64_t shape[64];
  int64_t strides[64];

  void set(int n, const int64_t* dims, const int64_t* steps) {
    ndim = 0;
    size = 1;
    for (int axis = 0; axis < n; ++axis) {
      size *= dims[axis];
      if (dims[axis] == 1) continue;
      if (ndim && strides[ndim - 1] == steps[axis] * dims[axis]) {
        shape[ndim - 1] *= dims[axis];
        strides[ndim - 1] = steps[axis];
      } else {
        shape[ndim] = dims[axis];
        strides[ndim++] = steps[axis];
      }
    }
  }

  // Call plane(byte offset, position) for the start of each plane of the two innermost axes.
  template <typename Plane>
  void for_each_plane(Plane&& plane) const {
    int64_t at[64] = {0}, offset = 0, position = 0;
    while (true) {
      plane(offset, position);
      position += shape[ndim - 2] * shape[ndim - 1];
      int axis = ndim - 3;
      for (; axis >= 0; --axis) {
        offset += strides[axis];
        if (++at[axis] < shape[axis]) break;
        offset -= strides[axis] * shape[axis];
        at[axis] = 0;
      }
      if (axis < 0) return;
    }
  }
};

template <typename T, bool PUT>
inline void move_item(char* memory, char* value) {
  if (PUT)
    std::memcpy(memory, value, sizeof(T));
  else
    std::memcpy(value, memory, sizeof(T));
}

// Items at offsets in bytes, packed; and packed ones, or one (`step` is 0), to such offsets.
inline void take_at(int itemsize, const char* data, const int64_t* offsets, int64_t count, char* into) {
  with_item(itemsize, [=](auto unit) {
    using T = decltype(unit);
    for (int64_t i = 0; i < count; ++i) move_one<T>(into + i * sizeof(T), data + offsets[i]);
  });
}
inline void put_at(int itemsize, char* data, const int64_t* offsets, int64_t count, const char* from, int64_t step) {
  with_item(itemsize, [=](auto unit) {
    for (int64_t i = 0; i < count; ++i) move_one<decltype(unit)>(data + offsets[i], from + i * step);
  });
}

// Items of one axis, side by side or not, each index checked on its way: the processor foresees that it is in bounds. (Not
// inlined: there the address of the values had no register left, and was read anew for each.)
template <typename T, bool PACKED, bool PAST>
[[gnu::noinline]] bool take_items(const char* data, int64_t size, int64_t step, const int64_t* index, int64_t n, char* values) {
  if (PACKED) step = sizeof(T);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = index[i] + (index[i] < 0 ? size : 0);
    if (static_cast<uint64_t>(place) >= static_cast<uint64_t>(size)) return false;
    copy_element<sizeof(T), PAST>(values + i * sizeof(T), data + place * step);
  }
  if (PAST) end_past_cache();
  return true;
}

template <typename T, bool PACKED>
bool take_part(const Picked& picked, int64_t begin, int64_t end, char* values) {
  const bool past = goes_past_cache(picked.count * sizeof(T), sizeof(T));
  const int64_t* const index = picked.indices[0] + begin;
  values += begin * sizeof(T);
  return past ? take_items<T, PACKED, true>(picked.data, picked.sizes[0], picked.strides[0], index, end - begin, values)
              : take_items<T, PACKED, false>(picked.data, picked.sizes[0], picked.strides[0], index, end - begin, values);
}

template <typename T>
void put_packed(const Picked& picked, const T* __restrict values, bool repeated) {
  T* const __restrict memory = reinterpret_cast<T*>(picked.data);
  const int64_t* const __restrict index = picked.indices[0];
  const int64_t size = picked.sizes[0];
  const T one = *values;
  const auto place_of = [=](int64_t i) { return index[i] + (index[i] >> 63 & size); };
  if (repeated)
#pragma GCC unroll 4
    for (int64_t i = 0; i < picked.count; ++i) memory[place_of(i)] = one;
  else
#pragma GCC unroll 4
    for (int64_t i = 0; i < picked.count; ++i) memory[place_of(i)] = values[i];
}

// One index's block of the subspace; what is taken is packed, what is put is packed or (`step` is 0) one value.
template <typename T, bool PUT>
void move_subspace(char* memory, const Subspace& subspace, char* values, int64_t step) {
  const int last = subspace.ndim - 1;
  const int64_t length = subspace.shape[last], stride = subspace.strides[last];
  if (last == 0) {
    PUT ? move_steps<T>(memory, stride, values, step, length) : move_steps<T>(values, step, memory, stride, length);
    return;
  }
  const int64_t rows = subspace.shape[last - 1], row = subspace.strides[last - 1];
  subspace.for_each_plane([&](int64_t offset, int64_t position) {
    char* const place = values + position * step;
    if (PUT)
      move_lines<T>(memory + offset, row, stride, place, length * step, step, rows, length);
    else
      move_lines<T>(place, length * step, step, memory + offset, row, stride, rows, length);
  });
}

// Far lines of a picked axis, a few elements of each at a time: their neighbours in the same cache lines come next.
template <typename T, bool PUT>
void move_far_lines(char* data, const int64_t* offsets, int64_t n, const Subspace& subspace, char* values, int64_t step) {
  const int64_t length = subspace.shape[0], stride = subspace.strides[0];
  for (int64_t low = 0; low < length; low += kTogether) {
    const int64_t some = std::min(kTogether, length - low);
    for (int64_t i = 0; i < n; ++i) {
      char* const place = data + offsets[i] + low * stride;
      char* const value = values + (i * length + low) * step;
      PUT ? move_steps<T>(place, stride, value, step, some) : move_steps<T>(value, step, place, stride, some);
    }
  }
}

// `step` is the distance of values in bytes: their width, or 0 where one value goes everywhere.
//
// What is taken is checked on the way; what is put has been checked before. False where an index leaves its axis.
template <typename T, bool PUT>
bool move_picked(const Picked& picked, const Subspace& subspace, char* values, int64_t step, int64_t begin, int64_t end) {
  constexpr int64_t CHUNK = 512;
  int64_t offsets[CHUNK];
  int64_t bad;
  if (subspace.size == 0) return PUT || picked.out_of_bounds(&bad) < 0;
  if (subspace.ndim == 0 && picked.naxes == 1 && begin < end) {
    const bool side_by_side = picked.strides[0] == static_cast<int64_t>(sizeof(T));
    if (!PUT)
      return side_by_side ? take_part<T, true>(picked, begin, end, values) : take_part<T, false>(picked, begin, end, values);
    if (side_by_side) {
      put_packed(picked, reinterpret_cast<T*>(values), step == 0);
      return true;
    }
  }
  const bool packed = subspace.ndim == 1 && subspace.strides[0] == static_cast<int64_t>(sizeof(T));
  const bool far = subspace.ndim == 1 && std::abs(subspace.strides[0]) >= kFar &&
                   (end - begin) * subspace.size * static_cast<int64_t>(sizeof(T)) >= kBeyondCaches;
  for (int64_t start = begin; start < end; start += CHUNK) {
    const int64_t n = std::min(CHUNK, end - start);
    if (PUT)
      picked.offsets(start, n, offsets);
    else if (!picked.checked_offsets(start, n, offsets))
      return false;
    char* const from = values + start * subspace.size * step;
    if (subspace.ndim == 0) {
      for (int64_t i = 0; i < n; ++i) move_item<T, PUT>(picked.data + offsets[i], from + i * step);
    } else if (packed && step) {
      const int64_t bytes = subspace.size * sizeof(T);
      for (int64_t i = 0; i < n; ++i) {
        if (PUT)
          std::memcpy(picked.data + offsets[i], from + i * bytes, bytes);
        else
          std::memcpy(from + i * bytes, picked.data + offsets[i], bytes);
      }
    } else if (packed) {
      for (int64_t i = 0; i < n; ++i) fill_items(sizeof(T), picked.data + offsets[i], from, subspace.size);
    } else if (far) {
      move_far_lines<T, PUT>(picked.data, offsets, n, subspace, from, step);
    } else {
      for (int64_t i = 0; i < n; ++i)
        move_subspace<T, PUT>(picked.data + offsets[i], subspace, from + i * subspace.size * step, step);
    }
  }
  return true;
}

// Threads may share what is taken, each its own results; what is put stays in the order of the indices.
inline bool take_picked(int itemsize, const Picked& picked, const Subspace& subspace, char* values) {
  return with_item(itemsize, [&](auto unit) {
    using T = decltype(unit);
    if (!may_split(picked.count * subspace.size) || picked.count < 2)
      return move_picked<T, false>(picked, subspace, values, sizeof(T), 0, picked.count);
    std::atomic<bool> inside{true};
    split(picked.count, 1, subspace.size, [&](int64_t begin, int64_t end) {
      if (!move_picked<T, false>(picked, subspace, values, sizeof(T), begin, end)) inside = false;
    });
    return inside.load();
  });
}
inline void put_picked(int itemsize, const Picked& picked, const Subspace& subspace, const char* values, bool repeated) {
  with_item(itemsize, [&](auto unit) {
    using T = decltype(unit);
    move_picked<T, true>(picked, subspace, const_cast<char*>(values), repeated ? 0 : sizeof(T), 0, picked.count);
  });
}

// Rows of values to picked columns of as many rows, each `step` bytes after the one before: a row stays in the cache.
inline void put_rows(int itemsize, const Picked& picked, int64_t rows, int64_t step, const char* values, int64_t row,
                     int64_t column) {
  constexpr int64_t CHUNK = 512;
  int64_t offsets[CHUNK];
  for (int64_t start = 0; start < picked.count; start += CHUNK) {
    const int64_t n = std::min(CHUNK, picked.count - start);
    picked.offsets(start, n, offsets);
    for (int64_t k = 0; k < rows; ++k) put_at(itemsize, picked.data + k * step, offsets, n, values + k * row + start * column, column);
  }
}

// --- masks ------------------------------------------------------------------------------------------------------------

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

// Call hit(i) for each true element, in order. As many that are not are passed over eight or 64 at a time.
template <typename Hit>
inline void for_each_true(const uint8_t* mask, int64_t n, Hit&& hit) {
  int64_t i = 0;
  const auto hit_eight = [&](uint64_t word) {
    if (word == 0) return;
    for (int64_t k = i; k < i + 8; ++k)
      if (mask[k]) hit(k);
  };
  while (i + 64 <= n) {
    uint64_t words[8], any = 0;
    std::memcpy(words, mask + i, 64);
    for (const uint64_t word : words) any |= word;
    if (any == 0) {
      i += 64;
      continue;
    }
    for (const uint64_t word : words) {
      hit_eight(word);
      i += 8;
    }
  }
  for (; i < n; ++i)
    if (mask[i]) hit(i);
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

template <typename T>
void put_true(const uint8_t* mask, T* memory, int64_t n, const T* values, bool repeated) {
  if (repeated) {
    const T value = *values;
    for_each_true(mask, n, [&](int64_t i) { memory[i] = value; });
  } else {
    for_each_true(mask, n, [&](int64_t i) { memory[i] = *values++; });
  }
}

template <typename T>
void take_true_bits(const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  take_true(mask, reinterpret_cast<const T*>(memory), n, reinterpret_cast<T*>(values), count);
}
template <typename T>
void put_true_bits(const uint8_t* mask, char* memory, int64_t n, const char* values, bool repeated) {
  put_true(mask, reinterpret_cast<T*>(memory), n, reinterpret_cast<const T*>(values), repeated);
}

#ifdef FASTNP_X86
template <typename T>
void take_true_of_many(const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  const int64_t whole = n - n % 64;
  const int64_t found = take_true_avx512(mask, reinterpret_cast<const T*>(memory), whole, reinterpret_cast<T*>(values), count);
  take_true_bits<T>(mask + whole, memory + whole * sizeof(T), n - whole, values + found * sizeof(T), count - found);
}
#endif

// Whether it was done: items of four bytes or eight, by AVX-512. Out of line, so that few are taken as quickly as can be.
[[gnu::noinline]] inline bool take_true_together(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values,
                                                 int64_t count) {
#ifdef FASTNP_X86
  if ((itemsize == 4 || itemsize == 8) && has_avx512()) {
    itemsize == 4 ? take_true_of_many<uint32_t>(mask, memory, n, values, count)
                  : take_true_of_many<uint64_t>(mask, memory, n, values, count);
    return true;
  }
#endif
  return false;
}

inline void take_true(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  if (n >= kManyTruths && take_true_together(itemsize, mask, memory, n, values, count)) return;
  switch (itemsize) {
    case 1: return take_true_bits<uint8_t>(mask, memory, n, values, count);
    case 2: return take_true_bits<uint16_t>(mask, memory, n, values, count);
    case 4: return take_true_bits<uint32_t>(mask, memory, n, values, count);
    case 8: return take_true_bits<uint64_t>(mask, memory, n, values, count);
    default: return take_true_bits<Wide>(mask, memory, n, values, count);
  }
}

inline void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, bool repeated) {
  switch (itemsize) {
    case 1: return put_true_bits<uint8_t>(mask, memory, n, values, repeated);
    case 2: return put_true_bits<uint16_t>(mask, memory, n, values, repeated);
    case 4: return put_true_bits<uint32_t>(mask, memory, n, values, repeated);
    case 8: return put_true_bits<uint64_t>(mask, memory, n, values, repeated);
    default: return put_true_bits<Wide>(mask, memory, n, values, repeated);
  }
}

}  // namespace fastnp
