// Operands copied into others of any layout and dtype.
#pragma once

#include "iteration.h"

namespace fastnp {

// Below this many bytes the lines of a copy are moved without a call for each.
inline constexpr int64_t kShortLineBytes = 512;

// Copy bytes that may overlap.
inline void copy_block(char* into, const char* from, int64_t bytes) {
    if (into < from + bytes && from < into + bytes) {
        std::memmove(into, from, bytes);
        return;
    }
    if (!may_split(bytes / 8)) return copy_bytes(into, from, bytes);
    split(bytes, 8 * kSplitStep, 1, [=](int64_t begin, int64_t end) { copy_bytes(into + begin, from + begin, end - begin); });
}

// Copy `src`, broadcast from the right, into `dst`, casting.
inline void copy_operand(const Operand& dst, const Operand& src) {
    if (dst.type != src.type && is_one_item(src)) {
        // Cast once, written everywhere.
        Operand one;
        alignas(16) char value[16];
        one.data = value;
        one.type = dst.type;
        one.ndim = 0;
        if (count_elements(dst.ndim, dst.shape) == 0) return;
        find_cast(dst.type, src.type)(value, 0, src.data, 0, 1);
        return copy_operand(dst, one);
    }
    Iterator it;
    const Operand* ops[] = {&dst, &src};
    int types[] = {dst.type, src.type};
    uint8_t flags[] = {kWrite, kRead};
    it.set_operands(2, ops, types, flags, dst.ndim, dst.shape, nullptr);
    if (it.size == 0) return;
    it.apply_order(Order::kKeep, ops);
    it.flip_negative_axes();
    it.coalesce();
    it.write_forwards(0);
    const bool splits = may_split(it.size) && !may_overlap_itself(dst);
    const int64_t item = ITEMSIZES[dst.type];
    if (dst.type == src.type) {
        if (const int turned = it.turned_axis(item, item))
            return it.run_in_parts(splits, [=](Iterator& part) { part.copy_turned(item, turned); });
        const auto copy = [item](char** args, const intptr_t* s, int64_t n) {
            if (s[0] == item && s[1] == item) return copy_bytes(args[0], args[1], n * item);
            if (s[0] == item && s[1] == 0) return fill_items(item, args[0], args[1], n);
            move_strided(item, args[0], s[0], args[1], s[1], n);
        };
        it.run_in_parts(splits, [&](Iterator& part) {
            Iterator::Packing packing;
            if (part.plan_packing(&packing, false)) return part.run_packed(packing, copy);
            if (part.ndim > 1 && part.shape[0] * item < kShortLineBytes) return part.copy_short_lines(item);
            part.run_lines(copy);
        });
        return;
    }
    auto convert = find_cast(dst.type, src.type);
    const int64_t from_item = ITEMSIZES[src.type];
    if (const int turned = it.turned_axis(item, from_item))
        return it.run_in_parts(splits, [=](Iterator& part) { part.cast_turned(item, from_item, turned, convert); });
    it.compute(splits, [convert](char** args, const intptr_t* s, int64_t n) { convert(args[0], s[0], args[1], s[1], n); });
}

// Copy `src` into `dst`, of the same shape, moved round each axis from one on by a shift below its length.
inline void copy_rolled(Operand& dst, Operand& src, const int64_t* shifts, int axis = 0) {
    while (axis < src.ndim && shifts[axis] == 0) ++axis;
    if (axis == src.ndim) return copy_operand(dst, src);
    const int64_t size = src.shape[axis], shift = shifts[axis];
    const auto copy_part = [&](int64_t from, int64_t to, int64_t count) {
        char *const read = src.data, *const written = dst.data;
        src.data += from * src.strides[axis];
        dst.data += to * dst.strides[axis];
        src.shape[axis] = dst.shape[axis] = count;
        copy_rolled(dst, src, shifts, axis + 1);
        src.data = read;
        dst.data = written;
    };
    copy_part(0, shift, size - shift);
    copy_part(size - shift, 0, shift);
    src.shape[axis] = dst.shape[axis] = size;
}

}  // namespace fastnp
