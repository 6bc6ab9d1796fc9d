"""The array: a header that owns an at::Tensor."""
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.libtorch.Tensor cimport Tensor


cdef extern from "plain.h" namespace "fastnp" nogil:
    bint thread_is_plain()
    bint tensor_is_plain(const Tensor&)

cdef extern from "type_slots.h" namespace "fastnp":
    ctypedef object (*Construct)(PyTypeObject*, PyObject*, PyObject*)

cdef extern from "element.h" namespace "fastnp":
    object read_item(const char* data, int dtype)

cdef enum:
    MAXDIMS = 64

# The number of an operator, as the slots below are called with it.
cdef enum Operator:
    OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_TRUE_DIVIDE, OP_FLOOR_DIVIDE, OP_REMAINDER, OP_POWER, OP_MATMUL
    OP_AND, OP_OR, OP_XOR, OP_LSHIFT, OP_RSHIFT, OP_DIVMOD
    OP_NEGATIVE, OP_POSITIVE, OP_ABSOLUTE, OP_INVERT


cdef class ndarray:
    cdef Tensor tensor_            # strides are never negative
    cdef object base_              # whose memory it is, or None
    cdef uint64_t flipped          # bit i: axis i runs backwards over tensor_
    cdef unsigned char writeable_
    cdef unsigned char scalar_     # a 0-d array born where NumPy returns a scalar: behaves as one
    cdef object __weakref__

# Construction: the only ways to make an array inside.
cdef ndarray new_array(int dtype, int ndim, const int64_t* shape)
cdef ndarray new_zeros(int dtype, int ndim, const int64_t* shape)
cdef ndarray new_scalar(int dtype)
cdef ndarray from_tensor(const Tensor& tensor)
cdef ndarray new_view(ndarray parent, const Tensor& tensor, uint64_t flipped)
cdef ndarray plain_view(
    ndarray parent, int ndim, const int64_t* sizes, const int64_t* strides, int64_t offset, uint64_t flipped
)
cdef ndarray as_type(ndarray array, type cls, object source)

# Reading a header. Strides are in bytes, negative along flipped axes; data is the address of element (0, ..., 0).
cdef int dtype_of(ndarray array) noexcept
cdef int fill_shape(ndarray array, int64_t* shape) noexcept
cdef int fill_strides(ndarray array, int64_t* strides) noexcept
cdef char* data_of(ndarray array) noexcept
cdef bint is_c_contiguous(ndarray array) noexcept
cdef bint is_f_contiguous(ndarray array) noexcept
cdef tuple shape_tuple(ndarray array)
cdef int check_writeable(ndarray array, str what) except -1

# The tensor with its flipped axes materialised, and its Python object.
cdef Tensor to_tensor(ndarray array) except *
cdef object to_torch(ndarray array)
cdef ndarray transposed(ndarray array)
cdef object item(ndarray array)

# Slots that upper floors fill at import.
ctypedef object (*BinarySlot)(int operator, object a, object b)
ctypedef object (*InplaceSlot)(int operator, ndarray array, object other)
ctypedef object (*UnarySlot)(int operator, ndarray array)
ctypedef object (*CompareSlot)(int comparison, object a, object b)
ctypedef object (*GetItemSlot)(ndarray array, object key)
ctypedef int (*SetItemSlot)(ndarray array, object key, object value) except -1
ctypedef object (*ToNumPySlot)(ndarray array)

cdef void set_operator_slots(BinarySlot binary, InplaceSlot inplace, UnarySlot unary, CompareSlot compare) noexcept
cdef void set_interchange_slots(ToNumPySlot to_numpy, Construct construct) noexcept
cdef void set_mapping_slots(GetItemSlot getitem, SetItemSlot setitem) noexcept
