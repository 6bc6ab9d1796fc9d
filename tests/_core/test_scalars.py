"""0-d arrays born where NumPy returns a scalar do what NumPy's scalars do (rows 67, 68; D7)."""

import contextlib
import copy
import itertools
import json
import math
import operator
import pickle
import warnings

import numpy
import pytest
import torch

import fastnp
from tests._oracle import agree, same_as_numpy
from tests._tables import DTYPES, filled

VALUES = {
    "?": True,
    "i1": -5,
    "u1": 200,
    "i8": 2**40,
    "u8": 2**63,
    "f2": 1.5,
    "f4": 0.1,
    "f8": 1 / 3,
    "c8": 1 + 2j,
    "c16": 0.1j,
}
ALL = sorted(VALUES)
REAL = [code for code in ALL if not code.startswith("c")]
INTEGER = [code for code in REAL if not code.startswith("f")]


def scalar(xp, dtype):
    """The element of an array: NumPy's scalar, our 0-d array."""
    return xp.array([VALUES[dtype]], dtype=dtype)[0]


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_hash_and_dict_key(xp, dtype):
    """Row 67: `{x[0]: 1}`; the hash is that of the equal Python number."""
    x = scalar(xp, dtype)
    return (
        hash(x),
        hash(x) == hash(x.item()),
        {x: 1}[x.item()],
        x in {x.item()},
        {x.item(): "found"}[x],
        len({x, x.item()}),
    )


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_printed_forms(xp, dtype):
    """Rows 67 and 95: `np.float64(0.5)` for repr, the number itself for str."""
    x = scalar(xp, dtype)
    return repr(x), str(x), f"{x}", f"{x!r}", f"{x!s:>30}", repr([x]), repr({"k": x}), repr((x,))


@pytest.mark.parametrize(
    "specification", ["", ".2f", "10.3e", "+.1%", "d", "5d", "x", "#b", ",", "g", "c", "nonsense", "<12", "08.3f"]
)
@pytest.mark.parametrize("dtype", ALL)
def test_format(dtype, specification):
    """Row 67: `f'{x.sum():.2f}'`."""
    agree(lambda xp: format(scalar(xp, dtype), specification))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("form", ["%d", "%.3f", "%5s", "%x", "%r", "%e"])
def test_percent_format(dtype, form):
    agree(lambda xp: form % scalar(xp, dtype))


