"""Assertions on our arrays: NumPy's own, and NumPy's messages."""

import pytest

import fastnp as np
from tests._oracle import same_as_numpy


def test_assertions_pass_on_equal_arrays():
    array = np.arange(3.0)
    np.testing.assert_array_equal(array, [0, 1, 2])
    np.testing.assert_allclose(array, array + 1e-12, atol=1e-9)
    np.testing.assert_equal({"a": array}, {"a": array})
    np.testing.assert_almost_equal(array[1], 1.0)
    np.testing.assert_array_less(array, array + 1)


@pytest.mark.parametrize("name", ["assert_array_equal", "assert_allclose", "assert_equal", "assert_array_almost_equal"])
@same_as_numpy
def test_failures_have_numpys_message(xp, name):
    try:
        getattr(xp.testing, name)(xp.array([1.0, 2.0]), xp.array([1.0, 3.0]))
    except AssertionError as error:
        return str(error)


def test_assert_raises_is_a_context():
    with np.testing.assert_raises(ZeroDivisionError):
        1 // 0


def test_as_many_arguments_as_the_tested_function_takes():
    with pytest.raises(ZeroDivisionError):
        np.testing.assert_raises(ValueError, lambda *values: len(values) // 0, *[np.ones(2)] * 40)
