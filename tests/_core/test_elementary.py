"""Elementary functions on vectors: NumPy's values to the last places, its flags, the same number everywhere."""

import itertools
import os
import time
import warnings
from pathlib import Path

import numpy
import pytest
import torch
from numpy._core._multiarray_umath import __cpu_features__

import fastnp

ONE = ("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1",
       "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh")
TWO = ("arctan2", "floor_divide", "fmod", "hypot", "logaddexp", "logaddexp2", "power", "remainder")
EXACT = ("floor_divide", "fmod", "remainder")
# NumPy's own cbrt and hyperbolic functions lie up to three units from the value; one more is ours.
PLACES = 4
# NumPy has loops of its own for the widest vectors, and they are kept.
KEEPS_NUMPYS = __cpu_features__.get("X86_V4", False) and os.environ.get("ATEN_CPU_CAPABILITY") is None
# MKL's take less time still on the processors of its maker, and are torch's as well.
BY_MKL = KEEPS_NUMPYS and "GenuineIntel" in Path("/proc/cpuinfo").read_text()
MKLS = {"float64": ("arccos", "arcsin", "cos", "exp", "log", "log10", "log2", "sin", "tan"),
        "float32": ("cos", "exp", "log", "sin")}
DTYPES = ("float64", "float32")


def odd_values(dtype):
    """Return numbers at which functions are special, and their neighbours."""
    limits = numpy.finfo(dtype)
    values = [0.0, 1.0, 0.5, 2.0, 3.0, 10.0, 88.0, 89.0, 104.0, 110.0, 127.0, 128.0, 150.0, 700.0, 709.8, 710.5, 745.1,
              746.0, 1023.0, 1024.0, 1075.0, 1e4, 1e15, 1e22, numpy.pi, numpy.pi / 2, 2.0 ** 52, 2.0 ** 53, 1e-3, 1e-10,
              1e-30, limits.max, limits.tiny, limits.smallest_subnormal, limits.tiny / 3, limits.eps, 1 - limits.eps,
              1 + limits.eps, numpy.inf, numpy.nan]
    with numpy.errstate(over="ignore"):
        values = numpy.array(values).astype(dtype)
    return numpy.concatenate((values, -values))


def states(np, compute):
    """Return the values and the kinds of error that a computation reports."""
    found = set()
    with np.errstate(all="call", call=lambda kind, flags: found.add(kind)):
        return compute(), found


def same_flags(ours, theirs, values):
    """Whether the flags are NumPy's, which may say of small numbers that a square has vanished on the way."""
    normal = (numpy.abs(values) >= numpy.finfo(values.dtype).tiny) | (values == 0) | ~numpy.isfinite(values)
    return ours == theirs or (normal.all() and ours == theirs - {"underflow"})


def assert_same(ours, same, theirs):
    """Assert that results are those of the same numbers elsewhere; NumPy's loops may give NumPy's from here."""
    ours = numpy.asarray(ours)
    if not (KEEPS_NUMPYS and numpy.array_equal(ours, theirs, equal_nan=True)):
        numpy.testing.assert_array_equal(ours, same)


def assert_exact(ours, exact, theirs):
    """Assert that results are the exact numbers; those of NumPy's loops may be NumPy's."""
    ours = numpy.asarray(ours)
    numpy.testing.assert_array_equal(ours, numpy.where(KEEPS_NUMPYS & (ours == theirs), theirs, exact))


def is_near(ours, theirs, size=0):
    """Whether values differ by no more than some units in the last place; of what is not finite, by nothing.

    The place is that of the value, or of `size` where this is larger: of an operand that another one nearly cancels.
    """
    ours = numpy.asarray(ours)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    finite = numpy.isfinite(theirs)
    numpy.testing.assert_array_equal(ours[~finite], theirs[~finite])
    exact = (theirs == 0) & (ours == 0)
    numpy.testing.assert_array_equal(numpy.signbit(ours[exact]), numpy.signbit(theirs[exact]))
    with numpy.errstate(all="ignore"):
        sizes = numpy.broadcast_to(size, theirs.shape).astype(theirs.dtype)
        place = numpy.spacing(numpy.maximum(numpy.abs(theirs), sizes)[finite])
        off = numpy.abs(ours[finite] - theirs[finite]) / place
    return off.max(initial=0) <= PLACES


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_odd_values_and_flags(name, dtype):
    for value in odd_values(dtype):
        for size in (1, 3, 8, 300):
            x = numpy.full(size, numpy.array(0.75, dtype))
            x[size // 2] = value
            theirs, reported = states(numpy, lambda x=x: getattr(numpy, name)(x))
            ours, also = states(fastnp, lambda x=x: getattr(fastnp, name)(fastnp.asarray(x)))
            assert same_flags(also, reported, theirs), (value, size)
            assert is_near(ours, theirs), (value, size)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TWO)
