// Arithmetic and comparison of two scalars, as NumPy's own scalars have it: no loop, no array.
//
// Only what raises no floating-point flag, no overflow and no error is computed here; the rest is the loop's.
#pragma once
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "dtype.h"

namespace fastnp {

// In the order of SCALAR_OPERATIONS in loops.pyx.
enum ScalarOperation : int {
  ADD, SUBTRACT, MULTIPLY, DIVIDE, FLOOR_DIVIDE, REMAINDER, AND, OR, XOR, LEFT_SHIFT, RIGHT_SHIFT,
  LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL,
  // Of operators alone: NumPy's scalars ask the C library, its ufunc's loops round otherwise.
  POWER,
};

// An operand: its kind is a dtype's index or one of the weak kinds; a value that lies nowhere is its own.
struct ScalarOperand {
  int kind;
  const char* data;
  union {
    int64_t own;
    double own_real;
  };
  double own_imaginary;  // directly behind
};
// Of Python's integers the last are those that only uint64 holds.
constexpr int WEAK_UNSIGNED = NUM_KINDS;

constexpr bool is_integer(int kind) { return kind >= INT8 && kind <= UINT64; }

template <class T>
T scalar_load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <class T>
int scalar_store(int dtype, T value, char* out) {
  std::memcpy(out, &value, sizeof(T));
  return dtype;
}

template <class T>
int compare_scalars(int operation, T a, T b, char* out) {
  switch (operation) {
    case LESS: return scalar_store<bool>(BOOL, a < b, out);
    case LESS_EQUAL: return scalar_store<bool>(BOOL, a <= b, out);
    case EQUAL: return scalar_store<bool>(BOOL, a == b, out);
    case NOT_EQUAL: return scalar_store<bool>(BOOL, a != b, out);
    case GREATER: return scalar_store<bool>(BOOL, a > b, out);
    case GREATER_EQUAL: return scalar_store<bool>(BOOL, a >= b, out);
  }
  return -1;
}

// The same by Python's number of the comparison, for the dtypes that programs compare most.
template <class T>
bool compares(int comparison, T a, T b) noexcept {
  // A bit to each outcome: less, equal, greater, none of them; and those that Py_LT, Py_LE, Py_EQ, Py_NE, Py_GT, Py_GE ask for.
  static constexpr unsigned char asked[] = {1, 3, 2, 13, 4, 6};
  return (asked[comparison] & (a < b ? 1 : a == b ? 2 : a > b ? 4 : 8)) != 0;
}

// Whether complex numbers are equal, or are not; -1 for orders, which warn of NaN.
template <class T>
int are_same(int comparison, const std::complex<T>& a, const std::complex<T>& b) {
  return comparison == Py_EQ ? a == b : comparison == Py_NE ? a != b : -1;
}

// The same of two scalars of one dtype; -1 of dtypes that are compared elsewhere.
inline int compares_alike(int dtype, int comparison, const char* a, const char* b) noexcept {
  const auto of = [=]<class T>(T) { return compares(comparison, scalar_load<T>(a), scalar_load<T>(b)); };
  switch (dtype) {
    case INT8: return of(int8_t());
    case UINT8: return of(uint8_t());
    case INT16: return of(int16_t());
    case UINT16: return of(uint16_t());
    case INT32: return of(int32_t());
    case UINT32: return of(uint32_t());
    case UINT64: return of(uint64_t());
    case FLOAT32: return of(float());
    case COMPLEX64: return are_same(comparison, scalar_load<std::complex<float>>(a), scalar_load<std::complex<float>>(b));
    case COMPLEX128: return are_same(comparison, scalar_load<std::complex<double>>(a), scalar_load<std::complex<double>>(b));
  }
  return -1;
}

// Each returns the dtype of the result, or -1: the result is the loop's; or OVERFLOWED less the dtype: it is wrapped round.
constexpr int OVERFLOWED = -2;

// Floor division and the remainder that has the divisor's sign, in the order of operations that NumPy has them.
template <class T>
std::pair<T, T> divided(T a, T b) {
  T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest == 0) {
    rest = std::copysign(T(0), b);
  } else if ((b < 0) != (rest < 0)) {
    rest += b;
    quotient -= 1;
  }
  if (quotient == 0) return {std::copysign(T(0), a / b), rest};
  const T whole = std::floor(quotient);
  return {quotient - whole > T(0.5) ? whole + 1 : whole, rest};
}

