// Loops of float16 that need no arithmetic: their bits say which is larger, and what is zero or NaN.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "half.h"
#include "operand.h"
#include "reducing_loops.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

struct NegativeOfHalf {
    [[gnu::always_inline]] static uint16_t apply(uint16_t a) { return a ^ kSignOfHalf; }
};
struct SignOfHalf {
    [[gnu::always_inline]] static uint16_t apply(uint16_t a) {
        const uint16_t one = static_cast<uint16_t>(0x3c00 | (a & kSignOfHalf));
        return is_nan(a) ? a : size_of_half(a) == 0 ? 0 : one;
    }
};
struct IsNanOfHalf {
    [[gnu::always_inline]] static uint8_t apply(uint16_t a) { return is_nan(a); }
};
struct IsInfOfHalf {
    [[gnu::always_inline]] static uint8_t apply(uint16_t a) { return size_of_half(a) == kInfiniteHalf; }
};
struct IsFiniteOfHalf {
    [[gnu::always_inline]] static uint8_t apply(uint16_t a) { return size_of_half(a) < kInfiniteHalf; }
};
struct SignBitOfHalf {
    [[gnu::always_inline]] static uint8_t apply(uint16_t a) { return static_cast<uint8_t>(a >> 15); }
};

template <class Operation, class Out>
FASTNP_AVX2 void half_bits_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(Out);
    const intptr_t n = dimensions[0];
    const bool apart = args[0] + 2 * n <= args[1] || args[1] + n * item <= args[0];
    if (strides[0] != 2 || strides[1] != item || !(apart || (item == 2 && args[0] == args[1])))
        return pass_on(args, dimensions, strides, data);
    const uint16_t* const in = reinterpret_cast<const uint16_t*>(args[0]);
    Out* const out = reinterpret_cast<Out*>(args[1]);
#pragma GCC ivdep
    for (intptr_t i = 0; i < n; ++i) out[i] = Operation::apply(in[i]);
}

// --- extrema ---

// NumPy: of two that are equal, zeros of either sign, the first. A NaN stays, or with NUMBERS gives way to what is none.
template <bool LARGEST, bool NUMBERS>
[[gnu::always_inline]] inline uint16_t extremum_of_halves(uint16_t a, uint16_t b) {
    const int16_t first = order_of_half(a), second = order_of_half(b);
    const bool beyond = LARGEST ? second > first : second < first;
    const bool nan = is_nan(NUMBERS ? a : b), stays = is_nan(NUMBERS ? b : a);
    return (beyond | nan) & !stays ? b : a;
}

// Of a line, where none is NaN and the extremum no zero; these NumPy's loop says.
template <bool LARGEST>
FASTNP_AVX2 inline bool find_extremum_of_halves(const uint16_t* a, intptr_t n, uint16_t* extremum) {
    int16_t best = order_of_half(*extremum), largest = size_of_half(*extremum);
    for (intptr_t i = 0; i < n; ++i) {
        const int16_t order = order_of_half(a[i]);
        best = LARGEST ? std::max(best, order) : std::min(best, order);
        largest = std::max(largest, size_of_half(a[i]));
    }
    if (largest > kInfiniteHalf || best == 0) return false;
    *extremum = static_cast<uint16_t>(best < 0 ? -best | kSignOfHalf : best);
    return true;
}

template <bool LARGEST, bool NUMBERS>
FASTNP_AVX2 void extremum_of_halves_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const uint16_t *const a = reinterpret_cast<const uint16_t*>(args[0]), *const b = reinterpret_cast<const uint16_t*>(args[1]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[2]);
    if (is_of_line(args, strides, 2)) {
        if (!find_extremum_of_halves<LARGEST>(b, n, out)) pass_on(args, dimensions, strides, data);
        return;
    }
    const bool first = strides[0] == 0, second = strides[1] == 0;
    if ((strides[0] != 2 && !first) || (strides[1] != 2 && !second) || strides[2] != 2 ||
        !is_readable(args[0], first, args[2], 2 * n) || !is_readable(args[1], second, args[2], 2 * n))
        return pass_on(args, dimensions, strides, data);
    const uint16_t one = *a, other = *b;
    if (second) {
#pragma GCC ivdep
        for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of_halves<LARGEST, NUMBERS>(first ? one : a[i], other);
    } else if (first) {
#pragma GCC ivdep
        for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of_halves<LARGEST, NUMBERS>(one, b[i]);
    } else {
#pragma GCC ivdep
        for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of_halves<LARGEST, NUMBERS>(a[i], b[i]);
    }
}

FASTNP_AVX2 inline void clip_halves_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    if (strides[0] != 2 || strides[1] != 0 || strides[2] != 0 || strides[3] != 2 || !is_readable(args[0], false, args[3], 2 * n) ||
        !is_readable(args[1], true, args[3], 2 * n) || !is_readable(args[2], true, args[3], 2 * n))
        return pass_on(args, dimensions, strides, data);
    const uint16_t* const x = reinterpret_cast<const uint16_t*>(args[0]);
    const uint16_t low = *reinterpret_cast<const uint16_t*>(args[1]), high = *reinterpret_cast<const uint16_t*>(args[2]);
    uint16_t* const out = reinterpret_cast<uint16_t*>(args[3]);
    // One after the other, and each is compiled to vectors.
    constexpr intptr_t kBlock = 2048;
    for (intptr_t begin = 0; begin < n; begin += kBlock) {
        const intptr_t end = std::min(begin + kBlock, n);
#pragma GCC ivdep
        for (intptr_t i = begin; i < end; ++i) out[i] = extremum_of_halves<true, false>(x[i], low);
#pragma GCC ivdep
        for (intptr_t i = begin; i < end; ++i) out[i] = extremum_of_halves<false, false>(out[i], high);
    }
}

// The loop of a ufunc of float16 by name, whose result is of float16 or, where `truths`, of bool.
inline LoopFunction find_loop_of_half_bits(const char* name, bool truths) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (truths)
        return is("isnan")      ? half_bits_loop<IsNanOfHalf, uint8_t>
               : is("isinf")    ? half_bits_loop<IsInfOfHalf, uint8_t>
               : is("isfinite") ? half_bits_loop<IsFiniteOfHalf, uint8_t>
               : is("signbit")  ? half_bits_loop<SignBitOfHalf, uint8_t>
                                : nullptr;
    return is("negative")  ? half_bits_loop<NegativeOfHalf, uint16_t>
           : is("sign")    ? half_bits_loop<SignOfHalf, uint16_t>
           : is("maximum") ? extremum_of_halves_loop<true, false>
           : is("minimum") ? extremum_of_halves_loop<false, false>
           : is("fmax")    ? extremum_of_halves_loop<true, true>
           : is("fmin")    ? extremum_of_halves_loop<false, true>
                           : nullptr;
}

#endif

}  // namespace fastnp
