"""Objects that raise, lie or never end, as each argument of every public function: NumPy's error, in bounded time.

Each positional argument of a call that NumPy takes is replaced by each object. Where NumPy ends, we end; where it
raises, we do, of the same type unless the error is the object's own.
"""

import functools

import hypothesis
import numpy
import pytest

import fastnp
from tests._oracle import Raised, difference, give, run, within_our_dtypes
from tests.conformance._odd_calls import base
from tests.conformance._strategies import TOLERANCE
from tests.conformance.test_odd_calls import SECONDS, SOME, TooLongError, in_time

MEMORY = 6 << 30  # address space that a call may ask for besides what the process has
#: What gives the objects back, or a text with their address, which tells one from another.
GIVES_BACK = ("polynomial.polyutils.format_float", "polynomial.polyutils.trimseq")
NAMES = [name for name in SOME if name not in GIVES_BACK]
#: `make fuzz` tries each object in each place; the suite every sixth, another one for each function.
STEP = 1 if hypothesis.settings.get_current_profile_name() == "fuzz" else 6


class HostileError(Exception):
    """What hostile objects raise."""


class Hostile:
    """Any of the objects."""


def refuse(*_, **__):
    raise HostileError


def hostile(**methods):
    """Return a maker of objects that have these methods."""
    return type("Object", (Hostile,), methods)


def one(self, index):
    return 1.0


def itself(self, index):
    if index:
        raise IndexError
    return self


def endless(self):
    while True:  # not a C iterator, which would not look at signals
        yield 1.0


class Long(list):
    """A list that says it is longer than it is."""

    def __len__(self):
        return 7


def within_itself(times=1):
    """Return a list whose items are the list."""
    items = []
    items += [items] * times
    return items


def deep():
    """Return a number in more lists than there are frames."""
    value = 1.0
    for _ in range(100_000):
        value = [value]
    return value


def emptying():
    """Return a list that is empty as soon as its middle is read."""
    items = [1.0, 3.0]

    def empty(self):
        items.clear()
        return 1

    items.insert(1, hostile(__float__=empty, __index__=empty)())
    return items


OBJECTS = {
    "array raises": hostile(__array__=refuse),
    "array is text": hostile(__array__=lambda self, dtype=None, copy=None: "text"),
    "array is itself": hostile(__array__=lambda self, dtype=None, copy=None: self),
    "interface is nonsense": hostile(__array_interface__={"shape": (-3,), "typestr": "nonsense", "version": 9}),
    "interface raises": hostile(__array_interface__=property(refuse)),
    "interface without memory": hostile(__array_interface__={"shape": (3,), "typestr": "<f8", "version": 3}),
    "length raises": hostile(__len__=refuse, __getitem__=one),
    "length is negative": hostile(__len__=lambda self: -5, __getitem__=one),
    "length is text": hostile(__len__=lambda self: "text", __getitem__=one),
    "length is huge": hostile(__len__=lambda self: 2**62, __getitem__=refuse),
    "items raise": hostile(__len__=lambda self: 3, __getitem__=refuse),
    "items are itself": hostile(__len__=lambda self: 1, __getitem__=itself),
    "never ends": hostile(__iter__=endless),
    "iteration raises": hostile(__iter__=refuse),
    "numbers raise": hostile(__float__=refuse, __index__=refuse, __complex__=refuse, __int__=refuse, __bool__=refuse),
    "number is text": hostile(__float__=lambda self: "text", __index__=lambda self: "text", __bool__=lambda self: 3),
    "attributes raise": hostile(__getattr__=refuse),
    "comparisons raise": hostile(__eq__=refuse, __hash__=refuse, __lt__=refuse),
    "within itself": within_itself,
    "twice within itself": lambda: within_itself(2),
    "deep": deep,
    "numbers raise in a list": lambda: [OBJECTS["numbers raise"](), 1.0],
    "arrays raise in a list": lambda: [OBJECTS["array raises"](), [1.0]],
    "longer than it is": lambda: Long([1.0, 2.0]),
    "empties itself": emptying,
    "NaN": lambda: float("nan"),
    "huge": lambda: 2**70,
    "least": lambda: -(2**63),
}
PATIENCE = 0.5  # seconds that NumPy has: what it does not end by then, it does not end
#: What NumPy looks into for ever, or counts on and loses its process.
NOT_ASKED = {"twice within itself", "length is huge"}
#: What is nested deeper than an array can be, we refuse wherever it stands.
NESTED = {"within itself", "twice within itself", "deep"}
#: Cells that differ: NumPy asks who overrides the call, or asks for what only arrays have, before it reads the
#: argument; the least integer is out of bounds for us, too large for NumPy; as a power, it gives None there.
KNOWN = {
    "expand_dims 1": ("least",),
    "lexsort 0": ("length is negative",),
    "linalg.matrix_power 1": ("least",),
    "moveaxis 1": ("least",),
    "moveaxis 2": ("least",),
    "row_stack 0": ("numbers raise in a list", "empties itself"),
    "swapaxes 1": ("least",),
    "swapaxes 2": ("least",),
    "trim_zeros 0": ("numbers raise in a list", "empties itself"),
}
#: What NumPy does not end, without a look at signals.
UNENDING = {"reshape 1": ("length is negative", "length is text", "never ends")}
#: Errors of the object itself, and of what it takes: who asks for what first is nobody's promise.
OWN = (HostileError, MemoryError, RecursionError)


