// reduce, over NumPy's inner loops and in nditer's order, so that sums round as NumPy's do.
#pragma once

#include "numpy_loops.h"

namespace fastnp {

inline constexpr int64_t kLongLine = 512;

struct ReductionCall {
    const Operand* in;
    const Operand* out;
    const Operand* where;
    int out_type, in_type;
    bool keepdims;
    uint64_t axes;
    int out_ndim;
    int64_t out_shape[kMaxDims];
    int8_t out_axes[kMaxDims];
    bool empty;
    // Whether threads may share the work: not where the loop calls the interpreter.
    bool splits = false;
    Operand result;
    Iterator it;

    // `reduced` is the set of reduced axes; types are the loop's (result, operand).
    Status prepare(const Operand* operand, const Operand* given_out, const Operand* mask, uint64_t reduced, bool keep,
                   int result_type, int operand_type) {
        in = operand;
        out = given_out;
        where = mask;
        axes = reduced;
        keepdims = keep;
        out_type = result_type;
        in_type = operand_type;
        out_ndim = 0;
        bool reduces = false;
        for (int i = 0; i < in->ndim; ++i) {
            bool is_reduced = reduced >> i & 1;
            reduces |= is_reduced;
            out_axes[i] = static_cast<int8_t>(is_reduced && !keep ? -1 : out_ndim);
            if (is_reduced && !keep) continue;
            out_shape[out_ndim++] = is_reduced ? 1 : in->shape[i];
        }
        if (out) {
            if (out->ndim != out_ndim) return Status::kNoBroadcast;
            for (int k = 0; k < out_ndim; ++k)
                if (out->shape[k] != out_shape[k]) return Status::kNoBroadcast;
        }
        if (where) {
            if (where->ndim > in->ndim) return Status::kNoBroadcast;
            for (int k = 1; k <= where->ndim; ++k) {
                int64_t n = where->shape[where->ndim - k];
                if (n != 1 && n != in->shape[in->ndim - k]) return Status::kNoBroadcast;
            }
        }
        const Operand* ops[] = {out, in, where};
        int types[] = {out_type, in_type, BOOL};
        uint8_t flags[] = {kRead | kWrite, kRead, kRead};
        const int8_t* maps[] = {out_axes, nullptr, nullptr};
        it.set_operands(where ? 3 : 2, ops, types, flags, in->ndim, in->shape, maps);
        it.reducing = reduces;
        empty = it.size == 0;
        it.apply_order(Order::kKeep, ops);
        return Status::kOk;
    }

    void result_strides(int64_t* strides) const {
        it.ordered_strides(0, out_ndim, out_shape, ITEMSIZES[out_type], strides);
    }

    void bind(char* data, const int64_t* strides) {
        result.data = data;
        result.type = out_type;
        result.ndim = out_ndim;
        for (int k = 0; k < out_ndim; ++k) {
            result.shape[k] = out_shape[k];
            result.strides[k] = strides[k];
        }
        it.replace(0, result);
    }

    // Return the floating-point flags that are up afterwards.
    unsigned run(const Loop& loop, const char* initial, bool software) {
        InterpreterRelease release(count_elements(in->ndim, in->shape) >= kReleaseFrom);
        compute(loop, initial);
        return raised_float_flags(software);
    }

    // Start from `initial` (an element of the result's dtype), or from the first element along each reduced axis.
    void compute(const Loop& loop, const char* initial) {
        std::unique_ptr<char[]> memory;
        bool writes_back = false;
        if (out) {
            result = *out;
            if (may_overlap(*out, *in) || (where && may_overlap(*out, *where))) {
                // The copy is of the loop's dtype, as nditer makes it.
                result.type = out_type;
                memory.reset(new char[count_elements(out_ndim, out_shape) * ITEMSIZES[out_type] + 1]);
                result.data = memory.get();
                it.ordered_strides(0, out_ndim, out_shape, ITEMSIZES[out_type], result.strides);
                writes_back = true;
                it.replace(0, result);
            }
        }
        int64_t skip = 0;
        if (initial) {
            Operand value;
            value.data = const_cast<char*>(initial);
            value.type = out_type;
            value.ndim = 0;
            copy_operand(result, value);
        } else {
            Operand first = *in;
            first.ndim = 0;
            for (int i = 0; i < in->ndim; ++i) {
                bool is_reduced = axes >> i & 1;
                if (is_reduced && !keepdims) continue;
                first.shape[first.ndim] = is_reduced ? 1 : in->shape[i];
                first.strides[first.ndim++] = is_reduced ? 0 : in->strides[i];
            }
            copy_operand(result, first);
            skip = count_elements(out_ndim, out_shape);
        }
        if (!empty) {
            it.coalesce();
            const int axis = splits && may_split(it.size) ? kept_axis() : -1;
            if (axis < 0) {
                run_part(loop, it, skip);
            } else {
                // A loop along the axis that stays is called for each line: parts of lines are long enough for that.
                split(it.shape[axis], axis == 0 ? kLongLine : 1, it.size / it.shape[axis], [&](int64_t begin, int64_t end) {
                    Iterator part = it;
                    for (int i = 0; i < it.nop; ++i) part.data[i] += begin * it.strides[axis][i];
                    part.shape[axis] = end - begin;
                    part.size = it.size / it.shape[axis] * (end - begin);
                    run_part(loop, part, skip / it.shape[axis] * (end - begin));
                });
            }
        }
        if (writes_back) copy_operand(*out, result);
    }

