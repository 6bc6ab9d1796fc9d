// Discrete Fourier transforms along one axis: by NumPy's inner loops, or by MKL, which libtorch carries.
//
// What MKL works out for a length beforehand takes as long as the transform or longer, and torch has it done in each call. Here
// it is kept, as NumPy keeps what its own transforms need, and half of the time of either is left.
#pragma once
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "float_flags.h"
#include "interpreter.h"
#include "iteration.h"
#include "lanes.h"
#include "moves.h"
#include "quick_mkl.h"
#include "vector.h"

// MKL's, by the names that its header gives them.
extern "C" {
__attribute__((weak)) long DftiCreateDescriptor_s_1d(void** plan, int domain, long length);
__attribute__((weak)) long DftiCreateDescriptor_d_1d(void** plan, int domain, long length);
__attribute__((weak)) long DftiSetValue(void* plan, int parameter, ...);
__attribute__((weak)) long DftiCommitDescriptor(void* plan);
__attribute__((weak)) long DftiComputeForward(void* plan, void* from, ...);
__attribute__((weak)) long DftiComputeBackward(void* plan, void* from, ...);
__attribute__((weak)) long DftiFreeDescriptor(void** plan);
}

namespace fastnp {

// All lines of two arrays along an axis: blocks of lines that lie equally far apart. Strides are in bytes.
class LinesAlong {
 public:
  intptr_t count = 1, from_apart = 0, to_apart = 0;  // of one block

  LinesAlong(int axis, int ndim, const int64_t* shape, const int64_t* from_strides, const int64_t* to_strides) {
    blocks_.set(axis, ndim, shape, from_strides, to_strides);
    blocks_.join_axes();
    if (blocks_.ndim == 0) return;
    const int last = --blocks_.ndim;
    count = blocks_.shape[last], from_apart = blocks_.steps[last], to_apart = blocks_.other_steps[last];
    if (count > 0) blocks_.count /= count;
  }

  // Call a function with the first element of each block.
  template <class Function>
  void for_each_block(char* from, char* to, Function function) const {
    blocks_.for_each(from, to, [&](char* source, char* target) {
      function(source, target);
      return true;
    });
  }

 private:
  Lanes blocks_;
};

// Call an inner loop of NumPy's for all lines of two operands along an axis; `points` is the length of a target's line.
inline void run_along(const Loop& loop, const Operand& from, void* factor, const Operand& to, int axis, int64_t points,
                      bool release) {
  const InterpreterRelease released(release);
  const LinesAlong lines(axis, from.ndim, from.shape, from.strides, to.strides);
  const intptr_t sizes[3] = {lines.count, from.shape[axis], points};
  const intptr_t steps[5] = {lines.from_apart, 0, lines.to_apart, from.strides[axis], to.strides[axis]};
  lines.for_each_block(from.data, to.data, [&](char* source, char* target) {
    char* args[3] = {source, static_cast<char*>(factor), target};
    loop.function(args, sizes, steps, loop.data);
  });
}

// The kinds of transform: of complex numbers, of real ones to half of the result, and back.
enum class Transform { kForward, kBackward, kRealForward, kRealBackward };

// What MKL plans: lines of floats or doubles, steps and distances in elements. One that may use no other thread computes alone.
struct PlannedLines {
  Transform kind;
  bool is_single;
  int threads;
  int64_t length, count, from_step, to_step, from_apart, to_apart;
  double factor;
  bool operator==(const PlannedLines&) const = default;
};

class TransformPlan {
 public:
  explicit TransformPlan(const PlannedLines& lines) : is_backward_(is_backward(lines.kind)) {
    const bool is_real = lines.kind == Transform::kRealForward || lines.kind == Transform::kRealBackward;
    const long from[2] = {0, lines.from_step}, to[2] = {0, lines.to_step};
    const auto create = lines.is_single ? DftiCreateDescriptor_s_1d : DftiCreateDescriptor_d_1d;
    is_valid_ = create(&plan_, is_real ? kReal : kComplex, lines.length) == 0 && set(kPlacement, kNotInPlace) &&
                (!is_real || set(kHalfStorage, kComplexNumbers)) && (lines.threads > 1 || set(kThreads, 1L)) &&
                set(is_backward_ ? kBackwardFactor : kForwardFactor, lines.factor) &&
                set(kFromSteps, from) && set(kToSteps, to) &&
                (lines.count == 1 || (set(kCount, lines.count) && set(kFromApart, lines.from_apart) &&
                                      set(kToApart, lines.to_apart))) &&
                DftiCommitDescriptor(plan_) == 0;
  }
  ~TransformPlan() {
    if (plan_ != nullptr) DftiFreeDescriptor(&plan_);
  }
  TransformPlan(const TransformPlan&) = delete;
  TransformPlan& operator=(const TransformPlan&) = delete;

