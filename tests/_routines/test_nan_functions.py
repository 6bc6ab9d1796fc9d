"""Reductions that skip NaN."""

import pytest

from tests._both_paths import WITH_NAN, plain_path, rows, torch_path

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
