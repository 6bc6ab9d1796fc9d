"""A device of torch's that any machine has: its memory is closed to the host, its values are those of the CPU.
"""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
import types
from pathlib import Path

import torch
from torch.utils import cpp_extension

SOURCE = Path(__file__).with_name("device.cpp")
LIBRARY = SOURCE.parents[2] / f"build/other_device/{torch.__version__}.so"
NAME = "other"


def built():
    """Return the path of the library, compiled anew where the source is newer."""
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=LIBRARY.parent) as folder:
            made = Path(folder, LIBRARY.name)
            subprocess.run([
                *os.environ.get("CXX", "g++").split(), "-std=c++20", "-O1", "-fPIC", "-shared", "-w",
                str(SOURCE), "-o", str(made),
                *(f"-I{path}" for path in cpp_extension.include_paths()),
                *(f"-L{path}" for path in cpp_extension.library_paths()), "-lc10", "-ltorch_cpu", "-ltorch",
            ], check=True)
            made.replace(LIBRARY)  # whole or not at all: several processes may build at once
    return LIBRARY


@functools.cache
def name():
    """Return the name of the device that tests run on: CUDA where there is one, else ours, which torch then knows."""
    if torch.cuda.is_available():
        return "cuda"
    torch.ops.load_library(built())
    torch.utils.rename_privateuse1_backend(NAME)
    module = types.ModuleType(f"torch.{NAME}")
    module.is_available = module.is_initialized = lambda: True
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module._is_in_bad_fork = lambda: False
    module.manual_seed_all = lambda seed: None
    torch._register_device_module(NAME, module)
    return NAME
