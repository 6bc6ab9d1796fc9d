"""Polynomials as coefficients, highest power first: the old interface, and `poly1d`.

https://numpy.org/doc/2.4/reference/routines.polynomials.poly1d.html
"""

from __future__ import annotations

import functools
import warnings

import numpy
import torch

from fastnp._core.borrowed import as_ours, as_theirs
from fastnp._core.converters import to_tensor
from fastnp._core.kernels.lines import BODIES as LINES
from fastnp._core.ndarray import ndarray
from fastnp._declare import Chapter, with_dispatch
from fastnp._promotion import by_products, inexact, inexact_pair, promoted, promoted_dtype, significant
from fastnp._routines.creation import arange, array, empty_like, ones, zeros
from fastnp._routines.matrices import diag, vander
from fastnp._routines.shape import concatenate
from fastnp._routines.sorting import flatnonzero
from fastnp._routines.statistics import convolve
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike
from fastnp.linalg import eigvals, lstsq, own

declare = Chapter("fastnp")

sqrt = UFUNCS["sqrt"]


class poly1d(numpy.poly1d):
    def __init__(self, c_or_r, r=False, variable=None):
        given = as_theirs(c_or_r)
        line = None if r or isinstance(given, numpy.poly1d) else numpy.atleast_1d(given)
        if line is None or line.ndim != 1 or line.dtype.kind not in "biufc" or not line.size or not line[0]:
            super().__init__(given, r, variable)
        else:  # no zeros are in front, which NumPy looks for among all coefficients
            self._coeffs, self._variable = line[:], "x" if variable is None else variable

    def __call__(self, val):
        if type(val) is ndarray:
            return polyval(self.coeffs, val)
        return as_our_polynomials(super().__call__(as_theirs(val)))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Have NumPy's function compute what takes a polynomial; other functions get its coefficients."""
        theirs = getattr(func, "__numpy_function__", None)
        if theirs is None:
            return func(*coefficients(args), **(kwargs or {}))
        return as_our_polynomials(theirs(*as_theirs(args), **(kwargs or {})))


def coefficients(value):
    """Return a value with the coefficients of each polynomial in it in its place."""
    if isinstance(value, numpy.poly1d):
        return value.coeffs
    return type(value)(map(coefficients, value)) if type(value) in (list, tuple) else value


def lent(name):
    """Return a method of NumPy's polynomial that takes and returns ours."""
    theirs = getattr(numpy.poly1d, name)

    @functools.wraps(theirs)
    def method(self, *args, **kwargs):
        return as_our_polynomials(theirs(self, *as_theirs(args), **kwargs))

    return method


def as_our_polynomials(result):
    """Return what NumPy returned with polynomials and arrays as ours."""
    if isinstance(result, tuple):
        return tuple(as_our_polynomials(item) for item in result)
    return poly1d(result) if isinstance(result, numpy.poly1d) else as_ours(result)


OPERATORS = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg", "pos")

for name in (*(f"__{operator}__" for operator in OPERATORS), "deriv", "integ"):
    setattr(poly1d, name, lent(name))

poly1d.__doc__ = numpy.poly1d.__doc__
poly1d.__module__ = "fastnp"
declare.publish(poly1d=poly1d)


def padded(a: torch.Tensor, size: int) -> torch.Tensor:
    """Return coefficients with zeros in front."""
    if len(a) == size:
        return a
    if a.ndim != 1:
        raise ValueError("all the input arrays must have same number of dimensions")
    return torch.nn.functional.pad(a, (size - len(a), 0))


