"""Nested lists of numbers, wherever they are taken: made into arrays, operands, indices, values that are assigned."""

import math

import numpy
import pytest
import torch

import fastnp
from tests._oracle import Cells, same_as_numpy
from tests._tables import DTYPES

#: Made by a function of the module, so that scalars and arrays in them are its own.
SEQUENCES = {
    "empty": lambda xp: [],
    "empty rows": lambda xp: [[], []],
    "empty and not": lambda xp: [[], [1]],
    "empty deep": lambda xp: [[[]], [[]]],
    "ints": lambda xp: [1, 2, 3],
    "tuple": lambda xp: (1.5, 2),
    "bools": lambda xp: [True, False],
    "bool and int": lambda xp: [True, 2],
    "bool and float": lambda xp: [True, 2.5],
    "int and complex": lambda xp: [1, 2j],
    "negative": lambda xp: [-1, 300],
    "nan": lambda xp: [math.nan, -math.inf, -0.0],
    "large": lambda xp: [2**40, -(2**62)],
    "unsigned": lambda xp: [2**63],
    "too large": lambda xp: [2**70],
    "too large for a float": lambda xp: [2**70, 1.5],
    "odd integer": lambda xp: [2**53 + 1, 2**24 + 1],
    "overflow": lambda xp: [1e300, 70000.0],
    "subnormal": lambda xp: [1e-320, 1e-42],
    "rows": lambda xp: [[1, 2], [3.5, 4]],
    "rows of bools": lambda xp: [[True], [2]],
    "mixed rows": lambda xp: ([1, 2], (3, 4)),
    "ragged": lambda xp: [[1], [1, 2]],
    "ragged deep": lambda xp: [[1], [[2]]],
    "number and row": lambda xp: [1, [2]],
    "deep": lambda xp: [[[1, 2], [3, 4]], [[5, 6], [7, 8.5]]],
    "text": lambda xp: [1, "2"],
    "none": lambda xp: [1.0, None],
    "range": lambda xp: [range(2), range(2)],
    "one range": lambda xp: range(5, -5, -2),
    "no number in a range": lambda xp: range(0),
    "range of large numbers": lambda xp: range(2**63 - 2, 2**63 + 1),
    "scalars": lambda xp: [xp.ones(2)[0], xp.ones(2)[1]],
    "scalars and numbers": lambda xp: [[xp.arange(3)[2], 1], [0.5, xp.ones(2)[0]]],
    "integer scalars": lambda xp: [xp.arange(3)[2], 7],
    "scalars of one other dtype": lambda xp: [xp.ones(2, "f4")[0], xp.ones(2, "f4")[1]],
    "scalars of other dtypes": lambda xp: [xp.ones(2, "f4")[0], 1.0],
    "small scalars": lambda xp: [xp.ones(2, "u1")[0], 300],
    "numpy's scalars": lambda xp: [numpy.float64(1.5), numpy.int64(3), numpy.float32(2)],
    "numpy's doubles": lambda xp: [numpy.float64(1.5), numpy.int64(3)],
    "arrays": lambda xp: [xp.arange(3.0), xp.ones(3)],
    "strided arrays": lambda xp: [xp.arange(6.0)[::2], xp.arange(3.0)[::-1]],
    "matrices": lambda xp: [xp.arange(6.0).reshape(3, 2).T, xp.ones((2, 3))],
    "arrays of two dtypes": lambda xp: [xp.arange(3), xp.ones(3)],
    "arrays of two shapes": lambda xp: [xp.arange(3), xp.arange(2)],
    "array and number": lambda xp: [xp.arange(3), 1],
    "empty arrays": lambda xp: [xp.ones((0, 2)), xp.ones((0, 2))],
    "zero-dimensional": lambda xp: [xp.array(1.5), xp.array(2.5)],
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_arrays_of_sequences(name):
    made = SEQUENCES[name]
    with Cells(warns=True) as cells:
        cells.same("array", lambda xp: xp.array(made(xp)))
        cells.same("asarray", lambda xp: xp.asarray(made(xp)))
        cells.same("ndmin", lambda xp: xp.array(made(xp), ndmin=3))
        for dtype in DTYPES:
            cells.same(f"array {dtype}", lambda xp, dtype: xp.array(made(xp), dtype=dtype), dtype)


#: Of dtypes that only NumPy has: what they are operands of is refused (test_arrays_of_sequences).
FOREIGN = {"too large", "too large for a float", "text", "none"}


@pytest.mark.parametrize("name", sorted(SEQUENCES.keys() - FOREIGN))
def test_operands(name):
    made = SEQUENCES[name]
    with Cells(warns=True) as cells:
        for label, body in {
            "add": lambda xp: xp.add(xp.arange(3), made(xp)),
            "alone": lambda xp: xp.square(made(xp)),
            "both": lambda xp: xp.multiply(made(xp), made(xp)),
            "operator": lambda xp: xp.arange(2.0) + made(xp),
            "reflected": lambda xp: made(xp) - xp.arange(2.0),
            "comparison": lambda xp: xp.arange(3) == made(xp),
            "reflected comparison": lambda xp: made(xp) < xp.arange(3),
            "scalar on the left": lambda xp: xp.ones(3)[0] / made(xp),
            "float": lambda xp: xp.add(made(xp), 0.5),
            "out": lambda xp: xp.add(made(xp), made(xp), out=xp.zeros(2)),
            "sum": lambda xp: xp.sum(made(xp)),
            "max": lambda xp: xp.max(made(xp), axis=0),
            "dot": lambda xp: xp.dot(made(xp), made(xp)),
            "argsort": lambda xp: xp.argsort(made(xp)),
            "cumsum": lambda xp: xp.cumsum(made(xp)),
            "where": lambda xp: xp.where(made(xp), 1.0, 0.0),
        }.items():
            cells.same(label, body, tolerance="sum", layout=False)


@pytest.mark.parametrize("name", SEQUENCES)
def test_indices_and_values(name):
    made = SEQUENCES[name]

    def assigned(xp, dtype, key):
        array = xp.zeros((2, 3), dtype)
        array[key] = made(xp)
        return array

    def put(xp, key):
        array = xp.arange(5.0)
        array[key] = 7
        return array

    with Cells(warns=True) as cells:
        cells.same("index", lambda xp: xp.arange(5.0)[made(xp)])
        cells.same("index of a matrix", lambda xp: xp.arange(12.0).reshape(4, 3)[made(xp)])
        cells.same("put", lambda xp: put(xp, made(xp)))
        for dtype in DTYPES:
            cells.same(f"{dtype} row", lambda xp, dtype: assigned(xp, dtype, 0), dtype)
            cells.same(f"{dtype} all", lambda xp, dtype: assigned(xp, dtype, ...), dtype)


def test_one_number_into_an_element_of_any_dtype():
    numbers = (0, 3, -1, 200, 2**31, 2**63 - 1, 2**64, 2.5, -0.0, -1.5, 1e300, 1e-310, math.nan, math.inf, True, False,
               1j, numpy.float64(2.5), numpy.int64(-3), numpy.True_, None, "2")

    def body(xp, dtype, number):
        array = xp.zeros(3, dtype)
        array[1] = number
        array.flat[2] = number
        return array

    with Cells(warns=True) as cells:
        for dtype in DTYPES:
            for number in numbers:
                cells.same(f"{dtype} {number!r}", body, dtype, number)


def test_numbers_alone_in_every_ufunc():
    numbers = (2.5, -1.5, 0.0, -0.0, math.nan, math.inf, 3, -3, 0, 2**62, 2**63, True)
    with Cells(warns=True, tolerance="rounded") as cells:
        for name, function in vars(numpy).items():
            if isinstance(function, numpy.ufunc) and function.nin == 1 and function.signature is None:
                for number in numbers:
                    cells.same(f"{name} {number}", lambda xp, name, number: getattr(xp, name)(number), name, number)


@same_as_numpy
def test_a_scalar_times_a_list_is_the_lists_repetition(xp):
    return [xp.arange(3)[2] * [1, 2], [1.5] * xp.arange(3)[2]]


def test_a_list_within_itself_is_an_error_everywhere():
    items = [1]
    items.append(items)
    calls = {
        "array": lambda xp: xp.array(items),
        "dtype": lambda xp: xp.array(items, "f4"),
        "operand": lambda xp: xp.zeros(3) + items,
        "index": lambda xp: xp.zeros(3)[items],
        "value": lambda xp: xp.zeros(3).__setitem__(..., items),
        "sum": lambda xp: xp.sum(items),
        "concatenate": lambda xp: xp.concatenate(items),
        "stack": lambda xp: xp.stack(items),
        "shape": lambda xp: xp.reshape(xp.zeros(3), items),
        "pad": lambda xp: xp.pad(items, 1),
        "where": lambda xp: xp.where(items, 1, 2),
    }
    for name, call in calls.items():
        for xp in (numpy, fastnp):
            try:
                result = call(xp)
            except (ValueError, TypeError, RecursionError, IndexError):
                continue
            pytest.fail(f"{name} of {xp.__name__} gave {result!r}")


def test_rows_keep_their_gradients():
    ones = fastnp.asarray(torch.ones(2, dtype=torch.float64, requires_grad=True))
    assert fastnp.array([ones, ones]).tensor.requires_grad
    assert (fastnp.zeros((2, 2)) + [ones, ones]).tensor.requires_grad


def test_values_move_within_a_matrix_as_if_by_a_copy():
    def body(xp, into, source):
        matrix = xp.arange(16.0).reshape(4, 4)
        matrix[into] = matrix[source]
        return matrix

    def transposed(xp):
        matrix = xp.arange(9.0).reshape(3, 3)
        matrix[...] = matrix.T
        return matrix

    whole, backwards = slice(None), slice(None, None, -1)
    keys = ((whole, 0), (whole, 1), (whole, backwards), backwards, (0,), (slice(1), slice(1)),
            (slice(1, 3), slice(1, 3)), (slice(2, 4), slice(0, 2)), slice(1, None), slice(None, -1))
    with Cells() as cells:
        for into in keys:
            for source in keys:
                cells.same(f"{into} {source}", body, into, source)
        cells.same("transposed", transposed)
