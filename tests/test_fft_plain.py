"""Transforms of plain arrays: NumPy's numbers, layouts and errors, on both sides of what torch computes."""

import warnings

import numpy
import pytest

from fastnp._core.kernels import transforms
from tests._oracle import Layout, agree, same_as_numpy
from tests._tables import DTYPES

RNG = numpy.random.default_rng(5)
ALONG_ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
NORMS = (None, "backward", "ortho", "forward")


def values(shape, dtype):
    dtype = numpy.dtype(dtype)
    real = RNG.normal(0, 40, shape)
    return (real + 1j * RNG.normal(0, 40, shape)).astype(dtype) if dtype.kind == "c" else abs(real).astype(dtype)


def tolerance_of(name):
    """NumPy's bits of the cubes below, of 60 elements, which are its loops'; but the way back makes more of them."""
    return "sum" if name == "hfft" or name.startswith("irfft") else "exact"


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", ALONG_ONE)
def test_dtypes(name, dtype, norm):
    agree(along_one, name, dtype, norm, tolerance=tolerance_of(name))


def along_one(xp, name, dtype, norm):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        cube = xp.array(CUBES[numpy.dtype(dtype)])
        if name in ("rfft", "ihfft") and cube.dtype.kind == "c":
            return getattr(xp.fft, name)(cube, norm=norm)
        function = getattr(xp.fft, name)
        return [function(cube, norm=norm), function(cube, axis=0, norm=norm), function(cube[0, 1], 9, norm=norm)]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", SEVERAL)
def test_dtypes_along_several_axes(name, dtype, norm):
    agree(along_several, name, dtype, norm, tolerance=tolerance_of(name))


def along_several(xp, name, dtype, norm):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        cube = xp.array(CUBES[numpy.dtype(dtype)])
        if name.startswith("rfft") and cube.dtype.kind == "c":
            return getattr(xp.fft, name)(cube, norm=norm)
        function = getattr(xp.fft, name)
        return [function(cube, norm=norm), function(cube, axes=(0, 2), norm=norm), function(cube[0], norm=norm)]


