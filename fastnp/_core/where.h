// The inner loop of `where`: one of two values by a truth, without a branch on it.
#pragma once
#include <cstdint>
#include <cstring>

namespace fastnp {

struct Pair {
  uint64_t low, high;
};

template <class T>
void choose(char** args, const intptr_t* dimensions, const intptr_t* strides, void*) {
  const intptr_t count = dimensions[0];
  const char *truth = args[0], *first = args[1], *second = args[2];
  char* out = args[3];
  constexpr intptr_t item = sizeof(T);
  const auto load = [](const char* from) {
    T value;
    std::memcpy(&value, from, item);
    return value;
  };
  if (strides[0] == 1 && strides[3] == item && (strides[1] == item || strides[1] == 0) &&
      (strides[2] == item || strides[2] == 0)) {
    auto* const into = reinterpret_cast<T*>(out);
    const auto* const a = reinterpret_cast<const T*>(first);
    const auto* const b = reinterpret_cast<const T*>(second);
    if (strides[1] && strides[2]) {
      for (intptr_t i = 0; i < count; ++i) into[i] = truth[i] ? a[i] : b[i];
    } else if (strides[1]) {
      const T other = load(second);
      for (intptr_t i = 0; i < count; ++i) into[i] = truth[i] ? a[i] : other;
    } else if (strides[2]) {
      const T one = load(first);
      for (intptr_t i = 0; i < count; ++i) into[i] = truth[i] ? one : b[i];
    } else {
      const T one = load(first), other = load(second);
      for (intptr_t i = 0; i < count; ++i) into[i] = truth[i] ? one : other;
    }
    return;
  }
  for (intptr_t i = 0; i < count; ++i) {
    const T one = load(first), other = load(second), chosen = *truth ? one : other;
    std::memcpy(out, &chosen, item);
    truth += strides[0];
    first += strides[1];
    second += strides[2];
    out += strides[3];
  }
}

inline void (*find_where(int64_t itemsize))(char**, const intptr_t*, const intptr_t*, void*) {
  switch (itemsize) {
    case 1: return choose<uint8_t>;
    case 2: return choose<uint16_t>;
    case 4: return choose<uint32_t>;
    case 8: return choose<uint64_t>;
    default: return choose<Pair>;
  }
}

}  // namespace fastnp
