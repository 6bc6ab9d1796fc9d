"""NumPy's API, eager, on torch tensors: `import fastnp as np`."""

from __future__ import annotations

import functools
import gc
import os
import sys

import numpy

# Before the core: it says what is wrong where torch is.
from fastnp import _torch_check

import torch

# What is declared here lives as long as the process. A collection in between would walk all of torch's objects for
# nothing, which takes longer than the rest of the import.
_collects = gc.isenabled()
gc.disable()
try:
    from fastnp._core import mapping
    from fastnp import _routines, linalg, _methods, _protocols
    from fastnp._declare import NAMESPACES, Deferred
    from fastnp._deferred import ON_DEMAND, defer
    from fastnp._version import __version__
finally:
    if _collects:
        if not gc.get_freeze_count():
            # All of it becomes of the oldest generation, without a walk through it.
            gc.freeze()
            gc.unfreeze()
        gc.enable()

_later = {name: entry.value for name, entry in NAMESPACES["fastnp"].items() if type(entry.value) is Deferred}
if hasattr(os, "register_at_fork"):
    # The threads that torch computes with do not live on in a forked child, and waiting for them would never end.
    os.register_at_fork(after_in_child=functools.partial(torch.set_num_threads, 1))

globals().update({name: entry.value for name, entry in NAMESPACES["fastnp"].items() if name not in _later})

__all__ = sorted({*numpy.__all__, *(name for name in NAMESPACES["fastnp"] if not name.startswith("_"))})

defer(sys.modules[__name__], _later | {name: f"fastnp.{name}" for name in ON_DEMAND} | {"emath": "fastnp.lib.scimath"})


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__") and name.endswith("__"))})
