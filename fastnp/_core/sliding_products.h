// Sums of products of one line and another that is moved along it, as convolve and correlate need them.
//
// NumPy asks BLAS for each sum by itself; here 32 doubles, or 64 floats, are summed at once, each number of the shorter line read
// once for all of them. Up to 15 taps of doubles, 11 of floats, the bits are NumPy's: it rounds the products of up to 11, the
// others BLAS fuses, as most of OpenBLAS's kernels do, or of floats adds as doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dtype.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

namespace sliding {

// So many products are summed before the sum joins the others: one long sum of floats would lose digits.
inline constexpr int64_t kSummed = 256;
inline constexpr int64_t kVectors = 4;
// Fewer are added one after the other.
inline constexpr int64_t kAtOnce = 16, kRounded = 11;

template <class Type, bool FUSED>
FASTNP_AVX512 inline typename Type::Vector with_product(typename Type::Vector a, typename Type::Vector b, typename Type::Vector sum) {
    if constexpr (FUSED) return Type::add_product(a, b, sum);
    typename Type::Vector product = Type::multiply(a, b);
    asm("" : "+v"(product));  // the compiler would fuse them
    return Type::add(product, sum);
}
template <class Item>
FASTNP_AVX512 inline Item sum_of_rounded(const Item* a, const Item* b, int64_t n) {
    Item total = 0;
    for (int64_t i = 0; i < n; ++i) {
        Item product = a[i] * b[i];
        asm("" : "+v"(product));
        total += product;
    }
    return total;
}

template <class Type, int VECTORS, bool FUSED = true>
FASTNP_AVX512 inline void write_vectors(const typename Type::Item* a, const typename Type::Item* taps, int64_t count,
                                        typename Type::Item* out) {
    constexpr int64_t width = 64 / sizeof(typename Type::Item);
    constexpr int kChains = VECTORS == 1 ? 4 : 1;  // a product is added in four cycles
    typename Type::Vector totals[VECTORS];
    for (int j = 0; j < VECTORS; ++j) totals[j] = Type::repeat(0);
    for (int64_t begin = 0; begin < count; begin += kSummed) {
        typename Type::Vector sums[VECTORS];
        for (int j = 0; j < VECTORS; ++j) sums[j] = Type::repeat(0);
        const int64_t end = std::min(begin + kSummed, count);
        int64_t k = begin;
        if (kChains > 1 && count >= kAtOnce) {
            typename Type::Vector more[kChains];
            for (int c = 0; c < kChains; ++c) more[c] = Type::repeat(0);
            for (; k + kChains <= end; k += kChains)
                for (int c = 0; c < kChains; ++c) more[c] = Type::add_product(Type::load(a + k + c), Type::repeat(taps[k + c]), more[c]);
            sums[0] = Type::add(Type::add(more[0], more[1]), Type::add(more[2], more[3]));
        }
        for (; k < end; ++k) {
            const typename Type::Vector tap = Type::repeat(taps[k]);
            for (int j = 0; j < VECTORS; ++j) sums[j] = with_product<Type, FUSED>(Type::load(a + k + j * width), tap, sums[j]);
        }
        for (int j = 0; j < VECTORS; ++j) totals[j] = Type::add(totals[j], sums[j]);
    }
    for (int j = 0; j < VECTORS; ++j) Type::store(out + j * width, totals[j]);
}

// As BLAS sums few: products of floats are rounded and added as doubles.
FASTNP_AVX512 inline double sum_of_few(const double* a, const double* b, int64_t n) {
    double total = 0;
    for (int64_t i = 0; i < n; ++i) total = std::fma(a[i], b[i], total);
    return total;
}
FASTNP_AVX512 inline float sum_of_few(const float* a, const float* b, int64_t n) {
    double total = 0;
    for (int64_t i = 0; i < n; ++i) total += static_cast<double>(a[i] * b[i]);
    return static_cast<float>(total);
}

template <class Type>
FASTNP_AVX512 inline typename Type::Item sum_of_overlap(const typename Type::Item* a, const typename Type::Item* b, int64_t n) {
    constexpr int64_t width = 64 / sizeof(typename Type::Item);
    typename Type::Item total = 0;
    int64_t i = 0;
    if (n < kAtOnce) return sum_of_few(a, b, n);
    constexpr int kSums = 4;
    typename Type::Vector sums[kSums];
    for (int j = 0; j < kSums; ++j) sums[j] = Type::repeat(0);
    for (; i + kSums * width <= n; i += kSums * width)
        for (int j = 0; j < kSums; ++j)
            sums[j] = Type::add_product(Type::load(a + i + j * width), Type::load(b + i + j * width), sums[j]);
    for (; i + width <= n; i += width) sums[0] = Type::add_product(Type::load(a + i), Type::load(b + i), sums[0]);
    total = Type::total(Type::add(Type::add(sums[0], sums[1]), Type::add(sums[2], sums[3])));
    for (; i < n; ++i) total += a[i] * b[i];
    return total;
}

// The sums where the shorter line lies within the other.
template <class Type, bool FUSED>
FASTNP_AVX512 inline void write_inside(const typename Type::Item* a, const typename Type::Item* taps, int64_t count,
                                       typename Type::Item* out, int64_t n) {
    constexpr int64_t width = 64 / sizeof(typename Type::Item);
    int64_t i = 0;
    for (; i + kVectors * width <= n; i += kVectors * width) write_vectors<Type, kVectors, FUSED>(a + i, taps, count, out + i);
    for (; i + width <= n; i += width) write_vectors<Type, 1, FUSED>(a + i, taps, count, out + i);
    // The last vector has the rest, and some that are there already.
    if (i < n && n >= width) return write_vectors<Type, 1, FUSED>(a + n - width, taps, count, out + n - width);
    for (; i < n; ++i) out[i] = FUSED ? sum_of_overlap<Type>(a + i, taps, count) : sum_of_rounded(a + i, taps, count);
}

// Where a part of the taps lies outside, each sum has one product more or less than the next: what all of a block have is summed
// at once, and the few that are left one sum after the other.
inline constexpr int64_t kShared = 64;

// The sum at -i is of `a` from its first number and the taps from the i-th on.
template <class Type>
FASTNP_AVX512 inline void write_before(const typename Type::Item* a, const typename Type::Item* taps, int64_t count, int64_t before,
                                       typename Type::Item* out) {
    constexpr int64_t block = kVectors * 64 / sizeof(typename Type::Item);
    int64_t i = before;
    for (; i >= block; i -= block) {
        const int64_t shared = count - i;
        if (shared < kShared) {
            for (int64_t k = i; k > i - block; --k) out[before - k] = sum_of_overlap<Type>(a, taps + k, count - k);
            continue;
        }
        typename Type::Item sums[block];  // the last first
        write_vectors<Type, kVectors>(taps + i - block + 1, a, shared, sums);
        for (int64_t k = i; k > i - block; --k)
            out[before - k] = sums[k - (i - block + 1)] + sum_of_overlap<Type>(a + shared, taps + k + shared, count - k - shared);
    }
    for (; i > 0; --i) out[before - i] = sum_of_overlap<Type>(a, taps + i, count - i);
}
// The i-th sum is of the first taps, as many as there are numbers from the i-th of `a` on, of which there are count.
template <class Type>
FASTNP_AVX512 inline void write_after(const typename Type::Item* a, const typename Type::Item* taps, int64_t count, int64_t after,
                                      typename Type::Item* out) {
    constexpr int64_t block = kVectors * 64 / sizeof(typename Type::Item);
    int64_t i = 1;
    for (; i + block <= after + 1 && count - (i + block - 1) >= kShared; i += block) {
        const int64_t shared = count - (i + block - 1);
        write_vectors<Type, kVectors>(a + i, taps, shared, out + i - 1);
        for (int64_t k = i; k < i + block; ++k) out[k - 1] += sum_of_overlap<Type>(a + k + shared, taps + shared, count - k - shared);
    }
    for (; i <= after; ++i) out[i - 1] = sum_of_overlap<Type>(a + i, taps, count - i);
}

// Of `n` numbers and `count` taps, no more than these, with as many sums before and after as part of the taps lies outside.
template <class Type>
FASTNP_AVX512 void write_all(const typename Type::Item* a, int64_t n, const typename Type::Item* taps, int64_t count, int64_t before,
                             int64_t after, typename Type::Item* out) {
    const int64_t inside = n - count + 1;
    write_before<Type>(a, taps, count, before, out);
    const auto write = count <= kRounded ? write_inside<Type, false> : write_inside<Type, true>;
    write(a, taps, count, out + before, inside);
    write_after<Type>(a + inside - 1, taps, count, after, out + before + inside);
}

}  // namespace sliding

