"""Shapes, views and copies in the plainest of calls, before arguments are bound: arrays of the class itself.

What is plain is computed here; what is not, and nobody overrides, goes on to shape.pyx. All else is declined.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport LETTER_C, LETTER_F, LETTER_K, ORDER_C, ORDER_F, ORDER_K, astype, copy_array, is_stretched
from fastnp._core.copies cimport copy_few
from fastnp._core.dtype cimport BOOL, COMPLEX64, COMPLEX128, FLOAT16, ITEMSIZES, NUM_NUMPY_DTYPES, dtype_index
from fastnp._core.engine cimport clear_float_flags, raised_float_flags
from fastnp._core.kernels cimport shape as kernels
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of
from fastnp._core.loops cimport LoopTable, table_of
from fastnp._core.ndarray cimport (
    data_of,
    dtype_of,
    fill_strides,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    new_scalar,
    plain_view,
    shape_tuple,
    transposed,
)
from fastnp._core.ufunc_call cimport compute_ufunc
from fastnp._core.views cimport is_plain

import numpy


cdef LoopTable CONJUGATE = table_of(numpy.conjugate)
cdef object MINUS_ONE = -1

cdef enum:
    SMALL = 8192  # bytes that are copied without a look at anything else

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "moves.h" namespace "fastnp" nogil:
    void move_strided(int64_t item, char* into, int64_t into_step, const char* source, int64_t step, int64_t n)

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided)(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef extern from *:
    """
    static inline PyObject** PyTuple_ITEMS(PyObject* tuple) { return &PyTuple_GET_ITEM(tuple, 0); }
    """
    PyObject** PyTuple_ITEMS(object)

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1


cdef inline ndarray plain_self(PyObject* argument):
    """Return the argument as an array that is one of the class itself to which nothing listens; None for all else."""
    if type(<object>argument) is ndarray and is_plain(<ndarray><object>argument):
        return <ndarray><object>argument
    return None


cdef inline ndarray general_self(PyObject* argument):
    """Return the argument as an array of the class itself that is torch's to view; None for all else."""
    if type(<object>argument) is ndarray and not is_plain(<ndarray><object>argument) and not function_mode_enabled():
        return <ndarray><object>argument
    return None


cdef inline bint in_one_piece(ndarray array) noexcept:
    return not array.flipped and array.header.is_contiguous()


cdef inline int quick_order(PyObject* const* args, Py_ssize_t count) noexcept:
    """Return the order of a call that has no argument but an array, or its letter besides; -1 for all else."""
    if count == 1:
        return ORDER_C
    return -1 if count != 2 else ORDER_C if args[1] == <PyObject*>LETTER_C else (
        ORDER_F if args[1] == <PyObject*>LETTER_F else ORDER_K if args[1] == <PyObject*>LETTER_K else -1)


cdef object quick_ravel(PyObject* const* args, Py_ssize_t count):
    """a.ravel(order), ravel(a, order)."""
    cdef int64_t size, step = 1
    cdef int order = quick_order(args, count)
    cdef ndarray array = plain_self(args[0])
    if array is None:
        array = general_self(args[0]) if count == 1 else None
        return NotImplemented if array is None else kernels.ravel(array, ORDER_C)
    if order < 0:
        return NotImplemented
    if (in_one_piece(array) or is_c_contiguous(array)) and (order != ORDER_F or array.header.dim() < 2) or (
            order != ORDER_C and is_f_contiguous(array)):
        size = array.header.numel()
        return plain_view(array, 1, &size, &step, 0, 0)
    return copied_line(array, order)


# By its address, so that the compiler leaves it out of the short way.
ctypedef object (*Line)(ndarray, int)
cdef Line copied_line = as_line


