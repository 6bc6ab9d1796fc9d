"""Odd calls of every public function, on plain arrays and where nothing is plain: NumPy's answer or type of error.

`odd_calls.txt` lists the cells that differ, by path and function; one that is there and no longer differs fails.
`python -m tests.conformance.test_odd_calls` writes it.
"""

import contextlib
import gc
import signal
import sys
from pathlib import Path

import numpy
import pytest

import fastnp
from tests._core.test_paths import PassingDispatchMode
from tests._oracle import Raised, difference, give, run, within_our_dtypes
from tests.conformance._odd_calls import odd_calls
from tests.conformance._strategies import TOLERANCE
from tests.conformance.test_oracle import NAMES

LISTED = Path(__file__).with_name("odd_calls.txt")
#: NumPy's draws from some of these distributions never end, and do not look at signals.
SOME = [name for name in NAMES if not name.startswith("random.")]
PATHS = {"plain": contextlib.nullcontext, "mode": PassingDispatchMode}
SECONDS = 2
"""How long one call may take, NumPy's or ours. One that NumPy does not end is none to compare."""


class TooLongError(BaseException):
    """A call has not ended in time; no `except Exception` keeps it."""


def stop(*_):
    raise TooLongError


@contextlib.contextmanager
def in_time(seconds=SECONDS):
    """Let what runs inside take so many seconds."""
    before, collects = signal.signal(signal.SIGALRM, stop), gc.isenabled()
    gc.disable()  # what is raised in a callback of the collector's stops nothing, and is a warning
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if collects:
            gc.enable()


def outcome(name, xp, positional, keywords):
    """Return what a call ends in, and what became of its arguments."""
    positional, keywords = give(xp, positional), give(xp, keywords)

    def body(xp):
        function = xp
        for part in name.split("."):
            function = getattr(function, part)
        return function(*positional, **keywords)

    with in_time():
        found = run(body, xp)[0]
    if name == "unique_values" and not isinstance(found, Raised):
        found = xp.sort(found)  # NumPy: in the order of a hash table, which is that of no promise
    return found, [positional, keywords.get("out")]


def differs(name, path, positional, keywords):
    """Return how a call on a path differs from NumPy's, or None."""
    try:
        want, kept = outcome(name, numpy, positional, keywords)
    except TooLongError:
        return None
    try:
        with PATHS[path]():
            got, left = outcome(name, fastnp, positional, keywords)
    except TooLongError:
        return f"takes more than {SECONDS} s"
    want = within_our_dtypes(want)
    if name == "linalg.svd" and path == "mode" and isinstance(want, tuple) and isinstance(got, tuple):
        # torch computes, whose singular vectors have other signs.
        want, got = [abs(part) for part in want], [abs(part) for part in got]
    how = {"layout": False, "tolerance": TOLERANCE.get(name, "exact") if path == "plain" else "sum"}
    if isinstance(got, Raised) and got.kind is TypeError and ("cannot hold" in got.text or "not None" in got.text):
        return None  # objects, text and dates, which only NumPy's arrays are of
    if isinstance(want, Raised) and isinstance(got, Raised):
        text = None if issubclass(got.kind, want.kind) else f"got {got}, NumPy {want}"
    else:
        text = difference(got, want, **how)
    # NumPy: what `overwrite_input` leaves of the input is no promise.
    if text is None and "overwrite_input" not in keywords and (isinstance(got, Raised) or not isinstance(want, Raised)):
        text = difference(left, kept, **how)
        return text and f"arguments afterwards: {text}"
    return text


def cells(name):
    """Yield (path, label, how it differs) of the cells of a function that differ."""
    for label, positional, keywords in odd_calls(name):
        for path in PATHS:
            text = differs(name, path, positional, keywords)
            if text is not None:
                yield path, label, text


def listed():
    """Return the cells that are known to differ: name -> {(path, label)}."""
    found = {}
    for line in LISTED.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(": ")
            path, _, labels = rest.partition(": ")
            found.setdefault(name, set()).update((path, label) for label in labels.split("; "))
    return found


KNOWN = listed()


@pytest.mark.parametrize("name", SOME)
def test_odd_calls(name):
    found = {(path, label): text for path, label, text in cells(name)}
    new = {cell: text for cell, text in found.items() if cell not in KNOWN.get(name, set())}
    assert new == {}
    assert KNOWN.get(name, set()) - set(found) == set(), "no longer different: take them off the list"


def test_list_is_of_functions():
    assert set(KNOWN) - set(SOME) == set()


if __name__ == "__main__":
    LINES = {}
    for NAME in sys.argv[1:] or SOME:
        for PATH, LABEL, TEXT in cells(NAME):
            print(f"{NAME}: {PATH}: {LABEL}: {TEXT}".replace("\n", " ")[:300], flush=True)
            LINES.setdefault((NAME, PATH), []).append(LABEL)
    if not sys.argv[1:]:
        FILE = [line for line in LISTED.read_text().splitlines() if line.startswith("#")]
        FILE += [f"{name}: {path}: {'; '.join(labels)}" for (name, path), labels in sorted(LINES.items())]
        LISTED.write_text("\n".join(FILE) + "\n")
