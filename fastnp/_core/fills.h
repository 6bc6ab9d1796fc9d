// One item written all over a new array.
#pragma once

#include <cstdint>
#include <cstring>

#include "moves.h"
#include "parallel.h"

namespace fastnp {

// From this many bytes on what is filled is written past the cache: memory that was used before lies in it.
inline int64_t filled_past() { return std::min(int64_t{32} << 20, third_cache()); }

#ifdef FASTNP_X86
// 64 bytes that repeat the item, from where a line of the cache begins.
FASTNP_AVX2 inline void fill_past_cache(int64_t item, char* into, const char* value, int64_t n) {
    const int64_t bytes = n * item, before = -reinterpret_cast<intptr_t>(into) & 63;
    if (before % item != 0) return fill_items(item, into, value, n);
    alignas(64) char line[64];
    fill_items(item, line, value, 64 / item);
    std::memcpy(into, line, before);
    const __m256i low = load_bytes(line), high = load_bytes(line + 32);
    int64_t i = before;
    for (; i + 64 <= bytes; i += 64) stream_line(into + i, low, high);
    _mm_sfence();
    std::memcpy(into + i, line, bytes - i);
}
#endif

inline void fill_part(int64_t item, char* into, const char* value, int64_t n, bool past_cache) {
#ifdef FASTNP_X86
    if (past_cache && has_avx2()) return fill_past_cache(item, into, value, n);
#endif
    fill_items(item, into, value, n);
}

// Write `n` items side by side, by several threads where they are many.
inline void fill_block(int64_t item, char* into, const char* value, int64_t n) {
    const bool past_cache = n * item >= kNeverPast && n * item >= filled_past();
    if (!may_split(n)) return fill_part(item, into, value, n, past_cache);
    split(n, kSplitStep, 1, [=](int64_t begin, int64_t end) { fill_part(item, into + begin * item, value, end - begin, past_cache); });
}

}  // namespace fastnp
