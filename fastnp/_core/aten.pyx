"""ATen's operators as torch's Python functions call them, without these around."""
from cpython.complex cimport PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from fastnp._core.libtorch.ArrayRef cimport IntArrayRef
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.overrides cimport mode_listens
from fastnp._core.torch_tensor cimport asks_no_class

import torch

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1
    bint PySlice_Check(object)
    int PySlice_Unpack(object slice, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t* step) except -1
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t step) noexcept

cdef extern from "aten.h" namespace "fastnp":
    Scalar complex_scalar(double, double)
    cppclass EntryCounts:
        int found, asked
    EntryCounts entry_counts
    int find_operator(const char*, size_t) except +translate_torch_error
    Tensor call_operator(int, const Tensor&) except +translate_torch_error
    Tensor call_operator(int, const Tensor&, const Tensor&) except +translate_torch_error
    Tensor call_operator(int, const Tensor&, const Scalar&) except +translate_torch_error
    int writing_counterpart(int)
    int find_writing_operator(const char*) except +translate_torch_error
    void call_writing_operator(int, const Tensor*, const Tensor&) except +translate_torch_error
    Tensor number_tensor(const Scalar&) except +translate_torch_error
    Tensor cast_tensor(const Tensor&, int) except +translate_torch_error
    Tensor where_tensor(const Tensor&, const Tensor&, const Tensor&) except +translate_torch_error
    Tensor where_tensor(const Tensor&, const Tensor&, const Scalar&, bint) except +translate_torch_error
    Tensor clamp_tensor(const Tensor&, const Scalar&, const Scalar&) except +translate_torch_error
    Tensor reduce_tensor(int, const Tensor&, bint, IntArrayRef, bint, int) except +translate_torch_error
    Tensor moment_of_tensor(bint, const Tensor&, bint, IntArrayRef, bint, int64_t) except +translate_torch_error

    Tensor join_tensors(bint, const vector[Tensor]&, int64_t) except +translate_torch_error
    Tensor reshape_tensor(const Tensor&, IntArrayRef) except +translate_torch_error
    Tensor reorder_tensor(int, const Tensor&, IntArrayRef) except +translate_torch_error
    Tensor roll_tensor(const Tensor&, IntArrayRef, IntArrayRef) except +translate_torch_error
    bint is_symbolic(const Tensor&)
    Tensor select_part(const Tensor&, int64_t, int64_t) except +translate_torch_error
    Tensor slice_part(const Tensor&, int64_t, int64_t, int64_t, int64_t) except +translate_torch_error
    Tensor unsqueeze_part(const Tensor&, int64_t) except +translate_torch_error

cdef object BUILTIN = type(torch.add)


cdef bint is_direct(const Tensor& tensor) except -1:
    return asks_no_class(tensor) and not (function_mode_enabled() and mode_listens())


# --- elementwise ------------------------------------------------------------------------------------------------------

cdef int operator_of(object function, int tensors) except -2:
    if type(function) is not BUILTIN:
        return -1
    name = function.__name__
    if getattr(torch, name, None) is not function and (
            getattr(torch.linalg, name.removeprefix("linalg_"), None) is not function):
        return -1
    return find_operator(function.__name__.encode(), tensors)


def entries() -> tuple[int, int]:
    """Return how many overloads of operators torch's own functions call, and how many were looked for."""
    return entry_counts.found, entry_counts.asked


cdef Tensor call_unary(int operator, const Tensor& a) except *:
    return call_operator(operator, a)


cdef Tensor call_binary(int operator, const Tensor& a, const Tensor& b) except *:
    return call_operator(operator, a, b)


cdef bint call_into(int operator, const Tensor* operands, const Tensor& out) except -1:
    cdef int writing = writing_counterpart(operator)
    if writing < 0:
        return False
    call_writing_operator(writing, operands, out)
    return True


cdef int writing_operator(str name) except -1:
    cdef int found = find_writing_operator(name.encode())
    if found < 0:
        raise RuntimeError(f"this torch has no operator aten::{name} that writes into a tensor")
    return found


cdef int write_direct(int operator, const Tensor* operands, const Tensor& out) except -1:
    call_writing_operator(operator, operands, out)
    return 0


cdef bint fill_scalar(object value, Scalar* into) except -1:
    cdef int overflow = 0
    cdef long long integer
    if PyFloat_CheckExact(value):
        into[0] = Scalar(PyFloat_AS_DOUBLE(value))
    elif PyLong_CheckExact(value):
        integer = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            return False
        into[0] = Scalar(<int64_t>integer)
    elif PyComplex_CheckExact(value):
        into[0] = complex_scalar(PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value))
    else:
        return False
    return True


