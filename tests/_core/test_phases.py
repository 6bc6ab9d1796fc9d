"""The exponential of complex numbers on vectors: NumPy's values to the last places, its flags, one for each number."""

import numpy
import pytest

import fastnp

from .test_elementary import states

DTYPES = ("complex128", "complex64")


def near(ours, theirs):
    """Whether both parts differ by a few units in the last place; what is not finite, or zero, by nothing."""
    for one, other in ((numpy.asarray(ours).real, theirs.real), (numpy.asarray(ours).imag, theirs.imag)):
        finite = numpy.isfinite(other) & (other != 0)
        numpy.testing.assert_array_equal(one[~finite], other[~finite])
        numpy.testing.assert_array_equal(numpy.signbit(one[other == 0]), numpy.signbit(other[other == 0]))
        if (numpy.abs(one[finite] - other[finite]) > 4 * numpy.spacing(numpy.abs(other[finite]))).any():
            return False
    return True


@pytest.mark.parametrize("dtype", DTYPES)
def test_odd_numbers_and_flags(dtype):
    limits = numpy.finfo(dtype)
    parts = [0.0, -0.0, 1.0, -1.5, 0.5, 20.0, 80.0, -80.0, 89.0, -104.0, 709.0, 710.0, -740.0, -800.0, 1e4, limits.max,
             limits.tiny, limits.smallest_subnormal, numpy.pi, numpy.inf, -numpy.inf, numpy.nan]
    numbers = numpy.array([complex(x, y) for x in parts for y in parts]).astype(dtype)
    for number in numbers:
        for size in (1, 5, 130):
            z = numpy.full(size, numpy.array(0.5 + 1j, dtype))
            z[size // 2] = number
            theirs, reported = states(numpy, lambda z=z: numpy.exp(z))
            ours, also = states(fastnp, lambda z=z: fastnp.exp(fastnp.asarray(z)))
            assert ours.dtype == theirs.dtype
            assert also - {"underflow"} == reported - {"underflow"}, number
            assert near(ours, theirs), number


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_wherever_they_stand(dtype):
    rng, np = numpy.random.default_rng(7), fastnp
    z = (rng.normal(size=3000) * 3 + 4j * rng.normal(size=3000)).astype(dtype)
    a = np.asarray(z)
    whole = np.exp(a)
    assert near(whole, numpy.exp(z))
    same = numpy.asarray(whole)
    for n in (1, 2, 3, 4, 5, 63, 64, 65, 129):
        numpy.testing.assert_array_equal(np.exp(a[:n]), same[:n])
    numpy.testing.assert_array_equal(np.exp(a[::3]), same[::3])
    numpy.testing.assert_array_equal(np.exp(a[::-1]), same[::-1])
    numpy.testing.assert_array_equal(np.exp(a.reshape(3, 50, 20).T), same.reshape(3, 50, 20).T)
    numpy.testing.assert_array_equal(np.exp(a[7]), same[7])
    out = np.zeros(6000, dtype)
    np.exp(a, out=out[::2])
    numpy.testing.assert_array_equal(out[::2], same)
    shifted = a.copy()
    np.exp(shifted[:-1], out=shifted[1:])
    numpy.testing.assert_array_equal(shifted[1:], same[:-1])
    np.exp(a, out=a)
    numpy.testing.assert_array_equal(a, same)
    turns = numpy.linspace(0, 50, 1001)
    assert near(np.exp(1j * np.asarray(turns)), numpy.exp(1j * turns))
    real = numpy.linspace(-3, 3, 100).astype(dtype)
    numpy.testing.assert_array_equal(np.exp(np.asarray(real)).imag, numpy.exp(real).imag)
