"""Bad input: NumPy's exception type, raised before anything is changed (rows 36, 51, 52, 88, 92, 94)."""

import contextlib

import numpy
import pytest
import torch

import fastnp
from tests._bad_input import CASES, OPERANDS
from tests._core.test_paths import PassingDispatchMode
from tests._oracle import Cells, Raised, agree, host, run
from tests._tables import UFUNCS

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


@pytest.mark.parametrize("path", ["plain", "torch"])
@pytest.mark.parametrize("source", ROWS)
def test_bad_input_raises_the_type_of_numpy(source, path):
    """Rows 51 and 92: `except` of NumPy's type catches ours, and the operands are as they were."""
    code = compile(source, source, "exec")
    want, _ = run(lambda xp: exec(code, {"np": xp, **operands(xp)}), numpy)
    assert isinstance(want, Raised), "NumPy takes this input: the case is stale"
    assert want.kind is not NameError, "the case has a spelling mistake"
    arrays = operands(fastnp)
    with PassingDispatchMode() if path == "torch" else contextlib.nullcontext():
        got, _ = run(lambda xp: exec(code, {"np": xp, **arrays}), fastnp)
    assert isinstance(got, Raised), f"taken; NumPy raises {want}"
    # What users can catch by name: UFuncTypeError is private to NumPy, and a TypeError.
    caught = next(kind for kind in want.kind.__mro__ if "._" not in kind.__module__)
    assert issubclass(got.kind, caught), f"got {got}, NumPy raises {want}"
    for name, value in operands(numpy).items():
        left = host(arrays[name])
        assert (left.dtype, left.shape) == (value.dtype, value.shape)
        assert left.tobytes() == value.tobytes(), f"{name} was changed by an error"


TEXTS = {
    "text": "ab",
    "bytes": b"ab",
    "list": ["a", "b"],
    "array": numpy.array(["ab", "cd"]),
    "date": numpy.datetime64(1, "s"),
    "dates": numpy.array([0, 1], "M8[s]"),
}


@pytest.mark.parametrize("name", UFUNCS)
def test_text_and_dates_as_operands(name):
    """NumPy's own error, `UFuncTypeError` included; where it has a loop for them, a TypeError that names the dtype."""
    with Cells(layout=False) as cells:
        for label, value in TEXTS.items():
            for x in (numpy.arange(2.0), numpy.arange(2), numpy.array([1j, 2])):
                for operands in ((x, value), (value, x)) if getattr(numpy, name).nin == 2 else ((value,),):
                    want, _ = run(lambda xp, *values: getattr(xp, name)(*values), numpy, *operands)
                    given = [fastnp.array(value) if value is x else value for value in operands]
                    got, _ = run(lambda xp, *values: getattr(fastnp, name)(*values), numpy, *given)
                    wanted = want if isinstance(want, Raised) else Raised(TypeError, "fastnp arrays cannot hold")
                    same = isinstance(got, Raised) and got.kind is wanted.kind
                    same = same and (wanted is want or wanted.text in got.text)
                    cells.require(f"{label} {x.dtype}", same, f"got {got}, NumPy {want}")


@pytest.mark.parametrize("name", ["all", "any", "argmax", "cumsum", "max", "mean", "prod", "std", "sum"])
@pytest.mark.parametrize("value", [None, [None, 1], "ab"], ids=str)
def test_reductions_of_what_only_numpy_holds(name, value):
    with pytest.raises(TypeError, match=r"fastnp arrays cannot hold dtype '(object|<U2)'.*NumPy's can"):
        getattr(fastnp, name)(value)


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
