// Iteration over strided operands with the chunks of NumPy's nditer, which are visible in the rounding of a sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "axes.h"
#include "casts.h"
#include "moves.h"
#include "operand.h"
#include "parallel.h"
#include "transfer.h"

namespace fastnp {

inline constexpr int64_t kReductionBuffer = 8192;
// Of elements of eight bytes; of narrower ones as many more as have room. Of very many, which come from far away, so few that
// the next operand is fetched while this one is cast: 0.75 of the time for a million, 1.15 for less.
inline constexpr int64_t kElementwiseBuffer = 1024, kFarBuffer = 256, kFarFrom = 1 << 19;
inline constexpr int64_t kStreamedLine = 256;  // shorter ones are not worth their ends
// Shorter lines are brought side by side in buffers: most loops begin with a look at what they were given, 10 to 20 ns. Items
// of 16 bytes take longer than that to be brought there; where they lie apart, loops round some results otherwise.
inline constexpr int64_t kLineInPlace = 64, kWideLineInPlace = 16;

using LoopFunction = void (*)(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data);

struct Loop {
    LoopFunction function = nullptr;
    void* data = nullptr;
    // For more than a cache holds (streamed.h); its `data` is this structure.
    LoopFunction streamed = nullptr;
    int operands = 0;
    int64_t streams_from = 0;  // bytes that are read and written
    bool past_cache = true;    // results of `streamed` are written past the cache
    // Of a reduction, for many lines; its `data` is this structure. The dimensions are elements and lines, the last two strides
    // those of the results and of the operand from line to line.
    LoopFunction lines = nullptr;
    bool takes_again = false;  // an operand that has been taken already changes nothing
    // Of a reduction, for rows whose places are reduced each with those below it (folding.h); null where there is none.
    void (*fold)(char* into, const char* from, intptr_t n, intptr_t rows, intptr_t step) = nullptr;
    bool streams(int64_t bytes) const { return streamed != nullptr && bytes >= streams_from; }
    bool streams(char* const* args, const intptr_t* strides, int64_t count) const {
        if (streamed == nullptr) return false;
        int64_t bytes = 0;
        for (int i = 0; i < operands; ++i) {
            const int64_t own = std::abs(strides[i]) * count;
            // What lies where the first operand does, as in `x * x` and `x[1:] - x[:-1]`, is counted once.
            if (i == 0 || strides[i] != strides[0] || 2 * std::abs(args[i] - args[0]) >= own) bytes += own;
        }
        return streams(bytes);
    }
};

// One iteration.
struct Iterator : Axes {
    int outer_dim;
    bool double_loop;
    int64_t core_size, buffer_size, outer_pos, outer_count;
    intptr_t inner_strides[kMaxOperands], outer_strides[kMaxOperands];
    bool buffered[kMaxOperands], single_stride[kMaxOperands], reduced[kMaxOperands], reusable[kMaxOperands];
    char* buffers[kMaxOperands];

