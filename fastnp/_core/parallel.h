// Long loops split over as many threads as torch has (`torch.set_num_threads`), in pieces whose results do not depend on the
// split.
#pragma once

#include <ATen/Parallel.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
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

// Where the other cores are busy, a region may still wait for a helper that lost its turn in the midst of a piece: after
// one that has, all is computed by the caller for a while.
inline constexpr std::chrono::milliseconds kStall{2}, kPause{500};
using Clock = std::chrono::steady_clock;
// Pieces for each thread: what one of them is late with is small, and the others take the rest.
inline constexpr int64_t kPieces = 4;
// Helpers look for the next region that long before they sleep: waking one takes as long.
inline constexpr std::chrono::microseconds kAwake{30};

// Threads that take pieces of a region as they come, from a counter. Nobody waits for a helper that has not begun: one that
// finds no core finds no pieces left, either. (at::parallel_for waits for all of them, which takes 4 to 5 ms of the
// scheduler's time where a core is busy.)
class Helpers {
   public:
    // A forked child has none of its parent's threads, and what they wait in is of no use to it.
    const pid_t process = getpid();

    struct Region {
        void (*run)(void* context, int64_t piece, bool helping);
        void* context;
        int64_t pieces;
        int helpers;
        std::atomic<int64_t> next{0};
        Clock::rep own_end = 0;  // when the caller had nothing left to do
    };

    // Compute all pieces, with up to `region.helpers` other threads; alone where those are busy.
    void compute(Region& region) {
        std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        const bool helped = lock.owns_lock() && region_ == nullptr && start(region.helpers);
        if (helped) {
            region_ = &region;
            wanted_ = region.helpers;
            turn_.fetch_add(1, std::memory_order_release);
        }
        if (lock.owns_lock()) lock.unlock();
        if (helped && asleep_.load() > 0) called_.notify_all();
        work(region, false);
        region.own_end = Clock::now().time_since_epoch().count();
        if (!helped) return;
        lock.lock();
        region_ = nullptr;
        finished_.wait(lock, [this] { return inside_ == 0; });
    }

   private:
    static void work(Region& region, bool helping) {
        for (int64_t piece; (piece = region.next.fetch_add(1, std::memory_order_relaxed)) < region.pieces;)
            region.run(region.context, piece, helping);
    }

    // Whether there are helpers; under the mutex. They live as long as the process.
    bool start(int count) {
        try {
            for (; threads_ < count; ++threads_) std::thread([this] { help(); }).detach();
        } catch (const std::system_error&) {
        }
        return threads_ > 0;
    }

    void help() {
        uint64_t seen = 0;
        while (true) {
            const Clock::time_point sleep_at = Clock::now() + kAwake;
            while (turn_.load(std::memory_order_acquire) == seen && Clock::now() < sleep_at) {
            }
            std::unique_lock<std::mutex> lock(mutex_);
            while (turn_.load(std::memory_order_relaxed) == seen) {
                ++asleep_;
                called_.wait(lock);
                --asleep_;
            }
            seen = turn_.load(std::memory_order_relaxed);
            if (region_ == nullptr || wanted_ == 0) continue;
            --wanted_;
            ++inside_;
            Region& region = *region_;
            lock.unlock();
            work(region, true);
            lock.lock();
            if (--inside_ == 0) finished_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable called_, finished_;
    Region* region_ = nullptr;
    int wanted_ = 0, inside_ = 0, threads_ = 0;
    std::atomic<int> asleep_{0};
    std::atomic<uint64_t> turn_{0};
};

// One for all modules that are compiled with this header. Leaked on purpose: threads wait in it.
struct __attribute__((visibility("default"))) SharedHelpers {
    static Helpers& get() {
        static std::atomic<Helpers*> shared{nullptr};
        Helpers* helpers = shared.load();
        if (helpers == nullptr || helpers->process != getpid()) {
            Helpers* const fresh = new Helpers();
            if (shared.compare_exchange_strong(helpers, fresh))
                helpers = fresh;
            else
                delete fresh;
        }
        return *helpers;
    }
    static inline std::atomic<Clock::rep> split_again{0};
    static inline thread_local bool splitting = false;
};

// Whether `elements` are worth more than one thread. A forked child has one (`fastnp/__init__.py`).
inline bool may_split(int64_t elements) {
    return elements >= kSplitFrom && at::get_num_threads() > 1 && !at::in_parallel_region() && !SharedHelpers::splitting &&
           Clock::now().time_since_epoch().count() >= SharedHelpers::split_again.load(std::memory_order_relaxed);
}

// Call part(begin, end) for pieces of [0, count), which begin at multiples of `step`, each unit standing for `weight`
// elements. What helpers raise is raised in this thread as well.
template <typename Part>
void split(int64_t count, int64_t step, int64_t weight, Part&& part) {
    struct Work {
        Part& part;
        int64_t count, step, piece;
        unsigned state;
        std::atomic<unsigned> flags{0};
        std::exception_ptr error;
        std::atomic_flag failed = ATOMIC_FLAG_INIT;

        void compute(int64_t number) {
            const int64_t begin = number * piece * step;
            try {
                part(begin, std::min(count, begin + piece * step));
            } catch (...) {
                if (!failed.test_and_set()) error = std::current_exception();
            }
        }
        static void run(void* context, int64_t number, bool helping) {
            Work& work = *static_cast<Work*>(context);
            SharedHelpers::splitting = true;
            if (helping) {
                BorrowedFloatState borrowed(work.state);
                work.compute(number);
                work.flags.fetch_or(raised_float_flags(true), std::memory_order_relaxed);
            } else {
                work.compute(number);
            }
            SharedHelpers::splitting = false;
        }
    };
    const int64_t steps = (count + step - 1) / step, threads = at::get_num_threads();
    const int64_t grain = std::max<int64_t>(1, kSplitGrain / std::max<int64_t>(1, step * weight));
    const int64_t piece = std::max(grain, (steps + threads * kPieces - 1) / (threads * kPieces));
    Work work{part, count, step, piece, BorrowedFloatState::current()};
    Helpers::Region region{&Work::run, &work, (steps + piece - 1) / piece, static_cast<int>(threads - 1)};
    const Clock::time_point start = Clock::now();
    SharedHelpers::get().compute(region);
    const Clock::time_point end = Clock::now();
    const Clock::time_point own_end = Clock::time_point(Clock::duration(region.own_end));
    if (end - own_end > kStall && end - own_end > own_end - start)
        SharedHelpers::split_again.store((end + kPause).time_since_epoch().count(), std::memory_order_relaxed);
    raise_float_flags(work.flags.load(std::memory_order_relaxed));
    if (work.error) std::rethrow_exception(work.error);
}

}  // namespace fastnp
