// Loops of complex numbers, in the stead of NumPy's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "factors.h"
#include "iteration.h"
#include "reducing_loops.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

template <class T>
FASTNP_AVX2 void negative_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0], bytes = 2 * n * sizeof(T);
    const bool apart = args[1] == args[0] || args[0] + bytes <= args[1] || args[1] + bytes <= args[0];
    if (strides[0] != 2 * sizeof(T) || strides[1] != 2 * sizeof(T) || !apart) return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(args[0]);
    T* const out = reinterpret_cast<T*>(args[1]);
#pragma GCC ivdep
    for (intptr_t i = 0; i < 2 * n; ++i) out[i] = -in[i];
}

// Which of the numbers in two vectors are zero, as the bits of the even places.
FASTNP_AVX2 inline unsigned zeros_among(const double* a) {
    const __m256d zero = _mm256_setzero_pd();
    const unsigned low = bits_of(compare<_CMP_EQ_OQ>(load_vector(a), zero));
    const unsigned parts = low | bits_of(compare<_CMP_EQ_OQ>(load_vector(a + 4), zero)) << 4;
    return parts & parts >> 1;
}
FASTNP_AVX2 inline unsigned zeros_among(const float* a) {
    const unsigned parts = bits_of(compare<_CMP_EQ_OQ>(load_vector(a), _mm256_setzero_ps()));
    return parts & parts >> 1;
}

// Four numbers at a time: the bits of the even places, a byte each.
template <class T>
FASTNP_AVX2 void not_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0], bytes = 2 * n * sizeof(T);
    if (strides[0] != 2 * sizeof(T) || strides[1] != 1 || (args[0] < args[1] + n && args[1] < args[0] + bytes))
        return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(args[0]);
    uint8_t* const out = reinterpret_cast<uint8_t*>(args[1]);
    intptr_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32_t zeros = zeros_among(in + 2 * i);
        const uint32_t spread = (zeros & 1) | (zeros & 4) << 6 | (zeros & 16) << 12 | (zeros & 64) << 18;
        std::memcpy(out + i, &spread, 4);
    }
    for (; i < n; ++i) out[i] = in[2 * i] == 0 && in[2 * i + 1] == 0;
}

// --- quotients ---

FASTNP_AVX2 inline __m256d real_twice(__m256d x) { return _mm256_movedup_pd(x); }
FASTNP_AVX2 inline __m256 real_twice(__m256 x) { return _mm256_moveldup_ps(x); }
FASTNP_AVX2 inline __m256d imaginary_twice(__m256d x) { return _mm256_permute_pd(x, 0xF); }
FASTNP_AVX2 inline __m256 imaginary_twice(__m256 x) { return _mm256_movehdup_ps(x); }
FASTNP_AVX2 inline __m256d exchanged(__m256d x) { return _mm256_permute_pd(x, 0x5); }
FASTNP_AVX2 inline __m256 exchanged(__m256 x) { return _mm256_permute_ps(x, 0xB1); }
FASTNP_AVX2 inline __m256d repeat_number(const double* a) { return _mm256_broadcast_pd(reinterpret_cast<const __m128d*>(a)); }
FASTNP_AVX2 inline __m256 repeat_number(const float* a) {
    double bits;
    std::memcpy(&bits, a, 8);
    return _mm256_castpd_ps(_mm256_set1_pd(bits));
}

// A divisor by its larger part; false where that is zero or one of them a NaN, of which NumPy tells.
template <class Vector>
struct Divisor {
    Vector by_real, ratio, length;
    FASTNP_AVX2 inline bool set(Vector b) {
        const Vector zero = differ(b, b), sizes = absolute(b), real = real_twice(b), imaginary = imaginary_twice(b);
        by_real = compare<_CMP_GE_OQ>(real_twice(sizes), imaginary_twice(sizes));
        const Vector large = choose(by_real, real, imaginary), small = choose(by_real, imaginary, real);
        const unsigned told = bits_of(both(compare<_CMP_NEQ_OQ>(large, zero), compare<_CMP_ORD_Q>(small, small)));
        if (told != bits_of(compare<_CMP_EQ_OQ>(zero, zero))) return false;
        ratio = divide(small, large);
        length = add(large, multiply(small, ratio));
        return true;
    }
};

