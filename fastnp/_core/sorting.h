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

// Sort places stably by integers of which few differ; nothing where many may, 0 where there is no memory.
template <class T>
int64_t sort_places_by_counting(const T* line, npy_intp* places, bool are_all_in_order, int64_t length) {
  constexpr int64_t kBlock = 4096;
  const auto most = static_cast<uint64_t>(length) / 8;
  if (length < kCountedFrom || Survey<T>(line, std::min(length, kBlock)).range() >= most) return -1;
  const Survey<T> survey(line, length);
  if (are_all_in_order && survey.in_order) {
    std::iota(places, places + length, npy_intp{0});
    return 1;
  }
  if (survey.range() >= most) return -1;
  const std::unique_ptr<int64_t[]> next(new (std::nothrow) int64_t[survey.range() + 2]());
  const std::unique_ptr<npy_intp[]> before(new (std::nothrow) npy_intp[are_all_in_order ? 1 : length]);
  if (next == nullptr || before == nullptr) return 0;
  for (int64_t i = 0; i < length; ++i) ++next[survey.place_of(line[i]) + 1];
  for (uint64_t k = 1; k <= survey.range(); ++k) next[k] += next[k - 1];
  if (are_all_in_order) {
    for (int64_t i = 0; i < length; ++i) places[next[survey.place_of(line[i])]++] = i;
  } else {
    std::copy(places, places + length, before.get());
    for (int64_t i = 0; i < length; ++i) places[next[survey.place_of(line[before[i]])]++] = before[i];
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

// --- lines of a few elements ------------------------------------------------------------------------------------------

constexpr int64_t kRanked = 8;  // elements up to which each is compared with every other, without a branch

// Call visit(place, rank) for each of N elements; false where two of them are equal, before it has been called.
template <int N, bool TIES, class T, class Visit>
[[gnu::always_inline]] inline bool visit_ranks_of(const T* line, Visit&& visit) {
  KeyOf<T> keys[N];
  int ranks[N];
  bool alike = false;
  for (int i = 0; i < N; ++i) {
    keys[i] = sorting_key_of(line[i]);
    ranks[i] = 0;
  }
  for (int i = 1; i < N; ++i)
    for (int j = 0; j < i; ++j) {
      const bool is_after = keys[j] <= keys[i];
      ranks[i] += is_after;
      ranks[j] += !is_after;
      alike |= keys[j] == keys[i];
    }
  if (!TIES && alike) return false;
  for (int i = 0; i < N; ++i) visit(i, ranks[i]);
  return true;
}
template <bool TIES, class T, class Visit>
inline bool visit_ranks(const T* line, int64_t length, Visit&& visit) {
  switch (length) {
    case 2: return visit_ranks_of<2, TIES>(line, visit);
    case 3: return visit_ranks_of<3, TIES>(line, visit);
    case 4: return visit_ranks_of<4, TIES>(line, visit);
    case 5: return visit_ranks_of<5, TIES>(line, visit);
    case 6: return visit_ranks_of<6, TIES>(line, visit);
    case 7: return visit_ranks_of<7, TIES>(line, visit);
    case kRanked: return visit_ranks_of<kRanked, TIES>(line, visit);
    default: return false;
  }
}

// Sort a line of a few elements; false where NumPy says which of two equal ones, that may differ, is first.
template <class T>
bool sort_by_rank(T* line, int64_t length) {
  if (length > kRanked) return false;
  T values[kRanked];
  std::copy(line, line + length, values);
  return visit_ranks<std::is_integral_v<T>>(values, length, [&](int place, int rank) { line[rank] = values[place]; });
}
template <class T>
bool find_places_by_rank(const T* line, int64_t length, bool stable, npy_intp* places) {
  const auto write = [=](int place, int rank) { places[rank] = place; };
  return length <= kRanked && (stable ? visit_ranks<true>(line, length, write) : visit_ranks<false>(line, length, write));
}

// Sort truths: so many are false, and all behind them are true.
inline void sort_truths(char* line, int64_t length) {
  int64_t count = 0;
  for (int64_t i = 0; i < length; ++i) count += line[i] != 0;
  std::fill_n(line, length - count, 0);
  std::fill_n(line + length - count, count, 1);
}

// Sort each line in place; false where there is no memory.
inline bool sort_lanes(int dtype, PyArray_ArrFuncs* functions, int kind, const Lanes& lanes, char* data, int itemsize) {
  // NumPy has no vectors for bytes: its stable sort, which counts them, is the quicker one of all but few.
  PyArray_SortFunc* const any = functions->sort[itemsize == 1 && lanes.length > 32 ? NPY_STABLESORT : NPY_QUICKSORT];
  const auto is_as_stable = [=](const char* memory, int64_t length) {
    return with_keyed(dtype, [=](auto of) -> int64_t {
      using T = typename decltype(of)::type;
      const auto* const line = reinterpret_cast<const T*>(memory);
      return sizeof(T) < 4 || (has_many_runs(line, length) && are_alike(line, length));
    }) > 0;
  };
  const auto sort = [=](char* line, int64_t length) {
    if (dtype == BOOL) {
      sort_truths(line, length);
      return true;
    }
    if (length <= kRanked && with_keyed(dtype, [=](auto of) -> int64_t {
          return sort_by_rank(reinterpret_cast<typename decltype(of)::type*>(line), length);
        }) > 0)
      return true;
    if (kind != NPY_STABLESORT || is_as_stable(line, length)) {
      const int64_t done = with_keyed(dtype, [=](auto of) -> int64_t {
        return sort_elements(reinterpret_cast<typename decltype(of)::type*>(line), length, any);
      });
      if (done >= 0) return done > 0;
    }
    return functions->sort[kind](line, length, nullptr) >= 0;
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

// NumPy: where each of several equal elements goes is said of stable sorting only; otherwise it differs by processor. Of so
// many elements they go where a stable sort puts them, which takes less time.
constexpr int64_t STABLE_FROM = 768;

// Write the places that sort a line; false where there is no memory. `wide` are NumPy's functions of uint64.
inline bool argsort_line(int dtype, PyArray_ArrFuncs* functions, PyArray_ArrFuncs* wide, int kind, char* memory,
                         npy_intp* places, int64_t length) {
  const int64_t done = with_keyed(dtype, [=, &kind](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    const T* const line = reinterpret_cast<const T*>(memory);
    if (find_places_by_rank(line, length, kind == NPY_STABLESORT, places)) return 1;
    if (length >= STABLE_FROM) kind = NPY_STABLESORT;
    if (kind != NPY_STABLESORT) return -1;
    if constexpr (std::is_integral_v<T>) {
      const int64_t counted = sort_places_by_counting(line, places, true, length);
      if (counted >= 0) return counted;
    }
    if (!has_many_runs(line, length)) return -1;
    return sort_places_of<T>(memory, sizeof(T), length, reinterpret_cast<uint64_t*>(places), wide->sort[NPY_QUICKSORT]);
  });
  if (done >= 0) return done;
  std::iota(places, places + length, npy_intp{0});
  return functions->argsort[kind](memory, places, length, nullptr) >= 0;
}

// Write the places that sort each line, as int64; false where there is no memory.
inline bool argsort_lanes(int dtype, PyArray_ArrFuncs* functions, PyArray_ArrFuncs* wide, int kind, const Lanes& lanes,
                          char* data, char* positions, int itemsize) {
  const int64_t length = lanes.length, step = lanes.step, into_step = lanes.other_step;
  if (length < 2) {  // the places are new, and so lie side by side
    std::memset(positions, 0, lanes.count * length * 8);
    return true;
  }
  // What is counted is written in any order: many lines of places into what the second cache holds, 0.5 of the time of bytes.
  constexpr int64_t kHeld = 1 << 15;
  const bool scatters = kCountedFrom <= length && length <= kHeld && lanes.count * length > kHeld;
  const bool packed = step == itemsize, direct = into_step == 8 && !scatters;
  const bool turns = TurnedLines::fits(lanes, itemsize);
  TurnedLines turned(lanes, turns ? itemsize : 0);
  LineBuffer values(packed || turns ? 0 : length * itemsize), order(direct ? 0 : length * 8);
  if (!values.data() || !order.data() || !turned.has_memory()) return false;
  return lanes.for_each(data, positions, [&](char* line, char* into) {
    npy_intp* const found = reinterpret_cast<npy_intp*>(direct ? into : order.data());
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
    const std::unique_ptr<uint64_t[]> order(new (std::nothrow) uint64_t[length]);
    if (values == nullptr || order == nullptr) return false;
    for (int64_t i = 0; i < length; ++i) values[i] = line[places[i]];
    const char* const arranged = reinterpret_cast<const char*>(values.get());
    if (!sort_places_of<T>(arranged, sizeof(T), length, order.get(), wide->sort[NPY_QUICKSORT])) return false;
    for (int64_t i = 0; i < length; ++i) order[i] = static_cast<uint64_t>(places[order[i]]);
    std::copy(order.get(), order.get() + length, places);
    return true;
  });
  return done >= 0 ? done : functions->argsort[NPY_STABLESORT](memory, places, length, nullptr) >= 0;
}

}  // namespace fastnp
