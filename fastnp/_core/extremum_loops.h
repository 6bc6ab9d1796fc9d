// Extrema, in the stead of NumPy's loops: of two operands, of a line, and of many lines without a call for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cache.h"
#include "dtype.h"
#include "float_flags.h"
#include "iteration.h"
#include "reducing_loops.h"
#include "spread_loops.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

template <bool LARGEST, class T>
[[gnu::always_inline]] inline T extremum_of(T a, T b) {
    return LARGEST ? (a > b ? a : b) : (a < b ? a : b);
}

// --- of lines: as NumPy's, but that of two zeros either may be one ---

template <bool LARGEST, class V>
FASTNP_AVX2 inline V further(V a, V b) {
    if constexpr (LARGEST) return larger(a, b);
    else return smaller(a, b);
}

// Those before the next line of a cache, from which on vectors lie in one line each: of those that lie in two it takes 1.2 of the
// time. An extremum may take them twice.
template <class T>
inline intptr_t numbers_before_line(const T* a) {
    return (-reinterpret_cast<intptr_t>(a) & 63) / static_cast<intptr_t>(sizeof(T));
}

// Of VECTORS or more; the first NaN where there is one, looked for a block at a time.
inline constexpr intptr_t kNaNBlock = 4096;
template <bool LARGEST, int VECTORS, class T>
FASTNP_AVX2 inline T extremum_by_vectors(const T* a, intptr_t n) {
    constexpr intptr_t width = 32 / sizeof(T), step = VECTORS * width;
    decltype(load_vector(a)) best[VECTORS];
    auto odd = repeat_vector(T(0));
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; ++k) best[k] = load_vector(a + k * width);
    const auto take = [&](const T* from) FASTNP_AVX2 {
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k += 2) {
            const auto x = load_vector(from + k * width), y = load_vector(from + (k + 1) * width);
            odd = either(odd, compare<_CMP_UNORD_Q>(x, y));
            best[k] = further<LARGEST>(x, best[k]);
            best[k + 1] = further<LARGEST>(y, best[k + 1]);
        }
    };
    take(a);
    intptr_t i = numbers_before_line(a);
    for (intptr_t start = 0; start < n;) {
        const intptr_t end = std::min(n, start + kNaNBlock);
        for (; i + step <= end; i += step) take(a + i);
        // The last ones, some of which were taken already.
        if (end == n) take(a + n - step);
        if (bits_of(odd) != 0)
            return *std::find_if(a + std::max(intptr_t{0}, start - step), a + end, [](T x) { return x != x; });
        start = end;
    }
    for (int half = VECTORS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) best[k] = further<LARGEST>(best[k + half], best[k]);
    T lanes[width];
    store_vector(lanes, best[0]);
    for (intptr_t half = width / 2; half > 0; half /= 2)
        for (intptr_t k = 0; k < half; ++k) lanes[k] = extremum_of<LARGEST>(lanes[k + half], lanes[k]);
    return lanes[0];
}

inline constexpr intptr_t kExtremumFrom = 16;
template <bool LARGEST>
FASTNP_AVX2 inline double extremum_of_floats(const double* a, intptr_t n) { return extremum_by_vectors<LARGEST, 4>(a, n); }
template <bool LARGEST>
FASTNP_AVX2 inline float extremum_of_floats(const float* a, intptr_t n) {
    return n < 32 ? extremum_by_vectors<LARGEST, 2>(a, n) : extremum_by_vectors<LARGEST, 4>(a, n);
}

template <bool LARGEST, class T>
[[gnu::always_inline]] inline T extremum_of_integers(const T* a, intptr_t n) {
    constexpr intptr_t kLanes = 128 / sizeof(T);
    T best[kLanes];
    intptr_t i = 0;
    if (n >= kLanes) {
        for (intptr_t k = 0; k < kLanes; ++k) best[k] = a[k];
        for (i = numbers_before_line(a); i + kLanes <= n; i += kLanes)
            for (intptr_t k = 0; k < kLanes; ++k) best[k] = extremum_of<LARGEST>(a[i + k], best[k]);
        for (intptr_t step = kLanes / 2; step > 0; step /= 2)
            for (intptr_t k = 0; k < step; ++k) best[k] = extremum_of<LARGEST>(best[k + step], best[k]);
    } else {
        best[0] = a[i++];
    }
    for (; i < n; ++i) best[0] = extremum_of<LARGEST>(a[i], best[0]);
    return best[0];
}
template <bool LARGEST, class T>
FASTNP_AVX2 T extremum_of_integers_avx2(const T* a, intptr_t n) { return extremum_of_integers<LARGEST>(a, n); }
template <bool LARGEST, class T>
FASTNP_AVX512 T extremum_of_integers_avx512(const T* a, intptr_t n) { return extremum_of_integers<LARGEST>(a, n); }

