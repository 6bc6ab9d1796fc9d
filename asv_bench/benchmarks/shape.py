"""Views, changes of shape, joining and splitting."""

from ._table import classes

globals().update(classes("view", "join"))
