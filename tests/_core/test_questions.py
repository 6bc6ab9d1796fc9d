"""What is answered or computed without NumPy for plain arrays: questions, rounding, slices reduced, stacks."""

import math
import operator

import numpy
import pytest

import fastnp
from tests._oracle import Cells, same_as_numpy
from tests._tables import DTYPES


def layouts(xp, dtype):
    """Return arrays of all layouts and sizes, by name."""
    whole = xp.arange(24).astype(dtype).reshape(4, 6)
    return {
        "whole": whole,
        "transposed": whole.T,
        "columns": whole[:, ::2],
        "backwards": whole[::-1],
        "row": whole[1],
        "every other": whole[1, ::2],
        "reversed": whole[1, ::-1],
        "empty": whole[:0],
        "number": whole[1, 1:2].reshape(()),
        "stack": whole.reshape(2, 3, 4),
        "stack backwards": whole.reshape(2, 3, 4)[::-1],
        "stack transposed": whole.reshape(2, 4, 3).transpose(0, 2, 1),
        "repeated": xp.broadcast_to(whole, (2, 4, 6)),
    }


NAMES = tuple(layouts(numpy, "f8"))


@pytest.mark.parametrize("name", ["may_share_memory", "shares_memory"])
def test_sharing(name):
    with Cells() as cells:
        for first in NAMES:
            for second in NAMES:
                cells.same(
                    f"{first} {second}",
                    lambda xp, name, first, second: getattr(xp, name)(
                        (arrays := layouts(xp, "f8"))[first], arrays[second]
                    ),
                    name,
                    first,
                    second,
                )
            cells.same(
                f"{first} apart",
                lambda xp, name, first: getattr(xp, name)(layouts(xp, "f8")[first], layouts(xp, "f8")[first]),
                name,
                first,
            )
        cells.same("max_work", lambda xp, name: getattr(xp, name)((a := xp.arange(9))[::2], a[1::2], max_work=1), name)
        cells.same("none", lambda xp, name: getattr(xp, name)(None, xp.arange(9)), name)


def test_what_is_a_scalar_and_what_can_be_iterated_over():
    values = (
        1,
        1.5,
        1j,
        True,
        "a",
        b"a",
        None,
        [1],
        (1,),
        {},
        numpy.float64(1),
        numpy.arange(3),
        range(3),
        object,
        math,
    )
    with Cells() as cells:
        for name in ("isscalar", "iterable"):
            for value in values:
                cells.require(f"{name} {value!r}", getattr(fastnp, name)(value) == getattr(numpy, name)(value))
            for array in NAMES:
                cells.same(
                    f"{name} {array}", lambda xp, name, array: getattr(xp, name)(layouts(xp, "f8")[array]), name, array
                )
            cells.same(f"{name} scalar", lambda xp, name: getattr(xp, name)(xp.arange(3)[1]), name)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dimensions_and_casts(dtype):
    with Cells(warns=True) as cells:
        for array in NAMES:
            for name in ("atleast_1d", "atleast_2d", "atleast_3d", "ascontiguousarray"):
                cells.same(
                    f"{name} {array}", lambda xp, name, array: getattr(xp, name)(layouts(xp, dtype)[array]), name, array
                )
            for other in DTYPES:
                cells.same(
                    f"astype {other} {array}",
                    lambda xp, array, other: xp.astype(layouts(xp, dtype)[array], other),
                    array,
                    other,
                )


@same_as_numpy
def test_an_array_of_enough_dimensions_is_itself(xp):
    a = xp.arange(6.0).reshape(2, 3)
    views = xp.atleast_2d(a[0]), xp.atleast_2d(a[0, ::-1])
    return [
        xp.atleast_1d(a) is a,
        xp.atleast_2d(a) is a,
        xp.ascontiguousarray(a) is a,
        *views,
        [xp.shares_memory(view, a) for view in views],
        a[None],
        a[::-1][None],
        a[0][None, None],
    ]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_rounding(dtype):
    def body(xp, dtype, array, decimals, name):
        a = layouts(xp, dtype)[array]
        a = a / a.dtype.type(8) - a.dtype.type(1) if a.dtype.kind == "f" else a
        return getattr(xp, name)(a, decimals)

    with Cells(warns=True) as cells:
        for array in NAMES:
            for decimals in (0, 1, 2, -1, 5, 12, -12, numpy.int64(1)):
                for name in ("round", "around"):
                    cells.same(f"{name} {array} {decimals}", body, dtype, array, decimals, name)


