// Powers on vectors, to 0.51 units in the last place of doubles as the C library's, and 0.5 of floats: 10 ** -5 is 1e-5.
//
// A power is exp(y * log(x)). The logarithm is a sum of two doubles that holds 68 bits of it: x is 2 ** k / c * (1 + r), with c
// of few bits so that r is exact, and log(1 + r) a polynomial whose first two terms are kept exactly. The exponential is
// 2 ** (i / 128) from a table times a polynomial of what is left. See P. T. P. Tang, Table-driven implementation of the
// logarithm function, ACM TOMS 16 (1990), and of the exponential function, ACM TOMS 15 (1989).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "vectors_of_32.h"

#ifdef FASTNP_X86

namespace fastnp {

FASTNP_FUSED inline __m256d subtract_product(__m256d a, __m256d b, __m256d from) { return _mm256_fnmadd_pd(a, b, from); }
FASTNP_FUSED inline __m256 subtract_product(__m256 a, __m256 b, __m256 from) { return _mm256_fnmadd_ps(a, b, from); }

}  // namespace fastnp

namespace fastnp::powers {

using Wide = __float128;

inline constexpr int kLogBits = 8, kExpBits = 7;
inline constexpr int kLogs = 1 << kLogBits, kExps = 1 << kExpBits;

// 2 atanh(t), the logarithm of (1 + t) / (1 - t), of a small t.
constexpr Wide twice_atanh(Wide t) {
    Wide sum = 0, power = t;
    for (int n = 1; n < 80; n += 2) {
        sum += power / n;
        power *= t * t;
    }
    return 2 * sum;
}
inline constexpr Wide kLog2 = twice_atanh(Wide{1} / 3), kLog10 = 3 * kLog2 + twice_atanh(Wide{1} / 9);

constexpr Wide exponential(Wide x) {
    Wide sum = 1, term = 1;
    for (int n = 1; n < 30; ++n) sum += term *= x / n;
    return sum;
}
// The nearest multiple of 2 ** -42: such numbers and those of log(2) add up exactly.
constexpr double on_grid(Wide x) {
    const Wide scaled = x * 0x1p42;
    return static_cast<double>(static_cast<int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5))) * 0x1p-42;
}

// For the first bits of a number in [1, 2): c, near the inverse of it or of its half; -log(c), high and low.
struct alignas(32) LogRow {
    double inverse, high, low, unused;
};
// 2 ** (i / 128), its bits less those of i at the place of the exponent; and what rounding has left of it, relatively.
struct alignas(16) ExpRow {
    double bits, rest;
};
struct Tables {
    LogRow logs[kLogs];
    ExpRow exps[kExps];
};

constexpr int kHalvedFrom = 106;  // numbers whose first bits are these or more, from sqrt(2) on, are halved

constexpr Tables make_tables() {
    Tables tables = {};
    for (int i = 0; i < kLogs; ++i) {
        const bool halved = i >= kHalvedFrom;
        const Wide middle = (1 + Wide(i + 0.5) / kLogs) / (halved ? 2 : 1);
        // r is exact: below one c is a multiple of 2 ** -9, above of 2 ** -8; and next to one it is one.
        const int parts = halved ? 256 : 512;
        const int units = i == 0 || i == kLogs - 1 ? parts : static_cast<int>(parts / middle + 0.5);
        const Wide c = static_cast<Wide>(units) / parts, log = -twice_atanh((c - 1) / (c + 1));
        tables.logs[i] = {static_cast<double>(c), on_grid(log), static_cast<double>(log - on_grid(log)), 0};
    }
    for (int i = 0; i < kExps; ++i) {
        const Wide power = exponential(kLog2 * i / kExps);
        const double rounded = static_cast<double>(power);
        const int64_t bits = std::bit_cast<int64_t>(rounded) - (static_cast<int64_t>(i) << (52 - kExpBits));
        tables.exps[i] = {std::bit_cast<double>(bits), static_cast<double>((power - rounded) / rounded)};
    }
    return tables;
}

inline constexpr Tables kTables = make_tables();

inline constexpr double kLog2High = on_grid(kLog2), kLog2Low = static_cast<double>(kLog2 - kLog2High);
// log(2) / 128, of which the first part has few enough bits for products with the number of a part.
inline constexpr double kPart = static_cast<double>(kLog2 / kExps);
inline constexpr double kPartHigh = on_grid(kLog2 / kExps), kPartLow = static_cast<double>(kLog2 / kExps - kPartHigh);

