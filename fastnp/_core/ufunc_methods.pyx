"""The methods of ufuncs: reduce and accumulate by our engine, reduceat and at by NumPy's on the same memory.

What is not plain goes by torch.
"""
from libc.stdint cimport int8_t, int64_t, intptr_t, uint64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_K, astype, is_stretched
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport INT64, ITEMSIZES, dtype_index
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, raised_float_flags
from fastnp._core.loops cimport (
    LoopTable,
    Reduction,
    fill_operand,
    is_plain,
    is_safe,
    new_result,
    report_float_flags,
)
from fastnp._core.ndarray cimport (
    MAXDIMS,
    alias,
    data_of,
    dtype_of,
    fill_strides,
    is_c_contiguous,
    ndarray,
    new_array,
    tensor_of,
    thread_is_plain,
    to_torch,
)
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.overrides cimport (
    Containers,
    call_overrides,
    clear,
    listens,
    look_at,
    not_overridden,
    subclass_template,
)
from fastnp._core.placement cimport Placement, follow_array
from fastnp._core.reduction cimport accumulate_plain, reduce_plain, to_axes
from fastnp._core.reduction_torch cimport accumulate_by_torch, at_by_torch, reduce_by_torch, reduceat_by_torch
from fastnp._core.scattering cimport at_plain
from fastnp._core.sequences cimport of_sequence
from fastnp._core.torch_tensor cimport is_tensor
from fastnp._core.ufunc_call cimport in_container

import numpy

cdef extern from "einsum.h" namespace "fastnp" nogil:
    void strides_of_result(int count, const Operand* operands, const int8_t (*maps)[64], int labels, const int64_t* sizes,
                           int kept, int dtype, int64_t* strides)

cdef object NOT_OVERRIDDEN = not_overridden()
cdef object NOTHING = numpy._NoValue
cdef tuple METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


cdef object ask(object function, str method, tuple arguments, tuple args, dict kwargs, Containers* seen):
    """Ask modes and hooks; the function they get is the bound method."""
    clear(seen)
    for argument in arguments:
        look_at(argument, seen)
    if not listens(seen):
        return NOT_OVERRIDDEN
    return call_overrides(getattr(function, method), seen, args, kwargs, function, method)


cdef dict keywords(object axis, object dtype, object out):
    options = {"axis": axis}
    if dtype is not None:
        options["dtype"] = dtype
    if out is not None:
        options["out"] = out
    return options


cdef int written(object out) except -1:
    """Count a write to `out`, which NumPy is about to make."""
    if type(out) is tuple:
        for one in out:
            written(one)
    elif out is not None and (isinstance(out, ndarray) or is_tensor(out)):
        as_header(out).header.bump_version()
    return 0


cdef object reduce(
    object function, LoopTable table, object array, object axis, object dtype, object out, object keepdims, object initial,
    object where
):
    cdef Containers seen
    if type(array) is ndarray and out is None and where is True and thread_is_plain():
        clear(&seen)
    else:
        answer = ask(function, "reduce", (array, out, None if where is True else where), (array,),
                     reduce_options(axis, dtype, out, keepdims, initial, where), &seen)
        if answer is not NOT_OVERRIDDEN:
            return answer
    return reduce_array(table, as_array(array), axis, dtype, out, keepdims, initial, where, seen.tensors and not seen.arrays,
                        subclass_template((array,)) if seen.subclass else None)


