// The different elements of flat memory and their places, and which elements are among others.
#pragma once
#include <Python.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>

#include "dtype.h"
#include "interpreter.h"
#include "keys.h"
#include "vector.h"

namespace fastnp {

constexpr int64_t kSortedFirst = 256;       // elements up to which sorting is quicker than tables
constexpr int64_t kSetsReleaseFrom = 4096;  // sets of fewer elements keep the GIL

// Whether a table of all integers between the bounds is short.
template <class T>
bool is_dense(const Survey<T>& survey, int64_t count) {
  return std::is_integral_v<T> && count > kSortedFirst && survey.range() < static_cast<uint64_t>(count) * 2 + 1024;
}

// --- numbering elements in the order in which they appear -------------------------------------------------------------

// By a table of all integers between two bounds.
template <class T>
class DenseNumbers {
 public:
  explicit DenseNumbers(const Survey<T>& survey)
      : survey_(survey), size_(static_cast<int64_t>(survey.range()) + 1), numbers_(new (std::nothrow) int64_t[size_]()) {}

  bool has_memory() const { return numbers_ != nullptr; }
  int64_t number(T value) {
    int64_t& number = numbers_[survey_.place_of(value)];
    if (number == 0) number = ++count_;
    return number - 1;
  }
  int64_t count() const { return count_; }
  // Write the elements in order, and the numbers that they had.
  void write_sorted(T* values, int64_t* numbers) const {
    for (int64_t place = 0; place < size_; ++place) {
      if (numbers_[place] == 0) continue;
      *values++ = survey_.at(place);
      *numbers++ = numbers_[place] - 1;
    }
  }

 private:
  const Survey<T>& survey_;
  const int64_t size_;
  int64_t count_ = 0;
  const std::unique_ptr<int64_t[]> numbers_;
};

// By a table of hashes, where not many differ.
template <class T>
class FewNumbers {
 public:
  // More different elements than a part of all are sorted sooner.
  static int most_of(int64_t count) { return static_cast<int>(std::min<int64_t>(kMost, count / 16)); }
  explicit FewNumbers(int64_t count) : most_(most_of(count)) {}

  bool has_memory() const { return table_ != nullptr; }
  // -1 where there are too many.
  int64_t number(T value) {
    const KeyOf<T> key = key_of(value);
    int place = static_cast<int>((key * uint64_t{0x9E3779B97F4A7C15}) >> (64 - kBits));
    while (table_->numbers[place] != 0) {
      const int number = table_->numbers[place] - 1;
      if (table_->keys[number] == key) return number;
      place = (place + 1) & (kSlots - 1);
    }
    if (count_ == most_) return -1;
    table_->keys[count_] = key;
    table_->numbers[place] = static_cast<uint16_t>(++count_);
    return count_ - 1;
  }
  int64_t count() const { return count_; }
  void write_sorted(T* values, int64_t* numbers) const {
    const KeyOf<T>* const keys = table_->keys;
    std::iota(numbers, numbers + count_, int64_t{0});
    std::sort(numbers, numbers + count_, [=](int64_t a, int64_t b) { return keys[a] < keys[b]; });
    for (int64_t i = 0; i < count_; ++i) values[i] = of_key<T>(keys[numbers[i]]);
  }

