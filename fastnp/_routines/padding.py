"""Padding.

https://numpy.org/doc/2.4/reference/generated/numpy.pad.html
"""

from __future__ import annotations

import numpy
import torch

from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.kernels.placed_copies import framed
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._promotion import inexact
from fastnp._routines.adding_and_removing import in_c_order
from fastnp._routines.clipping import clip
from fastnp._routines.creation import arange
from fastnp._routines.indexing import take
from fastnp._routines.shape import concatenate
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import NDArrayLike

declare = Chapter("fastnp")

minimum = UFUNCS["minimum"]

#: Modes that repeat elements of the array: where each element comes from depends on the axis alone.
GATHERING = ("edge", "reflect", "symmetric", "wrap")
#: The keywords that a mode takes.
ALLOWED = {
    "constant": {"constant_values"}, "linear_ramp": {"end_values"}, "reflect": {"reflect_type"},
    "symmetric": {"reflect_type"},
} | {statistic: {"stat_length"} for statistic in ("maximum", "mean", "median", "minimum")}
STATISTICS = {
    "maximum": lambda x, dim, keepdim: UFUNCS["maximum"].reduce(x, dim, keepdims=keepdim),
    "minimum": lambda x, dim, keepdim: minimum.reduce(x, dim, keepdims=keepdim),
    "mean": lambda x, dim, keepdim: inexact(x).mean(dim, keepdim),
    "median": lambda x, dim, keepdim: torch.quantile(x.to(torch.float64), 0.5, dim, keepdim),
}


def pairs(value, ndim):
    """Return a value before and after for each axis, as NumPy broadcasts them."""
    if isinstance(value, dict):
        value = [value.get(axis, value.get(axis - ndim, 0)) for axis in range(ndim)]
        value = [(item, item) if numpy.ndim(item) == 0 else item for item in value]
    return [tuple(pair) for pair in numpy.broadcast_to(numpy.asarray(value), (ndim, 2)).tolist()]


def strip(like, axis, size, value):
    """Return elements to put before or after an axis, all of one value."""
    shape = list(like.shape)
    shape[axis] = size
    value = to_tensor(value).to(like.device, like.dtype)
    return value.expand(shape)


def ramp(edge, axis, size, end, at_end):
    """Return elements that go from a value to that of the edge, the edge excluded; the other way at the end."""
    steps = torch.arange(size, device=edge.device, dtype=torch.float64)
    steps = steps.reshape([-1 if k == axis else 1 for k in range(edge.dim())])
    values = end + (edge.to(torch.complex128 if edge.is_complex() else torch.float64) - end) * steps / size
    values = values.flip(axis) if at_end else values
    exact = edge.is_floating_point() or edge.is_complex() or edge.dtype is torch.bool
    return (values if exact else torch.floor(values)).to(edge.dtype)


def statistic(tensor, axis, mode, length, at_end):
    """Return the statistic of the elements near one end of an axis."""
    size = tensor.shape[axis] if length is None else min(length, tensor.shape[axis])
    part = tensor.narrow(axis, tensor.shape[axis] - size if at_end else 0, size)
    value = STATISTICS[mode](part, axis, True)
    if tensor.is_floating_point() or tensor.is_complex():
        return value
    if tensor.dtype is torch.bool:
        return value != 0  # NumPy: what is no integer is not rounded
    return torch.round(value.to(torch.float64)).to(tensor.dtype)


def gathered(tensor, axis, sources):
    """Return the elements at places along an axis."""
    return by_bits(torch.index_select, tensor, axis, torch.from_numpy(sources).to(tensor.device))


def mirrored(tensor, axis, before, sources):
    """Return a tensor padded by its mirror image through the edges: twice the edge minus what lies as far inside."""
    size = tensor.shape[axis]
    if max(before, len(sources) - before - size) >= size:
        raise NotImplementedError("pad() reflects more than once only in host memory without a gradient")
    image = gathered(tensor, axis, sources)
    first, last = tensor.narrow(axis, 0, 1), tensor.narrow(axis, size - 1, 1)
    return torch.cat((
        2 * first - image.narrow(axis, 0, before), tensor,
        2 * last - image.narrow(axis, before + size, len(sources) - before - size),
    ), axis)


def plain_widths(pad_width, ndim):
    """Return what to put before and after each axis, as ints; None where NumPy has to look at it."""
    if not ndim:
        return None
    if type(pad_width) is int:
        pad_width = ((pad_width, pad_width),) * ndim
    elif type(pad_width) in (tuple, list) and len(pad_width) == 2 and all(type(width) is int for width in pad_width):
        pad_width = (pad_width,) * ndim
    elif type(pad_width) not in (tuple, list) or len(pad_width) != ndim:
        return None
    for pair in pad_width:
        if type(pair) not in (tuple, list) or len(pair) != 2:
            return None
        if not all(type(width) is int and width >= 0 for width in pair):
            return None
    return pad_width


#: Above so many elements NumPy, which writes no element twice, is quicker.
FEW = 16384
#: Above so many, an edge is repeated and joined; below, all is taken at once.
TAKEN = 2048


