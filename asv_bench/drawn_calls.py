"""Calls that nobody chose, beside NumPy's: `python asv_bench/drawn_calls.py`, `make bench-drawn`.

Spellings of calls, dtypes, shapes and layouts are drawn at random and timed in turns, for as long as `--seconds` says.
What takes more than `--limit` of NumPy's time is measured again with more rounds and printed by spelling, the worst
first. The tables of the other tools hold what is common; what this finds is what they leave out.
"""

import argparse
import math
import random
import resource
import statistics
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy
import torch
from libraries import load
from spellings import DTYPES, LAYOUTS, RARE, spellings
from timing import Effort, Loop, batch_size, geometric_mean, interleaved, ratio

CAREFUL = Effort(time.perf_counter, 9, 1.0e-3)
LONGEST = 0.1
"""Seconds of NumPy's that a call takes at most."""
ROOM = 6 << 30
"""Bytes of memory that all take at most; what would need more raises MemoryError."""

SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "few": ((3,), (100,), (3, 4), (10, 10), (4, 3, 5)),
    "thousands": ((10_000,), (100, 100), (20, 20, 25), (400, 25)),
    "million": ((1_000_000,), (1000, 1000), (100, 100, 100)),
    "any": (),  # drawn as well
}
MOST = 3_000_000
"""Elements of a drawn shape."""


class Drawn(NamedTuple):
    """One call."""

    spelling: str
    shape: tuple[int, ...]
    dtype: str
    layout: str

    def __str__(self) -> str:
        return f"{self.shape} {self.dtype}, {self.layout}"


class Call(Protocol):
    """What is measured: a spelling, and as text what it is given."""

    @property
    def spelling(self) -> str:
        """What calls are gathered by."""


C = TypeVar("C", bound=Call)
Found = tuple[float, float, str]
"""Our time over NumPy's, NumPy's in seconds, and what the call is given."""
NOT_CALLS = (
    ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError, TypeError,
    ValueError,
)
"""How a call ends that has no such arguments, or that takes too long."""


def drawn_shape(generator: random.Random) -> tuple[int, ...]:
    """Return one to three lengths; their product is as often of one magnitude as of another."""
    ndim = generator.choice((1, 1, 2, 2, 3))
    shares = [generator.random() for _ in range(ndim)]
    digits = generator.uniform(0, math.log(MOST)) / sum(shares)
    return tuple(max(1, round(math.exp(digits * share))) for share in shares)


def drawn(calls: list[str], elements: str, seed: int) -> Iterator[Drawn]:
    """Yield calls for ever."""
    generator = random.Random(seed)
    while True:
        shape = generator.choice(SHAPES[elements]) if SHAPES[elements] else drawn_shape(generator)
        yield Drawn(generator.choice(calls), shape, generator.choice(DTYPES), generator.choice(list(LAYOUTS)))


def numbers(dtype: str, shape: tuple[int, ...]) -> numpy.ndarray:
    """Return numbers below ten, or fifty if they are integers."""
    generator = numpy.random.default_rng(0)
    if dtype == "?":
        return generator.random(shape) < 0.5
    if dtype[0] in "iu":
        return generator.integers(0, 50, shape).astype(dtype)
    return (generator.random(shape) * 10 + (1j if dtype in "FD" else 0)).astype(dtype)


LOOP = """
def loop(times):
    start = clock()
    for _ in range(times):
        {}
    return clock() - start
"""


def loops(call: Drawn) -> dict[str, Loop]:
    """Return a loop for either library; what cannot be called raises."""
    base = numbers(call.dtype, call.shape)
    given = LAYOUTS[call.layout](base)
    generator = numpy.random.default_rng(1)
    beside = {"m": generator.random(given.shape) < 0.5, "c": generator.random(given.shape[0]) < 0.5,
              "i": generator.integers(0, given.shape[0], given.shape[0]), "s": numpy.sort(generator.random(20) * 10)}
    found: dict[str, Loop] = {}
    for library in (numpy, load("fastnp").module):
        names: dict[str, Any] = {name: library.asarray(value) for name, value in beside.items()}
        names |= {"np": library, "numpy": numpy, "clock": time.perf_counter}
        names["a"] = LAYOUTS[call.layout](library.asarray(base))
        exec(LOOP.format(call.spelling), names)  # the spellings are this file's own
        if names["loop"](1) > LONGEST:
            raise TimeoutError
        found[library.__name__] = names["loop"]
    return found


def roughly(found: dict[str, Loop]) -> float:
    """Return our time over NumPy's as three rounds have it."""
    sizes = {name: batch_size(loop, CAREFUL.seconds) for name, loop in found.items()}
    rounds = [{name: loop(sizes[name]) / sizes[name] for name, loop in found.items()} for _ in range(3)]
    return statistics.median(times["fastnp"] / times["numpy"] for times in rounds)


def measure(
    calls: Iterator[C], loops: Callable[[C], dict[str, Loop]], seconds: float, limit: float
) -> tuple[list[float], dict[str, list[Found]]]:
    """Return all ratios, and those above the limit by spelling."""
    ratios: list[float] = []
    above: dict[str, list[Found]] = defaultdict(list)
    begin = shown = time.perf_counter()
    for call in calls:
        now = time.perf_counter()
        if now - begin > seconds:
            return ratios, above
        if now - shown > 2:
            shown = now
            print(f"\r{now - begin:4.0f} of {seconds:.0f} s, {len(ratios)} calls", end="", file=sys.stderr, flush=True)
        try:
            found = loops(call)
        except NOT_CALLS:
            continue
        over = roughly(found)
        if over > limit:
            samples = interleaved(found, CAREFUL)
            over = ratio(samples["fastnp"], samples["numpy"])
            if over > limit:
                above[call.spelling].append((over, statistics.median(samples["numpy"]), str(call)))
        ratios.append(over)
    return ratios, above


def show(ratios: list[float], above: dict[str, list[Found]], limit: float, what: str) -> None:
    """Print what is above the limit, the worst first, and the mean of all."""
    print(file=sys.stderr)
    for spelling, found in sorted(above.items(), key=lambda item: -max(item[1])[0]):
        worst, each, given = max(found)
        print(f"{worst:6.2f} {spelling:34s} {len(found):3d} above; NumPy {each * 1e6:.2f} us for {given}")
    count = sum(map(len, above.values()))
    print(f"{len(ratios)} calls of {what}: {geometric_mean(ratios):.3f} of NumPy's time, {count} above {limit}")


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", choices=SHAPES, default="few")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rare", action="store_true", help="less common calls in the place of the common ones")
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_DATA, (ROOM, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    calls = drawn(list(RARE) if options.rare else spellings(), options.elements, options.seed)
    ratios, above = measure(calls, loops, options.seconds, options.limit)
    show(ratios, above, options.limit, f"{options.elements} elements")


if __name__ == "__main__":
    main()
