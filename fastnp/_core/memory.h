// Memory of plain CPU results: blocks by size class that are used again, and the tensors that are made on them.
//
// A block goes back when nobody can see it any more: with its header where no tensor was ever made of it, else with the
// last of header and storage. Headers come and go under the GIL and have lists of their own; storages may die without it.
#pragma once
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "foreign.h"
#include "header.h"

namespace fastnp {

constexpr int64_t ALIGNMENT = 64;
constexpr int64_t HUGE_PAGE = int64_t{1} << 21;
constexpr int64_t MAPPED_FROM = int64_t{1} << 20;  // blocks of this size and above come from mmap
// Mapped blocks begin at one of so many distances from where a page does: streams that cross into their next pages at the same
// time wait for it together, which takes 1.03 to 1.07 of the time on third-generation Zen. Those of this size and above begin
// at so many distances from where a huge page does as well. Elements of two that begin alike lie in the same bank of memory,
// each access closing the row of the other: comparing took 1.1 of the time on Zen 4.
constexpr int64_t STAGGERED_FROM = int64_t{4} << 20;
constexpr int64_t PAGE = 4096, STAGGER = 17 * PAGE, STAGGER_IN_PAGE = 24 * ALIGNMENT;
constexpr int STAGGERS = 8;
constexpr int64_t CLEARED_TO = int64_t{32} << 20;  // zeroed ones up to this size are cleared where one waits
constexpr int NUM_CLASSES = 4 + 4 * (63 - 8);  // up to 2**63 bytes

// Four classes to the octave from 256 bytes on: at most a quarter of a block is unused.
inline int size_class(int64_t bytes) noexcept {
  if (bytes <= 256) return bytes <= 64 ? 0 : bytes <= 128 ? 1 : bytes <= 192 ? 2 : 3;
  const int octave = 63 - __builtin_clzll(static_cast<uint64_t>(bytes - 1));
  return 4 + 4 * (octave - 8) + static_cast<int>(((bytes - 1) >> (octave - 2)) & 3);
}
constexpr auto CLASS_BYTES = [] {
  std::array<int64_t, NUM_CLASSES> bytes{64, 128, 192, 256};
  for (int cls = 4; cls < NUM_CLASSES - 1; ++cls)
    bytes[cls] = (int64_t{5} + cls % 4) << (6 + (cls - 4) / 4);
  bytes[NUM_CLASSES - 1] = INT64_MAX;
  return bytes;
}();
inline int64_t class_bytes(int size_class) noexcept { return CLASS_BYTES[size_class]; }

// The size of an array in bytes, looked at before anything is allocated: -1 of a shape that has a negative length, -2 of one
// that is too large to be counted.
inline int64_t bytes_of_shape(int dtype, int ndim, const int64_t* shape) noexcept {
  int64_t bytes = ITEMSIZES[dtype];
  bool empty = false, large = false;
  for (int axis = 0; axis < ndim; ++axis) {
    if (shape[axis] < 0) return -1;
    if (shape[axis] == 0)
      empty = true;
    else
      large |= __builtin_mul_overflow(bytes, shape[axis], &bytes);
    if (large) bytes = 1;
  }
  return large ? -2 : empty ? 0 : bytes;
}

class Memory {
 public:
  struct Counts {
    int64_t cached_blocks, cached_bytes, limit;
  };

