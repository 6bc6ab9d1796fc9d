"""Run ten small programs of element access and short slices under every library: `python asv_bench/run_programs.py`.

Results are compared with NumPy's, then the programs are timed in turns, and the ratios to NumPy printed.
"""

import argparse
import gc
import importlib
import json
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy
import torch
from libraries import NAMES, Library, installed, snapshot
from timing import geometric_mean, ratio

PROGRAMS = (
    "automaton",
    "crc",
    "gauss_seidel",
    "kalman",
    "levenshtein",
    "life",
    "lu",
    "nbody",
    "nussinov",
    "tridiagonal",
)


def same(found, expected) -> bool:
    """Say whether two results agree; sequences item by item."""
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    return found.shape == expected.shape and numpy.allclose(found, expected, rtol=1e-9, atol=1e-9)


def timed(run, library: Library) -> float:
    """Return the seconds of one run."""
    start = time.process_time()
    run(library.module)
    return time.process_time() - start


def main(argv: list[str]) -> int:
    """Compare, time and print."""
    parser = argparse.ArgumentParser(prog="run_programs.py", description=__doc__.splitlines()[0])
    parser.add_argument("--lib", default="fastnp,numpy", help=f"of {','.join(NAMES)}; NumPy is always among them")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="write the ratios to NumPy by program and library")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    wanted = {"numpy", *options.lib.split(",")} - {"torch"}
    libraries = installed(tuple(name for name in NAMES if name in wanted))
    names = [library.name for library in libraries]
    print(f"{'program':<16}{'NumPy ms':>10}" + "".join(f"{name:>14}" for name in names if name != "numpy"))
    ratios: dict[str, dict[str, float]] = {name: {} for name in names}
    wrong = 0
    for program in options.programs.split(","):
        run = importlib.import_module(f"programs.{program}").run
        expected = snapshot(run(numpy))
        able = []
        for library in libraries:
            try:
                found = snapshot(run(library.module))
            except Exception as error:  # noqa: BLE001 - what a library cannot run is part of the table
                print(f"{program}: {library.name}: {type(error).__name__}: {error}")
                wrong += library.name == "fastnp"
                continue
            if same(found, expected):
                able.append(library)
            else:
                print(f"{program}: {library.name}: another result than NumPy's")
                wrong += library.name == "fastnp"
        samples: dict[str, list[float]] = {library.name: [] for library in able}
        gc.collect()
        for _ in range(options.rounds):
            for library in able:
                samples[library.name].append(timed(run, library))
        line = f"{program:<16}{1000 * statistics.median(samples['numpy']):>10.2f}"
        for name in names:
            if name == "numpy":
                continue
            over = ratio(samples[name], samples["numpy"]) if name in samples else None
            if over is not None:
                ratios[name][program] = over
            line += f"{over:>14.2f}" if over is not None else f"{'-':>14}"
        print(line, flush=True)
    print(
        f"{'geometric mean':<26}"
        + "".join(f"{geometric_mean(ratios[name].values()):>14.2f}" for name in names if name != "numpy")
    )
    if options.json is not None:
        options.json.write_text(json.dumps(ratios))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
