"""The class HermiteE and the functions of its basis."""

from numpy.polynomial import hermite_e as theirs

from fastnp.polynomial._series import declare_module

globals().update(declare_module(theirs, "HermiteE"))

__all__ = list(theirs.__all__)