cdef object as_line(ndarray array, int order):
    """Return a copy of few elements as one line, in C order or in Fortran's."""
    cdef int64_t size = array.header.numel(), step = 1
    cdef bint turned = order == ORDER_F
    cdef ndarray copied
    if array.scalar_ or not 0 < array.header.dim() <= MANY or size * ITEMSIZES[dtype_of(array)] > SMALL or (
            order == ORDER_K and array.header.dim() > 1 and (is_stretched(array) or not keeps_order(array, &turned))):
        return NotImplemented
    copied = packed(array, turned, dtype_of(array))
    copied.header.set_layout(dtype_of(array), 1, &size, &step)
    return copied


cdef object line_over(ndarray array):
    """Return the elements as one line: a view where they lie equally far from one another, a copy of few where they do not."""
    cdef const int64_t* sizes = array.header.sizes()
    cdef const int64_t* strides = array.header.strides()
    cdef int64_t size = array.header.numel(), step = 0
    cdef int axis, last = -1, kept = 0, backwards = 0, ndim = array.header.dim()
    cdef bint follows = True
    if ndim > MANY:
        return NotImplemented
    for axis in range(ndim - 1, -1, -1):
        if sizes[axis] == 1:
            continue
        if last < 0:
            step = strides[axis]
        else:
            follows = follows and strides[axis] == strides[last] * sizes[last]
        last = axis
        kept += 1
        backwards += array.flipped >> axis & 1
    if kept == 0 or 1 < kept == backwards:
        return NotImplemented  # one element, or one line that runs backwards, perhaps
    if not follows or kept > 1 and backwards:
        return as_line(array, ORDER_C)
    return plain_view(array, 1, &size, &step, 0, backwards)


cdef object reshaped(ndarray array, PyObject* const* sizes, Py_ssize_t count):
    """Return the view of an array in one piece under a shape, one size of which may be -1; NotImplemented for all else."""
    cdef int64_t shape[MANY]
    cdef int64_t strides[MANY]
    cdef int64_t step = 1, known = 1, total = array.header.numel()
    cdef int axis, unknown = -1, overflow = 0
    if count > MANY or total == 0:
        return NotImplemented
    if not in_one_piece(array):
        return line_over(array) if count == 1 and sizes[0] == <PyObject*>MINUS_ONE else NotImplemented
    for axis in range(<int>count):
        if type(<object>sizes[axis]) is not int:
            return NotImplemented
        shape[axis] = PyLong_AsLongLongAndOverflow(<object>sizes[axis], &overflow)
        if overflow or shape[axis] == 0 or shape[axis] > total:
            return NotImplemented
        if shape[axis] < 0:
            if unknown >= 0:
                return NotImplemented
            unknown = axis
        else:
            known *= shape[axis]
            if known > total:
                return NotImplemented
    if unknown >= 0:
        if total % known:
            return NotImplemented
        shape[unknown] = total // known
    elif known != total:
        return NotImplemented
    for axis in range(<int>count - 1, -1, -1):
        strides[axis] = step
        step *= shape[axis]
    return plain_view(array, <int>count, shape, strides, 0, 0)


cdef object quick_reshape_to(PyObject* const* args, Py_ssize_t count):
    """reshape(a, shape)."""
    cdef ndarray array = plain_self(args[0]) if count == 2 else None
    if array is None:
        return general_reshape(args[0], <object>args[1]) if count == 2 else NotImplemented
    if type(<object>args[1]) is tuple:
        return reshaped(array, PyTuple_ITEMS(<object>args[1]), len(<tuple><object>args[1]))
    return reshaped(array, args + 1, 1)


cdef object quick_reshape_method(PyObject* const* args, Py_ssize_t count):
    """a.reshape(shape), a.reshape(*shape)."""
    cdef ndarray array
    if count == 2:
        return quick_reshape_to(args, count)
    array = plain_self(args[0]) if count > 2 else None
    if array is None:
        return general_reshape(args[0], tuple_of(args + 1, count - 1)) if count > 2 else NotImplemented
    return reshaped(array, args + 1, count - 1)


