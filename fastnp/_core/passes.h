// What NumPy does in several passes over memory, in one pass and to the same bits: sums of what is computed of elements,
// rounding, repair of NaNs, progressions, comparison as a whole. Everything here is contiguous.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "dtype.h"
#include "float_flags.h"
#include "half.h"
#include "one_pass.h"
#include "own_loops.h"
#include "parallel.h"
#include "vector.h"

namespace fastnp {

// --- sums of what is computed of elements, in NumPy's pairwise order ---------------------------------------------------

template <class Sum, class Get>
FASTNP_INLINED inline Sum sum_of_few(const Get& get, int64_t start, int64_t n) {
    if (n < 8) {
        Sum sum = static_cast<Sum>(-0.0);
        for (int64_t i = 0; i < n; ++i) sum += get(start + i);
        return sum;
    }
    Sum r[8];
    for (int k = 0; k < 8; ++k) r[k] = get(start + k);
    int64_t i = 8;
    for (; i < n - n % 8; i += 8)
        for (int k = 0; k < 8; ++k) r[k] += get(start + i + k);
    Sum sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += get(start + i);
    return sum;
}

template <class Sum, class Get>
Sum sum_of(const Get& get, int64_t start, int64_t n) {
    if (n <= 128) return sum_of_few<Sum>(get, start, n);
    const int64_t half = n / 2 - n / 2 % 8;
    return sum_of<Sum>(get, start, half) + sum_of<Sum>(get, start + half, n - half);
}
#ifdef FASTNP_X86
template <class Sum, class Get>
FASTNP_AVX2 Sum sum_of_wide(const Get& get, int64_t start, int64_t n) {
    if (n < 8) return sum_of_few<Sum>(get, start, n);
    if (n <= kLeaf) {
        // What is computed first is vectorised by the compiler, which does not see it within the sum.
        alignas(32) Sum block[kLeaf];
        for (int64_t i = 0; i < n; ++i) block[i] = get(start + i);
        return sum_leaf<Sum, Source::kNear>(Elements<Sum>{block}, 0, n);
    }
    const int64_t half = n / 2 - n / 2 % 8;
    return sum_of_wide<Sum>(get, start, half) + sum_of_wide<Sum>(get, start + half, n - half);
}
#endif

// The sum of `n` elements from `start` on; the whole call reads `of` of them.
template <class Sum, class Get>
Sum pairwise(const Get& get, int64_t start, int64_t n, int64_t of) {
#ifdef FASTNP_X86
    if (has_avx2()) {
        if constexpr (requires { get.vector(start); })
            return pairwise_sum<Sum>(get, start, n, source_of<Sum>(of * static_cast<int64_t>(sizeof(Sum))));
        else
            return sum_of_wide<Sum>(get, start, n);
    }
#endif
    return sum_of<Sum>(get, start, n);
}

template <class Sum, class Get>
Sum pairwise_in_parts(const Get& get, int64_t n) {
    return sum_in_parts<Sum>(n, [&](int64_t start, int64_t count) { return pairwise<Sum>(get, start, count, n); });
}

// Of lines of fewer than eight elements, which NumPy adds one after another: a loop for each number of them.
template <int COLUMNS, class Sum, class GetRow>
void sum_short_rows(Sum* sums, int64_t begin, int64_t end, int64_t columns, const GetRow& get_row) {
    if constexpr (COLUMNS > 1)
        if (columns < COLUMNS) return sum_short_rows<COLUMNS - 1>(sums, begin, end, columns, get_row);
    for (int64_t row = begin; row < end; ++row) {
        const auto get = get_row(row);
        Sum sum = get(0);
        for (int64_t i = 1; i < COLUMNS; ++i) sum += get(i);
        sums[row] = Sum(0) + sum;
    }
}

#ifdef FASTNP_X86
// Of lines that are one leaf each.
template <class Sum, class GetRow>
FASTNP_AVX2 void sum_leaves_of_rows(Sum* sums, int64_t begin, int64_t end, int64_t columns, const GetRow& get_row) {
    for (int64_t row = begin; row < end; ++row)
        sums[row] = Sum(0) + sum_leaf<Sum, Source::kNear>(get_row(row), 0, columns);
}
#endif

// One sum for each of `rows` lines of `columns` elements; get(row) gives what reads the elements of one.
template <class Sum, class GetRow>
void sum_rows(Sum* sums, int64_t rows, int64_t columns, const GetRow& get_row) {
    if (rows == 1) {
        sums[0] = Sum(0) + pairwise_in_parts<Sum>(get_row(0), columns);
        return;
    }
    const auto part = [&](int64_t begin, int64_t end) {
        if (columns < 8) return sum_short_rows<7>(sums, begin, end, columns, get_row);
#ifdef FASTNP_X86
        if constexpr (requires { get_row(begin).vector(begin); })
            if (columns <= kLeaf && has_avx2()) return sum_leaves_of_rows(sums, begin, end, columns, get_row);
#endif
        for (int64_t row = begin; row < end; ++row)
            sums[row] = Sum(0) + pairwise<Sum>(get_row(row), 0, columns, rows * columns);
    };
    if (may_split(rows * columns))
        split(rows, 1, columns, part);
    else
        part(0, rows);
}

enum SummedAs : int { SQUARES, WITHOUT_NAN };

// Squares, products, elements that are no NaN, squared deviations, and the areas between equidistant values.
template <class T>
struct Squares {
    const T* data;
    FASTNP_INLINED T operator()(int64_t i) const { return data[i] * data[i]; }
#ifdef FASTNP_X86
    FASTNP_INLINED FASTNP_AVX2 auto vector(int64_t i) const {
        const auto x = load_vector(data + i);
        return multiply(x, x);
    }
#endif
};
template <class T>
struct Products {
    const T *data, *factors;
    FASTNP_INLINED T operator()(int64_t i) const { return data[i] * factors[i]; }
#ifdef FASTNP_X86
    FASTNP_INLINED FASTNP_AVX2 auto vector(int64_t i) const { return multiply(load_vector(data + i), load_vector(factors + i)); }
#endif
};
template <class T>
struct SquaredDeviations {
    const T* data;
    T mean;
    FASTNP_INLINED T operator()(int64_t i) const { return (data[i] - mean) * (data[i] - mean); }
#ifdef FASTNP_X86
    FASTNP_INLINED FASTNP_AVX2 auto vector(int64_t i) const {
        const auto deviation = subtract(load_vector(data + i), repeat_vector(mean));
        return multiply(deviation, deviation);
    }
#endif
};
template <class T>
struct WithoutNaN {
    const T* data;
    FASTNP_INLINED T operator()(int64_t i) const { return data[i] == data[i] ? data[i] : T(0); }
#ifdef FASTNP_X86
    FASTNP_INLINED FASTNP_AVX2 auto vector(int64_t i) const {
        const auto x = load_vector(data + i);
        return both(x, compare<_CMP_ORD_Q>(x, x));
    }
#endif
};
// Twice the areas: to halve a sum rounds nothing as long as nothing is close to zero.
template <class T, bool BY_ONE>
struct DoubleTrapezoids {
    const T* data;
    T distance;
    FASTNP_INLINED T operator()(int64_t i) const {
        const T sum = data[i + 1] + data[i];
        return BY_ONE ? sum : distance * sum;
    }
#ifdef FASTNP_X86
    FASTNP_INLINED FASTNP_AVX2 auto vector(int64_t i) const {
        const auto sums = add(load_vector(data + i + 1), load_vector(data + i));
        return BY_ONE ? sums : multiply(repeat_vector(distance), sums);
    }
#endif
};

template <class T>
void sum_rows_as(int what, const T* data, T* sums, int64_t rows, int64_t columns) {
    if (what == SQUARES)
        sum_rows(sums, rows, columns, [=](int64_t row) { return Squares<T>{data + row * columns}; });
    else
        sum_rows(sums, rows, columns, [=](int64_t row) { return WithoutNaN<T>{data + row * columns}; });
}

// The sum is the answer where it is no NaN itself; returns whether it is of every row.
template <class T>
bool sum_rows_without_nan(const T* data, T* sums, int64_t rows, int64_t columns) {
    sum_rows(sums, rows, columns, [=](int64_t row) { return Elements<T>{data + row * columns}; });
    return std::none_of(sums, sums + rows, [](T sum) { return sum != sum; });
}

// Sums over the last axes of squares, or of what is no NaN; of float64 or float32. Return the flags that are up then.
inline unsigned sum_last_axes(int what, int dtype, const void* data, void* sums, int64_t rows, int64_t columns) {
    clear_float_flags(false);
    if (what == WITHOUT_NAN) {
        const bool found = dtype == FLOAT64
            ? sum_rows_without_nan(static_cast<const double*>(data), static_cast<double*>(sums), rows, columns)
            : sum_rows_without_nan(static_cast<const float*>(data), static_cast<float*>(sums), rows, columns);
        if (found) return raised_float_flags(false);
        clear_float_flags(false);
    }
    if (dtype == FLOAT64)
        sum_rows_as(what, static_cast<const double*>(data), static_cast<double*>(sums), rows, columns);
    else
        sum_rows_as(what, static_cast<const float*>(data), static_cast<float*>(sums), rows, columns);
    return raised_float_flags(false);
}

// The average by weights. Returns whether it cannot: they sum to zero, or there is something to warn of.
template <class T>
bool average_by(const T* data, const T* weights, int64_t count, T* average) {
    const T total = T(0) + pairwise_in_parts<T>(Elements<T>{weights}, count);
    if (total == 0) return true;
    *average = (T(0) + pairwise_in_parts<T>(Products<T>{data, weights}, count)) / total;
    return raised_float_flags(false);
}
inline bool average_by_weights(int dtype, const void* data, const void* weights, int64_t count, void* average) {
    clear_float_flags(false);
    if (dtype == FLOAT64)
        return average_by(static_cast<const double*>(data), static_cast<const double*>(weights), count, static_cast<double*>(average));
    return average_by(static_cast<const float*>(data), static_cast<const float*>(weights), count, static_cast<float*>(average));
}

// The square root of each of some numbers, which are not negative, in place.
#ifdef FASTNP_X86
template <class T>
FASTNP_AVX2 int64_t take_roots_of_vectors(T* numbers, int64_t count) {
    constexpr int64_t width = 32 / sizeof(T);
    int64_t i = 0;
    for (; i + width <= count; i += width) store_vector(numbers + i, root(load_vector(numbers + i)));
    return i;
}
#endif
template <class T>
void take_roots_of(T* numbers, int64_t count) {
    int64_t i = 0;
#ifdef FASTNP_X86
    if (has_avx2()) i = take_roots_of_vectors(numbers, count);
#endif
    for (; i < count; ++i) numbers[i] = std::sqrt(numbers[i]);
}
inline void take_roots(int dtype, void* numbers, int64_t count) {
    if (dtype == FLOAT64) take_roots_of(static_cast<double*>(numbers), count);
    else take_roots_of(static_cast<float*>(numbers), count);
}

// The area under lines between equidistant values of float64 or float32, where it can be summed as twice the areas; of so many
// that memory is what takes time, as the sum of the values but for half of the outermost. Returns whether it cannot.
inline constexpr int64_t kLongArea = 1 << 16, kLongComplexArea = 1 << 10;
template <class T>
bool sum_trapezoids_of(const char* data, int64_t count, double distance, char* sum) {
    clear_float_flags(false);
    const T* const values = reinterpret_cast<const T*>(data);
    const T width = static_cast<T>(distance);
    T area;
    if (count >= kLongArea) {
        area = width * (pairwise_in_parts<T>(Elements<T>{values}, count) - (values[0] / 2 + values[count - 1] / 2));
    } else {
        const T twice = width == 1 ? pairwise_in_parts<T>(DoubleTrapezoids<T, true>{values, width}, count - 1)
                                   : pairwise_in_parts<T>(DoubleTrapezoids<T, false>{values, width}, count - 1);
        area = T(0) + T(0.5) * twice;
    }
    std::memcpy(sum, &area, sizeof(T));
    // Where an area is so little that its half may have been rounded, it is not known to be NumPy's.
    constexpr T least = sizeof(T) == 8 ? T(1e-280) : T(1e-28);
    return raised_float_flags(false) || std::abs(area) < least;
}

// The same of complex numbers, part for part: in NumPy's products what is not finite in one part spoils the other.
template <class T>
bool sum_complex_trapezoids(const char* data, int64_t count, double distance, char* sum) {
#ifdef FASTNP_X86
    if (count >= kLongComplexArea && has_avx2()) {
        clear_float_flags(false);
        const T* const parts = reinterpret_cast<const T*>(data);
        const T* const last = parts + 2 * (count - 1);
        const Source source = source_of<T>(count * static_cast<int64_t>(2 * sizeof(T)));
        const std::complex<T> sum_of_all = pairwise_sum<T>(ComplexElements<T>{parts}, 0, 2 * count, source);
        T areas[2] = {sum_of_all.real(), sum_of_all.imag()};
        for (int k = 0; k < 2; ++k) areas[k] = static_cast<T>(distance) * (areas[k] - (parts[k] / 2 + last[k] / 2));
        std::memcpy(sum, areas, sizeof(areas));
        return raised_float_flags(false) || !std::isfinite(areas[0]) || !std::isfinite(areas[1]);
    }
#endif
    return true;
}

inline bool sum_trapezoids(int dtype, const char* data, int64_t count, double distance, char* sum) {
    return (dtype == FLOAT64     ? sum_trapezoids_of<double>
            : dtype == FLOAT32   ? sum_trapezoids_of<float>
            : dtype == COMPLEX64 ? sum_complex_trapezoids<float>
                                 : sum_complex_trapezoids<double>)(data, count, distance, sum);
}

template <class Sum, class T>
void sum_deviations(const T* data, const Sum* means, Sum* sums, int64_t rows, int64_t columns, bool over_rows) {
    if (!over_rows) {
        sum_rows(sums, rows, columns, [=](int64_t row) {
            const T* const line = data + row * columns;
            if constexpr (std::is_same_v<T, Sum>)
                return SquaredDeviations<T>{line, means[row]};
            else
                return [line, mean = means[row]](int64_t i) FASTNP_INLINED {
                    const Sum deviation = static_cast<Sum>(line[i]) - mean;
                    return deviation * deviation;
                };
        });
        return;
    }
    const auto part = [=](int64_t begin, int64_t end) FASTNP_INLINED {
        for (int64_t column = begin; column < end; ++column) sums[column] = 0;
        for (int64_t row = 0; row < rows; ++row) {
            const T* const line = data + row * columns;
            for (int64_t column = begin; column < end; ++column) {
                const Sum deviation = static_cast<Sum>(line[column]) - means[column];
                sums[column] += deviation * deviation;
            }
        }
    };
    const auto chosen = [&part](int64_t begin, int64_t end) {
#ifdef FASTNP_X86
        if (has_avx2()) return run_wide(part, begin, end);
#endif
        part(begin, end);
    };
    if (may_split(rows * columns))
        split(columns, 64, rows, chosen);
    else
        chosen(0, columns);
}

// The squares of complex numbers' lengths, in the place of their real parts. Returns the flags that were raised.
template <class T>
unsigned square_lengths(void* data, int64_t count) {
    T* const parts = static_cast<T*>(data);
    clear_float_flags(false);
    for (int64_t i = 0; i < count; ++i) parts[2 * i] = parts[2 * i] * parts[2 * i] + parts[2 * i + 1] * parts[2 * i + 1];
    return raised_float_flags(false);
}

// Sums of squared deviations from means over the last axes, or over the first ones; false for dtypes that have none here.
inline bool sum_squared_deviations(int dtype, const void* data, const void* means, void* sums, int64_t rows, int64_t columns,
                                   bool over_rows, unsigned* flags) {
    clear_float_flags(false);
    const auto with = [&]<class T>(const T* elements) {
        sum_deviations(elements, static_cast<const double*>(means), static_cast<double*>(sums), rows, columns, over_rows);
        *flags = raised_float_flags(false);
        return true;
    };
    switch (dtype) {
        case UINT8: return with(static_cast<const uint8_t*>(data));
        case INT32: return with(static_cast<const int32_t*>(data));
        case INT64: return with(static_cast<const int64_t*>(data));
        case FLOAT64: return with(static_cast<const double*>(data));
        case FLOAT32:
            sum_deviations(static_cast<const float*>(data), static_cast<const float*>(means), static_cast<float*>(sums), rows,
                           columns, over_rows);
            *flags = raised_float_flags(false);
            return true;
        default: return false;
    }
}

// --- one element after the other ---------------------------------------------------------------------------------------

template <class T>
void round_elements(const T* in, T* out, int64_t count, T scale, bool decimals) {
    if (scale == 1)
        run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
            for (int64_t i = begin; i < end; ++i) out[i] = std::rint(in[i]);
        });
    else if (decimals)
        run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
            for (int64_t i = begin; i < end; ++i) out[i] = std::rint(in[i] * scale) / scale;
        });
    else
        run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
            for (int64_t i = begin; i < end; ++i) out[i] = std::rint(in[i] / scale) * scale;
        });
}

