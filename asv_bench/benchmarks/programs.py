"""Whole programs of element access and short slices."""

import importlib

import torch
from run_programs import PROGRAMS

from ._table import library


class TimePrograms:
    """One run of each program."""

    params = (PROGRAMS, ("fastnp", "numpy"))
    param_names = ("program", "lib")

    def setup(self, program, lib):
        torch.set_num_threads(1)
        self.np = library(lib).module
        self.run = importlib.import_module(f"programs.{program}").run

    def time_run(self, program, lib):
        self.run(self.np)
