// Rows folded into one: each place of a result takes those below one another, in NumPy's order, eight rows for each time that it
// is read and written.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dtype.h"
#include "running.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

// Of vectors as of numbers (running.h).
FASTNP_AVX2 inline __m256d apply_to_vectors(RunningAdd, __m256d a, __m256d b) { return add(a, b); }
FASTNP_AVX2 inline __m256 apply_to_vectors(RunningAdd, __m256 a, __m256 b) { return add(a, b); }
template <class V>
FASTNP_AVX2 inline V apply_to_vectors(RunningMaximum, V a, V b) {
    return choose(either(compare<_CMP_GT_OQ>(a, b), compare<_CMP_UNORD_Q>(a, a)), a, b);
}
template <class V>
FASTNP_AVX2 inline V apply_to_vectors(RunningMinimum, V a, V b) {
    return choose(either(compare<_CMP_LT_OQ>(a, b), compare<_CMP_UNORD_Q>(a, a)), a, b);
}

template <class Operation, int ROWS, class T>
FASTNP_AVX2 inline void fold_some(T* __restrict into, const T* from, intptr_t step, intptr_t n) {
    intptr_t i = 0;
    if constexpr (std::is_floating_point_v<T>) {
        constexpr intptr_t width = 32 / sizeof(T);
        for (; i + width <= n; i += width) {
            auto total = load_vector(into + i);
            for (int row = 0; row < ROWS; ++row) total = apply_to_vectors(Operation{}, total, load_vector(from + row * step + i));
            store_vector(into + i, total);
        }
    }
    for (; i < n; ++i) {
        T total = into[i];
        for (int row = 0; row < ROWS; ++row) total = Operation::template apply<T>(total, from[row * step + i]);
        into[i] = total;
    }
}

// `step` is from row to row, in elements; each of them is PARTS numbers.
template <class Operation, class T, int PARTS = 1>
void fold_rows(char* into, const char* from, intptr_t n, intptr_t rows, intptr_t step) {
    T* const out = reinterpret_cast<T*>(into);
    const T* in = reinterpret_cast<const T*>(from);
    n *= PARTS;
    step *= PARTS;
    for (; rows >= 8; rows -= 8, in += 8 * step) fold_some<Operation, 8>(out, in, step, n);
    if (rows >= 4) {
        fold_some<Operation, 4>(out, in, step, n);
        rows -= 4;
        in += 4 * step;
    }
    for (; rows > 0; --rows, in += step) fold_some<Operation, 1>(out, in, step, n);
    forget_flags<Operation, T>();
}

using Fold = void (*)(char* into, const char* from, intptr_t n, intptr_t rows, intptr_t step);

template <class Operation>
Fold fold_of_numbers(int dtype) {
    return of_number<Fold>(dtype, [](auto as) { return fold_rows<Operation, typename decltype(as)::type>; });
}

// What folds rows by a ufunc; null where nothing does.
inline Fold find_fold(const char* ufunc, int dtype) {
    if (!std::strcmp(ufunc, "add")) {
        // Integers wrap, as those without a sign do; complex numbers are two.
        switch (dtype) {
            case FLOAT64: return fold_rows<RunningAdd, double>;
            case FLOAT32: return fold_rows<RunningAdd, float>;
            case COMPLEX128: return fold_rows<RunningAdd, double, 2>;
            case COMPLEX64: return fold_rows<RunningAdd, float, 2>;
            case INT8:
            case UINT8: return fold_rows<RunningAdd, uint8_t>;
            case INT16:
            case UINT16: return fold_rows<RunningAdd, uint16_t>;
            case INT32:
            case UINT32: return fold_rows<RunningAdd, uint32_t>;
            case INT64:
            case UINT64: return fold_rows<RunningAdd, uint64_t>;
            default: return nullptr;
        }
    }
    return !std::strcmp(ufunc, "maximum")   ? fold_of_numbers<RunningMaximum>(dtype)
           : !std::strcmp(ufunc, "minimum") ? fold_of_numbers<RunningMinimum>(dtype)
                                            : nullptr;
}

#endif

}  // namespace fastnp
