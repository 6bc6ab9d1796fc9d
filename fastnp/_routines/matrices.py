"""Building matrices.

https://numpy.org/doc/2.4/reference/routines.array-creation.html#building-matrices
"""

from __future__ import annotations

import math
import operator

import torch

from fastnp._core.kernels.diagonals import BODIES
from fastnp._core.kernels.passes import BODIES as PASSES
from fastnp._core.stored_dtypes import by_bits
from fastnp._declare import Chapter
from fastnp._routines.creation import DEVICE, arange, empty, make, ones, zeros
from fastnp._routines.data_types import promote_types
from fastnp._routines.reductions import cumprod
from fastnp._routines.shape import broadcast_to, concatenate, stack
from fastnp._routines.sorting import where
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, DTypeLike, LikeArray, NDArrayLike

declare = Chapter("fastnp")

greater_equal, multiply = UFUNCS["greater_equal"], UFUNCS["multiply"]


#: Above so many elements NumPy chooses by a mask as quickly.
FEW = 4096
#: Up to so many powers, one after another take less than all at once.
FEW_POWERS = 8


def are_ints(*numbers):
    """Return whether all are Python's integers."""
    return {int}.issuperset(map(type, numbers))


def below(rows, columns, k):
    """Return which elements of a matrix are on a diagonal or below it."""
    return greater_equal(arange(rows)[:, None], arange(-k, columns - k))


def plain_tri(N, M=None, k=0, dtype=float, *, like=None):
    M = N if M is None else M
    if not are_ints(N, M, k) or like is not None or N < 0 or M < 0:
        return NotImplemented
    return below(N, M, k).astype(dtype, copy=False)


def plain_tril(m, k=0):
    if not are_ints(k) or m.ndim == 0 or m.size > FEW:
        return NotImplemented
    return where(below(m.shape[-2 if m.ndim > 1 else -1], m.shape[-1], k), m, zeros(1, m.dtype))


def plain_triu(m, k=0):
    if not are_ints(k) or m.ndim == 0 or m.size > FEW:
        return NotImplemented
    return where(below(m.shape[-2 if m.ndim > 1 else -1], m.shape[-1], k - 1), zeros(1, m.dtype), m)


def plain_diagflat(v, k=0):
    return diag(v.ravel(), k)


def plain_vander(x, N=None, increasing=False):
    columns = x.size if N is None else N
    if x.ndim != 1 or not are_ints(columns) or columns < 0:
        return NotImplemented
    if 2 < columns <= FEW_POWERS and 0 < x.size <= FEW and x.dtype.kind != "c":  # complex ones are rounded elsewhere
        x = x.astype(promote_types(x.dtype, int), copy=False)
        powers = [ones(x.size, x.dtype), x]
        while len(powers) < columns:
            powers.append(powers[-1] * x)
        return stack(powers if increasing else powers[::-1], 1)
    matrix = empty((x.size, columns), promote_types(x.dtype, int))
    powers = matrix if increasing else matrix[:, ::-1]
    powers[:, :1] = 1
    if columns > 1:
        powers[:, 1:] = x[:, None]
        multiply.accumulate(powers[:, 1:], 1, None, powers[:, 1:])
    return matrix


@declare(compiled=BODIES["eye"], host=True, container=False, scalars=False, differs=DEVICE)
def eye(N, M=None, k=0, dtype: DTypeLike = float, order="C", *, device=None, like: LikeArray = None):
    rows = operator.index(N)
    columns = rows if M is None else operator.index(M)
    result = make(torch.zeros, (rows, columns), dtype, order, device)
    if isinstance(k, float) and math.isnan(k):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if -rows < k < columns:
        result.diagonal(operator.index(k)).fill_(1)
    return result


@declare(compiled=BODIES["identity"], host=True, container=False, scalars=False)
def identity(n, dtype: DTypeLike = None, *, like: LikeArray = None):
    return make(torch.zeros, (n, n), dtype, "C", None).fill_diagonal_(1)


@declare(host=True, composed=plain_tri, container=False, scalars=False)
def tri(N, M=None, k=0, dtype: DTypeLike = float, *, like: LikeArray = None):
    return lower(N, N if M is None else M, k).to(dtype or torch.float64)


def diagonal_of(k, rows, columns):
    """Return the number of a diagonal, near the matrix. NumPy cuts fractions off the places that it compares."""
    return columns if 0 < k < 1 else math.trunc(min(max(k, -rows - 1), columns + 1))


def lower(rows, columns, k):
    """Return which elements of a matrix are on a diagonal or below it; sizes may be fractions or negative."""
    rows, columns = max(math.ceil(rows), 0), max(math.ceil(columns), 0)
    return torch.ones((rows, columns), dtype=torch.bool).tril(diagonal_of(k, rows, columns))


@declare(compiled=PASSES["tril"], host=True, composed=plain_tril, scalars=False)
def tril(m: ArrayLike, k=0):
    return triangle(torch.tril, m, k)


@declare(compiled=PASSES["triu"], host=True, composed=plain_triu, scalars=False)
def triu(m: ArrayLike, k=0):
    return triangle(torch.triu, m, k)


def triangle(part, matrix, k):
    """Return a triangle of a matrix or of a stack of them; NumPy makes a square of a vector."""
    matrix = matrix.expand(matrix.shape[0], -1) if matrix.dim() == 1 else matrix
    rows, columns = matrix.shape[-2:]
    k = diagonal_of(k, rows, columns) if part is torch.tril else diagonal_of(k - 1, rows, columns) + 1
    return by_bits(part, matrix, k)


@declare(compiled=BODIES["diag"], host=True, scalars=False, views=True)
def diag(v: ArrayLike, k=0):
    if v.dim() == 1:
        return torch.diag(v, k)
    if v.dim() == 2:
        return torch.diagonal(v, k)
    raise ValueError("Input must be 1- or 2-d.")


@declare(host=True, composed=plain_diagflat, general=True, scalars=False)
def diagflat(v: ArrayLike, k=0):
    return torch.diag(v.reshape(-1), k)


@declare(host=True, composed=plain_vander, scalars=False)
def vander(x: NDArrayLike, N=None, increasing=False):
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    columns = x.size if N is None else operator.index(N)
    dtype = promote_types(x.dtype, int)
    if columns < 2:
        return ones((x.size, columns), dtype, device=x.device)
    x = x if x.dtype == dtype else x.astype(dtype)
    factors = broadcast_to(x[:, None], (x.size, columns - 1))
    powers = cumprod(concatenate((ones((x.size, 1), dtype, device=x.device), factors), 1), 1)
    return powers if increasing else powers.tensor.flip(1)
