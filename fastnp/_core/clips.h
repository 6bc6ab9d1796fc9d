// NumPy's `clip` on vectors: a number that is NaN stays, and so does a bound. Of two zeros it is the bound, but the number where
// both bounds are one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cache.h"
#include "dtype.h"
#include "float_flags.h"
#include "own_loops.h"
#include "streamed.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

template <class T>
[[gnu::always_inline]] inline T clipped(T x, T low, T high) {
    const T above = x > low || x != x ? x : low;
    return above < high || above != above ? above : high;
}
template <class V>
FASTNP_AVX2 inline V clipped_vector(V x, V low, V high) {
    const V above = choose(compare<_CMP_UNORD_Q>(x, x), x, larger(x, low));
    return choose(compare<_CMP_UNORD_Q>(above, above), above, smaller(above, high));
}

template <class T>
FASTNP_AVX2 inline void clip_by_two(const T* x, T low, T high, T* out, intptr_t n) {
    constexpr intptr_t width = 32 / sizeof(T);
    const auto least = repeat_vector(low), most = repeat_vector(high);
    intptr_t i = 0;
    for (; i + width <= n; i += width) store_vector(out + i, smaller(most, larger(least, load_vector(x + i))));
    for (; i < n; ++i) out[i] = x[i] < low ? low : high < x[i] ? high : x[i];
}

// The same of what no cache holds, written past it: its memory is not read first.
template <class T>
FASTNP_AVX2 inline void clip_past_cache(const T* x, T low, T high, T* out, intptr_t n) {
    constexpr intptr_t width = 32 / sizeof(T), line = 2 * width;
    const auto least = repeat_vector(low), most = repeat_vector(high);
    const bool ahead = asks_ahead(2 * n * static_cast<intptr_t>(sizeof(T)));
    intptr_t i = (-reinterpret_cast<intptr_t>(out) & 63) / static_cast<intptr_t>(sizeof(T));
    clip_by_two(x, low, high, out, i);
    for (; i + line <= n; i += line) {
        if (ahead) ask_ahead_once(x + i);
        stream_vector(out + i, smaller(most, larger(least, load_vector(x + i))));
        stream_vector(out + i + width, smaller(most, larger(least, load_vector(x + i + width))));
    }
    _mm_sfence();
    clip_by_two(x + i, low, high, out + i, n - i);
}

template <class T>
FASTNP_AVX2 void clip_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const intptr_t n = dimensions[0], bytes = n * item;
    const bool one_low = strides[1] == 0, one_high = strides[2] == 0;
    if (n < width || strides[0] != item || strides[3] != item || (strides[1] != item && !one_low) ||
        (strides[2] != item && !one_high) || !is_readable(args[0], false, args[3], bytes) ||
        !is_readable(args[1], one_low, args[3], bytes) || !is_readable(args[2], one_high, args[3], bytes))
        return pass_on(args, dimensions, strides, data);
    const T *const x = reinterpret_cast<const T*>(args[0]), *const low = reinterpret_cast<const T*>(args[1]);
    const T* const high = reinterpret_cast<const T*>(args[2]);
    T* const out = reinterpret_cast<T*>(args[3]);
    intptr_t i = 0;
    if constexpr (std::is_floating_point_v<T>) {
        if (one_low && one_high && *low <= *high) {
            const bool past = 2 * bytes > third_cache() && lie_apart(args[0], bytes, args[3], bytes) &&
                              reinterpret_cast<intptr_t>(out) % item == 0;
            (past ? clip_past_cache<T> : clip_by_two<T>)(x, *low, *high, out, n);
            return clear_float_flags(false);
        }
        if (one_low && one_high) return pass_on(args, dimensions, strides, data);
        const auto least = repeat_vector(*low), most = repeat_vector(*high);
        for (; i + width <= n; i += width)
            store_vector(out + i, clipped_vector(load_vector(x + i), one_low ? least : load_vector(low + i),
                                                 one_high ? most : load_vector(high + i)));
        for (; i < n; ++i) out[i] = clipped(x[i], low[one_low ? 0 : i], high[one_high ? 0 : i]);
        // NumPy: no flag says that a number was NaN.
        clear_float_flags(false);
    } else if (one_low || one_high) {
        return pass_on(args, dimensions, strides, data);
    } else {
        for (; i < n; ++i) out[i] = clipped(x[i], low[i], high[i]);
    }
}

#endif

// What clips numbers of a dtype; null where NumPy's loop is as good.
inline LoopFunction find_clip_loop(int dtype) {
#ifdef FASTNP_X86
    if (!has_avx2()) return nullptr;
    if (dtype == FLOAT16) return clip_halves_loop;
    return of_number<LoopFunction>(dtype, [](auto as) { return clip_loop<typename decltype(as)::type>; });
#else
    return nullptr;
#endif
}

}  // namespace fastnp
