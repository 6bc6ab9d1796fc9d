"""Readers of files: NumPy's, whose arrays are ours."""

from numpy.lib import npyio as theirs
from numpy.lib.npyio import DataSource

from fastnp._declare import Chapter
from fastnp._routines.io import NpzFile

declare = Chapter("fastnp.lib.npyio", theirs)

declare.publish(DataSource=DataSource, NpzFile=NpzFile)

__all__ = ["DataSource", "NpzFile"]
