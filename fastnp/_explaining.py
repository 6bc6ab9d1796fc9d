"""What `fastnp.explain` tells: the stages of each call that a program makes, why it took its path, and their times.

A torch function mode sees every call of fastnp, so a program that does not ask pays nothing. What a call does is asked
of the functions that do it (`fastnp._core.explaining`).
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy
import torch
from torch.overrides import TorchFunctionMode

from fastnp import _fallback
from fastnp._core.dispatcher import function
from fastnp._core.explaining import (
    OPERATOR_NAMES,
    FunctionSteps,
    Steps,
    UfuncSteps,
    computes_power,
    like,
    operand_state,
    overriding,
    thread_state,
)
from fastnp._core.ndarray import ndarray
from fastnp._core.ufunc import ufunc
from fastnp._declare import COUNTERPARTS

#: The ufunc that an operator is, by the part of the operator's name that its forms share.
OPERATOR_UFUNCS = {
    "add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply, "truediv": numpy.divide,
    "floordiv": numpy.floor_divide, "mod": numpy.remainder, "pow": numpy.power, "matmul": numpy.matmul,
    "and": numpy.bitwise_and, "or": numpy.bitwise_or, "xor": numpy.bitwise_xor, "lshift": numpy.left_shift,
    "rshift": numpy.right_shift, "divmod": numpy.divmod, "neg": numpy.negative, "pos": numpy.positive,
    "abs": numpy.absolute, "invert": numpy.invert, "lt": numpy.less, "le": numpy.less_equal, "eq": numpy.equal,
    "ne": numpy.not_equal, "gt": numpy.greater, "ge": numpy.greater_equal,
}  # fmt: skip
#: Modules and chapters whose functions compute and do nothing else, so that a call can be repeated to be timed.
COMPUTING_MODULES = {"fastnp", "fastnp.fft", "fastnp.linalg"}
ACTING_CHAPTERS = {f"fastnp._routines.{name}" for name in ("fallback", "functional", "io", "printing", "settings")}


class Stage(NamedTuple):
    """One stage of a call."""

    name: str
    nanoseconds: float
    what: str


class ExplainedCall(NamedTuple):
    """One call of fastnp."""

    title: str
    path: str
    reasons: list[str]
    stages: list[Stage]
    nanoseconds: float

    def __str__(self):
        width = max([len(stage.name) for stage in self.stages], default=0)
        lines = [f"{self.title}: {self.nanoseconds:,.0f} ns", f"  path: {self.path}"]
        lines += [f"  because {reason}" for reason in self.reasons]
        lines += [f"  {stage.name:<{width}} {stage.nanoseconds:>9,.0f} ns  {stage.what}" for stage in self.stages]
        return "\n".join(lines)


class Explanation:
    """What the calls of a program did.

    Attributes
    ----------
    calls : list of ExplainedCall
        Each with its `title`, `path`, `reasons`, `stages` (name, nanoseconds, what) and `nanoseconds`.
    """

    __module__ = "fastnp"

    def __init__(self, calls: list[ExplainedCall]) -> None:
        self.calls = calls

    def __str__(self):
        if not self.calls:
            return "no call of fastnp"
        return "\n\n".join(f"{number}. {call}" for number, call in enumerate(self.calls, 1))

    def __repr__(self):
        return f"<Explanation of {len(self.calls)} calls>"

    def plot(self, path: str | Path) -> None:
        """Draw the calls as a timeline.

        Parameters
        ----------
        path : str or Path
            File of the picture; its suffix is the format. Needs matplotlib.
        """
        importlib.import_module("fastnp._timeline").draw(self.calls, path)


class Recorder(TorchFunctionMode):
    """Takes each call of fastnp apart, right after it has been made."""

    def __init__(self, repeat: int) -> None:
        super().__init__()
        self.repeat = repeat
        self.calls: list[ExplainedCall] = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Make the call, then explain it."""
        kwargs = kwargs or {}
        if not is_ours(func):
            return func(*args, **kwargs)
        given = arguments_of(func, args, kwargs)
        # What the call changes it changes now: states are those before it.
        with torch._C.DisableTorchFunction():
            # Attributes are calls, too, and nobody else is to hear of these.
            title = title_of(func, args, kwargs)
            states = [operand_state(value) for value in given] if is_elementwise(func) else []
        asked = [f"{kind.__qualname__}.__torch_function__" for kind in listening()]
        asked += [kind.__qualname__ for kind in overriding(overridable(func, args, kwargs))]
        fallen = len(_fallback.records)
        alone = Steps(func, args, kwargs)
        result, nanoseconds = alone.make()
        by_numpy = _fallback.records[fallen:]
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.calls.append(self.explained(title, func, args, kwargs, states, asked, by_numpy, nanoseconds))
        del _fallback.records[fallen + len(by_numpy):]
        return result

    def explained(self, title, func, args, kwargs, states, asked, by_numpy, once) -> ExplainedCall:
        """Return what a call did."""
        if asked:
            what = f"asked: {', '.join(asked)}"
            return ExplainedCall(title, "overridden", [f"{name} is asked before fastnp computes" for name in asked],
                                 [Stage("overrides", once, what)], once)
        if is_elementwise(func):
            return self.of_ufunc(title, func, args, kwargs, states)
        if isinstance(func, function):
            return self.of_function(title, func, args, kwargs, by_numpy, once)
        name = getattr(func, "__name__", "")
        if isinstance(getattr(func, "__self__", None), ufunc):
            return ExplainedCall(title, f"a method of the ufunc {func.__self__.__name__}", thread_state(),
                                 [Stage("body", once, "run once")], once)
        if name == "__getitem__":
            once = Steps(func, args, kwargs, OPERATOR_NAMES.index("getitem")).nanoseconds("whole", self.repeat)
        return ExplainedCall(title, "the array's own slot or attribute", thread_state(),
                             [Stage("body", once, "")], once)

    # --- ufuncs and operators ---

    def of_ufunc(self, title, func, args, kwargs, states) -> ExplainedCall:
        made, inputs, outs, where, options, operator = ufunc_call(func, args, kwargs)
        if outs is not None:
            # In place, a second run would compute something else: the ufunc itself, into arrays of their own.
            copies = tuple(None if out is None else copied(out) for out in outs)
            timed = {**(options or {}), "out": copies if len(copies) > 1 else copies[0]}
            if where is not True:
                timed["where"] = where
            steps = UfuncSteps(made, inputs, copies, where, options, made, inputs, timed, -1)
        else:
            steps = UfuncSteps(made, inputs, outs, where, options, func, args, kwargs, operator)
        return self.by_steps(title, made, steps, states, outs, where, options)

    def by_steps(self, title, made, steps, states, outs, where, options) -> ExplainedCall:
        whole = steps.nanoseconds("whole", self.repeat)
        name = made.__name__
        reasons = [*thread_state(), *(f"operand {place} ({kind}) {reason}"
                                      for place, (kind, *_, reason) in enumerate(states, 1) if reason)]
        if made.signature is not None:
            overrides = Stage("overrides", steps.nanoseconds("overrides", self.repeat), "nobody listens")
            path = "torch" if not steps.plain else "torch's BLAS on plain memory" if steps.large_product else (
                "NumPy's products on plain memory")
            return finished(title, path, reasons, [overrides], whole, "operation", path)
        if steps.quick:
            loop = loop_named(name, steps)
            wrap = Stage("wrap", 0.0 if outs else steps.nanoseconds("allocate", self.repeat), "a header and its memory")
            if steps.scalars:
                return finished(title, "quick: two scalars, without a loop", reasons, [wrap], whole, "look",
                                "looked at and computed")
            stages = [Stage("loop", steps.nanoseconds("loop", self.repeat), loop), wrap]
            memory = "on operands that are cast before" if casts(made, states, steps.loop_dtypes) else (
                "on the memory as it lies")
            return finished(title, f"quick: {loop}, {memory}", reasons, stages, whole, "look",
                            "parse, overrides, convert and promote in one look at operands and thread")
        stages = [
            Stage("overrides", steps.nanoseconds("overrides", self.repeat), "nobody listens"),
            Stage("convert", steps.nanoseconds("convert", self.repeat), "each operand looked at"),
        ]
        if not steps.plain:
            operation = torch_name(steps.torch_function)
            stages += [
                Stage("promote", steps.nanoseconds("promote", self.repeat), "asked of NumPy"),
                Stage("operation", steps.nanoseconds("torch", self.repeat), operation),
            ]
            return finished(title, f"torch: {operation}", reasons, stages, whole, "rest", "parse, casts and wrap")
        stages.append(Stage("promote", steps.nanoseconds("promote", self.repeat), "found in the ufunc's table"))
        reasons += not_quick(made, states, steps.loop_dtypes, outs, where, options)
        if not steps.by_loop:
            return finished(title, f"NumPy's own {name} on the same memory", reasons, stages, whole, "operation",
                            f"numpy.{name}, with parse and wrap")
        loop = loop_named(name, steps)
        stages.append(Stage("loop", steps.nanoseconds("engine", self.repeat), f"{loop}, with the result's memory"))
        return finished(title, f"the iteration engine with {loop}", reasons, stages, whole, "rest", "parse and wrap")

    # --- declared functions and methods ---

    def of_function(self, title, func, args, kwargs, by_numpy, once) -> ExplainedCall:
        steps = FunctionSteps(func, args, kwargs)
        if steps.writes:
            args, kwargs = tuple(map(copied, args)), {name: copied(value) for name, value in kwargs.items()}
            steps = FunctionSteps(func, args, kwargs)
        reasons = list(thread_state())
        for name, value in steps.relevant().items():
            for member in value if type(value) in (list, tuple) else [value]:
                if isinstance(member, (ndarray, torch.Tensor, numpy.ndarray)):
                    kind, *_, reason = operand_state(member)
                    reasons += [f"{name} ({kind}) {reason}"] * bool(reason)
        parse = Stage("parse", steps.nanoseconds("parse", self.repeat), "arguments bound to slots")
        overrides = Stage("overrides", steps.nanoseconds("overrides", self.repeat), "nobody listens")
        if by_numpy:
            reasons.append("torch has no kernel for this call")
            theirs = Stage("operation", by_numpy[0].seconds * 1e9, f"numpy's {by_numpy[0].name}, run once")
            return finished(title, "NumPy, on the arrays' own memory (a fallback, recorded)", reasons,
                            [parse, overrides, theirs], once, "rest", "views for NumPy, and wrap")
        if func.__module__ not in COMPUTING_MODULES or steps.chapter in ACTING_CHAPTERS:
            return finished(title, "its own body, which does more than compute: run once", reasons, [parse, overrides],
                            once, "body", "")
        path = steps.path()
        whole = steps.nanoseconds("whole", self.repeat)
        if path == "compiled":
            body = Stage("body", steps.nanoseconds("compiled", self.repeat), "convert, promote and compute in one")
            path = "the compiled body, which goes on to torch" if reasons else "the compiled body"
            return finished(title, path, reasons, [parse, overrides, body], whole, "wrap", "")
        if path in ("composed", "general"):
            body = Stage("body", steps.nanoseconds(path, self.repeat), f"{func.composed.__module__}, on arrays")
            return finished(title, "the composed body, made of fastnp's own functions", reasons,
                            [parse, overrides, body], whole, "wrap", "")
        if path == "host":
            theirs = steps.nanoseconds("host", self.repeat)
            body = Stage("operation", theirs, "NumPy's function on views, its result taken over")
            return finished(title, "NumPy's function as the kernel of plain arrays", reasons, [parse, overrides, body],
                            whole, "wrap", "")
        if steps.has_compiled:
            reasons.append("the compiled body declined the call")
        if steps.has_host:
            reasons.append("NumPy's function takes plain arrays of the CPU only")
        stages = [
            parse, overrides,
            Stage("convert", steps.nanoseconds("convert", self.repeat), "arguments as the annotations ask"),
            Stage("body", steps.nanoseconds("body", self.repeat), f"{steps.chapter}, by calls of torch"),
            Stage("wrap", steps.nanoseconds("wrap", self.repeat), "tensors as arrays"),
        ]  # fmt: skip
        return finished(title, "the Python body, on torch", reasons, stages, whole, "rest", "what was declined before")


