"""The tables, the page and the plot that are made of the figures."""

import datetime
import math
import os
import platform
import statistics
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy
import torch
from cases import GROUPS, Case
from libraries import NAMES
from timing import geometric_mean

matplotlib.use("Agg")
from matplotlib import pyplot

DOCS = Path(__file__).resolve().parent.parent / "docs"
AGAIN = "numpy again"
ALLOWED_OVER_TORCH = 0.8


class Figure(NamedTuple):
    """What was measured of one case at one size in one library."""

    group: str
    name: str
    call: str
    size: int
    library: str
    seconds: float
    ratio: float
    """Time over NumPy's."""
    over_torch: float
    """Time over torch's own call, not a number where torch has none."""


class Refusal(NamedTuple):
    """A case that a library cannot run, or answers otherwise than NumPy."""

    name: str
    size: int
    library: str
    reason: str


def _cell(value: float, width: int = 7) -> str:
    if math.isnan(value):
        return f"{'':>{width}}"
    return f"{value:>{width}.2f}" if value < 10 else f"{value:>{width}.0f}"


def _duration(seconds: float) -> str:
    for unit, scale in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def libraries_of(figures: list[Figure]) -> list[str]:
    """Return the libraries that have figures, NumPy left out, in the order of `NAMES`."""
    present = {figure.library for figure in figures}
    return [name for name in NAMES if name in present and name != "numpy"]


def sizes_of(figures: list[Figure]) -> list[int]:
    """Return the sizes that have figures."""
    return sorted({figure.size for figure in figures})


def mean_over(figures: list[Figure], library: str, size: int, group: str | None = None) -> float:
    """Return the geometric mean of the ratios to NumPy of one library at one size."""
    return geometric_mean(
        f.ratio for f in figures if f.library == library and f.size == size and group in (None, f.group)
    )


def mean_over_torch(figures: list[Figure], size: int) -> float:
    """Return the geometric mean of fastnp's time over torch's own at one size."""
    return geometric_mean(
        f.over_torch for f in figures if f.library == "fastnp" and f.size == size and not math.isnan(f.over_torch)
    )


def noise(figures: list[Figure]) -> tuple[float, float]:
    """Return the ratios, 5 and 95 of a hundred, of NumPy to itself."""
    found = sorted(figure.ratio for figure in figures if figure.library == AGAIN)
    if len(found) < 2:
        return math.nan, math.nan
    cuts = statistics.quantiles(found, n=20, method="inclusive")
    return cuts[0], cuts[-1]


def summary(figures: list[Figure]) -> list[list[str]]:
    """Return the rows of the table by group and size, its head first."""
    columns = [(library, size) for library in libraries_of(figures) for size in sizes_of(figures)]
    rows = [["group", *(f"{library} {size:g}" for library, size in columns)]]
    present = [group for group in GROUPS if any(figure.group == group for figure in figures)]
    for group in [*present, None]:
        means = [mean_over(figures, library, size, group) for library, size in columns]
        rows += [[group or "all", *map(_cell, means)]]
    return rows


def slow_figures(figures: list[Figure]) -> list[Figure]:
    """Return what fastnp does slower than NumPy, or not clearly faster than torch, the worst first."""
    slow = [f for f in figures if f.library == "fastnp" and (f.ratio > 1.0 or f.over_torch > ALLOWED_OVER_TORCH)]
    return sorted(slow, key=lambda f: -max(f.ratio, 0.0 if math.isnan(f.over_torch) else f.over_torch))


def print_tables(figures: list[Figure], refusals: list[Refusal], slow: bool) -> None:
    """Print the geometric means by group and size, the noise, and what could not be measured."""
    print("Time over NumPy's, geometric mean by group and size")
    sizes = sizes_of(figures)
    for library in libraries_of(figures):
        print(f"\n{library:<14}" + "".join(f"{size:>9g}" for size in sizes))
        for group in [*GROUPS, None]:
            means = [mean_over(figures, library, size, group) for size in sizes]
            if not all(map(math.isnan, means)):
                print(f"  {group or 'all':<12}" + "".join(_cell(mean, 9) for mean in means))
        if library == "fastnp":
            print("  over torch  " + "".join(_cell(mean_over_torch(figures, size), 9) for size in sizes))
    low, high = noise(figures)
    print(f"\nnoise, NumPy against itself: {low:.2f} to {high:.2f} (5 to 95 of a hundred)")
    for library in libraries_of(figures):
        count = len({refusal.name for refusal in refusals if refusal.library == library})
        if count:
            print(f"not measured in {library}: {count} cases")
    for refusal in [refusal for refusal in refusals if refusal.library == "fastnp"]:
        print(f"  fastnp {refusal.name} {refusal.size}: {refusal.reason}")
    if slow:
        print("\nfastnp slower than NumPy, or over 0.8 of torch")
        for f in slow_figures(figures):
            print(
                f"  {f.size:>8} {f.group:<10}{f.name:<24}{f.call:<34}{_duration(f.seconds):>9}"
                f"  /numpy{_cell(f.ratio)}  /torch{_cell(f.over_torch)}"
            )