 private:
  static constexpr int kBits = 13, kSlots = 1 << kBits;
  static constexpr int64_t kMost = kSlots / 2;
  struct Table {
    uint16_t numbers[kSlots] = {};
    KeyOf<T> keys[kMost];
  };
  const int most_;
  int count_ = 0;
  const std::unique_ptr<Table> table_{new (std::nothrow) Table};
};

// Whether elements drawn here and there meet again as often as they would if few enough differed for the table above.
template <class T>
[[gnu::noinline]] bool seem_few(const T* values, int64_t count) {
  constexpr int kBits = 16;
  uint64_t seen[(1 << kBits) / 64] = {};
  const int64_t drawn = static_cast<int64_t>(std::sqrt(32.0 * FewNumbers<T>::most_of(count)));
  int met = 0;
  for (int64_t i = 1; i <= drawn; ++i) {
    uint64_t mixed = static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93 >> 32;
    const KeyOf<T> key = key_of(values[static_cast<int64_t>(mixed * static_cast<uint64_t>(count) >> 32)]);
    const uint64_t place = key * uint64_t{0x9E3779B97F4A7C15} >> (64 - kBits);
    met += seen[place / 64] >> place % 64 & 1;
    seen[place / 64] |= uint64_t{1} << place % 64;
  }
  // Of as many as the table takes, 16 would be met again; of elements that all differ, one, by chance.
  return met >= 4;
}

// What is asked of the groups of equal elements: memory for as many as there are elements, or null for what is not wanted.
struct Groups {
  int64_t* index;    // the first place of each
  int64_t* inverse;  // the group of each element
  int64_t* counts;   // how many each group has
};

// Find groups by a table; -1 where there is no memory, -2 where the table has too few numbers.
template <class T, class Table>
int64_t group_by_table(Table&& table, const T* values, int64_t count, T* into, const Groups& groups) {
  if (!table.has_memory()) return -1;
  const bool only_elements = groups.index == nullptr && groups.inverse == nullptr && groups.counts == nullptr;
  for (int64_t i = 0; only_elements && i < count; ++i) {
    if (table.number(values[i]) < 0) return -2;
  }
  for (int64_t i = 0; !only_elements && i < count; ++i) {
    const int64_t before = table.count(), number = table.number(values[i]);
    if (number < 0) return -2;
    if (number == before) {
      if (groups.index != nullptr) groups.index[number] = i;
      if (groups.counts != nullptr) groups.counts[number] = 0;
    }
    if (groups.counts != nullptr) ++groups.counts[number];
    if (groups.inverse != nullptr) groups.inverse[i] = number;
  }
  const int64_t found = table.count();
  const std::unique_ptr<int64_t[]> memory(new (std::nothrow) int64_t[2 * found]);
  if (memory == nullptr) return -1;
  int64_t* const numbers = memory.get();
  int64_t* const moved = numbers + found;
  table.write_sorted(into, numbers);
  for (int64_t* const numbered : {groups.index, groups.counts}) {
    if (numbered == nullptr) continue;
    for (int64_t group = 0; group < found; ++group) moved[group] = numbered[numbers[group]];
    std::copy(moved, moved + found, numbered);
  }
  if (groups.inverse != nullptr) {
    for (int64_t group = 0; group < found; ++group) moved[numbers[group]] = group;
    for (int64_t i = 0; i < count; ++i) groups.inverse[i] = moved[groups.inverse[i]];
  }
  return found;
}

// --- different elements -----------------------------------------------------------------------------------------------

#ifdef FASTNP_X86
// Vectors of 64 bytes, of elements of four or eight.
template <class T>
FASTNP_AVX512 inline __m512i one_before(__m512i now, __m512i before) {
  if constexpr (sizeof(T) == 8) return _mm512_alignr_epi64(now, before, 7);
  else return _mm512_alignr_epi32(now, before, 15);
}
template <class T, int HOW>
FASTNP_AVX512 inline unsigned compared(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 8) return _mm512_cmp_pd_mask(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b), HOW);
  else return _mm512_cmp_ps_mask(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), HOW);
}
template <class T>
FASTNP_AVX512 inline unsigned that_begin(__m512i now, __m512i last, bool equal_nan) {
  if constexpr (std::is_floating_point_v<T>)
    return compared<T, _CMP_NEQ_UQ>(now, last) & (equal_nan ? compared<T, _CMP_ORD_Q>(last, last) : ~0u);
  else if constexpr (sizeof(T) == 8) return _mm512_cmpneq_epi64_mask(now, last);
  else return _mm512_cmpneq_epi32_mask(now, last);
}
template <class T>
FASTNP_AVX512 inline __m512i brought_together(unsigned lanes, __m512i x) {
  if constexpr (sizeof(T) == 8) return _mm512_maskz_compress_epi64(static_cast<__mmask8>(lanes), x);
  else return _mm512_maskz_compress_epi32(static_cast<__mmask16>(lanes), x);
}

// What `without_repeats` does, of whole vectors after the first element: returns how many stay, where the rest begins, and what lay
// before that.
template <class T>
FASTNP_AVX512 int64_t whole_without_repeats(T* values, int64_t count, bool equal_nan, int64_t* rest, T* last_seen) {
  constexpr int64_t kWidth = 64 / sizeof(T);
  T seen[kWidth];
  std::fill_n(seen, kWidth, values[0]);
  __m512i before = _mm512_loadu_si512(seen);
  int64_t found = 1, i = 1;
  for (; i + kWidth <= count; i += kWidth) {
    // What is written may reach what was read last, so that it is kept.
    const __m512i now = _mm512_loadu_si512(values + i);
    const unsigned lanes = that_begin<T>(now, one_before<T>(now, before), equal_nan);
    _mm512_storeu_si512(values + found, brought_together<T>(lanes, now));
    found += __builtin_popcount(lanes);
    before = now;
  }
  _mm512_storeu_si512(seen, before);
  *rest = i;
  *last_seen = seen[kWidth - 1];
  return found;
}
#endif

