// Normal numbers of NumPy's legacy streams, by Marsaglia's polar method, two at a time: those of `RandomState` to the bit.
// https://numpy.org/doc/2.4/reference/random/legacy.html
//
// NumPy draws a pair until it lies in the circle, one after the other, which cannot be foretold: pairs outside are overwritten
// here, and nothing branches on them. The logarithm is the C library's, as it is NumPy's.
#pragma once

#include <numpy/random/bitgen.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fastnp {

// Fill `out` with two numbers of each of so many pairs.
inline void draw_legacy_normals(bitgen_t* bits, int64_t pairs, double* out) {
    constexpr int64_t kPairs = 256;
    double first[kPairs], second[kPairs], factor[kPairs];
    const auto coordinate = [bits] { return 2.0 * bits->next_double(bits->state) - 1.0; };
    while (pairs > 0) {
        // As many as are wanted still are never too many: each gives one or none.
        const int64_t some = std::min(pairs, kPairs);
        int64_t kept = 0;
        for (int64_t k = 0; k < some; ++k) {
            const double x = coordinate(), y = coordinate(), square = x * x + y * y;
            first[kept] = x;
            second[kept] = y;
            factor[kept] = square;
            kept += square < 1.0 && square != 0.0;
        }
        for (int64_t k = 0; k < kept; ++k) factor[k] = -2.0 * std::log(factor[k]) / factor[k];
        for (int64_t k = 0; k < kept; ++k) factor[k] = std::sqrt(factor[k]);
        for (int64_t k = 0; k < kept; ++k) {
            out[2 * k] = factor[k] * second[k];
            out[2 * k + 1] = factor[k] * first[k];
        }
        out += 2 * kept;
        pairs -= kept;
    }
}

}  // namespace fastnp
