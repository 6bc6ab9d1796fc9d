// Inner loops in the stead of NumPy's where a wider vector pays: truths, signs, reciprocals, and which loop stands for which.
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
#include "complex_loops.h"
#include "dtype.h"
#include "extremum_loops.h"
#include "factors.h"
#include "folding.h"
#include "half_bits.h"
#include "half_loops.h"
#include "integer_powers.h"
#include "integer_quotients.h"
#include "moves.h"
#include "narrow_quotients.h"
#include "newton.h"
#include "reducing_loops.h"
#include "simple_powers.h"
#include "spread_loops.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

// Whether two lines, or one and a number, can be read by vectors while as long a line is written.
template <class T>
bool are_lines(char** args, const intptr_t* strides, intptr_t n) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const bool repeated = strides[1] == 0;
    return n >= width && strides[0] == item && (strides[1] == item || repeated) && strides[2] == item &&
           is_readable(args[0], false, args[2], n * item) && is_readable(args[1], repeated, args[2], n * item);
}

// --- truths ---

inline constexpr intptr_t kTruthsFrom = 1 << 15;
// On AMD's processors 0.7 of the time of NumPy's loop where the third cache holds them, eight vectors being read before one is
// written; four take its time on Intel's, where eight take 1.15.
template <bool AND, int kVectors>
FASTNP_AVX2 inline void write_truths_by(const uint8_t* a, const uint8_t* b, uint8_t* out, intptr_t n) {
    constexpr intptr_t width = 32;
    const __m256i one = _mm256_set1_epi8(1);
    const auto truth = [=](const uint8_t* at) FASTNP_AVX2 { return _mm256_min_epu8(load_bytes(at), one); };
    intptr_t i = 0;
    for (; i + kVectors * width <= n; i += kVectors * width) {
        __m256i both[kVectors];
#pragma GCC unroll 8
        for (int k = 0; k < kVectors; ++k) {
            const __m256i first = truth(a + i + k * width), second = truth(b + i + k * width);
            both[k] = AND ? _mm256_and_si256(first, second) : _mm256_or_si256(first, second);
        }
#pragma GCC unroll 8
        for (int k = 0; k < kVectors; ++k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i + k * width), both[k]);
    }
    for (; i < n; ++i) out[i] = AND ? (a[i] != 0) & (b[i] != 0) : (a[i] != 0) | (b[i] != 0);
}

template <bool AND>
inline void write_truths_of_two(const uint8_t* a, const uint8_t* b, uint8_t* out, intptr_t n) {
    (is_by_amd() ? write_truths_by<AND, 8> : write_truths_by<AND, 4>)(a, b, out, n);
}

template <bool AND>
FASTNP_AVX2 void truth_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == 1 ? 0 : strides[0] == 1 && strides[1] == 0 ? 1 : -1;
    if (n >= kTruthsFrom && strides[0] == 1 && strides[1] == 1 && strides[2] == 1 && is_apart(args[0], 1, 1, args[2], n) &&
        is_apart(args[1], 1, 1, args[2], n))
        return write_truths_of_two<AND>(reinterpret_cast<const uint8_t*>(args[0]), reinterpret_cast<const uint8_t*>(args[1]),
                                        reinterpret_cast<uint8_t*>(args[2]), n);
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
// Whether they are finite, infinite or NaN is the same of all integers, which are not read.
template <bool TRUTH>
void same_truth_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void*) {
    const intptr_t n = dimensions[0];
    if (strides[1] == 1) return void(std::memset(args[1], TRUTH, n));
    for (intptr_t i = 0; i < n; ++i) args[1][i * strides[1]] = TRUTH;
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
    if constexpr (std::is_same_v<T, uint8_t> && HOW != Truths::kXor)
        if (n >= kTruthsFrom) return write_truths_of_two<HOW == Truths::kAnd>(a, b, out, n);
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
        case FLOAT16: return truths_loop<HOW, HalfTruth>;
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

// --- quotients of integers, which NumPy casts to doubles in a pass of its own ---

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
void quotient_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void*) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0], bytes = 8 * n;
    const bool first = strides[0] == 0, second = strides[1] == 0;
    const auto apart = [&](const char* in, bool repeated) {
        return in + (repeated ? item : n * item) <= args[2] || args[2] + bytes <= in;
    };
    const auto write = n >= kVectorFrom && has_avx512() ? newton::write_quotients<T> : write_quotients_avx2<T>;
    if ((strides[0] == item || first) && (strides[1] == item || second) && strides[2] == 8 && apart(args[0], first) &&
        apart(args[1], second)) {
        return write(reinterpret_cast<const T*>(args[0]), first, reinterpret_cast<const T*>(args[1]), second,
                     reinterpret_cast<double*>(args[2]), n);
    }
    // Elements that lie apart are brought side by side first: a vector divides four in the time of one.
    constexpr intptr_t kBlock = 128;
    T block[2][kBlock];
    double quotients[kBlock];
    for (intptr_t begin = 0; begin < n; begin += kBlock) {
        const intptr_t length = std::min(kBlock, n - begin);
        const T* in[2];
        for (int k = 0; k < 2; ++k) {
            const char* const from = args[k] + begin * strides[k];
            in[k] = strides[k] == 0 || strides[k] == item ? reinterpret_cast<const T*>(from) : block[k];
            if (in[k] == block[k]) move_strided(item, reinterpret_cast<char*>(block[k]), item, from, strides[k], length);
        }
        write(in[0], first, in[1], second, quotients, length);
        move_strided(8, args[2] + begin * strides[2], strides[2], reinterpret_cast<const char*>(quotients), 8, length);
    }
}

