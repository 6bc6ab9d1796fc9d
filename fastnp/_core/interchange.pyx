"""Arrays and NumPy's arrays on the same memory, both ways, and `ndarray(...)` itself."""
cimport numpy as cnp
from cpython.buffer cimport PyBUF_FULL, PyBUF_FULL_RO, PyBUF_SIMPLE, PyBUF_WRITABLE
from cpython.mem cimport PyMem_Malloc
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.dtype cimport ITEMSIZES, dtype_index, index_of_numpy, numpy_dtype
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    MAXDIMS,
    alias,
    as_type,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    from_tensor,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    over_memory,
    set_interchange_slots,
    tensor_of,
    transposed,
    wrapped,
)
from fastnp._core.torch_tensor cimport is_tensor, unwrap, wrap

import operator

import numpy

cnp.import_array()

cdef extern from "Python.h":
    bint PyObject_CheckBuffer(object)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)

cdef extern from *:
    """
    static PyObject* fastnp_array_over(PyObject* owner, PyObject* dtype, int ndim, const int64_t* shape,
                                       const int64_t* strides, char* data, int flags) {
      Py_INCREF(dtype);  // stolen below
      PyObject* array = PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr*)dtype, ndim, (npy_intp*)shape,
                                             (npy_intp*)strides, data, flags, NULL);
      if (array == NULL) return NULL;
      PyArray_UpdateFlags((PyArrayObject*)array, NPY_ARRAY_UPDATE_ALL);
      Py_INCREF(owner);  // stolen below
      if (PyArray_SetBaseObject((PyArrayObject*)array, owner) < 0) {
        Py_DECREF(array);
        return NULL;
      }
      return array;
    }
    """
    object numpy_array_over "fastnp_array_over"(
        object owner, object dtype, int ndim, const int64_t* shape, const int64_t* strides, char* data, int flags
    )

cdef bint host_copies_allowed = False


cdef Tensor host_tensor(ndarray array) except *:
    """Return a tensor with the array's layout whose elements can be read here; TypeError where that means a copy."""
    cdef Tensor tensor = tensor_of(array)[0]
    if has_host_memory(tensor):
        return tensor
    if not tensor.is_cpu():
        # A number is read, as by float().
        if not (host_copies_allowed or tensor.dim() == 0) or wrap(tensor).device.type == "meta":
            raise TypeError(
                f"an array on device {wrap(tensor).device} is not copied to the host by itself: move it with "
                ".to_device('cpu'), or allow such copies with fastnp.set_transfer('allow')"
            )
        return unwrap(wrap(tensor).detach().cpu().resolve_conj().resolve_neg())
    return unwrap(wrap(tensor).detach().resolve_conj().resolve_neg())


