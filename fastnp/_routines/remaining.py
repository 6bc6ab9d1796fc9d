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
    # What is not there yet is a submodule that NumPy would import for us.
    if name in NAMESPACES["fastnp"] or name not in vars(numpy) or isinstance(vars(numpy)[name], ModuleType):
        continue
    value = vars(numpy)[name]
    if isinstance(value, (DISPATCHER, FunctionType, BuiltinFunctionType)) and not inspect.isclass(value):
        declare.from_numpy(name)
    else:
        declare.publish(**{name: value})
