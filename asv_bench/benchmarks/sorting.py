"""Sorting, searching, sets, selection and statistics."""

from ._table import classes

globals().update(classes("misc"))
