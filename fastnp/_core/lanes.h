// The lines of an array along one axis, and NumPy's own functions of a dtype over them.
//
// Lines that lie in one piece are computed on in place, others by way of a buffer, as NumPy does.
#pragma once
#include <Python.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>

#include "moves.h"

namespace fastnp {

// One line for each element of the other axes, in C order. Steps are in bytes, of two arrays of one shape but for the axis.
struct Lanes {
  int64_t length, step, other_step;
  int ndim;
  int64_t count;
  int64_t shape[64], steps[64], other_steps[64];

  void set(int axis, int dims, const int64_t* sizes, const int64_t* first, const int64_t* second) {
    length = sizes[axis];
    step = first[axis];
    other_step = second[axis];
    ndim = 0;
    count = 1;
    for (int place = 0; place < dims; ++place) {
      if (place == axis) continue;
      count *= sizes[place];
      if (sizes[place] == 1) continue;
      shape[ndim] = sizes[place];
      steps[ndim] = first[place];
      other_steps[ndim++] = second[place];
    }
  }

  // Call visit(line of the first, line of the second) until it returns false; whether it never did.
  template <class Visit>
  bool for_each(char* first, char* second, Visit&& visit) const {
    if (count == 0) return true;
    if (ndim == 1) {
      for (int64_t line = 0; line < count; ++line, first += steps[0], second += other_steps[0])
        if (!visit(first, second)) return false;
      return true;
    }
    int64_t at[64] = {0};
    while (true) {
      if (!visit(first, second)) return false;
      int axis = ndim - 1;
      for (; axis >= 0; --axis) {
        first += steps[axis];
        second += other_steps[axis];
        if (++at[axis] < shape[axis]) break;
        first -= steps[axis] * shape[axis];
        second -= other_steps[axis] * shape[axis];
        at[axis] = 0;
      }
      if (axis < 0) return true;
    }
  }
};

// Memory for a line: on the stack where it is short.
class LineBuffer {
 public:
  explicit LineBuffer(int64_t bytes) : data_(bytes <= kInline ? inline_ : new (std::nothrow) char[bytes]) {}
  ~LineBuffer() {
    if (data_ != inline_) delete[] data_;
  }
  LineBuffer(const LineBuffer&) = delete;
  LineBuffer& operator=(const LineBuffer&) = delete;
  char* data() const { return data_; }

 private:
  static constexpr int64_t kInline = 2048;
  alignas(16) char inline_[kInline];
  char* data_;
};

inline void copy_line(char* into, int64_t into_step, const char* from, int64_t from_step, int64_t count, int itemsize) {
  const auto move = [&](auto width) {
    for (int64_t i = 0; i < count; ++i) std::memcpy(into + i * into_step, from + i * from_step, width());
  };
  switch (itemsize) {
    case 1: return move([] { return std::integral_constant<size_t, 1>{}(); });
    case 2: return move([] { return std::integral_constant<size_t, 2>{}(); });
    case 4: return move([] { return std::integral_constant<size_t, 4>{}(); });
    case 8: return move([] { return std::integral_constant<size_t, 8>{}(); });
    default: return move([] { return std::integral_constant<size_t, 16>{}(); });
  }
}

inline PyArray_ArrFuncs* functions_of(PyObject* dtype) {
  return PyDataType_GetArrFuncs(reinterpret_cast<PyArray_Descr*>(dtype));
}

inline bool can_sort(PyObject* dtype, int kind, bool positions) {
  PyArray_ArrFuncs* const functions = functions_of(dtype);
  return positions ? functions->argsort[kind] != nullptr : functions->sort[kind] != nullptr;
}

// Sort integers that are in order, or few of which differ: count each, and write them out. False where too many may differ.
template <class T>
bool sort_by_counting(T* line, int64_t length) {
  T least = line[0], greatest = line[0];
  T descends = 0;
  for (int64_t i = 1; i < length; ++i) {
    least = line[i] < least ? line[i] : least;
    greatest = line[i] > greatest ? line[i] : greatest;
    descends |= line[i] < line[i - 1];
  }
  if (!descends) return true;
  const uint64_t range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
  if (range >= static_cast<uint64_t>(length) / 8 + 128) return false;
  std::unique_ptr<int64_t[]> counts(new (std::nothrow) int64_t[range + 1]());
  if (counts == nullptr) return false;
  for (int64_t i = 0; i < length; ++i) ++counts[static_cast<uint64_t>(line[i]) - static_cast<uint64_t>(least)];
  for (uint64_t place = 0; place <= range; ++place)
    line = std::fill_n(line, counts[place], static_cast<T>(static_cast<uint64_t>(least) + place));
  return true;
}

constexpr int64_t COUNTED_FROM = 1024;  // elements from which counting is worth a look at their range

inline bool sort_by_counting(int type_num, char* line, int64_t length) {
  if (length < COUNTED_FROM) return false;
  switch (type_num) {
    case NPY_BOOL: case NPY_UBYTE: return sort_by_counting(reinterpret_cast<uint8_t*>(line), length);
    case NPY_BYTE: return sort_by_counting(reinterpret_cast<int8_t*>(line), length);
    case NPY_SHORT: return sort_by_counting(reinterpret_cast<int16_t*>(line), length);
    case NPY_USHORT: return sort_by_counting(reinterpret_cast<uint16_t*>(line), length);
    case NPY_INT: return sort_by_counting(reinterpret_cast<int*>(line), length);
    case NPY_UINT: return sort_by_counting(reinterpret_cast<unsigned*>(line), length);
    case NPY_LONG: return sort_by_counting(reinterpret_cast<long*>(line), length);
    case NPY_ULONG: return sort_by_counting(reinterpret_cast<unsigned long*>(line), length);
    default: return false;
  }
}

// Sort each line in place; false where there is no memory.
inline bool sort_lanes(PyArray_ArrFuncs* functions, int kind, const Lanes& lanes, char* data, int itemsize, int type_num) {
  PyArray_SortFunc* const sort_by_numpy = functions->sort[kind];
  const auto sort = [=](char* line, int64_t length, void*) {
    return sort_by_counting(type_num, line, length) ? 0 : sort_by_numpy(line, length, nullptr);
  };
  const int64_t length = lanes.length, step = lanes.step;
  if (length < 2) return true;
  if (step == itemsize) return lanes.for_each(data, data, [&](char* line, char*) { return sort(line, length, nullptr) >= 0; });
  LineBuffer buffer(length * itemsize);
  if (!buffer.data()) return false;
  return lanes.for_each(data, data, [&](char* line, char*) {
    copy_line(buffer.data(), itemsize, line, step, length, itemsize);
    if (sort(buffer.data(), length, nullptr) < 0) return false;
    copy_line(line, step, buffer.data(), itemsize, length, itemsize);
    return true;
  });
}

// Write the positions that sort each line, as int64; false where there is no memory.
inline bool argsort_lanes(PyArray_ArrFuncs* functions, int kind, const Lanes& lanes, char* data, char* positions,
                          int itemsize) {
  PyArray_ArgSortFunc* const argsort = functions->argsort[kind];
  const int64_t length = lanes.length, step = lanes.step, into_step = lanes.other_step;
  const bool packed = step == itemsize || length < 2, direct = into_step == 8 || length < 2;
  LineBuffer values(packed ? 0 : length * itemsize), order(direct ? 0 : length * 8);
  if (!values.data() || !order.data()) return false;
  return lanes.for_each(data, positions, [&](char* line, char* into) {
    npy_intp* const found = reinterpret_cast<npy_intp*>(direct ? into : order.data());
    std::iota(found, found + length, npy_intp{0});
    if (length < 2) return true;
    if (!packed) {
      copy_line(values.data(), itemsize, line, step, length, itemsize);
      line = values.data();
    }
    if (argsort(line, found, length, nullptr) < 0) return false;
    if (!direct) copy_line(into, into_step, order.data(), 8, length, 8);
    return true;
  });
}

// Lines that do not lie in one piece, but side by side, brought into pieces as many at a time as share lines of the cache.
class TurnedLines {
 public:
  static constexpr int64_t kLines = 16;

