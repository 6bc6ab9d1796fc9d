// The loops of streamed.h, which includes this once for each width of vectors.
//
// FASTNP_TARGET says for which processors; `Type` has 64 bytes of numbers and what is done with them, `stream_line` writes as
// many past the cache.
#define FASTNP_OPERATION(NAME, CALL, ...)                                                                       \
    struct NAME {                                                                                               \
        template <class Type>                                                                                   \
        FASTNP_TARGET static inline typename Type::Vector apply(__VA_ARGS__) { return Type::CALL; }             \
    }
FASTNP_OPERATION(StreamedAdd, add(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedSubtract, subtract(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedMultiply, multiply(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedDivide, divide(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedRoot, root(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedNegative, negative(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedAbsolute, absolute(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedSquare, multiply(a, a), typename Type::Vector a);
// The bits of NumPy's loops, of zeros and NaNs as well.
FASTNP_OPERATION(StreamedMaximum, unless_nan(a, Type::larger(a, b), a), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedMinimum, unless_nan(a, Type::smaller(a, b), a), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedFmax, unless_nan(b, Type::larger(a, b), a), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedFmin, unless_nan(b, Type::smaller(a, b), a), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedAnd, bits_and(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedOr, bits_or(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedXor, bits_xor(a, b), typename Type::Vector a, typename Type::Vector b);
FASTNP_OPERATION(StreamedFloor, template rounded<_MM_FROUND_TO_NEG_INF>(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedCeil, template rounded<_MM_FROUND_TO_POS_INF>(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedTrunc, template rounded<_MM_FROUND_TO_ZERO>(a), typename Type::Vector a);
FASTNP_OPERATION(StreamedRint, template rounded<_MM_FROUND_TO_NEAREST_INT>(a), typename Type::Vector a);
#undef FASTNP_OPERATION
struct StreamedPositive {
    template <class Type>
    FASTNP_TARGET static inline typename Type::Vector apply(typename Type::Vector a) { return a; }
};

template <class Operation, class Type, Repeated WHICH>
FASTNP_TARGET inline typename Type::Vector result_at(const typename Type::Item* a, const typename Type::Item* b, intptr_t i) {
    if constexpr (WHICH == kAlone)
        return Operation::template apply<Type>(Type::load(a + i));
    else
        return Operation::template apply<Type>(WHICH == kFirst ? Type::repeat(*a) : Type::load(a + i),
                                               WHICH == kSecond ? Type::repeat(*b) : Type::load(b + i));
}

// Blocks of several streams by turns, into the place of what is read; how many elements these were.
template <class Operation, class Type, Repeated WHICH>
FASTNP_TARGET inline intptr_t write_streams_in_place(const typename Type::Item* a, const typename Type::Item* b,
                                                     typename Type::Item* out, intptr_t n) {
    constexpr intptr_t item = sizeof(typename Type::Item), width = 64 / item, kTogether = kBytesTogether / item;
    constexpr int kStreams = WHICH == kNeither ? 2 : 4;
    const intptr_t distance = distance_of_streams(n, item, kStreams), all = kStreams * distance;
    intptr_t done = 0;
    for (; all > 0 && n - done >= all; done += all)
        for (intptr_t block = done; block < done + distance; block += kTogether)
            for (intptr_t k = block; k < block + all; k += distance)
#pragma GCC unroll 8
                for (intptr_t i = k; i < k + kTogether; i += width) Type::store(out + i, result_at<Operation, Type, WHICH>(a, b, i));
    return done;
}

// Whole vectors from the first element on, into the place of what is read.
template <class Operation, class Type, Repeated WHICH>
FASTNP_TARGET void write_in_place(const typename Type::Item* a, const typename Type::Item* b, typename Type::Item* out, intptr_t n) {
    constexpr intptr_t width = 64 / sizeof(typename Type::Item), kTogether = 4 * width;
    intptr_t i = 0;
    if (is_late_zen())
        for (; i + kTogether <= n; i += kTogether) {
#pragma GCC unroll 4
            for (intptr_t k = i; k < i + kTogether; k += width) ask_far_ahead(out + k);
#pragma GCC unroll 4
            for (intptr_t k = i; k < i + kTogether; k += width) Type::store(out + k, result_at<Operation, Type, WHICH>(a, b, k));
        }
    else
        i = write_streams_in_place<Operation, Type, WHICH>(a, b, out, n);
    for (; i + width <= n; i += width) Type::store(out + i, result_at<Operation, Type, WHICH>(a, b, i));
}

// Whole vectors from the first element on, written past the cache but at the ends.
//
// The last few elements are left to NumPy's loop, which may give them other signs of zeros than a vector would.
template <class Operation, class Type, Repeated WHICH>
FASTNP_TARGET void write_streamed(const typename Type::Item* a, const typename Type::Item* b, typename Type::Item* out, intptr_t n) {
    constexpr intptr_t width = 64 / sizeof(typename Type::Item);
    const intptr_t begin = elements_before_line(reinterpret_cast<const char*>(out), sizeof(typename Type::Item));
    const intptr_t whole = n - n % width, end = begin + (whole - begin) / width * width;
    if (begin > 0) Type::store(out, result_at<Operation, Type, WHICH>(a, b, 0));
    intptr_t i = begin;
    // Some lines of each operand together: memory gives those of one page faster.
    constexpr intptr_t kTogether = 4 * width;
    if (asks_ahead(n * static_cast<intptr_t>(sizeof(typename Type::Item)) * (WHICH == kNeither ? 3 : 2)))
        for (; i + kTogether <= end; i += kTogether) {
#pragma GCC unroll 4
            for (intptr_t k = i; k < i + kTogether; k += width) {
                if constexpr (WHICH == kFirst) ask_ahead_once(b + k);
                else if constexpr (WHICH == kSecond) ask_ahead_once(a + k);
                else ask_ahead(a + k), ask_ahead(b + k);
            }
#pragma GCC unroll 4
            for (intptr_t k = i; k < i + kTogether; k += width) Type::stream(out + k, result_at<Operation, Type, WHICH>(a, b, k));
        }
    for (; i < end; i += width) Type::stream(out + i, result_at<Operation, Type, WHICH>(a, b, i));
    if (end < whole) Type::store(out + whole - width, result_at<Operation, Type, WHICH>(a, b, whole - width));
}

template <class Operation, class Type>
FASTNP_TARGET void streamed_binary(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Item = typename Type::Item;
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t item = sizeof(Item), width = 64 / item;
    const intptr_t n = dimensions[0];
    const bool first_repeats = strides[0] == 0, second_repeats = strides[1] == 0;
    const bool reads_one = first_repeats || second_repeats || args[0] == args[1];
    const bool in_place = is_written_there(args, 2, args[2], reads_one);
    const auto fits = [&](int k) {
        if (strides[k] != item) return strides[k] == 0 && lie_apart(args[k], item, args[2], n * item);
        return (in_place && args[k] == args[2]) || lie_apart(args[k], n * item, args[2], n * item);
    };
    if (n < 4 * width || (first_repeats && second_repeats) || strides[2] != item ||
        reinterpret_cast<intptr_t>(args[2]) % item != 0 || !fits(0) || !fits(1)) {
        run_part_of(loop, 3, args, strides, 0, n);
        return;
    }
    const Item* const a = reinterpret_cast<const Item*>(args[0]);
    const Item* const b = reinterpret_cast<const Item*>(args[1]);
    Item* const out = reinterpret_cast<Item*>(args[2]);
    if (in_place) {
        const auto write = first_repeats    ? write_in_place<Operation, Type, kFirst>
                           : second_repeats ? write_in_place<Operation, Type, kSecond>
                                            : write_in_place<Operation, Type, kNeither>;
        write(a, b, out, n);
    } else {
        const auto write = first_repeats    ? write_streamed<Operation, Type, kFirst>
                           : second_repeats ? write_streamed<Operation, Type, kSecond>
                                            : write_streamed<Operation, Type, kNeither>;
        write(a, b, out, n);
        if (n * item >= kFencedBytes) _mm_sfence();
    }
    run_part_of(loop, 3, args, strides, n - n % width, n);
}

template <class Operation, class Type>
FASTNP_TARGET void streamed_unary(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    using Item = typename Type::Item;
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t item = sizeof(Item), width = 64 / item;
    const intptr_t n = dimensions[0];
    const bool in_place = is_written_there(args, 1, args[1], true);
    if (n < 4 * width || strides[0] != item || strides[1] != item || reinterpret_cast<intptr_t>(args[1]) % item != 0 ||
        (!in_place && !lie_apart(args[0], n * item, args[1], n * item))) {
        run_part_of(loop, 2, args, strides, 0, n);
        return;
    }
    const Item* const a = reinterpret_cast<const Item*>(args[0]);
    Item* const out = reinterpret_cast<Item*>(args[1]);
    if (in_place) {
        write_in_place<Operation, Type, kAlone>(a, nullptr, out, n);
        run_part_of(loop, 2, args, strides, n - n % width, n);
        return;
    }
    const intptr_t begin = elements_before_line(args[1], item), end = begin + (n - begin) / width * width;
    run_part_of(loop, 2, args, strides, 0, begin);
    const bool ahead = asks_ahead(2 * n * item);
    for (intptr_t i = begin; i < end; i += width) {
        if (ahead) ask_ahead_once(a + i);
        Type::stream(out + i, Operation::template apply<Type>(Type::load(a + i)));
    }
    if (n * item >= kFencedBytes) _mm_sfence();
    run_part_of(loop, 2, args, strides, end, n);
}

// Any loop, some elements at a time, into a block that the cache holds and that is written past it.
//
// What is computed waits meanwhile: a loop of logarithms or powers takes 1.2 of its time so.
// Blocks begin at the first element: at which place of a vector an element is decides over signs of zeros in some loops.
template <int ITEM, int NIN>
FASTNP_TARGET void streamed_by_blocks(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data) {
    const Loop& loop = *static_cast<const Loop*>(data);
    constexpr intptr_t kBlockBytes = 4096, kBlock = kBlockBytes / ITEM;
    const intptr_t n = dimensions[0];
    // Of operands that lie far apart most of the memory is read: what is fetched ahead here would be a part of it only.
    bool apart = strides[NIN] == ITEM;
    for (int i = 0; i < NIN; ++i)
        apart = apart && strides[i] >= 0 && strides[i] <= ITEM && lie_apart(args[i], n * strides[i] + 16, args[NIN], n * ITEM);
    if (!apart) {
        loop.function(args, dimensions, strides, loop.data);
        return;
    }
    alignas(64) char room[kBlockBytes + kPage];
    char* const block = place_in_page(room, [&](const char* place) {
        for (int k = 0; k < NIN; ++k)
            if (looks_like_written(args[k], place)) return false;
        return true;
    });
    for (intptr_t i = 0; i < n; i += kBlock) {
        const intptr_t some = n - i < kBlock ? n - i : kBlock, bytes = some * ITEM;
        char* at[NIN + 1];
        for (int k = 0; k < NIN; ++k) at[k] = args[k] + i * strides[k];
        at[NIN] = block;
        loop.function(at, &some, strides, loop.data);
        char* const into = args[NIN] + i * ITEM;
        const intptr_t line = -reinterpret_cast<intptr_t>(into) & 63;
        intptr_t byte = line < bytes ? line : bytes;
        std::memcpy(into, block, byte);
        for (; byte + 64 <= bytes; byte += 64) {
            // What the next block reads comes meanwhile.
            for (int k = 0; k < NIN; ++k) _mm_prefetch(at[k] + (some + byte / ITEM) * strides[k], _MM_HINT_T0);
            stream_line(into + byte, block + byte);
        }
        std::memcpy(into + byte, block + byte, bytes - byte);
    }
    if (n * ITEM >= kFencedBytes) _mm_sfence();
}

template <int NIN>
LoopFunction find_streamed_of(int itemsize) {
    return itemsize == 4    ? streamed_by_blocks<4, NIN>
           : itemsize == 8  ? streamed_by_blocks<8, NIN>
           : itemsize == 16 ? streamed_by_blocks<16, NIN>
                            : nullptr;
}
inline LoopFunction find_streamed_by_blocks(int itemsize, int nin) {
    return nin == 1 ? find_streamed_of<1>(itemsize) : find_streamed_of<2>(itemsize);
}

template <class Type>
LoopFunction find_streamed(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("add")) return streamed_binary<StreamedAdd, Type>;
    if (is("subtract")) return streamed_binary<StreamedSubtract, Type>;
    if (is("multiply")) return streamed_binary<StreamedMultiply, Type>;
    if (is("negative")) return streamed_unary<StreamedNegative, Type>;
    if (is("positive") || is("conjugate")) return streamed_unary<StreamedPositive, Type>;
    if (is("absolute")) return streamed_unary<StreamedAbsolute, Type>;
    if (is("square")) return streamed_unary<StreamedSquare, Type>;
    if constexpr (std::is_floating_point_v<typename Type::Item>) {
        if (is("divide")) return streamed_binary<StreamedDivide, Type>;
        if (is("sqrt")) return streamed_unary<StreamedRoot, Type>;
        if (is("maximum")) return streamed_binary<StreamedMaximum, Type>;
        if (is("minimum")) return streamed_binary<StreamedMinimum, Type>;
        if (is("fmax")) return streamed_binary<StreamedFmax, Type>;
        if (is("fmin")) return streamed_binary<StreamedFmin, Type>;
    }
    if constexpr (requires(typename Type::Vector x) { Type::bits_and(x, x); }) {
        if (is("bitwise_and")) return streamed_binary<StreamedAnd, Type>;
        if (is("bitwise_or")) return streamed_binary<StreamedOr, Type>;
        if (is("bitwise_xor")) return streamed_binary<StreamedXor, Type>;
    }
    if constexpr (requires(typename Type::Vector x) { Type::template rounded<_MM_FROUND_TO_ZERO>(x); }) {
        if (is("floor")) return streamed_unary<StreamedFloor, Type>;
        if (is("ceil")) return streamed_unary<StreamedCeil, Type>;
        if (is("trunc")) return streamed_unary<StreamedTrunc, Type>;
        if (is("rint")) return streamed_unary<StreamedRint, Type>;
    }
    return nullptr;
}
