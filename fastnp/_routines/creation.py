"""Array creation.

https://numpy.org/doc/2.4/reference/routines.array-creation.html
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator

import numpy
import torch

from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.detached import without_gradient
from fastnp._core.dtype import to_numpy_dtype, to_torch_dtype
from fastnp._core.interchange import as_array
from fastnp._core.kernels.creation import BODIES
from fastnp._core.kernels.dlpack import BODIES as DLPACK_BODIES
from fastnp._core.kernels.existing_data import BODIES as EXISTING_DATA
from fastnp._core.kernels.existing_data import with_base
from fastnp._core.kernels.ranges import BODIES as RANGES
from fastnp._core.kernels.shape_bodies import BODIES as SHAPE_BODIES
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._promotion import promoted_dtype
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, LikeArray, NDArrayLike, OperandLike, Relevant

declare = Chapter("fastnp")

DEVICE = "device= takes a torch device; without it, arrays are made on torch's default device."


def size_of(shape):
    """Return a shape as a tuple of ints, as NumPy reads it."""
    try:
        return (operator.index(shape),)
    except TypeError:
        if any(isinstance(size, bool) for size in shape):
            raise TypeError("an integer is required") from None
        return tuple(operator.index(size) for size in shape)


#: What the addresses of a machine leave room for.
MOST_ELEMENTS = 2**63 - 1


def check_ndim(ndim):
    """Refuse more dimensions than NumPy allows."""
    if ndim > 64:
        raise ValueError(f"maximum supported dimension for an ndarray is currently 64, found {ndim}")


def check_order(order, allowed="CF"):
    """Return the letter of `order=`, None being C; NumPy's errors for others."""
    letter = "C" if order is None else order.upper()[:1]
    if letter not in "CFAK" or not letter:
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if letter not in allowed:
        raise ValueError("only 'C' or 'F' order is permitted")
    return letter


def make(factory, shape, dtype, order, device, *arguments):
    """Return `factory(shape, ...)` of torch in C or Fortran order."""
    sizes = size_of(shape)
    if any(size < 0 for size in sizes):
        raise ValueError("negative dimensions are not allowed")
    check_ndim(len(sizes))
    if math.prod(sizes) > MOST_ELEMENTS:
        raise ValueError("Maximum allowed dimension exceeded" if len(sizes) == 1 else "array is too big")
    dtype = dtype or to_torch_dtype(None)
    if check_order(order) == "C":
        return factory(sizes, *arguments, dtype=dtype, device=device)
    tensor = factory(sizes[::-1], *arguments, dtype=dtype, device=device)
    return tensor.permute(*range(len(sizes) - 1, -1, -1)) if sizes else tensor


@declare(compiled=BODIES["empty"], host=True, container=False, scalars=False, differs=DEVICE)
def empty(shape, dtype: DTypeLike = None, order="C", *, device=None, like: LikeArray = None):
    return make(torch.empty, shape, dtype, order, device)


@declare(compiled=BODIES["zeros"], host=True, container=False, scalars=False, differs=DEVICE)
def zeros(shape, dtype: DTypeLike = None, order="C", *, device=None, like: LikeArray = None):
    return make(torch.zeros, shape, dtype, order, device)


@declare(compiled=BODIES["ones"], host=True, container=False, scalars=False, differs=DEVICE)
def ones(shape, dtype: DTypeLike = None, order="C", *, device=None, like: LikeArray = None):
    return make(torch.ones, shape, dtype, order, device)


@declare(compiled=BODIES["full"], host=True, container=False, scalars=False, differs=DEVICE)
def full(shape, fill_value, dtype: DTypeLike = None, order="C", *, device=None, like: LikeArray = None):
    return filled(make(torch.empty, shape, dtype or to_tensor(fill_value).dtype, order, device), fill_value)


#: The dtypes that negative numbers wrap around in.
UNSIGNED = (torch.uint8, torch.uint16, torch.uint32, torch.uint64)


