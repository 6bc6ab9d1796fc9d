"""Discrete Fourier transforms.

https://numpy.org/doc/2.4/reference/routines.fft.html
"""

from __future__ import annotations

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import to_tensor
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._core.kernels.placed_copies import BODIES as PLACED_COPIES
from fastnp._core.kernels.transforms import BODIES
from fastnp._declare import Chapter
from fastnp._promotion import inexact
from fastnp._routines.creation import arange, empty
from fastnp._typing import ArrayLike, OutArray, Relevant

declare = Chapter("fastnp.fft", numpy.fft)

declare.publish(test=numpy.fft.test)


def transformable(a: torch.Tensor) -> torch.Tensor:
    """Return the tensor of a dtype that torch transforms: float16 counts as float32, as in NumPy."""
    return a.to(torch.float32) if a.dtype is torch.float16 else inexact(a)


def lengths(a: torch.Tensor, s, axes):
    """Return the lengths and axes of a transform in several dimensions; -1 in `s` is the array's own length."""
    if axes is None:
        axes = tuple(range(-(a.ndim if s is None else len(s)), 0))
    if s is None:
        return None, tuple(axes)
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return tuple(a.shape[axis] if size == -1 else size for size, axis in zip(s, axes, strict=True)), tuple(axes)


def one(transform, a, n, axis, norm):
    """Return a transform along one axis."""
    a, n = transformable(a), n if n is None else int(n)
    if a.numel() == 0 and a.ndim and a.shape[normalize_axis_index(axis, a.ndim)]:
        # torch's library refuses to transform no lines: one stands for their length and dtype.
        line = transform(a.new_zeros([size or 1 for size in a.shape]), n, axis, norm)
        return line.new_zeros([kept and size for kept, size in zip(a.shape, line.shape, strict=True)])
    return transform(a, n, axis, norm)


def several(transform, a, s, axes, norm, real=False):
    """Return a transform along several axes; `real`: the last one is of real numbers, and there must be one."""
    s, axes = lengths(a, s, axes)
    if not axes:
        if real:
            raise IndexError("tuple index out of range")
        return a
    if len({axis % a.ndim for axis in axes}) < len(axes):
        return one_by_one(transform, transformable(a), s, axes, norm)
    return transform(transformable(a), s, axes, norm)


#: A transform in several dimensions: that of the last axis, and that of the others.
PARTS = {
    torch.fft.fftn: (torch.fft.fft, torch.fft.fft),
    torch.fft.ifftn: (torch.fft.ifft, torch.fft.ifft),
    torch.fft.rfftn: (torch.fft.rfft, torch.fft.fft),
    torch.fft.irfftn: (torch.fft.irfft, torch.fft.ifft),
}


def one_by_one(transform, a, s, axes, norm):
    """Return a transform along axes one of which is there twice, which torch refuses: in NumPy's order."""
    last, other = PARTS[transform]
    if s is None:
        s = [a.shape[axis] for axis in axes]
        if transform is torch.fft.irfftn:
            s[-1] = 2 * (s[-1] - 1)
    pairs = list(zip(s, axes, strict=True))
    if transform is torch.fft.irfftn:
        for size, axis in pairs[:-1]:
            a = one(other, a, size, axis, norm)
        return one(last, a, *pairs[-1], norm)
    a = one(last, a, *pairs[-1], norm)
    for size, axis in reversed(pairs[:-1]):
        a = one(other, a, size, axis, norm)
    return a


@declare(compiled=BODIES["fft"], host=True)
def fft(a: ArrayLike, n=None, axis=-1, norm=None, out: OutArray = None):
    return one(torch.fft.fft, a, n, axis, norm)


@declare(compiled=BODIES["ifft"], host=True)
def ifft(a: ArrayLike, n=None, axis=-1, norm=None, out: OutArray = None):
    return one(torch.fft.ifft, a, n, axis, norm)


@declare(compiled=BODIES["rfft"], host=True)
def rfft(a: ArrayLike, n=None, axis=-1, norm=None, out: OutArray = None):
    return one(torch.fft.rfft, a, n, axis, norm)


@declare(compiled=BODIES["irfft"], host=True)
def irfft(a: ArrayLike, n=None, axis=-1, norm=None, out: OutArray = None):
    return one(torch.fft.irfft, a, n, axis, norm)


@declare(compiled=BODIES["hfft"], host=True)
def hfft(a: ArrayLike, n=None, axis=-1, norm=None, out: Relevant = None):  # NumPy: of no effect
    return one(torch.fft.hfft, a, n, axis, norm)


@declare(compiled=BODIES["ihfft"], host=True)
def ihfft(a: ArrayLike, n=None, axis=-1, norm=None, out: OutArray = None):
    return one(torch.fft.ihfft, a, n, axis, norm)


