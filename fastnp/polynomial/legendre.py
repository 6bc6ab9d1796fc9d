"""The class Legendre and the functions of its basis."""

from numpy.polynomial import legendre as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "Legendre"))

__all__ = list(theirs.__all__)