template <class T>
std::enable_if_t<std::is_floating_point_v<T>, int> scalars_of(int dtype, int operation, T a, T b, char* out) {
  T result;
  bool zero_is_exact = true;
  switch (operation) {
    case ADD: result = a + b; break;
    case SUBTRACT: result = a - b; break;
    case MULTIPLY: result = a * b; zero_is_exact = a == 0 || b == 0; break;
    case DIVIDE:
      if (b == 0) return -1;
      result = a / b;
      zero_is_exact = a == 0;
      break;
    case FLOOR_DIVIDE:
    case REMAINDER: {
      if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return -1;
      const auto [quotient, rest] = divided(a, b);
      if (operation == REMAINDER) return scalar_store(dtype, rest, out);
      return std::isfinite(quotient) ? scalar_store(dtype, quotient, out) : -1;
    }
    case POWER:
      result = std::pow(a, b);
      // What is not finite, or zero, of operands that are so raises no flag.
      if (!std::isnan(result) && (std::isinf(a) || std::isinf(b) || (a == 0 && b > 0)))
        return scalar_store(dtype, result, out);
      zero_is_exact = false;
      break;
    default: return operation >= LESS ? compare_scalars(operation, a, b, out) : -1;
  }
  if (!std::isnormal(result) && !(result == 0 && zero_is_exact)) return -1;
  return scalar_store(dtype, result, out);
}

template <class T>
std::enable_if_t<std::is_integral_v<T>, int> scalars_of(int dtype, int operation, T a, T b, char* out) {
  T result;
  using Unsigned = std::make_unsigned_t<T>;
  constexpr int bits = std::numeric_limits<Unsigned>::digits;
  switch (operation) {
    case ADD:
      if (__builtin_add_overflow(a, b, &result)) return OVERFLOWED - scalar_store(dtype, result, out);
      break;
    case SUBTRACT:
      if (__builtin_sub_overflow(a, b, &result)) return OVERFLOWED - scalar_store(dtype, result, out);
      break;
    case MULTIPLY:
      if (__builtin_mul_overflow(a, b, &result)) return OVERFLOWED - scalar_store(dtype, result, out);
      break;
    case DIVIDE:
      if (b == 0) return -1;
      return scalar_store(FLOAT64, static_cast<double>(a) / static_cast<double>(b), out);
    case FLOOR_DIVIDE:
    case REMAINDER: {
      if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return -1;
      T quotient = a / b, rest = a % b;
      if (rest != 0 && (rest < 0) != (b < 0)) {
        --quotient;
        rest += b;
      }
      result = operation == REMAINDER ? rest : quotient;
      break;
    }
    case AND: result = a & b; break;
    case OR: result = a | b; break;
    case XOR: result = a ^ b; break;
    case LEFT_SHIFT:
      if (b < 0 || b >= bits) return -1;
      result = static_cast<T>(static_cast<Unsigned>(a) << b);
      break;
    case RIGHT_SHIFT:
      if (b < 0 || b >= bits) return -1;
      result = a >> b;
      break;
    case POWER: {
      if (b < 0) return -1;
      Unsigned base = static_cast<Unsigned>(a), power = 1;
      for (Unsigned rest = static_cast<Unsigned>(b); rest != 0; rest >>= 1) {
        // In the widest type: narrow ones are multiplied as signed integers, which must not overflow.
        if (rest & 1) power = static_cast<Unsigned>(uint64_t{power} * base);
        base = static_cast<Unsigned>(uint64_t{base} * base);
      }
      result = static_cast<T>(power);
      break;
    }
    default: return compare_scalars(operation, a, b, out);
  }
  return scalar_store(dtype, result, out);
}

// Whether a part is zero, or neither so large nor so small that a product or a quotient of such parts raises a flag.
template <class T>
bool is_moderate(T part) {
  constexpr T most = sizeof(T) == 8 ? T(1e70) : T(1e7);
  const T size = std::abs(part);
  return part == 0 || (size <= most && size >= 1 / most);
}
template <class T>
bool is_moderate(const std::complex<T>& value) {
  return is_moderate(value.real()) && is_moderate(value.imag());
}