cdef bint call_with_number(int operator, const Tensor& a, object b, Tensor* into) except -1:
    cdef Scalar scalar
    if not operator_takes_number(operator) or not fill_scalar(b, &scalar):
        return False
    into[0] = call_operator(operator, a, scalar)
    return True


cdef bint fill_number(object value, Tensor* into) except -1:
    cdef Scalar scalar
    if not fill_scalar(value, &scalar):
        return False
    into[0] = number_tensor(scalar)
    return True


cdef Tensor cast_direct(const Tensor& tensor, int dtype) except *:
    return cast_tensor(tensor, dtype)


cdef Tensor where_direct(const Tensor& condition, const Tensor& x, const Tensor& y) except *:
    return where_tensor(condition, x, y)


cdef bint where_number_direct(const Tensor& condition, const Tensor& tensor, object number, bint first, Tensor* into) except -1:
    cdef Scalar scalar
    if not fill_scalar(number, &scalar):
        return False
    into[0] = where_tensor(condition, tensor, scalar, first)
    return True


cdef bint clamp_direct(const Tensor& tensor, object low, object high, Tensor* into) except -1:
    cdef Scalar least, most
    if not fill_scalar(low, &least) or not fill_scalar(high, &most):
        return False
    into[0] = clamp_tensor(tensor, least, most)
    return True


# --- reductions -------------------------------------------------------------------------------------------------------

cdef Tensor reduce_direct(int reduction, const Tensor& tensor, const int64_t* axes, int count, bint keepdim, int dtype) except *:
    return reduce_tensor(reduction, tensor, count < 0, IntArrayRef(axes, count if count > 0 else 0), keepdim, dtype)


cdef Tensor moment_direct(
    bint root, const Tensor& tensor, const int64_t* axes, int count, bint keepdim, int64_t correction
) except *:
    return moment_of_tensor(root, tensor, count < 0, IntArrayRef(axes, count if count > 0 else 0), keepdim, correction)


# --- joins and views --------------------------------------------------------------------------------------------------

cdef Tensor join_direct(bint stacked, const vector[Tensor]& tensors, int64_t axis) except *:
    return join_tensors(stacked, tensors, axis)


cdef Tensor reshape_direct(const Tensor& tensor, const int64_t* shape, int count) except *:
    return reshape_tensor(tensor, IntArrayRef(shape, count))


cdef Tensor reorder_direct(int reordering, const Tensor& tensor, const int64_t* axes, int count) except *:
    return reorder_tensor(reordering, tensor, IntArrayRef(axes, count))


cdef Tensor roll_direct(const Tensor& tensor, const int64_t* shifts, const int64_t* axes, int count) except *:
    return roll_tensor(tensor, IntArrayRef(shifts, count if axes is not NULL else 1), IntArrayRef(axes, count))


cdef bint index_direct(const Tensor& tensor, object key, Tensor* into) except -1:
    cdef int axis = 0, used = 0
    cdef bint changed = False
    if is_symbolic(tensor):
        return False
    into[0] = tensor
    if type(key) is not tuple:
        return step_into(into, key, 0, &axis, &changed) and changed
    for part in <tuple>key:
        used += part is not None and part is not Ellipsis
    if used > tensor.dim():
        return False
    for part in <tuple>key:
        if not step_into(into, part, <int>tensor.dim() - used, &axis, &changed):
            return False
    return changed


cdef bint step_into(Tensor* view, object part, int skipped, int* axis, bint* changed) except -1:
    """Go on to what a part of a key leaves of a view; an Ellipsis skips as many axes. False for what is not one of torch's."""
    cdef Py_ssize_t start, stop, step, given_start, given_stop
    cdef int overflow = 0
    cdef int64_t index, size
    if part is Ellipsis:
        axis[0] += skipped
        return True
    if part is None:
        view[0] = unsqueeze_part(view[0], axis[0])
        axis[0] += 1
        changed[0] = True
        return True
    if axis[0] >= view.dim():
        return False
    size = view.sizes()[axis[0]]
    if PyLong_CheckExact(part):
        index = PyLong_AsLongLongAndOverflow(part, &overflow)
        if overflow or not -size <= index < size:
            return False
        view[0] = select_part(view[0], axis[0], index)
        changed[0] = True
        return True
    if not PySlice_Check(part):
        return False
    PySlice_Unpack(part, &start, &stop, &step)
    if step < 1:
        return False
    given_start, given_stop = start, stop
    PySlice_AdjustIndices(size, &start, &stop, step)
    # torch: a slice of all is no operation.
    if start != 0 or stop != size or step != 1:
        view[0] = slice_part(view[0], axis[0], given_start, given_stop, step)
        changed[0] = True
    axis[0] += 1
    return True
