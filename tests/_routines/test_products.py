"""Products of vectors, matrices and tensors."""

import pytest

from tests._both_paths import COMPLEX, CUBE, POSITIVE, RNG, SQUARE, VECTOR, WIDE, plain_path, rows, torch_path

CASES = {
    "cross": [(WIDE[:, :3], WIDE[:, 2:])],
    "dot": [
        (SQUARE, POSITIVE),
        (VECTOR, VECTOR),
        (SQUARE, SQUARE[0]),
        (CUBE, SQUARE[:, 0]),
        (CUBE, RNG.normal(size=(2, 4, 3))),
        (VECTOR, 2.0),
    ],
    "einsum": [
        ("ij,jk->ik", SQUARE, POSITIVE),
        ("ii", SQUARE),
        ("ij->j", SQUARE),
        ("i...->...", CUBE),
        (SQUARE, [0, 1], POSITIVE, [1, 2]),
    ],
    "inner": [(SQUARE, POSITIVE), (VECTOR, VECTOR), (CUBE, SQUARE)],
    "kron": [(SQUARE, POSITIVE), (VECTOR, SQUARE)],
    "outer": [(VECTOR, WIDE)],
    "tensordot": [(SQUARE, POSITIVE), (CUBE, CUBE, ([0, 1], [0, 1])), (SQUARE, POSITIVE, 1)],
    "trace": [(SQUARE,), (SQUARE, 1), (CUBE, 0, 1, 2)],
    "vdot": [(COMPLEX, COMPLEX)],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    # Contractions of einsum go to BLAS, which adds up in another order.
    plain_path(name, call, tolerance="sum" if name == "einsum" else "exact")


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call)
