"""What floating-point warnings say, and when: they name NumPy's operation, and tell of no number on the way."""

import numpy
import pytest

from tests._oracle import Cells, under_test

INF, NAN = numpy.inf, numpy.nan
HUGE = numpy.array([[1e200, 1e200], [1.0, 2.0], [3.0, -1e200]])
ODD = numpy.array([[INF, 1.0], [-INF, 0.0], [2.0, INF]])

CALLS = {
    "inner": lambda xp, a: xp.inner(a, a), "dot": lambda xp, a: xp.dot(a, a.T),
    "matmul": lambda xp, a: xp.matmul(a, a.T), "dot of vectors": lambda xp, a: xp.dot(a[0], a[0]),
    "vdot": lambda xp, a: xp.vdot(a, a), "vdot of vectors": lambda xp, a: xp.vdot(a[0], a[1]),
    "dot with a number": lambda xp, a: xp.dot(a, 1e300),
    "dot of three axes with a number": lambda xp, a: xp.dot(a[None], 1e300),
    "tensordot": lambda xp, a: xp.tensordot(a, a), "norm": lambda xp, a: xp.linalg.norm(a),
    "norm of a vector": lambda xp, a: xp.linalg.norm(a[0]),
    "norm along an axis": lambda xp, a: xp.linalg.norm(a, axis=0),
    "reduceat": lambda xp, a: xp.add.reduceat(a, [0, 1]),
    "reduceat of products": lambda xp, a: xp.multiply.reduceat(a, [0, 1], axis=-1),
    "ptp": lambda xp, a: xp.ptp(a, axis=0), "at": lambda xp, a: xp.multiply.at(a, [0, 1, 0], 1e300),
    "cross": lambda xp, a: xp.cross(a[:, 0], a[:, 1]), "cov": lambda xp, a: xp.cov(a),
    "sum": lambda xp, a: xp.sum(a),
}


@pytest.mark.parametrize("dtype", ["f8", "f4", "D", "F", "f2"])
@pytest.mark.parametrize("call", CALLS)
def test_texts(call, dtype):
    with numpy.errstate(all="ignore"):
        huge, odd = HUGE.astype(dtype), ODD.astype(dtype)
    with Cells(warns="text", tolerance="sum", layout=False) as cells:
        for name, given in [("huge", huge), ("odd", odd), ("odd rows", odd[::-1])]:
            if dtype in "FD" and name != "huge" and "norm" not in call:
                continue  # which of BLAS's products of infinities is invalid depends on its blocks
            cells.same(name, lambda xp, a: CALLS[call](xp, a.copy()), given)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
def test_integers_that_wrap_around_in_silence(dtype):
    ends = numpy.array([numpy.iinfo(dtype).min, 0, numpy.iinfo(dtype).max], dtype)
    with Cells(warns="text") as cells:
        for axis in (None, 0, -1):
            cells.same(f"ptp {axis}", lambda xp, a, axis=axis: xp.ptp(a, axis), ends)
        cells.same("keepdims", lambda xp, a: xp.ptp(a, 0, keepdims=True), ends)


@pytest.mark.parametrize("dtype", ["f4", "f8", "F", "D"])
@pytest.mark.parametrize("count", [8, 31, 200, 1500, 6000, 70_000])
def test_numbers_side_by_side_raise_no_flags_of_their_own(dtype, count):
    """Sums and products in lanes: one lane may meet an infinity that NumPy's order meets as NaN only."""
    generator = numpy.random.default_rng(count)
    with Cells(warns="text", tolerance="sum") as cells:
        for draw in range(20):
            given = (1 + generator.normal(size=count) * 1e-3).astype(dtype)
            places = generator.integers(0, count, generator.integers(1, 5))
            given[places] = generator.choice([NAN, INF, -INF, 0], len(places))
            for name in ("sum", "prod", "mean"):
                cells.same(f"{name} {draw}", lambda xp, a, name=name: getattr(xp, name)(a), given)


@pytest.mark.parametrize("shape", [(0, 1), (0, 5)])
def test_a_diagonal_of_none_and_some_is_an_error(shape):
    """NumPy returns elements of other memory."""
    with pytest.raises(ValueError, match="collapsing index 'i'"):
        under_test.einsum("ii->i", under_test.ones(shape))


@pytest.mark.parametrize("ufunc", ["add", "subtract", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("dtype", ["?", "u8", "f2", "i8", "f4"])
def test_numbers_that_have_another_dtype_than_what_they_are_put_into(dtype, ufunc):
    """NumPy computes in the number's dtype: what is kept here ends as that does."""
    generator = numpy.random.default_rng(3)
    with Cells(warns="text") as cells:
        for number in (0, 1, 3, -1, 1.5, 0.1, 2.0**-9, 1e10, 2**45, 65504.0, 2**53):
            for most in (2, 100, 2**62):
                for count in (0, 1, 7, 300):
                    whole = generator.integers(0, most, 20)
                    given = (whole if dtype in "u8i8" else generator.random(20) * min(most, 9999)).astype(dtype)
                    places = generator.integers(-20, 20, count)

                    def body(xp, a, i, number=number):
                        getattr(xp, ufunc).at(a, i, number)
                        return a

                    cells.same(f"{number} {most} {count}", body, given, places)
