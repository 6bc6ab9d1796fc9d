"""NumPy's own tests as the judge: the test files of the installed NumPy, run on fastnp.

`python -m tests.numpy_suite [file ...]` prints the pass rate by file and fails where a result is not the expected one;
`-v` prints the failures too, `--accept` writes them down. A file is read from the installed NumPy, its imports are
rewritten, and the copy is run out of the build folder; nothing of it is kept.
"""

import argparse
import ast
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy

from tests.numpy_suite import expected, rewriting, scope

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "numpy_suite"
PLUGIN = Path(__file__).with_name("plugin.py")
NUMPY = Path(numpy.__file__).parent

FOLDERS = {
    "_core": "einsum function_base indexing item_selection multiarray nep50_promotions numeric scalarmath shape_base "
             "ufunc umath",
    "fft": "helper pocketfft",
    "lib": "arraypad arraysetops function_base histograms index_tricks nanfunctions polynomial shape_base "
           "stride_tricks twodim_base type_check ufunclike",
    "linalg": "deprecations linalg regression",
    "random": "direct generator_mt19937 generator_mt19937_regressions random randomstate randomstate_regression "
              "regression seed_sequence smoke",
}
FILES = tuple(f"{folder}/tests/test_{name}.py" for folder, names in FOLDERS.items() for name in names.split())


class Judged:
    """The tests of one file that count, and how they ended on fastnp.

    Parameters
    ----------
    file : str
        Path in NumPy's package.
    limit : float
        Seconds that one run may take.
    """

    def __init__(self, file, limit):
        self.file = file
        theirs = reference(file, limit)
        self.left_out = Counter(text for outcome, text in theirs.values() if outcome == "outside")
        dropped = target_of(file, "dropped", ".json")
        dropped.write_text(json.dumps([test for test, (outcome, _) in theirs.items() if outcome == "outside"]))
        ours = outcomes_of(file, "fastnp", rewriting.rewritten((NUMPY / file).read_text()), limit, dropped)
        self.ours = {}
        for test, (outcome, _) in theirs.items():
            if outcome != "passed":
                continue
            mine = ours.get(test, ("missing", "not collected"))
            category = scope.category_of_error(mine[1])
            if category is None:
                self.ours[test] = mine
            else:
                self.left_out[category] += 1

    @property
    def functions(self):
        """Return the judged tests by function: its name -> the outcomes of its parameters."""
        found = {}
        for test, (outcome, _) in self.ours.items():
            found.setdefault(test.partition("[")[0], []).append(outcome)
        return found

    @property
    def counts(self):
        """Return how many tests and functions were judged and passed, and how many tests crashed."""
        functions = self.functions.values()
        outcomes = Counter(outcome for outcome, _ in self.ours.values())
        return Counter(
            judged=len(self.ours), passed=outcomes["passed"], crashed=outcomes["crashed"], functions=len(functions),
            functions_passed=sum(set(outcomes) == {"passed"} for outcomes in functions),
        )

    @property
    def failing(self):
        """Return the functions that do not pass: name -> (tests that fail, tests)."""
        return {
            name: (sum(outcome != "passed" for outcome in outcomes), len(outcomes))
            for name, outcomes in self.functions.items() if set(outcomes) != {"passed"}
        }


def target_of(file, module, suffix):
    """Return the path of a file's own file in the build folder."""
    target = BUILD / f"on_{module}" / file.replace("/tests/", "_").replace("/", "_")
    target.parent.mkdir(parents=True, exist_ok=True)
    return target.with_suffix(suffix)


def reference(file, limit):
    """Return how the tests of a file end on NumPy; what an earlier run found is taken again if nothing changed."""
    text = ast.unparse(ast.parse((NUMPY / file).read_text()))
    inputs = (numpy.__version__, text, PLUGIN.read_text(), Path(scope.__file__).read_text())
    key = hashlib.sha256("\0".join(inputs).encode()).hexdigest()
    kept = target_of(file, "numpy", f".{key[:16]}.json")
    if not kept.exists():
        kept.write_text(json.dumps(outcomes_of(file, "numpy", text, limit)))
    return {test: tuple(outcome) for test, outcome in json.loads(kept.read_text()).items()}


