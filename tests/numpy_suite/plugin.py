"""Loaded into the pytest of one file: says what is out of scope, and writes each outcome down at once."""

import inspect
import json
import os
import sys
import textwrap
from pathlib import Path

from tests.numpy_suite.scope import category_of_argument, category_of_source

outcomes = open(os.environ["NUMPY_SUITE_OUTCOMES"], "a", buffering=1)  # noqa: SIM115  it lives as long as pytest
left_out = os.environ.get("NUMPY_SUITE_LEFT_OUT")


def write(outcome, nodeid, text=""):
    """Write down one line."""
    outcomes.write(json.dumps([outcome, nodeid.partition("::")[2], text]) + "\n")


def category_of(item):
    """Return the category that takes a test out of scope, or None."""
    try:
        source = textwrap.dedent(inspect.getsource(item.function))
    except (AttributeError, OSError, TypeError):
        source = ""
    callspec = getattr(item, "callspec", None)
    return category_of_source(source) or category_of_argument(list(callspec.params.values()) if callspec else [])


def pytest_collection_modifyitems(items):
    """Drop the named tests; where none are named, those out of scope, which are written down."""
    if left_out is not None:
        dropped = set(json.loads(Path(left_out).read_text()))
        items[:] = [item for item in items if item.nodeid.partition("::")[2] not in dropped]
        return
    kept = []
    for item in items:
        category = category_of(item)
        if category is None:
            kept.append(item)
        else:
            write("outside", item.nodeid, category)
    items[:] = kept


def pytest_make_parametrize_id(val):
    """Name an argument as NumPy's scalar is named: float64 and complex128 are Python numbers."""
    is_number = not isinstance(val, type) and getattr(val, "is_scalar", False) and val.dtype.char in "dD"
    return str(val.item()) if is_number else None


def pytest_collection_finish():
    """From here on fastnp alone answers."""
    if "tests.numpy_suite.overlay" in sys.modules:
        sys.modules["tests.numpy_suite.overlay"].collecting = False


def pytest_runtest_logstart(nodeid):
    """Write down which test begins: it is the one that crashed if no outcome follows."""
    write("started", nodeid)


def pytest_runtest_logreport(report):
    """Write down how a test ended, and the first line of its error."""
    if report.when == "call" or report.outcome != "passed":
        text = ""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash else str(report.longrepr)
            text = "\n".join(text.splitlines()[:12])[:1000]
        write("skipped" if hasattr(report, "wasxfail") else report.outcome, report.nodeid, text)
