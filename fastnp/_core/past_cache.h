// Results that are made element by element and are more than a cache holds, written past it.
//
// A write within the cache first reads the line that it goes to, and drives out what is read.
#pragma once
#include <cstdint>
#include <cstring>
#ifdef FASTNP_X86
#include <immintrin.h>
#endif

#include "moves.h"

namespace fastnp {

// Whether so many bytes go past the cache, by elements of such a width.
inline bool goes_past_cache(int64_t bytes, size_t width) {
#ifdef FASTNP_X86
    return width >= 4 && bytes >= kNeverPast && bytes >= copied_past();
#else
    return false;
#endif
}

// Copy an element, PAST the cache or within it; elements side by side, one after another, become whole lines. (By eight bytes at
// most: for sixteen the processor asks that the place be aligned to them.)
template <size_t WIDTH, bool PAST>
[[gnu::always_inline]] inline void copy_element(char* into, const char* from) {
#ifdef FASTNP_X86
    if constexpr (PAST && WIDTH == 4) {
        int32_t one;
        std::memcpy(&one, from, 4);
        return _mm_stream_si32(reinterpret_cast<int*>(into), one);
    } else if constexpr (PAST && WIDTH % 8 == 0) {
        for (size_t byte = 0; byte < WIDTH; byte += 8) {
            int64_t one;
            std::memcpy(&one, from + byte, 8);
            _mm_stream_si64(reinterpret_cast<long long*>(into + byte), one);
        }
        return;
    }
#endif
    std::memcpy(into, from, WIDTH);
}

// To be called when all is written, so that other threads see it.
inline void end_past_cache() {
#ifdef FASTNP_X86
    _mm_sfence();
#endif
}

}  // namespace fastnp
