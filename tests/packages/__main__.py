"""Packages written for NumPy, unmodified: their own suites pass on fastnp as on NumPy.

`python -m tests.packages [name ...]` fetches each package at its version and hash and runs its suite on NumPy and on
fastnp (`import numpy` in the package and in its tests is `import fastnp`). It fails where fastnp passes less than NumPy
beyond what the table allows. Nothing of a package is kept besides the build folder.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "packages"


class Package(NamedTuple):
    """A wheel that holds its own tests."""

    version: str
    sha256: str
    failing: dict[str, str]  # tests that only fastnp fails, each with its reason


PACKAGES = {
    "array-api-strict": Package(
        "2.6.1",
        "84548915c11265f4b87070731bd26edf46b202a04e7491194abcb46f4986c88f",
        {"test_linalg[solve]": "private: the package calls numpy.linalg._umath_linalg"},
    ),
    "opt-einsum": Package("3.4.0", "69bb92469f86a1565195ece4ac0323943e83477171b91d24c35afe028a90d7cd", {}),
    "transforms3d": Package("0.4.2", "1c70399d9e9473ecc23311fd947f727f7c69ed0b063244828c383aa1aefa5941", {}),
}

#: Runs in a process of its own: the package's modules get fastnp, all others numpy. pytest must not load them itself.
DRIVER = """
import sys
folder, package, module, report = sys.argv[1:]
sys.path.insert(0, folder)
if module == "fastnp":
    import fastnp
    from fastnp._runner import ProgramFinder
    sys.meta_path.insert(0, ProgramFinder(folder, package))
import pytest
sys.exit(pytest.main(["-q", "--assert=plain", "--tb=line", "-p", "no:cacheprovider", "-W", "ignore", "-c", "/dev/null",
                      "--rootdir", folder, "--pyargs", package, f"--junit-xml={report}"]))
"""


def fetched(name, package):
    """Fetch and unpack a package, and return the folder it lies in."""
    folder = BUILD / f"{name}-{package.version}"
    if folder.exists():
        return folder
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as work:
        wanted = Path(work, "requirements.txt")
        wanted.write_text(f"{name}=={package.version} --hash=sha256:{package.sha256}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                   "--require-hashes", "-r", str(wanted), "-d", work]
        subprocess.run(command, check=True)
        (wheel,) = Path(work).glob("*.whl")
        unpacked = Path(work, "unpacked")
        zipfile.ZipFile(wheel).extractall(unpacked)
        unpacked.rename(folder)
    return folder


def outcomes(folder, package, module):
    """Run a package's suite on a module and return how each test ended."""
    with tempfile.TemporaryDirectory() as work:
        report = Path(work, "report.xml")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}
        run = subprocess.run(
            [sys.executable, "-c", DRIVER, str(folder), package, module, str(report)],
            check=False, env=environment, cwd=work, capture_output=True, text=True,
        )
        if not report.exists():
            sys.exit(f"the suite of {package} did not run on {module}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
        found = {}
        for case in ElementTree.parse(report).iter("testcase"):
            ended = next((tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None), "passed")
            found[f"{case.get('classname')}::{case.get('name')}"] = ended
        return found


def main():
    """Run the packages, print the counts, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.packages", description=__doc__)
    parser.add_argument("names", nargs="*", default=PACKAGES, help=f"packages: {', '.join(PACKAGES)}")
    wrong = []
    for name in parser.parse_args().names:
        package = PACKAGES[name]
        folder = fetched(name, package)
        theirs = outcomes(folder, name.replace("-", "_"), "numpy")
        ours = outcomes(folder, name.replace("-", "_"), "fastnp")
        for module, found in (("NumPy", theirs), ("fastnp", ours)):
            counts = ", ".join(f"{count} {ended}" for ended, count in sorted(Counter(found.values()).items()))
            print(f"{name} {package.version} on {module}: {counts}", flush=True)
        failing = {test.rpartition("::")[2] for test, ended in theirs.items()
                   if ended == "passed" and ours.get(test) != "passed"}
        wrong += [f"{name}: {test} fails on fastnp alone" for test in sorted(failing - package.failing.keys())]
        wrong += [f"{name}: {test} is listed as failing and passes" for test in package.failing.keys() - failing]
        if "passed" not in theirs.values():
            wrong.append(f"{name}: nothing passes on NumPy")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
