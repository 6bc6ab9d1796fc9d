"""The methods of ufuncs by torch: gradients, transforms, modes, other devices, bfloat16 and float8.

torch reduces sums, products, extrema and truth; what else there is gets folded, one step of the ufunc to an element.
"""
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from fastnp._core.aten cimport (
    TORCH_ALL,
    TORCH_AMAX,
    TORCH_AMIN,
    TORCH_ANY,
    TORCH_ARGMAX,
    TORCH_ARGMIN,
    TORCH_CUMPROD,
    TORCH_CUMSUM,
    TORCH_PROD,
    TORCH_SUM,
    Thrown,
    is_direct,
    reduce_direct,
    reduce_kept,
    rethrow,
)
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    INT64,
    NUM_NUMPY_DTYPES,
    dtype_index,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Reduction, table_of
from fastnp._core.ndarray cimport MAXDIMS, check_writeable, dtype_of, ndarray, tensor_of, to_tensor, to_torch
from fastnp._core.numpy_errors cimport raise_as_numpy
from fastnp._core.operands cimport as_header, call_numpy
from fastnp._core.reduction cimport to_axes
from fastnp._core.placement cimport Placement
from fastnp._core.torch_tensor cimport asks_no_class, is_tensor, wrap
from fastnp._core.ufunc_call cimport goes_into
from fastnp._core.ufunc_torch cimport apply, as_dtype, cast, check_out, has_kernels, new_from_torch, new_general, write_out
from fastnp._core.stored_dtypes cimport FLOAT8, SIGNED

import math

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_tuple

from fastnp._core.fancy_torch import least_in_bounds
from fastnp._core.stored_dtypes import as_ordered, orderable

cdef extern from "Python.h":
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef object NOTHING = numpy._NoValue
cdef frozenset EXTREMA = frozenset(("fmax", "fmin", "maximum", "minimum"))
cdef frozenset LOGICAL = frozenset(("logical_and", "logical_or", "logical_xor"))
# What leaves the other operand of a ufunc that torch reduces as it is.
cdef dict NEUTRAL = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False}


cdef list canonical_axes(object axis, int ndim):
    """Return the axes as a list of non-negative numbers; NumPy's errors."""
    if axis is None:
        return list(range(ndim))
    if ndim == 0 and axis in (0, -1):
        return []
    return list(normalize_axis_tuple(axis, ndim, "axis"))


cdef int only_axis(str method, object axis, int ndim) except -1:
    """Return the one axis of a method that takes one alone."""
    if ndim == 0:
        raise TypeError(f"cannot {method} on a scalar")
    axes = canonical_axes(axis, ndim)
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


cdef object loop_dtype_of(LoopTable table, ndarray source, object dtype, str method):
    """Return the dtype in which an array is reduced; NumPy's error where it has no such reduction."""
    cdef int operand = dtype_of(source)
    cdef int wanted = dtype_index(dtype) if dtype is not None else -1
    cdef Reduction* entry
    if operand > 13:
        # NumPy's tables have no loops of these dtypes.
        if table.name in LOGICAL:
            return torch.bool
        return torch_dtype(wanted if wanted >= 0 else operand)
    if wanted > 13:
        return torch_dtype(wanted)
    entry = table.find_reduction(operand, wanted)
    if entry.state != 1 or (entry.types[0] != entry.types[1] and method != "reduce"):
        getattr(table.numpy_ufunc, method)(numpy.ones(2, numpy_dtype(operand)), dtype=dtype)
        raise TypeError(f"ufunc {table.name!r} has no reduction on torch for dtype {numpy_dtype(operand)}")
    return torch_dtype(entry.types[0])


cdef object constant(object value, object dtype, object device):
    """Return a 0-d tensor of a value that NumPy finds a place for in the dtype."""
    if isinstance(value, ndarray) or is_tensor(value):
        return cast(to_torch(as_header(value)), dtype)
    packed = numpy.empty((), numpy_dtype(dtype_index(dtype)))
    packed[...] = value  # NumPy: of a number that does not fit, an error
    return torch.tensor(packed.item(), dtype=dtype, device=device)


cdef object identity_of(LoopTable table, object dtype, object device):
    """Return the identity as a 0-d tensor, or None where the ufunc has none."""
    identity = table.numpy_ufunc.identity
    if identity is None:
        return None
    # NumPy: that of bitwise_and is -1, all bits set, of an unsigned dtype as well.
    return torch.tensor(numpy.array(identity).astype(numpy_dtype(dtype_index(dtype))).item(), dtype=dtype, device=device)


