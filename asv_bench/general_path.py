"""What calls cost over torch's own where nothing is plain: `python asv_bench/general_path.py`, `make bench-general`.

Gradients, modes, subclasses, distributed tensors: each call beside the same call of torch on the same tensor in the
same situation, in one run. The exit status is the number of calls that take more than 300 ns longer.

`--instructions` counts by callgrind what either executes. Where torch takes ten microseconds of Python, the time of a
call depends as much on what of it the processor still has in its caches; the exit status is then the number of calls
that execute more than torch's does in 300 ns.
"""

import argparse
import contextlib
import gc
import json
import os
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

import torch
import torch.distributed as dist
from counted import dump_each
from instructions import MISSING, count_process
from libraries import load
from override_costs import loop_of
from timing import PAIRED, ROUNDS, batch_size, differences, uncertainty
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, distribute_tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

ALLOWED = 300.0
SECONDS = 1.0
"""How long a call and torch's take turns: a call on the meta device takes 150 µs, and a tenth of that one run more than
another."""

WARM_UP, COUNTED = 300, 40
"""Calls that are made before those that are counted."""
IN_300_NS = 1000
"""Instructions that the interpreter and torch execute in 300 ns: one each 0.3 ns, on the machines measured."""

ELSEWHERE = frozenset(("meta device", "CUDA", "CUDA, gradient"))
"""Situations whose memory is not the host's."""

#: The call, and torch's; {} stands for the situation's array and tensor.
CALLS = (
    ("{0} + {0}", "{1} + {1}"),
    ("{0} * 2.0", "{1} * 2.0"),
    ("np.add({0}, {0})", "torch.add({1}, {1})"),
    ("np.exp({0})", "torch.exp({1})"),
    ("np.sum({0})", "torch.sum({1})"),
    ("np.sum({0}, axis=0)", "torch.sum({1}, 0)"),
    ("np.cumsum({0}, axis=0)", "torch.cumsum({1}, 0)"),
    ("np.reshape({0}, (1, 3))", "torch.reshape({1}, (1, 3))"),
    ("np.matmul({0}, {0})", "torch.matmul({1}, {1})"),
    ("np.where({0} > 0, {0}, {0})", "torch.where({1} > 0, {1}, {1})"),
    ("np.concatenate(({0}, {0}))", "torch.cat(({1}, {1}))"),
    ("{0}[1:]", "{1}[1:]"),
    ("np.transpose({0})", "torch.t({1})"),
)


class Passing(TorchFunctionMode):
    """A mode that passes calls on."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class PassingOperations(TorchDispatchMode):
    """A mode that passes operations on."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class Subclass(torch.Tensor):
    """A subclass that changes nothing."""


def distributed(tensor):
    """Return a tensor as a distributed one of one process."""
    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    return distribute_tensor(tensor, init_device_mesh("cpu", (1,)), [Replicate()])


def situations():
    """Return by name: the array, the tensor, and the context in which calls are made."""
    np = load("fastnp").module
    ones = torch.ones(3, dtype=torch.float64)
    graph = torch.ones(3, dtype=torch.float64, requires_grad=True)
    meta = ones.to("meta")
    mine = type("Mine", (np.ndarray,), {})
    spread = distributed(ones)
    nothing = contextlib.nullcontext
    devices = {}
    if torch.cuda.is_available():
        cuda = ones.to("cuda")
        tracked = cuda.clone().requires_grad_()
        devices = {"CUDA": (np.asarray(cuda), cuda, nothing), "CUDA, gradient": (np.asarray(tracked), tracked, nothing)}
    return devices | {
        "gradient": (np.asarray(graph), graph, nothing),
        "gradient of a subclass": (np.asarray(graph).view(mine), graph, nothing),
        "meta device": (np.asarray(meta), meta, nothing),
        "default device": (np.asarray(ones.clone()), ones, lambda: torch.device("cpu")),
        "function mode": (np.asarray(ones.clone()), ones, Passing),
        "dispatch mode": (np.asarray(ones.clone()), ones, PassingOperations),
        "tensor subclass": (ones.as_subclass(Subclass), ones.as_subclass(Subclass), nothing),
        "distributed tensor": (np.asarray(spread), spread, nothing),
    }


