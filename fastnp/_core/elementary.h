// Loops of the elementary functions on vectors: our own, SLEEF's, which libtorch carries and ATen's own kernels call, or MKL's.
//
// NumPy has them on vectors for AVX-512 alone, and calls the C library for one number after the other elsewhere: two to
// ten times the time. Results lie within one unit in the last place of the C library's, and are the same for a number
// wherever it stands, in arrays of any size and layout (of sin, cos and tan beside small numbers only: four or eight that
// lie side by side are reduced in the way that the largest of them needs). What a flag may belong to (results that are not
// finite, zero, or below the normal numbers) is known by its operand or asked of NumPy's own loop: the flags are NumPy's.
//
// Exponentials, logarithms, hyperbolic functions and arcus tangent are our own, and powers: SLEEF's 10 ** -5 is not 1e-5. Where
// they are not sure of their operands SLEEF's are in their place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "arctangents.h"
#include "domains.h"
#include "dtype.h"
#include "float_flags.h"
#include "float_functions.h"
#include "hyperbolic.h"
#include "hypotenuses.h"
#include "iteration.h"
#include "logarithms.h"
#include "own_loops.h"
#include "powers.h"
#include "quick_mkl.h"
#include "sines.h"
#include "by_block.h"

#ifdef FASTNP_X86

// Weak: a libtorch without them leaves NumPy's loops in place.
#define FASTNP_SLEEF_UNARY(NAME)                                                           \
    extern "C" __attribute__((weak, target("avx2"))) __m256d Sleef_##NAME##d4_u10avx2(__m256d); \
    extern "C" __attribute__((weak, target("avx2"))) __m256 Sleef_##NAME##f8_u10avx2(__m256);
#define FASTNP_SLEEF_BINARY(NAME, ERROR)                                                                 \
    extern "C" __attribute__((weak, target("avx2"))) __m256d Sleef_##NAME##d4_##ERROR##avx2(__m256d, __m256d); \
    extern "C" __attribute__((weak, target("avx2"))) __m256 Sleef_##NAME##f8_##ERROR##avx2(__m256, __m256);
FASTNP_SLEEF_UNARY(acos)
FASTNP_SLEEF_UNARY(acosh)
FASTNP_SLEEF_UNARY(asin)
FASTNP_SLEEF_UNARY(asinh)
FASTNP_SLEEF_UNARY(atan)
FASTNP_SLEEF_UNARY(atanh)
FASTNP_SLEEF_UNARY(cbrt)
FASTNP_SLEEF_UNARY(cos)
FASTNP_SLEEF_UNARY(cosh)
FASTNP_SLEEF_UNARY(exp)
FASTNP_SLEEF_UNARY(exp2)
FASTNP_SLEEF_UNARY(expm1)
FASTNP_SLEEF_UNARY(log)
FASTNP_SLEEF_UNARY(log10)
FASTNP_SLEEF_UNARY(log1p)
FASTNP_SLEEF_UNARY(log2)
FASTNP_SLEEF_UNARY(sin)
FASTNP_SLEEF_UNARY(sinh)
FASTNP_SLEEF_UNARY(tan)
FASTNP_SLEEF_UNARY(tanh)
FASTNP_SLEEF_BINARY(atan2, u10)
#undef FASTNP_SLEEF_UNARY
#undef FASTNP_SLEEF_BINARY

#endif

