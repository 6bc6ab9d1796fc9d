"""A large temporary takes the result of the next operation, and nothing that anybody can see ever does."""

import functools
import gc
import itertools
import operator
import sys
import warnings
import weakref

import hypothesis.strategies as st
import numpy
import pytest
import torch
from hypothesis import given

import fastnp as np

#: Elements of float64 from which a temporary takes the result.
LARGE = 1 << 15
@pytest.fixture(params=[LARGE, LARGE - 1], ids=["large", "small"])
def operands(request):
    return [np.arange(1.0, request.param + 1) * factor for factor in (1, 2, 3)]


class Seen:
    """Remembers which object a value was, without keeping it."""

    def __call__(self, value):
        self.identity = id(value)
        return value

    def is_again(self, result):
        return id(result) == self.identity


EXPRESSIONS = {
    "left": lambda seen, a, b: seen(a + b) + a,
    "right": lambda seen, a, b: a - seen(a + b),
    "both": lambda seen, a, b: seen(a + b) * (a - b),
    "scalar": lambda seen, a, b: seen(a + b) * 2.0,
    "reflected": lambda seen, a, b: 2 - seen(a + b),
    "negative": lambda seen, a, b: -seen(a + b),
    "square": lambda seen, a, b: seen(a + b) ** 2,
    "root": lambda seen, a, b: seen(a + b) ** 0.5,
    "function": lambda seen, a, b: np.sqrt(seen(a + b)),
    "function of two": lambda seen, a, b: np.maximum(b, seen(a + b)),
    "zero-dimensional": lambda seen, a, b: seen(a + b) + np.array(2.0),
    "in a comprehension": lambda seen, a, b: [seen(a + b) + a for _ in "1"].pop(),
    "in a generator": lambda seen, a, b: next(seen(a + b) + a for _ in range(1)),
}


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_a_temporary_takes_the_result(expression, operands):
    a, b, _ = operands
    expected = expression(Seen(), a.__array__(), b.__array__())
    seen = Seen()
    result = expression(seen, a, b)
    assert seen.is_again(result) == (a.size >= LARGE)
    numpy.testing.assert_array_equal(result, expected, strict=True)
    assert result.flags.owndata
    assert result.flags.writeable
    numpy.testing.assert_array_equal(a, numpy.arange(1.0, a.size + 1))


CHAINS = {
    operator.add: lambda seen, a, b: seen(a + b) + b,
    operator.sub: lambda seen, a, b: seen(a + b) - b,
    operator.mul: lambda seen, a, b: seen(a + b) * b,
    operator.truediv: lambda seen, a, b: seen(a + b + 0.5) / b,
    operator.floordiv: lambda seen, a, b: seen(a + b) // b,
    operator.mod: lambda seen, a, b: seen(a + b) % b,
    operator.and_: lambda seen, a, b: seen(a + b) & b,
    operator.or_: lambda seen, a, b: seen(a + b) | b,
    operator.xor: lambda seen, a, b: seen(a + b) ^ b,
    operator.lshift: lambda seen, a, b: seen(a + b) << b,
    operator.rshift: lambda seen, a, b: seen(a + b) >> b,
}


@pytest.mark.parametrize("number, chain", CHAINS.items(), ids=[number.__name__ for number in CHAINS])
def test_every_operator_is_known(number, chain):
    a, b = np.arange(2 * LARGE) + 1, np.arange(2 * LARGE) % 7 + 1
    seen = Seen()
    result = chain(seen, a, b)
    assert seen.is_again(result)
    first = a + b if number is not operator.truediv else a + b + 0.5
    numpy.testing.assert_array_equal(result, number(first.__array__(), b.__array__()))


def held_by_a_name(a, b):
    t = a + b
    return t, lambda: t + a


def held_in_a_list(a, b):
    kept = [a + b]
    return kept[0], lambda: kept[0] + a


def bound_method(a, b):
    add = (a + b).__add__
    return add.__self__, lambda: add(a)


def given_to_c_code(a, b):
    t = [a + b]
    return t[0], lambda: operator.add(t[0], a)


HELD = [held_by_a_name, held_in_a_list, bound_method, given_to_c_code]


def test_values_are_the_same_whether_a_result_is_written_past_the_cache_or_not():
    """What was read again at once the last times is kept in the cache the next, if it fits."""
    for size in (900_000, 1_100_000, 2_000_001):
        given = [numpy.random.default_rng(seed).random(size) for seed in range(3)]
        a, b, c = map(np.array, given)
        x, y, z = given
        for _ in range(5):
            assert bool((a * b + c == np.array(x * y + z)).all())
            assert bool((a + b - c == np.array(x + y - z)).all())
        for _ in range(5):
            kept = a + b
            assert bool((kept == np.array(x + y)).all())
            del kept


@pytest.mark.parametrize("held", HELD, ids=lambda function: function.__name__)
def test_what_is_held_keeps_its_value(held, operands):
    a, b, _ = operands
    kept, operation = held(a, b)
    before = numpy.array(kept)
    first, second = operation(), operation()
    numpy.testing.assert_array_equal(first, second)
    numpy.testing.assert_array_equal(kept, before)


