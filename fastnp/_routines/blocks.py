"""Arrays assembled from nested lists of blocks.

https://numpy.org/doc/2.4/reference/generated/numpy.block.html
"""

from __future__ import annotations

from fastnp._core.converters import to_tensor
from fastnp._declare import Chapter
from fastnp._routines.shape import concatenated
from fastnp._typing import Mixed

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
    """Return nested lists of blocks as one tensor: the innermost lists along the last axis."""
    if not isinstance(blocks, list):
        tensor = to_tensor(blocks)
        return tensor.reshape((1,) * (ndim - tensor.dim()) + tuple(tensor.shape))
    return concatenated([assembled(block, depth - 1, ndim) for block in blocks], ndim - depth, None, "same_kind")


def flattened(blocks):
    """Return the leaves of nested lists."""
    return [leaf for block in blocks for leaf in flattened(block)] if isinstance(blocks, list) else [blocks]


@declare(host=True, scalars=False)
def block(arrays: Mixed):
    depth = depth_of(arrays)
    ndim = max([depth, *(to_tensor(leaf).dim() for leaf in flattened(arrays))])
    return assembled(arrays, depth, ndim).clone()