cdef object general_reshape(PyObject* argument, object shape):
    cdef ndarray view = None, array = general_self(argument)
    if array is not None:
        view = kernels.reshaped_by_torch(array, shape)
    return NotImplemented if view is None else view


cdef object permuted(ndarray array, PyObject* const* axes, Py_ssize_t count):
    """Return the view with its axes in another order; NotImplemented where that is not one int to each of them."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int place, axis, ndim = array.header.dim()
    cdef uint64_t flipped = 0, seen = 0
    if count != ndim or ndim > MANY:
        return NotImplemented
    for place in range(ndim):
        axis = axis_of(axes[place], ndim)
        if axis == NO_AXIS or seen >> axis & 1:
            return NotImplemented
        seen |= <uint64_t>1 << axis
        sizes[place], strides[place] = array.header.sizes()[axis], array.header.strides()[axis]
        flipped |= (array.flipped >> axis & 1) << place
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_transpose(PyObject* const* args, Py_ssize_t count):
    """transpose(a), transpose(a, axes), a.transpose(), a.transpose(axes)."""
    cdef ndarray array = plain_self(args[0])
    if array is None:
        array = general_self(args[0])
        if array is None or count > 2:
            return NotImplemented
        return transposed(array) if count == 1 else kernels.transpose(array, <object>args[1])
    if count == 1:
        return transposed(array)
    if count == 2 and type(<object>args[1]) is tuple:
        return permuted(array, PyTuple_ITEMS(<object>args[1]), len(<tuple><object>args[1]))
    return NotImplemented


cdef object quick_transpose_method(PyObject* const* args, Py_ssize_t count):
    """a.transpose(*axes) besides."""
    cdef ndarray array
    if count < 3:
        return quick_transpose(args, count)
    array = plain_self(args[0])
    return NotImplemented if array is None else permuted(array, args + 1, count - 1)


cdef object quick_squeeze(PyObject* const* args, Py_ssize_t count):
    """a.squeeze(), squeeze(a), and along one axis."""
    cdef ndarray array
    cdef int axis, chosen = NO_AXIS, ndim
    if type(<object>args[0]) is not ndarray or count > 2 or not (<ndarray><object>args[0]).header.is_plain():
        return NotImplemented
    array = <ndarray><object>args[0]
    ndim = array.header.dim()
    if ndim > MANY or ndim == 0 or function_mode_enabled():
        return NotImplemented
    if count == 2:
        chosen = axis_of(args[1], ndim)
        if chosen == NO_AXIS or array.header.sizes()[chosen] != 1:
            return NotImplemented
        return squeezed(array, chosen)
    for axis in range(ndim):
        if array.header.sizes()[axis] == 1:
            return squeezed(array, NO_AXIS)
    return array  # as NumPy


cdef object squeezed(ndarray array, int chosen):
    """Return the view without one axis, or without all of length one; NotImplemented of what is not plain."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int axis, kept = 0
    cdef uint64_t flipped = 0
    if not is_plain(array):
        return NotImplemented
    for axis in range(array.header.dim()):
        if array.header.sizes()[axis] != 1 if chosen == NO_AXIS else axis != chosen:
            sizes[kept] = array.header.sizes()[axis]
            strides[kept] = array.header.strides()[axis]
            flipped |= (array.flipped >> axis & 1) << kept
            kept += 1
    return plain_view(array, kept, sizes, strides, 0, flipped)


cdef object quick_view(PyObject* const* args, Py_ssize_t count):
    """a.view()."""
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    if array is None:
        return NotImplemented
    return plain_view(array, array.header.dim(), array.header.sizes(), array.header.strides(), 0, array.flipped)


