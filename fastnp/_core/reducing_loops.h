// Sums of a line, in the stead of NumPy's loops: in its pairwise order, to the last bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cache.h"
#include "iteration.h"
#include "parallel.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

// Call the loop that a loop of our own stands for: its `data`.
inline void pass_on(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const Loop* const numpys = static_cast<const Loop*>(data);
    numpys->function(args, dimensions, strides, numpys->data);
}

// --- sums: NumPy's pairwise order ---

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
enum class Source { kNear, kCache, kMemory, kFar, kNearLeaves, kFarLeaves };

// Elements are asked for a kilobyte or two ahead, 0.75 to 0.9 of the time where they come from the third cache or memory. Of so
// few bytes there is nothing to gain; in nearer caches it is free.
inline constexpr intptr_t kNearest = 2048, kSecondCache = 1 << 20, kFarFloats = 1 << 23;
inline constexpr intptr_t kAhead = 1024, kAheadOfTwo = 2048;

inline int64_t most_in_cache() { return third_cache() / 2; }
// Of all that a call reads, which may be many lines. Processors with AVX-512 gain nothing from being asked: fourth-generation Zen
// takes 1.05 to 1.25 of the time with it, and as long for four streams as for one. It takes twice as long for the two
// streams of two leaves side by side, where these come from memory.
template <class T>
Source source_of(intptr_t bytes) {
    if (bytes <= kNearest) return Source::kNear;
    if (has_avx512()) return bytes <= (sizeof(T) == 4 ? kFarFloats : kSecondCache) ? Source::kNearLeaves : Source::kFarLeaves;
    return bytes <= most_in_cache() ? Source::kCache : Source::kMemory;
}
template <class T, Source SOURCE>
inline constexpr bool kFetches = SOURCE == Source::kMemory || (SOURCE == Source::kCache && sizeof(T) == 8);

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
    if constexpr (kFetches<T, SOURCE>)
        for (; i + 8 <= start + n; i += 8) {
            _mm_prefetch(reinterpret_cast<const char*>(get.data + i) + kAhead, _MM_HINT_T0);
            lanes.add(get, i);
        }
    return sum_leaf_from(lanes, get, i, start + n);
}
// Ask for what two leaves side by side read two kilobytes later, as many bytes from PLACE on as a block of each has.
template <class T, bool AHEAD, class Item>
FASTNP_AVX2 inline void fetch_for_two(const Item* place) {
    if constexpr (AHEAD)
        for (size_t byte = 0; byte < 16 * sizeof(T); byte += 64)
            _mm_prefetch(reinterpret_cast<const char*>(place) + kAheadOfTwo + byte, _MM_HINT_T0);
}
// Two leaves side by side, since the sums of one wait for one another: 0.55 to 0.85 of the time of floats, 0.7 to 0.95 of that of
// doubles on third-generation Zen (the first generation overlaps these by itself). Not of doubles that come from memory: 1.2 to
// 2.4 times as long.
template <class T, Source SOURCE, class Get>
FASTNP_AVX2 inline SumOf<T, Get> sum_two_leaves(const Get& get, intptr_t start, intptr_t n, intptr_t more) {
    const intptr_t middle = start + n, end = middle + n;
    EightSums<T> first, second;
    first.load(get, start);
    second.load(get, middle);
    // A leaf that another one follows is of whole blocks.
#define FASTNP_STEP(LEFT)             \
    first.add(get, middle - 8 * LEFT); \
    second.add(get, end - 8 * LEFT);   \
    fetch_for_two<T, SOURCE == Source::kCache>(get.data + end - 16 * LEFT);
    FASTNP_EACH_BLOCK(n / 8, FASTNP_STEP)
#undef FASTNP_STEP
    return total_of(first, get) + sum_leaf_from(second, get, end, middle + more);
}

template <class T, Source SOURCE, class Get>
FASTNP_AVX2 SumOf<T, Get> pairwise_sum_from(const Get& get, intptr_t start, intptr_t n) {
    if (n <= kLeaf) return sum_leaf<T, SOURCE>(get, start, n);
    const intptr_t half = n / 2 - n / 2 % 8;
    if (n - half <= kLeaf) {
        if constexpr (SOURCE == Source::kNear || SOURCE == Source::kCache)
            return sum_two_leaves<T, SOURCE>(get, start, half, n - half);
        else
            return sum_leaf<T, SOURCE>(get, start, half) + sum_leaf<T, SOURCE>(get, start + half, n - half);
    }
    return pairwise_sum_from<T, SOURCE>(get, start, half) + pairwise_sum_from<T, SOURCE>(get, start + half, n - half);
}

