"""Hold fastnp against its limits, each of them a row of one table: `python asv_bench/limits.py`, `make bench-limits`.

Every case of `cases.py` runs beside NumPy and torch; a case that lies above a limit runs again, alone with the others
above it, in new processes, and the median of these decides: where operands happen to lie in memory moves a single
process's ratio by a tenth. The exit status is the number of limits that are not kept.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from cases import GROUPS, LARGE, LARGEST, MIDDLE, SMALL
from general_path import ALLOWED, ELSEWHERE, IN_300_NS
from report import AGAIN, DOCS, Figure, machine, markdown, mean_over, mean_over_torch, versions
from timing import geometric_mean

HERE = Path(__file__).resolve().parent
PROCESSES = 7
"""New processes in which a case above a limit runs again."""
MEANS = {3: 0.45, SMALL: 0.45, MIDDLE: 0.75, LARGE: 0.8, LARGEST: 0.8}
"""Number of elements, and what the geometric mean over NumPy may be."""
CASE = {3: 1.3, SMALL: 1.3, MIDDLE: 1.1, LARGE: 1.05, LARGEST: 1.05}
"""What a single case over NumPy may be."""
GROUP = 1.0
HARD = ("set_integer", "asarray", "get_integer", "get_pair", "transpose_attribute", "slice", "zeros", "argmax")
"""Calls for which NumPy takes less than 140 ns, at 3 and 100 elements, and what each may be."""
HARD_CASE = 1.2
MEAN_OVER_TORCH = 0.2
OVER_TORCH = 1.0
THREADED = 0.6
PROGRAM, PROGRAMS = 1.0, 0.7
KEPT = 0.6
IMPORT = 60.0
"""Milliseconds that fastnp adds to the import of torch."""


class Settled(NamedTuple):
    """A case that was above a limit and ran again: the medians of all runs, and the runs."""

    figure: Figure
    runs: list[Figure]


class Row(NamedTuple):
    """One limit: what it is of, what is allowed, what was found, and whether it is kept."""

    what: str
    allowed: str
    found: str
    kept: bool


def run(script: str, *arguments: str, status: bool = True) -> str:
    """Run a script of this folder in a process of its own and return what it printed."""
    command = [sys.executable, str(HERE / script), *arguments]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # the clock counts every thread of the process
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, env=one_thread)
    if status and done.returncode:
        raise SystemExit(f"limits: {script} {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def figures_of(size: int, cases: list[str] | None = None, threads: int = 1, rounds: int = 15) -> list[Figure]:
    """Return what `peers.py` measures at one size, in a new process."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        selected = ["--cases", ",".join(cases)] if cases is not None else []
        run("peers.py", "--sizes", str(size), "--lib", "fastnp,torch", "--threads", str(threads), "--rounds",
            str(rounds), "--json", file.name, *selected)  # fmt: skip
        return [Figure(**row) for row in json.loads(Path(file.name).read_text())]


def ours(figures: list[Figure]) -> list[Figure]:
    """Return fastnp's figures."""
    return [figure for figure in figures if figure.library == "fastnp"]


def settled(figures: list[Figure], size: int, above: Callable[[Figure], bool]) -> tuple[list[Settled], list[float]]:
    """Return the cases above a limit, measured again in new processes, and NumPy's own ratios there."""
    names = [figure.name for figure in ours(figures) if above(figure)]
    if not names:
        return [], []
    again = [figures_of(size, names) for _ in range(PROCESSES)]
    noise = [figure.ratio for each in again for figure in each if figure.library == AGAIN]
    found = []
    for figure in ours(figures):
        if figure.name in names:
            runs = [each for process in again for each in ours(process) if each.name == figure.name]
            over_torch = statistics.median(each.over_torch for each in runs)
            ratio = statistics.median(each.ratio for each in runs)
            found.append(Settled(figure._replace(ratio=ratio, over_torch=over_torch), runs))
    return found, noise


def worst(cases: list[Settled], key: Callable[[Figure], float]) -> str:
    """Return the largest figures, with their calls and what the single processes found."""
    shown = []
    for figure, runs in sorted(cases, key=lambda case: key(case.figure), reverse=True)[:12]:
        found = [key(run) for run in runs]
        shown.append(f"`{figure.call}` {key(figure):.2f} ({min(found):.2f} to {max(found):.2f})")
    return ", ".join(shown)


def at_most(what: str, allowed: float, found: float, form: str = ".2f") -> Row:
    """Return the row of one figure."""
    return Row(what, f"{allowed:g}", f"{found:{form}}", found <= allowed)


