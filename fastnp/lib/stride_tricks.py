"""Views by shape and strides.

https://numpy.org/doc/2.4/reference/generated/numpy.lib.stride_tricks.html
"""

from __future__ import annotations

import operator

import torch
from numpy.lib import stride_tricks as theirs

from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes
from fastnp._typing import ArrayLike

declare = Chapter("fastnp.lib.stride_tricks", theirs)


@declare(host=True, views=True)
def as_strided(x: ArrayLike, shape=None, strides=None, subok=False, writeable=True):
    shape = tuple(x.shape) if shape is None else tuple(map(operator.index, shape))
    if strides is None:
        # NumPy: a new shape without strides is one in C order.
        strides = x.stride() if shape == tuple(x.shape) else torch.empty(shape, device="meta").stride()
        return torch.as_strided(x, shape, strides)
    steps = tuple(step // x.element_size() for step in strides)
    if any(step < 0 for step in steps):
        raise ValueError("a torch.Tensor has no negative strides")
    return torch.as_strided(x, shape, steps)


@declare(host=True, views=True)
def sliding_window_view(x: ArrayLike, window_shape, axis=None, *, subok=False, writeable=False):
    sizes = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    if any(size < 0 for size in sizes):
        raise ValueError("`window_shape` cannot contain negative values")
    axes = canonical_axes(axis, x.ndim)
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
