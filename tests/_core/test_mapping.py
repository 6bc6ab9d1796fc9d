"""Indexing, read and written, against NumPy (rows 27, 29, 86, 87, 88).

https://numpy.org/doc/stable/user/basics.indexing.html
"""

import itertools

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import fastnp
from tests._oracle import Raised, agree, give, host, run

DTYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def filled(shape, dtype="i8"):
    """Distinct small values, so that a misplaced element shows."""
    size = int(numpy.prod(shape, dtype=object))
    return (numpy.arange(size) % 120 + 1).astype(dtype).reshape(shape)


def read(x, index, wrap=False):
    """Compare one read: value, dtype, shape, whether it is a view, the strides of a view, and the exception type."""

    def body(xp, a):
        part = a[give(xp, index) if wrap else index]
        return part, bool(part.size) and part.shape != () and xp.may_share_memory(part, a)

    want, _ = run(body, numpy, x)
    agree(body, x, layout=not isinstance(want, Raised) and bool(want[1]))


def write(x, index, value, wrap=False):
    """Compare the array after one write, and the exception type; an error changes nothing."""

    def body(xp, a):
        a[give(xp, index) if wrap else index] = give(xp, value) if wrap else value
        return a

    agree(body, x)
    y = fastnp.array(x)
    if isinstance(run(lambda xp: body(xp, y), fastnp)[0], Raised):
        assert host(y).tobytes() == x.tobytes(), "an error has changed the array"


def slices(size):
    bound = st.none() | st.integers(-size - 2, size + 2)
    return st.builds(slice, bound, bound, st.sampled_from([None, None, 1, 2, -1, -2, 3]))


def integers(draw, size):
    """An integer index in one of its spellings, rarely out of bounds."""
    value = draw(st.integers(-size, size - 1) if size and draw(st.integers(0, 9)) else st.integers(-size - 2, size + 1))
    spelling = draw(st.sampled_from([int, int, int, numpy.int64, numpy.int8, numpy.array]))
    return spelling(value)


def integer_array(draw, size, shape):
    low, high = (-size, size - 1) if size else (0, 0)
    if draw(st.integers(0, 19)) == 0:
        high += 1
    values = draw(
        hnp.arrays(
            draw(st.sampled_from(["i8", "i8", "i4", "u1", "i2"])), shape, elements=st.integers(max(low, 0), high)
        )
    )
    if values.dtype.kind == "i" and size and draw(st.booleans()):
        values = numpy.where(values % 2, values - size, values).astype(values.dtype)
    return values.tolist() if values.ndim == 1 and values.size and draw(st.booleans()) else values


@st.composite
def mixed_indices(draw, shape):
    """A tuple of any of NumPy's index items, mostly valid for the shape."""
    items, axis, used_ellipsis = [], 0, False
    fancy = draw(st.sampled_from([(), (1,), (2,), (3,), (2, 1), (2, 3), (0,)]))
    while axis < len(shape) and draw(st.integers(0, 7)):
        size = shape[axis]
        kind = draw(
            st.sampled_from(["int", "slice", "slice", "slice", "array", "array", "mask", "none", "ellipsis", "bool"])
        )
        if kind == "int":
            items.append(integers(draw, size))
        elif kind == "slice":
            items.append(draw(slices(size)))
        elif kind == "array":
            items.append(integer_array(draw, size, draw(st.sampled_from([fancy, fancy, fancy[-1:], ()]))))
        elif kind == "mask":
            span = draw(st.integers(1, min(2, len(shape) - axis)))
            mask = draw(hnp.arrays(bool, shape[axis : axis + span]))
            if draw(st.booleans()) and span == 1 and fancy and size:
                mask = numpy.arange(size) < fancy[-1]
            items.append(mask.tolist() if span == 1 and size and draw(st.booleans()) else mask)
            axis += span - 1
        elif kind == "none":
            items.append(None)
            axis -= 1
        elif kind == "ellipsis":
            if used_ellipsis and draw(st.integers(0, 9)):
                continue
            items.append(Ellipsis)
            used_ellipsis = True
            axis = max(axis, draw(st.integers(axis, len(shape)))) - 1
        else:
            items.append(draw(st.sampled_from([True, False, numpy.True_, numpy.array(True), numpy.array(False)])))
            axis -= 1
        axis += 1
        if len(items) > 7:
            break
    if draw(st.integers(0, 24)) == 0:
        items.append(0)
    return tuple(items) if len(items) != 1 or draw(st.booleans()) else items[0]


