"""Linear algebra.

https://numpy.org/doc/2.4/reference/routines.linalg.html
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy
import torch
from numpy.linalg import LinAlgError
from numpy.linalg._linalg import EighResult, EigResult, QRResult, SlogdetResult, SVDResult

from fastnp._core.converters import to_tensor
from fastnp._core.kernels.matrices import BODIES
from fastnp._core.kernels.norms import BODIES as NORMS
from fastnp._core.kernels.products import BODIES as PRODUCTS
from fastnp._declare import Chapter
from fastnp._promotion import by_products, canonical_axes, inexact, inexact_pair, promoted, significant
from fastnp._routines import products
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, ArrayLikes, NDArrayLike, NoValue, OutArray

declare = Chapter("fastnp.linalg", numpy.linalg)

declare.publish(LinAlgError=LinAlgError, test=numpy.linalg.test)


def numpy_errors(body: Callable[..., Any]) -> Callable[..., Any]:
    """Have a body raise NumPy's LinAlgError where torch raises its own."""

    @functools.wraps(body)
    def raising(*args: Any, **kwargs: Any) -> Any:
        try:
            return body(*args, **kwargs)
        except torch.linalg.LinAlgError as error:
            raise LinAlgError(str(error)) from None

    return raising


def stacked(a: torch.Tensor, square: bool = False) -> torch.Tensor:
    """Return an inexact stack of matrices; NumPy's errors where it is none."""
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if square and a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return inexact(a)


def real_epsilon(a: torch.Tensor) -> float:
    """Return the machine epsilon of a tensor's real dtype."""
    return torch.finfo(a.dtype).eps


# --- products ---------------------------------------------------------------------------------------------------------


@declare(
    compiled=PRODUCTS["cross_of_vectors"],
    host=True,
    composed=lambda x1, x2, /, *, axis=-1: (
        products.cross(x1, x2, axis=axis) if x1.shape[axis] == x2.shape[axis] == 3 else NotImplemented
    ),
)
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis=-1):
    if x1.size(axis) != 3 or x2.size(axis) != 3:
        raise ValueError(
            f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {x1.shape[axis]} and "
            f"{x2.shape[axis]} dimensional instead."
        )
    x1, x2 = promoted(x1, x2)
    if x1.dim() == x2.dim():
        return torch.linalg.cross(x1, x2, dim=axis)
    # NumPy: the axis is one of each argument, before they are broadcast.
    x1, x2 = torch.broadcast_tensors(x1.movedim(axis, -1), x2.movedim(axis, -1))
    return torch.linalg.cross(x1, x2).movedim(-1, axis)


@declare(compiled=PRODUCTS["matmul"], host=True)
def matmul(x1: ArrayLike, x2: ArrayLike, /):
    return by_products(torch.matmul, *promoted(x1, x2))


@declare(host=True, general=True, composed=lambda x1, x2, /, *, axis=-1: (
    UFUNCS["vecdot"](x1, x2) if axis == -1 else NotImplemented
))
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis=-1):
    axis = operator.index(axis)
    return UFUNCS["vecdot"](x1, x2, axis=axis)


@declare(host=True, composed=True)
def outer(x1: NDArrayLike, x2: NDArrayLike, /):
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        )
    return x1.reshape(-1, 1) * x2.reshape(1, -1)


@declare(compiled=PRODUCTS["tensordot"], host=True)
def tensordot(x1: NDArrayLike, x2: NDArrayLike, /, *, axes=2):
    return products.tensordot(x1, x2, axes)


def chain(arrays, *, out=None):
    """Return the product of two or three matrices, the outer of which may be vectors; NotImplemented for others."""
    if out is not None or len(arrays) not in (2, 3):
        return NotImplemented
    if arrays[0].ndim not in (1, 2) or arrays[-1].ndim not in (1, 2):
        return NotImplemented
    if len(arrays) == 2:
        return products.dot(*arrays)
    a, b, c = arrays
    if b.ndim != 2:
        return NotImplemented
    rows, second = (1, *a.shape)[-2:]
    third, columns = (*c.shape, 1)[:2]
    if rows * third * (second + columns) < columns * second * (rows + third):
        return products.dot(products.dot(a, b), c)
    return products.dot(a, products.dot(b, c))