  // Give a header an uninitialised C-contiguous array; false where there is no memory for it. The caller has checked that
  // the product of the shape fits.
  bool allocate(Header& header, int dtype, int ndim, const int64_t* shape, int64_t bytes, bool zeroed) noexcept {
    try {
      int cls = size_class(bytes);
      header.set_c_layout(dtype, ndim, shape);
      void* const block = zeroed ? take_zeroed(cls, bytes) : take(cls);
      header.hold_block(block, cls);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // Whether the elements of an array lie in the block of the one that is said to own its memory.
  static bool lies_in_block(const Header& header, const Header& owner) {
    if (!header.has_tensor_) return true;
    if (owner.memory_ != Header::BLOCK) return false;
    const char* const origin = header.origin();
    return origin >= owner.data_ && origin < owner.data_ + class_bytes(owner.size_class_);
  }

  const at::Tensor& tensor_of(Header& header) {
    if (!header.has_tensor_) make_tensor(header);
    return header.tensor();
  }

  // Give the value that a scalar's header holds a block of its own. Where views of it are, the value stays for them as
  // well: an array without dimensions uses no extents.
  void move_value(Header& header) {
    int cls = 0;
    void* const block = take(cls);
    std::memcpy(block, header.data_, ITEMSIZES[header.dtype_]);
    if (header.memory_ == Header::OF_ARRAY) header.release_owner();
    header.shared_ = nullptr;
    header.hold_block(block, cls);
  }

  // A view that shares storage and version with the tensor it is of, made without the dispatcher.
  static at::Tensor view(const at::Tensor& parent, int dtype, const int64_t* sizes, const int64_t* strides, int ndim,
                         int64_t offset) {
    c10::TensorImpl* const from = parent.unsafeGetTensorImpl();
    auto tensor = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(from->unsafe_storage()),
                                                           from->key_set(), type_meta(dtype));
    c10::TensorImpl* const impl = tensor.unsafeGetTensorImpl();
    impl->set_storage_offset(offset);
    impl->set_sizes_and_strides(c10::IntArrayRef(sizes, ndim), c10::IntArrayRef(strides, ndim));
    impl->set_version_counter(from->version_counter());
    return tensor;
  }

  // What the header of a dying array holds.
  void release(Header& header) noexcept {
    if (header.has_tensor_) header.tensor().~Tensor();
    if (header.memory_ == Header::BLOCK) {
      if (header.shared_ == nullptr)
        give(header.data_, header.size_class_);
      else
        release_share(header.shared_);
    } else if (header.memory_ >= Header::OF_ARRAY) {
      header.release_owner();
    }
    header.release_extents();
  }

  // The same, so that the header can be another array's.
  void reset(Header& header) noexcept {
    release(header);
    header.memory_ = Header::NONE;
    header.has_tensor_ = false;
    header.views_ = 0;
    header.shared_ = nullptr;
  }

  // The same of one that holds its value, where there is nothing to give back.
  void forget_value(Header& header) noexcept {
    header.memory_ = Header::NONE;
    header.views_ = 0;
  }

  Counts counts() {
    const std::lock_guard<std::mutex> guard(mutex_);
    Counts counts{0, cached_bytes_ + returned_bytes_, limit_};
    for (int cls = 0; cls < NUM_CLASSES; ++cls) counts.cached_blocks += cached_[cls].size() + returned_[cls].size();
    return counts;
  }

  void clear() noexcept {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (int cls = 0; cls < NUM_CLASSES; ++cls)
      for (auto* list : {&cached_[cls], &returned_[cls]}) {
        for (void* block : *list) free_block(block, cls);
        list->clear();
      }
    cached_bytes_ = 0;
    returned_bytes_ = 0;
  }

  // Bytes of freed blocks that may wait for their next use; 0 switches that off.
  void set_limit(int64_t bytes) {
    limit_ = bytes;
    if (counts().cached_bytes > bytes) clear();
  }

 private:
  static caffe2::TypeMeta type_meta(int dtype) { return c10::scalarTypeToTypeMeta(SCALAR_TYPES[dtype]); }

  // How many items the memory of an array spans, as it was before there was a tensor.
  static int64_t span(const Header& header) noexcept {
    const int64_t* const sizes = header.extents();
    int64_t last = 0;
    for (int axis = 0; axis < header.ndim_; ++axis) {
      if (sizes[axis] == 0) return 0;
      last += (sizes[axis] - 1) * sizes[header.ndim_ + axis];
    }
    return last + 1;
  }

  static c10::Storage storage_on(void* data, int64_t bytes, void* context, c10::DeleterFnPtr deleter) {
    // No allocator: torch must not move memory that headers of views point into.
    return c10::Storage(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                                              at::DataPtr(data, context, deleter, c10::Device(c10::kCPU)),
                                                              nullptr, false));
  }

  static c10::Storage share(Header& owner) {
    if (owner.memory_ == Header::FOREIGN) {
      Py_INCREF(owner.owner_);
      return storage_on(owner.data_, span(owner) * ITEMSIZES[owner.dtype_], owner.owner_, &release_owner);
    }
    const int64_t bytes = owner.has_tensor_ ? class_bytes(owner.size_class_) : span(owner) * ITEMSIZES[owner.dtype_];
    if (owner.shared_ == nullptr) owner.shared_ = new SharedBlock{{1}, owner.size_class_, owner.data_};
    owner.shared_->owners.fetch_add(1, std::memory_order_relaxed);
    return storage_on(owner.data_, bytes, owner.shared_, &release_shared);
  }