namespace fastnp {

#ifdef FASTNP_X86

// The lanes of a result that are finite, not zero, and no less than the normal numbers.
template <class T, class V>
FASTNP_AVX2 inline V usual_lanes(V result) {
    const V size = absolute(result);
    return both(compare<_CMP_GE_OQ>(size, repeat_vector(std::numeric_limits<T>::min())),
                compare<_CMP_LE_OQ>(size, repeat_vector(std::numeric_limits<T>::max())));
}

// --- functions: the value, whether it can be trusted where it is usual, whether it is known where it is not ---

struct OfOne {
    static constexpr int kOperands = 1;
    static constexpr bool kByBlock = false, kDoubtful = false, kExact = false, kZeros = false, kKeepsZeros = false;
    using Where = Everywhere;
    using Calls = NoCalls;
};
struct OfTwo {
    static constexpr int kOperands = 2;
    static constexpr bool kByBlock = false, kDoubtful = false, kExact = false, kZeros = false, kKeepsZeros = false;
    using Where = Everywhere;
    using Calls = NoCalls;
};

template <class T, class V, V (*FUNCTION)(V), Zero ZERO, class WHERE>
struct Value : OfOne {
    static constexpr bool kZeros = ZERO == Zero::kOfOne, kKeepsZeros = ZERO == Zero::kOfZero;
    using Where = WHERE;
    FASTNP_AVX2 static inline V apply(V a, V) { return FUNCTION(a); }
    static inline bool is_known(T a, T, T* result, unsigned* state) { return is_known_value<ZERO, WHERE>(a, result, state); }
};

template <bool COSINE>
struct InverseHyperbolic : OfOne {
    static constexpr bool kDoubtful = true;
    using Where = std::conditional_t<COSINE, FromOne, Everywhere>;
    FASTNP_FUSED static inline __m256d apply(__m256d a, __m256d) {
        return either(inverse_hyperbolic<COSINE>(absolute(a)), zero_like(a));
    }
    FASTNP_AVX2 static inline __m256d is_sure(__m256d a, __m256d) {
        return compare<_CMP_LT_OQ>(absolute(a), repeat_vector(0x1p511));
    }
    static inline bool is_known(double a, double, double* result, unsigned* state) {
        return is_known_value<COSINE ? Zero::kOfOne : Zero::kOfZero, Where>(a, result, state);
    }
};

template <class T, class V, V (*ATAN2)(V, V)>
struct Arctan2 : OfTwo {
    static constexpr bool kDoubtful = true, kZeros = true;
    FASTNP_AVX2 static inline V apply(V a, V b) { return ATAN2(a, b); }
    // A result may vanish of zeros alone.
    FASTNP_AVX2 static inline V is_sure(V a, V b) {
        const V least = multiply(absolute(b), repeat_vector(sizeof(T) == 8 ? T(1e-290) : T(1e-30)));
        return either(compare<_CMP_GT_OQ>(absolute(a), least), compare<_CMP_EQ_OQ>(a, repeat_vector(T(0))));
    }
    static inline bool is_known(T a, T b, T* result, unsigned*) {
        if (a != 0 || b != b) return false;
        *result = std::signbit(b) ? std::copysign(T(3.14159265358979323846), a) : a;
        return true;
    }
};

using Arctan2OfDoubles = FusedWhereBetween<double, of_doubles::arctan2, Arctan2<double, __m256d, Sleef_atan2d4_u10avx2>>;
using Arctan2OfFloats =
    FusedWhereBetween<float, of_floats::by_doubles<of_floats::arctan2>, Arctan2<float, __m256, Sleef_atan2f8_u10avx2>>;

template <class T, class V>
struct Hypotenuse : OfTwo {
    FASTNP_FUSED static inline V apply(V a, V b) { return hypotenuse(a, b); }
    static inline bool is_known(T a, T b, T* result, unsigned*) {
        if (a != 0 || b != 0) return false;
        *result = 0;
        return true;
    }
};

// The larger operand and the logarithm of 1 + exp(-distance), which vanishes where they are far apart.
template <class T, class V, V (*LOG_BESIDE_ONE)(V), bool BINARY>
struct SumOfExponentials : OfTwo {
    static constexpr bool kDoubtful = true;
    FASTNP_AVX2 static inline V apply(V a, V b) {
        constexpr T one = BINARY ? T(1) : T(0.693147180559945309417232121458176568L);
        // NumPy: of equal ones (`logaddexp(x, x)`) it computes nothing.
        if (bits_of(compare<_CMP_EQ_OQ>(a, b)) == (1u << 32 / sizeof(T)) - 1) return add(a, repeat_vector(one));
        const V larger = choose(compare<_CMP_GT_OQ>(a, b), a, b);
        const V more = LOG_BESIDE_ONE(subtract(repeat_vector(T(0)), absolute(subtract(a, b))));
        if (!BINARY) return add(larger, more);
        const V bits = multiply(more, repeat_vector(T(1.442695040888963407359924681001892137L)));
        return add(larger, choose(compare<_CMP_EQ_OQ>(a, b), repeat_vector(T(1)), bits));
    }
    FASTNP_AVX2 static inline V is_sure(V a, V b) {
        return compare<_CMP_LT_OQ>(absolute(subtract(a, b)), repeat_vector(sizeof(T) == 8 ? T(700) : T(80)));
    }
    // Nothing is added to the other one.
    static inline bool is_known(T a, T b, T* result, unsigned*) {
        if (a != a || b != b || (a == -kInfinity<T>) == (b == -kInfinity<T>)) return false;
        *result = (a == -kInfinity<T> ? b : a) + 0;
        return true;
    }
};

template <class T, class V>
struct Power : OfTwo {
    using Where = NoRoots;
    static constexpr bool kZeros = true;
    FASTNP_FUSED static inline V apply(V a, V b) { return powers::power(a, b); }
    static inline bool is_known(T a, T b, T* result, unsigned*) {
        if (a == 1 || b == 0 || (a == a && b == b)) return false;
        *result = a == a ? b : a;
        return true;
    }
};

// What a division leaves, exactly: its quotient is an integer that a number holds, and at most one too large by rounding.
template <class T, class V>
FASTNP_FUSED inline V rest_of(V a, V b) {
    const V rest = subtract_product(rounded<_MM_FROUND_TO_ZERO>(divide(a, b)), b, a), signs = zero_like(a);
    const V more = add(rest, either(absolute(b), signs));
    const V exact = choose(compare<_CMP_LT_OQ>(differ(rest, signs), repeat_vector(T(0))), more, rest);
    return choose(compare<_CMP_LT_OQ>(absolute(a), absolute(b)), a, exact);
}

// Quotients that no number holds with all their digits are NumPy's.
template <class T, class V>
struct Division : OfTwo {
    static constexpr bool kDoubtful = true, kExact = true, kZeros = true;
    FASTNP_AVX2 static inline V is_sure(V a, V b) {
        return compare<_CMP_LT_OQ>(absolute(a), multiply(absolute(b), repeat_vector(sizeof(T) == 8 ? T(1e15) : T(1e7))));
    }
    static inline bool is_known(T a, T b, T* result, unsigned* state) {
        if (b != 0 || a != a) return false;
        *result = (a * b) / (a * b);  // the C library's NaN
        *state |= kInvalid;
        return true;
    }
};
template <class T, class V>
struct Fmod : Division<T, V> {
    FASTNP_AVX2 static inline V apply(V a, V b) {
        const V rest = rest_of<T>(a, b);
        return choose(compare<_CMP_EQ_OQ>(rest, repeat_vector(T(0))), zero_like(a), rest);
    }
};
// Python's: of the divisor's sign.
template <class T, class V>
struct Remainder : Division<T, V> {
    FASTNP_AVX2 static inline V apply(V a, V b) {
        const V rest = rest_of<T>(a, b), zero = repeat_vector(T(0));
        const V other = differ(compare<_CMP_LT_OQ>(b, zero), compare<_CMP_LT_OQ>(rest, zero));
        return choose(compare<_CMP_EQ_OQ>(rest, zero), zero_like(b), choose(other, add(rest, b), rest));
    }
};
template <class T, class V>
struct FloorDivide : Division<T, V> {
    // A quotient may vanish: NumPy says so by a flag.
    FASTNP_AVX2 static inline V is_sure(V a, V b) {
        const V least = multiply(absolute(b), repeat_vector(sizeof(T) == 8 ? T(1e-300) : T(1e-30)));
        const V lasts = either(compare<_CMP_GE_OQ>(absolute(a), least), compare<_CMP_EQ_OQ>(a, repeat_vector(T(0))));
        return both(Division<T, V>::is_sure(a, b), lasts);
    }
    static inline bool is_known(T a, T b, T* result, unsigned* state) {
        if (b != 0 || a != a) return false;
        *result = a / b;
        if (a == 0 || std::isfinite(a)) *state |= a == 0 ? kInvalid : kDivide;
        return true;
    }
    FASTNP_AVX2 static inline V apply(V a, V b) {
        const V rest = rest_of<T>(a, b), zero = repeat_vector(T(0)), one = repeat_vector(T(1));
        const V other = differ(compare<_CMP_LT_OQ>(b, zero), compare<_CMP_LT_OQ>(rest, zero));
        const V less = both(both(other, compare<_CMP_NEQ_UQ>(rest, zero)), one);
        const V quotient = subtract(divide(subtract(a, rest), b), less);
        const V floored = rounded<_MM_FROUND_TO_NEG_INF>(quotient);
        const V above = both(compare<_CMP_GT_OQ>(subtract(quotient, floored), repeat_vector(T(0.5))), one);
        return choose(compare<_CMP_EQ_OQ>(quotient, zero), zero_like(divide(a, b)), add(floored, above));
    }
};

// --- the loop: some elements at a time ---

template <class T, class FUNCTION>
inline constexpr intptr_t kElementaryBlock = (std::is_same_v<typename FUNCTION::Calls, VmlCalls> ? kVmlBlock : 1024) / sizeof(T);

template <class T, class FUNCTION, class V>
FASTNP_AVX2 inline V can_be_kept(V result, V a, V b) {
    V usual = usual_lanes<T>(result);
    if constexpr (FUNCTION::kZeros) usual = either(usual, compare<_CMP_EQ_OQ>(result, repeat_vector(T(0))));
    if constexpr (FUNCTION::kKeepsZeros) usual = either(usual, compare<_CMP_EQ_OQ>(a, repeat_vector(T(0))));
    if constexpr (FUNCTION::kDoubtful)
        return both(usual, FUNCTION::is_sure(a, b));
    else
        return usual;
}

template <class T, class FUNCTION, class V>
FASTNP_AVX2 inline V is_settled(V result, V a, V b) {
    const V kept = can_be_kept<T, FUNCTION>(result, a, b);
    if constexpr (FUNCTION::Where::kFlag == 0) return kept;
    else return either(kept, FUNCTION::Where::template outside<T>(a, b, result));
}

// The results of operands, the lanes that are settled by them, and those that raise a flag. A division that is not kept is not
// begun: of zeros and the like it takes many times as long.
template <class T, class FUNCTION, class V>
FASTNP_AVX2 inline V results_of(V a, V b, V* settled, V* raised) {
    using Where = typename FUNCTION::Where;
    if constexpr (Where::kFlag == kInvalid) {
        const V outside = Where::template outside<T>(a, b, a), none = Where::template value<T>(a);
        *settled = outside;
        *raised = either(*raised, outside);
        if (bits_of(outside) == kAllLanes<T>) return none;
        const V result = choose(outside, none, FUNCTION::apply(a, b));
        *settled = either(outside, can_be_kept<T, FUNCTION>(result, a, b));
        return result;
    } else if constexpr (FUNCTION::kExact) {
        const V sure = FUNCTION::is_sure(a, b), one = repeat_vector(T(1));
        const V result = FUNCTION::apply(choose(sure, a, one), choose(sure, b, one));
        *settled = can_be_kept<T, FUNCTION>(result, a, b);
        return result;
    } else {
        const V result = FUNCTION::apply(a, b);
        *settled = can_be_kept<T, FUNCTION>(result, a, b);
        if constexpr (Where::kFlag != 0) {
            if (bits_of(*settled) == kAllLanes<T>) return result;
            const V outside = Where::template outside<T>(a, b, result);
            *settled = either(*settled, outside);
            *raised = either(*raised, outside);
        }
        return result;
    }
}

// The results of one vector of a block, whose sure ones are computed.
template <class T, class FUNCTION, class V>
FASTNP_AVX2 inline V results_of_rest(V a, V computed, V* settled, V* raised) {
    const V sure = FUNCTION::is_sure(a), others = choose(sure, repeat_vector(T(1)), a);
    *settled = sure;
    if (bits_of(sure) == kAllLanes<T>) return computed;
    const V results = results_of<T, FUNCTION>(others, others, settled, raised);
    *settled = either(*settled, sure);
    return choose(sure, computed, results);
}

// Compute a block; whether all results can be kept. Of a function by the block what it is not sure of follows by the vector.
template <class T, class FUNCTION>
FASTNP_AVX2 inline bool compute_block(const T* a, const T* b, T* out, intptr_t n,
                                      [[maybe_unused]] typename FUNCTION::Calls* calls, unsigned* state) {
    if constexpr (FUNCTION::kByBlock)
        if (FUNCTION::compute(a, b, out, n, calls)) return true;
    constexpr bool rest = FUNCTION::kByBlock && FUNCTION::kOperands == 1;
    constexpr intptr_t width = 32 / sizeof(T);
    using V = typename VectorOf<T>::Type;
    V kept = compare<_CMP_EQ_OQ>(repeat_vector(T(0)), repeat_vector(T(0))), raised = repeat_vector(T(0)), settled;
    unsigned doubtful = 0;
    intptr_t i = 0;
    for (; i + width <= n; i += width) {
        const V first = load_vector(a + i), second = FUNCTION::kOperands == 2 ? load_vector(b + i) : first;
        if constexpr (rest)
            store_vector(out + i, results_of_rest<T, FUNCTION>(first, load_vector(out + i), &settled, &raised));
        else
            store_vector(out + i, results_of<T, FUNCTION>(first, second, &settled, &raised));
        kept = both(kept, settled);
    }
    if (i < n) {
        const __m256i lanes = first_lanes(a, n - i);
        const V first = load_lanes(a + i, lanes), second = FUNCTION::kOperands == 2 ? load_lanes(b + i, lanes) : first;
        if constexpr (rest)
            store_lanes(out + i, lanes,
                        results_of_rest<T, FUNCTION>(first, load_lanes(out + i, lanes), &settled, &raised));
        else
            store_lanes(out + i, lanes, results_of<T, FUNCTION>(first, second, &settled, &raised));
        doubtful = ~bits_of(settled) & bits_of(lanes, a);
    }
    if (FUNCTION::Where::kFlag != 0 && bits_of(raised) != 0) *state |= FUNCTION::Where::kFlag;
    return doubtful == 0 && bits_of(kept) == kAllLanes<T>;
}

// Ask NumPy's loop for the results of a block that cannot be kept and are not known, all of them at once.
template <class T, class FUNCTION>
FASTNP_AVX2 void mend_block(const T* a, const T* b, T* out, intptr_t n, const intptr_t* strides, void* data, unsigned* state) {
    constexpr intptr_t width = 32 / sizeof(T);
    constexpr intptr_t block = kElementaryBlock<T, FUNCTION>;
    T first[block], second[block], found[block];
    intptr_t places[block], count = 0;
    const bool two = FUNCTION::kOperands == 2;
    for (intptr_t begin = 0; begin < n; begin += width) {
        const __m256i lanes = first_lanes(a, std::min(n - begin, width));
        const auto one = load_lanes(a + begin, lanes), other = two ? load_lanes(b + begin, lanes) : one;
        const auto result = load_lanes(out + begin, lanes);
        unsigned doubtful = ~bits_of(is_settled<T, FUNCTION>(result, one, other)) & bits_of(lanes, a);
        for (; doubtful != 0; doubtful &= doubtful - 1) {
            const intptr_t i = begin + __builtin_ctz(doubtful);
            if (FUNCTION::is_known(a[i], two ? b[i] : a[i], out + i, state)) continue;
            first[count] = a[i];
            if (two) second[count] = b[i];
            places[count++] = i;
        }
    }
    if (count == 0) return;
    char* args[] = {reinterpret_cast<char*>(first), reinterpret_cast<char*>(second), reinterpret_cast<char*>(found)};
    if (!two) args[1] = args[2];
    // A loop may treat what is repeated in a way of its own.
    const auto step = [strides](int k) { return strides[k] == 0 ? 0 : static_cast<intptr_t>(sizeof(T)); };
    const intptr_t steps[] = {step(0), step(1), sizeof(T)};
    _mm_setcsr(*state);
    pass_on(args, &count, steps, data);
    *state |= raised_float_flags(true);
    for (intptr_t k = 0; k < count; ++k) out[places[k]] = found[k];
}

// Whether what is written may be read afterwards as another element of an operand.
inline bool may_overlap(const char* in, intptr_t in_step, const char* out, intptr_t out_step, intptr_t n, intptr_t item) {
    if (in == out && in_step == out_step && (out_step >= item || out_step <= -item)) return false;
    const auto first = [=](const char* at, intptr_t step) { return at + (step < 0 ? (n - 1) * step : 0); };
    const auto last = [=](const char* at, intptr_t step) { return at + (step > 0 ? (n - 1) * step : 0) + item; };
    return first(in, in_step) < last(out, out_step) && first(out, out_step) < last(in, in_step);
}

// One element after the other, as NumPy's loops do it: of what is written, the next one may be computed.
template <class T, class FUNCTION>
FASTNP_AVX2 void elementary_loop_in_turn(char** args, intptr_t n, const intptr_t* strides, void* data) {
    constexpr int results = FUNCTION::kOperands;
    if constexpr (FUNCTION::kExact) return pass_on(args, &n, strides, data);
    [[maybe_unused]] typename FUNCTION::Calls calls;
    unsigned state = _mm_getcsr();
    for (intptr_t i = 0; i < n; ++i) {
        const T first = *reinterpret_cast<const T*>(args[0] + i * strides[0]);
        const T second = results == 2 ? *reinterpret_cast<const T*>(args[1] + i * strides[1]) : first;
        T result;
        if (!compute_block<T, FUNCTION>(&first, &second, &result, 1, &calls, &state))
            mend_block<T, FUNCTION>(&first, &second, &result, 1, strides, data, &state);
        *reinterpret_cast<T*>(args[results] + i * strides[results]) = result;
    }
    _mm_setcsr(state);
}

template <class T, class FUNCTION>
FASTNP_AVX2 void elementary_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), block = kElementaryBlock<T, FUNCTION>;
    constexpr int results = FUNCTION::kOperands;
    const intptr_t n = dimensions[0], step = strides[results];
    // Each waits for the one before: a call of the C library is shorter than that of a vector.
    if (step == 0) return pass_on(args, dimensions, strides, data);
    // Of no division by zero is there a rest to compute.
    if constexpr (FUNCTION::kExact)
        if (strides[1] == 0 && *reinterpret_cast<const T*>(args[1]) == 0) return pass_on(args, dimensions, strides, data);
    bool direct = step == item;
    for (int k = 0; k < results; ++k) {
        if (may_overlap(args[k], strides[k], args[results], step, n, item))
            return elementary_loop_in_turn<T, FUNCTION>(args, n, strides, data);
        direct = direct && args[k] != args[results];
    }
    [[maybe_unused]] typename FUNCTION::Calls calls;
    // The flags that vectors raise on the way say nothing about the results.
    unsigned state = _mm_getcsr();
    T held[3][block];
    for (int k = 0; k < results; ++k)
        if (strides[k] == 0) std::fill_n(held[k], std::min(n, block), *reinterpret_cast<const T*>(args[k]));
    for (intptr_t begin = 0; begin < n; begin += block) {
        const intptr_t length = std::min(block, n - begin);
        const T* operand[2];
        for (int k = 0; k < results; ++k) {
            const char* const in = args[k] + begin * strides[k];
            operand[k] = strides[k] == item ? reinterpret_cast<const T*>(in) : held[k];
            if (strides[k] == item || strides[k] == 0) continue;
            for (intptr_t i = 0; i < length; ++i) held[k][i] = *reinterpret_cast<const T*>(in + i * strides[k]);
        }
        if (results == 1) operand[1] = operand[0];
        char* const into = args[results] + begin * step;
        T* const out = direct ? reinterpret_cast<T*>(into) : held[2];
        if (!compute_block<T, FUNCTION>(operand[0], operand[1], out, length, &calls, &state))
            mend_block<T, FUNCTION>(operand[0], operand[1], out, length, strides, data, &state);
        if (direct) continue;
        if (step == item)
            std::memcpy(into, out, length * item);
        else
            for (intptr_t i = 0; i < length; ++i) *reinterpret_cast<T*>(into + i * step) = out[i];
    }
    _mm_setcsr(state);
}

