"""Functions that go to complex numbers where the real ones have no value (`fastnp.emath`)."""

from numpy.lib import scimath as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.lib.scimath", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in dir(theirs) if not name.startswith("_") and name in globals()]