@st.composite
def arrays_with_indices(draw):
    shape = tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 3, 4, 5]), max_size=4)))
    x = filled(shape, draw(st.sampled_from(DTYPES)))
    layout = draw(st.sampled_from(["C", "F", "flipped", "sliced"]))
    if layout == "F":
        x = numpy.asfortranarray(x)
    return x, layout, draw(mixed_indices(shape)), draw(st.booleans())


def laid_out(xp, x, layout):
    """The same values in another layout: an array of negative or larger steps."""
    if layout == "flipped" and x.ndim:
        return xp.array(x[::-1].copy())[::-1]
    if layout == "sliced" and x.ndim:
        return xp.array(x.repeat(2, axis=x.ndim - 1))[..., ::2]
    return xp.array(x)


@settings(max_examples=1500, deadline=None)
@given(arrays_with_indices())
def test_getitem_fuzzed(case):
    """Row 86: any mix of int, slice, None, Ellipsis, bool, list and array reads as NumPy's."""
    x, _, index, wrap = case
    read(x, index, wrap)


@settings(max_examples=800, deadline=None)
@given(arrays_with_indices())
def test_getitem_of_other_layouts_fuzzed(case):
    """Rows 79 and 86: the same reads from arrays with negative and wider steps."""
    x, layout, index, wrap = case
    agree(lambda xp: laid_out(xp, x, layout)[give(xp, index) if wrap else index], layout=False)


@st.composite
def writes(draw):
    x, layout, index, wrap = draw(arrays_with_indices())
    selected, _ = run(lambda xp: x[index], numpy)
    shape = () if isinstance(selected, Raised) else selected.shape
    kind = draw(st.sampled_from(["scalar", "full", "full", "broadcast", "wrong", "list"]))
    dtype = draw(st.sampled_from(DTYPES))
    if kind == "scalar" or not shape:
        value = draw(st.sampled_from([0, 7, -3, True, 2.5, numpy.float32(3.5), numpy.array(9), 1.0, 5 + 0j]))
    elif kind == "broadcast":
        value = filled(tuple(n if draw(st.booleans()) else 1 for n in shape[draw(st.integers(0, len(shape))) :]), dtype)
    elif kind == "wrong":
        value = filled((*shape[:-1], shape[-1] + 1), dtype)
    else:
        value = filled(shape, dtype)[::-1] if kind == "full" else filled(shape, "i8").tolist()
    return x, layout, index, value, wrap


@settings(max_examples=1500, deadline=None)
@given(writes())
def test_setitem_fuzzed(case):
    """Row 86: any mix of index items writes as NumPy's, the value broadcast and cast; an error changes nothing."""
    x, _, index, value, wrap = case
    write(x, index, value, wrap)


@settings(max_examples=500, deadline=None)
@given(writes())
def test_setitem_of_other_layouts_fuzzed(case):
    """Rows 79 and 86: the same writes into arrays with negative and wider steps."""
    x, layout, index, value, wrap = case

    def body(xp):
        a = laid_out(xp, x, layout)
        a[give(xp, index) if wrap else index] = value
        return a

    agree(body)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_basic_indices_are_views(data):
    """Row 27: what hypothesis calls a basic index gives a view; a write through it reaches the parent."""
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=4))
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    x = filled(shape)
    read(x, index)
    y = fastnp.array(x)
    if isinstance(x[index], numpy.ndarray):
        x[index][...] = -1
        y[index][...] = -1
        assert y.tolist() == x.tolist()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_integer_array_indices(data):
    """Row 86: broadcast integer arrays, one for each axis."""
    shape = data.draw(hnp.array_shapes(max_dims=4, max_side=5))
    index = data.draw(hnp.integer_array_indices(shape))
    read(filled(shape), index, wrap=data.draw(st.booleans()))