template <class T, bool HAS_ROOT = true>
FASTNP_AVX2 void power_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (simple_power<T, HAS_ROOT>(args, dimensions, strides, data)) return;
    elementary_loop<T, Power<T, typename VectorOf<T>::Type>>(args, dimensions, strides, data);
}

// --- which ---

struct Elementary {
    const char* name;
    LoopFunction doubles, floats;
    // Whether NumPy has no loop on vectors for AVX-512 either.
    bool always_doubles, always_floats;
    // Whether torch's loop for AVX-512 takes less time (0.6): arrays that are not small are its own.
    bool torch_is_faster = false;
    // Whether MKL's takes less time than NumPy's for AVX-512, on the processors that it is best for (0.5 to 0.9).
    bool mkl_doubles = false, mkl_floats = false;
};

#define FASTNP_DOUBLE(SLEEF, ZERO, ...) Value<double, __m256d, Sleef_##SLEEF##d4_u10avx2, Zero::ZERO, __VA_ARGS__>
#define FASTNP_FLOAT(SLEEF, ZERO, ...) Value<float, __m256, Sleef_##SLEEF##f8_u10avx2, Zero::ZERO, __VA_ARGS__>
// A value of SLEEF's with what it is sure of: from where on, and up to what.
#define FASTNP_DOUBLES(LEAST, MOST, SLEEF, ...) \
    (Sleef_##SLEEF##d4_u10avx2 \
         ? elementary_loop<double, WhereSure<double, FASTNP_DOUBLE(SLEEF, __VA_ARGS__), Least::LEAST, MOST>> \
         : nullptr)
