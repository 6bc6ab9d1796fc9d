// Items moved without looking at what they are: one to many, at a distance, one axis turned into another, interleaved.
#pragma once

#include <cstdint>
#include <cstring>

#include "aliases.h"
#include "cache.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

struct Wide {
    uint64_t half[2];
};

// Call use(T()) with an unsigned type of the item's width.
template <typename Use>
inline auto with_item(int64_t item, Use&& use) {
    switch (item) {
        case 1: return use(uint8_t());
        case 2: return use(uint16_t());
        case 4: return use(uint32_t());
        case 8: return use(uint64_t());
        default: return use(Wide());
    }
}

template <typename T>
[[gnu::always_inline]] inline void fill_with(T* into, T value, int64_t n) {
    for (int64_t i = 0; i < n; ++i) into[i] = value;
}
#ifdef FASTNP_X86
template <typename T>
FASTNP_AVX2 inline void fill_with_avx2(T* into, T value, int64_t n) {
    fill_with(into, value, n);
}
FASTNP_AVX2 inline void fill_with_avx2(Wide* into, Wide value, int64_t n) {
    const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&value)));
    int64_t i = 0;
    for (; i + 2 <= n; i += 2) _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + i), both);
    if (i < n) into[i] = value;
}
#endif

template <typename T>
inline void fill_with_one(char* into, const char* value, int64_t n) {
    T one;
    std::memcpy(&one, value, sizeof(T));
#ifdef FASTNP_X86
    if (n >= kVectorFrom && has_avx2()) {
        fill_with_avx2(reinterpret_cast<T*>(into), one, n);
        return;
    }
#endif
    fill_with(reinterpret_cast<T*>(into), one, n);
}

// Write one item `n` times, side by side.
inline void fill_items(int64_t item, char* into, const char* value, int64_t n) {
    with_item(item, [=](auto unit) { fill_with_one<decltype(unit)>(into, value, n); });
}

template <typename T>
inline void move_one(char* into, const char* from) {
    T one;
    std::memcpy(&one, from, sizeof(T));
    std::memcpy(into, &one, sizeof(T));
}

// From this many bytes on a copy is written past the cache, which could not hold both: 0.6 to 0.85 of the time.
inline int64_t copied_past() { return streamed_bytes() / 2; }
// No cache of ours is so small that fewer bytes would be.
inline constexpr int64_t kNeverPast = int64_t{1} << 20;

#ifdef FASTNP_X86
FASTNP_AVX2 inline void copy_past_cache(char* into, const char* from, int64_t bytes) {
    const int64_t before = -reinterpret_cast<intptr_t>(into) & 63;
    std::memcpy(into, from, before);
    int64_t i = before;
    for (; i + 64 <= bytes; i += 64) stream_line(into + i, load_bytes(from + i), load_bytes(from + i + 32));
    _mm_sfence();
    std::memcpy(into + i, from + i, bytes - i);
}
#endif

#ifdef FASTNP_X86
// Copy bytes that lie apart from the last one on, at least one vector of them.
FASTNP_AVX2 inline void copy_backwards(char* into, const char* from, int64_t bytes) {
    const __m256i first = load_bytes(from);
    for (; bytes >= 32; bytes -= 32)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + bytes - 32), load_bytes(from + bytes - 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(into), first);
}

// Whether what is written lies as in front of what is read, if pages are all one: the C library moves as many bytes by an
// instruction that reads again what it has just written then, as it seems, to AMD's processors (fourth-generation EPYC: 28 times as
// long; not to Intel's, 0.6 to 0.85 of the time of the other way, nor to fifth-generation Zen).
inline bool seems_to_follow(const char* into, const char* from, int64_t bytes) {
    constexpr int64_t kMovedByInstruction = 2048, kNear = 32;
    const int64_t distance = (into - from) & (kPage - 1);
    return bytes >= kMovedByInstruction && distance > 0 && distance < kNear && is_by_amd() && !is_late_zen();
}
#endif

// Copy bytes that lie apart.
inline void copy_bytes(char* into, const char* from, int64_t bytes) {
#ifdef FASTNP_X86
    if (bytes >= kNeverPast && bytes >= copied_past() && has_avx2()) return copy_past_cache(into, from, bytes);
    if (seems_to_follow(into, from, bytes) && has_avx2()) return copy_backwards(into, from, bytes);
#endif
    std::memcpy(into, from, bytes);
}

