// Results that are read again at once, as that of `a + b` in `a + b + c`: written past the cache, they would come back from memory.
//
// Whether one will be read is not known when it is written, but programs repeat themselves: what was done with the last
// results of the same loop and size is likely to be done with the next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cache.h"

namespace fastnp {

class Rereads {
 public:
  static Rereads& of_this_thread() noexcept {
    thread_local Rereads rereads;
    return rereads;
  }

  // Whether the result that a loop is about to write will be an operand soon, and is small enough to stay until then.
  bool expects(const void* loop, int64_t bytes, const char* result) noexcept {
    if (bytes > third_cache() / 3) return false;
    Written& written = written_[next_++ % kWritten];
    if (written.result != nullptr) scores_[written.place] = std::max(scores_[written.place] - 1, 0);
    const auto mixed = (reinterpret_cast<uintptr_t>(loop) >> 4) * 31 + static_cast<uint64_t>(bytes);
    written = {result, static_cast<int>(mixed % kPlaces)};
    return scores_[written.place] > 0;
  }

  void note(const char* operand) noexcept {
    for (Written& written : written_) {
      if (written.result != operand || operand == nullptr) continue;
      scores_[written.place] = std::min(scores_[written.place] + 1, kMost);
      written.result = nullptr;
    }
  }

 private:
  static constexpr int kWritten = 4, kPlaces = 61, kMost = 3;
  struct Written {
    const char* result = nullptr;
    int place = 0;
  };
  Written written_[kWritten];
  int scores_[kPlaces] = {};
  unsigned next_ = 0;
};

}  // namespace fastnp