// A polynomial by Horner's rule, the coefficient of the highest power first; a block stays in the nearest cache. Return the flags
// that are up then.
inline unsigned evaluate_polynomial(const double* coefficients, int64_t terms, const double* x, double* out, int64_t count) {
    clear_float_flags(true);
    run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
        constexpr int64_t block = 1024;
        for (; begin < end; begin += block) {
            const int64_t stop = std::min(begin + block, end);
            for (int64_t i = begin; i < stop; ++i) out[i] = 0.0 * x[i] + coefficients[0];
            for (int64_t k = 1; k < terms; ++k)
                for (int64_t i = begin; i < stop; ++i) out[i] = out[i] * x[i] + coefficients[k];
        }
    });
    return raised_float_flags(true);
}

// Round to decimals, or to powers of ten where they are negative. Return the flags that are up then.
inline unsigned round_to(int dtype, const void* in, void* out, int64_t count, double scale, bool decimals) {
    clear_float_flags(true);
    if (dtype == FLOAT64)
        round_elements(static_cast<const double*>(in), static_cast<double*>(out), count, scale, decimals);
    else
        round_elements(static_cast<const float*>(in), static_cast<float*>(out), count, static_cast<float>(scale), decimals);
    return raised_float_flags(true);
}

#ifdef FASTNP_X86
FASTNP_AVX2 inline int64_t repair_wide(const double* in, double* out, int64_t begin, int64_t end, double nan, double above,
                                       double below) {
    const __m256d infinity = _mm256_set1_pd(std::numeric_limits<double>::infinity()), sign = _mm256_set1_pd(-0.0);
    for (; begin + 4 <= end; begin += 4) {
        __m256d x = _mm256_loadu_pd(in + begin);
        const __m256d missing = _mm256_cmp_pd(x, x, _CMP_UNORD_Q), high = _mm256_cmp_pd(x, infinity, _CMP_EQ_OQ),
                      low = _mm256_cmp_pd(x, _mm256_xor_pd(infinity, sign), _CMP_EQ_OQ);
        x = _mm256_blendv_pd(x, _mm256_set1_pd(nan), missing);
        x = _mm256_blendv_pd(x, _mm256_set1_pd(above), high);
        _mm256_storeu_pd(out + begin, _mm256_blendv_pd(x, _mm256_set1_pd(below), low));
    }
    return begin;
}
FASTNP_AVX2 inline int64_t repair_wide(const float* in, float* out, int64_t begin, int64_t end, float nan, float above,
                                       float below) {
    const __m256 infinity = _mm256_set1_ps(std::numeric_limits<float>::infinity()), sign = _mm256_set1_ps(-0.0f);
    for (; begin + 8 <= end; begin += 8) {
        __m256 x = _mm256_loadu_ps(in + begin);
        const __m256 missing = _mm256_cmp_ps(x, x, _CMP_UNORD_Q), high = _mm256_cmp_ps(x, infinity, _CMP_EQ_OQ),
                     low = _mm256_cmp_ps(x, _mm256_xor_ps(infinity, sign), _CMP_EQ_OQ);
        x = _mm256_blendv_ps(x, _mm256_set1_ps(nan), missing);
        x = _mm256_blendv_ps(x, _mm256_set1_ps(above), high);
        _mm256_storeu_ps(out + begin, _mm256_blendv_ps(x, _mm256_set1_ps(below), low));
    }
    return begin;
}
#endif