cdef object to_numpy(ndarray array):
    """Return a NumPy array on the same memory (gradients are left behind, as `Tensor.detach` does)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef ndarray host = array
    cdef int ndim, flags = cnp.NPY_ARRAY_WRITEABLE
    if not array.header.has_host_memory():
        host = from_tensor(host_tensor(array))
        host.flipped = array.flipped
        # What would be written to a copy of another device's memory would be lost.
        host.writeable_ = array.writeable_ and tensor_of(array)[0].is_cpu()
        if not host.header.has_host_memory():
            raise TypeError(f"{type(wrapped(host)).__name__} has no memory that NumPy could read")
    ndim = fill_shape(host, shape)
    fill_strides(host, strides)
    dtype = numpy_dtype(dtype_of(host))
    if not host.writeable_:
        flags = 0
    return numpy_array_over(host, dtype, ndim, shape, strides, data_of(host), flags)


cdef bint is_numpys(object value) except -1:
    return type(value) is cnp.ndarray and index_of_numpy((<cnp.ndarray>value).dtype) >= 0


cdef ndarray from_numpy(object source):
    """Return an array on a NumPy array's memory; a copy only where a tensor cannot describe it."""
    cdef cnp.ndarray origin = source
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef uint64_t flipped = 0
    cdef int dtype, axis, ndim
    cdef int64_t itemsize, extent
    cdef char* data
    cdef ndarray array
    descriptor = origin.dtype
    dtype = index_of_numpy(descriptor)
    if dtype < 0:
        if descriptor.isnative:
            dtype_index(descriptor)
        origin = source.astype(descriptor.newbyteorder("="))
        dtype = dtype_index(origin.dtype)
    itemsize = ITEMSIZES[dtype]
    ndim = origin.ndim
    for axis in range(ndim):
        if origin.strides[axis] % itemsize:
            origin = numpy.ascontiguousarray(origin)
            break
    if not cnp.PyArray_ISALIGNED(origin):
        origin = origin.copy()
    data = <char*>cnp.PyArray_DATA(origin)
    extent = itemsize
    for axis in range(ndim):
        shape[axis] = origin.shape[axis]
        strides[axis] = origin.strides[axis] // itemsize
        if shape[axis] == 0:
            extent = 0
    for axis in range(ndim):
        if extent == 0 or shape[axis] == 1:
            strides[axis] = strides[axis] if strides[axis] > 0 else 1
        if strides[axis] < 0:
            flipped |= <uint64_t>1 << axis
            data += (shape[axis] - 1) * strides[axis] * itemsize
            strides[axis] = -strides[axis]
        if extent:
            extent += (shape[axis] - 1) * strides[axis] * itemsize
    array = over_memory(origin, data, dtype, ndim, shape, strides)
    array.flipped = flipped
    array.writeable_ = cnp.PyArray_ISWRITEABLE(origin)
    array.base_ = origin
    return array


cdef object construct(PyTypeObject* cls, PyObject* args, PyObject* kwargs):
    array = construct_array(*<tuple>args, **(<dict>kwargs if kwargs is not NULL else {}))
    return as_type(array, <type><object>cls, None)