// As NumPy's scalars have it: without a fused step, the divisor's smaller part scaled by the larger.
template <class T>
std::complex<T> product(const std::complex<T>& a, const std::complex<T>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
std::complex<T> quotient(const std::complex<T>& a, const std::complex<T>& b) {
  if (std::abs(b.real()) >= std::abs(b.imag())) {
    const T ratio = b.imag() / b.real(), scale = 1 / (b.real() + b.imag() * ratio);
    return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
  }
  const T ratio = b.real() / b.imag(), scale = 1 / (b.imag() + b.real() * ratio);
  return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
}

template <class T>
int scalars_of(int dtype, int operation, const std::complex<T>& a, const std::complex<T>& b, char* out) {
  // NumPy: complex numbers are in order of their real parts, those whose real parts are equal of their imaginary ones.
  if (operation == EQUAL || operation == NOT_EQUAL)
    return scalar_store<bool>(BOOL, (a == b) == (operation == EQUAL), out);
  if (operation >= LESS && operation <= GREATER_EQUAL)
    return a.real() == b.real() ? compare_scalars(operation, a.imag(), b.imag(), out)
                                : compare_scalars(operation, a.real(), b.real(), out);
  if (!is_moderate(a) || !is_moderate(b)) return -1;
  switch (operation) {
    case ADD: return scalar_store(dtype, a + b, out);
    case SUBTRACT: return scalar_store(dtype, a - b, out);
    case MULTIPLY: return scalar_store(dtype, product(a, b), out);
    case DIVIDE: return b == std::complex<T>() ? -1 : scalar_store(dtype, quotient(a, b), out);
    case POWER:
      // NumPy multiplies for small integers, and asks the C library for all else.
      if (b == T(2)) return scalar_store(dtype, product(a, a), out);
      if (b == T(3) && sizeof(T) == 8) return scalar_store(dtype, product(a, product(a, a)), out);
  }
  return -1;
}

// Read an operand as a T; false where that changes an integer's value.
template <class T>
bool read_scalar(const ScalarOperand& operand, T* value) {
  switch (operand.kind) {
    case BOOL: *value = static_cast<T>(scalar_load<uint8_t>(operand.data) != 0); return true;
    case INT8: *value = static_cast<T>(scalar_load<int8_t>(operand.data)); return true;
    case UINT8: *value = static_cast<T>(scalar_load<uint8_t>(operand.data)); return true;
    case INT16: *value = static_cast<T>(scalar_load<int16_t>(operand.data)); return true;
    case UINT16: *value = static_cast<T>(scalar_load<uint16_t>(operand.data)); return true;
    case INT32: *value = static_cast<T>(scalar_load<int32_t>(operand.data)); return true;
    case UINT32: *value = static_cast<T>(scalar_load<uint32_t>(operand.data)); return true;
    case INT64: *value = static_cast<T>(scalar_load<int64_t>(operand.data)); return true;
    case UINT64: case WEAK_UNSIGNED: *value = static_cast<T>(scalar_load<uint64_t>(operand.data)); return true;
    case FLOAT16: *value = static_cast<T>(half_to_double(scalar_load<uint16_t>(operand.data))); return true;
    case FLOAT32: *value = static_cast<T>(scalar_load<float>(operand.data)); return true;
    case FLOAT64: *value = static_cast<T>(scalar_load<double>(operand.data)); return true;
    case WEAK_INT: {
      const auto given = scalar_load<int64_t>(operand.data);
      *value = static_cast<T>(given);
      if (std::is_floating_point_v<T>) return true;
      return static_cast<int64_t>(*value) == given && (given >= 0 || std::is_signed_v<T>);
    }
    case WEAK_FLOAT: {
      const auto given = scalar_load<double>(operand.data);
      *value = static_cast<T>(given);
      return std::isfinite(*value) && (sizeof(T) == 8 || given == 0 || std::isnormal(*value));
    }
  }
  return false;
}

template <class T>
bool read_scalar(const ScalarOperand& operand, std::complex<T>* value) {
  T real = 0;
  if (operand.kind == WEAK_COMPLEX || operand.kind == WEAK_FLOAT) {
    const double imaginary = operand.kind == WEAK_FLOAT ? 0 : scalar_load<double>(operand.data + sizeof(double));
    const std::complex<double> given(scalar_load<double>(operand.data), imaginary);
    *value = std::complex<T>(given);
    // A number of Python's that becomes infinite or zero is warned of.
    const auto stays = [](double part) { return is_moderate(part) || !std::isfinite(part); };
    return sizeof(T) == 8 || (stays(given.real()) && stays(given.imag()));
  }
  if (operand.kind == COMPLEX128)
    *value = std::complex<T>(scalar_load<std::complex<double>>(operand.data));
  else if (operand.kind == COMPLEX64)
    *value = std::complex<T>(scalar_load<std::complex<float>>(operand.data));
  else if (read_scalar(operand, &real))
    *value = real;
  else
    return false;
  return true;
}

template <class T>
int read_and_compute(int dtype, int operation, const ScalarOperand& a, const ScalarOperand& b, char* out) {
  T first, second;
  if (!read_scalar(a, &first) || !read_scalar(b, &second)) return -1;
  return scalars_of(dtype, operation, first, second, out);
}

// Round to float16; false where that overflows, or is subnormal, which is warned of.
inline bool round_to_half(float* value) {
  if (!(std::abs(*value) < 65504 && std::abs(*value) >= 6.2e-5f) && *value != 0) return false;
  *value = c10::Half(*value);
  return true;
}

// Of float16: computed as float32 and rounded once.
inline int compute_halves(int operation, const ScalarOperand& a, const ScalarOperand& b, char* out) {
  float first, second;
  char wide[sizeof(float)];
  if (!read_scalar(a, &first) || !read_scalar(b, &second)) return -1;
  if ((a.kind != FLOAT16 && !round_to_half(&first)) || (b.kind != FLOAT16 && !round_to_half(&second))) return -1;
  const int dtype = scalars_of<float>(FLOAT32, operation, first, second, wide);
  if (dtype != FLOAT32) {
    out[0] = wide[0];
    return dtype;
  }
  auto result = scalar_load<float>(wide);
  if (!round_to_half(&result)) return -1;
  return scalar_store(FLOAT16, c10::Half(result).x, out);
}

// The dtype that holds the values of two integer dtypes; -1 where none of them does.
inline int common_integer_dtype(int a, int b) {
  if (a > b) std::swap(a, b);
  if ((a - b) % 2 == 0) return b;  // both signed, or both unsigned
  const int is_signed = b % 2 == INT8 % 2 ? b : a, is_unsigned = a + b - is_signed;
  return is_signed > is_unsigned ? is_signed : is_unsigned < UINT64 ? is_unsigned + 1 : -1;
}

constexpr bool is_complex(int kind) { return kind == COMPLEX64 || kind == COMPLEX128 || kind == WEAK_COMPLEX; }

// The same where one of them is complex; of two weak ones there is no dtype.
inline int common_complex_dtype(int a, int b) {
  if (a == COMPLEX128 || b == COMPLEX128) return COMPLEX128;
  if (!is_complex(a)) std::swap(a, b);
  if (a == WEAK_COMPLEX) return b == FLOAT16 || b == FLOAT32 || b == COMPLEX64 ? COMPLEX64 : COMPLEX128;
  return (b > UINT16 && b < FLOAT16) || b == FLOAT64 ? COMPLEX128 : COMPLEX64;
}

// The dtype in which NEP 50 has two scalars meet.
inline int common_scalar_dtype(int a, int b) {
  if (a == WEAK_UNSIGNED || b == WEAK_UNSIGNED) return a == UINT64 || b == UINT64 ? UINT64 : -1;
  if (is_complex(a) || is_complex(b)) return common_complex_dtype(a, b);
  if (a == BOOL) std::swap(a, b);
  if (b == BOOL && a != BOOL) return a == WEAK_INT ? INT64 : a == WEAK_FLOAT ? FLOAT64 : a;
  if (a == b || b == WEAK_INT) return a;
  if (is_integer(a) && is_integer(b)) return common_integer_dtype(a, b);
  if (a == WEAK_INT) return b;
  if (b == WEAK_FLOAT) return is_integer(a) ? FLOAT64 : a;
  if (a == WEAK_FLOAT) return is_integer(b) ? FLOAT64 : b;
  if (a > b) std::swap(a, b);
  if (b == FLOAT64) return FLOAT64;
  if (b == FLOAT32) return a <= UINT16 || a == FLOAT16 ? FLOAT32 : FLOAT64;
  if (b == FLOAT16) return a <= UINT8 ? FLOAT16 : a <= UINT16 ? FLOAT32 : FLOAT64;
  return -1;
}

// Whether a scalar is true: 0 or 1, -1 where its dtype is not among these.
inline int truth_of_scalar(int dtype, const char* data) {
  switch (dtype) {
    case BOOL: case INT8: case UINT8: return data[0] != 0;
    case INT16: case UINT16: return scalar_load<int16_t>(data) != 0;
    case INT32: case UINT32: return scalar_load<int32_t>(data) != 0;
    case INT64: case UINT64: return scalar_load<int64_t>(data) != 0;
    case FLOAT16: return (scalar_load<uint16_t>(data) & 0x7fff) != 0;
    case FLOAT32: return scalar_load<float>(data) != 0;
    case FLOAT64: return scalar_load<double>(data) != 0;
    case COMPLEX64: return scalar_load<std::complex<float>>(data) != 0.0f;
    case COMPLEX128: return scalar_load<std::complex<double>>(data) != 0.0;
  }
  return -1;
}

inline int truths(int operation, const ScalarOperand& a, const ScalarOperand& b, char* out) {
  const bool first = a.data[0] != 0, second = b.data[0] != 0;
  switch (operation) {
    case AND: return scalar_store<bool>(BOOL, first && second, out);
    case OR: return scalar_store<bool>(BOOL, first || second, out);
    case XOR: return scalar_store<bool>(BOOL, first != second, out);
    default: return compare_scalars(operation, first, second, out);
  }
}

// The kinds that programs compute with most; of two that are different, one is real.
inline bool is_wide(int kind) {
  return (1u << kind & (1u << FLOAT64 | 1u << INT64 | 1u << WEAK_INT | 1u << WEAK_FLOAT)) != 0;
}
inline bool is_real(int kind) { return kind == FLOAT64 || kind == WEAK_FLOAT; }
inline double as_real(const ScalarOperand& operand) {
  return is_real(operand.kind) ? scalar_load<double>(operand.data)
                               : static_cast<double>(scalar_load<int64_t>(operand.data));
}

// Compute with a zero of the type that a dtype's values have; -1 of a dtype that has none here. Truths and float16 are
// computed otherwise.
template <class Compute>
int by_type(int dtype, const Compute& compute) {
  switch (dtype) {
    case INT8: return compute(int8_t());
    case UINT8: return compute(uint8_t());
    case INT16: return compute(int16_t());
    case UINT16: return compute(uint16_t());
    case INT32: return compute(int32_t());
    case UINT32: return compute(uint32_t());
    case INT64: return compute(int64_t());
    case UINT64: return compute(uint64_t());
    case FLOAT32: return compute(float());
    case FLOAT64: return compute(double());
    case COMPLEX64: return compute(std::complex<float>());
    case COMPLEX128: return compute(std::complex<double>());
  }
  return -1;
}

// Whether a scalar compares so with a Python number, which is of the scalar's dtype (integers and floats: of the real
// numbers); -1 where the number does not fit the dtype, of orders of complex numbers, and of truths and float16.
inline int compares_with(int dtype, int comparison, const char* value, int64_t number) {
  return by_type(dtype, [=]<class T>(T) -> int {
    constexpr int64_t exact = int64_t{1} << 24;  // of every float
    const T own = scalar_load<T>(value);
    if constexpr (std::is_integral_v<T>) {
      const int order = std::cmp_less(own, number) ? -1 : std::cmp_greater(own, number);
      return compares(comparison, order, 0);
    } else {
      if (number < -exact || number > exact) return -1;
      if constexpr (std::is_floating_point_v<T>) return compares(comparison, own, static_cast<T>(number));
      else return are_same(comparison, own, T(static_cast<typename T::value_type>(number)));
    }
  });
}

inline int compares_with(int dtype, int comparison, const char* value, double number) {
  return by_type(dtype, [=]<class T>(T) -> int {
    const T own = scalar_load<T>(value);
    if constexpr (std::is_integral_v<T>) {
      return compares(comparison, static_cast<double>(own), number);
    } else {
      using Real = decltype(std::abs(own));
      if (std::isfinite(number) && std::abs(number) > std::numeric_limits<Real>::max()) return -1;
      if constexpr (std::is_floating_point_v<T>) return compares(comparison, own, static_cast<T>(number));
      else return are_same(comparison, own, T(static_cast<Real>(number)));
    }
  });
}

// NumPy: a bool on the left leaves powers to the ufunc, which computes in the dtype of the exponent.
inline int power_of_truth(bool base, const ScalarOperand& exponent, char* out) {
  if (is_complex(exponent.kind)) return -1;
  return by_type(exponent.kind, [&]<class T>(T) {
    if constexpr (std::is_arithmetic_v<T>) {
      const T power = scalar_load<T>(exponent.data);
      if (power >= 0) return scalar_store<T>(exponent.kind, base || power == 0, out);
    }
    return -1;
  });
}

inline bool may_be_nan(const ScalarOperand& operand) {
  std::complex<double> value;
  return !read_scalar(operand, &value) || std::isnan(value.real()) || std::isnan(value.imag());
}

inline int compute_scalars(int operation, const ScalarOperand& a, const ScalarOperand& b, char* out) {
  if (is_wide(a.kind) && is_wide(b.kind)) {
    if (is_real(a.kind) || is_real(b.kind)) return scalars_of<double>(FLOAT64, operation, as_real(a), as_real(b), out);
    return scalars_of<int64_t>(INT64, operation, scalar_load<int64_t>(a.data), scalar_load<int64_t>(b.data), out);
  }
  if (operation == POWER && a.kind == BOOL) return power_of_truth(a.data[0] != 0, b, out);
  const bool alike = a.kind == b.kind;
  const int dtype = alike ? a.kind : common_scalar_dtype(a.kind, b.kind);
  // NumPy: scalars whose dtype is neither's own leave them to the ufunc, whose powers are rounded otherwise, and which
  // warns of NaN in complex comparisons.
  if (dtype != a.kind && dtype != b.kind) {
    if (operation == POWER || (operation >= LESS && is_complex(dtype) && (may_be_nan(a) || may_be_nan(b)))) return -1;
  }
  if (dtype == BOOL) return truths(operation, a, b, out);
  if (dtype == FLOAT16) return compute_halves(operation, a, b, out);
  return by_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (alike) return scalars_of(dtype, operation, scalar_load<T>(a.data), scalar_load<T>(b.data), out);
    return read_and_compute<T>(dtype, operation, a, b, out);
  });
}

