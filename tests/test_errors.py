"""Bad input: NumPy's exception type, raised before anything is changed (rows 36, 51, 52, 88, 92, 94)."""

import numpy
import pytest
import torch

import fastnp
from tests._bad_input import CASES, OPERANDS
from tests._oracle import Raised, agree, host, run

ROWS = [
    pytest.param(line.strip(), id=f"{chapter}: {line.strip()}")
    for chapter, lines in CASES.items()
    for line in lines.strip().splitlines()
]


def operands(xp):
    """Make the arrays of one run; `r` is read-only and so is its base."""
    names = {name: xp.array(value) for name, value in OPERANDS.items()}
    names["r"] = xp.zeros((2, 3))
    names["r"].flags.writeable = False
    names["r"] = names["r"][:]
    return names


@pytest.mark.parametrize("source", ROWS)
def test_bad_input_raises_the_type_of_numpy(source):
    """Rows 51 and 92: `except` of NumPy's type catches ours, and the operands are as they were."""
    code = compile(source, source, "exec")
    want, _ = run(lambda xp: exec(code, {"np": xp, **operands(xp)}), numpy)
    assert isinstance(want, Raised), "NumPy takes this input: the case is stale"
    assert want.kind is not NameError, "the case has a spelling mistake"
    arrays = operands(fastnp)
    got, _ = run(lambda xp: exec(code, {"np": xp, **arrays}), fastnp)
    assert isinstance(got, Raised), f"taken; NumPy raises {want}"
    # What users can catch by name: UFuncTypeError is private to NumPy, and a TypeError.
    caught = next(kind for kind in want.kind.__mro__ if "._" not in kind.__module__)
    assert issubclass(got.kind, caught), f"got {got}, NumPy raises {want}"
    for name, value in operands(numpy).items():
        left = host(arrays[name])
        assert (left.dtype, left.shape) == (value.dtype, value.shape)
        assert left.tobytes() == value.tobytes(), f"{name} was changed by an error"


def test_table_has_a_hundred_and_twenty_cases():
    assert len(ROWS) == len({row.id for row in ROWS})
    assert len(ROWS) >= 120


@pytest.mark.parametrize("source", ["np.zeros(2**50)", "np.empty((2**30, 2**20))", "np.ones(2**50, dtype='i1')"])
def test_huge_request_is_a_memory_error_and_the_process_lives(source):
    """Row 36: 2**50 elements are refused, and the next call works."""
    with pytest.raises(MemoryError):
        eval(source, {"np": fastnp})
    assert fastnp.zeros(3).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**62, 2), (2**21, 2**21, 2**21, 2), (0, 2**62, 2**62)])
def test_overflowing_product_is_refused_before_allocation(shape):
    """Row 36: the product of the sizes is checked, also when another size is 0."""
    agree(lambda xp: xp.empty(shape))
    with pytest.raises(ValueError, match=r"too big|Maximum allowed"):
        fastnp.empty(shape)


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b: a + b,
        fastnp.add,
        lambda a, b: fastnp.add(a, a, out=b),
        fastnp.matmul,
        lambda a, b: fastnp.concatenate([a, b]),
        lambda a, b: fastnp.where(a > 0, a, b),
        lambda a, b: a.__iadd__(b),
        lambda a, b: a < b,
    ],
    ids=["operator", "add", "out", "matmul", "concatenate", "where", "in-place", "comparison"],
)
def test_operands_on_two_devices_name_both(call):
    """Row 33: mixed devices are an error that names the one and the other."""
    here = fastnp.ones((3, 3))
    there = fastnp.asarray(torch.ones((3, 3), dtype=torch.float64, device="meta"))
    with pytest.raises((TypeError, ValueError, RuntimeError)) as caught:
        call(here, there)
    assert "cpu" in str(caught.value)
    assert "meta" in str(caught.value)
    assert here.tolist() == [[1.0] * 3] * 3


def test_axis_error_is_that_of_numpy():
    """Row 92: `numpy.exceptions.AxisError` carries axis and ndim."""
    with pytest.raises(numpy.exceptions.AxisError) as caught:
        fastnp.ones((2, 3)).sum(axis=5)
    assert (caught.value.axis, caught.value.ndim) == (5, 2)


def test_casting_error_of_in_place_operator_is_ufunc_type_error():
    """Row 78: `x += 1.5` on integers is refused and leaves x alone."""
    x = fastnp.arange(3)
    with pytest.raises(numpy._core._exceptions.UFuncTypeError):
        x += 1.5
    assert x.tolist() == [0, 1, 2]
