// Blocks of packed memory taken by their numbers, written by them, and repeated.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "interpreter.h"
#include "lanes.h"
#include "moves.h"
#include "past_cache.h"
#include "vector.h"

namespace fastnp {

// What becomes of numbers that are out of bounds, as NumPy's `mode` says.
enum class Bounds : int { kRaise, kWrap, kClip };

// Return a number in bounds; false where it is not, and that is an error. `size` is not zero but for kRaise.
inline bool bring_into_bounds(int64_t* number, int64_t size, Bounds bounds) {
  int64_t n = *number;
  if (bounds == Bounds::kRaise) {
    if (n < 0) n += size;
    *number = n;
    return static_cast<uint64_t>(n) < static_cast<uint64_t>(size);
  }
  if (bounds == Bounds::kWrap) {
    if (static_cast<uint64_t>(n) >= static_cast<uint64_t>(size)) n %= size;
    *number = n < 0 ? n + size : n;
  } else {
    *number = n < 0 ? 0 : n >= size ? size - 1 : n;
  }
  return true;
}

// Whether all numbers are in bounds, those from the end among them.
[[gnu::always_inline]] inline bool all_in_bounds(const int64_t* given, int64_t count, int64_t size) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; ++i) outside += (given[i] < -size) | (given[i] >= size);
  return outside == 0;
}
// Whether they are, counted from the front alone: no rule brings them elsewhere.
[[gnu::always_inline]] inline bool each_from_front(const int64_t* given, int64_t count, int64_t size) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; ++i) outside += (given[i] < 0) | (given[i] >= size);
  return outside == 0;
}
#ifdef FASTNP_X86
FASTNP_AVX2 inline bool all_in_bounds_avx2(const int64_t* given, int64_t count, int64_t size) {
  return all_in_bounds(given, count, size);
}
FASTNP_AVX2 inline bool each_from_front_avx2(const int64_t* given, int64_t count, int64_t size) {
  return each_from_front(given, count, size);
}
#endif
inline bool are_in_bounds(const int64_t* given, int64_t count, int64_t size) {
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) return all_in_bounds_avx2(given, count, size);
#endif
  return all_in_bounds(given, count, size);
}
inline bool all_from_front(const int64_t* given, int64_t count, int64_t size) {
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) return each_from_front_avx2(given, count, size);
#endif
  return each_from_front(given, count, size);
}

// Call visit with the width of a block as a constant where it is that of an element, else with 0.
template <class Visit>
inline void with_width(int64_t bytes, Visit&& visit) {
  switch (bytes) {
    case 1: return visit(std::integral_constant<size_t, 1>{});
    case 2: return visit(std::integral_constant<size_t, 2>{});
    case 4: return visit(std::integral_constant<size_t, 4>{});
    case 8: return visit(std::integral_constant<size_t, 8>{});
    case 16: return visit(std::integral_constant<size_t, 16>{});
    default: return visit(std::integral_constant<size_t, 0>{});
  }
}

template <Bounds BOUNDS>
inline bool bring_all_into_bounds(const int64_t* given, int64_t count, int64_t size, int64_t* numbers) {
  bool inside = true;
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = given[i];
    inside &= bring_into_bounds(&numbers[i], size, BOUNDS);
  }
  return inside;
}

// Loops have their arguments by value: what a visitor captures, a store of bytes might change, and is read anew after each.
template <size_t WIDTH, Bounds BOUNDS, bool PAST>
bool take_each(const char* memory, int64_t size, int64_t bytes, const int64_t* given, int64_t count, char* taken) {
  const size_t block = WIDTH ? WIDTH : bytes;
  for (int64_t i = 0; i < count; ++i, taken += block) {
    int64_t number = given[i];
    if (!bring_into_bounds(&number, size, BOUNDS)) return false;
    if constexpr (WIDTH != 0)
      copy_element<WIDTH, PAST>(taken, memory + number * block);
    else
      std::memcpy(taken, memory + number * block, block);
  }
  if (PAST) end_past_cache();
  return true;
}
template <Bounds BOUNDS>
inline bool take_in_one_turn(const char* memory, int64_t size, int64_t bytes, const int64_t* given, int64_t count,
                             char* taken) {
  bool inside = true;
  with_width(bytes, [&](auto width) {
    inside = goes_past_cache(count * width(), width())
                 ? take_each<width(), BOUNDS, true>(memory, size, bytes, given, count, taken)
                 : take_each<width(), BOUNDS, false>(memory, size, bytes, given, count, taken);
  });
  return inside;
}