# --- by one call of torch ---------------------------------------------------------------------------------------------

cdef dict OPERATORS = {
    torch.all: TORCH_ALL, torch.amax: TORCH_AMAX, torch.amin: TORCH_AMIN, torch.any: TORCH_ANY, torch.cumprod: TORCH_CUMPROD,
    torch.cumsum: TORCH_CUMSUM, torch.prod: TORCH_PROD, torch.sum: TORCH_SUM,
}


cdef class Counterparts:
    """What torch has for the methods of a ufunc."""
    cdef object reduction, accumulation  # or None
    cdef int reduces, accumulates  # their operators
    cdef bint adds, multiplies, compares

    def __init__(self, name, reduction, accumulation=None):
        self.reduction, self.accumulation = reduction, accumulation
        self.reduces, self.accumulates = OPERATORS[reduction], OPERATORS.get(accumulation, -1)
        self.multiplies = name == "multiply"
        self.adds = self.multiplies or name == "add"
        self.compares = name in EXTREMA


for row in (("add", torch.sum, torch.cumsum), ("logical_and", torch.all), ("logical_or", torch.any),
            ("maximum", torch.amax), ("minimum", torch.amin), ("multiply", torch.prod, torch.cumprod)):
    table_of(getattr(numpy, row[0])).counterparts = Counterparts(*row)
cdef tuple KEYWORD_OF_DTYPE = ("dtype",)
cdef object YES = True


cdef object one_call_axes(object axis, int ndim):
    """Return axes as torch takes them: None for all, an int, or a tuple; NotImplemented where NumPy has a say."""
    cdef uint64_t axes = 0
    if axis is None:
        return None
    if not (PyLong_CheckExact(axis) or type(axis) is tuple and len(<tuple>axis) > 0) or not to_axes(axis, ndim, &axes):
        return NotImplemented
    return axis


cdef object one_call(object function, object tensor, object axes, bint keepdims, object dtype):
    """Call a reduction of torch with no more arguments than it takes."""
    cdef PyObject* arguments[4]
    cdef size_t count = 1
    arguments[0] = <PyObject*>tensor
    if axes is not None or keepdims:
        arguments[1] = <PyObject*>axes
        count = 2
        if keepdims:
            arguments[2] = <PyObject*>YES
            count = 3
    if dtype is None:
        return PyObject_Vectorcall(function, arguments, count, NULL)
    arguments[count] = <PyObject*>dtype
    return PyObject_Vectorcall(function, arguments, count, <PyObject*>KEYWORD_OF_DTYPE)


cdef int fill_axes(object axes, int64_t* positions) except -2:
    """Fill axes as `one_call_axes` returns them; their number, or -1 for all."""
    cdef int count = 0
    if axes is None:
        return -1
    if type(axes) is not tuple:
        positions[0] = axes
        return 1
    for axis in <tuple>axes:
        positions[count] = axis
        count += 1
    return count


cdef inline bint is_by_itself(int operand, int loop) noexcept:
    """Whether torch computes sums and products of a dtype in this one without being told."""
    return operand == loop if operand >= FLOAT16 else loop == INT64


cdef int reduced_dtype(LoopTable table, Counterparts torchs, int operand, int wanted) except -2:
    """Return the dtype of what torch reduces an operand to as NumPy does; -1 where it does not."""
    cdef Reduction* entry
    if torchs.compares and (operand == BOOL or operand == COMPLEX64 or operand == COMPLEX128):
        return -1
    if operand == BFLOAT16 and wanted < 0:
        return BFLOAT16 if torchs.adds or torchs.compares else BOOL
    if not has_kernels(operand):
        return -1
    entry = table.find_reduction(operand, wanted)
    if entry.state != 1 or not has_kernels(entry.types[0]) or (torchs.adds and entry.types[0] == BOOL):
        return -1
    return entry.types[0]