    // nditer's choice of how many dimensions one chunk spans, and of which operands it buffers.
    void plan_chunks(int64_t maximum) {
        int single_dims[kMaxOperands], reduce_dim[kMaxOperands];
        int cost = 1, outer_reduce = 0, best_dim = 0;
        for (int i = 0; i < nop; ++i) {
            single_dims[i] = 1;
            reduce_dim[i] = 0;
            cost += cast[i];
        }
        int64_t total = shape[0], best_size = total, best_core = 1;
        int best_cost = cost;
        for (int k = 1; k < ndim && !outer_reduce; ++k) {
            if (total >= maximum && cost > 1) break;
            for (int i = 0; i < nop; ++i) {
                if (single_dims[i] == k) {
                    if (strides[k - 1][i] * shape[k - 1] == strides[k][i]) {
                        ++single_dims[i];
                        continue;
                    }
                    if (!cast[i]) ++cost;
                }
                if (reducing && (flags[i] & kWrite) && (strides[k][i] == 0 || strides[k - 1][i] == 0))
                    outer_reduce = reduce_dim[i] = k;
            }
            int64_t core = total;
            total *= shape[k];
            if (total == 0) break;
            double limit = static_cast<double>(total > maximum && cost > 1 ? maximum : total);
            if (cost * static_cast<double>(best_size) <= best_cost * limit) {
                best_cost = cost;
                best_core = core;
                best_size = total;
                best_dim = k;
            }
        }
        double_loop = outer_reduce && best_dim == outer_reduce;
        outer_dim = best_dim;
        core_size = best_core;
        bool must_buffer = false;
        for (int i = 0; i < nop; ++i) {
            bool is_buffered = cast[i];
            intptr_t outer_stride = strides[outer_reduce][i];
            reduced[i] = double_loop && (reduce_dim[i] == best_dim || (single_dims[i] == best_dim && !is_buffered) ||
                                         (outer_stride == 0 && single_dims[i] <= best_dim));
            single_stride[i] = single_dims[i] + reduced[i] > best_dim;
            is_buffered |= !single_stride[i];
            intptr_t item = ITEMSIZES[loop_type[i]];
            if (!is_buffered) {
                inner_strides[i] = strides[0][i];
                outer_strides[i] = outer_stride;
            } else if (reduced[i]) {
                inner_strides[i] = outer_stride == 0 ? item : 0;
                outer_strides[i] = outer_stride == 0 ? 0 : item;
            } else if (single_stride[i] && strides[0][i] == 0) {
                inner_strides[i] = outer_strides[i] = 0;
            } else {
                inner_strides[i] = item;
                outer_strides[i] = item * best_core;
            }
            buffered[i] = is_buffered;
            reusable[i] = false;
            must_buffer |= is_buffered;
        }
        if (must_buffer && maximum < best_size) best_size = best_core * (maximum / best_core);
        buffer_size = best_size;
    }

    // Whether operand `i` is met for the first time: no reduced axis has advanced.
    bool first_visit(int i) const {
        for (int k = 0; k < ndim; ++k)
            if (strides[k][i] == 0 && index[k] != 0) return false;
        return !(double_loop && outer_pos != 0 && outer_strides[i] == 0);
    }

    // What the buffer of operand `i` holds of the present chunk.
    void describe_transfer(int i, int64_t n_outer, Transfer* t) const {
        t->ndim = 1;
        t->buffer_stride = inner_strides[i];
        if (reduced[i] && strides[outer_dim][i] != 0) {
            t->shape[0] = n_outer;
            t->strides[0] = strides[outer_dim][i];
            t->buffer_stride = outer_strides[i];
            return;
        }
        int64_t n = reduced[i] ? core_size : core_size * n_outer;
        if (single_stride[i]) {
            t->strides[0] = strides[0][i];
            t->shape[0] = t->strides[0] == 0 ? 1 : n;
            if (t->strides[0] == 0) t->buffer_stride = 0;
            return;
        }
        t->ndim = reduced[i] ? outer_dim : outer_dim + 1;
        for (int k = 0; k < t->ndim; ++k) {
            t->shape[k] = k == outer_dim ? n_outer : shape[k];
            t->strides[k] = strides[k][i];
        }
    }

    void fill_buffer(int i, int64_t n_outer) const {
        Transfer t;
        describe_transfer(i, n_outer, &t);
        const int last = t.ndim - 1;
        const bool repeats = last > 0 && t.strides[last] == 0 && t.buffer_stride == item(i);
        t.ndim -= repeats;
        fill_lines(i, t);
        if (repeats) t.repeat(buffers[i], t.shape[last]);
    }

    void fill_lines(int i, const Transfer& t) const {
        if (!cast[i] && t.has_short_lines(item(i))) return t.pack(item(i), data[i], buffers[i]);
        auto convert = find_cast(loop_type[i], type[i]);
        if (t.has_short_lines(item(i))) {
            // They are brought side by side before they are cast.
            const int64_t count = count_elements(t.ndim, t.shape), from = ITEMSIZES[type[i]];
            alignas(16) char stack[4096];
            std::unique_ptr<char[]> heap;
            if (count * from > static_cast<int64_t>(sizeof(stack))) heap.reset(new char[count * from]);
            char* const packed = heap ? heap.get() : stack;
            t.pack(from, data[i], packed);
            return convert(buffers[i], item(i), packed, from, count);
        }
        t.visit_lines(data[i], buffers[i], [&](char* memory, intptr_t ms, char* buffer, intptr_t bs, int64_t n) {
            convert(buffer, bs, memory, ms, n);
        });
    }

