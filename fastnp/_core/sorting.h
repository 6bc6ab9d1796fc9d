// Lines sorted by NumPy's functions of a dtype, or by what takes less time and ends alike.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>

#include "keys.h"
#include "lanes.h"

namespace fastnp {

inline bool can_sort(PyObject* dtype, int kind, bool positions) {
  PyArray_ArrFuncs* const functions = functions_of(dtype);
  return positions ? functions->argsort[kind] != nullptr : functions->sort[kind] != nullptr;
}

// Sort integers that are in order, or few of which differ: count each, and write them out. False where too many may differ.
template <class T>
bool sort_by_counting(T* line, int64_t length) {
  constexpr int64_t kBlock = 4096;
  T least = line[0], greatest = line[0];
  uint64_t range = 0;
  bool descends = false;
  for (int64_t begin = 1; begin < length; begin += kBlock) {
    T steps_down = 0;
    for (int64_t i = begin; i < std::min(begin + kBlock, length); ++i) {
      least = line[i] < least ? line[i] : least;
      greatest = line[i] > greatest ? line[i] : greatest;
      steps_down |= line[i] < line[i - 1];
    }
    descends |= steps_down != 0;
    range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    if (descends && range >= static_cast<uint64_t>(length) / 8 + 128) return false;
  }
  if (!descends) return true;
  std::unique_ptr<int64_t[]> counts(new (std::nothrow) int64_t[range + 1]());
  if (counts == nullptr) return false;
  for (int64_t i = 0; i < length; ++i) ++counts[static_cast<uint64_t>(line[i]) - static_cast<uint64_t>(least)];
  for (uint64_t place = 0; place <= range; ++place)
    line = std::fill_n(line, counts[place], static_cast<T>(static_cast<uint64_t>(least) + place));
  return true;
}

constexpr int64_t COUNTED_FROM = 1024;  // elements from which counting is worth a look at their range

inline bool sort_by_counting(int dtype, char* line, int64_t length) {
  if (length < COUNTED_FROM || dtype >= FLOAT16) return false;
  return with_keyed(dtype, [=](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    if constexpr (std::is_integral_v<T>) return sort_by_counting(reinterpret_cast<T*>(line), length);
    else return false;
  }) > 0;
}

// Sort places stably by integers of which few differ; nothing where many may, 0 where there is no memory.
template <class T>
int64_t sort_places_by_counting(const T* line, npy_intp* places, bool are_all_in_order, int64_t length) {
  constexpr int64_t kBlock = 4096;
  if (length < COUNTED_FROM) return -1;
  T least = line[0], greatest = line[0];
  uint64_t range = 0;
  for (int64_t begin = 0; begin < length; begin += kBlock) {
    for (int64_t i = begin; i < std::min(begin + kBlock, length); ++i) {
      least = line[i] < least ? line[i] : least;
      greatest = line[i] > greatest ? line[i] : greatest;
    }
    range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    if (range >= static_cast<uint64_t>(length) / 8) return -1;
  }
  const std::unique_ptr<int64_t[]> next(new (std::nothrow) int64_t[range + 2]());
  const std::unique_ptr<npy_intp[]> before(new (std::nothrow) npy_intp[are_all_in_order ? 1 : length]);
  if (next == nullptr || before == nullptr) return 0;
  const auto rank = [=](T value) { return static_cast<uint64_t>(value) - static_cast<uint64_t>(least); };
  for (int64_t i = 0; i < length; ++i) ++next[rank(line[i]) + 1];
  for (uint64_t k = 1; k <= range; ++k) next[k] += next[k - 1];
  if (are_all_in_order) {
    for (int64_t i = 0; i < length; ++i) places[next[rank(line[i])]++] = i;
  } else {
    std::copy(places, places + length, before.get());
    for (int64_t i = 0; i < length; ++i) places[next[rank(line[before[i]])]++] = before[i];
  }
  return 1;
}

constexpr int64_t UNSTABLE_FROM = 64;  // elements from which a look at them costs less than the slower sort

// Whether another sort than NumPy's stable one is quicker: its time is that of the runs that go up or down in a line, of
// which a few pieces tell, and integers of few bits it counts.
template <class T>
bool has_many_runs(const T* line, int64_t length) {
  constexpr int64_t kPieces = 4, kPiece = 512;
  if (sizeof(T) < 4 || length < UNSTABLE_FROM) return false;
  const int64_t pieces = length < kPieces * kPiece ? 1 : kPieces, size = pieces == 1 ? length : kPiece;
  int64_t steps_down = 0;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const T* const begin = line + (pieces == 1 ? 0 : (length - size) / (pieces - 1) * piece);
    for (int64_t i = 1; i < size; ++i) steps_down += begin[i] < begin[i - 1];
  }
  return std::min(steps_down, pieces * size - steps_down) > pieces * size / 16;
}