// Write items side by side that lie in the other order: `from` is the last of them in memory.
template <typename T>
[[gnu::always_inline]] inline void reverse(T* __restrict into, const T* __restrict from, int64_t n) {
    for (int64_t i = 0; i < n; ++i) into[i] = from[-i];
}
#ifdef FASTNP_X86
template <typename T>
FASTNP_AVX2 inline void reverse_avx2(T* into, const T* from, int64_t n) {
    reverse(into, from, n);
}
template <>
FASTNP_AVX2 inline void reverse_avx2<uint8_t>(uint8_t* into, const uint8_t* from, int64_t n) {
    const __m256i turned = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7,
                                            6, 5, 4, 3, 2, 1, 0);
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from - i - 31));
        const __m256i halves = _mm256_permute2x128_si256(bytes, bytes, 1);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + i), _mm256_shuffle_epi8(halves, turned));
    }
    for (; i < n; ++i) into[i] = from[-i];
}
#endif

// Whether items are to be put in the other order, and lie apart.
template <typename T>
inline bool is_reversal(const char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
    constexpr int64_t item = sizeof(T);
    return into_step == item && from_step == -item && n >= kVectorFrom &&
           (into + n * item <= from - (n - 1) * item || from + item <= into) &&
           (reinterpret_cast<uintptr_t>(into) | reinterpret_cast<uintptr_t>(from)) % alignof(T) == 0;
}

#ifdef FASTNP_X86
// Every second item, side by side. What lies behind the last item is not read: it need not be ours.
template <typename T>
FASTNP_AVX512 inline void take_every_second_avx512(T* into, const T* from, int64_t n) {
    constexpr int64_t width = sizeof(T) == 8 ? 8 : 32 / sizeof(T);
    int64_t i = 0;
    for (; i + width < n; i += width) {
        const __m512i items = _mm512_loadu_si512(from + 2 * i);
        if constexpr (sizeof(T) == 8) {
            const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            _mm512_storeu_si512(into + i, _mm512_permutex2var_epi64(items, even, _mm512_loadu_si512(from + 2 * i + 8)));
        } else {
            const __m256i half = sizeof(T) == 4   ? _mm512_cvtepi64_epi32(items)
                                 : sizeof(T) == 2 ? _mm512_cvtepi32_epi16(items)
                                                  : _mm512_cvtepi16_epi8(items);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + i), half);
        }
    }
    for (; i < n; ++i) into[i] = from[2 * i];
}
template <typename T>
FASTNP_AVX2 inline void take_every_second_avx2(T* into, const T* from, int64_t n) {
    constexpr int64_t width = 32 / sizeof(T);
    int64_t i = 0;
    for (; i + width < n; i += width) {
        const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 2 * i));
        const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 2 * i + width));
        __m256i even;
        if constexpr (sizeof(T) == 8) {
            even = _mm256_unpacklo_epi64(a, b);
        } else if constexpr (sizeof(T) == 4) {
            even = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
        } else if constexpr (sizeof(T) == 2) {
            const __m256i low = _mm256_set1_epi32(0xffff);
            even = _mm256_packus_epi32(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
        } else {
            const __m256i low = _mm256_set1_epi16(0xff);
            even = _mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(into + i), _mm256_permute4x64_epi64(even, 0xd8));
    }
    for (; i < n; ++i) into[i] = from[2 * i];
}
#endif

// Whether items are side by side where they are written, every second one where they are read, and lie apart.
template <typename T>
inline bool is_every_second(const char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
    constexpr int64_t item = sizeof(T);
    return into_step == item && from_step == 2 * item && n >= kVectorFrom &&
           (into + n * item <= from || from + (2 * n - 1) * item <= into) &&
           (reinterpret_cast<uintptr_t>(into) | reinterpret_cast<uintptr_t>(from)) % alignof(T) == 0;
}