// Elements of one line, by numbers within it: of two to eight bytes, put together to sixteen before they are written, which takes
// 0.5 to 0.9 of the time.
template <size_t WIDTH>
void take_line(const char* from, const int64_t* places, int64_t n, size_t bytes, char* into) {
  const size_t block = WIDTH ? WIDTH : bytes;
  int64_t i = 0;
  if constexpr (WIDTH == 2 || WIDTH == 4 || WIDTH == 8) {
    using Item = std::conditional_t<WIDTH == 2, uint16_t, std::conditional_t<WIDTH == 4, uint32_t, uint64_t>>;
    constexpr int together = 16 / WIDTH;
    for (; i + together <= n; i += together) {
      Item items[together];
#pragma GCC unroll 8
      for (int k = 0; k < together; ++k) std::memcpy(&items[k], from + places[i + k] * WIDTH, WIDTH);
      std::memcpy(into + i * WIDTH, items, sizeof(items));
    }
  }
  for (; i < n; ++i) std::memcpy(into + i * block, from + places[i] * block, block);
}

// The same for more turns than one, which go over so many numbers that they stay in the nearest cache.
template <Bounds BOUNDS>
inline bool take_in_turns(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* given,
                          int64_t count, char* taken) {
  const int64_t chunk = count < 16384 ? count : 16384;
  const bool as_given = all_from_front(given, count, size);
  const LineBuffer buffer(as_given ? 0 : chunk * 8);
  int64_t* const brought = reinterpret_cast<int64_t*>(buffer.data());
  if (!brought) throw std::bad_alloc();
  for (int64_t start = 0; start < count; start += chunk) {
    const int64_t n = count - start < chunk ? count - start : chunk;
    if (!as_given && !bring_all_into_bounds<BOUNDS>(given + start, n, size, brought)) return false;
    const int64_t* const numbers = as_given ? given + start : brought;
    with_width(bytes, [&](auto width) {
      for (int64_t turn = 0; turn < outer; ++turn)
        take_line<width()>(memory + turn * size * bytes, numbers, n, bytes, taken + (turn * count + start) * bytes);
    });
  }
  return true;
}

template <Bounds BOUNDS>
inline bool take_within(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* given, int64_t count,
                        char* taken) {
  return outer == 1 ? take_in_one_turn<BOUNDS>(memory, size, bytes, given, count, taken)
                    : take_in_turns<BOUNDS>(memory, outer, size, bytes, given, count, taken);
}

// Memory is (outer, size, block of bytes), what is taken (outer, count, block). False where a number is out of bounds.
inline bool take_blocks(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* given, int64_t count,
                        Bounds bounds, char* taken) {
  switch (bounds) {
    case Bounds::kRaise: return take_within<Bounds::kRaise>(memory, outer, size, bytes, given, count, taken);
    case Bounds::kWrap: return take_within<Bounds::kWrap>(memory, outer, size, bytes, given, count, taken);
    default: return take_within<Bounds::kClip>(memory, outer, size, bytes, given, count, taken);
  }
}

// Each line along an axis by numbers of its own: memory is (outer, size, inner), the numbers and what is taken are (outer, count,
// inner). False where a number is out of bounds.
template <size_t WIDTH, bool PAST>
bool take_lines(const char* memory, int64_t outer, int64_t size, int64_t inner, const int64_t* given, int64_t count,
                char* taken) {
  for (int64_t line = 0; line < outer; ++line, memory += size * inner * WIDTH)
    for (int64_t place = 0; place < count; ++place)
      for (int64_t k = 0; k < inner; ++k, taken += WIDTH) {
        int64_t number = *given++;
        if (!bring_into_bounds(&number, size, Bounds::kRaise)) return false;
        copy_element<WIDTH, PAST>(taken, memory + (number * inner + k) * WIDTH);
      }
  if (PAST) end_past_cache();
  return true;
}
// Moving fewer bytes keeps the interpreter.
inline constexpr int64_t kReleaseBytes = 65536;

