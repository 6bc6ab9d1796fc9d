"""Padding, packing and clipping, by NumPy's kernels and by torch's bodies."""

import itertools

import numpy
import pytest

from tests._oracle import Cells, Layout
from tests._paths import by_both_paths, check, function, method
from tests._routines.test_small_sorting import named
from tests._tables import FEW_DTYPES, filled


@by_both_paths
def test_pad(path):
    modes = ("constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap")
    cases = [
        function("pad", filled((3, 4), dtype), width, mode)
        for mode, width, dtype in itertools.product(modes, (1, (0, 2), ((1, 2), (3, 0))), ("f8", "i4"))
    ]
    cases += [function("pad", filled((3,)), 2, constant_values=(1, 2)), function("pad", filled((3,)), 5, "reflect")]
    cases += [
        function("pad", filled((3,)), (1, 2), "linear_ramp", end_values=(5, -4)),
        function("pad", filled((3,)), -1),
    ]
    cases += [function("pad", filled((6,)), 2, "mean", stat_length=3), function("pad", filled((3,)), 1, "nonsense")]
    cases += [function("pad", filled((3,)), 2, "reflect", reflect_type="odd"), function("pad", [1, 2], {-1: (1, 2)})]
    check(cases, path, tolerance="sum")


def test_pad_of_many_layouts():
    """Arrays that are not written twice: framed, or joined with what their ends repeat; in the order of Fortran too."""
    with Cells() as cells:
        for shape, width in (((4, 6), 1), ((3, 4, 5), ((1, 0), (0, 2), (3, 3))), ((2500,), (2, 0)), ((3, 700), 1),
                             ((20_000,), 3), ((20_000,), (0, 2)), ((150, 160), 1), ((150, 160), ((0, 2), (3, 0))),
                             ((30, 20, 40), ((1, 0), (0, 2), (3, 3))), ((30, 20, 40), 0)):
            for dtype, order in itertools.product(("f8", "i4", "D"), "CF"):
                array = numpy.asarray(filled(shape, dtype), order=order)
                for given in (array, array[::-1]):
                    for mode in ("constant", "edge", "reflect", "wrap"):
                        cells.same(f"{shape} {width}", named("pad", mode=mode), given, width)
                    cells.same(f"{shape} {width}", named("pad", constant_values=7), given, width)


@by_both_paths
def test_bits(path):
    bits = numpy.array([[1, 0, 1, 1, 0, 0, 1, 0, 1], [0, 0, 1, 0, 1, 1, 1, 0, 0]], "u1")
    cases = [
        function(name, bits, axis=axis, bitorder=order)
        for name, axis, order in itertools.product(("packbits", "unpackbits"), (None, 0, 1), ("big", "little"))
    ]
    cases += [function("unpackbits", bits, axis=1, count=count) for count in (0, 5, -3, 100, -100)]
    cases += [function("packbits", [1.5]), function("unpackbits", [1, 2]), function("packbits", bits, bitorder="x")]
    check(cases, path)


@by_both_paths
def test_clip(path):
    cases = [
        function("clip", filled((5,), dtype), low, high)
        for dtype, low, high in itertools.product(FEW_DTYPES, (None, 0, 1), (None, 2, 3))
    ]
    cases += [function("clip", numpy.array([1, 200], "u1"), -5, 300), function("clip", [1, 2, 3], [0, 3, 1], 2)]
    cases += [function("clip", filled((3,)), 1), function("clip", filled((3,))), function("clip", filled((3,)), min=0)]
    cases += [
        method("clip", filled((4,)), 0, 1),
        method("clip", filled((4,)), max=1),
        function("clip", filled((3,)), 0, 1, max=3),
    ]
    cases += [function("clip", [1.0, numpy.nan], 0, 2), function("clip", numpy.arange(3), 0.5, 1.5)]
    check(cases, path)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_frames_and_shifts_of_short_rows(dtype):
    """Axes that nothing is put around are one, and short rows are moved many at a time."""
    with Cells() as cells:
        shapes = (3, 4, 3), (7, 5, 1), (40, 30, 3), (300, 2), (20, 9), (6, 5, 2, 2), (0, 3), (4, 0, 3), (2, 3, 20)
        for shape in shapes:
            image = (numpy.arange(numpy.prod(shape)) % 251).astype(dtype).reshape(shape)
            widths = [(1, 2), (0, 3), (0, 0), (2, 0)]
            for turn in range(len(widths)):
                given = [widths[(axis + turn) % 4] for axis in range(len(shape))]
                for axes in (None, tuple(range(len(shape)))[::-1]):
                    for index in ((), (slice(None, None, -1),), (slice(None), slice(1, None))):
                        array = Layout(image, index, axes)
                        cells.same(f"{shape} {given} {array}", lambda xp, a, w=given: xp.pad(a, w), array)
                        cells.same(f"{shape} one {array}", lambda xp, a: xp.pad(a, 1, constant_values=7), array)
                        for axis, shift in itertools.product(range(len(shape)), (1, -2)):
                            label = f"roll {axis} {shift} {array}"
                            cells.same(label, lambda xp, a, shift=shift, axis=axis: xp.roll(a, shift, axis), array)