@declare(host=True, composed=chain, general=True)
def multi_dot(arrays: ArrayLikes, *, out: OutArray = None):
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    return by_products(lambda *matrices: torch.linalg.multi_dot(list(matrices)), *promoted(*arrays))


#: The largest exponent that torch takes.
WIDEST = 2**62


@declare(compiled=NORMS["matrix_power"], host=True)
@numpy_errors
def matrix_power(a: ArrayLike, n):
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    n = operator.index(n)
    if abs(n) > WIDEST:
        count, rest = divmod(abs(n), WIDEST)
        base = inexact(a) if n > 0 else torch.linalg.inv(inexact(a))
        whole = matrix_power(matrix_power(base, count), WIDEST)
        return whole @ torch.linalg.matrix_power(base, rest)
    return by_products(lambda a: torch.linalg.matrix_power(a, n), inexact(a) if n < 0 else a)


@declare(host=True, views=True, general=True, composed=lambda x, /, *, offset=0: x.diagonal(offset, -2, -1))
def diagonal(x: ArrayLike, /, *, offset=0):
    return torch.diagonal(x, offset, -2, -1)


@declare(host=True, composed=True)
def trace(x: NDArrayLike, /, *, offset=0, dtype=None):
    return x.trace(offset, -2, -1, dtype)


@declare(host=True, views=True, general=True, composed=lambda x, /: x.mT if x.ndim > 1 else NotImplemented)
def matrix_transpose(x: ArrayLike, /):
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return x.mT


# --- decompositions ---------------------------------------------------------------------------------------------------


@declare(compiled=BODIES["cholesky"], host=True)
@numpy_errors
def cholesky(a: ArrayLike, /, *, upper=False):
    return torch.linalg.cholesky(stacked(a, square=True), upper=upper)


@declare(compiled=BODIES["qr"], host=True)
@numpy_errors
def qr(a: ArrayLike, mode="reduced"):
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a = stacked(a)
    if mode == "raw":
        packed, tau = torch.geqrf(a)
        return packed.mT, tau
    q, r = torch.linalg.qr(a, mode)
    return r if mode == "r" else QRResult(q, r)


@declare(compiled=BODIES["svd"], host=True)
@numpy_errors
def svd(a: ArrayLike, full_matrices=True, compute_uv=True, hermitian=False):
    a = stacked(a)
    if not compute_uv:
        if hermitian:
            return torch.linalg.eigvalsh(a).abs().sort(-1, descending=True).values
        return torch.linalg.svdvals(a)
    if not hermitian:
        return SVDResult(*torch.linalg.svd(a, full_matrices=full_matrices))
    values, vectors = torch.linalg.eigh(a)
    magnitudes, order = values.abs().sort(-1, descending=True)
    vectors = torch.take_along_dim(vectors, order.unsqueeze(-2), -1)
    signs = torch.take_along_dim(values, order, -1).sgn()
    return SVDResult(vectors, magnitudes, (vectors * signs.unsqueeze(-2)).mH)


@declare(compiled=BODIES["svdvals"], host=True)
@numpy_errors
def svdvals(x: ArrayLike, /):
    return torch.linalg.svdvals(stacked(x))


# --- eigenvalues ------------------------------------------------------------------------------------------------------


def real_where_real(values: torch.Tensor, a: torch.Tensor) -> bool:
    """Return whether NumPy gives eigenvalues of `a` as real numbers: it looks at the values, which tracing cannot."""
    return not a.is_complex() and not a.requires_grad and bool((values.imag == 0).all())


EIG_DIFFERS = "With a gradient, the eigenvalues of a real matrix are complex even where all of them are real."


@declare(compiled=BODIES["eig"], host=True, differs=EIG_DIFFERS)
@numpy_errors
def eig(a: ArrayLike):
    a = stacked(a, square=True)
    values, vectors = torch.linalg.eig(own(a))
    if real_where_real(values, a):
        values, vectors = values.real, vectors.real
    return EigResult(values, vectors)


def own(a):
    """Return matrices that may be written over: torch's solver of CUDA does so with those in Fortran order."""
    return a.clone() if a.is_cuda else a


