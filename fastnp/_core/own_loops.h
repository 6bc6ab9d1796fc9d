// Inner loops in the stead of NumPy's where a wider vector pays: sums, signs, reciprocals, arithmetic of float16.
//
// Each gives NumPy's results to the last bit, in NumPy's order. What they do not take (other layouts) they pass on to
// NumPy's own loop, which is their `data`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "aliases.h"
#include "dtype.h"
#include "iteration.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

inline void pass_on(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const Loop* const numpys = static_cast<const Loop*>(data);
    numpys->function(args, dimensions, strides, numpys->data);
}

#ifdef FASTNP_X86

// --- sums: NumPy's pairwise order ---

inline constexpr intptr_t kLeaf = 128;

// Eight running sums of up to kLeaf values, as NumPy keeps them.
template <class T>
struct EightSums;
template <>
struct EightSums<double> {
    __m256d low, high;
    FASTNP_AVX2 inline void load(const double* a) {
        low = _mm256_loadu_pd(a);
        high = _mm256_loadu_pd(a + 4);
    }
    FASTNP_AVX2 inline void add(const double* a) {
        low = _mm256_add_pd(low, _mm256_loadu_pd(a));
        high = _mm256_add_pd(high, _mm256_loadu_pd(a + 4));
    }
    FASTNP_AVX2 inline void store(double* r) const {
        _mm256_storeu_pd(r, low);
        _mm256_storeu_pd(r + 4, high);
    }
};
template <>
struct EightSums<float> {
    __m256 all;
    FASTNP_AVX2 inline void load(const float* a) { all = _mm256_loadu_ps(a); }
    FASTNP_AVX2 inline void add(const float* a) { all = _mm256_add_ps(all, _mm256_loadu_ps(a)); }
    FASTNP_AVX2 inline void store(float* r) const { _mm256_storeu_ps(r, all); }
};

// One leaf at a time: the processor overlaps leaves by itself, and memory is read in one stream.
template <class T>
FASTNP_AVX2 inline T sum_leaf(const T* a, intptr_t n) {
    EightSums<T> lanes;
    lanes.load(a);
    intptr_t i = 8;
    for (; i < n - n % 8; i += 8) lanes.add(a + i);
    T r[8];
    lanes.store(r);
    T sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += a[i];
    return sum;
}

template <class T>
FASTNP_AVX2 T pairwise_sum(const T* a, intptr_t n) {
    if (n < 8) {
        // NumPy: from -0, so that a sum of negative zeros is one.
        T sum = static_cast<T>(-0.0);
        for (intptr_t i = 0; i < n; ++i) sum += a[i];
        return sum;
    }
    if (n <= kLeaf) return sum_leaf(a, n);
    const intptr_t half = n / 2 - n / 2 % 8;
    return pairwise_sum(a, half) + pairwise_sum(a + half, n - half);
}

// The same sum, the branches of its tree computed by several threads where they are long.
template <class T>
T pairwise_sum_in_parts(const T* a, intptr_t n) {
    if (!may_split(n)) return pairwise_sum(a, n);
    // The tree's upper levels, cut off where there are enough branches for all threads.
    constexpr int kBranches = 16;
    const T* start[kBranches] = {a};
    intptr_t counts[kBranches] = {n};
    for (int made = 1; made < kBranches; made *= 2)
        for (int branch = made - 1; branch >= 0; --branch) {
            const intptr_t count = counts[branch], half = count / 2 - count / 2 % 8;
            start[2 * branch + 1] = start[branch] + half;
            counts[2 * branch + 1] = count - half;
            start[2 * branch] = start[branch];
            counts[2 * branch] = half;
        }
    T sums[kBranches];
    split(kBranches, 1, n / kBranches, [&](int64_t begin, int64_t end) {
        for (int64_t branch = begin; branch < end; ++branch) sums[branch] = pairwise_sum(start[branch], counts[branch]);
    });
    for (int made = kBranches; made > 1; made /= 2)
        for (int branch = 0; branch < made / 2; ++branch) sums[branch] = sums[2 * branch] + sums[2 * branch + 1];
    return sums[0];
}