// What lies before an axis and behind it; false where other axes differ in size.
inline bool split_at(int axis, int ndim, const int64_t* shape, const int64_t* other, int64_t* outer, int64_t* inner) {
  for (int k = 0; k < ndim; ++k) {
    if (k != axis && shape[k] != other[k]) return false;
    if (k != axis) *(k < axis ? outer : inner) *= shape[k];
  }
  return true;
}
inline bool take_along(const char* memory, int64_t outer, int64_t size, int64_t inner, int64_t itemsize, const int64_t* given,
                       int64_t count, char* taken) {
  const InterpreterRelease release(outer * count * inner * itemsize >= kReleaseBytes);
  bool inside = false;
  with_width(itemsize, [&](auto width) {
    if constexpr (width() != 0)
      inside = goes_past_cache(outer * count * inner * itemsize, width())
                   ? take_lines<width(), true>(memory, outer, size, inner, given, count, taken)
                   : take_lines<width(), false>(memory, outer, size, inner, given, count, taken);
  });
  return inside;
}

// Write `value_count` values over and over to the elements of packed memory with these numbers, all of which are in bounds.
template <size_t WIDTH>
void put_each(char* memory, int64_t size, int64_t itemsize, const int64_t* given, int64_t count, Bounds bounds,
              const char* values, int64_t value_count) {
  const size_t block = WIDTH ? WIDTH : itemsize;
  int64_t next = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = given[i];
    bring_into_bounds(&number, size, bounds);
    std::memcpy(memory + number * block, values + next * block, block);
    if (++next == value_count) next = 0;
  }
}
inline void put_elements(char* memory, int64_t size, int64_t itemsize, const int64_t* given, int64_t count, Bounds bounds,
                         const char* values, int64_t value_count) {
  with_width(itemsize, [&](auto width) {
    put_each<width()>(memory, size, itemsize, given, count, bounds, values, value_count);
  });
}

// So many numbers are brought into bounds before their choices are looked up.
inline constexpr int64_t kNumbersAtOnce = 512;

// Choose each element from the choice that its number says. A choice begins somewhere and has a step from one element to the
// next, of an element's bytes or, where it is one value for all, of none. False, with nothing chosen, where a number is out of
// bounds and that is an error.
inline bool choose_elements(const int64_t* given, int64_t count, const char* const* begins, const int64_t* steps,
                            int64_t choice_count, Bounds bounds, int64_t itemsize, char* chosen) {
  if (bounds == Bounds::kRaise && !all_from_front(given, count, choice_count)) return false;
  bool alike = true;
  for (int64_t choice = 0; choice < choice_count; ++choice) alike &= steps[choice] != 0;
  with_width(itemsize, [&](auto width) {
    const size_t item = width() ? width() : itemsize;
    int64_t brought[kNumbersAtOnce];
    for (int64_t first = 0; first < count; first += kNumbersAtOnce) {
      const int64_t last = std::min(count, first + kNumbersAtOnce);
      const int64_t* numbers = given + first;
      if (bounds != Bounds::kRaise) {
        for (int64_t i = first; i < last; ++i) {
          brought[i - first] = given[i];
          bring_into_bounds(&brought[i - first], choice_count, bounds);
        }
        numbers = brought;
      }
      for (int64_t i = first; alike && i < last; ++i)
        std::memcpy(chosen + i * item, begins[numbers[i - first]] + i * item, item);
      for (int64_t i = first; !alike && i < last; ++i) {
        const int64_t number = numbers[i - first];
        std::memcpy(chosen + i * item, begins[number] + i * steps[number], item);
      }
    }
  });
  return true;
}

// So many truths are looked at together.
inline constexpr int64_t kTruths = 64;

