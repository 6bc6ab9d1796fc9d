# cython: c_api_binop_methods=True
"""The array: a header over plain memory, whose tensor is made when somebody asks for it, or over any tensor.

What the header adds to a tensor is what ATen lacks and NumPy promises: axes that run backwards as writable views, the
`writeable` flag, `base`, and whether the array stands for a NumPy scalar. Operations are not here: the slots below are
filled from above, so that this floor knows none of them.
"""
cimport cython
from cpython.buffer cimport PyObject_GetBuffer
from cpython.long cimport PyLong_FromDouble
from cpython.mem cimport PyMem_Free
from cpython.object cimport PyObject, PyTypeObject, destructor
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.dtype cimport BOOL, FLOAT64, ITEMSIZES, NUM_NUMPY_DTYPES, index_of, numpy_dtype, torch_dtype
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.torch_tensor cimport asks_no_class, unwrap, wrap

import operator
import sys
import weakref

import numpy
import torch
from numpy._core._exceptions import _ArrayMemoryError

cdef extern from "memory.h" namespace "fastnp" nogil:
    int64_t bytes_of_shape(int dtype, int ndim, const int64_t* shape)
    cppclass MemoryCounts "fastnp::Memory::Counts":
        int64_t cached_blocks, cached_bytes, limit
    cppclass Memory:
        bint allocate(Header&, int dtype, int ndim, const int64_t* shape, int64_t bytes, bint zeroed)
        bint lies_in_block(const Header&, const Header& owner)
        void reset(Header&)
        void forget_value(Header&)
        void move_value(Header&) except +
        const Tensor& tensor_of(Header&) except +translate_torch_error
        Tensor view(const Tensor&, int, const int64_t*, const int64_t*, int, int64_t) except +translate_torch_error
        MemoryCounts counts()
        void clear()
        void set_limit(int64_t)
    Memory* memory

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of_integers(const int64_t*, Py_ssize_t)

cdef extern from "type_slots.h" namespace "fastnp":
    void set_constructor(PyTypeObject*, const char*, Construct) noexcept
    bint has_weak_references(PyObject*) noexcept
    void clear_weak_references(PyObject*) noexcept
    int set_type_attribute(PyTypeObject*, object, object) except -1

cdef extern from "instances.h" namespace "fastnp":
    cppclass Subclass:
        unsigned int version
        bint finalizes, protocols
    unsigned int version_of(PyTypeObject*) noexcept
    Subclass* currently_known(PyTypeObject*) noexcept
    Subclass* find_subclass(PyTypeObject*) noexcept
    Subclass* add_subclass(PyTypeObject*, PyTypeObject*, PyTypeObject*) except +
    void forget_subclass(PyTypeObject*) noexcept
    object new_instance(Subclass*)
    destructor destroy_array
    void (*reset_array)(PyObject*)

cdef extern from "scalars.h" namespace "fastnp" nogil:
    int truth_of_scalar(int dtype, const char* data)

cdef extern from "reshaping.h" namespace "fastnp":
    bint reshape_in_place(Header&, PyObject* shape) except +

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject*, object)
    object PySeqIter_New(object)
    bint PyType_IsSubtype(PyTypeObject*, PyTypeObject*)
    Py_ssize_t Py_REFCNT(object)
    Py_hash_t _Py_HashDouble(object, double)

cdef BinarySlot binary_slot
cdef InplaceSlot inplace_slot
cdef UnarySlot unary_slot
cdef CompareSlot compare_slot
cdef ToNumPySlot to_numpy_slot
cdef ExportSlot export_slot
cdef GetItemSlot getitem_slot
cdef SetItemSlot setitem_slot
cdef TextSlot text_slot


cdef void set_text_slot(TextSlot text) noexcept:
    global text_slot
    text_slot = text


cdef void set_interchange_slots(ToNumPySlot to_numpy, ExportSlot export, Construct construct) noexcept:
    global to_numpy_slot, export_slot
    to_numpy_slot, export_slot = to_numpy, export
    set_constructor(<PyTypeObject*>ndarray, "fastnp.ndarray", construct)


cdef void set_operator_slots(BinarySlot binary, InplaceSlot inplace, UnarySlot unary, CompareSlot compare) noexcept:
    global binary_slot, inplace_slot, unary_slot, compare_slot
    binary_slot, inplace_slot, unary_slot, compare_slot = binary, inplace, unary, compare


