"""Run every program here under NumPy and under fastnp, compare what they find, and draw it.

Usage: python examples/demo.py [--repeat N] [program ...]
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
import picture

HERE = Path(__file__).resolve().parent
OUTPUT = HERE / "output"
PROGRAMS = ["digits_clusters", "digits_network", "image_edges", "lasso_path", "price_tracker", "rain_on_hills"]
LIBRARIES = {"NumPy": [sys.executable], "fastnp": [sys.executable, "-m", "fastnp"]}


def run(library, program, repeat):
    """Run a program; return what it printed and saved, with the least of its own times."""
    saved = OUTPUT / f"{program}-{library.lower()}.npz"
    command = [*LIBRARIES[library], str(HERE / f"{program}.py"), "--save", str(saved)]
    times = []
    for _ in range(repeat):
        done = subprocess.run(command, check=False, cwd=HERE.parent, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"\n{' '.join(command)}\nfailed with status {done.returncode}:\n{done.stderr.strip()}")
        with np.load(saved) as arrays:
            result = {name: arrays[name] for name in arrays.files}
        times.append(float(result.pop("seconds")))
    return done.stdout, result, min(times)


def differences(ours, theirs):
    """Return what differs between two runs, in words."""
    (text, arrays), (expected_text, expected) = ours, theirs
    found = []
    if text != expected_text:
        pairs = zip(text.splitlines(), expected_text.splitlines())
        line = next((f"{a!r} instead of {b!r}" for a, b in pairs if a != b), "the number of lines")
        found.append(f"the text: {line}")
    if arrays.keys() != expected.keys():
        found.append(f"the names saved: {sorted(arrays)} instead of {sorted(expected)}")
    for name in arrays.keys() & expected.keys():
        a, b = arrays[name], expected[name]
        if a.dtype != b.dtype or a.shape != b.shape:
            found.append(f"{name}: {a.dtype} {a.shape} instead of {b.dtype} {b.shape}")
        elif not np.allclose(a, b, rtol=1e-6, atol=1e-9, equal_nan=True):
            found.append(f"{name}: off by up to {np.nanmax(np.abs(a - b)):.3g}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run N times and keep the least time")
    parser.add_argument("programs", nargs="*", metavar="program", help=f"some of: {', '.join(PROGRAMS)}")
    options = parser.parse_args()
    chosen = options.programs or PROGRAMS
    if unknown := set(chosen) - set(PROGRAMS):
        parser.error(f"no such program: {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")

    OUTPUT.mkdir(exist_ok=True)
    print("Programs written for NumPy, unchanged: python program.py, then python -m fastnp program.py.")
    print("Seconds of their own work, without the start of the interpreter and of the libraries.\n")
    print(f"{'program':18}{'NumPy':>10}{'fastnp':>10}{'speed-up':>10}  results")
    results, totals, wrong = {}, [0.0, 0.0], {}
    for program in chosen:
        # Cell by cell: the row that grows shows how far the demo is.
        print(f"{program:18}", end="", flush=True)
        text, arrays, numpy_time = run("NumPy", program, options.repeat)
        print(f"{numpy_time:8.2f} s", end="", flush=True)
        our_text, our_arrays, our_time = run("fastnp", program, options.repeat)
        wrong[program] = differences((our_text, our_arrays), (text, arrays))
        verdict = "differ" if wrong[program] else "agree"
        print(f"{our_time:8.2f} s{numpy_time / our_time:10.2f}  {verdict}", flush=True)
        results[program] = our_arrays
        totals = [totals[0] + numpy_time, totals[1] + our_time]
    print(f"{'all':18}{totals[0]:8.2f} s{totals[1]:8.2f} s{totals[0] / totals[1]:10.2f}")
    for program, found in wrong.items():
        for line in found:
            print(f"{program} differs in {line}")

    print("\ndrawing ...", flush=True)
    path = picture.draw(results, OUTPUT / "demo.png")
    print(f"what fastnp found: {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    sys.exit(any(wrong.values()))


if __name__ == "__main__":
    main()
