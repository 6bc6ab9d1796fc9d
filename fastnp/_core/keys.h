// Elements as keys, unsigned integers in the order of the elements; elements sorted by them, and places.
#pragma once
#include <Python.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "digits.h"
#include "dtype.h"
#include "vector.h"

namespace fastnp {

constexpr int64_t kShortRun = 64;  // keys that begin alike up to which they are compared one with another

template <class T>
struct Keyed {
  using type = T;
};

// Call visit(Keyed<T>{}) for the type of a dtype; -1 for half precision and complex numbers.
template <class Visit>
inline int64_t with_keyed(int dtype, Visit&& visit) {
  switch (dtype) {
    case BOOL: case UINT8: return visit(Keyed<uint8_t>{});
    case INT8: return visit(Keyed<int8_t>{});
    case INT16: return visit(Keyed<int16_t>{});
    case UINT16: return visit(Keyed<uint16_t>{});
    case INT32: return visit(Keyed<int32_t>{});
    case UINT32: return visit(Keyed<uint32_t>{});
    case INT64: return visit(Keyed<int64_t>{});
    case UINT64: return visit(Keyed<uint64_t>{});
    case FLOAT32: return visit(Keyed<float>{});
    case FLOAT64: return visit(Keyed<double>{});
    default: return -1;
  }
}

template <class T>
using KeyOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class Key>
constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);

template <class T>
inline KeyOf<T> key_of(T value) {
  using Key = KeyOf<T>;
  if constexpr (std::is_floating_point_v<T>) {
    Key bits;
    std::memcpy(&bits, &value, sizeof bits);
    return (bits & kSign<Key>) != 0 ? ~bits : bits ^ kSign<Key>;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(static_cast<std::make_signed_t<Key>>(value)) ^ kSign<Key>;
  } else {
    return value;
  }
}

template <class T>
inline T of_key(KeyOf<T> key) {
  using Key = KeyOf<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const Key bits = (key & kSign<Key>) != 0 ? key ^ kSign<Key> : ~key;
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ kSign<Key>);
  } else {
    return static_cast<T>(key);
  }
}

// The key by which an element is sorted: NaNs are last and equal, and so are zeros.
template <class T>
inline KeyOf<T> sorting_key_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value != value ? static_cast<KeyOf<T>>(-1) : key_of(value + T{0});
  } else {
    return key_of(value);
  }
}

// --- elements ---------------------------------------------------------------------------------------------------------

// What one look at some elements tells.
template <class T>
struct Survey {
  T least = 0, greatest = 0;  // of integers; between these lie all floats that are finite numbers
  bool in_order = true, has_nan = false, has_negative_zero = false;

  Survey(const T* values, int64_t count) {
    if (count == 0) return;
#ifdef FASTNP_X86
    if (count >= kVectorFrom && has_avx2()) {
      look_widely(values, count);
      return;
    }
#endif
    look(values, count);
  }
  // Whether equal elements may differ, or an element from itself.
  bool is_odd() const { return has_nan || has_negative_zero; }
  // How many integers lie between the bounds, less one.
  uint64_t range() const { return static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least); }
  uint64_t place_of(T value) const { return static_cast<uint64_t>(value) - static_cast<uint64_t>(least); }
  T at(int64_t place) const { return static_cast<T>(static_cast<uint64_t>(least) + static_cast<uint64_t>(place)); }

 private:
#ifdef FASTNP_X86
  FASTNP_AVX2 void look_widely(const T* values, int64_t count) { look(values, count); }
#endif
  [[gnu::always_inline]] inline void look(const T* values, int64_t count) {
    // In blocks, the first of which tells of elements in any order; and side by side, for vectors.
    // Bounds of floats are not there before four steps, in which as many vectors are looked at.
    constexpr int64_t kBlock = 1024, kLanes = (std::is_floating_point_v<T> ? 128 : 32) / sizeof(T);
    for (int64_t begin = 1; begin < count && in_order; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, count);
      int64_t steps_down = 0;
      for (int64_t i = begin; i < end; ++i) steps_down += !(values[i - 1] <= values[i]);
      in_order = steps_down == 0;
    }
    T low[kLanes], high[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      low[lane] = std::numeric_limits<T>::max();
      high[lane] = std::numeric_limits<T>::lowest();
    }
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const T value = values[i + lane];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
      }
    least = low[0];
    greatest = high[0];
    for (int64_t lane = 1; lane < kLanes; ++lane) {
      least = low[lane] < least ? low[lane] : least;
      greatest = high[lane] > greatest ? high[lane] : greatest;
    }
    for (; i < count; ++i) {
      least = values[i] < least ? values[i] : least;
      greatest = values[i] > greatest ? values[i] : greatest;
    }
    if constexpr (std::is_floating_point_v<T>) {
      int64_t numbers = 0, zeros = 0;
      for (i = 0; i < count; ++i) {
        numbers += values[i] == values[i];
        zeros += values[i] == 0;
      }
      has_nan = numbers < count;
      in_order = in_order && !has_nan;
      for (i = 0; zeros > 0 && i < count; ++i) has_negative_zero |= values[i] == 0 && std::signbit(values[i]);
    }
  }
};

