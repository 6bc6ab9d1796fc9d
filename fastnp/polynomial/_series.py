"""Series in a basis of polynomials: NumPy's classes and functions, with our arrays."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy
from numpy.polynomial import _polybase, polyutils

from fastnp._core.borrowed import as_ours, as_theirs
from fastnp._declare import Chapter

#: Methods of NumPy's classes that take points or give arrays.
LENT = ("linspace", "roots")
#: Class methods that make a series of data.
MAKERS = ("fit", "fromroots")
#: Methods that write the series: NumPy's print options hold for its own scalars.
WRITERS = ("_generate_string", "_repr_latex_")


def lent(theirs: Any) -> Any:
    """Return a method of NumPy's class that takes and returns our arrays."""

    @functools.wraps(theirs)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = theirs(self, *as_theirs(args), **{key: as_theirs(value) for key, value in kwargs.items()})
        return result if isinstance(result, _polybase.ABCPolyBase) else as_ours(result)

    return method


def evaluation(base: Any) -> Any:
    """Return NumPy's `__call__`, which reads NumPy's coefficients instead of ours, to be converted back."""
    value = base._val

    @functools.wraps(base.__call__)
    def method(self: Any, arg: Any) -> Any:
        return as_ours(value(polyutils.mapdomain(as_theirs(arg), self.domain, self.window), self._coef))

    return method


def writer(base: Any, name: str) -> Any:
    """Return a method that has NumPy's class write the same series."""
    theirs = getattr(base, name)

    @functools.wraps(theirs)
    def method(self: Any, *args: Any) -> str:
        return theirs(base(self._coef, self.domain, self.window, self.symbol), *args)

    return method


def coefficients(self: Any) -> Any:
    """Return the coefficients, lowest degree first."""
    return as_ours(self._coef)


def set_coefficients(self: Any, value: Any) -> None:
    """Keep NumPy's array, which NumPy's arithmetic reads."""
    self._coef = numpy.asarray(value)


def series(name: str, module: ModuleType) -> type:
    """Return our class of a basis: an instance is an instance of NumPy's class."""
    base = getattr(module, name)
    body = {method: lent(getattr(base, method)) for method in LENT}
    body |= {"__call__": evaluation(base)}
    body |= {method: writer(base, method) for method in WRITERS}
    body |= {maker: classmethod(lent(getattr(base, maker).__func__)) for maker in MAKERS}
    body |= {"coef": property(coefficients, set_coefficients), "__doc__": base.__doc__}
    body |= {"__module__": f"fastnp.polynomial.{module.__name__.rpartition('.')[2]}"}
    return type(name, (base,), body)


def declare_module(module: ModuleType, name: str) -> dict[str, Any]:
    """Declare a module of NumPy's polynomial package, and return its public names."""
    declare = Chapter(f"fastnp.polynomial.{module.__name__.rpartition('.')[2]}", module)
    declare.publish(**{name: series(name, module)})
    declare.borrow_rest()
    return {name: entry.value for name, entry in declare.names.items()}