def filled(tensor, value):
    """Return a new tensor's elements set to `value`, which may be an array that broadcasts and carries a gradient."""
    if type(value) is int and not (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
        to_array(value, to_numpy_dtype(tensor.dtype))  # NumPy: an error where it does not fit
    if type(value) is float and value < 0 and tensor.dtype in UNSIGNED:
        value = int(value)
    if type(value) in (bool, float) or type(value) is complex and tensor.is_complex() or (
            type(value) is int and abs(value) < 2**31 and (value >= 0 or tensor.dtype not in UNSIGNED)):
        return tensor.fill_(value)
    value = to_tensor(value).to(tensor.device)
    if value.dim() == 0 and value.dtype == tensor.dtype == torch.uint64:
        return tensor.view(torch.int64).copy_(value.view(torch.int64)).view(torch.uint64)  # torch: fills through int64
    if tensor.dtype.is_complex or not value.is_complex():
        return tensor.copy_(value)
    return tensor.copy_(value.real)


def like_of(factory, prototype, dtype, order, shape, device):
    """Return what `factory` makes with the layout, dtype and device of a prototype where they are not given."""
    dtype = dtype or prototype.dtype
    device = device or prototype.device
    letter = check_order(order, "CFAK")
    same = shape is None or len(size_of(shape)) == prototype.dim()
    fortran = prototype.dim() > 1 and not prototype.is_contiguous() and (
        prototype.permute(*range(prototype.dim())[::-1]).is_contiguous())
    if letter == "K" and same and not prototype.is_contiguous():
        axes = sorted(range(prototype.dim()), key=lambda axis: -prototype.stride(axis))
        sizes = prototype.shape if shape is None else size_of(shape)
        tensor = factory([sizes[axis] for axis in axes], dtype=dtype, device=device)
        return tensor.permute([axes.index(axis) for axis in range(len(axes))])
    order = "F" if letter == "F" or letter == "A" and fortran else "C"
    return make(factory, prototype.shape if shape is None else shape, dtype, order, device)


@declare(compiled=BODIES["empty_like"], host=True, scalars=False)
def empty_like(prototype: ArrayLike, /, dtype: DTypeLike = None, order="K", subok=True, shape=None, *, device=None):
    return like_of(torch.empty, prototype, dtype, order, shape, device)


@declare(compiled=BODIES["zeros_like"], host=True, scalars=False)
def zeros_like(a: ArrayLike, dtype: DTypeLike = None, order="K", subok=True, shape=None, *, device=None):
    return like_of(torch.zeros, a, dtype, order, shape, device)


@declare(compiled=BODIES["ones_like"], host=True, scalars=False)
def ones_like(a: ArrayLike, dtype: DTypeLike = None, order="K", subok=True, shape=None, *, device=None):
    return like_of(torch.ones, a, dtype, order, shape, device)


@declare(compiled=BODIES["full_like"], host=True, scalars=False)
def full_like(
    a: ArrayLike, fill_value: Relevant, dtype: DTypeLike = None, order="K", subok=True, shape=None, *, device=None
):
    return filled(like_of(torch.empty, a, dtype, order, shape, device), fill_value)


# From existing data.


def laid_out(tensor, order, copy):
    """Return a tensor in the order asked for: itself where it has it and `copy` does not insist."""
    letter = check_order("K" if order is None else order, "CFAK")
    fortran = tensor.dim() > 1 and tensor.permute(*range(tensor.dim() - 1, -1, -1)).is_contiguous()
    if letter == "F" or letter == "A" and fortran and not tensor.is_contiguous():
        if fortran and not copy:
            return tensor
        axes = list(range(tensor.dim() - 1, -1, -1))
        return tensor.permute(axes).clone(memory_format=torch.contiguous_format).permute(axes)
    if letter == "K":
        return tensor.clone() if copy else tensor
    return tensor.clone(memory_format=torch.contiguous_format) if copy else tensor.contiguous()


def converted(source, dtype, order, copy, device=None):
    """Return an array of anything array-like: the conversion behind `array` and `asarray`."""
    is_array = isinstance(source, (ndarray, torch.Tensor, numpy.ndarray))
    with contextlib.nullcontext() if device is None else torch.device(device):  # not by way of the default device
        array = to_array(source) if is_array else to_array(source, dtype)
    tensor = given = array.tensor
    if device is not None:
        tensor = tensor.to(device)
    if dtype is not None:
        tensor = tensor.to(dtype)
    fresh = tensor is not given or not is_array
    if copy is False and fresh:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    result = laid_out(tensor, order, bool(copy) and not fresh)
    if result is given and isinstance(source, ndarray) and not source.is_scalar:
        return source
    if result is given and isinstance(source, numpy.ndarray):
        return array  # may be read-only, or run backwards, as no tensor does
    if copy is False and result is not given:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return as_array(result)


@declare(compiled=EXISTING_DATA["array"], host=True, container=False, scalars=False, differs=DEVICE)
def array(
    object,
    dtype: DTypeLike = None,
    *,
    copy=True,
    order="K",
    subok=False,
    ndmin=0,
    ndmax=0,
    like: LikeArray = None,
    device=None,
):
    result = converted(object, dtype, order, copy, device)
    check_ndim(operator.index(ndmin))
    missing = operator.index(ndmin) - result.ndim
    return as_array(result.tensor[(None,) * missing]) if missing > 0 else result


@declare(base=True, compiled=EXISTING_DATA["asarray"], host=True, container=False, scalars=False, differs=DEVICE)
def asarray(a, dtype: DTypeLike = None, order=None, *, device=None, copy=None, like: LikeArray = None):
    return converted(a, dtype, order, copy, device)


@declare(compiled=EXISTING_DATA["asarray"], host=True, container=False, scalars=False, differs=DEVICE)
def asanyarray(a: ArrayLike, dtype: DTypeLike = None, order=None, *, device=None, copy=None, like: LikeArray = None):
    return converted(a, dtype, order, copy, device)


@declare(base=True, compiled=SHAPE_BODIES["ascontiguousarray"], host=True, container=False, scalars=False)
def ascontiguousarray(a, dtype: DTypeLike = None, *, like: LikeArray = None):
    result = converted(a, dtype, "C", None)
    return result if result.ndim else as_array(result.tensor.reshape(1))


@declare(base=True, compiled=SHAPE_BODIES["asfortranarray"], host=True, container=False, scalars=False)
def asfortranarray(a, dtype: DTypeLike = None, *, like: LikeArray = None):
    result = converted(a, dtype, "F", None)
    return result if result.ndim else as_array(result.tensor.reshape(1))


def plain_asarray_chkfinite(a, dtype=None, order=None):
    if type(a) is not ndarray or a.is_scalar:
        return NotImplemented
    result = asarray(a, dtype, order)
    return result if result.dtype.kind not in "fc" or UFUNCS["isfinite"](result).all() else NotImplemented


@declare(base=True, host=True, composed=plain_asarray_chkfinite, container=False, scalars=False)
def asarray_chkfinite(a, dtype: DTypeLike = None, order=None):
    result = asarray(a, dtype, order)
    if not UFUNCS["isfinite"](without_gradient(result)).all():
        raise ValueError("array must not contain infs or NaNs")
    return result


@declare(compiled=SHAPE_BODIES["copy"])
def copy(a: NDArrayLike, order="K", subok=False): ...


#: What an array may be required to be -> its letter.
REQUIREMENTS = {
    name: name[:1]
    for name in (
        "C", "C_CONTIGUOUS", "CONTIGUOUS", "F", "F_CONTIGUOUS", "FORTRAN", "A", "ALIGNED", "W", "WRITEABLE", "O",
        "OWNDATA", "E", "ENSUREARRAY",
    )
}


def plain_require(a, dtype=None, requirements=None, *, like=None):
    if type(a) is not ndarray or a.is_scalar or like is not None or not requirements:
        return NotImplemented
    order, flags = order_and_flags(requirements if type(requirements) is str else tuple(requirements))
    result = asarray(a, dtype, order)
    for flag in flags:
        if not result.flags[flag]:
            return result.copy(order)
    return result


@functools.lru_cache
def order_and_flags(requirements):
    """Return the order that requirements ask for, and the flags that are to be true beside."""
    letters = {REQUIREMENTS[name.upper()] for name in requirements}
    if letters >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    return "F" if "F" in letters else "C" if "C" in letters else "A", letters - {"C", "F", "E"}


@declare(compiled=EXISTING_DATA["require"], host=True, composed=plain_require, container=False, scalars=False)
def require(a, dtype: DTypeLike = None, requirements=None, *, like: LikeArray = None):
    if not requirements:
        return asarray(a, dtype)
    letters = {REQUIREMENTS[letter.upper()] for letter in requirements}
    order = "F" if "F" in letters else "C" if "C" in letters else "K"
    result = asarray(a, dtype, order)
    return result.copy(order) if "O" in letters and result.base is not None else result


@declare(compiled=DLPACK_BODIES["from_dlpack"], host=True, container=False, scalars=False)
def from_dlpack(x, /, *, device=None, copy=None):
    tensor = torch.from_dlpack(x)
    if device is not None and tensor.device != torch.device(device):
        if copy is False:
            raise ValueError("Unable to avoid copy while moving an array to another device")
        return as_array(tensor.to(device))
    return as_array(tensor.clone() if copy else tensor)


@declare(compiled=EXISTING_DATA["frombuffer"], container=False, scalars=False)
def frombuffer(buffer, dtype=None, count=-1, offset=0, *, like: LikeArray = None):
    theirs = numpy.frombuffer(buffer, to_numpy_dtype(dtype), count, offset)
    return with_base(to_array(theirs), buffer if isinstance(buffer, ndarray) else theirs.base)


@declare(compiled=EXISTING_DATA["fromiter"], host=True, container=False, scalars=False)
def fromiter(iter, dtype, count=-1, *, like: LikeArray = None):
    return to_array(numpy.fromiter(iter, to_numpy_dtype(dtype), count))


@declare(composed=True, container=False, scalars=False)
def fromfunction(function, shape, *, dtype=float, like: LikeArray = None, **kwargs):
    grid = indices(shape, dtype=dtype)
    return function(*grid, **kwargs)


# Numerical ranges.


#: What a Python number becomes when nothing else says a dtype.
SPELLINGS = {"b": bool, "i": int, "f": float, "c": complex}


def dtype_of_numbers(*numbers):
    """Return NumPy's dtype of numbers and arrays together (NEP 50), as torch's."""
    kinds = [number if isinstance(number, (int, float, complex)) else to_array(number).dtype for number in numbers]
    dtype = numpy.result_type(*kinds)
    weak = not any(isinstance(kind, numpy.dtype) for kind in kinds)
    return to_torch_dtype(SPELLINGS[dtype.kind] if weak else dtype)


@declare(compiled=RANGES["arange"], host=True, container=False, scalars=False, differs=DEVICE)
def arange(
    start_or_stop=None,
    /,
    stop=None,
    step=1,
    dtype: DTypeLike = None,
    *,
    device=None,
    like: LikeArray = None,
    start=None,
):
    if stop is None and (start is not None or start_or_stop is None):
        raise TypeError("arange() requires stop to be specified.")
    start = start_or_stop if start is None else start
    start, stop = (0, start) if stop is None else (0 if start is None else start, stop)
    if dtype is None and any(type(end) is int and not -2**63 <= end < 2**64 for end in (start, stop, step)):
        raise TypeError("arrays cannot hold Python integers of more than 64 bits")
    dtype = dtype or dtype_of_numbers(start, stop, step)
    start, stop, step = (
        end if isinstance(end, (int, float, complex)) else to_tensor(end).item() for end in (start, stop, step)
    )
    if step == 0:
        raise ZeroDivisionError("division by zero")
    count = (stop - start) / step
    # NumPy: of complex numbers, as many as both parts have room for.
    count = min(math.ceil(count.real), math.ceil(count.imag)) if isinstance(count, complex) else math.ceil(count)
    count = max(count, 0)
    if dtype == torch.bool:
        return torch.arange(start, start + count * step, step, dtype=torch.int64, device=device).to(torch.bool)
    # NumPy: the step is what the first two elements differ by, rounded as they are.
    steps = torch.arange(count, dtype=dtype.to_real(), device=device).to(dtype)
    return steps * ((start + step) - start) + start


# NumPy: `start` is taken as a keyword and `dtype` by position, which its signature does not show.
arange.has_signature_of_numpy = True


@declare(compiled=RANGES["linspace"], host=True, container=False, scalars=False, differs=DEVICE)
def linspace(
    start: OperandLike,
    stop: OperandLike,
    num=50,
    endpoint=True,
    retstep=False,
    dtype: DTypeLike = None,
    axis=0,
    *,
    device=None,
):
    count = operator.index(num)
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    computed = dtype_of_numbers(start, stop, 0.0)
    divisor = count - 1 if endpoint else count
    start, stop = (torch.as_tensor(end, dtype=computed, device=device) for end in (start, stop))
    start, stop = torch.broadcast_tensors(start, stop)
    steps = torch.arange(count, dtype=computed.to_real(), device=start.device).reshape((-1,) + (1,) * start.dim())
    delta = stop - start
    step = delta / divisor if divisor > 0 else torch.full_like(delta, math.nan)
    result = (steps * step if divisor > 0 else steps * delta) + start
    if endpoint and count > 1:
        result = torch.cat((result[:-1], stop[None]))
    result = result.movedim(0, axis) if axis != 0 else result
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        result = result.floor()
    result = result.to(dtype) if dtype is not None else result
    return (result, step) if retstep else result


def plain_logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if axis != 0 or not {int, float}.issuperset((type(start), type(stop), type(base))):
        return NotImplemented
    powers = UFUNCS["power"](float(base), linspace(start, stop, num, endpoint))
    return powers if dtype is None else powers.astype(dtype, copy=False)


@declare(host=True, composed=plain_logspace, container=False, scalars=False)
def logspace(start: OperandLike, stop: OperandLike, num=50, endpoint=True, base: OperandLike = 10.0,
             dtype: DTypeLike = None, axis=0):
    if isinstance(base, torch.Tensor) and base.dim():
        base = base.unsqueeze(axis)
    base = float(base) if type(base) is int else base
    exponents = linspace(start, stop, num=num, endpoint=endpoint, axis=0).tensor
    if isinstance(base, torch.Tensor):
        ndim = max(exponents.dim() - 1, base.dim() - 1)
        exponents = exponents.reshape((len(exponents),) + (1,) * (ndim - exponents.dim() + 1) + exponents.shape[1:])
    exponents = exponents.movedim(0, axis)
    result = torch.pow(base, exponents)
    return result if dtype is None else result.to(dtype)


def plain_geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if axis != 0 or not {int, float}.issuperset((type(start), type(stop))):
        return NotImplemented
    if not (0 < start < MOST_ELEMENTS and 0 < stop < MOST_ELEMENTS):
        return NotImplemented
    start, stop = float(start), float(stop)
    result = plain_logspace(float(numpy.log10(start)), float(numpy.log10(stop)), num, endpoint)
    # The ends are what was given, whatever the logarithms make of them.
    if num > 0:
        result[0] = start
    if num > 1 and endpoint:
        result[-1] = stop
    return result if dtype is None else result.astype(dtype, copy=False)


@declare(host=True, composed=plain_geomspace, container=False, scalars=False)
def geomspace(start: OperandLike, stop: OperandLike, num=50, endpoint=True, dtype: DTypeLike = None, axis=0):
    # NumPy: arrays are computed with a number of double precision, which is not a weak one there.
    computed = promoted_dtype(dtype_of_numbers(start, stop, 0.0), torch.float64)
    start, stop = (torch.as_tensor(end, dtype=computed) for end in (start, stop))
    start, stop = torch.broadcast_tensors(start, stop)
    if (start == 0).any() or (stop == 0).any():
        raise ValueError("Geometric sequence cannot include zero")
    sign = torch.sgn(start)
    stop = torch.where(torch.isnan(sign), sign, stop)
    exponents = linspace(torch.zeros_like(start), torch.log10(stop / sign) - torch.log10(start / sign), num=num,
                         endpoint=endpoint, axis=0).tensor
    result = start * torch.pow(10.0, exponents)
    # NumPy: the ends are what was given, whatever the logarithms make of them.
    if endpoint and len(result) > 1:
        result = torch.cat((start[None], result[1:-1], stop[None]))
    elif len(result):
        result = torch.cat((start[None], result[1:]))
    result = result.movedim(0, axis) if axis != 0 else result
    return result if dtype is None else result.to(dtype)


def plain_indices(dimensions, dtype=int, sparse=False):
    if type(dimensions) not in (tuple, list) or not {int}.issuperset(map(type, dimensions)):
        return NotImplemented
    last = len(dimensions) - 1
    if sparse:
        return tuple([
            arange(size, dtype=dtype).reshape((1,) * axis + (size,) + (1,) * (last - axis))
            for axis, size in enumerate(dimensions)
        ])
    if last == 0 and dtype is not None:
        return arange(dimensions[0], dtype=dtype)[None]
    result = empty((last + 1, *dimensions), dtype)
    for axis, size in enumerate(dimensions):
        line = arange(size, dtype=dtype)
        result[axis] = line if axis == last else line.reshape(-1, *(1,) * (last - axis))
    return result


@declare(host=True, composed=plain_indices, container=False, scalars=False)
def indices(dimensions, dtype: DTypeLike = int, sparse=False):
    sizes = tuple(operator.index(size) for size in dimensions)
    dtype = to_torch_dtype(float) if dtype is None else dtype
    lines = [
        torch.arange(size, dtype=dtype.to_real()).to(dtype).reshape([-1 if k == axis else 1 for k in range(len(sizes))])
        for axis, size in enumerate(sizes)
    ]
    if sparse:
        return tuple(lines)
    return torch.stack([line.expand(sizes) for line in lines]) if lines else torch.empty((0,), dtype=dtype)
