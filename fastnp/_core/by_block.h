// Elementary functions a block at a time: what is sure by its operand needs not be looked at beside its result.
//
// They are our own where that is known (of_doubles, of_floats), in 0.3 to 0.7 of the time of SLEEF's and of MKL's vector math,
// which libtorch carries and ATen calls. Others are SLEEF's, or MKL's where a processor computes vectors of 32 bytes by their
// halves (first-generation Zen), in 0.6 to 0.85 of SLEEF's time. On the processors that MKL is best for its loops for AVX-512 take
// 0.55 to 0.95 of NumPy's. A number's result is the same wherever it stands.
#pragma once

#include <cpuid.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "vectors_of_32.h"

#ifdef FASTNP_X86

// Weak: a libtorch without them leaves SLEEF's in place.
#define FASTNP_VML(NAME)                                                                             \
    extern "C" __attribute__((weak)) void vmd##NAME(int, const double*, double*, long long); \
    extern "C" __attribute__((weak)) void vms##NAME(int, const float*, float*, long long);
FASTNP_VML(Acos)
FASTNP_VML(Asin)
FASTNP_VML(Cos)
FASTNP_VML(Exp)
FASTNP_VML(Ln)
FASTNP_VML(Log10)
FASTNP_VML(Log2)
FASTNP_VML(Sin)
FASTNP_VML(Tan)
#undef FASTNP_VML
extern "C" __attribute__((weak)) int MKL_Set_Num_Threads_Local(int);
extern "C" __attribute__((weak)) int vmlGetErrStatus();
extern "C" __attribute__((weak)) int vmlClearErrStatus();

namespace fastnp {

// Whether vectors of 32 bytes are computed by their halves, as the processor says itself (AMD's leaf of performance).
inline bool computes_by_halves() {
    static const bool halves = [] {
        unsigned a = 0, b, c, d;
        return __get_cpuid(0x8000001a, &a, &b, &c, &d) && (a & 1) && !(a & 4);
    }();
    return halves;
}

// The first lanes, and what they load: ones behind them, since a division by zero takes as many steps as any.
FASTNP_AVX2 inline __m256i first_lanes(const double*, intptr_t n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
FASTNP_AVX2 inline __m256i first_lanes(const float*, intptr_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
FASTNP_AVX2 inline __m256d load_lanes(const double* a, __m256i lanes) {
    return _mm256_blendv_pd(_mm256_set1_pd(1.0), _mm256_maskload_pd(a, lanes), _mm256_castsi256_pd(lanes));
}
FASTNP_AVX2 inline __m256 load_lanes(const float* a, __m256i lanes) {
    return _mm256_blendv_ps(_mm256_set1_ps(1.0f), _mm256_maskload_ps(a, lanes), _mm256_castsi256_ps(lanes));
}
FASTNP_AVX2 inline void store_lanes(double* a, __m256i lanes, __m256d x) { _mm256_maskstore_pd(a, lanes, x); }
FASTNP_AVX2 inline void store_lanes(float* a, __m256i lanes, __m256 x) { _mm256_maskstore_ps(a, lanes, x); }
FASTNP_AVX2 inline unsigned bits_of(__m256i lanes, const double*) { return bits_of(_mm256_castsi256_pd(lanes)); }
FASTNP_AVX2 inline unsigned bits_of(__m256i lanes, const float*) { return bits_of(_mm256_castsi256_ps(lanes)); }

template <class T>
inline constexpr unsigned kAllLanes = (1u << 32 / sizeof(T)) - 1;

// Bytes of a block for MKL, which looks about before it computes.
inline constexpr intptr_t kVmlBlock = 32768;

// What calls for the blocks of one line share. MKL would divide a block of a few numbers among torch's threads, for ten times
// its duration.
class VmlCalls {
   public:
    bool are_sure = false;  // whether all operands of the block before were
    VmlCalls() : before_(MKL_Set_Num_Threads_Local(1)) {}
    ~VmlCalls() { MKL_Set_Num_Threads_Local(before_); }
    VmlCalls(const VmlCalls&) = delete;
    VmlCalls& operator=(const VmlCalls&) = delete;

    // Whether MKL says of what it computed since it was told to forget that an operand was outside a function's domain, or at
    // its edge.
    static bool can_say() { return vmlGetErrStatus && vmlClearErrStatus; }
    static void forget() { vmlClearErrStatus(); }
    static bool had_errors() { return vmlGetErrStatus() != 0; }

   private:
    int before_;
};

// Calls for one line share nothing.
struct NoCalls {};

// The least operands of which every result can be kept: it is known to be a usual number, or exact.
enum class Least { kPositive, kNormal, kNormalOrZero, kAboveMinusOne, kAny };
// The greatest, beside numbers: all that is finite, or infinity and NaN too, or what is less than one.
inline constexpr int kFinite = 0, kNoMost = -1, kBelowOne = -2;

// The word of a number that has its sign and exponent.
constexpr int32_t first_word(double x) { return static_cast<int32_t>(std::bit_cast<int64_t>(x) >> 32); }
constexpr int32_t first_word(float x) { return std::bit_cast<int32_t>(x); }
// Those of eight numbers, in any order.
FASTNP_AVX2 inline __m256i first_words(const double* a) {
    const __m256 low = _mm256_castpd_ps(_mm256_loadu_pd(a)), high = _mm256_castpd_ps(_mm256_loadu_pd(a + 4));
    return _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd));
}
FASTNP_AVX2 inline __m256i first_words(const float* a) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)); }

