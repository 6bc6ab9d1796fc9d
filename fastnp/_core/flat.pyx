"""Iterators over elements in C order, whatever the layout: `a.flat`, `ndenumerate`, `broadcast`.

https://numpy.org/doc/2.4/reference/generated/numpy.flatiter.html
"""
cimport cython
from cpython.bool cimport PyBool_Check
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport INT64_MAX, int64_t, uint64_t

from fastnp._core.assign cimport ORDER_C, assign_value, copy_array, pack
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.host cimport take_over
from fastnp._core.interchange cimport to_numpy
from fastnp._core.mapping cimport getitem, scalar_of, setitem
from fastnp._core.ndarray cimport (
    MAXDIMS,
    check_writeable,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    new_view,
    nothing_listens_to_scalars,
    plain_view,
    shape_tuple,
    thread_is_plain,
    to_torch,
    wrapped,
)
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.views cimport same_memory

import numpy
import torch

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int* overflow)
    bint PyFloat_CheckExact(object)
    bint PySlice_Check(object)
    int PySlice_Unpack(object slice, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t* step) except -1
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t step) noexcept

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of_integers(const int64_t*, Py_ssize_t)

cdef extern from "moves.h" namespace "fastnp" nogil:
    void move_strided(int64_t item, char* into, int64_t into_step, const char* source, int64_t step, int64_t n)

cdef enum:
    MAXARGS = 64  # arrays that NumPy broadcasts at once
    FEW = 8192    # elements that are copied with the interpreter held


cdef inline bint is_plain(ndarray array) noexcept:
    return array.header.is_plain() and nothing_listens_to_scalars()


cdef bint is_readable(ndarray array) except -1:
    """Whether an array's elements are in host memory and carry no gradient."""
    if array.header.is_plain():
        return True
    tensor = wrapped(array)
    return type(tensor) is torch.Tensor and tensor.is_cpu and not tensor.requires_grad


cdef bint carries_gradient(object value) except -1:
    if isinstance(value, ndarray):
        return not (<ndarray>value).header.is_plain() and wrapped(value).requires_grad
    return getattr(value, "requires_grad", False)


cdef object plain_key(object key):
    """Return an index as NumPy takes it."""
    return to_numpy(as_array(key)) if isinstance(key, ndarray) or is_tensor(key) else key


cdef char* element_at(ndarray array, int64_t index) noexcept:
    """Return where element number `index` in C order lies."""
    cdef int64_t shape[64]
    cdef int64_t strides[64]
    cdef int axis, ndim
    cdef char* data = data_of(array)
    if is_c_contiguous(array):
        return data + index * ITEMSIZES[dtype_of(array)]
    ndim = fill_shape(array, shape)
    fill_strides(array, strides)
    for axis in range(ndim - 1, -1, -1):
        data += index % shape[axis] * strides[axis]
        index //= shape[axis]
    return data


cdef ndarray line_of(ndarray array):
    """Return an array in one piece as a view with one axis; None for others."""
    cdef int64_t size, stride = 1
    if type(array) is not ndarray or array.scalar_ or not thread_is_plain() or not is_plain(array) or not is_c_contiguous(array):
        return None
    size = array.header.checked_numel()
    return plain_view(array, 1, &size, &stride, 0, 0)


cdef inline bint is_part_of_line(object key) noexcept:
    """Whether a key means to a line what it means to `flat`, errors and all."""
    return PySlice_Check(key) or key is Ellipsis


cdef bint goes_over_unchanged(ndarray line, object value) noexcept:
    """Whether `flat` and a line take a value alike: a number, or a line of the same dtype that lies elsewhere."""
    cdef ndarray values
    if PyFloat_CheckExact(value) or PyLong_CheckExact(value) or PyBool_Check(value):
        return True
    if type(value) is not ndarray:
        return False
    values = <ndarray>value
    # NumPy: values that the assignment overwrites meanwhile are read as they are then.
    return values.header.is_plain() and values.header.dtype() == line.header.dtype() and values.header.dim() == 1 and (
        values.header.numel() == line.header.numel() and not same_memory(line, values))


cdef ndarray part_of(ndarray line, object key):
    """Return a copy of line[key], of an array of one dimension."""
    cdef Py_ssize_t start, stop, step, count
    cdef int64_t length
    cdef int itemsize = ITEMSIZES[line.header.dtype()]
    cdef int64_t apart = line.header.strides()[0] * (-itemsize if line.flipped else itemsize)
    cdef ndarray part
    if not PySlice_Check(key) or line.header.numel() > FEW:
        return copy_array(getitem(line, key), ORDER_C)
    PySlice_Unpack(key, &start, &stop, &step)
    count = PySlice_AdjustIndices(line.header.numel(), &start, &stop, step)
    length = count
    part = new_array(line.header.dtype(), 1, &length)
    move_strided(itemsize, part.header.origin(), itemsize, data_of(line) + start * apart, step * apart, count)
    return part


