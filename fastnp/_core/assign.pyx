# distutils: define_macros=NPY_TARGET_VERSION=NPY_2_0_API_VERSION
"""Values into arrays: with broadcasting and casts, and into new arrays.

Plain arrays are copied by copies.h; all others by `Tensor.copy_`, so that autograd, transforms and
modes see an ordinary operation.
"""
cimport numpy as cnp
from cpython.complex cimport PyComplex_AsCComplex
from cpython.exc cimport PyErr_WarnEx
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memmove

from fastnp._core.converters cimport as_array
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
    UINT8,
    UINT16,
    UINT64,
    index_of_numpy,
    is_in_range,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.interchange cimport from_numpy, to_numpy
from fastnp._core.libtorch.exceptions cimport translate_torch_error
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
from fastnp._core.sequences cimport are_numbers, holds_tensors, of_sequence
from fastnp._core.single_calls cimport cast_single, copy_single, is_single
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.views cimport Layout, as_movable, as_moved, flipped_axes, is_plain, restrided, same_memory

import numpy
import torch
from numpy.exceptions import ComplexWarning

cnp.import_array()
cnp.import_ufunc()

cdef extern from "<numpy/ufuncobject.h>":
    int PyUFunc_GiveFloatingpointErrors(const char* name, int errors) except -1

cdef extern from "<fenv.h>" nogil:
    int FE_DIVBYZERO, FE_INVALID, FE_OVERFLOW, FE_UNDERFLOW, FE_ALL_EXCEPT
    int feclearexcept(int)
    int fetestexcept(int)

cdef extern from "iteration.h" namespace "fastnp" nogil:
    cppclass Operand:
        char* data
        int type
        int ndim
        int64_t* shape
        int64_t* strides
    bint may_overlap(const Operand&, const Operand&)
    bint same_layout(const Operand&, const Operand&)

cdef extern from "copies.h" namespace "fastnp" nogil:
    void copy_operand(const Operand&, const Operand&) except +translate_torch_error
    void copy_block(char* into, const char* source, int64_t bytes) except +translate_torch_error

cdef extern from "moves.h" namespace "fastnp" nogil:
    void fill_items(int64_t item, char* into, const char* value, int64_t n)
    void move_matrix(int64_t item, char* into, int64_t into_row, int64_t into_step, const char* source, int64_t row, int64_t step,
                     int64_t rows, int64_t columns)

cdef extern from *:
    """
    // Out of line: among other code the compiler packs the items through memory, which takes twice as long.
    __attribute__((noinline)) static void pack_words(char* into, const char* from, int64_t step, int64_t n) {
        fastnp::pack_steps<uint64_t>(into, from, step, n);
    }
    """
    void pack_words(char* into, const char* source, int64_t step, int64_t n) nogil

