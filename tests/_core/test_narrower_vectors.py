"""The loops for vectors that are not the widest of this machine, as on a machine without those.

Torch's variable and NumPy's choose the loops of a whole process.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parents[2]
FILES = ("test_clips", "test_copies", "test_elementary", "test_extremum_loops", "test_flags", "test_folding",
         "test_half_loops", "test_leaves", "test_newton", "test_short_lines", "test_side_by_side", "test_simple_powers",
         "test_sorting", "test_views_in_any_order")
# What NumPy calls vectors of 64 bytes.
WIDEST = [name for name in __cpu_dispatch__ if name.startswith(("AVX512", "X86_V4")) and __cpu_features__.get(name)]


@pytest.mark.skipif("ATEN_CPU_CAPABILITY" in os.environ, reason="vectors are chosen already")
@pytest.mark.skipif(not WIDEST, reason="vectors of 32 bytes are the widest here")
def test_vectors_of_32_bytes():
    files = [f"tests/_core/{name}.py" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"ATEN_CPU_CAPABILITY": "avx2", "NPY_DISABLE_CPU_FEATURES": " ".join(WIDEST)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
