// Strided casts between the numeric dtypes, with NumPy's semantics.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dtype.h"
#include "narrowing.h"
#include "vector.h"
#include "vectors_of_32.h"

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
        // In one step: the compiler does not see through two.
        if constexpr (is_complex<Dst>::value) return Dst(static_cast<typename Dst::value_type>(x.value != 0), 0);
        else return static_cast<Dst>(x.value != 0);
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
template <typename Src>
FASTNP_AVX2 inline void packed_doubles(double* d, const Src* s, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) store_vector(d + i, load_doubles(s + i));
    for (; i < n; ++i) d[i] = static_cast<double>(s[i]);
}
template <>
FASTNP_AVX2 inline void packed_avx2<double, int64_t>(double* d, const int64_t* s, int64_t n) {
    packed_doubles(d, s, n);
}
// Four at a time where STORE can: it writes them, or returns false.
template <auto STORE, typename Dst, typename Src>
FASTNP_AVX2 inline void packed_if(Dst* d, const Src* s, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        if (!STORE(d + i, load_doubles(s + i)))
            for (int64_t k = i; k < i + 4; ++k) d[k] = static_cast<Dst>(s[k]);
    for (; i < n; ++i) d[i] = static_cast<Dst>(s[i]);
}
// Integers that a double holds are rounded once on the way to a float; false where there is another.
FASTNP_AVX2 inline bool store_rounded(float* d, __m256d x) {
    if (bits_of(compare<_CMP_LE_OQ>(absolute(x), repeat_vector(0x1p53 - 1))) != 15) return false;
    _mm_storeu_ps(d, _mm256_cvtpd_ps(x));
    return true;
}
template <>
FASTNP_AVX2 inline void packed_avx2<float, int64_t>(float* d, const int64_t* s, int64_t n) {
    const int64_t small = write_small_floats(d, s, n);
    packed_if<store_rounded>(d + small, s + small, n - small);
}
template <>
FASTNP_AVX2 inline void packed_avx2<float, uint64_t>(float* d, const uint64_t* s, int64_t n) {
    packed_if<store_rounded>(d, s, n);
}
template <>
FASTNP_AVX2 inline void packed_avx2<double, uint64_t>(double* d, const uint64_t* s, int64_t n) {
    packed_doubles(d, s, n);
}
// Eight at a time, written where a vector begins: 0.91 of the time of four, or of eight written anywhere.
template <>
FASTNP_AVX2 inline void packed_avx2<float, double>(float* d, const double* s, int64_t n) {
    constexpr int64_t width = 8, item = sizeof(float);
    int64_t i = 0;
    if (reinterpret_cast<intptr_t>(d) % item == 0)
        for (; i < n && reinterpret_cast<intptr_t>(d + i) % 32 != 0; ++i) d[i] = static_cast<float>(s[i]);
    for (; i + width <= n; i += width)
        _mm256_storeu_ps(d + i, _mm256_set_m128(_mm256_cvtpd_ps(load_doubles(s + i + 4)), _mm256_cvtpd_ps(load_doubles(s + i))));
    for (; i < n; ++i) d[i] = static_cast<float>(s[i]);
}
// Whole parts below 2 ** 51, by a sum that leaves them in the low bits; false where one is larger, infinite or NaN.
FASTNP_AVX2 inline bool store_whole(int64_t* d, __m256d x) {
    const __m256d shift = repeat_vector(0x1.8p52), whole = rounded<_MM_FROUND_TO_ZERO>(x);
    if (bits_of(compare<_CMP_LT_OQ>(absolute(x), repeat_vector(0x1p51))) != 15) return false;
    const __m256i bits = _mm256_sub_epi64(_mm256_castpd_si256(add(whole, shift)), _mm256_castpd_si256(shift));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(d), bits);
    return true;
}
template <>
FASTNP_AVX2 inline void packed_avx2<int64_t, double>(int64_t* d, const double* s, int64_t n) {
    packed_if<store_whole>(d, s, n);
}
template <>
FASTNP_AVX2 inline void packed_avx2<int64_t, float>(int64_t* d, const float* s, int64_t n) {
    packed_if<store_whole>(d, s, n);
}
// What keeps a part of each element, and the elements that fill no vector.
template <typename Dst, typename Src>
FASTNP_AVX2 void packed_narrow(Dst* d, const Src* s, int64_t n) {
    int64_t i;
    if constexpr (std::is_same_v<Dst, Bool>) i = write_truths(reinterpret_cast<uint8_t*>(d), s, n);
    else i = write_lower(d, s, n);
    for (; i < n; ++i) d[i] = convert<Dst>(s[i]);
}
template <typename Dst, typename Src>
FASTNP_AVX512 void packed_avx512(Dst* d, const Src* s, int64_t n) {
    packed(d, s, n);
}
FASTNP_AVX512 inline void packed_avx512(float* d, const double* s, int64_t n) { packed_avx2(d, s, n); }
// GCC takes 64 truths at a time, and what is left of a line one by one.
FASTNP_AVX512 inline void packed_avx512(double* d, const Bool* s, int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i truths = _mm_min_epu8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(s + i)), _mm_set1_epi8(1));
        _mm512_storeu_pd(d + i, _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(truths)));
    }
    for (; i < n; ++i) d[i] = convert<double>(s[i]);
}