def terms(a1: torch.Tensor, a2: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two polynomials with as many coefficients each."""
    a1, a2 = promoted(torch.atleast_1d(a1), torch.atleast_1d(a2))
    size = max(len(a1), len(a2))
    return padded(a1, size), padded(a2, size)


def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the coefficients of a product."""
    return to_tensor(convolve(a, b))


def without_leading_zeros(p: torch.Tensor) -> torch.Tensor:
    """Return a polynomial as NumPy's `poly1d` holds it: without zeros in front; one where there is nothing else."""
    p = torch.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Polynomial must be 1d only.")
    found = p.to(torch.bool).nonzero()
    return p[int(found[0, 0]):] if len(found) else p.new_zeros(1)


def powers_down(x: torch.Tensor, count: int) -> torch.Tensor:
    """Return the Vandermonde matrix with the highest power first."""
    return torch.stack([x**power for power in range(count - 1, -1, -1)], -1)


def by_terms(operation):
    """Return what an operation on coefficients makes of polynomials that have as many each."""
    return lambda a1, a2: operation(a1, a2) if a1.ndim == a2.ndim == 1 and a1.size == a2.size else NotImplemented


@declare(host=True, composed=by_terms(UFUNCS["add"]), general=True)
def polyadd(a1: ArrayLike, a2: ArrayLike):
    first, second = terms(a1, a2)
    return UFUNCS["add"](first, second)


@declare(host=True, composed=by_terms(UFUNCS["subtract"]), general=True)
def polysub(a1: ArrayLike, a2: ArrayLike):
    first, second = terms(a1, a2)
    return UFUNCS["subtract"](first, second)


def plain_line(p):
    """Return coefficients without the zeros in front, one zero where there is nothing else."""
    if p.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    if p.ndim == 0:
        p = p.reshape(1)
    if p.size and p[0]:
        return p
    places = flatnonzero(p)
    return p[int(places[0]):] if places.size else zeros(1, p.dtype)


def plain_polymul(a1, a2):
    return convolve(plain_line(a1), plain_line(a2))


@declare(host=True, composed=plain_polymul)
def polymul(a1: ArrayLike, a2: ArrayLike):
    return product(without_leading_zeros(a1), without_leading_zeros(a2))


#: What is not above counts as nothing in a remainder.
NOTHING = 1e-8


def plain_polydiv(u, v):
    if u.ndim != 1 or v.ndim != 1 or not u.size or not v.size or u.dtype.kind == "c" or v.dtype.kind == "c":
        return NotImplemented
    u, v = u + 0.0, v + 0.0
    dtype = (u[:1] + v[:1]).dtype
    steps, scale = u.size - v.size + 1, 1.0 / v[0]
    quotient, rest = zeros(max(steps, 1), dtype), u.astype(dtype)
    for step in range(steps):
        factor = scale * rest[step]
        quotient[step] = factor
        rest[step:step + v.size] -= factor * v
    start, last = 0, rest.size - 1
    while start < last and abs(float(rest[start])) <= NOTHING:
        start += 1
    return quotient, rest[start:]


@declare(host=True, composed=plain_polydiv)
def polydiv(u: ArrayLike, v: ArrayLike):
    u, v = inexact_pair(torch.atleast_1d(u), torch.atleast_1d(v))
    if not len(u) or not len(v):
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    scale, steps = 1 / v[0], len(u) - len(v) + 1
    quotient, rest = [], u
    for step in range(steps):
        factor = scale * rest[step]
        quotient.append(factor)
        taken = factor * v
        rest = torch.cat([rest[:step], rest[step:step + len(v)] - taken, rest[step + len(v):]])
    while rest.shape[-1] > 1 and bool(torch.isclose(rest[0], rest.new_zeros(()), rtol=1e-14).all()):
        rest = rest[1:]
    return torch.stack(quotient) if quotient else u.new_zeros(1), rest


def plain_polyval(p, x):
    if p.ndim != 1:
        return NotImplemented
    value = empty_like(x)
    value[...] = 0
    for coefficient in p:
        value = value * x + coefficient
    return value


@declare(compiled=LINES["polyval"], host=True, composed=plain_polyval)
def polyval(p: ArrayLike, x: ArrayLike):
    if not len(p):
        return torch.zeros_like(x)
    p, x = promoted(p, x)

    def horner(p, x):
        value = torch.zeros_like(x)
        for coefficient in p:
            value = value * x + coefficient
        return value

    return by_products(horner, p, x)


#: Derivatives and integrals that are computed here; NumPy recurs for each, and ends with an error where they are many.
DEEP = 100


def plain_polyder(p, m=1):
    if p.ndim != 1 or type(m) is not int or not 0 < m <= DEEP:
        return NotImplemented
    for _ in range(m):
        p = p[:-1] * falling(p.size - 1, p)
    return p


@declare(host=True, composed=plain_polyder, general=True)
def polyder(p: ArrayLike, m=1):
    m = int(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = p.to(promoted_dtype(p.dtype, torch.int64)) if m else p
    for _ in range(m):
        p = lowered(p)
    lowered(p)  # NumPy: the next derivative is computed as well, and refused where it cannot be
    return p


def lowered(p):
    """Return the coefficients of a derivative."""
    return p[:-1] * torch.arange(max(len(p) - 1, 0), 0, -1, device=p.device)


def falling(count, p):
    """Return the numbers from a count down to 1: doubles for coefficients that are, or they would be converted."""
    return arange(count, 0, -1, float if p.dtype.char == "d" else int, device=p.device)


def plain_polyint(p, m=1, k=None):
    if p.ndim != 1 or type(m) is not int or not 0 < m <= DEEP or k is not None:
        return NotImplemented
    for _ in range(m):
        p = concatenate((p / falling(p.size, p), zeros(1, device=p.device)))
    return p


@declare(host=True, composed=plain_polyint, general=True)
def polyint(p: ArrayLike, m=1, k: ArrayLike = None):
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = torch.zeros(max(m, 1), dtype=torch.float64, device=p.device) if k is None else torch.atleast_1d(k)
    if len(constants) == 1 and m > 1:
        constants = constants.expand(m)
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    if m == 0:
        return p
    p = inexact(p.to(promoted_dtype(p.dtype, torch.int64)))
    for step in range(m):
        divided = p / torch.arange(len(p), 0, -1, device=p.device, dtype=p.real.dtype)
        p = torch.cat(promoted(divided, constants[step].reshape(1)))
    return p


def plain_poly(seq_of_zeros):
    if seq_of_zeros.ndim != 1 or seq_of_zeros.size == 0 or seq_of_zeros.dtype.kind == "c":
        return NotImplemented
    dtype = seq_of_zeros.dtype if seq_of_zeros.dtype.char == "f" else numpy.dtype(float)
    result = ones(1, dtype)
    for zero in seq_of_zeros.astype(dtype, copy=False).tolist():
        result = convolve(result, array([1, -zero], dtype))
    return result


@declare(host=with_dispatch(numpy.poly), composed=plain_poly)
def poly(seq_of_zeros: ArrayLike):
    if not seq_of_zeros.ndim:
        raise TypeError("a sequence of zeros is no number")
    zeros = torch.atleast_1d(seq_of_zeros)
    if zeros.ndim == 1 and not len(zeros):
        return 1.0
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0]:
        zeros = torch.linalg.eigvals(own(inexact(zeros)))
    elif zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    result = inexact(zeros).new_ones(1)
    for zero in inexact(zeros):
        result = product(result, torch.stack([torch.ones_like(zero), -zero]))
    return result.real if zeros.is_complex() and not seq_of_zeros.is_complex() else result


def plain_roots(p):
    places = flatnonzero(p) if p.ndim == 1 else ()
    if not len(places):
        return NotImplemented
    zeros_at_end = p.size - int(places[-1]) - 1
    p = p[int(places[0]):int(places[-1]) + 1]
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    if p.size == 1:
        return zeros(zeros_at_end)
    companion = diag(ones(p.size - 2, p.dtype), -1)
    companion[0] = -p[1:] / p[0]
    found = eigvals(companion)
    return concatenate((found, zeros(zeros_at_end, found.dtype)))


@declare(host=with_dispatch(numpy.roots), composed=plain_roots)
def roots(p: ArrayLike):
    if not p.ndim:
        raise TypeError("a sequence of coefficients is no number")
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    present = torch.nonzero(p.detach() != 0).reshape(-1)
    if len(present) == 0:
        return p.new_empty(0)
    zeros_at_end = len(p) - int(present[-1]) - 1
    p = inexact(p[int(present[0]): int(present[-1]) + 1])
    if len(p) == 1:
        return p.new_zeros(zeros_at_end)
    companion = torch.diag(p.new_ones(len(p) - 2), -1)
    companion = torch.cat([(-p[1:] / p[0]).unsqueeze(0), companion[1:]])
    found = torch.linalg.eigvals(companion)
    if not p.is_complex() and not p.requires_grad and bool((found.imag == 0).all()):
        found = found.real
    return torch.cat([found, found.new_zeros(zeros_at_end)])


def plain_polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or w is not None or cov or rcond is not None or type(deg) is not int or deg < 0:
        return NotImplemented
    if x.ndim != 1 or x.size == 0 or y.ndim not in (1, 2) or y.shape[0] != x.size:
        return NotImplemented
    x, y = x + 0.0, y + 0.0
    left = vander(x, deg + 1)
    scale = sqrt((left * left).sum(0))
    left /= scale
    solved, _, rank, _ = lstsq(left, y, float(x.size * numpy.finfo(x.dtype).eps))
    if rank != deg + 1:
        warnings.warn("Polyfit may be poorly conditioned", numpy.exceptions.RankWarning, stacklevel=2)
    return (solved.T / scale).T


@declare(host=True, composed=plain_polyfit)
def polyfit(x: ArrayLike, y: ArrayLike, deg, rcond=None, full=False, w: ArrayLike = None, cov=False):
    deg = int(deg)
    if deg < 0:
        raise ValueError("expected deg >= 0")
    x, y = inexact_pair(x, y)
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.numel() == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    rcond = to_tensor(numpy.float64(len(x) * torch.finfo(x.dtype).eps)) if rcond is None else rcond
    left, right = powers_down(x, deg + 1), y
    if w is not None:
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if len(w) != len(y):
            raise TypeError("expected w and y to have the same length")
        w = inexact(w)
        left = left * w.unsqueeze(-1)
        right = right * (w if y.ndim == 1 else w.unsqueeze(-1))
    scale = left.square().sum(0).sqrt()
    u, values, vh = torch.linalg.svd(left / scale, full_matrices=False)
    kept = significant(values, rcond)
    inverse = torch.where(kept, 1 / values, 0)
    columns = right.reshape(len(x), -1)
    solved = vh.mH @ (inverse.unsqueeze(-1) * (u.mH @ columns)) / scale.unsqueeze(-1)
    coefficients = solved.reshape(deg + 1, *y.shape[1:])
    residuals = (columns - left @ solved).square().sum(0)
    if full:
        return coefficients, residuals, kept.sum(dtype=torch.int32), values, rcond
    if not cov:
        return coefficients
    base = torch.linalg.inv(left.mT @ left)
    if cov == "unscaled":
        return coefficients, base
    if len(x) <= deg + 1:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    factor = residuals / (len(x) - deg - 1)
    return coefficients, base * factor.squeeze() if y.ndim == 1 else base.unsqueeze(-1) * factor