template <class T>
void add_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != static_cast<intptr_t>(sizeof(T))) {
        pass_on(args, dimensions, strides, data);
        return;
    }
    T* const total = reinterpret_cast<T*>(args[0]);
    *total = *total + pairwise_sum_in_parts(reinterpret_cast<const T*>(args[1]), dimensions[0]);
}

// Complex numbers: four running sums of real and imaginary parts.
template <class T>
FASTNP_AVX2 void pairwise_complex_sum(const T* a, intptr_t n, T* real, T* imaginary) {
    if (n < 8) {
        *real = *imaginary = static_cast<T>(-0.0);
        for (intptr_t i = 0; i < n; i += 2) {
            *real += a[i];
            *imaginary += a[i + 1];
        }
        return;
    }
    if (n <= kLeaf) {
        EightSums<T> lanes;
        lanes.load(a);
        intptr_t i = 8;
        for (; i < n - n % 8; i += 8) lanes.add(a + i);
        T r[8];
        lanes.store(r);
        *real = (r[0] + r[2]) + (r[4] + r[6]);
        *imaginary = (r[1] + r[3]) + (r[5] + r[7]);
        for (; i < n; i += 2) {
            *real += a[i];
            *imaginary += a[i + 1];
        }
        return;
    }
    const intptr_t half = n / 2 - n / 2 % 8;
    T other_real, other_imaginary;
    pairwise_complex_sum(a, half, real, imaginary);
    pairwise_complex_sum(a + half, n - half, &other_real, &other_imaginary);
    *real += other_real;
    *imaginary += other_imaginary;
}

template <class T>
void add_complex_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != static_cast<intptr_t>(2 * sizeof(T))) {
        pass_on(args, dimensions, strides, data);
        return;
    }
    T real, imaginary;
    pairwise_complex_sum(reinterpret_cast<const T*>(args[1]), 2 * dimensions[0], &real, &imaginary);
    T* const total = reinterpret_cast<T*>(args[0]);
    total[0] += real;
    total[1] += imaginary;
}

// --- products: one after the other, as NumPy's, until all that can change is a sign ---

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

// Multiply `total` by a kilobyte of doubles, or a quarter of floats, in lanes side by side; false where a product on the way
// might leave the normal numbers, which NumPy's order decides then.
template <class T>
inline constexpr intptr_t kFactors = sizeof(T) == 8 ? 128 : 64;
template <class T>
FASTNP_AVX2 inline bool multiply_by_lanes(const T* a, T* total) {
    constexpr intptr_t width = 32 / sizeof(T);
    // So many numbers between these, and what they are multiplied to.
    constexpr T least = sizeof(T) == 8 ? T(0x1p-4) : T(0.5), most = sizeof(T) == 8 ? T(0x1p4) : T(2);
    constexpr T lowest = sizeof(T) == 8 ? T(0x1p-500) : T(0x1p-60), highest = sizeof(T) == 8 ? T(0x1p500) : T(0x1p60);
    if (!(std::abs(*total) >= lowest && std::abs(*total) <= highest)) return false;
    const unsigned state = _mm_getcsr();
    auto p = load_vector(a), q = load_vector(a + width), r = load_vector(a + 2 * width), s = load_vector(a + 3 * width);
    auto smallest = smaller(smaller(absolute(p), absolute(q)), smaller(absolute(r), absolute(s)));
    auto largest = larger(larger(absolute(p), absolute(q)), larger(absolute(r), absolute(s)));
    for (intptr_t i = 4 * width; i < kFactors<T>; i += 4 * width) {
        const auto x = load_vector(a + i), y = load_vector(a + i + width);
        const auto z = load_vector(a + i + 2 * width), w = load_vector(a + i + 3 * width);
        const auto x_size = absolute(x), y_size = absolute(y), z_size = absolute(z), w_size = absolute(w);
        smallest = smaller(smallest, smaller(smaller(x_size, y_size), smaller(z_size, w_size)));
        largest = larger(largest, larger(larger(x_size, y_size), larger(z_size, w_size)));
        p = multiply(p, x);
        q = multiply(q, y);
        r = multiply(r, z);
        s = multiply(s, w);
    }
    const auto within = both(compare<_CMP_GE_OQ>(smallest, repeat_vector(least)), compare<_CMP_LE_OQ>(largest, repeat_vector(most)));
    if (bits_of(within) != (1u << width) - 1) {
        _mm_setcsr(state);  // NaN is invalid to the search for extrema
        return false;
    }
    T lanes[width];
    store_vector(lanes, multiply(multiply(p, q), multiply(r, s)));
    for (intptr_t step = width / 2; step > 0; step /= 2)
        for (intptr_t k = 0; k < step; ++k) lanes[k] *= lanes[k + step];
    *total *= lanes[0];
    return true;
}

