"""The list of expected failures: groups with a reason, in each the functions that fail and how many of their tests.

`expected_failures.txt` is written by `python -m tests.numpy_suite --accept`, which keeps each function in its group and
puts new ones under UNSORTED, which is no reason: they fail until somebody gives them one. A line is

    _core/tests/test_numeric.py::TestClip::test_simple 2 of 5

and stale when other tests fail, fewer ones included.
"""

from pathlib import Path

LIST = Path(__file__).with_name("expected_failures.txt")
UNSORTED = "unsorted"


def read():
    """Return the groups: reason -> {name: (tests that fail, tests)}."""
    groups = {}
    reason = UNSORTED
    for line in LIST.read_text().splitlines():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            name, failing, _, count = line.rsplit(" ", 3)
            groups.setdefault(reason, {})[name] = (int(failing), int(count))
    return groups


def write(groups):
    """Write the groups, each in the order of its names."""
    blocks = [
        "\n".join([f"# {reason}", *(f"{name} {failing} of {count}" for name, (failing, count) in sorted(rows.items()))])
        for reason, rows in groups.items() if rows
    ]
    LIST.write_text("\n\n".join(blocks) + "\n")


def accept(groups, file, failing):
    """Bring the groups up to date with the failures of one file."""
    new = {f"{file}::{name}": counts for name, counts in failing.items()}
    for rows in groups.values():
        for name in [name for name in rows if name.startswith(f"{file}::")]:
            if name in new:
                rows[name] = new.pop(name)
            else:
                del rows[name]
    groups.setdefault(UNSORTED, {}).update(new)


def differences(groups, file, failing):
    """Yield what is not as expected in one file."""
    want = {name: counts for rows in groups.values() for name, counts in rows.items() if name.startswith(f"{file}::")}
    got = {f"{file}::{name}": counts for name, counts in failing.items()}
    for name in sorted(want.keys() | got.keys()):
        if want.get(name) != got.get(name):
            told, found = want.get(name, (0, 0)), got.get(name, (0, 0))
            yield f"{name}: {found[0]} of {found[1]} tests fail, {told[0]} of {told[1]} expected"
    yield from (f"{name}: has no reason" for name in groups.get(UNSORTED, {}) if name.startswith(f"{file}::"))