cdef object quick_flatten(PyObject* const* args, Py_ssize_t count):
    """a.flatten(order)."""
    cdef int order = quick_order(args, count)
    cdef ndarray copied, array = plain_self(args[0])
    cdef int64_t size
    if array is None:
        array = general_self(args[0]) if count == 1 else None
        return NotImplemented if array is None or array.scalar_ else kernels.flatten(array, ORDER_C)
    if array.scalar_ or order < 0:
        return NotImplemented
    if not in_one_piece(array) or order == ORDER_F and array.header.dim() > 1:
        return as_line(array, order)
    size = array.header.numel()
    if size * ITEMSIZES[dtype_of(array)] > SMALL:
        return NotImplemented
    copied = new_array(dtype_of(array), 1, &size)
    memcpy(copied.header.origin(), array.header.origin(), size * ITEMSIZES[dtype_of(array)])
    return copied


cdef object quick_conj(PyObject* const* args, Py_ssize_t count):
    """a.conj(); of real numbers the array itself, as in NumPy."""
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    if array is None:
        return NotImplemented
    if dtype_of(array) == COMPLEX64 or dtype_of(array) == COMPLEX128:
        return compute_ufunc(CONJUGATE, (array,), None, True, None)
    return NotImplemented if dtype_of(array) > COMPLEX128 or array.scalar_ else array


cdef object quick_swapaxes(PyObject* const* args, Py_ssize_t count):
    """a.swapaxes(i, j), swapaxes(a, i, j)."""
    cdef int first, second
    cdef ndarray array = plain_self(args[0]) if count == 3 else None
    if array is None:
        array = general_self(args[0]) if count == 3 else None
        return NotImplemented if array is None else kernels.swapaxes(array, <object>args[1], <object>args[2])
    first, second = axis_of(args[1], array.header.dim()), axis_of(args[2], array.header.dim())
    if array.header.dim() > MANY or first == NO_AXIS or second == NO_AXIS:
        return NotImplemented
    return swapped(array, first, second)


cdef object quick_matrix_transpose(PyObject* const* args, Py_ssize_t count):
    """matrix_transpose(a), a.mT."""
    cdef ndarray array = plain_self(args[0]) if count == 1 else None
    if array is None or not 2 <= array.header.dim() <= MANY:
        return NotImplemented
    return swapped(array, array.header.dim() - 2, array.header.dim() - 1)


