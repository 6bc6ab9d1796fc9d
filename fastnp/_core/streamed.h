// Elementwise loops for results that no cache holds: they are written past it, so that their memory is not read first.
//
// A sum of ten million doubles takes 0.75 of the time. What is written so has to be read from memory again, hence from the
// size on where it would have to be in any case. Values are those of NumPy's loops, which compute what is at the ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "aliases.h"
#include "cache.h"
#include "dtype.h"
#include "iteration.h"
#include "vector.h"
#include "vectors_of_32.h"

namespace fastnp {

// Shorter lines wait for what they have written no earlier than the next instruction that locks memory.
inline constexpr int64_t kFencedBytes = int64_t{1} << 16;

#ifdef FASTNP_X86

// Call the loop itself for elements [begin, end).
inline void run_part_of(const Loop& loop, int operands, char** args, const intptr_t* strides, intptr_t begin, intptr_t end) {
    if (begin >= end) return;
    char* at[3];
    for (int i = 0; i < operands; ++i) at[i] = args[i] + begin * strides[i];
    const intptr_t n = end - begin;
    loop.function(at, &n, strides, loop.data);
}

inline bool lie_apart(const char* in, intptr_t in_bytes, const char* out, intptr_t out_bytes) {
    return in + in_bytes <= out || out + out_bytes <= in;
}

// Elements before the first whole line of the cache.
inline intptr_t elements_before_line(const char* out, intptr_t item) {
    return (-reinterpret_cast<intptr_t>(out) & 63) / item;
}

// Which of two operands is one number, or that there is one operand alone.
enum Repeated { kNeither, kFirst, kSecond, kAlone };

// Whether an array that is read is written where it lies, on a processor where the loops here gain from it: fifth-generation Zen
// takes 0.8 to 0.9 of the time of NumPy's if it reads that one alone.
inline bool is_written_there(char* const* in, int nin, const char* out, bool reads_one) {
    return std::find(in, in + nin, out) != in + nin && (is_late_zen() ? reads_one : !has_avx512());
}

// Four complex numbers, whose products are rounded as those of NumPy's vectors are.
struct ComplexDoubles {
    struct Item {
        double real, imaginary;
    };
    using Vector = __m512d;
    FASTNP_AVX512 static inline Vector load(const Item* a) { return _mm512_loadu_pd(a); }
    FASTNP_AVX512 static inline Vector repeat(Item a) { return _mm512_broadcast_f64x2(_mm_setr_pd(a.real, a.imaginary)); }
    FASTNP_AVX512 static inline void store(Item* a, Vector x) { _mm512_storeu_pd(a, x); }
    FASTNP_AVX512 static inline void stream(Item* a, Vector x) { _mm512_stream_pd(reinterpret_cast<double*>(a), x); }
    FASTNP_AVX512 static inline Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
    FASTNP_AVX512 static inline Vector subtract(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
    FASTNP_AVX512 static inline Vector multiply(Vector a, Vector b) {
        const Vector crossed = _mm512_mul_pd(_mm512_permute_pd(a, 0xFF), _mm512_permute_pd(b, 0x55));
        return _mm512_fmaddsub_pd(_mm512_movedup_pd(a), b, crossed);
    }
};

namespace wide512 {
FASTNP_AVX512 inline void stream_line(char* into, const char* from) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(into), _mm512_loadu_si512(from));
}
#define FASTNP_TARGET FASTNP_AVX512
#include "streamed_loops.h"
#undef FASTNP_TARGET
}  // namespace wide512

