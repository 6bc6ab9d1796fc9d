"""The 71 special methods: operators with reflected and in-place forms, iteration, truth (rows 7, 67, 78).

https://numpy.org/doc/stable/reference/arrays.ndarray.html#arithmetic-matrix-multiplication-and-comparison-operations
"""

import operator

import numpy
import pytest
import torch

import fastnp
from tests._oracle import Raised, agree, host, run, same_as_numpy
from tests._tables import DTYPES, FEW_DTYPES, filled

BINARY = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">", ">="]
IN_PLACE = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="]
UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "abs": abs}
SCALARS = [2, -1, True, 2.5, 1j, numpy.float32(1.5), numpy.int64(3), numpy.bool(True)]


def pair(xp, left, right):
    return xp.array(filled((3, 3), left)), xp.array(filled((3, 3), right)[::-1] + (right != "?") * 1)


@pytest.mark.parametrize("right", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("left", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("symbol", BINARY)
def test_binary_operator(symbol, left, right):
    """Row 7: two arrays of any two dtypes."""
    code = compile(f"x {symbol} y", "", "eval")

    def body(xp):
        x, y = pair(xp, left, right)
        return eval(code, {"x": x, "y": y})

    agree(body, tolerance="sum" if symbol == "@" else "exact")


@pytest.mark.parametrize("right", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("left", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("symbol", IN_PLACE)
def test_in_place_operator(symbol, left, right):
    """Row 78: the left array is written and returned, or UFuncTypeError and left alone."""
    code = compile(f"x {symbol} y", "", "exec")
    seen = []

    def body(xp):
        x, y = pair(xp, left, right)
        names = {"x": x, "y": y}
        seen.append(x)
        exec(code, names)
        return names["x"], names["x"] is x

    agree(body, tolerance="sum" if symbol == "@=" else "exact")
    if isinstance(run(body, fastnp)[0], Raised):
        assert host(seen[-1]).tobytes() == pair(numpy, left, right)[0].tobytes(), "an error has changed the array"


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("dtype", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("symbol", [*BINARY, "divmod"])
def test_operator_with_a_scalar_on_either_side(symbol, dtype, scalar):
    """Rows 41 and 7: Python scalars are weak, NumPy's are not; the reflected form is the same function."""
    forward, back = ("divmod(x, y)", "divmod(y, x)") if symbol == "divmod" else (f"x {symbol} y", f"y {symbol} x")
    for source in (forward, back):
        agree(lambda xp, source=source: eval(source, {"x": xp.array(filled((4,), dtype)), "y": scalar}))


@pytest.mark.parametrize(
    "other", [[1, 2, 3], (1, 2, 3), range(3), numpy.arange(3), [[1], [2]], [1.5, 2.5, 3.5]], ids=repr
)
@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", "@", "<", "=="])
def test_operator_with_a_sequence_on_either_side(symbol, other):
    """Rows 7 and 69: lists, tuples, ranges and NumPy arrays are arrays to an operator, and the result is ours."""
    for source in (f"x {symbol} y", f"y {symbol} x"):
        agree(lambda xp, source=source: eval(source, {"x": xp.arange(1.0, 4.0), "y": other}))


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", "@", "<", "<=", "==", "!=", ">"])
def test_operator_with_a_tensor_on_either_side(symbol):
    """Row 7 and D8: a mix with a Tensor gives an ndarray, whichever stands first."""
    values = [1.0, 2.0, 3.0]
    for source in (f"x {symbol} y", f"y {symbol} x"):
        want = eval(source, {"x": numpy.array(values), "y": numpy.array(values[::-1])})
        got = eval(source, {"x": fastnp.array(values), "y": torch.tensor(values[::-1], dtype=torch.float64)})
        assert type(got) is fastnp.ndarray
        assert got.dtype == want.dtype
        assert got.tolist() == want.tolist()


@pytest.mark.parametrize("dtype", FEW_DTYPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary_operator(name, dtype):
    agree(lambda xp: UNARY[name](xp.array(filled((2, 3), dtype))))
    agree(lambda xp: UNARY[name](xp.array(filled((2, 3), dtype))[:, ::-1]))


@pytest.mark.parametrize(
    "source", ["pow(x, 2)", "pow(2, x)", "divmod(x, y)", "pow(x, 2, 3)", "x ** 0.5", "x ** -1.0", "x ** True", "x @ y"]
)
def test_power_and_divmod(source):
    agree(lambda xp: eval(source, {"x": xp.arange(1.0, 4.0), "y": xp.arange(2.0, 5.0)}), tolerance="sum")


@pytest.mark.parametrize(
    "name",
    sorted(
        n
        for n in dir(numpy.ndarray)
        if n.startswith("__i")
        and n not in ("__init__", "__init_subclass__", "__iter__", "__index__", "__int__", "__invert__")
    ),
)
def test_in_place_method_returns_self(name):
    """Row 78: `x.__iadd__(y)` is x; on a view the parent sees it."""

    def body(xp):
        x = xp.array(filled((3, 3), "i8") + 9)
        result = getattr(x, name)(xp.ones((3, 3), dtype="i8"))
        return x, result is x

    agree(body)


@pytest.mark.parametrize(
    "name",
    sorted(
        {
            "__add__",
            "__radd__",
            "__sub__",
            "__rsub__",
            "__mul__",
            "__rmul__",
            "__truediv__",
            "__rtruediv__",
            "__floordiv__",
            "__rfloordiv__",
            "__mod__",
            "__rmod__",
            "__divmod__",
            "__rdivmod__",
            "__pow__",
            "__rpow__",
            "__matmul__",
            "__rmatmul__",
            "__eq__",
            "__ne__",
            "__lt__",
            "__le__",
            "__gt__",
            "__ge__",
        }
    ),
)
def test_special_method_called_by_name(name):
    agree(lambda xp: getattr(xp.arange(1.0, 4.0), name)(xp.array([3.0, 1.0, 2.0])))
    agree(lambda xp: getattr(xp.arange(1.0, 4.0), name)(2.0))
    if "matmul" not in name:
        agree(lambda xp: getattr(xp.arange(1.0, 4.0), name)(object()))


class Reflecting:
    """An operand that keeps the operation for itself."""

    __array_ufunc__ = None

    def __radd__(self, other):
        return "radd", type(other).__name__

    __rmul__ = __rmatmul__ = __radd__

    def __lt__(self, other):
        return "lt"

    def __eq__(self, other):
        return "eq"

    __hash__ = None


def test_array_ufunc_none_defers():
    """Row 25: a class with `__array_ufunc__ = None` gets the reflected call."""
    x = fastnp.arange(3.0)
    assert x + Reflecting() == ("radd", "ndarray")
    assert x @ Reflecting() == ("radd", "ndarray")
    assert (x > Reflecting()) == "lt"
    assert (x == Reflecting()) == "eq"


@same_as_numpy
def test_iteration(xp):
    x = xp.arange(12.0).reshape(3, 4)
    first, *rest = x
    a, b, c = x[0, :3]
    return (
        list(x),
        list(x[::-1]),
        list(x[0]),
        first,
        rest,
        a,
        b,
        c,
        [type(row).__name__ for row in x],
        list(zip(x, x.T)),
        list(enumerate(x[:, 0])),
    )


@same_as_numpy
def test_rows_of_an_iteration_are_views(xp):
    x = xp.zeros((3, 2))
    for row in x:
        row += 1
    for k, row in enumerate(x[::-1]):
        row[0] = k
    return x


@same_as_numpy
def test_length(xp):
    return len(xp.zeros((3, 0))), len(xp.zeros(0)), len(xp.arange(5)[::2]), xp.zeros((2, 3)).__len__()


@same_as_numpy
def test_containment(xp):
    x = xp.arange(6.0).reshape(2, 3)
    return 3 in x, 9 in x, [0, 1, 2] in x, xp.nan in x, True in x, 3.0 in x[::-1], x[0, 0] in [1, 0], x[0, 0] in (5, 6)


@pytest.mark.parametrize("value", [[], [0], [1], [0.0], [[2]], [1, 2], [[]], True, 0, [float("nan")], [0j]], ids=repr)
def test_truth_value(value):
    """ValueError of more than one element and of none."""
    agree(lambda xp: bool(xp.array(value)))
    agree(lambda xp: not xp.array(value))


@pytest.mark.parametrize("function", [int, float, complex, operator.index, round, hash], ids=lambda f: f.__name__)
@pytest.mark.parametrize("value", [[5], [[5]], 5, 5.5, [5, 6], [], 1j, True, [2.5]], ids=repr)
def test_conversion_of_arrays(function, value):
    """NumPy deprecates `float` of an array with axes, and refuses all but one element."""
    agree(lambda xp: function(xp.array(value)))


@same_as_numpy
def test_comparison_with_what_is_no_number(xp):
    x = xp.arange(3)
    return x == "a", x != "a", x == None, x != None, x == [1, 2, 3]  # noqa: E711


@pytest.mark.parametrize("symbol", ["==", "!=", "<"])
@pytest.mark.parametrize("other", ["abc", None, {}, [1, 2], object()], ids=lambda o: type(o).__name__)
def test_comparison_that_cannot_be(symbol, other):
    agree(lambda xp: eval(f"x {symbol} y", {"x": xp.arange(3), "y": other}))


@same_as_numpy
def test_operators_of_views_and_broadcasting(xp):
    x, y = xp.arange(12.0).reshape(3, 4), xp.arange(4.0)
    return (
        x + y,
        x[::-1] * y[::-1],
        x.T - x.T[::-1],
        x[:, :1] + y,
        x[:0] + y,
        (x + y).T @ x,
        x[..., None] > y,
        x[:, ::2] / (y[::2] + 1),
    )


def test_chain_reuses_no_operand():
    """Row 50: `a + b + c` may reuse its temporary, never a named array."""
    a, b, c = (fastnp.full(100_000, float(k)) for k in (1, 2, 3))
    named = a + b
    total = named + c
    assert named[0] == 3.0
    assert total[0] == 6.0
    again = a + b + c + named
    assert again[0] == 9.0
    assert [float(v[-1]) for v in (a, b, c, named)] == [1.0, 2.0, 3.0, 3.0]


def test_in_place_write_bumps_the_version_of_the_tensor():
    """Row 110: torch sees that its saved tensors were changed."""
    x = fastnp.zeros(3)
    tensor = x.tensor
    before = tensor._version
    for write in (
        "x += 1",
        "x[0] = 2",
        "x.fill(3)",
        "np.add(x, 1, out=x)",
        "np.exp(x, out=x)",
        "x.sort()",
        "x[[0, 1]] = 4",
    ):
        exec(write, {"x": x, "np": fastnp})
        assert tensor._version > before, write
        before = tensor._version


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_of_arrays(dtype):
    """What NumPy computes in the stead of some powers, and the loop of all others."""
    for values in (numpy.array([0, 1, 2, 5]), numpy.array([[3, 2]]), numpy.array(4), numpy.array([])):
        base = values.astype(dtype)
        for exponent in (2, 2.0, 0.5, -1, -1.0, 0, 1, 3, 1.5, True, 1j, numpy.float32(2), numpy.int8(2)):
            agree(lambda xp, x, e=exponent: x**e, base, tolerance="rounded")
            agree(lambda xp, x, e=exponent: e**x, base, tolerance="rounded")
        for other in ("f8", "i8", "u1", "?"):
            agree(lambda xp, x, y: x**y, base, values.astype(other), tolerance="rounded")