// From this many numbers on, products are taken in lanes: they are rounded otherwise than one after the other.
inline constexpr intptr_t kManyFactors = 1024;

template <class T>
FASTNP_AVX2 void multiply_in_turn(const T* a, intptr_t n, bool many, T* total) {
    intptr_t i = 0;
    while (i < n) {
        const intptr_t end = std::min(i + kFactors<T>, n);
        if (many && end - i == kFactors<T> && multiply_by_lanes(a + i, total))
            i = end;
        else
            for (; i < end; ++i) *total *= a[i];
    }
}

template <class T>
void multiply_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    constexpr intptr_t kBlock = 512;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (args[0] != args[2] || strides[0] != 0 || strides[2] != 0 || strides[1] != static_cast<intptr_t>(sizeof(T)))
        return pass_on(args, dimensions, strides, data);
    Bits limit;
    std::memcpy(&limit, &infinity, sizeof(T));
    T total = *reinterpret_cast<const T*>(args[0]);
    const T* const a = reinterpret_cast<const T*>(args[1]);
    for (intptr_t i = 0; i < dimensions[0]; i += kBlock) {
        const intptr_t length = std::min(kBlock, dimensions[0] - i);
        Bits signs;
        std::memcpy(&signs, &total, sizeof(T));
        // Zero times what is finite; infinity times what is neither zero nor NaN.
        if ((total == 0 && are_within<T, Bits>(a + i, length, 0, limit - 1, &signs)) ||
            (std::abs(total) == infinity && are_within<T, Bits>(a + i, length, 1, limit, &signs)))
            std::memcpy(&total, &signs, sizeof(T));
        else
            multiply_in_turn(a + i, length, dimensions[0] >= kManyFactors, &total);
    }
    *reinterpret_cast<T*>(args[0]) = total;
}

// --- truths, one of the operands repeated ---

template <bool AND>
FASTNP_AVX2 void truth_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == 1 ? 0 : strides[0] == 1 && strides[1] == 0 ? 1 : -1;
    if (repeated < 0 || strides[2] != 1 || n < 8) return pass_on(args, dimensions, strides, data);
    const uint8_t* const in = reinterpret_cast<const uint8_t*>(args[1 - repeated]);
    uint8_t* const out = reinterpret_cast<uint8_t*>(args[2]);
    const char* const one = args[repeated];
    if ((one >= args[2] && one < args[2] + n) || (in > out - n && in < out + n && in != out))
        return pass_on(args, dimensions, strides, data);
    if ((*one != 0) == AND)
        for (intptr_t i = 0; i < n; ++i) out[i] = in[i] != 0;
    else
        std::memset(out, !AND, n);
}

// --- one of two operands repeated, where NumPy's loop is vectorised for two that lie side by side alone ---

template <class T>
void spread_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), kBlock = 512;
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == item ? 0 : strides[0] == item && strides[1] == 0 ? 1 : -1;
    // What is written may be what is repeated: then it counts from there on.
    const bool writes_it = repeated >= 0 && args[repeated] >= args[2] && args[repeated] < args[2] + n * item;
    if (repeated < 0 || strides[2] != item || n < 16 || writes_it) return pass_on(args, dimensions, strides, data);
    alignas(64) char room[kBlock * item + kPage];
    T* const block =
        reinterpret_cast<T*>(place_in_page(room, [&](const char* place) { return !looks_like_written(place, args[2]); }));
    std::fill_n(block, std::min(n, kBlock), *reinterpret_cast<const T*>(args[repeated]));
    const intptr_t steps[] = {item, item, item};
    for (intptr_t begin = 0; begin < n; begin += kBlock) {
        char* part[] = {args[0] + begin * item, args[1] + begin * item, args[2] + begin * item};
        part[repeated] = reinterpret_cast<char*>(block);
        const intptr_t length = std::min(kBlock, n - begin);
        pass_on(part, &length, steps, data);
    }
}

