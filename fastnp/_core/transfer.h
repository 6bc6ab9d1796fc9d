// What goes between an operand and its buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "moves.h"
#include "operand.h"

namespace fastnp {

// Shorter lines are moved together: those of fewer bytes, or of one item that is repeated, or of fewer items.
inline constexpr int64_t kFewBytes = 256, kRepeatedItems = 64, kShortLineItems = 32;

// `ndim` axes of the operand, innermost first, one after the other in the buffer.
struct Transfer {
    int ndim;
    int64_t shape[kMaxDims];
    intptr_t strides[kMaxDims];
    intptr_t buffer_stride;

    // Call visit(address) for each place along the axes from `first` on.
    template <typename Visit>
    void visit_outer(int first, char* memory, Visit&& visit) const {
        int64_t at[kMaxDims] = {0};
        while (true) {
            visit(memory);
            int k = first;
            for (; k < ndim; ++k) {
                memory += strides[k];
                if (++at[k] < shape[k]) break;
                memory -= strides[k] * shape[k];
                at[k] = 0;
            }
            if (k >= ndim) return;
        }
    }

    template <typename Visit>
    void visit_lines(char* memory, char* buffer, Visit&& visit) const {
        visit_outer(1, memory, [&](char* line) {
            visit(line, strides[0], buffer, buffer_stride, shape[0]);
            buffer += buffer_stride * shape[0];
        });
    }

    bool has_short_lines(int64_t item) const {
        if (ndim < 2 || buffer_stride != item) return false;
        return shape[0] < (strides[0] == 0 ? kRepeatedItems : std::max(kShortLineItems, kFewBytes / item));
    }

    void pack(int64_t item, char* memory, char* buffer) const {
        visit_outer(2, memory, [&](char* plane) {
            move_matrix(item, buffer, shape[0] * item, item, plane, strides[1], strides[0], shape[1], shape[0]);
            buffer += item * shape[0] * shape[1];
        });
    }
    void unpack(int64_t item, char* memory, const char* buffer) const {
        visit_outer(2, memory, [&](char* plane) {
            move_matrix(item, plane, strides[1], strides[0], buffer, shape[0] * item, item, shape[1], shape[0]);
            buffer += item * shape[0] * shape[1];
        });
    }

    // Copy what the buffer holds behind itself, each time twice as much, until it is there so many times.
    void repeat(char* buffer, int64_t times) const {
        int64_t once = buffer_stride;
        for (int k = 0; k < ndim; ++k) once *= shape[k];
        for (int64_t filled = 1; filled < times; filled *= 2)
            std::memcpy(buffer + filled * once, buffer, std::min(filled, times - filled) * once);
    }
};

}  // namespace fastnp
