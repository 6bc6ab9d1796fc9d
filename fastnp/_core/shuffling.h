// Shuffling as NumPy's streams do it, exchange for exchange: https://numpy.org/doc/2.4/reference/random/extending.html
#pragma once

#include <numpy/random/bitgen.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fastnp {

inline constexpr int64_t kExchanges = 256;

// Draw for count places, from `index` downwards, another one that is not above it: what random_interval draws. What is
// rejected is overwritten: whether a number is cannot be foretold, and nothing branches on it.
inline void draw_exchanges(bitgen_t* bits, int64_t index, int64_t count, int64_t* others) {
    const auto next32 = bits->next_uint32;
    const auto next64 = bits->next_uint64;
    void* const state = bits->state;
    int64_t drawn = 0;
    while (drawn < count) {
        const uint64_t most = static_cast<uint64_t>(index - drawn), mask = ~uint64_t{0} >> __builtin_clzll(most);
        // As long as this mask is the next power of two's.
        const int64_t end = std::min<int64_t>(count, index - static_cast<int64_t>(mask >> 1));
        if (most > 0xffffffffu) {
            while (drawn < end) drawn += (others[drawn] = static_cast<int64_t>(next64(state) & mask)) <= index - drawn;
        } else {
            while (drawn < end) drawn += (others[drawn] = static_cast<int64_t>(next32(state) & mask)) <= index - drawn;
        }
    }
}

template <class Exchange>
inline void exchange_in_turn(bitgen_t* bits, int64_t count, const char* data, int64_t stride, const Exchange& exchange) {
    int64_t others[kExchanges];
    for (int64_t index = count - 1; index > 0;) {
        const int64_t some = std::min(index, kExchanges);
        draw_exchanges(bits, index, some, others);
        for (int64_t k = 0; k < some; ++k) __builtin_prefetch(data + others[k] * stride, 1);
        for (int64_t k = 0; k < some; ++k, --index) exchange(index, others[k]);
    }
}

template <int SIZE>
inline void shuffle_items_of(bitgen_t* bits, int64_t count, int64_t stride, char* data) {
    struct Item {
        char bytes[SIZE];
    };
    exchange_in_turn(bits, count, data, stride, [=](int64_t index, int64_t other) {
        Item one, two;
        std::memcpy(&one, data + index * stride, SIZE);
        std::memcpy(&two, data + other * stride, SIZE);
        std::memcpy(data + other * stride, &one, SIZE);
        std::memcpy(data + index * stride, &two, SIZE);
    });
}

// Shuffle count items that lie `stride` bytes apart; `room` holds one of them.
inline void shuffle_items(bitgen_t* bits, int64_t count, int64_t itemsize, int64_t stride, char* data, char* room) {
    switch (itemsize) {
        case 1: return shuffle_items_of<1>(bits, count, stride, data);
        case 2: return shuffle_items_of<2>(bits, count, stride, data);
        case 4: return shuffle_items_of<4>(bits, count, stride, data);
        case 8: return shuffle_items_of<8>(bits, count, stride, data);
        case 16: return shuffle_items_of<16>(bits, count, stride, data);
        default: break;
    }
    exchange_in_turn(bits, count, data, stride, [=](int64_t index, int64_t other) {
        if (other == index) return;
        std::memcpy(room, data + other * stride, itemsize);
        std::memcpy(data + other * stride, data + index * stride, itemsize);
        std::memcpy(data + index * stride, room, itemsize);
    });
}

}  // namespace fastnp