// Write items side by side, four read before they are written.
//
// Out of line: where this is inlined, GCC may collect the four on the stack, and reading them from there as one waits.
template <typename T>
[[gnu::noinline]] void pack_steps(char* into, const char* from, int64_t from_step, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, from += 4 * from_step, into += 4 * sizeof(T)) {
        T items[4];
        for (int k = 0; k < 4; ++k) std::memcpy(items + k, from + k * from_step, sizeof(T));
        std::memcpy(into, items, sizeof(items));
    }
    for (; i < n; ++i, from += from_step, into += sizeof(T)) move_one<T>(into, from);
}

// Write items that lie apart, out of line and by many instructions: what the processor learns of places, it learns of
// each of them. On fifth-generation Zen thousands of lines are found in the second cache after fewer rounds.
template <typename T>
[[gnu::noinline]] void spread_steps(char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
#pragma GCC unroll 16
    for (int64_t i = 0; i < n; ++i, into += into_step, from += from_step) move_one<T>(into, from);
}

template <typename T>
inline void move_steps(char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
#ifdef FASTNP_X86
    if constexpr (sizeof(T) <= 8) {
        if (is_every_second<T>(into, into_step, from, from_step, n) && has_avx2()) {
            const auto take = has_avx512() ? take_every_second_avx512<T> : take_every_second_avx2<T>;
            return take(reinterpret_cast<T*>(into), reinterpret_cast<const T*>(from), n);
        }
    }
    if (sizeof(T) <= 8 && is_reversal<T>(into, into_step, from, from_step, n) && has_avx2())
        return reverse_avx2(reinterpret_cast<T*>(into), reinterpret_cast<const T*>(from), n);
#endif
    if (into_step == static_cast<int64_t>(sizeof(T)) && from_step == 0) return fill_with_one<T>(into, from, n);
    // Single bytes are written one by one: four of them, collected in memory, would be waited for.
    if (into_step == static_cast<int64_t>(sizeof(T)) && sizeof(T) > 1) return pack_steps<T>(into, from, from_step, n);
// Unrolled, since how fast the loops are otherwise depends on where they happen to lie.
    if (from_step == 0) {
        T one;
        std::memcpy(&one, from, sizeof(T));
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; ++i) std::memcpy(into + i * into_step, &one, sizeof(T));
    } else if (n >= kVectorFrom) {
        spread_steps<T>(into, into_step, from, from_step, n);
    } else {
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; ++i) move_one<T>(into + i * into_step, from + i * from_step);
    }
}

inline void move_strided(int64_t item, char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
    with_item(item, [=](auto unit) { move_steps<decltype(unit)>(into, into_step, from, from_step, n); });
}

// Copy a short line of bytes by blocks that may cover each other, so that no byte is looked at alone.
template <typename Block>
[[gnu::always_inline]] inline void copy_short(char* into, const char* from, int64_t bytes) {
    constexpr int64_t width = sizeof(Block);
    for (int64_t i = 0; i + width < bytes; i += width) move_one<Block>(into + i, from + i);
    move_one<Block>(into + bytes - width, from + bytes - width);
}

// Move `rows` lines of `columns` items; steps are in bytes. For lines so short that a call for each would take longer.
template <typename T>
void move_lines(char* into, int64_t into_row, int64_t into_step, const char* from, int64_t from_row, int64_t from_step,
                int64_t rows, int64_t columns) {
    constexpr int64_t item = sizeof(T), kFewColumns = 8, kBlock = 512;
    const int64_t bytes = columns * item;
    if (into_step == item && from_step == item && bytes >= 4) {
        for (; rows > 0; --rows, into += into_row, from += from_row) {
            if (bytes >= 16) copy_short<Wide>(into, from, bytes);
            else if (bytes >= 8) copy_short<uint64_t>(into, from, bytes);
            else copy_short<uint32_t>(into, from, bytes);
        }
    } else if (columns <= kFewColumns && rows > columns) {
        // Down the columns, which are long.
        for (int64_t row = 0; row < rows; row += kBlock)
            for (int64_t column = 0; column < columns; ++column)
                move_steps<T>(into + row * into_row + column * into_step, into_row, from + row * from_row + column * from_step,
                              from_row, rows - row < kBlock ? rows - row : kBlock);
    } else if (into_step == item && from_step == 0) {
        for (; rows > 0; --rows, into += into_row, from += from_row) fill_with_one<T>(into, from, columns);
    } else if (into_step == item) {
        for (; rows > 0; --rows, into += into_row, from += from_row) pack_steps<T>(into, from, from_step, columns);
    } else {
        for (; rows > 0; --rows, into += into_row, from += from_row)
#pragma GCC unroll 4
            for (int64_t column = 0; column < columns; ++column) move_one<T>(into + column * into_step, from + column * from_step);
    }
}
inline void move_matrix(int64_t item, char* into, int64_t into_row, int64_t into_step, const char* from, int64_t from_row,
                        int64_t from_step, int64_t rows, int64_t columns) {
    with_item(item, [=](auto unit) {
        move_lines<decltype(unit)>(into, into_row, into_step, from, from_row, from_step, rows, columns);
    });
}