cdef object reduced_directly(LoopTable table, ndarray source, PyObject* axis):
    """Reduce an array over one axis or all of them by one call of ATen's operator; None where there is more to it."""
    cdef int operand = source.header.dtype(), into
    cdef int64_t position = 0
    cdef const Tensor* tensor
    cdef Counterparts torchs = table.counterparts
    cdef Tensor result
    cdef Thrown thrown
    if torchs is None or source.flipped or function_mode_enabled():
        return None
    if axis is not NULL and axis != <PyObject*>None:
        position = axis_of(axis, source.header.dim())
        if position == NO_AXIS:
            return None
        position = <object>axis  # torch's modes see it as it was said
    into = reduced_dtype(table, torchs, operand, -1)
    if into < 0:
        return None
    tensor = tensor_of(source)
    if not asks_no_class(tensor[0]):
        return None
    if not reduce_kept(torchs.reduces, tensor[0], axis is NULL or axis == <PyObject*>None, position,
                       -1 if not torchs.adds or is_by_itself(operand, into) else into, result, thrown):
        return failed(torchs, thrown)
    return new_general(result, into)


cdef object failed(Counterparts torchs, const Thrown& thrown):
    try:
        rethrow(thrown)
    except (IndexError, RuntimeError):
        # Of no elements: NumPy has another error.
        if torchs.adds:
            raise


cdef object reduced_at_once(LoopTable table, ndarray source, object axis, object dtype, object keepdims):
    """Reduce by one call of torch; None where there is more to it."""
    cdef int64_t positions[MAXDIMS]
    cdef int operand = dtype_of(source), wanted = -1, ndim = source.header.dim(), into, told, count
    cdef Tensor tensor
    cdef Counterparts torchs = table.counterparts
    if torchs is None or type(keepdims) is not bool:
        return None
    if dtype is not None:
        wanted = dtype_index(dtype)
        if wanted >= NUM_NUMPY_DTYPES or not torchs.adds:
            return None
    into = reduced_dtype(table, torchs, operand, wanted)
    if into < 0:
        return None
    axes = one_call_axes(axis, ndim)
    if axes is NotImplemented:
        return None
    if axes is None and keepdims:
        axes = tuple(range(ndim))
    if torchs.multiplies and type(axes) is tuple:
        if len(<tuple>axes) != 1:
            return None
        axes = (<tuple>axes)[0]
    if ndim == 0 and type(axes) is tuple:
        axes = None
    told = -1 if not torchs.adds or is_by_itself(operand, into) else into
    tensor = to_tensor(source)
    try:
        if is_direct(tensor):
            count = fill_axes(axes, positions)
            return new_general(
                reduce_direct(torchs.reduces, tensor, positions, count, keepdims and ndim > 0, told), into)
        result = one_call(
            torchs.reduction, wrap(tensor), axes, keepdims and ndim > 0, None if told < 0 else torch_dtype(told))
    except (IndexError, RuntimeError):
        # Of no elements: NumPy has another error.
        if torchs.adds:
            raise
        return None
    return as_dtype(result, into, True, None)


cdef object accumulated_at_once(LoopTable table, ndarray source, object axis, object dtype):
    """Accumulate by one call of torch; None where there is more to it."""
    cdef int64_t position
    cdef int operand = dtype_of(source), wanted = -1, ndim = source.header.dim(), told
    cdef Tensor tensor
    cdef Reduction* entry
    cdef Counterparts torchs = table.counterparts
    if torchs is None or torchs.accumulation is None or not has_kernels(operand) or ndim == 0 or not PyLong_CheckExact(axis):
        return None
    if dtype is not None:
        wanted = dtype_index(dtype)
        if wanted >= NUM_NUMPY_DTYPES:
            return None
    entry = table.find_reduction(operand, wanted)
    if entry.state != 1 or not has_kernels(entry.types[0]) or entry.types[0] == BOOL or not -ndim <= axis < ndim:
        return None
    told = -1 if is_by_itself(operand, entry.types[0]) else entry.types[0]
    tensor = to_tensor(source)
    if is_direct(tensor):
        position = axis
        return new_general(reduce_direct(torchs.accumulates, tensor, &position, 1, False, told), entry.types[0])
    return as_dtype(
        one_call(torchs.accumulation, wrap(tensor), axis, False, None if told < 0 else torch_dtype(told)), entry.types[0],
        True, None)