template <class T>
void repair_elements(const T* in, T* out, int64_t count, T nan, T above, T below) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    run_pass(count, [=](int64_t begin, int64_t end) {
#ifdef FASTNP_X86
        if (has_avx2()) begin = repair_wide(in, out, begin, end, nan, above, below);
#endif
        for (int64_t i = begin; i < end; ++i) {
            const T x = in[i];
            const T finite = x == infinity ? above : x == -infinity ? below : x;
            out[i] = x == x ? finite : nan;
        }
    });
}

// Put numbers in the place of NaN and the infinities.
inline void repair(int dtype, const void* in, void* out, int64_t count, double nan, double above, double below) {
    if (dtype == FLOAT64)
        repair_elements(static_cast<const double*>(in), static_cast<double*>(out), count, nan, above, below);
    else
        repair_elements(static_cast<const float*>(in), static_cast<float*>(out), count, static_cast<float>(nan),
                        static_cast<float>(above), static_cast<float>(below));
}

// out[i] = (from + i) * step + first, rounded to the dtype at the end.
template <class T>
void write_progression(T* out, int64_t count, int64_t from, double step, double first) {
    if (from < std::numeric_limits<int32_t>::min() || from + count > std::numeric_limits<int32_t>::max()) {
        for (int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(static_cast<double>(from + i) * step + first);
        return;
    }
    run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
        const int32_t start = static_cast<int32_t>(from + begin), length = static_cast<int32_t>(end - begin);
        T* const part = out + begin;
        for (int32_t i = 0; i < length; ++i) part[i] = static_cast<T>(static_cast<double>(start + i) * step + first);
    });
}

