// Powers by one exponent of which a product or a root makes the power: NumPy's own (2, 0.5, -1), cubes, inverse roots; and of
// complex numbers squares and cubes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "moves.h"
#include "reducing_loops.h"
#include "vectors_of_32.h"

namespace fastnp {

#ifdef FASTNP_X86

// Apply an operation to each of some numbers that lie side by side. Ones are in the lanes that are no elements: they raise no
// flag. It is compiled for what an operation may use; what it does not use itself stays as it is.
template <class Operation, class T>
FASTNP_FUSED inline void apply_to_line(const T* in, T* out, intptr_t n) {
    constexpr intptr_t width = 32 / sizeof(T);
    intptr_t i = 0;
    for (; i + width <= n; i += width) store_vector(out + i, Operation::apply(load_vector(in + i)));
    if (i == n) return;
    T last[width];
    for (intptr_t k = 0; k < width; ++k) last[k] = i + k < n ? in[i + k] : T(1);
    store_vector(last, Operation::apply(load_vector(last)));
    std::memcpy(out + i, last, (n - i) * sizeof(T));
}

// Write one line that `LINE` computes from another; false where elements do not lie side by side, or are few.
template <class T, void (*LINE)(const T*, T*, intptr_t)>
bool compute_line(char* from, intptr_t step, char* into, intptr_t into_step, intptr_t n) {
    constexpr intptr_t item = sizeof(T), width = 32 / item;
    const bool apart = into <= from || into >= from + n * item;
    if (n < width || step != item || into_step != item || !apart) return false;
    LINE(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(into), n);
    return true;
}
template <class Operation, class T>
bool compute_each(char* from, intptr_t step, char* into, intptr_t into_step, intptr_t n) {
    return compute_line<T, apply_to_line<Operation, T>>(from, step, into, into_step, n);
}

// The same wherever they lie, as long as a result that is written is no number still to be read.
template <class T, void (*LINE)(const T*, T*, intptr_t)>
bool compute_anywhere(char* from, intptr_t step, char* into, intptr_t into_step, intptr_t n) {
    constexpr intptr_t kBlock = 128, item = sizeof(T);
    if (compute_line<T, LINE>(from, step, into, into_step, n)) return true;
    T block[kBlock];
    for (intptr_t begin = 0; begin < n; begin += kBlock) {
        const intptr_t length = std::min(kBlock, n - begin);
        char* const place = reinterpret_cast<char*>(block);
        move_strided(item, place, item, from + begin * step, step, length);
        LINE(block, block, length);
        move_strided(item, into + begin * into_step, into_step, place, item, length);
    }
    return true;
}
template <class Operation, class T>
bool compute_any(char* from, intptr_t step, char* into, intptr_t into_step, intptr_t n) {
    return compute_anywhere<T, apply_to_line<Operation, T>>(from, step, into, into_step, n);
}

struct Reciprocal {
    FASTNP_AVX2 static inline __m256d apply(__m256d x) { return _mm256_div_pd(_mm256_set1_pd(1.0), x); }
    FASTNP_AVX2 static inline __m256 apply(__m256 x) { return _mm256_div_ps(_mm256_set1_ps(1.0f), x); }
};
struct Squared {
    template <class V>
    FASTNP_AVX2 static inline V apply(V x) { return multiply(x, x); }
};
struct RootOfEach {
    template <class V>
    FASTNP_AVX2 static inline V apply(V x) { return root(x); }
};

// Of floats, as doubles and rounded once more.
template <class Operation>
FASTNP_FUSED inline __m256 apply_to_doubles(__m256 x) {
    const __m256d first = Operation::apply_once(_mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    const __m256d last = Operation::apply_once(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
    return _mm256_set_m128(_mm256_cvtpd_ps(last), _mm256_cvtpd_ps(first));
}

// To 0.51 units in the last place: what rounding has left of the square and of its product is added. That of small results
// would be no normal number: these are computed from larger numbers.
struct Cubed {
    FASTNP_FUSED static inline __m256d apply_once(__m256d x) { return multiply(multiply(x, x), x); }
    FASTNP_FUSED static inline __m256 apply(__m256 x) { return apply_to_doubles<Cubed>(x); }
    FASTNP_FUSED static inline __m256d apply(__m256d x) {
        const __m256d size = absolute(x);
        const __m256d usual = both(compare<_CMP_GE_OQ>(size, repeat_vector(0x1p-300)), compare<_CMP_LE_OQ>(size, repeat_vector(0x1p300)));
        if (bits_of(usual) != 15) return apply_to_any(x);
        const __m256d square = multiply(x, x), cube = multiply(square, x);
        return add(cube, _mm256_fmadd_pd(_mm256_fmsub_pd(x, x, square), x, _mm256_fmsub_pd(square, x, cube)));
    }

   private:
    FASTNP_FUSED static inline __m256d apply_to_any(__m256d x) {
        const __m256d is_small = compare<_CMP_LT_OQ>(absolute(x), repeat_vector(0x1p-300));
        const __m256d scaled = multiply(x, choose(is_small, repeat_vector(0x1p100), repeat_vector(1.0)));
        const __m256d square = multiply(scaled, scaled), cube = multiply(square, scaled), size = absolute(cube);
        const __m256d plain = both(compare<_CMP_GT_OQ>(size, repeat_vector(0.0)),
                                   compare<_CMP_LE_OQ>(size, repeat_vector(std::numeric_limits<double>::max())));
        const __m256d y = both(plain, scaled), s = both(plain, square);
        const __m256d rest = _mm256_fmadd_pd(_mm256_fmsub_pd(y, y, s), y, _mm256_fmsub_pd(s, y, both(plain, cube)));
        return multiply(choose(plain, add(cube, rest), cube), choose(is_small, repeat_vector(0x1p-300), repeat_vector(1.0)));
    }
};
// To 0.51 units as well, by a step of Newton's. The C library: of a zero or an infinity below zero as of its size.
struct InverseRoot {
    FASTNP_FUSED static inline __m256d apply_once(__m256d x) {
        const __m256d size = absolute(x);
        const __m256d has_size = either(compare<_CMP_EQ_OQ>(x, repeat_vector(0.0)),
                                        compare<_CMP_EQ_OQ>(size, repeat_vector(std::numeric_limits<double>::infinity())));
        return divide(repeat_vector(1.0), root(choose(has_size, size, x)));
    }
    FASTNP_FUSED static inline __m256 apply(__m256 x) { return apply_to_doubles<InverseRoot>(x); }
    FASTNP_FUSED static inline __m256d apply(__m256d x) {
        const __m256d usual = both(compare<_CMP_GE_OQ>(x, repeat_vector(0x1p-900)), compare<_CMP_LE_OQ>(x, repeat_vector(0x1p900)));
        return bits_of(usual) == 15 ? nearer(x, divide(repeat_vector(1.0), root(x))) : apply_to_any(x);
    }

   private:
    FASTNP_FUSED static inline __m256d apply_to_any(__m256d x) {
        const __m256d one = repeat_vector(1.0), is_small = compare<_CMP_LT_OQ>(absolute(x), repeat_vector(0x1p-900));
        const __m256d scaled = multiply(x, choose(is_small, repeat_vector(0x1p600), one)), result = apply_once(scaled);
        const __m256d plain = both(compare<_CMP_GT_OQ>(scaled, repeat_vector(0.0)),
                                   compare<_CMP_LE_OQ>(scaled, repeat_vector(std::numeric_limits<double>::max())));
        const __m256d found = choose(plain, nearer(choose(plain, scaled, one), choose(plain, result, one)), result);
        return multiply(found, choose(is_small, repeat_vector(0x1p300), one));
    }
    // The root's inverse y of x, to which y * (1 - x * y * y) / 2 is added.
    FASTNP_FUSED static inline __m256d nearer(__m256d x, __m256d y) {
        const __m256d product = multiply(x, y), one = repeat_vector(1.0);
        const __m256d rest = _mm256_fnmadd_pd(_mm256_fmsub_pd(x, y, product), y, _mm256_fnmadd_pd(product, y, one));
        return _mm256_fmadd_pd(multiply(y, repeat_vector(0.5)), rest, y);
    }
};

// Whether it is such an exponent, and computed. HAS_ROOT: 0.5 is the root, which of -0.0 is -0.0.
template <class T, bool HAS_ROOT>
bool simple_power(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    if (strides[1] != 0) return false;
    using Compute = bool (*)(char*, intptr_t, char*, intptr_t, intptr_t);
    const T exponent = *reinterpret_cast<const T*>(args[1]);
    const Compute numpys = exponent == T(2)                ? compute_each<Squared, T>
                           : HAS_ROOT && exponent == T(0.5) ? compute_each<RootOfEach, T>
                           : exponent == T(-1)             ? compute_each<Reciprocal, T>
                                                           : nullptr;
    const Compute own = exponent == T(3) ? compute_any<Cubed, T> : exponent == T(-0.5) ? compute_any<InverseRoot, T> : nullptr;
    const Compute compute = own ? own : numpys;
    if (compute == nullptr && exponent != T(0) && exponent != T(1)) return false;
    const bool writes_it = args[1] >= args[2] && args[1] < args[2] + dimensions[0] * static_cast<intptr_t>(sizeof(T));
    if (compute == nullptr || writes_it || !compute(args[0], strides[0], args[2], strides[2], dimensions[0]))
        pass_on(args, dimensions, strides, data);
    return true;
}

// NumPy's products of complex numbers; of zero, which is below zero in either part, zero.
template <class T>
FASTNP_AVX2 inline void multiply_by_itself(const T* in, T* out, intptr_t n, bool cubes) {
    for (intptr_t i = 0; i < 2 * n; i += 2) {
        const T real = in[i], imaginary = in[i + 1];
        const bool is_zero = real == 0 && imaginary == 0;
        T a = real * real - imaginary * imaginary, b = real * imaginary + imaginary * real;
        if (cubes) {
            const T c = real * a - imaginary * b;
            b = real * b + imaginary * a;
            a = c;
        }
        out[i] = is_zero ? T(0) : a;
        out[i + 1] = is_zero ? T(0) : b;
    }
}

template <class T>
void complex_power_loop(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    constexpr intptr_t item = 2 * sizeof(T);
    const intptr_t n = dimensions[0];
    const T* const exponent = reinterpret_cast<const T*>(args[1]);
    const bool apart = args[2] <= args[0] || args[2] >= args[0] + n * item;
    const bool writes_it = args[1] >= args[2] && args[1] < args[2] + n * item;
    if (strides[1] != 0 || exponent[1] != 0 || (exponent[0] != 2 && exponent[0] != 3) || strides[0] != item ||
        strides[2] != item || !apart || writes_it)
        return pass_on(args, dimensions, strides, data);
    multiply_by_itself(reinterpret_cast<const T*>(args[0]), reinterpret_cast<T*>(args[2]), n, exponent[0] == 3);
}

#endif

}  // namespace fastnp