cdef ndarray swapped(ndarray array, int first, int second):
    """Return the view with two axes in each other's place."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int axis, origin, ndim = array.header.dim()
    cdef uint64_t flipped = 0
    for axis in range(ndim):
        origin = second if axis == first else first if axis == second else axis
        sizes[axis] = array.header.sizes()[origin]
        strides[axis] = array.header.strides()[origin]
        flipped |= (array.flipped >> origin & 1) << axis
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_diagonal(PyObject* const* args, Py_ssize_t count):
    """a.diagonal(), diagonal(a, k), of the first two axes."""
    cdef int64_t sizes[MANY]
    cdef int64_t strides[MANY]
    cdef int64_t distance = 0, rows, columns, down, right, first = 0, length, step
    cdef int axis, ndim
    cdef ndarray view, array = plain_self(args[0]) if count <= 2 else None
    if array is None or count == 2 and not integer_of(args[1], &distance):
        return NotImplemented
    ndim = array.header.dim()
    if not 2 <= ndim <= MANY:
        return NotImplemented
    rows, columns = array.header.sizes()[0], array.header.sizes()[1]
    down, right = array.header.strides()[0], array.header.strides()[1]
    if not -rows < distance < columns:
        return NotImplemented
    if array.flipped & 1:
        first, down = (rows - 1) * down, -down
    if array.flipped & 2:
        first, right = first + (columns - 1) * right, -right
    if distance >= 0:
        length, first = min(rows, columns - distance), first + distance * right
    else:
        length, first = min(rows + distance, columns), first - distance * down
    step = down + right
    if step < 0:
        # A view begins at its lowest element.
        first += (length - 1) * step
    for axis in range(ndim - 2):
        sizes[axis], strides[axis] = array.header.sizes()[axis + 2], array.header.strides()[axis + 2]
    sizes[ndim - 2], strides[ndim - 2] = length, -step if step < 0 else step
    view = plain_view(array, ndim - 1, sizes, strides, first, array.flipped >> 2 | <uint64_t>(step < 0) << (ndim - 2))
    view.writeable_ = False
    return view


cdef object quick_expand_dims(PyObject* const* args, Py_ssize_t count):
    """expand_dims(a, axis)."""
    cdef int64_t sizes[MANY + 1]
    cdef int64_t strides[MANY + 1]
    cdef int axis, place, origin = 0, ndim
    cdef uint64_t flipped = 0
    cdef ndarray array = plain_self(args[0]) if count == 2 else None
    if array is None:
        array = general_self(args[0]) if count == 2 else None
        return NotImplemented if array is None else kernels.expand_dims(array, <object>args[1])
    ndim = array.header.dim() + 1
    axis = axis_of(args[1], ndim)
    if axis == NO_AXIS or ndim > MANY:
        return NotImplemented
    for place in range(ndim):
        if place == axis:
            sizes[place], strides[place] = 1, 0
        else:
            sizes[place], strides[place] = array.header.sizes()[origin], array.header.strides()[origin]
            flipped |= (array.flipped >> origin & 1) << place
            origin += 1
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_copy(PyObject* const* args, Py_ssize_t count):
    """a.copy(), copy(a) of an array in one piece."""
    cdef ndarray copied, array = plain_self(args[0]) if count == 1 else None
    cdef int64_t bytes
    if array is None:
        array = general_self(args[0]) if count == 1 else None
        if array is None or array.scalar_ or not in_one_piece(array):
            return NotImplemented
        return copy_array(array, ORDER_C)
    if array.scalar_ or not in_one_piece(array):
        return NotImplemented
    bytes = array.header.numel() * ITEMSIZES[dtype_of(array)]
    if bytes > SMALL:
        return NotImplemented
    copied = new_array(dtype_of(array), array.header.dim(), array.header.sizes())
    memcpy(copied.header.origin(), array.header.origin(), bytes)
    return copied


cdef object quick_shallow_copy(PyObject* const* args, Py_ssize_t count):
    """copy.copy(a) of an array in one piece, or of a scalar."""
    cdef ndarray copied, array
    if count == 1 and type(<object>args[0]) is ndarray and (<ndarray><object>args[0]).scalar_:
        array = <ndarray><object>args[0]
        if not array.header.holds_value():
            return NotImplemented
        copied = new_scalar(array.header.value_dtype())
        memcpy(copied.header.origin(), array.header.value(), 16)
        return copied
    return quick_copy(args, count)


cdef object quick_deep_copy(PyObject* const* args, Py_ssize_t count):
    """a.__deepcopy__(memo) of the same: numbers have nothing in them that is shared."""
    return quick_shallow_copy(args, 1) if count == 2 else NotImplemented


cdef object quick_copy_method(PyObject* const* args, Py_ssize_t count):
    """a.copy(order), of arrays that are not in one piece as well: in C order, or in Fortran's."""
    cdef ndarray array
    cdef bint turned
    if count == 1:
        copied_at_once = quick_copy(args, count)
        if copied_at_once is not NotImplemented:
            return copied_at_once
    elif count != 2 or args[1] != <PyObject*>LETTER_C and args[1] != <PyObject*>LETTER_F and args[1] != <PyObject*>LETTER_K:
        return NotImplemented
    turned = count == 2 and args[1] == <PyObject*>LETTER_F
    array = plain_self(args[0])
    if count == 2 and args[1] == <PyObject*>LETTER_K:
        if array is None or not keeps_order(array, &turned):
            return NotImplemented
    if array is None:
        array = general_self(args[0])
        return NotImplemented if array is None or array.scalar_ else copy_array(array, ORDER_F if turned else ORDER_C)
    if not 1 <= array.header.dim() <= MANY or array.header.numel() * ITEMSIZES[dtype_of(array)] > SMALL:
        return NotImplemented
    return packed(array, turned, dtype_of(array))


