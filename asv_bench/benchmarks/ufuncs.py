"""Elementwise functions and operators, in place and with out=."""

from ._table import classes

globals().update(classes("binary", "inplace", "unary"))
