"""The libraries that are measured, the operands that the calls read, and a call made ready to run."""

import importlib
import importlib.util
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
from cases import Case

# Where fastnp is built in place and not installed, it is found above this folder.
sys.path.append(str(Path(__file__).resolve().parent.parent))
NAMES = ("fastnp", "numpy", "torch", "torch._numpy", "jax.numpy")


def rng() -> numpy.random.Generator:
    """Return the generator that every set of operands starts from."""
    return numpy.random.default_rng(20)


def side(n: int) -> int:
    """Return the side of the square matrix that stands for `n` elements."""
    return max(2, math.isqrt(n))


def _square(n: int) -> numpy.ndarray:
    return rng().random((side(n), side(n))) + 0.5


def _mask(n: int, share: float = 0.5) -> numpy.ndarray:
    return rng().random(n) < share


OPERANDS: dict[str, Callable[[int], Any]] = {
    "n": int,
    "k": side,
    # float64 vectors between 0.5 and 1.5; x and y are twice as long
    "a": lambda n: rng().random(n) + 0.5,
    "b": lambda n: rng().random(n)[::-1] + 0.5,
    "c": lambda n: numpy.sqrt(rng().random(n)) + 0.5,
    "o": numpy.zeros,
    "x": lambda n: rng().random(2 * n) + 0.5,
    "y": lambda n: rng().random(2 * n)[::-1] + 0.5,
    # of both signs, sorted, close to one, and short
    "s": lambda n: rng().standard_normal(n),
    "sa": lambda n: numpy.sort(rng().random(n) + 0.5),
    "e": lambda n: 1.0 + rng().random(n) / n,
    "k3": lambda _: numpy.array([0.25, 0.5, 0.25]),
    "t3": lambda _: numpy.array([1.0, 2.0, 3.0]),
    # float32, float16, complex128
    "f": lambda n: (rng().random(n) + 0.5).astype(numpy.float32),
    "g": lambda n: (rng().random(n)[::-1] + 0.5).astype(numpy.float32),
    "h": lambda n: (rng().random(n) + 0.5).astype(numpy.float16),
    "w": lambda n: rng().random(n) + 1j * rng().random(n),
    "z": lambda n: rng().random(n) - 1j * rng().random(n),
    # int64, int32, uint8
    "i": lambda n: rng().integers(1, 100, n),
    "j": lambda n: rng().integers(1, 100, n)[::-1].copy(),
    "i4": lambda n: rng().integers(1, 100, n).astype(numpy.int32),
    "j4": lambda n: rng().integers(1, 100, n)[::-1].astype(numpy.int32),
    "u": lambda n: rng().integers(0, 100, n).astype(numpy.uint8),
    "v": lambda n: rng().integers(0, 100, n)[::-1].astype(numpy.uint8),
    # masks: half, half, one in a hundred, none
    "m": _mask,
    "p": lambda n: ~_mask(n)[::-1],
    "d": lambda n: _mask(n, 0.01),
    "no": lambda n: numpy.zeros(n, dtype=bool),
    # indices: random and sequential into a vector, random into an axis
    "t": lambda n: rng().permutation(n),
    "q": numpy.arange,
    "r": lambda n: rng().permutation(side(n)),
    # square matrices, their rows and columns; S is positive definite, E small, I of int64, J of indices, C a column
    "A": _square,
    "B": lambda n: _square(n)[::-1].copy(),
    "S": lambda n: _square(n) @ _square(n).T + side(n) * numpy.eye(side(n)),
    "E": lambda n: numpy.eye(side(n)) + 0.5,
    "I": lambda n: rng().integers(1, 100, (side(n), side(n))),
    "J": lambda n: numpy.argsort(_square(n), axis=1),
    "C": lambda n: rng().random((n, 1)),
    "row": lambda n: rng().random(side(n)) + 0.5,
    "col": lambda n: rng().random((side(n), 1)) + 0.5,
    # Python lists
    "lf": lambda n: (rng().random(n) + 0.5).tolist(),
    "li": lambda n: rng().integers(1, 100, n).tolist(),
}


# Operands whose dtype is not what a call is about: these may be of any other.
GENERAL = frozenset(("a", "b", "c", "o", "x", "y", "s", "sa", "e", "i", "j", "m", "p", "A", "B", "S", "E", "I", "C",
                     "row", "col"))
MASKS = frozenset("mp")


def recast_names(case: Case) -> set[str]:
    """Return the operands of a case that are of its dtype; a mask beside others stays one."""
    names = identifiers(case.call) & GENERAL if case.dtype else set()
    return names - MASKS or names


