// Inverse hyperbolic functions of doubles on vectors, to one unit in the last place.
//
// They are log(x + sqrt(x * x + 1)) and log(x + sqrt(x * x - 1)), with what each step has left by rounding beside it, by the
// logarithms of powers.h: half the time of SLEEF's, which takes all its steps by pairs, and of the C library's.
#pragma once

#include "powers.h"

#ifdef FASTNP_X86

namespace fastnp {

// A product as it is rounded: the compiler would fuse it with the sum that it goes into.
FASTNP_FUSED inline __m256d rounded_product(__m256d a, __m256d b) {
    __m256d product = multiply(a, b);
    asm("" : "+x"(product));
    return product;
}

// Of `x` not below zero, or of a cosine not below one; sizes whose square overflows are none of it.
template <bool COSINE>
FASTNP_FUSED inline __m256d inverse_hyperbolic(__m256d x) {
    using powers::fused;
    const __m256d one = repeat_vector(COSINE ? -1.0 : 1.0), zero = repeat_vector(0.0);
    const __m256d square = rounded_product(x, x), square_rest = fused(x, x, subtract(zero, square));
    const __m256d sum = add(square, one), back = subtract(sum, square);
    const __m256d sum_rest = add(add(subtract(square, subtract(sum, back)), subtract(one, back)), square_rest);
    const __m256d side = root(sum), side_square_rest = subtract_product(side, side, sum);
    const __m256d side_rest = divide(add(side_square_rest, sum_rest), add(side, side));
    // The larger one first, of which rounding leaves the rest.
    const __m256d first = COSINE ? x : side, second = COSINE ? side : x;
    const __m256d both_of = add(first, second), both_rest = add(add(subtract(first, both_of), second), side_rest);
    const __m256d part = divide(both_rest, both_of), part_log = fused(multiply(part, repeat_vector(-0.5)), part, part);
    __m256d rest;
    const __m256d log = powers::logarithm<true>(both_of, &rest);
    return add(log, add(rest, part_log));
}

}  // namespace fastnp

#endif
