"""The oracle: one body is run by NumPy and by the module under test, and the two outcomes are compared.

`FASTNP_TEST_MODULE=numpy` puts NumPy itself under test, which checks the tests.
"""

import contextlib
import contextvars
import functools
import importlib
import inspect
import os
import warnings
from dataclasses import dataclass

import numpy

from tests._tables import DTYPES, ELEMENTARY, TOLERANCES

under_test = importlib.import_module(os.environ.get("FASTNP_TEST_MODULE", "fastnp"))

#: How sums of a few products compare: to the last place where NumPy's BLAS fuses them, as most kernels do. Others
#: round each product first, which a sum of `0.1 * 0.1` and what it is rounded to shows.
SUMS_OF_FEW = "exact" if numpy.dot([-(0.1 * 0.1), 0.1], [1.0, 0.1]) != 0 else "sum"

#: The device that bodies are given the arrays of the module under test on; None is the default one.
_device = contextvars.ContextVar("device", default=None)


@contextlib.contextmanager
def arrays_on(device):
    """Give bodies their arrays on a device while this lasts."""
    token = _device.set(device)
    yield
    _device.reset(token)


@dataclass(frozen=True)
class Raised:
    """An exception as a user can catch it: the first public class of its type, and its text."""

    kind: type
    text: str

    @classmethod
    def by(cls, error):
        """Return the outcome of a body that raised `error`; NumPy's private classes count as their public base."""
        kind = next(kind for kind in type(error).__mro__ if not kind.__qualname__.startswith("_"))
        return cls(kind, str(error))

    def __str__(self):
        return f"{self.kind.__name__}({self.text[:100]!r})"


@dataclass(frozen=True)
class Layout:
    """A recipe for an array that is a view: `values` in C order, cut by `index`, its axes then permuted by `axes`."""

    values: numpy.ndarray
    index: tuple = ()
    axes: tuple | None = None

    def build(self, xp):
        """Return the view made by `xp`'s own indexing and `transpose`."""
        array = placed(xp, self.values)[self.index]
        return array if self.axes is None else array.transpose(self.axes)

    def __str__(self):
        return f"{self.values.dtype}{self.values.shape}[{self.index}].T{self.axes}"