cdef bint keeps_order(ndarray array, bint* turned) noexcept:
    """Whether order "K" is C order, or Fortran's (`turned`), for an array of one axis or more, of two elements each."""
    cdef int axis
    cdef int64_t this, next
    cdef bint falls = True, rises = True
    if not 1 <= array.header.dim() <= MANY:
        return False
    for axis in range(array.header.dim()):
        if array.header.sizes()[axis] < 2:
            return False
        if axis > 0:
            this, next = array.header.strides()[axis - 1], array.header.strides()[axis]
            falls, rises = falls and this >= next, rises and this < next
    turned[0] = not falls
    return falls or rises


cdef ndarray packed(ndarray array, bint turned, int dtype):
    """Return a copy of an array of one axis or more in C order, or in Fortran's where it is turned; of few elements where that
    is a cast."""
    cdef int64_t[MANY] sizes, strides, steps, layout
    cdef int64_t step = 1
    cdef int axis, place, ndim = array.header.dim(), source = dtype_of(array)
    cdef char[SMALL] between
    cdef char* into
    cdef ndarray copied = new_array(dtype, ndim, array.header.sizes())
    fill_strides(array, steps)
    # The axes in the order in which the copy has them, the innermost last.
    for place in range(ndim - 1, -1, -1):
        axis = ndim - 1 - place if turned else place
        sizes[place], strides[place] = array.header.sizes()[axis], steps[axis]
        layout[axis] = step
        step *= max(sizes[place], 1)
    if turned:
        copied.header.set_layout(dtype, ndim, array.header.sizes(), layout)
    into = copied.header.origin() if dtype == source else between
    pack_axes(into, data_of(array), ITEMSIZES[source], join_axes(ndim, sizes, strides), sizes, strides)
    if dtype != source:
        find_cast(dtype, source)(copied.header.origin(), ITEMSIZES[dtype], between, ITEMSIZES[source], copied.header.numel())
    return copied


cdef int join_axes(int ndim, int64_t* sizes, int64_t* strides) noexcept:
    """Make one axis of those that follow each other; return how many are left."""
    cdef int axis, kept = 0
    for axis in range(1, ndim):
        if strides[kept] == strides[axis] * sizes[axis]:
            sizes[kept] *= sizes[axis]
        else:
            kept += 1
            sizes[kept] = sizes[axis]
        strides[kept] = strides[axis]
    return kept + 1


cdef char* pack_axes(char* into, const char* data, int64_t itemsize, int ndim, const int64_t* sizes,
                     const int64_t* strides) noexcept:
    """Write the elements one after the other; return where the next one would be."""
    cdef int64_t number
    cdef int64_t[2] steps
    if ndim > 2:
        for number in range(sizes[0]):
            into = pack_axes(into, data + number * strides[0], itemsize, ndim - 1, sizes + 1, strides + 1)
        return into
    if ndim == 2:
        steps[0], steps[1] = itemsize * sizes[1], itemsize
        copy_few(into, steps, data, strides, sizes, <int>itemsize)
        return into + steps[0] * sizes[0]
    if strides[0] == itemsize:
        memcpy(into, data, itemsize * sizes[0])
    else:
        move_strided(itemsize, into, itemsize, data, strides[0], sizes[0])
    return into + itemsize * sizes[0]


