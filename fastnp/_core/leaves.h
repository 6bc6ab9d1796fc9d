// Sums of a line in NumPy's pairwise order, to the last bit: a tree whose leaves have up to 128 elements, and few of them.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "cache.h"
#include "parallel.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

inline constexpr intptr_t kLeaf = 128;

// A sum of n elements, where SUM_OF(start, count) is that of some: the branches of its tree side by side where they are long.
template <class Sum, class SumOf>
Sum sum_in_parts(intptr_t n, const SumOf& sum_of) {
    if (!may_split(n)) return sum_of(intptr_t{0}, n);
    // The tree's upper levels, cut off where there are enough branches for all threads.
    constexpr int kBranches = 16;
    intptr_t starts[kBranches] = {0}, counts[kBranches] = {n};
    for (int made = 1; made < kBranches; made *= 2)
        for (int branch = made - 1; branch >= 0; --branch) {
            const intptr_t count = counts[branch], half = count / 2 - count / 2 % 8, start = starts[branch];
            starts[2 * branch + 1] = start + half;
            counts[2 * branch + 1] = count - half;
            starts[2 * branch] = start;
            counts[2 * branch] = half;
        }
    Sum sums[kBranches];
    split(kBranches, 1, n / kBranches, [&](int64_t begin, int64_t end) {
        for (int64_t branch = begin; branch < end; ++branch) sums[branch] = sum_of(starts[branch], counts[branch]);
    });
    for (int made = kBranches; made > 1; made /= 2)
        for (int branch = 0; branch < made / 2; ++branch) sums[branch] = sums[2 * branch] + sums[2 * branch + 1];
    return sums[0];
}

// What a sum adds: an element, or a vector of them, from a place on. Others are in passes.h; `data` says where they come from.
template <class T>
struct Elements {
    const T* data;
    [[gnu::always_inline]] T operator()(intptr_t i) const { return data[i]; }
#ifdef FASTNP_X86
    [[gnu::always_inline]] FASTNP_AVX2 auto vector(intptr_t i) const { return load_vector(data + i); }
#endif
};
// Complex numbers are twice as many real ones, whose eight running sums are those of four numbers.
template <class T>
struct ComplexElements {
    const T* data;
    [[gnu::always_inline]] std::complex<T> operator()(intptr_t i) const { return {data[i], data[i + 1]}; }
#ifdef FASTNP_X86
    [[gnu::always_inline]] FASTNP_AVX2 auto vector(intptr_t i) const { return load_vector(data + i); }
#endif
};
// What the elements of a number are: as many have to be added together.
template <class Get>
inline constexpr intptr_t kParts = 1;
template <class T>
inline constexpr intptr_t kParts<ComplexElements<T>> = 2;
template <class T, class Get>
using SumOf = std::conditional_t<kParts<Get> == 2, std::complex<T>, T>;
// What a sum starts from, so that one of negative zeros is one, as NumPy's.
template <class T, class Get>
constexpr SumOf<T, Get> nothing() {
    constexpr T zero = static_cast<T>(-0.0);
    if constexpr (kParts<Get> == 2) return {zero, zero};
    else return zero;
}

#ifdef FASTNP_X86