@declare(compiled=BODIES["eigvals"], host=True, differs=EIG_DIFFERS)
@numpy_errors
def eigvals(a: ArrayLike):
    a = stacked(a, square=True)
    values = torch.linalg.eigvals(own(a))
    return values.real if real_where_real(values, a) else values


@declare(compiled=BODIES["eigh"], host=True)
@numpy_errors
def eigh(a: ArrayLike, UPLO="L"):
    return EighResult(*torch.linalg.eigh(stacked(a, square=True), triangle(UPLO)))


@declare(compiled=BODIES["eigvalsh"], host=True)
@numpy_errors
def eigvalsh(a: ArrayLike, UPLO="L"):
    return torch.linalg.eigvalsh(stacked(a, square=True), triangle(UPLO))


def triangle(spelling: str) -> str:
    """Return "L" or "U"."""
    if spelling.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return spelling.upper()


# --- norms and numbers ------------------------------------------------------------------------------------------------


@declare(compiled=NORMS["norm"], host=True)
@numpy_errors
def norm(x: ArrayLike, ord=None, axis=None, keepdims=False):
    x = inexact(x)
    axis = int(axis) if isinstance(axis, float) else axis  # NumPy: an axis is what int() makes of it
    if axis is None and (
        ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1)
    ):
        return torch.linalg.vector_norm(x, 2, keepdim=keepdims)
    axes = canonical_axes(axis, x.ndim)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"Invalid norm order '{ord}' for vectors")
        return norm_along(x, ord, axes, keepdims)
    if len(axes) == 2:
        if ord is None or ord in ("f", "fro"):
            return torch.linalg.vector_norm(x, 2, axes, keepdims)
        if ord not in ("nuc", 2, -2, 1, -1, math.inf, -math.inf):
            raise ValueError("Invalid norm order for matrices.")
        return torch.linalg.matrix_norm(x, ord, axes, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


@declare(compiled=NORMS["matrix_norm"], host=True)
@numpy_errors
def matrix_norm(x: ArrayLike, /, *, keepdims=False, ord="fro"):
    return torch.linalg.matrix_norm(inexact(x), "fro" if ord is None else ord, (-2, -1), keepdims)


@declare(compiled=NORMS["vector_norm"], host=True)
def vector_norm(x: ArrayLike, /, *, axis=None, keepdims=False, ord=2):
    axes = canonical_axes(int(axis) if isinstance(axis, float) else axis, x.ndim)
    x = inexact(x)
    if not axes:  # torch: all of them
        x, axes, keepdims = x.unsqueeze(-1), (-1,), False
    return norm_along(x, ord, axes, keepdims)


def norm_along(x, ord, axes, keepdims):
    """Return vector norms along axes; the greatest of nothing is zero."""
    if ord == math.inf and any(x.shape[axis] == 0 for axis in axes):
        return x.abs().sum(axes, keepdim=bool(keepdims))
    return torch.linalg.vector_norm(x, 2 if ord is None else ord, axes, keepdims)


@declare(compiled=NORMS["cond"], host=True)
@numpy_errors
def cond(x: ArrayLike, p=None):
    if x.numel() == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    x = stacked(x)
    if p in {None, 2, -2}:
        values = torch.linalg.svdvals(x)
        return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    # torch.linalg.cond writes to the inverse in place: no gradient goes back (test_gradients_go_through).
    return torch.linalg.matrix_norm(x, p) * torch.linalg.matrix_norm(torch.linalg.inv(x), p)


@declare(compiled=BODIES["det"], host=True)
@numpy_errors
def det(a: ArrayLike):
    return torch.linalg.det(stacked(a, square=True))


@declare(compiled=BODIES["slogdet"], host=True)
@numpy_errors
def slogdet(a: ArrayLike):
    return SlogdetResult(*torch.linalg.slogdet(stacked(a, square=True)))


@declare(compiled=NORMS["matrix_rank"], host=True)
@numpy_errors
def matrix_rank(A: ArrayLike, tol=None, hermitian=False, *, rtol=None):
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    if A.ndim < 2:
        return int(bool((A != 0).any()))
    A = inexact(A)
    if 0 in A.shape[-2:]:
        return torch.zeros(A.shape[:-2], dtype=torch.int64, device=A.device)
    values = torch.linalg.eigvalsh(A).abs() if hermitian else torch.linalg.svdvals(A)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * real_epsilon(A)
        tol = values.amax(-1, keepdim=True) * limit(rtol, A)
    else:
        tol = limit(tol, A)
    return (values > (tol.real if tol.is_complex() else tol)).sum(-1)


def limit(number, like: torch.Tensor) -> torch.Tensor:
    """Return a limit, which may be any number or an array of them, as a tensor of one more axis."""
    number = float(number) if type(number) is int else number
    return to_tensor(number).to(like.device).unsqueeze(-1)


# --- equations and inverses -------------------------------------------------------------------------------------------


@declare(compiled=BODIES["inv"], host=True)
@numpy_errors
def inv(a: ArrayLike):
    return torch.linalg.inv(stacked(a, square=True))


@declare(compiled=NORMS["pinv"], host=True)
@numpy_errors
def pinv(a: ArrayLike, rcond=None, hermitian=False, *, rtol=NoValue):
    if rcond is not None and rtol is not NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    given, a = a, inexact(a)
    if rcond is None:
        rcond = 1e-15 if rtol is NoValue else max(a.shape[-2:]) * real_epsilon(a) if rtol is None else rtol
    if hermitian:
        return torch.linalg.pinv(a, rtol=to_tensor(rcond), hermitian=True)
    if a.numel() == 0:
        return given.new_empty((*a.shape[:-2], a.shape[-1], a.shape[-2]))
    # As NumPy does it: whatever number the cut-off is.
    u, values, vh = torch.linalg.svd(a.conj(), full_matrices=False)
    cutoff = to_tensor(rcond).to(a.device).unsqueeze(-1) * values.amax(-1, keepdim=True)
    cutoff = cutoff.real if cutoff.is_complex() else cutoff
    if torch.broadcast_shapes(cutoff.shape, values.shape) != values.shape:
        raise ValueError("non-broadcastable output operand: more cut-offs than matrices")
    inverse = torch.where(values > cutoff, 1 / torch.where(values > cutoff, values, 1), 0)
    return vh.mT @ (inverse.unsqueeze(-1) * u.mT)


@declare(compiled=BODIES["solve"], host=True)
@numpy_errors
def solve(a: ArrayLike, b: ArrayLike):
    a, b = inexact_pair(stacked(a, square=True), b)
    # NumPy: b is one vector only if it is 1-d; torch also reads a stack of vectors.
    return torch.linalg.solve(a, b.unsqueeze(-1)).squeeze(-1) if b.ndim == 1 else torch.linalg.solve(a, b)


@declare(compiled=BODIES["lstsq"], host=True)
@numpy_errors
def lstsq(a: ArrayLike, b: ArrayLike, rcond=None):
    a, b = inexact_pair(stacked(a), b)
    if a.ndim > 2 or b.ndim > 2:
        raise LinAlgError(f"{max(a.ndim, b.ndim)}-dimensional array given. Array must be two-dimensional")
    rows, columns = a.shape
    if b.shape[0] != rows:
        raise LinAlgError("Incompatible dimensions")
    if rcond is None:
        rcond = real_epsilon(a) * max(rows, columns)
    u, values, vh = torch.linalg.svd(a, full_matrices=False)
    kept = significant(values, rcond)
    inverse = torch.where(kept, 1 / torch.where(kept, values, 1), 0).to(a.dtype)
    right = b.reshape(rows, -1)
    x = vh.mH @ (inverse.unsqueeze(-1) * (u.mH @ right))
    rank = kept.sum(dtype=torch.int32)
    residuals = values.new_empty(0)
    if rows > columns and int(rank) == columns:
        residuals = (right - a @ x).abs().square().sum(0)
    return x.reshape(columns, *b.shape[1:]), residuals, rank, values


@declare(host=True)
@numpy_errors
def tensorsolve(a: ArrayLike, b: ArrayLike, axes=None):
    a, b = inexact_pair(a, b)
    return torch.linalg.tensorsolve(a, b, axes)


@declare(host=True)
@numpy_errors
def tensorinv(a: ArrayLike, ind=2):
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    return torch.linalg.tensorinv(inexact(a), ind)


globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(numpy.linalg.__all__)