def finished(title, path, reasons, stages, whole, rest, what) -> ExplainedCall:
    """Return the call with what its stages leave of the whole time as one more stage."""
    left = max(whole - sum(stage.nanoseconds for stage in stages), 0.0)
    stages = [*stages, Stage(rest, left, what)]
    if rest == "look":
        stages.insert(0, stages.pop())
    return ExplainedCall(title, path, reasons, stages, max(whole, sum(stage.nanoseconds for stage in stages)))


def dtypes_of(states) -> set:
    """Return the dtypes of the operands that have one."""
    return {dtype for kind, dtype, *_ in states if kind not in ("Python scalar", "object")}


def loop_named(name, steps) -> str:
    """Return whose loop a call of a ufunc runs, and for which dtypes."""
    whose = "fastnp's" if steps.own_loop else "NumPy's"
    return f"{whose} loop of {name} for {', '.join(steps.loop_dtypes)}"


def casts(made, states, loop_dtypes) -> bool:
    """Whether an operand has another dtype than the loop."""
    dtypes = dtypes_of(states)
    return loop_dtypes is not None and (
        len(dtypes) > 1 or any(dtype not in loop_dtypes[: made.nin] for dtype in dtypes))


def not_quick(made, states, loop_dtypes, outs, where, options) -> list[str]:
    """Say why a call on plain operands was none for the quick path."""
    reasons = []
    if options:
        reasons.append(f"of the keywords {', '.join(options)}")
    if where is not True and where is not None:
        reasons.append("of where=")
    if made.nout > 1:
        reasons.append(f"{made.__name__} has {made.nout} results")
    if casts(made, states, loop_dtypes):
        dtypes = " and ".join(sorted(map(str, dtypes_of(states))))
        reasons.append(f"the dtypes {dtypes} are cast to {loop_dtypes[0]} for the loop")
    shapes = [shape for kind, _, shape, *_ in states if kind not in ("Python scalar", "object")]
    if len(set(shapes)) > 1:
        reasons.append(f"of broadcasting {' with '.join(map(str, shapes))}")
    reasons += [f"operand {place} is strided" for place, state in enumerate(states, 1)
                if state[2] is not None and not state[3]]
    reasons += [f"operand {place} is a {kind}" for place, (kind, *_, reason) in enumerate(states, 1)
                if kind not in ("ndarray", "Python scalar") and not reason]
    if outs is not None and not reasons:
        reasons.append("out= is not an array of the operands' shape and of the loop's dtype that lies apart")
    if not reasons and shapes:
        reasons.append(f"there are {max(numpy.prod(shape, dtype=int) for shape in shapes):,} elements: "
                       "the quick path is for fewer; the engine splits a loop among threads, and writes past the cache")
    return reasons


