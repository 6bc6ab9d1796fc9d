"""torch's and NumPy's protocols on the array, from the tables of the registry."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy
import torch

from fastnp import _fallback
from fastnp._core.array_ufunc import array_ufunc, set_array_ufunc
from fastnp._core.borrowed import borrowed
from fastnp._core.converters import asarray
from fastnp._core.dispatcher import function
from fastnp._core.interchange import as_array, as_numpy
from fastnp._core.ndarray import as_subclass, ndarray, set_attribute
from fastnp._core.overrides import attribute, set_default_hooks
from fastnp._core.scalars import as_scalar
from fastnp._core.ufunc import ufunc
from fastnp._declare import COUNTERPARTS
from fastnp._deferred import ON_DEMAND


def tensors_of(value: Any) -> Any:
    """Return `value` with each array in it as its tensor."""
    if isinstance(value, ndarray):
        return value.tensor
    if type(value) in (list, tuple):
        return type(value)(tensors_of(item) for item in value)
    if type(value) is dict:
        return {key: tensors_of(item) for key, item in value.items()}
    return value


def arrays_of(value: Any, source: ndarray | None) -> Any:
    """Return `value` with each tensor in it as an array, of the type of `source` and finalized with it."""
    if isinstance(value, torch.Tensor):
        array = as_array(value)
        return array if source is None else as_subclass(array, type(source), source)
    if type(value) in (list, tuple):
        return type(value)(arrays_of(item, source) for item in value)
    if isinstance(value, tuple):
        items = [arrays_of(item, source) for item in value]
        # torch's own results with names take a sequence, named tuples of Python the members.
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def source_of(cls: type, value: Any) -> Any:
    """Return the first instance of a subclass of the array in nested arguments; None for the array itself."""
    if cls is ndarray:
        return None
    if isinstance(value, cls):
        return value
    if type(value) is dict:
        value = tuple(value.values())
    if type(value) in (list, tuple):
        for item in value:
            found = source_of(cls, item)
            if found is not None:
                return found
    return None


def keeps_tensor_hook(cls: type) -> bool:
    """Return whether a type is a torch.Tensor with torch's own hook, which has declined for the sake of an array."""
    return issubclass(cls, torch.Tensor) and inspect.getattr_static(cls, "__torch_function__") is TENSOR_HOOK


TENSOR_HOOK = inspect.getattr_static(torch.Tensor, "__torch_function__")


#: torch's spelling of the binary operators on a Tensor -> NumPy's function: promotion is NumPy's in both orders.
OPERATORS = {
    getattr(torch.Tensor, name): getattr(numpy, ufunc)
    for names, ufunc in (
        ("add __add__ __radd__", "add"),
        ("sub __sub__", "subtract"),
        ("mul __mul__ __rmul__", "multiply"),
        ("div __truediv__", "true_divide"),
        ("__floordiv__", "floor_divide"),
        ("remainder __mod__", "remainder"),
        ("pow __pow__", "power"),
        ("matmul __matmul__", "matmul"),
        ("__and__", "bitwise_and"),
        ("__or__", "bitwise_or"),
        ("__xor__", "bitwise_xor"),
        ("__lshift__", "left_shift"),
        ("__rshift__", "right_shift"),
        ("eq __eq__", "equal"),
        ("ne __ne__", "not_equal"),
        ("lt __lt__", "less"),
        ("le __le__", "less_equal"),
        ("gt __gt__", "greater"),
        ("ge __ge__", "greater_equal"),
    )
    for name in names.split()
}


def takes_arrays(func: Any) -> bool:
    """Return whether a callable is ours or overridable like ours, rather than one of torch's."""
    owner = getattr(func, "__self__", func)
    return (
        isinstance(owner, (function, ufunc, borrowed, attribute))
        or hasattr(func, "__torch_function_dispatch__")
        or getattr(owner, "__objclass__", None) is ndarray
    )


def torch_function(cls, func, types, args=(), kwargs=None):
    """Return `func(*args, **kwargs)` with the hooks of subclasses off: the implementation that subclasses inherit.

    Declines where a type that is no superclass of this one, nor a tensor, takes part: unrelated class trees are not
    merged (RFC 0001).
    """
    if not all(issubclass(cls, other) or issubclass(other, cls) or keeps_tensor_hook(other) for other in types):
        return NotImplemented
    kwargs = kwargs or {}
    with torch._C.DisableTorchFunctionSubclass():
        if takes_arrays(func):
            return func(*args, **kwargs)
        theirs = None if kwargs else OPERATORS.get(func)
        if theirs is not None:
            return COUNTERPARTS[theirs](*args)
        if func is torch.Tensor.__setitem__:
            tensor, key, value = args
            tensor[tensors_of(key)] = tensors_of(value)
            return None
        return arrays_of(func(*tensors_of(tuple(args)), **tensors_of(kwargs)), source_of(cls, (args, kwargs)))


def counterpart_of(theirs: Any) -> Any:
    """Return our function for one of NumPy's, though its module be imported on demand; None where there is none."""
    ours = COUNTERPARTS.get(theirs)
    if ours is None:
        package, module, *_ = [*str(getattr(theirs, "__module__", None)).split("."), ""]
        if package == "numpy" and module in ON_DEMAND:
            importlib.import_module(f"fastnp.{module}")
            ours = COUNTERPARTS.get(theirs)
    return ours


def array_function(self, func, types, args, kwargs):
    """NEP 18: NumPy's functions on arrays are ours; those that we do not have, NumPy computes.

    A subclass that overrides this gets our functions, and gets here by `super()`: then its implementation is called.
    """
    ours = func if takes_arrays(func) else counterpart_of(func)
    if ours is not None and type(self).__array_function__ is not array_function:
        with torch._C.DisableTorchFunctionSubclass():
            return ours(*args, **kwargs)
    if ours is not None:
        return ours(*args, **kwargs)
    return _fallback.call(func.__name__, func, args, kwargs)


def answer_ufunc(self, called, method, *inputs, **kwargs):
    """Answer a ufunc's question that is about a subclass, a method, `out=`, or a ufunc of others."""
    for value in inputs:
        if type(value) is not ndarray and isinstance(value, ndarray) and type(value).__array_ufunc__ is not array_ufunc:
            return NotImplemented
    ours = COUNTERPARTS.get(called)
    if ours is not None and method == "__call__" and not kwargs:
        return ours(*inputs)
    if type(called) is not numpy.ufunc and takes_arrays(called):
        ours = called
    if "out" in kwargs and len(kwargs["out"]) == 1:
        kwargs["out"] = kwargs["out"][0]
    if ours is None:
        return _fallback.call(called.__name__, getattr(called, method), inputs, kwargs)
    return (ours if method == "__call__" else getattr(ours, method))(*inputs, **kwargs)


def array_wrap(self, array, context=None, return_scalar=False):
    """Return what a NumPy function computed as an array of this one's type."""
    if not isinstance(array, (numpy.ndarray, numpy.generic)) or not _fallback.holdable(array.dtype):
        return array
    result = asarray(array)
    if return_scalar and result.ndim == 0:
        return as_scalar(result)
    return result if type(self) is ndarray else as_subclass(result, type(self), self)


hook = classmethod(torch_function)
set_array_ufunc(COUNTERPARTS, answer_ufunc)
set_attribute("__torch_function__", hook)
set_attribute("__array_function__", array_function)
set_attribute("__array_ufunc__", array_ufunc)
set_attribute("__array_wrap__", array_wrap)
set_attribute("__array_priority__", 1000.0)
set_default_hooks(hook, array_ufunc, array_function, _fallback.call)

__all__ = ["as_numpy"]
