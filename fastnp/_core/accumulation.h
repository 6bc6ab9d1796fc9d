// accumulate: each result takes the one before it along an axis, in that order, so that sums round as NumPy's do.
//
// NumPy goes along the axis one line after the other, and each step waits for the one before. Lines do not wait for each
// other: they go on side by side, whole rows of them where they lie next to each other in memory, four at a time elsewhere.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "moves.h"
#include "numpy_loops.h"
#include "parallel.h"
#include "running.h"

namespace fastnp {

// Lines that lie side by side, from which on a loop over them pays for being called at every step; and those that go on
// together, which stay in the cache from one step to the next.
inline constexpr int64_t kAcrossFrom = 12, kAcrossAtOnce = 1024;

struct AccumulateCall {
    const Operand* in;
    const Operand* out;
    int type, axis;
    // Whether threads may share the work: not where the loop calls the interpreter.
    bool splits = false;
    Operand result;
    Axes it;

    Status prepare(const Operand* operand, const Operand* given_out, int along, int loop_type) {
        in = operand;
        out = given_out;
        axis = along;
        type = loop_type;
        if (out) {
            if (out->ndim != in->ndim) return Status::kNoBroadcast;
            for (int k = 0; k < in->ndim; ++k)
                if (out->shape[k] != in->shape[k]) return Status::kNoBroadcast;
        }
        const Operand* ops[] = {out, in};
        int types[] = {type, type};
        uint8_t flags[] = {kRead | kWrite, kRead};
        it.set_operands(2, ops, types, flags, in->ndim, in->shape, nullptr);
        it.apply_order(Order::kKeep, ops);
        return Status::kOk;
    }

    void result_strides(int64_t* strides) const {
        it.ordered_strides(0, in->ndim, in->shape, ITEMSIZES[type], strides);
    }

    void bind(char* data, const int64_t* strides) {
        result.data = data;
        result.type = type;
        result.ndim = in->ndim;
        for (int k = 0; k < in->ndim; ++k) {
            result.shape[k] = in->shape[k];
            result.strides[k] = strides[k];
        }
    }

    // Return the floating-point flags that are up afterwards.
    unsigned run(const char* ufunc, const Loop& loop, bool software) {
        InterpreterRelease release(it.size >= kReleaseFrom);
        const RunningLoops own = find_running(ufunc, type, in->shape[axis]);
        compute({own.along ? Loop{own.along, nullptr} : loop, loop, own.four, agrees_on_vectors(ufunc, type)});
        return raised_float_flags(software);
    }

   private:
    // The loops along a line and across lines, the one of four lines or null, and whether there may be one across.
    struct Loops {
        Loop along, across;
        decltype(RunningLoops::four) four;
        bool has_across;
    };
    // How far it is from one result to the next and from one operand to the next, and how many there are.
    struct Steps {
        intptr_t out, in;
        int64_t count;
    };

    void compute(const Loops& loops) {
        if (it.size == 0) return;
        std::unique_ptr<char[]> out_memory, in_memory;
        Operand source = *in;
        if (out) result = *out;
        if (in->type != type && !out) {
            // Where the results go, which each take the place of what they were made of.
            copy_operand(result, *in);
            source = result;
        } else if (in->type != type) {
            copy_to(source, *in, in_memory);
            copy_operand(source, *in);
        }
        bool writes_back = out && (out->type != type || (!in_memory && may_overlap(*out, *in) && !same_layout(*out, *in)) ||
                                   may_overlap_itself(*out));
        if (writes_back) copy_to(result, *out, out_memory);
        run_lines(loops, source);
        if (writes_back) copy_operand(*out, result);
    }

    void copy_to(Operand& target, const Operand& like, std::unique_ptr<char[]>& memory) const {
        target = like;
        target.type = type;
        memory.reset(new char[it.size * ITEMSIZES[type] + 1]);
        target.data = memory.get();
        it.ordered_strides(0, in->ndim, in->shape, ITEMSIZES[type], target.strides);
    }