def test_odd_values_and_flags_of_two(name, dtype):
    values = odd_values(dtype)
    for value in values:
        for first, second in ((values, value), (value, values), (values, numpy.full_like(values, value))):
            theirs, reported = states(numpy, lambda a=first, b=second: getattr(numpy, name)(a, b))
            given = [fastnp.asarray(each) if isinstance(each, numpy.ndarray) else fastnp.asarray(each, dtype=dtype)
                     for each in (first, second)]
            ours, also = states(fastnp, lambda a=given[0], b=given[1]: getattr(fastnp, name)(a, b))
            if KEEPS_NUMPYS and also != reported:  # a repeated operand is given to NumPy's loop as it takes a whole one
                spread_out = [each.copy() for each in numpy.broadcast_arrays(first, second)]
                reported = states(numpy, lambda both=spread_out: getattr(numpy, name)(*both))[1]
            assert same_flags(also, reported, theirs), value
            assert is_near(ours, theirs, operand_size(name, first, second)), value
    for first in values[::3]:
        for second in values[::3]:
            x, y = numpy.full(9, 1.5, dtype), numpy.full(9, 1.25, dtype)
            x[4], y[4] = first, second
            theirs, reported = states(numpy, lambda x=x, y=y: getattr(numpy, name)(x, y))
            ours, also = states(fastnp, lambda x=x, y=y: getattr(fastnp, name)(fastnp.asarray(x), fastnp.asarray(y)))
            assert same_flags(also, reported, theirs), (first, second)
            assert is_near(ours, theirs, operand_size(name, x, y)), (first, second)


def operand_size(name, first, second):
    """Return the size of the larger operand where it is added to; 0 else."""
    if "logaddexp" not in name:
        return numpy.zeros((), numpy.asarray(second).dtype)
    return numpy.nan_to_num(numpy.maximum(numpy.abs(first), numpy.abs(second)))


