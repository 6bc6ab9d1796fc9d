// An elementwise call: inputs, outputs given or to be allocated, a mask.
#pragma once

#include "numpy_loops.h"
#include "rereads.h"

namespace fastnp {

enum class Status : int { kOk, kNoBroadcast, kTooLarge };

struct ElementwiseCall {
    int nin, nout;
    Order order;
    bool masked, single_loop, fortran_result;
    // Whether threads may share the work: not where the loop calls the interpreter.
    bool splits = false;
    const Operand* ops[kMaxOperands];
    int loop_types[kMaxOperands];
    int ndim;
    int64_t shape[kMaxDims];
    int64_t count;
    intptr_t flat_strides[kMaxOperands];
    Operand copies[kMaxOperands];
    alignas(16) char small_copies[kMaxOperands][256];
    std::unique_ptr<char[]> large_copies[kMaxOperands];
    char* flat_data[kMaxOperands];
    Iterator it;

    // `ops` are the inputs, then the outputs (null where one is to be allocated), then the mask.
    Status prepare(int n_in, int n_out, const Operand* const* operands, const Operand* mask, const int* types, Order o) {
        nin = n_in;
        nout = n_out;
        order = o;
        masked = mask != nullptr;
        int nop = nin + nout;
        for (int i = 0; i < nop; ++i) {
            ops[i] = operands[i];
            loop_types[i] = types[i];
        }
        if (masked) {
            ops[nop] = mask;
            loop_types[nop] = BOOL;
        }
        single_loop = !masked && cast_small_inputs() && nout == 1 && plan_single_loop();
        if (single_loop) return Status::kOk;
        ndim = 0;
        for (int i = 0; i < nop + masked; ++i)
            if (ops[i] && !broadcast_into(&ndim, shape, ops[i]->ndim, ops[i]->shape)) return Status::kNoBroadcast;
        // An output takes part in broadcasting but is never stretched.
        for (int i = nin; i < nop; ++i) {
            const Operand* op = ops[i];
            if (!op) continue;
            if (op->ndim != ndim) return Status::kNoBroadcast;
            for (int k = 0; k < ndim; ++k)
                if (op->shape[k] != shape[k]) return Status::kNoBroadcast;
        }
        count = count_elements(ndim, shape);
        if (count < 0) return Status::kTooLarge;
        uint8_t flags[kMaxOperands];
        for (int i = 0; i < nop; ++i) flags[i] = i < nin ? kRead : kWrite;
        flags[nop] = kRead;
        it.set_operands(nop + masked, ops, loop_types, flags, ndim, shape, nullptr);
        it.apply_order(order, ops);
        if (!it.any_allocated && order == Order::kKeep) it.flip_negative_axes();
        return Status::kOk;
    }

    // NumPy casts inputs of no or one dimension before anything else, up to the first operand that it cannot.
    bool cast_small_inputs() {
        for (int i = 0; i < nin; ++i) {
            if (ops[i]->type == loop_types[i]) continue;
            if (ops[i]->ndim > 1 || (ops[i]->ndim == 1 && ops[i]->shape[0] > kReductionBuffer)) return false;
            int64_t n = ops[i]->ndim ? ops[i]->shape[0] : 1, item = ITEMSIZES[loop_types[i]];
            bool is_small = n * item <= static_cast<int64_t>(sizeof(small_copies[i]));
            if (!is_small) large_copies[i].reset(new char[n * item]);
            Operand& copy = copies[i];
            copy.data = is_small ? small_copies[i] : large_copies[i].get();
            copy.type = loop_types[i];
            copy.ndim = ops[i]->ndim;
            copy.shape[0] = n;
            copy.strides[0] = item;
            find_cast(copy.type, ops[i]->type)(copy.data, item, ops[i]->data, ops[i]->ndim ? ops[i]->strides[0] : 0, n);
            ops[i] = &copy;
        }
        return !ops[nin] || ops[nin]->type == loop_types[nin];
    }

