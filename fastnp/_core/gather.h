// Elements picked by index arrays: memory to values (take) and values to memory (put).
//
// Indices are checked as a whole before anything moves. Values are packed: one block of the subspace for each index, in
// C order. Writes run in the order of the indices, so that the last of duplicates stays.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "moves.h"
#include "parallel.h"
#include "past_cache.h"
#include "vector.h"

namespace fastnp {

// Lines of elements that lie at least kFar bytes apart are moved kTogether elements at a time, where it is this many bytes.
inline constexpr int64_t kFar = 256, kTogether = 32, kBeyondCaches = 1 << 25;

// Index arrays of one shape, each int64 and packed, one to an axis of the memory. Strides are in bytes.
struct Picked {
  char* data;
  int naxes;
  int64_t count;
  const int64_t* indices[64];
  int64_t sizes[64];
  int64_t strides[64];

  // Return the axis whose indices leave its bounds, or -1; `bad` is the first such index.
  int out_of_bounds(int64_t* bad) const {
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis];
      const int64_t size = sizes[axis];
      if (are_inside(index, count, size)) continue;
      for (int64_t i = 0; i < count; ++i) {
        if (index[i] >= -size && index[i] < size) continue;
        *bad = index[i];
        return axis;
      }
    }
    return -1;
  }

  // Whether all indices lie within [-size, size), by the sign bits of sums, which vectorise.
  static bool are_inside(const int64_t* index, int64_t n, int64_t size) {
#ifdef FASTNP_X86
    if (n >= kVectorFrom && has_avx2()) return are_inside_avx2(index, n, size);
#endif
    return are_inside_by_signs(index, n, size);
  }
#ifdef FASTNP_X86
  FASTNP_AVX2 static bool are_inside_avx2(const int64_t* index, int64_t n, int64_t size) {
    return are_inside_by_signs(index, n, size);
  }
#endif
  [[gnu::always_inline]] static bool are_inside_by_signs(const int64_t* index, int64_t n, int64_t size) {
    // The sums cannot overflow but where an index is far out of bounds, and then the other one, or the sign, tells.
    uint64_t above = 0, below = 0;
    const uint64_t last = static_cast<uint64_t>(size - 1), span = static_cast<uint64_t>(size);
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t place = static_cast<uint64_t>(index[i]);
      above |= ~place & (last - place);
      below |= place & (place + span);
    }
    return static_cast<int64_t>(above | below) >= 0;
  }

  // Fill `out` with offsets in bytes; false where an index leaves its axis.
  bool checked_offsets(int64_t start, int64_t n, int64_t* out) const {
    int64_t outside = 0;
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis] + start;
      const int64_t size = sizes[axis], stride = strides[axis];
      for (int64_t i = 0; i < n; ++i) {
        const int64_t place = index[i] + (index[i] < 0 ? size : 0);
        outside |= place | (size - 1 - place);
        out[i] = (axis == 0 ? 0 : out[i]) + place * stride;
      }
    }
    return outside >= 0;
  }

  void offsets(int64_t start, int64_t n, int64_t* out) const {
    for (int axis = 0; axis < naxes; ++axis) {
      const int64_t* index = indices[axis] + start;
      const int64_t size = sizes[axis], stride = strides[axis];
      if (axis == 0)
        for (int64_t i = 0; i < n; ++i) out[i] = (index[i] + (index[i] < 0 ? size : 0)) * stride;
      else
        for (int64_t i = 0; i < n; ++i) out[i] += (index[i] + (index[i] < 0 ? size : 0)) * stride;
    }
  }
};

// The axes that no index touches, coalesced; strides in bytes.
struct Subspace {
  int ndim = 0;
  int64_t size = 1;
  int64_t shape[64];
  int64_t strides[64];

  void set(int n, const int64_t* dims, const int64_t* steps) {
    ndim = 0;
    size = 1;
    for (int axis = 0; axis < n; ++axis) {
      size *= dims[axis];
      if (dims[axis] == 1) continue;
      if (ndim && strides[ndim - 1] == steps[axis] * dims[axis]) {
        shape[ndim - 1] *= dims[axis];
        strides[ndim - 1] = steps[axis];
      } else {
        shape[ndim] = dims[axis];
        strides[ndim++] = steps[axis];
      }
    }
  }

  // Call plane(byte offset, position) for the start of each plane of the two innermost axes.
  template <typename Plane>
  void for_each_plane(Plane&& plane) const {
    int64_t at[64] = {0}, offset = 0, position = 0;
    while (true) {
      plane(offset, position);
      position += shape[ndim - 2] * shape[ndim - 1];
      int axis = ndim - 3;
      for (; axis >= 0; --axis) {
        offset += strides[axis];
        if (++at[axis] < shape[axis]) break;
        offset -= strides[axis] * shape[axis];
        at[axis] = 0;
      }
      if (axis < 0) return;
    }
  }
};

