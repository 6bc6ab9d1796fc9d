"""Turns the source of one of NumPy's test files into the same tests of fastnp."""

import ast
import importlib
from types import ModuleType

from tests.numpy_suite.overlay import overlay, taken

PREAMBLE = "from tests.numpy_suite.overlay import collected as _collected, overlay as _overlay, taken as _taken"


def is_private(name):
    """Tell whether a name is NumPy's own business; a dunder name is not."""
    return name.startswith("_") and not name.endswith("__")


def is_numpy(module):
    """Tell whether a module's name is NumPy's or that of a module in it."""
    return module is not None and module.partition(".")[0] == "numpy"


def call(function, *arguments):
    """Return the expression that calls a name."""
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


class Rewriter(ast.NodeTransformer):
    """Rewrites imports of NumPy's modules, paths to private ones, and calls that run while tests are collected."""

    def __init__(self):
        self.modules = {}  # names that the file binds to a module of NumPy's
        self.collecting = True

    def visit_Module(self, node):
        """Rewrite the file and let it import what it then needs, below its docstring."""
        self.generic_visit(node)
        node.body.insert(0, ast.parse(PREAMBLE).body[0])
        return node

    def visit_Import(self, node):
        """Bind fastnp's modules, or overlays."""
        statements = []
        for alias in node.names:
            if not is_numpy(alias.name):
                statements.append(ast.Import([alias]))
                continue
            bound = alias.name if alias.asname else "numpy"
            target = alias.asname or "numpy"
            self.modules[target] = bound
            statements.append(ast.Assign([ast.Name(target, ast.Store())], call("_overlay", ast.Constant(bound))))
        return statements

    def visit_ImportFrom(self, node):
        """Take names from fastnp's modules, or from overlays."""
        if node.level or not is_numpy(node.module):
            return node
        statements = []
        for alias in node.names:
            if alias.name == "*":
                ours = overlay(node.module).__name__
                statements.append(ast.ImportFrom(ours, [alias], 0))
                continue
            target = alias.asname or alias.name
            if isinstance(taken(node.module, alias.name), ModuleType):
                self.modules[target] = f"{node.module}.{alias.name}"
            value = call("_taken", ast.Constant(node.module), ast.Constant(alias.name))
            statements.append(ast.Assign([ast.Name(target, ast.Store())], value))
        return statements

    def visit_Attribute(self, node):
        """Lead a path into a private module (`np._core.umath`) to the overlay."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.modules and is_private(node.attr):
            module = call("_overlay", ast.Constant(self.modules[node.value.id]))
            if not isinstance(node.ctx, ast.Load):
                return node
            theirs = getattr(importlib.import_module(self.modules[node.value.id]), node.attr, None)
            if isinstance(theirs, ModuleType):
                return call("_overlay", ast.Constant(theirs.__name__))
            return ast.Attribute(module, node.attr, ast.Load())
        return node

    def visit_Call(self, node):
        """Guard a call that makes the argument of a test."""
        self.generic_visit(node)
        if self.collecting and isinstance(node.func, ast.Attribute):
            node.func = call("_collected", node.func)
        return node

    def visit_FunctionDef(self, node):
        """Rewrite decorators and defaults as what runs while tests are collected, a test's body as what does not."""
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        # Other functions may make the arguments of tests.
        node.body = self.later(node.body, node.name.startswith(("test", "setup", "teardown")))
        return node

    def visit_Lambda(self, node):
        """Rewrite the body of a lambda as what runs later."""
        node.args = self.visit(node.args)
        (node.body,) = self.later([node.body])
        return node

    def later(self, nodes, is_test=True):
        """Rewrite the nodes of a body; that of a test does not run while tests are collected."""
        before, self.collecting = self.collecting, self.collecting and not is_test
        rewritten = []
        for node in nodes:
            result = self.visit(node)
            rewritten += result if isinstance(result, list) else [result]
        self.collecting = before
        return rewritten


def rewritten(text):
    """Return the source of a test file as it runs on fastnp."""
    return ast.unparse(ast.fix_missing_locations(Rewriter().visit(ast.parse(text))))