#define FASTNP_FLOATS(LEAST, MOST, SLEEF, ...) \
    (Sleef_##SLEEF##f8_u10avx2 \
         ? elementary_loop<float, WhereSure<float, FASTNP_FLOAT(SLEEF, __VA_ARGS__), Least::LEAST, MOST>> \
         : nullptr)
#define FASTNP_UNARY(NAME, LEAST, MOST, MOST_OF_FLOATS, ...) \
    {NAME, FASTNP_DOUBLES(LEAST, MOST, __VA_ARGS__), FASTNP_FLOATS(LEAST, MOST_OF_FLOATS, __VA_ARGS__), false, \
     false}
// Ours, by NumPy's name, with SLEEF's elsewhere; and MKL's where it takes less time.
#define FASTNP_OUR_DOUBLES(NAME, LEAST, MOST, SLEEF, ...)                                                                    \
    (Sleef_##SLEEF##d4_u10avx2                                                                                               \
         ? elementary_loop<double, FusedWhereSure<double, of_doubles::NAME, FASTNP_DOUBLE(SLEEF, __VA_ARGS__), Least::LEAST, \
                                                  MOST>>                                                                     \
         : nullptr)
#define FASTNP_OUR_FLOATS(NAME, LEAST, MOST, SLEEF, ...)                                                            \
    (Sleef_##SLEEF##f8_u10avx2                                                                                      \
         ? elementary_loop<float, FusedWhereSure<float, of_floats::by_doubles<of_floats::NAME>,                     \
                                                 FASTNP_FLOAT(SLEEF, __VA_ARGS__), Least::LEAST, MOST>>             \
         : nullptr)