# --- the functions that modes see ------------------------------------------------------------------------------------


def is_ours(func: Any) -> bool:
    """Return whether a function is fastnp's, not torch's."""
    owner = getattr(func, "__objclass__", None) or getattr(getattr(func, "__self__", None), "__objclass__", None)
    module = getattr(func, "__module__", None) or getattr(owner, "__module__", None) or ""
    return module.partition(".")[0] == "fastnp"


def operator_of(func: Any) -> tuple[str, str]:
    """Return the form ("", "r" or "i") and the name of the ufunc's operator that a function of the array is."""
    name = getattr(func, "__name__", "")
    if getattr(func, "__objclass__", None) is not ndarray or not name.startswith("__"):
        return "", ""
    bare = name.strip("_")
    if bare in OPERATOR_UFUNCS:
        return "", bare
    return (bare[0], bare[1:]) if bare[1:] in OPERATOR_UFUNCS and bare[0] in "ri" else ("", "")


def is_elementwise(func: Any) -> bool:
    """Return whether a call of the function is a call of a ufunc."""
    return isinstance(func, ufunc) or operator_of(func)[1] != ""


def ufunc_call(func, args, kwargs):
    """Return (ufunc, inputs, outs, where, options, operator) of a call of a ufunc or operator."""
    if isinstance(func, ufunc):
        options = dict(kwargs)
        where, outs = options.pop("where", True), options.pop("out", None)
        if outs is not None and type(outs) is not tuple:
            outs = (outs,)
        if len(args) > func.nin:
            outs = args[func.nin:] + (None,) * (func.nin + func.nout - len(args))
        return func, args[: func.nin], outs, where, options or None, -1
    form, name = operator_of(func)
    made = COUNTERPARTS[OPERATOR_UFUNCS[name]]
    if name == "pow" and form != "r":
        made = computes_power(*args[:2]) or made
    inputs = args[: made.nin]
    operator = OPERATOR_NAMES.index(name) if name in OPERATOR_NAMES and form == "" else -1
    return made, inputs[::-1] if form == "r" else inputs, (args[0],) if form == "i" else None, True, None, operator


