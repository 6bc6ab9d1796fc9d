"""Calls that nobody chose, beside NumPy's: `python asv_bench/drawn_calls.py`, `make bench-drawn`.

Spellings of calls, dtypes, shapes and layouts are drawn at random and timed in turns, for as long as `--seconds` says.
What takes more than `--limit` of NumPy's time is measured again with more rounds and printed by spelling, the worst
first. The tables of the other tools hold what is common; what this finds is what they leave out.
"""

import argparse
import random
import statistics
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy
import torch
from libraries import load
from timing import Effort, Loop, batch_size, geometric_mean, interleaved, ratio

CAREFUL = Effort(time.perf_counter, 9, 1.0e-3)
LONGEST = 0.1
"""Seconds of NumPy's that a call takes at most."""

SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "few": ((3,), (100,), (3, 4), (10, 10), (4, 3, 5)),
    "thousands": ((10_000,), (100, 100), (20, 20, 25), (400, 25)),
    "million": ((1_000_000,), (1000, 1000), (100, 100, 100)),
}
DTYPES = ("?", "i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", "F", "D")
LAYOUTS = {
    "in order": lambda a: a, "turned": lambda a: a.T, "every second": lambda a: a[..., ::2],
    "backwards": lambda a: a[::-1], "every second row": lambda a: a[::2],
}

# `a` is the operand; `m` a mask and `i` indices of its first axis, `c` truths along that, `s` twenty sorted numbers.
REDUCTIONS = """sum prod mean std var min max ptp argmin argmax any all median count_nonzero nansum nanmean nanmax
    nanstd average"""
ALONG = "cumsum cumprod sort argsort flip diff nancumsum"
UNARY = """negative absolute sign square sqrt exp log log2 log10 log1p expm1 sin cos tan arctan sinh tanh floor ceil
    trunc rint reciprocal cbrt deg2rad signbit isinf isnan isfinite logical_not invert conjugate positive exp2 frexp
    modf"""
BINARY = """maximum minimum fmax fmin arctan2 hypot copysign fmod logaddexp nextafter gcd lcm logical_and left_shift
    float_power divmod heaviside ldexp"""
OPERATORS = "+ - * / // % ** < == & | ^ <<"
OTHERS = (
    "a.sum(axis=0, keepdims=True)", "a.sum(dtype='f8')", "np.sort(a, kind='stable')", "np.argsort(a, kind='stable')",
    "np.partition(a, 1)", "np.argpartition(a, 1)", "np.percentile(a, 30)", "np.quantile(a, [.1, .5], axis=0)",
    "np.unique(a)", "np.unique(a, return_counts=True)", "np.unique(a, return_inverse=True)", "np.roll(a, 1)",
    "np.roll(a, 1, 0)", "np.rot90(a)", "np.repeat(a, 2)", "np.repeat(a, 2, 0)", "np.tile(a, 2)",
    "np.concatenate((a, a))", "np.concatenate((a, a), -1)", "np.stack((a, a))", "np.stack((a, a), -1)",
    "np.hstack((a, a))", "np.vstack((a, a))", "np.dstack((a, a))", "np.array_split(a, 3)", "np.append(a, a)",
    "np.insert(a, 1, 0)", "np.delete(a, 1)", "np.where(m, a, a)", "np.where(m, a, 0)", "np.where(m)", "np.nonzero(a)",
    "np.argwhere(m)", "np.flatnonzero(a)", "a[m]", "np.extract(m, a)", "np.compress(c, a, 0)", "np.take(a, i, 0)",
    "a.take(i)", "a[i]", "np.take_along_axis(a, np.argsort(a, 0), 0)", "np.clip(a, 1, 3)", "np.round(a, 1)",
    "np.trace(a)", "np.tril(a)", "np.diag(a)", "np.diagonal(a)", "np.pad(a, 1)", "np.pad(a, 1, mode='edge')",
    "np.gradient(a)", "np.trapezoid(a)", "np.isin(a, [1, 2])", "np.histogram(a)", "np.digitize(a, [1, 2, 3])",
    "np.searchsorted(s, a)", "np.interp(a, s, s)", "np.inner(a, a)", "np.vdot(a, a)", "np.tensordot(a, a)",
    "np.einsum('i...->...', a)", "np.einsum('...i,...i', a, a)", "np.einsum('i...,i...', a, a)",
    "np.einsum('ij->ji', a)", "np.convolve(a, a[:3])", "np.nan_to_num(a)", "np.isclose(a, a)", "np.array_equal(a, a)",
    "a.copy()", "a.copy('F')", "a.copy('K')", "np.ascontiguousarray(a)", "np.asfortranarray(a)", "a.ravel()",
    "a.ravel('F')", "a.ravel('K')", "a.flatten()", "a.reshape(-1)", "np.zeros_like(a)", "np.ones_like(a)",
    "np.full_like(a, 2)", "np.empty_like(a)", "np.moveaxis(a, 0, -1)", "np.rollaxis(a, -1)", "np.swapaxes(a, 0, -1)",
    "np.expand_dims(a, 0)", "np.squeeze(a)", "np.broadcast_to(a, (2, *a.shape))", "np.angle(a)", "np.real(a)",
    "np.imag(a)", "np.fft.fft(a)", "np.linalg.norm(a)", "np.linalg.norm(a, axis=0)", "a.tolist()", "a.tobytes()",
    "np.lexsort((a, a))", "np.setdiff1d(a, a[:1])", "np.choose(m.astype(int), (a, a))", "np.nanmedian(a)",
    "np.polyval([1, 2, 3], a)", "np.packbits(m)", "np.cross(a[..., :3], a[..., :3])",
    "np.copyto(a.copy(), 1, where=m)", "np.putmask(a.copy(), m, 1)", "np.put(a.copy(), i, 1)",
    "np.average(a, weights=a, axis=0)", "np.add.reduceat(a, [0, 1])", "np.add.at(a.copy(), i, 1)",
    "np.maximum.accumulate(a, -1)", "np.bitwise_and.reduce(a)",
)