#endif

// Of integers, modulo their width: each tap times the numbers that it meets, as many at a time as the first cache holds.
template <class T>
[[gnu::always_inline]] inline void write_integer_sums(const T* a, int64_t n, const T* taps, int64_t count, int64_t before, int64_t after,
                                                      T* out) {
    constexpr int64_t kBlock = 8192 / sizeof(T);
    const int64_t length = before + n - count + 1 + after;
    std::fill_n(out, length, T(0));
    for (int64_t begin = 0; begin < length; begin += kBlock)
        for (int64_t k = 0; k < count; ++k) {
            const int64_t first = std::max(begin, before - k), end = std::min({begin + kBlock, length, n + before - k});
            const T* const met = a + (k - before);
            const T tap = taps[k];
#pragma GCC ivdep
            for (int64_t i = first; i < end; ++i) out[i] += static_cast<T>(met[i] * tap);
        }
}
#ifdef FASTNP_X86
template <class T>
FASTNP_AVX512 void write_integer_sums_avx512(const T* a, int64_t n, const T* taps, int64_t count, int64_t before, int64_t after, T* out) {
    write_integer_sums(a, n, taps, count, before, after, out);
}
template <class T>
FASTNP_AVX2 void write_integer_sums_avx2(const T* a, int64_t n, const T* taps, int64_t count, int64_t before, int64_t after, T* out) {
    write_integer_sums(a, n, taps, count, before, after, out);
}
#endif
template <class T>
void write_sliding_integers(const void* a, int64_t n, const void* taps, int64_t count, int64_t before, int64_t after, void* out) {
#ifdef FASTNP_X86
    const auto write = has_avx512() ? write_integer_sums_avx512<T> : has_avx2() ? write_integer_sums_avx2<T> : write_integer_sums<T>;
#else
    const auto write = write_integer_sums<T>;
#endif
    write(static_cast<const T*>(a), n, static_cast<const T*>(taps), count, before, after, static_cast<T*>(out));
}

