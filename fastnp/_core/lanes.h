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

  // Walk axes that lie together in both arrays as one.
  void join_axes() {
    int kept = 0;
    for (int axis = 1; axis < ndim; ++axis) {
      if (steps[kept] == steps[axis] * shape[axis] && other_steps[kept] == other_steps[axis] * shape[axis])
        shape[kept] *= shape[axis];
      else
        shape[++kept] = shape[axis];
      steps[kept] = steps[axis];
      other_steps[kept] = other_steps[axis];
    }
    ndim = std::min(ndim, kept + 1);
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

inline PyArray_ArrFuncs* functions_of(PyObject* dtype) {
  return PyDataType_GetArrFuncs(reinterpret_cast<PyArray_Descr*>(dtype));
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

  // Write what has become of the lines to where they came from, `line` being where the last one of them began.
  void put_back(char* line) const {
    const int64_t lines = (place_ - 1) % kLines + 1;
    if (lines < kLines && place_ < lanes_.shape[lanes_.ndim - 1]) return;
    move_turned(itemsize_, line - (lines - 1) * itemsize_, lanes_.step, memory_.get(), row_, lanes_.length, lines);
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
      move_strided(itemsize, values.data(), itemsize, line, step, length);
      line = values.data();
    }
    npy_intp position = 0;
    extremum(line, length, &position, nullptr);
    *positions++ = position;
    return true;
  });
}

}  // namespace fastnp
