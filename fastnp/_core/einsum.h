// How the result of einsum lies in memory: NumPy lets nditer allocate it over the labels of all operands.
#pragma once

#include <cstdint>

#include "axes.h"

namespace fastnp {

// `maps[i]` says for each label of the iteration, of which the first `kept` are the result's, which axis of operand `i` has
// it, or -1. Fills the result's strides in bytes.
inline void strides_of_result(int count, const Operand* operands, const int8_t (*maps)[kMaxDims], int labels,
                              const int64_t* sizes, int kept, int type, int64_t* strides) {
    const Operand* all[kMaxOperands];
    const int8_t* axes[kMaxOperands];
    int types[kMaxOperands];
    uint8_t flags[kMaxOperands];
    int8_t own[kMaxDims];
    for (int i = 0; i <= count; ++i) {
        all[i] = i < count ? operands + i : nullptr;
        axes[i] = i < count ? maps[i] : own;
        types[i] = type;
        flags[i] = i < count ? kRead : kWrite | kAllocate;
    }
    for (int k = 0; k < labels; ++k) own[k] = static_cast<int8_t>(k < kept ? k : -1);
    Axes order;
    order.set_operands(count + 1, all, types, flags, labels, sizes, axes);
    order.apply_order(Order::kKeep, all);
    order.ordered_strides(count, kept, sizes, ITEMSIZES[type], strides);
}

}  // namespace fastnp
