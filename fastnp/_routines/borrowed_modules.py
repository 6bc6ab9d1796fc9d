"""Modules of NumPy's that are shared: what they hold is no array of numbers, or NumPy's own subclass of its array.

They are loaded when somebody asks for them, as NumPy does with its own: `numpy.f2py` and `numpy.ma` alone take longer
than all of fastnp.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from fastnp._declare import Chapter, Deferred

declare = Chapter("fastnp")

SHARED = ("char", "core", "ctypeslib", "dtypes", "exceptions", "f2py", "ma", "rec", "strings", "typing")


class SharedLoader:
    """Loads `fastnp.ma.extras` by loading `numpy.ma.extras`: the same module under a second name."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return NumPy's module."""
        module = importlib.import_module(f"numpy{spec.name.removeprefix('fastnp')}")
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as NumPy has loaded it: importlib has put the second name into it."""
        module.__spec__ = self.spec


class SharedFinder:
    """Meta path finder of the shared modules and what lies in them."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a shared module is loaded; None for any other."""
        package, _, name = fullname.partition(".")
        if package != "fastnp" or name.partition(".")[0] not in SHARED:
            return None
        return spec_from_loader(fullname, SharedLoader())


# First, because the finders of files would load NumPy's submodules a second time, from where their packages lie.
sys.meta_path.insert(0, SharedFinder)

for name in SHARED:
    declare.publish(**{name: Deferred(f"fastnp.{name}")})
