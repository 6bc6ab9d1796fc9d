// Products of a line, in the stead of NumPy's loops: one after the other, as NumPy's, or in lanes where they are many and near
// one, until all that can change is a sign.
#pragma once

#include <algorithm>
#include <bit>
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

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

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

// What wide vectors multiply, and how far above the least their magnitudes lie, by the order of their bits.
template <class T>
struct WideFactors;
template <>
struct WideFactors<double> : Doubles {
    FASTNP_AVX512 static inline __m512i repeat_bits(int64_t bits) { return _mm512_set1_epi64(bits); }
    FASTNP_AVX512 static inline __m512i further(__m512i most, __m512i bits, __m512i least) {
        return _mm512_max_epu64(most, _mm512_sub_epi64(bits, least));
    }
    FASTNP_AVX512 static inline bool any_above(__m512i a, __m512i b) { return _mm512_cmpgt_epu64_mask(a, b) != 0; }
    FASTNP_AVX512 static inline __m512i bits_of(Vector x) { return _mm512_castpd_si512(x); }
    FASTNP_AVX512 static inline __m256d lower(Vector x) { return _mm512_castpd512_pd256(x); }
    FASTNP_AVX512 static inline __m256d upper(Vector x) { return _mm512_extractf64x4_pd(x, 1); }
};
template <>
struct WideFactors<float> : Floats {
    FASTNP_AVX512 static inline __m512i repeat_bits(int32_t bits) { return _mm512_set1_epi32(bits); }
    FASTNP_AVX512 static inline __m512i further(__m512i most, __m512i bits, __m512i least) {
        return _mm512_max_epu32(most, _mm512_sub_epi32(bits, least));
    }
    FASTNP_AVX512 static inline bool any_above(__m512i a, __m512i b) { return _mm512_cmpgt_epu32_mask(a, b) != 0; }
    FASTNP_AVX512 static inline __m512i bits_of(Vector x) { return _mm512_castps_si512(x); }
    FASTNP_AVX512 static inline __m256 lower(Vector x) { return _mm512_castps512_ps256(x); }
    FASTNP_AVX512 static inline __m256 upper(Vector x) { return _mm512_extractf32x8_ps(x, 1); }
};

// The same in wide vectors, asked for AHEAD where they come from far away.
template <class T, bool AHEAD, class Bits>
FASTNP_AVX512 bool are_within_wide(const T* a, intptr_t n, Bits least, Bits most, Bits* signs) {
    using Wide = WideFactors<T>;
    constexpr intptr_t width = 64 / sizeof(T);
    const __m512i magnitude = Wide::repeat_bits(std::numeric_limits<Bits>::max()), first = Wide::repeat_bits(least);
    __m512i changes = _mm512_setzero_si512(), furthest = changes;
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        if constexpr (AHEAD) ask_far_ahead(a + i);
        const __m512i bits = _mm512_loadu_si512(a + i);
        changes = _mm512_xor_si512(changes, bits);
        furthest = Wide::further(furthest, _mm512_and_si512(bits, magnitude), first);
    }
    if (Wide::any_above(furthest, Wide::repeat_bits(most - least))) return false;
    alignas(64) Bits each[width];
    _mm512_store_si512(each, changes);
    Bits odd = 0;
    for (intptr_t k = 0; k < width; ++k) odd ^= each[k];
    if (!are_within<T>(a + i, n - i, least, most, signs)) return false;
    *signs ^= odd & std::numeric_limits<Bits>::min();
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

// Numbers as near one as this may be multiplied in any order, so many of them, and no product leaves the normal numbers.
inline constexpr intptr_t kFactors = 512;
template <class T>
inline constexpr T kLeastFactor = sizeof(T) == 8 ? T(0.5) : T(0.92);
inline constexpr int32_t kRangeOfFloats = 1 << 21;  // of their bits: to 1.09
template <class T>
inline constexpr T kMostFactor = T(0x1.fffffffffffffp0);
template <>
inline constexpr float kMostFactor<float> = std::bit_cast<float>(std::bit_cast<int32_t>(kLeastFactor<float>) + kRangeOfFloats - 1);