  void make_tensor(Header& header) {
    if (header.memory_ == Header::OF_ARRAY) {
      Header& owner = Header::of(header.owner_);
      if (owner.memory_ != Header::INLINE) {
        hold_view(header, tensor_of(owner), owner);
        return;
      }
      // A view of a scalar: neither can be written, so that a copy is as good.
      move_value(header);
    } else if (header.memory_ == Header::INLINE) {
      move_value(header);
    }
    hold_whole(header, share(header));
  }

  static void hold_whole(Header& header, c10::Storage storage) {
    auto tensor = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                           type_meta(header.dtype_));
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(c10::IntArrayRef(header.sizes(), header.ndim_),
                                                        c10::IntArrayRef(header.strides(), header.ndim_));
    header.hold_tensor(std::move(tensor));
  }

  static void hold_view(Header& header, const at::Tensor& whole, Header& owner) {
    c10::TensorImpl* const impl = whole.unsafeGetTensorImpl();
    const char* const start = static_cast<const char*>(impl->unsafe_storage().data());
    const int64_t item = ITEMSIZES[header.dtype_], distance = header.data_ - start;
    const bool inside = distance >= 0 && distance % item == 0 &&
                        distance + span(header) * item <= static_cast<int64_t>(impl->unsafe_storage().nbytes());
    if (inside && fastnp::has_host_memory(whole)) {
      header.hold_tensor(view(whole, header.dtype_, header.sizes(), header.strides(), header.ndim_, distance / item));
      return;
    }
    // The owner's tensor was given other memory, or an element begins in the midst of one of the owner's.
    c10::Storage storage = share(owner);
    const int64_t bytes = span(header) * item;
    auto* const kept = new c10::Storage(storage);
    hold_whole(header, storage_on(header.data_, bytes, kept, [](void* held) { delete static_cast<c10::Storage*>(held); }));
  }

  // --- blocks ---

  // A block of a class, or of a larger one, which `cls` says afterwards.
  void* take(int& cls) {
    used_at_[cls] = ++clock_;
    if (!cached_[cls].empty()) return pop(cls);
    void* const waiting = take_waiting(cls);
    if (waiting != nullptr) return waiting;
    const int64_t bytes = class_bytes(cls);
    if (bytes >= MAPPED_FROM) return map(bytes);
    void* block = nullptr;
    if (posix_memalign(&block, ALIGNMENT, bytes)) throw std::bad_alloc();
    return block;
  }

  void* pop(int cls) noexcept {
    void* const block = cached_[cls].back();
    cached_[cls].pop_back();
    add(cached_bytes_, -class_bytes(cls));
    return block;
  }

