// The elements at some places of a line, were it sorted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "keys.h"
#include "lanes.h"
#include "vector.h"

namespace fastnp {

// What lies between two elements of a line, these included, in the order of the line; where both are one, it is not written.
template <class T>
struct Between {
  int64_t below = 0, numbers = 0;  // elements below, and those that are not NaN
  int64_t count = 0;               // -1 where there was no room
};

template <class T>
[[gnu::always_inline]] inline Between<T> find_between(const T* line, int64_t length, T low, T high, T* into, int64_t room) {
  using Count = std::conditional_t<sizeof(T) == 8, int64_t, std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
  constexpr int64_t kBlock = 256;
  Between<T> found;
  for (int64_t begin = 0; begin < length; begin += kBlock) {
    const int64_t some = std::min(kBlock, length - begin);
    const T* const block = line + begin;
    if (found.count + some > room && low < high) {
      found.count = -1;
      return found;
    }
    Count below = 0, numbers = 0;
    for (int64_t i = 0; i < some; ++i) {
      below += block[i] < low;
      numbers += block[i] == block[i];
    }
    if (low < high) {
      for (int64_t i = 0; i < some; ++i) {
        into[found.count] = block[i];
        found.count += (block[i] >= low) & (block[i] <= high);
      }
    } else {
      Count same = 0;
      for (int64_t i = 0; i < some; ++i) same += block[i] == low;
      found.count += same;
    }
    found.below += below;
    found.numbers += numbers;
  }
  return found;
}
#ifdef FASTNP_X86
template <class T>
FASTNP_AVX2 Between<T> find_between_widely(const T* line, int64_t length, T low, T high, T* into, int64_t room) {
  return find_between(line, length, low, high, into, room);
}
#endif

constexpr int64_t kSampledFrom = 4096;  // elements from which a few of them tell where the others are; short ones are counted

// Places next to each other are looked for together.
class PlaceGroups {
 public:
  static constexpr int64_t kMost = 6;  // groups, each of which is one look at the line; for more, sorting takes less time

  PlaceGroups(const int64_t* places, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0 && places[i] - places[i - 1] <= 1) continue;
      if (count_ < kMost) begins_[count_] = i;
      ++count_;
    }
    if (count_ <= kMost) begins_[count_] = count;
  }
  int64_t count() const { return count_; }
  int64_t begin(int64_t group) const { return begins_[group]; }

 private:
  int64_t count_ = 0, begins_[kMost + 1];
};

// Some elements of a line, sorted, which tell between which elements a place lies.
template <class T>
class Sample {
 public:
  Sample(const T* line, int64_t length, PyArray_SortFunc* sort)
      : length_(length), count_(std::min<int64_t>(8192, length / 16)), memory_(new (std::nothrow) T[count_]) {
    if (memory_ == nullptr) return;
    for (int64_t i = 0; i < count_; ++i) memory_[i] = line[length / count_ * i];
    has_memory_ = sort_elements(memory_.get(), count_, sort);
  }
  bool has_memory() const { return has_memory_; }
  // An element that is hardly above that at a place, and one hardly below; four standard deviations away.
  T low(int64_t place) const {
    const int64_t at = rank(place) - margin();
    return at < 0 || is_nan(memory_[at]) ? std::numeric_limits<T>::lowest() : memory_[at];
  }
  T high(int64_t place) const {
    const int64_t at = rank(place) + margin();
    return at >= count_ || is_nan(memory_[at]) ? std::numeric_limits<T>::max() : memory_[at];
  }

 private:
  static bool is_nan(T value) { return value != value; }
  int64_t rank(int64_t place) const { return static_cast<int64_t>(static_cast<double>(place) / length_ * count_); }
  int64_t margin() const { return static_cast<int64_t>(2 * std::sqrt(static_cast<double>(count_))) + 1; }
  const int64_t length_, count_;
  bool has_memory_ = false;
  const std::unique_ptr<T[]> memory_;
};

enum class Selected { done, elsewhere, no_memory };