// One square of kSide items a side: into[row][column] = from[column][row]. Steps are in bytes.
template <typename T>
struct Square {
    static constexpr int64_t kSide = 1;
    static inline void turn(char* into, int64_t, const char* from, int64_t) { move_one<T>(into, from); }
};
#ifdef FASTNP_X86
// Lines of 16 bytes are shuffled into each other, the first half of them into the second, until each is a column.
template <int COUNT>
inline void load_lines(__m128i* lines, const char* from, int64_t step) {
    for (int k = 0; k < COUNT; ++k) lines[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k * step));
}
template <int COUNT>
inline void store_lines(char* into, int64_t step, const __m128i* lines) {
    for (int k = 0; k < COUNT; ++k) _mm_storeu_si128(reinterpret_cast<__m128i*>(into + k * step), lines[k]);
}
template <typename T>
inline void shuffle_lines(__m128i* into, const __m128i* from) {
    constexpr int kHalf = 8 / sizeof(T);
    for (int k = 0; k < kHalf; ++k) {
        const __m128i first = from[k], second = from[k + kHalf];
        if constexpr (sizeof(T) == 1) {
            into[2 * k] = _mm_unpacklo_epi8(first, second);
            into[2 * k + 1] = _mm_unpackhi_epi8(first, second);
        } else if constexpr (sizeof(T) == 2) {
            into[2 * k] = _mm_unpacklo_epi16(first, second);
            into[2 * k + 1] = _mm_unpackhi_epi16(first, second);
        } else if constexpr (sizeof(T) == 4) {
            into[2 * k] = _mm_unpacklo_epi32(first, second);
            into[2 * k + 1] = _mm_unpackhi_epi32(first, second);
        } else {
            into[2 * k] = _mm_unpacklo_epi64(first, second);
            into[2 * k + 1] = _mm_unpackhi_epi64(first, second);
        }
    }
}
template <typename T>
struct ShuffledSquare {
    static constexpr int64_t kSide = 16 / sizeof(T);
    static inline void turn(char* into, int64_t row_step, const char* from, int64_t column_step) {
        __m128i a[kSide], b[kSide];
        load_lines<kSide>(a, from, column_step);
        shuffle_lines<T>(b, a);
        if constexpr (kSide >= 4) shuffle_lines<T>(a, b);
        if constexpr (kSide >= 8) shuffle_lines<T>(b, a);
        if constexpr (kSide >= 16) shuffle_lines<T>(a, b);
        store_lines<kSide>(into, row_step, kSide == 2 || kSide == 8 ? b : a);
    }
};
template <> struct Square<uint8_t> : ShuffledSquare<uint8_t> {};
template <> struct Square<uint16_t> : ShuffledSquare<uint16_t> {};
template <> struct Square<uint32_t> : ShuffledSquare<uint32_t> {};
template <> struct Square<uint64_t> : ShuffledSquare<uint64_t> {};
template <>
struct Square<Wide> {
    static constexpr int64_t kSide = 4;
    static inline void turn(char* into, int64_t row_step, const char* from, int64_t column_step) {
        for (int row = 0; row < 4; ++row) {
            __m128i line[4];
            load_lines<4>(line, from + 16 * row, column_step);
            store_lines<4>(into + row * row_step, 16, line);
        }
    }
};
// The same of items of 8 bytes by vectors of 32.
struct SquareOfFour {
    static constexpr int64_t kSide = 4;
    // Four rows of what lies column by column.
    FASTNP_AVX2 static inline void read(__m256d* rows, const char* from, int64_t column_step) {
        const auto line = [=](int k) FASTNP_AVX2 { return _mm256_loadu_pd(reinterpret_cast<const double*>(from + k * column_step)); };
        const __m256d a = line(0), b = line(1), c = line(2), d = line(3);
        const __m256d even_ab = _mm256_unpacklo_pd(a, b), odd_ab = _mm256_unpackhi_pd(a, b);
        const __m256d even_cd = _mm256_unpacklo_pd(c, d), odd_cd = _mm256_unpackhi_pd(c, d);
        rows[0] = _mm256_permute2f128_pd(even_ab, even_cd, 0x20);
        rows[1] = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x20);
        rows[2] = _mm256_permute2f128_pd(even_ab, even_cd, 0x31);
        rows[3] = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x31);
    }
    FASTNP_AVX2 static inline void turn(char* into, int64_t row_step, const char* from, int64_t column_step) {
        __m256d rows[4];
        read(rows, from, column_step);
        for (int k = 0; k < 4; ++k) _mm256_storeu_pd(reinterpret_cast<double*>(into + k * row_step), rows[k]);
    }
};
#endif

