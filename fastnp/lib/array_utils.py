"""Axes and memory bounds: NumPy's own, on views of ours."""

from numpy.lib import array_utils as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.lib.array_utils", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in dir(theirs) if not name.startswith("_") and name in globals()]
