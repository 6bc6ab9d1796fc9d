// ufunc.at on one axis: each element that an index names is combined with a value, once for each time it is named.
#pragma once
#include <complex>
#include <cstdint>
#include <cstring>

#include "dtype.h"
#include "iteration.h"

namespace fastnp {

struct ScatterAdd {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct ScatterSubtract {
  template <class T>
  static T apply(T a, T b) { return a - b; }
};
struct ScatterMultiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
// NumPy: a NaN stays, and here the comparison with one is an invalid operation.
struct ScatterMaximum {
  template <class T>
  static T apply(T a, T b) { return a >= b || a != a ? a : b; }
};
struct ScatterMinimum {
  template <class T>
  static T apply(T a, T b) { return a <= b || a != a ? a : b; }
};

// Indices are in bounds, counted from either end; steps are in bytes.
using Scatter = void (*)(char* data, int64_t step, int64_t size, const int64_t* indices, int64_t count, const char* values,
                         int64_t value_step);

template <class Operation, class T>
void scatter(char* data, int64_t step, int64_t size, const int64_t* indices, int64_t count, const char* values,
             int64_t value_step) {
  const auto place_of = [=](int64_t index) { return index + ((index >> 63) & size); };
  const T* const packed = reinterpret_cast<const T*>(values);
  if (step == sizeof(T) && value_step == 0) {
    T* const elements = reinterpret_cast<T*>(data);
    const T value = *packed;
    for (int64_t i = 0; i < count; ++i) {
      T& element = elements[place_of(indices[i])];
      element = Operation::template apply<T>(element, value);
    }
    return;
  }
  if (step == sizeof(T) && value_step == sizeof(T)) {
    T* const elements = reinterpret_cast<T*>(data);
    for (int64_t i = 0; i < count; ++i) {
      T& element = elements[place_of(indices[i])];
      element = Operation::template apply<T>(element, packed[i]);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i, values += value_step) {
    T* const element = reinterpret_cast<T*>(data + place_of(indices[i]) * step);
    *element = Operation::template apply<T>(*element, *reinterpret_cast<const T*>(values));
  }
}

// Arithmetic of integers goes round: that of the unsigned ones of their width.
template <class Operation>
Scatter scatter_modulo(int dtype) {
  switch (dtype) {
    case INT8: case UINT8: return scatter<Operation, uint8_t>;
    case INT16: case UINT16: return scatter<Operation, uint16_t>;
    case INT32: case UINT32: return scatter<Operation, uint32_t>;
    case INT64: case UINT64: return scatter<Operation, uint64_t>;
    case FLOAT32: return scatter<Operation, float>;
    case FLOAT64: return scatter<Operation, double>;
    default: return nullptr;
  }
}

template <class Operation>
Scatter scatter_ordered(int dtype) {
  switch (dtype) {
    case INT8: return scatter<Operation, int8_t>;
    case UINT8: return scatter<Operation, uint8_t>;
    case INT16: return scatter<Operation, int16_t>;
    case UINT16: return scatter<Operation, uint16_t>;
    case INT32: return scatter<Operation, int32_t>;
    case UINT32: return scatter<Operation, uint32_t>;
    case INT64: return scatter<Operation, int64_t>;
    case UINT64: return scatter<Operation, uint64_t>;
    case FLOAT32: return scatter<Operation, float>;
    case FLOAT64: return scatter<Operation, double>;
    default: return nullptr;
  }
}

// Sums of complex numbers, by their parts.
template <class Operation>
Scatter scatter_parts(int dtype) {
  return dtype == COMPLEX64 ? scatter<Operation, std::complex<float>>
         : dtype == COMPLEX128 ? scatter<Operation, std::complex<double>> : scatter_modulo<Operation>(dtype);
}

// The loop for a ufunc by its name; null where NumPy's is called for each element.
inline Scatter find_scatter(const char* ufunc, int dtype) {
  if (!std::strcmp(ufunc, "add")) return scatter_parts<ScatterAdd>(dtype);
  if (!std::strcmp(ufunc, "subtract")) return scatter_parts<ScatterSubtract>(dtype);
  if (!std::strcmp(ufunc, "multiply")) return scatter_modulo<ScatterMultiply>(dtype);
  if (!std::strcmp(ufunc, "maximum")) return scatter_ordered<ScatterMaximum>(dtype);
  if (!std::strcmp(ufunc, "minimum")) return scatter_ordered<ScatterMinimum>(dtype);
  return nullptr;
}

// The same by the ufunc's inner loop, an element at a time.
inline void scatter_by_loop(const Loop& loop, char* data, int64_t step, int64_t size, const int64_t* indices, int64_t count,
                            const char* values, int64_t value_step) {
  const intptr_t one = 1, steps[] = {0, 0, 0};
  for (int64_t i = 0; i < count; ++i, values += value_step) {
    char* const element = data + (indices[i] + (indices[i] < 0 ? size : 0)) * step;
    char* args[] = {element, const_cast<char*>(values), element};
    loop.function(args, &one, steps, loop.data);
  }
}

}  // namespace fastnp
