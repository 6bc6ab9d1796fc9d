"""Reductions that skip NaN."""

import itertools

import numpy
import pytest

from tests._both_paths import WITH_NAN, plain_path, rows, torch_path
from tests._oracle import Cells

CASES = {
    "nanargmax": [(WITH_NAN[:2],), (WITH_NAN[:2], 1)],
    "nanargmin": [(WITH_NAN[:2],), (WITH_NAN[:2], 1)],
    "nancumprod": [(WITH_NAN,), (WITH_NAN, 1)],
    "nancumsum": [(WITH_NAN,), (WITH_NAN, 1)],
    "nanmax": [(WITH_NAN,), (WITH_NAN, 0), (WITH_NAN, 0, {"initial": 5.0})],
    "nanmean": [(WITH_NAN,), (WITH_NAN, 0), (WITH_NAN, 1)],
    "nanmin": [(WITH_NAN,), (WITH_NAN, 0), (WITH_NAN, 1)],
    "nanprod": [(WITH_NAN,), (WITH_NAN, 0)],
    "nanstd": [(WITH_NAN,), (WITH_NAN[:2], 0)],
    "nansum": [(WITH_NAN,), (WITH_NAN, 0), (WITH_NAN, 1, {"keepdims": True}), (WITH_NAN, {"where": WITH_NAN > 0})],
    "nanvar": [(WITH_NAN,), (WITH_NAN, 0, {"ddof": 1}), (WITH_NAN, 1)],
}

# No gradient goes through what counts or finds positions.
NOT_DIFFERENTIABLE = {"nanargmax", "nanargmin"}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path(name, call)


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call, differentiable=name not in NOT_DIFFERENTIABLE)


@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f2", "f4", "f8", "c16"])
def test_variances_with_and_without_nans(dtype, name):
    """Without one, they are those of `var`, whose warning is another one where too few elements are left."""
    with Cells(warns=True) as cells:
        for shape, axis, ddof, keepdims in itertools.product(
                [(5,), (3, 4), (1, 3), (0, 3), (2, 3, 4), (1000,)], [None, 0, -1, (0,), 5], [0, 1, 3, 1.5, -1],
                [False, True]):
            values = (numpy.random.default_rng(1).random(shape) * 9).astype(dtype)
            several = [values, values[::-1].copy().T]
            if values.size and values.dtype.kind in "fc":
                several.append(values.copy())
                several[-1].flat[0] = numpy.nan
            for number, array in enumerate(several):
                cells.same(
                    f"{shape} {axis} {ddof} {keepdims} {number}",
                    lambda xp, a, x=axis, d=ddof, k=keepdims: getattr(xp, name)(a, x, ddof=d, keepdims=k), array)
