// The floating-point flags that computing raises, and the state of the unit that threads have to share.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace fastnp {

enum FloatFlags : unsigned { kInvalid = FE_INVALID, kDivide = FE_DIVBYZERO, kOverflow = FE_OVERFLOW, kUnderflow = FE_UNDERFLOW };

inline constexpr unsigned kReportedFlags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;

// The C library raises overflow and underflow through the x87 status word; a loop that only computes touches MXCSR alone.
// Reading x87 costs three times as much as a small loop, so `software` says whether the loop may raise flags by a call.
inline void clear_float_flags(bool software) {
#if defined(__x86_64__)
    unsigned csr = _mm_getcsr();
    if (csr & kReportedFlags) _mm_setcsr(csr & ~0x3fu);
    if (software) {
        unsigned short status;
        asm volatile("fnstsw %0" : "=a"(status));
        if (status & kReportedFlags) asm volatile("fnclex");
    }
#else
    std::feclearexcept(FE_ALL_EXCEPT);
#endif
}

inline unsigned raised_float_flags(bool software) {
#if defined(__x86_64__)
    unsigned flags = _mm_getcsr();
    if (software) {
        unsigned short status;
        asm volatile("fnstsw %0" : "=a"(status));
        flags |= status;
    }
    return flags & kReportedFlags;
#else
    return static_cast<unsigned>(std::fetestexcept(FE_ALL_EXCEPT)) & kReportedFlags;
#endif
}

// Raise flags in this thread that another one has found.
inline void raise_float_flags(unsigned flags) {
    if (!flags) return;
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | flags);
#else
    std::feraiseexcept(static_cast<int>(flags));
#endif
}

// Computes in a helping thread as the thread that it helps would: rounding and denormals as there, no flags up.
class BorrowedFloatState {
   public:
    // The state of the calling thread, to be given to helpers.
    static unsigned current() {
#if defined(__x86_64__)
        return _mm_getcsr() & ~0x3fu;
#else
        return 0;
#endif
    }
    explicit BorrowedFloatState(unsigned state) {
#if defined(__x86_64__)
        own_ = _mm_getcsr();
        clear_float_flags(true);
        _mm_setcsr(state);
#else
        clear_float_flags(true);
#endif
    }
    ~BorrowedFloatState() {
#if defined(__x86_64__)
        _mm_setcsr(own_);
#endif
    }
    BorrowedFloatState(const BorrowedFloatState&) = delete;
    BorrowedFloatState& operator=(const BorrowedFloatState&) = delete;

   private:
#if defined(__x86_64__)
    unsigned own_;
#endif
};

}  // namespace fastnp
