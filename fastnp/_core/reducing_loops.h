// Loops that sum lines, in the stead of NumPy's.
#pragma once

#include <complex>
#include <cstdint>

#include "iteration.h"
#include "pairwise_sums.h"

namespace fastnp {

// Call the loop that a loop of our own stands for: its `data`.
inline void pass_on(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const Loop* const numpys = static_cast<const Loop*>(data);
    numpys->function(args, dimensions, strides, numpys->data);
}

#ifdef FASTNP_X86

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
        add_lines_by_leaves<T>(get, step, n, done, args[0], strides[3]);
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

// Integers, whose sums do not depend on the order: from memory in four streams, and lines without a call for each.
template <bool AHEAD = false>
FASTNP_AVX2 uint64_t sum_of_integers(const uint64_t* a, intptr_t n) {
    __m256i sums[4] = {};
    intptr_t i = 0;
    for (; i + 16 <= n; i += 16) {
        if constexpr (AHEAD)
            for (int k = 0; k < 16; k += 8) ask_far_ahead(a + i + k);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) sums[k] = _mm256_add_epi64(sums[k], load_bytes(a + i + 4 * k));
    }
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
            *reinterpret_cast<uint64_t*>(total) += sum_of_integers<>(reinterpret_cast<const uint64_t*>(line_args[1]), dimensions[0]);
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
    if (!is_of_line(args, strides, 8)) return pass_on(args, dimensions, strides, data);
    const intptr_t bytes = dimensions[0] * 8;
    const auto sum = source_of<uint64_t>(bytes) == Source::kMemory ? sum_of_quarters
                     : asks_for_leaves<uint64_t>(bytes)            ? sum_of_integers<true>
                                                                   : sum_of_integers<false>;
    *reinterpret_cast<uint64_t*>(args[0]) += sum(reinterpret_cast<const uint64_t*>(args[1]), dimensions[0]);
}

#endif

}  // namespace fastnp
