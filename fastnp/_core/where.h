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
  const T one = FIRST_VARIES ? T{} : *a, other = SECOND_VARIES ? T{} : *b;
  for (intptr_t i = 0; i < count; ++i) {
    const T x = FIRST_VARIES ? a[i] : one, y = SECOND_VARIES ? b[i] : other;
    into[i] = chosen<T>(truth[i], x, y);
  }
}

// A block of truths that are all alike leaves one of the operands unread: 0.6 of the time, where the truths come in long runs.
template <class T>
[[gnu::always_inline]] inline void choose_by_runs(const char* truth, const T* a, const T* b, T* into, intptr_t count) {
  constexpr intptr_t kRun = 512;
  for (; count >= kRun; truth += kRun, a += kRun, b += kRun, into += kRun, count -= kRun) {
    if (std::memcmp(truth, truth + 1, kRun - 1) == 0)
      std::memmove(into, *truth ? a : b, kRun * sizeof(T));
    else
      choose_packed<T, true, true>(truth, a, b, into, kRun);
  }
  choose_packed<T, true, true>(truth, a, b, into, count);
}

template <class T>
[[gnu::always_inline]] inline void choose_any(const char* truth, const T* a, bool a_varies, const T* b, bool b_varies,
                                              T* into, intptr_t count) {
  if (a_varies && b_varies)
    choose_by_runs<T>(truth, a, b, into, count);
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

// Operands and a result that lie side by side, or an operand that is the same for all.
template <class T>
void choose_side_by_side(const char* truth, const char* first, bool first_varies, const char* second, bool second_varies,
                         char* out, intptr_t count) {
  const auto* const a = reinterpret_cast<const T*>(first);
  const auto* const b = reinterpret_cast<const T*>(second);
  auto* const into = reinterpret_cast<T*>(out);
#ifdef FASTNP_X86
  if (count >= kVectorFrom && has_avx2()) return choose_avx2<T>(truth, a, first_varies, b, second_varies, into, count);
#endif
  choose_any<T>(truth, a, first_varies, b, second_varies, into, count);
}

// Of items so large that bringing them together costs what choosing them does, each is moved from where it is.
[[gnu::noinline]] inline void choose_in_place(char** args, intptr_t count, const intptr_t* strides) {
  const char *truth = args[0], *first = args[1], *second = args[2];
  char* into = args[3];
  const intptr_t truth_step = strides[0], first_step = strides[1], second_step = strides[2], step = strides[3];
#pragma GCC unroll 4
  for (intptr_t i = 0; i < count; ++i)
    move_one<Wide>(into + i * step, truth[i * truth_step] ? first + i * first_step : second + i * second_step);
}

// What lies apart is brought together, a block at a time. Out of line: the buffers are not for all calls.
template <class T>
[[gnu::noinline]] void choose_by_blocks(char** args, intptr_t count, const intptr_t* strides) {
  constexpr intptr_t item = sizeof(T), kBlock = 512;
  char truths[kBlock];
  alignas(32) T values[3][kBlock];
  for (intptr_t start = 0; start < count; start += kBlock) {
    const intptr_t length = count - start < kBlock ? count - start : kBlock;
    const auto packed = [&](int k, char* buffer, intptr_t size) -> char* {
      char* const from = args[k] + start * strides[k];
      if (strides[k] == size || (strides[k] == 0 && k != 0)) return from;
      move_strided(size, buffer, size, from, strides[k], length);
      return buffer;
    };
    char* const truth = packed(0, truths, 1);
    char* const first = packed(1, reinterpret_cast<char*>(values[0]), item);
    char* const second = packed(2, reinterpret_cast<char*>(values[1]), item);
    char* const out = args[3] + start * strides[3];
    char* const into = strides[3] == item ? out : reinterpret_cast<char*>(values[2]);
    choose_side_by_side<T>(truth, first, strides[1] != 0, second, strides[2] != 0, into, length);
    if (into != out) move_strided(item, out, strides[3], into, item, length);
  }
}

template <class T>
void choose(char** args, const intptr_t* dimensions, const intptr_t* strides, void*) {
  constexpr intptr_t item = sizeof(T);
  const intptr_t count = dimensions[0];
  const auto is_packed = [=](int k) { return strides[k] == item || strides[k] == 0; };
  if (count == 0) return;
  if (strides[0] == 1 && strides[3] == item && is_packed(1) && is_packed(2))
    choose_side_by_side<T>(args[0], args[1], strides[1] != 0, args[2], strides[2] != 0, args[3], count);
  else if constexpr (item == 16)
    choose_in_place(args, count, strides);
  else
    choose_by_blocks<T>(args, count, strides);
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