  bool is_valid() const { return is_valid_; }
  // Several threads may compute by one plan.
  bool compute(char* from, char* to) const {
    return (is_backward_ ? DftiComputeBackward : DftiComputeForward)(plan_, from, to) == 0;
  }

 private:
  enum Parameter {
    kForwardFactor = 4, kBackwardFactor = 5, kCount = 7, kHalfStorage = 10, kPlacement = 11, kFromSteps = 12, kToSteps = 13,
    kFromApart = 14, kToApart = 15, kThreads = 27
  };
  enum Value { kComplex = 32, kReal = 33, kComplexNumbers = 39, kNotInPlace = 44 };

  static bool is_backward(Transform kind) { return kind == Transform::kBackward || kind == Transform::kRealBackward; }
  template <class T>
  bool set(Parameter parameter, T value) {
    return DftiSetValue(plan_, parameter, value) == 0;
  }

  void* plan_ = nullptr;
  const bool is_backward_;
  bool is_valid_;
};

// What is left of a length without the prime factors that each of the libraries has steps for.
inline int64_t rough_part(int64_t length) {
  for (const int64_t factor : {2, 3, 5, 7, 11, 13})
    while (length % factor == 0) length /= factor;
  return length;
}

inline bool is_prime(int64_t odd) {
  for (int64_t factor = 3; factor * factor <= odd; factor += 2)
    if (odd % factor == 0) return false;
  return true;
}

// Whether MKL is quicker at a length. Where it has no steps for a prime factor it transforms by a convolution of a power of two,
// NumPy where the rest of the length is small: there MKL takes 0.15 to 0.9 of its time, elsewhere up to three times as long. Its
// loops for AVX-512 are right to 1e-14 only where such a factor is not all of the length.
inline bool is_good_length(int64_t length) {
  const int64_t rough = rough_part(length);
  if (mkl_is_quick() && rough != 1 && rough != length) return false;
  return rough == 1 || length <= 256 || (length <= 8192 && length / rough <= (length < 1024 ? 4 : 8) && is_prime(rough));
}

// The plans of the last calls. They are looked through while the interpreter is held; one that computes meanwhile lives on.
class TransformPlans {
 public:
  struct Counts {
    int64_t plans, bytes;
  };

  // What a plan takes, about: 20 to 28 bytes for each element, four times as many where the length has a large prime factor.
  static int64_t bytes_of(int64_t length) { return 4096 + (rough_part(length) == 1 ? 28 : 128) * length; }

  // Null where MKL plans no such lines.
  std::shared_ptr<const TransformPlan> find(const PlannedLines& lines) {
    const auto same = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Kept& kept) { return kept.lines == lines; });
    if (same != kept_.rend()) {
      std::rotate(same.base() - 1, same.base(), kept_.end());
      return kept_.back().plan;
    }
    auto plan = std::make_shared<const TransformPlan>(lines);
    clear_float_flags(true);  // what is planned for hundreds of thousands of elements raises some, which no transform would
    if (!plan->is_valid()) return nullptr;
    const int64_t bytes = bytes_of(lines.length);
    while (!kept_.empty() && (kept_.size() >= kMostPlans || bytes_ + bytes > kMostBytes)) {
      bytes_ -= bytes_of(kept_.front().lines.length);
      kept_.erase(kept_.begin());
    }
    bytes_ += bytes;
    kept_.push_back({lines, plan});
    return plan;
  }

  Counts counts() const { return {static_cast<int64_t>(kept_.size()), bytes_}; }
  void clear() {
    kept_.clear();
    bytes_ = 0;
  }

  static constexpr size_t kMostPlans = 64;
  static constexpr int64_t kMostBytes = int64_t{64} << 20;

 private:
  struct Kept {
    PlannedLines lines;
    std::shared_ptr<const TransformPlan> plan;
  };
  std::vector<Kept> kept_;  // the last used at the end
  int64_t bytes_ = 0;
};

inline TransformPlans& transform_plans() {
  static TransformPlans* const plans = new TransformPlans;  // outlives what may still compute when the process ends
  return *plans;
}

