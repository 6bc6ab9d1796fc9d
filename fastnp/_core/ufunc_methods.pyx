"""The methods of ufuncs: reduce and accumulate by our engine, reduceat and at by NumPy's on the same memory.

What is not plain goes by torch: reductions as the torch function that the ufunc's row names for them, or by folding.
"""
from libc.stdint cimport uint64_t

from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport dtype_index, numpy_dtype, torch_dtype
from fastnp._core.loops cimport LoopTable, Reduction, is_plain
from fastnp._core.ndarray cimport dtype_of, ndarray, thread_is_plain, to_torch
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.overrides cimport Containers, call_overrides, look_at, mode_listens, not_overridden, subclass_template
from fastnp._core.reduction cimport accumulate_plain, reduce_plain, to_axes
from fastnp._core.torch_tensor cimport is_tensor
from fastnp._core.ufunc_call cimport in_container
from fastnp._core.ufunc_torch cimport cast, check_out, new_from_torch, write_out

import numpy
import torch

cdef object NOT_OVERRIDDEN = not_overridden()
cdef object NOTHING = numpy._NoValue
# torch has few kernels for these: sums, products and extrema are exact on the signed view of the same width.
cdef dict SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
cdef tuple METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


cdef object ask(object function, str method, tuple arguments, tuple args, dict kwargs, Containers* seen):
    """Ask modes and hooks; the function they get is the bound method."""
    cdef list overloaded = None
    seen.tensors = seen.arrays = seen.subclass = False
    for argument in arguments:
        overloaded = look_at(argument, seen, overloaded)
    if overloaded is None and (thread_is_plain() or not mode_listens()):
        return NOT_OVERRIDDEN
    return call_overrides(getattr(function, method), overloaded, args, kwargs)


cdef ndarray array_of(object value):
    """Return the array a first argument stands for."""
    if isinstance(value, ndarray) or is_tensor(value) or isinstance(value, numpy.ndarray):
        return as_header(value)
    return as_array(value)


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
        as_header(out).tensor_.unsafeGetTensorImpl().bump_version()
    return 0


cdef object reduce(
    object function, LoopTable table, object array, object axis, object dtype, object out, object keepdims, object initial,
    object where
):
    cdef Containers seen
    if type(array) is ndarray and out is None and where is True and thread_is_plain():
        seen.tensors = seen.arrays = seen.subclass = False
    else:
        answer = ask(function, "reduce", (array, out, None if where is True else where), (array,),
                     reduce_options(axis, dtype, out, keepdims, initial, where), &seen)
        if answer is not NOT_OVERRIDDEN:
            return answer
    return reduce_array(table, array_of(array), axis, dtype, out, keepdims, initial, where, seen.tensors and not seen.arrays,
                        subclass_template((array,)) if seen.subclass else None)


