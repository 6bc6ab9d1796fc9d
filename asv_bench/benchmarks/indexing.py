"""Indexing: elements, slices, masks and indices, read and written."""

from ._table import classes

globals().update(classes("element", "setitem", "fancy"))