// Two or four real parts with imaginary ones of zero between them.
FASTNP_AVX2 inline void spread_parts(double* into, __m128d two) {
    _mm_storeu_pd(into, _mm_unpacklo_pd(two, _mm_setzero_pd()));
    _mm_storeu_pd(into + 2, _mm_unpackhi_pd(two, _mm_setzero_pd()));
}
FASTNP_AVX2 inline void spread_parts(float* into, __m128 four) {
    _mm_storeu_ps(into, _mm_unpacklo_ps(four, _mm_setzero_ps()));
    _mm_storeu_ps(into + 4, _mm_unpackhi_ps(four, _mm_setzero_ps()));
}
FASTNP_AVX2 inline __m128 rounded_floats(__m128d low, __m128d high) { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }
// Two or four items as integers of four bytes; what has four bytes as it is.
template <class Src>
FASTNP_AVX2 inline __m128i load_few_integers(const Src* s, int count) {
    if constexpr (std::is_same_v<Src, Bool>) {
        return _mm_cvtepu8_epi32(_mm_min_epu8(count == 2 ? _mm_loadu_si16(s) : _mm_loadu_si32(s), _mm_set1_epi8(1)));
    } else if constexpr (sizeof(Src) == 1) {
        return _mm_cvtepu8_epi32(count == 2 ? _mm_loadu_si16(s) : _mm_loadu_si32(s));
    } else if constexpr (sizeof(Src) == 2) {
        return _mm_cvtepi16_epi32(count == 2 ? _mm_loadu_si32(s) : _mm_loadl_epi64(reinterpret_cast<const __m128i*>(s)));
    } else {
        return count == 2 ? _mm_loadl_epi64(reinterpret_cast<const __m128i*>(s)) : load_bytes_of_16(s);
    }
}
// Two or four real parts.
template <class Part, class Src>
FASTNP_AVX2 inline auto load_parts(const Src* s) {
    if constexpr (std::is_same_v<Part, double>) {
        if constexpr (std::is_same_v<Src, double>) return _mm_loadu_pd(s);
        else if constexpr (std::is_same_v<Src, float>) return _mm_cvtps_pd(_mm_castsi128_ps(load_few_integers(s, 2)));
        else return _mm_cvtepi32_pd(load_few_integers(s, 2));
    } else {
        if constexpr (std::is_same_v<Src, float>) return _mm_loadu_ps(s);
        else if constexpr (std::is_same_v<Src, double>) return rounded_floats(_mm_loadu_pd(s), _mm_loadu_pd(s + 2));
        else return _mm_cvtepi32_ps(load_few_integers(s, 4));
    }
}
// Eight items as integers of four bytes, and as parts.
template <class Src>
FASTNP_AVX512 inline __m256i load_eight_integers(const Src* s) {
    const auto bytes = [=]() FASTNP_AVX512 { return _mm_loadu_si64(s); };
    if constexpr (std::is_same_v<Src, Bool>) return _mm256_cvtepu8_epi32(_mm_min_epu8(bytes(), _mm_set1_epi8(1)));
    else if constexpr (sizeof(Src) == 1) return _mm256_cvtepu8_epi32(bytes());
    else if constexpr (sizeof(Src) == 2) return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(s)));
    else return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(s));
}
template <class Src>
FASTNP_AVX512 inline __m512d load_eight(const Src* s, double) {
    if constexpr (std::is_same_v<Src, double>) return _mm512_loadu_pd(s);
    else if constexpr (std::is_same_v<Src, float>) return _mm512_cvtps_pd(_mm256_loadu_ps(s));
    else if constexpr (std::is_same_v<Src, int64_t>) return _mm512_cvtepi64_pd(_mm512_loadu_si512(s));
    else if constexpr (std::is_same_v<Src, uint64_t>) return _mm512_cvtepu64_pd(_mm512_loadu_si512(s));
    else return _mm512_cvtepi32_pd(load_eight_integers(s));
}
template <class Src>
FASTNP_AVX512 inline __m256 load_eight(const Src* s, float) {
    if constexpr (std::is_same_v<Src, double>) return _mm512_cvtpd_ps(_mm512_loadu_pd(s));
    else if constexpr (std::is_same_v<Src, float>) return _mm256_loadu_ps(s);
    else if constexpr (std::is_same_v<Src, int64_t>) return _mm512_cvtepi64_ps(_mm512_loadu_si512(s));
    else if constexpr (std::is_same_v<Src, uint64_t>) return _mm512_cvtepu64_ps(_mm512_loadu_si512(s));
    else return _mm256_cvtepi32_ps(load_eight_integers(s));
}
FASTNP_AVX512 inline void spread_eight(double* into, __m512d x) {
    _mm512_storeu_pd(into, _mm512_maskz_permutexvar_pd(0x55, _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 3, 0), x));
    _mm512_storeu_pd(into + 8, _mm512_maskz_permutexvar_pd(0x55, _mm512_setr_epi64(4, 0, 5, 0, 6, 0, 7, 0), x));
}
FASTNP_AVX512 inline void spread_eight(float* into, __m256 x) {
    _mm512_storeu_si512(into, _mm512_cvtepu32_epi64(_mm256_castps_si256(x)));
}
template <typename Part, typename Src>
FASTNP_AVX512 void packed_complex_avx512(std::complex<Part>* d, const Src* s, int64_t n) {
    Part* const into = reinterpret_cast<Part*>(d);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) spread_eight(into + 2 * i, load_eight(s + i, Part{}));
    for (; i < n; ++i) d[i] = convert<std::complex<Part>>(s[i]);
}

