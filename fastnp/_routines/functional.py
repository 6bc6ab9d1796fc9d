"""Functions of functions, and iteration over arrays.

https://numpy.org/doc/2.4/reference/routines.functional.html
"""

from __future__ import annotations

import itertools
import math

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp import _fallback
from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.flat import broadcast, flatiter, ndenumerate
from fastnp._core.host import is_plain
from fastnp._core.interchange import as_array
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._routines.creation import empty, zeros_like
from fastnp._routines.shape import concatenate
from fastnp._typing import NDArrayLike, Relevant

declare = Chapter("fastnp")


def plain_apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Write each result where it belongs, as soon as the first has told the shape."""
    axis = normalize_axis_index(axis, arr.ndim)
    lines = arr.transpose(*range(axis), *range(axis + 1, arr.ndim), axis)
    outer = lines.shape[:-1]
    if 0 in outer:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    results = None
    for index in itertools.product(*map(range, outer)):
        result = func1d(lines[index], *args, **kwargs)
        if results is None:
            first = to_array(result)
            results = empty((*outer, *first.shape), first.dtype)
        results[index] = result
    inner = range(len(outer), results.ndim)
    return results.transpose(*range(axis), *inner, *range(axis, len(outer)))


@declare(composed=plain_apply_along_axis, scalars=False)
def apply_along_axis(func1d, axis, arr: NDArrayLike, *args, **kwargs):
    axis = normalize_axis_index(axis, arr.ndim)
    others = [k for k in range(arr.ndim) if k != axis]
    lines = arr.transpose([*others, axis])
    outer = lines.shape[:-1]
    if 0 in outer:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    results = [to_tensor(func1d(lines[index], *args, **kwargs)) for index in numpy.ndindex(outer)]
    shape = results[0].shape
    stacked = torch.stack([result.to(results[0].dtype) for result in results]).reshape((*outer, *shape))
    # The axes of a result take the place of the axis that it came from.
    inner = list(range(len(outer), stacked.dim()))
    return stacked.permute([*range(axis), *inner, *range(axis, len(outer))])


@declare()
def apply_over_axes(func, a: Relevant, axes):
    result, ndim = to_array(a), a.ndim  # NumPy: a list has no such attribute
    for axis in (axes,) if to_array(axes).ndim == 0 else axes:
        if isinstance(axis, bool):
            raise TypeError("an integer is required")
        axis = axis + ndim if axis < 0 else axis
        reduced = to_array(func(result, axis))
        if reduced.ndim != result.ndim:
            reduced = as_array(reduced.tensor.unsqueeze(normalize_axis_index(axis, result.ndim)))
        if reduced.ndim != result.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        result = reduced
    return result


def is_number(value):
    """Tell whether a value is a scalar."""
    return value.is_scalar if isinstance(value, ndarray) else numpy.isscalar(value)


@declare(scalars=False)
def piecewise(x: NDArrayLike, condlist: Relevant, funclist, *args, **kw):
    count = len(funclist)
    if is_number(condlist):
        condlist = [condlist]
    elif is_number(condlist[0]) or not isinstance(condlist[0], (list, ndarray, numpy.ndarray, torch.Tensor)):
        condlist = [condlist] if x.ndim else condlist
    conditions = to_array(condlist).astype(bool)
    if len(conditions) == count - 1:
        conditions = concatenate((conditions, ~conditions.any(0, keepdims=True)))
    if len(conditions) != count:
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are "
            "expected"
        )
    result = zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            result[condition] = function
            continue
        values = x[condition]
        if values.size > 0:
            result[condition] = function(values, *args, **kw)
    return result


def as_dtype(results, count, shape, otype):
    """Return an array of a function's results, each read as NumPy reads an object as an element of a dtype."""
    if numpy.dtype(otype).char in "dl?":
        array = as_array(numpy.fromiter(results, otype, count))
        return array if len(shape) == 1 else array.reshape(shape)
    objects = numpy.empty(count, object)
    objects[:] = list(results)
    return _fallback.from_numpy(objects.reshape(shape).astype(otype), {})


def dtype_char(value):
    """Return the character of the dtype that NumPy reads a value as."""
    return "d" if type(value) is float else numpy.asarray(value).dtype.char


def first_of(arg, values):
    """Return the first element of an array whose values are listed, or a number, as NumPy's scalar."""
    return arg.dtype.type(values[0]) if type(values) is list else numpy.asarray(arg)[()]


class vectorize(numpy.vectorize):
    """A Python function that takes arrays, element by element.

    NumPy: `numpy.vectorize`, which this is with arrays of ours as results. For convenience, not for speed.
    """

    def __call__(self, *args, **kwargs):
        """Return arrays of the function's results, or the decorated function where there is none yet."""
        if self.pyfunc is numpy._NoValue:
            self._init_stage_2(*args, **kwargs)
            return self
        return self._call_as_normal(*args, **kwargs)

    def _vectorize_call(self, func, args):
        """Call `func` for each element; NumPy does where it would take them in another order than that of one line."""
        lists, shape = [], None
        for arg in args:
            if type(arg) in (float, int):
                lists.append(itertools.repeat(arg))
                continue
            if not is_plain(arg) or shape not in (None, arg.shape) or not arg.size or not arg.flags.c_contiguous:
                shape = None
                break
            shape = arg.shape
            lists.append((arg if len(shape) == 1 else arg.ravel()).tolist())
        if shape is None or self.signature is not None:
            return _fallback.call("vectorize", super()._vectorize_call, (func, args), {})
        count, otypes, calls = math.prod(shape), self.otypes, map(func, *lists)
        several = otypes is not None and len(otypes) > 1
        if otypes is None:
            # NumPy: the first elements are scalars of their dtypes, and tell the dtypes of the results.
            first = func(*map(first_of, args, lists))
            found = first if isinstance(first, tuple) else [first]
            several, otypes = len(found) != 1, list(map(dtype_char, found))
            if self.cache:
                rest = [values[1:] if type(values) is list else values for values in lists]
                calls = itertools.chain([first], map(func, *rest))
        if not several:
            return as_dtype(calls, count, shape, otypes[0])
        columns = zip(*calls, strict=True)
        return tuple(as_dtype(column, count, shape, otype) for column, otype in zip(columns, otypes, strict=True))


declare.publish(broadcast=broadcast, flatiter=flatiter, ndenumerate=ndenumerate, vectorize=vectorize)