def overhead_table(figures: list[Figure], cases: list[Case]) -> int:
    """Print the overhead list and return how many calls miss it."""
    by_key = {(figure.name, figure.library): figure for figure in figures}
    print(f"{'float64, three elements':<26}{'fastnp':>10}{'numpy':>10}{'torch':>10}{'/torch':>9}{'/numpy':>9}")
    missed = 0
    for case in cases:
        found = [by_key.get((case.name, library)) for library in ("fastnp", "numpy", "torch")]
        times = "".join(f"{_duration(figure.seconds) if figure else '-':>10}" for figure in found)
        first = found[0]
        if first is None:
            print(f"{case.call:<26}{times}")
            missed += 1
            continue
        over = first.over_torch > ALLOWED_OVER_TORCH
        missed += over
        mark = "  OVER 0.8" if over else ""
        print(f"{case.call:<26}{times}{_cell(first.over_torch, 9)}{_cell(first.ratio, 9)}{mark}")
    ours = [figure for figure in figures if figure.library == "fastnp"]
    over_torch, over_numpy = geometric_mean(f.over_torch for f in ours), geometric_mean(f.ratio for f in ours)
    print(f"{'geometric mean':<56}{_cell(over_torch, 9)}{_cell(over_numpy, 9)}")
    return missed


def plot(figures: list[Figure], path: Path) -> None:
    """Draw time over size for the commonest calls, one panel for each call."""
    calls = list(dict.fromkeys(figure.call for figure in figures))
    figure_of_all, panels = pyplot.subplots(
        2, math.ceil(len(calls) / 2), figsize=(3.2 * math.ceil(len(calls) / 2), 6.4), sharex=True, layout="constrained"
    )
    for panel, call in zip(panels.flat, calls):
        for library in [name for name in NAMES if name in {f.library for f in figures}]:
            curve = sorted((f.size, f.seconds) for f in figures if f.call == call and f.library == library)
            panel.loglog(*zip(*curve), marker=".", label=library) if curve else None
        panel.set_title(call, family="monospace", fontsize=9)
        panel.grid(alpha=0.3)
    named = panels.flat[0].get_legend_handles_labels()
    figure_of_all.legend(*named, loc="outside upper center", ncols=len(NAMES), fontsize=9)
    figure_of_all.supxlabel("elements")
    figure_of_all.supylabel("seconds of one call")
    figure_of_all.savefig(path, dpi=110)
    pyplot.close(figure_of_all)


def machine() -> str:
    """Return the kind of processor, how many of it, and the system."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    model = next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
    return f"{model or platform.machine()}, {os.cpu_count()} cores, {platform.system()}"


def versions(threads: int = 1) -> str:
    """Return the date and the versions of what was measured."""
    return (
        f"{datetime.date.today().isoformat()}, torch {torch.__version__} with {threads} "
        f"thread{'s' if threads > 1 else ''}, NumPy {numpy.__version__}, Python {platform.python_version()}"
    )


def markdown(rows: list[list[str]]) -> str:
    """Return a table, its first row the head."""
    head, *body = rows
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += [f"| {' | '.join(cell.strip() for cell in row)} |" for row in body]
    return "\n".join(lines)


def _code(call: str) -> str:
    return "`" + call.replace("|", "\\|") + "`"


def write_page(figures: list[Figure], refusals: list[Refusal], path: Path, threads: int) -> None:
    """Write the page of figures: means by group, the noise, the slow calls, and all cases."""
    sizes = sizes_of(figures)
    low, high = noise(figures)
    ours = {(f.name, f.size): f for f in figures if f.library == "fastnp"}
    theirs = {(f.name, f.size): f for f in figures if f.library == "numpy"}
    groups = {f.name: f.group for f in figures}
    calls = {f.name: f.call for f in figures}
    each = [["call", *(f"{size:g}" for size in sizes), *(f"NumPy {size:g}" for size in sizes)]]
    for group in GROUPS:
        for name in [name for name, its in groups.items() if its == group]:
            found = [ours.get((name, size)) for size in sizes]
            base = [theirs.get((name, size)) for size in sizes]
            each.append(
                [
                    _code(calls[name]),
                    *(_cell(f.ratio) if f else "" for f in found),
                    *(_duration(f.seconds) if f else "" for f in base),
                ]
            )
    slow = [["call", "elements", "fastnp", "over NumPy", "over torch"]]
    slow += [
        [_code(f.call), f"{f.size:g}", _duration(f.seconds), _cell(f.ratio), _cell(f.over_torch)]
        for f in slow_figures(figures)
    ]
    missing = [["library", "cases that it cannot run, or answers otherwise than NumPy"]]
    for library in libraries_of(figures):
        names = sorted({refusal.name for refusal in refusals if refusal.library == library})
        missing += [[library, f"{len(names)}: {', '.join(names)}"]] if names else []
    torch_means = (
        ", ".join(f"{mean_over_torch(figures, size):.2f} at {size:g}" for size in sizes) if ours else "not measured"
    )
    path.write_text(f"""# Performance

Written by `make bench-peers` on {machine()}; {versions(threads)}.

All libraries run in one process and take turns in every round, so that a disturbance meets them all; a figure is the
median of its rounds, a ratio the median of the ratios within a round. Values are compared with NumPy's before a call is
timed. The cost of the loop around the calls is taken off. With one thread the clock counts processor time, so that what
else the machine does is left out. NumPy against itself gave {low:.2f} to {high:.2f} (5 to 95 of
a hundred): that is the noise.

## Time over NumPy's

Geometric mean by group and by number of elements. Below 1 is faster than NumPy.

{markdown(summary(figures))}

fastnp's time over torch's own call of the same meaning, geometric mean: {torch_means}.

![time over size for the commonest calls](performance.png)

## Where fastnp is not clearly faster

Calls that take longer than NumPy's, or more than {ALLOWED_OVER_TORCH} of torch's own, the worst first.

{markdown(slow) if len(slow) > 1 else "None."}

## Not measured

{markdown(missing) if len(missing) > 1 else "All cases ran in all libraries, with NumPy's values."}

## Every call

fastnp's time over NumPy's, and NumPy's own time, by number of elements.

{markdown(each)}
""")