def each_at_most(what: str, allowed: float, cases: list[Settled], key: Callable[[Figure], float]) -> Row:
    """Return the row of a limit that every case must keep, and what lies above it."""
    above = [case for case in cases if key(case.figure) > allowed]
    found = f"{len(above)} above: {worst(above, key)}" if above else "none above"
    return Row(what, f"{allowed:g}", found, not above)


def over_numpy(figure: Figure) -> float:
    """Return a figure's time over NumPy's."""
    return figure.ratio


def over_torch(figure: Figure) -> float:
    """Return a figure's time over torch's, 0 where torch has no such call."""
    return 0.0 if math.isnan(figure.over_torch) else figure.over_torch


def calls(size: int) -> Iterator[Row]:
    """Measure every case at one size and hold means, groups and cases against their limits."""
    figures = figures_of(size)
    name = f"{size:,} elements"
    hard = HARD if size <= SMALL else ()
    yield at_most(f"{name}: geometric mean over NumPy", MEANS[size], mean_over(figures, "fastnp", size))
    if size <= SMALL:
        means = {group: mean_over(figures, "fastnp", size, group) for group in GROUPS}
        largest = max((group for group in GROUPS if not math.isnan(means[group])), key=means.__getitem__)
        yield at_most(f"{name}: largest mean of a group ({largest}) over NumPy", GROUP, means[largest])
    if size == 3:
        yield at_most(f"{name}: geometric mean over torch", MEAN_OVER_TORCH, mean_over_torch(figures, size))

    def above(figure: Figure) -> bool:
        allowed = HARD_CASE if figure.name in hard else CASE[size]
        return figure.ratio > allowed or over_torch(figure) > OVER_TORCH

    again, noise = settled(figures, size, above)
    if hard:
        yield each_at_most(f"{name}: calls hard to beat, over NumPy", HARD_CASE,
                           [case for case in again if case.figure.name in hard], over_numpy)  # fmt: skip
    # Where both call one kernel, half of the cases lie above 1 by chance, by no more than NumPy against itself.
    of_noise = f"; NumPy against itself there {min(noise):.2f} to {max(noise):.2f}" if noise else ""
    for row in (
        each_at_most(f"{name}: every case over NumPy", CASE[size], again, over_numpy),
        each_at_most(f"{name}: every case over torch", OVER_TORCH, again, over_torch),
    ):
        yield row if row.kept else row._replace(found=row.found + of_noise)


def two_threads() -> Iterator[Row]:
    """Hold the mean of elementwise calls with two threads against NumPy's time."""
    for size in (LARGE, LARGEST):
        found = mean_over(figures_of(size, threads=2), "fastnp", size)
        yield at_most(f"{size:,} elements, two threads: geometric mean over NumPy", THREADED, found)


def programs() -> Iterator[Row]:
    """Hold ten programs of small slices and elements against NumPy's time."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run("run_programs.py", "--json", file.name)
        ratios = json.loads(Path(file.name).read_text())["fastnp"]
    largest = max(ratios, key=ratios.__getitem__)
    yield at_most(f"{len(ratios)} programs: the slowest ({largest}) over NumPy", PROGRAM, ratios[largest])
    yield at_most(f"{len(ratios)} programs: geometric mean over NumPy", PROGRAMS, geometric_mean(ratios.values()))


KEPT_ALIVE = """
import statistics, time, numpy, fastnp
def loop(np, clock=time.perf_counter):
    a, b = np.ones(3), np.ones(3)
    start = clock()
    for _ in range(40):
        [a + b for _ in range(200)]
    return clock() - start
loop(fastnp), loop(numpy)
print(statistics.median(loop(fastnp) / loop(numpy) for _ in range(101)))
"""
IMPORTED = """
import time
start = time.perf_counter()
import torch
middle = time.perf_counter()
import fastnp
print(1000 * (time.perf_counter() - middle), 1000 * (middle - start), torch.cuda.is_initialized())
"""


def in_process(source: str) -> list[str]:
    """Return the words that a program prints; modules are kept compiled, as they are where a package is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.check_output([sys.executable, "-c", source], text=True, cwd=HERE.parent, env=environment).split()


def kept_alive() -> Iterator[Row]:
    """Hold a list of results, all alive, against NumPy's."""
    found = statistics.median(float(in_process(KEPT_ALIVE)[0]) for _ in range(PROCESSES))
    yield at_most("`[a + b for _ in range(200)]` over NumPy", KEPT, found)


