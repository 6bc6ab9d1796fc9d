"""What `import fastnp` costs: modules are counted, not seconds, which depend on the machine."""

import json
import subprocess
import sys

import pytest

import fastnp

SCRIPT = """
import gc, json, sys
import torch
before = set(sys.modules)
import fastnp
added = sorted(set(sys.modules) - before)
print(json.dumps([added, torch.cuda.is_initialized(), gc.isenabled()]))
"""

# Each costs as much as a tenth of fastnp or more, and is imported when somebody asks for it.
ON_DEMAND = ("fastnp.polynomial", "fastnp.random", "fastnp.testing", "matplotlib", "numpy.f2py", "numpy.ma",
             "numpy.polynomial", "numpy.random", "numpy.testing", "unittest")  # fmt: skip


@pytest.fixture(scope="module")
def imported():
    return json.loads(subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True).stdout)


def test_nothing_is_imported_before_it_is_asked_for(imported):
    added, *_ = imported
    assert [name for name in added if name.startswith(ON_DEMAND)] == []


def test_few_modules_of_others_are_imported(imported):
    added, *_ = imported
    assert len([name for name in added if not name.startswith("fastnp")]) < 60, added


def test_import_leaves_cuda_and_the_collector_alone(imported):
    _, cuda, collects = imported
    assert not cuda
    assert collects


WAITS = """
import importlib._bootstrap as bootstrap
import torch
wait, waits = bootstrap._lock_unlock_module, []
bootstrap._lock_unlock_module = lambda name: (waits.append(name), wait(name))
import fastnp
print(len(waits))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the linker's option is GNU's")
def test_compiled_modules_find_one_another_without_waiting_for_the_package():
    """Each of a thousand imports by C would wait in Python for `fastnp`, whose import is under way."""
    assert int(subprocess.run([sys.executable, "-c", WAITS], check=True, capture_output=True, text=True).stdout) < 300


@pytest.mark.parametrize("name", ["ma", "f2py", "strings", "ma.extras"])
def test_shared_modules_are_numpys(name):
    script = f"import fastnp.{name} as ours, numpy.{name} as theirs; assert ours is theirs, (ours, theirs.__spec__)"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("name", ["ma", "polynomial", "random", "testing"])
def test_modules_on_demand_are_attributes(name):
    script = f"import fastnp; first = fastnp.{name}; from fastnp import {name}; assert first is {name}"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_package_answers_for_its_names_itself():
    """A `__getattr__` of the package would keep CPython from specializing `np.name`."""
    assert "__getattr__" not in vars(fastnp)
