"""Arrays assembled from nested lists of blocks.

https://numpy.org/doc/2.4/reference/generated/numpy.block.html
"""

from __future__ import annotations

import math

from fastnp._core.converters import asarray as to_array
from fastnp._declare import Chapter
from fastnp._routines.shape import concatenate
from fastnp._typing import Relevant

declare = Chapter("fastnp")


def depth_of(blocks):
    """Return how deep lists of blocks are nested, the same everywhere; ValueError where it is not."""
    if isinstance(blocks, tuple):
        raise TypeError("blocks are a tuple. Only lists can be used to arrange blocks.")
    if not isinstance(blocks, list):
        return 0
    depths = set(map(depth_of, blocks))
    if len(depths) != 1:
        raise ValueError("List depths are mismatched." if depths else "List at arrays cannot be empty")
    return 1 + depths.pop()


def assembled(blocks, depth, ndim):
    """Return nested lists of blocks as one array: the innermost lists along the last axis."""
    if isinstance(blocks, list):
        return concatenate([assembled(block, depth - 1, ndim) for block in blocks], ndim - depth)
    return blocks if blocks.ndim == ndim else blocks.reshape((1,) * (ndim - blocks.ndim) + blocks.shape)


def as_arrays(blocks, leaves):
    """Return nested lists with arrays as their leaves, which are collected as well."""
    if isinstance(blocks, list):
        return [as_arrays(block, leaves) for block in blocks]
    leaves.append(to_array(blocks))
    return leaves[-1]


#: Above so many elements, for each level of lists, NumPy assigns the blocks, in an order of its own.
MANY = 2 * 512 * 512


def plain_block(arrays):
    return arrange(arrays, MANY)


def arrange(blocks, limit=math.inf):
    """Return nested lists of blocks as one new array; NotImplemented where there are more elements than a limit."""
    leaves = []
    depth, blocks = depth_of(blocks), as_arrays(blocks, leaves)
    if depth * sum([leaf.size for leaf in leaves]) > limit:
        return NotImplemented
    result = assembled(blocks, depth, max([depth, *[leaf.ndim for leaf in leaves]]))
    return result if depth else result.copy()


@declare(host=True, composed=plain_block, scalars=False)
def block(arrays: Relevant):
    return arrange(arrays)
