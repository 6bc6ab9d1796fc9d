// Sine and cosine of floats on vectors, computed as doubles: to 0.51 units in the last place, in NumPy's time or less for numbers
// of any size that it has vectors for. SLEEF's take four times as long from 125 on.
//
// The number is reduced by multiples of half of pi, whose first part has so few bits that the product is exact; what is left is
// a polynomial in its square, fitted at Chebyshev's nodes to 2 ** -35 (sine) and 2 ** -32 (cosine).
#pragma once

#include "powers.h"
#include "by_block.h"

#ifdef FASTNP_X86

namespace fastnp {

// Up to here the multiple has no more than 22 bits, and the product with the first part of half of pi no more than 52.
inline constexpr int kReducedByParts = 1 << 20;
// Up to here MKL's function takes less time where vectors of 32 bytes are computed by their halves; beyond, six times as long.
inline constexpr int kReducedByMkl = 10000;

// Of four numbers not below zero: the sine, or the cosine.
template <bool COSINE>
FASTNP_FUSED inline __m256d sine_in_doubles(__m128 number) {
    const __m256d x = _mm256_cvtps_pd(number), integers = repeat_vector(0x1.8p52);  // beside these the last bit is one
    const __m256d multiple_bits = powers::fused(x, repeat_vector(0x1.45f306dc9c883p-1), integers);
    const __m256d multiple = subtract(multiple_bits, integers);
    const __m256d near = subtract_product(multiple, repeat_vector(0x1.921fb54p+0), x);
    const __m256d r = subtract_product(multiple, repeat_vector(0x1.10b4611a62633p-30), near), square = multiply(r, r);
    const auto step = [square](__m256d sum, double term) FASTNP_FUSED {
        return powers::fused(sum, square, repeat_vector(term));
    };
    const auto of_four = [step](double first, double second, double third, double last) FASTNP_FUSED {
        return step(step(step(repeat_vector(first), second), third), last);
    };
    const __m256d sines = of_four(0x1.6dbdf3bf26c03p-19, -0x1.a013a7691e342p-13, 0x1.11110def2565fp-7, -0x1.555555545e16dp-3);
    const __m256d cosines = of_four(0x1.9a6f17efb85efp-16, -0x1.6c0e0863c35d6p-10, 0x1.55554cbb65502p-5, -0x1.fffffffab25b5p-2);
    const __m256d sine = powers::fused(multiply(sines, square), r, r);
    const __m256d cosine = powers::fused(cosines, square, repeat_vector(1.0));
    // The number of the quarter of the circle: its lowest bit chooses, the next one is the sign.
    __m256i quarter = _mm256_castpd_si256(multiple_bits);
    if (COSINE) quarter = _mm256_add_epi64(quarter, _mm256_set1_epi64x(1));
    const __m256d is_cosine = _mm256_castsi256_pd(_mm256_slli_epi64(quarter, 63));
    return differ(choose(is_cosine, cosine, sine), zero_like(_mm256_castsi256_pd(_mm256_slli_epi64(quarter, 62))));
}

// OTHERWISE is the function of larger numbers, and of what is none.
template <bool COSINE, class OTHERWISE>
struct Sine : OTHERWISE, SureFrom<float, COSINE ? Least::kAny : Least::kNormalOrZero, kReducedByParts> {
    static constexpr bool kByBlock = true;

    FASTNP_FUSED static inline __m256 sine(__m256 a) {
        const __m256 size = absolute(a);
        const __m128 low = _mm256_cvtpd_ps(sine_in_doubles<COSINE>(_mm256_castps256_ps128(size)));
        const __m128 high = _mm256_cvtpd_ps(sine_in_doubles<COSINE>(_mm256_extractf128_ps(size, 1)));
        const __m256 result = _mm256_set_m128(high, low);
        return COSINE ? result : differ(result, zero_like(a));
    }
    FASTNP_FUSED static inline __m256 apply(__m256 a, __m256 b) {
        const __m256 sure = Sine::is_sure(a);
        if (bits_of(sure) == kAllLanes<float>) return sine(a);
        return choose(sure, sine(a), OTHERWISE::apply(a, b));
    }
    // Compute a block, and say whether all of it is sure.
    FASTNP_FUSED static bool compute(const float* a, const float*, float* out, intptr_t n, NoCalls*) {
        intptr_t i = 0;
        for (; i + 8 <= n; i += 8) store_vector(out + i, sine(load_vector(a + i)));
        if (i < n) {
            const __m256i lanes = first_lanes(a, n - i);
            store_lanes(out + i, lanes, sine(load_lanes(a + i, lanes)));
        }
        return Sine::are_sure(a, n);
    }
};

}  // namespace fastnp

#endif
