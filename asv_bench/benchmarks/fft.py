"""Fourier transforms."""

from ._table import classes

globals().update(classes("fft"))
