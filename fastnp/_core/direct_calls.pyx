"""Calls that are one operator of ATen's, of arrays of one dtype that nothing has a hook for, in few steps.

They do what the general ways do (ufunc_torch.pyx, kernels/joining.pyx) with less code. Behind ten microseconds of torch's
Python, as under a mode, each line of code that a call touches has left the processor's near caches: 160 lines were half a
microsecond.
"""
from fastnp._core.aten cimport (
    Scalar,
    Thrown,
    call_kept,
    fill_number,
    fill_scalar,
    join_kept,
    operator_takes_number,
    rethrow,
    where_kept,
)
from fastnp._core.dtype cimport BFLOAT16, BOOL, FLOAT16, FLOAT64, NUM_NUMPY_DTYPES, index_of
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, store_weak
from fastnp._core.ndarray cimport from_tensor, ndarray, tensor_of, thread_is_plain
from fastnp._core.numpy_errors cimport raise_as_numpy
from fastnp._core.operands cimport kind_of_number
from fastnp._core.overrides cimport heir_of, mode_listens
from fastnp._core.placement cimport same_device
from fastnp._core.torch_tensor cimport asks_no_class, is_tensor, unwrap, wrap
from fastnp._core.ufunc_torch cimport (
    FIRST,
    SECOND,
    call_general,
    has_elementwise_kernels,
    has_kernels,
    is_general,
    new_general,
)

from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libcpp.vector cimport vector

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "Python.h":
    PyObject** PySequence_Fast_ITEMS(object)


cdef inline const Tensor* direct_tensor(ndarray array) except? NULL:
    """Return the tensor of an array that torch may have to compute with; NULL where there is more to it than an operator."""
    cdef const Tensor* tensor
    if array.flipped:
        return NULL
    tensor = tensor_of(array)
    return tensor if asks_no_class(tensor[0]) else NULL


# --- elementwise ------------------------------------------------------------------------------------------------------

cdef inline bint is_plain_array(object value) noexcept:
    """Whether a value is none of our arrays, or one that is plain."""
    return type(value) is not ndarray or (
        (<ndarray>value).header.is_plain() and (<ndarray>value).header.dtype() < NUM_NUMPY_DTYPES)


cdef object of_alike(LoopTable table, object a, object b):
    """Compute arrays of the dtypes of a loop, and Python numbers, by one operator; None where there is more to it."""
    cdef PyObject* values[2]
    cdef int kinds[2]
    cdef const Tensor* tensors[2]
    cdef char item[16]
    cdef int place, dtype = -1
    cdef bint numbered = False
    cdef Resolution* entry
    cdef Scalar scalar
    cdef Tensor number, result
    cdef Thrown thrown
    values[0], values[1] = <PyObject*>a, <PyObject*>b
    kinds[1] = 0
    tensors[1] = NULL
    for place in range(table.nin):
        if type(<object>values[place]) is not ndarray:
            kinds[place] = kind_of_number(<object>values[place])
            if kinds[place] < 0:
                return None
            continue
        kinds[place] = (<ndarray>values[place]).header.dtype()
        if dtype >= 0 and kinds[place] != dtype:
            return None
        dtype = kinds[place]
    if not has_elementwise_kernels(dtype) or table.operators[dtype] < 0 or function_mode_enabled():
        return None
    entry = table.find(kinds[0], kinds[1])
    # Of loops that raise, an operand's values decide.
    if entry.state < 1 or entry.raises:
        return None
    for place in range(table.nin):
        if entry.promoted[place] != dtype:
            return None
        if kinds[place] == dtype:
            tensors[place] = direct_tensor(<ndarray>values[place])
            if tensors[place] is NULL:
                return None
            continue
        if dtype == FLOAT16 or dtype == BFLOAT16 or not table.takes_numbers & (FIRST << place) or not (
                # (what `store_weak` says of these)
                dtype == FLOAT64 and PyFloat_CheckExact(<object>values[place]) or store_weak(item, dtype, <object>values[place])):
            return None
        # torch: what takes a number on either side makes a tensor of it, all else has an overload for one on the right.
        numbered = table.takes_numbers == SECOND
        if numbered and not operator_takes_number(table.operators[dtype]) or not (
                fill_scalar(<object>values[place], &scalar) if numbered else fill_number(<object>values[place], &number)):
            return None
        tensors[place] = &number
    if table.nin == 2 and kinds[0] == kinds[1] and not same_device(tensors[0][0], tensors[1][0]):
        return None
    if not (call_kept(table.operators[dtype], tensors[0][0], scalar, result, thrown) if numbered
            else call_kept(table.operators[dtype], tensors[0][0], tensors[1], result, thrown)):
        return failed(table, a, b, thrown)
    return new_general(result, entry.types[table.nin])


