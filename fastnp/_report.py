"""What a program called: how often, how long, and what fell back to NumPy from which line."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from torch.overrides import TorchFunctionMode

from fastnp._core.ufunc import ufunc
from fastnp._fallback import KEPT, clear_fallback_records, records

MOST_PLACES = 3


@dataclass
class Calls:
    """The calls of one function."""

    count: int = 0
    seconds: float = 0.0
    places: Counter = field(default_factory=Counter)

    def row(self, name: str) -> tuple[str, ...]:
        """Return the cells of the table."""
        fallen = self.places.total()
        if fallen == 0:
            runs = "native"
        elif fallen >= self.count:
            runs = "NumPy"
        else:
            runs = f"NumPy {fallen}x"
        places = [f"{place} ({times}x)" for place, times in self.places.most_common(MOST_PLACES)]
        if len(self.places) > MOST_PLACES:
            places.append(f"{len(self.places) - MOST_PLACES} more")
        mean = self.seconds / self.count
        return name, f"{self.count:,}", f"{self.seconds * 1e3:,.1f}", f"{mean * 1e6:,.1f}", runs, ", ".join(places)


class Report(TorchFunctionMode):
    """Count and time every public function, method and operator that runs on the thread while it is active.

    fastnp offers each call to torch's function modes, so one hook sees them all; calls that a call makes inside are
    part of it and are not counted again. Attributes are not calls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[str, Calls] = {}
        self.seconds = 0.0

    def __enter__(self):
        """Start the clock."""
        self.start = time.perf_counter()
        return super().__enter__()

    def __exit__(self, *exception):
        """Stop the clock."""
        self.seconds += time.perf_counter() - self.start
        return super().__exit__(*exception)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Make the call and keep its time, also when it raises."""
        name = public_name(func, args)
        if name is None:
            return func(*args, **(kwargs or {}))
        if len(records) >= KEPT:
            # They are counted here already, and a full list would take no more.
            clear_fallback_records()
        fallen = len(records)
        start = time.perf_counter()
        try:
            return func(*args, **(kwargs or {}))
        finally:
            seconds = time.perf_counter() - start
            calls = self.calls.setdefault(name, Calls())
            calls.count += 1
            calls.seconds += seconds
            for record in records[fallen:]:
                calls.places[f"{os.path.relpath(record.filename)}:{record.lineno}"] += 1

    def table(self, title: str) -> str:
        """Return the report as text, the most expensive function first."""
        total = Calls()
        for calls in self.calls.values():
            total.count += calls.count
            total.seconds += calls.seconds
            total.places += calls.places
        head = f"fastnp: {title} ran {self.seconds:.3f} s and made {total.count:,} calls"
        if not self.calls:
            return head
        ordered = sorted(self.calls.items(), key=lambda item: -item[1].seconds)
        rows = [
            ("function", "calls", "total ms", "mean us", "runs", "called from"),
            *(calls.row(name) for name, calls in ordered),
            (*total.row("all")[:-1], ""),
        ]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [
            "  ".join(cell.rjust(width) if 1 <= column <= 3 else cell.ljust(width)
                      for column, (cell, width) in enumerate(zip(cells, widths))).rstrip()
            for cells in rows
        ]
        rule = "-" * max(map(len, lines))
        return "\n".join([head, rule, lines[0], rule, *lines[1:-1], rule, lines[-1]])


def public_name(func: Any, args: tuple[Any, ...]) -> str | None:
    """Return the name under which a program knows a function of fastnp; None for torch's own."""
    owner = getattr(func, "__objclass__", None)
    module = getattr(func, "__module__", None) or getattr(owner, "__module__", None) or ""
    if module.partition(".")[0] != "fastnp":
        return None
    if args and isinstance(args[0], ufunc):
        return f"{args[0].__name__}.{func.__name__}"
    name = func.__name__ if owner is None else f"{owner.__name__}.{func.__name__}"
    return f"{module}.{getattr(func, '__qualname__', name)}".removeprefix("fastnp.")
