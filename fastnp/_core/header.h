// What an array is made of: plain memory and its layout, or a tensor.
//
// Results are born as plain memory; the tensor on it is made when somebody asks for it (memory.h), and from then on it is
// the tensor that says what the array is, since torch may change it in place. Memory belongs to one header; the header of
// a view keeps that one alive. A scalar's value lies in the header itself.
#pragma once
#include <ATen/core/Tensor.h>
#include <Python.h>

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "dtype.h"
#include "plain.h"

namespace fastnp {

// A block of memory that a header and the storage of its tensor own together.
struct SharedBlock {
  std::atomic<int> owners;
  int size_class;
  void* block;
};

class Header {
 public:
  enum MemoryKind : int8_t {
    NONE,      // the tensor's alone
    INLINE,    // a scalar's, in `extents_`
    BLOCK,     // a block of its own, from `data_` on
    OF_ARRAY,  // that of the array `owner_`
    FOREIGN,   // that of another Python object, `owner_`
  };

  Header() noexcept : memory_(NONE), has_tensor_(false), ndim_(0), views_(0), shared_(nullptr) {}
  ~Header();
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  // --- reading ---

  bool has_tensor() const noexcept { return has_tensor_; }
  const at::Tensor& tensor() const noexcept { return *reinterpret_cast<const at::Tensor*>(tensor_); }
  c10::TensorImpl* impl() const noexcept { return tensor().unsafeGetTensorImpl(); }

  bool is_plain() const noexcept { return !has_tensor_ || tensor_is_plain(tensor()); }
  bool has_host_memory() const noexcept { return !has_tensor_ || fastnp::has_host_memory(tensor()); }
  int dim() const noexcept { return has_tensor_ ? static_cast<int>(impl()->dim()) : ndim_; }
  int dtype() const noexcept { return has_tensor_ ? index_of(c10::typeMetaToScalarType(impl()->dtype())) : dtype_; }
  // Of a tensor whose shape is symbolic, what its concrete shape is guarded to be.
  const int64_t* sizes() const { return has_tensor_ ? impl()->sizes().data() : extents(); }
  const int64_t* strides() const { return has_tensor_ ? impl()->strides().data() : extents() + ndim_; }
  int64_t numel() const {
    if (has_tensor_) return impl()->numel();
    int64_t count = 1;
    for (int axis = 0; axis < ndim_; ++axis) count *= extents()[axis];
    return count;
  }

  // The lowest address of an element.
  char* origin() const {
    if (!has_tensor_) return data_;
    return static_cast<char*>(const_cast<void*>(impl()->unsafe_storage().data())) +
           impl()->storage_offset() * ITEMSIZES[dtype()];
  }

  // Of one that holds its value only: where it lies, and its dtype.
  const char* value() const noexcept { return reinterpret_cast<const char*>(extents_); }
  int value_dtype() const noexcept { return dtype_; }

  // With a tensor only.
  int64_t storage_offset() const { return impl()->storage_offset(); }

  bool is_contiguous() const {
    if (has_tensor_) return impl()->is_contiguous();
    const int64_t* const sizes = extents();
    int64_t expected = 1;
    bool in_order = true;
    for (int axis = ndim_ - 1; axis >= 0; --axis) {
      if (sizes[axis] == 0) return true;
      if (sizes[axis] == 1) continue;
      in_order = in_order && sizes[ndim_ + axis] == expected;
      expected *= sizes[axis];
    }
    return in_order;
  }

  bool is_fortran_contiguous() const {
    if (numel() == 0) return true;
    int64_t expected = 1;
    for (int axis = 0; axis < dim(); ++axis) {
      if (sizes()[axis] == 1) continue;
      if (strides()[axis] != expected) return false;
      expected *= sizes()[axis];
    }
    return true;
  }

  // Whether one of the axes that are flipped has more than one element of an array that has any.
  bool runs_backwards(uint64_t flipped) const {
    bool found = false;
    for (int axis = 0; axis < dim(); ++axis) {
      if (sizes()[axis] == 0) return false;
      found = found || ((flipped >> axis & 1) && sizes()[axis] > 1);
    }
    return found;
  }

  // Count a write, as ATen's in-place operations do: in the tensor's version, or in that of the array whose memory it is.
  void bump_version() {
    if (has_tensor_)
      impl()->bump_version();
    else if (memory_ == OF_ARRAY && of(owner_).has_tensor_)
      of(owner_).impl()->bump_version();
  }

  bool has_views() const noexcept { return views_ > 0; }
  // Whether the elements lie in a block that nothing else has a part in.
  bool owns_block_alone() const noexcept { return memory_ == BLOCK && !has_tensor_ && views_ == 0; }
  bool holds_value() const noexcept { return memory_ == INLINE && !has_tensor_; }

