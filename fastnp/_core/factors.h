// Products of a line, in the stead of NumPy's loops: one after the other, as NumPy's, or in lanes where they are many and near
// one, until all that can change is a sign.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cache.h"
#include "reducing_loops.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

// Whether the magnitudes of all elements lie within limits, given as bits; their signs are multiplied into `signs`.
template <class T, class Bits>
FASTNP_AVX2 bool are_within(const T* a, intptr_t n, Bits least, Bits most, Bits* signs) {
    constexpr Bits magnitude = std::numeric_limits<Bits>::max();
    Bits outside = 0, changes = 0;
    for (intptr_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, a + i, sizeof(T));
        changes ^= bits;
        bits &= magnitude;
        outside |= (bits - least) | (most - bits);
    }
    *signs ^= changes & ~magnitude;
    return outside >= 0;
}

// The same of all finite magnitudes: what zero is multiplied by, time and again, once a product is too small.
template <class T>
FASTNP_AVX2 bool are_finite(const T* a, intptr_t n, bool* is_negative) {
    constexpr intptr_t width = 32 / sizeof(T);
    auto changes = repeat_vector(T(0)), finite = compare<_CMP_EQ_OQ>(changes, changes);
    const auto most = repeat_vector(std::numeric_limits<T>::max());
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const auto x = load_vector(a + i);
        changes = differ(changes, x);
        finite = both(finite, compare<_CMP_LE_OQ>(absolute(x), most));
    }
    if (bits_of(finite) != (1u << width) - 1) return false;
    bool odd = __builtin_parity(bits_of(changes)) != 0;
    for (; i < n; ++i) {
        if (!std::isfinite(a[i])) return false;
        odd ^= std::signbit(a[i]);
    }
    *is_negative ^= odd;
    return true;
}

// How far magnitudes lie above 2 ** -STEPS, in exponents, beside a sign.
template <int STEPS>
FASTNP_AVX2 inline __m256i from_least(__m256d x) {
    return _mm256_sub_epi64(_mm256_castpd_si256(x), _mm256_set1_epi64x((1023LL - STEPS) << 52));
}
template <int STEPS>
FASTNP_AVX2 inline __m256i from_least(__m256 x) {
    return _mm256_sub_epi32(_mm256_castps_si256(x), _mm256_set1_epi32((127 - STEPS) << 23));
}
// Whether they are less than 2 ** STEPS as well.
template <int STEPS>
FASTNP_AVX2 inline bool are_near(__m256i steps, const double*) {
    return _mm256_testz_si256(steps, _mm256_set1_epi64x((2048LL - 2 * STEPS) << 52));
}
template <int STEPS>
FASTNP_AVX2 inline bool are_near(__m256i steps, const float*) {
    return _mm256_testz_si256(steps, _mm256_set1_epi32((256 - 2 * STEPS) << 23));
}

// Whether the lanes of a block leave a product within the normal numbers.
template <class T>
inline bool may_be_multiplied(T total) {
    constexpr T lowest = sizeof(T) == 8 ? T(0x1p-500) : T(0x1p-60), highest = sizeof(T) == 8 ? T(0x1p500) : T(0x1p60);
    const T size = std::abs(total);
    return std::isgreaterequal(size, lowest) && std::islessequal(size, highest);
}
template <class T, class Vector>
FASTNP_AVX2 inline void multiply_by_vectors(Vector p, Vector q, Vector r, Vector s, T* total) {
    constexpr intptr_t width = sizeof(Vector) / sizeof(T);
    T lanes[width];
    store_vector(lanes, multiply(multiply(p, q), multiply(r, s)));
    for (intptr_t step = width / 2; step > 0; step /= 2)
        for (intptr_t k = 0; k < step; ++k) lanes[k] *= lanes[k + step];
    *total *= lanes[0];
}

