// Hypotenuses on vectors, rounded correctly: of 170 doubles at most one lies a unit in the last place beside the C library's.
#pragma once

#include "hyperbolic.h"

#ifdef FASTNP_X86

namespace fastnp {

// The root of the rounded sum of squares, less half of what its own square has too much: C. F. Borges, "Algorithm 1014: an
// improved algorithm for hypot(x, y)", ACM Trans. Math. Softw. 47 (2021). Sizes whose squares are none are scaled before.
FASTNP_FUSED inline __m256d hypotenuse(__m256d a, __m256d b) {
    using powers::fused;
    const __m256d p = absolute(a), q = absolute(b), zero = repeat_vector(0.0), one = repeat_vector(1.0);
    __m256d most = larger(q, p), least = smaller(p, q);  // of a NaN, one of the two is it
    const __m256d high = compare<_CMP_GT_OQ>(most, repeat_vector(0x1p500));
    const __m256d low = compare<_CMP_LT_OQ>(most, repeat_vector(0x1p-450));
    const __m256d down = choose(high, repeat_vector(0x1p-600), choose(low, repeat_vector(0x1p600), one));
    const __m256d up = choose(high, repeat_vector(0x1p600), choose(low, repeat_vector(0x1p-600), one));
    most = multiply(most, down), least = multiply(least, down);
    const __m256d square = rounded_product(most, most), root_of = root(fused(most, most, multiply(least, least)));
    const __m256d root_square = rounded_product(root_of, root_of);
    const __m256d more = subtract_product(least, least, subtract(root_square, square));
    const __m256d root_rest = fused(root_of, root_of, subtract(zero, root_square));
    const __m256d rests = subtract(root_rest, fused(most, most, subtract(zero, square)));
    const __m256d exact = subtract(root_of, divide(add(more, rests), add(root_of, root_of)));
    // Of zeros, and of what is not finite, there is nothing to divide by.
    return multiply(choose(compare<_CMP_GT_OQ>(root_square, zero), exact, add(p, q)), up);
}

// As doubles: their squares and the sum of these are exact, or as good.
FASTNP_FUSED inline __m128 hypotenuse_of_half(__m128 a, __m128 b) {
    const __m256d x = _mm256_cvtps_pd(a), y = _mm256_cvtps_pd(b);
    return _mm256_cvtpd_ps(root(powers::fused(x, x, multiply(y, y))));
}
FASTNP_FUSED inline __m256 hypotenuse(__m256 a, __m256 b) {
    const __m128 low = hypotenuse_of_half(_mm256_castps256_ps128(a), _mm256_castps256_ps128(b));
    return _mm256_set_m128(hypotenuse_of_half(_mm256_extractf128_ps(a, 1), _mm256_extractf128_ps(b, 1)), low);
}

}  // namespace fastnp

#endif