FASTNP_FUSED inline __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }

FASTNP_FUSED inline __m256d log_row(int64_t i) { return _mm256_load_pd(&kTables.logs[i].inverse); }
FASTNP_FUSED inline __m128d exp_row(int64_t i) { return _mm_load_pd(&kTables.exps[i].bits); }

// Four rows, transposed: a load each, where a gather of each column takes some AVX2 processors ten times as long.
FASTNP_FUSED inline void load_rows(__m256i at, __m256d* inverse, __m256d* high, __m256d* low) {
    const __m256d a = log_row(_mm256_extract_epi64(at, 0)), b = log_row(_mm256_extract_epi64(at, 1));
    const __m256d c = log_row(_mm256_extract_epi64(at, 2)), d = log_row(_mm256_extract_epi64(at, 3));
    const __m256d first = _mm256_unpacklo_pd(a, b), last = _mm256_unpacklo_pd(c, d);
    *inverse = _mm256_permute2f128_pd(first, last, 0x20);
    *high = _mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20);
    *low = _mm256_permute2f128_pd(first, last, 0x31);
}
FASTNP_FUSED inline void load_rows(__m256i at, __m256i* bits, __m256d* rest) {
    const __m256d even = _mm256_set_m128d(exp_row(_mm256_extract_epi64(at, 2)), exp_row(_mm256_extract_epi64(at, 0)));
    const __m256d odd = _mm256_set_m128d(exp_row(_mm256_extract_epi64(at, 3)), exp_row(_mm256_extract_epi64(at, 1)));
    *bits = _mm256_castpd_si256(_mm256_unpacklo_pd(even, odd));
    *rest = _mm256_unpackhi_pd(even, odd);
}

// The logarithms of positive normal numbers. EXACT: *rest is what rounding has left of them.
template <bool EXACT>
FASTNP_FUSED inline __m256d logarithm(__m256d x, __m256d* rest) {
    const __m256i bits = _mm256_castpd_si256(x);
    const __m256i at = _mm256_and_si256(_mm256_srli_epi64(bits, 52 - kLogBits), _mm256_set1_epi64x(kLogs - 1));
    const __m256i halved = _mm256_cmpgt_epi64(at, _mm256_set1_epi64x(kHalvedFrom - 1));
    // The exponent as a double: below 2 ** 11 beside the bits of 2 ** 52.
    const __m256i exponent = _mm256_sub_epi64(_mm256_srli_epi64(bits, 52), halved);
    const __m256d k = subtract(_mm256_castsi256_pd(_mm256_or_si256(exponent, _mm256_castpd_si256(repeat_vector(0x1p52)))),
                               repeat_vector(0x1p52 + 1023));
    const __m256i mantissa = _mm256_and_si256(bits, _mm256_set1_epi64x((1LL << 52) - 1));
    const __m256i one = _mm256_add_epi64(_mm256_set1_epi64x(1023LL << 52), _mm256_slli_epi64(halved, 52));
    __m256d inverse, table_high, table_low;
    load_rows(at, &inverse, &table_high, &table_low);
    const __m256d r = fused(_mm256_castsi256_pd(_mm256_or_si256(mantissa, one)), inverse, repeat_vector(-1.0));
    // Exact: all are multiples of 2 ** -42.
    const __m256d whole = fused(k, repeat_vector(kLog2High), table_high);
    const __m256d whole_rest = fused(k, repeat_vector(kLog2Low), table_low);
    // r ** 3 / 3 - r ** 4 / 4 + ...
    const __m256d half = multiply(r, repeat_vector(-0.5)), r2 = multiply(r, r);
    const __m256d p3 = fused(r, repeat_vector(-1.0 / 4), repeat_vector(1.0 / 3));
    const __m256d p5 = fused(r, repeat_vector(-1.0 / 6), repeat_vector(1.0 / 5));
    if (!EXACT) {
        const __m256d tail = fused(half, r, multiply(multiply(r, r2), fused(r2, p5, p3)));
        return add(whole, add(r, add(tail, whole_rest)));
    }
    const __m256d r4 = multiply(r2, r2), p7 = fused(r, repeat_vector(-1.0 / 8), repeat_vector(1.0 / 7));
    const __m256d tail = multiply(multiply(r, r2), fused(r4, p7, fused(r2, p5, p3)));
    const __m256d first = add(whole, r), first_rest = add(subtract(whole, first), r);
    const __m256d high = fused(half, r, first), high_rest = fused(half, r, subtract(first, high));
    const __m256d low = add(add(add(whole_rest, first_rest), high_rest), tail);
    const __m256d result = add(high, low);
    *rest = add(subtract(high, result), low);
    return result;
}