// Fewer elements than this are NumPy's: it finds whole numbers where MKL rounds.
inline constexpr int64_t kPlannedFrom = 64;
// Lines that lie across others are too where there are many elements, or where the lines are of real numbers and longer:
// there MKL takes 1.1 to 1.5 of its time. But where the elements of a line fall into the same sets of a cache, NumPy takes twice
// as long.
inline constexpr int64_t kAcross = 500000, kShortRealLine = 64, kSameSets = 4096;
// From this length on MKL transforms several lines of real numbers to other last places than each alone.
inline constexpr int64_t kLongRealLine = 2048;
// Elements from which other threads of Python's run meanwhile, and those from which MKL may use torch's threads.
inline constexpr int64_t kReleaseTransform = 4000, kSplitTransform = 32768;

// Whether lines along an axis lie across others.
inline bool lies_across(const Operand& operand, int axis) {
  for (int other = 0; other < operand.ndim; ++other)
    if (other != axis && operand.shape[other] > 1 && std::abs(operand.strides[other]) < std::abs(operand.strides[axis]))
      return true;
  return false;
}

// Whether MKL is to transform the lines of an array along an axis; `length` is that of the numbers transformed.
inline bool is_planned(Transform kind, const Operand& operand, int axis, int64_t length) {
#ifdef FASTNP_X86
  if (&DftiCommitDescriptor == nullptr || length > TransformPlans::kMostBytes) return false;
  int64_t total = length;
  for (int other = 0; other < operand.ndim; ++other) total *= other == axis ? 1 : operand.shape[other];
  return total >= kPlannedFrom && TransformPlans::bytes_of(length) <= TransformPlans::kMostBytes && is_good_length(length) &&
         (!lies_across(operand, axis) || mkl_is_quick() || (total < kAcross && (kind < Transform::kRealForward || length <= kShortRealLine)) ||
          (kind < Transform::kRealForward && operand.strides[axis] % kSameSets == 0));
#else
  return false;
#endif
}

// The rest of a line that is the transform of real numbers, of which MKL computes half: the conjugate of the first. The inverse
// transform is the conjugate of the other one.
template <class T>
void fill_conjugates(char* first, int64_t length, int64_t step, bool backward) {
  T* const line = reinterpret_cast<T*>(first);
  // A difference from zero, since a zero is to have no sign.
  for (int64_t place = 1; 2 * place <= length; ++place) {
    T* const known = line + 2 * step * place;
    T* const mirrored = line + 2 * step * (length - place);
    const T imaginary = backward ? 0 - known[1] : known[1];
    known[1] = imaginary;
    if (2 * place == length) return;
    mirrored[0] = known[0];
    mirrored[1] = 0 - imaginary;
  }
}

// The transform of planes of real numbers, from the half that is known of each row: elements at opposite places are conjugates.
inline void fill_planes(const double* half, double* target, int64_t planes, int64_t rows, int64_t columns, bool backward) {
  const int64_t known = columns / 2 + 1;
  for (int64_t plane = 0; plane < planes; ++plane)
    for (int64_t row = 0; row < rows; ++row, half += 2 * known, target += 2 * columns) {
      const double* const mirrored = half + 2 * known * ((row > 0 ? rows - row : 0) - row);
      for (int64_t column = 0; column < known; ++column) {
        target[2 * column] = half[2 * column];
        target[2 * column + 1] = backward ? 0.0 - half[2 * column + 1] : half[2 * column + 1];
      }
      for (int64_t column = known; column < columns; ++column) {
        target[2 * column] = mirrored[2 * (columns - column)];
        const double imaginary = mirrored[2 * (columns - column) + 1];
        target[2 * column + 1] = backward ? imaginary : 0.0 - imaginary;
      }
    }
}

#ifdef FASTNP_X86
// Whether numbers side by side are all finite. An exponent of ones only, and one more, reaches the bit of the sign; no exit, so
// that the compiler takes several at once.
template <class Bits, int MANTISSA>
FASTNP_AVX2 bool are_finite_bits(const char* numbers, int64_t n) {
  constexpr Bits exponent = Bits(~Bits{0} >> 1) >> MANTISSA << MANTISSA;
  const Bits* const bits = reinterpret_cast<const Bits*>(numbers);
  Bits above = 0;
  for (int64_t i = 0; i < n; ++i) above |= (bits[i] & exponent) + (Bits{1} << MANTISSA);
  return above >> (8 * sizeof(Bits) - 1) == 0;
}
#endif

