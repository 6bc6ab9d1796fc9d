"""Refuse to load the compiled core under another torch minor version than the one it was built for."""

from __future__ import annotations

import torch

from fastnp._core.built_for import TORCH_VERSION


def check_torch_version(installed: str, built_for: str) -> None:
    """Raise an ImportError where the minor versions differ: the C++ interface of torch is bound to one."""
    if installed.split(".")[:2] != built_for.split(".")[:2]:
        raise ImportError(
            f"fastnp was built for torch {built_for}, but torch {installed} is installed. Build it again for the "
            "installed torch: pip install --no-build-isolation --force-reinstall --no-deps fastnp "
            "(in a checkout: python setup.py build_ext --inplace --force)"
        )


check_torch_version(torch.__version__, TORCH_VERSION)
