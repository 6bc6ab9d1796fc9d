// Cross products of vectors of three that lie one after the other.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dtype.h"

namespace fastnp {

// As NumPy rounds them; integers wrap. `a_step` and `b_step` are 3, or 0 where one vector meets all others.
template <class T>
void cross_each(const T* a, int64_t a_step, const T* b, int64_t b_step, T* out, int64_t count) {
  for (; count > 0; --count, a += a_step, b += b_step, out += 3) {
    const T x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }
}

template <class T>
void cross_each(const char* a, int64_t a_step, const char* b, int64_t b_step, char* out, int64_t count) {
  cross_each(reinterpret_cast<const T*>(a), a_step, reinterpret_cast<const T*>(b), b_step, reinterpret_cast<T*>(out), count);
}

// False for a dtype that is not computed so.
inline bool cross_vectors(int dtype, const char* a, bool a_repeated, const char* b, bool b_repeated, char* out, int64_t count) {
  const int64_t a_step = a_repeated ? 0 : 3, b_step = b_repeated ? 0 : 3;
  switch (dtype) {
    case FLOAT64: cross_each<double>(a, a_step, b, b_step, out, count); return true;
    case FLOAT32: cross_each<float>(a, a_step, b, b_step, out, count); return true;
    case INT64: cross_each<uint64_t>(a, a_step, b, b_step, out, count); return true;
    case INT32: cross_each<uint32_t>(a, a_step, b, b_step, out, count); return true;
    default: return false;
  }
}

}  // namespace fastnp
