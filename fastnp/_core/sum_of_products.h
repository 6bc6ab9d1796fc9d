// Two operands multiplied element by element and summed along some of their axes: einsum's "ij,ij->j" and "...i,...i", `vdot`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "axes.h"
#include "passes.h"

namespace fastnp {

// A line of either operand, and of the sums: no step where all of it goes into one.
struct ProductLine {
    char* out;
    const char *a, *b;
    intptr_t out_step, a_step, b_step;
};

// Numbers of one part. Integers wrap, as those without a sign do; of narrow ones a product fits an int.
template <class T>
struct RealProducts {
    using Sum = std::conditional_t<sizeof(T) == 1, uint16_t, T>;
    using Product = std::conditional_t<std::is_integral_v<T> && sizeof(T) <= 2, uint32_t, T>;
    static constexpr intptr_t item = sizeof(T);
    // Sums side by side: a number that waits for the one before it waits four cycles.
    static constexpr int lanes = std::is_integral_v<T> ? 1 : 128 / sizeof(T);

    static Sum product(T a, T b) { return static_cast<Sum>(static_cast<Product>(a) * static_cast<Product>(b)); }

    FASTNP_INLINED static void sum_packed(T* out, const T* a, const T* b, int64_t n) {
        Sum total = 0;
        int64_t i = 0;
        if (lanes > 1 && n >= 4) {
            Sum few[4] = {};
            if (n >= lanes) {
                Sum part[lanes] = {};
                for (; i + lanes <= n; i += lanes)
                    for (int lane = 0; lane < lanes; ++lane) part[lane] += a[i + lane] * b[i + lane];
                for (int width = lanes / 2; width >= 4; width /= 2)
                    for (int lane = 0; lane < width; ++lane) part[lane] += part[lane + width];
                for (int lane = 0; lane < 4; ++lane) few[lane] = part[lane];
            }
            for (; i + 4 <= n; i += 4)
                for (int lane = 0; lane < 4; ++lane) few[lane] += a[i + lane] * b[i + lane];
            total = (few[0] + few[2]) + (few[1] + few[3]);
        }
        for (; i < n; ++i) total = static_cast<Sum>(total + product(a[i], b[i]));
        *out = static_cast<T>(*out + total);
    }
    FASTNP_INLINED static void sum_apart(T* out, const T* a, intptr_t a_step, const T* b, intptr_t b_step, int64_t n) {
        Sum part[4] = {};
        int64_t i = 0;
        for (; i + 4 <= n; i += 4)
            for (int lane = 0; lane < 4; ++lane)
                part[lane] = static_cast<Sum>(part[lane] + product(a[(i + lane) * a_step], b[(i + lane) * b_step]));
        for (; i < n; ++i) part[0] = static_cast<Sum>(part[0] + product(a[i * a_step], b[i * b_step]));
        *out = static_cast<T>(*out + static_cast<Sum>(static_cast<Sum>(part[0] + part[2]) + static_cast<Sum>(part[1] + part[3])));
    }
    FASTNP_INLINED static void add_packed(T* out, const T* a, const T* b, int64_t n) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(out[i] + product(a[i], b[i]));
    }
    FASTNP_INLINED static void add_apart(T* out, intptr_t out_step, const T* a, intptr_t a_step, const T* b, intptr_t b_step, int64_t n) {
        for (int64_t i = 0; i < n; ++i)
            out[i * out_step] = static_cast<T>(out[i * out_step] + product(a[i * a_step], b[i * b_step]));
    }
};

// Complex numbers, part by part as NumPy's einsum does; CONJUGATES the first.
template <class T, bool CONJUGATES>
struct ComplexProducts {
    static constexpr intptr_t item = 2 * sizeof(T);

    FASTNP_INLINED static void add_product(T* out, const T* a, const T* b) {
        const T imaginary = CONJUGATES ? -a[1] : a[1];
        out[0] += a[0] * b[0] - imaginary * b[1];
        out[1] += a[0] * b[1] + imaginary * b[0];
    }
    FASTNP_INLINED static void sum_apart(T* out, const T* a, intptr_t a_step, const T* b, intptr_t b_step, int64_t n) {
        T part[4][2] = {};
        int64_t i = 0;
        for (; i + 4 <= n; i += 4)
            for (int lane = 0; lane < 4; ++lane) add_product(part[lane], a + (i + lane) * a_step, b + (i + lane) * b_step);
        for (; i < n; ++i) add_product(part[0], a + i * a_step, b + i * b_step);
        out[0] += (part[0][0] + part[2][0]) + (part[1][0] + part[3][0]);
        out[1] += (part[0][1] + part[2][1]) + (part[1][1] + part[3][1]);
    }
    FASTNP_INLINED static void sum_packed(T* out, const T* a, const T* b, int64_t n) {
        int64_t i = 0;
        if (n >= 16) i = sum_most(out, a, b, n);
        for (; i < n; ++i) add_product(out, a + 2 * i, b + 2 * i);
    }
    FASTNP_INLINED static int64_t sum_most(T* out, const T* a, const T* b, int64_t n) {
        // The four products of parts are summed each for itself: what is added where lies side by side.
        constexpr int lanes = 64 / sizeof(T);
        T straight[lanes] = {}, crossed[lanes] = {};
        int64_t i = 0;
        for (; i + lanes / 2 <= n; i += lanes / 2)
            for (int lane = 0; lane < lanes; ++lane) {
                straight[lane] += a[2 * i + lane] * b[2 * i + lane];
                crossed[lane] += a[2 * i + lane] * b[2 * i + (lane ^ 1)];
            }
        T sums[4] = {};
        for (int lane = 0; lane < lanes; lane += 2) {
            sums[0] += straight[lane];
            sums[1] += straight[lane + 1];
            sums[2] += crossed[lane];
            sums[3] += crossed[lane + 1];
        }
        out[0] += CONJUGATES ? sums[0] + sums[1] : sums[0] - sums[1];
        out[1] += CONJUGATES ? sums[2] - sums[3] : sums[2] + sums[3];
        return i;
    }
    FASTNP_INLINED static void add_packed(T* out, const T* a, const T* b, int64_t n) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) add_product(out + 2 * i, a + 2 * i, b + 2 * i);
    }
    FASTNP_INLINED static void add_apart(T* out, intptr_t out_step, const T* a, intptr_t a_step, const T* b, intptr_t b_step, int64_t n) {
        for (int64_t i = 0; i < n; ++i) add_product(out + i * out_step, a + i * a_step, b + i * b_step);
    }
};