def arguments_of(func, args, kwargs) -> tuple[Any, ...]:
    """Return the operands of a call of a ufunc."""
    return ufunc_call(func, args, kwargs)[1] if is_elementwise(func) else ()


def overridable(func, args, kwargs) -> list[Any]:
    """Return the arguments whose types are asked before a call."""
    if is_elementwise(func):
        _, inputs, outs, *_ = ufunc_call(func, args, kwargs)
        return [*inputs, *(outs or ())]
    if isinstance(func, function):
        return list(FunctionSteps(func, args, kwargs).relevant().values())
    return list(args[:1])


def listening() -> list[type]:
    """Return the modes that a call of the program is told before and after the recorder."""
    found = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code is not explained.__code__:
        mode = frame.f_locals.get("self") if frame.f_code.co_name == "__torch_function__" else None
        if isinstance(mode, TorchFunctionMode):
            found.append(type(mode))
        frame = frame.f_back
    stack = [torch._C._get_function_stack_at(index) for index in range(torch._C._len_torch_function_stack())]
    return found + [type(mode) for mode in reversed(stack) if type(mode) is not torch.utils._device.DeviceContext]


def copied(value: Any) -> Any:
    """Return an array's copy, and anything else as it is."""
    if isinstance(value, ndarray):
        return like(value)
    if isinstance(value, numpy.ndarray):
        return value.copy()
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return tuple(map(copied, value)) if type(value) is tuple else value


