// Loops of float16, which is computed in float32.
#pragma once

#include <cstdint>
#include <cstring>

#include "aliases.h"
#include "reducing_loops.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

struct AddHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
};
struct SubtractHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
};
struct MultiplyHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
};
struct DivideHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
};

FASTNP_AVX2 inline __m256 load_halves(const uint16_t* a, bool repeated) {
    return _mm256_cvtph_ps(repeated ? _mm_set1_epi16(static_cast<short>(*a))
                                    : _mm_loadu_si128(reinterpret_cast<const __m128i*>(a)));
}

struct FloorOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return rounded<_MM_FROUND_TO_NEG_INF>(a); }
};
struct CeilOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return rounded<_MM_FROUND_TO_POS_INF>(a); }
};
struct RintOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return rounded<_MM_FROUND_TO_NEAREST_INT>(a); }
};
struct RootOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_sqrt_ps(a); }
};
struct ReciprocalOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_div_ps(_mm256_set1_ps(1.0f), a); }
};
struct SquareOfHalves {
    FASTNP_AVX2 static inline __m256 apply(__m256 a) { return _mm256_mul_ps(a, a); }
};

// Their sums: in float32, rounded once, in the pairwise order.
struct HalfElements {
    const uint16_t* data;
    [[gnu::always_inline]] FASTNP_AVX2 float operator()(intptr_t i) const {
        return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(data[i])));
    }
    [[gnu::always_inline]] FASTNP_AVX2 auto vector(intptr_t i) const { return load_halves(data + i, false); }
};

template <class Operation>
FASTNP_AVX2 void half_unary_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    if (n < 8 || strides[0] != 2 || strides[1] != 2 || (args[1] > args[0] && args[1] < args[0] + 2 * n))
        return pass_on(args, dimensions, strides, data);
    const uint16_t* const in = reinterpret_cast<const uint16_t*>(args[0]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[1]);
    // The last elements, filled up with one of them.
    uint16_t last[8];
    const intptr_t whole = n - n % 8;
    for (intptr_t k = 0; k < 8; ++k) last[k] = in[whole + k < n ? whole + k : n - 1];
    for (intptr_t i = 0; i < whole; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                         _mm256_cvtps_ph(Operation::apply(load_halves(in + i, false)), _MM_FROUND_TO_NEAREST_INT));
    if (whole == n) return;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(last),
                     _mm256_cvtps_ph(Operation::apply(load_halves(last, false)), _MM_FROUND_TO_NEAREST_INT));
    std::memcpy(out + whole, last, 2 * (n - whole));
}

template <class Operation>
FASTNP_AVX2 void half_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const bool first_repeated = strides[0] == 0, second_repeated = strides[1] == 0;
    if (n < 8 || (strides[0] != 2 && !first_repeated) || (strides[1] != 2 && !second_repeated) || strides[2] != 2 ||
        !is_readable(args[0], first_repeated, args[2], 2 * n) || !is_readable(args[1], second_repeated, args[2], 2 * n)) {
        pass_on(args, dimensions, strides, data);
        return;
    }
    const uint16_t* const a = reinterpret_cast<const uint16_t*>(args[0]);
    const uint16_t* const b = reinterpret_cast<const uint16_t*>(args[1]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[2]);
    intptr_t i = 0;
    uint16_t tail[8];
    const intptr_t whole = n - n % 8;
    // The last elements, filled up with one of them, which raises no flag that it does not raise itself.
    if (whole < n) {
        uint16_t first[8], second[8];
        for (intptr_t k = 0; k < 8; ++k) {
            const intptr_t at = whole + k < n ? whole + k : whole;
            first[k] = a[first_repeated ? 0 : at];
            second[k] = b[second_repeated ? 0 : at];
        }
        const __m256 value = Operation::apply(load_halves(first, false), load_halves(second, false));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(tail), _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    }
    for (; i < whole; i += 8) {
        const __m256 value = Operation::apply(load_halves(first_repeated ? a : a + i, first_repeated),
                                              load_halves(second_repeated ? b : b + i, second_repeated));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    }
    if (whole < n) std::memcpy(out + whole, tail, 2 * (n - whole));
}

FASTNP_AVX2 inline void add_half_to(float sum, uint16_t* total) {
    const __m128 both = _mm_add_ss(_mm_cvtph_ps(_mm_cvtsi32_si128(*total)), _mm_set_ss(sum));
    *total = static_cast<uint16_t>(_mm_extract_epi16(_mm_cvtps_ph(both, _MM_FROUND_TO_NEAREST_INT), 0));
}
inline void add_halves_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (!is_of_line(args, strides, 2)) return half_loop<AddHalves>(args, dimensions, strides, data);
    const HalfElements get{reinterpret_cast<const uint16_t*>(args[1])};
    const Source source = source_of<float>(2 * dimensions[0]);
    const auto sum_of = [=](intptr_t start, intptr_t n) { return pairwise_sum<float>(get, start, n, source); };
    add_half_to(sum_in_parts<float>(dimensions[0], sum_of), reinterpret_cast<uint16_t*>(args[0]));
}

// --- comparisons ---

template <int HOW>
FASTNP_AVX2 inline void store_truths_of_halves(__m256 a, __m256 b, uint8_t* out) {
    const __m256i truths = _mm256_castps_si256(_mm256_cmp_ps(a, b, HOW));
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(truths), _mm256_extracti128_si256(truths, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_and_si128(_mm_packs_epi16(words, words), _mm_set1_epi8(1)));
}
// HOW raises no flag for what is no number, as NumPy's.
template <int HOW>
FASTNP_AVX2 void compare_halves_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0], whole = n - n % 8;
    const bool first_repeated = strides[0] == 0, second_repeated = strides[1] == 0;
    const auto apart = [&](int k) { return args[k] + 2 * n <= args[2] || args[2] + n <= args[k]; };
    if (n < 8 || (strides[0] != 2 && !first_repeated) || (strides[1] != 2 && !second_repeated) || strides[2] != 1 || !apart(0) ||
        !apart(1))
        return pass_on(args, dimensions, strides, data);
    const uint16_t* const a = reinterpret_cast<const uint16_t*>(args[0]);
    const uint16_t* const b = reinterpret_cast<const uint16_t*>(args[1]);
    uint8_t* const out = reinterpret_cast<uint8_t*>(args[2]);
    const auto take = [&](intptr_t i) FASTNP_AVX2 {
        store_truths_of_halves<HOW>(load_halves(first_repeated ? a : a + i, first_repeated),
                                    load_halves(second_repeated ? b : b + i, second_repeated), out + i);
    };
    for (intptr_t i = 0; i < whole; i += 8) take(i);
    // The last ones, some of which were compared already.
    if (whole < n) take(n - 8);
}
inline LoopFunction find_comparison_of_halves(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    return is("equal")           ? compare_halves_loop<_CMP_EQ_OQ>
           : is("not_equal")     ? compare_halves_loop<_CMP_NEQ_UQ>
           : is("less")          ? compare_halves_loop<_CMP_LT_OQ>
           : is("less_equal")    ? compare_halves_loop<_CMP_LE_OQ>
           : is("greater")       ? compare_halves_loop<_CMP_GT_OQ>
           : is("greater_equal") ? compare_halves_loop<_CMP_GE_OQ>
                                 : nullptr;
}

#endif

}  // namespace fastnp
