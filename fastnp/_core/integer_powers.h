// Powers of integers, modulo their width as NumPy's are, by the bits of the exponents: a block at a time, without a branch that
// depends on a number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dtype.h"
#include "reducing_loops.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86

// Products of the narrow ones are computed in a width that holds them.
template <class U>
using Factor = std::conditional_t<sizeof(U) < 4, uint32_t, U>;

// Raise numbers to exponents; both are used up.
template <class U>
[[gnu::always_inline]] inline void raise_each(U* base, U* exponent, U* out, intptr_t n) {
    using Wide = Factor<U>;
    U bits = 0;
    for (intptr_t i = 0; i < n; ++i) {
        bits |= exponent[i];
        out[i] = 1;
    }
    for (; bits != 0; bits >>= 1)
        for (intptr_t i = 0; i < n; ++i) {
            const Wide by = base[i];
            out[i] = static_cast<U>((exponent[i] & 1 ? by : Wide(1)) * out[i]);
            base[i] = static_cast<U>(by * by);
            exponent[i] >>= 1;
        }
}

// Raise numbers, which are used up, to one exponent.
template <class U>
[[gnu::always_inline]] inline void raise_all(U* base, U exponent, U* out, intptr_t n) {
    using Wide = Factor<U>;
    for (intptr_t i = 0; i < n; ++i) out[i] = exponent & 1 ? base[i] : U(1);
    while (exponent >>= 1) {
        for (intptr_t i = 0; i < n; ++i) base[i] = static_cast<U>(Wide(base[i]) * base[i]);
        if (exponent & 1)
            for (intptr_t i = 0; i < n; ++i) out[i] = static_cast<U>(Wide(base[i]) * out[i]);
    }
}

// By the one or the other; AVX-512 multiplies 64 bits at once.
template <class U>
FASTNP_AVX2 void raise_avx2(U* base, U* exponent, bool is_one, U* out, intptr_t n) {
    is_one ? raise_all(base, *exponent, out, n) : raise_each(base, exponent, out, n);
}
template <class U>
FASTNP_AVX512 void raise_avx512(U* base, U* exponent, bool is_one, U* out, intptr_t n) {
    is_one ? raise_all(base, *exponent, out, n) : raise_each(base, exponent, out, n);
}

template <class T>
void read_block(T* into, const char* from, intptr_t stride, intptr_t n) {
    if (stride == sizeof(T))
        std::memcpy(into, from, n * sizeof(T));
    else
        for (intptr_t i = 0; i < n; ++i) std::memcpy(into + i, from + i * stride, sizeof(T));
}

// Exponents below zero are an error, which NumPy's loop tells of; few numbers take it less time.
template <class T>
void integer_power_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using U = std::make_unsigned_t<T>;
    constexpr intptr_t kBlock = 256, kFew = 16;
    const bool is_one = strides[1] == 0;
    const auto raise = has_avx512() ? raise_avx512<U> : raise_avx2<U>;
    U base[kBlock], exponent[kBlock], out[kBlock];
    for (intptr_t begin = 0; begin < dimensions[0]; begin += kBlock) {
        const intptr_t n = std::min(kBlock, dimensions[0] - begin);
        char* part[] = {args[0] + begin * strides[0], args[1] + begin * strides[1], args[2] + begin * strides[2]};
        const intptr_t left = dimensions[0] - begin;
        if (n < kFew) return pass_on(part, &left, strides, data);
        read_block(base, part[0], strides[0], n);
        const intptr_t exponents = is_one ? 1 : n;
        read_block(exponent, part[1], strides[1], exponents);
        if (std::any_of(exponent, exponent + exponents, [](U x) { return static_cast<T>(x) < T(0); }))
            return pass_on(part, &left, strides, data);
        raise(base, exponent, is_one, out, n);
        if (strides[2] == sizeof(T))
            std::memcpy(part[2], out, n * sizeof(T));
        else
            for (intptr_t i = 0; i < n; ++i) std::memcpy(part[2] + i * strides[2], out + i, sizeof(T));
    }
}

inline LoopFunction find_integer_power_loop(int dtype) {
    return of_integer<LoopFunction>(dtype, [](auto as) { return integer_power_loop<typename decltype(as)::type>; });
}

#endif

}  // namespace fastnp