// --- extrema of integers ---

template <bool LARGEST, class T>
[[gnu::always_inline]] inline T extremum_of(T a, T b) {
    return LARGEST ? (a > b ? a : b) : (a < b ? a : b);
}
template <bool LARGEST, class T>
[[gnu::always_inline]] inline void write_extrema(const T* a, const T* b, T* out, intptr_t n) {
#pragma GCC ivdep
    for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of<LARGEST>(a[i], b[i]);
}
template <bool LARGEST, class T>
[[gnu::always_inline]] inline void write_extrema_with(const T* a, T one, T* out, intptr_t n) {
#pragma GCC ivdep
    for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of<LARGEST>(a[i], one);
}
template <bool LARGEST, class T>
FASTNP_AVX512 void write_extrema_avx512(const T* a, const T* b, T* out, intptr_t n, bool repeated) {
    repeated ? write_extrema_with<LARGEST, T>(a, *b, out, n) : write_extrema<LARGEST>(a, b, out, n);
}
template <bool LARGEST, class T>
FASTNP_AVX2 void write_extrema_avx2(const T* a, const T* b, T* out, intptr_t n, bool repeated) {
    repeated ? write_extrema_with<LARGEST, T>(a, *b, out, n) : write_extrema<LARGEST>(a, b, out, n);
}
template <bool LARGEST, class T>
void extrema_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == item ? 0 : strides[0] == item && strides[1] == 0 ? 1 : -1;
    const auto apart = [&](int k) {
        return (k != repeated && args[k] == args[2]) || args[k] + (k == repeated ? item : n * item) <= args[2] ||
               args[2] + n * item <= args[k];
    };
    if ((repeated < 0 && (strides[0] != item || strides[1] != item)) || strides[2] != item || n < 8 || !apart(0) || !apart(1))
        return pass_on(args, dimensions, strides, data);
    const T* const a = reinterpret_cast<const T*>(args[repeated == 0 ? 1 : 0]);
    const T* const b = reinterpret_cast<const T*>(args[repeated == 0 ? 0 : 1]);
    T* const out = reinterpret_cast<T*>(args[2]);
    // Bytes fill vectors of 64 seldom: lines of 100 are done sooner by those of 32.
    if (item > 1 && has_avx512())
        write_extrema_avx512<LARGEST>(a, b, out, n, repeated >= 0);
    else
        write_extrema_avx2<LARGEST>(a, b, out, n, repeated >= 0);
}
template <bool LARGEST>
LoopFunction find_extrema_loop(int dtype) {
    switch (dtype) {
        case INT8: return extrema_loop<LARGEST, int8_t>;
        case UINT8: return extrema_loop<LARGEST, uint8_t>;
        case INT16: return extrema_loop<LARGEST, int16_t>;
        case UINT16: return extrema_loop<LARGEST, uint16_t>;
        case INT32: return extrema_loop<LARGEST, int32_t>;
        case UINT32: return extrema_loop<LARGEST, uint32_t>;
        case INT64: return extrema_loop<LARGEST, int64_t>;
        case UINT64: return extrema_loop<LARGEST, uint64_t>;
        default: return nullptr;
    }
}

// --- truths of two numbers ---

enum class Truths { kAnd, kOr, kXor };

