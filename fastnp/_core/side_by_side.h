// NumPy's elementary functions of elements that lie apart, brought side by side.
//
// With AVX-512 NumPy computes contiguous operands on vectors and others by the C library, one element after the other: two
// to three and a half times as long. Both are within their own last digits of the function.
#pragma once
#include <cstdint>
#include <cstring>

#include "elementary.h"
#include "iteration.h"
#include "moves.h"

namespace fastnp {

#ifdef FASTNP_X86

inline constexpr intptr_t kSideBySideFrom = 32;

// A block at a time. Out of line: the buffers are not for all calls.
template <class T, int OPERANDS>
[[gnu::noinline]] void call_by_blocks(char** args, intptr_t n, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), most = 512;
    alignas(64) T buffers[OPERANDS + 1][most];
    char* given[OPERANDS + 1];
    intptr_t steps[OPERANDS + 1];
    for (intptr_t begin = 0; begin < n; begin += most) {
        const intptr_t length = std::min(most, n - begin);
        for (int i = 0; i <= OPERANDS; ++i) {
            const bool in_place = strides[i] == item || (strides[i] == 0 && i < OPERANDS);
            char* const place = args[i] + begin * strides[i];
            given[i] = in_place ? place : reinterpret_cast<char*>(buffers[i]);
            steps[i] = in_place ? strides[i] : item;
            if (!in_place && i < OPERANDS) move_strided(item, given[i], item, place, strides[i], length);
        }
        pass_on(given, &length, steps, data);
        if (strides[OPERANDS] != item)
            move_strided(item, args[OPERANDS] + begin * strides[OPERANDS], strides[OPERANDS], given[OPERANDS], item, length);
    }
}

template <class T, int OPERANDS>
void side_by_side_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0], step = strides[OPERANDS];
    bool apart = step != item, in_turn = step == 0;
    for (int i = 0; i < OPERANDS; ++i) apart |= strides[i] != item && strides[i] != 0;
    if (!apart || n < kSideBySideFrom) return pass_on(args, dimensions, strides, data);
    // What is written and read again is computed in turn.
    for (int i = 0; i < OPERANDS; ++i) in_turn |= may_overlap(args[i], strides[i], args[OPERANDS], step, n, item);
    if (in_turn) return pass_on(args, dimensions, strides, data);
    call_by_blocks<T, OPERANDS>(args, n, strides, data);
}

#endif

// Put a loop that brings operands side by side before NumPy's own, which is kept for ever.
inline void bring_side_by_side(const char* name, int nin, int nout, const int* dtypes, Loop* loop) {
#ifdef FASTNP_X86
    const int dtype = dtypes[nin];
    if (!has_avx512() || nout != 1 || nin > 2 || (dtype != FLOAT64 && dtype != FLOAT32)) return;
    for (int i = 0; i < nin; ++i)
        if (dtypes[i] != dtype) return;
    // Those of ours look after elements that lie apart themselves.
    if (find_elementary(name) == nullptr || elementary_loop_of(name, dtype) != nullptr) return;
    const bool doubles = dtype == FLOAT64;
    const LoopFunction unary = doubles ? side_by_side_loop<double, 1> : side_by_side_loop<float, 1>;
    const LoopFunction binary = doubles ? side_by_side_loop<double, 2> : side_by_side_loop<float, 2>;
    *loop = Loop{nin == 1 ? unary : binary, new Loop(*loop)};
#endif
}

}  // namespace fastnp
