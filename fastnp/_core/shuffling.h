// Shuffling as NumPy's streams do it, exchange for exchange: https://numpy.org/doc/2.4/reference/random/extending.html
#pragma once

#include <numpy/random/bitgen.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "bounded.h"
#include "vector.h"

namespace fastnp {

inline constexpr int64_t kExchanges = 256;
inline constexpr int64_t kNear = 256 << 10;  // bytes that a processor's nearer caches hold
inline constexpr int64_t kGroup = 16, kSpare = 4, kManyPlaces = 8 * kGroup;

#ifdef FASTNP_X86
// Which bytes of four numbers of 32 bits are kept where some of the four are: those first, in order.
struct Kept {
    alignas(16) uint8_t bytes[16][16];
    constexpr Kept() : bytes() {
        for (int which = 0; which < 16; ++which)
            for (int number = 0, into = 0; number < 4; ++number)
                if (which >> number & 1)
                    for (int byte = 0; byte < 4; ++byte) bytes[which][into++] = static_cast<uint8_t>(4 * number + byte);
    }
};
inline constexpr Kept kKept;

// Take of count numbers, 16 at a time, what is not above its place, which goes down by one for each that is taken. 16 that lie
// above the first of their places or below the last are judged at once; returns how many numbers were judged.
FASTNP_AVX2 inline int64_t take_groups(const uint32_t* numbers, int64_t count, uint32_t mask, int64_t* index, int64_t** others) {
    const __m128i low = _mm_set1_epi32(static_cast<int>(mask));
    int64_t k = 0;
    for (; k + kGroup <= count; k += kGroup) {
        const __m128i place = _mm_set1_epi32(static_cast<int>(*index));
        const __m128i last = _mm_set1_epi32(static_cast<int>(*index - kGroup));
        __m128i number[kGroup / 4], above[kGroup / 4], unlike = _mm_setzero_si128();
        for (int i = 0; i < kGroup / 4; ++i) {
            number[i] = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + k) + i), low);
            above[i] = _mm_cmpgt_epi32(number[i], place);
            unlike = _mm_or_si128(unlike, _mm_xor_si128(above[i], _mm_cmpgt_epi32(number[i], last)));
        }
        if (!_mm_testz_si128(unlike, unlike)) break;
        int64_t* to = *others;
        for (int i = 0; i < kGroup / 4; ++i) {
            const int kept = _mm_movemask_ps(_mm_castsi128_ps(above[i])) ^ 15;
            const __m128i which = _mm_load_si128(reinterpret_cast<const __m128i*>(kKept.bytes[kept]));
            const __m256i wide = _mm256_cvtepu32_epi64(_mm_shuffle_epi8(number[i], which));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), wide);
            to += __builtin_popcount(static_cast<unsigned>(kept));
        }
        *index -= to - *others;
        *others = to;
    }
    return k;
}
#endif

// Draws for places, from the last one downwards, another one that is not above it: what random_interval draws.
class Exchanges {
 public:
    Exchanges(bitgen_t* bits, int held, int64_t count) : words_(bits, held), index_(count - 1) {}

    // Those of the next places, as many as are left at most; `others` has room for kSpare more.
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
            int64_t taken = 0;
#ifdef FASTNP_X86
            if (in_groups_ && words >= kGroup && mask >= kManyPlaces && mask <= INT32_MAX)
                taken = take_groups(block_ + first_, words, static_cast<uint32_t>(mask), &index_, &others);
#endif
            // After a group that is not judged at once the next ones may be.
            const int64_t rest = taken < words && words - taken > kGroup ? kGroup : words - taken;
            first_ += taken;
            others += take(rest, [&](int64_t k) { return block_[first_ + k] & mask; }, others);
            first_ += rest;
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
#ifdef FASTNP_X86
    const bool in_groups_ = has_avx2();
#endif
};

template <class Exchange>
inline void exchange_in_turn(bitgen_t* bits, int held, int64_t count, const char* data, int64_t stride,
                             Exchange exchange) {
    int64_t others[kExchanges + kSpare];
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

template <int SIZE, bool PACKED>
inline void shuffle_items_apart(bitgen_t* bits, int held, int64_t count, int64_t step, char* data) {
    struct Item {
        char bytes[SIZE];
    };
    exchange_in_turn(bits, held, count, data, step, [=](int64_t index, int64_t other) {
        const int64_t stride = PACKED ? SIZE : step;
        Item one, two;
        std::memcpy(&one, data + index * stride, SIZE);
        std::memcpy(&two, data + other * stride, SIZE);
        std::memcpy(data + other * stride, &one, SIZE);
        std::memcpy(data + index * stride, &two, SIZE);
    });
}

template <int SIZE>
inline void shuffle_items_of(bitgen_t* bits, int held, int64_t count, int64_t stride, char* data) {
    (stride == SIZE ? shuffle_items_apart<SIZE, true> : shuffle_items_apart<SIZE, false>)(bits, held, count, stride, data);
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
