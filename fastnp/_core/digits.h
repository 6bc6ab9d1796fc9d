// Unsigned numbers sorted by their digits, from the last that counts to the first, each time keeping the order so far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "vector.h"

namespace fastnp {

// Whether NumPy's vectors sort elements of such a dtype sooner than their digits do: 0.35 to 0.8 of the time. Fourth-generation
// Zen writes what is compressed out of a vector so slowly that it takes up to five times as long; the third, which has no such
// instruction, takes 0.5 to 0.8, but with long integers, of which vectors of 32 bytes have no least, 1.2 to 1.4 unless many.
template <class T>
inline bool has_quick_vectors(int64_t count) {
#ifdef FASTNP_X86
  // Of more the digits take 0.7 of the time, of fewer 1.5 to 1.9.
  static const int64_t most_of_two_bytes = is_late_zen() ? 400000 : 100000;
  static const bool vectors = sizeof(T) == 2 ? __builtin_cpu_supports("avx512vbmi2") : __builtin_cpu_supports("avx2");
  constexpr int64_t kManyLongs = 60000;
  if (is_third_zen()) return vectors && (sizeof(T) == 4 || std::is_floating_point_v<T> || (sizeof(T) == 8 && count >= kManyLongs));
  static const bool quick = vectors && (!is_by_amd() || (is_late_zen() && has_avx512()));
  return quick && (sizeof(T) >= 4 || (sizeof(T) == 2 && count < most_of_two_bytes));
#else
  return false;
#endif
}

// Whether so many numbers are sorted sooner by their digits than by NumPy, whose vectors compare them. (Counts have 32 bits.)
template <class T>
inline bool has_quick_digits(int64_t count) {
  return count >= (sizeof(T) == 4 ? 1536 : sizeof(T) == 1 ? 256 : 768) && count < int64_t{1} << 31 &&
         !has_quick_vectors<T>(count);
}

// How the digits of numbers are read: `count` of them, each of `bits` bits, the last from bit `low` on.
struct Digits {
  static constexpr int kWidest = 11, kMost = 5;
  int count, bits, low;

  // For numbers that differ below bit `end`, and from bit `begin` on at most. Those bits that tell so many of them apart are
  // enough, and as many more as floats need, whose first bits, the exponent's, are often alike; the others are compared.
  Digits(int64_t length, int begin, int end) {
    constexpr int kExponent = 12;
    int enough = kExponent;
    for (int64_t rest = length; rest > 0; rest >>= 1) ++enough;
    const int wanted = std::max(1, std::min(end - begin, enough));
    // Tables of more counts than there are numbers cost more than the digits that they save; and while two thousand places
    // that are written to by turns leave the first cache, two digits of them take less time than three of fewer.
    const int widest = length < kLong ? 8 : wanted <= 2 * kWidest ? kWidest : 9;
    count = (wanted + widest - 1) / widest;
    bits = (wanted + count - 1) / count;
    low = std::max(begin, end - count * bits);
  }
  template <class Number>
  uint32_t of(Number number, int digit) const {
    return static_cast<uint32_t>(number >> (low + digit * bits)) & ((1u << bits) - 1);
  }

 private:
  static constexpr int64_t kLong = 4096;
};

// Numbers that lie in memory.
template <class Number>
struct NumbersAt {
  const Number* numbers;
  Number operator()(uint64_t place) const { return numbers[place]; }
};

template <class Number, class Get>
Number* sort_numbers(Get&& get, int64_t count, int begin, int end, Number* first, Number* second);

// Bring numbers that are in order from bit `low` on, and differ from bit `begin` on, in order: those that begin alike. `other`
// has room for as many.
template <class Number>
void sort_alike(Number* numbers, int64_t count, int begin, int low, Number* other) {
  constexpr int64_t kShort = 24;
  for (int64_t i = 1; i < count; ++i) {
    if (numbers[i] >= numbers[i - 1]) continue;
    const Number first_bits = numbers[i] >> low;
    int64_t start = i - 1, stop = i + 1;
    while (start > 0 && numbers[start - 1] >> low == first_bits) --start;
    while (stop < count && numbers[stop] >> low == first_bits) ++stop;
    Number* const run = numbers + start;
    const int64_t length = stop - start;
    if (has_quick_digits<Number>(length)) {
      // Such as all but an outlier or two.
      const Number* const sorted = sort_numbers(NumbersAt<Number>{run}, length, begin, low, other, run);
      if (sorted != run) std::copy(sorted, sorted + length, run);
    } else if (length > kShort) {
      std::sort(run, run + length);
    } else {
      for (int64_t j = i - start; j < length; ++j) {
        const Number number = run[j];
        int64_t place = j;
        for (; place > 0 && number < run[place - 1]; --place) run[place] = run[place - 1];
        run[place] = number;
      }
    }
    i = stop - 1;
  }
}

template <int kCount, class Number, class Get>
Number* sort_by_digits(const Digits digits, Get get, int64_t count, Number* first, Number* second) {
  uint32_t tables[kCount][1 << (kCount > 2 ? 9 : Digits::kWidest)];
  for (uint32_t* const table : tables) std::fill_n(table, 1 << digits.bits, 0);
  for (int64_t i = 0; i < count; ++i) {
    const Number number = get(i);
    for (int digit = 0; digit < kCount; ++digit) ++tables[digit][digits.of(number, digit)];
  }
  const Number one = get(0);
  Number* from = nullptr;
  for (int digit = 0; digit < kCount; ++digit) {
    uint32_t* const places = tables[digit];
    if (places[digits.of(one, digit)] == count && (from != nullptr || digit + 1 < kCount)) continue;
    uint32_t place = 0;
    for (int value = 0; value < 1 << digits.bits; ++value) place += std::exchange(places[value], place);
    Number* const into = from == first ? second : first;
    const auto move = [=](auto&& number_at) {
      for (int64_t i = 0; i < count; ++i) {
        const Number number = number_at(i);
        into[places[digits.of(number, digit)]++] = number;
      }
    };
    if (from == nullptr) move(get);
    else move([=](int64_t i) { return from[i]; });
    from = into;
  }
  return from;
}

// Sort the numbers get(0) to get(count - 1), which differ from bit `begin` to before bit `end`, those that do not in their
// own order. Returns where they lie: in `first`, or in `second`, from which `get` may read.
template <class Number, class Get>
Number* sort_numbers(Get&& get, int64_t count, int begin, int end, Number* first, Number* second) {
  const Digits digits(count, begin, end);
  Number* const sorted = [&] {
    switch (digits.count) {
      case 1: return sort_by_digits<1>(digits, get, count, first, second);
      case 2: return sort_by_digits<2>(digits, get, count, first, second);
      case 3: return sort_by_digits<3>(digits, get, count, first, second);
      case 4: return sort_by_digits<4>(digits, get, count, first, second);
      default: return sort_by_digits<Digits::kMost>(digits, get, count, first, second);
    }
  }();
  if (digits.low > begin) sort_alike(sorted, count, begin, digits.low, sorted == first ? second : first);
  return sorted;
}

}  // namespace fastnp
