"""Modules that are imported when somebody asks for something in them.

Not by a `__getattr__` of the package: with one, CPython specializes no `np.name`, and each costs every program 20 ns.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

#: The modules of the package that are imported on demand, as NumPy does with most of them.
ON_DEMAND = ("fft", "lib", "polynomial", "random", "testing")


class DeferredModule(ModuleType):
    """Stands for a module as an attribute of its package, until the first question imports it and puts it there.

    Parameters
    ----------
    package : module
        Whose attribute it is.
    name : str
        Name of the attribute.
    module : str
        What is imported.
    """

    def __init__(self, package: ModuleType, name: str, module: str) -> None:
        super().__init__(module)
        self.__dict__["_place"] = (package, name, module)

    def _load(self) -> ModuleType:
        package, name, module = self.__dict__["_place"]
        loaded = importlib.import_module(module)
        setattr(package, name, loaded)
        # Who holds the stand-in (`from fastnp import random`) finds what is in the module at once from now on.
        self.__dict__.update(vars(loaded))
        return loaded

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def __dir__(self) -> list[str]:
        return dir(self._load())

    def __repr__(self) -> str:
        return repr(self._load())


def defer(package: ModuleType, modules: dict[str, str]) -> None:
    """Give a package modules by name, each to be imported on demand."""
    for name, module in modules.items():
        if name not in vars(package):
            setattr(package, name, DeferredModule(package, name, module))
