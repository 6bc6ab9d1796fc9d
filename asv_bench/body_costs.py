"""What functions with a Python body cost over their torch calls: `python asv_bench/body_costs.py`, `make bench-bodies`.

Derived from the registry: every declared function with a body on torch is called with the first arguments, of a short
list, that it takes; the calls of torch that its body makes are recorded, and both are timed in one run, twice: with
arrays that carry gradients, so that the body computes, and with plain arrays and tensors, which most programs have and
which kernels of plain arrays answer where there are some. The exit status is the number of medians, of the two, that
are above 400 ns.
"""

import importlib
import inspect
import itertools
import statistics
import sys
import warnings

import torch
from libraries import load
from timing import Effort, interleaved

ALLOWED = 400.0
ATTEMPTS = 400


class Recorder(torch.Tensor):
    """A tensor that records the calls made with it, attributes left out: those count as the body's own time."""

    calls = []  # noqa: RUF012 - the class's record

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = super().__torch_function__(func, types, args, kwargs)
        if func.__name__ not in ("__get__", "dim", "size", "is_complex", "is_floating_point", "numel"):
            cls.calls.append((func, args, kwargs))
        return result


def bare(value, gradients=True):
    """Return recorded arguments with ordinary tensors in them, detached where no gradients are wanted."""
    if isinstance(value, torch.Tensor):
        ordinary = value.as_subclass(torch.Tensor)
        return ordinary if gradients else ordinary.detach()
    if type(value) in (list, tuple):
        return type(value)(bare(item, gradients) for item in value)
    if type(value) is dict:
        return {key: bare(item, gradients) for key, item in value.items()}
    return value


def candidates(array, gradients=True):
    """Return the values that are tried for a parameter; `array` makes an array of a tensor."""
    square = torch.tensor([[4.0, 1.0, 0.5], [1.0, 5.0, 0.25], [0.5, 0.25, 6.0]], dtype=torch.float64)
    vector = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    if gradients:
        # What was computed before, as the arguments of the recorded calls are: a leaf costs torch a node in each call.
        differentiated_vector, differentiated_square = (
            tensor.clone().requires_grad_().view_as(tensor) for tensor in (vector, square))
    else:
        differentiated_vector, differentiated_square = vector, square
    return (
        array(differentiated_vector), array(differentiated_square),
        [array(vector), array(vector)], 1, (3, 1), 0.5,
        array(torch.tensor([0, 1, 1])), array(torch.tensor([True, False, True])), "ij,jk", [1, 2],
    )


def required(public):
    """Return how many arguments a function needs by position, or None where that is not known."""
    try:
        parameters = inspect.signature(public).parameters.values()
    except ValueError:
        return None
    if any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters):
        return None
    varied = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in by_position and p.default is p.empty for p in parameters) + varied


def recorded(np, public, count):
    """Return the arguments of a call, with gradients and plain, and the calls of torch that it makes, likewise.

    None where no candidates will do.
    """
    recording = candidates(lambda tensor: np.asarray(tensor.as_subclass(Recorder)))
    timed, plain = candidates(np.asarray), candidates(np.asarray, gradients=False)
    for places in itertools.islice(itertools.product(range(len(timed)), repeat=count), ATTEMPTS):
        Recorder.calls.clear()
        np.clear_fallback_records()
        try:
            public(*[recording[place] for place in places])
            calls = [(func, bare(args), bare(kwargs)) for func, args, kwargs in Recorder.calls]
            for func, args, kwargs in calls:
                func(*args, **kwargs)
            detached = [(func, bare(args, False), bare(kwargs, False)) for func, args, kwargs in Recorder.calls]
            for func, args, kwargs in detached:
                func(*args, **kwargs)
            public(*[timed[place] for place in places])
            public(*[plain[place] for place in places])
        except Exception:  # noqa: BLE001 - other arguments are tried
            continue
        if calls and not np.fallback_records():
            return (([timed[place] for place in places], calls), ([plain[place] for place in places], detached))
    return None