// Both of one unsigned type, which wraps round: the compiler's own way is a number at a time.
template <class T>
FASTNP_INLINED inline void write_line_of_integers(T* out, int64_t begin, int64_t end, T first, T step) {
    constexpr int64_t kLanes = 32 / sizeof(T);
    typedef T Lanes __attribute__((vector_size(32)));
    Lanes values, further;
    for (int64_t k = 0; k < kLanes; ++k) {
        values[k] = first + static_cast<T>(begin + k) * step;
        further[k] = static_cast<T>(kLanes) * step;
    }
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes, values += further) std::memcpy(out + i, &values, sizeof(values));
    for (int64_t k = 0; i < end; ++i, ++k) out[i] = values[k];
}

// out[i] = first + i * step, of int64 or int32.
inline void write_integers(int dtype, void* out, int64_t count, int64_t first, int64_t step) {
    run_pass(count, [=](int64_t begin, int64_t end) FASTNP_INLINED {
        if (dtype == INT64)
            write_line_of_integers(static_cast<uint64_t*>(out), begin, end, static_cast<uint64_t>(first), static_cast<uint64_t>(step));
        else
            write_line_of_integers(static_cast<uint32_t*>(out), begin, end, static_cast<uint32_t>(first), static_cast<uint32_t>(step));
    });
}