// --- of many leaves of two sizes ---
//
// Whether a leaf has a block of eight more than the one before is next to random, and to guess wrong costs as much as half of
// a leaf. Where all leaves are as deep, they have BLOCKS or one less: the last is added to each, or nothing in its stead. An odd
// block is always the second half's, so that leaf J of 2 ** depth has (blocks + J with its bits reversed) >> depth of them, and
// one loop goes over all. 0.7 to 0.8 of the time of floats from the second cache on, 0.85 of that of doubles.

// So many times eight leaves in one loop at most.
inline constexpr int kDeepest = 13;
inline constexpr intptr_t kGroups = 1 << (kDeepest - 3);
inline constexpr intptr_t kReversedOfEight[8] = {0, 4, 2, 6, 1, 5, 3, 7};

// What is left of a leaf of BLOCKS or, without MORE, one less.
template <class T, int BLOCKS, class Get>
[[gnu::always_inline]] FASTNP_AVX2 inline auto part_of_blocks(const Get& get, intptr_t place, intptr_t more) {
    EightSums<T> lanes;
    lanes.load(get, place);
#pragma GCC unroll 16
    for (int block = 1; block < BLOCKS - 1; ++block) lanes.add(get, place + 8 * block);
    lanes.add_if(get, place + 8 * (BLOCKS - 2 + more), more != 0);
    return part_of_leaf(lanes, get);
}
// EACH of eight. Unrolled, the leaves of floats take 0.9 to 0.98 of the time, those of doubles 1.02.
#define FASTNP_EIGHT_LEAVES(T, EACH)                                                                      \
    if constexpr (sizeof(T) == 4) {                                                                       \
        _Pragma("GCC unroll 8") for (int leaf = 0; leaf < 8; ++leaf) { EACH; }                            \
    } else {                                                                                              \
        _Pragma("GCC unroll 1") for (int leaf = 0; leaf < 8; ++leaf) { EACH; }                            \
    }

template <class Sum>
[[gnu::always_inline]] inline Sum sum_of_sums(const Sum* eight) {
    return ((eight[0] + eight[1]) + (eight[2] + eight[3])) + ((eight[4] + eight[5]) + (eight[6] + eight[7]));
}

// N elements as 2 ** depth leaves, the last one with `rest` more; `longest` is 0 where they are not all as deep.
struct Leaves {
    intptr_t blocks, rest;
    int depth = 0, longest = 0;

    explicit Leaves(intptr_t n) : blocks(n / 8), rest(n % 8) {
        while ((((blocks - 1) >> depth) + 1) * 8 + rest > kLeaf) ++depth;
        // A leaf of 16 blocks is not divided, unless it has more.
        if (depth == 1 || (depth > 1 && blocks >> (depth - 1) > kLeaf / 8)) longest = static_cast<int>(((blocks - 1) >> depth) + 1);
    }
};
// What adds the sums of lines that are divided alike to what lies at their places.
template <class T, class Get>
using AddLines = void (*)(Leaves leaves, const Get& get, intptr_t start, intptr_t step, intptr_t lines, char* total,
                          intptr_t total_step);
// OF<BLOCKS>() for the longest leaf, a null pointer where there is none.
template <class Of>
auto for_longest(int longest, Of of) -> decltype(of.template operator()<8>()) {
    switch (longest) {
        case 8: return of.template operator()<8>();
        case 9: return of.template operator()<9>();
        case 10: return of.template operator()<10>();
        case 11: return of.template operator()<11>();
        case 12: return of.template operator()<12>();
        case 13: return of.template operator()<13>();
        case 14: return of.template operator()<14>();
        case 15: return of.template operator()<15>();
        case 16: return of.template operator()<16>();
        default: return nullptr;
    }
}

