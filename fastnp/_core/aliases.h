// Where a block on the stack may lie, so that the processor does not take what is read for what has just been written.
//
// It compares the last twelve bits of their addresses first: a loop that reads up to some hundred bytes before (modulo a
// page) the place it writes to waits for each of its writes, and takes up to twice the time.
#pragma once

#include <cstdint>

namespace fastnp {

inline constexpr int64_t kPage = 4096, kTooNear = 768;

inline bool looks_like_written(const char* read, const char* written) {
    return ((reinterpret_cast<intptr_t>(written) - reinterpret_cast<intptr_t>(read)) & (kPage - 1)) < kTooNear;
}

// The first of the places in a page from `room` on that `suits`; of eight, each operand excludes two at most.
template <typename Suits>
char* place_in_page(char* room, Suits&& suits) {
    for (int64_t shift = 0; shift < kPage; shift += kPage / 8)
        if (suits(room + shift)) return room + shift;
    return room;
}

}  // namespace fastnp