// NumPy: of equal elements the first of the sorted ones stays, and so does the first NaN where NaNs are equal.
template <class T>
int64_t without_repeats(T* values, int64_t count, bool equal_nan, int64_t* counts) {
  int64_t found = 0, rest = 1;
  T before = values[0];
#ifdef FASTNP_X86
  if constexpr (sizeof(T) >= 4)
    if (counts == nullptr && has_avx512()) found = whole_without_repeats(values, count, equal_nan, &rest, &before) - 1;
#endif
  for (int64_t i = rest; i < count; ++i) {
    const T value = values[i];
    if (counts != nullptr) counts[found] = i;  // where the group ends
    values[found + 1] = value;
    found += (value != before) & !(equal_nan & (before != before));
    before = value;
  }
  if (counts != nullptr) {
    counts[found] = count;
    for (int64_t group = found; group > 0; --group) counts[group] -= counts[group - 1];
  }
  return found + 1;
}

// Write the different elements in order, and how many of each there are unless `counts` is null; there is room for as many
// as there are elements. Returns how many there are, -1 where there is no memory.
template <class T>
int64_t distinct(const T* values, int64_t count, bool equal_nan, T* into, int64_t* counts, PyArray_SortFunc* sort) {
  const Survey<T> survey(values, count);
  if (is_dense(survey, count) && counts == nullptr) {
    const int64_t size = static_cast<int64_t>(survey.range()) + 1;
    const std::unique_ptr<bool[]> seen(new (std::nothrow) bool[size]());
    if (seen == nullptr) return -1;
    for (int64_t i = 0; i < count; ++i) seen[survey.place_of(values[i])] = true;
    int64_t found = 0;
    for (int64_t place = 0; place < size; ++place) {
      if (seen[place]) into[found++] = survey.at(place);
    }
    return found;
  }
  if (is_dense(survey, count)) return group_by_table(DenseNumbers<T>(survey), values, count, into, {nullptr, nullptr, counts});
  if (!survey.in_order && !survey.is_odd() && count > kSortedFirst && seem_few(values, count)) {
    const int64_t found = group_by_table(FewNumbers<T>(count), values, count, into, {nullptr, nullptr, counts});
    if (found != -2) return found;
  }
  std::memcpy(into, values, count * sizeof(T));
  if ((!survey.in_order || survey.is_odd()) && !sort_elements(into, count, survey, sort)) return -1;
  return without_repeats(into, count, equal_nan, counts);
}

inline int64_t distinct(int dtype, const void* values, int64_t count, bool equal_nan, void* into, int64_t* counts,
                        PyArray_ArrFuncs* functions) {
  if (count == 0) return 0;
  const InterpreterRelease release(count >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) {
    using T = typename decltype(of)::type;
    PyArray_SortFunc* const sort = functions->sort[NPY_QUICKSORT];
    return distinct(static_cast<const T*>(values), count, equal_nan, static_cast<T*>(into), counts, sort);
  });
}

// --- groups -----------------------------------------------------------------------------------------------------------

// Find the groups among sorted places: `at(place)` points to what is there, `is_next(one, last)` tells whether it begins a
// group, and `write(one, number)` keeps it as that of the group.
template <class At, class IsNext, class Write>
int64_t group_places(int64_t count, const uint64_t* places, const Groups& groups, At&& at, IsNext&& is_next, Write&& write) {
  decltype(at(0)) last = nullptr;
  int64_t found = -1, begin = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = static_cast<int64_t>(places[i]);
    const auto one = at(place);
    if (is_next(one, last)) {
      if (found >= 0 && groups.counts != nullptr) groups.counts[found] = i - begin;
      begin = i;
      write(one, ++found);
      if (groups.index != nullptr) groups.index[found] = place;
    }
    last = one;
    if (groups.inverse != nullptr) groups.inverse[place] = found;
  }
  if (groups.counts != nullptr) groups.counts[found] = count - begin;
  return found + 1;
}

