"""The chapters of NumPy's reference, each a module of declarations."""

from fastnp._routines import array, creation, fallback, shape, sorting, ufuncs, remaining

__all__ = ["array", "creation", "fallback", "remaining", "shape", "sorting", "ufuncs"]
