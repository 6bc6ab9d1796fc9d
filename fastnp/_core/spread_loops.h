// Loops of NumPy that are vectorised for two operands that lie side by side alone: what is repeated or lies apart is brought
// into blocks for them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "aliases.h"
#include "moves.h"
#include "reducing_loops.h"

namespace fastnp {

#ifdef FASTNP_X86

// Whether what is read, step by step, is none of what is written, or the same where the latter is.
inline bool is_apart(const char* in, intptr_t step, intptr_t item, const char* out, intptr_t n) {
    const char *const first = step < 0 ? in + (n - 1) * step : in, *const last = step < 0 ? in : in + (n - 1) * step;
    return (in == out && step == item) || last + item <= out || out + n * item <= first;
}

// Bring what does not lie side by side into blocks, and call NumPy's loop of those. Out of line, for its blocks on the stack.
template <class T>
[[gnu::noinline]] void spread_blocks(char** args, intptr_t n, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T), kBlock = 512;
    alignas(64) char room[2][kBlock * item + kPage];
    T* blocks[2];
    for (int k = 0; k < 2; ++k) {
        const auto suits = [&](const char* place) { return !looks_like_written(place, args[2]); };
        blocks[k] = reinterpret_cast<T*>(place_in_page(room[k], suits));
        if (strides[k] == 0) std::fill_n(blocks[k], std::min(n, kBlock), *reinterpret_cast<const T*>(args[k]));
    }
    const intptr_t steps[] = {item, item, item};
    for (intptr_t begin = 0; begin < n; begin += kBlock) {
        const intptr_t length = std::min(kBlock, n - begin);
        char* part[] = {args[0] + begin * item, args[1] + begin * item, args[2] + begin * item};
        for (int k = 0; k < 2; ++k) {
            if (strides[k] == item) continue;
            part[k] = reinterpret_cast<char*>(blocks[k]);
            if (strides[k] != 0) move_strided(item, part[k], item, args[k] + begin * strides[k], strides[k], length);
        }
        pass_on(part, &length, steps, data);
    }
}

// NumPy: arctan2 of elements that lie apart is another in the last bit; it stays so where not APART. Of two zeros its loops take
// one beside a repeated number, another in the last vector of a line where that is not full: what is left of whole turns is
// given to them as it lies.
template <class T, bool APART = true, intptr_t kTurn = 1>
void spread_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = sizeof(T);
    const intptr_t n = dimensions[0];
    if (n < 16 || strides[2] != item || (strides[0] == item && strides[1] == item))
        return pass_on(args, dimensions, strides, data);
    const auto fits = [=](const char* in, intptr_t step) {
        return (APART || step == item || step == 0) && is_apart(in, step, item, args[2], n);
    };
    if (!fits(args[0], strides[0]) || !fits(args[1], strides[1])) return pass_on(args, dimensions, strides, data);
    const intptr_t rest = n % kTurn;
    if (rest == 0) return spread_blocks<T>(args, n, strides, data);
    char* last[3];
    for (int k = 0; k < 3; ++k) last[k] = args[k] + (n - rest) * strides[k];
    spread_blocks<T>(args, n - rest, strides, data);
    pass_on(last, &rest, strides, data);
}

#endif

}  // namespace fastnp
