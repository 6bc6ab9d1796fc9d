"""Limits of values, and signs of infinities.

https://numpy.org/doc/2.4/reference/generated/numpy.clip.html
"""

from __future__ import annotations

import math

import numpy

from fastnp._core.kernels.clipping import BODIES
from fastnp._core.kernels.shape_bodies import BODIES as SHAPE_BODIES
from fastnp._core.ufunc import ufunc
from fastnp._declare import Chapter, declare_method
from fastnp._routines.ufuncs import _ROWS, UFUNCS
from fastnp._typing import ArrayLike, NDArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")


def limited(kind):
    """Return what limits values of a kind of dtype to an interval; a NaN in any operand is the result."""
    maximum, minimum = _ROWS["maximum"][kind], _ROWS["minimum"][kind]
    return lambda values, low, high: minimum(maximum(values, low), high)


#: NumPy's ufunc of three operands, which its namespace does not show.
CLIP = ufunc(numpy._core.umath.clip, {kind: limited(kind) for kind in ("biuf", "c")})


def clipped(a, low, high, out, kwargs):
    """Return values limited by what is given of two bounds; Python integers beyond the dtype limit nothing."""
    kind = a.dtype
    if kind.kind in "iu":
        limits = numpy.iinfo(kind)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if low is None and high is None:
        return UFUNCS["positive"](a, out=out, **kwargs)
    if low is None:
        return UFUNCS["minimum"](a, high, out=out, **kwargs)
    if high is None:
        return UFUNCS["maximum"](a, low, out=out, **kwargs)
    return CLIP(a, low, high, out=out, **kwargs)


@declare(compiled=BODIES["clip"])
def clip(
    a: NDArrayLike,
    a_min: Relevant = NoValue,
    a_max: Relevant = NoValue,
    out: Relevant = None,
    *,
    min: Relevant = NoValue,
    max: Relevant = NoValue,
    **kwargs,
):
    if a_min is NoValue and a_max is NoValue:
        a_min = None if min is NoValue else min
        a_max = None if max is NoValue else max
    elif a_min is NoValue:
        raise TypeError("clip() missing 1 required positional argument: 'a_min'")
    elif a_max is NoValue:
        raise TypeError("clip() missing 1 required positional argument: 'a_max'")
    elif min is not NoValue or max is not NoValue:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    return clipped(a, a_min, a_max, out, kwargs)


@declare_method(compiled=BODIES["clip_method"])
def clip_(self, min: Relevant = None, max: Relevant = None, out: Relevant = None, **kwargs):
    """Return the array with its values limited."""
    return clipped(self, min, max, out, kwargs)


def plain_conj(self, out=None, /):
    """Conjugate by the ufunc, as NumPy's method does."""
    return self if out is None and self.dtype.kind != "c" else UFUNCS["conjugate"](self, out=out)


@declare_method(compiled=SHAPE_BODIES["conj_method"], host=True, composed=plain_conj)
def conj(self: ArrayLike, out: OutArray = None, /):
    """Return the complex conjugate of all elements; a real array itself."""
    return self.conj()


@declare_method(compiled=SHAPE_BODIES["conj_method"], host=True, composed=plain_conj)
def conjugate(self: ArrayLike, out: OutArray = None, /):
    """Return the complex conjugate of all elements; a real array itself."""
    return self.conj()


NO_ORDER = "This operation is not supported for complex values because it would be ambiguous."


def are_infinite(x, infinity, out):
    """Return which elements are an infinity."""
    if x.dtype.kind == "c":
        raise TypeError(NO_ORDER)
    return UFUNCS["equal"](x, infinity, out)


@declare(host=True, composed=True, discrete=True)
def isposinf(x: NDArrayLike, out: OutArray = None):
    return are_infinite(x, math.inf, out)


@declare(host=True, composed=True, discrete=True)
def isneginf(x: NDArrayLike, out: OutArray = None):
    return are_infinite(x, -math.inf, out)
