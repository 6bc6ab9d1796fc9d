"""Results kept alive, memory of many small arrays, and large results that come and go."""

import os
from pathlib import Path

import torch

from ._table import library

LIBRARIES = ("fastnp", "numpy", "torch")


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def arrays(lib: str, size: int):
    """Return two arrays of one library."""
    torch.set_num_threads(1)
    np = library(lib).module
    options = {"dtype": torch.float64} if lib == "torch" else {}
    return np.ones(size, **options), np.ones(size, **options)


class TimeKeptAlive:
    """Two hundred small results that live at the same time."""

    params = LIBRARIES
    param_names = ("lib",)

    def setup(self, lib):
        self.a, self.b = arrays(lib, 3)

    def time_results(self, lib):
        a, b = self.a, self.b
        [a + b for _ in range(200)]

    def time_slices(self, lib):
        a = self.a
        [a[1:] for _ in range(200)]


class TimeLargeResult:
    """Results of 80 MB, each freed before the next."""

    params = LIBRARIES
    param_names = ("lib",)

    def setup(self, lib):
        self.a, self.b = arrays(lib, 10_000_000)

    def time_add(self, lib):
        self.a + self.b


class TrackSmallArrays:
    """Bytes of one array of three elements, of a hundred thousand."""

    params = LIBRARIES
    param_names = ("lib",)
    unit = "bytes"

    def setup(self, lib):
        self.a, self.b = arrays(lib, 3)

    def track_bytes(self, lib):
        a, b = self.a, self.b
        before = resident()
        kept = [a + b for _ in range(100_000)]
        return (resident() - before) / len(kept)
