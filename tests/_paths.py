"""Each case by both paths: NumPy's kernels on plain arrays, and torch's bodies, which a torch mode makes calls take."""

import contextlib

import pytest
import torch

from tests._oracle import Cells, under_test


def through_torch(body):
    """Return the body run under a default device, where no call is plain."""

    def run(xp, *arguments):
        with torch.device("cpu") if xp is under_test and xp.__name__ != "numpy" else contextlib.nullcontext():
            return body(xp, *arguments)

    return run


def check(cases, path, **how):
    """Compare every case, (label, body, *arguments), with NumPy.

    Parameters
    ----------
    cases : iterable of tuple
        The table.
    path : {"plain", "torch"}
        Which of the two computes. Torch's results have no promised memory order.
    """
    with Cells(**how) as cells:
        for label, body, *arguments in cases:
            if path == "plain":
                cells.same(label, body, *arguments)
            else:
                tolerance = how.get("tolerance", "rounded")
                cells.same(label, through_torch(body), *arguments, layout=False, tolerance=tolerance)


by_both_paths = pytest.mark.parametrize("path", ["plain", "torch"])


def function(name, *arguments, **keywords):
    """Return a case that calls a function by name."""
    label = f"{name} {arguments} {keywords}"[:90].replace("\n", "")
    return (label, lambda xp, *values: getattr(xp, name)(*values, **keywords), *arguments)


def method(name, array, *arguments, **keywords):
    """Return a case that calls a method of an array."""
    return (
        f"a.{name} {arguments} {keywords}"[:90],
        lambda xp, values, *rest: getattr(values, name)(*rest, **keywords),
        array,
        *arguments,
    )


def changed(name, array, *arguments, **keywords):
    """Return a case that calls a function or method (".name") that changes its array, and gives the array."""

    def body(xp, values, *rest):
        call = getattr(values, name[1:]) if name.startswith(".") else lambda *a, **k: getattr(xp, name)(values, *a, **k)
        result = call(*rest, **keywords)
        return values, result is None

    return (f"{name} {arguments} {keywords}"[:90], body, array, *arguments)
