# distutils: define_macros=NPY_TARGET_VERSION=NPY_2_0_API_VERSION
"""Values into arrays: with broadcasting and casts, and into new arrays.

Plain arrays are copied by copies.h; all others by `Tensor.copy_`, so that autograd, transforms and
modes see an ordinary operation.
"""
cimport numpy as cnp
from cpython.complex cimport PyComplex_AsCComplex
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.aten cimport is_direct
from fastnp._core.converters cimport as_array
from fastnp._core.copies cimport assign_few, cast_block, check_complex, copy_cast, copy_same_block
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT64,
    index_of_numpy,
    is_in_range,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.engine cimport RELEASE_FROM, Operand, fill_items, may_overlap, same_layout
from fastnp._core.interchange cimport from_numpy, to_numpy
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.loops cimport fill_operand, is_safe
from fastnp._core.ndarray cimport (
    Header,
    data_of,
    dtype_of,
    fill_shape,
    fill_strides,
    from_tensor,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    set_tensor,
    shape_tuple,
    tensor_of,
    thread_is_plain,
    to_torch,
    wrapped,
)
from fastnp._core.operands cimport to_numpy_deep
from fastnp._core.numpy_scalars cimport dtype_of_scalar, held_scalar, value_of_scalar
from fastnp._core.sequences cimport holds_tensors, listed, of_sequence
from fastnp._core.single_calls cimport cast_single, copy_single, is_single
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.views cimport Layout, as_movable, as_moved, flipped_axes, is_plain, restrided, same_memory

import numpy
import torch

cnp.import_array()