cdef bint read_index(object key, int64_t size, int64_t* index) except -1:
    """Whether a key is an int within bounds, and which element it names."""
    cdef int overflow = 0
    if not PyLong_CheckExact(key):
        return False
    index[0] = PyLong_AsLongLongAndOverflow(key, &overflow)
    if index[0] < 0:
        index[0] += size
    return not overflow and 0 <= index[0] < size


@cython.final
cdef class flatiter:
    """Iterator over an array's elements in C order, which can be indexed and assigned.

    Made by `a.flat`; NumPy: `numpy.flatiter`.
    """

    __array_priority__ = 0.0

    def __cinit__(self, ndarray array not None):
        self.base = array

    @property
    def coords(self):
        """Index of the next element, as a tuple."""
        cdef int64_t shape[64]
        cdef int64_t index = self.index
        cdef int axis, ndim = fill_shape(self.base, shape)
        cdef list coordinates = [0] * ndim
        # NumPy: after the last element, the first axis alone is counted on.
        for axis in range(ndim - 1, 0, -1):
            if shape[axis]:
                coordinates[axis] = index % shape[axis]
                index //= shape[axis]
        if ndim:
            coordinates[0] = index
        return tuple(coordinates)

    def __len__(self):
        return self.base.header.checked_numel()

    def __iter__(self):
        return self

    def __next__(self):
        cdef ndarray base = self.base
        if self.left > 0 and self.expected == self.index and is_plain(base) and self.start is data_of(base):
            self.place += self.step
            self.left -= 1
            self.index = self.expected = self.index + 1
            return scalar_of(dtype_of(base), self.place)
        if self.index >= base.header.checked_numel():
            raise StopIteration
        if is_plain(base):
            item = scalar_of(dtype_of(base), self.begin_line())
        else:
            item = getitem(self.base, self.coords)
        self.index += 1
        return item

    cdef char* begin_line(self) noexcept:
        """Return where the element at the index lies, from which the rest of its line is so many steps away."""
        cdef int ndim = self.base.header.dim()
        cdef int64_t last = self.base.header.sizes()[ndim - 1] if ndim else 1
        self.start, self.place = data_of(self.base), element_at(self.base, self.index)
        self.left = last - 1 - self.index % last
        self.step = self.base.header.strides()[ndim - 1] * ITEMSIZES[dtype_of(self.base)] if ndim else 0
        if ndim and self.base.flipped >> (ndim - 1) & 1:
            self.step = -self.step
        self.expected = self.index + 1
        return self.place

    def __getitem__(self, key):
        cdef int64_t index
        cdef ndarray line
        if is_plain(self.base) and read_index(key, self.base.header.checked_numel(), &index):
            return scalar_of(dtype_of(self.base), element_at(self.base, index))
        line = line_of(self.base) if is_part_of_line(key) else None
        if line is None and PySlice_Check(key) and is_plain(self.base) and thread_is_plain():
            if self.base.header.dim() == 1:
                line = self.base
            elif self.base.header.numel() <= FEW:
                line = line_of(copy_array(self.base, ORDER_C))
        if line is not None:
            return part_of(line, key)
        if is_readable(self.base):
            return take_over(to_numpy(self.base).flat[plain_key(key)])
        flat = self.base.reshape(-1)
        if key is Ellipsis or (type(key) is tuple and not key):
            return flat.copy()
        picked = flat[key]
        return picked.copy() if isinstance(key, slice) else picked

    def __setitem__(self, key, value):
        cdef int64_t index
        cdef ndarray line
        check_writeable(self.base, "underlying array")
        if is_plain(self.base) and (PyFloat_CheckExact(value) or PyLong_CheckExact(value)) and read_index(
                key, self.base.header.checked_numel(), &index):
            try:
                pack(element_at(self.base, index), dtype_of(self.base), value)
            except (OverflowError, ValueError):
                # NumPy: one error, whatever is wrong with the value; nothing has been written.
                raise ValueError("Error setting single item of array.") from None
            self.base.header.bump_version()
            return
        line = line_of(self.base) if is_part_of_line(key) else None
        if line is not None:
            line = getitem(line, key)
            if goes_over_unchanged(line, value):
                assign_value(line, value)
                return
        if is_readable(self.base) and not carries_gradient(value):
            to_numpy(self.base).flat[plain_key(key)] = to_numpy(value) if isinstance(value, ndarray) else value
            self.base.header.bump_version()
            return
        indices = numpy.arange(self.base.size)[plain_key(key)]
        values = as_array(value).reshape(-1)
        wanted = numpy.arange(indices.size) % max(values.size, 1)
        setitem(self.base, numpy.unravel_index(indices.reshape(-1), self.base.shape), values[wanted])

    def __delitem__(self, key):
        raise TypeError("Cannot delete iterator elements")

    @classmethod
    def assign(cls, array, value):
        """Set all elements from a value that is repeated as often as needed: `a.flat = value`."""
        cls(array)[...] = value

    def __array__(self, dtype=None, /, *, copy=None):
        return numpy.asarray(self.copy(), dtype)

    def copy(self):
        """Return the elements as a new one-dimensional array."""
        return self.base.flatten()

    def __eq__(self, other):
        return self.copy() == other

    def __ne__(self, other):
        return self.copy() != other

    def __lt__(self, other):
        return self.copy() < other

    def __le__(self, other):
        return self.copy() <= other

    def __gt__(self, other):
        return self.copy() > other

    def __ge__(self, other):
        return self.copy() >= other


