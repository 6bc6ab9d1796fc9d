"""Mixed operands (row 7, seeds 000 goal 7 and 003): six kinds, both orders, thirteen operators, twelve dtypes."""

import itertools
import operator
import warnings

import numpy
import pytest
import torch

import fastnp as np

OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<": operator.lt, ">=": operator.ge, "==": operator.eq,
}
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "f2", "f4", "f8", "c8", "c16"]
KINDS = {
    "ndarray": np.array,
    "Tensor": lambda values: torch.from_numpy(values.copy()),
    "numpy": lambda values: values.copy(),
    "list": lambda values: values.tolist(),
    "Python scalar": lambda values: values[0].item(),
    "NumPy scalar": lambda values: values[0],
}
#: Pairs that are not ours to decide: neither operand is an ndarray.
OTHERS = {kind for kind in KINDS if kind != "ndarray"}
#: What torch itself does with an ndarray that is its left operand differs from NumPy: {(kind, symbol, dtype): reason}.
EXCEPTIONS: dict = {}


def as_array(values):
    """Return what NumPy has for an operand of a kind: Tensors are arrays, lists are made arrays by it."""
    return numpy.asarray(values) if isinstance(values, torch.Tensor) else values


def outcome(call, *operands):
    """Return the value of a call, or the type of its error."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(*operands)
        except (TypeError, ValueError, OverflowError) as error:
            return type(error)


def same(got, want):
    """Return whether an outcome of ours is NumPy's: type of the error, or container, dtype, shape and values."""
    if isinstance(want, type):
        return got is want
    if type(got) is not np.ndarray or got.dtype != want.dtype or got.shape != want.shape:
        return False
    return numpy.array_equal(numpy.asarray(got), want, equal_nan=want.dtype.kind in "fc")


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.parametrize("other", KINDS)
def test_both_orders(other, symbol):
    apply = OPERATORS[symbol]
    failed = set()
    for dtype, theirs in itertools.product(DTYPES, DTYPES):
        a, b = numpy.array([1, 0, 1]).astype(dtype), numpy.array([1, 1, 0]).astype(theirs)
        x, y = KINDS["ndarray"](a), KINDS[other](b)
        numpys = as_array(KINDS[other](b))
        for order, got, want in (
            ("left", outcome(apply, x, y), outcome(apply, a, numpys)),
            ("right", outcome(apply, y, x), outcome(apply, numpys, a)),
        ):
            if not same(got, want):
                failed.add((order, dtype, theirs))
    listed = {key[2:] for key in EXCEPTIONS if key[:2] == (other, symbol)}
    assert failed == listed


@pytest.mark.parametrize("symbol", OPERATORS)
def test_tensors_alone_give_a_tensor(symbol):
    """D8: what torch does with its own is torch's; a fastnp ufunc of Tensors gives a Tensor."""
    name = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide", "%": "remainder",
            "**": "power", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<": "less",
            ">=": "greater_equal", "==": "equal"}[symbol]
    a = torch.tensor([1, 2, 3])
    assert type(getattr(np, name)(a, a)) is torch.Tensor
    assert type(getattr(np, name)(a, 1)) is torch.Tensor
    assert type(getattr(np, name)(a, np.array([1, 2, 3]))) is np.ndarray


@pytest.mark.parametrize("other", ["Tensor", "numpy", "list", "Python scalar", "NumPy scalar", "ndarray"])
@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^"])
def test_in_place(other, symbol):
    apply = getattr(operator, {"+": "iadd", "-": "isub", "*": "imul", "/": "itruediv", "//": "ifloordiv", "%": "imod",
                               "**": "ipow", "&": "iand", "|": "ior", "^": "ixor"}[symbol])
    for dtype in DTYPES:
        a, b = numpy.array([1, 0, 1]).astype(dtype), numpy.array([1, 1, 1]).astype(dtype)
        x, y = np.array(a), KINDS[other](b)
        want, got = outcome(apply, a, as_array(y)), outcome(apply, x, y)
        assert same(got, want), (dtype, got, want)
        assert isinstance(want, type) or got is x
