// The triangles of matrices: copied where they are kept, zeros elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "parallel.h"

namespace fastnp {

// Some rows of a triangle: what lies before column `row + shift` if `lower`, else from there on, and zeros for the rest. Above and
// below the rows that are cut are whole ones. `in_row` is from row to row of what is read, in bytes.
inline void copy_rows_of_triangle(char* out, const char* in, int64_t in_row, int64_t begin, int64_t end, int64_t columns,
                                  int64_t item, int64_t shift, bool lower) {
    const int64_t all = columns * item;
    const int64_t first = std::clamp(1 - shift, begin, end), last = std::clamp(columns - shift, first, end);
    const auto copy = [=](int64_t row, int64_t stop) {
        if (in_row == all) std::memcpy(out + row * all, in + row * all, (stop - row) * all);
        else for (; row < stop; ++row) std::memcpy(out + row * all, in + row * in_row, all);
    };
    const auto clear = [=](int64_t row, int64_t stop) { std::memset(out + row * all, 0, (stop - row) * all); };
    lower ? clear(begin, first) : copy(begin, first);
    for (int64_t row = first; row < last; ++row) {
        const int64_t cut = (row + shift) * item;
        char* const to = out + row * all;
        const char* const from = in + row * in_row;
        if (lower) {
            std::memcpy(to, from, cut);
            std::memset(to + cut, 0, all - cut);
        } else {
            std::memset(to, 0, cut);
            std::memcpy(to + cut, from + cut, all - cut);
        }
    }
    lower ? copy(last, end) : clear(last, end);
}

inline void keep_bits(char* __restrict out, const char* __restrict in, const char* __restrict kept, int64_t count) {
    for (int64_t i = 0; i < count; ++i) out[i] = in[i] & kept[i];
}

// Of small matrices, as many as fit into this are cut by the same bits, in place of row after row.
inline constexpr int64_t kTriangles = 4096;
// The triangles of matrices in one piece but for their rows.
inline void copy_triangles(char* out, const char* in, int64_t in_row, int64_t matrices, int64_t rows, int64_t columns, int64_t item,
                           int64_t k, bool lower) {
    const int64_t shift = k + (lower ? 1 : 0), all = columns * item, matrix = rows * all;
    const auto part = [=](int64_t begin, int64_t end) {
        while (begin < end) {
            const int64_t number = begin / rows, row = begin - number * rows, stop = std::min(rows, row + end - begin);
            copy_rows_of_triangle(out + number * matrix, in + number * rows * in_row, in_row, row, stop, columns, item, shift, lower);
            begin += stop - row;
        }
    };
    const auto together = [=](int64_t begin, int64_t end) {
        alignas(64) char kept[kTriangles], whole[kTriangles];
        std::memset(whole, 0xff, matrix);
        copy_rows_of_triangle(kept, whole, all, 0, rows, columns, item, shift, lower);
        int64_t size = matrix;
        for (; size + matrix <= std::min(kTriangles, (end - begin) * matrix); size += matrix) std::memcpy(kept + size, kept, matrix);
        for (int64_t place = begin * matrix; place < end * matrix; place += size) {
            const int64_t count = std::min(size, end * matrix - place);
            keep_bits(out + place, in + place, kept, count);
        }
    };
    const bool small = matrices > 1 && matrix <= kTriangles && in_row == all;
    const int64_t count = small ? matrices : matrices * rows, each = small ? rows * columns : columns;
    if (may_split(count * each)) small ? split(count, 1, each, together) : split(count, 1, each, part);
    else small ? together(0, count) : part(0, count);
}

}  // namespace fastnp