def each(value, leaf):
    """Return `value` with what `leaf` makes of everything in its lists, tuples, named tuples and dicts."""
    if type(value) is list or isinstance(value, tuple):
        items = [each(item, leaf) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if type(value) is dict:
        return {key: each(item, leaf) for key, item in value.items()}
    return leaf(value)


def placed(xp, values):
    """Return NumPy's `values` as an array of `xp`'s, on the device that arrays are given on."""
    device = _device.get()
    return xp.array(values) if xp is numpy or device is None else xp.array(values, device=device)


def give(xp, argument):
    """Return `argument` for `xp`: NumPy arrays and layouts become arrays of `xp`'s own, in containers as well."""
    def given(value):
        if isinstance(value, Layout):
            return value.build(xp)
        return placed(xp, value) if isinstance(value, numpy.ndarray) else value

    return each(argument, given)


def same_bits(ours, theirs):
    """Compare an array with NumPy's to the last bit, with the order in which its elements lie."""
    ours = numpy.asarray(ours)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    steps = [[step for step, size in zip(x.strides, x.shape, strict=True) if size > 1] for x in (ours, theirs)]
    assert theirs.size == 0 or steps[0] == steps[1]
    assert ours.tobytes() == theirs.tobytes()


def host(array):
    """Return what is in `array` as a NumPy array, without a copy where there can be none."""
    if isinstance(array, numpy.ndarray | numpy.generic):
        return numpy.asarray(array)
    if array.tensor.requires_grad or not array.tensor.is_cpu:
        array = under_test.asarray(array.tensor.detach().cpu())
    return numpy.asarray(array)


def run(body, xp, *arguments, warns=False, **keywords):
    """Return what `body(xp, ...)` returns or the `Raised` it ends in, and its warnings (if asked).

    Of these the names of the categories, and their texts where `warns` is "text".
    """
    with warnings.catch_warnings(record=warns) as caught:
        warnings.simplefilter("always" if warns else "ignore")
        try:
            value = body(xp, *give(xp, arguments), **give(xp, keywords))
        except Exception as error:  # noqa: BLE001  the type is what is compared
            value = Raised.by(error)
        return value, {
            f"{record.category.__name__}: {record.message}" if warns == "text" else record.category.__name__
            for record in caught or ()
        }


def within_our_dtypes(want):
    """Return NumPy's outcome, or the `TypeError` we owe where it is an array of objects, strings, dates or records."""
    items = want if isinstance(want, list | tuple) else [want]
    foreign = any(isinstance(item, numpy.ndarray) and item.dtype not in DTYPES for item in items)
    return Raised(TypeError, "a dtype that only NumPy has") if foreign and under_test is not numpy else want


def layout_of(array):
    """Return the flags, and the strides that a program can tell apart: those of axes longer than one."""
    strides = tuple(s for s, n in zip(array.strides, array.shape, strict=True) if n > 1) if array.size else ()
    return (array.flags.c_contiguous, array.flags.f_contiguous, strides)


def brief(value):
    """Return `value` in one short line."""
    if isinstance(value, Raised):
        return str(value)
    if hasattr(value, "dtype") and hasattr(value, "shape") and not isinstance(value, type):
        array = host(value)
        return f"{array.dtype}{array.shape} {numpy.array2string(array.reshape(-1), threshold=8, edgeitems=4)}"[
            :160
        ].replace("\n", "")
    return f"{type(value).__name__} {value!r}"[:160]


def close(got, want, tolerance):
    """Tell whether two NumPy arrays of one dtype and shape hold the same values, NaN and signed zero included."""
    if numpy.ascontiguousarray(got).tobytes() == numpy.ascontiguousarray(want).tobytes():
        return True
    if want.dtype.kind == "c" and tolerance == "device":
        finite = numpy.isfinite(want)
        if not numpy.array_equal(finite, numpy.isfinite(got)):
            return False
        got, want = got[finite], want[finite]
    if want.dtype.kind == "c" and tolerance != "exact" and numpy.isfinite(want).all():
        bound = TOLERANCES[tolerance][want.real.dtype.name]
        scale = abs(want) if tolerance == "rounded" else abs(want).max(initial=0)
        return bool((abs(got - want) <= bound * scale).all())
    if want.dtype.kind == "c":
        return close(got.real, want.real, tolerance) and close(got.imag, want.imag, tolerance)
    if want.dtype.kind in "biuSUOV" and want.dtype.name not in TOLERANCES[tolerance]:
        return bool(numpy.array_equal(got, want))
    with numpy.errstate(all="ignore"):
        got, want, bound = got.astype("f8"), want.astype("f8"), TOLERANCES[tolerance].get(want.dtype.name, 0)
        same = (got == want) & ((want != 0) | (numpy.signbit(got) == numpy.signbit(want)) | (bound > 0))
        same |= numpy.isnan(got) & numpy.isnan(want)
        if bound:
            finite = numpy.isfinite(want)
            scale = abs(want) if tolerance == "rounded" else abs(want[finite]).max(initial=0)
            same |= finite & (abs(got - want) <= bound * scale)
    return bool(same.all())


def difference(got, want, tolerance="exact", layout=True):
    """Return how the outcome `got` differs from NumPy's outcome `want`, or None."""
    if isinstance(want, Raised) or isinstance(got, Raised):
        same = isinstance(got, Raised) and isinstance(want, Raised) and got.kind is want.kind
        return None if same else f"got {brief(got)}, NumPy {brief(want)}"
    if isinstance(want, list | tuple):
        if not isinstance(got, type(want) if type(want) in (list, tuple) else tuple) or len(got) != len(want):
            return f"got {brief(got)}, NumPy {brief(want)}"
        found = (difference(g, w, tolerance, layout) for g, w in zip(got, want, strict=True))
        return next((f"item {i}: {text}" for i, text in enumerate(found) if text), None)
    if isinstance(want, dict):
        return difference(sorted(got.items()), sorted(want.items()), tolerance, layout)
    if isinstance(want, numpy.ndarray | numpy.generic):
        return array_difference(got, want, tolerance, layout)
    if type(got) is not type(want) or not (got == want or (got != got and want != want)):
        return f"got {brief(got)}, NumPy {brief(want)}"
    return None


def array_difference(got, want, tolerance, layout):
    """Return how an array differs from NumPy's array or scalar in type, dtype, shape, values or layout, or None."""
    kinds = (numpy.ndarray, numpy.generic) if under_test is numpy else under_test.ndarray
    if not isinstance(got, kinds):
        return f"got a {type(got).__module__}.{type(got).__name__}: {brief(got)}, NumPy {brief(want)}"
    if got.dtype != want.dtype or got.shape != want.shape or not close(host(got), numpy.asarray(want), tolerance):
        return f"got {brief(got)}, NumPy {brief(want)}"
    if layout and isinstance(want, numpy.ndarray) and layout_of(got) != layout_of(want):
        return f"got (C, F, strides) {layout_of(got)}, NumPy {layout_of(want)}"
    return None


def compare(body, *arguments, tolerance="exact", layout=True, warns=False, **keywords):
    """Run `body(xp, *arguments)` by both modules and return how the outcomes differ, or None.

    Values are compared exactly, but for those of an elementary function that is named among the arguments.
    """
    named = [argument for argument in arguments if isinstance(argument, str) and argument in ELEMENTARY]
    if named and tolerance == "exact":
        tolerance = ELEMENTARY[named[0]]
    want, want_warned = run(body, numpy, *arguments, warns=warns, **keywords)
    got, got_warned = run(body, under_test, *arguments, warns=warns, **keywords)
    text = difference(got, within_our_dtypes(want), tolerance, layout)
    if text is None and got_warned != want_warned:
        text = f"warned {sorted(got_warned)}, NumPy {sorted(want_warned)}"
    return text


def agree(body, *arguments, **how):
    """Fail unless both modules end alike."""
    text = compare(body, *arguments, **how)
    assert text is None, text


def same_as_numpy(test=None, /, **how):
    """Turn a test that takes `xp` and returns a value into one that runs it by both modules and compares.

    Parameters
    ----------
    test : callable
        The body. It has `xp` as its first parameter, in a class as well; the others are left to pytest.
    **how
        `tolerance`, `layout` and `warns` of `compare`.
    """
    if test is None:
        return functools.partial(same_as_numpy, **how)

    @functools.wraps(test)
    def run_by_both(*instance, **keywords):
        agree(test, **keywords, **how)

    parameters = list(inspect.signature(test).parameters.values())[1:]
    if test.__qualname__ != test.__name__:
        parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
    run_by_both.__signature__ = inspect.Signature(parameters)
    del run_by_both.__wrapped__
    return run_by_both


class Cells:
    """The cells of a table: each is compared, and all that differ are reported at the end of the `with` block."""

    SHOWN = 60

    def __init__(self, **how):
        self.how = how
        self.count = 0
        self.wrong = []

    def same(self, label, body, *arguments, **how):
        """Compare one cell: `body(xp, *arguments)`."""
        self.count += 1
        text = compare(body, *arguments, **{**self.how, **how})
        if text is not None:
            self.wrong.append(f"{label}: {text}")

    def require(self, label, condition, text=""):
        """Record one cell that is not a comparison of two runs."""
        self.count += 1
        if not condition:
            self.wrong.append(f"{label}: {text}")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return
        assert self.count, "the table is empty"
        shown = self.wrong[: self.SHOWN] + (["..."] if len(self.wrong) > self.SHOWN else [])
        assert not self.wrong, f"{len(self.wrong)} of {self.count} cells differ\n" + "\n".join(shown)
