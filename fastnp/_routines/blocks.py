"""Arrays assembled from nested lists of blocks.

https://numpy.org/doc/2.4/reference/generated/numpy.block.html
"""

from __future__ import annotations

import math
from typing import Any

from fastnp._core.converters import asarray as to_array
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter
from fastnp._routines.shape import concatenate
from fastnp._typing import Mixed

declare = Chapter("fastnp")


def as_arrays(blocks, leaves):
    """Return nested lists with arrays as their leaves, which are collected as well, and how deep they are nested.

    ValueError where that is not the same everywhere.
    """
    if not isinstance(blocks, list):
        if isinstance(blocks, tuple):
            raise TypeError("blocks are a tuple. Only lists can be used to arrange blocks.")
        leaves.append(to_array(blocks))
        return leaves[-1], 0
    inner, depth = [], None
    for block in blocks:
        part, levels = as_arrays(block, leaves)
        if depth not in (None, levels):
            raise ValueError("List depths are mismatched.")
        inner.append(part)
        depth = levels
    if depth is None:
        raise ValueError("List at arrays cannot be empty")
    return inner, depth + 1


def assembled(blocks, depth, ndim):
    """Return nested lists of blocks as one array: the innermost along the last axis, a single block as it is."""
    if depth:
        parts = [assembled(block, depth - 1, ndim) for block in blocks]
        return concatenate(parts, ndim - depth) if len(parts) > 1 else parts[0]
    return blocks if blocks.ndim == ndim else blocks.reshape((1,) * (ndim - blocks.ndim) + blocks.shape)


#: Above so many elements, for each level of lists, NumPy assigns the blocks, in an order of its own.
MANY = 2 * 512 * 512


def plain_block(arrays):
    return arrange(arrays, MANY)


def arrange(blocks, limit=math.inf):
    """Return nested lists of blocks as one new array; NotImplemented where there are more elements than a limit."""
    if isinstance(blocks, ndarray):
        return blocks.copy()
    leaves: list[Any] = []
    blocks, depth = as_arrays(blocks, leaves)
    if depth * sum([leaf.size for leaf in leaves]) > limit:
        return NotImplemented
    ndim = max([depth, *[leaf.ndim for leaf in leaves]])
    result = assembled(blocks, depth, ndim)
    if len(leaves) > 1:
        return result
    return concatenate([result], ndim - 1) if depth else result.copy()


@declare(host=True, composed=plain_block, general=True, scalars=False)
def block(arrays: Mixed):
    return arrange(arrays)
