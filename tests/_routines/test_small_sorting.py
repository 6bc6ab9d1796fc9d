"""Sorting, searching and counting on plain arrays: every dtype, layout and length that a compiled body tells apart."""

import itertools

import numpy

import fastnp
from tests._oracle import Cells, Layout
from tests._tables import DTYPES, edges, filled

RNG = numpy.random.default_rng(11)
KINDS = (None, "quicksort", "heapsort", "mergesort", "stable", "quick", "none", 3)


def random(shape, dtype):
    """Return values with many ties, and NaNs of dtypes that have them."""
    values = RNG.integers(0, 6, shape)
    if numpy.dtype(dtype).kind == "c":
        values = values + 1j * RNG.integers(0, 3, shape)
    values = values.astype(dtype)
    if numpy.dtype(dtype).kind in "fc" and values.size > 4:
        values.flat[:: max(values.size // 4, 1)] = numpy.nan
    return values


def layouts(dtype):
    """Return arrays of one to three dimensions: in one piece, transposed, with steps, backwards, empty."""
    cube = random((4, 6, 5), dtype)
    return (
        random(7, dtype),
        random(0, dtype),
        random((3, 0), dtype),
        random((0, 3), dtype),
        random((4, 1), dtype),
        edges(dtype),
        cube,
        Layout(random(14, dtype), (slice(None, None, 2),)),
        Layout(random(14, dtype), (slice(None, None, -1),)),
        Layout(random(14, dtype), (slice(10, 2, -3),)),
        Layout(cube, (), (2, 0, 1)),
        Layout(cube, (slice(None, None, -1), 2)),
        Layout(cube, (slice(1, 3), slice(None), slice(None, None, -2)), (1, 2, 0)),
    )


def named(name, *fixed, **keywords):
    """Return a body that calls a function by name."""
    return lambda xp, array, *rest: getattr(xp, name)(array, *rest, *fixed, **keywords)


def by_method(name, **keywords):
    """Return a body that calls a method by name, and gives the array as well."""
    return lambda xp, array, *rest: (getattr(array, name)(*rest, **keywords), array)


def dims(array):
    return (array.build(numpy) if isinstance(array, Layout) else array).ndim


class TestSorting:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    for axis in (None, *range(-dims(array), dims(array))):
                        cells.same(f"sort {dtype} {array} {axis}", named("sort", axis=axis), array)
                        stable = named("argsort", axis=axis, kind="stable")
                        cells.same(f"argsort {dtype} {array} {axis}", stable, array)
                    cells.same(f".argsort {dtype} {array}", by_method("argsort", kind="stable"), array)
                    cells.same(f".sort {dtype} {array}", by_method("sort", axis=0), array)

    def test_positions_without_ties(self):
        with Cells() as cells:
            dtypes = ("i1", "u2", "i4", "i8", "f2", "f4", "f8", "c16")
            for dtype, size in itertools.product(dtypes, (1, 2, 15, 16, 17, 100)):
                values = RNG.permutation(size).astype(dtype)
                for kind in (None, "heapsort", "stable"):
                    cells.same(f"{dtype} {size} {kind}", named("argsort", kind=kind), values)
                    cells.same(f"sort {dtype} {size} {kind}", named("sort", kind=kind), values)

    def test_lengths_at_which_kernels_change(self):
        with Cells() as cells:
            lengths = (255, 256, 257, 300, 4095, 4096, 5000)
            for dtype, size in itertools.product(("i2", "i4", "i8", "f4", "f8"), lengths):
                values = RNG.permutation(size).astype(dtype)
                wide = RNG.permutation(size * 3).reshape(size, 3).astype(dtype)
                for name in ("sort", "argsort"):
                    cells.same(f"{name} {dtype} {size}", named(name), values)
                    cells.same(f"{name} {dtype} {size} 0", named(name, axis=0), wide)

    def test_spellings(self):
        with Cells() as cells:
            for name, kind, stable in itertools.product(("sort", "argsort"), KINDS, (None, True, False, 1)):
                cells.same(f"{name} {kind} {stable}", named(name, kind=kind, stable=stable), numpy.full(9, 3))
            odd = (1, -2, 1.0, "a", numpy.int64(0), True, (0,), 2**70)
            for name, axis in itertools.product(("sort", "argsort"), odd):
                cells.same(f"{name} {axis!r}", named(name, axis=axis), random(9, "i8"))
                cells.same(f".{name} {axis!r}", by_method(name, axis=axis), random(9, "i8"))
            for name in ("sort", "argsort"):
                cells.same(f"{name} order", named(name, order="x"), random(9, "i8"))
                cells.same(f"{name} scalar", named(name), numpy.array(3.0))
                cells.same(f"{name} scalar, flat", named(name, axis=None), numpy.array(3.0))
                cells.same(f"{name} list", named(name), [3, 1.5, 2])

    def test_read_only(self):
        def body(xp, name, array, *rest):
            view = xp.broadcast_to(array, (2, 7))
            try:
                getattr(view, name)(*rest)
            finally:
                view = view.tolist()
            return view

        with Cells() as cells:
            cells.same("sort", body, "sort", random(7, "i8"))
            cells.same("partition", body, "partition", random(7, "i8"), 2)


class TestPartition:
    def test_every_layout_and_axis(self):
        with Cells() as cells:
            for dtype in DTYPES:
                for array in layouts(dtype):
                    for axis in (None, *range(-dims(array), dims(array))):
                        for kth in (0, 2, -1):
                            cells.same(f"{dtype} {array} {axis} {kth}", named("partition", kth, axis), array)
                            cells.same(f"arg {dtype} {array} {axis} {kth}", named("argpartition", kth, axis), array)
                    cells.same(f".partition {dtype} {array}", by_method("partition"), array, 1, 0)

    def test_spellings(self):
        with Cells() as cells:
            for name in ("partition", "argpartition"):
                for kth in (2, -3, 99, -99, (1, 3), [0], 1.5, True, numpy.int64(2), "a", 2**70):
                    cells.same(f"{name} {kth!r}", named(name, kth), random(9, "f8"))
                    cells.same(f".{name} {kth!r}", by_method(name), random(9, "f8"), kth)
                for kind in ("introselect", "quickselect", None):
                    cells.same(f"{name} {kind}", named(name, 2, kind=kind), random(9, "f8"))


class TestNonzero:
    FUNCTIONS = ("nonzero", "flatnonzero", "argwhere", "count_nonzero")

    def test_every_layout(self):
        with Cells() as cells:
            for dtype in DTYPES:
                zeros, scalar = numpy.array([0.0, -0.0, 1.0, 0.0]).astype(dtype), numpy.array(3).astype(dtype)
                for array in (*layouts(dtype), zeros, scalar):
                    for name in self.FUNCTIONS:
                        cells.same(f"{name} {dtype} {array}", named(name), array)
                    cells.same(f".nonzero {dtype} {array}", by_method("nonzero"), array)

    def test_counts_along_axes(self):
        with Cells() as cells:
            for dtype, axis, keepdims in itertools.product(DTYPES, (None, 0, 1, -1, (0, 1), (), 3, "a"), (False, True)):
                count = named("count_nonzero", axis=axis, keepdims=keepdims)
                cells.same(f"{dtype} {axis} {keepdims}", count, filled((3, 4), dtype))
            cells.same("no elements", named("count_nonzero", axis=0), numpy.zeros((0, 3)))
            cells.same("positional", named("count_nonzero", 1), filled((3, 4), "f8"))

    def test_sizes_at_which_the_kernel_changes(self):
        with Cells() as cells:
            for size, name in itertools.product((2047, 2048, 2049, 5000), self.FUNCTIONS):
                cells.same(f"{name} {size}", named(name), RNG.integers(0, 2, size))
                cells.same(f"{name} {size} 2-d", named(name), RNG.integers(0, 2, (size // 8, 8)))


class TestSearchsorted:
    def test_every_layout(self):
        with Cells() as cells:
            for dtype, side in itertools.product(DTYPES, ("left", "right")):
                ordered = numpy.sort(random(12, dtype))
                for keys in layouts(dtype):
                    cells.same(f"{dtype} {keys} {side}", named("searchsorted", side=side), ordered, keys)
                stepped = Layout(numpy.repeat(ordered, 2), (slice(None, None, 2),))
                backwards = Layout(ordered[::-1].copy(), (slice(None, None, -1),))
                search = named("searchsorted", side=side)
                for array in (ordered, stepped, backwards, ordered[:0]):
                    cells.same(f"{dtype} {array} {side}", search, array, random((2, 3), dtype))
                    cells.same(f"0-d {dtype} {array}", search, array, numpy.array(2).astype(dtype))

    def test_keys_of_another_dtype(self):
        with Cells() as cells:
            for dtype, other in itertools.product(DTYPES, DTYPES):
                ordered = numpy.sort(random(9, dtype))
                cells.same(f"{dtype} {other}", named("searchsorted"), ordered, random(5, other))
            keys = (2, 2.5, -1, True, 2j, numpy.float32(1.5), float("nan"), 300, 2**63, 2**70)
            for dtype, key in itertools.product(DTYPES, keys):
                cells.same(f"{dtype} {key!r}", named("searchsorted"), numpy.sort(random(9, dtype)), key)

    def test_unsorted_arrays_and_spellings(self):
        with Cells() as cells:
            # NumPy: of an array that is not sorted, the places are any. They are places.
            places = fastnp.searchsorted(fastnp.array(random(40, "f8")), fastnp.array(random(40, "f8")))
            cells.require("unsorted", bool(((places >= 0) & (places <= 40)).all()))
            for side in ("left", "right", "l", "RIGHT", "none", None, 1):
                cells.same(f"{side!r}", named("searchsorted", side), numpy.arange(5), random(4, "i8"))
            cells.same("sorter", named("searchsorted", sorter=numpy.array([2, 1, 0])), numpy.array([3, 2, 1]), 2)
            cells.same("2-d", named("searchsorted", 1), numpy.ones((2, 2)))
            cells.same("0-d", named("searchsorted", 1), numpy.array(1.0))
            cells.same("method", by_method("searchsorted", side="right"), numpy.arange(5.0), numpy.array([1.0, 7.0]))
            cells.same("many keys", named("searchsorted"), numpy.sort(random(300, "f8")), random(5000, "f8"))