def spread(name, dtype, count):
    """Return numbers all over the range in which a function has values."""
    rng = numpy.random.default_rng(len(name))
    if name in ("arccos", "arcsin", "arctanh"):
        x = rng.uniform(-1, 1, count)
    else:
        x = rng.normal(size=count) * 10.0 ** rng.integers(-3, 3, count)
    if "log" in name or name == "arccosh":
        x = numpy.abs(x)
    return (x + (name == "arccosh")).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_values_wherever_they_stand(name, dtype):
    ours, theirs = getattr(fastnp, name), getattr(numpy, name)
    x = spread(name, dtype, 5000)
    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
        expected = theirs(x)
        a = fastnp.asarray(x)
        whole = ours(a)
        assert is_near(whole, expected)
        same = numpy.asarray(whole)
        for n in (1, 2, 3, 5, 31, 127, 128, 129, 255, 257, 4095, 4097):
            assert_same(ours(a[:n]), same[:n], theirs(x[:n]))
        if name in ("cos", "sin", "tan"):  # beside large numbers, small ones are reduced as these
            x = x / numpy.array(1000, dtype)
            a = fastnp.asarray(x)
            same = numpy.asarray(ours(a))
        for view in (numpy.s_[::3], numpy.s_[::-1]):
            assert_same(ours(a[view]), same[view], theirs(x[view]))
        cubes = [each[:4998].reshape(3, 2, -1).T for each in (a, same, x)]
        assert_same(ours(cubes[0]), cubes[1], theirs(cubes[2]))
        for i in (0, 7):
            assert_same(ours(a[i]), same[i], theirs(x[i]))
        out, into = fastnp.zeros(10000, dtype=dtype), numpy.zeros(10000, dtype)
        ours(a, out=out[::2])
        theirs(x, out=into[::2])
        assert_same(out, numpy.stack((same, numpy.zeros_like(same)), axis=1).ravel(), into)
        in_place = a.copy()
        ours(in_place, out=in_place)
        numpy.testing.assert_array_equal(in_place, same)
        shifted = a.copy()
        ours(shifted[:-1], out=shifted[1:])
        assert_same(shifted[1:], ours(a)[:-1], theirs(x[:-1]))
        backwards = a.copy()
        ours(backwards, out=backwards[::-1])
        assert is_near(backwards[::-1], theirs(numpy.asarray(a)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TWO)
def test_values_of_two_wherever_they_stand(name, dtype):
    ours, theirs = getattr(fastnp, name), getattr(numpy, name)
    x, y = spread(name, dtype, 5000), spread(name, dtype, 5000)[::-1].copy()
    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
        expected = theirs(x, y)
        a, b = fastnp.asarray(x), fastnp.asarray(y)
        whole = ours(a, b)
        assert is_near(whole, expected)
        same = numpy.asarray(whole)
        if name in EXACT:
            numpy.testing.assert_array_equal(same, expected)
        for n in (1, 2, 3, 5, 31, 127, 129, 257, 4097):
            assert_same(ours(a[:n], b[:n]), same[:n], theirs(x[:n], y[:n]))
        for view in (numpy.s_[::3], numpy.s_[::-1]):
            assert_same(ours(a[view], b[view]), same[view], theirs(x[view], y[view]))
        number = float(y[3])
        assert_same(ours(a, number), ours(a, fastnp.full_like(a, number)), theirs(x, y[3]))
        assert is_near(ours(a, number), theirs(x, y[3]))
        assert is_near(ours(number, b), theirs(y[3], y))
        rows = ours(a.reshape(50, 100), b[:100])
        assert is_near(rows, theirs(x.reshape(50, 100), y[:100]))
        columns = ours(a[:50, None], b[:100])
        assert is_near(columns, theirs(x[:50, None], y[:100]))
        for out in (a.copy(), b.copy()):
            first, second = (out, b) if fastnp.array_equal(out, a) else (a, out)
            ours(first, second, out=out)
            assert_same(out, same, expected)
        assert is_near(getattr(fastnp, name).outer(a[:30], b[:40]), theirs.outer(x[:30], y[:40]))
        if name in ("hypot", "logaddexp", "logaddexp2"):
            partial = numpy.asarray(list(itertools.accumulate(a[:300], ours)))
            numpy.testing.assert_array_equal(ours.accumulate(a[:300]), partial)
            numpy.testing.assert_allclose(partial, theirs.accumulate(x[:300]), rtol=1e-5)
            for axis in (0, 1):
                table = (a.reshape(50, 100), x.reshape(50, 100))
                numpy.testing.assert_allclose(ours.reduce(table[0], axis), theirs.reduce(table[1], axis), rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", EXACT)
def test_divisions_are_exact(name, dtype):
    rng = numpy.random.default_rng(3)
    high = 300 if dtype == "float64" else 37
    x, y = ((rng.normal(size=40000) * 10.0 ** rng.integers(-high, high, 40000)).astype(dtype) for _ in range(2))
    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
        near = (y * numpy.trunc(rng.normal(size=40000) * 10.0 ** rng.integers(0, 9, 40000))).astype(dtype)
        for first in (x, near, numpy.nextafter(near, numpy.array(0, dtype))):
            theirs = getattr(numpy, name)(first, y)
            ours = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(first), fastnp.asarray(y)))
            numpy.testing.assert_array_equal(ours, theirs)
            numpy.testing.assert_array_equal(numpy.signbit(ours), numpy.signbit(theirs))


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_are_exact(dtype):
    digits = numpy.finfo(dtype).precision
    tens = 10 ** numpy.arange(digits + 3 if dtype == "float64" else 10)
    np = fastnp
    places = np.arange(len(tens), dtype=dtype)
    assert_exact(np.log10(np.asarray(tens.astype(dtype))), places, numpy.log10(tens.astype(dtype)))
    exponents = np.arange(-100, 100, dtype=dtype)
    powers = numpy.ldexp(numpy.ones(200, dtype), numpy.arange(-100, 100))
    assert_exact(np.exp2(exponents), powers, numpy.exp2(numpy.asarray(exponents)))
    assert_exact(np.log2(np.asarray(powers)), exponents, numpy.log2(powers))
    whole = numpy.arange(1, 100, dtype=dtype)
    assert_exact(np.cbrt(np.asarray(whole ** 3)), whole, numpy.cbrt(whole ** 3))