// Of lines of one leaf, eight at a time: a multiple of eight.
template <class T, class Get>
FASTNP_AVX2 void add_single_leaves(const Get& get, intptr_t step, intptr_t n, intptr_t lines, char* total, intptr_t total_step) {
    using Sum = SumOf<T, Get>;
    alignas(Sum) char room[8 * sizeof(Sum)];
    Sum* const eight = reinterpret_cast<Sum*>(room);
    decltype(part_of_leaf(EightSums<T>(), get)) parts[8];
    const intptr_t whole = n - n % 8;
    for (intptr_t line = 0; line < lines; line += 8) {
        for (int leaf = 0; leaf < 8; ++leaf) {
            const intptr_t place = (line + leaf) * step;
            EightSums<T> lanes;
            lanes.load(get, place);
            for (intptr_t i = 8; i < whole; i += 8) lanes.add(get, place + i);
            parts[leaf] = part_of_leaf(lanes, get);
        }
        sums_of_leaves(parts, eight);
        for (int leaf = 0; leaf < 8; ++leaf) {
            const intptr_t place = (line + leaf) * step;
            Sum sum = eight[leaf];
            for (intptr_t i = whole; i < n; i += kParts<Get>) sum += get(place + i);
            *reinterpret_cast<Sum*>(total + (line + leaf) * total_step) += sum;
        }
    }
}

// Of lines of eight leaves or more. All lines in one loop, 0.85 to 0.93 of the time of a call for each.
template <class T, int BLOCKS, class Get>
FASTNP_AVX2 void add_leaves(Leaves leaves, const Get& get, intptr_t start, intptr_t step, intptr_t lines, char* total,
                            intptr_t total_step) {
    using Sum = SumOf<T, Get>;
    const int depth = leaves.depth;
    const intptr_t groups = intptr_t{1} << (depth - 3), longer = leaves.blocks - ((BLOCKS - 1) << depth), rest = leaves.rest;
    // Complex numbers would all be set to zero first.
    alignas(Sum) char room[(kGroups + 8) * sizeof(Sum)];
    Sum *const sums = reinterpret_cast<Sum*>(room), *const eight = sums + kGroups;
    decltype(part_of_leaf(EightSums<T>(), get)) parts[8];
    for (intptr_t line = 0; line < lines; ++line) {
        intptr_t place = start + line * step, reversed = 0;
        const auto add_leaf = [&](int leaf) FASTNP_AVX2 __attribute__((always_inline)) {
            const intptr_t more = (longer + reversed + kReversedOfEight[leaf] * groups) >> depth;
            parts[leaf] = part_of_blocks<T, BLOCKS>(get, place, more);
            place += 8 * (BLOCKS - 1 + more);
        };
        for (intptr_t group = 0; group < groups; ++group) {
            FASTNP_EIGHT_LEAVES(T, add_leaf(leaf));
            sums_of_leaves(parts, eight);
            sums[group] = sum_of_sums(eight);
            // The bits that one more changes: the last ones, reversed the first ones.
            reversed ^= (groups - 1) & ~((groups - 1) >> (__builtin_ctzll(group + 1) + 1));
        }
        if (rest > 0) {
            for (intptr_t i = 0; i < rest; i += kParts<Get>) eight[7] += get(place + i);
            sums[groups - 1] = sum_of_sums(eight);
        }
        for (intptr_t left = groups / 2; left > 0; left /= 2)
            for (intptr_t group = 0; group < left; ++group) sums[group] = sums[2 * group] + sums[2 * group + 1];
        *reinterpret_cast<Sum*>(total + line * total_step) += sums[0];
    }
}