cdef object reduce_array(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, object where,
    bint as_tensors, object template
):
    """Reduce an array; overrides have been asked."""
    cdef ndarray result, target = None, mask = None
    cdef uint64_t axes = 0
    cdef int wanted = -1
    cdef Placement placement
    cdef bint plain = thread_is_plain() and is_plain(source) and dtype_of(source) < 14
    cdef bint asked = dtype is not None
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    if out is not None:
        if not isinstance(out, (ndarray, numpy.ndarray)) and not is_tensor(out):
            return call_numpy(table.numpy_ufunc.reduce, (source,), reduce_options(axis, dtype, out, keepdims, initial, where))
        target = as_header(out)
        plain = plain and is_plain(target)
    if where is not True:
        if not plain:
            placement.follow(tensor_of(source)[0])
        mask = as_array(where)
        plain = plain and is_plain(mask)
    if not plain:
        return reduce_by_torch(table, source, axis, dtype, out, keepdims, initial, mask, as_tensors, template)
    result = None
    # NumPy: without a dtype the dtype of `out` takes part in the choice of the loop.
    if (asked or target is None or dtype_of(target) == dtype_of(source)) and type(keepdims) is bool and (
            source.header.dim() > 0 and to_axes(axis, <int>source.header.dim(), &axes)):
        if asked:
            wanted = dtype_index(dtype)
        elif target is not None:
            wanted = dtype_of(target)
        if wanted < 14:
            result = reduce_plain(table, source, axes, keepdims, wanted, target, mask, initial)
    if result is None:
        written(out)
        return in_container(
            call_numpy(table.numpy_ufunc.reduce, (source,), reduce_options(axis, dtype, out, keepdims, initial, where)),
            None if out is None else (out,), as_tensors, template)
    if out is not None:
        return out
    return in_container(result, None, as_tensors, template)


cdef dict reduce_options(object axis, object dtype, object out, object keepdims, object initial, object where):
    options = keywords(axis, dtype, out)
    if keepdims is not False:
        options["keepdims"] = keepdims
    if initial is not NOTHING:
        options["initial"] = initial
    if where is not True:
        options["where"] = where
    return options


