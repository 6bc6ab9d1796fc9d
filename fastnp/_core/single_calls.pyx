"""Calls that are one operator of ATen's where an array is not plain.

What NumPy checks is checked here, on plain indices; what is not common is left to the ways that know it all.
"""
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t

from fastnp._core.aten cimport cast_direct, is_direct, reshape_direct
from fastnp._core.dtype cimport (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT64,
    INT64,
    NUM_NUMPY_DTYPES,
    UINT16,
    UINT32,
    UINT64,
)
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_array,
    tensor_of,
    thread_is_plain,
)

cdef extern from "Python.h":
    bint PySlice_Check(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1

cdef extern from "taking.h" namespace "fastnp" nogil:
    bint are_in_bounds(const int64_t* given, int64_t count, int64_t size)

cdef extern from "single_calls.h" namespace "fastnp":
    cppclass Scalar "c10::Scalar":
        Scalar()
        Scalar(double)
        Scalar(int64_t)
    bint nothing_dispatches() noexcept
    Tensor pick_elements(const Tensor&, const Tensor&, int64_t) except +translate_torch_error
    Tensor select_elements(const Tensor&, const Tensor&, int64_t) except +translate_torch_error
    Tensor gather_elements(const Tensor&, const Tensor&, int64_t) except +translate_torch_error
    Tensor copied_part(const Tensor&, int64_t, int64_t) except +translate_torch_error
    Tensor copied(const Tensor&) except +translate_torch_error
    Tensor copied_line(const Tensor&) except +translate_torch_error
    Tensor sort_elements(const Tensor&, int64_t) except +translate_torch_error
    Tensor repeat_elements(const Tensor&, int64_t, int64_t) except +translate_torch_error
    Tensor diagonal_matrix(const Tensor&, int64_t) except +translate_torch_error
    Tensor diagonal_view(const Tensor&, int64_t, int64_t, int64_t) except +translate_torch_error
    Tensor triangle_of(const Tensor&, bint, int64_t) except +translate_torch_error
    Tensor tensor_like(int, const Tensor&) except +translate_torch_error
    Tensor filled_like(const Tensor&, const Scalar&) except +translate_torch_error


cdef bint is_single(ndarray array) except -1:
    cdef int dtype = dtype_of(array)
    if type(array) is not ndarray or array.flipped or not 0 <= dtype < NUM_NUMPY_DTYPES:
        return False
    if dtype == UINT16 or dtype == UINT32 or dtype == UINT64 or (array.header.is_plain() and thread_is_plain()):
        return False
    return is_direct(tensor_of(array)[0])


cdef inline bint is_index(object value) noexcept:
    """Whether a value is an array of integers or truths that is plain and in C order."""
    return type(value) is ndarray and (<ndarray>value).header.is_plain() and is_c_contiguous(<ndarray>value) and (
        (<ndarray>value).header.dim() > 0) and dtype_of(<ndarray>value) <= INT64


cdef ndarray as_index(ndarray index):
    """Return an index in int64, or truths as they are."""
    if dtype_of(index) == BOOL or dtype_of(index) == INT64:
        return index
    return from_tensor(cast_direct(tensor_of(index)[0], INT64))


cdef bint is_all(object part) noexcept:
    """Whether a part of a key is a slice of all there is."""
    return PySlice_Check(part) and (<slice>part).start is None and (<slice>part).stop is None and (<slice>part).step is None


cdef object pick(ndarray array, object key):
    cdef int axis = 0, place, found = -1, ellipsis = -1, used, number, ndim = array.header.dim()
    cdef const int64_t* sizes
    cdef ndarray index
    if not array.header.has_host_memory() or not nothing_dispatches() or not is_single(array):
        return None
    if type(key) is tuple:
        for place in range(len(<tuple>key)):
            part = (<tuple>key)[place]
            if part is Ellipsis and ellipsis < 0:
                ellipsis = place
            elif found < 0 and is_index(part):
                found = place
            elif not is_all(part):
                return None
        if found < 0:
            return None
        index = as_index(<ndarray>(<tuple>key)[found])
        used = <int>len(<tuple>key) - (ellipsis >= 0)
        axis = found
        if 0 <= ellipsis < found:
            if dtype_of(index) == BOOL and index.header.dim() > 1:
                return None
            axis = ndim - used + found - 1
        if used > ndim:
            return None
    elif is_index(key):
        index = as_index(<ndarray>key)
        used = 1
    else:
        return None
    if not 0 <= axis < ndim:
        return None
    sizes = array.header.sizes()
    if dtype_of(index) == BOOL:
        if index.header.dim() > 1 and (axis > 0 or used > 1) or index.header.dim() > ndim:
            return None
        for number in range(index.header.dim()):
            if index.header.sizes()[number] != sizes[axis + number]:
                return None
    elif not are_in_bounds(<const int64_t*>data_of(index), index.header.numel(), sizes[axis]):
        return None
    return from_tensor(pick_elements(tensor_of(array)[0], tensor_of(index)[0], axis))


cdef ndarray from_front(const int64_t* numbers, int ndim, const int64_t* shape, int64_t size):
    """Return numbers counted from the front, as an array of their shape; None where one is out of bounds."""
    cdef int64_t count = 1, place
    cdef int axis
    cdef int64_t* into
    cdef ndarray counted
    for axis in range(ndim):
        count *= shape[axis]
    if not are_in_bounds(numbers, count, size):
        return None
    counted = new_array(INT64, ndim, shape)
    into = <int64_t*>data_of(counted)
    for place in range(count):
        into[place] = numbers[place] + size if numbers[place] < 0 else numbers[place]
    return counted


cdef ndarray take_numbers(ndarray array, int axis, const int64_t* numbers, int ndim, const int64_t* shape):
    cdef int64_t sizes[64]
    cdef int64_t count = 1
    cdef int place, rank
    cdef Tensor tensor
    cdef ndarray counted
    if not array.header.has_host_memory() or not nothing_dispatches() or not is_single(array):
        return None
    tensor = tensor_of(array)[0]
    if axis < 0:
        axis = 0
        if tensor.dim() != 1:
            tensor = line_of(tensor)
    rank = <int>tensor.dim()
    if rank == 0 or rank - 1 + ndim > 64:
        return None
    for place in range(ndim):
        count *= shape[place]
    if ndim == 0:
        if not are_in_bounds(numbers, 1, tensor.sizes()[axis]):
            return None
        return from_tensor(copied_part(tensor, axis, numbers[0]))
    counted = from_front(numbers, 1, &count, tensor.sizes()[axis])
    if counted is None:
        return None
    tensor = select_elements(tensor, tensor_of(counted)[0], axis)
    if ndim != 1:
        for place in range(axis):
            sizes[place] = tensor.sizes()[place]
        for place in range(ndim):
            sizes[axis + place] = shape[place]
        for place in range(axis + 1, rank):
            sizes[place - 1 + ndim] = tensor.sizes()[place]
        tensor = reshape_direct(tensor, sizes, rank - 1 + ndim)
    return from_tensor(tensor)


cdef Tensor line_of(const Tensor& tensor) except *:
    cdef int64_t length = -1
    return reshape_direct(tensor, &length, 1)


cdef ndarray gather_numbers(ndarray array, int axis, ndarray numbers):
    cdef int place, ndim = array.header.dim()
    cdef ndarray counted
    if not is_index(numbers) or dtype_of(numbers) == BOOL or numbers.header.dim() != ndim:
        return None
    numbers = as_index(numbers)
    if not array.header.has_host_memory() or not nothing_dispatches() or not is_single(array):
        return None
    for place in range(ndim):
        if place != axis and numbers.header.sizes()[place] != array.header.sizes()[place]:
            return None
    counted = from_front(<const int64_t*>data_of(numbers), ndim, numbers.header.sizes(), array.header.sizes()[axis])
    return None if counted is None else from_tensor(gather_elements(tensor_of(array)[0], tensor_of(counted)[0], axis))


cdef ndarray sort_single(ndarray array, int axis):
    cdef int dtype = dtype_of(array)
    if not is_single(array) or dtype == BOOL or dtype >= COMPLEX64 or array.header.dim() == 0:
        return None
    return from_tensor(sort_elements(tensor_of(array)[0] if axis >= 0 else line_of(tensor_of(array)[0]), max(axis, 0)))


cdef ndarray repeat_single(ndarray array, int64_t count, int axis):
    if not is_single(array) or count < 0 or array.header.dim() == 0:
        return None
    return from_tensor(
        repeat_elements(tensor_of(array)[0] if axis >= 0 else line_of(tensor_of(array)[0]), count, max(axis, 0)))


cdef ndarray triangle_single(ndarray array, bint lower, int64_t offset):
    if array.header.dim() < 2 or not is_single(array):
        return None
    return from_tensor(triangle_of(tensor_of(array)[0], lower, offset))


cdef ndarray matrix_single(ndarray array, int64_t offset):
    return from_tensor(diagonal_matrix(tensor_of(array)[0], offset)) if is_single(array) else None


cdef Tensor diagonal_single(const Tensor& tensor, int64_t offset, int first, int second) except *:
    return diagonal_view(tensor, offset, first, second)


cdef Tensor copy_single(const Tensor& tensor) except *:
    return copied(tensor)


cdef Tensor line_single(const Tensor& tensor) except *:
    return copied_line(tensor)


cdef Tensor cast_single(const Tensor& tensor, int dtype) except *:
    return cast_direct(tensor, dtype)


# --- like another array -----------------------------------------------------------------------------------------------

cdef ndarray like_single(int likeness, ndarray array):
    return from_tensor(tensor_like(likeness, tensor_of(array)[0])) if is_single(array) else None


cdef ndarray filled_single(ndarray array, object value):
    cdef int dtype = dtype_of(array), overflow = 0
    cdef int64_t integer
    if not is_single(array):
        return None
    # torch: what overflows a narrow dtype is an error.
    if PyFloat_CheckExact(value) and FLOAT16 < dtype and (
            dtype == FLOAT64 or dtype == COMPLEX128 or -1e38 < PyFloat_AS_DOUBLE(value) < 1e38):
        return from_tensor(filled_like(tensor_of(array)[0], Scalar(<double>value)))
    if not PyLong_CheckExact(value) or (dtype != INT64 and dtype <= FLOAT16):
        return None
    integer = PyLong_AsLongLongAndOverflow(value, &overflow)
    return None if overflow else from_tensor(filled_like(tensor_of(array)[0], Scalar(integer)))
