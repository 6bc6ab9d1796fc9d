"""Loaded into the pytest of one file: leaves out what is out of scope, and writes each outcome down at once."""

import inspect
import os

from tests.numpy_suite.scope import OUT_OF_SCOPE

outcomes = open(os.environ["NUMPY_SUITE_OUTCOMES"], "a", buffering=1)  # noqa: SIM115  it lives as long as pytest


def source_of(item):
    """Return the source of a test function, or nothing where there is none."""
    try:
        return inspect.getsource(item.function)
    except (AttributeError, OSError, TypeError):
        return ""


def pytest_collection_modifyitems(items):
    """Keep the tests in scope that no earlier run of the file crashed in."""
    crashed = set(filter(None, os.environ.get("NUMPY_SUITE_CRASHED", "").split("\n")))
    items[:] = [
        item for item in items
        if not OUT_OF_SCOPE.search(source_of(item)) and item.nodeid not in crashed
        and not item.get_closest_marker("slow")
    ]


def pytest_runtest_logstart(nodeid):
    """Write down which test begins: it is the one that crashed if no outcome follows."""
    outcomes.write(f"started\t{nodeid}\n")


def pytest_runtest_logreport(report):
    """Write down how a test ended, and the first line of its error."""
    if report.when == "call" or report.outcome != "passed":
        text = ""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message.partition("\n")[0] if crash else str(report.longrepr).splitlines()[-1]
        outcomes.write(f"{'skipped' if hasattr(report, 'wasxfail') else report.outcome}\t{report.nodeid}\t{text}\n")