cdef object quick_astype(PyObject* const* args, Py_ssize_t count):
    """a.astype(dtype) of few elements."""
    cdef ndarray result, array = plain_self(args[0]) if count == 2 else None
    cdef int source, dtype
    if array is None:
        array = general_self(args[0]) if count == 2 else None
        if array is None or array.scalar_:
            return NotImplemented
        return astype(array, dtype_index(<object>args[1]), ORDER_K, True)
    if array.scalar_ or array.header.numel() * 16 > SMALL:
        return NotImplemented
    dtype = dtype_index(<object>args[1])
    source = dtype_of(array)
    if dtype >= NUM_NUMPY_DTYPES or source >= NUM_NUMPY_DTYPES or drops_a_part(dtype, source):
        return NotImplemented
    if not in_one_piece(array):
        return astype_in_order(array, dtype)
    result = new_array(dtype, array.header.dim(), array.header.sizes())
    clear_float_flags(dtype == FLOAT16)
    find_cast(dtype, source)(
        result.header.origin(), ITEMSIZES[dtype], array.header.origin(), ITEMSIZES[source], array.header.numel())
    # What is invalid or overflows is reported by the general way, in NumPy's words.
    return NotImplemented if raised_float_flags(dtype == FLOAT16) else result


cdef object astype_in_order(ndarray array, int dtype):
    """Return few elements that do not lie in one piece as ones of a dtype."""
    cdef bint turned
    cdef ndarray result
    if not keeps_order(array, &turned):
        return NotImplemented
    clear_float_flags(dtype == FLOAT16)
    result = packed(array, turned, dtype)
    return NotImplemented if raised_float_flags(dtype == FLOAT16) else result


cdef inline bint drops_a_part(int dtype, int source) noexcept:
    """Whether a cast drops the imaginary part, of which NumPy warns."""
    return source >= COMPLEX64 and dtype < COMPLEX64 and dtype != BOOL


cdef object quick_moveaxis(PyObject* const* args, Py_ssize_t count):
    """moveaxis(a, source, destination)."""
    if count != 3 or type(<object>args[0]) is not ndarray or function_mode_enabled():
        return NotImplemented
    return kernels.moveaxis(<ndarray><object>args[0], <object>args[1], <object>args[2])


cdef object quick_rollaxis(PyObject* const* args, Py_ssize_t count):
    """rollaxis(a, axis, start)."""
    cdef int64_t[MANY] sizes, strides
    cdef int64_t start = 0
    cdef int axis, place, rest, origin, ndim
    cdef uint64_t flipped = 0
    cdef ndarray array = plain_self(args[0]) if 1 < count < 4 else None
    if array is None:
        return NotImplemented
    ndim = array.header.dim()
    axis = axis_of(args[1], ndim)
    if axis == NO_AXIS or ndim > MANY or count == 3 and not integer_of(args[2], &start) or not -ndim <= start <= ndim:
        return NotImplemented
    start += ndim if start < 0 else 0
    start -= axis < start
    for place in range(ndim):
        rest = place - (place > start)
        origin = axis if place == start else rest + (rest >= axis)
        sizes[place], strides[place] = array.header.sizes()[origin], array.header.strides()[origin]
        flipped |= (array.flipped >> origin & 1) << place
    return plain_view(array, ndim, sizes, strides, 0, flipped)


cdef object quick_broadcast_to(PyObject* const* args, Py_ssize_t count):
    """broadcast_to(a, shape)."""
    cdef int64_t shape[64]
    cdef int ndim
    if count != 2 or type(<object>args[0]) is not ndarray or function_mode_enabled():
        return NotImplemented
    ndim = kernels.parse_shape(<object>args[1], shape)
    return kernels.broadcast_to(<ndarray><object>args[0], ndim, shape)


cdef object quick_shape_of(PyObject* const* args, Py_ssize_t count):
    """shape(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return shape_tuple(<ndarray><object>args[0])
    return NotImplemented


cdef object quick_ndim_of(PyObject* const* args, Py_ssize_t count):
    """ndim(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return (<ndarray><object>args[0]).header.dim()
    return NotImplemented


cdef object quick_size_of(PyObject* const* args, Py_ssize_t count):
    """size(a)."""
    if count == 1 and type(<object>args[0]) is ndarray and not function_mode_enabled():
        return (<ndarray><object>args[0]).header.checked_numel()
    return NotImplemented
