"""Discrete Fourier transforms."""

import pytest

from tests._both_paths import CUBE, VECTOR, WIDE, plain_path, rows, torch_path

CASES = {
    "fft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "fft2": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "fftn": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "fftshift": [(WIDE,), (WIDE, 0)],
    "hfft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "ifft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "ifft2": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "ifftn": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "ifftshift": [(WIDE,), (WIDE, 0)],
    "ihfft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "irfft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "irfft2": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "irfftn": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "rfft": [(VECTOR,), (WIDE,), (VECTOR, 9), (WIDE, 4, 0), (VECTOR, None, -1, "ortho")],
    "rfft2": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
    "rfftn": [(WIDE,), (WIDE, (2, 4)), (CUBE,), (CUBE, (2, 2), (0, 2)), (CUBE, (-1, 2), (0, 2))],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path("fft." + name, call)


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path("fft." + name, call)
