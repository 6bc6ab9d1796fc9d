"""Overriding fastnp, and being overridden like fastnp: what downstream libraries use.

A function of a downstream library becomes overridable, and gets its arguments converted, by one decorator::

    from fastnp.overrides import torch_function_dispatch
    from fastnp.overrides import ArrayLike

    @torch_function_dispatch()                      # what may override it is read off the annotations
    def energy(signal: ArrayLike, axis=None):
        return (signal**2).sum(axis)                # a torch.Tensor here, an ndarray for the caller

    @torch_function_dispatch(lambda a, b: (a, b))   # or is said by a dispatcher, and nothing is converted
    def join(a, b): ...

Sources: RFC 0001, goals 11 and 18; NEP 18.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from fastnp._core.borrowed import borrowed
from fastnp._core.dispatcher import function
from fastnp._core.ndarray import as_subclass, ndarray
from fastnp._core.operators import operator_functions
from fastnp._core.overrides import handle_torch_function, has_torch_function, hooked_functions
from fastnp._core.ufunc import ufunc
from fastnp._declare import plan_of
from fastnp._registry import METHODS, NAMESPACES
from fastnp._typing import (
    ArrayLike,
    ArrayLikes,
    AxisLike,
    Conversion,
    DTypeLike,
    Index,
    NDArrayLike,
    NDArrayLikes,
    NoValue,
    NumPyDTypeLike,
    OperandLike,
    OutArray,
    Relevant,
)

__all__ = [
    "ArrayLike",
    "ArrayLikes",
    "AxisLike",
    "Conversion",
    "DTypeLike",
    "Index",
    "NDArrayLike",
    "NDArrayLikes",
    "NoValue",
    "NumPyDTypeLike",
    "OperandLike",
    "OutArray",
    "Relevant",
    "get_overridable_functions",
    "handle_torch_function",
    "has_torch_function",
    "is_overridable",
    "make_subclass",
    "torch_function_dispatch",
]


def torch_function_dispatch(
    dispatcher: Callable[..., Iterable[Any]] | None = None, *, module: str | None = None
) -> Callable[[Callable[..., Any]], Any]:
    """Make a function or method of one's own overridable by `__torch_function__`.

    Parameters
    ----------
    dispatcher : callable, optional
        Takes the arguments of the function and returns those that may override it. Without one, the parameters
        annotated with this module's vocabulary do, and they are converted as the annotations say: the body sees
        tensors or arrays, `out` is filled, results are wrapped in the container of the arguments.
    module : str, optional
        The `__module__` that the public function shows.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    TypeError
        The signatures of dispatcher and function differ, or neither dispatcher nor annotation says what may override.

    Notes
    -----
    Source: RFC 0001, `@torch_function_dispatch`.
    """

    def decorate(implementation: Callable[..., Any]) -> Any:
        public = converting(implementation) if dispatcher is None else dispatching(dispatcher, implementation)
        if module is not None:
            public.__module__ = module
        return public

    return decorate


def converting(implementation: Callable[..., Any]) -> Any:
    """Return the function with its plan worked out from its annotations."""
    plan = plan_of(implementation.__name__, implementation)
    if not any(code not in (Conversion.ANY, Conversion.NUMPY_ONLY) for code in plan.conversion_codes):
        raise TypeError(
            f"{implementation.__qualname__}() has no parameter annotated with fastnp.overrides' vocabulary: annotate "
            "those that are array-like, or give a dispatcher"
        )
    public = function(plan, implementation)
    functools.update_wrapper(public, implementation)
    return public


def dispatching(dispatcher: Callable[..., Iterable[Any]], implementation: Callable[..., Any]) -> Any:
    """Return the function behind a dispatcher of the same signature, as NEP 18 has it."""
    theirs = [(p.name, p.kind) for p in inspect.signature(dispatcher).parameters.values()]
    ours = [(p.name, p.kind) for p in inspect.signature(implementation).parameters.values()]
    if theirs != ours:
        raise TypeError(
            f"the dispatcher of {implementation.__qualname__}() must have its signature: "
            f"parameters {theirs} are not {ours}"
        )

    @functools.wraps(implementation)
    def public(*args: Any, **kwargs: Any) -> Any:
        relevant = tuple(dispatcher(*args, **kwargs))
        if has_torch_function(relevant):
            return handle_torch_function(public, relevant, *args, **kwargs)
        return implementation(*args, **kwargs)

    vars(public)["__torch_function_dispatch__"] = True
    return public


def get_overridable_functions() -> dict[str, list[Any]]:
    """Return every public callable that `__torch_function__` sees, by namespace.

    Returns
    -------
    dict
        Public module -> its functions; "fastnp.ufunc" -> the methods of the ufuncs (`np.add.reduce`);
        "fastnp.ndarray" -> methods, operators (`np.ndarray.__add__`), and the getters and setters of properties
        (`np.ndarray.shape.__get__`). Each is what a hook gets in `func`.
    """
    functions: dict[str, list[Any]] = {}
    for module, names in NAMESPACES.items():
        callables = {id(entry.value): entry.value for entry in names.values() if is_overridable(entry.value)}
        if callables:
            functions[module] = list(callables.values())
    functions["fastnp.ufunc"] = [
        bound for candidate in functions["fastnp"] if isinstance(candidate, ufunc) for bound in methods_of(candidate)
    ]
    functions["fastnp.ndarray"] = [*METHODS.values(), *operator_functions(), *hooked_functions()]
    return functions


def methods_of(candidate: ufunc) -> list[Any]:
    """Return the methods that a ufunc of its number of operands has, bound."""
    names = []
    if candidate.signature is None:
        names = ["at"] if candidate.nout == 1 else []
        if candidate.nin == 2:
            names.append("outer")
            if candidate.nout == 1:
                names += ["reduce", "accumulate", "reduceat"]
    return [getattr(candidate, name) for name in names]


def is_overridable(candidate: Any) -> bool:
    """Return whether a callable asks `__torch_function__` of its arguments.

    Parameters
    ----------
    candidate : object
        Anything.
    """
    return isinstance(candidate, (function, borrowed, ufunc)) or hasattr(candidate, "__torch_function_dispatch__")


def make_subclass(array: ndarray, cls: type, source: Any = None) -> Any:
    """Return the array as an instance of a subclass, on the same memory and with the same gradient.

    Parameters
    ----------
    array : ndarray
        The array.
    cls : type
        A subclass of ndarray.
    source : object, optional
        What `__array_finalize__` gets; default: `array`.

    Raises
    ------
    TypeError
        `cls` is not a subclass of ndarray.

    Notes
    -----
    Source: RFC 0001, change 3, "make `_make_subclass` public".
    """
    return as_subclass(array, cls, array if source is None else source)
