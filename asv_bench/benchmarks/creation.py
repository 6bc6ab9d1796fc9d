"""Creation of arrays and conversion to them."""

from ._table import classes

globals().update(classes("construct"))
