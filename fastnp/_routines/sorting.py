"""Sorting, searching and counting.

https://numpy.org/doc/2.4/reference/routines.sort.html
"""

from __future__ import annotations

import torch

from fastnp._declare import Chapter
from fastnp._typing import ArrayLike

declare = Chapter("fastnp")


@declare(host=True)
def sort(a: ArrayLike, axis=-1, kind=None, order=None, *, stable=None):
    if axis is None:
        a, axis = a.reshape(-1), 0
    return torch.sort(a, axis, stable=True).values


@declare(host=True, method=True)
def argsort(a: ArrayLike, axis=-1, kind=None, order=None, *, stable=None):
    if axis is None:
        a, axis = a.reshape(-1), 0
    return torch.sort(a, axis, stable=True).indices