template <Truths HOW, class T>
[[gnu::always_inline]] inline void write_truths(const T* a, const T* b, uint8_t* out, intptr_t n) {
    for (intptr_t i = 0; i < n; ++i) {
        const uint8_t first = a[i] != 0, second = b[i] != 0;
        out[i] = HOW == Truths::kAnd ? first & second : HOW == Truths::kOr ? first | second : first ^ second;
    }
}
template <Truths HOW, class T>
FASTNP_AVX512 void write_truths_avx512(const T* a, const T* b, uint8_t* out, intptr_t n) {
    write_truths<HOW>(a, b, out, n);
}
template <Truths HOW, class T>
FASTNP_AVX2 void write_truths_avx2(const T* a, const T* b, uint8_t* out, intptr_t n) {
    write_truths<HOW>(a, b, out, n);
}
// Truths of numbers, or where `same` is not, falsehoods.
template <class T>
[[gnu::always_inline]] inline void write_truth(const T* in, uint8_t* out, intptr_t n, bool same) {
    const uint8_t other = !same;
    for (intptr_t i = 0; i < n; ++i) out[i] = static_cast<uint8_t>(in[i] != 0) ^ other;
}
template <class T>
FASTNP_AVX512 void write_truth_avx512(const T* in, uint8_t* out, intptr_t n, bool same) {
    write_truth(in, out, n, same);
}
template <class T>
FASTNP_AVX2 void write_truth_avx2(const T* in, uint8_t* out, intptr_t n, bool same) {
    write_truth(in, out, n, same);
}
template <Truths HOW, class T>
void truths_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == item ? 0 : strides[0] == item && strides[1] == 0 ? 1 : -1;
    const auto apart = [&](int k) {
        return args[k] + (k == repeated ? item : n * item) <= args[2] || args[2] + n <= args[k];
    };
    if ((repeated < 0 && (strides[0] != item || strides[1] != item)) || strides[2] != 1 || n < 16 || !apart(0) || !apart(1))
        return pass_on(args, dimensions, strides, data);
    uint8_t* const out = reinterpret_cast<uint8_t*>(args[2]);
    if (repeated >= 0) {
        const T* const in = reinterpret_cast<const T*>(args[1 - repeated]);
        const bool one = *reinterpret_cast<const T*>(args[repeated]) != 0;
        if (HOW != Truths::kXor && one == (HOW == Truths::kOr)) return void(std::memset(out, one, n));
        const bool same = HOW != Truths::kXor || !one;
        return has_avx512() ? write_truth_avx512(in, out, n, same) : write_truth_avx2(in, out, n, same);
    }
    const T *const a = reinterpret_cast<const T*>(args[0]), *const b = reinterpret_cast<const T*>(args[1]);
    if (has_avx512())
        write_truths_avx512<HOW>(a, b, out, n);
    else
        write_truths_avx2<HOW>(a, b, out, n);
}
template <Truths HOW>
LoopFunction find_truths(int dtype) {
    switch (dtype) {
        case BOOL: case INT8: case UINT8: return truths_loop<HOW, uint8_t>;
        case INT16: case UINT16: return truths_loop<HOW, uint16_t>;
        case INT32: case UINT32: return truths_loop<HOW, uint32_t>;
        case INT64: case UINT64: return truths_loop<HOW, uint64_t>;
        case FLOAT32: return truths_loop<HOW, float>;
        case FLOAT64: return truths_loop<HOW, double>;
        default: return nullptr;
    }
}

template <class T>
[[gnu::always_inline]] inline void write_falsehood(const T* in, uint8_t* out, intptr_t n) {
    for (intptr_t i = 0; i < n; ++i) out[i] = in[i] == 0;
}
template <class T>
FASTNP_AVX512 inline void write_falsehood_avx512(const T* in, uint8_t* out, intptr_t n) {
    write_falsehood(in, out, n);
}
template <class T>
FASTNP_AVX2 inline void write_falsehood_avx2(const T* in, uint8_t* out, intptr_t n) {
    write_falsehood(in, out, n);
}
template <class T>
void not_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0], bytes = n * sizeof(T);
    if (strides[0] != sizeof(T) || strides[1] != 1 || (args[0] < args[1] + n && args[1] < args[0] + bytes))
        return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(args[0]);
    uint8_t* const out = reinterpret_cast<uint8_t*>(args[1]);
    if (has_avx512())
        write_falsehood_avx512(in, out, n);
    else
        write_falsehood_avx2(in, out, n);
}

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

// --- quotients of integers ---