cdef object position_at_once(ndarray array, object axis, bint keepdims, bint smallest):
    """Return the positions of extrema by one call of torch; None where there is more to it."""
    cdef int dtype = dtype_of(array), ndim = array.header.dim()
    cdef int64_t position = NO_AXIS
    cdef Tensor tensor
    if not has_kernels(dtype) or dtype == BOOL or dtype >= COMPLEX64:
        return None
    if axis is not None:
        position = axis_of(<PyObject*>axis, ndim)
        if position == NO_AXIS:
            return None
    elif keepdims:
        return None
    function = torch.argmin if smallest else torch.argmax
    try:
        tensor = to_tensor(array)
        if is_direct(tensor):
            return new_general(
                reduce_direct(TORCH_ARGMIN if smallest else TORCH_ARGMAX, tensor, &position, -1 if axis is None else 1,
                              keepdims, -1), INT64)
        if axis is None:
            return function(wrap(tensor))
        return function(wrap(tensor), axis, True) if keepdims else function(wrap(tensor), axis)
    except (IndexError, RuntimeError):  # of no elements: NumPy has another error
        return None


# --- reduce -----------------------------------------------------------------------------------------------------------

cdef object reduce_by_torch(
    LoopTable table, ndarray source, object axis, object dtype, object out, object keepdims, object initial, ndarray mask,
    bint as_tensors, object template
):
    if mask is None and initial is NOTHING:
        reduced_tensor = reduced_at_once(table, source, axis, dtype, keepdims)
        if reduced_tensor is not None:
            if out is None:
                return new_from_torch(reduced_tensor, as_tensors, template)
            if type(out) is ndarray and goes_into(<ndarray>out, reduced_tensor):
                return out
            reduced_tensor = to_torch(as_header(reduced_tensor))
            check_out(table, as_header(out), reduced_tensor, "unsafe" if dtype is None else "same_kind")
            return write_out(out, reduced_tensor)
    cdef object tensor = to_torch(source)
    cdef list axes = canonical_axes(axis, tensor.dim())
    if mask is not None and mask.shape != source.shape:
        numpy.broadcast_to(numpy.broadcast_to(False, mask.shape), source.shape)
    cdef object loop_dtype = loop_dtype_of(table, source, dtype, "reduce")
    cdef object start = None
    if len(axes) > 1 and not table.reorderable:
        raise ValueError(f"reduction operation '{table.name}' is not reorderable, so at most one axis may be specified")
    tensor = cast(tensor, loop_dtype)
    if initial is NOTHING:
        start = identity_of(table, loop_dtype, tensor.device)
    elif initial is not None:
        start = constant(initial, loop_dtype, tensor.device)
    if start is None and mask is not None:
        raise ValueError(f"reduction operation '{table.name}' does not have an identity, so to use a where mask one has to "
                         "specify 'initial'")
    kept = [size for position, size in enumerate(tensor.shape) if position not in axes]
    if any([tensor.shape[one] == 0 for one in axes]):
        if start is None:
            raise ValueError(f"zero-size array to reduction operation {table.name} which has no identity")
        result = start.expand(kept).clone()
    else:
        result = reduced(table, tensor, axes, loop_dtype, start, initial is NOTHING,
                         None if mask is None else to_torch(mask).expand(tensor.shape))
    result = cast(result, loop_dtype)
    if keepdims:
        for one in sorted(axes):
            result = result.unsqueeze(one)
    if out is not None:
        check_out(table, as_header(out), result, "unsafe" if dtype is None else "same_kind")
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object reduced(
    LoopTable table, object tensor, list axes, object dtype, object start, bint start_is_identity, object mask
):
    """Reduce axes, none of them empty, from `start` on (None: from the first elements)."""
    if dtype in FLOAT8:
        wide = torch.float32
        return reduced(table, tensor.to(wide), axes, wide, None if start is None else start.to(wide), start_is_identity, mask)
    cdef bint extremum = table.name in EXTREMA
    if not axes:
        steps = tensor if start is None else step(table, start.expand(tensor.shape), tensor, dtype)
        return steps.clone() if mask is None else torch.where(mask, steps, start)
    if not extremum and (table.name not in NEUTRAL or (dtype is torch.bool and table.name in ("add", "multiply"))):
        return folded(table, tensor, axes, dtype, start, mask)
    if mask is not None:
        neutral = start if extremum else constant(NEUTRAL[table.name], dtype, tensor.device)
        tensor = torch.where(mask, tensor, neutral)
    if extremum:
        result = extrema(table.name, tensor, axes)
    elif table.name == "add":
        result = torch.sum(tensor.view(SIGNED[dtype]), axes, dtype=SIGNED[dtype]).view(dtype) if dtype in SIGNED else (
            torch.sum(tensor, axes, dtype=dtype))
    elif table.name == "multiply":
        result = tensor
        for one in sorted(axes, reverse=True):
            result = torch.prod(result.view(SIGNED[dtype]), one, dtype=SIGNED[dtype]).view(dtype) if dtype in SIGNED else (
                torch.prod(result, one, dtype=dtype))
    else:
        result = (torch.all if table.name == "logical_and" else torch.any)(tensor, axes)
    return result if start is None or start_is_identity else step(table, start.expand(result.shape), result, dtype)


