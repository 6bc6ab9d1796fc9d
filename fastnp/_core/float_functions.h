// Elementary functions of floats on vectors, computed as doubles and rounded once: to 0.51 units in the last place, in 0.3 to 0.9 of
// SLEEF's time, and of MKL's.
//
// The polynomials are fitted at Chebyshev's nodes, to 2 ** -37 (exponentials), 2 ** -35 (logarithms) and 2 ** -33 (arcus
// tangent).
#pragma once

#include "powers.h"

#ifdef FASTNP_X86

// What is here takes and gives doubles that hold floats.
namespace fastnp::of_floats {

using powers::fused;

// A function of four such numbers, on eight floats.
template <__m256d (*FUNCTION)(__m256d)>
FASTNP_FUSED inline __m256 by_doubles(__m256 x) {
    const __m256d low = FUNCTION(_mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    const __m256d high = FUNCTION(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}
template <__m256d (*FUNCTION)(__m256d, __m256d)>
FASTNP_FUSED inline __m256 by_doubles(__m256 a, __m256 b) {
    const __m256d low = FUNCTION(_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_castps256_ps128(b)));
    const __m256d high = FUNCTION(_mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)), _mm256_cvtps_pd(_mm256_extractf128_ps(b, 1)));
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

// The polynomial of these terms, the last of which is the constant.
template <int COUNT>
FASTNP_FUSED inline __m256d polynomial(const double (&terms)[COUNT], __m256d x) {
    __m256d sum = repeat_vector(terms[0]);
#pragma GCC unroll 16
    for (int i = 1; i < COUNT; ++i) sum = fused(sum, x, repeat_vector(terms[i]));
    return sum;
}

// --- exponentials ---

inline constexpr double kExponential[] = {0x1.a136b06babd51p-16, 0x1.a17df2ec2bc60p-13, 0x1.6c166be75a859p-10,
                                          0x1.1110a6222ea35p-7,  0x1.55555565c559fp-5,  0x1.5555557e7125ep-3,
                                          0x1.fffffffffe069p-2,  0x1.fffffffff61fdp-1};
inline constexpr double kIntegers = 0x1.8p52;  // beside these the last bit is one

// exp(r) - 1, of an r between halves of log(2).
FASTNP_FUSED inline __m256d near_one(__m256d r) { return multiply(polynomial(kExponential, r), r); }
// 2 ** n, of an integer that was added to kIntegers.
FASTNP_FUSED inline __m256d scale_of(__m256d shifted) {
    const __m256i exponent = _mm256_add_epi64(_mm256_castpd_si256(shifted), _mm256_set1_epi64x(1023));
    return _mm256_castsi256_pd(_mm256_slli_epi64(exponent, 52));
}
FASTNP_FUSED inline __m256d reduced(__m256d x, __m256d* scale) {
    constexpr double log2 = static_cast<double>(powers::kLog2);
    const __m256d shifted = fused(x, repeat_vector(1 / log2), repeat_vector(kIntegers));
    *scale = scale_of(shifted);
    return near_one(fused(subtract(shifted, repeat_vector(kIntegers)), repeat_vector(-log2), x));
}

FASTNP_FUSED inline __m256d exp(__m256d x) {
    __m256d scale;
    const __m256d more = reduced(x, &scale);
    return fused(scale, more, scale);
}
FASTNP_FUSED inline __m256d exp2(__m256d x) {
    const __m256d shifted = add(x, repeat_vector(kIntegers)), scale = scale_of(shifted);
    const __m256d left = subtract(x, subtract(shifted, repeat_vector(kIntegers)));
    return fused(scale, near_one(multiply(left, repeat_vector(static_cast<double>(powers::kLog2)))), scale);
}
FASTNP_FUSED inline __m256d expm1(__m256d x) {
    __m256d scale;
    const __m256d more = reduced(x, &scale);
    return either(fused(scale, more, subtract(scale, repeat_vector(1.0))), zero_like(x));
}
FASTNP_FUSED inline __m256d sinh(__m256d x) {
    const __m256d above = expm1(absolute(x)), half = multiply(above, repeat_vector(0.5));
    return either(add(half, divide(half, add(above, repeat_vector(1.0)))), zero_like(x));
}
FASTNP_FUSED inline __m256d cosh(__m256d x) {
    const __m256d half = multiply(exp(absolute(x)), repeat_vector(0.5));
    return add(half, divide(repeat_vector(0.25), half));
}
FASTNP_FUSED inline __m256d tanh(__m256d x) {
    // From here on it is one. (Of a number and one that is none, the second comes out.)
    const __m256d size = _mm256_min_pd(repeat_vector(16.0), absolute(x)), above = expm1(add(size, size));
    return either(divide(above, add(above, repeat_vector(2.0))), zero_like(x));
}

// --- logarithms ---

inline constexpr double kLogarithm[] = {0x1.ddced70791363p-3, 0x1.245c438323d35p-2, 0x1.9999eb5d84f1ap-2, 0x1.5555554bb2b2cp-1};

// log(x + rest), of an x above zero and of a rest that can be seen beside one only: x is 2 ** k * (1 + f), and f / (2 + f) small.
FASTNP_FUSED inline __m256d logarithm(__m256d x, __m256d rest) {
    const __m256i one = _mm256_set1_epi64x(1023LL << 52), bits = _mm256_castpd_si256(x);
    const __m256i from_least = _mm256_sub_epi64(bits, _mm256_set1_epi64x((-1LL << 52) + 0x6a09e667f3bcd));  // sqrt(0.5), less 1023
    const __m256i exponent = _mm256_srli_epi64(from_least, 52), whole = _mm256_castpd_si256(repeat_vector(0x1p52));
    const __m256d k = subtract(_mm256_castsi256_pd(_mm256_or_si256(exponent, whole)), repeat_vector(0x1p52 + 1023));
    const __m256i near = _mm256_add_epi64(_mm256_sub_epi64(bits, _mm256_slli_epi64(exponent, 52)), one);
    const __m256d f = add(subtract(_mm256_castsi256_pd(near), repeat_vector(1.0)), rest);
    const __m256d s = divide(f, add(f, repeat_vector(2.0))), square = multiply(s, s);
    const __m256d twice = multiply(s, fused(polynomial(kLogarithm, square), square, repeat_vector(2.0)));
    return fused(k, repeat_vector(static_cast<double>(powers::kLog2)), twice);
}
FASTNP_FUSED inline __m256d log(__m256d x) { return logarithm(x, repeat_vector(0.0)); }
FASTNP_FUSED inline __m256d log2(__m256d x) {
    return multiply(log(x), repeat_vector(static_cast<double>(1 / powers::kLog2)));
}
FASTNP_FUSED inline __m256d log10(__m256d x) {
    return multiply(log(x), repeat_vector(static_cast<double>(1 / powers::kLog10)));
}
FASTNP_FUSED inline __m256d log1p(__m256d x) {
    const __m256d one = repeat_vector(1.0), sum = add(x, one), left = subtract(x, subtract(sum, one));
    return either(logarithm(sum, both(compare<_CMP_LT_OQ>(x, one), left)), zero_like(x));
}
// Of what is not above zero.
FASTNP_FUSED inline __m256d log1p_of_exp(__m256d x) { return log1p(exp(x)); }
FASTNP_FUSED inline __m256d log1p_of_exp2(__m256d x) { return log1p(exp2(x)); }

FASTNP_FUSED inline __m256d arctanh(__m256d x) {
    const __m256d size = absolute(x), quotient = divide(add(size, size), subtract(repeat_vector(1.0), size));
    return either(multiply(log1p(quotient), repeat_vector(0.5)), zero_like(x));
}

// --- arcus tangent ---

inline constexpr double kArctangent[] = {-0x1.5bcf6e5741041p-11, 0x1.3625e8d6eefb9p-8,  -0x1.0354cc23b8650p-6,
                                         0x1.151ab904c9279p-5,   -0x1.ba035c4e8d652p-5, 0x1.2811fdeff7003p-4,
                                         -0x1.6f95036b2d2f5p-4,  0x1.c6533dfc9a77bp-4,  -0x1.2488519fa5a60p-3,
                                         0x1.999914dc909cfp-3,   -0x1.555553f671b9ap-2, 0x1.ffffffff64898p-1};

inline constexpr double kHalfOfPi = 0x1.921fb54442d18p+0;

// The angle whose tangent is `a / b`, both not negative and a not the larger.
FASTNP_FUSED inline __m256d angle_of(__m256d a, __m256d b) {
    const __m256d quotient = divide(a, b);
    return multiply(polynomial(kArctangent, multiply(quotient, quotient)), quotient);
}
FASTNP_FUSED inline __m256d arctan(__m256d x) {
    const __m256d one = repeat_vector(1.0), size = absolute(x), steep = compare<_CMP_GT_OQ>(size, one);
    const __m256d angle = angle_of(_mm256_min_pd(one, size), _mm256_max_pd(one, size));
    const __m256d start = both(steep, repeat_vector(kHalfOfPi));
    return differ(add(start, differ(angle, zero_like(steep))), zero_like(x));
}
FASTNP_FUSED inline __m256d arctan2(__m256d y, __m256d x) {
    const __m256d height = absolute(y), width = absolute(x), steep = compare<_CMP_GT_OQ>(height, width);
    const __m256d behind = _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setzero_si256(), _mm256_castpd_si256(x)));
    const __m256d start = choose(steep, repeat_vector(kHalfOfPi), both(behind, repeat_vector(2 * kHalfOfPi)));
    const __m256d larger = _mm256_max_pd(_mm256_max_pd(height, width), repeat_vector(0x1p-500));  // Two zeros have an angle.
    const __m256d angle = angle_of(_mm256_min_pd(height, width), larger);
    return differ(add(start, differ(angle, zero_like(differ(steep, behind)))), zero_like(y));
}

}  // namespace fastnp::of_floats

#endif
