// Elementwise loops for results that no cache holds: they are written past it, so that their memory is not read first.
//
// A sum of ten million doubles takes 0.75 of the time. What is written so has to be read from memory again, hence from the
// size on where it would have to be in any case. Values are those of NumPy's loops, which compute what is at the ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "dtype.h"
#include "iteration.h"
#include "vector.h"

namespace fastnp {

// Bytes that a call reads and writes from which on it streams.
inline constexpr int64_t kStreamedBytes = int64_t{20} << 20;
// Shorter lines wait for what they have written no earlier than the next instruction that locks memory.
inline constexpr int64_t kFencedBytes = int64_t{1} << 16;

#ifdef FASTNP_X86

#define FASTNP_OPERATION(NAME, CALL, ...)                                                                       \
    struct NAME {                                                                                               \
        template <class Type>                                                                                   \
        FASTNP_AVX512 static inline typename Type::Vector apply(__VA_ARGS__) { return Type::CALL; }             \
    }
FASTNP_OPERATION(StreamedAdd, add(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedSubtract, subtract(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedMultiply, multiply(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedDivide, divide(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedRoot, root(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedNegative, negative(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedAbsolute, absolute(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedSquare, multiply(a, a), typename Type::Vector a);
#undef FASTNP_OPERATION

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

template <class Operation, class Type>
FASTNP_AVX512 void streamed_binary(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Item = typename Type::Item;
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t item = sizeof(Item), width = 64 / item;
    const intptr_t n = dimensions[0];
    const bool first_repeats = strides[0] == 0, second_repeats = strides[1] == 0;
    if (n < 4 * width || (strides[0] != item && !first_repeats) || (strides[1] != item && !second_repeats) || strides[2] != item ||
        reinterpret_cast<intptr_t>(args[2]) % item != 0 || !lie_apart(args[0], first_repeats ? item : n * item, args[2], n * item) ||
        !lie_apart(args[1], second_repeats ? item : n * item, args[2], n * item)) {
        run_part_of(loop, 3, args, strides, 0, n);
        return;
    }
    const Item* const a = reinterpret_cast<const Item*>(args[0]);
    const Item* const b = reinterpret_cast<const Item*>(args[1]);
    Item* const out = reinterpret_cast<Item*>(args[2]);
    const intptr_t begin = elements_before_line(args[2], item), end = begin + (n - begin) / width * width;
    run_part_of(loop, 3, args, strides, 0, begin);
    if (first_repeats) {
        const auto one = Type::repeat(*a);
        for (intptr_t i = begin; i < end; i += width) Type::stream(out + i, Operation::template apply<Type>(one, Type::load(b + i)));
    } else if (second_repeats) {
        const auto one = Type::repeat(*b);
        for (intptr_t i = begin; i < end; i += width) Type::stream(out + i, Operation::template apply<Type>(Type::load(a + i), one));
    } else {
        for (intptr_t i = begin; i < end; i += width)
            Type::stream(out + i, Operation::template apply<Type>(Type::load(a + i), Type::load(b + i)));
    }
    if (n * item >= kFencedBytes) _mm_sfence();
    run_part_of(loop, 3, args, strides, end, n);
}

template <class Operation, class Type>
FASTNP_AVX512 void streamed_unary(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Item = typename Type::Item;
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t item = sizeof(Item), width = 64 / item;
    const intptr_t n = dimensions[0];
    if (n < 4 * width || strides[0] != item || strides[1] != item || reinterpret_cast<intptr_t>(args[1]) % item != 0 ||
        !lie_apart(args[0], n * item, args[1], n * item)) {
        run_part_of(loop, 2, args, strides, 0, n);
        return;
    }
    const Item* const a = reinterpret_cast<const Item*>(args[0]);
    Item* const out = reinterpret_cast<Item*>(args[1]);
    const intptr_t begin = elements_before_line(args[1], item), end = begin + (n - begin) / width * width;
    run_part_of(loop, 2, args, strides, 0, begin);
    for (intptr_t i = begin; i < end; i += width) Type::stream(out + i, Operation::template apply<Type>(Type::load(a + i)));
    if (n * item >= kFencedBytes) _mm_sfence();
    run_part_of(loop, 2, args, strides, end, n);
}

template <class Type>
LoopFunction find_streamed(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("add")) return streamed_binary<StreamedAdd, Type>;
    if (is("subtract")) return streamed_binary<StreamedSubtract, Type>;
    if (is("multiply")) return streamed_binary<StreamedMultiply, Type>;
    if (is("negative")) return streamed_unary<StreamedNegative, Type>;
    if (is("absolute")) return streamed_unary<StreamedAbsolute, Type>;
    if (is("square")) return streamed_unary<StreamedSquare, Type>;
    if constexpr (std::is_floating_point_v<typename Type::Item>) {
        if (is("divide")) return streamed_binary<StreamedDivide, Type>;
        if (is("sqrt")) return streamed_unary<StreamedRoot, Type>;
    }
    return nullptr;
}

#endif

// Give a ufunc's loop, whose operands and result are all of one dtype, its streamed form where there is one.
inline void add_streamed(const char* name, int nin, int dtype, Loop* loop) {
#ifdef FASTNP_X86
    if (!has_avx512()) return;
    loop->streamed = dtype == FLOAT64 ? find_streamed<Doubles>(name)
                     : dtype == FLOAT32 ? find_streamed<Floats>(name)
                     : dtype == INT64   ? find_streamed<Longs>(name)
                     : dtype == INT32   ? find_streamed<Ints>(name)
                                        : nullptr;
    loop->streams_from = kStreamedBytes / ((nin + 1) * ITEMSIZES[dtype]);
#endif
}

}  // namespace fastnp