cdef object step(LoopTable table, object total, object tensor, object dtype):
    return cast(apply(table, [total, tensor]), dtype)


cdef object folded(LoopTable table, object tensor, list axes, object dtype, object start, object mask):
    """Apply the ufunc to one slice after the other, in C order of the reduced axes."""
    lanes = in_lanes(tensor, axes)
    masks = [None] * lanes.shape[-1] if mask is None else torch.unbind(in_lanes(mask, axes), -1)
    total = None if start is None else start.expand(lanes.shape[:-1])
    for part, wanted in zip(torch.unbind(lanes, -1), masks):
        following = part.clone() if total is None else step(table, total, part, dtype)
        total = following if wanted is None else torch.where(wanted, following, total)
    return total


cdef object in_lanes(object tensor, list axes):
    """Return a tensor with these axes as one, the last."""
    kept = [one for one in range(tensor.dim()) if one not in axes]
    return tensor.permute(kept + sorted(axes)).flatten(len(kept))


cdef object extrema(str name, object tensor, list axes):
    cdef bint smallest = name in ("fmin", "minimum")
    cdef bint skips_nan = name in ("fmax", "fmin")
    best = torch.amin if smallest else torch.amax
    if tensor.is_complex():
        lanes = in_lanes(tensor, axes)
        positions = positions_of_extrema(lanes, lanes.dim() - 1, smallest, skips_nan)
        return torch.gather(lanes, -1, positions.unsqueeze(-1)).squeeze(-1)
    if skips_nan and tensor.is_floating_point():
        nan = torch.isnan(tensor)
        worst = math.inf if smallest else -math.inf
        return torch.where(torch.all(nan, axes), math.nan, best(torch.where(nan, worst, tensor), axes))
    return as_ordered(best(orderable(tensor), axes), tensor.dtype)


cdef object positions_of_extrema(object tensor, int dim, bint smallest, bint skips_nan):
    find = torch.argmin if smallest else torch.argmax
    if not tensor.is_complex():
        return find(orderable(tensor), dim)
    # NumPy: by real parts, then imaginary ones; a NaN in either part comes before all else.
    best = torch.amin if smallest else torch.amax
    worst = math.inf if smallest else -math.inf
    nan = torch.isnan(tensor)
    chosen = ~nan
    for part in (tensor.real, tensor.imag):
        part = torch.where(chosen, part, worst)
        chosen = chosen & (part == best(part, dim, keepdim=True))
    if not skips_nan:
        chosen = torch.where(nan.any(dim, keepdim=True), nan, chosen)
    return torch.argmax(chosen.to(torch.uint8), dim)


# --- accumulate, reduceat, at -----------------------------------------------------------------------------------------

cdef object accumulate_by_torch(
    LoopTable table, ndarray source, object axis, object dtype, object out, bint as_tensors, object template
):
    if out is None:
        at_once = accumulated_at_once(table, source, axis, dtype)
        if at_once is not None:
            return new_from_torch(at_once, as_tensors, template)
    cdef object tensor = to_torch(source)
    cdef int along = only_axis("accumulate", axis, tensor.dim())
    loop_dtype = loop_dtype_of(table, source, dtype, "accumulate")
    result = accumulated(table, cast(tensor, loop_dtype), along, loop_dtype)
    if out is not None:
        check_out(table, as_header(out), result, "same_kind")
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object accumulated(LoopTable table, object tensor, int along, object dtype):
    if dtype in FLOAT8:
        return accumulated(table, tensor.to(torch.float32), along, torch.float32).to(dtype)
    if tensor.shape[along] == 0:
        return tensor.clone()
    if table.name in ("add", "multiply") and dtype is not torch.bool:
        scan = torch.cumsum if table.name == "add" else torch.cumprod
        if dtype in SIGNED:
            return scan(tensor.view(SIGNED[dtype]), along, dtype=SIGNED[dtype]).view(dtype)
        return scan(tensor, along, dtype=dtype)
    if table.name in ("maximum", "minimum") and not tensor.is_complex():
        best = torch.cummax if table.name == "maximum" else torch.cummin
        return as_ordered(best(orderable(tensor), along).values, dtype)
    parts = list(torch.unbind(tensor, along))
    for position in range(1, len(parts)):
        parts[position] = step(table, parts[position - 1], parts[position], dtype)
    return torch.stack(parts, along)


