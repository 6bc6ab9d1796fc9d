"""Averages, correlations and histograms."""

import numpy
import pytest

from tests._both_paths import COMPLEX, CUBE, VECTOR, WIDE, plain_path, rows, torch_path
from tests._oracle import SUMS_OF_FEW

CASES = {
    "average": [
        (WIDE,),
        (WIDE, 0),
        (WIDE, 1, VECTOR[:5] ** 2),
        (WIDE, None, abs(WIDE)),
        (WIDE, 1, VECTOR[:5] ** 2, True),
        (CUBE, (0, 2), abs(CUBE[:, 0, :])),
    ],
    "convolve": [
        (VECTOR, VECTOR[:3], "valid"),
        (VECTOR, VECTOR[:3], "same"),
        (VECTOR, VECTOR[:3], "full"),
        (VECTOR[:3], VECTOR, "valid"),
        (VECTOR[:3], VECTOR, "same"),
        (VECTOR[:3], VECTOR, "full"),
        (VECTOR, VECTOR[:4], "valid"),
        (VECTOR, VECTOR[:4], "same"),
        (VECTOR, VECTOR[:4], "full"),
    ],
    "corrcoef": [(WIDE,), (VECTOR, VECTOR**2), (COMPLEX,)],
    "correlate": [
        (VECTOR, VECTOR[:3], "valid"),
        (VECTOR, VECTOR[:3], "same"),
        (VECTOR, VECTOR[:3], "full"),
        (VECTOR[:3], VECTOR, "valid"),
        (VECTOR[:3], VECTOR, "same"),
        (VECTOR[:3], VECTOR, "full"),
        (VECTOR, VECTOR[:4], "valid"),
        (VECTOR, VECTOR[:4], "same"),
        (VECTOR, VECTOR[:4], "full"),
        (COMPLEX[0], COMPLEX[1, :3], "full"),
    ],
    "cov": [
        (WIDE,),
        (VECTOR,),
        (VECTOR, VECTOR**2),
        (WIDE, None, False),
        (WIDE, {"fweights": numpy.arange(1, 6)}),
        (WIDE, {"aweights": abs(VECTOR[:5])}),
        (WIDE, {"bias": True}),
        (COMPLEX,),
    ],
    "digitize": [
        (VECTOR, numpy.array([-1, 0, 1.0])),
        (VECTOR, numpy.array([1, 0, -1.0])),
        (VECTOR, numpy.array([-1, 0, 1.0]), True),
    ],
    "histogram": [(VECTOR,), (VECTOR, 5), (VECTOR, [-1, 0, 1.0]), (VECTOR, 4, (-1, 1)), (VECTOR, {"density": True})],
    "histogram2d": [(VECTOR, VECTOR**2), (VECTOR, VECTOR**2, 3), (VECTOR, VECTOR**2, [2, 3])],
    "histogram_bin_edges": [(VECTOR,)],
    "histogramdd": [(WIDE, 3), (WIDE, 2, {"density": True})],
}

# No gradient goes through what counts or finds positions.
NOT_DIFFERENTIABLE = {"digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path(name, call, tolerance=SUMS_OF_FEW if name in {"convolve", "correlate"} else "exact")


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call, differentiable=name not in NOT_DIFFERENTIABLE)
