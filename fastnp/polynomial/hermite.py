"""The class Hermite and the functions of its basis."""

from numpy.polynomial import hermite as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "Hermite"))

__all__ = list(theirs.__all__)
