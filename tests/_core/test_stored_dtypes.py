"""Dtypes that torch stores and has few kernels for: 64-bit unsigned integers by random bits, bfloat16 and float8."""

import itertools

import ml_dtypes
import numpy
import pytest
import torch

from tests._core.test_paths import tracked, under_a_mode
from tests._oracle import Cells, host, run, under_test
from tests._tables import BINARY_UFUNCS, UNARY_UFUNCS

NARROW = (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn)
UFUNCS = [*UNARY_UFUNCS, *BINARY_UFUNCS]
UNSIGNED_UFUNCS = [name for name in UFUNCS if any("Q" in loop.split("->")[0] for loop in getattr(numpy, name).types)]
REDUCTIONS = ("all", "any", "argmax", "argmin", "argsort", "cumprod", "cumsum", "max", "mean", "median", "min", "prod",
              "ptp", "sort", "std", "sum", "var")
# torch: a value beyond the range of float8_e4m3fn becomes its largest; ml_dtypes: NaN.
SATURATED = ("arctanh", "divide", "divmod", "floor_divide", "ldexp", "log", "log10", "log2", "reciprocal")
NO_KERNEL = ("nextafter", "spacing")
BOUNDS = {"bfloat16": 2**-7, "float8_e5m2": 2**-2, "float8_e4m3fn": 2**-2}


def random_bits(seed, size=400):
    """Return 64-bit numbers of every magnitude."""
    rng = numpy.random.default_rng(seed)
    return rng.integers(0, 2**64, size, dtype="u8") >> rng.integers(0, 64, size, dtype="u8")


@pytest.mark.parametrize("name", UNSIGNED_UFUNCS)
def test_unsigned_integers_of_every_magnitude(name):
    left, right = random_bits(1), random_bits(2)
    if name == "reciprocal":  # NumPy: of zero it is what the processor makes of it
        left = left | numpy.uint64(1)
    with Cells(tolerance="rounded") as cells:
        for code in ("u2", "u4", "u8"):
            operands = [left.astype(code), right.astype(code)][: getattr(numpy, name).nin]
            cells.same(code, under_a_mode, "dispatch", name, *operands)
            if len(operands) == 2:
                cells.same(f"{code} count", under_a_mode, "dispatch", name, operands[0], (right % 70).astype(code))
                cells.same(f"{code} itself", under_a_mode, "dispatch", name, operands[0], operands[0])
                if code == "u8":
                    cells.same("u8 i8", under_a_mode, "dispatch", name, left, right.view("i8"))


def plain(xp, name, *arguments, **keywords):
    """Return the result of the function `name`."""
    return getattr(xp, name)(*arguments, **keywords)


PATHS = {"plain": plain, "mode": lambda xp, *call, **keywords: under_a_mode(xp, "dispatch", *call, **keywords),
         "gradient": tracked}  # fmt: skip


def differs(path, name, *operands, **keywords):
    """Return how a call on narrow floating numbers ends otherwise than NumPy's with ml_dtypes, or None."""
    want, _ = run(PATHS[path], numpy, name, *operands, **keywords)
    got, _ = run(PATHS[path], under_test, name, *operands, **keywords)
    pairs = [value if isinstance(value, tuple) else (value,) for value in (got, want)]
    for one, other in itertools.zip_longest(*pairs):
        if not hasattr(one, "dtype") or not hasattr(other, "dtype"):
            return None if type(one) is type(other) else f"got {one}, NumPy {other}"
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"got {one.dtype}{one.shape}, NumPy {other.dtype}{other.shape}"
        bound = BOUNDS.get(other.dtype.name, 1e-6)
        values = [host(value).astype("c16" if other.dtype.kind == "c" else "f8") for value in (one, other)]
        if not numpy.allclose(*values, rtol=bound, atol=bound, equal_nan=True):
            return f"got {values[0]}, NumPy {values[1]}"
    return None


def narrow(dtype):
    """Return two arrays of a narrow dtype, the second without negative numbers."""
    values = numpy.array([0.5, 1, 2, -1.5, 3, -0.25, 0, 4])
    return values.astype(dtype), abs(values[::-1]).astype(dtype)


@pytest.mark.parametrize("dtype", NARROW, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_of_narrow_floats(name, path, dtype):
    x, y = narrow(dtype)
    rows = [(x,)] if name in UNARY_UFUNCS else [(x, y), (x, 2), (x, y.astype("f4")), (x, numpy.arange(8, dtype="i4"))]
    found = [text for text in (differs(path, name, *operands) for operands in rows) if text]
    expected = (name in SATURATED and dtype is ml_dtypes.float8_e4m3fn) or (
        name in NO_KERNEL and dtype is not ml_dtypes.bfloat16)
    assert bool(found) == expected, found or "stale: nothing differs"


@pytest.mark.parametrize("dtype", NARROW, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("path", ["plain", "mode"])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "less", "sqrt", "exp", "negative"])
def test_narrow_floats_are_written_where_the_call_says(name, path, dtype):
    _, y = narrow(dtype)
    operands = [y] if name in UNARY_UFUNCS else [y, y[::-1].copy()]
    for out in (numpy.zeros(8, dtype), numpy.zeros(8, "f4"), numpy.zeros(8, "?"), numpy.zeros(4, dtype)):
        assert differs(path, name, *operands, out=out) is None
    if len(operands) == 2:
        assert differs(path, name, y, 2, out=numpy.zeros(8, dtype)) is None
        assert differs(path, name, y, y.astype("f4"), out=numpy.zeros(8, dtype)) is None


@pytest.mark.parametrize("number", [2, 1.5, 2**20 + 1])
def test_bfloat16_in_place(number):
    def body(xp, x):
        y = x.copy()
        y += x
        y *= number
        y -= x
        return y

    x = numpy.array([0.5, 1, 2, -1.5], ml_dtypes.bfloat16)
    got, want = body(under_test, under_test.asarray(x)), body(numpy, x)
    assert got.dtype == want.dtype
    numpy.testing.assert_array_equal(host(got).astype("f4"), want.astype("f4"))


def test_gradients_of_bfloat16_are_torchs():
    mine, torchs = (torch.tensor([0.5, 2.0, -1.5], dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
    array = under_test.asarray(mine)
    result = under_test.where(array > 0, under_test.exp(array) * array + 2, array)
    want = torch.where(torchs > 0, torch.exp(torchs) * torchs + 2, torchs)
    result.tensor.sum().backward()
    want.sum().backward()
    assert result.dtype == ml_dtypes.bfloat16
    assert torch.equal(result.tensor, want)
    assert torch.equal(mine.grad, torchs.grad)


@pytest.mark.parametrize("dtype", NARROW, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_narrow_floats(name, path, dtype):
    _, y = narrow(dtype)
    assert differs(path, name, y) is None
    assert differs(path, name, y.reshape(2, 4), axis=0) is None
