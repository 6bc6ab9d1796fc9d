// Vectors of 32 bytes, of doubles or floats, and what is done with them by one name.
#pragma once

#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

FASTNP_AVX2 inline __m256d load_vector(const double* a) { return _mm256_loadu_pd(a); }
FASTNP_AVX2 inline __m256 load_vector(const float* a) { return _mm256_loadu_ps(a); }
FASTNP_AVX2 inline void store_vector(double* a, __m256d x) { _mm256_storeu_pd(a, x); }
FASTNP_AVX2 inline void store_vector(float* a, __m256 x) { _mm256_storeu_ps(a, x); }
// Past the cache, where a vector begins; a line of the cache by its halves.
FASTNP_AVX2 inline void stream_vector(double* a, __m256d x) { _mm256_stream_pd(a, x); }
FASTNP_AVX2 inline void stream_vector(float* a, __m256 x) { _mm256_stream_ps(a, x); }
FASTNP_AVX2 inline __m256i load_bytes(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
FASTNP_AVX2 inline void stream_line(void* into, __m256i low, __m256i high) {
    _mm256_stream_si256(static_cast<__m256i*>(into), low);
    _mm256_stream_si256(static_cast<__m256i*>(into) + 1, high);
}
FASTNP_AVX2 inline __m256d repeat_vector(double x) { return _mm256_set1_pd(x); }
FASTNP_AVX2 inline __m256 repeat_vector(float x) { return _mm256_set1_ps(x); }
FASTNP_AVX2 inline __m256d absolute(__m256d x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
FASTNP_AVX2 inline __m256 absolute(__m256 x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
FASTNP_AVX2 inline __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
FASTNP_AVX2 inline __m256 add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
FASTNP_AVX2 inline __m256d subtract(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
FASTNP_AVX2 inline __m256 subtract(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
FASTNP_AVX2 inline __m256d multiply(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
FASTNP_AVX2 inline __m256 multiply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
FASTNP_AVX2 inline __m256d divide(__m256d a, __m256d b) { return _mm256_div_pd(a, b); }
FASTNP_AVX2 inline __m256 divide(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
FASTNP_AVX2 inline __m256d root(__m256d x) { return _mm256_sqrt_pd(x); }
FASTNP_AVX2 inline __m256 root(__m256 x) { return _mm256_sqrt_ps(x); }
// The second one where a number is NaN, and of two zeros.
FASTNP_AVX2 inline __m256d larger(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
FASTNP_AVX2 inline __m256 larger(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
FASTNP_AVX2 inline __m256d smaller(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
FASTNP_AVX2 inline __m256 smaller(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
// HOW is one of _MM_FROUND_TO_ZERO and the like; no flag says that a number was none.
template <int HOW>
FASTNP_AVX2 inline __m256d rounded(__m256d x) {
    return _mm256_round_pd(x, HOW | _MM_FROUND_NO_EXC);
}
template <int HOW>
FASTNP_AVX2 inline __m256 rounded(__m256 x) {
    return _mm256_round_ps(x, HOW | _MM_FROUND_NO_EXC);
}
FASTNP_AVX2 inline __m256d both(__m256d a, __m256d b) { return _mm256_and_pd(a, b); }
FASTNP_AVX2 inline __m256 both(__m256 a, __m256 b) { return _mm256_and_ps(a, b); }
FASTNP_AVX2 inline __m256d either(__m256d a, __m256d b) { return _mm256_or_pd(a, b); }
FASTNP_AVX2 inline __m256 either(__m256 a, __m256 b) { return _mm256_or_ps(a, b); }
FASTNP_AVX2 inline __m256d differ(__m256d a, __m256d b) { return _mm256_xor_pd(a, b); }
FASTNP_AVX2 inline __m256 differ(__m256 a, __m256 b) { return _mm256_xor_ps(a, b); }
template <int HOW>
FASTNP_AVX2 inline __m256d compare(__m256d a, __m256d b) {
    return _mm256_cmp_pd(a, b, HOW);
}
template <int HOW>
FASTNP_AVX2 inline __m256 compare(__m256 a, __m256 b) {
    return _mm256_cmp_ps(a, b, HOW);
}
FASTNP_AVX2 inline __m256d choose(__m256d truth, __m256d a, __m256d b) { return _mm256_blendv_pd(b, a, truth); }
FASTNP_AVX2 inline __m256 choose(__m256 truth, __m256 a, __m256 b) { return _mm256_blendv_ps(b, a, truth); }
FASTNP_AVX2 inline unsigned bits_of(__m256d truth) { return static_cast<unsigned>(_mm256_movemask_pd(truth)); }
FASTNP_AVX2 inline unsigned bits_of(__m256 truth) { return static_cast<unsigned>(_mm256_movemask_ps(truth)); }
// Four numbers as doubles; integers of eight bytes by their halves, which are exact, and rounded once.
FASTNP_AVX2 inline __m256d load_doubles(const int64_t* a) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
    const __m256d upper_one = _mm256_set1_pd(0x3p67), lower_one = _mm256_set1_pd(0x1p52);
    const __m256i high = _mm256_blend_epi16(_mm256_srai_epi32(x, 16), _mm256_setzero_si256(), 0x33);
    const __m256i upper = _mm256_add_epi64(high, _mm256_castpd_si256(upper_one));
    const __m256i lower = _mm256_blend_epi16(x, _mm256_castpd_si256(lower_one), 0x88);
    return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(upper), _mm256_set1_pd(0x3p67 + 0x1p52)), _mm256_castsi256_pd(lower));
}
FASTNP_AVX2 inline __m256d load_doubles(const uint64_t* a) {
    const __m256i x = load_bytes(a), lower_one = _mm256_castpd_si256(_mm256_set1_pd(0x1p52));
    const __m256i upper = _mm256_or_si256(_mm256_srli_epi64(x, 32), _mm256_castpd_si256(_mm256_set1_pd(0x1p84)));
    const __m256d lower = _mm256_castsi256_pd(_mm256_blend_epi16(x, lower_one, 0xcc));
    return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(upper), _mm256_set1_pd(0x1p84 + 0x1p52)), lower);
}
FASTNP_AVX2 inline __m256d load_doubles(const int32_t* a) {
    return _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)));
}
FASTNP_AVX2 inline __m256d load_doubles(const uint8_t* a) {
    return _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_loadu_si32(a)));
}
FASTNP_AVX2 inline __m256d load_doubles(const double* a) { return load_vector(a); }
FASTNP_AVX2 inline __m256d load_doubles(const float* a) { return _mm256_cvtps_pd(_mm_loadu_ps(a)); }
// A zero of the sign of x.
FASTNP_AVX2 inline __m256d zero_like(__m256d x) { return _mm256_and_pd(_mm256_set1_pd(-0.0), x); }
FASTNP_AVX2 inline __m256 zero_like(__m256 x) { return _mm256_and_ps(_mm256_set1_ps(-0.0f), x); }

template <class T>
struct VectorOf;
template <>
struct VectorOf<double> {
    using Type = __m256d;
};
template <>
struct VectorOf<float> {
    using Type = __m256;
};

#endif

}  // namespace fastnp