cdef object accumulate(object function, LoopTable table, object array, object axis, object dtype, object out):
    cdef Containers seen
    answer = ask(function, "accumulate", (array, out), (array,), keywords(axis, dtype, out), &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    return accumulate_array(table, as_array(array), axis, dtype, out, seen.tensors and not seen.arrays,
                            subclass_template((array,)) if seen.subclass else None)


cdef object accumulate_array(
    LoopTable table, ndarray source, object axis, object dtype, object out, bint as_tensors, object template
):
    """Accumulate an array; overrides have been asked."""
    cdef ndarray target = None, result = None
    cdef int wanted = -1
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    if out is not None and (isinstance(out, (ndarray, numpy.ndarray)) or is_tensor(out)):
        target = as_header(out)
    if not thread_is_plain() or not is_plain(source) or dtype_of(source) > 13 or (target is not None and not is_plain(target)):
        return accumulate_by_torch(table, source, axis, dtype, out, as_tensors, template)
    if type(axis) is int and source.header.dim() > 0 and (out is None or (
            target is not None and (dtype is not None or dtype_of(target) == dtype_of(source)))):
        if dtype is not None:
            wanted = dtype_index(dtype)
        elif target is not None:
            wanted = dtype_of(target)
        if wanted < 14:
            result = accumulate_plain(table, source, axis, wanted, target)
    if result is None:
        written(out)
        return in_container(call_numpy(table.numpy_ufunc.accumulate, (source,), keywords(axis, dtype, out)),
                            None if out is None else (out,), as_tensors, template)
    if out is not None:
        return out
    return in_container(result, None, as_tensors, template)


cdef ndarray reduced_slices(ndarray source, int axis, int64_t count):
    """Return memory for so many reduced slices; NumPy's iterator meets the other axes by the operand's strides."""
    cdef Operand operand
    cdef int8_t axes[1][MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int64_t shape[MAXDIMS]
    cdef int place, ndim = source.header.dim(), dtype = dtype_of(source)
    cdef bint in_order = True
    fill_operand(&operand, source)
    for place in range(ndim):
        shape[place], axes[0][place] = source.header.sizes()[place], <int8_t>place
        in_order = in_order and (place == 0 or abs(operand.strides[place]) <= abs(operand.strides[place - 1]))
    shape[axis], axes[0][axis] = count, -1
    # (Of two axes the one beside its own has no other to be met before.)
    if in_order or ndim <= 2:
        return new_array(dtype, ndim, shape)
    strides_of_result(1, &operand, axes, ndim, shape, ndim, dtype, strides)
    return new_result(dtype, ndim, shape, strides)


cdef ndarray reduceat_plain(LoopTable table, ndarray source, object indices, int axis):
    """Reduce slices along an axis by a loop of one dtype; None where that takes NumPy's general rules."""
    cdef Reduction* entry
    cdef ndarray result, places = None
    cdef int dtype = dtype_of(source), item, ndim = source.header.dim(), place
    cdef int64_t count, number, size
    cdef int64_t strides[MAXDIMS]
    cdef int64_t into_strides[MAXDIMS]
    cdef int64_t shape[MAXDIMS]
    cdef int64_t index[MAXDIMS]
    cdef char* data
    cdef char* into
    cdef const int64_t* numbers
    cdef unsigned flags
    axis += ndim if axis < 0 else 0
    if not 0 <= axis < ndim or table.nin != 2:
        return None
    if type(indices) is ndarray:
        places = <ndarray>indices
    elif type(indices) is list:
        places = of_sequence(indices, False)
    if places is None or dtype_of(places) != INT64 or places.header.dim() != 1 or not (
            is_plain(places) and is_c_contiguous(places)):
        return None
    entry = table.find_reduction(dtype, -1)
    if entry.state != 1 or entry.types[0] != entry.types[1] or entry.types[1] != entry.types[2]:
        return None
    size = source.header.numel()
    if size >= RELEASE_FROM or size == 0 or entry.raises:
        return None
    count = places.header.numel()
    numbers = <const int64_t*>data_of(places)
    for number in range(count):
        if not 0 <= numbers[number] < source.header.sizes()[axis]:
            return None
    if entry.types[0] != dtype:
        if not is_safe(dtype, entry.types[0]) or is_stretched(source):
            return None
        dtype = entry.types[0]
        source = astype(source, dtype, ORDER_K, False)
    item = ITEMSIZES[dtype]
    for place in range(ndim):
        shape[place], index[place] = source.header.sizes()[place], 0
    size, shape[axis] = shape[axis], count
    result = reduced_slices(source, axis, count)
    fill_strides(source, strides)
    fill_strides(result, into_strides)
    data, into = data_of(source), data_of(result)
    clear_float_flags(entry.software)
    while True:
        reduce_slices(entry, item, data, strides[axis], size, into, into_strides[axis], numbers, count)
        place = ndim - 1
        while place >= 0:
            if place != axis:
                data += strides[place]
                into += into_strides[place]
                index[place] += 1
                if index[place] < shape[place]:
                    break
                data -= strides[place] * shape[place]
                into -= into_strides[place] * shape[place]
                index[place] = 0
            place -= 1
        if place < 0:
            break
    flags = raised_float_flags(entry.software)
    if flags:
        report_float_flags(flags, "reduceat")
    return result


cdef void reduce_slices(Reduction* entry, int item, char* data, int64_t step, int64_t size, char* into, int64_t into_step,
                        const int64_t* numbers, int64_t count) noexcept:
    """Reduce the slices of one line; steps are in bytes."""
    cdef int64_t number, start, end
    cdef intptr_t length
    cdef intptr_t[3] steps
    cdef char* args[3]
    steps = [0, step, 0]
    for number in range(count):
        start = numbers[number]
        end = numbers[number + 1] if number + 1 < count else size
        args[0] = args[2] = into + number * into_step
        args[1] = data + (start + 1) * step
        if item == 8:
            memcpy(args[0], data + start * step, 8)
        else:
            memcpy(args[0], data + start * step, item)
        length = end - start - 1
        if length > 0:
            entry.loop.function(args, &length, steps, entry.loop.data)


cdef object reduceat(object function, LoopTable table, object array, object indices, object axis, object dtype, object out):
    cdef Containers seen
    cdef ndarray source
    answer = ask(function, "reduceat", (array, out), (array, indices), keywords(axis, dtype, out), &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    source = as_array(array)
    template = subclass_template((array,)) if seen.subclass else None
    if not thread_is_plain() or not is_plain(source) or dtype_of(source) > 13:
        return reduceat_by_torch(function, table, source, indices, axis, dtype, out, seen.tensors and not seen.arrays, template)
    if type(axis) is int and -MAXDIMS <= axis < MAXDIMS and dtype is None and out is None:
        result = reduceat_plain(table, source, indices, axis)
        if result is not None:
            return in_container(result, None, seen.tensors and not seen.arrays, template)
    written(out)
    return in_container(call_numpy(table.numpy_ufunc.reduceat, (source, indices), keywords(axis, dtype, out)),
                        None if out is None else (out,), seen.tensors and not seen.arrays, template)


cdef object outer(object function, LoopTable table, tuple args, dict kwargs):
    cdef Containers seen
    cdef Placement placement
    cdef ndarray first, b
    if table.nin != 2 or len(args) != 2 or table.numpy_ufunc.signature is not None:
        return call_numpy(table.numpy_ufunc.outer, args, kwargs)
    answer = ask(function, "outer", args, args, kwargs, &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    if seen.elsewhere is not NULL:
        follow_array(&placement, seen.elsewhere)
    # NumPy: scalars are arrays here, whose dtype counts.
    b = as_array(args[1])
    first = as_array(args[0])
    if first.header.dim() + b.header.dim() > MAXDIMS:
        raise ValueError(
            f"maximum supported dimension for an ndarray is {MAXDIMS}, but `{table.name}.outer()` result would have "
            f"{first.header.dim() + b.header.dim()}."
        )
    if not seen.arrays and seen.tensors:
        return function(to_torch(in_front(first, <int>b.header.dim())), to_torch(b), **kwargs)
    template = subclass_template(args) if seen.subclass else None
    out = kwargs.get("out")
    result = function(in_front(as_base(first), <int>b.header.dim()), as_base(b), **kwargs)
    return in_container(result, None if out is None else out if type(out) is tuple else (out,), False, template)


cdef ndarray as_base(ndarray source):
    """Return another header of the class itself on the same elements."""
    cdef ndarray array = alias(source)
    array.flipped = source.flipped
    return array


cdef ndarray in_front(ndarray array, int ndim):
    """Return a view with `ndim` axes of length one after the array's own."""
    if ndim == 0:
        return array
    return array[(Ellipsis,) + (None,) * ndim]


cdef object at(object function, LoopTable table, object a, object indices, tuple values):
    cdef Containers seen
    cdef ndarray target
    cdef ndarray places = None
    if type(a) is ndarray and len(values) == 1 and thread_is_plain():
        if type(indices) is ndarray:
            places = <ndarray>indices
        elif type(indices) is list:
            places = of_sequence(indices, False)
        elif type(indices) is int:
            places = of_sequence([indices], False)
        if places is not None and at_plain(table, <ndarray>a, places, values[0]):
            return None
    answer = ask(function, "at", (a,) + values, (a, indices) + values, {}, &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    if not isinstance(a, (ndarray, numpy.ndarray)) and not is_tensor(a):
        return call_numpy(table.numpy_ufunc.at, (a, indices) + values, {})
    target = as_header(a)
    for value in values:
        if (isinstance(value, ndarray) or is_tensor(value)) and not is_plain(as_header(value)):
            return at_by_torch(function, table, target, indices, values)
    if not thread_is_plain() or not is_plain(target) or dtype_of(target) > 13:
        return at_by_torch(function, table, target, indices, values)
    written(target)
    return call_numpy(table.numpy_ufunc.at, (target, indices) + values, {})
