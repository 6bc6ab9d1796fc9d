// Memory as NumPy would see it, and what can be told from shapes and strides alone: extents, contiguity, overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "dtype.h"

namespace fastnp {

inline constexpr int kMaxDims = 64;
inline constexpr int kMaxOperands = 8;

// `data` is the first logical element, strides are in bytes and may be negative.
struct Operand {
    char* data;
    int type;
    int ndim;
    int64_t shape[kMaxDims];
    int64_t strides[kMaxDims];
};

// Broadcast `shape` with one more operand; false if they do not fit.
inline bool broadcast_into(int* ndim, int64_t* shape, int other_ndim, const int64_t* other) {
    if (other_ndim > *ndim) {
        int shift = other_ndim - *ndim;
        for (int i = *ndim - 1; i >= 0; --i) shape[i + shift] = shape[i];
        for (int i = 0; i < shift; ++i) shape[i] = 1;
        *ndim = other_ndim;
    }
    for (int i = other_ndim - 1, j = *ndim - 1; i >= 0; --i, --j) {
        if (shape[j] == other[i] || other[i] == 1) continue;
        if (shape[j] != 1) return false;
        shape[j] = other[i];
    }
    return true;
}

// Return the number of elements, or -1 where it overflows.
inline int64_t count_elements(int ndim, const int64_t* shape) {
    int64_t n = 1;
    bool overflow = false;
    for (int i = 0; i < ndim; ++i) {
        if (shape[i] == 0) return 0;
        overflow |= __builtin_mul_overflow(n, shape[i], &n);
    }
    return overflow ? -1 : n;
}

// NumPy gives an array without elements strides of zero.
inline bool zero_strides(int ndim, const int64_t* shape, int64_t* strides) {
    bool any_zero = false;
    for (int i = 0; i < ndim; ++i) any_zero |= shape[i] == 0;
    if (any_zero) std::fill(strides, strides + ndim, 0);
    return any_zero;
}

inline void c_strides(int ndim, const int64_t* shape, int64_t itemsize, int64_t* strides) {
    if (zero_strides(ndim, shape, strides)) return;
    for (int i = ndim - 1; i >= 0; --i) {
        strides[i] = itemsize;
        itemsize *= shape[i];
    }
}

inline bool is_contiguous(const Operand& op, bool fortran) {
    int64_t expected = ITEMSIZES[op.type];
    for (int k = 0; k < op.ndim; ++k) {
        int i = fortran ? k : op.ndim - 1 - k;
        if (op.shape[i] == 0) return true;
        if (op.shape[i] != 1 && op.strides[i] != expected) return false;
        if (op.shape[i] != 1) expected *= op.shape[i];
    }
    return true;
}

inline bool is_one_item(const Operand& op) {
    for (int i = 0; i < op.ndim; ++i)
        if (op.shape[i] != 1 && op.strides[i] != 0) return false;
    return true;
}

inline void memory_extent(const Operand& op, const char** low, const char** high) {
    *low = op.data;
    *high = op.data + ITEMSIZES[op.type];
    for (int i = 0; i < op.ndim; ++i) {
        if (op.shape[i] == 0) {
            *high = *low;
            return;
        }
        int64_t reach = (op.shape[i] - 1) * op.strides[i];
        (reach < 0 ? *low : *high) += reach;
    }
}

// How many bytes of an operand lie side by side; *step becomes what it and the distances between such pieces are multiples of.
inline int64_t bytes_side_by_side(const Operand& op, int64_t* step) {
    int64_t bytes = ITEMSIZES[op.type];
    uint64_t taken = 0;
    for (int axis = op.ndim - 1; axis >= 0;) {
        if (taken >> axis & 1 || op.shape[axis] == 1 || std::abs(op.strides[axis]) != bytes) {
            --axis;
            continue;
        }
        taken |= uint64_t{1} << axis;
        bytes *= op.shape[axis];
        axis = op.ndim - 1;
    }
    for (int axis = 0; axis < op.ndim; ++axis)
        if (!(taken >> axis & 1) && op.shape[axis] != 1) *step = std::gcd(*step, std::abs(op.strides[axis]));
    return bytes;
}

// Whether what lies between the first and the last element of each does.
inline bool extents_overlap(const Operand& a, const Operand& b) {
    const char *a_low, *a_high, *b_low, *b_high;
    memory_extent(a, &a_low, &a_high);
    memory_extent(b, &b_low, &b_high);
    return a_low < b_high && b_low < a_high && a_low < a_high && b_low < b_high;
}

// False where the pieces of one lie between those of the other, too, as two columns of a matrix do.
inline bool may_overlap(const Operand& a, const Operand& b) {
    if (!extents_overlap(a, b)) return false;
    int64_t step = 0;
    const int64_t a_bytes = bytes_side_by_side(a, &step), b_bytes = bytes_side_by_side(b, &step);
    if (step == 0) return true;
    const char *a_low, *b_low, *high;
    memory_extent(a, &a_low, &high);
    memory_extent(b, &b_low, &high);
    const int64_t distance = ((b_low - a_low) % step + step) % step;
    return distance < a_bytes || distance + b_bytes > step;
}

// True unless every element provably has bytes of its own.
inline bool may_overlap_itself(const Operand& op) {
    int64_t reached[kMaxDims], extent[kMaxDims];
    int n = 0;
    for (int i = 0; i < op.ndim; ++i) {
        if (op.shape[i] == 0) return false;
        if (op.shape[i] == 1) continue;
        int64_t stride = std::abs(op.strides[i]);
        int j = n++;
        for (; j > 0 && reached[j - 1] > stride; --j) {
            reached[j] = reached[j - 1];
            extent[j] = extent[j - 1];
        }
        reached[j] = stride;
        extent[j] = op.shape[i];
    }
    int64_t covered = ITEMSIZES[op.type];
    for (int j = 0; j < n; ++j) {
        if (reached[j] < covered) return true;
        covered += (extent[j] - 1) * reached[j];
    }
    return false;
}

// Whether a line can be read, or one element again and again, while `bytes` of results are written from the first to the last.
inline bool is_readable(const char* in, bool repeated, const char* out, intptr_t bytes) {
    return repeated ? in < out || in >= out + bytes : out <= in || out >= in + bytes;
}

inline bool same_layout(const Operand& a, const Operand& b) {
    if (a.data != b.data || a.type != b.type || a.ndim != b.ndim) return false;
    for (int i = 0; i < a.ndim; ++i)
        if (a.shape[i] != b.shape[i] || a.strides[i] != b.strides[i]) return false;
    return true;
}

}  // namespace fastnp
