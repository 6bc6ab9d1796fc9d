"""Products and linear algebra."""

from ._table import classes

globals().update(classes("linalg"))
