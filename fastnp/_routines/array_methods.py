"""Methods and attributes of the array whose signature is not that of a function.

https://numpy.org/doc/2.4/reference/arrays.ndarray.html
"""

from __future__ import annotations

import builtins
import math
import operator
import pickle
import types

import numpy
import torch

from fastnp._core.dtype import to_numpy_dtype, to_torch_dtype
from fastnp._core.flags import flagsobj
from fastnp._core.host import adopt, from_host
from fastnp._core.interchange import as_array, as_numpy
from fastnp._core.ndarray import as_subclass, ndarray, set_attribute
from fastnp._declare import declare_method
from fastnp._routines.creation import laid_out
from fastnp._routines.flat import flatiter, is_readable
from fastnp._routines.shape import matrix_transpose, permuted, reshaped
from fastnp._typing import ArrayLike, DTypeLike, NDArrayLike


@declare_method(host=True, views=True, scalars=False)
def reshape(self: ArrayLike, *shape, order="C", copy=None):
    """Return an array with the same elements and another shape."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return reshaped(self, sizes, order, copy)


@declare_method(host=True, views=True, scalars=False)
def transpose(self: ArrayLike, *axes):
    """Return a view with the axes permuted."""
    order = axes[0] if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))) else axes or None
    return permuted(self, order)


@declare_method(host=True, scalars=False)
def flatten(self: ArrayLike, order="C"):
    """Return a copy with one axis."""
    return reshaped(self.clone(), -1, "C" if order in "Kk" else order)


@declare_method(host=True, scalars=False)
def copy(self: ArrayLike, order="C"):
    """Return a copy of the array."""
    return laid_out(self, order, True)


@declare_method(host=True, scalars=False)
def astype(self: ArrayLike, dtype: DTypeLike, order="K", casting="unsafe", subok=True, copy=True):
    """Return a copy of the array, cast to a dtype."""
    source = numpy.dtype(str(self.dtype).removeprefix("torch.")) if self.dtype.itemsize > 1 else None
    if source is not None and casting != "unsafe" and not numpy.can_cast(source, to_numpy_dtype(dtype), casting):
        raise TypeError(
            f"Cannot cast array data from {source!r} to {to_numpy_dtype(dtype)!r} according to the rule {casting!r}"
        )
    if self.is_complex() and not dtype.is_complex and dtype != torch.bool:
        self = self.real
    return laid_out(self.to(dtype), order, copy and self.dtype == dtype)


@declare_method(host=True, writes=True)
def fill(self: NDArrayLike, value):
    """Set all elements to a value."""
    self[...] = value


@declare_method()
def view(self, *args, **kwargs):
    """Return a new view of the same memory, as another dtype or type."""
    kind = kwargs.pop("type", None)
    dtype = kwargs.pop("dtype", None)
    if args and isinstance(args[-1], builtins.type) and issubclass(args[-1], ndarray):
        *args, kind = args
    if len(args) + (dtype is not None) > 1 or kwargs:
        raise TypeError("view() takes a dtype and a type, each once")
    dtype = args[0] if args else dtype
    if dtype is None:
        result = self[...]
    elif is_readable(self):
        result = from_host(as_numpy(self).view(to_numpy_dtype(dtype)))
    else:
        result = as_array(self.tensor.view(to_torch_dtype(dtype)))
    return result if kind is None else as_subclass(result, kind, self)


@declare_method(host=True, writes=True)
def byteswap(self: NDArrayLike, inplace=False):
    """Swap the bytes of the elements."""
    values = as_array(self.tensor.view(torch.uint8).reshape(*self.shape, self.itemsize).flip(-1))
    result = as_array(values.tensor.view(self.tensor.dtype).reshape(self.shape))
    if not inplace:
        return result
    self[...] = result
    return self


@declare_method(host=True)
def getfield(self: NDArrayLike, dtype, offset=0):
    """Return a view of a part of each element, as another dtype."""
    itemsize = to_numpy_dtype(dtype).itemsize
    if offset < 0 or offset + itemsize > self.itemsize:
        raise ValueError("Need 0 <= offset <= itemsize of the array minus that of the dtype")
    parts = self.tensor.unsqueeze(-1).view(to_torch_dtype(dtype))
    return as_array(parts[..., offset // itemsize])


@declare_method(host=True, writes=True)
def setfield(self: NDArrayLike, val, dtype, offset=0):
    """Set a part of each element."""
    self.getfield(dtype, offset)[...] = val


@declare_method()
def resize(self, *new_shape, refcheck=True):
    """Change shape and size in place; new elements are zero."""
    shape = new_shape[0] if len(new_shape) == 1 and isinstance(new_shape[0], (tuple, list)) else new_shape
    if not new_shape or shape is None:
        return
    shape = tuple(map(operator.index, shape))
    if any(size < 0 for size in shape):
        raise ValueError("negative dimensions are not allowed")
    count = math.prod(shape)
    if count == self.size:
        self.shape = shape
        return
    if self.base is not None:
        raise ValueError("cannot resize this array: it does not own its data")
    if not self.flags.forc:
        raise ValueError("resize only works on single-segment arrays")
    flat = self.ravel("K").tensor
    grown = torch.zeros(count, dtype=flat.dtype, device=flat.device)
    grown[: min(count, self.size)] = flat[:count]
    adopt(self, as_array(grown.reshape(shape)))


@declare_method()
def dump(self, file):
    """Pickle the array to a file."""
    if hasattr(file, "write"):
        pickle.dump(self, file, protocol=2)
        return
    with open(file, "wb") as opened:
        pickle.dump(self, opened, protocol=2)


@declare_method()
def dumps(self):
    """Return the pickle of the array as bytes."""
    return pickle.dumps(self, protocol=2)


@declare_method()
def setflags(self, write=None, align=None, uic=None):
    """Set the WRITEABLE flag, and WRITEBACKIFCOPY to False."""
    flags = flagsobj(self)
    if uic is not None:
        flags.writebackifcopy = uic
    if align is not None:
        flags.aligned = align
    if write is not None:
        flags.writeable = write


def real_part(self):
    """Return the real parts: a view for complex arrays, else the array."""
    if self.dtype.kind != "c":
        return self
    return from_host(as_numpy(self).real) if is_readable(self) else as_array(self.tensor.real)


def imaginary_part(self):
    """Return the imaginary parts: a view for complex arrays, else read-only zeros."""
    if self.dtype.kind == "c":
        return from_host(as_numpy(self).imag) if is_readable(self) else as_array(self.tensor.imag)
    zeros = as_array(torch.zeros_like(self.tensor))
    zeros.flags.writeable = False
    return zeros


def set_real_part(self, value):
    """Set the real parts."""
    real_part(self)[...] = value


def set_imaginary_part(self, value):
    """Set the imaginary parts."""
    if self.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    imaginary_part(self)[...] = value


set_attribute("real", property(real_part, set_real_part, doc="The real parts."))
set_attribute("imag", property(imaginary_part, set_imaginary_part, doc="The imaginary parts."))
set_attribute("mT", property(matrix_transpose, doc="The matrices transposed."))
set_attribute("flags", property(flagsobj, doc="How the memory is laid out, and whether it may be written."))
set_attribute("flat", property(flatiter, flatiter.assign, doc="An iterator over the elements in C order."))
set_attribute("__class_getitem__", classmethod(types.GenericAlias))
