// Memory of plain CPU results: blocks by size class, and whole tensors recycled when nobody can see them any more.
//
// A tensor handed to Python, autograd, DLPack or a view is never recycled: its use counts say so (`recyclable`). The
// recycling lists belong to the thread that holds the GIL; the block lists are shared with threads that do not.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "dtype.h"
#include "plain.h"

namespace fastnp {

constexpr int64_t ALIGNMENT = 64;
constexpr int64_t HUGE_PAGE = int64_t{1} << 21;
constexpr int64_t MAPPED_FROM = int64_t{1} << 20;  // blocks of this size and above come from mmap
constexpr int NUM_CLASSES = 4 + 4 * (63 - 8);  // up to 2**63 bytes

// Four classes to the octave from 256 bytes on: at most a quarter of a block is unused.
inline int size_class(int64_t bytes) noexcept {
  if (bytes <= 256) return bytes <= 64 ? 0 : bytes <= 128 ? 1 : bytes <= 192 ? 2 : 3;
  const int octave = 63 - __builtin_clzll(static_cast<uint64_t>(bytes - 1));
  return 4 + 4 * (octave - 8) + static_cast<int>(((bytes - 1) >> (octave - 2)) & 3);
}
inline int64_t class_bytes(int size_class) noexcept {
  if (size_class < 4) return 64 * (size_class + 1);
  const int octave = 8 + (size_class - 4) / 4;
  return (int64_t{1} << octave) + ((int64_t{1} << (octave - 2)) * ((size_class - 4) % 4 + 1));
}

class Memory {
 public:
  struct Counts {
    int64_t cached_blocks, cached_bytes, recycled_tensors, limit;
  };

  Memory() {
    fill_deleters(std::make_integer_sequence<int, NUM_CLASSES>());
    for (auto& lists : tensors_)
      for (int cls = 0; cls < RECYCLED_CLASSES; ++cls)
        lists[cls].reserve(cls < 4 ? TENSORS_KEPT : TENSORS_KEPT / 8);
    for (auto& list : views_) list.reserve(TENSORS_KEPT / 2);
    nothing_ = c10::Storage(c10::make_intrusive<c10::StorageImpl>(
        c10::StorageImpl::use_byte_size_t(), 0, at::DataPtr(nullptr, c10::Device(c10::kCPU)), nullptr, false));
  }

  // An uninitialised C-contiguous tensor. The caller has checked that the product of the shape does not overflow.
  at::Tensor empty(int dtype, c10::IntArrayRef shape, int64_t bytes, bool zeroed = false) {
    const int cls = size_class(bytes);
    if (cls < RECYCLED_CLASSES) {
      auto& list = tensors_[dtype][cls];
      if (!list.empty()) {
        at::Tensor tensor = std::move(list.back());
        list.pop_back();
        c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
        if (!has_layout(impl, shape)) impl->set_sizes_contiguous(shape);
        impl->unsafe_storage().unsafeGetStorageImpl()->set_nbytes(bytes);
        if (zeroed) std::memset(impl->unsafe_storage().mutable_data(), 0, bytes);
        return tensor;
      }
    }
    void* data = zeroed ? new_zeroed_block(cls, bytes) : new_block(cls);
    auto storage = c10::make_intrusive<c10::StorageImpl>(
        c10::StorageImpl::use_byte_size_t(), bytes,
        at::DataPtr(data, data, deleters_[cls], c10::Device(c10::kCPU)), c10::GetCPUAllocator(), true);
    auto tensor = at::detail::make_tensor<c10::TensorImpl>(
        c10::Storage(std::move(storage)), c10::DispatchKeySet(c10::DispatchKey::CPU),
        c10::scalarTypeToTypeMeta(SCALAR_TYPES[dtype]));
    tensor.unsafeGetTensorImpl()->set_sizes_contiguous(shape);
    return tensor;
  }