@declare(compiled=BODIES["fftn"], host=True)
def fftn(a: ArrayLike, s=None, axes=None, norm=None, out: OutArray = None):
    return several(torch.fft.fftn, a, s, axes, norm)


@declare(compiled=BODIES["ifftn"], host=True)
def ifftn(a: ArrayLike, s=None, axes=None, norm=None, out: OutArray = None):
    return several(torch.fft.ifftn, a, s, axes, norm)


@declare(compiled=BODIES["rfftn"], host=True)
def rfftn(a: ArrayLike, s=None, axes=None, norm=None, out: OutArray = None):
    return several(torch.fft.rfftn, a, s, axes, norm, real=True)


@declare(compiled=BODIES["irfftn"], host=True)
def irfftn(a: ArrayLike, s=None, axes=None, norm=None, out: OutArray = None):
    return several(torch.fft.irfftn, a, s, axes, norm, real=True)


@declare(compiled=BODIES["fftn"], host=True)
def fft2(a: ArrayLike, s=None, axes=(-2, -1), norm=None, out: OutArray = None):
    return several(torch.fft.fftn, a, s, axes, norm)


@declare(compiled=BODIES["ifft2"], host=True)
def ifft2(a: ArrayLike, s=None, axes=(-2, -1), norm=None, out: Relevant = None):  # NumPy: of no effect
    return several(torch.fft.ifftn, a, s, axes, norm)


@declare(compiled=BODIES["rfftn"], host=True)
def rfft2(a: ArrayLike, s=None, axes=(-2, -1), norm=None, out: OutArray = None):
    return several(torch.fft.rfftn, a, s, axes, norm, real=True)


@declare(compiled=BODIES["irfft2"], host=True)
def irfft2(a: ArrayLike, s=None, axes=(-2, -1), norm=None, out: Relevant = None):  # NumPy: of no effect
    return several(torch.fft.irfftn, a, s, axes, norm, real=True)


def plain_fftfreq(n, d=1.0, device=None):
    if type(n) is not int or type(d) not in (int, float) or n <= 0:
        return NotImplemented
    places = empty(n, int)
    half = (n - 1) // 2 + 1
    places[:half] = arange(half)
    places[half:] = arange(-(n // 2), 0)
    return places * (1.0 / (n * d))


@declare(compiled=PASSES["fftfreq"], host=True, composed=plain_fftfreq, scalars=False, container=False)
def fftfreq(n, d=1.0, device=None):
    n = whole(n)
    half = (n - 1) // 2 + 1
    places = torch.cat([torch.arange(half, device=device), torch.arange(-(n // 2), 0, device=device)])
    return spaced(places, n, d)


def whole(n):
    """Return a number of points; ValueError where it is no integer."""
    if not isinstance(n, (int, numpy.integer)):
        raise ValueError("n should be an integer")
    return int(n)


def spaced(places, n, d):
    """Return frequencies: places over the length of n points that are `d` apart."""
    spacing = 1.0 / (n * d)
    if hasattr(spacing, "dtype"):
        return places * to_tensor(spacing)
    return places * torch.tensor(spacing, dtype=SCALARS[type(spacing)])


#: The dtypes of Python's numbers.
SCALARS = {float: torch.float64, complex: torch.complex128}


def plain_rfftfreq(n, d=1.0, device=None):
    if type(n) is not int or type(d) not in (int, float) or n <= 0:
        return NotImplemented
    return arange(n // 2 + 1) * (1.0 / (n * d))


@declare(compiled=PASSES["rfftfreq"], host=True, composed=plain_rfftfreq, scalars=False, container=False)
def rfftfreq(n, d=1.0, device=None):
    n = whole(n)
    return spaced(torch.arange(n // 2 + 1, device=device), n, d)


def named(axes):
    """Return axes as torch takes them: an integer or a tuple of integers."""
    return axes if isinstance(axes, int) else tuple(to_tensor(axes).reshape(-1).tolist())


@declare(compiled=PLACED_COPIES["fftshift"], host=True)
def fftshift(x: ArrayLike, axes=None):
    if axes is None:
        return torch.fft.fftshift(x)
    axes = named(axes)
    return x.clone() if axes == () else torch.fft.fftshift(x, axes)


@declare(compiled=PLACED_COPIES["ifftshift"], host=True)
def ifftshift(x: ArrayLike, axes=None):
    if axes is None:
        return torch.fft.ifftshift(x)
    axes = named(axes)
    return x.clone() if axes == () else torch.fft.ifftshift(x, axes)


globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(numpy.fft.__all__)