// The words that are looked at so far: the greatest and the least size, and the greatest with signs as LEAST has it.
template <Least LEAST, bool HAS_MOST>
struct WordBounds {
    __m256i above, below, signs;

    FASTNP_AVX2 WordBounds() : above(_mm256_setzero_si256()), below(_mm256_set1_epi32(0x7fffffff)), signs(above) {}
    FASTNP_AVX2 void look_at(__m256i words) {
        const __m256i sizes = LEAST == Least::kPositive ? words : _mm256_and_si256(words, _mm256_set1_epi32(0x7fffffff));
        if constexpr (HAS_MOST) above = _mm256_max_epi32(above, sizes);
        if constexpr (LEAST != Least::kAny) below = _mm256_min_epi32(below, sizes);
        // Without its sign a word is greater than that of any number above zero: greatest is that of the least number.
        if constexpr (LEAST == Least::kAboveMinusOne) signs = _mm256_max_epu32(signs, words);
    }
    FASTNP_AVX2 void join(const WordBounds& other) {
        above = _mm256_max_epi32(above, other.above);
        below = _mm256_min_epi32(below, other.below);
        signs = _mm256_max_epu32(signs, other.signs);
    }
};

// Whether the words of all numbers lie between two; signs count as LEAST has it.
template <Least LEAST, bool HAS_MOST = true, class T>
FASTNP_AVX2 inline bool are_between(const T* a, intptr_t n, int32_t least, int32_t most) {
    constexpr int kTogether = 4;  // whose bounds do not wait for each other
    if (n < 8) return false;
    WordBounds<LEAST, HAS_MOST> bounds[kTogether];
    intptr_t i = 0;
    for (; i + 8 * kTogether <= n; i += 8 * kTogether)
#pragma GCC unroll 4
        for (int k = 0; k < kTogether; ++k) bounds[k].look_at(first_words(a + i + 8 * k));
    for (; i < n; i += 8) bounds[0].look_at(first_words(a + std::min(i, n - 8)));
#pragma GCC unroll 4
    for (int k = 1; k < kTogether; ++k) bounds[0].join(bounds[k]);
    const auto [above, below, signs] = bounds[0];
    __m256i outside = _mm256_cmpgt_epi32(above, _mm256_set1_epi32(most));
    if constexpr (LEAST != Least::kAny)
        outside = _mm256_or_si256(outside, _mm256_cmpgt_epi32(_mm256_set1_epi32(least), below));
    if constexpr (LEAST == Least::kAboveMinusOne) {
        const __m256i last = _mm256_set1_epi32(first_word(T(-1)) - 1);
        const __m256i within = _mm256_cmpeq_epi32(_mm256_max_epu32(signs, last), last);
        outside = _mm256_or_si256(outside, _mm256_xor_si256(within, _mm256_set1_epi32(-1)));
    }
    return _mm256_testz_si256(outside, outside);
}

// A function of vectors, on all numbers of a block.
template <class VALUE, class T>
FASTNP_AVX2 inline void apply_to_all(const T* a, T* out, intptr_t n) {
    const auto value = [](auto x) FASTNP_AVX2 { return VALUE::apply(x, x); };
    constexpr intptr_t width = 32 / sizeof(T);
    intptr_t i = 0;
    for (; i + width <= n; i += width) store_vector(out + i, value(load_vector(a + i)));
    if (i < n) {
        const auto lanes = first_lanes(a, n - i);
        store_lanes(out + i, lanes, value(load_lanes(a + i, lanes)));
    }
}

