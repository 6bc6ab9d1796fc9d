# ATen/core/Tensor.h, c10/core/TensorImpl.h
from libc.stdint cimport int64_t, uint32_t
from libcpp cimport bool as cbool

from fastnp._core.libtorch.ArrayRef cimport IntArrayRef
from fastnp._core.libtorch.ScalarType cimport ScalarType
from fastnp._core.libtorch.exceptions cimport translate_torch_error


cdef extern from "<c10/core/TensorImpl.h>" namespace "c10" nogil:
    cppclass Storage:
        void* mutable_data()
        const void* data()
        size_t nbytes()
        size_t use_count()

    cppclass TensorImpl:
        int64_t dim()
        int64_t numel()
        int64_t storage_offset()
        IntArrayRef sizes()
        IntArrayRef strides()
        cbool is_contiguous()
        cbool requires_grad()
        void bump_version() except +translate_torch_error
        const Storage& unsafe_storage()
        void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides) except +translate_torch_error
        size_t itemsize()

    cppclass Device:
        cbool is_cpu()


cdef extern from "<ATen/core/Tensor.h>" namespace "at" nogil:
    cppclass Tensor:
        Tensor()
        Tensor(const Tensor&)
        cbool defined()
        TensorImpl* unsafeGetTensorImpl()
        int64_t dim()
        int64_t numel() except +translate_torch_error
        IntArrayRef sizes() except +translate_torch_error
        IntArrayRef strides() except +translate_torch_error
        ScalarType scalar_type()
        cbool is_contiguous() except +translate_torch_error
        cbool requires_grad() except +translate_torch_error
        cbool is_cpu()
        cbool is_conj()
        cbool is_neg()
        cbool is_sparse()
        int64_t storage_offset()
        cbool is_same(const Tensor&)
        void* data_ptr() except +translate_torch_error
        Device device() except +translate_torch_error
        size_t use_count()
        Tensor contiguous() except +translate_torch_error
        Tensor resolve_conj() except +translate_torch_error
        Tensor resolve_neg() except +translate_torch_error
        Tensor t() except +translate_torch_error
        Tensor detach() except +translate_torch_error