// Whether all that are equal are the same.
template <class T>
bool are_alike(const T* line, int64_t length) {
  int64_t odd = 0;
  if constexpr (std::is_floating_point_v<T>) {
    for (int64_t i = 0; i < length; ++i) odd += line[i] != line[i] || (line[i] == 0 && std::signbit(line[i]));
  }
  return odd == 0;
}

// Sort each line in place; false where there is no memory.
inline bool sort_lanes(int dtype, PyArray_ArrFuncs* functions, int kind, const Lanes& lanes, char* data, int itemsize) {
  const auto is_as_stable = [=](const char* memory, int64_t length) {
    return with_keyed(dtype, [=](auto of) -> int64_t {
      const auto* const line = reinterpret_cast<const typename decltype(of)::type*>(memory);
      return has_many_runs(line, length) && are_alike(line, length);
    }) > 0;
  };
  const auto sort = [=](char* line, int64_t length) {
    if (sort_by_counting(dtype, line, length)) return true;
    const bool stable = kind == NPY_STABLESORT && !is_as_stable(line, length);
    return functions->sort[stable ? NPY_STABLESORT : NPY_QUICKSORT](line, length, nullptr) >= 0;
  };
  const int64_t length = lanes.length, step = lanes.step;
  if (length < 2) return true;
  if (step == itemsize) return lanes.for_each(data, data, [&](char* line, char*) { return sort(line, length); });
  if (TurnedLines::fits(lanes, itemsize)) {
    TurnedLines turned(lanes, itemsize);
    if (!turned.has_memory()) return false;
    return lanes.for_each(data, data, [&](char* line, char*) {
      if (!sort(turned.next(line), length)) return false;
      turned.put_back(line);
      return true;
    });
  }
  LineBuffer buffer(length * itemsize);
  if (!buffer.data()) return false;
  return lanes.for_each(data, data, [&](char* line, char*) {
    move_strided(itemsize, buffer.data(), itemsize, line, step, length);
    if (!sort(buffer.data(), length)) return false;
    move_strided(itemsize, line, step, buffer.data(), itemsize, length);
    return true;
  });
}

constexpr int64_t DISTINCT_FROM = 1024;  // elements from which their keys are sorted sooner than places of them

// Whether a few of the elements differ from each other and have as many digits as their type, so that all may differ.
template <class T>
bool may_be_distinct(const T* line, int64_t length) {
  constexpr int64_t kFew = 128;
  if (sizeof(T) < 8 || length < DISTINCT_FROM) return false;
  KeyOf<T> few[kFew];
  bool single = true, decimal = true;
  for (int64_t i = 0; i < kFew; ++i) {
    const T value = line[length / kFew * i];
    few[i] = sorting_key_of(value);
    if constexpr (std::is_floating_point_v<T>) {
      single = single && static_cast<float>(value) == value;
      decimal = decimal && std::nearbyint(value * 1e12) / 1e12 == value;
    }
  }
  if (std::is_floating_point_v<T> && (single || decimal)) return false;
  std::sort(few, few + kFew);
  // Of integers drawn at random from so many that two are hardly the same.
  if (std::is_integral_v<T> && static_cast<double>(few[kFew - 1] - few[0]) < static_cast<double>(length) * length) return false;
  return std::adjacent_find(few, few + kFew) == few + kFew;
}

