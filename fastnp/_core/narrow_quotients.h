// Floored quotients of narrow integers by one number, and remainders: by products of 16 bits. NumPy's loop of quotients takes
// what is left of a line one by one, that of remainders all.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "operand.h"
#include "reducing_loops.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

// n // divisor is the upper half of n * factor, shifted: of every n below 2 ** 15, since n * (factor * divisor - 2 ** (16 + shift))
// is less than 2 ** (16 + shift). Of numbers below zero it is ~(~n // divisor).
struct Reciprocal16 {
    uint32_t shift, factor;
    explicit Reciprocal16(uint32_t divisor)  // from 2 on
        : shift(std::bit_width(divisor - 1) - 1), factor(((1u << (16 + shift)) + divisor - 1) / divisor) {}

    int of(int n) const {
        const int sign = n >> 31;
        return static_cast<int>(static_cast<uint32_t>(n ^ sign) * factor >> (16 + shift)) ^ sign;
    }
    FASTNP_AVX2 __m256i of(__m256i n) const {
        const __m256i sign = _mm256_srai_epi16(n, 15), factors = _mm256_set1_epi16(static_cast<int16_t>(factor));
        const __m256i upper = _mm256_mulhi_epu16(_mm256_xor_si256(n, sign), factors);
        return _mm256_xor_si256(_mm256_srl_epi16(upper, _mm_cvtsi32_si128(static_cast<int>(shift))), sign);
    }
};

// Quotients of 16 numbers, or what they leave.
template <bool REST>
FASTNP_AVX2 inline __m256i part_of(const Reciprocal16& reciprocal, __m256i divisor, __m256i n) {
    const __m256i quotients = reciprocal.of(n);
    return REST ? _mm256_sub_epi16(n, _mm256_mullo_epi16(quotients, divisor)) : quotients;
}

template <bool REST, class T>
FASTNP_AVX2 void narrow_part_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    if (strides[0] != item || strides[1] != 0 || strides[2] != item || !is_readable(args[0], false, args[2], n * item) ||
        !is_readable(args[1], true, args[2], n * item) || *reinterpret_cast<const T*>(args[1]) < 2)
        return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(args[0]);
    T* const out = reinterpret_cast<T*>(args[2]);
    const int divisor = *reinterpret_cast<const T*>(args[1]);
    const Reciprocal16 reciprocal(static_cast<uint32_t>(divisor));
    const __m256i divisors = _mm256_set1_epi16(static_cast<int16_t>(divisor));
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
        __m256i parts;
        if constexpr (item == 2) {
            parts = part_of<REST>(reciprocal, divisors, numbers);
        } else {
            // Halves of each half, which are put together in their order.
            const __m256i above = std::is_signed_v<T> ? _mm256_cmpgt_epi8(_mm256_setzero_si256(), numbers) : _mm256_setzero_si256();
            const __m256i low = part_of<REST>(reciprocal, divisors, _mm256_unpacklo_epi8(numbers, above));
            const __m256i high = part_of<REST>(reciprocal, divisors, _mm256_unpackhi_epi8(numbers, above));
            parts = std::is_signed_v<T> ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), parts);
    }
    for (; i < n; ++i) out[i] = static_cast<T>(REST ? in[i] - divisor * reciprocal.of(in[i]) : reciprocal.of(in[i]));
}

#endif

}  // namespace fastnp
