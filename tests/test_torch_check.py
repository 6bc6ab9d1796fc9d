"""The compiled core refuses another torch minor version than the one it was built for."""

import pytest
import torch

from fastnp._core.built_for import TORCH_VERSION
from fastnp._torch_check import check_torch_version


def test_installed_torch_is_the_one_of_the_build():
    assert torch.__version__ == TORCH_VERSION


def test_other_minor_version_is_refused_with_both_versions_and_the_command():
    with pytest.raises(ImportError, match=r"built for torch 2\.13\.0.*torch 2\.12\.1.*--no-build-isolation"):
        check_torch_version("2.12.1+cu130", "2.13.0+cpu")


def test_other_patch_version_loads():
    check_torch_version("2.13.4", "2.13.0+cpu")
