"""The calls of the benchmarks' table give NumPy's answer with operands of every dtype."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_call_with_every_dtype():
    # Products of more float32 are rounded otherwise than NumPy rounds them, by more than the tools allow.
    command = [sys.executable, "asv_bench/by_dtype.py", "--check", "--sizes", "3,100,1000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert done.stdout.splitlines()[-1].startswith("0 of ")
