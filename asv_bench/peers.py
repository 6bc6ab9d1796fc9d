"""Time fastnp beside its peers, in one process, one torch thread: `python asv_bench/peers.py`.

Every result is compared with NumPy's before its call is timed. Figures are medians of interleaved rounds, ratios are
medians of the ratios within a round. NumPy is timed twice, and the ratio of it to itself is the noise of the whole.
"""

import argparse
import json
import math
import statistics
import sys
import time
import warnings
from pathlib import Path

import torch
from cases import CASES, COMMONEST, GROUPS, LARGE, OVERHEAD, SIZES, Case
from libraries import NAMES, Library, agree, installed, ready
from report import AGAIN, DOCS, Figure, Refusal, overhead_table, plot, print_tables, write_page
from timing import BATCH, ROUNDS, Effort, clock_for, interleaved, ratio

LONGER = 5
"""How many times as long a batch of calls on many elements lasts: its first call meets what other libraries left in the
caches, and is not to be the only one."""


def measure(case: Case, size: int, libraries: list[Library], effort: Effort) -> tuple[list[Figure], list[Refusal]]:
    """Time one case at one size in all libraries; NumPy must be among them."""
    figures: list[Figure] = []
    refusals: list[Refusal] = []
    numpy = next(library for library in libraries if library.name == "numpy")
    expected = ready(numpy, case, size, effort.clock)
    loops = {"numpy": expected.loop, AGAIN: ready(numpy, case, size, effort.clock).loop}
    for library in libraries:
        if library is numpy or library.spelling(case) is None:
            continue
        try:
            prepared = ready(library, case, size, effort.clock)
        except Exception as error:  # noqa: BLE001 - whatever a library raises is what is reported of it
            refusals.append(
                Refusal(case.name, size, library.name, f"{type(error).__name__}: {str(error).split(chr(10))[0]}")
            )
            continue
        if not agree(case, prepared.result, expected.result):
            refusals.append(Refusal(case.name, size, library.name, "another value than NumPy's"))
            continue
        loops[library.name] = prepared.loop
    samples = interleaved(loops, effort._replace(seconds=effort.seconds * LONGER) if size >= LARGE else effort)
    for name, found in samples.items():
        over_torch = ratio(found, samples["torch"]) if "torch" in samples else math.nan
        over_numpy = ratio(found, samples["numpy"])
        figures.append(
            Figure(case.group, case.name, case.call, size, name, statistics.median(found), over_numpy, over_torch)
        )
    return figures, refusals


def progress(text: str) -> None:
    """Overwrite the line of progress, on a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def measure_all(
    cases: list[Case],
    sizes: list[int],
    libraries: list[Library],
    effort: Effort,
) -> tuple[list[Figure], list[Refusal]]:
    """Time all cases at all sizes they are worth measuring at."""
    work = [(case, size) for case in cases for size in sizes if size <= case.limit]
    figures: list[Figure] = []
    refusals: list[Refusal] = []
    start = time.perf_counter()
    for done, (case, size) in enumerate(work):
        left = (time.perf_counter() - start) / done * (len(work) - done) if done else math.nan
        progress(f"{done + 1} of {len(work)}: {case.group} {case.name} {size}, {left:.0f} s left")
        more, refused = measure(case, size, libraries, effort)
        figures += more
        refusals += refused
    progress("")
    return figures, refusals


def arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="peers.py", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", help="elements, separated by commas", default=",".join(map(str, SIZES)))
    parser.add_argument("--groups", help=f"of {','.join(GROUPS)}", default=",".join(GROUPS))
    parser.add_argument("--cases", help="names of cases, separated by commas", default="")
    parser.add_argument(
        "--lib", help="libraries, separated by commas; NumPy is always among them", default=",".join(NAMES)
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--batch", type=float, default=BATCH, help="seconds a batch of calls lasts at least")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")
    parser.add_argument(
        "--overhead", action="store_true", help="only the ten calls of the overhead list, at three elements"
    )
    parser.add_argument(
        "--slow", action="store_true", help="also list fastnp's calls slower than NumPy or 0.8 of torch"
    )
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    parser.add_argument(
        "--docs", type=Path, help="write performance.md and the plot into this folder", nargs="?", const=DOCS
    )
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Measure what the command line asks for, print the tables, write the page."""
    options = arguments(argv)
    torch.set_num_threads(options.threads)
    warnings.simplefilter("ignore")
    names = [name for name in NAMES if name in {"numpy", *options.lib.split(",")}]
    libraries = installed(tuple(names))

    effort = Effort(clock_for(options.threads), options.rounds, options.batch)
    if options.overhead:
        kept = [library for library in libraries if library.name in {"fastnp", "numpy", "torch"}]
        figures, refusals = measure_all(OVERHEAD, [3], kept, effort._replace(rounds=max(effort.rounds, 31)))
        missed = overhead_table(figures, OVERHEAD)
        for refusal in refusals:
            print(f"not measured: {refusal}")
        return 1 if missed or refusals else 0

    groups = options.groups.split(",")
    chosen = options.cases.split(",") if options.cases else None
    cases = [case for case in CASES if case.group in groups and (chosen is None or case.name in chosen)]
    sizes = [int(float(size)) for size in options.sizes.split(",")]
    start = time.perf_counter()
    figures, refusals = measure_all(cases, sizes, libraries, effort)
    print_tables(figures, refusals, slow=options.slow)
    for size in sizes:
        left_out = [case.name for case in cases if size > case.limit]
        if left_out:
            print(f"\nnot worth measuring at {size}: {', '.join(left_out)}")
    print(f"\n{len(cases)} cases, {time.perf_counter() - start:.0f} s")
    if options.json:
        options.json.write_text(json.dumps([figure._asdict() for figure in figures], indent=0))
    if options.docs and (chosen is not None or set(groups) != set(GROUPS) or len(names) < len(NAMES)):
        print(f"{options.docs / 'performance.md'} is left as it is: this was a selection of groups, cases or libraries")
    elif options.docs:
        options.docs.mkdir(exist_ok=True)
        curves = measure_all(
            [case for case in CASES if case.name in COMMONEST],
            [1, 3, 10, 100, 1000, 10_000, 100_000, 1_000_000],
            [library for library in libraries if library.name != "jax.numpy"],
            effort,
        )[0]
        plot(curves, options.docs / "performance.png")
        write_page(figures, refusals, options.docs / "performance.md", options.threads)
        print(f"written: {options.docs / 'performance.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
