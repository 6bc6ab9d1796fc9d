// Products of float and double vectors, and of matrices with them, that read memory as fast as it comes.
//
// Sums are in another order than NumPy's BLAS has, as those of any other BLAS are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cache.h"
#include "parallel.h"
#include "quick_mkl.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86
inline constexpr int64_t kManyRows = 64;
// The elements of a line of the cache.
template <class Type>
inline constexpr int64_t kLine = 64 / sizeof(typename Type::Item);

namespace wide512 {
struct DoubleProducts : Doubles {
    FASTNP_AVX512 static inline Vector load_first(const Item* a, int64_t n) {
        return _mm512_maskz_loadu_pd(lanes_of<8>(n), a);
    }
};
struct FloatProducts : Floats {
    FASTNP_AVX512 static inline Vector load_first(const Item* a, int64_t n) {
        return _mm512_maskz_loadu_ps(lanes_of<16>(n), a);
    }
};
#define FASTNP_TARGET FASTNP_AVX512
#include "product_loops.h"
#undef FASTNP_TARGET
}  // namespace wide512

namespace wide256 {
// Where a mask begins, by how many of its elements are set: the first ones.
inline const int32_t kFirst[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

struct DoubleProducts {
    using Item = double;
    using Vector = __m256d;
    FASTNP_FUSED static inline Vector load(const Item* a) { return _mm256_loadu_pd(a); }
    FASTNP_FUSED static inline Vector load_first(const Item* a, int64_t n) {
        return _mm256_maskload_pd(a, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kFirst + 8 - 2 * n)));
    }
    FASTNP_FUSED static inline Vector repeat(Item a) { return _mm256_set1_pd(a); }
    FASTNP_FUSED static inline void store(Item* a, Vector x) { _mm256_storeu_pd(a, x); }
    FASTNP_FUSED static inline Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
    FASTNP_FUSED static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm256_fmadd_pd(a, b, sum); }
    FASTNP_FUSED static inline Item total(Vector a) {
        const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
        return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
    }
};
struct FloatProducts {
    using Item = float;
    using Vector = __m256;
    FASTNP_FUSED static inline Vector load(const Item* a) { return _mm256_loadu_ps(a); }
    FASTNP_FUSED static inline Vector load_first(const Item* a, int64_t n) {
        return _mm256_maskload_ps(a, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kFirst + 8 - n)));
    }
    FASTNP_FUSED static inline Vector repeat(Item a) { return _mm256_set1_ps(a); }
    FASTNP_FUSED static inline void store(Item* a, Vector x) { _mm256_storeu_ps(a, x); }
    FASTNP_FUSED static inline Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
    FASTNP_FUSED static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm256_fmadd_ps(a, b, sum); }
    FASTNP_FUSED static inline Item total(Vector a) {
        const __m128 half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
        const __m128 quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
        return _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)));
    }
};
#define FASTNP_TARGET FASTNP_FUSED
#include "product_loops.h"
#undef FASTNP_TARGET
}  // namespace wide256

#endif

// Multiply a packed matrix by a packed vector, or (`turned`) the vector by the matrix. False where there is no loop for it:
// `is_double` says of what the elements are.
inline bool multiply_by_vector(bool is_double, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns,
                               bool turned) {
#ifdef FASTNP_X86
    if (has_avx512())
        (is_double ? wide512::multiply_lines<wide512::DoubleProducts> : wide512::multiply_lines<wide512::FloatProducts>)(
            matrix, vector, out, rows, columns, turned);
    else if (has_avx2())
        (is_double ? wide256::multiply_lines<wide256::DoubleProducts> : wide256::multiply_lines<wide256::FloatProducts>)(
            matrix, vector, out, rows, columns, turned);
    else
        return false;
    return true;
#else
    return false;
#endif
}

}  // namespace fastnp