// Operands from LEAST on and up to MOST are sure: their results need not be looked at.
template <class T, Least LEAST, int MOST>
struct SureFrom {
    using V = typename VectorOf<T>::Type;
    static constexpr T kGreatest = MOST == kFinite    ? std::numeric_limits<T>::max()
                                   : MOST == kNoMost   ? std::numeric_limits<T>::infinity()
                                   : MOST == kBelowOne ? T(1)
                                                       : T(MOST);

    FASTNP_AVX2 static inline V is_sure(V a) {
        const V size = LEAST == Least::kPositive ? a : absolute(a);
        V sure = compare<MOST == kBelowOne ? _CMP_LT_OQ : _CMP_LE_OQ>(size, repeat_vector(kGreatest));
        if constexpr (LEAST == Least::kAny) return sure;
        if constexpr (LEAST == Least::kAboveMinusOne) sure = both(sure, compare<_CMP_GT_OQ>(a, repeat_vector(T(-1))));
        const V normal = compare<_CMP_GE_OQ>(size, repeat_vector(std::numeric_limits<T>::min()));
        if constexpr (LEAST == Least::kPositive || LEAST == Least::kNormal) return both(sure, normal);
        return both(sure, either(normal, compare<_CMP_EQ_OQ>(size, repeat_vector(T(0)))));
    }
    FASTNP_AVX2 static inline bool are_sure(const T* a, intptr_t n) {
        // Plainly, by their first words: those at the ends of the range, and zeros, are not.
        constexpr int32_t least = first_word(std::numeric_limits<T>::min());
        constexpr int32_t most = first_word(MOST == kFinite ? std::numeric_limits<T>::infinity() : kGreatest) - 1;
        if (are_between<LEAST, MOST != kNoMost>(a, n, least, most)) return true;
        constexpr intptr_t width = 32 / sizeof(T);
        V sure = is_sure(repeat_vector(T(1))), other = sure;
        intptr_t i = 0;
        for (; i + 2 * width <= n; i += 2 * width) {
            sure = both(sure, is_sure(load_vector(a + i)));
            other = both(other, is_sure(load_vector(a + i + width)));
        }
        for (; i < n; i += width) sure = both(sure, is_sure(load_lanes(a + i, first_lanes(a, n - i))));
        return bits_of(both(sure, other)) == kAllLanes<T>;
    }
};

// A function by MKL where it is sure; of all else MKL takes its time, and the function is OTHERWISE.
template <class T, void (*FUNCTION)(int, const T*, T*, long long), class OTHERWISE, Least LEAST, int MOST>
struct ByVml : OTHERWISE, SureFrom<T, LEAST, MOST> {
    static constexpr bool kByBlock = true;
    using Calls = VmlCalls;
    using Sure = SureFrom<T, LEAST, MOST>;
    using Sure::is_sure, Sure::are_sure;  // not those of the function otherwise

    // Compute what is sure of a block, and say whether that was all. Where it is not, MKL gets ones in the place of the rest;
    // where the block before was sure MKL gets the operands unseen, which come from memory while it computes. Of logarithms it
    // says itself what it found: of what is neither zero nor less, NumPy says nothing either.
    FASTNP_AVX2 static inline bool compute(const T* a, const T*, T* out, intptr_t n, VmlCalls* calls) {
        constexpr long long high_accuracy = 0x2, ignore_errors = 0x100;
        constexpr intptr_t width = 32 / sizeof(T);
        const bool before = calls->are_sure, says = LEAST == Least::kPositive && VmlCalls::can_say();
        if (!before) calls->are_sure = Sure::are_sure(a, n);
        if (calls->are_sure) {
            if (before && says) VmlCalls::forget();
            FUNCTION(static_cast<int>(n), a, out, high_accuracy | ignore_errors);
            if (before) calls->are_sure = says ? !VmlCalls::had_errors() : Sure::are_sure(a, n);
            return calls->are_sure;
        }
        const typename Sure::V one = repeat_vector(T(1));
        T given[kVmlBlock / sizeof(T)];
        for (intptr_t i = 0; i < n; i += width) {
            const auto x = load_lanes(a + i, first_lanes(a, n - i));
            store_vector(given + i, choose(Sure::is_sure(x), x, one));
        }
        FUNCTION(static_cast<int>(n), given, out, high_accuracy | ignore_errors);
        return false;
    }
};