  // A view of a plain tensor on the same storage, made without the dispatcher.
  at::Tensor view(const at::Tensor& parent, c10::IntArrayRef sizes, c10::IntArrayRef strides, int64_t offset) {
    c10::TensorImpl* from = parent.unsafeGetTensorImpl();
    auto& list = views_[index_of(c10::typeMetaToScalarType(from->dtype()))];
    at::Tensor tensor;
    if (!list.empty() && from->key_set() == PLAIN_KEYS) {
      tensor = std::move(list.back());
      list.pop_back();
      tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(c10::Storage(from->unsafe_storage()));
    } else {
      tensor = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(from->unsafe_storage()),
                                                        from->key_set(), from->dtype());
    }
    c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    impl->set_storage_offset(offset);
    impl->set_sizes_and_strides(sizes, strides);
    // Writes through a view count as writes to the whole, as with ATen's own views.
    impl->set_version_counter(from->version_counter());
    return tensor;
  }

  // Takes the tensor of a dying array; keeps it for the next result where nobody else can see it.
  void recycle(at::Tensor& tensor) noexcept {
    c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    if (!recyclable(tensor)) return;
    c10::StorageImpl* storage = impl->unsafe_storage().unsafeGetStorageImpl();
    const int dtype = index_of(c10::typeMetaToScalarType(impl->dtype()));
    if (storage_is_sole(impl)) {
      const int cls = recycled_class_of(storage->data_ptr().get_deleter());
      if (cls < 0) return;
      auto& list = tensors_[dtype][cls];
      if (list.size() < list.capacity() && impl->storage_offset() == 0 && limit_ != 0) list.push_back(std::move(tensor));
    } else {
      auto& list = views_[dtype];
      if (list.size() == list.capacity() || limit_ == 0) return;
      impl->set_storage_keep_dtype(c10::Storage(nothing_));
      list.push_back(std::move(tensor));
    }
  }

  Counts counts() {
    const std::lock_guard<std::mutex> guard(mutex_);
    Counts counts{0, cached_bytes_, 0, limit_};
    for (auto& list : blocks_) counts.cached_blocks += list.size();
    for (auto& lists : tensors_)
      for (auto& list : lists) counts.recycled_tensors += list.size();
    for (auto& list : views_) counts.recycled_tensors += list.size();
    return counts;
  }

  void clear() {
    for (auto& lists : tensors_)
      for (auto& list : lists) list.clear();
    for (auto& list : views_) list.clear();
    const std::lock_guard<std::mutex> guard(mutex_);
    for (int cls = 0; cls < NUM_CLASSES; ++cls) {
      for (void* block : blocks_[cls]) release(block, cls);
      blocks_[cls].clear();
    }
    cached_bytes_ = 0;
  }

  // Bytes of freed blocks that may wait for their next use; 0 switches recycling off.
  void set_limit(int64_t bytes) {
    limit_ = bytes;
    if (counts().cached_bytes > bytes || bytes == 0) clear();
  }

 private:
  static constexpr int RECYCLED_CLASSES = 20;  // whole tensors up to 4 KiB; larger ones recycle their block alone
  static constexpr int TENSORS_KEPT = 256;

  // Exactly C order: `is_contiguous` ignores the strides of axes of length one, which are visible.
  static bool has_layout(const c10::TensorImpl* impl, c10::IntArrayRef shape) noexcept {
    if (impl->sizes() != shape) return false;
    int64_t expected = 1;
    for (int64_t axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0; --axis) {
      if (impl->strides()[axis] != expected) return false;
      expected *= shape[axis] > 1 ? shape[axis] : 1;
    }
    return true;
  }

  static bool storage_is_sole(c10::TensorImpl* impl) noexcept {
    // Borrowed, to read both counts without touching them.
    auto storage = c10::intrusive_ptr<c10::StorageImpl>::reclaim(impl->unsafe_storage().unsafeGetStorageImpl());
    const bool sole = storage.use_count() == 1 && storage.weak_use_count() == 1;
    c10::StorageImpl* borrowed = storage.release();
    return sole && borrowed->pyobj_slot()->load_pyobj() == nullptr;
  }

  static bool recyclable(const at::Tensor& tensor) noexcept {
    c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    return tensor.use_count() == 1 && tensor.weak_use_count() == 1 && impl->key_set() == PLAIN_KEYS &&
           impl->autograd_meta() == nullptr && impl->pyobj_slot()->load_pyobj() == nullptr &&
           impl->allow_tensor_metadata_change();
  }

