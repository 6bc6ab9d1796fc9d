"""Loops of complex numbers: quotients, products, truths, sums by lines; and areas, of which long ones are one sum."""

import warnings

import numpy
import pytest

import fastnp

RNG = numpy.random.default_rng(7)
ODD = {"one zero": 0, "one NaN": complex(numpy.nan, 1), "one infinity": complex(numpy.inf, -1)}
DTYPES = ("complex64", "complex128")
SPECIAL = numpy.array([0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 3.0])
KINDS = ("normal", "of every size", "special", "whole", "on the circle", "in the corner", *ODD)


def numbers(kind, dtype, shape):
    """Return complex numbers of a kind; on the circle and in the corner their products stay finite, or vanish."""
    single = dtype == "complex64"
    found = RNG.normal(size=shape) + 1j * RNG.normal(size=shape)
    if kind == "of every size":
        found = found * 10.0 ** RNG.integers(-36 if single else -300, 36 if single else 300, shape)
    elif kind == "special":
        found.real, found.imag = RNG.choice(SPECIAL, shape), RNG.choice(SPECIAL, shape)
    elif kind == "whole":
        found = RNG.integers(-3, 4, shape) + 1j * RNG.integers(-3, 4, shape)
    elif kind == "in the corner":
        found = RNG.random(shape) + 1j * RNG.random(shape)
    elif kind != "normal":
        found = numpy.exp(1j * 6 * RNG.random(shape))
        if kind in ODD:
            found.flat[found.size // 3] = ODD[kind]
    return found.astype(dtype)


def parts(values):
    """Return complex values as twice as many real ones, which say where a NaN is."""
    values = numpy.ascontiguousarray(values)
    return values.view(values.real.dtype)


def outcome(call):
    """Return what a call gives and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = numpy.asarray(call())
    return result, {str(warning.message) for warning in caught}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9, 33, 1000])
@pytest.mark.parametrize("kind", KINDS[:4])
def test_quotients_are_numpys_to_the_bit(dtype, size, kind):
    a, b = numbers(kind, dtype, size), numbers(kind, dtype, size)
    for left, right in ((a, b), (a, b[:1]), (a[:1], b), (1, b), (a, 2.5), (a[::-1], b), (a, b[::-1])):
        ours, said = outcome(lambda left=left, right=right: fastnp.asarray(left) / fastnp.asarray(right))
        theirs, expected = outcome(lambda left=left, right=right: numpy.asarray(left) / numpy.asarray(right))
        assert said == expected
        ours, theirs = parts(ours), parts(theirs)
        assert numpy.array_equal(ours, theirs, equal_nan=True)
        assert numpy.array_equal(numpy.signbit(ours[ours == 0]), numpy.signbit(theirs[theirs == 0]))
    for values in (a, a[::-1], a.reshape(-1, 1)):
        ours, said = outcome(lambda values=values: fastnp.reciprocal(fastnp.asarray(values)))
        theirs, expected = outcome(lambda values=values: numpy.reciprocal(values))
        assert said == expected
        ours, theirs = parts(ours), parts(theirs)
        assert numpy.array_equal(ours, theirs, equal_nan=True)
        assert numpy.array_equal(numpy.signbit(ours[ours == 0]), numpy.signbit(theirs[theirs == 0]))
    with numpy.errstate(all="ignore"):
        for place in (0, 1):  # the result takes the place of an operand
            ours, theirs = [fastnp.array(a), fastnp.array(b)], [a.copy(), b.copy()]
            fastnp.divide(*ours, out=ours[place])
            numpy.divide(*theirs, out=theirs[place])
            assert numpy.array_equal(parts(numpy.asarray(ours[place])), parts(theirs[place]), equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1023, 1024, 1025, 5000, 20000])
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_many(dtype, size, kind):
    """In lanes as long as nothing leaves the normal numbers: else one after the other, to the sign of each zero."""
    values = numbers(kind, dtype, size)
    with numpy.errstate(all="ignore"):
        theirs = numpy.prod(values)
        ours = numpy.asarray(fastnp.prod(fastnp.asarray(values)))
    if numpy.isfinite(theirs) and abs(theirs) > numpy.finfo(dtype).tiny * 1e8:
        assert abs(ours - theirs) <= size * 4 * numpy.finfo(dtype).eps * abs(theirs)
    elif theirs == 0:
        assert ours.tobytes() == theirs.tobytes()
    elif not numpy.isfinite(theirs):
        assert numpy.array_equal(parts(ours.reshape(1)), parts(theirs.reshape(1)), equal_nan=True)


def test_a_product_that_cannot_vanish_within_its_block():
    """The first number is tiny and the last one huge: what lies between must not be rounded as less than normal."""
    for dtype, small, large in (("complex128", 1e-200, 1e250), ("complex64", 1e-25, 1e30)):
        values = numbers("on the circle", dtype, 5000)
        values[0], values[2500], values[-1] = small, small, large
        with numpy.errstate(all="ignore"):
            assert numpy.asarray(fastnp.prod(fastnp.asarray(values))).tobytes() == numpy.prod(values).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 3, 4, 5, 31, 1000])
@pytest.mark.parametrize("kind", ["special", "whole"])
def test_truths_and_what_is_no_number(dtype, size, kind):
    values = numbers(kind, dtype, size)
    array = fastnp.asarray(values)
    for call in (
        lambda xp, z: xp.logical_not(z), lambda xp, z: xp.logical_not(z[::-1]), lambda xp, z: xp.count_nonzero(z),
        lambda xp, z: xp.nan_to_num(z), lambda xp, z: xp.nan_to_num(z, nan=2.0, posinf=7, neginf=-7.5),
        lambda xp, z: xp.nan_to_num(z.reshape(1, -1)), lambda xp, z: xp.nan_to_num(z[::-1]),
    ):
        assert numpy.asarray(call(fastnp, array)).tobytes() == numpy.asarray(call(numpy, values)).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7, 1), (7, 2), (7, 3), (9, 40), (3, 65), (2, 129), (40, 130), (3, 4, 70)])
def test_sums_and_running_products_of_lines(dtype, shape):
    values = numbers("on the circle", dtype, shape)
    array = fastnp.asarray(values)
    for axis in range(-1, len(shape)):
        for name in ("sum", "cumprod", "cumsum"):
            theirs = getattr(numpy, name)(values, axis)
            assert numpy.asarray(getattr(fastnp, name)(array, axis)).tobytes() == theirs.tobytes()
    assert numpy.asarray(array.sum()).tobytes() == values.sum().tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64", *DTYPES])
@pytest.mark.parametrize("size", [2, 3, 1023, 1024, (1 << 16) - 1, 1 << 16, 100_000])
def test_areas(dtype, size):
    """On both sides of the length from which an area is the sum of the values but for half of the outermost."""
    values = (RNG.normal(size=size) + (1j * RNG.normal(size=size) if dtype.startswith("c") else 0)).astype(dtype)
    for distance in (1.0, 0.3):
        ours = numpy.asarray(fastnp.trapezoid(fastnp.asarray(values), dx=distance))
        theirs = numpy.trapezoid(values, dx=distance)
        assert ours.dtype == theirs.dtype
        assert abs(ours - theirs) <= 4 * numpy.finfo(dtype).eps * numpy.abs(values).sum(dtype="f8")
    for special in (numpy.inf, -numpy.inf, numpy.nan):
        values[0] = special
        with numpy.errstate(all="ignore"):
            ours, theirs = numpy.asarray(fastnp.trapezoid(fastnp.asarray(values))), numpy.trapezoid(values)
        assert numpy.array_equal(parts(ours.reshape(1)), parts(theirs.reshape(1)), equal_nan=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [1, 3, 4, 8, 20, 100, 1000])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_extrema_with_one_number_to_each_line(name, dtype, size):
    table, column = RNG.choice(SPECIAL, (5, size)).astype(dtype), RNG.choice(SPECIAL, (5, 1)).astype(dtype)
    for a, b in ((table, column), (column, table), (table, column[0, 0]), (column[1, 0], table), (table, table[0])):
        ours = numpy.asarray(getattr(fastnp, name)(fastnp.asarray(a), fastnp.asarray(b)))
        assert ours.tobytes() == getattr(numpy, name)(a, b).tobytes()


@pytest.mark.parametrize("kind", ["normal", "special"])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_results_that_no_cache_holds(name, kind):
    """They are written past it, by vectors whose products are rounded as NumPy's."""
    size = (1 << 20) + 3
    a, b = numbers(kind, "complex128", size), numbers(kind, "complex128", size)
    number = a[5]
    with numpy.errstate(all="ignore"):
        for left, right in ((a, b), (a, a), (a, number), (number, b), (a[1:], b[:-1]), (a[::2], b[::2]), (a, 2.5)):
            operands = [fastnp.asarray(value) if isinstance(value, numpy.ndarray) else value for value in (left, right)]
            ours = parts(numpy.asarray(getattr(fastnp, name)(*operands)))
            theirs = parts(getattr(numpy, name)(left, right))
            assert numpy.array_equal(ours, theirs, equal_nan=True)
            assert numpy.array_equal(numpy.signbit(ours[ours == 0]), numpy.signbit(theirs[theirs == 0]))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "float64", *DTYPES])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 100, 5000])
def test_running_results_of_one_line(dtype, size):
    values = numbers("special" if numpy.dtype(dtype).kind in "fc" else "whole", "complex128", size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = (values if dtype.startswith("c") else values.real).astype(dtype)
    for name in ("add", "multiply", "maximum", "logical_or", "subtract"):
        for view in (values, values[::-1], values[::2], numpy.broadcast_to(values[:1], (min(size, 1) * 7,))):
            try:
                theirs, expected = outcome(lambda name=name, view=view: getattr(numpy, name).accumulate(view))
            except TypeError:
                with pytest.raises(TypeError):
                    getattr(fastnp, name).accumulate(fastnp.asarray(view))
                continue
            ours, said = outcome(lambda name=name, view=view: getattr(fastnp, name).accumulate(fastnp.asarray(view)))
            assert said == expected
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
            assert ours.strides == theirs.strides or not ours.size
            assert numpy.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc")