    void flush_buffer(int i, int64_t n_outer, const char* mask, intptr_t mask_stride) const {
        Transfer t;
        describe_transfer(i, n_outer, &t);
        if (mask == nullptr && !cast[i] && t.has_short_lines(item(i))) return t.unpack(item(i), data[i], buffers[i]);
        auto convert = find_cast(type[i], loop_type[i]);
        t.visit_lines(data[i], buffers[i], [&](char* memory, intptr_t ms, char* buffer, intptr_t bs, int64_t n) {
            if (mask == nullptr) {
                convert(memory, ms, buffer, bs, n);
                return;
            }
            for (int64_t j = 0; j < n; ++j, mask += mask_stride)
                if (*mask) convert(memory + j * ms, ms, buffer + j * bs, bs, 1);
        });
    }

    // Run `inner(args, strides, count)` over everything; a mask, if there is one, is the last operand.
    template <typename Inner>
    void run(Inner&& inner, bool masked_writes = false) {
        if (size == 0) return;
        std::fill(index, index + ndim, 0);
        outer_pos = 0;
        bool any_buffer = false;
        std::unique_ptr<char[]> heap;
        alignas(64) char stack[16384];
        int64_t needed = 0, chunk = std::min(buffer_size, size);
        for (int i = 0; i < nop; ++i)
            if (buffered[i]) needed += (chunk * ITEMSIZES[loop_type[i]] + 63) & ~int64_t{63};
        any_buffer = needed > 0;
        if (any_buffer) {
            char* block = stack;
            if (needed > static_cast<int64_t>(sizeof(stack))) {
                heap.reset(new char[needed + 64]);
                block = heap.get() + (-reinterpret_cast<uintptr_t>(heap.get()) & 63);
            }
            for (int i = 0; i < nop; ++i)
                if (buffered[i]) {
                    buffers[i] = block;
                    block += (chunk * ITEMSIZES[loop_type[i]] + 63) & ~int64_t{63};
                }
        }
        int64_t done = 0, outer_capacity = buffer_size / core_size;
        char* args[kMaxOperands];
        char* previous[kMaxOperands] = {nullptr};
        while (true) {
            int64_t n_outer = std::min(outer_capacity, shape[outer_dim] - index[outer_dim]);
            int64_t transfer = core_size * n_outer;
            for (int i = 0; i < nop; ++i) {
                if (!buffered[i]) {
                    args[i] = data[i];
                    continue;
                }
                args[i] = buffers[i];
                if (!(flags[i] & kRead)) continue;
                // (What is written, and so may change, is met again in reductions alone.)
                if (reusable[i] && previous[i] == data[i] && (double_loop || !(flags[i] & kWrite))) continue;
                reusable[i] = transfer == buffer_size ||
                              (transfer >= core_size && reduced[i] && strides[outer_dim][i] == 0);
                fill_buffer(i, n_outer);
            }
            if (double_loop) {
                outer_count = n_outer;
                char* outer_args[kMaxOperands];
                std::memcpy(outer_args, args, sizeof(args));
                for (outer_pos = 0;;) {
                    inner(args, inner_strides, core_size);
                    if (++outer_pos == n_outer) break;
                    for (int i = 0; i < nop; ++i) args[i] = outer_args[i] += outer_strides[i];
                }
                outer_pos = 0;
            } else {
                inner(args, inner_strides, transfer);
            }
            if (any_buffer) {
                for (int i = 0; i < nop; ++i) {
                    previous[i] = data[i];
                    if (!buffered[i] || !(flags[i] & kWrite)) continue;
                    int m = nop - 1;
                    const char* mask = masked_writes ? (buffered[m] ? buffers[m] : data[m]) : nullptr;
                    flush_buffer(i, n_outer, mask, masked_writes ? inner_strides[m] : 0);
                }
            }
            done += transfer;
            if (done >= size) return;
            advance(n_outer);
        }
    }

