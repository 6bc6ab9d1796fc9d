"""Products of vectors, matrices and tensors.

https://numpy.org/doc/2.4/reference/routines.linalg.html#matrix-and-vector-products
"""

from __future__ import annotations

import operator
import warnings

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import asarray as to_array
from fastnp._core.converters import to_tensor
from fastnp._core.kernels.contractions import BODIES as CONTRACTIONS
from fastnp._core.kernels.products import BODIES
from fastnp._declare import Chapter
from fastnp._promotion import by_products, promoted
from fastnp._routines.adding_and_removing import repeat, tile
from fastnp._routines.creation import ascontiguousarray
from fastnp._routines.shape import moveaxis, stack
from fastnp._routines.ufuncs import UFUNCS
from fastnp._typing import ArrayLike, Mixed, NDArrayLike, OutArray

declare = Chapter("fastnp")

multiply, negative, subtract = (UFUNCS[name] for name in ("multiply", "negative", "subtract"))


@declare(compiled=BODIES["dot"], host=True, method=True)
def dot(a: ArrayLike, b: ArrayLike, out: OutArray = None):
    a, b = promoted(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return multiply(a, b)
    if b.ndim == 1 or (a.ndim <= 2 and b.ndim == 2):
        return UFUNCS["matmul"](a, b)
    if a.shape[-1] != b.shape[-2]:  # torch: one element goes with any number
        raise ValueError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} not aligned")
    return by_products(lambda a, b: torch.tensordot(a, b, dims=([-1], [-2])), a, b)


@declare(compiled=BODIES["vdot"], host=True)
def vdot(a: ArrayLike, b: ArrayLike, /):
    a, b = promoted(a.reshape(-1), b.reshape(-1))
    return by_products(torch.vdot, a, b)


@declare(compiled=BODIES["inner"], host=True)
def inner(a: ArrayLike, b: ArrayLike, /):
    a, b = promoted(a, b)
    return multiply(a, b) if a.ndim == 0 or b.ndim == 0 else by_products(torch.inner, a, b)


@declare(host=True, composed=True)
def outer(a: NDArrayLike, b: NDArrayLike, out: OutArray = None):
    return multiply(a.reshape(-1, 1), b.ravel().reshape(1, -1), out)


@declare(compiled=BODIES["tensordot"], host=True)
def tensordot(a: NDArrayLike, b: NDArrayLike, axes=2):
    first, second = (range(-axes, 0), range(axes)) if isinstance(axes, int) else axes
    first, second = summed_axes(first, a.shape), summed_axes(second, b.shape)
    if [a.shape[axis] for axis in first] != [b.shape[axis] for axis in second]:
        raise ValueError("shape-mismatch for sum")
    return tensordot(a, b, (first, second))


def summed_axes(axes, shape):
    """Return axes that a product sums over as numbers from 0 on."""
    axes = [operator.index(axis) for axis in (axes if hasattr(axes, "__len__") else [axes])]
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate axes are not allowed in tensordot")
    for axis in axes:
        shape[axis]  # IndexError where there is no such axis
    return [axis % len(shape) for axis in axes]


#: Rows of a second matrix that are shorter are laid side by side first, if both have so many rows and the product so
#: many elements: one operation for a row of the product, not for each element of the first, 0.4 to 0.8 of the time.
SHORT_ROW, MANY_ROWS, MANY = 64, 4, 2000


def plain_kron(a, b):
    if a.ndim == b.ndim == 2:
        (rows, columns), (height, width) = a.shape, b.shape
        short = width < SHORT_ROW and min(rows, height) >= MANY_ROWS and a.size * b.size >= MANY
        # NumPy rounds complex numbers at the end of a row in another place.
        if short and a.dtype.kind != "c" != b.dtype.kind:
            product = multiply(repeat(a, width, 1)[:, None], tile(b, columns)[None])
            return product.reshape(rows * height, columns * width)
    return product_of_all_pairs(a, b)


@declare(host=True, composed=plain_kron)
def kron(a: NDArrayLike, b: NDArrayLike):
    return product_of_all_pairs(a, b)


def product_of_all_pairs(a, b):
    if a.ndim == b.ndim == 2:
        (rows, columns), (height, width) = a.shape, b.shape
        product = multiply(a.reshape(rows, 1, columns, 1), b.reshape(1, height, 1, width))
        return product.reshape(rows * height, columns * width)
    if a.ndim == b.ndim == 1:
        return multiply(a[:, None], b[None]).reshape(-1)
    if a.ndim < b.ndim:
        a = a.reshape((1,) * (b.ndim - a.ndim) + a.shape)
    if b.ndim == 0:
        return multiply(a, b)
    first, second = a.shape, (1,) * (a.ndim - b.ndim) + b.shape
    product = multiply(
        a.reshape([part for size in first for part in (size, 1)]),
        b.reshape([part for size in second for part in (1, size)]),
    )
    return product.reshape([m * n for m, n in zip(first, second, strict=True)])