def test_rounding_at_the_limits():
    values = [
        0.5,
        1.5,
        2.5,
        -0.5,
        -0.4,
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        math.nan,
        1e308,
        3e38,
        1e-320,
        2.675,
        5.015,
        1e16,
    ]
    with Cells(warns=True) as cells:
        for dtype in ("f2", "f4", "f8"):
            for decimals in range(-11, 12):
                for value in values:
                    cells.same(
                        f"{dtype} {decimals} {value}",
                        lambda xp, dtype, decimals, value: [
                            xp.array([value]).astype(dtype).round(decimals),
                            xp.array(value).astype(dtype).round(decimals),
                            xp.round(xp.array([value]).astype(dtype)[0], decimals),
                        ],
                        dtype,
                        decimals,
                        value,
                    )


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "fmin", "logical_or", "subtract", "bitwise_xor", "hypot"]
)
def test_slices_reduced(name):
    indices = ([0], [0, 2], [2, 0, 2, 1], [0, 5], [5], [6], [-1], [], [0, 1, 2, 3, 4, 5], [True, False], [0.5])
    with Cells(warns=True, tolerance="rounded") as cells:
        for dtype in DTYPES:
            for array in NAMES:
                for given in indices:
                    for as_array in (False, True):
                        cells.same(
                            f"{dtype} {array} {given} {as_array}",
                            lambda xp, dtype, array, given, as_array: getattr(xp, name).reduceat(
                                layouts(xp, dtype)[array], xp.array(given) if as_array else given
                            ),
                            dtype,
                            array,
                            given,
                            as_array,
                        )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_products_of_stacks(dtype):
    stacks = ("stack", "stack backwards", "stack transposed", "whole", "transposed", "row", "repeated", "columns")
    with Cells(warns=True, tolerance="sum") as cells:
        for first in stacks:
            for second in stacks:
                cells.same(
                    f"{first} {second}",
                    lambda xp, first, second: (arrays := layouts(xp, dtype))[first] @ arrays[second],
                    first,
                    second,
                )
                cells.same(
                    f"{first} {second} transposed",
                    lambda xp, first, second: (
                        (arrays := layouts(xp, dtype))[first] @ xp.swapaxes(arrays[second], -1, 0)
                    ),
                    first,
                    second,
                )
                cells.same(
                    f"{first} {second} exchanged",
                    lambda xp, first, second: xp.matmul((arrays := layouts(xp, dtype))[first], arrays[second].T),
                    first,
                    second,
                )
        for shapes in (
            ((3, 2, 4), (3, 4, 5)),
            ((3, 2, 4), (1, 4, 5)),
            ((1, 2, 4), (3, 4, 5)),
            ((3, 2, 4), (4, 5)),
            ((2, 4), (3, 4, 5)),
            ((3, 1, 4), (3, 4, 1)),
            ((3, 2, 1), (3, 1, 5)),
            ((0, 2, 4), (0, 4, 5)),
            ((3, 0, 4), (3, 4, 5)),
            ((3, 2, 0), (3, 0, 5)),
            ((3, 2, 4), (2, 4, 5)),
            ((3, 2, 4), (3, 5, 4)),
        ):
            cells.same(str(shapes), lambda xp, a, b: xp.matmul(*(xp.ones(shape, dtype) for shape in (a, b))), *shapes)


def test_bytes_and_lists_as_arrays():
    data = bytes(range(48))
    with Cells(warns=True) as cells:
        for dtype in (*DTYPES, float, None):
            for more in ({}, {"count": 1}, {"offset": 8}, {"count": 0}, {"offset": 1}):
                cells.same(
                    f"{dtype} {more}",
                    lambda xp, dtype, more: xp.frombuffer(
                        data, **(more if dtype is None else {**more, "dtype": dtype})
                    ),
                    dtype,
                    more,
                )
            for items in ([1, 2], [1.5, 2], [], [[1]], [1j], [300], [True]):
                if dtype is not None:
                    cells.same(
                        f"fromiter {dtype} {items}", lambda xp, dtype, items: xp.fromiter(items, dtype), dtype, items
                    )
        cells.same("empty", lambda xp: xp.frombuffer(b""))
        cells.same("odd", lambda xp: xp.frombuffer(b"123"))
        cells.same("read-only", lambda xp: [(a := xp.frombuffer(data)).flags.writeable, a.base == data, a.base is data])
        cells.same("written", lambda xp: xp.frombuffer(data).__setitem__(0, 1))
        cells.same("array of bytes", lambda xp: xp.frombuffer(bytearray(data)) + 1)


