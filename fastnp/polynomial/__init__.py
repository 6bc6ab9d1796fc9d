"""Polynomials and series, lowest degree first.

https://numpy.org/doc/2.4/reference/routines.polynomials-package.html
"""

from numpy import polynomial as theirs

from fastnp._declare import Chapter
from fastnp.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils

declare = Chapter("fastnp.polynomial", theirs)

for module in (chebyshev, hermite, hermite_e, laguerre, legendre, polynomial):
    declare.publish(**{name: value for name, value in vars(module).items() if name in theirs.__all__})

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(theirs.__all__)
