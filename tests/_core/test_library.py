"""The compiled modules lie in one shared object, each with its own entry, and are found before files are looked for."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import fastnp
from fastnp import _core
from fastnp._core import built_for
from fastnp._protocols import counterpart_of

CORE = Path(fastnp.__file__).parent / "_core"


def test_every_source_is_a_module_of_the_library():
    sources = {".".join(("fastnp", "_core", *path.relative_to(CORE).with_suffix("").parts))
               for path in CORE.rglob("*.pyx")}
    assert sources - {"fastnp._core.built_for"} == built_for.MODULES


@pytest.mark.parametrize("name", sorted(built_for.MODULES))
def test_each_module_comes_from_the_library(name):
    module = importlib.import_module(name)
    assert module.__file__ == module.__spec__.origin == _core.LIBRARY
    assert module.__package__ == name.rpartition(".")[0]
    assert getattr(sys.modules[module.__package__], name.rpartition(".")[2]) is module


def test_a_name_that_no_module_has_is_an_import_error_as_ever():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'fastnp\._core\.nothing'"):
        importlib.import_module("fastnp._core.nothing")
    assert _core.InLibrary.find_spec("json") is None


@pytest.mark.parametrize("name", ["fastnp._core.kernels.streams", "fastnp._core.ndarray", "fastnp._core.loops"])
def test_a_module_can_be_the_first_that_is_imported(name):
    code = f"import {name} as module, fastnp; assert float(fastnp.ones(3).sum()) == 3; print(module.__name__)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=CORE.parents[1])
    assert done.stdout.strip() == name


def test_what_numpy_calls_by_protocol_is_imported_on_demand():
    code = """if True:
        import sys, numpy, fastnp
        assert "fastnp.fft" not in sys.modules and "numpy.fft" not in sys.modules and "fastnp.lib" not in sys.modules
        a = fastnp.arange(6.0)
        transformed = numpy.fft.rfft(a)
        assert type(transformed) is fastnp.ndarray, type(transformed)
        assert "fastnp.fft" in sys.modules
        assert fastnp.fft.rfft is sys.modules["fastnp.fft"].rfft
        windows = numpy.lib.stride_tricks.sliding_window_view(a, 3)
        assert type(windows) is fastnp.ndarray, type(windows)
        assert type(numpy.emath.sqrt(a)) is fastnp.ndarray
        assert type(fastnp.emath.sqrt(a)) is fastnp.ndarray
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CORE.parents[1])


@pytest.mark.parametrize("module", ["numpy.lib._nothing", "numpy.random", "dask.random.nothing", "numpy", None])
def test_functions_of_other_modules_have_no_counterpart(module):
    def theirs():
        """Stand for a function of that module."""

    theirs.__module__ = module
    assert counterpart_of(theirs) is None


def test_what_the_import_makes_is_not_walked_through_by_the_collector():
    code = """if True:
        import gc, torch, numpy
        walks = []
        gc.callbacks.append(lambda phase, about: walks.append(about["generation"]))
        import fastnp
        assert gc.isenabled() and gc.get_freeze_count() == 0
        assert sum(generation == 2 for generation in walks) == 0, walks
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CORE.parents[1])
