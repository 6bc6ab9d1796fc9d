"""NumPy's legacy module of random functions, by its own name."""

from fastnp._declare import NAMESPACES
from fastnp.random._functions import process_state as _rand
from fastnp.random._streams import RandomState

globals().update({name: entry.value for name, entry in NAMESPACES["fastnp.random"].items()})

__all__ = ["RandomState", "_rand"]