    // NumPy's "trivial loop": one call over equal shapes that are one-dimensional or equally contiguous.
    bool plan_single_loop() {
        int wanted = order == Order::kC ? 1 : order == Order::kF ? 2 : 0;
        const Operand* first = nullptr;
        for (int i = 0; i <= nin; ++i) {
            const Operand* op = ops[i];
            if (!op) continue;
            if (op->ndim == 0 && i < nin) {
                flat_strides[i] = 0;
                continue;
            }
            if (op->type != loop_types[i]) return false;
            if (!first) {
                first = op;
            } else {
                if (first->ndim != op->ndim) return false;
                for (int k = 0; k < op->ndim; ++k)
                    if (first->shape[k] != op->shape[k]) return false;
            }
            if (op->ndim == 1) {
                flat_strides[i] = op->strides[0];
                continue;
            }
            flat_strides[i] = ITEMSIZES[op->type];
            int contiguous = is_contiguous(*op, false) | is_contiguous(*op, true) << 1;
            if (contiguous == 0) return false;
            if (wanted == 0) wanted = contiguous;
            else if (wanted != contiguous) return false;
        }
        ndim = first ? first->ndim : 0;
        for (int k = 0; k < ndim; ++k) shape[k] = first->shape[k];
        count = count_elements(ndim, shape);
        fortran_result = wanted == 2;
        const Operand* out = ops[nin];
        if (!out) {
            flat_strides[nin] = ITEMSIZES[loop_types[nin]];
        } else {
            if (ndim == 1 && out->strides[0] < ITEMSIZES[out->type]) return false;
            for (int i = 0; i < nin; ++i)
                if (!keeps_ahead(*ops[i], *out)) return false;
        }
        for (int i = 0; i <= nin; ++i) flat_data[i] = ops[i] ? ops[i]->data : nullptr;
        return true;
    }

    // Whether one pass reads every element of `in` before it writes over it.
    bool keeps_ahead(const Operand& in, const Operand& out) const {
        int64_t in_stride = walking_stride(in), out_stride = walking_stride(out);
        if (in_stride != 0 && same_layout(in, out)) return true;
        if (!may_overlap(in, out)) return true;
        if (in_stride > 0) return in_stride >= out_stride && in.data >= out.data;
        if (in_stride < 0) return in_stride <= out_stride && in.data <= out.data;
        return false;
    }

    static int64_t walking_stride(const Operand& op) {
        if (count_elements(op.ndim, op.shape) == 1) return 0;
        return op.ndim == 1 ? op.strides[0] : ITEMSIZES[op.type];
    }

    // The strides of output `i`, which the caller is to allocate.
    void result_strides(int i, int64_t* strides) const {
        int64_t item = ITEMSIZES[loop_types[nin + i]];
        if (!single_loop) {
            it.ordered_strides(nin + i, ndim, shape, item, strides);
        } else if (!fortran_result || count == 0) {
            c_strides(ndim, shape, item, strides);
        } else {
            for (int k = 0; k < ndim; ++k) {
                strides[k] = item;
                item *= shape[k];
            }
        }
    }

    // Say where output `i` was allocated; `strides` as result_strides gave them.
    void bind(int i, char* data, const int64_t* strides) {
        if (single_loop) {
            flat_data[nin] = data;
            return;
        }
        Operand op;
        op.data = data;
        op.type = loop_types[nin + i];
        op.ndim = ndim;
        for (int k = 0; k < ndim; ++k) {
            op.shape[k] = shape[k];
            op.strides[k] = strides[k];
        }
        it.replace(nin + i, op);
    }

    // Return the floating-point flags that are up afterwards.
    unsigned run(const Loop& loop, bool software) {
        if (count == 0) return 0;
        InterpreterRelease release(count >= kReleaseFrom);
        compute(loop);
        return raised_float_flags(software);
    }

