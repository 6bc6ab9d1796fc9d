"""Mathematical functions that are no ufuncs: differences, integrals, rounding, parts of complex numbers.

https://numpy.org/doc/2.4/reference/routines.math.html
"""

from __future__ import annotations

import math

import numpy
import torch
from numpy.lib._function_base_impl import _i0A as I0_NEAR
from numpy.lib._function_base_impl import _i0B as I0_FAR

from fastnp._core.converters import to_tensor
from fastnp._core.dtype import to_numpy_dtype
from fastnp._core.host import is_plain
from fastnp._core.kernels.components import BODIES as COMPONENTS
from fastnp._core.kernels.lines import BODIES as LINES
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._core.kernels.special import BODIES as SPECIAL
from fastnp._declare import Chapter
from fastnp._promotion import by_products, canonical_axes, inexact
from fastnp._routines.creation import array, asarray, empty, empty_like, full_like, zeros_like
from fastnp._routines.data_types import result_type
from fastnp._routines.indexing import copyto
from fastnp._routines.reductions import cumprod, cumsum
from fastnp._routines.shape import broadcast_to, concatenate
from fastnp._routines.sorting import where
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")

absolute, arctan2, divide, exp, isfinite, isnan, multiply, not_equal, remainder, sin, sqrt, subtract, trunc = (
    UFUNCS[name] for name in (
        "absolute", "arctan2", "divide", "exp", "isfinite", "isnan", "multiply", "not_equal", "remainder", "sin",
        "sqrt", "subtract", "trunc",
    )
)


# --- differences and integrals ----------------------------------------------------------------------------------------


def along(axis, ndim, start, stop):
    """Return the index of a part of an array along an axis."""
    if not -ndim <= axis < ndim:
        raise numpy.exceptions.AxisError(axis, ndim)
    return (*(slice(None),) * (axis % ndim), slice(start, stop))


def differences(a, n=1, axis=-1, prepend=NoValue, append=NoValue):
    """Return the n-th differences along an axis; of order zero NumPy's are the argument, array or not."""
    if n == 0:
        return NotImplemented
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if prepend is not NoValue or append is not NoValue:
        shape = list(a.shape)
        shape[axis] = 1
        parts = [part for part in (prepend, a, append) if part is not NoValue]
        a = concatenate([broadcast_to(part, shape) if part.ndim == 0 else part for part in parts], axis)
    operation = not_equal if a.dtype.kind == "b" else subtract
    if a.ndim == 1 and axis in (0, -1):
        for _ in range(n):
            a = operation(a[1:], a[:-1])
        return a
    after, before = along(axis, a.ndim, 1, None), along(axis, a.ndim, None, -1)
    for _ in range(n):
        a = operation(a[after], a[before])
    return a


@declare(host=True, composed=differences)
def diff(a: NDArrayLike, n=1, axis=-1, prepend: NDArrayLike = NoValue, append: NDArrayLike = NoValue):
    return a if n == 0 else differences(a, n, axis, prepend, append)


def plain_ediff1d(ary, to_end=None, to_begin=None):
    ary = ary.ravel()
    if to_end is None and to_begin is None:
        return ary[1:] - ary[:-1]
    if not is_plain(ary):
        return NotImplemented
    for part in (to_end, to_begin):
        if part is not None and part.dtype != ary.dtype and not numpy.can_cast(part.dtype, ary.dtype, "same_kind"):
            return NotImplemented
    first = 0 if to_begin is None else to_begin.size
    last = first + max(ary.size - 1, 0)
    result = empty(last if to_end is None else last + to_end.size, ary.dtype)
    if to_begin is not None:
        result[:first] = to_begin.ravel()
    if to_end is not None:
        result[last:] = to_end.ravel()
    subtract(ary[1:], ary[:-1], result[first:last])
    return result


NO_DIFFERENCES = (
    "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
    "logical_xor function instead."
)


@declare(host=True, composed=plain_ediff1d, general=True)
def ediff1d(ary: ArrayLike, to_end: ArrayLike = None, to_begin: ArrayLike = None):
    if ary.dtype is torch.bool:
        raise TypeError(NO_DIFFERENCES)
    steps = by_products(torch.diff, ary.reshape(-1))
    for name, part in (("to_end", to_end), ("to_begin", to_begin)):
        if part is not None and not numpy.can_cast(to_numpy_dtype(part.dtype), to_numpy_dtype(ary.dtype), "same_kind"):
            raise TypeError(
                f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
            )
    parts = [part.reshape(-1).to(ary.dtype) for part in (to_begin, steps, to_end) if part is not None]
    return torch.cat(parts)