// Of lines of two or four leaves, eight leaves at a time: a multiple of four or two lines.
template <class T, int BLOCKS, class Get>
FASTNP_AVX2 void add_few_leaves(Leaves leaves, const Get& get, intptr_t start, intptr_t step, intptr_t lines, char* total,
                                intptr_t total_step) {
    using Sum = SumOf<T, Get>;
    const int depth = leaves.depth;
    const intptr_t of_line = intptr_t{1} << depth, longer = leaves.blocks - ((BLOCKS - 1) << depth);
    intptr_t places[8], mores[8], place = start;
    for (int leaf = 0; leaf < 8; ++leaf) {
        const intptr_t of_its_line = leaf & (of_line - 1);
        if (of_its_line == 0) place = start + (leaf >> depth) * step;
        places[leaf] = place;
        mores[leaf] = (longer + kReversedOfEight[of_its_line << (3 - depth)]) >> depth;
        place += 8 * (BLOCKS - 1 + mores[leaf]);
    }
    alignas(Sum) char room[8 * sizeof(Sum)];
    Sum* const eight = reinterpret_cast<Sum*>(room);
    decltype(part_of_leaf(EightSums<T>(), get)) parts[8];
    for (intptr_t line = 0; line < lines; line += 8 >> depth) {
        const intptr_t moved = line * step;
        FASTNP_EIGHT_LEAVES(T, parts[leaf] = (part_of_blocks<T, BLOCKS>(get, moved + places[leaf], mores[leaf])));
        sums_of_leaves(parts, eight);
        for (int last = of_line - 1; last < 8; last += of_line) {
            const intptr_t end = moved + places[last] + 8 * (BLOCKS - 1 + mores[last]);
            for (intptr_t i = end; i < end + leaves.rest; i += kParts<Get>) eight[last] += get(i);
        }
        for (int leaf = 0; leaf < 8; leaf += of_line) {
            Sum sum = eight[leaf] + eight[leaf + 1];
            if (depth == 2) sum += eight[leaf + 2] + eight[leaf + 3];
            *reinterpret_cast<Sum*>(total + (line + (leaf >> depth)) * total_step) += sum;
        }
    }
}

template <class T, Source SHORT, class Get>
FASTNP_AVX2 SumOf<T, Get> pairwise_sum_of_leaves(const Get& get, intptr_t start, intptr_t n) {
    const Leaves leaves(n);
    if (leaves.depth < 3) return pairwise_sum_from<T, SHORT>(get, start, n);
    AddLines<T, Get> add = nullptr;
    const auto of = []<int BLOCKS>() -> AddLines<T, Get> { return add_leaves<T, BLOCKS>; };
    if (leaves.depth <= kDeepest) add = for_longest(leaves.longest, of);
    if (add) {
        SumOf<T, Get> sum = nothing<T, Get>();
        add(leaves, get, start, 0, 1, reinterpret_cast<char*>(&sum), 0);
        return sum;
    }
    const intptr_t half = n / 2 - n / 2 % 8;
    const SumOf<T, Get> first = pairwise_sum_of_leaves<T, SHORT>(get, start, half);
    return first + pairwise_sum_of_leaves<T, SHORT>(get, start + half, n - half);
}

// Add the sums of the first lines, and say how many these are.
template <class T, class Get>
intptr_t add_first_lines(const Get& get, intptr_t step, intptr_t n, intptr_t lines, char* total, intptr_t total_step) {
    const Leaves leaves(n);
    if (leaves.depth > kDeepest) return 0;
    const bool few = leaves.depth < 3;
    const auto of = [=]<int BLOCKS>() -> AddLines<T, Get> {
        return few ? add_few_leaves<T, BLOCKS, Get> : add_leaves<T, BLOCKS, Get>;
    };
    const AddLines<T, Get> add = for_longest(leaves.longest, of);
    if (!add) return 0;
    if (few) lines -= lines % (8 >> leaves.depth);
    add(leaves, get, 0, step, lines, total, total_step);
    return lines;
}

// Four sums side by side of elements that lie far from one another: memory is read in four streams, in 0.6 to 0.85 of the time
// that it takes in one.
inline constexpr int kStreams = 4;
template <class T, class Get>
FASTNP_AVX2 inline void sum_four_leaves(const Get& get, const intptr_t* starts, const intptr_t* counts, SumOf<T, Get>* sums) {
    EightSums<T> lanes[kStreams];
    for (int k = 0; k < kStreams; ++k) lanes[k].load(get, starts[k]);
    const intptr_t least = *std::min_element(counts, counts + kStreams);
    intptr_t i = 8;
    for (; i + 8 <= least; i += 8)
        for (int k = 0; k < kStreams; ++k) {
            _mm_prefetch(reinterpret_cast<const char*>(get.data + starts[k] + i) + kAhead, _MM_HINT_T0);
            lanes[k].add(get, starts[k] + i);
        }
    for (int k = 0; k < kStreams; ++k) sums[k] = sum_leaf_from(lanes[k], get, starts[k] + i, starts[k] + counts[k]);
}

