// Bounded integers as NumPy's streams draw them, many at a time:
// https://numpy.org/doc/2.4/reference/random/extending.html
#pragma once

#include <numpy/random/bitgen.h>

#include <algorithm>
#include <cstdint>

namespace fastnp {

inline constexpr int64_t kWords = 512;

// The numbers of 32 bits of a stream. A generator that makes 64 at a time gives their lower half first, and its stream
// holds the upper one until the next is asked for; whether it holds one can only be read off its state.
class Words {
 public:
  enum Held : int { UNKNOWN = -1, NONE, HALF };

  Words(bitgen_t* bits, int held) : bits_(bits), held_(held) {}

  uint64_t wide() { return bits_->next_uint64(bits_->state); }

  void fill(uint32_t* out, int64_t count) {
    int64_t drawn = 0;
    if (held_ != UNKNOWN && count > 0) {
      if (held_ == HALF) out[drawn++] = one();
      // The last ones one by one: the state of a stream remembers also a half that is gone.
      for (; drawn + 3 < count; drawn += 2) {
        const uint64_t both = wide();
        out[drawn] = static_cast<uint32_t>(both);
        out[drawn + 1] = static_cast<uint32_t>(both >> 32);
      }
      held_ = (count - drawn) % 2 != 0 ? HALF : NONE;
    }
    for (; drawn < count; ++drawn) out[drawn] = one();
  }

 private:
  uint32_t one() { return bits_->next_uint32(bits_->state); }

  bitgen_t* bits_;
  int held_;
};

// Draw integers from `low` to `low + range`, by Lemire's products or (`masked`) by masks. What is rejected is overwritten:
// whether a number is cannot be foretold, and nothing branches on it.
template <class T>
void fill_bounded(bitgen_t* bits, int held, uint64_t low, uint32_t range, int64_t count, bool masked, T* out) {
  uint32_t block[kWords];
  Words words(bits, held);
  const uint32_t all = ~uint32_t{0}, many = range + 1, mask = all >> __builtin_clz(range | 1);
  const T first = static_cast<T>(low);
  for (int64_t drawn = 0; drawn < count;) {
    const int64_t some = std::min(count - drawn, kWords);
    T* const to = out + drawn;
    int64_t kept = 0;
    words.fill(block, some);
    if (masked || range == all) {
      for (int64_t k = 0; k < some; ++k) {
        const uint32_t number = block[k] & mask;
        to[kept] = first + static_cast<T>(number);
        kept += number <= range;
      }
      drawn += kept;
      continue;
    }
    const uint32_t threshold = (all - range) % many;
    uint32_t rejects = 0;
    for (int64_t k = 0; k < some; ++k) {
      const uint64_t product = static_cast<uint64_t>(block[k]) * many;
      to[k] = first + static_cast<T>(product >> 32);
      rejects |= static_cast<uint32_t>(product) < threshold;
    }
    if (!rejects) {
      drawn += some;
      continue;
    }
    for (int64_t k = 0; k < some; ++k) {
      const uint64_t product = static_cast<uint64_t>(block[k]) * many;
      to[kept] = first + static_cast<T>(product >> 32);
      kept += static_cast<uint32_t>(product) >= threshold;
    }
    drawn += kept;
  }
}

}  // namespace fastnp
