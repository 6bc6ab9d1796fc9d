"""Floored quotients and remainders of narrow integers by one number: every number, every divisor with its own loop."""

import numpy
import pytest

import fastnp
from tests._oracle import host

BYTES = ("int8", "uint8")


def every(dtype):
    limits = numpy.iinfo(dtype)
    return numpy.arange(limits.min, limits.max + 1).astype(dtype)


@pytest.fixture(autouse=True)
def silent():
    """Nobody listens to flags."""
    with numpy.errstate(all="ignore"):
        yield


def same(found, wanted):
    return found.dtype == wanted.dtype and numpy.array_equal(host(found), wanted)


@pytest.mark.parametrize("dtype", BYTES)
def test_every_byte_by_every_byte(dtype):
    numbers = every(dtype)
    mine = fastnp.array(numbers)
    for divisor in numbers:
        assert same(mine // divisor, numbers // divisor), divisor
        assert same(mine % divisor, numbers % divisor), divisor


def test_every_short():
    numbers = every("int16")
    mine = fastnp.array(numbers)
    near = [2**k + more for k in range(1, 15) for more in (-1, 0, 1)]
    for divisor in numpy.array(
        [-32768, -3, -1, 0, *near, 7, 10, 100, 1000, 10922, 10923, 21845, 32766, 32767], "int16"
    ):
        assert same(mine // divisor, numbers // divisor), divisor
        assert same(mine % divisor, numbers % divisor), divisor


def test_shorts_by_every_short():
    numbers = numpy.concatenate((every("int16")[:50], every("int16")[-50:], every("int16")[32700:32800]))
    mine = fastnp.array(numbers)
    for divisor in every("int16")[32770:]:
        assert numpy.array_equal(host(mine // divisor), numbers // divisor), divisor
        assert numpy.array_equal(host(mine % divisor), numbers % divisor), divisor


@pytest.mark.parametrize("dtype", [*BYTES, "int16", "uint16"])
def test_layouts(dtype, rng):
    limits = numpy.iinfo(dtype)
    array = rng.integers(limits.min, limits.max, (5, 200), dtype, endpoint=True)
    mine = fastnp.array(array)
    for divisor in (2, 3, 127):
        for width in (1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 200):
            for view in (
                numpy.s_[:, :width],
                numpy.s_[::-1, :width],
                numpy.s_[:, width - 1 :: -1],
                numpy.s_[0, ::2],
                numpy.s_[:, 1],
            ):
                wanted = array[view] // numpy.dtype(dtype).type(divisor)
                assert same(mine[view] // divisor, wanted), (divisor, width)
                assert same(mine[view] % divisor, array[view] % numpy.dtype(dtype).type(divisor)), (divisor, width)
                place = fastnp.zeros(wanted.shape, dtype)
                fastnp.floor_divide(mine[view], divisor, out=place)
                assert same(place, wanted)


@pytest.mark.parametrize("dtype", [*BYTES, "int16"])
def test_in_place_and_over_the_divisor(dtype, rng):
    for begin in (0, 1, 5, 40):
        array = rng.integers(2, 120, 300, dtype)
        mine = fastnp.array(array)
        for xp, numbers in ((numpy, array), (fastnp, mine)):
            numbers //= 3
            xp.floor_divide(numbers[5:205], 2, out=numbers[begin : begin + 200])
            numbers[100] = 2
            numbers[:] = numbers // numbers[100]
            xp.floor_divide(numbers[50:250], numbers[100:101] + 2, out=numbers[50:250])
            numbers[60:61] = 3
            xp.floor_divide(numbers[50:250], numbers[60:61], out=numbers[50:250])
        assert same(mine, array)