// Smith's quotients, step by step as NumPy's.
template <class T>
FASTNP_AVX2 void divide_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = 2 * sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    const bool first = strides[0] == 0, second = strides[1] == 0;
    if (n < width || (strides[0] != item && !first) || (strides[1] != item && !second) || strides[2] != item ||
        !is_readable(args[0], first, args[2], n * item) || !is_readable(args[1], second, args[2], n * item))
        return pass_on(args, dimensions, strides, data);
    const T* const divisor = reinterpret_cast<const T*>(args[1]);
    if (second && divisor[0] == 0 && divisor[1] == 0) return pass_on(args, dimensions, strides, data);
    const T sign[] = {T(0), -T(0)};
    const auto signs = repeat_number(sign), one = repeat_vector(T(1));
    const auto pass_some = [&](intptr_t i, intptr_t count) {
        char* some[] = {args[0] + i * strides[0], args[1] + i * strides[1], args[2] + i * item};
        pass_on(some, &count, strides, data);
    };
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const T* const left = reinterpret_cast<const T*>(args[0] + i * strides[0]);
        const T* const right = reinterpret_cast<const T*>(args[1] + i * strides[1]);
        const auto a = first ? repeat_number(left) : load_vector(left), b = second ? repeat_number(right) : load_vector(right);
        Divisor<std::remove_const_t<decltype(b)>> by;
        if (!by.set(b)) {
            pass_some(i, width);
            continue;
        }
        // (r + i * ratio, i - r * ratio), or (r * ratio + i, i * ratio - r).
        const auto turned = differ(exchanged(a), signs);
        const auto whole = choose(by.by_real, a, turned), part = choose(by.by_real, turned, a);
        const auto scale = divide(one, by.length);
        store_vector(reinterpret_cast<T*>(args[2] + i * item), multiply(add(whole, multiply(part, by.ratio)), scale));
    }
    if (i < n) pass_some(i, n - i);
}

template <class T>
FASTNP_AVX2 void reciprocal_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = 2 * sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    if (n < width || strides[0] != item || strides[1] != item || !is_readable(args[0], false, args[1], n * item))
        return pass_on(args, dimensions, strides, data);
    const T sign[] = {T(0), -T(0)}, real[] = {T(1), T(0)};
    const auto signs = repeat_number(sign), one = repeat_vector(T(1));
    const auto is_real = compare<_CMP_EQ_OQ>(repeat_number(real), one);
    const auto pass_some = [&](intptr_t i, intptr_t count) {
        char* some[] = {args[0] + i * item, args[1] + i * item};
        pass_on(some, &count, strides, data);
    };
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const auto b = load_vector(reinterpret_cast<const T*>(args[0] + i * item));
        Divisor<std::remove_const_t<decltype(b)>> by;
        if (!by.set(b)) {
            pass_some(i, width);
            continue;
        }
        // (1, -ratio), or (ratio, -1).
        const auto parts = choose(differ(is_real, by.by_real), by.ratio, one);
        store_vector(reinterpret_cast<T*>(args[1] + i * item), divide(differ(parts, signs), by.length));
    }
    if (i < n) pass_some(i, n - i);
}

// --- products ---

FASTNP_FUSED inline __m256d multiply_complex(__m256d a, __m256d b) {
    return _mm256_fmaddsub_pd(a, real_twice(b), _mm256_mul_pd(exchanged(a), imaginary_twice(b)));
}
FASTNP_FUSED inline __m256 multiply_complex(__m256 a, __m256 b) {
    return _mm256_fmaddsub_ps(a, real_twice(b), _mm256_mul_ps(exchanged(a), imaginary_twice(b)));
}

// The exponent of a positive number, 0 for those of [1, 2).
inline int exponent_of(double x) {
    uint64_t bits;
    std::memcpy(&bits, &x, 8);
    return static_cast<int>(bits >> 52) - 1023;
}
inline int exponent_of(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return static_cast<int>(bits >> 23) - 127;
}