// Whether there is a way for a dtype.
inline bool has_sliding_products(int dtype) {
#ifdef FASTNP_X86
    if (dtype == FLOAT64 || dtype == FLOAT32) return has_avx512();
#endif
    return INT8 <= dtype && dtype <= UINT64;
}
// All of one dtype for which there is one.
inline void write_sliding_products(int dtype, const void* a, int64_t n, const void* taps, int64_t count, int64_t before,
                                   int64_t after, void* out) {
#ifdef FASTNP_X86
    if (dtype == FLOAT64)
        return sliding::write_all<Doubles>(static_cast<const double*>(a), n, static_cast<const double*>(taps), count, before, after,
                                           static_cast<double*>(out));
    if (dtype == FLOAT32)
        return sliding::write_all<Floats>(static_cast<const float*>(a), n, static_cast<const float*>(taps), count, before, after,
                                          static_cast<float*>(out));
#endif
    switch (ITEMSIZES[dtype]) {
        case 1: return write_sliding_integers<uint8_t>(a, n, taps, count, before, after, out);
        case 2: return write_sliding_integers<uint16_t>(a, n, taps, count, before, after, out);
        case 4: return write_sliding_integers<uint32_t>(a, n, taps, count, before, after, out);
        default: return write_sliding_integers<uint64_t>(a, n, taps, count, before, after, out);
    }
}

}  // namespace fastnp