def recast(value: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """Return an operand in another dtype: integers are below a hundred, half of the truths are true."""
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return value if value.dtype.kind == "b" else value > numpy.mean(value)
    if value.dtype.kind == "f" and kind in "iu":
        value = numpy.minimum(numpy.abs(value) * 50.0, 99.0) if kind == "u" else numpy.clip(value * 50.0, -99.0, 99.0)
    return value.astype(dtype) + value[::-1].astype(dtype) * 1j if kind == "c" else value.astype(dtype)


def _from_numpy(array: numpy.ndarray) -> torch.Tensor:
    return torch.from_numpy(numpy.ascontiguousarray(array))


class Library(NamedTuple):
    """One library: how its arrays are made of NumPy's, and what its calls are written with."""

    name: str
    module: Any
    wrap: Callable[[numpy.ndarray], Any]
    finish: Callable[[Any], Any] | None
    """What waits for a result that is still being computed; None where calls return when they are done."""

    def spelling(self, case: Case) -> str | None:
        """Return the call as this library spells it, None where it has no such call."""
        return case.torch if self.name == "torch" else case.call


def load(name: str) -> Library:
    """Import one library by the name users know it by."""
    if name == "torch":
        return Library(name, torch, _from_numpy, None)
    module = importlib.import_module(name)
    if name == "numpy":
        return Library(name, module, numpy.copy, None)
    if name == "jax.numpy":
        jax = importlib.import_module("jax")
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
        return Library(name, module, module.asarray, jax.block_until_ready)
    if name == "fastnp":
        return Library(name, module, module.array, None)
    return Library(name, module, lambda array: module.asarray(_from_numpy(array.copy())), None)


def installed(names: tuple[str, ...] = NAMES) -> list[Library]:
    """Return those libraries of `names` that can be imported here, in that order."""
    found = []
    for name in names:
        if importlib.util.find_spec(name.split(".")[0]) is None:
            continue
        found.append(load(name))
    return found


class Ready(NamedTuple):
    """A call compiled for one library at one size, with operands of its own."""

    loop: Callable[..., float]
    """`loop(times)` runs the call so often and returns the seconds."""
    operands: dict[str, Any]
    result: Any
    """What the first run returned or wrote."""


def identifiers(source: str) -> set[str]:
    """Return the names that a piece of source reads or writes."""
    return set(compile(source, "<case>", "exec").co_names)


def _is_expression(source: str) -> bool:
    try:
        compile(source, "<case>", "eval")
    except SyntaxError:
        return False
    return True


def target(statement: str) -> str:
    """Return the operand that a statement writes: the first name that stands in it."""
    return statement.split("[")[0].split()[0]


def namespace(library: Library, case: Case, n: int) -> dict[str, Any]:
    """Return the operands of a case as one library's arrays, beside the modules that its call names."""
    call = library.spelling(case)
    names: dict[str, Any] = {"np": library.module, "torch": torch, "f64": torch.float64}
    recasts = recast_names(case)
    for name in sorted(identifiers(call) & OPERANDS.keys()):
        value = OPERANDS[name](n)
        if name in recasts:
            value = recast(value, case.dtype)
        names[name] = library.wrap(value) if isinstance(value, numpy.ndarray) else value
    setup = case.setup if library.name != "torch" else ""
    exec(compile(setup, "<setup>", "exec"), names)
    return names


def loop_source(call: str, arguments: list[str], finish: bool) -> str:
    """Return the source of a function that runs a call many times, its operands being local variables."""
    body = call
    if finish and _is_expression(call):
        body = f"_finish({call})"
    elif finish and target(call) in OPERANDS:
        body = f"{call}; _finish({target(call)})"
    return (
        f"def loop(_times, _clock, {', '.join(arguments)}):\n"
        f"    _start = _clock()\n"
        f"    for _ in range(_times):\n"
        f"        {body}\n"
        f"    return _clock() - _start\n"
    )


def ready(library: Library, case: Case, n: int, clock: Callable[[], float] = time.process_time) -> Ready:
    """Compile a case for one library and run it once.

    Raises whatever the call raises.
    """
    call = library.spelling(case)
    names = namespace(library, case, n)
    expression = _is_expression(call)
    if expression:
        result = eval(call, dict(names))
    else:
        scope = dict(names)
        exec(call, scope)
        result = scope.get(target(call)) if target(call) in OPERANDS else None
    result = snapshot(result)
    names["_finish"] = library.finish
    arguments = {name: value for name, value in names.items() if name != "__builtins__"}
    scope = {}
    exec(loop_source(call, list(arguments), library.finish is not None), scope)
    function = scope["loop"]
    return Ready(lambda times: function(times, clock, **arguments), names, result)


def snapshot(result: Any) -> Any:
    """Return a result as NumPy arrays of its own memory; sequences item by item; others as they are."""
    if isinstance(result, tuple | list):
        return [snapshot(item) for item in result]
    if isinstance(result, torch.Tensor):
        return result.detach().resolve_conj().cpu().numpy().copy()
    if type(result).__module__.startswith("cupy"):
        return result.get()
    if not hasattr(result, "__array__") and isinstance(getattr(result, "tensor", None), torch.Tensor):
        return snapshot(result.tensor)
    if hasattr(result, "__array__"):
        return numpy.array(result)
    if isinstance(result, bool | int | float | complex):
        return numpy.array(result)
    return None


def agree(case: Case, found: Any, expected: Any) -> bool:
    """Say whether a library's result is NumPy's, to the precision of its dtype."""
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(map(agree, [case] * len(found), found, expected))
        )
    if not isinstance(expected, numpy.ndarray) or not isinstance(found, numpy.ndarray):
        return True
    if found.shape != expected.shape:
        return False
    if case.dtype and found.dtype != expected.dtype:
        return False
    if case.compare == "shape":
        return True
    exact = expected.dtype.kind in "biu" and found.dtype.kind in "biu"
    single = any(dtype.itemsize < (16 if dtype.kind == "c" else 8) for dtype in (expected.dtype, found.dtype))
    tolerance = 0.0 if exact else 2e-3 if expected.dtype == numpy.float16 else 1e-5 if single else 1e-9
    return numpy.allclose(found, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