// Of many numbers side by side and a result, which stays where it is NaN.
template <bool LARGEST, class T>
void take_line(const T* numbers, intptr_t n, T* result) {
    if constexpr (std::is_floating_point_v<T>) {
        if (*result != *result) return;
        const T extremum = extremum_of_floats<LARGEST>(numbers, n);
        *result = extremum != extremum ? extremum : extremum_of<LARGEST>(extremum, *result);
    } else {
        const T extremum =
            has_avx512() ? extremum_of_integers_avx512<LARGEST>(numbers, n) : extremum_of_integers_avx2<LARGEST>(numbers, n);
        *result = extremum_of<LARGEST>(extremum, *result);
    }
}

// Take one block of kBytesTogether into four vectors of the furthest so far; whether one of its numbers was NaN.
template <bool LARGEST, class T>
FASTNP_AVX2 inline bool take_block(const T* a, T* best) {
    constexpr intptr_t lanes = 128 / sizeof(T), width = 32 / sizeof(T), together = kBytesTogether / sizeof(T);
    if constexpr (std::is_floating_point_v<T>) {
        decltype(load_vector(a)) furthest[4], odd = repeat_vector(T(0));
        for (int k = 0; k < 4; ++k) furthest[k] = load_vector(best + k * width);
        for (intptr_t i = 0; i < together; i += lanes)
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                const auto x = load_vector(a + i + k * width);
                odd = either(odd, compare<_CMP_UNORD_Q>(x, x));
                furthest[k] = further<LARGEST>(x, furthest[k]);
            }
        for (int k = 0; k < 4; ++k) store_vector(best + k * width, furthest[k]);
        return bits_of(odd) != 0;
    } else {
        for (intptr_t i = 0; i < together; i += lanes)
            for (intptr_t k = 0; k < lanes; ++k) best[k] = extremum_of<LARGEST>(a[i + k], best[k]);
        return false;
    }
}

// The same of a line that comes from memory, blocks of four streams by turns; one stream does the rest, from a NaN on.
template <bool LARGEST, class T>
FASTNP_AVX2 void take_far_line(const T* numbers, intptr_t n, T* result) {
    constexpr int kFarStreams = 4;
    constexpr intptr_t kLanes = 128 / sizeof(T), kTogether = kBytesTogether / sizeof(T), kLeast = 32;
    const intptr_t distance = distance_of_streams(n, sizeof(T), kFarStreams), all = kFarStreams * distance;
    intptr_t done = 0;
    for (bool odd = false; all > 0 && n - done >= all; done += all) {
        T best[kLanes];
        std::copy_n(numbers + done, kLanes, best);
        for (intptr_t block = done; block < done + distance; block += kTogether)
            for (intptr_t k = block; k < block + all; k += distance) odd |= take_block<LARGEST>(numbers + k, best);
        if (odd) break;
        take_line<LARGEST>(best, kLanes, result);
    }
    const intptr_t rest = std::min(n, std::max(n - done, kLeast));
    if (done < n) take_line<LARGEST>(numbers + n - rest, rest, result);
}

// NumPy: no flag says that a number was NaN. Out of line, so that few numbers come to NumPy's loop by a jump.
template <bool LARGEST, class T>
[[gnu::noinline]] void take_long_line(char** args, intptr_t n) {
    const auto take = takes_streams(n * sizeof(T)) ? take_far_line<LARGEST, T> : take_line<LARGEST, T>;
    take(reinterpret_cast<const T*>(args[1]), n, reinterpret_cast<T*>(args[2]));
    if constexpr (std::is_floating_point_v<T>) clear_float_flags(false);
}
template <bool LARGEST, class T>
void extremum_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    if (n < kExtremumFrom || !is_of_line(args, strides, sizeof(T))) return pass_on(args, dimensions, strides, data);
    take_long_line<LARGEST, T>(args, n);
}

// What it is called with is said at Loop. Each result has a number of its line already, or of others before it.
template <bool LARGEST, class T>
void extremum_lines(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const Loop* const loop = static_cast<const Loop*>(data);
    const bool fits = n >= kExtremumFrom && strides[1] == sizeof(T);
    const auto take = takes_streams(n * dimensions[1] * sizeof(T)) ? take_far_line<LARGEST, T> : take_line<LARGEST, T>;
    for (intptr_t line = 0; line < dimensions[1]; ++line) {
        char *const result = args[0] + line * strides[3], *const from = args[1] + line * strides[4];
        if (fits) {
            take(reinterpret_cast<const T*>(from), n, reinterpret_cast<T*>(result));
            continue;
        }
        char* line_args[] = {result, from, result};
        loop->function(line_args, &n, strides, loop->data);
    }
    if constexpr (std::is_floating_point_v<T>) clear_float_flags(false);
}

// Find the loops of one line and of many; both null where NumPy's have to do.
template <bool LARGEST>
void find_extremum_loops(int dtype, LoopFunction* line, LoopFunction* lines) {
    const auto are_of = [=](auto number) {
        *line = extremum_loop<LARGEST, decltype(number)>;
        *lines = extremum_lines<LARGEST, decltype(number)>;
    };
    switch (dtype) {
        case FLOAT64: return are_of(double());
        case FLOAT32: return are_of(float());
        case INT64: return are_of(int64_t());
        case INT32: return are_of(int32_t());
        case UINT8: return are_of(uint8_t());
        default: return;
    }
}

