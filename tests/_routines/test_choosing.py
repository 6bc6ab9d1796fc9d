"""Choices of every kind: arrays, lists, numbers, promoted and broadcast, by every mode, into an array that is given."""

import itertools

import numpy
import pytest

import fastnp as np
from tests._paths import by_both_paths, check, function, method
from tests._tables import DTYPES, FEW_DTYPES, filled

MODES = ("raise", "wrap", "clip")
INSIDE = numpy.array([[0, 1, 2], [2, 1, 0]])
OUTSIDE = INSIDE * 3 - 2
CHOICES = {
    "arrays": [filled((2, 3)), filled((2, 3)) * 2, filled((2, 3)) - 5],
    "other order": [filled((3, 2)).T, filled((2, 6))[:, ::-2], filled((2, 3))[::-1]],
    "numbers": [10, 20, 30],
    "real numbers": [10, 2.5, 30],
    "number and array": [filled((2, 3), "f4"), 2, 0.5],
    "numbers and integers": [filled((2, 3), "i1"), 2, 100],
    "real numbers and integers": [filled((2, 3), "i1"), 2, 0.5],
    "row and column": [filled((3,)), filled((2, 1)), filled((1, 1))],
    "more axes": [filled((4, 1, 3)), 7, filled((2, 3))],
    "lists": [[1, 2, 3], [4.5, 5, 6], [[7], [8]]],
    "scalars": [numpy.float32(1.5), numpy.int8(3), 2],
    "truths": [True, filled((2, 3), "?"), False],
    "dtypes that promote together": [filled((3,), "i1"), filled((3,), "u1"), filled((3,), "f2")],
    "array": filled((3, 2, 3)),
    "flat array": filled((3,)),
    "tuple": (filled((2, 3)), filled((3,), "i4"), 1),
    "does not fit": [filled((2, 3)), filled((4,)), 1],
    "number too large": [filled((2, 3), "i1"), 300, 1],
    "complex number": [filled((2, 3)), 1j, 2],
    "words": ["a", "b", "c"],
    "nothing": [1, None, 2],
}


@by_both_paths
@pytest.mark.parametrize("name", CHOICES)
def test_choices(path, name):
    choices = CHOICES[name]
    cases = [function("choose", index, choices, mode=mode) for index in (INSIDE, OUTSIDE) for mode in MODES]
    cases += [function("choose", index, choices) for index in (INSIDE.tolist(), INSIDE[0], INSIDE[:1, :1], INSIDE[:0])]
    cases += [method("choose", INSIDE, *choices), method("choose", INSIDE, choices, mode="wrap")]
    cases += [function("choose", INSIDE, choices, mode=mode) for mode in (0, 1, 2, None, "bad")]
    check(cases, path)


@by_both_paths
def test_numbers_of_every_dtype(path):
    cases = [
        function("choose", index.astype(dtype), [filled((2, 3)), 5, [1, 2, 3]], mode=mode)
        for index, dtype, mode in itertools.product((INSIDE, OUTSIDE % 5), DTYPES, MODES)
    ]
    check(cases, path)


@by_both_paths
def test_choices_of_every_dtype(path):
    cases = [
        function("choose", INSIDE, [filled((2, 3), one), filled((3,), other), 1])
        for one, other in itertools.product(DTYPES, DTYPES)
    ]
    check(cases, path)


GIVEN = {
    "alike": numpy.zeros((2, 3)),
    "other order": numpy.zeros((3, 2)).T,
    "apart": numpy.zeros((2, 6))[:, ::2],
    "other dtype": numpy.zeros((2, 3), "f4"),
    "other shape": numpy.zeros(3),
}


@by_both_paths
@pytest.mark.parametrize("name", GIVEN)
def test_given_arrays(path, name):
    def written(xp, out, index, mode):
        try:
            result = index.choose(filled_here(xp), 7.0, [1, 2, 3], out=out, mode=mode)
        except (TypeError, ValueError) as error:  # of NumPy too: the kind of error, and that nothing was written, count
            return type(error).__name__, out
        return result is out, out

    def filled_here(xp):
        return xp.asarray(filled((2, 3)).tolist())

    check(
        [
            (f"{name} {mode} {index.max()}", written, GIVEN[name], index, mode)
            # NumPy: but for "raise", what is not in C order is written as if it were.
            for index, mode in itertools.product((INSIDE, OUTSIDE), MODES if name != "other order" else MODES[:1])
        ],
        path,
    )


@pytest.mark.parametrize("mode", MODES)
def test_any_order_is_written_alike(mode):
    choices = [np.array(filled((2, 3))), 7.0, [1, 2, 3]]
    index = np.array(INSIDE)
    out = np.zeros((3, 2)).T
    assert index.choose(choices, out=out, mode=mode) is out
    numpy.testing.assert_array_equal(out, index.choose(choices, mode=mode))


@by_both_paths
def test_as_many_as_numpy_takes(path):
    row = filled((3,))
    # torch: any number of them.
    counts = (1, 32, 63, 64, 65) if path == "plain" else (1, 32, 63)
    cases = [
        function("choose", numpy.array([0, 40, 62]), [row] * count, mode=mode)
        for count, mode in itertools.product(counts, MODES)
    ]
    check(cases, path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", FEW_DTYPES)
def test_many_elements(mode, dtype):
    """More than are brought into bounds at once, and enough that others may run meanwhile."""
    draw = numpy.random.default_rng(5)
    index = draw.integers(0, 4, (30, 700)) if mode == "raise" else draw.integers(-9, 9, (30, 700))
    rows = draw.integers(0, 2, (3, 30, 700)).astype(dtype)
    check(
        [
            function("choose", index, [*rows, rows[0] * 0], mode=mode),
            function("choose", index, [*rows, 1], mode=mode),
            function("choose", index, [0, 1, rows[2, 0], rows[0]], mode=mode),
            function("choose", numpy.where(index == 3, 4, index), [*rows, 1], mode=mode),
        ],
        "plain",
    )


@by_both_paths
@pytest.mark.parametrize("name", [name for name in CHOICES if name not in ("words", "nothing")])
def test_selected_choices(path, name):
    conditions = [INSIDE > 1, INSIDE[0] == 0, numpy.array([[True], [False]])]
    cases = [function("select", conditions, list(CHOICES[name]), *default) for default in ((), (1.5,), ([7, 8, 9],))]
    cases += [function("select", conditions[:2], list(CHOICES[name][:2]))]
    cases += [function("select", [INSIDE], [CHOICES[name][0]])]
    check(cases, path)
