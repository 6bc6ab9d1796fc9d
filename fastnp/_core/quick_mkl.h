// The processors for which MKL, which libtorch carries, takes less time than others do.
#pragma once
#include "vector.h"

namespace fastnp {

// Whether torch's BLAS, LAPACK and vector math are the quicker ones: they are MKL's, which has its best loops for processors of
// one maker.
inline bool mkl_is_quick() {
#ifdef FASTNP_X86
    return __builtin_cpu_is("intel");
#else
    return false;
#endif
}

// Whether MKL's inverses, its solutions of several right sides and its eigenvalues are: its loops for AVX-512 run on all makers'
// processors.
inline bool mkl_inverts_quickly() {
#ifdef FASTNP_X86
    return mkl_is_quick() || has_avx512();
#else
    return false;
#endif
}

}  // namespace fastnp
