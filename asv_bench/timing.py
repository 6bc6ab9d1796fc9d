"""Interleaved timing: in every round every library runs a batch, so that all meet the same disturbances."""

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

Loop = Callable[[int], float]
Clock = Callable[[], float]

ROUNDS = 15
BATCH = 1.0e-3
"""Seconds that a batch of calls lasts: far above the clock's resolution, well below a scheduler's time slice."""
PAIRED = 2.0e-5
"""Seconds that a batch lasts at least where two loops take turns one by one."""


def clock_for(threads: int) -> Clock:
    """Return the clock for a number of threads.

    With one thread it is the processor time of the process, which is the time that passes on an idle machine and does
    not grow when others use the machine; with several it can only be the time that passes.
    """
    return time.process_time if threads == 1 else time.perf_counter


def empty_loop(clock: Clock) -> Loop:
    """Return a loop around nothing."""

    def loop(times: int) -> float:
        start = clock()
        for _ in range(times):
            pass
        return clock() - start

    return loop


def batch_size(loop: Loop, seconds: float) -> int:
    """Return how many calls fill a batch; the search is the warm-up as well.

    Every number of calls is made twice: what the first call of all sets up is no measure of those that follow, and
    batches of a few calls measure the clock and cold caches.
    """
    times = 1
    while True:
        spent = min(loop(times), loop(times))
        if spent >= seconds / 4 and spent > 0.0:
            return max(1, math.ceil(times * seconds / spent))
        times *= 4


class Effort(NamedTuple):
    """How long to measure, and by which clock."""

    clock: Clock = time.process_time
    rounds: int = ROUNDS
    seconds: float = BATCH


def interleaved(loops: dict[str, Loop], effort: Effort) -> dict[str, list[float]]:
    """Return for each loop the seconds of one call, round by round, the cost of the loop itself taken off."""
    loops = {**loops, "": empty_loop(effort.clock)}
    sizes = {name: batch_size(loop, effort.seconds) for name, loop in loops.items()}
    samples: dict[str, list[float]] = {name: [] for name in loops}
    order = list(loops)
    shuffle = random.Random(effort.rounds).shuffle
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for _ in range(effort.rounds):
            shuffle(order)
            for name in order:
                samples[name].append(loops[name](sizes[name]) / sizes[name])
    finally:
        if collecting:
            gc.enable()
    empty = statistics.median(samples.pop(""))
    return {name: [max(sample - empty, 1e-10) for sample in found] for name, found in samples.items()}


def differences(loop: Loop, other: Loop, seconds: float) -> list[float]:
    """Return what one call of a loop takes beyond one of another, in seconds, from pairs of batches side by side.

    Batches of `PAIRED` seconds in turns, for as long as is said: many short pairs tell a difference of hundreds of
    nanoseconds between calls of hundreds of microseconds, which a few long batches do not. The loops are to use a clock
    that is cheap to ask.
    """
    times = batch_size(loop, PAIRED)
    found: list[float] = []
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or len(found) < ROUNDS:
            before, meanwhile, after = loop(times), other(times), loop(times)
            found.append(((before + after) / 2 - meanwhile) / times)
            before, meanwhile, after = other(times), loop(times), other(times)
            found.append((meanwhile - (before + after) / 2) / times)
    finally:
        if collecting:
            gc.enable()
    return found


def uncertainty(samples: list[float]) -> float:
    """Return the standard error of the median of samples."""
    low, _, high = statistics.quantiles(samples, n=4)
    return 1.2533 * (high - low) / 1.349 / math.sqrt(len(samples))


def ratio(samples: list[float], base: list[float]) -> float:
    """Return the median over the rounds of one loop's time over another's."""
    return statistics.median(ours / theirs for ours, theirs in zip(samples, base, strict=True))


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers; not a number where there are none."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan
