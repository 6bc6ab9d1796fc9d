"""Methods of the array that no chapter declares: conversions to Python, pickling, printing, devices."""

from __future__ import annotations

import copy as copy_module
import operator
from typing import Any

import torch

import fastnp._core.mapping  # noqa: F401 - indexing fills its slots of the array when it is imported
from fastnp._core.interchange import as_array, as_numpy
from fastnp._core.ndarray import as_scalar, as_subclass, ndarray, set_attribute, set_text_slot
from fastnp._declare import declare_method


def numpy_value(array: ndarray) -> Any:
    """Return NumPy's array, or scalar where the array stands for one, of the same value; on the host."""
    if not array.tensor.is_cpu:
        array = as_array(array.tensor.detach().cpu())
    values = as_numpy(array)
    return values[()] if array.is_scalar else values


@declare_method()
def tolist(self):
    """Return the elements as nested Python lists; a 0-d array as a Python scalar."""
    return numpy_value(self).tolist()


@declare_method()
def item(self, *args):
    """Return one element as a Python scalar: the only one, or the one at an index."""
    if not args and self.size == 1:
        return self.tensor.item() if not self.tensor.is_cpu else as_numpy(self).item()
    return as_numpy(self).item(*args)


@declare_method()
def tobytes(self, order="C"):
    """Return a copy of the elements as bytes."""
    return as_numpy(self).tobytes(order)


@declare_method()
def tofile(self, fid, sep="", format="%s"):
    """Write the elements to a file."""
    as_numpy(self).tofile(fid, sep, format)


@declare_method()
def __array__(self, dtype=None, /, *, copy=None):
    """Return a NumPy array: on the same memory where that is possible and `copy` allows it."""
    if copy is False and self.tensor.requires_grad:
        raise ValueError("Unable to avoid copy while creating an array as requested: the array carries a gradient")
    values = as_numpy(self)
    if dtype is not None and values.dtype != dtype:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return values.astype(dtype)
    return values.copy() if copy else values


@declare_method()
def __format__(self, spec, /):
    """Format a 0-d array as its value."""
    return format(numpy_value(self), spec)


@declare_method()
def __round__(self, ndigits=None, /):
    """Round a scalar as NumPy's do: to a Python int, or with `ndigits` within the dtype."""
    if not self.is_scalar or self.dtype.kind in "bc":
        name = f"numpy.{self.dtype.type.__name__}" if self.is_scalar else "fastnp.ndarray"
        raise TypeError(f"type {name} doesn't define __round__ method")
    if ndigits is None:
        return round(self.item())
    return self.round(0 if ndigits is None else operator.index(ndigits))


@declare_method()
def __sizeof__(self):
    """Return the bytes of the object and of the memory that it owns."""
    return object.__sizeof__(self) + (self.nbytes if self.base is None else 0)


@declare_method()
def __trunc__(self):
    """Return a float64 scalar without its fraction, as a Python int: NumPy's other scalars have no such method."""
    if not self.is_scalar or self.dtype.char != "d":
        name = f"numpy.{self.dtype.type.__name__}" if self.is_scalar else "fastnp.ndarray"
        raise TypeError(f"type {name} doesn't define __trunc__ method")
    return int(self)


@declare_method()
def __copy__(self):
    """Return a copy."""
    return self.copy(order="K")


@declare_method()
def __deepcopy__(self, memo, /):
    """Return a copy of the array and of a subclass's attributes."""
    result = self.copy(order="K")
    if hasattr(result, "__dict__"):
        result.__dict__.update(copy_module.deepcopy(getattr(self, "__dict__", {}), memo))
    return result


def rebuild(cls: type, values: Any, device: str, scalar: bool, attributes: dict[str, Any] | None) -> Any:
    """Return an array from its pickled parts."""
    array = as_array(values)
    if device != "cpu":
        array = as_array(array.tensor.to(device))
    if scalar:
        return as_scalar(array)
    if cls is not ndarray:
        array = as_subclass(array, cls)
        if attributes:
            array.__dict__.update(attributes)
    return array


@declare_method()
def __reduce_ex__(self, protocol, /):
    """Pickle: the elements as NumPy pickles them (out of band from protocol 5 on), the device, the type."""
    attributes = getattr(self, "__dict__", None)
    tensor = self.tensor
    host = self if tensor.is_cpu else as_array(tensor.detach().cpu())
    device = str(tensor.device) if not tensor.is_cpu else "cpu"
    return rebuild, (type(self), as_numpy(host), device, self.is_scalar, attributes)


@declare_method()
def to_device(self, device, /, *, stream=None):
    """Return the array on a device: itself where it is there already."""
    tensor = self.tensor
    target = torch.device(device)
    return self if tensor.device == target else as_array(tensor.to(target))


@declare_method()
def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """Export by DLPack; NumPy exports host memory, so that the read-only flag is kept."""
    # DLPack allows negative steps and NumPy reads them, but torch.from_dlpack aborts the process on them.
    if min(self.strides, default=0) < 0:
        if copy is False:
            raise BufferError("an axis that runs backwards is exported as a copy, and copy is False")
        self = self.copy()
    tensor = self.tensor
    if tensor.is_cpu and not tensor.requires_grad and self.dtype.isbuiltin == 1:
        return as_numpy(self).__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    return tensor.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


@declare_method()
def __dlpack_device__(self):
    """Return DLPack's device type and id."""
    return self.tensor.__dlpack_device__()


def described(array: ndarray, protocol: str) -> Any:
    """Return NumPy's description of the memory; AttributeError for a dtype that it has no type string for."""
    if array.dtype.isbuiltin != 1:
        raise AttributeError(f"{protocol} cannot describe dtype {array.dtype.name!r}")
    return getattr(as_numpy(array), protocol)


def text_of(array: ndarray) -> Any:
    """Return what prints as the array: NumPy's array of the values, or the tensor where there are none to read."""
    tensor = array.tensor
    if type(tensor) is not torch.Tensor or tensor.device.type == "meta":
        return tensor
    return numpy_value(array)


def array_text(array: ndarray, is_repr: bool) -> str:
    """Return NumPy's repr or str of the same values."""
    value = text_of(array)
    if not is_repr:
        return str(value)
    if type(array) is ndarray or array.is_scalar:
        return repr(value)
    return repr(value).replace("array", type(array).__name__, 1)


set_text_slot(array_text)
set_attribute("device", property(lambda self: str(self.tensor.device), doc="Name of the device the elements are on."))
set_attribute(
    "__array_interface__",
    property(lambda self: described(self, "__array_interface__"), doc="NumPy's description of the memory."),
)
set_attribute(
    "__array_struct__", property(lambda self: described(self, "__array_struct__"), doc="The same as a C structure.")
)
set_attribute(
    "__cuda_array_interface__",
    property(lambda self: self.tensor.__cuda_array_interface__, doc="The same for memory of a CUDA device."),
)
set_attribute("ctypes", property(lambda self: as_numpy(self).ctypes, doc="For use with ctypes."))
set_attribute("data", property(memoryview, doc="Buffer of the memory."))
