// Truths packed into bits, eight to a byte, and taken out of them.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "vector.h"

namespace fastnp {

// The first of eight is the highest bit of a byte, or the lowest.
inline uint8_t pack_eight(const uint8_t* truths, int64_t count, bool highest_first) {
  unsigned byte = 0;
  for (int64_t i = 0; i < count; ++i) byte |= (truths[i] != 0) << (highest_first ? 7 - i : i);
  return static_cast<uint8_t>(byte);
}

#ifdef FASTNP_X86
// Packs as many as fill vectors; returns how many.
FASTNP_AVX2 inline int64_t pack_vectors(const uint8_t* truths, int64_t count, bool highest_first, uint8_t* bytes) {
  const __m256i turned = _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
                                         8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i kept = _mm256_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
                                       15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m256i order = highest_first ? turned : kept;
  int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(truths + i));
    const __m256i zeros = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(values, order), _mm256_setzero_si256());
    const uint32_t bits = ~static_cast<uint32_t>(_mm256_movemask_epi8(zeros));
    std::memcpy(bytes + i / 8, &bits, 4);
  }
  return i;
}
#endif

// Each line of truths begins a byte of its own.
inline void pack_lines(const uint8_t* truths, int64_t lines, int64_t length, bool highest_first, uint8_t* bytes) {
  for (int64_t line = 0; line < lines; ++line, truths += length, bytes += (length + 7) / 8) {
    int64_t i = 0;
#ifdef FASTNP_X86
    if (length >= kVectorFrom && has_avx2()) i = pack_vectors(truths, length, highest_first, bytes);
#endif
    for (; i < length; i += 8) bytes[i / 8] = pack_eight(truths + i, length - i < 8 ? length - i : 8, highest_first);
  }
}

// What the bits of each byte are as eight bytes, in memory's order.
struct UnpackedBytes {
  std::array<std::array<uint8_t, 8>, 256> of{};
  constexpr explicit UnpackedBytes(bool highest_first) {
    for (int byte = 0; byte < 256; ++byte)
      for (int i = 0; i < 8; ++i) of[byte][i] = (byte >> (highest_first ? 7 - i : i)) & 1;
  }
};

#ifdef FASTNP_X86
// Takes out what fills vectors; returns of how many bytes.
FASTNP_AVX2 inline int64_t unpack_vectors(const uint8_t* bytes, int64_t count, bool highest_first, uint8_t* truths) {
  const __m256i eight_each = _mm256_set_epi8(3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2,
                                             1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i bits = _mm256_set1_epi64x(highest_first ? 0x0102040810204080 : static_cast<int64_t>(0x8040201008040201));
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    int32_t four;
    std::memcpy(&four, bytes + i, 4);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(four), eight_each);
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(truths + 8 * i), _mm256_and_si256(set, _mm256_set1_epi8(1)));
  }
  return i;
}
#endif

inline void unpack_bytes(const uint8_t* bytes, int64_t count, bool highest_first, uint8_t* truths) {
  static constexpr UnpackedBytes kHighestFirst{true}, kLowestFirst{false};
  const auto& unpacked = highest_first ? kHighestFirst.of : kLowestFirst.of;
  int64_t i = 0;
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) i = unpack_vectors(bytes, count, highest_first, truths);
#endif
  for (; i < count; ++i) std::memcpy(truths + 8 * i, unpacked[bytes[i]].data(), 8);
}

}  // namespace fastnp
