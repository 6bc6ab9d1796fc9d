// i0 and sinc in NumPy's order of operations, a block at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "iteration.h"
#include "vector.h"

namespace fastnp {

inline constexpr intptr_t kSpecialBlock = 128;

// Weights of two series of Chebyshev polynomials: up to 8, and from there on.
template <class T>
struct BesselWeights {
    T near[30], far[25];
};

#ifdef FASTNP_X86
#define FASTNP_SPECIAL FASTNP_AVX2
inline bool has_special() { return has_avx2(); }
#else
#define FASTNP_SPECIAL
inline bool has_special() { return true; }
#endif

template <class T, int COUNT>
FASTNP_SPECIAL inline void chebyshev_sums(const T* x, const T (&weights)[COUNT], T* sums, intptr_t n) {
    T last[kSpecialBlock], before[kSpecialBlock];
    std::fill(last, last + n, weights[0]);
    std::fill(before, before + n, T(0));
    T* newest = last;
    T* older = before;
    for (int k = 1; k < COUNT; ++k) {
        const T weight = weights[k];
        T* const into = k + 1 < COUNT ? older : sums;
        for (intptr_t i = 0; i < n; ++i) into[i] = x[i] * newest[i] - older[i] + weight;
        if (k + 1 < COUNT) std::swap(newest, older);
    }
    // Of the last step, what it took off is two steps old.
    for (intptr_t i = 0; i < n; ++i) sums[i] = T(0.5) * (sums[i] - older[i]);
}

// i0 of numbers side by side.
template <class T>
FASTNP_SPECIAL inline void bessel_block(const Loop& exp, const BesselWeights<T>& weights, T* x, T* out, intptr_t n) {
    T exponentials[kSpecialBlock], places[kSpecialBlock], sums[kSpecialBlock];
    intptr_t far = 0;
    for (intptr_t i = 0; i < n; ++i) x[i] = std::abs(x[i]);
    for (intptr_t i = 0; i < n; ++i) far += !(x[i] <= T(8));
    char* args[] = {reinterpret_cast<char*>(x), reinterpret_cast<char*>(exponentials)};
    const intptr_t steps[] = {sizeof(T), sizeof(T)};
    exp.function(args, &n, steps, exp.data);
    if (far < n) {
        for (intptr_t i = 0; i < n; ++i) places[i] = (x[i] <= T(8) ? x[i] : T(8)) / T(2) - T(2);
        chebyshev_sums(places, weights.near, sums, n);
        for (intptr_t i = 0; i < n; ++i) out[i] = (x[i] <= T(8) ? exponentials[i] : T(0)) * sums[i];
    }
    if (far > 0) {
        for (intptr_t i = 0; i < n; ++i) places[i] = T(32) / (x[i] <= T(8) ? T(8) : x[i]) - T(2);
        chebyshev_sums(places, weights.far, sums, n);
        for (intptr_t i = 0; i < n; ++i) {
            const bool is_near = x[i] <= T(8);
            const T value = (is_near ? T(1) : exponentials[i]) * sums[i] / std::sqrt(is_near ? T(1) : x[i]);
            out[i] = is_near ? out[i] : value;
        }
    }
}

// sin(pi x) / (pi x), with the smallest step from one in the place of zero.
template <class T>
FASTNP_SPECIAL inline void sinc_block(const Loop& sin, T* x, T* out, intptr_t n) {
    const T step = std::numeric_limits<T>::epsilon(), pi = T(M_PI);
    for (intptr_t i = 0; i < n; ++i) {
        const T angle = pi * x[i];
        x[i] = angle == T(0) ? step : angle;
    }
    char* args[] = {reinterpret_cast<char*>(x), reinterpret_cast<char*>(out)};
    const intptr_t steps[] = {sizeof(T), sizeof(T)};
    sin.function(args, &n, steps, sin.data);
    for (intptr_t i = 0; i < n; ++i) out[i] = out[i] / x[i];
}

template <class T, class Block>
void block_by_block(const T* in, T* out, int64_t count, Block&& block) {
    T x[kSpecialBlock];
    for (int64_t done = 0; done < count; done += kSpecialBlock) {
        const intptr_t n = std::min<int64_t>(kSpecialBlock, count - done);
        std::memcpy(x, in + done, n * sizeof(T));
        block(x, out + done, n);
    }
}

template <class T>
void compute_i0(const Loop& exp, const BesselWeights<T>& weights, const void* in, void* out, int64_t count) {
    block_by_block(static_cast<const T*>(in), static_cast<T*>(out), count,
                   [&](T* x, T* into, intptr_t n) { bessel_block(exp, weights, x, into, n); });
}

template <class T>
void compute_sinc(const Loop& sin, const void* in, void* out, int64_t count) {
    block_by_block(static_cast<const T*>(in), static_cast<T*>(out), count,
                   [&](T* x, T* into, intptr_t n) { sinc_block(sin, x, into, n); });
}

}  // namespace fastnp
