// Casts that keep a part of each element: the lower bytes of integers, the real parts of complex numbers, truths.
//
// By vectors of 16 bytes: two of them that lose half of their bytes are one, its items in order. In wider ones the items
// would have to cross from half to half, which some processors take eight times as long for.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

// The lower halves of the items of SIZE bytes in two vectors.
template <int SIZE>
FASTNP_AVX2 inline __m128i lower_halves(__m128i a, __m128i b) {
    if constexpr (SIZE == 16) {
        return _mm_unpacklo_epi64(a, b);
    } else if constexpr (SIZE == 8) {
        return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
    } else if constexpr (SIZE == 4) {
        const __m128i lower = _mm_set1_epi32(0xffff);
        return _mm_packus_epi32(_mm_and_si128(a, lower), _mm_and_si128(b, lower));
    } else {
        const __m128i lower = _mm_set1_epi16(0xff);
        return _mm_packus_epi16(_mm_and_si128(a, lower), _mm_and_si128(b, lower));
    }
}
// The upper halves of items of 8 bytes.
FASTNP_AVX2 inline __m128i upper_halves(__m128i a, __m128i b) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd));
}
FASTNP_AVX2 inline __m128i load_bytes_of_16(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

// What lies in memory, item by item.
template <class Src>
struct ItemsOf {
    static constexpr int kSize = sizeof(Src);
    FASTNP_AVX2 static inline __m128i read(const Src* s) { return load_bytes_of_16(s); }
};

// Whether elements are not zero: all bits of an item, or none.
template <class Src>
struct TruthsOf {
    static constexpr int kSize = sizeof(Src);
    FASTNP_AVX2 static inline __m128i read(const Src* s) {
        const __m128i x = load_bytes_of_16(s), zero = _mm_setzero_si128();
        if constexpr (std::is_same_v<Src, double>) {
            return _mm_castpd_si128(_mm_cmp_pd(_mm_castsi128_pd(x), _mm_setzero_pd(), _CMP_NEQ_UQ));
        } else if constexpr (std::is_same_v<Src, float>) {
            return _mm_castps_si128(_mm_cmp_ps(_mm_castsi128_ps(x), _mm_setzero_ps(), _CMP_NEQ_UQ));
        } else {
            const __m128i none = kSize == 8   ? _mm_cmpeq_epi64(x, zero)
                                 : kSize == 4 ? _mm_cmpeq_epi32(x, zero)
                                 : kSize == 2 ? _mm_cmpeq_epi16(x, zero)
                                              : _mm_cmpeq_epi8(x, zero);
            return _mm_xor_si128(none, _mm_set1_epi8(-1));
        }
    }
};
template <class Part>
struct TruthsOf<std::complex<Part>> {
    static constexpr int kSize = sizeof(Part);
    FASTNP_AVX2 static inline __m128i read(const std::complex<Part>* s) {
        const Part* const parts = reinterpret_cast<const Part*>(s);
        const __m128i a = TruthsOf<Part>::read(parts), b = TruthsOf<Part>::read(parts + 16 / kSize);
        if constexpr (kSize == 8) return _mm_or_si128(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
        else return _mm_or_si128(lower_halves<8>(a, b), upper_halves(a, b));
    }
};

// As many items as a vector holds that keep their TO lowest bytes.
template <class Read, int TO, class Src>
FASTNP_AVX2 inline __m128i read_lower(const Src* s) {
    if constexpr (TO == Read::kSize)
        return Read::read(s);
    else
        return lower_halves<2 * TO>(read_lower<Read, 2 * TO>(s), read_lower<Read, 2 * TO>(s + 8 / TO));
}

// Write the lower bytes of items as often as a vector is full; how many were written.
template <class Dst, class Src>
FASTNP_AVX2 inline int64_t write_lower(Dst* d, const Src* s, int64_t n) {
    constexpr int64_t kItems = 16 / sizeof(Dst);
    int64_t i = 0;
#pragma GCC unroll 4
    for (; i + kItems <= n; i += kItems)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(d + i), read_lower<ItemsOf<Src>, sizeof(Dst)>(s + i));
    return i;
}
// The same of truths, each a byte.
template <class Src>
FASTNP_AVX2 inline int64_t write_truths(uint8_t* d, const Src* s, int64_t n) {
    const __m128i one = _mm_set1_epi8(1);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(d + i), _mm_and_si128(read_lower<TruthsOf<Src>, 1>(s + i), one));
    return i;
}
// Integers of eight bytes as floats, for as long as they are those of four.
FASTNP_AVX2 inline int64_t write_small_floats(float* d, const int64_t* s, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m128i a = load_bytes_of_16(s + i), b = load_bytes_of_16(s + i + 2), lower = lower_halves<8>(a, b);
        const __m128i fits = _mm_cmpeq_epi32(upper_halves(a, b), _mm_srai_epi32(lower, 31));
        if (_mm_movemask_epi8(fits) != 0xffff) break;
        _mm_storeu_ps(d + i, _mm_cvtepi32_ps(lower));
    }
    return i;
}

#endif

}  // namespace fastnp
