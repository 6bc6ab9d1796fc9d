"""Views by shape and strides.

https://numpy.org/doc/2.4/reference/generated/numpy.lib.stride_tricks.html
"""

from __future__ import annotations

import operator

import numpy
import torch
from numpy.lib import stride_tricks as theirs
from numpy.lib.array_utils import normalize_axis_tuple

from fastnp._core.kernels.shape_bodies import BODIES as SHAPE_BODIES
from fastnp._declare import Chapter
from fastnp._typing import ArrayLike

declare = Chapter("fastnp.lib.stride_tricks", theirs)


@declare(compiled=SHAPE_BODIES["as_strided"], host=True, views=True)
def as_strided(x: ArrayLike, shape=None, strides=None, subok=False, writeable=True):
    shape = tuple(x.shape) if shape is None else tuple(map(operator.index, shape))
    if strides is None:
        # NumPy: without strides they are those of the array, in C order alone where it is.
        steps = torch.empty(shape, device="meta").stride() if x.is_contiguous() else x.stride()
    else:
        if any(step < 0 or step % x.element_size() for step in strides):
            raise ValueError(f"a torch.Tensor has strides that are multiples of its itemsize, none negative: {strides}")
        steps = tuple(step // x.element_size() for step in strides)
    if len(steps) != len(shape):
        raise ValueError("mismatch in length of strides and shape")
    return torch.as_strided(x, shape, steps)


def plain_windows(x, window_shape, axis=None, *, subok=False, writeable=False):
    sizes = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    if len(sizes) != len(axes) or type(subok) is not bool:
        return NotImplemented
    if not all(isinstance(size, (int, numpy.integer)) and type(size) is not bool and size >= 0 for size in sizes):
        return NotImplemented
    axes = normalize_axis_tuple(axes, x.ndim, allow_duplicate=True)
    shape, strides = list(x.shape), x.strides
    for dim, size in zip(axes, sizes, strict=True):
        shape[dim] -= int(size) - 1
        if shape[dim] < 1:
            return NotImplemented
    steps = strides + tuple([strides[dim] for dim in axes])
    return as_strided(x, (*shape, *map(int, sizes)), steps, subok, bool(writeable))


@declare(host=True, views=True, composed=plain_windows)
def sliding_window_view(x: ArrayLike, window_shape, axis=None, *, subok=False, writeable=False):
    sizes = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    if min(sizes, default=0) < 0:
        raise ValueError("`window_shape` cannot contain negative values")
    axes = range(x.ndim) if axis is None else normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
    if len(sizes) != len(axes):
        raise ValueError(
            f"Must provide matching length window_shape and axis; got {len(sizes)} window_shape elements and "
            f"{len(axes)} axes elements."
        )
    for dim, size in zip(axes, sizes, strict=True):
        if size > x.shape[dim]:
            raise ValueError("window shape cannot be larger than input array shape")
        x = x.unfold(dim, size, 1)
    return x


globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(declare.names)
