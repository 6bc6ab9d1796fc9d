// The axes of an iteration over strided operands, in the order and with the layouts of NumPy's nditer.
//
// The order is kept because it is visible: in the strides of an allocated result, and in the rounding of a sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "operand.h"

namespace fastnp {

enum OperandFlags : uint8_t { kRead = 1, kWrite = 2, kAllocate = 4, kMasked = 8, kElementwise = 16 };

enum class Order : int { kC, kF, kAny, kKeep };

// Axes are kept innermost first, as nditer keeps them.
struct Axes {
    int nop, ndim, full_ndim;
    int64_t size;
    bool forced, reducing, any_allocated;
    int8_t perm[kMaxDims];
    int64_t shape[kMaxDims], index[kMaxDims];
    intptr_t strides[kMaxDims][kMaxOperands];
    char* data[kMaxOperands];
    int type[kMaxOperands], loop_type[kMaxOperands];
    uint8_t flags[kMaxOperands];
    bool cast[kMaxOperands];
    const int8_t* axes[kMaxOperands];

    intptr_t item(int i) const { return ITEMSIZES[loop_type[i]]; }

    // Take the operands over the broadcast `dims`; `op_axes[i]` maps an iteration axis to the operand's, or -1.
    void set_operands(int n, const Operand* const* ops, const int* loop_types, const uint8_t* op_flags, int nd,
                      const int64_t* dims, const int8_t* const* op_axes) {
        nop = n;
        full_ndim = nd;
        ndim = nd ? nd : 1;
        shape[0] = 1;
        size = 1;
        any_allocated = reducing = false;
        for (int k = 0; k < nd; ++k) {
            shape[k] = dims[nd - 1 - k];
            size *= shape[k];
        }
        for (int k = 0; k < ndim; ++k) perm[k] = static_cast<int8_t>(k);
        for (int i = 0; i < n; ++i) {
            flags[i] = op_flags[i];
            loop_type[i] = loop_types[i];
            axes[i] = op_axes ? op_axes[i] : nullptr;
            const Operand* op = ops[i];
            if (op == nullptr) {
                any_allocated = true;
                data[i] = nullptr;
                type[i] = loop_type[i];
                cast[i] = false;
                for (int k = 0; k < ndim; ++k) strides[k][i] = 0;
            } else {
                data[i] = op->data;
                type[i] = op->type;
                cast[i] = op->type != loop_type[i];
                for (int k = 0; k < ndim; ++k) {
                    int axis = op_axis(i, k, op->ndim);
                    strides[k][i] = axis >= 0 && op->shape[axis] != 1 ? op->strides[axis] : 0;
                }
            }
        }
    }

    // The operand's axis that the k-th iteration axis of the unpermuted order stands for.
    int op_axis(int i, int k, int op_ndim) const {
        int axis = full_ndim - 1 - k;
        if (full_ndim == 0) return -1;
        return axes[i] ? axes[i][axis] : axis - (full_ndim - op_ndim);
    }

    void apply_order(Order order, const Operand* const* ops) {
        forced = order != Order::kKeep;
        bool fortran = order == Order::kF;
        if (order == Order::kAny) {
            fortran = true;
            for (int i = 0; i < nop; ++i) fortran &= ops[i] == nullptr || is_contiguous(*ops[i], true);
        }
        if (fortran && ndim > 1) {
            for (int k = 0; k < ndim; ++k) perm[k] = static_cast<int8_t>(ndim - 1 - k);
            permute();
        }
        if (!forced && ndim > 1) sort_axes();
    }

    void permute() {
        int64_t old_shape[kMaxDims];
        for (int k = 0; k < ndim; ++k) old_shape[k] = shape[k];
        // Per operand, so that the scratch stays small.
        for (int i = 0; i < nop; ++i) {
            intptr_t old[kMaxDims];
            for (int k = 0; k < ndim; ++k) old[k] = strides[k][i];
            for (int k = 0; k < ndim; ++k) strides[k][i] = old[perm[k]];
        }
        for (int k = 0; k < ndim; ++k) shape[k] = old_shape[perm[k]];
    }

    // nditer's stable insertion sort from the smallest stride to the biggest; in a conflict C order wins.
    void sort_axes() {
        bool permuted = false;
        for (int i0 = 1; i0 < ndim; ++i0) {
            int pos = i0;
            int8_t j0 = perm[i0];
            const intptr_t* s0 = strides[j0];
            for (int i1 = i0 - 1; i1 >= 0; --i1) {
                bool ambiguous = true, swap = false;
                const intptr_t* s1 = strides[perm[i1]];
                for (int i = 0; i < nop; ++i) {
                    if (s0[i] == 0 || s1[i] == 0) continue;
                    if (std::abs(s1[i]) <= std::abs(s0[i])) swap = false;
                    else if (ambiguous) swap = true;
                    ambiguous = false;
                }
                if (ambiguous) continue;
                if (!swap) break;
                pos = i1;
            }
            if (pos != i0) {
                for (int i1 = i0; i1 > pos; --i1) perm[i1] = perm[i1 - 1];
                perm[pos] = j0;
                permuted = true;
            }
        }
        if (permuted) permute();
    }