// Multiply `total` by so many numbers within 2 ** -STEPS and 2 ** STEPS, a power of two, in lanes side by side; false where a
// product on the way might leave the normal numbers, which NumPy's order decides then.
template <int STEPS, intptr_t COUNT, class T>
FASTNP_AVX2 inline bool multiply_by_lanes(const T* a, T* total) {
    constexpr intptr_t width = 32 / sizeof(T);
    static_assert(STEPS * COUNT <= (sizeof(T) == 8 ? 512 : 64));
    if (!may_be_multiplied(*total)) return false;
    auto p = load_vector(a), q = load_vector(a + width), r = load_vector(a + 2 * width), s = load_vector(a + 3 * width);
    __m256i steps = _mm256_or_si256(_mm256_or_si256(from_least<STEPS>(p), from_least<STEPS>(q)),
                                    _mm256_or_si256(from_least<STEPS>(r), from_least<STEPS>(s)));
    for (intptr_t i = 4 * width; i < COUNT; i += 4 * width) {
        const auto x = load_vector(a + i), y = load_vector(a + i + width);
        const auto z = load_vector(a + i + 2 * width), w = load_vector(a + i + 3 * width);
        const __m256i first = _mm256_or_si256(from_least<STEPS>(x), from_least<STEPS>(y));
        steps = _mm256_or_si256(_mm256_or_si256(steps, first), _mm256_or_si256(from_least<STEPS>(z), from_least<STEPS>(w)));
        p = multiply(p, x);
        q = multiply(q, y);
        r = multiply(r, z);
        s = multiply(s, w);
    }
    if (!are_near<STEPS>(steps, a)) return false;
    multiply_by_vectors(p, q, r, s, total);
    return true;
}

// From this many numbers on, products are taken in lanes: they are rounded otherwise than one after the other.
inline constexpr intptr_t kManyFactors = 1024;

// The flags that were up before something is tried in vain. To read them waits for all that came before: 1.15 times as long for
// every block, which leave them as they are where they count.
struct FlagsBefore {
    unsigned flags = 0;
    bool known = false;

    void read() {
        if (!known) flags = _mm_getcsr();
        known = true;
    }
    void restore() const { _mm_setcsr(flags); }
};

// A block at a time of numbers near one, else a quarter of it of numbers less near: then for the next blocks as well.
inline constexpr intptr_t kFactors = 512, kManyZeros = 16 * kFactors;
inline constexpr int kBlocksInQuarters = 15;
// Blocks in wide vectors while their numbers lie within 1 / 2 and 2: 0.8 to 0.95 of the time of what a cache holds, longer of
// others but on fifth-generation Zen, which asks two blocks AHEAD from the third cache on: 0.6 to 0.9. How many numbers these were.
template <bool AHEAD>
FASTNP_AVX512 inline intptr_t multiply_by_wide_lanes(const double* a, intptr_t n, double* total) {
    constexpr int kChains = 4;
    const __m512i least = _mm512_castpd_si512(_mm512_set1_pd(0.5));
    intptr_t done = 0;
    for (; done + kFactors <= n && may_be_multiplied(*total); done += kFactors) {
        const double* const block = a + done;
        __m512d products[kChains];
        __m512i steps = _mm512_setzero_si512();
        for (int k = 0; k < kChains; ++k) products[k] = _mm512_set1_pd(1);
        for (intptr_t i = 0; i < kFactors; i += 8 * kChains)
#pragma GCC unroll 4
            for (int k = 0; k < kChains; ++k) {
                const double* const place = block + i + 8 * k;
                if constexpr (AHEAD) _mm_prefetch(reinterpret_cast<const char*>(place + 2 * kFactors), _MM_HINT_T0);
                const __m512d x = _mm512_loadu_pd(place);
                steps = _mm512_or_si512(steps, _mm512_sub_epi64(_mm512_castpd_si512(x), least));
                products[k] = _mm512_mul_pd(products[k], x);
            }
        if (_mm512_test_epi64_mask(steps, _mm512_set1_epi64((2048LL - 2) << 52)) != 0) break;
        const __m512d p = _mm512_mul_pd(products[0], products[2]), q = _mm512_mul_pd(products[1], products[3]);
        multiply_by_vectors(_mm512_castpd512_pd256(p), _mm512_extractf64x4_pd(p, 1), _mm512_castpd512_pd256(q),
                            _mm512_extractf64x4_pd(q, 1), total);
    }
    return done;
}

