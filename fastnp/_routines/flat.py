"""`a.flat`: the elements in C order, whatever the layout.

https://numpy.org/doc/2.4/reference/generated/numpy.flatiter.html
"""

from __future__ import annotations

import numpy
import torch

from fastnp._core.converters import asarray
from fastnp._core.host import from_host
from fastnp._core.interchange import as_numpy
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter

declare = Chapter("fastnp")


class flatiter:
    """Iterator over an array's elements in C order, which can be indexed and assigned.

    Made by `a.flat`; NumPy: `numpy.flatiter`.
    """

    __array_priority__ = 0.0
    __hash__ = None

    def __init__(self, array: ndarray) -> None:
        self.base = array
        # NumPy walks over the array's own memory, or counts along a stand-in where there is none to read.
        self.readable = is_readable(array)
        self.theirs = as_numpy(array).flat if self.readable else numpy.broadcast_to(numpy.False_, array.shape).flat

    @property
    def index(self):
        """Number of the next element."""
        return self.theirs.index

    @property
    def coords(self):
        """Index of the next element, as a tuple."""
        return self.theirs.coords

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return self

    def __next__(self):
        index = None if self.readable else self.theirs.coords
        item = next(self.theirs)
        return from_host(item) if self.readable else self.base[index]

    def __getitem__(self, key):
        if self.readable:
            return from_host(as_numpy(self.base).flat[plain_key(key)])
        flat = self.base.reshape(-1)
        if key is Ellipsis or key == ():
            return flat.copy()
        picked = flat[key]
        return picked.copy() if isinstance(key, slice) else picked

    def __setitem__(self, key, value):
        if not self.base.flags.writeable:
            raise ValueError("underlying array is read-only")
        if self.readable and not carries_gradient(value):
            as_numpy(self.base).flat[plain_key(key)] = as_numpy(asarray(value))
            return
        indices = numpy.arange(self.base.size)[plain_key(key)]
        values = asarray(value).reshape(-1)
        wanted = numpy.arange(indices.size) % max(values.size, 1)
        self.base[numpy.unravel_index(indices.reshape(-1), self.base.shape)] = values[wanted]

    @classmethod
    def assign(cls, array, value):
        """Set all elements from a value that is repeated as often as needed: `a.flat = value`."""
        cls(array)[...] = value

    def __array__(self, dtype=None, /, *, copy=None):
        return numpy.asarray(self.copy(), dtype)

    def copy(self):
        """Return the elements as a new one-dimensional array."""
        return self.base.flatten()

    def __eq__(self, other):
        return self.copy() == other

    def __ne__(self, other):
        return self.copy() != other

    def __lt__(self, other):
        return self.copy() < other

    def __le__(self, other):
        return self.copy() <= other

    def __gt__(self, other):
        return self.copy() > other

    def __ge__(self, other):
        return self.copy() >= other


def is_readable(array):
    """Return whether an array's elements are in host memory, and carry no gradient."""
    tensor = array.tensor
    return type(tensor) is torch.Tensor and tensor.is_cpu and not tensor.requires_grad


def carries_gradient(value):
    """Return whether a value carries a gradient."""
    return isinstance(value, ndarray) and value.tensor.requires_grad or getattr(value, "requires_grad", False)


def plain_key(key):
    """Return an index as NumPy takes it."""
    if isinstance(key, ndarray):
        return as_numpy(key)
    return as_numpy(asarray(key)) if hasattr(key, "requires_grad") else key


declare.publish(flatiter=flatiter)