@same_as_numpy
def test_joined_with_lists(xp):
    a = xp.arange(3.0)
    return [
        xp.concatenate([a, [1.0]]),
        xp.concatenate([a, [1]]),
        xp.concatenate([[1], [2]]),
        xp.concatenate(([1, 2], a)),
        xp.concatenate([[[1, 2]], [[3.5, 4]]], axis=1),
        xp.concatenate([a, (1, True)]),
    ]


@pytest.mark.parametrize("name", ["concatenate", "stack", "vstack", "hstack"])
def test_rules_of_casting_are_read(name):
    with Cells() as cells:
        for casting in ("no", "unsafe", "same_kind", "same_value", "bad", None):
            for made in (lambda xp: [xp.arange(3.0), xp.ones(3)], lambda xp: [[1, 2], [3, 4]]):
                cells.same(
                    f"{casting}",
                    lambda xp, made, casting: getattr(xp, name)(made(xp), casting=casting),
                    made,
                    casting,
                )


@pytest.mark.parametrize("shape", [(2, 3), (3,), (2, 0, 3), (2, 3, 4)])
def test_functions_along_an_axis(shape):
    functions = {
        "sum": lambda xp: lambda row: row.sum(),
        "row": lambda xp: lambda row: row * 2,
        "two": lambda xp: lambda row: row[:2],
        "matrix": lambda xp: lambda row: xp.outer(row, row),
        "number": lambda xp: lambda row: 3,
        "list": lambda xp: list,
        "truth": lambda xp: lambda row: row[0] > 1,
        "complex": lambda xp: lambda row: row.sum() * 1j,
    }
    with Cells() as cells:
        for label, function in functions.items():
            for axis in range(-len(shape), len(shape) + 1):
                cells.same(
                    f"{label} {axis}",
                    lambda xp, function, axis: xp.apply_along_axis(
                        function(xp), axis, xp.arange(math.prod(shape)).reshape(shape) / 2
                    ),
                    function,
                    axis,
                    layout=False,
                )


def test_scalars_of_every_dtype_as_indices():
    def body(xp, dtype, number, key):
        matrix = xp.arange(12.0).reshape(4, 3)
        index = xp.array([number]).astype(dtype)[0]
        line = matrix[:, 0].copy()
        picked = key(matrix, line, index)
        matrix[index] = 7
        line[index] = 8
        return picked, matrix, line

    keys = (
        lambda matrix, line, i: line[i],
        lambda matrix, line, i: matrix[i],
        lambda matrix, line, i: matrix[i, 1],
        lambda matrix, line, i: matrix[1:, i],
        lambda matrix, line, i: matrix[i, None],
        lambda matrix, line, i: matrix[i, i],
    )
    with Cells() as cells:
        for dtype in DTYPES:
            for number in (0, 1, 2, 3, 200, -1, -5, 2**31, 2**63):
                for place, key in enumerate(keys):
                    cells.same(f"{dtype} {number} {place}", body, dtype, number, key)


def test_scalars_compared():
    numbers = (1, 2.5, math.nan, 2**53 + 1, -1, 2**63, 2**70, True, 0.0)
    with Cells(warns=True) as cells:
        for first in ("f8", "i8", "f4", "u8", "u1", "?", "c16"):
            for second in ("f8", "i8", "f4", "u8", "?", "c16"):
                for a in (0, 1, 2**53 + 1, 255):
                    cells.same(
                        f"{first} {second} {a}",
                        lambda xp, first, second, a: [
                            operation(xp.array([a, 1]).astype(first)[0], xp.array([a, 1]).astype(second)[i])
                            for operation in COMPARISONS
                            for i in (0, 1)
                        ],
                        first,
                        second,
                        a,
                    )
            for number in numbers:
                if first == "c16" and number != number:
                    continue  # NumPy's complex scalars do not warn of NaN there, its arrays do
                cells.same(
                    f"{first} {number}",
                    lambda xp, first, number: [
                        operation(x, y)
                        for operation in COMPARISONS
                        for x, y in ((xp.ones(2, first)[0], number), (number, xp.ones(2, first)[0]))
                    ],
                    first,
                    number,
                )


COMPARISONS = (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)