// To complex numbers: part by part, integers of eight bytes by way of a block of real parts where no instruction makes them so.
template <typename Part, typename Src>
FASTNP_AVX2 void packed_complex(std::complex<Part>* d, const Src* s, int64_t n) {
    constexpr int64_t kBlock = 256, kWidth = 16 / sizeof(Part);
    if (has_avx512()) return packed_complex_avx512(d, s, n);
    Part* const into = reinterpret_cast<Part*>(d);
    if constexpr (std::is_integral_v<Src> && sizeof(Src) == 8) {
        alignas(32) Part block[kBlock];
        for (int64_t start = 0; start < n; start += kBlock) {
            const int64_t length = n - start < kBlock ? n - start : kBlock;
            packed_avx2(block, s + start, length);
            packed_complex(d + start, static_cast<const Part*>(block), length);
        }
    } else {
        int64_t i = 0;
        for (; i + kWidth <= n; i += kWidth) spread_parts(into + 2 * i, load_parts<Part>(s + i));
        for (; i < n; ++i) d[i] = convert<std::complex<Part>>(s[i]);
    }
}

// Between the commonest dtypes, what wider vectors do faster than the baseline; with AVX2 to widen integers and truths, to
// narrow integers, to truths, between floats, and from those to integers, ...
template <typename T>
inline constexpr bool kCommon = std::is_same_v<T, Bool> || std::is_same_v<T, uint8_t> || std::is_same_v<T, int32_t> ||
                                std::is_same_v<T, int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                std::is_same_v<T, int16_t> || std::is_same_v<T, std::complex<double>>;
template <typename Dst, typename Src>
inline constexpr bool kWidens = ((std::is_same_v<Src, int64_t> || std::is_same_v<Src, uint64_t>) && std::is_floating_point_v<Dst>) ||
                                ((std::is_same_v<Src, Bool> || (std::is_integral_v<Src> && sizeof(Src) <= 4)) &&
                                 (std::is_floating_point_v<Dst> || (std::is_integral_v<Dst> && sizeof(Dst) > sizeof(Src)) ||
                                  (std::is_same_v<Src, Bool> && std::is_same_v<Dst, uint8_t>)));
