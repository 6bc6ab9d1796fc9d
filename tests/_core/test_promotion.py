"""NEP 50: result dtypes and values of every ufunc over all dtypes and scalars, and the functions that ask for them."""

import itertools

import numpy
import pytest

from tests._oracle import Cells
from tests._tables import BINARY_UFUNCS, DTYPES, GUFUNCS, UNARY_UFUNCS, WEAK_SCALARS, edges, filled, moderate

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def operands(name):
    """Return the operands that suit `name`: powers and shifts that stay defined, the whole of the values else."""
    if name in ("power", "float_power", "ldexp", "left_shift", "right_shift"):
        return {dtype: abs(moderate(dtype, 6)) if dtype.kind == "i" else moderate(dtype, 6) for dtype in DTYPES}
    return {dtype: numpy.resize(edges(dtype), 17) if dtype.kind != "c" else moderate(dtype, 17) for dtype in DTYPES}


def fits_an_integer_dtype(scalar):
    """Tell whether NumPy keeps `scalar` out of object arrays, which are not ours."""
    return type(scalar) is not int or -(2**63) <= scalar < 2**64


def call(xp, name, *operands):
    """Return the result of the ufunc `name`."""
    return getattr(xp, name)(*operands)


@pytest.mark.parametrize("name", UNARY_UFUNCS)
def test_unary_ufunc_over_dtypes_and_scalars(name):
    with Cells() as cells:
        for dtype in DTYPES:
            values = edges(dtype)
            cells.same(dtype, call, name, values)
            cells.same(f"0-d {dtype}", call, name, numpy.array(values[1]))
            cells.same(f"scalar {dtype}", call, name, values[1])
        for scalar in WEAK_SCALARS:
            if fits_an_integer_dtype(scalar):
                cells.same(repr(scalar), call, name, scalar)


@pytest.mark.parametrize("name", BINARY_UFUNCS)
def test_binary_ufunc_over_dtype_pairs(name):
    values = operands(name)
    with Cells() as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            cells.same(f"{left}, {right}", call, name, values[left], values[right][::-1])
            cells.same(f"{left}, 0-d {right}", call, name, values[left], numpy.array(values[right][2]))
            cells.same(f"0-d {left}, {right}", call, name, numpy.array(values[left][2]), values[right])
            cells.same(f"both 0-d {left}, {right}", call, name, *(numpy.array(values[x][2]) for x in (left, right)))
            cells.same(f"scalar {left}, {right}", call, name, values[left][2], values[right])
            cells.same(f"{left}, scalar {right}", call, name, values[left], values[right][2])


@pytest.mark.parametrize("name", BINARY_UFUNCS)
def test_binary_ufunc_over_weak_scalars(name):
    values = operands(name)
    with Cells() as cells:
        for dtype, scalar in itertools.product(DTYPES, WEAK_SCALARS):
            cells.same(f"{dtype}, {scalar!r}", call, name, values[dtype], scalar)
            cells.same(f"{scalar!r}, {dtype}", call, name, scalar, values[dtype])
            cells.same(f"0-d {dtype}, {scalar!r}", call, name, numpy.array(values[dtype][1]), scalar)


@pytest.mark.parametrize("name", BINARY_UFUNCS)
def test_binary_ufunc_over_pairs_of_python_scalars(name):
    scalars = (False, True, 0, 1, 3, -1, 2**31, 2**63 - 1, 2**63, 0.0, 1.5, -2.5, float("inf"), 0j, 1 + 2j)
    with Cells() as cells:
        for left, right in itertools.product(scalars, scalars):
            huge = name in ("power", "left_shift", "right_shift", "ldexp") and abs(right) > 2**30
            if not huge:
                cells.same(f"{left!r}, {right!r}", call, name, left, right)


@pytest.mark.parametrize("operator", ["add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "lt", "eq", "and"])
def test_operator_over_dtype_pairs_and_weak_scalars(operator):
    def apply(xp, left, right):
        return getattr(left, f"__{operator}__")(right)

    with Cells() as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            cells.same(f"{left}, {right}", apply, moderate(left, 5), moderate(right, 5))
        for left, right in itertools.product(DTYPES, WEAK_SCALARS):
            cells.same(f"{left}, {right!r}", apply, moderate(left, 5), right)


@pytest.mark.parametrize("name", GUFUNCS)
def test_gufunc_over_dtype_pairs(name):
    shapes = {
        "matmul": [(2, 3), (3, 2)],
        "matvec": [(2, 3), (3,)],
        "vecdot": [(2, 3), (2, 3)],
        "vecmat": [(3,), (3, 2)],
    }
    with Cells(tolerance="sum") as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            pair = [filled(shape, dtype) for dtype, shape in zip((left, right), shapes[name])]
            cells.same(f"{left}, {right}", call, name, *pair)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "divide", "power", "left_shift", "equal", "less"])
