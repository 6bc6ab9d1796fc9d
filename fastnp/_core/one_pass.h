// A loop over elements, compiled for wide vectors as well and split where it is long.
#pragma once

#include <cstdint>

#include "parallel.h"
#include "vector.h"

namespace fastnp {

#ifdef FASTNP_X86
template <class Body>
FASTNP_AVX2 void run_wide(const Body& body, int64_t begin, int64_t end) {
    body(begin, end);
}
#endif

// Call body(begin, end), compiled for wide vectors where the processor has them, for parts side by side where it is long.
template <class Body>
void run_pass(int64_t count, const Body& body) {
    const auto part = [&body](int64_t begin, int64_t end) {
#ifdef FASTNP_X86
        if (has_avx2()) return run_wide(body, begin, end);
#endif
        body(begin, end);
    };
    if (may_split(count))
        split(count, kSplitStep, 1, part);
    else
        part(0, count);
}
#define FASTNP_INLINED __attribute__((always_inline))

}  // namespace fastnp
