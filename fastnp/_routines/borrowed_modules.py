"""Modules of NumPy's that are shared: what they hold is no array of numbers, or NumPy's own subclass of its array."""

from __future__ import annotations

import sys

import numpy
import numpy.char
import numpy.core
import numpy.ctypeslib
import numpy.dtypes
import numpy.exceptions
import numpy.f2py
import numpy.ma
import numpy.rec
import numpy.strings
import numpy.typing

from fastnp._declare import Chapter

declare = Chapter("fastnp")

SHARED = ("char", "core", "ctypeslib", "dtypes", "exceptions", "f2py", "ma", "rec", "strings", "typing")

for name in SHARED:
    declare.publish(**{name: getattr(numpy, name)})
    # `import fastnp.ma.extras` finds NumPy's module rather than load a second one from its file.
    for known in [known for known in sys.modules if f"{known}.".startswith(f"numpy.{name}.")]:
        sys.modules[f"fastnp{known.removeprefix('numpy')}"] = sys.modules[known]