cdef extern from "parallel.h" namespace "fastnp" nogil:
    # Elements from which a copy lets other threads run Python.
    enum: RELEASE_FROM "fastnp::kReleaseFrom"

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided)(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef enum:
    LONG_LINE = 32
    FEW = 512  # elements that are copied without a look at the best order


cdef void fill_operand(ndarray array, Operand* operand) noexcept:
    operand.data = data_of(array)
    operand.type = dtype_of(array)
    operand.ndim = fill_shape(array, operand.shape)
    fill_strides(array, operand.strides)


# --- casts ------------------------------------------------------------------------------------------------------------

cdef inline bint is_complex(int dtype) noexcept:
    return dtype == COMPLEX64 or dtype == COMPLEX128


cdef inline bint may_raise_flags(int destination, int source) noexcept:
    """Whether a cast can be invalid or overflow: from floating dtypes to all but wider ones."""
    if source < FLOAT16 or source >= NUM_NUMPY_DTYPES or destination == source:
        return destination == FLOAT16 and source < FLOAT16
    return destination < FLOAT16 or ITEMSIZES[destination] < ITEMSIZES[source] or is_complex(source) or (
        destination == COMPLEX64 and source == FLOAT64)


cdef int give_errors() except -1:
    """Report the floating-point flags of a cast as the error state asks for."""
    cdef int raised = fetestexcept(FE_ALL_EXCEPT)
    cdef int errors = 0
    if raised & (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW):
        # NPY_FPE_DIVIDEBYZERO, NPY_FPE_OVERFLOW, NPY_FPE_UNDERFLOW, NPY_FPE_INVALID
        if raised & FE_DIVBYZERO:
            errors |= 1
        if raised & FE_OVERFLOW:
            errors |= 2
        if raised & FE_UNDERFLOW:
            errors |= 4
        if raised & FE_INVALID:
            errors |= 8
        PyUFunc_GiveFloatingpointErrors("cast", errors)
    return 0


cdef int check_complex(int destination, int source) except -1:
    if is_complex(source) and not is_complex(destination) and destination != BOOL:
        PyErr_WarnEx(ComplexWarning, "Casting complex values to real discards the imaginary part", 1)
    return 0


cdef bint pack_lines(const Operand* into, const Operand* values) noexcept:
    """Copy long lines of words that lie apart to where they lie side by side; False where that is not so."""
    cdef int last = into.ndim - 1
    cdef int64_t row, rows = 1, step
    if not 0 <= last <= 1 or values.ndim != into.ndim or ITEMSIZES[into.type] != 8 or into.strides[last] != 8:
        return False
    step = values.strides[last]
    # Copies of what is repeated, reversed or every second have vectors, turned ones go in blocks.
    if step == 0 or -8 <= step <= 16 or into.shape[last] < LONG_LINE or values.shape[last] != into.shape[last]:
        return False
    if last == 1:
        rows = into.shape[0]
        if rows >= 8 and values.strides[0] == 8 or values.shape[0] != rows:
            return False
    for row in range(rows):
        pack_words(into.data + row * into.strides[0] * last, values.data + row * values.strides[0] * last, step, into.shape[last])
    return True


cdef int copy_cast(Operand* destination, Operand* source, int64_t size) except -1:
    """Copy between operands that do not overlap, one of NumPy's dtypes each, or both of one dtype."""
    cdef bint flags
    check_complex(destination.type, source.type)
    if destination.type == source.type and destination.type >= NUM_NUMPY_DTYPES:
        # Bits are copied: any dtype of that width does.
        destination.type = source.type = UINT8 if ITEMSIZES[source.type] == 1 else UINT16
    if destination.type == source.type and size < RELEASE_FROM and pack_lines(destination, source):
        return 0
    flags = may_raise_flags(destination.type, source.type)
    if flags:
        feclearexcept(FE_ALL_EXCEPT)
    if size >= RELEASE_FROM:
        with nogil:
            copy_operand(destination[0], source[0])
    else:
        copy_operand(destination[0], source[0])
    if flags:
        give_errors()
    return 0


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


cdef bint is_same_block(ndarray a, ndarray b) noexcept:
    """Whether the elements of two arrays of one size lie in one piece each, in the same order."""
    return a.header.numel() == b.header.numel() and (
        is_c_contiguous(a) and is_c_contiguous(b))


cdef inline void copy_few(char* into, const int64_t* into_steps, const char* data, const int64_t* steps,
                          const int64_t* shape, int itemsize) noexcept:
    """Copy a matrix; steps are in bytes."""
    cdef int64_t row
    if into_steps[1] == itemsize and steps[1] == itemsize and shape[1] * itemsize >= LONG_LINE * 8:
        for row in range(shape[0]):
            memcpy(into + row * into_steps[0], data + row * steps[0], shape[1] * itemsize)
    else:
        move_matrix(itemsize, into, into_steps[0], into_steps[1], data, steps[0], steps[1], shape[0], shape[1])


cdef int fill_matrix(ndarray array, int ndim, int64_t* shape, int64_t* steps) noexcept:
    """Describe an array of `ndim` dimensions, not more than two, as a matrix."""
    shape[0] = shape[1] = 1
    steps[0] = steps[1] = 0
    fill_shape(array, shape + 2 - ndim)
    return fill_strides(array, steps + 2 - ndim)


cdef bint assign_few(ndarray destination, ndarray source) noexcept:
    """Copy few elements of one dtype, of two dimensions at most and of fitting shapes; False where that is not the case."""
    cdef int64_t shape[2]
    cdef int64_t steps[2]
    cdef int64_t given[2]
    cdef int64_t given_steps[2]
    cdef int64_t beside[2]
    cdef char between[FEW * 16]
    cdef int axis, ndim = destination.header.dim(), source_ndim = source.header.dim()
    cdef int itemsize = ITEMSIZES[dtype_of(destination)]
    if ndim > 2 or source_ndim > ndim or destination.header.numel() > FEW:
        return False
    if ndim == 1 and source_ndim == 1 and is_same_block(destination, source):
        memmove(data_of(destination), data_of(source), destination.header.numel() * itemsize)
        return True
    fill_matrix(destination, ndim, shape, steps)
    fill_matrix(source, source_ndim, given, given_steps)
    for axis in range(2):
        if given[axis] != shape[axis]:
            if given[axis] != 1:
                return False
            given_steps[axis] = 0
    if same_memory(destination, source):
        # NumPy: what is read is what was there before the write.
        beside[0], beside[1] = shape[1] * itemsize, itemsize
        copy_few(between, beside, data_of(source), given_steps, shape, itemsize)
        copy_few(data_of(destination), steps, between, beside, shape, itemsize)
    else:
        copy_few(data_of(destination), steps, data_of(source), given_steps, shape, itemsize)
    return True


cdef int copy_bytes(char* into, const char* data, int64_t bytes) except -1:
    if bytes >= RELEASE_FROM * 8:
        with nogil:
            copy_block(into, data, bytes)
    else:
        memmove(into, data, bytes)
    return 0


cdef void drop_axes(Operand* operand, int count) noexcept:
    """Forget the first axes."""
    operand.ndim -= count
    for axis in range(operand.ndim):
        operand.shape[axis] = operand.shape[axis + count]
        operand.strides[axis] = operand.strides[axis + count]


cdef int assign(ndarray destination, ndarray source) except -1:
    cdef Operand into, values
    cdef Header* impl = &destination.header
    cdef int dropped, dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef bint plain = is_plain(destination) and source.header.is_plain()
    if plain and dtype == source_dtype and assign_few(destination, source):
        impl.bump_version()
        return 0
    dropped = check_broadcast(destination, source)
    if not plain or (dtype != source_dtype and (dtype >= NUM_NUMPY_DTYPES or source_dtype >= NUM_NUMPY_DTYPES)):
        return assign_general(destination, source, dropped)
    if impl.numel() == 0:
        return check_complex(dtype, source_dtype)
    if dtype == source_dtype and is_same_block(destination, source):
        copy_bytes(data_of(destination), data_of(source), impl.numel() * ITEMSIZES[dtype])
        impl.bump_version()
        return 0
    fill_operand(destination, &into)
    fill_operand(source, &values)
    drop_axes(&values, dropped)
    if may_overlap(into, values):
        if same_layout(into, values):
            impl.bump_version()
            return 0
        source = copy_array(source, ORDER_K)
        fill_operand(source, &values)
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
    check_complex(dtype_of(destination), dtype_of(source))
    if not source.header.is_plain():
        join_autograd(destination)
    values = to_torch(source)
    if same_memory(source, destination):
        # NumPy: what is read is what was there before the write.
        values = values.clone()
    if dropped:
        values = values.reshape(shape_tuple(source)[dropped:])
    if destination.flipped:
        whole = as_movable(values.broadcast_to(shape_tuple(destination)))
        values = as_moved(whole.flip(flipped_axes(destination)), values.dtype)
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
    cdef bint flags
    if dtype == source_dtype:
        memcpy(data, data_of(source), ITEMSIZES[dtype])
        return 0
    if dtype >= NUM_NUMPY_DTYPES or source_dtype >= NUM_NUMPY_DTYPES:
        return pack_by_numpy(data, dtype, source)
    check_complex(dtype, source_dtype)
    flags = may_raise_flags(dtype, source_dtype)
    if flags:
        feclearexcept(FE_ALL_EXCEPT)
    find_cast(dtype, source_dtype)(data, 0, data_of(source), 0, 1)
    if flags:
        give_errors()
    return 0


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
        fill_operand(destination, &into)
        source.data = item
        source.type = dtype
        source.ndim = 0
        copy_cast(&into, &source, size)
    destination.header.bump_version()
    return 0


cdef int assign_value(ndarray destination, object value) except -1:
    cdef int dtype = dtype_of(destination)
    cdef int64_t place, size
    if isinstance(value, ndarray):
        return assign(destination, value)
    kind = type(value)
    if (kind is float or kind is int or kind is bool or kind is complex or dtype_of_scalar(value) >= 0) and is_plain(destination):
        return fill(destination, value)
    if (kind is list or kind is tuple) and is_plain(destination) and thread_is_plain():
        size = len(value)
        parsed = of_sequence(value, dtype == FLOAT64)
        if parsed is not None and dtype_of(parsed) == dtype and (<ndarray>parsed).header.dim() <= destination.header.dim():
            return assign(destination, parsed)
        if are_numbers(value):
            parsed = new_array(dtype, 1, &size)
            for place in range(size):
                pack(data_of(parsed) + place * ITEMSIZES[dtype], dtype, value[place])
            return assign(destination, parsed)
    if is_plain(destination) and not is_tensor(value) and not is_array_like(value) and not (
            isinstance(value, (list, tuple)) and holds_tensors(value, True)):
        # What is no array yet NumPy packs, in place.
        to_numpy(destination)[...] = to_numpy_deep(value)
        destination.header.bump_version()
        return 0
    return assign(destination, as_value(destination, value))


# --- new arrays -------------------------------------------------------------------------------------------------------

cdef str LETTER_C = "C"
cdef str LETTER_K = "K"


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


cdef int cast_block(ndarray destination, ndarray source, int64_t size) except -1:
    """Cast elements that lie in one piece each, in the same order."""
    cdef int dtype = dtype_of(destination), source_dtype = dtype_of(source)
    cdef bint flags = may_raise_flags(dtype, source_dtype)
    check_complex(dtype, source_dtype)
    if flags:
        feclearexcept(FE_ALL_EXCEPT)
    find_cast(dtype, source_dtype)(
        data_of(destination), ITEMSIZES[dtype], data_of(source), ITEMSIZES[source_dtype], size)
    if flags:
        give_errors()
    return 0


cdef ndarray copy_array(ndarray array, int order):
    return astype(array, dtype_of(array), order, True)


cdef ndarray astype(ndarray array, int dtype, int order, bint copy):
    cdef ndarray result
    cdef int source_dtype = dtype_of(array)
    cdef int layout
    cdef int64_t size
    cdef Operand into, values
    if not copy and dtype == source_dtype and has_order(array, order):
        return array
    if is_plain(array) and (dtype == source_dtype or (dtype < NUM_NUMPY_DTYPES and source_dtype < NUM_NUMPY_DTYPES)):
        result = new_like(array, dtype, order)
        if result.header.checked_numel() == 0:
            check_complex(dtype, source_dtype)
            return result
        if is_same_block(result, array):
            size = result.header.checked_numel()
            if dtype == source_dtype:
                copy_bytes(data_of(result), data_of(array), size * ITEMSIZES[dtype])
                return result
            if size < RELEASE_FROM:
                cast_block(result, array, size)
                return result
        elif dtype == source_dtype and assign_few(result, array):
            return result
        fill_operand(result, &into)
        fill_operand(array, &values)
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
