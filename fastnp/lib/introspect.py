"""Which loops NumPy dispatches to on this processor."""

from numpy.lib import introspect as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.lib.introspect", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in dir(theirs) if not name.startswith("_") and name in globals()]
