"""Transforms that MKL plans: NumPy's numbers on both sides of every choice, and what is kept of the plans."""

import threading
import warnings
from pathlib import Path

import numpy
import pytest
import torch

import fastnp
from tests._oracle import Layout, agree, same_as_numpy

RNG = numpy.random.default_rng(11)
KINDS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
# Smooth ones, primes and their multiples on both sides of the ends, and what has several large factors.
LENGTHS = (
    1, 2, 3, 7, 16, 63, 64, 65, 97, 128, 169, 256, 257, 274, 299, 521, 548, 997, 1000, 1037, 1024,
    4 * 251, 5 * 251, 8 * 251, 9 * 251, 4999, 8191, 8209, 10000, 20011,
)
needs_mkl = pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="torch is without MKL")


@pytest.fixture(autouse=True)
def no_plans():
    fastnp.clear_memory()
    yield
    fastnp.clear_memory()


def signal(shape, of_complex=True):
    rng = numpy.random.default_rng(sum(shape))
    return rng.normal(size=shape) + (1j * rng.normal(size=shape) if of_complex else 0)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "kind, of_complex",
    [(kind, False) for kind in KINDS] + [(kind, True) for kind in KINDS if kind not in ("rfft", "ihfft")],
)
def test_lengths(kind, of_complex, length):
    lines = signal((3, length), of_complex)

    def body(xp):
        function, given = getattr(xp.fft, kind), xp.array(lines)
        # The array's own length, one that takes zeros, and one that leaves the rest out.
        sizes = (None, length + 3, max(1, length - 2))
        alone = [function(given[0], size, norm=norm) for size in sizes for norm in (None, "ortho", "forward")]
        return [*alone, function(given)]

    agree(body, tolerance="sum")


@same_as_numpy
def test_few_elements_are_numpys(xp):
    """Whole numbers stay whole."""
    ones = [xp.fft.fft(xp.ones(length)) for length in range(1, 33)]
    rows, line = xp.array(signal((9, 7), False)), xp.array(signal((63,)))
    return [*ones, xp.fft.rfft(rows), xp.fft.fft(line), xp.fft.ifft(xp.arange(31))]


CUBE = signal((6, 40, 9))
LAYOUTS = [
    Layout(CUBE), Layout(CUBE, (), (2, 1, 0)), Layout(CUBE, (), (1, 0, 2)), Layout(CUBE, (slice(None, None, -1),)),
    Layout(CUBE, (slice(None), slice(None, None, 2))), Layout(CUBE, (slice(2, 3),)),
    Layout(CUBE, (slice(None), slice(None, None, -1), slice(1, 8, 3))), Layout(CUBE, (Ellipsis, slice(4, 5))),
    Layout(numpy.broadcast_to(CUBE[:1, :, :1], CUBE.shape)),
]


@pytest.mark.parametrize("part", [lambda a: a, lambda a: a.real, lambda a: a.imag], ids=["complex", "real", "imag"])
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_layouts(kind, layout, part):
    def body(xp):
        array = part(layout.build(xp))
        if kind in ("rfft", "ihfft") and array.dtype.kind == "c":
            array = array.real
        return [getattr(xp.fft, kind)(array, length, axis) for axis in range(3) for length in (None, 5, 70)]

    agree(body, tolerance="sum")