template <typename T, bool PUT>
inline void move_item(char* memory, char* value) {
  if (PUT)
    std::memcpy(memory, value, sizeof(T));
  else
    std::memcpy(value, memory, sizeof(T));
}

// Items at offsets in bytes, packed; and packed ones, or one (`step` is 0), to such offsets.
inline void take_at(int itemsize, const char* data, const int64_t* offsets, int64_t count, char* into) {
  with_item(itemsize, [=](auto unit) {
    using T = decltype(unit);
    for (int64_t i = 0; i < count; ++i) move_one<T>(into + i * sizeof(T), data + offsets[i]);
  });
}
inline void put_at(int itemsize, char* data, const int64_t* offsets, int64_t count, const char* from, int64_t step) {
  with_item(itemsize, [=](auto unit) {
    for (int64_t i = 0; i < count; ++i) move_one<decltype(unit)>(data + offsets[i], from + i * step);
  });
}

// Items of one axis, side by side or not, each index checked on its way: the processor foresees that it is in bounds. (Not
// inlined: there the address of the values had no register left, and was read anew for each.)
template <typename T, bool PACKED, bool PAST>
[[gnu::noinline]] bool take_items(const char* data, int64_t size, int64_t step, const int64_t* index, int64_t n, char* values) {
  if (PACKED) step = sizeof(T);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = index[i] + (index[i] < 0 ? size : 0);
    if (static_cast<uint64_t>(place) >= static_cast<uint64_t>(size)) return false;
    copy_element<sizeof(T), PAST>(values + i * sizeof(T), data + place * step);
  }
  if (PAST) end_past_cache();
  return true;
}

template <typename T, bool PACKED>
bool take_part(const Picked& picked, int64_t begin, int64_t end, char* values) {
  const bool past = goes_past_cache(picked.count * sizeof(T), sizeof(T));
  const int64_t* const index = picked.indices[0] + begin;
  values += begin * sizeof(T);
  return past ? take_items<T, PACKED, true>(picked.data, picked.sizes[0], picked.strides[0], index, end - begin, values)
              : take_items<T, PACKED, false>(picked.data, picked.sizes[0], picked.strides[0], index, end - begin, values);
}

template <typename T>
void put_packed(const Picked& picked, const T* __restrict values, bool repeated) {
  T* const __restrict memory = reinterpret_cast<T*>(picked.data);
  const int64_t* const __restrict index = picked.indices[0];
  const int64_t size = picked.sizes[0];
  const T one = *values;
  const auto place_of = [=](int64_t i) { return index[i] + (index[i] >> 63 & size); };
  if (repeated)
#pragma GCC unroll 4
    for (int64_t i = 0; i < picked.count; ++i) memory[place_of(i)] = one;
  else
#pragma GCC unroll 4
    for (int64_t i = 0; i < picked.count; ++i) memory[place_of(i)] = values[i];
}

// One index's block of the subspace; what is taken is packed, what is put is packed or (`step` is 0) one value.
template <typename T, bool PUT>
void move_subspace(char* memory, const Subspace& subspace, char* values, int64_t step) {
  const int last = subspace.ndim - 1;
  const int64_t length = subspace.shape[last], stride = subspace.strides[last];
  if (last == 0) {
    PUT ? move_steps<T>(memory, stride, values, step, length) : move_steps<T>(values, step, memory, stride, length);
    return;
  }
  const int64_t rows = subspace.shape[last - 1], row = subspace.strides[last - 1];
  subspace.for_each_plane([&](int64_t offset, int64_t position) {
    char* const place = values + position * step;
    if (PUT)
      move_lines<T>(memory + offset, row, stride, place, length * step, step, rows, length);
    else
      move_lines<T>(place, length * step, step, memory + offset, row, stride, rows, length);
  });
}

// Far lines of a picked axis, a few elements of each at a time: their neighbours in the same cache lines come next.
template <typename T, bool PUT>
void move_far_lines(char* data, const int64_t* offsets, int64_t n, const Subspace& subspace, char* values, int64_t step) {
  const int64_t length = subspace.shape[0], stride = subspace.strides[0];
  for (int64_t low = 0; low < length; low += kTogether) {
    const int64_t some = std::min(kTogether, length - low);
    for (int64_t i = 0; i < n; ++i) {
      char* const place = data + offsets[i] + low * stride;
      char* const value = values + (i * length + low) * step;
      PUT ? move_steps<T>(place, stride, value, step, some) : move_steps<T>(value, step, place, stride, some);
    }
  }
}

