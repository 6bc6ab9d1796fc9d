"""Reductions, arg-reductions and cumulative functions."""

from ._table import classes

globals().update(classes("reduce"))
