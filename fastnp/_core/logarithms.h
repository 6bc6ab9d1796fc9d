// Logarithms of doubles on vectors, to 0.501 units in the last place (log1p: 0.66): half of the time of SLEEF's, 0.7 of MKL's.
#pragma once

#include "powers.h"

#ifdef FASTNP_X86

namespace fastnp::of_doubles {

using powers::fused;

// Of positive normal numbers.
FASTNP_FUSED inline __m256d log(__m256d x) {
    __m256d rest;
    return powers::logarithm<true>(x, &rest);
}

// The logarithm times a factor that is no double: a whole power of the base is exact.
FASTNP_FUSED inline __m256d logarithm_times(__m256d x, double factor, double factor_rest) {
    __m256d rest;
    const __m256d high = powers::logarithm<true>(x, &rest), product = multiply(high, repeat_vector(factor));
    const __m256d product_rest = _mm256_fmsub_pd(high, repeat_vector(factor), product);
    const __m256d more = fused(high, repeat_vector(factor_rest), product_rest);
    return add(product, fused(rest, repeat_vector(factor), more));
}
FASTNP_FUSED inline __m256d log2(__m256d x) {
    constexpr powers::Wide factor = 1 / powers::kLog2;
    constexpr double high = static_cast<double>(factor), low = static_cast<double>(factor - high);
    return logarithm_times(x, high, low);
}
FASTNP_FUSED inline __m256d log10(__m256d x) {
    constexpr powers::Wide factor = 1 / (powers::twice_atanh(powers::Wide{1} / 9) + 3 * powers::kLog2);  // 10 is 8 * 5 / 4
    constexpr double high = static_cast<double>(factor), low = static_cast<double>(factor - high);
    return logarithm_times(x, high, low);
}

// log(1 + x) of x above -1, which has the sign of x: what rounding leaves of 1 + x is a part of it.
FASTNP_FUSED inline __m256d log1p(__m256d x) {
    const __m256d one = repeat_vector(1.0), sum = add(x, one);
    const __m256d large = compare<_CMP_GT_OQ>(x, one);
    const __m256d greater = choose(large, x, one), lesser = choose(large, one, x);
    const __m256d left = subtract(lesser, subtract(sum, greater));
    __m256d rest;
    const __m256d log = powers::logarithm<true>(sum, &rest);
    return either(add(log, add(rest, divide(left, sum))), zero_like(x));
}

}  // namespace fastnp::of_doubles

#endif
