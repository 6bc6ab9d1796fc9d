"""Truth and kinds of arrays, by NumPy's kernels and by torch's bodies."""

import itertools

import numpy
import pytest

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