cdef void set_mapping_slots(GetItemSlot getitem, SetItemSlot setitem) noexcept:
    global getitem_slot, setitem_slot
    getitem_slot, setitem_slot = getitem, setitem


cdef str NEGATIVE_SHAPE = "negative dimensions are not allowed"
cdef str LARGE_SHAPE = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."

# Headers of dead arrays, each as a new one is. Cython's own free list would fill all of a header with zeros.
cdef PyObject* spare_headers[256]
cdef int spare = 0
cdef destructor destroy = (<PyTypeObject*>ndarray).tp_dealloc


cdef ndarray new_header():
    global spare
    cdef PyObject* header
    if spare == 0:
        return ndarray.__new__(ndarray)
    spare -= 1
    header = spare_headers[spare]
    header.ob_refcnt = 0  # returning it makes that one
    return <ndarray>header


cdef void bury(PyObject* dead) noexcept:
    """Take the header of an array that nobody refers to any more.

    Scalars are the commonest of the dead, and leave nothing behind.
    """
    global spare
    if dead.ob_type is <PyTypeObject*>ndarray and spare < 256 and (<ndarray>dead).header.holds_value() and not (
            has_weak_references(dead)) and (<ndarray>dead).base_ is None:
        memory.forget_value((<ndarray>dead).header)
        (<ndarray>dead).writeable_ = (<ndarray>dead).scalar_ = False
        spare_headers[spare] = dead
        spare += 1
    else:
        bury_array(dead)


cdef void bury_any(PyObject* dead) noexcept:
    global spare
    if dead.ob_type is not <PyTypeObject*>ndarray or spare == 256:
        destroy(dead)
        return
    clear_weak_references(dead)
    reset(dead)
    if spare == 256:  # the array that it was a view of died with it, and took the last place
        destroy(dead)
        return
    spare_headers[spare] = dead
    spare += 1


# By its address, so that the compiler leaves it out of the short way.
cdef destructor bury_array = bury_any


cdef inline void reset(PyObject* dead) noexcept:
    """Make a header as good as new."""
    memory.reset((<ndarray>dead).header)
    if (<ndarray>dead).base_ is not None:
        (<ndarray>dead).base_ = None
    (<ndarray>dead).flipped = 0
    (<ndarray>dead).writeable_ = (<ndarray>dead).scalar_ = False


(<PyTypeObject*>ndarray).tp_dealloc = bury


include "subclasses.pxi"


cdef ndarray allocate(int dtype, int ndim, const int64_t* shape, bint zeroed):
    return give_memory(new_header(), dtype, ndim, shape, zeroed)


cdef inline ndarray give_memory(ndarray array, int dtype, int ndim, const int64_t* shape, bint zeroed):
    cdef int64_t size = bytes_of_shape(dtype, ndim, shape)
    if size < 0:
        raise ValueError(NEGATIVE_SHAPE if size == -1 else LARGE_SHAPE)
    if not memory.allocate(array.header, dtype, ndim, shape, size, zeroed):
        raise _ArrayMemoryError(tuple([shape[axis] for axis in range(ndim)]), numpy_dtype(dtype))
    array.writeable_ = True
    return array


cdef ndarray new_array(int dtype, int ndim, const int64_t* shape):
    return allocate(dtype, ndim, shape, False)


cdef ndarray new_zeros(int dtype, int ndim, const int64_t* shape):
    return allocate(dtype, ndim, shape, True)


cdef ndarray new_scalar(int dtype):
    """Return an uninitialised 0-d array that stands for a NumPy scalar."""
    cdef ndarray array = new_header()
    array.header.hold_value(dtype)
    array.scalar_ = True
    return array


# The scalars True and False. Comparisons give each of the two again as long as it is a value and nothing else.
cdef PyObject* truths[2]


cdef ndarray truth_scalar(bint truth):
    cdef PyObject* kept = truths[truth]
    if kept is not NULL and (<ndarray>kept).header.holds_value():
        return <ndarray>kept
    return another_truth(truth)


cdef ndarray new_truth(bint truth):
    cdef ndarray scalar = new_scalar(BOOL)
    scalar.header.origin()[0] = truth
    Py_XDECREF(truths[truth])
    Py_INCREF(scalar)
    truths[truth] = <PyObject*>scalar
    return scalar