template <class T>
T wrapped_negative(T value) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value));
  return -value;
}

// Negative, positive, absolute and invert, in the order of the operators in ndarray.pxd.
template <class T>
int scalar_of(int dtype, int operation, T value, char* out) {
  if (operation == 0 || (operation == 2 && value < 0)) {
    if (std::is_unsigned_v<T> ? value != 0 : std::is_integral_v<T> && value == std::numeric_limits<T>::min())
      return OVERFLOWED - scalar_store<T>(dtype, wrapped_negative(value), out);
    return scalar_store<T>(dtype, -value, out);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (operation == 2) return scalar_store<T>(dtype, std::abs(value), out);  // of -0.0 as well
  if (operation == 1 || operation == 2) return scalar_store(dtype, value, out);
  if constexpr (std::is_integral_v<T>) return scalar_store<T>(dtype, ~value, out);
  return -1;
}

template <class T>
int scalar_of(int dtype, int operation, const std::complex<T>& value, char* out) {
  if (operation == 0) return scalar_store(dtype, -value, out);
  if (operation == 1) return scalar_store(dtype, value, out);
  if (operation == 2 && is_moderate(value))
    return scalar_store(dtype == COMPLEX64 ? FLOAT32 : FLOAT64, std::hypot(value.real(), value.imag()), out);
  return -1;
}

inline int half_of(int operation, uint16_t bits, char* out) {
  constexpr uint16_t sign = 0x8000;
  if (operation > 2) return -1;
  return scalar_store<uint16_t>(FLOAT16, operation == 0 ? bits ^ sign : operation == 1 ? bits : bits & ~sign, out);
}

inline int compute_scalar(int operation, int dtype, const char* data, char* out) {
  if (dtype == FLOAT16) return half_of(operation, scalar_load<uint16_t>(data), out);
  return by_type(dtype, [&](auto zero) { return scalar_of(dtype, operation, scalar_load<decltype(zero)>(data), out); });
}

}  // namespace fastnp
