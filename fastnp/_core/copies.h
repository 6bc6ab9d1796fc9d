// Operands copied into others of any layout and dtype.
#pragma once

#include "iteration.h"

namespace fastnp {

// Below this many bytes the lines of a copy are moved without a call for each.
inline constexpr int64_t kShortLineBytes = 512;
// Up to this many bytes columns that lie apart are read one by one; more are brought side by side first.
inline constexpr int64_t kNearBytes = int64_t{1} << 18;

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
        if (it.size * item <= kNearBytes) it.write_in_order();
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

// The same between packed operands along one axis: what is within it goes in two pieces, one block after the other.
inline void copy_rolled_blocks(const Operand& dst, const Operand& src, int64_t shift, int axis) {
    constexpr int64_t kShortBlock = 64, kBlocksAtOnce = 256;
    const int64_t item = ITEMSIZES[src.type], inner = count_elements(src.ndim - axis - 1, src.shape + axis + 1) * item;
    const int64_t outer = count_elements(axis, src.shape), bytes = src.shape[axis] * inner, moved = shift * inner;
    if (outer == 1) {
        copy_block(dst.data + moved, src.data, bytes - moved);
        return copy_block(dst.data, src.data + bytes - moved, moved);
    }
    const auto copy = [&](int64_t begin, int64_t end) {
        if (bytes <= kShortBlock) {
            // Without a call for each.
            for (; begin < end; begin += kBlocksAtOnce) {
                char* const into = dst.data + begin * bytes;
                const char* const from = src.data + begin * bytes;
                const int64_t rows = std::min(kBlocksAtOnce, end - begin);
                move_matrix(item, into + moved, bytes, item, from, bytes, item, rows, (bytes - moved) / item);
                move_matrix(item, into, bytes, item, from + bytes - moved, bytes, item, rows, moved / item);
            }
            return;
        }
        for (int64_t block = begin * bytes; block < end * bytes; block += bytes) {
            copy_bytes(dst.data + block + moved, src.data + block, bytes - moved);
            copy_bytes(dst.data + block, src.data + block + bytes - moved, moved);
        }
    };
    may_split(outer * bytes / 8) ? split(outer, 1, bytes / 8 + 1, copy) : copy(0, outer);
}

// Copy `src` into `dst`, of the same shape, moved round each axis from one on by a shift below its length.
inline void copy_rolled(Operand& dst, Operand& src, const int64_t* shifts, int axis = 0) {
    while (axis < src.ndim && shifts[axis] == 0) ++axis;
    if (axis == src.ndim) return copy_operand(dst, src);
    const int64_t size = src.shape[axis], shift = shifts[axis];
    const bool is_last = std::all_of(shifts + axis + 1, shifts + src.ndim, [](int64_t other) { return other == 0; });
    if (is_last && is_contiguous(dst, false) && is_contiguous(src, false)) return copy_rolled_blocks(dst, src, shift, axis);
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

// Copy an array into the middle of one in C order, whose other elements are `value`: `before` of them come first along each axis,
// `steps` are its strides. No element is written twice but those of short lines.
struct FramedCopy {
    int64_t sizes[kMaxDims], steps[kMaxDims], before[kMaxDims];
    Operand src;
    const char* value;

    // Make one axis of the last ones that nothing is put around.
    void join_last_axes() {
        const int64_t item = ITEMSIZES[src.type];
        for (int last = src.ndim - 1; last > 0; --last) {
            const int64_t n = src.shape[last];
            const bool joins = before[last] == 0 && sizes[last] == n && src.strides[last] == item &&
                               src.strides[last - 1] == n * item;
            if (!joins) break;
            before[last - 1] *= n;
            sizes[last - 1] *= n;
            src.shape[last - 1] *= n;
            src.strides[last - 1] = steps[last - 1] = item;
            --src.ndim;
        }
    }

    void copy(char* into, const char* from, int axis) const {
        const int64_t item = ITEMSIZES[src.type], inside = src.shape[axis], step = steps[axis];
        const int last = src.ndim - 1;
        if (axis == last - 1 && src.shape[last] * item <= kShortRow) {
            // Without a call for each row, and parts of it.
            fill_items(item, into, value, sizes[axis] * step / item);
            move_matrix(item, into + before[axis] * step + before[last] * item, step, item, from, src.strides[axis],
                        src.strides[last], inside, src.shape[last]);
            return;
        }
        fill_items(item, into, value, before[axis] * step / item);
        into += before[axis] * step;
        if (axis == last)
            move_line(into, from, inside);
        else
            for (int64_t i = 0; i < inside; ++i) copy(into + i * step, from + i * src.strides[axis], axis + 1);
        fill_items(item, into + inside * step, value, (sizes[axis] - before[axis] - inside) * step / item);
    }

   private:
    static constexpr int64_t kShortRow = 64;

    void move_line(char* into, const char* from, int64_t n) const {
        const int64_t item = ITEMSIZES[src.type], step = src.strides[src.ndim - 1];
        step == item ? copy_bytes(into, from, n * item) : move_strided(item, into, item, from, step, n);
    }
};

// Write an array in C order as many times along each axis as is said, line by line: each is read once. False where lines are
// short.
inline bool tile_lines(char* into, const char* from, int ndim, const int64_t* sizes, const int64_t* counts, int64_t item) {
    constexpr int64_t kLine = 512;
    int last = ndim - 1;
    int64_t line = item;
    for (; last >= 0 && counts[last] == 1; --last) line *= sizes[last];
    if (last < 0) return false;
    line *= sizes[last];
    if (line < kLine) return false;
    // All places of a line: those along the axes before, each the product of what is within it.
    int64_t steps[kMaxDims], step = line * counts[last], lines = 1;
    for (int axis = last - 1; axis >= 0; --axis) {
        steps[axis] = step;
        step *= sizes[axis] * counts[axis];
        lines *= sizes[axis];
    }
    int64_t at[kMaxDims] = {0}, turn[kMaxDims] = {0};
    char* place = into;
    for (; lines > 0; --lines, from += line) {
        int axis = last - 1;
        for (char* copied = place;;) {
            for (int64_t k = 0; k < counts[last]; ++k) copy_bytes(copied + k * line, from, line);
            for (axis = last - 1; axis >= 0; --axis) {
                copied += steps[axis] * sizes[axis];
                if (++turn[axis] < counts[axis]) break;
                copied -= steps[axis] * sizes[axis] * counts[axis];
                turn[axis] = 0;
            }
            if (axis < 0) break;
        }
        for (axis = last - 1; axis >= 0; --axis) {
            place += steps[axis];
            if (++at[axis] < sizes[axis]) break;
            place -= steps[axis] * sizes[axis];
            at[axis] = 0;
        }
    }
    return true;
}

}  // namespace fastnp