  static bool fits(const Lanes& lanes, int itemsize) {
    return lanes.step != itemsize && lanes.ndim > 0 && lanes.steps[lanes.ndim - 1] == itemsize &&
           lanes.shape[lanes.ndim - 1] >= 8 && lanes.length >= 8;
  }
  TurnedLines(const Lanes& lanes, int itemsize)
      : lanes_(lanes), itemsize_(itemsize), row_((lanes.length * itemsize + 63) & ~int64_t{63}),
        memory_(new (std::nothrow) char[kLines * row_]) {}

  bool has_memory() const { return memory_ != nullptr; }

  // The next line in order, which begins at `line`.
  char* next(const char* line) {
    const int64_t across = lanes_.shape[lanes_.ndim - 1];
    if (place_ == across) place_ = 0;
    const int64_t row = place_ % kLines;
    if (row == 0)
      move_turned(itemsize_, memory_.get(), row_, line, lanes_.step, std::min(kLines, across - place_), lanes_.length);
    ++place_;
    return memory_.get() + row * row_;
  }

 private:
  const Lanes& lanes_;
  const int itemsize_;
  const int64_t row_;
  int64_t place_ = 0;
  const std::unique_ptr<char[]> memory_;
};

// Write the position of the extremum of each line, one after the other; false where there is no memory.
inline bool arg_extremum_lanes(PyArray_ArrFuncs* functions, bool smallest, const Lanes& lanes, char* data, int64_t* positions,
                               int itemsize) {
  PyArray_ArgFunc* const extremum = smallest ? functions->argmin : functions->argmax;
  const int64_t length = lanes.length, step = lanes.step;
  if (TurnedLines::fits(lanes, itemsize)) {
    TurnedLines turned(lanes, itemsize);
    if (!turned.has_memory()) return false;
    return lanes.for_each(data, data, [&](char* line, char*) {
      npy_intp position = 0;
      extremum(turned.next(line), length, &position, nullptr);
      *positions++ = position;
      return true;
    });
  }
  const bool packed = step == itemsize;
  LineBuffer values(packed ? 0 : length * itemsize);
  if (!values.data()) return false;
  return lanes.for_each(data, data, [&](char* line, char*) {
    if (!packed) {
      copy_line(values.data(), itemsize, line, step, length, itemsize);
      line = values.data();
    }
    npy_intp position = 0;
    extremum(line, length, &position, nullptr);
    *positions++ = position;
    return true;
  });
}

}  // namespace fastnp