# By its address, as above.
ctypedef ndarray (*NewTruth)(bint)
cdef NewTruth another_truth = new_truth


cdef ndarray from_tensor(const Tensor& tensor):
    cdef ndarray array
    if index_of(tensor.scalar_type()) < 0:
        raise TypeError(f"fastnp arrays cannot hold a tensor of dtype {wrap(tensor).dtype}")
    if tensor.is_sparse():
        raise TypeError("fastnp arrays are dense: convert the sparse tensor with .to_dense() first")
    array = new_header()
    array.header.hold_tensor(tensor)
    array.writeable_ = True
    return array


cdef ndarray over_memory(object owner, char* origin, int dtype, int ndim, const int64_t* sizes, const int64_t* strides):
    """Return an array on memory that another Python object keeps; origin is the lowest address of an element."""
    cdef ndarray array = new_header()
    array.header.set_layout(dtype, ndim, sizes, strides)
    array.header.hold_memory_of(<PyObject*>owner, FOREIGN, origin)
    array.writeable_ = True
    return array


cdef ndarray alias(ndarray source):
    """Return another header on the same elements, without base, subclass and flags of the first."""
    cdef ndarray array = new_header()
    share(array, source)
    array.writeable_ = True
    return array


cdef int share(ndarray array, ndarray source) except -1:
    """Let a new header have the elements of another."""
    cdef PyObject* owner = source.header.memory_owner(<PyObject*>source)
    cdef char* value
    if source.header.has_tensor() or owner is NULL:
        array.header.hold_tensor(memory.tensor_of(source.header))
    elif source.header.holds_value():
        value = array.header.hold_value(source.header.dtype())
        memcpy(value, source.header.origin(), ITEMSIZES[source.header.dtype()])
    else:
        array.header.set_layout(
            source.header.dtype(), source.header.dim(), source.header.sizes(), source.header.strides())
        array.header.hold_memory_of(owner, OF_ARRAY, source.header.origin())
    return 0


cdef ndarray new_view(ndarray parent, const Tensor& tensor, uint64_t flipped):
    cdef ndarray array = new_header()
    array.header.hold_tensor(tensor)
    if parent.scalar_ and array.header.numel() == 1:
        set_tensor(array, unwrap(wrapped(array).clone()))
        return as_value(array, parent)
    return as_view(array, parent, flipped)


cdef ndarray as_value(ndarray array, ndarray scalar):
    """Return what a method of a scalar gives that would be a view: NumPy's scalars are values, and a view is of a copy."""
    array.scalar_ = array.header.dim() == 0
    array.writeable_ = not array.scalar_
    return as_type(array, type(scalar), scalar)


cdef ndarray base_of_views(ndarray parent):
    """Return the array whose memory views of `parent` are: NumPy collapses chains of arrays, not what lent the memory."""
    return parent.base_ if type(parent.base_) is ndarray or isinstance(parent.base_, ndarray) else parent


cdef inline ndarray as_view(ndarray array, ndarray parent, uint64_t flipped):
    array.flipped = flipped
    array.writeable_ = parent.writeable_
    array.base_ = parent if parent.base_ is None else base_of_views(parent)
    if type(parent) is not ndarray:
        return as_type(array, type(parent), parent)
    return array


cdef ndarray plain_view(
    ndarray parent, int ndim, const int64_t* sizes, const int64_t* strides, int64_t offset, uint64_t flipped
):
    """Return a view of a plain array: sizes, (non-negative) strides and the offset from its lowest element in elements."""
    cdef int dtype = parent.header.dtype()
    return plain_view_as(
        parent, dtype, ndim, sizes, strides, parent.header.origin() + offset * ITEMSIZES[dtype], flipped)