    // Call compute(iterator) for all, or for parts of one axis side by side. After coalescing; not where axes are reduced.
    template <typename Compute>
    void run_in_parts(bool splits, Compute&& compute) {
        const int axis = splits ? axis_to_split() : -1;
        if (axis < 0) {
            compute(*this);
            return;
        }
        split(shape[axis], axis == 0 ? kSplitStep : 1, size / shape[axis], [&](int64_t begin, int64_t end) {
            Iterator part = *this;
            for (int i = 0; i < nop; ++i) part.data[i] += begin * strides[axis][i];
            part.shape[axis] = end - begin;
            part.size = size / shape[axis] * (end - begin);
            compute(part);
        });
    }

    int64_t items_of_chunk() const {
        int64_t widest = 1;
        for (int i = 0; i < nop; ++i) widest = std::max({widest, int64_t{ITEMSIZES[type[i]]}, int64_t{ITEMSIZES[loop_type[i]]}});
        return (size < kFarFrom ? kElementwiseBuffer : kFarBuffer) * std::max(int64_t{1}, 8 / widest);
    }

    // Run `inner` over an elementwise iteration, after coalescing.
    template <typename Inner>
    void compute(bool splits, Inner&& inner, bool masked_writes = false) {
        run_in_parts(splits, [&](Iterator& part) {
            Packing packing;
            if (!masked_writes && part.plan_packing(&packing, true)) return part.run_packed(packing, inner);
            if (part.is_read_in_place()) return part.run_lines(inner);
            part.plan_chunks(part.items_of_chunk());
            part.run(inner, masked_writes);
        });
    }

    // How operands that do not lie side by side along the innermost axis, but do along another (`turned`) or in the other
    // order, and narrow integers, are brought side by side, `rows` lines of `columns` items at a time. NumPy fills buffers
    // there, too. Lines that follow each other are computed as one (`joined`).
    enum class Way : uint8_t { kInPlace, kTurned, kByLines };
    struct Packing {
        int turned = 0;
        bool joined = false;
        int64_t rows = 1, columns;
        Way ways[kMaxOperands];
        intptr_t row_bytes[kMaxOperands];  // of a buffer
        int64_t bytes = 0;
    };
    // Columns long enough for the processor to fetch them ahead, blocks small enough for the second cache.
    static constexpr int64_t kPackedColumns = 256, kPackedBytes = 512, kPackedFrom = 1024, kTurnedFrom = 4096;
    // Lines that are worth a copy and a call of their own.
    static constexpr int64_t kPackedLine = 128;

    // Whether that is worth it; after coalescing. `reverses`: lines that run backwards, or of narrow integers that lie apart, are
    // a burden to the loop.
    bool plan_packing(Packing* packing, bool reverses) const {
        if (size < kPackedFrom || ndim < 2 || shape[0] < 32 || has_casts()) return false;
        for (int k = 1; k < ndim && packing->turned == 0 && size >= kTurnedFrom; ++k)
            for (int i = 0; i < nop; ++i)
                if (shape[k] >= 8 && can_turn(i, k)) packing->turned = k;
        int64_t widest = 0;
        for (int i = 0; i < nop; ++i) {
            const bool apart = strides[0][i] != 0 && strides[0][i] != item(i);
            const bool is_turned = packing->turned && can_turn(i, packing->turned);
            const bool is_slow = strides[0][i] == -item(i) || (item(i) <= 4 && loop_type[i] < FLOAT16);
            const bool by_lines = apart && reverses && is_slow && !(flags[i] & kWrite);
            packing->ways[i] = is_turned ? Way::kTurned : by_lines ? Way::kByLines : Way::kInPlace;
            if (is_turned || by_lines) widest = std::max<int64_t>(widest, item(i));
        }
        if (widest == 0) return false;
        packing->columns = std::min(shape[0], packing->turned ? kPackedColumns : 4 * kPackedColumns);
        packing->joined = !packing->turned && join_lines(packing);
        if (packing->joined) {
            packing->turned = 1;
            packing->rows = std::min(shape[1], 4 * kPackedColumns / packing->columns);
        } else if (packing->turned) {
            packing->rows = std::min(shape[packing->turned], kPackedBytes / widest);
        } else if (shape[0] < kPackedLine) {
            return false;
        }
        for (int i = 0; i < nop; ++i) {
            // A line of the cache more, so that rows do not compete for the same places in it.
            packing->row_bytes[i] = packing->columns * item(i);
            if (!packing->joined) packing->row_bytes[i] = ((packing->row_bytes[i] + 63) & ~int64_t{63}) + 64;
            if (packing->ways[i] != Way::kInPlace) packing->bytes += packing->rows * packing->row_bytes[i];
        }
        return true;
    }
    // Whether lines that are brought in order, and those that lie so, follow each other along the next axis. Of short lines
    // what is read is made to.
    bool join_lines(Packing* packing) const {
        if (packing->columns < shape[0] || 2 * shape[0] > 4 * kPackedColumns) return false;
        const auto follows = [this](int i) { return strides[1][i] == shape[0] * strides[0][i]; };
        for (int i = 0; i < nop; ++i)
            if (packing->ways[i] == Way::kInPlace && !follows(i) && ((flags[i] & kWrite) || shape[0] >= kPackedLine)) return false;
        for (int i = 0; i < nop; ++i)
            if (!follows(i)) packing->ways[i] = Way::kByLines;
        return true;
    }
    // Items of 16 bytes gain nothing: four of them fill a line of the cache.
    bool can_turn(int i, int k) const {
        return strides[0][i] != 0 && strides[0][i] != item(i) && strides[k][i] == item(i) && item(i) <= 8;
    }

