// Extrema of lines one after the other, without a call for each: as NumPy's, but that of two zeros either may be one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dtype.h"
#include "float_flags.h"
#include "iteration.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

template <bool GREATEST, class V>
FASTNP_AVX2 inline V further(V a, V b) {
    if constexpr (GREATEST) return larger(a, b);
    else return smaller(a, b);
}

// Of so many numbers at least; false where one of them is NaN.
inline constexpr intptr_t kExtremumFrom = 16;
template <bool GREATEST, class T>
FASTNP_AVX2 inline bool float_extremum(const T* a, intptr_t n, T* extremum) {
    constexpr intptr_t width = 32 / sizeof(T);
    auto p = load_vector(a), q = load_vector(a + width);
    auto odd = compare<_CMP_UNORD_Q>(p, q);
    const auto take = [&](intptr_t i) FASTNP_AVX2 {
        const auto x = load_vector(a + i), y = load_vector(a + i + width);
        odd = either(odd, compare<_CMP_UNORD_Q>(x, y));
        p = further<GREATEST>(x, p);
        q = further<GREATEST>(y, q);
    };
    intptr_t i = 2 * width;
    for (; i + 2 * width <= n; i += 2 * width) take(i);
    // The last ones, some of which were taken already.
    if (i < n) take(n - 2 * width);
    if (bits_of(odd) != 0) return false;
    T lanes[width];
    store_vector(lanes, further<GREATEST>(p, q));
    for (intptr_t step = width / 2; step > 0; step /= 2)
        for (intptr_t k = 0; k < step; ++k)
            lanes[k] = (GREATEST ? lanes[k + step] > lanes[k] : lanes[k + step] < lanes[k]) ? lanes[k + step] : lanes[k];
    *extremum = lanes[0];
    return true;
}

template <bool GREATEST, class T>
[[gnu::always_inline]] inline T further_number(T a, T b) {
    return (GREATEST ? a > b : a < b) ? a : b;
}
template <bool GREATEST, class T>
[[gnu::always_inline]] inline T integer_extremum(const T* a, intptr_t n) {
    constexpr intptr_t kLanes = 128 / sizeof(T);
    T best[kLanes];
    intptr_t i = 0;
    if (n >= kLanes) {
        for (intptr_t k = 0; k < kLanes; ++k) best[k] = a[k];
        for (i = kLanes; i + kLanes <= n; i += kLanes)
            for (intptr_t k = 0; k < kLanes; ++k) best[k] = further_number<GREATEST>(a[i + k], best[k]);
        for (intptr_t step = kLanes / 2; step > 0; step /= 2)
            for (intptr_t k = 0; k < step; ++k) best[k] = further_number<GREATEST>(best[k + step], best[k]);
    } else {
        best[0] = a[i++];
    }
    for (; i < n; ++i) best[0] = further_number<GREATEST>(a[i], best[0]);
    return best[0];
}
template <bool GREATEST, class T>
FASTNP_AVX2 T integer_extremum_avx2(const T* a, intptr_t n) { return integer_extremum<GREATEST>(a, n); }
template <bool GREATEST, class T>
FASTNP_AVX512 T integer_extremum_avx512(const T* a, intptr_t n) { return integer_extremum<GREATEST>(a, n); }

// What it is called with is said at Loop. Each result has a number of its line already, or of others before it.
template <bool GREATEST, class T>
void extremum_lines(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const intptr_t n = dimensions[0];
    const Loop* const loop = static_cast<const Loop*>(data);
    const bool fits = n >= kExtremumFrom && strides[1] == sizeof(T);
    for (intptr_t line = 0; line < dimensions[1]; ++line) {
        T* const result = reinterpret_cast<T*>(args[0] + line * strides[3]);
        char* const from = args[1] + line * strides[4];
        T extremum;
        bool done = false;
        if constexpr (std::is_floating_point_v<T>) {
            done = fits && *result == *result && float_extremum<GREATEST>(reinterpret_cast<const T*>(from), n, &extremum);
        } else if (fits) {
            const T* const numbers = reinterpret_cast<const T*>(from);
            extremum = has_avx512() ? integer_extremum_avx512<GREATEST>(numbers, n) : integer_extremum_avx2<GREATEST>(numbers, n);
            done = true;
        }
        if (done) {
            *result = further_number<GREATEST>(extremum, *result);
            continue;
        }
        char* line_args[] = {args[0] + line * strides[3], from, args[0] + line * strides[3]};
        loop->function(line_args, &n, strides, loop->data);
    }
    // NumPy: no flag says that a number was NaN.
    if constexpr (std::is_floating_point_v<T>) clear_float_flags(false);
}

template <bool GREATEST>
LoopFunction find_extremum_lines(int dtype) {
    switch (dtype) {
        case FLOAT64: return extremum_lines<GREATEST, double>;
        case FLOAT32: return extremum_lines<GREATEST, float>;
        case INT64: return extremum_lines<GREATEST, int64_t>;
        case INT32: return extremum_lines<GREATEST, int32_t>;
        case UINT8: return extremum_lines<GREATEST, uint8_t>;
        default: return nullptr;
    }
}

#endif

}  // namespace fastnp