  void* new_block(int cls) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      auto& list = blocks_[cls];
      used_at_[cls] = ++clock_;
      if (!list.empty()) {
        void* block = list.back();
        list.pop_back();
        cached_bytes_ -= class_bytes(cls);
        return block;
      }
    }
    const int64_t bytes = class_bytes(cls);
    if (bytes >= MAPPED_FROM) return map(bytes);
    void* block = nullptr;
    if (posix_memalign(&block, ALIGNMENT, bytes)) throw std::bad_alloc();
    return block;
  }

  void* new_zeroed_block(int cls, int64_t bytes) {
    // Fresh pages are zero already and cost nothing until they are touched.
    if (class_bytes(cls) >= MAPPED_FROM) return map(class_bytes(cls));
    void* block = new_block(cls);
    std::memset(block, 0, bytes);
    return block;
  }

  static void* map(int64_t bytes) {
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    if (bytes >= 2 * HUGE_PAGE) madvise(block, bytes, MADV_HUGEPAGE);
    return block;
  }

  static void release(void* block, int cls) noexcept {
    if (class_bytes(cls) >= MAPPED_FROM)
      munmap(block, class_bytes(cls));
    else
      std::free(block);
  }

  void take_back(void* block, int cls) noexcept {
    std::unique_lock<std::mutex> lock(mutex_);
    const int64_t before = freed_at_[cls];
    freed_at_[cls] = used_at_[cls] = ++clock_;
    while (cached_bytes_ + class_bytes(cls) > limit_) {
      const int stale = stale_class(before);
      if (stale < 0) break;
      void* old = blocks_[stale].back();
      blocks_[stale].pop_back();
      cached_bytes_ -= class_bytes(stale);
      lock.unlock();
      release(old, stale);
      lock.lock();
    }
    if (cached_bytes_ + class_bytes(cls) <= limit_) {
      try {
        blocks_[cls].push_back(block);
        cached_bytes_ += class_bytes(cls);
        return;
      } catch (const std::bad_alloc&) {
      }
    }
    lock.unlock();
    release(block, cls);
  }

  // A class whose blocks wait, and of which none was asked for or given back since `time`; -1 where there is none.
  int stale_class(int64_t time) const noexcept {
    for (int cls = NUM_CLASSES - 1; cls >= 0; --cls)
      if (!blocks_[cls].empty() && used_at_[cls] < time) return cls;
    return -1;
  }

  // One deleter to a class, so that a block needs no header that says how large it is.
  template <int cls>
  static void take_back_class(void* block);
  template <int... cls>
  void fill_deleters(std::integer_sequence<int, cls...>) {
    ((deleters_[cls] = &take_back_class<cls>), ...);
  }

  int recycled_class_of(c10::DeleterFnPtr deleter) const noexcept {
    for (int cls = 0; cls < RECYCLED_CLASSES; ++cls)
      if (deleters_[cls] == deleter) return cls;
    return -1;
  }

  c10::DeleterFnPtr deleters_[NUM_CLASSES];
  std::vector<at::Tensor> tensors_[NUM_DTYPES][RECYCLED_CLASSES];
  std::vector<at::Tensor> views_[NUM_DTYPES];
  c10::Storage nothing_;
  std::mutex mutex_;
  std::vector<void*> blocks_[NUM_CLASSES];
  int64_t clock_ = 0;  // ticks at each block asked for or given back
  int64_t used_at_[NUM_CLASSES] = {};
  int64_t freed_at_[NUM_CLASSES] = {};
  int64_t cached_bytes_ = 0;
  int64_t limit_ = int64_t{256} << 20;
};

// The one instance. Leaked on purpose: storages outlive the interpreter's own teardown. Only ndarray.pyx includes this
// header, so that there is one set of deleters.
inline Memory* const memory = new Memory();

template <int cls>
void Memory::take_back_class(void* block) {
  memory->take_back(block, cls);
}

}  // namespace fastnp
