"""Sphinx's configuration, and the reference, which is written from the registry."""

import inspect
import re
from pathlib import Path
from typing import Any

import fastnp
from fastnp._registry import METHODS, NAMESPACES, Entry

ROOT = Path(__file__).resolve().parents[1]
project = "fastnp"
author = "the fastnp developers"
version = release = fastnp.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_theme = "pydata_sphinx_theme"
html_title = "fastnp"
html_show_sourcelink = False
numpydoc_show_class_members = False

NUMPY_PAGE = "https://numpy.org/doc/stable/reference/generated/numpy"


def start_page() -> str:
    """Return the README with links that hold among the pages."""
    text = (ROOT / "README.md").read_text()
    text = text.replace("](docs/", "](").replace("](CONTRIBUTING.md)", "](contributing.md)")
    return re.sub(r"\[([^]]*)\]\((?:examples|tests|fastnp)[^)]*\)", r"`\1`", text)


def summary(value: object) -> str:
    """Return the first paragraph of a docstring, below the signature that NumPy's compiled functions begin with."""
    lines = (inspect.getdoc(value) or "").splitlines()
    paragraphs = [part for part in "\n".join(lines).split("\n\n") if part.strip()]
    while paragraphs and re.match(r"\w+(\.\w+)*\(.*", paragraphs[0]):
        paragraphs.pop(0)
    text = " ".join(paragraphs[0].split()) if paragraphs else ""
    return re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text).replace("|", "\\|").replace("*", "\\*").replace("[", "\\[")


def row(module: str, name: str, value: Any, state: str) -> str:
    """Return the line of a name in its module's table."""
    inside = module.removeprefix("fastnp")
    linked = f"[`{name}`]({NUMPY_PAGE}{inside}.{name}.html)" if state != "object" else f"`{name}`"
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = ""
    signature = re.sub(r"<([^>]*)>", "...", signature).replace("|", "\\|")
    return f"| {linked} | {f'`{signature}`' if signature else ''} | {summary(value)} |"


def table(module: str, entries: dict[str, Entry]) -> str:
    """Return the section of a module."""
    lines = [f"## {module}\n", "| name | signature | what it does |", "|---|---|---|"]
    lines += [
        row(module, name, entry.value, entry.state)
        for name, entry in sorted(entries.items())
        if entry.state != "object" and not name.startswith("_")
    ]
    return "\n".join(lines) if len(lines) > 3 else ""


def reference_page() -> str:
    """Return the reference: every public function by module, and the methods of the array."""
    introduction = (
        "# Reference\n\nWritten from the registry. A name leads to NumPy's page, which holds here as well; where a "
        "function differs, [coverage](coverage.md) says how. fastnp's own functions are on [their page](own.md)."
    )
    parts = [
        introduction,
        *(table(module, NAMESPACES[module]) for module in sorted(NAMESPACES)),
        table("fastnp.ndarray", {name: Entry(value, "native") for name, value in METHODS.items()}),
    ]
    return "\n\n".join(part for part in parts if part)


def own_page() -> str:
    """Return the page of the functions that NumPy does not have."""
    names = [
        name
        for name, entry in sorted(NAMESPACES["fastnp"].items())
        if inspect.isfunction(entry.value) and entry.value.__module__ == "fastnp" and not name.startswith("_")
    ]
    blocks = [f"```{{eval-rst}}\n.. autofunction:: fastnp.{name}\n```" for name in names]
    return "\n\n".join(["# fastnp's own functions", *blocks])


#: Pages whose text is not in their file.
WRITTEN = {
    "index": lambda text: f"{start_page()}\n\n{text}",
    "contributing": lambda text: (ROOT / "CONTRIBUTING.md").read_text(),
    "reference": lambda text: reference_page(),
    "own": lambda text: own_page(),
}


def write_page(app, docname, source):
    """Give Sphinx the text of a page that is written, not read."""
    if docname in WRITTEN:
        source[0] = WRITTEN[docname](source[0])


def setup(app):
    """Connect to Sphinx."""
    app.connect("source-read", write_page)
