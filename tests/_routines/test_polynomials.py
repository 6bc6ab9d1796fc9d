"""Polynomials as coefficients, and poly1d."""

import numpy
import pytest

import fastnp as np
from tests._both_paths import COMPLEX, SQUARE, VECTOR, WIDE, plain_path, rows, torch_path
from tests._oracle import agree, same_as_numpy

CASES = {
    "poly": [(VECTOR,)],
    "polyadd": [(VECTOR, VECTOR[:3])],
    "polyder": [(VECTOR,), (VECTOR, 2)],
    "polydiv": [(VECTOR, VECTOR[:3]), (VECTOR[:2], VECTOR)],
    "polyfit": [
        (VECTOR, VECTOR**2, 2),
        (VECTOR, WIDE.repeat(3, 0)[:7], 1),
        (VECTOR, VECTOR**2, 1, {"w": abs(VECTOR)}),
        (VECTOR, VECTOR**2, 1, {"full": True}),
        (VECTOR, VECTOR**2, 1, {"cov": True}),
    ],
    "polyint": [(VECTOR,), (VECTOR, 2), (VECTOR, 2, [1.0, 2])],
    "polymul": [(VECTOR, VECTOR[:3])],
    "polysub": [(VECTOR, VECTOR[:3])],
    "polyval": [(VECTOR, VECTOR), (VECTOR, SQUARE)],
    "roots": [(COMPLEX[0],)],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path(name, call)


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call)


@same_as_numpy
def test_functions_of_poly1d(xp):
    first, second = xp.poly1d([1.0, 2.0, 3.0]), xp.poly1d([1.0, 1.0])
    quotient, rest = xp.polydiv(first, second)
    made = [xp.polyadd(first, second), first * second, first(second), xp.polyder(first), quotient, rest, -first]
    values = [xp.roots(first), xp.polyval(first, xp.array([1.0, 2.0])), first(xp.array([1.0, 2.0])), xp.add(second, 1)]
    return [all(isinstance(p, xp.poly1d) for p in made), [str(p) for p in made], *values]


def test_poly1d_of_arrays_is_ours():
    polynomial = np.poly1d(np.array([1.0, 2.0]))
    assert type(polynomial * polynomial) is np.poly1d
    assert type(polynomial(np.arange(3))) is np.ndarray


def test_poly1d_inside_an_argument():
    polynomials = (np.poly1d([1.0, 2.0]), [np.poly1d([3.0])])
    np.testing.assert_equal(polynomials, (np.poly1d([1.0, 2.0]), [np.poly1d([3.0])]))
    with pytest.raises(AssertionError):
        np.testing.assert_equal(polynomials, (np.poly1d([1.0, 2.0]), [np.poly1d([4.0])]))


@pytest.mark.parametrize("coefficients", [[1, 2, 3], [0, 0, 1.5], [0], [], [[1, 2]], 3, (1j, 2), ["a", "b"]])
@pytest.mark.parametrize("variable", [None, "t"])
def test_a_polynomial_is_made_of_what_numpys_is(coefficients, variable):
    def body(xp):
        made = xp.poly1d(coefficients, variable=variable)
        kept = made.coeffs
        composition = made(made).coeffs.tolist()
        return kept.tolist(), kept.dtype.name, made.variable, made(xp.arange(3.0)), made(2), made([1, 2]), composition

    agree(body)


def test_coefficients_are_those_of_the_array():
    given = numpy.array([1.0, 2.0])
    assert numpy.shares_memory(np.poly1d(given).coeffs, given)
    assert np.poly1d(given).coeffs.base is given