inline constexpr int64_t kRowsAhead = 8;
// Each row is on a page of its own: of more the processor would have to look up each page again for each line.
inline constexpr int64_t kRowsAtOnce = 32;

// Tell the processor that a line of the cache is going to be written; there need not be memory.
inline void prefetch_to_write(const char* place) {
#ifdef FASTNP_X86
    asm volatile("prefetchw %0" : : "m"(*place));
#endif
}

// As many columns at a time as fill a line of the cache. Each row's line, or both where it begins within one, is asked for some
// rows before: no two rows lie side by side, so that the processor does not see them come, and what is written to a line that
// is not there keeps all that is written after it waiting. A BUFFER is there; of what comes from FAR, the next columns are
// asked for instead, which the processor does not see come either.
template <typename T, class Tile, bool BUFFER, bool FAR>
[[gnu::always_inline]] inline void move_tiles(char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                                              int64_t columns) {
    constexpr int64_t side = Tile::kSide, item = sizeof(T), width = 64 / item;
    constexpr int64_t at_once = BUFFER ? 2 * kRowsAtOnce : kRowsAtOnce;
    const int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;
    for (int64_t top = 0; top < whole_rows; top += at_once) {
        const int64_t bottom = top + at_once < whole_rows ? top + at_once : whole_rows;
        for (int64_t first = 0; first < whole_columns; first += width) {
            const int64_t end = first + width < whole_columns ? first + width : whole_columns;
            for (int64_t row = top; row < bottom; row += side) {
                if constexpr (!BUFFER) {
                    const bool below = row + kRowsAhead < bottom;
                    const char* later = into + (below ? row + kRowsAhead : row + kRowsAhead - bottom + top) * row_step +
                                        (below ? first : end) * item;
                    for (int64_t k = 0; k < side; ++k, later += row_step) {
                        prefetch_to_write(later);
                        prefetch_to_write(later + 63);
                    }
                } else if constexpr (FAR) {
                    const int64_t within = (row - top) % width;
                    const char* later = from + (end + within) * column_step + (row - within) * item;
                    for (int64_t k = 0; k < side; ++k, later += column_step) __builtin_prefetch(later);
                }
                for (int64_t column = first; column < end; column += side)
                    Tile::turn(into + row * row_step + column * item, row_step, from + column * column_step + row * item,
                               column_step);
            }
        }
    }
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = row < whole_rows ? whole_columns : 0; column < columns; ++column)
            move_one<T>(into + row * row_step + column * item, from + column * column_step + row * item);
}

#ifdef FASTNP_X86
template <bool BUFFER, bool FAR>
FASTNP_AVX2 inline void move_tiles_of_four(char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                                           int64_t columns) {
    move_tiles<uint64_t, SquareOfFour, BUFFER, FAR>(into, row_step, from, column_step, rows, columns);
}