// --- questions about all elements ------------------------------------------------------------------------------------------

template <class T, class Differs>
bool none_differs(const T* a, const T* b, int64_t count, const Differs& differs) {
    constexpr int64_t kBlock = 2048;
    bool found = false;
    const auto block = [&](int64_t begin, int64_t end) FASTNP_INLINED {
        decltype(differs(*a, *b)) any = 0;
        for (int64_t i = begin; i < end; ++i) any |= differs(a[i], b[i]);
        found = any != 0;
    };
    for (int64_t begin = 0; begin < count && !found; begin += kBlock) {
        const int64_t end = std::min(begin + kBlock, count);
#ifdef FASTNP_X86
        if (has_avx2()) {
            run_wide(block, begin, end);
            continue;
        }
#endif
        block(begin, end);
    }
    return !found;
}

template <class T>
bool are_equal_as(const void* a, const void* b, int64_t count, bool nan_equal) {
    const T* const first = static_cast<const T*>(a);
    const T* const second = static_cast<const T*>(b);
    if (nan_equal)
        return none_differs(first, second, count, [](T x, T y) FASTNP_INLINED {
            return static_cast<unsigned>(!((x == y) | ((x != x) & (y != y))));
        });
    return none_differs(first, second, count, [](T x, T y) FASTNP_INLINED { return static_cast<unsigned>(x != y); });
}

