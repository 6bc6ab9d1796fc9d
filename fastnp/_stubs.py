"""Write the type stubs of the public modules from the registry.

`python -m fastnp._stubs` writes the `.pyi` files that the tests hold against the registry. Each parameter has the type
of what its conversion accepts; what a call returns follows the containers of its arguments, which a stub cannot say.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from fastnp._core.ndarray import ndarray
from fastnp._core.ufunc import ufunc
from fastnp._registry import METHODS, NAMESPACES, Entry
from fastnp._typing import Conversion

ROOT = Path(__file__).parent

HEADER = '''\
"""Written by `python -m fastnp._stubs`."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy
import torch
'''

TYPES = """
ArrayLike = ndarray | torch.Tensor | numpy.typing.ArrayLike
DTypeLike = torch.dtype | numpy.typing.DTypeLike
OutArray = ndarray | torch.Tensor | numpy.ndarray | tuple[Any, ...] | None
"""

CONVERSIONS = {
    Conversion.TENSOR: "ArrayLike",
    Conversion.OPERAND: "ArrayLike",
    Conversion.ARRAY: "ArrayLike",
    Conversion.TENSORS: "Sequence[ArrayLike] | ArrayLike",
    Conversion.ARRAYS: "Sequence[ArrayLike] | ArrayLike",
    Conversion.TORCH_DTYPE: "DTypeLike",
    Conversion.NUMPY_DTYPE: "DTypeLike",
    Conversion.OUT: "OutArray",
    Conversion.INDEX: "SupportsIndex",
}

UFUNC = """\
class ufunc:
    nin: int
    nout: int
    nargs: int
    ntypes: int
    types: list[str]
    identity: Any
    signature: str | None
    def __call__(self, *args: ArrayLike | None, **kwargs: Any) -> Any: ...
    def reduce(self, array: ArrayLike, axis: Any = ..., dtype: DTypeLike = ..., out: OutArray = ...,
               keepdims: bool = ..., initial: Any = ..., where: Any = ...) -> Any: ...
    def accumulate(self, array: ArrayLike, axis: SupportsIndex = ..., dtype: DTypeLike = ...,
                   out: OutArray = ...) -> Any: ...
    def reduceat(self, array: ArrayLike, indices: ArrayLike, axis: SupportsIndex = ..., dtype: DTypeLike = ...,
                 out: OutArray = ...) -> Any: ...
    def outer(self, *args: ArrayLike, **kwargs: Any) -> Any: ...
    def at(self, a: ArrayLike, indices: Any, *args: ArrayLike) -> None: ...
    def resolve_dtypes(self, dtypes: Any, *, signature: Any = ..., casting: Any = ...,
                       reduction: bool = ...) -> tuple[numpy.dtype[Any], ...]: ...
"""

#: Attributes of the array whose type is known.
ATTRIBUTES = {
    "T": "ndarray", "mT": "ndarray", "real": "ndarray", "imag": "ndarray", "dtype": "numpy.dtype[Any]",
    "itemsize": "int", "nbytes": "int", "ndim": "int", "shape": "tuple[int, ...]", "size": "int",
    "strides": "tuple[int, ...]", "tensor": "torch.Tensor", "device": "str",
}


def parameters(signature: inspect.Signature, conversions: dict[str, Conversion]) -> str:
    """Return the parameters of a function as a stub spells them."""
    parts: list[str] = []
    kinds = inspect.Parameter
    previous = None
    for parameter in signature.parameters.values():
        if previous is kinds.POSITIONAL_ONLY and parameter.kind is not kinds.POSITIONAL_ONLY:
            parts.append("/")
        if parameter.kind is kinds.KEYWORD_ONLY and previous not in (kinds.KEYWORD_ONLY, kinds.VAR_POSITIONAL):
            parts.append("*")
        stars = "*" * (parameter.kind is kinds.VAR_POSITIONAL) + "**" * (parameter.kind is kinds.VAR_KEYWORD)
        kind = CONVERSIONS.get(conversions.get(parameter.name, Conversion.ANY), "Any")
        if stars:
            kind = kind.removeprefix("Sequence[ArrayLike] | ")
        # A None that stands for "not given" is in the type too.
        if parameter.default is None and kind not in ("Any", "DTypeLike", "OutArray"):
            kind = f"{kind} | None"
        parts.append(f"{stars}{parameter.name}: {kind}{'' if parameter.default is parameter.empty else ' = ...'}")
        previous = parameter.kind
    if previous is kinds.POSITIONAL_ONLY:
        parts.append("/")
    return ", ".join(parts)


def declaration(name: str, entry: Entry, theirs: ModuleType) -> str:
    """Return the line of one public name."""
    value = entry.value
    if isinstance(value, ufunc):
        return f"{name}: ufunc"
    if value is getattr(theirs, name, None) and not isinstance(value, ModuleType):
        return f"from {theirs.__name__} import {name} as {name}"
    if entry.state != "object":
        signature = getattr(value, "__signature__", None)
        if signature is None:
            return f"def {name}(*args: Any, **kwargs: Any) -> Any: ..."
        return f"def {name}({parameters(signature, entry.conversions)}) -> Any: ..."
    return f"{name}: Any"


def array_class() -> Iterator[str]:
    """Yield the lines of the class of the array."""
    yield "class ndarray:"
    yield "    def __new__(cls, shape: Any, dtype: DTypeLike = ..., buffer: Any = ..., offset: SupportsIndex = ...,"
    yield "                strides: Any = ..., order: str | None = ...) -> ndarray: ..."
    for name in sorted(dir(ndarray)):
        if name in METHODS:
            yield f"    def {name}({parameters(METHODS[name].__signature__, {})}) -> Any: ..."
        elif name in ATTRIBUTES:
            yield f"    {name}: {ATTRIBUTES[name]}"
        elif name not in dir(object) and name != "__new__":
            operator = name.startswith("__") and callable(getattr(ndarray, name))
            yield f"    def {name}(self, *args: Any) -> Any: ..." if operator else f"    {name}: Any"


def sorted_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield imports before declarations, each in the order of their names."""
    yield from sorted(lines, key=lambda line: (not line.startswith("from "), line))


def stub(module: str) -> str:
    """Return the text of a module's stub."""
    theirs = sys.modules["numpy" + module.removeprefix("fastnp")]
    entries = {name: entry for name, entry in NAMESPACES[module].items() if name not in ("ndarray", "ufunc")}
    lines = sorted_lines(declaration(name, entry, theirs) for name, entry in entries.items())
    if module != "fastnp":
        names = "\nfrom fastnp import ArrayLike, DTypeLike, OutArray, ndarray, ufunc\n\n"
        return HEADER + names + "\n".join(lines) + "\n"
    modules = [
        f"from fastnp import {name} as {name}" for name in ("fft", "lib", "linalg", "polynomial", "random", "testing")
    ]
    classes = [*array_class(), "", *UFUNC.splitlines()]
    return "\n".join([HEADER, *modules, TYPES, *classes, "", *lines]) + "\n"


def stubs() -> dict[Path, str]:
    """Return the stubs: path -> text."""
    found = {}
    for module in ("fastnp", "fastnp.fft", "fastnp.linalg", "fastnp.random", "fastnp.lib.stride_tricks"):
        source = Path(sys.modules[module].__file__ or "")
        found[source.with_suffix(".pyi")] = stub(module)
    return found


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text)
