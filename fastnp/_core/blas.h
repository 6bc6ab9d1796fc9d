// Products of float and double vectors, and of matrices with them, that read memory as fast as it comes.
//
// Sums are in another order than NumPy's BLAS has, as those of any other BLAS are.
#pragma once

#include <cstdint>

#include "parallel.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

// Sixteen floats or eight doubles.
struct FloatLanes {
    using Item = float;
    using Vector = __m512;
    static constexpr int64_t kWidth = 16;
    FASTNP_AVX512 static inline Vector zero() { return _mm512_setzero_ps(); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_ps(a); }
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_ps(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_ps(a, x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
    FASTNP_AVX512 static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }
    FASTNP_AVX512 static inline Item total(Vector a) { return _mm512_reduce_add_ps(a); }
};
struct DoubleLanes {
    using Item = double;
    using Vector = __m512d;
    static constexpr int64_t kWidth = 8;
    FASTNP_AVX512 static inline Vector zero() { return _mm512_setzero_pd(); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_set1_pd(a); }
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_pd(a); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_pd(a, x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
    FASTNP_AVX512 static inline Vector add_product(Vector a, Vector b, Vector sum) { return _mm512_fmadd_pd(a, b, sum); }
    FASTNP_AVX512 static inline Item total(Vector a) { return _mm512_reduce_add_pd(a); }
};

template <class Lane>
FASTNP_AVX512 typename Lane::Item dot_packed(const typename Lane::Item* a, const typename Lane::Item* b, int64_t n) {
    constexpr int64_t w = Lane::kWidth;
    auto s0 = Lane::zero(), s1 = s0, s2 = s0, s3 = s0;
    int64_t i = 0;
    for (; i + 4 * w <= n; i += 4 * w) {
        s0 = Lane::add_product(Lane::load(a + i), Lane::load(b + i), s0);
        s1 = Lane::add_product(Lane::load(a + i + w), Lane::load(b + i + w), s1);
        s2 = Lane::add_product(Lane::load(a + i + 2 * w), Lane::load(b + i + 2 * w), s2);
        s3 = Lane::add_product(Lane::load(a + i + 3 * w), Lane::load(b + i + 3 * w), s3);
    }
    for (; i + w <= n; i += w) s0 = Lane::add_product(Lane::load(a + i), Lane::load(b + i), s0);
    typename Lane::Item sum = Lane::total(Lane::add(Lane::add(s0, s1), Lane::add(s2, s3)));
    for (; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// into[column] = sum of vector[row] * matrix[row][column] over the rows, for columns [begin, end).
template <class Lane>
FASTNP_AVX512 void add_rows(const typename Lane::Item* matrix, const typename Lane::Item* vector, typename Lane::Item* into,
                            int64_t rows, int64_t columns, int64_t begin, int64_t end) {
    constexpr int64_t w = Lane::kWidth;
    for (int64_t i = begin; i < end; ++i) into[i] = 0;
    int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const typename Lane::Item* const line = matrix + row * columns;
        const typename Lane::Item* const v = vector + row;
        const auto v0 = Lane::repeat(v[0]), v1 = Lane::repeat(v[1]), v2 = Lane::repeat(v[2]), v3 = Lane::repeat(v[3]);
        int64_t i = begin;
        for (; i + w <= end; i += w) {
            auto sum = Lane::add_product(v0, Lane::load(line + i), Lane::load(into + i));
            sum = Lane::add_product(v1, Lane::load(line + columns + i), sum);
            sum = Lane::add_product(v2, Lane::load(line + 2 * columns + i), sum);
            Lane::store(into + i, Lane::add_product(v3, Lane::load(line + 3 * columns + i), sum));
        }
        for (; i < end; ++i)
            into[i] += v[0] * line[i] + v[1] * line[columns + i] + v[2] * line[2 * columns + i] + v[3] * line[3 * columns + i];
    }
    for (; row < rows; ++row)
        for (int64_t i = begin; i < end; ++i) into[i] += vector[row] * matrix[row * columns + i];
}

template <class Lane>
void multiply_lines(const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns, bool turned) {
    using Item = typename Lane::Item;
    const Item *const a = static_cast<const Item*>(matrix), *const b = static_cast<const Item*>(vector);
    Item* const into = static_cast<Item*>(out);
    const bool splits = may_split(rows * columns);
    if (turned) {
        const auto part = [=](int64_t begin, int64_t end) { add_rows<Lane>(a, b, into, rows, columns, begin, end); };
        return splits ? split(columns, 64, rows, part) : part(0, columns);
    }
    const auto part = [=](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) into[row] = dot_packed<Lane>(a + row * columns, b, columns);
    };
    splits && rows > 1 ? split(rows, 1, columns, part) : part(0, rows);
}

#endif

// Multiply a packed matrix by a packed vector, or (`turned`) the vector by the matrix. False where there is no loop for it:
// `is_double` says of what the elements are.
inline bool multiply_by_vector(bool is_double, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns,
                               bool turned) {
#ifdef FASTNP_X86
    if (!has_avx512()) return false;
    if (is_double)
        multiply_lines<DoubleLanes>(matrix, vector, out, rows, columns, turned);
    else
        multiply_lines<FloatLanes>(matrix, vector, out, rows, columns, turned);
    return true;
#else
    return false;
#endif
}

}  // namespace fastnp