template <class T>
FASTNP_AVX2 void multiply_in_turn(const T* a, intptr_t n, bool many, int* in_quarters, FlagsBefore* flags, T* total) {
    constexpr intptr_t fewer = sizeof(T) == 8 ? 128 : 64;
    if constexpr (sizeof(T) == 8) {
        if (*in_quarters > 0) {
            --*in_quarters;
        } else if (many && n == kFactors && may_be_multiplied(*total)) {
            flags->read();
            if (multiply_by_lanes<1, kFactors>(a, total)) return;
            flags->restore();
            *in_quarters = kBlocksInQuarters;
        }
    }
    for (intptr_t i = 0; i < n;) {
        const intptr_t end = std::min(i + fewer, n);
        if (many && end - i == fewer && may_be_multiplied(*total)) {
            flags->read();
            if (multiply_by_lanes<sizeof(T) == 8 ? 4 : 1, fewer>(a + i, total)) {
                i = end;
                continue;
            }
            flags->restore();
        }
        T product = *total;
        for (; i < end; ++i) product *= a[i];
        *total = product;
        flags->known = false;
    }
}

template <class T>
void multiply_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != static_cast<intptr_t>(sizeof(T)))
        return pass_on(args, dimensions, strides, data);
    Bits limit;
    std::memcpy(&limit, &infinity, sizeof(T));
    T total = *reinterpret_cast<const T*>(args[0]);
    int in_quarters = 0;
    FlagsBefore flags;
    const T* const a = reinterpret_cast<const T*>(args[1]);
    const bool many = dimensions[0] >= kManyFactors;
    const intptr_t bytes = dimensions[0] * static_cast<intptr_t>(sizeof(T));
    const bool wide = many && has_avx512() && (is_late_zen() || bytes <= most_in_cache());
    const auto multiply_wide = is_late_zen() && bytes > kSecondCache ? multiply_by_wide_lanes<true> : multiply_by_wide_lanes<false>;
    intptr_t length;
    for (intptr_t i = 0; i < dimensions[0]; i += length) {
        if constexpr (sizeof(T) == 8)
            if (wide && in_quarters == 0) {
                flags.read();
                i += multiply_wide(a + i, dimensions[0] - i, &total);
                flags.restore();
                in_quarters = kBlocksInQuarters;
            }
        Bits signs;
        std::memcpy(&signs, &total, sizeof(T));
        bool is_negative = std::signbit(total);
        // Zero times what is finite, of which more is seen at once; infinity times what is neither zero nor NaN.
        length = std::min(kManyZeros, dimensions[0] - i);
        if (total == 0 && are_finite(a + i, length, &is_negative)) {
            total = is_negative ? -T(0) : T(0);
            continue;
        }
        length = std::min(kFactors, dimensions[0] - i);
        if (std::abs(total) == infinity && are_within<T, Bits>(a + i, length, 1, limit, &signs))
            std::memcpy(&total, &signs, sizeof(T));
        else
            multiply_in_turn(a + i, length, many, &in_quarters, &flags, &total);
    }
    *reinterpret_cast<T*>(args[0]) = total;
}

// Lines too short for lanes: products of eight of them side by side, since those of one wait for one another.
template <class T>
void multiply_lines(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t kLines = 8, item = sizeof(T);
    const intptr_t n = dimensions[0], lines = dimensions[1], step = strides[4];
    const Loop* const loop = static_cast<const Loop*>(data);
    const bool fit = n < kManyFactors && strides[1] == item && step % item == 0;
    intptr_t line = 0;
    for (; fit && line + kLines <= lines; line += kLines) {
        const T* const first = reinterpret_cast<const T*>(args[1] + line * step);
        T totals[kLines];
        for (int k = 0; k < kLines; ++k) totals[k] = *reinterpret_cast<const T*>(args[0] + (line + k) * strides[3]);
        for (intptr_t i = 0; i < n; ++i)
            for (int k = 0; k < kLines; ++k) totals[k] *= first[k * (step / item) + i];
        for (int k = 0; k < kLines; ++k) *reinterpret_cast<T*>(args[0] + (line + k) * strides[3]) = totals[k];
    }
    for (; line < lines; ++line) {
        char* const total = args[0] + line * strides[3];
        char* line_args[] = {total, args[1] + line * step, total};
        loop->function(line_args, &n, strides, loop->data);
    }
}

#endif

}  // namespace fastnp