template <class T>
FASTNP_AVX512 void write_quotients_avx512(const T* __restrict a, bool first, const T* __restrict b, bool second, double* __restrict out,
                                          intptr_t n) {
    if (first) {
        const double one = static_cast<double>(*a);
        for (intptr_t i = 0; i < n; ++i) out[i] = one / static_cast<double>(b[i]);
    } else if (second) {
        const double one = static_cast<double>(*b);
        for (intptr_t i = 0; i < n; ++i) out[i] = static_cast<double>(a[i]) / one;
    } else {
        for (intptr_t i = 0; i < n; ++i) out[i] = static_cast<double>(a[i]) / static_cast<double>(b[i]);
    }
}

template <class T>
FASTNP_AVX2 void write_quotients_avx2(const T* a, bool first, const T* b, bool second, double* out, intptr_t n) {
    const double one = static_cast<double>(*a), other = static_cast<double>(*b);
    intptr_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m256d x = first ? repeat_vector(one) : load_doubles(a + i);
        const __m256d y = second ? repeat_vector(other) : load_doubles(b + i);
        store_vector(out + i, divide(x, y));
    }
    for (; i < n; ++i) out[i] = (first ? one : static_cast<double>(a[i])) / (second ? other : static_cast<double>(b[i]));
}

template <class T>
void quotient_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0], bytes = 8 * n;
    const bool first = strides[0] == 0, second = strides[1] == 0;
    const auto apart = [&](const char* in, bool repeated) {
        return in + (repeated ? item : n * item) <= args[2] || args[2] + bytes <= in;
    };
    if ((first && second) || (strides[0] != item && !first) || (strides[1] != item && !second) || strides[2] != 8 || n < 8 ||
        !apart(args[0], first) || !apart(args[1], second))
        return pass_on(args, dimensions, strides, data);
    const auto write = has_avx512() ? write_quotients_avx512<T> : write_quotients_avx2<T>;
    write(reinterpret_cast<const T*>(args[0]), first, reinterpret_cast<const T*>(args[1]), second, reinterpret_cast<double*>(args[2]), n);
}

// --- one operand ---

struct Sign {
    FASTNP_AVX2 static inline __m256d apply(__m256d x) {
        const __m256d zero = _mm256_setzero_pd();
        const __m256d above = _mm256_and_pd(_mm256_cmp_pd(x, zero, _CMP_GT_OQ), _mm256_set1_pd(1.0));
        const __m256d below = _mm256_and_pd(_mm256_cmp_pd(x, zero, _CMP_LT_OQ), _mm256_set1_pd(-1.0));
        return _mm256_blendv_pd(_mm256_or_pd(above, below), x, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    }
    FASTNP_AVX2 static inline __m256 apply(__m256 x) {
        const __m256 zero = _mm256_setzero_ps();
        const __m256 above = _mm256_and_ps(_mm256_cmp_ps(x, zero, _CMP_GT_OQ), _mm256_set1_ps(1.0f));
        const __m256 below = _mm256_and_ps(_mm256_cmp_ps(x, zero, _CMP_LT_OQ), _mm256_set1_ps(-1.0f));
        return _mm256_blendv_ps(_mm256_or_ps(above, below), x, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    }
};
// NumPy's factors, which are quotients of the dtype.
template <bool DEGREES>
struct Angle {
    FASTNP_AVX2 static inline __m256d apply(__m256d x) {
        constexpr double pi = 3.141592653589793238462643383279502884;
        return _mm256_mul_pd(x, _mm256_set1_pd(DEGREES ? 180.0 / pi : pi / 180.0));
    }
    FASTNP_AVX2 static inline __m256 apply(__m256 x) {
        constexpr float pi = 3.141592653589793238462643383279502884F;
        return _mm256_mul_ps(x, _mm256_set1_ps(DEGREES ? 180.0F / pi : pi / 180.0F));
    }
};
struct Reciprocal {
    FASTNP_AVX2 static inline __m256d apply(__m256d x) { return _mm256_div_pd(_mm256_set1_pd(1.0), x); }
    FASTNP_AVX2 static inline __m256 apply(__m256 x) { return _mm256_div_ps(_mm256_set1_ps(1.0f), x); }
};

template <class Operation, class T>
FASTNP_AVX2 void unary_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    const bool apart = args[1] <= args[0] || args[1] >= args[0] + n * item;
    if (n < width || strides[0] != item || strides[1] != item || !apart) {
        pass_on(args, dimensions, strides, data);
        return;
    }
    const T* const in = reinterpret_cast<const T*>(args[0]);
    T* const out = reinterpret_cast<T*>(args[1]);
    intptr_t i = 0;
    for (; i + width <= n; i += width) store_vector(out + i, Operation::apply(load_vector(in + i)));
    if (i == n) return;
    // Ones in the lanes that are no elements: they raise no flag.
    T last[width];
    for (intptr_t k = 0; k < width; ++k) last[k] = i + k < n ? in[i + k] : T(1);
    store_vector(last, Operation::apply(load_vector(last)));
    std::memcpy(out + i, last, (n - i) * item);
}

// --- float16, in float32 ---

struct AddHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
};
struct SubtractHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
};
struct MultiplyHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
};
struct DivideHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
};