def outcomes_of(file, module, text, limit, left_out=None):
    """Run the text of a file and return the outcome of each test, a crash being one; the run goes on after it."""
    target = target_of(file, module, ".py")
    target.write_text(text)
    log = target.with_suffix(".outcomes")
    log.unlink(missing_ok=True)
    dropped = [] if left_out is None else json.loads(left_out.read_text())
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(BUILD), "-W", "ignore",
               "-p", "tests.numpy_suite.plugin", "-p", "no:cacheprovider", "--import-mode=importlib", str(target)]
    outcomes = {}
    for _ in range(20):
        environment = os.environ | {
            "NUMPY_SUITE_OUTCOMES": str(log), "PYTHONPATH": str(ROOT),
            "NPY_AVAILABLE_MEM": "1 GB",  # NumPy skips the tests that ask for more
        }
        if left_out is not None:
            left_out.write_text(json.dumps([*dropped, *outcomes]))
            environment["NUMPY_SUITE_LEFT_OUT"] = str(left_out)
        try:
            run = subprocess.run(
                command, check=False, env=environment, cwd=BUILD, capture_output=True, text=True, timeout=limit
            )
            status, output = run.returncode, run.stdout
        except subprocess.TimeoutExpired:
            status, output = "time limit", ""
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        log.unlink()
        outcomes |= {test: (outcome, reason) for outcome, test, reason in lines if outcome != "started"}
        if not lines:
            print(output[-3000:])
        if status in (0, 1, 2, 5) or not lines or lines[-1][0] != "started":
            break
        outcomes[lines[-1][1]] = ("crashed", f"status {status}")
    return outcomes


def row(name, counts):
    """Return one line of the table of rates."""
    judged, functions = max(counts["judged"], 1), max(counts["functions"], 1)
    crashed = f"  {counts['crashed']} crashed" if counts["crashed"] else ""
    return (f"{name:52} {counts['passed']:6} of {counts['judged']:6} tests {counts['passed'] / judged:7.1%} "
            f"{counts['functions_passed']:5} of {counts['functions']:5} functions "
            f"{counts['functions_passed'] / functions:7.1%}{crashed}")


PAGE = """\
# NumPy's own tests

The test files of NumPy {version}, run on fastnp by `make numpy-suite`: of the tests that NumPy itself passes there and
that are in scope, so many pass. A function passes where all its parameters do. `tests/numpy_suite/scope.py` is the rule
of what is out of scope; `tests/numpy_suite/expected_failures.txt` lists what fails, each group under its reason.

This page is written by `make numpy-suite ARGS=--docs`.

| file | tests | pass | | functions | pass | |
|---|---:|---:|---:|---:|---:|---:|
{rows}

Out of scope: {left_out}.
"""


def page(rows, left_out):
    """Return the text of the page of results."""
    lines = [
        f"| {name} | {c['judged']} | {c['passed']} | {c['passed'] / max(c['judged'], 1):.1%} "
        f"| {c['functions']} | {c['functions_passed']} | {c['functions_passed'] / max(c['functions'], 1):.1%} |"
        for name, c in rows.items()
    ]
    return PAGE.format(version=numpy.__version__, rows="\n".join(lines), left_out=left_out)


def main():
    """Run the files on NumPy and on fastnp, print the rates, and compare with what is expected."""
    parser = argparse.ArgumentParser(prog="python -m tests.numpy_suite", description=__doc__)
    parser.add_argument("files", nargs="*", default=FILES, help="paths in NumPy's package: fft/tests/test_helper.py")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each failure and its error's first lines")
    parser.add_argument("--accept", action="store_true", help="write the failures into the list of expected ones")
    parser.add_argument("--docs", action="store_true", help="write the rates into docs/numpy_suite.md")
    parser.add_argument("--limit", type=float, default=900, help="seconds that one run of a file may take")
    options = parser.parse_args()
    total, left_out, unexpected, rows = Counter(), Counter(), [], {}
    groups = expected.read()
    for file in options.files:
        judged = Judged(file, options.limit)
        rows[file] = judged.counts
        total.update(judged.counts)
        left_out.update(judged.left_out)
        print(row(file, judged.counts), flush=True)
        for test, (outcome, text) in judged.ours.items() if options.verbose else ():
            if outcome != "passed":
                print(f"    {outcome} {test}: {text}")
        if options.accept and judged.counts["passed"]:
            expected.accept(groups, file, judged.failing)
        else:
            unexpected += expected.differences(groups, file, judged.failing)
    if options.accept:
        expected.write(groups)
    print(row("all", total))
    outside = ", ".join(f"{count} {name}" for name, count in left_out.most_common())
    print(f"out of scope: {outside}")
    if options.docs:
        (ROOT / "docs/numpy_suite.md").write_text(page(rows | {"all": total}, outside))
    print("\n".join(unexpected))
    return 1 if unexpected or total["crashed"] or not total["judged"] else 0


if __name__ == "__main__":
    sys.exit(main())
