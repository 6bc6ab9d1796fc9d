// Elements as keys, unsigned integers in the order of the elements, and places sorted by them.
#pragma once
#include <Python.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "dtype.h"

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

template <class Key>
bool sort_run(const Key* keys, int64_t count, uint64_t* places, PyArray_SortFunc* sort, bool* alike);

// Sort places by the keys at them, places of equal keys in their own order. A key's first bits and the place are one
// number, and numbers are sorted sooner than places; keys whose first bits are the same are then looked at closely. `alike`
// says whether some are equal.
template <class Key>
bool sort_places(const Key* keys, Key least, Key greatest, int64_t count, uint64_t* places, PyArray_SortFunc* sort,
                 bool* alike) {
  int place_bits = 0, key_bits = 0;
  while ((count - 1) >> place_bits) ++place_bits;
  while (key_bits < 64 && uint64_t{static_cast<Key>(greatest - least)} >> key_bits) ++key_bits;
  const int dropped = std::max(0, key_bits + place_bits - 64);
  const uint64_t mask = (uint64_t{1} << place_bits) - 1;
  for (int64_t i = 0; i < count; ++i)
    places[i] = (uint64_t{static_cast<Key>(keys[i] - least)} >> dropped << place_bits) | static_cast<uint64_t>(i);
  if (sort(places, count, nullptr) < 0) return false;
  if (dropped == 0) {
    uint64_t before = ~places[0];
    for (int64_t i = 0; i < count; ++i) {
      *alike |= (places[i] ^ before) <= mask;
      before = places[i];
      places[i] &= mask;
    }
    return true;
  }
  for (int64_t begin = 0, end; begin < count; begin = end) {
    const uint64_t first_bits = places[begin] >> place_bits;
    for (end = begin; end < count && places[end] >> place_bits == first_bits; ++end) places[end] &= mask;
    const auto comes_first = [=](uint64_t a, uint64_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; };
    if (end - begin == 1) continue;
    if (!std::is_sorted(places + begin, places + end, comes_first)) {
      if (end - begin <= kShortRun) std::sort(places + begin, places + end, comes_first);
      else if (!sort_run(keys, end - begin, places + begin, sort, alike)) return false;
    }
    for (int64_t i = begin + 1; i < end && !*alike; ++i) *alike = keys[places[i]] == keys[places[i - 1]];
  }
  return true;
}

// The same for many places whose keys begin alike, and are told apart by fewer bits.
template <class Key>
bool sort_run(const Key* keys, int64_t count, uint64_t* places, PyArray_SortFunc* sort, bool* alike) {
  const std::unique_ptr<Key[]> run(new (std::nothrow) Key[count]);
  const std::unique_ptr<uint64_t[]> order(new (std::nothrow) uint64_t[count]);
  if (run == nullptr || order == nullptr) return false;
  for (int64_t i = 0; i < count; ++i) run[i] = keys[places[i]];
  const auto [least, greatest] = std::minmax_element(run.get(), run.get() + count);
  if (!sort_places(run.get(), *least, *greatest, count, order.get(), sort, alike)) return false;
  for (int64_t i = 0; i < count; ++i) order[i] = places[order[i]];
  std::copy(order.get(), order.get() + count, places);
  return true;
}

// Fill `places` with those of some elements, `step` bytes apart, in their order, places of equal elements in their own.
// `keys` has room for as many; `alike` says whether some are equal. False where there is no memory.
template <class T>
bool sort_places_of(const char* values, int64_t step, int64_t count, KeyOf<T>* keys, uint64_t* places, PyArray_SortFunc* sort,
                    bool* alike) {
  KeyOf<T> least = static_cast<KeyOf<T>>(-1), greatest = 0;
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i * step, sizeof value);
    keys[i] = sorting_key_of(value);
    least = std::min(least, keys[i]);
    greatest = std::max(greatest, keys[i]);
  }
  return sort_places(keys, least, greatest, count, places, sort, alike);
}

template <class T>
bool sort_places_of(const char* values, int64_t step, int64_t count, KeyOf<T>* keys, uint64_t* places, PyArray_SortFunc* sort) {
  bool alike = false;
  return sort_places_of<T>(values, step, count, keys, places, sort, &alike);
}

}  // namespace fastnp