template <class T>
int64_t group(const T* values, int64_t count, T* into, const Groups& groups, uint64_t* scratch, PyArray_SortFunc* sort) {
  const Survey<T> survey(values, count);
  if (survey.is_odd()) return -2;
  if (is_dense(survey, count)) return group_by_table(DenseNumbers<T>(survey), values, count, into, groups);
  if (count > kSortedFirst && seem_few(values, count)) {
    const int64_t found = group_by_table(FewNumbers<T>(count), values, count, into, groups);
    if (found != -2) return found;
  }
  if (!sort_places_of<T>(reinterpret_cast<const char*>(values), sizeof(T), count, scratch, sort)) return -1;
  return group_places(count, scratch, groups, [=](int64_t place) { return values + place; },
                      [](const T* value, const T* last) { return last == nullptr || *value != *last; },
                      [=](const T* value, int64_t number) { into[number] = *value; });
}

// Write the different elements in order, and what is asked of their groups; return how many there are, -1 where there is no
// memory, -2 where equal elements may differ. `scratch` is for a number an element, `functions` are those of uint64.
inline int64_t group(int dtype, const void* values, int64_t count, void* into, const Groups& groups, uint64_t* scratch,
                     PyArray_ArrFuncs* functions) {
  if (count == 0) return 0;
  const InterpreterRelease release(count >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) {
    using T = typename decltype(of)::type;
    PyArray_SortFunc* const sort = functions->sort[NPY_QUICKSORT];
    return group(static_cast<const T*>(values), count, static_cast<T*>(into), groups, scratch, sort);
  });
}

// Sort the places of rows by their elements from the first on, those of equal rows in their own order.
template <class T>
bool sort_rows(const T* rows, int64_t count, int64_t width, uint64_t* places, PyArray_SortFunc* sort) {
  const char* const first = reinterpret_cast<const char*>(rows);
  if (!sort_places_of<T>(first, width * sizeof(T), count, places, sort)) return false;
  const auto comes_first = [=](uint64_t one, uint64_t other) {
    const T* const a = rows + one * width;
    const T* const b = rows + other * width;
    const auto [at, there] = std::mismatch(a + 1, a + width, b + 1);
    return at == a + width ? one < other : *at < *there;
  };
  for (int64_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && rows[places[end] * width] == rows[places[begin] * width];) ++end;
    if (width > 1) std::sort(places + begin, places + end, comes_first);
  }
  return true;
}

// Find the groups of equal rows as `group` finds those of equal elements; `into` has room for all rows.
inline int64_t group_rows(int dtype, const void* memory, int64_t count, int64_t width, void* into, const Groups& groups,
                          uint64_t* scratch, PyArray_ArrFuncs* functions) {
  if (count == 0) return 0;
  const InterpreterRelease release(count * width >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    const T* const rows = static_cast<const T*>(memory);
    if (Survey<T>(rows, count * width).is_odd()) return -2;
    if (!sort_rows(rows, count, width, scratch, functions->sort[NPY_QUICKSORT])) return -1;
    const auto is_next = [=](const T* row, const T* last) { return last == nullptr || !std::equal(row, row + width, last); };
    return group_places(count, scratch, groups, [=](int64_t place) { return rows + place * width; }, is_next,
                        [=](const T* row, int64_t number) { std::copy(row, row + width, static_cast<T*>(into) + number * width); });
  });
}

// --- two sets ---------------------------------------------------------------------------------------------------------

// Whether some elements are NaNs, or zeros with a sign.
inline bool has_odd_elements(int dtype, const void* values, int64_t count) {
  return with_keyed(dtype, [&](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    return std::is_floating_point_v<T> && Survey<T>(static_cast<const T*>(values), count).is_odd();
  }) != 0;
}

// Write the elements that two sorted lines without repeats share, or those that only one of them has; return how many there
// are. The places of shared ones in both are written as well, unless these are null.
inline int64_t merge(int dtype, bool shared, const void* first, int64_t count, const void* second, int64_t other_count,
                     void* into, int64_t* places, int64_t* other_places) {
  const InterpreterRelease release(count + other_count >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) {
    using T = typename decltype(of)::type;
    const T* const a = static_cast<const T*>(first);
    const T* const b = static_cast<const T*>(second);
    T* const found = static_cast<T*>(into);
    int64_t i = 0, j = 0, size = 0;
    while (i < count && j < other_count) {
      if (a[i] == b[j]) {
        if (shared && places != nullptr) {
          places[size] = i;
          other_places[size] = j;
        }
        if (shared) found[size++] = a[i];
        ++i;
        ++j;
      } else {
        const bool is_first = a[i] < b[j];
        if (!shared) found[size++] = is_first ? a[i] : b[j];
        i += is_first;
        j += !is_first;
      }
    }
    if (shared) return size;
    while (i < count) found[size++] = a[i++];
    while (j < other_count) found[size++] = b[j++];
    return size;
  });
}