def plain_gradient(f, *varargs, axis=None, edge_order=1):
    axes = canonical_axes(axis, f.ndim)
    if edge_order not in (1, 2) or len(varargs) not in (0, 1, len(axes)) or f.dtype.kind == "b":
        return NotImplemented
    if not all(type(spacing) in (int, float) for spacing in varargs):
        return NotImplemented
    spacings = varargs or (1.0,)
    if len(spacings) == 1:
        spacings = spacings * len(axes)
    if f.dtype.kind not in "fc":
        f = f.astype(float)
    slopes = [plain_slope(f, dim, spacing, edge_order) for dim, spacing in zip(axes, spacings, strict=True)]
    return slopes[0] if len(axes) == 1 else tuple(slopes)


def plain_slope(f, axis, spacing, edge_order):
    """Return the derivative along an axis, in the order of NumPy's operations."""
    if f.shape[axis] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    slopes = empty_like(f)
    # Views, on which the axis comes first.
    f, out = (f, slopes) if axis == 0 else (f.swapaxes(0, axis), slopes.swapaxes(0, axis))
    divide(f[2:] - f[:-2], 2.0 * spacing, out[1:-1])
    if edge_order == 1:
        out[0] = (f[1] - f[0]) / spacing
        out[-1] = (f[-1] - f[-2]) / spacing
    else:
        out[0] = -1.5 / spacing * f[0] + 2.0 / spacing * f[1] + -0.5 / spacing * f[2]
        out[-1] = 0.5 / spacing * f[-3] + -2.0 / spacing * f[-2] + 1.5 / spacing * f[-1]
    return slopes


@declare(host=True, composed=plain_gradient)
def gradient(f: NDArrayLike, *varargs: Relevant, axis=None, edge_order=1):
    axes = canonical_axes(axis, f.ndim)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    if not axes:
        return ()
    if f.dtype.kind == "b":
        raise TypeError(NO_DIFFERENCES)
    spacings = varargs or (1.0,)
    if len(spacings) == 1 and len(axes) > 1:
        if numpy.ndim(spacings[0]) > 0:
            raise TypeError("invalid number of arguments")
        spacings = spacings * len(axes)
    if f.dtype.kind in "iu":
        f = f.astype(float)
    slopes = tuple(
        slope(f.swapaxes(0, axis), spacing, edge_order).swapaxes(0, axis) if axis else slope(f, spacing, edge_order)
        for axis, spacing in zip(axes, spacings, strict=True)
    )
    return slopes[0] if len(axes) == 1 else slopes


def slope(f, spacing, edge_order):
    """Return the derivative along the first axis: central differences, one-sided at both ends."""
    size = f.shape[0]
    if size < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    if type(spacing) in (int, float):
        return even_slope(f, float(spacing), edge_order)
    spacing = asarray(spacing, device=f.device)
    if spacing.ndim > 1:
        raise ValueError("distances must be either scalars or 1d")
    if spacing.ndim == 1 and len(spacing) != size:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = broadcast_to(spacing, (size - 1,)) if spacing.ndim == 0 else diff(spacing)
    steps = steps.astype(f.real.dtype).reshape(-1, *(1,) * (f.ndim - 1))
    rises = (f[1:] - f[:-1]) / steps
    before, after = steps[:-1], steps[1:]
    inner = (rises[:-1] * after + rises[1:] * before) / (before + after)
    first, last = rises[:1], rises[-1:]
    if edge_order != 1:
        first = first - steps[:1] * (rises[1:2] - first) / (steps[:1] + steps[1:2])
        last = last + steps[-1:] * (last - rises[-2:-1]) / (steps[-1:] + steps[-2:-1])
    return concatenate((first, inner, last))


def even_slope(f, spacing, edge_order):
    """Return the derivative along the first axis where all distances are equal."""
    inner = (f[2:] - f[:-2]) / (2.0 * spacing)
    if edge_order == 1:
        first, last = (f[1:2] - f[:1]) / spacing, (f[-1:] - f[-2:-1]) / spacing
    else:
        first = (4 * f[1:2] - 3 * f[:1] - f[2:3]) / (2.0 * spacing)
        last = (3 * f[-1:] - 4 * f[-2:-1] + f[-3:-2]) / (2.0 * spacing)
    return concatenate((first, inner, last))


