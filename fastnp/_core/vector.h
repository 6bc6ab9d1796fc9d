// Loops compiled for wider vectors as well, and chosen at run time: the build itself assumes no more than the platform's
// baseline.
//
// No instruction set with fused multiply-add is asked for where products are summed: it would round otherwise than NumPy.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FASTNP_X86 1
#define FASTNP_AVX2 __attribute__((target("avx2,f16c")))
#define FASTNP_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#endif

namespace fastnp {

// From this many elements on a call may choose; below, choosing costs what it saves.
inline constexpr long kVectorFrom = 32;

#ifdef FASTNP_X86
inline bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c"); }
inline bool has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
}
#endif

}  // namespace fastnp
