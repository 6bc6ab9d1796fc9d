"""Utilities that NumPy keeps out of its main namespace.

https://numpy.org/doc/2.4/reference/module_structure.html
"""

from numpy import lib as theirs

from fastnp._declare import Chapter
from fastnp.lib import array_utils, format, introspect, mixins, npyio, scimath, stride_tricks

declare = Chapter("fastnp.lib", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(theirs.__all__)