CUBES = {numpy.dtype(dtype): values((3, 4, 5), dtype) for dtype in DTYPES}
CUBE = RNG.normal(size=(4, 6, 5)) + 1j * RNG.normal(size=(4, 6, 5))
LAYOUTS = [
    Layout(CUBE), Layout(CUBE, (), (2, 0, 1)), Layout(CUBE, (), (2, 1, 0)), Layout(CUBE, (slice(None, None, -1),)),
    Layout(CUBE, (slice(None), slice(None, None, 2), slice(None, None, -2))), Layout(CUBE, (slice(0, 1),)),
    Layout(CUBE, (slice(None), slice(2, 3), slice(None)), (1, 2, 0)), Layout(CUBE, (0, slice(None), slice(0, 1))),
    Layout(CUBE.real, (), (1, 2, 0)), Layout(CUBE.real, (slice(None), slice(None), slice(None, None, -1))),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", ALONG_ONE)
@same_as_numpy(tolerance="sum")
def test_layouts(xp, name, layout):
    array = layout.build(xp)
    array = array.real if name in ("rfft", "ihfft") else array
    return [
        getattr(xp.fft, name)(array, length, axis)
        for axis in range(-array.ndim, array.ndim) for length in (2, 3, 7, array.shape[axis])
    ]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", SEVERAL)
@same_as_numpy(tolerance="sum")
def test_layouts_along_several_axes(xp, name, layout):
    array = layout.build(xp)
    array = array.real if name.startswith("rfft") else array
    axes = ((0, 1), (1, 0), (-1, 0), (1,), (0, 0)) if array.ndim == 2 else ((0, 1), (2, 0), (1,), (2, 1, 0), (-1, -1))
    return [
        getattr(xp.fft, name)(array, s and s[:len(axis)], axis)
        for axis in axes for s in (None, (3, 4, 2), [2, 7, 6], (-1, 3, -1), (5, -1, -1))
    ]


FEW = CUBE[:2, :3, :4]
LAYOUTS_OF_FEW = [
    Layout(FEW), Layout(FEW, (), (2, 0, 1)), Layout(FEW, (), (2, 1, 0)), Layout(FEW, (slice(None, None, -1),)),
    Layout(FEW, (slice(None), slice(None, None, 2), slice(None, None, -2))), Layout(FEW.real, (), (1, 2, 0)),
    Layout(FEW.real, (slice(None), slice(None), slice(None, None, -1))), Layout(FEW, (slice(0, 1),)),
]


@pytest.mark.parametrize("layout", LAYOUTS_OF_FEW, ids=str)
@pytest.mark.parametrize("name", ALONG_ONE)
@same_as_numpy
def test_layouts_of_few_elements(xp, name, layout):
    """To NumPy's bits."""
    array = layout.build(xp)
    array = array.real if name in ("rfft", "ihfft") else array
    return [getattr(xp.fft, name)(array, length, axis) for axis in range(3) for length in (None, 3, 5)]


LENGTHS = [*range(1, 20), 31, 32, 37, 64, 97, 100, 128, 499, 1000, 1009]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", ALONG_ONE)
def test_lengths(name, length):
    def body(xp):
        lines = xp.array(numpy.random.default_rng(length).normal(size=(5, 9)))
        return [getattr(xp.fft, name)(lines, length, norm=norm) for norm in NORMS]

    agree(body, tolerance="exact" if 5 * length < 64 else "sum")


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float64", "float32"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "ihfft", "fftn", "rfftn"])
@same_as_numpy(tolerance="sum")
def test_out(xp, name, dtype):
    given = xp.array(CUBE.real if name in ("rfft", "rfftn", "ihfft") else CUBE)
    length = {"rfft": 3, "rfftn": 3, "ihfft": 3, "irfft": 8}.get(name, 5)
    targets = [
        xp.zeros((4, 6, length), dtype), xp.zeros((length, 6, 4), dtype).T, xp.zeros((8, 6, length), dtype)[::-2],
    ]
    ends = []
    for target in targets:
        try:
            ends.append(getattr(xp.fft, name)(given, out=target) is target)
        except TypeError:
            ends.append(None)
    return [*ends, *targets]


@same_as_numpy(tolerance="sum")
def test_out_over_its_own_input(xp):
    whole = xp.array(CUBE)
    shifted = xp.array(numpy.arange(24.0) + 0j)
    return [xp.fft.fft(whole, out=whole) is whole, whole, xp.fft.fft(shifted[:20], out=shifted[4:]), shifted]


@pytest.mark.parametrize("call", [
    lambda xp, a: xp.fft.fft(a, 0),
    lambda xp, a: xp.fft.fft(a, -1),
    lambda xp, a: xp.fft.fft(a, 2.5),
    lambda xp, a: xp.fft.fft(a, axis=3),
    lambda xp, a: xp.fft.fft(a, axis=-4),
    lambda xp, a: xp.fft.fft(a, norm="other"),
    lambda xp, a: xp.fft.ifft(a, norm="other"),
    lambda xp, a: xp.fft.fft(a, norm=1),
    lambda xp, a: xp.fft.rfft(a),
    lambda xp, a: xp.fft.irfft(a[..., :1]),
    lambda xp, a: xp.fft.fft(a[0, 0, 0]),
    lambda xp, a: xp.fft.fft(a[:0]),
    lambda xp, a: xp.fft.fft(a[:, :, :0]),
    lambda xp, a: xp.fft.fft(a[:, :, :0], 3),
    lambda xp, a: xp.fft.fft(a, out=xp.zeros((4, 6, 5), complex)[:, :, :4]),
    lambda xp, a: xp.fft.fft(a, out=xp.zeros((4, 6), complex)),
    lambda xp, a: xp.fft.fft(a, out=xp.zeros((1, 6, 5), complex)),
    lambda xp, a: xp.fft.fft(a, out=xp.zeros((4, 6, 5), int)),
    lambda xp, a: xp.fft.fftn(a, (2, 2), (0,)),
    lambda xp, a: xp.fft.fftn(a, (2, 0), (0, 1)),
    lambda xp, a: xp.fft.fftn(a, axes=()),
    lambda xp, a: xp.fft.rfftn(a.real, axes=()),
    lambda xp, a: xp.fft.fftn(a, axes=(0, 3)),
    lambda xp, a: xp.fft.fft2(a[0, 0]),
    lambda xp, a: xp.fft.fftn(a, axes=1),
    lambda xp, a: xp.fft.fftn(a, norm="other"),
    lambda xp, a: xp.fft.fftn(a[0, 0, 0]),
    lambda xp, a: xp.fft.fft(a.tolist()),
    lambda xp, a: xp.fft.fft2(a.tolist(), (3, 3)),
])
@same_as_numpy(tolerance="sum")
def test_rare_and_wrong_arguments(xp, call):
    return call(xp, xp.array(CUBE))


@pytest.mark.parametrize("call", [
    lambda xp: xp.fft.fft(xp.array([xp.inf, 1.0, 2.0])),
    lambda xp: xp.fft.fft(xp.array([xp.nan, 1.0, 2.0])),
    lambda xp: xp.fft.rfft(xp.array([1e308, 1e308, 1e308])),
    lambda xp: xp.fft.ifft(xp.array([[xp.inf, 1.0], [1.0, 2.0]])),
    lambda xp: xp.fft.fft(xp.array([3e38, 3e38, 3e38], "f4")),
    lambda xp: xp.fft.fft(xp.array([3e38, 3e38, 3e38], "f4"), norm="ortho"),
    lambda xp: xp.fft.irfft(xp.array([6e4, 6e4, 6e4], "f2"), norm="forward"),
])
@same_as_numpy(warns=True)
def test_warnings(xp, call):
    return call(xp)


# Shapes around what torch takes over, along all their axes.
LARGE = [
    (3499,), (3500,), (9999,), (10000,), (10001,), (16384,), (32768,), (33000,),
    (59,) * 2, (60,) * 2, (24,) * 2, (25, 31), (90, 90), (800, 10), (799, 10),
    (3, 4000), (130, 70), (20, 20, 20), (41, 41, 40), (5000, 4),
]


@pytest.mark.parametrize("complex_in", [False, True])
@pytest.mark.parametrize("shape", LARGE, ids=str)
@same_as_numpy(tolerance="sum")
def test_large(xp, shape, complex_in):
    rng = numpy.random.default_rng(3)
    array = xp.array(rng.normal(size=shape) + (1j * rng.normal(size=shape) if complex_in else 0))
    found = [
        function(array, norm=norm)
        for function in (xp.fft.fft, xp.fft.ifft, xp.fft.irfft, xp.fft.fftn, xp.fft.ifftn) for norm in (None, "ortho")
    ]
    found += [xp.fft.fft(array, 77), xp.fft.fft(array, axis=0), xp.fft.fftn(array.T), xp.fft.ifft(array[..., ::-1])]
    if len(shape) > 1:
        # Of real numbers half of a plane is computed, the rest is its conjugate.
        planes = (xp.fft.fft2, xp.fft.ifft2)
        found += [function(array, norm=norm) for function in planes for norm in NORMS]
        found += [function(array, lengths) for function in planes for lengths in ((1, 77), (40, 1), (33, 64))]
    if not complex_in:
        found += [xp.fft.fftn((array * 50).astype(dtype)) for dtype in ("int16", "bool", "float32")]
        found += [function(array, norm="forward") for function in (xp.fft.rfft, xp.fft.ihfft, xp.fft.rfftn)]
        found += [xp.fft.fft((array * 50).astype(dtype)) for dtype in ("int16", "bool", "float32")]
    return found


@pytest.mark.parametrize("number", [numpy.inf, numpy.nan, 1e308], ids=str)
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "fft2", "ifft2", "rfftn"])
@pytest.mark.parametrize("shape", [(3000,), (4096,), (10000,), (100, 100), (10, 1000), (1000, 30)], ids=str)
@same_as_numpy(warns=True, tolerance="sum")
def test_large_of_what_is_no_number(xp, shape, name, number):
    array = numpy.full(shape, number if number == 1e308 else 1.0) * (1 if name.startswith("r") else 1 + 1j)
    array[(3,) * len(shape)] = number
    found = getattr(xp.fft, name if len(shape) == 2 else name.rstrip("2"))(xp.array(array))
    # NumPy, torch: which of the parts is NaN depends on the steps.
    return xp.isnan(found) if numpy.isnan(number) else found


def test_every_loop_was_found():
    assert set(transforms.BODIES) >= {*ALONG_ONE, "fftn", "ifftn", "rfftn", "irfftn"}
    assert transforms.available()
