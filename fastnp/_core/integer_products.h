// Products of integer matrices, modulo the width of the integers as NumPy's are.
//
// NumPy has no BLAS for these and adds up one product after the other, over columns that lie apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "dtype.h"
#include "moves.h"
#include "one_pass.h"
#include "parallel.h"

namespace fastnp {

// Matrices by where they begin and how far rows and columns are apart, in bytes.
struct Factors {
    const char *a, *b;
    char* out;
    int64_t rows, between, columns;
    intptr_t a_row, a_column, b_row, b_column, out_row;
};

// Add to some rows what four rows of the second matrix, each times a number of the first one, come to.
template <class T, int ROWS>
[[gnu::always_inline]] inline void add_four_rows(const Factors& f, int64_t row, int64_t k, int64_t begin, int64_t end) {
    // Products of the narrow ones are computed without a sign, which cannot overflow.
    using Wide = std::conditional_t<sizeof(T) <= 2, uint32_t, T>;
    const int64_t depth = std::min<int64_t>(4, f.between - k);
    T* out[ROWS];
    const T* b[4];
    T a[ROWS][4];
    for (int i = 0; i < 4; ++i) b[i] = reinterpret_cast<const T*>(f.b + std::min(k + i, f.between - 1) * f.b_row);
    for (int r = 0; r < ROWS; ++r) {
        out[r] = reinterpret_cast<T*>(f.out + (row + r) * f.out_row);
        for (int i = 0; i < 4; ++i) {
            a[r][i] = 0;
            if (i < depth) std::memcpy(&a[r][i], f.a + (row + r) * f.a_row + (k + i) * f.a_column, sizeof(T));
        }
    }
#pragma GCC ivdep
    for (int64_t j = begin; j < end; ++j) {
        const Wide b0 = b[0][j], b1 = b[1][j], b2 = b[2][j], b3 = b[3][j];
        for (int r = 0; r < ROWS; ++r)
            out[r][j] = static_cast<T>(static_cast<Wide>(out[r][j]) + static_cast<Wide>(a[r][0]) * b0 + static_cast<Wide>(a[r][1]) * b1 +
                                       static_cast<Wide>(a[r][2]) * b2 + static_cast<Wide>(a[r][3]) * b3);
    }
}

// Rows [first, last), in blocks of the second matrix that stay in the cache.
template <class T>
[[gnu::always_inline]] inline void multiply_some_rows(const Factors& f, int64_t first, int64_t last) {
    constexpr int64_t kColumns = 4096 / sizeof(T), kDepth = 32;
    for (int64_t row = first; row < last; ++row) std::memset(f.out + row * f.out_row, 0, f.columns * sizeof(T));
    for (int64_t begin = 0; begin < f.columns; begin += kColumns) {
        const int64_t end = std::min(begin + kColumns, f.columns);
        for (int64_t start = 0; start < f.between; start += kDepth) {
            const int64_t stop = std::min(start + kDepth, f.between);
            int64_t row = first;
            for (; row + 2 <= last; row += 2)
                for (int64_t k = start; k < stop; k += 4) add_four_rows<T, 2>(f, row, k, begin, end);
            for (; row < last; ++row)
                for (int64_t k = start; k < stop; k += 4) add_four_rows<T, 1>(f, row, k, begin, end);
        }
    }
}

#ifdef FASTNP_X86
template <class T>
FASTNP_AVX512 void multiply_some_rows_avx512(const Factors& f, int64_t first, int64_t last) {
    multiply_some_rows<T>(f, first, last);
}
template <class T>
FASTNP_AVX2 void multiply_some_rows_avx2(const Factors& f, int64_t first, int64_t last) {
    multiply_some_rows<T>(f, first, last);
}
#endif

template <class T>
void multiply_matrices(Factors f) {
    std::unique_ptr<char[]> packed;
    constexpr int64_t item = sizeof(T);
    if (f.b_column != item) {
        const int64_t line = f.columns * item;
        packed.reset(new char[f.between * line]);
        if (f.b_row == item)
            move_turned(item, packed.get(), line, f.b, f.b_column, f.between, f.columns);
        else
            for (int64_t k = 0; k < f.between; ++k) move_strided(item, packed.get() + k * line, item, f.b + k * f.b_row, f.b_column, f.columns);
        f.b = packed.get();
        f.b_row = line;
        f.b_column = item;
    }
    const auto part = [&f](int64_t begin, int64_t end) {
#ifdef FASTNP_X86
        if (has_avx512()) return multiply_some_rows_avx512<T>(f, begin, end);
        if (has_avx2()) return multiply_some_rows_avx2<T>(f, begin, end);
#endif
        multiply_some_rows<T>(f, begin, end);
    };
    may_split(f.rows * f.between * f.columns) ? split(f.rows, 2, f.between * f.columns, part) : part(0, f.rows);
}

// From this many multiplications on, and this many columns.
inline constexpr int64_t kIntegerProduct = 4096, kIntegerColumns = 8;

// What the inner loop of `matmul` does, of integers whose result lies apart in rows side by side; false where that is not so
// or not worth it.
inline bool multiply_integer_matrices(int dtype, char** args, const intptr_t* dims, const intptr_t* steps) {
    if (dtype < INT8 || dtype > UINT64) return false;
    const int64_t item = ITEMSIZES[dtype], rows = dims[1], between = dims[2], columns = dims[3];
    if (rows < 1 || between < 4 || columns < kIntegerColumns || rows * between * columns < kIntegerProduct || steps[8] != item)
        return false;
    for (int64_t turn = 0; turn < dims[0]; ++turn) {
        const Factors f{args[0] + turn * steps[0], args[1] + turn * steps[1], args[2] + turn * steps[2], rows, between, columns,
                        steps[3], steps[4], steps[5], steps[6], steps[7]};
        with_item(item, [&](auto unit) {
            using T = decltype(unit);
            if constexpr (!std::is_same_v<T, Wide>) multiply_matrices<T>(f);
        });
    }
    return true;
}

template <class T, class Sum>
void multiply_rows(const T* matrix, const T* vector, T* out, int64_t rows, int64_t columns) {
    const auto part = [=](int64_t begin, int64_t end) FASTNP_INLINED {
        for (int64_t row = begin; row < end; ++row) {
            const T* const line = matrix + row * columns;
            Sum sum = 0;
            for (int64_t i = 0; i < columns; ++i) sum += static_cast<Sum>(static_cast<Sum>(line[i]) * static_cast<Sum>(vector[i]));
            out[row] = static_cast<T>(sum);
        }
    };
#ifdef FASTNP_X86
    if (has_avx2()) return run_wide(part, 0, rows);
#endif
    part(0, rows);
}

// Multiply the rows of a matrix by a vector, modulo the width of the integers, as NumPy does; false for dtypes without.
inline bool multiply_integers(int dtype, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns) {
    const auto with = [&]<class T, class Sum>(T, Sum) {
        multiply_rows<T, Sum>(static_cast<const T*>(matrix), static_cast<const T*>(vector), static_cast<T*>(out), rows, columns);
        return true;
    };
    switch (dtype) {
        case INT8: case UINT8: return with(uint8_t(), uint16_t());
        case INT16: case UINT16: return with(uint16_t(), uint16_t());
        case INT32: case UINT32: return with(uint32_t(), uint32_t());
        case INT64: case UINT64: return with(uint64_t(), uint64_t());
        default: return false;
    }
}

// Sums of products of short lines: each row of each of a stack of small matrices in C order times its own vector.
template <class T>
void multiply_small(const T* matrices, const T* vectors, T* out, int64_t stack, int64_t rows, int64_t columns) {
    for (int64_t turn = 0; turn < stack; ++turn, vectors += columns)
        for (int64_t row = 0; row < rows; ++row, matrices += columns) {
            T sum = 0;
            for (int64_t i = 0; i < columns; ++i) sum += matrices[i] * vectors[i];
            *out++ = sum;
        }
}
template <class T>
bool multiply_small_of(const void* matrices, const void* vectors, void* out, int64_t stack, int64_t rows, int64_t columns) {
    multiply_small(static_cast<const T*>(matrices), static_cast<const T*>(vectors), static_cast<T*>(out), stack, rows, columns);
    return true;
}
inline bool multiply_small_matrices(int dtype, const void* matrices, const void* vectors, void* out, int64_t stack, int64_t rows,
                                    int64_t columns) {
    // Above, calls of BLAS are worth what they cost.
    if (rows > 16 || columns > 16) return false;
    if (dtype == FLOAT64) return multiply_small_of<double>(matrices, vectors, out, stack, rows, columns);
    if (dtype == FLOAT32) return multiply_small_of<float>(matrices, vectors, out, stack, rows, columns);
    return false;
}

}  // namespace fastnp