// Multiply `total` by a block of numbers in lanes side by side; false where a product on the way might leave the normal
// numbers, which NumPy's order decides then.
template <class T>
inline constexpr intptr_t kComplexFactors = sizeof(T) == 8 ? 64 : 16;
template <class T>
FASTNP_FUSED bool multiply_complex_block(const T* a, T* total) {
    constexpr intptr_t width = 32 / sizeof(T), count = kComplexFactors<T>;
    constexpr int limit = sizeof(T) == 8 ? 1000 : 120;
    auto p = load_vector(a), q = load_vector(a + width), r = load_vector(a + 2 * width), s = load_vector(a + 3 * width);
    // Of each number the larger part.
    const auto size = [](auto x) FASTNP_FUSED { return larger(absolute(x), exchanged(absolute(x))); };
    auto least = smaller(smaller(size(p), size(q)), smaller(size(r), size(s)));
    auto most = larger(larger(size(p), size(q)), larger(size(r), size(s)));
    for (intptr_t i = 4 * width; i < 2 * count; i += 4 * width) {
        const auto x = load_vector(a + i), y = load_vector(a + i + width);
        const auto z = load_vector(a + i + 2 * width), w = load_vector(a + i + 3 * width);
        least = smaller(least, smaller(smaller(size(x), size(y)), smaller(size(z), size(w))));
        most = larger(most, larger(larger(size(x), size(y)), larger(size(z), size(w))));
        p = multiply_complex(p, x);
        q = multiply_complex(q, y);
        r = multiply_complex(r, z);
        s = multiply_complex(s, w);
    }
    T lanes[width], lows[width], highs[width];
    store_vector(lanes, multiply_complex(multiply_complex(p, q), multiply_complex(r, s)));
    store_vector(lows, least);
    store_vector(highs, most);
    const T low = *std::min_element(lows, lows + width), high = *std::max_element(highs, highs + width);
    const T own = std::max(std::abs(total[0]), std::abs(total[1]));
    // A length lies between its larger part and the root of two times that.
    const int start = exponent_of(own);
    if (!(low > 0) || !std::isfinite(high) || !std::isfinite(own) || start + count * std::min(exponent_of(low), 0) < -limit ||
        start + 1 + count * std::max(exponent_of(high) + 1, 0) + count / 2 > limit)
        return false;
    T real = total[0], imaginary = total[1];
    for (intptr_t k = 0; k < width; k += 2) {
        const T before = real;
        real = before * lanes[k] - imaginary * lanes[k + 1];
        imaginary = before * lanes[k + 1] + imaginary * lanes[k];
    }
    if (!std::isfinite(real) || !std::isfinite(imaginary)) return false;
    total[0] = real;
    total[1] = imaginary;
    return true;
}

// Multiply zero by finite numbers, which changes its signs; false where one is not finite.
template <class T>
FASTNP_AVX2 bool multiply_zero(const T* a, intptr_t n, T* total) {
    constexpr intptr_t width = 32 / sizeof(T);
    auto signs = repeat_vector(T(0)), finite = compare<_CMP_EQ_OQ>(signs, signs);
    const auto most = repeat_vector(std::numeric_limits<T>::max());
    bool any_sign = false;
    intptr_t i = 0;
    for (; i + width <= 2 * n; i += width) {
        const auto x = load_vector(a + i);
        signs = either(signs, x);
        finite = both(finite, compare<_CMP_LE_OQ>(absolute(x), most));
    }
    if (bits_of(finite) != (1u << width) - 1) return false;
    any_sign = bits_of(signs) != 0;
    for (; i < 2 * n; ++i) {
        if (!std::isfinite(a[i])) return false;
        any_sign |= std::signbit(a[i]);
    }
    bool real = std::signbit(total[0]), imaginary = std::signbit(total[1]);
    // By numbers without signs the second step leaves what the first did.
    const intptr_t steps = any_sign ? n : std::min<intptr_t>(n, 2);
    for (i = 0; i < steps; ++i) {
        const bool b = std::signbit(a[2 * i]), c = std::signbit(a[2 * i + 1]), before = real;
        real = (before != b) & (imaginary == c);
        imaginary = (before != c) & (imaginary != b);
    }
    total[0] = real ? -T(0) : T(0);
    total[1] = imaginary ? -T(0) : T(0);
    return true;
}

template <class T>
void multiply_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = 2 * sizeof(T), block = kComplexFactors<T>;
    const intptr_t n = dimensions[0];
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != item || n < kManyFactors)
        return pass_on(args, dimensions, strides, data);
    T total[2];
    std::memcpy(total, args[0], item);
    for (intptr_t i = 0; i < n;) {
        const T* const a = reinterpret_cast<const T*>(args[1] + i * item);
        if (std::isnan(total[0]) && std::isnan(total[1])) break;
        intptr_t length = std::min(kManyZeros, n - i);
        if (total[0] == 0 && total[1] == 0 && multiply_zero(a, length, total)) {
            i += length;
            continue;
        }
        length = std::min(block, n - i);
        const unsigned flags = _mm_getcsr();
        if (length < block || !multiply_complex_block(a, total)) {
            _mm_setcsr(flags);  // what was tried in vain has raised some
            char* const place = reinterpret_cast<char*>(total);
            char* part[] = {place, args[1] + i * item, place};
            pass_on(part, &length, strides, data);
        }
        i += length;
    }
    std::memcpy(args[0], total, item);
}

#endif

}  // namespace fastnp
