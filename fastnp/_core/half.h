// What the bits of a float16 say.
#pragma once

#include <cstdint>

namespace fastnp {

inline constexpr int kInfiniteHalf = 0x7c00, kSignOfHalf = 0x8000;

[[gnu::always_inline]] inline int16_t size_of_half(uint16_t bits) { return static_cast<int16_t>(bits & 0x7fff); }
[[gnu::always_inline]] inline bool is_nan(uint16_t bits) { return size_of_half(bits) > kInfiniteHalf; }
// What orders all but NaNs; both zeros are 0.
[[gnu::always_inline]] inline int16_t order_of_half(uint16_t bits) {
    const int16_t size = size_of_half(bits);
    return static_cast<int16_t>(static_cast<int16_t>(bits) < 0 ? -size : size);
}

// A float16 that is only compared with zero.
struct HalfTruth {
    uint16_t bits;
    [[gnu::always_inline]] bool operator!=(int) const { return (bits & 0x7fff) != 0; }
    [[gnu::always_inline]] bool operator==(int) const { return (bits & 0x7fff) == 0; }
};

}  // namespace fastnp
