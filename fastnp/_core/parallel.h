// Long loops split over torch's own threads (`torch.set_num_threads`), in pieces whose results do not depend on the split.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "float_flags.h"

namespace fastnp {

// From this many elements on it pays to let other threads run Python meanwhile: giving the interpreter away and taking it
// back costs as much as 500 to 1,000 elements of the cheapest loop, and far more while others wait for it.
inline constexpr int64_t kReleaseFrom = 20000;

// Elements from which a loop is split. torch splits from 32,768 on, and where the other core is busy a region that ends
// sooner than the scheduler's time slice can stall for 4 to 5 ms; ten times as many elements take 0.1 to 0.3 ms of one
// thread, thirty times what starting the helpers costs.
inline constexpr int64_t kSplitFrom = 300000;
// No helper is asked for less than this.
inline constexpr int64_t kSplitGrain = 65536;
// Pieces begin at multiples of this, so that a vectorised loop groups elements as it does in one piece.
inline constexpr int64_t kSplitStep = 1024;

// Where the other cores are busy, a region waits for its helpers' turn: after one that has, all is computed by the caller for
// a while.
inline constexpr std::chrono::milliseconds kStall{2}, kPause{500};
using Clock = std::chrono::steady_clock;
inline std::atomic<Clock::rep> split_again{0};

// Whether `elements` are worth more than one thread. A forked child has one (`fastnp/__init__.py`).
inline bool may_split(int64_t elements) {
    return elements >= kSplitFrom && at::get_num_threads() > 1 && !at::in_parallel_region() &&
           Clock::now().time_since_epoch().count() >= split_again.load(std::memory_order_relaxed);
}

// Call part(begin, end) for pieces of [0, count), which begin at multiples of `step`, each unit standing for `weight`
// elements. What helpers raise is raised in this thread as well.
template <typename Part>
void split(int64_t count, int64_t step, int64_t weight, Part&& part) {
    const std::thread::id caller = std::this_thread::get_id();
    const unsigned state = BorrowedFloatState::current();
    std::atomic<unsigned> flags{0};
    const int64_t steps = (count + step - 1) / step;
    const int64_t grain = std::max<int64_t>(1, kSplitGrain / std::max<int64_t>(1, step * weight));
    const Clock::time_point start = Clock::now();
    Clock::time_point own_end = start;
    at::parallel_for(0, steps, grain, [&](int64_t first, int64_t last) {
        const int64_t begin = first * step, end = std::min(count, last * step);
        if (std::this_thread::get_id() == caller) {
            part(begin, end);
            own_end = Clock::now();
            return;
        }
        BorrowedFloatState borrowed(state);
        part(begin, end);
        flags.fetch_or(raised_float_flags(true), std::memory_order_relaxed);
    });
    const Clock::time_point end = Clock::now();
    if (end - own_end > kStall && end - own_end > own_end - start)
        split_again.store((end + kPause).time_since_epoch().count(), std::memory_order_relaxed);
    raise_float_flags(flags.load(std::memory_order_relaxed));
}

}  // namespace fastnp
