// The dense index of the dtypes an array can hold, and its place in c10::ScalarType.
#pragma once
#include <c10/core/ScalarType.h>
#include <c10/util/Half.h>
#include <cstdint>

namespace fastnp {

enum DTypeIndex : int8_t {
  BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64,
  FLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128,
  BFLOAT16, FLOAT8_E5M2, FLOAT8_E4M3FN, FLOAT8_E5M2FNUZ, FLOAT8_E4M3FNUZ,
  NUM_DTYPES,
  NUM_NUMPY_DTYPES = BFLOAT16,  // those before it are NumPy's own
};

// Kinds of operand after the dtypes: Python's numbers, which promote weakly.
enum Kind : int8_t { WEAK_INT = NUM_DTYPES, WEAK_FLOAT, WEAK_COMPLEX, NUM_KINDS };

constexpr c10::ScalarType SCALAR_TYPES[NUM_DTYPES] = {
    c10::ScalarType::Bool, c10::ScalarType::Char, c10::ScalarType::Byte, c10::ScalarType::Short,
    c10::ScalarType::UInt16, c10::ScalarType::Int, c10::ScalarType::UInt32, c10::ScalarType::Long,
    c10::ScalarType::UInt64, c10::ScalarType::Half, c10::ScalarType::Float, c10::ScalarType::Double,
    c10::ScalarType::ComplexFloat, c10::ScalarType::ComplexDouble, c10::ScalarType::BFloat16,
    c10::ScalarType::Float8_e5m2, c10::ScalarType::Float8_e4m3fn, c10::ScalarType::Float8_e5m2fnuz,
    c10::ScalarType::Float8_e4m3fnuz};

constexpr uint8_t ITEMSIZES[NUM_DTYPES] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 16, 2, 1, 1, 1, 1};

// A type to call something by: `using T = typename decltype(as)::type`.
template <class T>
struct As {
  using type = T;
};

// What of(As<T>{}) gives for the type of an integer dtype; `otherwise` for another dtype.
template <class Result, class Of>
inline Result of_integer(int dtype, Of&& of, Result otherwise = {}) {
  switch (dtype) {
    case INT8: return of(As<int8_t>{});
    case UINT8: return of(As<uint8_t>{});
    case INT16: return of(As<int16_t>{});
    case UINT16: return of(As<uint16_t>{});
    case INT32: return of(As<int32_t>{});
    case UINT32: return of(As<uint32_t>{});
    case INT64: return of(As<int64_t>{});
    case UINT64: return of(As<uint64_t>{});
    default: return otherwise;
  }
}

// The same for the type of a dtype of real numbers as C++ has them.
template <class Result, class Of>
inline Result of_number(int dtype, Of&& of, Result otherwise = {}) {
  return dtype == FLOAT64 ? of(As<double>{}) : dtype == FLOAT32 ? of(As<float>{}) : of_integer<Result>(dtype, of, otherwise);
}

struct DenseIndices {
  int8_t of[128];
  constexpr DenseIndices() : of{} {
    for (auto& index : of) index = -1;
    for (int8_t index = 0; index < NUM_DTYPES; ++index) of[static_cast<int>(SCALAR_TYPES[index])] = index;
  }
};
constexpr DenseIndices DENSE_INDICES{};

// -1 where an array cannot hold the type (quantized, bits, ...).
inline int index_of(c10::ScalarType type) { return DENSE_INDICES.of[static_cast<int>(type)]; }

inline double half_to_double(uint16_t bits) { return static_cast<float>(c10::Half(bits, c10::Half::from_bits())); }

}  // namespace fastnp
