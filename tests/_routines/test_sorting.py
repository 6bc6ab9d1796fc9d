"""Sorting, searching and counting, by NumPy's kernels and by torch's bodies."""

import itertools

import numpy

from tests._paths import by_both_paths, changed, check, function, method
from tests._tables import DTYPES, FEW_DTYPES, filled

NANS = numpy.array([3.0, numpy.nan, -numpy.inf, 1.0, numpy.nan, 0.0])
COMPLEX_NANS = numpy.array([1 + 2j, 1 - 1j, complex(numpy.nan, 0), complex(0, numpy.nan), 0.5j])


def some(dtype, shape=(3, 4)):
    """Return values with ties, and beyond the sign bit of unsigned dtypes."""
    values = filled(shape, dtype)
    if numpy.dtype(dtype).kind == "u":
        values.flat[::3] = numpy.iinfo(dtype).max - 1
    values.flat[-1:] = values.flat[:1]
    return values


@by_both_paths
def test_sort_and_argsort(path):
    cases = [
        function(name, some(dtype), axis=axis, stable=True)
        for name, dtype, axis in itertools.product(("sort", "argsort"), DTYPES, (-1, 0, None))
    ]
    cases += [function(name, values) for name in ("sort", "argsort") for values in ([3, 1, 2], [[2.0, 1.0]], [])]
    cases += [function("sort", NANS), function("sort", COMPLEX_NANS), function("argsort", NANS, kind="stable")]
    cases += [method("argsort", some("f8"), 0, kind="stable"), function("sort_complex", [3, 1.5, 2])]
    cases += [function(name, some("f8"), axis=2) for name in ("sort", "argsort")]
    cases += [
        function("sort", some("f8"), kind="none"),
        function("sort", 3.0),
        function("sort", some("i8"), 0, "stable"),
    ]
    cases += [function("sort", some("f8"), kind="stable", stable=True), function("sort", some("f8"), order="x")]
    check(cases, path)


@by_both_paths
def test_methods_change_the_array(path):
    cases = [changed(".sort", some(dtype), axis) for dtype, axis in itertools.product(FEW_DTYPES, (-1, 0))]
    cases += [
        changed(".sort", NANS),
        changed(".sort", numpy.asfortranarray(some("f8"))),
        changed(".sort", some("f8"), 5),
    ]
    check(cases, path)


@by_both_paths
def test_partition_puts_the_kth_in_place(path):
    def kth(xp, values, k, axis):
        part = xp.partition(values, k, axis)
        order = xp.argpartition(values, k, axis)
        return xp.take(part, k, axis), xp.take(xp.take_along_axis(values, order, axis), k, axis)

    cases = [
        ("", kth, some(dtype, (5, 6)), k, axis) for dtype in ("f8", "i2", "u4") for k in (0, 2, -1) for axis in (0, 1)
    ]
    cases += [function("partition", some("f8"), 9), function("argpartition", some("f8"), 2, axis=3)]
    check(cases, path)


@by_both_paths
def test_lexsort(path):
    keys = (numpy.array([1, 5, 1, 4, 3, 4, 4]), numpy.array([9, 4, 0, 4, 0, 2, 1]))
    check(
        [
            function("lexsort", keys),
            function("lexsort", some("i8")),
            function("lexsort", some("f8"), axis=0),
            function("lexsort", keys, axis=3),
            function("lexsort", ()),
        ],
        path,
    )


@by_both_paths
def test_searchsorted(path):
    cases = [
        function("searchsorted", numpy.sort(some(dtype, (9,))), some(other, (4,)), side=side)
        for dtype, other, side in itertools.product(("f8", "i8", "u2", "f4"), ("f8", "i8", "u8"), ("left", "right"))
    ]
    cases += [
        function("searchsorted", [1.0, 2, 3], 2),
        function("searchsorted", [1.0, 2, numpy.nan], [numpy.nan, 0]),
        function("searchsorted", [3, 1, 2], [2, 3], sorter=[1, 2, 0]),
        function("searchsorted", [[1]], 2),
        function("searchsorted", [1], 2, side="up"),
        method("searchsorted", numpy.arange(3.0), [0.5, 9]),
    ]
    check(cases, path)


@by_both_paths
def test_where_and_nonzero(path):
    condition = numpy.array([[True, False, True], [False, True, False]])
    cases = [
        function("where", condition, filled((2, 3), dtype), filled((3,), other))
        for dtype, other in itertools.product(FEW_DTYPES, FEW_DTYPES)
    ]
    cases += [
        function("where", condition, x, y) for x, y in ((1, 2.5), (filled((2, 3), "f4"), 0), (0, filled((3,), "i1")))
    ]
    cases += [
        function(name, values)
        for name in ("nonzero", "flatnonzero", "argwhere", "where")
        for values in (condition, filled((2, 3), "f8"), [0, 1j, 0], [], NANS)
    ]
    cases += [
        function("where", condition, 1),
        function("where", condition, filled((2, 2)), 1),
        function("nonzero", 1),
        function("where", numpy.array([0.0, 2.0]), [1, 2], [3, 4]),
        function("argwhere", 3),
    ]
    cases += [
        function("count_nonzero", condition, axis, keepdims=keep)
        for axis in (None, 0, (0, 1))
        for keep in (True, False)
    ]
    cases += [
        function("extract", condition, filled((2, 3))),
        function("count_nonzero", 3),
        method("nonzero", condition),
    ]
    check(cases, path)
