// Quotients and roots of doubles, to the last bit: by the divider, and meanwhile by Newton's steps.
//
// On fourth-generation Zen the divider gives eight quotients in ten cycles, eight roots in eighteen, and every other unit waits.
// So each group of vectors has one that is computed by products and sums: 0.7 of the divider's time for quotients and reciprocals,
// 0.5 for quotients by one number (its reciprocal is computed once) and for roots.
//
// A step adds to a quotient q of a by b what is left of a, exactly (q is within half a unit and a 2 ** 27th of it), times a
// reciprocal y of b as near: q + (a - q * b) * y. It is off the quotient by half a unit times y's error, at most b * b / 2 ** 106
// of what lies between a quotient and a number halfway between two others, but for divisors whose bits are all ones to the 25th.
// So rounding gives the nearest (Markstein, "Computation of elementary functions on the IBM RISC System/6000", 1990).
// Of roots, g + (a - g * g) * h with h within 2.5 * 2 ** -53 of half the root's inverse is off by less than a 2 ** 52nd of a unit.
// Seven numbers from 1 to 4 have a root as near to halfway (test_newton.py finds them). Of these 1 + 2 ** -52 and 4 - 2 ** -51
// may go wrong; of the others h would have to be off by more than the digits that it is rounded to let it be.
// What a step is not sure of the divider computes: these, zeros, numbers that are very large or small, infinite or NaN.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

namespace newton {

using Vector = __m512d;

// Eight numbers as doubles, or sixteen as floats; ones, which raise no flag, in lanes that are not read.
FASTNP_AVX512 inline Vector read_doubles(const double* a, __mmask8 lanes) {
    return _mm512_mask_loadu_pd(_mm512_set1_pd(1.0), lanes, a);
}
FASTNP_AVX512 inline Vector read_doubles(const int64_t* a, __mmask8 lanes) {
    return _mm512_cvtepi64_pd(_mm512_mask_loadu_epi64(_mm512_set1_epi64(1), lanes, a));
}
FASTNP_AVX512 inline Vector read_doubles(const int32_t* a, __mmask8 lanes) {
    return _mm512_cvtepi32_pd(_mm256_mask_loadu_epi32(_mm256_set1_epi32(1), lanes, a));
}
FASTNP_AVX512 inline Vector read_doubles(const uint8_t* a, __mmask8 lanes) {
    return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_mask_loadu_epi8(_mm_set1_epi8(1), lanes, a)));
}
FASTNP_AVX512 inline __m512 read_floats(const float* a, __mmask16 lanes) {
    return _mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), lanes, a);
}

FASTNP_AVX512 inline void write(double* out, Vector x) { _mm512_storeu_pd(out, x); }
FASTNP_AVX512 inline void write(float* out, __m512 x) { _mm512_storeu_ps(out, x); }
FASTNP_AVX512 inline void write_part(double* out, __mmask8 lanes, Vector x) { _mm512_mask_storeu_pd(out, lanes, x); }
FASTNP_AVX512 inline void write_part(float* out, __mmask16 lanes, __m512 x) { _mm512_mask_storeu_ps(out, lanes, x); }

FASTNP_AVX512 inline __m512i bits(Vector x) { return _mm512_castpd_si512(x); }
// The lanes whose size is not in 2 ** -EXPONENT to 2 ** EXPONENT: what a step computes of it might underflow, or overflow.
template <int64_t EXPONENT>
FASTNP_AVX512 inline __mmask8 out_of_range(Vector x) {
    const __m512i size = _mm512_and_si512(bits(x), _mm512_set1_epi64(INT64_MAX));
    const __m512i least = _mm512_set1_epi64((1023 - EXPONENT) << 52), range = _mm512_set1_epi64(2 * EXPONENT << 52);
    return _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(size, least), range);
}
inline constexpr int64_t kExponent = 450;
FASTNP_AVX512 inline __mmask8 unusual_dividends(Vector x) { return out_of_range<kExponent>(x); }
FASTNP_AVX512 inline __mmask8 unusual_divisors(Vector x) {
    const __m512i fraction = _mm512_slli_epi64(bits(x), 12), nearly_two = _mm512_set1_epi64(~int64_t{0} << 44);
    return out_of_range<kExponent>(x) | _mm512_cmpge_epu64_mask(fraction, nearly_two);
}
// Sizes whose bits are all ones or one: the next to powers of two, among which are those to powers of four.
FASTNP_AVX512 inline __mmask8 unusual_radicands(Vector x) {
    const __m512i next = _mm512_add_epi64(bits(x), _mm512_set1_epi64(1)), least = _mm512_set1_epi64((1023 - 700ll) << 52);
    return _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(bits(x), least), _mm512_set1_epi64(1400ll << 52)) |
           _mm512_testn_epi64_mask(next, _mm512_set1_epi64((1ll << 52) - 3));
}