namespace wide256 {
// A line of the cache as two vectors.
template <class T>
struct Numbers {
    using Item = T;
    using Half = typename VectorOf<T>::Type;
    struct Vector {
        Half low, high;
    };
    static constexpr intptr_t kHalf = 32 / sizeof(T);
    FASTNP_AVX2 static inline Vector load(const Item* a) { return {load_vector(a), load_vector(a + kHalf)}; }
    FASTNP_AVX2 static inline Vector repeat(Item a) { return {repeat_vector(a), repeat_vector(a)}; }
    FASTNP_AVX2 static inline void store(Item* a, Vector x) {
        store_vector(a, x.low);
        store_vector(a + kHalf, x.high);
    }
    FASTNP_AVX2 static inline void stream(Item* a, Vector x) {
        stream_vector(a, x.low);
        stream_vector(a + kHalf, x.high);
    }
    FASTNP_AVX2 static inline Vector add(Vector a, Vector b) { return {fastnp::add(a.low, b.low), fastnp::add(a.high, b.high)}; }
    FASTNP_AVX2 static inline Vector subtract(Vector a, Vector b) {
        return {fastnp::subtract(a.low, b.low), fastnp::subtract(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector multiply(Vector a, Vector b) {
        return {fastnp::multiply(a.low, b.low), fastnp::multiply(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector divide(Vector a, Vector b) {
        return {fastnp::divide(a.low, b.low), fastnp::divide(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector root(Vector a) { return {fastnp::root(a.low), fastnp::root(a.high)}; }
    FASTNP_AVX2 static inline Vector negative(Vector a) {
        const Half sign = repeat_vector(T(-0.0));
        return {differ(a.low, sign), differ(a.high, sign)};
    }
    FASTNP_AVX2 static inline Vector absolute(Vector a) { return {fastnp::absolute(a.low), fastnp::absolute(a.high)}; }
    FASTNP_AVX2 static inline Vector larger(Vector a, Vector b) {
        return {fastnp::larger(a.low, b.low), fastnp::larger(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector smaller(Vector a, Vector b) {
        return {fastnp::smaller(a.low, b.low), fastnp::smaller(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector unless_nan(Vector tested, Vector x, Vector otherwise) {
        return {choose(compare<_CMP_ORD_Q>(tested.low, tested.low), x.low, otherwise.low),
                choose(compare<_CMP_ORD_Q>(tested.high, tested.high), x.high, otherwise.high)};
    }
    template <int HOW>
    FASTNP_AVX2 static inline Vector rounded(Vector a) { return {fastnp::rounded<HOW>(a.low), fastnp::rounded<HOW>(a.high)}; }
};
template <class T>
struct Integers {
    using Item = T;
    using Half = __m256i;
    struct Vector {
        Half low, high;
    };
    FASTNP_AVX2 static inline Vector load(const Item* a) {
        return {load_bytes(a), load_bytes(reinterpret_cast<const Half*>(a) + 1)};
    }
    FASTNP_AVX2 static inline Vector repeat(Item a) {
        const Half half = sizeof(T) == 8 ? _mm256_set1_epi64x(a) : _mm256_set1_epi32(static_cast<int>(a));
        return {half, half};
    }
    FASTNP_AVX2 static inline void store(Item* a, Vector x) {
        _mm256_storeu_si256(reinterpret_cast<Half*>(a), x.low);
        _mm256_storeu_si256(reinterpret_cast<Half*>(a) + 1, x.high);
    }
    FASTNP_AVX2 static inline void stream(Item* a, Vector x) { fastnp::stream_line(a, x.low, x.high); }
    FASTNP_AVX2 static inline Half add(Half a, Half b) { return sizeof(T) == 8 ? _mm256_add_epi64(a, b) : _mm256_add_epi32(a, b); }
    FASTNP_AVX2 static inline Half subtract(Half a, Half b) {
        return sizeof(T) == 8 ? _mm256_sub_epi64(a, b) : _mm256_sub_epi32(a, b);
    }
    FASTNP_AVX2 static inline Half multiply(Half a, Half b) {
        if (sizeof(T) == 4) return _mm256_mullo_epi32(a, b);
        const Half crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32(b, 0xb1));  // each half by the other one's
        const Half upper = _mm256_slli_epi64(_mm256_add_epi32(crossed, _mm256_srli_epi64(crossed, 32)), 32);
        return _mm256_add_epi64(_mm256_mul_epu32(a, b), upper);
    }
    FASTNP_AVX2 static inline Half absolute(Half a) {
        if (sizeof(T) == 4) return _mm256_abs_epi32(a);
        const Half sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
        return _mm256_sub_epi64(_mm256_xor_si256(a, sign), sign);
    }
    FASTNP_AVX2 static inline Vector add(Vector a, Vector b) { return {add(a.low, b.low), add(a.high, b.high)}; }
    FASTNP_AVX2 static inline Vector subtract(Vector a, Vector b) { return {subtract(a.low, b.low), subtract(a.high, b.high)}; }
    FASTNP_AVX2 static inline Vector multiply(Vector a, Vector b) { return {multiply(a.low, b.low), multiply(a.high, b.high)}; }
    FASTNP_AVX2 static inline Vector negative(Vector a) { return subtract(repeat(0), a); }
    FASTNP_AVX2 static inline Vector absolute(Vector a) { return {absolute(a.low), absolute(a.high)}; }
    FASTNP_AVX2 static inline Vector bits_and(Vector a, Vector b) {
        return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector bits_or(Vector a, Vector b) {
        return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
    }
    FASTNP_AVX2 static inline Vector bits_xor(Vector a, Vector b) {
        return {_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high)};
    }
};
FASTNP_AVX2 inline void stream_line(char* into, const char* from) {
    fastnp::stream_line(into, load_bytes(from), load_bytes(from + 32));
}
#define FASTNP_TARGET FASTNP_AVX2
#include "streamed_loops.h"
#undef FASTNP_TARGET
}  // namespace wide256

// Any loop, some elements at a time, whose operands are asked for before they are read: its results are narrow, and stay in the
// cache.
template <int NIN, int ITEM>
void read_ahead(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t kBlockBytes = 2048, kBlock = kBlockBytes / ITEM;
    const intptr_t n = dimensions[0];
    intptr_t packed = 0;
    for (int k = 0; k < NIN; ++k) packed += strides[k] == ITEM;
    if (!asks_for_blocks(packed * n * ITEM)) {
        loop.function(args, dimensions, strides, loop.data);
        return;
    }
    for (intptr_t i = 0; i < n; i += kBlock) {
        const intptr_t next = std::min(i + kBlock, n);
        for (int k = 0; k < NIN; ++k)
            for (intptr_t byte = 0; strides[k] == ITEM && byte < kBlockBytes; byte += 64)
                _mm_prefetch(args[k] + next * ITEM + byte, _MM_HINT_T1);
        run_part_of(loop, NIN + 1, args, strides, i, next);
    }
}
inline LoopFunction find_read_ahead(int itemsize, int nin) {
    if (itemsize == 4) return nin == 1 ? read_ahead<1, 4> : read_ahead<2, 4>;
    if (itemsize == 8) return nin == 1 ? read_ahead<1, 8> : read_ahead<2, 8>;
    return nullptr;
}

// Whether a loop takes less time than the memory that it reads and writes: with narrower vectors, complex ones seldom do.
inline bool is_fast(const char* name, int dtype, bool widest) {
    const auto named_in = [name](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [name](const char* fast) { return !std::strcmp(name, fast); });
    };
    const bool of_complex = dtype == COMPLEX64 || dtype == COMPLEX128;
    if (of_complex && !widest) return dtype == COMPLEX128 && named_in({"add", "subtract", "negative", "positive", "conjugate"});
    return named_in({"add", "subtract", "multiply", "negative", "positive", "square", "conjugate"}) ||
           (!of_complex && named_in({"divide", "absolute", "sign", "maximum", "minimum", "fmax", "fmin", "floor", "ceil", "trunc", "rint",
                                     "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"})) ||
           (widest && (dtype == INT64 || dtype == INT32) && named_in({"floor_divide", "remainder"}));
}

#endif

#ifdef FASTNP_X86
inline LoopFunction find_streamed_complex(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    return is("add")        ? wide512::streamed_binary<wide512::StreamedAdd, ComplexDoubles>
           : is("subtract") ? wide512::streamed_binary<wide512::StreamedSubtract, ComplexDoubles>
           : is("multiply") ? wide512::streamed_binary<wide512::StreamedMultiply, ComplexDoubles>
           : is("positive") ? wide512::streamed_unary<wide512::StreamedPositive, ComplexDoubles>
                            : nullptr;
}
#endif

// Give a ufunc's loop of one result its streamed form: one of its own where all dtypes are one and it is simple.
inline void add_streamed(const char* name, int nin, const int* dtypes, Loop* loop) {
#ifdef FASTNP_X86
    if (!has_avx2() || nin > 2) return;
    const bool widest = has_avx512();
    const int dtype = dtypes[nin];
    bool same = true;
    for (int i = 0; i <= nin; ++i) same = same && dtypes[i] == dtype;
    if (same && widest)
        loop->streamed = dtype == FLOAT64   ? wide512::find_streamed<Doubles>(name)
                         : dtype == FLOAT32 ? wide512::find_streamed<Floats>(name)
                         : dtype == INT64   ? wide512::find_streamed<Longs>(name)
                         : dtype == INT32   ? wide512::find_streamed<Ints>(name)
                         : dtype == COMPLEX128 ? find_streamed_complex(name)
                                               : nullptr;
    else if (same)
        loop->streamed = dtype == FLOAT64   ? wide256::find_streamed<wide256::Numbers<double>>(name)
                         : dtype == FLOAT32 ? wide256::find_streamed<wide256::Numbers<float>>(name)
                         : dtype == INT64   ? wide256::find_streamed<wide256::Integers<int64_t>>(name)
                         : dtype == INT32   ? wide256::find_streamed<wide256::Integers<int32_t>>(name)
                                            : nullptr;
    if (loop->streamed == nullptr && is_fast(name, dtypes[0], widest))
        loop->streamed = (widest ? wide512::find_streamed_by_blocks : wide256::find_streamed_by_blocks)(ITEMSIZES[dtype], nin);
    if (dtype == BOOL && dtypes[0] == dtypes[nin - 1]) {
        loop->streamed = find_read_ahead(ITEMSIZES[dtypes[0]], nin);
        loop->past_cache = false;
    }
    loop->operands = nin + 1;
    loop->streams_from = streamed_bytes();
#endif
}

}  // namespace fastnp