// Of eight elements or more each. Their trees have the same branches as long as none of them is a leaf.
template <class T, class Get>
FASTNP_AVX2 void sum_four(const Get& get, const intptr_t* starts, const intptr_t* counts, SumOf<T, Get>* sums) {
    const auto leaves = std::count_if(counts, counts + kStreams, [](intptr_t count) { return count <= kLeaf; });
    if (leaves == kStreams) return sum_four_leaves<T>(get, starts, counts, sums);
    if (leaves > 0) {
        for (int k = 0; k < kStreams; ++k) sums[k] = pairwise_sum_from<T, Source::kMemory>(get, starts[k], counts[k]);
        return;
    }
    intptr_t halves[kStreams], middles[kStreams], rests[kStreams];
    SumOf<T, Get> others[kStreams];
    for (int k = 0; k < kStreams; ++k) {
        halves[k] = counts[k] / 2 - counts[k] / 2 % 8;
        middles[k] = starts[k] + halves[k];
        rests[k] = counts[k] - halves[k];
    }
    sum_four<T>(get, starts, halves, sums);
    sum_four<T>(get, middles, rests, others);
    for (int k = 0; k < kStreams; ++k) sums[k] += others[k];
}

// From so many elements on, quarters of a line lie far enough from one another.
inline constexpr intptr_t kQuartered = 1 << 15;
template <class T, class Get>
FASTNP_AVX2 SumOf<T, Get> pairwise_sum_from_memory(const Get& get, intptr_t start, intptr_t n) {
    if (n < kQuartered) return pairwise_sum_from<T, Source::kMemory>(get, start, n);
    const intptr_t half = n / 2 - n / 2 % 8, rest = n - half, first = half / 2 - half / 2 % 8, third = rest / 2 - rest / 2 % 8;
    const intptr_t starts[kStreams] = {start, start + first, start + half, start + half + third};
    const intptr_t counts[kStreams] = {first, half - first, third, rest - third};
    SumOf<T, Get> sums[kStreams];
    sum_four<T>(get, starts, counts, sums);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T, class Get>
FASTNP_AVX2 SumOf<T, Get> pairwise_sum(const Get& get, intptr_t start, intptr_t n, Source source) {
    if (n < 8) {
        SumOf<T, Get> sum = nothing<T, Get>();
        for (intptr_t i = 0; i < n; i += kParts<Get>) sum += get(start + i);
        return sum;
    }
    switch (source) {
        case Source::kNear: return pairwise_sum_from<T, Source::kNear>(get, start, n);
        case Source::kCache: return pairwise_sum_from<T, Source::kCache>(get, start, n);
        case Source::kNearLeaves: return pairwise_sum_of_leaves<T, Source::kNear>(get, start, n);
        case Source::kFarLeaves: return pairwise_sum_of_leaves<T, Source::kFar>(get, start, n);
        case Source::kFar: return pairwise_sum_from<T, Source::kFar>(get, start, n);
        default: return pairwise_sum_from_memory<T>(get, start, n);
    }
}

inline bool is_of_line(char** args, const intptr_t* strides, intptr_t item) {
    return args[0] == args[2] && strides[0] == 0 && strides[2] == 0 && strides[1] == item;
}

template <class T, class Get = Elements<T>>
void add_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Sum = SumOf<T, Get>;
    if (!is_of_line(args, strides, sizeof(Sum))) return pass_on(args, dimensions, strides, data);
    Sum* const total = reinterpret_cast<Sum*>(args[0]);
    const Get get{reinterpret_cast<const T*>(args[1])};
    const Source source = source_of<T>(dimensions[0] * static_cast<intptr_t>(sizeof(Sum)));
    const auto sum_of = [=](intptr_t start, intptr_t n) { return pairwise_sum<T>(get, start, n, source); };
    *total = *total + sum_in_parts<Sum>(kParts<Get> * dimensions[0], sum_of);
}