// `step` is the distance of values in bytes: their width, or 0 where one value goes everywhere.
//
// What is taken is checked on the way; what is put has been checked before. False where an index leaves its axis.
template <typename T, bool PUT>
bool move_picked(const Picked& picked, const Subspace& subspace, char* values, int64_t step, int64_t begin, int64_t end) {
  constexpr int64_t CHUNK = 512;
  int64_t offsets[CHUNK];
  int64_t bad;
  if (subspace.size == 0) return PUT || picked.out_of_bounds(&bad) < 0;
  if (subspace.ndim == 0 && picked.naxes == 1 && begin < end) {
    const bool side_by_side = picked.strides[0] == static_cast<int64_t>(sizeof(T));
    if (!PUT)
      return side_by_side ? take_part<T, true>(picked, begin, end, values) : take_part<T, false>(picked, begin, end, values);
    if (side_by_side) {
      put_packed(picked, reinterpret_cast<T*>(values), step == 0);
      return true;
    }
  }
  const bool packed = subspace.ndim == 1 && subspace.strides[0] == static_cast<int64_t>(sizeof(T));
  const bool far = subspace.ndim == 1 && std::abs(subspace.strides[0]) >= kFar &&
                   (end - begin) * subspace.size * static_cast<int64_t>(sizeof(T)) >= kBeyondCaches;
  for (int64_t start = begin; start < end; start += CHUNK) {
    const int64_t n = std::min(CHUNK, end - start);
    if (PUT)
      picked.offsets(start, n, offsets);
    else if (!picked.checked_offsets(start, n, offsets))
      return false;
    char* const from = values + start * subspace.size * step;
    if (subspace.ndim == 0) {
      for (int64_t i = 0; i < n; ++i) move_item<T, PUT>(picked.data + offsets[i], from + i * step);
    } else if (packed && step) {
      const int64_t bytes = subspace.size * sizeof(T);
      for (int64_t i = 0; i < n; ++i) {
        if (PUT)
          std::memcpy(picked.data + offsets[i], from + i * bytes, bytes);
        else
          std::memcpy(from + i * bytes, picked.data + offsets[i], bytes);
      }
    } else if (packed) {
      for (int64_t i = 0; i < n; ++i) fill_items(sizeof(T), picked.data + offsets[i], from, subspace.size);
    } else if (far) {
      move_far_lines<T, PUT>(picked.data, offsets, n, subspace, from, step);
    } else {
      for (int64_t i = 0; i < n; ++i)
        move_subspace<T, PUT>(picked.data + offsets[i], subspace, from + i * subspace.size * step, step);
    }
  }
  return true;
}

// Threads may share what is taken, each its own results; what is put stays in the order of the indices.
inline bool take_picked(int itemsize, const Picked& picked, const Subspace& subspace, char* values) {
  return with_item(itemsize, [&](auto unit) {
    using T = decltype(unit);
    if (!may_split(picked.count * subspace.size) || picked.count < 2)
      return move_picked<T, false>(picked, subspace, values, sizeof(T), 0, picked.count);
    std::atomic<bool> inside{true};
    split(picked.count, 1, subspace.size, [&](int64_t begin, int64_t end) {
      if (!move_picked<T, false>(picked, subspace, values, sizeof(T), begin, end)) inside = false;
    });
    return inside.load();
  });
}
inline void put_picked(int itemsize, const Picked& picked, const Subspace& subspace, const char* values, bool repeated) {
  with_item(itemsize, [&](auto unit) {
    using T = decltype(unit);
    move_picked<T, true>(picked, subspace, const_cast<char*>(values), repeated ? 0 : sizeof(T), 0, picked.count);
  });
}

// Rows of values to picked columns of as many rows, each `step` bytes after the one before: a row stays in the cache.
inline void put_rows(int itemsize, const Picked& picked, int64_t rows, int64_t step, const char* values, int64_t row,
                     int64_t column) {
  constexpr int64_t CHUNK = 512;
  int64_t offsets[CHUNK];
  for (int64_t start = 0; start < picked.count; start += CHUNK) {
    const int64_t n = std::min(CHUNK, picked.count - start);
    picked.offsets(start, n, offsets);
    for (int64_t k = 0; k < rows; ++k) put_at(itemsize, picked.data + k * step, offsets, n, values + k * row + start * column, column);
  }
}

}  // namespace fastnp