// Move the elements of a sorted line that another one has not to the front; return how many they are.
inline int64_t keep_absent(int dtype, void* memory, int64_t count, const void* others, int64_t other_count) {
  const InterpreterRelease release(count + other_count >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) {
    using T = typename decltype(of)::type;
    T* const values = static_cast<T*>(memory);
    const T *other = static_cast<const T*>(others), *const end = other + other_count;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
      const T value = values[i];
      while (other < end && *other < value) ++other;
      values[kept] = value;
      kept += !(other < end && *other == value);
    }
    return kept;
  });
}

// --- membership -------------------------------------------------------------------------------------------------------

// The bits by which elements are compared; one zero, and no NaN is asked for.
template <class T>
inline auto bits_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return key_of(value + T{0});
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <class Bits>
class BitsTable {
 public:
  explicit BitsTable(int64_t count) {
    while ((int64_t{1} << bits_) < 2 * count) ++bits_;
    slots_.reset(new (std::nothrow) Bits[int64_t{1} << bits_]());
  }
  bool has_memory() const { return slots_ != nullptr; }
  // An empty slot holds zeros, so that those are kept beside the table.
  void insert(Bits bits) {
    if (bits == 0) has_zeros_ = true;
    else slots_[slot(bits)] = bits;
  }
  bool has(Bits bits) const { return bits == 0 ? has_zeros_ : slots_[slot(bits)] == bits; }

 private:
  int64_t slot(Bits bits) const {
    int64_t place = static_cast<int64_t>((bits * uint64_t{0x9E3779B97F4A7C15}) >> (64 - bits_));
    while (slots_[place] != 0 && slots_[place] != bits) place = (place + 1) & ((int64_t{1} << bits_) - 1);
    return place;
  }
  int bits_ = 1;
  bool has_zeros_ = false;
  std::unique_ptr<Bits[]> slots_;
};

// Mark which elements are among a few others, one of these after the other.
template <class T>
[[gnu::always_inline]] inline void mark_each(const T* __restrict values, int64_t count, const T* members,
                                             int64_t member_count, bool invert, uint8_t* __restrict found) {
  // As wide as the values, so that vectors of truths need not be narrowed for each member.
  using Truth = std::conditional_t<sizeof(T) == 8, uint64_t,
                                   std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
  constexpr int64_t kBlock = 64;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t some = std::min(kBlock, count - begin);
    const T* const block = values + begin;
    Truth truths[kBlock] = {};
    for (int64_t j = 0; j < member_count; ++j) {
      const T member = members[j];
      if (some == kBlock)
        for (int64_t i = 0; i < kBlock; ++i) truths[i] |= static_cast<Truth>(block[i] == member);
      else
        for (int64_t i = 0; i < some; ++i) truths[i] |= static_cast<Truth>(block[i] == member);
    }
    for (int64_t i = 0; i < some; ++i) found[begin + i] = static_cast<uint8_t>(truths[i]) ^ invert;
  }
}
// The same of up to four, which stay in registers: what is looked through is read once.
constexpr int kFewMembers = 4;
template <int COUNT, class T>
[[gnu::always_inline]] inline void mark_some(const T* __restrict values, int64_t count, const T* members, bool invert,
                                             uint8_t* __restrict found) {
  for (int64_t i = 0; i < count; ++i) {
    bool among = false;
    for (int k = 0; k < COUNT; ++k) among |= values[i] == members[k];
    found[i] = among != invert;
  }
}
#ifdef FASTNP_X86
// Sixty-four truths are made of the bits of one word. Only long ones: below, compilers' own vectors do.
template <int COUNT>
FASTNP_AVX512 int64_t mark_words(const double* values, int64_t count, const double* members, bool invert, uint8_t* found) {
  __m512d member[COUNT];
  for (int k = 0; k < COUNT; ++k) member[k] = _mm512_set1_pd(members[k]);
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t bits = invert ? ~uint64_t{0} : 0;
    for (int part = 0; part < 8; ++part) {
      const __m512d x = _mm512_loadu_pd(values + i + 8 * part);
      uint64_t among = 0;
      for (int k = 0; k < COUNT; ++k) among |= _mm512_cmp_pd_mask(x, member[k], _CMP_EQ_OQ);
      bits ^= among << (8 * part);
    }
    _mm512_storeu_si512(found + i, _mm512_maskz_set1_epi8(bits, 1));
  }
  return i;
}
template <int COUNT, class T>
FASTNP_AVX512 void mark_some_avx512(const T* values, int64_t count, const T* members, bool invert, uint8_t* found) {
  int64_t done = 0;
  if constexpr (std::is_same_v<T, double>) done = mark_words<COUNT>(values, count, members, invert, found);
  mark_some<COUNT>(values + done, count - done, members, invert, found + done);
}
template <int COUNT, class T>
FASTNP_AVX2 void mark_some_avx2(const T* values, int64_t count, const T* members, bool invert, uint8_t* found) {
  mark_some<COUNT>(values, count, members, invert, found);
}
template <int COUNT, class T>
void mark_some_wide(const T* values, int64_t count, const T* members, bool invert, uint8_t* found) {
  (has_avx512() ? mark_some_avx512<COUNT, T> : mark_some_avx2<COUNT, T>)(values, count, members, invert, found);
}
template <class T>
FASTNP_AVX2 void mark_each_wide(const T* values, int64_t count, const T* members, int64_t member_count, bool invert,
                                uint8_t* found) {
  mark_each(values, count, members, member_count, invert, found);
}
#endif
template <class T>
void mark_few(const T* values, int64_t count, const T* members, int64_t member_count, bool invert, uint8_t* found) {
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) {
    switch (member_count) {
      case 1: return mark_some_wide<1>(values, count, members, invert, found);
      case 2: return mark_some_wide<2>(values, count, members, invert, found);
      case 3: return mark_some_wide<3>(values, count, members, invert, found);
      case kFewMembers: return mark_some_wide<kFewMembers>(values, count, members, invert, found);
      default: return mark_each_wide(values, count, members, member_count, invert, found);
    }
  }
