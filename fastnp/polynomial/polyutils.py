"""What the bases of polynomials share: domains, trimming, Vandermonde matrices."""

from numpy.polynomial import polyutils as theirs

from fastnp._declare import Chapter

declare = Chapter("fastnp.polynomial.polyutils", theirs)

declare.borrow_rest()

globals().update({name: entry.value for name, entry in declare.names.items()})

__all__ = list(theirs.__all__)
