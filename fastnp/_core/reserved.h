// Zeros for tables of which little is ever used and that live as long as the process.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>

namespace fastnp {

// Return zeroed memory, never to be freed, or null where there is none. `calloc` would write the zeros that nobody reads:
// here a page is the system's until it is used. The interpreter's lock is held.
inline void* reserve_zeros(std::size_t bytes) noexcept {
  static char* next = nullptr;
  static std::size_t left = 0;
  bytes = (bytes + 63) / 64 * 64;
  if (bytes > left) {
    const std::size_t chunk = std::max(bytes, std::size_t{1} << 20);
    void* const mapped = mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    next = static_cast<char*>(mapped);
    left = chunk;
  }
  void* const zeros = next;
  next += bytes;
  left -= bytes;
  return zeros;
}

}  // namespace fastnp