@declare(compiled=PASSES["trapezoid"], host=True, composed=True)
def trapezoid(y: NDArrayLike, x: NDArrayLike = None, dx=1.0, axis=-1):
    widths = dx
    if x is not None:
        widths = diff(x, axis=-1 if x.ndim == 1 else axis)
        if x.ndim == 1 and y.ndim != 1:
            widths = widths.reshape([-1 if dim == axis % y.ndim else 1 for dim in range(y.ndim)])
    heights = y[1:] + y[:-1] if y.ndim == 1 else y[along(axis, y.ndim, 1, None)] + y[along(axis, y.ndim, None, -1)]
    return (widths * heights / 2.0).sum(axis)


def cumulative(x, axis, dtype, include_initial, accumulate, start):
    """Return a running sum or product, with its start in front where it is wanted."""
    ndim = x.ndim
    if axis is None:
        if ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    if not ndim:
        x = x.reshape(1)
    result = accumulate(x, axis) if dtype is None else accumulate(x, axis, dtype)
    if not include_initial:
        return result
    shape = list(result.shape)
    shape[axis] = 1
    return concatenate((full_like(result, start, shape=shape), result), axis)


def plain_cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    if include_initial:
        return cumulative(x, axis, dtype, True, cumsum, 0) if out is None else NotImplemented
    return cumsum(x, axis, dtype, out) if axis is not None or x.ndim == 1 else NotImplemented


@declare(host=True, composed=plain_cumulative_sum)
def cumulative_sum(x: NDArrayLike, /, *, axis=None, dtype: DTypeLike = None, out: OutArray = None,
                   include_initial=False):
    return cumulative(x, axis, dtype, include_initial, cumsum, 0)


def plain_cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    if include_initial:
        return cumulative(x, axis, dtype, True, cumprod, 1) if out is None else NotImplemented
    return cumprod(x, axis, dtype, out) if axis is not None or x.ndim == 1 else NotImplemented


@declare(host=True, composed=plain_cumulative_prod)
def cumulative_prod(x: NDArrayLike, /, *, axis=None, dtype: DTypeLike = None, out: OutArray = None,
                    include_initial=False):
    return cumulative(x, axis, dtype, include_initial, cumprod, 1)


@declare(compiled=LINES["interp"], host=True)
def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left=None, right=None, period=None):
    for given in (x, xp):
        if given.is_complex():
            kind = to_numpy_dtype(given.dtype)
            raise TypeError(f"Cannot cast array data from {kind!r} to dtype('float64') according to the rule 'safe'")
    xp, fp = inexact(xp).to(torch.float64), inexact(fp)
    x = x.to(torch.float64)
    fp = fp.to(torch.complex128 if fp.is_complex() else torch.float64)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        if len(xp) != len(fp):
            raise ValueError("fp and xp are not of the same length")
        period, left, right = abs(float(period) if type(period) is int else to_tensor(period).item()), None, None
        x, xp = x % period, xp % period
        xp, order = xp.sort()
        fp = fp[order]
        xp = torch.cat([xp[-1:] - period, xp, xp[:1] + period])
        fp = torch.cat([fp[-1:], fp, fp[:1]])
    left, right = (float(end) if type(end) is int else end if end is None else to_tensor(end) for end in (left, right))
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    # How many of the inner points are not above is the number of the stretch.
    index = torch.searchsorted(xp[1:-1], x.contiguous(), right=True)
    width, rise = xp.diff(), fp.diff()
    if len(xp) == 1:
        width, rise = torch.ones_like(xp), torch.zeros_like(fp)
    width = torch.where(width == 0, torch.inf, width)  # a step: its first value, whatever is added to it
    result = fp[index] + (x - xp[index]) / width[index] * rise[index]
    result = torch.where(x < xp[0], fp[0] if left is None else left, result)
    result = torch.where(x >= xp[-1], fp[-1], result)
    result = result if right is None else torch.where(x > xp[-1], right, result)
    if len(xp) == 1:
        return result  # NumPy: the one value is NaN's as well
    # NumPy: a complex result is NaN in its real part alone.
    return torch.where(torch.isnan(x), x.to(result.dtype), result)


def turns_of(p, discont, axis, period):
    """Return what to add to the elements behind the first, and the dtype of the result."""
    steps = diff(p, axis=axis)
    dtype = result_type(steps.dtype, period)
    high, odd = divmod(period, 2) if dtype.kind in "iu" else (period / 2, 0)
    jumps = remainder(steps - -high, period) + -high
    if not odd:
        # A step of half a period goes on in its direction.
        jumps = where((jumps == -high) & (steps > 0), high, jumps)
    turns = where(absolute(steps) < (period / 2 if discont is None else discont), 0, jumps - steps)
    return turns.cumsum(axis), dtype