#define FASTNP_OURS(NAME, LEAST, MOST, MOST_OF_FLOATS, ...) \
    {#NAME, FASTNP_OUR_DOUBLES(NAME, LEAST, MOST, __VA_ARGS__), FASTNP_OUR_FLOATS(NAME, LEAST, MOST_OF_FLOATS, __VA_ARGS__), \
     false, false}
#define FASTNP_OURS_OR(WHEN, MKL, MKL_FLOATS, NAME, LEAST, MOST, MOST_OF_FLOATS, SLEEF, ...)                           \
    {#NAME,                                                                                                            \
     (WHEN) && vmd##MKL && MKL_Set_Num_Threads_Local && Sleef_##SLEEF##d4_u10avx2                                      \
         ? elementary_loop<double, ByVml<double, vmd##MKL, FASTNP_DOUBLE(SLEEF, __VA_ARGS__), Least::LEAST, MOST>>     \
         : FASTNP_OUR_DOUBLES(NAME, LEAST, MOST, SLEEF, __VA_ARGS__),                                                  \
     (WHEN) && vms##MKL && MKL_Set_Num_Threads_Local && Sleef_##SLEEF##f8_u10avx2                                      \
         ? elementary_loop<float, ByVml<float, vms##MKL, FASTNP_FLOAT(SLEEF, __VA_ARGS__), Least::LEAST, MOST_OF_FLOATS>> \
         : FASTNP_OUR_FLOATS(NAME, LEAST, MOST_OF_FLOATS, SLEEF, __VA_ARGS__),                                         \
     false, false, false, true, MKL_FLOATS}
