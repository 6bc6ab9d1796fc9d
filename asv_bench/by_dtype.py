"""The calls of the table with operands of other dtypes, beside NumPy and torch: `python asv_bench/by_dtype.py`.

Every case that reads a vector or a matrix of float64, int64 or bool runs with those of each other dtype. What NumPy
cannot do with a dtype is left out, torch's time where torch has another value or dtype than NumPy. What lies above a
limit is measured again in new processes, and the median of these is said. What fastnp refuses or answers otherwise than
NumPy is printed, and the command fails; with `--check` that is all it looks for.
"""

import argparse
import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import torch
from cases import CASES, LARGE, MIDDLE, Case
from libraries import GENERAL, agree, identifiers, load, ready
from peers import measure, progress
from report import DOCS, Figure, machine, markdown, versions
from timing import BATCH, Effort, clock_for, geometric_mean

DTYPES = ("float64", "float32", "float16", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint8",
          "bool")
OVER_NUMPY, OVER_TORCH = 1.05, 1.0
PROCESSES = 5
"""New processes in which a call above a limit runs again."""
OPEN = frozenset(("argsort",))
"""Calls whose answer NumPy leaves open where elements are equal, as few numbers of a dtype often are."""


class Found(NamedTuple):
    """One call with operands of one dtype."""

    dtype: str
    figure: Figure

    def above(self) -> bool:
        """Return whether the call lies above a limit; torch's time is not a number where torch has no such call."""
        return self.figure.ratio > OVER_NUMPY or self.figure.over_torch > OVER_TORCH


def of_dtypes(dtypes: list[str]) -> list[Case]:
    """Return the cases of the table for each dtype, calls that only differ in their operands' names once."""
    found = []
    for dtype in dtypes:
        seen = set()
        for case in CASES:
            names = identifiers(case.call)
            # torch gives back an array that is of the dtype already, without a copy.
            is_same = case.name.startswith("astype") and dtype in case.call
            if not names & GENERAL or case.compare == "shape" or is_same:
                continue
            call = case.call
            if not names & {"a", "b"}:
                call = re.sub(r"\b[im]\b", "a", re.sub(r"\b[jp]\b", "b", call))
            if call not in seen:
                seen.add(call)
                found.append(case._replace(dtype=dtype, compare="shape" if case.name in OPEN else case.compare))
    return found


def answer(library: str, case: Case, size: int) -> Any:
    """Return what a call gives, or the exception that it raises."""
    try:
        return ready(load(library), case, size).result
    except (ArithmeticError, IndexError, TypeError, ValueError) as error:
        return error


def difference(case: Case, size: int) -> str:
    """Return how fastnp's answer differs from NumPy's; nothing where it does not, or NumPy raises as well."""
    ours, theirs = answer("fastnp", case, size), answer("numpy", case, size)
    if isinstance(ours, Exception) and not isinstance(theirs, Exception):
        return f"{type(ours).__name__}: {ours}"
    if isinstance(theirs, Exception):
        return "" if isinstance(ours, type(theirs)) else f"NumPy raises {type(theirs).__name__}: {theirs}"
    return "" if agree(case, ours, theirs) else "another value than NumPy's"


def figure_of(case: Case, size: int, rounds: int) -> Figure | None:
    """Return fastnp's figure, None where NumPy refuses."""
    if isinstance(answer("numpy", case, size), Exception):
        return None
    libraries = [load(name) for name in ("fastnp", "numpy", "torch")]
    figures, _ = measure(case, size, libraries, Effort(clock_for(1), rounds, BATCH))
    return next((figure for figure in figures if figure.library == "fastnp"), None)


def measure_all(cases: list[Case], size: int, rounds: int) -> list[Found]:
    """Measure the cases at one size, once."""
    found = []
    start = time.perf_counter()
    for done, case in enumerate(cases):
        left = (time.perf_counter() - start) / done * (len(cases) - done) if done else math.nan
        progress(f"{done + 1} of {len(cases)}: {case.name} {case.dtype} {size}, {left:.0f} s left")
        figure = figure_of(case, size, rounds)
        if figure is not None:
            found.append(Found(case.dtype, figure))
    progress("")
    return found


def settled(found: list[Found]) -> list[Found]:
    """Return what was found, the medians of new processes in the place of what lay above a limit."""
    above = [each for each in found if each.above()]
    runs: list[list[list[float]]] = []
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([[each.figure.name, each.dtype, each.figure.size] for each in above], file)
        file.flush()
        for done in range(PROCESSES if above else 0):
            progress(f"{len(above)} calls above a limit again, process {done + 1} of {PROCESSES}")
            command = [sys.executable, __file__, "--again", file.name]
            runs.append(json.loads(subprocess.check_output(command, text=True)))
    progress("")
    medians = {}
    for each, ratios in zip(above, zip(*runs, strict=True), strict=True):
        over_numpy, over_torch = (statistics.median(values) for values in zip(*ratios, strict=True))
        medians[each] = Found(each.dtype, each.figure._replace(ratio=over_numpy, over_torch=over_torch))
    return [medians.get(each, each) for each in found]


