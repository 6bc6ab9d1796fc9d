"""Polynomials as coefficients, and poly1d."""

import pytest

from tests._both_paths import COMPLEX, SQUARE, VECTOR, WIDE, plain_path, rows, torch_path

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