    template <typename Inner>
    void run_packed(const Packing& packing, Inner&& inner) {
        const std::unique_ptr<char[]> memory(new char[packing.bytes + 64]);
        char* next = memory.get() + (-reinterpret_cast<uintptr_t>(memory.get()) & 63);
        char* buffers_at[kMaxOperands];
        intptr_t steps[kMaxOperands], row_steps[kMaxOperands];
        const int turned = packing.turned;
        for (int i = 0; i < nop; ++i) {
            const bool in_place = packing.ways[i] == Way::kInPlace;
            buffers_at[i] = in_place ? nullptr : next;
            if (!in_place) next += packing.rows * packing.row_bytes[i];
            steps[i] = in_place ? strides[0][i] : item(i);
            row_steps[i] = in_place ? (turned ? strides[turned][i] : 0) : packing.row_bytes[i];
        }
        // One block: lines [row, row + rows) along the turned axis, items [column, column + columns) of each.
        const auto block = [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
            char *args[kMaxOperands], *places[kMaxOperands];
            for (int i = 0; i < nop; ++i) {
                places[i] = data[i] + column * strides[0][i] + (turned ? row * strides[turned][i] : 0);
                args[i] = buffers_at[i] ? buffers_at[i] : places[i];
                if (!buffers_at[i] || !(flags[i] & kRead)) continue;
                if (packing.ways[i] == Way::kTurned)
                    pack_turned(item(i), args[i], row_steps[i], places[i], strides[0][i], rows, columns);
                else
                    for (int64_t k = 0; k < rows; ++k) {
                        const char* const line = places[i] + (turned ? k * strides[turned][i] : 0);
                        if (strides[0][i] == item(i)) copy_bytes(args[i] + k * row_steps[i], line, columns * item(i));
                        else move_strided(item(i), args[i] + k * row_steps[i], item(i), line, strides[0][i], columns);
                    }
            }
            if (packing.joined) return inner(args, steps, rows * columns);
            for (int64_t k = 0; k < rows; ++k) {
                inner(args, steps, columns);
                for (int i = 0; i < nop; ++i) args[i] += row_steps[i];
            }
            for (int i = 0; i < nop; ++i)
                if (buffers_at[i] && (flags[i] & kWrite))
                    move_turned(item(i), places[i], strides[0][i], buffers_at[i], row_steps[i], columns, rows);
        };
        std::fill(index, index + ndim, 0);
        const int64_t all_rows = turned ? shape[turned] : 1;
        while (true) {
            for (int64_t row = 0; row < all_rows; row += packing.rows)
                for (int64_t column = 0; column < shape[0]; column += packing.columns)
                    block(row, std::min(packing.rows, all_rows - row), column, std::min(packing.columns, shape[0] - column));
            if (!step_lines(turned)) return;
        }
    }

    bool has_casts() const { return std::any_of(cast, cast + nop, [](bool is_cast) { return is_cast; }); }