// How far their magnitudes lie above the least, in bits: few beside a sign where none is too far.
FASTNP_AVX2 inline __m256i from_least_factor(__m256 x) {
    return _mm256_sub_epi32(_mm256_castps_si256(x), _mm256_set1_epi32(std::bit_cast<int32_t>(kLeastFactor<float>)));
}
FASTNP_AVX2 inline bool are_factors(__m256i far) {
    return _mm256_testz_si256(far, _mm256_set1_epi32(std::numeric_limits<int32_t>::max() - kRangeOfFloats + 1));
}

// Multiply `total` by a block of floats as near, in the lanes of eight vectors; false where some are not. Asked for AHEAD, they
// take 0.7 to 1.0 of the time on third-generation Zen.
template <bool AHEAD>
FASTNP_AVX2 inline bool multiply_by_block(const float* a, float* total) {
    constexpr intptr_t kVectors = 8, width = 8;
    __m256i far = _mm256_setzero_si256();
    __m256 products[kVectors];
    for (int k = 0; k < kVectors; ++k) products[k] = repeat_vector(1.0f);
    for (intptr_t i = 0; i < kFactors; i += kVectors * width)
#pragma GCC unroll 8
        for (int k = 0; k < kVectors; ++k) {
            const float* const place = a + i + k * width;
            if (AHEAD && k % 2 == 0) _mm_prefetch(reinterpret_cast<const char*>(place) + kAhead, _MM_HINT_T0);
            const auto x = load_vector(place);
            far = _mm256_or_si256(far, from_least_factor(x));
            products[k] = multiply(products[k], x);
        }
    if (!are_factors(far)) return false;
    for (int k = 0; k < 4; ++k) products[k] = multiply(products[k], products[k + 4]);
    multiply_by_vectors(products[0], products[1], products[2], products[3], total);
    return true;
}

// The four lanes that a block of doubles comes to; false where a product within NumPy's order might leave the normal numbers. What
// each of 32 products comes to says it, as it takes the next number: none does if all lie between 2 ** -15 and 2 ** 16 all the way.
// They start so far up that their exponents tell: one that was ever less lacks a bit of the upper six, one that was more is
// infinite for good. Two instructions to four numbers; what lies far away is read sooner without being asked for (0.9).
inline constexpr double kLaneStart = 0x1p1008;
inline constexpr int64_t kLaneBits = 0x7e0LL << 52;
FASTNP_AVX2 inline bool are_lanes(const __m256d (&kept)[2]) {
    return _mm256_testc_si256(_mm256_castpd_si256(_mm256_and_pd(kept[0], kept[1])), _mm256_set1_epi64x(kLaneBits));
}
template <class T, class V>
FASTNP_AVX2 inline void store_lanes_of_block(V (&products)[8], T* lanes) {
    if constexpr (sizeof(T) == 8)
        for (V& product : products) product = multiply(product, repeat_vector(1 / kLaneStart));
    for (int k = 0; k < 4; ++k) products[k] = multiply(products[k], products[k + 4]);
    store_vector(lanes, multiply(multiply(products[0], products[1]), multiply(products[2], products[3])));
}
template <class T>
inline T product_of_lanes(const T* lanes) {
    constexpr intptr_t width = 32 / sizeof(T);
    T products[width / 2];
    for (intptr_t k = 0; k < width / 2; ++k) products[k] = lanes[k] * lanes[k + width / 2];
    for (intptr_t step = width / 4; step > 0; step /= 2)
        for (intptr_t k = 0; k < step; ++k) products[k] *= products[k + step];
    return products[0];
}
FASTNP_AVX2 inline bool multiply_into_lanes(const double* a, double* lanes) {
    constexpr intptr_t kVectors = 8, width = 4;
    __m256d products[kVectors], kept[2];
    for (int k = 0; k < kVectors; ++k) products[k] = repeat_vector(kLaneStart);
    for (int k = 0; k < 2; ++k) kept[k] = products[0];
    for (intptr_t i = 0; i < kFactors; i += kVectors * width)
#pragma GCC unroll 8
        for (int k = 0; k < kVectors; ++k) {
            products[k] = multiply(products[k], load_vector(a + i + k * width));
            kept[k % 2] = _mm256_and_pd(kept[k % 2], products[k]);
        }
    store_lanes_of_block(products, lanes);
    return are_lanes(kept);
}