template <typename Dst, typename Src>
inline constexpr bool kNarrows = kCommon<Dst> && kCommon<Src> && !std::is_same_v<Src, Bool> && !is_complex<Src>::value &&
                                 (std::is_same_v<Dst, Bool> ||
                                  (std::is_integral_v<Dst> && std::is_integral_v<Src> && sizeof(Dst) < sizeof(Src)));
template <typename Dst, typename Src>
inline constexpr bool kWhole = std::is_floating_point_v<Src> && (std::is_same_v<Dst, int64_t> || std::is_same_v<Dst, int32_t> ||
                                                                 std::is_same_v<Dst, int16_t> || std::is_same_v<Dst, uint8_t>);
template <typename Dst, typename Src>
inline constexpr bool kBetweenFloats = (std::is_same_v<Src, double> && std::is_same_v<Dst, float>) ||
                                       (std::is_same_v<Src, float> && std::is_same_v<Dst, double>);
// ... to give real numbers imaginary parts ...
template <typename Dst, typename Src>
inline constexpr bool kImaginary = is_complex<Dst>::value && !is_complex<Src>::value && (kCommon<Src> || std::is_same_v<Src, uint64_t>);
// ... of complex numbers the real parts as floats, or whether there is any ...
template <typename Dst, typename Src>
inline constexpr bool kRealParts = is_complex<Src>::value && (std::is_floating_point_v<Dst> || std::is_same_v<Dst, Bool>);
// ... and with AVX-512 all.
template <typename Dst, typename Src>
inline constexpr bool kVectorised =
    (kCommon<Dst> && kCommon<Src> && !std::is_same_v<Dst, Src> && !kImaginary<Dst, Src>) ||
    (std::is_same_v<Src, uint64_t> && std::is_floating_point_v<Dst>);
template <typename Dst, typename Src>
inline constexpr bool kHalves = (std::is_same_v<Dst, Half> != std::is_same_v<Src, Half>) && !is_complex<Src>::value &&
                                !std::is_same_v<Dst, Bool>;

// A mask of four lanes of 64 bits as one of 32.
FASTNP_AVX2 inline __m128i narrowed(__m256d mask) {
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(mask), even));
}

// Eight floats that round to halves as the doubles themselves do: rounded to odd, they are no ties that the doubles are not.
FASTNP_AVX2 inline __m256 to_odd(const double* s) {
    __m256 lines = _mm256_setzero_ps();
    for (int k = 0; k < 2; ++k) {
        const __m256d exact = _mm256_loadu_pd(s + 4 * k), clear = _mm256_castsi256_pd(_mm256_set1_epi64x(INT64_MAX));
        const __m128 nearest = _mm256_cvtpd_ps(exact);
        const __m256d back = _mm256_cvtps_pd(nearest);
        const __m128i away = narrowed(_mm256_cmp_pd(_mm256_and_pd(back, clear), _mm256_and_pd(exact, clear), _CMP_GT_OQ));
        const __m128i inexact = narrowed(_mm256_cmp_pd(back, exact, _CMP_NEQ_OQ));
        const __m128i odd = _mm_or_si128(_mm_add_epi32(_mm_castps_si128(nearest), away), _mm_srli_epi32(inexact, 31));
        lines = k == 0 ? _mm256_castps128_ps256(_mm_castsi128_ps(odd))
                       : _mm256_insertf128_ps(lines, _mm_castsi128_ps(odd), 1);
    }
    return lines;
}

// From and to halves by way of floats, as NumPy goes; doubles have one rounding in NumPy, too.
template <typename Dst, typename Src>
FASTNP_AVX2 void packed_halves(Dst* d, const Src* s, int64_t n) {
    constexpr int64_t kBlock = 64;
    float block[kBlock];
    int64_t i = 0;
    for (; i + 8 <= n; i += kBlock) {
        const int64_t length = (n - i < kBlock ? n - i : kBlock) & ~int64_t{7};
        if constexpr (std::is_same_v<Src, Half>) {
            for (int64_t k = 0; k < length; k += 8)
                _mm256_storeu_ps(block + k, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i + k))));
            for (int64_t k = 0; k < length; ++k) d[i + k] = convert<Dst>(block[k]);
        } else {
            if constexpr (!std::is_same_v<Src, double>)
                for (int64_t k = 0; k < length; ++k) block[k] = convert<float>(s[i + k]);
            for (int64_t k = 0; k < length; k += 8) {
                __m256 eight;
                if constexpr (std::is_same_v<Src, double>) eight = to_odd(s + i + k);
                else eight = _mm256_loadu_ps(block + k);
                _mm_storeu_si128(reinterpret_cast<__m128i*>(d + i + k), _mm256_cvtps_ph(eight, _MM_FROUND_TO_NEAREST_INT));
            }
        }
        if (length < kBlock) {
            i += length;
            break;
        }
    }
    if (i == n) return;
    // The last ones with zeros behind them: one by one each would be a call.
    const size_t left = n - i;
    Src last[8] = {};
    std::memcpy(last, s + i, left * sizeof(Src));
    Dst eight[8];
    packed_halves(eight, last, 8);
    std::memcpy(d + i, eight, left * sizeof(Dst));
}
#endif