def within(context, loop):
    """Return the loop run inside a context."""

    def run(times):
        with context():
            return loop(times)

    return run


class Found(NamedTuple):
    """One call in one situation: what torch's takes and what ours takes beyond it, in nanoseconds or instructions."""

    situation: str
    call: str
    torchs: float
    over: float


def rows(only=None):
    """Return for each situation and call, or those named: its name, the call as it is printed, its loop and torch's."""
    np = load("fastnp").module
    for situation, (array, tensor, context) in situations().items():
        names = {"np": np, "torch": torch, "a_": array, "t_": tensor}
        for ours, theirs in CALLS:
            if only is not None and [situation, ours.format("a", "t")] not in only:
                continue
            call, other = (within(context, loop_of(text.format("a_", "t_"), names, time.perf_counter))
                           for text in (ours, theirs))
            yield situation, ours.format("a", "t"), call, other


def timings(only) -> list[Found]:
    """Measure and print the table."""
    over = []
    print(f"{'situation':<24}{'call':<30}{'torch, ns':>10}{'over':>8}{'+-':>6}", flush=True)
    for situation, text, call, other in rows(only):
        found = differences(call, other, SECONDS)
        longer, times = statistics.median(found) * 1e9, batch_size(other, PAIRED)
        taken = statistics.median(other(times) for _ in range(ROUNDS)) / times * 1e9
        over.append(Found(situation, text, taken, longer))
        print(f"{situation:<24}{text:<30}{taken:>10.0f}{longer:>8.0f}"
              f"{uncertainty(found) * 1e9:>6.0f}{'   ABOVE' if longer > ALLOWED else ''}", flush=True)
    return over


def counted(helper: str) -> None:
    """Run every call, to be counted by callgrind: this is the process under valgrind."""
    loops = {f"{situation}|{text}|{whose}": loop for situation, text, call, other in rows()
             for whose, loop in (("ours", call), ("torch's", other))}  # fmt: skip
    for loop in loops.values():
        loop(WARM_UP)
    gc.collect()
    gc.freeze()
    gc.disable()
    dump_each(helper, loops, COUNTED)


def instructions() -> list[Found]:
    """Count and print the table."""
    calls = count_process("general_path.py", "--counted", times=COUNTED)
    over = []
    print(f"{'situation':<24}{'call':<30}{'torch':>10}{'over':>8}")
    for situation, text in dict.fromkeys(tuple(name.split("|")[:2]) for name in calls):
        theirs = calls[f"{situation}|{text}|torch's"]
        longer = calls[f"{situation}|{text}|ours"] - theirs
        over.append(Found(situation, text, theirs, longer))
        print(f"{situation:<24}{text:<30}{theirs:>10.0f}{longer:>8.0f}{'   ABOVE' if longer > IN_300_NS else ''}")
    return over


def main(argv: list[str]) -> int:
    """Measure, or count."""
    torch.set_num_threads(1)
    if argv[:1] == ["--counted"]:
        counted(argv[1])
        os._exit(0)  # the process group's threads are not waited for under valgrind
    parser = argparse.ArgumentParser(prog="general_path.py", description=__doc__.splitlines()[0])
    parser.add_argument("--instructions", action="store_true", help="count what is executed in the stead of the time")
    parser.add_argument("--only", type=json.loads, help="situations and calls, as JSON: [[situation, call], ...]")
    parser.add_argument("--json", type=Path, help="a file that takes what was found")
    options = parser.parse_args(argv)
    if options.instructions and shutil.which("valgrind") is None:
        print(MISSING, file=sys.stderr)
        return 1
    found = instructions() if options.instructions else timings(options.only)
    allowed, unit = (IN_300_NS, "instructions") if options.instructions else (ALLOWED, "ns")
    above = sum(each.over > allowed for each in found)
    median = statistics.median(each.over for each in found)
    print(f"\nmedian {median:.0f} {unit} over torch; {above} of {len(found)} calls above {allowed:g}")
    if options.json is not None:
        options.json.write_text(json.dumps([each._asdict() for each in found]))
    if dist.is_initialized():
        dist.destroy_process_group()
    return above


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