// Sort integers few of which differ: count each, and write them out. False where there is no memory.
template <class T>
bool sort_by_counting(T* line, int64_t length, const Survey<T>& survey) {
  const int64_t size = static_cast<int64_t>(survey.range()) + 1;
  const std::unique_ptr<int64_t[]> counts(new (std::nothrow) int64_t[size]());
  if (counts == nullptr) return false;
  for (int64_t i = 0; i < length; ++i) ++counts[survey.place_of(line[i])];
  for (int64_t place = 0; place < size; ++place) line = std::fill_n(line, counts[place], survey.at(place));
  return true;
}

// As wide as an element, where keys are wider.
template <class T>
using NumberOf = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 2, uint16_t, KeyOf<T>>>;

// Sort elements, none of which is NaN, by the digits of their keys; false where there is no memory.
template <class T>
bool sort_by_digits(T* line, int64_t length, const Survey<T>& survey) {
  using Number = NumberOf<T>;
  const KeyOf<T> least = key_of(survey.least), greatest = key_of(survey.greatest);
  if (least == greatest) return true;
  const std::unique_ptr<Number[]> other(new (std::nothrow) Number[length]);
  if (other == nullptr) return false;
  int bits = 0;
  for (KeyOf<T> range = greatest - least; range > 0; range >>= 1) ++bits;
  const auto number_at = [=](int64_t i) {
    T value;
    std::memcpy(&value, line + i, sizeof value);
    return static_cast<Number>(key_of(value) - least);
  };
  const Number* const sorted = sort_numbers(number_at, length, 0, bits, other.get(), reinterpret_cast<Number*>(line));
  for (int64_t i = 0; i < length; ++i) {
    const T value = of_key<T>(static_cast<KeyOf<T>>(sorted[i] + least));
    std::memcpy(line + i, &value, sizeof value);
  }
  return true;
}

// Bring the numbers to the front, and return how many they are. NaNs become one NaN, as in NumPy's vectors.
template <class T>
int64_t move_nans_back(T* line, int64_t length) {
  int64_t numbers = 0;
  for (int64_t i = 0; i < length; ++i) {
    const T value = line[i];
    line[numbers] = value;
    numbers += value == value;
  }
  std::fill(line + numbers, line + length, std::numeric_limits<T>::quiet_NaN());
  return numbers;
}

constexpr int64_t kCountedFrom = 1024;  // elements from which counting is worth a look at their range

// Sort elements, `sort` being NumPy's function of their dtype for few; false where there is no memory. Equal ones are in any
// order.
template <class T>
bool sort_elements(T* line, int64_t length, const Survey<T>& survey, PyArray_SortFunc* sort) {
  // NumPy: where zeros of both signs go differs by processor, and is its own here as well.
  if (survey.has_negative_zero) return sort(line, length, nullptr) >= 0;
  if (survey.in_order) return true;
  if constexpr (std::is_integral_v<T>)
    if (length >= kCountedFrom && survey.range() < static_cast<uint64_t>(length) / 8 + 128)
      return sort_by_counting(line, length, survey);
  if (!has_quick_digits<T>(length)) return sort(line, length, nullptr) >= 0;
  const int64_t numbers = survey.has_nan ? move_nans_back(line, length) : length;
  return has_quick_digits<T>(numbers) ? sort_by_digits(line, numbers, survey) : sort(line, numbers, nullptr) >= 0;
}
// Whether the first elements let expect that a look at all of them pays though they are not sorted by digits.
template <class T>
bool are_promising(const T* line, int64_t length) {
  constexpr int64_t kBlock = 1024;
  const Survey<T> survey(line, std::min(length, kBlock));
  return survey.in_order || (std::is_integral_v<T> && survey.range() < static_cast<uint64_t>(length) / 8 + 128);
}
template <class T>
bool sort_elements(T* line, int64_t length, PyArray_SortFunc* sort) {
  if (!has_quick_digits<T>(length) && (length < kCountedFrom || !are_promising(line, length)))
    return sort(line, length, nullptr) >= 0;
  return sort_elements(line, length, Survey<T>(line, length), sort);
}