    void flip_negative_axes() {
        for (int k = 0; k < full_ndim; ++k) {
            bool negative = false, positive = false;
            for (int i = 0; i < nop; ++i) {
                negative |= strides[k][i] < 0;
                positive |= strides[k][i] > 0;
            }
            if (!negative || positive) continue;
            for (int i = 0; i < nop; ++i) {
                data[i] += (shape[k] - 1) * strides[k][i];
                strides[k][i] = -strides[k][i];
            }
            perm[k] = static_cast<int8_t>(-1 - perm[k]);
        }
    }

    // The strides of an operand of `op_ndim` dimensions laid out in iteration order.
    void ordered_strides(int i, int op_ndim, const int64_t* op_shape, int64_t itemsize, int64_t* result) const {
        if (zero_strides(op_ndim, op_shape, result)) return;
        for (int k = 0; k < full_ndim; ++k) {
            int p = perm[k] < 0 ? -1 - perm[k] : perm[k];
            int axis = op_axis(i, p, op_ndim);
            if (axis < 0) continue;
            result[axis] = itemsize;
            itemsize *= op_shape[axis];
        }
    }

    // Point operand `i` at other memory of the same shape; before coalescing.
    void replace(int i, const Operand& op) {
        data[i] = op.data;
        type[i] = op.type;
        cast[i] = op.type != loop_type[i];
        for (int k = 0; k < full_ndim; ++k) {
            bool flipped = perm[k] < 0;
            int axis = op_axis(i, flipped ? -1 - perm[k] : perm[k], op.ndim);
            intptr_t stride = axis >= 0 && op.shape[axis] != 1 ? op.strides[axis] : 0;
            if (flipped && stride) {
                data[i] += (shape[k] - 1) * stride;
                stride = -stride;
            }
            strides[k][i] = stride;
        }
    }

    void coalesce() {
        int kept = 0;
        for (int k = 1; k < ndim; ++k) {
            bool fits = true;
            for (int i = 0; i < nop && fits; ++i)
                fits = (shape[kept] == 1 && strides[kept][i] == 0) || (shape[k] == 1 && strides[k][i] == 0) ||
                       strides[kept][i] * shape[kept] == strides[k][i];
            if (fits) {
                shape[kept] *= shape[k];
                for (int i = 0; i < nop; ++i)
                    if (strides[kept][i] == 0) strides[kept][i] = strides[k][i];
            } else if (++kept != k) {
                shape[kept] = shape[k];
                std::memcpy(strides[kept], strides[k], sizeof(strides[k]));
            }
        }
        ndim = kept + 1;
    }

    // Turn the axes round along which an operand runs backwards: loops read what does at less expense than they write it.
    void write_forwards(int written) {
        for (int k = 0; k < ndim; ++k) {
            if (strides[k][written] >= 0) continue;
            for (int i = 0; i < nop; ++i) {
                data[i] += (shape[k] - 1) * strides[k][i];
                strides[k][i] = -strides[k][i];
            }
        }
    }

    // Make the axis along which the first operand is written side by side the innermost, if its line is long.
    void write_in_order() {
        for (int k = 1; k < ndim; ++k) {
            if (strides[k][0] != item(0) || shape[k] < 16) continue;
            std::swap(shape[0], shape[k]);
            for (int i = 0; i < nop; ++i) std::swap(strides[0][i], strides[k][i]);
            return;
        }
    }

    // Bytes of all operands, what is broadcast counted once, and once what lies where the first operand does.
    int64_t count_bytes() const {
        int64_t bytes = 0;
        for (int i = 0; i < nop; ++i) {
            int64_t items = ITEMSIZES[type[i]];
            bool same_steps = i > 0;
            for (int k = 0; k < ndim; ++k) {
                items *= strides[k][i] == 0 ? 1 : shape[k];
                same_steps = same_steps && strides[k][i] == strides[k][0];
            }
            if (!same_steps || 2 * std::abs(data[i] - data[0]) >= items) bytes += items;
        }
        return bytes;
    }

    // The axis to split: the outermost that has enough for every thread, else the longest. -1 where none has two.
    int axis_to_split() const {
        int longest = 0;
        for (int k = ndim - 1; k >= 0; --k) {
            if (shape[k] >= 64) return k;
            if (shape[k] > shape[longest]) longest = k;
        }
        return shape[longest] > 1 ? longest : -1;
    }

    // Go to the next line along the innermost axis, or along that and a second one; false after the last.
    bool step_lines(int second) {
        for (int k = 1; k < ndim; ++k) {
            if (k == second) continue;
            for (int i = 0; i < nop; ++i) data[i] += strides[k][i];
            if (++index[k] < shape[k]) return true;
            for (int i = 0; i < nop; ++i) data[i] -= shape[k] * strides[k][i];
            index[k] = 0;
        }
        return false;
    }
};

}  // namespace fastnp