// --- bytes shifted by one number, where NumPy's loop goes byte by byte ---

template <bool LEFT, class T>
FASTNP_AVX2 void shift_bytes_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    if (n < 16 || strides[0] != 1 || strides[1] != 0 || strides[2] != 1 || !is_readable(args[0], false, args[2], n) ||
        !is_readable(args[1], true, args[2], n))
        return pass_on(args, dimensions, strides, data);
    const uint8_t count = *reinterpret_cast<const uint8_t*>(args[1]);
    // NumPy: what is shifted by its width or more leaves nothing, or its sign. A negative count is a large one.
    if (count >= 8) return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(args[0]);
    T* const out = reinterpret_cast<T*>(args[2]);
    // By words, of which the bits that came from the other byte are left out; the sign goes where it was shifted to.
    const __m128i by = _mm_cvtsi32_si128(count);
    const __m256i kept = _mm256_set1_epi8(static_cast<char>(LEFT ? 0xff << count : 0xff >> count));
    const __m256i sign = _mm256_set1_epi8(static_cast<char>(0x80 >> count));
    intptr_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
        __m256i shifted = _mm256_and_si256(LEFT ? _mm256_sll_epi16(bytes, by) : _mm256_srl_epi16(bytes, by), kept);
        if constexpr (!LEFT && std::is_signed_v<T>) shifted = _mm256_sub_epi8(_mm256_xor_si256(shifted, sign), sign);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), shifted);
    }
    for (; i < n; ++i) out[i] = static_cast<T>(LEFT ? in[i] << count : in[i] >> count);
}

// --- quotients of integers, and what they leave ---

template <bool REST>
LoopFunction find_integer_part_loop(int dtype) {
    switch (dtype) {
        case INT8: return narrow_part_loop<REST, int8_t>;
        case UINT8: return narrow_part_loop<REST, uint8_t>;
        case INT16: return narrow_part_loop<REST, int16_t>;
        case INT32: return has_avx512() ? integer_part_loop<REST, int32_t> : nullptr;
        case INT64: return has_avx512() ? integer_part_loop<REST, int64_t> : nullptr;
        default: return nullptr;
    }
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
template <int HOW>
struct Whole {
    template <class V>
    FASTNP_AVX2 static inline V apply(V x) { return rounded<HOW>(x); }
};
using Floor = Whole<_MM_FROUND_TO_NEG_INF>;
using Ceiling = Whole<_MM_FROUND_TO_POS_INF>;
using Truncated = Whole<_MM_FROUND_TO_ZERO>;
struct Magnitude {
    template <class V>
    FASTNP_AVX2 static inline V apply(V x) { return absolute(x); }
};
template <class Operation, class T>
void unary_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (!compute_each<Operation, T>(args[0], strides[0], args[1], strides[1], dimensions[0])) pass_on(args, dimensions, strides, data);
}

// The same by Newton's steps, wherever the numbers lie.
template <class T, void (*LINE)(const T*, T*, intptr_t)>
void stepped_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const auto compute = n < kVectorFrom ? compute_line<T, LINE> : compute_anywhere<T, LINE>;
    if (!compute(args[0], strides[0], args[1], strides[1], n)) pass_on(args, dimensions, strides, data);
}
inline void divide_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(double);
    const intptr_t n = dimensions[0];
    const bool first = strides[0] == 0, second = strides[1] == 0;
    if (n < kVectorFrom || (strides[0] != item && !first) || (strides[1] != item && !second) || strides[2] != item ||
        !is_readable(args[0], first, args[2], n * item) || !is_readable(args[1], second, args[2], n * item))
        return pass_on(args, dimensions, strides, data);
    newton::write_quotients(reinterpret_cast<const double*>(args[0]), first, reinterpret_cast<const double*>(args[1]), second,
                            reinterpret_cast<double*>(args[2]), n);
}

