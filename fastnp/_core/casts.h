// Strided casts between the numeric dtypes, with NumPy's semantics.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dtype.h"
#include "vector.h"

namespace fastnp {

using Half = _Float16;

namespace casts {

struct Bool { uint8_t value; };

template <typename T> struct is_complex : std::false_type {};
template <typename T> struct is_complex<std::complex<T>> : std::true_type {};

template <typename Dst, typename Src>
inline Dst convert(Src x) {
    if constexpr (std::is_same_v<Dst, Src>) {
        return x;
    } else if constexpr (std::is_same_v<Src, Bool>) {
        return convert<Dst, uint8_t>(static_cast<uint8_t>(x.value != 0));
    } else if constexpr (std::is_same_v<Dst, Bool>) {
        if constexpr (is_complex<Src>::value) return Bool{static_cast<uint8_t>(x.real() != 0 || x.imag() != 0)};
        // A comparison of halves raises no flag for a signalling value in NumPy: look at the bits.
        else if constexpr (std::is_same_v<Src, Half>) {
            uint16_t bits;
            std::memcpy(&bits, &x, 2);
            return Bool{static_cast<uint8_t>((bits & 0x7fff) != 0)};
        }
        else return Bool{static_cast<uint8_t>(x != 0)};
    } else if constexpr (is_complex<Src>::value && is_complex<Dst>::value) {
        using T = typename Dst::value_type;
        return Dst(static_cast<T>(x.real()), static_cast<T>(x.imag()));
    } else if constexpr (is_complex<Src>::value) {
        return convert<Dst>(x.real());
    } else if constexpr (is_complex<Dst>::value) {
        return Dst(convert<typename Dst::value_type>(x), 0);
    } else if constexpr (std::is_same_v<Dst, Half> && std::is_integral_v<Src>) {
        return static_cast<Half>(static_cast<float>(x));
    } else if constexpr (std::is_same_v<Src, Half> && !std::is_same_v<Dst, double>) {
        return static_cast<Dst>(static_cast<float>(x));
    } else {
        return static_cast<Dst>(x);
    }
}

template <typename Dst, typename Src>
[[gnu::always_inline]] inline void packed(Dst* d, const Src* s, int64_t n) {
    for (int64_t i = 0; i < n; ++i) d[i] = convert<Dst>(s[i]);
}

#ifdef FASTNP_X86
template <typename Dst, typename Src>
FASTNP_AVX2 void packed_avx2(Dst* d, const Src* s, int64_t n) {
    packed(d, s, n);
}
// The compiler's own way from truths to numbers of eight bytes is no faster than one by one.
template <>
FASTNP_AVX2 inline void packed_avx2<double, Bool>(double* d, const Bool* s, int64_t n) {
    const __m128i one = _mm_set1_epi8(1);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i truths = _mm_min_epu8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(s + i)), one);
        _mm256_storeu_pd(d + i, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(truths)));
        _mm256_storeu_pd(d + i + 4, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_srli_si128(truths, 4))));
    }
    for (; i < n; ++i) d[i] = s[i].value != 0;
}
template <>
FASTNP_AVX2 inline void packed_avx2<int64_t, Bool>(int64_t* d, const Bool* s, int64_t n) {
    const __m128i one = _mm_set1_epi8(1);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i truths = _mm_min_epu8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(s + i)), one);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + i), _mm256_cvtepu8_epi64(truths));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + i + 4), _mm256_cvtepu8_epi64(_mm_srli_si128(truths, 4)));
    }
    for (; i < n; ++i) d[i] = s[i].value != 0;
}
template <typename Dst, typename Src>
FASTNP_AVX512 void packed_avx512(Dst* d, const Src* s, int64_t n) {
    packed(d, s, n);
}

// What the platform's baseline has no instructions for: to widen integers and truths, ...
template <typename Dst, typename Src>
inline constexpr bool kWidens = (std::is_same_v<Src, Bool> || (std::is_integral_v<Src> && sizeof(Src) <= 4)) &&
                                (std::is_same_v<Dst, float> || std::is_same_v<Dst, double> || std::is_same_v<Dst, int64_t>);
// ... and to convert between integers of 64 bits and floating-point numbers.
template <typename Dst, typename Src>
inline constexpr bool kConverts64 = (std::is_same_v<Src, int64_t> && std::is_floating_point_v<Dst>) ||
                                    (std::is_same_v<Dst, int64_t> && std::is_floating_point_v<Src>);
#endif

template <typename Dst, typename Src>
void strided(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n) {
    if (dst_stride == sizeof(Dst) && src_stride == sizeof(Src)) {
        Dst* d = reinterpret_cast<Dst*>(dst);
        const Src* s = reinterpret_cast<const Src*>(src);
#ifdef FASTNP_X86
        if constexpr (kWidens<Dst, Src>) {
            if (n >= kVectorFrom && has_avx2()) return packed_avx2(d, s, n);
        } else if constexpr (kConverts64<Dst, Src>) {
            if (n >= kVectorFrom && has_avx512()) return packed_avx512(d, s, n);
        }
#endif
        packed(d, s, n);
        return;
    }
    for (; n > 0; --n, dst += dst_stride, src += src_stride) {
        Src s;
        std::memcpy(&s, src, sizeof(Src));
        Dst d = convert<Dst>(s);
        std::memcpy(dst, &d, sizeof(Dst));
    }
}

using Strided = void (*)(char*, int64_t, const char*, int64_t, int64_t);

template <typename Dst>
constexpr Strided row(int src) {
    constexpr Strided table[NUM_NUMPY_DTYPES] = {
        strided<Dst, Bool>, strided<Dst, int8_t>, strided<Dst, uint8_t>, strided<Dst, int16_t>, strided<Dst, uint16_t>,
        strided<Dst, int32_t>, strided<Dst, uint32_t>, strided<Dst, int64_t>, strided<Dst, uint64_t>, strided<Dst, Half>,
        strided<Dst, float>, strided<Dst, double>, strided<Dst, std::complex<float>>, strided<Dst, std::complex<double>>};
    return table[src];
}

}  // namespace casts

// Return the strided cast from `src` to `dst`, both dense indices below NUM_NUMPY_DTYPES.
inline casts::Strided find_cast(int dst, int src) {
    switch (dst) {
        case BOOL: return casts::row<casts::Bool>(src);
        case INT8: return casts::row<int8_t>(src);
        case UINT8: return casts::row<uint8_t>(src);
        case INT16: return casts::row<int16_t>(src);
        case UINT16: return casts::row<uint16_t>(src);
        case INT32: return casts::row<int32_t>(src);
        case UINT32: return casts::row<uint32_t>(src);
        case INT64: return casts::row<int64_t>(src);
        case UINT64: return casts::row<uint64_t>(src);
        case FLOAT16: return casts::row<Half>(src);
        case FLOAT32: return casts::row<float>(src);
        case FLOAT64: return casts::row<double>(src);
        case COMPLEX64: return casts::row<std::complex<float>>(src);
        default: return casts::row<std::complex<double>>(src);
    }
}

}  // namespace fastnp