SEPARATED = [
    (slice(None), [0, 1], slice(None), [1, 2]),
    ([0, 1], slice(None), [1, 2]),
    (0, slice(None), [1, 2]),
    ([0, 1], slice(None), 0),
    (slice(None), 0, slice(None), [1, 0]),
    (slice(None), [[0], [1]], slice(None), [1, 2]),
    (..., [0, 1], slice(None), [0, 1]),
    ([0, 1], None, [1, 2]),
    (slice(None), [0, 1], None, 1),
    (numpy.array(0), slice(None), [1, 2]),
    (slice(None), [0, 1], [1, 0], slice(None)),
    (True, slice(None), [0, 1]),
    ([1], True),
    (None, True, 0),
    (False, None),
    (slice(None), True, slice(None), [0]),
]


@pytest.mark.parametrize("index", SEPARATED, ids=str)
def test_separated_advanced_indices_go_to_the_front(index):
    """Row 86: NumPy's rule of transposition, ints counted as advanced beside arrays."""
    x = filled((2, 3, 4, 5))
    read(x, index)
    shape = x[index].shape
    write(x, index, -filled(shape))


@pytest.mark.parametrize("dtype", DTYPES)
def test_setitem_with_duplicates_last_write_wins(dtype):
    """Row 87: `a[i] = v` with repeated indices leaves the last value."""
    rng = numpy.random.default_rng(0)
    x = filled((50,), dtype)
    for size in (10, 1000):
        write(x, rng.integers(-50, 50, size), filled((size,), dtype))
    write(filled((5, 6), dtype), ([0, 0, 4, 0], [1, 1, 5, 1]), filled((4,), dtype))


def test_in_place_addition_with_duplicates_adds_once():
    """Row 87: `a[i] += 1` adds once for each place, as NumPy's buffered form does."""

    def body(xp):
        a = xp.zeros(4)
        a[[0, 0, 1, 3, 3, 3]] += 1
        return a

    agree(body)