#define FASTNP_DOUBLES_OF(WHEN, MKL, LEAST, MOST, SLEEF, ...)                                                      \
    ((WHEN) && vmd##MKL && MKL_Set_Num_Threads_Local && Sleef_##SLEEF##d4_u10avx2                                  \
         ? elementary_loop<double, ByVml<double, vmd##MKL, FASTNP_DOUBLE(SLEEF, __VA_ARGS__), Least::LEAST, MOST>> \
         : FASTNP_DOUBLES(LEAST, MOST, SLEEF, __VA_ARGS__))
#define FASTNP_FLOATS_OF(WHEN, MKL, LEAST, MOST, SLEEF, ...)                                                   \
    ((WHEN) && vms##MKL && MKL_Set_Num_Threads_Local && Sleef_##SLEEF##f8_u10avx2                              \
         ? elementary_loop<float, ByVml<float, vms##MKL, FASTNP_FLOAT(SLEEF, __VA_ARGS__), Least::LEAST, MOST>> \
         : FASTNP_FLOATS(LEAST, MOST, SLEEF, __VA_ARGS__))
// Without a part that is sure.
#define FASTNP_SEEN(T, V, WIDTH, SLEEF, ...) \
    (Sleef_##SLEEF##WIDTH##_u10avx2 \
         ? elementary_loop<T, Value<T, V, Sleef_##SLEEF##WIDTH##_u10avx2, Zero::__VA_ARGS__>> \
         : nullptr)