    void run_lines(const Loops& loops, const Operand& source) {
        const Steps along{result.strides[axis], source.strides[axis], in->shape[axis]};
        int8_t others[kMaxDims];
        int64_t shape[kMaxDims];
        int count = 0;
        for (int k = 0; k < in->ndim; ++k) {
            if (k == axis) continue;
            others[count] = static_cast<int8_t>(k);
            shape[count++] = in->shape[k];
        }
        const Operand* ops[] = {&result, &source};
        const int types[] = {type, type};
        const uint8_t flags[] = {kWrite, kRead};
        const int8_t* maps[] = {others, others};
        Axes lines;
        lines.set_operands(2, ops, types, flags, count, shape, maps);
        lines.apply_order(Order::kKeep, ops);
        lines.coalesce();
        const intptr_t* const beside = lines.strides[0];
        const bool across = loops.has_across && along.count > 1 && lines.shape[0] >= kAcrossFrom &&
                            std::abs(beside[0]) + std::abs(beside[1]) < std::abs(along.out) + std::abs(along.in);
        const int whole = splits && may_split(it.size) ? lines.axis_to_split() : -1;
        const auto run_part = [&](int split_axis, int64_t begin, int64_t end) {
            Axes part = lines;
            std::memset(part.index, 0, sizeof(part.index));
            if (split_axis >= 0) {
                for (int i = 0; i < 2; ++i) part.data[i] += begin * part.strides[split_axis][i];
                part.shape[split_axis] = end - begin;
            }
            do {
                const Steps next{part.strides[0][0], part.strides[0][1], part.shape[0]};
                if (across)
                    run_across(loops.across, part.data[0], part.data[1], along, next);
                else
                    run_along(loops, part.data[0], part.data[1], along, next);
            } while (part.step_lines(0));
        };
        if (whole < 0) return run_part(-1, 0, 0);
        split(lines.shape[whole], whole == 0 ? kAcrossAtOnce / 16 : 1, it.size / lines.shape[whole],
              [&](int64_t begin, int64_t end) { run_part(whole, begin, end); });
    }

    // All of a block of lines, one step along the axis after the other.
    void run_across(const Loop& loop, char* into, const char* from, const Steps& along, const Steps& lines) const {
        const int64_t item = ITEMSIZES[type];
        const intptr_t strides[] = {lines.out, lines.in, lines.out};
        for (int64_t begin = 0; begin < lines.count; begin += kAcrossAtOnce) {
            const intptr_t n = std::min(kAcrossAtOnce, lines.count - begin);
            char* row = into + begin * lines.out;
            char* operand = const_cast<char*>(from) + begin * lines.in;
            if (row != operand) move_strided(item, row, lines.out, operand, lines.in, n);
            for (int64_t i = 1; i < along.count; ++i) {
                char* args[] = {row, operand += along.in, row + along.out};
                loop.function(args, &n, strides, loop.data);
                row += along.out;
            }
        }
    }

    void run_along(const Loops& loops, char* into, const char* from, const Steps& along, const Steps& lines) const {
        const int64_t item = ITEMSIZES[type];
        const intptr_t strides[] = {along.out, along.in, along.out};
        int64_t k = 0;
        if (loops.four != nullptr)
            for (; k + 4 <= lines.count; k += 4)
                loops.four(into + k * lines.out, lines.out, along.out, from + k * lines.in, lines.in, along.in, along.count);
        for (; k < lines.count; ++k) {
            char* const first = into + k * lines.out;
            char* const operand = const_cast<char*>(from) + k * lines.in;
            std::memmove(first, operand, item);
            char* args[] = {first, operand + along.in, first + along.out};
            const intptr_t n = along.count - 1;
            if (n > 0) loops.along.function(args, &n, strides, loops.along.data);
        }
    }
};

// A line of at least one element into a new one in one piece, without what it takes to go over several. Return the flags that
// are up afterwards.
inline unsigned accumulate_line(const char* ufunc, const Loop& loop, int type, char* into, const char* from, intptr_t step,
                                int64_t count, bool software) {
    const intptr_t item = ITEMSIZES[type], n = count - 1, strides[] = {item, step, item};
    InterpreterRelease release(count >= kReleaseFrom);
    const RunningLoops own = find_running(ufunc, type, count);
    char* args[] = {into, const_cast<char*>(from) + step, into + item};
    std::memcpy(into, from, item);
    if (n > 0 && own.along != nullptr) own.along(args, &n, strides, nullptr);
    else if (n > 0) loop.function(args, &n, strides, loop.data);
    return raised_float_flags(software);
}

}  // namespace fastnp