def imports() -> Iterator[Row]:
    """Hold the import against its milliseconds; CUDA is to stay as it is."""
    _, *found = [in_process(IMPORTED) for _ in range(PROCESSES + 1)]
    ours, torchs = (statistics.median(float(times[place]) for times in found) for place in (0, 1))
    yield at_most(f"`import fastnp` after `import torch`, which takes {torchs:.0f} ms", IMPORT, ours, ".0f")
    initialised = sum(cuda != "False" for *_, cuda in found)
    yield Row("CUDA initialised by the import", "never", "never" if not initialised else "yes", not initialised)


def beyond_torch(*arguments: str) -> list[dict]:
    """Return what `general_path.py` finds, in a new process."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run("general_path.py", "--json", file.name, *arguments, status=False)
        return json.loads(Path(file.name).read_text())


def general_path() -> Iterator[Row]:
    """Hold calls that are not plain against the same calls of torch, by the clock and by instructions."""
    found = beyond_torch()
    named = [[row["situation"], row["call"]] for row in found if row["over"] > ALLOWED]
    again = [beyond_torch("--only", json.dumps(named)) for _ in range(PROCESSES if named else 0)]
    runs = [list(rows) for rows in zip(*again, strict=True)]
    for what, is_elsewhere in (("general path", False), ("general path on another device", True)):
        of_row = [row for row in found if (row["situation"] in ELSEWHERE) == is_elsewhere]
        again = [same for same in runs if (same[0]["situation"] in ELSEWHERE) == is_elsewhere]
        yield of_general_path(f"{what}: every call over torch's, ns", ALLOWED, of_row, again)
    if shutil.which("valgrind") is not None:
        found = beyond_torch("--instructions")
        runs = [[row] for row in found if row["over"] > IN_300_NS]
        yield of_general_path("general path: every call over torch's, instructions", IN_300_NS, found, runs)


def of_general_path(what: str, allowed: float, found: list[dict], again: list[list[dict]]) -> Row:
    """Return the row of calls that are not plain; of those that ran again, the medians decide."""
    median = statistics.median(row["over"] for row in found)
    shown, longest = [], []
    for runs in again:
        over = [row["over"] for row in runs]
        longest.append(statistics.median(over))
        torchs = statistics.median(row["torchs"] for row in runs)
        shown.append(f"{runs[0]['situation']} `{runs[0]['call']}` {longest[-1]:.0f} "
                     f"({min(over):.0f} to {max(over):.0f}) beyond {torchs:.0f}")
    above = sum(longer > allowed for longer in longest)
    text = f"median {median:.0f}; {above} of {len(found)} above"
    return Row(what, f"{allowed:g}", "; ".join([text, *shown]), not above)


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    **{f"{size:g}": lambda size=size: calls(size) for size in MEANS},
    "threads": two_threads,
    "programs": programs,
    "kept": kept_alive,
    "import": imports,
    "general": general_path,
}


def main(argv: list[str]) -> int:
    """Measure the parts that the command line names, print a row for each limit, and write the page of all."""
    parser = argparse.ArgumentParser(prog="limits.py", description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {','.join(PARTS)}; numbers are elements")
    parser.add_argument("--docs", action="store_true", help="write docs/limits.md of the parts that are measured")
    options = parser.parse_args(argv)
    parts = options.parts.split(",")
    found: dict[str, list[Row]] = {}
    start = time.perf_counter()
    for part in parts:
        print(f"[{part}]", flush=True)
        found[part] = []
        for row in PARTS[part]():
            found[part].append(row)
            print(f"  {'kept ' if row.kept else 'ABOVE'} {row.what}: {row.found} (at most {row.allowed})", flush=True)
        if options.docs:  # part by part: a run that is stopped leaves what it measured
            (DOCS / "limits.md").write_text(page(found))
    rows = [row for each in found.values() for row in each]
    missed = sum(not row.kept for row in rows)
    print(f"{len(rows) - missed} of {len(rows)} limits kept, {time.perf_counter() - start:.0f} s")
    if options.docs:
        print(f"written: {DOCS / 'limits.md'}")
    return missed


def page(found: dict[str, list[Row]]) -> str:
    """Return the page of all limits that were measured, in the order of the parts; it names those that were not."""
    left_out = [part for part in PARTS if part not in found]
    table = [["limit", "at most", "found", "kept"]]
    table += [[row.what, row.allowed, row.found.replace("|", "\\|"), "yes" if row.kept else "**no**"]
              for part in PARTS for row in found.get(part, [])]
    not_measured = f" Not measured in this run: {', '.join(left_out)}." if left_out else ""
    return f"""# Limits

Written by `make bench-limits`: {machine()}; {versions()}.

Ratios to NumPy and to torch are medians of interleaved rounds in one process. Every case above a limit ran again in
{PROCESSES} new processes, and the median of these stands here, with the least and the most that one of them
found.{not_measured}

{markdown(table)}
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
