# cython: c_api_binop_methods=True
"""The array: a header that owns an at::Tensor.

What the header adds to a tensor is what ATen lacks and NumPy promises: axes that run backwards as writable views, the
`writeable` flag, `base`, and whether the array stands for a NumPy scalar. Operations are not here: the slots below are
filled from above, so that this floor knows none of them.
"""
cimport cython
from cpython.buffer cimport PyObject_GetBuffer
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.dtype cimport (
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    index_of,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.libtorch.ArrayRef cimport IntArrayRef
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.libtorch.Tensor cimport Tensor, TensorImpl
from fastnp._core.torch_tensor cimport unwrap, wrap

import operator
import sys

import numpy
import torch
from numpy._core._exceptions import _ArrayMemoryError

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)

cdef extern from "memory.h" namespace "fastnp" nogil:
    cppclass MemoryCounts "fastnp::Memory::Counts":
        int64_t cached_blocks, cached_bytes, recycled_tensors, limit
    cppclass Memory:
        Tensor empty(int dtype, IntArrayRef shape, int64_t bytes, bint zeroed) except +translate_torch_error
        Tensor view(const Tensor&, IntArrayRef, IntArrayRef, int64_t) except +translate_torch_error
        void recycle(Tensor&) noexcept
        MemoryCounts counts()
        void clear()
        void set_limit(int64_t)
    Memory* memory

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of_integers(const int64_t*, Py_ssize_t)

cdef extern from "type_slots.h" namespace "fastnp":
    void set_constructor(PyTypeObject*, const char*, Construct) noexcept
    object new_bare_header(PyTypeObject*)
    int set_type_attribute(PyTypeObject*, object, object) except -1

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject*, object)
    object PySeqIter_New(object)

cdef BinarySlot binary_slot
cdef InplaceSlot inplace_slot
cdef UnarySlot unary_slot
cdef CompareSlot compare_slot
cdef ToNumPySlot to_numpy_slot
cdef GetItemSlot getitem_slot
cdef SetItemSlot setitem_slot
cdef object text_slot


cdef void set_interchange_slots(ToNumPySlot to_numpy, Construct construct) noexcept:
    global to_numpy_slot
    to_numpy_slot = to_numpy
    set_constructor(<PyTypeObject*>ndarray, "fastnp.ndarray", construct)


cdef void set_operator_slots(BinarySlot binary, InplaceSlot inplace, UnarySlot unary, CompareSlot compare) noexcept:
    global binary_slot, inplace_slot, unary_slot, compare_slot
    binary_slot, inplace_slot, unary_slot, compare_slot = binary, inplace, unary, compare


cdef void set_mapping_slots(GetItemSlot getitem, SetItemSlot setitem) noexcept:
    global getitem_slot, setitem_slot
    getitem_slot, setitem_slot = getitem, setitem


cdef int64_t bytes_of_shape(int dtype, int ndim, const int64_t* shape) except -1:
    """Return the size in bytes; ValueError on a negative or overflowing shape, before anything is allocated."""
    cdef int64_t count = ITEMSIZES[dtype]
    cdef int axis
    cdef bint empty = False
    for axis in range(ndim):
        if shape[axis] < 0:
            raise ValueError("negative dimensions are not allowed")
        if shape[axis] == 0:
            empty = True
        elif count > <int64_t>0x7FFFFFFFFFFFFFFF // shape[axis]:
            raise ValueError(
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
            )
        else:
            count *= shape[axis]
    return 0 if empty else count


cdef ndarray new_header():
    return ndarray.__new__(ndarray)


cdef ndarray allocate(int dtype, int ndim, const int64_t* shape, bint zeroed):
    cdef int64_t size = bytes_of_shape(dtype, ndim, shape)
    cdef ndarray array = new_header()
    try:
        array.tensor_ = memory.empty(dtype, IntArrayRef(shape, ndim), size, zeroed)
    except MemoryError:
        raise _ArrayMemoryError(tuple([shape[axis] for axis in range(ndim)]), numpy_dtype(dtype)) from None
    array.writeable_ = True
    return array


cdef ndarray new_array(int dtype, int ndim, const int64_t* shape):
    return allocate(dtype, ndim, shape, False)


cdef ndarray new_zeros(int dtype, int ndim, const int64_t* shape):
    return allocate(dtype, ndim, shape, True)


