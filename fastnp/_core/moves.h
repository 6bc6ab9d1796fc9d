// Items moved without looking at what they are: one to many, at a distance, one axis turned into another, interleaved.
#pragma once

#include <cstdint>
#include <cstring>

#include "vector.h"

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

template <typename T>
inline void move_steps(char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
    if (from_step == 0) {
        T one;
        std::memcpy(&one, from, sizeof(T));
        for (; n > 0; --n, into += into_step) std::memcpy(into, &one, sizeof(T));
    } else {
        for (; n > 0; --n, into += into_step, from += from_step) move_one<T>(into, from);
    }
}

inline void move_strided(int64_t item, char* into, int64_t into_step, const char* from, int64_t from_step, int64_t n) {
    with_item(item, [=](auto unit) { move_steps<decltype(unit)>(into, into_step, from, from_step, n); });
}

template <typename T>
inline void move_tiles(char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows, int64_t columns) {
    constexpr int64_t kTile = sizeof(T) >= 8 ? 16 : 32;
    for (int64_t column = 0; column < columns; column += kTile) {
        const int64_t width = columns - column < kTile ? columns - column : kTile;
        char* line = into + column * sizeof(T);
        const char* start = from + column * column_step;
        for (int64_t row = 0; row < rows; ++row, line += row_step, start += sizeof(T)) {
            if (width == kTile)
                for (int64_t k = 0; k < kTile; ++k) move_one<T>(line + k * sizeof(T), start + k * column_step);
            else
                for (int64_t k = 0; k < width; ++k) move_one<T>(line + k * sizeof(T), start + k * column_step);
        }
    }
}

// Rows of `into` are packed, columns of `from` are: into[row][column] = from[column][row]. Steps are in bytes.
inline void move_turned(int64_t item, char* into, int64_t row_step, const char* from, int64_t column_step, int64_t rows,
                        int64_t columns) {
    with_item(item, [=](auto unit) { move_tiles<decltype(unit)>(into, row_step, from, column_step, rows, columns); });
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
