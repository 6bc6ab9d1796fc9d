// Elements picked by index arrays and masks: memory to values (take) and values to memory (put).
//
// Indices are checked as a whole before anything moves. Values are packed: one block of the subspace for each index, in
// C order. Writes run in the order of the indices, so that the last of duplicates stays.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fastnp {

struct Wide {
  uint64_t half[2];
};

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
      int64_t low = 0, high = -1;
      for (int64_t i = 0; i < count; ++i) {
        low = std::min(low, index[i]);
        high = std::max(high, index[i]);
      }
      if (low >= -size && high < size) continue;
      for (int64_t i = 0; i < count; ++i) {
        if (index[i] >= -size && index[i] < size) continue;
        *bad = index[i];
        return axis;
      }
    }
    return -1;
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

  // Call line(byte offset, position) for the start of each innermost line.
  template <typename Line>
  void for_each_line(Line&& line) const {
    int64_t at[64] = {0}, offset = 0, position = 0;
    while (true) {
      line(offset, position);
      position += shape[ndim - 1];
      int axis = ndim - 2;
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

// `step` is the distance of values in bytes: their width, or 0 where one value goes everywhere.
//
// What is taken is checked on the way; what is put has been checked before. False where an index leaves its axis.
template <typename T, bool PUT>
bool move_picked(const Picked& picked, const Subspace& subspace, char* values, int64_t step) {
  constexpr int64_t CHUNK = 512;
  int64_t offsets[CHUNK];
  int64_t bad;
  if (subspace.size == 0) return PUT || picked.out_of_bounds(&bad) < 0;
  const int last = subspace.ndim - 1;
  const bool packed = subspace.ndim == 1 && subspace.strides[0] == static_cast<int64_t>(sizeof(T));
  for (int64_t start = 0; start < picked.count; start += CHUNK) {
    const int64_t n = std::min(CHUNK, picked.count - start);
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
    } else {
      const int64_t length = subspace.shape[last], stride = subspace.strides[last];
      for (int64_t i = 0; i < n; ++i) {
        char* const memory = picked.data + offsets[i];
        char* const block = from + i * subspace.size * step;
        subspace.for_each_line([&](int64_t offset, int64_t position) {
          for (int64_t k = 0; k < length; ++k)
            move_item<T, PUT>(memory + offset + k * stride, block + (position + k) * step);
        });
      }
    }
  }
  return true;
}

template <bool PUT>
bool move_picked(int itemsize, const Picked& picked, const Subspace& subspace, char* values, bool repeated) {
  const int64_t step = repeated ? 0 : itemsize;
  switch (itemsize) {
    case 1: return move_picked<uint8_t, PUT>(picked, subspace, values, step);
    case 2: return move_picked<uint16_t, PUT>(picked, subspace, values, step);
    case 4: return move_picked<uint32_t, PUT>(picked, subspace, values, step);
    case 8: return move_picked<uint64_t, PUT>(picked, subspace, values, step);
    default: return move_picked<Wide, PUT>(picked, subspace, values, step);
  }
}

inline bool take_picked(int itemsize, const Picked& picked, const Subspace& subspace, char* values) {
  return move_picked<false>(itemsize, picked, subspace, values, false);
}
inline void put_picked(int itemsize, const Picked& picked, const Subspace& subspace, const char* values, bool repeated) {
  move_picked<true>(itemsize, picked, subspace, const_cast<char*>(values), repeated);
}

// --- masks ------------------------------------------------------------------------------------------------------------

inline int64_t count_true(const uint8_t* mask, int64_t n) {
  int64_t count = 0;
  while (n > 0) {
    const int64_t chunk = std::min<int64_t>(n, 1 << 20);
    int32_t part = 0;
    for (int64_t i = 0; i < chunk; ++i) part += mask[i] != 0;
    count += part;
    mask += chunk;
    n -= chunk;
  }
  return count;
}

// Call hit(i) for each true element, in order.
template <typename Hit>
inline void for_each_true(const uint8_t* mask, int64_t n, Hit&& hit) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word;
    std::memcpy(&word, mask + i, 8);
    if (word == 0) continue;
    for (int64_t k = i; k < i + 8; ++k)
      if (mask[k]) hit(k);
  }
  for (; i < n; ++i)
    if (mask[i]) hit(i);
}

// The coordinates of the true elements of a packed mask: out[axis][0 .. count).
inline void true_coordinates(const uint8_t* mask, int ndim, const int64_t* shape, int64_t* const* out) {
  int64_t n = 1, found = 0;
  for (int axis = 0; axis < ndim; ++axis) n *= shape[axis];
  for_each_true(mask, n, [&](int64_t i) {
    for (int axis = ndim - 1; axis > 0; --axis) {
      out[axis][found] = i % shape[axis];
      i /= shape[axis];
    }
    out[0][found++] = i;
  });
}

// Without branches where eight more values are to come: a write past the last hit is undone by the next.
template <typename T>
void take_true(const uint8_t* mask, const T* memory, int64_t n, T* values, int64_t count) {
  for (int64_t i = 0, found = 0; found < count;) {
    if (i + 8 <= n) {
      uint64_t word;
      std::memcpy(&word, mask + i, 8);
      if (word == 0) {
        i += 8;
        continue;
      }
      if (found + 8 <= count) {
        for (int k = 0; k < 8; ++k, ++i) {
          values[found] = memory[i];
          found += mask[i] != 0;
        }
        continue;
      }
    }
    values[found] = memory[i];
    found += mask[i] != 0;
    ++i;
  }
}

template <typename T>
void put_true(const uint8_t* mask, T* memory, int64_t n, const T* values, bool repeated) {
  if (repeated) {
    const T value = *values;
    for_each_true(mask, n, [&](int64_t i) { memory[i] = value; });
  } else {
    for_each_true(mask, n, [&](int64_t i) { memory[i] = *values++; });
  }
}

template <typename T>
void take_true_bits(const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  take_true(mask, reinterpret_cast<const T*>(memory), n, reinterpret_cast<T*>(values), count);
}
template <typename T>
void put_true_bits(const uint8_t* mask, char* memory, int64_t n, const char* values, bool repeated) {
  put_true(mask, reinterpret_cast<T*>(memory), n, reinterpret_cast<const T*>(values), repeated);
}

inline void take_true(int itemsize, const uint8_t* mask, const char* memory, int64_t n, char* values, int64_t count) {
  switch (itemsize) {
    case 1: return take_true_bits<uint8_t>(mask, memory, n, values, count);
    case 2: return take_true_bits<uint16_t>(mask, memory, n, values, count);
    case 4: return take_true_bits<uint32_t>(mask, memory, n, values, count);
    case 8: return take_true_bits<uint64_t>(mask, memory, n, values, count);
    default: return take_true_bits<Wide>(mask, memory, n, values, count);
  }
}

inline void put_true(int itemsize, const uint8_t* mask, char* memory, int64_t n, const char* values, bool repeated) {
  switch (itemsize) {
    case 1: return put_true_bits<uint8_t>(mask, memory, n, values, repeated);
    case 2: return put_true_bits<uint16_t>(mask, memory, n, values, repeated);
    case 4: return put_true_bits<uint32_t>(mask, memory, n, values, repeated);
    case 8: return put_true_bits<uint64_t>(mask, memory, n, values, repeated);
    default: return put_true_bits<Wide>(mask, memory, n, values, repeated);
  }
}

}  // namespace fastnp
