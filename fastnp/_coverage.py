"""Write the coverage page: what is native, what NumPy computes, and how it differs.

`python -m fastnp._coverage > docs/coverage.md` writes the page that the tests hold against the registry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy

from fastnp._registry import NAMESPACES, Entry

INTRODUCTION = """\
# Coverage

Every public name of NumPy {version} is here. A function is in one of three states:

- **native**: computed by fastnp on any torch device, with gradients where the function has them. On plain CPU memory
  the kernel may be NumPy's own loop or function, on the array's memory.
- **partial**: native, except where one of the named parameters is given: NumPy computes that call.
- **numpy**: NumPy's function, on the array's memory where that is on the CPU. An array on another device is refused,
  unless `fastnp.set_transfer("allow")` says otherwise. A call of a function that ought to be native leaves a record
  (`fastnp.fallback_records()`); formats, printing, random streams and settings are NumPy's by design and leave none.

Classes, constants and modules are NumPy's own objects or stand in for them; they are not listed.

This page is written by `python -m fastnp._coverage > docs/coverage.md`.
"""


def functions(entries: dict[str, Entry]) -> Iterator[tuple[str, Entry]]:
    """Yield the functions of a module, in the order of their names."""
    for name in sorted(entries):
        if entries[name].state != "object" and not name.startswith("_"):
            yield name, entries[name]


def rows(module: str, entries: dict[str, Entry]) -> Iterator[str]:
    """Yield the lines of a module's table."""
    listed = list(functions(entries))
    if not listed:
        return
    counts = Counter(entry.state for _, entry in listed)
    yield f"\n## {module}\n"
    yield ", ".join(f"{counts[state]} {state}" for state in ("native", "partial", "numpy") if counts[state]) + ".\n"
    yield "| name | state | parameters that NumPy computes | differs from NumPy |"
    yield "|---|---|---|---|"
    for name, entry in listed:
        parameters = ", ".join(f"`{parameter}`" for parameter in entry.numpy_only)
        yield f"| `{name}` | {entry.state} | {parameters} | {entry.differs} |"


def page() -> str:
    """Return the text of the coverage page."""
    lines = [INTRODUCTION.format(version=".".join(numpy.__version__.split(".")[:2])).rstrip("\n")]
    for module in sorted(NAMESPACES):
        lines += rows(module, NAMESPACES[module])
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
