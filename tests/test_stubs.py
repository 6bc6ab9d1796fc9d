"""The type stubs are those of the registry, and a type checker reads them."""

import subprocess
import sys
from types import ModuleType

import numpy
import pytest

from fastnp._stubs import stubs

STUBS = stubs()

PROGRAM = """
import fastnp as np
x: np.ndarray = np.array([1.0, 2.0])
np.sum(x, axis=0, keepdims=True)
np.add(x, 1.0)
np.linalg.norm(x)
np.float64(1)
x.shape[0] + 1
x @ x
"""

WRONG = {
    "np.no_such_name": "has no attribute",
    "np.sum()": "Missing positional argument",
    "np.sum(x, acis=0)": "Unexpected keyword argument",
    "np.ndarray(3).no_such_attribute": "has no attribute",
}


@pytest.mark.parametrize("path", STUBS, ids=str)
def test_stub_is_current(path):
    assert path.read_text() == STUBS[path], "run `python -m fastnp._stubs`"


def test_every_public_name_is_in_the_stub():
    text = STUBS[next(iter(STUBS))]
    names = {name for name in numpy.__all__ if not name.startswith("_")}
    modules = {name for name in names if isinstance(getattr(numpy, name), ModuleType)}
    declared = {line.split(" as ")[-1].split(":")[0].removeprefix("def ").removeprefix("class ").split("(")[0].strip()
                for line in text.splitlines() if not line.startswith(" ")}
    assert names <= declared | modules


def checked(program, tmp_path):
    """Return what mypy says of a program."""
    file = tmp_path / "program.py"
    file.write_text(program)
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nfollow_imports = silent\n[mypy-torch.*]\nfollow_imports = skip\n")  # torch takes long
    # A process of its own: mypy raises the recursion limit of the one it runs in.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(file), "--no-error-summary", f"--cache-dir={tmp_path / 'cache'}",
         f"--config-file={config}"], check=False, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_checker_accepts_and_refuses(tmp_path):
    lines = checked(PROGRAM + "\n".join(WRONG) + "\n", tmp_path).splitlines()
    assert len(lines) >= len(WRONG), lines
    first = PROGRAM.count("\n") + 1
    for number, text in enumerate(WRONG.values(), first):
        assert any(f":{number}: error" in line and text in line for line in lines), (number, text, lines)
    assert not any(int(line.split(":")[1]) < first for line in lines if "program.py" in line), lines