def plain_cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    if axisa != -1:
        a = moveaxis(a, axisa, -1)
    if axisb != -1:
        b = moveaxis(b, axisb, -1)
    sizes = a.shape[-1:], b.shape[-1:]
    if axisc != -1 and (3,) in sizes:
        normalize_axis_index(axisc, max(a.ndim, b.ndim), "axisc")
    if a.ndim == b.ndim == 1:
        # Integers of arrays wrap around, those of scalars say so; complex ones are rounded in other places.
        return plain_cross(a[None], b[None])[0]
    if sizes != ((3,), (3,)):
        return of_flat_vectors(a, b, sizes, axisc)
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    product = ascontiguousarray(stack((a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0), -1))
    return product if axisc == -1 else moveaxis(product, -1, axisc)


@declare(compiled=BODIES["cross"], host=True, composed=plain_cross)
def cross(a: NDArrayLike, b: NDArrayLike, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    dtype, shape, other = a.dtype, a.shape, b.shape
    inexact = dtype.kind in "fc" and dtype == b.dtype
    if not inexact or not shape or not other or shape[axisa] != 3 or other[axisb] != 3:
        return plain_cross(a, b, axisa, axisb, axisc)
    a = a if axisa == -1 else moveaxis(a, axisa, -1)
    b = b if axisb == -1 else moveaxis(b, axisb, -1)
    first, second = a.tensor, b.tensor
    if len(shape) != len(other):
        first, second = torch.broadcast_tensors(first, second)
    product = torch.linalg.cross(first, second)
    return product if axisc == -1 else moveaxis(to_array(product), -1, axisc)


def of_flat_vectors(a, b, sizes, axisc):
    """Return the cross product where vectors have two components, the third being zero."""
    if not {(2,), (3,)}.issuperset(sizes):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    warnings.warn(
        "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
        "(deprecated in NumPy 2.0)", DeprecationWarning, stacklevel=3,
    )
    a0, a1, b0, b1 = a[..., 0], a[..., 1], b[..., 0], b[..., 1]
    # By ufuncs: operators of integer scalars say that they overflow, NumPy's 0-d arrays here do not.
    last = subtract(multiply(a0, b1), multiply(a1, b0))
    if sizes == ((2,), (2,)):
        return ascontiguousarray(last) if last.ndim else last
    if sizes[0] == (2,):
        parts = multiply(a1, b[..., 2]), negative(multiply(a0, b[..., 2])), last
    else:
        parts = negative(multiply(a[..., 2], b1)), multiply(a[..., 2], b0), last
    return moveaxis(ascontiguousarray(stack(parts, -1)), -1, axisc)


@declare(host=True, composed=True, method=True)
def trace(a: NDArrayLike, offset=0, axis1=0, axis2=1, dtype=None, out: OutArray = None):
    diagonals = a.diagonal(offset, axis1, axis2)
    return diagonals.sum(-1) if dtype is None and out is None else diagonals.sum(-1, dtype, out)


@declare(compiled=CONTRACTIONS["einsum"], host=True, differs="With optimize= the result lies in memory as without.")
def einsum(*operands: Mixed, out: OutArray = None, optimize=False, **kwargs):
    odd = set(kwargs) - {"dtype", "order", "casting"}
    if odd:
        raise TypeError(f"einsum() got an unexpected keyword argument {odd.pop()!r}")
    # Behind the subscripts, or before a list of them each, stands what is multiplied: a list of numbers as well.
    first, step = (1, 1) if operands and isinstance(operands[0], str) else (0, 2)
    places = range(first, len(operands) - (step == 2 and len(operands) % 2), step)
    operands = [to_tensor(operand) if place in places else operand for place, operand in enumerate(operands)]
    tensors = [operand for operand in operands if isinstance(operand, torch.Tensor)]
    promoted_tensors = promoted(*tensors)

    def of_tensors(*tensors):
        rest = iter(tensors)
        return torch.einsum(*(next(rest) if isinstance(operand, torch.Tensor) else operand for operand in operands))

    return by_products(of_tensors, *promoted_tensors)


@declare(host=True)
def einsum_path(*operands: Mixed, optimize="greedy", einsum_call=False):
    # The path depends on the shapes alone: stand-ins of one element each.
    stand_ins = (
        numpy.broadcast_to(numpy.zeros(()), operand.shape) if isinstance(operand, torch.Tensor) else operand
        for operand in operands
    )
    path = numpy.einsum_path(*stand_ins, optimize=optimize, einsum_call=einsum_call)
    if not einsum_call:
        return path
    return [operand for operand in operands if isinstance(operand, torch.Tensor)], *path[1:]


