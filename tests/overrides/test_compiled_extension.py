"""The example of compiled code on the array is built against the package as it lies there, and runs."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy
import pytest

import fastnp

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "compiled_extension"
PROGRAM = """
import fastnp as np
import numpy
from softplus import softplus

x = np.array([[-1000.0, -1.0, 0.0], [1.0, 30.0, 1000.0]])
assert type(softplus(x)) is np.ndarray
assert numpy.array_equal(softplus(x), numpy.logaddexp(0, numpy.asarray(x)))
assert numpy.allclose(softplus(x[:, ::-1].T), numpy.logaddexp(0, numpy.asarray(x)[:, ::-1].T), rtol=1e-15)
assert numpy.allclose(softplus([1, 2]), numpy.logaddexp(0, [1, 2]), rtol=1e-15)
assert softplus(np.zeros(0)).shape == (0,)

class Duck:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func

assert softplus(Duck()) is softplus
print("ok")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder of the example, built."""
    folder = tmp_path_factory.mktemp("extension")
    for path in EXAMPLE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


def test_example_is_built_and_runs(built):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{built}"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "ok\n", done.stderr[-4000:]


def test_get_include_holds_what_compiled_code_needs():
    folder = Path(fastnp.get_include())
    assert {"ndarray.pxd", "header.h", "plain.h"} <= {path.name for path in folder.iterdir()}
    assert Path(numpy.get_include(), "numpy", "arrayobject.h").exists()


def test_declarations_and_headers_are_package_data():
    """Every `.pxd` and `.h` under the package is matched by a pattern of pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["fastnp"]
    package = ROOT / "fastnp"
    shipped = {path for pattern in patterns for path in package.glob(pattern)}
    assert {path for suffix in ("pxd", "h") for path in package.rglob(f"*.{suffix}")} <= shipped