@pytest.mark.parametrize("shape", [(64, 64), (1000, 8), (3, 128, 128), (512, 1000), (1024, 512), (65, 4, 3)], ids=str)
@same_as_numpy(tolerance="sum")
def test_columns(xp, shape):
    given = xp.array(signal(shape))
    pairs = ((xp.fft.fft, given), (xp.fft.ifft, given), (xp.fft.rfft, given.real), (xp.fft.irfft, given))
    return [function(array, axis=axis) for function, array in pairs for axis in range(len(shape) - 1)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
@pytest.mark.parametrize("kind", KINDS)
def test_single_precision_is_computed_in_double(kind, dtype):
    given = signal((4, 1000)).astype(dtype) if dtype == "complex64" else signal((4, 1000), False).astype(dtype)
    if kind in ("rfft", "ihfft"):
        given = given.real
    for norm in (None, "ortho", "forward"):
        want = getattr(numpy.fft, kind)(given, norm=norm)
        found = numpy.asarray(getattr(fastnp.fft, kind)(fastnp.asarray(given), norm=norm))
        assert found.dtype == want.dtype
        # NumPy: in single where there is a factor.
        places = 1 if norm == ("forward" if kind.startswith("i") else None) else 8
        assert abs(found.astype("D") - want).max() <= places * numpy.finfo(want.dtype).eps * abs(want).max()


@same_as_numpy(tolerance="sum")
def test_out(xp):
    given, ends = xp.array(signal((5, 200))), []
    for target in (xp.zeros((5, 200), complex), xp.zeros((200, 5), complex).T, xp.zeros((10, 400), complex)[::-2, ::2]):
        ends += [xp.fft.fft(given, out=target) is target, target.copy()]
        ends += [xp.fft.ifft(given.real, axis=0, out=target) is target, target]
    line = xp.array(signal((300,)))
    return [*ends, xp.fft.fft(line[:200], out=line[50:250]), line]


@needs_mkl
def test_plans_are_counted_bounded_and_forgotten():
    assert fastnp.memory_counts()["plans"] == fastnp.memory_counts()["plan_bytes"] == 0
    wave = fastnp.asarray(signal((4096,)))
    fastnp.fft.fft(wave)
    fastnp.fft.fft(wave)
    assert fastnp.memory_counts()["plans"] == 1
    want = {length: numpy.fft.fft(numpy.asarray(wave[:length])) for length in range(100, 250)}
    for length in [*want, *reversed(want)]:
        assert numpy.allclose(fastnp.fft.fft(wave[:length]), want[length], rtol=0, atol=1e-12)
    assert fastnp.memory_counts()["plans"] == 64
    for length in (1 << 19, 600_000, 1_000_000, 1 << 20):
        fastnp.fft.rfft(fastnp.ones(length))
    assert 1 << 24 < fastnp.memory_counts()["plan_bytes"] <= 1 << 26
    fastnp.clear_memory()
    assert fastnp.memory_counts()["plans"] == fastnp.memory_counts()["plan_bytes"] == 0


def test_threads_share_plans_and_lose_them():
    """One plan computes in several threads at once, and lives while it does, though others take its place."""
    given = [signal((length,)) for length in range(3000, 3100)]
    want = [numpy.fft.fft(line) for line in given]
    wrong = []

    def compute(turn):
        for _ in range(3):
            for place in range(len(given)):
                place = place if turn % 2 else (place * 7 + turn) % len(given)
                found = fastnp.fft.fft(fastnp.asarray(given[place]))
                if not numpy.allclose(found, want[place], rtol=0, atol=1e-10):
                    wrong.append(place)
            fastnp.clear_memory()

    workers = [threading.Thread(target=compute, args=(turn,)) for turn in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@pytest.mark.parametrize("number", [numpy.inf, numpy.nan, 1e308], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_no_number(threads, number):
    given = numpy.ones((2, 40000), complex)
    given[1, 7] = number
    if number == 1e308:
        given[1] = number

    def body(xp):
        found = xp.fft.fft(xp.array(given))
        # Which of the parts is NaN depends on the steps.
        return [found[0], xp.isfinite(found[1])]

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        agree(body, tolerance="sum", warns=True)
    finally:
        torch.set_num_threads(before)


def test_numbers_near_zero_are_no_reason_to_warn():
    fading = numpy.exp(-numpy.arange(2000.0))
    with warnings.catch_warnings(), numpy.errstate(under="ignore"):
        warnings.simplefilter("error")
        assert numpy.allclose(fastnp.fft.rfft(fastnp.asarray(fading)), numpy.fft.rfft(fading), rtol=1e-13, atol=0)
        least = fastnp.fft.fft(fastnp.full(64, 5e-324))
    assert least[0] == 64 * 5e-324
    assert not least[1:].any()


@pytest.mark.parametrize("shape", [(8, 8), (9, 9), (33, 64), (3, 20, 21), (1, 100), (100, 1)], ids=str)
@same_as_numpy(tolerance="sum")
def test_planes_of_real_numbers(xp, shape):
    """Half of them is computed; a zero that has no sign in NumPy's has none here."""
    given = xp.array(signal(shape, False))
    even = xp.fft.fft2(given + given[..., ::-1, ::-1])
    return [f(given, lengths, norm=norm) for f in (xp.fft.fft2, xp.fft.ifft2) for norm in (None, "ortho", "forward")
            for lengths in (None, (7, 30), (40, 1), (12, 5))] + [even, xp.fft.fft2((given * 90).astype("int32"))]


# There MKL's loops compute complex numbers that lie apart in another order, and long lines are brought together.
OF_MKLS_MAKER = "GenuineIntel" in Path("/proc/cpuinfo").read_text()


def assert_same(found, want, exact=True):
    """Assert that results are the same, to the last place where they are `exact`."""
    found, want = numpy.asarray(found), numpy.asarray(want)
    if exact:
        assert (found == want).all()
    else:
        assert abs(found - want).max() <= 1e-15 * abs(want).max()


@pytest.mark.parametrize("length", [64, 100, 1000, 4096, 10000])
def test_where_elements_lie_makes_no_difference(length):
    """NumPy's numbers do not depend on it, to the last place."""
    lines = fastnp.asarray(signal((6, 2 * length)))
    for function, array in ((fastnp.fft.fft, lines), (fastnp.fft.ifft, lines), (fastnp.fft.rfft, lines.real)):
        together = array[:, :length].copy()
        want = function(together)
        assert_same(function(together[2]), want[2])
        assert_same(function(array[:, :length]), want)
        assert_same(function(array[:, ::2]), function(array[:, ::2].copy()), exact=not OF_MKLS_MAKER)
        assert_same(function(array[1, ::-2]), function(array[1, ::-2].copy()))
        if function is not fastnp.fft.rfft:
            assert_same(function(together.T, axis=0), want.T, exact=not OF_MKLS_MAKER)
            assert_same(function(together.T.copy(), axis=0), want.T, exact=not OF_MKLS_MAKER)
        for target in (fastnp.zeros(want.shape[::-1], complex).T, fastnp.zeros(want.shape, complex)[:, ::-1]):
            assert function(together, out=target) is target
            assert_same(target, want, exact=not OF_MKLS_MAKER)
        for place in range(4):  # in a line of the cache
            room = fastnp.zeros(length + 4, array.dtype)
            room[place:place + length] = together[2]
            assert_same(function(room[place:place + length]), want[2])


@pytest.mark.parametrize("shape", [(1000, 301), (3, 700, 65), (5000, 43), (300000, 1)])
@pytest.mark.parametrize("kind", KINDS)
def test_many_long_lines_that_lie_apart(kind, shape):
    """Brought together, some at a time, the results are those of lines that lie side by side."""
    function, axis = getattr(fastnp.fft, kind), len(shape) - 2
    for of_complex in (False, True) if kind not in ("rfft", "ihfft") else (False,):
        array = fastnp.asarray(signal(shape, of_complex))
        turned = array.swapaxes(-1, -2).copy()
        for norm in (None, "ortho"):
            want = function(turned, norm=norm).swapaxes(-1, -2)
            found = function(array, axis=axis, norm=norm)
            assert found.strides == getattr(numpy.fft, kind)(numpy.asarray(array), axis=axis).strides
            assert_same(found, want, exact=OF_MKLS_MAKER)
            assert_same(function(array[..., ::-1], axis=axis, norm=norm), want[..., ::-1], exact=OF_MKLS_MAKER)
            target = fastnp.zeros(want.shape[::-1], want.dtype).T
            assert_same(function(array, axis=axis, norm=norm, out=target), want, exact=OF_MKLS_MAKER)
            if kind != "hfft":  # NumPy: that leaves `out` as it is.
                assert_same(target, want, exact=OF_MKLS_MAKER)
        if of_complex:
            assert_same(function(array[::2], axis=axis), function(array[::2].copy(), axis=axis))


@pytest.mark.parametrize("length", [1000, 10000, 100000, 300000, 1000000])
def test_the_first_of_a_length_is_as_the_next(length):
    """What planning raises is none of the transform's flags, by which it would be left to NumPy."""
    line = fastnp.asarray(signal((length,), False))
    assert_same(fastnp.fft.fft(line), fastnp.fft.fft(line))


@pytest.mark.parametrize("name", ["fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn", "irfft2", "irfftn"])
def test_out_of_several_axes(name):
    cube = signal((4, 6, 50)).real if name.startswith("rfft") else signal((4, 6, 50))

    def body(xp):
        function, given, ends = getattr(xp.fft, name), xp.array(cube), []
        shape = numpy.asarray(getattr(numpy.fft, name)(cube)).shape
        for dtype in (complex, float, "complex64"):
            for layout in (xp.zeros(shape, dtype), xp.zeros(shape[::-1], dtype).T, xp.zeros(shape, dtype)[..., ::-1]):
                try:
                    ends += [function(given, out=layout) is layout, layout]
                except TypeError:
                    ends.append("refused")
        for sizes in ((6, 50), (6, 9), (3, 50), (-1, 20)):
            target = xp.zeros((4, *(n for n in getattr(numpy.fft, name)(cube, sizes, (1, 2)).shape[1:])), complex)
            try:
                ends += [function(given, sizes, (1, 2), out=target) is target, target]
            except (TypeError, ValueError) as error:
                ends.append(type(error).__name__)
        return ends

    agree(body, tolerance="sum")


def test_out_of_several_axes_is_what_is_returned_without_it():
    cube = fastnp.asarray(signal((4, 6, 50)))
    for function, array in ((fastnp.fft.fftn, cube), (fastnp.fft.fft2, cube.real), (fastnp.fft.irfftn, cube)):
        want = function(array)
        target = fastnp.zeros_like(want)
        assert function(array, out=target) is target
        assert (target == want).all()


def test_out_of_what_is_hermitian():
    wave = signal((500,), False)
    line = fastnp.asarray(wave)
    want = fastnp.fft.ihfft(line)
    target = fastnp.zeros(want.shape, complex)
    assert fastnp.fft.ihfft(line, out=target) is target
    assert (target == want).all()
    # NumPy: `hfft` leaves it alone.
    untouched = fastnp.zeros(998)
    assert fastnp.fft.hfft(line, out=untouched) is not untouched
    assert not untouched.any()
    plain = numpy.zeros(998)
    assert numpy.fft.hfft(wave, out=plain) is not plain
