"""The registry with all that is public: what is imported on demand declares, too."""

from __future__ import annotations

import importlib

from fastnp._declare import COUNTERPARTS, METHODS, NAMESPACES, Entry
from fastnp._deferred import ON_DEMAND

for name in ON_DEMAND:
    importlib.import_module(f"fastnp.{name}")

__all__ = ["COUNTERPARTS", "METHODS", "NAMESPACES", "Entry"]