// exp(r + rest) - 1, of a small r.
FASTNP_FUSED inline __m256d beyond_one(__m256d r, __m256d rest) {
    const __m256d r2 = multiply(r, r);
    const __m256d p2 = fused(r, repeat_vector(1.0 / 6), repeat_vector(0.5));
    const __m256d p4 = fused(r, repeat_vector(1.0 / 120), repeat_vector(1.0 / 24));
    return fused(r2, fused(r2, p4, p2), add(rest, r));
}

// exp(x + rest), where that is a normal number.
FASTNP_FUSED inline __m256d exponential(__m256d x, __m256d rest) {
    // Rounded by what is added to it: the last bits are those of the integer.
    const __m256d shifted = fused(x, repeat_vector(1 / kPart), repeat_vector(0x1.8p52));
    const __m256d parts = subtract(shifted, repeat_vector(0x1.8p52));
    const __m256i number = _mm256_castpd_si256(shifted);
    __m256d r = fused(parts, repeat_vector(-kPartHigh), x);
    r = add(fused(parts, repeat_vector(-kPartLow), r), rest);
    __m256i bits;
    __m256d table_rest;
    load_rows(_mm256_and_si256(number, _mm256_set1_epi64x(kExps - 1)), &bits, &table_rest);
    const __m256d scale = _mm256_castsi256_pd(_mm256_add_epi64(bits, _mm256_slli_epi64(number, 52 - kExpBits)));
    return fused(scale, beyond_one(r, table_rest), scale);
}

FASTNP_FUSED inline __m256d is_integer(__m256d y) {
    return compare<_CMP_EQ_OQ>(rounded<_MM_FROUND_TO_NEAREST_INT>(y), y);
}

// x ** y: of a number below zero, that of its size, and below zero itself where y is odd; zero only of zero. NaN where x is no
// other normal number, where the power is not, or is near the largest, and where it is not defined. EXACT: to the last place.
template <bool EXACT>
FASTNP_FUSED inline __m256d power(__m256d x, __m256d y) {
    const __m256d size = absolute(x);
    __m256d rest;
    const __m256d log = logarithm<EXACT>(size, &rest), product = multiply(y, log);
    __m256d product_rest = repeat_vector(0.0);
    if (EXACT) product_rest = fused(y, rest, _mm256_fmsub_pd(y, log, product));
    const __m256d result = exponential(product, product_rest);
    const __m256d whole = is_integer(y), even = is_integer(multiply(y, repeat_vector(0.5)));
    const __m256d odd = both(_mm256_andnot_pd(even, whole), zero_like(x));
    const __m256d normal = both(compare<_CMP_GE_OQ>(size, repeat_vector(std::numeric_limits<double>::min())),
                                compare<_CMP_LE_OQ>(size, repeat_vector(std::numeric_limits<double>::max())));
    const __m256d small = both(compare<_CMP_LE_OQ>(absolute(product), repeat_vector(707.0)),
                               compare<_CMP_LE_OQ>(absolute(y), repeat_vector(0x1p52)));
    const __m256d defined = either(compare<_CMP_GT_OQ>(x, repeat_vector(0.0)), whole);
    const __m256d undefined = _mm256_andnot_pd(both(both(normal, small), defined), repeat_vector(std::numeric_limits<double>::quiet_NaN()));
    const __m256d found = either(result, undefined);
    const __m256d vanishes = both(compare<_CMP_EQ_OQ>(x, repeat_vector(0.0)), compare<_CMP_GT_OQ>(y, repeat_vector(0.0)));
    return differ(_mm256_andnot_pd(vanishes, found), odd);
}

FASTNP_FUSED inline __m256d power(__m256d x, __m256d y) { return power<true>(x, y); }
// Of floats by doubles: rounded once more.
FASTNP_FUSED inline __m256 power(__m256 x, __m256 y) {
    const __m256d first = power<false>(_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_castps256_ps128(y)));
    const __m256d last = power<false>(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)), _mm256_cvtps_pd(_mm256_extractf128_ps(y, 1)));
    return _mm256_set_m128(_mm256_cvtpd_ps(last), _mm256_cvtpd_ps(first));
}

}  // namespace fastnp::powers

#endif