    // Whether lines along the innermost axis are long enough to be computed where they lie. (nditer fills buffers instead
    // where one operand repeats along a line and another does not, which shows in no elementwise result.)
    bool is_read_in_place() const {
        if (has_casts()) return false;
        if (ndim == 1 || shape[0] >= kLineInPlace) return true;
        if (shape[0] < kWideLineInPlace) return false;
        bool wide = false;
        for (int i = 0; i < nop; ++i) {
            if (strides[0][i] != 0 && strides[0][i] != item(i)) return false;
            wide = wide || item(i) > 8;
        }
        return wide;
    }

    // Call `inner` for each line along the innermost axis.
    template <typename Inner>
    void run_lines(Inner&& inner) {
        if (size == 0) return;
        char* args[kMaxOperands];
        if (ndim == 2) {
            for (int i = 0; i < nop; ++i) args[i] = data[i];
            for (int64_t k = 0; k < shape[1]; ++k) {
                inner(args, strides[0], shape[0]);
                for (int i = 0; i < nop; ++i) args[i] += strides[1][i];
            }
            return;
        }
        std::fill(index, index + ndim, 0);
        while (true) {
            for (int i = 0; i < nop; ++i) args[i] = data[i];
            inner(args, strides[0], shape[0]);
            if (!step_lines(0)) return;
        }
    }

    // The axis along which a copy reads in steps of one item where it writes so along another, which is innermost then; else 0.
    int turned_axis(int64_t into_item, int64_t from_item) {
        for (int k = 1; k < ndim && strides[0][0] != into_item && strides[0][1] == from_item; ++k) {
            if (strides[k][0] != into_item || shape[k] < 8) continue;
            std::swap(shape[0], shape[k]);
            std::swap(strides[0], strides[k]);
        }
        if (ndim < 2 || strides[0][0] != into_item || strides[0][1] == from_item || strides[0][1] == 0 || shape[0] < 8) return 0;
        for (int k = 1; k < ndim; ++k)
            if (strides[k][1] == from_item && shape[k] >= 8) return k;
        return 0;
    }

    // Copy lines that are too short for a call each; not of one axis.
    void copy_short_lines(int64_t item) {
        std::fill(index, index + ndim, 0);
        do
            move_matrix(item, data[0], strides[1][0], strides[0][0], data[1], strides[1][1], strides[0][1], shape[1], shape[0]);
        while (step_lines(1));
    }

    // Copy so, in blocks that stay in the cache.
    void copy_turned(int64_t item, int turned) {
        std::fill(index, index + ndim, 0);
        while (true) {
            move_turned(item, data[0], strides[turned][0], data[1], strides[0][1], shape[turned], shape[0]);
            if (!step_lines(turned)) return;
        }
    }

    // The same where items are cast as well: lines of a block are packed before.
    void cast_turned(int64_t into_item, int64_t from_item, int turned, casts::Strided convert) {
        const int64_t rows = std::min(shape[turned], kPackedBytes / from_item), columns = std::min(shape[0], kPackedColumns);
        const int64_t row_bytes = ((columns * from_item + 63) & ~int64_t{63}) + 64;
        const std::unique_ptr<char[]> memory(new char[rows * row_bytes]);
        std::fill(index, index + ndim, 0);
        while (true) {
            for (int64_t row = 0; row < shape[turned]; row += rows)
                for (int64_t column = 0; column < shape[0]; column += columns) {
                    const int64_t height = std::min(rows, shape[turned] - row), width = std::min(columns, shape[0] - column);
                    const char* const from = data[1] + row * from_item + column * strides[0][1];
                    char* into = data[0] + row * strides[turned][0] + column * into_item;
                    pack_turned(from_item, memory.get(), row_bytes, from, strides[0][1], height, width);
                    for (int64_t k = 0; k < height; ++k, into += strides[turned][0])
                        convert(into, into_item, memory.get() + k * row_bytes, from_item, width);
                }
            if (!step_lines(turned)) return;
        }
    }

    void advance(int64_t n_outer) {
        int64_t step = n_outer;
        for (int k = outer_dim; k < ndim; ++k) {
            index[k] += step;
            for (int i = 0; i < nop; ++i) data[i] += step * strides[k][i];
            if (index[k] < shape[k]) return;
            for (int i = 0; i < nop; ++i) data[i] -= index[k] * strides[k][i];
            index[k] = 0;
            step = 1;
        }
    }
};

}  // namespace fastnp