def spellings() -> list[str]:
    """Return every call that may be drawn."""
    calls = [f"np.{name}(a{along})" for name in REDUCTIONS.split() for along in ("", ", axis=0", ", axis=-1")]
    calls += [f"np.{name}(a, axis={axis})" for name in ALONG.split() for axis in (0, -1)]
    calls += [f"np.{name}(a)" for name in UNARY.split()] + [f"np.{name}(a, a)" for name in BINARY.split()]
    calls += [call.format(sign) for sign in OPERATORS.split() for call in ("a {} a", "a {} 2", "2 {} a", "a {} a[:1]")]
    return [*calls, *(f"a.astype('{dtype}')" for dtype in DTYPES), *OTHERS]


class Drawn(NamedTuple):
    """One call."""

    spelling: str
    shape: tuple[int, ...]
    dtype: str
    layout: str


Found = tuple[float, float, Drawn]
"""Our time over NumPy's, NumPy's in seconds, and the call."""


def drawn(elements: str, seed: int) -> Iterator[Drawn]:
    """Yield calls for ever."""
    generator, calls = random.Random(seed), spellings()
    while True:
        yield Drawn(generator.choice(calls), generator.choice(SHAPES[elements]), generator.choice(DTYPES),
                    generator.choice(list(LAYOUTS)))


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
        names |= {"np": library, "a": LAYOUTS[call.layout](library.asarray(base)), "clock": time.perf_counter}
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


def measure(elements: str, seed: int, seconds: float, limit: float) -> tuple[list[float], dict[str, list[Found]]]:
    """Return all ratios, and those above the limit by spelling."""
    ratios: list[float] = []
    above: dict[str, list[Found]] = defaultdict(list)
    begin = shown = time.perf_counter()
    for call in drawn(elements, seed):
        now = time.perf_counter()
        if now - begin > seconds:
            return ratios, above
        if now - shown > 2:
            shown = now
            print(f"\r{now - begin:4.0f} of {seconds:.0f} s, {len(ratios)} calls", end="", file=sys.stderr, flush=True)
        try:
            found = loops(call)
        except (ArithmeticError, IndexError, MemoryError, TimeoutError, TypeError, ValueError):
            continue  # a spelling that this dtype or shape does not have, or that takes too long
        over = roughly(found)
        if over > limit:
            samples = interleaved(found, CAREFUL)
            over = ratio(samples["fastnp"], samples["numpy"])
            if over > limit:
                above[call.spelling].append((over, statistics.median(samples["numpy"]), call))
        ratios.append(over)
    return ratios, above


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", choices=SHAPES, default="few")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    ratios, above = measure(options.elements, options.seed, options.seconds, options.limit)
    print(file=sys.stderr)
    for spelling, found in sorted(above.items(), key=lambda item: -max(item[1])[0]):
        worst, each, call = max(found)
        print(f"{worst:6.2f} {spelling:34s} {len(found):3d} above; NumPy {each * 1e6:.2f} us for "
              f"{call.shape} {call.dtype}, {call.layout}")
    count = sum(map(len, above.values()))
    print(f"{len(ratios)} calls of {options.elements} elements: {geometric_mean(ratios):.3f} of NumPy's time, "
          f"{count} above {options.limit}")


if __name__ == "__main__":
    main()
