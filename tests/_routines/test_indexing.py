"""Taking, putting, choosing, diagonals and index arithmetic, by NumPy's kernels and by torch's bodies."""

import itertools

import numpy
import pytest

import fastnp as np
from tests._oracle import Cells, difference, under_test
from tests._paths import by_both_paths, changed, check, function, method, through_torch
from tests._tables import DTYPES, FEW_DTYPES, filled

MATRIX = numpy.arange(12).reshape(3, 4)
MASK = MATRIX % 3 == 0


@by_both_paths
def test_take_and_compress(path):
    cases = [
        function("take", filled((3, 4), dtype), [[0, 2], [1, -1]], axis, mode=mode)
        for dtype, axis, mode in itertools.product(("f8", "i2", "?"), (None, 0, 1, -1), ("raise", "wrap", "clip"))
    ]
    cases += [
        function("take", MATRIX, 9, 1),
        function("take", MATRIX, 9, 1, mode="wrap"),
        function("take", MATRIX, [0.5]),
    ]
    cases += [
        function("take", [], [0]),
        function("take", MATRIX, 1),
        function("take", MATRIX, [1], 2),
        method("take", MATRIX, [1, 2], 0),
    ]
    cases += [function("compress", [True, False, True], MATRIX, axis) for axis in (None, 0, 1, 2)]
    cases += [method("compress", MATRIX, [1, 0, 1], 0), function("compress", [True] * 5, MATRIX, 1)]
    cases += [function("take", MATRIX, [0], 1, mode="bad")]
    check(cases, path)


@by_both_paths
def test_writes(path):
    cases = [changed("put", filled((3, 4), dtype), [0, 5, -1], [1, 0]) for dtype in FEW_DTYPES]
    cases += [changed("put", MATRIX, [0, 40], 7, mode=mode) for mode in ("raise", "wrap", "clip")]
    cases += [
        changed(".put", MATRIX, [1, 2], [9.5, 8]),
        changed("place", MATRIX, MASK, [7, 8]),
        changed("place", MATRIX, MASK, []),
    ]
    cases += [changed("putmask", MATRIX, MASK, [7, 8, 9]), changed("putmask", MATRIX, MASK[0], 1)]
    cases += [
        changed("copyto", MATRIX, source) for source in (5, [1, 2, 3, 4], MATRIX[::-1], numpy.float32(2), [[1], [2]])
    ]
    cases += [changed("copyto", MATRIX, 9, where=MASK), changed("copyto", MATRIX, MATRIX * 2, where=MASK[0])]
    cases += [changed("copyto", filled((2, 2)), [1j, 2], casting="no"), changed("copyto", MATRIX, 1.5)]
    cases += [
        changed("put_along_axis", MATRIX, numpy.array([[0], [1], [3]]), 99, 1),
        changed("put_along_axis", MATRIX, numpy.array([[9]]), 1, 0),
    ]
    cases += [
        changed("fill_diagonal", array, 5, wrap=wrap)
        for array in (MATRIX, MATRIX.T, filled((3, 3, 3)))
        for wrap in (False, True)
    ]
    cases += [changed("fill_diagonal", MATRIX, [1, 2]), changed("fill_diagonal", numpy.arange(3), 1)]
    check(cases, path)


@by_both_paths
def test_indices_are_wrapped_at_once(path):
    """Far from the array, too: NumPy's own loops add its length once and again."""
    far = numpy.array([-(2**62), 2**62 + 1, -1])
    with Cells() as cells:
        for label, body in {
            "take": lambda xp, index: xp.take(xp.arange(3), index, mode="wrap"),
            "choose": lambda xp, index: xp.choose(index, [[0, 1, 2], [7], [3, 4, 5]], mode="wrap"),
            "a.choose": lambda xp, index: index.choose([0, 1, 2], [7], [3, 4, 5], mode="wrap"),
            "put": lambda xp, index: (a := xp.arange(3), xp.put(a, index, [7, 8, 9], mode="wrap"))[0],
            "a.put": lambda xp, index: (a := xp.arange(3.0), a.put(index, [7, 8, 9], mode="wrap"))[0],
        }.items():
            want = body(numpy, far % 3)
            got = (body if path == "plain" else through_torch(body))(under_test, under_test.array(far))
            cells.require(label, difference(got, want, layout=False) is None, "differs")


@by_both_paths
def test_along_axis_of_what_has_no_axes(path):
    rows = [(MATRIX.tolist(), numpy.array([[0]])), (MATRIX, [[0]]), (5, numpy.array([0])), (MATRIX, 0)]
    cases = [function("take_along_axis", a, index, axis) for a, index in rows for axis in (0, 1)]
    cases += [function("put_along_axis", a, index, 1, axis) for a, index in rows for axis in (0, 1)]
    cases += [function("take_along_axis", MATRIX, index, 0) for index in (numpy.array([[0.5]]), numpy.array([0]))]
    check(cases, path)