def plain_unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    if type(period) not in (int, float):
        return NotImplemented
    turns, dtype = turns_of(p, discont, axis, period)
    unwrapped = array(p, dtype)
    after = along(axis, p.ndim, 1, None)
    unwrapped[after] = p[after] + turns
    return unwrapped


@declare(host=True, composed=plain_unwrap)
def unwrap(p: NDArrayLike, discont=None, axis=-1, *, period=2 * math.pi):
    if type(period) not in (int, float) or p.dtype.kind not in "iufc":
        return unwrapped_tensor(p.tensor, discont, axis, period)
    turns, dtype = turns_of(p, discont, axis, period)
    first, rest = p[along(axis, p.ndim, 0, 1)], p[along(axis, p.ndim, 1, None)] + turns
    return concatenate((first, rest), axis, dtype=dtype, casting="unsafe")


def unwrapped_tensor(p, discont, axis, period):
    """Return a tensor of any dtype unwrapped, the period being any that NumPy takes."""
    if isinstance(period, (list, tuple)):
        raise TypeError(f"unsupported operand type(s) for /: '{type(period).__name__}' and 'int'")
    steps = by_products(lambda p: p.diff(dim=axis), p)  # NumPy: of unsigned integers they wrap around
    whole = isinstance(period, int) and not p.is_floating_point()
    if not whole:
        p, steps = inexact(p), inexact(steps)
        period = float(period) if isinstance(period, int) else to_tensor(period)
    if not p.shape[axis]:
        return p.clone()
    discont = period / 2 if discont is None else float(discont) if type(discont) is int else discont
    low = -(period // 2) if whole else -period / 2
    jumps = torch.remainder(steps - low, period) + low
    if not whole or period % 2 == 0:
        jumps = torch.where((jumps == low) & (steps > 0), -low, jumps)
    if isinstance(discont, (list, tuple, complex)):
        discont = to_tensor(discont)  # complex numbers are in the order of their real parts
    corrections = torch.where(UFUNCS["less"](steps.abs(), discont), 0, jumps - steps)
    (axis,) = canonical_axes(axis, p.ndim)
    return torch.cat(
        [p.narrow(axis, 0, 1), p.narrow(axis, 1, p.shape[axis] - 1) + corrections.cumsum(axis)], axis
    )


# --- rounding and repair ----------------------------------------------------------------------------------------------


#: The greatest power of ten that float64 holds exactly: torch's further ones differ from Python's in the last place.
EXACT_POWERS = 22


def rounded(a: torch.Tensor, decimals) -> torch.Tensor:
    """Return a tensor rounded to even at a decimal place."""
    if a.is_complex():
        return torch.complex(rounded(a.real, decimals), rounded(a.imag, decimals))
    if a.dtype is torch.bool:
        if decimals:
            numpy.around(numpy.False_.reshape(1), decimals)  # raises: truths are no numbers to multiply
        return a.to(torch.float16)  # NumPy: rint of truths
    if not a.is_floating_point():
        if decimals >= 0:
            return a.clone()
        return by_products(lambda a: a * 10**-decimals, torch.round(a.double() * 10.0**decimals).to(a.dtype))
    if decimals == 0:
        return torch.round(a)
    if a.dtype in (torch.float32, torch.float64) and type(decimals) is int and abs(decimals) <= EXACT_POWERS:
        return torch.round(a, decimals=decimals)  # the same three steps
    scale = 10.0 ** abs(decimals)
    return torch.round(a * scale) / scale if decimals > 0 else torch.round(a / scale) * scale


@declare(compiled=PASSES["round"], host=True, method=True)
def round(a: ArrayLike, decimals=0, out: OutArray = None):
    return rounded(a, decimals)


@declare(compiled=PASSES["round"], host=True)
def around(a: ArrayLike, decimals=0, out: OutArray = None):
    return rounded(a, decimals)


@declare(host=True, composed=True)
def fix(x: NDArrayLike, out: OutArray = None):
    return trunc(x) if out is None else trunc(x, out)


def plain_nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if copy is not True and (copy is not False or x.ndim == 0):
        return NotImplemented
    if not all(value is None or type(value) in (int, float) for value in (nan, posinf, neginf)):
        return NotImplemented
    result = x.copy("K") if copy else x
    if x.dtype.kind in "fc" and not isfinite(x).all():
        limits = numpy.finfo(x.dtype)
        posinf, neginf = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
        for part in (result.real, result.imag) if x.dtype.kind == "c" else (result,):
            missing, above, below = isnan(part), part == math.inf, part == -math.inf
            copyto(part, nan, where=missing)
            copyto(part, posinf, where=above)
            copyto(part, neginf, where=below)
    return result if x.ndim else result[()]


@declare(compiled=PASSES["nan_to_num"], host=True, composed=plain_nan_to_num)
def nan_to_num(x: ArrayLike, copy=True, nan: Relevant = 0.0, posinf: Relevant = None, neginf: Relevant = None):
    if not x.is_floating_point() and not x.is_complex():
        return x.clone() if copy else x
    if x.is_complex():
        result = torch.complex(*(torch.nan_to_num(part, nan, posinf, neginf) for part in (x.real, x.imag)))
    else:
        result = torch.nan_to_num(x, nan, posinf, neginf)
    return result if copy else x.copy_(result)


#: The distance from 1 to the next number, by dtype.
EPSILONS = {dtype: float(numpy.finfo(dtype).eps) for dtype in map(numpy.dtype, "fd")}


def plain_real_if_close(a, tol=100):
    if a.is_scalar or type(tol) not in (int, float):
        return NotImplemented
    if a.dtype.kind != "c":
        return a
    imaginary = a.imag
    return a.real if (absolute(imaginary) < (EPSILONS[imaginary.dtype] * tol if tol > 1 else tol)).all() else a


@declare(host=True, composed=plain_real_if_close)
def real_if_close(a: ArrayLike, tol=100):
    if not a.is_complex():
        return a
    if tol > 1:
        tol = torch.finfo(a.dtype).eps * tol
    return a.real if bool((a.imag.abs() < tol).all()) else a


# --- complex numbers --------------------------------------------------------------------------------------------------


#: Real numbers, from which on their signs cost less than arc tangents.
MANY_REAL = 256


def plain_angle(z, deg=False):
    if z.dtype.kind == "f" and z.size > MANY_REAL:
        angles = UFUNCS["signbit"](z).astype(z.dtype)
        angles *= math.pi
        unknown = UFUNCS["isnan"](z)
        if unknown.any():
            angles[unknown] = math.nan
        return angles * (180 / math.pi) if deg else angles
    angles = arctan2(z.imag, z.real) if z.dtype.kind == "c" else arctan2(0, z)
    if deg:
        angles *= 180 / math.pi
    return angles


@declare(compiled=SPECIAL["angle"], host=True, composed=plain_angle)
def angle(z: ArrayLike, deg=False):
    if not z.is_floating_point() and not z.is_complex():
        z = z.to(torch.int64) if z.dtype is torch.bool else z  # NumPy: its zero is an int
        z = UFUNCS["arctan2"](torch.zeros_like(z), z)
        return z * (180 / math.pi) if deg else z
    # NumPy: arctan2(0, z) of a real number, NaN included; torch's angle of a real number is the same.
    return torch.rad2deg(torch.angle(z)) if deg else torch.angle(z)


@declare(compiled=COMPONENTS["real"])
def real(val: NDArrayLike): ...


@declare(compiled=COMPONENTS["imag"])
def imag(val: NDArrayLike): ...


# --- special functions ------------------------------------------------------------------------------------------------


def chebyshev_sum(x, weights):
    """Return a series of Chebyshev polynomials, in the order of NumPy's operations."""
    before, last = 0.0, weights[0]
    for weight in weights[1:]:
        before, last, oldest = last, x * last - before + weight, before
    return 0.5 * (last - oldest)


def i0_near(x):
    """Return i0 of numbers from 0 to 8."""
    return exp(x) * chebyshev_sum(x / 2.0 - 2, I0_NEAR)


def i0_far(x):
    """Return i0 of numbers above 8."""
    return exp(x) * chebyshev_sum(32.0 / x - 2.0, I0_FAR) / sqrt(x)


def plain_i0(x):
    if x.dtype.kind == "c":
        return NotImplemented
    x = absolute(x if x.dtype.kind == "f" else x.astype(float))
    near = x <= 8.0
    if x.ndim and near.all():
        return i0_near(x)
    result = zeros_like(x)
    for condition, series in ((near, i0_near), (~near, i0_far)):
        values = x[condition]
        if values.size:
            result[condition] = series(values)
    return result


@declare(compiled=SPECIAL["i0"], host=True, composed=plain_i0)
def i0(x: ArrayLike):
    if x.is_complex():
        raise TypeError("i0 not supported for complex values")
    return torch.special.i0(inexact(x))


def plain_sinc(x):
    x = math.pi * x
    y = where(x, x, numpy.finfo(x.dtype).eps if x.dtype.kind == "f" else 1e-20)
    return sin(y) / y


@declare(compiled=SPECIAL["sinc"], host=True, composed=plain_sinc)
def sinc(x: ArrayLike):
    return torch.sinc(inexact(x))
