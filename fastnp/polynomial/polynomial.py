"""The class Polynomial and the functions of its basis."""

from numpy.polynomial import polynomial as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "Polynomial"))

__all__ = list(theirs.__all__)
