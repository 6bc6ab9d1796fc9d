"""Benchmark classes made of the rows of the table."""

import hashlib
import os

import numpy
import torch
from cases import CASES, Case
from libraries import Library, agree, load, ready

# A quick pass names fewer sizes.
SIZES = tuple(int(size) for size in os.environ.get("FASTNP_BENCH_SIZES", "1,3,100,10000,1000000").split(","))
LIBRARIES = tuple(os.environ.get("FASTNP_BENCH_LIBRARIES", "fastnp,numpy,torch,torch._numpy").split(","))
LOADED: dict[str, Library] = {}


def library(name: str) -> Library:
    """Import a library once."""
    if name not in LOADED:
        LOADED[name] = load(name)
    return LOADED[name]


class _Call:
    """One call of the table, over sizes and libraries; by its name asv knows that it is no benchmark itself."""

    case: Case
    params: tuple[tuple[int, ...], tuple[str, ...]] = (SIZES, LIBRARIES)
    param_names = ("size", "lib")

    def setup(self, size: int, lib: str) -> None:
        """Prepare the operands; a call that a library does not have, or answers otherwise than NumPy, is left out."""
        torch.set_num_threads(1)
        if library(lib).spelling(self.case) is None:
            raise NotImplementedError
        try:
            with numpy.errstate(all="ignore"):
                expected = ready(library("numpy"), self.case, size)
                prepared = ready(library(lib), self.case, size)
        except Exception as error:
            raise NotImplementedError from error
        if not agree(self.case, prepared.result, expected.result):
            raise NotImplementedError
        self.loop = prepared.loop
        self.times = 1000 if size <= 100 else 1
        self.loop(1)

    def time_call(self, size: int, lib: str) -> None:
        """Run the call once; a thousand times up to a hundred elements, where asv's own call would count."""
        self.loop(self.times)


def classes(*groups: str) -> dict[str, type]:
    """Return a class for each row of these groups, by its name: `add_out` is TimeAddOut."""
    found = {}
    for case in CASES:
        if case.group in groups:
            name = "Time" + case.name.title().replace("_", "")
            sizes = tuple(size for size in SIZES if size <= case.limit)
            version = hashlib.sha256(repr((case.call, case.torch, sizes)).encode()).hexdigest()
            body = {"case": case, "params": (sizes, LIBRARIES), "version": version, "__doc__": case.call}
            found[name] = type(name, (_Call,), body)
    return found