// NumPy's loop for powers that are not simple, which is vectorised for two operands that lie side by side.
template <class T>
void spread_power_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (!simple_power<T, true>(args, dimensions, strides, data)) spread_loop<T>(args, dimensions, strides, data);
}

// --- numbers with the signs of others, or of one ---

template <class T>
FASTNP_AVX2 void copysign_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t width = 32 / sizeof(T);
    const intptr_t n = dimensions[0];
    const bool repeated = strides[1] == 0;
    if (!are_lines<T>(args, strides, n)) return pass_on(args, dimensions, strides, data);
    const T* const a = reinterpret_cast<const T*>(args[0]);
    const T* const b = reinterpret_cast<const T*>(args[1]);
    T* const out = reinterpret_cast<T*>(args[2]);
    const auto one_sign = zero_like(repeat_vector(*b));
    const auto with_sign = [=](intptr_t i) FASTNP_AVX2 {
        return differ(absolute(load_vector(a + i)), repeated ? one_sign : zero_like(load_vector(b + i)));
    };
    intptr_t i = 0;
    for (; i + width <= n; i += width) store_vector(out + i, with_sign(i));
    for (; i < n; ++i) out[i] = std::copysign(a[i], b[repeated ? 0 : i]);
}

// --- the next number ---

FASTNP_AVX2 inline __m256d step_by_one(__m256d x, __m256d up) {
    const __m256i one = _mm256_or_si256(_mm256_xor_si256(_mm256_castpd_si256(up), _mm256_set1_epi64x(-1)), _mm256_set1_epi64x(1));
    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(x), one));
}
FASTNP_AVX2 inline __m256 step_by_one(__m256 x, __m256 up) {
    const __m256i one = _mm256_or_si256(_mm256_xor_si256(_mm256_castps_si256(up), _mm256_set1_epi32(-1)), _mm256_set1_epi32(1));
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x), one));
}
FASTNP_AVX2 inline __m256d is_below_zero(__m256d x) {
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setzero_si256(), _mm256_castpd_si256(x)));
}
FASTNP_AVX2 inline __m256 is_below_zero(__m256 x) {
    return _mm256_castsi256_ps(_mm256_srai_epi32(_mm256_castps_si256(x), 31));
}

// The bits of a number, one more or less: those of its neighbour, as long as both are normal. With others flags may be raised.
template <class T>
FASTNP_AVX2 void next_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    const bool repeated = strides[1] == 0;
    if (!are_lines<T>(args, strides, n)) return pass_on(args, dimensions, strides, data);
    const auto least = repeat_vector(std::numeric_limits<T>::min()), most = repeat_vector(std::numeric_limits<T>::max());
    const auto pass_some = [&](intptr_t i, intptr_t count) {
        char* some[] = {args[0] + i * item, args[1] + i * strides[1], args[2] + i * item};
        pass_on(some, &count, strides, data);
    };
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const T* const towards = reinterpret_cast<const T*>(args[1] + i * strides[1]);
        const auto x = load_vector(reinterpret_cast<const T*>(args[0]) + i), y = repeated ? repeat_vector(*towards) : load_vector(towards);
        const auto next = step_by_one(x, differ(compare<_CMP_LT_OQ>(x, y), is_below_zero(x)));
        const auto same = compare<_CMP_EQ_OQ>(x, y), size = absolute(x), other = compare<_CMP_ORD_Q>(x, y);
        const auto normal = both(other, both(compare<_CMP_GT_OQ>(size, least), compare<_CMP_LT_OQ>(size, most)));
        if (bits_of(either(same, normal)) == (1u << width) - 1)
            store_vector(reinterpret_cast<T*>(args[2]) + i, choose(same, y, next));
        else
            pass_some(i, width);
    }
    if (i < n) pass_some(i, n - i);
}

#endif

