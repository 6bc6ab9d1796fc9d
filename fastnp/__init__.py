"""NumPy's API, eager, on torch tensors: `import fastnp as np`."""

from __future__ import annotations

import numpy

from fastnp import _torch_check
from fastnp._core import mapping
from fastnp import _routines, fft, lib, linalg, polynomial, random, testing, _methods, _protocols
from fastnp.lib import scimath as emath
from fastnp._declare import NAMESPACES
from fastnp._version import __version__

globals().update({name: entry.value for name, entry in NAMESPACES["fastnp"].items()})

__all__ = sorted({*numpy.__all__, *(name for name in NAMESPACES["fastnp"] if not name.startswith("_"))})


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__") and name.endswith("__"))})