cdef ndarray new_scalar(int dtype):
    """Return an uninitialised 0-d array that stands for a NumPy scalar."""
    cdef ndarray array = new_header()
    array.tensor_ = memory.empty(dtype, IntArrayRef(), ITEMSIZES[dtype], False)
    array.scalar_ = True
    return array


cdef ndarray from_tensor(const Tensor& tensor):
    cdef ndarray array
    if index_of(tensor.scalar_type()) < 0:
        raise TypeError(f"fastnp arrays cannot hold a tensor of dtype {wrap(tensor).dtype}")
    if tensor.is_sparse():
        raise TypeError("fastnp arrays are dense: convert the sparse tensor with .to_dense() first")
    array = new_header()
    array.tensor_ = tensor
    array.writeable_ = True
    return array


cdef ndarray new_view(ndarray parent, const Tensor& tensor, uint64_t flipped):
    cdef ndarray array = new_header()
    array.tensor_ = tensor
    array.flipped = flipped
    array.writeable_ = parent.writeable_
    # NumPy collapses chains of views: base is the array whose memory it is.
    array.base_ = parent if type(parent.base_) is not ndarray and parent.base_ is None else parent.base_
    if type(parent) is not ndarray:
        return as_type(array, type(parent), parent)
    return array


cdef ndarray plain_view(
    ndarray parent, int ndim, const int64_t* sizes, const int64_t* strides, int64_t offset, uint64_t flipped
):
    """Return a view of a plain array: sizes and (non-negative) strides in elements, offset from the storage's start."""
    return new_view(parent, memory.view(parent.tensor_, IntArrayRef(sizes, ndim), IntArrayRef(strides, ndim), offset),
                    flipped)


cdef ndarray as_type(ndarray array, type cls, object source):
    """Return `array`'s header as an instance of `cls`, `__array_finalize__(source)` called once."""
    cdef ndarray instance
    if type(array) is cls:
        return array
    if not issubclass(cls, ndarray):
        raise TypeError(f"{cls!r} is not a subclass of fastnp.ndarray")
    # The bare header: a subclass's own __new__ is its users' constructor, not ours (NumPy: PyArray_NewFromDescr).
    instance = new_bare_header(<PyTypeObject*>cls)
    instance.tensor_ = array.tensor_
    instance.flipped = array.flipped
    instance.writeable_ = array.writeable_
    instance.scalar_ = array.scalar_
    instance.base_ = array.base_
    finalize = _PyType_Lookup(<PyTypeObject*>cls, "__array_finalize__")
    if finalize != _PyType_Lookup(<PyTypeObject*>ndarray, "__array_finalize__") and finalize != <PyObject*>None:
        instance.__array_finalize__(source)
    return instance


cdef int dtype_of(ndarray array) noexcept:
    return index_of(array.tensor_.scalar_type())


cdef int fill_shape(ndarray array, int64_t* shape) noexcept:
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef int ndim = <int>impl.dim()
    memcpy(shape, impl.sizes().data(), ndim * sizeof(int64_t))
    return ndim


cdef int fill_strides(ndarray array, int64_t* strides) noexcept:
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef const int64_t* elements = impl.strides().data()
    cdef int64_t itemsize = ITEMSIZES[dtype_of(array)]
    cdef int axis, ndim = <int>impl.dim()
    for axis in range(ndim):
        strides[axis] = elements[axis] * itemsize
        if array.flipped >> axis & 1:
            strides[axis] = -strides[axis]
    return ndim


cdef char* data_of(ndarray array) noexcept:
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef int64_t offset = impl.storage_offset()
    cdef int axis
    cdef uint64_t flipped = array.flipped
    if flipped:
        for axis in range(<int>impl.dim()):
            if flipped >> axis & 1 and impl.sizes()[axis] > 0:
                offset += (impl.sizes()[axis] - 1) * impl.strides()[axis]
    return <char*>impl.unsafe_storage().data() + offset * ITEMSIZES[dtype_of(array)]


cdef bint is_c_contiguous(ndarray array) noexcept:
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef int axis
    if not impl.is_contiguous():
        return False
    if array.flipped and impl.numel() > 0:
        for axis in range(<int>impl.dim()):
            if array.flipped >> axis & 1 and impl.sizes()[axis] > 1:
                return False
    return True


