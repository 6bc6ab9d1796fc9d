"""The chapters of NumPy's reference, each a module of declarations."""

from fastnp._routines import array, ufuncs, fallback, remaining

__all__ = ["array", "fallback", "remaining", "ufuncs"]