// Whether lines along an axis lie as MKL takes them: forwards, and where its numbers may. Long lines of real numbers whose
// elements lie apart would have other last places than the same side by side.
inline bool lies_for_plan(const Operand& operand, int axis) {
  const int64_t item = ITEMSIZES[operand.type];
  for (int other = 0; other < operand.ndim; ++other)
    if (operand.shape[other] > 1 && (operand.strides[other] <= 0 || operand.strides[other] % item)) return false;
  const bool is_complex = operand.type == COMPLEX64 || operand.type == COMPLEX128;
  if (!is_complex && operand.shape[axis] > kShortRealLine && operand.strides[axis] != item && !lies_across(operand, axis))
    return false;
  return reinterpret_cast<uintptr_t>(operand.data) % (is_complex ? item / 2 : item) == 0;
}

#ifdef FASTNP_X86
// A transform by MKL: operands which lie for it, along an axis; `whole`: of real numbers to all of the result.
struct PlannedTransform {
  Transform kind;
  const Operand &from, &to;
  int axis;
  int64_t length;
  double factor;
  bool whole;

  bool is_single() const { return to.type == FLOAT32 || to.type == COMPLEX64; }
  // Long lines of real numbers are transformed one after the other.
  bool one_by_one() const { return ITEMSIZES[from.type] != ITEMSIZES[to.type] && length >= kLongRealLine; }
  int64_t total() const {
    int64_t total = length;
    for (int other = 0; other < from.ndim; ++other) total *= other == axis ? 1 : from.shape[other];
    return total;
  }
  // Of items.
  static int64_t step_of(const Operand& operand, int axis) {
    return operand.shape[axis] > 1 ? operand.strides[axis] / ITEMSIZES[operand.type] : 1;
  }
  std::shared_ptr<const TransformPlan> plan(int threads, int64_t count, int64_t from_step, int64_t to_step, int64_t from_apart,
                                            int64_t to_apart) const {
    return transform_plans().find({whole ? Transform::kRealForward : kind, is_single(), threads, length, count, from_step, to_step,
                                   count == 1 ? 0 : from_apart, count == 1 ? 0 : to_apart, factor});
  }
  // Transform lines by a plan for `at_once` of them; distances in bytes, the step of a result in items.
  bool compute(const TransformPlan& plan, int64_t at_once, int64_t count, char* source, int64_t from_apart, char* target,
               int64_t to_apart, int64_t to_step) const {
    for (int64_t line = 0; line < count; line += at_once)
      if (!plan.compute(source + line * from_apart, target + line * to_apart)) return false;
    const bool backward = kind == Transform::kBackward;
    for (int64_t line = 0; whole && line < count; ++line)
      (is_single() ? fill_conjugates<float> : fill_conjugates<double>)(target + line * to_apart, length, to_step, backward);
    return true;
  }
};

// Where they lie. False where MKL does not, or where a thread may have raised flags that nobody sees.
inline bool transform_in_place(const PlannedTransform& of, const LinesAlong& lines) {
  const Operand &from = of.from, &to = of.to;
  const int64_t from_item = ITEMSIZES[from.type], to_item = ITEMSIZES[to.type], number = of.is_single() ? 4 : 8;
  const int64_t from_step = of.step_of(from, of.axis), to_step = of.step_of(to, of.axis);
  const int64_t at_once = of.one_by_one() ? 1 : lines.count;
  const bool splits = (of.one_by_one() ? of.length : of.total()) >= kSplitTransform && to_step == 1 && has_avx2();
  const int threads = splits ? at::get_num_threads() : 1;
  const auto plan = of.plan(threads, at_once, from_step, to_step, lines.from_apart / from_item, lines.to_apart / to_item);
  if (plan == nullptr) return false;
  const InterpreterRelease released(of.total() >= kReleaseTransform);
  bool computed = true;
  lines.for_each_block(from.data, to.data, [&](char* source, char* target) {
    computed = computed && of.compute(*plan, at_once, lines.count, source, lines.from_apart, target, lines.to_apart, to_step);
    for (int64_t line = 0; threads > 1 && line < lines.count; ++line)
      computed = computed && (of.is_single() ? are_finite_bits<uint32_t, 23> : are_finite_bits<uint64_t, 52>)(
                                 target + line * lines.to_apart, to.shape[of.axis] * to_item / number);
  });
  return computed;
}

