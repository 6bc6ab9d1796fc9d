"""Methods of the array that no chapter declares: conversions to Python, pickling, printing, devices."""

from __future__ import annotations

import copy as copy_module
import operator
from typing import Any

import numpy
import torch

import fastnp._core.mapping  # noqa: F401 - indexing fills its slots of the array when it is imported
from fastnp._core.host import adopt, device_of, scalar_value, set_general_text
from fastnp._core.interchange import as_array, as_numpy, on_host
from fastnp._core.kernels.dlpack import BODIES as DLPACK_BODIES
from fastnp._core.kernels.dlpack import HOST
from fastnp._core.kernels.elements import BODIES
from fastnp._core.kernels.shape_bodies import BODIES as SHAPE_BODIES
from fastnp._core.ndarray import as_subclass, ndarray, set_attribute
from fastnp._core.scalar_attributes import scalar_method, scalar_property
from fastnp._core.scalars import as_scalar
from fastnp._declare import declare_attribute, declare_method


def numpy_value(array: ndarray) -> Any:
    """Return NumPy's array, or scalar where the array stands for one, of the same value; on the host."""
    if (value := scalar_value(array)) is not None:
        return value
    values = on_host(array)
    return values[()] if array.is_scalar else values


@declare_method(compiled=BODIES["tolist"])
def tolist(self):
    """Return the elements as nested Python lists; a 0-d array as a Python scalar."""
    return numpy_value(self).tolist()


@declare_method(compiled=BODIES["item"])
def item(self, *args):
    """Return one element as a Python scalar: the only one, or the one at an index."""
    if not args and self.size == 1:
        return self.tensor.item() if not self.tensor.is_cpu else as_numpy(self).item()
    return as_numpy(self).item(*args)


@declare_method(compiled=BODIES["tobytes"])
def tobytes(self, order="C"):
    """Return a copy of the elements as bytes."""
    return numpy_value(self).tobytes(order)


@declare_method()
def tofile(self, fid, sep="", format="%s"):
    """Write the elements to a file."""
    numpy_value(self).tofile(fid, sep, format)


@declare_method(compiled=BODIES["array_method"])
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


@declare_method(compiled=BODIES["format_method"])
def __format__(self, spec, /):
    """Format a 0-d array as its value."""
    return format(numpy_value(self), spec)


@declare_method(compiled=BODIES["complex_method"])
def __complex__(self):
    """Return the only element as a Python complex number."""
    return complex(numpy_value(self))


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


@declare_method(compiled=SHAPE_BODIES["shallow_copy"])
def __copy__(self):
    """Return a copy."""
    return self.copy(order="K")


@declare_method(compiled=SHAPE_BODIES["deep_copy"])
def __deepcopy__(self, memo, /):
    """Return a copy of the array and of a subclass's attributes."""
    result = self.copy(order="K")
    if hasattr(result, "__dict__"):
        result.__dict__.update(copy_module.deepcopy(getattr(self, "__dict__", {}), memo))
    return result


def rebuild(values: Any, device: str, scalar: bool) -> Any:
    """Return an array or scalar of the class itself from its pickled elements."""
    array = as_array(values)
    if device != "cpu":
        array = as_array(array.tensor.to(device))
    return as_scalar(array) if scalar else array


def reconstruct(cls: type, device: str, attributes: dict[str, Any] | None) -> Any:
    """Return an empty array of a class, which `__setstate__` then fills."""
    array = as_subclass(as_array(torch.empty(0, device=device)), cls)
    if attributes:
        array.__dict__.update(attributes)
    return array


@declare_method()
def __reduce_ex__(self, protocol, /):
    """Pickle: the elements as NumPy pickles them, out of band from protocol 5 on; the device, the type."""
    if type(self) is not ndarray:
        return self.__reduce__()
    values, device = on_host(self), device_of(self)
    return rebuild, (values, device, self.is_scalar)


