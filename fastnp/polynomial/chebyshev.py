"""The class Chebyshev and the functions of its basis."""

from numpy.polynomial import chebyshev as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "Chebyshev"))

__all__ = list(theirs.__all__)