    void compute(const Loop& loop) {
        bool in_parts = splits && may_split(count);
        for (int i = nin; i < nin + nout; ++i) in_parts = in_parts && !(ops[i] && may_overlap_itself(*ops[i]));
        if (single_loop) {
            run_single(loop, in_parts && writes_apart());
            return;
        }
        int nop = nin + nout;
        Operand temporaries[kMaxOperands];
        std::unique_ptr<char[]> memory[kMaxOperands];
        for (int i = nin; i < nop; ++i) {
            if (!ops[i] || !must_copy(i)) continue;
            Operand& copy = temporaries[i];
            copy.type = loop_types[i];
            copy.ndim = ndim;
            for (int k = 0; k < ndim; ++k) copy.shape[k] = shape[k];
            memory[i].reset(new char[count * ITEMSIZES[copy.type]]);
            copy.data = memory[i].get();
            it.ordered_strides(i, ndim, shape, ITEMSIZES[copy.type], copy.strides);
            if (masked) copy_operand(copy, *ops[i]);
            it.replace(i, copy);
        }
        it.coalesce();
        it.write_forwards(nin);
        if (masked) {
            it.compute(in_parts, [&](char** args, const intptr_t* strides, int64_t n) {
                run_masked(loop, nop, args, strides, args[nop], strides[nop], n);
            }, true);
        } else {
            const bool streams = loop.streamed != nullptr && loop.streams(it.count_bytes()) && (streams_of_casts() || !it.has_casts());
            it.compute(in_parts, [&](char** args, const intptr_t* strides, int64_t n) {
                intptr_t dims = n;
                if (streams && n >= kStreamedLine)
                    loop.streamed(args, &dims, strides, const_cast<Loop*>(&loop));
                else
                    loop.function(args, &dims, strides, loop.data);
            });
        }
        for (int i = nin; i < nop; ++i)
            if (memory[i]) copy_operand(*ops[i], temporaries[i]);
    }

    // Whether a result of its own memory is likely to be an operand of the next call.
    bool is_read_again(const Loop& loop) const {
        for (int i = 0; i < nin; ++i)
            if (flat_data[i] == flat_data[nin]) return false;
        return Rereads::of_this_thread().expects(&loop, std::abs(flat_strides[nin]) * count, flat_data[nin]);
    }

    void run_single(const Loop& loop, bool in_parts) {
        const bool streams = loop.streams(flat_data, flat_strides, count) && !(loop.past_cache && is_read_again(loop));
        const LoopFunction function = streams ? loop.streamed : loop.function;
        void* const data = streams ? const_cast<Loop*>(&loop) : loop.data;
        if (!in_parts) {
            intptr_t n = count;
            function(flat_data, &n, flat_strides, data);
            return;
        }
        split(count, kSplitStep, 1, [&](int64_t begin, int64_t end) {
            char* args[kMaxOperands];
            for (int i = 0; i <= nin; ++i) args[i] = flat_data[i] + begin * flat_strides[i];
            intptr_t n = end - begin;
            function(args, &n, flat_strides, data);
        });
    }

    // Whether no part of a single loop writes what another one reads.
    bool writes_apart() const {
        if (!ops[nin]) return true;
        for (int i = 0; i < nin; ++i)
            if (may_overlap(*ops[i], *ops[nin]) && !same_layout(*ops[i], *ops[nin])) return false;
        return true;
    }

    // NumPy's COPY_IF_OVERLAP: an output that shares bytes with anything that is read (under a mask, outputs are).
    bool must_copy(int i) const {
        for (int j = 0; j < nin + nout + masked; ++j) {
            if (j == i || !ops[j] || (j >= nin && j < nin + nout && !(masked && j > i))) continue;
            if (!may_overlap(*ops[i], *ops[j])) continue;
            if (j < nin + nout && same_layout(*ops[i], *ops[j]) && !may_overlap_itself(*ops[i])) continue;
            return true;
        }
        return false;
    }
};

}  // namespace fastnp