// Multiply `total` by blocks of doubles while none of them might; how many numbers these were. Lanes become numbers some blocks
// later, when nothing waits for them.
FASTNP_AVX2 inline intptr_t multiply_by_blocks(const double* a, intptr_t n, double* total) {
    constexpr intptr_t kTogether = 8;
    double lanes[kTogether][4];
    for (intptr_t done = 0;;) {
        const intptr_t most = std::min(kTogether, (n - done) / kFactors);
        intptr_t count = 0;
        while (count < most && multiply_into_lanes(a + done + count * kFactors, lanes[count])) ++count;
        for (intptr_t block = 0; block < count; ++block, done += kFactors) {
            const double product = *total * product_of_lanes(lanes[block]);
            if (!may_be_multiplied(*total) || !std::isfinite(product)) return done;
            *total = product;
        }
        if (count < kTogether) return done;
    }
}

// What tells of a block that its lanes are its product: of doubles their products on the way, of floats the numbers.
template <class T>
struct FactorsSeen {
    static constexpr double kStart = kLaneStart;
    __m256d kept[2];

    FASTNP_AVX2 FactorsSeen() { kept[0] = kept[1] = repeat_vector(kLaneStart); }
    FASTNP_AVX2 void look(int k, __m256d, __m256d product) { kept[k % 2] = _mm256_and_pd(kept[k % 2], product); }
    FASTNP_AVX2 bool are_kept() const { return are_lanes(kept); }
};
template <>
struct FactorsSeen<float> {
    static constexpr float kStart = 1;
    __m256i far[2];

    FASTNP_AVX2 FactorsSeen() { far[0] = far[1] = _mm256_setzero_si256(); }
    FASTNP_AVX2 void look(int k, __m256 x, __m256) { far[k % 2] = _mm256_or_si256(far[k % 2], from_least_factor(x)); }
    FASTNP_AVX2 bool are_kept() const { return are_factors(_mm256_or_si256(far[0], far[1])); }
};

