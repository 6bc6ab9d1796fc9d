"""Run an unmodified NumPy program with fastnp in the place of numpy.

The program's own modules (files below its folder, or in its package) are loaded by a `ProgramLoader`, which compiles
`import numpy` as `import fastnp`. All other modules, third-party packages above all, are loaded as ever and get numpy.

A hook in `builtins.__import__` would not do: what NumPy's and torch's C code imports while a program's line runs looks
there as if the program had asked for it.
"""

import ast
import builtins
import contextlib
import copy
import importlib.util
import os
import site
import sys
import sysconfig
import types
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

import torch

from fastnp._report import Report

NEVER_OWN = {"fastnp", "numpy", "torch"}
INSTALLED_FOLDERS = {"dist-packages", "site-packages"}


class NotRunnable(Exception):
    """There is no such program or device; the message says what to do."""


class ImportRewriter(ast.NodeTransformer):
    """Rewrites the import statements of a module so that they find fastnp where they say numpy."""

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Give each module its own statement; names are bound as before."""
        return [ast.fix_missing_locations(ast.copy_location(self.imported(alias), node)) for alias in node.names]

    def imported(self, alias: ast.alias) -> ast.stmt:
        """Return the statement that imports one module."""
        name = replaced(alias.name)
        if name == alias.name:
            return ast.Import([alias])
        if alias.asname or name == "fastnp":
            return ast.Import([ast.alias(name, alias.asname or "numpy")])
        # `import numpy.linalg` imports the submodule and binds the package.
        call = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant(name)], [])
        return ast.Assign([ast.Name("numpy", ast.Store())], call)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """Change the module of `from numpy... import`; relative imports stay."""
        if node.module is not None and node.level == 0:
            node.module = replaced(node.module)
        return node


def replaced(name: str) -> str:
    """Return the name of the module that stands in for one of numpy's."""
    return f"fastnp{name.removeprefix('numpy')}" if name.partition(".")[0] == "numpy" else name


class ProgramLoader(SourceFileLoader):
    """Loads one of the program's own modules: numpy is fastnp to it."""

    def get_code(self, fullname):
        """Compile the source after rewriting its imports, always afresh: cached bytecode belongs to numpy."""
        tree = compile(self.get_data(self.path), self.path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        return compile(ImportRewriter().visit(tree), self.path, "exec", dont_inherit=True)


class ProgramFinder:
    """Meta path finder that gives the program's own modules a `ProgramLoader`.

    Parameters
    ----------
    folder : str
        The folder of the program; source files below it are its own, unless they are installed there.
    package : str or None
        Top-level name of the package that runs, whose modules are its own wherever they lie.
    """

    def __init__(self, folder: str, package: str | None = None):
        self.folder = Path(folder).resolve()
        self.package = package
        libraries = [sysconfig.get_path("stdlib"), *site.getsitepackages(), site.getusersitepackages()]
        self.libraries = [Path(library).resolve() for library in libraries]

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None):
        """Find the module as the other finders do, and mark it if it is the program's own."""
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                return self.mark(spec)
        return None

    def mark(self, spec: ModuleSpec) -> ModuleSpec:
        """Return the spec with a `ProgramLoader` if the module is the program's own and has source."""
        if type(spec.loader) is not SourceFileLoader or not self.owns(spec.name, spec.loader.path):
            return spec
        own = copy.copy(spec)
        own.loader = ProgramLoader(spec.name, spec.loader.path)
        return own

    def owns(self, fullname: str, origin: str) -> bool:
        """Tell whether a module belongs to the program."""
        top = fullname.partition(".")[0]
        if top in NEVER_OWN:
            return False
        if top == self.package:
            return True
        file = Path(origin).resolve()
        installed = INSTALLED_FOLDERS.intersection(file.parts) or any(map(file.is_relative_to, self.libraries))
        return file.is_relative_to(self.folder) and not installed


