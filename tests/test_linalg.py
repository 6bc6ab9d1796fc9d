"""Linear algebra."""

import numpy
import pytest
import torch

import fastnp as np
from tests._both_paths import COMPLEX, CUBE, POSITIVE, RNG, SQUARE, VECTOR, WIDE, plain_path, rows, torch_path
from tests._oracle import same_as_numpy

CASES = {
    "cholesky": [(POSITIVE,), (POSITIVE, {"upper": True})],
    "cond": [(SQUARE,), (SQUARE, 1), (SQUARE, "fro")],
    "cross": [(WIDE[:, :3], WIDE[:, 2:])],
    "det": [(SQUARE,), (COMPLEX,)],
    "diagonal": [(SQUARE,), (CUBE, {"offset": 1})],
    "eig": [(SQUARE,), (POSITIVE,)],
    "eigh": [(POSITIVE,)],
    "eigvals": [(COMPLEX,)],
    "eigvalsh": [(POSITIVE,), (POSITIVE, "U")],
    "inv": [(SQUARE,)],
    "lstsq": [(SQUARE, VECTOR[:4]), (WIDE.T, VECTOR[:5]), (WIDE, VECTOR[:3])],
    "matmul": [(SQUARE, POSITIVE)],
    "matrix_norm": [(CUBE,)],
    "matrix_power": [(SQUARE, 3), (SQUARE, -2), (SQUARE, 0)],
    "matrix_rank": [(SQUARE,), (numpy.ones((3, 3)),), (SQUARE, 0.5), (POSITIVE, None, True), (VECTOR,)],
    "matrix_transpose": [(CUBE,)],
    "multi_dot": [([SQUARE, POSITIVE, SQUARE],)],
    "norm": [
        (WIDE,),
        (WIDE, "nuc"),
        (WIDE, 2),
        (WIDE, -2),
        (WIDE, 1),
        (WIDE, numpy.inf),
        (VECTOR, 3),
        (VECTOR, numpy.inf),
        (VECTOR, -numpy.inf),
        (CUBE, None, (0, 1)),
        (CUBE, None, 1),
        (WIDE, "fro", None, True),
        (COMPLEX,),
    ],
    "outer": [(VECTOR, VECTOR)],
    "pinv": [(WIDE,), (WIDE, None, False, {"rtol": None}), (POSITIVE, 1e-10, True)],
    "qr": [(SQUARE,), (WIDE,), (WIDE, "complete"), (WIDE, "r")],
    "slogdet": [(SQUARE,), (COMPLEX,)],
    "solve": [(SQUARE, POSITIVE), (SQUARE, SQUARE[0]), (numpy.stack([SQUARE, POSITIVE]), SQUARE[:, :2])],
    "svd": [(WIDE, True, False), (POSITIVE, True, False, True)],
    "svdvals": [(WIDE,)],
    "tensordot": [(SQUARE, POSITIVE), (CUBE, CUBE[0])],
    "tensorinv": [(RNG.normal(size=(4, 6, 8, 3)),)],
    "tensorsolve": [(RNG.normal(size=(2, 3, 6)), RNG.normal(size=(2, 3)))],
    "trace": [(SQUARE,), (CUBE,)],
    "vecdot": [(SQUARE, POSITIVE)],
    "vector_norm": [(CUBE,), (CUBE, {"axis": 1})],
}

# No gradient goes through what counts or finds positions.
NOT_DIFFERENTIABLE = {"matrix_rank"}

# Vectors are unique but for their phase: the next test has them.
PLAIN_ONLY = {"eig", "eigh", "qr"}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path("linalg." + name, call)


@pytest.mark.parametrize("name, call", rows({name: calls for name, calls in CASES.items() if name not in PLAIN_ONLY}))
def test_gradients_go_through(name, call):
    torch_path("linalg." + name, call, differentiable=name not in NOT_DIFFERENTIABLE)


@pytest.mark.parametrize("matrix", [SQUARE, POSITIVE, COMPLEX], ids=["real", "symmetric", "complex"])
def test_decompositions_with_gradients_multiply_to_the_matrix(matrix):
    tensor = torch.from_numpy(matrix.copy()).requires_grad_()
    q, r = np.linalg.qr(tensor)
    u, s, vh = np.linalg.svd(tensor)
    values, vectors = np.linalg.eig(tensor)
    for product in (q @ r, u * s @ vh, vectors * values @ np.linalg.inv(vectors)):
        torch.testing.assert_close(product, tensor.to(product.dtype))


def test_hermitian_decompositions_with_gradients_multiply_to_the_matrix():
    tensor = torch.from_numpy(POSITIVE.copy()).requires_grad_()
    values, vectors = np.linalg.eigh(tensor)
    u, s, vh = np.linalg.svd(tensor, hermitian=True)
    torch.testing.assert_close(vectors * values @ vectors.mT, tensor)
    torch.testing.assert_close(u * s @ vh, tensor)


@pytest.mark.parametrize("name", ["inv", "cholesky", "solve", "eig", "eigh", "det", "slogdet"])
@pytest.mark.parametrize("wrong", [numpy.ones((2, 3)), numpy.ones(3)], ids=["not square", "a vector"])
@pytest.mark.parametrize("gradient", [False, True])
def test_wrong_matrices_raise_numpys_error(name, wrong, gradient):
    array = torch.from_numpy(wrong).requires_grad_() if gradient else np.array(wrong)
    with pytest.raises(np.linalg.LinAlgError):
        getattr(np.linalg, name)(*(array, array) if name == "solve" else (array,))


@pytest.mark.parametrize("gradient", [False, True])
def test_singular_matrix_raises_numpys_error(gradient):
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(torch.ones(2, 2, dtype=torch.float64, requires_grad=gradient))
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(-torch.eye(2, dtype=torch.float64).requires_grad_(gradient))


@same_as_numpy
def test_results_have_numpys_field_names(xp):
    matrix = xp.array(POSITIVE)
    return [
        result._fields
        for result in (xp.linalg.eig(matrix), xp.linalg.eigh(matrix), xp.linalg.svd(matrix), xp.linalg.qr(matrix))
    ]


def test_no_call_is_left_to_a_fallback():
    np.clear_fallback_records()
    np.linalg.solve(np.array(SQUARE), [1, 2, 3, 4])
    np.linalg.norm(np.array(VECTOR))
    assert np.fallback_records() == []
