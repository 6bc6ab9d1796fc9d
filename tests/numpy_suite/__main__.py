"""NumPy's own tests as the judge: the test files of the installed NumPy, run on fastnp.

`python -m tests.numpy_suite [file ...]` prints the pass rate by file; `-v` the failures too. A file is read from the
installed NumPy, its imports are rewritten, and the copy is run out of the build folder; nothing of it is kept.
"""

import argparse
import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy

import fastnp
from tests.numpy_suite.scope import FOREIGN_DTYPE

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "numpy_suite"
NUMPY = Path(numpy.__file__).parent

FOLDERS = {
    "_core": "einsum function_base indexing item_selection multiarray nep50_promotions numeric scalarmath shape_base "
             "umath",
    "fft": "helper pocketfft",
    "lib": "arraypad arraysetops function_base histograms index_tricks nanfunctions polynomial shape_base "
           "stride_tricks twodim_base type_check ufunclike",
    "linalg": "linalg",
    "random": "direct generator_mt19937 generator_mt19937_regressions random randomstate seed_sequence smoke",
}
FILES = tuple(f"{folder}/tests/test_{name}.py" for folder, names in FOLDERS.items() for name in names.split())


class Rewriter(ast.NodeTransformer):
    """Rewrites imports of NumPy's public modules, and the public names that a test takes from private ones."""

    def visit_Import(self, node):
        """Take a module from fastnp where it has one."""
        for alias in node.names:
            ours = replaced(alias.name)
            if ours is not None and (alias.asname or "." not in alias.name):
                alias.asname, alias.name = alias.asname or alias.name, ours
        return node

    def visit_ImportFrom(self, node):
        """Take names from fastnp where it has them, the others from NumPy."""
        if node.level or not node.module or node.module.partition(".")[0] != "numpy":
            return node
        module = replaced(node.module) or fastnp.__name__
        known = [alias for alias in node.names if alias.name == "*" or hasattr(sys.modules[module], alias.name)]
        rest = [alias for alias in node.names if alias not in known]
        return [
            ast.ImportFrom(source, names, 0) for source, names in ((module, known), (node.module, rest)) if names
        ]


def replaced(name):
    """Return the module of fastnp that stands for one of NumPy's, or None."""
    ours = f"fastnp{name.removeprefix('numpy')}"
    private = any(part.startswith("_") for part in name.split("."))
    return ours if name.partition(".")[0] == "numpy" and ours in sys.modules and not private else None


def prepared(file, module):
    """Write the test file as it runs on a module, and return where."""
    text = (NUMPY / file).read_text()
    if module == "fastnp":
        text = ast.unparse(ast.fix_missing_locations(Rewriter().visit(ast.parse(text))))
    target = BUILD / f"on_{module}" / file.replace("/tests/", "_").replace("/", "_")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def outcomes_of(file, module, limit):
    """Run one file and return the outcome of each test, a crash being one; the run goes on after it."""
    target = prepared(file, module)
    log = target.with_suffix(".outcomes")
    log.unlink(missing_ok=True)
    crashed = []
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(BUILD), "-W", "ignore",
               "-p", "tests.numpy_suite.plugin", "-p", "no:cacheprovider", "--import-mode=importlib", str(target)]
    for _ in range(20):
        environment = os.environ | {
            "NUMPY_SUITE_OUTCOMES": str(log), "NUMPY_SUITE_CRASHED": "\n".join(crashed), "PYTHONPATH": str(ROOT),
        }
        before = len(log.read_text().splitlines()) if log.exists() else 0
        try:
            run = subprocess.run(command, check=False, env=environment, cwd=BUILD, capture_output=True, timeout=limit)
            status = run.returncode
        except subprocess.TimeoutExpired:
            status = -1
        lines = [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []
        if status >= 0 or len(lines) == before or lines[-1][0] != "started":
            break
        crashed.append(lines[-1][1])
        log.write_text(log.read_text() + f"crashed\t{lines[-1][1]}\tstatus {status}\n")
    return {line[1].partition("::")[2]: (line[0], line[2] if len(line) > 2 else "") for line in lines} | {
        nodeid.partition("::")[2]: ("crashed", "") for nodeid in crashed
    }


def main():
    """Run the files on NumPy and on fastnp and print the rates; fail on a crash."""
    parser = argparse.ArgumentParser(prog="python -m tests.numpy_suite", description=__doc__)
    parser.add_argument("files", nargs="*", default=FILES, help="paths in NumPy's package: fft/tests/test_helper.py")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each failure and its error's first line")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one run of a file may take")
    options = parser.parse_args()
    total = Counter()
    for file in options.files:
        theirs = outcomes_of(file, "numpy", options.limit)
        ours = outcomes_of(file, "fastnp", options.limit)
        judged = [
            test for test, (outcome, _) in theirs.items()
            if outcome == "passed" and not FOREIGN_DTYPE.search(ours.get(test, ("", ""))[1])
        ]
        passed = [test for test in judged if ours.get(test, ("missing",))[0] == "passed"]
        crashed = [test for test in judged if ours.get(test, ("missing",))[0] == "crashed"]
        total.update(judged=len(judged), passed=len(passed), crashed=len(crashed))
        print(f"{file:55} {len(passed):6} of {len(judged):6} {len(passed) / max(len(judged), 1):7.1%}"
              f"{f'  {len(crashed)} crashed' if crashed else ''}", flush=True)
        if options.verbose:
            for test in judged:
                outcome, text = ours.get(test, ("missing", "not collected"))
                if outcome != "passed":
                    print(f"    {outcome} {test}: {text[:160]}")
    print(f"{'all':55} {total['passed']:6} of {total['judged']:6} {total['passed'] / max(total['judged'], 1):7.1%}")
    return 1 if total["crashed"] or not total["judged"] else 0


if __name__ == "__main__":
    sys.exit(main())