def script_spec(program: str) -> tuple[ModuleSpec, str]:
    """Return the spec of a program's file, and put its folder at the head of the path."""
    path = os.path.abspath(program)
    if os.path.isdir(path):
        path = os.path.join(path, "__main__.py")
    if not os.path.isfile(path):
        raise NotRunnable(f"no such file: {path} (give a program's file, or -m and the name of a module)")
    folder = os.path.dirname(os.path.realpath(path))
    if not sys.flags.safe_path:
        sys.path[0] = folder
    sys.meta_path.insert(0, ProgramFinder(folder))
    return ModuleSpec("__main__", ProgramLoader("__main__", path), origin=path), program


def module_spec(name: str) -> tuple[ModuleSpec, str]:
    """Return the spec of a module, or of the `__main__` of a package, as `python -m` finds it."""
    finder = ProgramFinder(os.getcwd(), name.partition(".")[0])
    sys.meta_path.insert(0, finder)
    spec = find_module(name)
    if spec is None:
        raise NotRunnable(f"no module named {name} (looked in {sys.path[0]} and where packages are installed)")
    if spec.submodule_search_locations is not None:
        spec = find_module(f"{name}.__main__")
        if spec is None:
            raise NotRunnable(f"{name} is a package without a __main__; name one of its modules")
    if spec.origin is None or not hasattr(spec.loader, "get_code"):
        raise NotRunnable(f"module {name} has no Python code to run")
    # What torch has imported already comes back with the loader it was imported with.
    return finder.mark(spec), spec.origin


def find_module(name: str) -> ModuleSpec | None:
    """Find a module; its parent packages are imported on the way."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        # A parent that does not exist is a wrong name; a parent that fails to import something else is the program's.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def choose_device(name: str) -> None:
    """Make a device torch's default, after trying it."""
    try:
        torch.empty(0, device=name)
    except (AssertionError, RuntimeError) as error:
        usable = ["cpu", "meta", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
        reason = str(error).partition("\n")[0]
        raise NotRunnable(f"device {name} cannot be used: {reason} (usable here: {', '.join(usable)})") from error
    torch.set_default_device(name)


def drop_runner_frames(error: BaseException) -> None:
    """Take this module's frames out of the tracebacks of an exception and of those it came from."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        frames, link = [], current.__traceback__
        while link is not None:
            if link.tb_frame.f_code.co_filename != __file__:
                frames.append(link)
            link = link.tb_next
        for frame, following in zip(frames, [*frames[1:], None]):
            frame.tb_next = following
        current.__traceback__ = frames[0] if frames else None
        pending += [current.__cause__, current.__context__]


def run(
    program: str,
    arguments: Sequence[str] = (),
    *,
    module: bool = False,
    device: str | None = None,
    report: bool = False,
) -> int:
    """Run a program as `__main__` and return its exit status; `SystemExit` and `KeyboardInterrupt` pass through.

    Parameters
    ----------
    program : str
        Path of a file, or the name of a module.
    arguments : sequence of str
        What the program finds behind `sys.argv[0]`.
    module : bool
        Whether `program` is the name of a module.
    device : str, optional
        torch's default device while the program runs.
    report : bool
        Whether to print on standard error, at the end, which functions were called.
    """
    if device is not None:
        choose_device(device)
    spec, name = module_spec(program) if module else script_spec(program)
    main = types.ModuleType("__main__")
    vars(main).update(
        __builtins__=builtins,
        __file__=spec.origin,
        __loader__=spec.loader,
        # A script has neither package nor spec.
        __package__=spec.parent if module else None,
        __spec__=spec if module else None,
    )
    # Any loader of Python code has get_code; typing knows only the base class.
    loader: Any = spec.loader
    sys.argv = [name, *arguments]
    # It stays there, so that what it pickles and what it leaves to atexit still finds it.
    sys.modules["__main__"] = main
    recorder = Report() if report else None
    try:
        code = loader.get_code(spec.name)
        if code is None:
            raise NotRunnable(f"module {program} has no Python code to run")
        with recorder or contextlib.nullcontext():
            exec(code, vars(main))
    except (SystemExit, KeyboardInterrupt, NotRunnable):
        raise
    except BaseException as error:  # noqa: BLE001 - printed as Python itself would, then status 1
        drop_runner_frames(error)
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    finally:
        if recorder is not None:
            sys.stdout.flush()
            print(recorder.table(name), file=sys.stderr)
    return 0
