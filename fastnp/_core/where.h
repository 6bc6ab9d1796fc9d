// The inner loop of `where`: one of two values by a truth, without a branch on it.
#pragma once
#include <cstdint>
#include <cstring>

#include "moves.h"

namespace fastnp {

template <class T>
[[gnu::always_inline]] inline T chosen(char truth, T one, T other) {
  if constexpr (sizeof(T) <= 8) {
    return truth ? one : other;
  } else {
    const uint64_t mask = -static_cast<uint64_t>(truth != 0);
    return {{(one.half[0] & mask) | (other.half[0] & ~mask), (one.half[1] & mask) | (other.half[1] & ~mask)}};
  }
}

// Both values are read before one is chosen, so that the loop has no branch; either may be the same for all.
template <class T, bool FIRST_VARIES, bool SECOND_VARIES>
[[gnu::always_inline]] inline void choose_packed(const char* truth, const T* a, const T* b, T* into, intptr_t count) {
  const T one = *a, other = *b;
  for (intptr_t i = 0; i < count; ++i) {
    const T x = FIRST_VARIES ? a[i] : one, y = SECOND_VARIES ? b[i] : other;
    into[i] = chosen<T>(truth[i], x, y);
  }
}

template <class T>
[[gnu::always_inline]] inline void choose_any(const char* truth, const T* a, bool a_varies, const T* b, bool b_varies,
                                              T* into, intptr_t count) {
  if (a_varies && b_varies)
    choose_packed<T, true, true>(truth, a, b, into, count);
  else if (a_varies)
    choose_packed<T, true, false>(truth, a, b, into, count);
  else if (b_varies)
    choose_packed<T, false, true>(truth, a, b, into, count);
  else
    choose_packed<T, false, false>(truth, a, b, into, count);
}

#ifdef FASTNP_X86
template <class T>
FASTNP_AVX2 void choose_avx2(const char* truth, const T* a, bool a_varies, const T* b, bool b_varies, T* into,
                             intptr_t count) {
  choose_any(truth, a, a_varies, b, b_varies, into, count);
}
#endif

template <class T>
void choose(char** args, const intptr_t* dimensions, const intptr_t* strides, void*) {
  const intptr_t count = dimensions[0];
  const char *truth = args[0], *first = args[1], *second = args[2];
  char* out = args[3];
  constexpr intptr_t item = sizeof(T);
  if (count > 0 && strides[0] == 1 && strides[3] == item && (strides[1] == item || strides[1] == 0) &&
      (strides[2] == item || strides[2] == 0)) {
    auto* const into = reinterpret_cast<T*>(out);
    const auto* const a = reinterpret_cast<const T*>(first);
    const auto* const b = reinterpret_cast<const T*>(second);
#ifdef FASTNP_X86
    if (count >= kVectorFrom && has_avx2()) return choose_avx2<T>(truth, a, strides[1] != 0, b, strides[2] != 0, into, count);
#endif
    choose_any<T>(truth, a, strides[1] != 0, b, strides[2] != 0, into, count);
    return;
  }
  for (intptr_t i = 0; i < count; ++i) {
    T one, other;
    std::memcpy(&one, first, item);
    std::memcpy(&other, second, item);
    const T value = chosen<T>(*truth, one, other);
    std::memcpy(out, &value, item);
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
    default: return choose<Wide>;
  }
}

}  // namespace fastnp
