"""The house keeps its floors: imports run downwards, at module level, without knots, and files stay on the desk."""

import ast
import graphlib
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "fastnp"

# The table of floors: a module stands on the floor of the longest prefix that names it.
FLOORS = {
    "fastnp._version": 0,
    "fastnp._core": 0,  # the package itself: where its modules are found
    "fastnp._core.built_for": 0,
    "fastnp._core.libtorch": 0,
    "fastnp._timeline": 0,  # it is given what it draws
    "fastnp._torch_check": 1,
    "fastnp._core.dtype": 1,
    "fastnp._core.engine": 1,
    "fastnp._core.torch_tensor": 1,
    "fastnp._core.stored_dtypes": 1,
    "fastnp._core.flags": 2,
    "fastnp._core.interchange": 2,
    "fastnp._core.ndarray": 2,
    "fastnp._core.assign": 3,
    "fastnp._core.aten": 3,
    "fastnp._core.converters": 3,
    "fastnp._core.copies": 3,
    "fastnp._core.detached": 3,
    "fastnp._core.fancy": 3,
    "fastnp._core.fancy_torch": 3,
    "fastnp._core.few_indices": 3,
    "fastnp._core.key": 3,
    "fastnp._core.loops": 3,
    "fastnp._core.mapping": 3,
    "fastnp._core.numpy_scalars": 3,
    "fastnp._core.operands": 3,
    "fastnp._core.overrides": 3,
    "fastnp._core.placement": 3,
    "fastnp._core.sequences": 3,
    "fastnp._core.single_calls": 3,
    "fastnp._core.views": 3,
    "fastnp._core.body_arguments": 4,
    "fastnp._core.borrowed": 4,
    "fastnp._core.direct_calls": 4,
    "fastnp._core.dispatcher": 4,
    "fastnp._core.explaining": 4,
    "fastnp._core.flat": 4,
    "fastnp._core.gufunc": 4,
    "fastnp._core.host": 4,
    "fastnp._core.kernels": 4,
    "fastnp._core.normalization": 4,
    "fastnp._core.numpy_errors": 4,
    "fastnp._core.array_ufunc": 4,
    "fastnp._core.operators": 4,
    "fastnp._core.promotion": 4,
    "fastnp._core.reduction": 4,
    "fastnp._core.reduction_torch": 4,
    "fastnp._core.results": 4,
    "fastnp._core.scalars": 4,
    "fastnp._core.scalar_attributes": 4,
    "fastnp._core.scattering": 4,
    "fastnp._core.temporaries": 4,
    "fastnp._core.ufunc": 4,
    "fastnp._core.ufunc_call": 4,
    "fastnp._core.ufunc_methods": 4,
    "fastnp._core.ufunc_quick": 4,
    "fastnp._core.ufunc_torch": 4,
    "fastnp._core.vecdot": 4,
    "fastnp._declare": 5,
    "fastnp._fallback": 5,
    "fastnp._promotion": 5,
    "fastnp._typing": 5,
    "fastnp._routines": 6,
    "fastnp.fft": 6,
    "fastnp.linalg": 6,
    "fastnp._registry": 7,
    "fastnp.overrides": 8,
    "fastnp.lib": 6,
    "fastnp.polynomial": 6,
    "fastnp.random": 6,
    "fastnp.testing": 6,
    "fastnp._methods": 7,
    "fastnp._protocols": 7,
    "fastnp": 8,  # the roof publishes what is below
    "fastnp._coverage": 9,
    "fastnp._stubs": 9,
    "fastnp._report": 9,  # the runner is a user of the finished house
    "fastnp._runner": 9,
    "fastnp.__main__": 9,
}

LONGEST = {".py": 600, ".pyx": 700, ".h": 700}

CYTHON_IMPORT = re.compile(
    r"^([ \t]*)(?:from[ \t]+([\w.]+)[ \t]+c?import[ \t]+(.+)|c?import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))",
    re.MULTILINE,
)
CYTHON_TEXT = re.compile(r'"""(?:.|\n)*?"""' + r"|'''(?:.|\n)*?'''|#.*")


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def source_files():
    return sorted(path for suffix in ("py", "pyx", "pxd") for path in PACKAGE.rglob(f"*.{suffix}"))