def loops_of(public, arguments, calls, clock):
    """Return the loop that calls a function and the loop that makes its calls of torch."""
    scope = {"clock": clock, "public": public} | {f"a{i}": value for i, value in enumerate(arguments)}
    lines = []
    for number, (func, args, kwargs) in enumerate(calls):
        scope[f"f{number}"] = func
        scope |= {f"v{number}_{i}": value for i, value in enumerate(args)}
        scope |= {f"k{number}_{name}": value for name, value in kwargs.items()}
        given = [f"v{number}_{i}" for i in range(len(args))] + [f"{name}=k{number}_{name}" for name in kwargs]
        lines.append(f"f{number}({', '.join(given)})")
    whole = f"public({', '.join(f'a{i}' for i in range(len(arguments)))})"
    loops = []
    for body in (whole, "; ".join(lines)):
        names = ", ".join(f"{name}={name}" for name in scope)
        exec(
            f"def loop(times, {names}):\n    start = clock()\n    for _ in range(times):\n        {body}\n"
            "    return clock() - start\n", scope,
        )
        loops.append(scope.pop("loop"))
    return loops


def functions(np):
    """Return the declared functions that have a body in Python: name -> callable."""
    declare = sys.modules["fastnp._declare"]
    found = {}
    for module, entries in importlib.import_module("fastnp._registry").NAMESPACES.items():
        for name, entry in entries.items():
            body = getattr(entry.value, "_implementation", None)
            if isinstance(entry.value, declare.function) and body is not None and entry.value not in found.values():
                found[f"{module}.{name}"] = entry.value
    return found


def longer_than_torch(public, arguments, calls, effort):
    """Return by how many nanoseconds a call takes longer than its calls of torch, and how long those take."""
    whole, torch_alone = loops_of(public, arguments, calls, effort.clock)
    samples = interleaved({"whole": whole, "torch": torch_alone}, effort)
    longer = statistics.median(a - b for a, b in zip(samples["whole"], samples["torch"], strict=True))
    return longer * 1e9, statistics.median(samples["torch"]) * 1e9


def main() -> int:
    """Measure, print the table, and return how many of the two medians are above what is allowed."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    np = load("fastnp").module
    effort = Effort(rounds=7, seconds=5e-4)
    over: dict[str, list[float]] = {"gradients": [], "plain": []}
    left_out = []
    print(f"{'function':<44}{'calls':>6}{'torch':>9}{'over':>9}{'plain torch':>13}{'over':>9}")
    for name, public in functions(np).items():
        count = required(public)
        recordings = recorded(np, public, count) if count else None
        if recordings is None:
            left_out.append(name)
            continue
        try:
            found = [longer_than_torch(public, arguments, calls, effort) for arguments, calls in recordings]
        except Exception:  # noqa: BLE001 - the calls of torch cannot be made again
            left_out.append(name)
            continue
        for kind, (longer, _) in zip(over, found, strict=True):
            over[kind].append(longer)
        (longer, alone), (plain_longer, plain_alone) = found
        print(f"{name:<44}{len(recordings[0][1]):>6}{alone:>9.0f}{longer:>9.0f}{plain_alone:>13.0f}{plain_longer:>9.0f}")
    print()
    above = 0
    for kind, longer in over.items():
        median, quartiles = statistics.median(longer), statistics.quantiles(longer, n=4)
        above += median > ALLOWED
        print(f"{kind}: {len(longer)} functions, median {median:.0f} ns over their torch calls "
              f"({ALLOWED:.0f} allowed), quartiles {quartiles[0]:.0f} and {quartiles[2]:.0f}"
              f"{'   ABOVE' if median > ALLOWED else ''}")
    print(f"left out, no call of torch with these arguments: {' '.join(left_out)}")
    return above


if __name__ == "__main__":
    sys.exit(main())