// Eight running sums of up to kLeaf values, as NumPy keeps them.
template <class T>
struct EightSums;
template <>
struct EightSums<double> {
    __m256d low, high;
    template <class Get>
    FASTNP_AVX2 inline void load(const Get& get, intptr_t i) {
        low = get.vector(i);
        high = get.vector(i + 4);
    }
    template <class Get>
    FASTNP_AVX2 inline void add(const Get& get, intptr_t i) {
        low = _mm256_add_pd(low, get.vector(i));
        high = _mm256_add_pd(high, get.vector(i + 4));
    }
    // Where not `is_there`, add what changes nothing: -0.
    template <class Get>
    FASTNP_AVX2 inline void add_if(const Get& get, intptr_t i, bool is_there) {
        const __m256d nothing = _mm256_set1_pd(-0.0), mask = _mm256_castsi256_pd(_mm256_set1_epi64x(-int64_t{is_there}));
        low = _mm256_add_pd(low, _mm256_blendv_pd(nothing, get.vector(i), mask));
        high = _mm256_add_pd(high, _mm256_blendv_pd(nothing, get.vector(i + 4), mask));
    }
    // These, or what changes nothing.
    FASTNP_AVX2 inline EightSums only_if(bool wanted) const {
        const __m256d nothing = _mm256_set1_pd(-0.0), mask = _mm256_castsi256_pd(_mm256_set1_epi64x(-int64_t{wanted}));
        return {_mm256_blendv_pd(nothing, low, mask), _mm256_blendv_pd(nothing, high, mask)};
    }
    FASTNP_AVX2 inline void store(double* r) const {
        _mm256_storeu_pd(r, low);
        _mm256_storeu_pd(r + 4, high);
    }
};
template <>
struct EightSums<float> {
    __m256 all;
    template <class Get>
    FASTNP_AVX2 inline void load(const Get& get, intptr_t i) { all = get.vector(i); }
    template <class Get>
    FASTNP_AVX2 inline void add(const Get& get, intptr_t i) { all = _mm256_add_ps(all, get.vector(i)); }
    template <class Get>
    FASTNP_AVX2 inline void add_if(const Get& get, intptr_t i, bool is_there) {
        const __m256 nothing = _mm256_set1_ps(-0.0f), mask = _mm256_castsi256_ps(_mm256_set1_epi32(-int{is_there}));
        all = _mm256_add_ps(all, _mm256_blendv_ps(nothing, get.vector(i), mask));
    }
    FASTNP_AVX2 inline EightSums only_if(bool wanted) const {
        const __m256 nothing = _mm256_set1_ps(-0.0f), mask = _mm256_castsi256_ps(_mm256_set1_epi32(-int{wanted}));
        return {_mm256_blendv_ps(nothing, all, mask)};
    }
    FASTNP_AVX2 inline void store(float* r) const { _mm256_storeu_ps(r, all); }
};

// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), without a way through memory.
FASTNP_AVX2 inline double sum_of_eight(const EightSums<double>& lanes) {
    const __m256d pairs = _mm256_hadd_pd(lanes.low, lanes.high);  // 0 + 1, 4 + 5, 2 + 3, 6 + 7
    const __m128d fours = _mm_add_pd(_mm256_castpd256_pd128(pairs), _mm256_extractf128_pd(pairs, 1));
    return _mm_cvtsd_f64(_mm_add_sd(fours, _mm_unpackhi_pd(fours, fours)));
}
FASTNP_AVX2 inline float sum_of_eight(const EightSums<float>& lanes) {
    const __m128 low = _mm256_castps256_ps128(lanes.all), high = _mm256_extractf128_ps(lanes.all, 1);
    // No lane has a sum that is none of NumPy's, here and below: it might overflow, or be that of two infinities.
    const __m128 pairs = _mm_add_ps(_mm_shuffle_ps(low, high, 0x88), _mm_shuffle_ps(low, high, 0xdd));
    const __m128 fours = _mm_add_ps(pairs, _mm_permute_ps(pairs, 0xb1));
    return _mm_cvtss_f32(_mm_add_ss(fours, _mm_movehl_ps(fours, fours)));
}
// Of complex numbers: (0 + 2) + (4 + 6), and (1 + 3) + (5 + 7).
FASTNP_AVX2 inline std::complex<double> sum_of_four(const EightSums<double>& lanes) {
    const __m128d low = _mm_add_pd(_mm256_castpd256_pd128(lanes.low), _mm256_extractf128_pd(lanes.low, 1));
    const __m128d sum = _mm_add_pd(low, _mm_add_pd(_mm256_castpd256_pd128(lanes.high), _mm256_extractf128_pd(lanes.high, 1)));
    return {_mm_cvtsd_f64(sum), _mm_cvtsd_f64(_mm_unpackhi_pd(sum, sum))};
}
FASTNP_AVX2 inline std::complex<float> sum_of_four(const EightSums<float>& lanes) {
    const __m128 low = _mm256_castps256_ps128(lanes.all), high = _mm256_extractf128_ps(lanes.all, 1);
    const __m128 pairs = _mm_add_ps(_mm_movelh_ps(low, high), _mm_movehl_ps(high, low));
    const __m128 sum = _mm_add_ps(pairs, _mm_permute_ps(pairs, 0x4e));
    return std::bit_cast<std::complex<float>>(_mm_cvtsd_f64(_mm_castps_pd(sum)));
}
template <class T, class Get>
FASTNP_AVX2 inline SumOf<T, Get> total_of(const EightSums<T>& lanes, const Get&) {
    if constexpr (kParts<Get> == 2) return sum_of_four(lanes);
    else return sum_of_eight(lanes);
}

