"""NumPy's own scalars as operands: what a dtype's name gives when it is called, `np.float32(0.5)`."""

import operator

import numpy
import pytest
import torch

import fastnp
from tests._oracle import agree, same_as_numpy, same_bits
from tests._tables import DTYPES

VALUES = {"b": [True], "i": [3, -2], "u": [3, 250], "f": [1.5, -0.0, float("nan")], "c": [1.5 - 2j, 3j]}
OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.and_, operator.lshift, operator.lt, operator.le, operator.eq, operator.ne, operator.ge,
]  # fmt: skip
INPLACE = [operator.iadd, operator.imul, operator.itruediv, operator.ipow, operator.ior]


def numbers(dtype):
    """NumPy's scalars of a dtype."""
    kind = numpy.dtype(dtype)
    return [kind.type(value) for value in VALUES[kind.kind]]


def operands(xp, dtype):
    """What meets a scalar: one out of an array, a 0-d array, a vector, a strided matrix."""
    values = numpy.array([3, 1, 2, 0, 1, 2]).astype(dtype)
    vector = xp.array(values)
    return vector[0], xp.array(vector[1]), vector, vector.reshape(2, 3).T[::2]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators_take_them_on_both_sides(op, dtype):
    for other in DTYPES:
        for number in numbers(other):
            for place in range(4):
                agree(lambda xp, n=number, p=place: op(operands(xp, dtype)[p], n), tolerance="rounded")
                agree(lambda xp, n=number, p=place: op(n, operands(xp, dtype)[p]), tolerance="rounded")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", INPLACE, ids=lambda op: op.__name__)
def test_operators_in_place(op, dtype):
    for other in DTYPES:
        for number in numbers(other):
            for place in range(4):
                agree(lambda xp, n=number, p=place: op(operands(xp, dtype)[p], n), tolerance="rounded")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", ["add", "arctan2", "maximum", "power", "hypot", "fmod", "copysign", "greater", "bitwise_or"]
)
def test_ufuncs(name):
    for dtype in DTYPES:
        for other in DTYPES:
            for number in numbers(other):
                agree(lambda xp, n=number, d=dtype: getattr(xp, name)(xp.ones(3, d), n), tolerance="rounded")
                agree(lambda xp, n=number, d=dtype: getattr(xp, name)(n, xp.ones((), d)), tolerance="rounded")
                agree(lambda xp, n=number: getattr(xp, name)(n, n), tolerance="rounded")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["sqrt", "negative", "exp", "isnan", "conjugate", "logical_not", "sign", "abs"])
def test_ufuncs_of_one_operand(name):
    for dtype in DTYPES:
        for number in numbers(dtype):
            agree(lambda xp, n=number: getattr(xp, name)(n), tolerance="rounded")
    for number in (True, 2 - 1j, 1e300j):
        agree(lambda xp, n=number: getattr(xp, name)(n), tolerance="rounded")


@pytest.mark.parametrize("dtype", [code for code in DTYPES if numpy.dtype(code).kind in "biu"])
@same_as_numpy
def test_as_an_index(xp, dtype):
    place = numpy.dtype(dtype).type(1)
    x = xp.arange(12.0).reshape(3, 4)
    read = x[place], x[place, place], x[0][place], x[:, place], x[place:], x[..., place]
    x[place, 2] = 7
    x[place] += 1
    return read, x


@pytest.mark.parametrize("value", [1, -1, 3, -4, 2**40])
def test_index_out_of_bounds(value):
    agree(lambda xp: xp.arange(3.0)[numpy.int64(value)])
    agree(lambda xp: operator.setitem(xp.arange(3.0), numpy.int64(value), 1.0))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
def test_as_a_value(dtype):
    for other in DTYPES:
        for number in numbers(other):

            def assigned(xp, n=number):
                x = xp.zeros((2, 3), dtype)
                x[0, 1] = n
                x[1] = n
                x[:, 0] = n
                return x

            agree(assigned)
    agree(lambda xp: operator.setitem(xp.zeros(2, dtype), 0, 2 - 1j))


@same_as_numpy
def test_functions_take_them(xp):
    x, number, count = xp.arange(4.0), numpy.float64(1.5), numpy.int64(2)
    return (
        xp.where(x > number, number, x), xp.clip(x, number, None), xp.full(count, number), xp.zeros(count),
        xp.arange(count), xp.dot(x, number), xp.isclose(x, number), xp.round(number, 1), xp.sum(number),
        xp.repeat(x, count), xp.roll(x, count), x.reshape(count, count), xp.linspace(number, 3, 3), xp.tile(x, count),
    )  # fmt: skip


