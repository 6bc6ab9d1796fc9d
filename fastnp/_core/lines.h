// Functions of one dimension: counts of small integers, and values between sample points, as NumPy computes them.
#pragma once
#include <cmath>
#include <cstdint>

namespace fastnp {

// Return the largest of integers, or -1 where one is negative or there are none.
inline int64_t largest_natural(const int64_t* values, int64_t count) {
  int64_t low = 0, high = -1;
  for (int64_t i = 0; i < count; ++i) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  return low < 0 ? -1 : high;
}

inline bool is_increasing(const double* values, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    if (!(values[i - 1] <= values[i])) return false;
  return count > 0 && values[0] == values[0];
}

// The number of the last sample point that is not above x, found from the one before; x is not below the first.
inline int64_t find_segment(const double* points, int64_t count, double x, int64_t guess) {
  const bool behind = points[guess] <= x;
  if (behind && (guess + 1 == count || x < points[guess + 1])) return guess;
  if (behind && (guess + 2 == count || x < points[guess + 2])) return guess + 1;
  int64_t low = behind ? guess : 0, high = behind ? count : guess;
  // Without branches: which way a search goes cannot be foretold.
  while (high - low > 1) {
    const int64_t middle = low + ((high - low) >> 1);
    const bool above = points[middle] <= x;
    low = above ? middle : low;
    high = above ? high : middle;
  }
  return low;
}

// Sample points increase. A slope is computed where it is needed: the quotient is the same one.
inline void interpolate(const double* xs, int64_t xs_step, int64_t count, const double* points, const double* values,
                        int64_t size, double left, double right, double* out) {
  int64_t k = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double x = xs[i * xs_step];
    if (x != x) {
      out[i] = x;
    } else if (x < points[0]) {
      out[i] = left;
    } else if (x > points[size - 1]) {
      out[i] = right;
    } else {
      k = find_segment(points, size, x, k);
      if (k == size - 1 || points[k] == x) {
        out[i] = values[k];
        continue;
      }
      const double slope = (values[k + 1] - values[k]) / (points[k + 1] - points[k]);
      out[i] = slope * (x - points[k]) + values[k];
      if (out[i] != out[i]) {
        out[i] = slope * (x - points[k + 1]) + values[k + 1];
        if (out[i] != out[i] && values[k] == values[k + 1]) out[i] = values[k];
      }
    }
  }
}

}  // namespace fastnp
