"""The `.npy` format: NumPy's own code reads and writes it."""

from numpy.lib import format as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.lib.format", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in dir(theirs) if not name.startswith("_") and name in globals()]
