"""Random sampling: NumPy's streams, bit for bit, as arrays on the default device.

https://numpy.org/doc/2.4/reference/random/
"""

from numpy import random as theirs

from fastnp._declare import NAMESPACES
from fastnp.random import bit_generator, mtrand

globals().update({name: entry.value for name, entry in NAMESPACES["fastnp.random"].items()})

__all__ = list(theirs.__all__)
