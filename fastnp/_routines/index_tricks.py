"""Grids, and objects that are indexed to make arrays: r_, c_, mgrid, ogrid.

https://numpy.org/doc/2.4/reference/routines.indexing.html
"""

from __future__ import annotations

import math

import numpy

from fastnp._core.converters import asarray as to_array
from fastnp._core.interchange import as_array
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._routines.creation import arange, array, empty, linspace
from fastnp._routines.shape import broadcast_arrays, broadcast_to, concatenate
from fastnp._typing import NDArrayLikes

declare = Chapter("fastnp")

MODERATE = 1 << 40


class AxisConcatenator:
    """Translate slices and arrays into one array, joined along an axis: see `r_` and `c_`."""

    __slots__ = ("axis", "ndmin", "trans1d")

    def __init__(self, axis=0, ndmin=1, trans1d=-1):
        self.axis = axis
        self.ndmin = ndmin
        self.trans1d = trans1d

    def __len__(self):
        return 0

    def __getitem__(self, key):
        axis, ndmin, trans1d = self.axis, self.ndmin, self.trans1d
        key = key if isinstance(key, tuple) else (key,)
        if key and isinstance(key[0], str):
            axis, ndmin, trans1d = directive(key[0], ndmin, trans1d)
            key = key[1:]
        if ndmin == 1 and key and all(type(item) is slice or type(item) is int for item in key):
            return ranges_and_numbers(key, axis)
        parts, kinds = [], []
        for item in key:
            if isinstance(item, str):
                raise ValueError("special directives must be the first entry.")
            if isinstance(item, slice):
                part = span(item)
                if ndmin > 1:
                    part = array(part, copy=None, ndmin=ndmin)
                    part = part.swapaxes(-1, trans1d) if trans1d != -1 else part
            elif type(item) in (int, float, complex, bool):
                part = item
            else:
                part = placed(item, ndmin, trans1d)
            parts.append(part)
            kinds.append(part.dtype if isinstance(part, ndarray) else part)
        if parts and all(type(part) is ndarray and part.ndim >= ndmin for part in parts):
            return concatenate(parts, axis)
        dtype = numpy.result_type(*kinds) if kinds else None
        return concatenate(tuple(array(part, dtype, copy=None, ndmin=ndmin) for part in parts), axis=axis)


def ranges_and_numbers(key, axis):
    """Return what slices and ints of Python's spell, one after the other, in the dtype of the ranges if they agree."""
    parts, run = [], []
    for item in key:
        if type(item) is int:
            run.append(item)
            continue
        if run:
            parts.append(run)
            run = []
        parts.append(span(item))
    if run:
        parts.append(run)
    dtypes = {part.dtype for part in parts if type(part) is ndarray}
    if len(dtypes) != 1:
        dtypes = {numpy.result_type(*dtypes, *(number for part in parts if type(part) is list for number in part))}
    (dtype,) = dtypes
    return concatenate([array(part, dtype, copy=None) for part in parts], axis)


def directive(text, ndmin, trans1d):
    """Return axis, ndmin and trans1d that a string such as "0,2,1" spells."""
    if text in ("r", "c"):
        raise ValueError("matrices are NumPy's: use numpy.r_")
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(f"unknown special directive {text!r}") from None
    if len(numbers) > 3:
        raise ValueError(f"unknown special directive {text!r}")
    return tuple(numbers) + (0, ndmin, trans1d)[len(numbers) :]


def span(item):
    """Return the range that a slice spells; an imaginary step counts the elements, both ends included."""
    start = 0 if item.start is None else item.start
    step = 1 if item.step is None else item.step
    if isinstance(step, (complex, numpy.complexfloating)):
        return linspace(start, item.stop, num=int(abs(step)))
    return arange(start, item.stop, step)


def placed(item, ndmin, trans1d):
    """Return an array with `ndmin` axes, its own from the axis `trans1d` on."""
    if type(item) is ndarray and item.ndim >= ndmin:
        return item
    ndim = to_array(item).ndim
    result = array(item, copy=None, subok=True, ndmin=ndmin)
    if trans1d == -1 or ndim >= ndmin:
        return result
    added = ndmin - ndim
    first = trans1d + added + 1 if trans1d < 0 else trans1d
    axes = list(range(ndmin))
    return result.transpose(axes[:first] + axes[added:] + axes[first:added])


