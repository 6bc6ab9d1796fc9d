"""Elementary functions of elements that lie apart: as of the same elements side by side, and within NumPy's digits."""

import warnings

import numpy
import pytest

import fastnp
from tests._oracle import host

RNG = numpy.random.default_rng(11)
UNARY = (
    "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "log",
    "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh",
)
BINARY = ("arctan2", "power")
SPECIAL = (0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 88.0, -745.0, 1e-40, 0.5)
SIZES = (1, 31, 32, 33, 511, 512, 513, 1300)
DIGITS = 4
"""Units in the last place by which NumPy's own two ways differ at most."""


def spread(size, dtype, odd):
    """Return three lines with the same numbers: side by side, every second, and backwards."""
    line = (RNG.normal(size=size) * 10 ** RNG.uniform(-2, 2)).astype(dtype)
    if odd:
        line[RNG.integers(0, size, size // 3)] = RNG.choice(SPECIAL, size // 3)
    second = numpy.zeros(2 * size, dtype)
    second[::2] = line
    return line, second, line[::-1].copy()


def views(size, dtype, odd=False):
    line, second, backwards = (fastnp.array(part) for part in spread(size, dtype, odd))
    return line, {"every second": second[::2], "backwards": backwards[::-1]}


@pytest.fixture
def silent():
    """Nobody listens to flags."""
    with numpy.errstate(all="ignore"):
        yield


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", UNARY + BINARY)
def test_where_elements_lie_changes_nothing(name, dtype, odd):
    function = getattr(fastnp, name)
    operands = 1 if name in UNARY else 2
    for size in SIZES:
        line, apart = views(size, dtype, odd)
        wanted = host(function(*[line] * operands))
        for how, view in apart.items():
            numpys = getattr(numpy, name)(*[host(view)] * operands)
            for first, second in ((view, view), (line, view), (view, line))[: 3 if operands == 2 else 1]:
                found = host(function(*(first, second)[:operands]))
                label = f"{name} of {size} {dtype}, {how}"
                if size >= 32:
                    same = found.tobytes() == wanted.tobytes()
                    assert same or numpy.array_equal(found, wanted, equal_nan=True), label
                finite = numpy.isfinite(numpys)
                assert numpy.array_equal(finite, numpy.isfinite(found)), label
                numpy.testing.assert_array_max_ulp(found[finite], numpys[finite], DIGITS)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["exp", "arctan2"])
def test_results_that_lie_apart(name, dtype):
    function = getattr(fastnp, name)
    operands = 1 if name in UNARY else 2
    for size in SIZES:
        line, apart = views(size, dtype)
        wanted = host(function(*[line] * operands))
        for view in apart.values():
            for place in (fastnp.zeros(3 * size, dtype)[::3], fastnp.zeros(size, dtype)[::-1]):
                function(*[view] * operands, out=place)
                numpy.testing.assert_array_max_ulp(host(place), wanted, DIGITS)
        whole = fastnp.zeros(2 * size, dtype)
        function(*[line] * operands, out=whole[1::2])
        assert not host(whole[::2]).any()


@pytest.mark.parametrize("size", [40, 1300])
def test_in_place_and_over_an_operand(size):
    """What is written over an operand that is still to be read is computed from what was there."""
    for begin in (0, 1, 3):
        memory = RNG.random(3 * size)
        mine, numpys = fastnp.array(memory), memory.copy()
        fastnp.exp(mine[: 2 * size : 2], out=mine[begin : begin + size])
        numpy.exp(numpys[: 2 * size : 2], out=numpys[begin : begin + size])
        numpy.testing.assert_array_max_ulp(host(mine), numpys, DIGITS)
        fastnp.log(mine[::2], out=mine[::2])
        numpy.log(numpys[::2], out=numpys[::2])
        numpy.testing.assert_allclose(host(mine), numpys, rtol=1e-14, atol=1e-14)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("dtype", "fd")
def test_a_number_beside_elements_that_lie_apart(dtype):
    for size in SIZES:
        line, apart = views(size, dtype)
        for view in apart.values():
            for function, *numbers in (("arctan2", view, 0.5), ("arctan2", 0.5, view), ("power", 2.5, view)):
                beside = [line if number is view else number for number in numbers]
                found, wanted = (host(getattr(fastnp, function)(*given)) for given in (numbers, beside))
                numpy.testing.assert_array_max_ulp(found, wanted, DIGITS)


BAD = (("log", -1.0), ("log", 0.0), ("exp", 1e5), ("arccos", 2.0), ("arctanh", 1.0), ("cosh", 1e5))


@pytest.mark.parametrize("name, bad", BAD)
@pytest.mark.parametrize("dtype", "fd")
def test_warnings_are_numpys(name, bad, dtype):
    for place in (0, 40, 700, 1299):
        line = numpy.full(2600, 0.5, dtype)
        line[2 * place] = bad
        told = []
        for xp, array in ((fastnp, fastnp.array(line)), (numpy, line)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                getattr(xp, name)(array[::2])
            told.append([str(warning.message) for warning in caught])
        assert told[0] == told[1] != []


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("dtype", "fd")
def test_rows_with_gaps(dtype):
    whole = (RNG.random((70, 200)) + 0.5).astype(dtype)
    mine = fastnp.array(whole)
    for key in ((slice(None), slice(0, 100)), (slice(None, None, 2), slice(None, None, 2)), (slice(None, None, -1),)):
        for name in UNARY:
            found, wanted = host(getattr(fastnp, name)(mine[key])), getattr(numpy, name)(whole[key])
            finite = numpy.isfinite(wanted)
            numpy.testing.assert_array_max_ulp(found[finite], wanted[finite], DIGITS)