def title_of(func, args, kwargs) -> str:
    """Return a call as text, each array by its dtype and shape."""
    owner = getattr(func, "__objclass__", None)
    name = getattr(func, "__qualname__", None) or getattr(func, "__name__", repr(func))
    if owner is not None:
        name = f"{owner.__name__}.{getattr(func, '__name__', name)}"
    if isinstance(getattr(func, "__self__", None), ufunc):
        name = f"{func.__self__.__name__}.{func.__name__}"
    shown = [described(value) for value in args] + [f"{name}={described(value)}" for name, value in kwargs.items()]
    return f"{name}({', '.join(shown)})"


def described(value: Any) -> str:
    """Return an argument in a few characters."""
    if isinstance(value, (ndarray, numpy.ndarray, torch.Tensor)):
        return f"{type(value).__name__} {str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    text = repr(value)
    return text if len(text) < 40 else f"{text[:37]}..."


def torch_name(operation: Any) -> str:
    """Return where a torch function, or the body that composes it, is found."""
    module = getattr(operation, "__module__", None) or "torch"
    if module.startswith("torch"):
        return f"torch.{operation.__name__}"
    return f"{module}.{operation.__qualname__}"


def explained(program: Callable[[], Any], repeat: int) -> Explanation:
    """Return what the calls of a program did; the median of each stage is taken from `repeat` measurements."""
    with Recorder(repeat) as recorder:
        program()
    return Explanation(recorder.calls)
