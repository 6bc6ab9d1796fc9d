"""What NumPy's tests see in NumPy's place: fastnp, and NumPy's private modules with fastnp's objects in them."""

import functools
import importlib
import sys
from types import MethodType, ModuleType

import numpy

import fastnp
from fastnp._registry import COUNTERPARTS

#: Whether tests are being collected.
collecting = True


class Overlay(ModuleType):
    """A module of NumPy's that fastnp lacks, in which each public object is fastnp's."""

    def __init__(self, theirs):
        super().__init__(theirs.__name__)
        held = {name: value for name, value in vars(theirs).items() if not isinstance(value, ModuleType)}
        vars(self).update({name: ours(name, value) for name, value in held.items() if not name.startswith("__")})

    def __getattr__(self, name):
        return ours(name, getattr(importlib.import_module(self.__name__), name))


def ours(name, value):
    """Return fastnp's object for one of NumPy's, or the object itself where it is not public."""
    if isinstance(value, ModuleType):
        return overlay(value.__name__) if value.__name__.partition(".")[0] == "numpy" else value
    if value is vars(numpy).get(name):
        return getattr(fastnp, name, value)
    try:
        return COUNTERPARTS.get(value, value)
    except TypeError:  # what cannot be hashed is no function
        return value


@functools.cache
def overlay(name):
    """Return the module that stands for one of NumPy's: fastnp's of the same name, or an overlay."""
    our_name = f"fastnp{name.removeprefix('numpy')}"
    private = any(part.startswith("_") for part in name.split("."))
    if our_name in sys.modules and not private:
        return sys.modules[our_name]
    return Overlay(importlib.import_module(name))


def taken(module, name):
    """Return what `from module import name` gives: fastnp's where it has the name, or NumPy's."""
    theirs = importlib.import_module(module)
    if not hasattr(theirs, name):
        return overlay(f"{module}.{name}")
    return getattr(overlay(module), name, getattr(theirs, name))


def collected(call):
    """Return a callable that gives NumPy's answer where fastnp has no such dtype: parameters are made of it.

    The arguments of a test are made while it is collected; one that cannot be ours must not take the file with it.
    """
    if not collecting:
        return call
    module = getattr(call, "__module__", None) or getattr(getattr(call, "__self__", None), "__module__", None)
    if not callable(call) or isinstance(call, type) or not str(module).startswith("fastnp"):
        return call

    @functools.wraps(call, assigned=("__name__",), updated=())
    def answer(*args, **kwargs):
        try:
            return call(*args, **kwargs)
        except TypeError as error:
            if "fastnp arrays cannot hold" not in str(error):
                raise
        target = getattr(call, "__self__", None)
        if isinstance(call, MethodType) and isinstance(target, fastnp.ndarray):
            return getattr(numpy.asarray(target), call.__name__)(*args, **kwargs)
        return getattr(numpy, call.__name__)(*args, **kwargs)

    return answer