// A function by the vector where it is sure, looked at by the block: beside each vector it would take as long again.
template <class T, class VALUE, Least LEAST, int MOST>
struct WhereSure : VALUE, SureFrom<T, LEAST, MOST> {
    static constexpr bool kByBlock = true;
    using Sure = SureFrom<T, LEAST, MOST>;

    FASTNP_AVX2 static inline bool compute(const T* a, const T*, T* out, intptr_t n, NoCalls*) {
        apply_to_all<VALUE>(a, out, n);
        return Sure::are_sure(a, n);
    }
};

// A function of our own where it is sure, and OTHERWISE elsewhere.
template <class T, typename VectorOf<T>::Type (*FUNCTION)(typename VectorOf<T>::Type), class OTHERWISE, Least LEAST, int MOST>
struct FusedWhereSure : OTHERWISE, SureFrom<T, LEAST, MOST> {
    static constexpr bool kByBlock = true;
    using Sure = SureFrom<T, LEAST, MOST>;
    using Sure::is_sure, Sure::are_sure;  // not those of the function otherwise

    FASTNP_FUSED static inline bool compute(const T* a, const T*, T* out, intptr_t n, NoCalls*) {
        constexpr intptr_t width = 32 / sizeof(T);
        intptr_t i = 0;
        for (; i + width <= n; i += width) store_vector(out + i, FUNCTION(load_vector(a + i)));
        if (i < n) {
            const __m256i lanes = first_lanes(a, n - i);
            store_lanes(out + i, lanes, FUNCTION(load_lanes(a + i, lanes)));
        }
        return Sure::are_sure(a, n);
    }
};

// Operands of a function of two that are neither zero nor small nor large.
template <class T>
struct SureBetween {
    static constexpr T kLeast = sizeof(T) == 8 ? T(1e-140) : T(1e-14), kMost = sizeof(T) == 8 ? T(1e140) : T(1e14);
    using V = typename VectorOf<T>::Type;

    FASTNP_AVX2 static inline bool are_sure(const T* a, const T* b, intptr_t n) {
        constexpr int32_t least = first_word(kLeast) + 1, most = first_word(kMost) - 1;
        return are_between<Least::kNormal>(a, n, least, most) && are_between<Least::kNormal>(b, n, least, most);
    }
    // Zeros as well.
    FASTNP_AVX2 static inline V is_sure(V a) {
        const V size = absolute(a);
        const V between = both(compare<_CMP_GE_OQ>(size, repeat_vector(kLeast)), compare<_CMP_LE_OQ>(size, repeat_vector(kMost)));
        return either(between, compare<_CMP_EQ_OQ>(size, repeat_vector(T(0))));
    }
};

// A function of two of our own where it is sure, and OTHERWISE elsewhere.
template <class T, typename VectorOf<T>::Type (*FUNCTION)(typename VectorOf<T>::Type, typename VectorOf<T>::Type), class OTHERWISE>
struct FusedWhereBetween : OTHERWISE {
    static constexpr bool kByBlock = true;
    using Sure = SureBetween<T>;
    using V = typename VectorOf<T>::Type;

    FASTNP_FUSED static inline V apply(V a, V b) {
        const V sure = both(Sure::is_sure(a), Sure::is_sure(b)), result = FUNCTION(a, b);
        if (bits_of(sure) == kAllLanes<T>) return result;
        return choose(sure, result, OTHERWISE::apply(a, b));
    }
    FASTNP_FUSED static inline bool compute(const T* a, const T* b, T* out, intptr_t n, NoCalls*) {
        constexpr intptr_t width = 32 / sizeof(T);
        if (!Sure::are_sure(a, b, n)) return false;
        intptr_t i = 0;
        for (; i + width <= n; i += width) store_vector(out + i, FUNCTION(load_vector(a + i), load_vector(b + i)));
        if (i < n) {
            const __m256i lanes = first_lanes(a, n - i);
            store_lanes(out + i, lanes, FUNCTION(load_lanes(a + i, lanes), load_lanes(b + i, lanes)));
        }
        return true;
    }
};

}  // namespace fastnp

#endif