// Lines that lie apart, some at a time, brought together for it.
inline bool transform_together(const PlannedTransform& of, const LinesAlong& lines) {
  constexpr int64_t kTogether = int64_t{1} << 19, kFewest = 8, kMost = 64, kLine = 64;
  const Operand &from = of.from, &to = of.to;
  const int64_t from_item = ITEMSIZES[from.type], to_item = ITEMSIZES[to.type];
  const int64_t read = of.kind == Transform::kRealBackward ? of.length / 2 + 1 : of.length, written = to.shape[of.axis];
  // Lines of the cache that a power of two lies between would fall into the same sets.
  const auto room_of = [](int64_t bytes) { return (bytes + kLine - 1) / kLine * kLine + kLine; };
  const int64_t from_room = room_of(read * from_item), to_room = room_of(written * to_item);
  const int64_t group = std::min(std::clamp(kTogether / (from_room + to_room) / 8 * 8, kFewest, kMost), std::max<int64_t>(lines.count, 1));
  const int64_t rest = lines.count % group, at_once = of.one_by_one() ? 1 : group, rest_at_once = of.one_by_one() ? 1 : rest;
  const auto plan = of.plan(1, at_once, 1, 1, from_room / from_item, to_room / to_item);
  const auto rest_plan = rest_at_once == 0 || rest_at_once == at_once ? plan
                             : of.plan(1, rest_at_once, 1, 1, from_room / from_item, to_room / to_item);
  const std::unique_ptr<char[]> room(new (std::nothrow) char[group * (from_room + to_room) + kLine]);
  if (plan == nullptr || rest_plan == nullptr || room == nullptr) return false;
  char* const sources = room.get() + (-reinterpret_cast<intptr_t>(room.get()) & (kLine - 1));
  char* const targets = sources + group * from_room;
  const InterpreterRelease released(of.total() >= kReleaseTransform);
  const int64_t from_step = from.strides[of.axis], to_step = to.strides[of.axis];
  bool computed = true;
  lines.for_each_block(from.data, to.data, [&](char* source, char* target) {
    for (int64_t first = 0; computed && first < lines.count; first += group) {
      const int64_t count = std::min(group, lines.count - first);
      char *const from_lines = source + first * lines.from_apart, *const to_lines = target + first * lines.to_apart;
      if (lines.from_apart == from_item)
        pack_turned(from_item, sources, from_room, from_lines, from_step, count, read);
      else
        for (int64_t line = 0; line < count; ++line)
          move_strided(from_item, sources + line * from_room, from_item, from_lines + line * lines.from_apart, from_step, read);
      computed = count == group ? of.compute(*plan, at_once, count, sources, from_room, targets, to_room, 1)
                                : of.compute(*rest_plan, rest_at_once, count, sources, from_room, targets, to_room, 1);
      if (lines.to_apart == to_item)
        move_turned(to_item, to_lines, to_step, targets, to_room, written, count);
      else
        for (int64_t line = 0; line < count; ++line)
          move_strided(to_item, to_lines + line * lines.to_apart, to_step, targets + line * to_room, to_item, written);
    }
  });
  return computed;
}
#endif

// Transform the lines of an array, which lie for it, by MKL, in its precision. False where it does not: then the target holds
// anything. On Intel's processors long lines that lie apart are brought together where the second cache does not hold them: MKL's
// loops for them take 1.1 to 1.8 of the time there, elsewhere 0.4 to 0.9.
inline constexpr int64_t kShortLine = 64, kHeldTogether = int64_t{2} << 20;
inline bool transform_by_plan(Transform kind, const Operand& from, const Operand& to, int axis, int64_t length, double factor,
                              bool whole) {
#ifdef FASTNP_X86
  const PlannedTransform of{kind, from, to, axis, length, factor, whole};
  const LinesAlong lines(axis, from.ndim, from.shape, from.strides, to.strides);
  const bool apart = of.step_of(from, axis) != 1 || of.step_of(to, axis) != 1;
  const bool is_large = length > kShortLine && of.total() * (ITEMSIZES[from.type] + ITEMSIZES[to.type]) > kHeldTogether;
  return apart && is_large && mkl_is_quick() ? transform_together(of, lines) : transform_in_place(of, lines);
#else
  return false;
#endif
}

// Doubles as they are rounded to floats; what is too large raises a flag.
inline void round_to_floats(const double* wide, float* narrow, int64_t n) {
  for (int64_t i = 0; i < n; ++i) narrow[i] = static_cast<float>(wide[i]);
}

}  // namespace fastnp