#ifdef FASTNP_X86
// From and to halves that do not lie side by side, block by block.
template <typename Dst, typename Src>
void strided_halves(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n) {
    constexpr int64_t kBlock = 256;
    // (Complex numbers would be zeroes first.)
    alignas(32) char read_memory[kBlock * sizeof(Src)], written_memory[kBlock * sizeof(Dst)];
    Src* const read = reinterpret_cast<Src*>(read_memory);
    Dst* const written = reinterpret_cast<Dst*>(written_memory);
    for (; n > 0; n -= kBlock) {
        const int64_t length = n < kBlock ? n : kBlock;
        for (int64_t i = 0; i < length; ++i, src += src_stride) std::memcpy(read + i, src, sizeof(Src));
        packed_halves(written, read, length);
        for (int64_t i = 0; i < length; ++i, dst += dst_stride) std::memcpy(dst, written + i, sizeof(Dst));
    }
}
#endif

template <typename Dst, typename Src>
void strided(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n);

// Complex numbers move part by part: in one piece they would go through memory, where a wide read waits for narrow writes.
template <typename T>
[[gnu::always_inline]] inline T read_item(const char* src) {
    if constexpr (is_complex<T>::value) {
        using Part = typename T::value_type;
        return T(read_item<Part>(src), read_item<Part>(src + sizeof(Part)));
    } else {
        T item;
        std::memcpy(&item, src, sizeof(T));
        return item;
    }
}
template <typename T>
[[gnu::always_inline]] inline void write_item(char* dst, T item) {
    if constexpr (is_complex<T>::value) {
        write_item(dst, item.real());
        write_item(dst + sizeof(item) / 2, item.imag());
    } else {
        std::memcpy(dst, &item, sizeof(T));
    }
}

#ifdef FASTNP_X86
// Real parts as floats of the other size.
FASTNP_AVX2 inline void packed_parts(float* d, const std::complex<double>* s, int64_t n) {
    const auto two = [=](int64_t i) FASTNP_AVX2 { return _mm_castsi128_pd(read_lower<ItemsOf<std::complex<double>>, 8>(s + i)); };
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) _mm_storeu_ps(d + i, rounded_floats(two(i), two(i + 2)));
    for (; i < n; ++i) d[i] = static_cast<float>(s[i].real());
}
FASTNP_AVX2 inline void packed_parts(double* d, const std::complex<float>* s, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        _mm256_storeu_pd(d + i, _mm256_cvtps_pd(_mm_castsi128_ps(read_lower<ItemsOf<std::complex<float>>, 4>(s + i))));
    for (; i < n; ++i) d[i] = s[i].real();
}
template <typename Dst, typename Part>
void real_parts(Dst* d, const std::complex<Part>* s, int64_t n) {
    if constexpr (std::is_same_v<Dst, Part>)
        packed_narrow(d, s, n);
    else
        packed_parts(d, s, n);
}
#endif