def test_a_scalar_stays_where_it_is():
    """The value is read in place: neither the scalar nor its count of references changes."""
    number, x = numpy.float64(1.5), fastnp.arange(3.0)
    for _ in range(100):
        x * number, number * x, x[0] < number
    x *= number
    assert number == 1.5
    assert isinstance(x[0] * number, fastnp.ndarray)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_scalars_near_the_limits_warn_as_numpys(dtype):
    """What overflows, vanishes or is no number is the loop's: the same warnings on both sides of the switch."""
    info = numpy.finfo(dtype)
    values = [0, 1, info.max, info.tiny, float("inf"), float("nan"), info.max / 3, 7.0]

    def computed(xp, op, first, second):
        x = xp.array([first, second]).astype(dtype)
        return op(x[0], x[1])

    for op in (operator.add, operator.mul, operator.truediv, operator.eq, operator.lt):
        for first in values:
            for second in values:
                if op is operator.mul and {first, second} == {float("inf"), values[5]} and dtype in ("c8", "c16"):
                    continue  # NumPy's own loop says nothing where its scalars do
                agree(lambda xp, a=first, b=second, o=op: computed(xp, o, a, b), warns=True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_and_slices_are_set_to_them(dtype):
    def put(xp, key, number):
        array = xp.array(numpy.zeros((2, 3), dtype))
        array[key] = number
        return array

    keys = [(1, 2), 0, (slice(None), slice(1, 3)), (0, Ellipsis), [1], numpy.array([[True, False, True]] * 2)]
    for other in DTYPES:
        for number in [*numbers(other), *map(numpy.dtype(other).type, (0, 1, 120))]:
            for key in keys:
                agree(lambda xp, key=key, number=number: put(xp, key, number), warns=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
def test_comparisons_and_divmod_of_two_scalars(dtype):
    for op in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge, divmod, operator.pow):
        for other in DTYPES:
            for number in numbers(other):
                agree(lambda xp, op=op, n=number: op(operands(xp, dtype)[0], n), tolerance="rounded")
                agree(lambda xp, op=op, n=number: op(operands(xp, dtype)[0], xp.array(n)[()]), tolerance="rounded")
        for number in (True, False, 0, 2, -3, 2**70, 0.0, 2.5, float("nan"), 1j):
            agree(lambda xp, op=op, n=number: op(operands(xp, dtype)[0], n), tolerance="rounded")
            if number != 1j:  # Python's own complex numbers compare with float64, a float, by themselves
                agree(lambda xp, op=op, n=number: op(n, operands(xp, dtype)[0]), tolerance="rounded")


class Answers:
    """An operand that NumPy asks by NEP 13."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc.__name__, method


class Heir(fastnp.ndarray):
    """A subclass of the array with an answer of its own."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return "heir", ufunc.__name__


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_others_go_on_to_numpys_scalars(dtype):
    """They leave operators to arrays proper of ours alone: NumPy's own, NEP 13 and subclasses stay as they were."""
    names = {
        operator.add: "add", operator.mul: "multiply", operator.lt: "less", operator.eq: "equal", operator.pow: "power",
    }
    for number in numbers(dtype):
        for op, name in names.items():
            ufunc = getattr(numpy, name)
            for other in (numpy.array([1.0, 2.0]), numpy.float64(2.0), numpy.array(3), numpy.int8(2)):
                same_bits(op(number, other), ufunc(number, other))
            longer = op(number, numpy.longdouble(2))
            assert type(longer) is type(ufunc(number, numpy.longdouble(2)))
            assert op(number, Answers()) == (name, "__call__")
            assert op(number, fastnp.ones(2).view(Heir)) == ("heir", name)
            masked = op(number, numpy.ma.array([1.0, 2.0], mask=[True, False]))
            assert type(masked) is numpy.ma.MaskedArray
            assert type(op(number, fastnp.ones(2))) is fastnp.ndarray
            method = getattr(number, f"__{op.__name__}__")
            assert type(method(fastnp.ones(2))) is fastnp.ndarray
        assert number.__eq__("text") is not True
        agree(lambda xp, n=number: pow(n, operands(xp, dtype)[0], 3))
        agree(lambda xp, n=number: n @ operands(xp, dtype)[2])
        agree(lambda xp, n=number: n + None)


def test_hooks_hear_of_operators_with_them():
    """A mode is told the operator, as it is of a number of Python's."""
    heard = []

    class Listening(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            heard.append(function)
            return function(*args, **(kwargs or {}))

    x = fastnp.ones(3)
    with Listening():
        first = numpy.float64(2.0) * x
        second = 2.0 * x
    assert heard == [fastnp.ndarray.__rmul__] * 2
    assert (first == second).all()
