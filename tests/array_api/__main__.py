"""The array API's conformance suite: fastnp must pass each test that NumPy passes.

`python -m tests.array_api CHECKOUT` runs a checkout of data-apis/array-api-tests, its submodule `array-api` included,
on NumPy and on fastnp. A test that only fastnp fails stands in `exceptions.txt` under its reason; a line there that is
no longer needed fails the run too.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXCEPTIONS = Path(__file__).with_name("exceptions.txt")
LIMIT = 5  # so many exceptions may there be
SEEDS = 20


def exceptions():
    """Return the tests that only fastnp fails: name -> the reason above it."""
    found, reason = {}, ""
    for line in EXCEPTIONS.read_text().splitlines():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            found[line] = reason
    return found


def outcomes(checkout, module, examples, tests=("array_api_tests",), seed=None):
    """Run the suite, or some of its tests, on a module and return how each test ended."""
    drawn = "--derandomize" if seed is None else f"--hypothesis-seed={seed}"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", *tests, "-q", "--tb=no", "-p", "no:cacheprovider",
                   "-W", "ignore", "--disable-deadline", drawn, f"--max-examples={examples}",
                   f"--junit-xml={report}"]
        environment = os.environ | {"ARRAY_API_TESTS_MODULE": module, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(command, check=False, env=environment, cwd=checkout, capture_output=True, text=True)
        if not report.exists():
            sys.exit(f"the suite did not run on {module}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
        cases = ElementTree.parse(report).iter("testcase")
        return {f"{case.get('classname')}::{case.get('name')}": outcome_of(case) for case in cases}


def outcome_of(case):
    """Return how one test ended."""
    for tag, outcome in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        if case.find(tag) is not None:
            return outcome
    return "passed"


def passed_by_numpy(checkout, tests, examples):
    """Return those tests that NumPy passes with other seeds as well: what is drawn depends on the module."""
    left = set(tests)
    for seed in range(SEEDS):
        if not left:
            break
        parts = [test.partition("::") for test in sorted(left)]
        nodes = [f"{module.replace('.', '/')}.py::{name}" for module, _, name in parts]
        found = outcomes(checkout, "numpy", examples, nodes, seed)
        left -= {test for test, outcome in found.items() if outcome == "failed"}
    return left


def main():
    """Run both, print the counts, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.array_api", description=__doc__)
    parser.add_argument("checkout", type=Path, help="folder of data-apis/array-api-tests")
    parser.add_argument("--max-examples", type=int, default=100, help="examples that hypothesis draws for each test")
    options = parser.parse_args()
    if not list((options.checkout / "array-api").glob("spec/*")):
        sys.exit(f"{options.checkout}/array-api is empty: run `git submodule update --init` in the checkout")
    theirs = outcomes(options.checkout, "numpy", options.max_examples)
    ours = outcomes(options.checkout, "fastnp", options.max_examples)
    for name, found in (("NumPy", theirs), ("fastnp", ours)):
        counts = sorted(Counter(found.values()).items())
        print(f"{name:7}", ", ".join(f"{count} {outcome}" for outcome, count in counts))
    expected = exceptions()
    only_ours = {test for test, outcome in ours.items() if outcome == "failed" and theirs.get(test) != "failed"}
    only_ours |= {test for test, outcome in theirs.items() if outcome == "passed" and ours.get(test) != "passed"}
    only_ours = passed_by_numpy(options.checkout, only_ours, options.max_examples)
    wrong = [f"{test} fails on fastnp alone" for test in sorted(only_ours - expected.keys())]
    wrong += [f"{test} is listed in {EXCEPTIONS.name} and passes" for test in sorted(expected.keys() - only_ours)]
    wrong += [f"{test} is listed without a reason" for test, reason in expected.items() if not reason]
    if len(expected) > LIMIT:
        wrong.append(f"{len(expected)} exceptions are more than {LIMIT}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