@by_both_paths
def test_choose_among_several(path):
    index = numpy.array([[0, 1, 2], [2, 1, 0]])
    choices = [filled((2, 3)), filled((3,), "i4"), 2.5]
    cases = [function("choose", index, choices, mode=mode) for mode in ("raise", "wrap", "clip", "bad")]
    cases += [function("choose", index, choices[:2], mode=mode) for mode in ("raise", "wrap", "clip")]
    cases += [method("choose", index, *given) for given in (choices, [choices], choices[:2])]
    cases += [method("choose", index - 1, *choices, mode="wrap"), method("choose", index % 2, filled((2, 2, 3)))]
    cases += [function("choose", given, choices) for given in (index[:0], index[0], 1, [0.5])]
    cases += [function("choose", index.astype(kind), [filled((2, 3))] * 3) for kind in DTYPES]
    cases += [function("choose", index, []), function("choose", [True, False], [1, 2])]
    cases += [changed(".choose", index, *choices[1:], 7, out=numpy.zeros((2, 3)))]
    check(cases, path)


@by_both_paths
def test_choose_and_select(path):
    cases = [function("choose", [0, 1, 2, 1], [[1, 2, 3, 4], [5.5, 6, 7, 8], [9, 10, 11, 12]])]
    cases += [function("choose", [0, 1, 5], [[1], [2]], mode=mode) for mode in ("raise", "wrap", "clip")]
    cases += [
        function("select", [MASK, MATRIX > 5], [MATRIX, MATRIX * 1.5]),
        function("select", [MASK], [MATRIX], default=-1),
    ]
    cases += [
        function("select", [MASK], [MATRIX, MATRIX]),
        function("select", [], []),
        function("select", [MATRIX], [MATRIX]),
    ]
    cases += [
        function("take_along_axis", MATRIX, numpy.array([[3], [0], [1]]), 1),
        function("take_along_axis", MATRIX, numpy.array([5, 1]), None),
    ]
    cases += [
        function("take_along_axis", MATRIX, numpy.array([[0.5]]), 1),
        function("take_along_axis", MATRIX, numpy.array([1]), 1),
    ]
    check(cases, path)


@by_both_paths
def test_diagonals(path):
    cases = [
        function("diagonal", filled((2, 3, 4)), offset, *axes)
        for offset, axes in itertools.product((-1, 0, 2), ((0, 1), (1, 2), (2, 0)))
    ]
    cases += [method("diagonal", MATRIX, 1), function("diagonal", [1, 2]), function("diagonal", MATRIX, 0, 0, 0)]
    check(cases, path)


@by_both_paths
def test_index_arithmetic(path):
    cases = [
        function(name, n, *rest) for name in ("tril_indices", "triu_indices") for n, *rest in ((3,), (3, 1), (3, -1, 4))
    ]
    cases += [function(name, MATRIX, 1) for name in ("tril_indices_from", "triu_indices_from")]
    cases += [
        function("diag_indices", 3, 2),
        function("diag_indices_from", MATRIX[:, :3]),
        function("diag_indices_from", MATRIX),
    ]
    cases += [function("unravel_index", [5, 7], (3, 4), order) for order in "CF"] + [
        function("unravel_index", 99, (3, 4))
    ]
    cases += [
        function("ravel_multi_index", ([1, 2], [3, 0]), (3, 4), mode, order)
        for mode, order in itertools.product(("raise", "wrap", "clip"), "CF")
    ]
    cases += [
        function("ravel_multi_index", ([1, 5], [3, 0]), (3, 4), mode)
        for mode in ("raise", "wrap", "clip", ("wrap", "clip"))
    ]
    cases += [function("ix_", [0, 2], [True, False, True]), function("ix_", [[1]])]
    check(cases, path)
    check([("mask_indices", lambda xp: xp.mask_indices(3, xp.triu, 1))], path, layout=False)


@pytest.mark.parametrize("index", [[-7, 6, 100], [2**40, -(2**40), 5], [-(2**63), 2**63 - 1, 0]], ids=str)
@pytest.mark.parametrize("as_method", [False, True])
def test_choose_wraps_indices_from_afar(index, as_method):
    # NumPy adds the number of choices until an index fits, for years: the remainder is what it would find.
    choices = [numpy.arange(3) + 10 * number for number in range(4)]
    index = np.array(index)
    made = index.choose(choices, mode="wrap") if as_method else np.choose(index, choices, mode="wrap")
    assert made.tolist() == [choices[place % 4][column] for column, place in enumerate(index.tolist())]