cdef object failed(LoopTable table, object a, object b, const Thrown& thrown):
    """Raise NumPy's error where NumPy refuses the call as well, as `call_general` does; else what was thrown."""
    try:
        rethrow(thrown)
    except (RuntimeError, IndexError):
        raise_as_numpy(table.numpy_ufunc, (a,) if table.nin == 1 else (a, b), {})
        raise


cdef inline bint is_settled(object value) noexcept:
    return type(value) is ndarray or value is None or PyFloat_CheckExact(value) or PyLong_CheckExact(value)


cdef object straight(LoopTable table, object a, object b):
    cdef bint settled = is_settled(a) and is_settled(b)
    if is_plain_array(a) and is_plain_array(b) and thread_is_plain():
        if settled:
            return None
    elif 1 <= table.nin <= 2:
        result = of_alike(table, a, b)
        if result is not None:
            return result
    if not settled and heir_of(a, a if b is None else b) is NULL:
        return None
    if not is_general(a, b) or (function_mode_enabled() and mode_listens()):
        return None
    return call_general(table, a, b)


# --- choices and joins ------------------------------------------------------------------------------------------------

cdef object chosen_directly(object condition, object x, object y):
    cdef const Tensor* mask
    cdef const Tensor* first
    cdef const Tensor* second
    cdef int dtype
    cdef Tensor result
    cdef Thrown thrown
    if type(condition) is not ndarray or type(x) is not ndarray or type(y) is not ndarray or function_mode_enabled():
        return None
    dtype = (<ndarray>x).header.dtype()
    if is_plain_array(condition) and is_plain_array(x) and is_plain_array(y) and thread_is_plain():
        return None
    if (<ndarray>condition).header.dtype() != BOOL or (<ndarray>y).header.dtype() != dtype or not has_elementwise_kernels(dtype):
        return None
    mask = direct_tensor(<ndarray>condition)
    first = direct_tensor(<ndarray>x)
    second = direct_tensor(<ndarray>y)
    if mask is NULL or first is NULL or second is NULL:
        return None
    if where_kept(mask[0], first[0], second[0], result, thrown):
        return from_tensor(result)
    return declined(thrown)


cdef object joined_directly(bint stacked, object arrays, int axis):
    cdef PyObject** items = PySequence_Fast_ITEMS(arrays)
    cdef const Tensor* tensor
    cdef vector[Tensor] tensors
    cdef Tensor result
    cdef Thrown thrown
    cdef Py_ssize_t place, count = len(arrays)
    cdef int dtype = (<ndarray>items[0]).header.dtype()
    cdef bint general = dtype >= NUM_NUMPY_DTYPES
    for place in range(count):
        general = general or not (<ndarray>items[place]).header.is_plain()
    if not has_kernels(dtype) or function_mode_enabled() or not general and thread_is_plain():
        return None
    tensors.reserve(count)
    for place in range(count):
        if (<ndarray>items[place]).header.dtype() != dtype or (
                (<ndarray>items[place]).header.dim() != (<ndarray>items[0]).header.dim()):
            return None
        tensor = direct_tensor(<ndarray>items[place])
        if tensor is NULL:
            return None
        tensors.push_back(tensor[0])
    if join_kept(stacked, tensors, axis, result, thrown):
        return from_tensor(result)
    return declined(thrown)


cdef object tensors_joined_directly(bint stacked, object items, int axis):
    cdef PyObject** tensor = PySequence_Fast_ITEMS(items)
    cdef vector[Tensor] tensors
    cdef Tensor result
    cdef Thrown thrown
    cdef Py_ssize_t place, count = len(items)
    tensors.reserve(count)
    for place in range(count):
        if not is_tensor(<object>tensor[place]):
            return None
        tensors.push_back(unwrap(<object>tensor[place]))
        if tensors[place].scalar_type() != tensors[0].scalar_type() or tensors[place].dim() != tensors[0].dim():
            return None
    if not has_kernels(index_of(tensors[0].scalar_type())):
        return None
    if join_kept(stacked, tensors, axis, result, thrown):
        return wrap(result)
    return declined(thrown)


cdef object declined(const Thrown& thrown):
    """Return NotImplemented, for NumPy has errors of its own, where what was thrown is one of torch's."""
    try:
        rethrow(thrown)
    except (IndexError, RuntimeError):
        return NotImplemented
