"""Random numbers."""

from ._table import classes

globals().update(classes("random"))