template <typename Dst, typename Src>
void strided(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n) {
    // A complex number is the half of its real part.
    if constexpr (is_complex<Src>::value && std::is_same_v<Dst, Half>)
        return strided<Dst, typename Src::value_type>(dst, dst_stride, src, src_stride, n);
    // Complex numbers side by side are twice as many real ones.
    if constexpr (is_complex<Dst>::value && is_complex<Src>::value && !std::is_same_v<Dst, Src>) {
        using To = typename Dst::value_type;
        using From = typename Src::value_type;
        if (dst_stride == sizeof(Dst) && src_stride == sizeof(Src))
            return strided<To, From>(dst, sizeof(To), src, sizeof(From), 2 * n);
    }
    if (dst_stride == sizeof(Dst) && src_stride == sizeof(Src)) {
        Dst* d = reinterpret_cast<Dst*>(dst);
        const Src* s = reinterpret_cast<const Src*>(src);
        if constexpr (std::is_same_v<Dst, Src>) {
            std::memmove(d, s, n * sizeof(Dst));
            return;
        }
#ifdef FASTNP_X86
        if constexpr (kVectorised<Dst, Src>) {
            if (n >= kVectorFrom && has_avx512()) return packed_avx512(d, s, n);
        }
        if constexpr (kNarrows<Dst, Src> || (kRealParts<Dst, Src> && std::is_same_v<Dst, Bool>)) {
            if (n >= kVectorFrom && has_avx2()) return packed_narrow(d, s, n);
        } else if constexpr (kWidens<Dst, Src> || kBetweenFloats<Dst, Src> || kWhole<Dst, Src>) {
            if (n >= kVectorFrom && has_avx2()) return packed_avx2(d, s, n);
        } else if constexpr (kImaginary<Dst, Src>) {
            if (n >= kVectorFrom && has_avx2()) return packed_complex(d, s, n);
        } else if constexpr (kHalves<Dst, Src>) {
            if (n > 1 && has_avx2()) return packed_halves(d, s, n);
        } else if constexpr (kRealParts<Dst, Src>) {
            if (n >= kVectorFrom && has_avx2()) return real_parts(d, s, n);
        }
#endif
        packed(d, s, n);
        return;
    }
#ifdef FASTNP_X86
    if constexpr (kHalves<Dst, Src>) {
        if (n > 1 && src_stride != 0 && has_avx2()) return strided_halves<Dst, Src>(dst, dst_stride, src, src_stride, n);
    }
#endif
// Unrolled, since how fast the loop is otherwise depends on where it happens to lie.
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; ++i) write_item(dst + i * dst_stride, convert<Dst>(read_item<Src>(src + i * src_stride)));
}

using Strided = void (*)(char*, int64_t, const char*, int64_t, int64_t);

// Where a sign decides nothing, the cast is that of the dtype which has vectors: integers that keep or lose bits, or gain
// them by their own sign, and floats to integers that hold the lower half of what the processor makes of them.
template <typename Dst, typename Src>
constexpr auto written_as() {
    if constexpr (is_complex<Src>::value || std::is_same_v<Src, Half>) return Dst{};
    else if constexpr (std::is_same_v<Dst, int8_t>) return uint8_t{};
    else if constexpr (std::is_same_v<Dst, uint16_t>) return int16_t{};
    else if constexpr (std::is_floating_point_v<Src>) return Dst{};
    else if constexpr (std::is_same_v<Dst, uint32_t>) return int32_t{};
    else if constexpr (std::is_same_v<Dst, uint64_t>) return int64_t{};
    else return Dst{};
}
template <typename Dst, typename Src>
constexpr auto read_as() {
    constexpr bool narrows = std::is_same_v<Dst, Bool> || (std::is_integral_v<Dst> && sizeof(Dst) <= sizeof(Src));
    if constexpr (!narrows) return Src{};
    else if constexpr (std::is_same_v<Src, int8_t>) return uint8_t{};
    else if constexpr (std::is_same_v<Src, uint16_t>) return int16_t{};
    else if constexpr (std::is_same_v<Src, uint32_t>) return int32_t{};
    else if constexpr (std::is_same_v<Src, uint64_t>) return int64_t{};
    else return Src{};
}
template <typename Dst, typename Src>
inline constexpr Strided kCast = strided<decltype(written_as<Dst, Src>()), decltype(read_as<Dst, Src>())>;

template <typename Dst>
inline Strided row(int src) {
    static constexpr Strided table[NUM_NUMPY_DTYPES] = {
        kCast<Dst, Bool>, kCast<Dst, int8_t>, kCast<Dst, uint8_t>, kCast<Dst, int16_t>, kCast<Dst, uint16_t>,
        kCast<Dst, int32_t>, kCast<Dst, uint32_t>, kCast<Dst, int64_t>, kCast<Dst, uint64_t>, kCast<Dst, Half>,
        kCast<Dst, float>, kCast<Dst, double>, kCast<Dst, std::complex<float>>, kCast<Dst, std::complex<double>>};
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