def test_powers_are_rounded_as_those_of_the_c_library():
    """All but one of a thousand are the same number; what is exact, and a power of ten, always is in our own loop."""
    np, rng = fastnp, numpy.random.default_rng(4)
    ranges = (
        ((0, 3), (-4, 4)), ((1, 100), (-150, 150)), ((-5, 0), (-3, 8)), ((0.6, 1.5), (-1300, 1300)),
        ((1 - 1e-3, 1 + 1e-3), (-5e5, 5e5)), ((1 - 1e-9, 1 + 1e-9), (-5e11, 5e11)), ((1e-300, 1e300), (-1, 1)),
    )
    for bases, exponents in ranges:
        x, y = rng.uniform(*bases, 40000), rng.uniform(*exponents, 40000)
        y = numpy.rint(y) if bases[0] < 0 else y
        theirs = x ** y
        ours = numpy.asarray(np.asarray(x) ** np.asarray(y))
        different = ours != theirs
        assert different.mean() < 2e-3
        assert (numpy.abs(ours - theirs)[different] <= numpy.spacing(numpy.abs(theirs[different]))).all()
    whole = numpy.arange(-60.0, 61.0)
    for exponent in range(9):
        exact = numpy.array([int(base) ** exponent for base in whole], dtype=object)
        fits = numpy.array([abs(number) < 2 ** 53 for number in exact])
        for given in (float(exponent), np.full(whole.size, float(exponent))):
            ours = numpy.asarray(np.power(np.asarray(whole), given))
            theirs = numpy.power(whole, numpy.asarray(given))
            assert_exact(ours[fits], exact[fits].astype(float), theirs[fits])
    bases = numpy.arange(1.0, 61.0)
    for exponent in (-1.0, 0.5, 2.0):  # NumPy has no simpler way here
        found = np.float_power(np.asarray(bases), exponent)
        numpy.testing.assert_allclose(found, numpy.float_power(bases, exponent), rtol=3e-16)
    places = numpy.arange(-22.0, 23.0)
    tens = np.power(np.full(45, 10.0), np.asarray(places))
    assert_exact(tens, [float(f"1e{n}") for n in range(-22, 23)], numpy.power(numpy.full(45, 10.0), places))
    places = numpy.arange(-1000.0, 1000.0)
    twos = np.power(np.full(2000, 2.0), np.asarray(places))
    assert_exact(twos, numpy.ldexp(1.0, numpy.arange(-1000, 1000)), numpy.power(numpy.full(2000, 2.0), places))


def test_results_that_cannot_be_kept_are_mended_wherever_they_stand():
    rng = numpy.random.default_rng(5)
    x = rng.uniform(0.5, 2, 3000)
    for every in (1, 2, 7, 100):
        for value in (0.0, -0.0, 1.0, -1.0, -2.0, 3.0, numpy.nan, numpy.inf, -numpy.inf, 5e-324, 1e308, -1e308, 710.2,
                      711.0):
            a = x.copy()
            a[::every] = value
            for name in ONE:
                theirs, reported = states(numpy, lambda a=a, name=name: getattr(numpy, name)(a))
                ours, also = states(fastnp, lambda a=a, name=name: getattr(fastnp, name)(fastnp.asarray(a)))
                assert same_flags(also, reported, theirs), (name, value, every)
                assert is_near(ours, theirs), (name, value, every)
            for name in TWO:
                for first, second in ((a, x), (x, a), (a, a[::-1].copy()), (-x, a)):
                    theirs, reported = states(numpy, lambda b=first, c=second, name=name: getattr(numpy, name)(b, c))
                    b, c = fastnp.asarray(first), fastnp.asarray(second)
                    ours, also = states(fastnp, lambda b=b, c=c, name=name: getattr(fastnp, name)(b, c))
                    assert same_flags(also, reported, theirs), (name, value, every)
                    assert is_near(ours, theirs, operand_size(name, first, second)), (name, value, every)


