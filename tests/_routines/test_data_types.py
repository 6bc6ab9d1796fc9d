"""Questions about dtypes, and the module of an array."""

import itertools

import ml_dtypes
import numpy
import pytest
import torch

import fastnp as np
from tests._oracle import Cells, agree, same_as_numpy
from tests._tables import DTYPES, WEAK_SCALARS


@same_as_numpy
def test_result_type_of_arrays_dtypes_and_scalars(xp):
    arrays = [xp.ones(2, dtype) for dtype in DTYPES]
    return [
        xp.result_type(a, b, weak) for a in arrays for b in arrays for weak in (1, 1.0, 1j, xp.float32)
    ] + [xp.common_type(array) for array in arrays if array.dtype.kind in "iufc"]


@same_as_numpy
def test_can_cast_and_promote_types(xp):
    rules = ("no", "equiv", "safe", "same_kind", "unsafe")
    return [(xp.can_cast(a, b, rule), xp.promote_types(a, b)) for a in DTYPES for b in DTYPES for rule in rules]


SPELLINGS = ("f4", "int16", int, float, complex, bool, numpy.uint8, numpy.dtype("c8"), numpy.float32(1), True, 1, 1.5,
             2j, "U3", object, numpy.str_, ">f8", "M8[s]", None, "no dtype", numpy.arange(3), [1, 2])


def test_result_type_of_every_pair_and_some_triples_of_spellings():
    with Cells() as cells:
        for spelled in itertools.chain(
            itertools.combinations(SPELLINGS, 1), itertools.product(SPELLINGS, repeat=2),
            itertools.product(SPELLINGS[:12:2], repeat=3),
        ):
            cells.same(spelled, lambda xp, *values: xp.result_type(*values), *spelled)


@pytest.mark.parametrize("name", ["can_cast", "promote_types"])
def test_questions_about_every_pair_of_spellings(name):
    with Cells() as cells:
        for spelled in itertools.product(SPELLINGS, repeat=2):
            cells.same(spelled, lambda xp, *values: getattr(xp, name)(*values), *spelled)


def test_min_scalar_type_of_values_and_arrays():
    with Cells() as cells:
        for value in (*WEAK_SCALARS, None, "ab", numpy.float32(3), numpy.arange(3, dtype="i2"), numpy.array(7), [1, 2]):
            cells.same(repr(value), lambda xp, value: xp.min_scalar_type(value), value)


@same_as_numpy
def test_common_type_of_pairs(xp):
    kinds = [dtype for dtype in DTYPES if dtype.kind != "b"]
    return [xp.common_type(xp.ones(1, a), xp.ones(2, b)) for a in kinds for b in kinds]


def test_promotion_of_dtypes_that_numpy_has_from_ml_dtypes():
    for first, second in itertools.product((ml_dtypes.bfloat16, ml_dtypes.float8_e5m2), DTYPES):
        try:
            want = numpy.promote_types(first, second)
        except TypeError:
            with pytest.raises(TypeError):
                np.promote_types(first, second)
            continue
        assert np.promote_types(first, second) == np.result_type(np.ones(1, first), np.ones(1, second)) == want


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
    assert info.default_device() == np.ones(2).device == "cpu"
    assert "cpu" in info.devices()
    assert info.dtypes(kind="bool") == numpy.__array_namespace_info__().dtypes(kind="bool")
