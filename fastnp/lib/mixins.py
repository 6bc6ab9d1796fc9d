"""NumPy's mixin of operators for classes with `__array_ufunc__`."""

from numpy.lib import mixins as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.lib.mixins", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in dir(theirs) if not name.startswith("_") and name in globals()]