// The sums of eight leaves side by side, 0.6 to 0.95 of the time of one after the other: what is left of each by itself, and all
// of them. Of floats the less is done by itself the better: a leaf is short, and whatever stands between two keeps the
// next from being asked for.
template <class Get>
FASTNP_AVX2 inline __m256 part_of_leaf(const EightSums<float>& lanes, const Get&) { return lanes.all; }
template <class Get>
FASTNP_AVX2 inline __m128d part_of_leaf(const EightSums<double>& lanes, const Get&) {
    if constexpr (kParts<Get> == 2) {
        const __m128d low = _mm_add_pd(_mm256_castpd256_pd128(lanes.low), _mm256_extractf128_pd(lanes.low, 1));
        return _mm_add_pd(low, _mm_add_pd(_mm256_castpd256_pd128(lanes.high), _mm256_extractf128_pd(lanes.high, 1)));
    } else {
        const __m256d pairs = _mm256_hadd_pd(lanes.low, lanes.high);
        return _mm_add_pd(_mm256_castpd256_pd128(pairs), _mm256_extractf128_pd(pairs, 1));
    }
}
FASTNP_AVX2 inline void sums_of_leaves(const __m256* leaves, float* sums) {
    for (int k = 0; k < 8; k += 4) {
        const __m256 pairs = _mm256_hadd_ps(leaves[k], leaves[k + 1]), others = _mm256_hadd_ps(leaves[k + 2], leaves[k + 3]);
        const __m256 fours = _mm256_hadd_ps(pairs, others);
        _mm_storeu_ps(sums + k, _mm_add_ps(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1)));
    }
}
FASTNP_AVX2 inline void sums_of_leaves(const __m128d* fours, double* sums) {
    for (int k = 0; k < 8; k += 2) _mm_storeu_pd(sums + k, _mm_hadd_pd(fours[k], fours[k + 1]));
}
// 0 + 1 of either, and 2 + 3.
FASTNP_AVX2 inline __m256d sums_of_pairs(__m256 first, __m256 second) {
    const __m256d a = _mm256_castps_pd(first), b = _mm256_castps_pd(second);
    const __m256 even = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b)), odd = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
    return _mm256_castps_pd(_mm256_add_ps(even, odd));
}
FASTNP_AVX2 inline void sums_of_leaves(const __m256* leaves, std::complex<float>* sums) {
    for (int k = 0; k < 8; k += 4) {
        const __m256d pairs = sums_of_pairs(leaves[k], leaves[k + 1]), others = sums_of_pairs(leaves[k + 2], leaves[k + 3]);
        const __m256 lower = _mm256_castpd_ps(_mm256_permute2f128_pd(pairs, others, 0x20));
        const __m256 upper = _mm256_castpd_ps(_mm256_permute2f128_pd(pairs, others, 0x31));
        _mm256_storeu_ps(reinterpret_cast<float*>(sums + k), _mm256_add_ps(lower, upper));
    }
}
FASTNP_AVX2 inline void sums_of_leaves(const __m128d* leaves, std::complex<double>* sums) {
    for (int k = 0; k < 8; ++k) _mm_storeu_pd(reinterpret_cast<double*>(sums + k), leaves[k]);
}

// Where the elements of a sum come from: from far away one after another, where the processor asks ahead by itself.
// Of the last two, many leaves are summed as one; where a line has few of them, as of kNear and kFar.
enum class Source { kNear, kMemory, kFar, kNearLeaves, kFarLeaves };

// Of so few bytes many leaves in one loop gain nothing.
inline constexpr intptr_t kNearest = 2048, kSecondCache = 1 << 20, kFarFloats = 1 << 23;
// What comes from memory is asked for a kilobyte ahead.
inline constexpr intptr_t kAhead = 1024;

inline int64_t most_in_cache() { return third_cache() / 2; }
// Of all that a call reads, which may be many lines. Processors with AVX-512 gain nothing from being asked: fourth-generation Zen
// takes 1.05 to 1.25 of the time with it, and as long for four streams as for one. It takes twice as long for the two
// streams of two leaves side by side, where these come from memory. Third-generation Zen takes 0.6 to 0.9 of the time of other
// ways for many leaves in one loop, to where the third cache holds no more of them, and 0.7 of that for four streams then.
template <class T>
Source source_of(intptr_t bytes) {
    if (bytes <= kNearest) return Source::kNear;
    if (has_avx512()) return bytes <= (sizeof(T) == 4 ? kFarFloats : kSecondCache) ? Source::kNearLeaves : Source::kFarLeaves;
    return bytes <= third_cache() / 8 * 3 ? Source::kNearLeaves : Source::kMemory;
}