def again(file: str, rounds: int) -> list[list[float]]:
    """Return the ratios of the calls that a file names."""
    cases = {(case.name, case.dtype): case for case in of_dtypes(list(DTYPES))}
    found = []
    for name, dtype, size in json.loads(Path(file).read_text()):
        figure = figure_of(cases[name, dtype], size, rounds)
        found.append([figure.ratio, figure.over_torch])
    return found


def line(found: Found) -> str:
    """Return what is printed of one call."""
    figure = found.figure
    return (f"  {figure.size:>8} {found.dtype:<11}{figure.call:<40} /numpy {figure.ratio:5.2f}  "
            f"/torch {figure.over_torch:5.2f}  {figure.seconds * 1e6:10.2f} us")


def summary(found: list[Found]) -> list[list[str]]:
    """Return the table of means by dtype and size, its head first."""
    sizes = sorted({each.figure.size for each in found})
    rows = [["dtype", "calls", *(f"{size:,}, over {peer}" for size in sizes for peer in ("NumPy", "torch"))]]
    for dtype in dict.fromkeys(each.dtype for each in found):
        of_dtype = [each.figure for each in found if each.dtype == dtype]
        means = []
        for size in sizes:
            figures = [figure for figure in of_dtype if figure.size == size]
            means += [geometric_mean(figure.ratio for figure in figures)]
            means += [geometric_mean(figure.over_torch for figure in figures if not math.isnan(figure.over_torch))]
        rows.append([dtype, str(len({figure.name for figure in of_dtype})), *(f"{mean:.2f}" for mean in means)])
    return rows


def page(found: list[Found]) -> str:
    """Return the page: means, and every call above a limit."""
    above = sorted((each for each in found if each.above()), key=lambda each: (each.figure.size, each.dtype))
    table = [["elements", "dtype", "call", "over NumPy", "over torch"]]
    for dtype, figure in above:
        over_torch = "" if math.isnan(figure.over_torch) else f"{figure.over_torch:.2f}"
        call = figure.call.replace("|", "\\|")
        table.append([f"{figure.size:,}", dtype, f"`{call}`", f"{figure.ratio:.2f}", over_torch])
    return f"""# Dtypes

Written by `make bench-dtypes`: {machine()}; {versions()}.

The calls of the [table of peers](performance.md) with operands of other dtypes: times over NumPy's and torch's, medians
of interleaved rounds in one process, one thread. What lay above a limit ran again in {PROCESSES} new processes, and
their median stands here.

{markdown(summary(found))}

{len(above)} of {len(found)} calls lie above {OVER_NUMPY:g} of NumPy's time or {OVER_TORCH:g} of torch's:

{markdown(table)}
"""


def main(argv: list[str]) -> int:
    """Measure what the command line asks for, print what lies above a limit, write the page."""
    parser = argparse.ArgumentParser(prog="by_dtype.py", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=f"{MIDDLE},{LARGE}", help="elements, separated by commas")
    parser.add_argument("--dtypes", default=",".join(DTYPES))
    parser.add_argument("--cases", default="", help="names of cases, separated by commas")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--again", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="only compare values, dtypes and exceptions with NumPy's")
    parser.add_argument("--docs", action="store_true", help="write docs/dtypes.md")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if options.again:
        print(json.dumps(again(options.again, 2 * options.rounds)))
        return 0
    chosen = options.cases.split(",") if options.cases else None
    cases = [case for case in of_dtypes(options.dtypes.split(",")) if chosen is None or case.name in chosen]
    found: list[Found] = []
    differ = 0
    sizes = [int(float(size)) for size in options.sizes.split(",")]
    for size in sizes:
        for case in cases:
            if size <= case.limit and (text := difference(case, size)):
                differ += 1
                print(f"  {size:>8} {case.dtype:<11}{case.call:<40} {text}", flush=True)
    if options.check:
        print(f"{differ} of {len(sizes) * len(cases)} answers are not NumPy's")
        return min(differ, 1)
    for size in sizes:
        found += measure_all([case for case in cases if size <= case.limit], size, options.rounds)
    found = settled(found)
    for each in found:
        if each.above():
            print(line(each))
    for row in summary(found):
        print(" ".join(f"{cell:>22}" for cell in row))
    print(f"{sum(each.above() for each in found)} of {len(found)} calls above a limit")
    if options.docs:
        (DOCS / "dtypes.md").write_text(page(found))
        print(f"written: {DOCS / 'dtypes.md'}")
    return min(differ, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