// Write values to the elements of packed memory where a mask is true, of one value if the step is 0; without branches, which
// could not be foreseen, but where none of many is true.
template <class T>
[[gnu::always_inline]] inline void blend_each(const uint8_t* mask, const T* values, int64_t step, int64_t count, T* into) {
  if (step == 0) {
    const T value = *values;
    for (int64_t i = 0; i < count; ++i) into[i] = mask[i] ? value : into[i];
  } else {
    for (int64_t i = 0; i < count; ++i) into[i] = mask[i] ? values[i] : into[i];
  }
}
template <class T>
[[gnu::always_inline]] inline void blend(const uint8_t* mask, const T* values, int64_t step, int64_t count, T* into) {
  int64_t i = 0;
  for (; i + kTruths <= count; i += kTruths) {
    uint64_t words[kTruths / 8], any = 0;
    std::memcpy(words, mask + i, kTruths);
    for (const uint64_t word : words) any |= word;
    if (any) blend_each(mask + i, values + step * i, step, kTruths, into + i);
  }
  blend_each(mask + i, values + step * i, step, count - i, into + i);
}
#ifdef FASTNP_X86
template <class T>
FASTNP_AVX2 inline void blend_avx2(const uint8_t* mask, const T* values, int64_t step, int64_t count, T* into) {
  blend(mask, values, step, count, into);
}
#endif
inline void write_where(const char* mask, const char* values, int64_t step, int64_t count, int64_t itemsize, char* into) {
  with_item(itemsize, [&](auto unit) {
    using T = decltype(unit);
    const auto* const truths = reinterpret_cast<const uint8_t*>(mask);
#ifdef FASTNP_X86
    if (count >= kVectorFrom && has_avx2())
      return blend_avx2(truths, reinterpret_cast<const T*>(values), step, count, reinterpret_cast<T*>(into));
#endif
    blend(truths, reinterpret_cast<const T*>(values), step, count, reinterpret_cast<T*>(into));
  });
}

// As many equal items side by side are written as wide as they come.
inline constexpr int64_t kFilledFrom = 16;

// Each block of a constant width a constant number of times.
template <size_t WIDTH, int TIMES>
inline void repeat_each(const char* memory, int64_t blocks, char* repeated) {
  for (int64_t k = 0; k < blocks; ++k) {
    char block[WIDTH];
    std::memcpy(block, memory + k * WIDTH, WIDTH);
    for (int turn = 0; turn < TIMES; ++turn) std::memcpy(repeated + (k * TIMES + turn) * WIDTH, block, WIDTH);
  }
}

// Each block as often as its count says; `end` is that of the result.
template <size_t WIDTH>
void repeat_by_counts(const char* memory, int64_t size, int64_t bytes, const int64_t* counts, int64_t step, char*& repeated,
                      const char* end) {
  const size_t block = WIDTH ? WIDTH : bytes;
  char* into = repeated;
  for (int64_t k = 0; k < size; ++k, memory += block) {
    int64_t left = counts[k * step];
    if constexpr (WIDTH > 0) {
      char item[WIDTH];
      std::memcpy(item, memory, WIDTH);
      // Four are written where four or fewer are wanted and there is room: no branch depends on the count.
      if (left <= 4 && end - into >= static_cast<int64_t>(4 * WIDTH)) {
        for (int nth = 0; nth < 4; ++nth) std::memcpy(into + nth * WIDTH, item, WIDTH);
        into += left * WIDTH;
        continue;
      }
      if (left >= kFilledFrom) {
        fill_items(WIDTH, into, item, left);
        into += left * WIDTH;
        continue;
      }
    }
    for (; left > 0; --left, into += block) std::memcpy(into, memory, block);
  }
  repeated = into;
}

// Memory is (outer, size, block of bytes); block k of each turn comes counts[k * step] times. `end` is that of the result.
inline void repeat_blocks(const char* memory, int64_t outer, int64_t size, int64_t bytes, const int64_t* counts, int64_t step,
                          char* repeated, const char* end) {
  with_width(bytes, [&](auto width) {
    if constexpr (width() > 0) {
      if (step == 0 && counts[0] == 2) return repeat_each<width(), 2>(memory, outer * size, repeated);
      if (step == 0 && counts[0] == 3) return repeat_each<width(), 3>(memory, outer * size, repeated);
    }
    for (int64_t turn = 0; turn < outer; ++turn)
      repeat_by_counts<width()>(memory + turn * size * bytes, size, bytes, counts, step, repeated, end);
  });
}

}  // namespace fastnp