@pytest.mark.parametrize(
    "function",
    [int, float, complex, bool, round, abs, operator.index, math.trunc, math.floor, math.ceil, math.sqrt],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("dtype", ALL)
def test_conversion(function, dtype):
    """Row 67: value and type as from NumPy's scalar."""
    agree(lambda xp: function(scalar(xp, dtype)))


@pytest.mark.parametrize("digits", [None, 0, 1, 2, -1], ids=str)
@pytest.mark.parametrize("dtype", ALL)
def test_round_with_digits(dtype, digits):
    """Row 67: `round(x)` is a Python int, `round(x, 1)` stays in its dtype."""
    agree(lambda xp: round(scalar(xp, dtype), digits))


@pytest.mark.parametrize("dtype", INTEGER)
@same_as_numpy
def test_use_as_an_index_of_python_sequences(xp, dtype):
    x = xp.array([2 if dtype != "?" else 1], dtype=dtype)[0]
    if dtype == "?":
        return operator.index(xp.array(2)) if xp is None else None
    return (
        "abcdef"[x],
        [1, 2, 3, 4][x:],
        list(range(x)),
        bytes(x)[:0],
        [0] * x,
        "ab" * x,
        (1, 2) * x,
        list(range(10))[::x],
    )


@same_as_numpy
def test_zero_dimensional_arrays_keep_being_arrays(xp):
    """`array(5.)` and `a[0, ...]` are arrays in NumPy: writable, printed as arrays."""
    x = xp.array(5.0)
    x[...] = 7
    x[()] += 1
    x += 1
    y = xp.arange(3.0)[1, ...]
    y[()] = 9
    return x, repr(x), str(x), repr(y), y.flags.writeable, x.flags.owndata, repr(x[()]), repr(x + 1), f"{x:.2f}"


def test_array_of_zero_dimensions_is_not_hashable():
    agree(lambda xp: hash(xp.array(5.0)))
    agree(lambda xp: hash(xp.arange(3)[0, ...]))
    agree(lambda xp: hash(xp.arange(3)))


@same_as_numpy
def test_swap_through_a_temporary(xp):
    """D7: an element owns its value."""
    a = xp.array([1.0, 2.0])
    tmp = a[0]
    a[0] = a[1]
    a[1] = tmp
    b = xp.array([[1, 2], [3, 4]])
    b[0, 0], b[1, 1] = b[1, 1], b[0, 0]
    c = xp.arange(6)
    smallest, largest = c[0], c.max()
    c[:] = 0
    return a, b, smallest, largest


@pytest.mark.parametrize("line", ["t += 1", "t -= 1", "t *= 2", "t /= 2", "t //= 2", "t **= 2", "t %= 2"])
@same_as_numpy
def test_in_place_operator_rebinds(xp, line):
    """D7: `t = a[0]; s = t; t += 1` leaves s and a."""
    a = xp.array([5.0, 2.0])
    names = {"t": a[0]}
    s = names["t"]
    exec(line, names)
    return names["t"], s, a


@pytest.mark.parametrize(
    "line", ["t[()] = 1", "t[...] = 1", "t[0] = 1", "t.fill(2)", "t.flat[0] = 1", "np.add(t, 1, out=t)", "t.itemset(3)"]
)
def test_scalar_is_immutable(line):
    """Row 67: nothing changes what NumPy returns as a scalar; NumPy refuses some writes and loses the others."""
    for make in (
        lambda xp: xp.arange(3.0)[1],
        lambda xp: xp.arange(3.0).sum(),
        lambda xp: xp.float64(3.0) + xp.array(1.0),
    ):
        t = make(fastnp)
        value = float(t)
        with contextlib.suppress(TypeError, ValueError, AttributeError):
            exec(line, {"np": fastnp, "t": t})
        assert float(t) == value
    agree(lambda xp: xp.arange(3.0)[1].flags.writeable)


@pytest.mark.parametrize("right", [3, 2.5, True, 1j, [1, 2, 3], (1.5, 2), "ab", None, b"x"], ids=repr)
@pytest.mark.parametrize(
    "symbol", ["+", "-", "*", "/", "//", "%", "**", "@", "==", "!=", "<", ">=", "&", "|", "^", "<<", ">>"]
)
@pytest.mark.parametrize("dtype", ["i8", "f4", "c16", "?"])
def test_operators_with_python_objects(dtype, symbol, right):
    """Row 68: `list * scalar` repeats the list; the rest is arithmetic, both ways round."""
    agree(lambda xp: eval(f"x {symbol} y", {"x": scalar(xp, "i1" if dtype == "i8" else dtype), "y": right}))
    agree(lambda xp: eval(f"y {symbol} x", {"x": xp.array([2], dtype=dtype)[0], "y": right}))


def test_list_times_scalar_repeats_the_list():
    """Row 68: equality of lists, for a scalar on either side."""
    two = fastnp.array([2])[0]
    assert two * [1, 2, 3] == [1, 2, 3, 1, 2, 3]
    assert [1, 2, 3] * two == [1, 2, 3, 1, 2, 3]
    agree(lambda xp: xp.int32(2) * [1, 2, 3])
    agree(lambda xp: [0] * xp.arange(4).max())
    agree(lambda xp: xp.array(2) * [1, 2, 3])


@pytest.mark.parametrize("dtype", REAL)
@same_as_numpy
def test_ordering_and_python_aggregates(xp, dtype):
    x = xp.array(filled((5,), dtype))
    items = [x[k] for k in (3, 0, 4, 1, 2)]
    return (
        sorted(items),
        min(items),
        max(items),
        x[0] < x[1],
        x[0] == x[0].item(),
        bool(x[1] >= 1),
        any(items),
        all(items),
    )


@same_as_numpy
def test_sum_of_scalars(xp):
    x = xp.arange(4.0)
    return sum(x), sum(x[k] for k in range(4)), math.fsum(x), math.hypot(x[3], x[2]), divmod(x[3], x[2]), pow(x[2], 3)


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_attributes_and_methods_of_scalars(xp, dtype):
    x = scalar(xp, dtype)
    values = [
        x.dtype,
        x.shape,
        x.ndim,
        x.size,
        x.itemsize,
        x.nbytes,
        x.item(),
        x.tolist(),
        x.real,
        x.imag,
        x.T,
        x.conj(),
    ]
    return [
        *values,
        x.astype("c16"),
        x.tobytes(),
        x.sum(),
        x.max(),
        x.reshape(1),
        x.squeeze(),
        x.copy(),
        x.ravel(),
        x.any(),
    ]


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_copies_and_pickles_of_scalars(xp, dtype):
    x = scalar(xp, dtype)
    again = pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)
    return [repr(y) for y in again], [hash(y) == hash(x) for y in again]


