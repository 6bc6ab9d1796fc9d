// Shuffling as NumPy's streams do it, exchange for exchange: https://numpy.org/doc/2.4/reference/random/extending.html
#pragma once

#include <numpy/random/bitgen.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "bounded.h"

namespace fastnp {

inline constexpr int64_t kExchanges = 256;
inline constexpr int64_t kNear = 256 << 10;  // bytes that a processor's nearer caches hold

// Draws for places, from the last one downwards, another one that is not above it: what random_interval draws.
class Exchanges {
 public:
    Exchanges(bitgen_t* bits, int held, int64_t count) : words_(bits, held), index_(count - 1) {}

    // Those of the next places, as many as are left at most.
    void draw(int64_t count, int64_t* others) {
        for (int64_t* const end = others + count; others < end;) {
            const uint64_t mask = ~uint64_t{0} >> __builtin_clzll(static_cast<uint64_t>(index_));
            // As long as this mask is the next power of two's.
            const int64_t some = std::min<int64_t>(end - others, index_ - static_cast<int64_t>(mask >> 1));
            if (mask > 0xffffffffu) {
                others += take(1, [&](int64_t) { return words_.wide() & mask; }, others);
                continue;
            }
            if (first_ == last_) {
                // No more than are needed in any case.
                first_ = 0, last_ = std::min(index_, kWords);
                words_.fill(block_, last_);
            }
            const int64_t words = std::min(some, last_ - first_);
            others += take(words, [&](int64_t k) { return block_[first_ + k] & mask; }, others);
            first_ += words;
        }
    }

 private:
    // Take of count numbers what is not above its place; what is rejected is overwritten: whether a number is cannot be
    // foretold, and nothing branches on it.
    template <class Number>
    int64_t take(int64_t count, const Number& number, int64_t* others) {
        uint64_t index = static_cast<uint64_t>(index_);
        int64_t* const base = others + index;
        for (int64_t k = 0; k < count; ++k) {
            const uint64_t other = number(k);
            *(base - index) = static_cast<int64_t>(other);
            index = index - 1 + (index < other);
        }
        index_ = static_cast<int64_t>(index);
        return base - index - others;
    }

    Words words_;
    int64_t index_;
    uint32_t block_[kWords];
    int64_t first_ = 0, last_ = 0;  // the words of the block that are left
};

template <class Exchange>
inline void exchange_in_turn(bitgen_t* bits, int held, int64_t count, const char* data, int64_t stride,
                             const Exchange& exchange) {
    int64_t others[kExchanges];
    Exchanges exchanges(bits, held, count);
    const bool is_far = count * stride > kNear;
    for (int64_t index = count - 1; index > 0;) {
        const int64_t some = std::min(index, kExchanges);
        exchanges.draw(some, others);
        if (is_far) {
            for (int64_t k = 0; k < some; ++k) __builtin_prefetch(data + others[k] * stride, 1);
        }
        for (int64_t k = 0; k < some; ++k, --index) exchange(index, others[k]);
    }
}

template <int SIZE>
inline void shuffle_items_of(bitgen_t* bits, int held, int64_t count, int64_t stride, char* data) {
    struct Item {
        char bytes[SIZE];
    };
    exchange_in_turn(bits, held, count, data, stride, [=](int64_t index, int64_t other) {
        Item one, two;
        std::memcpy(&one, data + index * stride, SIZE);
        std::memcpy(&two, data + other * stride, SIZE);
        std::memcpy(data + other * stride, &one, SIZE);
        std::memcpy(data + index * stride, &two, SIZE);
    });
}

// Shuffle count items that lie `stride` bytes apart; `room` holds one of them.
inline void shuffle_items(bitgen_t* bits, int held, int64_t count, int64_t itemsize, int64_t stride, char* data,
                          char* room) {
    switch (itemsize) {
        case 1: return shuffle_items_of<1>(bits, held, count, stride, data);
        case 2: return shuffle_items_of<2>(bits, held, count, stride, data);
        case 4: return shuffle_items_of<4>(bits, held, count, stride, data);
        case 8: return shuffle_items_of<8>(bits, held, count, stride, data);
        case 16: return shuffle_items_of<16>(bits, held, count, stride, data);
        default: break;
    }
    exchange_in_turn(bits, held, count, data, stride, [=](int64_t index, int64_t other) {
        if (other == index) return;
        std::memcpy(room, data + other * stride, itemsize);
        std::memcpy(data + other * stride, data + index * stride, itemsize);
        std::memcpy(data + index * stride, room, itemsize);
    });
}

}  // namespace fastnp