@declare_method()
def __reduce__(self):
    """Pickle: how to make an empty array of the type, and NumPy's state of the elements."""
    values, device = on_host(self), device_of(self)
    if self.is_scalar:
        return rebuild, (values, device, True)
    return reconstruct, (type(self), device, getattr(self, "__dict__", None)), values.__reduce__()[2]


@declare_method()
def __setstate__(self, state, /):
    """Take NumPy's state of an array: (version, shape, dtype, is Fortran, bytes); of a scalar nothing changes."""
    if self.is_scalar:
        return
    values = numpy.empty(0)
    values.__setstate__(state)
    array = as_array(values)
    adopt(self, array if self.tensor.is_cpu else as_array(array.tensor.to(self.tensor.device)))


def attribute_of_scalar(instance: Any, owner: type, name: str) -> Any:
    """Return NumPy's attribute of the same value, where arrays have none; AttributeError where NumPy has none."""
    if instance is None or not instance.is_scalar or not hasattr(instance.dtype.type, name):
        name_of_type = owner.__name__ if instance is None or not instance.is_scalar else instance.dtype.type.__name__
        raise AttributeError(f"'{name_of_type}' object has no attribute '{name}'")
    theirs = getattr(numpy_value(instance), name)
    if not callable(theirs):
        return ours(theirs)
    return theirs if name != "fromhex" else lambda text: ours(theirs(text))


def ours(value: Any) -> Any:
    """Return NumPy's scalar as ours; anything else as it is."""
    return as_scalar(as_array(numpy.array(value))) if isinstance(value, numpy.generic) else value


for scalar_attribute in ("numerator", "denominator"):
    set_attribute(scalar_attribute, scalar_property(scalar_attribute, attribute_of_scalar))
for scalar_attribute in ("as_integer_ratio", "bit_count", "fromhex", "hex", "is_integer"):
    set_attribute(scalar_attribute, scalar_method(scalar_attribute, attribute_of_scalar))


@declare_method()
def to_device(self, device, /, *, stream=None):
    """Return the array on a device: itself where it is there already."""
    tensor = self.tensor
    try:
        target = torch.device(device)
        return self if tensor.device == target else as_array(tensor.to(target))
    except (AssertionError, RuntimeError) as error:
        # torch: one or the other for a name it does not know and for a device that is not there.
        raise ValueError(f"Unsupported device: {device}. {str(error).partition(chr(10))[0]}") from error


@declare_method(compiled=DLPACK_BODIES["__dlpack__"])
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


@declare_method(compiled=DLPACK_BODIES["__dlpack_device__"])
def __dlpack_device__(self):
    """Return DLPack's device type and id."""
    tensor = self.tensor
    # Pinned memory is host memory here too, as NumPy exports it.
    return HOST if tensor.is_cpu else tensor.__dlpack_device__()


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


def general_text(array: ndarray, is_repr: bool) -> str:
    """Return NumPy's repr or str of the same values; no hook sees it, so that hooks may print their arguments."""
    with torch._C.DisableTorchFunction():
        value = text_of(array)
        if not is_repr:
            return str(value)
        text = repr(value)
        return text if type(array) is ndarray or array.is_scalar else text.replace("array", type(array).__name__, 1)


set_general_text(general_text)
declare_attribute("device", device_of, doc="Name of the device the elements are on.")
declare_attribute(
    "__array_interface__",
    lambda self: described(self, "__array_interface__"),
    doc="NumPy's description of the memory.",
)
declare_attribute(
    "__array_struct__", lambda self: described(self, "__array_struct__"), doc="The same as a C structure."
)
declare_attribute(
    "__cuda_array_interface__",
    lambda self: self.tensor.__cuda_array_interface__,
    doc="The same for memory of a CUDA device.",
)
declare_attribute("ctypes", lambda self: as_numpy(self).ctypes, doc="For use with ctypes.")
declare_attribute("data", memoryview, doc="Buffer of the memory.")