cdef ndarray plain_view_as(
    ndarray parent, int dtype, int ndim, const int64_t* sizes, const int64_t* strides, char* origin, uint64_t flipped
):
    """Return a view of a plain array's memory as elements of a dtype, the lowest at `origin`."""
    cdef PyObject* owner = parent.header.memory_owner(<PyObject*>parent)
    cdef ndarray array
    cdef int64_t offset
    if parent.scalar_ and bytes_of_shape(dtype, ndim, sizes) == ITEMSIZES[dtype]:
        array = new_scalar(dtype) if ndim == 0 else new_array(dtype, ndim, sizes)
        memcpy(array.header.origin(), origin, ITEMSIZES[dtype])
        return as_value(array, parent)
    array = new_header()
    if owner is not NULL and memory.lies_in_block(parent.header, header_of(owner)):
        array.header.set_layout(dtype, ndim, sizes, strides)
        array.header.hold_memory_of(owner, OF_ARRAY, origin)
    else:
        offset = tensor_of(parent).storage_offset() * ITEMSIZES[parent.header.dtype()] + (origin - parent.header.origin())
        array.header.hold_tensor(
            memory.view(tensor_of(parent)[0], dtype, sizes, strides, ndim, offset // ITEMSIZES[dtype]))
    return as_view(array, parent, flipped)


cdef tuple shape_tuple(ndarray array):
    return tuple_of_integers(array.header.sizes(), array.header.dim())


cdef int check_writeable(ndarray array, str what) except -1:
    if not array.writeable_:
        if array.scalar_:
            raise TypeError(f"'{scalar_type(array).__module__}.{scalar_type(array).__name__}' object does not support "
                            "item assignment")
        raise ValueError(f"{what} is read-only")
    return 0


cdef int check_settable(ndarray array, str name) except -1:
    if array.scalar_:
        raise AttributeError(f"attribute '{name}' of 'numpy.generic' objects is not writable")
    return 0


cdef object scalar_type(ndarray array):
    return numpy_dtype(dtype_of(array)).type


cdef const Tensor* tensor_of(ndarray array) except NULL:
    return &memory.tensor_of(array.header)


cdef object wrapped(ndarray array):
    return wrap(memory.tensor_of(array.header))


cdef int set_tensor(ndarray array, const Tensor& tensor) except -1:
    array.header.hold_tensor(tensor)
    return 0


cdef int make_ordinary(ndarray array) except -1:
    if array.header.holds_value():
        memory.move_value(array.header)
    array.scalar_ = False
    array.writeable_ = True
    return 0


cdef Tensor to_tensor(ndarray array) except *:
    if not array.flipped:
        return tensor_of(array)[0]
    axes = [axis for axis in range(array.header.dim()) if array.flipped >> axis & 1]
    if 4 <= dtype_of(array) <= 8 and not dtype_of(array) & 1:
        # torch flips no unsigned integers; their bits are as good
        signed = torch_dtype(dtype_of(array) - 1)
        return unwrap(wrapped(array).view(signed).flip(axes).view(torch_dtype(dtype_of(array))))
    return unwrap(torch.flip(wrapped(array), axes))


cdef object to_torch(ndarray array):
    return wrap(to_tensor(array)) if array.flipped else wrapped(array)


@cython.no_gc  # as NumPy's: what a header refers to never refers back
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

    # Attributes, in the order of NumPy's page.

    @property
    def shape(self):
        """Tuple of array dimensions. Assignment reshapes in place, and never copies."""
        return shape_tuple(self)

    @shape.setter
    def shape(self, value):
        check_settable(self, "shape")
        if self.flipped or not reshape_in_place(self.header, <PyObject*>value):
            set_shape(self, value)

    @shape.deleter
    def shape(self):
        raise AttributeError("Cannot delete array shape")

    @property
    def ndim(self):
        """Number of array dimensions."""
        return self.header.dim()

    @property
    def size(self):
        """Number of elements."""
        return self.header.checked_numel()

    @property
    def itemsize(self):
        """Length of one element in bytes."""
        return ITEMSIZES[dtype_of(self)]

    @property
    def nbytes(self):
        """Total bytes consumed by the elements."""
        return self.header.checked_numel() * ITEMSIZES[dtype_of(self)]

    @property
    def dtype(self):
        """The numpy.dtype of the elements."""
        return numpy_dtype(dtype_of(self))

    @dtype.setter
    def dtype(self, value):
        check_settable(self, "dtype")
        cdef ndarray view = self.view(numpy.dtype(value))
        if self.header.has_tensor() or view.header.has_tensor():
            set_tensor(self, tensor_of(view)[0])
        else:
            self.header.set_layout(view.header.dtype(), view.header.dim(), view.header.sizes(), view.header.strides())
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
        if <PyObject*>self is truths[0] or <PyObject*>self is truths[1]:
            return wrapped(alias(self))  # the scalar is not this caller's alone
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
        if self.header.dim() == 0:
            if self.scalar_:
                raise TypeError(f"object of type '{scalar_type(self).__module__}.{scalar_type(self).__name__}' has no len()")
            raise TypeError("len() of unsized object")
        return self.header.sizes()[0]

    def __iter__(self):
        if self.header.dim() == 0:
            if self.scalar_:
                raise TypeError(f"'{scalar_type(self).__module__}.{scalar_type(self).__name__}' object is not iterable")
            raise TypeError("iteration over a 0-d array")
        return PySeqIter_New(self)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if dtype_of(self) >= NUM_NUMPY_DTYPES:
            # NumPy would read raw bytes ("V2"); refused, it asks `__array__` and gets the dtype.
            raise BufferError(f"the buffer protocol has no format for {numpy_dtype(dtype_of(self))}")
        if not export_slot(self, buffer, flags):
            exporter = to_numpy_slot(self)
            Py_DECREF(None)  # what Cython has put into the buffer's owner, which is overwritten now
            PyObject_GetBuffer(exporter, buffer, flags)

    def __releasebuffer__(self, Py_buffer* buffer):
        PyMem_Free(buffer.internal)

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

    # Each operator is a slot's: arithmetic, in place, of one operand.
    def __add__(a, b): return binary_slot(OP_ADD, a, b)
    def __sub__(a, b): return binary_slot(OP_SUBTRACT, a, b)
    def __mul__(a, b): return binary_slot(OP_MULTIPLY, a, b)
    def __truediv__(a, b): return binary_slot(OP_TRUE_DIVIDE, a, b)
    def __floordiv__(a, b): return binary_slot(OP_FLOOR_DIVIDE, a, b)
    def __mod__(a, b): return binary_slot(OP_REMAINDER, a, b)
    def __divmod__(a, b): return binary_slot(OP_DIVMOD, a, b)

    def __pow__(a, b, modulo):
        if modulo is not None:
            return NotImplemented
        return binary_slot(OP_POWER, a, b)

    def __matmul__(a, b): return binary_slot(OP_MATMUL, a, b)
    def __and__(a, b): return binary_slot(OP_AND, a, b)
    def __or__(a, b): return binary_slot(OP_OR, a, b)
    def __xor__(a, b): return binary_slot(OP_XOR, a, b)
    def __lshift__(a, b): return binary_slot(OP_LSHIFT, a, b)
    def __rshift__(a, b): return binary_slot(OP_RSHIFT, a, b)

    def __iadd__(self, other): return inplace_slot(OP_ADD, self, other)
    def __isub__(self, other): return inplace_slot(OP_SUBTRACT, self, other)
    def __imul__(self, other): return inplace_slot(OP_MULTIPLY, self, other)
    def __itruediv__(self, other): return inplace_slot(OP_TRUE_DIVIDE, self, other)
    def __ifloordiv__(self, other): return inplace_slot(OP_FLOOR_DIVIDE, self, other)
    def __imod__(self, other): return inplace_slot(OP_REMAINDER, self, other)
    def __ipow__(self, other, modulo): return inplace_slot(OP_POWER, self, other)
    def __imatmul__(self, other): return inplace_slot(OP_MATMUL, self, other)
    def __iand__(self, other): return inplace_slot(OP_AND, self, other)
    def __ior__(self, other): return inplace_slot(OP_OR, self, other)
    def __ixor__(self, other): return inplace_slot(OP_XOR, self, other)
    def __ilshift__(self, other): return inplace_slot(OP_LSHIFT, self, other)
    def __irshift__(self, other): return inplace_slot(OP_RSHIFT, self, other)

    def __neg__(self): return unary_slot(OP_NEGATIVE, self)
    def __pos__(self): return unary_slot(OP_POSITIVE, self)
    def __abs__(self): return unary_slot(OP_ABSOLUTE, self)
    def __invert__(self): return unary_slot(OP_INVERT, self)

    def __bool__(self):
        cdef int64_t size
        cdef int truth
        if self.header.holds_value():
            truth = truth_of_scalar(self.header.value_dtype(), self.header.value())
            if truth >= 0:
                return truth
        size = self.header.checked_numel()
        if size == 1:
            return bool(item(self))
        if size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                             "array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __float__(self):
        if self.header.holds_value() and self.header.value_dtype() == FLOAT64:
            return (<double*>self.header.value())[0]
        return float(item(self) if self.header.dim() == 0 and dtype_of(self) <= 11 else as_numpy_value(self))

    def __int__(self):
        if self.header.holds_value() and self.header.value_dtype() == FLOAT64:
            return PyLong_FromDouble((<double*>self.header.value())[0])
        if self.header.dim() == 0 and dtype_of(self) <= 11:
            return int(item(self))
        return int(as_numpy_value(self))

    def __index__(self):
        if self.header.dim() != 0:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return item(self) if 1 <= dtype_of(self) <= 8 else operator.index(as_numpy_value(self))

    def __hash__(self):
        if self.scalar_:
            if self.header.holds_value() and self.header.value_dtype() == FLOAT64:
                return _Py_HashDouble(self, (<double*>self.header.value())[0])  # NaN's is that of the object
            return hash(item(self))
        raise TypeError(f"unhashable type: '{type(self).__module__}.{type(self).__name__}'")


cdef object item(ndarray array):
    """Return the only element as a Python scalar."""
    if array.header.has_host_memory():
        return read_item(data_of(array), dtype_of(array))
    return wrapped(array).item()


cdef object as_numpy_value(ndarray array):
    """Return NumPy's array or scalar in this array's stead, whose conversions and errors are NumPy's."""
    return to_numpy_slot(array)[()] if array.scalar_ else to_numpy_slot(array)


cdef ndarray transposed(ndarray array):
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef uint64_t flipped = 0
    cdef int axis, ndim = array.header.dim()
    if array.flipped:
        for axis in range(ndim):
            flipped |= (array.flipped >> axis & 1) << (ndim - 1 - axis)
    if array.header.is_plain() and thread_is_plain():
        for axis in range(ndim):
            sizes[axis] = array.header.sizes()[ndim - 1 - axis]
            strides[axis] = array.header.strides()[ndim - 1 - axis]
        return plain_view(array, ndim, sizes, strides, 0, flipped)
    # Modes have been asked; only a class may have something to say yet.
    if asks_no_class(tensor_of(array)[0]) and ndim <= 2:
        return new_view(array, tensor_of(array).t(), flipped)
    tensor = wrapped(array)
    return new_view(
        array, unwrap(tensor.t() if ndim <= 2 else torch.permute(tensor, tuple(range(ndim - 1, -1, -1)))), flipped)


cdef object set_shape(ndarray array, object value):
    """Reshape in place; AttributeError where that needs a copy, ValueError where the sizes differ."""
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    # NumPy computes the shape and its errors: a view on a stand-in of the same strides, which touches no memory.
    view = (to_numpy_slot(array) if array.header.has_host_memory() else numpy.broadcast_to(False, shape_tuple(array)).copy())[...]
    view.shape = value
    if array.flipped:
        raise AttributeError("an array with an axis that runs backwards cannot be reshaped in place. "
                             "Use `.reshape()` to make a copy with the desired shape.")
    if array.header.has_tensor():
        return set_tensor(array, unwrap(wrapped(array).view(view.shape)))
    for axis, (size, step) in enumerate(zip(view.shape, view.strides)):
        sizes[axis], strides[axis] = size, step // ITEMSIZES[dtype_of(array)]
    array.header.set_layout(dtype_of(array), <int>view.ndim, sizes, strides)


def set_attribute(str name not None, value):
    """Put a method, property or protocol entry into the class."""
    set_type_attribute(<PyTypeObject*>ndarray, sys.intern(name), value)


def block_counts():
    """Return what waits for reuse: cached blocks and their bytes, and the limit in bytes."""
    cdef MemoryCounts counts = memory.counts()
    return {"cached_blocks": counts.cached_blocks, "cached_bytes": counts.cached_bytes, "limit": counts.limit}


def clear_blocks():
    """Give every block that waits for reuse back to the system."""
    memory.clear()


def set_memory_limit(bytes):
    """Set how many bytes of freed blocks may wait for reuse; 0 switches recycling off."""
    memory.set_limit(operator.index(bytes))
