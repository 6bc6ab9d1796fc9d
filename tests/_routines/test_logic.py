"""Truth and kinds of arrays, by NumPy's kernels and by torch's bodies."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import same_as_numpy
from tests._paths import by_both_paths, check, function
from tests._tables import FEW_DTYPES, filled

SPECIAL = numpy.array([0.0, 1.0, numpy.nan, numpy.inf, -numpy.inf, 1e300])


@by_both_paths
def test_closeness(path):
    cases = [
        function(name, SPECIAL, other, equal_nan=equal_nan)
        for name, other, equal_nan in itertools.product(
            ("isclose", "allclose"), (SPECIAL, SPECIAL + 1e-9, SPECIAL[::-1], 1, numpy.nan), (False, True)
        )
    ]
    cases += [
        function("isclose", filled((3,), a), filled((3,), b)) for a, b in itertools.product(FEW_DTYPES, FEW_DTYPES)
    ]
    cases += [function("isclose", [1, 2], [1.1, 2], rtol=0.2), function("isclose", [1, 2], [1, 2, 3])]
    cases += [function("allclose", 1, 1 + 1e-12), function("isclose", 1 + 1j, 1), function("isclose", 1, 1)]
    check(cases, path)


def said_of(function, *operands, **options):
    """Return a result as bytes, or the error's text, and the texts of all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = numpy.asarray(function(*operands, **options))
        except FloatingPointError as error:  # which is what is asked for
            return str(error), len(caught)
    return found.shape, found.dtype, found.tobytes(), [str(one.message) for one in caught]


DTYPE_PAIRS = [("f8", "f8"), ("f4", "f4"), ("i8", "i4"), ("f8", "i8"), ("c16", "c16"), ("f2", "f8")]


@pytest.mark.parametrize("dtypes", DTYPE_PAIRS)
@pytest.mark.parametrize("shape", [(7,), (32768,), (32769,), (7, 12345)])
def test_closeness_of_blocks(shape, dtypes):
    """Large arrays are compared a block at a time, unless one has something to warn of."""
    rng = numpy.random.default_rng(1)
    a = (rng.random(shape) * 9).astype(dtypes[0])
    b = (a * (1 + 1e-5 * rng.normal(size=shape))).astype(dtypes[1])
    pairs = [(a, b), (a, a + a.dtype.type(1)), (a.T, b.T), (a, b[..., ::-1])]
    for special in (numpy.nan, numpy.inf, 1e308, 5e-324, 0.0) if a.dtype == b.dtype and a.dtype.kind != "i" else ():
        with numpy.errstate(all="ignore"):
            first, second = a.copy(), b.copy()
            first.flat[[3, -1]] = special
            second.flat[[3, -2]] = -special, special
        pairs.append((first, second))
    for x, y in pairs:
        for options in ({}, {"equal_nan": True}, {"rtol": 1e-7, "atol": 0.0}, {"rtol": -1.0}):
            for how in ("warn", "raise"):
                with numpy.errstate(all=how, under="ignore"):
                    wanted = said_of(numpy.isclose, x, y, **options)
                with fastnp.errstate(all=how, under="ignore"):
                    assert said_of(fastnp.isclose, fastnp.asarray(x), fastnp.asarray(y), **options) == wanted, options


SECONDS = {
    "array": lambda a: a * a.dtype.type(1 + 9e-6), "itself": lambda a: a, "float": lambda a: 2.0, "int": lambda a: 2,
    "large int": lambda a: 2**53 + 1, "nan": lambda a: numpy.nan, "infinity": lambda a: -numpy.inf,
    "wide": lambda a: a.astype("f8"),
}
TOLERANCES = [
    {}, {"rtol": 0.0, "atol": 0.0}, {"rtol": 1e-7, "atol": 1e-7}, {"atol": 1e30}, {"rtol": 1e-50}, {"rtol": 1e300},
    {"atol": numpy.inf}, {"atol": numpy.nan}, {"rtol": -1.0}, {"rtol": 1}, {"equal_nan": True},
]


@pytest.mark.parametrize("second", SECONDS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("length", [*range(10), 31, 32, 33, 511, 512, 513, 2047, 2049, 20001])
def test_closeness_in_one_pass(length, dtype, second):
    """Floats that lie in one piece are compared without an array between, whatever the tolerances and warnings."""
    rng = numpy.random.default_rng(length)
    a = rng.integers(1, 4, length).astype(dtype)
    for special in (None, numpy.nan, numpy.inf, 1e38 if dtype == "f4" else 1e308, 1e-40 if dtype == "f4" else 5e-324):
        x = a.copy()
        if special is not None:
            x[-length // 2:] = special
        with numpy.errstate(all="ignore"):
            y = SECONDS[second](x)
        if special is not None and isinstance(y, numpy.ndarray) and second == "array":
            y[-1:] = numpy.negative(y[-1:])
        for options in TOLERANCES if length < 40 else TOLERANCES[::10]:
            for name in ("isclose", "allclose"):
                wanted = said_of(getattr(numpy, name), x, y, **options)
                ours = fastnp.asarray(y) if isinstance(y, numpy.ndarray) else y
                found = said_of(getattr(fastnp, name), fastnp.asarray(x), ours, **options)
                assert found == wanted, (name, options, special)


@by_both_paths
def test_equality_of_arrays(path):
    pairs = [([1, 2], [1, 2]), ([1, 2], [1.0, 2]), ([1, 2], [1]), ([1, 1], [1]), (SPECIAL, SPECIAL), ([], []), (3, 3)]
    cases = [function(name, *pair) for name, pair in itertools.product(("array_equal", "array_equiv"), pairs)]
    cases += [function("array_equal", SPECIAL, SPECIAL, equal_nan=True)]
    check(cases, path)


@by_both_paths
def test_kinds(path):
    arrays = (filled((3,), "c16"), filled((2,), "f4"), numpy.asfortranarray(filled((2, 3))))
    names = ("iscomplex", "isreal", "iscomplexobj", "isrealobj", "isfortran", "isscalar")
    cases = [function(name, value) for name, value in itertools.product(names, arrays)]
    cases += [function(name, value) for name in ("iscomplexobj", "isrealobj", "isscalar") for value in ([1, 2j], 3, 2j)]
    cases += [function(name, SPECIAL) for name in ("isposinf", "isneginf")]
    check(cases, path)


@by_both_paths
def test_shared_memory(path):
    def shared(xp, first, second):
        x = xp.arange(24).reshape(4, 6)
        a, b = first(x), second(x)
        return xp.shares_memory(a, b), xp.may_share_memory(a, b)

    views = (
        lambda x: x,
        lambda x: x[::2],
        lambda x: x[1::2],
        lambda x: x[:, ::-1],
        lambda x: x.copy(),
        lambda x: x[:0],
    )
    check([("", shared, a, b) for a, b in itertools.product(views, views)], path)


@pytest.mark.parametrize("number", [False, True, 0, 7, 2.5, float("nan"), 1 + 2j, numpy.float64(1.5), numpy.True_])
@pytest.mark.parametrize("name", ["real", "imag", "isreal", "iscomplex", "isrealobj", "iscomplexobj"])
@same_as_numpy
def test_parts_of_a_number(xp, name, number):
    """Of a number of Python's NumPy gives the number's own part."""
    return getattr(xp, name)(number)