// Put a loop of our own in the place of NumPy's for a ufunc, by name and the dtypes of the loop; it is kept for ever.
inline void replace_by_own(const char* name, int first, int result, bool reduces, Loop* loop) {
#ifdef FASTNP_X86
    if (!has_avx2()) return;
    LoopFunction own = nullptr, lines = nullptr;
    const auto fold = reduces && first == result ? find_fold(name, first) : nullptr;
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (reduces) {
        if (is("add") && first == result)
            own = result == FLOAT64      ? add_loop<double>
                  : result == FLOAT32    ? add_loop<float>
                  : result == COMPLEX128 ? add_loop<double, ComplexElements<double>>
                  : result == COMPLEX64  ? add_loop<float, ComplexElements<float>>
                  : result == FLOAT16    ? add_halves_loop
                  : result == INT64 || result == UINT64 ? add_integers_loop
                                         : nullptr;
        if (is("multiply") && first == result)
            own = result == FLOAT64      ? multiply_loop<double>
                  : result == FLOAT32    ? multiply_loop<float>
                  : result == COMPLEX128 ? multiply_complex_loop<double>
                  : result == COMPLEX64  ? multiply_complex_loop<float>
                  : result == INT64 || result == UINT64 ? multiply_integers_loop
                                         : nullptr;
        if (first == FLOAT16 && result == FLOAT16 && !is("add")) own = find_loop_of_half_bits(name, false);
        if (first == result && is("maximum")) find_extremum_loops<true>(first, &own, &lines);
        if (first == result && is("minimum")) find_extremum_loops<false>(first, &own, &lines);
    } else if (is("logical_not")) {
        own = first == FLOAT64      ? not_loop<double>
              : first == FLOAT32    ? not_loop<float>
              : first == FLOAT16    ? not_loop<HalfTruth>
              : first == INT64      ? not_loop<int64_t>
              : first == BOOL       ? not_loop<uint8_t>
              : first == COMPLEX128 ? not_complex_loop<double>
              : first == COMPLEX64  ? not_complex_loop<float>
                                    : nullptr;
    } else if (is("logical_and") && first != BOOL) {
        own = find_truths<Truths::kAnd>(first);
    } else if (is("logical_or") && first != BOOL) {
        own = find_truths<Truths::kOr>(first);
    } else if (is("logical_xor")) {
        own = find_truths<Truths::kXor>(first);
    } else if ((is("power") || is("float_power")) && first >= COMPLEX64) {
        own = first == COMPLEX128 ? complex_power_loop<double> : complex_power_loop<float>;
    } else if (is("divide") && first >= COMPLEX64) {
        own = first == COMPLEX128 ? divide_complex_loop<double> : divide_complex_loop<float>;
    } else if (is("reciprocal") && first >= COMPLEX64) {
        own = first == COMPLEX128 ? reciprocal_complex_loop<double> : reciprocal_complex_loop<float>;
    } else if (is("negative") && first >= COMPLEX64) {
        own = first == COMPLEX128 ? negative_complex_loop<double> : negative_complex_loop<float>;
    } else if (first <= UINT64 && (is("isfinite") || is("isnan") || is("isinf"))) {
        own = is("isfinite") ? same_truth_loop<true> : same_truth_loop<false>;
    } else if (first == BOOL && result == BOOL) {
        own = is("invert")                                                             ? not_loop<uint8_t>
              : is("logical_and") || is("bitwise_and") || is("multiply") || is("minimum") ? truth_loop<true>
              : is("logical_or") || is("bitwise_or") || is("add") || is("maximum")      ? truth_loop<false>
                                                                                        : nullptr;
    } else if ((first == INT8 || first == UINT8) && (is("left_shift") || is("right_shift"))) {
        own = first == INT8 ? (is("left_shift") ? shift_bytes_loop<true, int8_t> : shift_bytes_loop<false, int8_t>)
                            : (is("left_shift") ? shift_bytes_loop<true, uint8_t> : shift_bytes_loop<false, uint8_t>);
    } else if (first <= UINT64 && (is("floor_divide") || is("remainder"))) {
        own = is("remainder") ? find_integer_part_loop<true>(first) : find_integer_part_loop<false>(first);
    } else if (first <= UINT64 && is("power")) {
        own = find_integer_power_loop(first);
    } else if (first <= UINT64 && (is("maximum") || is("minimum") || is("fmax") || is("fmin"))) {
        own = is("maximum") || is("fmax") ? find_extrema_loop<true>(first) : find_extrema_loop<false>(first);
    } else if (first == FLOAT64 || first == FLOAT32) {
        if (is("sign")) own = first == FLOAT64 ? unary_loop<Sign, double> : unary_loop<Sign, float>;
        if (is("deg2rad") || is("radians")) own = first == FLOAT64 ? unary_loop<Angle<false>, double> : unary_loop<Angle<false>, float>;
        if (is("rad2deg") || is("degrees")) own = first == FLOAT64 ? unary_loop<Angle<true>, double> : unary_loop<Angle<true>, float>;
        if (is("arctan2") && has_avx512()) own = first == FLOAT64 ? spread_loop<double, false> : spread_loop<float, false>;
        if (is_late_zen()) {  // 0.5 to 0.7 of the time of NumPy's, of what the second cache holds
            if (is("floor")) own = first == FLOAT64 ? unary_loop<Floor, double> : unary_loop<Floor, float>;
            if (is("ceil")) own = first == FLOAT64 ? unary_loop<Ceiling, double> : unary_loop<Ceiling, float>;
            if (is("trunc")) own = first == FLOAT64 ? unary_loop<Truncated, double> : unary_loop<Truncated, float>;
            if (is("absolute") || is("fabs")) own = first == FLOAT64 ? unary_loop<Magnitude, double> : unary_loop<Magnitude, float>;
        }
        if (is("fmax") || is("fmin"))
            own = first == FLOAT64 ? spread_loop<double, true, 16> : spread_loop<float, true, 16>;
        else if (is("maximum"))
            own = first == FLOAT64 ? float_extrema_loop<true, double> : float_extrema_loop<true, float>;
        else if (is("minimum"))
            own = first == FLOAT64 ? float_extrema_loop<false, double> : float_extrema_loop<false, float>;
        if (is("power") && has_avx512()) own = first == FLOAT64 ? spread_power_loop<double> : spread_power_loop<float>;
        if (is("copysign")) own = first == FLOAT64 ? copysign_loop<double> : copysign_loop<float>;
        if (is("nextafter")) own = first == FLOAT64 ? next_loop<double> : next_loop<float>;
        if (is("reciprocal")) own = first == FLOAT64 ? unary_loop<Reciprocal, double> : unary_loop<Reciprocal, float>;
        // NumPy's is for vectors of 16 bytes.
        if (is("sqrt")) own = first == FLOAT64 ? unary_loop<RootOfEach, double> : unary_loop<RootOfEach, float>;
        if (first == FLOAT64 && has_avx512()) {
            if (is("reciprocal")) own = stepped_loop<double, newton::write_reciprocals>;
            if (is("sqrt")) own = stepped_loop<double, newton::write_roots>;
            if (is("divide")) own = divide_loop;
        } else if (first == FLOAT32 && is("sqrt") && has_avx512() && (!is_by_amd() || is_late_zen())) {
            own = stepped_loop<float, newton::write_roots>;
        }
    } else if (first == FLOAT16 && result == BOOL) {
        own = find_comparison_of_halves(name);
        if (own == nullptr) own = find_loop_of_half_bits(name, true);
    } else if (first == FLOAT16 && result == FLOAT16) {
        own = is("add") ? half_loop<AddHalves> : is("subtract") ? half_loop<SubtractHalves>
            : is("multiply") ? half_loop<MultiplyHalves> : is("divide") ? half_loop<DivideHalves>
            : is("floor") ? half_unary_loop<FloorOfHalves> : is("ceil") ? half_unary_loop<CeilOfHalves>
            : is("rint") ? half_unary_loop<RintOfHalves> : is("sqrt") ? half_unary_loop<RootOfHalves>
            : is("square") ? half_unary_loop<SquareOfHalves>
            : is("reciprocal") ? half_unary_loop<ReciprocalOfHalves> : find_loop_of_half_bits(name, false);
    }
    if (own != nullptr) *loop = Loop{own, new Loop(*loop)};
    loop->fold = fold;
    if (own == add_integers_loop) loop->lines = add_integer_lines;
    if (own == add_loop<double>) loop->lines = add_lines<double>;
    if (own == add_loop<float>) loop->lines = add_lines<float>;
    if (lines != nullptr) {
        loop->lines = lines;
        loop->takes_again = true;
    }
    if (own == add_loop<double, ComplexElements<double>>) loop->lines = add_lines<double, ComplexElements<double>>;
    if (own == add_loop<float, ComplexElements<float>>) loop->lines = add_lines<float, ComplexElements<float>>;
    if (own == multiply_loop<double>) loop->lines = multiply_lines<double>;
    if (own == multiply_loop<float>) loop->lines = multiply_lines<float>;
#endif
}

// Find the loop that divides integers of one dtype as they are; false where none does.
inline bool find_quotients(int dtype, Loop* loop) {
#ifdef FASTNP_X86
    const LoopFunction own = dtype == INT64   ? quotient_loop<int64_t>
                             : dtype == INT32 ? quotient_loop<int32_t>
                             : dtype == UINT8 ? quotient_loop<uint8_t>
                                              : nullptr;
    if (own != nullptr && has_avx2()) {
        *loop = Loop{own};
        return true;
    }
#endif
    return false;
}

}  // namespace fastnp
