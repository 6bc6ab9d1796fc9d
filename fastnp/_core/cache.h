// Where operands lie: from where on results are written past the cache, not before the third one could not hold them, and
// from where on operands are asked for ahead.
#pragma once

#include <algorithm>
#include <cstdint>

#include "aliases.h"
#include "vector.h"
#ifdef FASTNP_X86
#include <immintrin.h>
#endif

namespace fastnp {

// Bytes of the third cache that a core shares with its neighbours, 4 to 48 MiB; 32 MiB where the processor does not say.
// (A virtual one may say that it has next to none, or 480 MiB that are for all of a server: what a call reads and writes
// comes from memory again beyond 30 to 36 MiB there.)
inline int64_t third_cache() {
    static const int64_t bytes = [] {
        constexpr int64_t kUsual = int64_t{32} << 20, kLeast = int64_t{4} << 20, kMost = int64_t{48} << 20;
#ifdef FASTNP_X86
        unsigned a, b, c, d;
        // AMD's processors have a leaf of their own; of theirs leaf 4 is empty.
        const bool has_amd = __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 22 & 1);
        for (unsigned index = 0; index < 8; ++index) {
            if (!__get_cpuid_count(has_amd ? 0x8000001d : 4, index, &a, &b, &c, &d) || (a & 31) == 0) break;
            if ((a >> 5 & 7) != 3) continue;
            const int64_t ways = (b >> 22) + 1, parts = (b >> 12 & 1023) + 1, line = (b & 4095) + 1, sets = int64_t{c} + 1;
            return std::clamp(ways * parts * line * sets, kLeast, kMost);
        }
#endif
        return kUsual;
    }();
    return bytes;
}

// Bytes that a call reads and writes from which on it writes past the cache. Of a third cache of 32 MiB (a million doubles
// read and as many written take 1.2 of the time, twice as many read 0.7) and of 48 it is five eighths; one of 8 MiB holds no
// more than 6 (0.5 to 0.75 from there on).
inline int64_t streamed_bytes() { return third_cache() / 8 * 5; }

// Whether that is so of operands that are cast as well, a block at a time: fifth-generation Zen takes twice as long with it.
inline bool streams_of_casts() {
#ifdef FASTNP_X86
    return !is_late_zen();
#else
    return true;
#endif
}

#ifdef FASTNP_X86
// Whether a call that reads and writes so many bytes asks for them two kilobytes ahead. On fourth-generation Zen two streams
// take 0.7 to 0.95 of the time with it, one that is written past the cache 0.8 (into the first cache alone); of what the third
// cache holds, or of one stream that is read only, nothing is gained. The third generation takes 1.1 to 1.25 of the time.
inline bool asks_ahead(int64_t bytes) { return bytes > third_cache() && is_by_amd() && !is_third_zen(); }
// The same of whole blocks: with it fifth-generation Zen takes 1.1 to 1.25 of the time.
inline bool asks_for_blocks(int64_t bytes) { return asks_ahead(bytes) && !is_late_zen(); }

inline constexpr int64_t kAskedAhead = 2048;
[[gnu::always_inline]] inline void ask_ahead(const void* place) {
    _mm_prefetch(static_cast<const char*>(place) + kAskedAhead, _MM_HINT_T1);
}
[[gnu::always_inline]] inline void ask_ahead_once(const void* place) {
    _mm_prefetch(static_cast<const char*>(place) + kAskedAhead, _MM_HINT_NTA);
}
// Fifth-generation Zen gains from what is asked for further ahead, where one stream is read or is written where it lies.
[[gnu::always_inline]] inline void ask_far_ahead(const void* place) {
    _mm_prefetch(static_cast<const char*>(place) + 4 * kAskedAhead, _MM_HINT_T0);
}

// Without AVX-512 (timed on third-generation Zen) memory is read, and written where it lies, some lines of a cache at a time in
// several streams that lie so far apart: four take 0.8 of the time of one, and where a second array is read, two take 0.95.
inline bool takes_streams(int64_t bytes) { return !has_avx512() && bytes > third_cache() / 2; }
inline constexpr intptr_t kStreamBytes = intptr_t{1} << 17, kBytesTogether = 512;

// How far apart streams of a line are, in elements of so many bytes, and of whole blocks; nought where two pages would be too much:
// nearer ones take as long as one.
inline intptr_t distance_of_streams(intptr_t n, intptr_t item, int streams) {
    const intptr_t together = kBytesTogether / item, distance = n / (streams * together) * together;
    return distance * item < 2 * kPage ? 0 : std::min(distance, kStreamBytes / item);
}
#endif

}  // namespace fastnp
