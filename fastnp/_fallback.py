"""To NumPy and back, counted: what torch does not have, NumPy computes on the array's own memory.

Nothing here is silent: each call leaves a record, `set_fallback` warns about or refuses them, and an array on another
device is refused unless `set_transfer("allow")` says otherwise.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from fastnp._core.borrowed import as_theirs
from fastnp._core.converters import asarray
from fastnp._core.scalars import as_scalar

PACKAGE = str(Path(__file__).parent)


class Record(NamedTuple):
    """One call that NumPy computed."""

    name: str
    filename: str
    lineno: int
    seconds: float


#: The calls so far, oldest first; `fastnp.fallback_records()` returns a copy.
records: list[Record] = []
KEPT = 100_000

_policy = os.environ.get("FASTNP_FALLBACK", "allow")


class FallbackWarning(UserWarning):
    """A function was computed by NumPy."""


def set_fallback(policy: str) -> None:
    """Say what happens when NumPy has to compute a call.

    Parameters
    ----------
    policy : {"allow", "warn", "error"}
        "allow" counts the call, "warn" also issues a `FallbackWarning`, "error" raises a NotImplementedError. The
        environment variable `FASTNP_FALLBACK` sets it at import.

    Raises
    ------
    ValueError
        `policy` is none of these.
    """
    global _policy
    if policy not in ("allow", "warn", "error"):
        raise ValueError(f"policy must be 'allow', 'warn' or 'error', not {policy!r}")
    _policy = policy


def fallback_records() -> list[Record]:
    """Return the calls that NumPy computed so far: name, file, line and seconds of each."""
    return list(records)


def clear_fallback_records() -> None:
    """Forget the calls that NumPy computed so far."""
    records.clear()


def from_numpy(result: Any, given: dict[int, Any]) -> Any:
    """Return what NumPy returned with each numeric array in it as ours; an argument that came back is itself again."""
    if id(result) in given:
        return given[id(result)]
    if isinstance(result, numpy.ndarray):
        if type(result) is not numpy.ndarray or result.dtype.kind not in "biufcV" or result.dtype.names is not None:
            return result
        return asarray(result) if holdable(result.dtype) else result
    if isinstance(result, numpy.generic):
        if not holdable(result.dtype):
            return result
        return as_scalar(asarray(numpy.asarray(result)))
    if type(result) is list:
        return [from_numpy(item, given) for item in result]
    if type(result) is tuple:
        return tuple(from_numpy(item, given) for item in result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(from_numpy(item, given) for item in result))
    return result


def holdable(dtype: numpy.dtype) -> bool:
    """Return whether an array can hold the dtype (NumPy also has strings, objects, records, dates, long doubles)."""
    return dtype.kind in "biufc" and dtype.itemsize <= (16 if dtype.kind == "c" else 8)


def by_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute a declared function by the NumPy function of its name."""
    return call(function.__qualname__, function.__numpy_function__, args, kwargs)


def call(name: str, theirs: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call NumPy's `theirs` and record it under `name`."""
    if _policy == "error":
        raise NotImplementedError(
            f"fastnp.{name} would be computed by NumPy here, and set_fallback('error') is in force"
        )
    numpy_args, numpy_kwargs = as_theirs(args), as_theirs(kwargs)
    given = {id(theirs): ours for theirs, ours in zip(numpy_args, args, strict=True) if ours is not theirs}
    if kwargs:
        given |= {id(numpy_kwargs[key]): kwargs[key] for key in kwargs if numpy_kwargs[key] is not kwargs[key]}
    start = time.perf_counter()
    result = theirs(*numpy_args, **numpy_kwargs)
    record(name, time.perf_counter() - start)
    return from_numpy(result, given)


def record(name: str, seconds: float) -> None:
    """Keep a record of a call that NumPy computed, with the line of the program that made it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    if len(records) < KEPT:
        records.append(Record(name, frame.f_code.co_filename, frame.f_lineno, seconds))
    if _policy == "warn":
        warnings.warn_explicit(
            f"fastnp.{name} was computed by NumPy", FallbackWarning, frame.f_code.co_filename, frame.f_lineno
        )
