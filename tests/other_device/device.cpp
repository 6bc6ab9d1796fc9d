// A device of torch's whose memory the host cannot touch, for machines that have no other one.
//
// Every operator copies its operands to the host, computes there, and copies the result back: values are those of the
// CPU, and what a program may not do with memory of a device ends the process, as it does on CUDA. An operand left on
// the host is refused as CUDA refuses it.

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

namespace {

const c10::Device THE_DEVICE(c10::DeviceType::PrivateUse1, 0);
constexpr c10::DispatchKeySet KEYS(c10::DispatchKey::PrivateUse1);

// One block of memory: whole pages, closed except while a copy is made.
struct Block {
    void* start;
    size_t size;

    static Block* open_new(size_t bytes) {
        const size_t page = sysconf(_SC_PAGESIZE);
        const size_t size = (bytes + page - 1) / page * page;
        void* start = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        TORCH_CHECK(start != MAP_FAILED, "the device has no ", bytes, " bytes left");
        return new Block{start, size};
    }

    static void drop_nothing(void*) {}

    static void drop(void* block) {
        auto* given = static_cast<Block*>(block);
        munmap(given->start, given->size);
        delete given;
    }
};

struct DeviceAllocator final : c10::Allocator {
    c10::DataPtr allocate(size_t bytes) override {
        if (bytes == 0) return {nullptr, nullptr, &Block::drop_nothing, THE_DEVICE};
        Block* block = Block::open_new(bytes);
        return {block->start, block, &Block::drop, THE_DEVICE};
    }
    c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
};

DeviceAllocator allocator;
REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &allocator);

// Opens the memory of storages of the device as long as it lives; one copy is made at a time.
class Opened {
public:
    explicit Opened(std::initializer_list<const c10::Storage*> storages) : lock_(mutex()) {
        for (const c10::Storage* storage : storages) {
            auto* block = static_cast<Block*>(storage->data_ptr().get_context());
            if (storage->device_type() == c10::DeviceType::PrivateUse1 && block != nullptr) {
                TORCH_CHECK(mprotect(block->start, block->size, PROT_READ | PROT_WRITE) == 0);
                blocks_.push_back(block);
            }
        }
    }
    ~Opened() {
        for (Block* block : blocks_) mprotect(block->start, block->size, PROT_NONE);
    }

private:
    static std::recursive_mutex& mutex() {
        static std::recursive_mutex one;
        return one;
    }
    std::lock_guard<std::recursive_mutex> lock_;
    std::vector<Block*> blocks_;
};

// The elements of a tensor as a tensor of the host, while its memory is open.
at::Tensor on_host(const at::Tensor& tensor) {
    if (tensor.is_cpu()) return tensor;
    at::Tensor seen = at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
    seen._set_conj(tensor.is_conj());
    seen._set_neg(tensor.is_neg());
    return seen;
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& target, bool) {
    if (target.numel() == 0) return target;
    Opened opened{&self.storage(), &target.storage()};
    on_host(target).copy_(on_host(self));
    return target;
}

at::Tensor empty(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout>,
                 std::optional<c10::Device>, std::optional<bool>, std::optional<c10::MemoryFormat> format) {
    return at::detail::empty_generic(size, &allocator, KEYS, c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                         std::optional<c10::Layout>, std::optional<c10::Device>, std::optional<bool>) {
    return at::detail::empty_strided_generic(size, stride, &allocator, KEYS, c10::dtype_or_default(dtype));
}

const at::Tensor& resize_in_place(const at::Tensor& self, c10::IntArrayRef size, std::optional<c10::MemoryFormat> format) {
    if (self.sizes() == size && !format.has_value()) return self;  // with the strides that it has
    c10::TensorImpl* impl = self.unsafeGetTensorImpl();
    impl->set_sizes_contiguous(size);
    if (format.has_value()) impl->empty_tensor_restride(*format);
    const size_t bytes = (self.storage_offset() + self.numel()) * self.itemsize();
    if (bytes > self.storage().nbytes()) {
        c10::Storage old = self.storage();
        c10::Storage grown(c10::Storage::use_byte_size_t(), bytes, allocator.allocate(bytes), &allocator, true);
        if (old.nbytes() != 0) {
            Opened opened{&old, &grown};
            std::memcpy(grown.mutable_data(), old.data(), old.nbytes());
        }
        old.set_data_ptr_noswap(std::move(grown.unsafeGetStorageImpl()->_mutable_data_ptr_no_checks()));
        old.set_nbytes(bytes);
    }
    return self;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& target) {
    resize_in_place(target, self.sizes(), std::nullopt);
    return copy_from(self, target, false);
}

c10::Scalar local_scalar_dense(const at::Tensor& self) { return at::_local_scalar_dense(self.cpu()); }

// On the host; refuses operands that lie there already. Indices may, and numbers (tensors without axes).
void by_host(const c10::OperatorHandle& operation, torch::jit::Stack* stack) {
    const size_t count = operation.schema().arguments().size();
    bool there = false, here = false;
    auto arguments = torch::jit::last(*stack, count);
    for (const c10::IValue& value : arguments) {
        if (!value.isTensor() || !value.toTensor().defined()) continue;
        const at::Tensor& tensor = value.toTensor();
        there |= tensor.is_privateuseone();
        here |= tensor.is_cpu() && tensor.dim() > 0;
    }
    TORCH_CHECK(!(there && here), "Expected all tensors to be on the same device, but found at least two devices, ",
                THE_DEVICE, " and cpu! (", operation.schema().name(), ")");
    // The result is where the first operand is: a number beside an array follows it.
    for (size_t index = 0; there && index < count; ++index) {
        c10::IValue& value = (*stack)[stack->size() - count + index];
        if (value.isTensor() && value.toTensor().defined() && value.toTensor().is_cpu()) value = value.toTensor().to(THE_DEVICE);
    }
    at::native::cpu_fallback(operation, stack, /*error_on_views=*/true);
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
    static constexpr c10::DeviceType static_type = c10::DeviceType::PrivateUse1;
    c10::DeviceType type() const override { return static_type; }
    c10::Device exchangeDevice(c10::Device) const override { return THE_DEVICE; }
    c10::Device getDevice() const override { return THE_DEVICE; }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex deviceCount() const override { return 1; }
    c10::DeviceIndex getCurrentDevice() const override { return 0; }
    void setCurrentDevice(c10::DeviceIndex) const override {}
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
};

const bool HOOKED = (at::RegisterPrivateUse1HooksInterface(new Hooks), true);

}  // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", empty);
    m.impl("empty_strided", empty_strided);
    m.impl("resize_", resize_in_place);
    m.impl("_copy_from", copy_from);
    m.impl("_copy_from_and_resize", copy_from_and_resize);
    m.impl("_local_scalar_dense", local_scalar_dense);
    m.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
    m.impl("view", TORCH_FN(at::native::view));
    m.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
    m.impl("unfold", TORCH_FN(at::native::unfold));
    m.impl("view_as_real", TORCH_FN(at::native::view_as_real));
    m.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
    m.impl("set_.source_Tensor", TORCH_FN(at::native::set_tensor_));
    m.impl("set_.source_Storage", TORCH_FN(at::native::set_));
    m.impl("set_.source_Storage_storage_offset", TORCH_FN(at::native::set_storage_cpu_));
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&by_host>()); }

// A copy takes care of what is to be conjugated or negated; torch's way, another copy first, would come here again.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, Negative, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