// 1 - b * y, and a reciprocal of twice, thrice the digits.
FASTNP_AVX512 inline Vector rest_of_one(Vector b, Vector y) { return _mm512_fnmadd_pd(b, y, _mm512_set1_pd(1.0)); }
FASTNP_AVX512 inline Vector nearer_reciprocal(Vector b, Vector y) { return _mm512_fmadd_pd(y, rest_of_one(b, y), y); }
FASTNP_AVX512 inline Vector first_reciprocal(Vector b) {
    const Vector y = _mm512_rcp14_pd(b), rest = rest_of_one(b, y);
    return _mm512_fmadd_pd(y, _mm512_fmadd_pd(rest, rest, rest), y);
}
FASTNP_AVX512 inline Vector nearer_quotient(Vector a, Vector b, Vector y, Vector q) {
    return _mm512_fmadd_pd(_mm512_fnmadd_pd(b, q, a), y, q);
}

// The operations: `read` gives what one vector of results is computed from, of which a step computes it in the lanes that are not
// `unusual`, and the divider in all. kDivided vectors are divided meanwhile. Of roots Intel's processors compute two by steps while
// the divider computes one: 0.72 of the time.
template <class T, bool ONE_DIVIDEND>
struct Quotients {
    struct Operands {
        Vector dividend, divisor;
    };
    static constexpr int kDivided = 2;
    const T *a, *b;
    Vector one = {};

    FASTNP_AVX512 Quotients(const T* a, const T* b) : a(a), b(b), one(_mm512_set1_pd(static_cast<double>(*a))) {}
    FASTNP_AVX512 Operands read(intptr_t i, __mmask8 lanes) const {
        if constexpr (ONE_DIVIDEND) return {one, read_doubles(b + i, lanes)};
        else return {read_doubles(a + i, lanes), read_doubles(b + i, lanes)};
    }
    FASTNP_AVX512 __mmask8 unusual(const Operands& x) const { return unusual_dividends(x.dividend) | unusual_divisors(x.divisor); }
    FASTNP_AVX512 Vector step(const Operands& x) const {
        const Vector y = first_reciprocal(x.divisor);
        const Vector q = nearer_quotient(x.dividend, x.divisor, y, _mm512_mul_pd(x.dividend, y));
        return nearer_quotient(x.dividend, x.divisor, nearer_reciprocal(x.divisor, y), q);
    }
    FASTNP_AVX512 Vector divide(const Operands& x) const { return _mm512_div_pd(x.dividend, x.divisor); }
};

template <class T>
struct QuotientsByOne {
    static constexpr int kDivided = 1;
    const T* a;
    Vector divisor, reciprocal, rest;  // the reciprocal's
    __mmask8 never;

    FASTNP_AVX512 QuotientsByOne(const T* a, const T* b) : a(a), divisor(_mm512_set1_pd(static_cast<double>(*b))) {
        never = unusual_divisors(divisor);
        // Of a divisor that is unusual a reciprocal might raise flags that the quotients do not.
        const Vector usual = never ? _mm512_set1_pd(1.0) : divisor;
        reciprocal = _mm512_div_pd(_mm512_set1_pd(1.0), usual);
        rest = _mm512_mul_pd(rest_of_one(usual, reciprocal), reciprocal);
    }
    FASTNP_AVX512 Vector read(intptr_t i, __mmask8 lanes) const { return read_doubles(a + i, lanes); }
    FASTNP_AVX512 __mmask8 unusual(Vector x) const { return never | unusual_dividends(x); }
    FASTNP_AVX512 Vector step(Vector x) const {
        return nearer_quotient(x, divisor, reciprocal, _mm512_fmadd_pd(x, reciprocal, _mm512_mul_pd(x, rest)));
    }
    FASTNP_AVX512 Vector divide(Vector x) const { return _mm512_div_pd(x, divisor); }
};

template <class T>
struct Reciprocals {
    static constexpr int kDivided = 1;
    const T* a;

    FASTNP_AVX512 Vector read(intptr_t i, __mmask8 lanes) const { return read_doubles(a + i, lanes); }
    FASTNP_AVX512 __mmask8 unusual(Vector x) const { return unusual_divisors(x); }
    FASTNP_AVX512 Vector step(Vector x) const { return nearer_reciprocal(x, nearer_reciprocal(x, first_reciprocal(x))); }
    FASTNP_AVX512 Vector divide(Vector x) const { return _mm512_div_pd(_mm512_set1_pd(1.0), x); }
};

struct Roots {
    static constexpr int kDivided = 1;
    const double* a;

