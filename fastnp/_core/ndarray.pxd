"""The array: a header over plain memory, or over an at::Tensor."""
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.libtorch.Tensor cimport Tensor


cdef extern from "plain.h" namespace "fastnp" nogil:
    bint thread_is_plain()
    bint nothing_listens_to_scalars()
    bint tensor_is_plain(const Tensor&)

cdef extern from "header.h" namespace "fastnp" nogil:
    enum MemoryKind "fastnp::Header::MemoryKind":
        OF_ARRAY "fastnp::Header::OF_ARRAY"
        FOREIGN "fastnp::Header::FOREIGN"
    cppclass Header:
        bint has_tensor()
        bint is_plain()
        bint has_host_memory()
        int dim()
        int dtype()
        const int64_t* sizes()       # these three of arrays whose shape is not symbolic
        const int64_t* strides()
        int64_t numel()
        int64_t checked_numel "numel"() except +translate_torch_error
        char* origin()
        const char* value()          # these two of arrays that hold their value
        int value_dtype()
        int64_t storage_offset()
        bint is_contiguous()
        bint is_fortran_contiguous()
        bint runs_backwards(uint64_t flipped)
        void bump_version() except +translate_torch_error
        void set_layout(int dtype, int ndim, const int64_t* sizes, const int64_t* strides) except +
        void set_c_layout(int dtype, int ndim, const int64_t* sizes) except +
        char* hold_value(int dtype)
        void hold_memory_of(PyObject* owner, MemoryKind kind, char* data)
        void hold_tensor(Tensor)
        void take(Header&)
        bint holds_value()
        bint has_views()
        bint owns_block_alone()
        PyObject* memory_owner(PyObject* array)
    Header& header_of "fastnp::Header::of"(PyObject*)

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
    cdef Header header             # the first field; strides are never negative
    cdef object base_              # whose memory it is, or None
    cdef uint64_t flipped          # bit i: axis i runs backwards over the header's memory
    cdef unsigned char writeable_
    cdef unsigned char scalar_     # a 0-d array born where NumPy returns a scalar: behaves as one
    cdef object __weakref__

# Construction: the only ways to make an array inside.
cdef ndarray new_array(int dtype, int ndim, const int64_t* shape)
cdef ndarray new_zeros(int dtype, int ndim, const int64_t* shape)
cdef ndarray new_scalar(int dtype)
# The scalar True or False, which others may hold as well: nothing of it may be changed.
cdef ndarray truth_scalar(bint truth)
cdef ndarray from_tensor(const Tensor& tensor)
cdef ndarray over_memory(object owner, char* origin, int dtype, int ndim, const int64_t* sizes, const int64_t* strides)
cdef ndarray alias(ndarray source)
cdef ndarray base_of_views(ndarray parent)
cdef ndarray new_view(ndarray parent, const Tensor& tensor, uint64_t flipped)
cdef ndarray plain_view(
    ndarray parent, int ndim, const int64_t* sizes, const int64_t* strides, int64_t offset, uint64_t flipped
)
cdef ndarray plain_view_as(
    ndarray parent, int dtype, int ndim, const int64_t* sizes, const int64_t* strides, char* origin, uint64_t flipped
)
cdef ndarray as_type(ndarray array, type cls, object source)
# Whether a class is a subclass of ndarray that leaves all calls to the protocols of ndarray itself.
cdef bint inherits_protocols(object cls) except -1
# An uninitialised array of the class of an instance of a subclass, or a 0-d one that stands for a scalar; and the end of
# making it: an array as an instance of the class of `source`, `__array_finalize__(source)` called once.
cdef ndarray new_like(object source, int dtype, int ndim, const int64_t* shape)
cdef ndarray finalized(ndarray array, object source)


# Reading a header. Strides are in bytes, negative along flipped axes; data is the address of element (0, ..., 0).

cdef inline int dtype_of(ndarray array) noexcept:
    return array.header.dtype()


cdef inline int fill_shape(ndarray array, int64_t* shape) noexcept:
    cdef const int64_t* sizes = array.header.sizes()
    cdef int axis, ndim = array.header.dim()
    for axis in range(ndim):
        shape[axis] = sizes[axis]
    return ndim


cdef inline int fill_strides(ndarray array, int64_t* strides) noexcept:
    cdef const int64_t* elements = array.header.strides()
    cdef int64_t itemsize = ITEMSIZES[array.header.dtype()]
    cdef int axis, ndim = array.header.dim()
    for axis in range(ndim):
        strides[axis] = elements[axis] * itemsize
        if array.flipped >> axis & 1:
            strides[axis] = -strides[axis]
    return ndim


cdef inline char* data_of(ndarray array) noexcept:
    cdef const int64_t* sizes
    cdef int64_t offset = 0
    cdef int axis
    if not array.flipped:
        return array.header.origin()
    sizes = array.header.sizes()
    for axis in range(array.header.dim()):
        if array.flipped >> axis & 1 and sizes[axis] > 0:
            offset += (sizes[axis] - 1) * array.header.strides()[axis]
    return array.header.origin() + offset * ITEMSIZES[array.header.dtype()]


cdef inline bint is_c_contiguous(ndarray array) noexcept:
    return array.header.is_contiguous() and not (array.flipped and array.header.runs_backwards(array.flipped))


cdef inline bint is_f_contiguous(ndarray array) noexcept:
    return array.header.is_fortran_contiguous() and not (array.flipped and array.header.runs_backwards(array.flipped))


cdef tuple shape_tuple(ndarray array)
cdef int check_writeable(ndarray array, str what) except -1
# NumPy: a scalar's attributes cannot be set.
cdef int check_settable(ndarray array, str name) except -1

# The tensor, made where there is none yet, its flipped axes running forwards; its Python object; both with flipped axes
# materialised.
cdef const Tensor* tensor_of(ndarray array) except NULL
cdef object wrapped(ndarray array)
cdef Tensor to_tensor(ndarray array) except *
cdef object to_torch(ndarray array)
cdef int set_tensor(ndarray array, const Tensor& tensor) except -1
# Make an array that stands for a scalar an ordinary 0-d array.
cdef int make_ordinary(ndarray array) except -1
cdef ndarray transposed(ndarray array)
cdef object item(ndarray array)

# Slots that upper floors fill at import.
ctypedef object (*BinarySlot)(int operator, object a, object b)
ctypedef object (*InplaceSlot)(int operator, ndarray array, object other)
ctypedef object (*UnarySlot)(int operator, ndarray array)
ctypedef object (*CompareSlot)(int comparison, object a, object b)
ctypedef object (*GetItemSlot)(ndarray array, object key)
ctypedef int (*SetItemSlot)(ndarray array, object key, object value) except -1
ctypedef object (*TextSlot)(ndarray array, bint is_repr)
ctypedef object (*ToNumPySlot)(ndarray array)
ctypedef bint (*ExportSlot)(ndarray array, Py_buffer* buffer, int flags) except -1

cdef void set_operator_slots(BinarySlot binary, InplaceSlot inplace, UnarySlot unary, CompareSlot compare) noexcept
cdef void set_text_slot(TextSlot text) noexcept
cdef void set_interchange_slots(ToNumPySlot to_numpy, ExportSlot export, Construct construct) noexcept
cdef void set_mapping_slots(GetItemSlot getitem, SetItemSlot setitem) noexcept