cdef object reduce_array(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, object where,
    bint as_tensors, object template
):
    """Reduce an array; overrides have been asked."""
    cdef ndarray result, target = None, mask = None
    cdef uint64_t axes = 0
    cdef int wanted = -1
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
        mask = array_of(where)
        plain = plain and is_plain(mask)
    if not plain:
        return reduce_by_torch(table, source, axis, dtype, out, keepdims, initial, mask, as_tensors, template)
    result = None
    # NumPy: without a dtype the dtype of `out` takes part in the choice of the loop.
    if (asked or target is None or dtype_of(target) == dtype_of(source)) and type(keepdims) is bool and (
            source.tensor_.dim() > 0 and to_axes(axis, <int>source.tensor_.dim(), &axes)):
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
    return accumulate_array(table, array_of(array), axis, dtype, out, seen.tensors and not seen.arrays,
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
    if type(axis) is int and source.tensor_.dim() > 0 and (out is None or (
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


cdef object reduceat(object function, LoopTable table, object array, object indices, object axis, object dtype, object out):
    cdef Containers seen
    cdef ndarray source
    answer = ask(function, "reduceat", (array, out), (array, indices), keywords(axis, dtype, out), &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    source = array_of(array)
    template = subclass_template((array,)) if seen.subclass else None
    if not thread_is_plain() or not is_plain(source) or dtype_of(source) > 13:
        return reduceat_by_torch(function, source, indices, axis, dtype, out, seen.tensors and not seen.arrays, template)
    written(out)
    return in_container(call_numpy(table.numpy_ufunc.reduceat, (source, indices), keywords(axis, dtype, out)),
                        None if out is None else (out,), seen.tensors and not seen.arrays, template)


cdef object outer(object function, LoopTable table, tuple args, dict kwargs):
    cdef Containers seen
    cdef ndarray first, b
    if table.nin != 2 or len(args) != 2 or table.numpy_ufunc.signature is not None:
        return call_numpy(table.numpy_ufunc.outer, args, kwargs)
    answer = ask(function, "outer", args, args, kwargs, &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    # NumPy: scalars are arrays here, whose dtype counts.
    b = array_of(args[1])
    first = in_front(array_of(args[0]), <int>b.tensor_.dim())
    if not seen.arrays and seen.tensors:
        return function(to_torch(first), to_torch(b), **kwargs)
    return function(first, b, **kwargs)


cdef ndarray in_front(ndarray array, int ndim):
    """Return a view with `ndim` axes of length one after the array's own."""
    if ndim == 0:
        return array
    return array[(Ellipsis,) + (None,) * ndim]


cdef object at(object function, LoopTable table, object a, object indices, tuple values):
    cdef Containers seen
    cdef ndarray target
    answer = ask(function, "at", (a,) + values, (a, indices) + values, {}, &seen)
    if answer is not NOT_OVERRIDDEN:
        return answer
    if not isinstance(a, (ndarray, numpy.ndarray)) and not is_tensor(a):
        return call_numpy(table.numpy_ufunc.at, (a, indices) + values, {})
    target = as_header(a)
    for value in values:
        if (isinstance(value, ndarray) or is_tensor(value)) and not is_plain(as_header(value)):
            return at_by_torch(function, target, indices, values)
    if not thread_is_plain() or not is_plain(target) or dtype_of(target) > 13:
        return at_by_torch(function, target, indices, values)
    written(target)
    return call_numpy(table.numpy_ufunc.at, (target, indices) + values, {})


# --- by torch ---------------------------------------------------------------------------------------------------------

cdef list canonical_axes(object axis, int ndim):
    """Return the axes as a list of non-negative numbers; NumPy's errors."""
    if axis is None:
        return list(range(ndim))
    if ndim == 0 and axis in (0, -1):
        return []
    return list(numpy.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis"))


cdef object reduction_dtype(LoopTable table, ndarray source, object dtype):
    cdef int operand = dtype_of(source)
    cdef int wanted = dtype_index(dtype) if dtype is not None else -1
    cdef Reduction* entry
    if operand > 13:
        return torch_dtype(wanted if wanted >= 0 else operand)
    if wanted > 13:
        return torch_dtype(wanted)
    entry = table.find_reduction(operand, wanted)
    if entry.state != 1:
        table.numpy_ufunc.reduce(numpy.ones(2, numpy_dtype(operand)), dtype=dtype)
        raise TypeError(f"ufunc {table.name!r} has no reduction on torch for dtype {numpy_dtype(operand)}")
    return torch_dtype(entry.types[0])


cdef object identity_of(LoopTable table, object dtype, bint may_fail):
    if table.numpy_ufunc.identity is None:
        if may_fail:
            return None
        raise ValueError(f"zero-size array to reduction operation {table.name} which has no identity")
    return torch.tensor(table.numpy_ufunc.identity, dtype=dtype)


cdef object reduce_by_torch(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, ndarray mask,
    bint as_tensors, object template
):
    """Fold by the torch function of the ufunc, or by the reduction that torch has under another name."""
    cdef list axes = canonical_axes(axis, <int>to_torch(source).dim())
    cdef object tensor = to_torch(source)
    cdef object loop_dtype = reduction_dtype(table, source, dtype)
    if len(axes) > 1 and not table.reorderable:
        raise ValueError(f"reduction operation '{table.name}' is not reorderable, so at most one axis may be specified")
    tensor = cast(tensor, loop_dtype)
    start = None if initial is NOTHING or initial is None else torch.tensor(initial, dtype=loop_dtype, device=tensor.device)
    if mask is not None:
        neutral = start if start is not None else identity_of(table, loop_dtype, True)
        if neutral is None or initial is None:
            raise ValueError(f"reduction operation '{table.name}' does not have an identity, so to use a where mask one has to "
                             "specify 'initial'")
        fill = identity_of(table, loop_dtype, True)
        tensor = torch.where(to_torch(mask), tensor, (fill if fill is not None else neutral).to(tensor.device))
    result = folded(table, tensor, axes, loop_dtype, start is not None)
    if start is not None:
        result = start.expand(result.shape) if result is None else table.torch_function(start, result)
    result = cast(result, loop_dtype)
    if keepdims:
        for one in sorted(axes):
            result = result.unsqueeze(one)
    if out is not None:
        check_out(table, as_header(out), result, "unsafe" if dtype is None else "same_kind")
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object folded(LoopTable table, object tensor, list axes, object dtype, bint has_start):
    """Reduce the axes of a tensor of the loop's dtype, without an initial value."""
    name = table.name
    for one in axes:
        if tensor.shape[one] == 0:
            if has_start and table.numpy_ufunc.identity is None:
                shape = [size for position, size in enumerate(tensor.shape) if position not in axes]
                return torch.full(shape, 0, dtype=dtype, device=tensor.device)
            fill = identity_of(table, dtype, False)
            shape = [size for position, size in enumerate(tensor.shape) if position not in axes]
            return fill.to(tensor.device).expand(shape).clone()
    if not axes:
        return tensor.clone()
    signed = SIGNED.get(dtype)
    if signed is not None and name in ("add", "multiply"):
        return folded(table, tensor.view(signed), axes, signed, has_start).view(dtype)
    if signed is not None and name in ("maximum", "minimum"):
        lowest = torch.iinfo(signed).min
        return torch.bitwise_xor(
            folded(table, torch.bitwise_xor(tensor.view(signed), lowest), axes, signed, has_start), lowest).view(dtype)
    if name == "add":
        if dtype is torch.bool:
            return torch.any(tensor, tuple(axes))
        return torch.sum(tensor, tuple(axes), dtype=dtype)
    if name in ("maximum", "minimum") and not tensor.is_complex():
        return (torch.amax if name == "maximum" else torch.amin)(tensor, tuple(axes))
    if name == "logical_and":
        return torch.all(tensor, tuple(axes))
    if name == "logical_or":
        return torch.any(tensor, tuple(axes))
    for one in sorted(axes, reverse=True):
        if name == "multiply" and dtype is not torch.bool:
            tensor = torch.prod(tensor, one, dtype=dtype)
            continue
        parts = torch.unbind(tensor, one)
        tensor = parts[0].clone()
        for part in parts[1:]:
            tensor = cast(table.torch_function(tensor, part), dtype)
    return tensor


cdef object as_dtype(object tensor, object dtype):
    """Return the same bits as another dtype; the tensor itself where it has it, since such views lose the gradient."""
    return tensor if tensor.dtype is dtype else tensor.view(dtype)


cdef object accumulate_by_torch(LoopTable table, ndarray source, object axis, object dtype, object out, bint as_tensors,
                                object template):
    cdef object tensor = to_torch(source)
    cdef int along
    if tensor.dim() == 0:
        raise TypeError("cannot accumulate on a scalar")
    along = canonical_axes(axis, tensor.dim())[0]
    loop_dtype = reduction_dtype(table, source, dtype)
    tensor = cast(tensor, loop_dtype)
    signed = SIGNED.get(loop_dtype, loop_dtype)
    if table.name == "add" and loop_dtype is not torch.bool:
        result = as_dtype(torch.cumsum(as_dtype(tensor, signed), along, dtype=signed), loop_dtype)
    elif table.name == "multiply" and loop_dtype is not torch.bool:
        result = as_dtype(torch.cumprod(as_dtype(tensor, signed), along, dtype=signed), loop_dtype)
    elif tensor.shape[along] == 0:
        result = tensor.clone()
    else:
        parts = list(torch.unbind(tensor, along))
        for position in range(1, len(parts)):
            parts[position] = cast(table.torch_function(parts[position - 1], parts[position]), loop_dtype)
        result = torch.stack(parts, along)
    if out is not None:
        check_out(table, as_header(out), result, "same_kind")
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object reduceat_by_torch(object function, ndarray source, object indices, object axis, object dtype, object out,
                              bint as_tensors, object template):
    cdef object tensor = to_torch(source)
    cdef int along
    if tensor.dim() == 0:
        raise TypeError("cannot reduceat on a scalar")
    along = canonical_axes(axis, tensor.dim())[0]
    positions = [int(position) for position in numpy.asarray(indices)]
    length = tensor.shape[along]
    for position in positions:
        if not 0 <= position < length:
            raise IndexError(f"index {position} out-of-bounds in {function.__name__}.reduceat [0, {length})")
    parts = []
    for position, end in zip(positions, positions[1:] + [length]):
        part = tensor.narrow(along, position, max(end - position, 1))
        parts.append(function.reduce(part, axis=along, dtype=dtype, keepdims=True))
    result = torch.cat(parts, along) if parts else tensor.narrow(along, 0, 0)
    if out is not None:
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object at_by_torch(object function, ndarray target, object indices, tuple values):
    """Apply the function at each index in turn: where an index occurs twice the second sees the first's result."""
    name = function.__name__
    if name in ("add", "subtract") and len(values) == 1:
        # Accumulating index_put sums what falls on one element, in one differentiable call.
        tensor = to_torch(target)
        value = values[0] if type(values[0]) in (int, float) else to_torch(array_of(values[0]))
        value = torch.as_tensor(value, dtype=tensor.dtype, device=tensor.device)
        tensor.index_put_(torch_indices(indices), value if name == "add" else -value, accumulate=True)
        return None
    positions = numpy.arange(to_torch(target).numel()).reshape(tuple(to_torch(target).shape))[
        call_numpy(numpy.asarray, (indices,), {}) if not isinstance(indices, (tuple, slice, int)) else indices]
    flat = to_torch(target).view(-1)
    operands = [torch.as_tensor(value).expand(positions.shape).reshape(-1) if type(value) in (int, float)
                else to_torch(array_of(value)).expand(positions.shape).reshape(-1) for value in values]
    for place, position in enumerate(numpy.ravel(positions)):
        flat[int(position)] = to_torch(as_header(function(flat[int(position)], *[operand[place] for operand in operands])))
    return None


cdef tuple torch_indices(object indices):
    if type(indices) is not tuple:
        indices = (indices,)
    return tuple([to_torch(array_of(index)) for index in indices])