    // The longest axis that stays, along which results do not depend on each other; -1 where there is none, or where
    // buffers end where the size of the whole says.
    int kept_axis() const {
        int found = -1;
        if (it.cast[0] || it.cast[1]) return -1;
        for (int k = 0; k < it.ndim; ++k)
            if (it.strides[k][0] != 0 && it.shape[k] > 1 && (found < 0 || it.shape[k] > it.shape[found])) found = k;
        return found;
    }

    // Call COMPUTE with the places of result and operand in each of the matrices that the two inner axes are.
    template <class Compute>
    static void for_each_matrix(const Iterator& part, const Compute& compute) {
        int64_t places[kMaxDims] = {}, matrices = part.size / (part.shape[0] * part.shape[1]);
        char *into = part.data[0], *from = part.data[1];
        while (matrices-- > 0) {
            compute(into, from);
            for (int k = 2; k < part.ndim; ++k) {
                into += part.strides[k][0];
                from += part.strides[k][1];
                if (++places[k] < part.shape[k]) break;
                into -= part.strides[k][0] * places[k];
                from -= part.strides[k][1] * places[k];
                places[k] = 0;
            }
        }
    }

    // Whether rows lay below one another, and were folded into their results; those have the first row already, or none.
    bool fold(const Loop& loop, const Iterator& part, bool has_first) const {
        const intptr_t item = ITEMSIZES[in_type], row = part.strides[1][1];
        if (loop.fold == nullptr || part.strides[0][0] != item || part.strides[0][1] != item || part.strides[1][0] != 0 || row % item)
            return false;
        for (int k = 2; k < part.ndim; ++k)
            if (part.strides[k][0] == 0) return false;
        for_each_matrix(part, [&](char* into, const char* from) {
            loop.fold(into, from + has_first * row, part.shape[0], part.shape[1] - has_first, row / item);
        });
        return true;
    }

    // Whether each line went into a result of its own, and the loop did many at once.
    static bool reduce_lines(const Loop& loop, const Iterator& part, bool has_first) {
        const bool apart = part.strides[0][0] == 0 && part.strides[1][0] != 0;
        if (loop.lines == nullptr || !apart || (has_first && !loop.takes_again)) return false;
        const intptr_t dims[] = {part.shape[0], part.shape[1]};
        const intptr_t strides[] = {0, part.strides[0][1], 0, part.strides[1][0], part.strides[1][1]};
        for_each_matrix(part, [&](char* into, char* from) {
            char* args[] = {into, from, into};
            loop.lines(args, dims, strides, const_cast<Loop*>(&loop));
        });
        return true;
    }

    // `skip` results have their first element already.
    void run_part(const Loop& loop, Iterator& part, int64_t skip) const {
        if (part.nop == 2 && part.ndim >= 2 && !part.cast[0] && !part.cast[1] && part.size > 0 &&
            (fold(loop, part, skip > 0) || reduce_lines(loop, part, skip > 0)))
            return;
        part.plan_chunks(kReductionBuffer);
        part.run([&](char** args, const intptr_t* strides, int64_t n) {
            char* loop_args[] = {args[0], args[1], args[0]};
            const intptr_t loop_strides[] = {strides[0], strides[1], strides[0]};
            if (where) {
                run_masked(loop, 3, loop_args, loop_strides, args[2], strides[2], n);
                return;
            }
            if (skip > 0 && part.first_visit(0)) {
                if (strides[0] != 0) {
                    skip -= n;
                    return;
                }
                --skip;
                --n;
                loop_args[1] += strides[1];
            }
            intptr_t dims = n;
            if (n > 0) loop.function(loop_args, &dims, loop_strides, loop.data);
        });
    }
};

// Reduce one axis by a loop whose result does not depend on the order, beginning with what is in `target`; of one dtype.
//
// Return the floating-point flags that are up afterwards.
inline unsigned reduce_in_parts(const Loop& loop, char* target, char* source, int64_t count, intptr_t stride, int64_t item,
                                bool software) {
    InterpreterRelease release(count >= kReleaseFrom);
    constexpr int kParts = 16;
    alignas(16) char totals[kParts][16];
    const int64_t length = (count + kParts - 1) / kParts;
    split(kParts, 1, length, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
            char* const start = source + part * length * stride;
            intptr_t n = std::min(length, count - part * length) - 1;
            std::memcpy(totals[part], start, item);
            char* args[] = {totals[part], start + stride, totals[part]};
            const intptr_t strides[] = {0, stride, 0};
            if (n > 0) loop.function(args, &n, strides, loop.data);
        }
    });
    char* args[] = {target, totals[0], target};
    const intptr_t strides[] = {0, sizeof(totals[0]), 0};
    const intptr_t parts = kParts;
    loop.function(args, &parts, strides, loop.data);
    return raised_float_flags(software);
}

}  // namespace fastnp