// --- of two floats, one of them repeated ---

// Of two zeros the second operand, as in NumPy. No comparison here raises a flag.
template <bool LARGEST, class V>
FASTNP_AVX2 inline V float_extremum(V a, V b) {
    return choose(either(compare<LARGEST ? _CMP_GT_OQ : _CMP_LT_OQ>(a, b), compare<_CMP_UNORD_Q>(a, a)), a, b);
}

template <bool LARGEST, class T>
FASTNP_AVX2 void float_extrema_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == item ? 0 : strides[0] == item && strides[1] == 0 ? 1 : -1;
    if (repeated < 0 || strides[2] != item || n < width) return spread_loop<T, true, 16>(args, dimensions, strides, data);
    const char* const from = args[1 - repeated];
    // What is written may be what is repeated: then it counts from there on.
    const bool writes_it = args[repeated] >= args[2] && args[repeated] < args[2] + n * item;
    if (writes_it || (from != args[2] && from < args[2] + n * item && args[2] < from + n * item))
        return pass_on(args, dimensions, strides, data);
    const T* const in = reinterpret_cast<const T*>(from);
    T* const out = reinterpret_cast<T*>(args[2]);
    const auto one = repeat_vector(*reinterpret_cast<const T*>(args[repeated]));
    // The last elements are computed twice where they fill no vector, from what was there before.
    const auto last = load_vector(in + n - width);
    for (intptr_t i = 0; i + width <= n; i += width) {
        const auto x = load_vector(in + i);
        store_vector(out + i, repeated ? float_extremum<LARGEST>(x, one) : float_extremum<LARGEST>(one, x));
    }
    store_vector(out + n - width,
                 repeated ? float_extremum<LARGEST>(last, one) : float_extremum<LARGEST>(one, last));
}

// --- of two integers ---

template <bool LARGEST, class T>
[[gnu::always_inline]] inline void write_extrema(const T* a, const T* b, T* out, intptr_t n) {
#pragma GCC ivdep
    for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of<LARGEST>(a[i], b[i]);
}
template <bool LARGEST, class T>
[[gnu::always_inline]] inline void write_extrema_with(const T* a, T one, T* out, intptr_t n) {
#pragma GCC ivdep
    for (intptr_t i = 0; i < n; ++i) out[i] = extremum_of<LARGEST>(a[i], one);
}
template <bool LARGEST, class T>
FASTNP_AVX512 void write_extrema_avx512(const T* a, const T* b, T* out, intptr_t n, bool repeated) {
    repeated ? write_extrema_with<LARGEST, T>(a, *b, out, n) : write_extrema<LARGEST>(a, b, out, n);
}
template <bool LARGEST, class T>
FASTNP_AVX2 void write_extrema_avx2(const T* a, const T* b, T* out, intptr_t n, bool repeated) {
    repeated ? write_extrema_with<LARGEST, T>(a, *b, out, n) : write_extrema<LARGEST>(a, b, out, n);
}
template <bool LARGEST, class T>
void extrema_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0];
    const int repeated = strides[0] == 0 && strides[1] == item ? 0 : strides[0] == item && strides[1] == 0 ? 1 : -1;
    const auto apart = [&](int k) {
        return (k != repeated && args[k] == args[2]) || args[k] + (k == repeated ? item : n * item) <= args[2] ||
               args[2] + n * item <= args[k];
    };
    if ((repeated < 0 && (strides[0] != item || strides[1] != item)) || strides[2] != item || n < 8 || !apart(0) || !apart(1))
        return pass_on(args, dimensions, strides, data);
    const T* const a = reinterpret_cast<const T*>(args[repeated == 0 ? 1 : 0]);
    const T* const b = reinterpret_cast<const T*>(args[repeated == 0 ? 0 : 1]);
    T* const out = reinterpret_cast<T*>(args[2]);
    // Bytes fill vectors of 64 seldom: lines of 100 are done sooner by those of 32.
    if (item > 1 && has_avx512())
        write_extrema_avx512<LARGEST>(a, b, out, n, repeated >= 0);
    else
        write_extrema_avx2<LARGEST>(a, b, out, n, repeated >= 0);
}
template <bool LARGEST>
LoopFunction find_extrema_loop(int dtype) {
    switch (dtype) {
        case INT8: return extrema_loop<LARGEST, int8_t>;
        case UINT8: return extrema_loop<LARGEST, uint8_t>;
        case INT16: return extrema_loop<LARGEST, int16_t>;
        case UINT16: return extrema_loop<LARGEST, uint16_t>;
        case INT32: return extrema_loop<LARGEST, int32_t>;
        case UINT32: return extrema_loop<LARGEST, uint32_t>;
        case INT64: return extrema_loop<LARGEST, int64_t>;
        case UINT64: return extrema_loop<LARGEST, uint64_t>;
        default: return nullptr;
    }
}

#endif

}  // namespace fastnp
