"""The tables that the tests share: dtypes, values, shapes, layouts, names of ufuncs, tolerances."""

import numpy

BOOL = numpy.dtype("?")
SIGNED = tuple(map(numpy.dtype, ("i1", "i2", "i4", "i8")))
UNSIGNED = tuple(map(numpy.dtype, ("u1", "u2", "u4", "u8")))
INTEGERS = SIGNED + UNSIGNED
FLOATS = tuple(map(numpy.dtype, ("f2", "f4", "f8")))
COMPLEXES = tuple(map(numpy.dtype, ("c8", "c16")))
INEXACT = FLOATS + COMPLEXES
REALS = (BOOL, *INTEGERS, *FLOATS)
DTYPES = REALS + COMPLEXES

FEW_DTYPES = (BOOL, *map(numpy.dtype, ("i1", "u2", "i8", "f2", "f4", "f8", "c16")))

SHAPES = ((), (0,), (1,), (5,), (2, 3), (3, 0), (1, 4), (4, 1), (2, 3, 4), (3, 1, 2), (2, 0, 3))

# Relative bounds by dtype; a dtype that is not named is compared exactly. `rounded`: another library's transcendental
# function. `sum`: another order of summation, relative to the largest value of the result. `device`: another machine's
# kernels, relative to that value too; of complex numbers that are not finite
# nothing is compared but that.
TOLERANCES = {
    "exact": {},
    "rounded": {"float16": 2**-9, "float32": 2**-20, "float64": 2**-49},
    "sum": {"float16": 2**-7, "float32": 2**-18, "float64": 2**-46},
    "device": {"float16": 2**-6, "float32": 2**-15, "float64": 2**-40},
}

# Where vectors compute them, not to NumPy's last place (fastnp/_core/elementary.h; tests/_core/test_elementary.py).
# Sums of exponentials have the place of an operand that the logarithm nearly cancels.
ELEMENTARY = dict.fromkeys((
    "acos", "acosh", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin", "asinh",
    "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "float_power", "hypot", "log", "log10",
    "log1p", "log2", "pow", "power", "sin", "sinc", "sinh", "tan", "tanh",
), "rounded") | dict.fromkeys(("logaddexp", "logaddexp2"), "sum")

# What is made of those: a window's ends have the place of its middle.
ELEMENTARY |= dict.fromkeys(("geomspace", "i0", "logspace"), "rounded") | dict.fromkeys(
    ("blackman", "hamming", "hanning", "kaiser"), "sum"
)

UFUNCS = tuple(sorted(name for name in dir(numpy) if isinstance(getattr(numpy, name), numpy.ufunc)))
"""All names, aliases included."""

DISTINCT_UFUNCS = tuple(sorted({getattr(numpy, name).__name__ for name in UFUNCS}))

ELEMENTWISE_UFUNCS = tuple(name for name in DISTINCT_UFUNCS if getattr(numpy, name).signature is None)

UNARY_UFUNCS = tuple(name for name in ELEMENTWISE_UFUNCS if getattr(numpy, name).nin == 1)

BINARY_UFUNCS = tuple(name for name in ELEMENTWISE_UFUNCS if getattr(numpy, name).nin == 2)

GUFUNCS = tuple(name for name in DISTINCT_UFUNCS if getattr(numpy, name).signature is not None)

REDUCIBLE_UFUNCS = tuple(name for name in BINARY_UFUNCS if getattr(numpy, name).nout == 1)

WEAK_INTEGERS = (
    0,
    1,
    3,
    -1,
    -3,
    127,
    128,
    -128,
    -129,
    255,
    256,
    300,
    2**15,
    2**16 - 1,
    2**16,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    -(2**63),
    -(2**63) - 1,
    2**64 - 1,
    2**64,
    10**30,
)

WEAK_SCALARS = (
    False,
    True,
    *WEAK_INTEGERS,
    0.0,
    -0.0,
    1.5,
    -2.5,
    70000.0,
    1e30,
    1e300,
    float("inf"),
    float("-inf"),
    float("nan"),
    0j,
    1 + 2j,
    1e300 - 1j,
    complex("nan+infj"),
)


def edges(dtype):
    """Return the values of `dtype` where kernels go wrong: limits and their neighbours, both zeros, inf, nan."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "b":
        return numpy.array([False, True, True, False], dtype)
    if dtype.kind in "iu":
        info = numpy.iinfo(dtype)
        values = [0, 1, 2, 3, 7, 13, 100, info.max, info.max - 1, info.max // 2, info.min, info.min + 1]
        return numpy.array(values + [-v for v in (1, 2, 5, 100) if dtype.kind == "i"], dtype)
    if dtype.kind == "f":
        info = numpy.finfo(dtype)
        positive = [
            0.0,
            0.25,
            0.5,
            1.0,
            1.5,
            2.0,
            3.0,
            10.75,
            1000.0,
            info.max,
            info.tiny,
            info.smallest_subnormal,
            info.eps,
            numpy.inf,
        ]
        return numpy.array(positive + [-v for v in positive] + [numpy.nan], dtype)
    part = numpy.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.75, 1000.0, -numpy.inf, numpy.nan], f"f{dtype.itemsize // 2}")
    with numpy.errstate(all="ignore"):
        return numpy.array([complex(a, b) for a in part for b in part], dtype)


def moderate(dtype, size=24):
    """Return `size` values of `dtype` that arithmetic does not drive to the limits, the same on every call."""
    dtype = numpy.dtype(dtype)
    steps = (numpy.arange(size) * 7 + 3) % 23
    if dtype.kind == "b":
        return (steps % 3 != 0).astype(dtype)
    if dtype.kind == "u":
        return (steps % 12).astype(dtype)
    if dtype.kind == "i":
        return (steps % 12 - 5).astype(dtype)
    real = ((steps - 9) / 4).astype("f8")
    return (real if dtype.kind == "f" else real + 1j * ((steps * 5) % 11 - 4) / 2).astype(dtype)


def filled(shape, dtype="f8"):
    """Return an array of `shape` with the values of `moderate`."""
    return moderate(dtype, int(numpy.prod(shape, dtype=int))).reshape(shape)


def drawn(rng, dtype, shape, low=0, scale=50):
    """Return numbers of `dtype` from a generator: integers from `low` to 99, floats from `low` to `low + scale`."""
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        return rng.integers(low, 100, shape).astype(dtype)
    if kind == "f":
        return (rng.random(shape) * scale + low).astype(dtype)
    return (rng.random(shape) + 1j * rng.random(shape)).astype(dtype)