inline bool are_equal_halves(const void* a, const void* b, int64_t count, bool nan_equal) {
    const auto differs = [=](uint16_t x, uint16_t y) FASTNP_INLINED {
        const bool same = (x == y) & !is_nan(x), zeros = ((x | y) & 0x7fff) == 0, nans = nan_equal & is_nan(x) & is_nan(y);
        return static_cast<unsigned>(!(same | zeros | nans));
    };
    return none_differs(static_cast<const uint16_t*>(a), static_cast<const uint16_t*>(b), count, differs);
}

// Whether arrays of one dtype hold the same values.
inline bool are_equal(int dtype, const void* a, const void* b, int64_t count, bool nan_equal) {
    switch (dtype) {
        case BOOL:
            return none_differs(static_cast<const uint8_t*>(a), static_cast<const uint8_t*>(b), count,
                                [](uint8_t x, uint8_t y) FASTNP_INLINED { return static_cast<uint8_t>((x != 0) != (y != 0)); });
        case FLOAT16: return are_equal_halves(a, b, count, nan_equal);
        case FLOAT32: return are_equal_as<float>(a, b, count, nan_equal);
        case FLOAT64: return are_equal_as<double>(a, b, count, nan_equal);
        case COMPLEX64: return are_equal_as<float>(a, b, 2 * count, false);
        case COMPLEX128: return are_equal_as<double>(a, b, 2 * count, false);
        default: return std::memcmp(a, b, count * ITEMSIZES[dtype]) == 0;
    }
}