def plain_pad(array, pad_width, mode="constant", **kwargs):
    if array.size > FEW and array.ndim > 1 and mode != "constant":
        return NotImplemented
    widths = plain_widths(pad_width, array.ndim)
    if widths is None or type(mode) is not str:
        return NotImplemented
    if array.flags.fnc:
        # NumPy: the result is in the order of Fortran as well.
        turned = plain_pad(array.T, widths[::-1], mode, **kwargs) if array.size <= FEW else NotImplemented
        return turned if turned is NotImplemented else turned.T.copy("K")
    if mode == "constant":
        is_default, value = not kwargs, kwargs.pop("constant_values", 0)
        fits = is_default or array.dtype.kind in {int: "iufc", float: "fc"}.get(type(value), "")
        return NotImplemented if kwargs or not fits else framed(array, widths, value)
    if kwargs or mode not in GATHERING or array.size == 0:
        return NotImplemented
    for axis, (before, after) in enumerate(widths):
        if before or after:
            array = padded_along(array, axis, before, after, mode)
    return in_c_order(array) if any(map(any, widths)) else array.copy()


def padded_along(array, axis, before, after, mode):
    """Return an array padded along one axis by elements of its own."""
    size = array.shape[axis]
    inside = mode == "reflect"  # the elements at the ends are not repeated
    if mode != "edge" and max(before, after) > size - inside or mode == "edge" and array.size <= TAKEN:
        return array.take(sources_of(size, before, after, mode), axis)
    whole = (slice(None),) * axis
    if mode == "edge":
        ends = array[(*whole, slice(0, 1))], array[(*whole, slice(size - 1, size))]
        return concatenate((ends[0].repeat(before, axis), array, ends[1].repeat(after, axis)), axis)
    if mode == "wrap":
        first, last = array[(*whole, slice(size - before, size))], array[(*whole, slice(0, after))]
    else:
        backwards = (*whole, slice(None, None, -1))
        first = array[(*whole, slice(inside, before + inside))][backwards]
        last = array[(*whole, slice(size - inside - after, size - inside))][backwards]
    return concatenate((first, array, last), axis)


def sources_of(size, before, after, mode):
    """Return where the elements of a padded axis come from."""
    places = arange(-before, size + after)
    if mode == "edge" or size == 1:
        return clip(places, 0, size - 1)
    if mode == "wrap":
        return places % size
    period = 2 * size if mode == "symmetric" else 2 * size - 2
    places %= period
    return minimum(places, (period - 1 if mode == "symmetric" else period) - places)


def usual_pad(array, pad_width, mode, kwargs):
    """Return an array padded by one value or by elements of its own; None where there is more to it."""
    if type(mode) is str and mode == "constant" and type(pad_width) is int and pad_width > 0 and not kwargs:
        return to_array(torch.constant_pad_nd(array.tensor, (pad_width,) * (2 * array.ndim)))
    widths = plain_widths(pad_width, array.ndim)
    if widths is None or type(mode) is not str or not any(map(any, widths)):
        return None
    if mode == "constant" and not set(kwargs) - {"constant_values"}:
        value = kwargs.get("constant_values", 0)
        if array.dtype.kind not in {int: "ifc", float: "fc"}.get(type(value), ""):
            return None
        # torch: the last axis comes first.
        sides = [width for pair in reversed(widths) for width in pair]
        return to_array(torch.constant_pad_nd(array.tensor, sides, value))
    if kwargs or mode not in GATHERING or array.size == 0:
        return None
    for axis, (before, after) in enumerate(widths):
        if before or after:
            array = take(array, sources_of(array.shape[axis], before, after, mode), axis)
    return array


@declare(host=True, composed=plain_pad, scalars=False)
def pad(array: NDArrayLike, pad_width, mode="constant", **kwargs):
    padded = usual_pad(array, pad_width, mode, kwargs)
    return padded_tensor(array.tensor, pad_width, mode, kwargs) if padded is None else padded


def padded_tensor(array, pad_width, mode, kwargs):
    """Return a tensor padded in any way that NumPy knows."""
    if callable(mode):
        raise NotImplementedError("pad() with a function needs an array in host memory without a gradient")
    if mode not in (*GATHERING, *STATISTICS, "constant", "empty", "linear_ramp"):
        raise ValueError(f"mode '{mode}' is not supported")
    odd = set(kwargs) - ALLOWED.get(mode, set())
    if odd:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {odd}")
    widths = pairs(pad_width, array.dim())
    if any(width < 0 or int(width) != width for pair in widths for width in pair):
        raise ValueError("index can't contain negative values")
    ends = pairs(kwargs.get("end_values", 0), array.dim())
    values = pairs(kwargs.get("constant_values", 0), array.dim())
    lengths = pairs(kwargs.get("stat_length"), array.dim())
    for axis, (before, after) in enumerate(widths):
        if before == after == 0:
            continue
        if mode in GATHERING:
            if array.shape[axis] == 0:
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
            sources = numpy.pad(numpy.arange(array.shape[axis]), (before, after), mode)
            odd = kwargs.get("reflect_type", "even") == "odd"
            array = mirrored(array, axis, before, sources) if odd else gathered(array, axis, sources)
        elif mode in ("constant", "empty"):
            array = torch.cat((strip(array, axis, before, values[axis][0]), array,
                               strip(array, axis, after, values[axis][1])), axis)
        elif mode == "linear_ramp":
            first, last = array.narrow(axis, 0, 1), array.narrow(axis, array.shape[axis] - 1, 1)
            array = torch.cat((ramp(first, axis, before, ends[axis][0], False), array,
                               ramp(last, axis, after, ends[axis][1], True)), axis)
        else:
            first = statistic(array, axis, mode, lengths[axis][0], False)
            last = statistic(array, axis, mode, lengths[axis][1], True)
            array = torch.cat((strip(array, axis, before, first), array, strip(array, axis, after, last)), axis)
    return array
