// Where the elementary functions have no number, an infinite one or zero, and the flag that says so: NumPy's.
#pragma once

#include <cmath>
#include <limits>

#include "float_flags.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

template <class T>
inline constexpr T kInfinity = std::numeric_limits<T>::infinity();

// Where a function has no number or an infinite one, and says so by a flag: `outside` are the lanes that are settled by
// their operands, of poles one number is asked for.
struct Everywhere {
    static constexpr unsigned kFlag = 0;
    template <class T>
    static inline bool is_pole(T, T*) {
        return false;
    }
};
// NaN, whose sign is the C library's.
template <bool NEGATIVE>
struct Undefined : Everywhere {
    static constexpr unsigned kFlag = kInvalid;
    template <class T, class V>
    FASTNP_AVX2 static inline V value(V) {
        return repeat_vector(NEGATIVE ? -std::numeric_limits<T>::quiet_NaN() : std::numeric_limits<T>::quiet_NaN());
    }
};
struct Finite : Undefined<true> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V) {
        return compare<_CMP_EQ_OQ>(absolute(a), repeat_vector(kInfinity<T>));
    }
};
struct UpToOne : Undefined<false> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V) {
        return compare<_CMP_GT_OQ>(absolute(a), repeat_vector(T(1)));
    }
};
struct BelowOne : Undefined<true> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V) {
        return compare<_CMP_GT_OQ>(absolute(a), repeat_vector(T(1)));
    }
    template <class T>
    static inline bool is_pole(T a, T* result) {
        *result = std::copysign(kInfinity<T>, a);
        return std::fabs(a) == 1;
    }
};
struct FromOne : Undefined<true> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V) {
        return compare<_CMP_LT_OQ>(a, repeat_vector(T(1)));
    }
};
template <int LEAST>
struct Above : Undefined<LEAST != 0> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V) {
        return compare<_CMP_LT_OQ>(a, repeat_vector(T(LEAST)));
    }
    template <class T>
    static inline bool is_pole(T a, T* result) {
        *result = -kInfinity<T>;
        return a == LEAST;
    }
};
// Exponentials, which overflow; NumPy is asked about those that do so by little.
// (MORE: bits that a result loses.)
template <bool BINARY, int MORE = 0>
struct Overflows : Everywhere {
    static constexpr unsigned kFlag = kOverflow;
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V, V result) {
        constexpr T bits = std::numeric_limits<T>::max_exponent + MORE, bound = BINARY ? bits : bits * T(0.6931471805599453) + T(0.25);
        const V size = absolute(a), infinity = repeat_vector(kInfinity<T>);
        const V large = both(compare<_CMP_GE_OQ>(size, repeat_vector(bound)), compare<_CMP_LT_OQ>(size, infinity));
        return both(large, compare<_CMP_EQ_OQ>(absolute(result), infinity));
    }
};

// Powers of numbers below zero that are no integers.
struct NoRoots : Undefined<true> {
    template <class T, class V>
    FASTNP_AVX2 static inline V outside(V a, V b, V) {
        const V infinity = repeat_vector(kInfinity<T>), zero = repeat_vector(T(0));
        const V negative = both(compare<_CMP_LT_OQ>(a, zero), compare<_CMP_LT_OQ>(absolute(a), infinity));
        const V fraction = compare<_CMP_NEQ_OQ>(rounded<_MM_FROUND_TO_NEAREST_INT>(b), b);
        return both(negative, both(fraction, compare<_CMP_LT_OQ>(absolute(b), infinity)));
    }
};

// What a result of zero is.
enum class Zero {
    kOfZero,    // the operand, which is a zero of either sign
    kOfOne,     // exact
    kVanished,  // less than all numbers, unless the operand is infinite
    kNever,
};

// A result that is not a usual one, by its operand; false where NumPy has to be asked.
template <Zero ZERO, class WHERE, class T>
inline bool is_known_value(T a, T* result, unsigned* state) {
    if (a != a || (ZERO == Zero::kOfZero && a == 0)) {
        *result = a;
        return true;
    }
    if (std::fabs(a) == kInfinity<T> && std::fabs(*result) == kInfinity<T>) return true;
    T infinite;
    if (WHERE::is_pole(a, &infinite)) {
        *result = infinite;
        *state |= kDivide;
        return true;
    }
    if (*result != 0 || ZERO == Zero::kNever || ZERO == Zero::kOfZero) return false;
    *result = 0;
    if (ZERO == Zero::kVanished && a >= std::numeric_limits<T>::lowest()) *state |= kUnderflow;
    return true;
}

#endif

}  // namespace fastnp
