"""The rule that says which of NumPy's tests are out of scope: those of dtypes and interfaces that only NumPy has.

A test is out of scope when the source of its function matches a pattern, when one of its arguments is of a foreign
dtype, or when fastnp refuses it because it asked for such a dtype.
"""

import ast
import re

import numpy

FOREIGN_SOURCE = {
    "object": r"\bobject_?\b|\bDecimal\b|\bFraction\b",
    "string": r"\bnp\.(str_|bytes_|char|strings)\b|StringDType|\b(dtype=|astype\()(str|bytes)\b",
    "datetime": r"datetime|timedelta|\bNaT\b",
    "structured": r"\bvoid\b|\brec(ord|array)s?\b(?!=)|\bdtype\(?=?\[\(|fields",
    "longdouble": r"c?longdouble|longcomplex|float128|complex256|float96",
    "byte order": r"newbyteorder|byteorder|byteswap",
    "C API": r"\b_\w+_tests\b|getrefcount|\bctypes|__array_struct__|bufsize|_testbuffer|_testcapi|cython|limited_api",
}
CODES = {
    "object": "O",
    "string": "[SU]",
    "datetime": "[mM]",
    "structured": "V",
    "longdouble": "[gG]",
}
FOREIGN_CODE = {name: rf"[<>|=]?{code}\d*(\[.*\])?" for name, code in CODES.items()} | {"byte order": r">[a-zA-Z]\d+"}

#: What fastnp says to a foreign dtype.
REFUSED = re.compile(
    r"""fastnp arrays cannot hold dtype (?P<quote>['"])(?P<name>.*?)(?P=quote) \((?P<text>.*?)\); NumPy's can"""
)


def category_of_dtype(dtype):
    """Return the category of a dtype that fastnp cannot hold, or None."""
    kinds = {"O": "object", "S": "string", "U": "string", "T": "string", "m": "datetime", "M": "datetime",
             "V": "structured"}
    if dtype.kind in kinds:
        return kinds[dtype.kind]
    if dtype.char in "gG":
        return "longdouble"
    return None if dtype.isnative else "byte order"


def category_of_source(source):
    """Return the category that takes a test's source out of scope, or None; its docstring does not count."""
    tree = ForeignBranches().visit(ast.parse(source))
    text = ast.unparse(tree)
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str]
    return category_of_text(text, strings)


def category_of_text(text, strings):
    """Return the category of the first pattern that matches the text of a program or one of its strings."""
    for name, pattern in FOREIGN_SOURCE.items():
        if re.search(pattern, text):
            return name
    for name, pattern in FOREIGN_CODE.items():
        if any(re.fullmatch(pattern, string) for string in strings):
            return name
    return None


class ForeignBranches(ast.NodeTransformer):
    """Drops docstrings, and branches that are taken for foreign dtypes only: `if dtype == np.object_: ...`."""

    def visit_FunctionDef(self, node):
        """Drop the docstring."""
        if ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
        return self.generic_visit(node)

    def visit_If(self, node):
        """Keep what is not for foreign dtypes."""
        self.generic_visit(node)
        return (node.orelse or ast.Pass()) if self.is_foreign(node.test) else node

    def visit_IfExp(self, node):
        """Keep what is not for foreign dtypes."""
        self.generic_visit(node)
        return node.orelse if self.is_foreign(node.test) else node

    def is_foreign(self, test):
        """Tell whether a condition speaks of foreign dtypes."""
        strings = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant) and type(node.value) is str]
        return category_of_text(ast.unparse(test), strings) is not None


def category_of_argument(value):
    """Return the category that takes an argument of a test out of scope, or None."""
    if isinstance(value, (list, tuple)):
        return next((name for name in map(category_of_argument, value) if name), None)
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return category_of_dtype(value.dtype)
    if isinstance(value, numpy.dtype):
        return category_of_dtype(value)
    if value is object:
        return "object"
    if isinstance(value, type) and issubclass(value, (numpy.generic, str, bytes)):
        return None if value.__subclasses__() else category_of_dtype(numpy.dtype(value))
    if isinstance(value, str):
        return next((name for name, code in FOREIGN_CODE.items() if re.fullmatch(code, value)), None)
    return None


def category_of_error(text):
    """Return the category of a dtype that fastnp refused in a test's error, or None."""
    found = REFUSED.search(text)
    if found is None:
        return None
    try:
        return category_of_dtype(numpy.dtype(found["name"]))
    except (TypeError, ValueError):  # its name is no text that NumPy takes for a dtype
        text = found["text"].removeprefix("dtype(")
        return "structured" if text.startswith(("[", "(", "{")) else "string" if "String" in text else "C API"
