// The exponential of complex numbers on vectors, by SLEEF's functions of their parts, as those of `elementary.h`.
//
// NumPy calls the C library for one number after the other: six times as long. What it finds elsewhere than among finite
// numbers that are neither zero nor below the normal ones is left to it.
#pragma once

#include "elementary.h"

#ifdef FASTNP_X86

struct SleefDoubles {
    __m256d sine, cosine;
};
struct SleefFloats {
    __m256 sine, cosine;
};
extern "C" __attribute__((weak, target("avx2"))) SleefDoubles Sleef_sincosd4_u10avx2(__m256d);
extern "C" __attribute__((weak, target("avx2"))) SleefFloats Sleef_sincosf8_u10avx2(__m256);

namespace fastnp {

FASTNP_AVX2 inline SleefDoubles sine_and_cosine(__m256d x) { return Sleef_sincosd4_u10avx2(x); }
FASTNP_AVX2 inline SleefFloats sine_and_cosine(__m256 x) { return Sleef_sincosf8_u10avx2(x); }
FASTNP_AVX2 inline __m256d sleef_exp(__m256d x) { return Sleef_expd4_u10avx2(x); }
FASTNP_AVX2 inline __m256 sleef_exp(__m256 x) { return Sleef_expf8_u10avx2(x); }
// The parts of complex numbers in two vectors, in an order of their own, and the numbers of such parts.
FASTNP_AVX2 inline __m256d real_parts(__m256d a, __m256d b) { return _mm256_unpacklo_pd(a, b); }
FASTNP_AVX2 inline __m256d imaginary_parts(__m256d a, __m256d b) { return _mm256_unpackhi_pd(a, b); }
FASTNP_AVX2 inline __m256d first_numbers(__m256d real, __m256d imaginary) { return _mm256_unpacklo_pd(real, imaginary); }
FASTNP_AVX2 inline __m256d last_numbers(__m256d real, __m256d imaginary) { return _mm256_unpackhi_pd(real, imaginary); }
FASTNP_AVX2 inline __m256 real_parts(__m256 a, __m256 b) { return _mm256_shuffle_ps(a, b, 0x88); }
FASTNP_AVX2 inline __m256 imaginary_parts(__m256 a, __m256 b) { return _mm256_shuffle_ps(a, b, 0xdd); }
FASTNP_AVX2 inline __m256 first_numbers(__m256 real, __m256 imaginary) { return _mm256_unpacklo_ps(real, imaginary); }
FASTNP_AVX2 inline __m256 last_numbers(__m256 real, __m256 imaginary) { return _mm256_unpackhi_ps(real, imaginary); }

// Compute some numbers, whose memory has room for whole vectors; `kept` is not zero for the parts of those that can be kept.
template <class T>
FASTNP_AVX2 inline bool exponentials_of(const T* in, T* out, T* kept, intptr_t n) {
    constexpr intptr_t width = 32 / sizeof(T);
    auto all = compare<_CMP_EQ_OQ>(repeat_vector(T(0)), repeat_vector(T(0)));
    for (intptr_t i = 0; i < 2 * n; i += 2 * width) {
        const auto a = load_vector(in + i), b = load_vector(in + i + width);
        const auto imaginary = imaginary_parts(a, b), size = sleef_exp(real_parts(a, b));
        const auto parts = sine_and_cosine(imaginary);
        const auto x = multiply(size, parts.cosine), y = multiply(size, parts.sine);
        const auto is_zero = compare<_CMP_EQ_OQ>(imaginary, repeat_vector(T(0)));
        const auto usual = both(usual_lanes<T>(x), either(usual_lanes<T>(y), is_zero));
        store_vector(out + i, first_numbers(x, y));
        store_vector(out + i + width, last_numbers(x, y));
        store_vector(kept + i, first_numbers(usual, usual));
        store_vector(kept + i + width, last_numbers(usual, usual));
        all = both(all, usual);
    }
    return bits_of(all) == (1u << width) - 1;
}

template <class T>
FASTNP_AVX2 void complex_exp_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = 2 * sizeof(T), most = 64;
    const intptr_t n = dimensions[0];
    // What is written and read again is computed in turn.
    const intptr_t block = may_overlap(args[0], strides[0], args[1], strides[1], n, item) ? 1 : most;
    unsigned state = _mm_getcsr();
    alignas(32) T in[2 * most] = {}, out[2 * most], kept[2 * most];
    for (intptr_t begin = 0; begin < n; begin += block) {
        const intptr_t length = std::min(block, n - begin);
        const char* const from = args[0] + begin * strides[0];
        char* const into = args[1] + begin * strides[1];
        if (strides[0] == item)
            std::memcpy(in, from, length * item);
        else
            for (intptr_t i = 0; i < length; ++i) std::memcpy(in + 2 * i, from + i * strides[0], item);
        // (Behind the last number are zeros or numbers of the block before.)
        if (!exponentials_of(in, out, kept, length)) {
            _mm_setcsr(state);
            for (intptr_t i = 0; i < length; ++i) {
                if (kept[2 * i] != 0) continue;  // true is a NaN
                char* one[] = {reinterpret_cast<char*>(in + 2 * i), reinterpret_cast<char*>(out + 2 * i)};
                const intptr_t count = 1, steps[] = {item, item};
                pass_on(one, &count, steps, data);
            }
            state |= raised_float_flags(true);
        }
        if (strides[1] == item)
            std::memcpy(into, out, length * item);
        else
            for (intptr_t i = 0; i < length; ++i) std::memcpy(into + i * strides[1], out + 2 * i, item);
    }
    _mm_setcsr(state);
}

}  // namespace fastnp

#endif

namespace fastnp {

// Put a loop on vectors in the place of one of complex numbers, as `replace_by_elementary` does.
inline void replace_by_phases(const char* name, const int* dtypes, Loop* loop) {
#ifdef FASTNP_X86
    const int dtype = dtypes[0];
    if (std::strcmp(name, "exp") != 0 || (dtype != COMPLEX128 && dtype != COMPLEX64)) return;
    if (!has_avx2() || !Sleef_sincosd4_u10avx2 || !Sleef_sincosf8_u10avx2) return;
    if (!Sleef_expd4_u10avx2 || !Sleef_expf8_u10avx2) return;
    *loop = Loop{dtype == COMPLEX128 ? complex_exp_loop<double> : complex_exp_loop<float>, new Loop(*loop)};
#endif
}

}  // namespace fastnp