// --- places -----------------------------------------------------------------------------------------------------------

template <class Key, class KeyAt>
bool sort_run(KeyAt key_at, int64_t count, uint64_t* places, PyArray_SortFunc* sort);

// Sort places by their keys, places of equal keys in their own order. A key's first bits and the place are one number, and
// numbers are sorted sooner than places; keys whose first bits are the same are then looked at closely.
template <class Key, class KeyAt>
bool sort_places(KeyAt key_at, Key least, Key greatest, int64_t count, uint64_t* places, PyArray_SortFunc* sort) {
  int place_bits = 0, key_bits = 0;
  while ((count - 1) >> place_bits) ++place_bits;
  while (key_bits < 64 && uint64_t{static_cast<Key>(greatest - least)} >> key_bits) ++key_bits;
  const int dropped = std::max(0, key_bits + place_bits - 64);
  const uint64_t mask = (uint64_t{1} << place_bits) - 1;
  const auto number_at = [=](int64_t i) {
    return (uint64_t{static_cast<Key>(key_at(i) - least)} >> dropped << place_bits) | static_cast<uint64_t>(i);
  };
  if (has_quick_digits<uint64_t>(count)) {
    const std::unique_ptr<uint64_t[]> other(new (std::nothrow) uint64_t[count]);
    if (other == nullptr) return false;
    const uint64_t* const sorted =
        sort_numbers<uint64_t>(number_at, count, place_bits, key_bits - dropped + place_bits, other.get(), places);
    if (sorted != places) std::copy(sorted, sorted + count, places);
  } else {
    for (int64_t i = 0; i < count; ++i) places[i] = number_at(i);
    if (sort(places, count, nullptr) < 0) return false;
  }
  if (dropped == 0) {
    for (int64_t i = 0; i < count; ++i) places[i] &= mask;
    return true;
  }
  for (int64_t begin = 0, end; begin < count; begin = end) {
    const uint64_t first_bits = places[begin] >> place_bits;
    for (end = begin; end < count && places[end] >> place_bits == first_bits; ++end) places[end] &= mask;
    if (end - begin == 1) continue;
    const auto comes_first = [=](uint64_t a, uint64_t b) {
      const Key one = key_at(a), other = key_at(b);
      return one != other ? one < other : a < b;
    };
    if (std::is_sorted(places + begin, places + end, comes_first)) continue;
    if (end - begin <= kShortRun) std::sort(places + begin, places + end, comes_first);
    else if (!sort_run<Key>(key_at, end - begin, places + begin, sort)) return false;
  }
  return true;
}

// The same for many places whose keys begin alike, and are told apart by fewer bits.
template <class Key, class KeyAt>
bool sort_run(KeyAt key_at, int64_t count, uint64_t* places, PyArray_SortFunc* sort) {
  const std::unique_ptr<Key[]> run(new (std::nothrow) Key[count]);
  const std::unique_ptr<uint64_t[]> order(new (std::nothrow) uint64_t[count]);
  if (run == nullptr || order == nullptr) return false;
  for (int64_t i = 0; i < count; ++i) run[i] = key_at(places[i]);
  const auto [least, greatest] = std::minmax_element(run.get(), run.get() + count);
  if (!sort_places(NumbersAt<Key>{run.get()}, *least, *greatest, count, order.get(), sort)) return false;
  for (int64_t i = 0; i < count; ++i) order[i] = places[order[i]];
  std::copy(order.get(), order.get() + count, places);
  return true;
}

// Fill `places` with those of some elements, `step` bytes apart, in their order, places of equal elements in their own.
// False where there is no memory.
template <class T>
bool sort_places_of(const char* values, int64_t step, int64_t count, uint64_t* places, PyArray_SortFunc* sort) {
  const auto key_at = [=](uint64_t place) {
    T value;
    std::memcpy(&value, values + static_cast<int64_t>(place) * step, sizeof value);
    return sorting_key_of(value);
  };
  KeyOf<T> least = static_cast<KeyOf<T>>(-1), greatest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const KeyOf<T> key = key_at(i);
    least = std::min(least, key);
    greatest = std::max(greatest, key);
  }
  return sort_places(key_at, least, greatest, count, places, sort);
}

}  // namespace fastnp
