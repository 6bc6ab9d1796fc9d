// Bytes of each item in the other order.
#pragma once

#include <cstdint>
#include <cstring>

#include "vector.h"

namespace fastnp {

template <class T>
[[gnu::always_inline]] inline void swap_each(char* data, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        T item;
        std::memcpy(&item, data + i * sizeof(T), sizeof(T));
        if constexpr (sizeof(T) == 2) item = __builtin_bswap16(item);
        else if constexpr (sizeof(T) == 4) item = __builtin_bswap32(item);
        else item = __builtin_bswap64(item);
        std::memcpy(data + i * sizeof(T), &item, sizeof(T));
    }
}

#ifdef FASTNP_X86
template <class T>
FASTNP_AVX2 inline void swap_each_avx2(char* data, int64_t count) {
    swap_each<T>(data, count);
}
#endif

template <class T>
inline void swap_all(char* data, int64_t count) {
#ifdef FASTNP_X86
    if (has_avx2()) return swap_each_avx2<T>(data, count);
#endif
    swap_each<T>(data, count);
}

inline void swap_bytes(char* data, int64_t item, int64_t count) {
    if (item == 2) swap_all<uint16_t>(data, count);
    else if (item == 4) swap_all<uint32_t>(data, count);
    else if (item == 8) swap_all<uint64_t>(data, count);
}

}  // namespace fastnp
