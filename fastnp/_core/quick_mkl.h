// The processors for which MKL, which libtorch carries, takes less time than others do.
#pragma once
#include "vector.h"

namespace fastnp {

// Whether torch's BLAS, LAPACK and vector math are the quicker ones: they are MKL's, which has its best loops for processors of
// one maker.
inline bool mkl_is_quick() {
#ifdef FASTNP_X86
    return is_by_intel();
#else
    return false;
#endif
}

// Whether MKL's eigenvalues are, and its inverses and solutions of several right sides: its loops for AVX-512 run on all makers'
// processors. The latter take 1.1 to 1.2 of NumPy's time on fifth-generation Zen.
inline bool mkl_finds_eigenvalues_quickly() {
#ifdef FASTNP_X86
    return mkl_is_quick() || has_avx512();
#else
    return false;
#endif
}
inline bool mkl_inverts_quickly() {
#ifdef FASTNP_X86
    return mkl_is_quick() || (has_avx512() && !is_late_zen());
#else
    return false;
#endif
}

}  // namespace fastnp