def test_out_of_range_integer_names_the_same_error_in_place(name):
    def in_place(xp, array, scalar):
        getattr(xp, name)(array, scalar, out=array)
        return array

    with Cells() as cells:
        for dtype, scalar in itertools.product(DTYPES, WEAK_SCALARS):
            cells.same(f"{dtype}, {scalar!r}", in_place, abs(moderate(dtype, 4)).astype(dtype), scalar)


def test_result_type_of_all_pairs_and_scalars():
    def of(xp, *arguments):
        return xp.result_type(*arguments)

    with Cells() as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            cells.same(f"{left}, {right}", of, left, right)
            cells.same(f"array {left}, {right}", of, moderate(left, 3), right)
            cells.same(f"0-d {left}, array {right}", of, moderate(left, 1).reshape(()), moderate(right, 3))
            cells.same(f"{left}, scalar {right}", of, left, right.type(1))
        for dtype, scalar in itertools.product(DTYPES, (True, 3, 300, -1, 2**40, 1.5, 1e300, 2j)):
            cells.same(f"{dtype}, {scalar!r}", of, dtype, scalar)
            cells.same(f"{scalar!r}, array {dtype}", of, scalar, moderate(dtype, 3))
        for triple in itertools.combinations(DTYPES, 3):
            cells.same(triple, of, *triple)
        cells.same("spellings", of, "i4", "float32", int)
        cells.same("nothing", of)
        cells.same("only scalars", of, 1, 2.5)
        cells.same("nonsense", of, "no such dtype")


def test_promote_types_of_all_pairs():
    with Cells() as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            cells.same(f"{left}, {right}", lambda xp, *pair: xp.promote_types(*pair), left, right)
            cells.same(f"{left}, {right} by name", lambda xp, *pair: xp.promote_types(*pair), left.name, right.char)
        cells.same("nonsense", lambda xp: xp.promote_types("f4", "no such dtype"))


def test_can_cast_of_all_pairs_and_castings():
    def ask(xp, *arguments, **keywords):
        return xp.can_cast(*arguments, **keywords)

    with Cells() as cells:
        for left, right in itertools.product(DTYPES, DTYPES):
            cells.same(f"{left}, {right}", ask, left, right)
            cells.same(f"array {left}, {right}", ask, moderate(left, 3), right)
            for casting in CASTINGS:
                cells.same(f"{left}, {right}, {casting}", ask, left, right, casting=casting)
        cells.same("Python int", ask, 3, "i8")
        cells.same("casting by nonsense", ask, "i4", "i8", "sometimes")


def test_min_scalar_type_of_scalars_and_arrays():
    with Cells() as cells:
        for scalar in WEAK_SCALARS:
            cells.same(repr(scalar), lambda xp, x: xp.min_scalar_type(x), scalar)
        for dtype in DTYPES:
            for value in edges(dtype):
                cells.same(repr(value), lambda xp, x: xp.min_scalar_type(x), value)
                cells.same(f"0-d {value!r}", lambda xp, x: xp.min_scalar_type(x), numpy.array(value))
            cells.same(f"array {dtype}", lambda xp, x: xp.min_scalar_type(x), moderate(dtype, 3))


KINDS = (numpy.integer, numpy.floating, numpy.inexact, numpy.number, float)
KIND_NAMES = ("bool", "integral", "signed integer", "real floating", "numeric", "f4")
KIND_QUESTIONS = {
    "common_type": [(moderate(left, 2), moderate(right, 2)) for left, right in itertools.product(DTYPES, DTYPES)],
    "isdtype": list(itertools.product(DTYPES, KIND_NAMES)),
    "issubdtype": list(itertools.product(DTYPES, KINDS)),
}


@pytest.mark.parametrize("function", KIND_QUESTIONS)
def test_functions_about_kinds_of_dtypes(function):
    with Cells() as cells:
        for arguments in KIND_QUESTIONS[function]:
            cells.same(arguments, call, function, *arguments)