// --- counts ----------------------------------------------------------------------------------------------------------------

template <class T>
int64_t count_as(const void* data, int64_t count) {
    const T* const elements = static_cast<const T*>(data);
    constexpr int64_t kBlock = 1 << 16;
    std::atomic<int64_t> total{0};
    run_pass(count, [=, &total](int64_t begin, int64_t end) FASTNP_INLINED {
        int64_t found = 0;
        for (int64_t start = begin; start < end; start += kBlock) {
            int32_t here = 0;
            const int64_t stop = start + kBlock < end ? start + kBlock : end;
            for (int64_t i = start; i < stop; ++i) here += elements[i] != 0;
            found += here;
        }
        total.fetch_add(found, std::memory_order_relaxed);
    });
    return total.load(std::memory_order_relaxed);
}

template <class T>
int64_t count_complex(const void* data, int64_t count) {
    const T* const parts = static_cast<const T*>(data);
    std::atomic<int64_t> total{0};
    run_pass(count, [=, &total](int64_t begin, int64_t end) FASTNP_INLINED {
        int64_t found = 0;
        for (int64_t i = begin; i < end; ++i) found += (parts[2 * i] != T(0)) | (parts[2 * i + 1] != T(0));
        total.fetch_add(found, std::memory_order_relaxed);
    });
    return total.load(std::memory_order_relaxed);
}

#ifdef FASTNP_X86
// The bytes that are not zero.
FASTNP_AVX2 inline int64_t count_bytes(const uint8_t* data, int64_t count) {
    const __m256i zero = _mm256_setzero_si256();
    int64_t zeros = 0, i = 0;
    while (i + 32 <= count) {
        __m256i found = zero;
        // A lane counts up to 255.
        const int64_t stop = std::min(i + 255 * 32, count - 31);
        for (; i < stop; i += 32)
            found = _mm256_sub_epi8(found, _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + i)), zero));
        const __m256i sums = _mm256_sad_epu8(found, zero);
        zeros += _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) + _mm256_extract_epi64(sums, 2) +
                 _mm256_extract_epi64(sums, 3);
    }
    int64_t nonzero = i - zeros;
    for (; i < count; ++i) nonzero += data[i] != 0;
    return nonzero;
}
#endif

// How many elements are not zero; -1 for dtypes that are not counted here.
inline int64_t count_contiguous(int dtype, const void* data, int64_t count) {
    switch (dtype) {
        case BOOL: case INT8: case UINT8:
#ifdef FASTNP_X86
            if (has_avx2()) return count_bytes(static_cast<const uint8_t*>(data), count);
#endif
            return count_as<uint8_t>(data, count);
        case INT16: case UINT16: return count_as<uint16_t>(data, count);
        case INT32: case UINT32: return count_as<uint32_t>(data, count);
        case INT64: case UINT64: return count_as<uint64_t>(data, count);
        case FLOAT16: return count_as<HalfTruth>(data, count);
        case FLOAT32: return count_as<float>(data, count);
        case FLOAT64: return count_as<double>(data, count);
        case COMPLEX64: return count_complex<float>(data, count);
        case COMPLEX128: return count_complex<double>(data, count);
        default: return -1;
    }
}

}  // namespace fastnp