// The lanes of four blocks that lie far from one another, by turns: memory is read in four streams, in 0.65 to 0.8 of the time that
// it takes in one. Only one block's products fit in registers.
inline constexpr int kFactorStreams = 4;
template <class T>
FASTNP_AVX2 inline bool multiply_into_lanes_of_four(const T* a, intptr_t distance, T (*lanes)[32 / sizeof(T)]) {
    using V = typename VectorOf<T>::Type;
    constexpr intptr_t kVectors = 8, width = 32 / sizeof(T), kRow = kVectors * width, kRows = 2;
    alignas(64) T products[kFactorStreams][kVectors][width];
    for (auto& of_block : products)
        for (auto& product : of_block) store_vector(product, repeat_vector(FactorsSeen<T>::kStart));
    FactorsSeen<T> seen;
    for (intptr_t i = 0; i < kFactors; i += kRows * kRow)
        for (int stream = 0; stream < kFactorStreams; ++stream) {
            const T* const from = a + stream * distance + i;
            V some[kVectors];
            for (int k = 0; k < kVectors; ++k) some[k] = load_vector(products[stream][k]);
#pragma GCC unroll 2
            for (intptr_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
                for (int k = 0; k < kVectors; ++k) {
                    const V x = load_vector(from + row * kRow + k * width);
                    some[k] = multiply(some[k], x);
                    seen.look(k, x, some[k]);
                }
            for (int k = 0; k < kVectors; ++k) store_vector(products[stream][k], some[k]);
        }
    for (int stream = 0; stream < kFactorStreams; ++stream) {
        V of_block[kVectors];
        for (int k = 0; k < kVectors; ++k) of_block[k] = load_vector(products[stream][k]);
        store_lanes_of_block(of_block, lanes[stream]);
    }
    return seen.are_kept();
}
// Multiply `total` by blocks that come from memory, to the bits of those one after the other; how many numbers these were.
template <class T>
FASTNP_AVX2 inline intptr_t multiply_by_far_blocks(const T* a, intptr_t n, T* total) {
    constexpr intptr_t kTogether = 64 / sizeof(T), kDistance = kTogether * kFactors, kAll = kFactorStreams * kDistance;
    T lanes[kTogether][kFactorStreams][32 / sizeof(T)];
    intptr_t done = 0;
    for (; n - done >= kAll; done += kAll) {
        for (intptr_t block = 0; block < kTogether; ++block)
            if (!multiply_into_lanes_of_four(a + done + block * kFactors, kDistance, lanes[block])) return done;
        T product = *total;
        for (int stream = 0; stream < kFactorStreams; ++stream)
            for (intptr_t block = 0; block < kTogether; ++block) {
                if (!may_be_multiplied(product)) return done;
                product *= product_of_lanes(lanes[block][stream]);
            }
        if (!std::isfinite(product)) return done;
        *total = product;
    }
    return done;
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
inline constexpr int kBlocksInQuarters = 15;
inline constexpr intptr_t kManyZeros = 16 * kFactors;
// Blocks in wide vectors while their numbers are as near one: 0.8 to 0.95 of the time of what a cache holds, longer of others
// but on fifth-generation Zen, which asks eight kilobytes AHEAD from the third cache on: 0.6 to 0.9. How many numbers these were.
template <class T, bool AHEAD>
FASTNP_AVX512 intptr_t multiply_by_wide_lanes(const T* a, intptr_t n, T* total) {
    using Wide = WideFactors<T>;
    constexpr intptr_t kChains = 4, width = 64 / sizeof(T);
    constexpr BitsOf<T> kLeast = std::bit_cast<BitsOf<T>>(kLeastFactor<T>), kMost = std::bit_cast<BitsOf<T>>(kMostFactor<T>);
    const __m512i least = Wide::repeat_bits(kLeast), most = Wide::repeat_bits(kMost - kLeast);
    intptr_t done = 0;
    for (; done + kFactors <= n && may_be_multiplied(*total); done += kFactors) {
        typename Wide::Vector products[kChains];
        __m512i furthest = _mm512_setzero_si512();
        for (int k = 0; k < kChains; ++k) products[k] = Wide::repeat(1);
        for (intptr_t i = 0; i < kFactors; i += kChains * width)
#pragma GCC unroll 4
            for (int k = 0; k < kChains; ++k) {
                const T* const place = a + done + i + k * width;
                if constexpr (AHEAD) ask_far_ahead(place);
                const auto x = Wide::load(place);
                furthest = Wide::further(furthest, Wide::bits_of(Wide::absolute(x)), least);
                products[k] = Wide::multiply(products[k], x);
            }
        if (Wide::any_above(furthest, most)) break;
        const auto p = Wide::multiply(products[0], products[2]), q = Wide::multiply(products[1], products[3]);
        multiply_by_vectors(Wide::lower(p), Wide::upper(p), Wide::lower(q), Wide::upper(q), total);
    }
    return done;
}

template <class T>
FASTNP_AVX2 void multiply_in_turn(const T* a, intptr_t n, bool many, int* in_quarters, FlagsBefore* flags, T* total) {
    constexpr intptr_t fewer = sizeof(T) == 8 ? 128 : 64;
    if (*in_quarters > 0) {
        --*in_quarters;
    } else if constexpr (sizeof(T) == 4) {
        if (many && n == kFactors && may_be_multiplied(*total)) {
            flags->read();
            if (has_avx512() ? multiply_by_block<false>(a, total) : multiply_by_block<true>(a, total)) return;
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
    using Bits = BitsOf<T>;
    constexpr T infinity = std::numeric_limits<T>::infinity(), smallest = std::numeric_limits<T>::denorm_min();
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != static_cast<intptr_t>(sizeof(T)))
        return pass_on(args, dimensions, strides, data);
    constexpr Bits limit = std::bit_cast<Bits>(infinity), half = std::bit_cast<Bits>(T(0.5)), middle = std::bit_cast<Bits>(T(1.5));
    T total = *reinterpret_cast<const T*>(args[0]);
    int in_quarters = 0;
    FlagsBefore flags;
    const T* const a = reinterpret_cast<const T*>(args[1]);
    const bool many = dimensions[0] >= kManyFactors;
    const intptr_t bytes = dimensions[0] * static_cast<intptr_t>(sizeof(T));
    const bool has_wide = has_avx512(), wide = many && has_wide && (is_late_zen() || bytes <= most_in_cache());
    const bool ahead = asks_for_leaves<double>(bytes), far = !has_wide && bytes > most_in_cache();
    const auto multiply_wide = ahead ? multiply_by_wide_lanes<T, true> : multiply_by_wide_lanes<T, false>;
    const auto within = !has_wide ? are_within<T, Bits> : ahead ? are_within_wide<T, true, Bits> : are_within_wide<T, false, Bits>;
    intptr_t first = 0, length;
    if (far) {
        flags.read();
        first = multiply_by_far_blocks(a, dimensions[0], &total);
        flags.restore();
    }
    for (intptr_t i = first; i < dimensions[0]; i += length) {
        if ((wide || many && sizeof(T) == 8) && in_quarters == 0) {
            flags.read();
            if (wide)
                i += multiply_wide(a + i, dimensions[0] - i, &total);
            else if constexpr (sizeof(T) == 8)
                i += multiply_by_blocks(a + i, dimensions[0] - i, &total);
            flags.restore();
            in_quarters = kBlocksInQuarters;
        }
        // Zero times what is finite, of which more is seen at once; infinity times what is neither zero nor NaN.
        Bits signs = std::bit_cast<Bits>(total);
        const T size = std::abs(total);
        length = std::min(kManyZeros, dimensions[0] - i);
        if (size == 0 && within(a + i, length, 0, limit - 1, &signs)) {
            total = std::bit_cast<T>(signs);
            continue;
        }
        // The smallest number of all, times what lies between 1 / 2 and 3 / 2, is rounded to itself: an underflow again.
        length = std::min(kFactors, dimensions[0] - i);
        if ((size == infinity && within(a + i, length, 1, limit, &signs)) ||
            (size == smallest && (_mm_getcsr() & _MM_EXCEPT_UNDERFLOW) && within(a + i, length, half + 1, middle - 1, &signs)))
            total = std::bit_cast<T>(signs);
        else
            multiply_in_turn(a + i, length, many, &in_quarters, &flags, &total);
    }
    *reinterpret_cast<T*>(args[0]) = total;
}

// Integers, whose products do not depend on the order either.
inline uint64_t product_of_integers(const uint64_t* a, intptr_t n) {
    uint64_t products[4] = {1, 1, 1, 1};
    intptr_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) products[k] *= a[i + k];
    for (; i < n; ++i) products[0] *= a[i];
    return (products[0] * products[1]) * (products[2] * products[3]);
}
FASTNP_AVX512 inline uint64_t product_of_integers_avx512(const uint64_t* a, intptr_t n) {
    __m512i products[4];
    for (int k = 0; k < 4; ++k) products[k] = _mm512_set1_epi64(1);
    intptr_t i = 0;
    for (; i + 32 <= n; i += 32)
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) products[k] = _mm512_mullo_epi64(products[k], _mm512_loadu_si512(a + i + 8 * k));
    alignas(64) uint64_t each[8];
    _mm512_store_si512(each, _mm512_mullo_epi64(_mm512_mullo_epi64(products[0], products[1]),
                                                _mm512_mullo_epi64(products[2], products[3])));
    return product_of_integers(each, 8) * product_of_integers(a + i, n - i);
}
inline void multiply_integers_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (!is_of_line(args, strides, 8)) return pass_on(args, dimensions, strides, data);
    const auto product = has_avx512() ? product_of_integers_avx512 : product_of_integers;
    *reinterpret_cast<uint64_t*>(args[0]) *= product(reinterpret_cast<const uint64_t*>(args[1]), dimensions[0]);
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
