// Floored quotients and remainders of integers, computed as doubles: NumPy divides them one by one, or finds quotients by one
// number by products of 64 bits that it puts together.
//
// Of sizes up to 2 ** 50 the rounded quotient of two is below the next whole number as the quotient is: that is farther away, by
// at least one over the divisor, than four times what is rounded. By one number d it is the floor of (n + 1/2) * (1 / d), of
// which the parts lie half of one over the divisor from whole numbers, or farther.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "newton.h"
#include "operand.h"
#include "reducing_loops.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

inline constexpr double kLargestDivided = 0x1p50;

template <class T>
FASTNP_AVX512 inline void write_whole(T* out, __mmask8 lanes, __m512d x) {
    if constexpr (sizeof(T) == 8) _mm512_mask_storeu_epi64(out, lanes, _mm512_cvtpd_epi64(x));
    else _mm256_mask_storeu_epi32(out, lanes, _mm512_cvtpd_epi32(x));
}
FASTNP_AVX512 inline __m512d floor_of(__m512d x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
template <class T>
FASTNP_AVX512 inline __mmask8 too_large(__m512d x) {
    if constexpr (sizeof(T) < 8) return 0;
    else return _mm512_cmp_pd_mask(_mm512_abs_pd(x), _mm512_set1_pd(kLargestDivided), _CMP_GT_OQ);
}
template <bool REST, class T>
FASTNP_AVX512 inline void write_part(T* out, __mmask8 lanes, __m512d dividend, __m512d divisor, __m512d quotient) {
    write_whole(out, lanes, REST ? _mm512_fnmadd_pd(quotient, divisor, dividend) : quotient);
}

// Vectors in turn until `write` refuses one: how many elements came before it. Of whole ones a constant mask makes plain stores,
// which take fifth-generation Zen half of the time of others.
template <class Write>
FASTNP_AVX512 inline intptr_t write_in_turn(intptr_t n, const Write& write) {
    intptr_t i = 0;
    for (; i + 8 <= n; i += 8)
        if (!write(i, lanes_of<8>(8))) return i;
    return i == n || write(i, lanes_of<8>(n - i)) ? n : i;
}

// Both return how many are written: as many as come before a vector with one that NumPy's loop has to divide.
template <bool REST, class T>
FASTNP_AVX512 intptr_t write_parts_by_one(const T* a, T by, T* out, intptr_t n) {
    const __m512d divisor = _mm512_set1_pd(static_cast<double>(by)), reciprocal = _mm512_set1_pd(1.0 / static_cast<double>(by));
    const __m512d half = _mm512_mul_pd(_mm512_abs_pd(reciprocal), _mm512_set1_pd(0.5));
    return write_in_turn(n, [=](intptr_t i, __mmask8 lanes) FASTNP_AVX512 __attribute__((always_inline)) {
        const __m512d x = newton::read_doubles(a + i, lanes);
        if (too_large<T>(x)) return false;
        write_part<REST>(out + i, lanes, x, divisor, floor_of(_mm512_fmadd_pd(x, reciprocal, half)));
        return true;
    });
}
template <bool REST, class T>
FASTNP_AVX512 intptr_t write_parts(const T* a, bool one_dividend, const T* b, T* out, intptr_t n) {
    const __m512d one = _mm512_set1_pd(static_cast<double>(*a));
    return write_in_turn(n, [=](intptr_t i, __mmask8 lanes) FASTNP_AVX512 __attribute__((always_inline)) {
        const __m512d y = newton::read_doubles(b + i, lanes), x = one_dividend ? one : newton::read_doubles(a + i, lanes);
        // The least number over -1 is none that the dtype has.
        const __mmask8 refused = _mm512_cmp_pd_mask(y, _mm512_setzero_pd(), _CMP_EQ_OQ) |
                                 _mm512_cmp_pd_mask(y, _mm512_set1_pd(-1.0), _CMP_EQ_OQ) | too_large<T>(x) | too_large<T>(y);
        if (refused) return false;
        write_part<REST>(out + i, lanes, x, y, floor_of(_mm512_div_pd(x, y)));
        return true;
    });
}

template <bool REST, class T>
void integer_part_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), kFrom = 8, kBlock = 256;
    const intptr_t n = dimensions[0];
    const bool first = strides[0] == 0, second = strides[1] == 0;
    if (n < kFrom || (first && second) || (strides[0] != item && !first) || (strides[1] != item && !second) || strides[2] != item ||
        !is_readable(args[0], first, args[2], n * item) || !is_readable(args[1], second, args[2], n * item))
        return pass_on(args, dimensions, strides, data);
    const T *const a = reinterpret_cast<const T*>(args[0]), *const b = reinterpret_cast<const T*>(args[1]);
    T* const out = reinterpret_cast<T*>(args[2]);
    if (second && (*b == 0 || *b == -1 || std::abs(static_cast<double>(*b)) > kLargestDivided))
        return pass_on(args, dimensions, strides, data);
    for (intptr_t i = 0; i < n;) {
        i += second ? write_parts_by_one<REST>(a + i, *b, out + i, n - i)
                    : write_parts<REST>(first ? a : a + i, first, b + i, out + i, n - i);
        if (i == n) break;
        // Where one is large others may be.
        const intptr_t length = std::min(kBlock, n - i);
        char* part[] = {args[0] + i * strides[0], args[1] + i * strides[1], args[2] + i * item};
        pass_on(part, &length, strides, data);
        i += length;
    }
}

#endif

}  // namespace fastnp
