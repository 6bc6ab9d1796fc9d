"""Assertions on arrays: NumPy's own, on views of ours.

https://numpy.org/doc/2.4/reference/routines.testing.html
"""

from numpy import testing as theirs
from numpy.testing import overrides

from fastnp._declare import Chapter

declare = Chapter("fastnp.testing", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = [name for name in theirs.__all__ if name in globals()]