  // The array whose memory this is, which may be the array itself; null where only the tensor knows.
  PyObject* memory_owner(PyObject* self) const noexcept {
    if (memory_ == OF_ARRAY) return owner_;
    return memory_ == NONE ? nullptr : self;
  }

  // The header of an array. It is the first field of the object.
  static Header& of(PyObject* array) noexcept {
    return *reinterpret_cast<Header*>(reinterpret_cast<char*>(array) + sizeof(PyObject));
  }

  // --- writing: for memory.h and ndarray.pyx ---

  void set_layout(int dtype, int ndim, const int64_t* sizes, const int64_t* strides) {
    int64_t* const into = reserve(dtype, ndim);
    for (int axis = 0; axis < ndim; ++axis) {
      into[axis] = sizes[axis];
      into[ndim + axis] = strides[axis];
    }
  }
  void set_c_layout(int dtype, int ndim, const int64_t* sizes) {
    int64_t* const into = reserve(dtype, ndim);
    int64_t step = 1;
    for (int axis = ndim - 1; axis >= 0; --axis) {
      into[axis] = sizes[axis];
      into[ndim + axis] = step;
      if (sizes[axis] > 1) step *= sizes[axis];
    }
  }
  char* hold_value(int dtype) noexcept {
    reserve(dtype, 0);
    memory_ = INLINE;
    return data_ = reinterpret_cast<char*>(extents_);
  }
  void hold_block(void* block, int size_class) noexcept {
    memory_ = BLOCK;
    size_class_ = static_cast<uint8_t>(size_class);
    data_ = static_cast<char*>(block);
  }
  void hold_memory_of(PyObject* owner, MemoryKind kind, char* data) noexcept {
    Py_INCREF(owner);
    if (kind == OF_ARRAY && of(owner).views_ < UINT16_MAX) ++of(owner).views_;
    memory_ = kind;
    owner_ = owner;
    data_ = data;
  }
  // Memory that is already held stays so: views may lie in it.
  void hold_tensor(at::Tensor tensor) noexcept {
    if (has_tensor_) {
      const_cast<at::Tensor&>(this->tensor()) = std::move(tensor);
    } else {
      new (tensor_) at::Tensor(std::move(tensor));
      has_tensor_ = true;
    }
  }
  // Take over all that another header holds; this one must hold nothing yet.
  void take(Header& other) noexcept {
    if (other.has_tensor_) {
      hold_tensor(std::move(const_cast<at::Tensor&>(other.tensor())));
      const_cast<at::Tensor&>(other.tensor()).~Tensor();
      other.has_tensor_ = false;
    }
    std::memcpy(extents_, other.extents_, sizeof(extents_));
    dtype_ = other.dtype_;
    ndim_ = other.ndim_;
    data_ = other.memory_ == INLINE ? reinterpret_cast<char*>(extents_) : other.data_;
    size_class_ = other.size_class_;
    shared_ = other.shared_;
    memory_ = other.memory_;
    other.memory_ = NONE;
    other.ndim_ = 0;
  }

 private:
  friend class Memory;
  static constexpr int INLINE_DIMS = 4;

  const int64_t* extents() const noexcept { return ndim_ <= INLINE_DIMS ? extents_ : far_extents_; }
  int64_t* reserve(int dtype, int ndim) {
    release_extents();
    dtype_ = static_cast<int8_t>(dtype);
    ndim_ = static_cast<int8_t>(ndim);
    if (ndim <= INLINE_DIMS) return extents_;
    return far_extents_ = new int64_t[2 * ndim];
  }
  void release_owner() noexcept {
    if (memory_ == OF_ARRAY && of(owner_).views_ < UINT16_MAX) --of(owner_).views_;
    Py_DECREF(owner_);
  }
  void release_extents() noexcept {
    if (ndim_ > INLINE_DIMS) delete[] extents();
    ndim_ = 0;
  }

  MemoryKind memory_;
  bool has_tensor_;
  int8_t dtype_, ndim_;  // without a tensor
  uint8_t size_class_;
  uint16_t views_;       // how many headers say OF_ARRAY of this one; stays at its maximum once there
  char* data_;           // without a tensor, as `origin`; of a block always its start
  union {
    SharedBlock* shared_;  // BLOCK, once it has had a tensor
    PyObject* owner_;      // OF_ARRAY, FOREIGN
  };
  alignas(at::Tensor) char tensor_[sizeof(at::Tensor)];
  union {
    alignas(16) int64_t extents_[2 * INLINE_DIMS];  // sizes, then strides in elements, never negative
    int64_t* far_extents_;                          // the same, of more dimensions
  };
};

}  // namespace fastnp