FASTNP_AVX2 inline __m256 load_halves(const uint16_t* a, bool repeated) {
    return _mm256_cvtph_ps(repeated ? _mm_set1_epi16(static_cast<short>(*a))
                                    : _mm_loadu_si128(reinterpret_cast<const __m128i*>(a)));
}

struct FloorOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_floor_ps(a); }
};
struct CeilOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_ceil_ps(a); }
};
struct RintOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
};
struct RootOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_sqrt_ps(a); }
};
struct SquareOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_mul_ps(a, a); }
};

template <class Operation>
FASTNP_AVX2 void half_unary_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    if (n < 8 || strides[0] != 2 || strides[1] != 2 || (args[1] > args[0] && args[1] < args[0] + 2 * n))
        return pass_on(args, dimensions, strides, data);
    const uint16_t* const in = reinterpret_cast<const uint16_t*>(args[0]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[1]);
    // The last elements, filled up with one of them.
    uint16_t last[8];
    const intptr_t whole = n - n % 8;
    for (intptr_t k = 0; k < 8; ++k) last[k] = in[whole + k < n ? whole + k : n - 1];
    for (intptr_t i = 0; i < whole; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                         _mm256_cvtps_ph(Operation::apply(load_halves(in + i, false)), _MM_FROUND_TO_NEAREST_INT));
    if (whole == n) return;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(last),
                     _mm256_cvtps_ph(Operation::apply(load_halves(last, false)), _MM_FROUND_TO_NEAREST_INT));
    std::memcpy(out + whole, last, 2 * (n - whole));
}

template <class Operation>
FASTNP_AVX2 void half_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const bool first_repeated = strides[0] == 0, second_repeated = strides[1] == 0;
    const auto apart = [&](const char* in, bool repeated) {
        return repeated ? in < args[2] || in >= args[2] + 2 * n : args[2] <= in || args[2] >= in + 2 * n;
    };
    if (n < 8 || (strides[0] != 2 && !first_repeated) || (strides[1] != 2 && !second_repeated) || strides[2] != 2 ||
        !apart(args[0], first_repeated) || !apart(args[1], second_repeated)) {
        pass_on(args, dimensions, strides, data);
        return;
    }
    const uint16_t* const a = reinterpret_cast<const uint16_t*>(args[0]);
    const uint16_t* const b = reinterpret_cast<const uint16_t*>(args[1]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[2]);
    intptr_t i = 0;
    uint16_t tail[8];
    const intptr_t whole = n - n % 8;
    // The last elements, filled up with one of them, which raises no flag that it does not raise itself.
    if (whole < n) {
        uint16_t first[8], second[8];
        for (intptr_t k = 0; k < 8; ++k) {
            const intptr_t at = whole + k < n ? whole + k : whole;
            first[k] = a[first_repeated ? 0 : at];
            second[k] = b[second_repeated ? 0 : at];
        }
        const __m256 value = Operation::apply(load_halves(first, false), load_halves(second, false));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(tail), _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    }
    for (; i < whole; i += 8) {
        const __m256 value = Operation::apply(load_halves(first_repeated ? a : a + i, first_repeated),
                                              load_halves(second_repeated ? b : b + i, second_repeated));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    }
    if (whole < n) std::memcpy(out + whole, tail, 2 * (n - whole));
}