// Write the places that sort a line; false where there is no memory. `wide` are NumPy's functions of uint64.
inline bool argsort_line(int dtype, PyArray_ArrFuncs* functions, PyArray_ArrFuncs* wide, int kind, char* memory,
                         npy_intp* places, int64_t length) {
  const int64_t done = with_keyed(dtype, [=](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    const T* const line = reinterpret_cast<const T*>(memory);
    // Where some are equal, each way to sort that is not stable has an order of its own: then it is NumPy's.
    const bool stable = kind == NPY_STABLESORT;
    if (!has_many_runs(line, length) || (!stable && !may_be_distinct(line, length))) return -1;
    if constexpr (std::is_integral_v<T>) {
      const int64_t counted = stable ? sort_places_by_counting(line, places, true, length) : -1;
      if (counted >= 0) return counted;
    }
    const std::unique_ptr<KeyOf<T>[]> keys(new (std::nothrow) KeyOf<T>[length]);
    uint64_t* const into = reinterpret_cast<uint64_t*>(places);
    bool alike = false;
    if (keys == nullptr) return 0;
    if (!sort_places_of<T>(memory, sizeof(T), length, keys.get(), into, wide->sort[NPY_QUICKSORT], &alike)) return 0;
    return stable || !alike ? 1 : -1;
  });
  if (done >= 0) return done;
  std::iota(places, places + length, npy_intp{0});
  return functions->argsort[kind](memory, places, length, nullptr) >= 0;
}

// Write the places that sort each line, as int64; false where there is no memory.
inline bool argsort_lanes(int dtype, PyArray_ArrFuncs* functions, PyArray_ArrFuncs* wide, int kind, const Lanes& lanes,
                          char* data, char* positions, int itemsize) {
  const int64_t length = lanes.length, step = lanes.step, into_step = lanes.other_step;
  const bool packed = step == itemsize || length < 2, direct = into_step == 8 || length < 2;
  const bool turns = TurnedLines::fits(lanes, itemsize);
  TurnedLines turned(lanes, turns ? itemsize : 0);
  LineBuffer values(packed || turns ? 0 : length * itemsize), order(direct ? 0 : length * 8);
  if (!values.data() || !order.data() || !turned.has_memory()) return false;
  return lanes.for_each(data, positions, [&](char* line, char* into) {
    npy_intp* const found = reinterpret_cast<npy_intp*>(direct ? into : order.data());
    if (length < 2) {
      std::iota(found, found + length, npy_intp{0});
      return true;
    }
    if (turns) {
      line = turned.next(line);
    } else if (!packed) {
      move_strided(itemsize, values.data(), itemsize, line, step, length);
      line = values.data();
    }
    if (!argsort_line(dtype, functions, wide, kind, line, found, length)) return false;
    if (!direct) move_strided(8, into, into_step, reinterpret_cast<const char*>(order.data()), 8, length);
    return true;
  });
}

// Sort places stably by the elements of a line at them; false where there is no memory.
inline bool sort_places_by(int dtype, PyArray_ArrFuncs* functions, PyArray_ArrFuncs* wide, char* memory, npy_intp* places,
                           int64_t length) {
  const int64_t done = with_keyed(dtype, [=](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    const T* const line = reinterpret_cast<const T*>(memory);
    if (!has_many_runs(line, length)) return -1;
    if constexpr (std::is_integral_v<T>) {
      const int64_t counted = sort_places_by_counting(line, places, false, length);
      if (counted >= 0) return counted;
    }
    const std::unique_ptr<T[]> values(new (std::nothrow) T[length]);
    const std::unique_ptr<KeyOf<T>[]> keys(new (std::nothrow) KeyOf<T>[length]);
    const std::unique_ptr<uint64_t[]> order(new (std::nothrow) uint64_t[length]);
    if (values == nullptr || keys == nullptr || order == nullptr) return false;
    for (int64_t i = 0; i < length; ++i) values[i] = line[places[i]];
    const char* const arranged = reinterpret_cast<const char*>(values.get());
    if (!sort_places_of<T>(arranged, sizeof(T), length, keys.get(), order.get(), wide->sort[NPY_QUICKSORT])) return false;
    for (int64_t i = 0; i < length; ++i) order[i] = static_cast<uint64_t>(places[order[i]]);
    std::copy(order.get(), order.get() + length, places);
    return true;
  });
  return done >= 0 ? done : functions->argsort[NPY_STABLESORT](memory, places, length, nullptr) >= 0;
}

}  // namespace fastnp