@same_as_numpy
def test_scalar_indexing(xp):
    x = xp.arange(3.0)[1]
    return x[()], x[None], x[...], x[None, ...]


@pytest.mark.parametrize("index", [0, slice(None), [0], "x", (0, 0)], ids=str)
def test_scalar_has_no_elements(index):
    agree(lambda xp: xp.arange(3.0)[1][index])


def test_scalar_has_no_length_and_is_no_iterable():
    for function in (len, iter, list, next):
        agree(lambda xp, function=function: function(xp.arange(3.0)[1]))


@same_as_numpy
def test_where_numpy_returns_a_scalar(xp):
    """D7: reductions, full integer indexing and ufuncs of 0-d operands print as scalars, 0-d views as arrays."""
    x = xp.arange(6.0).reshape(2, 3)
    scalars = [
        x[0, 0],
        x.sum(),
        xp.mean(x),
        x.max(),
        xp.exp(x[0, 1]),
        xp.array(1) + xp.array(2),
        x[0, 0] * 2,
        x.argmax(),
        x[0] @ x[1],
    ]
    scalars += [
        xp.dot(x[0], x[1]),
        xp.add(1, 2),
        -x[1, 1],
        x[0, 0] == 0,
        xp.all(x > 1),
        abs(x[0, 1]),
        xp.add.reduce(x[0]),
        x.item(0),
    ]
    arrays = [
        x[0, 0, ...],
        xp.array(3),
        xp.asarray(2.5),
        xp.zeros(()),
        x[0, :1].reshape(()),
        xp.squeeze(x[:1, :1]),
        x.sum(keepdims=True),
    ]
    return [repr(y) for y in scalars + arrays]


def test_json_of_scalars():
    """Row 67: `json.dumps` takes what float() and int() give."""
    x = fastnp.arange(3.0)
    assert json.loads(json.dumps({"sum": float(x.sum()), "n": int(x.argmax()), "all": x.tolist()})) == {
        "sum": 3.0,
        "n": 2,
        "all": [0.0, 1.0, 2.0],
    }


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_truth_of_zero(dtype):
    agree(lambda xp: [bool(xp.zeros(1, dtype)[0]), not xp.ones(1, dtype)[0], 1 if xp.zeros((), dtype) else 2])


def test_bool_scalar_is_compared_and_negated():
    """`~` of a comparison is a logical not, and `is True` is NumPy's to answer."""
    agree(
        lambda xp: [
            ~(xp.arange(3)[0] == 0),
            (xp.arange(3)[0] == 0) & True,
            xp.arange(3)[0] == "x",
            xp.arange(3)[0] is None,
        ]
    )


def test_nan_scalar_is_not_equal_to_itself():
    agree(
        lambda xp: [
            xp.array([xp.nan])[0] == xp.nan,
            xp.isnan(xp.array([xp.nan])[0]),
            math.isnan(xp.array([xp.nan]).sum()),
        ]
    )
    assert numpy.isnan(float(fastnp.array([fastnp.nan])[0]))


EDGES = {
    "f8": [0.0, -0.0, 1.5, -2.0, 1e308, 5e-324, math.inf, -math.inf, math.nan],
    "i8": [0, 1, -1, 7, 2**63 - 1, -(2**63)],
    "f4": [0.0, -0.0, 700.3, math.nan],
    "i2": [-(2**15), 5],
    "u1": [0, 1, 200],
    "u2": [2, 2**16 - 1],
    "u8": [0, 5, 2**64 - 1],
    "?": [True, False],
}
SCALARS = [(dtype, value) for dtype, values in EDGES.items() for value in values]
NUMBERS = [0, 2, 3, -1, 2**62, 2**63, 0.0, 0.5, -0.5, 1e308, math.inf, math.nan, True, False]


