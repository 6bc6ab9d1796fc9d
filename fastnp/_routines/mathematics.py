"""Mathematical functions that are no ufuncs: differences, integrals, rounding, parts of complex numbers.

https://numpy.org/doc/2.4/reference/routines.math.html
"""

from __future__ import annotations

import math

import torch

from fastnp._core.converters import to_tensor
from fastnp._core.kernels.lines import BODIES as LINES
from fastnp._core.kernels.shape_bodies import BODIES
from fastnp._declare import Chapter
from fastnp._promotion import canonical_axes, inexact, promoted
from fastnp._typing import ArrayLike, DTypeLike, Mixed, NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")


# --- differences and integrals ----------------------------------------------------------------------------------------


@declare(host=True)
def diff(a: ArrayLike, n=1, axis=-1, prepend: ArrayLike = NoValue, append: ArrayLike = NoValue):
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if n == 0:
        return a
    (axis,) = canonical_axes(axis, a.ndim)
    parts = [
        edge.expand([1 if dim == axis else size for dim, size in enumerate(a.shape)]) if edge.ndim == 0 else edge
        for edge in (part for part in (prepend, a, append) if part is not NoValue)
    ]
    return torch.diff(torch.cat(promoted(*parts), axis), n, axis)


@declare(host=True)
def ediff1d(ary: ArrayLike, to_end: ArrayLike = None, to_begin: ArrayLike = None):
    parts = [part.reshape(-1).to(ary.dtype) for part in (to_begin, ary.reshape(-1).diff(), to_end) if part is not None]
    return torch.cat(parts)


@declare(host=True)
def gradient(f: ArrayLike, *varargs: Mixed, axis=None, edge_order=1):
    axes = canonical_axes(axis, f.ndim)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    spacings = varargs or [1.0]
    if len(spacings) == 1 and len(axes) > 1:
        if getattr(spacings[0], "ndim", 0) > 0:
            raise TypeError("invalid number of arguments")
        spacings = spacings * len(axes)
    f = inexact(f)
    slopes = tuple(
        slope(f.movedim(dim, 0), spacing, edge_order).movedim(0, dim)
        for dim, spacing in zip(axes, spacings, strict=True)
    )
    return slopes[0] if len(axes) == 1 else slopes


def slope(f: torch.Tensor, spacing, edge_order: int) -> torch.Tensor:
    """Return the derivative along the first axis: central differences, one-sided at both ends."""
    size = f.shape[0]
    if size < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    spacing = torch.as_tensor(spacing, device=f.device)
    if spacing.ndim > 1:
        raise ValueError("distances must be either scalars or 1d")
    if spacing.ndim == 1 and len(spacing) != size:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = spacing.expand(size - 1) if spacing.ndim == 0 else spacing.diff()
    steps = steps.to(f.dtype if not f.is_complex() else f.real.dtype).reshape(-1, *(1,) * (f.ndim - 1))
    rises = f.diff(dim=0) / steps
    before, after = steps[:-1], steps[1:]
    inner = (rises[:-1] * after + rises[1:] * before) / (before + after)
    first, last = rises[:1], rises[-1:]
    if edge_order == 2:
        first = first - steps[:1] * (rises[1:2] - first) / (steps[:1] + steps[1:2])
        last = last + steps[-1:] * (last - rises[-2:-1]) / (steps[-1:] + steps[-2:-1])
    return torch.cat([first, inner, last])


@declare(host=True)
def trapezoid(y: ArrayLike, x: ArrayLike = None, dx=1.0, axis=-1):
    y = inexact(y)
    if x is None:
        widths = to_tensor(dx)
    else:
        widths = x.diff() if x.ndim == 1 else x.diff(dim=axis)
        if x.ndim == 1:
            widths = widths.reshape([-1 if dim == axis % y.ndim else 1 for dim in range(y.ndim)])
    size = y.shape[axis]
    return (widths * (y.narrow(axis, 1, size - 1) + y.narrow(axis, 0, size - 1)) / 2.0).sum(axis)


def accumulator(a: torch.Tensor, dtype: torch.dtype | None) -> torch.dtype:
    """Return the dtype of a sum: NumPy's, which widens small integers."""
    if dtype is not None:
        return dtype
    if a.dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64):
        return torch.uint64
    return a.dtype if a.is_floating_point() or a.is_complex() else torch.int64


def cumulative(x, axis, dtype, include_initial, scan, start):
    """Return a running sum or product, with its start in front where it is wanted."""
    if axis is None:
        if x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    x = torch.atleast_1d(x)
    result = scan(x, axis, dtype=accumulator(x, dtype))
    if not include_initial:
        return result
    shape = list(result.shape)
    shape[axis] = 1
    return torch.cat([result.new_full(shape, start), result], axis)


@declare(host=True)
def cumulative_sum(x: ArrayLike, /, *, axis=None, dtype: DTypeLike = None, out: OutArray = None,
                   include_initial=False):
    return cumulative(x, axis, dtype, include_initial, torch.cumsum, 0)