def test_a_reference_that_only_c_code_has_is_none_of_ours(operands):
    a, b, c = operands
    seen = Seen()
    # In each of these the interpreter's C code calls the operator, with an operand that only it holds.
    for call in (
        lambda: operator.add(seen(a + b), c),
        lambda: seen(a + b).__add__(c),
        lambda: functools.reduce(operator.add, [a, c], seen(a + b)),
        lambda: next(map(np.sqrt, [seen(a + b)])),
        lambda: np.sqrt(*[seen(a + b)]),
    ):
        assert not seen.is_again(call())


def test_a_bound_method_can_be_called_twice():
    a = np.ones(2 * LARGE)
    add = (a + a).__add__
    assert add(a)[0] == add(a)[0] == 3.0


def test_running_totals_are_all_kept():
    a = np.ones(2 * LARGE)
    totals = list(itertools.accumulate([a, a, a], operator.add))
    assert [total[0] for total in totals] == [1.0, 2.0, 3.0]
    assert sum([a, a, a], a + a)[0] == 5.0


def test_a_weak_reference_sees_the_value_it_was_made_of():
    a = np.ones(2 * LARGE)
    found = []

    def watched(value):
        reference = weakref.ref(value)
        found.append(reference)
        return value

    result = watched(a + a) + a
    assert found[0]() is not result
    assert result[0] == 3.0


def test_an_export_keeps_its_value():
    a = np.ones(2 * LARGE)
    exported = []

    def export(value, by):
        exported.append(by(value))
        return value

    makers = (memoryview, numpy.asarray, np.asarray, torch.from_dlpack, lambda x: x[1:], lambda x: x.T, iter)
    for by in makers:
        result = export(a + a, by) + a
        assert float(next(iter(exported[-1]))) == 2.0, by
        assert float(result[1]) == 3.0


def test_a_view_of_what_is_held_is_not_taken():
    a = np.ones(2 * LARGE)
    t = a + a
    result = t[:] + a
    assert t[0] == 2.0
    assert result[0] == 3.0


def test_reference_counts_balance():
    a = np.ones(2 * LARGE)
    before = sys.getrefcount(a)
    for _ in range(50):
        result = np.sqrt(a + a) * a - a
    del result
    gc.collect()
    assert sys.getrefcount(a) == before


def test_a_mode_and_a_gradient_see_new_results():
    t = torch.ones(2 * LARGE, requires_grad=True)
    a = np.asarray(t)
    torch.sum(((a * a) * a).tensor).backward()
    assert t.grad[0] == 3.0

    class Counting(torch.overrides.TorchFunctionMode):
        calls = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            Counting.calls += 1
            return func(*args, **(kwargs or {}))

    b = np.ones(2 * LARGE)
    with Counting():
        result = (b + b) + b
    assert Counting.calls >= 2
    assert result[0] == 3.0


def test_an_error_leaves_the_operands_as_they_were():
    a = np.ones(2 * LARGE)
    zeros = np.zeros(2 * LARGE)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        (a + a) / zeros
    with pytest.raises(ValueError, match="broadcast"):
        (a + a) + np.ones(3)
    assert a.min() == a.max() == 1.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = (a + a) / zeros
    assert [str(warning.message) for warning in caught] == ["divide by zero encountered in divide"]
    assert result[0] == numpy.inf


SHAPES = [(2 * LARGE,), (8, LARGE), (LARGE, 8), (1, 2 * LARGE), (LARGE, 1, 4)]
OTHERS = [
    lambda xp, shape: xp.ones(shape), lambda xp, shape: xp.ones(shape[-1:]), lambda xp, shape: xp.ones(()),
    lambda xp, shape: xp.ones(shape, order="F"), lambda xp, shape: xp.ones((2, *shape)), lambda xp, shape: 3,
    lambda xp, shape: xp.ones(shape)[..., ::-1], lambda xp, shape: xp.ones(shape, dtype=bool),
    lambda xp, shape: xp.ones(shape, dtype=xp.float32), lambda xp, shape: xp.ones(shape, dtype=complex),
]


@given(
    shape=st.sampled_from(SHAPES),
    dtype=st.sampled_from(["int64", "float64", "float32", "complex128", "uint8", "bool"]),
    order=st.sampled_from("CF"),
    other=st.sampled_from(OTHERS),
    expression=st.sampled_from(["{} + o", "o - {}", "{} * {}", "{} / o", "{} * o", "{} < o", "{} + (a + o)", "-{}"]),
)
def test_results_are_numpys(shape, dtype, order, other, expression):
    def computed(xp, temporary):
        a = xp.ones(shape, dtype=dtype, order=order)
        names = {"a": a, "o": other(xp, shape)}
        try:
            # NumPy takes temporaries whatever their order: what it gives where it does not is what we want.
            names["t"] = a + a
            return eval(expression.format(temporary, temporary), names)
        except TypeError as error:
            return type(error)

    ours, theirs = computed(np, "(a + a)"), computed(numpy, "t")
    if isinstance(theirs, type):
        assert ours is theirs
        return
    assert ours.dtype == theirs.dtype
    assert ours.strides == theirs.strides
    numpy.testing.assert_array_equal(ours, theirs)
