"""The chapters of NumPy's reference, each a module of declarations."""

from fastnp._routines import array, creation, fallback, indexing, shape, sorting, ufuncs, remaining

__all__ = ["array", "creation", "fallback", "indexing", "remaining", "shape", "sorting", "ufuncs"]
