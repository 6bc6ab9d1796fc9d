"""Indexing.

https://numpy.org/doc/2.4/reference/routines.indexing.html
"""

from __future__ import annotations

from fastnp._declare import Chapter

declare = Chapter("fastnp")

