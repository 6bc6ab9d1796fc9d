"""What overrides cost, side by side in one run: `python asv_bench/override_costs.py`, or `make bench-overrides`.

Instructions of the check for each plain array among the arguments; dispatch to a hook that does nothing beside NumPy's
`__array_function__` and torch's `__torch_function__`; results of subclasses beside NumPy's and beside plain arrays. The
exit status is the number of rows that lie above what is allowed.
"""

import gc
import shutil
import statistics
import sys

import numpy
import torch
from counted import dump_each
from instructions import MISSING, count_process
from libraries import load
from timing import Effort, interleaved, ratio

TIMES = 4000
CHECKED = 8
PARAMETERS = "abcdefgh"


class Hook:
    """An object that answers fastnp's and torch's functions by doing nothing."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return None


class NumPyHook:
    """The same for NumPy's functions."""

    def __array_function__(self, func, types, args, kwargs):
        return None

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return None


def with_info(base):
    """Return a subclass whose `__array_finalize__` is written in Python: the one of issue 22402 of torch."""

    class Info(base):
        def __array_finalize__(self, source):
            if source is None:
                return
            self.info = getattr(source, "info", None)

    return Info


def operands():
    """Return the names that the expressions of the table use."""
    np = load("fastnp").module
    x, y, t = np.ones(3), numpy.ones(3), torch.ones(3, dtype=torch.float64)
    return {
        "np": np, "numpy": numpy, "torch": torch, "x": x, "y": y, "t": t, "h": Hook(), "n": NumPyHook(),
        "s": x.view(type("Sub", (np.ndarray,), {})), "f": x.view(with_info(np.ndarray)),
        "g": y.view(with_info(numpy.ndarray)),
    }


#: Expression, what it is measured against, and how many times as long it may take.
ROWS = (
    ("np.sum(h)", "numpy.sum(n)", 0.7),
    ("np.sum(h)", "torch.sum(h)", 0.3),
    ("np.reshape(h, 3)", "numpy.reshape(n, 3)", 0.7),
    ("np.reshape(h, 3)", "torch.reshape(h, (3,))", 0.3),
    ("np.concatenate((x, h))", "numpy.concatenate((y, n))", 0.7),
    ("np.concatenate((x, h))", "torch.cat((t, h))", 0.3),
    ("np.add(x, h)", "numpy.add(y, n)", 0.7),
    ("np.add(x, h)", "torch.add(t, h)", 0.3),
    ("x + h", "y + n", 0.7),
    ("x + h", "t + h", 0.3),
    ("f + f", "g + g", 1.0),
    ("s + s", "x + x", 1.3),
)


def loop_of(expression, names, clock):
    """Return a loop that evaluates an expression, with its names as locals."""
    used = [name for name in names if name in expression]
    scope = {"clock": clock}
    exec(
        f"def loop(times, {', '.join(f'{name}={name}' for name in used)}):\n"
        "    start = clock()\n"
        "    for _ in range(times):\n"
        f"        {expression}\n"
        "    return clock() - start\n",
        {**names, **scope}, scope,
    )
    return scope["loop"]


def timings() -> int:
    """Print the table of times and return how many rows lie above what is allowed."""
    effort = Effort(rounds=25)
    names = operands()
    expressions = list(dict.fromkeys(part for row in ROWS for part in row[:2]))
    samples = interleaved({part: loop_of(part, names, effort.clock) for part in expressions}, effort)
    above = 0
    print(f"{'call':<26}{'ns':>7}   {'against':<26}{'ns':>7}{'ratio':>8}{'allowed':>9}")
    for ours, theirs, allowed in ROWS:
        over = ratio(samples[ours], samples[theirs])
        above += over > allowed
        print(
            f"{ours:<26}{statistics.median(samples[ours]) * 1e9:>7.0f}   {theirs:<26}"
            f"{statistics.median(samples[theirs]) * 1e9:>7.0f}{over:>8.2f}{allowed:>9.2f}"
            f"{'   ABOVE' if over > allowed else ''}"
        )
    return above


def counted(helper: str) -> None:
    """Run calls that check eight arrays and calls that check none, to be counted by callgrind."""
    np = load("fastnp").module
    from_declare = sys.modules["fastnp._declare"]
    vocabulary = sys.modules["fastnp._typing"]
    arguments = ", ".join(PARAMETERS)
    functions = {}
    for name, annotation in (("checked", ": NDArrayLike"), ("unchecked", "")):
        scope = {"NDArrayLike": vocabulary.NDArrayLike}
        exec(f"def {name}({', '.join(f'{p}{annotation}' for p in PARAMETERS)}): return None", scope)
        plan = from_declare.plan_of(name, scope[name])
        functions[name] = from_declare.function(plan, scope[name])
    scope = {"x": np.ones(3)}
    loops = {}
    for name, function in functions.items():
        scope["function"] = function
        exec(
            f"def loop(times, function=function, {', '.join(f'{p}=x' for p in PARAMETERS)}):\n"
            f"    for _ in range(times):\n        function({arguments})\n", scope,
        )
        loops[name] = scope["loop"]
        loops[name](300)
    gc.collect()
    gc.freeze()
    gc.disable()
    dump_each(helper, loops, TIMES)


def instructions() -> int:
    """Print the instructions of the check and return whether they are more than allowed."""
    if shutil.which("valgrind") is None:
        print(MISSING, file=sys.stderr)
        return 1
    calls = count_process("override_costs.py", "--counted", times=TIMES)
    cost = (calls["checked"] - calls["unchecked"]) / CHECKED
    print(
        f"\na call with {CHECKED} arrays that may override it: {calls['checked']:.0f} instructions; with none of them "
        f"asked: {calls['unchecked']:.0f}; for each array {cost:.1f} (allowed: 15){'   ABOVE' if cost > 15 else ''}"
    )
    return cost > 15


def main(argv: list[str]) -> int:
    """Measure."""
    if argv[:1] == ["--counted"]:
        counted(argv[1])
        return 0
    torch.set_num_threads(1)
    return timings() + instructions()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
