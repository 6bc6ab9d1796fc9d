"""Sorting, searching and counting.

https://numpy.org/doc/2.4/reference/routines.sort.html
"""

from __future__ import annotations

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_index

from fastnp._core.converters import asarray as to_array
from fastnp._core.dtype import numpy_dtype_of, to_torch_dtype
from fastnp._core.kernels.joining import BODIES as JOINING
from fastnp._core.kernels.searching import BODIES as SEARCHING
from fastnp._core.kernels.sorting import BODIES
from fastnp._core.kernels.taking import BODIES as TAKING
from fastnp._core.stored_dtypes import as_ordered, by_bits, orderable
from fastnp._declare import Chapter, declare_method
from fastnp._promotion import canonical_axes, promoted
from fastnp._typing import ArrayLike, ArrayLikes, NDArrayLike, OperandLike

declare = Chapter("fastnp")

#: Dtypes that torch cannot count in.
FEW_KERNELS = frozenset((torch.uint16, torch.uint32, torch.uint64))
ZERO_DIMENSIONS = "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."


def check_kind(kind, stable, order):
    """Refuse what NumPy refuses of `kind`, `stable` and `order`."""
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time.")
    if kind not in (None, "quicksort", "mergesort", "heapsort", "stable"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")


def sorting_order(tensor, axis):
    """Return the positions that sort a tensor along an axis, stably, NaNs last."""
    if tensor.is_complex():
        # NumPy: by real parts, then imaginary ones; whatever has a NaN after all else.
        by_imaginary = torch.sort(tensor.imag, dim=axis, stable=True).indices
        by_real = torch.sort(torch.gather(tensor.real, axis, by_imaginary), dim=axis, stable=True).indices
        order = torch.gather(by_imaginary, axis, by_real)
        nan = torch.gather(torch.isnan(tensor), axis, order)
        return torch.gather(order, axis, torch.sort(nan.to(torch.uint8), dim=axis, stable=True).indices)
    return torch.sort(orderable(tensor), dim=axis, stable=True).indices


def sorted_along(tensor, axis):
    """Return a tensor sorted along an axis."""
    if tensor.is_complex():
        return torch.gather(tensor, axis, argsort(to_array(tensor), axis, kind="stable").tensor)
    return as_ordered(torch.sort(orderable(tensor), dim=axis, stable=True).values, tensor.dtype)


def along(tensor, axis):
    """Return a tensor and a canonical axis; flattened where the axis is None."""
    if axis is None:
        return tensor.reshape(-1), 0
    return tensor, normalize_axis_index(axis, tensor.dim())


def lines_along(tensor, axis):
    """Return what `along` does; a tensor of no dimensions is a line of one element, which NumPy's positions are of."""
    return along(tensor.reshape(1) if tensor.dim() == 0 else tensor, axis)


@declare(compiled=BODIES["sort"], host=True, scalars=False)
def sort(a: ArrayLike, axis=-1, kind=None, order=None, *, stable=None):
    check_kind(kind, stable, order)
    return sorted_along(*along(a, axis))


@declare(compiled=BODIES["argsort"], host=True, method=True, discrete=True)
def argsort(a: ArrayLike, axis=-1, kind=None, order=None, *, stable=None):
    check_kind(kind, stable, order)
    return sorting_order(*lines_along(a, axis))


@declare(compiled=BODIES["partition"], host=True)
def partition(a: ArrayLike, kth, axis=-1, kind="introselect", order=None):
    a, axis = along(a, axis)
    check_partition(a, kth, axis, kind, order)
    return sorted_along(a, axis)


@declare(compiled=BODIES["argpartition"], host=True, method=True, discrete=True)
def argpartition(a: ArrayLike, kth, axis=-1, kind="introselect", order=None):
    a, axis = lines_along(a, axis)
    check_partition(a, kth, axis, kind, order)
    return sorting_order(a, axis)


def check_partition(a, kth, axis, kind, order):
    """Refuse positions that the axis does not have or that are none, and what NumPy refuses of `kind` and `order`."""
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise (ValueError if isinstance(kind, str) else TypeError)(f"select kind must be 'introselect' (got {kind!r})")
    positions = numpy.asarray(kth)
    if positions.dtype.kind == "b":
        raise ValueError("Booleans unacceptable as partition index")
    if positions.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    if positions.ndim > 1:
        raise ValueError("kth array must have dimension <= 1")
    size = a.shape[axis]
    wrong = positions[(positions < -size) | (positions >= size)] if a.numel() else ()
    if len(wrong):
        raise ValueError(f"kth(={wrong[0]}) out of bounds ({size})")


@declare(compiled=BODIES["lexsort"], host=True, discrete=True)
def lexsort(keys: ArrayLikes, axis=-1):
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if keys[0].dim() == 0:  # NumPy: numbers are in order, whatever the axis says
        return torch.zeros((), dtype=torch.int64, device=keys[0].device)
    axis = normalize_axis_index(axis, keys[0].dim())
    order = sorting_order(keys[0], axis)
    for key in keys[1:]:
        order = torch.gather(order, axis, sorting_order(by_bits(torch.gather, key, axis, order), axis))
    return order


def plain_sort_complex(a):
    a = sort(a, -1)
    return a if a.dtype.kind == "c" else a.astype(numpy.complex64 if a.dtype.char in "bhBH" else numpy.complex128)


@declare(host=True, composed=plain_sort_complex)
def sort_complex(a: NDArrayLike):
    if a.dtype.kind != "c":
        a = a.astype(numpy.complex64 if a.dtype.char in "bhBH" else numpy.complex128)
    return sort(a, -1)


@declare_method(compiled=BODIES["sort_method"], host=True, writes=True)
def sort_(self: NDArrayLike, axis=-1, kind=None, order=None, *, stable=None):
    """Sort the array in place."""
    check_kind(kind, stable, order)
    self[...] = sorted_along(*along(self.tensor, axis))


@declare_method(compiled=BODIES["partition_method"], host=True, writes=True)
def partition_(self: NDArrayLike, kth, axis=-1, kind="introselect", order=None):
    """Partition the array in place."""
    tensor, axis = along(self.tensor, axis)
    check_partition(tensor, kth, axis, kind, order)
    self[...] = sorted_along(tensor, axis)


# Searching.


def holding(a):
    """Return which elements are not zero."""
    return a if a.dtype is torch.bool else a != 0


@declare(compiled=SEARCHING["nonzero"], host=True, method=True, discrete=True)
def nonzero(a: ArrayLike):
    if a.dim() == 0:
        raise ValueError(ZERO_DIMENSIONS)
    return tuple(torch.nonzero(holding(a), as_tuple=True))


@declare(compiled=SEARCHING["flatnonzero"], host=True, discrete=True)
def flatnonzero(a: ArrayLike):
    return torch.nonzero(holding(a.reshape(-1))).reshape(-1)


@declare(compiled=SEARCHING["argwhere"], host=True, discrete=True)
def argwhere(a: ArrayLike):
    return torch.nonzero(holding(a)) if a.dim() else torch.nonzero(a.reshape(1) != 0)[:, :0]


def as_operands(*operands):
    """Return operands as tensors of the dtype that NumPy promotes them to; Python numbers are weak (NEP 50)."""
    numbers = [operand for operand in operands if not isinstance(operand, torch.Tensor)]
    if not numbers:
        return promoted(*operands)
    kinds = [numpy_dtype_of(x.dtype) if isinstance(x, torch.Tensor) else x for x in operands]
    dtype = to_torch_dtype(numpy.result_type(*kinds))
    return tuple(
        operand.to(dtype) if isinstance(operand, torch.Tensor) else torch.tensor(operand, dtype=dtype)
        for operand in operands
    )


@declare(compiled=JOINING["where"], host=True, scalars=False)
def where(condition: ArrayLike, x: OperandLike = None, y: OperandLike = None, /):
    if x is None and y is None:
        if condition.dim() == 0:
            raise ValueError(ZERO_DIMENSIONS)
        return tuple(torch.nonzero(condition != 0, as_tuple=True))
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    x, y = as_operands(x, y)
    return torch.where(condition if condition.dtype is torch.bool else condition != 0, x, y)


@declare(compiled=SEARCHING["searchsorted"], host=True, method=True, discrete=True)
def searchsorted(a: ArrayLike, v: ArrayLike, side="left", sorter: ArrayLike = None):
    if side not in ("left", "right"):
        raise ValueError(f"search side must be one of 'left' or 'right' (got {side!r})")
    if a.dim() != 1:
        raise ValueError(f"object {'of too small depth' if a.dim() == 0 else 'too deep'} for desired array")
    a, v = promoted(a, v)
    if sorter is not None and sorter.shape != a.shape:
        raise ValueError("sorter.size must equal a.size" if sorter.dim() == 1 else "could not parse sorter argument")
    right = side == "right"
    sorter = None if sorter is None else sorter.to(torch.int64)
    if a.is_complex():
        ordered = a if sorter is None else a[sorter]
        real, imag = v.real[..., None], v.imag[..., None]
        before = (ordered.real < real) | ((ordered.real == real) & (
            (ordered.imag <= imag) if right else (ordered.imag < imag)))
        return before.sum(-1)
    if not a.is_floating_point():
        return torch.searchsorted(orderable(a).contiguous(), orderable(v).contiguous(), right=right, sorter=sorter)
    # NumPy: NaNs come after all numbers; torch's search takes a wrong turn at each of them.
    numbers = torch.eq(a, a).sum()  # all but NaNs
    ordered = torch.nan_to_num(a, torch.inf, torch.inf, -torch.inf)
    places = torch.searchsorted(ordered, v.contiguous(), right=right, sorter=sorter)
    # A NaN finds its place behind all.
    found = torch.minimum(places, numbers)
    return torch.where(torch.isnan(v), places, found) if right else found


@declare(compiled=TAKING["extract"], host=True)
def extract(condition: ArrayLike, arr: ArrayLike):
    arr, chosen = arr.reshape(-1), condition.reshape(-1) != 0
    if chosen[arr.numel() :].any():
        raise IndexError(f"index {int(chosen.nonzero()[-1])} is out of bounds for axis 0 with size {arr.numel()}")
    return by_bits(torch.index_select, arr, 0, torch.nonzero(chosen).reshape(-1))


@declare(compiled=SEARCHING["count_nonzero"], host=True, discrete=True)
def count_nonzero(a: ArrayLike, axis=None, *, keepdims=False):
    if not keepdims and (axis is None or type(axis) is int and a.dim()) and a.dtype not in FEW_KERNELS:
        return torch.count_nonzero(a) if axis is None else torch.count_nonzero(a, normalize_axis_index(axis, a.dim()))
    a = a.reshape(1) if a.dim() == 0 and axis is not None else a  # NumPy: a line of one
    axes = canonical_axes(axis, a.dim())
    return (a != 0).sum(axes, keepdim=bool(keepdims)) if axes else (a != 0).to(torch.int64)