MODULES = {module_name(path) for path in source_files()}


def imports_of_python(text):
    """Yield (line, module, name or None, whether it stands in a function) for each import."""
    tree = ast.parse(text)
    inside = {id(node) for function in ast.walk(tree) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
              for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, None, id(node) in inside
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the full name of the module"
            for alias in node.names:
                yield node.lineno, node.module, alias.name, id(node) in inside


def imports_of_cython(text):
    """Yield what `imports_of_python` yields; an indented import counts as one in a function."""
    text = CYTHON_TEXT.sub(lambda match: "\n" * match.group().count("\n"), text)
    for match in CYTHON_IMPORT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        indent, module, names, modules = match.groups()
        if modules:
            for name in modules.split(","):
                yield line, name.strip(), None, bool(indent)
        else:
            assert not module.startswith("."), f"line {line}: write the full name of the module"
            names = names if "(" not in names else text[match.start(3):text.index(")", match.start(3))]
            for name in re.findall(r"\w+(?=[^,]*)", re.sub(r"\bas[ \t]+\w+", "", names)):
                yield line, module, name, bool(indent)


def imports_of(path):
    """Yield (line, module of ours or another's, whether it stands in a function) for each import of a file."""
    read = imports_of_python if path.suffix == ".py" else imports_of_cython
    for line, module, name, inside in read(path.read_text()):
        submodule = f"{module}.{name}"
        yield line, submodule if submodule in MODULES else module, inside


def floor_of(module):
    """Return the floor of a module."""
    prefix = module
    while prefix not in FLOORS or (prefix == "fastnp" and module != "fastnp"):
        # What the table does not name stands with the chapters, except in the core, where each module has its place.
        if "." not in prefix or prefix == "fastnp":
            return FLOORS["fastnp._routines"]
        prefix = prefix.rpartition(".")[0]
    assert prefix != "fastnp._core" or module == prefix, f"{module} has no floor: give it one in the table"
    return FLOORS[prefix]


def ours(path):
    """Yield (line, module) for each import of this package by a file."""
    for line, module, _ in imports_of(path):
        if module.partition(".")[0] == "fastnp" and module != module_name(path):
            yield line, module


@pytest.mark.parametrize("path", source_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_downwards(path):
    floor = floor_of(module_name(path))
    upwards = [f"line {line}: {module} (floor {floor_of(module)})"
               for line, module in ours(path) if floor_of(module) > floor]
    assert not upwards, f"{module_name(path)} stands on floor {floor} and imports from above"


@pytest.mark.parametrize("path", source_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_inside_a_function(path):
    assert [f"line {line}: {module}" for line, module, inside in imports_of(path) if inside] == []


def test_imports_make_no_knot():
    graph = {}
    for path in source_files():
        graph.setdefault(module_name(path), set()).update(module for _, module in ours(path))
    list(graphlib.TopologicalSorter(graph).static_order())


def test_files_stay_short():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                            capture_output=True)
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    sizes = {path: len(path.read_text().splitlines()) for path in paths if path.suffix in LONGEST and path.exists()}
    assert {str(path.relative_to(ROOT)): size for path, size in sizes.items() if size > LONGEST[path.suffix]} == {}


@pytest.mark.parametrize("read, text, expected", [
    (imports_of_python, "import a.b\nfrom c import d, e\n",
     [(1, "a.b", None, False), (2, "c", "d", False), (2, "c", "e", False)]),
    (imports_of_python, "def f():\n    import a\n", [(2, "a", None, True)]),
    (imports_of_cython, '"""from x import y"""\ncimport a.b, c\nfrom d cimport (\n    e,\n    f as g,\n)\n',
     [(2, "a.b", None, False), (2, "c", None, False), (3, "d", "e", False), (3, "d", "f", False)]),
    (imports_of_cython, "cdef f():\n    from a cimport b  # why\n", [(2, "a", "b", True)]),
])
def test_reading_of_imports(read, text, expected):
    assert list(read(text)) == expected