def test_results_of_floats_that_cannot_be_kept_are_mended():
    x = numpy.random.default_rng(6).uniform(0.5, 0.99, 9000).astype("float32")
    for every in (1, 7, 100, 4099):
        for value in (0.0, -0.0, 1.0, -1.0, numpy.nan, numpy.inf, -numpy.inf, 1e-45, 1e-38, 3e38, -3e38, 88.5, -104.0,
                      12345.0):
            a = x.copy()
            a[::every] = value
            for name in ONE:
                theirs, reported = states(numpy, lambda a=a, name=name: getattr(numpy, name)(a))
                ours, also = states(fastnp, lambda a=a, name=name: getattr(fastnp, name)(fastnp.asarray(a)))
                assert same_flags(also, reported, theirs), (name, value, every)
                assert is_near(ours, theirs), (name, value, every)
                kept = KEEPS_NUMPYS and not (BY_MKL and name in MKLS["float32"])
                if not kept and name not in ("cos", "sin", "tan"):
                    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
                        alone = getattr(fastnp, name)(fastnp.asarray(a[:1]))
                    numpy.testing.assert_array_equal(numpy.asarray(ours)[:1], alone)


@pytest.mark.skipif(KEEPS_NUMPYS and not BY_MKL, reason="NumPy's loops for the widest vectors are kept")
@pytest.mark.parametrize("name", ["cos", "sin"])
@pytest.mark.parametrize("size", [1e-30, 0.1, 1, 100, 1e4, 1.1e4, 2**20, 2**22])
def test_sines_of_floats_are_closer_than_numpys(name, size):
    x = numpy.random.default_rng(7).uniform(-size, size, 20000).astype("float32")
    exact = getattr(numpy, name)(x.astype("float64"))
    place = numpy.spacing(numpy.abs(exact).astype("float32")).astype("float64")
    ours = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(x)))
    off = numpy.abs(ours.astype("float64") - exact) / place
    # NumPy: 1.4. As doubles 0.503; MKL's, which are torch's and ours up to 10,000 on some processors, 0.61.
    theirs = numpy.asarray(getattr(torch, name)(torch.from_numpy(x)))
    near = numpy.abs(x) <= 10000
    assert off[near].max() < (0.65 if numpy.array_equal(ours[near], theirs[near]) else 0.51)
    if not near.all():
        assert off[~near].max() < (0.51 if size <= 2**20 else 1.0)


@pytest.mark.skipif(not BY_MKL, reason="MKL's loops are for other processors")
@pytest.mark.parametrize("dtype, name", [(dtype, name) for dtype in DTYPES for name in MKLS[dtype]])
@pytest.mark.parametrize("length", [1, 2, 7, 8, 33, 100, 4095, 4099, 100_000])
def test_mkls_results_are_torchs_wherever_a_number_stands(dtype, name, length):
    rng = numpy.random.default_rng(length)
    x = rng.uniform(1e-3, 1 if name.startswith("arc") else 80, length).astype(dtype)
    with fastnp.errstate(all="raise"):
        ours = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(x)))
    theirs = getattr(torch, name)(torch.from_numpy(x)).numpy()
    numpy.testing.assert_array_equal(ours, theirs)
    for place in {0, length // 2, length - 1}:
        for some in (x[place:place + 1], x[place:place + 3], x[:place + 1][::-1]):
            again = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(some)))
            assert again[0] == ours[place]