cdef bint is_f_contiguous(ndarray array) noexcept:
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef int axis
    cdef int64_t expected = 1, size
    if impl.numel() == 0:
        return True
    for axis in range(<int>impl.dim()):
        size = impl.sizes()[axis]
        if size != 1:
            if impl.strides()[axis] != expected or array.flipped >> axis & 1:
                return False
            expected *= size
    return True


cdef tuple shape_tuple(ndarray array):
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    return tuple_of_integers(impl.sizes().data(), impl.dim())


cdef int check_writeable(ndarray array, str what) except -1:
    if not array.writeable_:
        if array.scalar_:
            raise TypeError(f"'{scalar_type(array).__module__}.{scalar_type(array).__name__}' object does not support "
                            "item assignment")
        raise ValueError(f"{what} is read-only")
    return 0


cdef object scalar_type(ndarray array):
    return numpy_dtype(dtype_of(array)).type


cdef Tensor to_tensor(ndarray array) except *:
    if not array.flipped:
        return array.tensor_
    axes = [axis for axis in range(array.tensor_.dim()) if array.flipped >> axis & 1]
    if 4 <= dtype_of(array) <= 8 and not dtype_of(array) & 1:
        # torch flips no unsigned integers; their bits are as good
        signed = torch_dtype(dtype_of(array) - 1)
        return unwrap(wrap(array.tensor_).view(signed).flip(axes).view(torch_dtype(dtype_of(array))))
    return unwrap(torch.flip(wrap(array.tensor_), axes))


cdef object to_torch(ndarray array):
    if not array.flipped:
        return wrap(array.tensor_)
    return wrap(to_tensor(array))