// Write the elements at the places of each group, `step` bytes apart, and whether there is a NaN. `elsewhere` where the sample
// tells too little.
template <class T>
Selected select_by_sample(const T* line, int64_t length, const int64_t* places, const PlaceGroups& groups, char* into,
                          int64_t step, bool* has_nan, PyArray_SortFunc* sort) {
  const int64_t room = length / 4 + 256;
  const Sample<T> sample(line, length, sort);
  const std::unique_ptr<T[]> buffer(new (std::nothrow) T[room]);
  if (!sample.has_memory() || buffer == nullptr) return Selected::no_memory;
  for (int64_t group = 0; group < groups.count(); ++group) {
    const int64_t begin = groups.begin(group), end = groups.begin(group + 1);
    const T low = sample.low(places[begin]), high = sample.high(places[end - 1]);
#ifdef FASTNP_X86
    const Between<T> found = has_avx2() ? find_between_widely(line, length, low, high, buffer.get(), room)
                                        : find_between(line, length, low, high, buffer.get(), room);
#else
    const Between<T> found = find_between(line, length, low, high, buffer.get(), room);
#endif
    if (found.count < 0) return Selected::elsewhere;
    *has_nan = found.numbers < length;
    if (places[begin] < found.below || places[end - 1] >= found.below + found.count) return Selected::elsewhere;
    if (low < high && !sort_elements(buffer.get(), found.count, sort)) return Selected::no_memory;
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(into + i * step, low < high ? &buffer[places[i] - found.below] : &low, sizeof(T));
  }
  return Selected::done;
}

// Write the elements at some places, which ascend, of a line that is sorted for it unless a few looks are enough, and whether
// there is a NaN. False where there is no memory.
template <class T>
bool select(const T* line, int64_t length, const int64_t* places, int64_t count, char* into, int64_t step, bool* has_nan,
            PyArray_SortFunc* sort) {
  const PlaceGroups groups(places, count);
  if (sizeof(T) >= 4 && length >= kSampledFrom && groups.count() <= PlaceGroups::kMost) {
    const Selected selected = select_by_sample(line, length, places, groups, into, step, has_nan, sort);
    if (selected != Selected::elsewhere) return selected == Selected::done;
  }
  LineBuffer buffer(length * sizeof(T));
  T* const sorted = reinterpret_cast<T*>(buffer.data());
  if (sorted == nullptr) return false;
  std::copy(line, line + length, sorted);
  if (!sort_elements(sorted, length, sort)) return false;
  *has_nan = sorted[length - 1] != sorted[length - 1];
  for (int64_t i = 0; i < count; ++i) std::memcpy(into + i * step, &sorted[places[i]], sizeof(T));
  return true;
}

// The same for each line; `into` has a line of places for each, and `have_nan` a truth. False where there is no memory.
inline bool select_lanes(int dtype, PyArray_ArrFuncs* functions, const Lanes& lanes, char* data, const int64_t* places,
                         int64_t count, char* into, bool* have_nan, int itemsize) {
  const int64_t length = lanes.length, step = lanes.step;
  const auto select_from = [&](const char* line, char* selected) {
    return with_keyed(dtype, [&](auto of) -> int64_t {
      using T = typename decltype(of)::type;
      return select(reinterpret_cast<const T*>(line), length, places, count, selected, lanes.other_step,
                    have_nan++, functions->sort[NPY_QUICKSORT]);
    }) > 0;
  };
  if (step == itemsize) return lanes.for_each(data, into, select_from);
  if (TurnedLines::fits(lanes, itemsize)) {
    TurnedLines turned(lanes, itemsize);
    return turned.has_memory() && lanes.for_each(data, into, [&](char* line, char* selected) {
      return select_from(turned.next(line), selected);
    });
  }
  LineBuffer buffer(length * itemsize);
  return buffer.data() && lanes.for_each(data, into, [&](char* line, char* selected) {
    move_strided(itemsize, buffer.data(), itemsize, line, step, length);
    return select_from(buffer.data(), selected);
  });
}

}  // namespace fastnp