// Lines one after the other without a call for each; of those that no cache holds four side by side, from quarters of them
// all. What it is called with is said at Loop.
template <class T, class Get = Elements<T>>
void add_lines(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Sum = SumOf<T, Get>;
    const intptr_t n = kParts<Get> * dimensions[0], lines = dimensions[1], quarter = lines / kStreams;
    const Source source = source_of<T>(n * lines * static_cast<intptr_t>(sizeof(T)));
    const auto one = [&](intptr_t line) {
        char* const total = args[0] + line * strides[3];
        char* line_args[] = {total, args[1] + line * strides[4], total};
        if (!is_of_line(line_args, strides, sizeof(Sum)))
            return pass_on(line_args, dimensions, strides, static_cast<const Loop*>(data)->data);
        const Get get{reinterpret_cast<const T*>(line_args[1])};
        *reinterpret_cast<Sum*>(total) += pairwise_sum<T>(get, 0, n, source);
    };
    intptr_t done = 0;
    const bool fits = is_of_line(args, strides, sizeof(Sum)) && strides[4] % static_cast<intptr_t>(sizeof(Sum)) == 0;
    const intptr_t step = strides[4] / static_cast<intptr_t>(sizeof(T));
    const Get get{reinterpret_cast<const T*>(args[1])};
    if (fits && n >= 8 && n <= kLeaf && source != Source::kMemory) {
        done = lines - lines % 8;
        add_single_leaves<T>(get, step, n, done, args[0], strides[3]);
        for (; done < lines; ++done)
            *reinterpret_cast<Sum*>(args[0] + done * strides[3]) += sum_leaf<T, Source::kNear>(get, done * step, n);
    } else if (fits && (source == Source::kNearLeaves || source == Source::kFarLeaves)) {
        done = add_first_lines<T>(get, step, n, lines, args[0], strides[3]);
    } else if (fits && n >= kLeaf && source == Source::kMemory) {
        const intptr_t counts[kStreams] = {n, n, n, n};
        for (intptr_t line = 0; line < quarter; ++line) {
            intptr_t starts[kStreams];
            Sum sums[kStreams];
            for (int k = 0; k < kStreams; ++k) starts[k] = (line + k * quarter) * step;
            sum_four<T>(get, starts, counts, sums);
            for (int k = 0; k < kStreams; ++k)
                *reinterpret_cast<Sum*>(args[0] + (line + k * quarter) * strides[3]) += sums[k];
        }
        done = kStreams * quarter;
    }
    for (; done < lines; ++done) one(done);
}

// Integers, whose sums do not depend on the order: from memory in four streams, in NumPy's loop otherwise, and lines without a
// call for each.
FASTNP_AVX2 inline uint64_t sum_of_integers(const uint64_t* a, intptr_t n) {
    __m256i sums[4] = {};
    intptr_t i = 0;
    for (; i + 16 <= n; i += 16)
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) sums[k] = _mm256_add_epi64(sums[k], load_bytes(a + i + 4 * k));
    alignas(32) uint64_t each[4];
    const __m256i all = _mm256_add_epi64(_mm256_add_epi64(sums[0], sums[1]), _mm256_add_epi64(sums[2], sums[3]));
    _mm256_store_si256(reinterpret_cast<__m256i*>(each), all);
    uint64_t sum = (each[0] + each[1]) + (each[2] + each[3]);
    for (; i < n; ++i) sum += a[i];
    return sum;
}
inline void add_integer_lines(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const bool fits = is_of_line(args, strides, 8);
    for (intptr_t line = 0; line < dimensions[1]; ++line) {
        char* const total = args[0] + line * strides[3];
        char* line_args[] = {total, args[1] + line * strides[4], total};
        if (fits)
            *reinterpret_cast<uint64_t*>(total) += sum_of_integers(reinterpret_cast<const uint64_t*>(line_args[1]), dimensions[0]);
        else
            pass_on(line_args, dimensions, strides, static_cast<const Loop*>(data)->data);
    }
}
FASTNP_AVX2 inline uint64_t sum_of_quarters(const uint64_t* a, intptr_t n) {
    const intptr_t quarter = n / kStreams;
    const uint64_t *const b = a + quarter, *const c = b + quarter, *const d = c + quarter;
    uint64_t first = 0, second = 0, third = 0, fourth = 0;
    for (intptr_t i = 0; i < quarter; ++i) {
        first += a[i];
        second += b[i];
        third += c[i];
        fourth += d[i];
    }
    for (intptr_t i = kStreams * quarter; i < n; ++i) first += a[i];
    return first + second + third + fourth;
}

inline void add_integers_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (!is_of_line(args, strides, 8) || source_of<uint64_t>(dimensions[0] * 8) != Source::kMemory)
        return pass_on(args, dimensions, strides, data);
    *reinterpret_cast<uint64_t*>(args[0]) += sum_of_quarters(reinterpret_cast<const uint64_t*>(args[1]), dimensions[0]);
}

#endif

}  // namespace fastnp