class Grid:
    """Make a dense or sparse grid of the ranges that slices spell: see `mgrid` and `ogrid`."""

    __slots__ = ("sparse", "theirs")

    def __init__(self, theirs):
        self.theirs = theirs
        self.sparse = theirs.sparse

    def __getitem__(self, key):
        if type(key) is slice and has_plain_ends(key):
            return Span(key).array(float) if type(key.step) is complex else span(key)
        if type(key) is tuple and all(map(has_plain_ends, key)):
            spans = [Span(part) for part in key]
            if all(one.count >= 0 for one in spans):
                return self.of_spans(spans)
        made = self.theirs[tuple(map(plain, key)) if isinstance(key, tuple) else plain(key)]
        return tuple(map(to_array, made)) if isinstance(made, tuple) else to_array(made)

    def of_spans(self, spans):
        """Return the grid of what slices of Python's numbers spell."""
        dtype = float if any(one.dtype is float for one in spans) else int
        last = len(spans) - 1
        lines = [one.array(dtype)[(..., *(None,) * (last - axis))] for axis, one in enumerate(spans)]
        if self.sparse:
            return tuple(line[(None,) * axis] for axis, line in enumerate(lines))
        result = empty((len(spans), *(one.count for one in spans)), dtype)
        for axis, line in enumerate(lines):
            result[axis] = line
        return result


class Span:
    """The numbers that a slice of Python's numbers spells; an imaginary step counts them, both ends included."""

    __slots__ = ("count", "dtype", "start", "step")

    def __init__(self, part):
        self.start = 0 if part.start is None else part.start
        self.step = 1 if part.step is None else part.step
        if type(self.step) is complex:
            self.count = int(abs(self.step))
            self.step = 1 if self.count == 1 else (part.stop - self.start) / float(self.count - 1)
            self.dtype = float
        else:
            self.count = math.ceil((part.stop - self.start) / self.step)
            self.dtype = int if type(self.start) is type(part.stop) is type(self.step) is int else float

    def array(self, dtype):
        """Return the numbers as an array."""
        return arange(self.count, dtype=dtype) * self.step + self.start


def has_plain_ends(part):
    """Whether a part of a key is a slice of moderate numbers of Python's, its step not zero."""
    if type(part) is not slice:
        return False
    start, stop, step = part.start, part.stop, part.step
    return (
        (start is None or ((type(start) is int or type(start) is float) and -MODERATE < start < MODERATE))
        and (type(stop) is int or type(stop) is float) and -MODERATE < stop < MODERATE
        and (step is None or ((type(step) is int or type(step) is float or type(step) is complex)
                              and 1 / MODERATE < abs(step) < MODERATE))
    )


def plain(part):
    """Return a slice of numbers as NumPy has them."""
    return slice(*(to_array(end).__array__()[()] if hasattr(end, "dtype") else end for end in
                   (part.start, part.stop, part.step)))


declare.publish(
    r_=AxisConcatenator(), c_=AxisConcatenator(-1, 2, 0), mgrid=Grid(numpy.mgrid), ogrid=Grid(numpy.ogrid)
)


def lines_of(xi, indexing):
    """Return arrays as lines along the axes of a grid, and the sizes of that grid."""
    count = len(xi)
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = 1, 0
    lines, sizes = [], [0] * count
    for place, x in zip(places, xi, strict=True):
        lines.append(x.reshape((1,) * place + (-1,) + (1,) * (count - 1 - place)))
        sizes[place] = x.size
    return lines, sizes


def plain_meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if not copy and sparse or indexing not in ("xy", "ij"):
        return NotImplemented
    lines, sizes = lines_of(xi, indexing)
    if not copy:
        return broadcast_arrays(*lines)
    return tuple([line.copy() if sparse else broadcast_to(line, sizes).copy() for line in lines])


@declare(host=True, composed=plain_meshgrid, general=True, container=False, scalars=False)
def meshgrid(*xi: NDArrayLikes, copy=True, sparse=False, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    lines, sizes = lines_of(xi, indexing)
    grids = lines if sparse else [as_array(line.tensor.expand(sizes)) for line in lines]
    if not copy and sparse:
        return grids  # NumPy: a list, this once
    return tuple(grid.copy() for grid in grids) if copy else tuple(grids)