@pytest.mark.parametrize("name", ["arctan2", "exp", "log", "log1p", "sin", "expm1", "arcsin", "tanh"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_odd_operand_changes_no_other_result(name, dtype):
    """Blocks of plain operands are looked at by their first words: one that is not plain, at any place, is seen."""
    rng = numpy.random.default_rng(3)
    info = numpy.finfo(dtype)
    odd = [
        0.0, -0.0, info.tiny, -info.tiny, info.tiny / 4, -0.5, numpy.nextafter(-0.5, -1), 1.0, numpy.nextafter(1, 2),
        -1.0, info.max, -info.max, numpy.inf, -numpy.inf, numpy.nan, 708.0, 709.5, -745.0, 87.0, 88.5, 65536.0, 1e4,
        1e-14, 1e14,
    ]  # fmt: skip
    function, theirs = getattr(fastnp, name), getattr(numpy, name)
    for count in (8, 9, 31, 127, 128, 300):
        plain, other = (rng.uniform(0.1, 0.9, count).astype(dtype) for _ in range(2))
        operands = (plain, other) if name == "arctan2" else (plain,)
        with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
            usual = numpy.asarray(function(*[fastnp.array(operand) for operand in operands]))
            for value in odd:
                for which in range(len(operands)):
                    place = int(rng.integers(count))
                    changed = [operand.copy() for operand in operands]
                    changed[which][place] = value
                    ours = numpy.asarray(function(*[fastnp.array(operand) for operand in changed]))
                    expected = theirs(*[operand[place] for operand in changed])
                    numpy.testing.assert_allclose(ours[place], expected, rtol=4 * info.eps, atol=0)
                    others = numpy.arange(count) != place
                    numpy.testing.assert_array_equal(ours[others], usual[others])


@pytest.mark.parametrize("dtype", DTYPES)
def test_divisions_are_exact_at_any_distance(dtype):
    """Numbers of any exponent, multiples of the divisor and their neighbours: to the last bit and its sign."""
    rng, count = numpy.random.default_rng(11), 50_000
    b = numpy.frombuffer(rng.bytes(count * numpy.dtype(dtype).itemsize), dtype).copy()
    b[~numpy.isfinite(b)] = numpy.inf
    with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
        multiples = (b * rng.integers(-9, 10, count)).astype(dtype)
        factors = rng.choice([-1.0, 1.0], count) * 2.0 ** rng.integers(-8, 60, count)
        powers = (b * factors * rng.uniform(1, 2, count)).astype(dtype)
        for a in (b[::-1].copy(), multiples, numpy.nextafter(multiples, b), numpy.nextafter(multiples, -b), powers):
            for name in (*EXACT, "divmod"):
                theirs = numpy.asarray(getattr(numpy, name)(a, b))
                ours = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(a), fastnp.asarray(b)))
                numpy.testing.assert_array_equal(ours, theirs)
                known = ~numpy.isnan(theirs)
                numpy.testing.assert_array_equal(numpy.signbit(ours[known]), numpy.signbit(theirs[known]))


def test_a_quotient_that_vanishes_is_reported():
    small, large = numpy.full(5, 1e-300), numpy.full(5, 1e300)
    theirs, reported = states(numpy, lambda: numpy.floor_divide(small, large))
    ours, also = states(fastnp, lambda: fastnp.floor_divide(fastnp.asarray(small), fastnp.asarray(large)))
    assert also == reported == {"underflow"}
    numpy.testing.assert_array_equal(ours, theirs)


def test_logarithms_are_not_divided_among_threads():
    """MKL would share each block of a kilobyte out, for ten times its duration."""
    np, threads = fastnp, torch.get_num_threads()
    a, least = np.asarray(numpy.random.default_rng(1).uniform(0.1, 9, 200_000)), {}
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            times = []
            for _ in range(9):
                start = time.perf_counter()
                np.log(a)
                times.append(time.perf_counter() - start)
            least[count] = min(times)
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(threads)
    assert least[2] < 3 * least[1]


def test_errors_are_raised_before_anything_is_seen():
    np = fastnp
    a = np.asarray(numpy.linspace(0.0, 1.0, 1000))
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero encountered in log"):
        np.log(a)
    with np.errstate(under="raise"), pytest.raises(FloatingPointError, match="underflow encountered in exp"):
        np.exp(a * -2000.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.exp(a * -2000.0)
        np.log(np.asarray(numpy.array([numpy.nan, numpy.inf, 1.0])))
        np.arctan2(np.zeros(5), np.ones(5))
        np.sin(np.zeros(5))


def test_two_threads_find_what_one_does():
    threads = torch.get_num_threads()
    x = numpy.random.default_rng(1).uniform(-800, 800, 700_001)
    x[[0, 350_000, 700_000]] = numpy.inf, numpy.nan, 2000.0
    found = []
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            found.append(states(fastnp, lambda: numpy.asarray(fastnp.exp(fastnp.asarray(x)))))
    finally:
        torch.set_num_threads(threads)
    numpy.testing.assert_array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1] == {"overflow", "underflow"}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "absolute", "fabs", "negative"])
