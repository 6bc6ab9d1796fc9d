// Loops compiled for wider vectors as well, and chosen at run time: the build itself assumes no more than the platform's
// baseline.
//
// Fused multiply-add is for products of vectors (blas.h), powers and elementary functions: elsewhere it would round otherwise
// than NumPy.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define FASTNP_X86 1
#define FASTNP_AVX2 __attribute__((target("avx2,f16c")))
#define FASTNP_FUSED __attribute__((target("avx2,f16c,fma")))
#define FASTNP_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#endif

namespace fastnp {

// From this many elements on a call may choose; below, choosing costs what it saves.
inline constexpr long kVectorFrom = 32;

#ifdef FASTNP_X86
// The widest vectors that may be used: torch's own variable says so for torch's loops, and is obeyed by these.
inline const int kWidest = [] {
    const char* const told = std::getenv("ATEN_CPU_CAPABILITY");
    return told == nullptr ? 64 : !std::strcmp(told, "default") ? 16 : !std::strcmp(told, "avx2") ? 32 : 64;
}();
inline bool has_avx2() {
    return kWidest >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("fma");
}
inline bool has_avx512() {
    return kWidest >= 64 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
// Who makes the processor, and which generation of AMD's Zen it is, or a later one: what each is quicker at stands where it
// decides.
inline bool is_by_amd() { return __builtin_cpu_is("amd"); }
inline bool is_by_intel() { return __builtin_cpu_is("intel"); }
inline unsigned family_of_amd() {
    static const unsigned family = [] {
        unsigned a = 0, b, c, d;
        __get_cpuid(1, &a, &b, &c, &d);
        return is_by_amd() ? (a >> 8 & 15) + (a >> 20 & 255) : 0;
    }();
    return family;
}
inline bool is_late_zen() { return family_of_amd() >= 0x1a; }
// The fourth generation is of the same family, and has AVX-512, whether that is used here or not.
inline bool is_third_zen() { return family_of_amd() == 0x19 && !__builtin_cpu_supports("avx512f"); }

// The lanes of a vector of so many in which its next `n` numbers lie, of which it may hold fewer.
template <int WIDTH>
constexpr auto lanes_of(int64_t n) {
    using Lanes = std::conditional_t<WIDTH == 16, __mmask16, __mmask8>;
    return static_cast<Lanes>(n < WIDTH ? (1u << n) - 1 : ~0u);
}

// Vectors of 64 bytes and what is done with them, by the numbers that they hold.
struct Doubles {
    using Item = double;
    using Vector = __m512d;
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_pd(a); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_pd(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_pd(a, x); }
    FASTNP_AVX512 static inline void stream(Item* a, Vector x) { _mm512_stream_pd(a, x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
    FASTNP_AVX512 static inline Vector subtract(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
    FASTNP_AVX512 static inline Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
    FASTNP_AVX512 static inline Vector divide(Vector a, Vector b) { return _mm512_div_pd(a, b); }
    FASTNP_AVX512 static inline Vector root(Vector a) { return _mm512_sqrt_pd(a); }
    FASTNP_AVX512 static inline Vector negative(Vector a) { return _mm512_xor_pd(a, _mm512_set1_pd(-0.0)); }
    FASTNP_AVX512 static inline Vector absolute(Vector a) { return _mm512_abs_pd(a); }
    template <int HOW>
    FASTNP_AVX512 static inline Vector rounded(Vector a) { return _mm512_roundscale_pd(a, HOW); }
    FASTNP_AVX512 static inline Vector larger(Vector a, Vector b) { return _mm512_max_pd(a, b); }
    FASTNP_AVX512 static inline Vector smaller(Vector a, Vector b) { return _mm512_min_pd(a, b); }
    FASTNP_AVX512 static inline Vector unless_nan(Vector tested, Vector x, Vector otherwise) {
        return _mm512_mask_mov_pd(otherwise, _mm512_cmp_pd_mask(tested, tested, _CMP_ORD_Q), x);
    }
    FASTNP_AVX512 static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm512_fmadd_pd(a, b, sum); }
    FASTNP_AVX512 static inline Item total(Vector a) { return _mm512_reduce_add_pd(a); }
};
struct Floats {
    using Item = float;
    using Vector = __m512;
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_ps(a); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_ps(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_ps(a, x); }
    FASTNP_AVX512 static inline void stream(Item* a, Vector x) { _mm512_stream_ps(a, x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
    FASTNP_AVX512 static inline Vector subtract(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
    FASTNP_AVX512 static inline Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
    FASTNP_AVX512 static inline Vector divide(Vector a, Vector b) { return _mm512_div_ps(a, b); }
    FASTNP_AVX512 static inline Vector root(Vector a) { return _mm512_sqrt_ps(a); }
    FASTNP_AVX512 static inline Vector negative(Vector a) { return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f)); }
    FASTNP_AVX512 static inline Vector absolute(Vector a) { return _mm512_abs_ps(a); }
    template <int HOW>
    FASTNP_AVX512 static inline Vector rounded(Vector a) { return _mm512_roundscale_ps(a, HOW); }
    FASTNP_AVX512 static inline Vector larger(Vector a, Vector b) { return _mm512_max_ps(a, b); }
    FASTNP_AVX512 static inline Vector smaller(Vector a, Vector b) { return _mm512_min_ps(a, b); }
    FASTNP_AVX512 static inline Vector unless_nan(Vector tested, Vector x, Vector otherwise) {
        return _mm512_mask_mov_ps(otherwise, _mm512_cmp_ps_mask(tested, tested, _CMP_ORD_Q), x);
    }
    FASTNP_AVX512 static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }
    FASTNP_AVX512 static inline Item total(Vector a) { return _mm512_reduce_add_ps(a); }
};
struct Longs {
    using Item = int64_t;
    using Vector = __m512i;
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_si512(a); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_epi64(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_si512(a, x); }
    FASTNP_AVX512 static inline void stream(Item* a, Vector x) { _mm512_stream_si512(reinterpret_cast<__m512i*>(a), x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
    FASTNP_AVX512 static inline Vector subtract(Vector a, Vector b) { return _mm512_sub_epi64(a, b); }
    FASTNP_AVX512 static inline Vector multiply(Vector a, Vector b) { return _mm512_mullo_epi64(a, b); }
    FASTNP_AVX512 static inline Vector negative(Vector a) { return _mm512_sub_epi64(_mm512_setzero_si512(), a); }
    FASTNP_AVX512 static inline Vector absolute(Vector a) { return _mm512_abs_epi64(a); }
    FASTNP_AVX512 static inline Vector bits_and(Vector a, Vector b) { return _mm512_and_si512(a, b); }
    FASTNP_AVX512 static inline Vector bits_or(Vector a, Vector b) { return _mm512_or_si512(a, b); }
    FASTNP_AVX512 static inline Vector bits_xor(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
};
struct Ints {
    using Item = int32_t;
    using Vector = __m512i;
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_si512(a); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_epi32(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_si512(a, x); }
    FASTNP_AVX512 static inline void stream(Item* a, Vector x) { _mm512_stream_si512(reinterpret_cast<__m512i*>(a), x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_epi32(a, b); }
    FASTNP_AVX512 static inline Vector subtract(Vector a, Vector b) { return _mm512_sub_epi32(a, b); }
    FASTNP_AVX512 static inline Vector multiply(Vector a, Vector b) { return _mm512_mullo_epi32(a, b); }
    FASTNP_AVX512 static inline Vector negative(Vector a) { return _mm512_sub_epi32(_mm512_setzero_si512(), a); }
    FASTNP_AVX512 static inline Vector absolute(Vector a) { return _mm512_abs_epi32(a); }
    FASTNP_AVX512 static inline Vector bits_and(Vector a, Vector b) { return _mm512_and_si512(a, b); }
    FASTNP_AVX512 static inline Vector bits_or(Vector a, Vector b) { return _mm512_or_si512(a, b); }
    FASTNP_AVX512 static inline Vector bits_xor(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
};
#endif

}  // namespace fastnp
