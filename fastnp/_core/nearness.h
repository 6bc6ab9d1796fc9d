// Which numbers are equal within tolerances, in one pass: a difference, a bound, and three questions of each pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "float_flags.h"
#include "one_pass.h"
#include "passes.h"

namespace fastnp {

// NumPy: |a - b| <= atol + rtol * |b| where b is finite, or a == b; NaNs are near each other where that is asked for.
template <class T>
struct Near {
    T rtol, atol;
    bool nan_equal;

    using Truth = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

    [[gnu::always_inline]] Truth operator()(T a, T b) const {
        const T size = std::abs(b);
        const bool close = (std::abs(a - b) <= atol + rtol * size) & (size <= std::numeric_limits<T>::max());
        return close | (a == b) | (nan_equal & (a != a) & (b != b));
    }
};

// What operands are: two lines, or one and a number.
template <class T, class Use>
auto with_second(const void* b, bool is_number, const Use& use) {
    if (!is_number) return use([second = static_cast<const T*>(b)](int64_t i) FASTNP_INLINED { return second[i]; });
    return use([number = *static_cast<const T*>(b)](int64_t) FASTNP_INLINED { return number; });
}

template <class T>
void write_near_as(const void* a, const void* b, bool is_number, const Near<T>& near, uint8_t* out, int64_t count) {
    const T* const first = static_cast<const T*>(a);
    with_second<T>(b, is_number, [=](auto second) {
        run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
            // As wide as the numbers first: a loop that narrows what it compares has no vectors.
            constexpr int64_t kBlock = 512;
            typename Near<T>::Truth wide[kBlock];
            for (int64_t start = begin; start < end; start += kBlock) {
                const int64_t n = std::min(kBlock, end - start);
                for (int64_t i = 0; i < n; ++i) wide[i] = near(first[start + i], second(start + i));
                for (int64_t i = 0; i < n; ++i) out[start + i] = static_cast<uint8_t>(wide[i]);
            }
        });
    });
}

template <class T>
bool are_near_as(const void* a, const void* b, bool is_number, const Near<T>& near, int64_t count) {
    const T* const first = static_cast<const T*>(a);
    if (!is_number)
        return none_differs(first, static_cast<const T*>(b), count, [=](T x, T y) FASTNP_INLINED { return near(x, y) ^ 1; });
    const T number = *static_cast<const T*>(b);
    return none_differs(first, first, count, [=](T x, T) FASTNP_INLINED { return near(x, number) ^ 1; });
}

// Write which elements of a are near those of b, or near the number at b. Return the flags that are up then, but that of what is
// invalid, which NumPy does not report here.
inline unsigned write_near(int dtype, const void* a, const void* b, bool is_number, double rtol, double atol, bool nan_equal,
                           uint8_t* out, int64_t count) {
    clear_float_flags(false);
    if (dtype == FLOAT64)
        write_near_as(a, b, is_number, Near<double>{rtol, atol, nan_equal}, out, count);
    else
        write_near_as(a, b, is_number, Near<float>{static_cast<float>(rtol), static_cast<float>(atol), nan_equal}, out, count);
    return raised_float_flags(false) & ~static_cast<unsigned>(kInvalid);
}

// Whether all are, and the same flags.
inline bool are_near(int dtype, const void* a, const void* b, bool is_number, double rtol, double atol, bool nan_equal, int64_t count,
                     unsigned* flags) {
    clear_float_flags(false);
    const bool all = dtype == FLOAT64 ? are_near_as(a, b, is_number, Near<double>{rtol, atol, nan_equal}, count)
                                      : are_near_as(a, b, is_number,
                                                    Near<float>{static_cast<float>(rtol), static_cast<float>(atol), nan_equal}, count);
    *flags = raised_float_flags(false) & ~static_cast<unsigned>(kInvalid);
    return all;
}

}  // namespace fastnp
