// Medians of lines that are short enough to be sorted on the stack.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "dtype.h"
#include "lanes.h"

namespace fastnp {

inline constexpr int64_t kLongestMedian = 512;

// The mean of the middle two numbers, or the middle one, of numbers that are not NaN, which it moves. False where that is no
// number, and NumPy has something to say.
template <class T, class R>
inline bool middle_of(T* numbers, int64_t length, R* middle) {
  T* const upper = numbers + length / 2;
  if (length <= 16)
    for (T* end = numbers + 1; end < numbers + length; ++end) {
      const T number = *end;
      T* place = end;
      for (; place > numbers && number < place[-1]; --place) *place = place[-1];
      *place = number;
    }
  else
    std::nth_element(numbers, upper, numbers + length);
  if (length % 2) {
    *middle = R(0) + R(*upper);  // NumPy: a mean, whose sum begins with zero
    return true;
  }
  const R lower = R(length <= 16 ? upper[-1] : *std::max_element(numbers, upper));
  *middle = (R(0) + lower + R(*upper)) / R(2);
  return std::isfinite(*middle) || lower == R(*upper);
}

// The median of each line, one after the other; where NaN counts and there is one, that. False where NumPy has something to say.
template <class T, class R>
bool medians_of(bool skips_nan, const Lanes& lanes, char* data, R* medians) {
  return lanes.for_each(data, data, [&](char* line, char*) {
    T numbers[kLongestMedian];
    int64_t length = 0;
    for (int64_t i = 0; i < lanes.length; ++i, line += lanes.step) {
      const T number = *reinterpret_cast<const T*>(line);
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(number)) {
          if (skips_nan) continue;
          *medians++ = number;
          return true;
        }
      numbers[length++] = number;
    }
    return length > 0 && middle_of(numbers, length, medians++);
  });
}

inline bool find_medians(int dtype, bool skips_nan, const Lanes& lanes, char* data, char* medians) {
  if (dtype == BOOL) return medians_of<uint8_t>(skips_nan, lanes, data, reinterpret_cast<double*>(medians));
  return of_number<bool>(dtype, [&](auto as) {
    using T = typename decltype(as)::type;
    using R = std::conditional_t<std::is_same_v<T, float>, float, double>;
    return medians_of<T>(skips_nan, lanes, data, reinterpret_cast<R*>(medians));
  });
}

}  // namespace fastnp