cdef object reduceat_by_torch(
    object function, LoopTable table, ndarray source, object indices, object axis, object dtype, object out,
    bint as_tensors, object template
):
    cdef object tensor = to_torch(source)
    cdef int along = only_axis("reduceat", axis, tensor.dim())
    loop_dtype = loop_dtype_of(table, source, dtype, "accumulate")
    positions = numpy.asarray(indices)
    if positions.ndim != 1:
        raise ValueError(f"the indices of reduceat have one dimension, not {positions.ndim}")
    positions = [int(position) for position in positions]
    length = tensor.shape[along]
    for position in positions:
        if not 0 <= position < length:
            raise IndexError(f"index {position} out-of-bounds in {function.__name__}.reduceat [0, {length})")
    parts = []
    for position, end in zip(positions, positions[1:] + [length]):
        part = cast(torch.narrow(tensor, along, position, max(end - position, 1)), loop_dtype)
        parts.append(cast(reduced(table, part, [along], loop_dtype, None, False, None), loop_dtype))
    result = torch.stack(parts, along) if parts else cast(torch.narrow(tensor, along, 0, 0), loop_dtype)
    if out is not None:
        return write_out(out, result)
    return new_from_torch(result, as_tensors, template)


cdef object at_by_torch(object function, LoopTable table, ndarray target, object indices, tuple values):
    check_writeable(target, "destination array")
    try:
        return applied_at(function, table, target, indices, values)
    except RuntimeError:
        raise_as_numpy(table.numpy_ufunc.at, (target, indices, *values), {})
        raise


cdef object applied_at(object function, LoopTable table, ndarray target, object indices, tuple values):
    """Apply the function at each index in turn: where an index occurs twice the second sees the first's result."""
    cdef object tensor = to_torch(target)
    cdef Placement placement
    placement.follow(to_tensor(target))
    operands = [to_torch(as_array(value)) for value in values]
    if table.name in ("add", "subtract") and len(operands) == 1 and tensor.dtype is not torch.bool and (
            operands[0].dtype is tensor.dtype or type(values[0]) in (int, float)) and tensor.dtype not in SIGNED:
        if not (type(values[0]) is float and not tensor.dtype.is_floating_point):
            value = operands[0].to(tensor.device, tensor.dtype)
            add_at(tensor, torch_indices(indices), value if table.name == "add" else -value)
            return None
    positions = numpy.arange(tensor.numel()).reshape(tuple(tensor.shape))[
        call_numpy(numpy.asarray, (indices,), {}) if not isinstance(indices, (tuple, slice, int)) else indices]
    flat = tensor.view(-1)
    operands = [operand.expand(positions.shape).reshape(-1) for operand in operands]
    for place, position in enumerate(numpy.ravel(positions)):
        element = flat[int(position)]
        element.copy_(to_torch(as_header(function(element, *[operand[place] for operand in operands]))))
    return None


cdef int add_at(object tensor, tuple indices, object value) except -1:
    """Add what falls on each element, by one differentiable call."""
    cdef int axis = 0
    for index in indices:
        if index.dtype is not torch.bool:
            least = least_in_bounds(index, axis, tensor.shape[axis])
        axis += index.dim() if index.dtype is torch.bool else 1
    if len(indices) == 1 and indices[0].dtype is torch.int64 and indices[0].dim() and not tensor.is_cpu:
        # CUDA: index_put sorts the indices to sum in their order; index_add does so where torch is asked to be deterministic.
        index = indices[0].reshape(-1).to(tensor.device)
        rest = tuple(tensor.shape[1:])
        value = value.broadcast_to(tuple(indices[0].shape) + rest).reshape(index.shape + rest)
        if least is None or least < 0:
            index = torch.where(index < 0, index + tensor.shape[0], index)
        tensor.index_add_(0, index, value)
    else:
        tensor.index_put_(indices, value.clone(), accumulate=True)
    return 0


cdef tuple torch_indices(object indices):
    if type(indices) is not tuple:
        indices = (indices,)
    return tuple([to_torch(as_array(index)) for index in indices])
