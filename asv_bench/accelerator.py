"""fastnp beside torch, CuPy and JAX on CUDA: `python asv_bench/accelerator.py [--docs]`.

The table of cases of `cases.py`, its operands on the device. A batch of calls is timed until the device has done all of
them: for few elements that is what a call costs the processor, for many what it costs the device. Values are compared
with NumPy's before. Creation and random streams are left out: what they make lies where each library is told to.
"""

import argparse
import datetime
import importlib
import importlib.util
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from cases import CASES, Case
from libraries import Library, agree, load, ready
from timing import geometric_mean

SIZES = (3, 10_000, 1_000_000)
GROUPS_LEFT_OUT = ("construct", "random")
ROUNDS, BATCH = 7, 2e-3
"""Rounds in which every library runs a batch, and the seconds that a batch lasts."""
LONG = 0.5
"""Seconds beyond which a call is measured once (JAX accumulates a maximum by as many steps as there are elements)."""
PAGE = Path(__file__).resolve().parent.parent / "docs/cuda.md"
INTRODUCTION = """# On CUDA

fastnp's time over that of torch, CuPy and JAX for the same call on the same values, on one device, in one run (medians
of interleaved batches, each until the device was done). Below one, fastnp took less. Written by `python
asv_bench/accelerator.py --docs` on {date}: {machine}.
"""


class Accelerated(NamedTuple):
    """A library on the device, and what waits until the device has done all."""

    library: Library
    wait: Callable[[], Any]


def libraries() -> list[Accelerated]:
    """Return those that are installed here."""
    fastnp = load("fastnp").module
    fastnp.set_transfer("allow")  # what a device has no kernel for is measured as it is
    found = [
        Accelerated(Library("fastnp", fastnp, lambda array: fastnp.array(array, device="cuda"), None),
                    torch.cuda.synchronize),
        Accelerated(Library("torch", torch, lambda array: torch.from_numpy(array.copy()).cuda(), None),
                    torch.cuda.synchronize),
    ]
    if importlib.util.find_spec("cupy") is not None:
        cupy = importlib.import_module("cupy")
        found.append(Accelerated(Library("cupy", cupy, cupy.array, None), cupy.cuda.Device().synchronize))
    if importlib.util.find_spec("jax") is not None:
        jax = importlib.import_module("jax")
        jax.config.update("jax_enable_x64", True)
        module = importlib.import_module("jax.numpy")
        mark = module.zeros(())
        # What JAX was asked for before this is done before this.
        found.append(Accelerated(Library("jax.numpy", module, module.array, None),
                                 lambda: jax.block_until_ready(mark + 1)))
    return found


def timed(loop: Callable[[int], float], wait: Callable[[], Any], times: int) -> float:
    """Return the seconds that a call of a batch takes until the device has done all of it."""
    wait()
    start = time.perf_counter()
    loop(times)
    wait()
    return (time.perf_counter() - start) / times


def measured(
    case: Case, size: int, found: list[Accelerated], numpy_: Library
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the seconds of one call by library, and why there are none."""
    want = ready(numpy_, case, size, time.perf_counter).result
    loops, once, refused = {}, {}, {}
    for library, wait in found:
        if library.spelling(case) is None:
            continue
        try:
            made = ready(library, case, size, time.perf_counter)
            if not agree(case, made.result, want):
                refused[library.name] = "another result than NumPy's"
                continue
            spent = timed(made.loop, wait, 1)
            spent = spent if spent > LONG else min(timed(made.loop, wait, 2) for _ in range(2))
            if spent > LONG:
                once[library.name] = spent
            else:
                loops[library.name] = (made.loop, wait, max(1, min(2000, math.ceil(BATCH / spent))))
        except Exception as error:  # noqa: BLE001  a peer's error is its outcome
            refused[library.name] = f"{type(error).__name__}: {error}".partition("\n")[0][:80]
    rounds: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(ROUNDS):
        for name, (loop, wait, times) in loops.items():
            rounds[name].append(timed(loop, wait, times))
    return once | {name: statistics.median(seconds) for name, seconds in rounds.items()}, refused


def ratios(figures: dict[tuple[Case, int], dict[str, float]], peer: str, size: int) -> dict[str, float]:
    """Return fastnp's time over a peer's by case, of one size."""
    return {case.call: seconds["fastnp"] / seconds[peer] for (case, at), seconds in figures.items()
            if at == size and "fastnp" in seconds and peer in seconds}


def page(figures, refusals, names, sizes) -> str:
    """Return the tables: means by group and size, the calls that take longer than a peer's, and what is refused."""
    machine = f"{torch.cuda.get_device_name()}, torch {torch.__version__}"
    lines = [INTRODUCTION.format(date=f"{datetime.date.today():%d %B %Y}", machine=machine)]
    peers = [name for name in names if name != "fastnp"]
    for peer in peers:
        lines += [f"## Over {peer}", "", "| group | " + " | ".join(f"{size:,}" for size in sizes) + " |",
                  "| --- |" + " --- |" * len(sizes)]
        groups = dict.fromkeys(case.group for case, _ in figures)
        for group in (*groups, None):
            of_group = {key: value for key, value in figures.items() if group in (None, key[0].group)}
            means = [geometric_mean(ratios(of_group, peer, size).values()) for size in sizes]
            shown = " | ".join("" if math.isnan(mean) else f"{mean:.2f}" for mean in means)
            lines.append(f"| {group or '**all**'} | {shown} |")
        for size in sizes:
            above = sorted(ratios(figures, peer, size).items(), key=lambda item: -item[1])
            above = [f"`{call}` {ratio:.2f}" for call, ratio in above if ratio > 1.1][:25]
            lines += ["", f"Above 1.1 at {size:,}: {', '.join(above) or 'none'}."]
        lines.append("")
    lines += ["## Not measured", ""]
    for (name, library), (size, reason) in sorted(refusals.items(), key=lambda item: item[0][1]):
        lines.append(f"- {library}: `{name}` at {size:,}: {reason}")
    return "\n".join(lines) + "\n"


def main(argv: list[str]) -> int:
    """Measure and print; with --docs, write them to docs/cuda.md."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--seconds", type=float, default=3600.0, help="stop after so long, with what there is")
    parser.add_argument("--docs", action="store_true")
    options = parser.parse_args(argv)
    if not torch.cuda.is_available():
        print("accelerator.py: no CUDA device here", file=sys.stderr)
        return 1
    numpy_, found = load("numpy"), libraries()
    cases = [case for case in CASES if case.group not in GROUPS_LEFT_OUT]
    sizes = [int(float(size)) for size in options.sizes.split(",")]
    figures, refusals, end = {}, {}, time.monotonic() + options.seconds
    for size in sizes:
        for number, case in enumerate(cases):
            if size > case.limit or time.monotonic() > end:
                continue
            figures[case, size], refused = measured(case, size, found, numpy_)
            refusals |= {(case.call, library): (size, reason) for library, reason in refused.items()}
            print(f"\r{size:,}: {number + 1} of {len(cases)}  ", end="", file=sys.stderr, flush=True)
        # After each size: what is done is not lost where the machine is taken away.
        text = page(figures, refusals, [library.name for library, _ in found], sizes[: sizes.index(size) + 1])
        print(text, flush=True)
        if options.docs:
            PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