// The same of whole lines of the cache, eight columns each, that are written past it: row by row they begin a line.
FASTNP_AVX2 inline void move_lines_past_cache(char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                                              int64_t columns) {
    for (int64_t top = 0; top < rows; top += kRowsAtOnce) {
        const int64_t bottom = top + kRowsAtOnce < rows ? top + kRowsAtOnce : rows;
        for (int64_t column = 0; column < columns; column += 8)
            for (int64_t row = top; row < bottom; row += 4) {
                __m256d left[4], right[4];
                SquareOfFour::read(left, from + column * column_step + row * 8, column_step);
                SquareOfFour::read(right, from + (column + 4) * column_step + row * 8, column_step);
                double* line = reinterpret_cast<double*>(into + row * row_step + column * 8);
                for (int k = 0; k < 4; ++k, line += row_step / 8) {
                    _mm256_stream_pd(line, left[k]);
                    _mm256_stream_pd(line + 4, right[k]);
                }
            }
    }
    _mm_sfence();
}
#endif

// Rows of `into` are packed, columns of `from` are: into[row][column] = from[column][row]. Steps are in bytes.
inline void move_turned(int64_t item, char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                        int64_t columns) {
#ifdef FASTNP_X86
    if (item == 8 && has_avx2()) {
        const int64_t bytes = rows * columns * item;
        const bool in_lines = ((reinterpret_cast<intptr_t>(into) | row_step) & 63) == 0;
        if (in_lines && bytes >= kNeverPast && bytes >= copied_past()) {
            const int64_t even_rows = rows / 4 * 4, lines = columns / 8 * 8;
            move_lines_past_cache(into, row_step, from, column_step, even_rows, lines);
            move_tiles_of_four<false, false>(into + lines * item, row_step, from + lines * column_step, column_step, rows,
                                             columns - lines);
            return move_tiles_of_four<false, false>(into + even_rows * row_step, row_step, from + even_rows * item, column_step,
                                                    rows - even_rows, lines);
        }
        return move_tiles_of_four<false, false>(into, row_step, from, column_step, rows, columns);
    }
#endif
    with_item(item, [=](auto unit) {
        using T = decltype(unit);
        move_tiles<T, Square<T>, false, false>(into, row_step, from, column_step, rows, columns);
    });
}

// Columns that lie across more than this are not in the nearer caches.
inline constexpr int64_t kFarColumns = 1 << 19;

// The same into a buffer that stays in the cache.
template <bool FAR>
inline void pack_turned_from(int64_t item, char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                             int64_t columns) {
#ifdef FASTNP_X86
    if (item == 8 && has_avx2()) return move_tiles_of_four<true, FAR>(into, row_step, from, column_step, rows, columns);
#endif
    with_item(item, [=](auto unit) {
        using T = decltype(unit);
        move_tiles<T, Square<T>, true, FAR>(into, row_step, from, column_step, rows, columns);
    });
}
inline void pack_turned(int64_t item, char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                        int64_t columns) {
    const bool far = columns * (column_step < 0 ? -column_step : column_step) >= kFarColumns;
    (far ? pack_turned_from<true> : pack_turned_from<false>)(item, into, row_step, from, column_step, rows, columns);
}

template <typename T>
[[gnu::always_inline]] inline void interleave_two(T* __restrict into, const T* first, const T* second, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        into[2 * i] = first[i];
        into[2 * i + 1] = second[i];
    }
}

template <typename T>
inline void interleave(char* into, const char* const* pieces, int count, int64_t n) {
    if (count == 2) {
        interleave_two(reinterpret_cast<T*>(into), reinterpret_cast<const T*>(pieces[0]),
                       reinterpret_cast<const T*>(pieces[1]), n);
        return;
    }
    constexpr int64_t kBlock = 256;
    const int64_t step = count * sizeof(T);
    for (int64_t start = 0; start < n; start += kBlock) {
        const int64_t length = n - start < kBlock ? n - start : kBlock;
        for (int number = 0; number < count; ++number)
            move_steps<T>(into + start * step + number * sizeof(T), step, pieces[number] + start * sizeof(T), sizeof(T),
                          length);
    }
}

// into[i * count + number] = pieces[number][i]
inline void interleave_items(int64_t item, char* into, const char* const* pieces, int count, int64_t n) {
    with_item(item, [=](auto unit) { interleave<decltype(unit)>(into, pieces, count, n); });
}

}  // namespace fastnp