@pytest.mark.parametrize(
    "value",
    [300, -1, 2**70, 1.9, -1.9, float("nan"), 1e300, 2j, True, None, "3", "x", b"1", [1], [], numpy.int8(-1)],
    ids=repr,
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_setitem_of_odd_scalars(dtype, value):
    """Rows 59 and 86: Python scalars that do and do not fit, strings and None."""
    for index in (1, slice(1, 3), [0, 2], (), ...):
        write(filled((4,), dtype), index, value)


@pytest.mark.parametrize(
    "index",
    [2, -3, numpy.int8(5), (0, 4), [0, 2], [0, -3], (slice(None), [4]), ([0, 1], [0, 4]), 2**70, -(2**70)],
    ids=str,
)
def test_out_of_bounds_changes_nothing(index):
    """Row 88: IndexError, also when only one of many indices is out."""
    x = filled((2, 4))
    read(x, index)
    write(x, index, 0)
    with pytest.raises(IndexError):
        fastnp.array(x)[index]


@pytest.mark.parametrize("wrap", [False, True], ids=["numpy mask", "fastnp mask"])
@pytest.mark.parametrize(
    "mask_shape", [(3,), (2,), (4,), (3, 4), (3, 4, 2), (3, 4, 2, 1), (3, 1), (1, 4), (0,), ()], ids=str
)
def test_mask_shapes(mask_shape, wrap):
    """Row 86: a mask covers its axes exactly."""
    x = filled((3, 4, 2))
    for mask in (numpy.ones(mask_shape, bool), numpy.zeros(mask_shape, bool), filled(mask_shape) % 3 == 0):
        read(x, mask, wrap)
        write(x, mask, -1, wrap)
        read(x, (..., mask), wrap)
        read(x, (mask, 0), wrap)


@pytest.mark.parametrize("size", [0, 1, 3, 1000])
def test_setitem_mask_takes_as_many_values_as_it_selects(size):
    x = filled((30, 50))
    mask = x % 7 == 3
    write(x, mask, filled((size,)))
    write(x, mask, filled((int(mask.sum()),)))


@pytest.mark.parametrize(
    "index",
    [1.0, numpy.float64(1), [1.0], "x", b"x", 1j, {}, slice(1.0, 2), slice(None, "x"), object, numpy.array([1.0])],
    ids=repr,
)
def test_index_of_a_wrong_type(index):
    x = filled((3, 4))
    read(x, index)
    write(x, index, 1)


def test_empty_list_is_an_integer_index():
    x = filled((3, 4))
    for index in ([], (slice(None), []), ([], []), numpy.array([], dtype=int), numpy.array([]), ([[]],)):
        read(x, index)
        write(x, index, 5)


@pytest.mark.parametrize(
    "line",
    [
        "x[1:] = x[:-1]",
        "x[:-1] = x[1:]",
        "x[::-1] = x",
        "x[:] = x[::-1]",
        "x[x % 2 == 0] = x[x % 2 == 0][::-1]",
        "x[[0, 1, 2]] = x[[2, 0, 1]]",
        "x[x] = x",
        "x[x[::-1]] = x",
        "x[x] = x[::-1]",
        "x[x[3:6]] = x[:3]",
    ],
)
def test_setitem_from_itself(line):
    """Row 86: a value or an index that overlaps the array is read before it is written."""

    def body(xp):
        x = xp.arange(10)
        exec(line, {"x": x})
        return x

    agree(body)


def test_full_integer_index_owns_its_value():
    """D7 and row 67: `tmp = a[0]; a[0] = a[1]; a[1] = tmp` swaps; `a[0, ...]` stays a view."""
    a = fastnp.array([1.0, 2.0])
    tmp = a[0]
    a[0] = a[1]
    a[1] = tmp
    assert a.tolist() == [2.0, 1.0]
    view = a[0, ...]
    a[0] = 5
    assert view.shape == ()
    assert float(view) == 5.0


def test_advanced_index_of_a_list_of_tuples_and_nested_lists():
    x = filled((4, 5))
    for index in (
        [(0, 1), (2, 3)],
        [[0, 1], [2, 3]],
        ([(0, 1)], 2),
        [[True, False, True, False]],
        [True, False, True, False],
    ):
        read(x, index)


@pytest.mark.parametrize("shape", [(3, 4), (200, 300), (5, 6, 7)], ids=str)
def test_advanced_reads_of_larger_arrays(shape):
    """Row 86: take and mask of rows, columns and elements on sizes beyond the small path."""
    rng = numpy.random.default_rng(1)
    x = rng.standard_normal(shape)
    rows, columns = rng.integers(0, shape[0], 40), rng.integers(-shape[1], shape[1], 40)
    mixed = (rows[:, None], columns), (rows, slice(None, None, -2)), (x > 0).any(axis=-1)
    for index in (rows, (slice(None), columns), (rows, columns), x > 0, *mixed):
        read(x, index)
        write(x, index, 1.5)


@pytest.mark.parametrize("size", [1, 3, 511, 512, 600])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16", "?"])
def test_integers_on_one_dimension_on_both_sides_of_few(dtype, size):
    """A way of their own for a few indices gives the general way's answer: values, bounds, overlap, versions."""
    rng = numpy.random.default_rng(size)
    theirs = rng.integers(0, 2, 40).astype(dtype)
    index = rng.integers(-40, 40, size)
    for step, turn in itertools.product((1, 2, -1), (1, 2, -1, -3)):
        ours_now, theirs_now = fastnp.asarray(theirs.copy())[::step], theirs.copy()[::step]
        kept = index[numpy.abs(index) < theirs_now.size]
        chosen, given = kept[::turn], fastnp.asarray(kept)[::turn]
        taken = ours_now[given]
        numpy.testing.assert_array_equal(numpy.asarray(taken), theirs_now[chosen])
        assert taken.dtype == dtype
        values = rng.integers(0, 2, chosen.size).astype(dtype)
        ours_now[given] = fastnp.asarray(values)
        theirs_now[chosen] = values
        numpy.testing.assert_array_equal(numpy.asarray(ours_now), theirs_now)
        ours_now[given] = 1.0
        theirs_now[chosen] = 1.0
        numpy.testing.assert_array_equal(numpy.asarray(ours_now), theirs_now)
        before = numpy.asarray(ours_now).copy()
        for wrong in (theirs_now.size, -theirs_now.size - 1):
            bad = fastnp.asarray(numpy.append(chosen, wrong))[::-1 if turn < 0 else 1]
            with pytest.raises(IndexError, match="out of bounds"):
                ours_now[bad]
            with pytest.raises(IndexError, match="out of bounds"):
                ours_now[bad] = 0.0
        numpy.testing.assert_array_equal(numpy.asarray(ours_now), before)


def test_integers_on_one_dimension_written_from_their_own_memory():
    ours, theirs = fastnp.arange(6.0), numpy.arange(6.0)
    ours[fastnp.asarray([1, 2, 3])] = ours[:3]
    theirs[numpy.asarray([1, 2, 3])] = theirs[:3]
    assert ours.tolist() == theirs.tolist()
    for ours_part, theirs_part in ((ours[::-1], theirs[::-1]), (ours[1::2], theirs[1::2]), (ours[::-2], theirs[::-2])):
        ours_part[fastnp.asarray([2, 1])[::-1]] = ours_part[:2]
        theirs_part[numpy.asarray([2, 1])[::-1]] = theirs_part[:2]
        assert ours.tolist() == theirs.tolist()
    base, theirs = numpy.arange(6.0), numpy.array([0.0, 0, 1, 2, 4, 5])
    one, other = fastnp.asarray(base), fastnp.asarray(base)
    one[fastnp.asarray([1, 2, 3])] = other[:3]
    assert base.tolist() == theirs.tolist()


ORDERS = [(1, 0), (0, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("rest", [(), (slice(None),), (1,), (numpy.array(2),), "again", "in c order"], ids=str)
@pytest.mark.parametrize("size", [1, 2, 40])
def test_elements_lie_as_the_indices_do(order, rest, size):
    lengths = (size, 3, 4)[: len(order)]
    values = numpy.arange(int(numpy.prod(lengths))).reshape(lengths) % 5

    def body(xp):
        a = xp.array(filled((5, 6), "f8"))
        index = xp.array(values).transpose(order)
        if isinstance(rest, str):
            return a[index, index if rest == "again" else xp.array(index, order="C")]
        return a[(index, *(give(xp, part) for part in rest))]

    agree(body)


@pytest.mark.parametrize("dtype", ["f8", "i4", "c16"])
@pytest.mark.parametrize("layout", ["C", "F", "backwards"])
def test_columns_beyond_the_caches(dtype, layout):
    """Lines whose elements lie far apart are moved a few elements at a time, from 32 MiB on; the last of two stays."""
    side = int(((32 << 20) / numpy.dtype(dtype).itemsize) ** 0.5) + 1
    rng = numpy.random.default_rng(2)
    columns = rng.integers(-side, side, side + 1)

    def arranged(xp):
        a = xp.arange(side**2).reshape(side, side).astype(dtype)
        return {"C": a, "F": xp.asfortranarray(a), "backwards": a[::-1, ::-1]}[layout]

    def put(xp):
        a = arranged(xp)
        a[:, columns] = xp.arange(len(columns)).astype(dtype)
        a[:, columns[:-5]] *= 2
        return a

    agree(lambda xp: arranged(xp)[:, columns])
    agree(lambda xp: arranged(xp).T[columns])
    agree(put)