  // What other threads gave back, or a large block that is up to twice as large: first touches of fresh pages cost many
  // times what the elements do. Null where nothing waits.
  void* take_waiting(int& cls) noexcept {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      auto& list = returned_[cls];
      if (!list.empty()) {
        void* const block = list.back();
        list.pop_back();
        add(returned_bytes_, -class_bytes(cls));
        return block;
      }
    }
    if (class_bytes(cls) < MAPPED_FROM) return nullptr;
    for (int larger = cls + 1; larger <= cls + 4 && larger < NUM_CLASSES; ++larger)
      if (!cached_[larger].empty()) {
        cls = larger;
        return pop(larger);
      }
    return nullptr;
  }

  void* take_zeroed(int& cls, int64_t bytes) {
    if (class_bytes(cls) < MAPPED_FROM) {
      void* const block = take(cls);
      std::memset(block, 0, bytes);
      return block;
    }
    // Fresh pages are zero already and cost nothing until they are touched, but then more than clearing what waits.
    used_at_[cls] = ++clock_;
    void* const block = bytes > CLEARED_TO ? nullptr : !cached_[cls].empty() ? pop(cls) : take_waiting(cls);
    if (block == nullptr) return map(class_bytes(cls));
    std::memset(block, 0, bytes);
    return block;
  }

  void give(void* block, int cls) noexcept {
    const int64_t before = freed_at_[cls];
    freed_at_[cls] = used_at_[cls] = ++clock_;
    if (!has_room(cls)) make_room(cls, before);
    keep(block, cls, cached_[cls], cached_bytes_);
  }

  // Free what waits and was not asked for since `time`, as long as a block more would be too many; what other threads gave back
  // as well.
  [[gnu::noinline]] void make_room(int cls, int64_t time) noexcept {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (int stale = NUM_CLASSES - 1; stale >= 0 && !has_room(cls); --stale) {
      if (used_at_[stale] >= time) continue;
      free_waiting(stale, cls, cached_[stale], cached_bytes_);
      free_waiting(stale, cls, returned_[stale], returned_bytes_);
    }
  }

  // Free blocks of a class until there is room for one of another.
  void free_waiting(int stale, int cls, std::vector<void*>& list, std::atomic<int64_t>& bytes) noexcept {
    for (; !list.empty() && !has_room(cls); list.pop_back()) {
      free_block(list.back(), stale);
      add(bytes, -class_bytes(stale));
    }
  }

  bool has_room(int cls) const noexcept { return cached_bytes_ + returned_bytes_ + class_bytes(cls) <= limit_; }

  void give_without_gil(void* block, int cls) noexcept {
    const std::lock_guard<std::mutex> guard(mutex_);
    keep(block, cls, returned_[cls], returned_bytes_);
  }

  static void add(std::atomic<int64_t>& counter, int64_t bytes) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
  }

  void keep(void* block, int cls, std::vector<void*>& list, std::atomic<int64_t>& bytes) noexcept {
    if (has_room(cls)) {
      try {
        list.push_back(block);
        add(bytes, class_bytes(cls));
        return;
      } catch (const std::bad_alloc&) {
      }
    }
    free_block(block, cls);
  }

  // Fresh pages; those of a large block are huge ones, since a small one costs as much to touch.
  [[gnu::noinline]] void* map(int64_t bytes) {
    const int64_t extra = bytes < HUGE_PAGE ? 0 : HUGE_PAGE, turn = mapped_++ % STAGGERS;
    const int64_t distance = turn * STAGGER_IN_PAGE % PAGE + (bytes < STAGGERED_FROM ? 0 : turn * STAGGER);
    const size_t whole = static_cast<size_t>((distance + PAGE - 1) / PAGE * PAGE + bytes);
    void* const mapped = mmap(nullptr, whole + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    char* const begin = static_cast<char*>(mapped);
    if (extra == 0) return begin + distance;
    const int64_t before = -reinterpret_cast<intptr_t>(begin) & (HUGE_PAGE - 1);
    if (before > 0) munmap(begin, before);
    munmap(begin + before + whole, extra - before);
    madvise(begin + before, whole, MADV_HUGEPAGE);
    return begin + before + distance;
  }

  static void free_block(void* block, int cls) noexcept {
    const int64_t bytes = class_bytes(cls);
    if (bytes < MAPPED_FROM) return std::free(block);
    const int64_t distance = reinterpret_cast<intptr_t>(block) & ((bytes < STAGGERED_FROM ? PAGE : HUGE_PAGE) - 1);
    munmap(static_cast<char*>(block) - distance, distance + bytes);
  }

  static void release_shared(void* context);
  void release_share(SharedBlock* shared) noexcept {
    if (shared->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    give_without_gil(shared->block, shared->size_class);
    delete shared;
  }

  std::vector<void*> cached_[NUM_CLASSES];  // under the GIL, as the clock that ticks with each block taken or given
  int64_t clock_ = 0, used_at_[NUM_CLASSES] = {}, freed_at_[NUM_CLASSES] = {};
  uint32_t mapped_ = 0;  // blocks of fresh pages
  std::atomic<int64_t> limit_{int64_t{256} << 20};
  std::mutex mutex_;
  std::vector<void*> returned_[NUM_CLASSES];  // under the mutex
  std::atomic<int64_t> cached_bytes_{0}, returned_bytes_{0};  // each written as its lists are, read by both
};

// The one instance. Leaked on purpose: storages outlive the interpreter's own teardown. Only ndarray.pyx includes this
// header, so that there is one set of lists.
inline Memory* const memory = new Memory();

inline void Memory::release_shared(void* context) { memory->release_share(static_cast<SharedBlock*>(context)); }

inline Header::~Header() { memory->release(*this); }

}  // namespace fastnp
