"""Elements one step apart: slices with a step, columns, arrays read backwards, one element repeated."""

import numpy
import pytest

import fastnp
from tests._oracle import agree, host
from tests._tables import DTYPES

LINES = {
    "step": slice(0, 9, 3),
    "backwards": slice(8, 2, -2),
    "in one piece": slice(2, 5),
    "reversed": slice(4, 1, -1),
    "one": slice(1, 2),
    "one backwards": slice(1, 0, -1),
    "empty": slice(3, 3, 2),
}
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "maximum", "less", "power", "hypot", "logical_or"]
UNARY = ["negative", "sin", "exp", "sqrt", "isnan", "floor", "square", "logical_not", "sign", "reciprocal"]


def values(xp, dtype):
    """Ten elements, none of them zero."""
    return xp.array(numpy.array([3, 1, 2, 5, 1, 4, 2, 6, 1, 7]).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    for line in LINES.values():
        agree(lambda xp, line=line: getattr(xp, name)(values(xp, dtype)[line]), tolerance="rounded")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    for first in LINES.values():
        for number in (2, 1.5):
            agree(lambda xp, a=first, n=number: getattr(xp, name)(values(xp, dtype)[a], n), tolerance="rounded")
            agree(lambda xp, a=first, n=number: getattr(xp, name)(n, values(xp, dtype)[a]), tolerance="rounded")
        for second in LINES.values():
            agree(
                lambda xp, a=first, b=second: getattr(xp, name)(values(xp, dtype)[a], values(xp, dtype)[b]),
                tolerance="rounded",
            )


@pytest.mark.parametrize("name", ["add", "multiply", "subtract"])
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4", "u1", "c16"])
def test_into_memory_that_operands_have_a_part_in(name, dtype):
    def body(xp, into, first, second):
        array = values(xp, dtype)
        out = array[LINES[into]]
        result = getattr(xp, name)(array[LINES[first]], array[LINES[second]] if second else 2, out=out)
        return array, result is out

    for into in LINES:
        for first in LINES:
            for second in (*LINES, None):
                agree(lambda xp, a=into, b=first, c=second: body(xp, a, b, c))


@pytest.mark.parametrize("dtype", ["f8", "i8"])
def test_in_place_on_columns_and_steps(dtype):
    def body(xp):
        matrix = values(xp, dtype)[:9].reshape(3, 3)
        matrix[:, 0] += matrix[:, 1]
        matrix[::2, 1] *= 3
        matrix[:, 2] -= matrix[0, 0]
        matrix[::-1, 0] += matrix[:, 0]
        return matrix

    agree(body)


def test_one_element_repeated():
    agree(lambda xp: xp.add(xp.broadcast_to(values(xp, "f8")[:1], (3,)), values(xp, "f8")[::-3][:3]))
    agree(lambda xp: xp.lib.stride_tricks.as_strided(values(xp, "f8"), (4,), (0,)) * 2)
    array = values(fastnp, "f8")
    repeated = fastnp.lib.stride_tricks.as_strided(array, (3,), (0,))
    repeated += values(fastnp, "f8")[:3]
    expected = values(numpy, "f8")
    theirs = numpy.lib.stride_tricks.as_strided(expected, (3,), (0,))
    theirs += values(numpy, "f8")[:3]
    assert host(array).tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_at_indices(dtype):
    for number in (1, 0, True, 1.5, -1, 300, 2**70, float("nan")):
        for indices in ([0, 2], [-1, 0, 0], [], [0, 99]):

            def body(xp, n=number, i=indices):
                array = values(xp, dtype)
                array[xp.array(i, dtype="i8")] = n
                return array

            agree(body)
    agree(lambda xp: scalar_at_indices(xp, dtype))


def scalar_at_indices(xp, dtype):
    """Assign a scalar of the same dtype."""
    array = values(xp, dtype)
    array[xp.array([1, 3])] = array[0]
    return array