// Lines of `n`, each a step further than the one before.
template <class Products, class T>
FASTNP_INLINED inline void add_lines(ProductLine line, int64_t n, const ProductLine& to_next, int64_t lines) {
    constexpr intptr_t item = Products::item;
    const intptr_t a_step = line.a_step / intptr_t{sizeof(T)}, b_step = line.b_step / intptr_t{sizeof(T)};
    const intptr_t out_step = line.out_step / intptr_t{sizeof(T)};
    const bool packed = line.a_step == item && line.b_step == item, packs = packed && line.out_step == item;
    for (; lines > 0; --lines) {
        T* const out = reinterpret_cast<T*>(line.out);
        const T *const a = reinterpret_cast<const T*>(line.a), *const b = reinterpret_cast<const T*>(line.b);
        if (out_step == 0)
            packed ? Products::sum_packed(out, a, b, n) : Products::sum_apart(out, a, a_step, b, b_step, n);
        else if (packs)
            Products::add_packed(out, a, b, n);
        else
            Products::add_apart(out, out_step, a, a_step, b, b_step, n);
        line.out += to_next.out_step;
        line.a += to_next.a_step;
        line.b += to_next.b_step;
    }
}

struct SumOfProducts : Axes {
    static constexpr int64_t kBlock = 2048;  // sums of a line that stay in the nearest cache while they are added to
    int8_t maps[3][kMaxDims];
    Operand first, second;

    // `labels` are the axes of the iteration, of which the first `kept` are the result's: `maps[i]` says which axis of either
    // operand is which of them. Fills the strides that NumPy gives the result, in bytes.
    void prepare(int labels, int kept, int64_t* result_strides) {
        const Operand* operands[3] = {&first, &second, nullptr};
        const int8_t* own[3] = {maps[0], maps[1], maps[2]};
        const int types[3] = {first.type, first.type, first.type};
        const uint8_t all_flags[3] = {kRead, kRead, kWrite | kAllocate};
        int64_t sizes[kMaxDims];
        for (int label = 0; label < labels; ++label) {
            sizes[label] = first.shape[maps[0][label]];
            maps[2][label] = static_cast<int8_t>(label < kept ? label : -1);
        }
        set_operands(3, operands, types, all_flags, labels, sizes, own);
        apply_order(Order::kKeep, operands);
        ordered_strides(2, kept, sizes, ITEMSIZES[first.type], result_strides);
    }

    // Add to a result of zeros; `conjugates` the first operand.
    void run(const Operand& result, bool conjugates) {
        replace(2, result);
        for (int k = 0; k < ndim; ++k) {
            // Both operands backwards are both forwards, where nothing is written along the axis.
            if (strides[k][2] != 0 || strides[k][0] >= 0 || strides[k][1] >= 0) continue;
            for (int i = 0; i < 2; ++i) {
                data[i] += (shape[k] - 1) * strides[k][i];
                strides[k][i] = -strides[k][i];
            }
        }
        coalesce();
        switch (first.type) {
            case FLOAT64: return add_all<RealProducts<double>, double>();
            case FLOAT32: return add_all<RealProducts<float>, float>();
            case COMPLEX128:
                return conjugates ? add_all<ComplexProducts<double, true>, double>() : add_all<ComplexProducts<double, false>, double>();
            case COMPLEX64:
                return conjugates ? add_all<ComplexProducts<float, true>, float>() : add_all<ComplexProducts<float, false>, float>();
            default: break;
        }
        switch (ITEMSIZES[first.type]) {
            case 1: return add_all<RealProducts<uint8_t>, uint8_t>();
            case 2: return add_all<RealProducts<uint16_t>, uint16_t>();
            case 4: return add_all<RealProducts<uint32_t>, uint32_t>();
            default: return add_all<RealProducts<uint64_t>, uint64_t>();
        }
    }

    ProductLine line_along(int axis, int64_t begin) const {
        return {data[2] + begin * strides[axis][2], data[0] + begin * strides[axis][0], data[1] + begin * strides[axis][1],
                strides[axis][2], strides[axis][0], strides[axis][1]};
    }

    template <class Products, class T>
    void add_all() {
        const int64_t block = strides[0][2] == 0 ? shape[0] : std::min(shape[0], kBlock), lines = ndim > 1 ? shape[1] : 1;
        std::fill(index, index + ndim, 0);
        for (int64_t begin = 0; begin < shape[0]; begin += block) {
            const int64_t n = std::min(block, shape[0] - begin);
            do {
                const ProductLine line = line_along(0, begin), to_next = line_along(ndim > 1 ? 1 : 0, 0);
                const auto part = [&, n](int64_t, int64_t count) FASTNP_INLINED { add_lines<Products, T>(line, n, to_next, count); };
#ifdef FASTNP_X86
                if (has_avx2()) {
                    run_wide(part, 0, lines);
                    continue;
                }
#endif
                part(0, lines);
            } while (step_lines(1));
        }
    }
};

}  // namespace fastnp