#define FASTNP_SINE(COSINE, MKL, SLEEF, ...)                                                                           \
    (!Sleef_##SLEEF##f8_u10avx2 ? nullptr                                                                              \
     : mkl && vms##MKL && MKL_Set_Num_Threads_Local                                                                 \
         ? elementary_loop<float, ByVml<float, vms##MKL, Sine<COSINE, FASTNP_FLOAT(SLEEF, __VA_ARGS__)>,               \
                                        COSINE ? Least::kAny : Least::kNormalOrZero, kReducedByMkl>>                   \
         : elementary_loop<float, Sine<COSINE, FASTNP_FLOAT(SLEEF, __VA_ARGS__)>>)
#define FASTNP_DIVISION(NAME, FORM) \
    {NAME, elementary_loop<double, FORM<double, __m256d>>, elementary_loop<float, FORM<float, __m256>>, true, \
     true}

template <bool BINARY>
inline LoopFunction sum_of_exponentials(bool doubles) {
    constexpr auto of_double = BINARY ? of_doubles::log1p_of_exp2 : of_doubles::log1p_of_exp;
    constexpr auto composed = BINARY ? of_floats::log1p_of_exp2 : of_floats::log1p_of_exp;
    constexpr __m256 (*of_float)(__m256) = of_floats::by_doubles<composed>;
    if (doubles) return elementary_loop<double, SumOfExponentials<double, __m256d, of_double, BINARY>>;
    return elementary_loop<float, SumOfExponentials<float, __m256, of_float, BINARY>>;
}

