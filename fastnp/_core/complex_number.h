// A complex number as its parts: sums and products as NumPy's loops round them, one multiplication after the other.
#pragma once

namespace fastnp {

template <class T>
struct Parts {
  T real, imaginary;
  Parts() = default;
  explicit Parts(T number) : real(number), imaginary(0) {}
  Parts(T first, T second) : real(first), imaginary(second) {}
  Parts operator+(const Parts& other) const { return {real + other.real, imaginary + other.imaginary}; }
  Parts operator*(const Parts& other) const {
    return {real * other.real - imaginary * other.imaginary, real * other.imaginary + imaginary * other.real};
  }
};

}  // namespace fastnp