def test_whole_numbers_and_magnitudes_to_the_bit(name, dtype):
    """Of every length, in place, and in steps; of what is no number as well."""
    limits = numpy.finfo(dtype)
    odd = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, numpy.inf, -numpy.inf, numpy.nan, -numpy.nan, limits.max, limits.tiny,
           limits.smallest_subnormal, -limits.smallest_subnormal, 2.0**23 + 0.5, 2.0**52 + 0.5, 0.99999997]
    rng = numpy.random.default_rng(7)
    values = numpy.concatenate((odd, rng.normal(size=1000) * 10.0 ** rng.integers(-3, 20, 1000))).astype(dtype)
    ours, theirs = getattr(fastnp, name), getattr(numpy, name)
    for count in (*range(40), len(values)):
        for some in (values[:count], values[::3][:count], values[::-1][:count]):
            assert numpy.asarray(ours(fastnp.asarray(some))).tobytes() == theirs(some).tobytes()
            same = fastnp.array(some)
            ours(same, out=same)
            assert numpy.asarray(same).tobytes() == theirs(some).tobytes()


def test_products_of_many_factors():
    """In lanes, and in NumPy's order where a product on the way leaves the normal numbers."""
    rng = numpy.random.default_rng(2)
    for dtype in DTYPES:
        tolerance = 1e-12 if dtype == "float64" else 1e-3  # one after the other, NumPy rounds as often
        for size in (1000, 1023, 1024, 1025, 5000, 100_000, 200_000):
            near = (1 + rng.normal(size=size) / size).astype(dtype)
            wide = [rng.uniform(0, largest, size).astype(dtype) for largest in (1, 4)]
            odd_ones = near.copy()
            odd_ones[600::3000] = 3
            around = rng.lognormal(0, 1 / 3, size).astype(dtype)
            for factors in (near, -near, near[::-1], odd_ones, around, -around, *wide):
                with numpy.errstate(all="ignore"), fastnp.errstate(all="ignore"):
                    numpy.testing.assert_allclose(fastnp.prod(fastnp.asarray(factors)), numpy.prod(factors), tolerance)
        large = numpy.finfo(dtype).max / 4
        for odd in (numpy.inf, -numpy.inf, numpy.nan, 0.0, -0.0, large, 1 / large):
            for place in (0, 1, 700, 1999):
                factors = numpy.full(2000, numpy.array(1.001, dtype))
                factors[place] = odd
                theirs, reported = states(numpy, lambda factors=factors: numpy.prod(factors))
                ours, also = states(fastnp, lambda factors=factors: fastnp.prod(fastnp.asarray(factors)))
                assert also == reported
                numpy.testing.assert_allclose(ours, theirs, tolerance)
                assert numpy.signbit(numpy.asarray(ours)) == numpy.signbit(theirs) or numpy.isnan(theirs)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_that_vanish(dtype):
    """Zero times all that follows: a sign, or no number where one of them is not finite."""
    signs = numpy.random.default_rng(4).choice([-1, 1], 30_003)
    for first, odd, place in itertools.product(
            (0.0, -0.0, 1e-30), (1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan), (600, 8191, 8192, 8193, 20_000, 30_002)):
        factors = (signs * 0.5).astype(dtype)
        factors[5], factors[place] = first, odd
        theirs, reported = states(numpy, lambda factors=factors: numpy.prod(factors))
        ours, also = states(fastnp, lambda factors=factors: fastnp.prod(fastnp.asarray(factors)))
        assert also == reported
        numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
        assert numpy.signbit(numpy.asarray(ours)) == numpy.signbit(theirs) or numpy.isnan(theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1030, 30_003])
