"""The compiled core: its modules lie in one shared object, each with an entry of its own (`PyInit_`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from types import ModuleType

from fastnp._core import built_for

LIBRARY = "compiled".join(built_for.__file__.rsplit("built_for", 1))


class InLibrary:
    """Finds the modules of the core: Python's own finders look for a file of each name."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of the core is; None for all others."""
        if name not in built_for.MODULES:
            return None
        spec = ModuleSpec(name, ExtensionFileLoader(name, LIBRARY), origin=LIBRARY)
        spec.has_location = True
        return spec


# Before the others: they would ask the file system first.
sys.meta_path.insert(0, InLibrary)