#endif

// Put a loop of our own in the place of NumPy's for a ufunc, by name and the dtypes of the loop; it is kept for ever.
inline void replace_by_own(const char* name, int first, int result, bool reduces, Loop* loop) {
#ifdef FASTNP_X86
    if (!has_avx2()) return;
    LoopFunction own = nullptr;
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (reduces) {
        if (is("add") && first == result)
            own = result == FLOAT64      ? add_loop<double>
                  : result == FLOAT32    ? add_loop<float>
                  : result == COMPLEX128 ? add_complex_loop<double>
                  : result == COMPLEX64  ? add_complex_loop<float>
                                         : nullptr;
        if (is("multiply") && first == result)
            own = result == FLOAT64 ? multiply_loop<double> : result == FLOAT32 ? multiply_loop<float> : nullptr;
    } else if (is("logical_not")) {
        own = first == FLOAT64   ? not_loop<double>
              : first == FLOAT32 ? not_loop<float>
              : first == INT64   ? not_loop<int64_t>
                                 : nullptr;
    } else if (is("logical_and") && first != BOOL) {
        own = find_truths<Truths::kAnd>(first);
    } else if (is("logical_or") && first != BOOL) {
        own = find_truths<Truths::kOr>(first);
    } else if (is("logical_xor")) {
        own = find_truths<Truths::kXor>(first);
    } else if (is("negative") && first >= COMPLEX64) {
        own = first == COMPLEX128 ? negative_complex_loop<double> : negative_complex_loop<float>;
    } else if (first == BOOL && result == BOOL) {
        own = is("logical_and") || is("bitwise_and") || is("multiply") || is("minimum") ? truth_loop<true>
              : is("logical_or") || is("bitwise_or") || is("add") || is("maximum")      ? truth_loop<false>
                                                                                        : nullptr;
    } else if (is("divide") && result == FLOAT64 && first != FLOAT64) {
        own = first == INT64   ? quotient_loop<int64_t>
              : first == INT32 ? quotient_loop<int32_t>
              : first == UINT8 ? quotient_loop<uint8_t>
                               : nullptr;
    } else if (first <= UINT64 && (is("maximum") || is("minimum") || is("fmax") || is("fmin"))) {
        own = is("maximum") || is("fmax") ? find_extrema_loop<true>(first) : find_extrema_loop<false>(first);
    } else if (first == FLOAT64 || first == FLOAT32) {
        if (is("sign")) own = first == FLOAT64 ? unary_loop<Sign, double> : unary_loop<Sign, float>;
        if (is("deg2rad") || is("radians")) own = first == FLOAT64 ? unary_loop<Angle<false>, double> : unary_loop<Angle<false>, float>;
        if (is("rad2deg") || is("degrees")) own = first == FLOAT64 ? unary_loop<Angle<true>, double> : unary_loop<Angle<true>, float>;
        if (is("maximum") || is("minimum") || is("fmax") || is("fmin") || (has_avx512() && (is("power") || is("arctan2"))))
            own = first == FLOAT64 ? spread_loop<double> : spread_loop<float>;
        if (is("reciprocal")) own = first == FLOAT64 ? unary_loop<Reciprocal, double> : unary_loop<Reciprocal, float>;
    } else if (first == FLOAT16 && result == FLOAT16) {
        own = is("add") ? half_loop<AddHalves> : is("subtract") ? half_loop<SubtractHalves>
            : is("multiply") ? half_loop<MultiplyHalves> : is("divide") ? half_loop<DivideHalves>
            : is("floor") ? half_unary_loop<FloorOfHalves> : is("ceil") ? half_unary_loop<CeilOfHalves>
            : is("rint") ? half_unary_loop<RintOfHalves> : is("sqrt") ? half_unary_loop<RootOfHalves>
            : is("square") ? half_unary_loop<SquareOfHalves> : nullptr;
    }
    if (own == nullptr) return;
    *loop = Loop{own, new Loop(*loop)};
#endif
}

}  // namespace fastnp