@declare(host=True)
def cumulative_prod(x: ArrayLike, /, *, axis=None, dtype: DTypeLike = None, out: OutArray = None,
                    include_initial=False):
    return cumulative(x, axis, dtype, include_initial, torch.cumprod, 1)


@declare(compiled=LINES["interp"], host=True)
def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left=None, right=None, period=None):
    xp, fp = inexact(xp).to(torch.float64), inexact(fp)
    x = x.to(torch.float64)
    fp = fp.to(torch.complex128 if fp.is_complex() else torch.float64)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
        x, xp = x % period, xp % period
        xp, order = xp.sort()
        fp = fp[order]
        xp = torch.cat([xp[-1:] - period, xp, xp[:1] + period])
        fp = torch.cat([fp[-1:], fp, fp[:1]])
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    index = (torch.searchsorted(xp, x.contiguous(), right=True) - 1).clamp(0, max(len(xp) - 2, 0))
    above = (index + 1).clamp(max=len(xp) - 1)
    width = xp[above] - xp[index]
    share = torch.where(width == 0, 0, (x - xp[index]) / torch.where(width == 0, 1, width))
    result = fp[index] + share * (fp[above] - fp[index])
    result = torch.where(x < xp[0], fp[0] if left is None else left, result)
    result = torch.where(x >= xp[-1], fp[-1], result)
    return result if right is None else torch.where(x > xp[-1], right, result)


@declare(host=True)
def unwrap(p: ArrayLike, discont=None, axis=-1, *, period=2 * math.pi):
    p = p if isinstance(period, int) and not p.is_floating_point() else inexact(p)
    steps = p.diff(dim=axis)
    discont = period / 2 if discont is None else discont
    low = -(period // 2) if isinstance(period, int) else -period / 2
    jumps = torch.remainder(steps - low, period) + low
    jumps = torch.where((jumps == low) & (steps > 0), -low, jumps)
    corrections = torch.where(steps.abs() < discont, 0, jumps - steps)
    (axis,) = canonical_axes(axis, p.ndim)
    return torch.cat(
        [p.narrow(axis, 0, 1), p.narrow(axis, 1, p.shape[axis] - 1) + corrections.cumsum(axis)], axis
    )


# --- rounding and repair ----------------------------------------------------------------------------------------------


def rounded(a: torch.Tensor, decimals) -> torch.Tensor:
    """Return a tensor rounded to even at a decimal place."""
    if a.is_complex():
        return torch.complex(rounded(a.real, decimals), rounded(a.imag, decimals))
    if not a.is_floating_point():
        return a.clone() if decimals >= 0 else torch.round(a.double() * 10.0**decimals).to(a.dtype) * 10**-decimals
    if decimals == 0:
        return torch.round(a)
    scale = 10.0 ** abs(decimals)
    return torch.round(a * scale) / scale if decimals > 0 else torch.round(a / scale) * scale


@declare(host=True, method=True)
def round(a: ArrayLike, decimals=0, out: OutArray = None):
    return rounded(a, decimals)


@declare(host=True)
def around(a: ArrayLike, decimals=0, out: OutArray = None):
    return rounded(a, decimals)


@declare(host=True)
def fix(x: ArrayLike, out: OutArray = None):
    return torch.trunc(x)


@declare(host=True)
def nan_to_num(x: ArrayLike, copy=True, nan: Relevant = 0.0, posinf: Relevant = None, neginf: Relevant = None):
    if not x.is_floating_point() and not x.is_complex():
        return x.clone() if copy else x
    if x.is_complex():
        result = torch.complex(*(torch.nan_to_num(part, nan, posinf, neginf) for part in (x.real, x.imag)))
    else:
        result = torch.nan_to_num(x, nan, posinf, neginf)
    return result if copy else x.copy_(result)


@declare(host=True)
def real_if_close(a: ArrayLike, tol=100):
    if not a.is_complex():
        return a
    if tol > 1:
        tol = torch.finfo(a.dtype).eps * tol
    return a.real if bool((a.imag.abs() < tol).all()) else a


# --- complex numbers --------------------------------------------------------------------------------------------------


@declare(host=True)
def angle(z: ArrayLike, deg=False):
    z = inexact(z)
    # NumPy: arctan2(0, z) of a real number, NaN included; torch's angle of a real number is the same.
    return torch.rad2deg(torch.angle(z)) if deg else torch.angle(z)


@declare(compiled=BODIES["real"])
def real(val: NDArrayLike): ...


@declare(compiled=BODIES["imag"])
def imag(val: NDArrayLike): ...


# --- special functions ------------------------------------------------------------------------------------------------


@declare(host=True)
def i0(x: ArrayLike):
    if x.is_complex():
        raise TypeError("i0 not supported for complex values")
    return torch.special.i0(inexact(x))


@declare(host=True)
def sinc(x: ArrayLike):
    return torch.sinc(inexact(x))