def construct_array(shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
    """Return `ndarray(shape, dtype, buffer, offset, strides, order)`, NumPy checking the arguments."""
    cdef int index = dtype_index(dtype)
    if buffer is None and strides is None:
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
        return empty(shape, index, order == "F")
    return from_numpy(numpy.ndarray(shape, numpy_dtype(index), buffer, offset, strides, order))


cdef ndarray empty(tuple shape, int dtype, bint fortran):
    cdef int64_t sizes[MAXDIMS]
    cdef int axis, ndim = <int>len(shape)
    if ndim > MAXDIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is currently {MAXDIMS}, found {ndim}")
    for axis in range(ndim):
        sizes[ndim - 1 - axis if fortran else axis] = shape[axis]
    cdef ndarray array = new_array(dtype, ndim, sizes)
    if not fortran:
        return array
    array = transposed(array)
    array.base_ = None
    return array


# The buffer protocol's names of our dtypes.
cdef const char* FORMATS[14]
FORMATS[:] = [b"?", b"b", b"B", b"h", b"H", b"i", b"I", b"l", b"L", b"e", b"f", b"d", b"Zf", b"Zd"]


cdef bint export(ndarray array, Py_buffer* buffer, int flags) except -1:
    """Describe the memory of a plain array for who takes it as it lies; False where NumPy answers, or says why not."""
    cdef ndarray owner
    cdef int axis, ndim = array.header.dim(), dtype = dtype_of(array)
    cdef Py_ssize_t step = ITEMSIZES[dtype]
    cdef bint bytes_alone = flags & ~PyBUF_WRITABLE == PyBUF_SIMPLE
    if ndim == 0 or array.scalar_ or not array.header.is_plain():
        return False
    # The orders in which elements have to lie are bits beside that of strides. Who asks for bytes alone has them in C's.
    if bytes_alone:
        if array.flipped or not is_c_contiguous(array):
            return False
    elif flags & ~(PyBUF_FULL | PyBUF_WRITABLE) or flags & PyBUF_FULL_RO != PyBUF_FULL_RO:
        return False
    if flags & PyBUF_WRITABLE and not array.writeable_:
        return False
    owner = alias(array)  # whatever the array changes to (`resize`, `__setstate__`)
    owner.flipped = array.flipped
    buffer.buf = data_of(owner)
    buffer.itemsize = ITEMSIZES[dtype]
    buffer.len = owner.header.numel() * buffer.itemsize
    buffer.readonly = not array.writeable_
    buffer.suboffsets = NULL
    if bytes_alone:
        buffer.ndim = 1
        buffer.internal = buffer.shape = buffer.strides = NULL
        buffer.format = NULL
        buffer.obj = owner
        return True
    buffer.internal = PyMem_Malloc(2 * ndim * sizeof(Py_ssize_t))
    if buffer.internal is NULL:
        raise MemoryError()
    buffer.shape = <Py_ssize_t*>buffer.internal
    buffer.strides = buffer.shape + ndim
    fill_shape(owner, <int64_t*>buffer.shape)
    fill_strides(owner, <int64_t*>buffer.strides)
    # NumPy: of what is contiguous, steps along axes of length 1 are written as others would compute them.
    if is_c_contiguous(owner):
        for axis in range(ndim - 1, -1, -1):
            buffer.strides[axis] = step
            step *= buffer.shape[axis]
    elif is_f_contiguous(owner):
        for axis in range(ndim):
            buffer.strides[axis] = step
            step *= buffer.shape[axis]
    buffer.format = <char*>FORMATS[dtype]
    buffer.ndim = ndim
    buffer.obj = owner
    return True


cdef object export_to_numpy(ndarray array):
    """Return a NumPy array that owns the memory itself, whatever the array changes to (`resize`, `__setstate__`)."""
    cdef ndarray owner = alias(array)
    owner.flipped = array.flipped
    owner.writeable_ = array.writeable_
    owner.scalar_ = array.scalar_
    return to_numpy(owner)


cpdef object on_host(ndarray array):
    """Return a NumPy array of the elements of an array on any device, where somebody asks for them: to print or save."""
    if tensor_of(array)[0].is_cpu():
        return export_to_numpy(array)
    return to_numpy(from_tensor(unwrap((<object>array).tensor.detach().cpu())))


cdef str NOT_NUMPYS = "object __array__ method not producing an array"


cdef class readable_by_numpy:
    """A foreign object as NumPy may ask it for its array: what its `__array__` gives, NumPy gets as NumPy's."""
    cdef object given

    def __getattr__(self, str name):
        return getattr(self.given, name)

    def __array__(self, *args, **kwargs):
        result = self.given.__array__(*args, **kwargs)
        return to_numpy(result) if isinstance(result, ndarray) else result


cdef object readable(object value):
    cdef readable_by_numpy reader
    cdef object kind = type(value)
    if not hasattr(kind, "__array__") or isinstance(value, (cnp.ndarray, numpy.generic)) or (
            hasattr(value, "__array_interface__") or hasattr(value, "__array_struct__") or PyObject_CheckBuffer(value)):
        return value
    reader = readable_by_numpy.__new__(readable_by_numpy)
    reader.given = value
    return reader


set_interchange_slots(export_to_numpy, export, construct)


def set_transfer(policy):
    """Say whether an array on another device may be copied to the host where NumPy has to compute.

    Parameters
    ----------
    policy : {"refuse", "allow"}
        "refuse", the default, raises a TypeError that names the array's device.

    Raises
    ------
    ValueError
        `policy` is neither.
    """
    global host_copies_allowed
    if policy not in ("refuse", "allow"):
        raise ValueError(f"policy must be 'refuse' or 'allow', not {policy!r}")
    host_copies_allowed = policy == "allow"


def as_numpy(ndarray array not None):
    """Return a NumPy array on the same memory, for the Python floors."""
    return export_to_numpy(array)


def as_array(source):
    """Return an array on the memory of a torch.Tensor or numpy.ndarray, without a copy."""
    if isinstance(source, numpy.ndarray):
        return from_numpy(source)
    if not is_tensor(source):
        raise TypeError(f"source must be a torch.Tensor or numpy.ndarray, not {type(source).__name__}")
    return from_tensor(unwrap(source))