// Each of up to 16 blocks of eight after the first, as STEP(how many are left): of two leaves side by side 0.75 to 0.95 of the
// time that a loop takes, in the nearer caches.
#define FASTNP_EACH_BLOCK(BLOCKS, STEP)                                                                               \
    switch (BLOCKS) {                                                                                                 \
        case 16: STEP(15) [[fallthrough]];                                                                            \
        case 15: STEP(14) [[fallthrough]];                                                                            \
        case 14: STEP(13) [[fallthrough]];                                                                            \
        case 13: STEP(12) [[fallthrough]];                                                                            \
        case 12: STEP(11) [[fallthrough]];                                                                            \
        case 11: STEP(10) [[fallthrough]];                                                                            \
        case 10: STEP(9) [[fallthrough]];                                                                             \
        case 9: STEP(8) [[fallthrough]];                                                                              \
        case 8: STEP(7) [[fallthrough]];                                                                              \
        case 7: STEP(6) [[fallthrough]];                                                                              \
        case 6: STEP(5) [[fallthrough]];                                                                              \
        case 5: STEP(4) [[fallthrough]];                                                                              \
        case 4: STEP(3) [[fallthrough]];                                                                              \
        case 3: STEP(2) [[fallthrough]];                                                                              \
        case 2: STEP(1) [[fallthrough]];                                                                              \
        default: break;                                                                                               \
    }

// The rest of a leaf, from I on.
template <class T, class Get>
FASTNP_AVX2 inline SumOf<T, Get> sum_leaf_from(EightSums<T> lanes, const Get& get, intptr_t i, intptr_t end) {
    for (; i + 8 <= end; i += 8) lanes.add(get, i);
    SumOf<T, Get> sum = total_of(lanes, get);
    for (; i < end; i += kParts<Get>) sum += get(i);
    return sum;
}
template <class T, Source SOURCE, class Get>
FASTNP_AVX2 inline SumOf<T, Get> sum_leaf(const Get& get, intptr_t start, intptr_t n) {
    EightSums<T> lanes;
    lanes.load(get, start);
    intptr_t i = start + 8;
    if constexpr (SOURCE == Source::kMemory)
        for (; i + 8 <= start + n; i += 8) {
            _mm_prefetch(reinterpret_cast<const char*>(get.data + i) + kAhead, _MM_HINT_T0);
            lanes.add(get, i);
        }
    return sum_leaf_from(lanes, get, i, start + n);
}
// Two leaves side by side, since the sums of one wait for one another: 0.55 to 0.85 of the time of floats, 0.7 to 0.95 of that of
// doubles on third-generation Zen (the first generation overlaps these by itself). Not of doubles that come from memory: 1.2 to
// 2.4 times as long.
template <class T, class Get>
FASTNP_AVX2 inline SumOf<T, Get> sum_two_leaves(const Get& get, intptr_t start, intptr_t n, intptr_t more) {
    const intptr_t middle = start + n, end = middle + n;
    EightSums<T> first, second;
    first.load(get, start);
    second.load(get, middle);
    // A leaf that another one follows is of whole blocks.
#define FASTNP_STEP(LEFT)             \
    first.add(get, middle - 8 * LEFT); \
    second.add(get, end - 8 * LEFT);
    FASTNP_EACH_BLOCK(n / 8, FASTNP_STEP)
#undef FASTNP_STEP
    return total_of(first, get) + sum_leaf_from(second, get, end, middle + more);
}

template <class T, Source SOURCE, class Get>
FASTNP_AVX2 SumOf<T, Get> pairwise_sum_from(const Get& get, intptr_t start, intptr_t n) {
    if (n <= kLeaf) return sum_leaf<T, SOURCE>(get, start, n);
    const intptr_t half = n / 2 - n / 2 % 8;
    if (n - half <= kLeaf) {
        if constexpr (SOURCE == Source::kNear)
            return sum_two_leaves<T>(get, start, half, n - half);
        else
            return sum_leaf<T, SOURCE>(get, start, half) + sum_leaf<T, SOURCE>(get, start + half, n - half);
    }
    return pairwise_sum_from<T, SOURCE>(get, start, half) + pairwise_sum_from<T, SOURCE>(get, start + half, n - half);
}

#endif

}  // namespace fastnp
