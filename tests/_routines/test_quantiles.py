"""Order statistics."""

import itertools

import numpy
import pytest

from tests._both_paths import CUBE, VECTOR, WIDE, WITH_NAN, plain_path, rows, torch_path
from tests._oracle import Cells
from tests._paths import through_torch
from tests._tables import DTYPES, moderate

CASES = {
    "median": [(WIDE,), (WIDE, 0), (WIDE, (0, 1)), (CUBE, (0, 2), {"keepdims": True}), (VECTOR,)],
    "nanmedian": [(WITH_NAN,), (WITH_NAN, 0), (WITH_NAN, 1)],
    "nanpercentile": [(WITH_NAN, 50, 0)],
    "nanquantile": [(WITH_NAN, 0.3), (WITH_NAN, [0.3, 0.7], 0), (WITH_NAN, 0.3, 1)],
    "percentile": [(WIDE, 30), (WIDE, [20, 50], 1)],
    "ptp": [(WIDE,), (WIDE, 0)],
    "quantile": [
        (WIDE, 0.3),
        (WIDE, [0.2, 0.7], 0),
        (WIDE, 0.4, 1, {"keepdims": True}),
        (CUBE, [[0.1, 0.2], [0.3, 0.9]], (0, 2)),
        (WITH_NAN, 0.3, 1),
        (WIDE, [0.2, 0.5, 0.9], 1, {"weights": numpy.array([1, 2, 0, 1, 3.0]), "method": "inverted_cdf"}),
        (WIDE, 0.5, {"weights": abs(WIDE), "method": "inverted_cdf"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "inverted_cdf"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "averaged_inverted_cdf"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "closest_observation"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "interpolated_inverted_cdf"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "hazen"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "weibull"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "linear"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "median_unbiased"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "normal_unbiased"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "lower"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "higher"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "midpoint"}),
        (WIDE, [0, 0.25, 0.3, 0.5, 0.9, 1], 1, {"method": "nearest"}),
    ],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path(name, call)


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call)


@pytest.mark.parametrize("name", ["median", "nanmedian", "percentile", "quantile"])
def test_every_dtype_by_torch(name):
    def called(xp, values, *arguments):
        return getattr(xp, name)(values, *arguments)

    with Cells(tolerance="sum", layout=False) as cells:
        for dtype, size in itertools.product(DTYPES, (6, 7)):
            values = numpy.stack([moderate(dtype, size), moderate(dtype, size)[::-1]])
            for axis in (None, 0, 1):
                arguments = (axis,) if name.endswith("median") else (0.3 if name == "quantile" else 30, axis)
                cells.same(f"{dtype} {axis}", through_torch(called), values, *arguments)
