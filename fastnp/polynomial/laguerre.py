"""The class Laguerre and the functions of its basis."""

from numpy.polynomial import laguerre as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "Laguerre"))

__all__ = list(theirs.__all__)
