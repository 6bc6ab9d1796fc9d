"""Set routines, by NumPy's kernels and by torch's bodies."""

import itertools

import numpy

from tests._paths import by_both_paths, check, function

VALUES = {
    "ints": numpy.array([3, 1, 2, 3, 1, 7]),
    "unsigned": numpy.array([2**63, 1, 2**63, 5], "u8"),
    "floats": numpy.array([1.5, -0.0, 0.0, numpy.nan, 1.5, numpy.nan]),
    "bools": numpy.array([True, False, True]),
    "complex": numpy.array([1 + 1j, 1 - 1j, 1 + 1j]),
    "matrix": numpy.array([[1, 2], [1, 2], [0, 9]]),
    "empty": numpy.array([]),
    "list": [4, 4.5, 4],
}


@by_both_paths
def test_unique(path):
    cases = [
        function("unique", values, return_index=index, return_inverse=inverse, return_counts=counts)
        for values in VALUES.values()
        for index, inverse, counts in itertools.product((False, True), repeat=3)
    ]
    cases += [function("unique", VALUES["floats"], equal_nan=False), function("unique", VALUES["ints"], axis=3)]
    cases += [function("unique", VALUES["matrix"], axis=axis) for axis in (0, 1, -1)]
    cases += [function("unique", VALUES["matrix"], True, True, True, axis=0)]
    cases += [
        function(name, VALUES[key])
        for name in ("unique_all", "unique_counts", "unique_inverse")
        for key in ("ints", "bools", "matrix")
    ]
    check(cases, path)


@by_both_paths
def test_sets_of_two_arrays(path):
    pairs = [(VALUES["ints"], [1, 9, 3]), (VALUES["floats"], [1.5, 0]), ([], [1]), ([1, 2], []), ([[1, 2]], [2.5, 2])]
    names = ("isin", "union1d", "intersect1d", "setdiff1d", "setxor1d")
    cases = [function(name, *pair) for name, pair in itertools.product(names, pairs)]
    cases += [function("isin", VALUES["ints"], [1, 2], invert=True), function("isin", [1], [1], kind="x")]
    cases += [function("intersect1d", VALUES["ints"], [3, 7, 8], return_indices=True)]
    cases += [function(name, [3, 1, 2], [2, 4], assume_unique=True) for name in ("setdiff1d", "setxor1d", "isin")]
    check(cases, path)