cdef class ndenumerate:
    """Iterator over the indices and the values of an array, in C order.

    Parameters
    ----------
    arr : array_like
        The array.
    """

    #: Iterator over the values alone.
    cdef readonly flatiter iter

    def __init__(self, arr):
        self.iter = flatiter(as_array(arr))

    def __iter__(self):
        return self

    def __next__(self):
        index = self.iter.coords
        return index, next(self.iter)


cdef ndarray stretched(ndarray array, int ndim, const int64_t* shape):
    """Return a view of an array that broadcasts to a shape."""
    cdef int64_t strides[MAXDIMS]
    cdef uint64_t flipped = 0
    cdef int axis, first = ndim - array.header.dim()
    if not is_plain(array) or array.scalar_:
        return new_view(array, unwrap(torch.broadcast_to(to_torch(array), tuple_of_integers(shape, ndim))), 0)
    for axis in range(ndim):
        strides[axis] = 0
        if axis >= first and array.header.sizes()[axis - first] == shape[axis]:
            strides[axis] = array.header.strides()[axis - first]
            flipped |= (array.flipped >> (axis - first) & 1) << axis
    return plain_view(array, ndim, shape, strides, 0, flipped)


cdef class broadcast:
    """What arrays broadcast to: its shape, and an iterator over tuples of their elements.

    NumPy: `numpy.broadcast`.

    Parameters
    ----------
    *args : array_like
        The arrays, 64 at most; what another `broadcast` is of counts as well.

    Raises
    ------
    ValueError
        If there are more, or if their shapes do not broadcast.
    """

    #: Shape that the arrays broadcast to.
    cdef readonly tuple shape
    #: Numbers of elements, of elements given so far, and of axes.
    cdef readonly int64_t size, index
    cdef readonly int nd
    cdef tuple arrays, iterators

    def __init__(self, *args):
        cdef int64_t shape[MAXDIMS]
        cdef list arrays = []
        for arg in args:
            if isinstance(arg, broadcast):
                arrays += (<broadcast>arg).arrays
            else:
                arrays.append(as_array(arg))
        if len(arrays) > MAXARGS:
            raise ValueError(f"Need at least 0 and at most {MAXARGS} array objects.")
        cdef ndarray array
        cdef int axis, first, ndim = 0
        cdef int64_t length, size = 1
        for array in arrays:
            ndim = max(ndim, <int>array.header.dim())
        for axis in range(ndim):
            shape[axis] = 1
        for array in arrays:
            first = ndim - array.header.dim()
            for axis in range(first, ndim):
                length = array.header.sizes()[axis - first]
                if shape[axis] == 1:
                    shape[axis] = length
                elif length != 1 and length != shape[axis]:
                    numpy.broadcast_shapes(*[shape_tuple(array) for array in arrays])  # raises, and says which
        for axis in range(ndim):
            if shape[axis] and size > INT64_MAX // shape[axis]:
                raise ValueError("broadcast dimensions too large.")
            size *= shape[axis]
        self.shape, self.size, self.nd, self.index = tuple_of_integers(shape, ndim), size, ndim, 0
        self.arrays, self.iterators = tuple(arrays), None

    @property
    def ndim(self):
        """Number of axes of the shape."""
        return self.nd

    @property
    def numiter(self):
        """Number of arrays."""
        return len(self.arrays)

    @property
    def iters(self):
        """Iterators over the elements of each array as it is broadcast."""
        cdef int64_t shape[MAXDIMS]
        cdef int axis
        if self.iterators is None:
            for axis in range(self.nd):
                shape[axis] = self.shape[axis]
            self.iterators = tuple([flatiter(stretched(array, self.nd, shape)) for array in self.arrays])
        return self.iterators

    def reset(self):
        """Start again from the first elements."""
        self.index, self.iterators = 0, None

    def __iter__(self):
        return self

    def __next__(self):
        if self.index >= self.size:
            raise StopIteration
        items = tuple([next(iterator) for iterator in self.iters])
        self.index += 1
        return items
