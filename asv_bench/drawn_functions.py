"""Every public function with what the tests draw for it, beside NumPy's: `make bench-drawn-functions`.

The strategies by which tests/conformance holds the functions to NumPy draw shapes, dtypes, layouts, lists, numbers and
options of every kind: calls that no table has. What takes more than `--limit` of NumPy's time is printed by function,
the worst first. Random numbers, whose streams would run on, and polynomials, whose classes are NumPy's, are left out.
"""

import argparse
import functools
import time
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy
import torch
from drawn_calls import measure, show
from hypothesis import HealthCheck, Phase, given, seed, settings
from libraries import load
from timing import Loop

from tests._oracle import give
from tests.conformance.test_oracle import NAMES
from tests.conformance.test_oracle import calls as arguments_of

LEFT_OUT = ("random.", "polynomial.")


class DrawnCall(NamedTuple):
    """One call."""

    spelling: str
    positional: list[Any]
    keywords: dict[str, Any]

    def __str__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.keywords.items())
        return " ".join(f"{', '.join(map(repr, self.positional))}{options}".split())[:160]


def calls_of(name: str, examples: int, first: int) -> list[DrawnCall]:
    """Return different calls of a function, so many at most."""
    found: dict[str, DrawnCall] = {}

    @seed(first)
    @settings(max_examples=examples, phases=[Phase.generate], database=None, deadline=None,
              suppress_health_check=list(HealthCheck))
    @given(arguments_of(name))
    def collect(call: tuple[list[Any], dict[str, Any]]) -> None:
        found.setdefault(repr(call), DrawnCall(name, *call))

    collect()
    return list(found.values())


def drawn(names: list[str], examples: int, first: int) -> Iterator[DrawnCall]:
    """Yield calls of each function."""
    for name in names:
        yield from calls_of(name, examples, first)


def loops(call: DrawnCall) -> dict[str, Loop]:
    """Return a loop for either library; what cannot be called raises."""
    return {library.__name__: loop_of(library, call) for library in (numpy, load("fastnp").module)}


def loop_of(library: Any, call: DrawnCall) -> Loop:
    """Return a loop for one library, which has been run once."""
    function = functools.reduce(getattr, call.spelling.split("."), library)
    positional, keywords = give(library, call.positional), give(library, call.keywords)

    def loop(times: int) -> float:
        start = time.perf_counter()
        for _ in range(times):
            function(*positional, **keywords)
        return time.perf_counter() - start

    loop(1)
    return loop


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help="functions, as `linalg.norm`; all if none is named")
    parser.add_argument("--examples", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    names = options.names or [name for name in NAMES if not name.startswith(LEFT_OUT)]
    ratios, above = measure(drawn(names, options.examples, options.seed), loops, options.seconds, options.limit)
    show(ratios, above, options.limit, f"{len(names)} functions")


if __name__ == "__main__":
    main()