@cython.freelist(256)
cdef class ndarray:
    """An array of fixed-size items, on a torch tensor.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the new array.
    dtype : dtype, optional
        One of the numeric dtypes of NumPy, or bfloat16 and float8 of ml_dtypes. Default: float64.
    buffer : object exposing the buffer interface, optional
        Memory to use.
    offset, strides : optional
        Where the data starts in `buffer`, and the steps in bytes.
    order : {"C", "F"}, optional
        Memory layout of a new array.

    Notes
    -----
    NumPy: `numpy.ndarray`. Differs: the memory is that of `tensor`, on any torch device, and carries gradients.
    """

    def __dealloc__(self):
        if self.tensor_.defined():
            memory.recycle(self.tensor_)

    # Attributes, in the order of NumPy's page.

    @property
    def shape(self):
        """Tuple of array dimensions. Assignment reshapes in place, and never copies."""
        return shape_tuple(self)

    @shape.setter
    def shape(self, value):
        set_shape(self, value)

    @shape.deleter
    def shape(self):
        raise AttributeError("Cannot delete array shape")

    @property
    def ndim(self):
        """Number of array dimensions."""
        return self.tensor_.dim()

    @property
    def size(self):
        """Number of elements."""
        return self.tensor_.numel()

    @property
    def itemsize(self):
        """Length of one element in bytes."""
        return ITEMSIZES[dtype_of(self)]

    @property
    def nbytes(self):
        """Total bytes consumed by the elements."""
        return self.tensor_.numel() * ITEMSIZES[dtype_of(self)]

    @property
    def dtype(self):
        """The numpy.dtype of the elements."""
        return numpy_dtype(dtype_of(self))

    @dtype.setter
    def dtype(self, value):
        cdef ndarray view = self.view(numpy.dtype(value))
        self.tensor_ = view.tensor_
        self.flipped = view.flipped

    @property
    def base(self):
        """The object whose memory this is, or None."""
        return self.base_

    @property
    def T(self):
        """View with the axes reversed."""
        return transposed(self)

    @property
    def tensor(self):
        """The torch.Tensor on the same memory (a copy where an axis runs backwards: ATen has no negative strides)."""
        return to_torch(self)

    @property
    def is_scalar(self):
        """Whether the array stands for a NumPy scalar: 0-d, and born where NumPy returns one."""
        return bool(self.scalar_)

    def __repr__(self):
        return text_slot(self, True)

    def __str__(self):
        return text_slot(self, False)

    def __len__(self):
        if self.tensor_.dim() == 0:
            if self.scalar_:
                raise TypeError(f"object of type '{scalar_type(self).__module__}.{scalar_type(self).__name__}' has no len()")
            raise TypeError("len() of unsized object")
        return self.tensor_.unsafeGetTensorImpl().sizes()[0]

    def __iter__(self):
        if self.tensor_.dim() == 0:
            if self.scalar_:
                raise TypeError(f"'{scalar_type(self).__module__}.{scalar_type(self).__name__}' object is not iterable")
            raise TypeError("iteration over a 0-d array")
        return PySeqIter_New(self)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if dtype_of(self) >= NUM_NUMPY_DTYPES:
            # NumPy would read raw bytes ("V2"); refused, it asks `__array__` and gets the dtype.
            raise BufferError(f"the buffer protocol has no format for {numpy_dtype(dtype_of(self))}")
        exporter = to_numpy_slot(self)
        Py_DECREF(None)  # what Cython has put into the buffer's owner, which is overwritten now
        PyObject_GetBuffer(exporter, buffer, flags)

    def __contains__(self, value):
        return bool((self == value).any())

    def __getitem__(self, key):
        return getitem_slot(self, key)

    def __setitem__(self, key, value):
        setitem_slot(self, key, value)

    def __delitem__(self, key):
        raise ValueError("cannot delete array elements")

    def __richcmp__(self, other, int comparison):
        return compare_slot(comparison, self, other)

    def __array_finalize__(self, source, /):
        """Called once for each new instance of a subclass that overrides it; does nothing here."""

    def __add__(a, b):
        return binary_slot(OP_ADD, a, b)

    def __sub__(a, b):
        return binary_slot(OP_SUBTRACT, a, b)

    def __mul__(a, b):
        return binary_slot(OP_MULTIPLY, a, b)

    def __truediv__(a, b):
        return binary_slot(OP_TRUE_DIVIDE, a, b)

    def __floordiv__(a, b):
        return binary_slot(OP_FLOOR_DIVIDE, a, b)

    def __mod__(a, b):
        return binary_slot(OP_REMAINDER, a, b)

    def __divmod__(a, b):
        return binary_slot(OP_DIVMOD, a, b)

    def __pow__(a, b, modulo):
        if modulo is not None:
            return NotImplemented
        return binary_slot(OP_POWER, a, b)

    def __matmul__(a, b):
        return binary_slot(OP_MATMUL, a, b)

    def __and__(a, b):
        return binary_slot(OP_AND, a, b)

    def __or__(a, b):
        return binary_slot(OP_OR, a, b)

    def __xor__(a, b):
        return binary_slot(OP_XOR, a, b)

    def __lshift__(a, b):
        return binary_slot(OP_LSHIFT, a, b)

    def __rshift__(a, b):
        return binary_slot(OP_RSHIFT, a, b)

    def __iadd__(self, other):
        return inplace_slot(OP_ADD, self, other)

    def __isub__(self, other):
        return inplace_slot(OP_SUBTRACT, self, other)

    def __imul__(self, other):
        return inplace_slot(OP_MULTIPLY, self, other)

    def __itruediv__(self, other):
        return inplace_slot(OP_TRUE_DIVIDE, self, other)

    def __ifloordiv__(self, other):
        return inplace_slot(OP_FLOOR_DIVIDE, self, other)

    def __imod__(self, other):
        return inplace_slot(OP_REMAINDER, self, other)

    def __ipow__(self, other, modulo):
        return inplace_slot(OP_POWER, self, other)

    def __imatmul__(self, other):
        return inplace_slot(OP_MATMUL, self, other)

    def __iand__(self, other):
        return inplace_slot(OP_AND, self, other)

    def __ior__(self, other):
        return inplace_slot(OP_OR, self, other)

    def __ixor__(self, other):
        return inplace_slot(OP_XOR, self, other)

    def __ilshift__(self, other):
        return inplace_slot(OP_LSHIFT, self, other)

    def __irshift__(self, other):
        return inplace_slot(OP_RSHIFT, self, other)

    def __neg__(self):
        return unary_slot(OP_NEGATIVE, self)

    def __pos__(self):
        return unary_slot(OP_POSITIVE, self)

    def __abs__(self):
        return unary_slot(OP_ABSOLUTE, self)

    def __invert__(self):
        return unary_slot(OP_INVERT, self)

    def __bool__(self):
        cdef int64_t size = self.tensor_.numel()
        if size == 1:
            return bool(item(self))
        if size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                             "array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __float__(self):
        if self.tensor_.dim() == 0 and dtype_of(self) <= 11:
            return float(item(self))
        return float(as_numpy_value(self))

    def __int__(self):
        if self.tensor_.dim() == 0 and dtype_of(self) <= 11:
            return int(item(self))
        return int(as_numpy_value(self))

    def __index__(self):
        if self.tensor_.dim() == 0 and 1 <= dtype_of(self) <= 8:
            return item(self)
        return operator.index(as_numpy_value(self))

    def __hash__(self):
        if self.scalar_:
            return hash(item(self))
        raise TypeError(f"unhashable type: '{type(self).__module__}.{type(self).__name__}'")


