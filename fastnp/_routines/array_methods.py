"""Methods and attributes of the array whose signature is not that of a function.

https://numpy.org/doc/2.4/reference/arrays.ndarray.html
"""

from __future__ import annotations

import math
import operator
import pickle
import types

import torch

from fastnp._core.dtype import to_numpy_dtype, to_torch_dtype
from fastnp._core.flags import flags_of, strides_of
from fastnp._core.flat import flatiter
from fastnp._core.host import adopt, is_shared
from fastnp._core.interchange import as_array
from fastnp._core.kernels.components import BODIES as COMPONENTS
from fastnp._core.kernels.components import imaginary_part, real_part, set_imaginary_part, set_real_part
from fastnp._core.kernels.shape_bodies import BODIES, set_strides
from fastnp._core.ndarray import set_attribute
from fastnp._declare import declare_attribute, declare_method
from fastnp._routines.shape import matrix_transpose
from fastnp._typing import NDArrayLike


@declare_method(compiled=BODIES["reshape_method"])
def reshape(self: NDArrayLike, /, *shape, order="C", copy=None):
    """Return an array with the same elements and another shape."""


@declare_method(compiled=BODIES["transpose_method"])
def transpose(self: NDArrayLike, /, *axes):
    """Return a view with the axes permuted."""


@declare_method(compiled=BODIES["flatten_method"])
def flatten(self: NDArrayLike, /, order="C"):
    """Return a copy with one axis."""


@declare_method(compiled=BODIES["copy_method"])
def copy(self: NDArrayLike, /, order="C"):
    """Return a copy of the array."""


@declare_method(compiled=BODIES["astype_method"])
def astype(self: NDArrayLike, /, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """Return a copy of the array, cast to a dtype."""


@declare_method(compiled=BODIES["fill_method"])
def fill(self: NDArrayLike, /, value):
    """Set all elements to a value."""


@declare_method(compiled=BODIES["view_method"])
def view(self: NDArrayLike, dtype=None, type=None):
    """Return a new view of the same memory, as another dtype or type."""


@declare_method(compiled=COMPONENTS["byteswap"], host=True, writes=True)
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
    if not new_shape or shape == (None,):
        return
    refcheck = operator.index(refcheck)
    shape = tuple(map(operator.index, shape))
    if self.is_scalar:
        return  # NumPy: a copy of the value is resized
    if shape == self.shape:
        return
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
    if refcheck and is_shared(self):
        raise ValueError(
            "cannot resize an array that references or is referenced by another array in this way. Use the np.resize "
            "function or refcheck=False"
        )
    flat = self.ravel("K").tensor
    # Not a view of what it is filled through: torch's views keep their base, which would count as a reference later.
    grown = torch.zeros(shape, dtype=flat.dtype, device=flat.device)
    grown.view(-1)[: min(count, self.size)] = flat[:count]
    adopt(self, as_array(grown))


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
    if self.is_scalar:
        return  # NumPy: the flags of a copy
    flags = flags_of(self)
    if uic is not None:
        flags.writebackifcopy = uic
    if align is not None:
        flags.aligned = align
    if write is not None:
        flags.writeable = write


declare_attribute("strides", strides_of, set_strides, doc="Tuple of steps in bytes when walking an axis.")
declare_attribute("real", real_part, set_real_part, doc="The real parts.")
declare_attribute("imag", imaginary_part, set_imaginary_part, doc="The imaginary parts.")
declare_attribute("mT", matrix_transpose, doc="The matrices transposed.")
declare_attribute("flags", flags_of, doc="How the memory is laid out, and whether it may be written.")
declare_attribute("flat", flatiter, flatiter.assign, doc="An iterator over the elements in C order.")
set_attribute("__class_getitem__", classmethod(types.GenericAlias))