#endif
  mark_each(values, count, members, member_count, invert, found);
}

template <class T>
bool find_members(const T* values, int64_t count, const T* members, int64_t member_count, bool invert, bool* found) {
  const auto test = [&](auto&& has) {
    for (int64_t i = 0; i < count; ++i) found[i] = has(values[i]) != invert;
    return true;
  };
  // A table has a number in so many steps as it takes to compare it with forty others; of integers in a range, with four.
  if (member_count <= kFewMembers || (!std::is_integral_v<T> && member_count <= 40)) {
    mark_few(values, count, members, member_count, invert, reinterpret_cast<uint8_t*>(found));
    return true;
  }
  if constexpr (std::is_integral_v<T>) {
    const auto [least, greatest] = std::minmax_element(members, members + member_count);
    const uint64_t low = static_cast<uint64_t>(*least), range = static_cast<uint64_t>(*greatest) - low;
    if (range <= static_cast<uint64_t>(count + member_count) * 4 + 256) {
      const std::unique_ptr<bool[]> table(new (std::nothrow) bool[range + 2]());
      if (table == nullptr) return false;
      for (int64_t i = 0; i < member_count; ++i) table[static_cast<uint64_t>(members[i]) - low] = true;
      return test([&](T value) { return table[std::min(static_cast<uint64_t>(value) - low, range + 1)]; });
    }
  }
  BitsTable<decltype(bits_of(T{}))> table(member_count);
  if (!table.has_memory()) return false;
  for (int64_t i = 0; i < member_count; ++i) {
    if (members[i] == members[i]) table.insert(bits_of(members[i]));
  }
  return test([&](T value) { return value == value && table.has(bits_of(value)); });
}

// Write which elements are among others of their dtype; false where there is no memory.
inline bool find_members(int dtype, const void* values, int64_t count, const void* members, int64_t member_count, bool invert,
                         bool* found) {
  const InterpreterRelease release(count + member_count >= kSetsReleaseFrom);
  return with_keyed(dtype, [&](auto of) -> int64_t {
    using T = typename decltype(of)::type;
    return find_members(static_cast<const T*>(values), count, static_cast<const T*>(members), member_count, invert, found);
  }) != 0;
}

// Move the elements that a mask chooses to the front; return how many there are.
inline int64_t keep_chosen(int dtype, void* memory, int64_t count, const bool* chosen) {
  return with_keyed(dtype, [&](auto of) {
    using T = typename decltype(of)::type;
    T* const values = static_cast<T*>(memory);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
      values[kept] = values[i];
      kept += chosen[i];
    }
    return kept;
  });
}

}  // namespace fastnp