def test_products_that_stay_the_smallest_number_of_all(dtype, count):
    """What lies between 1 / 2 and 3 / 2 changes only its sign, with an underflow; what does not changes more."""
    rng = numpy.random.default_rng(5)
    factors = (rng.uniform(0.51, 1.49, count) * rng.choice([-1, 1], count)).astype(dtype)
    factors[0] = numpy.finfo(dtype).smallest_subnormal
    factors[1:600] = 1  # nothing is rounded as yet
    below_half = numpy.nextafter(factors.dtype.type(0.5), factors.dtype.type(0))
    for odd in (1.0, 0.5, 1.5, below_half, 1e30, 0.0, numpy.nan, numpy.inf):
        for place in (1, 599, 600, 1024, count - 1):
            some = factors.copy()
            some[place] = odd
            theirs, reported = states(numpy, lambda some=some: numpy.prod(some))
            ours, also = states(fastnp, lambda some=some: fastnp.prod(fastnp.asarray(some)))
            assert also == reported
            numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
            assert numpy.signbit(numpy.asarray(ours)) == numpy.signbit(theirs) or numpy.isnan(theirs)
    ones = numpy.ones(count, dtype)
    ones[0] = factors[0]
    assert states(fastnp, lambda: fastnp.prod(fastnp.asarray(ones)))[1] == set()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("blocks", [2, 977, 1 << 12, 1 << 14])
def test_lanes_of_products_are_the_same_at_every_size(dtype, blocks):
    """As many of them in vectors of 64 bytes as in those of 32, which read more than caches hold."""
    lanes = 256 // numpy.dtype(dtype).itemsize
    factors = numpy.random.default_rng(3).uniform(0.999, 1.001, 512 * blocks).astype(dtype)
    products = numpy.multiply.reduce(factors.reshape(-1, 512 // lanes, lanes), axis=1)
    products = products[:, :lanes // 2] * products[:, lanes // 2:]
    eighth = lanes // 8
    products = products.reshape(-1, 4, eighth)
    products = (products[:, 0] * products[:, 1]) * (products[:, 2] * products[:, 3])
    while eighth > 1:
        eighth //= 2
        products = products[:, :eighth] * products[:, eighth:]
    expected = factors.dtype.type(1)
    for product in products[:, 0]:
        expected *= product
    assert fastnp.prod(fastnp.asarray(factors)) == expected


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "uint8"])
def test_products_of_integers_of_every_length(dtype):
    odd = numpy.random.default_rng(6).integers(0, 100, 1100).astype(dtype) * 2 + 1  # they never vanish, and wrap around
    for length in (*range(70), 127, 128, 129, 1100):
        for some in (odd[:length], odd[::2][:length], odd[::-1][:length]):
            ours, theirs = fastnp.prod(fastnp.asarray(some)), numpy.prod(some)
            assert ours == theirs
            assert ours.dtype == theirs.dtype
    lines = odd[:1089].reshape(33, 33)
    for axis in (0, 1, (0, 1)):
        numpy.testing.assert_array_equal(fastnp.prod(fastnp.asarray(lines), axis=axis), numpy.prod(lines, axis=axis))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("high", [0, 3, 30, 150, 300])
def test_hypotenuses_are_rounded_correctly(high, dtype):
    """Of sizes whose squares are no numbers as well; what overflows or vanishes warns as NumPy's does."""
    rng = numpy.random.default_rng(high)
    most = high if dtype == "float64" else min(high, 36)
    x, y = ((rng.normal(size=9001) * 10.0 ** rng.uniform(-most, most, 9001)).astype(dtype) for _ in range(2))
    y[::2] = x[::2] * rng.uniform(0.1, 10, 4501).astype(dtype)
    ours = numpy.asarray(fastnp.hypot(fastnp.asarray(x), fastnp.asarray(y)))
    exact = numpy.hypot(x.astype(numpy.longdouble), y.astype(numpy.longdouble))
    usual = numpy.isfinite(ours) & (ours >= numpy.finfo(dtype).tiny)
    assert usual.mean() > 0.9
    off = abs(ours.astype(numpy.longdouble) - exact) / numpy.spacing(ours)
    assert float(off[usual].max()) <= 0.501
    numpy.testing.assert_array_max_ulp(ours, numpy.hypot(x, y), 1)
