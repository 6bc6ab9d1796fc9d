"""Questions about dtypes, and the module of an array."""

import numpy
import pytest
import torch

import fastnp as np
from tests._oracle import agree, same_as_numpy
from tests._tables import DTYPES


@same_as_numpy
def test_result_type_of_arrays_dtypes_and_scalars(xp):
    arrays = [xp.ones(2, dtype) for dtype in DTYPES]
    return [
        xp.result_type(a, b, weak) for a in arrays for b in arrays for weak in (1, 1.0, 1j, xp.float32)
    ] + [xp.common_type(array) for array in arrays if array.dtype.kind in "iufc"]


@same_as_numpy
def test_can_cast_and_promote_types(xp):
    rules = ("safe", "same_kind")
    return [(xp.can_cast(a, b, rule), xp.promote_types(a, b)) for a in DTYPES for b in DTYPES for rule in rules]


def test_an_array_on_any_device_stands_for_its_dtype():
    array = np.array([1.0]).to_device("meta")
    assert np.result_type(array, np.float32) == np.float64
    assert np.result_type(torch.ones(1, requires_grad=True), 1.0) == np.float32
    assert np.can_cast(torch.float32, "f8")


@pytest.mark.parametrize("call", [lambda xp: xp.result_type(), lambda xp: xp.promote_types("f4", "no dtype"),
                                  lambda xp: xp.can_cast("f8", "f4", "wrong")])
def test_wrong_questions_raise_numpys_errors(call):
    agree(call)


@same_as_numpy
def test_astype_function(xp):
    array = xp.array([1.5, -2.0])
    return [xp.astype(array, xp.float32), xp.astype(array, xp.int8), xp.astype(array, array.dtype, copy=False) is array]


def test_namespace_of_an_array():
    assert np.ones(2).__array_namespace__() is np
    assert np.ones(2).__array_namespace__(api_version="2025.12") is np
    with pytest.raises(ValueError, match="not supported"):
        np.ones(2).__array_namespace__(api_version="2001.01")
    info = np.__array_namespace_info__()
    assert info.default_device() == torch.device("cpu")
    assert torch.device("cpu") in info.devices()
    assert info.dtypes(kind="bool") == numpy.__array_namespace_info__().dtypes(kind="bool")