cdef extern from "aten.h" namespace "fastnp":
    bint is_same_view(const Tensor&, const Tensor&) except +
    void copy_direct(const Tensor& into, const Tensor& values) except +translate_torch_error

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided)(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef enum:
    FEW_NUMBERS = 64  # of a list that are packed without an array of their own


# --- arrays into arrays -----------------------------------------------------------------------------------------------

cdef object shape_text(int ndim, const int64_t* shape):
    """Return a shape as NumPy's messages spell it: "(3,)", "(2,3)"."""
    cdef int axis
    if ndim == 1:
        return f"({shape[0]},)"
    return "(" + ",".join([str(shape[axis]) for axis in range(ndim)]) + ")"


cdef int check_broadcast(ndarray destination, ndarray source) except -1:
    """Return the source's leading axes of length 1 to drop; ValueError where it does not fit."""
    cdef int64_t into[64]
    cdef int64_t shape[64]
    cdef int ndim = fill_shape(destination, into)
    cdef int source_ndim = fill_shape(source, shape)
    cdef int dropped = 0, axis
    while source_ndim - dropped > ndim and shape[dropped] == 1:
        dropped += 1
    cdef int shift = ndim - (source_ndim - dropped)
    cdef bint fits = shift >= 0
    if fits:
        for axis in range(source_ndim - dropped):
            if shape[dropped + axis] != 1 and shape[dropped + axis] != into[shift + axis]:
                fits = False
    if not fits:
        given = shape_text(source_ndim - dropped, shape + dropped)
        raise ValueError(f"could not broadcast input array from shape {given} into shape {shape_text(ndim, into)}")
    return dropped


cdef void drop_axes(Operand* operand, int count) noexcept:
    """Forget the first axes."""
    operand.ndim -= count
    for axis in range(operand.ndim):
        operand.shape[axis] = operand.shape[axis + count]
        operand.strides[axis] = operand.strides[axis + count]


cdef bint fill_with_element(ndarray destination, ndarray source) except -1:
    """Write the one element of an array into all of a block; False where there is none or it is large."""
    cdef char item[16]
    cdef int dtype = dtype_of(destination)
    cdef int64_t size = destination.header.numel()
    if not 0 < size < RELEASE_FROM or dtype >= NUM_NUMPY_DTYPES or not is_c_contiguous(destination):
        return False
    cast_block(item, dtype, data_of(source), dtype_of(source), 1)
    fill_items(ITEMSIZES[dtype], data_of(destination), item, size)
    return True


cdef int assign(ndarray destination, ndarray source) except -1:
    cdef Operand into, values
    cdef Header* impl = &destination.header
    cdef int dropped, dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef bint plain = is_plain(destination) and source.header.is_plain() and (
        dtype == source_dtype or (dtype < NUM_NUMPY_DTYPES and source_dtype < NUM_NUMPY_DTYPES))
    if plain and (assign_few(destination, source) or source.header.dim() == 0 and fill_with_element(destination, source)):
        impl.bump_version()
        return 0
    dropped = check_broadcast(destination, source)
    if not plain:
        return assign_general(destination, source, dropped)
    if impl.numel() == 0:
        return check_complex(dtype, source_dtype)
    if copy_same_block(destination, source):
        impl.bump_version()
        return 0
    fill_operand(&into, destination)
    fill_operand(&values, source)
    drop_axes(&values, dropped)
    if may_overlap(into, values):
        if same_layout(into, values):
            impl.bump_version()
            return 0
        source = copy_array(source, ORDER_K)
        fill_operand(&values, source)
        drop_axes(&values, dropped)
    copy_cast(&into, &values, impl.numel())
    impl.bump_version()
    return 0


cdef int join_autograd(ndarray destination) except -1:
    # A plain view is no view to autograd: gradients of what is written into it would not reach its base.
    cdef ndarray base
    if not destination.header.is_plain() or not isinstance(destination.base_, ndarray):
        return 0
    base = destination.base_
    if not same_memory(base, destination) or dtype_of(base) != dtype_of(destination):
        return 0
    view = wrapped(destination)
    set_tensor(destination, unwrap(wrapped(base).as_strided(view.shape, view.stride(), view.storage_offset())))
    return 0


cdef int assign_general(ndarray destination, ndarray source, int dropped) except -1:
    cdef const Tensor* into
    cdef const Tensor* given
    check_complex(dtype_of(destination), dtype_of(source))
    if not source.header.is_plain():
        join_autograd(destination)
    if thread_is_plain() and not (dropped or destination.flipped or source.flipped):
        into, given = tensor_of(destination), tensor_of(source)
        if same_memory(source, destination):
            if is_same_view(into[0], given[0]):
                return 0  # the last step of `a[1:] += b`
        elif given.dim() > 0 and is_direct(into[0]) and is_direct(given[0]):
            copy_direct(into[0], given[0])
            return 0
    values = to_torch(source)
    if same_memory(source, destination):
        # NumPy: what is read is what was there before the write.
        values = values.clone()
    if dropped:
        values = values.reshape(shape_tuple(source)[dropped:])
    if destination.flipped:
        whole = as_movable(values.broadcast_to(shape_tuple(destination)))
        values = as_moved(whole.flip(flipped_axes(destination)), values.dtype)
    if values.dim() == 0 and source.header.is_plain() and not tensor_of(destination)[0].is_cpu() and (
            dtype_of(source) != UINT64):
        # torch: copy_ would bring the number to the device once for each element.
        wrapped(destination).fill_(values)
        return 0
    wrapped(destination).copy_(values)
    return 0


# --- scalars into arrays ----------------------------------------------------------------------------------------------

cdef bint pack_real(char* data, int dtype, double value) noexcept:
    """Write what Python's float becomes; False where NumPy has to say so."""
    if dtype == FLOAT64 or dtype == COMPLEX128:
        (<double*>data)[0] = value
        if dtype == COMPLEX128:
            (<double*>data)[1] = 0
    elif dtype == FLOAT32 or dtype == COMPLEX64:
        # What overflows or is rounded to a subnormal number may be warned of.
        if not (-3e38 < value < 3e38 and not -1e-37 < value < 1e-37 or value == 0):
            return False
        (<float*>data)[0] = <float>value
        if dtype == COMPLEX64:
            (<float*>data)[1] = 0
    elif dtype == FLOAT16:
        if not (-65000 < value < 65000 and not -1e-4 < value < 1e-4 or value == 0):
            return False
        find_cast(FLOAT16, FLOAT64)(data, 0, <const char*>&value, 0, 1)
    elif dtype == BOOL:
        data[0] = value != 0
    else:
        return INT8 <= dtype <= UINT64 and -9e18 < value < 9e18 and pack_integer(data, dtype, <int64_t>value)
    return True


cdef bint pack_integer(char* data, int dtype, int64_t value) noexcept:
    """Write what Python's int becomes; False where NumPy has to say so."""
    if dtype == INT64:
        (<int64_t*>data)[0] = value
    elif INT8 <= dtype <= UINT64:
        if not is_in_range(dtype, value):
            return False
        find_cast(dtype, INT64)(data, 0, <const char*>&value, 0, 1)
    elif dtype == BOOL:
        data[0] = value != 0
    else:
        return pack_real(data, dtype, <double>value)
    return True


cdef bint pack_number(char* data, int dtype, int source, const char* value) noexcept:
    """Write what the number that a scalar holds becomes; False where NumPy has to say so."""
    cdef double real = 0
    cdef int64_t integer = 0
    if FLOAT16 <= source <= FLOAT64:
        find_cast(FLOAT64, source)(<char*>&real, 0, value, 0, 1)
        return pack_real(data, dtype, real)
    if source < UINT64:
        find_cast(INT64, source)(<char*>&integer, 0, value, 0, 1)
        return pack_integer(data, dtype, integer)
    return False


cdef int pack(char* data, int dtype, object value) except -1:
    cdef int64_t integer
    cdef int overflow = 0
    kind = type(value)
    # numpy.float64 is a float as well
    if kind is float or dtype == FLOAT64 and isinstance(value, float):
        if pack_real(data, dtype, PyFloat_AS_DOUBLE(value)):
            return 0
    elif kind is int or kind is bool:
        integer = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow and pack_integer(data, dtype, integer):
            return 0
        if overflow and dtype == INT64:
            raise OverflowError("Python int too large to convert to C long")
    elif kind is complex and (dtype == COMPLEX128 or dtype == COMPLEX64):
        number = PyComplex_AsCComplex(value)
        if dtype == COMPLEX128:
            (<double*>data)[0], (<double*>data)[1] = number.real, number.imag
            return 0
        if pack_real(data, FLOAT32, number.real) and pack_real(data + 4, FLOAT32, number.imag):
            return 0
    elif dtype_of_scalar(value) >= 0:
        if not INT8 <= dtype <= UINT64 or dtype_of_scalar(value) == dtype:
            return pack_element(data, dtype, held_scalar(value))
        # An integer dtype takes scalars of other dtypes as Python's numbers: what does not fit is an error.
        if pack_number(data, dtype, dtype_of_scalar(value), value_of_scalar(value)):
            return 0
    return pack_by_numpy(data, dtype, value)


cdef int pack_by_numpy(char* data, int dtype, object value) except -1:
    """Let NumPy pack the value into an element of its own, with its conversions, warnings and errors."""
    cdef cnp.ndarray element = numpy.empty(1, numpy_dtype(dtype))
    if isinstance(value, ndarray):
        value = to_numpy(value)
    elif is_tensor(value):
        value = to_numpy(from_tensor(unwrap(value)))
    element[0] = value
    memcpy(data, cnp.PyArray_DATA(element), ITEMSIZES[dtype])
    return 0


cdef int pack_element(char* data, int dtype, ndarray source) except -1:
    cdef int source_dtype = dtype_of(source)
    if dtype == source_dtype:
        memcpy(data, data_of(source), ITEMSIZES[dtype])
        return 0
    if dtype >= NUM_NUMPY_DTYPES or source_dtype >= NUM_NUMPY_DTYPES:
        return pack_by_numpy(data, dtype, source)
    return cast_block(data, dtype, data_of(source), source_dtype, 1)


cdef inline bint is_safe_element(object value, int dtype) noexcept:
    """Whether a value is an element of ours that any number of a dtype can be."""
    return type(value) is ndarray and (<ndarray>value).header.is_plain() and (<ndarray>value).header.dim() == 0 and (
        dtype_of(<ndarray>value) == dtype or is_safe(dtype_of(<ndarray>value), dtype))


cdef bint pack_numbers(char* into, int dtype, object values, int64_t size) except -1:
    """Write the `size` numbers of a list side by side; False, before any is written, where a member is something else."""
    cdef int64_t place
    for value in values:
        kind = type(value)
        if not (kind is float or kind is int or kind is bool or kind is complex or is_safe_element(value, dtype) or (
                dtype_of_scalar(value) >= 0)):
            return False
    for place in range(size):
        value = values[place]
        if type(value) is ndarray:
            # Warnings run Python: the member may be another one by now.
            if not is_safe_element(value, dtype):
                raise RuntimeError("the list has changed while its numbers were read")
            pack_element(into, dtype, value)
        else:
            pack(into, dtype, value)
        into += ITEMSIZES[dtype]
    return True


cdef ndarray packed_numbers(int dtype, object values):
    """Return the numbers of a list or tuple as an array; None where a member is something else."""
    cdef int64_t size = len(values)
    cdef ndarray array
    if dtype >= NUM_NUMPY_DTYPES:
        return None
    array = new_array(dtype, 1, &size)
    return array if pack_numbers(data_of(array), dtype, values, size) else None


cdef ndarray constant(object array):
    """Return NumPy's array as an operand: under a mode by torch.tensor, which modes know as the birth of a constant."""
    if thread_is_plain() or array.dtype.num > 23:
        return from_numpy(array)
    return from_tensor(unwrap(torch.tensor(array)))


cdef ndarray as_value(ndarray destination, object value):
    cdef ndarray array
    cdef int dtype = dtype_of(destination)
    if isinstance(value, ndarray):
        return value
    if is_tensor(value):
        return from_tensor(unwrap(value))
    if isinstance(value, cnp.ndarray):
        if index_of_numpy((<cnp.ndarray>value).dtype) >= 0:
            return from_numpy(value)
        return from_numpy(value.astype(numpy_dtype(dtype)))
    if isinstance(value, (list, tuple)):
        array = packed_numbers(dtype, value) if thread_is_plain() else None
        if array is not None:
            return array
        if holds_tensors(value):
            return as_array(value)
        # NumPy packs each member as the destination's dtype: an integer that does not fit is an error.
        return constant(numpy.asarray(value, numpy_dtype(dtype)))
    if isinstance(value, (bool, int, float, complex, numpy.generic, str)):
        array = new_array(dtype, 0, NULL)
        pack(data_of(array), dtype, value)
        return array if thread_is_plain() else constant(to_numpy(array))
    if not is_array_like(value):
        return constant(numpy.asarray(value, numpy_dtype(dtype)))
    return as_array(value)


cdef bint is_array_like(object value) except -1:
    """Whether an object offers its elements by one of the protocols that `as_array` knows."""
    for protocol in ("__array__", "__dlpack__", "__cuda_array_interface__", "__array_interface__"):
        if hasattr(value, protocol):
            return True
    return False


cdef int fill(ndarray destination, object value) except -1:
    """Write one Python number into all elements of a plain array."""
    cdef Operand into, source
    cdef char item[16]
    cdef int dtype = dtype_of(destination)
    cdef int64_t size = destination.header.numel()
    pack(item, dtype, value)
    if size < RELEASE_FROM and is_c_contiguous(destination):
        fill_items(ITEMSIZES[dtype], data_of(destination), item, size)
    elif size:
        fill_operand(&into, destination)
        source.data = item
        source.type = dtype
        source.ndim = 0
        copy_cast(&into, &source, size)
    destination.header.bump_version()
    return 0


cdef bint assign_numbers(ndarray destination, object values) except -1:
    """Pack few numbers into a line of as many elements of a plain array; False where that is not so."""
    cdef char packed[FEW_NUMBERS * 16]
    cdef int dtype = dtype_of(destination), itemsize = ITEMSIZES[dtype]
    cdef int64_t step, size = len(values)
    if destination.header.dim() != 1 or destination.header.numel() != size or size > FEW_NUMBERS or dtype >= NUM_NUMPY_DTYPES:
        return False
    if not pack_numbers(packed, dtype, values, size):
        return False
    fill_strides(destination, &step)
    find_cast(dtype, dtype)(data_of(destination), step, packed, itemsize, size)
    destination.header.bump_version()
    return True


cdef int assign_value(ndarray destination, object value) except -1:
    cdef int dtype = dtype_of(destination)
    if isinstance(value, ndarray):
        return assign(destination, value)
    kind = type(value)
    if (kind is float or kind is int or kind is bool or kind is complex or dtype_of_scalar(value) >= 0) and is_plain(destination):
        return fill(destination, value)
    if kind is range:
        value = listed(value, destination.header.numel())
        kind = type(value)
    if (kind is list or kind is tuple) and is_plain(destination) and thread_is_plain():
        if assign_numbers(destination, value):
            return 0
        parsed = of_sequence(value, dtype == FLOAT64)
        if parsed is not None and dtype_of(parsed) == dtype and (<ndarray>parsed).header.dim() <= destination.header.dim():
            return assign(destination, parsed)
        parsed = packed_numbers(dtype, value)
        if parsed is not None:
            return assign(destination, parsed)
    if is_plain(destination) and not is_tensor(value) and not is_array_like(value) and not (
            isinstance(value, (list, tuple)) and holds_tensors(value, True)):
        # What is no array yet NumPy packs: beside the array, of which an error leaves all as it was.
        packed = numpy.empty(shape_tuple(destination), numpy_dtype(dtype))
        packed[...] = to_numpy_deep(value)
        to_numpy(destination)[...] = packed
        destination.header.bump_version()
        return 0
    return assign(destination, as_value(destination, value))


# --- new arrays -------------------------------------------------------------------------------------------------------

LETTER_C, LETTER_F, LETTER_K = "C", "F", "K"


cdef int to_order(object order) except -1:
    if order is None or order is LETTER_K:
        return ORDER_K
    if order is LETTER_C:
        return ORDER_C
    if isinstance(order, str) and len(<str>order) == 1:
        position = "CFAK".find((<str>order).upper())
        if position >= 0:
            return position
    if not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")
    raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")


cdef int memory_order(ndarray array, int order) noexcept:
    """Return C or F for an order that the layout decides, and K only where it is neither."""
    if order == ORDER_A:
        return ORDER_F if is_f_contiguous(array) and not is_c_contiguous(array) else ORDER_C
    if order == ORDER_K:
        if array.header.dim() <= 1 or is_c_contiguous(array):
            return ORDER_C
        if is_f_contiguous(array):
            return ORDER_F
    return order


cdef ndarray new_like(ndarray prototype, int dtype, int order):
    """Return an uninitialised array of the same shape, laid out as NumPy's `empty_like` does."""
    cdef Layout layout
    cdef int64_t strides[64]
    cdef int64_t sizes[64]
    cdef int by_stride[64]
    cdef int64_t step = 1
    cdef int axis, place, ndim = fill_shape(prototype, layout.shape)
    cdef ndarray array
    order = memory_order(prototype, order)
    if order == ORDER_C:
        return new_array(dtype, ndim, layout.shape)
    fill_strides(prototype, strides)
    # The largest stride first; a stable sort, so that ties keep C order.
    for axis in range(ndim):
        if order == ORDER_F:
            by_stride[ndim - 1 - axis] = axis
            continue
        place = axis
        while place > 0 and abs(strides[by_stride[place - 1]]) < abs(strides[axis]):
            by_stride[place] = by_stride[place - 1]
            place -= 1
        by_stride[place] = axis
    for place in range(ndim):
        sizes[place] = layout.shape[by_stride[place]]
    array = new_array(dtype, ndim, sizes)
    for place in range(ndim - 1, -1, -1):
        layout.strides[by_stride[place]] = step
        step *= sizes[place] if sizes[place] > 0 else 1
    layout.ndim = ndim
    layout.offset = 0
    return restrided(array, &layout)


cdef bint has_order(ndarray array, int order) noexcept:
    return order == ORDER_K or (order != ORDER_F and is_c_contiguous(array)) or (
        order != ORDER_C and is_f_contiguous(array))


cdef object ordered(object tensor, int order):
    """Return the tensor's values in C or F order in memory."""
    if order == ORDER_C:
        return tensor.contiguous()
    axes = tuple(range(tensor.dim() - 1, -1, -1))
    return tensor.permute(axes).contiguous().permute(axes)


cdef ndarray copy_array(ndarray array, int order):
    return astype(array, dtype_of(array), order, True)


cdef bint is_stretched(ndarray array) noexcept:
    cdef const int64_t* sizes = array.header.sizes()
    cdef const int64_t* strides = array.header.strides()
    cdef int axis
    for axis in range(array.header.dim()):
        if strides[axis] == 0 and sizes[axis] > 1:
            return array.header.dim() > 1
    return False


cdef ndarray astype(ndarray array, int dtype, int order, bint copy):
    cdef ndarray result
    cdef int source_dtype = dtype_of(array)
    cdef int layout
    cdef Operand into, values
    if not copy and dtype == source_dtype and has_order(array, order):
        return array
    if is_plain(array) and (dtype == source_dtype or (dtype < NUM_NUMPY_DTYPES and source_dtype < NUM_NUMPY_DTYPES)):
        result = new_like(array, dtype, order)
        if result.header.checked_numel() == 0:
            check_complex(dtype, source_dtype)
            return result
        if copy_same_block(result, array) or assign_few(result, array):
            return result
        fill_operand(&into, result)
        fill_operand(&values, array)
        copy_cast(&into, &values, result.header.checked_numel())
        return result
    check_complex(dtype, source_dtype)
    layout = memory_order(array, order)
    if layout == ORDER_C and not array.flipped and dtype == source_dtype:
        if is_single(array):
            return from_tensor(copy_single(tensor_of(array)[0]))
        return from_tensor(unwrap(torch.clone(to_torch(array), memory_format=torch.contiguous_format)))
    if layout == ORDER_C and is_single(array) and is_c_contiguous(array) and dtype < NUM_NUMPY_DTYPES:
        return from_tensor(cast_single(tensor_of(array)[0], dtype))
    tensor = to_torch(array).to(torch_dtype(dtype), copy=True)
    return from_tensor(unwrap(tensor if layout == ORDER_K else ordered(tensor, layout)))