inline const Elementary* find_elementary(const char* name) {
    const bool halves = computes_by_halves(), widest = mkl_is_quick() && has_avx512(), mkl = halves || widest;
    static const Elementary all[] = {
        {"arccos", FASTNP_DOUBLES_OF(mkl, Acos, kAny, 1, acos, kOfOne, UpToOne),
         FASTNP_FLOATS_OF(halves, Acos, kAny, 1, acos, kOfOne, UpToOne), false, false, false, true, false},
        {"arccosh", elementary_loop<double, InverseHyperbolic<true>>,
         FASTNP_SEEN(float, __m256, f8, acosh, kOfOne, FromOne), false, false},
        {"arcsin", FASTNP_DOUBLES_OF(mkl, Asin, kNormalOrZero, 1, asin, kOfZero, UpToOne),
         FASTNP_FLOATS_OF(halves, Asin, kNormalOrZero, 1, asin, kOfZero, UpToOne), false, false, false, true, false},
        {"arcsinh", elementary_loop<double, InverseHyperbolic<false>>,
         FASTNP_FLOATS(kNormalOrZero, 1 << 30, asinh, kOfZero, Everywhere), false, false},
        FASTNP_OURS(arctan, kNormalOrZero, kFinite, kFinite, atan, kOfZero, Everywhere),
        FASTNP_OURS(arctanh, kNormalOrZero, kBelowOne, kBelowOne, atanh, kOfZero, BelowOne),
        FASTNP_UNARY("cbrt", kNormalOrZero, kFinite, kFinite, cbrt, kOfZero, Everywhere),
        {"cos", FASTNP_DOUBLES_OF(mkl, Cos, kAny, 65536, cos, kNever, Finite),
         FASTNP_SINE(true, Cos, cos, kNever, Finite), true, false, false, true, true},
        FASTNP_OURS(cosh, kAny, 700, 87, cosh, kNever, Overflows<false, 1>),
        FASTNP_OURS_OR(widest, Exp, true, exp, kAny, 708, 87, exp, kVanished, Overflows<false>),
        {"exp2", FASTNP_OUR_DOUBLES(exp2, kAny, 1000, exp2, kVanished, Overflows<true>),
         FASTNP_FLOATS(kAny, 120, exp2, kVanished, Overflows<true>), false, false},
        FASTNP_OURS(expm1, kNormalOrZero, 700, 87, expm1, kOfZero, Overflows<false>),
        FASTNP_OURS_OR(widest, Ln, true, log, kPositive, kFinite, kFinite, log, kOfOne, Above<0>),
        FASTNP_OURS_OR(widest, Log10, false, log10, kPositive, kFinite, kFinite, log10, kOfOne, Above<0>),
        FASTNP_OURS(log1p, kAboveMinusOne, kFinite, kFinite, log1p, kOfZero, Above<-1>),
        FASTNP_OURS_OR(widest, Log2, false, log2, kPositive, kFinite, kFinite, log2, kOfOne, Above<0>),
        {"sin", FASTNP_DOUBLES_OF(mkl, Sin, kNormalOrZero, 65536, sin, kOfZero, Finite),
         FASTNP_SINE(false, Sin, sin, kOfZero, Finite), true, false, false, true, true},
        FASTNP_OURS(sinh, kNormalOrZero, 700, 87, sinh, kOfZero, Overflows<false, 1>),
        {"tan", FASTNP_DOUBLES_OF(mkl, Tan, kNormalOrZero, 65536, tan, kOfZero, Finite),
         FASTNP_FLOATS_OF(halves, Tan, kNormalOrZero, 10000, tan, kOfZero, Finite), false, false, false, true, false},
        FASTNP_OURS(tanh, kNormalOrZero, kNoMost, kNoMost, tanh, kOfZero, Everywhere),
        {"arctan2", Sleef_atan2d4_u10avx2 ? elementary_loop<double, Arctan2OfDoubles> : nullptr,
         Sleef_atan2f8_u10avx2 ? elementary_loop<float, Arctan2OfFloats> : nullptr, false, false},
        FASTNP_DIVISION("floor_divide", FloorDivide),
        FASTNP_DIVISION("fmod", Fmod),
        {"hypot", elementary_loop<double, Hypotenuse<double, __m256d>>, elementary_loop<float, Hypotenuse<float, __m256>>, true,
         true},
        {"logaddexp", sum_of_exponentials<false>(true), sum_of_exponentials<false>(false), true, true, true},
        {"logaddexp2", sum_of_exponentials<true>(true), sum_of_exponentials<true>(false), true, true},
        {"float_power", power_loop<double, false>, nullptr, true, false},
        {"power", power_loop<double>, power_loop<float>, false, false},
        FASTNP_DIVISION("remainder", Remainder),
    };
    for (const Elementary& one : all)
        if (std::strcmp(one.name, name) == 0) return &one;
    return nullptr;
}
#undef FASTNP_DOUBLES
#undef FASTNP_FLOATS
#undef FASTNP_DOUBLE
#undef FASTNP_FLOAT
#undef FASTNP_DOUBLES_OF
#undef FASTNP_FLOATS_OF
#undef FASTNP_OUR_DOUBLES
#undef FASTNP_OUR_FLOATS
#undef FASTNP_OURS
#undef FASTNP_OURS_OR
#undef FASTNP_SINE
#undef FASTNP_SEEN
#undef FASTNP_UNARY
#undef FASTNP_DIVISION

inline LoopFunction elementary_loop_of(const char* name, int dtype) {
    if ((dtype != FLOAT64 && dtype != FLOAT32) || !has_avx2()) return nullptr;
    const Elementary* const found = find_elementary(name);
    if (found == nullptr) return nullptr;
    const bool doubles = dtype == FLOAT64;
    const bool always = doubles ? found->always_doubles : found->always_floats;
    const bool by_mkl = mkl_is_quick() && (doubles ? found->mkl_doubles : found->mkl_floats);
    if (has_avx512() && !always && !by_mkl) return nullptr;
    return doubles ? found->doubles : found->floats;
}

#endif

// Whether a function has a loop on vectors of ours, and arrays of any size are its own.
inline bool is_elementary(const char* name, int dtype) {
#ifdef FASTNP_X86
    return elementary_loop_of(name, dtype) != nullptr && !(has_avx512() && find_elementary(name)->torch_is_faster);
#else
    return false;
#endif
}

// Put a loop on vectors in the place of one of a ufunc whose operands and result are of one dtype; it is kept for ever.
inline void replace_by_elementary(const char* name, int nin, int nout, const int* dtypes, Loop* loop) {
#ifdef FASTNP_X86
    if (nout != 1) return;
    for (int i = 0; i < nin; ++i)
        if (dtypes[i] != dtypes[nin]) return;
    if (LoopFunction own = elementary_loop_of(name, dtypes[nin])) *loop = Loop{own, new Loop(*loop)};
#endif
}

}  // namespace fastnp