def outcome(function, *operands):
    """Return value, sign, dtype and warnings of an operation, or the type of what it raises."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*operands)
        except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            return type(error)
    said = sorted({str(warning.message).replace("scalar ", "") for warning in caught})
    return repr(result.item()), result.dtype.name, [text.split(" in ")[0] for text in said]


@pytest.mark.parametrize(
    "function", [operator.neg, operator.pos, abs, operator.invert], ids=lambda function: function.__name__
)
def test_operators_of_one_edge_value(function):
    for dtype, value in SCALARS:
        ours, theirs = (xp.array([value], dtype=dtype)[0] for xp in (fastnp, numpy))
        assert outcome(function, ours) == outcome(function, theirs), (dtype, value)


BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow
]
COMPARING = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


@pytest.mark.parametrize("function", BINARY + COMPARING, ids=lambda function: function.__name__)
def test_operators_of_two_edge_values(function):
    for dtype, value in SCALARS:
        ours, theirs = (xp.array([value], dtype=dtype)[0] for xp in (fastnp, numpy))
        for number in NUMBERS:
            assert outcome(function, ours, number) == outcome(function, theirs, number), (dtype, value, number)
            # A power of False is an array's, which says more of infinities.
            if number is not False or function is not operator.pow:
                assert outcome(function, number, ours) == outcome(function, number, theirs), (number, dtype, value)
        for other, second in SCALARS:
            pair = [xp.array([second], dtype=other)[0] for xp in (fastnp, numpy)]
            assert outcome(function, ours, pair[0]) == outcome(function, theirs, pair[1]), (dtype, value, other, second)


def test_powers_of_bool_scalars_are_not_those_of_arrays():
    for exponent in (2, True, -1, 2.0, 0.5):
        for make in (lambda xp: xp.array([True])[0], lambda xp: xp.array(True), lambda xp: xp.array([True])):
            ours, theirs = (outcome(operator.pow, make(xp), exponent) for xp in (fastnp, numpy))
            assert ours == theirs


@pytest.mark.parametrize("sequence", [[1, 2], (1, 2), "ab", b"ab", [], bytearray(b"a"), None, 1.5, {}])
@pytest.mark.parametrize("dtype", ["i8", "u1", "?", "f8"])
@same_as_numpy
def test_scalar_times_a_sequence_in_place(xp, dtype, sequence):
    value = xp.array([VALUES[dtype] if dtype != "i8" else 3], dtype=dtype)[0]
    value *= sequence
    return value


def test_scalars_of_bfloat16_are_no_python_integers():
    for _ in range(20):
        one, two = fastnp.asarray(torch.tensor([1.5, 2.5], dtype=torch.bfloat16))
        assert str((one * two).dtype) == str((one + two).dtype) == "bfloat16"
        assert float(one * two) == 3.75


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "negative", "absolute"])
def test_ufuncs_of_integer_scalars_overflow_in_silence(name):
    least = [xp.array([-(2**63)])[0] for xp in (fastnp, numpy)]
    operands = [[value] if name in ("negative", "absolute") else [value, value + 1] for value in least]
    ours, theirs = (outcome(getattr(xp, name), *given) for xp, given in zip((fastnp, numpy), operands, strict=True))
    assert ours == theirs


PYTHONS = [0, 0.0, 3, 1e308, 1j, True]
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", ["f8", "i8", "u1", "c16"])
def test_warnings_name_the_operator_of_scalars(name, dtype):
    def texts(xp):
        found = []
        scalars = [xp.array([value], dtype)[0] for value in (0, 1, 200)]
        others = [*PYTHONS, *scalars, *(xp.array([value])[0] for value in (0.0, 1e308)), xp.array([0.0]), xp.array(0.0)]
        for one, other in itertools.product(scalars, others):
            for a, b in ((one, other), (other, one)):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    with contextlib.suppress(TypeError, ZeroDivisionError, OverflowError, ValueError):
                        getattr(operator, name)(a, b)
                found.append([str(warning.message) for warning in caught])
        return found

    assert texts(fastnp) == texts(numpy)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
@pytest.mark.parametrize("value", [0, 2])
def test_complex_numbers_of_python_before_a_scalar(name, dtype, value):
    def ends(xp):
        with numpy.errstate(all="ignore"):
            try:
                found = getattr(operator, name)(1j, xp.array([value], dtype)[0])
            except ZeroDivisionError as error:
                return str(error)
        return type(found) is complex, repr(complex(found))

    assert ends(fastnp) == ends(numpy)


VIEWS = [
    "s.T", "s.transpose()", "s.squeeze()", "s.view()", "s.real", "s.reshape(())", "s.reshape(1)", "s.reshape(1, 1)",
    "s.ravel()", "s.flatten()", "s[()]", "s[...]", "s[None]", "s[None, ...]", "xp.reshape(s, 1)", "xp.ravel(s)",
    "xp.atleast_1d(s)", "xp.atleast_3d(s)", "xp.expand_dims(s, 0)", "xp.transpose(s)", "xp.squeeze(s)", "xp.asarray(s)",
    "xp.array(s, copy=None, ndmin=2)", "xp.broadcast_to(s, (1, 1))", "xp.broadcast_to(s, (3,))",
]  # fmt: skip


@pytest.mark.parametrize("expression", VIEWS)
@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_views_of_scalars_are_of_copies(xp, dtype, expression):
    s = scalar(xp, dtype)
    view = eval(expression, {"s": s, "xp": xp})
    writeable = view.flags.writeable
    if writeable:
        view[...] = 0
    return view, hasattr(view, "__hash__") and view.shape == () and not writeable, writeable, s


def test_views_of_scalars_with_a_gradient_are_of_copies():
    x = fastnp.array([2.0, 3.0])
    x.tensor.requires_grad_()
    total = fastnp.sum(x)
    view = total.reshape(1)
    with torch.no_grad():
        view.tensor.zero_()
    assert float(total) == 5
    assert view.flags.writeable
    total.reshape(1, 1).tensor.backward(torch.ones(1, 1))
    assert x.tensor.grad.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["shape", "dtype"])
@same_as_numpy
def test_attributes_of_scalars_cannot_be_set(xp, name):
    s = xp.float64(2.0) if xp is numpy else xp.array([2.0])[0]
    setattr(s, name, (1,) if name == "shape" else "i8")


@same_as_numpy
def test_resize_leaves_a_scalar_as_it_is(xp):
    s = xp.array([2.0])[0]
    return s.resize((1,)), s.resize((3,)), s, s.shape


COMPARED = [1.5, 2, 2.0, -1, 2**53, 2**53 + 1, -(2**70), 2**1030, float("nan"), float("inf"), True]


@pytest.mark.parametrize("op", [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge])
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_comparisons_with_numbers_of_python(dtype, op):
    for left in (2, 3, 2**53):
        for right in COMPARED:
            agree(lambda xp, a=left, b=right: op(xp.array([a], dtype)[0], b))
            agree(lambda xp, a=left, b=right: op(b, xp.array([a], dtype)[0]))


def test_a_truth_that_became_a_tensor_is_given_to_nobody_else():
    one = fastnp.array([1.0, 2.0])
    before, tensor = one[0] < one[1], (one[0] < one[1]).tensor
    tensor.logical_not_()
    torch.from_dlpack(one[0] < one[1]).logical_not_()
    torch.as_tensor(one[0] < one[1]).logical_not_()
    numpy.asarray(one[0] < one[1])
    fastnp.asarray(one[0] < one[1])[...] = False
    assert bool(before)
    assert bool(one[0] < one[1])
    assert (one[0] < one[1]).is_scalar
    assert fastnp.array([True])[0].tensor.item() is True


def test_bytes_that_are_no_truths_are_read_as_true():
    values = fastnp.array([0, 1, 2, 255], dtype="u1").view("?")
    assert [bool(value) for value in values] == [False, True, True, True]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("value", [3, 2.5, "x", None], ids=str)
@same_as_numpy
def test_fill_of_a_scalar_fills_a_copy(xp, dtype, value):
    x = scalar(xp, dtype)
    if value is None:
        value = x
    return x.fill(value), x


@pytest.mark.parametrize("dtype", ALL)
@same_as_numpy
def test_flags_of_a_scalar_are_set_on_a_copy(xp, dtype):
    x = scalar(xp, dtype)
    return x.setflags(write=True), x.flags.writeable, x


@pytest.mark.parametrize("name", ["may_share_memory", "shares_memory"])
@pytest.mark.parametrize("work", [(), (0,), (-1,), (5,)], ids=str)
@same_as_numpy
def test_scalars_share_no_memory(xp, name, work):
    share, array = getattr(xp, name), xp.arange(4.0)
    x = array[2]
    return [share(x, x, *work), share(x, array, *work), share(array, x, *work), share(array, array[2, ...], *work)]
