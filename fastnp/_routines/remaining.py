"""Every public name of NumPy that no chapter declares: functions computed by NumPy, and NumPy's own objects.

Imported last. A name leaves this chapter by being declared in another.
"""

from __future__ import annotations

import inspect
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy

from fastnp._declare import NAMESPACES, Chapter

declare = Chapter("fastnp")

#: NumPy's dispatcher for functions written in C or Python behind `__array_function__`.
DISPATCHER = type(numpy.sum)

for name in numpy.__all__:
    value = getattr(numpy, name)
    if name in NAMESPACES["fastnp"] or isinstance(value, ModuleType):
        continue
    if isinstance(value, (DISPATCHER, FunctionType, BuiltinFunctionType)) and not inspect.isclass(value):
        declare.from_numpy(name)
    else:
        declare.publish(**{name: value})