pytestmark = pytest.mark.usefixtures("bounded_memory")


def public(name):
    """Return what finds the function of a name in NumPy, or in ours."""
    def find(xp):
        return functools.reduce(getattr, name.split("."), xp)
    return find


def outcome(find, xp, positional, place, keywords, make, seconds):
    """Return what a call ends in with a hostile object in one place."""
    arguments = list(give(xp, positional))
    arguments[place] = make()

    def body(xp):
        return find(xp)(*arguments, **give(xp, keywords))

    with in_time(seconds):
        return run(body, xp)[0]


def fault(find, positional, place, keywords, label, patience=PATIENCE, tolerance="exact"):
    """Return what is wrong with the outcome of a hostile call, or None."""
    make, want = OBJECTS[label], None
    if label not in NOT_ASKED:
        try:
            want = within_our_dtypes(outcome(find, numpy, positional, place, keywords, make, patience))
        except TooLongError:
            return None
    try:
        got = outcome(find, fastnp, positional, place, keywords, make, SECONDS)
    except TooLongError:
        return f"takes more than {SECONDS} s"
    if label in NOT_ASKED:
        return None
    if isinstance(got, Raised) and got.kind is ValueError and label in NESTED:
        return None
    if isinstance(got, Raised) and (issubclass(got.kind, OWN) or "cannot hold" in got.text or "not None" in got.text):
        return None
    if isinstance(want, Hostile) and isinstance(got, Hostile):
        return None
    if isinstance(want, Raised) and issubclass(want.kind, OWN) and isinstance(got, Raised):
        return None
    if isinstance(want, Raised) and isinstance(got, Raised) and issubclass(got.kind, want.kind):
        return None
    return difference(got, want, layout=False, tolerance=tolerance)


def fault_of(name, *call):
    """Return what is wrong with the outcome of a hostile call of a public function, or None."""
    return fault(public(name), *call, tolerance=TOLERANCE.get(name, "exact"))


@pytest.mark.parametrize("name", NAMES)
def test_hostile_objects(name):
    found = base(name)
    if found is None:
        pytest.skip("NumPy took no call that was drawn")
    positional, keywords = found
    labels = [(place, label) for place in range(len(positional)) for label in OBJECTS
              if label not in KNOWN.get(f"{name} {place}", ()) + UNENDING.get(f"{name} {place}", ())]
    faults = {f"{place}: {label}": fault_of(name, positional, place, keywords, label)
              for place, label in labels[len(name) % STEP::STEP]}
    assert {cell: text for cell, text in faults.items() if text is not None} == {}


@pytest.mark.parametrize("place", KNOWN)
def test_known_differences_differ(place):
    """A cell that no longer differs is taken off the list."""
    name, _, number = place.rpartition(" ")
    positional, keywords = base(name)
    same = [label for label in KNOWN[place]
            if fault_of(name, positional, int(number), keywords, label, SECONDS) is None]
    assert same == []