cdef object item(ndarray array):
    """Return the only element as a Python scalar."""
    if has_host_memory(array.tensor_):
        return read_item(data_of(array), dtype_of(array))
    return wrap(array.tensor_).item()


cdef object as_numpy_value(ndarray array):
    """Return NumPy's array or scalar in this array's stead, whose conversions and errors are NumPy's."""
    return to_numpy_slot(array)[()] if array.scalar_ else to_numpy_slot(array)


cdef ndarray transposed(ndarray array):
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef uint64_t flipped = 0
    cdef TensorImpl* impl = array.tensor_.unsafeGetTensorImpl()
    cdef int axis, ndim = <int>impl.dim()
    if array.flipped:
        for axis in range(ndim):
            flipped |= (array.flipped >> axis & 1) << (ndim - 1 - axis)
    if tensor_is_plain(array.tensor_) and thread_is_plain():
        for axis in range(ndim):
            sizes[axis] = impl.sizes()[ndim - 1 - axis]
            strides[axis] = impl.strides()[ndim - 1 - axis]
        return plain_view(array, ndim, sizes, strides, impl.storage_offset(), flipped)
    return new_view(array, unwrap(wrap(array.tensor_).permute(tuple(range(ndim - 1, -1, -1)))), flipped)


cdef int set_shape(ndarray array, object value) except -1:
    """Reshape in place; AttributeError where that needs a copy, ValueError where the sizes differ."""
    cdef tuple shape = tuple([operator.index(size) for size in value]) if isinstance(value, (tuple, list)) else (
        operator.index(value),)
    # NumPy computes the shape and its errors: a view on a stand-in of the same strides, which touches no memory.
    stand_in = to_numpy_slot(array) if has_host_memory(array.tensor_) else numpy.broadcast_to(False, shape_tuple(array)).copy()
    view = stand_in.view()
    view.shape = shape
    if array.flipped:
        raise AttributeError(
            "an array with an axis that runs backwards cannot be reshaped in place. Use `.reshape()` to make a copy "
            "with the desired shape."
        )
    array.tensor_ = unwrap(wrap(array.tensor_).view(view.shape))
    return 0


def set_attribute(str name not None, value):
    """Put a method, property or protocol entry into the class."""
    set_type_attribute(<PyTypeObject*>ndarray, sys.intern(name), value)


def strides_of(ndarray array not None):
    """Return the steps in bytes when walking an axis; negative along an axis that runs backwards."""
    cdef int64_t strides[MAXDIMS]
    return tuple_of_integers(strides, fill_strides(array, strides))


def as_scalar(ndarray array not None):
    """Return a fresh 0-d array as one that stands for a NumPy scalar."""
    array.scalar_ = True
    array.writeable_ = False
    array.base_ = None
    return array


def set_text_slot(text):
    """Say how arrays print: `text(array, is_repr)`."""
    global text_slot
    text_slot = text


def as_subclass(ndarray array not None, type cls not None, source=None):
    """Return the array as an instance of `cls`, finalized once with `source`."""
    return as_type(array, cls, source)


def memory_counts():
    """Return what waits for reuse: cached blocks and their bytes, recycled tensors, and the limit in bytes."""
    cdef MemoryCounts counts = memory.counts()
    return {"cached_blocks": counts.cached_blocks, "cached_bytes": counts.cached_bytes,
            "recycled_tensors": counts.recycled_tensors, "limit": counts.limit}


def clear_memory():
    """Give every block that waits for reuse back to the system."""
    memory.clear()


def set_memory_limit(bytes):
    """Set how many bytes of freed blocks may wait for reuse; 0 switches recycling off."""
    memory.set_limit(operator.index(bytes))