    FASTNP_AVX512 Vector read(intptr_t i, __mmask8 lanes) const { return read_doubles(a + i, lanes); }
    FASTNP_AVX512 __mmask8 unusual(Vector x) const { return unusual_radicands(x); }
    // The root g and half its inverse h: of both, what 1/2 - g * h leaves. One of them thrice the digits, then one more of each.
    FASTNP_AVX512 Vector step(Vector x) const {
        const Vector half = _mm512_set1_pd(0.5), inverse = _mm512_rsqrt14_pd(x);
        const Vector g = _mm512_mul_pd(x, inverse), h = _mm512_mul_pd(inverse, half), rest = _mm512_fnmadd_pd(g, h, half);
        const Vector part = _mm512_fmadd_pd(_mm512_mul_pd(rest, _mm512_set1_pd(1.5)), rest, rest);
        const Vector root = _mm512_fmadd_pd(g, part, g), inverse_half = _mm512_fmadd_pd(h, part, h);
        const Vector nearer_half = _mm512_fmadd_pd(inverse_half, _mm512_fnmadd_pd(root, inverse_half, half), inverse_half);
        return nearer(x, nearer(x, root, nearer_half), nearer_half);
    }
    FASTNP_AVX512 Vector divide(Vector x) const { return _mm512_sqrt_pd(x); }

   private:
    FASTNP_AVX512 static inline Vector nearer(Vector x, Vector root, Vector half) {
        return _mm512_fmadd_pd(_mm512_fnmadd_pd(root, root, x), half, root);
    }
};

// The same of floats. All radicands from 1 to 4 were tried: a step gives the nearest root of each.
struct RootsOfFloats {
    static constexpr int kDivided = 1;
    const float* a;

    FASTNP_AVX512 __m512 read(intptr_t i, __mmask16 lanes) const { return read_floats(a + i, lanes); }
    FASTNP_AVX512 __mmask16 unusual(__m512 x) const {
        const __m512i least = _mm512_set1_epi32((127 - 90) << 23), range = _mm512_set1_epi32(180 << 23);
        return _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(_mm512_castps_si512(x), least), range);
    }
    FASTNP_AVX512 __m512 step(__m512 x) const {
        const __m512 half = _mm512_set1_ps(0.5f), inverse = _mm512_rsqrt14_ps(x);
        const __m512 g = _mm512_mul_ps(x, inverse), h = _mm512_mul_ps(inverse, half), rest = _mm512_fnmadd_ps(g, h, half);
        const __m512 root = _mm512_fmadd_ps(g, rest, g), nearer_half = _mm512_fmadd_ps(h, rest, h);
        return _mm512_fmadd_ps(_mm512_fnmadd_ps(root, root, x), nearer_half, root);
    }
    FASTNP_AVX512 __m512 divide(__m512 x) const { return _mm512_sqrt_ps(x); }
};

template <int kStepped, class Operation, class T>
FASTNP_AVX512 void write_line(const Operation& of, T* out, intptr_t n) {
    constexpr intptr_t width = 64 / sizeof(T), kSteps = kStepped * width, kGroup = kSteps + Operation::kDivided * width;
    constexpr auto kAll = lanes_of<width>(width);
    intptr_t i = 0;
    for (; i + kGroup <= n; i += kGroup) {
#pragma GCC unroll 2
        for (intptr_t k = i; k < i + kSteps; k += width) {
            const auto x = of.read(k, kAll);
            if (__builtin_expect(of.unusual(x) == 0, 1)) write(out + k, of.step(x));
            else write(out + k, of.divide(x));
        }
#pragma GCC unroll 2
        for (intptr_t k = i + kSteps; k < i + kGroup; k += width) write(out + k, of.divide(of.read(k, kAll)));
    }
    for (; i < n; i += width) {
        const auto lanes = lanes_of<width>(n - i);
        write_part(out + i, lanes, of.divide(of.read(i, lanes)));
    }
}

inline void write_roots(const double* in, double* out, intptr_t n) {
    return is_by_amd() ? write_line<1>(Roots{in}, out, n) : write_line<2>(Roots{in}, out, n);
}
inline void write_roots(const float* in, float* out, intptr_t n) {
    return is_by_amd() ? write_line<1>(RootsOfFloats{in}, out, n) : write_line<2>(RootsOfFloats{in}, out, n);
}
// Fifth-generation Zen's divider gives a quotient as soon as the steps of another are done: with them it takes 1.1 to 1.3 of the
// time.
template <class Operation>
void write_some_divided(const Operation& of, double* out, intptr_t n) {
    return is_late_zen() ? write_line<0>(of, out, n) : write_line<1>(of, out, n);
}
inline void write_reciprocals(const double* in, double* out, intptr_t n) { write_some_divided(Reciprocals<double>{in}, out, n); }

// Of two lines, or of one and a number.
template <class T>
void write_quotients(const T* a, bool one_dividend, const T* b, bool one_divisor, double* out, intptr_t n) {
    if (one_dividend && one_divisor) std::fill_n(out, n, static_cast<double>(*a) / static_cast<double>(*b));
    else if (one_divisor) write_some_divided(QuotientsByOne<T>(a, b), out, n);
    else if (!one_dividend) write_some_divided(Quotients<T, false>(a, b), out, n);
    else if (*a == T(1)) write_some_divided(Reciprocals<T>{b}, out, n);
    else write_some_divided(Quotients<T, true>(a, b), out, n);
}

}  // namespace newton

#endif

}  // namespace fastnp
