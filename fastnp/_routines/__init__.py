"""The chapters of NumPy's reference, each a module of declarations."""

from fastnp._routines import array, fallback, sorting, ufuncs, remaining

__all__ = ["array", "fallback", "remaining", "sorting", "ufuncs"]
